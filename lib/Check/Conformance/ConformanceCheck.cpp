//===- ConformanceCheck.cpp - Does a collaboration conform? ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: [c4], Def. 4.10 (BBC: weak bisimulation) and Def. 4.11 (TBC:
/// weak trace equivalence, both inclusions), and further relations:
/// failures, simulation, inclusion, relations that preserve divergence, and
/// completion as a visible step.
///
/// Input class: any collaboration and choreography. Sound and complete if
/// both have finitely many states. If the collaboration does not, or a
/// limit stops its exploration, an exchange that the choreography does not
/// allow is still found if the explored part has one, because a run of the
/// part is a run of the whole.
///
/// A large collaboration is first compared as the product of its processes,
/// each minimised (Parts.cpp). If the relation holds, that is the answer; a
/// difference is looked for in the collaboration itself.
///
/// Every witness is replayed before it is reported: compare() replays it on
/// the reduced LTSs, and here it becomes runs of the two models.
///
//===----------------------------------------------------------------------===//

#include "ConformanceRuns.h"
#include "cif/Check/Peers/Synchronizability.h"
#include "cif/LTS/Graph.h"
#include "cif/Pass/FactBuilder.h"
#include "cif/Semantics/Guards.h"
#include <map>
#include <set>

using namespace cif;

namespace {
constexpr Side collaborationSide = Side::Left, choreographySide = Side::Right;

StringRef sideText(Side side) {
  return side == Side::Left ? "collaboration" : "choreography";
}

class Checker {
public:
  Checker(const Pairing &of, const ConformanceRelation &by)
      : p(of), relation(by), runs(of, by.preservesDivergence) {}
  Fact check();
  bool comparesParts = false; ///< the product of the parts, not `left`
  /// What was found in the product of the parts, and not told.
  const std::optional<Difference> &untold() const { return foundInParts; }
  bool replays() const {
    return shown && cif::replays(*shown, runs.lts(Side::Left),
                                 runs.lts(Side::Right), shownBy);
  }

private:
  void comparePart();
  void compareTraces();
  void compareWhole();
  Comparison comparison(Relation by, bool swapped) const;

  void tell(const Difference &difference, Relation by);
  bool tellTrace(const Difference &difference);
  bool tellOffer(const Difference &difference);
  void tellSentences(const Difference &difference);
  bool tellGame(const Difference &difference);
  void tellEnd(Side attacker, const Label &label, const ModelRun (&played)[2],
               StateIndex ours, StateIndex theirs);
  void tellLack(ModelRun run, StateIndex state, ArrayRef<Label> can,
                ArrayRef<Label> expected);
  void addSteps(Side side, ArrayRef<ModelStep> run, ArrayRef<ModelStep> answer);
  void note(const Twine &text) { fact.note(text.str()); }
  Place placeOf(Side side, const ModelStep &step) const {
    return originPlace(runs.module(side), step.origin);
  }
  static std::string offersText(ArrayRef<Label> labels) {
    return labels.empty() ? "nothing more" : labelsForPeople(labels);
  }
  void unreplayed() {
    assert(false && "a witness does not replay on the models");
    fact.verdict = Verdict::Inconclusive;
    fact.exact = false;
    fact.witness.reset();
    fact.message = "no verdict: the witness did not replay";
  }

  const Pairing &p;
  const ConformanceRelation &relation;
  ModelRuns runs;
  FactBuilder fact;
  std::optional<Difference> shown; ///< what the fact tells
  std::optional<Difference> foundInParts;
  Relation shownBy = Relation::Weak;
};
} // namespace

static std::string relationText(const ConformanceRelation &relation) {
  if (relation.word == "bbc")
    return "weak bisimulation [c4, Def. 4.10]";
  if (relation.word == "tbc")
    return "weak traces, both inclusions [c4, Def. 4.11]";
  if (relation.preservesDivergence)
    return "weak bisimulation that preserves divergence";
  return relation.word;
}

Fact cif::checkConformance(Pairing &pairing,
                           const ConformanceRelation &relation, bool *replays) {
  if (pairing.inParts()) {
    Checker checker(pairing, relation);
    checker.comparesParts = true;
    Fact fact = checker.check();
    if (!checker.untold())
      return fact;
    pairing.exploreFor(*checker.untold());
  }
  Checker checker(pairing, relation);
  Fact fact = checker.check();
  if (replays)
    *replays = fact.verdict == Verdict::Violated && checker.replays();
  return fact;
}

Fact Checker::check() {
  fact.property = "conforms";
  fact.subject = p.subject;
  fact.at = choreographyPlace(p.choreography, p.which);
  fact.by(relationText(relation) +
          dataMethodOf(p.collaboration, BehaviourKind::Process));
  fact.with("relation", relation.word)
      .with("network", networkText(p.options.network));
  if (p.options.bound != noBound)
    fact.with("bound", std::to_string(p.options.bound));
  if (p.options.observeCompletion)
    fact.with("observe-completion", "true");
  if (!p.rightComplete) {
    fact.inconclusive(noVerdictText(p.limit));
    return fact;
  }
  if (comparesParts) {
    fact.method += "; processes minimised first";
    fact.states = p.product().numStates();
    fact.transitions = p.product().numTransitions();
  } else {
    fact.states = p.explored.exploration->numStates();
    fact.transitions = p.explored.exploration->transitions;
  }
  fact.states += p.right.numStates();
  fact.transitions += p.right.numTransitions();
  if (!comparesParts && !p.leftComplete)
    comparePart();
  else if (relation.word == "tbc")
    compareTraces();
  else
    compareWhole();
  if (foundInParts)
    return fact;
  // A queue that is full holds back what an unbounded one would let happen.
  if (p.options.bound != noBound && fact.exact &&
      !(fact.verdict == Verdict::Violated && fact.witness->kind == "trace")) {
    fact.exact = false;
    note("this verdict is for queues of that capacity");
  }
  if (!p.hidden.empty())
    note("hidden, because the choreography does not have it: " +
         labelsForPeople(p.hidden));
  for (const std::string &text : p.assumptions)
    note(text);
  return fact;
}

Comparison Checker::comparison(Relation by, bool swapped) const {
  CompareOptions options;
  options.limits = p.options.limits;
  const Lts &left = p.reducedLeft();
  if (relation.preservesDivergence)
    return compare(divergenceLoops(left), divergenceLoops(p.right), by,
                   options);
  return swapped ? compare(p.right, left, by, options)
                 : compare(left, p.right, by, options);
}

/// The collaboration was not explored whole.
void Checker::comparePart() {
  CompareOptions options;
  options.limits = p.options.limits;
  Comparison part =
      compare(p.left, p.right, Relation::WeakTraceInclusion, options);
  if (part.verdict == Verdict::Violated) {
    fact.answer(Verdict::Violated);
    tell(*part.difference, part.relation);
    note("the collaboration was only explored in part (" + p.limit +
         "); this run is one of its runs nevertheless");
    return;
  }
  fact.message = "no verdict: the collaboration cannot be explored "
                 "completely: " +
                 p.limit;
  if (p.explored.exploration->growth)
    fact.witness = growthWitness(p.collaboration, *p.explored.exploration);
}

void Checker::compareTraces() {
  Comparison extra = comparison(Relation::WeakTraceInclusion, false);
  Comparison lacking = comparison(Relation::WeakTraceInclusion, true);
  fact.method += "; " + extra.method;
  auto sides = [&](const Comparison &c, Side has, Side other) {
    std::string text = ("every sequence of exchanges of the " + sideText(has) +
                        " is one of the " + sideText(other) + ": ")
                           .str();
    if (c.verdict == Verdict::Inconclusive)
      return text + "not decided, " + stoppedText(c.limit);
    if (c.holds())
      return text + "yes";
    return text + "no, for example " + labelsForPeople(c.difference->trace);
  };
  std::string notes[2] = {sides(extra, collaborationSide, choreographySide),
                          sides(lacking, choreographySide, collaborationSide)};
  bool hasExtra = extra.verdict == Verdict::Violated;
  bool lacks = lacking.verdict == Verdict::Violated;
  if (lacks)
    lacking.difference->side = choreographySide;
  if (hasExtra || lacks) {
    fact.answer(Verdict::Violated);
    bool shorter = !lacks || (hasExtra && extra.difference->trace.size() <=
                                              lacking.difference->trace.size());
    tell(hasExtra && shorter ? *extra.difference : *lacking.difference,
         Relation::WeakTrace);
  } else if (extra.holds() && lacking.holds()) {
    fact.holds();
  } else {
    fact.message =
        noVerdictText(extra.limit.empty() ? lacking.limit : extra.limit);
  }
  for (const std::string &text : notes)
    note(text);
}

void Checker::compareWhole() {
  Comparison whole = comparison(relation.relation, false);
  fact.method += "; " + whole.method;
  fact.answer(whole.verdict);
  if (whole.verdict == Verdict::Inconclusive)
    fact.inconclusive(noVerdictText(whole.limit));
  else if (whole.verdict == Verdict::Violated)
    tell(*whole.difference, whole.relation);
}

//===----------------------------------------------------------------------===//
// Witnesses
//===----------------------------------------------------------------------===//

void Checker::tell(const Difference &difference, Relation by) {
  if (comparesParts) {
    foundInParts = difference;
    return;
  }
  shown = difference;
  shownBy = by;
  fact.witness.emplace();
  bool replays = difference.kind == Difference::Trace   ? tellTrace(difference)
                 : difference.kind == Difference::Offer ? tellOffer(difference)
                                                        : tellGame(difference);
  if (!replays)
    unreplayed();
}

/// Visible steps and decisions of a run; what the other side did at the same
/// time stands in the note.
void Checker::addSteps(Side side, ArrayRef<ModelStep> run,
                       ArrayRef<ModelStep> answer) {
  SmallVector<const ModelStep *, 8> visible;
  for (const ModelStep &step : answer)
    if (step.isVisible())
      visible.push_back(&step);
  size_t next = 0;
  for (const ModelStep &step : run) {
    WitnessStep made;
    made.at = placeOf(side, step);
    if (step.isVisible()) {
      made.label = labelForPeople(step.shown);
      if (next < visible.size()) {
        Place other = placeOf(otherSide(side), *visible[next++]);
        if (!other.element.empty())
          made.note =
              ("= " + other.element + " of the " + sideText(otherSide(side)))
                  .str();
      }
    } else {
      made.label = decisionText(p, side, step);
      if (made.label.empty())
        continue;
    }
    fact.witness->steps.push_back(std::move(made));
  }
}

bool Checker::tellTrace(const Difference &d) {
  auto any = [](StateIndex) { return true; };
  Side has = d.side, other = otherSide(d.side);
  ArrayRef<Label> before = ArrayRef(d.trace).drop_back();
  std::optional<ModelRun> run = runs.along(has, d.trace, any);
  std::optional<ModelRun> follow = runs.along(other, before, any);
  // On the whole models: the one has the trace, the other all but its end.
  if (!run || !follow || runs.along(other, d.trace, any))
    return false;
  std::vector<Label> instead = runs.offersAfter(other, before);
  fact.witness->kind = "trace";
  ModelRun shown;
  for (const ModelStep &step : *run)
    if (step.isVisible())
      shown.push_back(step);
  addSteps(has, shown, *follow);
  WitnessStep &last = fact.witness->steps.back();
  last.note = ("<- possible for the " + sideText(has) + ", not for the " +
               sideText(other))
                  .str();
  fact.at = last.at;
  // The run may go on after the last exchange; the causes are before it.
  while (!run->back().isVisible())
    run->pop_back();
  if (has == collaborationSide) {
    fact.message = "the collaboration does what the choreography does not "
                   "allow";
    note("here the choreography expects: " + offersText(instead));
    explainExtra(p, *run, instead, fact.notes);
    explainMissing(p, instead, fact.notes);
  } else {
    fact.message = "the collaboration cannot do everything that the "
                   "choreography requires";
    note("here the collaboration can do: " + offersText(instead));
    explainMissing(p, d.trace.back(), fact.notes);
  }
  return true;
}

/// The causes of a lack, at the first element that has to do with it.
void Checker::tellLack(ModelRun run, StateIndex state, ArrayRef<Label> can,
                       ArrayRef<Label> expected) {
  // What is stuck is told where nothing moves any more.
  if (can.empty())
    if (std::optional<ModelRun> rest = runs.weakly(
            collaborationSide, state, Label::tau(),
            [&](StateIndex s) { return p.left.targetsOf(s).empty(); })) {
      llvm::append_range(run, *rest);
      state = run.empty() ? state : run.back().to;
    }
  size_t before = fact.notes.size();
  explainLack(p, run, state, can, expected, fact.notes);
  for (const Note &note : ArrayRef(fact.notes).drop_front(before))
    if (note.place.known()) {
      fact.at = note.place;
      break;
    }
}

bool Checker::tellOffer(const Difference &d) {
  const Lts &graph = runs.lts(d.side);
  Components silent = tauComponents(graph);
  std::vector<bool> leaves(silent.count);
  for (StateIndex s = 0; s < graph.numStates(); ++s)
    for (uint32_t t = graph.rowBegin[s]; t < graph.rowBegin[s + 1]; ++t)
      if (graph.label[t] == tauLabel &&
          silent.of[graph.target[t]] != silent.of[s])
        leaves[silent.of[s]] = true;
  std::vector<Label> offered = d.offered;
  llvm::sort(offered);
  // A point of rest: silently nothing else can be reached, and this is offered.
  std::map<uint32_t, std::set<Label>> offers;
  for (StateIndex s = 0; s < graph.numStates(); ++s)
    if (!leaves[silent.of[s]]) {
      std::set<Label> &labels = offers[silent.of[s]];
      for (LabelIndex l : graph.labelsOf(s))
        if (l != tauLabel)
          labels.insert(graph.labels[l]);
    }
  std::optional<ModelRun> run = runs.along(d.side, d.trace, [&](StateIndex s) {
    return !leaves[silent.of[s]] && llvm::equal(offers[silent.of[s]], offered);
  });
  std::optional<ModelRun> follow =
      runs.along(otherSide(d.side), d.trace, [](StateIndex) { return true; });
  if (!run || !follow)
    return false;
  fact.witness->kind = "trace";
  ModelRun visible;
  for (const ModelStep &step : *run)
    if (step.isVisible())
      visible.push_back(step);
  addSteps(d.side, visible, *follow);
  std::vector<Label> expected = runs.offersAfter(otherSide(d.side), d.trace);
  bool ours = d.side == collaborationSide;
  std::string only =
      offered.empty() ? "nothing" : "only " + labelsForPeople(offered);
  std::string rest =
      ("the " + sideText(d.side) + " may now offer " + only).str();
  if (visible.empty()) {
    note(rest);
  } else {
    fact.witness->steps.back().note = "<- " + rest;
    fact.at = fact.witness->steps.back().at;
  }
  fact.message =
      ours ? offered.empty()
                 ? "the collaboration can stop where the choreography "
                   "continues"
                 : "the collaboration can refuse what the "
                   "choreography always offers"
           : "the choreography can refuse what the collaboration "
             "always offers";
  note(Twine("the ") + sideText(otherSide(d.side)) + " can always still do " +
       (d.refused.empty() ? "more" : "one of: " + labelsForPeople(d.refused)));
  if (ours)
    tellLack(*run, run->empty() ? p.left.initial : run->back().to, offered,
             expected);
  return true;
}

//===----------------------------------------------------------------------===//
// Games
//===----------------------------------------------------------------------===//

/// The difference in sentences that name the two models.
void Checker::tellSentences(const Difference &d) {
  fact.message = "the collaboration and the choreography can be distinguished";
  for (std::string sentence : d.sentences) {
    for (Side side : {Side::Left, Side::Right}) {
      std::string word = ("the " + sideName(side)).str();
      for (size_t i; (i = sentence.find(word)) != std::string::npos;)
        sentence.replace(i, word.size(), ("the " + sideText(side)).str());
    }
    note(sentence);
  }
}

namespace {
/// A position in a play of the bisimulation game.
struct GameState {
  const Formula &formula;
  std::vector<std::vector<bool>> values[2]; ///< of each node in each state
  StateIndex at[2];
  Formula::NodeId id;
  Side attacker; ///< satisfies `id`, which the other side does not

  static int index(Side side) { return side == Side::Left ? 0 : 1; }
  StateIndex &here(Side side) { return at[index(side)]; }
  bool holds(Side side, Formula::NodeId node, StateIndex s) const {
    return values[index(side)][node][s];
  }
  /// Goes down to the modality that the two differ in; false: there is none.
  bool findModality() {
    for (;;) {
      const Formula::Node &node = formula.nodes[id];
      if (node.op == Formula::Not) {
        attacker = otherSide(attacker);
        id = node.operands[0];
      } else if (node.op == Formula::And) {
        Side other = otherSide(attacker);
        auto fails = llvm::find_if(node.operands, [&](Formula::NodeId o) {
          return !holds(other, o, here(other));
        });
        if (fails == node.operands.end())
          return false;
        id = *fails;
      } else {
        return node.op == Formula::WeakMay; // `true` cannot fail
      }
    }
  }
  /// The answer that saves most of what \p then asks; nothing if one saves all
  /// of it.
  std::optional<StateIndex> bestAnswer(ArrayRef<StateIndex> answers,
                                       Formula::NodeId then) const {
    const Side other = otherSide(attacker);
    const Formula::Node &goal = formula.nodes[then];
    StateIndex best = answers.front();
    size_t most = 0;
    for (StateIndex s : answers) {
      if (holds(other, then, s))
        return std::nullopt;
      size_t kept = llvm::count_if(
          goal.operands, [&](Formula::NodeId o) { return holds(other, o, s); });
      if (goal.op == Formula::And && kept > most) {
        most = kept;
        best = s;
      }
    }
    return best;
  }
};
} // namespace

/// One play of the bisimulation game, by the winning strategy that the formula
/// is [hennessy1985]: whoever satisfies the formula moves, the other answers as
/// well as it can and in the end has no answer. Only for formulas of weak
/// modalities; others are told in sentences.
bool Checker::tellGame(const Difference &d) {
  fact.witness->kind = "game";
  fact.witness->formula = d.formula;
  const Lts &left = runs.lts(Side::Left), &right = runs.lts(Side::Right);
  GameState game{
      *d.graph,
      {satisfyingEach(*d.graph, left), satisfyingEach(*d.graph, right)},
      {left.initial, right.initial},
      d.graph->root,
      d.side};
  if (!game.holds(d.side, game.id, game.here(d.side)) ||
      game.holds(otherSide(d.side), game.id, game.here(otherSide(d.side))))
    return false;
  if (llvm::any_of(d.graph->nodes, [](const Formula::Node &node) {
        return node.op == Formula::May || node.op == Formula::Until ||
               node.op == Formula::Diverge;
      })) {
    tellSentences(d);
    return true;
  }
  ModelRun played[2]; // by each side, whoever attacked
  for (;;) {
    if (!game.findModality())
      return false;
    const Side attacker = game.attacker, other = otherSide(attacker);
    const Formula::Node &node = game.formula.nodes[game.id];
    const Formula::NodeId then = node.operands[0];
    std::optional<ModelRun> move = runs.weakly(
        attacker, game.here(attacker), node.label,
        [&](StateIndex s) { return game.holds(attacker, then, s); });
    if (!move)
      return false;
    std::vector<StateIndex> answers =
        runs.reached(other, game.here(other), node.label);
    if (answers.empty()) {
      // The last move is shown up to the step that has no answer.
      while (!move->empty() && !move->back().isVisible())
        move->pop_back();
      if (move->empty())
        return false;
      addSteps(attacker, *move, {});
      llvm::append_range(played[GameState::index(attacker)], *move);
      tellEnd(attacker, node.label, played, game.at[0], game.at[1]);
      return true;
    }
    std::optional<StateIndex> best = game.bestAnswer(answers, then);
    if (!best)
      return false;
    std::optional<ModelRun> answer =
        runs.weakly(other, game.here(other), node.label,
                    [&](StateIndex s) { return s == *best; });
    if (!answer)
      return false;
    addSteps(attacker, *move, *answer);
    // Silent decisions of the answer are part of the play.
    ModelRun silent;
    for (const ModelStep &step : *answer)
      if (!step.isVisible())
        silent.push_back(step);
    addSteps(other, silent, {});
    llvm::append_range(played[GameState::index(attacker)], *move);
    llvm::append_range(played[GameState::index(other)], *answer);
    if (!move->empty())
      game.here(attacker) = move->back().to;
    game.here(other) = *best;
    game.id = then;
  }
}

/// The play is over: \p attacker can do \p label, the other side cannot.
void Checker::tellEnd(Side attacker, const Label &label,
                      const ModelRun (&played)[2], StateIndex ours,
                      StateIndex theirs) {
  WitnessStep &last = fact.witness->steps.back();
  last.note = ("<- possible for the " + sideText(attacker) + ", not for the " +
               sideText(otherSide(attacker)))
                  .str();
  fact.at = last.at;
  std::vector<Label> can = runs.offers(collaborationSide, ours);
  std::vector<Label> expected = runs.offers(choreographySide, theirs);
  note("here the collaboration can do: " + offersText(can));
  note("and the choreography: " + offersText(expected));
  if (attacker == collaborationSide) {
    fact.message = "the collaboration does what the choreography does not "
                   "allow at this point";
    std::vector<Label> trace;
    for (const ModelStep &step : played[0])
      if (step.isVisible())
        trace.push_back(step.shown);
    // Where the choreography has this trace too, it decided otherwise.
    if (!runs.along(choreographySide, trace, [](StateIndex) { return true; })) {
      explainExtra(p, played[0], expected, fact.notes);
      return;
    }
    for (const ModelStep &step : llvm::reverse(played[1]))
      if (std::string text = decisionText(p, choreographySide, step);
          !text.empty()) {
        fact.note(placeOf(choreographySide, step),
                  text + ", but the collaboration leaves it open");
        break;
      }
    return;
  }
  fact.message = can.empty()
                     ? "the collaboration can stop where the choreography "
                       "continues"
                     : "the collaboration cannot do " + labelForPeople(label) +
                           " where the choreography still allows it";
  tellLack(played[0], ours, can, expected);
}
