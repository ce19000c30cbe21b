//===- SenderDriven.h - Choices of one sender, up to independence ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For choreographies, deterministic and without silent steps, that offer
/// exchanges of several senders at once: whether that is only the order of
/// independent exchanges, and whether it is a choice that nobody makes.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_CHECK_PEERS_SENDERDRIVEN_H
#define CIF_LIB_CHECK_PEERS_SENDERDRIVEN_H

#include "cif/IR/Lts.h"
#include "cif/Support/Limits.h"

namespace cif {

/// A part of \p lts with its finite and infinite words up to the order of
/// exchanges without a common participant, in which every state has exchanges
/// of one sender. Nothing: none was found, or a limit was met.
std::optional<Lts> senderDrivenPart(const Lts &lts, Budget &budget);

/// Two exchanges of different senders that may follow one run.
struct OpenChoice {
  std::vector<Label> run;
  Label one, other;
};

/// A choice that nobody makes: no word has both, each as the first thing that
/// its sender does after the run. Nothing: none was found, or a limit was met.
std::optional<OpenChoice> findOpenChoice(const Lts &lts, Budget &budget);

} // namespace cif

#endif
