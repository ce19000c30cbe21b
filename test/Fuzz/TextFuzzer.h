//===- TextFuzzer.h - What the fuzzers of text front ends share -----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A front end may reject any bytes, with an error. What it accepts, the
/// verifier must accept.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_FUZZ_TEXTFUZZER_H
#define CIF_TEST_FUZZ_TEXTFUZZER_H

#include "cif/Frontend/FrontEnd.h"
#include "cif/IR/Term.h"
#include "cif/IR/Verifier.h"
#include <cstdlib>

namespace cif {

inline void fuzzFrontEnd(int (*detect)(StringRef, StringRef),
                         bool (*parse)(const SourceBuffer &, Module &,
                                       DiagnosticEngine &,
                                       const FrontEndOptions &),
                         const uint8_t *data, size_t size) {
  StringRef text(reinterpret_cast<const char *>(data), size);
  detect("input", text);
  SourceManager sources;
  DiagnosticCollector collector;
  DiagnosticEngine engine(sources, collector);
  const SourceBuffer &source =
      sources.add("input", llvm::MemoryBuffer::getMemBufferCopy(text));
  Module module;
  bool ok = parse(source, module, engine, {});
  if (ok == engine.hasErrors())
    abort();
  if (!ok)
    return;
  if (!verify(module, engine))
    abort();
  for (const Behaviour &b : module.behaviours)
    recoverTerm(b);
}

} // namespace cif

#endif
