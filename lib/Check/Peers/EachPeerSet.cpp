//===- EachPeerSet.cpp - The frame of checks on peers ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Check/Peers/EachPeerSet.h"
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

namespace {
/// Peers as an analysis: to explore the processes or the choreography may take
/// most of a check's time.
template <PeersFrom From>
struct MadePeers {
  std::vector<PeerSet> sets;

  MadePeers(const Module &module, const Limits &limits, DiagnosticEngine &diags)
      : sets(peerSets(module, From, limits, diags)) {}
};
} // namespace

template <PeersFrom From>
static const std::vector<PeerSet> &made(const Module &module,
                                        PassContext &context) {
  return context.analyses
      .get<MadePeers<From>>(module, context.limits, context.diags)
      .sets;
}

static const std::vector<PeerSet> &
madePeers(const Module &module, PassContext &context, PeersFrom from) {
  // What was made for one choice serves the other.
  if (from == PeersFrom::Any && hasPeers(module))
    from = PeersFrom::Given;
  else if (from == PeersFrom::Any && !findChoreographies(module).empty())
    from = PeersFrom::Choreography;
  switch (from) {
  case PeersFrom::Given:
    return made<PeersFrom::Given>(module, context);
  case PeersFrom::Choreography:
    return made<PeersFrom::Choreography>(module, context);
  case PeersFrom::Any:
    return made<PeersFrom::Any>(module, context);
  }
  llvm_unreachable("all are handled");
}

PassResult cif::checkEachPeerSet(Module &module, PassContext &context,
                                 StringRef property,
                                 function_ref<bool(const PeerSet &)> check,
                                 PeersFrom from) {
  const std::vector<PeerSet> &sets = madePeers(module, context, from);
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
    return PassResult::Stopped;
  }
  return change(which.front(), sets.front());
}
