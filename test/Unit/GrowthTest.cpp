//===- GrowthTest.cpp - Growth that steps ignore --------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Generated processes with loops that leave tokens behind, and with steps for
/// which more tokens are not just more: sub-processes that are interrupted or
/// terminated, inclusive joins. Where exploration says that a cycle makes
/// something grow for ever, the cycle is taken again and again; where it ends
/// instead, all states are found by a plain search too, and where neither, that
/// search finds more and more.
///
//===----------------------------------------------------------------------===//

#include "BpmnTesting.h"
#include "Generated.h"
#include "GrowthTesting.h"
#include "SemanticsModels.h"
#include "cif/Explore/Explorer.h"
#include "cif/Semantics/Semantics.h"
#include <random>
#include <set>

using namespace cif;
using namespace cif::test;

namespace {
/// Writes BPMN: a block has one flow to it and one from it.
class Writer {
public:
  explicit Writer(std::mt19937 &random) : random(random) {}

  std::string process() {
    unsigned first = node("startEvent"), last = node("endEvent");
    // A loop around it all, so that what is left behind may grow.
    unsigned merge = node("exclusiveGateway"), split = node("exclusiveGateway");
    auto [begin, end] = block(3);
    flow(first, merge), flow(merge, begin), flow(end, split);
    flow(split, merge), flow(split, last);
    return "<process id='p'>" + text + "</process>";
  }
  bool leaks = false, empties = false, looks = false;

private:
  using Ends = std::pair<unsigned, unsigned>;

  unsigned below(unsigned n) { return random() % n; }
  std::string id(unsigned n) { return "n" + std::to_string(n); }
  unsigned node(const std::string &kind, const std::string &attributes = "",
                const std::string &inside = "") {
    text += "<" + kind + " id='" + id(next) + "' " + attributes + ">" + inside +
            "</" + kind + ">";
    return next++;
  }
  void flow(unsigned from, unsigned to) {
    text += "<sequenceFlow id='f" + std::to_string(flows++) + "' sourceRef='" +
            id(from) + "' targetRef='" + id(to) + "'/>";
  }

  Ends block(unsigned depth) {
    switch (depth ? below(8) : 0) {
    case 0:
    case 1: {
      unsigned task = node("task");
      return {task, task};
    }
    case 2: { // one after the other
      auto [a, b] = block(depth - 1);
      auto [c, d] = block(depth - 1);
      flow(b, c);
      return {a, d};
    }
    case 3: { // a token goes its own way
      leaks = true;
      unsigned split = node("parallelGateway"), task = node("task"),
               rest = node("task"), last = node("endEvent");
      flow(split, task), flow(split, rest), flow(rest, last);
      return {split, task};
    }
    case 4:
      return both("exclusiveGateway", depth);
    case 5:
      looks = true;
      return both("inclusiveGateway", depth);
    case 6:
      return both("parallelGateway", depth);
    default:
      return scope(depth);
    }
  }
  Ends both(const std::string &gateway, unsigned depth) {
    unsigned split = node(gateway), join = node(gateway);
    for (int i = 0; i < 2; ++i) {
      auto [a, b] = block(depth - 1);
      flow(split, a), flow(b, join);
    }
    return {split, join};
  }
  /// A sub-process that a timer interrupts, or whose end terminates it.
  Ends scope(unsigned depth) {
    empties = true;
    std::string outside = std::move(text);
    text.clear();
    bool terminates = below(2);
    unsigned first = node("startEvent"),
             last = node("endEvent", "",
                         terminates ? "<terminateEventDefinition/>" : "");
    auto [begin, end] = block(depth - 1);
    flow(first, begin), flow(end, last);
    std::string inside = std::move(text);
    text = std::move(outside);
    unsigned sub = node("subProcess", "", inside);
    if (terminates)
      return {sub, sub};
    unsigned timer = node("boundaryEvent", "attachedToRef='" + id(sub) + "'",
                          "<timerEventDefinition/>");
    unsigned join = node("exclusiveGateway");
    flow(sub, join), flow(timer, join);
    return {sub, join};
  }

  std::mt19937 &random;
  std::string text;
  unsigned next = 0, flows = 0;
};

/// All states, or \p most + 1 where there are more.
size_t plainly(const System &system, size_t most) {
  std::vector<uint32_t> state(system.width()), scratch(system.width());
  system.initial(state.data());
  std::set<std::vector<uint32_t>> seen{state};
  std::vector<std::vector<uint32_t>> work{state};
  while (!work.empty() && seen.size() <= most) {
    state = std::move(work.back());
    work.pop_back();
    system.successors(state.data(), scratch.data(),
                      [&](const Step &, const uint32_t *to) {
                        std::vector<uint32_t> after(to, to + system.width());
                        if (seen.insert(after).second)
                          work.push_back(std::move(after));
                        return true;
                      });
  }
  return seen.size();
}

TEST(SemanticsRandom, GrowthThatStepsIgnore) {
  Generated models("processes that grow", 600);
  const unsigned wanted = models.wanted();
  std::mt19937 random(5);
  unsigned grew = 0, despite = 0, finite = 0, unknown = 0;
  for (unsigned i = 0; i < wanted; ++i) {
    models.count();
    Writer writer(random);
    std::string text = bpmntest::definitions(writer.process());
    bpmntest::Parsed parsed = bpmntest::read(text);
    ASSERT_TRUE(parsed.good) << parsed.text() << "\n" << text;
    TestDiagnostics diags;
    SemanticsOptions options;
    options.semantics = SemanticsKind::Detailed;
    auto system = makeSystem(parsed.module, options, diags.engine);
    ASSERT_TRUE(system) << diags.text() << "\n" << text;
    ExplorerOptions explorer;
    explorer.limits.maxStates = 2000;
    Exploration e = explore(*system, explorer);
    if (e.growth) {
      ++grew;
      despite += writer.empties || writer.looks;
      ASSERT_NO_FATAL_FAILURE(expectRepeats(e, 8)) << text;
      ASSERT_TRUE(writer.leaks) << e.incompleteText() << "\n" << text;
    } else if (e.complete) {
      ++finite;
      ASSERT_EQ(plainly(*system, 2000), e.numStates()) << text;
    } else {
      ++unknown;
      ASSERT_GT(plainly(*system, 2000), 2000u) << text;
    }
  }
  std::printf("%u grow, %u of them beside steps that look at places, %u are "
              "finite, %u unknown\n",
              grew, despite, finite, unknown);
  EXPECT_GT(grew, wanted / 6);
  EXPECT_GT(despite, wanted / 20);
  EXPECT_GT(finite, wanted / 6);
}
} // namespace
