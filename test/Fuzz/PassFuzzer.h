//===- PassFuzzer.h - Pipelines over what a fuzzer made -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs what bytes choose over a module, under small limits: a pipeline and an
/// emitter, or one check in two ways that must agree. Whatever the module:
/// passes end, a pass that fails says why, what it leaves verifies and makes
/// the trip through both forms, and no two exact verdicts contradict each
/// other.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_FUZZ_PASSFUZZER_H
#define CIF_TEST_FUZZ_PASSFUZZER_H

#include "Generate.h"
#include "cif/IR/Verifier.h"
#include "cif/Serialization/Binary.h"
#include "cif/Tools/Registry.h"

namespace cif::fuzz {

/// What to do with a module.
struct Plan {
  std::string passes;   ///< as `--passes=` has them
  std::string twin;     ///< if any, passes that must find the same
  bool written = false; ///< the twin is of the module written as BPMN and read
  unsigned emitter = 0;
};

/// How many bytes a plan takes at most.
constexpr size_t planBytes = 5;

/// A check in two ways. Neither changes what is asked.
inline Plan twinsFrom(Bytes &bytes) {
  static constexpr std::pair<const char *, const char *> twins[] = {
      {"check-collaboration{network=all,table=none}", "no-reduction=true"},
      {"check-collaboration{network=all,semantics=collaboration,table=none}",
       "no-reduction=true"},
      {"check-collaboration{network=all,semantics=fbpmn,table=none}",
       "no-reduction=true"},
      {"check-conforms{spec=read}", "no-reduction=true"},
      {"check-health{network=bag}", "no-reduction=true"},
      {"check-health{network=causal}", "no-proof=true"},
      {"check-health{network=fifo-pair}", "no-proof=true,no-reduction=true"},
      {"check-health{network=inbox}", "no-proof=true,no-reduction=true"},
      {"check-implementable{network=fifo-pair}", "no-proof=true"},
      {"check-implementable{network=inbox}", "no-proof=true"},
      {"check-property{property=G (m -> F n)}", "no-reduction=true"},
      {"check-property{property=F m,fair=strong}", "no-reduction=true"},
      {"check-realizable{network=fifo-pair}", "no-proof=true"},
      {"check-realizable{network=inbox}", "no-proof=true"},
      {"check-synchronizable{network=bag}", "no-reduction=true"},
      {"check-synchronizable{network=inbox}",
       "no-proof=true,no-reduction=true"},
  };
  auto [first, more] = twins[bytes.pick(std::size(twins))];
  Plan plan;
  plan.passes = first;
  plan.twin = StringRef(first).drop_back().str() + "," + more + "}";
  // Other forms of the module have the same answers.
  const unsigned form = bytes.pick(3);
  if (form == 1)
    plan.twin = "normalize," + plan.twin;
  plan.written = form == 2;
  return plan;
}

/// One to three passes and an emitter, or twins.
inline Plan planFrom(Bytes &bytes) {
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
      "lower-lts{network=sync}",
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
      "check-bounded{network=all}",
      "check-bisimilar{relation=ioc-disjoint}",
      "check-bisimilar{relation=ioc-receiver-trace}",
      "check-collaboration{network=all,table=none}",
      "check-collaboration{network=all,semantics=fbpmn,table=none}",
      "check-collaboration{network=bag,max-tokens=message:1,table=none}",
      ("check-collaboration{no-reduction=true,network=bag,fairness=none,table="
       "none}"),
      "check-conforms{spec=read}",
      "check-conforms{spec=read,network=sync}",
      "check-conforms{spec=read,relation=symbolic,solver-timeout=1}",
      "check-connected{semantics=all}",
      "check-deadlock-free{semantics=collaboration,network=causal}",
      "check-deadlock-free{network=rsc}",
      "check-health",
      "check-health{network=fifo-pair,bound=2}",
      "check-implementable",
      "check-implementable{no-proof=true}",
      "check-kmc",
      "check-kmc{k=1,max=2}",
      "check-livelock-free",
      "check-matrix{choreography=read,role=a:read}",
      "check-message-relaxed-sound{network=fifo-all}",
      "check-no-dead-activity{semantics=fbpmn}",
      "check-no-undelivered-message{network=outbox}",
      "check-option-to-complete",
      "check-proper-completion",
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
      "check-realizable{certificate=c}",
      "check-rsc",
      "check-rsc{network=fifo-pair}",
      "check-safe",
      "check-sound{network=fifo-pair}",
      "check-structure",
      "check-synchronizable",
      "check-synchronizable{certificate=c,network=causal}",
      "check-synchronizable{network=fifo-pair,bound=2}",
      "check-well-composed",
      "dot{file=d}",
      "lower-stg{product=true}",
      "print-stats",
  };
  Plan plan;
  const unsigned kind = bytes.pick(4);
  if (kind == 3)
    return twinsFrom(bytes);
  for (unsigned n = 0; n <= kind; ++n)
    plan.passes +=
        (n ? "," : "") + std::string(passes[bytes.pick(std::size(passes))]);
  plan.emitter = bytes.pick(256);
  return plan;
}

/// Whether two facts are about the same steps: of one semantics, such as
/// `detailed`, which decides guards, and `fbpmn`, which does not; under one
/// network.
inline bool sameSteps(const Fact &a, const Fact &b) {
  auto valueOf = [](const Fact &fact, StringRef wanted) {
    for (const auto &[name, value] : fact.parameters)
      if (name == wanted)
        return StringRef(value);
    return StringRef();
  };
  return llvm::all_of(
      ArrayRef<StringRef>{"network", "semantics"},
      [&](StringRef name) { return valueOf(a, name) == valueOf(b, name); });
}

/// Properties of collaborations of which the first implies the second
/// (docs/soundness.md): the two that contradict that, or nothing.
inline std::string brokenLaw(ArrayRef<Fact> facts) {
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> laws[] =
      {
          {"option-to-complete", "deadlock-free"},
          {"option-to-complete", "livelock-free"},
          {"sound", "message-relaxed-sound"},
          {"sound", "no-undelivered-message"},
          {"message-relaxed-sound", "option-to-complete"},
      };
  for (const Fact &a : facts)
    for (const Fact &b : facts)
      if (a.verdict == Verdict::Holds && b.verdict == Verdict::Violated &&
          a.exact && b.exact && sameSteps(a, b) &&
          llvm::any_of(laws, [&](const auto &law) {
            return law.first == a.property && law.second == b.property;
          }))
        return a.property + " and not " + b.property + ": " + b.message;
  return "";
}

/// Runs passes over a module; \p facts are those that they found. What is wrong
/// with the way that they ran; empty: nothing.
inline std::string runPasses(Module &module, StringRef passes,
                             std::vector<Fact> &facts, unsigned emitter) {
  static const Registry registry = builtinRegistry();
  SourceManager sources;
  DiagnosticCollector collected;
  DiagnosticEngine diags(sources, collected);
  Pipeline entries;
  if (!parsePipeline(passes, "pipeline", registry.passes, diags, entries))
    return "a pipeline that cannot be read: " + passes.str();
  Limits limits;
  limits.maxStates = 300;
  limits.maxMemory = 64u << 20;
  limits.setTimeout(2);
  const Module read = module.clone();
  PassHost host;
  host.load = [&](StringRef) { return std::make_unique<Module>(read.clone()); };
  host.write = [](StringRef, function_ref<void(raw_ostream &)> print) {
    print(llvm::nulls());
    return true;
  };
  host.log = &llvm::nulls();
  PassManager manager(diags, limits, host);
  const bool ran = manager.run(entries, module);
  facts = manager.facts();
  if (std::string law = brokenLaw(facts); !law.empty())
    return law;
  if (!ran) {
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
  const Emitter &chosen = registry.emitters[emitter % registry.emitters.size()];
  if (StringRef(chosen.name) == "pdf" || StringRef(chosen.name) == "png")
    return ""; // other programs write these
  EmitOptions options;
  options.semantics.runLimits = limits;
  const unsigned before = diags.errors();
  bool wasStopped = false;
  options.stopped = [&](StringRef) { wasStopped = true; };
  if (!chosen.emit(module, llvm::nulls(), diags, options) && !wasStopped &&
      diags.errors() == before)
    return std::string("nothing is said why there is no ") + chosen.name;
  return "";
}

/// Whether two facts answer one question in two ways.
inline bool contradict(const Fact &a, const Fact &b) {
  return a.property == b.property && a.subject == b.subject && a.exact &&
         b.exact && a.verdict != Verdict::Inconclusive &&
         b.verdict != Verdict::Inconclusive && a.verdict != b.verdict &&
         sameSteps(a, b);
}

/// Whether an answer depends on what is drawn: the merges and ends that a
/// diagram leaves out are drawn where it is written from the model.
inline bool countsDrawn(const Fact &fact) {
  return fact.property == "safe" || fact.property == "proper-completion";
}

/// Writes a module as BPMN and reads that. Nothing: BPMN cannot express it.
inline std::optional<Module> throughBpmn(const Module &module,
                                         std::string &problem) {
  SourceManager sources;
  DiagnosticCollector collected;
  DiagnosticEngine diags(sources, collected);
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!emitBpmn(module, os, diags, {}))
    return std::nullopt;
  const SourceBuffer &source =
      sources.add("input", llvm::MemoryBuffer::getMemBufferCopy(text));
  Module read;
  if (parseBpmn(source, read, diags, {}) && verify(read, diags))
    return read;
  problem = "BPMN that was written cannot be read: " +
            (collected.all.empty() ? "" : collected.all.back().text) + "\n" +
            text;
  return std::nullopt;
}

/// What is wrong with the way that \p plan went; empty: nothing.
inline std::string runPlan(Module &module, const Plan &plan) {
  Module other = module.clone();
  std::vector<Fact> facts, others;
  std::string problem = runPasses(module, plan.passes, facts, plan.emitter);
  if (!problem.empty() || plan.twin.empty())
    return problem;
  if (plan.written) {
    std::optional<Module> read = throughBpmn(other, problem);
    if (!read)
      return problem;
    other = std::move(*read);
  }
  problem = runPasses(other, plan.twin, others, plan.emitter);
  for (const Fact &a : facts)
    for (const Fact &b : others)
      if (contradict(a, b) && !(plan.written && countsDrawn(a)))
        return a.property + " of " + a.subject + ": '" + a.message + "' and '" +
               b.message + "'";
  return problem;
}

using Parser = bool (*)(const SourceBuffer &, Module &, DiagnosticEngine &,
                        const FrontEndOptions &);

/// Reads \p text, which a front end's own fuzzer looks at, and goes on with it.
inline std::string runOnText(Parser parse, const std::string &text,
                             const Plan &plan) {
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
  return runPlan(module, plan);
}

/// What a fuzz target does with it.
inline void abortOn(const std::string &problem, StringRef text,
                    const Plan &plan) {
  if (problem.empty())
    return;
  llvm::errs() << problem << "\n--passes=" << plan.passes << " " << plan.twin
               << "\n"
               << text;
  abort();
}

} // namespace cif::fuzz

#endif
