//===- text-fuzzer.cpp - Any bytes as the text form -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Any text is a module or an error. What is a module goes through both forms
/// and comes back.
///
//===----------------------------------------------------------------------===//

#include "cif/IR/Text.h"
#include "cif/Serialization/Binary.h"
#include <cstdlib>

using namespace cif;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  SourceManager sources;
  DiagnosticCollector found;
  DiagnosticEngine diags(sources, found);
  StringRef bytes(reinterpret_cast<const char *>(data), size);
  SourceBuffer source("input", llvm::MemoryBuffer::getMemBufferCopy(bytes));
  Module module;
  bool ok = parseText(source, module, diags);
  std::string why;
  if (ok ? !checkRoundTrip(module, why) : !diags.hasErrors())
    abort();
  return 0;
}
