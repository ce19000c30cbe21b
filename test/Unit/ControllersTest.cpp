//===- ControllersTest.cpp - Controllers and amendments -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Generated protocols with the controllers and interactions that are found for
/// them, checked straight from the definitions: peers, controllers and queues
/// as sets of configurations [verchor, Def. 10].
///
//===----------------------------------------------------------------------===//

#include "cif/Repair/Controllers.h"
#include "Generated.h"
#include "Protocols.h"
#include "SemanticsModels.h"
#include "cif/Check/Peers/Health.h"
#include "cif/Check/Peers/Repairability.h"
#include "cif/Equivalence/Minimize.h"
#include "cif/Explore/TraceSearch.h"
#include "cif/LTS/Operations.h"
#include "cif/Repair/Amendment.h"
#include "cif/Repair/ExtraSends.h"
#include <gtest/gtest.h>

using namespace cif;
using namespace cif::test;

namespace {
using Trace = std::string; // of a label

/// Peers and controllers as they stand beside each other.
class NaiveArchitecture {
public:
  /// \p shown: what the choreography calls a message that a controller sends.
  NaiveArchitecture(std::map<std::string, Lts> all,
                    std::set<std::string> handedOver,
                    std::map<std::string, std::string> names, unsigned limit)
      : parts(std::move(all)), handshakes(std::move(handedOver)),
        shown(std::move(names)), bound(limit) {}

  struct State {
    std::map<std::string, StateIndex> at;
    std::map<std::string, std::deque<std::string>> queues;
    bool operator<(const State &o) const {
      return std::tie(at, queues) < std::tie(o.at, o.queues);
    }
  };
  using States = std::set<State>;

  States start() const {
    State first;
    for (const auto &[name, lts] : parts)
      first.at[name] = lts.initial;
    return close({first});
  }

  std::map<Trace, States> after(const States &from) const {
    std::map<Trace, States> next;
    for (const State &s : from)
      steps(s, [&](const Trace &label, const State &to) {
        if (!label.empty())
          next[label].insert(to);
      });
    for (auto &[label, set] : next)
      set = close(set);
    return next;
  }

private:
  static std::string text(Label label) {
    label.kind = LabelKind::Exchange;
    return labelText(label);
  }

  template <class Sink>
  void steps(const State &s, Sink sink) const {
    for (const auto &[name, lts] : parts) {
      StateIndex at = s.at.at(name);
      for (size_t t = 0; t < lts.labelsOf(at).size(); ++t) {
        const Label &label = lts.labels[lts.labelsOf(at)[t]];
        State to = s;
        to.at[name] = lts.targetsOf(at)[t];
        std::string message = text(label);
        if (label.kind == LabelKind::Receive) {
          auto queue = to.queues.find(name);
          if (handshakes.count(message) || queue == to.queues.end() ||
              queue->second.front() != message)
            continue;
          queue->second.pop_front();
          if (queue->second.empty())
            to.queues.erase(queue);
          sink("", to);
          continue;
        }
        const std::string &other = label.receiver;
        auto seen = shown.find(message);
        Trace trace = seen == shown.end() ? message : seen->second;
        if (!handshakes.count(message) && bound) {
          auto &queue = to.queues[other];
          if (queue.size() == bound)
            continue;
          queue.push_back(message);
          sink(trace, to);
          continue;
        }
        const Lts &receiver = parts.at(other);
        StateIndex there = s.at.at(other);
        for (size_t u = 0; u < receiver.labelsOf(there).size(); ++u) {
          const Label &offer = receiver.labels[receiver.labelsOf(there)[u]];
          if (offer.kind != LabelKind::Receive || text(offer) != message)
            continue;
          State both = to;
          both.at[other] = receiver.targetsOf(there)[u];
          sink(handshakes.count(message) ? Trace() : trace, both);
        }
      }
    }
  }

  States close(States set) const {
    std::deque<State> work(set.begin(), set.end());
    while (!work.empty()) {
      State s = work.front();
      work.pop_front();
      steps(s, [&](const Trace &label, const State &to) {
        if (label.empty() && set.insert(to).second)
          work.push_back(to);
      });
    }
    return set;
  }

  std::map<std::string, Lts> parts;
  std::set<std::string> handshakes;
  std::map<std::string, std::string> shown;
  unsigned bound;
};

/// A global LTS by sets of states.
class NaiveLts {
public:
  explicit NaiveLts(const Lts &of) : lts(of) {}
  std::set<StateIndex> start() const { return close({lts.initial}); }
  std::map<Trace, std::set<StateIndex>>
  after(const std::set<StateIndex> &from) const {
    std::map<Trace, std::set<StateIndex>> next;
    for (StateIndex s : from)
      for (size_t t = 0; t < lts.labelsOf(s).size(); ++t)
        if (LabelIndex l = lts.labelsOf(s)[t]; l != tauLabel)
          next[labelText(lts.labels[l])].insert(lts.targetsOf(s)[t]);
    for (auto &[label, set] : next)
      set = close(set);
    return next;
  }

private:
  std::set<StateIndex> close(std::set<StateIndex> set) const {
    std::deque<StateIndex> work(set.begin(), set.end());
    while (!work.empty()) {
      StateIndex s = work.front();
      work.pop_front();
      for (size_t t = 0; t < lts.labelsOf(s).size(); ++t)
        if (lts.labelsOf(s)[t] == tauLabel &&
            set.insert(lts.targetsOf(s)[t]).second)
          work.push_back(lts.targetsOf(s)[t]);
    }
    return set;
  }
  const Lts &lts;
};

NaiveArchitecture naive(const Architecture &architecture,
                        DiagnosticEngine &diags, unsigned bound) {
  auto global = globalLts(architecture.module, {false, 0}, Limits(), diags);
  EXPECT_TRUE(global);
  std::map<std::string, Lts> parts;
  Budget budget{Limits()};
  for (const std::string &name : participantsOf(global->lts))
    parts[name] = *projectLts(global->lts, name, budget);
  std::map<std::string, std::string> shown;
  for (const Architecture::Passed &p : architecture.passed)
    shown[labelText(p.remote)] = labelText(p.message);
  return {std::move(parts),
          {architecture.handshakes.begin(), architecture.handshakes.end()},
          std::move(shown),
          bound};
}

/// Lets one participant decide in each state, so that controllers exist.
void letOneDecide(Protocol &p) {
  std::map<unsigned, unsigned> decides;
  for (Transition &t : p.transitions) {
    t.sender = decides.try_emplace(t.from, t.sender).first->second;
    if (t.receiver == t.sender)
      t.receiver = (t.sender + 1) % p.peers;
  }
}
} // namespace

TEST(Controllers, SmallestSets) {
  // Enough: 1, and one of 2 and 3, and one of 0 and 3.
  auto oracle = [](ArrayRef<uint32_t> set) {
    auto has = [&](uint32_t c) { return llvm::is_contained(set, c); };
    SetAnswer answer;
    answer.kind = has(1) && (has(2) || has(3)) && (has(0) || has(3))
                      ? SetAnswer::Enough
                      : SetAnswer::Lacking;
    if (answer.kind == SetAnswer::Lacking)
      answer.trace.push_back({LabelKind::Exchange, "p", "q", "m"});
    return answer;
  };
  SmallestSet smallest = smallestSet(5, oracle);
  EXPECT_EQ(smallest.kind, SetAnswer::Enough);
  EXPECT_EQ(smallest.chosen, (std::vector<uint32_t>{1, 3}));
  EXPECT_TRUE(smallest.fewest);
  EXPECT_EQ(smallest.without.size(), 2u);
  EXPECT_EQ(smallestSet(1, oracle).kind, SetAnswer::Lacking);
}

TEST(Controllers, RealizeWhatIsRepairable) {
  std::mt19937 random(4);
  unsigned found = 0, synchronisations = 0, refused = 0, lacking = 0;
  Generated models("protocols with controllers", 5000);
  const unsigned all = models.wanted();
  for (unsigned seed = 0; seed < all; ++seed) {
    models.count();
    SCOPED_TRACE("seed " + std::to_string(seed));
    Protocol p = randomProtocol(random, seed);
    if (seed % 4)
      letOneDecide(p);
    Module module = graphOf(p);
    TestDiagnostics diags;
    auto global = globalLts(module, {false, 0}, Limits(), diags.engine);
    ASSERT_TRUE(global) << diags.text() << global.limit();
    global->lts.finals = {};
    bool strict = !findDivergentChoice(
        minimize(global->lts, Relation::WeakTrace), /*diamond=*/false);
    if (!strict &&
        findDivergentChoice(minimize(global->lts, Relation::WeakTrace), true)) {
      ++refused;
      continue;
    }
    SynchronizabilityOptions options;
    options.network = NetworkKind::Inbox;
    options.bound = 1 + seed % 2;
    auto controllers = synthesizeControllers(
        module, module.behaviours[0], global->lts, options, diags.engine);
    ASSERT_TRUE(controllers) << diags.text();
    if (controllers->search.kind != SetAnswer::Enough) {
      // Flattened interleavings may be out of reach, strict choices never.
      EXPECT_EQ(controllers->search.kind, SetAnswer::Lacking);
      EXPECT_FALSE(strict);
      ++lacking;
      continue;
    }
    ++found;
    synchronisations += controllers->chosen.size();
    Architecture architecture =
        makeArchitecture(module, module.behaviours[0], controllers->chosen);
    NaiveLts spec(global->lts);
    NaiveArchitecture queued =
        naive(architecture, diags.engine, *options.bound);
    NaiveArchitecture sync = naive(architecture, diags.engine, 0);
    EXPECT_EQ(extraTrace(queued, spec).value_or(0), 0u);
    EXPECT_EQ(extraTrace(spec, sync).value_or(0), 0u);
    EXPECT_EQ(extraTrace(spec, queued).value_or(0), 0u);
    // The peer with its controller as one LTS says the same.
    auto peers =
        controlledPeers(architecture, global->lts, Limits(), diags.engine);
    ASSERT_TRUE(peers);
    options.handshakes = peers->handshakes;
    auto again = checkRealizability(peers->module, global->lts,
                                    Relation::WeakTrace, options, diags.engine);
    ASSERT_TRUE(again) << diags.text();
    EXPECT_EQ(again->verdict, Verdict::Holds);
    // None can be left out.
    if (seed % 10 == 0)
      for (size_t i = 0; i < controllers->chosen.size(); ++i) {
        std::vector<Synchronisation> fewer = controllers->chosen;
        fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(i));
        Architecture less =
            makeArchitecture(module, module.behaviours[0], fewer);
        NaiveArchitecture loose = naive(less, diags.engine, *options.bound);
        EXPECT_NE(extraTrace(loose, spec).value_or(1), 0u);
      }
  }
  EXPECT_GT(found, all / 4);
  EXPECT_GT(synchronisations, all / 4);
  EXPECT_GT(refused, all / 50);
  EXPECT_LT(lacking, all / 50);
}

TEST(Controllers, AmendmentsRealize) {
  std::mt19937 random(5);
  unsigned found = 0, added = 0, fewest = 0, missing = 0;
  Generated models("protocols with amendments", 1000);
  const unsigned all = models.wanted();
  for (unsigned seed = 0; seed < all; ++seed) {
    models.count();
    SCOPED_TRACE("seed " + std::to_string(seed));
    Protocol p = randomProtocol(random, seed);
    if (seed % 4)
      letOneDecide(p);
    Module module = graphOf(p);
    TestDiagnostics diags;
    auto global = globalLts(module, {false, 0}, Limits(), diags.engine);
    ASSERT_TRUE(global) << diags.text() << global.limit();
    if (findDivergentChoice(minimize(global->lts, Relation::WeakTrace), true))
      continue;
    SynchronizabilityOptions options;
    options.bound = 1;
    auto amendment = amendForRealizability(module, 0, module.behaviours[0],
                                           options, diags.engine);
    ASSERT_TRUE(amendment) << diags.text();
    if (amendment->outcome != Amendment::Found) {
      ++missing;
      continue;
    }
    ++found;
    added += amendment->added.size();
    fewest += amendment->fewest;
    // The amended choreography, from the definitions.
    auto amended =
        globalLts(amendment->module, {false, 0}, Limits(), diags.engine);
    ASSERT_TRUE(amended) << diags.text() << amended.limit();
    std::map<std::string, Lts> parts;
    Budget budget{Limits()};
    for (const std::string &name : participantsOf(amended->lts))
      parts[name] = *projectLts(amended->lts, name, budget);
    NaiveLts spec(amended->lts);
    NaiveArchitecture queued(parts, {}, {}, 1), sync(parts, {}, {}, 0);
    EXPECT_EQ(extraTrace(queued, spec).value_or(0), 0u);
    EXPECT_EQ(extraTrace(spec, sync).value_or(0), 0u);
    // Without what was added it is the choreography that was given.
    Lts plain = hide(amended->lts, [](const Label &l) {
      return StringRef(l.message).starts_with("sync");
    });
    EXPECT_EQ(extraTrace(NaiveLts(plain), NaiveLts(global->lts)).value_or(0),
              0u);
    EXPECT_EQ(extraTrace(NaiveLts(global->lts), NaiveLts(plain)).value_or(0),
              0u);
  }
  EXPECT_GT(found, all / 4);
  EXPECT_GT(added, all / 4);
  EXPECT_GT(fewest, found / 2);
  EXPECT_LT(missing, all / 20);
}

// Nobody takes what p sends, so that a second message needs a longer queue; q
// takes what r sends.
TEST(ExtraSends, BoundOneFirstThenNone) {
  Module peers;
  addPeer(peers, "p", "0 q!m 1; 1 q!m 2");
  addPeer(peers, "q", "0 r?n 0");
  addPeer(peers, "r", "0 q!n 1; 1 q!n 2; 2 q!n 3");
  auto sends = [&](StringRef allowed, std::optional<uint32_t> bound) {
    SynchronizabilityOptions options;
    options.network = NetworkKind::FifoPair;
    options.bound = bound;
    TestDiagnostics diags;
    auto answer =
        sendsWithin(peers, {}, readLts(allowed, ""), options, diags.engine);
    EXPECT_TRUE(answer) << diags.text();
    std::string text = answer->kind == SetAnswer::Enough ? "enough" : "";
    for (const Label &label : answer->trace)
      text += label.message;
    return text;
  };
  // Whatever r sends, and at most one message of p.
  StringRef one = "0 r->q:n 0; 0 p->q:m 1; 1 r->q:n 1";
  EXPECT_EQ(sends(one, 1), "enough");
  EXPECT_EQ(sends(one, 2), "mm");
  EXPECT_EQ(sends(one, std::nullopt), "mm");
  // At most two of r, too: bound 1 shows that, and is all that is asked then.
  StringRef few = "0 r->q:n 1; 1 r->q:n 2; 0 p->q:m 3; 3 r->q:n 4; "
                  "1 p->q:m 4; 4 r->q:n 5; 2 p->q:m 5";
  EXPECT_EQ(sends(few, 1), "nnn");
  EXPECT_EQ(sends(few, 2), "mm");
  EXPECT_EQ(sends(few, std::nullopt), "nnn");
  EXPECT_EQ(sends("0 r->q:n 0; 0 p->q:m 0", std::nullopt), "enough");
}

TEST(Controllers, EagerReceptionsKeepTheSends) {
  std::mt19937 random(6);
  unsigned found = 0, saved = 0;
  Generated models("protocols with eager receptions", 5000);
  const unsigned all = models.wanted();
  for (unsigned seed = 0; seed < all; ++seed) {
    models.count();
    SCOPED_TRACE("seed " + std::to_string(seed));
    Protocol p = randomProtocol(random, seed);
    Lts global = globalOf(p);
    Module peers = peersOf(global);
    TestDiagnostics diags;
    // Against the protocol, and against one that allows less.
    Lts monitor = determinize(global);
    Protocol smaller = p;
    smaller.transitions.pop_back();
    Lts strict = determinize(globalOf(smaller));
    for (const Lts *allowed : {&monitor, &strict}) {
      SemanticsOptions semantics;
      semantics.semantics = SemanticsKind::Peers;
      semantics.network = seed % 2 ? NetworkKind::FifoPair : NetworkKind::Inbox;
      semantics.observe = Observation::Send;
      semantics.bound = 1 + seed % 3;
      auto whole = makeSystem(peers, semantics, diags.engine);
      semantics.eagerReceptions = SemanticsOptions::Eager;
      auto reduced = makeSystem(peers, semantics, diags.engine);
      ASSERT_TRUE(whole && reduced) << diags.text();
      auto sends = [](const System &system, const TraceSearchResult &result) {
        return llvm::count_if(result.run, [&](const Step &step) {
          return system.labels()[step.label].kind == LabelKind::Exchange;
        });
      };
      TraceSearchResult a = findExtraTrace(*whole, *allowed, Limits());
      TraceSearchResult b = findExtraTrace(*reduced, *allowed, Limits());
      EXPECT_EQ(a.found(), b.found());
      EXPECT_EQ(sends(*whole, a), sends(*reduced, b));
      EXPECT_EQ(a.complete, b.complete);
      if (!a.found()) {
        EXPECT_LE(b.states, a.states);
      }
      found += a.found();
      saved += b.states < a.states;
    }
  }
  EXPECT_GT(found, all / 4);
  EXPECT_GT(saved, all / 10);
}

TEST(Controllers, EagerReceptionsKeepWhatIsWrong) {
  std::mt19937 random(8);
  unsigned compared = 0, violated = 0;
  Generated models("protocols with what goes wrong in them", 2500);
  const unsigned all = models.wanted();
  for (unsigned seed = 0; seed < all; ++seed) {
    models.count();
    SCOPED_TRACE("seed " + std::to_string(seed));
    Module peers = peersOf(globalOf(randomProtocol(random, seed)));
    TestDiagnostics diags;
    SynchronizabilityOptions options;
    options.network = seed % 2 ? NetworkKind::FifoPair : NetworkKind::Inbox;
    if (seed % 3)
      options.bound = 1 + seed % 3;
    options.limits.maxStates = 3000;
    auto whole = checkHealth(peers, options, diags.engine);
    options.wholeStates = 1;
    auto reduced = checkHealth(peers, options, diags.engine);
    ASSERT_TRUE(whole && reduced) << diags.text();
    for (unsigned i = 0; i < numHealthProblems; ++i) {
      const HealthFinding &a = whole->findings[i], &b = reduced->findings[i];
      if (a.verdict == Verdict::Inconclusive ||
          b.verdict == Verdict::Inconclusive)
        continue;
      ++compared;
      violated += a.verdict == Verdict::Violated;
      EXPECT_EQ(a.verdict, b.verdict)
          << healthProblemText(static_cast<HealthProblem>(i)).str();
    }
  }
  EXPECT_GT(compared, all);
  EXPECT_GT(violated, all / 4);
}
