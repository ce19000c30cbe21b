//===- Pes.h - Predicate equation systems ---------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Symbolic branching bisimulation for conformance [symbolic, Def. 4] as
/// equations between predicates, one for each pair of a state of the
/// implementation and one of the choreography [symbolic, Algorithm 2]. The
/// greatest solution says for which data the two states are related.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SYMBOLIC_PES_H
#define CIF_SYMBOLIC_PES_H

#include "cif/Symbolic/Stg.h"

namespace cif {

/// A part of an equation; children stand before it.
struct PesNode {
  enum Kind : uint8_t {
    Formula,
    Apply,
    Substitute, ///< the child with `given` for its variables
    And,
    Or,
    Implies,
    ForAll,
    Exists,
  };
  Kind kind = Formula;
  FormulaId formula;  ///< of Formula
  uint32_t pair = 0;  ///< of Apply: the predicate
  Substitution given; ///< of Apply, Substitute; other variables stay
  SmallVector<VariableId, 1> bound;  ///< of ForAll, Exists
  SmallVector<uint32_t, 2> children; ///< Implies: the premise first
};

struct PesPair {
  uint32_t implementation, choreography; ///< states
  /// [firstNode, endNode) of Pes::nodes is its equation, the root last.
  uint32_t firstNode = 0, endNode = 0;
  std::vector<VariableId> variables;
  std::vector<uint32_t> uses; ///< pairs that the equation mentions
};

class Pes {
public:
  enum class Side : uint8_t { Implementation, Choreography };
  /// Pairs are found from the initial ones on; pair 0 is these.
  /// \p inclusion: only what the implementation exchanges is asked for, and not
  /// where it is done. If no two steps of the choreography answer one exchange,
  /// this is inclusion of traces.
  Pes(const Stg &implementation, const Stg &choreography, FormulaPool &pool,
      IntegerRange range, bool inclusion = false)
      : impl(implementation), spec(choreography), pool(pool), range(range),
        inclusion(inclusion) {}
  /// Whether the other side has to answer this step.
  bool counts(Side of, const StgTransition &t) const {
    return !inclusion ||
           (of == Side::Implementation && t.action != StgAction::Tick);
  }
  /// The limit that was met, or empty.
  std::string build(const Limits &limits);

  std::vector<PesPair> pairs;
  std::vector<PesNode> nodes;
  /// A silent loop changes data. The equations follow it a few times only: what
  /// they relate is related, the converse need not hold.
  bool cutsSilentLoops = false;

  /// That a value of this sort may be exchanged.
  FormulaId inRange(FormulaId value, DataSort sort);
  /// That a step may carry its values: the parameters of \p t by \p given.
  FormulaId carries(const StgTransition &t, const Substitution &given);
  /// What variables have behind a step, before it and by \p given.
  static Substitution behind(FormulaPool &pool, const StgTransition &t,
                             const Substitution &given);
  /// The parameters of \p u, as those of \p t in the same places.
  Substitution asIn(const StgTransition &t, const StgTransition &u,
                    SmallVectorImpl<VariableId> &bound);
  FormulaId canCarry(const StgTransition &t);
  const Stg &graph(Side of) const {
    return of == Side::Implementation ? impl : spec;
  }
  uint32_t find(uint32_t s1, uint32_t s2) const;
  /// `R(2, 1)(x, y)`.
  std::string name(uint32_t pair) const;

  const Stg &impl, &spec;
  FormulaPool &pool;
  const IntegerRange range;
  const bool inclusion;

private:
  uint32_t pair(uint32_t s1, uint32_t s2);
  uint32_t add(PesNode node);
  uint32_t formula(FormulaId f);
  uint32_t join(PesNode::Kind kind, SmallVector<uint32_t, 2> children);
  uint32_t implies(FormulaId premise, uint32_t then);
  uint32_t apply(uint32_t s1, uint32_t s2, Substitution given);
  uint32_t quantify(PesNode::Kind kind, SmallVector<VariableId, 1> bound,
                    uint32_t body);
  uint32_t exchange(const StgTransition &t, const StgTransition &u,
                    bool specMoves);
  uint32_t applyAt(Side by, uint32_t own, uint32_t other, Substitution given);
  uint32_t answers(Side by, uint32_t state, const StgTransition &mover);
  uint32_t afterSilent(Side by, const StgTransition &t,
                       const StgTransition &mover, uint32_t rest);
  uint32_t weakAnswers(Side by, uint32_t state, const StgTransition &mover);
  uint32_t isAnswered(Side by, uint32_t state, const StgTransition &mover);
  /// The states that silent steps lead to, \p state first.
  std::vector<uint32_t> silentClosure(Side by, uint32_t state) const;
  std::vector<uint32_t> silentOrder(Side by, ArrayRef<uint32_t> closure) const;
  bool changesInCycle(Side by, ArrayRef<uint32_t> closure) const;
  void equation(uint32_t number);

  std::map<std::pair<uint32_t, uint32_t>, uint32_t> numbers;
  Budget *budget = nullptr; ///< of build()
};

/// All equations, one a line.
void printPes(const Pes &pes, raw_ostream &os);

} // namespace cif

#endif
