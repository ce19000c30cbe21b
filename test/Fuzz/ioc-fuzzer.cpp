//===- ioc-fuzzer.cpp - Fuzzes the IOC front end --------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextFuzzer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cif::fuzzFrontEnd(cif::detectIoc, cif::parseIoc, data, size);
  return 0;
}
