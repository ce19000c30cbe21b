//===- RoundTripTest.cpp - Both forms say the same ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomModule.h"
#include "cif/IR/Text.h"
#include "cif/Serialization/Binary.h"
#include <gtest/gtest.h>

using namespace cif;

namespace {
std::string printed(const Module &module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printText(module, os);
  return text;
}
} // namespace

TEST(RoundTrip, RandomModulesComeBackExactly) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Module module = randomModule(seed);
    std::string why;
    ASSERT_TRUE(checkRoundTrip(module, why))
        << "seed " << seed << ": " << why << "\n"
        << printed(module);
  }
}

TEST(RoundTrip, DigestDoesNotDependOnHistory) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Module module = randomModule(seed);
    SourceManager sources;
    DiagnosticCollector found;
    DiagnosticEngine diags(sources, found);
    SourceBuffer text("x.cift",
                      llvm::MemoryBuffer::getMemBufferCopy(printed(module)));
    Module again;
    ASSERT_TRUE(parseText(text, again, diags));
    EXPECT_EQ(module.digest(), again.digest()) << "seed " << seed;
    EXPECT_EQ(module.digest(), module.clone().digest());
  }
}

TEST(RoundTrip, TooLargeIsAnErrorAndNothingIsWritten) {
  Module module = randomModule(8, 40);
  std::string whole;
  llvm::raw_string_ostream os(whole);
  SourceManager sources;
  DiagnosticCollector found;
  DiagnosticEngine diags(sources, found);
  ASSERT_TRUE(writeBinary(module, os, diags));
  for (uint64_t limit = 0; limit < whole.size(); limit += 97) {
    std::string bytes;
    llvm::raw_string_ostream part(bytes);
    EXPECT_FALSE(writeBinary(module, part, diags, limit));
    ASSERT_FALSE(found.all.empty());
    EXPECT_STREQ(diagInfo(found.all.back().kind).code, "E0404");
    EXPECT_TRUE(bytes.empty());
  }
}

TEST(RoundTrip, AMillionTransitions) {
  Module module;
  SystemDecl &s = module.systems.emplace_back();
  s.lts.labels.push_back(Label::plain("a"));
  constexpr uint32_t states = 500'000;
  std::vector<uint32_t> begin(1, 0), label, target;
  for (uint32_t i = 0; i < states; ++i) {
    for (uint32_t k = 0; k < 3; ++k) {
      label.push_back(k % 2);
      target.push_back((i * 7 + k) % states);
    }
    begin.push_back(static_cast<uint32_t>(target.size()));
  }
  s.lts.rowBegin = begin;
  s.lts.label = label;
  s.lts.target = target;
  std::string why;
  EXPECT_TRUE(checkRoundTrip(module, why)) << why;
}

TEST(RoundTrip, LtsIsReadInPlace) {
  Module module;
  SystemDecl &s = module.systems.emplace_back();
  s.lts.rowBegin = std::vector<uint32_t>{0, 1};
  s.lts.label = std::vector<uint32_t>{0};
  s.lts.target = std::vector<uint32_t>{0};
  s.lts.finals = std::vector<uint64_t>{1};
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  SourceManager sources;
  DiagnosticCollector found;
  DiagnosticEngine diags(sources, found);
  ASSERT_TRUE(writeBinary(module, os, diags));
  Module again;
  std::shared_ptr<llvm::MemoryBuffer> buffer =
      llvm::MemoryBuffer::getMemBufferCopy(bytes);
  ASSERT_TRUE(readBinary(buffer, again, diags));
  auto inside = [&](const void *p) {
    return p >= buffer->getBufferStart() && p < buffer->getBufferEnd();
  };
  const Lts &lts = again.systems[0].lts;
  EXPECT_TRUE(inside(lts.rowBegin.data()));
  EXPECT_TRUE(inside(lts.label.data()));
  EXPECT_TRUE(inside(lts.target.data()));
  EXPECT_TRUE(inside(lts.finals.data()));
}
