//===- Highlights.h - Which elements a witness goes through ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The steps of each element: by its id where the place has one; an activity or
/// event of a text, which has no ids, by its line and column.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_EXPORT_SVG_HIGHLIGHTS_H
#define CIF_LIB_EXPORT_SVG_HIGHLIGHTS_H

#include "cif/Export/Emitter.h"
#include "llvm/ADT/StringMap.h"

namespace cif {

class Highlights {
public:
  Highlights(const Module &module, const EmitOptions &options)
      : module(module) {
    for (size_t i = 0; i < options.highlight.size(); ++i)
      steps[key(options.highlight[i])].push_back(i + 1);
  }

  /// "1,3" for what takes the first and third step; empty for most. \p id is
  /// the id that the element is written with.
  std::string of(const Location &loc, StringRef id = {}) const {
    return loc.element.empty() ? find(id) : find(id, module.text(loc.element));
  }
  std::string of(const Node &node, StringRef id = {}) const {
    // Gateways and flows of a text stand where an activity stands.
    bool acts = node.message || node.kind == NodeKind::Task ||
                node.kind == NodeKind::Catch || node.kind == NodeKind::Throw;
    return node.loc.element.empty() && acts
               ? find(id, key(module.place(node.loc)))
               : of(node.loc, id);
  }

private:
  std::string find(StringRef id, StringRef other = {}) const {
    auto found = steps.end();
    if (!steps.empty())
      found = steps.find(id);
    if (found == steps.end() && !other.empty() && !steps.empty())
      found = steps.find(other);
    std::string text;
    if (found != steps.end())
      for (size_t step : found->second)
        text += (text.empty() ? "" : ",") + std::to_string(step);
    return text;
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
  llvm::StringMap<std::vector<size_t>> steps;
};

} // namespace cif

#endif // CIF_LIB_EXPORT_SVG_HIGHLIGHTS_H
