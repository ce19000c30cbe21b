//===- Minimize.cpp - Minimisation --------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Equivalence/Minimize.h"
#include "cif/Equivalence/Partition.h"
#include "cif/LTS/Operations.h"

using namespace cif;

static Outcome<Lts> minimizeImpl(const Lts &lts, Relation relation,
                                 Budget *budget) {
  assert(canMinimize(relation) && "not a relation to minimise by");
  auto reduced = [&](const Lts &from, Relation by) -> Outcome<Lts> {
    std::string limit;
    std::optional<Reduction> result =
        budget ? reduceWithin(from, by, *budget, limit) : reduce(from, by);
    if (!result)
      return Stopped{limit};
    return reachablePart(result->quotient);
  };
  if (relation != Relation::Trace && relation != Relation::WeakTrace)
    return reduced(lts, relation);
  // The traces of a bisimilar LTS are the same, and its subsets are fewer.
  bool weak = relation == Relation::WeakTrace;
  TauIs tau = weak ? TauIs::Silent : TauIs::Visible;
  Outcome<Lts> small =
      reduced(lts, weak ? Relation::Branching : Relation::Strong);
  if (!small)
    return small;
  Outcome<Lts> deterministic = budget ? determinizeWithin(*small, tau, *budget)
                                      : determinize(*small, tau);
  if (!deterministic)
    return deterministic;
  return reduced(*deterministic, Relation::Strong);
}

Lts cif::minimize(const Lts &lts, Relation relation) {
  return *minimizeImpl(lts, relation, nullptr);
}

Outcome<Lts> cif::minimizeWithin(const Lts &lts, Relation relation,
                                 Budget &budget) {
  return minimizeImpl(lts, relation, &budget);
}
