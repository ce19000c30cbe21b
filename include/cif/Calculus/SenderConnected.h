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

/// Whether every sender sees what its step depends on. A message is told by its
/// sender, receiver and operation; internal steps are silent.
SenderConnection findSenderConnection(const IocGraph &graph, Budget &budget);

} // namespace cif

#endif
