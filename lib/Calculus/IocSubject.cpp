//===- IocSubject.cpp - The terms that checks of IOC and POC are about ----===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Calculus/IocSubject.h"
#include "cif/Support/Diagnostics/Calculus.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cif;

std::optional<Term> cif::iocSubject(const Module &module,
                                    const Behaviour &behaviour,
                                    OperationNumbers &operations,
                                    ArrayRef<TermKind> kinds,
                                    DiagnosticEngine &diags) {
  auto place = [&](NodeId node) {
    return module.place(node ? behaviour.node(node).loc : behaviour.loc);
  };
  TermBreak why;
  auto term = recoverTerm(module, behaviour, operations, &why);
  std::string subject = (behaviourKindText(behaviour.kind) + " '" +
                         module.text(behaviour.name) + "'")
                            .str();
  if (!term) {
    diags.report(place(why.node), diag::not_a_term) << subject << why.reason;
    return std::nullopt;
  }
  if (TermId other = findOther(*term, kinds)) {
    const TermNode &node = (*term)[other];
    std::string what = termKindText(node.kind).str();
    if (node.node && !behaviour.node(node.node).name.empty())
      what += (" '" + module.text(behaviour.node(node.node).name) + "'").str();
    diags.report(place(node.node), diag::unsupported_term)
        << subject << what
        << llvm::join(llvm::map_range(kinds, termKindText), ", ");
    return std::nullopt;
  }
  return term;
}
