//===- TokenStates.cpp - What a state of a net says -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is asked of the states of a TokenSystem: whether they are sound or
/// final, what they look like, and whether a run that adds to one can be
/// repeated for ever.
///
//===----------------------------------------------------------------------===//

#include "TokenSystem.h"

using namespace cif;

bool TokenSystem::isSound(const uint32_t *state, uint32_t process) const {
  if (kind != SemanticsKind::Fbpmn)
    return isComplete(state, process);
  for (uint32_t place : net.soundEmpty[process])
    if (state[place])
      return false;
  for (uint32_t place : net.soundEnds[process])
    if (state[place] > 1)
      return false;
  return true;
}

bool TokenSystem::isFinal(const uint32_t *state) const {
  if (kind == SemanticsKind::Fbpmn)
    return CollaborationSystem::isComplete(state) && isQuiet(state);
  if (network && !network->isEmpty(state + net.numPlaces))
    return false;
  return deferral->vanishes(state, data ? state[dataSlot] : 0);
}

std::string TokenSystem::describe(const uint32_t *state) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  StringRef separator = "";
  for (uint32_t place = 0; place < net.numPlaces; ++place) {
    if (!state[place])
      continue;
    os << separator << net.placeNames[place];
    if (state[place] > 1)
      os << " x" << state[place];
    separator = ", ";
  }
  if (text.empty())
    os << "no token";
  if (network) {
    std::string transit;
    llvm::raw_string_ostream net0(transit);
    network->describe(state + net.numPlaces, net0);
    if (!transit.empty())
      os << "; " << transit;
  }
  if (data)
    data->describe(state[dataSlot], os);
  return text;
}

std::vector<TransitQueue> TokenSystem::transit(const uint32_t *state) const {
  if (network)
    return transitOn(*network, state + net.numPlaces);
  TransitQueue all; // of `fbpmn`, whose messages are places
  for (uint32_t m = 0; m < net.messagePlaces.size(); ++m)
    all.messages.insert(all.messages.end(), state[net.messagePlaces[m]],
                        messageTable[m].label);
  return all.messages.empty() ? std::vector<TransitQueue>()
                              : std::vector<TransitQueue>{std::move(all)};
}

/// More tokens never forbid a firing that does not test their place for being
/// empty or empties it [karpmiller]. What a firing of the cycle tests is asked
/// by pumps; this only knows the places that may matter to any.
bool TokenSystem::covers(const uint32_t *low, const uint32_t *high) const {
  if (data && high[dataSlot] != low[dataSlot])
    return false;
  for (uint32_t place = 0; place < net.numPlaces; ++place)
    if (high[place] != low[place] &&
        (high[place] < low[place] || tested.test(place)) &&
        !net.marks.test(place))
      return false;
  return true;
}

/// Whether the steps of \p group are as possible, and do the same, where
/// places hold as much more as in \p high than in \p low.
bool TokenSystem::ignoresGrowth(GroupIndex group, const uint32_t *low,
                                const uint32_t *high) const {
  const GroupTests &tests = testsOf[group];
  auto same = [&](uint32_t place) { return high[place] == low[place]; };
  for (uint32_t set : {tests.clears, tests.empty})
    if (set != noIndex && !llvm::all_of(net.sets[set], same))
      return false;
  if (tests.orJoin == noIndex)
    return true;
  const OrJoin &join = net.orJoins[tests.orJoin];
  return llvm::all_of(join.incoming, same) &&
         llvm::all_of(join.before, [&](const llvm::BitVector &before) {
           return llvm::all_of(before.set_bits(), same);
         });
}

std::string TokenSystem::pumps(const uint32_t *low, const uint32_t *high,
                               ArrayRef<Step> cycle) const {
  if (!covers(low, high))
    return {};
  for (const Step &step : cycle)
    for (GroupIndex group : {step.group, step.partner})
      if (group != noGroup && !ignoresGrowth(group, low, high))
        return {};
  std::string text, grows;
  llvm::raw_string_ostream os(text);
  for (uint32_t place = 0; place < net.numPlaces; ++place)
    if (high[place] > low[place] && !net.marks.test(place)) {
      StringRef what =
          llvm::is_contained(net.messagePlaces, place) ? "message" : "token";
      uint32_t gain = high[place] - low[place];
      os << (text.empty() ? "" : " and ") << net.placeNames[place] << " gains "
         << (gain == 1 ? "a " + what.str()
                       : std::to_string(gain) + " " + what.str() + "s");
    }
  if (!network)
    return text;
  SmallVector<NetworkOp, 16> ops;
  if (!sync)
    for (const Step &step : cycle)
      if (opOf[step.group].message != noIndex)
        ops.push_back(opOf[step.group]);
  // A bound on messages stops what would grow.
  if (options.limits.message != noBound &&
      network->weight(high + net.numPlaces) !=
          network->weight(low + net.numPlaces))
    return {};
  if (!network->repeats(low + net.numPlaces, high + net.numPlaces, ops, grows))
    return {};
  if (!grows.empty())
    os << (text.empty() ? "" : " and ") << grows;
  return text;
}
