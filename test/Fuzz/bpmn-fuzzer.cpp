//===- bpmn-fuzzer.cpp - Feeds the BPMN front end anything ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Run with -dict=bpmn.dict. Whatever the bytes, the front end answers, and what
/// it accepts satisfies the verifier.
///
//===----------------------------------------------------------------------===//

#include "cif/Frontend/FrontEnd.h"
#include "cif/IR/Verifier.h"
#include "cif/Support/Diagnostics.h"

using namespace cif;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  SourceManager sources;
  DiagnosticCollector collector;
  DiagnosticEngine diags(sources, collector);
  StringRef text(reinterpret_cast<const char *>(data), size);
  const SourceBuffer &source =
      sources.add("fuzz.bpmn", std::shared_ptr<llvm::MemoryBuffer>(
                                   llvm::MemoryBuffer::getMemBufferCopy(text)));
  Module module;
  bool good = parseBpmn(source, module, diags, {});
  if (good == diags.hasErrors() || (good && !verify(module, diags)))
    __builtin_trap();
  return 0;
}
