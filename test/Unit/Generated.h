//===- Generated.h - How many models are generated ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// CIF_GENERATED=20 in the environment makes tests compare twenty times as many
/// generated models as they usually do. Each prints how many it compared:
/// `CIF_GENERATED=20 cif-unit-tests | grep '^compared'`. CIF_GENERATED_FROM=N
/// begins with model N, to see one again.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_GENERATED_H
#define CIF_TEST_UNIT_GENERATED_H

#include <cstdio>
#include <cstdlib>

namespace cif::test {

class Generated {
public:
  Generated(const char *models, unsigned usual) : models(models) {
    const char *factor = std::getenv("CIF_GENERATED");
    all = usual * (factor ? static_cast<unsigned>(std::atoi(factor)) : 1);
  }
  Generated(const Generated &) = delete;
  ~Generated() { std::printf("compared %u %s\n", compared, models); }

  unsigned wanted() const { return all; }
  unsigned first() const {
    const char *from = std::getenv("CIF_GENERATED_FROM");
    return from ? static_cast<unsigned>(std::atoi(from)) : 0;
  }
  unsigned done() const { return compared; }
  void count() { ++compared; }

private:
  const char *models;
  unsigned all, compared = 0;
};

} // namespace cif::test

#endif
