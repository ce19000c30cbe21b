//===- JoinNames.h - Names that are meant to be one -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `Clinet` and `Client` are two participants to a tool but one to a reader.
/// Finds such pairs, and joins them where the user asks for it.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TRANSFORMS_JOINNAMES_H
#define CIF_TRANSFORMS_JOINNAMES_H

#include "cif/IR/Module.h"

namespace cif {

struct SimilarPair {
  bool isMessage = false;
  std::string name, other; ///< the one that stands later, and the first one
  Place at, otherAt;
};

/// Participants that never exchange anything and messages between the same two
/// participants whose names are almost equal, in the order of the module.
std::vector<SimilarPair> findSimilarNames(const Module &module);

/// Gives each first name of \p joins the second one: participants and messages
/// become one. False: reported.
bool joinNames(Module &module,
               ArrayRef<std::pair<std::string, std::string>> joins,
               DiagnosticEngine &diags);

} // namespace cif

#endif
