//===- IocSubject.h - The terms that checks of IOC and POC are about ------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The term that a check of IOC or POC is about, or an error that says why
/// there is none.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CALCULUS_IOCSUBJECT_H
#define CIF_CALCULUS_IOCSUBJECT_H

#include "cif/IR/Term.h"

namespace cif {

/// The term of \p behaviour, if it has one made of \p kinds only. Otherwise
/// nothing, and an error at the node that prevents it was reported.
std::optional<Term> iocSubject(const Module &module, const Behaviour &behaviour,
                               OperationNumbers &operations,
                               ArrayRef<TermKind> kinds,
                               DiagnosticEngine &diags);

} // namespace cif

#endif
