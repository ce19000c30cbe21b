//===- CheckConforms.cpp - --check-conforms -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QueueOptions.h"
#include "cif/Analysis/Realizability.h"
#include "cif/Support/DiagnosticKinds.h"
#include "cif/Transforms/Normalize.h"

using namespace cif;

namespace {
class CheckConforms : public Pass {
public:
  PassResult run(Module &module, PassContext &context) override {
    std::optional<SynchronizabilityOptions> options = queueOptions(context);
    std::optional<unsigned> which = context.oneOf("relation", relationNames());
    if (!options || !which)
      return PassResult::Failed;
    auto relation = static_cast<Relation>(*which);
    StringRef path = context.option("spec");
    std::unique_ptr<Module> spec = context.host.load(path);
    if (!spec)
      return PassResult::Failed;
    NormalizeCounts counts;
    if (!normalize(*spec, context.diags, counts))
      return PassResult::Failed;
    std::vector<ChoreographyRef> choreographies = findChoreographies(*spec);
    if (choreographies.size() != 1) {
      context.diags.report(diag::spec_choreographies)
          << path << choreographies.size();
      return PassResult::Failed;
    }
    std::vector<PeerSet> sets =
        peerSets(module, PeersFrom::Given, context.limits, context.diags);
    if (sets.empty())
      return PassResult::Failed;
    PeerSet &set = sets.front();
    std::optional<GlobalLts> global =
        set.limit.empty() ? globalLts(*spec, choreographies.front(),
                                      context.limits, context.diags, set.limit)
                          : std::nullopt;
    if (!global) {
      if (set.limit.empty())
        return PassResult::Failed;
      context.report(module, limitFact("conforms", set));
      return PassResult::Unchanged;
    }
    std::optional<Realizability> result = checkRealizability(
        set.module, global->lts, relation, *options, context.diags);
    if (!result)
      return PassResult::Failed;
    Fact fact = realizabilityFact("conforms", set, *global, *spec, *result,
                                  relation, *options);
    fact.subject += (" to choreography '" +
                     choreographyName(*spec, choreographies.front()) + "'")
                        .str();
    context.report(module, std::move(fact));
    return PassResult::Unchanged;
  }
};
} // namespace

namespace cif {
std::unique_ptr<Pass> createCheckConformsPass() {
  return std::make_unique<CheckConforms>();
}
} // namespace cif
