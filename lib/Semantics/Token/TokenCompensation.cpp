//===- TokenCompensation.cpp - What undoes what has completed -------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compensation where activities complete [bpmn20, 13.5.5]. An activity with a
/// handler leaves a record when it completes. An event that throws compensation
/// takes the records of all that it names, in one step, and their handlers run;
/// it waits for them, unless it says otherwise. A handler waits for those of
/// activities that came later. A cancelled transaction is left when the
/// handlers of what had completed in it are through.
///
/// A record in a sub-process is taken from outside only when that has
/// completed, and is lost when it is interrupted: what has not completed is not
/// compensated. Records of one activity are not counted; Compensation.cpp says
/// so where there may be several.
///
//===----------------------------------------------------------------------===//

#include "TokenNet.h"
#include "cif/Semantics/CollaborationSystem.h"

using namespace cif;

/// Finds the handlers that events run, and makes their places.
void TokenNetBuilder::findUndoings() {
  undoings.clear();
  recordsOf.clear();
  undoes.assign(graph->nodes.size(), {});
  if (!isDetailed || !startsByOneEvent())
    return;
  std::map<StringRef, uint32_t> byId;
  std::vector<std::pair<uint32_t, StringRef>> after, thrown;
  for (const Attribute &a : graph->attributes) {
    if (!a.node)
      continue;
    StringRef key = module.text(a.key), value = module.text(a.value);
    const uint32_t n = a.node.index();
    if (key == "undo") {
      undoes[n].isKnown = true;
      thrown.push_back({n, value});
    } else if (key == "undo-waits") {
      undoes[n].waits = value != "false";
    } else if (key == "undo-after") {
      after.push_back({n, value});
    } else if (key == "undoes" && flows->outgoing(a.node).size() == 1) {
      NodeId handler = graph->flow(flows->outgoing(a.node)[0]).target;
      FlowId entry = entryOf(handler);
      if (!entry)
        continue;
      catchers.isThrown.set(n);
      auto [at, isNew] = byId.try_emplace(
          module.text(graph->node(handler).loc.element), undoings.size());
      if (!isNew)
        continue; // a copy, for another start of the process
      Undoing &made = undoings.emplace_back();
      made.event = a.node;
      made.handler = handler;
      made.entry = firstPlace + entry.index();
      made.record = net.addPlace("completed '" + value + "'");
      net.idle.set(made.record);
      made.pending = net.addPlace("to run " + nameOf(handler));
      addRecords(at->second, value);
    }
  }
  auto resolve = [&](StringRef ids, SmallVectorImpl<uint32_t> &into) {
    SmallVector<StringRef, 4> words;
    ids.split(words, ' ', -1, /*KeepEmpty=*/false);
    for (StringRef id : words)
      if (auto found = byId.find(id); found != byId.end())
        into.push_back(found->second);
  };
  for (auto [n, ids] : thrown)
    resolve(ids, undoes[n].all);
  for (auto [n, ids] : after)
    for (Undoing &undoing : undoings)
      if (undoing.event.index() == n)
        resolve(ids, undoing.after);
}

/// The flow that leads to what a handler's container holds.
FlowId TokenNetBuilder::entryOf(NodeId handler) const {
  for (size_t i = 0; i < graph->nodes.size(); ++i) {
    const Node &node = graph->nodes[i];
    if (node.kind == NodeKind::EventChoice && node.parent == handler &&
        node.loc == graph->node(handler).loc)
      for (FlowId f : flows->outgoing(NodeId(i)))
        if (graph->node(graph->flow(f).target).kind != NodeKind::Final)
          return f;
  }
  return {};
}

/// The activity of this id leaves a record for handler \p number.
void TokenNetBuilder::addRecords(uint32_t number, StringRef id) {
  for (size_t i = 0; i < graph->nodes.size(); ++i) {
    const Node &node = graph->nodes[i];
    NodeId n(i);
    if (!hasTrait(node.kind, NodeTraits::Activity) ||
        module.text(node.loc.element) != id || taskOf(*graph, n) ||
        (node.kind == NodeKind::Container && holdsScope(*graph, n)))
      continue;
    recordsOf[i].push_back(number);
    for (NodeId c = node.parent; c; c = graph->node(c).parent)
      if (!llvm::is_contained(undoings[number].around, c))
        undoings[number].around.push_back(c);
  }
}

/// Lets \p firing, with which \p n completes, leave records.
void TokenNetBuilder::record(Firing &firing, NodeId n) {
  auto found = recordsOf.find(n.index());
  if (found == recordsOf.end())
    return;
  std::vector<uint32_t> cleared;
  if (firing.clears != noIndex)
    cleared = net.sets[firing.clears];
  for (uint32_t u : found->second) {
    cleared.push_back(undoings[u].record); // there is one, whatever was before
    firing.post.push_back({undoings[u].record, 1});
  }
  firing.clears = net.addSet(std::move(cleared));
}

/// The handlers whose records outlive an interruption of \p host: what holds a
/// scope is interrupted by an event sub-process of that scope, in which events
/// may undo what had completed.
llvm::BitVector TokenNetBuilder::keptRecords(NodeId host) const {
  llvm::BitVector kept(undoings.size());
  if (!holdsScope(*graph, host))
    return kept;
  const NodeId scope = graph->node(host).parent;
  for (size_t i = 0; i < undoes.size(); ++i)
    if (NodeId n(i); !undoes[i].all.empty() && !isInside(*graph, n, host) &&
                     (!scope || isInside(*graph, n, scope)))
      for (uint32_t u : undoes[i].all)
        if (llvm::is_contained(undoings[u].around, host))
          kept.set(u);
  return kept;
}

/// The ways in which an interruption finds \p host, a container. With a
/// sub-process that still runs in it, the records that are in that are lost.
std::vector<TokenNetBuilder::Interruption>
TokenNetBuilder::interruptions(NodeId host) {
  const llvm::BitVector kept = keptRecords(host);
  // Of each handler: the outermost sub-processes that what it undoes is in.
  std::vector<SmallVector<NodeId, 1>> inSubs(undoings.size());
  SmallVector<NodeId, 4> subs;
  for (uint32_t u : kept.set_bits())
    for (NodeId c : undoings[u].around) {
      NodeId above = graph->node(c).parent;
      while (above && above != host && holdsScope(*graph, above))
        above = graph->node(above).parent;
      if (above != host || holdsScope(*graph, c))
        continue;
      inSubs[u].push_back(c);
      if (!llvm::is_contained(subs, c))
        subs.push_back(c);
    }
  constexpr size_t mostSubs = 8;
  const bool areMany = subs.size() > mostSubs;
  if (areMany) {
    countAbstraction("event sub-processes of many sub-processes do not "
                     "compensate what is in these");
    subs.clear();
  }
  std::vector<Interruption> all;
  for (uint32_t running = 0; running < (1u << subs.size()); ++running) {
    Interruption &made = all.emplace_back();
    for (size_t i = 0; i < subs.size(); ++i)
      (running >> i & 1 ? made.running : made.idle)
          .push_back(borders[subs[i].index()].active);
    auto isLost = [&](NodeId sub) {
      size_t i = llvm::find(subs, sub) - subs.begin();
      return areMany || running >> i & 1;
    };
    const Border &border = borders[host.index()];
    SmallVector<uint32_t, 8> more(border.inside.begin(), border.inside.end());
    SmallVector<NodeId, 2> handlers;
    for (uint32_t u = 0; u < undoings.size(); ++u) {
      const Undoing &undoing = undoings[u];
      if (!llvm::is_contained(undoing.around, host))
        continue;
      if (!kept.test(u) || llvm::any_of(inSubs[u], isLost))
        more.push_back(undoing.record);
      more.append({undoing.pending, borders[undoing.handler.index()].active});
      handlers.push_back(undoing.handler);
    }
    made.clears = setOfScope(host, more);
    for (NodeId handler : handlers)
      unfilled.push_back({made.clears, handler});
  }
  return all;
}

void TokenNetBuilder::interrupt(Firing &firing, const Interruption &by) {
  for (uint32_t place : by.running)
    firing.pre.push_back({place, 1});
  if (!by.idle.empty())
    firing.empty = net.addSet({by.idle.begin(), by.idle.end()});
  firing.clears = by.clears;
}

/// Where \p handler, an event sub-process that has interrupted its scope,
/// completes with \p firing, so does its scope: without having done what it is
/// for, so that nobody undoes that.
void TokenNetBuilder::forgetKept(Firing &firing, NodeId handler) {
  if (undoings.empty())
    return;
  llvm::BitVector kept(undoings.size());
  for (NodeId start : startsOfHandler(*graph, *flows, handler))
    if (!(graph->node(start).flags & NonInterrupting))
      kept |= keptRecords(graph->node(start).attachedTo);
  if (kept.none())
    return;
  std::vector<uint32_t> cleared;
  if (firing.clears != noIndex)
    cleared = net.sets[firing.clears];
  for (uint32_t u : kept.set_bits())
    cleared.push_back(undoings[u].record);
  firing.clears = net.addSet(std::move(cleared));
}

/// The ways in which \p n may find the records that it takes.
std::vector<TokenNetBuilder::Finding> TokenNetBuilder::findings(NodeId n) {
  std::vector<Finding> all(1);
  for (uint32_t u : undoes[n.index()].all) {
    const Undoing &undoing = undoings[u];
    SmallVector<uint32_t, 2> running; // what must have completed, too
    for (NodeId c : undoing.around)
      if (!isInside(*graph, n, c) && !holdsScope(*graph, c))
        running.push_back(borders[c.index()].active);
    std::vector<Finding> next;
    for (const Finding &before : all) {
      Finding taken = before, absent = before;
      taken.pre.push_back({undoing.record, 1});
      taken.empty.append(running);
      taken.runs.push_back(u);
      absent.empty.push_back(undoing.record);
      next.push_back(std::move(taken));
      next.push_back(std::move(absent));
      if (running.empty())
        continue;
      // There is a record, but some of these run.
      auto keep = [](Finding &in, uint32_t place) {
        if (llvm::none_of(in.kept,
                          [&](const Arc &arc) { return arc.place == place; }))
          in.kept.push_back({place, 1});
      };
      Finding early = before;
      keep(early, undoing.record);
      if (early.marked.empty()) {
        early.marked.assign(running.begin(), running.end());
        next.push_back(std::move(early));
        continue;
      }
      for (uint32_t place : running) {
        Finding one = early;
        keep(one, place);
        next.push_back(std::move(one));
      }
    }
    if (next.size() > 4096) { // five handlers, in scopes nested in each other
      countAbstraction("events that run many compensation handlers run none");
      all.assign(1, {});
      return all;
    }
    all = std::move(next);
  }
  return all;
}

/// A token comes to \p n, which throws compensation: or, if \p by is given,
/// cancels the transaction that this event is on.
void TokenNetBuilder::addUndo(NodeId n, NodeId by) {
  const bool isEnd = graph->node(n).kind == NodeKind::Final;
  NodeId last = by ? by : n;
  std::vector<Arcs> ways = by || !isEnd ? leave(last) : std::vector<Arcs>(1);
  for (const Finding &found : findings(n)) {
    SmallVector<uint32_t, 4> running;
    Arcs begun;
    for (uint32_t u : found.runs) {
      begun.push_back({undoings[u].pending, 1});
      running.push_back(undoings[u].pending);
      running.push_back(borders[undoings[u].handler.index()].active);
    }
    const bool waits = !found.runs.empty() && (by || undoes[n.index()].waits);
    std::vector<Arcs> posts;
    if (waits)
      posts.push_back({{addPlace(last, "waiting " + nameOf(last)), 1}});
    else
      posts = ways;
    for (uint32_t in : incoming(n))
      for (Arcs post : posts) {
        Arcs pre{{in, 1}};
        pre.append(found.pre);
        pre.append(found.kept);
        if (by)
          pre.push_back(
              {borders[graph->node(by).attachedTo.index()].active, 1});
        else
          post.append(found.kept);
        post.append(begun);
        Firing &firing = fire(FiringKind::Internal, n, pre, post);
        if (!found.empty.empty())
          firing.empty = net.addSet({found.empty.begin(), found.empty.end()});
        if (!found.marked.empty())
          firing.marked =
              net.addSet({found.marked.begin(), found.marked.end()});
        if (by)
          firing.clears = interruptions(graph->node(by).attachedTo)[0].clears;
        firing.info.starts = true;
        firing.info.completes = !waits || by;
        firing.info.interrupts = bool(by);
        if (by && elementOf[by.index()] != noIndex)
          firing.info.alsoStarts.push_back(elementOf[by.index()]);
        if (isEnd && (!waits || by))
          addMark(firing, n);
      }
    if (!waits)
      continue;
    const uint32_t through = net.addSet({running.begin(), running.end()});
    for (const Arcs &way : ways) {
      Firing &firing = fire(FiringKind::Internal, last, posts[0], way);
      firing.empty = through;
      firing.info.completes = true;
      if (isEnd && !by)
        addMark(firing, n);
    }
  }
}

/// What makes handlers run, when all else is there.
void TokenNetBuilder::addUndoings() {
  for (const Undoing &undoing : undoings) {
    uint32_t active = borders[undoing.handler.index()].active;
    std::vector<uint32_t> before{active};
    for (uint32_t u : undoing.after) {
      before.push_back(undoings[u].pending);
      before.push_back(borders[undoings[u].handler.index()].active);
    }
    Firing &firing =
        fire(FiringKind::Gateway, undoing.handler, Arc{undoing.pending, 1},
             {Arc{active, 1}, Arc{undoing.entry, 1}});
    firing.empty = net.addSet(std::move(before));
    firing.info.starts = true;
    if (uint32_t event = elementOf[undoing.event.index()];
        event != noIndex && event != elementOf[undoing.handler.index()])
      firing.info.alsoStarts.push_back(event);
  }
  for (size_t i = 0; i < graph->nodes.size() && ok; ++i)
    if (graph->nodes[i].trigger == Trigger::Compensation && undoes[i].isKnown)
      addUndo(NodeId(i), NodeId());
}
