//===- Formula.h - Hennessy-Milner formulas -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Formulas that distinguish states: Hennessy and Milner's logic with strong
/// and weak modalities, the until of branching bisimulation and divergence. A
/// formula is a directed acyclic graph: nodes refer to earlier ones.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_EQUIVALENCE_FORMULA_H
#define CIF_EQUIVALENCE_FORMULA_H

#include "cif/IR/Lts.h"

namespace cif {

struct Formula {
  using NodeId = uint32_t;
  enum Op : uint8_t {
    True,
    Not,     ///< of operands[0]
    And,     ///< of all operands
    May,     ///< <a>F: a step a to a state with F (tau is a label)
    WeakMay, ///< <<a>>F: silent steps, a, silent steps, then F; a may be tau
    Until, ///< F until<a> G: silent steps over states with F, then a step a to
           ///< a state with G; for tau G may hold at once
    Diverge, ///< diverge F: silent steps for ever over states with F
  };
  struct Node {
    Op op = True;
    Label label; ///< of May, WeakMay and Until
    std::vector<NodeId> operands;
  };
  std::vector<Node> nodes; ///< operands come before what they are operands of
  NodeId root = 0;

  /// Nested modalities at most.
  unsigned depth() const;
};

/// The formula in one line: `<<"a">>(not <<"b">>true and <<"c">>true)`. Shared
/// parts are written out each time, up to \p limit bytes and then cut with
/// "...".
std::string formulaText(const Formula &formula, size_t limit = 4000);

/// The states of \p lts in which \p formula holds.
std::vector<bool> satisfying(const Formula &formula, const Lts &lts);

/// The same for every part of \p formula, up to its root.
std::vector<std::vector<bool>> satisfyingEach(const Formula &formula,
                                              const Lts &lts);

/// What a formula that \p holder satisfies and \p other does not says, in
/// sentences without full stops.
std::vector<std::string> formulaSentences(const Formula &formula,
                                          StringRef holder, StringRef other);

} // namespace cif

#endif
