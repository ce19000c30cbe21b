//===- WrappedSystem.h - A system with other steps ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What reductions have in common: the states of another system, and fewer of
/// its steps.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_EXPLORE_WRAPPEDSYSTEM_H
#define CIF_EXPLORE_WRAPPEDSYSTEM_H

#include "cif/Semantics/System.h"

namespace cif {

/// A \p Base that answers as an \p Inner, which outlives it, except for the
/// steps.
template <class Base, class Inner = Base>
class WrappedSystem : public Base {
public:
  void initial(uint32_t *state) const override { system.initial(state); }
  bool saysFinal() const override { return system.saysFinal(); }
  bool isFinal(const uint32_t *state) const override {
    return system.isFinal(state);
  }
  std::string describe(const uint32_t *state) const override {
    return system.describe(state);
  }
  std::vector<TransitQueue> transit(const uint32_t *state) const override {
    return system.transit(state);
  }
  uint32_t slotMaximum(unsigned slot) const override {
    return system.slotMaximum(slot);
  }
  Origin slotOrigin(unsigned slot) const override {
    return system.slotOrigin(slot);
  }
  bool isInterned(unsigned slot) const override {
    return system.isInterned(slot);
  }
  void exportWords(unsigned slot, uint32_t value,
                   SmallVectorImpl<uint32_t> &words) const override {
    system.exportWords(slot, value, words);
  }
  std::optional<uint32_t> importWords(unsigned slot,
                                      ArrayRef<uint32_t> words) const override {
    return system.importWords(slot, words);
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

protected:
  explicit WrappedSystem(const Inner &of) : system(of) {
    this->numSlots = of.width();
    this->labelTable = of.labels();
    this->groupTable = of.groups();
    this->abstractionTexts = of.abstractions();
  }
  const Inner &system;
};

} // namespace cif

#endif
