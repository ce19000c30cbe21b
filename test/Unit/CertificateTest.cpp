//===- CertificateTest.cpp - Certificates for cif-check -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Writes pairs of LTSs with the certificates and witnesses of their
/// comparisons into the folder that CIF_TEST_DIR names;
/// test/Equivalence/certificates.test has cif-check look at them.
///
//===----------------------------------------------------------------------===//

#include "LtsGenerator.h"
#include "cif/Equivalence/Compare.h"
#include "cif/LTS/Aut.h"
#include <cstdlib>
#include <gtest/gtest.h>

using namespace cif;

static void write(const std::string &path,
                  function_ref<void(raw_ostream &)> to) {
  std::error_code failed;
  llvm::raw_fd_ostream os(path, failed);
  ASSERT_FALSE(failed) << path;
  to(os);
}

TEST(Certificates, Write) {
  const char *folder = std::getenv("CIF_TEST_DIR");
  if (!folder)
    GTEST_SKIP();
  std::mt19937 random(29);
  CompareOptions options;
  options.wantCertificate = true;
  for (StringRef name : relationNames()) {
    Relation relation = *parseRelation(name);
    // As many that hold as do not.
    unsigned wanted[2] = {50, 50};
    while (wanted[0] + wanted[1]) {
      Lts left = randomLts(random, 8);
      Lts right = mutated(left, random);
      Comparison result = compare(left, right, relation, options);
      ASSERT_NE(result.verdict, Verdict::Inconclusive);
      ASSERT_FALSE(result.certificate.empty());
      unsigned &open = wanted[result.holds()];
      if (!open)
        continue;
      --open;
      std::string path = std::string(folder) + "/" + name.str() + "-" +
                         (result.holds() ? "holds" : "violated") +
                         std::to_string(open);
      write(path + ".left", [&](raw_ostream &os) { writeAut(left, os); });
      write(path + ".right", [&](raw_ostream &os) { writeAut(right, os); });
      write(path + ".cert", [&](raw_ostream &os) { os << result.certificate; });
    }
  }
}
