//===- Choreography.cpp - Global graphs
//------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Choreographies: tokens on flows; an interaction is one labelled step, a
/// two-way interaction two. Implements: [c4], Fig. 6; [verchor], section III
/// for the kinds of nodes. An exclusive gateway decides silently; an event
/// choice is decided by the first step of a branch, whatever gateways stand
/// before it.
///
//===----------------------------------------------------------------------===//

#include "SystemFactories.h"
#include "TokenNet.h"
#include "cif/Semantics/Guards.h"

using namespace cif;

namespace {
class ChoreographyBuilder final : public TokenNetBuilder {
public:
  using TokenNetBuilder::TokenNetBuilder;
  std::vector<Label> labels{Label::tau()};

protected:
  SmallVector<NodeAction, 2> communicate(uint32_t behaviour, NodeId n,
                                         bool reply) override {
    const Node &node = module.behaviours[behaviour].node(n);
    MessageId id = reply ? node.reply : node.message;
    NodeAction action;
    if (!id) {
      countAbstraction("exchanges without a message are silent");
      return {action};
    }
    action.kind = FiringKind::Exchange;
    LabelIndex &label = labelOf[id.index()];
    if (!label) {
      label = labels.size();
      labels.push_back(module.label(LabelKind::Exchange, id));
    }
    action.label = label;
    action.id = id;
    return showValues(std::move(action), behaviour, n, reply, labels);
  }
  bool isForeign(const Node &node) const override {
    return hasTrait(node.kind, NodeTraits::LocalOnly);
  }
  bool startsByOneEvent() const override { return false; }

private:
  std::map<uint32_t, LabelIndex> labelOf;
};
} // namespace

static std::unique_ptr<System>
makeChoreography(const Module &module, uint32_t behaviour, const Limits &limits,
                 DiagnosticEngine &diags, bool showsValues,
                 const PinnedData *pins = nullptr) {
  TokenNet net;
  ChoreographyBuilder builder(module, behaviour, net, diags, limits,
                              /*countsEnds=*/false, /*inDetail=*/false,
                              showsValues, pins);
  if (!builder.add(behaviour))
    return nullptr;
  builder.finish(/*unordered=*/false);
  TokenSystemOptions more;
  more.runLimits = limits;
  return makeTokenSystem(std::move(net), nullptr, std::move(builder.labels),
                         builder.abstractions(), std::move(more));
}

std::unique_ptr<System>
cif::makeChoreographySystem(const Module &module, uint32_t behaviour,
                            const SemanticsOptions &options,
                            DiagnosticEngine &diags) {
  return makeChoreography(module, behaviour, options.runLimits, diags,
                          /*showsValues=*/false);
}

std::unique_ptr<System> cif::makeValuedChoreography(const Module &module,
                                                    uint32_t behaviour,
                                                    const Limits &limits,
                                                    DiagnosticEngine &diags) {
  std::unique_ptr<System> system =
      makeChoreography(module, behaviour, limits, diags, /*showsValues=*/true);
  if (system)
    tellAbstractions(module, *system, diags);
  return system;
}

std::unique_ptr<System> cif::makePinnedSystem(const Module &module,
                                              uint32_t behaviour,
                                              const PinnedData &pins,
                                              const Limits &limits,
                                              DiagnosticEngine &diags) {
  if (module.behaviours[behaviour].kind == BehaviourKind::Choreography)
    return makeChoreography(module, behaviour, limits, diags,
                            /*showsValues=*/true, &pins);
  SemanticsOptions options = localOptions({});
  options.runLimits = limits;
  return makeProcessSystem(module, behaviour, options, diags, &pins);
}
