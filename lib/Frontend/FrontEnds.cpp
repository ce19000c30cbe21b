//===- FrontEnds.cpp - The built-in front ends ----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Frontend/FrontEnd.h"

using namespace cif;

/// Files in most languages are one whole.
static auto partsOf(StringRef name) {
  return name == "plantuml"   ? partsOfPlantUml
         : name == "markdown" ? partsOfMarkdown
                              : nullptr;
}

static const FrontEnd frontEnds[] = {
#define CIF_FRONTEND(ID, NAME, EXTENSIONS, DESCRIPTION)                        \
  {NAME, EXTENSIONS, DESCRIPTION, detect##ID, parse##ID, partsOf(NAME)},
#include "cif/Frontend/FrontEnds.def"
};

ArrayRef<FrontEnd> cif::builtinFrontEnds() { return frontEnds; }
