//===- SmallestSet.h - The smallest set that is enough --------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Smallest sets under a monotone oracle: a superset of a sufficient set is
/// sufficient.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_REPAIR_SMALLESTSET_H
#define CIF_REPAIR_SMALLESTSET_H

#include "cif/IR/Lts.h"
#include "cif/Support/LLVM.h"

namespace cif {

/// What is found for one set.
struct SetAnswer {
  enum Kind : uint8_t { Enough, Lacking, Unknown } kind = Unknown;
  std::vector<Label> trace; ///< Lacking: what it still allows
  std::string limit;        ///< Unknown: why
};

/// Says whether a set of candidates (ascending) is sufficient. Must be
/// monotone: a superset of a sufficient set is sufficient.
using SetOracle = function_ref<SetAnswer(ArrayRef<uint32_t> set)>;

struct SmallestSet {
  SetAnswer::Kind kind = SetAnswer::Unknown; ///< of all candidates together
  std::vector<uint32_t> chosen;
  /// By element of `chosen`: what is allowed when it alone is left out.
  std::vector<std::vector<Label>> without;
  /// Whether no set with fewer elements is sufficient. Otherwise `chosen` is
  /// only minimal: no proper subset of it is sufficient.
  bool fewest = false;
  SetAnswer last; ///< of all candidates where these are not sufficient
  uint64_t questions = 0;
};

/// A smallest sufficient set of \p candidates. Unknown if an answer that
/// matters is; Lacking if all candidates together are not sufficient.
SmallestSet smallestSet(uint32_t candidates, SetOracle oracle);

} // namespace cif

#endif
