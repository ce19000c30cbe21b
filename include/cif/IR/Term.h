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
};

/// A tree in a flat array: children stand before their parent, siblings in the
/// order of the branches, the root last. So a loop over the array is a walk
/// from the leaves to the root.
class Term {
public:
  std::vector<TermNode> nodes;

  TermId root() const { return TermId(nodes.size() - 1); }
  const TermNode &operator[](TermId id) const { return nodes[id.index()]; }
  size_t size() const { return nodes.size(); }
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

} // namespace cif

#endif
