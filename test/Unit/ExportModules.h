//===- ExportModules.h - Modules made by hand, to be written --------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_EXPORTMODULES_H
#define CIF_TEST_UNIT_EXPORTMODULES_H

#include "cif/Export/Emitter.h"
#include "cif/Support/Diagnostics.h"

namespace cif::test {

/// Builds one behaviour of a module.
class Builder {
public:
  Builder(Module &module, BehaviourKind kind, StringRef name,
          StringRef owner = "")
      : module(module), index(module.behaviours.size()) {
    Behaviour behaviour;
    behaviour.kind = kind;
    behaviour.name = module.intern(name);
    if (!owner.empty())
      behaviour.owner = module.getParticipant(module.intern(owner));
    module.behaviours.push_back(std::move(behaviour));
  }
  Behaviour &behaviour() { return module.behaviours[index]; }
  Node &operator[](NodeId n) { return behaviour().node(n); }
  NodeId add(NodeKind kind, StringRef name = "", StringRef id = "") {
    Node node;
    node.kind = kind;
    node.name = module.intern(name);
    node.loc.element = module.intern(id);
    node.parent = container;
    behaviour().nodes.push_back(node);
    return NodeId(behaviour().nodes.size() - 1);
  }
  MessageId message(StringRef from, StringRef to, StringRef name) {
    ParticipantId sender = module.getParticipant(module.intern(from));
    ParticipantId receiver = module.getParticipant(module.intern(to));
    return module.getMessage(module.intern(name), sender, receiver);
  }
  NodeId interaction(StringRef name, StringRef from, StringRef to, StringRef m,
                     StringRef id = "", StringRef reply = "") {
    NodeId n = add(NodeKind::Interaction, name, id);
    (*this)[n].message = message(from, to, m);
    if (!reply.empty())
      (*this)[n].reply = message(to, from, reply);
    return n;
  }
  NodeId send(StringRef from, StringRef to, StringRef m) {
    NodeId n = add(NodeKind::Send, ("send " + m).str());
    (*this)[n].message = message(from, to, m);
    return n;
  }
  NodeId receive(StringRef from, StringRef to, StringRef m) {
    NodeId n = add(NodeKind::Receive, ("receive " + m).str());
    (*this)[n].message = message(from, to, m);
    return n;
  }
  FlowId flow(NodeId from, NodeId to, StringRef name = "", uint8_t flags = 0) {
    Flow flow;
    flow.source = from;
    flow.target = to;
    flow.name = module.intern(name);
    flow.flags = flags;
    behaviour().flows.push_back(flow);
    return FlowId(behaviour().flows.size() - 1);
  }
  void chain(std::initializer_list<NodeId> nodes) {
    NodeId previous;
    for (NodeId n : nodes) {
      if (previous)
        flow(previous, n);
      previous = n;
    }
  }

  Module &module;
  uint32_t index;
  NodeId container; ///< where nodes are added
};

/// A choreography with every kind of gateway, a two-way task, a loop, a
/// sub-choreography and a way back.
inline Module shop() {
  Module module;
  Builder b(module, BehaviourKind::Choreography, "Shop");
  NodeId start = b.add(NodeKind::Initial, "Customer wants something");
  NodeId again = b.add(NodeKind::SimpleJoin);
  NodeId order = b.interaction("Order", "Customer", "Shop", "order",
                               "Task_Order", "confirmation");
  NodeId stock = b.add(NodeKind::Choice, "In stock?");
  NodeId refuse = b.interaction("Refuse", "Shop", "Customer", "sorry");
  NodeId decide = b.add(NodeKind::EventChoice);
  NodeId retry = b.interaction("Try again", "Customer", "Shop", "retry");
  NodeId leave = b.interaction("", "Customer", "Shop", "good bye");
  NodeId all = b.add(NodeKind::AllSelect);
  NodeId deliver =
      b.interaction("Deliver the goods", "Shop", "Carrier", "parcel");
  NodeId pay = b.interaction("Pay", "Customer", "Shop", "money", "", "receipt");
  b[pay].loop = LoopKind::Standard;
  NodeId joined = b.add(NodeKind::AllJoin);
  NodeId rate = b.add(NodeKind::Container, "Rating");
  NodeId done = b.add(NodeKind::Final, "done");
  NodeId gone = b.add(NodeKind::Terminate, "gone");
  b.container = rate;
  NodeId rateStart = b.add(NodeKind::Initial);
  NodeId rateOne = b.interaction("Rate", "Customer", "Portal", "stars");
  NodeId rateTwo = b.interaction("Tell", "Portal", "Shop", "rating");
  NodeId rateEnd = b.add(NodeKind::Final);
  b.chain({rateStart, rateOne, rateTwo, rateEnd});
  b.chain({start, again, order, stock});
  b.flow(stock, refuse, "no");
  b.flow(stock, all, "yes", DefaultFlow);
  b.chain({refuse, decide, retry, again});
  b.chain({decide, leave, gone});
  b.chain({all, deliver, joined});
  b.chain({all, pay, joined, rate, done});
  return module;
}

/// Two processes and a black box: a loop, a sub-process with a boundary event,
/// gateways and message events.
inline Module collaboration() {
  Module module;
  {
    Builder b(module, BehaviourKind::Process, "Buying", "Customer");
    NodeId start = b.add(NodeKind::Initial, "Hungry");
    NodeId order = b.send("Customer", "Shop", "order");
    NodeId wait = b.add(NodeKind::EventChoice);
    NodeId yes = b.receive("Shop", "Customer", "confirmation");
    NodeId no = b.receive("Shop", "Customer", "sorry");
    NodeId pay = b.send("Customer", "Bank", "payment");
    NodeId eat = b.add(NodeKind::Task, "Eat");
    NodeId join = b.add(NodeKind::SimpleJoin);
    NodeId done = b.add(NodeKind::Final, "Full or not");
    b.chain({start, order, wait, yes, pay, eat, join, done});
    b.chain({wait, no, join});
  }
  {
    Builder b(module, BehaviourKind::Process, "Selling", "Shop");
    NodeId start = b.add(NodeKind::Initial, "Order came in");
    b[start].trigger = Trigger::Message;
    b[start].message = b.message("Customer", "Shop", "order");
    NodeId check = b.add(NodeKind::Container, "Check the stock");
    NodeId choice = b.add(NodeKind::Choice, "In stock?");
    NodeId late = b.add(NodeKind::Boundary, "too late");
    b[late].trigger = Trigger::Timer;
    b[late].attachedTo = check;
    NodeId yes = b.send("Shop", "Customer", "confirmation");
    NodeId no = b.send("Shop", "Customer", "sorry");
    NodeId again = b.add(NodeKind::Choice, "Ask again?");
    NodeId join = b.add(NodeKind::SimpleJoin);
    NodeId done = b.add(NodeKind::Final);
    b.container = check;
    NodeId inner = b.add(NodeKind::Initial);
    NodeId look = b.add(NodeKind::Task, "Look into the shelves");
    NodeId ask = b.send("Shop", "Supplier", "question");
    NodeId answer = b.receive("Supplier", "Shop", "answer");
    NodeId innerEnd = b.add(NodeKind::Final);
    b.chain({inner, look, ask, answer, innerEnd});
    b.chain({start, check, choice});
    b.flow(choice, yes, "yes");
    b.flow(choice, no, "no", DefaultFlow);
    b.chain({late, again});
    b.flow(again, check, "yes");
    b.flow(again, no, "no");
    b.chain({yes, join, done});
    b.chain({no, join});
  }
  return module;
}

} // namespace cif::test

#endif
