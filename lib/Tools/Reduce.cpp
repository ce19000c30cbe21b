//===- Reduce.cpp - cif-reduce --------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Shrinks an input while a command keeps its exit status: removes ever smaller
/// chunks of a module's parts, or of the lines and then the words of a text,
/// until no single part can go.
/// Implements: [zeller2002], ddmin, without the subsets: a chunk alone is
/// hardly ever a model.
///
//===----------------------------------------------------------------------===//

#include "ModuleParts.h"
#include "cif/IR/Text.h"
#include "cif/IR/Verifier.h"
#include "cif/Serialization/Binary.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "cif/Support/ExitCodes.h"
#include "cif/Support/InputBytes.h"
#include "cif/Support/TemporaryFolder.h"
#include "cif/Tools/Drivers.h"
#include "cif/Tools/OutputFile.h"
#include "cif/Tools/Reproducer.h"
#include "cif/Tools/Session.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <csignal>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cif;

static const ToolInfo reduceInfo = {
    Reduce,
    "cif-reduce",
    "--test=COMMAND [options] FILE",
    "Make a model smaller for as long as COMMAND ends with the same exit "
    "status.\nModules lose their parts, other files lines and words.",
    "  cif-reduce --test='cifc --check {}' model.bpmn -o small.bpmn\n"
    "  cif-reduce --test='cif-opt --amend {}' --match=E0814 m.cif -o small.cif"
    "\n",
    "0 the result is written; 2 bad usage or bad input, nothing written;\n"
    "  3 stopped at --timeout or interrupted, the smallest file so far is "
    "written"};

namespace {
/// Runs the command on candidates, and says which are as good as the original.
class Oracle {
public:
  Oracle(Session &session, StringRef extension)
      : session(session), budget(session.limits) {
    unwritten = folder.create("cif-reduce");
    candidate = folder.path() + "/candidate" + extension.str();
    output = folder.path() + "/output";
    command = session.arguments.value("test").str();
    match = session.arguments.value("match").str();
    std::string file = shellQuoted(candidate);
    size_t hole = command.find("{}");
    if (hole == std::string::npos)
      command += " " + file;
    for (; hole != std::string::npos; hole = command.find("{}", hole)) {
      command.replace(hole, 2, file);
      hole += file.size();
    }
    // A subshell, so that a signal becomes a status.
    command =
        "(" + command + "\n) >" + shellQuoted(output) + " 2>&1 </dev/null";
  }
  Oracle(const Oracle &) = delete;
  Oracle &operator=(const Oracle &) = delete;

  /// What the command does with the original. False: reported.
  bool begin(StringRef bytes) {
    auto started = Limits::Clock::now();
    std::optional<int> first = run(bytes);
    if (!couldWrite())
      return false;
    if (!first && interrupted)
      return true; // over() says so at once
    if (!first || !matches()) {
      session.diags.report(diag::reduce_test)
          << session.inputs()[0]
          << (first ? "the output of --test does not contain '" + match + "'"
                    : std::string("--test does not end"));
      return false;
    }
    wanted = *first;
    double seconds =
        std::chrono::duration<double>(Limits::Clock::now() - started).count();
    patience = 10 + static_cast<unsigned>(10 * seconds);
    return true;
  }

  bool interesting(StringRef bytes) {
    ++tries;
    return run(bytes) == wanted && matches();
  }

  /// Whether it is time to end; then what was found so far is the result.
  bool over() {
    if (stoppedAt.empty())
      stoppedAt = budget.look(0, 0);
    return !stoppedAt.empty() || unwritten;
  }

  /// Whether the command had every candidate to look at. False: reported.
  bool couldWrite() {
    if (unwritten)
      session.diags.report(diag::cannot_write)
          << "a temporary file" << unwritten.message();
    return !unwritten;
  }

  int wanted = 0;
  unsigned tries = 0;
  std::string stoppedAt; ///< what ended the search; empty: nothing left to try

private:
  std::optional<int> run(StringRef bytes) {
    if (unwritten)
      return std::nullopt;
    llvm::raw_fd_ostream os(candidate, unwritten);
    if (unwritten)
      return std::nullopt;
    os << bytes;
    os.close();
    if (os.has_error())
      unwritten = os.error();
    os.clear_error(); // it is told, and no reason to abort
    return unwritten ? std::nullopt : runCommand();
  }

  /// The exit status, or nothing: it was stopped, or took too long. Not by
  /// LLVM's ExecuteAndWait, whose allocator the address sanitizer mistakes.
  std::optional<int> runCommand() {
    const char *words[] = {"sh", "-c", command.c_str(), nullptr};
    posix_spawnattr_t own; // a group of its own, to be stopped as a whole
    posix_spawnattr_init(&own);
    posix_spawnattr_setflags(&own, POSIX_SPAWN_SETPGROUP);
    pid_t child = 0;
    int failed = posix_spawn(&child, "/bin/sh", nullptr, &own,
                             const_cast<char **>(words), environ);
    posix_spawnattr_destroy(&own);
    if (failed)
      return std::nullopt;
    auto started = Limits::Clock::now();
    int status = 0;
    for (pid_t ended = 0; ended != child;) {
      ended = waitpid(child, &status, WNOHANG);
      if (ended == child)
        break;
      bool late = patience && Limits::Clock::now() - started >
                                  std::chrono::seconds(patience);
      if (late || interrupted) {
        kill(-child, SIGKILL);
        waitpid(child, &status, 0);
        return std::nullopt;
      }
      usleep(300);
    }
    return WIFEXITED(status) ? std::optional(WEXITSTATUS(status))
                             : std::nullopt;
  }
  bool matches() const {
    if (match.empty())
      return true;
    auto text = llvm::MemoryBuffer::getFile(output);
    return text && (*text)->getBuffer().contains(match);
  }

  Session &session;
  Budget budget;
  TemporaryFolder folder;
  std::error_code unwritten; ///< of the first candidate that met one
  std::string candidate, output, command, match;
  unsigned patience = 0; // seconds for one candidate; 0: no end
};

/// Removes chunks of \p count parts for as long as \p without(gone) succeeds,
/// which then has fewer parts: from halves down to single parts. True: some
/// went.
bool removeChunks(Oracle &oracle, function_ref<size_t()> count,
                  function_ref<bool(const llvm::BitVector &)> without) {
  bool any = false;
  for (size_t size = std::max<size_t>(count(), 1); size; size /= 2)
    for (size_t end = count(); end && !oracle.over();) {
      size_t begin = end > size ? end - size : 0;
      llvm::BitVector gone(static_cast<unsigned>(count()));
      gone.set(static_cast<unsigned>(begin), static_cast<unsigned>(end));
      any |= without(gone);
      end = std::min(begin, count());
    }
  return any;
}

class ModuleReducer {
public:
  ModuleReducer(Oracle &oracle, std::unique_ptr<Module> module, bool binary)
      : oracle(oracle), module(std::move(module)), binary(binary) {}

  void run() {
    for (bool more = true; more && !oracle.over();) {
      more = false;
      for (const ModuleParts &kind : allModuleParts())
        more |= removeChunks(
            oracle, [&] { return kind.count(*module); },
            [&](const llvm::BitVector &gone) { return without(kind, gone); });
    }
  }

  std::string result() const { return bytes(*module); }

private:
  bool without(const ModuleParts &kind, const llvm::BitVector &gone) {
    auto smaller = std::make_unique<Module>(module->clone());
    kind.remove(*smaller, gone);
    SourceManager sources;
    DiagnosticCollector ignored;
    DiagnosticEngine diags(sources, ignored);
    // What the verifier refuses, every tool refuses: that says nothing.
    if (!verify(*smaller, diags) ||
        text(*smaller).size() >= text(*module).size() ||
        !oracle.interesting(bytes(*smaller)))
      return false;
    module = std::move(smaller);
    return true;
  }

  static std::string text(const Module &m) {
    std::string result;
    llvm::raw_string_ostream os(result);
    printText(m, os);
    return result;
  }
  std::string bytes(const Module &m) const {
    if (!binary)
      return text(m);
    SourceManager sources;
    DiagnosticCollector ignored;
    DiagnosticEngine diags(sources, ignored);
    std::string result;
    llvm::raw_string_ostream os(result);
    writeBinary(m, os, diags);
    return result;
  }

  Oracle &oracle;
  std::unique_ptr<Module> module;
  const bool binary;
};

class TextReducer {
public:
  TextReducer(Oracle &oracle, StringRef text)
      : oracle(oracle), text(text.str()) {}

  void run() {
    for (bool more = true; more && !oracle.over();) {
      more = pass(lines);
      more |= pass(words);
    }
  }

  std::string result() const { return text; }

private:
  using Pieces = std::vector<StringRef>;

  /// Each with its line end.
  static Pieces lines(StringRef text) {
    Pieces pieces;
    while (!text.empty()) {
      size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
      pieces.push_back(text.take_front(length));
      text = text.drop_front(length);
    }
    return pieces;
  }
  /// Runs of letters and digits, with the blanks behind them; else characters.
  static Pieces words(StringRef text) {
    Pieces pieces;
    while (!text.empty()) {
      size_t length = 1;
      if (llvm::isAlnum(text[0]))
        while (length < text.size() &&
               (llvm::isAlnum(text[length]) || text[length] == '_'))
          ++length;
      while (length < text.size() && text[length] == ' ')
        ++length;
      pieces.push_back(text.take_front(length));
      text = text.drop_front(length);
    }
    return pieces;
  }

  bool pass(Pieces (*split)(StringRef)) {
    return removeChunks(
        oracle, [&] { return split(text).size(); },
        [&](const llvm::BitVector &gone) {
          std::string smaller;
          for (auto [i, piece] : llvm::enumerate(split(text)))
            if (!gone[static_cast<unsigned>(i)])
              smaller += piece;
          if (!oracle.interesting(smaller))
            return false;
          text = std::move(smaller);
          return true;
        });
  }

  Oracle &oracle;
  std::string text;
};
} // namespace

/// Reduces the module or the text of \p source. \p stoppedAt: the limit that
/// ended it, if one did.
static std::optional<std::string> reduced(Session &session,
                                          const SourceBuffer &source,
                                          StringRef output, unsigned &tries,
                                          std::string &stoppedAt) {
  StringRef bytes = source.text();
  bool isModule =
      looksBinary(bytes) || looksText(bytes) || session.arguments.has("module");
  if (!isModule) {
    Oracle oracle(session,
                  llvm::sys::path::extension(unpackedName(source.path())));
    if (!oracle.begin(bytes))
      return std::nullopt;
    TextReducer reducer(oracle, bytes);
    reducer.run();
    tries = oracle.tries;
    stoppedAt = oracle.stoppedAt;
    return oracle.couldWrite() ? std::optional(reducer.result()) : std::nullopt;
  }
  bool wasBinary = looksBinary(bytes);
  auto module = readModule(source.path(), session.registry,
                           session.inputOptions(), session.diags);
  if (!module)
    return std::nullopt;
  bool binary = output == "-" ? wasBinary : output.ends_with(".cif");
  StringRef extension = llvm::sys::path::extension(output);
  if (output != "-" && extension != ".cif" && extension != ".cift") {
    session.diags.report(diag::cannot_write)
        << output << "a module becomes .cif or .cift; use cif-opt --emit then";
    return std::nullopt;
  }
  Oracle oracle(session, binary ? ".cif" : ".cift");
  ModuleReducer reducer(oracle, std::move(module), binary);
  if (!oracle.begin(reducer.result()))
    return std::nullopt;
  reducer.run();
  tries = oracle.tries;
  stoppedAt = oracle.stoppedAt;
  return oracle.couldWrite() ? std::optional(reducer.result()) : std::nullopt;
}

int cif::cifReduceMain(int argc, char **argv, Registry registry) {
  Session session(reduceInfo, registry);
  if (std::optional<int> status = session.start(argc, argv))
    return *status;
  auto usage = [&](const char *text) {
    session.diags.report(diag::usage) << text;
    return session.finish(ExitError);
  };
  if (session.inputs().size() != 1 || session.inputs()[0] == "-")
    return usage("expected one file");
  if (session.arguments.value("test").empty())
    return usage("cif-reduce needs --test=COMMAND, the command whose exit "
                 "status must stay the same");
  const SourceBuffer *source =
      readSource(session.inputs()[0], session.maxInput, session.diags);
  if (!source)
    return session.finish(ExitError);
  std::string output = session.arguments.value("output", "-").str();
  auto file = OutputFile::open(output, "-o", session.files, session.diags);
  if (!file)
    return session.finish(ExitError);
  size_t before = source->text().size(); // it is read again as a module
  unsigned tries = 0;
  std::string stoppedAt;
  auto result = reduced(session, *source, output, tries, stoppedAt);
  if (!result)
    return session.finish(ExitError);
  if (!session.arguments.has("quiet"))
    llvm::errs() << "cif-reduce: " << before << " -> " << result->size()
                 << " bytes, " << tries << " runs"
                 << (stoppedAt.empty() ? "" : "; it may not be the smallest: ")
                 << (stoppedAt.empty() ? "" : stoppedText(stoppedAt)) << '\n';
  file->os() << *result;
  return session.finish(!file->keep()       ? ExitError
                        : stoppedAt.empty() ? ExitHolds
                                            : ExitInconclusive);
}
