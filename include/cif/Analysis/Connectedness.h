//===- Connectedness.h - Can the roles follow the choreography? -----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Connectedness of interaction-oriented choreographies under the five
/// semantics of [iocpoc]: conditions on the text of a choreography under which
/// its projection behaves as it says. docs/connectedness.md explains them.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_ANALYSIS_CONNECTEDNESS_H
#define CIF_ANALYSIS_CONNECTEDNESS_H

#include "cif/Semantics/IocTerm.h"

namespace cif {

/// What `I ; J` promises about the events of I and J [iocpoc, section 3].
enum class IocSemantics : uint8_t {
  Synchronous,
  Sender,
  Receiver,
  SenderReceiver,
  Disjoint,
};
constexpr unsigned numIocSemantics = 5;
/// "sync", "sender", "receiver", "sender-receiver", "disjoint".
StringRef iocSemanticsName(IocSemantics semantics);
/// The same for a sentence: "synchronous", "sender", ...
StringRef iocSemanticsText(IocSemantics semantics);

/// Whether \p first may stand right before \p second [iocpoc, section 3].
bool mayPrecede(IocSemantics semantics, const TermAction &first,
                const TermAction &second);
/// Whether \p first and \p second may begin branches of one choice
/// [iocpoc, Defs. 4.3 and 5.1].
bool mayCompete(IocSemantics semantics, const TermAction &first,
                const TermAction &second);

enum class ConnectednessRule : uint8_t {
  Sequence,   ///< nobody can keep `second` behind `first`
  Decider,    ///< `first` and `second` begin branches and have two deciders
  Informed,   ///< `role` takes part in one branch only
  LoopExit,   ///< `role` is in the loop and in nothing that follows it
  Causality,  ///< both on one operation, and nothing orders them for sure
  Parallel,   ///< both on one operation, in parallel
  Exclusive,  ///< both on one operation, in different branches of a choice
  LeftBehind, ///< `first` may still be awaited in a branch that was not taken
              ///< when `second` is sent
};
/// The name of the flaw: "no sequentiality", ...
StringRef flawName(ConnectednessRule rule);

struct ConnectednessViolation {
  ConnectednessRule rule;
  TermId at; ///< the Sequence, Choice, Loop or Parallel
  /// The two interactions; of Informed: one of `role`, and one of the branch
  /// without it (empty when that has none); of LoopExit `first` only.
  TermId first, second;
  uint32_t role = TermAction::none;
};

struct ConnectednessOptions {
  IocSemantics semantics = IocSemantics::Synchronous;
  /// Causality-safety as in [iocpoc, Def. 4.5], which Theorem 5.1 is wrong for.
  bool published = false;
  uint64_t maxBytes = uint64_t(1) << 30; ///< for what is known to whom
};

struct Connectedness {
  std::vector<ConnectednessViolation> violations; ///< in the order of the text
  bool hasChoice = false;
  /// The causality relation would not fit into maxBytes; what is in
  /// `violations` is right.
  bool gaveUp = false;

  bool holds() const { return violations.empty() && !gaveUp; }
};

/// Kinds of terms that the conditions are defined for.
ArrayRef<TermKind> connectednessKinds();

/// Checks a term that has only those kinds. Time is near-linear for sequence
/// and choice; causality costs a word per 64 facts (repeated operations) for
/// each interaction.
Connectedness checkConnected(const IocTerm &term,
                             const ConnectednessOptions &options = {});

/// Sequence and choice alone, and causality alone.
void checkSequenceAndChoice(const IocTerm &term, IocSemantics semantics,
                            Connectedness &result);
void checkCausality(const IocTerm &term, const ConnectednessOptions &options,
                    Connectedness &result);

} // namespace cif

#endif
