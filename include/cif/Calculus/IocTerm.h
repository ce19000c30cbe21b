//===- IocTerm.h - IOC and POC terms with numbered roles ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A term with who does what in each of its steps, as small numbers: what
/// connectedness, projection and the semantics of IOC and POC [iocpoc] work on.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CALCULUS_IOCTERM_H
#define CIF_CALCULUS_IOCTERM_H

#include "cif/IR/Term.h"

namespace cif {

/// One step. An interaction has both roles; a send or receive may leave its
/// partner open. An internal step has its role as both, and no operation.
struct TermAction {
  static constexpr uint32_t none = 0xffffffffu;
  uint32_t sender = none, receiver = none, operation = none;

  bool isTau() const { return operation == none; }
  bool involves(uint32_t role) const {
    return role == sender || role == receiver;
  }
};

struct IocTerm {
  Term term;
  std::vector<TermAction> actions; ///< of each Action and Tau, by TermId
  uint32_t numRoles = 0, numOperations = 0;

  const TermNode &operator[](TermId id) const { return term[id]; }
  const TermAction &action(TermId id) const { return actions[id.index()]; }
};

/// Numbers for operations, shared by the terms that are compared. Roles are the
/// module's participants.
class OperationNumbers {
public:
  /// The number of an operation; a new one gets the next.
  uint32_t number(Name name);
  uint32_t size() const { return static_cast<uint32_t>(names.size()); }
  Name name(uint32_t number) const { return names[number]; }

private:
  std::vector<uint32_t> numbers; // by Name
  std::vector<Name> names;
};

/// The term of \p behaviour with its steps; nothing, and why, as recoverTerm
/// says, or when a step has nobody to do it.
std::optional<IocTerm> recoverIocTerm(const Module &module,
                                      const Behaviour &behaviour,
                                      OperationNumbers &operations,
                                      TermBreak *why = nullptr);

/// The first node of a kind that is not in \p kinds, in the order of the
/// array; an empty id when there is none.
TermId findOther(const Term &term, ArrayRef<TermKind> kinds);

} // namespace cif

#endif
