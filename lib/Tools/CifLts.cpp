//===- CifLts.cpp - cif-lts ---------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The driver of cif-lts: one function per subcommand, in one table.
///
//===----------------------------------------------------------------------===//

#include "OutputNames.h"
#include "PageModels.h"
#include "SemanticsArguments.h"
#include "cif/Calculus/IocRelation.h"
#include "cif/Equivalence/Compare.h"
#include "cif/Equivalence/Minimize.h"
#include "cif/Explore/Engine.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/Frontend/Pnml.h"
#include "cif/LTS/Aut.h"
#include "cif/LTS/Graph.h"
#include "cif/LTS/Operations.h"
#include "cif/Semantics/CommandSystem.h"
#include "cif/Support/Diagnostics/Pass.h"
#include "cif/Support/Diagnostics/Semantics.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "cif/Support/ExitCodes.h"
#include "cif/Support/InputBytes.h"
#include "cif/Support/Visible.h"
#include "cif/Tools/Drivers.h"
#include "cif/Tools/OutputFile.h"
#include "cif/Tools/Session.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"

using namespace cif;

static const ToolInfo ltsInfo = {
    CifLts, "cif-lts", "COMMAND [options] FILE...",
    "Work on labelled transition systems: AUT files, or the systems of "
    "modules.\nCommands: info, convert, explore, minimize, compare, hide, "
    "determinize, path.",
    "  cif-lts minimize --relation=branching in.aut -o out.aut\n"
    "  cif-lts compare --relation=weak --certificate=c.txt a.aut b.aut\n"
    "  cif-lts explore --network=inbox --bound=2 peers.cp | cif-lts minimize "
    "-\n"};

namespace {
class LtsDriver {
public:
  explicit LtsDriver(Session &session)
      : session(session), arguments(session.arguments), diags(session.diags) {}

  int run();
  /// Prints the page of the command \p name.
  static int help(StringRef name, const Registry &registry);

private:
  int info(ArrayRef<Lts> inputs);
  int convert(ArrayRef<Lts> inputs) { return write(inputs[0]); }
  int explore(ArrayRef<Lts>);
  int exploreNet(const SourceBuffer &source);
  int exploreWith(const EngineOptions &with, const Module &module,
                  SemanticsOptions options);
  int finishExplored(const Module &module, const Exploration &explored);
  int minimize(ArrayRef<Lts> inputs);
  int compare(ArrayRef<Lts> inputs);
  int compareRoles(ArrayRef<Lts> inputs, IocRelation by);
  int determinize(ArrayRef<Lts> inputs);
  int path(ArrayRef<Lts> inputs);

  int usage(const Twine &text) {
    diags.report(diag::usage) << text;
    return ExitError;
  }
  int idle(const Twine &option, const Twine &why) {
    diags.report(diag::idle_option) << "--" + option << why;
    return ExitError;
  }
  int badValue(StringRef option, const Twine &expected) {
    diags.report(diag::bad_option_value)
        << "--" + option << arguments.value(option) << expected;
    return ExitError;
  }
  std::optional<Lts> pick(const Module &module, StringRef file);
  std::optional<Lts> read(StringRef file);
  bool foundAll();
  std::optional<Relation> relation();
  int write(const Lts &lts);
  int inconclusive(StringRef property, const Twine &message);
  bool limits(TokenLimits &limits);

  Session &session;
  Arguments &arguments;
  DiagnosticEngine &diags;
  ArrayRef<std::string> files;

  /// What a command does with the options that only some have.
  struct Command {
    const char *name;
    unsigned inputs;
    int (LtsDriver::*run)(ArrayRef<Lts>);
    const char *options;  ///< those that it heeds
    bool writesLts;       ///< to -o, by its extension
    bool readsModules;    ///< it reads its files itself
    const char *synopsis; ///< these four are its page of help
    const char *summary;
    const char *example;
    const char *exitStatus;
  };
  static const Command commands[];
  static bool heeds(const Command &command, StringRef option);
  bool heedsAll(const Command &command);
  LtsFormat format = LtsFormat::Aut;
  bool hasModule = false;   ///< among the inputs
  llvm::StringSet<> hidden; ///< the names of --tau that labels have
};
} // namespace

#define CIF_READING "tau system "
#define CIF_VERDICTS "verdicts expect exit-zero max-states"
#define CIF_WRITTEN "0 written; 2 bad usage or bad input, nothing written"
#define CIF_OR_LIMIT "; 3 stopped at a limit,\n  nothing written"
const LtsDriver::Command LtsDriver::commands[] = {
    {"info", 1, &LtsDriver::info, CIF_READING "output", false, false,
     "[options] FILE",
     "Print how many states, transitions, labels and deadlocks an LTS has.",
     "  cif-lts info model.aut.gz\n", CIF_WRITTEN},
    {"convert", 1, &LtsDriver::convert, CIF_READING "output", true, false,
     "[options] FILE",
     "Write an LTS in another format, which the extension of -o selects.",
     "  cif-lts convert model.aut -o model.dot\n", CIF_WRITTEN},
    {"explore", 1, &LtsDriver::explore,
     "semantics network bound observe only max-tokens constraint engine "
     "engine-args hosts output " CIF_VERDICTS,
     true, true, "[options] FILE",
     "Explore the choreography, processes or peers of a model, or a Petri net,"
     "\nand write the LTS.",
     "  cif-lts explore --network=inbox --bound=2 peers.cp -o peers.aut\n",
     CIF_WRITTEN "; 3 stopped at a limit\n"
                 "  or growing without bound, nothing written"},
    {"minimize", 1, &LtsDriver::minimize,
     CIF_READING "relation output " CIF_VERDICTS, true, false, "[options] FILE",
     "Write the smallest LTS that is equivalent, modulo --relation (default "
     "strong).",
     "  cif-lts minimize --relation=branching in.aut -o out.aut\n",
     CIF_WRITTEN CIF_OR_LIMIT},
    {"compare", 2, &LtsDriver::compare,
     CIF_READING "relation certificate baseline " CIF_VERDICTS, false, false,
     "[options] LEFT RIGHT",
     "Decide whether two LTSs are related by --relation (default strong), and "
     "explain\na difference.",
     "  cif-lts compare --relation=weak --certificate=c.txt a.aut b.aut\n",
     "0 related; 1 not related; 2 bad usage or bad input; 3 inconclusive"},
    // --tau is applied to every input.
    {"hide", 1, &LtsDriver::convert, CIF_READING "output", true, false,
     "--tau=LABEL,... [options] FILE",
     "Write an LTS with the given labels as silent steps.",
     "  cif-lts hide --tau=lock,free in.aut -o out.aut\n", CIF_WRITTEN},
    {"determinize", 1, &LtsDriver::determinize,
     CIF_READING "output " CIF_VERDICTS, true, false, "[options] FILE",
     "Write a deterministic LTS with the same traces, silent steps removed.",
     "  cif-lts determinize in.aut -o out.aut\n", CIF_WRITTEN CIF_OR_LIMIT},
    {"path", 1, &LtsDriver::path,
     CIF_READING "to-label to-state to-deadlock to-livelock output exit-zero",
     false, false, "[options] FILE",
     "Print a shortest path to a deadlock, a label, a state or a silent cycle.",
     "  cif-lts path --to-label=error model.aut\n",
     "0 there is a path; 1 there is none; 2 bad usage or bad input"},
};
#undef CIF_READING
#undef CIF_VERDICTS
#undef CIF_WRITTEN
#undef CIF_OR_LIMIT

bool LtsDriver::heeds(const Command &command, StringRef option) {
  SmallVector<StringRef, 12> options;
  StringRef(command.options).split(options, ' ');
  return llvm::is_contained(options, option);
}

int LtsDriver::help(StringRef name, const Registry &registry) {
  const Command *command =
      llvm::find_if(commands, [&](const Command &c) { return name == c.name; });
  if (command == std::end(commands))
    return ExitError;
  std::vector<StringRef> omitted; // what only other commands heed
  for (const OptionInfo &o : allOptions())
    if (!heeds(*command, o.name) &&
        llvm::any_of(commands,
                     [&](const Command &c) { return heeds(c, o.name); }))
      omitted.push_back(o.name);
  const std::string tool = ("cif-lts " + name).str();
  ToolInfo page = ltsInfo;
  page.name = tool.c_str();
  page.synopsis = command->synopsis;
  page.summary = command->summary;
  page.examples = command->example;
  page.exitStatus = command->exitStatus;
  page.omitted = omitted;
  printHelp(llvm::outs(), page, registry);
  return ExitHolds;
}

/// Whether \p command does something with every option that is given.
bool LtsDriver::heedsAll(const Command &command) {
  bool ok = true;
  for (const Arguments::Option &option : arguments.options) {
    SmallVector<StringRef, 8> others;
    for (const Command &c : commands)
      if (heeds(c, option.name))
        others.push_back(c.name);
    if (others.empty() || heeds(command, option.name))
      continue; // an option of all commands, or of this one
    ok = false;
    (void)idle(option.name, Twine("for ") + command.name + "; it is for " +
                                llvm::join(others, ", "));
  }
  return ok;
}

/// The LTS that --system names, or the only one.
std::optional<Lts> LtsDriver::pick(const Module &module, StringRef file) {
  const StringRef wanted = arguments.value("system");
  SmallVector<const SystemDecl *> found;
  std::string names;
  for (const SystemDecl &system : module.systems) {
    names +=
        (names.empty() ? "'" : ", '") + module.text(system.name).str() + "'";
    if (wanted.empty() || module.text(system.name) == wanted)
      found.push_back(&system);
  }
  if (found.size() == 1)
    return found[0]->lts;
  if (names.empty())
    (void)usage("'" + file + "' has no LTS; 'cif-lts explore' makes one of it");
  else if (found.empty())
    (void)usage("'" + file + "' has no LTS '" + wanted + "', but " + names);
  else
    (void)usage("'" + file + "' has " + Twine(found.size()) + " LTSs" +
                (wanted.empty() ? "; pick one with --system=NAME: " + names
                                : " '" + wanted.str() + "'"));
  return std::nullopt;
}

/// AUT files are read straight into an LTS; anything else is a module.
std::optional<Lts> LtsDriver::read(StringRef file) {
  llvm::sys::fs::file_status status;
  // What cannot be opened is for readModule, which says what may be meant.
  bool isAut = file == "-" ||
               (!llvm::sys::fs::status(file, status) &&
                status.type() != llvm::sys::fs::file_type::directory_file);
  if (file != "-" && status.type() == llvm::sys::fs::file_type::regular_file) {
    std::string start = startOfInput(file, 256);
    if (looksLikePnml(start)) {
      (void)usage("'" + file + "' is a Petri net, not an LTS; 'cif-lts " +
                  "explore' turns it into one");
      return std::nullopt;
    }
    isAut =
        looksLikeAut(start) || !session.registry.detectFrontEnd(file, start);
  }
  std::optional<Lts> lts;
  hasModule |= !isAut;
  if (isAut) {
    lts =
        readAutFile(file, diags, {}, session.maxInput, session.limits.threads);
  } else if (auto module = readModule(file, session.registry,
                                      session.inputOptions(), diags)) {
    lts = pick(*module, file);
  }
  SmallVector<StringRef, 4> silent;
  arguments.value("tau").split(silent, ',', -1, /*KeepEmpty=*/false);
  if (lts && !silent.empty())
    lts = hide(*lts, [&](const Label &label) {
      bool any = false;
      for (StringRef name : silent)
        if (namesLabel(name, label)) {
          hidden.insert(name);
          any = true;
        }
      return any;
    });
  if (lts)
    session.page->add(*lts, file);
  return lts;
}

/// Whether what --system and --tau name was in one of the inputs.
bool LtsDriver::foundAll() {
  if (arguments.has("system") && !hasModule)
    return idle("system", "for a file that is one LTS") == ExitHolds;
  SmallVector<StringRef, 4> silent, missing;
  arguments.value("tau").split(silent, ',', -1, /*KeepEmpty=*/false);
  for (StringRef name : silent)
    if (!hidden.contains(name) && parseLabel(name).kind != LabelKind::Tau)
      missing.push_back(name);
  if (!missing.empty())
    diags.report(diag::unknown_label) << llvm::join(missing, ", ");
  return missing.empty();
}

std::optional<Relation> LtsDriver::relation() {
  StringRef name = arguments.value("relation", "strong");
  std::optional<Relation> found = parseRelation(name);
  if (!found)
    diags.report(diag::bad_option_value)
        << "--relation" << name
        << "one of " + llvm::join(relationNames(), ", ");
  return found;
}

/// Writes by the extension of -o, which run() has looked at.
int LtsDriver::write(const Lts &lts) {
  StringRef path = arguments.value("output", "-");
  session.page->add(lts, path == "-" ? "result" : path);
  auto file = OutputFile::open(path, "-o", session.files, diags);
  if (!file)
    return ExitError;
  bool ok = true;
  switch (format) {
  case LtsFormat::Binary:
  case LtsFormat::Text: {
    Module module;
    SystemDecl system{.name = module.strings.intern("lts"), .lts = lts};
    module.systems.push_back(std::move(system));
    const Emitter *emitter = session.registry.findEmitter(
        format == LtsFormat::Binary ? "cif" : "cift");
    ok = emitter && emitter->emit(module, file->os(), diags, EmitOptions());
    break;
  }
  case LtsFormat::Dot:
    writeDot(lts, file->os());
    break;
  case LtsFormat::AutGz:
    if (llvm::Error error =
            writeAutGz(lts, file->os(), session.limits.threads)) {
      diags.report(diag::cannot_write) << path << toString(std::move(error));
      ok = false;
    }
    break;
  case LtsFormat::Aut:
    writeAut(lts, file->os(), session.limits.threads);
    break;
  }
  // There is no verdict, and none of an earlier run is left.
  return ok && file->keep() && session.report({}, {}) ? ExitHolds : ExitError;
}

/// A part of an answer is no answer: nothing is written, and this says why.
int LtsDriver::inconclusive(StringRef property, const Twine &message) {
  Fact fact{.property = property.str(),
            .subject = "'" + files[0] + "'",
            .message = message.str()};
  return session.report(fact) ? ExitInconclusive : ExitError;
}

/// Limits on tokens: of the command line, and of a file.
bool LtsDriver::limits(TokenLimits &limits) {
  std::string wrong;
  if (arguments.has("max-tokens"))
    wrong = parseTokenLimits(arguments.value("max-tokens"), limits);
  if (!wrong.empty()) {
    diags.report(diag::bad_option_value)
        << "--max-tokens" << arguments.value("max-tokens")
        << "limits such as flow:2,message:1: " + wrong;
    return false;
  }
  if (!arguments.has("constraint"))
    return true;
  StringRef path = arguments.value("constraint");
  const SourceBuffer *source = session.files.addRead(path, diags)
                                   ? readSource(path, session.maxInput, diags)
                                   : nullptr;
  if (!source)
    return false;
  wrong = parseConstraintFile(source->text(), limits);
  if (!wrong.empty())
    diags.report(diag::bad_option_value)
        << "--constraint" << path << "a constraint file: " + wrong;
  return wrong.empty();
}

int LtsDriver::explore(ArrayRef<Lts>) {
  SemanticsOptions options;
  if (!readSemantics(arguments, options, diags) || !limits(options.limits))
    return ExitError;
  const SourceBuffer *source = readSource(files[0], session.maxInput, diags);
  if (source && looksLikePnml(source->text()))
    return exploreNet(*source);
  std::unique_ptr<Module> module =
      source
          ? readModule(*source, session.registry, session.inputOptions(), diags)
          : nullptr;
  if (!module || !semanticsApply(arguments, *module, options, diags))
    return ExitError;
  if (resolveSemantics(*module, options) == SemanticsKind::Peers)
    for (StringRef option : {"max-tokens", "constraint"})
      if (arguments.has(option))
        return idle(option, "here: peers have no tokens; --bound=N limits "
                            "their queues");
  session.flushWarnings();
  if (arguments.has("engine")) {
    if (arguments.has("max-states"))
      return idle("max-states", "with --engine, which counts no states");
    std::optional<EngineOptions> with =
        readEngine(arguments.value("engine"), arguments.value("engine-args"),
                   arguments.value("hosts"), diags);
    return with ? exploreWith(*with, *module, std::move(options)) : ExitError;
  }
  for (StringRef option : {"engine-args", "hosts"})
    if (arguments.has(option))
      return idle(option, "without --engine");
  ExploredModule explored =
      exploreModule(*module, options, {.limits = session.limits}, diags);
  if (!explored)
    return ExitError;
  for (const std::string &text : explored.system->abstractions())
    diags.report(diag::semantics_abstracts) << "'" + files[0] + "'" << text;
  return finishExplored(*module, *explored.exploration);
}

/// Lets an engine explore. One that keeps no transitions only counts.
int LtsDriver::exploreWith(const EngineOptions &with, const Module &module,
                           SemanticsOptions options) {
  const bool writes = with.kind == EngineKind::LtsminDist;
  if (!writes && arguments.has("output"))
    return idle("output",
                "with --engine=" + arguments.value("engine") +
                    ", which only counts; --engine=ltsmin-dist writes an LTS");
  options.plainQueues = options.bound != noBound;
  std::unique_ptr<System> system = makeSystem(module, options, diags);
  if (!system)
    return ExitError;
  Engine engine(with, module, options, *system, session.limits, diags);
  if (!engine.isReady())
    return ExitError;
  Outcome<EngineAnswer> answer = writes ? engine.write() : engine.count();
  if (answer.isFailed())
    return ExitError;
  Fact fact{.property = "explore",
            .subject = "'" + files[0] + "'",
            .method = engine.method()};
  if (answer.isStopped()) {
    fact.message = noVerdictText(answer.limit());
    return session.report(fact) ? ExitInconclusive : ExitError;
  }
  for (const std::string &text : system->abstractions())
    diags.report(diag::semantics_abstracts) << fact.subject << text;
  if (writes) {
    std::optional<Lts> lts =
        readAutFile(engine.writtenFile(), diags, {}, session.maxInput,
                    session.limits.threads);
    return lts ? write(*lts) : ExitError;
  }
  fact.verdict = Verdict::Holds;
  fact.exact = true;
  fact.states = answer->states;
  fact.transitions = answer->transitions;
  return session.report(fact) ? ExitHolds : ExitError;
}

/// Writes what was explored, or says why that is not all.
int LtsDriver::finishExplored(const Module &module,
                              const Exploration &explored) {
  if (explored.complete)
    return write(explored.lts);
  Fact fact{.property = "explore",
            .subject = "'" + files[0] + "'",
            .method = "breadth-first exploration"};
  fact.message = fact.subject +
                 " is not explored completely: " + explored.incompleteText();
  fact.states = explored.numStates();
  fact.transitions = explored.transitions;
  if (explored.growth)
    fact.witness = growthWitness(module, explored);
  return session.report(fact) ? ExitInconclusive : ExitError;
}

/// A Petri net has steps of its own: no option says what they mean.
int LtsDriver::exploreNet(const SourceBuffer &source) {
  for (const Arguments::Option &option : arguments.options)
    if (llvm::is_contained(semanticsOptionNames(), option.name) ||
        option.name == "max-tokens" || option.name == "constraint")
      return idle(option.name, "here: a Petri net has no messages");
    else if (option.name == "engine" || option.name == "engine-args" ||
             option.name == "hosts")
      return idle(option.name, "here: engines explore models, not Petri nets");
  std::optional<CommandModel> net = readPnml(source, diags);
  if (!net)
    return ExitError;
  session.flushWarnings();
  std::unique_ptr<System> system = makeCommandSystem(std::move(*net));
  return finishExplored(Module(),
                        cif::explore(*system, {.limits = session.limits}));
}

/// Where nothing can happen and it is not known to be done: what follows a
/// visible termination (`tick`) is its end, as a final state is.
static std::vector<StateIndex> deadStates(const Lts &lts,
                                          const std::vector<bool> &reached) {
  std::vector<StateIndex> dead = deadlocks(lts, reached);
  auto isTick = [](const Label &label) {
    return label.kind == LabelKind::Tick;
  };
  if (dead.empty() || llvm::none_of(lts.labels, isTick))
    return dead;
  std::vector<bool> ended(lts.numStates());
  for (size_t t = 0; t < lts.numTransitions(); ++t)
    if (isTick(lts.labels[lts.label[t]]))
      ended[lts.target[t]] = true;
  llvm::erase_if(dead, [&](StateIndex s) { return ended[s]; });
  return dead;
}

int LtsDriver::info(ArrayRef<Lts> inputs) {
  const Lts &lts = inputs[0];
  auto file = OutputFile::open(arguments.value("output", "-"), "-o",
                               session.files, diags);
  if (!file)
    return ExitError;
  size_t silent = llvm::count(lts.label.ref(), tauLabel);
  const std::vector<bool> reached = reachable(lts);
  file->os() << "states: " << lts.numStates()
             << "\ntransitions: " << lts.numTransitions()
             << "\nlabels: " << lts.labels.size() - 1
             << "\nsilent transitions: " << silent
             << "\ninitial state: " << lts.initial
             << "\nreachable states: " << llvm::count(reached, true)
             << "\ndeadlocks: " << deadStates(lts, reached).size()
             << "\nstates on silent cycles: "
             << (silent ? livelocks(lts, reached).size() : 0)
             << "\nfinal states: ";
  size_t numFinals = 0;
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    numFinals += lts.isFinal(s);
  if (lts.saysFinal())
    file->os() << numFinals << "\n";
  else
    file->os()
        << "not declared, so a state without transitions may be a deadlock\n";
  return file->keep() ? ExitHolds : ExitError;
}

int LtsDriver::minimize(ArrayRef<Lts> inputs) {
  std::optional<Relation> by = relation();
  if (!by)
    return ExitError;
  if (!canMinimize(*by))
    return badValue("relation", "a relation to minimise by: strong, branching, "
                                "dp-branching, weak, weak-trace or trace");
  Budget budget(session.limits);
  Outcome<Lts> small = minimizeWithin(inputs[0], *by, budget);
  return small ? write(*small)
               : inconclusive("minimize",
                              "no minimisation: " + stoppedText(small.limit()));
}

int LtsDriver::determinize(ArrayRef<Lts> inputs) {
  Budget budget(session.limits);
  Outcome<Lts> result = determinizeWithin(inputs[0], TauIs::Silent, budget);
  return result ? write(*result)
                : inconclusive("determinize", "no determinisation: " +
                                                  stoppedText(result.limit()));
}

/// A comparison as a fact, for people and for --verdicts.
static Fact factOf(const Comparison &result, ArrayRef<std::string> files) {
  Fact fact;
  fact.property = "related";
  fact.subject = "'" + files[0] + "' (left) and '" + files[1] + "' (right)";
  fact.parameters = {{"relation", relationName(result.relation).str()}};
  fact.verdict = result.verdict;
  fact.exact = result.verdict != Verdict::Inconclusive;
  fact.method = relationName(result.relation).str() + ": " + result.method;
  fact.states = result.states;
  fact.transitions = result.transitions;
  if (result.verdict == Verdict::Inconclusive)
    fact.message = noVerdictText(result.limit);
  if (!result.difference)
    return fact;
  const Difference &difference = *result.difference;
  fact.message =
      "the two are not related (" + relationName(result.relation).str() + ")";
  Witness witness;
  witness.kind = difference.kind == Difference::Formula ? "game" : "trace";
  for (const Label &label : difference.trace)
    witness.steps.push_back({labelText(label), {}, ""});
  if (difference.kind == Difference::Trace)
    witness.steps.back().note =
        "<- the " + sideName(difference.side).str() + " only";
  if (difference.kind == Difference::Formula)
    for (const std::string &sentence : difference.sentences)
      witness.steps.push_back({sentence, {}, ""});
  witness.formula = difference.formula;
  fact.witness = std::move(witness);
  if (difference.kind != Difference::Formula)
    for (const std::string &sentence : difference.sentences)
      fact.notes.push_back({{}, sentence});
  return fact;
}

/// A choreography and a system of roles, by the relations of [iocpoc].
int LtsDriver::compareRoles(ArrayRef<Lts> inputs, IocRelation by) {
  StringRef word = iocRelationNames()[static_cast<unsigned>(by)];
  if (by == IocRelation::DisjointTrace)
    return usage("'" + word +
                 "' needs a term: an LTS does not say what runs "
                 "in parallel; use cifc --check-bisimilar");
  if (arguments.has("certificate"))
    return usage("there are no certificates for '" + word + "'");
  for (bool isSystem : {false, true})
    if (std::optional<Label> label =
            foreignLabel(inputs[isSystem], by, isSystem))
      return usage(
          "'" + files[isSystem] + "' cannot be compared by " + word +
          ": the label '" + labelText(*label) + "' is not an exchange" +
          (isSystem && by != IocRelation::Synchronous ? " or output" : ""));
  IocComparison found = compareIoc(inputs[0], inputs[1], by, session.limits);
  Fact fact{.property = "related"};
  fact.subject =
      "choreography '" + files[0] + "' and system '" + files[1] + "'";
  fact.parameters = {{"relation", word.str()}};
  fact.verdict = found.verdict;
  fact.exact = found.verdict != Verdict::Inconclusive;
  fact.method = (word + ": " + found.method).str();
  fact.states = found.states;
  fact.transitions = found.transitions;
  if (found.verdict == Verdict::Inconclusive)
    fact.message = noVerdictText(found.limit);
  if (found.verdict == Verdict::Violated) {
    fact.message = ("the two are not related (" + word + ")").str();
    fact.witness.emplace();
    fact.witness->kind = found.trace.empty() ? "game" : "trace";
    for (const Label &label : found.trace)
      fact.witness->steps.push_back({labelText(label), {}, ""});
    fact.witness->formula = found.formula;
    for (const std::string &sentence : found.sentences)
      fact.notes.push_back({{}, sentence});
  }
  Verdict verdict = fact.verdict;
  if (!session.report(fact))
    return ExitError;
  return verdict == Verdict::Holds      ? ExitHolds
         : verdict == Verdict::Violated ? ExitViolated
                                        : ExitInconclusive;
}

int LtsDriver::compare(ArrayRef<Lts> inputs) {
  ArrayRef<StringRef> ofRoles = iocRelationNames();
  for (size_t i = 0; i < ofRoles.size(); ++i)
    if (arguments.value("relation") == ofRoles[i])
      return compareRoles(inputs, static_cast<IocRelation>(i));
  std::optional<Relation> by = relation();
  if (!by)
    return ExitError;
  CompareOptions options{.limits = session.limits,
                         .wantCertificate = arguments.has("certificate")};
  Comparison result = cif::compare(inputs[0], inputs[1], *by, options);
  if (!session.report(factOf(result, files)))
    return ExitError;
  if (!result.certificate.empty()) {
    auto file = OutputFile::open(arguments.value("certificate"),
                                 "--certificate", session.files, diags);
    if (!file)
      return ExitError;
    file->os() << result.certificate;
    if (!file->keep())
      return ExitError;
  }
  return result.verdict == Verdict::Holds      ? ExitHolds
         : result.verdict == Verdict::Violated ? ExitViolated
                                               : ExitInconclusive;
}

int LtsDriver::path(ArrayRef<Lts> inputs) {
  const Lts &lts = inputs[0];
  std::optional<Path> found;
  std::string goal = "a deadlock";
  if (arguments.has("to-label") + arguments.has("to-state") +
          arguments.has("to-deadlock") + arguments.has("to-livelock") >
      1)
    return usage("path has one goal: give one of --to-label, --to-state, "
                 "--to-deadlock and --to-livelock");
  if (arguments.has("to-label")) {
    StringRef name = arguments.value("to-label");
    goal = "label '" + name.str() + "'";
    for (LabelIndex l = 0; l < lts.labels.size(); ++l)
      if (namesLabel(name, lts.labels[l]))
        if (auto next = shortestPathToLabel(lts, l))
          if (!found || next->transitions.size() < found->transitions.size())
            found = std::move(next);
  } else if (arguments.has("to-state")) {
    StateIndex wanted = 0;
    goal = "state " + arguments.value("to-state").str();
    if (arguments.value("to-state").getAsInteger(10, wanted) ||
        wanted >= lts.numStates())
      return badValue("to-state", "a state below " + Twine(lts.numStates()));
    found = shortestPath(lts, [&](StateIndex s) { return s == wanted; });
  } else {
    bool silent = arguments.has("to-livelock");
    if (silent)
      goal = "a silent cycle";
    std::vector<bool> goals(lts.numStates());
    const std::vector<bool> reached = reachable(lts);
    for (StateIndex s :
         silent ? livelocks(lts, reached) : deadStates(lts, reached))
      goals[s] = true;
    found = shortestPath(lts, [&](StateIndex s) { return goals[s]; });
  }
  auto file = OutputFile::open(arguments.value("output", "-"), "-o",
                               session.files, diags);
  if (!file)
    return ExitError;
  if (!found) {
    file->os() << "no path to " << goal << "\n";
    return file->keep() ? ExitViolated : ExitError;
  }
  StateIndex at = found->start;
  file->os() << "path to " << goal << ", " << found->transitions.size()
             << " steps\n";
  for (uint32_t e : found->transitions) {
    file->os() << at << " --" << visible(labelText(lts.labels[lts.label[e]]))
               << "--> " << lts.target[e] << "\n";
    at = lts.target[e];
  }
  return file->keep() ? ExitHolds : ExitError;
}

int LtsDriver::run() {
  if (session.inputs().empty())
    return usage(
        "expected a command: info, convert, explore, minimize, compare, "
        "hide, determinize or path");
  StringRef name = session.inputs()[0];
  const Command *command =
      llvm::find_if(commands, [&](const Command &c) { return name == c.name; });
  if (command == std::end(commands)) {
    SmallVector<StringRef, 8> names;
    for (const Command &c : commands)
      names.push_back(c.name);
    return usage("unknown command '" + name + "'" +
                 guessText(nearest(name, names)));
  }
  files = session.inputs().drop_front();
  if (files.size() != command->inputs)
    return usage(name + " takes " +
                 (command->inputs == 1 ? "one file" : "two files") + ", not " +
                 Twine(files.size()));
  if (!heedsAll(*command))
    return ExitError;
  if (name == "hide" && !arguments.has("tau"))
    return usage("hide needs the labels to hide: --tau=LABEL,...");
  if (command->writesLts) {
    std::optional<LtsFormat> asked =
        ltsFormat(arguments.value("output", "-"), session.registry, diags);
    if (!asked)
      return ExitError;
    format = *asked;
  }
  std::vector<Lts> inputs;
  for (const std::string &file : files) {
    if (command->readsModules)
      break;
    std::optional<Lts> lts = read(file);
    if (!lts)
      return ExitError;
    inputs.push_back(std::move(*lts));
  }
  if (!command->readsModules && !foundAll())
    return ExitError;
  UnderLimits underLimits;
  return (this->*command->run)(inputs);
}

int cif::cifLtsMain(int argc, char **argv, Registry registry) {
  if (argc == 3 &&
      (argv[2] == StringRef("--help") || argv[2] == StringRef("-h")))
    if (LtsDriver::help(argv[1], registry) == ExitHolds)
      return ExitHolds;
  Session session(ltsInfo, registry);
  if (std::optional<int> status = session.start(argc, argv))
    return *status;
  return session.finish(LtsDriver(session).run());
}
