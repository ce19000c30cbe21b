//===- OperatorsTest.cpp - What operators compute -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Operators.h"
#include <gtest/gtest.h>

using namespace cif;

TEST(Operators, DivideWithARemainderThatIsNotNegative) {
  for (int64_t a = -7; a <= 7; ++a)
    for (int64_t b = -3; b <= 3; ++b) {
      std::optional<int64_t> quotient = applyOperator(ExprOp::Divide, a, b);
      std::optional<int64_t> rest = applyOperator(ExprOp::Modulo, a, b);
      ASSERT_EQ(quotient.has_value(), b != 0);
      ASSERT_EQ(rest.has_value(), b != 0);
      if (b == 0)
        continue;
      EXPECT_EQ(*quotient * b + *rest, a) << a << " / " << b;
      EXPECT_GE(*rest, 0) << a << " % " << b;
      EXPECT_LT(*rest, b < 0 ? -b : b) << a << " % " << b;
    }
}

TEST(Operators, HaveNoResultBeyond64Bits) {
  EXPECT_FALSE(applyOperator(ExprOp::Negate, INT64_MIN, 0));
  EXPECT_FALSE(applyOperator(ExprOp::Add, INT64_MAX, 1));
  EXPECT_FALSE(applyOperator(ExprOp::Subtract, INT64_MIN, 1));
  EXPECT_FALSE(applyOperator(ExprOp::Multiply, INT64_MAX, 2));
  EXPECT_FALSE(applyOperator(ExprOp::Divide, INT64_MIN, -1));
  EXPECT_EQ(applyOperator(ExprOp::Modulo, INT64_MIN, INT64_MIN), 0);
  EXPECT_EQ(applyOperator(ExprOp::Modulo, -1, INT64_MIN), INT64_MAX);
  EXPECT_FALSE(applyOperator(ExprOp::Variable, 1, 1));
}
