//===- QueueOptions.h - Options that the checks of peers share ------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The options that passes on peers share.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_PEERS_QUEUEOPTIONS_H
#define CIF_CHECK_PEERS_QUEUEOPTIONS_H

#include "cif/Check/IdleOptions.h"
#include "cif/Check/Peers/PeerSets.h"
#include "cif/Check/Peers/Synchronizability.h"
#include "cif/Pass/Pass.h"
#include "cif/Support/Diagnostics/Usage.h"

namespace cif {

/// The options `bound` and `network`, which may be any unless \p onlyQueues:
/// then it is inbox or fifo-pair. Nothing: an error was reported.
inline std::optional<SynchronizabilityOptions>
queueOptions(const PassContext &context, bool onlyQueues = false) {
  SynchronizabilityOptions options;
  options.limits = context.limits;
  options.networkIsGiven = context.hasOption("network");
  if (options.networkIsGiven) {
    SmallVector<StringRef, 8> words;
    for (StringRef word : networkWords())
      if (!onlyQueues || word == "inbox" || word == "fifo-pair")
        words.push_back(word);
    std::optional<unsigned> network = context.oneOf("network", words);
    if (!network)
      return std::nullopt;
    options.network = static_cast<NetworkKind>(
        llvm::find(networkWords(), words[*network]) - networkWords().begin());
  }
  if (!context.hasOption("bound"))
    return options;
  if (options.network == NetworkKind::Sync &&
      !noneGiven(context, {"bound"}, "here: handshakes have no queues"))
    return std::nullopt;
  std::optional<uint64_t> bound = context.number("bound");
  if (!bound)
    return std::nullopt;
  if (*bound == 0) {
    context.diags.report(diag::bad_option_value)
        << "bound"
        << "0"
        << "a number of at least 1, or 'inf'";
    return std::nullopt;
  }
  options.bound = static_cast<uint32_t>(std::min<uint64_t>(*bound, noBound));
  return options;
}

/// The same with the network that fits \p set where none was asked for.
inline SynchronizabilityOptions optionsFor(const PeerSet &set,
                                           SynchronizabilityOptions options) {
  if (!options.networkIsGiven)
    options.network = set.network;
  return options;
}

} // namespace cif

#endif
