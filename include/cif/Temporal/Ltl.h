//===- Ltl.h - Temporal properties over exchanges -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Linear temporal logic over what the runs of an LTS show.
///
/// A run shows a word: its visible labels, one position each; silent steps are
/// no positions. Runs are maximal: they go on for ever, or end in a state
/// without steps, or in a final state. A run that ends, and one that only takes
/// silent steps from some point on, shows finitely many labels; behind them all
/// positions hold `end` and no exchange, for ever. So every word is infinite
/// and of each formula and its negation exactly one holds on it.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEMPORAL_LTL_H
#define CIF_TEMPORAL_LTL_H

#include "cif/IR/Lts.h"
#include "cif/Support/Limits.h"
#include "cif/Temporal/Fairness.h"
#include <memory>
#include <optional>

namespace cif::ltl {

enum class Op : uint8_t {
  True,
  False,
  Atom, ///< lhs: its number
  Not,
  And,
  Or,
  Next,
  Until,   ///< lhs until rhs, which happens
  Release, ///< rhs until and with lhs, or for ever
};

using FormulaId = uint32_t;

/// Formulas, each once; operands have smaller numbers.
class Formulas {
public:
  struct Node {
    Op op;
    uint32_t lhs = 0, rhs = 0;
    auto operator<=>(const Node &) const = default;
  };
  Formulas() { nodes = {{Op::True}, {Op::False}}; }
  static constexpr FormulaId yes = 0, no = 1;

  FormulaId atom(uint32_t number) { return make({Op::Atom, number, 0}); }
  /// Negation, conjunction and disjunction, simplified where an operand is
  /// constant. Equal formulas have equal ids.
  FormulaId negate(FormulaId f);
  FormulaId both(FormulaId a, FormulaId b);
  FormulaId either(FormulaId a, FormulaId b);
  FormulaId implies(FormulaId a, FormulaId b) { return either(negate(a), b); }
  FormulaId next(FormulaId f) { return make({Op::Next, f, 0}); }
  FormulaId until(FormulaId a, FormulaId b) { return make({Op::Until, a, b}); }
  FormulaId release(FormulaId a, FormulaId b) {
    return make({Op::Release, a, b});
  }
  FormulaId weakUntil(FormulaId a, FormulaId b) {
    return release(b, either(a, b));
  }
  FormulaId eventually(FormulaId f) { return until(yes, f); }
  FormulaId always(FormulaId f) { return release(no, f); }

  const Node &operator[](FormulaId f) const { return nodes[f]; }
  size_t size() const { return nodes.size(); }
  /// \p f, or its negation, with negations on atoms only.
  FormulaId normal(FormulaId f, bool negated);

private:
  FormulaId make(Node node);
  std::vector<Node> nodes;
};

/// What a position may show.
struct Atom {
  enum Kind : uint8_t {
    Message,  ///< any exchange of this message, or a label of this text
    Exchange, ///< `p->q:m`
    Send,     ///< `p!q:m`; `q!m`: any sender
    Receive,  ///< `q?p:m`; `p?m`: any receiver
    End,      ///< nothing more is shown
    Done,     ///< the run ended in a final state
    Stuck,    ///< the run ended in another state
    Tokens,   ///< of a state: `tokens(e) > 1`
    Messages, ///< of a state: `messages(f) > 1`
    Active,   ///< of a state: `active(a)`
    Bit,      ///< a plain label with a `1` at this place
  };
  enum Relation : uint8_t { Less, AtMost, Equal, Different, AtLeast, More };
  Kind kind = Message;
  std::string sender, receiver, message; ///< of a state: the element's name
  Relation relation = AtLeast;
  uint32_t count = 1;
  auto operator<=>(const Atom &) const = default;

  /// Whether it speaks of what a state holds.
  bool saysState() const { return kind >= Tokens && kind <= Active; }
  /// Whether it is true of a state with so many.
  bool holdsFor(uint64_t number) const;

  /// Whether a step with this label shows the exchange.
  bool matches(const Label &label) const;
  /// As users write it.
  std::string text() const;
};

struct Property {
  std::string text;
  Formulas formulas;
  std::vector<Atom> atoms;
  FormulaId root = Formulas::yes;

  /// The number of an atom, which is added if it is new.
  uint32_t atomNumber(const Atom &atom);
  /// Whether it speaks of states, so that every step is a position.
  bool saysStates() const {
    return llvm::any_of(atoms, [](const Atom &a) { return a.saysState(); });
  }
  /// Whether it is seen to depend on nothing but the order of the exchanges
  /// that it names: what else happens between them, and whether that goes on
  /// for ever, makes no difference. LtlFormula.cpp says how that is seen.
  bool ignoresOthers() const;
};

struct SyntaxError {
  std::string expected, found;
};

/// Reads a formula or a pattern in words (docs/passes/check-property.md).
std::optional<Property> parseProperty(StringRef text, SyntaxError &error);
/// The properties of a list that is separated by `;`.
std::vector<std::string> splitProperties(StringRef text);

/// A Büchi automaton of the words on which a formula holds, made as far as it
/// is walked. A letter is what one position may show: the atoms that are true.
class Automaton {
public:
  /// \p f is in normal form.
  Automaton(const Formulas &formulas, FormulaId f,
            std::vector<std::vector<bool>> letters, const Limits &limits);
  ~Automaton();

  /// Where runs begin is 0. After reading \p letter in \p q; none when a limit
  /// was met.
  ArrayRef<uint32_t> successors(uint32_t q, uint32_t letter);
  /// Entered with all that was promised kept once more.
  bool accepting(uint32_t q) const;
  /// Every continuation is accepted.
  bool universal(uint32_t q) const;
  /// States so far.
  size_t size() const;
  /// The limit that stopped it; empty: none.
  const std::string &limit() const;

private:
  class Impl;
  std::unique_ptr<Impl> impl;
};

/// A word: \p stem, then \p cycle for ever. Each position has its atoms.
struct Word {
  std::vector<std::vector<bool>> stem, cycle;
};
/// Whether \p f holds at the beginning of \p word.
bool holdsOn(const Formulas &formulas, FormulaId f, const Word &word);

enum class RunEnd : uint8_t {
  Never,  ///< the cycle shows something
  Silent, ///< the cycle is silent
  Done,
  Stuck,
  Open, ///< whatever comes behind the stem
};

/// A run by transitions of the LTS; the cycle is empty when it ends.
struct Run {
  std::vector<uint32_t> stem, cycle;
  RunEnd end = RunEnd::Never;
};

struct CheckOptions {
  Limits limits;
  /// States below have all their transitions; those from here on are not known.
  size_t expanded = SIZE_MAX;
  /// Runs that go on for ever count when they are fair.
  ArrayRef<FairnessSet> fairness;
};

struct CheckResult {
  std::optional<Run> counterexample;
  bool complete = false; ///< else `limit` says why
  std::string limit;
  size_t productStates = 0;
};

/// Whether \p run is a run of \p lts, one that counts where there is fairness,
/// on which \p property does not hold: evaluated position by position, without
/// an automaton.
bool replays(const Lts &lts, const Property &property, const Run &run,
             ArrayRef<FairnessSet> fairness);

/// Looks for a run of \p lts on which \p property does not hold. The run found
/// was evaluated again, position by position. Not complete at a limit: without
/// a counterexample there is no verdict then.
CheckResult check(const Lts &lts, Property &property,
                  const CheckOptions &options);

} // namespace cif::ltl

#endif
