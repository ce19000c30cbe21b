//===- Fusion.cpp - Steps of gateways together with those before them -----===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: the agglomeration of transitions after a place [berthelot1986],
/// within the stubborn sets of Reduction.cpp.
///
/// A flow p is passed if exactly one step f takes tokens from it, and f
///  - belongs to a gateway, takes one token from p and nothing else, exchanges
///    no message, depends on no data, empties nothing and tests nothing;
///  - puts tokens only on flows, and on at least one;
/// and if nothing empties p and the flows after it, no inclusive join watches
/// them, and they occur in the same sets that are tested for being empty or
/// marked. Every other step is enabled before f if and only if it is enabled
/// after it, and commutes with it: a token that moves from p to flows of the
/// same sets changes no test, and no other step takes from p. So f alone is a
/// stubborn set wherever p is marked, and (1), (2) and (4) of Reduction.cpp
/// apply.
///
/// In such a state f is taken, and the state is not kept: the step that brings
/// the token and f after it are one transition, of the group of the first.
/// Passed flows form no cycle (one flow of each cycle is not passed), so this
/// terminates. What is left out in this way:
///  - a state with a token on a flow p. It has a step, and its process is not
///    complete, so that it is neither an end nor complete. A cycle of the
///    reduced system has a state that is kept.
///  - two tokens on p. Then f, taken twice, puts two tokens on a flow after p,
///    and so on, up to a flow that is not passed, to which (3) applies.
///    Conversely, each state that is kept is a state of the system.
///  - the step f. It belongs to no task or event and exchanges nothing, so no
///    property depends on it.
/// Runs that are shown to users are searched for without fusion.
///
/// A split that makes a choice could be fused as well, but is not: what other
/// branches do afterwards would be repeated for each choice, whereas a stubborn
/// set can postpone the choice.
///
//===----------------------------------------------------------------------===//

#include "cif/Explore/Reduction.h"

using namespace cif;

/// Whether what takes from \p place may be fused with what puts there.
bool ReducedSystem::isPassed(uint32_t place) const {
  if (!observed[place] || consumers[place].size() != 1 ||
      !joinsOf[place].empty() || llvm::any_of(setsOf[place], [&](uint32_t set) {
        return !clearers[set].empty();
      }))
    return false;
  const GroupIndex g = consumers[place][0];
  const StepNet::Step &step = net.steps[g];
  const CollaborationStep &meaning = system.step(g);
  const bool isPlain =
      step.pre.size() == 1 && step.pre[0].count == 1 && !step.post.empty() &&
      step.clears == noneOf && step.empty == noneOf && step.marked == noneOf &&
      step.join == noneOf && step.message == noneOf && !step.usesData;
  const bool isGateway = meaning.element == noneOf && !meaning.starts &&
                         !meaning.completes && !meaning.isEnvironment;
  return isPlain && isGateway &&
         llvm::all_of(step.post, [&](const StepNet::Arc &arc) {
           return observed[arc.place] && arc.count == 1 &&
                  joinsOf[arc.place].empty() &&
                  setsOf[arc.place] == setsOf[place];
         });
}

/// Takes flows out of \c passed until none leads back to itself.
void ReducedSystem::keepOneOfEachCycle() {
  std::vector<uint32_t> behind(numSlots); // passed flows, not known to end
  llvm::BitVector open = passed;
  SmallVector<uint32_t, 16> ready;
  for (uint32_t place : passed.set_bits()) {
    for (const StepNet::Arc &arc : net.steps[consumers[place][0]].post)
      behind[place] += passed[arc.place];
    if (!behind[place])
      ready.push_back(place);
  }
  auto close = [&](uint32_t place) {
    open.reset(place);
    for (GroupIndex g : producers[place])
      for (const StepNet::Arc &arc : net.steps[g].pre)
        if (open[arc.place] && !--behind[arc.place])
          ready.push_back(arc.place);
  };
  for (;;) {
    while (!ready.empty())
      close(ready.pop_back_val());
    const int kept = open.find_first();
    if (kept < 0)
      return;
    passed.reset(kept);
    close(static_cast<uint32_t>(kept));
  }
}

void ReducedSystem::findPassed() {
  for (uint32_t place = 0; place < numSlots; ++place)
    if (isPassed(place))
      passed.set(place);
  if (passed.none())
    return;
  keepOneOfEachCycle();
  passedBy.resize(net.steps.size());
  for (GroupIndex g = 0; g < net.steps.size(); ++g)
    for (const StepNet::Arc &arc : net.steps[g].post)
      if (passed[arc.place] && !llvm::is_contained(passedBy[g], arc.place))
        passedBy[g].push_back(arc.place);
}

/// Takes what \p step puts on passed flows on to others.
bool ReducedSystem::passOn(const Step &step, const uint32_t *state,
                           ArrayRef<SlotChange> changed,
                           ChangeSink sink) const {
  SmallVector<SlotChange, 16> all(changed.begin(), changed.end());
  auto valueOf = [&](uint32_t slot) -> uint32_t & {
    for (SlotChange &change : all)
      if (change.slot == slot)
        return change.value;
    all.push_back({slot, state[slot]});
    return all.back().value;
  };
  SmallVector<uint32_t, 8> work(passedBy[step.group].begin(),
                                passedBy[step.group].end());
  while (!work.empty()) {
    const uint32_t place = work.pop_back_val();
    const uint32_t tokens = std::exchange(valueOf(place), 0);
    for (const StepNet::Arc &arc : net.steps[consumers[place][0]].post) {
      valueOf(arc.place) += tokens;
      if (tokens && passed[arc.place])
        work.push_back(arc.place);
    }
  }
  return sink(step, all);
}
