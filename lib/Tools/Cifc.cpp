//===- Cifc.cpp - cifc and cif-opt ----------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Both tools read, run passes, write and report; cifc is meant for sources,
/// cif-opt for modules, and each does what the other does.
///
//===----------------------------------------------------------------------===//

#include "CheckAll.h"
#include "Examples.h"
#include "Fixes.h"
#include "GroupedWarnings.h"
#include "Instrumentation.h"
#include "OutputNames.h"
#include "PageModels.h"
#include "SemanticsArguments.h"
#include "Serve.h"
#include "WriteBack.h"
#include "cif/IR/FactTitle.h"
#include "cif/Pass/FactBuilder.h"
#include "cif/Report/Report.h"
#include "cif/Support/Diagnostics/Bpmn.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "cif/Support/ExitCodes.h"
#include "cif/Support/Visible.h"
#include "cif/Tools/Drivers.h"
#include "cif/Tools/OutputFile.h"
#include "cif/Transforms/JoinNames.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace cif;

static const ToolInfo cifcInfo = {
    Cifc, "cifc", "[options] FILE...",
    "Compile choreographies, collaborations and peers, transform and check "
    "them.",
    "  cifc --check shop.ioc\n"
    "  cifc shop.bpmn | cif-opt --check-structure --verdicts=-\n"};

static const ToolInfo cifOptInfo = {
    Opt, "cif-opt", "[options] [FILE...]",
    "Run passes on modules. Input: any format, standard input by default.",
    "  cif-opt --normalize shop.cif -o normal.cif\n"
    "  cif-opt --passes='normalize,check-structure' shop.cif\n"
    "  cifc shop.ioc | cif-opt --check-structure --verdicts=- -o /dev/null\n"};

/// Gives an option to the passes that have it, but not to one that has its own,
/// as in `minimize{relation=weak}`. Returns how many have it, and how many took
/// it.
static std::pair<unsigned, unsigned> giveOption(const Arguments::Option &option,
                                                Pipeline &pipeline,
                                                const Pipeline &own,
                                                DiagnosticEngine &diags) {
  unsigned have = 0, took = 0;
  for (auto [entry, before] : llvm::zip(pipeline, own)) {
    const PassOptionInfo *info = entry.info->findOption(option.name);
    if (!info)
      continue;
    ++have;
    if (before.options.count(option.name))
      continue;
    ++took;
    std::string value = option.hasValue ? option.value : "true";
    auto [at, isNew] = entry.options.try_emplace(option.name, value);
    // A list that is given in several parts is one list.
    if (!isNew && StringRef(info->metavar).contains(",..."))
      at->second += "," + value;
    else if (at->second != value) {
      Arguments::Option first = option;
      first.value = at->second;
      reportGivenTwice(first, value, diags);
      break;
    }
  }
  return {have, took};
}

/// The options for all passes that have them, from the command line. What is
/// written in \p format may have options too. What a pass was given in braces
/// is nearer to it and wins; what --check chose does not (\p isChosen).
static bool giveOptions(Session &session, Pipeline &pipeline, StringRef format,
                        bool isChosen = false) {
  const Arguments &arguments = session.arguments;
  DiagnosticEngine &diags = session.diags;
  if (isChosen)
    for (PipelineEntry &entry : pipeline)
      for (const Arguments::Option &option : arguments.options)
        if (!option.info && !option.pass)
          entry.options.erase(option.name);
  const Pipeline own = pipeline;
  unsigned errors = diags.errors(); // of this module alone
  for (const Arguments::Option &option : arguments.options) {
    if (option.info || option.pass)
      continue;
    const Emitter *emitter = session.registry.findEmitter(format);
    bool used = emitter && emitter->describesSystem &&
                llvm::is_contained(semanticsOptionNames(), option.name);
    if (used && arguments.value(option.name) != option.value)
      reportGivenTwice(option, arguments.value(option.name), diags);
    auto [have, took] = giveOption(option, pipeline, own, diags);
    if (have && !took && !used) {
      diags.report(diag::idle_option)
          << "--" + option.name << "here: each pass that has it got another";
    } else if (!have && !used) {
      std::vector<StringRef> passes;
      for (const auto &pass : session.registry.passes.all())
        if (pass->findOption(option.name))
          passes.push_back(pass->name);
      diags.report(diag::unused_option)
          << "--" + option.name << ": --" + llvm::join(passes, ", --");
    }
  }
  for (const PipelineEntry &entry : pipeline)
    for (const PassOptionInfo &o : entry.info->options)
      if (o.needed() && !entry.options.count(o.name))
        diags.report(diag::option_needs_value)
            << (o.isValue ? "--" + Twine(entry.info->name)
                          : Twine("--") + o.name)
            << o.metavar;
  // A module that a pass reads is noted when it asks for it.
  for (const PipelineEntry &entry : pipeline)
    if (auto at = entry.options.find("constraint"); at != entry.options.end())
      if (!session.files.addRead(at->second, diags))
        return false;
  return diags.errors() == errors;
}

/// What pictures show: the source's own drawing, and highlighted the elements
/// that --highlight names, else the witness of the first check that failed.
static EmitOptions emitOptions(const Session &session, ArrayRef<Fact> found,
                               const DiagramLayout &layout) {
  EmitOptions options{.diagram = layout.only, .layout = &layout};
  SmallVector<StringRef> ids;
  session.arguments.value("highlight").split(ids, ',', -1, false);
  for (StringRef id : ids)
    options.highlight.push_back({"", 0, 0, id.str()});
  if (!ids.empty())
    return options;
  for (const Fact &fact : found)
    if (fact.verdict == Verdict::Violated && fact.witness) {
      for (const WitnessStep &step : fact.witness->steps)
        options.highlight.push_back(step.at);
      // Where each process is stuck, what it waits for and the like.
      for (const Note &note : fact.notes)
        if (note.place.known())
          options.marks.push_back({note.place, note.text});
      options.caption = factTitle(fact.property, fact.subject) +
                        ": violated: " + fact.message;
      break;
    }
  return options;
}

/// Whether the picture shows all that --highlight names: each alone is
/// highlighted somewhere.
static bool showsAll(Session &session, const Module &module,
                     EmitOptions options) {
  const Emitter *svg = session.registry.findEmitter("svg");
  DiagnosticCollector told; // again, when the picture is written
  DiagnosticEngine quiet(session.sources, told);
  for (const Place &place : std::vector(std::move(options.highlight))) {
    options.highlight = {place};
    std::string picture;
    llvm::raw_string_ostream os(picture);
    if (!svg->emit(module, os, quiet, options) ||
        StringRef(os.str()).contains(" step\""))
      continue;
    session.diags.report(diag::bad_option_value)
        << "--highlight" << place.element
        << "ids of elements that the picture shows";
    return false;
  }
  return true;
}

/// The pipeline that the command line asks for: --passes, or each pass as an
/// option in its order; then the options for all passes that have them.
static bool makePipeline(Session &session, Pipeline &pipeline,
                         StringRef format) {
  const Arguments &arguments = session.arguments;
  DiagnosticEngine &diags = session.diags;
  bool flags = llvm::any_of(arguments.options,
                            [](const auto &option) { return option.pass; });
  if (arguments.has("passes")) {
    if (flags) {
      diags.report(diag::usage) << "passes are given both in --passes and as "
                                   "options; their order would be unclear";
      return false;
    }
    if (!parsePipeline(arguments.value("passes"), "--passes",
                       session.registry.passes, diags, pipeline))
      return false;
  }
  if (arguments.has("check") && (flags || arguments.has("passes"))) {
    diags.report(diag::usage)
        << "--check chooses the passes itself; leave out the others";
    return false;
  }
  for (const Arguments::Option &option : arguments.options) {
    if (!option.pass)
      continue;
    pipeline.push_back({option.pass, {}});
    if (option.hasValue)
      for (const PassOptionInfo &o : option.pass->options)
        if (o.isValue)
          pipeline.back().options[o.name] = option.value;
  }
  // --check knows its passes only when it has seen the module.
  return arguments.has("check") ? !diags.hasErrors()
                                : giveOptions(session, pipeline, format);
}

namespace {
/// Sees transforms that did not do what they were asked for: they left the
/// module as it was and reported why.
class FailureObserver : public PassObserver {
public:
  void after(const PipelineEntry &entry, unsigned, const Module &,
             PassResult result, const PassContext &context) override {
    bool transform = entry.info->group == PassGroup::Transform ||
                     entry.info->group == PassGroup::Lowering;
    if (transform && result == PassResult::Unchanged &&
        llvm::any_of(context.facts, [](const Fact &fact) {
          return fact.verdict != Verdict::Holds;
        }))
      pass = entry.info->name;
  }
  StringRef pass; ///< the last one, or empty
};
} // namespace

/// Where the module goes and in which form. A limit that this reaches is one
/// more fact of \p found.
static bool writeModule(Session &session, const Module &module,
                        StringRef format, bool checks, std::vector<Fact> &found,
                        const DiagramLayout &layout, const WriteBack &back) {
  const Arguments &arguments = session.arguments;
  StringRef path = arguments.value("output", "-");
  bool asked = arguments.has("output") || arguments.has("emit");
  // Standard output has one use at a time, and verdicts were asked for.
  // --check answers; it makes nothing. Nor does what reads no input.
  if (!asked && (session.files.standardOutputTaken() ||
                 arguments.has("check") || session.inputs().empty()))
    return true;
  // An interrupted run leaves the old file.
  if (interrupted && llvm::any_of(found, [](const Fact &fact) {
        return fact.verdict == Verdict::Inconclusive;
      }))
    return true;
  auto file = OutputFile::open(path, "-o", session.files, session.diags);
  if (!file)
    return false;
  if (!arguments.has("emit") && file->isTerminal() && !arguments.has("force")) {
    // A person looks on: the text form, or nothing when verdicts are wanted.
    if (checks && !asked)
      return true;
    format = "cift";
  }
  EmitOptions options = emitOptions(session, found, layout);
  if (format == "bpmn" && !arguments.has("rewrite")) {
    if (std::optional<std::string> text = back.write(module)) {
      file->os() << *text;
      return file->keep();
    }
    if (back.hasFile(module) && !arguments.has("quiet"))
      llvm::errs() << "note: the change cannot be made in the file itself; "
                      "BPMN is written from the model, without what only the "
                      "file has\n";
  } else if (!arguments.has("rewrite")) {
    // Pictures are those of the file.
    options.drawing = back.write(module).value_or("");
  }
  if (arguments.has("highlight") && !showsAll(session, module, options))
    return false;
  const Emitter *emitter = session.registry.findEmitter(format);
  if (emitter->describesSystem &&
      (!readSemantics(arguments, options.semantics, session.diags) ||
       !semanticsApply(arguments, module, options.semantics, session.diags)))
    return false;
  options.semantics.runLimits = session.limits.forOnePass();
  // A second file has the place of the first; both are complete, or neither.
  std::vector<std::unique_ptr<OutputFile>> more;
  if (path != "-") {
    options.fileName = llvm::sys::path::stem(path).str();
    options.beside = [&](StringRef extension) -> raw_ostream * {
      llvm::SmallString<128> name(path);
      llvm::sys::path::replace_extension(name, extension);
      auto second = OutputFile::open(name, "the second file of -o",
                                     session.files, session.diags);
      return second ? &more.emplace_back(std::move(second))->os() : nullptr;
    };
  }
  bool wasStopped = false;
  options.stopped = [&](StringRef limit) {
    wasStopped = true;
    found.push_back(
        FactBuilder("emit", "'" + path + "'")
            .with("format", format)
            .inconclusive("--emit=" + format +
                          ": nothing was written: " + stoppedText(limit)));
  };
  if (!emitter->emit(module, file->os(), session.diags, options))
    return wasStopped;
  return llvm::all_of(more,
                      [](const auto &second) { return second->keep(); }) &&
         file->keep();
}

/// What passes may ask of the tool; what they print goes to \p log, and what
/// they write to \p written.
static PassHost hostOf(Session &session, raw_ostream &log, PassFiles &written) {
  PassHost host;
  host.load = [&session](StringRef path) -> std::unique_ptr<Module> {
    if (!session.files.addRead(path, session.diags))
      return nullptr;
    InputOptions options{.maxInput = session.maxInput};
    options.frontEnd.strict = session.arguments.has("strict");
    return readModule(path, session.registry, options, session.diags);
  };
  host.write = [&written](StringRef path,
                          function_ref<void(raw_ostream &)> print) {
    return written.write(path, print);
  };
  host.log = &log;
  return host;
}

/// Whether the module is what was asked for. Nobody should take the model as it
/// was for it.
static bool tellWanted(Session &session, const FailureObserver &failure) {
  if (failure.pass.empty())
    return true;
  if (session.arguments.has("output") && !session.diags.quiet)
    session.printer.print({}, Severity::Warning,
                          ("'" + session.arguments.value("output") +
                           "' is not written, because --" + failure.pass +
                           " did not succeed")
                              .str(),
                          "");
  return false;
}

/// --join, and a question where it was not given.
static bool settleNames(Session &session, Module &module) {
  std::vector<std::pair<std::string, std::string>> joins;
  SmallVector<StringRef> entries;
  session.arguments.value("join").split(entries, ',', -1, false);
  for (StringRef entry : entries) {
    auto [name, other] = entry.split('=');
    if (name.empty() || other.empty()) {
      session.diags.report(diag::bad_option_value)
          << "--join" << entry << "NAME=NAME";
      return false;
    }
    joins.push_back({name.str(), other.str()});
  }
  if (!joins.empty() && !joinNames(module, joins, session.diags))
    return false;
  // Formal languages have names that are close on purpose.
  if (llvm::any_of(module.sources, [&](const Source &s) {
        return module.text(s.language) == "bpmn";
      }))
    for (const SimilarPair &pair : findSimilarNames(module))
      session.diags
              .report(pair.at, pair.isMessage ? diag::similar_messages
                                              : diag::similar_participants)
              .note(pair.otherAt, "the other one")
          << pair.name << pair.other;
  return true;
}

/// The change from what was read to \p now, for reports: what passes made, or a
/// \p repair that was found. Where the file is not BPMN, passes printed the
/// change to \p log.
static void showChange(Session &session, PageModel &page, const Module &now,
                       const CollaborationRepair *repair, uint64_t asRead,
                       StringRef log, const WriteBack &back,
                       const SourceBuffer *source) {
  bool toPage = session.page->wanted, toFixes = session.wantsFixes && source;
  if (now.digest() == asRead || (!toPage && !toFixes))
    return;
  std::optional<std::string> text = back.write(now);
  page.compareWith(now, text ? StringRef(*text) : "",
                   repair ? ArrayRef(repair->diff) : ArrayRef<std::string>());
  if (!toFixes)
    return;
  ReportFix fix{.file = source->path().str()};
  fix.replacements = text ? replacementsBetween(source->text(), *text)
                          : replacementsOf(log, fix.file);
  if (fix.replacements.empty())
    return;
  fix.description = "change " + fix.file + " as ";
  if (repair)
    fix.description += "--repair ";
  for (const Arguments::Option &option : session.arguments.options)
    if (option.pass && option.pass->group == PassGroup::Transform)
      fix.description += "--" + option.name + " ";
  fix.description += "does";
  if (repair)
    for (const std::string &line : repair->diff)
      fix.description += "\n" + line;
  session.fixes.push_back(std::move(fix));
}

/// Reads \p inputs, or the \p part of one, and how it is drawn where something
/// draws it. Null: errors were reported.
static std::unique_ptr<Module> readDrawn(Session &session, StringRef format,
                                         ArrayRef<std::string> inputs,
                                         StringRef part,
                                         DiagramLayout &layout) {
  if (inputs.empty()) // its passes read what they need
    return std::make_unique<Module>();
  InputOptions options = session.inputOptions();
  if (!part.empty())
    options.frontEnd.select = part.str();
  layout.only = session.arguments.value("diagram").str();
  bool draws = (format != "cif" && format != "cift") || session.page->wanted ||
               session.wantsFixes;
  // Ids of several files may clash, and modules have no drawing.
  if (inputs.size() == 1 && draws)
    options.frontEnd.layout = &layout;
  return readModules(inputs, session.registry, options, session.diags);
}

/// The checks of --check and those that their answers may ask for, with their
/// options. False: errors were reported.
static bool chooseChecks(Session &session, const Module &module,
                         StringRef format, Pipeline &pipeline,
                         Pipeline &later) {
  pipeline = checksFor(module, session.registry.passes);
  if (pipeline.empty()) {
    session.diags.report(diag::nothing_to_check)
        << "choreography, processes or peers";
    return false;
  }
  const size_t first = pipeline.size();
  llvm::append_range(pipeline, checksLater(module, session.registry.passes));
  if (!giveOptions(session, pipeline, format, /*isChosen=*/true))
    return false;
  later.assign(pipeline.begin() + first, pipeline.end());
  pipeline.resize(first);
  return true;
}

static bool hasChecks(const Pipeline &pipeline) {
  return llvm::any_of(pipeline, [](const PipelineEntry &entry) {
    return entry.info->group == PassGroup::Check;
  });
}

/// Whether a table is printed; behind it, one run for each kind of failure will
/// do.
static bool printsTable(const Pipeline &pipeline) {
  return llvm::any_of(pipeline, [](const PipelineEntry &entry) {
    return StringRef(entry.info->name) == "check-collaboration";
  });
}

/// Runs what is asked for on the module of \p inputs, or of the \p part of one;
/// the exit status is that of its facts. \p all: the facts of a module that is
/// one of several, which are reported in the end.
static int runOn(Session &session, StringRef format, Pipeline pipeline,
                 std::vector<std::unique_ptr<PassObserver>> &observers,
                 ArrayRef<std::string> inputs, StringRef part,
                 std::vector<Fact> &found, std::vector<Fact> *all) {
  DiagnosticEngine &diags = session.diags;
  DiagramLayout layout;
  std::unique_ptr<Module> module =
      readDrawn(session, format, inputs, part, layout);
  if (!module)
    return ExitError;
  WriteBack back(session, layout);
  uint64_t asRead = module->digest();
  if (!settleNames(session, *module))
    return ExitError;
  session.flushWarnings();
  StringRef only = inputs.size() == 1 ? StringRef(inputs[0]) : StringRef();
  const SourceBuffer *source = session.sources.find(only);
  PageModel shownModel(*session.page, *module, only, &layout,
                       source ? source->text() : StringRef(), session.limits);

  VisibleStream log(llvm::errs());
  KeepingStream kept(log);
  PassFiles written(session.files, diags);
  PassManager manager(diags, session.limits, hostOf(session, kept, written));
  for (const auto &observer : observers)
    manager.observe(*observer);
  FailureObserver failure;
  manager.observe(failure);
  bool checkAll = session.arguments.has("check");
  Pipeline later;
  if (checkAll && !chooseChecks(session, *module, format, pipeline, later))
    return ExitError;
  if (!manager.run(pipeline, *module))
    return ExitError;
  if ((checkAll && !manager.stopped() &&
       !manager.run(checksAfter(later, *module, manager.facts()), *module)) ||
      !written.keep())
    return ExitError;
  if (!all)
    observers.clear(); // what they tell in the end comes before the report
  found = manager.takeFacts();
  if (all) // a verdict on a whole file is that file's
    for (Fact &fact : found)
      if (!fact.at.known())
        fact.at.file = inputs[0];
  SoonRepair soon;
  if (checkAll && !manager.stopped() && !interrupted)
    soon = findRepair(*module, found, session.limits);
  const CollaborationRepair *repair = soon.found ? &*soon.found : nullptr;
  showChange(session, shownModel, repair ? repair->module : *module, repair,
             asRead, kept.kept, back, source);
  shownModel.finish(*module, found, session.limits);

  bool checks = checkAll || hasChecks(pipeline);
  bool tabulates = printsTable(pipeline);
  // Where a limit was reached, what was to be written was not made.
  if (!all && !manager.stopped() && tellWanted(session, failure) &&
      !writeModule(session, *module, format, checks, found, layout, back))
    return ExitError;
  std::vector<Fact> some;
  if (checkAll || tabulates)
    some = factsToShow(found);
  size_t hidden = session.isFirstPage() ? keepMain(some) : 0;
  ArrayRef<Fact> shown = checkAll || tabulates ? some : found;
  if (all) {
    llvm::append_range(*all, found);
    session.show(shown);
  } else if (!session.report(found, shown)) {
    return ExitError;
  }
  if (checkAll && !session.arguments.has("quiet")) {
    std::vector<std::string> words = inputs.vec();
    if (!part.empty())
      words.push_back("--select=" + part.str());
    printSummary(llvm::errs(), found, *module, words, hidden, soon,
                 session.colors);
    for (const std::string &line :
         helpfulJoins(*module, found, pipeline, session.limits,
                      hostOf(session, llvm::nulls(), written)))
      llvm::errs() << "note: " << visible(line) << '\n';
  }
  return exitStatus(found);
}

/// What --check looks at one by one: files, and diagrams of one file.
static std::vector<CheckedInput> checkedInputs(Session &session) {
  std::vector<CheckedInput> found;
  for (const std::string &input : session.inputs()) {
    std::vector<SourcePart> parts;
    if (!session.arguments.has("select"))
      parts = partsOfInput(input, session.registry, session.inputOptions(),
                           session.sources);
    if (parts.size() < 2)
      found.push_back({input, "", 0});
    else
      for (SourcePart &part : parts)
        found.push_back({input, std::move(part.name), part.line});
  }
  return found;
}

/// --check of several files or diagrams: each is a module of its own.
static int runOnEach(Session &session, StringRef format,
                     ArrayRef<CheckedInput> inputs,
                     std::vector<std::unique_ptr<PassObserver>> &observers) {
  // What asks for no module at all is the same for one file and for several.
  if (session.arguments.value("output", "/dev/null") != "/dev/null" ||
      session.arguments.has("emit")) {
    session.diags.report(diag::usage)
        << "--check of several files or diagrams writes no module; --link "
           "puts them into one, --select=NAME picks a diagram";
    return ExitError;
  }
  std::vector<Fact> all;
  auto check = [&](const CheckedInput &input) {
    std::vector<Fact> found;
    FileResult result;
    session.grouped->firstError.clear();
    result.status = runOn(session, format, {}, observers, input.file,
                          input.part, found, &all);
    if (result.status != ExitError)
      result = fileResult(found);
    else
      result.reason = session.grouped->firstError;
    session.flushWarnings();
    return result;
  };
  int status = checkFiles(inputs, check, llvm::errs(), session.colors,
                          session.arguments.has("quiet"));
  return session.report(all, {}) ? status : int(ExitError);
}

/// Whether each option that is for some runs only has an effect in this one.
static bool optionsApply(Session &session, StringRef format,
                         const Pipeline &pipeline) {
  const Arguments &arguments = session.arguments;
  const bool draws = llvm::is_contained({"svg", "png", "pdf"}, format);
  const bool checkAll = arguments.has("check"),
             runsPasses = checkAll || !pipeline.empty();
  const bool onlyEngines =
      !pipeline.empty() && llvm::all_of(pipeline, [](const auto &entry) {
        return entry.options.count("engine") != 0;
      });
  const struct {
    const char *option;
    bool applies;
    const char *why;
  } conditions[] = {
      {"link", checkAll, "without --check: files are always linked"},
      {"highlight", draws, "unless --emit is svg, png or pdf"},
      {"rewrite", draws || format == "bpmn",
       "unless --emit is bpmn, svg, png or pdf"},
      {"diagram", draws || format == "bpmn" || session.page->wanted,
       "unless --emit is bpmn, svg, png or pdf, or --report is html"},
      {"select", !session.inputs().empty(), "without an input file"},
      {"input-format", !session.inputs().empty(), "without an input file"},
      {"max-states", !onlyEngines, "with --engine, which counts no states"},
      {"print-ir", runsPasses, "without passes"},
      {"dump-phases", runsPasses, "without passes"},
      // Writers that draw, or explore, keep to it as well.
      {"timeout-each",
       runsPasses || !llvm::is_contained({"cif", "cift"}, format),
       "without passes"},
      {"stats", runsPasses, "without passes"},
      {"expect", runsPasses, "without passes"},
      {"baseline", runsPasses, "without passes"},
      {"exit-zero", runsPasses, "without passes"},
  };
  bool all = true;
  for (const auto &[option, applies, why] : conditions)
    if (arguments.has(option) && !applies) {
      session.diags.report(diag::idle_option)
          << std::string("--") + option << why;
      all = false;
    }
  return all;
}

static int run(const ToolInfo &tool, int argc, char **argv,
               Registry &registry) {
  Session session(tool, registry);
  if (std::optional<int> status = session.start(argc, argv))
    return *status;
  if (session.arguments.has("serve"))
    return session.finish(serve(session, argv[0]));
  if (session.arguments.has("examples"))
    return session.finish(writeExamples(session));

  StringRef format = outputFormat(session.arguments.value("output", "-"),
                                  session.arguments.value("emit"), tool,
                                  registry, session.diags);
  if (format.empty())
    return session.finish(ExitError);
  Pipeline pipeline;
  std::vector<std::unique_ptr<PassObserver>> observers;
  if (!makePipeline(session, pipeline, format) ||
      !optionsApply(session, format, pipeline) ||
      !makeObservers(session, observers))
    return session.finish(ExitError);
  std::vector<CheckedInput> each;
  if (session.arguments.has("check") && !session.arguments.has("link"))
    each = checkedInputs(session);
  std::vector<Fact> found;
  int status = each.size() > 1 ? runOnEach(session, format, each, observers)
                               : runOn(session, format, pipeline, observers,
                                       session.inputs(), "", found, nullptr);
  observers.clear();
  return session.finish(status);
}

int cif::cifcMain(int argc, char **argv, Registry registry) {
  return run(cifcInfo, argc, argv, registry);
}

int cif::cifOptMain(int argc, char **argv, Registry registry) {
  return run(cifOptInfo, argc, argv, registry);
}
