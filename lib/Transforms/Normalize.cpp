//===- Normalize.cpp - From what is drawn to plain nodes ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: the reading of the markers and mixed gateways of BPMN into the
/// node kinds of [verchor, Sec. III]; loops as in [bpmn20, 13.3.6]. Input
/// class: any module that verifies. Differs from the paper: the maximum of a
/// standard loop is ignored, so the loop may run more often, with a warning. A
/// multi-instance activity without a number of instances becomes any number in
/// sequence, or two in parallel.
///
//===----------------------------------------------------------------------===//

#include "cif/Transforms/Normalize.h"
#include "cif/Pass/Pass.h"
#include "cif/Support/Diagnostics/Pass.h"
#include "llvm/ADT/DenseMap.h"

using namespace cif;

namespace {

/// What copies of a multi-instance activity may come to in all.
constexpr size_t maxCopiedNodes = 1'000'000;

class Normalizer {
public:
  Normalizer(Module &module, BehaviourId id, DiagnosticEngine &diags,
             NormalizeCounts &counts)
      : module(module), id(id), b(module.behaviours[id.index()]), diags(diags),
        counts(counts) {}

  bool run() {
    splitMixedGateways();
    splitReplies();
    return expandLoops();
  }

private:
  NodeId addNode(const Node &node) {
    b.nodes.push_back(node);
    return NodeId(b.nodes.size() - 1);
  }
  /// A gateway or other node made for \p node, at its place.
  NodeId addGateway(NodeKind kind, NodeId node) {
    Node gateway{
        .kind = kind, .parent = b.node(node).parent, .loc = b.node(node).loc};
    return addNode(gateway);
  }
  FlowId addFlow(NodeId source, NodeId target, ExprId guard = {},
                 uint8_t flags = 0) {
    b.flows.push_back(
        {source, target, guard, flags, Name(), b.node(source).loc});
    return FlowId(b.flows.size() - 1);
  }

  static std::optional<NodeKind> joinOf(NodeKind split) {
    switch (split) {
    case NodeKind::Choice:
    case NodeKind::DominatedChoice:
    case NodeKind::EventChoice:
      return NodeKind::SimpleJoin;
    case NodeKind::AllSelect:
      return NodeKind::AllJoin;
    case NodeKind::SubsetSelect:
      return NodeKind::SubsetJoin;
    default:
      return std::nullopt;
    }
  }

  void splitMixedGateways() {
    size_t numFlows = b.flows.size(), numNodes = b.nodes.size();
    std::vector<uint32_t> incoming(numNodes, 0);
    for (const Flow &f : b.flows)
      ++incoming[f.target.index()];
    std::vector<NodeId> joins(numNodes);
    for (size_t i = 0; i < numNodes; ++i)
      if (incoming[i] > 1)
        if (auto kind = joinOf(b.nodes[i].kind)) {
          joins[i] = addGateway(*kind, NodeId(i));
          ++counts.gateways;
        }
    for (size_t i = 0; i < numFlows; ++i)
      if (NodeId join = joins[b.flows[i].target.index()])
        b.flows[i].target = join;
    for (size_t i = 0; i < numNodes; ++i)
      if (joins[i])
        addFlow(joins[i], NodeId(i));
  }

  void splitReplies() {
    size_t numFlows = b.flows.size(), numNodes = b.nodes.size();
    std::vector<NodeId> replies(numNodes);
    for (size_t i = 0; i < numNodes; ++i) {
      if (!b.nodes[i].reply)
        continue;
      // A marked interaction repeats as a whole: a container holds both.
      if (b.nodes[i].loop != LoopKind::None) {
        wrapReply(NodeId(i));
        ++counts.replies;
        continue;
      }
      Node reply = b.nodes[i];
      reply.message = b.nodes[i].reply;
      reply.reply = {};
      reply.firstArgument = reply.numArguments = 0;
      b.nodes[i].reply = {};
      replies[i] = addNode(reply);
      ++counts.replies;
    }
    for (size_t i = 0; i < numFlows; ++i)
      if (NodeId reply = replies[b.flows[i].source.index()])
        b.flows[i].source = reply;
    for (size_t i = 0; i < numNodes; ++i)
      if (replies[i])
        addFlow(NodeId(i), replies[i]);
  }

  /// Makes a looping two-way interaction a looping container of two.
  void wrapReply(NodeId node) {
    Node inner = b.node(node);
    inner.loop = LoopKind::None;
    inner.condition = {};
    inner.loopMinimum = inner.loopMaximum = 0;
    inner.parent = node;
    Node reply = inner;
    reply.message = inner.reply;
    reply.firstArgument = reply.numArguments = 0;
    inner.reply = reply.reply = {};
    Node &outer = b.node(node);
    outer.kind = NodeKind::Container;
    outer.message = outer.reply = {};
    outer.firstArgument = outer.numArguments = 0;
    Node start, end;
    start.kind = NodeKind::Initial;
    end.kind = NodeKind::Final;
    start.parent = end.parent = node;
    start.loc = end.loc = inner.loc;
    NodeId chain[] = {addNode(start), addNode(inner), addNode(reply),
                      addNode(end)};
    for (size_t i = 0; i + 1 < std::size(chain); ++i)
      addFlow(chain[i], chain[i + 1]);
  }

  //===--------------------------------------------------------------------===//
  // Loops
  //===--------------------------------------------------------------------===//

  bool expandLoops() {
    // Inner ones first, so that a copy has no markers left.
    std::vector<NodeId> marked;
    for (size_t i = 0; i < b.nodes.size(); ++i)
      if (b.nodes[i].loop != LoopKind::None)
        marked.push_back(NodeId(i));
    if (marked.empty())
      return true;
    std::vector<uint32_t> depth = depths();
    llvm::stable_sort(marked, [&](NodeId x, NodeId y) {
      return depth[x.index()] > depth[y.index()];
    });
    for (NodeId node : marked) {
      wrapAttached(node);
      if (!expandLoop(node))
        return false;
    }
    return true;
  }

  /// Events on a repeated activity are events on all of its repetitions
  /// [bpmn20, 13.3.6, 13.5.3]: a container around them has these. A sub-process
  /// runs once at a time, and so do all of its repetitions.
  void wrapAttached(NodeId node) {
    auto isOnIt = [&](const Node &n) { return n.attachedTo == node; };
    bool isScope = b.kind == BehaviourKind::Process &&
                   b.node(node).kind == NodeKind::Container;
    if (!isScope && llvm::none_of(b.nodes, isOnIt))
      return;
    Node container{.kind = NodeKind::Container,
                   .parent = b.node(node).parent,
                   .loc = b.node(node).loc};
    container.name = b.node(node).name;
    NodeId outer = addNode(container);
    for (Node &n : b.nodes)
      if (isOnIt(n))
        n.attachedTo = outer;
    for (Flow &flow : b.flows) {
      if (flow.source == node)
        flow.source = outer;
      if (flow.target == node)
        flow.target = outer;
    }
    b.node(node).parent = outer;
    addFlow(addGateway(NodeKind::Initial, node), node);
    addFlow(node, addGateway(NodeKind::Final, node));
  }

  /// How deep each node is nested; parents may come after their children.
  std::vector<uint32_t> depths() const {
    std::vector<uint32_t> depth(b.nodes.size(), 0);
    std::vector<NodeId> path;
    for (size_t i = 0; i < b.nodes.size(); ++i) {
      path.clear();
      NodeId at{i};
      while (at && !depth[at.index()]) {
        path.push_back(at);
        at = b.node(at).parent;
      }
      uint32_t d = at ? depth[at.index()] : 0;
      for (NodeId node : llvm::reverse(path))
        depth[node.index()] = ++d;
    }
    return depth;
  }

  bool expandLoop(NodeId node) {
    Node &n = b.node(node);
    LoopKind kind = n.loop;
    uint32_t minimum = n.loopMinimum, maximum = n.loopMaximum;
    ExprId condition = n.condition;
    bool testAfter = n.flags & LoopTestAfter;
    n.loop = LoopKind::None;
    n.loopMinimum = n.loopMaximum = 0;
    n.condition = {};
    n.flags &= static_cast<uint16_t>(~LoopTestAfter);
    bool counted = maximum != 0 && minimum == maximum;
    if (kind == LoopKind::Standard) {
      if (maximum)
        warn(node, "the maximum of a loop is ignored: it may run more often");
      addLoop(node, condition, testAfter);
      return true;
    }
    if (!counted && kind == LoopKind::MultiSequence) {
      warn(node, "the number of instances is not known: any number is assumed, "
                 "one after another");
      addLoop(node, {}, /*testAfter=*/false);
      return true;
    }
    if (!counted)
      warn(node, "the number of instances is not known: two are assumed");
    return addCopies(node, counted ? maximum : 2,
                     kind == LoopKind::MultiParallel);
  }

  void warn(NodeId node, const char *text) {
    diags.report(module.place(b.node(node).loc), diag::marker_abstracted)
        << text;
    module.addAbstractions({text});
    diags.abstracted(text);
  }

  /// join -> choice -> node -> join, and choice -> out; the other way round
  /// when the condition is tested after the body.
  void addLoop(NodeId node, ExprId condition, bool testAfter) {
    ++counts.loops;
    size_t numFlows = b.flows.size();
    NodeId join = addGateway(NodeKind::SimpleJoin, node);
    NodeId choice = addGateway(NodeKind::Choice, node);
    for (size_t i = 0; i < numFlows; ++i) {
      if (b.flows[i].target == node)
        b.flows[i].target = join;
      if (b.flows[i].source == node) {
        b.flows[i].source = choice;
        if (condition)
          b.flows[i].flags |= DefaultFlow;
      }
    }
    if (testAfter) {
      addFlow(join, node);
      addFlow(node, choice);
      addFlow(choice, join, condition);
    } else {
      addFlow(join, choice);
      addFlow(choice, node, condition);
      addFlow(node, join);
    }
  }

  bool addCopies(NodeId node, uint32_t times, bool parallel) {
    std::vector<NodeId> subtree = contents(node);
    if (times > maxCopiedNodes / subtree.size()) {
      diags.report(module.place(b.node(node).loc), diag::too_many_instances)
          << times << maxCopiedNodes;
      return false;
    }
    counts.instances += times - 1;
    std::vector<NodeId> instances{node};
    for (uint32_t i = 1; i < times; ++i)
      instances.push_back(copy(subtree));

    size_t numFlows = b.flows.size();
    if (!parallel) {
      for (size_t i = 0; i < numFlows; ++i)
        if (b.flows[i].source == node)
          b.flows[i].source = instances.back();
      for (size_t i = 0; i + 1 < instances.size(); ++i)
        addFlow(instances[i], instances[i + 1]);
      return true;
    }
    if (times == 1)
      return true;
    NodeId split = addGateway(NodeKind::AllSelect, node);
    NodeId join = addGateway(NodeKind::AllJoin, node);
    for (size_t i = 0; i < numFlows; ++i) {
      if (b.flows[i].target == node)
        b.flows[i].target = split;
      if (b.flows[i].source == node)
        b.flows[i].source = join;
    }
    for (NodeId instance : instances) {
      addFlow(split, instance);
      addFlow(instance, join);
    }
    return true;
  }

  /// \p node and everything in it, itself first.
  std::vector<NodeId> contents(NodeId node) const {
    std::vector<NodeId> all{node};
    if (b.node(node).kind != NodeKind::Container)
      return all;
    std::vector<std::vector<NodeId>> children(b.nodes.size());
    for (size_t i = 0; i < b.nodes.size(); ++i)
      if (NodeId parent = b.nodes[i].parent)
        children[parent.index()].push_back(NodeId(i));
    for (size_t i = 0; i < all.size(); ++i)
      llvm::append_range(all, children[all[i].index()]);
    return all;
  }

  NodeId copy(ArrayRef<NodeId> subtree) {
    llvm::DenseMap<uint32_t, NodeId> copies;
    for (NodeId original : subtree) {
      Node node = b.node(original);
      copies[original.index()] = addNode(node);
    }
    auto mapped = [&](NodeId n) {
      auto found = n ? copies.find(n.index()) : copies.end();
      return found == copies.end() ? n : found->second;
    };
    for (NodeId original : subtree) {
      Node &node = b.node(copies[original.index()]);
      node.parent = mapped(node.parent);
      node.attachedTo = mapped(node.attachedTo);
    }
    // Flows inside; those of the outermost node are its caller's business.
    NodeId outermost = subtree.front();
    for (size_t i = 0, n = b.flows.size(); i < n; ++i) {
      Flow flow = b.flows[i];
      if (flow.source == outermost || flow.target == outermost ||
          !copies.count(flow.source.index()))
        continue;
      flow.source = mapped(flow.source);
      flow.target = mapped(flow.target);
      b.flows.push_back(flow);
    }
    for (size_t i = 0, n = b.attributes.size(); i < n; ++i) {
      Attribute attribute = b.attributes[i];
      if (attribute.node && copies.count(attribute.node.index())) {
        attribute.node = mapped(attribute.node);
        b.attributes.push_back(attribute);
      }
    }
    for (size_t i = 0, n = module.messageFlows.size(); i < n; ++i) {
      MessageFlow flow = module.messageFlows[i];
      NodeId source = flow.sourceNode, target = flow.targetNode;
      if (flow.sourceBehaviour == id)
        flow.sourceNode = mapped(flow.sourceNode);
      if (flow.targetBehaviour == id)
        flow.targetNode = mapped(flow.targetNode);
      if (flow.sourceNode != source || flow.targetNode != target)
        module.messageFlows.push_back(flow);
    }
    return copies[outermost.index()];
  }

  Module &module;
  BehaviourId id;
  Behaviour &b;
  DiagnosticEngine &diags;
  NormalizeCounts &counts;
};
} // namespace

bool cif::normalize(Module &module, DiagnosticEngine &diags,
                    NormalizeCounts *counts) {
  NormalizeCounts unread;
  bool ok = true;
  for (size_t i = 0; i < module.behaviours.size(); ++i)
    ok &= Normalizer(module, BehaviourId(i), diags, counts ? *counts : unread)
              .run();
  return ok;
}

namespace cif {
PassResult runNormalize(Module &module, PassContext &context) {
  NormalizeCounts counts;
  if (!normalize(module, context.diags, &counts))
    return PassResult::Failed;
  context.count("gateways split", counts.gateways);
  context.count("replies split", counts.replies);
  context.count("loops expanded", counts.loops);
  context.count("instances added", counts.instances);
  return counts.any() ? PassResult::Rewritten : PassResult::Unchanged;
}
} // namespace cif
