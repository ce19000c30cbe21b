//===- LtsBuilder.h - An LTS from loose transitions ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Puts transitions that arrive in any order into the rows of an Lts: a stable
/// counting sort by source, so that a row keeps the order of arrival. As long
/// as the sources arrive in order no copy of them is kept.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LTS_LTSBUILDER_H
#define CIF_LTS_LTSBUILDER_H

#include "cif/IR/Lts.h"
#include "llvm/ADT/StringMap.h"
#include <cstdlib>
#include <memory>

namespace cif {

/// Labels, each once, in order of appearance; tau is always 0.
class LabelTable {
public:
  /// The index of \p label, which is added when it is new.
  LabelIndex intern(const Label &label);
  size_t size() const { return all.size(); }
  const Label &operator[](LabelIndex index) const { return all[index]; }
  std::vector<Label> take() && { return std::move(all); }

private:
  std::vector<Label> all{Label::tau()};
  llvm::StringMap<LabelIndex> indexes; // by labelText, which is one to one
};

class LtsBuilder {
public:
  LabelTable labels;

  void reserve(size_t transitions) {
    if (transitions > capacity)
      setCapacity(transitions);
  }
  void add(StateIndex source, LabelIndex by, StateIndex to) {
    // Mostly the row goes on, and there is room.
    if (LLVM_UNLIKELY(source != lastSource || size == capacity)) {
      (void)room();
      startRow(source, 0);
    }
    label.get()[size] = by;
    target.get()[size++] = to;
  }
  size_t numTransitions() const { return size; }

  /// \name Many at once
  /// @{

  /// Where the next transitions go: there is room for at least one.
  struct Room {
    LabelIndex *label;
    StateIndex *target;
    size_t size;
  };
  /// Valid until the next call that adds something.
  Room room();
  /// The transitions from the \p ahead-th in the room on leave \p source.
  void startRow(StateIndex source, size_t ahead);
  /// So many were put into the room.
  void added(size_t count) { size += count; }
  /// Adds what \p piece has, in order. Label l of it is \p numberOf[l] here.
  void append(const LtsBuilder &piece, ArrayRef<LabelIndex> numberOf);
  /// Forgets the transitions, and keeps their room. The first row of those that
  /// come may be that of any state.
  void clear();
  /// @}

  /// The LTS; every state that was named must be below \p states.
  Lts finish(StateIndex initial, size_t states) &&;

private:
  void leaveOrder(size_t at);
  void setCapacity(size_t transitions);

  // In order: rows.back() is the last row that was begun. A row begins far
  // beyond the transitions seen only in a hostile or very odd file; such a one
  // is sorted at the end instead, when the number of states is trusted.
  bool inOrder = true;
  StateIndex firstSource = 0; ///< that of rows.front()
  StateIndex lastSource = 0;
  std::vector<uint32_t> rows{0};
  // Out of order: of all transitions before the row at hand.
  std::vector<StateIndex> sources;
  // Large arrays that grow: what std::realloc moves, no one has to copy.
  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };
  std::unique_ptr<uint32_t, Free> label, target;
  size_t size = 0, capacity = 0;
};

} // namespace cif

#endif
