//===- aut-fuzzer.cpp - AUT files from hostile bytes ----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is read is written and read again, and must be the same; what is not
/// read must have been explained.
///
//===----------------------------------------------------------------------===//

#include "cif/LTS/Aut.h"
#include <cstdlib>

using namespace cif;

static std::string print(const Lts &lts) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeAut(lts, os);
  return text;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  SourceManager sources;
  DiagnosticCollector found;
  DiagnosticEngine diags(sources, found);
  StringRef bytes(reinterpret_cast<const char *>(data), size);
  std::optional<Lts> lts = readAut(bytes, "input", diags);
  if (!lts) {
    if (!diags.hasErrors())
      abort();
    return 0;
  }
  std::string once = print(*lts);
  std::optional<Lts> again = readAut(once, "again", diags);
  if (!again || print(*again) != once)
    abort();
  return 0;
}
