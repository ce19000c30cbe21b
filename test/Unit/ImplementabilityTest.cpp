//===- ImplementabilityTest.cpp - Against whole exploration ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Generated protocols whose implementation, by subsets of states, is run with
/// queues for each pair in all ways. Executions are compared by what each
/// participant does, so that independent steps may be in any order.
///
//===----------------------------------------------------------------------===//

#include "cif/Check/Peers/Implementability.h"
#include "Generated.h"
#include "cif/LTS/LtsBuilder.h"
#include <cstdlib>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace cif;

namespace {
struct Transition {
  unsigned from, sender, receiver, message, to;
};
struct Protocol {
  unsigned states, participants;
  std::vector<Transition> transitions;
  std::set<unsigned> finals; ///< beside those that nothing leaves

  bool isEnd(unsigned s) const {
    return finals.count(s) ||
           std::none_of(transitions.begin(), transitions.end(),
                        [&](const Transition &t) { return t.from == s; });
  }
};

std::string name(unsigned p) { return "p" + std::to_string(p); }

/// Deterministic; without loops unless \p loops. Each choice is by one sender,
/// unless \p several, and only what nothing leaves is an end, unless
/// \p mayEnd.
Protocol randomProtocol(std::mt19937 &random, bool loops, bool several = false,
                        bool mayEnd = false) {
  auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  Protocol p;
  p.participants = 2 + below(3);
  p.states = 3 + below(5);
  std::vector<unsigned> sender(p.states);
  for (unsigned &s : sender)
    s = below(p.participants);
  auto add = [&](unsigned from, unsigned to) {
    unsigned who =
        several && below(3) == 0 ? below(p.participants) : sender[from];
    Transition t{from, who, 0, below(2), to};
    t.receiver = (t.sender + 1 + below(p.participants - 1)) % p.participants;
    for (const Transition &other : p.transitions)
      if (other.from == from && other.sender == t.sender &&
          other.receiver == t.receiver && other.message == t.message)
        return;
    p.transitions.push_back(t);
  };
  for (unsigned s = 1; s < p.states; ++s)
    add(below(s), s);
  for (unsigned i = 1 + below(4); i > 0; --i) {
    unsigned from = below(p.states - 1);
    if (!p.isEnd(from))
      add(from,
          loops ? below(p.states) : from + 1 + below(p.states - 1 - from));
  }
  for (unsigned s = 0; s < p.states && mayEnd; ++s)
    if (below(3) == 0)
      p.finals.insert(s);
  return p;
}

/// The same with parallel branches: two protocols without common messages, of
/// which each may go on at any time, interleaved.
Protocol interleaved(const Protocol &a, const Protocol &b) {
  Protocol both;
  both.states = a.states * b.states;
  both.participants = std::max(a.participants, b.participants);
  for (unsigned s = 0; s < a.states; ++s)
    for (unsigned t = 0; t < b.states; ++t) {
      for (Transition x : a.transitions)
        if (x.from == s) {
          x.from = s * b.states + t;
          x.to = x.to * b.states + t;
          both.transitions.push_back(x);
        }
      for (Transition x : b.transitions)
        if (x.from == t) {
          x.from = s * b.states + t;
          x.to = s * b.states + x.to;
          x.message += 2;
          both.transitions.push_back(x);
        }
      if (a.isEnd(s) && b.isEnd(t))
        both.finals.insert(s * b.states + t);
    }
  return both;
}

Lts ltsOf(const Protocol &p) {
  LtsBuilder builder;
  for (const Transition &t : p.transitions)
    builder.add(t.from,
                builder.labels.intern({LabelKind::Exchange, name(t.sender),
                                       name(t.receiver),
                                       "m" + std::to_string(t.message)}),
                t.to);
  Lts lts = std::move(builder).finish(0, p.states);
  if (!p.finals.empty()) {
    std::vector<uint64_t> bits((p.states + 63) / 64);
    for (unsigned s = 0; s < p.states; ++s)
      if (p.isEnd(s))
        bits[s / 64] |= uint64_t(1) << (s % 64);
    lts.finals = std::move(bits);
  }
  return lts;
}

struct Action {
  bool sends;
  unsigned partner, message;
  auto operator<=>(const Action &) const = default;
};
/// What each participant did.
using History = std::vector<std::vector<Action>>;

void take(History &history, const Transition &t) {
  history[t.sender].push_back({true, t.receiver, t.message});
  history[t.receiver].push_back({false, t.sender, t.message});
}

std::string textOf(const Protocol &p) {
  std::string text;
  for (const Transition &t : p.transitions)
    text += std::to_string(t.from) + " -> " + std::to_string(t.to) + " : " +
            name(t.sender) + " -> " + name(t.receiver) + " : m" +
            std::to_string(t.message) + "\n";
  for (unsigned s : p.finals)
    text += "final " + std::to_string(s) + "\n";
  return text;
}

/// The histories of all runs to an end.
std::set<History> completeRuns(const Protocol &p) {
  std::set<History> found;
  std::vector<std::pair<unsigned, History>> work{{0, History(p.participants)}};
  while (!work.empty()) {
    auto [s, history] = work.back();
    work.pop_back();
    if (p.isEnd(s))
      found.insert(history);
    for (const Transition &t : p.transitions)
      if (t.from == s) {
        History next = history;
        take(next, t);
        work.push_back({t.to, next});
      }
  }
  return found;
}

/// Whether some run is \p history or goes on from it; \p whole: it ends there.
bool isBeginning(const Protocol &p, const History &history,
                 bool whole = false) {
  using State = std::pair<unsigned, std::vector<size_t>>;
  std::set<State> seen{{0, std::vector<size_t>(p.participants, 0)}};
  std::deque<State> work(seen.begin(), seen.end());
  while (!work.empty()) {
    auto [s, done] = work.front();
    work.pop_front();
    bool all = true;
    for (unsigned i = 0; i < p.participants; ++i)
      all &= done[i] == history[i].size();
    if (all && (!whole || p.isEnd(s)))
      return true;
    for (const Transition &t : p.transitions) {
      if (t.from != s || (all && whole))
        continue;
      State next{t.to, done};
      auto fits = [&](unsigned who, Action action) {
        if (done[who] == history[who].size())
          return !whole;
        return history[who][next.second[who]++] == action;
      };
      if (fits(t.sender, {true, t.receiver, t.message}) &&
          fits(t.receiver, {false, t.sender, t.message}) &&
          seen.insert(next).second)
        work.push_back(next);
    }
  }
  return false;
}

/// The participants' states: sets of states of the protocol.
class Locals {
public:
  explicit Locals(const Protocol &of) : protocol(of) {}

  std::set<unsigned> close(unsigned who, std::set<unsigned> set) const {
    for (bool grew = true; grew;) {
      grew = false;
      for (const Transition &t : protocol.transitions)
        if (t.sender != who && t.receiver != who && set.count(t.from))
          grew |= set.insert(t.to).second;
    }
    return set;
  }
  std::map<Action, std::set<unsigned>>
  after(unsigned who, const std::set<unsigned> &set) const {
    std::map<Action, std::set<unsigned>> next;
    for (const Transition &t : protocol.transitions) {
      if (!set.count(t.from))
        continue;
      if (t.sender == who)
        next[{true, t.receiver, t.message}].insert(t.to);
      if (t.receiver == who)
        next[{false, t.sender, t.message}].insert(t.to);
    }
    for (auto &[action, to] : next)
      to = close(who, to);
    return next;
  }

private:
  const Protocol &protocol;
};

struct Sent {
  unsigned sender, receiver, message;
  auto operator<=>(const Sent &) const = default;
};
struct Configuration {
  std::vector<std::set<unsigned>> locals;
  /// By sender and receiver, where the network tells them apart.
  std::map<std::pair<unsigned, unsigned>, std::deque<Sent>> queues;
};

std::deque<Sent> &queueOf(Configuration &c, NetworkKind network,
                          const Sent &message) {
  bool bySender =
      network == NetworkKind::FifoPair || network == NetworkKind::Outbox;
  bool byReceiver = network == NetworkKind::FifoPair ||
                    network == NetworkKind::Inbox ||
                    network == NetworkKind::Bag;
  return c.queues[{bySender ? message.sender : 0,
                   byReceiver ? message.receiver : 0}];
}

/// Takes what \p action of \p who receives out of \p c; false: it cannot.
bool receive(Configuration &c, NetworkKind network, unsigned who,
             const Action &action) {
  Sent message{action.partner, who, action.message};
  std::deque<Sent> &queue = queueOf(c, network, message);
  auto found = std::find(queue.begin(), queue.end(), message);
  if (found == queue.end() ||
      (network != NetworkKind::Bag && found != queue.begin()))
    return false;
  queue.erase(found);
  if (network == NetworkKind::Bag)
    std::sort(queue.begin(), queue.end());
  return true;
}
bool send(Configuration &c, NetworkKind network, unsigned who,
          const Action &action) {
  Sent message{who, action.partner, action.message};
  std::deque<Sent> &queue = queueOf(c, network, message);
  if (network == NetworkKind::Rsc && !queue.empty())
    return false;
  queue.push_back(message);
  if (network == NetworkKind::Bag)
    std::sort(queue.begin(), queue.end());
  return true;
}

/// Runs the implementation in all ways, up to \p steps actions. Calls \p visit
/// with each history, whether it is final, and whether it is stuck; false: too
/// many, or visit ended it.
template <class Visit>
bool runAll(const Protocol &p, size_t steps, size_t atMost, Visit visit,
            NetworkKind network = NetworkKind::FifoPair) {
  Locals locals(p);
  // The order in an inbox is not in the history.
  std::map<std::pair<History, decltype(Configuration::queues)>, Configuration>
      now;
  Configuration &first = now[{History(p.participants), {}}];
  for (unsigned i = 0; i < p.participants; ++i)
    first.locals.push_back(locals.close(i, {0}));
  size_t seen = 0;
  for (size_t step = 0; step <= steps && !now.empty(); ++step) {
    decltype(now) next;
    for (const auto &[key, c] : now) {
      const History &history = key.first;
      if (++seen > atMost)
        return false;
      bool stuck = true;
      for (unsigned i = 0; i < p.participants; ++i)
        for (const auto &[action, to] : locals.after(i, c.locals[i])) {
          Configuration then = c;
          if (!(action.sends ? send : receive)(then, network, i, action))
            continue;
          stuck = false;
          then.locals[i] = to;
          History longer = history;
          longer[i].push_back(action);
          auto queues = then.queues;
          next.emplace(std::pair(std::move(longer), std::move(queues)),
                       std::move(then));
        }
      bool final = true;
      for (const std::set<unsigned> &set : c.locals)
        final &= std::any_of(set.begin(), set.end(),
                             [&](unsigned s) { return p.isEnd(s); });
      for (const auto &[pair, queue] : c.queues)
        final &= queue.empty();
      if (!visit(history, final, stuck))
        return false;
    }
    now = std::move(next);
  }
  return true;
}

/// What all runs of the projection say where the conditions say nothing.
Verdict byAllRuns(const Implementability &open, NetworkKind network) {
  SourceManager sources;
  DiagnosticCollector said;
  DiagnosticEngine diags(sources, said);
  return runProjection(*open.words, network, Limits(), diags).verdict;
}

/// Both runs are runs, the participant does the same in both.
void checkWitness(const Protocol &p, const Incoherence &found) {
  std::vector<std::string> words;
  for (const std::vector<Label> *run : {&found.first, &found.second}) {
    std::set<unsigned> at{0};
    std::string word;
    std::vector<Label> all = *run;
    if (run == &found.first)
      all.push_back(found.here);
    else if (found.kind != Coherence::Send && found.kind != Coherence::End)
      all.push_back(found.there);
    if (run == &found.second)
      all.insert(all.end(), found.meanwhile.begin(), found.meanwhile.end());
    for (size_t i = 0; i < all.size(); ++i) {
      std::set<unsigned> next;
      for (const Transition &t : p.transitions)
        if (at.count(t.from) && name(t.sender) == all[i].sender &&
            name(t.receiver) == all[i].receiver &&
            "m" + std::to_string(t.message) == all[i].message)
          next.insert(t.to);
      at = next;
      ASSERT_FALSE(at.empty()) << i;
      if (i < run->size() && (all[i].sender == found.participant ||
                              all[i].receiver == found.participant))
        word += labelText(all[i]) + " ";
    }
    words.push_back(word);
  }
  EXPECT_EQ(words[0], words[1]);
}
} // namespace

TEST(Implementability, AgreesWithWholeExploration) {
  test::Generated models("protocols with a whole exploration", 5000);
  const unsigned count = models.wanted();
  std::mt19937 random(2025);
  unsigned compared = 0, implementable = 0, kinds[3] = {};
  for (unsigned seed = 0; compared < count && seed < 2 * count; ++seed) {
    Protocol p = randomProtocol(random, false);
    std::set<History> runs = completeRuns(p);
    bool fits = true;
    bool whole =
        runAll(p, 100, 1500, [&](const History &h, bool final, bool stuck) {
          fits &= final ? runs.count(h) > 0 : !stuck;
          return fits;
        });
    if (!whole && fits)
      continue; // too many
    ++compared;
    models.count();
    SCOPED_TRACE("seed " + std::to_string(seed));
    Implementability result = checkImplementability(ltsOf(p), Limits());
    ASSERT_EQ(result.gap, "");
    ASSERT_EQ(result.limit, "");
    EXPECT_EQ(result.verdict, fits ? Verdict::Holds : Verdict::Violated);
    implementable += result.verdict == Verdict::Holds;
    if (result.incoherence) {
      ++kinds[static_cast<unsigned>(result.incoherence->kind)];
      checkWitness(p, *result.incoherence);
    }
  }
  EXPECT_EQ(compared, count);
  EXPECT_GT(implementable, count / 10);
  for (unsigned kind : kinds)
    EXPECT_GT(kind, 30u);
}

constexpr NetworkKind otherNetworks[] = {NetworkKind::Inbox, NetworkKind::Bag,
                                         NetworkKind::FifoAll, NetworkKind::Rsc,
                                         NetworkKind::Outbox};

/// Where other networks are decided from the answer for pairs.
TEST(Implementability, AgreesUnderOtherNetworks) {
  test::Generated models("protocols under other networks", 2000);
  const unsigned count = models.wanted();
  for (NetworkKind network : otherNetworks) {
    std::mt19937 random(2026);
    unsigned compared = 0, implementable = 0, refuted = 0, open = 0, fine = 0;
    for (unsigned seed = 0; compared < count && seed < 3 * count; ++seed) {
      Protocol p = randomProtocol(random, false);
      std::set<History> runs = completeRuns(p);
      bool fits = true;
      auto visit = [&](const History &h, bool final, bool stuck) {
        fits &= final ? runs.count(h) > 0 : !stuck;
        return fits;
      };
      if (!runAll(p, 100, 1500, visit, network) && fits)
        continue; // too many
      ++compared;
      models.count();
      SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + textOf(p));
      Implementability result = implementabilityUnder(
          network, checkImplementability(ltsOf(p), Limits(), network));
      ASSERT_EQ(result.limit, "");
      EXPECT_TRUE(result.verdict != Verdict::Holds || fits);
      EXPECT_TRUE(result.verdict != Verdict::Violated || !fits);
      implementable += result.verdict == Verdict::Holds;
      refuted += result.verdict == Verdict::Violated;
      open += result.verdict == Verdict::Inconclusive;
      fine += result.verdict == Verdict::Inconclusive && fits;
      if (result.verdict == Verdict::Inconclusive) {
        EXPECT_EQ(byAllRuns(result, network),
                  fits ? Verdict::Holds : Verdict::Violated);
      }
    }
    EXPECT_EQ(compared, count);
    EXPECT_GT(implementable, count / 20);
    EXPECT_GT(refuted, count / 20);
    // What is left open is mostly not implementable by its projection.
    EXPECT_LE(fine, open / 4 + 1)
        << implementable << " hold, " << open << " are open";
  }
}

/// Decides \p p by running the implementation; nothing: that takes too long.
static std::optional<bool>
decidedNaively(const Protocol &p, NetworkKind network = NetworkKind::FifoPair) {
  std::set<History> runs = completeRuns(p);
  bool fits = true;
  auto visit = [&](const History &h, bool final, bool stuck) {
    fits &= final ? runs.count(h) > 0 : !stuck && isBeginning(p, h);
    return fits;
  };
  bool whole = runAll(p, 100, 1500, visit, network);
  if (!whole && fits)
    return std::nullopt;
  return fits;
}

// May end or go on, several senders at once, and parallel branches: what is
// answered is right.
TEST(Implementability, AgreesBeyondTheClass) {
  test::Generated models("protocols that may end or have several senders",
                         3000);
  const unsigned count = models.wanted();
  std::mt19937 random(2026);
  unsigned compared = 0, open = 0, others = 0, holds[3] = {}, kinds[5] = {};
  for (unsigned seed = 0; compared < count && seed < 5 * count; ++seed) {
    const unsigned shape = seed % 3;
    Protocol p = randomProtocol(random, false, shape == 1, shape != 1);
    if (shape == 2) {
      Protocol q = randomProtocol(random, false, false, false);
      p = interleaved(p, q);
      if (p.states > 30)
        continue;
    }
    std::optional<bool> fits = decidedNaively(p);
    if (!fits)
      continue;
    ++compared;
    models.count();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + textOf(p));
    Implementability result = checkImplementability(ltsOf(p), Limits());
    ASSERT_EQ(result.limit, "");
    for (NetworkKind network : otherNetworks) {
      Implementability under = implementabilityUnder(
          network, checkImplementability(ltsOf(p), Limits(), network));
      Verdict verdict = under.verdict;
      others += verdict == Verdict::Holds;
      if (verdict == Verdict::Inconclusive)
        verdict = byAllRuns(under, network);
      ASSERT_NE(verdict, Verdict::Inconclusive);
      bool expected = verdict == Verdict::Holds;
      EXPECT_EQ(decidedNaively(p, network).value_or(expected), expected);
    }
    open += result.verdict == Verdict::Inconclusive;
    if (result.verdict == Verdict::Inconclusive) {
      EXPECT_EQ(byAllRuns(result, NetworkKind::FifoPair),
                *fits ? Verdict::Holds : Verdict::Violated);
      continue;
    }
    EXPECT_EQ(result.verdict, *fits ? Verdict::Holds : Verdict::Violated);
    holds[shape] += *fits;
    if (result.incoherence) {
      ++kinds[static_cast<unsigned>(result.incoherence->kind)];
      checkWitness(p, *result.incoherence);
    }
    if (HasFailure())
      return;
  }
  std::printf("%u compared, %u not decided, holds: %u may end, %u senders, %u "
              "parallel; flaws %u %u %u %u %u\n",
              compared, open, holds[0], holds[1], holds[2], kinds[0], kinds[1],
              kinds[2], kinds[3], kinds[4]);
  EXPECT_EQ(compared, count);
  EXPECT_GT(others, count / 20);
  for (unsigned number : holds)
    EXPECT_GT(number, 5u);
  for (unsigned number : kinds)
    EXPECT_GT(number, 5u);
}

TEST(Implementability, SilentStepsAndCopiesDoNotMatter) {
  std::mt19937 random(3);
  auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  unsigned violated = 0;
  test::Generated models("protocols with tau and nondeterminism", 1000);
  for (unsigned seed = 0; seed < models.wanted(); ++seed) {
    models.count();
    Protocol p = randomProtocol(random, seed % 2);
    // Each state three times over; transitions go to any copy, most of them
    // after a silent step.
    LtsBuilder builder;
    unsigned states = p.states * 3;
    for (const Transition &t : p.transitions) {
      LabelIndex label = builder.labels.intern(
          {LabelKind::Exchange, name(t.sender), name(t.receiver),
           "m" + std::to_string(t.message)});
      for (unsigned copy = 0; copy < 3; ++copy) {
        unsigned from = t.from * 3 + copy;
        for (unsigned ways = 1 + below(2); ways > 0; --ways) {
          if (below(3)) {
            builder.add(from, tauLabel, states);
            // The choice stays open: back again.
            builder.add(states, tauLabel, from);
            builder.add(states++, label, t.to * 3 + below(3));
          } else {
            builder.add(from, label, t.to * 3 + below(3));
          }
        }
      }
    }
    SCOPED_TRACE("seed " + std::to_string(seed));
    Implementability plain = checkImplementability(ltsOf(p), Limits());
    Implementability silent =
        checkImplementability(std::move(builder).finish(0, states), Limits());
    EXPECT_EQ(silent.verdict, plain.verdict);
    EXPECT_EQ(silent.gap, plain.gap);
    EXPECT_EQ(silent.states, plain.states);
    violated += plain.verdict == Verdict::Violated;
  }
  EXPECT_GT(violated, 100u);
}

TEST(Implementability, AgreesWithLongRunsOfLoops) {
  std::mt19937 random(7);
  unsigned holds = 0, violated = 0, shown = 0, others = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    Protocol p = randomProtocol(random, true, seed % 3 == 1, seed % 3 == 2);
    Implementability result = checkImplementability(ltsOf(p), Limits());
    if (!result.gap.empty())
      continue;
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + textOf(p));
    bool fits = true;
    auto visit = [&](const History &h, bool final, bool stuck) {
      fits &= (final || !stuck) && isBeginning(p, h) &&
              (!final || isBeginning(p, h, true));
      return fits;
    };
    runAll(p, 12, 1500, visit);
    if (result.verdict == Verdict::Holds) {
      ++holds;
      EXPECT_TRUE(fits);
      for (NetworkKind network : otherNetworks)
        if (checkImplementability(ltsOf(p), Limits(), network).keepsOrder) {
          ++others;
          runAll(p, 12, 1500, visit, network);
          EXPECT_TRUE(fits);
        }
    } else {
      ++violated;
      shown += !fits;
      checkWitness(p, *result.incoherence);
    }
  }
  EXPECT_GT(holds, 100u);
  EXPECT_GT(others, 50u);
  EXPECT_GT(violated, 100u);
  // Some need longer runs than these.
  EXPECT_GT(shown * 100, violated * 95);
}
