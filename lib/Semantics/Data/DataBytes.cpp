//===- DataBytes.cpp - Sets of valuations for other processes -------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A set is written as its valuations, each with the number of its words before
/// it, in their lexicographical order. A valuation is the values of the
/// variables, then for each channel the number of messages and their values; of
/// a subset, firstSubset plus the number of its values stands before them.
/// Where messages overtake each other, their order is that of what is written.
///
//===----------------------------------------------------------------------===//

#include "Data.h"

using namespace cif;

void DataStates::findKinds() {
  auto kindOf = [&](uint32_t domain) { return domain == 0 ? Truth : Other; };
  for (uint32_t v : model.tracked)
    kinds.push_back(kindOf(model.variables[v].domain));
  for (uint32_t width : model.channelWidth)
    channelKinds.emplace_back(width, Any);
  // What is received is given to variables.
  for (const DataAction &action : model.actions)
    for (const FieldAction &field : action.fields)
      if (action.receives && action.channel != noData &&
          field.carried != noData)
        for (uint32_t v : field.variables)
          channelKinds[action.channel][field.carried] = kinds[v];
}

namespace {
using Written = std::vector<uint32_t>;

void writeValue(DataValue value, const WordsStore &subsets, Written &to) {
  if (value < firstSubset) {
    to.push_back(value);
    return;
  }
  ArrayRef<uint32_t> of = subsets[value - firstSubset];
  to.push_back(firstSubset + of.size());
  to.insert(to.end(), of.begin(), of.end());
}
} // namespace

void DataStates::exportWords(uint32_t set,
                             SmallVectorImpl<uint32_t> &words) const {
  std::vector<Written> all;
  for (uint32_t member : sets[set]) {
    ArrayRef<uint32_t> valuation = valuations[member];
    Written &to = all.emplace_back();
    for (size_t v = 0; v < kinds.size(); ++v)
      writeValue(valuation[v], subsets, to);
    for (size_t c = 0; c < channelKinds.size(); ++c) {
      ArrayRef<uint32_t> waiting = contents[valuation[kinds.size() + c]];
      const size_t width = channelKinds[c].size();
      std::vector<Written> messages;
      for (size_t at = 0; at < waiting.size(); ++at) {
        if (at % width == 0)
          messages.emplace_back();
        writeValue(waiting[at], subsets, messages.back());
      }
      if (unordered)
        llvm::sort(messages);
      to.push_back(messages.size());
      for (const Written &message : messages)
        to.insert(to.end(), message.begin(), message.end());
    }
  }
  llvm::sort(all);
  for (const Written &valuation : all) {
    words.push_back(valuation.size());
    words.append(valuation.begin(), valuation.end());
  }
}

namespace cif {
/// Reads one valuation; whatever does not fit makes it fail.
class DataReader {
public:
  DataReader(DataStates &of, ArrayRef<uint32_t> from)
      : states(of), left(from) {}

  std::optional<uint32_t> valuation() {
    DataStates::Words made;
    for (DataStates::Kind kind : states.kinds)
      made.push_back(value(kind));
    for (ArrayRef<DataStates::Kind> channel : states.channelKinds)
      made.push_back(contents(channel));
    if (failed || !left.empty())
      return std::nullopt;
    return states.valuations.get(made);
  }

private:
  uint32_t next() {
    if (left.empty()) {
      failed = true;
      return 0;
    }
    uint32_t word = left.front();
    left = left.drop_front();
    return word;
  }
  bool fits(DataValue one, DataStates::Kind kind) const {
    const bool truth = one == falseValue || one == trueValue;
    return (truth && kind != DataStates::Other) ||
           (one >= firstLiteral &&
            one - firstLiteral < states.model.values.size() &&
            kind != DataStates::Truth);
  }
  DataValue value(DataStates::Kind kind) {
    DataValue first = next();
    if (first < firstSubset) {
      failed |= first != anyValue && !fits(first, kind);
      return first;
    }
    const size_t count = first - firstSubset;
    if (count < 2 || count > left.size()) {
      failed = true;
      return anyValue;
    }
    ArrayRef<uint32_t> of = left.take_front(count);
    left = left.drop_front(count);
    std::set<uint32_t> each(of.begin(), of.end());
    failed |= each.size() != count;
    for (DataValue one : of)
      failed |= !fits(one, kind);
    return failed ? anyValue : firstSubset + states.subsets.get(of);
  }
  uint32_t contents(ArrayRef<DataStates::Kind> channel) {
    const size_t count = next();
    if (count > left.size()) {
      failed = true;
      return 0;
    }
    std::vector<Written> written, messages;
    for (size_t i = 0; i < count && !failed; ++i) {
      ArrayRef<uint32_t> before = left;
      Written &message = messages.emplace_back();
      for (DataStates::Kind kind : channel)
        message.push_back(value(kind));
      written.emplace_back(before.begin(), before.end() - left.size());
    }
    if (states.unordered) {
      failed |= !llvm::is_sorted(written);
      llvm::sort(messages); // by the numbers of subsets here
    }
    DataStates::Words all;
    for (const Written &message : messages)
      all.append(message.begin(), message.end());
    return failed ? 0 : states.contents.get(all);
  }

  DataStates &states;
  ArrayRef<uint32_t> left;
  bool failed = false;
};
} // namespace cif

std::optional<uint32_t> DataStates::importWords(ArrayRef<uint32_t> words) {
  SmallVector<uint32_t, 16> members;
  ArrayRef<uint32_t> before;
  while (!words.empty()) {
    const size_t size = words.front();
    words = words.drop_front();
    if (!size || size > words.size() || members.size() == maxValuations)
      return std::nullopt;
    ArrayRef<uint32_t> now = words.take_front(size);
    words = words.drop_front(size);
    if (!std::lexicographical_compare(before.begin(), before.end(), now.begin(),
                                      now.end()))
      return std::nullopt;
    std::optional<uint32_t> member = DataReader(*this, now).valuation();
    if (!member)
      return std::nullopt;
    members.push_back(*member);
    before = now;
  }
  if (members.empty())
    return std::nullopt;
  return setOf(members);
}
