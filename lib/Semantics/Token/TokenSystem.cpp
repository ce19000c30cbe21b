//===- TokenSystem.cpp - The steps of a net -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which steps are possible in a state, and where they lead.
///
//===----------------------------------------------------------------------===//

#include "TokenSystem.h"

using namespace cif;

/// Whether a firing that led to \p state broke a limit.
bool TokenSystem::exceeds(const Firing &firing, const uint32_t *state) const {
  if (limitOf.empty())
    return false;
  for (const Arc &arc : firing.post)
    if (state[arc.place] > limitOf[arc.place])
      return true;
  return options.limits.message != noBound && net.messagePlaces.empty() &&
         firing.kind == FiringKind::Send && firing.message != noIndex &&
         network->inTransit(state + net.numPlaces, firing.message) >
             options.limits.message;
}

bool TokenSystem::isEnabled(const Firing &firing, const uint32_t *state) const {
  for (const Arc &arc : firing.pre)
    if (state[arc.place] < arc.count)
      return false;
  if (firing.empty != noIndex)
    for (uint32_t place : net.sets[firing.empty])
      if (state[place])
        return false;
  if (firing.marked != noIndex &&
      llvm::none_of(net.sets[firing.marked],
                    [&](uint32_t place) { return state[place] != 0; }))
    return false;
  return firing.orJoin == noIndex ||
         net.joins(net.orJoins[firing.orJoin], state);
}

void TokenSystem::move(const Firing &firing, const uint32_t *state,
                       uint32_t *scratch) const {
  for (const Arc &arc : firing.pre)
    scratch[arc.place] -= arc.count;
  if (firing.orJoin != noIndex)
    for (uint32_t place : net.orJoins[firing.orJoin].incoming)
      if (state[place])
        --scratch[place];
  if (firing.clears != noIndex)
    for (uint32_t place : net.sets[firing.clears])
      scratch[place] = 0;
  for (const Arc &arc : firing.post)
    if (!net.marks.test(arc.place) || scratch[arc.place] < net.maxMark)
      scratch[arc.place] += arc.count;
}

void TokenSystem::moveBack(const Firing &firing, const uint32_t *state,
                           uint32_t *scratch) const {
  for (const Arc &arc : firing.pre)
    scratch[arc.place] = state[arc.place];
  for (const Arc &arc : firing.post)
    scratch[arc.place] = state[arc.place];
  if (firing.orJoin != noIndex)
    for (uint32_t place : net.orJoins[firing.orJoin].incoming)
      scratch[place] = state[place];
  if (firing.clears != noIndex)
    for (uint32_t place : net.sets[firing.clears])
      scratch[place] = state[place];
}

/// What is known of the data after a firing, or none: it cannot happen.
uint32_t TokenSystem::dataAfter(const Firing &firing, uint32_t set) const {
  uint32_t after = set;
  if (firing.guards && firing.waits) {
    if (!data->meets(set, firing.guards))
      return DataStates::none;
  } else if (firing.guards) {
    after = data->restrict(set, firing.guards);
    if (after == DataStates::none || (firing.stays && after == set))
      return DataStates::none;
  }
  return firing.action == noData ? after : data->apply(after, firing.action);
}

bool TokenSystem::takePlain(const Plain &plain, const uint32_t *state,
                            uint32_t *scratch, StepSink sink) const {
  for (uint32_t i = plain.delta; i < plain.deltaEnd; ++i)
    scratch[deltas[i].first] += deltas[i].second;
  bool goOn = sink({plain.label, plain.group, noGroup}, scratch);
  for (uint32_t i = plain.delta; i < plain.deltaEnd; ++i)
    scratch[deltas[i].first] = state[deltas[i].first];
  return goOn;
}

void TokenSystem::successors(const uint32_t *state, uint32_t *scratch,
                             StepSink sink) const {
  std::copy_n(state, numSlots, scratch);
  each(state, scratch, /*isForbidden=*/false, sink, [&](const Plain &plain) {
    return takePlain(plain, state, scratch, sink);
  });
}

/// Plain steps are told by their differences; of the others the slots that
/// their groups write are compared.
void TokenSystem::changes(const uint32_t *state, uint32_t *scratch,
                          ChangeSink sink) const {
  SmallVector<SlotChange, 64> changed, moved;
  moved.resize_for_overwrite(maxDeltas);
  SlotChange *const first = moved.data();
  const std::pair<uint32_t, int32_t> *const allDeltas = deltas.data();
  if (!allPlain)
    std::copy_n(state, numSlots, scratch);
  auto general = [&](const Step &step, const uint32_t *next) {
    changed.clear();
    auto compare = [&](GroupIndex g) {
      for (uint32_t slot : groupTable.ownWrites(g))
        if (next[slot] != state[slot])
          changed.push_back({slot, next[slot]});
    };
    if (!deferral->relevantPlaces().empty()) {
      // A step that was worked out on the fly may pass any place.
      for (uint32_t slot = 0; slot < numSlots; ++slot)
        if (next[slot] != state[slot])
          changed.push_back({slot, next[slot]});
      return sink(step, changed);
    }
    compare(step.group);
    if (step.partner != noGroup) {
      size_t own = changed.size();
      compare(step.partner);
      // A slot that both write is named once.
      size_t kept = own;
      for (size_t i = own; i < changed.size(); ++i)
        if (llvm::none_of(ArrayRef(changed).take_front(own),
                          [&](const SlotChange &other) {
                            return other.slot == changed[i].slot;
                          }))
          changed[kept++] = changed[i];
      changed.truncate(kept);
    }
    return sink(step, changed);
  };
  each(state, scratch, /*isForbidden=*/false, general, [&](const Plain &plain) {
    SlotChange *change = first;
    for (uint32_t i = plain.delta; i < plain.deltaEnd; ++i)
      *change++ = {allDeltas[i].first,
                   state[allDeltas[i].first] + allDeltas[i].second};
    return sink({plain.label, plain.group, noGroup}, ArrayRef(first, change));
  });
}

void TokenSystem::enabled(const uint32_t *state, uint32_t *scratch,
                          function_ref<void(GroupIndex)> visit) const {
  std::copy_n(state, numSlots, scratch);
  each(
      state, scratch, /*isForbidden=*/false,
      [&](const Step &step, const uint32_t *) {
        visit(step.group);
        return true;
      },
      [&](const Plain &plain) {
        visit(plain.group);
        return true;
      },
      /*taken=*/nullptr, /*once=*/true);
}

void TokenSystem::forbidden(const uint32_t *state, uint32_t *scratch,
                            StepSink sink) const {
  if (limitOf.empty())
    return;
  std::copy_n(state, numSlots, scratch);
  each(state, scratch, /*isForbidden=*/true, sink,
       [](const Plain &) { return true; });
}

/// Takes a firing that is enabled and no handshake, if network and data let it;
/// \p scratch is \p state. False: the sink has seen enough.
inline bool TokenSystem::takeAlone(const Firing &firing, const uint32_t *state,
                                   uint32_t *scratch, bool isForbidden,
                                   StepSink sink, Taken *taken) const {
  uint32_t *net0 = scratch + net.numPlaces;
  const bool moves = travels(firing);
  const bool looksAtData = data && (firing.guards || firing.action != noData);
  if (moves && !(firing.kind == FiringKind::Send
                     ? network->send(net0, firing.message)
                     : network->receive(net0, firing.message)))
    return true;
  bool goOn = true;
  uint32_t known = 0;
  if (looksAtData)
    known = scratch[dataSlot] = dataAfter(firing, state[dataSlot]);
  if (known != DataStates::none) {
    if (taken)
      taken->assign({&firing});
    move(firing, state, scratch);
    if (exceeds(firing, scratch) == isForbidden)
      goOn = sink({firing.label, firing.group, noGroup}, scratch);
    moveBack(firing, state, scratch);
  }
  if (looksAtData)
    scratch[dataSlot] = state[dataSlot];
  if (moves)
    std::copy_n(state + net.numPlaces, network->slots(), net0);
  return goOn;
}

/// How many ways of a split are taken. They lead to different states, and runs
/// through them to many more: where there is no hope that they fit, not all are
/// tried.
uint64_t TokenSystem::mostWays() const {
  constexpr uint64_t statesOfWay = 64, always = 4096;
  const uint64_t states = options.runLimits.maxStates;
  return states ? std::max(states / statesOfWay, std::min(states, always))
                : uint64_t(1) << 24;
}

bool TokenSystem::mayLackSteps(const uint32_t *state) const {
  return llvm::any_of(net.firings, [&](const Firing &firing) {
    return firing.split != noIndex &&
           (net.splits[firing.split].flows > 62 ||
            uint64_t(1) << net.splits[firing.split].flows > mostWays()) &&
           isEnabled(firing, state);
  });
}

/// Takes a split in some ways: with all flows, all but one, any two.
bool TokenSystem::takeSome(const Firing &firing, const uint32_t *state,
                           uint32_t *scratch, bool isForbidden,
                           StepSink sink) const {
  const Split &split = net.splits[firing.split];
  Firing way = firing;
  way.split = noIndex;
  // \p isTaken by flow.
  auto take = [&](auto isTaken) {
    uint32_t known = data ? state[dataSlot] : 0;
    way.post.truncate(split.always);
    for (uint32_t i = 0; i < split.flows; ++i) {
      if (isTaken(i))
        way.post.push_back(firing.post[split.always + i]);
      const auto &guards = isTaken(i) ? split.whenTaken : split.whenLeft;
      if (data && !guards.empty() && guards[i] && known != DataStates::none)
        known = data->restrict(known, guards[i]);
    }
    if (data && known == DataStates::none)
      return true;
    if (data)
      scratch[dataSlot] = known;
    bool goOn = takeAlone(way, state, scratch, isForbidden, sink, nullptr);
    if (data)
      scratch[dataSlot] = state[dataSlot];
    return goOn;
  };
  uint64_t ways = 0;
  auto mayGoOn = [&] { return ++ways <= mostWays(); };
  bool goOn = take([](uint32_t) { return true; });
  for (uint32_t left = 0; left < split.flows && goOn && mayGoOn(); ++left)
    goOn = take([&](uint32_t i) { return i != left; });
  for (uint32_t a = 0; a < split.flows && goOn; ++a)
    for (uint32_t b = a + 1; b < split.flows && goOn && mayGoOn(); ++b)
      goOn = take([&](uint32_t i) { return i == a || i == b; });
  return goOn;
}

/// Takes a split in each way, that is, with any two or more of its flows; where
/// guards look at data, with those that are true. Where these are too many, in
/// some.
bool TokenSystem::takeSplit(const Firing &firing, const uint32_t *state,
                            uint32_t *scratch, bool isForbidden, StepSink sink,
                            bool once) const {
  const Split &split = net.splits[firing.split];
  const uint64_t most = mostWays();
  const size_t freely = split.whenTaken.empty() || !data
                            ? split.flows
                            : llvm::count(split.whenTaken, 0u);
  if (!once && (freely > 62 || uint64_t(1) << freely > most)) {
    tooWide = firing.split;
    return takeSome(firing, state, scratch, isForbidden, sink);
  }
  enum Choice : uint8_t { Open, Taken, Left };
  std::vector<Choice> choices(split.flows, Open);
  std::vector<uint32_t> known(split.flows + 1, data ? state[dataSlot] : 0);
  Firing way = firing;
  way.split = noIndex;
  way.post.truncate(split.always);
  uint64_t number = 0;
  bool goOn = true;
  // One flow after the other; \c at is the one to be decided.
  for (size_t at = 0; goOn;) {
    if (at == split.flows) {
      if (way.post.size() >= split.always + 2) {
        // Of one way, too, many may be forbidden before it is found.
        if (++number > most) {
          tooWide = firing.split;
          return true;
        }
        if (data)
          scratch[dataSlot] = known[at];
        bool isTaken = false;
        auto take = [&](const Step &step, const uint32_t *next) {
          isTaken = true;
          return sink(step, next);
        };
        goOn = takeAlone(way, state, scratch, isForbidden, take, nullptr);
        if (data)
          scratch[dataSlot] = state[dataSlot];
        if (once && isTaken)
          return goOn;
      }
    } else if (choices[at] != Left) {
      if (choices[at] == Taken)
        way.post.pop_back();
      choices[at] = choices[at] == Open ? Taken : Left;
      if (choices[at] == Taken)
        way.post.push_back(firing.post[split.always + at]);
      known[at + 1] = known[at];
      const auto &guards =
          choices[at] == Taken ? split.whenTaken : split.whenLeft;
      if (data && !guards.empty() && guards[at])
        known[at + 1] = data->restrict(known[at], guards[at]);
      if (known[at + 1] != DataStates::none || !data)
        ++at;
      continue;
    } else {
      choices[at] = Open;
    }
    if (at-- == 0)
      break;
  }
  return goOn;
}

template <class PlainSink>
void TokenSystem::each(const uint32_t *state, uint32_t *scratch,
                       bool isForbidden, StepSink sink, PlainSink plain,
                       Taken *taken, bool once) const {
  SmallVector<const Firing *, 16> sends, receptions;
  bool goOn = true;
  auto take = [&](const Firing &firing) {
    if (firing.split != noIndex)
      goOn = takeSplit(firing, state, scratch, isForbidden, sink, once);
    else if (!sync || !travels(firing))
      goOn = takeAlone(firing, state, scratch, isForbidden, sink, taken);
    else if (mayShake(firing, state))
      (firing.kind == FiringKind::Send ? sends : receptions).push_back(&firing);
  };
  const Arc *const allNeeds = needs.data();
  const uint32_t *const tries = triggers.data();
  const uint32_t *const begins = triggerBegin.data();
  const Plain *const plains = plainOf.data();
  for (uint32_t place = 0; place < net.numPlaces; ++place) {
    if (!state[place])
      continue;
    for (uint32_t i = begins[place], end = begins[place + 1]; i < end; ++i) {
      const Plain &simple = plains[tries[i]];
      if (simple.is) {
        bool enabled = true;
        for (uint32_t k = simple.need; k < simple.needEnd && enabled; ++k)
          enabled = state[allNeeds[k].place] >= allNeeds[k].count;
        if (enabled && !plain(simple))
          return;
        continue;
      }
      const Firing &firing = net.firings[tries[i]];
      if (firing.orJoin != noIndex) {
        // Once, at the first of its flows that is marked.
        const OrJoin &join = net.orJoins[firing.orJoin];
        if (*llvm::find_if(join.incoming,
                           [&](uint32_t p) { return state[p] != 0; }) != place)
          continue;
      }
      if (!isEnabled(firing, state))
        continue;
      take(firing);
      if (!goOn)
        return;
    }
  }
  if (deferral->isPending(state))
    for (const Firing &firing : deferral->steps(state)) {
      take(firing);
      if (!goOn)
        return;
    }
  if (taken)
    taken->clear();
  if (isForbidden || (!deferral->looks.empty() && !looks(state, scratch, sink)))
    return;
  if (!sends.empty())
    handshakes(state, scratch, sends, receptions, sink, taken);
}

void TokenSystem::successorsOf(GroupIndex group, const uint32_t *state,
                               uint32_t *scratch, StepSink sink) const {
  const uint32_t number = firingOf[group];
  // What is worked out on the fly may be a partner, too.
  if (number == noIndex || (sync && deferral->isPending(state)))
    return System::successorsOf(group, state, scratch, sink);
  const Firing &firing = net.firings[number];
  if (!isEnabled(firing, state))
    return;
  std::copy_n(state, numSlots, scratch);
  if (firing.split != noIndex) {
    takeSplit(firing, state, scratch, /*isForbidden=*/false, sink,
              /*once=*/false);
    return;
  }
  if (!sync || !travels(firing)) {
    takeAlone(firing, state, scratch, /*isForbidden=*/false, sink, nullptr);
    return;
  }
  if (firing.kind != FiringKind::Send || !mayShake(firing, state))
    return;
  SmallVector<const Firing *, 16> receptions;
  for (uint32_t f : receptionsOf[firing.message])
    if (isEnabled(net.firings[f], state) && mayShake(net.firings[f], state))
      receptions.push_back(&net.firings[f]);
  handshakes(state, scratch, &firing, receptions, sink, nullptr);
}

void TokenSystem::workedOut(const uint32_t *state, uint32_t *scratch,
                            MeaningSink sink) const {
  if (!deferral->isPending(state))
    return;
  std::copy_n(state, numSlots, scratch);
  const std::vector<Firing> &now = deferral->steps(state);
  Taken taken;
  each(
      state, scratch, /*isForbidden=*/false,
      [&](const Step &step, const uint32_t *to) {
        for (const Firing *firing : taken)
          if (firing >= now.data() && firing < now.data() + now.size())
            sink(step, to, firing->info);
        return true;
      },
      [](const Plain &) { return true; }, &taken);
}

/// What may be found out about the data where a choice waits.
bool TokenSystem::looks(const uint32_t *state, uint32_t *scratch,
                        StepSink sink) const {
  for (const Deferral::Look &look : deferral->looks) {
    if (!state[look.place])
      continue;
    auto parts = data->split(state[dataSlot], look.programs,
                             deferral->onCycle.test(look.place));
    if (parts.size() < 2)
      continue;
    for (auto [truths, part] : parts) {
      scratch[dataSlot] = part;
      GroupIndex group = look.group + truths % look.numGroups;
      if (!sink({tauLabel, group, noGroup}, scratch))
        return false;
    }
    scratch[dataSlot] = state[dataSlot];
  }
  return true;
}

/// Handshakes: in the order of sends, then of receptions.
bool TokenSystem::handshakes(const uint32_t *state, uint32_t *scratch,
                             ArrayRef<const Firing *> sends,
                             ArrayRef<const Firing *> receptions, StepSink sink,
                             Taken *taken) const {
  bool goOn = true;
  for (const Firing *from : sends)
    for (const Firing *to : receptions) {
      if (from->message != to->message)
        continue;
      // One token cannot do both; participants have places of their own.
      move(*from, state, scratch);
      bool fits = isEnabled(*to, scratch);
      if (fits) {
        move(*to, scratch, scratch);
        uint32_t known = 0;
        for (const Firing *end : {from, to})
          if (data && end->action != noData && known != DataStates::none)
            known = scratch[dataSlot] =
                data->apply(scratch[dataSlot], end->action);
        if (taken)
          taken->assign({from, to});
        if (known != DataStates::none && !exceeds(*from, scratch) &&
            !exceeds(*to, scratch))
          goOn = sink({from->label, from->group, to->group}, scratch);
      }
      std::copy_n(state, numSlots, scratch);
      if (!goOn)
        return false;
    }
  return true;
}

std::unique_ptr<CollaborationSystem> cif::makeTokenSystem(
    TokenNet net, std::unique_ptr<Network> network, std::vector<Label> labels,
    std::vector<std::string> abstractions, TokenSystemOptions options) {
  return std::make_unique<TokenSystem>(
      std::move(net), std::move(network), std::move(labels),
      std::move(abstractions), std::move(options));
}
