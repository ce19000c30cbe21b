//===- AdaptPass.cpp - --adapt --------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Check/Conformance/ConformanceOptions.h"
#include "cif/IR/Digest.h"
#include "cif/Pass/Pass.h"
#include "cif/Repair/Adaptation.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "cif/Support/Visible.h"
#include "cif/Transforms/Project.h"
#include "llvm/ADT/StringExtras.h"

using namespace cif;

namespace cif {
PassResult runAdapt(Module &module, PassContext &context) {
  AdaptOptions options;
  std::optional<ConformanceRelation> relation =
      parseConformance(context.option("relation"));
  if (!relation) {
    context.diags.report(diag::bad_option_value)
        << "relation" << context.option("relation")
        << "one of " + llvm::join(conformanceWords(), ", ");
    return PassResult::Failed;
  }
  options.relation = *relation;
  std::optional<ConformanceOptions> conformance = conformanceOptions(context);
  if (!conformance)
    return PassResult::Failed;
  options.conformance = *conformance;
  StringRef path = context.option("spec");
  std::unique_ptr<Module> spec = context.host.load(path);
  if (!spec)
    return PassResult::Failed;
  if (size_t count = findChoreographies(*spec).size(); count != 1) {
    context.diags.report(diag::spec_choreographies) << path << count;
    return PassResult::Failed;
  }
  if (!module.has(BehaviourKind::Process)) {
    context.diags.report(diag::nothing_to_check) << "process";
    return PassResult::Failed;
  }
  std::optional<Adaptation> adapted =
      adapt(module, *spec, options, context.diags);
  if (!adapted)
    return PassResult::Failed;
  Fact &fact = adapted->fact;
  if (!adapted->found) {
    // Why it is not known as it is: mostly a limit, which ended the rest too.
    std::string undecided = fact.verdict == Verdict::Inconclusive
                                ? " (as it is: " + fact.message + ")"
                                : "";
    fact.message = "no change was found after which the collaboration "
                   "conforms to '" +
                   path.str() + "': " + adapted->tried + undecided;
    context.report(module, std::move(fact), [&] { return adapted->replays; });
    return PassResult::Unchanged;
  }
  size_t count = adapted->changes.size();
  if (raw_ostream *os = context.host.log) {
    *os << "the collaboration conforms to '" << visible(path) << "' ("
        << context.option("relation") << ") ";
    if (count)
      *os << "after " << count << (count == 1 ? " change:\n" : " changes:\n");
    else
      *os << "as it is; nothing is changed\n";
    for (const std::string &line : adapted->diff)
      *os << "  " << visible(line) << '\n';
  }
  context.count("changes", count);
  if (count) {
    const PeerStamps before(module);
    module = std::move(adapted->module);
    dropStalePeers(module, before);
  }
  context.report(module, std::move(fact), [&] { return adapted->replays; });
  return count ? PassResult::Changed : PassResult::Unchanged;
}
} // namespace cif
