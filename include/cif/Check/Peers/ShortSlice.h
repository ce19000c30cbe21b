//===- ShortSlice.h - Slices with shorter chains of steps -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A slice is searched with its chains shortened, and what is found is told
/// with all their steps.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_PEERS_SHORTSLICE_H
#define CIF_CHECK_PEERS_SHORTSLICE_H

#include "cif/Calculus/TermChains.h"
#include "cif/Check/Peers/SearchedParts.h"
#include "cif/Semantics/Semantics.h"
#include "llvm/ADT/StringMap.h"

namespace cif {

/// Whether chains may be shortened under \p network: who only hands on can
/// receive at once, and its messages share no queue with others of it.
bool canShortenChains(NetworkKind network);

/// A slice whose long chains of interactions are shortened.
class ShortSlice {
public:
  /// \p term is what is left of the choreography of \p whole, which must stay.
  ShortSlice(const SearchedParts &whole, ShortTerm term);

  /// With the short term for its choreography.
  Module module;

  /// \p fact, a flaw of the peers of `module`, with the steps of the slice.
  /// Nothing: it is not known to be a flaw of the slice.
  std::optional<Fact> told(const Fact &fact) const;

private:
  std::string newName(uint32_t number) const;
  std::string toldText(StringRef text) const;
  void tell(const WitnessStep &step, ArrayRef<NodeId> nodes,
            std::vector<WitnessStep> &steps) const;

  const SearchedParts &whole;
  ShortTerm brief;
  std::string base;                ///< of new names
  std::vector<std::string> names;  ///< by the number in a new one: what it is
  llvm::StringMap<uint32_t> fresh; ///< labels of new operations
};

} // namespace cif

#endif
