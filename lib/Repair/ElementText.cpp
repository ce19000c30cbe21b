//===- ElementText.cpp - Elements in the lines of a diff ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementText.h"

using namespace cif;

std::string cif::elementText(const Module &module, const Node &node) {
  StringRef id = module.text(node.loc.element);
  StringRef name = module.text(node.name);
  std::string text = name.empty() ? id.str() : "'" + name.str() + "'";
  Place place = module.place(node.loc);
  std::string where = name.empty() ? "" : id.str();
  if (!place.file.empty())
    where += (where.empty() ? "" : ", ") + place.file + ":" +
             std::to_string(place.line);
  return where.empty() ? text : text + " (" + where + ")";
}
