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
#include "Instrumentation.h"
#include "cif/Report/Report.h"
#include "cif/Support/DiagnosticKinds.h"
#include "cif/Support/ExitCodes.h"
#include "cif/Tools/Drivers.h"
#include "cif/Tools/OutputFile.h"
#include "llvm/ADT/StringExtras.h"

using namespace cif;

static const ToolInfo cifcInfo = {
    Cifc, "cifc", "[options] FILE...",
    "Compile choreographies, collaborations and peers, transform and check "
    "them.",
    "  cifc shop.ioc -o shop.cif\n"
    "  cifc --check shop.ioc\n"
    "  cifc shop.bpmn | cif-opt --check-structure --verdicts=-\n"};

static const ToolInfo cifOptInfo = {
    Opt, "cif-opt", "[options] [FILE...]",
    "Run passes on modules. Input: any format, standard input by default.",
    "  cif-opt --normalize shop.cif -o normal.cif\n"
    "  cif-opt --passes='normalize,check-structure' shop.cif\n"
    "  cifc shop.ioc | cif-opt --check-structure --verdicts=- -o /dev/null\n"};

/// The options for all passes that have them, from the command line.
static bool giveOptions(Session &session, Pipeline &pipeline) {
  const Arguments &arguments = session.arguments;
  DiagnosticEngine &diags = session.diags;
  Pipeline inBraces = pipeline;
  for (const Arguments::Option &option : arguments.options) {
    if (option.info || option.pass)
      continue;
    bool used = false;
    for (auto [index, entry] : llvm::enumerate(pipeline)) {
      const PassOptionInfo *info = entry.info->findOption(option.name);
      if (!info)
        continue;
      used = true;
      auto [at, isNew] = entry.options.try_emplace(
          option.name, option.hasValue ? option.value : "true");
      // What stands in braces is nearer to the pass and wins; a list that is
      // given in several parts is one list.
      if (!isNew && !inBraces[index].options.count(option.name) &&
          StringRef(info->metavar).contains(",..."))
        at->second += "," + option.value;
    }
    if (!used) {
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
  return !diags.hasErrors();
}

/// What pictures show: the source's own drawing, and highlighted the elements
/// that --highlight names, else the witness of the first check that failed.
static EmitOptions emitOptions(const Session &session, ArrayRef<Fact> found,
                               const DiagramLayout &layout) {
  EmitOptions options;
  options.layout = &layout;
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
      break;
    }
  return options;
}

/// The pipeline that the command line asks for: --passes, or each pass as an
/// option in its order; then the options for all passes that have them.
static bool makePipeline(Session &session, Pipeline &pipeline) {
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
                                : giveOptions(session, pipeline);
}

/// Where the module goes and in which form.
static bool writeModule(Session &session, const Module &module, bool checks,
                        ArrayRef<Fact> found, const DiagramLayout &layout) {
  const Arguments &arguments = session.arguments;
  StringRef path = arguments.value("output", "-");
  bool asked = arguments.has("output") || arguments.has("emit");
  // Standard output has one use at a time, and verdicts were asked for.
  // --check answers; it makes nothing. Nor does what reads no input.
  if (!asked && (arguments.value("verdicts") == "-" || arguments.has("check") ||
                 session.inputs().empty()))
    return true;
  auto file = OutputFile::open(path, session.diags);
  if (!file)
    return false;
  StringRef format = arguments.value("emit", "cif");
  if (!arguments.has("emit") && file->isTerminal() && !arguments.has("force")) {
    // A person looks on: the text form, or nothing when verdicts are wanted.
    if (checks && !asked)
      return true;
    format = "cift";
  }
  const Emitter *emitter = session.registry.findEmitter(format);
  return emitter->emit(module, file->os(), session.diags,
                       emitOptions(session, found, layout)) &&
         file->keep();
}

static int run(const ToolInfo &tool, int argc, char **argv,
               Registry &registry) {
  Session session(tool, registry);
  if (std::optional<int> status = session.start(argc, argv))
    return *status;
  DiagnosticEngine &diags = session.diags;

  StringRef format = session.arguments.value("emit", "cif");
  if (!registry.findEmitter(format)) {
    std::vector<StringRef> names;
    for (const Emitter &e : registry.emitters)
      names.push_back(e.name);
    diags.report(diag::bad_option_value)
        << "--emit" << format << "one of " + llvm::join(names, ", ");
    return session.finish(ExitError);
  }
  Pipeline pipeline;
  std::vector<std::unique_ptr<PassObserver>> observers;
  if (!makePipeline(session, pipeline) || !makeObservers(session, observers))
    return session.finish(ExitError);

  InputOptions inputOptions = session.inputOptions();
  // Ids of several files may clash, and modules have no drawing.
  DiagramLayout layout;
  if (session.inputs().size() == 1 && format != "cif" && format != "cift")
    inputOptions.frontEnd.layout = &layout;
  std::unique_ptr<Module> module =
      session.inputs().empty() // its passes read what they need
          ? std::make_unique<Module>()
          : readModules(session.inputs(), registry, inputOptions, diags);
  if (!module)
    return session.finish(ExitError);

  PassHost host;
  host.load = [&](StringRef path) {
    return readModule(path, registry, {}, diags);
  };
  host.write = [&](StringRef path, function_ref<void(raw_ostream &)> print) {
    auto file = OutputFile::open(path, diags);
    if (!file)
      return false;
    print(file->os());
    return file->keep();
  };
  host.log = &llvm::errs();
  PassManager manager(diags, session.limits, host);
  for (const auto &observer : observers)
    manager.observe(*observer);
  // A transform may drop facts that came with the input: the ones of this run
  // are those that were not there before.
  std::vector<Fact> before = module->facts;
  bool checkAll = session.arguments.has("check");
  if (checkAll) {
    pipeline = checksFor(*module, registry.passes);
    if (pipeline.empty()) {
      diags.report(diag::nothing_to_check)
          << "choreography, processes or peers";
      return session.finish(ExitError);
    }
    if (!giveOptions(session, pipeline))
      return session.finish(ExitError);
  }
  if (!manager.run(pipeline, *module))
    return session.finish(ExitError);
  if (checkAll &&
      !manager.run(checksAfter(module->facts, registry.passes), *module))
    return session.finish(ExitError);
  observers.clear();
  std::vector<Fact> found;
  for (const Fact &fact : module->facts)
    if (!llvm::is_contained(before, fact))
      found.push_back(fact);

  bool checks =
      checkAll || llvm::any_of(pipeline, [](const PipelineEntry &entry) {
        return entry.info->group == PassGroup::Check;
      });
  // A table was printed; behind it, one run for each kind of failure will do.
  bool tabulates = llvm::any_of(pipeline, [](const PipelineEntry &entry) {
    return StringRef(entry.info->name) == "check-collaboration";
  });
  if (!writeModule(session, *module, checks, found, layout) ||
      !session.report(found,
                      checkAll || tabulates ? factsToShow(found) : found))
    return session.finish(ExitError);
  if (checkAll && !session.arguments.has("quiet"))
    printSummary(llvm::errs(), found, session.inputs(), session.colors);
  return session.finish(exitStatus(found));
}

int cif::cifcMain(int argc, char **argv, Registry registry) {
  return run(cifcInfo, argc, argv, registry);
}

int cif::cifOptMain(int argc, char **argv, Registry registry) {
  return run(cifOptInfo, argc, argv, registry);
}
