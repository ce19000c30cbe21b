//===- PassFuzzer.h - Pipelines over what a fuzzer made
//---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs a pipeline that bytes choose over a module, under small limits.
/// Whatever the module: passes end, a pass that fails says why, what it leaves
/// verifies and makes the trip through both forms.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_FUZZ_PASSFUZZER_H
#define CIF_TEST_FUZZ_PASSFUZZER_H

#include "Generate.h"
#include "cif/IR/Verifier.h"
#include "cif/Serialization/Binary.h"
#include "cif/Tools/Registry.h"

namespace cif::fuzz {

/// One to three passes, as `--passes=` has them.
inline std::string pipelineFrom(Bytes &bytes) {
  // The only further file that there is, `read`, is the module as it was read.
  static const char *const passes[] = {
      "normalize",
      "project",
      "project{keep=true}",
      "compose",
      "minimize",
      "minimize{relation=weak}",
      "hide{labels=m}",
      "lower-lts",
      "lower-lts{network=sync,observe=send}",
      "lower-lts{network=inbox,bound=1}",
      "lower-lts{network=causal,bound=2}",
      "synthesize-controllers",
      "synthesize-controllers{network=fifo-pair,bound=1}",
      "repair",
      "repair{network=all,semantics=collaboration}",
      "adapt{spec=read}",
      "lower-lts{semantics=local}",
      "lower-stg",
      "amend",
      "amend{goal=sync}",
      "amend{goal=sender,deciders=move}",
      "amend{goal=disjoint}",
      "check-bisimilar",
      "check-bisimilar{relation=ioc-disjoint}",
      "check-bisimilar{relation=ioc-receiver-trace}",
      "check-collaboration{network=all,table=none}",
      "check-collaboration{network=all,semantics=fbpmn,table=none}",
      "check-collaboration{network=bag,max-tokens=message:1,table=none}",
      "check-collaboration{no-reduction=true,network=bag,fairness=none,table="
      "none}",
      "check-conforms{spec=read}",
      "check-conforms{spec=read,network=sync}",
      "check-conforms{spec=read,relation=symbolic,solver-timeout=1}",
      "check-connected{semantics=all}",
      "check-deadlock-free{semantics=collaboration,network=causal}",
      "check-health",
      "check-health{network=fifo-pair,bound=2}",
      "check-implementable",
      "check-implementable{no-proof=true}",
      "check-kmc",
      "check-kmc{k=1,max=2}",
      "check-property{property=F m}",
      "check-property{property=G (m -> F n),fair=strong}",
      "check-property{property=G !done,network=causal,bound=1}",
      "check-realizable",
      "check-realizable{network=fifo-pair,bound=1}",
      "check-realizable{relation=symbolic,solver-timeout=1}",
      "check-realizable{network=bag,no-proof=true}",
      "check-realizable{network=outbox,bound=2}",
      "check-repairable",
      "check-repairable{notion=strict}",
      "check-rsc",
      "check-rsc{network=fifo-pair}",
      "check-structure",
      "check-synchronizable",
      "check-synchronizable{network=fifo-pair,bound=2}",
      "check-well-composed",
  };
  std::string text;
  for (unsigned n = 1 + bytes.pick(3); n; --n)
    text += (text.empty() ? "" : ",") +
            std::string(passes[bytes.pick(std::size(passes))]);
  return text;
}

/// What is wrong with the way that \p pipeline ran over \p module; empty:
/// nothing.
inline std::string runPipeline(Module &module, StringRef pipeline) {
  static const Registry registry = builtinRegistry();
  SourceManager sources;
  DiagnosticCollector collected;
  DiagnosticEngine diags(sources, collected);
  Pipeline entries;
  if (!parsePipeline(pipeline, "pipeline", registry.passes, diags, entries))
    return "a pipeline that cannot be read: " + pipeline.str();
  Limits limits;
  limits.maxStates = 300;
  limits.maxMemory = 64u << 20;
  limits.setTimeout(2);
  const Module read = module.clone();
  PassHost host;
  host.load = [&](StringRef) { return std::make_unique<Module>(read.clone()); };
  host.write = [](StringRef, function_ref<void(raw_ostream &)>) {
    return false;
  };
  host.log = &llvm::nulls();
  PassManager manager(diags, limits, host);
  if (!manager.run(entries, module)) {
    for (const Diagnostic &d : collected.all)
      if (StringRef(d.text).contains("this is a defect"))
        return d.text;
    return diags.hasErrors() ? "" : "a pass failed and said nothing";
  }
  std::string why;
  if (!verify(module, diags))
    return "what is left does not verify";
  if (!checkRoundTrip(module, why))
    return "what is left does not come back: " + why;
  return "";
}

/// Reads \p text, which a front end's own fuzzer looks at, and goes on with it.
inline std::string runOnText(bool (*parse)(const SourceBuffer &, Module &,
                                           DiagnosticEngine &,
                                           const FrontEndOptions &),
                             const std::string &text, StringRef pipeline) {
  SourceManager sources;
  DiagnosticCollector collected;
  DiagnosticEngine diags(sources, collected);
  const SourceBuffer &source =
      sources.add("input", llvm::MemoryBuffer::getMemBufferCopy(text));
  Module module;
  if (!parse(source, module, diags, {}))
    return diags.hasErrors() ? "" : "rejected, and no error was reported";
  if (!verify(module, diags))
    return "what was read does not verify";
  return runPipeline(module, pipeline);
}

/// What a fuzz target does with it.
inline void abortOn(const std::string &problem, StringRef text,
                    StringRef pipeline) {
  if (problem.empty())
    return;
  llvm::errs() << problem << "\n--passes=" << pipeline << "\n" << text;
  abort();
}

} // namespace cif::fuzz

#endif
