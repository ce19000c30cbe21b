//===- Collaboration.cpp - Processes that exchange messages
//----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Collaborations: processes with tokens on flows, and messages on a network.
/// Implements: [c4], Fig. 9 (network bag: a count for each message edge; a send
/// is silent, a reception shows the exchange; a task is one silent step).
///
/// A node with several message flows uses one of them. A process that starts by
/// messages starts once, by one of its start events. A partner without a
/// process is the environment: it receives every message immediately and may
/// send at any time; this is counted as an abstraction.
///
/// Differs from the paper: an event-based gateway is passed by the first step
/// of any branch, including tasks and sends, which the syntax of the paper does
/// not have.
///
//===----------------------------------------------------------------------===//

#include "SystemFactories.h"
#include "TokenNet.h"
#include "cif/Semantics/Guards.h"
#include "cif/Support/Diagnostics/Semantics.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <set>
#include <tuple>

using namespace cif;

namespace {
constexpr uint32_t anyUnit = UINT32_MAX, environment = UINT32_MAX - 1;

/// A message as one of its ends sees it.
struct Edge {
  Name name;
  uint32_t sender, receiver; ///< units, anyUnit or environment
  auto operator<=>(const Edge &) const = default;
};

class CollaborationBuilder final : public TokenNetBuilder {
public:
  CollaborationBuilder(const Module &of, ArrayRef<uint32_t> behaviours,
                       TokenNet &into, DiagnosticEngine &to,
                       const SemanticsOptions &with, NetworkKind on,
                       const PinnedData *pins, ArrayRef<uint32_t> among)
      : TokenNetBuilder(of, among.empty() ? behaviours : among, into, to,
                        with.runLimits, with.open,
                        with.semantics == SemanticsKind::Detailed,
                        /*showsValues=*/pins || !among.empty(), pins),
        options(with), kind(on) {}

  bool findMessages(ArrayRef<uint32_t> behaviours);
  std::vector<Label> labels{Label::tau()};
  std::vector<NetworkMessage> messages;
  std::vector<CollaborationMessage> messageTable() const;
  unsigned numUnits() const { return unitNames.size(); }

protected:
  SmallVector<NodeAction, 2> communicate(uint32_t behaviour, NodeId n,
                                         bool reply) override;
  bool isForeign(const Node &node) const override {
    return hasTrait(node.kind, NodeTraits::GlobalOnly);
  }
  bool startsByOneEvent() const override { return true; }

private:
  static bool sends(const Node &node) {
    return hasTrait(node.kind, NodeTraits::Out);
  }
  uint32_t unitOf(ParticipantId p) const {
    if (!p)
      return anyUnit;
    auto found = units.find(module.participantName(p));
    return found == units.end() ? environment : found->second;
  }
  SmallVector<std::pair<Edge, MessageId>, 2> edges(uint32_t behaviour,
                                                   NodeId n) const;
  LabelIndex label(LabelKind kind, MessageId id, uint32_t sender,
                   uint32_t receiver);
  void findReceptions(ArrayRef<uint32_t> behaviours);
  bool isDrawn(const Node &node) const;
  ArrayRef<MessageId> findBorder(uint32_t behaviour, const Node &node,
                                 bool out) const;
  bool isLost(const Edge &edge) const;

  const SemanticsOptions &options;
  NetworkKind kind;
  llvm::StringMap<uint32_t> units;
  std::vector<std::string> unitNames;
  std::map<uint32_t, uint32_t> unitOfBehaviour;
  /// By behaviour and node: the messages that come in [0] and go out [1] by
  /// message flows, each once.
  std::map<std::pair<uint32_t, uint32_t>, SmallVector<MessageId, 2>> flowsOf[2];
  /// By behaviour and name: the messages of flows to the border of its pool.
  std::map<std::pair<uint32_t, uint32_t>, SmallVector<MessageId, 2>>
      borderOf[2];
  /// The messages of flows that come to [0] and from [1] the border of a pool.
  std::set<Edge> atBorder[2];
  std::map<Edge, uint32_t> messageOf; ///< by what was sent
  std::vector<Edge> sent;             ///< by message
  /// What is received: name, sender and receiver.
  std::set<Edge> received;
  std::map<Label, LabelIndex> labelOf;
};
} // namespace

bool CollaborationBuilder::isDrawn(const Node &node) const {
  SourceId source = node.loc.source;
  return source &&
         module.text(module.sources[source.index()].language) == "bpmn";
}

/// The messages of this node's name on message flows that are drawn to the
/// border of its pool only.
ArrayRef<MessageId> CollaborationBuilder::findBorder(uint32_t behaviour,
                                                     const Node &node,
                                                     bool out) const {
  if (!node.message || !options.open)
    return {};
  auto found = borderOf[out].find(
      {behaviour, module.message(node.message).name.index()});
  return found == borderOf[out].end() ? ArrayRef<MessageId>()
                                      : ArrayRef<MessageId>(found->second);
}

/// The message edges of a node: its message flows, else its own message.
SmallVector<std::pair<Edge, MessageId>, 2>
CollaborationBuilder::edges(uint32_t behaviour, NodeId n) const {
  const Node &node = module.behaviours[behaviour].node(n);
  bool out = sends(node);
  ArrayRef<MessageId> ids;
  bool isOwn = false;
  if (auto flows = flowsOf[out].find({behaviour, n.index()});
      flows != flowsOf[out].end())
    ids = flows->second;
  else if (auto border = findBorder(behaviour, node, out); !border.empty())
    ids = border;
  else if (node.message) {
    ids = node.message;
    isOwn = true;
  }
  SmallVector<std::pair<Edge, MessageId>, 2> result;
  uint32_t self = unitOfBehaviour.at(behaviour);
  for (MessageId id : ids) {
    const Message &m = module.message(id);
    Edge edge{m.name, unitOf(m.sender), unitOf(m.receiver)};
    (out ? edge.sender : edge.receiver) = self;
    uint32_t &partner = out ? edge.receiver : edge.sender;
    // In a diagram it is the message flow that says who the partner is.
    if (isOwn && partner == anyUnit && options.open && isDrawn(node))
      partner = environment;
    result.push_back({edge, id});
  }
  return result;
}

void CollaborationBuilder::findReceptions(ArrayRef<uint32_t> behaviours) {
  for (uint32_t b : behaviours)
    for (size_t i = 0; i < module.behaviours[b].nodes.size(); ++i)
      if (receivesMessage(module.behaviours[b].nodes[i]))
        for (auto &[edge, id] : edges(b, NodeId(i)))
          received.insert(edge);
}

/// Whether a message goes to nobody in particular, or to the border of a pool,
/// and nobody here waits for it: in an open system the environment takes it.
bool CollaborationBuilder::isLost(const Edge &edge) const {
  if (!options.open)
    return false;
  if (edge.receiver != anyUnit)
    return atBorder[0].count(edge) && !received.count(edge);
  auto takes = [&](uint32_t sender) {
    auto at = received.lower_bound({edge.name, sender, 0});
    return at != received.end() && at->name == edge.name &&
           at->sender == sender;
  };
  return !takes(edge.sender) && !takes(anyUnit);
}

/// For each message of the network its label, and the flows that carry it.
std::vector<CollaborationMessage> CollaborationBuilder::messageTable() const {
  std::vector<CollaborationMessage> table;
  for (const Edge &edge : sent) {
    CollaborationMessage &message = table.emplace_back();
    message.label = {LabelKind::Exchange, unitNames[edge.sender],
                     edge.receiver == anyUnit ? "" : unitNames[edge.receiver],
                     module.text(edge.name).str()};
  }
  for (size_t i = 0; i < module.messageFlows.size(); ++i) {
    const MessageFlow &flow = module.messageFlows[i];
    if (!flow.message)
      continue;
    const Message &m = module.message(flow.message);
    auto found = messageOf.find({m.name, unitOf(m.sender), unitOf(m.receiver)});
    if (found != messageOf.end())
      table[found->second].flows.push_back(i);
  }
  return table;
}

bool CollaborationBuilder::findMessages(ArrayRef<uint32_t> behaviours) {
  for (uint32_t b : behaviours) {
    const Behaviour &behaviour = module.behaviours[b];
    StringRef name = behaviour.owner ? module.participantName(behaviour.owner)
                                     : module.text(behaviour.name);
    auto [at, isNew] = units.try_emplace(name, unitNames.size());
    if (isNew)
      unitNames.push_back(name.str());
    unitOfBehaviour[b] = at->second;
  }
  std::set<std::tuple<bool, uint32_t, uint32_t, uint32_t>> known;
  for (const MessageFlow &flow : module.messageFlows)
    for (bool out : {false, true}) {
      BehaviourId b = out ? flow.sourceBehaviour : flow.targetBehaviour;
      NodeId n = out ? flow.sourceNode : flow.targetNode;
      if (b && n && flow.message &&
          known.insert({out, b.index(), n.index(), flow.message.index()})
              .second)
        flowsOf[out][{b.index(), n.index()}].push_back(flow.message);
      if (!b || n || !flow.message)
        continue;
      const Message &m = module.message(flow.message);
      borderOf[out][{b.index(), m.name.index()}].push_back(flow.message);
      atBorder[out].insert({m.name, unitOf(m.sender), unitOf(m.receiver)});
    }
  if (behaviours.empty()) {
    countAbstraction("no participant has a process: every message is exchanged "
                     "with the environment");
    net.idle.set(net.addPlace("nothing")); // states have a width
  }
  std::map<ParticipantId, uint32_t> instances;
  for (uint32_t b : behaviours)
    if (ParticipantId owner = module.behaviours[b].owner)
      ++instances[owner];
  if (options.open)
    for (auto [owner, number] : instances)
      if (const Participant &p = module.participant(owner);
          p.maximum > 1 && (number < p.maximum || p.minimum < p.maximum))
        countAbstraction("participants with " + std::to_string(p.minimum) +
                         " to " + std::to_string(p.maximum) +
                         " instances: explored with " + std::to_string(number));
  findReceptions(behaviours);
  for (uint32_t b : behaviours) {
    const Behaviour &behaviour = module.behaviours[b];
    for (size_t i = 0; i < behaviour.nodes.size(); ++i) {
      const Node &node = behaviour.nodes[i];
      if (!sendsMessage(node))
        continue;
      for (auto &[edge, id] : edges(b, NodeId(i))) {
        if (edge.receiver == environment || isLost(edge))
          continue;
        if (edge.receiver == anyUnit &&
            networkHas(kind, NetworkNeedsReceiver)) {
          diags.report(module.place(node.loc), diag::receiver_unknown)
              << module.text(edge.name) << unitNames[edge.sender]
              << networkText(kind);
          return false;
        }
        if (!messageOf.try_emplace(edge, messages.size()).second)
          continue;
        sent.push_back(edge);
        messages.push_back(
            {edge.sender, edge.receiver, module.text(edge.name).str(),
             edge.receiver == anyUnit ? "any" : unitNames[edge.receiver],
             unitNames[edge.sender]});
      }
    }
  }
  return true;
}

LabelIndex CollaborationBuilder::label(LabelKind labelKind, MessageId id,
                                       uint32_t sender, uint32_t receiver) {
  Label made = module.label(labelKind, id);
  if (sender < unitNames.size())
    made.sender = unitNames[sender];
  if (receiver < unitNames.size())
    made.receiver = unitNames[receiver];
  auto [at, isNew] = labelOf.try_emplace(made, labels.size());
  if (isNew)
    labels.push_back(made);
  return at->second;
}

SmallVector<NodeAction, 2> CollaborationBuilder::communicate(uint32_t behaviour,
                                                             NodeId n, bool) {
  const Node &node = module.behaviours[behaviour].node(n);
  bool out = sends(node);
  SmallVector<NodeAction, 2> actions;
  auto ends = edges(behaviour, n);
  if (ends.empty()) {
    countAbstraction("sends and receptions without a message are silent");
    return SmallVector<NodeAction, 2>(1);
  }
  static const char *const nobody =
      "messages without a known partner are exchanged with the environment";
  bool sync = kind == NetworkKind::Sync;
  bool both = options.observe == Observation::Both;
  auto add = [&](const Edge &edge, MessageId id, uint32_t message,
                 bool outside) {
    NodeAction action{.kind = out ? FiringKind::Send : FiringKind::Receive,
                      .message = message,
                      .id = id};
    // An exchange with the environment is one step, seen from this side.
    bool shown =
        outside || (sync  ? out
                    : out ? options.observe == Observation::Send || both
                          : options.observe != Observation::Send);
    if (shown)
      action.label = label(!both || (sync && !outside) ? LabelKind::Exchange
                           : out                       ? LabelKind::Send
                                                       : LabelKind::Receive,
                           id, edge.sender, edge.receiver);
    llvm::append_range(
        actions, showValues(action, behaviour, n, /*reply=*/false, labels));
  };
  for (auto &[edge, id] : ends) {
    uint32_t partner = out ? edge.receiver : edge.sender;
    if (partner == environment) {
      if (options.semantics != SemanticsKind::Local)
        countAbstraction("exchanges with participants that have no process "
                         "here may happen at any time");
      add(edge, id, noIndex, true);
      continue;
    }
    if (out && isLost(edge)) {
      countAbstraction(nobody);
      add(edge, id, noIndex, true);
      continue;
    }
    if (out) {
      add(edge, id, messageOf.at(edge), false);
      continue;
    }
    // Everything in transit that this reception may take: of its name and, if
    // that is known, of its sender.
    bool fromAny = edge.sender == anyUnit, any = false;
    auto at = messageOf.lower_bound({edge.name, fromAny ? 0 : edge.sender, 0});
    for (; at != messageOf.end(); ++at) {
      auto &[sent, message] = *at;
      if (sent.name != edge.name || (!fromAny && sent.sender != edge.sender))
        break;
      if (sent.receiver != anyUnit && sent.receiver != edge.receiver)
        continue;
      Edge met{edge.name, sent.sender, edge.receiver};
      add(met, id, message, false);
      any = true;
    }
    if (!any && options.open && (fromAny || atBorder[1].count(edge))) {
      countAbstraction(nobody);
      add(edge, id, noIndex, true);
    }
  }
  if (actions.empty()) {
    actions.push_back({.kind = FiringKind::Receive, .never = true});
  }
  return actions;
}

std::unique_ptr<CollaborationSystem>
cif::makeProcessSystem(const Module &module, ArrayRef<uint32_t> behaviours,
                       const SemanticsOptions &options, DiagnosticEngine &diags,
                       const PinnedData *pins, ArrayRef<uint32_t> among) {
  NetworkKind kind =
      options.network.value_or(defaultNetwork(SemanticsKind::Collaboration));
  TokenNet net;
  CollaborationBuilder builder(module, behaviours, net, diags, options, kind,
                               pins, among);
  if (!builder.findMessages(behaviours))
    return nullptr;
  bool ok = true;
  for (uint32_t behaviour : behaviours)
    ok &= builder.add(behaviour);
  if (!ok)
    return nullptr;
  net.tracksChoices = true;
  builder.finish(/*unordered=*/kind == NetworkKind::Bag);
  TokenSystemOptions more;
  more.semantics = options.semantics == SemanticsKind::Detailed
                       ? SemanticsKind::Detailed
                       : SemanticsKind::Collaboration;
  more.network = kind;
  more.limits = options.limits;
  more.runLimits = options.runLimits;
  more.messages = builder.messageTable();
  auto network =
      makeNetwork(kind, {options.bound, builder.numUnits(),
                         std::move(builder.messages), options.plainQueues});
  return makeTokenSystem(std::move(net), std::move(network),
                         std::move(builder.labels), builder.abstractions(),
                         std::move(more));
}

std::unique_ptr<System> cif::makeValuedProcess(const Module &module,
                                               uint32_t behaviour,
                                               const Limits &limits,
                                               DiagnosticEngine &diags) {
  SmallVector<uint32_t, 8> among;
  for (size_t b = 0; b < module.behaviours.size(); ++b)
    if (module.behaviours[b].kind == BehaviourKind::Process)
      among.push_back(static_cast<uint32_t>(b));
  SemanticsOptions options = localOptions({});
  options.runLimits = limits;
  std::unique_ptr<System> system =
      makeProcessSystem(module, behaviour, options, diags, nullptr, among);
  if (system)
    tellAbstractions(module, *system, diags);
  return system;
}
