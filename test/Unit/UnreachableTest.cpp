//===- UnreachableTest.cpp - What is not reached does not matter ----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Generated protocols and peers with states that nothing leads to, against the
/// same ones without these states: every check says the same of both.
///
//===----------------------------------------------------------------------===//

#include "Generated.h"
#include "TextFrontEndTest.h"
#include "cif/Tools/Registry.h"
#include <random>

using namespace cif;
using namespace cif::test;

namespace {

/// What is checked of protocols, of their projections and of given peers. The
/// specification that they are compared with is protocol P itself.
const char *const ofProtocols[] = {
    "check-realizable",
    "check-realizable{network=fifo-pair}",
    "check-connected{semantics=all}",
    "check-implementable",
    "check-repairable",
    "check-repairable{notion=strict}",
    "check-structure",
    "check-bisimilar{relation=ioc-sync}",
    "check-bisimilar{relation=ioc-sender-trace}",
    "check-bisimilar{relation=ioc-receiver}",
    "check-bisimilar{relation=ioc-disjoint-trace}",
    "check-property{property=G !'p0->p1:m0'}",
    "check-property{property=F 'p1->p0:m1'}",
    "project,check-synchronizable",
    "project,check-health",
    "project,check-health{network=fifo-pair}",
    "project,check-kmc",
    "project,check-rsc",
    "project,check-conforms{spec=P}",
    "project,check-well-composed",
    "normalize,check-realizable",
    "verify",
};
const char *const ofPeers[] = {
    "check-synchronizable",   "check-synchronizable{network=fifo-pair}",
    "check-health",           "check-health{network=fifo-pair}",
    "check-kmc{k=2}",         "check-rsc",
    "check-conforms{spec=P}", "check-property{property=G !'p0->p1:m0'}",
};

/// A block with and without the states that are not reached.
struct Pair {
  std::string whole, reached;
};

class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}

  Pair protocol() {
    return block("protocol P", [&] {
      unsigned from = below(3), to = (from + 1 + below(2)) % 3;
      return "p" + std::to_string(from) + " -> p" + std::to_string(to) + " : " +
             message();
    });
  }

  Pair peers() {
    Pair all;
    for (unsigned p = 0; p < 3; ++p) {
      Pair peer = block("peer p" + std::to_string(p), [&] {
        return "p" + std::to_string((p + 1 + below(2)) % 3) +
               (below(2) ? "!" : "?") + message();
      });
      all.whole += peer.whole;
      all.reached += peer.reached;
    }
    return all;
  }

private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random() % n); }
  std::string message() { return "m" + std::to_string(below(3)); }

  Pair block(const std::string &head, function_ref<std::string()> label) {
    unsigned reached = 1 + below(4), others = 1 + below(3);
    std::string kept, extra;
    auto add = [&](std::string &to, const std::string &from,
                   const std::string &target) {
      to += "  " + from + " -> " + target + " : " + label() + "\n";
    };
    auto state = [&](unsigned s) { return "s" + std::to_string(s); };
    auto other = [&] { return "u" + std::to_string(below(others)); };
    kept += "  initial s0\n";
    if (below(2))
      kept += "  final " + state(below(reached)) + "\n";
    add(kept, "s0", state(reached > 1));
    for (unsigned s = 2; s < reached; ++s)
      add(kept, state(below(s)), state(s));
    for (unsigned n = below(3); n; --n)
      add(kept, state(below(reached)), state(below(reached)));
    for (unsigned n = 1 + below(4); n; --n)
      add(extra, other(), below(2) ? other() : state(below(reached)));
    return {head + " {\n" + kept + extra + "}\n", head + " {\n" + kept + "}\n"};
  }

  std::mt19937 random;
};

class Runner {
public:
  /// What the facts of a pipeline say that a user relies on.
  std::string facts(StringRef passes, StringRef text, StringRef spec) {
    Read read(parseCp, text);
    EXPECT_TRUE(read.ok) << text.str() << read.diagnostics();
    Pipeline pipeline;
    EXPECT_TRUE(
        parsePipeline(passes, "passes", registry.passes, read.engine, pipeline))
        << read.diagnostics();
    Limits limits;
    limits.maxStates = 2000;
    PassHost host;
    host.load = [&](StringRef) {
      return std::make_unique<Module>(Read(parseCp, spec).module.clone());
    };
    std::string result;
    if (!PassManager(read.engine, limits, host).run(pipeline, read.module))
      result = "failed: " + read.diagnostics();
    for (const Fact &fact : read.module.facts) {
      result += fact.property + " of " + fact.subject;
      for (const auto &[key, value] : fact.parameters)
        result += " " + key + "=" + value;
      result += ": " + verdictText(fact.verdict).str() +
                (fact.exact ? " exactly" : "");
      // Connectedness names one of the elements that have the same flaw, and
      // of differences that are equally short the labels' order picks one.
      if (fact.witness && fact.property == "conforms")
        result += " in " + std::to_string(fact.witness->steps.size());
      else if (fact.witness && fact.property != "connected")
        for (const WitnessStep &step : fact.witness->steps)
          result += "; " + step.label;
      result += "\n";
    }
    return result;
  }

  Registry registry = builtinRegistry();
};

TEST(Unreachable, EveryCheckIsHere) {
  std::set<std::string> here;
  auto take = [&](StringRef pipeline) {
    SmallVector<StringRef, 4> passes;
    pipeline.split(passes, ',');
    for (StringRef pass : passes)
      here.insert(pass.split('{').first.str());
  };
  for (const char *pipeline : ofProtocols)
    take(pipeline);
  for (const char *pipeline : ofPeers)
    take(pipeline);
  // check-matrix reads its own files and runs check-conforms.
  here.insert("check-matrix");
  // These are about processes, whose nodes start as IR/Starts.h says.
  for (const char *name :
       {"check-bounded", "check-collaboration", "check-deadlock-free",
        "check-livelock-free", "check-message-relaxed-sound",
        "check-no-dead-activity", "check-no-undelivered-message",
        "check-option-to-complete", "check-proper-completion", "check-safe",
        "check-sound"})
    here.insert(name);
  Registry registry = builtinRegistry();
  for (const auto &info : registry.passes.all())
    EXPECT_TRUE(!StringRef(info->name).starts_with("check-") ||
                here.count(info->name))
        << info->name;
}

TEST(Unreachable, StatesOfProtocols) {
  Runner runner;
  Generated models("protocols with unreachable states", 300);
  for (unsigned seed = 0; seed < models.wanted(); ++seed) {
    models.count();
    Pair p = Generator(seed).protocol();
    for (const char *passes : ofProtocols) {
      std::string facts = runner.facts(passes, p.whole, p.reached);
      ASSERT_EQ(facts, runner.facts(passes, p.reached, p.reached))
          << "seed " << seed << ", " << passes << "\n"
          << p.whole;
      EXPECT_TRUE(!facts.empty() || StringRef(passes) == "verify") << passes;
    }
    // As the specification, too.
    StringRef conforms = "project,check-conforms{spec=P}";
    ASSERT_EQ(runner.facts(conforms, p.reached, p.whole),
              runner.facts(conforms, p.reached, p.reached))
        << p.whole;
  }
}

TEST(Unreachable, StatesOfPeers) {
  Runner runner;
  Generated models("sets of peers with unreachable states", 300);
  for (unsigned seed = 0; seed < models.wanted(); ++seed) {
    models.count();
    Pair p = Generator(seed).peers(), spec = Generator(seed).protocol();
    for (const char *passes : ofPeers) {
      std::string facts = runner.facts(passes, p.whole, spec.whole);
      ASSERT_EQ(facts, runner.facts(passes, p.reached, spec.reached))
          << "seed " << seed << ", " << passes << "\n"
          << p.whole;
      EXPECT_FALSE(facts.empty()) << passes;
    }
  }
}

} // namespace
