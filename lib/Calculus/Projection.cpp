//===- Projection.cpp - What a role does in a choreography's term ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Calculus/Projection.h"

using namespace cif;

IocTerm cif::projectTerm(const IocTerm &term, uint32_t role) {
  IocTerm result = term;
  for (size_t i = 0; i < term.term.size(); ++i) {
    TermNode &node = result.term.nodes[i];
    TermAction &x = result.actions[i];
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

std::vector<PocRole> cif::projectTerm(const IocTerm &term) {
  std::vector<bool> takesPart(term.numRoles);
  for (size_t i = 0; i < term.term.size(); ++i) {
    TermKind kind = term.term.nodes[i].kind;
    if (kind == TermKind::Action || kind == TermKind::Tau)
      takesPart[term.actions[i].sender] = takesPart[term.actions[i].receiver] =
          true;
  }
  std::vector<PocRole> roles;
  for (uint32_t role = 0; role < term.numRoles; ++role)
    if (takesPart[role])
      roles.push_back({role, projectTerm(term, role)});
  return roles;
}
