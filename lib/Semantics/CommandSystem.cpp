//===- CommandSystem.cpp - Guarded commands as a system -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The steps of guarded commands. A command that needs a counter to be at least
/// one is tried where the first such counter is: most places of a large net are
/// empty most of the time.
///
//===----------------------------------------------------------------------===//

#include "cif/Semantics/CommandSystem.h"
#include "Interning.h"
#include "cif/IR/Names.h"
#include "llvm/ADT/BitVector.h"

using namespace cif;

namespace {
using Command = CommandModel::Command;
using Test = CommandModel::Test;
using Update = CommandModel::Update;

class CommandSystem final : public System {
public:
  explicit CommandSystem(CommandModel of);

  void initial(uint32_t *state) const override {
    std::fill_n(state, numSlots, 0);
    for (size_t c = 0; c < model.counters.size(); ++c)
      state[c] = model.counters[c].initial;
  }
  void successors(const uint32_t *state, uint32_t *scratch,
                  StepSink sink) const override;
  void successorsOf(GroupIndex group, const uint32_t *state, uint32_t *scratch,
                    StepSink sink) const override {
    std::copy_n(state, numSlots, scratch);
    take(group, state, scratch, sink);
  }
  bool isInterned(unsigned slot) const override {
    return slot >= model.counters.size();
  }
  void exportWords(unsigned slot, uint32_t value,
                   SmallVectorImpl<uint32_t> &words) const override;
  std::optional<uint32_t> importWords(unsigned slot,
                                      ArrayRef<uint32_t> words) const override;
  bool saysFinal() const override { return model.finalReason.empty(); }
  bool isFinal(const uint32_t *state) const override;
  std::string describe(const uint32_t *state) const override;
  uint32_t slotMaximum(unsigned slot) const override {
    if (slot >= model.counters.size())
      return UINT32_MAX;
    uint32_t most = model.counters[slot].maximum;
    return most == CommandModel::none ? 3 : most; // a first guess; slots widen
  }
  bool isBounded() const override { return bounded; }
  uint64_t weight(const uint32_t *state) const override;
  bool covers(const uint32_t *low, const uint32_t *high) const override;
  std::string pumps(const uint32_t *low, const uint32_t *high,
                    ArrayRef<Step> cycle) const override;
  std::string trouble() const override {
    return overflowed.load(std::memory_order_relaxed)
               ? "a counter that exceeds 32 bits"
               : "";
  }

private:
  static bool holds(const Test &test, const uint32_t *state) {
    const uint32_t value = state[test.counter];
    return test.op == Test::Is        ? value == test.value
           : test.op == Test::AtLeast ? value >= test.value
                                      : value <= test.value;
  }
  bool isEnabled(const Command &command, const uint32_t *state) const;
  bool apply(const Command &command, const uint32_t *state,
             uint32_t *scratch) const;
  bool take(uint32_t command, const uint32_t *state, uint32_t *scratch,
            StepSink sink) const;
  void addGroups();
  void findTriggers();

  const CommandModel model;
  mutable QueueStore store;
  /// By counter: the commands to try where it is marked; then those to try
  /// anywhere.
  std::vector<uint32_t> triggerBegin, triggers;
  llvm::BitVector upward; ///< counters that no guard wants to be small
  bool bounded = true;
  mutable std::atomic<bool> overflowed{false};
};
} // namespace

CommandSystem::CommandSystem(CommandModel of) : model(std::move(of)) {
  labelTable = model.labels;
  numSlots = model.counters.size() + model.queues.size();
  upward.resize(model.counters.size(), true);
  for (const CommandModel::Queue &queue : model.queues)
    bounded &= queue.capacity != CommandModel::none;
  for (const Command &command : model.commands) {
    for (const Test &test : command.all)
      if (test.op != Test::AtLeast)
        upward.reset(test.counter);
    for (const auto &list : command.some)
      for (const Test &test : list)
        if (test.op != Test::AtLeast)
          upward.reset(test.counter);
    int64_t gained = 0;
    for (const Update &update : command.updates) {
      // What is set or counted does not grow when it was larger.
      if (update.op != Update::Add)
        upward.reset(update.counter);
      if (model.counters[update.counter].maximum == CommandModel::none &&
          update.op != Update::Set && update.op != Update::Count)
        gained += update.amount;
    }
    bounded &= gained <= 0;
  }
  addGroups();
  findTriggers();
}

void CommandSystem::addGroups() {
  const uint32_t base = model.counters.size();
  for (const Command &command : model.commands) {
    SmallVector<uint32_t, 16> reads, writes;
    for (const Test &test : command.all)
      reads.push_back(test.counter);
    for (const auto &list : command.some)
      for (const Test &test : list)
        reads.push_back(test.counter);
    for (const Update &update : command.updates)
      writes.push_back(update.counter);
    for (uint32_t m : {command.receives, command.sends})
      if (m != CommandModel::none)
        writes.push_back(base + model.messages[m].queue);
    reads.append(writes);
    groupTable.add({}, reads, writes);
  }
}

void CommandSystem::findTriggers() {
  std::vector<SmallVector<uint32_t, 4>> by(model.counters.size() + 1);
  for (uint32_t c = 0; c < model.commands.size(); ++c) {
    const auto &all = model.commands[c].all;
    const Test *first = llvm::find_if(all, [](const Test &test) {
      return test.op != Test::AtMost && test.value;
    });
    by[first == all.end() ? model.counters.size() : first->counter].push_back(
        c);
  }
  triggerBegin.push_back(0);
  for (const auto &list : by) {
    triggers.insert(triggers.end(), list.begin(), list.end());
    triggerBegin.push_back(triggers.size());
  }
}

bool CommandSystem::isEnabled(const Command &command,
                              const uint32_t *state) const {
  auto is = [&](const Test &test) { return holds(test, state); };
  if (!llvm::all_of(command.all, is) ||
      !llvm::all_of(command.some,
                    [&](const auto &list) { return llvm::any_of(list, is); }))
    return false;
  const uint32_t base = model.counters.size();
  return command.receives == CommandModel::none ||
         store.front(state[base + model.messages[command.receives].queue]) ==
             command.receives;
}

/// Changes \p scratch, which is \p state. False: it cannot.
bool CommandSystem::apply(const Command &command, const uint32_t *state,
                          uint32_t *scratch) const {
  const uint32_t base = model.counters.size();
  if (command.receives != CommandModel::none) {
    uint32_t &queue = scratch[base + model.messages[command.receives].queue];
    queue = store.rest(queue);
  }
  if (command.sends != CommandModel::none) {
    const uint32_t in = model.messages[command.sends].queue;
    uint32_t longer = store.push(scratch[base + in], command.sends, 0,
                                 model.queues[in].capacity);
    if (longer == QueueStore::full)
      return false;
    scratch[base + in] = longer;
  }
  for (const Update &update : command.updates) {
    int64_t value = state[update.counter];
    switch (update.op) {
    case Update::Set:
      value = update.amount;
      break;
    case Update::Add:
      value += update.amount;
      break;
    case Update::TakeAdd:
      value = std::max<int64_t>(value - 1, 0) + update.amount;
      break;
    case Update::Count:
      value += value < update.limit ? update.amount : 0;
      break;
    }
    if (value < 0 || value > UINT32_MAX) {
      overflowed.store(true, std::memory_order_relaxed);
      return false;
    }
    scratch[update.counter] = static_cast<uint32_t>(value);
  }
  return true;
}

/// Takes a command where it is enabled; \p scratch is \p state. False: the sink
/// has seen enough.
bool CommandSystem::take(uint32_t number, const uint32_t *state,
                         uint32_t *scratch, StepSink sink) const {
  const Command &command = model.commands[number];
  if (!isEnabled(command, state))
    return true;
  const uint32_t base = model.counters.size();
  bool goOn = !apply(command, state, scratch) ||
              sink({command.label, number, noGroup}, scratch);
  for (const Update &update : command.updates)
    scratch[update.counter] = state[update.counter];
  for (uint32_t m : {command.receives, command.sends})
    if (m != CommandModel::none)
      scratch[base + model.messages[m].queue] =
          state[base + model.messages[m].queue];
  return goOn;
}

void CommandSystem::successors(const uint32_t *state, uint32_t *scratch,
                               StepSink sink) const {
  std::copy_n(state, numSlots, scratch);
  const uint32_t base = model.counters.size();
  for (uint32_t at = 0; at <= base; ++at) {
    if (at < base && !state[at])
      continue;
    for (uint32_t i = triggerBegin[at]; i < triggerBegin[at + 1]; ++i)
      if (!take(triggers[i], state, scratch, sink))
        return;
  }
}

void CommandSystem::exportWords(unsigned slot, uint32_t value,
                                SmallVectorImpl<uint32_t> &words) const {
  if (!isInterned(slot))
    return System::exportWords(slot, value, words);
  SmallVector<uint32_t, 16> waiting;
  store.contents(value, waiting);
  words.append(waiting);
}

std::optional<uint32_t>
CommandSystem::importWords(unsigned slot, ArrayRef<uint32_t> words) const {
  if (!isInterned(slot))
    return onlyWord(words, model.counters[slot].maximum);
  const uint32_t number = slot - model.counters.size();
  uint32_t queue = 0;
  for (uint32_t m : words) {
    if (m >= model.messages.size() || model.messages[m].queue != number)
      return std::nullopt;
    queue = store.push(queue, m, 0, model.queues[number].capacity);
    if (queue == QueueStore::full)
      return std::nullopt;
  }
  return queue;
}

bool CommandSystem::isFinal(const uint32_t *state) const {
  if (!model.finalReason.empty())
    return false;
  auto is = [&](const Test &test) { return holds(test, state); };
  for (size_t slot = model.counters.size(); slot < numSlots; ++slot)
    if (state[slot])
      return false;
  return llvm::all_of(model.finalAll, is) &&
         llvm::all_of(model.finalSome,
                      [&](const auto &list) { return llvm::any_of(list, is); });
}

std::string CommandSystem::describe(const uint32_t *state) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  const size_t base = model.counters.size();
  for (size_t slot = 0; slot < numSlots; ++slot) {
    if (!state[slot])
      continue;
    os << (text.empty() ? "" : ", ");
    if (slot >= base) {
      SmallVector<uint32_t, 16> waiting;
      store.contents(state[slot], waiting);
      os << model.queues[slot - base].name << ':';
      for (uint32_t m : waiting)
        os << ' ' << quoted(model.messages[m].name);
      continue;
    }
    os << quoted(model.counters[slot].name);
    if (state[slot] > 1 || model.counters[slot].isState)
      os << (model.counters[slot].isState ? " in " : " x") << state[slot];
  }
  return text.empty() ? "nothing is marked" : text;
}

uint64_t CommandSystem::weight(const uint32_t *state) const {
  uint64_t sum = 0;
  for (size_t c = 0; c < model.counters.size(); ++c)
    sum += model.counters[c].isState ? 0 : state[c];
  for (size_t slot = model.counters.size(); slot < numSlots; ++slot)
    sum += store.length(state[slot]);
  return sum;
}

/// More tokens never forbid a command that only wants many of them
/// [karpmiller].
bool CommandSystem::covers(const uint32_t *low, const uint32_t *high) const {
  for (size_t slot = 0; slot < numSlots; ++slot)
    if (high[slot] != low[slot] &&
        (slot >= model.counters.size() || high[slot] < low[slot] ||
         !upward.test(slot)))
      return false;
  return true;
}

std::string CommandSystem::pumps(const uint32_t *low, const uint32_t *high,
                                 ArrayRef<Step>) const {
  if (!covers(low, high))
    return {};
  std::string text;
  llvm::raw_string_ostream os(text);
  for (size_t c = 0; c < model.counters.size(); ++c)
    if (uint32_t gain = high[c] - low[c])
      os << (text.empty() ? "" : " and ") << quoted(model.counters[c].name)
         << " gains " << gain << (gain == 1 ? " token" : " tokens");
  return text;
}

std::unique_ptr<System> cif::makeCommandSystem(CommandModel model) {
  return std::make_unique<CommandSystem>(std::move(model));
}
