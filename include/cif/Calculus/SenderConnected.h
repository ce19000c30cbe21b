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
    Untold,   ///< who sends `second` takes no part in `first`, right before it
    Deciders, ///< `first` and `second` may follow one choice
    Reused,   ///< `first` and `second` are one message, which leads its
              ///< receiver to different places
    Foreign,  ///< the graph has what the conditions are not about: calls that
              ///< something follows, parallel branches that are interrupted
    GaveUp,   ///< a limit was met
  };
  Flaw flaw = None;
  uint32_t first = TermAction::none, second = TermAction::none; ///< nodes

  bool holds() const { return flaw == None; }
};

/// What shows that a graph is sender-connected; docs/certificates.md.
struct SenderEvidence {
  /// Of each node: a step for each owner of a token there, which sends it next.
  std::vector<SmallVector<uint32_t, 2>> next;
  /// Of a message whose uses lead its receiver to different places: a use, and
  /// of each node the kind of the next one; none: there is no use behind it.
  struct Count {
    uint32_t use;
    std::vector<uint32_t> kind;
  };
  std::vector<Count> counts;
};

/// Whether every sender sees what its step depends on. A message is told by its
/// sender, receiver and operation; internal steps are silent.
SenderConnection findSenderConnection(const IocGraph &graph, Budget &budget,
                                      SenderEvidence *evidence = nullptr);

} // namespace cif

#endif
