//===- BehaviourOfTerm.cpp - From a changed term back to a behaviour ------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Calculus/BehaviourOfTerm.h"
#include "cif/IR/Builder.h"

using namespace cif;

namespace {

class Rebuild {
public:
  Rebuild(Module &module, const Behaviour &old, const Term &term,
          ArrayRef<MessageId> messages)
      : module(module), old(old), term(term), messages(messages),
        moved(old.nodes.size()) {}

  Behaviour run();

private:
  struct Part {
    NodeId first, last; ///< both empty: a flow
    FlowId guard;       ///< it begins with this one's
  };

  NodeId add(NodeKind kind, NodeId like, bool keep = false) {
    Node node;
    if (like && keep)
      node = old.node(like);
    if (like)
      node.loc = old.node(like).loc;
    node.kind = kind;
    node.parent = NodeId();
    result.nodes.push_back(node);
    NodeId id(result.nodes.size() - 1);
    if (like && keep)
      moved[like.index()] = id;
    return id;
  }
  void flow(NodeId from, NodeId to, FlowId like = {}) {
    Flow flow;
    if (like)
      flow = old.flow(like);
    else
      flow.loc = result.node(from).loc;
    flow.source = from;
    flow.target = to;
    if (!like && llvm::is_contained(tests, from))
      flow.flags |= DefaultFlow;
    result.flows.push_back(flow);
  }
  Part settled(const Part &part);
  Part visit(TermId id, ArrayRef<Part> parts);
  Part visitLoop(const TermNode &node, const Part &body);
  Part visitRec(const TermNode &node, const Part &body, size_t begin);

  Module &module;
  const Behaviour &old;
  const Term &term;
  ArrayRef<MessageId> messages; ///< of each action of `term`
  std::vector<NodeId> moved;
  SmallVector<NodeId, 4>
      tests; ///< choices of `while`: their way out is default
  /// Of each subterm: how many nodes there were before it.
  std::vector<size_t> begins;
  std::vector<std::pair<NodeId, TermId>> calls;
  std::vector<NodeId> containers; ///< of each Rec
  Behaviour result;
};

/// \p part with a node where its guard is looked at.
Rebuild::Part Rebuild::settled(const Part &part) {
  if (!part.guard)
    return part;
  NodeId test = add(NodeKind::Choice, old.flow(part.guard).source);
  if (part.first) {
    flow(test, part.first, part.guard);
    return {test, part.last, {}};
  }
  NodeId join = add(NodeKind::SimpleJoin, old.flow(part.guard).source);
  flow(test, join, part.guard);
  return {test, join, {}};
}

/// The nodes from \p begin on are the content of a container.
Rebuild::Part Rebuild::visitRec(const TermNode &node, const Part &body,
                                size_t begin) {
  NodeId first = add(NodeKind::Initial, node.node);
  NodeId last = add(NodeKind::Final, node.node);
  flow(first, body.first ? body.first : last);
  if (body.last)
    flow(body.last, last);
  size_t end = result.nodes.size();
  bool isContainer = old.node(node.node).kind == NodeKind::Container;
  NodeId container = add(NodeKind::Container, node.node, isContainer);
  for (size_t i = begin; i < end; ++i)
    if (!result.nodes[i].parent)
      result.nodes[i].parent = container;
  return {container, container, {}};
}

/// A join, and a choice between the body and what follows. The order of new
/// nodes shows in what is written, and is not the same for both loops.
Rebuild::Part Rebuild::visitLoop(const TermNode &node, const Part &inside) {
  Part part, body;
  const bool isWhile = node.kind == TermKind::While;
  if (isWhile)
    body = settled(inside);
  part.first = add(NodeKind::SimpleJoin, node.node);
  if (isWhile)
    part.last = add(NodeKind::Choice, old.flow(node.flow).source, true);
  else
    part.last = add(node.deferred ? NodeKind::EventChoice : NodeKind::Choice,
                    node.node);
  flow(part.first, part.last);
  if (!isWhile)
    body = settled(inside);
  flow(part.last, body.first ? body.first : part.first,
       isWhile ? node.flow : FlowId());
  if (body.last)
    flow(body.last, part.first);
  if (isWhile)
    tests.push_back(part.last);
  return part;
}

Rebuild::Part Rebuild::visit(TermId id, ArrayRef<Part> parts) {
  const TermNode &node = term[id];
  auto branch = [&](NodeId split, TermId child, NodeId join) {
    const Part &part = parts[child.index()];
    flow(split, part.first ? part.first : join, part.guard);
    if (part.last)
      flow(part.last, join);
  };
  Part part;
  switch (node.kind) {
  case TermKind::Action:
    part.first = part.last =
        add(NodeKind::Interaction, node.node, bool(node.node));
    if (!node.node)
      result.node(part.first).loc = old.loc;
    result.node(part.first).message = messages[id.index()];
    break;
  case TermKind::Tau:
  case TermKind::Stuck:
    part.first = part.last = add(old.node(node.node).kind, node.node, true);
    break;
  case TermKind::Sequence:
    for (TermId c = node.firstChild; c; c = term[c].nextSibling) {
      Part next = settled(parts[c.index()]);
      if (!next.first)
        continue;
      if (part.last)
        flow(part.last, next.first);
      else
        part.first = next.first;
      part.last = next.last;
    }
    break;
  case TermKind::Parallel:
  case TermKind::Choice: {
    bool all = node.kind == TermKind::Parallel;
    if (node.node)
      part.first = add(old.node(node.node).kind, node.node, true);
    else
      part.first = add(all ? NodeKind::AllSelect : NodeKind::Choice, {});
    part.last = add(all ? NodeKind::AllJoin : NodeKind::SimpleJoin, node.node);
    for (TermId c = node.firstChild; c; c = term[c].nextSibling)
      branch(part.first, c, part.last);
    break;
  }
  case TermKind::Loop:
  case TermKind::While:
    return visitLoop(node, parts[node.firstChild.index()]);
  case TermKind::Guard:
    part = settled(parts[node.firstChild.index()]);
    part.guard = node.flow;
    break;
  case TermKind::Rec:
    part = visitRec(node, settled(parts[node.firstChild.index()]),
                    begins[id.index()]);
    containers[id.index()] = part.first;
    break;
  case TermKind::Call:
    part.first = part.last = add(NodeKind::Call, node.node,
                                 old.node(node.node).kind == NodeKind::Call);
    calls.push_back({part.first, node.target});
    break;
  default: // 1
    break;
  }
  return part;
}

Behaviour Rebuild::run() {
  result.name = old.name;
  result.kind = old.kind;
  result.owner = old.owner;
  result.loc = old.loc;
  result.arguments = old.arguments;
  NodeId start, end;
  for (size_t i = 0; i < old.nodes.size(); ++i) {
    if (!old.nodes[i].parent && old.nodes[i].kind == NodeKind::Initial)
      start = NodeId(i);
    if (!old.nodes[i].parent && old.nodes[i].kind == NodeKind::Final && !end)
      end = NodeId(i);
  }
  NodeId first = add(NodeKind::Initial, start, true);
  NodeId last = add(NodeKind::Final, end, bool(end));
  std::vector<Part> parts(term.size());
  containers.resize(parts.size());
  for (size_t i = 0; i < parts.size(); ++i) {
    TermId child = term.nodes[i].firstChild;
    begins.push_back(child ? begins[child.index()] : result.nodes.size());
    parts[i] = visit(TermId(i), parts);
  }
  for (auto [call, target] : calls)
    result.node(call).attachedTo = containers[target.index()];
  Part whole = settled(parts.back());
  flow(first, whole.first ? whole.first : last);
  if (whole.last)
    flow(whole.last, last);
  for (Attribute attribute : old.attributes) {
    if (attribute.node) {
      attribute.node = moved[attribute.node.index()];
      if (!attribute.node)
        continue;
    }
    result.attributes.push_back(attribute);
  }
  sortAttributes(module, result);
  return std::move(result);
}

} // namespace

Behaviour cif::behaviourOf(Module &module, const Behaviour &old,
                           const Term &term, ArrayRef<MessageId> messages) {
  return Rebuild(module, old, term, messages).run();
}
