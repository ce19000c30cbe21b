//===- GapsTest.cpp - Amendments that need no search ----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is claimed of filled gaps, for generated choreographies: the peers of
/// the amended one send nothing else under any network, and every smaller set
/// of the candidates lets them, by a naive composition of the peers.
///
//===----------------------------------------------------------------------===//

#include "cif/Repair/Gaps.h"
#include "Generated.h"
#include "NaivePeers.h"
#include "Protocols.h"
#include "TextFrontEndTest.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/Repair/Amendment.h"
#include "cif/Transforms/Normalize.h"
#include "cif/Transforms/Project.h"

using namespace cif;
using namespace cif::test;

namespace {

/// A term of four roles; most messages occur once.
std::string randomTerm(std::mt19937 &random, unsigned size, unsigned &used) {
  auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  if (size == 1) {
    unsigned from = below(4), to = (from + 1 + below(3)) % 4;
    unsigned name = below(10) || !used ? used++ : below(used);
    return std::string(1, "abcd"[from]) + " -> " + "abcd"[to] + " : m" +
           std::to_string(name);
  }
  unsigned left = 1 + below(size - 1);
  std::string first = randomTerm(random, left, used),
              second = randomTerm(random, size - left, used);
  unsigned kind = below(8);
  if (kind == 0 && size < 4)
    return "loop { " + first + " ; " + second + " }";
  return "( " + first +
         (kind < 2    ? " || "
          : kind == 2 ? " + "
                      : " ; ") +
         second + " )";
}

struct Amendable {
  explicit Amendable(const std::string &term)
      : read(parseIoc, "choreography C { " + term + " }") {
    EXPECT_TRUE(read.ok) << read.diagnostics();
    EXPECT_TRUE(normalize(read.module, read.engine));
    Budget budget{Limits()};
    all = findSynchronisations(read.module, graph(), Tellers::Participants,
                               budget);
  }
  const Behaviour &graph() const { return read.module.behaviours[0]; }

  std::optional<Amendment> amended() {
    return amendWithoutSearch(read.module, 0, graph(), {}, read.engine);
  }

  /// What the peers send under \p network that the choreography with \p set
  /// does not allow.
  std::string extra(ArrayRef<uint32_t> set, NetworkKind network) {
    Module module = read.module.clone();
    std::vector<Synchronisation> chosen;
    std::vector<MessageId> messages;
    FreshMessageNames names(module);
    for (uint32_t c : set) {
      chosen.push_back(all[c]);
      messages.push_back(module.getMessage(module.intern(names.make("sync")),
                                           all[c].from, all[c].to));
    }
    module.behaviours[0] = insertSynchronisations(graph(), chosen, messages);
    Outcome<GlobalLts> global =
        globalLts(module, {false, 0}, Limits(), read.engine);
    EXPECT_TRUE(global);
    return extraSends(peersOf(global->lts), global->lts, network, 3000);
  }

  Read read;
  std::vector<Synchronisation> all;
};

/// The number of interactions that fill the gaps of \p term; nothing: that is
/// not known to be enough.
std::optional<size_t> filled(const char *term) {
  Amendable model(term);
  std::optional<Amendment> found = model.amended();
  return found ? std::optional(found->added.size()) : std::nullopt;
}

/// Every set of \p size candidates, in lexical order; false from \p each ends.
void eachSet(size_t all, size_t size,
             function_ref<bool(ArrayRef<uint32_t>)> each) {
  std::vector<uint32_t> set(size);
  for (size_t i = 0; i < size; ++i)
    set[i] = static_cast<uint32_t>(i);
  while (size <= all && each(set)) {
    size_t i = size;
    while (i > 0 && set[i - 1] + (size - i) + 1 == all)
      --i;
    if (i == 0)
      return;
    ++set[i - 1];
    for (; i < size; ++i)
      set[i] = set[i - 1] + 1;
  }
}
} // namespace

TEST(Gaps, Filled) {
  EXPECT_EQ(filled("a -> b : o ; c -> d : p"), 1u);
  EXPECT_EQ(filled("a -> b : o ; c -> d : p ; a -> b : q"), 2u);
  // After a fork, and in branches of their own.
  EXPECT_EQ(filled("a -> b : o ; ( c -> d : p || b -> d : q )"), 1u);
  EXPECT_EQ(filled("( a -> b : o ; c -> d : p ) || "
                   "( e -> f : q ; g -> h : r )"),
            2u);
  // At a join, and who is told of one branch only.
  EXPECT_EQ(filled("( a -> b : o || b -> c : p ) ; c -> d : q"), 1u);
  // One message tells c of o for both branches; two roles are told apart.
  EXPECT_EQ(filled("a -> b : o ; ( c -> d : p + c -> b : q )"), 1u);
  EXPECT_EQ(filled("a -> b : o ; ( c -> d : p || c -> b : q )"), 1u);
  EXPECT_EQ(filled("a -> b : o ; ( c -> d : p || d -> b : q )"), 2u);
}

// More candidates than flows, and than a word has bits.
TEST(Gaps, Many) {
  std::string term = "p0 -> q0 : m0";
  for (int i = 1; i < 200; ++i)
    term += (" ; p" + Twine(i) + " -> q" + Twine(i) + " : m" + Twine(i)).str();
  EXPECT_EQ(filled(term.c_str()), 199u);
}

TEST(Gaps, NotKnown) {
  // There is nothing to do.
  EXPECT_EQ(filled("a -> b : o ; b -> d : p"), std::nullopt);
  // The message may be another one.
  EXPECT_EQ(filled("a -> b : o ; c -> d : p ; c -> d : p"), std::nullopt);
  // Whoever takes part in g need not be told of e.
  EXPECT_EQ(filled("a -> b : e ; ( 1 || b -> c : g ) ; c -> d : f"),
            std::nullopt);
  // Two roles decide, which nothing that is added repairs.
  EXPECT_EQ(filled("a -> b : o ; ( c -> d : p + d -> c : q )"), std::nullopt);
}

TEST(Gaps, NothingSmallerIsEnough) {
  std::mt19937 random(23);
  Generated models("amendments with all smaller ones", 150);
  size_t most = 0, sets = 0;
  for (unsigned tries = 0; models.done() < models.wanted(); ++tries) {
    ASSERT_LT(tries, 60 * models.wanted()) << "too few have gaps";
    unsigned used = 0;
    std::string term = randomTerm(random, 2 + random() % 5, used);
    Amendable model(term);
    std::optional<Amendment> found = model.amended();
    if (!found)
      continue;
    models.count();
    std::optional<std::vector<uint32_t>> chosen =
        fillGaps(model.read.module, model.graph(), model.all);
    ASSERT_TRUE(chosen);
    ASSERT_EQ(chosen->size(), found->added.size());
    for (NetworkKind network :
         {NetworkKind::Inbox, NetworkKind::FifoPair, NetworkKind::Bag})
      ASSERT_EQ(model.extra(*chosen, network), "") << term;
    most = std::max(most, chosen->size());
    for (size_t size = 0; size < chosen->size(); ++size) {
      size_t asked = 0;
      eachSet(model.all.size(), size, [&](ArrayRef<uint32_t> set) {
        EXPECT_NE(model.extra(set, NetworkKind::Inbox), "") << term;
        ++sets;
        return !testing::Test::HasFailure() && ++asked < 60;
      });
    }
    // What each one is for is shown.
    for (const std::vector<Label> &trace : found->without)
      EXPECT_FALSE(trace.empty()) << term;
    if (HasFailure())
      return;
  }
  EXPECT_GE(most, 3u);
  EXPECT_GT(sets, 5 * models.done());
}
