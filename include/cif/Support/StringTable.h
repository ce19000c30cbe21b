//===- StringTable.h - Interned strings -----------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Interned strings. A Name is an index; the empty string is always Name(0).
/// Two equal strings have the same Name, so names compare as integers. The text
/// of a Name stays where it is as the table grows.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SUPPORT_STRINGTABLE_H
#define CIF_SUPPORT_STRINGTABLE_H

#include "cif/Support/LLVM.h"
#include "llvm/Support/Allocator.h"
#include <vector>

namespace cif {

/// An interned string. Default: the empty one.
class Name {
public:
  constexpr Name() = default;
  constexpr explicit Name(uint32_t index) : value(index) {}
  constexpr uint32_t index() const { return value; }
  constexpr bool empty() const { return value == 0; }
  constexpr auto operator<=>(const Name &) const = default;

private:
  uint32_t value = 0;
};

class StringTable {
public:
  StringTable();
  StringTable(StringTable &&) = default;
  StringTable &operator=(StringTable &&) = default;

  /// The Name of \p text; its bytes are copied when it is new.
  Name intern(StringRef text) { return insert(text, /*copy=*/true); }
  /// The same without a copy: \p text must outlive the table.
  Name internStable(StringRef text) { return insert(text, /*copy=*/false); }
  /// The Name of \p text if it was interned before, else an empty Name.
  Name lookup(StringRef text) const;

  StringRef text(Name name) const { return texts[name.index()]; }
  size_t size() const { return texts.size(); }
  /// Makes room for \p count texts.
  void reserve(size_t count);

private:
  Name insert(StringRef text, bool copy);
  void grow(size_t capacity);

  std::vector<StringRef> texts;
  std::vector<uint32_t> hashes;
  std::vector<uint32_t> slots; // open addressing; 0 = free, else index + 1
  llvm::BumpPtrAllocator arena;
};

} // namespace cif

#endif
