//===- ProtocolPromiseTest.cpp - Connected protocols keep the promise -----===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Random automata over exchanges, whose states are choices, against the system
/// of their roles: each role follows the automaton with what it does not see
/// hidden, and messages are matched by operation alone.
///
//===----------------------------------------------------------------------===//

#include "IocPromise.h"
#include "cif/LTS/LtsBuilder.h"
#include "cif/Transforms/Project.h"
#include <map>

using namespace cif;
using namespace cif::test;

namespace {

std::string roleName(uint32_t r) { return "r" + std::to_string(r); }

/// Mostly who received last sends next, and every state has one sender.
Lts randomProtocol(std::mt19937_64 &random) {
  auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  uint32_t states = 2 + below(5), roles = 2 + below(3), operations = 0;
  std::vector<uint32_t> decider(states);
  for (uint32_t &d : decider)
    d = below(roles);
  LtsBuilder builder;
  for (uint32_t s = 0; s + 1 < states; ++s)
    for (uint32_t n = 1 + below(2); n; --n) {
      uint32_t to = below(3) ? s + 1 : below(states);
      uint32_t sender = below(10) ? decider[s] : below(roles);
      uint32_t receiver = below(10) ? decider[to] : below(roles);
      if (sender == receiver)
        receiver = (sender + 1) % roles;
      uint32_t operation = below(8) ? operations++ : below(operations + 1);
      builder.add(s,
                  builder.labels.intern({LabelKind::Exchange, roleName(sender),
                                         roleName(receiver),
                                         "o" + std::to_string(operation)}),
                  to);
    }
  return std::move(builder).finish(0, states);
}

/// The roles of \p protocol together.
std::optional<Lts> systemOf(const Lts &protocol, bool synchronous) {
  std::vector<std::string> roles = participantsOf(protocol);
  std::vector<Lts> peers;
  Limits limits;
  limits.maxStates = 5000;
  Budget budget(limits);
  for (const std::string &role : roles) {
    Outcome<Lts> peer = projectLts(protocol, role, budget);
    if (!peer)
      return std::nullopt;
    peers.push_back(std::move(*peer));
  }
  using Message = std::pair<std::string, std::string>; // sender, operation
  struct State {
    std::vector<StateIndex> at;
    std::multiset<Message> sent;
    auto operator<=>(const State &) const = default;
  };
  std::map<State, StateIndex> numbers;
  std::vector<State> states;
  auto number = [&](const State &s) {
    auto [it, isNew] =
        numbers.try_emplace(s, static_cast<StateIndex>(states.size()));
    if (isNew)
      states.push_back(s);
    return it->second;
  };
  State start;
  for (const Lts &peer : peers)
    start.at.push_back(peer.initial);
  number(start);
  LtsBuilder builder;
  for (StateIndex n = 0; n < states.size(); ++n) {
    if (states.size() > limits.maxStates)
      return std::nullopt;
    const State state = states[n];
    auto step = [&](size_t r, LabelKind kind, auto visit) {
      const Lts &peer = peers[r];
      for (uint32_t t = peer.rowBegin[state.at[r]];
           t < peer.rowBegin[state.at[r] + 1]; ++t)
        if (peer.labels[peer.label[t]].kind == kind)
          visit(peer.labels[peer.label[t]].message, peer.target[t]);
    };
    auto receive = [&](const State &from, const Message &message) {
      for (size_t r = 0; r < peers.size(); ++r)
        if (roles[r] != message.first)
          step(r, LabelKind::Receive, [&](const std::string &m, StateIndex to) {
            if (m != message.second)
              return;
            State next = from;
            next.at[r] = to;
            builder.add(n,
                        builder.labels.intern(
                            {LabelKind::Exchange, message.first, roles[r], m}),
                        number(next));
          });
    };
    for (size_t r = 0; r < peers.size(); ++r)
      step(r, LabelKind::Send, [&](const std::string &m, StateIndex to) {
        State next = state;
        next.at[r] = to;
        if (synchronous)
          return receive(next, {roles[r], m});
        next.sent.insert({roles[r], m});
        builder.add(n,
                    builder.labels.intern({LabelKind::Send, roles[r], "", m}),
                    number(next));
      });
    std::set<Message> each(state.sent.begin(), state.sent.end());
    for (const Message &message : each) {
      State next = state;
      next.sent.erase(next.sent.find(message));
      receive(next, message);
    }
  }
  return std::move(builder).finish(0, states.size());
}

bool related(const Lts &protocol, IocRelation relation) {
  bool synchronous = relation == IocRelation::Synchronous;
  std::optional<Lts> system = systemOf(protocol, synchronous);
  if (!system)
    return false; // what is connected stays small
  return compareIoc(protocol, *system, relation).holds();
}

bool keepsPromise(const Lts &protocol, IocSemantics semantics, bool choice) {
  switch (semantics) {
  case IocSemantics::Synchronous:
    return related(protocol, IocRelation::Synchronous);
  case IocSemantics::Sender:
    return related(protocol, IocRelation::Sender);
  case IocSemantics::Receiver:
    return related(protocol,
                   choice ? IocRelation::ReceiverTrace : IocRelation::Receiver);
  case IocSemantics::SenderReceiver:
    return keepsPromise(protocol, IocSemantics::Sender, choice) &&
           keepsPromise(protocol, IocSemantics::Receiver, choice);
  case IocSemantics::Disjoint:
    return related(protocol, IocRelation::Disjoint);
  }
  return false;
}

std::string text(const Lts &lts) {
  std::string all;
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    for (uint32_t t = lts.rowBegin[s]; t < lts.rowBegin[s + 1]; ++t)
      all += std::to_string(s) + " " + labelText(lts.labels[lts.label[t]]) +
             " " + std::to_string(lts.target[t]) + "\n";
  return all;
}

} // namespace

TEST(GraphConnectedness, PromisesOfProtocols) {
  for (IocSemantics semantics : allSemantics) {
    std::mt19937_64 random(500 + static_cast<unsigned>(semantics));
    size_t wanted = 4000, found = 0, cyclic = 0, tries = 0;
    if (const char *count = std::getenv("CIF_TEST_IOC_PROTOCOLS"))
      wanted = std::strtoul(count, nullptr, 10);
    for (; found < wanted && tries < 100 * wanted; ++tries) {
      Lts protocol = randomProtocol(random);
      std::vector<std::string> roles, operations;
      auto graph = buildIocGraph(protocol, roles, operations);
      ASSERT_TRUE(graph);
      ConnectednessOptions options;
      options.semantics = semantics;
      Connectedness c = checkConnected(*graph, options);
      if (!c.holds())
        continue;
      ++found;
      for (StateIndex s = 0; s < protocol.numStates(); ++s)
        for (StateIndex to : protocol.targetsOf(s))
          if (to <= s) {
            ++cyclic;
            s = static_cast<StateIndex>(protocol.numStates());
            break;
          }
      ASSERT_TRUE(keepsPromise(protocol, semantics, c.hasChoice))
          << iocSemanticsName(semantics).str() << "\n"
          << text(protocol);
    }
    std::printf("%s: %zu of %zu, %zu with a cycle\n",
                iocSemanticsName(semantics).data(), found, tries, cyclic);
    std::fflush(stdout);
    EXPECT_EQ(found, wanted);
    EXPECT_GT(cyclic, wanted / 10);
  }
}
