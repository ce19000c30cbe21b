//===- AmendTerm.h - Messages that make a term connected ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Amendments of terms: the fewest interactions that make a choreography
/// connected.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_REPAIR_AMENDTERM_H
#define CIF_REPAIR_AMENDTERM_H

#include "cif/Calculus/Connectedness.h"

namespace cif {

/// One way to make a term connected.
struct TermAmendment {
  Term term;
  /// Of each subterm of `term`: what it was; empty where it is new.
  std::vector<TermId> origin;
  unsigned added = 0; ///< interactions, each on an operation of its own
  std::vector<TermId> renamed; ///< in `term`, on operations of their own
  unsigned semantics = 0;      ///< how many semantics it is connected for
};

struct TermAmendments {
  enum Outcome : uint8_t {
    Connected,   ///< it was already
    Found,       ///< `ways`, the one with the fewest messages first
    TwoDeciders, ///< `flaws` are choices that more messages cannot repair
    GaveUp,
  } outcome = GaveUp;
  std::vector<TermAmendment> ways;
  /// No smaller number of messages between the roles of the term suffices, and
  /// `ways` has all solutions with that number (except for `more`).
  bool fewest = false;
  bool more = false; ///< there are more solutions of the same size
  uint64_t tried = 0;
  std::string limit; ///< GaveUp: that of the run, where it is one
  std::vector<ConnectednessViolation> flaws;
};

struct AmendOptions {
  IocSemantics semantics = IocSemantics::Synchronous;
  /// A choice with two deciders gets one of them, by a message that tells the
  /// other; else it is left alone.
  bool moveDeciders = false;
  uint64_t maxWork = 4'000'000; ///< subterms that are looked at in all
  unsigned mostWays = 20;
  Limits limits; ///< time and interruption
};

/// Kinds of terms that can be amended.
ArrayRef<TermKind> amendKinds();

/// Adds interactions between roles of \p term, on fresh operations, until it is
/// connected; uses of one operation that are not ordered get operations of
/// their own. Every solution is connected, and has the traces of \p term once
/// the additions are hidden and the renamings undone. \p term must have only
/// amendKinds, and calls in tail position only. At a limit: GaveUp.
TermAmendments amendTerm(const Term &term, const AmendOptions &options);

} // namespace cif

#endif
