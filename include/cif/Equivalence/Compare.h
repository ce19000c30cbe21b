//===- Compare.h - Comparing two LTSs -----------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Decides whether two LTSs are related, and if not, why: every witness is
/// replayed on both of them before it is returned. Labels match when they are
/// equal as Labels.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_EQUIVALENCE_COMPARE_H
#define CIF_EQUIVALENCE_COMPARE_H

#include "cif/Equivalence/Formula.h"
#include "cif/Equivalence/Relation.h"
#include "cif/IR/Fact.h"
#include "cif/IR/Lts.h"
#include "cif/Support/Limits.h"

namespace cif {

enum class Side : uint8_t { Left, Right };
/// "left", "right".
StringRef sideName(Side side);
inline Side otherSide(Side side) {
  return side == Side::Left ? Side::Right : Side::Left;
}

struct CompareOptions {
  Limits limits;
  /// Termination can be seen: being final counts as a step labelled `tick`.
  /// Only where both LTSs say which of their states are final.
  bool observeFinals = false;
  /// Fill in Comparison::certificate. Trace relations are then decided on the
  /// LTSs as they are, which may take longer.
  bool wantCertificate = false;
};

/// Why two LTSs are not related.
struct Difference {
  enum Kind : uint8_t {
    Trace,   ///< `side` has `trace`, the other does not
    Offer,   ///< after `trace`, `side` can come to rest offering `offered` only
    Formula, ///< `side` satisfies the formula, the other does not
  };
  Kind kind = Trace;
  Side side = Side::Left;
  /// Shortest. The labels are visible ones unless tau is a label.
  std::vector<Label> trace;
  /// Trace: what the other side could do instead of the last label.
  std::vector<Label> instead;
  /// Offer: the labels that `side` may offer, all others being refused. Empty:
  /// a deadlock.
  std::vector<Label> offered;
  /// Offer: labels that `side` can refuse together here and the other cannot.
  std::vector<Label> refused;
  std::optional<cif::Formula> graph; ///< Formula: it
  std::string formula; ///< the same in one line, cut when very long
  /// The same for a person, without full stops.
  std::vector<std::string> sentences;
};

struct Comparison {
  Verdict verdict = Verdict::Inconclusive;
  Relation relation = Relation::Strong;
  std::string limit;                    ///< inconclusive: why
  std::string method;                   ///< how it was decided
  std::optional<Difference> difference; ///< violated: always there
  /// What cif-check needs to check the verdict; see docs/certificates.md. Empty
  /// when it was not asked for, or the verdict is inconclusive.
  std::string certificate;
  uint64_t states = 0;      ///< of both LTSs together
  uint64_t transitions = 0; ///< of both LTSs together
  uint64_t explored = 0;    ///< classes, pairs or subsets looked at

  bool holds() const { return verdict == Verdict::Holds; }
};

/// Decides \p relation between the initial states of \p left and \p right.
/// Violated has a difference that was replayed on both; holds is exact. At a
/// limit: inconclusive.
Comparison compare(const Lts &left, const Lts &right, Relation relation,
                   const CompareOptions &options = {});

/// Whether \p difference tells the two LTSs apart: its trace is followed on
/// both of them, or its formula evaluated. Knows nothing of how it was found.
bool replays(const Difference &difference, const Lts &left, const Lts &right,
             Relation relation);

} // namespace cif

#endif
