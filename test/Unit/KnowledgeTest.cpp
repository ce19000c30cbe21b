//===- KnowledgeTest.cpp - Who decides by which data ----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Realizability of guarded choreographies against a second, naive way to get
/// it: every number of a few is a message of its own, and a protocol without
/// data says which of them may follow which. Limits are 1 and 2, and there are
/// several numbers below and above, so that nobody can guess one.
///
//===----------------------------------------------------------------------===//

#include "TextFrontEndTest.h"
#include "cif/Check/Peers/PeerSets.h"
#include "cif/Check/Peers/Realizability.h"
#include <array>
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace cif;
using namespace cif::test;

namespace {

constexpr int lowest = -2, highest = 4;

/// What is left to do: a list of steps, and of choices between two lists.
struct Guarded {
  enum Kind { Bind, Pass, Plain, Choice } kind = Plain;
  int sender = 0, receiver = 1, number = 0; ///< `mN`
  int variable = 0;                         ///< x or y
  int limit = 0;                            ///< Choice: below it, or not
  std::vector<Guarded> below, above;
};
using Steps = std::vector<Guarded>;

class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}

  Steps whole() {
    Steps all = steps(3, 2);
    for (int v : {1, 0}) { // both have a value from the beginning
      Guarded first = step();
      first.kind = Guarded::Bind;
      first.variable = v;
      all.insert(all.begin(), first);
    }
    return all;
  }

private:
  int pick(int n) { return int(random() % unsigned(n)); }
  Guarded step() {
    Guarded made;
    made.sender = pick(3);
    made.receiver = (made.sender + 1 + pick(2)) % 3;
    made.number = next++;
    made.variable = pick(2);
    return made;
  }
  Steps steps(int most, int depth) {
    Steps all;
    for (int i = 1 + pick(most); i > 0; --i) {
      Guarded made = step();
      switch (pick(depth ? 5 : 3)) {
      case 0:
        made.kind = Guarded::Bind;
        break;
      case 1:
        made.kind = Guarded::Pass;
        break;
      case 2:
        break;
      default:
        made.kind = Guarded::Choice;
        made.limit = 1 + pick(2);
        made.below = steps(2, depth - 1);
        made.above = steps(2, depth - 1);
        // Mostly one decides.
        for (Steps *branch : {&made.below, &made.above})
          if (branch->front().kind != Guarded::Choice && pick(4)) {
            branch->front().sender = made.sender;
            branch->front().receiver = made.receiver;
          }
      }
      all.push_back(std::move(made));
    }
    return all;
  }

  std::mt19937 random;
  int next = 0;
};

std::string exchange(const Guarded &step) {
  static const char *const names[] = {"a", "b", "c"};
  return std::string(names[step.sender]) + " -> " + names[step.receiver] +
         " : m" + std::to_string(step.number);
}

std::string text(const Steps &steps) {
  std::string result;
  for (const Guarded &step : steps) {
    std::string name = step.variable ? "y" : "x";
    result += result.empty() ? "" : " ; ";
    if (step.kind == Guarded::Choice)
      result += "( [" + name + " < " + std::to_string(step.limit) + "] => ( " +
                text(step.below) + " ) + [" + name +
                " >= " + std::to_string(step.limit) + "] => ( " +
                text(step.above) + " ) )";
    else
      result +=
          exchange(step) + (step.kind == Guarded::Bind   ? "(" + name + ": int)"
                            : step.kind == Guarded::Pass ? "(" + name + ")"
                                                         : "");
  }
  return result;
}

/// The same value by value, as a protocol without data.
class Unfolded {
public:
  std::string run(const Steps &steps) {
    state(steps, {0, 0});
    for (size_t i = 0; i < todo.size(); ++i)
      expand(i);
    return "protocol P {\n  initial s0\n" + lines + "}\n";
  }

private:
  size_t state(const Steps &steps, std::array<int, 2> values) {
    std::string key = text(steps) + "@" + std::to_string(values[0]) +
                      std::to_string(values[1]);
    auto [at, isNew] = numbers.try_emplace(key, todo.size());
    if (isNew)
      todo.push_back({steps, values});
    return at->second;
  }
  void expand(size_t from) {
    auto [steps, values] = todo[from];
    while (!steps.empty() && steps.front().kind == Guarded::Choice) {
      Guarded choice = steps.front();
      steps.erase(steps.begin());
      const Steps &taken =
          values[choice.variable] < choice.limit ? choice.below : choice.above;
      steps.insert(steps.begin(), taken.begin(), taken.end());
    }
    if (steps.empty())
      return;
    Guarded step = steps.front();
    steps.erase(steps.begin());
    auto add = [&](const std::string &value, std::array<int, 2> after) {
      size_t to = state(steps, after);
      lines += "  s" + std::to_string(from) + " -> s" + std::to_string(to) +
               " : " + exchange(step) + value + "\n";
    };
    if (step.kind == Guarded::Plain)
      return add("", values);
    if (step.kind == Guarded::Pass)
      return add("_" + std::to_string(values[step.variable] - lowest), values);
    for (int v = lowest; v <= highest; ++v) {
      std::array<int, 2> after = values;
      after[step.variable] = v;
      add("_" + std::to_string(v - lowest), after);
    }
  }

  std::vector<std::pair<Steps, std::array<int, 2>>> todo;
  std::map<std::string, size_t> numbers;
  std::string lines;
};

/// Nothing: no verdict.
std::optional<Verdict> realizable(Read &read) {
  EXPECT_TRUE(read.ok) << read.diagnostics();
  std::vector<ChoreographyRef> which = findChoreographies(read.module);
  if (which.size() != 1)
    return std::nullopt;
  std::optional<PeerSet> set =
      projectedPeers(read.module, which[0], Limits(), read.engine);
  if (!set || !set->limit.empty())
    return std::nullopt;
  SynchronizabilityOptions options;
  auto result = checkRealizability(set->module, set->global->lts,
                                   Relation::WeakTrace, options, read.engine);
  return result ? std::optional(result->verdict) : std::nullopt;
}

} // namespace

// The number can be raised by CIF_KNOWLEDGE_TERMS.
TEST(Knowledge, RealizableAsValueByValue) {
  const char *more = getenv("CIF_KNOWLEDGE_TERMS");
  unsigned holds = 0, violated = 0;
  for (unsigned seed = 0; seed < unsigned(more ? atoi(more) : 300); ++seed) {
    Steps steps = Generator(seed).whole();
    Read guarded(parseIoc, "choreography C { " + text(steps) + " }");
    Read unfolded(parseCp, Unfolded().run(steps));
    auto found = realizable(guarded), expected = realizable(unfolded);
    ASSERT_TRUE(found && expected) << text(steps);
    EXPECT_EQ(verdictText(*found).str(), verdictText(*expected).str())
        << "seed " << seed << ": " << text(steps);
    (*expected == Verdict::Holds ? holds : violated) += 1;
  }
  RecordProperty("holds", static_cast<int>(holds));
  RecordProperty("violated", static_cast<int>(violated));
  EXPECT_GT(holds, 20u);
  EXPECT_GT(violated, 20u);
}
