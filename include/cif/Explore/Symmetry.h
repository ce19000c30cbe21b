//===- Symmetry.h - Instances that can be exchanged -------------*- C++ -*-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The processes of a participant with several instances differ in nothing but
/// the slots of their tokens. States that differ only in which instance is
/// which are represented by one of them. Symmetry.cpp says what stays the same.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_EXPLORE_SYMMETRY_H
#define CIF_EXPLORE_SYMMETRY_H

#include "cif/Semantics/CollaborationSystem.h"

namespace cif {

class InstanceSymmetry {
public:
  InstanceSymmetry() = default;
  /// \p net is that of \p system.
  InstanceSymmetry(const CollaborationSystem &system, const StepNet &net);

  /// Whether there are any instances to exchange.
  bool any() const { return !instances.empty(); }
  /// Appends to \p changes, those of a step from \p state, what brings the
  /// state behind it into the order that represents it.
  void represent(const uint32_t *state,
                 SmallVectorImpl<SlotChange> &changes) const;

private:
  /// The slots of each instance of one participant, all in the same order.
  using Blocks = std::vector<std::vector<uint32_t>>;
  std::vector<Blocks> instances;
  std::vector<bool> isExchanged; ///< by slot
};

} // namespace cif

#endif
