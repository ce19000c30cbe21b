//===- Operations.h - Making one LTS from another -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LTS_OPERATIONS_H
#define CIF_LTS_OPERATIONS_H

#include "cif/IR/Lts.h"
#include "cif/Support/Limits.h"
#include "cif/Support/Outcome.h"
#include <optional>

namespace cif {

/// \p lts with every label for which \p hidden holds made tau; the other
/// labels keep their order.
Lts hide(const Lts &lts, function_ref<bool(const Label &)> hidden);

/// Whether \p name names \p label: a text of it, in any of the ways to write
/// it, or the part of a plain text that stands before an opening parenthesis
/// (`lock` names `lock(1, 2)`).
bool namesLabel(StringRef name, const Label &label);

/// The states that can be reached from the initial one, in their old order.
Lts reachablePart(const Lts &lts);

/// \p left and \p right side by side, the states of \p right after those of
/// \p left; equal labels become one. The initial state is that of \p left, that
/// of \p right is left.numStates() + right.initial. Final states are kept when
/// both sides say something of them.
Lts disjointUnion(const Lts &left, const Lts &right);

enum class TauIs : uint8_t {
  Silent,  ///< a state is taken together with all that it reaches silently
  Visible, ///< a label like the others
};

/// The subset construction: a deterministic LTS with the same (weak) traces,
/// states in breadth-first order. A state is final when some member is.
Lts determinize(const Lts &lts, TauIs tau = TauIs::Silent);
/// The same within limits.
Outcome<Lts> determinizeWithin(const Lts &lts, TauIs tau, Budget &budget);

/// Backward transitions in CSR form: those into s are [begin[s], begin[s + 1]).
struct Predecessors {
  std::vector<uint32_t> begin;
  std::vector<StateIndex> source;

  /// All transitions. O(states + transitions).
  explicit Predecessors(const Lts &lts);
  /// Only the transitions with this label.
  Predecessors(const Lts &lts, LabelIndex only);
  ArrayRef<StateIndex> of(StateIndex s) const {
    return ArrayRef(source).slice(begin[s], begin[s + 1] - begin[s]);
  }
};

/// The same with the label of each transition.
struct LabelledPredecessors : Predecessors {
  std::vector<LabelIndex> label;

  /// All transitions. O(states + transitions).
  explicit LabelledPredecessors(const Lts &lts);
  ArrayRef<LabelIndex> labelsOf(StateIndex s) const {
    return ArrayRef(label).slice(begin[s], begin[s + 1] - begin[s]);
  }
};

} // namespace cif

#endif
