//===- Bpmn.h - Inside the BPMN front end ---------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A BPMN file is read in three steps: the Reader turns XML into a flat table
/// of elements (Document), references are looked up in it by id, and the
/// Lowering turns choreographies, processes and collaborations into the IR.
/// BpmnElements.def says what becomes of each construct; Coverage counts it.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_FRONTEND_BPMN_BPMN_H
#define CIF_LIB_FRONTEND_BPMN_BPMN_H

#include "cif/Frontend/FrontEnd.h"
#include "cif/Support/Diagnostics.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <optional>

namespace cif::bpmn {

enum class ElementKind : uint8_t {
#define CIF_BPMN_ELEMENT(ID, XML, READ, STATUS, NOTE) ID,
#include "cif/Frontend/BpmnElements.def"
  Unknown, ///< of the BPMN model's namespace, and not in the table
  Foreign, ///< of another namespace
};

enum class Read : uint8_t { Keep, Text, Skip, Activity, FlowNode };
enum class Status : uint8_t { Supported, Abstracted, Ignored, Error };

struct ElementInfo {
  const char *xml;
  Read read;
  Status status;
  const char *note;
};
const ElementInfo &elementInfo(ElementKind kind);
/// The kind of an element of the model's namespace by its local name.
ElementKind elementKind(StringRef xml);

enum class Position : uint8_t { Start, Catch, Throw, Boundary, End };
enum class Definition : uint8_t {
  None,
  Message,
  Timer,
  Signal,
  Error,
  Escalation,
  Conditional,
  Link,
  Compensation,
  Cancel,
  Terminate,
  Multiple,
  ParallelMultiple,
};

struct ConstructInfo {
  Status status;
  const char *text; ///< what it is called; of events: empty
  const char *note;
};
/// What the table says of an event, or null: BPMN has no such event.
const ConstructInfo *eventInfo(Position position, Definition definition);
StringRef definitionText(Definition definition);

enum class Feature : uint8_t {
#define CIF_BPMN_FEATURE(ID, TEXT, STATUS, NOTE) ID,
#include "cif/Frontend/BpmnElements.def"
};
const ConstructInfo &featureInfo(Feature feature);

enum class Rule : uint8_t {
#define CIF_BPMN_RULE(ID, CONSTRUCT, TEXT) ID,
#include "cif/Frontend/BpmnElements.def"
};
StringRef ruleText(Rule rule);

/// The attributes that are kept, other than id and name.
#define CIF_BPMN_ATTRIBUTES(X)                                                 \
  X(sourceRef)                                                                 \
  X(targetRef)                                                                 \
  X(messageRef)                                                                \
  X(errorRef)                                                                  \
  X(errorCode)                                                                 \
  X(escalationRef)                                                             \
  X(escalationCode)                                                            \
  X(processRef)                                                                \
  X(initiatingParticipantRef)                                                  \
  X(attachedToRef)                                                             \
  X(calledElement)                                                             \
  X(calledChoreographyRef)                                                     \
  X(operationRef)                                                              \
  X(loopType)                                                                  \
  X(cancelActivity)                                                            \
  X(triggeredByEvent)                                                          \
  X(isInterrupting)                                                            \
  X(isForCompensation)                                                         \
  X(activityRef)                                                               \
  X(waitForCompletion)                                                         \
  X(isSequential)                                                              \
  X(instantiate)                                                               \
  X(parallelMultiple)                                                          \
  X(eventGatewayType)                                                          \
  X(testBefore)                                                                \
  X(loopMaximum)                                                               \
  X(minimum)                                                                   \
  X(maximum)                                                                   \
  X(definitionalCollaborationRef)                                              \
  X(itemRef)                                                                   \
  X(structureRef)                                                              \
  X(sort)                                                                      \
  X(participant)                                                               \
  X(dominated)                                                                 \
  X(condition)                                                                 \
  X(testAfter)                                                                 \
  X(value)                                                                     \
  X(key)                                                                       \
  X(binds)

enum class Attr : uint8_t {
#define X(NAME) NAME,
  CIF_BPMN_ATTRIBUTES(X)
#undef X
      default_,
  enum_,
  exact, ///< of the namespace urn:cif:bpmn, as the next ones
  kind,
  element,
  unmatched,
  id,
  name,
  None,
};

/// An element, by its index in Document::elements.
using ElementId = Id<struct ElementTag>;

struct Element {
  ElementKind kind = ElementKind::Unknown;
  uint8_t numAttributes = 0;
  ElementId parent;
  uint32_t end = 0; ///< one past its last descendant
  uint32_t line = 0, column = 0;
  uint32_t firstAttribute = 0;
  Name id, name, text; ///< in Document::strings
};

struct ElementAttribute {
  Attr key;
  Name value;
};

/// The BPMN model of a file: its elements in the order of their start tags.
class Document {
public:
  StringTable strings;
  std::vector<Element> elements;
  std::vector<ElementAttribute> attributes;
  DiagramLayout *layout = nullptr; ///< takes the diagram interchange
  unsigned ignored = 0; ///< elements that have no bearing on behaviour
  /// Elements of the model's namespace that the table does not have.
  struct UnknownElement {
    std::string name;
    uint32_t line, column;
  };
  std::vector<UnknownElement> unknown;
  /// The sequence flows that nodes say they have. The flows decide.
  struct FlowRef {
    ElementId node;
    bool isOutgoing;
    Name flow;
  };
  std::vector<FlowRef> flowRefs;

  const Element &operator[](ElementId id) const { return elements[id.index()]; }
  StringRef text(Name name) const { return strings.text(name); }
  StringRef id(ElementId e) const { return text(elements[e.index()].id); }
  /// The attribute's value, empty when it is not there.
  Name attribute(ElementId e, Attr key) const;
  StringRef attributeText(ElementId e, Attr key) const {
    return text(attribute(e, key));
  }
  bool flag(ElementId e, Attr key, bool otherwise = false) const;

  /// The first child of \p e, or none.
  ElementId firstChild(ElementId e) const {
    return e.index() + 1 < elements[e.index()].end ? ElementId(e.index() + 1)
                                                   : ElementId();
  }
  /// The child of \p parent after \p child, or none.
  ElementId nextChild(ElementId parent, ElementId child) const {
    uint32_t next = elements[child.index()].end;
    return next < elements[parent.index()].end ? ElementId(next) : ElementId();
  }
  template <class Function>
  void forChildren(ElementId e, Function function) const {
    for (ElementId c = firstChild(e); c; c = nextChild(e, c))
      function(c);
  }
  /// The first child of this kind, or none.
  ElementId child(ElementId e, ElementKind kind) const;

  /// Elements that say the same as an earlier one with their id.
  std::vector<ElementId> repeated;

  /// What a reference (an id, maybe with a namespace prefix) names, or none.
  ElementId resolve(Name reference) const;
  /// Makes resolve work. Reports duplicate ids.
  bool indexIds(const SourceBuffer &source, DiagnosticEngine &diags);

private:
  bool isRepetition(uint32_t first, uint32_t second) const;
  std::vector<uint32_t> elementOf; // by Name; 0: none, else index + 1
};

/// Decodes \p text to UTF-8. None: an error was reported.
/// \p decoded is only used when the text is in another encoding.
std::optional<StringRef> decodeXml(const SourceBuffer &source,
                                   std::string &decoded,
                                   DiagnosticEngine &diags);

/// Reads XML into \p document. False: errors were reported.
/// \p strict: attributes without a value are errors, not taken for true.
bool readXml(const SourceBuffer &source, Document &document,
             DiagnosticEngine &diags, bool strict);

/// Reports what is abstracted or not supported, and counts it.
class Coverage {
public:
  Coverage(DiagnosticEngine &diags, bool strict)
      : diags(diags), strict(strict) {}

  /// Acts on what the table says of a construct. \p subject names the element
  /// for people. False: it is an error.
  /// \p stays: the module still has it, and the semantics tells what it makes
  /// of it. \p hint: what may help to mend it.
  bool meet(const Place &place, const Twine &subject, Status status,
            StringRef construct, StringRef note, bool stays = false,
            StringRef hint = "");
  bool meet(const Place &place, const Twine &subject, Feature feature,
            StringRef hint = "") {
    const ConstructInfo &info = featureInfo(feature);
    return meet(place, subject, info.status, info.text, info.note, false, hint);
  }
  /// What cannot be seen in the module any more, with how often it was met.
  std::vector<std::string> abstractions() const;
  unsigned abstracted = 0;

private:
  std::map<std::string, unsigned> lost;
  DiagnosticEngine &diags;
  bool strict;
  /// What was told: where, and of which construct. What stands in several
  /// places, as called processes do, is told once.
  llvm::DenseSet<std::pair<uint64_t, uint64_t>> told;
};

/// The fields of the messages of a file, as conditions name them: `field` and
/// `message.field`.
struct FieldTable {
  llvm::StringMap<Sort> sorts;
  /// Fields of several messages with different values: one of the messages.
  llvm::StringMap<std::string> ambiguous;
};

/// Reads a condition: a comparison or boolean term over names and literals, in
/// any of the usual expression languages, else an opaque text. \p input: the
/// name of the gateway, which may be that of the field that is tested.
ExprId parseCondition(StringRef text, Module &module, Location loc,
                      const FieldTable &fields, DiagnosticEngine &diags,
                      StringRef input = {});

/// The same of a text that may just as well be plain words: none, unless it is
/// a term with an operator all of whose names are in \p fields.
ExprId parseNamedCondition(StringRef text, Module &module, Location loc,
                           const FieldTable &fields, DiagnosticEngine &diags);

/// Warns where a choreography breaks BPMN's rules for being enforceable.
void checkEnforceable(const Module &module, const Behaviour &behaviour,
                      DiagnosticEngine &diags);

/// Runs of white space become one blank; none at the ends.
std::string tidyName(StringRef text);
bool isTidy(StringRef text);
/// Without white space at its ends.
StringRef trimmed(StringRef text);

} // namespace cif::bpmn

#endif
