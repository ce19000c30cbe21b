//===- LargePages.cpp - Memory for large arrays ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Support/LargePages.h"
#include <cstdint>
#include <sys/mman.h>

void cif::preferLargePages(void *memory, size_t bytes) {
#ifdef MADV_HUGEPAGE
  // Twice the size of a large page, so that one fits in wherever it begins.
  constexpr size_t least = size_t(4) << 20;
  constexpr uintptr_t page = 4096;
  if (bytes < least)
    return;
  // Rounded to the outside: an allocation of which only a part is advised is
  // two mappings for the system, and realloc would have to copy it.
  const uintptr_t before = reinterpret_cast<uintptr_t>(memory) & (page - 1);
  char *begin = static_cast<char *>(memory) - before;
  const uintptr_t size = (before + bytes + page - 1) & ~(page - 1);
  // What it returns does not matter: without large pages all goes on as well.
  (void)madvise(begin, size, MADV_HUGEPAGE);
#else
  (void)memory;
  (void)bytes;
#endif
}
