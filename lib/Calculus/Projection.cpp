//===- Projection.cpp - What a role does in a choreography's term ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Calculus/Projection.h"

using namespace cif;

Term cif::projectTerm(const Term &term, uint32_t role) {
  Term result = term;
  for (size_t i = 0; i < term.size(); ++i) {
    TermNode &node = result.nodes[i];
    TermAction &x = node.action;
    if (node.kind != TermKind::Action && node.kind != TermKind::Tau)
      continue;
    if (!x.involves(role)) {
      node.kind = TermKind::Done;
      node.node = NodeId();
      x = TermAction();
    } else if (!x.isTau()) {
      (x.sender == role ? x.receiver : x.sender) = TermAction::none;
    }
  }
  return result;
}

std::vector<PocRole> cif::projectTerm(const Term &term, Budget *budget) {
  std::vector<PocRole> roles;
  for (uint32_t role : rolesOf(term)) {
    if (budget && budget->spend(term.size()))
      break;
    roles.push_back({role, projectTerm(term, role)});
  }
  return roles;
}
