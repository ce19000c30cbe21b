//===- Reader.cpp - BPMN's XML to a table of elements ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads XML with libxml2's SAX2 interface into a Document. Only what
/// BpmnElements.def keeps is stored; diagram interchange, extension elements
/// and other namespaces are checked to be well-formed and skipped.
///
/// Locations are those of the `<` of the start tag: SAX calls us at its end,
/// and a `<` cannot stand inside a tag, so the last one before is the right
/// one.
///
/// Hostile input: a document type declaration that has more than a name is
/// rejected, so that no entity is ever declared; nothing is loaded; nesting,
/// attributes of an element and namespaces in scope are limited, because
/// libxml2's time is quadratic in the last two; libxml2's own limits on names
/// and attribute values stay on.
///
//===----------------------------------------------------------------------===//

#include "Bpmn.h"
#include "cif/Frontend/BpmnText.h"
#include "cif/Support/Diagnostics/Bpmn.h"
#include "cif/Support/DiagramLayout.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <cstring>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <mutex>

using namespace cif;
using namespace cif::bpmn;

namespace {

constexpr unsigned maxDepth = 200;
constexpr unsigned maxAttributes = 1000;
constexpr unsigned maxNamespaces = 1000;
/// The file is read anew for each attribute without a value: how many bytes
/// that may be in all.
constexpr size_t maxReadAnew = 200'000'000;

StringRef str(const xmlChar *text) {
  return text ? StringRef(reinterpret_cast<const char *>(text)) : StringRef();
}

bool isModelNamespace(StringRef uri) {
  return uri == "http://www.omg.org/spec/BPMN/20100524/MODEL" ||
         uri == "http://schema.omg.org/spec/BPMN/2.0" || uri.empty();
}

/// Of what cifc itself writes.
constexpr const char *ownNamespace = "urn:cif:bpmn";

bool isOwnElement(ElementKind kind) {
  return StringRef(elementInfo(kind).xml).starts_with("cif:");
}

/// The value of an attribute as SAX has it: name, prefix, namespace, value, end
/// of the value.
StringRef valueOf(const xmlChar **attribute) {
  return {reinterpret_cast<const char *>(attribute[3]),
          static_cast<size_t>(attribute[4] - attribute[3])};
}

Attr attributeKey(StringRef name) {
  static const llvm::StringMap<Attr> keys = {
#define X(NAME) {#NAME, Attr::NAME},
      CIF_BPMN_ATTRIBUTES(X)
#undef X
          {"default", Attr::default_},
      {"enum", Attr::enum_},
      {"id", Attr::id},
      {"name", Attr::name}};
  auto found = keys.find(name);
  return found == keys.end() ? Attr::None : found->second;
}

/// An attribute without a value, which the text that is parsed has blanks for.
struct Valueless {
  size_t tag;  ///< where its start tag begins, in the whole text
  size_t name; ///< where it stands itself
  std::string text;
};

/// The value of an attribute, or empty.
StringRef findValue(StringRef key, unsigned numAttributes,
                    const xmlChar **attributes) {
  for (unsigned i = 0; i < numAttributes; ++i)
    if (str(attributes[5 * i]) == key)
      return trimmed(valueOf(attributes + 5 * i));
  return {};
}

/// The attributes that are either true or false.
bool isTruthValue(Attr key) {
  switch (key) {
  case Attr::cancelActivity:
  case Attr::triggeredByEvent:
  case Attr::isInterrupting:
  case Attr::isForCompensation:
  case Attr::waitForCompletion:
  case Attr::isSequential:
  case Attr::instantiate:
  case Attr::parallelMultiple:
  case Attr::testBefore:
    return true;
  default:
    return false;
  }
}

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Reader {
public:
  Reader(const SourceBuffer &source, StringRef text, Document &document,
         DiagnosticEngine &diags, ArrayRef<Valueless> valueless)
      : source(source), text(text), whole(text.data()), document(document),
        diags(diags), linePosition(text.data()), valueless(valueless) {}

  bool run();
  /// The attribute without a value that stopped the parser, where nothing else
  /// did.
  std::optional<Valueless> stoppedAt;
  void report(const Valueless &v) {
    failed = false;
    parser = nullptr;
    fail(v.name - size_t(text.data() - whole), diag::bpmn_xml,
         "the attribute '" + v.text + "' has no value");
  }
  bool sawUndeclared = false;

private:
  static Reader &self(void *context) { return *static_cast<Reader *>(context); }
  static void onStart(void *context, const xmlChar *name, const xmlChar *prefix,
                      const xmlChar *uri, int numNamespaces, const xmlChar **,
                      int numAttributes, int, const xmlChar **attributes) {
    self(context).start(name, prefix, uri, static_cast<unsigned>(numNamespaces),
                        static_cast<unsigned>(numAttributes), attributes);
  }
  static void onEnd(void *context, const xmlChar *, const xmlChar *,
                    const xmlChar *) {
    self(context).end();
  }
  static void onCharacters(void *context, const xmlChar *chars, int length) {
    Reader &reader = self(context);
    if (reader.inAnnotation)
      reader.annotationText.append(reinterpret_cast<const char *>(chars),
                                   static_cast<size_t>(length));
    if (reader.inFlowRef || (reader.wantText && !reader.skipping))
      reader.pendingText.append(reinterpret_cast<const char *>(chars),
                                static_cast<size_t>(length));
  }
  static void onDoctype(void *context, const xmlChar *, const xmlChar *publicId,
                        const xmlChar *systemId) {
    Reader &reader = self(context);
    // One that only names the root element declares nothing.
    const xmlParserInput *input = reader.parser->input;
    if (!publicId && !systemId && input && *input->cur == '>')
      return;
    reader.fail(reader.offset(), diag::bpmn_doctype,
                "a document type declaration");
  }
  static xmlEntityPtr onEntity(void *context, const xmlChar *name) {
    if (xmlEntityPtr predefined = xmlGetPredefinedEntity(name))
      return predefined;
    Reader &reader = self(context);
    reader.fail(reader.offset(), diag::bpmn_doctype,
                ("a reference to the entity '" + str(name) + "'").str());
    return nullptr;
  }
  static void onError(void *context, xmlErrorPtr error) {
    // Warnings are of no concern, say of a relative namespace URI, and neither
    // is a namespace with blanks: it is a name like any other.
    if (error->level == XML_ERR_WARNING || error->code == XML_WAR_NS_URI)
      return;
    Reader &reader = self(context);
    if (error->domain == XML_FROM_NAMESPACE &&
        error->code == XML_NS_ERR_UNDEFINED_NAMESPACE)
      return reader.undeclared(error->str1 ? error->str1 : "");
    if (error->code == XML_ERR_ATTRIBUTE_WITHOUT_VALUE && !reader.failed &&
        reader.findValueless(error->str1 ? error->str1 : "")) {
      reader.failed = true;
      xmlStopParser(reader.parser);
      return;
    }
    std::string message(StringRef(error->message).rtrim());
    reader.fail(reader.offset(), diag::bpmn_xml, message);
  }

  void start(const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
             unsigned numNamespaces, unsigned numAttributes,
             const xmlChar **attributes);
  void end();
  void decoration(ElementKind kind, unsigned numAttributes,
                  const xmlChar **attributes);
  void inSkipped(StringRef name, unsigned numAttributes,
                 const xmlChar **attributes);
  void interchange(StringRef name, unsigned numAttributes,
                   const xmlChar **attributes);
  ElementKind kindOf(const xmlChar *name, const xmlChar *prefix,
                     const xmlChar *uri);
  void root(const xmlChar *name, const xmlChar *prefix, const xmlChar *uri);
  void undeclared(StringRef prefix);
  bool findValueless(StringRef name);
  const char *toTag();
  void skip(ElementKind kind, StringRef name);
  void keep(ElementKind kind, unsigned numAttributes,
            const xmlChar **attributes);
  void addValueless(Element &element, const char *tag);
  void addAttribute(Element &element, Attr key, StringRef value) {
    if (element.numAttributes == 255)
      return;
    document.attributes.push_back(
        {key, document.strings.intern(trimmed(value))});
    ++element.numAttributes;
  }
  bool tooManyAttributes();

  /// How far the parser has come, in bytes of text.
  size_t offset() const {
    const xmlParserInput *input = parser->input;
    if (!input)
      return text.size();
    size_t at = static_cast<size_t>(input->cur - input->base) + input->consumed;
    return std::min(at, text.size());
  }
  /// The place of a byte; places are asked for in rising order.
  void advanceTo(const char *at) {
    while (linePosition < at) {
      auto *newline = static_cast<const char *>(
          std::memchr(linePosition, '\n', size_t(at - linePosition)));
      if (!newline)
        break;
      linePosition = newline + 1;
      ++line;
    }
  }
  Place placeAt(size_t at) {
    advanceTo(text.data() + at);
    return {source.path().str(), line,
            static_cast<uint32_t>(text.data() + at - linePosition + 1), ""};
  }
  void fail(size_t at, diag::Kind kind, StringRef what) {
    if (failed)
      return; // the first error is the one that matters
    failed = true;
    diags.report(placeAt(at), kind) << what;
    if (parser)
      xmlStopParser(parser);
  }

  const SourceBuffer &source;
  StringRef text;
  const char *whole; ///< the text before anything was taken off its start
  Document &document;
  DiagnosticEngine &diags;
  xmlParserCtxtPtr parser = nullptr;
  bool failed = false, sawRoot = false;
  std::string rootPrefix; ///< of the root element, where it is not declared

  const char *linePosition;      ///< start of the line that was last asked for
  ArrayRef<Valueless> valueless; ///< in the text's order
  uint32_t line = 1;

  unsigned depth = 0, skipping = 0; ///< skipping: levels inside what is skipped
  unsigned extensionDepth = 0;      ///< of the extension elements that are read
  unsigned namespaces = 0;
  uint16_t namespacesAt[maxDepth + 2] = {};
  ElementId current;
  /// The shape or edge of the diagram interchange that is being read, and how
  /// deep it is in what is skipped.
  std::string drawn;
  unsigned drawnAt = 0;
  bool isLeftOut = false; ///< inside a diagram that was not asked for
  std::string annotation, annotationText; ///< the one that is being read
  bool inAnnotation = false;              ///< in its text
  llvm::StringMap<std::string> categories, groups; ///< by id
  llvm::StringMap<std::string> shapes; ///< elements by the ids of their shapes
  bool wantText = false;
  bool inFlowRef = false, isOutgoing = false; ///< in `incoming` or `outgoing`
  std::string pendingText;
  // libxml2 interns names and namespaces: their address is enough.
  llvm::DenseMap<const void *, Attr> keys;
  llvm::DenseMap<std::pair<const void *, const void *>, ElementKind> kinds;
};

} // namespace

/// Whether some tag has more attributes than we allow. libxml2 compares every
/// two of them before it calls us. Only long tags can, and those are rare.
bool Reader::tooManyAttributes() {
  const char *begin = text.begin(), *end = text.end();
  constexpr ptrdiff_t shortTag = 4 * maxAttributes;
  auto findTag = [&](const char *from) {
    return static_cast<const char *>(
        std::memchr(from, '<', size_t(end - from)));
  };
  for (const char *tag = findTag(begin); tag;) {
    const char *next = tag + 1 < end ? findTag(tag + 1) : nullptr;
    const char *limit = next ? next : end; // no `<` stands in a tag
    if (limit - tag > shortTag && tag[1] != '!' && tag[1] != '?') {
      unsigned count = 0;
      for (const char *at = tag; at < limit && *at != '>'; ++at) {
        if (*at != '"' && *at != '\'')
          continue;
        if (++count > maxAttributes) {
          fail(size_t(tag - begin), diag::bpmn_too_large,
               "an element has more than 1000 attributes");
          return true;
        }
        at = static_cast<const char *>(
            std::memchr(at + 1, *at, size_t(limit - at - 1)));
        if (!at)
          break; // libxml2 says what is wrong
      }
    }
    tag = next;
  }
  return false;
}

/// A prefix without a declaration is an error in XML namespaces, but not in
/// XML: tools that edit the text of a file make such files.
void Reader::undeclared(StringRef prefix) {
  if (sawUndeclared || failed)
    return;
  sawUndeclared = true;
  size_t tag = text.rfind('<', offset());
  diags.report(placeAt(tag == StringRef::npos ? offset() : tag),
               diag::bpmn_prefix)
      << prefix;
}

/// Finds the attribute \p name without a value before the parser's place, in
/// the start tag that it reads. What stands in quotes before it is skipped.
bool Reader::findValueless(StringRef name) {
  size_t tag = text.rfind('<', offset());
  if (name.empty() || tag == StringRef::npos)
    return false;
  size_t end = std::min(offset() + 1, text.size());
  size_t found = StringRef::npos;
  for (size_t at = tag; at < end; ++at) {
    if (text[at] == '"' || text[at] == '\'') {
      at = text.find(text[at], at + 1);
      if (at == StringRef::npos)
        return false;
    } else if (text.substr(at).starts_with(name) && isSpace(text[at - 1])) {
      found = at;
    }
  }
  if (found == StringRef::npos)
    return false;
  size_t before = size_t(text.data() - whole);
  stoppedAt = {before + tag, before + found, name.str()};
  return true;
}

/// Gives an element its attributes without a value: true where they can be.
void Reader::addValueless(Element &element, const char *tag) {
  for (const Valueless &v : valueless)
    if (whole + v.tag == tag)
      if (Attr key = attributeKey(v.text); isTruthValue(key))
        addAttribute(element, key, "true");
}

ElementKind Reader::kindOf(const xmlChar *name, const xmlChar *prefix,
                           const xmlChar *uri) {
  // Without a declaration, the root's prefix tells BPMN's elements.
  if (prefix && !uri && str(prefix) != rootPrefix)
    return ElementKind::Foreign;
  auto [entry, isNew] = kinds.try_emplace({name, uri}, ElementKind::Foreign);
  if (isNew && isModelNamespace(str(uri)))
    entry->second = elementKind(str(name));
  else if (isNew && str(uri) == ownNamespace)
    if (ElementKind own = elementKind(("cif:" + str(name)).str());
        own != ElementKind::Unknown)
      entry->second = own;
  return entry->second;
}

void Reader::root(const xmlChar *name, const xmlChar *prefix,
                  const xmlChar *uri) {
  sawRoot = true;
  if (prefix && !uri)
    rootPrefix = str(prefix).str();
  if (kindOf(name, prefix, uri) == ElementKind::Definitions)
    return;
  std::string found = ("'" + str(name) + "'").str();
  if (uri)
    found += (" of namespace '" + str(uri) + "'").str();
  fail(offset(), diag::bpmn_not_bpmn, found);
}

void Reader::start(const xmlChar *name, const xmlChar *prefix,
                   const xmlChar *uri, unsigned numNamespaces,
                   unsigned numAttributes, const xmlChar **attributes) {
  if (failed)
    return;
  if (++depth > maxDepth)
    return fail(offset(), diag::bpmn_too_large,
                "elements are nested more than 200 deep");
  namespacesAt[depth] = static_cast<uint16_t>(numNamespaces);
  namespaces += numNamespaces;
  if (namespaces > maxNamespaces)
    return fail(offset(), diag::bpmn_too_large,
                "more than 1000 namespaces are in scope");
  if (!sawRoot) {
    root(name, prefix, uri);
    if (failed)
      return;
  }
  if (skipping) {
    ++skipping;
    if (document.layout && uri) {
      inSkipped(str(name), numAttributes, attributes);
      interchange(str(name), numAttributes, attributes);
    }
    return;
  }
  ElementKind kind = kindOf(name, prefix, uri);
  if (document.layout && str(name) == "BPMNDiagram")
    isLeftOut =
        !document.layout->only.empty() &&
        findValue("id", numAttributes, attributes) != document.layout->only;
  // Of a tool's own elements only ours are of interest; they belong to what the
  // extension elements belong to.
  if (kind == ElementKind::ExtensionElements && !extensionDepth && !wantText) {
    extensionDepth = depth;
    return;
  }
  if (extensionDepth && !isOwnElement(kind)) {
    skipping = 1;
    return;
  }
  if (document.layout)
    decoration(kind, numAttributes, attributes);
  if (elementInfo(kind).read == Read::Skip)
    skip(kind, str(name));
  else
    keep(kind, numAttributes, attributes);
}

/// Moves to the start tag that is being read.
const char *Reader::toTag() {
  const char *at = text.data() + offset();
  if (at == text.end())
    --at;
  while (at > text.data() && *at != '<')
    --at;
  advanceTo(at);
  return at;
}

/// Leaves an element out, with all that is in it.
void Reader::skip(ElementKind kind, StringRef name) {
  skipping = 1;
  inFlowRef =
      (kind == ElementKind::Incoming || kind == ElementKind::Outgoing) &&
      current && !wantText;
  isOutgoing = kind == ElementKind::Outgoing;
  if (kind == ElementKind::Unknown && !wantText) {
    const char *at = toTag();
    if (document.unknown.size() < 20)
      document.unknown.push_back(
          {name.str(), line, static_cast<uint32_t>(at - linePosition + 1)});
    ++document.ignored;
  } else if (elementInfo(kind).status == Status::Ignored &&
             kind != ElementKind::Foreign &&
             kind != ElementKind::ExtensionElements &&
             kind != ElementKind::Documentation) {
    ++document.ignored;
  }
}

/// Begins an element of the document.
void Reader::keep(ElementKind kind, unsigned numAttributes,
                  const xmlChar **attributes) {
  const ElementInfo &info = elementInfo(kind);
  if (info.status == Status::Ignored)
    ++document.ignored; // of use where it says what something else means
  size_t index = document.elements.size();
  Element element;
  element.kind = kind;
  element.parent = current;
  element.firstAttribute = static_cast<uint32_t>(document.attributes.size());
  const char *at = toTag();
  element.line = line;
  element.column = static_cast<uint32_t>(at - linePosition + 1);
  for (unsigned i = 0; i < numAttributes; ++i, attributes += 5) {
    bool isOwn = str(attributes[2]) == ownNamespace;
    if (attributes[1] && !isOwn && !isModelNamespace(str(attributes[2])))
      continue;
    if (attributes[1] && !attributes[2]) // its prefix is not declared
      continue;
    if (isOwn) {
      Attr own = llvm::StringSwitch<Attr>(str(attributes[0]))
                     .Case("exact", Attr::exact)
                     .Case("kind", Attr::kind)
                     .Case("default", Attr::default_)
                     .Case("element", Attr::element)
                     .Case("unmatched", Attr::unmatched)
                     .Default(Attr::None);
      if (own != Attr::None)
        addAttribute(element, own, valueOf(attributes));
      continue;
    }
    auto [key, isNew] = keys.try_emplace(attributes[0], Attr::None);
    if (isNew)
      key->second = attributeKey(str(attributes[0]));
    if (key->second == Attr::None)
      continue;
    StringRef value = valueOf(attributes);
    if (key->second == Attr::id)
      element.id = document.strings.intern(trimmed(value));
    else if (key->second == Attr::name)
      element.name = document.strings.intern(value);
    else
      addAttribute(element, key->second, value);
  }
  addValueless(element, at);
  document.elements.push_back(element);
  current = ElementId(index);
  wantText = info.read == Read::Text;
  pendingText.clear();
}

/// Keeps what is only drawn, and the words that drawings have signs for.
void Reader::decoration(ElementKind kind, unsigned numAttributes,
                        const xmlChar **attributes) {
  using Kind = DiagramLayout::Kind;
  auto value = [&](StringRef key) {
    return findValue(key, numAttributes, attributes);
  };
  StringRef id = value("id");
  auto add = [&](Kind as) {
    if (!id.empty())
      document.layout->decorations.try_emplace(
          id, DiagramLayout::Decoration{as, tidyName(value("name"))});
  };
  switch (kind) {
  case ElementKind::Lane:
    return add(Kind::Lane);
  case ElementKind::TextAnnotation:
    annotation = id.str();
    annotationText.clear();
    return add(Kind::Annotation);
  case ElementKind::DataObjectReference:
  case ElementKind::DataInput:
  case ElementKind::DataOutput:
    return add(Kind::DataObject);
  case ElementKind::DataStoreReference:
    return add(Kind::DataStore);
  case ElementKind::Group:
    groups.try_emplace(id, value("categoryValueRef").str());
    return add(Kind::Group);
  case ElementKind::Association:
    return add(Kind::Association);
  case ElementKind::DataInputAssociation:
  case ElementKind::DataOutputAssociation:
    return add(Kind::DataAssociation);
  case ElementKind::UserTask:
  case ElementKind::ManualTask:
  case ElementKind::ServiceTask:
  case ElementKind::ScriptTask:
  case ElementKind::BusinessRuleTask:
  case ElementKind::SendTask:
  case ElementKind::ReceiveTask:
  case ElementKind::CallActivity:
  case ElementKind::SubChoreography:
  case ElementKind::CallChoreography:
    document.layout->types.try_emplace(id, elementInfo(kind).xml);
    return;
  case ElementKind::LinkEvent:
    if (current) {
      const Element &event = document.elements[current.index()];
      document.layout->types.try_emplace(
          document.text(event.id),
          event.kind == ElementKind::IntermediateThrowEvent ? "linkThrow"
                                                            : "linkCatch");
    }
    return;
  default:
    return;
  }
}

/// Looks into what is skipped for what is drawn.
void Reader::inSkipped(StringRef name, unsigned numAttributes,
                       const xmlChar **attributes) {
  auto value = [&](StringRef key) {
    return findValue(key, numAttributes, attributes);
  };
  if (name == "text" && !annotation.empty())
    inAnnotation = true;
  else if (name == "categoryValue")
    categories.try_emplace(value("id"), value("value").str());
}

/// Keeps the bounds of a shape and the way points of an edge; what makes no
/// sense is left out, and the diagram is drawn anew.
void Reader::interchange(StringRef name, unsigned numAttributes,
                         const xmlChar **attributes) {
  auto value = [&](StringRef key) {
    return findValue(key, numAttributes, attributes);
  };
  auto number = [&](StringRef key, int32_t &result) {
    double read;
    if (value(key).getAsDouble(read) || !(read > -1e6 && read < 1e6))
      return false;
    result = static_cast<int32_t>(std::lround(read));
    return true;
  };
  if (name == "BPMNShape" || name == "BPMNEdge") {
    StringRef element = value("bpmnElement");
    StringRef activity = value("choreographyActivityShape");
    drawnAt = skipping;
    if (isLeftOut) {
      drawn.clear();
      return;
    }
    if (activity.empty()) {
      drawn = element.substr(element.find(':') + 1).str();
      shapes.try_emplace(value("id"), drawn);
      // Of an element that is drawn twice the first drawing counts.
      if (document.layout->waypoints.count(drawn))
        drawn.clear();
      else if (value("isExpanded") == "false")
        document.layout->collapsed[drawn] = 1;
      return;
    }
    // A band of a choreography activity, drawn with the activity.
    drawn.clear();
    auto shape = shapes.find(activity);
    if (shape != shapes.end() && value("isMessageVisible") == "true")
      document.layout->envelopes[shape->second] |=
          value("participantBandKind").contains("non_initiating") ? 2 : 1;
  } else if (name == "Bounds" && !drawn.empty() && skipping == drawnAt + 2) {
    // A label's; some tools write one of no size, which says nothing.
    DiagramLayout::Bounds bounds;
    if (number("x", bounds.x) && number("y", bounds.y) &&
        number("width", bounds.width) && number("height", bounds.height) &&
        bounds.width >= 10 && bounds.height >= 8)
      document.layout->labels.try_emplace(drawn, bounds);
  } else if (drawn.empty() || skipping != drawnAt + 1) {
    return;
  } else if (name == "Bounds") {
    DiagramLayout::Bounds bounds;
    if (number("x", bounds.x) && number("y", bounds.y) &&
        number("width", bounds.width) && number("height", bounds.height) &&
        bounds.width > 0 && bounds.height > 0)
      document.layout->bounds.try_emplace(drawn, bounds);
  } else if (name == "waypoint") {
    DiagramLayout::Point point;
    if (number("x", point.x) && number("y", point.y))
      document.layout->waypoints[drawn].push_back(point);
  }
}

void Reader::end() {
  if (failed)
    return;
  namespaces -= namespacesAt[depth--];
  if (extensionDepth == depth + 1 && !skipping) {
    extensionDepth = 0;
    return;
  }
  if (skipping) {
    if (skipping == drawnAt)
      drawn.clear();
    --skipping;
    inAnnotation = false;
    if (!skipping && inFlowRef) {
      document.flowRefs.push_back(
          {current, isOutgoing, document.strings.intern(trimmed(pendingText))});
      pendingText.clear();
      inFlowRef = false;
    }
    if (!skipping && !annotation.empty()) {
      document.layout->decorations[annotation].text = tidyName(annotationText);
      annotation.clear();
    }
    return;
  }
  Element &element = document.elements[current.index()];
  element.end = static_cast<uint32_t>(document.elements.size());
  if (wantText) {
    element.text = document.strings.intern(trimmed(pendingText));
    pendingText.clear();
  }
  current = element.parent;
  wantText =
      current &&
      elementInfo(document.elements[current.index()].kind).read == Read::Text;
}

bool Reader::run() {
  static std::once_flag once;
  std::call_once(once, xmlInitParser);
  if (text.starts_with("\xef\xbb\xbf")) {
    text = text.drop_front(3);
    linePosition = text.data();
  }
  // Not XML, but common: blank lines and comments before the XML declaration.
  StringRef shorter = text.ltrim(" \t\r\n");
  while (shorter.starts_with("<!--")) {
    size_t end = shorter.find("-->", 4);
    shorter = end == StringRef::npos ? StringRef()
                                     : shorter.substr(end + 3).ltrim(" \t\r\n");
  }
  if (shorter.starts_with("<?xml") && shorter.size() < text.size()) {
    advanceTo(shorter.data());
    text = shorter;
  }
  if (text.empty()) {
    fail(0, diag::bpmn_xml, "the file is empty");
    return false;
  }
  if (text.size() > 0x7fffffff - 16) {
    fail(0, diag::bpmn_too_large, "the file is larger than 2 GB");
    return false;
  }
  // The parser would take zeros at the start for an encoding of its own, and
  // complain on standard error.
  if (size_t zero = text.find('\0'); zero != StringRef::npos) {
    fail(zero, diag::bpmn_xml, "a zero byte, which XML does not allow");
    return false;
  }
  if (tooManyAttributes())
    return false;
  parser =
      xmlCreateMemoryParserCtxt(text.data(), static_cast<int>(text.size()));
  if (!parser) {
    fail(0, diag::bpmn_too_large, "there is not enough memory for the file");
    return false;
  }
  document.strings.reserve(text.size() / 256);
  xmlSAXHandler handler = {};
  handler.initialized = XML_SAX2_MAGIC;
  handler.startElementNs = onStart;
  handler.endElementNs = onEnd;
  handler.characters = onCharacters;
  handler.cdataBlock = onCharacters;
  handler.internalSubset = onDoctype;
  handler.getEntity = onEntity;
  handler.serror = onError;
  *parser->sax = handler;
  parser->userData = this;
  // The text is UTF-8 by now, whatever its declaration says. Of entities there
  // are only XML's own (see onEntity); without NOENT `&amp;` in an attribute
  // would be handed on as `&#38;`.
  xmlCtxtUseOptions(parser, XML_PARSE_NONET | XML_PARSE_IGNORE_ENC |
                                XML_PARSE_NOENT | XML_PARSE_NOXINCNODE |
                                XML_PARSE_COMPACT);
  xmlParseDocument(parser);
  if (!failed && !parser->wellFormed)
    fail(offset(), diag::bpmn_xml, "the document is not well-formed");
  xmlFreeParserCtxt(parser);
  parser = nullptr;
  for (const auto &group : groups)
    if (auto found =
            categories.find(StringRef(group.second)
                                .substr(StringRef(group.second).find(':') + 1));
        found != categories.end())
      document.layout->decorations[group.first()].text = found->second;
  return !failed;
}

/// Tells of an attribute without a value, at its element's start tag.
static void warnValueless(const SourceBuffer &source, StringRef text,
                          const Valueless &v, DiagnosticEngine &diags) {
  StringRef before = text.take_front(v.tag);
  size_t line = before.rfind('\n');
  StringRef element = text.substr(v.tag + 1).take_until(
      [](char c) { return isSpace(c) || c == '>' || c == '/'; });
  Place place{source.path().str(), uint32_t(before.count('\n') + 1),
              uint32_t(v.tag - (line == StringRef::npos ? 0 : line + 1) + 1),
              ""};
  diags.report(std::move(place), diag::bpmn_valueless)
      << element.substr(element.find(':') + 1) << v.text
      << (isTruthValue(attributeKey(v.text)) ? "it is read as true"
                                             : "it is ignored");
}

/// Reads a text without the attributes that have no value, which it lists: so
/// the parser never has to guess, and everything else that is not XML stays an
/// error.
static bool readValued(const SourceBuffer &source, StringRef text,
                       Document &document, DiagnosticEngine &diags, bool strict,
                       std::vector<Valueless> &valueless) {
  std::string without;
  bool sawUndeclared = false;
  DiagramLayout *layout = document.layout;
  DiagramLayout before;
  if (layout)
    before = *layout;
  for (;;) {
    StringRef parsed = valueless.empty() ? text : StringRef(without);
    document = Document();
    document.layout = layout;
    Reader reader(source, parsed, document, diags, valueless);
    reader.sawUndeclared = sawUndeclared;
    if (reader.run())
      return true;
    if (!reader.stoppedAt)
      return false;
    const Valueless &v = *reader.stoppedAt;
    if (strict || valueless.size() * text.size() > maxReadAnew) {
      reader.report(v);
      return false;
    }
    if (valueless.empty())
      without = text.str();
    std::fill_n(without.begin() + ptrdiff_t(v.name), v.text.size(), ' ');
    sawUndeclared = reader.sawUndeclared;
    valueless.push_back(v);
    if (layout)
      *layout = before;
  }
}

bool bpmn::readXml(const SourceBuffer &source, Document &document,
                   DiagnosticEngine &diags, bool strict) {
  std::string decoded;
  std::optional<StringRef> text = decodeXml(source, decoded, diags);
  std::vector<Valueless> valueless;
  if (!text || !readValued(source, *text, document, diags, strict, valueless))
    return false;
  for (const Valueless &v : valueless)
    warnValueless(source, *text, v, diags);
  return document.indexIds(source, diags);
}

std::string cif::textWithValues(const SourceBuffer &source) {
  DiagnosticCollector quiet; // whoever reads the model tells what is wrong
  SourceManager sources;
  DiagnosticEngine diags(sources, quiet);
  std::string decoded, result = source.text().str();
  std::optional<StringRef> text = decodeXml(source, decoded, diags);
  Document document;
  std::vector<Valueless> valueless;
  // In another encoding the places are others.
  if (!text || !decoded.empty() ||
      !readValued(source, *text, document, diags, /*strict=*/false, valueless))
    return result;
  const size_t start = size_t(text->data() - source.text().data());
  llvm::sort(valueless, [](const Valueless &a, const Valueless &b) {
    return a.name > b.name;
  });
  for (const Valueless &v : valueless)
    result.insert(start + v.name + v.text.size(),
                  isTruthValue(attributeKey(v.text)) ? "=\"true\"" : "=\"\"");
  return result;
}
