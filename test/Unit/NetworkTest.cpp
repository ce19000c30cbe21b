//===- NetworkTest.cpp - What every network must do -----------------------===//
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
/// A network beside the messages in transit, in the order of sending.
class WatchedNetwork {
public:
  WatchedNetwork(NetworkKind of, uint32_t bound) : kind(of) {
    NetworkSetup setup;
    setup.units = 3;
    setup.bound = bound;
    for (uint32_t from = 0; from < setup.units; ++from)
      for (uint32_t to = 0; to < setup.units; ++to)
        if (from != to)
          for (const char *name : {"x", "y"})
            setup.messages.push_back(
                {from, to, name, std::to_string(to), std::to_string(from)});
    number = static_cast<uint32_t>(setup.messages.size());
    network = makeNetwork(kind, std::move(setup));
    net.resize(network->slots());
  }

  void send(uint32_t m) {
    const std::vector<uint32_t> before = net;
    const bool sent = network->send(net.data(), m);
    if (sent)
      transit.push_back(m);
    else
      EXPECT_EQ(net, before);
    EXPECT_TRUE(sent || network->isBounded()) << "a send waits";
    EXPECT_TRUE(sent || !transit.empty() || network->capacity() == 0);
    refused += !sent;
    check();
  }
  void receive(uint32_t m) {
    const std::vector<uint32_t> before = net;
    auto at = llvm::find(transit, m);
    if (!network->receive(net.data(), m)) {
      EXPECT_EQ(net, before);
      EXPECT_FALSE(transit.size() == 1 && transit[0] == m);
    } else if (at == transit.end()) {
      ADD_FAILURE() << "received what was not sent";
    } else {
      // The order of `causal` depends on more than the two messages.
      for (auto first = transit.begin(); first != at; ++first)
        EXPECT_TRUE(kind == NetworkKind::Causal ||
                    !keepsOrder(kind, label(*first), label(m)));
      transit.erase(at);
    }
    check();
  }

  uint32_t number = 0; // of messages
  unsigned refused = 0;
  std::unique_ptr<Network> network;

private:
  Label label(uint32_t m) const {
    const NetworkMessage &message = network->message(m);
    return {LabelKind::Exchange, message.sentBy, message.queueOf, message.name};
  }

  /// The network says of itself what is in transit.
  void check() const {
    EXPECT_EQ(network->weight(net.data()), transit.size());
    EXPECT_EQ(network->isEmpty(net.data()), transit.empty());
    for (uint32_t m = 0; m < number; ++m)
      EXPECT_EQ(network->inTransit(net.data(), m),
                static_cast<uint64_t>(llvm::count(transit, m)));
    std::vector<uint32_t> told, all = transit;
    network->contents(net.data(), [&](StringRef, ArrayRef<uint32_t> messages) {
      llvm::append_range(told, messages);
    });
    llvm::sort(told);
    llvm::sort(all);
    EXPECT_EQ(told, all);
    for (unsigned slot = 0; slot < network->slots(); ++slot)
      if (network->isInterned(slot)) {
        SmallVector<uint32_t> words;
        network->exportWords(slot, net[slot], words);
        EXPECT_EQ(network->importWords(slot, words), net[slot]);
      }
  }

  NetworkKind kind;
  std::vector<uint32_t> net, transit;
};
} // namespace

/// The contract of Network.h, and the columns of Networks.def.
TEST(Network, EveryOneKeepsTheContract) {
  for (NetworkKind kind : asynchronousNetworks())
    for (uint32_t bound : {noBound, 2u}) {
      SCOPED_TRACE(networkText(kind).str());
      WatchedNetwork watched(kind, bound);
      EXPECT_EQ(watched.network->isFinite(), networkHas(kind, NetworkIsFinite));
      EXPECT_TRUE(watched.network->asQueues() ||
                  !networkHas(kind, NetworkHasOwnQueues));
      std::mt19937 random(7);
      for (unsigned step = 0; step < 600; ++step) {
        const uint32_t m = random() % watched.number;
        // First more sends than receptions, then the other way round.
        if (random() % 8 < (step < 200 ? 4 : 1))
          watched.send(m);
        else
          watched.receive(m);
        if (HasFailure())
          return;
      }
      EXPECT_EQ(watched.refused > 0, watched.network->isBounded());
    }
}
