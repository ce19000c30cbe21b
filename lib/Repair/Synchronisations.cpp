//===- Synchronisations.cpp - Where participants could tell each other ----===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Repair/Synchronisations.h"
#include "cif/IR/Builder.h"
#include "llvm/ADT/BitVector.h"
#include <map>
#include <set>

using namespace cif;

namespace {
/// Walks over flows and gateways from one interaction to the next ones.
class Finder {
public:
  Finder(const Module &from, const Behaviour &choreography, Tellers who)
      : module(from), graph(choreography), index(choreography), tellers(who) {
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
      const Node &node = graph.nodes[n];
      if (!node.parent)
        continue;
      if (node.kind == NodeKind::Initial)
        starts[node.parent.index()].push_back(NodeId(n));
      if (node.kind == NodeKind::Final)
        ends[node.parent.index()].push_back(NodeId(n));
    }
  }

  std::vector<Synchronisation> run() {
    std::vector<Synchronisation> found;
    for (size_t f = 0; f < graph.flows.size(); ++f) {
      if (!isPlace(FlowId(f)))
        continue;
      std::vector<NodeId> before = nearest(FlowId(f), /*forward=*/false);
      std::vector<NodeId> after = nearest(FlowId(f), /*forward=*/true);
      std::set<std::pair<ParticipantId, ParticipantId>> seen;
      for (NodeId next : after)
        for (NodeId last : before) {
          const Message &m = module.message(graph.node(last).message);
          ParticipantId to = module.message(graph.node(next).message).sender;
          for (ParticipantId from : {m.sender, m.receiver}) {
            bool tells = from == m.sender || tellers == Tellers::Participants;
            if (tells && from != to && seen.insert({from, to}).second)
              found.push_back({FlowId(f), from, to, last, next});
          }
        }
    }
    return found;
  }

private:
  static bool isChoice(NodeKind kind) {
    return hasTrait(kind, NodeTraits::Decision);
  }

  /// One way in, one way out, and nothing happens: the flow before it is the
  /// same place as the one after it.
  bool isPassage(NodeId n) const {
    NodeKind kind = graph.node(n).kind;
    return (kind == NodeKind::SimpleJoin || kind == NodeKind::AllJoin ||
            kind == NodeKind::AllSelect) &&
           index.incoming(n).size() == 1 && index.outgoing(n).size() == 1;
  }

  bool isPlace(FlowId f) const {
    const Flow &flow = graph.flow(f);
    const Node &source = graph.node(flow.source);
    const Node &target = graph.node(flow.target);
    if (flow.guard || flow.flags || source.parent != target.parent)
      return false;
    if (source.kind == NodeKind::Boundary || isPassage(flow.source))
      return false;
    return !isChoice(source.kind) || index.outgoing(flow.source).size() == 1;
  }

  /// The interactions nearest to a flow, in the order of nodes.
  std::vector<NodeId> nearest(FlowId from, bool forward) const {
    llvm::BitVector seen(graph.nodes.size());
    std::vector<NodeId> work, found;
    auto visit = [&](NodeId n) {
      if (seen[n.index()])
        return;
      seen.set(n.index());
      (graph.node(n).kind == NodeKind::Interaction ? found : work).push_back(n);
    };
    visit(forward ? graph.flow(from).target : graph.flow(from).source);
    while (!work.empty()) {
      NodeId n = work.back();
      work.pop_back();
      const Node &node = graph.node(n);
      if (node.kind == NodeKind::Container) {
        auto inside = (forward ? starts : ends).find(n.index());
        if (inside != (forward ? starts : ends).end())
          for (NodeId inner : inside->second)
            visit(inner);
        continue;
      }
      NodeKind border = forward ? NodeKind::Final : NodeKind::Initial;
      NodeId at = node.kind == border && node.parent ? node.parent : n;
      for (FlowId f : forward ? index.outgoing(at) : index.incoming(at))
        visit(forward ? graph.flow(f).target : graph.flow(f).source);
    }
    llvm::sort(found);
    return found;
  }

  const Module &module;
  const Behaviour &graph;
  FlowIndex index;
  Tellers tellers;
  std::map<uint32_t, std::vector<NodeId>> starts, ends; ///< by container
};
} // namespace

std::vector<Synchronisation>
cif::findSynchronisations(const Module &module, const Behaviour &choreography,
                          Tellers tellers) {
  return Finder(module, choreography, tellers).run();
}

Behaviour cif::insertSynchronisations(const Behaviour &choreography,
                                      ArrayRef<Synchronisation> chosen,
                                      ArrayRef<MessageId> messages) {
  Behaviour graph = choreography;
  std::map<FlowId, uint32_t> tails; // the last flow of what each has become
  for (size_t i = 0; i < chosen.size(); ++i) {
    Node node;
    node.kind = NodeKind::Interaction;
    node.message = messages[i];
    node.parent = graph.node(graph.flow(chosen[i].flow).source).parent;
    node.loc = graph.node(chosen[i].after).loc;
    node.loc.element = {};
    NodeId id(graph.nodes.size());
    graph.nodes.push_back(node);
    uint32_t &tail =
        tails.try_emplace(chosen[i].flow, chosen[i].flow.index()).first->second;
    Flow rest = graph.flows[tail];
    rest.source = id;
    rest.name = {};
    rest.loc.element = {};
    graph.flows[tail].target = id;
    tail = static_cast<uint32_t>(graph.flows.size());
    graph.flows.push_back(rest);
  }
  return graph;
}

FreshMessageNames::FreshMessageNames(const Module &module) {
  for (const Message &m : module.messages)
    taken.insert(module.text(m.name));
}

std::string FreshMessageNames::make(StringRef base) {
  std::string name = base.str();
  for (unsigned i = 2; !taken.insert(name).second; ++i)
    name = (base + "_" + Twine(i)).str();
  return name;
}

Behaviour cif::protocolGraph(Module &module, const Lts &protocol,
                             StringRef name, Location loc) {
  size_t behaviours = module.behaviours.size();
  BehaviourBuilder b(module, BehaviourKind::Choreography, name);
  b.behaviour().loc = loc;
  b.at(loc);
  NodeId start = b.add(NodeKind::Initial);
  std::vector<NodeId> joins, splits;
  for (StateIndex s = 0; s < protocol.numStates(); ++s) {
    size_t ways = protocol.labelsOf(s).size();
    bool stops = protocol.saysFinal() ? protocol.isFinal(s) : ways == 0;
    joins.push_back(b.add(NodeKind::SimpleJoin));
    splits.push_back(b.add(ways + stops > 1 ? NodeKind::EventChoice
                           : ways           ? NodeKind::SimpleJoin
                           : stops          ? NodeKind::Final
                                            : NodeKind::Stuck));
    b.chain({joins[s], splits[s]});
    if (ways && stops)
      b.chain({splits[s], b.add(NodeKind::Final)});
  }
  b.chain({start, joins[protocol.initial]});
  for (StateIndex s = 0; s < protocol.numStates(); ++s)
    for (size_t t = 0; t < protocol.labelsOf(s).size(); ++t) {
      const Label &l = protocol.labels[protocol.labelsOf(s)[t]];
      b.chain({splits[s], b.interaction(l.sender, l.receiver, l.message),
               joins[protocol.targetsOf(s)[t]]});
    }
  Behaviour graph = std::move(b.behaviour());
  module.behaviours.resize(behaviours);
  return graph;
}
