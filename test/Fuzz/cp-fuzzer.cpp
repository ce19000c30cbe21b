//===- cp-fuzzer.cpp - Fuzzes the CP front end ----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextFuzzer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cif::fuzzFrontEnd(cif::detectCp, cif::parseCp, data, size);
  return 0;
}
