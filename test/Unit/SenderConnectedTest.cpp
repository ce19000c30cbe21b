//===- SenderConnectedTest.cpp - What is proved is never refuted ----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Generated terms, graphs and protocols that are proved to be sender-connected
/// against a naive composition of their projections under every network:
/// whatever these send, the choreography allows.
///
//===----------------------------------------------------------------------===//

#include "Generated.h"
#include "IocPromise.h"
#include "NaivePeers.h"
#include "Protocols.h"
#include "SemanticsModels.h"
#include "SendTraces.h"
#include "cif/Check/Peers/ConnectedProof.h"
#include "cif/Check/Peers/Health.h"
#include "cif/Check/Peers/Implementability.h"
#include "cif/Explore/ExploreModule.h"

using namespace cif;
using namespace cif::test;

namespace {

constexpr NetworkKind allNetworks[] = {
#define CIF_NETWORK(NAME, WORD, TEXT, ORDER, PROPERTIES) NetworkKind::NAME,
#include "cif/Semantics/Networks.def"
};

/// Expects that no network refutes the proof.
void expectKept(const Lts &global, const std::string &what) {
  Module peers = peersOf(global);
  for (NetworkKind network : allNetworks)
    ASSERT_EQ(extraSends(peers, global, network, 1000), "")
        << networkText(network).str() << ": " << what;
}

/// Whether a network shows that the conditions are there for a reason.
bool isRefuted(const Lts &global) {
  return !extraSends(peersOf(global), global, NetworkKind::Bag, 1000).empty();
}

bool proved(const char *text) {
  Read read(parseIoc, std::string("choreography C { ") + text + " }");
  EXPECT_TRUE(read.ok) << read.diagnostics();
  return read.ok && proveConnected(read.module, {false, 0}, Limits()).proved;
}

SenderConnection::Flaw flawOf(const char *text) {
  Read read(parseIoc, std::string("choreography C { ") + text + " }");
  EXPECT_TRUE(read.ok) << read.diagnostics();
  std::optional<IocGraph> graph;
  if (read.ok)
    graph = traceGraph(read.module, {false, 0});
  EXPECT_TRUE(graph);
  Budget budget{Limits()};
  return graph ? findSenderConnection(*graph, budget).flaw
               : SenderConnection::Foreign;
}

/// Steps, choices, forks, joins and merges in any order, with ways back.
Module randomGraph(std::mt19937_64 &random) {
  auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  Module module;
  BehaviourBuilder b(module, BehaviourKind::Choreography, "C");
  NodeId start = b.add(NodeKind::Initial);
  uint32_t roles = 2 + below(3), names = 0;
  auto step = [&] {
    uint32_t from = below(roles), to = (from + 1 + below(roles - 1)) % roles;
    uint32_t name = below(6) ? names++ : below(names + 1);
    return b.interaction("r" + std::to_string(from), "r" + std::to_string(to),
                         "o" + std::to_string(name));
  };
  // Merges first, so that every node has one way in unless it is a join.
  uint32_t size = 4 + below(6);
  std::vector<NodeId> heads, open{start};
  std::vector<NodeId> merges;
  for (uint32_t i = 0; i < size && !open.empty(); ++i) {
    size_t at = below(static_cast<uint32_t>(open.size()));
    NodeId from = open[at];
    open.erase(open.begin() + static_cast<ptrdiff_t>(at));
    switch (below(10)) {
    case 0: { // a choice
      NodeId split = b.add(below(2) ? NodeKind::Choice : NodeKind::EventChoice);
      b.flow(from, split);
      open.insert(open.end(), {split, split});
      break;
    }
    case 1: {
      NodeId fork = b.add(NodeKind::AllSelect);
      b.flow(from, fork);
      open.insert(open.end(), {fork, fork});
      break;
    }
    case 2: // a way back, or together with another one
      if (!merges.empty() && below(2)) {
        b.flow(from, merges[below(static_cast<uint32_t>(merges.size()))]);
        break;
      }
      if (!open.empty()) {
        NodeId join =
            b.add(below(3) ? NodeKind::AllJoin : NodeKind::SimpleJoin);
        b.flow(from, join);
        b.flow(open.back(), join);
        open.back() = join;
        break;
      }
      [[fallthrough]];
    case 3: {
      NodeId merge = b.add(NodeKind::SimpleJoin);
      b.flow(from, merge);
      merges.push_back(merge);
      open.push_back(merge);
      break;
    }
    default: {
      NodeId next = step();
      b.flow(from, next);
      open.push_back(next);
    }
    }
  }
  for (NodeId from : open)
    b.chain({from, step(), b.add(NodeKind::Final)});
  return module;
}

/// A protocol in which mostly who received last sends next, and in which names
/// are rarely used again.
Protocol mostlyConnected(std::mt19937 &random, unsigned tries) {
  Protocol p = randomProtocol(random, tries);
  for (size_t i = 0; i < p.transitions.size(); ++i) {
    Transition &t = p.transitions[i];
    for (size_t j = 0; j < i; ++j)
      if (p.transitions[j].to == t.from && random() % 4) {
        t.sender = p.transitions[j].receiver;
        t.receiver = (t.sender + 1 + random() % (p.peers - 1)) % p.peers;
      }
    if (random() % 3)
      t.message = static_cast<unsigned>(i);
  }
  return p;
}

Module moduleOf(const Protocol &p) {
  Module module;
  SystemDecl decl;
  decl.name = module.intern("P");
  decl.role = SystemRole::Choreography;
  decl.lts = globalOf(p);
  module.systems.push_back(std::move(decl));
  return module;
}

/// What is proved of the health of projections, against exploration.
struct HealthPromise {
  size_t healthy[std::size(allNetworks)] = {}, ordered = 0, bounded = 0,
         implementable = 0, grows = 0;

  /// Whether there was a proof for some network.
  bool compare(const Module &module, ChoreographyRef which, const Lts &global,
               const std::string &what) {
    bool any = false;
    Module peers = peersOf(global);
    for (NetworkKind network : allNetworks) {
      HealthProof proof = proveHealthy(module, which, network, Limits());
      if (!proof.healthy)
        continue;
      any = true;
      ++healthy[static_cast<unsigned>(network)];
      bounded += proof.bounded;
      if (proof.implementable && network == NetworkKind::FifoPair) {
        Implementability li = checkImplementability(global, Limits());
        implementable += li.verdict == Verdict::Holds;
        EXPECT_NE(li.verdict, Verdict::Violated) << what;
        EXPECT_FALSE(li.incoherence) << what;
      }
      for (uint32_t bound : {noBound, 1u, 2u}) {
        TestDiagnostics diags;
        SynchronizabilityOptions options;
        options.network = network;
        options.bound = bound;
        options.reduces = false;
        options.limits.maxStates = 2'000;
        std::optional<Health> health =
            checkHealth(peers, options, diags.engine);
        EXPECT_TRUE(health);
        for (unsigned i = 0; health && i < numHealthProblems; ++i)
          if (i < 3 || proof.bounded) {
            EXPECT_NE(health->findings[i].verdict, Verdict::Violated)
                << networkText(network).str() << " " << bound << " "
                << health->findings[i].text << "\n"
                << what;
          } else {
            grows += health->findings[i].verdict == Verdict::Violated;
          }
      }
    }
    return any;
  }
  void print(const char *name, size_t found, size_t tries) const {
    std::printf("%s: %zu of %zu, proved healthy", name, found, tries);
    for (NetworkKind network : allNetworks)
      std::printf(" %s %zu", networkText(network).str().c_str(),
                  healthy[static_cast<unsigned>(network)]);
    std::printf("; %zu bounded, %zu others grow; %zu implementable\n", bounded,
                grows, implementable);
  }
};

} // namespace

// What the conditions are about, one example each.
TEST(SenderConnected, Examples) {
  EXPECT_TRUE(proved("a -> b : x ; b -> c : y ; c -> a : z"));
  // Who receives need not be told: c waits, whatever happens.
  EXPECT_TRUE(proved("a -> b : x ; ( b -> c : y + b -> a : z )"));
  EXPECT_TRUE(proved("a -> b : x ; ( b -> c : y + b -> d : z ) || a -> e : w"));
  // One operation between different roles is several messages.
  EXPECT_TRUE(proved("a -> b : x ; b -> c : x ; c -> a : x"));
  EXPECT_TRUE(proved("loop { a -> b : x ; b -> a : y }"));
  EXPECT_TRUE(proved("loop { a -> b : x ; b -> a : y } ; a -> c : z"));
  EXPECT_TRUE(proved("rec X { a -> b : x ; b -> a : y ; ( a -> b : z + X ) }"));
  EXPECT_TRUE(proved("rec X { ( a -> b : x ; b -> a : y || a -> c : x ; "
                     "c -> a : y ) ; ( a -> b : z + X ) }"));
  // Both ways to use a message lead the receiver to one place.
  EXPECT_TRUE(proved("( a -> b : x ; a -> c : y + a -> b : x ) ; a -> d : z"));

  // How often it was used before says what a message leads to.
  EXPECT_TRUE(proved("a -> b : x ; b -> a : y ; a -> b : x ; b -> c : z"));
  EXPECT_TRUE(
      proved("loop { a -> b : x ; b -> a : y ; a -> b : x ; b -> a : z }"));
  EXPECT_TRUE(proved("( a -> b : x || a -> c : y ) ; a -> b : x ; b -> c : z"));
  EXPECT_FALSE(
      proved("loop { a -> b : x ; b -> a : y } ; a -> b : x ; b -> c : z"));
  EXPECT_FALSE(proved("( a -> b : w ; ( a -> b : x + 1 ) || a -> c : y ) ; "
                      "a -> b : x ; b -> c : z"));

  EXPECT_EQ(flawOf("a -> b : x ; c -> d : y"), SenderConnection::Untold);
  EXPECT_EQ(flawOf("a -> b : x || c -> d : y"), SenderConnection::None);
  EXPECT_EQ(flawOf("( a -> b : x || c -> d : y ) ; a -> c : z"),
            SenderConnection::Untold);
  EXPECT_EQ(flawOf("a -> b : x + c -> d : y"), SenderConnection::Deciders);
  // b does not know whether it is its turn.
  EXPECT_EQ(flawOf("( b -> a : y ; ( a -> b : x + 1 ) ) ; b -> a : z"),
            SenderConnection::Deciders);
  // After z the last x may be read as the first one.
  EXPECT_EQ(flawOf("( b -> a : x ; a -> b : y + b -> a : z ) ; b -> a : x"),
            SenderConnection::Reused);
  EXPECT_EQ(
      flawOf("( a -> b : x ; b -> a : y ) || ( a -> b : x ; b -> c : z )"),
      SenderConnection::Reused);
  EXPECT_EQ(
      flawOf("( a -> b : x || c -> d : x ) ; ( a -> c : y || c -> a : y )"),
      SenderConnection::Untold);
}

// Two parallel branches, each of which two senders go on from: every one of
// these waits for both.
TEST(SenderConnected, JoinsWithSeveralOwners) {
  const char *text =
      "( a -> b : x || b -> a : y ) ; ( a -> c : z || b -> c : w )";
  EXPECT_TRUE(proved(text));
  Read read(parseIoc, std::string("choreography C { ") + text + " }");
  std::optional<Lts> global = smallLts(read.module, {false, 0});
  ASSERT_TRUE(global);
  expectKept(*global, text);
}

// What the argument is not about is left to the search.
TEST(SenderConnected, PremisesThatDoNotHold) {
  EXPECT_FALSE(proved("a -> b : x(v: bool) ; ( [v] => b -> a : y + "
                      "[!v] => b -> a : z )"));
  EXPECT_FALSE(
      proved("( loop { a -> b : x ; b -> a : y } ; 0 ) [> a -> b : z"));
  EXPECT_FALSE(proved(
      "rec X { a -> b : x ; b -> a : y ; ( X ; a -> b : w + a -> b : z ) }"));
  auto make = [](auto wire) {
    Module module;
    BehaviourBuilder b(module, BehaviourKind::Choreography, "C");
    NodeId start = b.add(NodeKind::Initial), end = b.add(NodeKind::Final);
    wire(b, start, end);
    return proveConnected(module, {false, 0}, Limits()).proved;
  };
  // A join that waits for what never comes: nothing happens after x, and the
  // graph without the dead way would have y.
  EXPECT_FALSE(make([](BehaviourBuilder &b, NodeId start, NodeId end) {
    NodeId join = b.add(NodeKind::AllJoin), dead = b.add(NodeKind::SimpleJoin);
    b.chain({start, b.interaction("a", "b", "x"), join,
             b.interaction("b", "a", "y"), end});
    b.chain({dead, b.interaction("a", "b", "z"), dead});
    b.flow(dead, join);
  }));
  // Two starts, an inclusive split.
  EXPECT_FALSE(make([](BehaviourBuilder &b, NodeId start, NodeId end) {
    b.chain({start, b.interaction("a", "b", "x"), end});
    b.chain({b.add(NodeKind::Initial), b.interaction("a", "b", "y"), end});
  }));
  EXPECT_FALSE(make([](BehaviourBuilder &b, NodeId start, NodeId end) {
    NodeId split = b.add(NodeKind::SubsetSelect);
    b.chain({start, split, b.interaction("a", "b", "x"), end});
    b.chain({split, b.interaction("a", "b", "y"), end});
  }));
  EXPECT_TRUE(make([](BehaviourBuilder &b, NodeId start, NodeId end) {
    b.chain({start, b.interaction("a", "b", "x"), end});
  }));
}

// A limit means no proof.
TEST(SenderConnected, StopsAtALimit) {
  std::string text = "a -> b : x";
  for (int i = 0; i < 3000; ++i)
    text += " ; a -> b : x" + std::to_string(i);
  Read read(parseIoc, "choreography C { " + text + " }");
  ASSERT_TRUE(read.ok);
  EXPECT_TRUE(proveConnected(read.module, {false, 0}, Limits()).proved);
  interrupted = true;
  EXPECT_FALSE(proveConnected(read.module, {false, 0}, Limits()).proved);
  interrupted = false;
}

TEST(SenderConnected, TermsKeepThePromise) {
  Generated models("terms that are proved", 300);
  size_t wanted = models.wanted(), found = 0, tries = 0;
  size_t others = 0, refuted = 0;
  RandomIoc random(1800);
  for (; found < wanted && tries < 200 * wanted; ++tries) {
    Term term = random.make(3 + tries % 7, tries % 2);
    std::string text = "choreography C { " + source(term, term.root()) + " }";
    Read read(parseIoc, text);
    ASSERT_TRUE(read.ok) << text << read.diagnostics();
    std::optional<Lts> global = smallLts(read.module, {false, 0});
    if (!global || participantsOf(*global).size() < 2)
      continue;
    if (!proveConnected(read.module, {false, 0}, Limits()).proved) {
      ++others;
      refuted += others % 4 == 0 && isRefuted(*global);
      continue;
    }
    ++found;
    models.count();
    expectKept(*global, text);
    if (HasFatalFailure())
      return;
  }
  std::printf("terms: %zu of %zu; of %zu others %zu are refuted\n", found,
              tries, others / 4, refuted);
  EXPECT_EQ(found, wanted);
  EXPECT_GT(refuted, 0u);
}

TEST(SenderConnected, GraphsKeepThePromise) {
  Generated models("graphs that are proved", 150);
  size_t wanted = models.wanted(), found = 0, tries = 0;
  size_t cyclic = 0;
  std::mt19937_64 random(1801);
  for (; found < wanted && tries < 3000 * wanted; ++tries) {
    Module module = randomGraph(random);
    if (!proveConnected(module, {false, 0}, Limits()).proved)
      continue;
    std::optional<Lts> global = smallLts(module, {false, 0});
    if (!global || participantsOf(*global).size() < 2 ||
        global->numTransitions() < 3)
      continue;
    ++found;
    models.count();
    expectKept(*global, "try " + std::to_string(tries));
    if (HasFatalFailure())
      return;
    cyclic += global->numTransitions() >= global->numStates();
  }
  std::printf("graphs: %zu of %zu, %zu with loops or diamonds\n", found, tries,
              cyclic);
  EXPECT_EQ(found, wanted);
}

TEST(SenderConnected, ProtocolsKeepThePromise) {
  Generated models("protocols that are proved", 300);
  size_t wanted = models.wanted(), found = 0, tries = 0;
  std::mt19937 random(1802);
  for (; found < wanted && tries < 3000 * wanted; ++tries) {
    Protocol p = mostlyConnected(random, static_cast<unsigned>(tries));
    Module module = moduleOf(p);
    if (!proveConnected(module, {true, 0}, Limits()).proved)
      continue;
    ++found;
    models.count();
    expectKept(module.systems[0].lts, "try " + std::to_string(tries));
    if (HasFatalFailure())
      return;
    // The same as the reader of protocols makes it.
    EXPECT_TRUE(proveConnected(graphOf(p), {false, 0}, Limits()).proved);
  }
  std::printf("protocols: %zu of %zu\n", found, tries);
  EXPECT_EQ(found, wanted);
}

/// Whether the peers send with unordered messages what they do by handshakes;
/// \p complete is cleared where that is not known.
static bool isSynchronizable(const Module &peers, bool &complete) {
  TestDiagnostics diags;
  std::string limit;
  std::optional<Lts> sync =
      synchronousComposition(peers, {}, Limits(), diags.engine, limit);
  EXPECT_TRUE(sync);
  bool done = false;
  bool none = extraSends(peers, *sync, NetworkKind::Bag, 20000, &done).empty();
  complete &= done;
  return none;
}

/// Parts are looked for within the run's limits: with many branches that takes
/// longer than the search that the limits are for.
TEST(SenderConnected, PartsKeepToTheLimits) {
  Read read(parseIoc, "choreography C { ( a -> b : x ; b -> e : y || "
                      "a -> c : v ; c -> e : w ) ; e -> a : z ; "
                      "p -> q : early }");
  ASSERT_TRUE(read.ok);
  EXPECT_FALSE(
      proveConnected(read.module, {false, 0}, Limits()).left.parts.empty());
  Limits over;
  over.setTimeout(0);
  EXPECT_TRUE(proveConnected(read.module, {false, 0}, over).left.parts.empty());
}

/// To take a large choreography apart takes longer than to search its slices.
TEST(SenderConnected, PartsAreLookedForWithoutSlices) {
  Read read(parseIoc, "choreography C { ( a -> b : x ; b -> e : y || "
                      "a -> c : v ; c -> e : w ) ; e -> a : z ; "
                      "p -> q : early }");
  ASSERT_TRUE(read.ok);
  SearchedParts left =
      proveConnected(read.module, {false, 0}, Limits(), /*largeFrom=*/0).left;
  EXPECT_FALSE(left.slices.empty());
  EXPECT_TRUE(left.parts.empty());
}

/// The exchanges of \p run, one a line.
static std::string lines(const SearchedParts &parts, ArrayRef<NodeId> run) {
  std::string text;
  for (NodeId step : run)
    text += parts.label(step) + "\n";
  return text;
}

/// Expects that the peers of \p global send \p sends after handshakes, and that
/// the choreography does not allow it.
static void expectFlaw(const Lts &global, const std::string &handshakes,
                       const std::string &sends, const std::string &text) {
  Module peers = peersOf(global);
  EXPECT_TRUE(sendsAll(peers, NetworkKind::Sync, handshakes)) << text;
  EXPECT_TRUE(sendsAll(peers, NetworkKind::Bag, handshakes + sends)) << text;
  EXPECT_FALSE(isTrace(global, handshakes + sends)) << text;
}

namespace {
/// Beginnings of parts against the parts.
struct Starts {
  size_t holds = 0, flawed = 0, last = 0;

  void compare(const SearchedParts &left, const SearchedPart &part,
               const Lts &own, const std::string &lead, const Lts &global,
               bool isRun, const std::string &text) {
    std::optional<Lts> start = smallLts(left.moduleOf(*part.start), {false, 0});
    ASSERT_TRUE(start) << text;
    for (NetworkKind network : allNetworks) {
      bool complete = false, known = false;
      std::string begun =
          extraSends(peersOf(*start), *start, network, 5000, &complete);
      std::string sends = extraSends(peersOf(own), own, network, 5000, &known);
      if (!complete)
        continue;
      holds += begun.empty() && known;
      EXPECT_TRUE(!begun.empty() || sends.empty())
          << networkText(network).str() << " " << text;
      if (begun.empty())
        continue;
      if (StringRef(begun).contains(left.newName())) {
        ++last;
        continue;
      }
      ++flawed;
      EXPECT_TRUE(sendsAll(peersOf(own), network, begun)) << text;
      EXPECT_FALSE(isTrace(own, begun)) << text;
      if (isRun && network == NetworkKind::Bag &&
          llvm::none_of(part.later, [&](NodeId step) {
            return StringRef(lead + begun).contains(left.label(step) + "\n");
          }))
        expectFlaw(global, lead, begun, text);
    }
  }
};
} // namespace

// What is searched in parts has the answer of the whole, and a flaw in a part
// is a run of the whole.
TEST(SenderConnected, PartsAgreeWithTheWhole) {
  Generated models("terms in parts", 150);
  size_t wanted = models.wanted(), found = 0, tries = 0;
  size_t flawed = 0, lifted = 0, kept = 0, behindOthers = 0, behindProof = 0;
  Starts ends;
  RandomIoc random(1803);
  for (; found < wanted && tries < 1000 * wanted; ++tries) {
    Term term = random.make(4 + tries % 6);
    std::string text = "choreography C { " + source(term, term.root()) + " }";
    Read read(parseIoc, text);
    ASSERT_TRUE(read.ok) << text << read.diagnostics();
    SearchedParts left = proveConnected(read.module, {false, 0}, Limits()).left;
    std::optional<Lts> global = smallLts(read.module, {false, 0});
    if (left.parts.empty() || !global)
      continue;
    bool complete = false, all = true, anyFlaw = false, anyRun = false,
         anyRest = false;
    std::string whole = extraSends(peersOf(*global), *global, NetworkKind::Bag,
                                   20000, &complete);
    bool wholeSync = isSynchronizable(peersOf(*global), complete),
         allSync = true;
    for (const SearchedPart &part : left.parts) {
      std::optional<Lts> own = smallLts(left.moduleOf(part.term), {false, 0});
      ASSERT_TRUE(own) << text;
      bool done = false;
      std::string sends =
          extraSends(peersOf(*own), *own, NetworkKind::Bag, 20000, &done);
      all &= done;
      allSync &= isSynchronizable(peersOf(*own), all);
      behindProof += !part.lead.empty();
      anyFlaw |= !sends.empty();
      std::string lead = lines(left, part.lead);
      bool isRun =
          !sends.empty() && llvm::none_of(part.later, [&](NodeId step) {
            return StringRef(lead + sends).contains(left.label(step) + "\n");
          });
      anyRun |= isRun;
      if (isRun)
        expectFlaw(*global, lead, sends, text);
      if (part.start)
        ends.compare(left, part, *own, lead, *global, isRun, text);
      if (!part.before)
        continue;
      // A flaw of the rest is one of the whole, behind what comes before.
      std::optional<Lts> last = smallLts(
          left.moduleOf(part.rest ? *part.rest : part.term), {false, 0});
      ASSERT_TRUE(last) << text;
      std::string behind =
          extraSends(peersOf(*last), *last, NetworkKind::Bag, 20000, &done);
      all &= done;
      anyRest |= !behind.empty();
      if (!behind.empty())
        expectFlaw(*global, lines(left, *part.before), behind, text);
    }
    if (!complete || !all)
      continue;
    ++found;
    models.count();
    EXPECT_TRUE(anyFlaw || whole.empty()) << text << "\n" << whole;
    EXPECT_TRUE(!allSync || wholeSync) << text;
    EXPECT_TRUE(!anyRun || !whole.empty()) << text;
    EXPECT_TRUE(!anyRest || !whole.empty()) << text;
    behindOthers += anyRest;
    flawed += anyFlaw;
    lifted += anyRun;
    kept += whole.empty();
  }
  std::printf("parts: %zu of %zu, %zu flawed, %zu without what follows, %zu "
              "whole ones are realizable\n",
              found, tries, flawed, lifted, kept);
  EXPECT_EQ(found, wanted);
  EXPECT_GT(lifted, 10u);
  EXPECT_GT(behindOthers, 10u);
  std::printf("beginnings of parts: %zu hold, %zu flawed, %zu by their last "
              "message\n",
              ends.holds, ends.flawed, ends.last);
  EXPECT_GT(behindProof, 10u);
  EXPECT_GT(ends.holds, 10u);
  EXPECT_GT(ends.flawed, 10u);
  EXPECT_GT(ends.last, 0u);
  EXPECT_GT(kept, 0u);
}

// A flaw of a slice is a flaw of the whole, behind what comes before.
TEST(SenderConnected, FlawsOfSlicesAreFlawsOfTheWhole) {
  Generated models("slices with a flaw", 1500);
  size_t wanted = models.wanted(), found = 0, tries = 0;
  size_t behind = 0, notSynchronizable = 0, harmless = 0;
  RandomIoc random(1806);
  std::mt19937 other(1807);
  for (; found < wanted && tries < 1000 * wanted; ++tries) {
    Term term = random.make(4 + tries % 8, tries % 3 == 0);
    // Some steps by others, who were told nothing.
    term.numRoles = 5;
    for (size_t i = 0; i < term.size(); ++i)
      if (term.nodes[i].kind == TermKind::Action && other() % 6 == 0)
        term.nodes[i].action = {static_cast<uint32_t>(3 + i % 2),
                                other() % 2 ? static_cast<uint32_t>(4 - i % 2)
                                            : 0,
                                term.nodes[i].action.operation};
    std::string text = "choreography C { " + source(term, term.root()) + " }";
    Read read(parseIoc, text);
    ASSERT_TRUE(read.ok) << text << read.diagnostics();
    SearchedParts left =
        proveConnected(read.module, {false, 0}, Limits(), /*largeFrom=*/0).left;
    std::optional<Lts> global = smallLts(read.module, {false, 0});
    if (left.slices.empty() || !global)
      continue;
    Module peers = peersOf(*global);
    for (const SearchedPart &slice : left.slices) {
      std::optional<Lts> own = smallLts(left.moduleOf(slice.term), {false, 0});
      ASSERT_TRUE(own) << text;
      Module ownPeers = peersOf(*own);
      std::string before = lines(left, slice.lead);
      NetworkKind network = tries % 2 ? NetworkKind::Bag : NetworkKind::Inbox;
      std::string sends = extraSends(ownPeers, *own, network, 20000);
      harmless += sends.empty();
      if (!sends.empty()) {
        ++found;
        models.count();
        behind += !before.empty();
        EXPECT_TRUE(sendsAll(peers, NetworkKind::Sync, before)) << text;
        EXPECT_TRUE(sendsAll(peers, network, before + sends)) << text;
        EXPECT_FALSE(isTrace(*global, before + sends)) << text << "\n" << sends;
      }
      TestDiagnostics diags;
      std::string limit;
      std::optional<Lts> sync =
          synchronousComposition(ownPeers, {}, Limits(), diags.engine, limit);
      ASSERT_TRUE(sync) << text;
      sends = extraSends(ownPeers, *sync, network, 20000);
      if (!sends.empty()) {
        ++notSynchronizable;
        EXPECT_TRUE(sendsAll(peers, network, before + sends)) << text;
        EXPECT_FALSE(sendsAll(peers, NetworkKind::Sync, before + sends))
            << text << "\n"
            << sends;
      }
    }
    if (HasFailure())
      return;
  }
  std::printf("slices: %zu flawed of %zu terms, %zu behind something, %zu not "
              "synchronizable, %zu harmless\n",
              found, tries, behind, notSynchronizable, harmless);
  EXPECT_GE(found, wanted);
  EXPECT_GT(behind, 10u);
  EXPECT_GT(notSynchronizable, 10u);
  EXPECT_GT(found, notSynchronizable);
  EXPECT_GT(harmless, 10u);
}

/// Compares what \p make makes at the tries that it is given, until there are
/// enough proofs. Nothing: what it made does not count.
static void
compareHealth(const char *what, unsigned usual, size_t triesEach,
              HealthPromise &promise,
              function_ref<std::optional<Module>(size_t, std::string &)> make) {
  Generated models(what, usual);
  size_t found = 0, tries = 0;
  for (; found < models.wanted() && tries < triesEach * models.wanted();
       ++tries) {
    std::string text = "try " + std::to_string(tries);
    std::optional<Module> module = make(tries, text);
    std::optional<Lts> global =
        module ? smallLts(*module, {false, 0}) : std::nullopt;
    if (!global || participantsOf(*global).size() < 2 ||
        !promise.compare(*module, {false, 0}, *global, text))
      continue;
    ++found;
    models.count();
    if (testing::Test::HasFailure())
      return;
  }
  promise.print(what, found, tries);
  EXPECT_EQ(found, models.wanted());
}

static std::optional<Module> ifConnected(Module module) {
  if (!proveConnected(module, {false, 0}, Limits()).proved)
    return std::nullopt;
  return module;
}

// Peers of what is proved never get stuck and lose nothing.
TEST(SenderConnected, TermsAreHealthy) {
  HealthPromise promise;
  RandomIoc random(1804);
  compareHealth("terms for their health", 200, 200, promise,
                [&](size_t tries, std::string &text) {
                  Term term = random.make(3 + tries % 7, tries % 2);
                  text = "choreography C { " + source(term, term.root()) + " }";
                  Read read(parseIoc, text);
                  EXPECT_TRUE(read.ok) << text << read.diagnostics();
                  return ifConnected(std::move(read.module));
                });
  EXPECT_GT(promise.bounded, 0u);
}

TEST(SenderConnected, GraphsAreHealthy) {
  HealthPromise promise;
  std::mt19937_64 random(1805);
  compareHealth(
      "graphs for their health", 50, 5000, promise,
      [&](size_t, std::string &) { return ifConnected(randomGraph(random)); });
}

TEST(SenderConnected, ProtocolsAreHealthy) {
  HealthPromise promise;
  std::mt19937 random(1806);
  compareHealth("protocols for their health", 200, 3000, promise,
                [&](size_t tries, std::string &) -> std::optional<Module> {
                  Protocol p =
                      mostlyConnected(random, static_cast<unsigned>(tries));
                  return graphOf(p);
                });
  EXPECT_GT(promise.implementable, 0u);
  EXPECT_GT(promise.grows, 0u);
}
