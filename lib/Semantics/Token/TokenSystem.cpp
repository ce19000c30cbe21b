//===- TokenSystem.cpp - A system over a net
//-------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The steps of a net and its network. A state consists of the number of tokens
/// in each place, then the slots of the network, then (if guards depend on
/// data) one slot for what is known about the data.
///
//===----------------------------------------------------------------------===//

#include "Deferral.h"
#include "Fate.h"
#include "TokenNet.h"

using namespace cif;

namespace {
class TokenSystem final : public CollaborationSystem {
public:
  TokenSystem(TokenNet of, std::unique_ptr<Network> by,
              std::vector<Label> labels, std::vector<std::string> leftOut,
              TokenSystemOptions with);

  void initial(uint32_t *state) const override {
    std::fill_n(state, numSlots, 0);
    for (const Arc &arc : net.initial)
      state[arc.place] += arc.count;
    if (data)
      state[dataSlot] = data->initial();
  }
  void successors(const uint32_t *state, uint32_t *scratch,
                  StepSink sink) const override {
    std::copy_n(state, numSlots, scratch);
    each(state, scratch, /*isForbidden=*/false, sink, [&](const Plain &plain) {
      return takePlain(plain, state, scratch, sink);
    });
  }
  void changes(const uint32_t *state, uint32_t *scratch,
               ChangeSink sink) const override;
  void successorsOf(GroupIndex group, const uint32_t *state, uint32_t *scratch,
                    StepSink sink) const override;
  bool isFinal(const uint32_t *state) const override;
  std::string describe(const uint32_t *state) const override;
  std::vector<TransitQueue> transit(const uint32_t *state) const override;
  uint32_t slotMaximum(unsigned slot) const override {
    if (slot < net.numPlaces)
      return 3; // a first guess; slots widen
    return isData(slot) ? UINT32_MAX
                        : network->slotMaximum(slot - net.numPlaces);
  }
  bool isInterned(unsigned slot) const override {
    return slot >= net.numPlaces &&
           (isData(slot) || network->isInterned(slot - net.numPlaces));
  }
  void exportWords(unsigned slot, uint32_t value,
                   SmallVectorImpl<uint32_t> &words) const override {
    if (slot < net.numPlaces)
      words.push_back(value);
    else if (isData(slot))
      data->exportWords(value, words);
    else
      network->exportWords(slot - net.numPlaces, value, words);
  }
  std::optional<uint32_t> importWords(unsigned slot,
                                      ArrayRef<uint32_t> words) const override {
    if (slot < net.numPlaces)
      return onlyWord(words, UINT32_MAX);
    return isData(slot) ? data->importWords(words)
                        : network->importWords(slot - net.numPlaces, words);
  }
  Origin slotOrigin(unsigned slot) const override {
    return slot < net.numPlaces ? net.placeOrigins[slot] : Origin();
  }
  bool isBounded() const override { return bounded; }
  uint64_t weight(const uint32_t *state) const override {
    uint64_t sum = network ? network->weight(state + net.numPlaces) : 0;
    uint32_t tokens = 0; // what a state holds fits
    for (uint32_t p = 0; p < net.numPlaces; ++p)
      tokens += state[p];
    for (uint32_t p : markPlaces)
      tokens -= state[p];
    return sum + tokens;
  }
  uint32_t reachedMaximum() const override {
    return kind == SemanticsKind::Fbpmn ? UINT32_MAX : net.maxMark;
  }
  bool isSound(const uint32_t *state, uint32_t process) const override;
  uint64_t inTransit(const uint32_t *state, uint32_t message) const override {
    if (kind == SemanticsKind::Fbpmn)
      return state[net.messagePlaces[message]];
    return network ? network->inTransit(state + net.numPlaces, message) : 0;
  }
  bool isQuiet(const uint32_t *state) const override {
    for (uint32_t place : net.messagePlaces)
      if (state[place])
        return false;
    return !network || !network->weight(state + net.numPlaces);
  }
  void forbidden(const uint32_t *state, uint32_t *scratch,
                 StepSink sink) const override;
  bool isConstrained() const override { return options.limits.any(); }
  bool worksOut() const override { return !deferral->relevantPlaces().empty(); }
  void workedOut(const uint32_t *state, uint32_t *scratch,
                 MeaningSink sink) const override;
  std::optional<PetriNet> petriNet(std::string &reason) const override {
    std::vector<uint32_t> start(numSlots);
    initial(start.data());
    return makePetriNet(commandsSetup(), std::move(start), reason);
  }
  std::optional<StepNet> stepNet() const override {
    if (kind == SemanticsKind::Fbpmn || isConstrained() || worksOut() ||
        !deferral->looks.empty())
      return std::nullopt;
    return makeStepNet(net, network.get(), netKind, groupTable.size());
  }
  uint32_t heldUpBy(const uint32_t *state, uint32_t message) const override {
    return network->heldUpBy(state + net.numPlaces, message);
  }
  std::unique_ptr<CommandModel> commands(std::string &reason,
                                         Origin &at) const override {
    return makeTokenCommands(commandsSetup(), reason, at);
  }
  TokenFate fate(const Limits &limits) const override {
    const size_t processes = processTable.size();
    Budget budget(limits);
    if (kind == SemanticsKind::Fbpmn || isConstrained())
      return {false, false, std::vector<bool>(processes),
              std::vector<bool>(processes)};
    TokenFate found =
        findFate(net, processTable, network && !network->isBounded(), budget);
    found.ends &= !sync; // a send waits for its reception there
    return found;
  }
  bool covers(const uint32_t *low, const uint32_t *high) const override;
  std::string pumps(const uint32_t *low, const uint32_t *high,
                    ArrayRef<Step> cycle) const override;
  std::string trouble() const override {
    return data && data->gaveUp()
               ? "data with more than " +
                     std::to_string(DataStates::maxValuations) +
                     " combinations of values"
               : deferral->trouble();
  }

private:
  TokenCommandsSetup commandsSetup() const {
    return {net,          *deferral,    network.get(), options,
            processTable, messageTable, labelTable};
  }
  bool isData(unsigned slot) const { return data && slot == dataSlot; }
  bool isEnabled(const Firing &firing, const uint32_t *state) const;
  /// All steps of a state: plain ones, which only move tokens, go to \p plain,
  /// the others to \p sink with what they lead to in \p scratch.
  /// \p isForbidden: instead those that only a limit forbids. \p taken: where
  /// to put the firings of a step that goes to \p sink.
  using Taken = SmallVector<const Firing *, 2>;
  template <class Plain>
  void each(const uint32_t *state, uint32_t *scratch, bool isForbidden,
            StepSink sink, Plain plain, Taken *taken = nullptr) const;
  struct Plain;
  bool travels(const Firing &firing) const {
    return firing.message != noIndex && (firing.kind == FiringKind::Send ||
                                         firing.kind == FiringKind::Receive);
  }
  bool mayShake(const Firing &firing, const uint32_t *state) const {
    return !data || !firing.guards ||
           data->meets(state[dataSlot], firing.guards);
  }
  bool takeAlone(const Firing &firing, const uint32_t *state, uint32_t *scratch,
                 bool isForbidden, StepSink sink, Taken *taken) const;
  bool takePlain(const Plain &plain, const uint32_t *state, uint32_t *scratch,
                 StepSink sink) const;
  bool handshakes(const uint32_t *state, uint32_t *scratch,
                  ArrayRef<const Firing *> sends,
                  ArrayRef<const Firing *> receptions, StepSink sink,
                  Taken *taken) const;
  bool looks(const uint32_t *state, uint32_t *scratch, StepSink sink) const;
  bool ignoresGrowth(GroupIndex group, const uint32_t *low,
                     const uint32_t *high) const;
  void findLimits();
  void findPlain();
  bool exceeds(const Firing &firing, const uint32_t *state) const;
  void move(const Firing &firing, const uint32_t *state,
            uint32_t *scratch) const;
  void moveBack(const Firing &firing, const uint32_t *state,
                uint32_t *scratch) const;
  bool onlyClears(const Firing &firing) const;
  void addGroup(Firing &firing);
  void findPartners();
  void addWays(Firing &last) const;
  uint32_t dataAfter(const Firing &firing, uint32_t set) const;

  TokenSystemOptions options;
  TokenNet net;
  std::unique_ptr<Network> network; ///< null: nothing travels
  DataStates *data = nullptr;       ///< the net's
  uint32_t dataSlot = 0;
  std::unique_ptr<Deferral> deferral;
  std::vector<uint32_t> triggerBegin, triggers; ///< by place: firings to try
  /// A firing that only moves tokens: from these places, each of which it needs
  /// so often, and with these changes.
  struct alignas(32) Plain {
    uint32_t need, needEnd, delta, deltaEnd;
    LabelIndex label = tauLabel;
    GroupIndex group = noGroup;
    bool is = false;
  };
  std::vector<Plain> plainOf; ///< by firing
  std::vector<Arc> needs;
  std::vector<std::pair<uint32_t, int32_t>> deltas;
  uint32_t maxDeltas = 0; ///< of a plain firing
  bool allPlain = false;  ///< no step needs a state to work on
  std::vector<uint32_t> markPlaces;
  std::vector<uint32_t> limitOf; ///< by place; empty: no limits
  llvm::BitVector tested;        ///< places whose growth may forbid any step
  /// What else a step of a group does not ignore: places that it empties, that
  /// must be empty, and those that an inclusive join looks at.
  struct GroupTests {
    uint32_t clears = noIndex, empty = noIndex, orJoin = noIndex;
  };
  std::vector<GroupTests> testsOf; ///< by group
  std::vector<NetworkOp> opOf;     ///< by group; message noIndex: none
  std::vector<uint32_t> firingOf;  ///< by group; noIndex: several, or none
  std::vector<SmallVector<uint32_t, 2>> receptionsOf; ///< by message: firings
  /// By set: a group that only clears it.
  llvm::DenseMap<uint32_t, GroupIndex> clearers;
  bool sync = false, bounded = false;
};
} // namespace

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
  for (Firing &firing : net.firings) {
    if (firing.kind != FiringKind::Deferred && !firing.never) {
      addGroup(firing);
      firingOf.push_back(&firing - net.firings.data());
    }
    uint64_t taken = firing.orJoin != noIndex, made = 0;
    for (const Arc &arc : firing.pre)
      taken += arc.count;
    for (const Arc &arc : firing.post)
      made += net.marks.test(arc.place) ? 0 : arc.count;
    bounded &= made <= taken;
  }
  for (uint32_t place : deferral->relevantPlaces())
    tested.set(place);
  // Steps that are worked out on the fly: a group for each last firing.
  for (uint32_t f : deferral->lastFirings()) {
    Firing last = net.firings[f];
    for (uint32_t place : deferral->relevantPlaces()) {
      last.pre.push_back({place, 1});
      last.post.push_back({place, 1});
    }
    addWays(last);
    last.info.starts |= last.info.completes; // as the step does
    addGroup(last);
    deferral->groupOf[f] = last.group;
  }

  for (Deferral::Look &look : deferral->looks) {
    look.group =
        groupTable.add(look.origin, {look.place, dataSlot}, {dataSlot});
    opOf.push_back({noIndex, false});
    testsOf.emplace_back();
    stepTable.emplace_back();
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
  bounded |= isAcyclic(net);
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
    for (const CollaborationElement &element : elementTable)
      for (uint32_t slot : element.active)
        limitOf[slot] = limits.node;
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

/// Whether a firing that led to \p state broke a limit.
bool TokenSystem::exceeds(const Firing &firing, const uint32_t *state) const {
  if (limitOf.empty())
    return false;
  for (const Arc &arc : firing.post)
    if (state[arc.place] > limitOf[arc.place])
      return true;
  return options.limits.message != noBound && net.messagePlaces.empty() &&
         firing.kind == FiringKind::Send && firing.message != noIndex &&
         network->inTransit(state + net.numPlaces, firing.message) >
             options.limits.message;
}

void TokenSystem::findPlain() {
  for (unsigned place : net.marks.set_bits())
    markPlaces.push_back(place);
  allPlain = deferral->looks.empty() && deferral->relevantPlaces().empty();
  for (const Firing &firing : net.firings) {
    Plain plain{uint32_t(needs.size()), 0, uint32_t(deltas.size()), 0};
    plain.is = firing.clears == noIndex && firing.empty == noIndex &&
               firing.marked == noIndex && firing.orJoin == noIndex &&
               firing.message == noIndex && limitOf.empty() &&
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

void TokenSystem::addGroup(Firing &firing) {
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
  if (data && (firing.guards || firing.action != noData))
    writes.push_back(dataSlot);
  reads.append(writes); // a count is read to be changed
  firing.group = groupTable.add(firing.origin, reads, writes);
  if (clears)
    clearers[firing.clears] = firing.group;
  opOf.push_back(op);
}

/// Adds what a step that is worked out on the fly may do on its way to its last
/// firing: whatever gateways of the same behaviour do, and look at the data.
void TokenSystem::addWays(Firing &last) const {
  for (const Firing &way : net.firings) {
    if (isStep(way.kind) || way.origin.unit != last.origin.unit)
      continue;
    last.post.append(way.post.begin(), way.post.end());
    if (way.clears != noIndex)
      for (uint32_t place : net.sets[way.clears])
        last.post.push_back({place, 1});
    if (!last.guards)
      last.guards = way.guards;
  }
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

bool TokenSystem::isEnabled(const Firing &firing, const uint32_t *state) const {
  for (const Arc &arc : firing.pre)
    if (state[arc.place] < arc.count)
      return false;
  if (firing.empty != noIndex)
    for (uint32_t place : net.sets[firing.empty])
      if (state[place])
        return false;
  if (firing.marked != noIndex &&
      llvm::none_of(net.sets[firing.marked],
                    [&](uint32_t place) { return state[place] != 0; }))
    return false;
  return firing.orJoin == noIndex ||
         net.joins(net.orJoins[firing.orJoin], state);
}

void TokenSystem::move(const Firing &firing, const uint32_t *state,
                       uint32_t *scratch) const {
  for (const Arc &arc : firing.pre)
    scratch[arc.place] -= arc.count;
  if (firing.orJoin != noIndex)
    for (uint32_t place : net.orJoins[firing.orJoin].incoming)
      if (state[place])
        --scratch[place];
  if (firing.clears != noIndex)
    for (uint32_t place : net.sets[firing.clears])
      scratch[place] = 0;
  for (const Arc &arc : firing.post)
    if (!net.marks.test(arc.place) || scratch[arc.place] < net.maxMark)
      scratch[arc.place] += arc.count;
}

void TokenSystem::moveBack(const Firing &firing, const uint32_t *state,
                           uint32_t *scratch) const {
  for (const Arc &arc : firing.pre)
    scratch[arc.place] = state[arc.place];
  for (const Arc &arc : firing.post)
    scratch[arc.place] = state[arc.place];
  if (firing.orJoin != noIndex)
    for (uint32_t place : net.orJoins[firing.orJoin].incoming)
      scratch[place] = state[place];
  if (firing.clears != noIndex)
    for (uint32_t place : net.sets[firing.clears])
      scratch[place] = state[place];
}

/// What is known of the data after a firing, or none: it cannot happen.
uint32_t TokenSystem::dataAfter(const Firing &firing, uint32_t set) const {
  uint32_t after = set;
  if (firing.guards && firing.waits) {
    if (!data->meets(set, firing.guards))
      return DataStates::none;
  } else if (firing.guards) {
    after = data->restrict(set, firing.guards);
    if (after == DataStates::none || (firing.stays && after == set))
      return DataStates::none;
  }
  return firing.action == noData ? after : data->apply(after, firing.action);
}

bool TokenSystem::takePlain(const Plain &plain, const uint32_t *state,
                            uint32_t *scratch, StepSink sink) const {
  for (uint32_t i = plain.delta; i < plain.deltaEnd; ++i)
    scratch[deltas[i].first] += deltas[i].second;
  bool goOn = sink({plain.label, plain.group, noGroup}, scratch);
  for (uint32_t i = plain.delta; i < plain.deltaEnd; ++i)
    scratch[deltas[i].first] = state[deltas[i].first];
  return goOn;
}

/// Plain steps are told by their differences; of the others the slots that
/// their groups write are compared.
void TokenSystem::changes(const uint32_t *state, uint32_t *scratch,
                          ChangeSink sink) const {
  SmallVector<SlotChange, 64> changed, moved;
  moved.resize_for_overwrite(maxDeltas);
  SlotChange *const first = moved.data();
  const std::pair<uint32_t, int32_t> *const allDeltas = deltas.data();
  if (!allPlain)
    std::copy_n(state, numSlots, scratch);
  auto general = [&](const Step &step, const uint32_t *next) {
    changed.clear();
    auto compare = [&](GroupIndex g) {
      for (uint32_t slot : groupTable.ownWrites(g))
        if (next[slot] != state[slot])
          changed.push_back({slot, next[slot]});
    };
    if (!deferral->relevantPlaces().empty()) {
      // A step that was worked out on the fly may pass any place.
      for (uint32_t slot = 0; slot < numSlots; ++slot)
        if (next[slot] != state[slot])
          changed.push_back({slot, next[slot]});
      return sink(step, changed);
    }
    compare(step.group);
    if (step.partner != noGroup) {
      size_t own = changed.size();
      compare(step.partner);
      // A slot that both write is named once.
      size_t kept = own;
      for (size_t i = own; i < changed.size(); ++i)
        if (llvm::none_of(ArrayRef(changed).take_front(own),
                          [&](const SlotChange &other) {
                            return other.slot == changed[i].slot;
                          }))
          changed[kept++] = changed[i];
      changed.truncate(kept);
    }
    return sink(step, changed);
  };
  each(state, scratch, /*isForbidden=*/false, general, [&](const Plain &plain) {
    SlotChange *change = first;
    for (uint32_t i = plain.delta; i < plain.deltaEnd; ++i)
      *change++ = {allDeltas[i].first,
                   state[allDeltas[i].first] + allDeltas[i].second};
    return sink({plain.label, plain.group, noGroup}, ArrayRef(first, change));
  });
}

void TokenSystem::forbidden(const uint32_t *state, uint32_t *scratch,
                            StepSink sink) const {
  if (limitOf.empty())
    return;
  std::copy_n(state, numSlots, scratch);
  each(state, scratch, /*isForbidden=*/true, sink,
       [](const Plain &) { return true; });
}

/// Takes a firing that is enabled and no handshake, if network and data let it;
/// \p scratch is \p state. False: the sink has seen enough.
inline bool TokenSystem::takeAlone(const Firing &firing, const uint32_t *state,
                                   uint32_t *scratch, bool isForbidden,
                                   StepSink sink, Taken *taken) const {
  uint32_t *net0 = scratch + net.numPlaces;
  const bool moves = travels(firing);
  const bool looksAtData = data && (firing.guards || firing.action != noData);
  if (moves && !(firing.kind == FiringKind::Send
                     ? network->send(net0, firing.message)
                     : network->receive(net0, firing.message)))
    return true;
  bool goOn = true;
  uint32_t known = 0;
  if (looksAtData)
    known = scratch[dataSlot] = dataAfter(firing, state[dataSlot]);
  if (known != DataStates::none) {
    if (taken)
      taken->assign({&firing});
    move(firing, state, scratch);
    if (exceeds(firing, scratch) == isForbidden)
      goOn = sink({firing.label, firing.group, noGroup}, scratch);
    moveBack(firing, state, scratch);
  }
  if (looksAtData)
    scratch[dataSlot] = state[dataSlot];
  if (moves)
    std::copy_n(state + net.numPlaces, network->slots(), net0);
  return goOn;
}

template <class PlainSink>
void TokenSystem::each(const uint32_t *state, uint32_t *scratch,
                       bool isForbidden, StepSink sink, PlainSink plain,
                       Taken *taken) const {
  SmallVector<const Firing *, 16> sends, receptions;
  bool goOn = true;
  auto take = [&](const Firing &firing) {
    if (!sync || !travels(firing))
      goOn = takeAlone(firing, state, scratch, isForbidden, sink, taken);
    else if (mayShake(firing, state))
      (firing.kind == FiringKind::Send ? sends : receptions).push_back(&firing);
  };
  const Arc *const allNeeds = needs.data();
  const uint32_t *const tries = triggers.data();
  const uint32_t *const begins = triggerBegin.data();
  const Plain *const plains = plainOf.data();
  for (uint32_t place = 0; place < net.numPlaces; ++place) {
    if (!state[place])
      continue;
    for (uint32_t i = begins[place], end = begins[place + 1]; i < end; ++i) {
      const Plain &simple = plains[tries[i]];
      if (simple.is) {
        bool enabled = true;
        for (uint32_t k = simple.need; k < simple.needEnd && enabled; ++k)
          enabled = state[allNeeds[k].place] >= allNeeds[k].count;
        if (enabled && !plain(simple))
          return;
        continue;
      }
      const Firing &firing = net.firings[tries[i]];
      if (firing.orJoin != noIndex) {
        // Once, at the first of its flows that is marked.
        const OrJoin &join = net.orJoins[firing.orJoin];
        if (*llvm::find_if(join.incoming,
                           [&](uint32_t p) { return state[p] != 0; }) != place)
          continue;
      }
      if (!isEnabled(firing, state))
        continue;
      take(firing);
      if (!goOn)
        return;
    }
  }
  if (deferral->isPending(state))
    for (const Firing &firing : deferral->steps(state)) {
      take(firing);
      if (!goOn)
        return;
    }
  if (taken)
    taken->clear();
  if (isForbidden || (!deferral->looks.empty() && !looks(state, scratch, sink)))
    return;
  if (!sends.empty())
    handshakes(state, scratch, sends, receptions, sink, taken);
}

void TokenSystem::successorsOf(GroupIndex group, const uint32_t *state,
                               uint32_t *scratch, StepSink sink) const {
  const uint32_t number = firingOf[group];
  // What is worked out on the fly may be a partner, too.
  if (number == noIndex || (sync && deferral->isPending(state)))
    return System::successorsOf(group, state, scratch, sink);
  const Firing &firing = net.firings[number];
  if (!isEnabled(firing, state))
    return;
  std::copy_n(state, numSlots, scratch);
  if (!sync || !travels(firing)) {
    takeAlone(firing, state, scratch, /*isForbidden=*/false, sink, nullptr);
    return;
  }
  if (firing.kind != FiringKind::Send || !mayShake(firing, state))
    return;
  SmallVector<const Firing *, 16> receptions;
  for (uint32_t f : receptionsOf[firing.message])
    if (isEnabled(net.firings[f], state) && mayShake(net.firings[f], state))
      receptions.push_back(&net.firings[f]);
  handshakes(state, scratch, &firing, receptions, sink, nullptr);
}

void TokenSystem::workedOut(const uint32_t *state, uint32_t *scratch,
                            MeaningSink sink) const {
  if (!deferral->isPending(state))
    return;
  std::copy_n(state, numSlots, scratch);
  const std::vector<Firing> &now = deferral->steps(state);
  Taken taken;
  each(
      state, scratch, /*isForbidden=*/false,
      [&](const Step &step, const uint32_t *to) {
        for (const Firing *firing : taken)
          if (firing >= now.data() && firing < now.data() + now.size())
            sink(step, to, firing->info);
        return true;
      },
      [](const Plain &) { return true; }, &taken);
}

/// What may be found out about the data where a choice waits.
bool TokenSystem::looks(const uint32_t *state, uint32_t *scratch,
                        StepSink sink) const {
  for (const Deferral::Look &look : deferral->looks) {
    if (!state[look.place])
      continue;
    std::vector<uint32_t> parts = data->split(state[dataSlot], look.programs);
    if (parts.size() < 2)
      continue;
    for (uint32_t part : parts) {
      scratch[dataSlot] = part;
      if (!sink({tauLabel, look.group, noGroup}, scratch))
        return false;
    }
    scratch[dataSlot] = state[dataSlot];
  }
  return true;
}

/// Handshakes: in the order of sends, then of receptions.
bool TokenSystem::handshakes(const uint32_t *state, uint32_t *scratch,
                             ArrayRef<const Firing *> sends,
                             ArrayRef<const Firing *> receptions, StepSink sink,
                             Taken *taken) const {
  bool goOn = true;
  for (const Firing *from : sends)
    for (const Firing *to : receptions) {
      if (from->message != to->message)
        continue;
      // One token cannot do both; participants have places of their own.
      move(*from, state, scratch);
      bool fits = isEnabled(*to, scratch);
      if (fits) {
        move(*to, scratch, scratch);
        uint32_t known = 0;
        for (const Firing *end : {from, to})
          if (data && end->action != noData && known != DataStates::none)
            known = scratch[dataSlot] =
                data->apply(scratch[dataSlot], end->action);
        if (taken)
          taken->assign({from, to});
        if (known != DataStates::none && !exceeds(*from, scratch) &&
            !exceeds(*to, scratch))
          goOn = sink({from->label, from->group, to->group}, scratch);
      }
      std::copy_n(state, numSlots, scratch);
      if (!goOn)
        return false;
    }
  return true;
}

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

std::unique_ptr<CollaborationSystem> cif::makeTokenSystem(
    TokenNet net, std::unique_ptr<Network> network, std::vector<Label> labels,
    std::vector<std::string> abstractions, TokenSystemOptions options) {
  return std::make_unique<TokenSystem>(
      std::move(net), std::move(network), std::move(labels),
      std::move(abstractions), std::move(options));
}
