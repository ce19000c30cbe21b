//===- CifCheck.h - cif-check as a function -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_CIFCHECK_H
#define CIF_TEST_UNIT_CIFCHECK_H

#include <string>

namespace cif::test {

/// What cif-check does with these texts: its exit status and what it says.
int runCifCheck(const std::string &certificate, const std::string &left,
                const std::string &right, std::string &said);

/// The same for a proof about the choreography in \p module, which is binary
/// CIF.
int runConnectedCheck(const std::string &certificate, const std::string &module,
                      std::string &said);

} // namespace cif::test

#endif
