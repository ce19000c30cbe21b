//===- Reduction.cpp - Fewer orders of independent steps ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: [valmari1991], stubborn sets of place/transition nets.
///
/// In each state a set T of transitions with an enabled one is found such that
///  - for a disabled transition of T, some input place lacks tokens and all
///    transitions that put tokens there are in T;
///  - for an enabled transition of T, all transitions that take tokens from one
///    of its input places are in T.
/// Only the enabled transitions of T are taken. Then transitions outside of T
/// neither disable nor enable those in T, and commute with them. Besides, for
/// each flow p think of a transition that is enabled by two tokens on p and
/// changes nothing; it is in T when one that takes from p is.
///
/// What stays the same where the reduced system is finite and has no cycle:
///  - the states without steps, and shortest runs to them: a run to one has a
///    transition of T, as T cannot become disabled from outside; the first such
///    can be taken first, and the rest of the run follows by induction;
///  - that there is no run without end, hence that the states are finitely
///    many: an infinite run without a transition of T can be preceded by an
///    enabled one of T; one with a transition of T by that;
///  - whether a transition can be taken at all, the added ones included: what
///    is enabled stays enabled until it is in T, and every run of the reduced
///    system ends where nothing is enabled, so it comes into T; a run to the
///    transition thus becomes shorter step by step, as above. So two tokens on
///    a flow are not missed;
///  - for each run there is one of the reduced system with all of its
///    transitions and some more.
/// Cycles would need a condition on components so that no step is put off for
/// ever; there the reduction is not used.
///
//===----------------------------------------------------------------------===//

#include "cif/Explore/Reduction.h"
#include "llvm/ADT/BitVector.h"

using namespace cif;

bool cif::isAcyclic(const PetriNet &net) {
  // Kahn's algorithm on transitions; a place that is only looked at is no way.
  const size_t places = net.initial.size(), number = net.transitions.size();
  auto counts = [](ArrayRef<PetriNet::Arc> arcs, uint32_t place) {
    for (const PetriNet::Arc &arc : arcs)
      if (arc.place == place)
        return arc.count;
    return 0u;
  };
  std::vector<SmallVector<uint32_t, 2>> takers(places);
  std::vector<uint32_t> waits(places), left(number);
  for (uint32_t t = 0; t < number; ++t) {
    const PetriNet::Transition &transition = net.transitions[t];
    for (const PetriNet::Arc &arc : transition.pre) {
      uint32_t back = counts(transition.post, arc.place);
      if (back > arc.count)
        return false; // it adds to what it needs
      if (back == arc.count)
        continue;
      if (back)
        return false;
      takers[arc.place].push_back(t);
      ++left[t];
    }
    for (const PetriNet::Arc &arc : transition.post)
      if (!counts(transition.pre, arc.place))
        ++waits[arc.place];
  }
  std::vector<uint32_t> work;
  size_t done = 0;
  auto settle = [&](uint32_t place) {
    for (uint32_t t : takers[place])
      if (--left[t] == 0)
        work.push_back(t);
  };
  for (uint32_t t = 0; t < number; ++t) {
    // Without an input that it takes from, it could go on for ever.
    if (left[t] == 0)
      return false;
  }
  for (uint32_t p = 0; p < places; ++p)
    if (!waits[p])
      settle(p);
  while (!work.empty()) {
    uint32_t t = work.back();
    work.pop_back();
    ++done;
    const PetriNet::Transition &transition = net.transitions[t];
    for (const PetriNet::Arc &arc : transition.post)
      if (!counts(transition.pre, arc.place) && --waits[arc.place] == 0)
        settle(arc.place);
  }
  return done == number;
}

ReducedSystem::ReducedSystem(const CollaborationSystem &of,
                             const PetriNet &with)
    : system(of), net(with), producers(with.initial.size()),
      consumers(with.initial.size()), ofGroup(of.groups().size()),
      observed(with.initial.size()) {
  numSlots = of.width();
  labelTable = of.labels();
  groupTable = of.groups();
  abstractionTexts = of.abstractions();
  for (uint32_t t = 0; t < net.transitions.size(); ++t) {
    const PetriNet::Transition &transition = net.transitions[t];
    ofGroup[transition.group].push_back(t);
    for (const PetriNet::Arc &arc : transition.pre)
      consumers[arc.place].push_back(t);
    for (const PetriNet::Arc &arc : transition.post)
      producers[arc.place].push_back(t);
  }
  for (const CollaborationFlow &flow : of.flows())
    observed[flow.slot] = true;
}

/// A stubborn set that grows from one transition.
class ReducedSystem::Closure {
public:
  Closure(const ReducedSystem &of, const uint32_t *in)
      : r(of), state(in), member(of.net.transitions.size()),
        watched(of.net.initial.size()) {}

  /// The smallest closed set with \p seed that the choices here lead to.
  void grow(uint32_t seed) {
    member.reset();
    watched.reset();
    enabled = 0;
    add(seed);
    while (!work.empty()) {
      uint32_t t = work.pop_back_val();
      // Steps are told apart by their group.
      for (uint32_t other : r.ofGroup[r.net.transitions[t].group])
        add(other);
      const PetriNet::Transition &transition = r.net.transitions[t];
      uint32_t lacking = lackingPlace(transition);
      if (lacking != UINT32_MAX) {
        for (uint32_t other : r.producers[lacking])
          add(other);
        continue;
      }
      ++enabled;
      for (const PetriNet::Arc &arc : transition.pre) {
        for (uint32_t other : r.consumers[arc.place])
          add(other);
        // Two tokens there: enabled already, or lacking one.
        if (r.observed[arc.place] && !watched.test(arc.place)) {
          watched.set(arc.place);
          const auto &others = state[arc.place] > 1 ? r.consumers[arc.place]
                                                    : r.producers[arc.place];
          for (uint32_t other : others)
            add(other);
        }
      }
    }
  }
  size_t numEnabled() const { return enabled; }
  const llvm::BitVector &members() const { return member; }
  bool isEnabled(uint32_t t) const {
    return lackingPlace(r.net.transitions[t]) == UINT32_MAX;
  }

private:
  void add(uint32_t t) {
    if (member.test(t))
      return;
    member.set(t);
    work.push_back(t);
  }
  /// An input place without enough tokens, one with few producers.
  uint32_t lackingPlace(const PetriNet::Transition &transition) const {
    uint32_t best = UINT32_MAX;
    for (const PetriNet::Arc &arc : transition.pre)
      if (state[arc.place] < arc.count &&
          (best == UINT32_MAX ||
           r.producers[arc.place].size() < r.producers[best].size()))
        best = arc.place;
    return best;
  }

  const ReducedSystem &r;
  const uint32_t *state;
  llvm::BitVector member, watched;
  SmallVector<uint32_t, 32> work;
  size_t enabled = 0;
};

void ReducedSystem::successors(const uint32_t *state, uint32_t *scratch,
                               StepSink sink) const {
  Closure closure(*this, state);
  llvm::BitVector best;
  size_t fewest = SIZE_MAX;
  unsigned tries = 0;
  for (uint32_t t = 0; t < net.transitions.size() && fewest > 1; ++t) {
    if (!closure.isEnabled(t))
      continue;
    if (++tries > 8)
      break;
    closure.grow(t);
    if (closure.numEnabled() < fewest) {
      fewest = closure.numEnabled();
      best = closure.members();
    }
  }
  if (fewest == SIZE_MAX)
    return;
  system.successors(state, scratch, [&](const Step &step, const uint32_t *to) {
    for (uint32_t t : ofGroup[step.group])
      if (best.test(t))
        return sink(step, to);
    return true;
  });
}
