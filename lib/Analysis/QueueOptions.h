//===- QueueOptions.h - Options that the checks of peers share ------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_ANALYSIS_QUEUEOPTIONS_H
#define CIF_LIB_ANALYSIS_QUEUEOPTIONS_H

#include "cif/Analysis/Synchronizability.h"
#include "cif/Pass/Pass.h"
#include "cif/Support/DiagnosticKinds.h"

namespace cif {

/// The options `bound` and `network`; nothing: an error was reported.
inline std::optional<SynchronizabilityOptions>
queueOptions(const PassContext &context) {
  SynchronizabilityOptions options;
  options.limits = context.limits;
  std::optional<unsigned> network = 0; // where a pass has no default
  if (context.hasOption("network"))
    network = context.oneOf("network", {"inbox", "fifo-pair"});
  if (!network)
    return std::nullopt;
  options.network = *network ? NetworkKind::FifoPair : NetworkKind::Inbox;
  if (!context.hasOption("bound"))
    return options;
  std::optional<uint64_t> bound = context.number("bound");
  if (!bound)
    return std::nullopt;
  if (*bound == 0) {
    context.diags.report(diag::bad_option_value)
        << "bound" << "0" << "a number from 1 on, or 'inf'";
    return std::nullopt;
  }
  options.bound = static_cast<uint32_t>(std::min<uint64_t>(*bound, noBound));
  return options;
}

} // namespace cif

#endif
