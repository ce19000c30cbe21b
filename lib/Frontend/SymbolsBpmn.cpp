//===- SymbolsBpmn.cpp - Ids in BPMN files --------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A scanner over tags: an element is defined by its attribute `id`, and
/// referred to by attributes and elements whose names say so (`sourceRef`,
/// `bpmnElement`, `incoming`). It reads what an XML parser would refuse, and
/// follows no entities: a value that has one is no name.
///
//===----------------------------------------------------------------------===//

#include "SymbolsBuilder.h"
#include "cif/IR/Names.h"

using namespace cif;

namespace {
class BpmnScanner {
public:
  explicit BpmnScanner(const SourceBuffer &source) : text(source.text()) {}
  Symbols scan();

private:
  static constexpr uint32_t none = Symbol::none;
  /// An element that is not closed yet.
  struct Open {
    StringRef name;          ///< as written, with its prefix
    uint32_t block = none;   ///< its own
    uint32_t nearest = none; ///< its own, or the nearest around it
    uint32_t contents = 0;   ///< where they begin
  };

  bool skip();
  void startTag();
  void endTag();
  void attributes(StringRef local, uint32_t begin);
  void refer(StringRef value);
  void closeTop(uint32_t end);
  uint32_t offsetOf(StringRef part) const {
    return static_cast<uint32_t>(part.data() - text.data());
  }

  StringRef text;
  size_t at = 0;
  SymbolsBuilder builder;
  std::vector<Open> open;
  uint32_t opened = none; ///< the block of the tag that was read last
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
    if (value.contains('&'))
      continue;
    if (name == "id" && !value.empty()) {
      symbol = builder.add(SymbolKind::Element, none, value, offsetOf(value),
                           static_cast<uint32_t>(value.size()), true);
      builder.symbol(symbol).detail = local.str();
      if (!isOfDrawing(local))
        opened = builder.open(symbol, begin, parent);
    } else if (name == "name") {
      title = value;
    } else if (refers(localName(name))) {
      refer(value);
    }
  }
  if (symbol != none)
    builder.symbol(symbol).title = title.str();
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
    open.push_back({name, opened, opened == none ? around : opened, end});
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
  return builder.finish(static_cast<uint32_t>(text.size()));
}

Symbols cif::findBpmnSymbols(const SourceBuffer &source) {
  return BpmnScanner(source).scan();
}
