//===- PeerMachines.h - Peers as tables of sends and receptions -----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_ANALYSIS_PEERMACHINES_H
#define CIF_LIB_ANALYSIS_PEERMACHINES_H

#include "cif/IR/Module.h"

namespace cif {

/// The peers of a module with numbered messages. The module must be one that
/// makeSystem takes, and must stay as it is.
struct PeerMachines {
  enum class Kind : uint8_t { Internal, Send, Receive };
  struct Action {
    Kind kind = Kind::Internal;
    uint32_t message = 0; ///< of a send or reception
  };
  struct Message {
    uint32_t sender, receiver; ///< peers
    uint32_t pair;             ///< the ordered pair of the two
    std::string name;
  };
  struct Peer {
    std::string name;
    uint32_t system; ///< in the module
    const Lts *lts;
    std::vector<Action> actions; ///< by label

    Action action(uint32_t transition) const {
      return actions[lts->label[transition]];
    }
    /// Whether it may stop here: final or, where it does not speak of final
    /// states, without a way on.
    bool isDone(StateIndex s) const {
      return lts->saysFinal() ? lts->isFinal(s) : lts->labelsOf(s).empty();
    }
  };
  std::vector<Peer> peers;
  std::vector<Message> messages;
  uint32_t numPairs = 0;

  explicit PeerMachines(const Module &module);

  /// `p!q:m`, `q?p:m`; empty for an internal step.
  Label label(Action action) const;
  /// The peers that are linked by messages, set by set, in ascending order.
  std::vector<std::vector<uint32_t>> linkedPeers() const;
};

} // namespace cif

#endif
