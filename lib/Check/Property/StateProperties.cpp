//===- StateProperties.cpp - Properties of states of collaborations -------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Temporal properties over what the states of a collaboration hold. A position
/// of a run is a state with the step that is taken from it, silent or not; a
/// state without steps stays for ever. `done` is true in a state in which some
/// process has started and every started process is complete.
///
/// So each transition gets a label that says which atoms of the property are
/// true of its source and of its step, and a state without steps gets a loop.
/// The search for words (LtlCheck.cpp) decides on that LTS.
///
/// Input class: any collaboration with finitely many states; otherwise a run
/// that violates the property whatever follows is still a proof. Exact.
///
//===----------------------------------------------------------------------===//

#include "StateProperties.h"
#include "Collaboration/Explain.h"
#include "Collaboration/StateGraph.h"
#include "cif/Pass/FactBuilder.h"
#include "cif/Support/Diagnostics/Data.h"
#include "cif/Support/Diagnostics/Semantics.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "cif/Transforms/Normalize.h"
#include <map>
#include <set>

using namespace cif;

namespace {
/// What an atom counts in a state.
struct Count {
  std::set<uint32_t> slots;
  SmallVector<uint32_t, 2> messages;

  uint64_t of(const CollaborationSystem &system, const uint32_t *state) const {
    uint64_t sum = 0;
    for (uint32_t slot : slots)
      sum += state[slot];
    for (uint32_t m : messages)
      sum += system.inTransit(state, m);
    return sum;
  }
};

class StateProperties {
public:
  StateProperties(const Module &of, const CollaborationSystem &by,
                  const StateGraph &in)
      : module(of), system(by), graph(in), explain(of, by) {}

  /// Finds what the atoms count; else what was expected, and found.
  bool resolve(const ltl::Property &property, ltl::SyntaxError &error);
  /// \p replays is set for a violated fact: whether its run was evaluated
  /// again, position by position.
  Fact check(const ltl::Property &property, bool fair, const Limits &limits,
             bool &replays);

private:
  enum Found : uint8_t { None, One, Several };
  Found find(const ltl::Atom &atom, bool byName, Count &count) const;
  void addNode(uint32_t process, NodeId n, bool isActive, Count &count) const;
  Lts annotate(const ltl::Property &property) const;
  std::vector<FairnessSet> fairness(const Lts &lts) const;

  const Module &module;
  const CollaborationSystem &system;
  const StateGraph &graph;
  const Explainer explain;
  std::vector<Count> counts; ///< by atom
};
} // namespace

/// An activity: while it runs. Else (tokens) what waits before the node.
void StateProperties::addNode(uint32_t process, NodeId n, bool isActive,
                              Count &count) const {
  const uint32_t behaviour = system.processes()[process].behaviour;
  bool runs = false;
  for (const CollaborationElement &element : system.elements())
    if (element.process == process && !element.active.empty() &&
        llvm::is_contained(element.nodes, n.index())) {
      count.slots.insert(element.active.begin(), element.active.end());
      runs = true;
    }
  if (runs || isActive)
    return;
  for (const CollaborationFlow &flow : system.flows())
    if (flow.process == process &&
        module.behaviours[behaviour].flows[flow.flow.element].target == n)
      count.slots.insert(flow.slot);
}

/// By id, or by name: all that has it. What was made of one element of the
/// source is one, also where several pools have its process or several
/// activities call it: its instances count together.
StateProperties::Found StateProperties::find(const ltl::Atom &atom, bool byName,
                                             Count &count) const {
  std::set<std::pair<uint32_t, std::string>> found;
  auto add = [&](uint32_t unit, const Location &loc) {
    const bool isDrawn = loc.source && !loc.element.empty();
    found.insert(
        {isDrawn ? loc.source.index() : unit, module.text(loc.element).str()});
  };
  auto isIt = [&](Name name, Name id) {
    return module.text(byName ? name : id) == atom.message;
  };
  if (atom.kind == ltl::Atom::Messages) {
    for (uint32_t m = 0; m < system.messages().size(); ++m) {
      const CollaborationMessage &message = system.messages()[m];
      bool is = byName && message.label.message == atom.message;
      if (is)
        found.insert({m, ""});
      for (uint32_t f : message.flows) {
        const MessageFlow &flow = module.messageFlows[f];
        if (byName || module.text(flow.loc.element) != atom.message)
          continue;
        is = true;
        add(m, flow.loc);
      }
      if (is)
        count.messages.push_back(m);
    }
  } else {
    const bool isActive = atom.kind == ltl::Atom::Active;
    for (uint32_t p = 0; p < system.processes().size(); ++p) {
      const uint32_t unit = system.processes()[p].behaviour;
      const Behaviour &b = module.behaviours[unit];
      for (size_t n = 0; n < b.nodes.size(); ++n) {
        const Node &node = b.nodes[n];
        const size_t before = count.slots.size();
        if (isIt(node.name, node.loc.element))
          addNode(p, NodeId(n), isActive, count);
        if (count.slots.size() != before)
          add(unit, node.loc);
      }
      for (const CollaborationFlow &flow : system.flows()) {
        const Flow &drawn = b.flows[flow.process == p ? flow.flow.element : 0];
        if (isActive || flow.process != p ||
            !isIt(drawn.name, drawn.loc.element))
          continue;
        count.slots.insert(flow.slot);
        add(unit, drawn.loc);
      }
    }
  }
  return found.empty() ? None : found.size() == 1 ? One : Several;
}

bool StateProperties::resolve(const ltl::Property &property,
                              ltl::SyntaxError &error) {
  counts.clear();
  for (const ltl::Atom &atom : property.atoms) {
    Count &count = counts.emplace_back();
    if (!atom.saysState())
      continue;
    Found found = find(atom, /*byName=*/false, count);
    if (found == None)
      found = find(atom, /*byName=*/true, count);
    if (found == One)
      continue;
    error.expected = atom.kind == ltl::Atom::Messages
                         ? "a message flow by its id or its message"
                     : atom.kind == ltl::Atom::Active
                         ? "a task or sub-process by its id or name"
                         : "a sequence flow or element by its id or name";
    error.found = "'" + atom.message + "'" +
                  (found == Several ? ", which several have" : "");
    return false;
  }
  return true;
}

/// The explored LTS with labels that tell atoms, a character for each, and
/// loops at its ends.
Lts StateProperties::annotate(const ltl::Property &property) const {
  const Lts &lts = graph.lts();
  Lts made;
  std::map<std::string, LabelIndex> numbers;
  std::vector<uint32_t> rows{0}, targets;
  std::vector<LabelIndex> labels;
  made.labels = {Label::tau()};
  std::string text(property.atoms.size(), '0');
  auto isDone = [&](StateIndex s, const uint32_t *state) {
    for (uint32_t p = 0; p < system.processes().size(); ++p)
      if (system.isStarted(state, p))
        return graph.isComplete(s);
    return false;
  };
  auto add = [&](StateIndex s, const uint32_t *state, const Label *label,
                 StateIndex to) {
    const bool done = isDone(s, state);
    for (size_t a = 0; a < property.atoms.size(); ++a) {
      const ltl::Atom &atom = property.atoms[a];
      bool is = atom.saysState() ? atom.holdsFor(counts[a].of(system, state))
                : atom.kind == ltl::Atom::Done  ? done
                : atom.kind == ltl::Atom::End   ? !label
                : atom.kind == ltl::Atom::Stuck ? !label && !done
                                                : label && atom.matches(*label);
      text[a] = is ? '1' : '0';
    }
    auto [at, isNew] =
        numbers.try_emplace(text, static_cast<LabelIndex>(made.labels.size()));
    if (isNew)
      made.labels.push_back(Label::plain("=" + text));
    labels.push_back(at->second);
    targets.push_back(to);
  };
  for (StateIndex s = 0; s < graph.size(); ++s) {
    std::vector<uint32_t> state = graph.ex.vectorOf(s);
    for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e)
      add(s, state.data(), &lts.labels[lts.label[e]], lts.target[e]);
    if (graph.isDead(s))
      add(s, state.data(), nullptr, s);
    rows.push_back(static_cast<uint32_t>(targets.size()));
  }
  made.initial = lts.initial;
  made.rowBegin = std::move(rows);
  made.label = std::move(labels);
  made.target = std::move(targets);
  return made;
}

/// The classes of [fbpmn], on the LTS with its loops at ends: those are behind
/// all that the explored one has, one for each state without steps.
std::vector<FairnessSet> StateProperties::fairness(const Lts &lts) const {
  const FairClasses &classes = graph.fairness();
  auto by = std::make_shared<std::vector<SmallVector<uint32_t, 2>>>();
  for (StateIndex s = 0; s < graph.size(); ++s) {
    const uint32_t begin = graph.lts().rowBegin[s];
    for (uint32_t e = begin; e < graph.lts().rowBegin[s + 1]; ++e) {
      auto &list = by->emplace_back();
      if (graph.lts().target[e] == s)
        continue; // it changes nothing
      for (GroupIndex g : {graph.ex.steps[e].group, graph.ex.steps[e].partner})
        if (g != noGroup)
          llvm::append_range(list, classes.ofGroup[g]);
      if (auto more = classes.ofTransition.find(e);
          more != classes.ofTransition.end())
        llvm::append_range(list, more->second);
    }
    by->resize(lts.rowBegin[s + 1]);
  }
  std::vector<FairnessSet> sets;
  for (uint32_t c = 0; c < classes.strong.size(); ++c) {
    auto taken = [by, c](uint32_t e) {
      return llvm::is_contained((*by)[e], c);
    };
    auto enabled = [&lts, taken](StateIndex s) {
      for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e)
        if (taken(e))
          return true;
      return false;
    };
    sets.push_back({classes.strong[c], enabled, taken});
  }
  return sets;
}

Fact StateProperties::check(const ltl::Property &property, bool fair,
                            const Limits &limits, bool &replays) {
  FactBuilder fact("property", "");
  fact.sized(graph.size(), graph.ex.transitions)
      .by(fair ? "product with a Büchi automaton, fair runs [fbpmn]"
               : "product with a Büchi automaton, all maximal runs");
  Lts lts = annotate(property);
  ltl::Property bits = property;
  for (uint32_t a = 0; a < bits.atoms.size(); ++a) {
    bits.atoms[a] = {};
    bits.atoms[a].kind = ltl::Atom::Bit;
    bits.atoms[a].count = a + 1; // behind the sign
  }
  std::vector<FairnessSet> sets;
  if (fair)
    sets = fairness(lts);
  ltl::CheckOptions options;
  options.limits = limits;
  options.fairness = sets;
  options.expanded = graph.allKnown() ? SIZE_MAX : graph.ex.expanded;
  ltl::CheckResult result = ltl::check(lts, bits, options);
  // Whether a cycle is fair depends on steps that may not be known.
  bool usable = graph.allKnown() || !fair ||
                (result.counterexample && result.counterexample->cycle.empty());
  if (result.counterexample && usable) {
    const ltl::Run &broken = *result.counterexample;
    replays = ltl::replays(lts, bits, broken, sets);
    std::vector<RunStep> run;
    StateIndex at = lts.initial;
    size_t loopStart = SIZE_MAX;
    bool ends = false;
    auto follow = [&](ArrayRef<uint32_t> transitions) {
      for (uint32_t e : transitions) {
        const uint32_t number = e - lts.rowBegin[at];
        const StateIndex to = lts.target[e];
        ends = graph.isEnd(at);
        if (!ends)
          run.push_back(
              {at, graph.ex.steps[graph.lts().rowBegin[at] + number], to});
        at = to;
      }
    };
    follow(broken.stem);
    const size_t stem = run.size();
    follow(broken.cycle);
    if (!broken.cycle.empty() && !ends)
      loopStart = stem;
    // The last state is what breaks it, not the step from there.
    if (broken.cycle.empty() && !ends && !run.empty() &&
        llvm::all_of(property.atoms, [](const ltl::Atom &atom) {
          return atom.saysState() || atom.kind == ltl::Atom::Done;
        }))
      run.pop_back();
    fact.violated("'" + property.text + "' does not hold: " +
                  (broken.cycle.empty() ? "a run violates it, whatever follows"
                   : ends               ? "a run that ends violates it"
                                        : "an infinite run violates it"));
    fact.witness = explain.witness(graph.ex, run, loopStart);
    return fact;
  }
  if (!result.complete || !graph.allKnown())
    return fact.inconclusive(
        "'" + property.text + "' is not decided: " +
        (result.complete ? graph.incomplete : stoppedText(result.limit)));
  return fact.holds();
}

bool cif::checkStateProperties(Module &module, PassContext &context,
                               const SemanticsOptions &semantics, bool fair,
                               ArrayRef<ltl::Property> properties) {
  SemanticsOptions options = semantics;
  options.open = true;
  options.runLimits = context.limits;
  if (options.semantics == SemanticsKind::Auto)
    options.semantics = SemanticsKind::Detailed;
  static const SemanticsKind ofProcesses[] = {SemanticsKind::Collaboration,
                                              SemanticsKind::Detailed,
                                              SemanticsKind::Fbpmn};
  if (!llvm::is_contained(ofProcesses, options.semantics)) {
    context.diags.report(diag::bad_option_value)
        << "semantics" << context.option("semantics")
        << "one of detailed, collaboration and fbpmn, for properties of states";
    return false;
  }
  Module copy = module.clone();
  if (options.semantics != SemanticsKind::Fbpmn &&
      !normalize(copy, context.diags))
    return false;
  std::unique_ptr<CollaborationSystem> system =
      makeCollaborationSystem(copy, options, context.diags);
  if (!system)
    return false;
  Place at;
  if (!system->processes().empty())
    at = copy.place(copy.behaviours[system->processes()[0].behaviour].loc);
  for (const std::string &text : system->abstractions())
    context.diags.report(at, diag::semantics_abstracts)
        << "the collaboration" << text;
  StateGraph graph(*system, *system, context.limits);
  StateProperties checker(copy, *system, graph);
  static const char *const names[] = {"collaboration", "detailed", "fbpmn"};
  const char *name = options.semantics == SemanticsKind::Fbpmn      ? names[2]
                     : options.semantics == SemanticsKind::Detailed ? names[1]
                                                                    : names[0];
  std::vector<std::pair<Fact, bool>> facts; // with whether it replays
  for (const ltl::Property &property : properties) {
    ltl::SyntaxError error;
    if (!checker.resolve(property, error)) {
      context.diags.report(diag::property_syntax)
          << property.text << error.expected << error.found;
      return false;
    }
    bool replays = false;
    Fact fact = checker.check(property, fair, context.limits, replays);
    fact.subject = "'" + property.text + "' on the collaboration";
    fact.at = at;
    fact.parameters = {{"formula", property.text},
                       {"fair", fair ? "strong" : "none"},
                       {"semantics", name},
                       {"network", networkText(system->networkKind()).str()}};
    facts.push_back({std::move(fact), replays});
  }
  for (auto &fact : facts)
    context.report(module, std::move(fact.first),
                   [&replays = fact.second] { return replays; });
  return true;
}
