//===- CheckRealizable.cpp - --check-realizable ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QueueOptions.h"
#include "cif/Analysis/Realizability.h"

using namespace cif;

namespace {
class CheckRealizable : public Pass {
public:
  PassResult run(Module &module, PassContext &context) override {
    std::optional<SynchronizabilityOptions> options = queueOptions(context);
    if (!options)
      return PassResult::Failed;
    std::vector<PeerSet> sets = peerSets(module, PeersFrom::Choreography,
                                         context.limits, context.diags);
    if (sets.empty())
      return PassResult::Failed;
    for (const PeerSet &set : sets) {
      if (!set.limit.empty()) {
        context.report(module, limitFact("realizable", set));
        continue;
      }
      std::optional<Realizability> result =
          checkRealizability(set.module, set.global->lts, Relation::WeakTrace,
                             *options, context.diags);
      if (!result)
        return PassResult::Failed;
      context.report(module, realizabilityFact("realizable", set, *set.global,
                                               set.source, *result,
                                               Relation::WeakTrace, *options));
    }
    return PassResult::Unchanged;
  }
};
} // namespace

namespace cif {
std::unique_ptr<Pass> createCheckRealizablePass() {
  return std::make_unique<CheckRealizable>();
}
} // namespace cif
