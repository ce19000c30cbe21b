//===- ModuleParts.cpp - What can be taken out of a module ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleParts.h"

using namespace cif;
using llvm::BitVector;

namespace {
constexpr uint32_t none = 0xffffffffu;

/// Removes the elements in \p gone. Returns the new index of each old one.
template <class T>
std::vector<uint32_t> compact(std::vector<T> &all, const BitVector &gone) {
  std::vector<uint32_t> renumbered(all.size(), none);
  uint32_t next = 0;
  for (uint32_t i = 0; i < all.size(); ++i)
    if (!gone[i]) {
      if (next != i)
        all[next] = std::move(all[i]);
      renumbered[i] = next++;
    }
  all.erase(all.begin() + next, all.end());
  return renumbered;
}

template <class Id>
void renumber(Id &id, ArrayRef<uint32_t> renumbered) {
  if (id)
    id = Id::fromRaw(renumbered[id.index()]);
}

/// Parts that no other part refers to.
template <auto Member>
size_t countOf(const Module &module) {
  return (module.*Member).size();
}
template <auto Member>
void removeFrom(Module &module, const BitVector &gone) {
  compact(module.*Member, gone);
}

/// Parts of behaviours, numbered through all of them.
template <auto Member>
size_t countInside(const Module &module) {
  size_t count = 0;
  for (const Behaviour &b : module.behaviours)
    count += (b.*Member).size();
  return count;
}
/// Calls \p act(index, behaviour, gone parts of it).
template <auto Member, class Act>
void eachBehaviour(Module &module, const BitVector &gone, Act act) {
  size_t first = 0;
  for (uint32_t i = 0; i < module.behaviours.size(); ++i) {
    Behaviour &b = module.behaviours[i];
    size_t count = (b.*Member).size();
    BitVector mine(count);
    for (size_t part = 0; part < count; ++part)
      mine[part] = gone[first + part];
    first += count;
    if (mine.any())
      act(i, b, mine);
  }
}
template <auto Member>
void removeInside(Module &module, const BitVector &gone) {
  eachBehaviour<Member>(module, gone,
                        [](uint32_t, Behaviour &b, const BitVector &mine) {
                          compact(b.*Member, mine);
                        });
}

void removeBehaviours(Module &module, const BitVector &gone) {
  auto numbers = compact(module.behaviours, gone);
  BitVector flowGone(module.messageFlows.size());
  for (auto [i, flow] : llvm::enumerate(module.messageFlows)) {
    for (BehaviourId *end : {&flow.sourceBehaviour, &flow.targetBehaviour}) {
      flowGone[i] = flowGone[i] || (*end && gone[end->index()]);
      renumber(*end, numbers);
    }
  }
  compact(module.messageFlows, flowGone);
}

/// Whatever flowed through a node that goes, flows past it. Where that would be
/// more than a few flows it ends there.
void bypass(Behaviour &b, NodeId node) {
  constexpr size_t most = 4;
  std::vector<Flow> in, out, rest;
  for (const Flow &flow : b.flows)
    (flow.target == node   ? in
     : flow.source == node ? out
                           : rest)
        .push_back(flow);
  if (in.size() * out.size() <= most)
    for (const Flow &before : in)
      for (const Flow &after : out) {
        Flow past = before;
        past.target = after.target;
        bool there = llvm::any_of(rest, [&](const Flow &flow) {
          return flow.source == past.source && flow.target == past.target;
        });
        if (past.source != past.target && past.source != node &&
            past.target != node && !there)
          rest.push_back(past);
      }
  b.flows = std::move(rest);
}

void removeNodesOf(Module &module, uint32_t behaviour, BitVector gone) {
  Behaviour &b = module.behaviours[behaviour];
  // What stands on, or runs, a node that goes, goes with it.
  for (bool more = true; more;) {
    more = false;
    for (auto [i, node] : llvm::enumerate(b.nodes))
      if (!gone[i] && node.attachedTo && gone[node.attachedTo.index()]) {
        gone.set(i);
        more = true;
      }
  }
  for (unsigned i : gone.set_bits())
    bypass(b, NodeId(i));
  for (Node &node : b.nodes)
    for (size_t up = 0; node.parent && gone[node.parent.index()]; ++up)
      node.parent = up < b.nodes.size() ? b.node(node.parent).parent : NodeId();
  llvm::erase_if(b.attributes, [&](const Attribute &attribute) {
    return attribute.node && gone[attribute.node.index()];
  });
  llvm::erase_if(module.messageFlows, [&](const MessageFlow &flow) {
    auto lost = [&](BehaviourId of, NodeId node) {
      return of && of.index() == behaviour && node && gone[node.index()];
    };
    return lost(flow.sourceBehaviour, flow.sourceNode) ||
           lost(flow.targetBehaviour, flow.targetNode);
  });
  auto numbers = compact(b.nodes, gone);
  for (Node &node : b.nodes) {
    renumber(node.parent, numbers);
    renumber(node.attachedTo, numbers);
  }
  for (Flow &flow : b.flows) {
    renumber(flow.source, numbers);
    renumber(flow.target, numbers);
  }
  for (Attribute &attribute : b.attributes)
    renumber(attribute.node, numbers);
  for (MessageFlow &flow : module.messageFlows) {
    if (flow.sourceBehaviour && flow.sourceBehaviour.index() == behaviour)
      renumber(flow.sourceNode, numbers);
    if (flow.targetBehaviour && flow.targetBehaviour.index() == behaviour)
      renumber(flow.targetNode, numbers);
  }
}

void removeNodes(Module &module, const BitVector &gone) {
  eachBehaviour<&Behaviour::nodes>(
      module, gone, [&](uint32_t i, Behaviour &, const BitVector &mine) {
        removeNodesOf(module, i, mine);
      });
}

/// Names, data and markers of nodes: removing them leaves the plain node.
void simplifyNodes(Module &module, const BitVector &gone) {
  eachBehaviour<&Behaviour::nodes>(
      module, gone, [&](uint32_t, Behaviour &b, const BitVector &mine) {
        for (unsigned i : mine.set_bits()) {
          Node &node = b.nodes[i];
          node.name = Name();
          node.condition = ExprId();
          node.loop = LoopKind::None;
          node.loopMinimum = node.loopMaximum = 0;
          node.flags &= ~(LoopTestAfter | BindsArguments);
          node.firstArgument = node.numArguments = 0;
          node.loc = Location();
        }
      });
}
void simplifyFlows(Module &module, const BitVector &gone) {
  eachBehaviour<&Behaviour::flows>(
      module, gone, [&](uint32_t, Behaviour &b, const BitVector &mine) {
        for (unsigned i : mine.set_bits()) {
          Flow &flow = b.flows[i];
          flow.guard = ExprId();
          flow.name = Name();
          flow.flags = 0;
          flow.loc = Location();
        }
      });
}

/// Nodes and message flows that use a message that goes, go too.
void removeMessages(Module &module, const BitVector &gone) {
  auto lost = [&](MessageId id) { return id && gone[id.index()]; };
  for (uint32_t i = 0; i < module.behaviours.size(); ++i) {
    Behaviour &b = module.behaviours[i];
    BitVector nodes(b.nodes.size());
    for (auto [n, node] : llvm::enumerate(b.nodes))
      nodes[n] = lost(node.message) || lost(node.reply);
    if (nodes.any())
      removeNodesOf(module, i, nodes);
  }
  llvm::erase_if(module.messageFlows,
                 [&](const MessageFlow &f) { return lost(f.message); });
  auto numbers = compact(module.messages, gone);
  for (Behaviour &b : module.behaviours)
    for (Node &node : b.nodes) {
      renumber(node.message, numbers);
      renumber(node.reply, numbers);
    }
  for (MessageFlow &flow : module.messageFlows)
    renumber(flow.message, numbers);
}

/// So do a participant's messages, behaviours and systems.
void removeParticipants(Module &module, const BitVector &gone) {
  auto lost = [&](ParticipantId id) { return id && gone[id.index()]; };
  BitVector behaviours(module.behaviours.size());
  for (auto [i, b] : llvm::enumerate(module.behaviours))
    behaviours[i] = lost(b.owner);
  removeBehaviours(module, behaviours);
  BitVector messages(module.messages.size());
  for (auto [i, message] : llvm::enumerate(module.messages))
    messages[i] = lost(message.sender) || lost(message.receiver);
  removeMessages(module, messages);
  llvm::erase_if(module.systems,
                 [&](const SystemDecl &s) { return lost(s.owner); });
  auto numbers = compact(module.participants, gone);
  for (Message &message : module.messages) {
    renumber(message.sender, numbers);
    renumber(message.receiver, numbers);
  }
  for (Behaviour &b : module.behaviours) {
    renumber(b.owner, numbers);
    for (Node &node : b.nodes)
      renumber(node.participant, numbers);
  }
  for (SystemDecl &system : module.systems)
    renumber(system.owner, numbers);
}

size_t countFields(const Module &module) {
  return llvm::count_if(module.messages,
                        [](const Message &m) { return !m.fields.empty(); });
}
void removeFields(Module &module, const BitVector &gone) {
  unsigned i = 0;
  for (Message &message : module.messages)
    if (!message.fields.empty() && gone[i++])
      message.fields.clear();
}

const ModuleParts parts[] = {
    {"facts", countOf<&Module::facts>, removeFrom<&Module::facts>},
    {"systems", countOf<&Module::systems>, removeFrom<&Module::systems>},
    {"behaviours", countOf<&Module::behaviours>, removeBehaviours},
    {"participants", countOf<&Module::participants>, removeParticipants},
    {"messages", countOf<&Module::messages>, removeMessages},
    {"nodes", countInside<&Behaviour::nodes>, removeNodes},
    {"flows", countInside<&Behaviour::flows>, removeInside<&Behaviour::flows>},
    {"message flows", countOf<&Module::messageFlows>,
     removeFrom<&Module::messageFlows>},
    {"attributes", countInside<&Behaviour::attributes>,
     removeInside<&Behaviour::attributes>},
    {"details of nodes", countInside<&Behaviour::nodes>, simplifyNodes},
    {"details of flows", countInside<&Behaviour::flows>, simplifyFlows},
    {"payloads", countFields, removeFields},
};
} // namespace

ArrayRef<ModuleParts> cif::allModuleParts() { return parts; }
