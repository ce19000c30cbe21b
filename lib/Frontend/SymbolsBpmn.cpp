//===- SymbolsBpmn.cpp - Ids and names in BPMN files ----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A scanner over tags: an element is defined by its attribute `id`, and
/// referred to by attributes and elements whose names say so (`sourceRef`,
/// `bpmnElement`, `incoming`). The names of pools and of messages (those of
/// `message` and `messageFlow`) are those that other models share; docs/bpmn.md
/// says which of them a message has. It reads what an XML parser would refuse,
/// and knows the entities of markup alone: a value with another one is no name.
///
//===----------------------------------------------------------------------===//

#include "SymbolsBuilder.h"
#include "cif/IR/Names.h"
#include "llvm/ADT/StringSwitch.h"

using namespace cif;

namespace {
class BpmnScanner {
public:
  explicit BpmnScanner(const SourceBuffer &source) : text(source.text()) {}
  Symbols scan();

private:
  static constexpr uint32_t none = Symbol::none;
  /// What the attributes of a tag say.
  struct Tag {
    StringRef local, id, source, target, process, message;
    uint32_t name = none;  ///< the symbol of its name
    uint32_t block = none; ///< its own
    uint32_t owner = none; ///< the process around it, in `processes`
  };
  /// An element that is not closed yet.
  struct Open {
    StringRef name;          ///< as written, with its prefix
    uint32_t block = none;   ///< its own
    uint32_t nearest = none; ///< its own, or the nearest around it
    uint32_t contents = 0;   ///< where they begin
    uint32_t owner = none;   ///< the process that it is in, in `processes`
  };

  bool skip();
  void startTag();
  void endTag();
  void attributes(StringRef local, uint32_t begin);
  void refer(StringRef value);
  uint32_t nameSymbol(StringRef local, StringRef value);
  void note(const Tag &tag);
  uint32_t participantAt(StringRef ref) const;
  void addExchanges();
  void closeTop(uint32_t end);
  uint32_t offsetOf(StringRef part) const {
    return static_cast<uint32_t>(part.data() - text.data());
  }

  StringRef text;
  size_t at = 0;
  SymbolsBuilder builder;
  std::vector<Open> open;
  uint32_t opened = none;           ///< the block of the tag that was read last
  std::vector<StringRef> processes; ///< their ids
  llvm::StringMap<uint32_t> processOf;      ///< of an element's id
  llvm::StringMap<uint32_t> pools;          ///< by id: the symbol of its name
  llvm::StringMap<uint32_t> poolsOfProcess; ///< likewise, by its process
  llvm::StringMap<uint32_t> messages;       ///< likewise, by their ids
  std::vector<Tag> flows;
};
} // namespace

static StringRef localName(StringRef name) {
  return name.contains(':') ? name.split(':').second : name;
}

static bool isNameChar(char c) {
  return isWordChar(c) || c == '-' || c == '.' || c == ':';
}

/// Whether the value of an attribute, or the text of an element, is an id.
static bool refers(StringRef local) {
  return local.ends_with("Ref") || local == "bpmnElement" ||
         local == "default" || local == "calledElement" ||
         local == "incoming" || local == "outgoing" || local == "source" ||
         local == "target";
}

/// Pictures of elements are no elements of the model.
static bool isOfDrawing(StringRef local) {
  return local.starts_with("BPMN") || local == "Bounds" ||
         local == "waypoint" || local == "definitions";
}

void BpmnScanner::refer(StringRef value) {
  value = value.trim();
  StringRef id = localName(value);
  if (!id.empty() && llvm::all_of(id, isNameChar))
    builder.add(SymbolKind::Element, none, id, offsetOf(id),
                static_cast<uint32_t>(id.size()));
}

/// \p value without the entities that markup needs; false: it has others.
static bool decode(StringRef value, std::string &out) {
  static const std::pair<StringRef, char> entities[] = {{"&amp;", '&'},
                                                        {"&lt;", '<'},
                                                        {"&gt;", '>'},
                                                        {"&quot;", '"'},
                                                        {"&apos;", '\''}};
  while (!value.empty()) {
    auto known = llvm::find_if(entities, [&](const auto &each) {
      return value.starts_with(each.first);
    });
    if (known != std::end(entities)) {
      out += known->second;
      value = value.drop_front(known->first.size());
      continue;
    }
    if (value.front() == '&')
      return false;
    out += value.front();
    value = value.drop_front();
  }
  return true;
}

/// The name of a pool or message; none for others.
uint32_t BpmnScanner::nameSymbol(StringRef local, StringRef value) {
  const bool isPool = local == "participant";
  std::string name;
  value = value.trim();
  if ((!isPool && local != "message" && local != "messageFlow") ||
      value.empty() || !decode(value, name))
    return none;
  return builder.add(isPool ? SymbolKind::Participant : SymbolKind::Message,
                     none, name, offsetOf(value),
                     static_cast<uint32_t>(value.size()),
                     local != "messageFlow");
}

/// Remembers what message flows may lead to.
void BpmnScanner::note(const Tag &tag) {
  if (tag.local == "messageFlow") {
    flows.push_back(tag);
  } else if (tag.local == "participant" && tag.name != none) {
    pools.try_emplace(localName(tag.id), tag.name);
    poolsOfProcess.try_emplace(localName(tag.process), tag.name);
  } else if (tag.local == "message" && tag.name != none) {
    messages.try_emplace(localName(tag.id), tag.name);
  } else if (tag.owner != none && !tag.id.empty()) {
    processOf.try_emplace(localName(tag.id), tag.owner);
  }
}

/// Whose border, or element, an end of a message flow is.
uint32_t BpmnScanner::participantAt(StringRef ref) const {
  ref = localName(ref.trim());
  if (auto pool = pools.find(ref); pool != pools.end())
    return pool->second;
  auto process = processOf.find(ref);
  if (process == processOf.end())
    return none;
  auto pool = poolsOfProcess.find(localName(processes[process->second]));
  return pool == poolsOfProcess.end() ? none : pool->second;
}

void BpmnScanner::addExchanges() {
  for (const Tag &flow : flows) {
    auto message = messages.find(localName(flow.message.trim()));
    uint32_t name = message == messages.end() ? flow.name : message->second;
    uint32_t from = participantAt(flow.source), to = participantAt(flow.target);
    if (from != none && to != none && name != none)
      builder.exchange(from, to, name, flow.block);
  }
}

/// Skips what is no element, at `<`. False: it is one.
bool BpmnScanner::skip() {
  static const struct {
    StringRef begin, end;
  } others[] = {
      {"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}};
  for (const auto &[begin, end] : others)
    if (text.substr(at).starts_with(begin)) {
      size_t found = text.find(end, at + begin.size());
      at = found == StringRef::npos ? text.size() : found + end.size();
      return true;
    }
  return false;
}

/// The attributes up to `>` or `/>`.
void BpmnScanner::attributes(StringRef local, uint32_t begin) {
  StringRef title;
  Tag tag{.local = local, .owner = open.empty() ? none : open.back().owner};
  uint32_t symbol = none;
  uint32_t parent = open.empty() ? none : open.back().nearest;
  while (at < text.size() && text[at] != '>' && text[at] != '<') {
    if (!isNameChar(text[at])) {
      ++at;
      continue;
    }
    StringRef name = text.substr(at).take_while(isNameChar);
    at += name.size();
    StringRef rest = text.substr(at).ltrim();
    if (!rest.consume_front("="))
      continue;
    rest = rest.ltrim();
    if (!rest.starts_with("\"") && !rest.starts_with("'"))
      continue;
    StringRef value = rest.drop_front();
    size_t end = value.find(rest[0]);
    value = value.take_front(end);
    at = offsetOf(value) + value.size() + (end != StringRef::npos);
    if (name == "name") {
      title = value.contains('&') ? StringRef() : value;
      tag.name = nameSymbol(local, value);
      continue;
    }
    if (value.contains('&'))
      continue;
    StringRef *part = llvm::StringSwitch<StringRef *>(name)
                          .Case("id", &tag.id)
                          .Case("sourceRef", &tag.source)
                          .Case("targetRef", &tag.target)
                          .Case("processRef", &tag.process)
                          .Case("messageRef", &tag.message)
                          .Default(nullptr);
    if (part)
      *part = value;
    if (name == "id" && !value.empty()) {
      symbol = builder.add(SymbolKind::Element, none, value, offsetOf(value),
                           static_cast<uint32_t>(value.size()), true);
      builder.symbol(symbol).detail = local.str();
      if (!isOfDrawing(local))
        opened = builder.open(symbol, begin, parent);
    } else if (refers(localName(name))) {
      refer(value);
    }
  }
  if (symbol != none)
    builder.symbol(symbol).title = title.str();
  tag.block = opened;
  note(tag);
  if (local == "process")
    processes.push_back(tag.id);
}

void BpmnScanner::startTag() {
  auto begin = static_cast<uint32_t>(at++);
  StringRef name = text.substr(at).take_while(isNameChar);
  at += name.size();
  opened = none;
  attributes(localName(name), begin);
  bool isEmpty = at > 0 && at < text.size() && text[at - 1] == '/';
  if (at < text.size() && text[at] == '>')
    ++at;
  auto end = static_cast<uint32_t>(at);
  uint32_t around = open.empty() ? none : open.back().nearest;
  if (!isEmpty)
    open.push_back({name, opened, opened == none ? around : opened, end,
                    localName(name) == "process"
                        ? static_cast<uint32_t>(processes.size() - 1)
                    : open.empty() ? none
                                   : open.back().owner});
  else if (opened != none)
    builder.close(opened, end);
}

void BpmnScanner::closeTop(uint32_t end) {
  if (open.back().block != none)
    builder.close(open.back().block, end);
  open.pop_back();
}

void BpmnScanner::endTag() {
  auto begin = static_cast<uint32_t>(at);
  at += 2;
  StringRef name = text.substr(at).take_while(isNameChar);
  size_t end = text.find('>', at);
  at = end == StringRef::npos ? text.size() : end + 1;
  if (open.empty())
    return;
  // What was opened within and not closed ends with it; what was never opened
  // ends nothing.
  if (open.back().name != name) {
    if (open.size() < 2 || open[open.size() - 2].name != name)
      return;
    closeTop(begin);
  }
  StringRef contents = text.slice(open.back().contents, begin);
  if (refers(localName(name)) && !contents.contains('<') &&
      !contents.contains('&'))
    refer(contents);
  closeTop(static_cast<uint32_t>(at));
}

Symbols BpmnScanner::scan() {
  while (true) {
    at = text.find('<', at);
    if (at == StringRef::npos)
      break;
    if (skip())
      continue;
    if (text.substr(at).starts_with("</"))
      endTag();
    else if (at + 1 < text.size() && isNameChar(text[at + 1]))
      startTag();
    else
      ++at;
  }
  addExchanges();
  return builder.finish(static_cast<uint32_t>(text.size()));
}

Symbols cif::findBpmnSymbols(const SourceBuffer &source) {
  return BpmnScanner(source).scan();
}
