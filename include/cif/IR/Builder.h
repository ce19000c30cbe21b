//===- Builder.h - Making behaviours --------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A convenience for front ends and tests. Nodes go into the current container
/// and get the current location:
///
///   BehaviourBuilder b(module, BehaviourKind::Choreography, "Shop");
///   NodeId start = b.add(NodeKind::Initial);
///   NodeId ask = b.interaction("c", "s", "request");
///   b.chain({start, ask, b.add(NodeKind::Final)});
///
//===----------------------------------------------------------------------===//

#ifndef CIF_IR_BUILDER_H
#define CIF_IR_BUILDER_H

#include "cif/IR/Module.h"

namespace cif {

/// Puts attributes into the order that the IR asks for: by node, those of the
/// behaviour itself last, then by the text of their keys.
void sortAttributes(const Module &module, Behaviour &behaviour);

class BehaviourBuilder {
public:
  /// Starts a behaviour at the end of \p module's.
  BehaviourBuilder(Module &module, BehaviourKind kind, StringRef name,
                   ParticipantId owner = {});

  BehaviourId id() const { return behaviourId; }
  Behaviour &behaviour() { return module.behaviours[behaviourId.index()]; }

  /// The location of what is made from now on.
  void at(Location where) { loc = where; }
  /// What is made from now on is in \p container; empty: at the top level.
  void in(NodeId container) { parent = container; }

  /// Adds a node of \p kind, or \p node, with the current location and
  /// container.
  NodeId add(NodeKind kind, StringRef name = {});
  NodeId add(Node node);
  /// Adds an interaction of a choreography. Participants and the message are
  /// found by name, or made.
  NodeId interaction(ParticipantId sender, ParticipantId receiver,
                     StringRef message);
  NodeId interaction(StringRef sender, StringRef receiver, StringRef message);
  /// Of the owner; an empty partner: whoever answers.
  NodeId send(StringRef receiver, StringRef message);
  NodeId receive(StringRef sender, StringRef message);
  NodeId container(StringRef name = {}) {
    return add(NodeKind::Container, name);
  }
  /// An event at the border of \p activity, in the same container.
  NodeId boundary(NodeId activity, Trigger trigger);

  /// Adds a flow between two nodes of the same container. A default flow is
  /// taken when the guards of all other flows of \p source are false.
  FlowId flow(NodeId source, NodeId target, ExprId guard = {});
  FlowId defaultFlow(NodeId source, NodeId target);
  /// A flow from each node to the next.
  void chain(ArrayRef<NodeId> nodes);
  void chain(std::initializer_list<NodeId> nodes) {
    chain(ArrayRef<NodeId>(nodes));
  }
  /// What an interaction, send or receive transmits: one expression for each
  /// field of its message. At most once for a node.
  void setArguments(NodeId node, ArrayRef<ExprId> arguments);
  /// Adds an attribute; they are kept in the order of nodes and keys.
  void attribute(NodeId node, StringRef key, StringRef value);

  /// Expressions, with the sort that their operator gives. Operands are
  /// expressions of the same module.
  ExprId integer(int64_t value);
  ExprId boolean(bool value);
  ExprId variable(StringRef name, Sort sort = unknownSort);
  ExprId unary(ExprOp op, ExprId operand);
  ExprId binary(ExprOp op, ExprId lhs, ExprId rhs);

private:
  ParticipantId partner(StringRef name);
  ExprId expr(Expr e);

  Module &module;
  BehaviourId behaviourId;
  NodeId parent;
  Location loc;
};

} // namespace cif

#endif
