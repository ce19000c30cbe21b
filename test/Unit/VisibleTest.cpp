//===- VisibleTest.cpp - Foreign text on a terminal -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Support/Visible.h"
#include "cif/IR/Names.h"
#include "llvm/Support/JSON.h"
#include <gtest/gtest.h>
#include <random>

using namespace cif;

namespace {

TEST(Visible, WhatIsSeenStaysAndTheRestIsSpeltOut) {
  EXPECT_EQ(visible("Bestellung für 東京 🍕"), "Bestellung für 東京 🍕");
  EXPECT_EQ(visible("a\nb\x1b[2J\x7f"), "a\\u{a}b\\u{1b}[2J\\u{7f}");
  EXPECT_EQ(visible("\u0085\u202e\u2066\u2028\u200f\u061c"),
            "\\u{85}\\u{202e}\\u{2066}\\u{2028}\\u{200f}\\u{61c}");
  // Not UTF-8: a lone byte, a long form, half of a pair, an unfinished one.
  EXPECT_EQ(visible("\xe4"), "\\xe4");
  EXPECT_EQ(visible("\xc0\xaf"), "\\xc0\\xaf");
  EXPECT_EQ(visible("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(visible("x\xe2\x82"), "x\\xe2\\x82");
}

TEST(Visible, LinesKeepTheirColumns) {
  EXPECT_EQ(visibleLine("a\tb\x1b"), "a b\ufffd");
  EXPECT_EQ(visibleLine("gr\xfc\xdf"), "grüß"); // Latin-1
  EXPECT_EQ(visibleLine(StringRef("a\0b\0", 4)), "");
  EXPECT_EQ(columnsOf("für"), 3u);
  EXPECT_EQ(columnsOf("東京"), 4u);
}

TEST(Visible, StreamsEscapeAllButLines) {
  std::string text;
  llvm::raw_string_ostream os(text);
  {
    VisibleStream stream(os);
    stream << "a\tb\r\nc\rd\n";
    for (char c : StringRef("\u202eü\n\xe2\x82")) // byte by byte
      stream << c;
  }
  EXPECT_EQ(text, "a\tb\r\nc\\u{d}d\n\\u{202e}ü\n\\xe2\\x82");
}

TEST(Visible, RandomBytes) {
  std::mt19937 random(1);
  for (unsigned n = 0; n < 20000; ++n) {
    std::string bytes;
    for (unsigned i = random() % 12; i; --i)
      bytes += random() % 3 ? static_cast<char>(random())
                            : static_cast<char>(random() % 0x80);
    EXPECT_TRUE(isVisible(visible(bytes)));
    EXPECT_TRUE(isVisible(visibleLine(bytes)));
    // What is visible is left alone; and nothing else is.
    EXPECT_EQ(isVisible(bytes), visible(bytes) == bytes);
    // Quotes keep the bytes.
    std::string quotes = quoteAlways(bytes), plain;
    EXPECT_TRUE(isVisible(quotes));
    EXPECT_TRUE(unescape(StringRef(quotes).drop_front().drop_back(), plain));
    EXPECT_EQ(plain, bytes);
    // JSON says the same, visibly.
    std::string utf8 = llvm::json::fixUTF8(bytes), json;
    llvm::raw_string_ostream(json) << llvm::json::Value(utf8);
    EXPECT_TRUE(isVisible(visibleJson(json)));
    auto parsed = llvm::json::parse(visibleJson(json));
    ASSERT_TRUE(bool(parsed));
    EXPECT_EQ(parsed->getAsString(), StringRef(utf8));
  }
}

} // namespace
