//===- Session.cpp - What every run of a tool has -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Tools/Session.h"
#include "GroupedWarnings.h"
#include "OutputNames.h"
#include "PageModels.h"
#include "RunOutcome.h"
#include "Signals.h"
#include "cif/Report/Report.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "cif/Support/ExitCodes.h"
#include "cif/Support/InputBytes.h"
#include "cif/Support/Visible.h"
#include "cif/Tools/Explain.h"
#include "cif/Tools/OutputFile.h"
#include "cif/Tools/Plugin.h"
#include "cif/Tools/Reproducer.h"
#include "cif/Tools/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace cif;

/// As many steps of a run as --check shows at once.
constexpr size_t firstPageSteps = 12;

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
    llvm::errs() << "\r\033[K" << visible(what) << ": " << states << " states, "
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

/// A stream that is closed must not become the next file that is opened. What
/// stands in for it fails as the closed one would.
static void keepStreamsApart() {
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(fd, F_GETFD) < 0 &&
        open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
      return;
}

/// There is no memory left, not even for a diagnostic.
static void onOutOfMemory(bool searching) {
  StringRef text = searching ? "error: out of memory: the run is inconclusive; "
                               "give --max-memory=SIZE below the memory of the "
                               "machine, or use a larger one\n"
                             : "error: out of memory\n";
  // Takes away what was being written.
  removeTemporaries();
  if (write(STDERR_FILENO, text.data(), text.size()) < 0)
    _exit(ExitError);
  _exit(searching ? ExitInconclusive : ExitError);
}

Session::Session(const ToolInfo &tool, Registry &registry)
    : tool(tool), registry(registry),
      printer(llvm::errs(), sources, wantColors(), tool.name),
      grouped(std::make_unique<GroupedWarnings>(printer)),
      diags(sources, *grouped), colors(wantColors()),
      page(std::make_unique<PageModels>()),
      outcome(std::make_unique<RunOutcome>()) {}

Session::~Session() {
  progress.reset();
  // Who cannot be told keeps the exit status, which says it all.
  llvm::errs().clear_error();
}

bool Session::standsAlone(StringRef option, ArrayRef<StringRef> others) {
  for (const Arguments::Option &given : arguments.options)
    if (given.name != option && !llvm::is_contained(others, given.name)) {
      diags.report(diag::usage)
          << ("--" + option + " can be combined only with --" +
              llvm::join(others.drop_back(), ", --") + " and --" +
              others.back() + ", not with --" + given.name)
                 .str();
      return false;
    }
  if (inputs().empty())
    return true;
  diags.report(diag::usage)
      << ("--" + option + " takes one folder and no files").str();
  return false;
}

void Session::flushWarnings() { grouped->flush(); }

std::optional<int> Session::start(int argc, char **argv) {
  keepStreamsApart();
  installSignals();
  ArrayRef<const char *> words(argv + 1, argv + argc);
  std::vector<const char *> again;
  if (StringRef folder = reproducerFolder(words); !folder.empty()) {
    if (!enterReproducer(folder, tool.name, diags, reproduced))
      return flushed(ExitError);
    for (const std::string &word : reproduced)
      again.push_back(word.c_str());
    words = again;
  }
  installReproducer(tool.name, words);
  reserveMemory(onOutOfMemory);
  std::optional<int> status = begin(words);
  return status ? flushed(*status) : status;
}

bool Session::loadPlugins(ArrayRef<const char *> words) {
  for (size_t i = 0; i < words.size() && StringRef(words[i]) != "--"; ++i) {
    StringRef word = words[i], path;
    if (word == "--load" && i + 1 < words.size())
      path = words[i + 1];
    else if (word.starts_with("--load="))
      path = word.drop_front(strlen("--load="));
    else
      continue;
    if (!loadPlugin(path, registry, diags))
      return false;
  }
  return true;
}

/// How diagnostics are shown.
bool Session::readDisplay() {
  StringRef color = arguments.value("color", "auto");
  if (color != "auto" && color != "always" && color != "never") {
    diags.report(diag::bad_option_value)
        << "--color" << color << "auto, always or never";
    return false;
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
    return false;
  }
  diags.quiet = arguments.has("quiet");
  grouped->listAll = arguments.has("verbose");
  grouped->hasSummaryBelow = arguments.has("check");
  return true;
}

/// Which files are read, and as what.
bool Session::readInputs() {
  StringRef format = arguments.value("input-format");
  if (!format.empty() && !registry.findFrontEnd(format)) {
    std::string names;
    for (const FrontEnd &f : registry.frontEnds)
      names += (names.empty() ? "" : ", ") + std::string(f.name);
    diags.report(diag::bad_option_value)
        << "--input-format" << format << "one of " + names;
    return false;
  }
  if (isatty(STDERR_FILENO) && !diags.quiet) {
    progress = std::make_unique<TerminalProgress>();
    limits.progress = progress.get();
  }
  bool needsInput = llvm::none_of(arguments.options, [](const auto &option) {
    return option.name == "serve" || option.name == "examples" ||
           (option.pass && !option.pass->readsInput);
  });
  if (!arguments.inputs.empty() || tool.bit == CifLts || !needsInput)
    return true;
  if (!hasInputBesideValues())
    return false;
  // Nobody types a module: no arguments on a terminal asks what this is.
  if (isatty(STDIN_FILENO)) {
    printHelp(llvm::errs(), tool, registry);
    return false;
  }
  arguments.inputs.push_back("-");
  return true;
}

/// For the reports.
void Session::keepCommand(ArrayRef<const char *> words) {
  command = tool.name;
  for (StringRef word : words) {
    bool plain = llvm::all_of(word, [](char c) {
      return llvm::isAlnum(c) || StringRef("-_./=:,@+").contains(c);
    });
    command += " " + (plain ? word.str() : shellQuoted(word));
  }
}

std::optional<int> Session::begin(ArrayRef<const char *> words) {
  // Plugins first: the options after them may be theirs.
  if ((tool.hasPasses() || tool.bit == CifLts) && !loadPlugins(words))
    return ExitError;
  if (!parseArguments(tool, words, registry, diags, arguments))
    return ExitError;
  if (std::optional<int> status = answer())
    return status;
  if (!readDisplay() || !readLimits() || !readInputs() ||
      !outcome->configure(arguments, maxInput, diags) || !claimOutputs())
    return ExitError;
  page->wanted = llvm::any_of(outcome->reports(), [](const auto &request) {
    return request.form->write == writeHtml;
  });
  wantsFixes = llvm::any_of(outcome->reports(), [](const auto &request) {
    return request.form->write == writeSarif;
  });
  keepCommand(words);
  if (arguments.has("verify-diagnostics")) {
    diags.setConsumer(collector);
  } else if (!outcome->reports().empty()) {
    tee = std::make_unique<DiagnosticTee>(*grouped);
    diags.setConsumer(*tee);
  }
  return std::nullopt;
}

/// `--adapt shop.bpmn` makes the file SPEC and leaves no input. Where nothing
/// can come from standard input, that is not what was meant.
bool Session::hasInputBesideValues() {
  struct stat status;
  if (fstat(STDIN_FILENO, &status) == 0 && !S_ISCHR(status.st_mode))
    return true;
  for (const Arguments::Option &option : arguments.options)
    if (option.pass && option.fromNextWord) {
      StringRef metavar;
      for (const PassOptionInfo &o : option.pass->options)
        if (o.isValue)
          metavar = o.metavar;
      diags.report(diag::usage) << "no input: --" + option.name +
                                       " needs a value and took '" +
                                       option.value + "' for it; write --" +
                                       option.name + "=" + metavar + " FILE";
      return false;
    }
  return true;
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
  for (ArrayRef<Explanation> pages : {explanations(), ArrayRef(registry.pages)})
    for (const Explanation &page : pages) {
      if (name.equals_insensitive(page.name)) {
        llvm::outs() << page.text;
        return true;
      }
      names.push_back(page.name);
    }
  diags.report(diag::no_explanation) << name << guessText(nearest(name, names));
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

/// A time above zero, in seconds unless it has a unit.
static bool parseSeconds(StringRef text, double &seconds) {
  double unit = 1;
  if (text.consume_back("ms"))
    unit = 0.001;
  else if (text.consume_back("m"))
    unit = 60;
  else if (text.consume_back("h"))
    unit = 3600;
  else
    text.consume_back("s");
  if (text.getAsDouble(seconds))
    return false;
  seconds *= unit;
  return seconds > 0;
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
    if (!parseSeconds(arguments.value(option), seconds))
      return bad(option, "a number of seconds, or e.g. 500ms, 10s, 5m or 1h");
    if (option == "timeout") {
      limits.setTimeout(seconds);
      limitReading(limits);
    } else
      limits.timeoutEachSeconds = seconds;
  }
  if (arguments.has("max-input") &&
      (!parseSize(arguments.value("max-input"), maxInput) || !maxInput))
    return bad("max-input", "a number of bytes, e.g. 512M or 4G");
  if (arguments.has("threads") &&
      (StringRef(arguments.value("threads")).getAsInteger(10, limits.threads) ||
       limits.threads == 0 || limits.threads > 256))
    return bad("threads", "a number from 1 to 256");
  return true;
}

/// Notes the files that the command line names, before anything is done: an
/// output must not be an input or another output. A module may be changed in
/// place, in its own form; what cif-lts writes says less than its input.
bool Session::claimOutputs() {
  ArrayRef<std::string> inputs = arguments.inputs;
  if (tool.bit == CifLts && !inputs.empty())
    inputs = inputs.drop_front(); // the command
  for (const std::string &input : inputs)
    files.addInput(input);
  for (const Arguments::Option &option : arguments.options)
    if (option.name == "load" && !files.addRead(option.value, diags))
      return false;
  if (arguments.has("output") || arguments.has("emit")) {
    StringRef path = arguments.value("output", "-");
    StringRef form =
        outputFormat(path, arguments.value("emit"), tool, registry, diags);
    if (form.empty())
      return false;
    bool inPlace = tool.bit != CifLts && (form == "cif" || form == "cift") &&
                   llvm::sys::path::extension(path) == "." + form.str();
    if (!files.claim(path, "-o", inPlace, diags))
      return false;
  }
  for (StringRef name : {"verdicts", "certificate"})
    // Elsewhere than in cif-lts the certificate is an option of passes.
    if (arguments.has(name) && (name == "verdicts" || tool.bit == CifLts) &&
        !files.claim(arguments.value(name), "--" + name.str(), false, diags))
      return false;
  for (const ReportRequest &request : outcome->reports())
    if (!request.file.empty() &&
        !files.claim(request.file, request.owner(), false, diags))
      return false;
  if (arguments.has("deps")) {
    if (files.writtenNames().empty()) {
      diags.report(diag::usage)
          << "dependencies need an output file; use -o FILE";
      return false;
    }
    if (!files.claim(depsFile(), "--deps", false, diags))
      return false;
  }
  return !arguments.has("baseline") ||
         files.addRead(arguments.value("baseline"), diags);
}

/// --deps=FILE, else the first file that is written, with the extension `d`.
std::string Session::depsFile() const {
  for (const Arguments::Option &option : llvm::reverse(arguments.options))
    if (option.name == "deps" && option.hasValue)
      return option.value;
  llvm::SmallString<128> file(files.writtenNames().front());
  llvm::sys::path::replace_extension(file, "d");
  return std::string(file);
}

/// A name as make reads it in a rule.
static std::string forMake(StringRef name) {
  std::string text;
  for (char c : name) {
    if (c == '$')
      text += '$';
    else if (c == ' ' || c == '#' || c == '\t')
      text += '\\';
    text += c;
  }
  return text;
}

bool Session::writeDeps() {
  if (!arguments.has("deps"))
    return true;
  std::string path = depsFile();
  auto file = OutputFile::open(path, "--deps", files, diags);
  if (!file)
    return false;
  for (const std::string &target : files.writtenNames())
    if (target != path)
      file->os() << forMake(target) << ' ';
  file->os() << ':';
  std::vector<std::string> reads = files.readNames();
  for (const std::string &name : reads)
    file->os() << " \\\n  " << forMake(name);
  file->os() << '\n';
  // A file that is gone is no reason to stop: the target is made again.
  for (const std::string &name : reads)
    file->os() << '\n' << forMake(name) << ":\n";
  return file->keep();
}

InputOptions Session::inputOptions() const {
  InputOptions options{.format = arguments.value("input-format").str()};
  options.frontEnd.strict = arguments.has("strict");
  options.frontEnd.select = arguments.value("select").str();
  options.maxInput = maxInput;
  return options;
}

bool Session::isFirstPage() const {
  return arguments.has("check") && !arguments.has("verbose") &&
         !arguments.has("quiet");
}

void Session::show(ArrayRef<Fact> facts) {
  flushWarnings();
  progress.reset(); // its line goes before ours come
  limits.progress = nullptr;
  // A run may have thousands of lines.
  llvm::errs().SetBuffered();
  for (const Fact &fact : facts)
    if (!arguments.has("quiet") || fact.verdict == Verdict::Violated)
      printFact(llvm::errs(), fact, printer, colors,
                isFirstPage() ? firstPageSteps : 0);
  llvm::errs().flush();
  llvm::errs().SetUnbuffered();
}

bool Session::report(ArrayRef<Fact> facts, ArrayRef<Fact> shown) {
  show(shown);
  if (outcome->needsFacts())
    found.insert(found.end(), facts.begin(), facts.end());
  if (!arguments.has("verdicts"))
    return true;
  auto file =
      OutputFile::open(arguments.value("verdicts"), "--verdicts", files, diags);
  if (!file)
    return false;
  for (const Fact &fact : facts)
    writeVerdict(file->os(), fact, fileOf(fact, inputs()));
  return file->keep();
}

int Session::flushed(int status) {
  flushWarnings();
  std::error_code error = flushStandardOutput();
  if (!error)
    return status;
  diags.report(diag::cannot_write) << "<stdout>" << error.message();
  return ExitError;
}

bool Session::writeReports(int status) {
  if (outcome->reports().empty() || !tee)
    return true;
  RunReport run{.tool = tool.name,
                .version = versionText().str(),
                .inputs = arguments.inputs,
                .facts = found,
                .diagnostics = tee->kept,
                .status = status};
  std::chrono::duration<double> took =
      std::chrono::steady_clock::now() - started;
  run.seconds = took.count();
  run.command = command;
  run.fixes = std::move(fixes);
  run.models = std::move(page->models);
  run.runs = std::move(page->runs);
  bool ok = true;
  for (const ReportRequest &request : outcome->reports()) {
    if (request.file.empty()) {
      request.form->write(llvm::errs(), run);
      continue;
    }
    auto file = OutputFile::open(request.file, request.owner(), files, diags);
    if (file)
      request.form->write(file->os(), run);
    ok &= file && file->keep();
  }
  return ok;
}

int Session::finish(int status) {
  status = flushed(status);
  // What could not be done for that reason alone is no error.
  if (status == ExitError && !readingStopped().empty() && !diags.hasErrors())
    status = ExitInconclusive;
  if (diags.hasErrors() && !arguments.has("verify-diagnostics"))
    status = ExitError;
  std::vector<Note> unmet;
  status = outcome->status(found, arguments.inputs, status, unmet, diags);
  for (const Note &note : unmet)
    printer.print(note.place, Severity::Error, note.text, "expect");
  if (!writeReports(status) || (status != ExitError && !writeDeps()))
    status = ExitError;
  if (!arguments.has("verify-diagnostics"))
    return diags.hasErrors() ? ExitError : status;
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
        llvm::errs() << visible(problem) << '\n';
        ok = false;
      }
    }
  // What was expected came: that is what was asked for.
  return ok ? ExitHolds : ExitError;
}
