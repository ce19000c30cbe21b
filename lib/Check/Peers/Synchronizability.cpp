//===- Synchronizability.cpp - Peers with and without queues --------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: [verchor], Def. 4 and 5, where each receiver has a queue
/// (inbox). Input class: any peers under any network. All states accept.
///
/// Sound/complete for: a difference at any bound is a proof. Def. 5 takes
/// its absence at bound 1 as a proof as well, but it is not one [finkel23].
/// The absence of a difference is exact
///
/// - under networks that hold finitely many messages anyway;
/// - with queues of receivers (inbox) or of ordered pairs (fifo-pair), if
///   each peer receives from at most one other and the communication
///   graph is an oriented ring [finkel23] or has no cycle (a tree, from
///   root to leaves, or several independent ones) [digiusto24];
/// - if there are finitely many states without a bound, and all were
///   explored.
///
/// Differs from the paper: every bounded composition includes the
/// handshakes (a send immediately followed by its reception, under every
/// network), so only the other inclusion is checked, on the fly. Large peers
/// are minimised first (MinimizedPeers.h); only if the answer is not yes, those
/// that were given are asked.
///
//===----------------------------------------------------------------------===//

#include "cif/Check/Peers/Synchronizability.h"
#include "MinimizedPeers.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/Explore/TraceSearch.h"
#include "cif/LTS/Operations.h"
#include <set>

using namespace cif;

//===----------------------------------------------------------------------===//
// Topologies
//===----------------------------------------------------------------------===//

StringRef cif::topologyText(Topology topology) {
  switch (topology) {
  case Topology::Other:
    return "";
  case Topology::OrientedRing:
    return ", oriented ring topology";
  case Topology::Tree:
    return ", tree topology";
  }
  llvm_unreachable("no topology");
}

Topology cif::topologyOf(const PeerView &view) {
  std::set<std::pair<uint32_t, uint32_t>> channels;
  for (const PeerView::Peer &peer : view.peers)
    for (LabelIndex l : peer.lts->label) {
      if (peer.actions[l].kind == PeerView::Kind::Internal)
        continue;
      const PeerView::Message &m = view.messages[peer.actions[l].message];
      if (m.handshake)
        return Topology::Other; // the theorems are about queues alone
      channels.insert({m.sender, m.receiver});
    }
  return topologyOf(channels, view.peers.size());
}

Topology
cif::topologyOf(const std::set<std::pair<uint32_t, uint32_t>> &channels,
                size_t numPeers) {
  constexpr uint32_t none = UINT32_MAX;
  // Who sends to each peer, and to how many each sends.
  std::vector<uint32_t> sender(numPeers, none);
  std::vector<uint32_t> receivers(numPeers, 0);
  for (auto [from, to] : channels) {
    if (sender[to] != none)
      return Topology::Other;
    sender[to] = from;
    ++receivers[from];
  }
  // Every peer has one sender at most: walking back from any peer ends at a
  // root or goes round.
  std::vector<uint32_t> walk(numPeers, none); // by peer: seen from
  for (uint32_t start = 0; start < numPeers; ++start) {
    uint32_t at = start, length = 0;
    for (; at != none && walk[at] == none; at = sender[at], ++length)
      walk[at] = start;
    if (at == none || walk[at] != start)
      continue;
    // A cycle: only fine when it is all there is.
    bool ring = at == start && length == channels.size() &&
                llvm::all_of(receivers, [](uint32_t n) { return n <= 1; });
    return ring ? Topology::OrientedRing : Topology::Other;
  }
  return channels.empty() ? Topology::Other : Topology::Tree;
}

//===----------------------------------------------------------------------===//
// Compositions
//===----------------------------------------------------------------------===//

std::optional<Lts> cif::synchronousComposition(const Module &module,
                                               ArrayRef<std::string> handshakes,
                                               const Limits &limits,
                                               DiagnosticEngine &diags,
                                               std::string &limit) {
  SemanticsOptions semantics = SemanticsOptions::peers(
      NetworkKind::Sync, Observation::Exchange, handshakes);
  ExploredModule sync =
      exploreModule(module, semantics, {.limits = limits}, diags);
  if (!sync)
    return std::nullopt;
  if (!sync->complete) {
    limit = sync->incompleteText();
    return std::nullopt;
  }
  return hide(sync->lts,
              [](const Label &l) { return l.kind != LabelKind::Exchange; });
}

//===----------------------------------------------------------------------===//
// Witnesses
//===----------------------------------------------------------------------===//

std::string cif::labelsForPeople(ArrayRef<Label> labels) {
  std::string text;
  for (const Label &label : labels)
    text += (text.empty() ? "" : ", ") + labelForPeople(label);
  return text;
}

/// Why the last send of \p trace is too early.
static std::string explain(ArrayRef<SendStep> trace, ArrayRef<Label> instead,
                           StringRef unreadMessage) {
  const Label &last = trace.back().label;
  std::string who = "'" + last.sender + "' sends '" + last.message + "' ";
  if (!unreadMessage.empty())
    return who + "before it has read '" + unreadMessage.str() +
           "', which waits in its queue";
  std::vector<Label> others;
  for (const Label &l : instead)
    if (l.sender != last.sender && l.receiver != last.sender)
      others.push_back(l);
  if (!others.empty())
    return who + "without having been told of " + labelsForPeople(others);
  // The exchanges since its last part in one.
  std::vector<Label> since;
  for (const SendStep &step : llvm::reverse(trace.drop_back())) {
    if (step.label.sender == last.sender || step.label.receiver == last.sender)
      break;
    since.insert(since.begin(), step.label);
  }
  if (!since.empty())
    return who + "without having been told of " + labelsForPeople(since);
  return who + "although '" + last.receiver + "' is not ready to receive it";
}

/// False: the run does not replay.
static bool fillWitness(const PeerComposition &system, const Lts &monitor,
                        const TraceSearchResult &search,
                        Synchronizability &result) {
  const PeerView &view = system.view();
  std::vector<std::pair<uint32_t, bool>> sent; // and whether it is still unread
  std::string unread;
  size_t done = 0;
  bool replays = replayRun(
      system, search.run, [&](const Step &step, const uint32_t *state) {
        ++done;
        PeerView::Action action = view.actionOf(step.group);
        if (action.kind == PeerView::Kind::Internal || view.isHandshake(action))
          return;
        const PeerView::Message &message = view.messages[action.message];
        if (action.kind == PeerView::Kind::Receive) {
          for (auto &[other, isUnread] : sent)
            if (isUnread && other == action.message) {
              isUnread = false;
              break;
            }
          return;
        }
        // What waits for the last sender before it sends.
        for (auto [other, isUnread] : sent)
          if (done == search.run.size() && isUnread && unread.empty() &&
              view.messages[other].receiver == message.sender)
            unread = view.messages[other].name;
        sent.push_back({action.message, true});
        std::string transit = system.transitText(state);
        result.trace.push_back(
            {message.shown, system.groups().origin(step.group),
             transit.empty() ? "nothing in transit" : transit});
      });
  if (!replays)
    return false;
  for (LabelIndex l : monitor.labelsOf(search.monitorState))
    result.instead.push_back(monitor.labels[l]);
  llvm::sort(result.instead);
  result.explanation = explain(result.trace, result.instead, unread);
  return true;
}

//===----------------------------------------------------------------------===//
// The check
//===----------------------------------------------------------------------===//

static std::string boundText(NetworkKind network, uint32_t bound) {
  if (networkHas(network, NetworkIsFinite))
    return ("complete exploration under " + networkText(network)).str();
  return bound == noBound ? "unbounded queues"
                          : std::to_string(bound) + "-bounded";
}

namespace {
/// Compares sends through queues with what handshakes allow.
class SendComparison {
public:
  SendComparison(const Module &module, const SynchronizabilityOptions &options,
                 DiagnosticEngine &diags)
      : module(module), options(options), diags(diags) {}
  /// Nothing: an error was reported.
  std::optional<Synchronizability> run();

private:
  bool makeMonitor();
  bool search(uint32_t bound, const Limits &limits);
  void fillViolated();
  bool isDecisive(uint32_t bound);

  const Module &module;
  const SynchronizabilityOptions &options;
  DiagnosticEngine &diags;
  Synchronizability result;
  Lts monitor; ///< the traces by handshakes
  std::unique_ptr<PeerComposition> queued;
  TraceSearchResult found; ///< in `queued`
};
} // namespace

/// False: an error was reported, or result.limit says why there is none.
bool SendComparison::makeMonitor() {
  std::optional<Lts> sync = synchronousComposition(
      module, options.handshakes, options.limits, diags, result.limit);
  if (!sync)
    return false;
  Budget budget(options.limits);
  Outcome<Lts> traces = determinizeWithin(*sync, TauIs::Silent, budget);
  if (!traces) {
    result.limit = traces.limit();
    return false;
  }
  monitor = std::move(*traces);
  return true;
}

/// Looks for a send that handshakes do not allow. False: an error was reported.
bool SendComparison::search(uint32_t bound, const Limits &limits) {
  SemanticsOptions semantics = SemanticsOptions::peers(
      options.network, Observation::Send, options.handshakes, bound);
  semantics.eagerReceptions = SemanticsOptions::Eager;
  queued = makePeerComposition(module, semantics, diags);
  if (!queued)
    return false;
  found = findExtraTrace(*queued, monitor, limits);
  return true;
}

void SendComparison::fillViolated() {
  bool replays = fillWitness(*queued, monitor, found, result);
  result.verdict = replays ? Verdict::Violated : Verdict::Inconclusive;
  result.exact = replays;
  if (!replays)
    result.limit = "the run found does not replay";
}

/// Whether no difference with \p bound proves that there is none at all; says
/// why in the method.
bool SendComparison::isDecisive(uint32_t bound) {
  if (networkHas(options.network, NetworkIsFinite))
    return true;
  if (bound == noBound) {
    result.method = "complete exploration with unbounded queues";
    return true;
  }
  Topology topology = networkHas(options.network, NetworkHasOwnQueues)
                          ? topologyOf(queued->view())
                          : Topology::Other;
  if (topology != Topology::Other) {
    result.method =
        (Twine(boundText(options.network, bound)) + topologyText(topology))
            .str();
    return true;
  }
  result.method = bound == 1
                      ? "1-bounded (VerChor Def. 5)"
                      : "no difference up to bound " + std::to_string(bound);
  return false;
}

std::optional<Synchronizability> SendComparison::run() {
  uint32_t bound = options.bound.value_or(1);
  result.method = boundText(options.network, bound);
  if (!makeMonitor()) {
    if (result.limit.empty())
      return std::nullopt;
    return std::move(result);
  }
  if (!search(bound, options.limits))
    return std::nullopt;
  result.states = found.states;
  result.transitions = found.transitions;
  if (found.found()) {
    fillViolated();
    return std::move(result);
  }
  if (!found.complete) {
    result.limit = found.limit;
    return std::move(result);
  }
  result.verdict = Verdict::Holds;
  result.exact = isDecisive(bound);
  if (result.exact || options.bound)
    return std::move(result);

  // Nobody asked for a bound: see whether queues without one are finite.
  Limits some = options.limits;
  some.maxStates =
      std::min<uint64_t>(some.maxStates, 200'000 + 10 * result.states);
  if (!search(noBound, some))
    return std::nullopt;
  if (found.found()) {
    result.method = boundText(options.network, noBound);
    fillViolated();
  } else if (found.complete) {
    result.exact = isDecisive(noBound);
  } else {
    return std::move(result);
  }
  result.states = found.states;
  result.transitions = found.transitions;
  return std::move(result);
}

std::optional<Synchronizability>
cif::checkSynchronizability(const Module &module,
                            const SynchronizabilityOptions &options,
                            DiagnosticEngine &diags) {
  if (std::optional<Module> small = minimizedPeers(module, options)) {
    SynchronizabilityOptions once = options;
    once.reduces = false;
    std::optional<Synchronizability> result =
        checkSynchronizability(*small, once, diags);
    if (!result)
      return std::nullopt;
    result->method += "; peers minimised first";
    if (isAnswer(*result, options))
      return result;
  }
  return SendComparison(module, options, diags).run();
}
