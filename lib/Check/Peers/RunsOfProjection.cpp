//===- RunsOfProjection.cpp - Implementability by all runs ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: docs/algorithms.md, "All runs of the projection". Each peer is
/// unfolded to a tree, so that its state tells everything that it did. Then the
/// runs of the peers are explored: one that cannot go on must be a complete run
/// of the choreography, and so must one that may stop. A tree that would be too
/// large, as that of a loop, is cut: then only violations are found. If whole
/// exchanges follow each other, peers with loops are first composed as they
/// are: runs that the choreography has in the same order are all that is asked
/// for.
///
//===----------------------------------------------------------------------===//

#include "cif/Check/Peers/Implementability.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/Graph/Search.h"
#include "cif/IR/Names.h"
#include "cif/LTS/Graph.h"
#include "cif/LTS/LtsBuilder.h"
#include "cif/Semantics/PeerView.h"
#include "cif/Transforms/Project.h"
#include "llvm/ADT/StringMap.h"

using namespace cif;

namespace {
/// More states of all peers together are not looked at, and of each peer, more
/// states that tell what it did are cut off.
constexpr size_t mostStates = 100'000, mostOfOne = 10'000;
/// The same if there are loops: what is wrong shows soon, or never.
constexpr size_t mostWithLoops = 20'000, mostOfOneWithLoops = 100;

/// The choreography, and who takes part in each exchange.
class Words {
public:
  explicit Words(const Lts &of) : lts(of), participants(participantsOf(of)) {
    llvm::StringMap<uint32_t> numbers;
    for (uint32_t p = 0; p < participants.size(); ++p)
      numbers.try_emplace(participants[p], p);
    for (const Label &label : lts.labels)
      ends.push_back(
          {numbers.lookup(label.sender), numbers.lookup(label.receiver)});
  }
  bool hasLoop() const;
  /// Whether the choreography can end after \p done, which has the exchanges of
  /// each participant in their order. Nothing: a limit was reached.
  std::optional<bool> isComplete(ArrayRef<std::vector<LabelIndex>> done,
                                 Budget &budget) const;

  const Lts &lts;
  const std::vector<std::string> participants;

private:
  struct Ends {
    uint32_t sender, receiver;
  };
  std::vector<Ends> ends; ///< of each label
};

/// What a participant does, as a tree: states are what it has done so far.
struct Tree {
  Lts lts;
  std::vector<StateIndex> parent;
  std::vector<LabelIndex> exchange; ///< to each state: a label of the whole
  std::vector<bool> isCut; ///< by state: it goes on, but not in the tree

  std::vector<LabelIndex> wayTo(StateIndex s) const {
    std::vector<LabelIndex> way;
    for (uint32_t at :
         cif::wayTo(s, [&](uint32_t i) { return i ? parent[i] : noParent; }))
      way.push_back(exchange[at]);
    return way;
  }
};

class Runs final : public ExplorationVisitor {
public:
  Runs(const Words &of, const Limits &limits)
      : words(of), hasLoop(of.hasLoop()), budget(limits) {}

  /// False: a limit was reached.
  bool project();
  /// Whether one exchange after the other leads, silent steps aside, to what
  /// the choreography has, and ends only where it does. False also at a limit,
  /// and if \p network has messages in transit beside others.
  bool followsWords(NetworkKind network, const Limits &limits,
                    DiagnosticEngine &diags);
  void unfold();
  RunsOfProjection check(NetworkKind network, const Limits &limits,
                         DiagnosticEngine &diags);
  RunsOfProjection held() {
    result.verdict = Verdict::Holds;
    return std::move(result);
  }

private:
  Tree unfold(const Lts &peer) const;
  std::unique_ptr<PeerComposition> compose(NetworkKind network,
                                           Observation observe,
                                           DiagnosticEngine &diags) const;
  bool expanded(StateIndex s, const uint32_t *vector, size_t count) override;
  bool refute(StateIndex s, const Twine &why) {
    wrong = s;
    result.text = ("whatever the peers are, they can " + why).str();
    return false;
  }

  const Words &words;
  const bool hasLoop;
  Budget budget;
  std::vector<Tree> trees;
  Module peers;
  std::unique_ptr<PeerComposition> system;
  std::optional<StateIndex> wrong;
  bool isStopped = false; ///< not all runs are looked at
  RunsOfProjection result;
};
} // namespace

bool Words::hasLoop() const {
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    for (uint32_t t = lts.rowBegin[s]; t < lts.rowBegin[s + 1]; ++t)
      if (lts.target[t] == s)
        return true;
  return components(lts).count < lts.numStates();
}

std::optional<bool> Words::isComplete(ArrayRef<std::vector<LabelIndex>> done,
                                      Budget &budget) const {
  StateSearch<NoStep> search;
  std::vector<uint32_t> state(1 + done.size()), next; // and how far each one is
  state[0] = lts.initial;
  search.start(state);
  while (search.next(state, budget)) {
    bool all = true;
    for (size_t p = 0; p < done.size(); ++p)
      all &= state[1 + p] == done[p].size();
    if (all && lts.isFinal(state[0]))
      return true;
    auto isNext = [&](uint32_t p, LabelIndex l) {
      return state[1 + p] < done[p].size() && done[p][state[1 + p]] == l;
    };
    for (uint32_t t = lts.rowBegin[state[0]]; t < lts.rowBegin[state[0] + 1];
         ++t) {
      auto [sender, receiver] = ends[lts.label[t]];
      if (!isNext(sender, lts.label[t]) || !isNext(receiver, lts.label[t]))
        continue;
      next = state;
      next[0] = lts.target[t];
      ++next[1 + sender];
      ++next[1 + receiver];
      search.reach(next, {});
    }
  }
  if (!search.limit.empty())
    return std::nullopt;
  return false;
}

Tree Runs::unfold(const Lts &peer) const {
  llvm::StringMap<LabelIndex> numbers;
  auto key = [](const Label &l) {
    return labelText({LabelKind::Exchange, l.sender, l.receiver, l.message});
  };
  for (LabelIndex l = 0; l < words.lts.labels.size(); ++l)
    numbers.try_emplace(key(words.lts.labels[l]), l);
  std::vector<LabelIndex> whole; // of each label of the peer
  for (const Label &label : peer.labels)
    whole.push_back(numbers.lookup(key(label)));
  Tree tree;
  LtsBuilder builder;
  std::vector<StateIndex> folded{peer.initial};
  tree.parent = {0};
  tree.exchange = {tauLabel};
  const size_t most = hasLoop ? mostOfOneWithLoops : mostOfOne;
  for (StateIndex s = 0; s < folded.size(); ++s) {
    tree.isCut.push_back(folded.size() > most &&
                         !peer.labelsOf(folded[s]).empty());
    if (tree.isCut.back())
      continue;
    for (uint32_t t = peer.rowBegin[folded[s]];
         t < peer.rowBegin[folded[s] + 1]; ++t) {
      builder.add(s, builder.labels.intern(peer.labels[peer.label[t]]),
                  static_cast<StateIndex>(folded.size()));
      folded.push_back(peer.target[t]);
      tree.parent.push_back(s);
      tree.exchange.push_back(whole[peer.label[t]]);
    }
  }
  tree.lts = std::move(builder).finish(0, folded.size());
  std::vector<uint64_t> finals((folded.size() + 63) / 64);
  for (StateIndex s = 0; s < folded.size(); ++s)
    if (peer.isFinal(folded[s]))
      finals[s / 64] |= uint64_t(1) << (s % 64);
  tree.lts.finals = std::move(finals);
  return tree;
}

bool Runs::project() {
  for (const std::string &name : words.participants) {
    Outcome<Lts> peer = projectLts(words.lts, name, budget);
    if (!peer)
      return false;
    SystemDecl decl;
    decl.name = peers.intern(name);
    decl.owner = peers.getParticipant(decl.name);
    decl.role = SystemRole::Peer;
    decl.lts = std::move(*peer);
    peers.systems.push_back(std::move(decl));
  }
  return true;
}

void Runs::unfold() {
  for (SystemDecl &peer : peers.systems) {
    Tree &tree = trees.emplace_back(unfold(peer.lts));
    isStopped |= llvm::is_contained(tree.isCut, true);
    peer.lts = tree.lts;
  }
}

std::unique_ptr<PeerComposition> Runs::compose(NetworkKind network,
                                               Observation observe,
                                               DiagnosticEngine &diags) const {
  return makePeerComposition(peers, SemanticsOptions::peers(network, observe),
                             diags);
}

bool Runs::followsWords(NetworkKind network, const Limits &limits,
                        DiagnosticEngine &diags) {
  if (!networkHas(network, NetworkIsFinite))
    return false;
  std::unique_ptr<PeerComposition> folded =
      compose(network, Observation::Send, diags);
  if (!folded)
    return false;
  ExplorerOptions options;
  options.limits = limits;
  options.limits.maxStates = std::min<uint64_t>(limits.maxStates, mostStates);
  Exploration explored = explore(*folded, options);
  if (!explored.complete)
    return false;
  result.states = explored.numStates();
  result.transitions = explored.transitions;
  const Lts &of = explored.lts, &by = words.lts;
  llvm::StringMap<LabelIndex> numbers;
  for (LabelIndex l = 0; l < by.labels.size(); ++l)
    numbers.try_emplace(labelText(by.labels[l]), l);
  StateSearch<NoStep> search; // a state of the peers, and one of the words
  search.start({of.initial, by.initial});
  for (std::vector<uint32_t> at; search.next(at, budget);) {
    const bool isLast = of.labelsOf(at[0]).empty();
    if (of.isFinal(at[0]) ? !by.isFinal(at[1]) : isLast)
      return false;
    for (uint32_t t = of.rowBegin[at[0]]; t < of.rowBegin[at[0] + 1]; ++t) {
      if (of.label[t] == tauLabel) {
        search.reach({of.target[t], at[1]}, {});
        continue;
      }
      auto known = numbers.find(labelText(of.labels[of.label[t]]));
      uint32_t next = UINT32_MAX;
      if (known != numbers.end())
        for (uint32_t u = by.rowBegin[at[1]]; u < by.rowBegin[at[1] + 1]; ++u)
          if (by.label[u] == known->second)
            next = by.target[u];
      if (next == UINT32_MAX)
        return false;
      search.reach({of.target[t], next}, {});
    }
  }
  return search.limit.empty();
}

bool Runs::expanded(StateIndex s, const uint32_t *vector, size_t count) {
  const PeerView &view = system->view();
  std::string waiting;
  bool goesOn = count > 0;
  for (size_t p = 0; p < view.peers.size(); ++p) {
    if (!view.peers[p].isDone(vector[p]))
      waiting += (waiting.empty() ? "" : ", ") + quoted(view.peers[p].name);
    goesOn |= trees[view.peers[p].system].isCut[vector[p]];
  }
  if (!waiting.empty())
    return goesOn || refute(s, "get stuck: " + waiting + " cannot go on");
  std::vector<uint32_t> transit(view.messages.size());
  system->inTransit(vector, transit);
  if (llvm::any_of(transit, [](uint32_t number) { return number != 0; }))
    return goesOn || refute(s, "be done with a message that is never received");
  std::vector<std::vector<LabelIndex>> done;
  for (size_t p = 0; p < view.peers.size(); ++p)
    done.push_back(trees[view.peers[p].system].wayTo(vector[p]));
  std::optional<bool> isComplete = words.isComplete(done, budget);
  isStopped |= !isComplete;
  return isComplete.value_or(false) ||
         (isComplete &&
          refute(s, "complete a run that the choreography does not have"));
}

RunsOfProjection Runs::check(NetworkKind network, const Limits &limits,
                             DiagnosticEngine &diags) {
  system = compose(network, Observation::Both, diags);
  if (!system)
    return {};
  ExplorerOptions options;
  options.limits = limits;
  options.limits.maxStates = std::min<uint64_t>(
      limits.maxStates, hasLoop ? mostWithLoops : mostStates);
  options.keepTransitions = false;
  options.findGrowth = false; // trees are finite
  options.visitor = this;
  Exploration explored = explore(*system, options);
  result.states = explored.numStates();
  result.transitions = explored.transitions;
  if (wrong) {
    result.verdict = Verdict::Violated;
    result.witness.kind = "trace";
    result.witness.steps =
        witnessSteps(peers, explored, explored.traceTo(*wrong), false);
    result.peers = std::move(peers);
  } else if (explored.complete && !isStopped) {
    return held();
  }
  return std::move(result);
}

RunsOfProjection cif::runProjection(const Lts &words, NetworkKind network,
                                    const Limits &limits,
                                    DiagnosticEngine &diags) {
  const Words of(words);
  Runs runs(of, limits);
  if (!runs.project())
    return {};
  if (runs.followsWords(network, limits, diags))
    return runs.held();
  runs.unfold();
  return runs.check(network, limits, diags);
}
