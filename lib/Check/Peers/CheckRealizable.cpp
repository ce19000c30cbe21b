//===- CheckRealizable.cpp - --check-realizable ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Check/Peers/EachPeerSet.h"
#include "cif/Check/Peers/QueueOptions.h"
#include "cif/Check/Peers/Realizability.h"
#include "cif/Check/Replay.h"

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
      // Where handshakes show it, compare() has replayed the difference.
      bool queues = result->queues.verdict == Verdict::Violated;
      return ReplayedFact{
          realizabilityFact("realizable", set, *set.global, set.source, *result,
                            Relation::WeakTrace, *options),
          [&context, &set, &options, queues](const Fact &fact) {
            return !queues ||
                   replaysExtraSends(set.module, options->network,
                                     options->handshakes, *fact.witness,
                                     context.limits, context.diags);
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
