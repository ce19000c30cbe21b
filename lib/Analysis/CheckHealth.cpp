//===- CheckHealth.cpp - --check-health -----------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QueueOptions.h"
#include "cif/Analysis/Health.h"
#include "cif/Analysis/Realizability.h"

using namespace cif;

namespace {
class CheckHealth : public Pass {
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
        context.report(module, limitFact("health", set));
        continue;
      }
      std::optional<Health> health =
          checkHealth(set.module, *options, context.diags);
      if (!health)
        return PassResult::Failed;
      // A bound keeps queues from growing: then there is nothing to report.
      unsigned problems = numHealthProblems - (options->bound ? 1 : 0);
      for (unsigned i = 0; i < problems; ++i)
        report(module, context, set, *options, *health,
               static_cast<HealthProblem>(i));
    }
    return PassResult::Unchanged;
  }

private:
  static void report(Module &module, PassContext &context, const PeerSet &set,
                     const SynchronizabilityOptions &options,
                     const Health &health, HealthProblem problem) {
    const HealthFinding &finding =
        health.findings[static_cast<unsigned>(problem)];
    Fact fact;
    fact.property = "health";
    fact.subject = set.subject + ": " + healthProblemText(problem).str();
    fact.at = set.at;
    fact.verdict = finding.verdict;
    fact.exact = finding.exact;
    fact.method = health.method;
    fact.witness = finding.witness;
    fact.states = health.states;
    fact.transitions = health.transitions;
    fact.parameters.push_back({"problem", healthProblemText(problem).str()});
    fact.parameters.push_back({"network", networkText(options.network).str()});
    uint32_t bound = options.bound.value_or(noBound);
    fact.parameters.push_back(
        {"bound", bound == noBound ? "inf" : std::to_string(bound)});
    if (finding.verdict != Verdict::Holds)
      fact.message = healthProblemText(problem).str() + ": " + finding.text;
    context.report(module, std::move(fact));
  }
};
} // namespace

namespace cif {
std::unique_ptr<Pass> createCheckHealthPass() {
  return std::make_unique<CheckHealth>();
}
} // namespace cif
