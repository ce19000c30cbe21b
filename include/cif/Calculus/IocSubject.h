//===- IocSubject.h - The terms that checks of IOC and POC are about ------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_CALCULUS_IOCSUBJECT_H
#define CIF_CALCULUS_IOCSUBJECT_H

#include "cif/Calculus/IocTerm.h"

namespace cif {

/// The term of \p behaviour, when it has one that is made of \p kinds; else
/// nothing after an error that names the node that is in the way.
std::optional<IocTerm> iocSubject(const Module &module,
                                  const Behaviour &behaviour,
                                  OperationNumbers &operations,
                                  ArrayRef<TermKind> kinds,
                                  DiagnosticEngine &diags);

} // namespace cif

#endif
