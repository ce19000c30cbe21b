//===- ioc-passes-fuzzer.cpp - Pipelines over generated .ioc texts --------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The first bytes choose what to do, the rest the text.
///
//===----------------------------------------------------------------------===//

#include "PassFuzzer.h"

using namespace cif;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz::Bytes bytes({data, size});
  fuzz::Plan plan = fuzz::planFrom(bytes);
  std::string text = fuzz::iocText(bytes);
  fuzz::abortOn(fuzz::runOnText(parseIoc, text, plan), text, plan);
  return 0;
}
