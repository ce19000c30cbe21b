//===- Main.cpp - Runs the unit tests -------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// GoogleTest's main, except that a filter that selects no test is an error: a
/// misspelt one would test nothing and pass.
///
//===----------------------------------------------------------------------===//

#include <gtest/gtest.h>

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  int status = RUN_ALL_TESTS();
  const testing::UnitTest &tests = *testing::UnitTest::GetInstance();
  if (tests.test_to_run_count() > 0 || GTEST_FLAG_GET(list_tests))
    return status;
  std::fprintf(stderr, "error: no unit test is selected\n");
  return 1;
}
