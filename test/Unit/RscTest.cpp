//===- RscTest.cpp - Conflict graphs of all short executions --------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Check/Peers/Rsc.h"
#include "Generated.h"
#include "RandomPeers.h"
#include "SemanticsModels.h"
#include <deque>
#include <gtest/gtest.h>
#include <set>

using namespace cif;
using namespace cif::test;

namespace {
struct Event {
  unsigned peer;
  bool sends;
  unsigned message; ///< which of those sent
  auto operator<=>(const Event &) const = default;
};

/// An execution; two with the same events at each peer and the same sends into
/// each queue are the same.
struct Execution {
  std::vector<unsigned> locals;
  std::vector<Event> events;
  std::vector<std::pair<unsigned, std::string>> messages; ///< queue, text
  std::map<unsigned, std::deque<unsigned>> queues;

  auto key() const {
    // Messages by their sender and how many that one sent before.
    std::vector<std::pair<unsigned, unsigned>> named(messages.size());
    std::map<unsigned, unsigned> sent;
    for (const Event &e : events)
      if (e.sends)
        named[e.message] = {e.peer, sent[e.peer]++};
    using Part = std::vector<std::tuple<bool, unsigned, unsigned, std::string>>;
    std::map<unsigned, Part> peers, buffers;
    for (const Event &e : events) {
      std::tuple entry(e.sends, named[e.message].first, named[e.message].second,
                       std::to_string(messages[e.message].first) + ":" +
                           messages[e.message].second);
      peers[e.peer].push_back(entry);
      if (e.sends)
        buffers[messages[e.message].first].push_back(entry);
    }
    return std::tuple(locals, peers, buffers);
  }

  bool hasCycle() const {
    size_t n = messages.size();
    std::vector<std::vector<bool>> before(n, std::vector<bool>(n, false));
    for (size_t i = 0; i < events.size(); ++i)
      for (size_t j = i + 1; j < events.size(); ++j) {
        const Event &a = events[i], &b = events[j];
        if (a.message != b.message &&
            (a.peer == b.peer ||
             (a.sends && b.sends &&
              messages[a.message].first == messages[b.message].first)))
          before[a.message][b.message] = true;
      }
    for (size_t k = 0; k < n; ++k)
      for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
          if (before[i][k] && before[k][j])
            before[i][j] = true;
    for (size_t i = 0; i < n; ++i)
      if (before[i][i])
        return true;
    return false;
  }
};

/// Adds \p others under other names.
void addApart(Module &module, const Module &others) {
  for (const SystemDecl &decl : others.systems) {
    Lts lts = decl.lts;
    for (Label &label : lts.labels)
      if (label.kind != LabelKind::Tau) {
        label.sender += "x";
        label.receiver += "x";
      }
    addRandomPeer(module, others.text(decl.name).str() + "x", std::move(lts));
  }
}

struct BruteForce {
  std::optional<size_t> length; ///< of a shortest execution with a cycle
  size_t looked = 0;            ///< all executions of this length were seen
};

BruteForce bruteForce(const PlainPeers &plain, bool inbox, size_t atMost) {
  BruteForce result;
  std::vector<Execution> now{{plain.initial, {}, {}, {}}};
  for (; result.looked < 10; ++result.looked) {
    std::vector<Execution> next;
    std::set<decltype(now.front().key())> seen;
    for (const Execution &e : now)
      for (unsigned p = 0; p < plain.peers.size(); ++p)
        for (const PlainPeers::Step &step : plain.peers[p]) {
          if (step.from != e.locals[p])
            continue;
          unsigned sender = step.sends ? p : step.partner,
                   receiver = step.sends ? step.partner : p;
          unsigned queue = inbox ? receiver : sender * 8 + receiver;
          std::string text = std::to_string(sender) + ":" + step.message;
          Execution to = e;
          to.locals[p] = step.to;
          if (step.sends) {
            to.events.push_back(
                {p, true, static_cast<unsigned>(to.messages.size())});
            to.queues[queue].push_back(to.messages.size());
            to.messages.push_back({queue, text});
          } else {
            std::deque<unsigned> &waiting = to.queues[queue];
            if (waiting.empty() || to.messages[waiting.front()].second != text)
              continue;
            to.events.push_back({p, false, waiting.front()});
            waiting.pop_front();
          }
          if (!seen.insert(to.key()).second)
            continue;
          if (to.hasCycle()) {
            result.length = to.events.size();
            return result;
          }
          next.push_back(to);
        }
    if (next.size() > atMost)
      break;
    now = std::move(next);
  }
  return result;
}
} // namespace

TEST(Rsc, AgreesWithAllShortExecutions) {
  std::mt19937 random(5);
  unsigned compared = 0, violated = 0, holds = 0, health = 0, sick = 0;
  Generated models("sets of peers with all their short executions", 3000);
  for (unsigned seed = 0; seed < models.wanted(); ++seed) {
    Module module = randomPeers(random, seed);
    if (seed % 8 < 2) // others beside them, which they do not talk to
      addApart(module, randomPeers(random, seed));
    bool inbox = seed / 2 % 2;
    SCOPED_TRACE("seed " + std::to_string(seed));
    TestDiagnostics diags;
    NetworkKind network = inbox ? NetworkKind::Inbox : NetworkKind::FifoPair;
    std::optional<Rsc> rsc = checkRsc(module, network, Limits(), diags.engine);
    if (!rsc)
      continue; // a partner that is not there
    ++compared;
    models.count();
    BruteForce brute = bruteForce(PlainPeers(module), inbox, 60);
    if (brute.length) {
      ++violated;
      ASSERT_EQ(rsc->verdict, Verdict::Violated);
      EXPECT_EQ(rsc->witness->steps.size(), *brute.length);
      EXPECT_GE(rsc->cycle.size(), 2u);
      continue;
    }
    if (rsc->verdict == Verdict::Violated) {
      EXPECT_GT(rsc->witness->steps.size(), brute.looked);
      continue;
    }
    ASSERT_EQ(rsc->verdict, Verdict::Holds);
    ++holds;
    // What goes wrong, by exploring the queues themselves.
    SynchronizabilityOptions options;
    options.network = network;
    options.limits.maxStates = 5000;
    std::optional<Health> whole = checkHealth(module, options, diags.engine);
    ASSERT_TRUE(whole) << diags.text();
    for (unsigned i = 0; i < 3; ++i) {
      const HealthFinding &expected = whole->findings[i];
      if (expected.verdict == Verdict::Inconclusive || !expected.exact)
        continue;
      ++health;
      sick += expected.verdict == Verdict::Violated;
      EXPECT_EQ(rsc->findings[i].verdict, expected.verdict) << i;
      EXPECT_TRUE(rsc->findings[i].exact);
      if (expected.witness && rsc->findings[i].witness &&
          whole->method == "exploration with unbounded queues") {
        EXPECT_EQ(rsc->findings[i].witness->steps.size(),
                  expected.witness->steps.size());
      }
    }
  }
  EXPECT_GT(compared, 2000u);
  EXPECT_GT(violated, 100u);
  EXPECT_GT(holds, 1000u);
  EXPECT_GT(health, 1000u);
  EXPECT_GT(sick, 300u);
}

TEST(Rsc, SaysNothingAboutTheOrderOfSends) {
  // The system of [finkel23] with two a's is RSC under fifo-pair queues, as the
  // a's may wait for ever, and not synchronizable.
  Module module;
  addRandomPeer(module, "p1", readLts("0 p2!a 1; 1 p2!a 2; 2 p3!b 3", "p1"));
  addRandomPeer(
      module, "p2",
      readLts("0 p1?a 1; 1 p1?a 2; 2 p3?c 3; 0 p3?c 4; 4 p1!d 5", "p2"));
  addRandomPeer(module, "p3", readLts("0 p1?b 1; 1 p2!c 2", "p3"));
  TestDiagnostics diags;
  std::optional<Rsc> rsc =
      checkRsc(module, NetworkKind::FifoPair, Limits(), diags.engine);
  ASSERT_TRUE(rsc) << diags.text();
  EXPECT_EQ(rsc->verdict, Verdict::Holds);
  SynchronizabilityOptions options;
  options.network = NetworkKind::FifoPair;
  std::optional<Synchronizability> sync =
      checkSynchronizability(module, options, diags.engine);
  ASSERT_TRUE(sync) << diags.text();
  EXPECT_EQ(sync->verdict, Verdict::Violated);
}
