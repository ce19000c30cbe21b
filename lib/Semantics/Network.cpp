//===- Network.cpp - How messages travel ----------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Networks/Queues.h"

using namespace cif;

Network::~Network() = default;

bool Network::isEmpty(const uint32_t *net) const {
  return std::all_of(net, net + numSlots, [](uint32_t v) { return v == 0; });
}

void Network::exportWords(unsigned, uint32_t value,
                          SmallVectorImpl<uint32_t> &words) const {
  words.push_back(value);
}

std::optional<uint32_t> Network::importWords(unsigned slot,
                                             ArrayRef<uint32_t> words) const {
  return onlyWord(words, slotMaximum(slot));
}

void Network::describe(const uint32_t *net, raw_ostream &os) const {
  StringRef separator = "";
  contents(net, [&](StringRef queue, ArrayRef<uint32_t> transit) {
    bool isQueue = !queue.empty();
    os << separator << (isQueue ? queue : "in transit") << ": ";
    os << (isQueue ? "[" : "");
    for (size_t i = 0; i < transit.size();) {
      if (i)
        os << (isQueue ? " " : ", ");
      printMessage(os, messages[transit[i]]);
      size_t next = i + 1;
      while (!isQueue && next < transit.size() && transit[next] == transit[i])
        ++next;
      if (next > i + 1)
        os << " x" << next - i;
      i = next;
    }
    os << (isQueue ? "]" : "");
    separator = ", ";
  });
}

std::vector<TransitQueue> cif::transitOn(const Network &network,
                                         const uint32_t *net) {
  std::vector<TransitQueue> queues;
  network.contents(net, [&](StringRef name, ArrayRef<uint32_t> transit) {
    queues.push_back({name.str(), {}});
    for (uint32_t m : transit) {
      const NetworkMessage &message = network.message(m);
      queues.back().messages.push_back(
          {LabelKind::Exchange, message.sentBy, message.queueOf, message.name});
    }
  });
  return queues;
}

bool cif::networkHas(NetworkKind kind, NetworkProperty property) {
  static constexpr unsigned properties[] = {
#define CIF_NETWORK(NAME, WORD, TEXT, ORDER, PROPERTIES) PROPERTIES,
#include "cif/Semantics/Networks.def"
  };
  return properties[static_cast<unsigned>(kind)] & property;
}

bool cif::keepsOrder(NetworkKind kind, const Label &first,
                     const Label &second) {
  static constexpr NetworkOrder orders[] = {
#define CIF_NETWORK(NAME, WORD, TEXT, ORDER, PROPERTIES) NetworkOrder::ORDER,
#include "cif/Semantics/Networks.def"
  };
  const bool sameSender = first.sender == second.sender;
  const bool sameReceiver = first.receiver == second.receiver;
  switch (orders[static_cast<unsigned>(kind)]) {
  case NetworkOrder::None:
    return false;
  case NetworkOrder::Pair:
    return sameSender && sameReceiver;
  case NetworkOrder::Sender:
    return sameSender;
  case NetworkOrder::Receiver:
    return sameReceiver;
  case NetworkOrder::All:
    return true;
  }
  llvm_unreachable("unknown order");
}

std::vector<NetworkKind> cif::asynchronousNetworks() {
  std::vector<NetworkKind> kinds;
  for (unsigned k = 0; k < networkWords().size(); ++k)
    if (auto kind = static_cast<NetworkKind>(k); kind != NetworkKind::Sync)
      kinds.push_back(kind);
  return kinds;
}

ArrayRef<StringRef> cif::networkWords() {
  static const StringRef words[] = {
#define CIF_NETWORK(NAME, WORD, TEXT, ORDER, PROPERTIES) WORD,
#include "cif/Semantics/Networks.def"
  };
  return words;
}

StringRef cif::networkText(NetworkKind kind) {
  return networkWords()[static_cast<unsigned>(kind)];
}

NetworkKind cif::defaultNetwork(SemanticsKind kind) {
  return kind == SemanticsKind::Peers ? NetworkKind::Inbox : NetworkKind::Bag;
}

std::unique_ptr<Network> cif::makeNetwork(NetworkKind kind,
                                          NetworkSetup setup) {
  const bool plain = setup.plainQueues;
  std::unique_ptr<Network> made;
  switch (kind) {
#define CIF_NETWORK(NAME, WORD, TEXT, ORDER, PROPERTIES)                       \
  case NetworkKind::NAME:                                                      \
    made = make##NAME(std::move(setup));                                       \
    break;
#include "cif/Semantics/Networks.def"
  }
  return plain ? makePlainQueues(std::move(made)) : std::move(made);
}
