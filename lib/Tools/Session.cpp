//===- Session.cpp - What every run of a tool has -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Tools/Session.h"
#include "cif/Report/Report.h"
#include "cif/Support/DiagnosticKinds.h"
#include "cif/Support/ExitCodes.h"
#include "cif/Tools/Explain.h"
#include "cif/Tools/OutputFile.h"
#include "cif/Tools/Plugin.h"
#include "cif/Tools/Reproducer.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include <csignal>
#include <cstdlib>
#include <unistd.h>

using namespace cif;

/// NO_COLOR and the kind of stderr are known before the command line is.
static bool wantColors() {
  const char *noColor = std::getenv("NO_COLOR");
  return isatty(STDERR_FILENO) && !(noColor && *noColor);
}

/// One line on a terminal; silent for the first two seconds.
namespace {
class TerminalProgress : public ProgressSink {
public:
  ~TerminalProgress() override { clear(); }

  void update(StringRef what, uint64_t states, uint64_t transitions,
              uint64_t frontier) override {
    auto now = std::chrono::steady_clock::now();
    if (now - start < std::chrono::seconds(2) ||
        now - last < std::chrono::milliseconds(200))
      return;
    last = now;
    double seconds = std::chrono::duration<double>(now - start).count();
    llvm::errs() << "\r\033[K" << what << ": " << states << " states, "
                 << transitions << " transitions, " << frontier << " to do, "
                 << llvm::format("%.0f", double(states) / seconds)
                 << " states/s";
    shown = true;
  }
  void clear() {
    if (shown)
      llvm::errs() << "\r\033[K";
    shown = false;
  }

private:
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last;
  bool shown = false;
};
} // namespace

/// The first Ctrl-C asks for the partial answer, the second one ends the run.
static void onInterrupt(int) {
  interrupted.store(true);
  std::signal(SIGINT, SIG_DFL);
}

/// There is no memory left, not even for a diagnostic.
static void onOutOfMemory(bool searching) {
  StringRef text =
      searching ? "error: out of memory: the run is inconclusive; give "
                  "--max-memory=SIZE below what there is, or more memory\n"
                : "error: out of memory\n";
  // Takes away what was being written.
  llvm::sys::RunInterruptHandlers();
  if (write(STDERR_FILENO, text.data(), text.size()) < 0)
    _exit(ExitError);
  _exit(searching ? ExitInconclusive : ExitError);
}

Session::Session(const ToolInfo &tool, Registry &registry)
    : tool(tool), registry(registry),
      printer(llvm::errs(), sources, wantColors(), tool.name),
      diags(sources, printer), colors(wantColors()) {}

Session::~Session() = default;

std::optional<int> Session::start(int argc, char **argv) {
  ArrayRef<const char *> words(argv + 1, argv + argc);
  std::signal(SIGINT, onInterrupt);
  // A closed pipe is seen when writing, and is no reason to die.
  std::signal(SIGPIPE, SIG_IGN);
  installReproducer(tool.name, words);
  reserveMemory(onOutOfMemory);
  // Plugins first: the options after them may be theirs.
  if (tool.hasPasses())
    for (size_t i = 0; i < words.size() && StringRef(words[i]) != "--"; ++i) {
      StringRef word = words[i], path;
      if (word == "--load" && i + 1 < words.size())
        path = words[i + 1];
      else if (word.starts_with("--load="))
        path = word.drop_front(strlen("--load="));
      else
        continue;
      if (!loadPlugin(path, registry, diags))
        return ExitError;
    }
  if (!parseArguments(tool, words, registry, diags, arguments))
    return ExitError;
  if (std::optional<int> status = answer())
    return status;

  StringRef color = arguments.value("color", "auto");
  if (color != "auto" && color != "always" && color != "never") {
    diags.report(diag::bad_option_value)
        << "--color" << color << "auto, always or never";
    return ExitError;
  }
  if (color != "auto")
    colors = color == "always";
  printer.setColors(colors);
  if (colors)
    llvm::errs().enable_colors(true);
  diags.warningsAreErrors = arguments.has("werror");
  if (StringRef(arguments.value("max-errors", "20"))
          .getAsInteger(10, diags.maxErrors)) {
    diags.report(diag::bad_option_value)
        << "--max-errors" << arguments.value("max-errors") << "a number";
    return ExitError;
  }
  diags.quiet = arguments.has("quiet");
  if (!readLimits() || !sparesInputs())
    return ExitError;
  StringRef format = arguments.value("input-format");
  if (!format.empty() && !registry.findFrontEnd(format)) {
    std::string names;
    for (const FrontEnd &f : registry.frontEnds)
      names += (names.empty() ? "" : ", ") + std::string(f.name);
    diags.report(diag::bad_option_value)
        << "--input-format" << format << "one of " + names;
    return ExitError;
  }
  if (isatty(STDERR_FILENO) && !diags.quiet) {
    progress = std::make_unique<TerminalProgress>();
    limits.progress = progress.get();
  }
  bool needsInput = llvm::none_of(arguments.options, [](const auto &option) {
    return option.pass && !option.pass->readsInput;
  });
  if (arguments.inputs.empty() && tool.bit != CifLts && needsInput) {
    // Nobody types a module: no arguments on a terminal asks what this is.
    if (isatty(STDIN_FILENO)) {
      printHelp(llvm::errs(), tool, registry);
      return ExitError;
    }
    arguments.inputs.push_back("-");
  }
  if (arguments.has("verify-diagnostics"))
    diags.setConsumer(collector);
  return std::nullopt;
}

/// Options that are answered without reading anything.
std::optional<int> Session::answer() {
  raw_ostream &os = llvm::outs();
  if (arguments.has("complete")) {
    printCompletions(os, tool, registry, arguments.inputs);
    return ExitHolds;
  }
  if (const Arguments::Option *help = arguments.last("help")) {
    if (!help->hasValue) {
      printHelp(os, tool, registry);
      return ExitHolds;
    }
    if (const PassInfo *pass = registry.passes.find(help->value)) {
      printPassHelp(os, *pass);
      return ExitHolds;
    }
    return explain(help->value) ? ExitHolds : ExitError;
  }
  if (arguments.has("version")) {
    printVersion(os, tool);
    return ExitHolds;
  }
  if (arguments.has("explain"))
    return explain(arguments.value("explain")) ? ExitHolds : ExitError;
  if (arguments.has("list-passes")) {
    printPassList(os, registry);
    return ExitHolds;
  }
  if (arguments.has("list-formats")) {
    printFormatList(os, registry);
    return ExitHolds;
  }
  if (arguments.has("man")) {
    printMan(os, tool, registry);
    return ExitHolds;
  }
  if (arguments.has("completion")) {
    StringRef shell = arguments.value("completion");
    if (printCompletionScript(os, tool, shell))
      return ExitHolds;
    diags.report(diag::bad_option_value)
        << "--completion" << shell << "bash, zsh or fish";
    return ExitError;
  }
  return std::nullopt;
}

bool Session::explain(StringRef name) {
  std::vector<StringRef> names;
  for (const Explanation &page : explanations()) {
    if (name.equals_insensitive(page.name)) {
      llvm::outs() << page.text;
      return true;
    }
    names.push_back(page.name);
  }
  StringRef near = nearest(name, names);
  diags.report(diag::no_explanation)
      << name
      << (near.empty() ? std::string()
                       : ("; did you mean '" + near + "'?").str());
  return false;
}

/// "4G" -> bytes.
static bool parseSize(StringRef text, uint64_t &bytes) {
  unsigned shift = 0;
  if (text.consume_back("k") || text.consume_back("K"))
    shift = 10;
  else if (text.consume_back("M"))
    shift = 20;
  else if (text.consume_back("G"))
    shift = 30;
  if (text.getAsInteger(10, bytes) || bytes > (UINT64_MAX >> shift))
    return false;
  bytes <<= shift;
  return true;
}

bool Session::readLimits() {
  auto bad = [&](StringRef option, StringRef expected) {
    diags.report(diag::bad_option_value)
        << "--" + option << arguments.value(option) << expected;
    return false;
  };
  if (arguments.has("max-states") && StringRef(arguments.value("max-states"))
                                         .getAsInteger(10, limits.maxStates))
    return bad("max-states", "a number");
  if (arguments.has("max-memory") &&
      !parseSize(arguments.value("max-memory"), limits.maxMemory))
    return bad("max-memory", "a number of bytes, e.g. 512M or 4G");
  else if (!arguments.has("max-memory"))
    limits.maxMemory = defaultMaxMemory();
  for (StringRef option : {"timeout", "timeout-each"}) {
    if (!arguments.has(option))
      continue;
    double seconds = 0;
    if (StringRef(arguments.value(option)).getAsDouble(seconds) ||
        !(seconds > 0))
      return bad(option, "a number of seconds");
    if (option == "timeout")
      limits.setTimeout(seconds);
    else
      limits.timeoutEachSeconds = seconds;
  }
  if (arguments.has("threads") &&
      (StringRef(arguments.value("threads")).getAsInteger(10, limits.threads) ||
       limits.threads == 0 || limits.threads > 256))
    return bad("threads", "a number from 1 to 256");
  return true;
}

/// Refuses to write over an input. A module may be changed in place, in the
/// form that the file's extension says; what cif-lts writes says less than its
/// input.
bool Session::sparesInputs() {
  for (StringRef option : {"output", "verdicts", "certificate"}) {
    StringRef path = arguments.value(option);
    StringRef form = tool.bit == Dis ? "cift" : arguments.value("emit", "cif");
    bool inPlace = option == "output" && tool.bit != CifLts &&
                   llvm::sys::path::extension(path) == "." + form.str();
    if (inPlace || !llvm::sys::fs::is_regular_file(path))
      continue;
    for (const std::string &input : arguments.inputs)
      if (input != "-" && llvm::sys::fs::equivalent(path, input)) {
        diags.report(diag::cannot_write) << path << "it is an input";
        return false;
      }
  }
  return true;
}

InputOptions Session::inputOptions() const {
  return {arguments.value("input-format").str(),
          {arguments.has("strict"), arguments.value("select").str()}};
}

bool Session::report(ArrayRef<Fact> facts, ArrayRef<Fact> shown) {
  progress.reset(); // its line goes before ours come
  limits.progress = nullptr;
  if (!arguments.has("quiet"))
    for (const Fact &fact : shown)
      printFact(llvm::errs(), fact, printer, colors);
  if (!arguments.has("verdicts"))
    return true;
  auto file = OutputFile::open(arguments.value("verdicts"), diags);
  if (!file)
    return false;
  for (const Fact &fact : facts)
    writeVerdict(file->os(), fact);
  return file->keep();
}

int Session::finish(int status) {
  llvm::outs().flush();
  if (!arguments.has("verify-diagnostics"))
    return status;
  diags.setConsumer(printer);
  bool ok = true;
  for (const std::string &input : arguments.inputs)
    if (const SourceBuffer *source =
            sources.find(input == "-" ? "<stdin>" : StringRef(input))) {
      std::vector<Diagnostic> own;
      for (const Diagnostic &d : collector.all)
        if (d.place.file == source->path() || !d.place.known())
          own.push_back(d);
      for (const std::string &problem : verifyDiagnostics(own, *source)) {
        llvm::errs() << problem << '\n';
        ok = false;
      }
    }
  // What was expected came: that is what was asked for.
  return ok ? ExitHolds : ExitError;
}
