//===- Highlights.h - Which elements a witness goes through ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a picture says of each element: which steps of a witness it takes, and
/// which marks it has, by its id where the place has one; an activity or event
/// of a text, which has no ids, by its line and column.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_EXPORT_SVG_HIGHLIGHTS_H
#define CIF_LIB_EXPORT_SVG_HIGHLIGHTS_H

#include "cif/Export/Emitter.h"
#include "llvm/ADT/StringMap.h"

namespace cif {

/// What is written beside an element: "1,3" for what takes the first and third
/// step, "A" for what the first mark is about; empty for most.
struct Highlight {
  std::string steps, marks;
  bool empty() const { return steps.empty() && marks.empty(); }
  std::string text() const {
    return steps + (steps.empty() || marks.empty() ? "" : " ") + marks;
  }
};

class Highlights {
public:
  Highlights(const Module &module, const EmitOptions &options)
      : module(module) {
    for (size_t i = 0; i < options.highlight.size(); ++i)
      add(texts[key(options.highlight[i])].steps, std::to_string(i + 1));
    for (size_t i = 0; i < options.marks.size(); ++i)
      add(texts[key(options.marks[i].at)].marks, letter(i));
  }

  /// The sign of a mark: A to Z, then A1, B1, ...
  static std::string letter(size_t i) {
    std::string text(1, static_cast<char>('A' + i % 26));
    return i < 26 ? text : text + std::to_string(i / 26);
  }

  /// \p id is the id that the element is written with.
  Highlight of(StringRef id) const { return find(id); }
  Highlight of(const Location &loc, StringRef id = {}) const {
    return loc.element.empty() ? find(id) : find(id, module.text(loc.element));
  }
  Highlight of(const Node &node, StringRef id = {}) const {
    // Gateways and flows of a text stand where an activity stands.
    bool acts = node.message || hasTrait(node.kind, NodeTraits::Step) ||
                node.kind == NodeKind::Catch || node.kind == NodeKind::Throw;
    return node.loc.element.empty() && acts
               ? find(id, key(module.place(node.loc)))
               : of(node.loc, id);
  }

private:
  static void add(std::string &list, const std::string &text) {
    list += (list.empty() ? "" : ",") + text;
  }

  Highlight find(StringRef id, StringRef other = {}) const {
    if (texts.empty())
      return {};
    auto found = id.empty() ? texts.end() : texts.find(id);
    if (found == texts.end() && !other.empty())
      found = texts.find(other);
    return found == texts.end() ? Highlight() : found->second;
  }

  static std::string key(const Place &place) {
    if (!place.element.empty())
      return place.element;
    // No id holds a line break.
    return (Twine(place.file) + "\n" + Twine(place.line) + "\n" +
            Twine(place.column))
        .str();
  }

  const Module &module;
  llvm::StringMap<Highlight> texts;
};

} // namespace cif

#endif // CIF_LIB_EXPORT_SVG_HIGHLIGHTS_H
