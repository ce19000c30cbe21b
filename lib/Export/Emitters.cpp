//===- Emitters.cpp - The built-in emitters -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Export/Emitter.h"
#include <vector>

using namespace cif;

ArrayRef<Emitter> cif::builtinEmitters() {
  static const std::vector<Emitter> emitters = {
#define CIF_EMITTER(ID, NAME, EXTENSION, DESCRIPTION)                          \
  {NAME, EXTENSION, DESCRIPTION, emit##ID},
#define CIF_SYSTEM_EMITTER(ID, NAME, EXTENSION, DESCRIPTION)                   \
  {NAME, EXTENSION, DESCRIPTION, emit##ID, true},
#include "cif/Export/Emitters.def"
  };
  return emitters;
}
