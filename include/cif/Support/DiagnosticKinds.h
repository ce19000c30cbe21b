//===- DiagnosticKinds.h - The names of the diagnostics -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `diag::NAME` for every line of Diagnostics.def. For plugins and tests: in
/// lib, include the headers of the ranges that are reported, so that a new code
/// rebuilds little.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SUPPORT_DIAGNOSTICKINDS_H
#define CIF_SUPPORT_DIAGNOSTICKINDS_H

#include "cif/Support/Diagnostics/Bpmn.h"
#include "cif/Support/Diagnostics/Calculus.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "cif/Support/Diagnostics/Compose.h"
#include "cif/Support/Diagnostics/Data.h"
#include "cif/Support/Diagnostics/Forms.h"
#include "cif/Support/Diagnostics/Lts.h"
#include "cif/Support/Diagnostics/Pass.h"
#include "cif/Support/Diagnostics/Repair.h"
#include "cif/Support/Diagnostics/Semantics.h"
#include "cif/Support/Diagnostics/Structure.h"
#include "cif/Support/Diagnostics/Text.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "cif/Support/Diagnostics/Verifier.h"

#endif // CIF_SUPPORT_DIAGNOSTICKINDS_H
