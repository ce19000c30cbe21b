//===- FrontEnds.cpp - The built-in front ends ----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Frontend/FrontEnd.h"

using namespace cif;

static const FrontEnd frontEnds[] = {
#define CIF_FRONTEND(ID, NAME, EXTENSIONS, DESCRIPTION)                        \
  {NAME, EXTENSIONS, DESCRIPTION, detect##ID, parse##ID},
#include "cif/Frontend/FrontEnds.def"
};

ArrayRef<FrontEnd> cif::builtinFrontEnds() { return frontEnds; }
