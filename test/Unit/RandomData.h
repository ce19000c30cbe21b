//===- RandomData.h - Small random models with data -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_RANDOMDATA_H
#define CIF_TEST_UNIT_RANDOMDATA_H

#include "cif/IR/Builder.h"
#include <optional>
#include <random>

namespace cif::test {

/// Two processes without loops that send each other a truth value (ask, say)
/// or a colour (paint), with guards over all they know.
class DataGenerator {
public:
  explicit DataGenerator(unsigned seed) : random(seed) {
    module.enumerations.push_back(
        {module.intern("Colour"),
         {module.intern("red"), module.intern("green"), module.intern("blue")},
         {}});
    p = module.getParticipant(module.intern("p"));
    q = module.getParticipant(module.intern("q"));
    field(module.getMessage(module.intern("ask"), p, q), "f", boolSort);
    field(module.getMessage(module.intern("paint"), p, q), "e", colour());
    field(module.getMessage(module.intern("say"), q, p), "f", boolSort);
    for (const char *name : {"p", "q"}) {
      builder.emplace(module, BehaviourKind::Process, name,
                      name[0] == 'p' ? p : q);
      isP = name[0] == 'p';
      NodeId start = builder->add(NodeKind::Initial);
      NodeId end = builder->add(NodeKind::Final);
      block(start, end, 2 + seed % 2);
    }
  }
  Module module;

private:
  static Sort colour() { return Sort{Sort::firstEnum}; }
  void field(MessageId id, const char *name, Sort sort) {
    module.messages[id.index()].fields.push_back({module.intern(name), sort});
  }
  int below(int n) { return std::uniform_int_distribution<>(0, n - 1)(random); }

  ExprId literal() {
    Expr e;
    e.op = ExprOp::EnumLiteral;
    e.sort = colour();
    e.name = module.enumerations[0].literals[below(3)];
    return module.addExpr(e);
  }
  ExprId truth() { return builder->variable(below(2) ? "f" : "x", boolSort); }
  ExprId condition(int depth) {
    switch (below(depth ? 6 : 2)) {
    case 0:
      return truth();
    case 1:
      return builder->binary(below(2) ? ExprOp::Equal : ExprOp::NotEqual,
                             builder->variable("e", colour()), literal());
    case 2:
      return builder->unary(ExprOp::Not, condition(depth - 1));
    case 3:
      return builder->binary(ExprOp::And, condition(depth - 1),
                             condition(depth - 1));
    case 4:
      return builder->binary(ExprOp::Or, condition(depth - 1),
                             condition(depth - 1));
    default:
      return builder->binary(ExprOp::Equal, truth(), truth());
    }
  }
  NodeId step() {
    static const char *const out[] = {"ask", "paint"};
    bool sends = below(2);
    const char *name = isP == sends ? out[below(2)] : "say";
    StringRef other = isP ? "q" : "p";
    NodeId n =
        sends ? builder->send(other, name) : builder->receive(other, name);
    bool paints = StringRef(name) == "paint";
    switch (below(4)) {
    case 0: // a variable of another name
      builder->setArguments(n,
                            {builder->variable(paints ? "e" : "x",
                                               paints ? colour() : boolSort)});
      builder->behaviour().node(n).flags |= BindsArguments;
      break;
    case 1: // an expression
      if (sends)
        builder->setArguments(
            n,
            {paints ? (below(2) ? literal() : builder->variable("e", colour()))
                    : condition(1)});
      break;
    default: // the field itself
      break;
    }
    return n;
  }
  void block(NodeId from, NodeId to, int length) {
    NodeId at = from;
    for (int i = 0; i < length; ++i) {
      NodeId next;
      if (below(3)) {
        next = step();
        builder->flow(at, next);
      } else {
        bool event = below(2);
        NodeId split =
            builder->add(event ? NodeKind::EventChoice : NodeKind::Choice);
        next = builder->add(NodeKind::SimpleJoin);
        builder->flow(at, split);
        int branches = 1 + below(3);
        for (int b = 0; b < branches; ++b) {
          NodeId first = event || below(2) ? step() : next;
          ExprId guard;
          if (below(4))
            guard = condition(1);
          else if (below(2))
            guard = builder->variable("elsewhere", boolSort); // free
          FlowId flow = builder->flow(split, first, guard);
          if (!guard && b == branches - 1 && branches > 1 && !event)
            builder->behaviour().flow(flow).flags |= DefaultFlow;
          if (first != next)
            builder->flow(first, next);
        }
      }
      at = next;
    }
    builder->flow(at, to);
  }

  std::mt19937 random;
  std::optional<BehaviourBuilder> builder;
  ParticipantId p, q;
  bool isP = true;
};

} // namespace cif::test

#endif
