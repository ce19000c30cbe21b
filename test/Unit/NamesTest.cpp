//===- NamesTest.cpp - Names and labels as text ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Names.h"
#include "cif/IR/FactTitle.h"
#include "cif/IR/Lts.h"
#include <gtest/gtest.h>
#include <random>

using namespace cif;

TEST(Names, OnlyPlainWordsGoUnquoted) {
  EXPECT_EQ(quoted("abc_1"), "abc_1");
  EXPECT_EQ(quoted("42"), "42");
  EXPECT_EQ(quoted("4a"), "\"4a\"");
  EXPECT_EQ(quoted(""), "\"\"");
  EXPECT_EQ(quoted("a b"), "\"a b\"");
  EXPECT_EQ(quoted("\"\\\n\x01"), "\"\\\"\\\\\\n\\x01\"");
  EXPECT_EQ(quoted("gr\xc3\xbc\xc3\x9f"), "gr\xc3\xbc\xc3\x9f");
}

TEST(Names, Utf8IsToldFromOtherBytes) {
  EXPECT_EQ(findNotUtf8(""), StringRef::npos);
  EXPECT_EQ(findNotUtf8("0123456789 \xf0\x9f\x98\x80 gr\xc3\xbc\xc3\x9f"),
            StringRef::npos);
  EXPECT_EQ(findNotUtf8("01234567\xff"), 8u);
  EXPECT_EQ(findNotUtf8("ab\xc3"), 2u);         // cut off
  EXPECT_EQ(findNotUtf8("\xc0\x80"), 0u);       // too long
  EXPECT_EQ(findNotUtf8("a\xed\xa0\x80"), 1u);  // half of a pair
  EXPECT_EQ(findNotUtf8("abcdefgh\x80xyz"), 8u);
}

TEST(Names, TitlesOfFactsBeginWithTheSubject) {
  auto title = factTitle;
  EXPECT_EQ(title("realizable", "choreography 'S'"),
            "choreography 'S': realizable");
  EXPECT_EQ(title("explore", ""), "explore");
  EXPECT_EQ(title("sound", "process 'P' under bag"),
            "process 'P' under bag: sound");
  EXPECT_EQ(title("conforms", "the collaboration of A, B to choreography 'S'"),
            "the collaboration of A, B: conforms to choreography 'S'");
  // One of several answers of a check; a deadlock does not "hold".
  EXPECT_EQ(title("health", "choreography 'a: b': deadlock"),
            "choreography 'a: b': health: no deadlock");
  EXPECT_EQ(title("kmc", "the peers: safe for every bound"),
            "the peers: kmc: safe for every bound");
  // A colon in a name or before a file is no such answer.
  EXPECT_EQ(title("realizable", "choreography 'a: b'"),
            "choreography 'a: b': realizable");
  EXPECT_EQ(title("matrix", "case 1, Bank: bank-a.bpmn"),
            "case 1, Bank: bank-a.bpmn: matrix");
}

TEST(Label, FormsOfTheDesign) {
  EXPECT_EQ(parseLabel("i"), Label::tau());
  EXPECT_EQ(parseLabel("p->q:m"), (Label{LabelKind::Exchange, "p", "q", "m"}));
  EXPECT_EQ(parseLabel("p -> q : m"),
            (Label{LabelKind::Exchange, "p", "q", "m"}));
  EXPECT_EQ(parseLabel("q!m", "p"), (Label{LabelKind::Send, "p", "q", "m"}));
  EXPECT_EQ(parseLabel("p?m", "q"), (Label{LabelKind::Receive, "p", "q", "m"}));
  EXPECT_EQ(parseLabel("lock(1)"), Label::plain("lock(1)"));
  EXPECT_EQ(parseLabel("PUT !1"), Label::plain("PUT !1"));
}

TEST(Label, TextIsReadBackExactly) {
  std::mt19937 random(1);
  const char *pieces[] = {
      "a",  "->",  ":", "!",    "?", " ",  "\"",
      "\\", "tau", "i", "tick", "1", "\n", "\xf0\x9f\x98\x80",
      ""};
  auto name = [&] {
    std::string text;
    for (unsigned n = random() % 4; n; --n)
      text += pieces[random() % std::size(pieces)];
    return text;
  };
  for (int i = 0; i < 20000; ++i) {
    Label label;
    label.kind = static_cast<LabelKind>(random() % 6);
    if (label.kind == LabelKind::Exchange || label.kind == LabelKind::Send ||
        label.kind == LabelKind::Receive)
      label.sender = name(), label.receiver = name();
    if (label.kind != LabelKind::Tau && label.kind != LabelKind::Tick)
      label.message = name();
    EXPECT_EQ(parseLabel(labelText(label)), label) << labelText(label);
  }
}
