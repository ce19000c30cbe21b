//===- TokenTables.cpp - What a system knows of its net beforehand --------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The tables of a TokenSystem: groups of steps with the slots that they read
/// and write, firings by the places that make them possible, limits, and the
/// firings that only move tokens.
///
//===----------------------------------------------------------------------===//

#include "TokenSystem.h"

using namespace cif;

TokenSystem::TokenSystem(TokenNet of, std::unique_ptr<Network> by,
                         std::vector<Label> labels,
                         std::vector<std::string> leftOut,
                         TokenSystemOptions with)
    : options(std::move(with)), net(std::move(of)), network(std::move(by)) {
  kind = options.semantics;
  netKind = options.network;
  processTable = std::move(net.processes);
  flowTable = std::move(net.flows);
  elementTable = std::move(net.elements);
  messageTable = std::move(options.messages);
  labelTable = std::move(labels);
  abstractionTexts = std::move(leftOut);
  numSlots = net.numPlaces + (network ? network->slots() : 0);
  data = net.data.get();
  if (data)
    dataSlot = numSlots++;
  sync = network && network->isSync();
  deferral = std::make_unique<Deferral>(net, options.runLimits);

  tested.resize(net.numPlaces);
  bounded = !network || network->isBounded();
  Budget budget(options.runLimits);
  for (Firing &firing : net.firings) {
    const size_t number = &firing - net.firings.data();
    if (number % TokenNet::firingsPerLook == TokenNet::firingsPerLook - 1 &&
        budget.spend(TokenNet::firingsPerLook * TokenNet::stepsPerFiring))
      break;
    if (firing.kind != FiringKind::Deferred && !firing.never) {
      addGroup(firing);
      firingOf.push_back(number);
    }
    uint64_t taken = firing.orJoin != noIndex, made = 0;
    for (const Arc &arc : firing.pre)
      taken += arc.count;
    for (const Arc &arc : firing.post)
      made += net.marks.test(arc.place) ? 0 : arc.count;
    bounded &= made <= taken;
  }
  if (budget.stopped()) { // as where the net itself could not be made
    net.limit = budget.limit();
    net.firings.clear();
    firingOf.clear();
    deferral = std::make_unique<Deferral>(net, options.runLimits);
  }
  for (uint32_t place : deferral->relevantPlaces())
    tested.set(place);
  // Steps that are worked out on the fly: a group for each last firing. What
  // the gateways before it take, make and clear are relevant places.
  for (uint32_t f : deferral->lastFirings()) {
    Firing last = net.firings[f];
    for (uint32_t place : deferral->relevantPlaces()) {
      last.pre.push_back({place, 1});
      last.post.push_back({place, 1});
    }
    last.info.starts |= last.info.completes; // as the step does
    addGroup(last, !deferral->looks.empty());
    deferral->groupOf[f] = last.group;
  }

  for (Deferral::Look &look : deferral->looks) {
    constexpr size_t maxBits = 6; // beyond that outcomes share groups
    look.group = groupTable.size();
    const size_t numPrograms = data->requirements(look.programs).size();
    look.numGroups = 1u << std::min(maxBits, numPrograms);
    for (uint32_t i = 0; i < look.numGroups; ++i) {
      groupTable.add(look.origin, {look.place, dataSlot}, {dataSlot});
      opOf.push_back({noIndex, false});
      testsOf.emplace_back();
      stepTable.emplace_back().finds =
          numPrograms > maxBits ? "which of its conditions are true"
                                : "that " + data->truthsText(look.programs, i);
    }
  }
  firingOf.resize(groupTable.size(), noIndex);
  if (sync)
    findPartners();

  std::vector<SmallVector<uint32_t, 4>> byPlace(net.numPlaces);
  for (size_t f = 0; f < net.firings.size(); ++f) {
    const Firing &firing = net.firings[f];
    if (firing.kind == FiringKind::Deferred || firing.never)
      continue;
    if (firing.orJoin != noIndex)
      for (uint32_t place : net.orJoins[firing.orJoin].incoming)
        byPlace[place].push_back(f);
    else
      byPlace[firing.pre[0].place].push_back(f);
  }
  triggerBegin.push_back(0);
  for (const auto &list : byPlace) {
    triggers.insert(triggers.end(), list.begin(), list.end());
    triggerBegin.push_back(triggers.size());
  }
  // Nothing is known of what could not be made.
  bounded = (bounded || isAcyclic(net)) && net.limit.empty();
  findLimits();
  findPlain();
}

void TokenSystem::findLimits() {
  const TokenLimits &limits = options.limits;
  if (!limits.any())
    return;
  limitOf.assign(net.numPlaces, noBound);
  if (kind == SemanticsKind::Fbpmn)
    std::fill(limitOf.begin(), limitOf.end(), limits.node);
  else
    // Each token that comes to a task is there as one that waits before it
    // would be: what limits flows limits these, too. `fbpmn` lets one in.
    for (const CollaborationElement &element : elementTable)
      for (uint32_t slot : element.active)
        limitOf[slot] = std::min(limits.node, limits.flow);
  for (const CollaborationFlow &flow : flowTable)
    limitOf[flow.slot] = limits.flow;
  for (uint32_t place : net.messagePlaces)
    limitOf[place] = limits.message;
  for (uint32_t place = 0; place < net.numPlaces; ++place) {
    if (net.marks.test(place))
      limitOf[place] = noBound;
    if (limitOf[place] != noBound)
      tested.set(place); // what cannot grow is not claimed to
  }
}

void TokenSystem::findPlain() {
  for (unsigned place : net.marks.set_bits())
    markPlaces.push_back(place);
  allPlain = deferral->looks.empty() && deferral->relevantPlaces().empty();
  for (const Firing &firing : net.firings) {
    Plain plain{uint32_t(needs.size()), 0, uint32_t(deltas.size()), 0};
    plain.is = firing.clears == noIndex && firing.empty == noIndex &&
               firing.marked == noIndex && firing.orJoin == noIndex &&
               firing.message == noIndex && firing.split == noIndex &&
               limitOf.empty() &&
               !(data && (firing.guards || firing.action != noData)) &&
               llvm::none_of(firing.post, [&](const Arc &arc) {
                 return net.marks.test(arc.place);
               });
    if (plain.is) {
      std::map<uint32_t, int32_t> change;
      std::map<uint32_t, uint32_t> need;
      for (const Arc &arc : firing.pre) {
        need[arc.place] += arc.count;
        change[arc.place] -= int32_t(arc.count);
      }
      for (const Arc &arc : firing.post)
        change[arc.place] += int32_t(arc.count);
      for (auto [place, count] : need) // it is tried where pre[0] is marked
        if (place != firing.pre[0].place || count > 1)
          needs.push_back({place, count});
      for (auto [place, by] : change)
        if (by)
          deltas.push_back({place, by});
    }
    plain.needEnd = needs.size();
    plain.deltaEnd = deltas.size();
    plain.label = firing.label;
    plain.group = firing.group;
    maxDeltas = std::max(maxDeltas, plain.deltaEnd - plain.delta);
    allPlain &= plain.is || firing.kind == FiringKind::Deferred || firing.never;
    plainOf.push_back(plain);
  }
}

/// Whether a firing does nothing but clear a scope that it is in. Sets of
/// scopes ascend; one that does not is only not shared.
bool TokenSystem::onlyClears(const Firing &firing) const {
  return firing.clears != noIndex && firing.empty == noIndex &&
         firing.marked == noIndex && firing.orJoin == noIndex &&
         firing.message == noIndex && !firing.guards &&
         firing.action == noData && firing.post.empty() &&
         llvm::all_of(firing.pre, [&](const Arc &arc) {
           return llvm::binary_search(net.sets[firing.clears], arc.place);
         });
}

void TokenSystem::addGroup(Firing &firing, bool looks) {
  CollaborationStep &info = stepTable.emplace_back(firing.info);
  testsOf.push_back({firing.clears, firing.empty, firing.orJoin});
  if (firing.message != noIndex && net.messagePlaces.empty())
    (firing.kind == FiringKind::Send ? info.sends : info.receives) =
        firing.message;
  const bool clears = onlyClears(firing);
  auto like = clears ? clearers.find(firing.clears) : clearers.end();
  if (like != clearers.end()) {
    firing.group = groupTable.addLike(firing.origin, like->second);
    opOf.push_back({noIndex, firing.kind == FiringKind::Send});
    return;
  }
  SmallVector<uint32_t, 16> reads, writes;
  for (const Arc &arc : firing.pre) {
    reads.push_back(arc.place);
    writes.push_back(arc.place);
  }
  for (const Arc &arc : firing.post)
    writes.push_back(arc.place);
  for (uint32_t set : {firing.empty, firing.marked, firing.clears})
    if (set != noIndex)
      reads.append(net.sets[set].begin(), net.sets[set].end());
  if (firing.clears != noIndex)
    writes.append(net.sets[firing.clears].begin(),
                  net.sets[firing.clears].end());
  if (firing.orJoin != noIndex) {
    const OrJoin &join = net.orJoins[firing.orJoin];
    reads.append(join.incoming.begin(), join.incoming.end());
    writes.append(join.incoming.begin(), join.incoming.end());
    for (const llvm::BitVector &before : join.before)
      for (unsigned place : before.set_bits())
        reads.push_back(place);
  }
  NetworkOp op{noIndex, firing.kind == FiringKind::Send};
  if (firing.message != noIndex && network) {
    op.message = firing.message;
    SmallVector<uint32_t, 4> slots;
    network->touches(firing.message, slots);
    for (uint32_t slot : slots) {
      reads.push_back(net.numPlaces + slot);
      writes.push_back(net.numPlaces + slot);
    }
  }
  if (data && (looks || firing.guards || firing.split != noIndex ||
               firing.action != noData))
    writes.push_back(dataSlot);
  reads.append(writes); // a count is read to be changed
  firing.group = groupTable.add(firing.origin, reads, writes);
  if (clears)
    clearers[firing.clears] = firing.group;
  opOf.push_back(op);
}

/// In a handshake, the sender's group steps for both.
void TokenSystem::findPartners() {
  struct Ends {
    SmallVector<GroupIndex, 4> sends;
    std::vector<uint32_t> reads, writes;
  };
  std::vector<Ends> ends(messageTable.size());
  receptionsOf.resize(messageTable.size());
  for (GroupIndex g = 0; g < opOf.size(); ++g) {
    if (opOf[g].message == noIndex)
      continue;
    Ends &of = ends[opOf[g].message];
    if (opOf[g].isSend) {
      of.sends.push_back(g);
      continue;
    }
    llvm::append_range(of.reads, groupTable.reads(g));
    llvm::append_range(of.writes, groupTable.ownWrites(g));
    if (firingOf[g] != noIndex)
      receptionsOf[opOf[g].message].push_back(firingOf[g]);
  }
  for (const Ends &of : ends)
    groupTable.share(of.sends, of.reads, of.writes);
}
