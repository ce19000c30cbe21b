//===- CollaborationRandomTest.cpp - Generated collaborations -------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Generated diagrams, read as BPMN, against the naive interpreter: the same
/// numbers of states and steps under every network, and of states that are
/// sound; and the same answers about every property, with reduction and without
/// it.
///
//===----------------------------------------------------------------------===//

#include "BpmnTesting.h"
#include "Generated.h"
#include "NaiveProperties.h"
#include "NaiveScopeGenerator.h"
#include "NaiveScopes.h"
#include "NaiveThrows.h"
#include "NaiveUndoing.h"
#include "SemanticsModels.h"
#include "cif/Check/Collaboration/Analyses.h"
#include "cif/Explore/Explorer.h"
#include "cif/Explore/ManyTokens.h"
#include "cif/Explore/Reduction.h"
#include "cif/Semantics/CollaborationSystem.h"
#include "cif/Transforms/Normalize.h"
#include <cstdlib>
#include <deque>

using namespace cif;
using namespace cif::test;

namespace {
struct Counts {
  size_t states = 0, steps = 0, sound = 0;
  bool operator==(const Counts &) const = default;
};

/// What the naive interpreter finds; nothing: too much.
template <class Naive>
std::optional<Counts> naively(const Naive &naive, size_t most) {
  Counts counts;
  std::set<naive::State> seen{naive.initial()};
  std::deque<naive::State> work(seen.begin(), seen.end());
  while (!work.empty()) {
    naive::State s = std::move(work.front());
    work.pop_front();
    counts.sound += naive.sound(s);
    for (naive::Taken &taken : naive.next(s)) {
      ++counts.steps;
      if (seen.insert(taken.to).second)
        work.push_back(std::move(taken.to));
    }
    if (seen.size() > most)
      return std::nullopt;
  }
  counts.states = seen.size();
  return counts;
}

Counts explored(const CollaborationSystem &system) {
  Exploration all = explore(system, {});
  EXPECT_TRUE(all.complete) << all.incompleteText();
  Counts counts{all.numStates(), all.transitions, 0};
  for (StateIndex s = 0; s < all.numStates(); ++s) {
    std::vector<uint32_t> state = all.vectorOf(s);
    bool sound = true;
    for (uint32_t p = 0; p < system.processes().size(); ++p)
      sound &= system.isSound(state.data(), p);
    counts.sound += sound;
  }
  return counts;
}

const NetworkKind networks[] = {NetworkKind::Bag,     NetworkKind::FifoPair,
                                NetworkKind::Inbox,   NetworkKind::Outbox,
                                NetworkKind::FifoAll, NetworkKind::Causal,
                                NetworkKind::Rsc};

/// Compares what \p kind finds in generated diagrams with \p Naive.
template <class Naive>
void compare(SemanticsKind kind, bool inNormalForm, bool throws = false) {
  unsigned compared = 0, large = 0;
  size_t states = 0;
  Generated models("collaborations", 150);
  for (unsigned seed = 0; seed < models.wanted(); ++seed) {
    models.count();
    naive::Diagram diagram = naive::Generator(seed).make();
    if (throws)
      diagram = naive::withThrows(diagram, seed);
    if (inNormalForm)
      diagram = naive::normalForm(diagram);
    std::string text = naive::Generator::text(diagram);
    bpmntest::Parsed parsed = bpmntest::readModel(text);
    ASSERT_TRUE(parsed.good) << parsed.text() << text;
    uint32_t bound = 1 + seed % 2;
    for (NetworkKind network : networks) {
      if (inNormalForm && network == NetworkKind::Causal)
        continue; // its clocks are compared up to a shift: Network.* tests
      auto counts = naively(Naive(diagram, network, bound), 1500);
      if (!counts) {
        ++large;
        continue;
      }
      TestDiagnostics diags;
      SemanticsOptions options;
      options.semantics = kind;
      options.network = network;
      options.limits = {bound, bound, bound};
      auto system =
          makeCollaborationSystem(parsed.module, options, diags.engine);
      ASSERT_TRUE(system) << diags.text() << text;
      Counts found = explored(*system);
      ASSERT_EQ(found.states, counts->states)
          << seed << " " << networkText(network).str() << " " << text;
      ASSERT_EQ(found.steps, counts->steps)
          << seed << " " << networkText(network).str() << " " << text;
      ASSERT_EQ(found.sound, counts->sound)
          << seed << " " << networkText(network).str() << " " << text;
      ++compared;
      states += counts->states;
    }
  }
  EXPECT_GT(compared, models.wanted() * 2);
  std::printf("%u compared, %zu states, %u too large\n", compared, states,
              large);
}

TEST(CollaborationRandom, FbpmnIsTheInterpreter) {
  compare<naive::Fbpmn>(SemanticsKind::Fbpmn, /*inNormalForm=*/false);
}

TEST(CollaborationRandom, DetailedIsTheInterpreter) {
  compare<naive::Detailed>(SemanticsKind::Detailed, /*inNormalForm=*/true);
}

TEST(CollaborationRandom, ErrorsAndEscalationsGoToWhatCatchesThem) {
  compare<naive::Detailed>(SemanticsKind::Detailed, /*inNormalForm=*/true,
                           /*throws=*/true);
}

/// What the structure tells must be so.
TokenFate compareFate(CollaborationAnalysis &analysis,
                      const naive::Properties &expected,
                      const std::string &text) {
  const CollaborationSystem &system = analysis.system();
  TokenFate fate = system.fate({});
  EXPECT_TRUE(!fate.ends || expected.holds(CollaborationProperty::LivelockFree))
      << text;
  if (fate.drains) {
    for (auto property : {CollaborationProperty::DeadlockFree,
                          CollaborationProperty::LivelockFree,
                          CollaborationProperty::OptionToComplete})
      EXPECT_TRUE(expected.holds(property)) << text;
  }
  bool goesOn = llvm::is_contained(fate.alwaysSteps, true);
  EXPECT_TRUE(!goesOn || expected.holds(CollaborationProperty::DeadlockFree))
      << text;
  const Exploration &all = analysis.exploration();
  for (uint32_t p = 0; p < system.processes().size(); ++p)
    for (StateIndex s = 0; fate.neverCompletes[p] && s < all.numStates(); ++s) {
      std::vector<uint32_t> state = all.vectorOf(s);
      EXPECT_TRUE(!system.isStarted(state.data(), p) ||
                  !system.isComplete(state.data(), p))
          << text;
    }
  return fate;
}

/// Asks for every property of generated diagrams as a check does, and compares
/// the answers with NaiveProperties.h. With a small limit on states an answer
/// may be missing, but not another one. \p make gives the diagrams that the
/// interpreter can read.
template <class Naive>
void compareProperties(SemanticsKind kind,
                       naive::Diagram (*make)(unsigned seed),
                       bool (*isMore)(const Module &module) = nullptr) {
  unsigned holds = 0, violated = 0, pairs = 0, large = 0, early = 0, ending = 0;
  Generated models("collaborations with their properties", 150);
  for (unsigned seed = models.first(); seed < models.wanted(); ++seed) {
    models.count();
    naive::Diagram diagram = make(seed);
    std::string text = naive::Generator::text(diagram);
    bpmntest::Parsed parsed = bpmntest::readModel(text);
    ASSERT_TRUE(parsed.good) << seed << " " << parsed.text() << text;
    if (isMore && isMore(parsed.module))
      continue;
    if (kind != SemanticsKind::Fbpmn) {
      TestDiagnostics diags;
      ASSERT_TRUE(normalize(parsed.module, diags.engine)) << text;
    }
    for (NetworkKind network : networks) {
      auto expected = naive::Properties::of(
          diagram, Naive(diagram, network, 1'000'000), 800);
      ++pairs;
      if (!expected) {
        ++large;
        continue;
      }
      for (bool reduce : {true, false}) {
        TestDiagnostics diags;
        CollaborationOptions options;
        options.semantics.semantics = kind;
        options.semantics.network = network;
        options.semantics.open = true;
        options.reduce = reduce;
        auto analysis = CollaborationAnalysis::make(parsed.module, options,
                                                    nullptr, diags.engine);
        ASSERT_TRUE(analysis) << diags.text() << text;
        options.limits.maxStates = 12;
        auto limited = CollaborationAnalysis::make(parsed.module, options,
                                                   nullptr, diags.engine);
        if (kind != SemanticsKind::Fbpmn)
          ending += compareFate(*analysis, *expected, text).ends;
        for (unsigned p = 0; p < numCollaborationProperties; ++p) {
          auto property = static_cast<CollaborationProperty>(p);
          const CollaborationFinding &finding = analysis->check(property);
          const CollaborationFinding &soon = limited->check(property);
          ASSERT_TRUE(soon.verdict == Verdict::Inconclusive ||
                      soon.verdict == finding.verdict)
              << collaborationPropertyText(property).str() << ", seed " << seed
              << ", " << networkText(network).str() << ": " << soon.method
              << "\n"
              << text;
          early += soon.verdict != Verdict::Inconclusive &&
                   expected->numStates() > 20;
          bool good = expected->holds(property);
          ASSERT_EQ(finding.verdict, good ? Verdict::Holds : Verdict::Violated)
              << collaborationPropertyText(property).str() << ", seed " << seed
              << ", " << networkText(network).str()
              << (reduce ? ", reduced: " : ": ") << finding.message << "\n"
              << text;
          EXPECT_TRUE(finding.exact);
          ++(good ? holds : violated);
        }
      }
    }
  }
  EXPECT_GT(holds, models.wanted());
  EXPECT_GT(violated, models.wanted());
  EXPECT_GT(early, models.wanted());
  EXPECT_TRUE(kind == SemanticsKind::Fbpmn || ending > models.wanted());
  std::printf("%u hold, %u are violated, %u of %u too large; %u known early, "
              "%u end by structure\n",
              holds, violated, large, pairs, early, ending);
}

TEST(CollaborationRandom, PropertiesAreAsDefinedInFbpmn) {
  compareProperties<naive::Fbpmn>(SemanticsKind::Fbpmn, [](unsigned seed) {
    return naive::Generator(seed).make();
  });
}

TEST(CollaborationRandom, PropertiesAreAsDefinedInDetailed) {
  compareProperties<naive::Detailed>(
      SemanticsKind::Detailed, [](unsigned seed) {
        return naive::normalForm(naive::Generator(seed).make());
      });
}

/// Here the interpreter knows no flow but those that are drawn.
TEST(CollaborationRandom, PropertiesOfWhatIsDrawn) {
  compareProperties<naive::Detailed>(
      SemanticsKind::Detailed, [](unsigned seed) {
        return naive::drawnForm(naive::Generator(seed).make());
      });
}

TEST(CollaborationRandom, PropertiesWithErrorsAndEscalations) {
  compareProperties<naive::Detailed>(
      SemanticsKind::Detailed, [](unsigned seed) {
        return naive::normalForm(
            naive::withThrows(naive::Generator(seed).make(), seed));
      });
}

/// What can be asked of a state: tokens on drawn flows, activities that run,
/// messages in transit, processes that have started.
using Observed = std::map<std::string, uint64_t>;

std::string textOf(const Observed &observed) {
  std::string all;
  for (auto &[what, times] : observed)
    all += what + " " + std::to_string(times) + ", ";
  return all;
}

template <class Naive>
std::optional<std::set<Observed>> observeNaively(const Naive &naive,
                                                 size_t most) {
  std::set<Observed> observed;
  auto initial = naive.initial();
  std::set<decltype(initial)> seen{initial};
  std::deque<decltype(initial)> work{initial};
  while (!work.empty()) {
    auto s = std::move(work.front());
    work.pop_front();
    Observed now;
    if (naive.observe(s, now))
      observed.insert(std::move(now));
    for (auto &taken : naive.next(s))
      if (seen.insert(taken.to).second)
        work.push_back(std::move(taken.to));
    if (seen.size() > most)
      return std::nullopt;
  }
  return observed;
}

/// Tells the states of a system in which nothing but what is drawn can happen:
/// no step of a gateway or start that nobody drew, no scope that only has to be
/// left. Tokens are not past the merge in which the flows of an activity meet:
/// they can as well wait before it. What starts an event sub-process that is
/// busy can only wait past such a merge: nobody drew the flows before it.
class Settled {
public:
  Settled(const Module &of, const CollaborationSystem &in)
      : module(of), system(in), scratch(in.width()) {
    std::set<std::pair<uint32_t, uint32_t>> reached; // by drawn flows
    for (const CollaborationFlow &flow : system.flows())
      if (flow.isDrawn)
        reached.insert({flow.flow.unit, module.behaviours[flow.flow.unit]
                                            .flow(FlowId(flow.flow.element))
                                            .target.index()});
    for (const CollaborationFlow &flow : system.flows()) {
      if (flow.isDrawn)
        continue;
      hidden.push_back(flow.slot);
      const Behaviour &graph = module.behaviours[flow.flow.unit];
      NodeId from = graph.flow(FlowId(flow.flow.element)).source;
      if (graph.node(from).kind == NodeKind::SimpleJoin &&
          reached.count({flow.flow.unit, from.index()}))
        merged.push_back(flow.slot);
    }
    for (const CollaborationProcess &process : system.processes())
      for (uint32_t slot : process.tokens) {
        std::vector<uint32_t> one(system.width());
        one[slot] = 1;
        if (StringRef(system.describe(one.data())).contains("start of "))
          hidden.push_back(slot);
      }
  }

  bool operator()(const std::vector<uint32_t> &state) {
    bool isSettled =
        llvm::none_of(merged, [&](uint32_t slot) { return state[slot]; });
    system.successors(state.data(), scratch.data(),
                      [&](const Step &step, const uint32_t *next) {
                        isSettled &= !isHidden(step, state, next);
                        return isSettled;
                      });
    return isSettled;
  }

private:
  bool isHidden(const Step &step, const std::vector<uint32_t> &state,
                const uint32_t *next) const {
    const Origin &by = system.groups().origin(step.group);
    NodeKind kind = module.behaviours[by.unit].nodes[by.element].kind;
    const CollaborationStep &means = system.step(step.group);
    if (means.completes && kind == NodeKind::Container)
      return true;
    if (means.interrupts || kind == NodeKind::Terminate)
      return false; // takes whatever is there
    return llvm::any_of(
        hidden, [&](uint32_t slot) { return next[slot] < state[slot]; });
  }

  const Module &module;
  const CollaborationSystem &system;
  std::vector<uint32_t> hidden, merged, scratch;
};

/// What is observed in all states that are settled; nothing: there are too
/// many.
std::optional<std::set<Observed>>
observe(const Module &module, const CollaborationSystem &system,
        const std::set<std::string> &activities) {
  ExplorerOptions options;
  options.limits.maxStates = 100'000;
  Exploration all = explore(system, options);
  if (!all.complete)
    return std::nullopt;
  std::set<Observed> observed;
  Settled isSettled(module, system);
  for (StateIndex s = 0; s < all.numStates(); ++s) {
    std::vector<uint32_t> state = all.vectorOf(s);
    if (!isSettled(state))
      continue;
    Observed seen;
    auto count = [&](const Twine &what, uint64_t times) {
      if (times)
        seen[what.str()] += times;
    };
    for (uint32_t f = 0; f < system.flows().size(); ++f) {
      const CollaborationFlow &flow = system.flows()[f];
      const Behaviour &graph = module.behaviours[flow.flow.unit];
      if (flow.isDrawn)
        count(module.text(graph.flow(FlowId(flow.flow.element)).loc.element),
              system.tokens(state.data(), f));
    }
    for (uint32_t e = 0; e < system.elements().size(); ++e) {
      const CollaborationElement &element = system.elements()[e];
      const Behaviour &graph =
          module.behaviours[system.processes()[element.process].behaviour];
      std::string id =
          module.text(graph.nodes[element.nodes[0]].loc.element).str();
      if (activities.count(id) && system.isActive(state.data(), e))
        seen[id] = 1;
    }
    for (uint32_t m = 0; m < system.messages().size(); ++m) {
      const Label &label = system.messages()[m].label;
      count(label.sender + ">" + label.receiver + ":" + label.message,
            system.inTransit(state.data(), m));
    }
    for (uint32_t p = 0; p < system.processes().size(); ++p)
      count(system.processes()[p].name, system.isStarted(state.data(), p));
    observed.insert(std::move(seen));
  }
  return observed;
}

/// Compares what is observed in generated diagrams. \p isMore: whether the
/// system is known to do more than the interpreter. \p undoing: in
/// how many states a compensation handler runs.
void compareStates(const char *what, naive::Diagram (*make)(unsigned seed),
                   bool (*isMore)(const Module &module), size_t &undoing) {
  Generated models(what, 50);
  unsigned pairs = 0, large = 0, more = 0;
  size_t states = 0;
  for (unsigned seed = models.first(); seed < models.wanted(); ++seed) {
    models.count();
    naive::Diagram diagram = make(seed);
    std::string text = naive::Generator::text(diagram);
    bpmntest::Parsed parsed = bpmntest::readModel(text);
    ASSERT_TRUE(parsed.good) << seed << " " << parsed.text() << text;
    if (isMore(parsed.module)) {
      ++more;
      continue;
    }
    TestDiagnostics diags;
    ASSERT_TRUE(normalize(parsed.module, diags.engine)) << text;
    std::set<std::string> isActivity, isUndoing;
    for (size_t n = 0; n < diagram.nodes.size(); ++n) {
      if (naive::isActivity(diagram.nodes[n].kind))
        isActivity.insert("n" + std::to_string(n));
      if (diagram.nodes[n].kind == naive::Kind::Undoing)
        isUndoing.insert("n" + std::to_string(n));
    }
    for (NetworkKind network : networks) {
      ++pairs;
      naive::Scopes scopes(diagram, network, 1'000'000);
      auto expected = observeNaively(scopes, 2'000);
      SemanticsOptions options;
      options.semantics = SemanticsKind::Detailed;
      options.network = network;
      options.open = true;
      auto system =
          makeCollaborationSystem(parsed.module, options, diags.engine);
      ASSERT_TRUE(system) << diags.text() << text;
      std::optional<std::set<Observed>> found;
      if (expected)
        found = observe(parsed.module, *system, isActivity);
      if (!found) {
        ++large;
        continue;
      }
      for (const Observed &o : *expected)
        ASSERT_TRUE(found->count(o))
            << "not found by the system: " << textOf(o) << ", seed " << seed
            << ", " << networkText(network).str() << "\n"
            << text;
      for (const Observed &o : *found)
        ASSERT_TRUE(expected->count(o))
            << "only found by the system: " << textOf(o) << ", seed " << seed
            << ", " << networkText(network).str() << "\n"
            << text;
      states += found->size();
      for (const Observed &o : *found)
        undoing += llvm::any_of(
            o, [&](auto &seen) { return isUndoing.count(seen.first); });
    }
  }
  std::printf("%zu states observed, %u of %u too large; %u models left out\n",
              states, large, pairs, more);
}

TEST(CollaborationRandom, StatesOfScopesAreObserved) {
  size_t undoing = 0;
  compareStates(
      "collaborations with scopes, by their states",
      [](unsigned seed) { return naive::ScopeGenerator(seed).make(); },
      [](const Module &) { return false; }, undoing);
  EXPECT_EQ(undoing, 0u);
}

/// Handlers run when compensation is thrown, where their completions need not
/// be counted.
naive::Diagram makeUndoing(unsigned seed) {
  return naive::withUndoing(naive::ScopeGenerator(seed).make(), seed);
}
bool countsCompletions(const Module &module) {
  return llvm::any_of(module.abstractions, [](StringRef text) {
    return text.starts_with("compensation ");
  });
}

TEST(CollaborationRandom, StatesOfCompensationAreObserved) {
  size_t undoing = 0;
  compareStates("collaborations with compensation, by their states",
                makeUndoing, countsCompletions, undoing);
  std::printf("in %zu of them a compensation handler runs\n", undoing);
  EXPECT_GT(undoing, 100u);
}

TEST(CollaborationRandom, PropertiesOfCompensation) {
  compareProperties<naive::Scopes>(SemanticsKind::Detailed, makeUndoing,
                                   countsCompletions);
}

TEST(CollaborationRandom, PropertiesOfScopes) {
  compareProperties<naive::Scopes>(SemanticsKind::Detailed, [](unsigned seed) {
    return naive::ScopeGenerator(seed).make();
  });
}

/// The two interpreters of `detailed` agree, too.
TEST(CollaborationRandom, ScopesAreReadInOneWay) {
  compareProperties<naive::Scopes>(SemanticsKind::Detailed, [](unsigned seed) {
    return naive::drawnForm(
        naive::withThrows(naive::Generator(seed).make(), seed));
  });
}

/// Where counts end at many, each state has one that stands for it.
TEST(CollaborationRandom, ManyStandsForMore) {
  Generated models("collaborations with counts up to many", 100);
  unsigned states = 0, fewer = 0;
  for (unsigned seed = models.first(); seed < models.wanted(); ++seed) {
    models.count();
    naive::Diagram diagram =
        seed % 2 ? makeUndoing(seed)
                 : naive::withThrows(naive::Generator(seed).make(), seed);
    std::string text = naive::Generator::text(diagram);
    bpmntest::Parsed parsed = bpmntest::readModel(text);
    ASSERT_TRUE(parsed.good) << parsed.text();
    TestDiagnostics diags;
    ASSERT_TRUE(normalize(parsed.module, diags.engine)) << text;
    SemanticsOptions options;
    options.semantics = SemanticsKind::Detailed;
    options.network = NetworkKind::Bag;
    options.open = true;
    auto system = makeCollaborationSystem(parsed.module, options, diags.engine);
    ASSERT_TRUE(system) << diags.text() << text;
    std::unique_ptr<System> counted = makeManyTokens(*system);
    if (!counted)
      continue;
    ExplorerOptions some;
    some.limits.maxStates = 3000;
    some.findGrowth = false;
    Exploration all = explore(*system, some), stands = explore(*counted, some);
    if (!stands.complete)
      continue;
    std::set<std::vector<uint32_t>> standing;
    uint32_t many = 0;
    for (StateIndex s = 0; s < stands.numStates(); ++s) {
      standing.insert(stands.vectorOf(s));
      for (uint32_t count : stands.vectorOf(s))
        many = std::max(many, count);
    }
    for (StateIndex s = 0; s < all.numStates(); ++s) {
      std::vector<uint32_t> state = all.vectorOf(s);
      for (uint32_t &count : state) {
        fewer += count > many;
        count = std::min(count, many);
      }
      ASSERT_TRUE(standing.count(state))
          << all.describe(s) << ", seed " << seed << "\n"
          << text;
    }
    states += all.numStates();
  }
  std::printf("%u states have one that stands for them, %u with more\n", states,
              fewer);
  EXPECT_GT(states, 10 * models.wanted());
  EXPECT_GT(fewer, 10u);
}

/// Participants with two or three instances, which the reduction exchanges: the
/// same answers as without it, and fewer states.
TEST(CollaborationRandom, InstancesCanBeExchanged) {
  Generated models("collaborations with several instances", 60);
  unsigned holds = 0, violated = 0, open = 0, exchanged = 0, fewer = 0;
  for (unsigned seed = 0; seed < models.wanted(); ++seed) {
    models.count();
    naive::Diagram diagram = naive::Generator(seed).make();
    bpmntest::Parsed parsed =
        bpmntest::readModel(naive::Generator::text(diagram));
    ASSERT_TRUE(parsed.good) << parsed.text();
    Module &module = parsed.module;
    for (size_t p = seed % 2; p < module.participants.size(); p += 2)
      module.participants[p].minimum = module.participants[p].maximum =
          2 + seed % 5 / 4;
    CollaborationAnalyses analyses(module);
    for (NetworkKind network : networks) {
      TestDiagnostics diags;
      CollaborationOptions options;
      options.semantics.semantics =
          seed % 3 ? SemanticsKind::Detailed : SemanticsKind::Collaboration;
      options.semantics.network = network;
      options.semantics.open = true;
      options.limits.maxStates = 1500;
      CollaborationAnalysis *by[2];
      for (bool reduce : {false, true}) {
        options.reduce = reduce;
        by[reduce] = analyses.get(options, diags.engine);
        ASSERT_TRUE(by[reduce]) << diags.text();
      }
      const CollaborationSystem &system = by[0]->system();
      if (std::optional<StepNet> net = system.stepNet();
          net && system.isBounded() && InstanceSymmetry(system, *net).any()) {
        ++exchanged;
        ReducedSystem apart(system, *net, /*fuse=*/false),
            together(system, *net, /*fuse=*/true);
        ExplorerOptions some;
        some.limits.maxStates = 1500;
        fewer += explore(together, some).numStates() <
                 explore(apart, some).numStates();
      }
      for (unsigned p = 0; p < numCollaborationProperties; ++p) {
        auto property = static_cast<CollaborationProperty>(p);
        Verdict expected = by[0]->check(property).verdict,
                found = by[1]->check(property).verdict;
        if (expected == Verdict::Inconclusive ||
            found == Verdict::Inconclusive) {
          ++open;
          continue;
        }
        ASSERT_EQ(found, expected)
            << collaborationPropertyText(property).str() << ", seed " << seed
            << ", " << networkText(network).str() << ": "
            << by[1]->check(property).message << "\n"
            << naive::Generator::text(diagram);
        ++(expected == Verdict::Holds ? holds : violated);
      }
    }
  }
  std::printf("instances: %u hold, %u are violated, %u not decided; %u systems "
              "with instances to exchange, %u smaller\n",
              holds, violated, open, exchanged, fewer);
  EXPECT_GT(holds, models.wanted());
  EXPECT_GT(violated, models.wanted());
  EXPECT_GT(fewer, models.wanted() / 3);
}
} // namespace
