//===- TransitCommands.h - Networks as counters and queues ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is in transit, as the counters and queues of a CommandModel: a counter
/// for each message of a bag, one for what is in transit under rsc, and the
/// queues of the networks that have them.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_SEMANTICS_TRANSITCOMMANDS_H
#define CIF_LIB_SEMANTICS_TRANSITCOMMANDS_H

#include "cif/IR/Commands.h"
#include "cif/Semantics/Network.h"

namespace cif {

class TransitCommands {
public:
  /// Adds what \p network needs to \p model. \p names: `p->q:m` by message.
  /// Where it has no such form, \p reason says so.
  TransitCommands(CommandModel &model, NetworkKind kind, const Network &network,
                  ArrayRef<std::string> names, std::string &reason);

  /// Makes \p command send or receive message \p m.
  void send(CommandModel::Command &command, uint32_t m) const;
  void receive(CommandModel::Command &command, uint32_t m) const;

private:
  const NetworkKind kind;
  const uint32_t bound;
  uint32_t first; ///< the first counter
};

} // namespace cif

#endif
