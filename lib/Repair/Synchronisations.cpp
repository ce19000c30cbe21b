//===- Synchronisations.cpp - Where participants could tell each other ----===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Repair/Synchronisations.h"
#include "cif/Equivalence/Minimize.h"
#include "cif/IR/Builder.h"
#include "cif/IR/ExprText.h"
#include "cif/IR/Operators.h"
#include "cif/Transforms/Knowledge.h"
#include "cif/Transforms/ProjectData.h"
#include "llvm/ADT/BitVector.h"
#include <map>
#include <set>

using namespace cif;

namespace {
/// Walks over flows and gateways from one interaction to the next ones.
class Finder {
public:
  Finder(const Module &from, const Behaviour &choreography, Tellers who,
         Budget &within)
      : module(from), graph(choreography), index(choreography), tellers(who),
        budget(within) {
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
      const Node &node = graph.nodes[n];
      if (!node.parent)
        continue;
      if (node.kind == NodeKind::Initial)
        starts[node.parent.index()].push_back(NodeId(n));
      if (node.kind == NodeKind::Final)
        ends[node.parent.index()].push_back(NodeId(n));
    }
    findBehindCalls();
  }

  std::vector<Synchronisation> run() {
    std::vector<Synchronisation> found;
    for (size_t f = 0; f < graph.flows.size() && !budget.stopped(); ++f) {
      if (!isPlace(FlowId(f)))
        continue;
      std::vector<NodeId> before = nearest(FlowId(f), /*forward=*/false);
      std::vector<NodeId> after = nearest(FlowId(f), /*forward=*/true);
      std::set<std::pair<ParticipantId, ParticipantId>> seen;
      for (NodeId next : after) {
        if (budget.spend(8 * before.size()))
          break;
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
    }
    return found;
  }

private:
  static bool isChoice(NodeKind kind) {
    return hasTrait(kind, NodeTraits::Decision);
  }

  /// Calls, and the merges behind them. Nothing may be put there: only calls in
  /// tail position are finite-state.
  void findBehindCalls() {
    behindCalls.resize(graph.nodes.size());
    std::vector<NodeId> work;
    auto visit = [&](NodeId n) {
      if (behindCalls.test(n.index()))
        return;
      behindCalls.set(n.index());
      work.push_back(n);
    };
    for (size_t n = 0; n < graph.nodes.size(); ++n)
      if (graph.nodes[n].kind == NodeKind::Call)
        visit(NodeId(n));
    while (!work.empty()) {
      NodeId n = work.back();
      work.pop_back();
      for (FlowId f : index.outgoing(n))
        if (NodeId next = graph.flow(f).target;
            graph.node(next).kind == NodeKind::SimpleJoin)
          visit(next);
    }
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
    if (source.kind == NodeKind::Boundary || isPassage(flow.source) ||
        behindCalls.test(flow.source.index()))
      return false;
    return !isChoice(source.kind) || index.outgoing(flow.source).size() == 1;
  }

  /// The interactions nearest to a flow, in the order of nodes.
  std::vector<NodeId> nearest(FlowId from, bool forward) const {
    llvm::BitVector seen(graph.nodes.size());
    budget.spend(1 + graph.nodes.size() / 64);
    std::vector<NodeId> work, found;
    auto visit = [&](NodeId n) {
      if (seen[n.index()])
        return;
      seen.set(n.index());
      (graph.node(n).kind == NodeKind::Interaction ? found : work).push_back(n);
    };
    visit(forward ? graph.flow(from).target : graph.flow(from).source);
    while (!work.empty() && !budget.spend()) {
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
  Budget &budget;
  std::map<uint32_t, std::vector<NodeId>> starts, ends; ///< by container
  llvm::BitVector behindCalls;                          ///< by node
};
} // namespace

std::vector<Synchronisation>
cif::findSynchronisations(const Module &module, const Behaviour &choreography,
                          Tellers tellers, Budget &budget) {
  return Finder(module, choreography, tellers, budget).run();
}

namespace {
/// Finds who lacks which data, and who could tell.
class TellerFinder {
public:
  TellerFinder(const Module &module, const Behaviour &graph, Budget &budget)
      : module(module), graph(graph), index(graph), budget(budget) {
    for (size_t p = 0;
         p < module.participants.size() && !budget.spend(graph.nodes.size());
         ++p)
      knowledge.push_back(
          std::make_unique<Knowledge>(module, graph, ParticipantId(p)));
  }

  std::vector<Synchronisation> run() {
    if (budget.stopped())
      return {};
    auto untold = untoldData(module, graph);
    for (const auto &[p, lacks] : untold)
      extend(p, lacks);
    for (const auto &[p, lacks] : untold)
      add(p, lacks);
    std::vector<Synchronisation> plain =
        untold.empty() ? std::vector<Synchronisation>()
                       : findSynchronisations(module, graph,
                                              Tellers::Participants, budget);
    for (const auto &[p, lacks] : untold)
      addBefore(p, lacks, plain);
    for (const auto &[p, lacks] : untold)
      addEarly(p, lacks);
    return std::move(found);
  }

private:
  /// The variables of what is asked that \p p does not know, each once.
  SmallVector<ExprId, 1> lacking(ParticipantId p, const UntoldData &lacks) {
    SmallVector<ExprId, 1> result;
    std::set<Name> names;
    for (ExprId id : partsOf(module, lacks.asks))
      if (module.expr(id).op == ExprOp::Variable &&
          !knowledge[p.index()]->unknown(lacks.node, id).empty() &&
          names.insert(module.expr(id).name).second)
        result.push_back(id);
    return result;
  }

  /// The nearest interaction for which \p fits, before or behind a flow.
  NodeId nearest(FlowId from, bool forward,
                 function_ref<bool(const Message &)> fits) const {
    llvm::BitVector seen(graph.nodes.size());
    std::vector<NodeId> work{forward ? graph.flow(from).target
                                     : graph.flow(from).source};
    for (size_t i = 0; i < work.size(); ++i) {
      NodeId n = work[i];
      if (seen[n.index()])
        continue;
      seen.set(n.index());
      const Node &node = graph.node(n);
      if (node.kind == NodeKind::Interaction &&
          fits(module.message(node.message)))
        return n;
      for (FlowId f : forward ? index.outgoing(n) : index.incoming(n))
        work.push_back(forward ? graph.flow(f).target : graph.flow(f).source);
    }
    return {};
  }

  /// Whether the message of an interaction can carry more: it is sent here
  /// only, and what it carries is sent, not made here.
  bool isExtensible(NodeId n) const {
    const Node &node = graph.node(n);
    const Message &message = module.message(node.message);
    return !node.reply && !(node.flags & BindsArguments) &&
           node.numArguments == message.fields.size() &&
           llvm::all_of(module.behaviours, [&](const Behaviour &b) {
             return llvm::count_if(b.nodes, [&](const Node &other) {
                      return other.message &&
                             module.message(other.message).name == message.name;
                    }) <= 1;
           });
  }

  /// Messages to \p p, from somebody who knows what it lacks, on the way to
  /// where it lacks it. Whether they come in time is seen by those who ask.
  void extend(ParticipantId p, const UntoldData &lacks) {
    SmallVector<ExprId, 1> carries = lacking(p, lacks);
    for (NodeId n : nodesBefore(lacks.node)) {
      const Node &node = graph.node(n);
      if (node.kind != NodeKind::Interaction || n == lacks.node)
        continue;
      const Message &message = module.message(node.message);
      if (message.receiver != p || message.sender == p || !isExtensible(n) ||
          !knows(message.sender, n, carries))
        continue;
      Synchronisation made{{}, message.sender, p, n, n, carries, n};
      if (llvm::none_of(found, [&](const Synchronisation &other) {
            return other.extends == n && other.carries == carries;
          }))
        found.push_back(std::move(made));
    }
  }

  void add(ParticipantId p, const UntoldData &lacks) {
    ArrayRef<FlowId> in = index.incoming(lacks.node);
    if (in.size() != 1)
      return;
    const Flow &flow = graph.flow(in[0]);
    if (flow.guard || flow.flags ||
        (hasTrait(graph.node(flow.source).kind, NodeTraits::Decision) &&
         index.outgoing(flow.source).size() > 1))
      return; // it would decide there
    SmallVector<ExprId, 1> carries = lacking(p, lacks);
    NodeId after = nearest(in[0], /*forward=*/true,
                           [&](const Message &m) { return m.sender == p; });
    for (size_t q = 0; q < module.participants.size() && after; ++q) {
      ParticipantId from(q);
      NodeId before = nearest(in[0], /*forward=*/false, [&](const Message &m) {
        return m.sender == from || m.receiver == from;
      });
      Synchronisation made{in[0], from, p, before, after, carries};
      if (from != p && before && knows(from, lacks.node, carries))
        addNew(std::move(made));
    }
  }

  /// Who knows the data may tell \p p right after it has taken part in an
  /// interaction on the way.
  void addEarly(ParticipantId p, const UntoldData &lacks) {
    SmallVector<ExprId, 1> carries = lacking(p, lacks);
    size_t places = 0;
    for (NodeId n : nodesBefore(lacks.node)) {
      const Node &node = graph.node(n);
      if (node.kind != NodeKind::Interaction || n == lacks.node ||
          index.outgoing(n).size() != 1)
        continue;
      if (++places > mostPlaces)
        return;
      const FlowId flow = index.outgoing(n)[0];
      const NodeId next = graph.flow(flow).target;
      const NodeId after =
          nearest(flow, /*forward=*/true,
                  [&](const Message &m) { return m.sender == p; });
      const Message &message = module.message(node.message);
      for (ParticipantId from : {message.sender, message.receiver})
        if (after && from != p && knows(from, next, carries))
          addNew({flow, from, p, n, after, carries});
    }
  }

  /// A message that would tell \p p of what happened before, on the way to
  /// where it lacks data, can carry these as well.
  void addBefore(ParticipantId p, const UntoldData &lacks,
                 ArrayRef<Synchronisation> plain) {
    SmallVector<ExprId, 1> carries = lacking(p, lacks);
    std::vector<NodeId> before = nodesBefore(lacks.node);
    for (Synchronisation sync : plain) {
      NodeId at = graph.flow(sync.flow).target;
      if (sync.to != p || !llvm::is_contained(before, at) ||
          !knows(sync.from, at, carries))
        continue;
      sync.carries = carries;
      addNew(std::move(sync));
    }
  }

  void addNew(Synchronisation made) {
    if (llvm::none_of(found, [&](const Synchronisation &other) {
          return other.flow == made.flow && other.from == made.from &&
                 other.to == made.to && other.carries == made.carries;
        }))
      found.push_back(std::move(made));
  }

  bool knows(ParticipantId p, NodeId at, ArrayRef<ExprId> all) const {
    return llvm::all_of(all, [&](ExprId id) {
      return knowledge[p.index()]->unknown(at, id).empty();
    });
  }

  /// \p node and all from which flows lead to it, the nearest first.
  std::vector<NodeId> nodesBefore(NodeId node) const {
    llvm::BitVector seen(graph.nodes.size());
    std::vector<NodeId> work{node};
    for (size_t i = 0; i < work.size(); ++i)
      for (FlowId f : index.incoming(work[i]))
        if (NodeId from = graph.flow(f).source; !seen[from.index()]) {
          seen.set(from.index());
          work.push_back(from);
        }
    return work;
  }

  static constexpr size_t mostPlaces = 16; ///< where data may be added for one

  const Module &module;
  const Behaviour &graph;
  FlowIndex index;
  Budget &budget;
  std::vector<std::unique_ptr<Knowledge>> knowledge; ///< by participant
  std::vector<Synchronisation> found;
};
} // namespace

std::vector<Synchronisation> cif::findTellers(const Module &module,
                                              const Behaviour &choreography,
                                              Budget &budget) {
  return TellerFinder(module, choreography, budget).run();
}

std::vector<Field> cif::carriedFields(const Module &module,
                                      const Synchronisation &sync) {
  std::vector<Field> fields;
  for (ExprId id : sync.carries)
    fields.push_back({module.expr(id).name, module.expr(id).sort});
  return fields;
}

std::string cif::carriedText(const Module &module,
                             const Synchronisation &sync) {
  std::string values;
  for (ExprId id : sync.carries)
    values += (values.empty() ? "(" : ", ") + exprText(module, id);
  return values.empty() ? "" : values + ")";
}

std::string cif::exchangeText(const Module &module, MessageId message,
                              const Synchronisation &sync) {
  return module.exchangeText(message) + carriedText(module, sync);
}

Behaviour cif::insertSynchronisations(const Behaviour &choreography,
                                      ArrayRef<Synchronisation> chosen,
                                      ArrayRef<MessageId> messages) {
  Behaviour graph = choreography;
  std::map<FlowId, uint32_t> tails; // the last flow of what each has become
  for (size_t i = 0; i < chosen.size(); ++i) {
    if (NodeId extended = chosen[i].extends) {
      Node &node = graph.node(extended);
      std::vector<ExprId> all(graph.arguments.begin() + node.firstArgument,
                              graph.arguments.begin() + node.firstArgument +
                                  node.numArguments);
      llvm::append_range(all, chosen[i].carries);
      node.firstArgument = static_cast<uint32_t>(graph.arguments.size());
      node.numArguments = static_cast<uint32_t>(all.size());
      llvm::append_range(graph.arguments, all);
      continue;
    }
    Node node{.kind = NodeKind::Interaction, .message = messages[i]};
    node.parent = graph.node(graph.flow(chosen[i].flow).source).parent;
    node.loc = graph.node(chosen[i].after).loc;
    node.loc.element = {};
    node.firstArgument = static_cast<uint32_t>(graph.arguments.size());
    node.numArguments = static_cast<uint32_t>(chosen[i].carries.size());
    llvm::append_range(graph.arguments, chosen[i].carries);
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

/// \p protocol must be deterministic and without silent steps.
static Behaviour protocolGraph(Module &module, const Lts &protocol,
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

Outcome<Behaviour> cif::graphOf(PeerSet &set, ChoreographyRef which,
                                const Limits &limits) {
  if (!which.isSystem)
    return set.source.behaviours[which.index];
  Budget budget(limits);
  Outcome<Lts> protocol =
      minimizeWithin(set.global->lts, Relation::WeakTrace, budget);
  if (!protocol)
    return Outcome<Behaviour>::without(protocol);
  return protocolGraph(set.source, *protocol,
                       choreographyName(set.source, which),
                       set.source.systems[which.index].loc);
}
