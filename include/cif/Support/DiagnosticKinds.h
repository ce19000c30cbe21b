//===- DiagnosticKinds.h - The names of the diagnostics -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `diag::NAME` for every line of Diagnostics.def.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SUPPORT_DIAGNOSTICKINDS_H
#define CIF_SUPPORT_DIAGNOSTICKINDS_H

#include <cstdint>

namespace cif::diag {

enum Kind : uint16_t {
#define CIF_DIAG(CODE, SEVERITY, NAME, TEXT) NAME,
#include "cif/Support/Diagnostics.def"
  numKinds
};

} // namespace cif::diag

#endif // CIF_SUPPORT_DIAGNOSTICKINDS_H
