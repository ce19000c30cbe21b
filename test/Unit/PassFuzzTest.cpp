//===- PassFuzzTest.cpp - Random texts through random pipelines
//------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the fuzz targets of test/Fuzz do, with random bytes instead of a
/// fuzzer's and without its build: a few in every run of the tests, more with
/// CIF_TEST_FUZZ=N, which counts the seeds; CIF_TEST_SEED=N shows one and runs
/// it; CIF_TEST_WITHOUT=TEXT|TEXT leaves out pipelines with such a text.
///
//===----------------------------------------------------------------------===//

#include "../Fuzz/PassFuzzer.h"
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

using namespace cif;

TEST(PassFuzz, GeneratedTexts) {
  const char *wanted = std::getenv("CIF_TEST_FUZZ");
  const char *only = std::getenv("CIF_TEST_SEED");
  SmallVector<StringRef> without;
  if (const char *texts = std::getenv("CIF_TEST_WITHOUT"))
    StringRef(texts).split(without, '|');
  const unsigned first = only ? std::atoi(only) : 1;
  const unsigned last = only ? first : wanted ? std::atoi(wanted) : 250;
  unsigned read = 0;
  for (unsigned seed = first; seed <= last; ++seed) {
    std::mt19937 random(seed);
    std::vector<uint8_t> choices(8 + random() % 80);
    for (uint8_t &byte : choices)
      byte = static_cast<uint8_t>(random());
    fuzz::Bytes bytes(choices);
    std::string pipeline = fuzz::pipelineFrom(bytes);
    if (llvm::any_of(without, [&](StringRef text) {
          return StringRef(pipeline).contains(text);
        }))
      continue;
    bool isTerm = random() % 2;
    std::string text = isTerm ? fuzz::iocText(bytes) : fuzz::cpText(bytes);
    if (only)
      llvm::errs() << "--passes=" << pipeline << "\n" << text;
    if (wanted && !only)
      llvm::errs() << seed << "\r";
    auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(fuzz::runOnText(isTerm ? parseIoc : parseCp, text, pipeline), "")
        << "seed " << seed << "\n--passes=" << pipeline << "\n"
        << text;
    std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - start;
    if (wanted && took.count() > 5)
      llvm::errs() << "seed " << seed << " took " << took.count() << " s\n";
    ++read;
  }
  EXPECT_TRUE(read == last - first + 1 || !without.empty());
}
