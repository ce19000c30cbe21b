//===- CertificateTest.cpp - Certificates for cif-check -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Has cif-check's own source look at the certificates and witnesses of many
/// comparisons, whole and corrupted. Some are also written into the folder that
/// CIF_TEST_DIR names; test/Equivalence/certificates.test has the tool look at
/// them.
///
//===----------------------------------------------------------------------===//

#include "CifCheck.h"
#include "LtsGenerator.h"
#include "cif/Equivalence/Compare.h"
#include "cif/LTS/Aut.h"
#include "cif/Serialization/Binary.h"
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

/// A pair of LTSs as AUT and what its comparison wrote.
namespace {
struct Compared {
  Lts leftLts, rightLts;
  std::string left, right, certificate;
};
} // namespace

static Compared comparePair(std::mt19937 &random, Relation relation) {
  CompareOptions options;
  options.wantCertificate = true;
  Lts left = randomLts(random, 6);
  Lts right = mutated(left, random);
  Compared result;
  result.certificate = compare(left, right, relation, options).certificate;
  llvm::raw_string_ostream ofLeft(result.left), ofRight(result.right);
  writeAut(left, ofLeft);
  writeAut(right, ofRight);
  ofLeft.flush();
  ofRight.flush();
  result.leftLts = std::move(left);
  result.rightLts = std::move(right);
  return result;
}

/// CIF_TEST_PAIRS: how many pairs for each relation.
static unsigned wantedPairs() {
  const char *text = std::getenv("CIF_TEST_PAIRS");
  return text ? std::atoi(text) : 20000;
}

TEST(Certificates, AllCheck) {
  std::mt19937 random(31);
  std::string said;
  for (StringRef name : relationNames())
    for (unsigned i = 0; i < wantedPairs(); ++i) {
      Compared pair = comparePair(random, *parseRelation(name));
      ASSERT_FALSE(pair.certificate.empty());
      ASSERT_EQ(
          test::runCifCheck(pair.certificate, pair.left, pair.right, said), 0)
          << said << "\n"
          << pair.certificate << pair.left << pair.right;
    }
}

TEST(Certificates, CorruptionIsCaughtOrHarmless) {
  std::mt19937 random(37);
  unsigned caught = 0, harmless = 0;
  while (caught + harmless < 1000) {
    auto names = relationNames();
    Compared pair =
        comparePair(random, *parseRelation(names[random() % names.size()]));
    std::string whole, after, text = pair.certificate;
    ASSERT_EQ(test::runCifCheck(text, pair.left, pair.right, whole), 0);
    size_t at = random() % text.size();
    switch (random() % 3) {
    case 0:
      text[at] ^= 1 << random() % 7;
      break;
    case 1:
      text[at] = "0123456789 \n"[random() % 12];
      break;
    default:
      text.erase(at, 1);
    }
    int status = test::runCifCheck(text, pair.left, pair.right, after);
    ASSERT_TRUE(status >= 0 && status <= 2);
    status ? ++caught : ++harmless;
    if (status == 0 && whole != after) {
      // Another relation was proved: it must hold, or fail, indeed.
      StringRef claim = StringRef(after).split(':').first;
      std::optional<Relation> other = parseRelation(claim);
      ASSERT_TRUE(other);
      EXPECT_EQ(compare(pair.leftLts, pair.rightLts, *other, {}).holds(),
                StringRef(after).contains("holds"))
          << text;
    }
  }
  EXPECT_GT(caught, 300u);
}

static std::string binaryOf(const Lts &lts, DiagnosticEngine &diags) {
  Module module;
  SystemDecl decl;
  decl.name = module.intern("s");
  decl.lts = lts;
  module.systems.push_back(std::move(decl));
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  EXPECT_TRUE(writeBinary(module, os, diags));
  return bytes;
}

/// cif-check reads LTSs on its own: whatever they are, it ends in order, and
/// what it proves of those that the engine can read too is so.
TEST(HostileChecker, MutatedLtss) {
  SourceManager sources;
  DiagnosticCollector collected;
  DiagnosticEngine diags(sources, collected);
  std::mt19937 random(41);
  static const char *const pieces[] = {"99999999999", "-1", "4294967295",
                                       "\n",          "\"", "\xff"};
  unsigned proved = 0, compared = 0;
  for (unsigned round = 0; round < 10000; ++round) {
    auto names = relationNames();
    Compared pair =
        comparePair(random, *parseRelation(names[random() % names.size()]));
    const bool isAut = random() % 2;
    std::string text = isAut ? pair.left : binaryOf(pair.leftLts, diags);
    for (unsigned n = 1 + random() % 3; n; --n) {
      size_t at = random() % text.size();
      switch (random() % 4) {
      case 0:
        text[at] ^= static_cast<char>(1u << random() % 8);
        break;
      case 1:
        text[at] = "0123456789 (),"[random() % 14];
        break;
      case 2:
        text.insert(at, pieces[random() % std::size(pieces)]);
        break;
      default:
        text.erase(at, 1);
      }
    }
    std::string said;
    int status = test::runCifCheck(pair.certificate, text, pair.right, said);
    ASSERT_TRUE(status >= 0 && status <= 2);
    proved += status == 0;
    std::optional<Lts> lts;
    if (status == 0 && isAut)
      lts = readAut(text, "mutated", diags);
    if (!lts)
      continue;
    ++compared;
    auto [claim, verdict] = StringRef(said).split(':');
    EXPECT_EQ(compare(*lts, pair.rightLts, *parseRelation(claim), {}).holds(),
              verdict.contains("holds"))
        << text << pair.certificate;
  }
  EXPECT_GT(proved, 300u);
  EXPECT_GT(compared, 100u);
}
