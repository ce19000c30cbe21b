//===- HostileInputTest.cpp - Readers and what nobody should send them ----===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Whatever the bytes, a reader takes them or reports why not. What it takes
/// can be written again.
///
//===----------------------------------------------------------------------===//

#include "RandomModule.h"
#include "cif/IR/Text.h"
#include "cif/Serialization/Binary.h"
#include <gtest/gtest.h>

using namespace cif;

namespace {

struct Reading {
  SourceManager sources;
  DiagnosticCollector found;
  DiagnosticEngine diags{sources, found};
  Module module;

  bool binary(StringRef bytes) {
    return readBinary(llvm::MemoryBuffer::getMemBufferCopy(bytes, "x.cif"),
                      module, diags);
  }
  bool text(StringRef bytes) {
    SourceBuffer source("x.cift",
                        llvm::MemoryBuffer::getMemBufferCopy(bytes, "x.cift"));
    return parseText(source, module, diags);
  }
};

std::string binaryOf(const Module &module) {
  Reading unused;
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  EXPECT_TRUE(writeBinary(module, os, unused.diags));
  return bytes;
}

std::string textOf(const Module &module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printText(module, os);
  return text;
}

/// Either accepted, then it goes through both forms; or refused with an error.
void judge(const Reading &reading, bool accepted, unsigned &count) {
  if (!accepted) {
    EXPECT_GT(reading.diags.errors(), 0u);
    return;
  }
  EXPECT_EQ(reading.diags.errors(), 0u);
  ++count;
  std::string why;
  EXPECT_TRUE(checkRoundTrip(reading.module, why)) << why;
}

} // namespace

TEST(HostileBinary, TruncatedAtEveryByte) {
  for (unsigned seed : {1, 2, 7}) {
    std::string bytes = binaryOf(randomModule(seed, 4));
    for (size_t length = 0; length < bytes.size(); ++length) {
      Reading reading;
      EXPECT_FALSE(reading.binary(StringRef(bytes).take_front(length)))
          << length << " of " << bytes.size();
      EXPECT_GT(reading.diags.errors(), 0u);
    }
  }
}

TEST(HostileBinary, MutatedBuffers) {
  std::mt19937 random(5);
  unsigned accepted = 0;
  for (unsigned round = 0; round < 10000; ++round) {
    std::string bytes = binaryOf(randomModule(round % 50, 4));
    for (unsigned n = 1 + random() % 4; n; --n) {
      size_t at = random() % bytes.size();
      switch (random() % 4) {
      case 0:
        bytes[at] = static_cast<char>(random());
        break;
      case 1: // a word that is off by a little
        if (at + 4 <= bytes.size())
          bytes[at & ~size_t(3)] += static_cast<char>(random() % 9 - 4);
        break;
      case 2: // a copy of another word
        for (size_t i = 0, from = random() % bytes.size() & ~size_t(3),
                    to = at & ~size_t(3);
             i < 4 && from + i < bytes.size() && to + i < bytes.size(); ++i)
          bytes[to + i] = bytes[from + i];
        break;
      default:
        bytes[at] ^= static_cast<char>(1u << random() % 8);
      }
    }
    Reading reading;
    judge(reading, reading.binary(bytes), accepted);
  }
  EXPECT_GT(accepted, 100u); // else nothing behind the first check was met
}

TEST(HostileBinary, NotAlignedIsCopied) {
  std::string bytes = binaryOf(randomModule(3));
  std::string shifted = "x" + bytes;
  Reading reading;
  ASSERT_TRUE(readBinary(
      llvm::MemoryBuffer::getMemBuffer(StringRef(shifted).drop_front(), "x",
                                       /*RequiresNullTerminator=*/false),
      reading.module, reading.diags));
  EXPECT_EQ(binaryOf(reading.module), bytes);
}

TEST(HostileText, TruncatedAtEveryByte) {
  unsigned accepted = 0;
  std::string text = textOf(randomModule(7, 4));
  for (size_t length = 0; length < text.size(); ++length) {
    Reading reading;
    judge(reading, reading.text(StringRef(text).take_front(length)), accepted);
  }
}

TEST(HostileText, MutatedTexts) {
  std::mt19937 random(6);
  static const char *const pieces[] = {"\n",
                                       " ",
                                       "\"",
                                       "{",
                                       "}",
                                       "n0",
                                       "->",
                                       ":",
                                       "#",
                                       "@",
                                       "\\",
                                       "//",
                                       "?",
                                       "$0",
                                       "[",
                                       "]",
                                       "(",
                                       ")",
                                       ",",
                                       "-",
                                       "'",
                                       "`",
                                       "!",
                                       "1",
                                       "4294967295",
                                       "in",
                                       "on",
                                       "0:",
                                       "system",
                                       "fact",
                                       "18446744073709551616",
                                       "expr $0 = ",
                                       ".",
                                       "cif"};
  unsigned accepted = 0;
  for (unsigned round = 0; round < 10000; ++round) {
    std::string text = textOf(randomModule(round % 50, 4));
    for (unsigned n = 1 + random() % 3; n && !text.empty(); --n) {
      size_t at = random() % text.size();
      switch (random() % 5) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text.erase(at, 1 + random() % 8);
        break;
      case 2:
        text.insert(at, pieces[random() % std::size(pieces)]);
        break;
      case 3: // a line or so, once more
        text.insert(at, text.substr(random() % text.size(), random() % 60));
        break;
      default: // two words change places
        std::swap(text[at], text[random() % text.size()]);
      }
    }
    Reading reading;
    judge(reading, reading.text(text), accepted);
  }
  EXPECT_GT(accepted, 100u);
}

TEST(HostileText, DeepNestingIsNoProblem) {
  std::string open(100000, '('), close(100000, ')'), minus(100000, '-');
  for (const std::string &guard :
       {open + "x" + close, "!" + open + "x" + close, minus + "x == 1"}) {
    Reading reading;
    EXPECT_TRUE(reading.text("cif 1.0\nchoreography {\n n0 choice\n n1 final\n"
                             " n0 -> n1 [" +
                             guard + "]\n}\n"))
        << (reading.found.all.empty() ? "" : reading.found.all[0].text);
    std::string why;
    EXPECT_TRUE(checkRoundTrip(reading.module, why)) << why;
  }
  Reading unbalanced;
  EXPECT_FALSE(unbalanced.text("cif 1.0\nexpr $0 = " + open + "x\n"));
}

TEST(HostileText, SharedExpressionsStaySmall) {
  // Each doubles the one before: written out, 2^60 leaves.
  Reading reading;
  ExprId e = reading.module.addExpr({ExprOp::Variable, intSort});
  for (int i = 0; i < 60; ++i)
    e = reading.module.addExpr({ExprOp::Add, intSort, e, e});
  ExprId zero = reading.module.addExpr({ExprOp::IntLiteral, intSort});
  e = reading.module.addExpr({ExprOp::Less, boolSort, e, zero});
  Behaviour &b = reading.module.behaviours.emplace_back();
  b.nodes.resize(2);
  b.nodes[0].kind = NodeKind::Choice;
  b.flows.push_back({NodeId(0), NodeId(1), e});
  EXPECT_LT(textOf(reading.module).size(), 5000u);
  std::string why;
  EXPECT_TRUE(checkRoundTrip(reading.module, why)) << why;
}
