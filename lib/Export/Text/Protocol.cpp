//===- Protocol.cpp - A choreography's graph as a protocol ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The states of the automaton are the event-based choices, the joins, and the
/// points before an interaction or an end that have neither. A silent decision
/// or parallelism would be lost: such a graph is refused; `lower-lts` and
/// `minimize=weak-trace` make a system of it that can be written. Conditions
/// stand on the flows of event-based choices. A process is written as a peer.
///
//===----------------------------------------------------------------------===//

#include "Protocol.h"
#include "cif/IR/ExprText.h"
#include "cif/IR/Names.h"
#include "cif/IR/Operators.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "llvm/ADT/StringSet.h"
#include <optional>

using namespace cif;

namespace {
class Reader {
public:
  Reader(const Module &module, const Behaviour &behaviour,
         DiagnosticEngine &diags, Protocol &protocol)
      : module(module), b(behaviour), diags(diags), protocol(protocol),
        isGlobal(b.kind == BehaviourKind::Choreography),
        out(b.nodes.size(), none), from(b.nodes.size()), guard(b.nodes.size()),
        numOut(b.nodes.size()), stateOf(b.nodes.size(), none) {}
  bool run();

private:
  static constexpr uint32_t none = UINT32_MAX;

  bool refuse(const Location &loc, const Twine &why) {
    diags.report(module.place(loc), diag::emit_node)
        << "cp"
        << ((b.kind == BehaviourKind::Choreography ? "choreography '"
                                                   : "process '") +
            module.text(b.name) + "'")
        << why;
    return false;
  }
  bool check();
  bool checkGuard(const Flow &flow);
  bool checkData(const Node &node);
  static bool isStep(const Node &node) {
    return hasTrait(node.kind, NodeTraits::NeedsMessage);
  }
  /// The node whose state a token is in that comes to \p node.
  std::optional<NodeId> pointAt(NodeId node) {
    for (size_t steps = 0; steps <= b.nodes.size(); ++steps) {
      if (b.node(node).kind != NodeKind::SimpleJoin)
        return node;
      NodeId next = b.flows[out[node.index()]].target;
      if (isStep(b.node(next)) || b.node(next).kind == NodeKind::Final)
        return node;
      node = next;
    }
    return std::nullopt; // joins in a circle
  }
  uint32_t state(NodeId node) {
    uint32_t &index = stateOf[node.index()];
    if (index == none) {
      index = protocol.states.size();
      protocol.states.push_back(module.text(b.node(node).name).str());
      protocol.finals.push_back(b.node(node).kind == NodeKind::Final);
    }
    return index;
  }

  const Module &module;
  const Behaviour &b;
  DiagnosticEngine &diags;
  Protocol &protocol;
  const bool isGlobal;
  std::vector<uint32_t> out; ///< by node: some flow that leaves it
  std::vector<NodeId> from;  ///< by node: some node before it
  std::vector<ExprId> guard; ///< by step: of the flow to it
  std::vector<uint32_t> numOut, stateOf;
};
} // namespace

/// A condition can be written where it decides between steps, and is read again
/// as what it is.
bool Reader::checkGuard(const Flow &flow) {
  if (!flow.guard)
    return true;
  if (b.node(flow.source).kind != NodeKind::EventChoice ||
      !isStep(b.node(flow.target)))
    return refuse(
        flow.loc,
        "it has a condition in a place where a protocol cannot have one");
  for (ExprId id : partsOf(module, flow.guard))
    if (module.expr(id).op == ExprOp::Opaque)
      return refuse(flow.loc, "a protocol cannot express its condition");
  return true;
}

bool Reader::checkData(const Node &node) {
  const Message &message = module.message(node.message);
  if (!message.sender || !message.receiver)
    return refuse(node.loc, "a message has no sender or no receiver");
  for (const Field &field : message.fields)
    if (field.sort == unknownSort)
      return refuse(node.loc, "a field has no sort");
  return true;
}

bool Reader::check() {
  if (b.kind == BehaviourKind::Controller || (!isGlobal && !b.owner))
    return refuse(
        b.loc, "it is neither a choreography nor the process of a participant");
  std::vector<uint32_t> numIn(b.nodes.size());
  for (uint32_t f = 0; f < b.flows.size(); ++f) {
    const Flow &flow = b.flows[f];
    if (!checkGuard(flow))
      return false;
    out[flow.source.index()] = f;
    guard[flow.target.index()] = flow.guard;
    from[flow.target.index()] = flow.source;
    ++numOut[flow.source.index()];
    ++numIn[flow.target.index()];
  }
  unsigned starts = 0;
  for (uint32_t n = 0; n < b.nodes.size(); ++n) {
    const Node &node = b.nodes[n];
    bool one = numOut[n] == 1;
    switch (node.kind) {
    case NodeKind::Initial:
      starts += one;
      break;
    case NodeKind::SimpleJoin:
    case NodeKind::Interaction:
    case NodeKind::Send:
    case NodeKind::Receive:
      if (!one || (isStep(node) && numIn[n] != 1))
        return refuse(node.loc, "flows merge or split here without a gateway");
      break;
    case NodeKind::EventChoice:
    case NodeKind::Final:
      one = true;
      break;
    default:
      return refuse(
          node.loc,
          "a protocol cannot express '" + nodeKindText(node.kind) +
              "' (--lower-lts --minimize=weak-trace makes a system of it)");
    }
    if (!one || node.parent || node.reply || node.loop != LoopKind::None)
      return refuse(node.loc, "a protocol cannot express this element "
                              "(--normalize expands it)");
    if (!node.message)
      continue;
    if (!checkData(node))
      return false;
  }
  return starts == 1 || refuse(b.loc, "it does not have exactly one start");
}

bool Reader::run() {
  if (!check())
    return false;
  protocol.of = &b;
  protocol.name = isGlobal ? b.name : module.participant(b.owner).name;
  for (uint32_t n = 0; n < b.nodes.size(); ++n)
    if (b.nodes[n].kind == NodeKind::Initial) {
      std::optional<NodeId> point = pointAt(b.flows[out[n]].target);
      if (!point)
        return refuse(b.nodes[n].loc, "it has a cycle without an exchange");
      protocol.initial = state(*point);
    }
  for (const Flow &flow : b.flows) {
    NodeKind source = b.node(flow.source).kind,
             target = b.node(flow.target).kind;
    if (source == NodeKind::EventChoice && !isStep(b.node(flow.target)) &&
        target != NodeKind::Final)
      return refuse(flow.loc, "a branch begins without an exchange");
    if (target == NodeKind::Final && !isStep(b.node(flow.source)) &&
        source != NodeKind::Initial)
      protocol.finals[state(flow.source)] = true;
  }
  for (uint32_t n = 0; n < b.nodes.size(); ++n) {
    const Node &node = b.nodes[n];
    if (!isStep(node))
      continue;
    NodeKind before = b.node(from[n]).kind;
    std::optional<NodeId> after = pointAt(b.flows[out[n]].target);
    if (!after)
      return refuse(node.loc, "it has a cycle without an exchange");
    bool shared =
        before == NodeKind::EventChoice || before == NodeKind::SimpleJoin;
    uint32_t source = state(shared ? from[n] : NodeId(n));
    protocol.transitions.push_back(
        {source, state(*after), NodeId(n), guard[n]});
  }
  // An interaction's own name is no state's; names must differ.
  llvm::StringSet<> taken;
  for (uint32_t n = 0; n < b.nodes.size(); ++n)
    if (stateOf[n] != none) {
      std::string &name = protocol.states[stateOf[n]];
      bool gateway = b.nodes[n].kind == NodeKind::EventChoice ||
                     b.nodes[n].kind == NodeKind::SimpleJoin;
      if (!gateway || name.empty() || !taken.insert(name).second)
        name.clear();
    }
  unsigned next = 0;
  for (std::string &name : protocol.states)
    while (name.empty())
      if (std::string number = std::to_string(next++);
          taken.insert(number).second)
        name = number;
  return true;
}

/// `(x: int)` or `(x + 1)`.
static void printPayload(const Module &module, const Behaviour &b,
                         const Node &node, raw_ostream &os) {
  const Message &message = module.message(node.message);
  size_t count = node.numArguments ? node.numArguments : message.fields.size();
  for (size_t i = 0; i < count; ++i) {
    os << (i ? ", " : "(");
    Name name;
    Sort sort = i < message.fields.size() ? message.fields[i].sort : Sort();
    if (i < node.numArguments) {
      ExprId argument = b.arguments[node.firstArgument + i];
      if (!(node.flags & BindsArguments)) {
        os << exprText(module, argument);
        continue;
      }
      name = module.expr(argument).name;
      sort = module.expr(argument).sort;
    } else {
      name = message.fields[i].name;
    }
    printName(os, module.text(name));
    os << ": ";
    if (sort.isEnum())
      printName(os, module.text(module.enumerations[sort.enumIndex()].name));
    else
      os << (sort == boolSort ? "bool" : sort == intSort ? "int" : "string");
  }
  if (count)
    os << ')';
}

void Protocol::print(const Module &module, raw_ostream &os) const {
  auto show = [&](const char *before, StringRef text, const char *after = "") {
    os << before;
    printName(os, text);
    os << after;
  };
  const bool isGlobal = of->kind == BehaviourKind::Choreography;
  show(isGlobal ? "protocol " : "peer ", module.text(name), " {\n");
  show("  initial ", states[initial], "\n");
  const char *before = "  final ";
  for (size_t s = 0; s < states.size(); ++s)
    if (finals[s]) {
      show(before, states[s]);
      before = ", ";
    }
  if (*before == ',')
    os << '\n';
  for (const Transition &t : transitions) {
    const Node &node = of->node(t.node);
    const Message &message = module.message(node.message);
    show("  ", states[t.from], " -> ");
    show("", states[t.to], " : ");
    if (t.guard)
      os << '[' << exprText(module, t.guard) << "] => ";
    const bool sends = node.kind == NodeKind::Send;
    if (isGlobal) {
      show("", module.participantName(message.sender), " -> ");
      show("", module.participantName(message.receiver), " : ");
    } else {
      show("",
           module.participantName(sends ? message.receiver : message.sender),
           sends ? "!" : "?");
    }
    show("", module.text(message.name));
    printPayload(module, *of, node, os);
    os << '\n';
  }
  os << "}\n";
}

bool cif::makeProtocol(const Module &module, const Behaviour &behaviour,
                       DiagnosticEngine &diags, Protocol &protocol) {
  return Reader(module, behaviour, diags, protocol).run();
}
