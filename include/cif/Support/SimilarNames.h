//===- SimilarNames.h - Names that are almost equal -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Names that people write in two ways and mean one thing by: in another case,
/// with other blanks or accents, or with a slip of the pen.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SUPPORT_SIMILARNAMES_H
#define CIF_SUPPORT_SIMILARNAMES_H

#include "cif/Support/LLVM.h"
#include <string>
#include <utility>
#include <vector>

namespace cif {

/// Whether two names differ in case, blanks, accents and punctuation alone, or
/// by a letter or two of a longer word. Digits count: `order1` and `order2` are
/// two names; so are `Seller A` and `Seller B`, whose words are compared one by
/// one, and `employer` and `employee`.
bool areSimilar(StringRef a, StringRef b);

/// Which of \p names is likely to be which of \p others: pairs of similar
/// names, then of names of which one is the end or the beginning of the other
/// (`Travel agency` and `Agency`) or its initials, then the last one of each.
/// Only what is the one choice on both sides.
std::vector<std::pair<std::string, std::string>>
likelyPairs(std::vector<std::string> names, std::vector<std::string> others);

} // namespace cif

#endif
