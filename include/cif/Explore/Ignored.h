//===- Ignored.h - Steps that a reduction puts off for ever -----*- C++ -*-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What every reduction of a system with cycles has to ensure: no step may be
/// left out in all states of a component that no transition leaves.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_EXPLORE_IGNORED_H
#define CIF_EXPLORE_IGNORED_H

#include "cif/Explore/Explorer.h"
#include <set>

namespace cif {

/// The states of a reduced system in which all steps are taken.
class ExpandedStates {
public:
  /// \p explored: all states of a reduction of \p system, with the step of each
  /// transition. The reduction is by strong stubborn sets, so that a step which
  /// is left out stays possible until it is taken. For each component that no
  /// transition leaves and in which a step is left out in every state, one
  /// state is added; true: one was [valmari2017].
  bool expand(const System &system, const Exploration &explored);
  /// The same for each cycle, not only where nothing leaves: one of its states
  /// takes all steps afterwards. What properties of infinite runs need
  /// [peled1996].
  bool expandCycles(const System &system, const Exploration &explored);
  bool contains(const uint32_t *state, size_t width) const {
    return !states.empty() &&
           states.count(std::vector<uint32_t>(state, state + width));
  }

private:
  std::set<std::vector<uint32_t>> states;
};

} // namespace cif

#endif
