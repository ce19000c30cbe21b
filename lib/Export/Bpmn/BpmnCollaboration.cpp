//===- BpmnCollaboration.cpp - Processes as pools -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One collaboration holds all processes and controllers, a pool each. Message
/// flows are the module's own; for a message that has none they follow from who
/// sends and receives it: from each sender to the only receiver or from the
/// only sender to each receiver, else by way of the pools' borders, which keeps
/// their number linear.
///
//===----------------------------------------------------------------------===//

#include "BpmnWriter.h"

using namespace cif;

void BpmnWriter::collaboration(Diagram &diagram) {
  diagram.id = ids.fresh("Collaboration");
  xml.open("bpmn:collaboration").attribute("id", diagram.id);
  for (Pool &pool : diagram.pools) {
    pool.id =
        pool.name == module.participantName(pool.participant)
            ? participantId(pool.participant)
            : ids.fresh(ids.participant(pool.participant) + "_controller");
    participantElement(pool.participant, pool.id, pool.name,
                       pool.behaviour == layout::none
                           ? StringRef()
                           : ids.behaviour(pool.behaviour));
  }
  auto endId = [&](const DrawnMessageFlow::End &end) -> StringRef {
    const Pool &pool = diagram.pools[end.pool];
    return end.node ? ids.node(pool.behaviour, end.node) : StringRef(pool.id);
  };
  for (DrawnMessageFlow &flow : diagram.messageFlows) {
    flow.id = ids.keep(module.text(flow.loc.element), "MessageFlow");
    // The name is on the flow, where viewers place it as the label says; a
    // messageRef would make them draw an envelope wherever the middle is.
    xml.open("bpmn:messageFlow").attribute("id", flow.id);
    if (flow.message)
      xml.optional("name", module.text(module.message(flow.message).name));
    xml.attribute("sourceRef", endId(flow.source))
        .attribute("targetRef", endId(flow.target));
    if (flow.unmatched)
      xml.attribute("cif:unmatched", "true");
    if (flow.message && !flow.source.node && !flow.target.node)
      xml.attribute("messageRef", ids.message(flow.message));
    xml.close();
  }
  xml.close();
  for (const Pool &pool : diagram.pools) {
    if (pool.behaviour == layout::none)
      continue;
    const Behaviour &behaviour = module.behaviours[pool.behaviour];
    xml.open("bpmn:process")
        .attribute("id", ids.behaviour(pool.behaviour))
        .optional("name", module.text(behaviour.name))
        .attribute("isExecutable", "false");
    attributes(behaviour, NodeId());
    contents(diagram, pool.behaviour);
    xml.close();
  }
}
