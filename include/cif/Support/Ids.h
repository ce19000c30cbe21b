//===- Ids.h - Typed indexes into flat arrays -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Everything in CIF lives in flat arrays and is named by its index there. An
/// Id is such an index with a type, so that a node is never taken for a flow.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SUPPORT_IDS_H
#define CIF_SUPPORT_IDS_H

#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace cif {

template <class Tag>
class Id {
public:
  static constexpr uint32_t noneValue = 0xffffffffu;

  constexpr Id() = default;
  constexpr explicit Id(size_t index) : value(static_cast<uint32_t>(index)) {}

  /// Whether this names something.
  constexpr explicit operator bool() const { return value != noneValue; }
  /// The index; only of an Id that names something.
  constexpr uint32_t index() const {
    assert(value != noneValue && "an empty Id has no index");
    return value;
  }
  /// The stored number, noneValue for an empty Id.
  constexpr uint32_t raw() const { return value; }
  static constexpr Id fromRaw(uint32_t raw) {
    Id id;
    id.value = raw;
    return id;
  }

  constexpr auto operator<=>(const Id &) const = default;

private:
  uint32_t value = noneValue;
};

} // namespace cif

#endif
