//===- Adaptation.cpp - Processes repaired so that they conform -----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: [c4], the adapters that Sec. 4 suggests. Input class: any
/// collaboration and choreography that can be compared. Sound: the result
/// was checked. Not complete: only two kinds of changes, and a limited
/// number of them together.
///
/// Differs from the paper: the process itself is changed, whereas the paper
/// puts an adapter in front of it; the partners observe the same.
///
//===----------------------------------------------------------------------===//

#include "cif/Repair/Adaptation.h"
#include "ElementText.h"
#include "cif/IR/Names.h"
#include "cif/IR/Verifier.h"
#include "cif/Support/Source.h"

using namespace cif;

namespace {
struct NodeRef {
  BehaviourId behaviour;
  NodeId node;
};
} // namespace

/// The nodes that send, or receive, a message; nothing when one of them is not
/// a plain step with something behind it.
static SmallVector<NodeRef, 2> endsOf(const Module &module, MessageId message,
                                      bool sends) {
  const Message &m = module.message(message);
  ParticipantId owner = sends ? m.sender : m.receiver;
  SmallVector<NodeRef, 2> ends;
  for (size_t b = 0; b < module.behaviours.size(); ++b) {
    const Behaviour &graph = module.behaviours[b];
    if (graph.kind != BehaviourKind::Process || graph.owner != owner)
      continue;
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
      const Node &node = graph.nodes[n];
      bool uses = node.message == message;
      for (const MessageFlow &flow : module.messageFlows)
        uses |= flow.message == message &&
                (sends ? flow.sourceBehaviour : flow.targetBehaviour) ==
                    BehaviourId(b) &&
                (sends ? flow.sourceNode : flow.targetNode) == NodeId(n);
      if (!uses)
        continue;
      bool plain =
          sends ? isSending(node)
                : isReception(node) || (node.kind == NodeKind::Initial &&
                                        node.trigger == Trigger::Message);
      if (!plain)
        return {};
      ends.push_back({BehaviourId(b), NodeId(n)});
    }
  }
  return ends;
}

static bool isChoiceOfReceptions(const Behaviour &graph, const FlowIndex &flows,
                                 NodeId n) {
  if (graph.node(n).kind != NodeKind::Choice || flows.outgoing(n).size() < 2)
    return false;
  return llvm::all_of(flows.outgoing(n), [&](FlowId f) {
    NodeId target = graph.flow(f).target;
    return isReception(graph.node(target)) &&
           flows.incoming(target).size() == 1;
  });
}

std::vector<AdaptChange> cif::adaptChanges(const Module &module) {
  std::vector<AdaptChange> changes, others;
  for (size_t b = 0; b < module.behaviours.size(); ++b) {
    const Behaviour &graph = module.behaviours[b];
    if (graph.kind != BehaviourKind::Process)
      continue;
    FlowIndex flows(graph);
    for (size_t n = 0; n < graph.nodes.size(); ++n)
      if (isChoiceOfReceptions(graph, flows, NodeId(n)))
        changes.push_back(
            {AdaptChange::WaitForEvent, BehaviourId(b), NodeId(n), {}});
  }
  for (size_t m = 0; m < module.messages.size(); ++m) {
    MessageId id(m);
    if (!module.message(id).sender || !module.message(id).receiver)
      continue;
    auto senders = endsOf(module, id, true);
    if (senders.empty() || endsOf(module, id, false).empty())
      continue;
    // Whoever sends again at once is the likeliest not to have waited.
    bool sendsOn = llvm::any_of(senders, [&](NodeRef at) {
      const Behaviour &graph = module.behaviours[at.behaviour.index()];
      return llvm::any_of(FlowIndex(graph).outgoing(at.node), [&](FlowId f) {
        return isSending(graph.node(graph.flow(f).target));
      });
    });
    (sendsOn ? changes : others)
        .push_back({AdaptChange::Acknowledge, {}, {}, id});
  }
  changes.insert(changes.end(), others.begin(), others.end());
  return changes;
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

/// Puts a new node behind another.
static NodeId insertAfter(Module &module, NodeRef at, Node node) {
  Behaviour &graph = module.behaviours[at.behaviour.index()];
  node.parent = graph.node(at.node).parent;
  node.loc = graph.node(at.node).loc;
  node.loc.element = Name();
  graph.nodes.push_back(node);
  NodeId made(graph.nodes.size() - 1);
  for (Flow &flow : graph.flows)
    if (flow.source == at.node)
      flow.source = made;
  Flow flow{.source = at.node, .target = made, .loc = node.loc};
  graph.flows.push_back(flow);
  return made;
}

static std::vector<std::string> acknowledge(Module &module, MessageId id) {
  const Message message = module.message(id);
  auto isTaken = [&](StringRef text) {
    return llvm::any_of(module.messages, [&](const Message &m) {
      return module.text(m.name) == text;
    });
  };
  std::string text = "ack";
  for (unsigned i = 1; isTaken(text); ++i)
    text = "ack of " + module.text(message.name).str() +
           (i > 1 ? " " + std::to_string(i) : "");
  auto senders = endsOf(module, id, true),
       receivers = endsOf(module, id, false);
  MessageId ack = module.getMessage(module.intern(text), message.receiver,
                                    message.sender, message.loc);
  std::vector<std::string> diff;
  auto add = [&](ArrayRef<NodeRef> places, ParticipantId who, NodeKind kind,
                 const char *does) {
    SmallVector<NodeId, 2> made;
    for (NodeRef at : places) {
      diff.push_back(
          "+ " + module.participantName(who).str() + ": " + does + " " +
          quoted(text) + " after " +
          elementText(module,
                      module.behaviours[at.behaviour.index()].node(at.node)));
      Node node{.kind = kind, .name = module.intern(text), .message = ack};
      made.push_back(insertAfter(module, at, node));
    }
    return made;
  };
  SmallVector<NodeId, 2> sends =
      add(receivers, message.receiver, NodeKind::Send, "send");
  SmallVector<NodeId, 2> receptions =
      add(senders, message.sender, NodeKind::Receive, "receive");
  // Where the collaboration is drawn with message flows, every end has one.
  if (module.messageFlows.empty())
    return diff;
  for (size_t i = 0; i < std::max(receivers.size(), senders.size()); ++i) {
    size_t from = std::min(i, receivers.size() - 1),
           to = std::min(i, senders.size() - 1);
    MessageFlow flow{.message = ack,
                     .sourceBehaviour = receivers[from].behaviour,
                     .targetBehaviour = senders[to].behaviour,
                     .sourceNode = sends[from],
                     .targetNode = receptions[to],
                     .loc = message.loc};
    flow.loc.element = Name();
    module.messageFlows.push_back(flow);
  }
  return diff;
}

std::vector<std::string> cif::applyChange(Module &module,
                                          const AdaptChange &change) {
  if (change.kind == AdaptChange::Acknowledge)
    return acknowledge(module, change.message);
  Behaviour &graph = module.behaviours[change.behaviour.index()];
  Node &node = graph.node(change.node);
  std::string who = module.participantName(graph.owner).str();
  std::string what = elementText(module, node);
  node.kind = NodeKind::EventChoice;
  for (Flow &flow : graph.flows)
    if (flow.source == change.node) {
      flow.guard = ExprId();
      flow.flags &= ~DefaultFlow;
    }
  return {"- " + who + ": exclusive gateway " + what,
          "+ " + who + ": event-based gateway " + what};
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

/// Whether \p processes conform; nothing: errors were reported.
static std::optional<Fact> conforms(const Module &processes, const Module &spec,
                                    const AdaptOptions &options,
                                    DiagnosticEngine &diags,
                                    bool *replays = nullptr) {
  std::unique_ptr<Pairing> pairing =
      pair(processes, spec, options.conformance, diags);
  if (!pairing)
    return std::nullopt;
  return checkConformance(*pairing, options.relation, replays);
}

std::optional<Adaptation> cif::adapt(const Module &processes,
                                     const Module &spec,
                                     const AdaptOptions &options,
                                     DiagnosticEngine &diags) {
  Adaptation result;
  std::optional<Fact> given =
      conforms(processes, spec, options, diags, &result.replays);
  if (!given)
    return std::nullopt;
  result.fact = std::move(*given);
  if (result.fact.verdict == Verdict::Holds) {
    result.found = true;
    result.module = processes.clone();
    return result;
  }
  // What is tried is nobody's file: nothing is reported on it.
  SourceManager sources;
  DiagnosticCollector unheard;
  DiagnosticEngine quiet(sources, unheard);
  std::vector<AdaptChange> candidates = adaptChanges(processes);
  unsigned checks = 0, undecided = 0;
  auto attempt = [&](ArrayRef<size_t> chosen) {
    Module module = processes.clone();
    std::vector<std::string> diff;
    std::vector<AdaptChange> changes;
    for (size_t i : chosen) {
      changes.push_back(candidates[i]);
      llvm::append_range(diff, applyChange(module, candidates[i]));
    }
    ++checks;
    std::optional<Fact> fact;
    if (verify(module, quiet))
      fact = conforms(module, spec, options, quiet);
    if (!fact || fact->verdict != Verdict::Holds) {
      undecided += fact && fact->verdict == Verdict::Inconclusive;
      return false;
    }
    result.found = true;
    result.changes = std::move(changes);
    result.diff = std::move(diff);
    result.module = std::move(module);
    result.fact = std::move(*fact);
    return true;
  };
  const size_t most = std::min<size_t>(options.maxChanges, candidates.size());
  for (size_t count = 1; count <= most; ++count) {
    // All sets of this size, in the order of their first elements.
    SmallVector<size_t, 4> chosen;
    for (size_t i = 0; i < count; ++i)
      chosen.push_back(i);
    for (;;) {
      std::string limit = Budget(options.conformance.limits).look(0, 0);
      if (checks >= options.maxChecks || !limit.empty()) {
        result.tried = "the first " + std::to_string(checks) +
                       " combinations of changes are not sufficient";
        if (!limit.empty())
          result.tried += " (" + stoppedText(limit) + ")";
        return result;
      }
      if (attempt(chosen))
        return result;
      size_t i = count;
      while (i > 0 && chosen[i - 1] == candidates.size() - count + i - 1)
        --i;
      if (i == 0)
        break;
      ++chosen[i - 1];
      for (size_t j = i; j < count; ++j)
        chosen[j] = chosen[j - 1] + 1;
    }
  }
  result.tried =
      candidates.empty()
          ? "no gateway can be made to wait, and no message acknowledged"
          : "none of " + std::to_string(checks) +
                " combinations of changes is sufficient";
  if (undecided)
    result.tried += ", " + std::to_string(undecided) + " of them undecided";
  return result;
}
