//===- PropertyModel.cpp - What is explored for properties ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Of many peers, fewer orders of independent steps are explored
/// (PeerReduction.h) if every property ignores what it does not name and all
/// maximal runs count. With fairness all orders are explored: a reduction does
/// not keep which steps are possible again and again.
///
//===----------------------------------------------------------------------===//

#include "PropertyModel.h"

using namespace cif;

/// The labels that properties name.
static std::vector<bool> namedLabels(ArrayRef<ltl::Property> properties,
                                     ArrayRef<Label> labels) {
  std::vector<bool> named;
  for (const Label &label : labels)
    named.push_back(
        llvm::any_of(properties, [&](const ltl::Property &property) {
          return llvm::any_of(property.atoms, [&](const ltl::Atom &atom) {
            return atom.matches(label);
          });
        }));
  return named;
}

PropertyModel cif::explorePropertyModel(const Module &module,
                                        PassContext &context,
                                        const SemanticsOptions &semantics,
                                        ArrayRef<ltl::Property> properties,
                                        bool fair) {
  constexpr uint64_t fewStates = 5'000;
  PropertyModel model;
  ExplorerOptions options{.limits = context.limits, .keepOrigins = true};
  const SemanticsKind kind = resolveSemantics(module, semantics);
  const NetworkKind network = semantics.network.value_or(defaultNetwork(kind));
  const uint64_t most = options.limits.maxStates;
  const bool reduces =
      kind == SemanticsKind::Peers && canReducePeers(network) &&
      semantics.bound == noBound && !fair && !context.flag("no-reduction") &&
      (!most || most > fewStates) &&
      llvm::all_of(properties, [](const ltl::Property &property) {
        return property.ignoresOthers();
      });
  if (!reduces) {
    ExploredModule all =
        exploreModule(module, semantics, options, context.diags);
    model.system = std::move(all.system);
    if (all)
      model.exploration.emplace(std::move(*all.exploration));
    return model;
  }
  std::unique_ptr<PeerComposition> peers =
      makePeerComposition(module, semantics, context.diags);
  if (!peers)
    return model;
  tellAbstractions(module, *peers, context.diags);
  options.limits.maxStates = fewStates;
  model.exploration.emplace(explore(*peers, options));
  options.limits.maxStates = most;
  if (!model.exploration->complete && !model.exploration->growth) {
    auto reduced = std::make_unique<ReducedPeers>(
        *peers, network, namedLabels(properties, peers->labels()));
    if (std::optional<Exploration> some =
            exploreVisibleOrders(*reduced, options)) {
      model.exploration.emplace(std::move(*some));
      model.reduced = std::move(reduced);
    } else {
      model.exploration.emplace(explore(*peers, options));
    }
  }
  model.system = std::move(peers);
  return model;
}
