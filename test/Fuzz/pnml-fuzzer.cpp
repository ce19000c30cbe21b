//===- pnml-fuzzer.cpp - Fuzzes the reader of Petri nets ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A net may be rejected, with an error. One that is read makes steps, some of
/// which are tried.
///
//===----------------------------------------------------------------------===//

#include "cif/Frontend/Pnml.h"
#include "cif/Semantics/CommandSystem.h"
#include <cstdlib>

using namespace cif;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  StringRef text(reinterpret_cast<const char *>(data), size);
  looksLikePnml(text);
  SourceManager sources;
  DiagnosticCollector found;
  DiagnosticEngine diags(sources, found);
  const SourceBuffer &source =
      sources.add("input", llvm::MemoryBuffer::getMemBufferCopy(text));
  std::optional<CommandModel> model = readPnml(source, diags);
  if (model.has_value() == diags.hasErrors())
    abort();
  if (!model)
    return 0;
  std::unique_ptr<System> system = makeCommandSystem(std::move(*model));
  std::vector<uint32_t> state(system->width()), scratch(state.size()), next;
  system->initial(state.data());
  for (unsigned step = 0; step < 50; ++step) {
    next.clear();
    system->successors(state.data(), scratch.data(),
                       [&](const Step &, const uint32_t *to) {
                         next.assign(to, to + state.size());
                         return step % 2 == 0;
                       });
    if (next.empty())
      break;
    state = next;
    system->describe(state.data());
  }
  return 0;
}
