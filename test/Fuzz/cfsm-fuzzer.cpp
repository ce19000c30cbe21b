//===- cfsm-fuzzer.cpp - Fuzzes the readers of other tools' automata ------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextFuzzer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cif::fuzzFrontEnd(cif::detectFsa, cif::parseFsa, data, size);
  cif::fuzzFrontEnd(cif::detectKmc, cif::parseKmc, data, size);
  cif::fuzzFrontEnd(cif::detectScm, cif::parseScm, data, size);
  return 0;
}
