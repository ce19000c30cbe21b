//===- Term.h - The term of a block-structured behaviour ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The terms of IOC and POC [iocpoc; symbolic], found again in a graph of nodes
/// and flows whose blocks are well nested. What analyses define by recursion on
/// the syntax, they compute on this.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_IR_TERM_H
#define CIF_IR_TERM_H

#include "cif/IR/Module.h"

namespace cif {

using TermId = Id<struct TermTag>;

enum class TermKind : uint8_t {
  Done,      ///< 1
  Stuck,     ///< 0
  Action,    ///< an interaction, a send or a receive: `node` has the message
  Tau,       ///< an internal step: a task, an event without a message
  Call,      ///< once more the recursion `target`
  Sequence,  ///< two or more children, none of them a Sequence
  Parallel,  ///< two or more children
  Choice,    ///< two or more children; deferred, or decided silently
  Guard,     ///< one child, behind the guard of `flow`
  While,     ///< one child, as long as the guard of `flow` is true
  Loop,      ///< one child, any number of times; deferred or not
  Rec,       ///< one child, in which Calls come back to its beginning
  Interrupt, ///< two children: the second one's first step ends the first one
};

/// "sequence", "choice", ... for people and tests.
StringRef termKindText(TermKind kind);
/// How tightly an operator binds: an operand of one that binds as tightly or
/// more needs parentheses. `;` binds tightest; 5 is what needs none.
int termPrecedence(TermKind kind);

/// Who does what in one step, as small numbers. An interaction has both roles;
/// a send or receive may leave its partner open. An internal step has its role
/// as both, and no operation.
struct TermAction {
  static constexpr uint32_t none = 0xffffffffu;
  uint32_t sender = none, receiver = none, operation = none;

  bool isTau() const { return operation == none; }
  bool involves(uint32_t role) const {
    return role == sender || role == receiver;
  }
};

struct TermNode {
  TermKind kind = TermKind::Done;
  /// Of Choice and Loop: the first step decides. Else it is decided silently
  /// before (Choice, DominatedChoice).
  bool deferred = false;
  /// The node that it comes from: the step itself, the split, the join that a
  /// loop begins with, the container. Empty: of Sequence and Done.
  NodeId node;
  /// Of Guard and While: the flow that has the guard. A default flow has none:
  /// it is taken when the other guards of its choice are false.
  FlowId flow;
  TermId target; ///< of Call: the Rec
  TermId firstChild, nextSibling;
  uint32_t numChildren = 0;
  TermAction action; ///< of Action and Tau, once the term is numbered
};

/// A tree in a flat array: children stand before their parent, siblings in the
/// order of the branches, the root last. So a loop over the array is a walk
/// from the leaves to the root.
class Term {
public:
  std::vector<TermNode> nodes;
  /// Of what is numbered: roles are the participants of the module.
  uint32_t numRoles = 0, numOperations = 0;

  TermId root() const { return TermId(nodes.size() - 1); }
  const TermNode &operator[](TermId id) const { return nodes[id.index()]; }
  const TermAction &action(TermId id) const { return (*this)[id].action; }
  size_t size() const { return nodes.size(); }
  /// Adds \p node as the parent of \p children, which are in the array.
  TermId add(TermNode node, ArrayRef<TermId> children = {});
  /// The children of \p id, in order.
  SmallVector<TermId, 8> children(TermId id) const {
    SmallVector<TermId, 8> all;
    for (TermId c = (*this)[id].firstChild; c; c = (*this)[c].nextSibling)
      all.push_back(c);
    return all;
  }
};

/// Where and why a behaviour has no term.
struct TermBreak {
  NodeId node;
  std::string reason;
};

/// The term of \p behaviour, in time linear in its size (but for the inverse of
/// Ackermann's function); nothing, and why, when its blocks are not well nested
/// or it has something that terms do not have (inclusive splits, terminate,
/// boundary events other than `[>`, loop markers: run `normalize` first).
/// Unreachable nodes do not count.
std::optional<Term> recoverTerm(const Behaviour &behaviour,
                                TermBreak *why = nullptr);

/// Numbers for operations, shared by the terms that are compared.
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

/// The same with its steps numbered: what connectedness, projection and the
/// semantics of IOC and POC [iocpoc] work on. Nothing also when a step has
/// nobody to do it.
std::optional<Term> recoverTerm(const Module &module,
                                const Behaviour &behaviour,
                                OperationNumbers &operations,
                                TermBreak *why = nullptr);

/// Who takes a step, in ascending order.
std::vector<uint32_t> rolesOf(const Term &term);

/// The first node of a kind that is not in \p kinds, in the order of the
/// array; an empty id when there is none.
TermId findOther(const Term &term, ArrayRef<TermKind> kinds);

} // namespace cif

#endif
