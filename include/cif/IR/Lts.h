//===- Lts.h - Explicit labelled transition systems -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The explicit LTS: transitions sorted by source state in CSR arrays, labels
/// in a table of their own. Label 0 is always tau, whether it is used or not.
/// This is plain data; the algorithms are in cif/LTS and cif/Equivalence.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_IR_LTS_H
#define CIF_IR_LTS_H

#include "cif/IR/SharedArray.h"
#include <string>

namespace cif {

enum class LabelKind : uint8_t {
  Tau,      ///< internal
  Exchange, ///< p -> q : m, a whole exchange
  Send,     ///< q!m at p: sender p, receiver q
  Receive,  ///< p?m at q: sender p, receiver q
  Plain,    ///< anything else, e.g. from another tool's AUT file
  Tick,     ///< successful termination made visible
};

/// What a transition shows. `message` holds the whole text of a Plain label.
/// In a Send or Receive of a process-oriented system the partner may be empty
/// (any participant).
struct Label {
  LabelKind kind = LabelKind::Tau;
  std::string sender, receiver, message;

  bool operator==(const Label &) const = default;
  auto operator<=>(const Label &) const = default;

  static Label tau() { return {}; }
  static Label plain(StringRef text) {
    return {LabelKind::Plain, "", "", text.str()};
  }
};

/// The label as text: `tau`, `p->q:m`, `p!q:m` (p sends m to q), `q?p:m` (q
/// receives m from p), `tick`; names that are not plain words are quoted, so
/// that parseLabel(labelText(l)) == l for every label.
std::string labelText(const Label &label);
/// The same from the point of view of the participant itself: `q!m`, `p?m`.
std::string localLabelText(const Label &label);
/// Reads labelText's forms; `i` and `tau` are tau; anything else is Plain.
/// `q!m` and `p?m` (no colon) are the local forms at participant \p self.
Label parseLabel(StringRef text, StringRef self = {});

using StateIndex = uint32_t;
using LabelIndex = uint32_t;
constexpr LabelIndex tauLabel = 0;

struct Lts {
  StateIndex initial = 0;
  std::vector<Label> labels{Label::tau()}; ///< labels[0] is tau
  SharedArray<uint32_t> rowBegin; ///< numStates + 1; row s: [begin, next begin)
  SharedArray<LabelIndex> label;  ///< of each transition
  SharedArray<StateIndex> target; ///< of each transition
  /// Final (accepting, successfully terminated) states, one bit each, or empty:
  /// nothing is said about termination.
  SharedArray<uint64_t> finals;

  size_t numStates() const {
    return rowBegin.empty() ? 0 : rowBegin.size() - 1;
  }
  size_t numTransitions() const { return target.size(); }
  ArrayRef<LabelIndex> labelsOf(StateIndex s) const {
    return label.ref().slice(rowBegin[s], rowBegin[s + 1] - rowBegin[s]);
  }
  ArrayRef<StateIndex> targetsOf(StateIndex s) const {
    return target.ref().slice(rowBegin[s], rowBegin[s + 1] - rowBegin[s]);
  }
  bool saysFinal() const { return !finals.empty(); }
  bool isFinal(StateIndex s) const {
    return !finals.empty() && (finals[s / 64] >> (s % 64) & 1);
  }
};

/// What is wrong with the arrays (counts, order, ranges), or empty. Everything
/// that reads an Lts may rely on it.
std::string verifyLts(const Lts &lts);

} // namespace cif

#endif
