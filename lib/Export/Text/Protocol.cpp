//===- Protocol.cpp - A choreography's graph as a protocol ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The states of the automaton are the event-based choices, the joins, and the
/// points before an interaction or an end that have neither. A silent decision,
/// parallelism or data would be lost: such a graph is refused; `lower-lts`
/// and `minimize=weak-trace` make a system of it that can be written.
///
//===----------------------------------------------------------------------===//

#include "Protocol.h"
#include "cif/IR/Names.h"
#include "cif/Support/DiagnosticKinds.h"
#include "llvm/ADT/StringSet.h"
#include <optional>

using namespace cif;

namespace {
class Reader {
public:
  Reader(const Module &module, const Behaviour &behaviour,
         DiagnosticEngine &diags, Protocol &protocol)
      : module(module), b(behaviour), diags(diags), protocol(protocol),
        out(b.nodes.size(), none), from(b.nodes.size()), numOut(b.nodes.size()),
        stateOf(b.nodes.size(), none) {}
  bool run();

private:
  static constexpr uint32_t none = UINT32_MAX;

  bool refuse(const Location &loc, const Twine &why) {
    diags.report(module.place(loc), diag::emit_node)
        << "cp" << ("choreography '" + module.text(b.name) + "'") << why;
    return false;
  }
  bool check();
  /// The node whose state a token is in that comes to \p node.
  std::optional<NodeId> pointAt(NodeId node) {
    for (size_t steps = 0; steps <= b.nodes.size(); ++steps) {
      if (b.node(node).kind != NodeKind::SimpleJoin)
        return node;
      NodeId next = b.flows[out[node.index()]].target;
      NodeKind kind = b.node(next).kind;
      if (kind == NodeKind::Interaction || kind == NodeKind::Final)
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
  std::vector<uint32_t> out; ///< by node: some flow that leaves it
  std::vector<NodeId> from;  ///< by node: some node before it
  std::vector<uint32_t> numOut, stateOf;
};
} // namespace

bool Reader::check() {
  if (b.kind != BehaviourKind::Choreography)
    return refuse(b.loc, "it is a process");
  std::vector<uint32_t> numIn(b.nodes.size());
  for (uint32_t f = 0; f < b.flows.size(); ++f) {
    const Flow &flow = b.flows[f];
    if (flow.guard)
      return refuse(flow.loc, "it has a condition here");
    out[flow.source.index()] = f;
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
      if (!one || (node.kind == NodeKind::Interaction && numIn[n] != 1))
        return refuse(node.loc, "flows meet or part here without a gateway");
      break;
    case NodeKind::EventChoice:
    case NodeKind::Final:
      one = true;
      break;
    default:
      return refuse(
          node.loc,
          "there is no form for '" + nodeKindText(node.kind) +
              "' (--lower-lts --minimize=weak-trace makes a system of it)");
    }
    if (!one || node.parent || node.reply || node.loop != LoopKind::None)
      return refuse(node.loc, "there is no form for what it has here "
                              "(--normalize takes it apart)");
    if (!node.message)
      continue;
    const Message &message = module.message(node.message);
    if (!message.sender || !message.receiver || !message.fields.empty())
      return refuse(node.loc, "its messages have data, or an open end");
  }
  return starts == 1 || refuse(b.loc, "it does not have one start");
}

bool Reader::run() {
  if (!check())
    return false;
  protocol.name = b.name;
  for (uint32_t n = 0; n < b.nodes.size(); ++n)
    if (b.nodes[n].kind == NodeKind::Initial) {
      std::optional<NodeId> point = pointAt(b.flows[out[n]].target);
      if (!point)
        return refuse(b.nodes[n].loc, "it goes in circles without an exchange");
      protocol.initial = state(*point);
    }
  for (const Flow &flow : b.flows) {
    NodeKind source = b.node(flow.source).kind,
             target = b.node(flow.target).kind;
    if (source == NodeKind::EventChoice && target != NodeKind::Interaction &&
        target != NodeKind::Final)
      return refuse(flow.loc, "a branch begins without an exchange");
    if (target == NodeKind::Final && source != NodeKind::Interaction &&
        source != NodeKind::Initial)
      protocol.finals[state(flow.source)] = true;
  }
  for (uint32_t n = 0; n < b.nodes.size(); ++n) {
    const Node &node = b.nodes[n];
    if (node.kind != NodeKind::Interaction)
      continue;
    NodeKind before = b.node(from[n]).kind;
    std::optional<NodeId> after = pointAt(b.flows[out[n]].target);
    if (!after)
      return refuse(node.loc, "it goes in circles without an exchange");
    bool shared =
        before == NodeKind::EventChoice || before == NodeKind::SimpleJoin;
    uint32_t source = state(shared ? from[n] : NodeId(n));
    protocol.transitions.push_back({source, state(*after), node.message});
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

void Protocol::print(const Module &module, raw_ostream &os) const {
  auto show = [&](const char *before, StringRef text, const char *after = "") {
    os << before;
    printName(os, text);
    os << after;
  };
  show("protocol ", module.text(name), " {\n");
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
    const Message &message = module.message(t.message);
    show("  ", states[t.from], " -> ");
    show("", states[t.to], " : ");
    show("", module.participantName(message.sender), " -> ");
    show("", module.participantName(message.receiver), " : ");
    show("", module.text(message.name), "\n");
  }
  os << "}\n";
}

bool cif::makeProtocol(const Module &module, const Behaviour &behaviour,
                       DiagnosticEngine &diags, Protocol &protocol) {
  return Reader(module, behaviour, diags, protocol).run();
}
