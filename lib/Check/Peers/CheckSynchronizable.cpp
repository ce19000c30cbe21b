//===- CheckSynchronizable.cpp - --check-synchronizable -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Check/Peers/EachPeerSet.h"
#include "cif/Check/Peers/QueueOptions.h"
#include "cif/Check/Peers/Realizability.h"
#include "cif/Check/Replay.h"

using namespace cif;

/// How the peers with queues compare with handshakes; no verdict if they are
/// not realizable.
static std::optional<Synchronizability>
queuesOfRealizable(const PeerSet &set, const SynchronizabilityOptions &options,
                   DiagnosticEngine &diags) {
  std::optional<Realizability> result = checkRealizability(
      set.module, set.global->lts, Relation::WeakTrace, options, diags);
  if (!result)
    return std::nullopt;
  if (result->verdict != Verdict::Holds)
    result->queues.verdict = Verdict::Inconclusive;
  return std::move(result->queues);
}

namespace cif {
PassResult runCheckSynchronizable(Module &module, PassContext &context) {
  std::optional<SynchronizabilityOptions> asked = queueOptions(context);
  if (!asked)
    return PassResult::Failed;
  asked->reduces = !context.flag("no-reduction");
  auto decide = [&](const PeerSet &set) -> std::optional<ReplayedFact> {
    SynchronizabilityOptions options = optionsFor(set, *asked);
    if (set.connected)
      return ReplayedFact{connectedFact("synchronizable", set, options), {}};
    std::optional<Synchronizability> result =
        set.goesOn ? queuesOfRealizable(set, options, context.diags)
                   : checkSynchronizability(set.module, options, context.diags);
    if (!result)
      return std::nullopt;
    Fact fact = synchronizabilityFact(set, *result, options);
    fact.method += dataMethodOf(set);
    return ReplayedFact{
        std::move(fact), [&context, &set, options](const Fact &told) {
          return replaysExtraSends(set.module, options.network,
                                   options.handshakes, *told.witness,
                                   context.limits, context.diags);
        }};
  };
  return checkSendOrder(module, context, "synchronizable", decide);
}
} // namespace cif
