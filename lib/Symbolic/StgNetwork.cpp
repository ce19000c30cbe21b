//===- StgNetwork.cpp - Products with messages in transit -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Beyond [symbolic], which has handshakes: parts whose messages travel. A send
/// shows the exchange, and its reception is silent. What is in transit belongs
/// to the state; the values that it carries are variables, one for each field
/// of each place in a queue. A reception gives them to the receiver and moves
/// the rest of the queue up by one place. The whole is done when all parts are
/// and nothing is in transit.
///
/// Networks are those of docs/semantics.md. The result is finite if the number
/// of messages in transit is, by itself or because of a bound.
///
//===----------------------------------------------------------------------===//

#include "cif/Symbolic/Stg.h"
#include "llvm/ADT/STLExtras.h"

using namespace cif;

namespace {

class NetworkProduct {
public:
  NetworkProduct(ArrayRef<Stg> parts, FormulaPool &pool, const Limits &limits,
                 const StgNetwork &network)
      : parts(parts), pool(pool), budget(limits), network(network),
        mayGrow(llvm::any_of(parts, [](const Stg &p) { return p.hasLoop(); })) {
  }
  Outcome<Stg> run();

private:
  /// Longest queue, where there are loops, before it is taken for an unbounded
  /// one.
  static constexpr size_t maxLength = 32;

  struct Sent {
    uint32_t channel, message;
    auto operator<=>(const Sent &) const = default;
  };
  /// States of the parts, and what is in transit: by channel, in order.
  struct State {
    std::vector<uint32_t> at;
    std::vector<Sent> transit;
    auto operator<=>(const State &) const = default;
  };
  /// A message as it travels: who sends what to whom, and the sorts in it.
  struct Message {
    StgLabel label;
    std::vector<DataSort> sorts;
    auto operator<=>(const Message &other) const {
      return std::tie(label, sorts) <=> std::tie(other.label, other.sorts);
    }
    bool operator==(const Message &) const = default;
  };

  uint32_t state(State s);
  uint32_t channelOf(const StgLabel &label);
  std::string receiverOf(size_t sender, const StgTransition &send) const;
  /// Positions of a channel in what is in transit.
  static std::pair<size_t, size_t> range(const State &s, uint32_t channel) {
    auto less = [](const Sent &a, const Sent &b) {
      return a.channel < b.channel;
    };
    auto [first, last] = std::equal_range(s.transit.begin(), s.transit.end(),
                                          Sent{channel, 0}, less);
    return {first - s.transit.begin(), last - s.transit.begin()};
  }
  VariableId slot(uint32_t channel, size_t position, size_t field,
                  DataSort sort);
  void send(uint32_t from, size_t part, const StgTransition &t);
  void receive(uint32_t from, size_t part, const StgTransition &t);
  void take(uint32_t from, size_t part, const StgTransition &t, size_t first,
            size_t last, size_t at);
  void done(uint32_t from);
  void steps(uint32_t from);
  bool unordered() const { return network.kind == StgNetwork::Bag; }

  ArrayRef<Stg> parts;
  FormulaPool &pool;
  Budget budget;
  const StgNetwork &network;
  const bool mayGrow; ///< for ever
  Stg stg;
  std::vector<State> states;
  std::map<State, uint32_t> numbers;
  std::vector<Message> messages;
  std::map<Message, uint32_t> messageNumbers;
  std::map<StgLabel, uint32_t> channels;
  std::vector<StgLabel> channelNames;
  std::map<std::tuple<uint32_t, size_t, size_t, DataSort>, VariableId> slots;
  std::string stopped;
};

} // namespace

uint32_t NetworkProduct::state(State s) {
  auto [at, isNew] =
      numbers.try_emplace(s, static_cast<uint32_t>(states.size()));
  if (isNew)
    states.push_back(std::move(s));
  return at->second;
}

/// Where a message waits.
uint32_t NetworkProduct::channelOf(const StgLabel &label) {
  StgLabel key;
  switch (network.kind) {
  case StgNetwork::Bag:
    key = label;
    break;
  case StgNetwork::Pair:
    key.sender = label.sender;
    key.receiver = label.receiver;
    break;
  case StgNetwork::Inbox:
    key.receiver = label.receiver;
    break;
  case StgNetwork::Outbox:
    key.sender = label.sender;
    break;
  default: // one for all
    break;
  }
  auto [at, isNew] =
      channels.try_emplace(key, static_cast<uint32_t>(channels.size()));
  if (isNew)
    channelNames.push_back(key);
  return at->second;
}

VariableId NetworkProduct::slot(uint32_t channel, size_t position, size_t field,
                                DataSort sort) {
  auto [at, isNew] = slots.try_emplace({channel, position, field, sort});
  if (isNew) {
    const StgLabel &of = channelNames[channel];
    std::string owner = of.sender;
    if (!of.receiver.empty())
      owner += (owner.empty() ? "to " : "->") + of.receiver;
    if (!of.message.empty())
      owner += ":" + of.message;
    at->second = pool.makeVariable("transit" + std::to_string(position + 1) +
                                       "." + std::to_string(field + 1),
                                   owner.empty() ? "network" : owner, sort);
  }
  return at->second;
}

/// Who gets it, where the sender does not say.
std::string NetworkProduct::receiverOf(size_t sender,
                                       const StgTransition &send) const {
  if (!send.label.receiver.empty())
    return send.label.receiver;
  std::string found;
  for (size_t j = 0; j < parts.size(); ++j)
    for (const StgTransition &t : parts[j].transitions)
      if (j != sender && t.action == StgAction::Receive &&
          t.label.message == send.label.message &&
          (t.label.sender.empty() || t.label.sender == send.label.sender))
        found = t.label.receiver;
  return found;
}

void NetworkProduct::send(uint32_t from, size_t part, const StgTransition &t) {
  State next = states[from];
  Message message{{t.label.sender, receiverOf(part, t), t.label.message}, {}};
  for (const StgField &field : t.fields)
    message.sorts.push_back(pool.variable(field.parameter).sort);
  auto [number, isNew] = messageNumbers.try_emplace(
      message, static_cast<uint32_t>(messages.size()));
  if (isNew)
    messages.push_back(message);
  uint32_t channel = channelOf(message.label);
  auto [first, last] = range(next, channel);
  size_t length = last - first;
  if (length >= network.bound ||
      (network.kind == StgNetwork::One && !next.transit.empty()))
    return;
  if (mayGrow && length == maxLength) {
    stopped = "more than " + std::to_string(maxLength) +
              " messages in one queue, which may grow for ever; bound=N "
              "bounds them";
    return;
  }
  next.at[part] = t.to;
  next.transit.insert(next.transit.begin() + static_cast<ptrdiff_t>(last),
                      {channel, number->second});
  StgTransition made = t;
  made.from = from;
  made.to = state(std::move(next));
  made.action = StgAction::Exchange;
  made.label = message.label;
  for (size_t f = 0; f < t.fields.size(); ++f)
    made.updates.emplace_back(slot(channel, length, f, message.sorts[f]),
                              pool.var(t.fields[f].parameter));
  stg.transitions.push_back(std::move(made));
}

/// Takes the message at \p at of a channel, [first, last) of what is in
/// transit.
void NetworkProduct::take(uint32_t from, size_t part, const StgTransition &t,
                          size_t first, size_t last, size_t at) {
  const State now = states[from];
  const uint32_t channel = now.transit[at].channel;
  const Message &message = messages[now.transit[at].message];
  State next = now;
  next.at[part] = t.to;
  next.transit.erase(next.transit.begin() + static_cast<ptrdiff_t>(at));
  StgTransition made;
  made.from = from;
  made.to = state(std::move(next));
  made.action = StgAction::Tau;
  made.receives = true;
  made.label = message.label;
  made.at = t.at;
  made.guard = t.guard;
  Substitution got;
  for (size_t f = 0; f < t.fields.size() && f < message.sorts.size(); ++f)
    got[t.fields[f].parameter] =
        pool.var(slot(channel, at - first, f, message.sorts[f]));
  if (t.allows)
    made.guard = pool.conjunction(made.guard, pool.substitute(t.allows, got));
  for (const auto &[variable, value] : t.updates)
    made.updates.emplace_back(variable, pool.substitute(value, got));
  for (size_t i = at + 1; i < last; ++i) {
    const Message &other = messages[now.transit[i].message];
    for (size_t f = 0; f < other.sorts.size(); ++f)
      made.updates.emplace_back(
          slot(channel, i - first - 1, f, other.sorts[f]),
          pool.var(slot(channel, i - first, f, other.sorts[f])));
  }
  stg.transitions.push_back(std::move(made));
}

void NetworkProduct::receive(uint32_t from, size_t part,
                             const StgTransition &t) {
  const State now = states[from];
  for (size_t first = 0; first < now.transit.size();) {
    auto [begin, last] = range(now, now.transit[first].channel);
    size_t end = unordered() ? last : begin + 1;
    for (size_t at = begin; at < end; ++at) {
      const Message &message = messages[now.transit[at].message];
      if (message.label.message == t.label.message &&
          message.label.receiver == t.label.receiver &&
          (t.label.sender.empty() || t.label.sender == message.label.sender))
        take(from, part, t, begin, last, at);
    }
    first = last;
  }
}

void NetworkProduct::done(uint32_t from) {
  State next = states[from];
  if (!next.transit.empty())
    return;
  FormulaId all = pool.truth(true);
  for (size_t i = 0; i < parts.size(); ++i) {
    FormulaId any = pool.truth(false);
    for (const StgTransition &t : parts[i].of(states[from].at[i]))
      if (t.action == StgAction::Tick) {
        any = pool.make(ExprOp::Or, any, t.guard);
        next.at[i] = t.to;
      }
    all = pool.conjunction(all, any);
  }
  if (pool.is(all, false))
    return;
  StgTransition t;
  t.from = from;
  t.to = state(std::move(next));
  t.guard = all;
  t.action = StgAction::Tick;
  stg.transitions.push_back(std::move(t));
}

void NetworkProduct::steps(uint32_t from) {
  const std::vector<uint32_t> at = states[from].at;
  for (size_t i = 0; i < parts.size(); ++i)
    for (const StgTransition &t : parts[i].of(at[i])) {
      budget.spend(states[from].transit.size() + 1);
      switch (t.action) {
      case StgAction::Send:
        send(from, i, t);
        break;
      case StgAction::Receive:
        receive(from, i, t);
        break;
      case StgAction::Tick:
        break;
      default: {
        StgTransition own = t;
        own.from = from;
        State next = states[from];
        next.at[i] = t.to;
        own.to = state(std::move(next));
        stg.transitions.push_back(std::move(own));
      }
      }
    }
  done(from);
}

Outcome<Stg> NetworkProduct::run() {
  State first;
  for (const Stg &part : parts) {
    first.at.push_back(part.initial);
    stg.name += (stg.name.empty() ? "" : " | ") + part.name;
  }
  state(std::move(first));
  for (uint32_t s = 0; s < states.size(); ++s) {
    steps(s);
    if (!stopped.empty())
      return Stopped{stopped};
    std::string limit = budget.exceeded(states.size(), memoryInUse());
    if (budget.stopped() || !limit.empty())
      return Stopped{budget.stopped() ? budget.limit() : limit};
  }
  stg.finish(pool, states.size());
  return std::move(stg);
}

Outcome<Stg> cif::product(ArrayRef<Stg> parts, FormulaPool &pool,
                          const Limits &limits, const StgNetwork &network) {
  if (network.kind == StgNetwork::Handshakes)
    return product(parts, pool, limits);
  return NetworkProduct(parts, pool, limits, network).run();
}
