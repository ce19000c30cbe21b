//===- StgOfSystem.cpp - From LTSs to symbolic transition graphs ----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Conversation protocols and peers without data are LTSs. Final states are
/// done; if an LTS does not declare final states, those without transitions
/// are.
///
//===----------------------------------------------------------------------===//

#include "cif/Symbolic/Stg.h"

using namespace cif;

Stg cif::stgOfSystem(const Module &module, const SystemDecl &system,
                     FormulaPool &pool) {
  const Lts &lts = system.lts;
  Stg stg;
  stg.name = module.text(system.name).str();
  stg.initial = lts.initial;
  const auto over = static_cast<uint32_t>(lts.numStates());
  for (StateIndex s = 0; s < over; ++s) {
    for (uint32_t i = lts.rowBegin[s]; i < lts.rowBegin[s + 1]; ++i) {
      const Label &label = lts.labels[lts.label[i]];
      StgTransition t;
      t.from = s;
      t.to = lts.target[i];
      t.guard = pool.truth(true);
      t.label = {label.sender, label.receiver, label.message};
      t.action = label.kind == LabelKind::Exchange  ? StgAction::Exchange
                 : label.kind == LabelKind::Send    ? StgAction::Send
                 : label.kind == LabelKind::Receive ? StgAction::Receive
                                                    : StgAction::Tau;
      if (t.action == StgAction::Tau)
        t.label = {};
      Location at = system.loc;
      if (i < system.transitionLines.size() && system.transitionLines[i]) {
        at.line = system.transitionLines[i];
        at.column = 0;
      }
      t.at = module.place(at);
      stg.transitions.push_back(std::move(t));
    }
    bool ends = lts.saysFinal() ? lts.isFinal(s)
                                : lts.rowBegin[s] == lts.rowBegin[s + 1];
    if (!ends)
      continue;
    StgTransition t;
    t.from = s;
    t.to = over;
    t.guard = pool.truth(true);
    t.action = StgAction::Tick;
    t.at = module.place(system.loc);
    stg.transitions.push_back(std::move(t));
  }
  stg.finish(pool, over + 1);
  return stg;
}
