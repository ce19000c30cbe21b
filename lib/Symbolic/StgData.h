//===- StgData.h - Data of one symbolic transition graph ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What graphs that are made of terms and of graphs have in common: variables,
/// conditions, and what a step exchanges.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_SYMBOLIC_STGDATA_H
#define CIF_LIB_SYMBOLIC_STGDATA_H

#include "cif/Symbolic/Stg.h"

namespace cif {

class StgData {
public:
  StgData(const Module &module, const Behaviour &b, FormulaPool &pool,
          std::vector<OpenCondition> &open);

  struct Condition {
    FormulaId isTrue, isFalse; ///< both `true` where it is left open
  };
  /// That of a flow; of a default flow, that the others' are false.
  Condition condition(FlowId flow);

  /// A step of \p node, which may be empty. Exchange stands for whatever the
  /// node does with its message.
  StgTransition transition(uint32_t from, uint32_t to, FormulaId guard,
                           StgAction action, NodeId node, bool decides);

private:
  void bind(Name name, Sort sort);
  void bindVariables();
  std::string subjectText(NodeId node) const;
  Condition readGuard(FlowId flow);
  void addData(StgTransition &t, const Node &node, const Message &message);

  const Module &module;
  const Behaviour &b;
  FormulaPool &pool;
  std::vector<OpenCondition> &open;
  std::map<Name, VariableId> variables;
  std::map<uint32_t, Condition> conditions;
  std::map<uint32_t, SmallVector<VariableId, 1>> parameters; ///< by node
};

/// The rules of [symbolic, Fig. 2] on a term. Failed: a way round in it takes
/// no step, so that the rules do not say what it does.
Outcome<Stg> stgOfTerm(const Module &module, const Behaviour &behaviour,
                       const Term &term, FormulaPool &pool,
                       const Limits &limits, std::vector<OpenCondition> &open);

} // namespace cif

#endif
