//===- CheckSynchronizable.cpp - --check-synchronizable -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QueueOptions.h"
#include "cif/Analysis/Realizability.h"

using namespace cif;

namespace {
class CheckSynchronizable : public Pass {
public:
  PassResult run(Module &module, PassContext &context) override {
    std::optional<SynchronizabilityOptions> options = queueOptions(context);
    if (!options)
      return PassResult::Failed;
    std::vector<PeerSet> sets =
        peerSets(module, PeersFrom::Any, context.limits, context.diags);
    if (sets.empty())
      return PassResult::Failed;
    for (const PeerSet &set : sets) {
      if (!set.limit.empty()) {
        context.report(module, limitFact("synchronizable", set));
        continue;
      }
      std::optional<Synchronizability> result =
          checkSynchronizability(set.module, *options, context.diags);
      if (!result)
        return PassResult::Failed;
      context.report(module, synchronizabilityFact(set, *result, *options));
    }
    return PassResult::Unchanged;
  }
};
} // namespace

namespace cif {
std::unique_ptr<Pass> createCheckSynchronizablePass() {
  return std::make_unique<CheckSynchronizable>();
}
} // namespace cif
