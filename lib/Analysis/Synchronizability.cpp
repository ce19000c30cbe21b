//===- Synchronizability.cpp - Peers with and without queues --------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: [verchor], Def. 4 and 5. Input class: any peers; queues for each
/// receiver (inbox) or each ordered pair (fifo-pair). All states accept.
///
/// Sound/complete for: a difference at any bound is a proof. Its absence at
/// bound 1 is what Def. 5 takes for one and is not [finkel23]; it is exact
/// where each peer receives from one other at most and the communication graph
/// is an oriented ring [finkel23] or has no cycle (a tree, root to leaves; the
/// same holds for several of them side by side) [digiusto24], or where the
/// states with unbounded queues are finitely many and all of them were seen.
///
/// Differs from the paper: handshakes are included in every bounded
/// composition (a send with its reception right after it), so that only the
/// other inclusion is looked at, on the fly.
///
//===----------------------------------------------------------------------===//

#include "cif/Analysis/Synchronizability.h"
#include "cif/Analysis/TraceSearch.h"
#include "cif/IR/Names.h"
#include "cif/LTS/ExploreModule.h"
#include "cif/LTS/Operations.h"
#include <deque>
#include <map>
#include <set>

using namespace cif;

//===----------------------------------------------------------------------===//
// Topologies
//===----------------------------------------------------------------------===//

Topology cif::topologyOf(const Module &module) {
  std::map<std::string, std::set<std::string>> to, from;
  for (const SystemDecl &system : module.systems) {
    if (system.role != SystemRole::Peer)
      continue;
    for (LabelIndex l : system.lts.label) {
      const Label &label = system.lts.labels[l];
      if (label.sender.empty() || label.receiver.empty())
        continue;
      to[label.sender].insert(label.receiver);
      from[label.receiver].insert(label.sender);
    }
  }
  for (const auto &[peer, senders] : from)
    if (senders.size() > 1)
      return Topology::Other;
  // Every peer has one sender at most: walking back from any peer ends at a
  // root or goes round.
  bool any = !from.empty();
  std::set<std::string> done;
  for (const auto &[start, senders] : from) {
    std::set<std::string> walked;
    std::string at = start;
    while (true) {
      if (done.count(at))
        break;
      if (!walked.insert(at).second) {
        // A cycle: only fine when it is all there is.
        if (walked.size() != from.size() || at != start)
          return Topology::Other;
        for (const auto &[sender, receivers] : to)
          if (receivers.size() > 1 || !walked.count(sender))
            return Topology::Other;
        return Topology::OrientedRing;
      }
      auto back = from.find(at);
      if (back == from.end())
        break;
      at = *back->second.begin();
    }
    done.insert(walked.begin(), walked.end());
  }
  return any ? Topology::Tree : Topology::Other;
}

//===----------------------------------------------------------------------===//
// Compositions
//===----------------------------------------------------------------------===//

std::optional<Lts> cif::synchronousComposition(const Module &module,
                                               ArrayRef<std::string> handshakes,
                                               const Limits &limits,
                                               DiagnosticEngine &diags,
                                               std::string &limit) {
  SemanticsOptions semantics;
  semantics.semantics = SemanticsKind::Peers;
  semantics.network = NetworkKind::Sync;
  semantics.handshakes.assign(handshakes.begin(), handshakes.end());
  ExplorerOptions options;
  options.limits = limits;
  ExploredModule sync = exploreModule(module, semantics, options, diags);
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

namespace {
/// The queues of a run, for people.
class Queues {
public:
  explicit Queues(NetworkKind kind) : network(kind) {}

  void take(const Label &label) {
    std::deque<std::string> &queue = queues[name(label)];
    if (label.kind == LabelKind::Send)
      queue.push_back(label.message);
    else if (!queue.empty())
      queue.pop_front();
  }
  std::string text() const {
    std::string all;
    for (const auto &[queue, messages] : queues) {
      if (messages.empty())
        continue;
      all += (all.empty() ? "queues: " : ", ") + queue + " [";
      for (size_t i = 0; i < messages.size(); ++i)
        all += (i ? " " : "") + quoted(messages[i]);
      all += "]";
    }
    return all.empty() ? "queues empty" : all;
  }
  /// What waits first for \p peer, as `m from p`.
  std::string waitingFor(StringRef peer,
                         ArrayRef<std::pair<Label, bool>> unread) const {
    for (const auto &[label, isUnread] : unread)
      if (isUnread && label.receiver == peer)
        return label.message;
    return {};
  }

private:
  std::string name(const Label &label) const {
    return network == NetworkKind::FifoPair
               ? quoted(label.sender) + "->" + quoted(label.receiver)
               : quoted(label.receiver);
  }
  NetworkKind network;
  std::map<std::string, std::deque<std::string>> queues;
};
} // namespace

/// The label of a peer's transition, as a send or a reception of its owner.
static Label actionOf(const Module &module, const Origin &origin) {
  const SystemDecl &decl = module.systems[origin.unit];
  Label label = decl.lts.labels[decl.lts.label[origin.element]];
  if (label.kind == LabelKind::Exchange) {
    StringRef self = decl.owner ? module.participantName(decl.owner)
                                : module.text(decl.name);
    label.kind = label.sender == self ? LabelKind::Send : LabelKind::Receive;
  }
  return label;
}

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

static void fillWitness(const Module &module, const System &system,
                        const Lts &monitor, const TraceSearchResult &search,
                        NetworkKind network, Synchronizability &result) {
  Queues queues(network);
  std::vector<std::pair<Label, bool>> sent; // and whether it is still unread
  std::string unread;
  for (size_t i = 0; i < search.run.size(); ++i) {
    const Origin &origin = system.groups().origin(search.run[i].group);
    Label action = actionOf(module, origin);
    if (action.kind != LabelKind::Send && action.kind != LabelKind::Receive)
      continue;
    if (i + 1 == search.run.size())
      unread = queues.waitingFor(action.sender, sent);
    queues.take(action);
    Label exchange = action;
    exchange.kind = LabelKind::Exchange;
    if (action.kind == LabelKind::Send) {
      sent.push_back({exchange, true});
      result.trace.push_back({exchange, origin, queues.text()});
      continue;
    }
    for (auto &[label, isUnread] : sent)
      if (isUnread && label == exchange) {
        isUnread = false;
        break;
      }
  }
  for (LabelIndex l : monitor.labelsOf(search.monitorState))
    result.instead.push_back(monitor.labels[l]);
  llvm::sort(result.instead);
  result.explanation = explain(result.trace, result.instead, unread);
}

//===----------------------------------------------------------------------===//
// The check
//===----------------------------------------------------------------------===//

static std::string boundText(uint32_t bound) {
  return bound == noBound ? "unbounded queues"
                          : std::to_string(bound) + "-bounded";
}

std::optional<Synchronizability>
cif::checkSynchronizability(const Module &module,
                            const SynchronizabilityOptions &options,
                            DiagnosticEngine &diags) {
  Synchronizability result;
  uint32_t bound = options.bound.value_or(1);
  result.method = boundText(bound);
  std::optional<Lts> sync = synchronousComposition(
      module, options.handshakes, options.limits, diags, result.limit);
  if (!sync) {
    if (result.limit.empty())
      return std::nullopt;
    return result;
  }
  Budget budget(options.limits);
  Outcome<Lts> monitor = determinizeWithin(*sync, TauIs::Silent, budget);
  if (!monitor) {
    result.limit = monitor.limit();
    return result;
  }

  SemanticsOptions semantics;
  semantics.semantics = SemanticsKind::Peers;
  semantics.network = options.network;
  semantics.observe = Observation::Send;
  semantics.bound = bound;
  semantics.handshakes = options.handshakes;
  semantics.eagerReceptions = true;
  std::unique_ptr<System> queued = makeSystem(module, semantics, diags);
  if (!queued)
    return std::nullopt;
  TraceSearchResult search = findExtraTrace(*queued, *monitor, options.limits);
  result.states = search.states;
  result.transitions = search.transitions;
  auto violated = [&](const System &system, const TraceSearchResult &found) {
    result.verdict = Verdict::Violated;
    result.exact = true;
    fillWitness(module, system, *monitor, found, options.network, result);
  };
  if (search.found()) {
    violated(*queued, search);
    return result;
  }
  if (!search.complete) {
    result.limit = search.limit;
    return result;
  }
  result.verdict = Verdict::Holds;
  if (bound == noBound) {
    result.exact = true;
    result.method = "whole exploration with unbounded queues";
    return result;
  }
  result.method = bound == 1
                      ? "1-bounded (VerChor Def. 5)"
                      : "no difference up to bound " + std::to_string(bound);
  // The theorems are about queues alone.
  switch (options.handshakes.empty() ? topologyOf(module) : Topology::Other) {
  case Topology::OrientedRing:
    result.exact = true;
    result.method = boundText(bound) + ", oriented ring topology";
    return result;
  case Topology::Tree:
    result.exact = true;
    result.method = boundText(bound) + ", tree topology";
    return result;
  case Topology::Other:
    break;
  }
  if (options.bound)
    return result;

  // Nobody asked for a bound: see whether queues without one are finite.
  semantics.bound = noBound;
  std::unique_ptr<System> free = makeSystem(module, semantics, diags);
  if (!free)
    return std::nullopt;
  Limits some = options.limits;
  some.maxStates =
      std::min<uint64_t>(some.maxStates, 200'000 + 10 * search.states);
  TraceSearchResult whole = findExtraTrace(*free, *monitor, some);
  if (whole.found()) {
    result.method = boundText(noBound);
    violated(*free, whole);
  } else if (whole.complete) {
    result.exact = true;
    result.method = "whole exploration with unbounded queues";
  } else {
    return result;
  }
  result.states = whole.states;
  result.transitions = whole.transitions;
  return result;
}
