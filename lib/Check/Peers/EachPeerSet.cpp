//===- EachPeerSet.cpp - The frame of checks on peers ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Check/Peers/EachPeerSet.h"
#include "cif/Check/IdleOptions.h"
#include "cif/Check/Peers/ConnectedProof.h"
#include "cif/Check/Peers/QueueOptions.h"
#include "cif/Check/Peers/ShortSlice.h"
#include "cif/IR/Nodes.h"
#include "cif/Pass/FactBuilder.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "cif/Support/Diagnostics/Repair.h"
#include "cif/Support/Visible.h"
#include "llvm/ADT/StringSet.h"

using namespace cif;

Fact cif::factOn(StringRef property, const PeerSet &set) {
  return FactBuilder(property, set.subject, set.at);
}

Fact cif::limitFact(StringRef property, const PeerSet &set,
                    const PassContext &context) {
  FactBuilder fact(property, set.subject, set.at);
  for (StringRef name : {"k", "network", "bound"}) {
    if (!context.info->findOption(name))
      continue;
    StringRef value = context.option(name);
    if (value.empty() && name == "network")
      value = networkText(set.network);
    if (!value.empty())
      fact.with(name, value);
  }
  return fact.by("projection").inconclusive(noVerdictText(set.limit));
}

namespace {
/// Peers as an analysis: to explore the processes or the choreography may take
/// most of a check's time.
struct GivenPeers {
  std::vector<PeerSet> sets;

  GivenPeers(const Module &module, const Limits &limits,
             DiagnosticEngine &diags)
      : sets(peerSets(module, PeersFrom::Given, limits, diags)) {}
};
/// The same of choreographies, each when it is first asked for, as some are
/// decided without.
class ProjectedPeers {
public:
  explicit ProjectedPeers(const Module &module)
      : sets(findChoreographies(module).size()) {}

  /// Null: an error was reported.
  const PeerSet *get(const Module &module, size_t i,
                     PassContext &context) const {
    if (!sets[i]) {
      std::optional<PeerSet> made = projectedPeers(
          module, findChoreographies(module)[i], context.limits, context.diags);
      if (!made)
        return nullptr;
      sets[i] = std::make_unique<PeerSet>(std::move(*made));
    }
    return sets[i].get();
  }

private:
  mutable std::vector<std::unique_ptr<PeerSet>> sets;
};
class ConnectedProofs {
public:
  ConnectedProofs(const Module &module, const Limits &limits) {
    constexpr size_t largeFrom = 20'000;
    for (ChoreographyRef which : findChoreographies(module))
      proofs.push_back(proveConnected(module, which, limits, largeFrom,
                                      /*keepsStarts=*/true));
    inParts.resize(proofs.size());
    inAllParts.resize(proofs.size());
  }

  const ConnectedProof &get(size_t i) const { return proofs[i]; }
  /// The same with parts, for when slices have no flaw.
  const ConnectedProof &getInParts(const Module &module, size_t i,
                                   const Limits &limits) const {
    if (proofs[i].left.slices.empty())
      return proofs[i];
    if (!inParts[i])
      inParts[i] = proveConnected(module, findChoreographies(module)[i], limits,
                                  SIZE_MAX, /*keepsStarts=*/true);
    return *inParts[i];
  }
  /// The same with all parts, for when beginnings of some do not decide.
  const ConnectedProof &getInAllParts(const Module &module, size_t i,
                                      const Limits &limits) const {
    if (!inAllParts[i])
      inAllParts[i] =
          proveConnected(module, findChoreographies(module)[i], limits);
    return *inAllParts[i];
  }

private:
  std::vector<ConnectedProof> proofs;
  mutable std::vector<std::optional<ConnectedProof>> inParts, inAllParts;
};
} // namespace

/// The peers that \p module has, or nothing after an error, where they are what
/// \p from asks for; \p projected is set where they are to be projected.
static const PeerSet *givenPeers(const Module &module, PassContext &context,
                                 PeersFrom from, bool &projected) {
  projected = false;
  if (from != PeersFrom::Choreography && hasPeers(module)) {
    const std::vector<PeerSet> &sets =
        context.analyses.get<GivenPeers>(module, context.limits, context.diags)
            .sets;
    return sets.empty() ? nullptr : &sets.front();
  }
  if (from == PeersFrom::Given || findChoreographies(module).empty())
    peerSets(module, from, context.limits, context.diags); // says what lacks
  else
    projected = true;
  return nullptr;
}

PassResult cif::checkEachPeerSet(Module &module, PassContext &context,
                                 StringRef property,
                                 function_ref<bool(const PeerSet &)> check,
                                 PeersFrom from, ProveFirst prove) {
  auto checkSet = [&](const PeerSet *set) {
    if (!set)
      return false;
    if (set->limit.empty())
      return check(*set);
    context.report(module, limitFact(property, *set, context));
    return true;
  };
  bool projected;
  const PeerSet *given = givenPeers(module, context, from, projected);
  if (!projected)
    return checkSet(given) ? PassResult::Unchanged : PassResult::Failed;
  const auto &peers = context.analyses.get<ProjectedPeers>(module);
  std::vector<ChoreographyRef> choreographies = findChoreographies(module);
  for (size_t i = 0; i < choreographies.size(); ++i)
    if (!(prove && prove(choreographies[i])) &&
        !checkSet(peers.get(module, i, context)))
      return PassResult::Failed;
  return PassResult::Unchanged;
}

namespace {
/// The frame of checks of the order of sends.
class SendOrder {
public:
  using Decide = function_ref<std::optional<ReplayedFact>(const PeerSet &)>;
  SendOrder(Module &module, PassContext &context, StringRef property,
            Decide decide)
      : module(module), context(context), property(property), decide(decide) {}

  /// False: an error was reported.
  bool whole(const PeerSet *set) {
    if (!set)
      return false;
    if (!set->limit.empty()) {
      context.report(module, limitFact(property, *set, context));
      return true;
    }
    std::optional<ReplayedFact> answer = decide(*set);
    if (answer)
      report(*answer);
    return answer.has_value();
  }

  /// Looks for a flaw in small parts; nothing: they have none.
  std::optional<bool> inSlices(const PeerSet &subject,
                               const SearchedParts &left) {
    for (const SearchedPart &slice : left.slices) {
      bool failed = false;
      if (std::optional<ShortTerm> brief = shortened(subject, slice)) {
        if (std::optional<bool> done =
                inShortSlice(subject, left, slice, std::move(*brief)))
          return done;
        continue;
      }
      std::optional<ReplayedFact> answer =
          searched(subject, left.moduleOf(slice.term), failed);
      if (failed)
        return false;
      if (answer && answer->fact.verdict == Verdict::Violated)
        return violated(subject, left, slice, *answer);
    }
    return std::nullopt;
  }

  /// The same part by part; nothing: that does not decide it.
  std::optional<bool> inParts(const PeerSet &subject,
                              const SearchedParts &left) {
    std::optional<Fact> all;
    if (left.parts.empty())
      return std::nullopt;
    for (const SearchedPart &part : left.parts) {
      bool failed = false;
      std::optional<ReplayedFact> answer = inStart(subject, left, part, failed);
      if (!failed && !answer && part.start && left.keptStarts)
        return std::nullopt; // it may be taken apart
      if (!failed && !answer)
        answer = searched(subject, left.moduleOf(part.term), failed);
      if (failed)
        return false;
      if (!answer)
        return std::nullopt;
      Fact &fact = answer->fact;
      if (fact.verdict == Verdict::Violated)
        return violated(subject, left, part, *answer);
      if (all) {
        fact.states += all->states;
        fact.transitions += all->transitions;
      }
      // What is not exact has more to say.
      if (!all || all->exact || !fact.exact)
        all = fact;
    }
    context.report(module, *all);
    return true;
  }

private:
  /// A long slice with shorter chains, if that is possible.
  std::optional<ShortTerm> shortened(const PeerSet &subject,
                                     const SearchedPart &slice) const {
    constexpr size_t longFrom = 64;
    if (slice.term.size() < longFrom)
      return std::nullopt;
    std::optional<SynchronizabilityOptions> options = queueOptions(context);
    if (!options || !canShortenChains(optionsFor(subject, *options).network))
      return std::nullopt;
    return shortenChains(slice.term);
  }

  /// inSlices for one of them; nothing: it has no flaw.
  std::optional<bool> inShortSlice(const PeerSet &subject,
                                   const SearchedParts &left,
                                   const SearchedPart &slice, ShortTerm brief) {
    const ShortSlice small(left, std::move(brief));
    bool failed = false;
    std::optional<ReplayedFact> answer =
        searched(subject, small.module, failed);
    if (failed)
      return false;
    if (!answer || answer->fact.verdict != Verdict::Violated)
      return std::nullopt;
    std::optional<Fact> told = small.told(answer->fact);
    if (!told)
      return std::nullopt;
    reportAfter(left.handshakes(slice.lead), *told, *answer);
    return true;
  }

  /// The verdict on one part; nothing: there is none, or it failed.
  std::optional<ReplayedFact> searched(const PeerSet &subject,
                                       const Module &part, bool &failed,
                                       bool goesOn = false) {
    sets.push_back(std::make_unique<std::optional<PeerSet>>(
        projectedPeers(part, {false, 0}, context.limits, context.diags)));
    std::optional<PeerSet> &set = *sets.back();
    failed = !set;
    if (!set || !set->limit.empty())
      return std::nullopt;
    set->subject = subject.subject;
    set->at = subject.at;
    set->goesOn = goesOn;
    std::optional<ReplayedFact> answer = decide(*set);
    failed = !answer;
    if (!answer || answer->fact.verdict == Verdict::Inconclusive)
      return std::nullopt;
    answer->fact.method += ", in parts";
    return answer;
  }

  /// The verdict on a part by its beginning. A flaw of what stands for its end
  /// is none of the part.
  std::optional<ReplayedFact> inStart(const PeerSet &subject,
                                      const SearchedParts &left,
                                      const SearchedPart &part, bool &failed) {
    if (!part.start)
      return std::nullopt;
    std::optional<ReplayedFact> answer =
        searched(subject, left.moduleOf(*part.start), failed, true);
    if (!answer || answer->fact.verdict == Verdict::Holds)
      return answer;
    const std::string name = left.newName();
    auto tells = [&](StringRef text) { return text.contains(name); };
    if (llvm::any_of(answer->fact.notes,
                     [&](const Note &n) { return tells(n.text); }) ||
        llvm::any_of(answer->fact.witness->steps,
                     [&](const WitnessStep &s) { return tells(s.label); }))
      return std::nullopt;
    return answer;
  }

  /// A flaw of a part as a run of the whole (docs/algorithms.md); nothing: it
  /// is not known to be one.
  std::optional<bool> violated(const PeerSet &subject,
                               const SearchedParts &left,
                               const SearchedPart &part,
                               const ReplayedFact &flaw) {
    llvm::StringSet<> later;
    for (NodeId n : part.later)
      later.insert(left.label(n));
    std::vector<WitnessStep> lead = left.handshakes(part.lead);
    auto waits = [&](const WitnessStep &s) { return later.contains(s.label); };
    if (llvm::none_of(lead, waits) &&
        llvm::none_of(flaw.fact.witness->steps, waits)) {
      reportAfter(std::move(lead), flaw.fact, flaw);
      return true;
    }
    if (!part.before)
      return std::nullopt;
    bool failed = false;
    std::optional<ReplayedFact> answer = searched(
        subject, left.moduleOf(part.rest ? *part.rest : part.term), failed);
    if (failed)
      return false;
    if (!answer || answer->fact.verdict != Verdict::Violated)
      return std::nullopt;
    reportAfter(left.handshakes(*part.before), answer->fact, *answer);
    return true;
  }

  /// \p told: what \p flaw says, perhaps in other words.
  void reportAfter(std::vector<WitnessStep> run, const Fact &told,
                   const ReplayedFact &flaw) {
    Fact whole = told;
    llvm::append_range(run, told.witness->steps);
    whole.witness->steps = std::move(run);
    context.report(module, std::move(whole),
                   [&] { return flaw.replays(flaw.fact); });
  }

  void report(const ReplayedFact &answer) {
    context.report(module, answer.fact,
                   [&] { return answer.replays(answer.fact); });
  }

  Module &module;
  PassContext &context;
  StringRef property;
  Decide decide;
  /// Peers of parts, as their facts refer to them.
  std::vector<std::unique_ptr<std::optional<PeerSet>>> sets;
};
} // namespace

/// Writes the proof that the only choreography is sender-connected, if it is
/// and somebody asks for it. False: an error was reported.
static bool writeCertificate(const Module &module, PassContext &context,
                             ArrayRef<ChoreographyRef> choreographies,
                             bool isProved) {
  if (!context.hasOption("certificate"))
    return true;
  if (choreographies.size() != 1) {
    context.diags.report(diag::one_choreography)
        << "--certificate" << choreographies.size();
    return false;
  }
  ChoreographyRef which = choreographies[0];
  if (!isProved) {
    if (context.host.log)
      *context.host.log << "note: '" << visible(context.option("certificate"))
                        << "' is not written: there is no proof by structure\n";
    return true;
  }
  bool isNormal = false;
  std::optional<std::string> text =
      connectedCertificate(module, which, context.limits, isNormal);
  if (!text) {
    (void)context.diags.report(choreographyPlace(module, which),
                               isNormal ? diag::certificate_parts
                                        : diag::certificate_form);
    return false;
  }
  return context.host.write(context.option("certificate"),
                            [&](raw_ostream &os) { os << *text; });
}

/// What is proved of a choreography holds for whatever its guards say.
static void tellFreeGuards(const Module &module, ChoreographyRef which,
                           DiagnosticEngine &diags) {
  if (which.isSystem)
    return;
  size_t guards =
      llvm::count_if(module.behaviours[which.index].flows,
                     [](const Flow &flow) { return bool(flow.guard); });
  if (guards)
    diags.abstracted(countedText("guards are free choices", guards));
}

PassResult cif::checkSendOrder(
    Module &module, PassContext &context, StringRef property,
    function_ref<std::optional<ReplayedFact>(const PeerSet &)> decide,
    PeersFrom from) {
  SendOrder check(module, context, property, decide);
  bool projected;
  const PeerSet *given = givenPeers(module, context, from, projected);
  if (context.flag("no-proof") &&
      !noneGiven(context, {"certificate"}, "with --no-proof"))
    return PassResult::Failed;
  if (!projected &&
      !noneGiven(context, {"certificate"}, "here: it is for choreographies"))
    return PassResult::Failed;
  if (!projected)
    return check.whole(given) ? PassResult::Unchanged : PassResult::Failed;
  std::vector<ChoreographyRef> choreographies = findChoreographies(module);
  const ConnectedProofs *proofs = nullptr;
  if (!context.flag("no-proof"))
    proofs = &context.analyses.get<ConnectedProofs>(module, context.limits);
  const auto &peers = context.analyses.get<ProjectedPeers>(module);
  bool isProved = false; // the last one; a certificate is about the only one
  for (size_t i = 0; i < choreographies.size(); ++i) {
    PeerSet subject = choreographySubject(module, choreographies[i]);
    std::optional<bool> done;
    if (proofs)
      done = check.inSlices(subject, proofs->get(i).left);
    if (proofs && !done) {
      const ConnectedProof &proof =
          proofs->getInParts(module, i, context.limits);
      isProved = subject.connected = proof.proved;
      if (proof.proved) {
        tellFreeGuards(module, choreographies[i], context.diags);
        done = check.whole(&subject);
      } else {
        done = check.inParts(subject, proof.left);
        if (!done && proof.left.keptStarts)
          done = check.inParts(
              subject, proofs->getInAllParts(module, i, context.limits).left);
      }
    }
    if (!done)
      done = check.whole(peers.get(module, i, context));
    if (!*done)
      return PassResult::Failed;
  }
  return writeCertificate(module, context, choreographies, isProved)
             ? PassResult::Unchanged
             : PassResult::Failed;
}

PassResult cif::changeTheChoreography(
    Module &module, PassContext &context, StringRef flag, StringRef property,
    function_ref<PassResult(ChoreographyRef, PeerSet &)> change) {
  std::vector<ChoreographyRef> which = findChoreographies(module);
  if (which.size() > 1) {
    context.diags.report(diag::one_choreography) << flag << which.size();
    return PassResult::Failed;
  }
  std::vector<PeerSet> sets =
      peerSets(module, PeersFrom::Choreography, context.limits, context.diags);
  if (sets.empty())
    return PassResult::Failed;
  if (!sets.front().limit.empty()) {
    context.report(module, limitFact(property, sets.front(), context));
    return PassResult::Stopped;
  }
  return change(which.front(), sets.front());
}
