//===- RandomPeers.h - Small systems of peers, and a plain reading of them ===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_RANDOMPEERS_H
#define CIF_TEST_UNIT_RANDOMPEERS_H

#include "cif/LTS/LtsBuilder.h"
#include "cif/Transforms/Project.h"
#include <map>
#include <random>

namespace cif::test {

inline void addRandomPeer(Module &module, const std::string &name, Lts lts) {
  SystemDecl decl;
  decl.name = module.intern(name);
  decl.owner = module.getParticipant(decl.name);
  decl.role = SystemRole::Peer;
  decl.lts = std::move(lts);
  module.systems.push_back(std::move(decl));
}

/// Two or three peers: those of a protocol, so that they mostly fit together,
/// or any ones.
inline Module randomPeers(std::mt19937 &random, unsigned seed) {
  auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  Module module;
  unsigned peers = 2 + below(2);
  auto name = [](unsigned p) { return "p" + std::to_string(p); };
  auto partner = [&](unsigned p) { return (p + 1 + below(peers - 1)) % peers; };
  if (seed % 2) {
    LtsBuilder builder;
    unsigned states = 2 + below(4);
    auto add = [&](unsigned from, unsigned to) {
      unsigned sender = below(peers);
      builder.add(from,
                  builder.labels.intern({LabelKind::Exchange, name(sender),
                                         name(partner(sender)),
                                         "m" + std::to_string(below(2))}),
                  to);
    };
    for (unsigned s = 1; s < states; ++s)
      add(below(s), s);
    for (unsigned i = below(3); i > 0; --i)
      add(below(states), below(states));
    Lts global = std::move(builder).finish(0, states);
    Budget budget{Limits()};
    for (const std::string &peer : participantsOf(global))
      addRandomPeer(module, peer, *projectLts(global, peer, budget));
    return module;
  }
  for (unsigned p = 0; p < peers; ++p) {
    LtsBuilder builder;
    unsigned states = 1 + below(4);
    auto add = [&](unsigned from, unsigned to) {
      std::string other = name(partner(p)), m = "m" + std::to_string(below(2));
      Label label = below(2) ? Label{LabelKind::Send, name(p), other, m}
                             : Label{LabelKind::Receive, other, name(p), m};
      builder.add(from, builder.labels.intern(label), to);
    };
    for (unsigned s = 1; s < states; ++s)
      add(below(s), s);
    for (unsigned i = below(3); i > 0; --i)
      add(below(states), below(states));
    addRandomPeer(module, name(p), std::move(builder).finish(0, states));
  }
  return module;
}

/// The peers again, as lists.
struct PlainPeers {
  struct Step {
    unsigned from, to;
    bool sends;
    unsigned partner;
    std::string message;
  };
  std::vector<std::vector<Step>> peers;
  std::vector<std::string> names;

  explicit PlainPeers(const Module &module) {
    std::map<std::string, unsigned> numbers;
    for (const SystemDecl &decl : module.systems) {
      numbers.emplace(module.text(decl.name).str(), names.size());
      names.push_back(module.text(decl.name).str());
    }
    for (const SystemDecl &decl : module.systems) {
      std::vector<Step> &steps = peers.emplace_back();
      const Lts &lts = decl.lts;
      for (StateIndex s = 0; s < lts.numStates(); ++s)
        for (uint32_t t = lts.rowBegin[s]; t < lts.rowBegin[s + 1]; ++t) {
          const Label &label = lts.labels[lts.label[t]];
          bool sends = label.kind == LabelKind::Send;
          steps.push_back({s, lts.target[t], sends,
                           numbers.at(sends ? label.receiver : label.sender),
                           label.message});
        }
      initial.push_back(lts.initial);
    }
  }
  std::vector<unsigned> initial;
};

} // namespace cif::test

#endif
