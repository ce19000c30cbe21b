//===- TailCalls.cpp - Choreographies that begin anew ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A choreography that calls itself, directly or through others, as the last
/// thing that it does, is a loop: what is called begins in place of what calls
/// it. That is so if nothing but end events comes after the call, and no token
/// is elsewhere when one comes to it; and of all calls by which it comes back
/// to itself. Other calls of this kind nest without end.
///
/// Whether tokens are elsewhere is seen by moving them: from one start event,
/// with each gateway free to choose. An inclusive gateway may merge too early
/// there, which only makes more of it.
///
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include <set>

using namespace cif;
using namespace cif::bpmn;

namespace {
/// The sequence flows of a choreography, and what is between them.
class CallerGraph {
public:
  CallerGraph(const Document &of, ElementId root) : doc(of) {
    isPlain = !doc.child(root, ElementKind::BoundaryEvent);
    doc.forChildren(root, [&](ElementId e) {
      if (doc[e].kind == ElementKind::StartEvent)
        starts.push_back(e);
      isPlain &= doc[e].kind != ElementKind::IntermediateThrowEvent ||
                 !doc.child(e, ElementKind::LinkEvent);
      isPlain &= !doc.flag(e, Attr::triggeredByEvent);
      if (doc[e].kind != ElementKind::SequenceFlow)
        return;
      ElementId from = doc.resolve(doc.attribute(e, Attr::sourceRef));
      ElementId to = doc.resolve(doc.attribute(e, Attr::targetRef));
      if (!from || !to || doc[from].parent != root || doc[to].parent != root)
        return void(isPlain = false);
      out[from.index()].push_back(targets.size());
      in[to.index()].push_back(targets.size());
      targets.push_back(to);
      isPlain &= !doc.child(e, ElementKind::ConditionExpression) ||
                 isGateway(doc[from].kind);
    });
    isPlain &= starts.size() == 1 && out[starts[0].index()].size() == 1 &&
               isUntriggered(starts[0]);
  }

  /// Whether nothing but the end of the choreography comes after \p call.
  bool isLast(ElementId call) const {
    if (doc[call].parent != doc[starts[0]].parent ||
        doc.child(call, ElementKind::StandardLoop) ||
        doc.child(call, ElementKind::MultiInstance) ||
        (!doc.attributeText(call, Attr::loopType).empty() &&
         doc.attributeText(call, Attr::loopType) != "None"))
      return false;
    llvm::SmallVector<ElementId, 4> work{call};
    llvm::DenseSet<uint32_t> seen;
    while (!work.empty())
      for (uint32_t flow : listOf(out, work.pop_back_val())) {
        ElementId to = targets[flow];
        bool merges = doc[to].kind == ElementKind::ExclusiveGateway &&
                      listOf(out, to).size() <= 1;
        bool ends = doc[to].kind == ElementKind::EndEvent && isUntriggered(to);
        if (!merges && !ends)
          return false;
        if (merges && seen.insert(to.index()).second)
          work.push_back(to);
      }
    return true;
  }

  /// Whether there is no other token when one comes to one of \p calls.
  bool isAlone(const llvm::DenseSet<uint32_t> &calls) const {
    constexpr size_t maxMarkings = 2000;
    using Marking = std::vector<uint8_t>;
    Marking initial(targets.size());
    initial[listOf(out, starts[0])[0]] = 1;
    std::set<Marking> seen{initial};
    std::vector<Marking> work{initial};
    bool good = true;
    auto visit = [&](const Marking &next) {
      if (llvm::any_of(next, [](uint8_t tokens) { return tokens > 1; }))
        good = false; // it is another token that comes there
      else if (seen.insert(next).second)
        work.push_back(next);
    };
    while (!work.empty() && good && seen.size() < maxMarkings) {
      Marking now = std::move(work.back());
      work.pop_back();
      for (uint32_t flow = 0; flow < targets.size() && good; ++flow) {
        if (!now[flow])
          continue;
        if (calls.contains(targets[flow].index())) {
          --now[flow];
          good = llvm::all_of(now, [](uint8_t tokens) { return !tokens; });
          ++now[flow];
        } else {
          good = good && move(now, flow, visit);
        }
      }
    }
    return good && seen.size() < maxMarkings;
  }

  bool isPlain = true; ///< one start, and nothing that is not looked at here

private:
  using Flows = llvm::SmallVector<uint32_t, 2>;
  using ByNode = llvm::DenseMap<uint32_t, Flows>;

  static ArrayRef<uint32_t> listOf(const ByNode &map, ElementId e) {
    auto found = map.find(e.index());
    return found == map.end() ? ArrayRef<uint32_t>()
                              : ArrayRef<uint32_t>(found->second);
  }
  static bool isGateway(ElementKind kind) {
    return isFlowNode(kind) && !isActivity(kind) &&
           kind != ElementKind::StartEvent && kind != ElementKind::EndEvent &&
           kind != ElementKind::IntermediateCatchEvent &&
           kind != ElementKind::IntermediateThrowEvent &&
           kind != ElementKind::BoundaryEvent;
  }
  bool isUntriggered(ElementId event) const {
    for (ElementId c = doc.firstChild(event); c; c = doc.nextChild(event, c))
      if (isEventDefinition(doc[c].kind) ||
          doc[c].kind == ElementKind::EventDefinitionRef)
        return false;
    return true;
  }
  /// Takes a token of \p flow through its target; false: it splits too much.
  template <class Visit>
  bool move(std::vector<uint8_t> marking, uint32_t flow, Visit visit) const {
    ElementId at = targets[flow];
    ArrayRef<uint32_t> ins = listOf(in, at), outs = listOf(out, at);
    switch (doc[at].kind) {
    case ElementKind::ExclusiveGateway:
    case ElementKind::EventBasedGateway:
      --marking[flow];
      for (uint32_t to : outs) {
        ++marking[to];
        visit(marking);
        --marking[to];
      }
      if (outs.empty())
        visit(marking);
      return true;
    case ElementKind::ParallelGateway:
      for (uint32_t from : ins)
        if (!marking[from]--)
          return true;
      break;
    case ElementKind::InclusiveGateway:
      for (uint32_t from : ins)
        if (marking[from])
          --marking[from];
      if (outs.size() > 6)
        return false;
      for (unsigned some = 1; some < 1u << outs.size(); ++some) {
        std::vector<uint8_t> next = marking;
        for (size_t i = 0; i < outs.size(); ++i)
          next[outs[i]] += some >> i & 1;
        visit(next);
      }
      return true;
    case ElementKind::ComplexGateway:
      return false;
    default:
      --marking[flow];
    }
    for (uint32_t to : outs)
      ++marking[to];
    visit(marking);
    return true;
  }

  const Document &doc;
  llvm::SmallVector<ElementId, 1> starts;
  ByNode in, out;
  std::vector<ElementId> targets; ///< by flow
};
} // namespace

/// Finds the calls that are loops, among \p calls: what calls, with which
/// element, what.
void Lowering::findTailCalls(std::vector<CallOf> calls) {
  constexpr size_t maxCalls = 200; // each looks for ways among all
  if (calls.size() > maxCalls)
    return;
  llvm::sort(calls, [](const CallOf &x, const CallOf &y) {
    return x.call.index() < y.call.index();
  });
  auto leads = [&](ElementId from, ElementId to) {
    llvm::SmallVector<ElementId, 4> work{from};
    llvm::DenseSet<uint32_t> seen{from.index()};
    while (!work.empty()) {
      ElementId at = work.pop_back_val();
      if (at == to)
        return true;
      for (const CallOf &call : calls)
        if (call.caller == at && seen.insert(call.called.index()).second)
          work.push_back(call.called);
    }
    return false;
  };
  // The calls by which one comes back to a choreography: all or none of them.
  std::vector<const CallOf *> back;
  llvm::DenseSet<uint32_t> all;
  for (const CallOf &call : calls)
    if (doc[call.caller].kind == ElementKind::Choreography &&
        doc[call.called].kind == ElementKind::Choreography &&
        leads(call.called, call.caller)) {
      back.push_back(&call);
      all.insert(call.call.index());
    }
  std::vector<const CallOf *> bad;
  for (const CallOf *call : back) {
    CallerGraph graph(doc, call->caller);
    if (!graph.isPlain || !graph.isLast(call->call) || !graph.isAlone(all))
      bad.push_back(call);
  }
  for (const CallOf *call : back)
    if (llvm::none_of(bad, [&](const CallOf *other) {
          return other == call || (leads(other->called, call->caller) &&
                                   leads(call->called, other->caller));
        })) {
      tailCalls.insert(call->call.index());
      loopingBodies.insert(call->called.index());
    }
}

/// The round of \p body that is being made or will be.
size_t Lowering::roundOf(const Body &body, bool &isNew) {
  std::map<uint32_t, ParticipantId> played;
  for (auto [element, id] : body.cast)
    if (auto known = participants.find(element);
        known == participants.end() || known->second != id)
      played[element] = id;
    else
      played.erase(element);
  isNew = false;
  for (size_t i = 0; i < rounds.size(); ++i)
    if (rounds[i].element == body.element && rounds[i].parent == body.parent &&
        rounds[i].played == played)
      return i;
  isNew = true;
  rounds.push_back({body.element, body.parent, std::move(played)});
  return rounds.size() - 1;
}

/// A call in place of which what it calls begins.
void Lowering::makeTailCall(ElementId e, ElementId called, NodeId parent) {
  Node node;
  node.kind = NodeKind::Task; // until closeRounds
  NodeId id = addNode(node, e, parent);
  Body body{called, parent, castOf(e)};
  bool isNew = false;
  size_t round = roundOf(body, isNew);
  if (isNew) {
    rounds[round].isFlat = true;
    bodies.push_back(std::move(body));
  }
  roundCalls.push_back({id, round});
}

/// Lets calls lead to the beginning of what they call.
void Lowering::closeRounds() {
  std::vector<Flow> &flows = behaviour->flows;
  for (Round &round : rounds) {
    if (!round.start || round.isFlat) {
      if (round.start)
        behaviour->node(round.start).kind = NodeKind::SimpleJoin;
      round.entry = round.start;
      continue;
    }
    Node join{.kind = NodeKind::SimpleJoin,
              .loc = behaviour->node(round.start).loc};
    round.entry = addNode(join, ElementId(), round.parent);
    for (Flow &flow : flows)
      if (flow.source == round.start)
        flow.source = round.entry;
    addFlow(round.start, round.entry, join.loc);
  }
  for (auto [call, round] : roundCalls) {
    behaviour->node(call).kind = NodeKind::SimpleJoin;
    for (Flow &flow : flows)
      if (flow.source == call && rounds[round].entry)
        flow.target = rounds[round].entry;
  }
}
