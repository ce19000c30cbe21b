//===- PeerBuilder.h - Peers from lists of transitions --------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the readers of peers and communicating automata share: transitions in
/// the order of the text become an LTS, sorted by source state, with a table of
/// labels.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_FRONTEND_PEERBUILDER_H
#define CIF_LIB_FRONTEND_PEERBUILDER_H

#include "cif/IR/Module.h"
#include "llvm/ADT/DenseMap.h"

namespace cif {

class PeerBuilder {
public:
  StateIndex addState() { return states++; }
  size_t numStates() const { return states; }
  size_t numTransitions() const { return transitions.size(); }

  /// The owner sends \p message to \p partner, or receives it from there.
  void addAction(StateIndex from, LabelKind kind, Name partner, Name message,
                 StateIndex to, uint32_t line);
  void addTau(StateIndex from, StateIndex to, uint32_t line) {
    transitions.push_back({from, tauLabel, to, line});
  }
  /// Says that \p state is final, and that termination is spoken of.
  void setFinal(StateIndex state) {
    finals.push_back(state);
    saysFinal = true;
  }

  /// Adds the peer of \p owner to \p module.
  void finish(Module &module, ParticipantId owner, StateIndex initial,
              Location loc);

  bool saysFinal = false;

private:
  struct Transition {
    StateIndex from;
    LabelIndex label;
    StateIndex to;
    uint32_t line;
  };
  struct Action {
    LabelKind kind;
    Name partner, message;
  };

  uint32_t states = 0;
  std::vector<Transition> transitions;
  std::vector<Action> actions; ///< of labels from 1 on
  llvm::DenseMap<std::pair<uint64_t, uint32_t>, LabelIndex> labels;
  std::vector<StateIndex> finals;
};

} // namespace cif

#endif
