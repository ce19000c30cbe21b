//===- StringTableTest.cpp - Interned strings -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Support/StringTable.h"
#include <gtest/gtest.h>

using namespace cif;

TEST(StringTable, EqualTextsHaveOneName) {
  StringTable table;
  Name a = table.intern("a");
  EXPECT_EQ(a, table.intern(std::string("a")));
  EXPECT_NE(a, table.intern("b"));
  EXPECT_TRUE(table.intern("").empty());
  EXPECT_EQ(table.text(a), "a");
}

TEST(StringTable, TextsStayWhereTheyAre) {
  StringTable table;
  StringRef first = table.text(table.intern("first"));
  for (int i = 0; i < 100000; ++i)
    table.intern("s" + std::to_string(i));
  EXPECT_EQ(first.data(), table.text(table.intern("first")).data());
  EXPECT_EQ(table.size(), 100002u);
  EXPECT_EQ(table.text(table.lookup("s99999")), "s99999");
  EXPECT_TRUE(table.lookup("s100000").empty());
}
