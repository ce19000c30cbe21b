//===- ElementIds.cpp - Ids of elements -----------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layout/Diagram.h"
#include "XmlWriter.h"

using namespace cif;

static const char *prefixOf(const Behaviour &behaviour, const Node &node) {
  switch (node.kind) {
  case NodeKind::Initial:
    return "StartEvent";
  case NodeKind::Final:
  case NodeKind::Terminate:
    return "EndEvent";
  case NodeKind::Catch:
  case NodeKind::Throw:
  case NodeKind::Boundary:
    return "Event";
  default:
    break;
  }
  switch (figureOf(behaviour, node)) {
  case Figure::Gateway:
    return "Gateway";
  case Figure::ChoreographyTask:
    return "ChoreographyTask";
  case Figure::SubChoreography:
    return "SubChoreography";
  case Figure::Container:
    return "SubProcess";
  case Figure::Event:
    return "Event";
  default:
    return "Activity";
  }
}

std::string ElementIds::fresh(const Twine &prefix) {
  std::string base = prefix.str();
  if (taken.try_emplace(base).second)
    return base;
  for (unsigned &count = made[base];;) {
    std::string id = base + "_" + std::to_string(++count);
    if (taken.try_emplace(id).second)
      return id;
  }
}

std::string ElementIds::keep(StringRef own, const char *prefix) {
  if (isNCName(own) && taken.try_emplace(own).second)
    return own.str();
  for (unsigned &count = made[prefix];;) {
    std::string id = prefix + ("_" + std::to_string(++count));
    if (taken.try_emplace(id).second)
      return id;
  }
}

ElementIds::ElementIds(const Module &module) {
  // Own ids first, so that a made id never takes one.
  auto claim = [&](const Location &loc, std::string &id) {
    StringRef own = module.text(loc.element);
    if (isNCName(own) && taken.try_emplace(own).second)
      id = own.str();
  };
  auto each = [&](auto function) {
    for (size_t b = 0; b < module.behaviours.size(); ++b) {
      const Behaviour &behaviour = module.behaviours[b];
      function(behaviour.loc, behaviours[b],
               behaviour.kind == BehaviourKind::Choreography ? "Choreography"
                                                             : "Process");
      for (size_t n = 0; n < behaviour.nodes.size(); ++n)
        function(behaviour.nodes[n].loc, nodes[b][n],
                 prefixOf(behaviour, behaviour.nodes[n]));
      for (size_t f = 0; f < behaviour.flows.size(); ++f)
        function(behaviour.flows[f].loc, flows[b][f], "Flow");
    }
    for (size_t p = 0; p < module.participants.size(); ++p)
      function(module.participants[p].loc, participants[p], "Participant");
    for (size_t m = 0; m < module.messages.size(); ++m)
      function(module.messages[m].loc, messages[m], "Message");
  };
  behaviours.resize(module.behaviours.size());
  nodes.resize(module.behaviours.size());
  flows.resize(module.behaviours.size());
  for (size_t b = 0; b < module.behaviours.size(); ++b) {
    nodes[b].resize(module.behaviours[b].nodes.size());
    flows[b].resize(module.behaviours[b].flows.size());
  }
  participants.resize(module.participants.size());
  messages.resize(module.messages.size());
  each([&](const Location &loc, std::string &id, const char *prefix) {
    // A message's place is often that of a task or message flow.
    if (StringRef(prefix) != "Message")
      claim(loc, id);
  });
  // What belongs to an element of the file comes before what is new, so that a
  // change does not give it another id.
  for (bool isNew : {false, true})
    each([&](const Location &loc, std::string &id, const char *prefix) {
      if (id.empty() && loc.element.empty() == isNew)
        id = keep("", prefix);
    });
}
