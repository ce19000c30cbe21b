//===- Strays.cpp - What stands in the wrong process ----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Some exporters write a boundary event, or a sequence flow, into another
/// process than the one that its activity or its ends are in. The intention is
/// clear: the event belongs to its activity, and a flow to the nodes that it
/// connects. Other exporters write an element twice, with the same id.
///
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace cif;
using namespace cif::bpmn;

void Lowering::findStrays() {
  // The process or choreography of each element: parents stand before.
  std::vector<uint32_t> rootOf(doc.elements.size());
  for (uint32_t i = 1; i < rootOf.size(); ++i)
    rootOf[i] = doc.elements[i].parent.index()
                    ? rootOf[doc.elements[i].parent.index()]
                    : i;
  llvm::DenseMap<uint32_t, uint32_t> movedTo;
  for (uint32_t i = 1; i < rootOf.size(); ++i) {
    if (doc.elements[i].kind != ElementKind::BoundaryEvent)
      continue;
    ElementId activity =
        doc.resolve(doc.attribute(ElementId(i), Attr::attachedToRef));
    if (!activity || !isActivity(doc[activity].kind) ||
        rootOf[activity.index()] == rootOf[i])
      continue;
    strays.insert(i);
    straysOf[doc[activity].parent.index()].push_back(ElementId(i));
    movedTo[i] = rootOf[activity.index()];
  }
  for (uint32_t i = 1; i < rootOf.size(); ++i) {
    if (doc.elements[i].kind != ElementKind::SequenceFlow)
      continue;
    uint32_t roots[2] = {};
    bool known = true;
    for (Attr which : {Attr::sourceRef, Attr::targetRef}) {
      ElementId end = doc.resolve(doc.attribute(ElementId(i), which));
      known = known && end && isFlowNode(doc[end].kind);
      if (!known)
        break;
      auto moved = movedTo.find(end.index());
      roots[which == Attr::targetRef] =
          moved == movedTo.end() ? rootOf[end.index()] : moved->second;
    }
    if (!known || roots[0] != roots[1] || roots[0] == rootOf[i])
      continue;
    strays.insert(i);
    straysOf[roots[0]].push_back(ElementId(i));
  }
}

/// Sequence flows that stand there twice count once; of messages and the like
/// references mean the first.
bool Lowering::leaveOutRepeated() {
  bool good = true;
  for (ElementId e : doc.repeated) {
    good &= coverage.meet(place(e), describe(e), Feature::Repeated);
    if (doc[e].kind == ElementKind::SequenceFlow)
      strays.insert(e.index());
  }
  return good;
}

/// Lowers what belongs to a scope and stands elsewhere. \p inParts: the scope
/// is lowered in parts, each with what can be reached from a start event, and
/// which part it belongs to is not looked for.
bool Lowering::lowerStrays(const Scope &scope, NodeId parent, bool inParts) {
  auto found = straysOf.find(scope.element.index());
  if (found == straysOf.end())
    return true;
  bool good = true;
  for (ElementId e : found->second) {
    bool isFlow = doc[e].kind == ElementKind::SequenceFlow;
    Attr which = isFlow ? Attr::sourceRef : Attr::attachedToRef;
    if (inParts) {
      good = dangling(
          e, isFlow ? "sourceRef" : "attachedToRef", doc.attribute(e, which),
          isFlow ? "a node of its process" : "an activity of its process");
      continue;
    }
    if (!coverage.meet(place(e), describe(e),
                       isFlow ? Feature::StrayFlow : Feature::StrayBoundary))
      good = false;
    else if (isFlow)
      sequenceFlows.push_back(e);
    else
      good &= makeNode(e, parent);
  }
  return good;
}
