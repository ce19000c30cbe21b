//===- SymbolicConforms.cpp - Conformance for all data --------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `--check-conforms=SPEC --relation=symbolic` [symbolic, Def. 5]: builds the
/// graphs, has the equations solved, and words the verdict. Communication is by
/// handshakes, as in the paper, or over a network.
///
//===----------------------------------------------------------------------===//

#include "cif/Check/Conformance/SymbolicConforms.h"
#include "cif/Check/Conformance/ImpossibleBranches.h"
#include "cif/Check/Conformance/SymbolicReplay.h"
#include "cif/Check/Peers/PeerSets.h"
#include "cif/Check/Peers/Synchronizability.h"
#include "cif/Graph/Reach.h"
#include "cif/IR/Link.h"
#include "cif/IR/Names.h"
#include "cif/Pass/FactBuilder.h"
#include "cif/Semantics/Semantics.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "cif/Support/Diagnostics/Data.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "cif/Symbolic/Conformance.h"
#include "cif/Symbolic/Smt2.h"
#include "cif/Transforms/Normalize.h"
#include "cif/Transforms/ProjectData.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace cif;

namespace {

/// What is written beside the verdict.
struct SymbolicFiles {
  std::string equations, smt2;
};

/// Everything that one comparison is made of.
class Comparison {
public:
  /// \p realizes: the implementation is the projection, and whether there is a
  /// conforming one is asked.
  Comparison(Module &module, const Module &implementation, Module &spec,
             PassContext &context, bool realizes = false)
      : module(module), implementation(implementation), spec(spec),
        context(context), realizes(realizes),
        sides(realizes ? "the projection" : "the implementation") {}
  PassResult run(SymbolicFiles &files);
  /// The same with short queues. Only what they decide is reported: a step that
  /// is wrong there is wrong with longer queues, too, and for some topologies
  /// short queues decide everything.
  PassResult runShort(SymbolicFiles &files) {
    isShort = true;
    return run(files);
  }
  /// Reports that it stopped at the limit that run() met.
  void reportStop() { report(limit); }
  /// Whether run() met a limit, which queues without a bound may be the reason
  /// of, and left it to others to report.
  bool isLeft = false;
  bool isDecided = false; ///< by short queues
  bool toldOpen = false;  ///< warnings of open conditions were given
  /// What it stopped at. If it is set before run(), nothing is compared.
  std::string limit;
  /// What the fact says beside.
  std::vector<Note> notes;

private:
  bool readOptions();
  bool readNetwork();
  bool readIntegers(StringRef text);
  /// The two graphs; false: reported, or `limit` is set.
  bool buildGraphs();
  void write(const PesSolution &solution, SymbolicFiles &files);
  FactBuilder fact() const;
  std::string choreographyText() const {
    return "choreography '" + choreography.name + "'";
  }
  void explain(FactBuilder &fact, const SymbolicVerdict &verdict);
  void addWitness(FactBuilder &fact, const Parting &parting);
  std::string stepText(const PartingStep &step) const;
  std::string otherSteps(const Parting &parting) const;
  std::string stepsAt(const Stg &side, uint32_t state) const;
  void explainStop(FactBuilder &fact, const PesSolution &solution) const;
  bool isOfAnyPeers(const Parting &parting);
  bool decidesShort(const SymbolicVerdict &verdict);
  std::optional<PesSolution> solve(const Stg &side, SymbolicVerdict &verdict,
                                   bool inclusion = false);
  std::optional<PesSolution> solveByViews(SymbolicVerdict &verdict,
                                          bool anyFail);
  PassResult stopped();
  void report(const Twine &why);

  Module &module; ///< that the fact is on
  const Module &implementation;
  Module normal; ///< the implementation
  Module &spec;
  PassContext &context;
  const bool realizes;
  bool isShort = false;    ///< with short queues
  const std::string sides; ///< the implementation, for people
  SymbolicOptions options;
  double solverSeconds = 10;
  NetworkKind travels = NetworkKind::Sync;
  StgNetwork network;
  FormulaPool pool;
  std::vector<OpenCondition> open;
  std::unique_ptr<Solver> solver;
  Stg impl, choreography;
  std::vector<StgLabel> hidden;
  std::vector<int64_t> constants;
  Place at;
  std::unique_ptr<Pes> pes;
  SymbolicVerdict ofEquations; ///< of `pes`, whatever follows from it
  /// The projection by what participants can infer, if it was needed.
  Stg views;
  bool byViews = false;
  Topology topology = Topology::Other; ///< of short queues that decide
  /// What is carried in runs of the choreography that look, to whoever goes
  /// wrong, as the run in which it does.
  std::vector<CarriedValue> alike;
};

} // namespace

//===----------------------------------------------------------------------===//
// Input
//===----------------------------------------------------------------------===//

bool Comparison::readIntegers(StringRef text) {
  if (text.empty())
    return true;
  auto [low, high] = text.split("..");
  auto number = [](StringRef part, std::optional<int64_t> &into) {
    int64_t value;
    if (part.empty())
      return true;
    if (part.getAsInteger(10, value))
      return false;
    into = value;
    return true;
  };
  IntegerRange &range = options.integers;
  if (text.contains("..") && number(low, range.lowest) &&
      number(high, range.highest) && text != ".." &&
      (!range.lowest || !range.highest || *range.lowest <= *range.highest))
    return true;
  context.diags.report(diag::bad_option_value)
      << "integers" << text << "LOW..HIGH, where one of the two may be omitted";
  return false;
}

bool Comparison::readNetwork() {
  if (context.hasOption("network")) {
    std::optional<unsigned> word = context.oneOf("network", networkWords());
    if (!word)
      return false;
    travels = static_cast<NetworkKind>(*word);
    switch (travels) {
    case NetworkKind::Sync:
      break;
    case NetworkKind::Bag:
      network.kind = StgNetwork::Bag;
      break;
    case NetworkKind::FifoPair:
      network.kind = StgNetwork::Pair;
      break;
    case NetworkKind::Inbox:
      network.kind = StgNetwork::Inbox;
      break;
    case NetworkKind::Outbox:
      network.kind = StgNetwork::Outbox;
      break;
    case NetworkKind::FifoAll:
      network.kind = StgNetwork::All;
      break;
    case NetworkKind::Rsc:
      network.kind = StgNetwork::One;
      break;
    default:
      context.diags.report(diag::bad_option_value)
          << "network" << context.option("network")
          << "a network with counters or queues, which relation=symbolic "
             "supports";
      return false;
    }
  }
  StringRef bound = context.option("bound");
  if (bound.empty() || bound == "inf")
    return true;
  if (!bound.getAsInteger(10, network.bound) && network.bound > 0)
    return true;
  context.diags.report(diag::bad_option_value)
      << "bound" << bound << "a number of at least 1, or 'inf'";
  return false;
}

bool Comparison::readOptions() {
  if (!realizes && context.hasOption("map")) {
    context.diags.report(diag::usage)
        << "relation=symbolic does not support --map; give messages and "
           "participants the names of the choreography";
    return false;
  }
  if (!readNetwork())
    return false;
  options.limits = context.limits;
  StringRef seconds = context.option("solver-timeout");
  if (seconds.getAsDouble(solverSeconds) || !(solverSeconds > 0)) {
    context.diags.report(diag::bad_option_value)
        << "solver-timeout" << seconds << "a number of seconds";
    return false;
  }
  std::optional<uint64_t> rounds = context.number("max-rounds");
  if (!rounds)
    return false;
  options.maxRounds =
      static_cast<unsigned>(std::min<uint64_t>(*rounds, UINT32_MAX));
  return readIntegers(context.option("integers"));
}

bool Comparison::buildGraphs() {
  ChoreographyRef which = findChoreographies(spec).front();
  choreography.name = choreographyName(spec, which).str();
  at = choreographyPlace(spec, which);
  if (!limit.empty())
    return false;
  normal = implementation.clone();
  if (!normalize(normal, context.diags) || !normalize(spec, context.diags))
    return false;
  // Realizability is about traces [verchor, Def. 6].
  Outcome<ComparedGraphs> built = buildComparison(
      normal, spec, pool, *solver, context.limits, context.diags, open, network,
      options.integers, realizes ? Decisions::DoNotCount : Decisions::Count);
  if (!built) {
    limit = built.limit();
    return false;
  }
  impl = std::move(built->implementation);
  choreography = std::move(built->choreography);
  hidden = std::move(built->hidden);
  constants = std::move(built->constants);
  at = built->at;
  if (realizes) // what is open in a part only is what that part does not know
    open.resize(built->openInChoreography);
  return true;
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

std::string Comparison::stepText(const PartingStep &step) const {
  const StgTransition &t =
      step.implementation ? *step.implementation : *step.choreography;
  if (t.action == StgAction::Tick)
    return "done";
  std::string text;
  if (t.action == StgAction::Tau) {
    if (t.label.message.empty())
      return (step.implementation ? "" : "the choreography: ") +
             silentText(pool, t);
    text = t.receives ? "received: " : "hidden: ";
  }
  text += quoted(t.label.sender) + " -> " + quoted(t.label.receiver) + " : " +
          quoted(t.label.message);
  std::string values;
  for (size_t i = 0; i < t.fields.size() && i < step.values.size(); ++i) {
    const DataVariable &v = pool.variable(t.fields[i].parameter);
    values += values.empty() ? "(" : ", ";
    values += quoted(v.name) + " = " + pool.valueText(step.values[i], v.sort);
  }
  return text + (values.empty() ? "" : values + ")");
}

/// What the side that cannot take the last step could do instead.
std::string Comparison::otherSteps(const Parting &parting) const {
  bool bySpec = parting.steps.back().choreography;
  uint32_t state = bySpec ? pes->impl.initial : choreography.initial;
  for (const PartingStep &step : ArrayRef(parting.steps).drop_back())
    if (const StgTransition *t =
            bySpec ? step.implementation : step.choreography)
      state = t->to;
  return stepsAt(bySpec ? pes->impl : choreography, state);
}

/// What a side can do in a state, by names.
std::string Comparison::stepsAt(const Stg &side, uint32_t state) const {
  std::vector<std::string> texts;
  for (const StgTransition &t : side.of(state)) {
    const bool isOwn = t.action == StgAction::Tau && t.label.message.empty();
    std::string guard =
        isOwn || pool.is(t.guard, true) ? "" : " if " + pool.text(t.guard);
    std::string text = t.action == StgAction::Tick ? "to be done"
                       : isOwn                     ? silentText(pool, t)
                       : t.action == StgAction::Tau
                           ? "a hidden step"
                           : t.label.sender + " -> " + t.label.receiver +
                                 " : " + t.label.message;
    if (!llvm::is_contained(texts, text + guard))
      texts.push_back(text + guard);
  }
  return texts.empty() ? "nothing" : llvm::join(texts, ", ");
}

void Comparison::addWitness(FactBuilder &fact, const Parting &parting) {
  fact.show("trace");
  for (const PartingStep &step : parting.steps)
    fact.step(stepText(step), step.implementation ? step.implementation->at
                                                  : step.choreography->at);
  bool bySpec = parting.steps.back().choreography;
  fact.witness->steps.back().note =
      "<- allowed by " + (bySpec ? "the choreography, not by " + sides
                                 : sides + ", not by the choreography");
  std::string values;
  for (auto [v, value] : parting.initial) {
    values += values.empty() ? "" : ", ";
    values += quoted(pool.variable(v).name) + " = " +
              pool.valueText(value, pool.variable(v).sort);
  }
  if (!values.empty())
    fact.note("in this run hidden exchanges carry " + values);
  fact.note((bySpec ? sides : "the choreography") +
            " can do here: " + otherSteps(parting));
  if (parting.lateAnswer)
    fact.note("an answer is chosen before the value is known (late "
              "semantics), and each one is wrong for some value");
}

FactBuilder Comparison::fact() const {
  FactBuilder fact(
      realizes ? "realizable" : "conforms",
      (realizes ? "" : "the implementation to ") + choreographyText(), at);
  fact.with("relation", "symbolic");
  for (StringRef name : {"network", "bound", "integers"})
    if (context.hasOption(name))
      fact.with(name, context.option(name));
  return fact.by(
      (pes && pes->inclusion ? "symbolic inclusion of traces [verchor, Def. 6]"
                             : "symbolic branching bisimulation for "
                               "conformance [symbolic, Def. 4]") +
      std::string(realizes ? " of the projection" : "") +
      (byViews ? ", in which each participant infers what it can" : "") +
      (topology == Topology::Other
           ? ""
           : "; " + std::to_string(network.bound) + "-bounded" +
                 topologyText(topology).str()) +
      ", solved with " + solver->version());
}

void Comparison::explain(FactBuilder &fact, const SymbolicVerdict &verdict) {
  fact.verdict = verdict.verdict;
  fact.exact = verdict.verdict != Verdict::Inconclusive && open.empty() &&
               (network.bound == UINT32_MAX || isShort);
  std::string name = choreographyText();
  if (verdict.verdict == Verdict::Inconclusive) {
    fact.message = (realizes ? "realizability of " : "conformance to ") + name +
                   " is not decided: " + stoppedText(verdict.stopped);
  } else if (verdict.verdict == Verdict::Violated) {
    bool never = verdict.constraint && pool.is(*verdict.constraint, false);
    fact.message = sides + " does not conform to " + name;
    if (verdict.constraint && !never) {
      std::string text = constraintText(pool, *verdict.constraint);
      fact.message = sides + " conforms to " + name + " only where " + text;
      fact.with("conforms-where", text);
    } else if (!verdict.constraint) {
      fact.note("for which data it conforms is not known: the equations were "
                "not solved to the end");
    }
    if (verdict.parting)
      addWitness(fact, *verdict.parting);
  }
  if (verdict.verdict != Verdict::Holds)
    llvm::append_range(fact.notes, notes);
  if (!hidden.empty()) {
    std::string names;
    for (const StgLabel &label : hidden)
      names += (names.empty() ? "" : ", ") + label.sender + " -> " +
               label.receiver + " : " + label.message;
    fact.note("hidden, because the choreography does not have it: " + names);
  }
  if (!open.empty())
    fact.note("conditions are left open (" + Twine(open.size()) +
              " of them): any branch may be taken");
}

/// Whether any peers would fail as those of the projection do: whoever takes
/// the last step has to be able to, because it also would in some run of the
/// choreography that looks the same to it. By handshakes the receiver takes it,
/// too, and could refuse. Where they are done does not count [verchor, Def. 6].
bool Comparison::isOfAnyPeers(const Parting &parting) {
  const StgTransition *t = parting.steps.back().implementation;
  Travel travel = network.kind == StgNetwork::Handshakes ? Travel::None
                  : network.kind == StgNetwork::Bag      ? Travel::Overtakes
                                                         : Travel::InOrder;
  auto must = [&](StringRef who) {
    return mustBeAble(*pes, parting, who, travel, *t, *solver, alike) ==
           Answer::Yes;
  };
  alike.clear();
  if (!t || t->action != StgAction::Exchange)
    return false;
  if (travel == Travel::None && !must(t->label.receiver))
    return false;
  alike.clear();
  return must(t->label.sender);
}

/// Where it stopped, and what was decided by then.
void Comparison::explainStop(FactBuilder &fact,
                             const PesSolution &solution) const {
  if (!solution.stopped.empty()) {
    const PesPair &pair = pes->pairs[solution.stoppedAt];
    fact.note("there " + sides +
              " can do: " + stepsAt(pes->impl, pair.implementation));
    fact.note("and the choreography: " +
              stepsAt(choreography, pair.choreography));
  }
  fact.note("solved by then: " + Twine(solution.solved) + " of " +
            Twine(pes->pairs.size()) + " pairs of states");
}

void Comparison::report(const Twine &why) {
  FactBuilder made = fact();
  SymbolicVerdict verdict;
  verdict.stopped = why.str();
  explain(made, verdict);
  context.report(module, std::move(made));
}

PassResult Comparison::stopped() {
  isLeft = realizes && network.kind != StgNetwork::Handshakes &&
           network.bound == UINT32_MAX;
  if (!isLeft && !isShort)
    report(limit);
  return PassResult::Unchanged;
}

/// Adds what was asked of the solver in the end.
void Comparison::write(const PesSolution &solution, SymbolicFiles &files) {
  llvm::raw_string_ostream equations(files.equations), smt2(files.smt2);
  if (context.hasOption("equations")) {
    printPes(*pes, equations);
    equations << "\n";
    printSolution(*pes, solution, equations);
  }
  if (!context.hasOption("smt2"))
    return;
  if (!files.smt2.empty()) // of another choreography
    smt2 << "\n(reset)\n";
  printSmt2(*pes, solution, ofEquations, smt2);
}

static bool writeFiles(const SymbolicFiles &files, PassContext &context) {
  for (auto [option, text] :
       {std::pair(StringRef("equations"), StringRef(files.equations)),
        std::pair(StringRef("smt2"), StringRef(files.smt2))})
    if (!text.empty() && // a limit may have come before
        !context.host.write(context.option(option),
                            [&, text = text](raw_ostream &os) { os << text; }))
      return false;
  return true;
}

/// Compares \p side with the choreography. Nothing: `limit` says why.
std::optional<PesSolution>
Comparison::solve(const Stg &side, SymbolicVerdict &verdict, bool inclusion) {
  pes = std::make_unique<Pes>(side, choreography, pool, options.integers,
                              inclusion);
  limit = pes->build(context.limits);
  if (!limit.empty())
    return std::nullopt;
  PesSolution solution = solvePes(*pes, *solver, options);
  verdict = decideConformance(*pes, solution, *solver, constants);
  ofEquations = verdict;
  return solution;
}

/// The parts of a choreography's graph may fail where others would not: they
/// choose between branches that look alike to them, and infer no data. So those
/// are asked who know all that can be known, and do no more than they have to.
/// \p anyFail: it is known that any peers fail.
std::optional<PesSolution> Comparison::solveByViews(SymbolicVerdict &verdict,
                                                    bool anyFail) {
  verdict = SymbolicVerdict();
  Outcome<std::vector<Stg>> parts =
      projectByViews(*pes, *solver, context.limits);
  Outcome<Stg> whole = parts ? product(*parts, pool, context.limits, network)
                             : Outcome<Stg>::without(parts);
  if (!whole) {
    limit = whole.limit();
    return std::nullopt;
  }
  byViews = true;
  views = std::move(*whole);
  // They have the traces of the choreography in any case, and the question is
  // whether they have others. Where these traces are not found, bisimulation
  // may still say that they have not.
  Outcome<Stg> traces = tracesOf(*pes, *solver, context.limits);
  if (traces)
    choreography = std::move(*traces);
  std::optional<PesSolution> solution =
      solve(views, verdict, /*inclusion=*/bool(traces));
  auto fails = [&] {
    return verdict.parting && !isOfAnyPeers(*verdict.parting) && !anyFail;
  };
  if (fails()) {
    verdict = SymbolicVerdict();
    verdict.stopped = "the projection fails, but other peers might succeed";
  }
  return solution;
}

/// Whether what short queues say is so with longer ones. A step that is wrong
/// is; that there is none is so where it would be with one message already
/// [finkel23, digiusto24].
bool Comparison::decidesShort(const SymbolicVerdict &verdict) {
  if (verdict.verdict == Verdict::Violated)
    return verdict.parting->steps.back().implementation;
  if (verdict.verdict == Verdict::Holds) {
    std::map<std::string, uint32_t> numbers;
    std::set<std::pair<uint32_t, uint32_t>> channels;
    std::set<uint32_t> senders;
    auto number = [&](const std::string &name) {
      return numbers.try_emplace(name, numbers.size()).first->second;
    };
    for (const StgLabel &label : alphabetOf(choreography)) {
      channels.insert({number(label.sender), number(label.receiver)});
      senders.insert(number(label.sender));
    }
    // A queue of what one sends to one other is that of the pair.
    bool ofPairs =
        networkHas(travels, NetworkHasOwnQueues) ||
        (travels == NetworkKind::Outbox && channels.size() == senders.size()) ||
        (travels == NetworkKind::FifoAll && channels.size() == 1);
    if (ofPairs)
      topology = topologyOf(channels, numbers.size());
  }
  return topology != Topology::Other;
}

PassResult Comparison::run(SymbolicFiles &files) {
  if (!readOptions())
    return PassResult::Failed;
  if (isShort) {
    if (network.kind == StgNetwork::Handshakes ||
        network.kind == StgNetwork::One || network.bound != UINT32_MAX)
      return PassResult::Unchanged;
    network.bound = 2;
  }
  std::string why;
  solver = makeSolver(pool, solverSeconds, context.limits, why);
  if (!solver) {
    context.diags.report(diag::no_solver) << "relation=symbolic" << why;
    return PassResult::Failed;
  }
  if (!buildGraphs())
    return limit.empty() ? PassResult::Failed : stopped();
  // Of a projection each part has its own.
  std::set<std::tuple<std::string, uint32_t, uint32_t, std::string>> told;
  llvm::erase_if(open, [&](const OpenCondition &c) {
    return !told.insert({c.at.file, c.at.line, c.at.column, c.text}).second;
  });
  if (!toldOpen)
    for (const OpenCondition &c : open)
      context.diags.report(c.at, diag::condition_open) << c.text << c.why;
  toldOpen = true;
  SymbolicVerdict verdict;
  std::optional<PesSolution> solution = solve(impl, verdict);
  auto replays = [&] {
    return verdict.parting && replayParting(*pes, *verdict.parting) &&
           replaysExplicitly(byViews ? nullptr : &normal, spec, travels,
                             network.bound, *pes, *verdict.parting, alike,
                             context.limits);
  };
  if (realizes && verdict.parting) {
    bool anyFail = isOfAnyPeers(*verdict.parting);
    if (!anyFail) { // there may be another step that is wrong
      SymbolicVerdict wrong;
      std::optional<PesSolution> steps = solve(impl, wrong, /*inclusion=*/true);
      anyFail = steps && wrong.parting && isOfAnyPeers(*wrong.parting);
      if (anyFail) {
        verdict = std::move(wrong);
        solution = std::move(steps);
      }
    }
    if (!anyFail || !replays())
      solution = solveByViews(verdict, anyFail);
  }
  if (!solution)
    return stopped();
  if (isShort)
    isDecided = decidesShort(verdict);
  if (isShort && !isDecided)
    return PassResult::Unchanged;
  context.count("pairs", pes->pairs.size());
  context.count("pairs solved", solution->solved);
  context.count("questions to the solver", solver->queries);
  FactBuilder made = fact();
  made.states = pes->impl.numStates();
  made.transitions = pes->impl.transitions.size();
  explain(made, verdict);
  if (verdict.verdict == Verdict::Inconclusive)
    explainStop(made, *solution);
  write(*solution, files);
  context.report(module, std::move(made), replays);
  return PassResult::Unchanged;
}

PassResult cif::checkSymbolicConforms(Module &module, Module &spec,
                                      PassContext &context) {
  SymbolicFiles files;
  PassResult result = Comparison(module, module, spec, context).run(files);
  return result != PassResult::Failed && writeFiles(files, context)
             ? result
             : PassResult::Failed;
}

/// The processes of all participants, and whatever they lack, as far as
/// \p budget allows.
static Module projection(const Module &normal, std::vector<Note> &notes,
                         Budget &budget) {
  const Behaviour &choreography = normal.behaviours[0];
  Module result = normal.clone();
  result.behaviours.clear();
  std::set<uint32_t> involved;
  for (const Node &node : choreography.nodes)
    for (MessageId id : {node.message, node.reply})
      if (id)
        for (ParticipantId p :
             {normal.message(id).sender, normal.message(id).receiver})
          if (p)
            involved.insert(p.index());
  if (involved.empty()) // nobody has to do anything
    result.behaviours.push_back(choreography);
  for (uint32_t p : involved) {
    if (budget.spend(choreography.nodes.size() + choreography.flows.size()))
      break;
    std::vector<UntoldChoice> untold;
    std::vector<UntoldData> unknown;
    Behaviour process =
        projectGraph(normal, choreography, ParticipantId(p), untold, unknown);
    StringRef peer = normal.participantName(ParticipantId(p));
    process.name = result.intern(peer);
    result.behaviours.push_back(std::move(process));
    for (const UntoldData &lacks : unknown)
      notes.push_back({untoldPlace(normal, choreography, lacks),
                       untoldText(normal, choreography, peer, lacks)});
  }
  return result;
}

/// Whether something may happen again and again, so that queues may grow for
/// ever. A guess: it says what is tried first.
static bool mayRepeat(const Module &spec) {
  return !spec.systems.empty() ||
         llvm::any_of(spec.behaviours, [](const Behaviour &b) {
           FlowIndex flows(b);
           return llvm::any_of(
                      b.nodes,
                      [](const Node &n) { return n.kind == NodeKind::Call; }) ||
                  !isAcyclic(b.nodes.size(), [&](uint32_t n, auto visit) {
                    for (FlowId f : flows.outgoing(NodeId(n)))
                      visit(b.flow(f).target.index());
                  });
         });
}

/// Compares a choreography with its projection, with short queues first where
/// longer ones may never end. \p limit: what projecting stopped at, or empty.
static PassResult compareProjection(Module &module, const Module &projection,
                                    Module &spec, std::vector<Note> notes,
                                    StringRef limit, PassContext &context,
                                    SymbolicFiles &files) {
  const bool shortFirst = mayRepeat(spec);
  auto make = [&] {
    auto made = std::make_unique<Comparison>(module, projection, spec, context,
                                             /*realizes=*/true);
    made->notes = notes;
    made->limit = limit.str();
    return made;
  };
  std::unique_ptr<Comparison> whole = make(), brief = make();
  if (shortFirst) {
    if (brief->runShort(files) == PassResult::Failed)
      return PassResult::Failed;
    if (brief->isDecided)
      return PassResult::Unchanged;
    whole->toldOpen = brief->toldOpen;
  }
  if (whole->run(files) == PassResult::Failed)
    return PassResult::Failed;
  if (!whole->isLeft)
    return PassResult::Unchanged;
  brief->toldOpen = whole->toldOpen;
  if (!shortFirst && brief->runShort(files) == PassResult::Failed)
    return PassResult::Failed;
  if (!brief->isDecided)
    whole->reportStop();
  return PassResult::Unchanged;
}

PassResult cif::checkSymbolicRealizable(Module &module, PassContext &context) {
  std::vector<ChoreographyRef> all = findChoreographies(module);
  if (all.empty()) {
    context.diags.report(diag::nothing_to_check) << "choreography";
    return PassResult::Failed;
  }
  SymbolicFiles files;
  for (ChoreographyRef which : all) {
    std::vector<Note> notes;
    Module spec = which.isSystem ? extractSystem(module, which.index)
                                 : extractBehaviour(module, which.index);
    Module implementation;
    Budget budget(context.limits);
    if (which.isSystem) {
      std::optional<PeerSet> set =
          projectedPeers(module, which, context.limits, context.diags);
      if (!set)
        return PassResult::Failed;
      implementation = std::move(set->module);
    } else {
      if (!normalize(spec, context.diags))
        return PassResult::Failed;
      Module possible = spec.clone();
      bool guarded = llvm::any_of(possible.behaviours[0].flows,
                                  [](const Flow &f) { return bool(f.guard); });
      FormulaPool pool;
      std::string why;
      if (auto solver = makeSolver(pool, 1, context.limits, why);
          solver && guarded)
        closeImpossibleBranches(possible, pool, *solver);
      implementation = projection(possible, notes, budget);
    }
    if (compareProjection(module, implementation, spec, std::move(notes),
                          budget.limit(), context, files) == PassResult::Failed)
      return PassResult::Failed;
  }
  return writeFiles(files, context) ? PassResult::Unchanged
                                    : PassResult::Failed;
}
