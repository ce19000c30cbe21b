//===- Health.cpp - What goes wrong between peers -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Deadlocks, unspecified receptions, orphan messages and unbounded queues of
/// communicating automata. Implements: [brand83], the definitions of section 2.
/// Input class: any peers under inbox or fifo-pair queues.
///
/// Sound/complete for: whatever is found is real, as what a bound keeps from
/// being sent never counts as stuck. That nothing is there is exact when all
/// states with unbounded queues were seen, but for receptions that could only
/// have come earlier (SemanticsOptions::eagerReceptions), which is how large
/// compositions are decided; these have bounded queues if no run is infinite.
/// Growth is found where a cycle that
/// can be repeated is met (undecidable in general).
///
/// A peer is done in a final state, or, where it does not speak of final
/// states, in one that it cannot leave.
///
//===----------------------------------------------------------------------===//

#include "cif/Analysis/Health.h"
#include "cif/IR/Names.h"
#include "cif/LTS/ExploreModule.h"
#include "cif/LTS/Graph.h"

using namespace cif;

StringRef cif::healthProblemText(HealthProblem problem) {
  switch (problem) {
  case HealthProblem::Deadlock:
    return "deadlock";
  case HealthProblem::UnspecifiedReception:
    return "unspecified reception";
  case HealthProblem::Orphan:
    return "orphan message";
  case HealthProblem::Unbounded:
    return "unbounded queue";
  }
  llvm_unreachable("unknown problem");
}

namespace {
constexpr StateIndex nowhere = ~StateIndex(0);

/// Looks at each state that was expanded; remembers the first of each kind.
class HealthVisitor : public ExplorationVisitor {
public:
  HealthVisitor(const Module &from, const System &of,
                ArrayRef<std::string> handshakes, bool receptionsFirst)
      : system(of), reduced(receptionsFirst) {
    for (const SystemDecl &decl : from.systems)
      if (decl.role == SystemRole::Peer ||
          decl.role == SystemRole::Controller) {
        Peer peer;
        peer.name = (decl.owner ? from.participantName(decl.owner)
                                : from.text(decl.name))
                        .str();
        peer.lts = &decl.lts;
        peer.waits.resize(decl.lts.labels.size());
        peer.meets.resize(decl.lts.labels.size());
        for (size_t l = 0; l < decl.lts.labels.size(); ++l) {
          const Label &label = decl.lts.labels[l];
          Label named = label;
          named.kind = LabelKind::Exchange;
          peer.meets[l] = label.kind != LabelKind::Tau &&
                          llvm::is_contained(handshakes, labelText(named));
          peer.waits[l] = peer.meets[l] || label.kind == LabelKind::Receive ||
                          (label.kind == LabelKind::Exchange &&
                           label.receiver == peer.name);
        }
        peers.push_back(std::move(peer));
      }
    // Groups are the peers' transitions, one peer after the other.
    GroupIndex first = 0;
    for (Peer &peer : peers) {
      peer.firstGroup = first;
      first += peer.lts->numTransitions();
    }
    moved.resize(peers.size());
  }

  StateIndex found[3] = {nowhere, nowhere, nowhere};
  std::string who[3];
  std::vector<GroupIndex> waits[3]; ///< what those wait for

  bool transition(StateIndex from, const Step &step, StateIndex) override {
    if (from != current) {
      current = from;
      std::fill(moved.begin(), moved.end(), false);
    }
    auto peer = llvm::partition_point(
        peers, [&](const Peer &p) { return p.firstGroup <= step.group; });
    moved[peer - peers.begin() - 1] = true;
    return true;
  }

  bool expanded(StateIndex s, const uint32_t *vector, size_t) override {
    if (s != current) {
      current = s;
      std::fill(moved.begin(), moved.end(), false);
    }
    bool stuck = true, allDone = true;
    // Where a reception came first the others were not asked; what is wrong
    // with one of them is so after it too.
    bool asked = true;
    for (size_t p = 0; reduced && p < peers.size(); ++p)
      if (moved[p])
        asked &= !onlyWaits(p, vector[p]);
    std::string waiting;
    SmallVector<GroupIndex, 4> awaited;
    for (size_t p = 0; p < peers.size(); ++p) {
      const Peer &peer = peers[p];
      StateIndex at = vector[p];
      ArrayRef<LabelIndex> labels = peer.lts->labelsOf(at);
      bool waits = onlyWaits(p, at);
      bool done =
          peer.lts->saysFinal() ? peer.lts->isFinal(at) : labels.empty();
      // A send that a bound forbids is possible without it.
      stuck &= waits && !moved[p];
      if (!done) {
        allDone = false;
        waiting += (waiting.empty() ? "" : ", ") + quoted(peer.name);
        for (size_t t = 0; t < labels.size(); ++t)
          awaited.push_back(peer.firstGroup + peer.lts->rowBegin[at] + t);
      }
      if (asked && waits && !labels.empty() && !moved[p] && hasWrong(p, vector))
        note(HealthProblem::UnspecifiedReception, s, peer.name,
             peer.firstGroup + peer.lts->rowBegin[at]);
    }
    if (!stuck)
      return true;
    bool left = std::any_of(vector + peers.size(), vector + system.width(),
                            [](uint32_t slot) { return slot != 0; });
    if (!allDone)
      note(HealthProblem::Deadlock, s, waiting, awaited);
    else if (left)
      note(HealthProblem::Orphan, s, "", {});
    return true;
  }

private:
  struct Peer {
    std::string name;
    const Lts *lts;
    std::vector<bool> waits; ///< by label: a reception or a handshake
    std::vector<bool> meets; ///< by label: a handshake
    GroupIndex firstGroup;
  };

  bool onlyWaits(size_t p, StateIndex at) const {
    return llvm::all_of(peers[p].lts->labelsOf(at),
                        [&](LabelIndex l) { return peers[p].waits[l]; });
  }

  void note(HealthProblem problem, StateIndex s, const std::string &name,
            ArrayRef<GroupIndex> awaited) {
    auto i = static_cast<unsigned>(problem);
    if (found[i] != nowhere)
      return;
    found[i] = s;
    who[i] = name;
    waits[i].assign(awaited.begin(), awaited.end());
  }

  /// Whether something stands first in every queue that \p p waits on.
  bool hasWrong(size_t p, const uint32_t *vector) const {
    const Peer &peer = peers[p];
    for (uint32_t t = peer.lts->rowBegin[vector[p]];
         t < peer.lts->rowBegin[vector[p] + 1]; ++t) {
      if (peer.meets[peer.lts->label[t]])
        return false;
      for (uint32_t slot : system.groups().reads(peer.firstGroup + t))
        if (slot >= peers.size() && vector[slot] == 0)
          return false;
    }
    return true;
  }

  const System &system;
  const bool reduced;
  std::vector<Peer> peers;
  StateIndex current = nowhere;
  std::vector<bool> moved; ///< by peer: it can step in the current state
};
} // namespace

static bool hasCycle(const Lts &lts) {
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    if (llvm::is_contained(lts.targetsOf(s), s))
      return true;
  return components(lts).count < lts.numStates();
}

namespace {
enum class Explored : uint8_t { All, Part, Grows };
} // namespace

/// Runs the composition with this bound and fills in what is found. Growth is
/// looked for only without a bound. Nothing: errors were reported.
static std::optional<Explored>
explorePeers(const Module &module, const SynchronizabilityOptions &options,
             uint32_t bound, const Limits &limits, bool receptionsFirst,
             Health &health, DiagnosticEngine &diags) {
  SemanticsOptions semantics;
  semantics.semantics = SemanticsKind::Peers;
  semantics.network = options.network;
  semantics.observe = Observation::Both;
  semantics.bound = bound;
  semantics.handshakes = options.handshakes;
  semantics.eagerReceptions = receptionsFirst;
  std::unique_ptr<System> system = makeSystem(module, semantics, diags);
  if (!system)
    return std::nullopt;
  HealthVisitor visitor(module, *system, options.handshakes, receptionsFirst);
  ExplorerOptions explorer;
  explorer.limits = limits;
  explorer.keepTransitions = receptionsFirst;
  explorer.visitor = &visitor;
  Exploration exploration = explore(*system, explorer);
  health.states += exploration.numStates();
  health.transitions += exploration.transitions;
  if (exploration.growth) {
    HealthFinding &finding =
        health.findings[static_cast<unsigned>(HealthProblem::Unbounded)];
    finding.verdict = Verdict::Violated;
    finding.exact = true;
    finding.text = exploration.growth->what;
    finding.witness = growthWitness(module, exploration);
  }
  for (unsigned i = 0; i < 3; ++i) {
    HealthFinding &finding = health.findings[i];
    if (visitor.found[i] == nowhere || finding.witness)
      continue;
    finding.verdict = Verdict::Violated;
    finding.exact = true;
    switch (static_cast<HealthProblem>(i)) {
    case HealthProblem::Deadlock:
      finding.text = "nothing can happen and not done: " + visitor.who[i];
      break;
    case HealthProblem::UnspecifiedReception:
      finding.text = "'" + visitor.who[i] +
                     "' waits, and not for what stands first in its queue";
      break;
    default:
      finding.text = "all peers are done and a message is left";
      break;
    }
    for (GroupIndex group : visitor.waits[i])
      finding.waits.push_back(system->groups().origin(group));
    finding.witness.emplace();
    finding.witness->kind = "trace";
    finding.witness->steps = witnessSteps(
        module, exploration, exploration.traceTo(visitor.found[i]), true);
    if (finding.witness->steps.empty())
      finding.text += ", from the beginning";
  }
  for (unsigned i = 0; i < numHealthProblems; ++i) {
    HealthFinding &finding = health.findings[i];
    if (finding.witness)
      continue;
    // Queues that are read at once say nothing of others, unless no run goes
    // on for ever.
    bool known = exploration.complete &&
                 (!receptionsFirst ||
                  static_cast<HealthProblem>(i) != HealthProblem::Unbounded ||
                  !hasCycle(exploration.lts));
    finding.verdict = known ? Verdict::Holds : Verdict::Inconclusive;
    finding.exact = known && bound == noBound;
    finding.text = known                  ? ""
                   : exploration.complete ? "there are infinite runs, and not "
                                            "all of their states were seen"
                                          : exploration.incompleteText();
  }
  return exploration.growth     ? Explored::Grows
         : exploration.complete ? Explored::All
                                : Explored::Part;
}

std::optional<Health> cif::checkHealth(const Module &module,
                                       const SynchronizabilityOptions &options,
                                       DiagnosticEngine &diags) {
  // Shortest runs come from all states; too many of them are reduced.
  Health health;
  uint32_t bound = options.bound.value_or(noBound);
  Limits first = options.limits;
  first.maxStates = std::min(first.maxStates, options.wholeStates);
  std::optional<Explored> explored =
      explorePeers(module, options, bound, first, false, health, diags);
  if (!explored)
    return std::nullopt;
  health.method = bound == noBound ? "exploration with unbounded queues"
                                   : "exploration with queues up to " +
                                         std::to_string(bound);
  if (*explored == Explored::Part &&
      options.limits.maxStates > options.wholeStates) {
    health.method += ", receptions first";
    explored = explorePeers(module, options, bound, options.limits, true,
                            health, diags);
    if (!explored)
      return std::nullopt;
  }
  if (*explored == Explored::Grows) {
    // The rest is looked for with short queues.
    health.method += ", then up to 2";
    if (!explorePeers(module, options, 2, options.limits, false, health, diags))
      return std::nullopt;
    for (HealthFinding &finding : health.findings)
      if (!finding.witness) {
        finding.verdict = Verdict::Inconclusive;
        finding.text = "none with queues up to 2; queues grow without end";
      }
  }
  return health;
}
