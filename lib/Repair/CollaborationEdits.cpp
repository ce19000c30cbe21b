//===- CollaborationEdits.cpp - Making changes of collaborations ----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementText.h"
#include "cif/IR/Names.h"
#include "cif/IR/Nodes.h"
#include "cif/Repair/Adaptation.h"
#include "cif/Repair/CollaborationChanges.h"
#include "llvm/ADT/STLExtras.h"

using namespace cif;

namespace {
using Change = CollaborationChange;

/// Makes changes one after the other. What goes stays in the arrays to the
/// end, so that the ids of all changes keep their meaning.
class Editor {
public:
  explicit Editor(Module &of)
      : module(of), deadNodes(of.behaviours.size()),
        deadFlows(of.behaviours.size()) {}

  bool apply(const Change &change);
  void finish() {
    for (size_t b = 0; b < module.behaviours.size(); ++b) {
      deadNodes[b].resize(module.behaviours[b].nodes.size());
      deadFlows[b].resize(module.behaviours[b].flows.size());
      removeParts(module, BehaviourId(b), deadNodes[b], deadFlows[b]);
    }
  }
  std::vector<std::string> diff;

private:
  bool changeGateway(const Change &change);
  bool setKind(NodeId n, NodeKind to);
  bool waitForEither(NodeId x, NodeId branch);
  bool swap(NodeId first, NodeId second);
  bool addEnd(const Change &change);
  bool receiveEither(const Change &change);
  bool drop(MessageId message);
  bool dropFrom(Node &node, NodeId n);
  bool hasBoundary(NodeId n);
  void alike(NodeId x, NodeId model);

  /// The process that is being edited.
  Behaviour &graph() { return module.behaviours[at.index()]; }
  bool isAlive(NodeId n) const {
    return n.index() >= deadNodes[at.index()].size() ||
           !deadNodes[at.index()][n.index()];
  }
  SmallVector<FlowId, 4> flowsOf(NodeId n, NodeId Flow::*end) {
    SmallVector<FlowId, 4> found;
    for (size_t f = 0; f < graph().flows.size(); ++f)
      if (graph().flows[f].*end == n &&
          (f >= deadFlows[at.index()].size() || !deadFlows[at.index()][f]))
        found.push_back(FlowId(f));
    return found;
  }
  SmallVector<FlowId, 4> into(NodeId n) { return flowsOf(n, &Flow::target); }
  SmallVector<FlowId, 4> outOf(NodeId n) { return flowsOf(n, &Flow::source); }
  void kill(NodeId n) {
    deadNodes[at.index()].resize(graph().nodes.size());
    deadNodes[at.index()][n.index()] = true;
  }
  void kill(FlowId f) {
    deadFlows[at.index()].resize(graph().flows.size());
    deadFlows[at.index()][f.index()] = true;
  }
  /// A new node beside \p near.
  NodeId addNode(NodeKind kind, NodeId near, Name name = {}) {
    Node node{.kind = kind, .name = name};
    node.parent = graph().node(near).parent;
    node.loc = graph().node(near).loc;
    node.loc.element = Name();
    graph().nodes.push_back(node);
    return NodeId(graph().nodes.size() - 1);
  }
  void addFlow(NodeId from, NodeId to) {
    Flow flow{.source = from, .target = to, .loc = graph().node(from).loc};
    flow.loc.element = Name();
    graph().flows.push_back(flow);
  }
  /// Puts \p n before \p x: whatever led to it leads to \p n.
  void putBefore(NodeId n, NodeId x) {
    for (FlowId f : into(x))
      graph().flow(f).target = n;
    addFlow(n, x);
  }
  /// What waits for a message or sends one, newly made for \p message.
  NodeId addMessageNode(NodeKind kind, NodeId near, MessageId message) {
    NodeId made = addNode(kind, near, module.message(message).name);
    graph().node(made).message = message;
    if (kind == NodeKind::Catch)
      graph().node(made).trigger = Trigger::Message;
    return made;
  }
  void connect(MessageId message, NodeId n, bool receives);
  /// The event-based gateway that \p n alone is a branch of, or nothing.
  NodeId gatewayBefore(NodeId n) {
    auto in = into(n);
    if (in.size() != 1)
      return {};
    NodeId before = graph().flow(in[0]).source;
    return graph().node(before).kind == NodeKind::EventChoice ? before
                                                              : NodeId();
  }

  void say(const char *sign, const std::string &text) {
    diff.push_back(std::string(sign) + " " +
                   module.participantName(graph().owner).str() + ": " + text);
  }
  std::string text(NodeId n) {
    std::string own = elementText(module, graph().node(n));
    return own.empty() ? elementKindText(graph().node(n)).str() : own;
  }
  std::string kindAndText(NodeId n) {
    std::string kind = elementKindText(graph().node(n)).str();
    return text(n) == kind ? kind : kind + " " + text(n);
  }
  std::string waits(NodeId gateway) {
    std::string list;
    for (FlowId f : outOf(gateway))
      list += (list.empty() ? "" : " or ") + text(graph().flow(f).target);
    return kindAndText(gateway) +
           (graph().node(gateway).kind == NodeKind::EventChoice
                ? " waits for "
                : " leads to ") +
           list;
  }

  Module &module;
  BehaviourId at;
  std::vector<std::vector<bool>> deadNodes, deadFlows;
};
} // namespace

bool Editor::setKind(NodeId n, NodeKind to) {
  Node &node = graph().node(n);
  if (!isAlive(n) || node.flags & Instantiate || node.kind == to)
    return false;
  say("-", kindAndText(n));
  node.kind = to;
  node.flags &= ~ParallelMultiple;
  say("+", kindAndText(n));
  if (to == NodeKind::AllSelect || to == NodeKind::EventChoice)
    for (FlowId f : outOf(n)) {
      graph().flow(f).guard = ExprId();
      graph().flow(f).flags &= ~DefaultFlow;
    }
  return true;
}

bool Editor::changeGateway(const Change &change) {
  return setKind(change.node, change.to) &&
         (!change.other || setKind(change.other, change.toOther));
}

bool Editor::hasBoundary(NodeId n) {
  return llvm::any_of(graph().nodes, [&](const Node &node) {
    return node.kind == NodeKind::Boundary && node.attachedTo == n;
  });
}

/// What stands behind one event-based gateway is all events or all tasks
/// [bpmn20, 10.5.6]: \p x becomes what \p model is.
void Editor::alike(NodeId x, NodeId model) {
  NodeKind kind = graph().node(model).kind;
  Node &node = graph().node(x);
  if (node.kind == kind)
    return;
  node.kind = kind;
  node.trigger = kind == NodeKind::Catch ? Trigger::Message : Trigger::None;
}

bool Editor::waitForEither(NodeId x, NodeId branch) {
  auto in = into(branch);
  // A receive task behind such a gateway has no boundary events.
  if (!isAlive(x) || !isAlive(branch) || in.size() != 1 || hasBoundary(x))
    return false;
  const FlowId toBranch = in[0];
  const NodeId decision = graph().flow(toBranch).source;
  auto ways = outOf(decision);
  NodeId gateway = gatewayBefore(x);
  if (ways.size() < 2 || gateway == decision ||
      graph().node(decision).flags & Instantiate)
    return false;
  const FlowId other = ways[0] == toBranch ? ways[1] : ways[0];
  say("-", waits(decision));
  if (!gateway && ways.size() == 2) {
    // The gateway itself moves: what was its other branch follows at once.
    auto before = into(x), had = into(decision);
    for (FlowId f : had)
      graph().flow(f).target = graph().flow(other).target;
    for (FlowId f : before)
      graph().flow(f).target = decision;
    graph().flow(other).target = x;
    gateway = decision;
  } else {
    if (!gateway) {
      gateway = addNode(NodeKind::EventChoice, x);
      putBefore(gateway, x);
    }
    graph().flow(toBranch).source = gateway;
    if (ways.size() == 2) {
      for (FlowId f : into(decision))
        graph().flow(f).target = graph().flow(other).target;
      kill(other);
      kill(decision);
    }
  }
  graph().node(gateway).kind = NodeKind::EventChoice;
  for (FlowId f : outOf(gateway)) {
    graph().flow(f).guard = ExprId();
    graph().flow(f).flags &= ~DefaultFlow;
  }
  alike(x, branch);
  say("+", waits(gateway));
  return true;
}

bool Editor::swap(NodeId first, NodeId second) {
  auto between = outOf(first), in = into(first), out = outOf(second);
  if (!isAlive(first) || !isAlive(second) || between.size() != 1 ||
      into(second) != between)
    return false;
  say("-", text(first) + ", then " + text(second));
  say("+", text(second) + ", then " + text(first));
  for (FlowId f : in)
    graph().flow(f).target = second;
  for (FlowId f : out)
    graph().flow(f).source = first;
  graph().flow(between[0]).source = second;
  graph().flow(between[0]).target = first;
  return true;
}

/// Leads the message flows of \p message to \p n that end at the pool, or at a
/// node that has another message.
void Editor::connect(MessageId message, NodeId n, bool receives) {
  for (MessageFlow &flow : module.messageFlows) {
    NodeId &node = receives ? flow.targetNode : flow.sourceNode;
    BehaviourId &in = receives ? flow.targetBehaviour : flow.sourceBehaviour;
    if (flow.message != message ||
        (node && in &&
         module.behaviours[in.index()].node(node).message == message))
      continue;
    node = n;
    in = at;
  }
}

bool Editor::addEnd(const Change &change) {
  const bool receives = change.kind == Change::Receive;
  const NodeId source = graph().flow(change.flow).source,
               target = graph().flow(change.flow).target;
  if (!isAlive(source) || !isAlive(target))
    return false;
  NodeId made = addMessageNode(receives ? NodeKind::Receive : NodeKind::Send,
                               source, change.message);
  graph().flow(change.flow).target = made;
  addFlow(made, target);
  connect(change.message, made, receives);
  say("+", std::string(receives ? "receive " : "send ") +
               quoted(module.text(module.message(change.message).name)) +
               " between " + text(source) + " and " + text(target));
  return true;
}

bool Editor::receiveEither(const Change &change) {
  const NodeId x = change.node;
  if (!isAlive(x) || into(x).empty() || hasBoundary(x))
    return false;
  NodeId gateway = gatewayBefore(x);
  if (!gateway) {
    gateway = addNode(NodeKind::EventChoice, x);
    putBefore(gateway, x);
  }
  const NodeKind kind = graph().node(x).kind;
  NodeId made = addMessageNode(kind, x, change.message);
  addFlow(gateway, made);
  connect(change.message, made, /*receives=*/true);
  std::string then;
  if (change.thenEnds) {
    addFlow(made, addNode(NodeKind::Final, x));
    then = "ends";
  } else {
    auto out = outOf(x);
    if (out.size() != 1)
      return false;
    NodeId next = graph().flow(out[0]).target;
    then = "goes on with " + text(next);
    if (NodeKind k = graph().node(next).kind;
        k != NodeKind::SimpleJoin && k != NodeKind::Final) {
      NodeId join = addNode(NodeKind::SimpleJoin, x);
      graph().flow(out[0]).target = join;
      addFlow(join, next);
      next = join;
    }
    addFlow(made, next);
  }
  say("+", "event-based gateway before " + text(x) +
               ", which waits for that or for " +
               quoted(module.text(module.message(change.message).name)) +
               " and then " + then);
  return true;
}

/// What sends or receives a message that is no more.
bool Editor::dropFrom(Node &node, NodeId n) {
  switch (node.kind) {
  case NodeKind::Send:
    say("-", kindAndText(n));
    node.kind = NodeKind::Task;
    say("+", kindAndText(n));
    break;
  case NodeKind::Throw:
  case NodeKind::Final:
  case NodeKind::Initial:
    say("-", "message of " + kindAndText(n));
    node.trigger = Trigger::None;
    break;
  case NodeKind::Receive:
  case NodeKind::Catch: {
    auto in = into(n), out = outOf(n);
    if (in.size() != 1 || out.size() != 1 || gatewayBefore(n) || hasBoundary(n))
      return false;
    say("-", kindAndText(n));
    // The flow from a merge that was not drawn, but made for this node, goes;
    // the one that is left is drawn.
    Flow &before = graph().flow(in[0]), &after = graph().flow(out[0]);
    const bool isMade =
        !node.loc.element.empty() && before.loc.element == node.loc.element;
    if (isMade)
      after.source = before.source;
    else
      before.target = after.target;
    if (isMade && after.loc.element == node.loc.element)
      after.loc.element = Name();
    kill(isMade ? in[0] : out[0]);
    kill(n);
    return true;
  }
  default:
    return false;
  }
  node.message = MessageId();
  node.numArguments = 0;
  node.flags &= ~BindsArguments;
  return true;
}

bool Editor::drop(MessageId message) {
  diff.push_back("- message " + module.exchangeText(message));
  for (size_t b = 0; b < module.behaviours.size(); ++b) {
    at = BehaviourId(b);
    if (graph().kind != BehaviourKind::Process)
      continue;
    for (size_t n = 0; n < graph().nodes.size(); ++n)
      if (Node &node = graph().nodes[n]; node.message == message &&
                                         isAlive(NodeId(n)) &&
                                         !dropFrom(node, NodeId(n)))
        return false;
  }
  llvm::erase_if(module.messageFlows, [&](const MessageFlow &flow) {
    return flow.message == message;
  });
  return true;
}

bool Editor::apply(const Change &change) {
  at = change.behaviour;
  switch (change.kind) {
  case Change::Gateway:
    return changeGateway(change);
  case Change::WaitForEither:
    return waitForEither(change.node, change.other);
  case Change::Swap:
    return swap(change.node, change.other);
  case Change::Interrupt: {
    Node &node = graph().node(change.node);
    bool was = !(node.flags & NonInterrupting);
    node.flags ^= NonInterrupting;
    for (bool now : {false, true})
      say(now ? "+" : "-",
          (was != now ? "interrupting " : "non-interrupting ") +
              kindAndText(change.node));
    return isAlive(change.node);
  }
  case Change::End: {
    Node &node = graph().node(change.node);
    say("-", kindAndText(change.node));
    node.kind =
        node.kind == NodeKind::Final ? NodeKind::Terminate : NodeKind::Final;
    say("+", kindAndText(change.node));
    return isAlive(change.node);
  }
  case Change::Receive:
  case Change::Send:
    return addEnd(change);
  case Change::ReceiveEither:
    return receiveEither(change);
  case Change::Acknowledge:
    llvm::append_range(
        diff, applyChange(module,
                          {AdaptChange::Acknowledge, {}, {}, change.message}));
    return true;
  case Change::Drop:
    return drop(change.message);
  }
  return false;
}

std::optional<std::vector<std::string>>
cif::applyChanges(Module &module, ArrayRef<CollaborationChange> changes) {
  Editor editor(module);
  for (const CollaborationChange &change : changes)
    if (!editor.apply(change))
      return std::nullopt;
  editor.finish();
  return std::move(editor.diff);
}
