//===- Version.cpp - Versions ---------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Tools/Version.h"
#include "cif/IR/Text.h"
#include "cif_revision.h"

using namespace cif;

StringRef cif::versionText() { return CIF_VERSION; }

std::string cif::buildText() {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (*CIF_REVISION)
    os << "revision " CIF_REVISION ", ";
  os << "format " << formMajorVersion << '.' << formMinorVersion
     << ", plugin API " << pluginApiVersion << "\nLLVM " CIF_LLVM_VERSION
     << ", libxml2 " CIF_LIBXML2_VERSION
     << ", FlatBuffers " CIF_FLATBUFFERS_VERSION << '\n';
  return text;
}
