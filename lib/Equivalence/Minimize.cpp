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

static std::optional<Lts> minimizeImpl(const Lts &lts, Relation relation,
                                       Budget *budget, std::string &limit) {
  assert(canMinimize(relation) && "not a relation to minimise by");
  auto reduced = [&](const Lts &from, Relation by) -> std::optional<Lts> {
    std::optional<Reduction> result =
        budget ? reduceWithin(from, by, *budget, limit) : reduce(from, by);
    if (!result)
      return std::nullopt;
    return reachablePart(result->quotient);
  };
  if (relation != Relation::Trace && relation != Relation::WeakTrace)
    return reduced(lts, relation);
  // The traces of a bisimilar LTS are the same, and its subsets are fewer.
  bool weak = relation == Relation::WeakTrace;
  TauIs tau = weak ? TauIs::Silent : TauIs::Visible;
  std::optional<Lts> small =
      reduced(lts, weak ? Relation::Branching : Relation::Strong);
  if (!small)
    return std::nullopt;
  std::optional<Lts> deterministic;
  if (budget)
    deterministic = determinizeWithin(*small, tau, *budget, limit);
  else
    deterministic = determinize(*small, tau);
  if (!deterministic)
    return std::nullopt;
  return reduced(*deterministic, Relation::Strong);
}

Lts cif::minimize(const Lts &lts, Relation relation) {
  std::string limit;
  return *minimizeImpl(lts, relation, nullptr, limit);
}

std::optional<Lts> cif::minimizeWithin(const Lts &lts, Relation relation,
                                       Budget &budget, std::string &limit) {
  return minimizeImpl(lts, relation, &budget, limit);
}
