//===- StgNetworkTest.cpp - Symbolic conformance over networks ------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Two processes that exchange numbers over a network, against a second, naive
/// implementation: everything is run with each number in {0, ..., 3}, and the
/// two LTSs are compared by branching bisimulation. Choices are settled by the
/// data, so that choosing an answer before or after the value is known makes no
/// difference.
///
//===----------------------------------------------------------------------===//

#include "TextFrontEndTest.h"
#include "cif/Check/Conformance/SymbolicReplay.h"
#include "cif/Equivalence/Compare.h"
#include "cif/LTS/LtsBuilder.h"
#include "cif/Symbolic/Conformance.h"
#include <array>
#include <gtest/gtest.h>
#include <random>

using namespace cif;
using namespace cif::test;

namespace {

/// A message, or a choice by a variable.
struct Item {
  bool isChoice = false;
  int sender = 0, name = 0; ///< name 0 carries nothing
  int variable = 0;
  bool binds = false;
  int limit = 0;
  std::vector<Item> below, above;
};
using Items = std::vector<Item>;
using Values = std::array<int, 2>;

class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}

  Items whole() {
    Items all;
    for (int v : {0, 1}) {
      Item first;
      first.sender = pick(2);
      first.name = 1 + pick(2);
      first.variable = v;
      first.binds = true;
      all.push_back(first);
    }
    for (Item &item : items(3, 1))
      all.push_back(std::move(item));
    return all;
  }
  /// With one thing changed, or none.
  Items variant(Items items) {
    size_t at = random() % items.size();
    switch (pick(4)) {
    case 0: // two messages the other way round
      if (at + 1 < items.size() && !items[at].isChoice &&
          !items[at + 1].isChoice && items[at].sender == items[at + 1].sender)
        std::swap(items[at], items[at + 1]);
      break;
    case 1:
      for (Item &item : items)
        if (item.isChoice)
          item.limit = 1 + pick(2);
      break;
    default:
      break;
    }
    return items;
  }

private:
  int pick(int n) { return int(random() % unsigned(n)); }
  Items items(int most, int depth) {
    Items all;
    for (int i = 1 + pick(most); i > 0; --i) {
      Item item;
      item.sender = pick(2);
      item.name = pick(3);
      item.variable = pick(2);
      item.binds = pick(2);
      if (depth && pick(2)) {
        item.isChoice = true;
        item.limit = 1 + pick(2);
        item.below = items(2, depth - 1);
        item.above = items(2, depth - 1);
        int who = pick(2); // who decides sends first
        item.below[0].sender = item.above[0].sender = who;
      }
      all.push_back(std::move(item));
    }
    return all;
  }
  std::mt19937 random;
};

std::string payload(const Item &item, bool binds) {
  std::string name = item.variable ? "y" : "x";
  return !item.name ? "" : "(" + name + (binds ? ": int)" : ")");
}

/// The choreography (role -1), or one of the processes.
std::string text(const Items &items, int role) {
  std::string result;
  for (const Item &item : items) {
    result += result.empty() ? "" : " ; ";
    std::string name = item.variable ? "y" : "x";
    if (item.isChoice) {
      std::string limit = std::to_string(item.limit);
      result += "( [" + name + " < " + limit + "] => ( " +
                text(item.below, role) + " ) + [" + name + " >= " + limit +
                "] => ( " + text(item.above, role) + " ) )";
      continue;
    }
    std::string message = "m" + std::to_string(item.name);
    if (role < 0)
      result += std::string(item.sender ? "b -> a : " : "a -> b : ") + message +
                payload(item, item.binds);
    else if (item.sender == role)
      result +=
          std::string(role ? "a!" : "b!") + message + payload(item, item.binds);
    else
      result += std::string(role ? "a?" : "b?") + message + payload(item, true);
  }
  return result;
}

/// What is left for one, and what it has seen.
struct Local {
  Items left;
  Values values{0, 0};
  void decide() {
    while (!left.empty() && left[0].isChoice) {
      Item choice = left[0];
      left.erase(left.begin());
      const Items &taken =
          values[choice.variable] < choice.limit ? choice.below : choice.above;
      left.insert(left.begin(), taken.begin(), taken.end());
    }
  }
  std::string key() const {
    return text(left, 0) + text(left, 1) + "@" + std::to_string(values[0]) +
           std::to_string(values[1]);
  }
};

struct Sent {
  int sender, name, value;
};

/// Value by value.
class Naive {
public:
  Naive(StgNetwork network) : network(network) {}

  Lts choreography(const Items &items) {
    return run({{items}, {}, {}, /*isWhole=*/true});
  }
  Lts system(const Items &a, const Items &b) {
    return run({{a}, {b}, {}, /*isWhole=*/false});
  }

private:
  struct State {
    Local a, b;
    std::vector<Sent> transit;
    bool isWhole = false, isOver = false;
  };

  size_t state(State s) {
    s.a.decide();
    s.b.decide();
    std::string key = s.a.key() + "|" + s.b.key() + (s.isOver ? "!" : "");
    for (const Sent &m : s.transit)
      key += " " + std::to_string(m.sender) + std::to_string(m.name) +
             std::to_string(m.value);
    auto [at, isNew] = numbers.try_emplace(key, states.size());
    if (isNew)
      states.push_back(std::move(s));
    return at->second;
  }
  Lts run(State first) {
    LtsBuilder built;
    numbers.clear();
    states.clear();
    state(std::move(first));
    for (size_t i = 0; i < states.size(); ++i) {
      const State now = states[i];
      auto add = [&](const Label &label, State next) {
        size_t to = state(std::move(next));
        built.add(static_cast<StateIndex>(i), built.labels.intern(label),
                  static_cast<StateIndex>(to));
      };
      if (now.isOver)
        continue;
      step(now, add);
    }
    return std::move(built).finish(0, states.size());
  }
  template <class Add>
  void step(const State &now, Add add) {
    if (now.a.left.empty() && now.b.left.empty() && now.transit.empty()) {
      State over = now;
      over.isOver = true;
      add(Label::plain("done"), over);
    }
    for (int role : {0, 1}) {
      const Local &own = role ? now.b : now.a;
      if (own.left.empty() || (now.isWhole && role))
        continue;
      const Item item = own.left[0];
      if (now.isWhole || item.sender == role)
        send(now, role, item, add);
      else
        receive(now, role, item, add);
    }
  }
  template <class Add>
  void send(const State &now, int role, const Item &item, Add add) {
    if (!now.isWhole && !hasRoom(now, item))
      return;
    for (int v = 0; v < 4; ++v) {
      State next = now;
      Local &own = role ? next.b : next.a;
      if (item.name && !item.binds && v != own.values[item.variable])
        continue;
      if (!item.name && v)
        continue;
      if (item.name)
        own.values[item.variable] = v;
      own.left.erase(own.left.begin());
      if (!now.isWhole)
        next.transit.push_back({item.sender, item.name, v});
      add(Label::plain((item.sender ? "b" : "a") + std::to_string(item.name) +
                       "_" + std::to_string(v)),
          next);
    }
  }
  bool hasRoom(const State &now, const Item &item) const {
    if (network.kind == StgNetwork::One)
      return now.transit.empty();
    size_t count = 0;
    for (const Sent &m : now.transit)
      count += network.kind == StgNetwork::All ||
               (m.sender == item.sender &&
                (network.kind != StgNetwork::Bag || m.name == item.name));
    return count < network.bound;
  }
  template <class Add>
  void receive(const State &now, int role, const Item &item, Add add) {
    for (size_t i = 0; i < now.transit.size(); ++i) {
      const Sent m = now.transit[i];
      if (network.kind == StgNetwork::All && i)
        break;
      if (m.sender == role)
        continue;
      if (m.name == item.name) {
        State next = now;
        Local &own = role ? next.b : next.a;
        if (item.name)
          own.values[item.variable] = m.value;
        own.left.erase(own.left.begin());
        next.transit.erase(next.transit.begin() + static_cast<ptrdiff_t>(i));
        add(Label::tau(), next);
      }
      if (network.kind != StgNetwork::Bag)
        break; // only the first of the queue
    }
  }

  StgNetwork network;
  std::map<std::string, size_t> numbers;
  std::vector<State> states;
};

std::optional<Verdict> symbolic(const std::string &system,
                                const std::string &choreography,
                                const StgNetwork &network, bool &replays) {
  Read left(parseIoc, system), right(parseIoc, choreography);
  EXPECT_TRUE(left.ok && right.ok) << left.diagnostics() << right.diagnostics();
  FormulaPool pool;
  std::string why;
  std::unique_ptr<Solver> solver = makeSolver(pool, 10, Limits(), why);
  std::vector<OpenCondition> open;
  auto graphs = buildComparison(left.module, right.module, pool, *solver,
                                Limits(), left.engine, open, network);
  if (!graphs)
    return std::nullopt;
  SymbolicOptions options;
  options.integers = {0, 3};
  Pes pes(graphs->implementation, graphs->choreography, pool, options.integers);
  EXPECT_EQ(pes.build(Limits()), "");
  PesSolution solution = solvePes(pes, *solver, options);
  SymbolicVerdict verdict =
      decideConformance(pes, solution, *solver, graphs->constants);
  static const std::map<StgNetwork::Kind, NetworkKind> kinds{
      {StgNetwork::Bag, NetworkKind::Bag},
      {StgNetwork::Pair, NetworkKind::FifoPair},
      {StgNetwork::All, NetworkKind::FifoAll},
      {StgNetwork::One, NetworkKind::Rsc}};
  replays = verdict.parting && replayParting(pes, *verdict.parting) &&
            replaysExplicitly(&left.module, right.module,
                              kinds.at(network.kind), network.bound, pes,
                              *verdict.parting, {}, Limits());
  return verdict.verdict;
}

} // namespace

// The number for each network can be raised by CIF_SYMBOLIC_TERMS.
TEST(StgNetwork, AsValueByValue) {
  FormulaPool pool;
  std::string why;
  if (!makeSolver(pool, 1, Limits(), why))
    GTEST_SKIP();
  const char *more = getenv("CIF_SYMBOLIC_TERMS");
  unsigned holds = 0, violated = 0, open = 0;
  for (StgNetwork::Kind kind :
       {StgNetwork::Bag, StgNetwork::Pair, StgNetwork::All, StgNetwork::One}) {
    StgNetwork network;
    network.kind = kind;
    network.bound = 2;
    for (unsigned seed = 0; seed < unsigned(more ? atoi(more) : 8); ++seed) {
      Generator generator(seed);
      Items spec = generator.whole();
      Items a = generator.variant(spec), b = generator.variant(spec);
      std::string system = "system S { role a { " + text(a, 0) +
                           " } role b { " + text(b, 1) + " } }";
      std::string choreography = "choreography C { " + text(spec, -1) + " }";
      Naive naive(network);
      Lts left = naive.system(a, b), right = naive.choreography(spec);
      Verdict expected = compare(left, right, Relation::Branching).verdict;
      bool replays = false;
      auto found = symbolic(system, choreography, network, replays);
      ASSERT_TRUE(found.has_value()) << system << choreography;
      if (*found == Verdict::Inconclusive) { // the solver had no answer
        std::printf("inconclusive: network %d, seed %u\n", kind, seed);
        ++open;
        continue;
      }
      EXPECT_EQ(verdictText(*found).str(), verdictText(expected).str())
          << "network " << kind << ", seed " << seed << "\n"
          << system << "\n"
          << choreography;
      EXPECT_TRUE(*found != Verdict::Violated || replays) << system << "\n"
                                                          << choreography;
      (expected == Verdict::Holds ? holds : violated) += 1;
    }
  }
  RecordProperty("holds", static_cast<int>(holds));
  RecordProperty("violated", static_cast<int>(violated));
  RecordProperty("inconclusive", static_cast<int>(open));
  EXPECT_GT(holds, 3u);
  EXPECT_GT(violated, 3u);
  EXPECT_LE(open, (holds + violated) / 100); // one of a hundred at most
}

// A process need not say who is at the other end of a message.
TEST(StgNetwork, PartnersThatAreNotNamed) {
  FormulaPool pool;
  auto one = [&](StgAction action, StgLabel label) {
    StgTransition t;
    t.to = 1;
    t.guard = pool.truth(true);
    t.action = action;
    t.label = std::move(label);
    Stg stg;
    stg.transitions.push_back(std::move(t));
    stg.finish(pool, 2);
    return stg;
  };
  auto meet = [&](StgLabel sent, StgLabel received) {
    Stg parts[] = {one(StgAction::Send, std::move(sent)),
                   one(StgAction::Receive, std::move(received))};
    Outcome<Stg> whole = product(parts, pool, Limits());
    return whole && whole->transitions.size() == 1 &&
           whole->transitions[0].label.sender == "a" &&
           whole->transitions[0].label.receiver == "b";
  };
  EXPECT_TRUE(meet({"a", "b", "m"}, {"a", "b", "m"}));
  EXPECT_TRUE(meet({"a", "", "m"}, {"a", "b", "m"}));
  EXPECT_TRUE(meet({"a", "b", "m"}, {"", "b", "m"}));
  EXPECT_TRUE(meet({"a", "", "m"}, {"", "b", "m"}));
  EXPECT_FALSE(meet({"a", "c", "m"}, {"a", "b", "m"}));
  EXPECT_FALSE(meet({"a", "b", "m"}, {"c", "b", "m"}));
  EXPECT_FALSE(meet({"a", "b", "m"}, {"a", "b", "n"}));
}
