//===- CheckBisimilar.cpp - --check-bisimilar -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Check/Calculus/IocConforms.h"
#include "cif/Support/DiagnosticKinds.h"

using namespace cif;

namespace {

class CheckBisimilar : public Pass {
public:
  PassResult run(Module &module, PassContext &context) override {
    auto relation = context.oneOf("relation", iocRelationNames());
    if (!relation)
      return PassResult::Failed;
    const Behaviour *chosen = choose(module, context);
    if (!chosen)
      return PassResult::Failed;
    return checkIocRelation(module, context, module, *chosen,
                            static_cast<IocRelation>(*relation), "bisimilar");
  }

private:
  static const Behaviour *choose(const Module &module, PassContext &context) {
    const Behaviour *chosen = nullptr;
    StringRef only = context.option("only");
    for (const Behaviour &b : module.behaviours) {
      if (b.kind != BehaviourKind::Choreography ||
          (!only.empty() && module.text(b.name) != only))
        continue;
      if (chosen) {
        context.diags.report(module.place(b.loc), diag::several_behaviours)
            << "choreographies";
        return nullptr;
      }
      chosen = &b;
    }
    if (!chosen && only.empty())
      context.diags.report(diag::nothing_to_explore) << "choreography";
    else if (!chosen)
      context.diags.report(diag::unknown_selected) << "choreography" << only;
    return chosen;
  }
};
} // namespace

namespace cif {
std::unique_ptr<Pass> createCheckBisimilarPass() {
  return std::make_unique<CheckBisimilar>();
}
} // namespace cif
