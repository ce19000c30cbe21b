//===- ParallelOrderTest.cpp - Parallel branches and their peers ----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Terms with parallel branches that are proved implementable, against all runs
/// of their projections under every network: each run must be the beginning of
/// a trace for all participants together, and must be able to end as the trace
/// does.
///
//===----------------------------------------------------------------------===//

#include "cif/Calculus/ParallelOrder.h"
#include "Generated.h"
#include "IocPromise.h"
#include "Protocols.h"
#include "SendTraces.h"
#include "cif/Check/Peers/ConnectedProof.h"
#include "cif/Check/Peers/Implementability.h"

using namespace cif;
using namespace cif::test;

namespace {

constexpr NetworkKind allNetworks[] = {
#define CIF_NETWORK(NAME, WORD, TEXT, ORDER, PROPERTIES) NetworkKind::NAME,
#include "cif/Semantics/Networks.def"
};

/// A choreography and its peers, under one network.
class Runs {
public:
  Runs(const Lts &of, NetworkKind on)
      : global(of), peers(peersOf(of)), network(on), naive(peers, on) {
    for (const Label &label : global.labels) {
      unsigned m = 0;
      while (m < naive.messages.size() && !(labelOf(m) == label))
        ++m;
      message.push_back(m);
    }
  }
  /// Why the peers do not implement the choreography, looking at \p most states
  /// with their histories; empty: nothing was found.
  std::string whyNot(size_t most) const;

private:
  /// What each participant did: twice the message, and one if it was sent.
  using History = std::vector<std::vector<unsigned>>;

  Label labelOf(unsigned number) const {
    const NaivePeers::Message &m = naive.messages[number];
    return {LabelKind::Exchange, nameOf(m.sender), nameOf(m.receiver), m.name};
  }
  std::string nameOf(unsigned peer) const {
    return peers.text(peers.systems[peer].name).str();
  }
  bool isBeginning(const History &history, bool whole) const;
  void add(History &to, unsigned number, bool sends) const {
    const NaivePeers::Message &m = naive.messages[number];
    to[sends ? m.sender : m.receiver].push_back(2 * number + sends);
  }

  const Lts &global;
  Module peers;
  NetworkKind network;
  NaivePeers naive;
  std::vector<unsigned> message; ///< of each label of the choreography
};

/// Whether a trace of the choreography goes on from \p history, or \p whole,
/// ends there, in the eyes of each participant.
bool Runs::isBeginning(const History &history, bool whole) const {
  using At = std::pair<StateIndex, std::vector<size_t>>;
  std::set<At> seen{{global.initial, std::vector<size_t>(history.size())}};
  std::vector<At> work(seen.begin(), seen.end());
  while (!work.empty()) {
    const At at = work.back();
    work.pop_back();
    bool all = true;
    for (size_t who = 0; who < history.size(); ++who)
      all &= at.second[who] == history[who].size();
    if (all && (!whole || global.isFinal(at.first)))
      return true;
    for (uint32_t t = global.rowBegin[at.first];
         t < global.rowBegin[at.first + 1]; ++t) {
      At next{global.target[t], at.second};
      bool fits = true;
      if (global.label[t] != tauLabel)
        for (bool sends : {true, false}) {
          unsigned number = message[global.label[t]];
          const NaivePeers::Message &m = naive.messages[number];
          const unsigned who = sends ? m.sender : m.receiver;
          size_t &done = next.second[who];
          fits &= done < history[who].size()
                      ? history[who][done++] == 2 * number + sends
                      : !whole;
        }
      if (fits && seen.insert(next).second)
        work.push_back(next);
    }
  }
  return false;
}

std::string Runs::whyNot(size_t most) const {
  using At = std::pair<NaivePeers::State, History>;
  std::set<At> seen{{naive.initial(), History(naive.peers.size())}};
  std::set<History> known;
  std::deque<At> work(seen.begin(), seen.end());
  for (; !work.empty() && seen.size() < most; work.pop_front()) {
    const auto &[state, history] = work.front();
    bool stuck = true;
    naive.successors(
        state, [&](const NaivePeers::State &next, int number, bool) {
          stuck = false;
          At to{next, history};
          size_t taken = 0;
          if (number >= 0) {
            add(to.second, number, true);
            if (network == NetworkKind::Sync)
              add(to.second, number, false);
          } else {
            while (taken < next.transit.size() &&
                   next.transit[taken].message == state.transit[taken].message)
              ++taken;
            add(to.second, state.transit[taken].message, false);
          }
          if (seen.insert(to).second)
            work.push_back(std::move(to));
        });
    const bool over = naive.allDone(state) && state.transit.empty();
    std::string text;
    for (size_t who = 0; who < history.size(); ++who)
      for (unsigned event : history[who])
        text += "\n" + nameOf(static_cast<unsigned>(who)) +
                (event % 2 ? " sends " : " receives ") +
                labelForPeople(labelOf(event / 2));
    if (stuck && !over)
      return "stuck after" + text;
    if (over && !isBeginning(history, true))
      return "over after" + text;
    if (known.insert(history).second && !isBeginning(history, false))
      return "no trace has" + text;
  }
  return "";
}

/// What all runs of the projection of \p global say.
Verdict byAllRuns(const Lts &global, NetworkKind network) {
  const Implementability answer =
      checkImplementability(global, Limits(), network);
  SourceManager sources;
  DiagnosticCollector said;
  DiagnosticEngine diags(sources, said);
  return answer.words
             ? runProjection(*answer.words, network, Limits(), diags).verdict
             : Verdict::Inconclusive;
}

/// Branches of a few steps, mostly by who received last, with something before
/// or after them. Few participants are in several branches.
class RandomParallel {
public:
  explicit RandomParallel(unsigned seed) : random(seed) {}

  /// \p again: any number of times, as the first of them decides.
  std::string make(bool again) {
    names = 0;
    roles = 3 + below(4);
    uint32_t hub = below(roles), end = below(roles), at = hub;
    std::string text = below(3) ? "" : walk(at, 1 + below(2), hub) + " ; ";
    text += "( ";
    for (uint32_t n = 2 + below(2), i = 0; i < n; ++i) {
      at = below(8) ? hub : below(roles);
      text += (i ? " || " : "") + walk(at, 1 + below(3), end);
    }
    at = end;
    text += " )";
    if (again) {
      text += at == hub ? "" : " ; " + step(at, hub);
      return "loop { " + text + " } ; " + step(hub, (hub + 1) % roles);
    }
    return below(2) ? text : text + " ; " + walk(at, 1 + below(2), end);
  }

private:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random() % n); }

  std::string step(uint32_t from, uint32_t to) {
    uint32_t name = below(10) ? names++ : below(names + 1);
    return "r" + std::to_string(from) + " -> r" + std::to_string(to) + " : o" +
           std::to_string(name);
  }
  std::string walk(uint32_t &at, uint32_t length, uint32_t last) {
    std::string text;
    for (uint32_t i = 0; i < length; ++i) {
      uint32_t to = (at + 1 + below(roles - 1)) % roles;
      if (i + 1 == length && at != last && below(4))
        to = last;
      if (i)
        text += " ; ";
      uint32_t kind = below(12);
      if (kind == 0)
        text += "( " + step(at, to) + " + " + step(at, to) + " )";
      else if (kind == 1)
        text += "( " + step(at, to) + " ; " + step(to, at) + " || " +
                step(at, to) + " )";
      else if (kind == 2)
        text += "loop { " + step(at, to) + " ; " + step(to, at) + " } ; " +
                step(at, to);
      else
        text += step(at, to);
      at = below(8) ? to : at;
    }
    return text;
  }

  std::mt19937 random;
  uint32_t roles = 0, names = 0;
};

/// Makes each loop of \p b one that is left after a round, as most are drawn:
/// the join leads into the loop, its end to the choice, and that to the join.
void leaveAfterARound(Behaviour &b) {
  const std::vector<Flow> before = b.flows;
  auto isAt = [&](NodeId n, NodeKind kind) { return b.node(n).kind == kind; };
  for (size_t in = 0; in < before.size(); ++in) {
    const NodeId join = before[in].source, choice = before[in].target;
    if (!isAt(join, NodeKind::SimpleJoin) ||
        !isAt(choice, NodeKind::EventChoice))
      continue;
    size_t begin = in, end = in;
    for (size_t f = before.size(); f-- > 0;) {
      if (before[f].source == choice)
        begin = f; // the first of two, which leads into the loop
      if (before[f].target == join && end == in)
        end = f; // the last of two, which comes back
    }
    b.flows[in].target = b.flows[begin].target;
    b.flows[end].target = choice;
    b.flows[begin].target = join;
  }
}

} // namespace

TEST(ParallelOrder, PeersImplementWhatIsProved) {
  Generated models("parallel branches that are implementable", 60);
  size_t wanted = models.wanted(), found = 0, tries = 0, refuted = 0,
         proofs[std::size(allNetworks)] = {}, answers[3] = {}, drawnLoops = 0;
  RandomParallel random(1901);
  for (; found < wanted && tries < 300 * wanted; ++tries) {
    const bool drawn = tries % 3 == 0;
    std::string text = random.make(drawn);
    Read read(parseIoc, "choreography C { " + text + " }");
    ASSERT_TRUE(read.ok) << text << read.diagnostics();
    if (drawn)
      leaveAfterARound(read.module.behaviours[0]);
    std::optional<Lts> global = smallLts(read.module, {false, 0});
    if (!global)
      continue;
    bool any = false;
    for (NetworkKind network : allNetworks) {
      HealthProof proof =
          proveHealthy(read.module, {false, 0}, network, Limits());
      if (!proof.implementable && tries % 8 == 0) {
        const Runs runs(*global, network);
        const bool isWrong = !runs.whyNot(300).empty();
        refuted += proof.healthy && isWrong;
        const Verdict verdict = byAllRuns(*global, network);
        ++answers[static_cast<unsigned>(verdict)];
        EXPECT_TRUE(verdict != Verdict::Holds || !isWrong)
            << networkText(network).str() << ": " << text;
        EXPECT_TRUE(verdict != Verdict::Violated || isWrong ||
                    !runs.whyNot(20000).empty())
            << networkText(network).str() << ": " << text;
      }
      if (!proof.implementable)
        continue;
      const bool exchanges =
          network == NetworkKind::Sync || network == NetworkKind::Rsc;
      any |= !exchanges;
      if (exchanges && tries % 8)
        continue; // these are many, and always proved
      ++proofs[static_cast<unsigned>(network)];
      ASSERT_EQ(Runs(*global, network).whyNot(500), "")
          << networkText(network).str() << ": " << text;
    }
    found += any;
    drawnLoops += any && drawn;
    if (any)
      models.count();
  }
  std::printf("parallel branches: %zu of %zu, proved", found, tries);
  for (NetworkKind network : allNetworks)
    std::printf(" %s %zu", networkText(network).str().c_str(),
                proofs[static_cast<unsigned>(network)]);
  std::printf("; %zu drawn loops; %zu others are refuted\n", drawnLoops,
              refuted);
  EXPECT_GT(drawnLoops, 5u);
  EXPECT_EQ(found, wanted);
  EXPECT_GT(refuted, 10u);
  EXPECT_GT(answers[static_cast<unsigned>(Verdict::Holds)], 10u);
  EXPECT_GT(answers[static_cast<unsigned>(Verdict::Violated)], 10u);
}

// Participants of one name are one peer.
TEST(ParallelOrder, NamesArePeers) {
  Read read(parseIoc, "choreography C { p -> c : x ; p -> d : u || "
                      "q -> d2 : v ; q -> c2 : y }");
  ASSERT_TRUE(read.ok) << read.diagnostics();
  auto isProved = [&] {
    return proveHealthy(read.module, {false, 0}, NetworkKind::FifoPair,
                        Limits())
        .implementable;
  };
  EXPECT_TRUE(isProved());
  for (Participant &p : read.module.participants)
    p.name = read.module.intern(read.module.text(p.name).str().substr(0, 1));
  EXPECT_FALSE(isProved());
}

// A limit means no proof.
TEST(ParallelOrder, StopsAtALimit) {
  Read read(parseIoc, "choreography C { a -> b : x || c -> b : y }");
  ASSERT_TRUE(read.ok) << read.diagnostics();
  OperationNumbers operations;
  std::optional<Term> term =
      recoverTerm(read.module, read.module.behaviours[0], operations);
  ASSERT_TRUE(term);
  Limits limits;
  Budget enough(limits);
  EXPECT_TRUE(hasOrderOfExchanges(*term, /*inOrderOfSending=*/false, enough));
  interrupted = true;
  Budget none(limits);
  while (!none.spend(1 << 20))
    ;
  EXPECT_FALSE(hasOrderOfExchanges(*term, /*inOrderOfSending=*/false, none));
  interrupted = false;
}

// Wherever it is met: c and d are in a circle, and f is not.
TEST(ParallelOrder, StopsAnywhere) {
  Read read(parseIoc,
            "choreography C { ( p -> c : x ; p -> d : u ) || "
            "( q -> d : v ; q -> c : y ) || e -> f : w || g -> f : z }");
  ASSERT_TRUE(read.ok) << read.diagnostics();
  OperationNumbers operations;
  std::optional<Term> term =
      recoverTerm(read.module, read.module.behaviours[0], operations);
  ASSERT_TRUE(term);
  // What may be spent between two looks at the limits.
  Limits limits;
  Budget all(limits);
  ASSERT_FALSE(all.spend());
  interrupted = true;
  uint64_t most = 0;
  while (!all.spend())
    ++most;
  unsigned stopped = 0;
  for (uint64_t left = 0; left < 100; ++left) {
    interrupted = false;
    Budget some(limits);
    ASSERT_FALSE(some.spend());
    ASSERT_FALSE(some.spend(most - left));
    interrupted = true;
    EXPECT_FALSE(hasOrderOfExchanges(*term, /*inOrderOfSending=*/false, some));
    stopped += some.stopped();
  }
  interrupted = false;
  EXPECT_GT(stopped, 20u);
  EXPECT_LT(stopped, 100u);
}
