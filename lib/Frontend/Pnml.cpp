//===- Pnml.cpp - Reading Petri nets --------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One pass over the elements, in any order and on any number of pages; arcs
/// and references are resolved at the end. What would change the behaviour and
/// is not understood is an error: other types of nets and arcs. Pictures and
/// what other tools keep for themselves are skipped.
///
/// Hostile input: a document type declaration is refused, so that no entity is
/// ever declared; nothing is loaded; libxml2's limits on depth, names and texts
/// stay on.
///
//===----------------------------------------------------------------------===//

#include "cif/Frontend/Pnml.h"
#include "BPMN/Bpmn.h"
#include "cif/Support/Diagnostics/Bpmn.h"
#include "llvm/ADT/StringMap.h"
#include <libxml/xmlreader.h>
#include <map>
#include <optional>

using namespace cif;

namespace {
constexpr StringRef placeTransitionNet =
    "http://www.pnml.org/version-2009/grammar/ptnet";

class PnmlReader {
public:
  PnmlReader(const SourceBuffer &source, DiagnosticEngine &diags)
      : source(source), diags(diags) {}
  std::optional<CommandModel> run();

private:
  enum Kind : uint8_t {
    Place,
    Transition,
    PlaceReference,
    TransitionReference
  };
  struct Object {
    Kind kind;
    std::string id, name;
    std::optional<uint64_t> tokens;
    std::string refersTo;
    uint32_t line = 0;
    uint32_t index = 0;    ///< among those of its kind
    size_t standsFor = 0;  ///< itself, or what a reference leads to
    bool resolved = false; ///< a reference: standsFor is known
  };
  struct Arc {
    std::string id, source, target;
    std::optional<uint64_t> weight;
    uint32_t line = 0;
  };
  /// What the text that comes is for.
  enum class Text : uint8_t { None, Name, Number };

  DiagnosticBuilder error(uint32_t line, diag::Kind kind, StringRef id = {}) {
    ok = false;
    return diags.report(cif::Place{source.path().str(), line, 0, id.str()},
                        kind);
  }
  static void onError(void *context, xmlErrorPtr error) {
    auto &self = *static_cast<PnmlReader *>(context);
    if (error->level == XML_ERR_WARNING || !self.ok)
      return;
    self.error(error->line > 0 ? uint32_t(error->line) : 0, diag::bpmn_xml)
        << StringRef(error->message ? error->message : "").rtrim();
  }
  std::string attribute(const char *name) const;
  void start(StringRef name);
  void checkAttributes(StringRef name);
  void startObject(StringRef name);
  void end();
  void takeText();
  void resolveReferences();
  Object *resolve(const Arc &arc, const std::string &id, StringRef end);
  void addArcs(CommandModel &model);
  CommandModel finish();

  const SourceBuffer &source;
  DiagnosticEngine &diags;
  xmlTextReaderPtr reader = nullptr;
  bool ok = true;
  uint32_t line = 0;
  std::vector<std::string> path; ///< of open elements
  unsigned nets = 0, skipping = 0;
  Text wanted = Text::None;
  std::string text;
  std::vector<Object> objects;
  std::vector<Arc> arcs;
  bool inArc = false;
  llvm::StringMap<size_t> byId;
};
} // namespace

std::string PnmlReader::attribute(const char *name) const {
  xmlChar *value = xmlTextReaderGetAttribute(
      reader, reinterpret_cast<const xmlChar *>(name));
  std::string text = value ? reinterpret_cast<const char *>(value) : "";
  xmlFree(value);
  return text;
}

/// Attributes beyond those of the standard may change the behaviour: many tools
/// write `type="inhibitor"` for an arc. Those with a prefix are for one tool.
void PnmlReader::checkAttributes(StringRef name) {
  while (xmlTextReaderMoveToNextAttribute(reader) == 1) {
    StringRef key =
        reinterpret_cast<const char *>(xmlTextReaderConstName(reader));
    StringRef value =
        reinterpret_cast<const char *>(xmlTextReaderConstValue(reader));
    const bool known =
        key == "id" || key == "xmlns" || key.contains(':') ||
        (name == "arc" && (key == "source" || key == "target" ||
                           (key == "type" && value == "normal"))) ||
        (name.starts_with("reference") && key == "ref");
    if (!known)
      error(line, diag::bpmn_unsupported)
          << ("attribute '" + key + "' of '" + name + "'").str()
          << "the value '" + value + "'";
  }
  xmlTextReaderMoveToElement(reader);
}

/// A place, transition, reference or arc.
void PnmlReader::startObject(StringRef name) {
  checkAttributes(name);
  std::string id = attribute("id");
  inArc = name == "arc";
  if (id.empty()) {
    error(line, diag::bpmn_missing) << name << "id";
    return;
  }
  if (inArc) {
    arcs.push_back({id, attribute("source"), attribute("target"), {}, line});
    return;
  }
  Object object;
  object.kind = name == "place"            ? Place
                : name == "transition"     ? Transition
                : name == "referencePlace" ? PlaceReference
                                           : TransitionReference;
  object.id = id;
  object.line = line;
  if (object.kind >= PlaceReference)
    object.refersTo = attribute("ref");
  if (!byId.try_emplace(id, objects.size()).second)
    error(line, diag::bpmn_duplicate_id, id) << id;
  objects.push_back(std::move(object));
}

void PnmlReader::start(StringRef name) {
  path.push_back(name.str()); // may move what is there
  StringRef parent = path.size() > 1 ? StringRef(path[path.size() - 2]) : "";
  if (skipping || name == "toolspecific" || name == "graphics") {
    ++skipping;
    return;
  }
  static constexpr StringRef objectNames[] = {
      "place", "transition", "arc", "referencePlace", "referenceTransition"};
  const bool onPage = parent == "net" || parent == "page",
             inObject = llvm::is_contained(objectNames, parent);
  if (parent.empty()) {
    if (name != "pnml")
      error(line, diag::pnml_misuse) << "the root element"
                                     << "expected 'pnml', found '" + name + "'";
  } else if (parent == "pnml" && name == "net") {
    std::string type = attribute("type");
    if (++nets > 1)
      error(line, diag::bpmn_unsupported) << "net '" + attribute("id") + "'"
                                          << "a second net in a file";
    else if (type != placeTransitionNet)
      error(line, diag::bpmn_unsupported) << "net '" + attribute("id") + "'"
                                          << "the type '" + type + "'";
  } else if (onPage && name == "page") {
    // Pages are a matter of drawing.
  } else if (onPage && llvm::is_contained(objectNames, name)) {
    startObject(name);
  } else if (name == "name" && (onPage || inObject)) {
    // Its text is taken below.
  } else if ((name == "initialMarking" && parent == "place") ||
             (name == "inscription" && parent == "arc")) {
    // The same.
  } else if (name == "text" && path.size() > 2 &&
             (parent == "name" || parent == "initialMarking" ||
              parent == "inscription")) {
    text.clear();
    wanted = parent == "name" ? Text::Name : Text::Number;
  } else {
    error(line, diag::bpmn_unsupported)
        << ("element '" + name + "' in '" + parent + "'").str() << "that";
  }
}

/// The text of a label is complete.
void PnmlReader::takeText() {
  StringRef value = StringRef(text).trim();
  StringRef owner = path.size() > 2 ? StringRef(path[path.size() - 3]) : "";
  const bool ofObject = owner != "net" && owner != "page";
  if (wanted == Text::Name) {
    if (ofObject && !inArc && !objects.empty())
      objects.back().name = value.str();
    return;
  }
  const std::string &id = inArc ? arcs.back().id : objects.back().id;
  auto misuse = [&](const Twine &why) {
    error(line, diag::pnml_misuse, id)
        << (inArc ? "arc '" : "place '") + id + "'" << why.str();
  };
  std::optional<uint64_t> &given =
      inArc ? arcs.back().weight : objects.back().tokens;
  uint64_t number = 0;
  if (value.getAsInteger(10, number) || number > UINT32_MAX ||
      (inArc && !number))
    misuse("'" + value.take_front(40) + "' is not a number " +
           (inArc ? "of tokens from 1" : "of tokens") + " that 32 bits hold");
  else if (given)
    misuse("it has a second number of tokens");
  else
    given = number;
}

void PnmlReader::end() {
  if (skipping)
    --skipping;
  else if (wanted != Text::None && path.back() == "text") {
    takeText();
    wanted = Text::None;
  }
  path.pop_back();
}

/// Follows each reference once, however long the chains are, to what it stands
/// for: a place for places, a transition for transitions.
void PnmlReader::resolveReferences() {
  std::vector<size_t> chain;
  for (size_t first = 0; first < objects.size(); ++first) {
    chain.clear();
    size_t at = first;
    while (objects[at].kind >= PlaceReference && !objects[at].resolved) {
      Object &object = objects[at];
      object.resolved = true; // also where a cycle closes
      object.standsFor = at;
      chain.push_back(at);
      auto found = byId.find(object.refersTo);
      StringRef what =
          object.kind == PlaceReference ? "a place" : "a transition";
      if (found == byId.end() ||
          objects[found->second].kind % 2 != object.kind % 2) {
        error(object.line, diag::bpmn_dangling, object.id)
            << "reference '" + object.id + "'"
            << "ref" << object.refersTo << what;
        return;
      }
      at = found->second;
    }
    if (objects[at].kind >= PlaceReference)
      at = objects[at].standsFor;
    if (!chain.empty() && objects[at].kind >= PlaceReference) {
      error(objects[at].line, diag::pnml_misuse, objects[at].id)
          << "reference '" + objects[at].id + "'"
          << "it leads back to itself";
      return;
    }
    for (size_t reference : chain)
      objects[reference].standsFor = at;
  }
}

/// What \p id stands for.
PnmlReader::Object *PnmlReader::resolve(const Arc &arc, const std::string &id,
                                        StringRef end) {
  auto found = byId.find(id);
  if (found != byId.end()) {
    Object &object = objects[found->second];
    return object.kind < PlaceReference ? &object : &objects[object.standsFor];
  }
  error(arc.line, diag::bpmn_dangling, arc.id)
      << "arc '" + arc.id + "'" << end << id << "a place or transition";
  return nullptr;
}

void PnmlReader::addArcs(CommandModel &model) {
  // By command: the changes of its places.
  std::vector<std::map<uint32_t, std::pair<uint64_t, uint64_t>>> moves(
      model.commands.size());
  for (const Arc &arc : arcs) {
    Object *from = resolve(arc, arc.source, "source"),
           *to = ok ? resolve(arc, arc.target, "target") : nullptr;
    if (!from || !to)
      return;
    if (from->kind == to->kind) {
      error(arc.line, diag::pnml_misuse, arc.id)
          << "arc '" + arc.id + "'"
          << "it connects two places or two transitions";
      return;
    }
    const bool takes = from->kind == Place;
    auto &[taken, put] =
        moves[(takes ? to : from)->index][(takes ? from : to)->index];
    uint64_t &count = takes ? taken : put;
    count += arc.weight.value_or(1);
    if (count > UINT32_MAX) {
      error(arc.line, diag::bpmn_too_large, arc.id)
          << "arc '" + arc.id + "' moves more tokens than 32 bits hold";
      return;
    }
  }
  for (size_t t = 0; t < moves.size(); ++t)
    for (auto &[place, counts] : moves[t]) {
      auto [taken, put] = counts;
      if (taken)
        model.commands[t].all.push_back(
            {CommandModel::Test::AtLeast, place, static_cast<uint32_t>(taken)});
      if (taken != put)
        model.commands[t].updates.push_back(
            {CommandModel::Update::Add, place, int64_t(put) - int64_t(taken)});
    }
}

CommandModel PnmlReader::finish() {
  CommandModel model;
  std::map<Label, LabelIndex> labels{{Label::tau(), tauLabel}};
  for (Object &object : objects) {
    StringRef name = object.name.empty() ? object.id : object.name;
    if (object.kind == Place) {
      object.index = model.counters.size();
      model.counters.push_back(
          {name.str(), static_cast<uint32_t>(object.tokens.value_or(0)),
           CommandModel::none, false});
    } else if (object.kind == Transition) {
      object.index = model.commands.size();
      Label label = parseLabel(name);
      // Only what we write ourselves is silent.
      if ((label.kind == LabelKind::Tau && name != "tau") ||
          label.kind == LabelKind::Tick)
        label = Label::plain(name);
      auto [at, isNew] = labels.try_emplace(label, model.labels.size());
      if (isNew)
        model.labels.push_back(label);
      model.commands.emplace_back().label = at->second;
    }
  }
  resolveReferences();
  if (ok)
    addArcs(model);
  return model;
}

std::optional<CommandModel> PnmlReader::run() {
  // libxml2 itself would print what it thinks of a text that it cannot decode.
  std::string decoded;
  std::optional<StringRef> bytes = bpmn::decodeXml(source, decoded, diags);
  if (!bytes)
    return std::nullopt;
  if (bytes->size() > INT32_MAX) {
    error(0, diag::bpmn_too_large) << "a net of more than 2 GiB is not read";
    return std::nullopt;
  }
  reader = xmlReaderForMemory(
      bytes->data(), static_cast<int>(bytes->size()), nullptr, "UTF-8",
      XML_PARSE_NONET | XML_PARSE_NOCDATA | XML_PARSE_IGNORE_ENC);
  if (!reader) {
    error(0, diag::bpmn_xml) << "it cannot be read";
    return std::nullopt;
  }
  xmlTextReaderSetStructuredErrorHandler(reader, onError, this);
  int status = 0;
  while (ok && (status = xmlTextReaderRead(reader)) == 1) {
    // The parser itself is ahead of the node.
    if (xmlNodePtr node = xmlTextReaderCurrentNode(reader))
      line = static_cast<uint32_t>(std::max<long>(xmlGetLineNo(node), 0));
    switch (xmlTextReaderNodeType(reader)) {
    case XML_READER_TYPE_DOCUMENT_TYPE:
    case XML_READER_TYPE_ENTITY_REFERENCE:
      error(line, diag::bpmn_unsupported) << "the file"
                                          << "a document type declaration";
      break;
    case XML_READER_TYPE_ELEMENT: {
      const bool closed = xmlTextReaderIsEmptyElement(reader);
      start(
          reinterpret_cast<const char *>(xmlTextReaderConstLocalName(reader)));
      if (closed && ok)
        end();
      break;
    }
    case XML_READER_TYPE_END_ELEMENT:
      end();
      break;
    case XML_READER_TYPE_TEXT:
    case XML_READER_TYPE_CDATA:
    case XML_READER_TYPE_SIGNIFICANT_WHITESPACE:
      if (wanted != Text::None && !skipping)
        if (const xmlChar *value = xmlTextReaderConstValue(reader))
          text += reinterpret_cast<const char *>(value);
      break;
    default:
      break;
    }
  }
  xmlFreeTextReader(reader);
  if (ok && status < 0)
    error(line, diag::bpmn_xml) << "it ends too early";
  if (ok && !nets)
    error(line, diag::bpmn_missing) << "the file"
                                    << "net";
  if (!ok)
    return std::nullopt;
  CommandModel model = finish();
  return ok ? std::optional(std::move(model)) : std::nullopt;
}

bool cif::looksLikePnml(StringRef text) {
  StringRef start = text.take_front(4096);
  return start.ltrim("\xef\xbb\xbf \t\r\n").starts_with("<") &&
         (start.contains("<pnml") || start.contains(":pnml"));
}

std::optional<CommandModel> cif::readPnml(const SourceBuffer &source,
                                          DiagnosticEngine &diags) {
  return PnmlReader(source, diags).run();
}
