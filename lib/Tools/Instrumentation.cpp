//===- Instrumentation.cpp - Watching the passes --------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instrumentation.h"
#include "cif/IR/Text.h"
#include "cif/Support/Diagnostics/Pass.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "cif/Tools/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace cif;

namespace {

/// --print-ir=before|after|changed[:pass,...]
class IrPrinter : public PassObserver {
public:
  enum When { Before, After, Changed };
  IrPrinter(When when, ArrayRef<StringRef> only) : when(when) {
    for (StringRef name : only)
      passes.push_back(name.str());
  }

  void before(const PipelineEntry &entry, unsigned,
              const Module &module) override {
    if (when == Before && wanted(entry))
      print("before", entry, module);
  }
  void after(const PipelineEntry &entry, unsigned, const Module &module,
             PassResult result, const PassContext &) override {
    if (wanted(entry) &&
        (when == After || (when == Changed && changed(result))))
      print("after", entry, module);
  }

private:
  bool wanted(const PipelineEntry &entry) const {
    return passes.empty() || llvm::is_contained(passes, entry.info->name);
  }
  static void print(const char *what, const PipelineEntry &entry,
                    const Module &module) {
    llvm::errs() << "// " << what << ' ' << entry.info->name << '\n';
    printText(module, llvm::errs());
  }
  When when;
  std::vector<std::string> passes;
};

/// --dump-phases=DIR: DIR/00-input.cift, DIR/01-normalize.cift, ... Numbers go
/// on where --check runs more passes, or reads another file.
class PhaseDumper : public PassObserver {
public:
  PhaseDumper(StringRef folder, RunFiles &files, DiagnosticEngine &diags)
      : folder(folder.str()), files(files), diags(diags) {}

  void before(const PipelineEntry &, unsigned index,
              const Module &module) override {
    if (index == 0)
      dump("input", module);
  }
  void after(const PipelineEntry &entry, unsigned, const Module &module,
             PassResult result, const PassContext &) override {
    if (result != PassResult::Failed && result != PassResult::Stopped)
      dump(entry.info->name, module);
    else
      ++number;
  }

private:
  void dump(StringRef name, const Module &module) {
    std::string path =
        llvm::formatv("{0}/{1,0+2}-{2}.cift", folder, number++, name);
    auto file = OutputFile::open(path, "", files, diags);
    if (!file)
      return; // the error that was reported sets the exit status
    printText(module, file->os());
    file->keep();
  }
  std::string folder;
  RunFiles &files;
  DiagnosticEngine &diags;
  unsigned number = 0; ///< of the next file
};

/// --time: a line for each pass when all is done.
class Timer : public PassObserver {
public:
  explicit Timer(bool json) : asJson(json) {}
  ~Timer() override {
    double total = 0;
    for (const auto &[name, seconds] : times)
      total += seconds;
    if (asJson)
      printJson(total);
    else
      printTable(total);
  }
  void before(const PipelineEntry &, unsigned, const Module &) override {
    start = std::chrono::steady_clock::now();
  }
  void after(const PipelineEntry &entry, unsigned, const Module &, PassResult,
             const PassContext &) override {
    std::chrono::duration<double> spent =
        std::chrono::steady_clock::now() - start;
    times.push_back({entry.info->name, spent.count()});
  }

private:
  void printTable(double total) {
    llvm::errs() << "time:\n";
    for (const auto &[name, seconds] : times)
      llvm::errs() << llvm::format("  %8.3f s  %5.1f %%  ", seconds,
                                   total > 0 ? 100 * seconds / total : 0.0)
                   << name << '\n';
    llvm::errs() << llvm::format("  %8.3f s           all passes\n", total);
  }
  void printJson(double total) {
    llvm::json::OStream json(llvm::errs());
    json.object([&] {
      json.attributeArray("time", [&] {
        for (const auto &[name, seconds] : times)
          json.object([&, pass = StringRef(name), spent = seconds] {
            json.attribute("pass", pass);
            json.attribute("seconds", spent);
          });
      });
      json.attribute("seconds", total);
    });
    llvm::errs() << '\n';
  }

  bool asJson;
  std::chrono::steady_clock::time_point start;
  std::vector<std::pair<std::string, double>> times;
};

/// --stats: what the passes counted; as JSON, a line for each pass.
class StatisticsPrinter : public PassObserver {
public:
  explicit StatisticsPrinter(bool json) : asJson(json) {}
  void after(const PipelineEntry &entry, unsigned, const Module &, PassResult,
             const PassContext &context) override {
    if (asJson)
      return printJson(entry, context);
    for (const auto &[name, amount] : context.statistics)
      llvm::errs() << llvm::formatv("{0,12}  {1}: {2}\n", amount,
                                    entry.info->name, name);
  }

private:
  static void printJson(const PipelineEntry &entry,
                        const PassContext &context) {
    llvm::json::OStream json(llvm::errs());
    json.object([&] {
      json.attribute("pass", entry.info->name);
      json.attributeObject("statistics", [&] {
        for (const auto &[name, amount] : context.statistics)
          json.attribute(name, static_cast<int64_t>(amount));
      });
    });
    llvm::errs() << '\n';
  }
  bool asJson;
};

} // namespace

bool cif::makeObservers(Session &session,
                        std::vector<std::unique_ptr<PassObserver>> &observers) {
  const Arguments &arguments = session.arguments;
  if (arguments.has("print-ir")) {
    auto [whenText, only] = arguments.value("print-ir").split(':');
    static const StringRef words[] = {"before", "after", "changed"};
    const auto *found = llvm::find(words, whenText);
    if (found == std::end(words)) {
      session.diags.report(diag::bad_option_value)
          << "--print-ir" << whenText << "before, after or changed";
      return false;
    }
    SmallVector<StringRef, 4> passes;
    only.split(passes, ',', -1, /*KeepEmpty=*/false);
    for (StringRef pass : passes)
      if (!session.registry.passes.find(pass)) {
        session.diags.report(diag::unknown_pass)
            << pass << "--print-ir" << (pass.data() - whenText.data() + 1)
            << guessText(session.registry.passes.suggest(pass));
        return false;
      }
    observers.push_back(std::make_unique<IrPrinter>(
        static_cast<IrPrinter::When>(found - words), passes));
  }
  if (arguments.has("dump-phases")) {
    StringRef folder = arguments.value("dump-phases");
    if (std::error_code error = llvm::sys::fs::create_directories(folder)) {
      session.diags.report(diag::cannot_write) << folder << error.message();
      return false;
    }
    observers.push_back(
        std::make_unique<PhaseDumper>(folder, session.files, session.diags));
  }
  for (StringRef option : {"time", "stats"}) {
    const Arguments::Option *given = arguments.last(option);
    if (!given)
      continue;
    if (given->hasValue && given->value != "json") {
      session.diags.report(diag::bad_option_value)
          << "--" + option << given->value << "json";
      return false;
    }
    if (option == "time")
      observers.push_back(std::make_unique<Timer>(given->hasValue));
    else
      observers.push_back(std::make_unique<StatisticsPrinter>(given->hasValue));
  }
  return true;
}
