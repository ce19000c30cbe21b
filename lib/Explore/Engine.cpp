//===- Engine.cpp - Engines of other tools --------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs pins2lts-mc, pins2lts-sym and pins2lts-dist of LTSmin [ltsmin2015].
/// Deadlocks are searched for with `--deadlock` and the state label
/// `valid_end_state`, everything else as an edge label `goal...` of cif-pins
/// with `--action`: all three engines write traces for these.
///
/// An answer is trusted only where this cannot be avoided. That a goal is
/// reached is shown by a run of our own system through the states of the trace;
/// without such a run nothing is decided. That a goal is not reached is the
/// claim of the engine: it has ended by itself, without an error, and has
/// reported how many states there are.
///
/// Distributed traces are unordered and lack a state; follow() finds a run
/// through the states that are there.
///
//===----------------------------------------------------------------------===//

#include "cif/Explore/Engine.h"
#include "cif/IR/Text.h"
#include "cif/Support/ChildProcess.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include <csignal>
#include <cstdlib>
#include <set>

using namespace cif;

/// Where the build found LTSmin, and cif-pins as seen from the tools.
#ifndef CIF_LTSMIN_BIN
#define CIF_LTSMIN_BIN ""
#endif
#ifndef CIF_PINS_MODULE
#define CIF_PINS_MODULE ""
#endif

/// What the log of an engine may come to; the end is what counts.
static constexpr uint64_t mostOfLog = 4 << 20;
/// States of a trace that are read.
static constexpr size_t longestTrace = 1'000'000;

ArrayRef<StringRef> cif::engineWords() {
  static const StringRef words[] = {"ltsmin-mc", "ltsmin-sym", "ltsmin-dist"};
  return words;
}

static StringRef programOf(EngineKind kind) {
  static const StringRef names[] = {"pins2lts-mc", "pins2lts-sym",
                                    "pins2lts-dist"};
  return names[static_cast<unsigned>(kind)];
}

std::optional<EngineOptions> cif::readEngine(StringRef engine,
                                             StringRef arguments,
                                             StringRef hosts,
                                             DiagnosticEngine &diags) {
  EngineOptions options;
  const auto *at = llvm::find(engineWords(), engine);
  if (at == engineWords().end()) {
    diags.report(diag::bad_option_value)
        << "engine" << engine << "one of " + llvm::join(engineWords(), ", ");
    return std::nullopt;
  }
  options.kind = static_cast<EngineKind>(at - engineWords().begin());
  SmallVector<StringRef, 8> words;
  llvm::SplitString(arguments, words);
  options.arguments.assign(words.begin(), words.end());
  options.hosts = hosts.str();
  if (!hosts.empty() && options.kind != EngineKind::LtsminDist) {
    diags.report(diag::idle_option)
        << "--hosts"
        << "with --engine=" + engine.str() +
               ", which runs only on this machine; it is for "
               "--engine=ltsmin-dist";
    return std::nullopt;
  }
  return options;
}

std::string cif::engineText(const EngineOptions &options) {
  return engineWords()[static_cast<unsigned>(options.kind)].str() + " " +
         options.hosts + " " + llvm::join(options.arguments, " ");
}

struct Engine::Question {
  enum Kind : uint8_t { Count, Write, Deadlock, OneGoal, AllGoals } kind;
  Goal goal = Goal::None;
  uint32_t number = 0;
  const GoalWatch *watch = nullptr;

  bool findsRun() const { return kind == Deadlock || kind == OneGoal; }
  /// The edge label that is looked for, or its beginning.
  std::string label() const {
    if (kind == Deadlock)
      return "deadlock";
    bool isNumbered = kind == OneGoal && watch->numReached();
    return "goal" + (isNumbered ? std::to_string(number) : "");
  }
};

Engine::Engine(const EngineOptions &with, const Module &of,
               const SemanticsOptions &meaning, const System &explored,
               const Limits &within, DiagnosticEngine &engine)
    : options(with), module(of), semantics(meaning), system(explored),
      limits(within), diags(engine) {}

bool Engine::fail(const Twine &text) {
  diags.report(diag::engine_failed)
      << engineWords()[static_cast<unsigned>(options.kind)] << text.str();
  return false;
}

std::string Engine::method() const {
  static const char *const names[] = {"multi-core", "symbolic", "distributed"};
  return std::string("LTSmin, ") + names[static_cast<unsigned>(options.kind)] +
         " [ltsmin2015]" +
         (isTold()
              ? ", with the arguments " + llvm::join(options.arguments, " ")
              : "");
}

/// A path that means the same in the folder where the engines run.
static std::string absolute(StringRef path) {
  llvm::SmallString<256> whole(path);
  (void)llvm::sys::fs::make_absolute(whole); // else as it is
  return whole.str().str();
}

/// A program of LTSmin: in the folder that the user names, on the search path,
/// or where the build found it. Empty: nowhere.
static std::string findProgram(StringRef name) {
  SmallVector<std::string, 4> folders;
  if (const char *own = std::getenv("CIF_LTSMIN"); own && *own) {
    folders.push_back(std::string(own) + "/bin");
    folders.push_back(own);
  }
  SmallVector<StringRef, 4> paths(folders.begin(), folders.end());
  if (!paths.empty())
    if (auto found = llvm::sys::findProgramByName(name, paths))
      return absolute(*found);
  if (auto found = llvm::sys::findProgramByName(name))
    return absolute(*found);
  if (*CIF_LTSMIN_BIN)
    if (auto found = llvm::sys::findProgramByName(name, {CIF_LTSMIN_BIN}))
      return *found;
  return "";
}

static std::string findPlugin() {
  if (const char *own = std::getenv("CIF_PINS"); own && *own)
    return absolute(own);
  if (!*CIF_PINS_MODULE)
    return "";
  std::string self = llvm::sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&findPlugin));
  llvm::SmallString<256> path(llvm::sys::path::parent_path(self));
  llvm::sys::path::append(path, CIF_PINS_MODULE);
  return llvm::sys::fs::exists(path) ? path.str().str() : "";
}

bool Engine::isReady() {
  std::vector<StringRef> needed = {programOf(options.kind),
                                   "ltsmin-printtrace"};
  if (options.kind == EngineKind::LtsminDist)
    needed.push_back("ltsmin-convert");
  for (StringRef name : needed)
    if (findProgram(name).empty())
      return fail("'" + name +
                  "' is not installed; it is a program of LTSmin "
                  "(https://ltsmin.utwente.nl). Put it on the search path, or "
                  "set CIF_LTSMIN to the folder that it was installed to");
  if (options.kind == EngineKind::LtsminDist && findProgram("mpirun").empty())
    return fail("'mpirun' is not installed (Debian: openmpi-bin)");
  plugin = findPlugin();
  if (plugin.empty())
    return fail("cif-pins.so is missing: this build did not find LTSmin's "
                "headers (ltsmin/pins.h); set CIF_PINS to where it is");
  if (!llvm::sys::fs::exists(plugin))
    return fail("CIF_PINS names '" + plugin + "', which does not exist");
  if (!system.isBounded() && semantics.bound == noBound &&
      !semantics.limits.any())
    return fail("there may be infinitely many states, which the engine does "
                "not detect; give --bound=K for peers, "
                "--max-tokens=flow:N,message:N for processes");
  for (const auto *names : {&semantics.only, &semantics.handshakes})
    for (const std::string &name : *names)
      if (StringRef(name).contains(','))
        return fail("the name '" + name +
                    "' contains a comma, which separates names");
  return true;
}

/// Writes the module to where the engine finds it.
bool Engine::prepare() {
  if (!folder.path().empty())
    return true;
  std::error_code code = folder.create("cif-engine");
  if (code)
    return fail("no folder for temporary files: " + code.message());
  llvm::raw_fd_ostream os(folder.path() + "/model.cift", code);
  if (!code) {
    printText(module, os);
    os.close();
    code = os.error();
    os.clear_error();
  }
  return !code || fail("cannot write the model: " + code.message());
}

std::vector<std::string> Engine::modelOptions() const {
  std::vector<std::string> words = {
      "--loader=" + plugin,
      "--cif-semantics=" +
          semanticsWords()[static_cast<unsigned>(semantics.semantics)].str(),
      "--cif-bound=" + (semantics.bound == noBound
                            ? "none"
                            : std::to_string(semantics.bound)),
      std::string("--cif-queues=") +
          (semantics.plainQueues ? "slots" : "chunks"),
      "--cif-observe=" + observationText(semantics.observe).str(),
      std::string("--cif-environment=") + (semantics.open ? "open" : "closed")};
  if (semantics.network)
    words.push_back("--cif-network=" + networkText(*semantics.network).str());
  if (!semantics.only.empty())
    words.push_back("--cif-only=" + llvm::join(semantics.only, ","));
  if (!semantics.handshakes.empty())
    words.push_back("--cif-handshakes=" +
                    llvm::join(semantics.handshakes, ","));
  std::string tokens;
  for (auto [word, limit] : {std::pair("flow", semantics.limits.flow),
                             std::pair("message", semantics.limits.message),
                             std::pair("node", semantics.limits.node)})
    if (limit != noBound)
      tokens += (tokens.empty() ? "" : ",") + std::string(word) + ":" +
                std::to_string(limit);
  if (!tokens.empty())
    words.push_back("--cif-max-tokens=" + tokens);
  return words;
}

/// The engine with its options, of which those that the user gives come last.
std::vector<std::string> Engine::commandFor(const Question &question) const {
  const std::string workers = std::to_string(std::max(1u, limits.threads));
  // By default the engines take most of the machine, or several gigabytes.
  const uint64_t memory =
      limits.maxMemory ? limits.maxMemory : uint64_t(2) << 30;
  const unsigned bits = std::clamp(llvm::Log2_64(memory / 32), 20u, 36u);
  const std::string trace = folder.path() + "/trace";
  std::vector<std::string> words;
  switch (options.kind) {
  case EngineKind::LtsminMc:
    words = {findProgram("pins2lts-mc"), "--procs=" + workers, "--strategy=bfs",
             "-s" + std::to_string(std::min(bits, 32u))};
    break;
  case EngineKind::LtsminSym:
    words = {findProgram("pins2lts-sym"),
             "--order=chain",
             "--regroup=gs",
             "--lace-workers=" + workers,
             "--lace-dqsize=40000",
             "--sylvan-sizes=20," + std::to_string(bits) + ",18," +
                 std::to_string(bits - 2)};
    break;
  case EngineKind::LtsminDist:
    words = {findProgram("mpirun"), "-np", workers};
    if (options.hosts.empty())
      words.push_back("--oversubscribe");
    else
      llvm::append_values(words, "--host", options.hosts);
    llvm::append_values(words, findProgram("pins2lts-dist"), "--mpi");
    break;
  }
  llvm::append_range(words, modelOptions());
  if (question.kind == Question::Deadlock)
    words.push_back("--deadlock");
  if (question.kind == Question::OneGoal || question.kind == Question::AllGoals)
    llvm::append_values(
        words,
        "--cif-goal=" + goalWords()[static_cast<unsigned>(question.goal)].str(),
        "--action=" + question.label());
  if (question.kind == Question::AllGoals)
    words.push_back("--no-exit");
  if (question.findsRun())
    words.push_back("--trace=" + trace +
                    (options.kind == EngineKind::LtsminSym ? "" : ".gcf"));
  if (question.kind == Question::Write)
    words.push_back("--filter=action");
  llvm::append_range(words, options.arguments);
  words.push_back(folder.path() + "/model.cift");
  if (question.kind == Question::Write)
    words.push_back(folder.path() + "/out.gcf");
  return words;
}

/// The last so many bytes of a file.
static std::string endOf(const std::string &path) {
  uint64_t size = 0;
  if (llvm::sys::fs::file_size(path, size))
    return "";
  const uint64_t length = std::min(size, mostOfLog);
  auto buffer = llvm::MemoryBuffer::getFileSlice(path, length, size - length);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

/// The line of a log that tells what went wrong.
static std::string troubleIn(StringRef log) {
  std::string last;
  SmallVector<StringRef, 64> lines;
  log.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    if (line.contains("error"))
      return line.trim().str();
    if (!line.trim().empty())
      last = line.trim().str();
  }
  return last.empty() ? "it printed nothing" : last;
}

/// Reads `name: 1,234`-like numbers that a pattern matches, the last of them.
static bool numbersIn(StringRef log, const char *pattern, uint64_t &first,
                      uint64_t *second = nullptr) {
  llvm::Regex regex(pattern);
  SmallVector<StringRef, 4> found;
  bool any = false;
  for (StringRef rest = log; regex.match(rest, &found);
       rest = rest.drop_front(found[0].end() - rest.begin())) {
    double count = 0;
    if (found[1].getAsDouble(count) || !(count < 1.8e19))
      count = 1.8e19; // more than can be said
    first = static_cast<uint64_t>(count);
    if (second && found[2].getAsInteger(10, *second))
      *second = 0;
    any = true;
  }
  return any;
}

Outcome<ChildEnd> Engine::runTool(ArrayRef<std::string> words,
                                  const std::string &log) {
  ChildEnd end = run(
      {words[0], words.vec(), folder.path(), log, /*logsOutput=*/true}, limits);
  if (end.kind == ChildEnd::Stopped)
    return Stopped{end.text};
  if (end.kind == ChildEnd::Failed) {
    fail("cannot run '" + words[0] + "': " + end.text);
    return Failed();
  }
  return end;
}

/// What the engine ran out of; empty: nothing that it says.
static std::string shortageIn(const ChildEnd &end, StringRef said) {
  auto says = [&](StringRef words) { return said.contains_insensitive(words); };
  if (says("table full") || says("table is full"))
    return "the engine's table of states is full";
  if (says("out of memory") || says("cannot allocate memory") ||
      says("bad_alloc"))
    return "the engine ran out of memory";
  // This is how systems that run out of memory end a process.
  if (end.kind == ChildEnd::Crashed && end.status == SIGKILL)
    return "the engine was killed, probably because it used too much memory";
  return "";
}

/// How many states the engine says there are; false: it does not.
static bool readCounts(EngineKind kind, StringRef said, EngineAnswer &answer) {
  switch (kind) {
  case EngineKind::LtsminMc:
    return numbersIn(said, "Explored ([0-9]+) states ([0-9]+) transitions",
                     answer.states, &answer.transitions);
  case EngineKind::LtsminSym:
    return numbersIn(said, "state space has ([0-9.e+]+) states", answer.states);
  case EngineKind::LtsminDist:
    return numbersIn(
        said,
        "state space has [0-9]+ levels ([0-9]+) states ([0-9]+) transitions",
        answer.states, &answer.transitions);
  }
  llvm_unreachable("unknown engine");
}

/// The goals of steps that the engine says it found.
static std::vector<uint32_t> goalsIn(StringRef said) {
  std::vector<uint32_t> goals;
  llvm::Regex regex("found action: goal([0-9]+)");
  SmallVector<StringRef, 2> found;
  for (StringRef rest = said; regex.match(rest, &found);
       rest = rest.drop_front(found[0].end() - rest.begin()))
    if (uint32_t number; !found[1].getAsInteger(10, number))
      goals.push_back(number);
  return goals;
}

Outcome<EngineAnswer> Engine::ask(const Question &question) {
  if (!prepare())
    return Failed();
  const std::string log = folder.path() + "/log";
  for (const char *old : {"/trace.gcf", "/trace.csv", "/out.gcf"})
    (void)llvm::sys::fs::remove(folder.path() + old);
  Outcome<ChildEnd> end = runTool(commandFor(question), log);
  if (!end)
    return Outcome<EngineAnswer>::without(end);
  Outcome<EngineAnswer> answer = read(question, *end, endOf(log));
  if (!answer || !answer->isReached)
    return answer;
  Outcome<States> states = readTrace(
      folder.path() + "/trace" +
      (options.kind == EngineKind::LtsminSym ? question.label() : "") + ".gcf");
  if (!states)
    return Outcome<EngineAnswer>::without(states);
  Outcome<Walk> run = follow(*states, question);
  if (!run)
    return Outcome<EngineAnswer>::without(run);
  answer->run = std::move(*run);
  return answer;
}

/// What the engine says, without the run.
Outcome<EngineAnswer> Engine::read(const Question &question,
                                   const ChildEnd &end, StringRef said) {
  if (std::string shortage = shortageIn(end, said); !shortage.empty())
    return Stopped{shortage};
  EngineAnswer answer;
  const bool counted = readCounts(options.kind, said, answer);
  const char *const found = question.kind == Question::Deadlock
                                ? "[Dd]eadlock found|deadlock: [0-9]"
                                : "Error action '|found action: ";
  answer.isReached = question.findsRun() && llvm::Regex(found).match(said);
  // 1 is a counterexample. pins2lts-dist does not say so by its status.
  const bool isGood = end.kind == ChildEnd::Exited &&
                      (answer.isReached ? end.status == 0 || end.status == 1
                                        : end.status == 0 && counted);
  if (!isGood) {
    std::string how = end.kind == ChildEnd::Crashed
                          ? "crashed"
                          : "ended with status " + std::to_string(end.status);
    fail("the engine " + how + ": " + troubleIn(said));
    return Failed();
  }
  if (question.kind == Question::AllGoals)
    answer.found = goalsIn(said);
  return answer;
}

//===----------------------------------------------------------------------===//
// Traces
//===----------------------------------------------------------------------===//

/// The cells of a line with commas, of which some are in quotes.
static void splitCells(StringRef line, SmallVectorImpl<std::string> &cells) {
  cells.clear();
  while (true) {
    std::string cell;
    if (line.consume_front("\"")) {
      auto [inside, rest] = line.split('"');
      cell = inside.str();
      line = rest.drop_while([](char c) { return c != ','; });
    } else {
      cell = line.take_until([](char c) { return c == ','; }).trim().str();
      line = line.drop_front(std::min(line.find(','), line.size()));
    }
    cells.push_back(std::move(cell));
    if (!line.consume_front(","))
      return;
  }
}

Outcome<Engine::States> Engine::readTrace(const std::string &file) {
  const std::string table = folder.path() + "/trace.csv",
                    log = folder.path() + "/printlog";
  Outcome<ChildEnd> end =
      runTool({findProgram("ltsmin-printtrace"), file, table}, log);
  if (!end)
    return Outcome<States>::without(end);
  auto buffer = llvm::MemoryBuffer::getFile(table);
  States states;
  if (end->kind != ChildEnd::Exited || end->status != 0 || !buffer)
    fail("the engine's trace cannot be read: " + troubleIn(endOf(log)));
  else if (readRows((*buffer)->getBuffer(), states))
    return states;
  return Failed();
}

/// Reads the states of a trace as a table. False: an error was reported.
bool Engine::readRows(StringRef table, States &states) {
  SmallVector<StringRef, 64> lines;
  table.split(lines, '\n', -1, /*KeepEmpty=*/false);
  if (lines.empty() || lines.size() > longestTrace)
    return fail("the engine's trace has " + Twine(lines.size()) + " lines");
  SmallVector<std::string, 64> cells;
  // Slots may have been put into another order; their names tell: "s12:int".
  splitCells(lines[0], cells);
  std::vector<uint32_t> slotOf(cells.size(), UINT32_MAX);
  size_t known = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    StringRef name = StringRef(cells[i]).split(':').first;
    uint32_t slot;
    if (name.consume_front("s") && !name.getAsInteger(10, slot) &&
        slot < system.width()) {
      slotOf[i] = slot;
      ++known;
    }
  }
  if (known != system.width())
    return fail("the engine's trace has " + Twine(known) + " of " +
                Twine(system.width()) + " slots");
  for (StringRef line : llvm::drop_begin(lines)) {
    splitCells(line, cells);
    std::vector<uint32_t> state(system.width());
    for (size_t i = 0; i < slotOf.size(); ++i) {
      if (slotOf[i] == UINT32_MAX)
        continue;
      int64_t plain = 0;
      StringRef cell = i < cells.size() ? StringRef(cells[i]) : StringRef();
      std::string bytes;
      std::optional<uint32_t> value;
      if (!system.isInterned(slotOf[i])) {
        if (!cell.getAsInteger(10, plain))
          value = static_cast<uint32_t>(plain);
      } else if (cell.consume_front("x") && llvm::tryGetFromHex(cell, bytes)) {
        value = system.importSlot(slotOf[i], bytes);
      }
      if (!value)
        return fail("the engine's trace has '" + cell + "' in slot " +
                    Twine(slotOf[i]));
      state[slotOf[i]] = *value;
    }
    states.push_back(std::move(state));
  }
  return true;
}

/// Breadth first through the states of the trace, and one state beside them
/// between two of them.
Outcome<Walk> Engine::follow(const States &states, const Question &question) {
  std::set<std::vector<uint32_t>> listed(states.begin(), states.end());
  struct Reached {
    std::vector<uint32_t> state;
    size_t from;
    Step step;
    bool isListed;
  };
  std::vector<Reached> reached;
  std::map<std::vector<uint32_t>, size_t> seen;
  auto add = [&](std::vector<uint32_t> state, size_t from, const Step &step,
                 bool isListed) {
    if (seen.try_emplace(state, reached.size()).second)
      reached.push_back({std::move(state), from, step, isListed});
  };
  auto finish = [&](size_t last) {
    Walk run;
    for (size_t i = last; i; i = reached[i].from) {
      run.states.push_back(reached[i].state);
      run.steps.push_back(reached[i].step);
    }
    run.states.push_back(reached[0].state);
    std::reverse(run.states.begin(), run.states.end());
    std::reverse(run.steps.begin(), run.steps.end());
    run.isStuck = question.kind == Question::Deadlock;
    return run;
  };
  std::vector<uint32_t> start(system.width()), scratch(system.width());
  system.initial(start.data());
  add(start, 0, {}, true);
  Budget budget(limits);
  const bool isOfSteps = question.watch->numReached() != 0;
  for (size_t i = 0; i < reached.size() && !budget.spend(system.width()); ++i) {
    const std::vector<uint32_t> from = reached[i].state;
    const bool mayLeave = reached[i].isListed;
    bool steps = false;
    size_t last = SIZE_MAX;
    SmallVector<uint32_t, 4> numbers;
    system.successors(
        from.data(), scratch.data(), [&](const Step &step, const uint32_t *to) {
          steps = true;
          std::vector<uint32_t> next(to, to + from.size());
          if (question.kind == Question::OneGoal && isOfSteps) {
            numbers.clear();
            question.watch->reached(from.data(), step, next.data(), numbers);
            if (llvm::is_contained(numbers, question.number)) {
              reached.push_back({std::move(next), i, step, true});
              last = reached.size() - 1;
              return false;
            }
          }
          const bool isListed = listed.count(next) != 0;
          if (isListed || mayLeave)
            add(std::move(next), i, step, isListed);
          return true;
        });
    if (last != SIZE_MAX)
      return finish(last);
    if (question.kind == Question::Deadlock
            ? !steps && !question.watch->isEnd(from.data())
            : !isOfSteps && question.watch->holds(from.data()))
      return finish(i);
  }
  return Stopped{
      budget.stopped()
          ? budget.limit()
          : "the run that the engine found is not a run of the model"};
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

Outcome<EngineAnswer> Engine::count() { return ask({Question::Count}); }

Outcome<EngineAnswer> Engine::write() {
  if (options.kind != EngineKind::LtsminDist) {
    fail("the engine only counts states; --engine=ltsmin-dist writes them");
    return Failed();
  }
  Outcome<EngineAnswer> answer = ask({Question::Write});
  if (!answer)
    return answer;
  const std::string log = folder.path() + "/convertlog";
  Outcome<ChildEnd> end =
      runTool({findProgram("ltsmin-convert"), "--rdwr", "--segments=1",
               folder.path() + "/out.gcf", writtenFile()},
              log);
  if (!end)
    return Outcome<EngineAnswer>::without(end);
  if (end->kind != ChildEnd::Exited || end->status != 0) {
    fail("the engine's output cannot be read: " + troubleIn(endOf(log)));
    return Failed();
  }
  return answer;
}

Outcome<EngineAnswer> Engine::findDeadlock() {
  GoalWatch watch(system, resolveSemantics(module, semantics), semantics,
                  Goal::None);
  return ask({Question::Deadlock, Goal::None, 0, &watch});
}

Outcome<EngineAnswer> Engine::find(Goal goal, uint32_t number) {
  GoalWatch watch(system, resolveSemantics(module, semantics), semantics, goal);
  assert(watch.hasMeaning() && "the system has no such goal");
  // Then there is nothing to look for, and no label for it.
  if (watch.parts().empty() && !watch.numReached())
    return EngineAnswer();
  return ask({Question::OneGoal, goal, number, &watch});
}

Outcome<EngineAnswer> Engine::findAll(Goal goal) {
  assert(canFindAll() && "the engine stops at the first");
  GoalWatch watch(system, resolveSemantics(module, semantics), semantics, goal);
  if (!watch.numReached())
    return EngineAnswer();
  return ask({Question::AllGoals, goal, 0, &watch});
}
