//===- TokenGateways.cpp - What gateways do -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The firings of exclusive, event-based and inclusive gateways, and when an
/// inclusive join waits. TokenNet.cpp says what all of it implements.
///
//===----------------------------------------------------------------------===//

#include "TokenNet.h"

using namespace cif;

/// Exclusive gateways: any incoming flow, one outgoing one. Mixed ones merge
/// first. A guard over data must be true; the default flow is taken when no
/// such guard is; where several are true any of them is. If none ever is, the
/// token stays.
void TokenNetBuilder::addChoice(NodeId n, FiringKind kind) {
  Places ins = incoming(n);
  Arcs outs = outgoing(n);
  SmallVector<uint32_t, 4> noneTrue;
  bool mayStay = !outs.empty();
  for (const Arc &out : outs) {
    uint32_t guard = program(FlowId(out.place - firstPlace));
    if (guard != noData)
      noneTrue.push_back(DataModel::require(guard, false));
    else
      mayStay = false; // there is a way that no data forbid
  }
  if (ins.size() > 1 && outs.size() > 1) {
    uint32_t middle = addPlace(n, "middle of " + nameOf(n));
    for (uint32_t in : ins)
      fire(FiringKind::Gateway, n, Arc{in, 1}, Arc{middle, 1});
    ins.assign(1, middle);
  }
  for (uint32_t in : ins) {
    if (flows->outgoing(n).empty())
      fire(FiringKind::Gateway, n, Arc{in, 1}, {});
    for (Arc out : outs) {
      FlowId flow(out.place - firstPlace);
      Firing &firing = fire(kind, n, Arc{in, 1}, out);
      if (outs.size() > 1)
        firing.info.chosenFlows = {
            static_cast<uint32_t>(net.flows.size() + flow.index())};
      if (kind == FiringKind::Deferred)
        firing.info.passedChoices = {n.index()};
      if (program(flow) != noData)
        addGuards(firing, DataModel::require(program(flow), true));
      else if (graph->flow(flow).flags & DefaultFlow)
        addGuards(firing, noneTrue);
    }
    if (mayStay && kind == FiringKind::Gateway)
      addStay(n, in, noneTrue);
  }
}

/// An event-based gateway whose flows lead to events and receptions: the token
/// waits before it, and the first that happens takes it. False: some flow leads
/// elsewhere.
bool TokenNetBuilder::addEventChoice(NodeId n) {
  SmallVector<std::pair<FlowId, NodeId>, 4> branches;
  for (FlowId f : flows->outgoing(n)) {
    NodeId to = graph->flow(f).target;
    const Node &target = graph->node(to);
    bool waits =
        target.kind == NodeKind::Receive ||
        (target.kind == NodeKind::Catch && target.trigger != Trigger::Link);
    if (!waits || graph->flow(f).guard || flows->incoming(to).size() != 1 ||
        !borders[to.index()].events.empty())
      return false;
    branches.push_back({f, to});
  }
  for (auto [f, to] : branches) {
    const Node &target = graph->node(to);
    SmallVector<NodeAction, 2> actions(1);
    if (target.kind == NodeKind::Receive || target.trigger == Trigger::Message)
      actions = communicate(unit, to, /*reply=*/false);
    std::vector<Arcs> ways = leave(to);
    for (uint32_t in : incoming(n))
      for (const NodeAction &action : actions)
        for (const Arcs &way : ways) {
          if (budget.stopped())
            return true;
          Firing &firing = fire(action.kind, to, Arc{in, 1}, way);
          fillIn(firing, to, action, /*reply=*/false);
          firing.info.starts = firing.info.completes = true;
          firing.info.passedChoices = {n.index()};
          if (branches.size() > 1)
            firing.info.chosenFlows = {
                static_cast<uint32_t>(net.flows.size() + f.index())};
        }
  }
  return true;
}

void TokenNetBuilder::addAll(NodeId n) {
  Arcs pre;
  for (uint32_t in : incoming(n))
    pre.push_back({in, 1});
  if (!pre.empty())
    fire(FiringKind::Gateway, n, pre, outgoing(n));
}

void TokenNetBuilder::addSubset(NodeId n) {
  Places ins = incoming(n);
  Arcs optional, otherwise;
  for (FlowId f : flows->outgoing(n))
    if (isTaken(f))
      (graph->flow(f).flags & DefaultFlow ? otherwise : optional)
          .push_back({firstPlace + f.index(), 1});
  if (ins.empty() ||
      (optional.empty() && otherwise.empty() && !flows->outgoing(n).empty()))
    return; // nobody comes, or none of its guards is ever true
  auto joined = [&](ArrayRef<Arc> post) {
    Firing &firing = fire(FiringKind::Gateway, n, {}, post);
    firing.orJoin = net.orJoins.size();
    OrJoin &join = net.orJoins.emplace_back();
    join.incoming.assign(ins.begin(), ins.end());
  };
  bool splits = optional.size() + otherwise.size() > 1 ||
                (optional.size() == 1 &&
                 program(FlowId(optional[0].place - firstPlace)) != noData);
  if (!splits) {
    optional.append(otherwise);
    if (ins.size() > 1)
      return joined(optional);
    fire(FiringKind::Gateway, n, Arc{ins[0], 1}, optional);
    return;
  }
  if (ins.size() > 1) {
    uint32_t middle = addPlace(n, "middle of " + nameOf(n));
    joined(Arc{middle, 1});
    ins.assign(1, middle);
  }
  // Of the guards over data, those of the chosen flows are true.
  SmallVector<uint32_t, 4> needed;
  auto needs = [&](ArrayRef<Arc> way) {
    needed.clear();
    for (const Arc &arc : optional)
      if (uint32_t guard = program(FlowId(arc.place - firstPlace));
          guard != noData)
        needed.push_back(
            DataModel::require(guard, llvm::is_contained(way, arc)));
    return ArrayRef(needed);
  };
  const bool usesData = !needs({}).empty();
  const size_t mostListed = usesData ? Split::mostListed : 2;
  for (const Arcs &way :
       subsets({}, optional, otherwise, /*noneIsFine=*/false, mostListed)) {
    Firing &firing = fire(FiringKind::Gateway, n, Arc{ins[0], 1}, way);
    if (way.size() == 1)
      firing.info.chosenFlows = {
          static_cast<uint32_t>(net.flows.size() + way[0].place - firstPlace)};
    addGuards(firing, needs(way));
  }
  if (optional.size() > mostListed) {
    Split &split = net.makeSplit(
        fire(FiringKind::Gateway, n, Arc{ins[0], 1}, optional), nameOf(n));
    for (const Arc &arc : optional) {
      uint32_t guard = program(FlowId(arc.place - firstPlace));
      split.whenTaken.push_back(
          guard == noData ? noData : DataModel::require(guard, true));
      split.whenLeft.push_back(
          guard == noData ? noData : DataModel::require(guard, false));
    }
  }
  if (otherwise.empty() && needs({}).size() == optional.size())
    addStay(n, ins[0], needs({}));
}

//===----------------------------------------------------------------------===//
// Inclusive joins
//===----------------------------------------------------------------------===//

bool TokenNet::joins(const OrJoin &join, const uint32_t *marking) const {
  auto isReached = [&](unsigned place) {
    for (size_t i = 0; i < join.incoming.size(); ++i)
      if (marking[join.incoming[i]] && join.movesTo[i].test(place))
        return true;
    return false;
  };
  if (llvm::none_of(join.incoming,
                    [&](uint32_t place) { return marking[place] != 0; }))
    return false;
  for (size_t i = 0; i < join.incoming.size(); ++i)
    if (!marking[join.incoming[i]])
      for (unsigned place : join.before[i].set_bits())
        if (marking[place] && !isReached(place))
          return false;
  return true;
}

/// Pre(n, z): the places from which a token can come to z without passing n. A
/// token outside a container that n is in cannot come to n's round of it.
void TokenNetBuilder::findBefore(OrJoin &join, uint32_t behaviour, NodeId n,
                                 ArrayRef<SmallVector<uint32_t, 4>> producers) {
  auto search = [&](uint32_t in, bool moves) {
    llvm::BitVector seen(net.numPlaces);
    SmallVector<uint32_t, 16> work{in};
    while (!work.empty() && !budget.spend())
      for (uint32_t f : producers[work.pop_back_val()]) {
        const Firing &firing = net.firings[f];
        NodeId by(firing.origin.element);
        if (firing.origin.unit != behaviour || by == n)
          continue;
        if (module.behaviours[behaviour].node(by).kind == NodeKind::Container &&
            firing.completes == noIndex &&
            isInside(module.behaviours[behaviour], n, by))
          continue;
        auto visit = [&](uint32_t place) {
          // A record of what has completed is no token on its way.
          if (!seen.test(place) && !net.idle.test(place)) {
            seen.set(place);
            work.push_back(place);
          }
        };
        // What a boundary event takes beside its activity's token is only the
        // mark that it has not occurred yet.
        const Node &node = module.behaviours[behaviour].node(by);
        if (moves && node.kind == NodeKind::Boundary &&
            (node.flags & NonInterrupting))
          continue;
        for (const Arc &arc : firing.pre)
          visit(arc.place);
        if (firing.orJoin != noIndex)
          for (uint32_t place : net.orJoins[firing.orJoin].incoming)
            visit(place);
      }
    seen.reset(in);
    return seen;
  };
  for (uint32_t in : join.incoming) {
    join.before.push_back(search(in, /*moves=*/false));
    join.movesTo.push_back(search(in, /*moves=*/true));
  }
}
