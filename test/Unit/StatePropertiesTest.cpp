//===- StatePropertiesTest.cpp - Properties of states, generated ----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// check-property over tokens, messages, active activities and done, on
/// generated diagrams: what it says is compared with a decision by definition
/// (NaiveProperties.h), for all runs and for fair ones.
///
//===----------------------------------------------------------------------===//

#include "BpmnTesting.h"
#include "Generated.h"
#include "NaiveProperties.h"
#include "SemanticsModels.h"
#include "cif/Pass/PassManager.h"
#include "cif/Tools/Registry.h"
#include <cstdlib>
#include <random>

using namespace cif;
using namespace cif::test;

namespace {
/// An atom as check-property reads it, and as the naive states tell it.
struct Atom {
  std::string text;
  naive::Properties::Predicate holds;
};

template <class Naive>
class Comparison {
public:
  explicit Comparison(bool normal) : inNormalForm(normal) {}

  void run(unsigned seed, NetworkKind network) {
    naive::Diagram diagram = naive::Generator(seed, 25).make();
    if (inNormalForm)
      diagram = naive::normalForm(diagram);
    auto expected =
        naive::Properties::of(diagram, Naive(diagram, network, 1'000'000), 150);
    if (!expected)
      return;
    std::mt19937 random(seed);
    std::vector<Atom> atoms = atomsOf(diagram, *expected);
    struct Question {
      std::string text;
      bool holds[2]; ///< for all runs, for fair ones
    };
    std::vector<Question> questions;
    auto ask = [&](const std::string &text, auto decide) {
      questions.push_back({text, {decide(false), decide(true)}});
    };
    for (unsigned i = 0; i < 3; ++i) {
      const Atom &a = atoms[random() % atoms.size()];
      const Atom &b = atoms[random() % atoms.size()];
      ask("G !(" + a.text + ")", [&](bool) {
        return expected->always([&](int s) { return !a.holds(s); });
      });
      ask("F (" + a.text + ")",
          [&](bool fair) { return expected->eventually(a.holds, fair); });
      ask("G F (" + a.text + ")",
          [&](bool fair) { return expected->againAndAgain(a.holds, fair); });
      ask("F G (" + a.text + ")",
          [&](bool fair) { return expected->finallyAlways(a.holds, fair); });
      ask("G ((" + a.text + ") -> F (" + b.text + "))", [&](bool fair) {
        return expected->answered(a.holds, b.holds, fair);
      });
    }
    std::string text = naive::Generator::text(diagram);
    for (bool fair : {false, true}) {
      bpmntest::Parsed parsed = bpmntest::readModel(text);
      ASSERT_TRUE(parsed.good) << parsed.text() << text;
      std::string passes = "check-property{semantics=" +
                           std::string(inNormalForm ? "detailed" : "fbpmn") +
                           ",network=" + networkText(network).str() +
                           (fair ? ",fair=strong" : "") + ",property=";
      for (const Question &question : questions)
        passes += (&question == questions.data() ? "" : "; ") + question.text +
                  // `done` alone is about exchanges.
                  " || tokens(f0) > 99";
      TestDiagnostics diags;
      Pipeline pipeline;
      ASSERT_TRUE(parsePipeline(passes + "}", "passes", registry.passes,
                                diags.engine, pipeline))
          << diags.text() << passes;
      ASSERT_TRUE(
          PassManager(diags.engine, {}, {}).run(pipeline, parsed.module))
          << diags.text() << passes;
      ASSERT_EQ(parsed.module.facts.size(), questions.size()) << passes;
      for (size_t i = 0; i < questions.size(); ++i) {
        const Fact &fact = parsed.module.facts[i];
        ASSERT_EQ(fact.verdict,
                  questions[i].holds[fair] ? Verdict::Holds : Verdict::Violated)
            << fact.subject << (fair ? ", fair" : "") << ", seed " << seed
            << ", " << networkText(network).str() << "\n"
            << text;
        ++(questions[i].holds[fair] ? holding : violated);
      }
      if (!fair)
        continue;
      for (const Question &question : questions)
        fairOnly += question.holds[1] && !question.holds[0];
    }
  }

  unsigned holding = 0, violated = 0, fairOnly = 0;

private:
  std::vector<Atom> atomsOf(const naive::Diagram &d,
                            const naive::Properties &p) const {
    std::vector<Atom> atoms;
    for (size_t f = 0; f < d.flows.size(); ++f)
      for (int n : {1, 2})
        atoms.push_back(
            {"tokens(f" + std::to_string(f) + ") >= " + std::to_string(n),
             [&p, f, n](int s) { return p.state(s).flow[f] >= n; }});
    for (size_t n = 0; n < d.nodes.size(); ++n)
      if (d.nodes[n].kind == naive::Kind::Task ||
          d.nodes[n].kind == naive::Kind::SubProcess)
        for (int k = 0; k < 2; ++k)
          atoms.push_back({"active(n" + std::to_string(n) + ")",
                           [&p, n](int s) { return p.state(s).node[n] > 0; }});
    for (size_t m = 0; m < d.messages.size(); ++m)
      for (int n : {1, 2})
        atoms.push_back(
            {"messages(m" + std::to_string(m) + ") >= " + std::to_string(n),
             [&, m, n, published = !inNormalForm](int s) {
               return messages(d, p.state(s), m, published) >= n;
             }});
    for (int k = 0; k < 4; ++k)
      atoms.push_back({"done", [&p](int s) {
                         bool started = false;
                         for (int is : p.state(s).process)
                           started |= is != 0;
                         return started && p.isComplete(s);
                       }});
    return atoms;
  }
  /// In `fbpmn` a message belongs to its flow, else to whom it goes from and
  /// to.
  static int messages(const naive::Diagram &d, const naive::State &state,
                      size_t m, bool published) {
    if (published)
      return state.message[m];
    int number = 0;
    for (const naive::InTransit &other : state.network)
      number += other.name == d.messages[m].name &&
                other.from == d.nodes[d.messages[m].source].process &&
                other.to == d.nodes[d.messages[m].target].process;
    return number;
  }

  const bool inNormalForm;
  const Registry registry = builtinRegistry();
};

template <class Naive>
void compare(bool inNormalForm) {
  Generated models("collaborations with state properties", 500);
  const unsigned number = models.wanted();
  Comparison<Naive> comparison(inNormalForm);
  const NetworkKind networks[] = {NetworkKind::Bag, NetworkKind::Inbox,
                                  NetworkKind::FifoPair, NetworkKind::Rsc};
  for (unsigned seed = 0; seed < number; ++seed) {
    comparison.run(seed, networks[seed % 4]);
    models.count();
    if (testing::Test::HasFatalFailure())
      return;
  }
  EXPECT_GT(comparison.holding, number);
  EXPECT_GT(comparison.violated, number);
  EXPECT_GT(comparison.fairOnly, 0u);
  std::printf("%u hold, %u are violated, %u hold only for fair runs\n",
              comparison.holding, comparison.violated, comparison.fairOnly);
}

TEST(StateProperties, AreAsDefinedInFbpmn) {
  compare<naive::Fbpmn>(/*inNormalForm=*/false);
}

TEST(StateProperties, AreAsDefinedInDetailed) {
  compare<naive::Detailed>(/*inNormalForm=*/true);
}
} // namespace
