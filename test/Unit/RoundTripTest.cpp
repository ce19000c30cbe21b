//===- RoundTripTest.cpp - Both forms say the same ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomModule.h"
#include "cif/IR/TextForm.h"
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
