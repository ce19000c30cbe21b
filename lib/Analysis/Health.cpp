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
/// states with unbounded queues were seen. Growth is found where a cycle that
/// can be repeated is met (undecidable in general).
///
/// A peer is done in a final state, or, where it does not speak of final
/// states, in one that it cannot leave.
///
//===----------------------------------------------------------------------===//

#include "cif/Analysis/Health.h"
#include "cif/IR/Names.h"
#include "cif/LTS/ExploreModule.h"

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
                ArrayRef<std::string> handshakes)
      : system(of) {
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
    std::string waiting;
    for (size_t p = 0; p < peers.size(); ++p) {
      const Peer &peer = peers[p];
      StateIndex at = vector[p];
      ArrayRef<LabelIndex> labels = peer.lts->labelsOf(at);
      bool onlyWaits =
          llvm::all_of(labels, [&](LabelIndex l) { return peer.waits[l]; });
      bool done =
          peer.lts->saysFinal() ? peer.lts->isFinal(at) : labels.empty();
      // A send that a bound forbids is possible without it.
      stuck &= onlyWaits && !moved[p];
      if (!done) {
        allDone = false;
        waiting += (waiting.empty() ? "" : ", ") + quoted(peer.name);
      }
      if (onlyWaits && !labels.empty() && !moved[p] && hasWrong(p, vector))
        note(HealthProblem::UnspecifiedReception, s, peer.name);
    }
    if (!stuck)
      return true;
    bool left = std::any_of(vector + peers.size(), vector + system.width(),
                            [](uint32_t slot) { return slot != 0; });
    if (!allDone)
      note(HealthProblem::Deadlock, s, waiting);
    else if (left)
      note(HealthProblem::Orphan, s, "");
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

  void note(HealthProblem problem, StateIndex s, const std::string &name) {
    auto i = static_cast<unsigned>(problem);
    if (found[i] != nowhere)
      return;
    found[i] = s;
    who[i] = name;
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
  std::vector<Peer> peers;
  StateIndex current = nowhere;
  std::vector<bool> moved; ///< by peer: it can step in the current state
};
} // namespace

/// Runs the composition with this bound and fills in what is found. Growth is
/// looked for only without a bound. Nothing: errors were reported.
static std::optional<bool> explorePeers(const Module &module,
                                        const SynchronizabilityOptions &options,
                                        uint32_t bound, Health &health,
                                        DiagnosticEngine &diags) {
  SemanticsOptions semantics;
  semantics.semantics = SemanticsKind::Peers;
  semantics.network = options.network;
  semantics.observe = Observation::Both;
  semantics.bound = bound;
  semantics.handshakes = options.handshakes;
  std::unique_ptr<System> system = makeSystem(module, semantics, diags);
  if (!system)
    return std::nullopt;
  HealthVisitor visitor(module, *system, options.handshakes);
  ExplorerOptions explorer;
  explorer.limits = options.limits;
  explorer.keepTransitions = false;
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
    finding.witness.emplace();
    finding.witness->kind = "trace";
    finding.witness->steps = witnessSteps(
        module, exploration, exploration.traceTo(visitor.found[i]), true);
    if (finding.witness->steps.empty())
      finding.text += ", from the beginning";
  }
  for (HealthFinding &finding : health.findings) {
    if (finding.witness)
      continue;
    finding.verdict =
        exploration.complete ? Verdict::Holds : Verdict::Inconclusive;
    finding.exact = exploration.complete && bound == noBound;
    finding.text = exploration.complete ? "" : exploration.incompleteText();
  }
  return exploration.growth.has_value();
}

std::optional<Health> cif::checkHealth(const Module &module,
                                       const SynchronizabilityOptions &options,
                                       DiagnosticEngine &diags) {
  Health health;
  uint32_t bound = options.bound.value_or(noBound);
  std::optional<bool> grows =
      explorePeers(module, options, bound, health, diags);
  if (!grows)
    return std::nullopt;
  health.method = bound == noBound ? "exploration with unbounded queues"
                                   : "exploration with queues up to " +
                                         std::to_string(bound);
  if (*grows) {
    // The rest is looked for with short queues.
    health.method += ", then up to 2";
    if (!explorePeers(module, options, 2, health, diags))
      return std::nullopt;
    for (HealthFinding &finding : health.findings)
      if (!finding.witness) {
        finding.verdict = Verdict::Inconclusive;
        finding.text = "none with queues up to 2; queues grow without end";
      }
  }
  return health;
}
