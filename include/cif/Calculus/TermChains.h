//===- TermChains.h - A term with shorter chains of steps -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// In a long sequence most participants only hand on: they receive and send
/// next, and do nothing else. A flaw does not depend on how many they are.
/// docs/algorithms.md ("Chains") has the argument.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CALCULUS_TERMCHAINS_H
#define CIF_CALCULUS_TERMCHAINS_H

#include "cif/IR/Term.h"

namespace cif {

/// A term whose chains were shortened to three steps, with a new role for each
/// visit of a role that only hands on messages.
struct ShortTerm {
  Term term;
  /// Roles and operations from these numbers on are new.
  uint32_t firstRole = 0, firstOperation = 0;
  std::vector<uint32_t> copyOf; ///< by new role: whose visit it is
  /// By new operation: the steps that its step stands for, one after the other,
  /// as nodes of the behaviour.
  std::vector<std::vector<NodeId>> standsFor;
  /// Of each who only hands on: the steps, in order.
  std::vector<std::vector<NodeId>> relays;

  /// Whether all who only hand on can do their part of \p run, steps of the
  /// term that was shortened.
  bool allowsRelays(ArrayRef<NodeId> run) const;
};

/// \p term with its chains shortened. Nothing: it would be hardly shorter.
std::optional<ShortTerm> shortenChains(const Term &term);

} // namespace cif

#endif
