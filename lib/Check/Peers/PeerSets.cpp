//===- PeerSets.cpp - The peers that a check is about ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Check/Peers/PeerSets.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/IR/Link.h"
#include "cif/LTS/LtsBuilder.h"
#include "cif/LTS/TraceRuns.h"
#include "cif/Semantics/Guards.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "cif/Transforms/Normalize.h"
#include "cif/Transforms/ProjectData.h"
#include <map>
#include <set>

using namespace cif;

static SystemDecl &addPeer(Module &module, StringRef name, Location loc,
                           Lts lts) {
  SystemDecl decl{.name = module.intern(name), .role = SystemRole::Peer};
  decl.owner = module.getParticipant(decl.name);
  decl.loc = loc;
  decl.lts = std::move(lts);
  module.systems.push_back(std::move(decl));
  return module.systems.back();
}

/// One process alone. Where guards decide, labels show the values that they
/// depend on, so that all peers decide by the values that were sent.
static ExploredModule exploreProcess(const Module &module, uint32_t process,
                                     bool showsValues,
                                     const ExplorerOptions &options,
                                     DiagnosticEngine &diags) {
  if (!showsValues) {
    SemanticsOptions semantics;
    semantics.semantics = SemanticsKind::Local;
    semantics.only = {module.text(module.behaviours[process].name).str()};
    return exploreModule(module, semantics, options, diags);
  }
  ExploredModule result;
  result.system = makeValuedProcess(module, process, options.limits, diags);
  if (result.system)
    result.exploration.emplace(explore(*result.system, options));
  return result;
}

/// The processes of \p module, each explored alone.
static bool addProcesses(PeerSet &set, const Limits &limits,
                         DiagnosticEngine &diags) {
  if (!normalize(set.module, diags))
    return false;
  const bool shows = !dataMethodOf(set.module, BehaviourKind::Process).empty();
  for (size_t i = 0; i < set.module.behaviours.size(); ++i) {
    const Behaviour &process = set.module.behaviours[i];
    if (process.kind != BehaviourKind::Process)
      continue;
    ExploredModule local =
        exploreProcess(set.module, static_cast<uint32_t>(i), shows,
                       {.limits = limits, .keepOrigins = true}, diags);
    if (!local)
      return false;
    if (!local->complete) {
      set.limit = local->incompleteText();
      return true;
    }
    std::vector<Location> places;
    for (const Step &step : local->steps)
      places.push_back(originLocation(
          set.module, local.system->groups().origin(step.group)));
    addPeer(set.module, set.module.participantName(process.owner), process.loc,
            std::move(local->lts))
        .transitionPlaces = std::move(places);
  }
  return true;
}

static bool addProjections(PeerSet &set, ChoreographyRef which,
                           const Limits &limits, DiagnosticEngine &diags) {
  if (!normalize(set.source, diags))
    return false;
  Outcome<GlobalLts> global = valuedLts(set.source, which, limits, diags);
  if (!global) {
    set.limit = global.limit();
    return global.isStopped();
  }
  set.global = std::move(*global);
  set.source.addAbstractions(diags.takeAbstractions());
  Budget budget(limits);
  Location loc = which.isSystem ? set.source.systems[which.index].loc
                                : set.source.behaviours[which.index].loc;
  set.module = set.source.clone();
  set.module.systems.clear();
  for (const std::string &peer : peerNamesOf(set.global->lts)) {
    Outcome<Lts> lts = projectLts(set.global->lts, peer, budget);
    if (!lts) {
      set.limit = lts.limit();
      return true;
    }
    addPeer(set.module, peer, loc, std::move(*lts));
  }
  return true;
}

std::string cif::dataMethodOf(const PeerSet &set) {
  if (!set.global)
    return dataMethodOf(set.module, BehaviourKind::Process);
  for (size_t b = 0; b < set.source.behaviours.size(); ++b)
    if (set.source.behaviours[b].kind == BehaviourKind::Choreography)
      if (std::string data =
              dataMethod(set.source, static_cast<uint32_t>(b), /*shows=*/true);
          !data.empty())
        return "; " + data;
  return "";
}

bool cif::hasPeers(const Module &module) {
  return module.has(SystemRole::Peer) || module.has(BehaviourKind::Process);
}

PeerSet cif::choreographySubject(const Module &module, ChoreographyRef which) {
  PeerSet set;
  set.subject =
      ("choreography '" + choreographyName(module, which) + "'").str();
  set.at = choreographyPlace(module, which);
  return set;
}

std::optional<PeerSet> cif::projectedPeers(const Module &module,
                                           ChoreographyRef which,
                                           const Limits &limits,
                                           DiagnosticEngine &diags) {
  PeerSet set = choreographySubject(module, which);
  // With several of them each has its own part of the module, or all the
  // parts together would grow with the square of their number.
  if (findChoreographies(module).size() == 1) {
    set.source = module.clone();
  } else {
    set.source = which.isSystem ? extractSystem(module, which.index)
                                : extractBehaviour(module, which.index);
    which.index = 0;
  }
  if (!addProjections(set, which, limits, diags))
    return std::nullopt;
  return set;
}

std::vector<PeerSet> cif::peerSets(const Module &module, PeersFrom from,
                                   const Limits &limits,
                                   DiagnosticEngine &diags) {
  std::vector<PeerSet> sets;
  if (from != PeersFrom::Choreography && hasPeers(module)) {
    PeerSet &set = sets.emplace_back();
    bool peers = module.has(SystemRole::Peer);
    set.subject = peers ? "the peers" : "the processes";
    set.module = module.clone();
    if (!peers)
      set.network = defaultNetwork(SemanticsKind::Collaboration);
    if (!peers && !addProcesses(set, limits, diags))
      sets.clear();
    else
      set.module.addAbstractions(diags.takeAbstractions());
    return sets;
  }
  if (from != PeersFrom::Given)
    for (ChoreographyRef which : findChoreographies(module)) {
      std::optional<PeerSet> set = projectedPeers(module, which, limits, diags);
      if (!set)
        return {};
      sets.push_back(std::move(*set));
    }
  if (sets.empty())
    diags.report(diag::nothing_to_check)
        << (from == PeersFrom::Given          ? "peers or processes"
            : from == PeersFrom::Choreography ? "choreography"
                                              : "peers, processes or "
                                                "choreography");
  return sets;
}

/// Of `v(3)`, where `v` carries values: `v`.
static StringRef messageOf(const Label &label,
                           const std::set<StringRef> &carriers) {
  StringRef name = label.message;
  StringRef carrier = name.take_front(name.find('('));
  return carriers.count(carrier) ? carrier : name;
}

Module cif::takingAnyValue(const Module &peers, const Module &source) {
  Module open = peers.clone();
  std::set<StringRef> carriers;
  for (const Message &message : source.messages)
    carriers.insert(source.text(message.name));
  using Sender = std::pair<std::string, std::string>; // and message
  for (SystemDecl &peer : open.systems) {
    std::map<Sender, std::vector<LabelIndex>> receptions;
    LtsBuilder builder;
    const Lts &lts = peer.lts;
    auto keyOf = [&](const Label &label) {
      return Sender{label.sender, messageOf(label, carriers).str()};
    };
    for (const Label &label : lts.labels) {
      LabelIndex at = builder.labels.intern(label);
      if (label.kind == LabelKind::Receive)
        receptions[keyOf(label)].push_back(at);
    }
    const StateIndex astray = lts.numStates();
    for (StateIndex s = 0; s < lts.numStates(); ++s) {
      std::set<LabelIndex> taken;
      for (size_t i = 0; i < lts.labelsOf(s).size(); ++i) {
        builder.add(s, lts.labelsOf(s)[i], lts.targetsOf(s)[i]);
        taken.insert(lts.labelsOf(s)[i]);
      }
      std::set<LabelIndex> others;
      for (LabelIndex l : taken)
        if (lts.labels[l].kind == LabelKind::Receive)
          for (LabelIndex other : receptions[keyOf(lts.labels[l])])
            if (!taken.count(other))
              others.insert(other);
      for (LabelIndex other : others)
        builder.add(s, other, astray);
    }
    std::vector<uint64_t> finals(lts.finals.begin(), lts.finals.end());
    if (!finals.empty())
      finals.resize(astray / 64 + 1);
    Lts made = std::move(builder).finish(lts.initial, astray + 1);
    made.finals = std::move(finals);
    peer.lts = std::move(made);
    peer.transitionPlaces.clear();
  }
  return open;
}

std::vector<Place> cif::placesOf(const Module &source, const GlobalLts &global,
                                 ArrayRef<Label> trace) {
  const Lts &lts = global.lts;
  TraceRuns runs(lts, lts.initial);
  size_t done = 0;
  while (done < trace.size() && runs.follow(trace[done]))
    ++done;
  std::vector<Place> places;
  for (uint32_t t : runs.runTo(runs.begin()))
    if (lts.label[t] != tauLabel)
      places.push_back(originPlace(source, global.origins[t]));
  places.resize(trace.size());
  for (size_t i = done; i < trace.size(); ++i)
    for (size_t t = 0; t < lts.numTransitions(); ++t)
      if (lts.label[t] != tauLabel && lts.labels[lts.label[t]] == trace[i]) {
        places[i] = originPlace(source, global.origins[t]);
        break;
      }
  return places;
}
