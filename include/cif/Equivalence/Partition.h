//===- Partition.h - States in classes ----------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Partitions of the states of one LTS modulo a bisimulation, and quotients by
/// them. minimize() and compare() are made of these.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_EQUIVALENCE_PARTITION_H
#define CIF_EQUIVALENCE_PARTITION_H

#include "cif/Equivalence/Relation.h"
#include "cif/IR/Lts.h"
#include "cif/Support/Limits.h"
#include <optional>

namespace cif {

/// Classes are numbered by their first state.
struct Partition {
  std::vector<uint32_t> classOf; ///< of each state
  uint32_t numClasses = 0;
};

/// The coarsest bisimulation and the LTS of its classes, with as few
/// transitions as the relation allows; all classes are kept, reachable or not.
struct Reduction {
  Partition partition;
  Lts quotient; ///< its states are the classes
};

/// Reduces modulo Strong, Branching, DpBranching or Weak. Final states are told
/// from others when \p lts says which they are.
Reduction reduce(const Lts &lts, Relation relation);
/// The same within limits of time and memory. Nothing at a limit, which
/// \p limit names.
std::optional<Reduction> reduceWithin(const Lts &lts, Relation relation,
                                      Budget &budget, std::string &limit);

} // namespace cif

#endif
