//===- SenderConnected.h - Who sends has seen what comes before -----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Conditions on the graph of a choreography under which its projection sends
/// what the choreography says, whatever the network: a proof of realizability
/// in linear time. docs/algorithms.md has the argument.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CALCULUS_SENDERCONNECTED_H
#define CIF_CALCULUS_SENDERCONNECTED_H

#include "cif/Calculus/IocGraph.h"
#include "cif/Support/Limits.h"

namespace cif {

struct SenderConnection {
  enum Flaw : uint8_t {
    None,
    Untold,   ///< the sender of `second` takes no part in `first` before it
    Deciders, ///< a choice leads to `first` and `second`, of two senders
    Reused,   ///< `first` and `second` are one message, which leads its
              ///< receiver to different places
    Foreign,  ///< the conditions do not cover the graph: it has calls that are
              ///< not in tail position, or interrupted parallel branches
    GaveUp,   ///< a limit was reached
  };
  Flaw flaw = None;
  uint32_t first = TermAction::none, second = TermAction::none; ///< nodes

  bool holds() const { return flaw == None; }
};

/// A proof that a graph is sender-connected (docs/certificates.md).
struct SenderEvidence {
  /// By node: for each owner of a token there, a step that it may send next.
  std::vector<SmallVector<uint32_t, 2>> next;
  /// For a message whose uses lead its receiver to different places: a use, and
  /// by node the kind of the next use, or none if there is no further use.
  struct Count {
    uint32_t use;
    std::vector<uint32_t> kind;
  };
  std::vector<Count> counts;
};

/// Decides whether \p graph is sender-connected. Messages are identified by
/// sender, receiver and operation; internal steps are silent. Fills \p evidence
/// if it is. Returns GaveUp if \p budget is exhausted.
SenderConnection findSenderConnection(const IocGraph &graph, Budget &budget,
                                      SenderEvidence *evidence = nullptr);
/// The same with up to \p most reasons why it is not.
std::vector<SenderConnection> findSenderFlaws(const IocGraph &graph,
                                              Budget &budget, size_t most);

} // namespace cif

#endif
