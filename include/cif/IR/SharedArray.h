//===- SharedArray.h - An array that is owned or read in place ------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_IR_SHAREDARRAY_H
#define CIF_IR_SHAREDARRAY_H

#include "cif/Support/LLVM.h"
#include <memory>
#include <vector>

namespace cif {

/// An immutable array: either a vector of its own, or a view of bytes that
/// something else (a mapped file) keeps alive. Copies share.
template <class T>
class SharedArray {
public:
  SharedArray() = default;
  SharedArray(std::vector<T> values) {
    auto held = std::make_shared<std::vector<T>>(std::move(values));
    view = *held;
    owner = std::move(held);
  }
  SharedArray(ArrayRef<T> values, std::shared_ptr<const void> keepAlive)
      : view(values), owner(std::move(keepAlive)) {}

  const T &operator[](size_t i) const { return view[i]; }
  size_t size() const { return view.size(); }
  bool empty() const { return view.empty(); }
  const T *begin() const { return view.begin(); }
  const T *end() const { return view.end(); }
  const T *data() const { return view.data(); }
  ArrayRef<T> ref() const { return view; }
  operator ArrayRef<T>() const { return view; }

private:
  ArrayRef<T> view;
  std::shared_ptr<const void> owner;
};

} // namespace cif

#endif
