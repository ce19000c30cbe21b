//===- ConnectedCheckerTest.cpp - Proofs of sender-connectedness ----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The rules N and C of docs/certificates.md, each with a proof that breaks it
/// alone; proofs that the checks write; and random ones, of which none may be
/// accepted whose choreography sends what it does not say.
///
//===----------------------------------------------------------------------===//

#include "CifCheck.h"
#include "Generated.h"
#include "IocPromise.h"
#include "NaivePeers.h"
#include "Protocols.h"
#include "SemanticsModels.h"
#include "cif/Check/Peers/ConnectedProof.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/Serialization/Binary.h"

using namespace cif;
using namespace cif::test;

namespace {

std::string binaryOf(const Module &module) {
  TestDiagnostics diags;
  std::string text;
  llvm::raw_string_ostream os(text);
  EXPECT_TRUE(writeBinary(module, os, diags.engine));
  return text;
}

/// An LTS from `0 a b x 1, 1 tau 2`, as a choreography that starts in 0.
Module automaton(StringRef steps) {
  LtsBuilder builder;
  SmallVector<StringRef> all;
  steps.split(all, ", ");
  StateIndex most = 0;
  for (StringRef step : all) {
    SmallVector<StringRef> words;
    step.split(words, ' ');
    StateIndex from = 0, to = 0;
    EXPECT_FALSE(words[0].getAsInteger(10, from));
    EXPECT_FALSE(words.back().getAsInteger(10, to));
    LabelIndex label =
        words.size() == 3
            ? tauLabel
            : builder.labels.intern({LabelKind::Exchange, words[1].str(),
                                     words[2].str(), words[3].str()});
    builder.add(from, label, to);
    most = std::max({most, from, to});
  }
  Module module;
  SystemDecl decl;
  decl.name = module.intern("P");
  decl.role = SystemRole::Choreography;
  decl.lts = std::move(builder).finish(0, most + 1);
  module.systems.push_back(std::move(decl));
  return module;
}

/// \p next: `0 1 0, 1 1 1`; \p counts: `0 2 0 1 1 2`.
std::string proof(StringRef next, StringRef counts = "") {
  auto list = [](StringRef name, StringRef items) {
    SmallVector<StringRef> all;
    items.split(all, ", ", -1, false);
    std::string text = (name + " " + Twine(all.size()) + "\n").str();
    for (StringRef item : all)
      text += item.str() + "\n";
    return text;
  };
  return "cif-certificate 1\nproperty sender-connected\n" + list("next", next) +
         list("counts", counts) + "end\n";
}

void accepts(const std::string &certificate, const Module &module) {
  std::string said;
  EXPECT_EQ(runConnectedCheck(certificate, binaryOf(module), said), 0)
      << said << "\n"
      << certificate;
}

void refuses(StringRef why, const std::string &certificate,
             const Module &module) {
  std::string said;
  EXPECT_NE(runConnectedCheck(certificate, binaryOf(module), said), 0)
      << certificate;
  EXPECT_TRUE(StringRef(said).contains(why)) << said << "\n" << certificate;
}

/// The only choreography of an IOC text.
void refusesText(StringRef why, const char *text) {
  Read read(parseIoc, std::string("choreography C { ") + text + " }");
  ASSERT_TRUE(read.ok) << read.diagnostics();
  refuses(why, proof(""), read.module);
}

} // namespace

TEST(ConnectedChecker, Form) {
  Module chain = automaton("0 a b x 1, 1 b c y 2");
  accepts(proof("0 1 0, 1 1 1"), chain);
  refuses("found 'more'", proof("0 1 0, 1 1 1") + "more", chain);
  refuses("expected 'next'",
          "cif-certificate 1 property sender-connected counts 0 end", chain);
  refuses("expected 'sender-connected'", "cif-certificate 1 property other",
          chain);
  refuses("too large", proof("9 1 0"), chain);
  refuses("not a step", proof("0 1 7"), chain);
  std::string said;
  EXPECT_EQ(runConnectedCheck(proof("0 1 0"), "nothing", said), 2);
}

// Who sends next sees what comes before.
TEST(ConnectedChecker, Owners) {
  Module chain = automaton("0 a b x 1, 1 b c y 2");
  refuses("its sender is not the one", proof("1 1 1"), chain);
  refuses("its sender is not the one", proof("0 2 0 1, 1 1 1"), chain);
  refuses("'c' sends next and does not see it", proof("0 1 0, 1 1 1"),
          automaton("0 a b x 1, 1 c d y 2"));
  Module silent = automaton("0 tau 1, 1 a b x 2");
  accepts(proof("0 1 1, 1 1 1"), silent);
  refuses("'a' sends next and does not see it", proof("1 1 1"), silent);
  refuses("a choice of several senders", proof("0 2 2 3, 1 1 2, 2 1 3"),
          automaton("0 tau 1, 0 tau 2, 1 a b x 3, 2 b a y 3"));
  // What can never happen does not matter.
  accepts(proof("0 1 0"), automaton("0 a b x 1, 2 c d y 3"));
}

// The k-th use of a message leads its receiver to one place.
TEST(ConnectedChecker, Reuse) {
  Module twice = automaton("0 a b x 1, 1 b a y 2, 2 a b x 3, 3 b c z 4");
  const char *next = "0 1 0, 1 1 1, 2 1 2, 3 1 3";
  refuses("leads its receiver elsewhere", proof(next), twice);
  accepts(proof(next, "0 3 0 1 1 2 2 2"), twice);
  refuses("leads its receiver elsewhere", proof(next, "0 3 0 1 1 1 2 1"),
          twice);
  refuses("a use that is not counted", proof(next, "0 2 0 1 1 2"), twice);
  refuses("a count changes without a use", proof(next, "0 3 0 1 1 2 2 1"),
          twice);
  refuses("a use is followed by two kinds", proof(next, "0 4 0 1 1 1 2 1 3 2"),
          twice);
  // Two uses that lead to the same place need no counting.
  accepts(proof("0 1 0, 1 1 2, 2 1 3, 3 1 4"),
          automaton("0 a b x 1, 0 a b w 2, 1 b a y 3, 2 b a y 3, 3 a b v 4"));
  // A token in each of two branches cannot count.
  Module module;
  BehaviourBuilder b(module, BehaviourKind::Choreography, "C");
  NodeId start = b.add(NodeKind::Initial), fork = b.add(NodeKind::AllSelect),
         x = b.interaction("a", "b", "x"), y = b.interaction("a", "b", "y");
  b.chain({start, fork, x, b.add(NodeKind::Final)}); // flows 0, 1, 2
  b.chain({fork, y, b.add(NodeKind::Final)});        // flows 3, 4
  accepts(proof("0 1 2, 1 1 2, 3 1 3"), module);
  accepts(proof("0 1 2, 1 1 2, 3 1 3", "2 2 0 1 1 1"), module);
  refuses("two tokens count one message",
          proof("0 1 2, 1 1 2, 3 1 3", "2 3 0 1 1 1 3 1"), module);
}

// What a net does not say is refused.
TEST(ConnectedChecker, Modules) {
  refusesText("a guard decides", "a -> b : x(v: bool) ; ( [v] => b -> a : y + "
                                 "[!v] => b -> a : z )");
  refusesText("not covered",
              "rec X { a -> b : x ; b -> a : y ; ( a -> b : z + X ) }");
  refusesText("not covered",
              "( loop { a -> b : x ; b -> a : y } ; 0 ) [> a -> b : z");
  Module module;
  BehaviourBuilder b(module, BehaviourKind::Choreography, "C");
  NodeId end = b.add(NodeKind::Final);
  b.chain({b.add(NodeKind::Initial), b.interaction("a", "b", "x"), end});
  accepts(proof("0 1 2"), module);
  Module two = module.clone();
  two.participants[0].maximum = 2;
  refuses("several instances", proof("0 1 2"), two);
  b.chain({b.add(NodeKind::Initial), b.interaction("a", "b", "y"), end});
  refuses("not exactly one start", proof("0 1 2"), module);
}

// What the checks write is accepted.
TEST(ConnectedChecker, WrittenProofs) {
  Generated models("certificates of terms and protocols", 300);
  RandomIoc terms(1900);
  std::mt19937 random(1901);
  size_t counted = 0;
  for (unsigned i = 0; models.done() < models.wanted(); ++i) {
    Module module;
    ChoreographyRef which{i % 2 == 1, 0};
    if (which.isSystem) {
      SystemDecl decl;
      decl.name = module.intern("P");
      decl.role = SystemRole::Choreography;
      decl.lts = globalOf(randomProtocol(random, i));
      module.systems.push_back(std::move(decl));
    } else {
      Term term = terms.make(3 + i % 7, i % 4 == 0);
      Read read(parseIoc,
                "choreography C { " + source(term, term.root()) + " }");
      ASSERT_TRUE(read.ok);
      module = std::move(read.module);
    }
    bool isNormal = false;
    std::optional<std::string> text =
        connectedCertificate(module, which, Limits(), isNormal);
    ASSERT_LE(text.has_value(), proveConnected(module, which, Limits()).proved);
    if (!text)
      continue;
    models.count();
    counted += !StringRef(*text).contains("counts 0");
    accepts(*text, module);
    if (HasFailure())
      return;
  }
  EXPECT_GT(counted, 0u);
}

// No proof, however it came about, shows what is not so.
TEST(ConnectedChecker, RandomProofs) {
  Generated models("random proofs of random protocols", 3000);
  std::mt19937 random(1902);
  size_t accepted = 0, counting = 0;
  for (unsigned i = 0; i < models.wanted(); ++i) {
    Protocol p = randomProtocol(random, i);
    if (i % 2)
      for (size_t t = 1; t < p.transitions.size(); ++t) {
        Transition &one = p.transitions[t];
        for (size_t j = 0; j < t; ++j)
          if (p.transitions[j].to == one.from) {
            one.sender = p.transitions[j].receiver;
            one.receiver =
                (one.sender + 1 + random() % (p.peers - 1)) % p.peers;
          }
      }
    Module module;
    SystemDecl decl;
    decl.name = module.intern("P");
    decl.role = SystemRole::Choreography;
    decl.lts = globalOf(p);
    const Lts &lts = decl.lts;
    std::string next, counts;
    for (StateIndex s = 0; s < lts.numStates(); ++s) {
      std::string steps;
      size_t number = 0;
      for (uint32_t t = lts.rowBegin[s]; t < lts.rowBegin[s + 1]; ++t)
        if (random() % 40) {
          ++number;
          steps += " " + std::to_string(t);
        }
      next += (s ? ", " : "") + std::to_string(s) + " " +
              std::to_string(number) + steps;
    }
    for (uint32_t t = 0; t < lts.numTransitions(); ++t) {
      if (random() % 3)
        continue;
      counts += (counts.empty() ? "" : ", ") + std::to_string(t) + " " +
                std::to_string(lts.numStates());
      for (StateIndex s = 0; s < lts.numStates(); ++s)
        counts += " " + std::to_string(s) + " " + std::to_string(random() % 3);
    }
    Lts global = lts;
    module.systems.push_back(std::move(decl));
    models.count();
    for (const std::string &used : {std::string(), counts}) {
      std::string said;
      if (runConnectedCheck(proof(next, used), binaryOf(module), said) != 0)
        continue;
      ++accepted;
      counting += !used.empty();
      ASSERT_EQ(extraSends(peersOf(global), global, NetworkKind::Bag, 1000), "")
          << "try " << i << "\n"
          << proof(next, used);
    }
  }
  std::printf("%zu proofs accepted, %zu of them count\n", accepted, counting);
  EXPECT_GT(accepted, 50u);
  EXPECT_GT(counting, 0u);
}
