//===- CifCheck.cpp - cif-check as a function -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The checker's own source, with failures as exceptions (the build allows them
/// for this file alone), so that many certificates can be checked in one run.
///
//===----------------------------------------------------------------------===//

#define CIF_CHECK_IN_TEST
#include "../../tools/cif-check/cif-check.cpp"

#include "CifCheck.h"

namespace {
struct Failure {
  int status;
  std::string why;
};
} // namespace

static void fail(int status, const std::string &why) {
  throw Failure{status, why};
}

int cif::test::runCifCheck(const std::string &certificate,
                           const std::string &left, const std::string &right,
                           std::string &said) {
  labelIndex = {{{"tau"}, 0}};
  try {
    Pair both;
    both.read(left, "");
    both.read(right, "");
    said = check(both, Reader(certificate));
    return 0;
  } catch (const Failure &failure) {
    said = failure.why;
    return failure.status;
  }
}

int cif::test::runConnectedCheck(const std::string &certificate,
                                 const std::string &module, std::string &said) {
  try {
    said = checkConnected(readNet(module, ""), Reader(certificate));
    return 0;
  } catch (const Failure &failure) {
    said = failure.why;
    return failure.status;
  }
}
