//===- CertificateText.h - Certificates as text -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Writes certificates and witnesses in the format of docs/certificates.md.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_EQUIVALENCE_CERTIFICATETEXT_H
#define CIF_LIB_EQUIVALENCE_CERTIFICATETEXT_H

#include "cif/Equivalence/Compare.h"

namespace cif {

class CertificateText {
public:
  explicit CertificateText(Relation relation);
  /// The class of each state of the left and of the right.
  CertificateText &classes(ArrayRef<uint32_t> left, ArrayRef<uint32_t> right);
  /// Pairs of classes under the heading \p name.
  CertificateText &pairs(StringRef name,
                         ArrayRef<std::pair<uint32_t, uint32_t>> pairs);
  /// States with the sets that cover them; \p stateOffset and \p setOffset are
  /// taken off the numbers.
  using Cover = std::vector<std::pair<StateIndex, std::vector<StateIndex>>>;
  CertificateText &cover(StringRef name, const Cover &cover, size_t stateOffset,
                         size_t setOffset);
  std::string finish();

private:
  std::string text;
};

/// The witness that cif-check replays.
std::string witnessText(const Difference &difference, Relation relation);

} // namespace cif

#endif
