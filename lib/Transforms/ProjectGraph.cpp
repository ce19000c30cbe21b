//===- ProjectGraph.cpp - A participant's part of a graph -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The structural projection. Implements: [verchor], Def. 3, on the graph
/// instead of its LTS. Every node of the choreography becomes a node of the
/// process or a silent one; silent nodes are then removed where this preserves
/// the traces: a node with one incoming and one outgoing flow; the second of
/// two equal silent branches between a choice and its join; a silent branch
/// between an all-select and its all-join; a silent path back to the join
/// before a choice.
///
/// Input class: normalised choreographies. Sound for: weak traces of the
/// process alone, which are those of its peer LTS; tested for conversation
/// protocols, not proved for interruptions.
///
//===----------------------------------------------------------------------===//

#include "cif/Transforms/Knowledge.h"
#include "cif/Transforms/ProjectData.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

using namespace cif;

static bool isExclusive(NodeKind kind) {
  return kind == NodeKind::Choice || kind == NodeKind::DominatedChoice ||
         kind == NodeKind::EventChoice;
}

namespace {
class GraphProjector {
public:
  GraphProjector(const Module &from, const Behaviour &global,
                 ParticipantId participant, std::vector<UntoldChoice> &missing,
                 std::vector<UntoldData> &lacking)
      : module(from), choreography(global), peer(participant),
        knowledge(from, global, participant), untold(missing),
        unknown(lacking) {}

  Behaviour run() {
    out = choreography;
    out.kind = BehaviourKind::Process;
    out.owner = peer;
    silent.resize(out.nodes.size());
    dead.resize(out.nodes.size());
    hosts.resize(out.nodes.size());
    for (const Node &node : out.nodes)
      if (node.kind == NodeKind::Boundary && node.attachedTo)
        hosts.set(node.attachedTo.index());
    for (size_t i = 0; i < out.nodes.size(); ++i)
      projectNode(NodeId(i));
    projectGuards();
    simplify();
    decideChoices();
    compact();
    return std::move(out);
  }

private:
  /// A message event that the peer has no part in becomes a silent one.
  void projectEvent(NodeId id, Node &node) {
    const Message &m = module.message(node.message);
    bool sends = node.kind == NodeKind::Throw || node.kind == NodeKind::Final;
    if ((sends ? m.sender : m.receiver) == peer)
      return;
    bool involved = m.sender == peer || m.receiver == peer;
    node.message = {};
    node.numArguments = 0;
    node.trigger =
        node.kind == NodeKind::Boundary ? Trigger::Conditional : Trigger::None;
    if (node.kind == NodeKind::Catch || node.kind == NodeKind::Throw) {
      if (involved) {
        node.message = choreography.node(id).message;
        node.kind = sends ? NodeKind::Receive : NodeKind::Send;
        return;
      }
      node.kind = NodeKind::Task;
      silence(id);
    }
  }

  void projectNode(NodeId id) {
    Node &node = out.node(id);
    if (node.message && node.kind != NodeKind::Interaction)
      return projectEvent(id, node);
    if (node.kind != NodeKind::Interaction) {
      if (hasTrait(node.kind, NodeTraits::Step) && node.participant != peer)
        silence(id);
      return;
    }
    const Message &m = module.message(node.message);
    if (m.sender == peer) {
      node.kind = NodeKind::Send;
      findUnknown(id, node);
    } else if (m.receiver == peer) {
      node.kind = NodeKind::Receive;
      // What it is told it knows.
      ArrayRef<ExprId> told =
          ArrayRef(out.arguments).slice(node.firstArgument, node.numArguments);
      if (!told.empty() && llvm::all_of(told, [&](ExprId argument) {
            return module.expr(argument).op == ExprOp::Variable;
          }))
        node.flags |= BindsArguments;
    } else {
      node.kind = NodeKind::Task;
      node.message = {};
      node.numArguments = 0;
      node.flags = 0;
      node.name = {};
      silence(id);
    }
  }

  /// What the peer sends and does not know.
  void findUnknown(NodeId id, const Node &node) {
    for (uint32_t i = 0; i < node.numArguments; ++i)
      if (!(node.flags & BindsArguments))
        if (ExprId sent = out.arguments[node.firstArgument + i])
          if (Name name = knowledge.unknown(id, sent); !name.empty())
            unknown.push_back({id, {}, sent, name});
  }

  /// Guards stay where the peer knows what they ask about.
  void projectGuards() {
    FlowIndex flows(choreography);
    guarded.resize(out.nodes.size());
    for (size_t i = 0; i < out.nodes.size(); ++i) {
      bool all = true;
      for (FlowId f : flows.outgoing(NodeId(i))) {
        Flow &flow = out.flow(f);
        if (!flow.guard)
          continue;
        Name name = knowledge.unknown(NodeId(i), flow.guard);
        bool evaluates = name.empty() && (!knowledge.isForeign(flow.guard) ||
                                          deciderOf(NodeId(i), flows) == peer);
        all &= evaluates;
        if (evaluates) {
          guarded.set(i);
          continue;
        }
        if (!name.empty() && begins(flow.target, flows))
          unknown.push_back({NodeId(i), f, flow.guard, name});
        flow.guard = {};
      }
      for (FlowId f : flows.outgoing(NodeId(i)))
        if (!all)
          out.flow(f).flags &= ~DefaultFlow;
    }
  }

  /// Whether the peer sends what can come first from here on.
  bool begins(NodeId from, const FlowIndex &flows) {
    bool found = false;
    firstGlobalSteps(from, flows, [&](const Node &first) {
      found |= module.message(first.message).sender == peer;
    });
    return found;
  }

  /// What can be interrupted stays, as a step.
  void silence(NodeId id) {
    if (!hosts[id.index()])
      silent.set(id.index());
  }

  //===--------------------------------------------------------------------===//
  // Simplification: flows are moved and dropped until nothing changes. Each
  // change removes a flow or a node, and only puts its neighbours back on the
  // list.
  //===--------------------------------------------------------------------===//

  void simplify() {
    ins.resize(out.nodes.size());
    outs.resize(out.nodes.size());
    gone.resize(out.flows.size());
    for (size_t f = 0; f < out.flows.size(); ++f) {
      outs[out.flows[f].source.index()].push_back(f);
      ins[out.flows[f].target.index()].push_back(f);
    }
    for (size_t i = out.nodes.size(); i-- > 0;)
      touch(NodeId(i));
    while (!work.empty()) {
      NodeId id = work.back();
      work.pop_back();
      queued.reset(id.index());
      if (!dead[id.index()])
        visit(id);
    }
  }

  void touch(NodeId id) {
    if (queued.size() <= id.index())
      queued.resize(out.nodes.size());
    if (queued[id.index()])
      return;
    queued.set(id.index());
    work.push_back(id);
  }

  void removeFlow(uint32_t f) {
    const Flow &flow = out.flows[f];
    llvm::erase(outs[flow.source.index()], f);
    llvm::erase(ins[flow.target.index()], f);
    gone.set(f);
    touch(flow.source);
    touch(flow.target);
  }

  void visit(NodeId id) {
    NodeKind kind = out.node(id).kind;
    auto &in = ins[id.index()], &succ = outs[id.index()];
    if (guarded[id.index()] && !mergesAll(id))
      return;
    if ((silent[id.index()] || isGateway(kind)) && in.size() == 1 &&
        succ.size() == 1 && out.flows[in[0]].source != id)
      return splice(id);
    if (silent[id.index()] && in.size() > 1 && succ.size() == 1) {
      // Each token passes on its own, as in a merge.
      out.node(id).kind = NodeKind::SimpleJoin;
      silent.reset(id.index());
      for (uint32_t f : in)
        touch(out.flows[f].source);
      return;
    }
    if (isExclusive(kind))
      simplifyChoice(id);
    else if (kind == NodeKind::AllSelect)
      simplifyParallel(id);
  }

  /// Whether all branches of a choice are silent ways to one place: then its
  /// guards tell nothing.
  bool mergesAll(NodeId id) {
    ArrayRef<uint32_t> ways = outs[id.index()];
    NodeId target = ways.empty() ? NodeId() : out.flows[ways[0]].target;
    if (ways.size() < 2 || out.node(target).kind != NodeKind::SimpleJoin ||
        !llvm::all_of(
            ways, [&](uint32_t f) { return out.flows[f].target == target; }))
      return false;
    for (uint32_t f : ways) {
      out.flows[f].guard = {};
      out.flows[f].flags &= ~DefaultFlow;
    }
    guarded.reset(id.index());
    return true;
  }

  /// The node's way in takes the place of its way out.
  void splice(NodeId id) {
    uint32_t before = ins[id.index()][0], after = outs[id.index()][0];
    NodeId target = out.flows[after].target;
    out.flows[before].target = target;
    std::replace(ins[target.index()].begin(), ins[target.index()].end(), after,
                 before);
    gone.set(after);
    ins[id.index()].clear();
    outs[id.index()].clear();
    dead.set(id.index());
    touch(out.flows[before].source);
    touch(target);
  }

  void simplifyChoice(NodeId id) {
    // Silent ways to the same place are one; a silent way back changes nothing.
    SmallVector<uint32_t, 8> drop;
    llvm::SmallDenseMap<uint32_t, uint32_t, 8> seen;
    for (uint32_t f : outs[id.index()]) {
      NodeId target = out.flows[f].target;
      if (out.node(target).kind != NodeKind::SimpleJoin)
        continue;
      ArrayRef<uint32_t> next = outs[target.index()];
      bool back = next.size() == 1 && out.flows[next[0]].target == id;
      if (back || !seen.try_emplace(target.index(), f).second)
        drop.push_back(f);
    }
    if (drop.size() == outs[id.index()].size() && !drop.empty())
      drop.pop_back();
    for (uint32_t f : drop)
      removeFlow(f);
  }

  void simplifyParallel(NodeId id) {
    SmallVector<uint32_t, 8> drop;
    for (uint32_t f : outs[id.index()])
      if (out.node(out.flows[f].target).kind == NodeKind::AllJoin)
        drop.push_back(f);
    for (uint32_t f : drop)
      if (outs[id.index()].size() > 1 &&
          ins[out.flows[f].target.index()].size() > 1)
        removeFlow(f);
  }

  //===--------------------------------------------------------------------===//
  // Choices
  //===--------------------------------------------------------------------===//

  /// The first steps after \p from, through gateways and silent nodes.
  template <class Outs, class IsSilent>
  void firstSteps(NodeId from, Outs outgoing, IsSilent passes,
                  function_ref<void(NodeId)> step) {
    llvm::DenseMap<uint32_t, bool> seen;
    SmallVector<NodeId, 16> stack{from};
    while (!stack.empty()) {
      NodeId at = stack.pop_back_val();
      if (!seen.try_emplace(at.index(), true).second)
        continue;
      if (!passes(at)) {
        step(at);
        continue;
      }
      for (NodeId next : outgoing(at))
        stack.push_back(next);
    }
  }

  struct Branch {
    SmallVector<MessageId, 4> sends, receives;
  };

  /// Who initiates what can come first after a choice of the choreography; an
  /// empty id: nobody or several.
  ParticipantId deciderOf(NodeId choice, const FlowIndex &flows) {
    const Node &node = choreography.node(choice);
    if (node.participant)
      return node.participant;
    ParticipantId decider;
    bool several = false;
    firstGlobalSteps(choice, flows, [&](const Node &first) {
      ParticipantId sender = module.message(first.message).sender;
      several |= decider && decider != sender;
      decider = sender;
    });
    return several ? ParticipantId() : decider;
  }

  /// The interactions that can come first in the choreography.
  void firstGlobalSteps(NodeId from, const FlowIndex &flows,
                        function_ref<void(const Node &)> step) {
    firstSteps(
        from,
        [&](NodeId n) {
          SmallVector<NodeId, 8> next;
          for (FlowId f : flows.outgoing(n))
            next.push_back(choreography.flow(f).target);
          return next;
        },
        [&](NodeId n) {
          NodeKind kind = choreography.node(n).kind;
          return kind != NodeKind::Interaction &&
                 hasTrait(kind, NodeTraits::Gateway | NodeTraits::Step);
        },
        [&](NodeId n) {
          const Node &first = choreography.node(n);
          if (first.kind == NodeKind::Interaction)
            step(first);
        });
  }

  /// Whether the peer knows which branch is taken: a guard that it evaluates
  /// and "otherwise", as of a loop.
  bool knowsBranch(NodeId choice) const {
    ArrayRef<uint32_t> ways = outs[choice.index()];
    return ways.size() == 2 &&
           llvm::any_of(
               ways,
               [&](uint32_t f) { return out.flows[f].flags & DefaultFlow; }) &&
           llvm::any_of(ways,
                        [&](uint32_t f) { return bool(out.flows[f].guard); });
  }

  /// Elsewhere "otherwise" stays where the peer evaluates all guards: what
  /// comes decides among those that are true, or is "otherwise" where none is.
  /// Beside a branch without a guard it has no meaning: all are open then,
  /// whatever their guards say.
  void dropDefault(NodeId choice) {
    ArrayRef<uint32_t> ways = outs[choice.index()];
    bool any = false, all = true;
    for (uint32_t f : ways) {
      bool isDefault = out.flows[f].flags & DefaultFlow;
      any |= isDefault;
      all &= isDefault || out.flows[f].guard;
    }
    if (!any || all)
      return;
    for (uint32_t f : ways) {
      out.flows[f].guard = {};
      out.flows[f].flags &= ~DefaultFlow;
    }
  }

  void decideChoices() {
    FlowIndex flows(choreography);
    for (size_t i = 0; i < out.nodes.size(); ++i) {
      Node &node = out.nodes[i];
      if (dead[i] || !isExclusive(node.kind))
        continue;
      SmallVector<Branch, 4> branches;
      for (uint32_t f : outs[i]) {
        Branch &branch = branches.emplace_back();
        firstSteps(
            out.flows[f].target,
            [&](NodeId n) {
              SmallVector<NodeId, 8> next;
              for (uint32_t g : outs[n.index()])
                next.push_back(out.flows[g].target);
              return next;
            },
            [&](NodeId n) {
              return isGateway(out.node(n).kind) || silent[n.index()];
            },
            [&](NodeId n) {
              const Node &first = out.node(n);
              if (first.kind == NodeKind::Send)
                branch.sends.push_back(first.message);
              else if (first.kind == NodeKind::Receive)
                branch.receives.push_back(first.message);
            });
      }
      bool decides = deciderOf(NodeId(i), flows) == peer;
      if (!decides) {
        // What comes decides, among the branches that it knows to be open.
        node.participant = {};
        if (!knowsBranch(NodeId(i))) {
          node.kind = NodeKind::EventChoice;
          dropDefault(NodeId(i));
        }
        findUntold(NodeId(i), branches);
      }
    }
  }

  /// A send on one branch that another one does not have.
  void findUntold(NodeId choice, ArrayRef<Branch> branches) {
    for (const Branch &a : branches)
      for (const Branch &b : branches)
        for (MessageId m : a.sends)
          if (!llvm::is_contained(b.sends, m)) {
            untold.push_back(
                {choice, m,
                 b.receives.empty() ? MessageId() : b.receives.front()});
            return;
          }
  }

  /// Takes out what is dead and renumbers the rest.
  void compact() {
    Behaviour result{
        .name = out.name, .kind = out.kind, .owner = out.owner, .loc = out.loc};
    std::vector<NodeId> number(out.nodes.size());
    for (size_t i = 0; i < out.nodes.size(); ++i)
      if (!dead[i]) {
        number[i] = NodeId(result.nodes.size());
        result.nodes.push_back(out.nodes[i]);
      }
    auto renumber = [&](NodeId &id) {
      if (id)
        id = number[id.index()];
    };
    for (Node &node : result.nodes) {
      renumber(node.parent);
      renumber(node.attachedTo);
      if (node.numArguments) {
        uint32_t first = result.arguments.size();
        for (uint32_t a = 0; a < node.numArguments; ++a)
          result.arguments.push_back(out.arguments[node.firstArgument + a]);
        node.firstArgument = first;
      } else {
        node.firstArgument = 0;
      }
    }
    for (size_t f = 0; f < out.flows.size(); ++f)
      if (!gone[f]) {
        Flow flow = out.flows[f];
        renumber(flow.source);
        renumber(flow.target);
        result.flows.push_back(flow);
      }
    for (const Attribute &attribute : out.attributes)
      if (!attribute.node || !dead[attribute.node.index()]) {
        Attribute kept = attribute;
        renumber(kept.node);
        result.attributes.push_back(kept);
      }
    out = std::move(result);
  }

  const Module &module;
  const Behaviour &choreography;
  ParticipantId peer;
  const Knowledge knowledge;
  std::vector<UntoldChoice> &untold;
  std::vector<UntoldData> &unknown;
  Behaviour out;
  llvm::BitVector silent, dead, hosts, gone, queued;
  llvm::BitVector guarded; ///< choices with a guard that the peer evaluates
  std::vector<SmallVector<uint32_t, 2>> ins, outs;
  std::vector<NodeId> work;
};
} // namespace

Behaviour cif::projectGraph(const Module &module, const Behaviour &choreography,
                            ParticipantId peer,
                            std::vector<UntoldChoice> &untold,
                            std::vector<UntoldData> &unknown) {
  return GraphProjector(module, choreography, peer, untold, unknown).run();
}

Behaviour cif::projectGraph(const Module &module, const Behaviour &choreography,
                            ParticipantId peer,
                            std::vector<UntoldChoice> &untold) {
  std::vector<UntoldData> unknown;
  return projectGraph(module, choreography, peer, untold, unknown);
}
