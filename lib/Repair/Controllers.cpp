//===- Controllers.cpp - Distributed controllers --------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: [verchor], Def. 9 and 10 and Fig. 13; the refinement by
/// counterexamples is that of [guedemann12]. Input class: choreographies
/// whose LTS is finite.
///
/// Controllers are projections of the choreography with the
/// synchronisations in it, to what the controller takes part in: messages
/// from its peer, their forwarding, and synchronisations. A controller
/// receives a message from its peer only when it may forward it, so that a
/// peer that could receive instead still can.
///
/// Why more synchronisations never hurt: let S be a subset of T. A run of
/// the controllers for T, without the synchronisations outside S, is for
/// each controller a word of its controller for S, because a
/// synchronisation on a flow changes no weak trace of the choreography. So
/// controlled peers with T do nothing that those with S do not. And they do
/// everything that the choreography does, because its own run is a run of
/// every projection. Hence S is sufficient if and only if the peers
/// controlled by S send nothing that the choreography does not, and then
/// every superset is sufficient. So to show that no proper subset is
/// sufficient, leaving out one element at a time is sufficient.
///
/// Sound: the caller checks the result again, by the same checks as any
/// peers. Complete for choreographies that are repairable in the strict
/// sense [verchor, Def. 8]: if every interaction waits for those before it,
/// whoever sends them, each controller knows the state of the choreography.
/// If a choice between senders is an interleaving, it is complete for
/// parallel gateways, but not for every flattened LTS.
///
/// Differs from the paper: counterexamples give the sets that a solution
/// must hit instead of one synchronisation each, so that the number found
/// is minimal. (Choreographies with many states are refined as in the
/// paper, and what is not necessary is dropped, so that no proper subset is
/// sufficient.) Peers that take part in no synchronisation have no
/// controller, because it would only forward messages.
///
//===----------------------------------------------------------------------===//

#include "cif/Repair/Controllers.h"
#include "cif/Equivalence/Minimize.h"
#include "cif/IR/Builder.h"
#include "cif/LTS/LtsBuilder.h"
#include "cif/Repair/ExtraSends.h"
#include "cif/Support/ArrayPool.h"
#include <map>

using namespace cif;

const Architecture::Controlled *Architecture::find(StringRef peer) const {
  for (const Controlled &c : controllers)
    if (c.peer == peer)
      return &c;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// The choreography with controllers
//===----------------------------------------------------------------------===//

static std::string freshParticipant(const Module &module, StringRef base) {
  std::string name = base.str();
  for (unsigned i = 2; module.findParticipant(name); ++i)
    name = (base + "_" + Twine(i)).str();
  return name;
}

namespace {
class ArchitectureBuilder {
public:
  ArchitectureBuilder(const Module &from) : module(result.module) {
    module = from.clone();
    module.systems.clear();
    module.messageFlows.clear();
    module.facts.clear();
    names.emplace(module);
  }
  Architecture build(const Behaviour &choreography,
                     ArrayRef<Synchronisation> chosen);

private:
  /// The message from a peer to its controller, and from there on.
  using Way = std::pair<MessageId, MessageId>;

  ParticipantId controller(ParticipantId peer);
  void handshake(MessageId id) {
    result.handshakes.push_back(
        labelText(module.label(LabelKind::Exchange, id)));
  }
  void addSynchronisation(const Synchronisation &chosen);
  Way makeWay(MessageId whole, ParticipantId controller);
  static void passOn(Behaviour &graph, ArrayRef<FlowId> outgoing, NodeId taken,
                     Way way);

  Architecture result;
  Module &module;
  std::optional<FreshMessageNames> names;
  std::map<ParticipantId, ParticipantId> controllerOf;
};
} // namespace

ParticipantId ArchitectureBuilder::controller(ParticipantId peer) {
  auto [at, isNew] = controllerOf.try_emplace(peer);
  if (isNew) {
    std::string name = freshParticipant(
        module, (module.participantName(peer) + "_controller").str());
    at->second = module.getParticipant(module.intern(name),
                                       module.participant(peer).loc);
    result.controllers.push_back({module.participantName(peer).str(), name});
  }
  return at->second;
}

void ArchitectureBuilder::addSynchronisation(const Synchronisation &chosen) {
  ParticipantId sender = controller(chosen.from),
                receiver = controller(chosen.to);
  std::string name =
      names->make("sync" + std::to_string(result.synchronisations.size() + 1));
  MessageId id = module.getMessage(module.intern(name), sender, receiver);
  result.synchronisations.push_back(id);
  handshake(id);
  Label peers{LabelKind::Exchange, module.participantName(chosen.from).str(),
              module.participantName(chosen.to).str(), name};
  result.labels.push_back({peers, module.label(LabelKind::Exchange, id)});
}

/// Two messages of one name to different receivers must not become one.
ArchitectureBuilder::Way
ArchitectureBuilder::makeWay(MessageId whole, ParticipantId controller) {
  Message m = module.message(whole);
  Name local = m.name;
  for (const Message &other : module.messages)
    if (other.name == m.name && other.sender == m.sender &&
        other.receiver == controller)
      local = module.intern(names->make(
          (module.text(m.name) + "_to_" + module.participantName(m.receiver))
              .str()));
  auto make = [&](Name name, ParticipantId sender, ParticipantId receiver) {
    MessageId id = module.getMessage(name, sender, receiver, m.loc);
    module.messages[id.index()].fields = m.fields;
    return id;
  };
  MessageId taken = make(local, m.sender, controller),
            passedOn = make(m.name, controller, m.receiver);
  handshake(taken);
  result.passed.push_back({module.label(LabelKind::Exchange, whole),
                           module.label(LabelKind::Exchange, taken),
                           module.label(LabelKind::Exchange, passedOn)});
  return {taken, passedOn};
}

/// Parts the interaction \p taken into the two of \p way.
void ArchitectureBuilder::passOn(Behaviour &graph, ArrayRef<FlowId> outgoing,
                                 NodeId taken, Way way) {
  NodeId passedOn(graph.nodes.size());
  graph.nodes.push_back(Node(graph.node(taken)));
  graph.node(taken).message = way.first;
  graph.node(passedOn).message = way.second;
  // It carries what has been taken, and no other values.
  graph.node(passedOn).flags &= ~BindsArguments;
  for (FlowId f : outgoing)
    graph.flow(f).source = passedOn;
  Flow between{
      .source = taken, .target = passedOn, .loc = graph.node(taken).loc};
  between.loc.element = {};
  graph.flows.push_back(between);
}

Architecture ArchitectureBuilder::build(const Behaviour &choreography,
                                        ArrayRef<Synchronisation> chosen) {
  for (const Synchronisation &one : chosen)
    addSynchronisation(one);
  Behaviour graph =
      insertSynchronisations(choreography, chosen, result.synchronisations);

  // Every message of a controlled peer goes by way of its controller.
  std::map<MessageId, Way> ways;
  FlowIndex index(graph);
  for (size_t n = 0; n < choreography.nodes.size(); ++n) {
    if (graph.nodes[n].kind != NodeKind::Interaction)
      continue;
    MessageId whole = graph.nodes[n].message;
    auto controlled = controllerOf.find(module.message(whole).sender);
    if (controlled == controllerOf.end())
      continue;
    auto [way, isNew] = ways.try_emplace(whole);
    if (isNew)
      way->second = makeWay(whole, controlled->second);
    passOn(graph, index.outgoing(NodeId(n)), NodeId(n), way->second);
  }
  module.behaviours.clear();
  module.behaviours.push_back(std::move(graph));
  return std::move(result);
}

Architecture cif::makeArchitecture(const Module &from,
                                   const Behaviour &choreography,
                                   ArrayRef<Synchronisation> chosen) {
  return ArchitectureBuilder(from).build(choreography, chosen);
}

//===----------------------------------------------------------------------===//
// A peer with its controller
//===----------------------------------------------------------------------===//

namespace {
/// The product of a peer with its controller: what the peer sends the
/// controller takes, silently; the rest each does on its own. A controller does
/// not look at what messages carry: it passes on the values that it took.
class ControlledPeer {
public:
  ControlledPeer(const Lts &peer, const Lts &controller,
                 const Architecture &architecture)
      : peer(peer), controller(controller), architecture(architecture) {}
  /// Not whole if \p budget stops it.
  Lts make(Budget &budget);

private:
  static constexpr uint32_t alone = UINT32_MAX, never = UINT32_MAX - 1;

  uint32_t wayOf(const Label &sent) const;
  void findLabels();
  void addSteps(StateIndex s);

  const Lts &peer, &controller;
  const Architecture &architecture;
  LtsBuilder builder;
  /// Of each label of the peer: the controller's label that it needs, or none;
  /// of what the controller takes, the label that it shows in passing it on.
  std::vector<LabelIndex> needs, shows;
  std::vector<uint32_t> way; ///< of each label of the peer, in `passed`
  /// Of each label of the controller: whether it takes something from the peer,
  /// what it shows, and what it passes on, in `passed`.
  std::vector<bool> takes;
  std::vector<LabelIndex> showsController;
  std::vector<uint32_t> passesOn;
  /// A state of each, and the labels of the peer that were taken and not yet
  /// passed on.
  ArrayPool<uint32_t> states;
};
} // namespace

/// On which way \p sent goes, which may show values behind the message's name.
uint32_t ControlledPeer::wayOf(const Label &sent) const {
  uint32_t found = alone;
  for (const auto &[i, p] : llvm::enumerate(architecture.passed)) {
    if (p.message.sender != sent.sender || p.message.receiver != sent.receiver)
      continue;
    StringRef values = sent.message;
    if (!values.consume_front(p.message.message))
      continue;
    if (values.empty())
      return static_cast<uint32_t>(i);
    if (values.front() == '(' && values.back() == ')' &&
        (found == alone ||
         p.message.message.size() >
             architecture.passed[found].message.message.size()))
      found = static_cast<uint32_t>(i);
  }
  return found;
}

void ControlledPeer::findLabels() {
  auto exchange = [](Label label) {
    label.kind = LabelKind::Exchange;
    return labelText(label);
  };
  llvm::StringMap<LabelIndex> ofController;
  for (LabelIndex l = 1; l < controller.labels.size(); ++l)
    ofController[exchange(controller.labels[l])] = l;
  needs.assign(peer.labels.size(), alone);
  shows.assign(peer.labels.size(), tauLabel);
  way.assign(peer.labels.size(), alone);
  for (LabelIndex l = 1; l < peer.labels.size(); ++l) {
    shows[l] = builder.labels.intern(peer.labels[l]);
    if (peer.labels[l].kind == LabelKind::Send)
      way[l] = wayOf(peer.labels[l]);
    if (way[l] == alone)
      continue;
    auto at = ofController.find(labelText(architecture.passed[way[l]].local));
    needs[l] = at == ofController.end() ? never : at->second;
  }
  takes.assign(controller.labels.size(), false);
  showsController.assign(controller.labels.size(), tauLabel);
  passesOn.assign(controller.labels.size(), alone);
  for (const auto &[i, p] : llvm::enumerate(architecture.passed)) {
    if (auto at = ofController.find(labelText(p.local));
        at != ofController.end())
      takes[at->second] = true;
    if (auto at = ofController.find(labelText(p.remote));
        at != ofController.end())
      passesOn[at->second] = static_cast<uint32_t>(i);
  }
  for (const auto &[peers, controllers] : architecture.labels)
    if (auto at = ofController.find(labelText(controllers));
        at != ofController.end()) {
      Label label = peers;
      label.kind = controller.labels[at->second].kind;
      showsController[at->second] = builder.labels.intern(label);
    }
}

void ControlledPeer::addSteps(StateIndex s) {
  const std::vector<uint32_t> state(states[s].begin(), states[s].end());
  const StateIndex p = state[0], c = state[1];
  auto step = [&](LabelIndex label, const std::vector<uint32_t> &to) {
    builder.add(s, label, states.intern(to));
  };
  for (size_t t = 0; t < peer.labelsOf(p).size(); ++t) {
    LabelIndex l = peer.labelsOf(p)[t];
    std::vector<uint32_t> next = state;
    next[0] = peer.targetsOf(p)[t];
    if (needs[l] == alone)
      step(shows[l], next);
    else
      next.push_back(l);
    for (size_t u = 0; u < controller.labelsOf(c).size(); ++u)
      if (controller.labelsOf(c)[u] == needs[l]) {
        next[1] = controller.targetsOf(c)[u];
        step(tauLabel, next);
      }
  }
  for (size_t u = 0; u < controller.labelsOf(c).size(); ++u) {
    const LabelIndex l = controller.labelsOf(c)[u];
    if (takes[l])
      continue;
    std::vector<uint32_t> next = state;
    next[1] = controller.targetsOf(c)[u];
    if (passesOn[l] == alone) {
      step(showsController[l], next);
      continue;
    }
    // The first one on this way that it has taken.
    auto taken = std::find_if(next.begin() + 2, next.end(), [&](uint32_t sent) {
      return way[sent] == passesOn[l];
    });
    if (taken == next.end())
      continue;
    const LabelIndex sent = *taken;
    next.erase(taken);
    step(shows[sent], next);
  }
}

Lts ControlledPeer::make(Budget &budget) {
  findLabels();
  states.intern({peer.initial, controller.initial});
  for (StateIndex s = 0; s < states.size() && !budget.spend(); ++s)
    addSteps(s);
  return std::move(builder).finish(0, states.size());
}

Outcome<ControlledPeers> cif::controlledPeers(const Architecture &architecture,
                                              const Lts &global,
                                              const Limits &limits,
                                              DiagnosticEngine &diags) {
  using Result = Outcome<ControlledPeers>;
  Outcome<GlobalLts> whole =
      globalLts(architecture.module, {false, 0}, limits, diags);
  if (!whole)
    return Result::without(whole);
  ControlledPeers result;
  for (const auto &[peers, controllers] : architecture.labels)
    result.handshakes.push_back(labelText(peers));
  Budget budget(limits);
  for (const std::string &name : peerNamesOf(global)) {
    Outcome<Lts> lts = projectLts(global, name, budget);
    if (!lts)
      return Result::without(lts);
    if (const Architecture::Controlled *c = architecture.find(name)) {
      Outcome<Lts> controller = projectLts(whole->lts, c->controller, budget);
      if (!controller)
        return Result::without(controller);
      lts->finals = {}; // termination is not compared
      const Lts both =
          ControlledPeer(*lts, *controller, architecture).make(budget);
      if (budget.stopped())
        return Stopped{budget.limit()};
      lts = minimizeWithin(both, Relation::WeakTrace, budget);
      if (!lts)
        return Result::without(lts);
    }
    SystemDecl decl{.name = result.module.intern(name)};
    decl.owner = result.module.getParticipant(decl.name);
    decl.role = SystemRole::Peer;
    decl.lts = std::move(*lts);
    result.module.systems.push_back(std::move(decl));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Synthesis
//===----------------------------------------------------------------------===//

namespace {
class Synthesis {
public:
  Synthesis(const Module &from, const Behaviour &choreography,
            const Lts &globalLts, const SynchronizabilityOptions &of,
            DiagnosticEngine &engine)
      : module(from), graph(choreography), global(globalLts), options(of),
        diags(engine) {}

  std::optional<Controllers> run() {
    Controllers result;
    for (const Node &node : graph.nodes)
      if ((node.message || node.reply) &&
          (node.kind != NodeKind::Interaction || node.reply)) {
        result.limit = "message events are not covered";
        return result;
      }
    Lts open = global;
    open.finals = {};
    Budget budget(options.limits);
    Outcome<Lts> minimal = minimizeWithin(open, Relation::WeakTrace, budget);
    if (!minimal) {
      result.limit = minimal.limit();
      return result;
    }
    spec = std::move(*minimal);
    all = findSynchronisations(module, graph, Tellers::Senders, budget);
    if (budget.stopped()) {
      result.limit = budget.limit();
      return result;
    }
    result.candidates = static_cast<uint32_t>(all.size());
    // Nothing to tell may be enough.
    if (SetAnswer none = ask({}); none.kind == SetAnswer::Enough) {
      result.search.kind = none.kind;
      result.search.fewest = true;
      return result;
    }
    if (failed)
      return std::nullopt;
    result.search = smallestSet(
        result.candidates, [&](ArrayRef<uint32_t> set) { return ask(set); });
    if (failed)
      return std::nullopt;
    for (uint32_t c : result.search.chosen)
      result.chosen.push_back(all[c]);
    if (result.search.kind == SetAnswer::Unknown)
      result.limit = result.search.last.limit;
    return result;
  }

private:
  /// The sender of the last of \p trace was too early: tell it of what comes
  /// before and has not happened, as [guedemann12] does.
  std::optional<uint32_t> refine(ArrayRef<uint32_t> set,
                                 ArrayRef<Label> trace) const {
    std::optional<uint32_t> best;
    unsigned bestFits = 0;
    for (uint32_t c = 0; c < all.size(); ++c) {
      const Synchronisation &sync = all[c];
      if (module.participantName(sync.to) != trace.back().sender ||
          llvm::is_contained(set, c))
        continue;
      auto label = [&](NodeId n) {
        return module.label(LabelKind::Exchange, graph.node(n).message);
      };
      unsigned fits = 1 + 2 * (label(sync.after) == trace.back()) +
                      !llvm::is_contained(trace, label(sync.before));
      if (fits > bestFits) {
        best = c;
        bestFits = fits;
      }
    }
    return best;
  }

  SetAnswer ask(ArrayRef<uint32_t> set) {
    SetAnswer answer;
    std::vector<Synchronisation> chosen;
    for (uint32_t c : set)
      chosen.push_back(all[c]);
    Architecture architecture = makeArchitecture(module, graph, chosen);
    Outcome<ControlledPeers> peers =
        controlledPeers(architecture, global, options.limits, diags);
    if (!peers) {
      answer.limit = peers.limit();
      failed = peers.isFailed();
      return answer;
    }
    std::optional<SetAnswer> found =
        sendsWithin(peers->module, peers->handshakes, spec, options, diags);
    failed |= !found;
    return found.value_or(answer);
  }

  const Module &module;
  const Behaviour &graph;
  const Lts &global;
  const SynchronizabilityOptions &options;
  DiagnosticEngine &diags;
  Lts spec;
  std::vector<Synchronisation> all;
  bool failed = false;
};
} // namespace

std::optional<Controllers> cif::synthesizeControllers(
    const Module &module, const Behaviour &graph, const Lts &global,
    const SynchronizabilityOptions &options, DiagnosticEngine &diags) {
  return Synthesis(module, graph, global, options, diags).run();
}
