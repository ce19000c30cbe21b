//===- Matrix.h - Combinations of processes as a table --------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_CHECK_CONFORMANCE_MATRIX_H
#define CIF_LIB_CHECK_CONFORMANCE_MATRIX_H

#include "cif/IR/Fact.h"

namespace cif {

/// One combination, a process for each role.
struct MatrixCase {
  std::vector<std::string> files;    ///< of each role
  std::vector<WitnessStep> problems; ///< why it is not well-composed
  std::vector<Fact> facts;           ///< for each relation; well-composed only
  bool replay = true; ///< the differences of the violated ones do
  std::vector<std::string> abstractions; ///< of the files' models
  bool wellComposed() const { return problems.empty(); }
};

struct Matrix {
  std::string choreography; ///< its name
  std::vector<std::string> roles, relations;
  std::vector<MatrixCase> cases;
};

enum class MatrixFormat : uint8_t { Text, Json, Html };

void printMatrix(raw_ostream &os, const Matrix &matrix, MatrixFormat format);

} // namespace cif

#endif
