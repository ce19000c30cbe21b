//===- Deferral.cpp - Choices that wait for a first step
//-------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Deferral.h"
#include "cif/Graph/Components.h"
#include <map>
#include <set>

using namespace cif;

static uint64_t scopeKey(const Firing &firing, uint32_t container) {
  return uint64_t(firing.origin.unit) << 32 | container;
}

static void addOnce(SmallVectorImpl<uint32_t> &to, ArrayRef<uint32_t> more) {
  for (uint32_t one : more)
    if (!llvm::is_contained(to, one))
      to.push_back(one);
}

/// What \p more decides and starts is decided and started by \p step too.
static void addChoices(CollaborationStep &step, const CollaborationStep &more) {
  if (more.starts && more.element != noneOf)
    addOnce(step.alsoStarts, more.element);
  addOnce(step.alsoStarts, more.alsoStarts);
  addOnce(step.chosenFlows, more.chosenFlows);
  addOnce(step.passedChoices, more.passedChoices);
}

/// Adds \p step unless it is there: then that one stands for both ways, and
/// whoever takes it again and again can take each of them.
static void addStep(Firing step, std::vector<Firing> &out) {
  for (Firing &other : out)
    if (other.kind == step.kind && other.message == step.message &&
        other.label == step.label && other.origin == step.origin &&
        other.pre == step.pre && other.post == step.post &&
        other.clears == step.clears && other.guards == step.guards &&
        other.action == step.action) {
      addChoices(other.info, step.info);
      return;
    }
  out.push_back(std::move(step));
}

namespace cif {
/// The unfolding of the net from one marking, as far as it depends on branches
/// being taken.
class Unfolding {
public:
  Unfolding(const Deferral &of, ArrayRef<uint32_t> from)
      : deferral(of), net(of.net), marking(from), budget(of.limits) {}

  /// What it stopped at, where that was a limit of the run.
  const std::string &limit() const { return budget.limit(); }
  /// False: given up.
  bool run(ArrayRef<uint32_t> roots, std::vector<Firing> &out);

private:
  /// A token that a firing of the unfolding made. Ended ones stand in for
  /// "a token ended in this container", on which its completion depends.
  struct Token {
    uint32_t place, event;
    bool ended;
    uint64_t scope;
  };
  struct Event {
    uint32_t firing;
    SmallVector<uint32_t, 4> tokens;  ///< taken, of the unfolding
    SmallVector<uint32_t, 4> normal;  ///< taken, of the marking (places)
    SmallVector<uint32_t, 8> history; ///< all that it depends on, itself last
    SmallVector<uint32_t, 2> guards;  ///< that must be true for all of it
    CollaborationStep choices;        ///< of all of it
  };

  bool replay(const Event &event);
  bool apply(const Event &event);
  uint32_t countAt(uint32_t place) const;
  void tryEvent(uint32_t firing, ArrayRef<uint32_t> tokens,
                ArrayRef<uint32_t> normal, std::vector<Firing> &out);
  void extend(uint32_t token, std::vector<Firing> &out);
  void choose(uint32_t firing, uint32_t token, std::vector<Firing> &out);
  void complete(uint32_t token, std::vector<Firing> &out);
  void emit(const Event &event, std::vector<Firing> &out);

  static constexpr size_t maxEvents = 4096;
  const Deferral &deferral;
  const TokenNet &net;
  ArrayRef<uint32_t> marking;
  std::vector<Event> events;
  std::vector<Token> tokens;
  std::set<std::vector<uint32_t>> seen;
  // What a replay works on.
  std::vector<uint32_t> left;
  std::vector<bool> alive;
  SmallVector<Arc, 8> cleared; ///< tokens of the marking that were swept away
  bool full = false;
  Budget budget;
};
} // namespace cif

uint32_t Unfolding::countAt(uint32_t place) const {
  uint32_t count = left[place];
  for (size_t t = 0; t < tokens.size(); ++t)
    count += alive[t] && !tokens[t].ended && tokens[t].place == place;
  return count;
}

/// Fires one event; false: it cannot.
bool Unfolding::apply(const Event &event) {
  const Firing &firing = net.firings[event.firing];
  if (firing.orJoin != noIndex) {
    const OrJoin &join = net.orJoins[firing.orJoin];
    std::vector<uint32_t> whole(left);
    for (size_t t = 0; t < tokens.size(); ++t)
      if (alive[t] && !tokens[t].ended)
        ++whole[tokens[t].place];
    if (!net.joins(join, whole.data()))
      return false;
    // It takes one token of each marked flow, no less.
    size_t marked = llvm::count_if(
        join.incoming, [&](uint32_t place) { return whole[place] != 0; });
    if (marked != event.tokens.size() + event.normal.size())
      return false;
  }
  for (uint32_t place : event.normal) {
    if (!left[place])
      return false;
    --left[place];
  }
  for (uint32_t token : event.tokens) {
    if (!alive[token])
      return false;
    alive[token] = false;
  }
  if (firing.empty != noIndex)
    for (uint32_t place : net.sets[firing.empty])
      if (countAt(place))
        return false;
  if (firing.marked != noIndex &&
      llvm::none_of(net.sets[firing.marked],
                    [&](uint32_t place) { return countAt(place) != 0; }))
    return false;
  if (firing.clears != noIndex)
    for (uint32_t place : net.sets[firing.clears]) {
      if (left[place])
        cleared.push_back({place, left[place]});
      left[place] = 0;
      for (size_t t = 0; t < tokens.size(); ++t)
        if (!tokens[t].ended && tokens[t].place == place)
          alive[t] = false;
    }
  return true;
}

/// Fires all that an event depends on, in order, and the event.
bool Unfolding::replay(const Event &event) {
  left.assign(marking.begin(), marking.end());
  alive.assign(tokens.size(), false);
  cleared.clear();
  size_t token = 0;
  for (uint32_t e : event.history) {
    bool last = e == events.size();
    if (!apply(last ? event : events[e]))
      return false;
    if (last)
      break;
    // Tokens are made in the order of events.
    while (token < tokens.size() && tokens[token].event < e)
      ++token;
    for (; token < tokens.size() && tokens[token].event == e; ++token)
      alive[token] = true;
  }
  return true;
}

void Unfolding::tryEvent(uint32_t firing, ArrayRef<uint32_t> own,
                         ArrayRef<uint32_t> normal, std::vector<Firing> &out) {
  // What it depends on is fired again, and the marking is looked at.
  if (events.size() >= maxEvents ||
      budget.spend(net.numPlaces / 4 + 16 * (1 + own.size()) + tokens.size())) {
    full = true;
    return;
  }
  Event event{.firing = firing};
  event.tokens.assign(own.begin(), own.end());
  event.normal.assign(normal.begin(), normal.end());
  std::set<uint32_t> history;
  auto addGuards = [&](ArrayRef<uint32_t> guards) {
    for (uint32_t guard : guards)
      if (!llvm::is_contained(event.guards, guard))
        event.guards.push_back(guard);
  };
  for (uint32_t token : own) {
    const Event &by = events[tokens[token].event];
    history.insert(by.history.begin(), by.history.end());
    addGuards(by.guards);
    addChoices(event.choices, by.choices);
  }
  addChoices(event.choices, net.firings[firing].info);
  llvm::sort(event.choices.chosenFlows);
  if (uint32_t guards = net.firings[firing].guards)
    addGuards(net.data->requirements(guards));
  llvm::sort(event.guards);
  event.history.assign(history.begin(), history.end());
  event.history.push_back(events.size());
  if (!replay(event))
    return;
  const Firing &made = net.firings[firing];
  if (isStep(made.kind))
    return emit(event, out);
  // Nothing new comes from where the same tokens were before.
  std::vector<uint32_t> key(left);
  key.resize(left.size() * 2);
  for (size_t t = 0; t < tokens.size(); ++t)
    if (alive[t] && !tokens[t].ended)
      ++key[left.size() + tokens[t].place];
  for (const Arc &arc : made.post)
    key[left.size() + arc.place] += arc.count;
  key.insert(key.end(), event.guards.begin(), event.guards.end());
  key.push_back(noIndex);
  llvm::append_range(key, event.choices.chosenFlows);
  if (!made.post.empty() && !seen.insert(std::move(key)).second)
    return;
  uint32_t number = events.size();
  events.push_back(std::move(event));
  for (const Arc &arc : made.post)
    for (uint32_t i = 0; i < arc.count; ++i)
      tokens.push_back({arc.place, number, false, 0});
  if (made.endsIn != noIndex)
    tokens.push_back({0, number, true, scopeKey(made, made.endsIn)});
}

/// All firings that take this token, with any others that they need.
void Unfolding::extend(uint32_t token, std::vector<Firing> &out) {
  if (tokens[token].ended)
    return complete(token, out);
  for (uint32_t firing : deferral.consumers[tokens[token].place])
    choose(firing, token, out);
}

void Unfolding::choose(uint32_t firing, uint32_t token,
                       std::vector<Firing> &out) {
  const Firing &f = net.firings[firing];
  // For each place: which tokens it may come from.
  constexpr uint32_t normal = noIndex, absent = noIndex - 1;
  SmallVector<uint32_t, 4> places;
  bool optional = f.orJoin != noIndex;
  if (optional)
    places.assign(net.orJoins[f.orJoin].incoming);
  else
    for (const Arc &arc : f.pre)
      places.push_back(arc.place);
  SmallVector<SmallVector<uint32_t, 4>, 4> choices;
  for (uint32_t place : places) {
    auto &list = choices.emplace_back();
    if (place == tokens[token].place) {
      list.push_back(token);
      continue;
    }
    if (marking[place])
      list.push_back(normal);
    for (uint32_t t = 0; t < token; ++t)
      if (!tokens[t].ended && tokens[t].place == place)
        list.push_back(t);
    if (optional)
      list.push_back(absent);
    if (list.empty())
      return;
  }
  SmallVector<uint32_t, 4> at(places.size(), 0), own, plain;
  while (!full) {
    own.clear();
    plain.clear();
    for (size_t i = 0; i < places.size(); ++i) {
      uint32_t chosen = choices[i][at[i]];
      if (chosen == normal)
        plain.push_back(places[i]);
      else if (chosen != absent)
        own.push_back(chosen);
    }
    tryEvent(firing, own, plain, out);
    size_t i = 0;
    while (i < places.size() && ++at[i] == choices[i].size())
      at[i++] = 0;
    if (i == places.size())
      return;
  }
}

/// A container is complete when nothing is left in it: that depends on the
/// tokens that ended in it.
void Unfolding::complete(uint32_t token, std::vector<Firing> &out) {
  auto found = deferral.completionsOf.find(tokens[token].scope);
  if (found == deferral.completionsOf.end())
    return;
  SmallVector<uint32_t, 8> others;
  for (uint32_t t = 0; t < token; ++t)
    if (tokens[t].ended && tokens[t].scope == tokens[token].scope)
      others.push_back(t);
  if (others.size() > 8) {
    full = true;
    return;
  }
  for (uint32_t firing : found->second) {
    uint32_t active = net.firings[firing].pre[0].place;
    for (uint32_t chosen = 0; chosen < (1u << others.size()); ++chosen) {
      SmallVector<uint32_t, 8> own{token};
      for (size_t i = 0; i < others.size(); ++i)
        if (chosen >> i & 1)
          own.push_back(others[i]);
      if (marking[active])
        tryEvent(firing, own, active, out);
      for (uint32_t t = 0; t < tokens.size(); ++t)
        if (!tokens[t].ended && tokens[t].place == active) {
          own.push_back(t);
          tryEvent(firing, own, {}, out);
          own.pop_back();
        }
    }
  }
}

/// The step with everything that it depends on, as one firing.
void Unfolding::emit(const Event &event, std::vector<Firing> &out) {
  const Firing &last = net.firings[event.firing];
  Firing step{.kind = last.kind,
              .message = last.message,
              .label = last.label,
              .action = last.action,
              .origin = last.origin,
              .info = last.info};
  step.info.starts |= last.info.completes; // whatever started it is in here too
  step.info.chosenFlows = event.choices.chosenFlows;
  step.info.passedChoices = event.choices.passedChoices;
  step.info.alsoStarts = event.choices.alsoStarts;
  if (!event.guards.empty()) {
    step.guards = net.data->number(event.guards);
    step.waits = true;
  }
  auto group = deferral.groupOf.find(event.firing);
  if (group != deferral.groupOf.end())
    step.group = group->second;
  std::map<uint32_t, uint32_t> pre, post;
  for (uint32_t e : event.history) {
    const Event &by = e == events.size() ? event : events[e];
    for (uint32_t place : by.normal)
      ++pre[place];
    if (uint32_t set = net.firings[by.firing].clears; set != noIndex)
      step.clears = set;
  }
  for (const Arc &arc : cleared)
    pre[arc.place] += arc.count;
  for (size_t t = 0; t < tokens.size(); ++t)
    if (alive[t] && !tokens[t].ended)
      ++post[tokens[t].place];
  for (const Arc &arc : last.post)
    post[arc.place] += arc.count;
  for (auto [place, count] : pre)
    step.pre.push_back({place, count});
  for (auto [place, count] : post)
    step.post.push_back({place, count});
  addStep(std::move(step), out);
}

bool Unfolding::run(ArrayRef<uint32_t> roots, std::vector<Firing> &out) {
  for (uint32_t root : roots) {
    const Firing &f = net.firings[root];
    SmallVector<uint32_t, 2> normal;
    for (const Arc &arc : f.pre)
      normal.push_back(arc.place);
    tryEvent(root, {}, normal, out);
  }
  for (uint32_t token = 0; token < tokens.size() && !full; ++token)
    extend(token, out);
  return !full;
}

//===----------------------------------------------------------------------===//
// Which choices depend on what
//===----------------------------------------------------------------------===//

/// Whether a firing on the way needs its one token and nothing else.
bool Deferral::isLocal(const Firing &firing) const {
  return firing.pre.size() == 1 && firing.empty == noIndex &&
         firing.marked == noIndex && firing.orJoin == noIndex &&
         firing.clears == noIndex && firing.endsIn == noIndex;
}

/// Whether each firing takes one token and passes one on or ends it, whatever
/// the data, and touches nothing else: no token is left behind on the way to a
/// step.
bool Deferral::isChain(const llvm::BitVector &used) const {
  for (unsigned f : used.set_bits()) {
    const Firing &firing = net.firings[f];
    if (firing.guards || firing.pre[0].count != 1 || firing.clears != noIndex ||
        firing.endsIn != noIndex)
      return false;
    if (!isStep(firing.kind) && !firing.post.empty() &&
        (firing.post.size() != 1 || firing.post[0].count != 1))
      return false;
  }
  return true;
}

/// The unfolding of a chain is a walk over its places: each once, however often
/// loops in it come back. The ways to a place lead to the same steps, so that a
/// step makes the choices of all of them (addStep). Where choices are tracked a
/// place is looked at again when another way to it makes more of them.
void Deferral::unfoldChain(uint32_t root, std::vector<Firing> &out,
                           Budget &budget) const {
  std::vector<uint32_t> number(net.numPlaces, noIndex);
  struct Reached {
    uint32_t place;
    CollaborationStep choices;
    bool waits = true;
  };
  std::vector<Reached> found;
  SmallVector<uint32_t, 16> work;
  auto reach = [&](uint32_t f, CollaborationStep choices) {
    const Firing &firing = net.firings[f];
    if (firing.post.empty()) // an end
      return;
    if (net.tracksChoices)
      addChoices(choices, firing.info);
    uint32_t &at = number[firing.post[0].place];
    if (at == noIndex) {
      at = found.size();
      found.push_back({firing.post[0].place, std::move(choices)});
      work.push_back(at);
      return;
    }
    Reached &known = found[at];
    auto size = [&] {
      return known.choices.chosenFlows.size() +
             known.choices.passedChoices.size() +
             known.choices.alsoStarts.size();
    };
    const size_t before = size();
    // Each is looked for among the others.
    if (before)
      budget.spend(before * before);
    addChoices(known.choices, choices);
    if (size() != before && !known.waits) {
      known.waits = true;
      work.push_back(at);
    }
  };
  reach(root, {});
  while (!work.empty() && !budget.spend()) {
    const uint32_t at = work.pop_back_val();
    found[at].waits = false;
    for (uint32_t f : consumers[found[at].place])
      if (!isStep(net.firings[f].kind))
        reach(f, found[at].choices);
  }
  for (const Reached &from : found)
    for (uint32_t f : consumers[from.place]) {
      const Firing &firing = net.firings[f];
      if (!isStep(firing.kind) || budget.stopped())
        continue;
      Firing step{.kind = firing.kind,
                  .message = firing.message,
                  .label = firing.label,
                  .action = firing.action,
                  .origin = firing.origin,
                  .info = firing.info};
      step.info.starts |= firing.info.completes;
      if (net.tracksChoices) {
        addChoices(step.info, from.choices);
        const size_t made = step.info.chosenFlows.size();
        budget.spend(made * made);
      }
      step.pre = net.firings[root].pre;
      std::map<uint32_t, uint32_t> post;
      for (const Arc &arc : firing.post)
        post[arc.place] += arc.count;
      for (auto [place, count] : post)
        step.post.push_back({place, count});
      addStep(std::move(step), out);
    }
}

/// What was found until \p budget stopped.
Deferral::Reach Deferral::reachOf(uint32_t root, Budget &budget) const {
  const Firing &first = net.firings[root];
  Reach reach;
  reach.places.resize(net.numPlaces);
  reach.firings.resize(static_cast<unsigned>(numFirings));
  reach.local = first.pre.size() == 1 && first.empty == noIndex &&
                first.marked == noIndex && first.orJoin == noIndex;
  SmallVector<uint32_t, 16> work;
  auto use = [&](uint32_t f) {
    if (reach.firings.test(f))
      return;
    reach.firings.set(f);
    const Firing &firing = net.firings[f];
    if (f != root)
      reach.local &= isLocal(firing);
    if (isStep(firing.kind))
      return;
    for (const Arc &arc : firing.post) {
      if (!reach.places.test(arc.place))
        work.push_back(arc.place);
      reach.places.set(arc.place);
    }
  };
  use(root);
  budget.spend((net.numPlaces + numFirings) /
               16); // the sets, and walks over them
  while (!work.empty() && !budget.stopped()) {
    uint32_t place = work.pop_back_val();
    budget.spend(1 + consumers[place].size());
    for (uint32_t f : consumers[place]) {
      use(f);
      const Firing &firing = net.firings[f];
      if (firing.endsIn == noIndex)
        continue;
      auto found = completionsOf.find(scopeKey(firing, firing.endsIn));
      if (found != completionsOf.end())
        for (uint32_t c : found->second)
          use(c);
    }
  }
  return reach;
}

/// The guards of \p firings are looked at where the token of \p root is.
void Deferral::addLook(uint32_t root, const llvm::BitVector &firings) {
  SmallVector<uint32_t, 4> guards;
  for (unsigned f : firings.set_bits())
    if (net.firings[f].guards)
      for (uint32_t guard : net.data->requirements(net.firings[f].guards))
        guards.push_back(guard | 1); // whichever it must be
  if (guards.empty())
    return;
  uint32_t place = net.firings[root].pre[0].place;
  auto same = llvm::find_if(
      looks, [&](const Look &look) { return look.place == place; });
  if (same == looks.end())
    same = looks.insert(same, {place, 0, net.firings[root].origin});
  llvm::append_range(guards, net.data->requirements(same->programs));
  same->programs = net.data->number(guards);
}

/// The places to which a token can come back.
llvm::BitVector Deferral::placesOnCycles() const {
  std::vector<SmallVector<uint32_t, 2>> next(net.numPlaces);
  auto lead = [&](uint32_t from, const Firing &firing) {
    for (const Arc &arc : firing.post)
      next[from].push_back(arc.place);
  };
  for (const Firing &firing : net.firings) {
    if (firing.stays)
      continue;
    for (const Arc &arc : firing.pre)
      lead(arc.place, firing);
    if (firing.orJoin != noIndex)
      for (uint32_t place : net.orJoins[firing.orJoin].incoming)
        lead(place, firing);
  }
  Components components = componentsOf(
      net.numPlaces, [](uint32_t) { return true; }, [](uint32_t) { return 0u; },
      [&](uint32_t p) { return static_cast<uint32_t>(next[p].size()); },
      [&](uint32_t p, uint32_t i) { return next[p][i]; });
  llvm::BitVector result(net.numPlaces);
  for (uint32_t p = 0; p < net.numPlaces; ++p)
    for (uint32_t to : next[p])
      if (components.of[to] == components.of[p])
        result.set(p);
  return result;
}

/// What a choice on a cycle has to know of the data. Late values are as good
/// as early ones up to a decision; but "it can always complete" is about what
/// the data are, not about what they might be. So a state of a cycle that data
/// keep in there must not stand for others that they let out:
///
/// - Of a choice whose guards exclude each other, the flow that is taken says
///   which guards are true. Where several may be, that is looked at first.
/// - A guard that reads several variables, of which only some get new values
///   in each round, would never say what the others are. So their values are
///   looked at, not only the truth of the guard.
///
/// From a state of which no run completes for some values v, follow one with v
/// that has met every choice that it can meet again and again. What is still
/// open there are variables that none of these choices reads, or that get new
/// values; so every valuation in the set does the same as v.
void Deferral::addChoiceLooks() {
  for (uint32_t place = 0; place < net.numPlaces; ++place) {
    SmallVector<uint32_t, 4> guards;
    bool isChoice = consumers[place].size() > 1 && onCycle.test(place);
    for (uint32_t f : consumers[place]) {
      const Firing &firing = net.firings[f];
      isChoice &= firing.kind == FiringKind::Gateway && firing.pre.size() == 1;
      if (firing.guards)
        for (uint32_t guard : net.data->requirements(firing.guards))
          guards.push_back(guard | 1); // whichever it must be
    }
    if (!isChoice || guards.empty())
      continue;
    uint32_t programs = net.data->number(guards);
    if (net.data->readsSeveral(programs) ||
        llvm::any_of(consumers[place], [&](uint32_t f) {
          return !net.data->settles(net.firings[f].guards, programs);
        }))
      looks.push_back(
          {place, programs, net.firings[consumers[place][0]].origin});
  }
}

/// Adds the places on which \p firing depends.
void Deferral::addNeeded(const Firing &firing, llvm::BitVector &places) const {
  for (const Arc &arc : firing.pre)
    places.set(arc.place);
  for (uint32_t set : {firing.empty, firing.marked, firing.clears})
    if (set != noIndex)
      for (uint32_t place : net.sets[set])
        places.set(place);
  if (firing.orJoin == noIndex)
    return;
  const OrJoin &join = net.orJoins[firing.orJoin];
  for (uint32_t place : join.incoming)
    places.set(place);
  for (const llvm::BitVector &before : join.before)
    places |= before;
}

void Deferral::classify(Budget &budget) {
  if (net.data) {
    onCycle = placesOnCycles();
    addChoiceLooks();
  }
  llvm::BitVector relevantSet(net.numPlaces), pending(net.numPlaces);
  llvm::BitVector lastSet(numFirings);
  for (size_t d = 0; d < numFirings; ++d) {
    const Firing &root = net.firings[d];
    if (root.kind != FiringKind::Deferred)
      continue;
    Reach reach = reachOf(d, budget);
    if (budget.stopped())
      return;
    addLook(d, reach.firings);
    if (reach.local) {
      localRoots.push_back(d);
      if (isChain(reach.firings))
        chains.set(static_cast<unsigned>(d));
      for (const Arc &arc : root.pre)
        mayVanish.set(arc.place);
      if (root.clears != noIndex) // `I [> 1` may end wherever I is
        for (uint32_t place : net.sets[root.clears])
          mayVanish.set(place);
      continue;
    }
    roots.push_back(d);
    relevantSet |= reach.places;
    for (unsigned f : reach.firings.set_bits()) {
      if (isStep(net.firings[f].kind))
        lastSet.set(f);
      addNeeded(net.firings[f], relevantSet);
    }
    for (const Arc &arc : root.pre)
      pending.set(arc.place);
  }
  for (unsigned place : relevantSet.set_bits())
    relevant.push_back(place);
  for (unsigned place : pending.set_bits())
    pendingPlaces.push_back(place);
  for (unsigned f : lastSet.set_bits())
    lastSteps.push_back(f);
  mayVanish |= relevantSet;
}

Deferral::Deferral(TokenNet &of, const Limits &within)
    : net(of), numFirings(of.firings.size()), limits(within) {
  mayVanish.resize(net.numPlaces);
  chains.resize(static_cast<unsigned>(numFirings));
  consumers.resize(net.numPlaces);
  for (size_t f = 0; f < numFirings; ++f) {
    const Firing &firing = net.firings[f];
    if (firing.never || firing.stays)
      continue;
    for (const Arc &arc : firing.pre)
      consumers[arc.place].push_back(f);
    if (firing.orJoin != noIndex)
      for (uint32_t place : net.orJoins[firing.orJoin].incoming)
        consumers[place].push_back(f);
    if (firing.completes != noIndex)
      completionsOf[scopeKey(firing, firing.completes)].push_back(f);
  }
  Budget budget(limits);
  classify(budget);
  if (budget.stopped()) {
    limit = budget.limit();
    gaveUp = true;
    return;
  }
  if (auto wide = llvm::find_if(
          net.firings, [](const Firing &f) { return f.split != noIndex; });
      wide != net.firings.end() && !(localRoots.empty() && roots.empty())) {
    limit = net.splits[wide->split].tooManyText(); // each is a way to a step
    gaveUp = true;
    return;
  }
  // Those that only need their own token: all their first steps, now.
  std::vector<uint32_t> only(net.numPlaces, 0);
  std::vector<Firing> found;
  for (uint32_t root : localRoots) {
    if (gaveUp)
      return;
    uint32_t place = net.firings[root].pre[0].place;
    found.clear();
    if (chains.test(root)) {
      unfoldChain(root, found, budget);
      if (budget.spend(net.numPlaces)) {
        limit = budget.limit();
        gaveUp = true;
      }
    } else {
      only[place] = 1;
      Unfolding unfolding(*this, only);
      if (!unfolding.run(root, found)) {
        limit = unfolding.limit();
        gaveUp = true;
      }
      only[place] = 0;
    }
    net.firings.insert(net.firings.end(), found.begin(), found.end());
  }
}

const std::vector<Firing> &Deferral::steps(const uint32_t *marking) const {
  SmallVector<uint32_t, 64> key;
  key.push_back(relevant.size()); // so that it is never empty
  for (uint32_t place : relevant)
    key.push_back(marking[place]);
  uint32_t number = keys.get(key);
  std::lock_guard<std::mutex> guard(lock);
  std::unique_ptr<std::vector<Firing>> &slot = known[number];
  if (!slot) {
    slot = std::make_unique<std::vector<Firing>>();
    std::vector<uint32_t> part(net.numPlaces, 0);
    for (uint32_t place : relevant)
      part[place] = marking[place];
    Unfolding unfolding(*this, part);
    if (!unfolding.run(roots, *slot)) {
      limit = unfolding.limit();
      gaveUp = true;
    }
  }
  return *slot;
}

/// Fires \p firing in \p next, which holds the tokens of taken branches apart,
/// after all others; \p whole has their sums. \p branched: a branch was taken
/// before. False: it cannot fire, or takes no token of a branch.
bool Deferral::fireApart(const Firing &firing, ArrayRef<uint32_t> whole,
                         bool branched, std::vector<uint32_t> &next) const {
  const size_t n = net.numPlaces;
  SmallVector<uint32_t, 4> taken;
  if (firing.orJoin != noIndex) {
    const OrJoin &join = net.orJoins[firing.orJoin];
    if (!net.joins(join, whole.data()))
      return false;
    for (uint32_t place : join.incoming)
      if (whole[place])
        taken.push_back(place);
  } else {
    for (const Arc &arc : firing.pre)
      taken.push_back(arc.place);
  }
  bool own = firing.kind == FiringKind::Deferred ||
             (firing.completes != noIndex && branched);
  for (uint32_t place : taken) {
    if (next[n + place]) {
      --next[n + place];
      own = true;
    } else if (next[place]) {
      --next[place];
    } else {
      return false;
    }
  }
  auto count = [&](uint32_t place) { return next[place] + next[n + place]; };
  if (!own ||
      (firing.empty != noIndex && llvm::any_of(net.sets[firing.empty], count)))
    return false;
  if (firing.marked != noIndex && llvm::none_of(net.sets[firing.marked], count))
    return false;
  if (firing.clears != noIndex)
    for (uint32_t place : net.sets[firing.clears])
      next[place] = next[n + place] = 0;
  for (const Arc &arc : firing.post)
    next[n + arc.place] += arc.count;
  return true;
}

bool Deferral::vanishes(const uint32_t *marking, uint32_t set) const {
  bool any = false;
  for (uint32_t place = 0; place < net.numPlaces; ++place) {
    if (!marking[place] || net.idle.test(place))
      continue;
    if (!mayVanish.test(place))
      return false;
    any = true;
  }
  if (!any)
    return true;
  // Markings with the tokens of taken branches apart; gateways fire where they
  // take one of these.
  using Pair = std::vector<uint32_t>;
  const size_t n = net.numPlaces;
  Pair start(marking, marking + n);
  start.resize(2 * n);
  std::set<Pair> seen{start};
  std::vector<Pair> work{start};
  Budget budget(limits);
  while (!work.empty()) {
    if (budget.spend(n + numFirings)) {
      std::lock_guard<std::mutex> guard(lock);
      limit = budget.limit();
      gaveUp = true;
      return false;
    }
    Pair now = std::move(work.back());
    work.pop_back();
    std::vector<uint32_t> whole(n);
    bool done = true;
    for (size_t p = 0; p < n; ++p) {
      whole[p] = now[p] + now[n + p];
      done &= !whole[p] || net.idle.test(p);
    }
    if (done)
      return true;
    if (seen.size() > 4096) {
      gaveUp = true;
      return false;
    }
    for (size_t f = 0; f < numFirings; ++f) {
      const Firing &firing = net.firings[f];
      if (isStep(firing.kind) || firing.stays ||
          (firing.orJoin == noIndex &&
           llvm::any_of(firing.pre,
                        [&](const Arc &arc) { return !whole[arc.place]; })) ||
          (firing.guards && !net.data->meets(set, firing.guards)))
        continue; // before anything is copied
      Pair next = now;
      if (fireApart(firing, whole, now != start, next) &&
          seen.insert(next).second)
        work.push_back(std::move(next));
    }
  }
  return false;
}
