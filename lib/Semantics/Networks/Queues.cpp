//===- Queues.cpp - What the networks made of queues share ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Queues.h"
#include "cif/IR/Names.h"
#include "llvm/ADT/DenseMap.h"

using namespace cif;

QueueNetwork::QueueNetwork(
    NetworkSetup setup, function_ref<uint64_t(const NetworkMessage &)> keyOf,
    function_ref<std::string(const NetworkMessage &)> nameOf)
    : Network(std::move(setup)) {
  llvm::DenseMap<uint64_t, uint32_t> queues;
  for (const NetworkMessage &m : messages) {
    auto [at, isNew] = queues.try_emplace(keyOf(m), queueNames.size());
    if (isNew) {
      queueNames.push_back(nameOf(m));
      counts.push_back(0);
    }
    slotOf.push_back(at->second);
    ordinal.push_back(counts[at->second]++);
  }
  numSlots = queueNames.size();
  store.remember(
      messages.size(),
      counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end()));
}

void cif::printMessage(raw_ostream &os, const NetworkMessage &message) {
  printName(os, message.name);
}

uint64_t QueueNetwork::inTransit(const uint32_t *net, uint32_t m) const {
  SmallVector<uint32_t, 16> contents;
  if (uint32_t queue = net[slotOf[m]])
    store.contents(queue, contents);
  return llvm::count(contents, m);
}

void QueueNetwork::contents(const uint32_t *net, QueueSink sink) const {
  SmallVector<uint32_t, 16> waiting;
  for (unsigned i = 0; i < numSlots; ++i) {
    if (!net[i])
      continue;
    store.contents(net[i], waiting);
    sink(queueNames[i], waiting);
  }
}

void QueueNetwork::exportWords(unsigned, uint32_t value,
                               SmallVectorImpl<uint32_t> &words) const {
  SmallVector<uint32_t, 16> waiting;
  store.contents(value, waiting);
  words.append(waiting);
}

std::optional<uint32_t>
QueueNetwork::importWords(unsigned slot, ArrayRef<uint32_t> words) const {
  uint32_t queue = 0;
  for (uint32_t m : words) {
    if (m >= messages.size() || slotOf[m] != slot)
      return std::nullopt;
    queue = sent(queue, m, ordinal[m]);
    if (queue == QueueStore::full)
      return std::nullopt;
  }
  return queue;
}

/// Over one queue a cycle reads the word r and appends the word s, and the
/// queue holds x when it begins. It was taken once, and it never makes the
/// queue shorter, so that whatever it reads is there in number each time; it
/// can be repeated for ever iff what it reads is what comes: r^w = x s^w. Both
/// words are periodic after x, so that they are equal iff they agree on their
/// first |x| + |r| + |s| letters (Fine and Wilf).
static bool readsForEver(ArrayRef<uint32_t> x, ArrayRef<uint32_t> r,
                         ArrayRef<uint32_t> s) {
  if (r.empty())
    return true;
  if (s.size() < r.size())
    return false;
  for (size_t i = 0; i < x.size() + r.size() + s.size(); ++i) {
    uint32_t comes = i < x.size() ? x[i] : s[(i - x.size()) % s.size()];
    if (r[i % r.size()] != comes)
      return false;
  }
  return true;
}

bool QueueNetwork::repeats(const uint32_t *low, const uint32_t *high,
                           ArrayRef<NetworkOp> cycle,
                           std::string &grows) const {
  llvm::raw_string_ostream os(grows);
  for (unsigned i = 0; i < numSlots; ++i) {
    SmallVector<uint32_t, 16> x, read, sent;
    store.contents(low[i], x);
    for (const NetworkOp &op : cycle)
      if (slotOf[op.message] == i)
        (op.isSend ? sent : read).push_back(op.message);
    if (low[i] == high[i])
      continue; // the same contents: the cycle finds here what it found
    if (bound != noBound || store.length(high[i]) < store.length(low[i]) ||
        !readsForEver(x, read, sent))
      return false;
    if (store.length(high[i]) == store.length(low[i]))
      continue;
    os << (grows.empty() ? "" : " and ") << queueNames[i] << " gains";
    // What is left at the end of one round beyond what was there before.
    for (size_t k = read.size(); k < sent.size(); ++k) {
      os << ' ';
      printMessage(os, messages[sent[k]]);
    }
  }
  return true;
}

bool cif::sendsOnly(const Network &network, ArrayRef<NetworkOp> cycle,
                    std::string &grows) {
  if (llvm::any_of(cycle, [](const NetworkOp &op) { return !op.isSend; }))
    return false;
  llvm::raw_string_ostream os(grows);
  os << "the messages in transit gain";
  for (const NetworkOp &op : cycle) {
    os << ' ';
    printMessage(os, network.message(op.message));
  }
  return true;
}
