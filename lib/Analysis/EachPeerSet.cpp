//===- EachPeerSet.cpp - The frame of checks on peers ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EachPeerSet.h"
#include "cif/Support/DiagnosticKinds.h"

using namespace cif;

Fact cif::factOn(StringRef property, const PeerSet &set) {
  Fact fact;
  fact.property = property.str();
  fact.subject = set.subject;
  fact.at = set.at;
  return fact;
}

Fact cif::limitFact(StringRef property, const PeerSet &set) {
  Fact fact = factOn(property, set);
  fact.method = "projection";
  fact.message = "nothing can be said: " + set.limit;
  return fact;
}

PassResult cif::checkEachPeerSet(Module &module, PassContext &context,
                                 StringRef property,
                                 function_ref<bool(const PeerSet &)> check) {
  std::vector<PeerSet> sets =
      peerSets(module, PeersFrom::Any, context.limits, context.diags);
  if (sets.empty())
    return PassResult::Failed;
  for (const PeerSet &set : sets)
    if (!set.limit.empty())
      context.report(module, limitFact(property, set));
    else if (!check(set))
      return PassResult::Failed;
  return PassResult::Unchanged;
}

PassResult cif::changeTheChoreography(
    Module &module, PassContext &context, StringRef flag, StringRef property,
    function_ref<PassResult(ChoreographyRef, PeerSet &)> change) {
  std::vector<ChoreographyRef> which = findChoreographies(module);
  if (which.size() > 1) {
    context.diags.report(diag::one_choreography) << flag << which.size();
    return PassResult::Failed;
  }
  std::vector<PeerSet> sets =
      peerSets(module, PeersFrom::Choreography, context.limits, context.diags);
  if (sets.empty())
    return PassResult::Failed;
  if (!sets.front().limit.empty()) {
    context.report(module, limitFact(property, sets.front()));
    return PassResult::Unchanged;
  }
  return change(which.front(), sets.front());
}
