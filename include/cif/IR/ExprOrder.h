//===- ExprOrder.h - Expressions as the written forms have them -----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// In memory, expressions are in the order in which they were made, equal ones
/// may occur several times, and some may no longer be used. The binary and the
/// text form have one order: equal expressions once, only those in use,
/// operands first, by first use (behaviours, their nodes' arguments and
/// condition, then their flows' guards). That makes the written form of a
/// module independent of its history, and lets text be expanded and folded
/// again without a trace.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_IR_EXPRORDER_H
#define CIF_IR_EXPRORDER_H

#include "cif/IR/Module.h"

namespace cif {

class ExprOrder {
public:
  /// Orders the expressions that are used in \p module.
  explicit ExprOrder(const Module &module);

  size_t size() const { return order.size(); }
  /// The expression of the module that stands at this number.
  ExprId at(uint32_t number) const { return order[number]; }
  /// The number of an expression in use.
  uint32_t number(ExprId id) const { return numbers[same[id.index()]]; }
  uint32_t numberOrNone(ExprId id) const {
    return id ? number(id) : ExprId::noneValue;
  }
  /// How many expressions and places refer to this number.
  uint32_t uses(uint32_t number) const { return useCounts[number]; }
  /// How many operators and leaves it is when written out; saturates.
  uint32_t writtenSize(uint32_t number) const { return sizes[number]; }

private:
  void fold(const Module &module);
  void visit(const Module &module, ExprId root);

  std::vector<uint32_t> same;    // the first of the equal ones
  std::vector<uint32_t> numbers; // of each first one; none when not in use
  std::vector<ExprId> order;
  std::vector<uint32_t> useCounts, sizes;
  std::vector<uint32_t> stack;
};

} // namespace cif

#endif
