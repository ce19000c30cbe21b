//===- CheckStructure.cpp - --check-structure -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Analysis/Structure.h"
#include "cif/Pass/Pass.h"

using namespace cif;

namespace {
class CheckStructure : public Pass {
public:
  PassResult run(Module &module, PassContext &context) override {
    for (const Behaviour &b : module.behaviours) {
      std::string subject =
          (behaviourKindText(b.kind) + " '" + module.text(b.name) + "'").str();
      report(module, context, subject, module.place(b.loc),
             checkStructure(module, b));
    }
    report(module, context, "the module as a whole", Place(),
           checkParts(module));
    return PassResult::Unchanged;
  }

private:
  static void report(Module &module, PassContext &context,
                     const std::string &subject, const Place &place,
                     ArrayRef<StructureViolation> violations) {
    Fact fact;
    fact.property = "structure";
    fact.subject = subject;
    fact.exact = true;
    fact.method = "graph rules";
    fact.verdict = violations.empty() ? Verdict::Holds : Verdict::Violated;
    if (!violations.empty()) {
      size_t n = violations.size();
      fact.message = subject + (n == 1 ? " breaks a structural rule"
                                       : " breaks structural rules in " +
                                             std::to_string(n) + " places");
      fact.at = place;
      fact.witness.emplace();
      fact.witness->kind = "elements";
      for (const StructureViolation &v : violations) {
        fact.witness->steps.push_back(
            {v.text, v.at, structureRuleText(v.rule).str()});
        if (v.other.known())
          fact.witness->steps.push_back(
              {"the branches part here", v.other, ""});
        context.count(structureRuleText(v.rule), 1);
      }
    }
    context.report(module, std::move(fact));
  }
};
} // namespace

namespace cif {
std::unique_ptr<Pass> createCheckStructurePass() {
  return std::make_unique<CheckStructure>();
}
} // namespace cif
