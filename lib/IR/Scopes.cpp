//===- Scopes.cpp - Sub-processes and the events on their borders ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Scopes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace cif;

/// By node: the events on its border.
using Borders = std::vector<SmallVector<NodeId, 2>>;

bool cif::isInside(const Behaviour &b, NodeId n, NodeId container) {
  for (NodeId c = b.node(n).parent; c; c = b.node(c).parent)
    if (c == container)
      return true;
  return false;
}

bool cif::holdsScope(const Behaviour &b, NodeId n) {
  const Node &container = b.node(n);
  Name around =
      container.parent ? b.node(container.parent).loc.element : b.loc.element;
  return !around.empty() && container.loc.element == around;
}

NodeId cif::mainPart(const Behaviour &b, NodeId n) {
  for (size_t i = 0; i < b.nodes.size(); ++i)
    if (b.nodes[i].parent == n && b.nodes[i].kind == NodeKind::Container &&
        b.nodes[i].loc == b.node(n).loc)
      return NodeId(i);
  return n;
}

bool cif::isOneTask(const Behaviour &b, NodeId n) {
  Name id = b.node(n).loc.element;
  for (size_t i = 0; i < b.nodes.size() && !id.empty(); ++i)
    if (b.nodes[i].loc.element == id &&
        hasTrait(b.nodes[i].kind, NodeTraits::Step) &&
        isInside(b, NodeId(i), n))
      return true;
  return false;
}

llvm::BitVector cif::leadsToWork(const Behaviour &b, const FlowIndex &flows,
                                 NodeId container) {
  llvm::BitVector leads(b.nodes.size());
  SmallVector<NodeId, 8> work;
  for (size_t i = 0; i < b.nodes.size(); ++i)
    if (hasTrait(b.nodes[i].kind, NodeTraits::Activity) &&
        isInside(b, NodeId(i), container)) {
      leads.set(i);
      work.push_back(NodeId(i));
    }
  while (!work.empty())
    for (FlowId f : flows.incoming(work.pop_back_val()))
      if (NodeId from = b.flow(f).source; !leads.test(from.index())) {
        leads.set(from.index());
        work.push_back(from);
      }
  return leads;
}

NodeId cif::terminatedScope(const Behaviour &b, NodeId termination) {
  NodeId scope = b.node(termination).parent;
  auto hasEvents = [&](NodeId c) {
    return llvm::any_of(b.nodes, [&](const Node &node) {
      return node.kind == NodeKind::Boundary && node.attachedTo == c;
    });
  };
  while (scope && holdsScope(b, scope) && hasEvents(scope))
    scope = b.node(scope).parent;
  return scope;
}

SmallVector<NodeId, 4> cif::startsOfHandler(const Behaviour &b,
                                            const FlowIndex &flows, NodeId n) {
  SmallVector<NodeId, 4> starts, work{n};
  llvm::BitVector seen(b.nodes.size());
  while (!work.empty())
    for (FlowId f : flows.incoming(work.pop_back_val())) {
      NodeId from = b.flow(f).source;
      const Node &start = b.node(from);
      if (seen.test(from.index()))
        continue;
      seen.set(from.index());
      if (start.kind == NodeKind::SimpleJoin)
        work.push_back(from);
      if (start.kind == NodeKind::Boundary && holdsScope(b, start.attachedTo))
        starts.push_back(from);
    }
  return starts;
}

/// If \p n is an event sub-process that interrupts nothing: the events that
/// start others beside it. What it throws is thrown in their scope.
static SmallVector<NodeId, 4> besideHandler(const Behaviour &b,
                                            const FlowIndex &flows,
                                            const Borders &borders, NodeId n) {
  SmallVector<NodeId, 4> others;
  for (NodeId from : startsOfHandler(b, flows, n)) {
    const Node &start = b.node(from);
    if (!(start.flags & NonInterrupting))
      continue;
    for (NodeId other : borders[start.attachedTo.index()])
      if (b.node(other).loc.element != start.loc.element)
        others.push_back(other);
  }
  return others;
}

Catchers cif::findCatchers(const Module &module, const Behaviour &b,
                           const FlowIndex &flows) {
  Catchers found;
  found.caughtBy.resize(b.nodes.size());
  found.isThrown.resize(b.nodes.size());
  if (b.kind == BehaviourKind::Choreography)
    return found;
  Borders borders(b.nodes.size());
  for (size_t i = 0; i < b.nodes.size(); ++i)
    if (b.nodes[i].kind == NodeKind::Boundary)
      borders[b.nodes[i].attachedTo.index()].push_back(NodeId(i));
  constexpr size_t maxPairs = 100'000; // beyond: events happen at any time
  size_t pairs = 0;
  // Which error or escalation an event means; empty: any.
  std::vector<StringRef> codes(b.nodes.size());
  for (const Attribute &a : b.attributes)
    if (a.node && module.text(a.key) == "code")
      codes[a.node.index()] = module.text(a.value);
  for (size_t i = 0; i < b.nodes.size(); ++i) {
    const Node &node = b.nodes[i];
    bool travels = node.trigger == Trigger::Error ||
                   node.trigger == Trigger::Escalation ||
                   node.trigger == Trigger::Cancel;
    if (!travels ||
        (node.kind != NodeKind::Final && node.kind != NodeKind::Throw))
      continue;
    StringRef code = codes[i];
    for (NodeId c = node.parent; c && found.caughtBy[i].empty();
         c = b.node(c).parent) {
      SmallVector<NodeId, 4> events = besideHandler(b, flows, borders, c);
      llvm::append_range(events, borders[c.index()]);
      for (NodeId event : events) {
        StringRef caught = codes[event.index()];
        if (b.node(event).trigger != node.trigger ||
            (!caught.empty() && !code.empty() && caught != code))
          continue;
        if (++pairs > maxPairs) {
          found.caughtBy.assign(b.nodes.size(), {});
          found.isThrown.reset();
          return found;
        }
        found.caughtBy[i].push_back(event);
        if (node.trigger != Trigger::Error || !caught.empty())
          found.isThrown.set(event.index());
      }
    }
  }
  // An event that stands there once for each start of its process is one.
  llvm::DenseSet<uint32_t> thrown;
  for (uint32_t i : found.isThrown.set_bits())
    if (Name id = b.nodes[i].loc.element; !id.empty())
      thrown.insert(id.index());
  for (size_t i = 0; i < b.nodes.size(); ++i)
    if (const Node &node = b.nodes[i];
        node.kind == NodeKind::Boundary && !node.loc.element.empty() &&
        thrown.contains(node.loc.element.index()))
      found.isThrown.set(i);
  return found;
}

SmallVector<NodeId, 1> cif::linkTargets(const Behaviour &b, NodeId n) {
  SmallVector<NodeId, 1> targets;
  for (size_t i = 0; i < b.nodes.size(); ++i)
    if (const Node &other = b.nodes[i];
        other.kind == NodeKind::Catch && other.trigger == Trigger::Link &&
        other.parent == b.node(n).parent && other.name == b.node(n).name)
      targets.push_back(NodeId(i));
  return targets;
}

bool cif::hasSilentBranch(const Behaviour &b, const FlowIndex &flows,
                          NodeId choice) {
  return llvm::any_of(flows.outgoing(choice), [&](FlowId f) {
    NodeKind kind = b.node(b.flow(f).target).kind;
    return kind != NodeKind::Catch && !hasTrait(kind, NodeTraits::Step);
  });
}
