//===- FbpmnNodes.cpp - What each kind of node does in `fbpmn` ------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The firings of each kind of node, as in the published tool. Fbpmn.cpp says
/// what all of it implements.
///
//===----------------------------------------------------------------------===//

#include "Fbpmn.h"
#include "cif/Graph/Reach.h"
#include "cif/IR/Nodes.h"
#include "cif/Support/Diagnostics/Semantics.h"

using namespace cif;

bool FbpmnBuilder::addNode(uint32_t n) {
  switch (node(n).kind) {
  case NodeKind::Initial:
    addStart(n);
    return true;
  case NodeKind::Final:
    addEnd(n);
    return true;
  case NodeKind::Terminate:
    addTerminate(n);
    return true;
  case NodeKind::Task:
    addTask(n);
    return true;
  case NodeKind::Send:
  case NodeKind::Receive:
    addSendOrReceive(n);
    return true;
  case NodeKind::Catch:
  case NodeKind::Throw:
    addEvent(n);
    return true;
  case NodeKind::Boundary:
    if (!node(n).attachedTo ||
        nodePlace[node(n).attachedTo.index()] == noIndex) {
      report(n, diag::bad_parent);
      return false;
    }
    addBoundary(n);
    return true;
  case NodeKind::Choice:
  case NodeKind::DominatedChoice:
  case NodeKind::SimpleJoin:
    addExclusive(n);
    return true;
  case NodeKind::AllSelect:
  case NodeKind::AllJoin:
    addParallel(n);
    return true;
  case NodeKind::SubsetSelect:
  case NodeKind::SubsetJoin:
    addInclusive(n);
    return true;
  case NodeKind::EventChoice:
    addEventBased(n);
    return true;
  case NodeKind::Container:
    addSubProcess(n);
    return true;
  case NodeKind::Stuck:
    return true;
  case NodeKind::Interaction:
    report(n, diag::foreign_node);
    return false;
  case NodeKind::Call:
    report(n, diag::fbpmn_call);
    return false;
  }
  llvm_unreachable("unknown kind of node");
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

/// Takes its token and gives one to every outgoing flow; at the level of the
/// process it starts this, which happens once. A message start event receives
/// in the same step, and never starts a sub-process.
void FbpmnBuilder::addStart(uint32_t n) {
  Arcs pre{{nodePlace[n], 1}}, post = outgoing(n);
  bool isProcess = !node(n).parent;
  auto fill = [&](Firing &firing) {
    if (isProcess)
      firing.empty = net.addSet({processPlace});
    firing.info.starts = firing.info.completes = true;
  };
  if (isProcess)
    post.push_back({processPlace, 1});
  if (node(n).trigger == Trigger::Message) {
    if (isProcess)
      communicate(n, /*out=*/false, pre, post, fill);
    return;
  }
  if (node(n).trigger != Trigger::None)
    ++abstracted["start events with a trigger happen at any time"];
  fill(fire(FiringKind::Internal, n, pre, post));
}

/// Takes a token from one incoming flow and marks itself; a message end event
/// sends in the same step.
void FbpmnBuilder::addEnd(uint32_t n) {
  auto fill = [](Firing &firing) {
    firing.info.starts = firing.info.completes = true;
  };
  if (node(n).trigger != Trigger::None && node(n).trigger != Trigger::Message)
    ++abstracted["the triggers of end events are ignored"];
  for (uint32_t in : incoming(n)) {
    if (drawn->isSink[n])
      fire(FiringKind::Internal, n, Arc{in, 1}, {});
    else if (node(n).trigger == Trigger::Message)
      communicate(n, /*out=*/true, Arc{in, 1}, Arc{nodePlace[n], 1}, fill);
    else
      fill(fire(FiringKind::Internal, n, Arc{in, 1}, Arc{nodePlace[n], 1}));
  }
}

/// Marks itself once and clears everything else in its process or sub-process.
void FbpmnBuilder::addTerminate(uint32_t n) {
  NodeId parent = node(n).parent;
  uint32_t all =
      net.addSet(inside(parent ? parent.index() : top, /*nested=*/true));
  for (uint32_t in : incoming(n)) {
    Firing &firing =
        fire(FiringKind::Internal, n, Arc{in, 1}, Arc{nodePlace[n], 1});
    firing.clears = all;
    firing.info.starts = firing.info.completes = true;
  }
}

/// Intermediate events are one step.
void FbpmnBuilder::addEvent(uint32_t n) {
  auto fill = [](Firing &firing) {
    firing.info.starts = firing.info.completes = true;
  };
  bool out = node(n).kind == NodeKind::Throw;
  bool isMessage = node(n).trigger == Trigger::Message;
  if (!isMessage && node(n).trigger != Trigger::None)
    ++abstracted[triggerText(node(n).trigger).str() +
                 (out ? " events have no effect"
                      : " events happen at any time")];
  for (uint32_t in : incoming(n)) {
    if (isMessage)
      communicate(n, out, Arc{in, 1}, outgoing(n), fill);
    else
      fill(fire(FiringKind::Internal, n, Arc{in, 1}, outgoing(n)));
  }
}

/// While its activity is active: takes the message, if it waits for one;
/// interrupting, it clears the activity, with what is inside, unless that could
/// complete.
void FbpmnBuilder::addBoundary(uint32_t n) {
  uint32_t host = node(n).attachedTo.index();
  uint32_t active = nodePlace[host];
  bool stays = node(n).flags & NonInterrupting;
  Arcs pre{{active, 1}}, post = outgoing(n);
  if (stays)
    post.push_back({active, 1});
  uint32_t clears = noIndex, busy = noIndex, nothing = noIndex;
  if (!stays && node(host).kind == NodeKind::Container) {
    clears = net.addSet(inside(host, /*nested=*/true));
    // Not ready to complete: something other than an end event is marked, or
    // nothing is.
    std::vector<uint32_t> all = inside(host, /*nested=*/false), others;
    llvm::BitVector ends(net.numPlaces);
    for (uint32_t child : drawn->children[host])
      if (isEnd(child))
        ends.set(nodePlace[child]);
    for (uint32_t place : all)
      if (!ends.test(place))
        others.push_back(place);
    busy = net.addSet(std::move(others));
    nothing = net.addSet(std::move(all));
  }
  auto add = [&](uint32_t marked, uint32_t empty) {
    auto fill = [&](Firing &firing) {
      firing.clears = clears;
      firing.marked = marked;
      firing.empty = empty;
      firing.info.starts = firing.info.completes = true;
      firing.info.interrupts = !stays;
    };
    if (node(n).trigger == Trigger::Message)
      return communicate(n, /*out=*/false, pre, post, fill);
    if (node(n).trigger != Trigger::None)
      ++abstracted[triggerText(node(n).trigger).str() +
                   " events happen at any time"];
    fill(fire(FiringKind::Internal, n, pre, post));
  };
  add(busy, noIndex);
  if (nothing != noIndex)
    add(noIndex, nothing);
}

//===----------------------------------------------------------------------===//
// Activities
//===----------------------------------------------------------------------===//

/// Starts, while it is not active, and completes: a token on every outgoing
/// flow, whatever the conditions.
void FbpmnBuilder::addTask(uint32_t n) {
  uint32_t busy = net.addSet({nodePlace[n]});
  for (uint32_t in : incoming(n)) {
    Firing &start =
        fire(FiringKind::Internal, n, Arc{in, 1}, Arc{nodePlace[n], 1});
    start.empty = busy;
    start.info.starts = true;
  }
  fire(FiringKind::Internal, n, Arc{nodePlace[n], 1}, outgoing(n))
      .info.completes = true;
}

/// The same; it sends or receives when it completes.
void FbpmnBuilder::addSendOrReceive(uint32_t n) {
  uint32_t busy = net.addSet({nodePlace[n]});
  if (incoming(n).empty() && node(n).flags & Instantiate && !node(n).parent) {
    // It is a start event by another name.
    net.initial.push_back({nodePlace[n], 1});
    Arcs post = outgoing(n);
    post.push_back({processPlace, 1});
    return communicate(n, /*out=*/false, Arc{nodePlace[n], 1}, post,
                       [&](Firing &firing) {
                         firing.empty = net.addSet({processPlace});
                         firing.info.starts = firing.info.completes = true;
                       });
  }
  for (uint32_t in : incoming(n)) {
    Firing &start =
        fire(FiringKind::Internal, n, Arc{in, 1}, Arc{nodePlace[n], 1});
    start.empty = busy;
    start.info.starts = true;
  }
  communicate(n, node(n).kind == NodeKind::Send, Arc{nodePlace[n], 1},
              outgoing(n),
              [](Firing &firing) { firing.info.completes = true; });
}

/// Starts with a token on each of its start events. Completes when its flows
/// are empty, an end event in it is marked and nothing but end events is.
void FbpmnBuilder::addSubProcess(uint32_t n) {
  Arcs starts{{nodePlace[n], 1}};
  std::vector<uint32_t> ends, others;
  llvm::BitVector isEndPlace(net.numPlaces);
  for (uint32_t child : drawn->children[n]) {
    if (isStart(child))
      starts.push_back({nodePlace[child], 1});
    if (isEnd(child)) {
      ends.push_back(nodePlace[child]);
      isEndPlace.set(nodePlace[child]);
    }
  }
  for (uint32_t place : inside(n, /*nested=*/false))
    if (!isEndPlace.test(place))
      others.push_back(place);
  uint32_t busy = net.addSet({nodePlace[n]});
  for (uint32_t in : incoming(n)) {
    Firing &start = fire(FiringKind::Internal, n, Arc{in, 1}, starts);
    start.empty = busy;
    start.info.starts = true;
  }
  // A step for each end event that is marked: they lead to the same state, and
  // the published numbers count them.
  uint32_t empty = net.addSet(std::move(others)), clears = net.addSet(ends);
  for (uint32_t end : ends) {
    Firing &done = fire(FiringKind::Internal, n,
                        {Arc{nodePlace[n], 1}, Arc{end, 1}}, outgoing(n));
    done.empty = empty;
    done.clears = clears;
    done.info.completes = true;
  }
}

//===----------------------------------------------------------------------===//
// Gateways
//===----------------------------------------------------------------------===//

/// One token in, one out, whatever the conditions. Without outgoing flow it
/// keeps its token for ever, as every gateway but the parallel one.
void FbpmnBuilder::addExclusive(uint32_t n) {
  ArrayRef<uint32_t> outs = drawn->out[n];
  for (uint32_t in : incoming(n))
    for (uint32_t out : outs) {
      Firing &firing =
          fire(FiringKind::Internal, n, Arc{in, 1}, Arc{flowPlace[out], 1});
      if (outs.size() > 1)
        firing.info.chosenFlows = {flowNumber[out]};
    }
}

void FbpmnBuilder::addParallel(uint32_t n) {
  Arcs pre;
  for (uint32_t in : incoming(n))
    pre.push_back({in, 1});
  if (!pre.empty())
    fire(FiringKind::Internal, n, pre, outgoing(n));
}

/// Picks a flow to a reception with a message pending on one of its message
/// flows, or to a timer.
void FbpmnBuilder::addEventBased(uint32_t n) {
  Places ins = incoming(n);
  if (ins.empty() && node(n).flags & Instantiate) {
    net.initial.push_back({nodePlace[n], 1});
    ins.push_back(nodePlace[n]);
  }
  ArrayRef<uint32_t> outs = drawn->out[n];
  for (uint32_t in : ins)
    for (uint32_t out : outs) {
      uint32_t target = drawn->owner[drawn->graph.flows[out].target.index()];
      auto pick = [&](uint32_t pending) {
        Firing &firing =
            fire(FiringKind::Internal, n, Arc{in, 1}, Arc{flowPlace[out], 1});
        if (pending != noIndex) {
          firing.pre.push_back({pending, 1});
          firing.post.push_back({pending, 1});
        }
        if (outs.size() > 1)
          firing.info.chosenFlows = {flowNumber[out]};
      };
      if (!isReception(node(target))) {
        if (node(target).kind == NodeKind::Catch)
          pick(noIndex);
        continue;
      }
      auto ways = exchanges(target, /*out=*/false);
      if (ways.empty())
        pick(noIndex);
      for (const Exchange &way : ways)
        pick(way.channel == noneOf ? noIndex : channels[way.channel].place);
    }
}

/// Pre(n, z) for each incoming flow z: the flows from which a path leads to z
/// that does not pass n, their targets, and start events that they leave from.
/// As published it goes along sequence flows only: not into or out of
/// sub-processes, nor from a boundary event to its activity.
void FbpmnBuilder::findPre(OrJoin &join, uint32_t n) {
  const Behaviour &graph = drawn->graph;
  for (uint32_t f : drawn->in[n]) {
    join.incoming.push_back(flowPlace[f]);
    llvm::BitVector before(net.numPlaces);
    Reach seen(graph.flows.size(), f);
    for (uint32_t flow; !budget.spend() && seen.take(flow);)
      if (uint32_t source = drawn->owner[graph.flows[flow].source.index()];
          source != n)
        for (uint32_t x : drawn->in[source])
          seen.add(x);
    for (unsigned x : seen.nodes().set_bits()) {
      if (x == f)
        continue;
      before.set(flowPlace[x]);
      uint32_t target = drawn->owner[graph.flows[x].target.index()];
      uint32_t source = drawn->owner[graph.flows[x].source.index()];
      if (nodePlace[target] != noIndex)
        before.set(nodePlace[target]);
      if (isStart(source) && (node(source).trigger == Trigger::None ||
                              node(source).trigger == Trigger::Message))
        before.set(nodePlace[source]);
    }
    join.before.push_back(std::move(before));
  }
  join.movesTo = join.before;
}

/// Joins and splits in one step: any of the flows that are not the default, or
/// the default alone.
void FbpmnBuilder::addInclusive(uint32_t n) {
  constexpr size_t mostListed = 2;
  Places ins = incoming(n);
  if (ins.empty())
    return;
  uint32_t number = net.orJoins.size();
  if (ins.size() > 1)
    findPre(net.orJoins.emplace_back(), n);
  auto add = [&](ArrayRef<uint32_t> way) -> Firing & {
    Arcs post;
    for (uint32_t out : way)
      post.push_back({flowPlace[out], 1});
    Firing &firing = fire(FiringKind::Internal, n, {}, post);
    if (ins.size() > 1)
      firing.orJoin = number;
    else
      firing.pre.push_back({ins[0], 1});
    if (way.size() == 1 && drawn->out[n].size() > 1)
      firing.info.chosenFlows = {flowNumber[way[0]]};
    return firing;
  };
  SmallVector<uint32_t, 4> optional, way;
  for (uint32_t out : drawn->out[n])
    if (drawn->graph.flows[out].flags & DefaultFlow)
      add(out);
    else
      optional.push_back(out);
  if (optional.size() > mostListed) {
    for (uint32_t out : optional)
      add(out);
    net.makeSplit(add(optional), nameOf(n));
    return;
  }
  for (uint32_t chosen = 1; chosen < (1u << optional.size()); ++chosen) {
    way.clear();
    for (size_t i = 0; i < optional.size(); ++i)
      if (chosen >> i & 1)
        way.push_back(optional[i]);
    add(way);
  }
}
