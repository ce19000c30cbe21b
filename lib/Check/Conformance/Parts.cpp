//===- Parts.cpp - A collaboration of minimised processes -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compositional minimisation. Each process is explored alone, with its sends
/// and receptions as labels, and minimised modulo branching bisimulation that
/// preserves divergence (written ~). The minimal ones are composed on the
/// network; sends, and whatever the choreography does not have, are hidden
/// afterwards. The result is ~ to the collaboration, so no weak relation
/// distinguishes the two.
///
/// Why: without data, a step of a collaboration is an internal step of one
/// process, or a send or reception of one process together with a step of the
/// network by the same message, or a handshake of two processes. So the
/// collaboration is a product of the processes and of one more LTS, the
/// network, which depends only on messages: no network observes silent steps.
/// This is true of all networks, with and without bounds. Let pi ~ qi for each
/// process, and relate (p1..pn, c) to (q1..qn, c), where c is the state of the
/// network.
///  - A step of the left side is a step of one or two processes, perhaps with
///    one of c. Each of these processes can do the same on the right, after
///    silent steps of its own to states that are related to the one that it
///    left; these leave c and the others where they are, and c allows the same.
///  - One side can end (all processes are final and nothing is in transit)
///    where the other can, after silent steps.
///  - Divergence, by condition D4 of [vanglabbeek2009]. Let all states of an
///    infinite run of hidden steps from the left be related to one state on the
///    right. Then c never changes. If the run has a handshake, the right can do
///    it too, which takes a step at least. Otherwise some process takes
///    infinitely many internal steps through states that are related to its
///    counterpart; as pi ~ qi, the counterpart can also take an internal step,
///    to a state related to one of these.
/// So the relation is a branching bisimulation that preserves divergence, for
/// whatever is hidden.
///
/// Premises: no guard depends on data, which would travel with the messages;
/// each message has one sender and one receiver; each participant has one
/// process. An exchange with a participant that has no process is a step of one
/// process alone.
///
//===----------------------------------------------------------------------===//

#include "Parts.h"
#include "cif/Equivalence/Minimize.h"
#include "cif/Explore/WrappedSystem.h"
#include "cif/LTS/Operations.h"
#include "cif/Semantics/Guards.h"
#include "cif/Support/Diagnostics.h"
#include <map>
#include <set>

using namespace cif;

namespace {
class PartsBuilder {
public:
  explicit PartsBuilder(const Pairing &of)
      : p(of), collaboration(of.collaboration.clone()) {
    const System &system = *p.explored.system;
    for (size_t l = 0; l < p.shown.size(); ++l)
      shownOf.emplace(system.labels()[l], p.shown[l]);
  }

  bool findUnits();
  bool addParts();
  std::optional<PartsProduct> compose();

private:
  bool addPart(const std::string &unit);
  bool nameLabels(Lts &lts);
  /// What is seen of \p label; null: the collaboration does not have it.
  const Label *findShown(const Label &label) const {
    auto found = shownOf.find(label);
    return found == shownOf.end() ? nullptr : &found->second;
  }

  const Pairing &p;
  Module collaboration; ///< each process has a name of its own
  Module peers;
  std::map<Label, Label> shownOf; ///< by label of the collaboration
  std::set<std::string> units;    ///< participants with a process
  std::map<Label, Label> outside; ///< exchanges of one process alone
  double factor = 1;              ///< how much smaller the product should be
  // Nobody hears of what is only tried.
  SourceManager sources;
  DiagnosticCollector unheard;
  DiagnosticEngine quiet{sources, unheard};
};
} // namespace

static std::string unitOf(const Module &module, const Behaviour &process) {
  return (process.owner ? module.participantName(process.owner)
                        : module.text(process.name))
      .str();
}

/// The premises.
bool PartsBuilder::findUnits() {
  Module &module = collaboration;
  if (!dataMethodOf(module, BehaviourKind::Process).empty())
    return false;
  for (const Message &m : module.messages)
    if (!m.sender || !m.receiver || m.sender == m.receiver)
      return false;
  for (Behaviour &process : module.behaviours) {
    if (process.kind != BehaviourKind::Process)
      continue;
    std::string unit = unitOf(module, process);
    if (!units.insert(unit).second)
      return false;
    process.name = module.intern(unit);
  }
  return units.size() > 1;
}

/// Lets what a process exchanges with the environment be steps of its own.
bool PartsBuilder::nameLabels(Lts &lts) {
  std::vector<Label> silent;
  for (Label &label : lts.labels) {
    if (label.kind == LabelKind::Tau)
      continue;
    if (label.sender.empty() || label.receiver.empty() ||
        label.sender == label.receiver)
      return false;
    if (units.count(label.sender) && units.count(label.receiver))
      continue;
    const Label *shown = findShown(label);
    if (!shown)
      return false;
    label = Label::plain(labelText(label));
    if (shown->kind == LabelKind::Tau)
      silent.push_back(label);
    else
      outside.emplace(label, *shown);
  }
  lts = hide(lts, [&](const Label &label) {
    return llvm::is_contained(silent, label);
  });
  return true;
}

bool PartsBuilder::addPart(const std::string &unit) {
  SemanticsOptions alone{.semantics = SemanticsKind::Local, .only = {unit}};
  ExploredModule local =
      exploreModule(collaboration, alone, {.limits = p.options.limits}, quiet);
  if (!local || !local->complete || !nameLabels(local->lts))
    return false;
  Budget budget(p.options.limits);
  Outcome<Lts> small =
      minimizeWithin(local->lts, Relation::DpBranching, budget);
  if (!small)
    return false;
  factor *= static_cast<double>(local->lts.numStates()) /
            static_cast<double>(small->numStates());
  SystemDecl peer{.name = peers.intern(unit), .role = SystemRole::Peer};
  peer.owner = peers.getParticipant(peer.name);
  peer.lts = std::move(*small);
  peers.systems.push_back(std::move(peer));
  return true;
}

bool PartsBuilder::addParts() {
  for (const std::string &unit : units)
    if (!addPart(unit))
      return false;
  return factor >= p.options.worthIt;
}

std::optional<PartsProduct> PartsBuilder::compose() {
  SemanticsOptions semantics = SemanticsOptions::peers(
      p.options.network, Observation::Both, {}, p.options.bound);
  ExploredModule product =
      exploreModule(peers, semantics, {.limits = p.options.limits}, quiet);
  if (!product || !product->complete)
    return std::nullopt;
  PartsProduct result{.lts = std::move(product->lts)};
  std::vector<bool> used(result.lts.labels.size());
  for (LabelIndex l : result.lts.label)
    used[l] = true;
  for (size_t l = 0; l < used.size(); ++l) {
    const Label &label = result.lts.labels[l];
    auto alone = outside.find(label);
    const Label *shown =
        alone != outside.end() ? &alone->second : findShown(label);
    // What nobody sends is never received, and no label of the collaboration.
    if (!shown && used[l])
      return std::nullopt;
    result.shown.push_back(shown ? *shown : Label::tau());
  }
  return result;
}

std::optional<PartsProduct> cif::productOfParts(const Pairing &pairing) {
  PartsBuilder builder(pairing);
  if (!builder.findUnits() || !builder.addParts())
    return std::nullopt;
  return builder.compose();
}

//===----------------------------------------------------------------------===//
// Back to the collaboration
//===----------------------------------------------------------------------===//

namespace {
class GuidedSystem final : public WrappedSystem<System> {
public:
  GuidedSystem(const System &of, ArrayRef<Label> shown, ArrayRef<Label> trace)
      : WrappedSystem(of), shown(shown), trace(trace), position(numSlots++) {}

  void initial(uint32_t *state) const override {
    system.initial(state);
    state[position] = 0;
  }
  void successors(const uint32_t *state, uint32_t *,
                  StepSink sink) const override {
    std::vector<uint32_t> scratch(position), next(numSlots);
    system.successors(state, scratch.data(),
                      [&](const Step &step, const uint32_t *to) {
                        const Label &label = shown[step.label];
                        const bool silent = label.kind == LabelKind::Tau;
                        if (!silent && (state[position] == trace.size() ||
                                        label != trace[state[position]]))
                          return true;
                        std::copy_n(to, position, next.begin());
                        next[position] = state[position] + !silent;
                        return sink(step, next.data());
                      });
  }
  uint32_t slotMaximum(unsigned slot) const override {
    return slot == position ? trace.size() : system.slotMaximum(slot);
  }
  Origin slotOrigin(unsigned slot) const override {
    return slot == position ? Origin() : system.slotOrigin(slot);
  }
  bool isInterned(unsigned slot) const override {
    return slot != position && system.isInterned(slot);
  }

private:
  const std::vector<Label> shown, trace;
  const unsigned position;
};
} // namespace

std::unique_ptr<System> cif::makeGuidedSystem(const System &system,
                                              ArrayRef<Label> shown,
                                              ArrayRef<Label> trace) {
  return std::make_unique<GuidedSystem>(system, shown, trace);
}
