//===- Knowledge.cpp - What a participant knows of data -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A data-flow analysis, from what holds everywhere down to what holds on every
/// way. After parallel branches it is known what was known at the end of any.
///
//===----------------------------------------------------------------------===//

#include "cif/Transforms/Knowledge.h"
#include "cif/IR/Operators.h"
#include "llvm/ADT/DenseSet.h"

using namespace cif;

/// Calls \p function with the variables of an expression.
static void forVariables(const Module &module, ExprId root,
                         function_ref<void(Name)> function) {
  for (ExprId id : partsOf(module, root))
    if (module.expr(id).op == ExprOp::Variable)
      function(module.expr(id).name);
}

Knowledge::Knowledge(const Module &module, const Behaviour &choreography,
                     ParticipantId peer)
    : module(module), graph(choreography), peer(peer), flows(choreography) {
  auto number = [&](Name name) {
    numbers.try_emplace(name.index(), static_cast<uint32_t>(numbers.size()));
  };
  for (const Flow &flow : graph.flows)
    forVariables(module, flow.guard, number);
  for (ExprId argument : graph.arguments)
    forVariables(module, argument, number);
  if (numbers.empty())
    return;
  bound.resize(numbers.size());
  for (const Node &node : graph.nodes)
    if (node.message || node.reply) {
      Known all(numbers.size());
      take(NodeId(&node - graph.nodes.data()), all, /*always=*/true);
      bound |= all;
    }
  solve();
}

void Knowledge::bind(Name name, bool isKnown, Known &known) const {
  auto found = name.empty() ? numbers.end() : numbers.find(name.index());
  if (found == numbers.end())
    return;
  known[found->second] = isKnown;
}

/// What an exchange changes. \p always: to somebody who takes part in all.
void Knowledge::take(NodeId n, Known &known, bool always) const {
  const Node &node = graph.node(n);
  for (MessageId id : {node.message, node.reply}) {
    if (!id)
      continue;
    const Message &message = module.message(id);
    bool involved =
        always || message.sender == peer || message.receiver == peer;
    bool own = id == node.message && node.numArguments;
    for (uint32_t i = 0; own && i < node.numArguments; ++i) {
      const Expr &e = module.expr(graph.arguments[node.firstArgument + i]);
      if (e.op != ExprOp::Variable)
        continue;
      if (node.flags & BindsArguments)
        bind(e.name, involved, known);
      else if (message.receiver == peer && !always) // it is told
        bind(e.name, true, known);
    }
    if (own)
      continue;
    for (const Field &field : message.fields) {
      bind(field.name, involved, known);
      bind(module.strings.lookup(
               (module.text(message.name) + "." + module.text(field.name))
                   .str()),
           involved, known);
    }
  }
}

Knowledge::Known Knowledge::before(NodeId n) const {
  const Node &node = graph.node(n);
  SmallVector<NodeId, 4> from;
  if (node.kind == NodeKind::Boundary && node.attachedTo)
    return Known(numbers.size()); // it may come at any time
  NodeId entered = node.parent && flows.incoming(n).empty() ? node.parent : n;
  for (FlowId f : flows.incoming(entered))
    from.push_back(graph.flow(f).source);
  if (from.empty())
    return Known(numbers.size());
  bool join = node.kind == NodeKind::AllJoin && entered == n;
  Known known(numbers.size(), !join);
  for (NodeId p : from)
    if (join)
      known |= after[p.index()];
    else
      known &= after[p.index()];
  return known;
}

void Knowledge::solve() {
  after.assign(graph.nodes.size(), Known(numbers.size(), true));
  for (auto &list : inside)
    list.resize(graph.nodes.size());
  for (size_t i = 0; i < graph.nodes.size(); ++i)
    if (NodeId parent = graph.nodes[i].parent) {
      if (flows.incoming(NodeId(i)).empty())
        inside[0][parent.index()].push_back(NodeId(i));
      if (flows.outgoing(NodeId(i)).empty())
        inside[1][parent.index()].push_back(NodeId(i));
    }
  std::vector<NodeId> work;
  std::vector<bool> queued(graph.nodes.size(), true);
  for (size_t i = graph.nodes.size(); i-- > 0;)
    work.push_back(NodeId(i));
  auto visit = [&](NodeId n) {
    if (!queued[n.index()])
      work.push_back(n);
    queued[n.index()] = true;
  };
  while (!work.empty()) { // each variable is lost at each node once
    NodeId n = work.back();
    work.pop_back();
    queued[n.index()] = false;
    Known known = before(n);
    if (!inside[1][n.index()].empty()) {
      known.set();
      for (NodeId end : inside[1][n.index()])
        known &= after[end.index()];
    }
    take(n, known);
    if (known == after[n.index()])
      continue;
    after[n.index()] = std::move(known);
    for (FlowId f : flows.outgoing(n)) {
      NodeId to = graph.flow(f).target;
      visit(to);
      for (NodeId start : inside[0][to.index()])
        visit(start);
    }
    if (NodeId parent = graph.node(n).parent)
      visit(parent);
  }
}

Name Knowledge::unknown(NodeId node, ExprId expr) const {
  Name found;
  if (!expr || numbers.empty())
    return found;
  Known known = before(node);
  forVariables(module, expr, [&](Name name) {
    uint32_t v = numbers.lookup(name.index());
    if (found.empty() && bound[v] && !known[v])
      found = name;
  });
  return found;
}

bool Knowledge::isForeign(ExprId expr) const {
  bool found = false;
  forVariables(module, expr, [&](Name name) {
    found |= !bound[numbers.lookup(name.index())];
  });
  return found;
}
