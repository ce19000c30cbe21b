//===- Animate.cpp - The states of a witness ------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A witness describes a run in words; a drawing needs tokens and queues. The
/// run is repeated, as Replay does it: on the collaboration under the network
/// that the fact names, on peers with their queues, or on the choreography,
/// whichever has a run with these steps. Steps that the witness omits
/// (receptions, where sends are compared) become frames of their own. A fact
/// without a witness has at most the graph of its system.
///
//===----------------------------------------------------------------------===//

#include "cif/Check/Animate.h"
#include "AnimationGraph.h"
#include "Collaboration/Explain.h"
#include "RunSearch.h"
#include "cif/Check/Collaboration/Analyses.h"
#include "cif/Check/Peers/PeerSets.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/IR/Nodes.h"
#include "cif/Semantics/PeerView.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace cif;

namespace {
using State = std::vector<uint32_t>;

/// The run that \p witness tells, where it is not hard to find again: else it
/// is told without its states.
std::optional<std::vector<Taken>>
findRun(const System &system, const Witness &witness, const Limits &limits,
        function_ref<Fit(const Step &step, const WitnessStep &wanted)> match) {
  constexpr size_t maxVisited = 200'000;
  auto fits = [&](const Step &step, uint32_t done) {
    return match(step, witness.steps[done]);
  };
  RunSearch search(system, witness.steps.size(), fits);
  Budget budget(limits);
  auto mayGoOn = [&](size_t states, size_t bytes) {
    return budget.exceeded(states, bytes).empty();
  };
  if (!search.find(maxVisited, mayGoOn, [](const uint32_t *) { return true; }))
    return std::nullopt;
  return search.run();
}

/// Names elements as AnimationToken does.
class ElementNames {
public:
  /// \p explored is \p drawn, or made of it by normalization.
  ElementNames(const Module &drawn, const Module &explored) : module(explored) {
    sameGraph.resize(explored.behaviours.size());
    for (size_t b = 0; b < sameGraph.size(); ++b)
      sameGraph[b] = b < drawn.behaviours.size() &&
                     drawn.behaviours[b].flows.size() ==
                         explored.behaviours[b].flows.size() &&
                     drawn.behaviours[b].nodes.size() ==
                         explored.behaviours[b].nodes.size();
  }

  std::string of(const Origin &origin) const {
    Location loc = originLocation(module, origin);
    if (!loc.element.empty())
      return module.text(loc.element).str();
    if (origin.kind == Origin::Flow) {
      if (sameGraph[origin.unit])
        return "flow:" + std::to_string(origin.unit) + ":" +
               std::to_string(origin.element);
      // One that normalization added: where it leads to, else whence it comes.
      const Flow &flow = module.behaviours[origin.unit].flows[origin.element];
      for (NodeId node : {flow.target, flow.source})
        if (std::string name = of({Origin::Node, origin.unit, node.index()});
            !name.empty())
          return name;
      return "";
    }
    Place place = originPlace(module, origin);
    return place.line ? "@" + std::to_string(place.line) + ":" +
                            std::to_string(place.column)
                      : "";
  }

private:
  const Module &module;
  std::vector<bool> sameGraph; ///< by behaviour
};
} // namespace

static std::vector<AnimationQueue> queuesOf(const System &system,
                                            const State &state) {
  std::vector<AnimationQueue> queues;
  for (TransitQueue &queue : system.transit(state.data()))
    queues.push_back({std::move(queue.name), std::move(queue.messages)});
  return queues;
}

/// The run that \p search finds; none is asked for without a witness.
static std::optional<std::vector<Taken>>
takeRun(const Fact &fact,
        function_ref<std::optional<std::vector<Taken>>()> search) {
  return fact.witness ? search() : std::vector<Taken>();
}

/// The graph of a system that \p run was taken on, and where its frames are.
static void addGraph(const System &system, const GraphWords &words,
                     const Limits &limits, ArrayRef<Taken> run,
                     Animation &animation) {
  std::optional<NumberedGraph> found = graphOf(system, words, limits);
  if (!found)
    return;
  for (size_t i = 0; i < run.size(); ++i)
    if (auto at = found->numbers.find(run[i].after); at != found->numbers.end())
      animation.frames[i].state = at->second;
  animation.graph = std::move(found->graph);
}

/// \p parts with what is in transit.
static std::string joinStateTexts(SmallVector<std::string, 8> parts,
                                  const System &system, const uint32_t *state) {
  for (const TransitQueue &queue : system.transit(state)) {
    std::string text = queue.name.empty() ? "in transit" : queue.name;
    for (const Label &message : queue.messages)
      text +=
          (&message == queue.messages.data() ? ": " : ", ") + message.message;
    if (!queue.messages.empty())
      parts.push_back(std::move(text));
  }
  return llvm::join(parts, "; ");
}

//===----------------------------------------------------------------------===//
// Collaborations
//===----------------------------------------------------------------------===//

static void addTokens(const CollaborationSystem &system, const State &state,
                      const ElementNames &names, AnimationFrame &frame) {
  for (uint32_t f = 0; f < system.flows().size(); ++f)
    if (uint32_t count = system.tokens(state.data(), f))
      frame.addTokens(names.of(system.flows()[f].flow), count,
                      AnimationToken::Moving);
  for (uint32_t e = 0; e < system.elements().size(); ++e) {
    const CollaborationElement &element = system.elements()[e];
    Origin origin{Origin::Node, system.processes()[element.process].behaviour,
                  element.nodes[0]};
    bool holdsOthers = element.kind == CollaborationElement::Container &&
                       element.parts.empty();
    if (!holdsOthers && system.isActive(state.data(), e))
      frame.addTokens(names.of(origin), 1, AnimationToken::Moving);
    if (element.isEnd && !element.isNested)
      frame.addTokens(names.of(origin), system.reached(state.data(), e),
                      AnimationToken::Ended);
    if (element.isStart && !element.isNested &&
        !system.isStarted(state.data(), element.process))
      frame.addTokens(names.of(origin), 1, AnimationToken::Waiting);
  }
}

/// Whether \p word is one of \p words; its number is \p found.
template <typename Kind>
static bool readWord(ArrayRef<StringRef> words, StringRef word, Kind &found) {
  const auto *at = llvm::find(words, word);
  if (at == words.end())
    return false;
  found = static_cast<Kind>(at - words.begin());
  return true;
}

/// What fits on an arrow: `order!`, `order?`, the flow that is chosen, or the
/// element.
static std::string shortStepText(const Module &module,
                                 const CollaborationSystem &system,
                                 const Step &step) {
  const CollaborationStep &meaning = system.step(step.group);
  auto name = [&](uint32_t message) {
    return system.messages()[message].label.message;
  };
  if (meaning.sends != noneOf && step.partner == noGroup &&
      meaning.receives == noneOf)
    return name(meaning.sends) + "!";
  if (meaning.receives != noneOf && meaning.sends == noneOf)
    return name(meaning.receives) + "?";
  if (meaning.sends != noneOf)
    return name(meaning.sends);
  if (!meaning.chosenFlows.empty()) {
    const Origin &flow = system.flows()[meaning.chosenFlows.back()].flow;
    if (Name own = module.behaviours[flow.unit].flows[flow.element].name;
        !own.empty())
      return module.text(own).str();
  }
  const Origin &origin = system.groups().origin(step.group);
  if (origin.kind != Origin::Node)
    return originText(module, origin);
  const Node &node = module.behaviours[origin.unit].nodes[origin.element];
  if (!node.name.empty())
    return module.text(node.name).str();
  return elementKindText(node).str();
}

static std::string stateText(const CollaborationSystem &system,
                             const Explainer &explainer,
                             const uint32_t *state) {
  std::vector<Note> notes;
  explainer.explainWaiting(state, notes);
  SmallVector<std::string, 8> parts;
  for (const CollaborationProcess &process : system.processes()) {
    auto index = static_cast<uint32_t>(&process - system.processes().data());
    if (!system.isStarted(state, index))
      parts.push_back(process.name + " has not started");
    else if (system.isComplete(state, index))
      parts.push_back(process.name + " is complete");
  }
  for (const Note &note : notes)
    parts.push_back(note.text);
  return joinStateTexts(std::move(parts), system, state);
}

static bool animateCollaboration(const Module &module, const Fact &fact,
                                 const Limits &limits, DiagnosticEngine &diags,
                                 Animation &animation) {
  SemanticsOptions options;
  NetworkKind network;
  if (!readWord(semanticsWords(), fact.parameter("semantics"),
                options.semantics) ||
      !readWord(networkWords(), fact.parameter("network"), network))
    return false;
  options.network = network;
  options.runLimits = limits;
  CollaborationAnalyses analyses(module);
  const Module *explored = analyses.module(options.semantics, diags);
  if (!explored)
    return false;
  std::unique_ptr<CollaborationSystem> system =
      makeCollaborationSystem(*explored, options, diags);
  if (!system)
    return false;
  Explainer explainer(*explored, *system);
  // One text for each group and label, however often it is asked for.
  llvm::DenseMap<std::pair<GroupIndex, LabelIndex>, std::string> texts;
  auto textOf = [&](const Step &step) -> const std::string & {
    std::string &text = texts[{step.group, step.label}];
    if (text.empty())
      text = explainer.stepText(step);
    return text;
  };
  auto match = [&](const Step &step, const WitnessStep &wanted) {
    return textOf(step) == wanted.label &&
                   originPlace(*explored,
                               system->groups().origin(step.group)) == wanted.at
               ? Fit::Next
               : Fit::No;
  };
  auto run = takeRun(
      fact, [&] { return findRun(*system, *fact.witness, limits, match); });
  if (!run)
    return false;
  ElementNames names(module, *explored);
  for (size_t i = 0; i < run->size(); ++i) {
    const Taken &taken = (*run)[i];
    AnimationFrame frame{.step = taken.number};
    addTokens(*system, taken.after, names, frame);
    frame.queues = queuesOf(*system, taken.after);
    if (i) { // the first is the initial state
      const CollaborationStep &meaning = system->step(taken.step.group);
      if (meaning.process != noneOf)
        frame.who = system->processes()[meaning.process].name;
      frame.at =
          originPlace(*explored, system->groups().origin(taken.step.group));
      uint32_t message =
          meaning.sends != noneOf ? meaning.sends : meaning.receives;
      if (message != noneOf) {
        frame.action = system->messages()[message].label;
        bool both = network == NetworkKind::Sync ||
                    (meaning.sends != noneOf && meaning.receives != noneOf);
        if (!both)
          frame.action.kind =
              meaning.sends != noneOf ? LabelKind::Send : LabelKind::Receive;
      } else {
        frame.action = system->labels()[taken.step.label];
      }
    }
    animation.frames.push_back(std::move(frame));
  }
  auto shortText = [&](const Step &step) {
    return shortStepText(*explored, *system, step);
  };
  auto inState = [&](const uint32_t *state) {
    return stateText(*system, explainer, state);
  };
  std::string title =
      "the collaboration under " + fact.parameter("network").str();
  if (options.semantics != SemanticsKind::Collaboration)
    title += " (" + fact.parameter("semantics").str() + ")";
  addGraph(*system, {title, shortText, textOf, inState}, limits, *run,
           animation);
  return true;
}

//===----------------------------------------------------------------------===//
// Peers and choreographies
//===----------------------------------------------------------------------===//

/// Whether a step of peers is \p wanted: seen as its send or reception, or as
/// the exchange that the witness tells for its send. Receptions go unseen where
/// the witness tells none.
static std::optional<std::vector<Taken>> findPeerRun(const System &system,
                                                     const Witness &witness,
                                                     const Limits &limits) {
  std::vector<std::array<std::string, 2>> texts; // by label: its own, exchange
  for (const Label &label : system.labels()) {
    Label exchange = label;
    exchange.kind = LabelKind::Exchange;
    bool isSend = label.kind == LabelKind::Send;
    texts.push_back({labelForPeople(label),
                     isSend ? labelForPeople(exchange) : std::string()});
  }
  auto tellsReception = [&](const WitnessStep &step) {
    for (size_t l = 0; l < texts.size(); ++l)
      if (system.labels()[l].kind == LabelKind::Receive &&
          texts[l][0] == step.label)
        return true;
    return false;
  };
  bool sendsOnly = llvm::none_of(witness.steps, tellsReception);
  auto match = [&](const Step &step, const WitnessStep &wanted) {
    if (llvm::is_contained(texts[step.label], wanted.label))
      return Fit::Next;
    return step.label == tauLabel ||
                   (sendsOnly &&
                    system.labels()[step.label].kind == LabelKind::Receive)
               ? Fit::Unseen
               : Fit::No;
  };
  return findRun(system, witness, limits, match);
}

/// Automata with more states are not drawn.
constexpr size_t maxStatesToTell = 300;

/// The place of the interaction that a frame without one belongs to: where the
/// same message was sent.
static void placeReceptions(std::vector<AnimationFrame> &frames,
                            const Witness &witness) {
  std::map<Label, std::vector<Place>> sent;
  for (AnimationFrame &frame : frames) {
    Label exchange = frame.action;
    exchange.kind = LabelKind::Exchange;
    if (frame.step)
      frame.at = witness.steps[*frame.step].at;
    std::vector<Place> &places = sent[exchange];
    if (frame.action.kind == LabelKind::Send) {
      places.push_back(frame.at);
    } else if (frame.action.kind == LabelKind::Receive && !places.empty()) {
      if (!frame.step)
        frame.at = places.front();
      places.erase(places.begin());
    }
  }
}

static void addPeerGraph(const PeerComposition &system,
                         const std::string &subject,
                         const SemanticsOptions &options, const Limits &limits,
                         ArrayRef<Taken> run, Animation &animation) {
  auto text = [&](const Step &step) {
    const Label &label = system.labels()[step.label];
    return labelForPeople(label);
  };
  auto inState = [&](const uint32_t *state) {
    SmallVector<std::string, 8> parts;
    for (size_t p = 0; p < system.view().peers.size(); ++p)
      parts.push_back(system.view().peers[p].name + " in state " +
                      std::to_string(state[p]));
    return joinStateTexts(std::move(parts), system, state);
  };
  std::string title =
      subject + " under " + networkWords()[size_t(*options.network)].str();
  if (options.bound != noBound)
    title += ", bound " + std::to_string(options.bound);
  addGraph(system, {title, text, text, inState}, limits, run, animation);
}

static bool animatePeers(const Module &module, const Fact &fact,
                         const Limits &limits, DiagnosticEngine &diags,
                         Animation &animation) {
  SemanticsOptions options{.semantics = SemanticsKind::Peers,
                           .observe = Observation::Both,
                           .runLimits = limits};
  NetworkKind network;
  bool named = readWord(networkWords(), fact.parameter("network"), network);
  for (const PeerSet &set : peerSets(module, PeersFrom::Any, limits, diags)) {
    if (!set.limit.empty() || !StringRef(fact.subject).starts_with(set.subject))
      continue;
    options.network = named ? network : set.network;
    if (fact.parameter("bound").getAsInteger(10, options.bound))
      options.bound = noBound;
    std::unique_ptr<PeerComposition> system =
        makePeerComposition(set.module, options, diags);
    if (!system)
      continue;
    auto run = takeRun(
        fact, [&] { return findPeerRun(*system, *fact.witness, limits); });
    if (!run)
      continue;
    const PeerView &view = system->view();
    for (size_t i = 0; i < run->size(); ++i) {
      const Taken &taken = (*run)[i];
      AnimationFrame frame{.step = taken.number,
                           .queues = queuesOf(*system, taken.after)};
      // Of what nobody draws, states say nothing.
      for (size_t p = 0; p < view.peers.size() && !set.global; ++p)
        if (view.peers[p].lts->numStates() <= maxStatesToTell)
          frame.addTokens("state:" + view.peers[p].name + ":" +
                              std::to_string(taken.after[p]),
                          1, AnimationToken::Moving);
      if (i) {
        frame.action = system->labels()[taken.step.label];
        frame.who = view.peers[view.peerOf(taken.step.group)].name;
        frame.text = labelForPeople(frame.action);
      }
      animation.frames.push_back(std::move(frame));
    }
    if (fact.witness)
      placeReceptions(animation.frames, *fact.witness);
    addPeerGraph(*system, set.subject, options, limits, *run, animation);
    return true;
  }
  return false;
}

static bool animateChoreography(const Module &module, const Fact &fact,
                                const Limits &limits, DiagnosticEngine &diags,
                                Animation &animation) {
  for (uint32_t b = 0; b < module.behaviours.size(); ++b) {
    const Behaviour &behaviour = module.behaviours[b];
    if (behaviour.kind != BehaviourKind::Choreography ||
        !StringRef(fact.subject)
             .contains("'" + module.text(behaviour.name).str() + "'"))
      continue;
    SemanticsOptions options{.semantics = SemanticsKind::Choreography,
                             .only = {module.text(behaviour.name).str()},
                             .runLimits = limits};
    std::unique_ptr<System> system = makeSystem(module, options, diags);
    if (!system)
      return false;
    auto match = [&](const Step &step, const WitnessStep &wanted) {
      if (labelForPeople(system->labels()[step.label]) == wanted.label)
        return Fit::Next;
      return step.label == tauLabel ? Fit::Unseen : Fit::No;
    };
    auto run = takeRun(
        fact, [&] { return findRun(*system, *fact.witness, limits, match); });
    if (!run)
      return false;
    ElementNames names(module, module);
    for (const Taken &taken : *run) {
      AnimationFrame frame{.step = taken.number};
      for (uint32_t slot = 0; slot < system->width(); ++slot)
        if (Origin origin = system->slotOrigin(slot);
            origin.kind == Origin::Flow)
          frame.addTokens(names.of(origin), taken.after[slot],
                          AnimationToken::Moving);
      if (!animation.frames.empty()) {
        frame.action = system->labels()[taken.step.label];
        frame.at =
            originPlace(module, system->groups().origin(taken.step.group));
        frame.text =
            originText(module, system->groups().origin(taken.step.group));
      }
      animation.frames.push_back(std::move(frame));
    }
    auto text = [&](const Step &step) {
      return labelForPeople(system->labels()[step.label]);
    };
    auto inState = [&](const uint32_t *state) {
      return system->describe(state);
    };
    addGraph(
        *system,
        {"choreography '" + options.only.front() + "'", text, text, inState},
        limits, *run, animation);
    return true;
  }
  return false;
}

/// The steps alone, read back from their texts.
static void tellSteps(const Module &module, const Witness &witness,
                      Animation &animation) {
  llvm::StringMap<Label> known;
  for (const Message &message : module.messages)
    for (LabelKind kind :
         {LabelKind::Exchange, LabelKind::Send, LabelKind::Receive}) {
      Label label{kind, module.participantName(message.sender).str(),
                  module.participantName(message.receiver).str(),
                  module.text(message.name).str()};
      known.try_emplace(labelForPeople(label), label);
    }
  animation.frames.emplace_back();
  for (size_t i = 0; i < witness.steps.size(); ++i) {
    AnimationFrame frame{.step = static_cast<uint32_t>(i),
                         .at = witness.steps[i].at};
    if (auto at = known.find(witness.steps[i].label); at != known.end()) {
      frame.action = at->second;
      frame.who = frame.action.kind == LabelKind::Receive
                      ? frame.action.receiver
                      : frame.action.sender;
    }
    animation.frames.push_back(std::move(frame));
  }
}

/// On the first kind of system that has it.
static bool animateStates(const Module &module, const Fact &fact,
                          const Limits &limits, Animation &animation) {
  Limits small = limits;
  small.maxStates = std::min<uint64_t>(
      limits.maxStates ? limits.maxStates : UINT64_MAX, 200'000);
  small.progress = nullptr;
  SourceManager sources;
  DiagnosticCollector quiet; // what is to be said was said by the check
  DiagnosticEngine diags(sources, quiet);
  using Attempt = decltype(&animatePeers);
  SmallVector<Attempt, 3> attempts = {animateCollaboration, animatePeers,
                                      animateChoreography};
  if (fact.property == "structure") // of the graph, not of its parts
    attempts = {animateChoreography};
  for (Attempt attempt : attempts) {
    animation.frames.clear();
    if (attempt(module, fact, small, diags, animation))
      return true;
  }
  animation.frames.clear();
  return false;
}

Animation cif::animate(const Module &module, const Fact &fact,
                       const Limits &limits) {
  Animation animation;
  if (!fact.witness)
    return animation;
  const std::string &kind = fact.witness->kind;
  animation.hasStates = (kind == "trace" || kind == "lasso") &&
                        animateStates(module, fact, limits, animation);
  if (!animation.hasStates)
    tellSteps(module, *fact.witness, animation);
  return animation;
}

std::optional<AnimationGraph> cif::graphOfSystem(const Module &module,
                                                 const Fact &fact,
                                                 const Limits &limits) {
  Fact question = fact;
  question.witness.reset();
  Limits small = limits;
  small.maxStates = maxGraphStates;
  Animation animation;
  animateStates(module, question, small, animation);
  return std::move(animation.graph);
}
