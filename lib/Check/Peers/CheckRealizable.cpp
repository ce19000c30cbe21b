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
    auto check = [&](const PeerSet &set) {
      std::optional<Realizability> result =
          checkRealizability(set.module, set.global->lts, Relation::WeakTrace,
                             *options, context.diags);
      if (result) {
        Fact fact =
            realizabilityFact("realizable", set, *set.global, set.source,
                              *result, Relation::WeakTrace, *options);
        context.report(module, fact, [&] {
          return replaysRealizability(*result, *fact.witness, set.module,
                                      set.global->lts, *options, context.diags);
        });
      }
      return result.has_value();
    };
    return checkEachPeerSet(module, context, "realizable", check,
                            PeersFrom::Choreography);
  }
};
} // namespace

namespace cif {
std::unique_ptr<Pass> createCheckRealizablePass() {
  return std::make_unique<CheckRealizable>();
}
} // namespace cif
