//===- ExprOrder.cpp - Expressions as the written forms have them ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/ExprOrder.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/Support/MathExtras.h"

using namespace cif;

ExprOrder::ExprOrder(const Module &module) {
  if (module.exprs.empty())
    return;
  fold(module);
  numbers.assign(module.exprs.size(), ExprId::noneValue);
  for (const Behaviour &b : module.behaviours) {
    for (const Node &n : b.nodes) {
      for (uint32_t i = 0; i < n.numArguments; ++i)
        visit(module, b.arguments[n.firstArgument + i]);
      visit(module, n.condition);
    }
    for (const Flow &f : b.flows)
      visit(module, f.guard);
  }
}

/// Finds equal expressions. Operands come first, so one pass is enough.
void ExprOrder::fold(const Module &module) {
  const std::vector<Expr> &exprs = module.exprs;
  same.resize(exprs.size());
  std::vector<uint32_t> slots(llvm::PowerOf2Ceil(exprs.size() * 2 + 8), 0);
  size_t mask = slots.size() - 1;
  auto operand = [&](ExprId id) { return id ? same[id.index()] : id.raw(); };
  for (size_t i = 0; i < exprs.size(); ++i) {
    const Expr &e = exprs[i];
    uint32_t lhs = operand(e.lhs), rhs = operand(e.rhs);
    size_t slot =
        llvm::hash_combine(e.op, e.sort.value, lhs, rhs, e.value,
                           e.name.index(), e.loc.source.raw(), e.loc.line,
                           e.loc.column, e.loc.element.index()) &
        mask;
    for (; slots[slot]; slot = (slot + 1) & mask) {
      const Expr &o = exprs[slots[slot] - 1];
      if (o.op == e.op && o.sort == e.sort && operand(o.lhs) == lhs &&
          operand(o.rhs) == rhs && o.value == e.value && o.name == e.name &&
          o.loc == e.loc)
        break;
    }
    if (!slots[slot])
      slots[slot] = static_cast<uint32_t>(i + 1);
    same[i] = slots[slot] - 1;
  }
}

void ExprOrder::visit(const Module &module, ExprId root) {
  if (!root)
    return;
  stack.push_back(same[root.index()]);
  while (!stack.empty()) {
    uint32_t top = stack.back();
    if (numbers[top] != ExprId::noneValue) {
      stack.pop_back();
      continue;
    }
    const Expr &e = module.exprs[top];
    size_t before = stack.size();
    for (ExprId id : {e.rhs, e.lhs}) // the left one on top
      if (id && numbers[same[id.index()]] == ExprId::noneValue)
        stack.push_back(same[id.index()]);
    if (stack.size() != before)
      continue;
    numbers[top] = static_cast<uint32_t>(order.size());
    uint64_t written = 1;
    for (ExprId id : {e.lhs, e.rhs})
      if (id) {
        ++useCounts[number(id)];
        written += sizes[number(id)];
      }
    order.push_back(ExprId(top));
    useCounts.push_back(0);
    sizes.push_back(
        static_cast<uint32_t>(std::min<uint64_t>(written, 0xffffffffu)));
    stack.pop_back();
  }
  ++useCounts[number(root)];
}
