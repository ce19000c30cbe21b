//===- SenderChoices.h - Choreographies with choices, for tests -----------===//
//===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_SENDERCHOICES_H
#define CIF_TEST_UNIT_SENDERCHOICES_H

#include "cif/IR/Builder.h"
#include <random>

namespace cif::test {

/// A choreography of three participants: exchanges, and choices of a sender.
class SenderChoices {
public:
  explicit SenderChoices(unsigned seed) : random(seed) {
    BehaviourBuilder builder(module, BehaviourKind::Choreography, "C");
    NodeId start = builder.add(NodeKind::Initial);
    NodeId end = builder.add(NodeKind::Final);
    builder.flow(block(builder, start, 3, 1), end);
  }
  int below(int n) { return std::uniform_int_distribution<>(0, n - 1)(random); }
  Module module;

private:
  NodeId exchange(BehaviourBuilder &builder, int from, int to) {
    static const char *const names[] = {"a", "b", "c"};
    return builder.interaction(names[from], names[to],
                               "m" + std::to_string(count++));
  }
  NodeId block(BehaviourBuilder &builder, NodeId at, int length, int depth) {
    for (int i = 0; i < length; ++i) {
      int from = below(3), to = (from + 1 + below(2)) % 3;
      if (depth == 0 || below(2)) {
        NodeId next = exchange(builder, from, to);
        builder.flow(at, next);
        at = next;
        continue;
      }
      NodeId split = builder.add(NodeKind::Choice);
      NodeId join = builder.add(NodeKind::SimpleJoin);
      builder.flow(at, split);
      for (int b = 0; b < 2; ++b) {
        NodeId first = exchange(builder, from, to);
        builder.flow(split, first);
        builder.flow(block(builder, first, below(2), depth - 1), join);
      }
      at = join;
    }
    return at;
  }
  std::mt19937 random;
  int count = 0;
};

} // namespace cif::test

#endif
