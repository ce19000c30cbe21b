//===- cycles.cpp - The product of ten-state cycles as an AUT file --------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `cycles K` writes the interleaving of K cycles to standard output: 10^K
/// states, K * 10^K transitions. Component i steps from d to d + 1 modulo 10
/// with label `ai_d`; each label is hidden with probability 0.3, by a generator
/// with a fixed seed. The benchmark of minimisation.
///
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

int main(int argc, char **argv) {
  int k = argc > 1 ? std::atoi(argv[1]) : 6;
  if (k < 1 || k > 8) {
    std::fprintf(stderr, "usage: cycles K   (1 <= K <= 8)\n");
    return 2;
  }
  uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  auto next = [&seed] { // splitmix64
    uint64_t z = seed += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  };
  std::vector<std::string> labels;
  for (int i = 0; i < k; ++i)
    for (int d = 0; d < 10; ++d)
      labels.push_back(next() % 10 < 3
                           ? "tau"
                           : "a" + std::to_string(i) + "_" + std::to_string(d));
  uint64_t states = 1;
  for (int i = 0; i < k; ++i)
    states *= 10;
  static char buffer[1 << 20];
  std::setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  std::printf("des (0,%llu,%llu)\n", (unsigned long long)(states * k),
              (unsigned long long)states);
  for (uint64_t s = 0; s < states; ++s) {
    uint64_t weight = 1;
    for (int i = 0; i < k; ++i, weight *= 10) {
      uint64_t d = s / weight % 10;
      uint64_t t = d == 9 ? s - 9 * weight : s + weight;
      std::printf("(%llu,\"%s\",%llu)\n", (unsigned long long)s,
                  labels[i * 10 + d].c_str(), (unsigned long long)t);
    }
  }
  return 0;
}
