//===- BpmnWriter.h - Inside the BPMN emitter -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_EXPORT_BPMN_BPMNWRITER_H
#define CIF_LIB_EXPORT_BPMN_BPMNWRITER_H

#include "Layout/Diagram.h"
#include "XmlWriter.h"
#include "cif/Export/Emitter.h"
#include "cif/IR/ExprText.h"
#include "cif/IR/Text.h"

namespace cif {

class BpmnWriter {
public:
  BpmnWriter(const Module &module, raw_ostream &os, bool parts)
      : module(module), os(os), xml(os), ids(module), exact(module),
        participantUses(module.participants.size()), saysParts(parts) {}
  /// Writes nothing when \p budget stops.
  void run(const DiagramLayout *given, Budget &budget);

private:
  // Bpmn.cpp: the model.
  void message(MessageId m);
  void sort(Sort sort);
  void enumerations();
  void participantElement(ParticipantId p, StringRef id, StringRef name,
                          StringRef process);
  void choreography(Diagram &diagram);
  void contents(const Diagram &diagram, uint32_t b);
  void openNode(const Diagram &diagram, uint32_t b, NodeId n,
                const FlowIndex &flows);
  void sequenceFlow(uint32_t b, uint32_t f);
  void partOf(const Location &loc, StringRef id);
  void extensions(const Behaviour &behaviour, NodeId n,
                  bool choreographyActivity);
  void attributes(const Behaviour &behaviour, NodeId n);
  void loop(const Node &node);
  void eventDefinition(const Behaviour &behaviour, NodeId n);
  void expression(const char *element, ExprId expr);
  static const char *elementName(const Behaviour &behaviour, const Node &node,
                                 size_t outgoing);

  // BpmnCollaboration.cpp
  void collaboration(Diagram &diagram);

  // BpmnInterchange.cpp: where it is drawn.
  void interchange(const Diagram &diagram);
  void shape(const Diagram &diagram, uint32_t s);
  void bands(const Diagram &diagram, uint32_t s, StringRef shapeId);
  void edge(StringRef element, const layout::Route &route, bool labelled);
  void bounds(const layout::Box &box);
  void label(const layout::Box &box);

  /// A participant's element id: its own at first use, then made ones.
  std::string participantId(ParticipantId p) {
    if (!participantUses[p.index()]++)
      return ids.participant(p).str();
    return ids.fresh(ids.participant(p) + "_again");
  }

  const Module &module;
  raw_ostream &os;
  XmlWriter xml;
  ElementIds ids;
  ExprPrinter exact;
  std::vector<unsigned> participantUses;
  const bool saysParts;
  /// Ids of the message flows of a choreography's tasks: 2n there, 2n + 1 back.
  std::vector<std::string> taskFlows;
};

} // namespace cif

#endif
