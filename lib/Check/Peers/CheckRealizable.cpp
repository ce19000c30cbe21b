//===- CheckRealizable.cpp - --check-realizable ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Check/Peers/EachPeerSet.h"
#include "cif/Check/Peers/QueueOptions.h"
#include "cif/Check/Peers/Realizability.h"

using namespace cif;

namespace {
class CheckRealizable : public Pass {
public:
  PassResult run(Module &module, PassContext &context) override {
    std::optional<SynchronizabilityOptions> options = queueOptions(context);
    if (!options)
      return PassResult::Failed;
    auto decide = [&](const PeerSet &set) -> std::optional<ReplayedFact> {
      if (set.connected) {
        Fact fact = connectedFact("realizable", set, *options);
        fact.parameters.push_back(
            {"relation", relationName(Relation::WeakTrace).str()});
        return ReplayedFact{std::move(fact), {}};
      }
      std::optional<Realizability> result =
          checkRealizability(set.module, set.global->lts, Relation::WeakTrace,
                             *options, context.diags);
      if (!result)
        return std::nullopt;
      Fact fact =
          realizabilityFact("realizable", set, *set.global, set.source, *result,
                            Relation::WeakTrace, *options);
      return ReplayedFact{
          std::move(fact), [&context, &set, &options,
                            found = std::move(*result)](const Fact &told) {
            return replaysRealizability(found, *told.witness, set.module,
                                        set.global->lts, *options,
                                        context.diags);
          }};
    };
    return checkSendOrder(module, context, "realizable", decide,
                          PeersFrom::Choreography);
  }
};
} // namespace

namespace cif {
std::unique_ptr<Pass> createCheckRealizablePass() {
  return std::make_unique<CheckRealizable>();
}
} // namespace cif
