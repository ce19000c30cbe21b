//===- GrowingArray.h - Arrays that grow without being copied -------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Room for plain elements that several threads fill. Unlike a vector it does
/// not set elements to zero, and large ones grow where they are (realloc
/// remaps their pages), so that one thread has next to nothing to do alone.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_EXPLORE_GROWINGARRAY_H
#define CIF_EXPLORE_GROWINGARRAY_H

#include "cif/IR/SharedArray.h"
#include "cif/Support/LargePages.h"
#include "llvm/Support/MemAlloc.h"
#include <type_traits>

namespace cif {

template <class T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  GrowingArray() = default;
  ~GrowingArray() { std::free(elements); }
  GrowingArray(const GrowingArray &) = delete;
  GrowingArray &operator=(const GrowingArray &) = delete;

  T &operator[](size_t i) { return elements[i]; }
  /// Makes room for \p count elements; those that are there stay.
  void resize(size_t count) {
    const size_t bytes = std::max<size_t>(1, count) * sizeof(T);
    elements = static_cast<T *>(llvm::safe_realloc(elements, bytes));
    preferLargePages(elements, bytes);
  }
  /// The first \p count elements, without the room behind them.
  SharedArray<T> take(size_t count) {
    resize(count);
    ArrayRef<T> view(elements, count);
    return {view, std::shared_ptr<const void>(std::exchange(elements, nullptr),
                                              std::free)};
  }

private:
  T *elements = nullptr;
};

} // namespace cif

#endif
