//===- Reduction.cpp - Fewer orders of independent steps ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: [valmari1991], strong stubborn sets, for nets with inclusive
/// joins, places that are emptied or tested for being empty, and messages in
/// transit under any network.
///
/// In each state a set T of steps, at least one of them enabled, is determined
/// such that
///  - for a disabled step of T, something that it lacks is chosen, and all
///    steps that could provide it are in T: those that put tokens on an input
///    place; that send the message, or receive the one before it; that take
///    tokens from a place that has to be empty; for an inclusive join that
///    waits for a token, those that take it from its place or put one on an
///    incoming flow to which it leads;
///  - for an enabled step t of T, all steps are in T that could disable it,
///    that it could disable, or of which the effect depends on whether they
///    come before or after t: those that take from the places that t takes
///    from; that empty places which t changes, or change those which t empties;
///    that test what t changes; that receive the same message, or send into the
///    same queue. A reception needs no send into its queue, nor a send a
///    reception: one changes the head of a queue that is not empty, the other
///    its end.
/// Only the enabled steps of T are taken. Then steps outside T neither disable
/// nor enable those in T, nor vice versa, and commute with them. In addition,
/// for each flow p imagine a step that two tokens on p enable and that changes
/// nothing; it is in T if a step that takes from p is.
///
/// A step that is left out stays enabled until it is in T. By expandIgnored, in
/// each component of the reduced system that nothing leaves, every enabled step
/// is taken in some state. So from each state, for each enabled step, there is
/// a run of the reduced system to where that step is in T.
///
/// What is preserved if the reduced system is finite:
///  (1) the states without steps, with shortest runs to them: a run to one has
///      a step of T, as T cannot become disabled from outside; the first such
///      can be taken first, and the rest of the run follows by induction.
///  (2) For each run from a state of the reduced system there is one of the
///      reduced system from the same state that has all of its steps and leads
///      to a state that can be reached from where the first ends. If a step of
///      the run is in T, the first such can be taken first, and the rest is
///      shorter. Otherwise any enabled step of T can be taken first, and the
///      run is still possible after it; on the way to where the run's first
///      step is in T this comes to an end.
///  (3) Hence: whether a step can be taken at all, the added ones included, so
///      that two tokens on a flow are not missed; and how often, up to some
///      number, a step is taken on some run.
///  (4) Whether there is a state from which no complete state can be reached.
///      If there is one, (2) leads from it to a state of the reduced system,
///      from which no complete state can be reached either. If the reduced
///      system has one, it has a component that nothing leaves, without
///      complete states. Suppose that a complete state c could be reached from
///      a state of the component. By
///      (2) some state of the component can be reached from c. A process starts
///      once and its permit never comes back, so no process starts within the
///      component, nor on the way there through c. But where all processes that
///      have started are complete and none starts, they stay so: that state of
///      the component is complete as well. The same for states from which
///      neither a complete state nor one without steps can be reached, with
///      (1).
///  (5) If the reduced system has no cycle: that no run is infinite, hence that
///      the states are finitely many: an infinite run without a step of T can
///      be preceded by an enabled one of T; one with a step of T by that.
/// If it has a cycle, nothing follows about whether there are finitely many
/// states.
///
//===----------------------------------------------------------------------===//

#include "cif/Explore/Reduction.h"

using namespace cif;

ReducedSystem::ReducedSystem(const CollaborationSystem &of, StepNet with,
                             bool fuse)
    : WrappedSystem(of), net(std::move(with)), passed(of.width()) {
  index();
  for (const CollaborationFlow &flow : of.flows())
    observed[flow.slot] = true;
  if (fuse)
    findPassed();
  // Growth is told from a run, which exchanges would tear apart.
  if (fuse && of.isBounded())
    symmetry = InstanceSymmetry(of, net);
}

void ReducedSystem::index() {
  producers.resize(numSlots);
  consumers.resize(numSlots);
  setsOf.resize(numSlots);
  joinsOf.resize(numSlots);
  observed.resize(numSlots);
  for (auto *lists : {&clearers, &emptyTesters, &markTesters})
    lists->resize(net.sets.size());
  ofJoin.resize(net.joins.size());
  senders.resize(net.queueOf.size());
  receivers.resize(net.queueOf.size());
  for (uint32_t m = 0; m < net.queueOf.size(); ++m) {
    if (inQueue.size() <= net.queueOf[m])
      inQueue.resize(net.queueOf[m] + 1);
    inQueue[net.queueOf[m]].push_back(m);
  }
  for (GroupIndex g = 0; g < net.steps.size(); ++g) {
    const StepNet::Step &step = net.steps[g];
    for (const StepNet::Arc &arc : step.pre)
      consumers[arc.place].push_back(g);
    for (const StepNet::Arc &arc : step.post)
      producers[arc.place].push_back(g);
    if (step.clears != noneOf)
      clearers[step.clears].push_back(g);
    if (step.empty != noneOf)
      emptyTesters[step.empty].push_back(g);
    if (step.marked != noneOf)
      markTesters[step.marked].push_back(g);
    if (step.join != noneOf)
      ofJoin[step.join].push_back(g);
    if (step.message != noneOf)
      (step.sends ? senders : receivers)[step.message].push_back(g);
    if (step.usesData)
      ofData.push_back(g);
  }
  for (uint32_t set = 0; set < net.sets.size(); ++set)
    if (!clearers[set].empty() || !emptyTesters[set].empty() ||
        !markTesters[set].empty())
      for (uint32_t place : net.sets[set])
        setsOf[place].push_back(set);
  for (uint32_t join = 0; join < net.joins.size(); ++join)
    for (uint32_t place : net.joins[join].watched)
      joinsOf[place].push_back(join);
}

/// A stubborn set that grows from one step.
class ReducedSystem::Closure {
public:
  Closure(const ReducedSystem &of, const uint32_t *in,
          const std::vector<bool> &enabledGroups)
      : r(of), state(in), enabled(enabledGroups), member(enabledGroups.size()),
        taken(of.numSlots), given(of.numSlots), queued(of.inQueue.size()) {}

  /// The smallest closed set with \p seed that the choices here lead to; false:
  /// it has \p most enabled steps or more.
  bool grow(GroupIndex seed, size_t most) {
    member.reset();
    taken.reset();
    given.reset();
    queued.reset();
    hasData = false;
    numEnabled = 0;
    work.clear();
    add(seed);
    while (!work.empty()) {
      if (numEnabled >= most)
        return false;
      GroupIndex g = work.pop_back_val();
      if (enabled[g])
        addDependent(r.net.steps[g]);
      else
        addEnabling(r.net.steps[g]);
    }
    return numEnabled < most;
  }
  void members(std::vector<bool> &chosen) const {
    chosen.assign(enabled.size(), false);
    for (unsigned g : member.set_bits())
      chosen[g] = true;
  }
  size_t numEnabled = 0;

private:
  void add(GroupIndex g) {
    if (member.test(g))
      return;
    member.set(g);
    numEnabled += enabled[g];
    work.push_back(g);
  }
  void addAll(const Groups &groups) {
    for (GroupIndex g : groups)
      add(g);
  }
  void addTakers(uint32_t place);
  void take(uint32_t place);
  void give(uint32_t place);
  void addDependent(const StepNet::Step &step);
  void addOfQueue(const StepNet::Step &step);
  void addEnabling(const StepNet::Step &step);
  bool addTransit(const StepNet::Step &step);
  bool addTested(const StepNet::Step &step);
  bool addAwaited(const StepNet::Join &join);
  void addJoined(const StepNet::Join &join);

  const ReducedSystem &r;
  const uint32_t *state;
  const std::vector<bool> &enabled; ///< by group
  llvm::BitVector member;
  llvm::BitVector taken, given; ///< places that were dealt with
  llvm::BitVector queued;       ///< queues, likewise
  bool hasData = false;
  SmallVector<GroupIndex, 32> work;
};

/// Whatever may take a token from \p place.
void ReducedSystem::Closure::addTakers(uint32_t place) {
  addAll(r.consumers[place]);
  for (uint32_t set : r.setsOf[place])
    addAll(r.clearers[set]);
  for (uint32_t join : r.joinsOf[place])
    addAll(r.ofJoin[join]);
}

/// An enabled step of the set takes tokens from \p place.
void ReducedSystem::Closure::take(uint32_t place) {
  if (taken.test(place))
    return;
  taken.set(place);
  addTakers(place);
  for (uint32_t set : r.setsOf[place])
    addAll(r.markTesters[set]);
  // Two tokens there: enabled already, or lacking one.
  if (r.observed[place] && state[place] <= 1)
    addAll(r.producers[place]);
}

/// An enabled step of the set puts tokens on \p place.
void ReducedSystem::Closure::give(uint32_t place) {
  if (given.test(place))
    return;
  given.set(place);
  for (uint32_t set : r.setsOf[place]) {
    addAll(r.clearers[set]);
    addAll(r.emptyTesters[set]);
  }
  for (uint32_t join : r.joinsOf[place])
    addAll(r.ofJoin[join]);
}

/// Whatever an enabled step must not be separated from.
void ReducedSystem::Closure::addDependent(const StepNet::Step &step) {
  for (const StepNet::Arc &arc : step.pre)
    take(arc.place);
  for (const StepNet::Arc &arc : step.post)
    give(arc.place);
  if (step.clears != noneOf)
    for (uint32_t place : r.net.sets[step.clears]) {
      take(place);
      addAll(r.producers[place]);
    }
  if (step.empty != noneOf)
    for (uint32_t place : r.net.sets[step.empty])
      addAll(r.producers[place]);
  if (step.marked != noneOf)
    for (uint32_t place : r.net.sets[step.marked])
      addTakers(place);
  if (step.join != noneOf) {
    addJoined(r.net.joins[step.join]);
    for (uint32_t place : r.net.joins[step.join].incoming)
      take(place);
  }
  if (step.usesData && !hasData) {
    hasData = true;
    addAll(r.ofData);
  }
  if (step.message != noneOf)
    addOfQueue(step);
}

void ReducedSystem::Closure::addOfQueue(const StepNet::Step &step) {
  const uint32_t queue = r.net.queueOf[step.message];
  if (!step.sends)
    addAll(r.receivers[step.message]);
  if (r.net.order == StepNet::Order::None || queued.test(queue) ||
      (!step.sends && r.net.order != StepNet::Order::Other))
    return;
  queued.set(queue);
  for (uint32_t m : r.inQueue[queue]) {
    addAll(r.senders[m]);
    if (r.net.order == StepNet::Order::Other)
      addAll(r.receivers[m]);
  }
}

/// Whatever changes a place that an inclusive join watches.
void ReducedSystem::Closure::addJoined(const StepNet::Join &join) {
  for (uint32_t place : join.watched) {
    addTakers(place);
    addAll(r.producers[place]);
  }
}

/// Steps of which one has to be taken before \p step is enabled.
void ReducedSystem::Closure::addEnabling(const StepNet::Step &step) {
  const StepNet::Arc *best = nullptr;
  for (const StepNet::Arc &arc : step.pre)
    if (state[arc.place] < arc.count &&
        (!best ||
         r.producers[arc.place].size() < r.producers[best->place].size()))
      best = &arc;
  if (best) {
    addAll(r.producers[best->place]);
    return;
  }
  if (addTransit(step) || addTested(step))
    return;
  if (step.usesData) {
    addAll(r.ofData);
    return;
  }
  // It lacks what was not thought of: whatever writes what it reads.
  for (GroupIndex g = 0; g < enabled.size(); ++g)
    add(g);
}

/// The same where the network does not allow it; false: that is not so.
bool ReducedSystem::Closure::addTransit(const StepNet::Step &step) {
  if (step.message == noneOf)
    return false;
  const std::vector<uint32_t> &mates = r.inQueue[r.net.queueOf[step.message]];
  if (r.net.order == StepNet::Order::Other) {
    for (uint32_t m : mates) {
      addAll(r.senders[m]);
      addAll(r.receivers[m]);
    }
    return true;
  }
  if (step.sends) {
    bool waits = false;
    for (uint32_t m : mates)
      if (r.net.order == StepNet::Order::Single &&
          r.system.inTransit(state, m)) {
        addAll(r.receivers[m]);
        waits = true;
      }
    return waits;
  }
  uint32_t first = r.system.heldUpBy(state, step.message);
  if (first != noneOf)
    addAll(r.receivers[first]);
  else if (!r.system.inTransit(state, step.message))
    addAll(r.senders[step.message]);
  else
    return false;
  return true;
}

/// The same where places that it tests do not allow it.
bool ReducedSystem::Closure::addTested(const StepNet::Step &step) {
  auto isMarked = [&](uint32_t place) { return state[place] != 0; };
  if (step.empty != noneOf) {
    const std::vector<uint32_t> &set = r.net.sets[step.empty];
    if (auto at = llvm::find_if(set, isMarked); at != set.end()) {
      addTakers(*at);
      return true;
    }
  }
  if (step.marked != noneOf &&
      llvm::none_of(r.net.sets[step.marked], isMarked)) {
    for (uint32_t place : r.net.sets[step.marked])
      addAll(r.producers[place]);
    return true;
  }
  if (step.join == noneOf)
    return false;
  const StepNet::Join &join = r.net.joins[step.join];
  if (addAwaited(join))
    return true;
  if (llvm::any_of(join.incoming, isMarked))
    addJoined(join);
  else
    for (uint32_t place : join.incoming)
      addAll(r.producers[place]);
  return true;
}

/// The same for an inclusive join that waits for a token: that token has to
/// leave its place, or another has to come to a flow to which it leads, so that
/// it is no longer waited for. False: it waits for none.
bool ReducedSystem::Closure::addAwaited(const StepNet::Join &join) {
  auto isMarked = [&](uint32_t place) { return state[place] != 0; };
  size_t best = join.watched.size();
  for (size_t i = 0; i < join.watched.size(); ++i) {
    const uint32_t place = join.watched[i];
    if (!isMarked(place) || llvm::all_of(join.leadsTo[i], isMarked) ||
        llvm::any_of(join.movesTo[i], isMarked))
      continue;
    if (best == join.watched.size() || taken.test(place))
      best = i;
    if (taken.test(place)) // what takes from it is in the set already
      break;
  }
  if (best == join.watched.size())
    return false;
  addTakers(join.watched[best]);
  for (uint32_t place : join.leadsTo[best])
    addAll(r.producers[place]);
  return true;
}

/// Which steps are to be taken; false: all of them.
bool ReducedSystem::chooses(const uint32_t *state, uint32_t *scratch,
                            std::vector<bool> &chosen) const {
  constexpr unsigned mostTries = 8;
  std::vector<bool> enabled(net.steps.size());
  SmallVector<GroupIndex, 16> seeds;
  system.enabled(state, scratch, [&](GroupIndex group) {
    if (!enabled[group])
      seeds.push_back(group);
    enabled[group] = true;
  });
  if (seeds.size() < 2 || whole.contains(state, numSlots))
    return false;
  Closure closure(*this, state, enabled);
  size_t fewest = seeds.size();
  bool found = false;
  for (size_t i = 0; i < std::min<size_t>(seeds.size(), mostTries); ++i) {
    if (!closure.grow(seeds[i], fewest))
      continue;
    fewest = closure.numEnabled;
    closure.members(chosen);
    found = true;
    if (fewest == 1)
      break;
  }
  return found;
}

void ReducedSystem::successors(const uint32_t *state, uint32_t *scratch,
                               StepSink sink) const {
  std::vector<uint32_t> next(state, state + numSlots);
  changes(state, scratch, [&](const Step &step, ArrayRef<SlotChange> changed) {
    for (const SlotChange &change : changed)
      next[change.slot] = change.value;
    const bool goesOn = sink(step, next.data());
    for (const SlotChange &change : changed)
      next[change.slot] = state[change.slot];
    return goesOn;
  });
}

void ReducedSystem::changes(const uint32_t *state, uint32_t *scratch,
                            ChangeSink sink) const {
  std::vector<bool> chosen;
  const bool some = chooses(state, scratch, chosen);
  auto represent = [&](const Step &step, ArrayRef<SlotChange> changed) {
    SmallVector<SlotChange, 16> all(changed.begin(), changed.end());
    symmetry.represent(state, all);
    return sink(step, all);
  };
  const ChangeSink last = symmetry.any() ? ChangeSink(represent) : sink;
  system.changes(state, scratch,
                 [&](const Step &step, ArrayRef<SlotChange> changed) {
                   if (some && !chosen[step.group])
                     return true;
                   return passed.any() && !passedBy[step.group].empty()
                              ? passOn(step, state, changed, last)
                              : last(step, changed);
                 });
}
