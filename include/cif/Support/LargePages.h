//===- LargePages.h - Memory for large arrays -------------------*- C++ -*-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Arrays of many megabytes that are read here and there spend much of their
/// time on page faults and on the tables of pages. Where the system can, they
/// get large pages.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SUPPORT_LARGEPAGES_H
#define CIF_SUPPORT_LARGEPAGES_H

#include <cstddef>
#include <vector>

namespace cif {

/// Asks for large pages for \p bytes of allocated \p memory, of which nothing
/// should have been touched yet. A hint: small arrays are left alone, and
/// nothing is different where the system has no such pages.
void preferLargePages(void *memory, size_t bytes);

/// A vector of \p count zeros, in large pages if there are many.
template <class T>
std::vector<T> inLargePages(size_t count) {
  std::vector<T> result;
  result.reserve(count);
  preferLargePages(result.data(), count * sizeof(T));
  result.resize(count);
  return result;
}

} // namespace cif

#endif
