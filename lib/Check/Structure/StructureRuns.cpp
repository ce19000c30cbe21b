//===- StructureRuns.cpp - Runs that show structural flaws ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: the effect of a flaw of the graph on the tokens of [c4, Fig.
/// 6]: a dead end is reached; a join that waits for all branches is left
/// with a token that no continuation consumes; a merge has tokens before
/// and after it at the same time, so that what follows happens more than
/// once. Input class: one behaviour that can be explored: a choreography,
/// or a process whose partners send and receive anything at any time.
/// Sound/complete for: these questions, for the model as read (guards that
/// are not understood are free choices). If exploration stops at a limit,
/// findings so far are valid, and the rest is undecided.
///
//===----------------------------------------------------------------------===//

#include "cif/Check/Structure/Structure.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/Graph/Reach.h"
#include "cif/LTS/Operations.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

using namespace cif;

namespace {
class Runs {
public:
  Runs(const Module &from, const Behaviour &behaviour,
       ArrayRef<StructureFlaw> list, const Limits &within)
      : module(from), b(behaviour), flows(behaviour), flaws(list),
        limits(within) {}

  StructureRuns run() {
    result.outcomes.assign(flaws.size(), StructureRuns::Undecided);
    if (explore() && countTokens())
      decide();
    return std::move(result);
  }

private:
  bool undecided(const Twine &why) {
    result.undecided = why.str();
    return false;
  }

  bool explore() {
    SemanticsOptions semantics;
    switch (b.kind) {
    case BehaviourKind::Choreography:
      semantics.semantics = SemanticsKind::Choreography;
      break;
    case BehaviourKind::Process:
      semantics.semantics = SemanticsKind::Local;
      break;
    case BehaviourKind::Controller:
      return undecided("a controller is not explored on its own");
    }
    semantics.only = {module.text(b.name).str()};
    size_t namesakes =
        llvm::count_if(module.behaviours, [&](const Behaviour &other) {
          return other.name == b.name && other.kind == b.kind;
        });
    if (namesakes > 1)
      return undecided("several behaviours have the name '" +
                       module.text(b.name) + "'");
    ExplorerOptions options;
    options.limits = limits;
    SourceManager sources;
    DiagnosticCollector reported;
    DiagnosticEngine engine(sources, reported);
    explored = exploreModule(module, semantics, options, engine);
    if (!explored)
      return undecided(reported.all.empty() ? StringRef("it cannot be explored")
                                            : StringRef(reported.all[0].text));
    if (explored->growth) {
      // What grows shows flaws in later rounds, too.
      result.undecided = explored->incompleteText();
      options.findGrowth = false;
      uint64_t &most = options.limits.maxStates;
      most = most ? std::min(most, statesOfGrowth) : statesOfGrowth;
      explored = exploreModule(module, semantics, options, engine);
    }
    result.states = explored->numStates();
    result.transitions = explored->transitions;
    result.complete = explored->complete;
    result.abstractions = explored.system->abstractions().vec();
    if (!explored->complete && result.undecided.empty())
      result.undecided = explored->incompleteText();
    return true;
  }

  /// The slots of the flows before a node, and behind it.
  SmallVector<unsigned, 4> slotsAt(NodeId node, bool behind) {
    SmallVector<unsigned, 4> slots;
    auto add = [&](ArrayRef<FlowId> list) {
      for (FlowId f : list)
        if (auto slot = slotOf.find(f.index()); slot != slotOf.end())
          slots.push_back(slot->second);
    };
    add(flows.incoming(node));
    if (behind)
      add(flows.outgoing(node));
    return slots;
  }

  /// How many tokens each state has on the flows that matter, in columns.
  bool countTokens() {
    const System &system = *explored.system;
    uint32_t unit = &b - module.behaviours.data();
    for (unsigned s = 0; s < system.width(); ++s)
      if (Origin at = system.slotOrigin(s);
          at.kind == Origin::Flow && at.unit == unit)
        slotOf[at.element] = s;
    for (const StructureFlaw &flaw : flaws)
      if (flaw.shownBy != FlawRun::None)
        for (unsigned slot :
             slotsAt(flaw.node, flaw.shownBy == FlawRun::TwoTokens))
          columnOf.try_emplace(slot, columnOf.size());
    constexpr uint64_t maxCells = uint64_t(1) << 30;
    uint64_t cells = uint64_t(columnOf.size()) * explored->numStates();
    if (cells > maxCells || (limits.maxMemory && cells > limits.maxMemory))
      return undecided("too many joins for so many states");
    tokens.resize(cells);
    Budget budget(limits);
    for (StateIndex s = 0; s < explored->numStates(); ++s) {
      if (std::string limit = budget.exceeded(0, 0); !limit.empty())
        return undecided(stoppedText(limit));
      std::vector<uint32_t> state = explored->vectorOf(s);
      for (auto [slot, column] : columnOf)
        tokens[column * explored->numStates() + s] =
            static_cast<uint8_t>(std::min<uint32_t>(state[slot], 255));
    }
    return true;
  }

  ArrayRef<uint8_t> column(unsigned slot) {
    return ArrayRef(tokens).slice(columnOf.lookup(slot) * explored->numStates(),
                                  explored->numStates());
  }

  void decide() {
    StateIndex best = noState;
    Budget budget(limits);
    for (size_t i = 0; i < flaws.size(); ++i) {
      const StructureFlaw &flaw = flaws[i];
      if (flaw.shownBy == FlawRun::None)
        continue;
      if (std::string limit = budget.look(0, 0); !limit.empty()) {
        undecided(stoppedText(limit));
        break;
      }
      StateIndex shown = flaw.shownBy == FlawRun::TokenStays
                             ? tokenStays(flaw.node)
                             : tokensMeet(flaw.node, flaw.shownBy);
      if (shown == noState) {
        if (explored->complete)
          result.outcomes[i] = StructureRuns::Harmless;
        continue;
      }
      result.outcomes[i] = StructureRuns::Shown;
      if (shown < best) { // states are numbered by their distance
        best = shown;
        result.first = i;
      }
    }
    if (best == noState)
      return;
    for (WitnessStep &step : witnessSteps(module, *explored.exploration,
                                          explored->traceTo(best), false))
      result.run.push_back(std::move(step));
    if (!result.run.empty())
      result.run.back().note = "then: " + explored->describe(best);
  }

  /// The first state with a token before the node, or with two tokens at it.
  StateIndex tokensMeet(NodeId node, FlawRun what) {
    bool two = what == FlawRun::TwoTokens;
    std::vector<ArrayRef<uint8_t>> columns;
    for (unsigned slot : slotsAt(node, two))
      columns.push_back(column(slot));
    for (StateIndex s = 0; s < explored->numStates(); ++s) {
      unsigned sum = 0;
      for (ArrayRef<uint8_t> counts : columns)
        sum += counts[s];
      if (sum > unsigned(two))
        return s;
    }
    return noState;
  }

  /// The first state with a token before the node that no continuation takes.
  StateIndex tokenStays(NodeId node) {
    StateIndex best = noState;
    for (unsigned slot : slotsAt(node, /*behind=*/false)) {
      ArrayRef<uint8_t> counts = column(slot);
      llvm::BitVector taken = canTake(counts);
      for (StateIndex s = 0; s < explored->numStates() && s < best; ++s)
        if (counts[s] && !taken.test(s))
          best = s;
    }
    return best;
  }

  /// By state: whether some continuation takes a token from the flow, or may do
  /// so as it was not explored.
  llvm::BitVector canTake(ArrayRef<uint8_t> counts) {
    const Lts &lts = explored->lts;
    if (!predecessors)
      predecessors.emplace(lts);
    Reach<StateIndex> can(counts.size());
    for (StateIndex s = 0; s < counts.size(); ++s) {
      bool takes = s >= explored->expanded;
      if (!takes)
        for (uint32_t t = lts.rowBegin[s]; t < lts.rowBegin[s + 1]; ++t)
          takes |= counts[lts.target[t]] < counts[s];
      if (takes)
        can.add(s);
    }
    for (StateIndex s; can.take(s);)
      for (StateIndex before : predecessors->of(s))
        can.add(before);
    return std::move(can.nodes());
  }

  static constexpr StateIndex noState = UINT32_MAX;
  /// How many states of infinitely many are looked at.
  static constexpr uint64_t statesOfGrowth = 20000;
  const Module &module;
  const Behaviour &b;
  FlowIndex flows;
  ArrayRef<StructureFlaw> flaws;
  const Limits &limits;
  ExploredModule explored;
  llvm::DenseMap<uint32_t, unsigned> slotOf; ///< by flow
  llvm::DenseMap<unsigned, size_t> columnOf; ///< by slot
  std::vector<uint8_t> tokens;               ///< column by column
  std::optional<Predecessors> predecessors;  ///< made when needed
  StructureRuns result;
};
} // namespace

StructureRuns cif::runStructure(const Module &module,
                                const Behaviour &behaviour,
                                ArrayRef<StructureFlaw> flaws,
                                const Limits &limits) {
  return Runs(module, behaviour, flaws, limits).run();
}
