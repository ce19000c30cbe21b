//===- IocPromise.h - What connectedness promises, for tests --------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_IOCPROMISE_H
#define CIF_TEST_UNIT_IOCPROMISE_H

#include "IocTerms.h"
#include "TextFrontEndTest.h"
#include "cif/Calculus/IocRelation.h"
#include "gtest/gtest.h"

namespace cif::test {

constexpr IocSemantics allSemantics[] = {
    IocSemantics::Synchronous, IocSemantics::Sender, IocSemantics::Receiver,
    IocSemantics::SenderReceiver, IocSemantics::Disjoint};

inline bool related(const Term &term, IocRelation relation) {
  std::vector<PocRole> roles = projectTerm(term);
  IocNames names{[](uint32_t n) { return "r" + std::to_string(n); },
                 [](uint32_t n) { return "o" + std::to_string(n); }};
  IocComparison found = compareIoc(term, roles, relation, names);
  EXPECT_NE(found.verdict, Verdict::Inconclusive);
  // Whatever is violated has something to show.
  EXPECT_TRUE(found.holds() || !found.sentences.empty());
  return found.holds();
}

/// Whether the relation that connectedness promises holds.
inline bool promise(const Term &term, IocSemantics semantics, bool hasChoice) {
  switch (semantics) {
  case IocSemantics::Synchronous:
    return related(term, IocRelation::Synchronous);
  case IocSemantics::Sender:
    return related(term, IocRelation::Sender);
  case IocSemantics::Receiver:
    return related(term, hasChoice ? IocRelation::ReceiverTrace
                                   : IocRelation::Receiver);
  case IocSemantics::SenderReceiver:
    return promise(term, IocSemantics::Sender, hasChoice) &&
           promise(term, IocSemantics::Receiver, hasChoice);
  case IocSemantics::Disjoint:
    return related(term, IocRelation::Disjoint);
  }
  return false;
}

/// The term as the IOC front end reads it.
inline std::string source(const Term &term, TermId id) {
  const TermNode &node = term[id];
  if (node.kind == TermKind::Done || node.kind == TermKind::Stuck)
    return text(term, id);
  if (node.kind == TermKind::Action) {
    const TermAction &x = term.action(id);
    return "r" + std::to_string(x.sender) + " -> r" +
           std::to_string(x.receiver) + " : o" + std::to_string(x.operation);
  }
  if (node.kind == TermKind::Loop)
    return "loop { " + source(term, node.firstChild) + " }";
  if (node.kind == TermKind::While)
    return "while [true] { " + source(term, node.firstChild) + " }";
  if (node.kind == TermKind::Rec)
    return "rec X" + std::to_string(id.index()) + " { " +
           source(term, node.firstChild) + " }";
  if (node.kind == TermKind::Call)
    return "X" + std::to_string(node.target.index());
  std::string all;
  for (TermId c = node.firstChild; c; c = term[c].nextSibling)
    all += (all.empty() ? "" : operatorText(node.kind)) + source(term, c);
  return "( " + all + " )";
}

} // namespace cif::test

#endif
