//===- Explain.cpp - Runs and states of collaborations for people ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/IR/Nodes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <deque>

using namespace cif;

static std::string inQuotes(StringRef text) { return "'" + text.str() + "'"; }

Explainer::Explainer(const Module &of, const CollaborationSystem &by)
    : module(of), system(by) {
  for (auto [number, flow] : llvm::enumerate(by.flows()))
    flowNumbers[{flow.flow.unit, flow.flow.element}] =
        static_cast<uint32_t>(number);
  for (const CollaborationProcess &process : by.processes()) {
    const Behaviour &b = of.behaviours[process.behaviour];
    for (uint32_t n = 0; n < b.nodes.size(); ++n)
      if (Name element = b.nodes[n].loc.element; !element.empty())
        firstNodes.try_emplace({process.behaviour, element.index()}, n);
  }
}

NodeId Explainer::mainNode(uint32_t behaviour, NodeId node) const {
  const Node &n = module.behaviours[behaviour].node(node);
  if (!n.name.empty() || n.loc.element.empty())
    return node;
  auto first = firstNodes.find({behaviour, n.loc.element.index()});
  return first == firstNodes.end() ? node : NodeId(first->second);
}

/// Whether \p node is not drawn and holds what is in a process or sub-process.
bool Explainer::standsFor(uint32_t behaviour, NodeId node) const {
  const Behaviour &b = module.behaviours[behaviour];
  const Node &n = b.node(node);
  return n.kind == NodeKind::Container && !n.loc.element.empty() &&
         (n.loc.element == b.loc.element || mainNode(behaviour, node) != node);
}

/// What texts have in place of gateways, which have neither names nor ids.
static StringRef textKindText(NodeKind kind) {
  switch (kind) {
  case NodeKind::Choice:
  case NodeKind::DominatedChoice:
  case NodeKind::EventChoice:
    return "a choice";
  case NodeKind::SubsetSelect:
    return "an inclusive choice";
  case NodeKind::SimpleJoin:
    return "a merge";
  case NodeKind::AllSelect:
    return "a parallel split";
  case NodeKind::AllJoin:
    return "a parallel join";
  case NodeKind::SubsetJoin:
    return "an inclusive join";
  default:
    return "";
  }
}

std::string Explainer::nodeText(uint32_t behaviour, NodeId node) const {
  const Behaviour &b = module.behaviours[behaviour];
  node = mainNode(behaviour, node);
  NodeId task = taskOf(b, node);
  const Node &n = b.node(task ? task : node);
  Name name = n.name.empty() ? n.loc.element : n.name;
  if (StringRef kind = textKindText(n.kind); name.empty() && !kind.empty())
    return kind.str();
  // What holds a process that has event sub-processes stands for it.
  if (n.kind == NodeKind::Container && !n.loc.element.empty() &&
      n.loc.element == b.loc.element)
    return "process " + inQuotes(module.text(b.name));
  // An event on what holds a scope starts an event sub-process of it.
  const bool startsHandler = n.kind == NodeKind::Boundary && n.attachedTo &&
                             standsFor(behaviour, n.attachedTo);
  return (task || isTaskOfSteps(b, node) ? "task"
          : startsHandler                ? "start event"
                                         : elementKindText(n).str()) +
         (name.empty() ? "" : " " + inQuotes(module.text(name)));
}

std::string Explainer::originName(const Origin &origin) const {
  return origin.kind == Origin::Node
             ? nodeText(origin.unit, NodeId(origin.element))
             : originText(module, origin);
}

std::string Explainer::processText(uint32_t process) const {
  const std::string &name = system.processes()[process].name;
  return system.processes().size() > 1 && !name.empty()
             ? " of " + inQuotes(name)
             : "";
}

std::string Explainer::elementText(uint32_t element) const {
  const CollaborationElement &e = system.elements()[element];
  return nodeText(system.processes()[e.process].behaviour, NodeId(e.nodes[0])) +
         processText(e.process);
}

Place Explainer::elementPlace(uint32_t element) const {
  const CollaborationElement &e = system.elements()[element];
  return originPlace(
      module,
      {Origin::Node, system.processes()[e.process].behaviour, e.nodes[0]});
}

std::string Explainer::flowText(uint32_t flow) const {
  const Origin &origin = system.flows()[flow].flow;
  const Behaviour &b = module.behaviours[origin.unit];
  const Flow &f = b.flows[origin.element];
  if (!f.name.empty())
    return "flow " + inQuotes(module.text(f.name));
  if (mainNode(origin.unit, f.source) == mainNode(origin.unit, f.target))
    return "the inside of " + nodeText(origin.unit, f.source);
  return "the flow from " + nodeText(origin.unit, f.source) + " to " +
         nodeText(origin.unit, f.target);
}

Place Explainer::flowPlace(uint32_t flow) const {
  return originPlace(module, system.flows()[flow].flow);
}

std::string Explainer::messageText(uint32_t message) const {
  return labelForPeople(system.messages()[message].label);
}

/// A step that exchanges a message with nobody in particular.
std::string Explainer::outsideText(const Step &step) const {
  const Label &label = system.labels()[step.label];
  const Origin &origin = system.groups().origin(step.group);
  const CollaborationStep &meaning = system.step(step.group);
  std::string text = originName(origin);
  if (meaning.process != noneOf)
    text += processText(meaning.process);
  const Node &node = module.behaviours[origin.unit].nodes[origin.element];
  // A message without a name is called after its element.
  const bool hasName = module.text(node.name) != label.message &&
                       module.text(node.loc.element) != label.message;
  const std::string what =
      hasName ? inQuotes(label.message) : std::string("a message");
  return text + (label.sender.empty()
                     ? " receives " + what + " from the environment"
                     : " sends " + what + " to the environment");
}

std::string Explainer::wayText(uint32_t flow) const {
  const Origin &origin = system.flows()[flow].flow;
  const Flow &f = module.behaviours[origin.unit].flows[origin.element];
  return f.name.empty() ? "the flow to " + nodeText(origin.unit, f.target)
                        : flowText(flow);
}

std::string Explainer::waysText(GroupIndex group, const Origin &node) const {
  SmallVector<std::string, 4> texts;
  const Behaviour &b = module.behaviours[node.unit];
  for (auto [number, flow] : llvm::enumerate(system.flows()))
    if (flow.flow.unit == node.unit &&
        b.flows[flow.flow.element].source.index() == node.element &&
        llvm::is_contained(system.groups().ownWrites(group), flow.slot))
      texts.push_back(wayText(static_cast<uint32_t>(number)));
  return llvm::join(texts, " and ");
}

/// Nodes that the front end adds stand for their element.
std::string Explainer::addedText(const Origin &origin,
                                 const CollaborationStep &meaning,
                                 const std::string &text) const {
  const Behaviour &b = module.behaviours[origin.unit];
  const NodeId id(origin.element);
  const Node &node = b.node(id);
  const NodeId main = mainNode(origin.unit, id);
  const NodeId task = taskOf(b, id);
  if (task) {
    if (!hasTrait(node.kind, NodeTraits::Step))
      return text + " goes on";
    if (meaning.starts && !meaning.completes)
      return text + (node.kind == NodeKind::Send      ? " is about to send"
                     : node.kind == NodeKind::Receive ? " is about to receive"
                                                      : " starts");
    return "";
  }
  if (standsFor(origin.unit, id))
    return text + " goes on";
  if (main == id)
    return "";
  switch (node.kind) {
  case NodeKind::Initial:
    return (node.parent ? nodeText(origin.unit, node.parent)
                        : "process " + inQuotes(module.text(b.name))) +
           (meaning.process == noneOf ? "" : processText(meaning.process)) +
           (node.parent ? " begins" : " starts");
  case NodeKind::SimpleJoin:
    return "a token comes to " + text;
  case NodeKind::Final:
    return node.parent == main ? text + " comes to its end"
                               : "a token ends after " + text;
  case NodeKind::Throw:
    return text + " goes on";
  default:
    return meaning.starts || meaning.completes ? "" : text + " goes on";
  }
}

/// Which element does what.
std::string Explainer::silentText(const Step &step) const {
  const Origin &origin = system.groups().origin(step.group);
  const CollaborationStep &meaning = system.step(step.group);
  std::string text = originName(origin);
  if (text.empty())
    text = "an internal step";
  if (meaning.process != noneOf)
    text += processText(meaning.process);
  if (!meaning.finds.empty()) {
    for (auto [number, process] : llvm::enumerate(system.processes()))
      if (process.behaviour == origin.unit)
        text += processText(static_cast<uint32_t>(number));
    return text + " finds " + meaning.finds;
  }
  if (meaning.sends != noneOf)
    return text + " sends " + messageText(meaning.sends);
  if (meaning.receives != noneOf)
    return text + " receives " + messageText(meaning.receives);
  if (!meaning.chosenFlows.empty() && meaning.passedChoices.empty())
    return text + " takes " + wayText(meaning.chosenFlows.back());
  if (origin.kind != Origin::Node)
    return text;
  if (std::string added = addedText(origin, meaning, text); !added.empty())
    return added;
  const Behaviour &b = module.behaviours[origin.unit];
  const Node &node = b.node(NodeId(origin.element));
  if (node.kind == NodeKind::Final || node.kind == NodeKind::Throw)
    for (uint32_t other : meaning.alsoStarts)
      if (const Node &by = b.node(NodeId(system.elements()[other].nodes[0]));
          by.kind == NodeKind::Boundary && by.trigger == node.trigger)
        return text + " is caught by " + elementText(other);
  if (node.kind == NodeKind::SubsetSelect)
    if (std::string ways = waysText(step.group, origin); !ways.empty())
      return text + " takes " + ways;
  if (node.kind == NodeKind::Final || node.kind == NodeKind::Terminate)
    return text + " is reached";
  if (hasTrait(node.kind, NodeTraits::Event))
    return text + " occurs";
  if (meaning.starts || meaning.completes)
    return text + (!meaning.completes ? " starts"
                   : !meaning.starts  ? " completes"
                                      : " runs");
  return text + " is passed";
}

/// A visible step is its exchange.
std::string Explainer::stepText(const Step &step) const {
  if (step.label == tauLabel)
    return silentText(step);
  const Label &label = system.labels()[step.label];
  if (step.partner == noGroup &&
      system.groups().origin(step.group).kind == Origin::Node &&
      (label.sender.empty() || label.receiver.empty()))
    return outsideText(step);
  return labelForPeople(label);
}

Witness Explainer::witness(const Exploration &ex, ArrayRef<RunStep> run,
                           size_t loopStart) const {
  Witness witness;
  witness.kind = loopStart == SIZE_MAX ? "trace" : "lasso";
  for (const RunStep &taken : run) {
    WitnessStep step;
    step.label = stepText(taken.step);
    step.at = originPlace(module, system.groups().origin(taken.step.group));
    step.note = takerText(taken.step);
    witness.steps.push_back(std::move(step));
  }
  if (loopStart != SIZE_MAX)
    witness.loopStart = static_cast<uint32_t>(loopStart);
  if (!run.empty()) {
    std::string &note = witness.steps.back().note;
    note += (note.empty() ? "" : "; ") + ex.describe(run.back().to);
  }
  return witness;
}

/// Which element receives, where the step is shown as an exchange.
std::string Explainer::takerText(const Step &step) const {
  const CollaborationStep &meaning = system.step(step.group);
  if (step.label == tauLabel || step.partner != noGroup ||
      meaning.receives == noneOf || meaning.isEnvironment)
    return "";
  return "received by " + originName(system.groups().origin(step.group));
}

namespace {
/// Who made the tokens of a run: by step, the steps that made what it takes.
class TokenHistory {
public:
  TokenHistory(const CollaborationSystem &system, const Exploration &ex,
               ArrayRef<RunStep> run)
      : takenFrom(run.size()) {
    SmallVector<uint32_t, 64> slots;
    for (const CollaborationProcess &process : system.processes())
      slots.append(process.tokens.begin(), process.tokens.end());
    for (uint32_t k = 0; k < run.size(); ++k) {
      std::vector<uint32_t> before = ex.vectorOf(run[k].from),
                            after = ex.vectorOf(run[k].to);
      for (uint32_t slot : slots) {
        std::deque<uint32_t> &there = makers[slot];
        for (uint32_t i = after[slot]; i < before[slot] && !there.empty();
             ++i) {
          takenFrom[k].push_back(there.front());
          there.pop_front();
        }
        for (uint32_t i = before[slot]; i < after[slot]; ++i)
          there.push_back(k);
      }
    }
  }

  /// The steps that made the tokens that \p slot has in the end.
  ArrayRef<uint32_t> makersOf(uint32_t slot) {
    last.assign(makers[slot].begin(), makers[slot].end());
    return last;
  }
  ArrayRef<uint32_t> makersOfTaken(uint32_t step) const {
    return takenFrom[step];
  }
  /// The last step that both stem from, or noneOf.
  uint32_t parting(ArrayRef<uint32_t> one, ArrayRef<uint32_t> other) const {
    std::vector<bool> first = before(one), second = before(other);
    for (uint32_t k = first.size(); k-- > 0;)
      if (first[k] && second[k])
        return k;
    return noneOf;
  }

private:
  std::vector<bool> before(ArrayRef<uint32_t> steps) const {
    std::vector<bool> seen(takenFrom.size());
    SmallVector<uint32_t, 16> work(steps.begin(), steps.end());
    while (!work.empty()) {
      uint32_t k = work.pop_back_val();
      if (seen[k])
        continue;
      seen[k] = true;
      work.append(takenFrom[k].begin(), takenFrom[k].end());
    }
    return seen;
  }

  std::vector<SmallVector<uint32_t, 2>> takenFrom;
  llvm::DenseMap<uint32_t, std::deque<uint32_t>> makers; ///< by slot
  SmallVector<uint32_t, 4> last;
};
} // namespace

/// How the step of \p group makes two tokens of one.
std::string Explainer::partingText(GroupIndex group) const {
  const Origin &origin = system.groups().origin(group);
  const Behaviour &b = module.behaviours[origin.unit];
  const Node &node = b.node(NodeId(origin.element));
  const uint32_t process = system.step(group).process;
  const std::string text =
      originName(origin) + (process == noneOf ? "" : processText(process));
  if (node.kind == NodeKind::Boundary)
    return "the second token comes from " + text +
           ", which does not interrupt " +
           nodeText(origin.unit, node.attachedTo);
  // A node that was added inside of its element, or before it.
  auto isOfElement = [&](NodeId other) {
    return other && b.node(other).loc.element == node.loc.element &&
           !node.loc.element.empty();
  };
  const bool isAdded =
      mainNode(origin.unit, NodeId(origin.element)).index() != origin.element;
  if (isOfElement(node.parent))
    return "the tokens are of two instances of " + text;
  if (!isAdded && hasTrait(node.kind, NodeTraits::Gateway))
    return "the tokens part at " + text;
  const FlowIndex index(b);
  ArrayRef<FlowId> out = index.outgoing(NodeId(origin.element));
  if (isAdded && llvm::any_of(out, [&](FlowId f) {
        return isOfElement(b.flow(f).target);
      }))
    return "the tokens are there from the start of " +
           (node.parent ? nodeText(origin.unit, node.parent)
                        : "process " + inQuotes(module.text(b.name)));
  if (out.size() > 1)
    return "the tokens part after " + text +
           ", as each of its outgoing flows gets one";
  return "the tokens part when " + silentText({tauLabel, group, noGroup});
}

/// The two tokens come from one boundary event, which occurred twice.
void Explainer::explainRecurring(ArrayRef<RunStep> run,
                                 ArrayRef<uint32_t> first,
                                 ArrayRef<uint32_t> second,
                                 std::vector<Note> &notes) const {
  if (first.empty() || second.empty())
    return;
  const GroupIndex group = run[second[0]].step.group;
  const Origin &origin = system.groups().origin(group);
  const Node &node = module.behaviours[origin.unit].nodes[origin.element];
  if (node.kind != NodeKind::Boundary || !(node.flags & NonInterrupting) ||
      system.groups().origin(run[first[0]].step.group) != origin)
    return;
  const uint32_t process = system.step(group).process;
  notes.push_back(
      {originPlace(module, origin),
       originName(origin) + (process == noneOf ? "" : processText(process)) +
           " does not interrupt " + nodeText(origin.unit, node.attachedTo) +
           ": it may occur again while that runs, and each time "
           "gives a token"});
}

void Explainer::explainParting(const Exploration &ex, ArrayRef<RunStep> run,
                               uint32_t flow, uint32_t end,
                               std::vector<Note> &notes) const {
  constexpr size_t longest = 10'000; // each step compares two states
  if (run.size() > longest)
    return;
  TokenHistory history(system, ex, run);
  SmallVector<uint32_t, 2> first, second;
  if (flow != noneOf) {
    ArrayRef<uint32_t> makers = history.makersOf(system.flows()[flow].slot);
    if (makers.size() < 2)
      return;
    first.push_back(makers.front());
    second.push_back(makers.back());
  } else {
    for (uint32_t k = 0; k < run.size(); ++k) {
      const CollaborationStep &meaning = system.step(run[k].step.group);
      if (meaning.element != end || !meaning.starts)
        continue;
      ArrayRef<uint32_t> makers = history.makersOfTaken(k);
      (first.empty() ? first : second).assign(makers.begin(), makers.end());
    }
  }
  const uint32_t parting = history.parting(first, second);
  if (parting == noneOf) {
    explainRecurring(run, first, second, notes);
    return;
  }
  // An event that does not interrupt leaves what it takes: it shows on the way.
  GroupIndex by = run[parting].step.group;
  for (uint32_t k = parting + 1; k < run.size(); ++k) {
    const Origin &origin = system.groups().origin(run[k].step.group);
    const Node &node = module.behaviours[origin.unit].nodes[origin.element];
    if (node.kind == NodeKind::Boundary && node.flags & NonInterrupting &&
        llvm::is_contained(history.makersOfTaken(k), parting))
      by = run[k].step.group;
  }
  std::string text = partingText(by);
  const Origin &from = system.groups().origin(by);
  if (flow != noneOf) {
    const Origin &at = system.flows()[flow].flow;
    const NodeId meet = module.behaviours[at.unit].flows[at.element].source;
    const Node &there = module.behaviours[at.unit].node(meet);
    const bool isGateway = hasTrait(there.kind, NodeTraits::Gateway);
    if (meet.index() != from.element)
      text += "; they meet at " + nodeText(at.unit, meet) +
              (isGateway ? ", which passes on each of them" : "");
    else if (isGateway)
      text += ", to which one of them comes back";
  } else {
    text += "; both come to " + elementText(end);
  }
  notes.push_back({originPlace(module, from), std::move(text)});
}

uint32_t Explainer::flowIndex(uint32_t behaviour, FlowId flow) const {
  auto at = flowNumbers.find({behaviour, flow.index()});
  return at == flowNumbers.end() ? noneOf : at->second;
}

/// The messages that a node takes, as a list.
std::string Explainer::receivedBy(uint32_t process, NodeId node) const {
  SmallVector<std::string, 2> texts;
  const uint32_t behaviour = system.processes()[process].behaviour;
  for (GroupIndex g = 0; g < system.groups().size(); ++g) {
    const CollaborationStep &step = system.step(g);
    if (step.receives == noneOf || step.process != process ||
        system.groups().origin(g) !=
            Origin{Origin::Node, behaviour, node.index()})
      continue;
    std::string text = messageText(step.receives);
    if (!llvm::is_contained(texts, text))
      texts.push_back(text);
  }
  const Node &n = module.behaviours[behaviour].node(node);
  if (texts.empty() && receivesMessage(n) && n.message)
    texts.push_back(module.exchangeText(n.message) + ", which nobody sends");
  return llvm::join(texts, " or ");
}

std::string Explainer::waitText(uint32_t process, NodeId node,
                                function_ref<bool(uint32_t)> isMarked) const {
  const uint32_t behaviour = system.processes()[process].behaviour;
  const Behaviour &b = module.behaviours[behaviour];
  const Node &n = b.node(node);
  switch (n.kind) {
  case NodeKind::AllJoin:
  case NodeKind::AllSelect: {
    SmallVector<std::string, 2> missing;
    for (size_t f = 0; f < b.flows.size(); ++f) {
      if (b.flows[f].target != node)
        continue;
      uint32_t index = flowIndex(behaviour, FlowId(f));
      if (index != noneOf && !isMarked(index))
        missing.push_back(flowText(index));
    }
    return missing.empty() ? "" : "waits for " + llvm::join(missing, " and ");
  }
  case NodeKind::SubsetJoin:
    return "waits for a token that may still come";
  case NodeKind::EventChoice: {
    SmallVector<std::string, 2> events;
    for (const Flow &flow : b.flows)
      if (flow.source == node)
        if (std::string text = receivedBy(process, flow.target); !text.empty())
          events.push_back(text);
    return events.empty() ? "" : "waits for " + llvm::join(events, " or ");
  }
  default: {
    std::string text = receivedBy(process, node);
    if (!text.empty())
      return "waits for " + text;
    for (GroupIndex g = 0; g < system.groups().size(); ++g)
      if (system.step(g).sends != noneOf &&
          system.groups().origin(g) ==
              Origin{Origin::Node, behaviour, node.index()})
        return "waits until it can send " + messageText(system.step(g).sends);
    return "";
  }
  }
}

void Explainer::explainWaiting(const uint32_t *state,
                               std::vector<Note> &notes) const {
  std::vector<Origin> told;
  auto tell = [&](uint32_t process, NodeId node) {
    const uint32_t behaviour = system.processes()[process].behaviour;
    Origin origin{Origin::Node, behaviour, node.index()};
    if (llvm::is_contained(told, origin) || told.size() == 12)
      return;
    told.push_back(origin);
    std::string text = waitText(
        process, node, [&](uint32_t f) { return system.tokens(state, f) > 0; });
    notes.push_back({originPlace(module, origin),
                     nodeText(behaviour, node) + processText(process) + " " +
                         (text.empty() ? "holds a token" : text)});
  };
  for (uint32_t f = 0; f < system.flows().size(); ++f) {
    if (!system.tokens(state, f))
      continue;
    const Origin &flow = system.flows()[f].flow;
    tell(system.flows()[f].process,
         module.behaviours[flow.unit].flows[flow.element].target);
  }
  for (uint32_t e = 0; e < system.elements().size(); ++e) {
    const CollaborationElement &element = system.elements()[e];
    if (element.kind != CollaborationElement::Container &&
        system.isActive(state, e))
      tell(element.process, NodeId(element.nodes[0]));
    for (auto [node, slot] : element.parts)
      if (state[slot])
        tell(element.process, NodeId(node));
  }
}

void Explainer::explainTransit(const uint32_t *state, ArrayRef<RunStep> run,
                               std::vector<Note> &notes) const {
  for (uint32_t m = 0; m < system.messages().size(); ++m) {
    if (!system.inTransit(state, m))
      continue;
    const RunStep *sent = nullptr;
    for (const RunStep &step : run)
      if (system.step(step.step.group).sends == m)
        sent = &step;
    if (sent)
      notes.push_back(
          {originPlace(module, system.groups().origin(sent->step.group)),
           messageText(m) + " is sent here by " +
               originName(system.groups().origin(sent->step.group)) +
               " but not received"});
  }
}

/// A parallel join waits for a flow that gets no token since a gateway went
/// another way: which one. Not if a token is still on its way to it.
void Explainer::explainMissing(const uint32_t *state, ArrayRef<RunStep> run,
                               std::vector<Note> &notes) const {
  for (uint32_t marked = 0; marked < system.flows().size(); ++marked) {
    const CollaborationFlow &flow = system.flows()[marked];
    if (!system.tokens(state, marked))
      continue;
    const uint32_t unit = flow.flow.unit;
    const Behaviour &b = module.behaviours[unit];
    const NodeId join = b.flow(FlowId(flow.flow.element)).target;
    if (b.node(join).kind != NodeKind::AllJoin)
      continue;
    const FlowIndex index(b);
    for (FlowId missing : index.incoming(join)) {
      const uint32_t number = flowIndex(unit, missing);
      if (number == noneOf || system.tokens(state, number))
        continue;
      std::vector<bool> leads(b.flows.size()), seen(b.nodes.size());
      SmallVector<FlowId, 8> work{missing};
      bool comes = false; // a token that is stuck before it
      while (!work.empty()) {
        FlowId at = work.pop_back_val();
        leads[at.index()] = true;
        const NodeId from = b.flow(at).source;
        const uint32_t known = flowIndex(unit, at);
        comes |= known != noneOf && system.tokens(state, known);
        if (seen[from.index()] || from == join)
          continue;
        seen[from.index()] = true;
        for (FlowId before : index.incoming(from))
          if (!leads[before.index()])
            work.push_back(before);
        if (b.node(from).kind == NodeKind::Boundary)
          for (FlowId before : index.incoming(b.node(from).attachedTo))
            if (!leads[before.index()])
              work.push_back(before);
      }
      for (uint32_t e = 0; e < system.elements().size(); ++e)
        comes |= system.processes()[system.elements()[e].process].behaviour ==
                     unit &&
                 system.isActive(state, e) &&
                 llvm::any_of(system.elements()[e].nodes,
                              [&](uint32_t n) { return seen[n]; });
      if (!comes && explainTurn(run, unit, number, leads, notes))
        return;
    }
  }
}

/// The last step of \p run that chose a flow which does not lead to \p missing
/// where another one does.
bool Explainer::explainTurn(ArrayRef<RunStep> run, uint32_t unit,
                            uint32_t missing, const std::vector<bool> &leads,
                            std::vector<Note> &notes) const {
  const Behaviour &b = module.behaviours[unit];
  const FlowIndex index(b);
  for (const RunStep &step : llvm::reverse(run)) {
    const CollaborationStep &meaning = system.step(step.step.group);
    const Origin &origin = system.groups().origin(step.step.group);
    if (meaning.chosenFlows.empty() || origin.unit != unit)
      continue;
    auto leadsThere = [&](uint32_t flow) {
      const Origin &at = system.flows()[flow].flow;
      return at.unit == unit && leads[at.element];
    };
    const Origin &chosen = system.flows()[meaning.chosenFlows[0]].flow;
    if (llvm::any_of(meaning.chosenFlows, leadsThere) ||
        llvm::none_of(index.outgoing(b.flow(FlowId(chosen.element)).source),
                      [&](FlowId f) { return leads[f.index()]; }))
      continue;
    notes.push_back({originPlace(module, origin),
                     stepText({tauLabel, step.step.group, noGroup}) +
                         ": from then on no token comes to " +
                         flowText(missing)});
    return true;
  }
  return false;
}

void Explainer::explainChoices(ArrayRef<RunStep> run,
                               std::vector<Note> &notes) const {
  // Vector clocks along the run: what a process knows of the others' steps.
  const size_t processes = system.processes().size();
  using Clock = std::vector<uint32_t>;
  std::vector<Clock> clocks(processes, Clock(processes));
  std::vector<std::deque<Clock>> transit(system.messages().size());
  struct Choice {
    GroupIndex group;
    Clock before; ///< what its process knew
    uint32_t number;
  };
  std::vector<std::optional<Choice>> last(processes);
  for (const RunStep &step : run) {
    const CollaborationStep &meaning = system.step(step.step.group);
    const uint32_t p = meaning.process;
    if (p == noneOf)
      continue;
    if (meaning.receives != noneOf && !transit[meaning.receives].empty()) {
      const Clock &from = transit[meaning.receives].front();
      for (size_t i = 0; i < processes; ++i)
        clocks[p][i] = std::max(clocks[p][i], from[i]);
      transit[meaning.receives].pop_front();
    }
    ++clocks[p][p];
    if (!meaning.chosenFlows.empty() && meaning.passedChoices.empty()) {
      const Origin &origin = system.groups().origin(step.step.group);
      NodeKind kind = module.behaviours[origin.unit].nodes[origin.element].kind;
      if (kind != NodeKind::EventChoice)
        last[p] = Choice{step.step.group, clocks[p], clocks[p][p]};
    }
    if (meaning.sends != noneOf)
      transit[meaning.sends].push_back(clocks[p]);
  }
  for (uint32_t p = 0; p < processes; ++p)
    for (uint32_t q = p + 1; q < processes; ++q) {
      if (!last[p] || !last[q] || last[p]->before[q] >= last[q]->number ||
          last[q]->before[p] >= last[p]->number)
        continue;
      auto text = [&](const Choice &choice) {
        return stepText({tauLabel, choice.group, noGroup});
      };
      notes.push_back(
          {originPlace(module, system.groups().origin(last[p]->group)),
           "two gateways decide independently: " + text(*last[p]) + ", and " +
               text(*last[q])});
      return;
    }
}

/// Why compensation never runs what the boundary event \p n leads to; empty: it
/// is no event of compensation.
std::string Explainer::uncompensatedText(uint32_t behaviour, NodeId n) const {
  const Behaviour &b = module.behaviours[behaviour];
  std::string undone, handler;
  FlowIndex index(b);
  for (FlowId f : index.outgoing(n))
    handler = module.text(b.node(b.flow(f).target).loc.element).str();
  bool isThrown = false;
  for (const Attribute &a : b.attributes) {
    StringRef key = module.text(a.key), value = module.text(a.value);
    if (key == "undoes" && a.node == n)
      for (size_t i = 0; i < b.nodes.size() && undone.empty(); ++i)
        if (module.text(b.nodes[i].loc.element) == value)
          undone = nodeText(behaviour, mainNode(behaviour, NodeId(i)));
    SmallVector<StringRef, 4> ids;
    value.split(ids, ' ');
    isThrown |= key == "undo" && llvm::is_contained(ids, handler);
  }
  if (undone.empty())
    return undone;
  return isThrown ? "no event throws compensation for " + undone +
                        " after it has completed"
                  : "no event throws compensation for " + undone;
}

uint32_t Explainer::explainDead(uint32_t element,
                                const std::vector<bool> &marked,
                                std::vector<Note> &notes) const {
  const CollaborationElement &e = system.elements()[element];
  const uint32_t behaviour = system.processes()[e.process].behaviour;
  const Behaviour &b = module.behaviours[behaviour];
  FlowIndex index(b);
  std::deque<NodeId> work;
  std::vector<bool> seen(b.nodes.size());
  auto visit = [&](NodeId n) {
    if (n && !seen[n.index()]) {
      seen[n.index()] = true;
      work.push_back(n);
    }
  };
  for (uint32_t n : e.nodes)
    visit(NodeId(n));
  while (!work.empty()) {
    NodeId n = work.front();
    work.pop_front();
    for (FlowId f : index.incoming(n)) {
      uint32_t flow = flowIndex(behaviour, f);
      if (flow == noneOf || !marked[flow]) {
        visit(b.flow(f).source);
        continue;
      }
      std::string text =
          waitText(e.process, n, [&](uint32_t other) { return marked[other]; });
      if (!text.empty())
        text += ", in vain";
      else if (b.node(n).kind == NodeKind::AllJoin)
        text = "never has a token on all of its incoming flows at once";
      else if (b.node(n).kind == NodeKind::Container &&
               !llvm::is_contained(e.nodes, n.index()))
        text = "starts, but never completes";
      if (!text.empty())
        notes.push_back(
            {originPlace(module, {Origin::Node, behaviour, n.index()}),
             nodeText(behaviour, n) + processText(e.process) + " " + text});
      return flow;
    }
    if (!index.incoming(n).empty())
      continue;
    auto note = [&](std::string text) {
      notes.push_back(
          {originPlace(module, {Origin::Node, behaviour, n.index()}),
           std::move(text)});
    };
    const NodeKind kind = b.node(n).kind;
    if (kind == NodeKind::Boundary) {
      if (std::string text = uncompensatedText(behaviour, n); !text.empty()) {
        note(std::move(text));
        return noneOf;
      }
    } else if (kind != NodeKind::Initial &&
               llvm::any_of(b.nodes, [&](const Node &start) {
                 return start.kind == NodeKind::Initial &&
                        start.parent == b.node(n).parent;
               })) {
      note("no sequence flow leads to " + nodeText(behaviour, n) +
           processText(e.process));
      return noneOf;
    }
    std::string text = receivedBy(e.process, n);
    if (!text.empty() && b.node(n).kind == NodeKind::Initial)
      notes.push_back(
          {originPlace(module, {Origin::Node, behaviour, n.index()}),
           nodeText(behaviour, n) + processText(e.process) + " waits for " +
               text});
    visit(b.node(n).kind == NodeKind::Boundary ? b.node(n).attachedTo
                                               : b.node(n).parent);
  }
  return noneOf;
}
