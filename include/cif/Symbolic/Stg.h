//===- Stg.h - Symbolic transition graphs ---------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Symbolic transition graphs [symbolic, Def. 1]: transitions have a guard over
/// variables, an action, and give values to variables.
///
/// Where the paper renames the variables of a product, transitions here have
/// parameters of their own, one for each field that is exchanged, and updates
/// that give variables a value made of parameters and of what variables had
/// before. So one exchange can bind a variable at each end, a loop can bind a
/// variable again, and no names clash. A field with a value (`m(x + 1)`) has no
/// other; one without may have any.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SYMBOLIC_STG_H
#define CIF_SYMBOLIC_STG_H

#include "cif/IR/Term.h"
#include "cif/Support/Limits.h"
#include "cif/Support/Outcome.h"
#include "cif/Symbolic/Formula.h"

namespace cif {

enum class StgAction : uint8_t { Exchange, Send, Receive, Tick, Tau };

/// Of Send and Receive an empty partner stands for any.
struct StgLabel {
  std::string sender, receiver, message;
  auto operator<=>(const StgLabel &) const = default;
};

struct StgField {
  VariableId parameter;
  FormulaId value; ///< empty: any
};

struct StgTransition {
  uint32_t from = 0, to = 0;
  FormulaId guard;
  StgAction action = StgAction::Tau;
  StgLabel label; ///< empty of Tick; of Tau what was hidden
  SmallVector<StgField, 1> fields;
  /// Which values the fields may have together; empty: all.
  FormulaId allows;
  SmallVector<std::pair<VariableId, FormulaId>, 2> updates;
  Place at;
  /// The first parameter of the receiver's side, which the sender's replaced.
  VariableId receivedAs;
  /// Of a hidden exchange: what its fields carry.
  SmallVector<FormulaId, 1> carried;
  /// Of Tau: it is how a choice is decided, which cannot be seen.
  bool decides = false;
  /// Of Tau: it is the reception of what was sent before.
  bool receives = false;
  /// Of Tau: whose step it is, such as `exclusive gateway 'Large?' of 'shop'`.
  std::string by;
};

struct Stg {
  std::string name;
  uint32_t initial = 0;
  /// Of each state: the variables whose values matter there.
  std::vector<std::vector<VariableId>> free;
  std::vector<StgTransition> transitions; ///< by `from`

  size_t numStates() const { return free.size(); }
  /// The transitions of a state, which are one piece of `transitions`.
  ArrayRef<StgTransition> of(uint32_t state) const {
    return ArrayRef(transitions)
        .slice(begin[state], begin[state + 1] - begin[state]);
  }
  size_t numberOf(const StgTransition &t) const {
    return &t - transitions.data();
  }
  /// Whether some way leads back to where it was.
  bool hasLoop() const;
  /// Sorts the transitions, finds which variables matter and forgets updates of
  /// those that do not [symbolic, Def. 1: fv(s)].
  void finish(const FormulaPool &pool, size_t states);

private:
  std::vector<uint32_t> begin;
};

/// The values that exchanged integers may have; none: all.
struct IntegerRange {
  std::optional<int64_t> lowest, highest;
  /// That \p value is one of them.
  FormulaId contains(FormulaId value, FormulaPool &pool) const;
  /// One of them, always the same.
  int64_t any() const {
    return lowest ? *lowest : highest ? std::min<int64_t>(0, *highest) : 0;
  }
};

/// A condition that is left open: whether it is true is anybody's guess.
struct OpenCondition {
  std::string text, why;
  Place at;
};

/// The graph of a choreography or a process [symbolic, Fig. 2]. Failed: an
/// error names what has no meaning here. Conditions that cannot be followed are
/// added to \p open.
Outcome<Stg> buildStg(const Module &module, const Behaviour &behaviour,
                      FormulaPool &pool, const Limits &limits,
                      DiagnosticEngine &diags,
                      std::vector<OpenCondition> &open);

/// The graph of a behaviour by tokens on flows, whether it is a term or not.
/// Failed, and \p why: a node has no meaning here.
Outcome<Stg> stgOfGraph(const Module &module, const Behaviour &behaviour,
                        FormulaPool &pool, const Limits &limits,
                        std::vector<OpenCondition> &open, TermBreak &why);

/// How messages travel between parts; docs/semantics.md says which may come
/// first.
struct StgNetwork {
  enum Kind : uint8_t {
    Handshakes,
    Bag,    ///< any order
    Pair,   ///< a queue for each sender and receiver
    Inbox,  ///< a queue for each receiver
    Outbox, ///< a queue for each sender
    All,    ///< one queue
    One,    ///< one message in all
  } kind = Handshakes;
  uint32_t bound = UINT32_MAX; ///< of each queue, or of each message in a bag
};

/// What the parts do together by handshakes [symbolic, Fig. 3 and
/// Algorithm 1], for any number of parts.
Outcome<Stg> product(ArrayRef<Stg> parts, FormulaPool &pool,
                     const Limits &limits);
/// The same over a network: sends show, and receptions are silent.
Outcome<Stg> product(ArrayRef<Stg> parts, FormulaPool &pool,
                     const Limits &limits, const StgNetwork &network);

/// The graph of a module that is to conform: the product of its processes, or
/// where it has none its one choreography. Failed: reported.
Outcome<Stg> buildImplementation(const Module &module, FormulaPool &pool,
                                 const Limits &limits, DiagnosticEngine &diags,
                                 std::vector<OpenCondition> &open,
                                 const StgNetwork &network = {});

/// The graph of an LTS, a choreography's or a peer's, which carries no data.
Stg stgOfSystem(const Module &module, const SystemDecl &system,
                FormulaPool &pool);

/// Makes every exchange silent that \p alphabet does not have [symbolic,
/// Def. 2]. What a hidden exchange gives to variables becomes a constant that
/// nobody knows, named like the variable; in a cycle, where it is another one
/// each time, it stays a parameter of the transition. What is hidden carries
/// values of \p range, too.
Stg restrict(const Stg &stg, ArrayRef<StgLabel> alphabet, FormulaPool &pool,
             const IntegerRange &range = {});
/// The labels of all exchanges, sorted.
std::vector<StgLabel> alphabetOf(const Stg &stg);
/// Those that a choreography mentions, sorted, whether they can happen or not.
std::vector<StgLabel> alphabetOf(const Module &module,
                                 const Behaviour &choreography);

/// What a silent step without a message does, for people.
std::string silentText(const FormulaPool &pool, const StgTransition &t);
/// One transition a line, with guards and what matters in each state.
void printStg(const FormulaPool &pool, const Stg &stg, raw_ostream &os);
/// The same for Graphviz, as a cluster of number \p cluster.
void printStgDot(const FormulaPool &pool, const Stg &stg, unsigned cluster,
                 raw_ostream &os);

} // namespace cif

#endif
