//===- TraceRuns.h - Runs of an LTS over a trace --------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From a sequence of labels to runs with these labels and silent steps between
/// them: what replays a witness on an LTS and finds the places that it passes.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LTS_TRACERUNS_H
#define CIF_LTS_TRACERUNS_H

#include "cif/IR/Lts.h"

namespace cif {

/// All runs over a trace that grows label by label. Level n are the states
/// after n labels and any silent steps, each once, by the number of steps that
/// lead to it. Each label costs at most the size of the LTS.
class TraceRuns {
public:
  /// Level 0 from \p from. The LTS must stay as it is.
  TraceRuns(const Lts &lts, StateIndex from);

  /// Goes on to the next level, over transitions with \p label; false: there
  /// is none, and the last level stays.
  bool follow(LabelIndex label);
  /// The same; false also if the LTS does not have \p label.
  bool follow(const Label &label);

  /// The states of the last level, as the numbers [begin(), end()).
  size_t begin() const { return levelBegin; }
  size_t end() const { return items.size(); }
  StateIndex state(size_t number) const { return items[number].state; }
  /// A shortest run to a state of the last level, as its transitions.
  std::vector<uint32_t> runTo(size_t number) const;

private:
  struct Item {
    StateIndex state;
    uint32_t parent, transition;
  };
  void reach(uint32_t transition, size_t from);
  void closeSilently();

  const Lts &lts;
  std::vector<Item> items;
  std::vector<uint32_t> seen; ///< by state: 1 + the last level that has it
  size_t levelBegin = 0;
  uint32_t level = 0;
};

} // namespace cif

#endif
