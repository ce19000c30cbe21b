//===- TokenSystem.h - A system over a net --------------------------------===//
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

#ifndef CIF_LIB_SEMANTICS_TOKEN_TOKENSYSTEM_H
#define CIF_LIB_SEMANTICS_TOKEN_TOKENSYSTEM_H

#include "Deferral.h"
#include "Fate.h"
#include "TokenNet.h"

namespace cif {

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
                  StepSink sink) const override;
  void changes(const uint32_t *state, uint32_t *scratch,
               ChangeSink sink) const override;
  void successorsOf(GroupIndex group, const uint32_t *state, uint32_t *scratch,
                    StepSink sink) const override;
  bool isFinal(const uint32_t *state) const override;
  std::string describe(const uint32_t *state) const override;
  std::vector<TransitQueue> transit(const uint32_t *state) const override;
  uint32_t slotMaximum(unsigned slot) const override {
    if (slot < net.numPlaces)
      return 1; // a first guess; slots widen
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
  bool gaveSome() const override {
    return net.limit.empty() && tooWide != noIndex &&
           !(data && data->gaveUp()) && deferral->trouble().empty();
  }
  bool mayLackSteps(const uint32_t *state) const override;
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
        !deferral->looks.empty() || !net.limit.empty())
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
    if (kind == SemanticsKind::Fbpmn || isConstrained() || !net.limit.empty())
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
  void enabled(const uint32_t *state, uint32_t *scratch,
               function_ref<void(GroupIndex)> visit) const override;
  std::string trouble() const override {
    if (!net.limit.empty())
      return net.limit;
    if (uint32_t split = tooWide.load(std::memory_order_relaxed);
        split != noIndex)
      return net.splits[split].tooManyText();
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
  /// \p once: of a split one way is enough.
  template <class Plain>
  void each(const uint32_t *state, uint32_t *scratch, bool isForbidden,
            StepSink sink, Plain plain, Taken *taken = nullptr,
            bool once = false) const;
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
  bool takeSplit(const Firing &firing, const uint32_t *state, uint32_t *scratch,
                 bool isForbidden, StepSink sink, bool once) const;
  uint64_t mostWays() const;
  bool takeSome(const Firing &firing, const uint32_t *state, uint32_t *scratch,
                bool isForbidden, StepSink sink) const;
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
  /// \p looks: what comes before it looks at the data.
  void addGroup(Firing &firing, bool looks = false);
  void findPartners();
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
  /// A split with more ways than there may be states.
  mutable std::atomic<uint32_t> tooWide{noIndex};
};

} // namespace cif

#endif
