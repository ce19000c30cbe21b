//===- AddedDiagnostics.h - Diagnostics that are not built in -------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A plugin, or a tool of your own, has diagnostics with codes of its own:
///
///   static const cif::DiagInfo infos[] = {
///       {"CHAT001", cif::Severity::Error, "chat_line", "expected {0}"}};
///   std::optional<cif::diag::Kind> first = cif::addDiagnostics(infos);
///
/// They are reported, printed and listed like those of Diagnostics.def;
/// Registry::pages holds what --explain says of them.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SUPPORT_ADDEDDIAGNOSTICS_H
#define CIF_SUPPORT_ADDEDDIAGNOSTICS_H

#include "cif/Support/Diagnostics.h"
#include <optional>

namespace cif {

/// Adds diagnostics before the first is reported. The first gets the kind that
/// is returned, the others those that follow. Nothing: a code is taken. \p
/// infos must stay where they are; adding them again changes nothing.
std::optional<diag::Kind> addDiagnostics(ArrayRef<DiagInfo> infos);

/// Every diagnostic: those of Diagnostics.def, then those that were added.
std::vector<const DiagInfo *> allDiagnostics();

} // namespace cif

#endif
