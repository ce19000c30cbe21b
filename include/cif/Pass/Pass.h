//===- Pass.h - What a pass is and what it is given -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A pass is a function that transforms, analyses or checks one module. It
/// touches only the module it is given, reports through the context, and says
/// whether it changed anything. A check pass adds a Fact for every verdict. The
/// algorithm behind a pass is a function over plain data elsewhere; the pass is
/// the thin shell around it.
///
/// Passes are declared in Passes.def; docs/writing-a-pass.md walks through one.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_PASS_PASS_H
#define CIF_PASS_PASS_H

#include "cif/IR/Module.h"
#include "cif/Support/Limits.h"
#include "llvm/ADT/StringMap.h"
#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace cif {

enum class PassResult : uint8_t {
  Unchanged, ///< the module is as before, but for added facts
  Changed,   ///< analyses are stale; facts are dropped unless it keeps them
  Stopped,   ///< at a limit, and a fact says so; the module is as before,
             ///< which nobody asked for: nothing is to be written
  Failed,    ///< an error was reported; the module is not to be used
  Rewritten, ///< like Changed, but each process still does what its peer says:
             ///< others drop the peers that are stale, see dropStalePeers
};

/// Whether the module is another one.
inline bool changed(PassResult result) {
  return result == PassResult::Changed || result == PassResult::Rewritten;
}

/// Analyses: computed when first asked for, kept until a pass changes the
/// module. An analysis is any class with a constructor from `const Module &`
/// and what else it is made with.
class AnalysisCache {
public:
  template <class Analysis, class... With>
  const Analysis &get(const Module &module, With &&...with) {
    static char key; // its address is the analysis's identity
    auto &slot = entries[&key];
    if (!slot)
      slot = std::make_shared<Analysis>(module, std::forward<With>(with)...);
    return *static_cast<const Analysis *>(slot.get());
  }
  void invalidate() { entries.clear(); }

private:
  std::map<const void *, std::shared_ptr<void>> entries;
};

/// Loads a further module that a pass names in an option (`SPEC` in
/// --check-conforms=SPEC), in any format. Null: errors were reported.
using ModuleLoader = std::function<std::unique_ptr<Module>(StringRef path)>;

/// What the driver lends to passes.
struct PassHost {
  ModuleLoader load;
  /// Writes a file whole or not at all; false: reported.
  std::function<bool(StringRef path, function_ref<void(raw_ostream &)> print)>
      write;
  /// Where printing passes print: standard error, as standard output is for IR.
  raw_ostream *log = nullptr;
};

/// What a pass is given.
class PassContext {
public:
  PassContext(DiagnosticEngine &diags, const Limits &limits,
              AnalysisCache &analyses, const PassHost &host)
      : diags(diags), limits(limits), analyses(analyses), host(host) {}

  DiagnosticEngine &diags;
  const Limits &limits;
  AnalysisCache &analyses;
  const PassHost &host;

  /// The value of an option that the pass declares in Passes.def: as given,
  /// else its default there. Empty when there is neither.
  StringRef option(StringRef name) const;
  bool hasOption(StringRef name) const { return !option(name).empty(); }
  /// Whether a flag is set. The pass manager has checked that it is `true` or
  /// `false`.
  bool flag(StringRef name) const { return option(name) == "true"; }
  /// The same as a number; reports an error (and returns nothing) when it is
  /// not one. `inf` is UINT64_MAX.
  std::optional<uint64_t> number(StringRef name) const;
  /// The same as a list separated by commas.
  SmallVector<StringRef, 4> list(StringRef name) const;
  /// The same as one of a few words: its index in \p words, or nothing after an
  /// error that lists them.
  std::optional<unsigned> oneOf(StringRef name,
                                ArrayRef<StringRef> words) const;

  /// Adds to a statistic of this pass (--stats).
  void count(StringRef statistic, uint64_t amount) {
    statistics[statistic.str()] += amount;
  }
  /// Adds a verdict to the module when the pass is done, with the digest of
  /// what it was found on.
  void report(const Module &module, Fact fact);
  /// The same for a fact that may be violated. The one gate for these:
  /// \p replays runs the witness again, apart from the search that found it.
  /// Where it does not show what the fact says, nothing is known, and the fact
  /// becomes inconclusive.
  void report(const Module &module, Fact fact, function_ref<bool()> replays);

  /// For a transform that met a limit before its work was done: reports that
  /// \p subject is inconclusive, and says what to return.
  PassResult stop(Module &module, const Twine &subject, const Place &at,
                  const Twine &limit);

  // Set by the pass manager for each pass.
  const struct PassInfo *info = nullptr;
  llvm::StringMap<std::string> options;
  std::map<std::string, uint64_t> statistics;
  /// What this pass reported so far.
  std::vector<Fact> facts;
  /// What its facts said was abstracted.
  std::vector<std::string> allAbstractions;

private:
  void add(const Module &module, Fact fact);
  /// What the facts on one subject rest on.
  std::vector<std::string> abstractions;
};

enum class PassGroup : uint8_t { Transform, Lowering, Check, Print, Test };

struct PassOptionInfo {
  const char *name, *metavar, *defaultValue, *help;
  bool isValue; ///< `--pass=VALUE` sets this one

  /// Whether `--pass` cannot go without its value: a metavar without brackets
  /// and no default.
  bool needed() const {
    return isValue && *metavar && *metavar != '[' && !*defaultValue;
  }
};

struct PassInfo {
  const char *name;
  PassGroup group;
  const char *summary;
  const char *reference; ///< "bibkey:Def. 3", or empty
  /// Changes \p module, or adds facts to it by `context.report`. A failure has
  /// reported an error.
  PassResult (*run)(Module &module, PassContext &context);
  std::vector<PassOptionInfo> options;
  /// False: it needs no module and names its files in options.
  bool readsInput = true;
  /// Whether facts stay true after it changed a module.
  bool keepsFacts = false;

  /// The option of this name, or null.
  const PassOptionInfo *findOption(StringRef option) const;
};

} // namespace cif

#endif
