//===- module.h - The parts of binary CIF that cif-check reads ------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A part of cif-check.cpp.
///
//===----------------------------------------------------------------------===//

/// Columns and strings of a module; absent columns are zeros.
struct Columns {
  const cif::fb::Module &module;

  static uint32_t at(auto *column, uint32_t index, uint32_t absent = 0) {
    need(!column || index < column->size(), "a column is too short");
    return column ? static_cast<uint32_t>(column->Get(index)) : absent;
  }
  string text(uint32_t index) const {
    string found;
    uint32_t i = index > 1 ? at(module.string_ends(), index - 2) : 0;
    for (; index && i < at(module.string_ends(), index - 1); ++i)
      found += static_cast<char>(at(module.string_bytes(), i));
    return found;
  }

  /// The module in \p file.
  static Columns of(const string &file) {
    const auto *bytes = reinterpret_cast<const uint8_t *>(file.data());
    flatbuffers::Verifier verifier(bytes, file.size());
    need(file.find("CIF1") == 4 && cif::fb::VerifyModuleBuffer(verifier),
         "not a complete CIF file");
    return {*cif::fb::GetModule(bytes)};
  }
};
