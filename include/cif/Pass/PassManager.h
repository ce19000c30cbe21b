//===- PassManager.h - Pipelines and how they run -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A pipeline is a flat list of passes with options:
///
///   normalize,project{peer=cl},check-synchronizable{bound=2,network=inbox}
///
/// The manager runs it over a module, verifies the module after each pass that
/// changed it, and tells its observers what happens (printing, timing, dumping
/// are observers and no business of a pass).
///
//===----------------------------------------------------------------------===//

#ifndef CIF_PASS_PASSMANAGER_H
#define CIF_PASS_PASSMANAGER_H

#include "cif/Pass/Pass.h"

namespace cif {

/// The passes that can be named: the built-in ones and those of plugins.
class PassRegistry {
public:
  /// False when there is another one of this name already, or it does nothing.
  bool add(PassInfo info);
  /// Why a pass was not added; empty: all were.
  StringRef problem() const { return whyNot; }
  const PassInfo *find(StringRef name) const;
  ArrayRef<std::unique_ptr<PassInfo>> all() const { return passes; }
  /// The registered name nearest to \p name, or empty.
  StringRef suggest(StringRef name) const;

private:
  std::vector<std::unique_ptr<PassInfo>> passes; // sorted by name
  std::string whyNot;
};

struct PipelineEntry {
  const PassInfo *info;
  llvm::StringMap<std::string> options;
};
using Pipeline = std::vector<PipelineEntry>;

/// Reads a pipeline. Errors point into \p text, which is shown as the source
/// \p origin (`--passes`).
bool parsePipeline(StringRef text, StringRef origin,
                   const PassRegistry &registry, DiagnosticEngine &diags,
                   Pipeline &pipeline);

/// Is told what the manager does.
class PassObserver {
public:
  virtual ~PassObserver();
  virtual void before(const PipelineEntry &, unsigned /*index*/,
                      const Module &) {}
  virtual void after(const PipelineEntry &, unsigned /*index*/, const Module &,
                     PassResult, const PassContext &) {}
};

class PassManager {
public:
  PassManager(DiagnosticEngine &diags, const Limits &limits, PassHost host)
      : diags(diags), limits(limits), host(std::move(host)) {}

  void observe(PassObserver &observer) { observers.push_back(&observer); }
  /// False: a pass failed or left a module that does not verify.
  bool run(const Pipeline &pipeline, Module &module);
  /// What the passes reported, in all runs of this manager: what the exit
  /// status, reports and pictures come from. Facts that came with the module
  /// are not among them, those that a later transform made stale are; of a
  /// check that was made again the last answer counts.
  ArrayRef<Fact> facts() const { return found; }
  /// The same when there is nothing more to run; runs may be long.
  std::vector<Fact> takeFacts() { return std::move(found); }
  /// Whether a pass met a limit before it had made the module: the rest of the
  /// pipeline was not run, and the module is not to be written.
  bool stopped() const { return wasStopped; }

private:
  bool wasStopped = false;
  DiagnosticEngine &diags;
  const Limits &limits;
  PassHost host;
  std::vector<PassObserver *> observers;
  std::vector<Fact> found;
};

} // namespace cif

#endif
