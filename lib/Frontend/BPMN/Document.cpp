//===- Document.cpp - Finding elements and attributes ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Queries on the table of elements that Reader.cpp fills: attributes,
/// children, and the element that a reference names.
///
//===----------------------------------------------------------------------===//

#include "Bpmn.h"
#include "cif/Support/Diagnostics/Bpmn.h"
#include "llvm/ADT/STLExtras.h"

using namespace cif;
using namespace cif::bpmn;

Name Document::attribute(ElementId e, Attr key) const {
  const Element &element = elements[e.index()];
  for (unsigned i = 0; i < element.numAttributes; ++i)
    if (attributes[element.firstAttribute + i].key == key)
      return attributes[element.firstAttribute + i].value;
  return {};
}

bool Document::flag(ElementId e, Attr key, bool otherwise) const {
  StringRef value = attributeText(e, key);
  return value.empty() ? otherwise : value == "true" || value == "1";
}

ElementId Document::child(ElementId e, ElementKind kind) const {
  for (ElementId c = firstChild(e); c; c = nextChild(e, c))
    if (elements[c.index()].kind == kind)
      return c;
  return {};
}

ElementId Document::resolve(Name reference) const {
  if (reference.empty())
    return {};
  auto find = [&](Name name) {
    return name.index() < elementOf.size() && elementOf[name.index()]
               ? ElementId(elementOf[name.index()] - 1)
               : ElementId();
  };
  if (ElementId found = find(reference))
    return found;
  // A qualified name, or a link as EMF writes it: what stands before does not
  // matter in one file.
  StringRef full = text(reference);
  size_t before = full.find_last_of(":#");
  if (before == StringRef::npos)
    return {};
  Name local = strings.lookup(full.substr(before + 1));
  return local.empty() ? ElementId() : find(local);
}

/// Elements whose id may be referred to from elsewhere in what we read.
static bool isReferable(ElementKind kind) {
  switch (kind) {
  case ElementKind::LaneSet:
  case ElementKind::ChildLaneSet:
  case ElementKind::Lane:
  case ElementKind::Definitions:
  case ElementKind::ParticipantMultiplicity:
  case ElementKind::ConditionExpression:
  case ElementKind::Association:
    return false;
  default:
    return true;
  }
}

/// Whether an element may as well not be there, as an earlier one has its id
/// and says the same: definitions and sequence flows, that some tools write
/// once for each use.
bool Document::isRepetition(uint32_t first, uint32_t second) const {
  const Element &a = elements[first], &b = elements[second];
  switch (b.kind) {
  case ElementKind::Signal: // whatever its name, it may come at any moment
    return a.kind == b.kind;
  case ElementKind::Message:
  case ElementKind::Error:
  case ElementKind::Escalation:
  case ElementKind::ItemDefinition:
  case ElementKind::SequenceFlow:
    break;
  default:
    return false;
  }
  auto said = [&](const Element &e) {
    return ArrayRef(attributes).slice(e.firstAttribute, e.numAttributes);
  };
  return a.kind == b.kind && a.name == b.name && a.end == first + 1 &&
         b.end == second + 1 && a.numAttributes == b.numAttributes &&
         std::equal(said(a).begin(), said(a).end(), said(b).begin(),
                    [](const ElementAttribute &x, const ElementAttribute &y) {
                      return x.key == y.key && x.value == y.value;
                    });
}

bool Document::indexIds(const SourceBuffer &source, DiagnosticEngine &diags) {
  elementOf.assign(strings.size(), 0);
  bool good = true;
  for (size_t i = 0; i < elements.size(); ++i) {
    const Element &element = elements[i];
    if (element.id.empty() || !isReferable(element.kind))
      continue;
    uint32_t &slot = elementOf[element.id.index()];
    if (!slot) {
      slot = static_cast<uint32_t>(i + 1);
      continue;
    }
    if (isRepetition(slot - 1, static_cast<uint32_t>(i))) {
      repeated.push_back(ElementId(i));
      continue;
    }
    const Element &first = elements[slot - 1];
    std::string id = text(element.id).str(), path = source.path().str();
    diags.report(Place{path, element.line, element.column, id},
                 diag::bpmn_duplicate_id)
            .note(Place{path, first.line, first.column, id},
                  "the first element with this id")
        << id;
    good = false;
    if (diags.tooManyErrors())
      break;
  }
  // A lane stands for its pool at the end of a message flow. Nothing else
  // refers to one, so that an id which something else has does no harm.
  for (auto [i, element] : llvm::enumerate(elements))
    if (element.kind == ElementKind::Lane && !element.id.empty())
      if (uint32_t &slot = elementOf[element.id.index()]; !slot)
        slot = static_cast<uint32_t>(i + 1);
  return good;
}
