//===- TermChainsTest.cpp - Flaws do not depend on who hands on -----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Generated terms with chains, and what the peers of the shortened terms send:
/// told with all steps, it is sent by a naive composition of the peers of the
/// terms themselves, and these do not allow it.
///
//===----------------------------------------------------------------------===//

#include "Generated.h"
#include "IocPromise.h"
#include "Protocols.h"
#include "SendTraces.h"
#include "cif/Check/Peers/ShortSlice.h"
#include "cif/Check/Peers/Synchronizability.h"
#include "cif/Transforms/Normalize.h"
#include <random>

using namespace cif;
using namespace cif::test;

namespace {
/// A chain of steps from \p from to \p to over others who may come more than
/// once, with a choice here and there.
std::string chain(std::mt19937 &random, StringRef from, StringRef to,
                  unsigned &steps) {
  std::string text, at = from.str();
  for (unsigned left = 3 + random() % 5; left-- > 0;) {
    // Nobody sends to itself.
    unsigned who = random() % 4;
    while (at == "h" + std::to_string(who))
      who = random() % 4;
    std::string next = left ? "h" + std::to_string(who) : to.str();
    auto step = [&] {
      return at + " -> " + next + " : n" + std::to_string(steps++);
    };
    const bool chooses = random() % 4 == 0;
    std::string one = step();
    text += (text.empty() ? "" : " ; ") +
            (chooses ? "( " + one + " + " + step() + " )" : one);
    at = next;
  }
  return text;
}

/// A flaw of the short term, told with all steps of \p small; nothing: there
/// is none (\p sends is empty), or it is not told.
std::optional<std::string> toldLines(const ShortSlice &small, StringRef sends) {
  Fact fact;
  fact.witness.emplace();
  SmallVector<StringRef> lines;
  sends.split(lines, '\n', -1, false);
  for (StringRef line : lines)
    fact.witness->steps.push_back({line.str(), Place(), std::string()});
  if (lines.empty())
    return std::nullopt;
  const std::optional<Fact> told = small.told(fact);
  if (!told)
    return std::nullopt;
  std::string text;
  for (const WitnessStep &step : told->witness->steps)
    text += step.label + "\n";
  return text;
}
} // namespace

// A flaw with shorter chains is one with all their steps.
TEST(TermChains, FlawsOfShortChainsAreFlaws) {
  Generated models("short chains with a flaw", 300);
  size_t wanted = models.wanted(), found = 0, tries = 0;
  size_t notTold = 0, notSynchronizable = 0, harmless = 0;
  RandomIoc random(1811);
  std::mt19937 other(1812);
  for (; found < wanted && tries < 1000 * wanted; ++tries) {
    Term first = random.make(1 + tries % 4), last = random.make(3);
    unsigned steps = 0;
    const std::string roles[] = {"r0", "r1", "r2"};
    std::string text = "choreography C { " + source(first, first.root());
    for (unsigned chains = 1 + other() % 2; chains-- > 0;)
      text +=
          " ; " + chain(other, roles[other() % 3], roles[other() % 3], steps);
    text += " ; " + source(last, last.root()) + " }";
    Read read(parseIoc, text);
    ASSERT_TRUE(read.ok) << text << read.diagnostics();
    TestDiagnostics diags;
    ASSERT_TRUE(normalize(read.module, diags.engine)) << text;
    OperationNumbers operations;
    std::optional<Term> term =
        recoverTerm(read.module, read.module.behaviours[0], operations);
    ASSERT_TRUE(term) << text;
    std::optional<ShortTerm> brief = shortenChains(*term);
    std::optional<Lts> global = smallLts(read.module, {false, 0});
    if (!brief || !global)
      continue;
    SearchedParts whole;
    whole.normal = std::make_shared<const Module>(std::move(read.module));
    const ShortSlice small(whole, std::move(*brief));
    std::optional<Lts> own = smallLts(small.module, {false, 0});
    ASSERT_TRUE(own) << text;
    Module peers = peersOf(*global), ownPeers = peersOf(*own);
    NetworkKind network = tries % 2 ? NetworkKind::Bag : NetworkKind::Inbox;
    std::string sends = extraSends(ownPeers, *own, network, 20000);
    harmless += sends.empty();
    std::optional<std::string> told = toldLines(small, sends);
    notTold += !sends.empty() && !told;
    if (told) {
      ++found;
      models.count();
      EXPECT_TRUE(sendsAll(peers, network, *told)) << text << "\n" << *told;
      EXPECT_FALSE(isTrace(*global, *told)) << text << "\n" << *told;
    }
    std::string limit;
    std::optional<Lts> sync =
        synchronousComposition(ownPeers, {}, Limits(), diags.engine, limit);
    ASSERT_TRUE(sync) << text;
    sends = extraSends(ownPeers, *sync, network, 20000);
    if (std::optional<std::string> late = toldLines(small, sends)) {
      ++notSynchronizable;
      EXPECT_TRUE(sendsAll(peers, network, *late)) << text << "\n" << *late;
      EXPECT_FALSE(sendsAll(peers, NetworkKind::Sync, *late)) << text << "\n"
                                                              << *late;
    }
    if (HasFailure())
      return;
  }
  std::printf("short chains: %zu flawed of %zu terms, %zu not told, %zu not "
              "synchronizable, %zu harmless\n",
              found, tries, notTold, notSynchronizable, harmless);
  EXPECT_GE(found, wanted);
  EXPECT_GT(notSynchronizable, 10u);
  EXPECT_GT(notTold, 0u);
  EXPECT_GT(harmless, 10u);
}
