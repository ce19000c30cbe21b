//===- PassManager.cpp - How pipelines run --------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Pass/PassManager.h"
#include "cif/IR/Digest.h"
#include "cif/IR/Verifier.h"
#include "cif/Support/Diagnostics/Pass.h"
#include "cif/Support/Diagnostics/Usage.h"

using namespace cif;

PassObserver::~PassObserver() = default;

bool PassRegistry::add(PassInfo info) {
  StringRef name = info.name;
  auto at = llvm::lower_bound(passes, name, [](const auto &entry, StringRef n) {
    return StringRef(entry->name) < n;
  });
  if (!info.run) {
    whyNot = ("pass '" + name + "' has no function").str();
    return false;
  }
  if (at != passes.end() && (*at)->name == name) {
    // A plugin may be loaded twice.
    if ((*at)->run == info.run)
      return true;
    whyNot = ("there is a pass '" + name + "' already").str();
    return false;
  }
  passes.insert(at, std::make_unique<PassInfo>(std::move(info)));
  return true;
}

const PassInfo *PassRegistry::find(StringRef name) const {
  auto at = llvm::lower_bound(passes, name, [](const auto &entry, StringRef n) {
    return StringRef(entry->name) < n;
  });
  return at != passes.end() && (*at)->name == name ? at->get() : nullptr;
}

StringRef PassRegistry::suggest(StringRef name) const {
  std::vector<StringRef> names;
  for (const auto &pass : passes)
    names.push_back(pass->name);
  return nearest(name, names);
}

/// Whether every flag of \p pipeline is true or false; reports each that is
/// something else, such as `no-proof=true;bound=2`.
static bool flagsAreFlags(const Pipeline &pipeline, DiagnosticEngine &diags) {
  bool good = true;
  for (const PipelineEntry &entry : pipeline)
    for (const PassOptionInfo &option : entry.info->options) {
      auto given = entry.options.find(option.name);
      if (*option.metavar || given == entry.options.end() ||
          given->second == "true" || given->second == "false")
        continue;
      diags.report(diag::bad_option_value)
          << option.name << given->second << "true or false";
      good = false;
    }
  return good;
}

/// Whether no peer stands beside a process that changed under it; reports each
/// that does.
static bool verifyPeers(const PeerStamps &before, const Module &module,
                        const PipelineEntry &entry, DiagnosticEngine &diags) {
  std::vector<uint32_t> stale = before.staleIn(module);
  for (uint32_t s : stale) {
    const SystemDecl &peer = module.systems[s];
    diags.report(module.place(peer.loc), diag::stale_peer)
        << entry.info->name << module.participantName(peer.owner)
        << module.text(peer.name);
  }
  return stale.empty();
}

bool PassManager::run(const Pipeline &pipeline, Module &module) {
  if (!flagsAreFlags(pipeline, diags))
    return false;
  AnalysisCache analyses;
  unsigned index = 0;
  for (const PipelineEntry &entry : pipeline) {
    for (PassObserver *observer : observers)
      observer->before(entry, index, module);

    UnderLimits underLimits;
    Limits own = limits.forOnePass();
    PassContext context(diags, own, analyses, host);
    context.info = entry.info;
    context.options = entry.options;
    (void)diags.takeAbstractions(); // of what was done before
    unsigned errors = diags.errors();
    const PeerStamps before(module);
    PassResult result = entry.info->run(module, context);
    if (diags.errors() != errors)
      result = PassResult::Failed;
    if (result == PassResult::Failed && diags.errors() == errors)
      diags.report(diag::pass_failed) << entry.info->name;

    if (changed(result)) {
      analyses.invalidate();
      // What it was made from with an abstraction may be gone from it.
      module.addAbstractions(context.allAbstractions);
      module.addAbstractions(diags.takeAbstractions());
      // What was found on the module as it was is not known of the new one.
      if (!entry.info->keepsFacts)
        module.facts.clear();
    }
    mergeFacts(module.facts, context.facts);
    if (changed(result) && !verify(module, diags)) {
      diags.report(diag::pass_broke_module) << entry.info->name;
      result = PassResult::Failed;
    }
    if (result == PassResult::Changed &&
        !verifyPeers(before, module, entry, diags))
      result = PassResult::Failed;
    for (PassObserver *observer : observers)
      observer->after(entry, index, module, result, context);
    if (found.empty())
      found = std::move(context.facts); // a run may have thousands of steps
    else
      mergeFacts(found, context.facts, /*ofOneRun=*/true);
    if (result == PassResult::Failed)
      return false;
    if (result == PassResult::Stopped) {
      wasStopped = true;
      return true;
    }
    ++index;
  }
  return true;
}
