//===- LowerLts.cpp - Explore and keep the LTS
//-----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `lower-lts`: adds the LTS of the selected behaviours to the systems of the
/// module. A choreography gives a system of that role, a collaboration or a set
/// of peers a composition, and with semantics=local each process a peer.
///
//===----------------------------------------------------------------------===//

#include "cif/Explore/ExploreModule.h"
#include "cif/Pass/FactBuilder.h"
#include "cif/Support/Diagnostics/Semantics.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "cif/Transforms/SemanticsOptions.h"

using namespace cif;

namespace {
/// What to explore, and as what to keep it.
struct Job {
  SemanticsOptions semantics;
  std::string name;
  SystemRole role;
  ParticipantId owner;
  Location loc;
  std::string subject;
};
} // namespace

std::optional<SemanticsOptions>
cif::readSemanticsOptions(const PassContext &context) {
  SemanticsOptions options;
  auto semantics = context.oneOf("semantics", semanticsWords());
  auto observe = context.oneOf("observe", observationWords());
  auto bound = context.number("bound");
  if (!semantics || !observe || !bound)
    return std::nullopt;
  options.semantics = static_cast<SemanticsKind>(*semantics);
  options.observe = static_cast<Observation>(*observe);
  options.bound = static_cast<uint32_t>(std::min<uint64_t>(*bound, noBound));
  if (context.hasOption("network")) {
    auto network = context.oneOf("network", networkWords());
    if (!network)
      return std::nullopt;
    options.network = static_cast<NetworkKind>(*network);
  }
  for (StringRef name : context.list("only"))
    options.only.push_back(name.str());
  return options;
}

bool cif::semanticsApply(const Module &module, const SemanticsOptions &options,
                         function_ref<bool(StringRef)> isGiven,
                         DiagnosticEngine &diags) {
  auto idle = [&](StringRef option, const char *why) {
    if (!isGiven(option))
      return false;
    diags.report(diag::idle_option)
        << ("--" + option).str() << std::string("here: ") + why;
    return true;
  };
  const char *why = nullptr;
  SemanticsKind kind = resolveSemantics(module, options);
  if (kind == SemanticsKind::Choreography)
    why = "an interaction of a choreography is one step, without a network";
  else if (kind == SemanticsKind::Local)
    why = "a process that is explored alone has no network";
  if (why) {
    bool any = false;
    for (const char *option : {"network", "bound", "observe"})
      any |= idle(option, why);
    return !any;
  }
  if (options.network != NetworkKind::Sync)
    return true;
  // Only what a process exchanges with the environment has a direction then.
  const bool directed =
      kind != SemanticsKind::Peers && options.observe == Observation::Both;
  return !idle("bound", "handshakes have no queues") &&
         (directed || !idle("observe", "a handshake is one step"));
}

bool cif::semanticsApply(const Module &module, const SemanticsOptions &options,
                         const PassContext &context) {
  return semanticsApply(
      module, options,
      [&](StringRef name) { return context.options.count(name) != 0; },
      context.diags);
}

/// What the options select, one job for each system to add.
static std::vector<Job> findJobs(const Module &module,
                                 const SemanticsOptions &options,
                                 StringRef name) {
  std::vector<Job> jobs;
  SemanticsKind kind = resolveSemantics(module, options);
  auto named = [&](const Behaviour &b) {
    return options.only.empty() ||
           llvm::is_contained(options.only, module.text(b.name));
  };
  auto add = [&](const Behaviour &b, SystemRole role, const char *what) {
    Job job{options, module.text(b.name).str(), role, b.owner, b.loc, ""};
    job.semantics.only = {job.name};
    job.subject = std::string(what) + " '" + job.name + "'";
    if (!name.empty())
      job.name = name.str();
    jobs.push_back(std::move(job));
  };
  if (kind == SemanticsKind::Choreography) {
    for (const Behaviour &b : module.behaviours)
      if (b.kind == BehaviourKind::Choreography && named(b))
        add(b, SystemRole::Choreography, "choreography");
  } else if (kind == SemanticsKind::Local) {
    for (const Behaviour &b : module.behaviours)
      if (b.kind == BehaviourKind::Process && named(b))
        add(b, SystemRole::Peer, "process");
  }
  if (jobs.empty() || !options.only.empty()) {
    // Names that are not there are for the semantics to complain about.
    size_t found = jobs.size();
    if (found == 0 || found != options.only.size())
      jobs.assign(1, {options,
                      name.empty() ? "composition" : name.str(),
                      SystemRole::Composition,
                      {},
                      {},
                      "composition"});
  }
  return jobs;
}

namespace cif {
PassResult runLowerLts(Module &module, PassContext &context) {
  std::optional<SemanticsOptions> options = readSemanticsOptions(context);
  if (!options || !semanticsApply(module, *options, context))
    return PassResult::Failed;
  ExplorerOptions explorer{.limits = context.limits, .keepOrigins = true};
  bool changed = false;
  for (Job &job : findJobs(module, *options, context.option("name"))) {
    ExploredModule explored =
        exploreModule(module, job.semantics, explorer, context.diags);
    if (!explored)
      return PassResult::Failed;
    for (const std::string &text : explored.system->abstractions())
      context.diags.report(module.place(job.loc), diag::semantics_abstracts)
          << job.subject << text;
    context.count("states", explored->numStates());
    context.count("transitions", explored->transitions);
    if (!explored->complete) {
      // A part of an LTS is no LTS: nothing is added, and the run says why.
      FactBuilder fact("lower-lts", job.subject, module.place(job.loc));
      fact.by("breadth-first exploration")
          .sized(explored->numStates(), explored->transitions)
          .inconclusive(job.subject + " is not explored completely: " +
                        explored->incompleteText());
      if (explored->growth)
        fact.witness = growthWitness(module, *explored.exploration);
      context.report(module, std::move(fact));
      return PassResult::Stopped;
    }
    SystemDecl decl{.name = module.intern(job.name),
                    .role = job.role,
                    .owner = job.owner,
                    .loc = job.loc,
                    .lts = std::move(explored->lts)};
    std::vector<uint32_t> lines;
    bool anyLine = false;
    for (const Step &step : explored->steps) {
      Place at =
          originPlace(module, explored.system->groups().origin(step.group));
      lines.push_back(at.line);
      anyLine |= at.line != 0;
    }
    if (anyLine)
      decl.transitionLines = std::move(lines);
    // The system refers to the module's LTSs: gone before they may move.
    explored.exploration.reset();
    explored.system.reset();
    module.systems.push_back(std::move(decl));
    changed = true;
  }
  return changed ? PassResult::Changed : PassResult::Unchanged;
}
} // namespace cif
