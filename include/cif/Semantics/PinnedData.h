//===- PinnedData.h - Behaviours with given values ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Behaviours whose messages carry a few given values and no others, and whose
/// labels show them: `Request(4, 'red')`. Guards and what is sent are computed
/// for these values, whatever arithmetic they use. This is how a run that was
/// found by other means is taken with its values.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SEMANTICS_PINNEDDATA_H
#define CIF_SEMANTICS_PINNEDDATA_H

#include "cif/IR/Module.h"
#include "cif/Semantics/System.h"
#include "cif/Support/Limits.h"
#include <map>
#include <optional>

namespace cif {

/// A number or a truth value; of texts and literals of enumerations the text.
struct PinnedValue {
  int64_t number = 0;
  std::string text;
  auto operator<=>(const PinnedValue &) const = default;
};

struct PinnedData {
  /// Of each field of a message, by name and position, the values that it may
  /// carry. What is computed from them needs not be said. A field that has none
  /// is not followed, nor shown.
  std::map<std::pair<std::string, uint32_t>, std::vector<PinnedValue>> fields;
  /// No message carries an integer outside of these; nothing: any may be sent.
  std::optional<int64_t> lowest, highest;

  bool mayCarry(int64_t number) const {
    return (!lowest || number >= *lowest) && (!highest || number <= *highest);
  }
};

/// As labels show it: `4`, `true`, `'red'`, or a literal.
std::string pinnedText(Sort sort, const PinnedValue &value);

/// A choreography, or one process alone (SemanticsKind::Local), with these
/// values. Null: errors were reported.
std::unique_ptr<System> makePinnedSystem(const Module &module,
                                         uint32_t behaviour,
                                         const PinnedData &pins,
                                         const Limits &limits,
                                         class DiagnosticEngine &diags);

} // namespace cif

#endif
