//===- Fate.h - What becomes of tokens, by structure ------------*- C++ -*-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_SEMANTICS_TOKEN_FATE_H
#define CIF_LIB_SEMANTICS_TOKEN_FATE_H

#include "TokenNet.h"

namespace cif {

/// \p processes: those of the net. \p sendsAlways: nothing keeps a message from
/// being sent. \p budget: where it ends, nothing is claimed.
TokenFate findFate(const TokenNet &net,
                   ArrayRef<CollaborationProcess> processes, bool sendsAlways,
                   Budget &budget);

/// Whether no token can come back to where it was: then all runs end, and the
/// states are finitely many whatever the network.
bool isAcyclic(const TokenNet &net);

} // namespace cif

#endif
