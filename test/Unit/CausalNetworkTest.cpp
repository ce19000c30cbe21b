//===- CausalNetworkTest.cpp - Causal order against vector clocks ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Semantics/Network.h"
#include "gtest/gtest.h"
#include <random>

using namespace cif;

namespace {
/// The network as [fbpmn] defines it: every message has the clock of its send.
struct NaiveCausal {
  explicit NaiveCausal(const NetworkSetup &of)
      : setup(of), clocks(of.units, std::vector<uint32_t>(of.units)) {}
  struct Sent {
    uint32_t message;
    std::vector<uint32_t> stamp;
  };
  void send(uint32_t m) {
    std::vector<uint32_t> &clock = clocks[setup.messages[m].sender];
    ++clock[setup.messages[m].sender];
    transit.push_back({m, clock});
  }
  bool receive(uint32_t m) {
    for (size_t i = 0; i < transit.size(); ++i) {
      if (transit[i].message != m)
        continue;
      bool first = true;
      for (size_t k = 0; k < transit.size() && first; ++k) {
        bool before = k != i && setup.messages[transit[k].message].receiver ==
                                    setup.messages[m].receiver;
        for (unsigned u = 0; u < setup.units && before; ++u)
          before = transit[k].stamp[u] <= transit[i].stamp[u];
        first = !before;
      }
      if (!first)
        continue;
      std::vector<uint32_t> &clock = clocks[setup.messages[m].receiver];
      for (unsigned u = 0; u < setup.units; ++u)
        clock[u] = std::max(clock[u], transit[i].stamp[u]);
      transit.erase(transit.begin() + static_cast<ptrdiff_t>(i));
      return true;
    }
    return false;
  }

  const NetworkSetup &setup;
  std::vector<std::vector<uint32_t>> clocks;
  std::vector<Sent> transit;
};
} // namespace

/// More than a word of messages in transit, and down to none again.
TEST(NetworkCausal, IsTheOrderOfVectorClocks) {
  std::mt19937 random(7);
  unsigned received = 0, refused = 0;
  size_t most = 0;
  for (unsigned round = 0; round < 60; ++round) {
    NetworkSetup setup;
    setup.units = 2 + random() % 4;
    for (uint32_t from = 0; from < setup.units; ++from)
      for (uint32_t to = 0; to < setup.units; ++to)
        if (from != to)
          for (const char *name : {"x", "y"})
            setup.messages.push_back({from, to, name, "", ""});
    const auto number = static_cast<uint32_t>(setup.messages.size());
    std::unique_ptr<Network> network = makeNetwork(NetworkKind::Causal, setup);
    NaiveCausal naive(setup);
    uint32_t net = 0;
    // First more sends than receptions, then the other way round.
    for (unsigned step = 0; step < 400; ++step) {
      uint32_t m = random() % number;
      if (random() % 8 < (step < 200 ? 5 : 1)) {
        EXPECT_TRUE(network->send(&net, m));
        naive.send(m);
      } else {
        bool can = naive.receive(m);
        (can ? received : refused) += 1;
        ASSERT_EQ(network->receive(&net, m), can) << "round " << round;
      }
      ASSERT_EQ(network->weight(&net), naive.transit.size());
      most = std::max(most, naive.transit.size());
    }
    if (naive.transit.empty()) {
      EXPECT_EQ(net, 0u);
    }
  }
  EXPECT_GT(most, 64u);
  EXPECT_GT(received, 1000u);
  EXPECT_GT(refused, 1000u);
}
