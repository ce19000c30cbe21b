//===- SearchedParts.h - What is left of a choreography to search ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A choreography that is not sender-connected as a whole, taken apart so that
/// only what is not proved has to be searched. docs/algorithms.md ("In parts",
/// "Slices") says what follows for the whole.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_PEERS_SEARCHEDPARTS_H
#define CIF_CHECK_PEERS_SEARCHEDPARTS_H

#include "cif/IR/Fact.h"
#include "cif/IR/Term.h"
#include "cif/Support/Limits.h"
#include <memory>

namespace cif {

/// A part of a choreography that is to be searched. Steps are nodes of the
/// whole.
struct SearchedPart {
  Term term;
  /// A beginning of the term, and then a message to somebody new by each who
  /// may be the first to send afterwards. If this is realizable, so is the
  /// part.
  std::optional<Term> start;
  /// The steps of a run by handshakes. If neither these nor a run of the part
  /// after them has a step of \p later, together they are a run of the whole.
  std::vector<NodeId> lead;
  std::vector<NodeId> later;
  /// The same for any run of \p rest (of the part, if there is no rest).
  /// Nothing if none is known.
  std::optional<std::vector<NodeId>> before;
  std::optional<Term> rest;
};

struct SearchedParts {
  /// The choreography alone, normalized.
  std::shared_ptr<const Module> normal;
  /// What remains to be searched, if this is less than the whole. The whole is
  /// realizable under a network if all parts are.
  std::vector<SearchedPart> parts;
  /// If the choreography is large: small parts to search first. A flaw of one
  /// is a flaw of the whole; that they have none says nothing. Where there are
  /// any, `parts` were not looked for, because that takes longer.
  std::vector<SearchedPart> slices;
  /// Some part was not taken apart, as its `start` is small.
  bool keptStarts = false;

  /// A module with \p term for its choreography, and nothing else.
  Module moduleOf(const Term &term) const;
  /// The name of all who receive the messages that `start` ends with, in
  /// modules of moduleOf(); nobody else's name contains it.
  std::string newName() const;
  /// \p run as steps of a witness.
  std::vector<WitnessStep> handshakes(ArrayRef<NodeId> run) const;
  /// The exchange of \p step, as labelForPeople writes it.
  std::string label(NodeId step) const;

private:
  /// `normal` and what moduleOf() adds to it: a copy of all that each small
  /// part does not need would take longer than to search the part.
  mutable std::shared_ptr<Module> names;
};

/// Takes the only choreography of \p normal apart, which is not
/// sender-connected. True: nothing is left to search. It is large if it has
/// \p largeFrom steps times participants. With \p keepsStarts, a part is not
/// taken further apart if it has a small `start`. At a limit there are no
/// parts.
bool findSearchedParts(std::shared_ptr<const Module> normal,
                       const Limits &limits, size_t largeFrom, bool keepsStarts,
                       SearchedParts &into);

} // namespace cif

#endif
