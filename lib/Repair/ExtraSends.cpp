//===- ExtraSends.cpp - Whether peers send what they should not -----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Repair/ExtraSends.h"
#include "cif/Explore/TraceSearch.h"
#include "cif/Semantics/Semantics.h"
#include "cif/Semantics/System.h"

using namespace cif;

static std::optional<SetAnswer> search(const Module &peers,
                                       SemanticsOptions semantics,
                                       const Lts &allowed, const Limits &limits,
                                       DiagnosticEngine &diags) {
  semantics.eagerReceptions = SemanticsOptions::Eager;
  std::unique_ptr<System> system = makeSystem(peers, semantics, diags);
  if (!system)
    return std::nullopt;
  TraceSearchResult found = findExtraTrace(*system, allowed, limits);
  SetAnswer answer;
  if (found.found()) {
    answer.kind = SetAnswer::Lacking;
    for (const Step &step : found.run)
      if (const Label &label = system->labels()[step.label];
          label.kind == LabelKind::Exchange)
        answer.trace.push_back(label);
  } else if (found.complete) {
    answer.kind = SetAnswer::Enough;
  } else {
    answer.limit = found.limit;
  }
  return answer;
}

std::optional<SetAnswer>
cif::sendsWithin(const Module &peers, ArrayRef<std::string> handshakes,
                 const Lts &allowed, const SynchronizabilityOptions &options,
                 DiagnosticEngine &diags) {
  SemanticsOptions semantics =
      SemanticsOptions::peers(options.network, Observation::Send, handshakes,
                              options.bound.value_or(1));
  std::optional<SetAnswer> answer =
      search(peers, semantics, allowed, options.limits, diags);
  if (!answer || answer->kind != SetAnswer::Enough || options.bound)
    return answer;
  semantics.bound = noBound;
  Limits some = options.limits;
  some.maxStates = std::min<uint64_t>(some.maxStates, 100'000);
  std::optional<SetAnswer> further =
      search(peers, semantics, allowed, some, diags);
  return !further || further->kind == SetAnswer::Lacking ? further : answer;
}
