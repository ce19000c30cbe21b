//===- Knowledge.h - What a participant knows of data ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A participant knows a variable of a choreography where it took part in the
/// exchange that gave it its value, or was sent it later, on every way there.
/// So it can evaluate the guards over what it knows.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TRANSFORMS_KNOWLEDGE_H
#define CIF_TRANSFORMS_KNOWLEDGE_H

#include "cif/IR/Module.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

namespace cif {

class Knowledge {
public:
  /// What \p peer knows in \p choreography of \p module; both must stay.
  Knowledge(const Module &module, const Behaviour &choreography,
            ParticipantId peer);

  /// The first variable of \p expr that is not known before \p node, of those
  /// that some exchange brings; empty: all are.
  Name unknown(NodeId node, ExprId expr) const;
  /// Whether \p expr has a variable that no exchange brings: whoever decides
  /// has it from elsewhere.
  bool isForeign(ExprId expr) const;

private:
  using Known = llvm::BitVector; ///< by variable
  void take(NodeId n, Known &known, bool always = false) const;
  void bind(Name name, bool isKnown, Known &known) const;
  Known before(NodeId n) const;
  void solve();

  const Module &module;
  const Behaviour &graph;
  const ParticipantId peer;
  FlowIndex flows;
  llvm::DenseMap<uint32_t, uint32_t>
      numbers;              ///< of names in guards and arguments
  Known bound;              ///< variables that some exchange brings
  std::vector<Known> after; ///< by node
  std::vector<std::vector<NodeId>> inside[2]; ///< by container: starts and ends
};

} // namespace cif

#endif
