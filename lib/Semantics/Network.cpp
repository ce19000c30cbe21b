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
      queues.back().messages.push_back({LabelKind::Exchange, message.sentBy,
                                        message.queueOf, message.name});
    }
  });
  return queues;
}

bool cif::networkHas(NetworkKind kind, NetworkProperty property) {
  static constexpr unsigned properties[] = {
#define CIF_NETWORK(NAME, WORD, TEXT, PROPERTIES) PROPERTIES,
#include "cif/Semantics/Networks.def"
  };
  return properties[static_cast<unsigned>(kind)] & property;
}

ArrayRef<StringRef> cif::networkWords() {
  static const StringRef words[] = {
#define CIF_NETWORK(NAME, WORD, TEXT, PROPERTIES) WORD,
#include "cif/Semantics/Networks.def"
  };
  return words;
}

StringRef cif::networkText(NetworkKind kind) {
  return networkWords()[static_cast<unsigned>(kind)];
}

std::string cif::networkList() {
  std::string list;
#define CIF_NETWORK(NAME, WORD, TEXT, PROPERTIES)                              \
  list += (list.empty() ? "" : ", ") + std::string(WORD " (" TEXT ")");
#include "cif/Semantics/Networks.def"
  return list;
}

NetworkKind cif::defaultNetwork(SemanticsKind kind) {
  return kind == SemanticsKind::Peers ? NetworkKind::Inbox : NetworkKind::Bag;
}

std::unique_ptr<Network> cif::makeNetwork(NetworkKind kind,
                                          NetworkSetup setup) {
  switch (kind) {
#define CIF_NETWORK(NAME, WORD, TEXT, PROPERTIES)                              \
  case NetworkKind::NAME:                                                      \
    return make##NAME(std::move(setup));
#include "cif/Semantics/Networks.def"
  }
  llvm_unreachable("unknown network");
}
