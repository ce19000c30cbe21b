//===- Extensions.cpp - What the IR has and BPMN has no place for ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads the extension elements and attributes of the namespace urn:cif:bpmn
/// that the BPMN writer (lib/Export/Bpmn/Bpmn.cpp) puts on nodes, so that a
/// module that was written as BPMN is the same when it is read back. Fields.cpp
/// reads those of messages.
///
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "cif/IR/Text.h"
#include "cif/Support/Diagnostics/Bpmn.h"

using namespace cif;
using namespace cif::bpmn;

ExprId Lowering::exactly(ElementId e, Attr attribute) {
  Name text = doc.attribute(e, attribute);
  if (text.empty())
    return {};
  hasExactWords = true;
  ExprId id = parseExpr(doc.text(text), module, loc(e));
  if (!id)
    diags.report(place(e), diag::bpmn_expression)
        << describe(e) << doc.text(text);
  return id;
}

ExprId Lowering::condition(ElementId e, ElementId gateway) {
  if (!doc.attribute(e, Attr::exact).empty())
    return exactly(e, Attr::exact);
  std::string input;
  if (gateway)
    input = tidyName(doc.text(doc[gateway].name));
  return parseCondition(doc.text(doc[e].text), module, loc(e), fieldTable,
                        diags, input);
}

/// The participant that an extension element names, or none after an error.
ParticipantId Lowering::namedParticipant(ElementId e) {
  Name ref = doc.attribute(e, Attr::participant);
  if (ref.empty())
    return {};
  std::string text = tidyName(doc.text(ref));
  if (ParticipantId known = module.findParticipant(text))
    return known;
  if (participantNames.empty())
    for (size_t i = 0; i < doc.elements.size(); ++i)
      if (doc.elements[i].kind == ElementKind::Participant)
        participantNames.try_emplace(tidyName(doc.text(doc.elements[i].name)),
                                     ElementId(i));
  auto found = participantNames.find(text);
  if (found != participantNames.end())
    return participant(found->second);
  dangling(e, "participant", ref, "the name of a participant");
  return {};
}

void Lowering::readExtensions(ElementId e, NodeId id) {
  Node &node = behaviour->node(id);
  auto number = [&](ElementId c, Attr attribute) {
    uint32_t value = 0;
    (void)doc.attributeText(c, attribute).getAsInteger(10, value);
    return value;
  };
  for (ElementId c = doc.firstChild(e); c; c = doc.nextChild(e, c)) {
    switch (doc[c].kind) {
    case ElementKind::CifDecision:
      node.participant = namedParticipant(c);
      if (doc.flag(c, Attr::dominated))
        node.kind = NodeKind::DominatedChoice;
      break;
    case ElementKind::CifStep:
      node.kind = NodeKind::Task;
      node.participant = namedParticipant(c);
      break;
    case ElementKind::CifLoop: // says all that there is to say
      node.condition = exactly(c, Attr::condition);
      node.loopMinimum = number(c, Attr::minimum);
      node.loopMaximum = number(c, Attr::maximum);
      node.flags &= ~LoopTestAfter;
      if (doc.flag(c, Attr::testAfter))
        node.flags |= LoopTestAfter;
      break;
    case ElementKind::CifArgument:
      if (ExprId value = exactly(c, Attr::value)) {
        if (!node.numArguments++)
          node.firstArgument = uint32_t(behaviour->arguments.size());
        behaviour->arguments.push_back(value);
      } else if (doc.attribute(c, Attr::value).empty()) {
        missing(c, "value");
      }
      if (doc.flag(c, Attr::binds))
        node.flags |= BindsArguments;
      break;
    case ElementKind::CifAttribute:
      behaviour->attributes.push_back(
          {id, module.intern(doc.attributeText(c, Attr::key)),
           module.intern(doc.attributeText(c, Attr::value))});
      break;
    default:
      break;
    }
  }
  // What flows alone would make another kind of gateway.
  StringRef kind = doc.attributeText(e, Attr::kind);
  if (kind.empty() || !isGateway(node.kind))
    return;
  for (unsigned i = 0; i < numNodeKinds; ++i)
    if (isGateway(NodeKind(i)) && nodeKindText(NodeKind(i)) == kind) {
      node.kind = NodeKind(i);
      keptKinds.insert(id.raw());
    }
}
