//===- CompatibilityTest.cpp - k-multiparty compatibility, naively --------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The conditions once more, to the letter: a search from each configuration.
///
//===----------------------------------------------------------------------===//

#include "Generated.h"
#include "RandomPeers.h"
#include "SemanticsModels.h"
#include "TextFrontEndTest.h"
#include "cif/Check/Peers/Health.h"
#include "cif/Check/Peers/Kmc.h"
#include <deque>
#include <gtest/gtest.h>
#include <set>

using namespace cif;
using namespace cif::test;

namespace {
using Pair = std::pair<unsigned, unsigned>; // sender, receiver

/// Local states and queues; a message has a mark, for chains of causes.
struct Configuration {
  std::vector<unsigned> locals;
  std::map<Pair, std::deque<std::pair<std::string, bool>>> queues;
  auto operator<=>(const Configuration &) const = default;
};

struct Move {
  unsigned peer;
  bool sends;
  Pair pair;
  std::string message;
  Configuration to;
  bool marked = false; ///< the message taken has the mark
};

class Naive {
public:
  Naive(const PlainPeers &of, unsigned bound) : plain(of), k(bound) {
    std::deque<Configuration> work{{plain.initial, {}}};
    all.insert(work.front());
    while (!work.empty()) {
      Configuration c = work.front();
      work.pop_front();
      for (const Move &move : moves(c))
        if (all.insert(move.to).second)
          work.push_back(move.to);
    }
  }

  std::vector<Move> moves(const Configuration &c,
                          const std::set<unsigned> &marking = {}) const {
    std::vector<Move> found;
    for (unsigned p = 0; p < plain.peers.size(); ++p)
      for (const PlainPeers::Step &step : plain.peers[p]) {
        if (step.from != c.locals[p])
          continue;
        Move move{p, step.sends,
                  step.sends ? Pair(p, step.partner) : Pair(step.partner, p),
                  step.message, c};
        move.to.locals[p] = step.to;
        auto &queue = move.to.queues[move.pair];
        if (step.sends) {
          if (queue.size() >= k)
            continue;
          queue.push_back({step.message, marking.count(p) > 0});
        } else {
          if (queue.empty() || queue.front().first != step.message)
            continue;
          move.marked = queue.front().second;
          queue.pop_front();
          if (queue.empty())
            move.to.queues.erase(move.pair);
        }
        found.push_back(move);
      }
    return found;
  }

  /// Whether a path from \p c, over moves that \p over lets through, gets to a
  /// configuration with a move like \p goal.
  template <class Goal, class Over>
  bool finds(const Configuration &c, Goal goal, Over over) const {
    std::set<Configuration> seen{c};
    std::deque<Configuration> work{c};
    while (!work.empty()) {
      Configuration at = work.front();
      work.pop_front();
      for (const Move &move : moves(at)) {
        if (goal(move))
          return true;
        if (over(move) && seen.insert(move.to).second)
          work.push_back(move.to);
      }
    }
    return false;
  }
  template <class Goal>
  bool finds(const Configuration &c, Goal goal) const {
    return finds(c, goal, [](const Move &) { return true; });
  }

  template <class Each>
  bool allSteps(const Configuration &c, bool sends, Each each) const {
    for (unsigned p = 0; p < plain.peers.size(); ++p)
      for (const PlainPeers::Step &step : plain.peers[p])
        if (step.from == c.locals[p] && step.sends == sends && !each(p, step))
          return false;
    return true;
  }

  bool offersSend(const Configuration &c, unsigned p) const {
    return !allSteps(c, true, [&](unsigned other, const PlainPeers::Step &) {
      return other != p;
    });
  }

  bool exhaustive() const {
    for (const Configuration &c : all)
      if (!allSteps(c, true, [&](unsigned p, const PlainPeers::Step &step) {
            return finds(
                c,
                [&](const Move &m) {
                  return m.sends && m.pair == Pair(p, step.partner) &&
                         m.message == step.message;
                },
                [&](const Move &m) { return m.peer != p; });
          }))
        return false;
    return true;
  }

  bool safeIn(const Configuration &c) const {
    for (const auto &[pair, queue] : c.queues)
      if (!finds(c, [&, &pair = pair, &queue = queue](const Move &m) {
            return !m.sends && m.pair == pair &&
                   m.message == queue.front().first;
          }))
        return false;
    return allSteps(c, false, [&](unsigned p, const PlainPeers::Step &) {
      return offersSend(c, p) ||
             finds(c, [&](const Move &m) { return !m.sends && m.peer == p; });
    });
  }
  bool safe() const {
    return std::all_of(all.begin(), all.end(),
                       [&](const Configuration &c) { return safeIn(c); });
  }

  bool outputs() const {
    for (const Configuration &c : all) {
      std::vector<Move> now = moves(c);
      for (unsigned p = 0; p < plain.peers.size(); ++p) {
        unsigned offered = 0, possible = 0;
        for (const PlainPeers::Step &step : plain.peers[p])
          offered += step.from == c.locals[p] && step.sends;
        for (const Move &m : now)
          possible += m.peer == p && m.sends;
        if (possible && possible != offered)
          return false;
      }
    }
    return true;
  }

  bool inputs(bool chains) const {
    for (const Configuration &c : all)
      for (const Move &first : moves(c)) {
        if (first.sends)
          continue;
        unsigned p = first.peer;
        for (const PlainPeers::Step &step : plain.peers[p]) {
          if (step.from != c.locals[p] || step.sends ||
              step.partner == first.pair.first)
            continue;
          for (const Move &m : moves(c))
            if (!m.sends && m.pair == Pair(step.partner, p) &&
                m.message == step.message)
              return false;
          if (chains ? unchained(c, first, step.partner, step.message)
                     : finds(c, [&](const Move &m) {
                         return m.sends && m.pair == Pair(step.partner, p) &&
                                m.message == step.message;
                       }))
            return false;
        }
      }
    return true;
  }

  std::set<Configuration> all;

private:
  /// Whether \p sender can send \p message after \p first and not because of
  /// it: marks go from those who know to what they send and on to who takes it.
  bool unchained(const Configuration &c, const Move &first, unsigned sender,
                 const std::string &message) const {
    using Known = std::pair<Configuration, std::set<unsigned>>;
    std::deque<Known> work{{first.to, {first.peer}}};
    std::set<Known> seen{work.front()};
    while (!work.empty()) {
      auto [at, knows] = work.front();
      work.pop_front();
      for (Move move : moves(at, knows)) {
        if (move.sends && move.pair == Pair(sender, first.peer) &&
            move.message == message && !knows.count(sender))
          return true;
        if (move.sends && c.queues.count(move.pair))
          move.to.queues[move.pair].back().second = false;
        std::set<unsigned> then = knows;
        if (move.marked)
          then.insert(move.peer);
        if (seen.insert({move.to, then}).second)
          work.push_back({move.to, then});
      }
    }
    return false;
  }

  const PlainPeers &plain;
  unsigned k;
};
} // namespace

// Fewer orders of independent steps show the same.
TEST(Compatibility, AgreesWithFewerOrders) {
  std::mt19937 random(12);
  unsigned holds = 0, smaller = 0, broken = 0;
  Generated models("sets of peers for k-MC with fewer orders", 12000);
  for (unsigned seed = 0; models.done() < models.wanted(); ++seed) {
    ASSERT_LT(seed, 20 * models.wanted());
    Module module = randomPeers(random, seed);
    if (module.systems.size() < 2)
      continue;
    const unsigned k = 1 + seed % 3;
    Limits limits;
    limits.maxStates = 3000;
    TestDiagnostics diags;
    std::optional<Kmc> all =
        checkKmc(module, k, limits, diags.engine, UINT64_MAX);
    if (!all || !all->limit.empty() || !all->csa.holds)
      continue;
    models.count();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::optional<Kmc> fewer = checkKmc(module, k, limits, diags.engine, 0);
    ASSERT_TRUE(fewer && fewer->limit.empty());
    EXPECT_EQ(fewer->exhaustive.holds, all->exhaustive.holds);
    EXPECT_EQ(fewer->safe.holds, all->safe.holds);
    EXPECT_EQ(fewer->obi.holds, all->obi.holds);
    EXPECT_EQ(fewer->sibi.holds, all->sibi.holds);
    EXPECT_EQ(fewer->cibi.holds, all->cibi.holds);
    EXPECT_EQ(fewer->safeAnyBound.holds, all->safeAnyBound.holds);
    const bool allHold = all->compatible() && all->obi.holds && all->sibi.holds;
    EXPECT_TRUE(fewer->reduced || !allHold) << all->states << " states";
    EXPECT_LE(fewer->states, all->states);
    holds += allHold;
    smaller += allHold && fewer->states < all->states;
    broken += !allHold;
    if (HasFailure())
      return;
  }
  std::printf("k-MC with fewer orders: %u hold, %u of them smaller, %u not\n",
              holds, smaller, broken);
  EXPECT_GT(smaller, 100u);
  EXPECT_GT(broken, 100u);
}

// If r has sent y before p can receive x, the order in which p could have
// received the other way is not seen: r and p have to be looked at together.
TEST(Compatibility, SendsToWhoHearsTwo) {
  Read read(parseCp, "peer r { initial 0 0 -> 1 : p!u 1 -> 2 : p!y }\n"
                     "peer p { initial 0 0 -> 1 : s!start 0 -> 1 : s!other\n"
                     "  1 -> 2 : q?x 1 -> 9 : r?y 2 -> 4 : r?u 4 -> 5 : r?y }\n"
                     "peer q { initial 0 0 -> 1 : s?go 1 -> 2 : p!x }\n"
                     "peer s { initial 0 0 -> 1 : p?start 0 -> 1 : p?other\n"
                     "  1 -> 2 : q!go }\n");
  ASSERT_TRUE(read.ok) << read.diagnostics();
  for (uint64_t reduceFrom : {uint64_t(0), UINT64_MAX}) {
    TestDiagnostics diags;
    std::optional<Kmc> kmc =
        checkKmc(read.module, 2, Limits(), diags.engine, reduceFrom);
    ASSERT_TRUE(kmc && kmc->limit.empty()) << diags.text();
    EXPECT_TRUE(kmc->compatible());
    EXPECT_TRUE(kmc->csa.holds);
    EXPECT_FALSE(kmc->sibi.holds);
  }
}

TEST(Compatibility, AgreesWithTheDefinitions) {
  std::mt19937 random(11);
  unsigned compared = 0, compatible = 0, proved = 0, unsafe = 0, chained = 0,
           notIndependent = 0;
  Generated models("sets of peers with k-bounded queues", 12000);
  for (unsigned seed = 0; seed < models.wanted(); ++seed) {
    Module module = randomPeers(random, seed);
    PlainPeers plain(module);
    unsigned k = 1 + seed % 3 / 2;
    Naive naive(plain, k);
    if (naive.all.size() > 60)
      continue;
    ++compared;
    models.count();
    SCOPED_TRACE("seed " + std::to_string(seed));
    TestDiagnostics diags;
    if (!module.systems.empty() && module.systems.size() < 2)
      continue;
    std::optional<Kmc> kmc = checkKmc(module, k, Limits(), diags.engine);
    if (!kmc) { // a partner that is not there
      EXPECT_FALSE(diags.text().empty());
      continue;
    }
    ASSERT_TRUE(kmc->limit.empty()) << kmc->limit;
    EXPECT_EQ(kmc->exhaustive.holds, naive.exhaustive());
    EXPECT_EQ(kmc->safe.holds, naive.safe());
    EXPECT_EQ(kmc->obi.holds, naive.outputs());
    EXPECT_EQ(kmc->sibi.holds, naive.inputs(false));
    EXPECT_EQ(kmc->cibi.holds, naive.inputs(true));
    compatible += kmc->compatible();
    chained += kmc->cibi.holds && !kmc->sibi.holds;
    notIndependent += kmc->compatible() && !kmc->independent();
    // What each implies.
    EXPECT_TRUE(!kmc->directed.holds || (kmc->obi.holds && kmc->sibi.holds));
    EXPECT_TRUE(!kmc->sibi.holds || kmc->cibi.holds);
    bool always = kmc->compatible() && kmc->independent();
    EXPECT_FALSE(always && !kmc->safeAnyBound.holds);
    if (always || !kmc->safeAnyBound.holds) {
      // Safe for larger bounds, or for none.
      Naive larger(plain, k + 2);
      if (larger.all.size() < 400) {
        (always ? proved : unsafe)++;
        EXPECT_EQ(larger.safe(), always);
      }
    }
  }
  EXPECT_GT(compared, 8000u);
  EXPECT_GT(compatible, 300u);
  EXPECT_GT(proved, 300u);
  EXPECT_GT(unsafe, 300u);
  EXPECT_GT(notIndependent, 0u);
  EXPECT_GT(chained, 0u);
}
