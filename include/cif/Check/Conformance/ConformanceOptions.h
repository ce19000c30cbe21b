//===- ConformanceOptions.h - Options that the checks share ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The options that conformance passes share.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_CONFORMANCE_CONFORMANCEOPTIONS_H
#define CIF_CHECK_CONFORMANCE_CONFORMANCEOPTIONS_H

#include "cif/Check/Conformance/Conformance.h"
#include "cif/Check/IdleOptions.h"
#include "cif/Pass/Pass.h"

namespace cif {

/// The options `network`, `bound`, `map`, `observe-completion` and
/// `no-reduction`; nothing: an error was reported.
inline std::optional<ConformanceOptions>
conformanceOptions(PassContext &context) {
  ConformanceOptions options;
  options.limits = context.limits;
  if (context.hasOption("network")) {
    std::optional<unsigned> network = context.oneOf("network", networkWords());
    if (!network)
      return std::nullopt;
    options.network = static_cast<NetworkKind>(*network);
  }
  if (context.hasOption("bound")) {
    if (options.network == NetworkKind::Sync &&
        !noneGiven(context, {"bound"}, "here: handshakes have no queues"))
      return std::nullopt;
    std::optional<uint64_t> bound = context.number("bound");
    if (!bound)
      return std::nullopt;
    options.bound = static_cast<uint32_t>(std::min<uint64_t>(*bound, noBound));
  }
  SmallVector<StringRef, 4> entries = context.list("map");
  options.mapsLikely = llvm::is_contained(entries, "auto");
  llvm::erase(entries, "auto");
  auto map = parseNameMap(entries, context.diags);
  if (!map)
    return std::nullopt;
  options.observeCompletion = context.flag("observe-completion");
  options.reduces = !context.flag("no-reduction");
  options.map = std::move(*map);
  return options;
}

} // namespace cif

#endif
