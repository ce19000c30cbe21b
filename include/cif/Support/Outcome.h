//===- Outcome.h - A value, or why there is none --------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What work under limits ends with: its value; a limit, by its text, which
/// leads to `inconclusive`; or an error that was reported already.
///
///   Outcome<Lts> small = minimizeWithin(lts, relation, budget);
///   if (small.isStopped())
///     return inconclusive(small.limit());
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SUPPORT_OUTCOME_H
#define CIF_SUPPORT_OUTCOME_H

#include "cif/Support/LLVM.h"
#include <cassert>
#include <optional>
#include <string>
#include <utility>

namespace cif {

/// A limit was reached; the text says which ("--max-states=1000").
struct Stopped {
  std::string limit;
};
/// An error was reported.
struct Failed {};

template <class T>
class [[nodiscard]] Outcome {
public:
  Outcome(T value) : value(std::move(value)) {}
  Outcome(Stopped stopped) : text(std::move(stopped.limit)) {
    assert(!text.empty() && "a limit has a text");
  }
  Outcome(Failed) {}
  /// Why another one has no value is why this one has none.
  template <class U>
  static Outcome without(const Outcome<U> &other) {
    assert(!other && "there is a value");
    return other.isStopped() ? Outcome(Stopped{other.limit()})
                             : Outcome(Failed());
  }

  explicit operator bool() const { return value.has_value(); }
  bool isStopped() const { return !value && !text.empty(); }
  bool isFailed() const { return !value && text.empty(); }
  /// Empty unless a limit was reached.
  const std::string &limit() const { return text; }

  T &operator*() { return *value; }
  const T &operator*() const { return *value; }
  T *operator->() { return &*value; }
  const T *operator->() const { return &*value; }

private:
  std::optional<T> value;
  std::string text;
};

} // namespace cif

#endif
