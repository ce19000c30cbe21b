//===- BehaviourOfTerm.h - From a changed term back to a behaviour --------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From an amended term back to a graph that keeps the nodes, places and
/// conditions of the behaviour it came from.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CALCULUS_BEHAVIOUROFTERM_H
#define CIF_CALCULUS_BEHAVIOUROFTERM_H

#include "cif/IR/Term.h"

namespace cif {

/// The behaviour of \p term, which was made of that of \p old and has anything
/// but interruption. Steps, splits and guards are those of \p old where they
/// come from it; \p messages has the message of each action of \p term.
Behaviour behaviourOf(Module &module, const Behaviour &old, const Term &term,
                      ArrayRef<MessageId> messages);

} // namespace cif

#endif
