//===- Verifier.h - What must hold of every module ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The rules that every module keeps between passes. One rule is one function
/// and one diagnostic (E03xx); all violations are reported. What is only
/// suspicious (unreachable nodes, dead ends) is --check-structure's matter.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_IR_VERIFIER_H
#define CIF_IR_VERIFIER_H

#include "cif/IR/Module.h"

namespace cif {

/// What a rule is about, for those who know better than its location where it
/// stands (the text form's parser).
struct VerifierSubject {
  enum Kind : uint8_t {
    Whole,
    Participant,
    Enumeration,
    Message,
    Expr,
    Behaviour,
    Node,
    Flow,
    MessageFlow,
    System,
    Fact
  };
  Kind kind = Whole;
  uint32_t index = 0;
  uint32_t behaviour = 0; ///< of a node or flow
};
using PlaceFinder = function_ref<Place(const VerifierSubject &)>;

/// Whether \p module keeps all rules; reports each violation. \p fallback
/// places what has no location of its own.
bool verify(const Module &module, DiagnosticEngine &diags,
            PlaceFinder fallback = nullptr);

} // namespace cif

#endif
