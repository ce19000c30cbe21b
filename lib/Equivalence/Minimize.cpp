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
  if (relation != Relation::Trace && relation != Relation::WeakTrace)
    return reachablePart(reduce(lts, relation).quotient);
  // The traces of a bisimilar LTS are the same, and its subsets are fewer.
  bool weak = relation == Relation::WeakTrace;
  TauIs tau = weak ? TauIs::Silent : TauIs::Visible;
  Lts reduced = minimize(lts, weak ? Relation::Branching : Relation::Strong);
  std::optional<Lts> deterministic;
  if (budget)
    deterministic = determinizeWithin(reduced, tau, *budget, limit);
  else
    deterministic = determinize(reduced, tau);
  if (!deterministic)
    return std::nullopt;
  return reachablePart(reduce(*deterministic, Relation::Strong).quotient);
}

Lts cif::minimize(const Lts &lts, Relation relation) {
  std::string limit;
  return *minimizeImpl(lts, relation, nullptr, limit);
}

std::optional<Lts> cif::minimizeWithin(const Lts &lts, Relation relation,
                                       Budget &budget, std::string &limit) {
  return minimizeImpl(lts, relation, &budget, limit);
}
