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

#ifndef CIF_CALCULUS_CONNECTEDNESS_H
#define CIF_CALCULUS_CONNECTEDNESS_H

#include "cif/Calculus/IocGraph.h"
#include "cif/Support/Limits.h"

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
  Sequence,  ///< nothing keeps `second` after `first`
  Decider,   ///< `first` and `second` begin branches and have two deciders
  Informed,  ///< `role` takes part in one branch only
  LoopExit,  ///< `role` is in the loop and in nothing that follows it
  Uncounted, ///< `role` is in a recursion and does not notice a call in it that
             ///< something follows: how often it comes back it cannot know
  Causality, ///< both on one operation, and nothing always orders them
  Parallel,  ///< both on one operation, in parallel
  Overlap,   ///< `first` stands beside a call in parallel, so beside itself
  Ambiguous, ///< `first` is called from two branches of a choice, and different
             ///< steps follow: whoever is in it does not know where to continue
  Exclusive, ///< both on one operation, in different branches of a choice
  LeftBehind, ///< `first` may still be awaited in a branch that was not taken
              ///< when `second` is sent
};
/// The name of the flaw, as in [castagna12]: "no sequentiality", ...
StringRef flawName(ConnectednessRule rule);
/// Whether adding messages alone can repair it; and a phrase that says so.
bool repairable(ConnectednessRule rule);
StringRef repairText(ConnectednessRule rule);

/// A part of what was checked: a subterm of a term, or a node of a graph.
class IocPart {
public:
  IocPart() = default;
  IocPart(TermId subterm) : value(subterm.raw()) {}
  static IocPart ofGraph(uint32_t node) {
    IocPart part;
    part.value = node;
    return part;
  }

  explicit operator bool() const { return value != none; }
  /// Of a term.
  TermId term() const { return TermId::fromRaw(value); }
  /// Of a graph.
  uint32_t node() const {
    assert(value != none && "there is no node");
    return value;
  }
  auto operator<=>(const IocPart &) const = default;

private:
  static constexpr uint32_t none = TermId::noneValue;
  uint32_t value = none;
};

struct ConnectednessViolation {
  ConnectednessRule rule;
  /// Of a term: the Sequence, Choice, Loop or Parallel; of a graph: the split,
  /// or the step before.
  IocPart at;
  /// The two interactions; of Informed: one of `role`, and one of the branch
  /// without it (empty when that has none); of LoopExit, Uncounted,
  /// Overlap and Ambiguous `first` only.
  IocPart first, second;
  uint32_t role = TermAction::none;
};

struct ConnectednessOptions {
  IocSemantics semantics = IocSemantics::Synchronous;
  /// Causality-safety as in [iocpoc, Def. 4.5], which Theorem 5.1 is wrong for.
  bool published = false;
  uint64_t maxBytes = uint64_t(1) << 30; ///< for what is known to whom
  uint64_t maxSteps = uint64_t(1) << 28; ///< of walks over a graph
  /// Time and interruption; walks have steps in place of states.
  Limits limits;
};

struct Connectedness {
  std::vector<ConnectednessViolation> violations; ///< in the order of the text
  bool hasChoice = false;
  /// What is known would not fit into maxBytes, or the walks into maxSteps, or
  /// `limit` stopped it; the violations found so far are right.
  bool gaveUp = false;
  std::string limit; ///< of the run, where it is one
  /// Of graphs: parallel branches are joined as they were split. Otherwise the
  /// conditions are not known to be sufficient.
  bool nested = true;

  bool holds() const { return violations.empty() && !gaveUp && nested; }
};

/// Kinds of terms that the conditions are defined for.
ArrayRef<TermKind> connectednessKinds();

/// Checks a term, which must have only those kinds. Violations found are exact;
/// at a limit `gaveUp` is set and holds() is false. Time is near-linear for
/// sequence and choice; causality costs a word per 64 facts (repeated
/// operations) for each interaction. A term with loops or recursion is checked
/// as a graph, and `published` is not for it.
Connectedness checkConnected(const Term &term,
                             const ConnectednessOptions &options = {});

/// The same on a graph. On the graph of a term the verdict is that of the term.
/// `published` is for terms only.
Connectedness checkConnected(const IocGraph &graph,
                             const ConnectednessOptions &options = {});

/// Loops, `while` and recursion.
bool hasLoop(const Term &term);

/// Sequence and choice alone, and causality alone, of a term without loops.
void checkSequenceAndChoice(const Term &term,
                            const ConnectednessOptions &options,
                            Connectedness &result);
void checkCausality(const Term &term, const ConnectednessOptions &options,
                    Connectedness &result);

/// Somebody who does not know a variable.
struct DataViolation {
  enum Kind : uint8_t {
    Asked, ///< a condition asks about it, and `role` evaluates that
    Sent,  ///< `role` sends it
  } kind;
  NodeId node; ///< the choice, or the interaction
  FlowId flow; ///< of Asked: the flow with the condition, where it is one
  uint32_t role;
  Name variable;
  /// The roles that know it there, on every way.
  SmallVector<uint32_t, 2> knownBy;
};
struct DataKnowledge {
  std::vector<DataViolation> violations;
  bool gaveUp = false;
  std::string limit; ///< of the run, where it is one
};

/// Whether those who evaluate conditions and send data know the variables in
/// them [iocpoc, section 6]. \p graph is that of \p behaviour. At a limit
/// `gaveUp` is set; the violations found so far are right.
DataKnowledge checkDataKnowledge(const Module &module,
                                 const Behaviour &behaviour,
                                 const IocGraph &graph,
                                 const ConnectednessOptions &options = {});

} // namespace cif

#endif
