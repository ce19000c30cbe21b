//===- SmallestSet.h - The smallest set that is enough --------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_REPAIR_SMALLESTSET_H
#define CIF_REPAIR_SMALLESTSET_H

#include "cif/IR/Lts.h"
#include "cif/Support/LLVM.h"
#include <optional>

namespace cif {

/// What is found for one set.
struct SetAnswer {
  enum Kind : uint8_t { Enough, Lacking, Unknown } kind = Unknown;
  std::vector<Label> trace; ///< Lacking: what it still allows
  std::string limit;        ///< Unknown: why
};

/// Says whether a set of candidates (ascending) is enough. Larger sets are
/// enough where smaller ones are.
using SetOracle = function_ref<SetAnswer(ArrayRef<uint32_t> set)>;

struct SmallestSet {
  SetAnswer::Kind kind = SetAnswer::Unknown; ///< of all candidates together
  std::vector<uint32_t> chosen;
  /// By element of `chosen`: what is allowed when it alone is left out.
  std::vector<std::vector<Label>> without;
  /// Whether no set with fewer elements is enough; else only no proper subset
  /// of `chosen` is.
  bool fewest = false;
  SetAnswer last; ///< of all candidates where these are not enough
  uint64_t questions = 0;
};

/// A smallest set of \p candidates that is enough.
SmallestSet smallestSet(uint32_t candidates, SetOracle oracle);

/// Chooses what to add to a set that is not enough; nothing: it is at a loss.
using SetRefiner = function_ref<std::optional<uint32_t>(ArrayRef<uint32_t> set,
                                                        ArrayRef<Label> trace)>;

/// A set that is enough and has no proper subset that is, with few questions:
/// made by adding what \p refine chooses, then by dropping what is not needed.
SmallestSet refinedSet(SetOracle oracle, SetRefiner refine);

} // namespace cif

#endif
