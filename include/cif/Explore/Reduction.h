//===- Reduction.h - Fewer orders of independent steps ----------*- C++ -*-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A collaboration that is a Petri net with stubborn sets of steps: of the
/// orders in which independent steps can be taken, only some are followed.
/// Reduction.cpp says what stays the same.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_EXPLORE_REDUCTION_H
#define CIF_EXPLORE_REDUCTION_H

#include "cif/Semantics/CollaborationSystem.h"

namespace cif {

/// Whether no transition of \p net can lead back to its own input places.
bool isAcyclic(const PetriNet &net);

class ReducedSystem final : public System {
public:
  /// \p net is \p of as a Petri net. Both must outlive this.
  ReducedSystem(const CollaborationSystem &of, const PetriNet &net);

  void initial(uint32_t *state) const override { system.initial(state); }
  void successors(const uint32_t *state, uint32_t *scratch,
                  StepSink sink) const override;
  bool saysFinal() const override { return system.saysFinal(); }
  bool isFinal(const uint32_t *state) const override {
    return system.isFinal(state);
  }
  std::string describe(const uint32_t *state) const override {
    return system.describe(state);
  }
  uint32_t slotMaximum(unsigned slot) const override {
    return system.slotMaximum(slot);
  }
  Origin slotOrigin(unsigned slot) const override {
    return system.slotOrigin(slot);
  }
  bool isBounded() const override { return system.isBounded(); }
  uint64_t weight(const uint32_t *state) const override {
    return system.weight(state);
  }
  bool covers(const uint32_t *low, const uint32_t *high) const override {
    return system.covers(low, high);
  }
  std::string pumps(const uint32_t *low, const uint32_t *high,
                    ArrayRef<Step> cycle) const override {
    return system.pumps(low, high, cycle);
  }
  std::string trouble() const override { return system.trouble(); }

private:
  class Closure;
  const CollaborationSystem &system;
  const PetriNet &net;
  std::vector<std::vector<uint32_t>> producers, consumers; ///< by place
  std::vector<std::vector<uint32_t>> ofGroup;              ///< transitions
  std::vector<bool> observed; ///< by place: two tokens on it must not be missed
};

} // namespace cif

#endif
