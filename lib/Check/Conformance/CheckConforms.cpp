//===- CheckConforms.cpp - --check-conforms -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Conformance to a choreography. Each way of comparing is a function
/// below; run() chooses by what the module has and by the relation.
///
//===----------------------------------------------------------------------===//

#include "cif/Check/Calculus/IocConforms.h"
#include "cif/Check/Conformance/ConformanceOptions.h"
#include "cif/Check/Conformance/SymbolicConforms.h"
#include "cif/Check/IdleOptions.h"
#include "cif/Check/Peers/EachPeerSet.h"
#include "cif/Check/Peers/QueueOptions.h"
#include "cif/Check/Peers/Realizability.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "cif/Transforms/JoinNames.h"
#include "cif/Transforms/Normalize.h"
#include "llvm/ADT/StringExtras.h"

using namespace cif;

/// The module with the one choreography to conform to. Null: reported.
static std::unique_ptr<Module> loadSpec(PassContext &context) {
  StringRef path = context.option("spec");
  std::unique_ptr<Module> spec = context.host.load(path);
  if (!spec)
    return nullptr;
  size_t count = findChoreographies(*spec).size();
  if (count == 1)
    return spec;
  context.diags.report(diag::spec_choreographies) << path << count;
  return nullptr;
}

/// Peers with queues [verchor, Def. 7].
static PassResult checkPeers(Module &module, PassContext &context) {
  if (!noneGiven(context, {"map", "observe-completion"},
                 "for peers; it is for processes"))
    return PassResult::Failed;
  std::optional<SynchronizabilityOptions> options = queueOptions(context);
  if (options)
    options->reduces = !context.flag("no-reduction");
  auto relation = Relation::WeakTrace;
  if (context.hasOption("relation")) {
    // Choices are silent in the choreography, and in a peer they are none: only
    // where tau is silent can the two be compared.
    SmallVector<StringRef, 16> words;
    llvm::copy_if(relationNames(), std::back_inserter(words),
                  [](StringRef name) { return isWeak(*parseRelation(name)); });
    std::optional<unsigned> which = context.oneOf("relation", words);
    if (!which)
      return PassResult::Failed;
    relation = *parseRelation(words[*which]);
  }
  std::unique_ptr<Module> spec = options ? loadSpec(context) : nullptr;
  if (!spec)
    return PassResult::Failed;
  if (!normalize(*spec, context.diags))
    return PassResult::Failed;
  ChoreographyRef choreography = findChoreographies(*spec).front();
  std::vector<PeerSet> sets =
      peerSets(module, PeersFrom::Given, context.limits, context.diags);
  if (sets.empty())
    return PassResult::Failed;
  PeerSet &set = sets.front();
  const std::string toChoreography =
      (" to choreography '" + choreographyName(*spec, choreography) + "'")
          .str();
  Outcome<GlobalLts> global =
      set.limit.empty()
          ? globalLts(*spec, choreography, context.limits, context.diags)
          : Stopped{set.limit};
  if (!global) {
    if (global.isFailed())
      return PassResult::Failed;
    set.limit = global.limit();
    set.subject += toChoreography;
    context.report(module, limitFact("conforms", set, context));
    return PassResult::Unchanged;
  }
  *options = optionsFor(set, *options);
  std::optional<Realizability> result = checkRealizability(
      set.module, global->lts, relation, *options, context.diags);
  if (!result)
    return PassResult::Failed;
  Fact fact = realizabilityFact("conforms", set, *global, *spec, *result,
                                relation, *options);
  fact.subject += toChoreography;
  context.report(module, fact, [&] {
    return replaysRealizability(*result, *fact.witness, set.module, global->lts,
                                *options, context.diags);
  });
  return PassResult::Unchanged;
}

/// Entries of the map whose two names are the choreography's: both are one.
static bool joinNamesOfSpec(const Module &module, Module &spec,
                            ConformanceOptions &options,
                            DiagnosticEngine &diags) {
  auto has = [](const Module &in, StringRef name) {
    auto isIt = [&](const auto &named) {
      return in.text(named.name).equals_insensitive(name);
    };
    return llvm::any_of(in.participants, isIt) ||
           llvm::any_of(in.messages, isIt);
  };
  std::vector<std::pair<std::string, std::string>> joins;
  llvm::erase_if(options.map, [&](const auto &entry) {
    const bool isTheirs = !has(module, entry.first) && has(spec, entry.first) &&
                          has(spec, entry.second);
    if (isTheirs)
      joins.push_back(entry);
    return isTheirs;
  });
  return joins.empty() || joinNames(spec, joins, diags);
}

/// Processes with messages in transit [c4, Defs. 4.10, 4.11].
static PassResult checkCollaboration(Module &module, PassContext &context) {
  std::vector<ConformanceRelation> relations;
  StringRef word = context.option("relation");
  if (word.empty() || word == "all") {
    for (StringRef each : {"tbc", "failures", "bbc"})
      relations.push_back(*parseConformance(each));
  } else if (std::optional<ConformanceRelation> one = parseConformance(word)) {
    relations.push_back(*one);
  } else {
    context.diags.report(diag::bad_option_value)
        << "relation" << word
        << "all, or one of " + llvm::join(conformanceWords(), ", ");
    return PassResult::Failed;
  }
  std::optional<ConformanceOptions> options = conformanceOptions(context);
  std::unique_ptr<Module> spec = options ? loadSpec(context) : nullptr;
  if (!spec || !joinNamesOfSpec(module, *spec, *options, context.diags))
    return PassResult::Failed;
  std::unique_ptr<Pairing> pairing =
      pair(module, *spec, *options, context.diags);
  if (!pairing)
    return PassResult::Failed;
  for (const ConformanceRelation &relation : relations) {
    bool replays = false;
    Fact fact = checkConformance(*pairing, relation, &replays);
    context.report(module, std::move(fact), [&] { return replays; });
  }
  return PassResult::Unchanged;
}

namespace cif {
PassResult runCheckConforms(Module &module, PassContext &context) {
  if (context.option("relation") != "symbolic" &&
      !noneGiven(
          context,
          {"integers", "solver-timeout", "max-rounds", "equations", "smt2"},
          "without --relation=symbolic"))
    return PassResult::Failed;
  if (auto relation = parseIocRelation(context.option("relation")))
    return noneGiven(context, {"network", "bound", "map", "observe-completion"},
                     "with --relation=" + context.option("relation"))
               ? checkIocConforms(module, context, *relation)
               : PassResult::Failed;
  if (context.option("relation") == "symbolic") {
    if (!noneGiven(context, {"observe-completion"}, "with --relation=symbolic"))
      return PassResult::Failed;
    std::unique_ptr<Module> spec = loadSpec(context);
    return spec ? checkSymbolicConforms(module, *spec, context)
                : PassResult::Failed;
  }
  bool peers = module.has(SystemRole::Peer);
  bool processes = module.has(BehaviourKind::Process);
  // A projection has both; the relation says which are meant.
  StringRef word = context.option("relation");
  bool ofCollaborations =
      word == "bbc" || word == "tbc" || word == "dp-weak" || word == "all";
  return processes && (!peers || ofCollaborations)
             ? checkCollaboration(module, context)
             : checkPeers(module, context);
}
} // namespace cif
