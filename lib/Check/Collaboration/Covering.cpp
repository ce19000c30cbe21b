//===- Covering.cpp - What coverability tells of a collaboration ----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// If the collaboration is a Petri net, its coverability set decides safe,
/// bounded and no dead activity. If it is not, a net that allows more is taken:
/// nothing is tested for being empty, nothing is emptied, guards do not look at
/// data, messages are unordered, and an inclusive join takes one token from one
/// of its flows. By induction over the run, each state of the collaboration has
/// at most the tokens and messages of some marking of that net: more of them
/// forbid nothing there, and it takes no more than the collaboration does. So
/// what cannot happen there cannot happen at all: a flow with two tokens,
/// growth without bound, a step.
///
/// Implements: [valmari2014]. Sound; complete where the net is the
/// collaboration.
///
//===----------------------------------------------------------------------===//

#include "Covering.h"

using namespace cif;

Covering::Covering(const CollaborationSystem &of, const Limits &limits)
    : system(of) {
  std::string reason;
  if (std::optional<PetriNet> petri = system.petriNet(reason))
    makeExact(*petri);
  else if (std::optional<StepNet> steps = system.stepNet())
    makeWider(*steps);
  else
    return;
  // Each new marking is compared with all that are there.
  Limits few = limits;
  few.maxStates = std::min<uint64_t>(
      limits.maxStates ? limits.maxStates : UINT64_MAX, exact ? 3'000 : 300);
  set = coverabilitySet(net, few);
}

const char *Covering::method() const {
  return exact ? "minimal coverability set [valmari2014]"
               : "minimal coverability set [valmari2014] of a net that allows "
                 "more";
}

/// Adds a transition; each place is named once.
void Covering::add(GroupIndex group, ArrayRef<StepNet::Arc> take,
                   ArrayRef<StepNet::Arc> give) {
  PureNet::Transition &made = net.transitions.emplace_back();
  groupOf.push_back(group);
  auto append = [](auto &to, ArrayRef<StepNet::Arc> arcs) {
    for (const StepNet::Arc &arc : arcs) {
      auto at = llvm::find_if(
          to, [&](const PureNet::Arc &a) { return a.place == arc.place; });
      if (at == to.end())
        to.push_back({arc.place, arc.count});
      else
        at->count += arc.count;
    }
  };
  append(made.take, take);
  append(made.give, give);
}

void Covering::makeExact(const PetriNet &petri) {
  exact = true;
  net.initial = petri.initial;
  for (const PetriNet::Transition &t : petri.transitions)
    add(t.group, t.pre, t.post);
}

void Covering::makeWider(const StepNet &steps) {
  const uint32_t width = system.width();
  // Marks of end events decide nothing.
  std::vector<bool> isMark(width);
  for (const CollaborationElement &element : system.elements())
    for (uint32_t slot : element.marks)
      isMark[slot] = true;
  net.initial.resize(width + steps.queueOf.size());
  system.initial(net.initial.data());
  for (GroupIndex g = 0; g < steps.steps.size(); ++g) {
    const StepNet::Step &step = steps.steps[g];
    SmallVector<StepNet::Arc, 4> take(step.pre.begin(), step.pre.end()), give;
    for (const StepNet::Arc &arc : step.post)
      if (!isMark[arc.place])
        give.push_back(arc);
    if (step.message != noneOf)
      (step.sends ? give : take).push_back({width + step.message, 1});
    if (step.join == noneOf && !take.empty())
      add(g, take, give);
    else if (step.join != noneOf)
      for (uint32_t place : steps.joins[step.join].incoming) {
        take.push_back({place, 1});
        add(g, take, give);
        take.pop_back();
      }
  }
}

bool Covering::isSafe() const {
  return isKnown() && llvm::none_of(system.flows(), [&](const auto &flow) {
           return flow.isDrawn && set.covers({{flow.slot, 2}});
         });
}

void Covering::forEachPossible(function_ref<void(GroupIndex)> visit) const {
  for (auto [transition, group] : llvm::zip(net.transitions, groupOf))
    if (set.covers(transition.take))
      visit(group);
}
