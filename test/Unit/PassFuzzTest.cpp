//===- PassFuzzTest.cpp - Random texts through random pipelines -----------===//
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

#include "../Fuzz/GenerateBpmn.h"
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
  static constexpr std::pair<fuzz::Parser, std::string (*)(fuzz::Bytes &)>
      languages[] = {{parseIoc, fuzz::iocText},
                     {parseCp, fuzz::cpText},
                     {parseBpmn, fuzz::bpmnText}};
  unsigned read = 0;
  for (unsigned seed = first; seed <= last; ++seed) {
    std::mt19937 random(seed);
    std::vector<uint8_t> choices(8 + random() % 120);
    for (uint8_t &byte : choices)
      byte = static_cast<uint8_t>(random());
    fuzz::Bytes bytes(choices);
    fuzz::Plan plan = fuzz::planFrom(bytes);
    if (llvm::any_of(without, [&](StringRef text) {
          return StringRef(plan.passes).contains(text);
        }))
      continue;
    const unsigned language = random() % std::size(languages);
    auto [parse, generate] = languages[language];
    std::string text = generate(bytes);
    if (only)
      llvm::errs() << "--passes=" << plan.passes << " " << plan.twin << "\n"
                   << text;
    if (wanted && !only)
      llvm::errs() << seed << "\r";
    auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(fuzz::runOnText(parse, text, plan), "")
        << "seed " << seed << "\n--passes=" << plan.passes << " " << plan.twin
        << "\n"
        << text;
    std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - start;
    if (wanted && took.count() > 5)
      llvm::errs() << "seed " << seed << " took " << took.count() << " s\n";
    ++read;
  }
  EXPECT_TRUE(read == last - first + 1 || !without.empty());
}
