//===- Builder.cpp - Making behaviours ------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Builder.h"
#include "TextWords.h"

using namespace cif;

namespace {
struct InOrder {
  const Module &module;
  bool operator()(const Attribute &x, const Attribute &y) const {
    if (x.node != y.node)
      return x.node < y.node;
    return module.text(x.key) < module.text(y.key);
  }
};
} // namespace

void cif::sortAttributes(const Module &module, Behaviour &behaviour) {
  llvm::stable_sort(behaviour.attributes, InOrder{module});
}

BehaviourBuilder::BehaviourBuilder(Module &module, BehaviourKind kind,
                                   StringRef name, ParticipantId owner)
    : module(module), behaviourId(module.behaviours.size()) {
  Behaviour &b = module.behaviours.emplace_back();
  b.kind = kind;
  b.name = module.intern(name);
  b.owner = owner;
}

NodeId BehaviourBuilder::add(Node node) {
  node.parent = parent;
  node.loc = loc;
  behaviour().nodes.push_back(node);
  return NodeId(behaviour().nodes.size() - 1);
}

NodeId BehaviourBuilder::add(NodeKind kind, StringRef name) {
  Node node{.kind = kind, .name = module.intern(name)};
  return add(node);
}

NodeId BehaviourBuilder::interaction(ParticipantId sender,
                                     ParticipantId receiver,
                                     StringRef message) {
  Node node{.kind = NodeKind::Interaction};
  node.message =
      module.getMessage(module.intern(message), sender, receiver, loc);
  return add(node);
}

NodeId BehaviourBuilder::interaction(StringRef sender, StringRef receiver,
                                     StringRef message) {
  ParticipantId from = partner(sender), to = partner(receiver);
  return interaction(from, to, message);
}

NodeId BehaviourBuilder::send(StringRef receiver, StringRef message) {
  Node node;
  node.kind = NodeKind::Send;
  node.message = module.getMessage(module.intern(message), behaviour().owner,
                                   partner(receiver), loc);
  return add(node);
}

NodeId BehaviourBuilder::receive(StringRef sender, StringRef message) {
  Node node;
  node.kind = NodeKind::Receive;
  node.message = module.getMessage(module.intern(message), partner(sender),
                                   behaviour().owner, loc);
  return add(node);
}

NodeId BehaviourBuilder::boundary(NodeId activity, Trigger trigger) {
  NodeId id = add(NodeKind::Boundary);
  Node &node = behaviour().node(id);
  node.trigger = trigger;
  node.attachedTo = activity;
  node.parent = behaviour().node(activity).parent;
  return id;
}

FlowId BehaviourBuilder::flow(NodeId source, NodeId target, ExprId guard) {
  Flow f{.source = source, .target = target, .guard = guard, .loc = loc};
  behaviour().flows.push_back(f);
  return FlowId(behaviour().flows.size() - 1);
}

FlowId BehaviourBuilder::defaultFlow(NodeId source, NodeId target) {
  FlowId id = flow(source, target);
  behaviour().flow(id).flags |= DefaultFlow;
  return id;
}

void BehaviourBuilder::chain(ArrayRef<NodeId> nodes) {
  for (size_t i = 1; i < nodes.size(); ++i)
    flow(nodes[i - 1], nodes[i]);
}

void BehaviourBuilder::setArguments(NodeId node, ArrayRef<ExprId> arguments) {
  Behaviour &b = behaviour();
  b.node(node).firstArgument = static_cast<uint32_t>(b.arguments.size());
  b.node(node).numArguments = static_cast<uint32_t>(arguments.size());
  b.arguments.insert(b.arguments.end(), arguments.begin(), arguments.end());
}

void BehaviourBuilder::attribute(NodeId node, StringRef key, StringRef value) {
  std::vector<Attribute> &all = behaviour().attributes;
  Attribute a{node, module.intern(key), module.intern(value)};
  all.insert(llvm::upper_bound(all, a, InOrder{module}), a);
}

ParticipantId BehaviourBuilder::partner(StringRef name) {
  if (name.empty())
    return {};
  return module.getParticipant(module.intern(name), loc);
}

ExprId BehaviourBuilder::expr(Expr e) {
  e.loc = loc;
  return module.addExpr(e);
}

ExprId BehaviourBuilder::integer(int64_t value) {
  return expr({ExprOp::IntLiteral, intSort, {}, {}, value});
}
ExprId BehaviourBuilder::boolean(bool value) {
  return expr({ExprOp::BoolLiteral, boolSort, {}, {}, value});
}
ExprId BehaviourBuilder::variable(StringRef name, Sort sort) {
  return expr({ExprOp::Variable, sort, {}, {}, 0, module.intern(name)});
}
ExprId BehaviourBuilder::unary(ExprOp op, ExprId operand) {
  return expr({op, operatorInfo(op).makes, operand});
}
ExprId BehaviourBuilder::binary(ExprOp op, ExprId lhs, ExprId rhs) {
  return expr({op, operatorInfo(op).makes, lhs, rhs});
}
