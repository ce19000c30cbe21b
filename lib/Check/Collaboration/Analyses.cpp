//===- Analyses.cpp - Collaborations under several networks ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Check/Collaboration/Analyses.h"
#include "cif/Check/EngineOptions.h"
#include "cif/Pass/FactBuilder.h"
#include "cif/Semantics/Guards.h"
#include "cif/Support/Diagnostics/Semantics.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "cif/Transforms/Normalize.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <set>

using namespace cif;

/// How many instances of a participant are explored: several where there may
/// be several, and as many as there must be, within reason.
static unsigned instancesOf(const Participant &participant) {
  static constexpr uint32_t several = 2, most = 4;
  return std::min(
      {participant.maximum, std::max(participant.minimum, several), most});
}

/// Gives a participant with several instances a process for each [bpmn20,
/// 9.3.1]. What is sent to it reaches any one of them: they share the
/// participant's place in the network.
static void addInstances(Module &module) {
  const size_t behaviours = module.behaviours.size(),
               flows = module.messageFlows.size();
  for (size_t b = 0; b < behaviours; ++b) {
    ParticipantId owner = module.behaviours[b].owner;
    if (module.behaviours[b].kind != BehaviourKind::Process || !owner)
      continue;
    const unsigned number = instancesOf(module.participant(owner));
    for (unsigned i = 2; i <= number; ++i) {
      BehaviourId added(module.behaviours.size());
      Behaviour copy = module.behaviours[b];
      copy.name = module.intern(module.text(copy.name).str() + " (" +
                                std::to_string(i) + ")");
      module.behaviours.push_back(std::move(copy));
      for (size_t f = 0; f < flows; ++f) {
        MessageFlow flow = module.messageFlows[f];
        bool isEnd = false;
        for (BehaviourId *end : {&flow.sourceBehaviour, &flow.targetBehaviour})
          if (*end && end->index() == b) {
            *end = added;
            isEnd = true;
          }
        if (isEnd)
          module.messageFlows.push_back(flow);
      }
    }
  }
}

const Module *CollaborationAnalyses::module(SemanticsKind semantics,
                                            DiagnosticEngine &diags) const {
  // The published tool does not know markers.
  if (semantics == SemanticsKind::Fbpmn)
    return &source;
  if (!normal && !failed) {
    auto copy = std::make_unique<Module>(source.clone());
    failed = !normalize(*copy, diags);
    addInstances(*copy);
    if (!failed)
      normal = std::move(copy);
  }
  return normal.get();
}

CollaborationAnalysis *
CollaborationAnalyses::get(const CollaborationOptions &options,
                           DiagnosticEngine &diags) const {
  NetworkKind network = options.semantics.network.value_or(NetworkKind::Bag);
  const std::string base =
      llvm::join(options.semantics.only, "\n") + "\n" +
      std::to_string(static_cast<unsigned>(options.semantics.semantics)) + " " +
      tokenLimitsText(options.semantics.limits) +
      (options.fair ? " fair" : "") + (options.reduce ? " reduced" : "") +
      (options.engine ? " " + engineText(*options.engine) : "") + " ";
  auto keyOf = [&](NetworkKind kind) {
    return base + networkText(kind).str() + " ";
  };
  const std::string own =
      keyOf(network) + std::to_string(options.limits.maxStates);
  if (auto at = made.find(own); at != made.end())
    return at->second.get();
  std::function<CollaborationAnalysis *()> wider;
  if (network != NetworkKind::Bag && network != NetworkKind::Sync &&
      !options.engine)
    wider = [this, &diags, bag = options,
             key = keyOf(NetworkKind::Bag)]() mutable {
      // However far it was explored: what is known there is known.
      if (auto at = made.lower_bound(key);
          at != made.end() && StringRef(at->first).starts_with(key))
        return at->second.get();
      bag.semantics.network = NetworkKind::Bag;
      return get(bag, diags);
    };
  const Module *explored = module(options.semantics.semantics, diags);
  if (!explored)
    return nullptr;
  std::unique_ptr<CollaborationAnalysis> analysis =
      CollaborationAnalysis::make(*explored, options, std::move(wider), diags);
  if (!analysis)
    return nullptr;
  for (const std::string &text : analysis->system().abstractions())
    if (!told[text]) {
      told[text] = true;
      diags.report(analysis->place(), diag::semantics_abstracts)
          << analysis->subject() << text;
    }
  return (made[own] = std::move(analysis)).get();
}

ArrayRef<CollaborationProperty> cif::allCollaborationProperties() {
  static constexpr auto all = [] {
    std::array<CollaborationProperty, numCollaborationProperties> each{};
    for (unsigned i = 0; i < each.size(); ++i)
      each[i] = static_cast<CollaborationProperty>(i);
    return each;
  }();
  return all;
}

/// The networks that an option lists; false: an error was reported.
static bool readNetworks(const PassContext &context, StringRef option,
                         std::vector<NetworkKind> &networks) {
  for (StringRef word : context.list(option)) {
    if (word == "all") {
      networks = asynchronousNetworks();
      return true;
    }
    auto at = llvm::find(networkWords(), word);
    if (at == networkWords().end()) {
      context.diags.report(diag::bad_option_value)
          << option << word
          << "all, or some of " + llvm::join(networkWords(), ", ");
      return false;
    }
    auto kind = static_cast<NetworkKind>(at - networkWords().begin());
    if (!llvm::is_contained(networks, kind))
      networks.push_back(kind);
  }
  return true;
}

static bool readConstraint(const PassContext &context, TokenLimits &limits) {
  std::string problem;
  if (context.hasOption("max-tokens")) {
    problem = parseTokenLimits(context.option("max-tokens"), limits);
    if (!problem.empty())
      context.diags.report(diag::bad_option_value)
          << "max-tokens" << context.option("max-tokens") << problem;
  }
  StringRef path = context.option("constraint");
  if (path.empty() || !problem.empty())
    return problem.empty();
  // Such a file has a few lines; a device has no end.
  constexpr uint64_t most = 1 << 20;
  uint64_t size = 0;
  if (!llvm::sys::fs::file_size(path, size) &&
      (size > most || !llvm::sys::fs::is_regular_file(path))) {
    context.diags.report(diag::bad_option_value)
        << "constraint" << path << "a regular file of at most 1 MiB";
    return false;
  }
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file) {
    context.diags.report(diag::cannot_open)
        << path << file.getError().message();
    return false;
  }
  problem = parseConstraintFile((*file)->getBuffer(), limits);
  if (!problem.empty())
    context.diags.report(diag::bad_option_value)
        << "constraint" << path << problem;
  return problem.empty();
}

std::optional<CollaborationRequest>
cif::collaborationRequest(const PassContext &context) {
  static const StringRef words[] = {"detailed", "collaboration", "fbpmn"};
  static const SemanticsKind kinds[] = {SemanticsKind::Detailed,
                                        SemanticsKind::Collaboration,
                                        SemanticsKind::Fbpmn};
  static const StringRef fairWords[] = {"fair", "none"};
  CollaborationRequest request;
  auto semantics = context.oneOf("semantics", words);
  // Only soundness is about infinite runs.
  std::optional<unsigned> fairness = 0;
  if (context.info->findOption("fairness"))
    fairness = context.oneOf("fairness", fairWords);
  if (!semantics || !fairness ||
      !readNetworks(context, "network", request.networks) ||
      (context.info->findOption("compare") &&
       !readNetworks(context, "compare", request.compared)) ||
      !readConstraint(context, request.options.semantics.limits))
    return std::nullopt;
  if (request.networks.empty())
    request.networks.push_back(NetworkKind::Bag);
  request.options.semantics.semantics = kinds[*semantics];
  request.options.semantics.open = true;
  request.options.fair = *fairness == 0;
  request.options.reduce = !context.flag("no-reduction");
  request.options.limits = context.limits;
  for (StringRef name : context.list("only"))
    request.options.semantics.only.push_back(name.str());
  if (!readEngineOptions(context, request.options.engine))
    return std::nullopt;
  return request;
}

Fact cif::collaborationFact(CollaborationAnalysis &analysis,
                            CollaborationProperty property,
                            const CollaborationOptions &options) {
  const CollaborationFinding &finding = analysis.check(property);
  FactBuilder fact(collaborationPropertyText(property),
                   analysis.subject() + " under " +
                       networkText(analysis.network()),
                   finding.at.known() ? finding.at : analysis.place());
  fact.answer(finding.verdict, finding.exact);
  fact.message = finding.message;
  fact.notes = finding.notes;
  fact.witness = finding.witness;
  static const char *const names[] = {"auto",  "choreography", "collaboration",
                                      "peers", "local",        "detailed",
                                      "fbpmn"};
  fact.by(finding.method)
      .sized(finding.counts->first, finding.counts->second)
      .with("semantics",
            names[static_cast<unsigned>(options.semantics.semantics)])
      .with("network", networkText(analysis.network()));
  if (property == CollaborationProperty::Sound ||
      property == CollaborationProperty::MessageRelaxedSound)
    fact.with("fairness", options.fair ? "fair" : "none");
  if (options.semantics.limits.any())
    fact.with("constraint", tokenLimitsText(options.semantics.limits));
  return fact;
}

/// Whether the run that shows what was found about \p property can be taken,
/// step by step, without any reduction.
static bool replaysFinding(CollaborationAnalysis &analysis,
                           CollaborationProperty property) {
  const CollaborationSystem &system = analysis.system();
  // A step may lead to several states (a split that takes any of its flows):
  // all of them are followed.
  std::set<std::vector<uint32_t>> states;
  std::vector<uint32_t> state(system.width()), scratch(system.width());
  system.initial(state.data());
  states.insert(state);
  for (const RunStep &taken : analysis.check(property).run) {
    std::set<std::vector<uint32_t>> next;
    for (const std::vector<uint32_t> &from : states)
      system.successors(from.data(), scratch.data(),
                        [&](const Step &step, const uint32_t *to) {
                          if (step == taken.step)
                            next.insert({to, to + system.width()});
                          return true;
                        });
    states = std::move(next);
    if (states.empty())
      return false;
  }
  return true;
}

void cif::reportFinding(PassContext &context, const Module &module, Fact fact,
                        CollaborationAnalysis &analysis,
                        CollaborationProperty property) {
  bool isFbpmn = llvm::is_contained(
      fact.parameters,
      std::pair<std::string, std::string>("semantics", "fbpmn"));
  if (!isFbpmn) // there guards are free choices
    fact.method += dataMethodOf(module, BehaviourKind::Process);
  // The exploration may be another check's.
  analysis.tellAbstractions(context.diags);
  // What never happens is shown by its elements, not by a run.
  if (fact.witness && fact.witness->kind == "elements")
    context.report(module, std::move(fact));
  else
    context.report(module, std::move(fact),
                   [&] { return replaysFinding(analysis, property); });
}
