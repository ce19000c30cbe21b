//===- CheckKmc.cpp - --check-kmc -----------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Check/Peers/EachPeerSet.h"
#include "cif/Check/Peers/Kmc.h"
#include "cif/Check/Replay.h"
#include "cif/Pass/FactBuilder.h"
#include "cif/Support/Diagnostics/Usage.h"

using namespace cif;

static std::optional<uint32_t> bound(StringRef name, PassContext &context) {
  std::optional<uint64_t> value = context.number(name);
  if (value && (*value == 0 || *value >= noBound)) {
    context.diags.report(diag::bad_option_value)
        << name << context.option(name) << "a number of at least 1";
    return std::nullopt;
  }
  return value;
}

/// The verdict for whatever bound.
static void fillAnyBound(const Kmc &result, Fact &always) {
  std::string k = std::to_string(result.k);
  always.subject += ": safe for every bound";
  if (!result.safeAnyBound.holds) {
    always.verdict = Verdict::Violated;
    always.exact = true;
    always.method = "from there on the bound prevents no send";
    always.message = "not safe: " + result.safeAnyBound.text;
    always.witness = result.safeAnyBound.witness;
  } else if (result.compatible() && result.independent()) {
    always.verdict = Verdict::Holds;
    always.exact = true;
    always.method =
        k + "-MC of " +
        (result.directed.holds ? "directed session automata"
                               : "session automata, " + k + "-OBI and " + k +
                                     (result.sibi.holds ? "-SIBI" : "-CIBI")) +
        " (Lange and Yoshida)";
  } else {
    always.method = k + "-MC of session automata";
    std::string why = "this says nothing about other bounds:";
    const char *separator = " ";
    auto add = [&](const KmcCondition &condition, const Twine &what) {
      if (condition.holds)
        return;
      why += (separator + what +
              (condition.text.empty() ? "" : " (" + condition.text + ")"))
                 .str();
      separator = "; ";
    };
    if (!result.compatible())
      add({false, "", {}}, "not " + k + "-MC");
    add(result.csa, "not session automata");
    add(result.obi, "not " + k + "-OBI");
    add(result.cibi, "not " + k + "-CIBI");
    always.message = why;
  }
}

static void report(Module &module, PassContext &context, const PeerSet &set,
                   const Kmc &result) {
  std::string k = std::to_string(result.k);
  FactBuilder fact = factOn("kmc", set);
  fact.sized(result.states, result.transitions);
  fact.with("k", k).with("network", "fifo-pair");
  auto parameter = [&](const char *name, const KmcCondition &condition) {
    fact.with(name, condition.holds ? "yes" : "no");
  };
  parameter("csa", result.csa);
  parameter("directed", result.directed);
  fact.by(k + "-safe and " + k + "-exhaustive" +
          (result.reduced ? ", reduced" : ""));
  if (!result.limit.empty()) {
    fact.inconclusive(noVerdictText(result.limit));
    context.report(module, std::move(fact));
    return;
  }
  parameter("obi", result.obi);
  parameter("sibi", result.sibi);
  parameter("cibi", result.cibi);
  parameter("exhaustive", result.exhaustive);
  parameter("safe", result.safe);
  Fact always = fact; // the same for whatever bound
  fact.exact = true;
  fact.verdict = result.compatible() ? Verdict::Holds : Verdict::Violated;
  std::string notSafe = "not " + k + "-safe: " + result.safe.text,
              notExhaustive =
                  "not " + k + "-exhaustive: " + result.exhaustive.text;
  if (!result.safe.holds) {
    fact.message = notSafe;
    fact.witness = result.safe.witness;
    if (!result.exhaustive.holds)
      fact.note(notExhaustive);
  } else if (!result.exhaustive.holds) {
    fact.message = notExhaustive;
    fact.witness = result.exhaustive.witness;
    fact.note("a larger bound may be sufficient; try max=" +
              std::to_string(uint64_t(result.k) * 2));
  }
  auto replays = [&](const Fact &violated) {
    return replaysOnPeers(set.module, NetworkKind::FifoPair, {},
                          *violated.witness, RunEnd::Anything, context.limits,
                          context.diags);
  };
  context.report(module, fact, [&] { return replays(fact); });

  fillAnyBound(result, always);
  context.report(module, always, [&] { return replays(always); });
}

namespace cif {
PassResult runCheckKmc(Module &module, PassContext &context) {
  std::optional<uint32_t> first = bound("k", context), last = first;
  if (first && context.hasOption("max"))
    last = bound("max", context);
  if (!first || !last)
    return PassResult::Failed;
  if (*last < *first) {
    context.diags.report(diag::bad_option_value)
        << "max" << *last << "a number of at least " + Twine(*first);
    return PassResult::Failed;
  }
  return checkEachPeerSet(module, context, "kmc", [&](const PeerSet &set) {
    for (uint32_t k = *first;; ++k) {
      std::optional<Kmc> result =
          context.flag("no-reduction")
              ? checkKmc(set.module, k, context.limits, context.diags,
                         UINT64_MAX)
              : checkKmc(set.module, k, context.limits, context.diags);
      if (!result)
        return false;
      // A larger bound adds nothing to what an exhaustive one shows.
      if (k < *last && result->limit.empty() &&
          !(result->exhaustive.holds && result->independent()))
        continue;
      report(module, context, set, *result);
      return true;
    }
  });
}
} // namespace cif
