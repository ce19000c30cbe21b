//===- ConformanceCauses.cpp - Why a collaboration does not conform -------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Recognises in a run the causes that [c4] describes (sections 4 to 6): a
/// send that does not wait, messages read in a different order, diverging
/// choices, an exclusive gateway in place of an event-based one. The notes
/// describe what happened in the run, which is certain; that it is the
/// cause of the violation is a heuristic.
///
//===----------------------------------------------------------------------===//

#include "ConformanceRuns.h"
#include "cif/Check/Peers/Synchronizability.h"
#include "cif/IR/Nodes.h"
#include "cif/Transforms/Compose.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace cif;

namespace {
/// A message in transit.
struct Sent {
  Label exchange;
  size_t step; ///< of the run that sent it
};

/// Follows what is in transit on a run.
class Transit {
public:
  /// Takes step \p i of \p run; for a reception the message that it took.
  std::optional<Sent> take(ArrayRef<ModelStep> run, size_t i) {
    const Label &own = run[i].own;
    if (own.kind == LabelKind::Send)
      messages.push_back({own, i});
    if (own.kind != LabelKind::Receive)
      return std::nullopt;
    for (size_t m = 0; m < messages.size(); ++m) {
      const Label &sent = messages[m].exchange;
      if (sent.message != own.message || sent.sender != own.sender ||
          (!sent.receiver.empty() && sent.receiver != own.receiver))
        continue;
      Sent taken = messages[m];
      messages.erase(messages.begin() + static_cast<std::ptrdiff_t>(m));
      return taken;
    }
    return std::nullopt;
  }
  const Sent *find(const Label &exchange) const {
    for (const Sent &sent : messages)
      if (sent.exchange.message == exchange.message &&
          sent.exchange.sender == exchange.sender &&
          (sent.exchange.receiver.empty() ||
           sent.exchange.receiver == exchange.receiver))
        return &sent;
    return nullptr;
  }

  std::vector<Sent> messages;
};
} // namespace

static std::string quotedName(StringRef name) { return "'" + name.str() + "'"; }

static const Node *nodeOf(const Pairing &p, Side side, const Origin &origin) {
  const Module &module = side == Side::Left ? p.collaboration : p.choreography;
  return origin.kind == Origin::Node
             ? &module.behaviours[origin.unit].nodes[origin.element]
             : nullptr;
}

static Place placeOf(const Pairing &p, const ModelStep &step) {
  return originPlace(p.collaboration, step.origin);
}

void cif::explainExtra(const Pairing &p, ArrayRef<ModelStep> run,
                       ArrayRef<Label> expected, std::vector<Note> &notes) {
  const ModelStep &last = run.back();
  Transit transit;
  for (size_t i = 0; i + 1 < run.size(); ++i)
    transit.take(run, i);
  Transit after = transit;
  std::optional<Sent> taken = after.take(run, run.size() - 1);
  const Label &x = last.shown;
  if (x.kind != LabelKind::Exchange)
    return; // the collaboration ended, or goes on silently for ever
  const std::string what = quotedName(x.message);
  Place sendPlace = taken ? placeOf(p, run[taken->step]) : placeOf(p, last);
  for (const Label &e : expected)
    if (e.receiver == x.receiver && e.message != x.message) {
      notes.push_back(
          {placeOf(p, last), "messages are read in a different order: '" +
                                 x.receiver + "' reads " + what + " before " +
                                 quotedName(e.message)});
      if (const Sent *sent = transit.find(e))
        notes.push_back(
            {placeOf(p, run[sent->step]),
             quotedName(e.message) + " is sent here and not read yet"});
      return;
    }
  for (const Label &e : expected) {
    const Sent *sent = transit.find(e);
    if (!sent || !taken || e.sender != x.sender || sent->step > taken->step)
      continue;
    notes.push_back({sendPlace, "a send that does not wait for an "
                                "acknowledgement: '" +
                                    x.sender + "' sends " + what + " while '" +
                                    e.receiver + "' may not have read " +
                                    quotedName(e.message) + " yet"});
    notes.push_back(
        {placeOf(p, run[sent->step]), quotedName(e.message) + " is sent here"});
    return;
  }
  for (const Label &e : expected)
    if (e.receiver == x.sender) {
      notes.push_back({sendPlace, "a send that does not wait: '" + x.sender +
                                      "' sends " + what +
                                      " before it has read " +
                                      quotedName(e.message)});
      return;
    }
  for (const Label &e : expected)
    if (e.kind == LabelKind::Exchange && e.sender != x.sender) {
      notes.push_back({sendPlace, "'" + x.sender + "' sends " + what +
                                      " without being told that " +
                                      labelForPeople(e) + " has happened"});
      return;
    }
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

static bool isDecision(const Module &module, const ModelStep &step) {
  if (step.origin.kind != Origin::Node)
    return false;
  const Behaviour &b = module.behaviours[step.origin.unit];
  const Node &node = b.nodes[step.origin.element];
  if (node.kind != NodeKind::Choice && node.kind != NodeKind::DominatedChoice &&
      node.kind != NodeKind::SubsetSelect)
    return false;
  return llvm::count_if(b.flows, [&](const Flow &flow) {
           return flow.source.index() == step.origin.element;
         }) > 1;
}

static std::string nodeName(const Module &module, const Node &node) {
  if (!node.name.empty())
    return quotedName(module.text(node.name));
  if (node.message)
    return quotedName(module.text(module.message(node.message).name));
  if (!node.loc.element.empty())
    return quotedName(module.text(node.loc.element));
  return "";
}

/// The nodes with a step of their own that come first after \p flow.
static SmallVector<NodeId, 4> firstNodes(const Behaviour &b, FlowId from) {
  FlowIndex flows(b);
  SmallVector<NodeId, 4> work{b.flow(from).target}, found;
  std::vector<bool> seen(b.nodes.size());
  while (!work.empty()) {
    NodeId n = work.pop_back_val();
    if (seen[n.index()])
      continue;
    seen[n.index()] = true;
    if (!isGateway(b.node(n).kind))
      found.push_back(n);
    else
      for (FlowId out : flows.outgoing(n))
        work.push_back(b.flow(out).target);
  }
  return found;
}

/// "send 'book'", where a flow leads.
static std::string branchText(const Module &module, const Origin &flow) {
  const Behaviour &b = module.behaviours[flow.unit];
  const Flow &taken = b.flows[flow.element];
  if (!taken.name.empty())
    return quotedName(module.text(taken.name));
  std::vector<std::string> texts;
  for (NodeId first : firstNodes(b, FlowId(flow.element))) {
    std::string name = nodeName(module, b.node(first));
    texts.push_back(nodeKindText(b.node(first).kind).str() +
                    (name.empty() ? "" : " " + name));
  }
  return llvm::join(texts, " or ");
}

std::string cif::decisionText(const Pairing &p, Side side,
                              const ModelStep &step) {
  const Module &module = side == Side::Left ? p.collaboration : p.choreography;
  if (!isDecision(module, step))
    return "";
  if (side == Side::Right)
    return "the choreography decides at " +
           nodeName(module, *nodeOf(p, side, step.origin));
  std::string who =
      quotedName(ownerName(module, module.behaviours[step.origin.unit]));
  return who + (step.taken.kind == Origin::Flow
                    ? " takes the branch to " + branchText(module, step.taken)
                    : " decides");
}

/// What a reception waits for.
static std::string awaitedName(const Module &module, const Node &node) {
  return node.message
             ? quotedName(module.text(module.message(node.message).name))
             : nodeName(module, node);
}

/// An exclusive gateway whose branches all begin by receiving: what is
/// received, or nothing.
static std::vector<std::string> awaited(const Module &module,
                                        const Origin &gateway) {
  const Behaviour &b = module.behaviours[gateway.unit];
  std::vector<std::string> names;
  for (uint32_t f = 0; f < b.flows.size(); ++f) {
    if (b.flows[f].source.index() != gateway.element)
      continue;
    for (NodeId first : firstNodes(b, FlowId(f))) {
      if (!isReception(b.node(first)))
        return {};
      std::string name = awaitedName(module, b.node(first));
      if (!llvm::is_contained(names, name))
        names.push_back(name);
    }
  }
  return names;
}

/// What each process waits for in \p state, and what is unread.
static void explainWaiting(const Pairing &p, const Transit &transit,
                           ArrayRef<ModelStep> run, StateIndex state,
                           std::vector<Note> &notes) {
  const Module &module = p.collaboration;
  if (state >= p.explored.exploration->numStates())
    return; // after the tick
  std::vector<uint32_t> vector = p.explored.exploration->vectorOf(state);
  for (unsigned slot = 0; slot < vector.size(); ++slot) {
    Origin flow = p.explored.system->slotOrigin(slot);
    if (!vector[slot] || flow.kind != Origin::Flow)
      continue;
    const Behaviour &b = module.behaviours[flow.unit];
    NodeId target = b.flows[flow.element].target;
    std::vector<std::string> names;
    for (NodeId first : firstNodes(b, FlowId(flow.element)))
      if (isReception(b.node(first)))
        names.push_back(awaitedName(module, b.node(first)));
    bool waits = isReception(b.node(target)) ||
                 b.node(target).kind == NodeKind::EventChoice;
    if (waits && !names.empty())
      notes.push_back({module.place(b.node(target).loc),
                       quotedName(ownerName(module, b)) + " waits for " +
                           llvm::join(names, " or ")});
    else if (b.node(target).kind == NodeKind::AllJoin)
      notes.push_back(
          {module.place(b.node(target).loc),
           quotedName(ownerName(module, b)) + " waits for its other branches"});
  }
  for (const Sent &sent : transit.messages)
    notes.push_back({placeOf(p, run[sent.step]),
                     quotedName(sent.exchange.message) + " from '" +
                         sent.exchange.sender + "' is in transit"});
}

void cif::explainLack(const Pairing &p, ArrayRef<ModelStep> run,
                      StateIndex state, ArrayRef<Label> can,
                      ArrayRef<Label> expected, std::vector<Note> &notes) {
  const Module &module = p.collaboration;
  Transit transit;
  std::map<uint32_t, const ModelStep *> decisions; // the last of each process
  for (size_t i = 0; i < run.size(); ++i) {
    transit.take(run, i);
    if (isDecision(module, run[i]))
      decisions[run[i].origin.unit] = &run[i];
  }
  bool stuck = can.empty();
  if (stuck && decisions.size() > 1)
    notes.push_back({Place(), "a deadlock after choices that diverge"});
  else if (stuck)
    notes.push_back({Place(), "nothing more can be exchanged in the "
                              "collaboration"});
  for (const auto &[unit, step] : decisions) {
    if (stuck || decisions.size() == 1)
      notes.push_back(
          {placeOf(p, *step), decisionText(p, Side::Left, *step) + " here"});
  }
  if (stuck)
    explainWaiting(p, transit, run, state, notes);
  for (const auto &[unit, step] : decisions) {
    std::vector<std::string> names = awaited(module, step->origin);
    if (names.size() > 1)
      notes.push_back(
          {placeOf(p, *step),
           "an exclusive gateway where an event-based one is "
           "needed: " +
               quotedName(ownerName(module, module.behaviours[unit])) +
               " decides between receiving " + llvm::join(names, " and ") +
               " before it knows which will come"});
  }
  explainMissing(p, expected, notes);
}

void cif::explainMissing(const Pairing &p, ArrayRef<Label> labels,
                         std::vector<Note> &notes) {
  for (const Label &label : labels) {
    if (!llvm::is_contained(p.missing, label))
      continue;
    // Its ends, with the names as the labels have them.
    bool sent = llvm::any_of(p.own, [&](const Label &own) {
      return own.kind == LabelKind::Send && own.sender == label.sender &&
             own.message == label.message &&
             (own.receiver.empty() || own.receiver == label.receiver);
    });
    notes.push_back(
        {Place(), sent ? "no element of '" + label.receiver + "' receives " +
                             quotedName(label.message) + ", which '" +
                             label.sender + "' sends"
                       : "no element of '" + label.sender + "' sends " +
                             quotedName(label.message) + " to '" +
                             label.receiver + "'"});
  }
}
