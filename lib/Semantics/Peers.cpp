//===- Peers.cpp - Communicating automata ---------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The composition of peers, each an LTS with labels q!m and p?m, under any
/// network. Implements: [verchor], Def. 2 and the synchronous and asynchronous
/// compositions that Def. 4 compares (with inbox queues; sends are visible,
/// receptions are silent).
///
/// Input class: any peers; internal steps and plain labels are steps of the
/// peer alone. A state is final if every peer is in a final state and nothing
/// is in transit, provided that all peers declare final states.
///
/// With eagerReceptions, a peer all of whose steps are receptions from one
/// queue receives the head of the queue, if it can, before anything else
/// happens. This is a persistent set in the sense of [godefroid96]: others only
/// append to that queue, so the reception commutes with all their steps (it can
/// only make room), and the peer itself has nothing else to do; receptions are
/// silent and shorten queues, so no send is postponed for ever. Sound and
/// complete for the traces of sends, for states without steps, and for
/// conditions that persist once they hold (a peer that cannot receive the head
/// of its queue); not for the lengths of queues.
///
/// EagerUnlessDone excludes peers that are done. Then every state in which all
/// peers are done is still reached: on a run to it, a peer that is not done has
/// yet to receive the head of its queue, and that reception can as well be the
/// first step of the run. And from such a state the same messages are received:
/// a run remains a run, and receives as many of each message, if an eager
/// reception is put before it or moved to its front.
///
//===----------------------------------------------------------------------===//

#include "Networks/Queues.h"
#include "SystemFactories.h"
#include "cif/Graph/Components.h"
#include "cif/IR/Names.h"
#include "cif/Semantics/Network.h"
#include "cif/Support/Diagnostics.h"
#include <numeric>

using namespace cif;

namespace {
using Action = PeerView::Kind;

struct PeerStep {
  uint32_t target;
  uint32_t message; ///< of a send or reception
  LabelIndex label; ///< what it shows
  /// \name Where there are queues
  /// @{
  uint32_t queue;   ///< the slot that it changes
  uint32_t ordinal; ///< the message's number in that queue
  /// @}
  Action action;
  bool handshake; ///< whatever the network
};

/// One reception of a local state, in the order of messages.
struct Reception {
  uint32_t message;
  uint32_t step; ///< in Peer::steps
};

struct Peer {
  const Lts *lts;
  GroupIndex firstGroup;
  bool statesAreGiven; ///< not made from a process: they mean something
  std::vector<PeerStep> steps;
  std::vector<Reception> receptions; ///< by state, then message
  std::vector<uint32_t> receptionBegin;
  std::vector<bool> onlyReceives; ///< by state: from one queue, nothing else
  /// \name With one queue for all that it receives
  /// The steps that a local state may take, by the first message of the queue:
  /// row s * fronts + ordinal + 1, or + 0 when the queue is empty.
  /// @{
  uint32_t inbox = 0;  ///< the slot
  uint32_t fronts = 0; ///< 0: there is no such table
  std::vector<uint32_t> offerBegin, offers;
  /// @}
};

class PeerSystem final : public PeerComposition {
public:
  PeerSystem(const Module &module, PeerView view,
             const SemanticsOptions &options);

  void initial(uint32_t *state) const override {
    std::fill_n(state, numSlots, 0);
    for (size_t i = 0; i < peers.size(); ++i)
      state[i] = peers[i].lts->initial;
  }
  void successors(const uint32_t *state, uint32_t *scratch,
                  StepSink sink) const override;
  void changes(const uint32_t *state, uint32_t *scratch,
               ChangeSink sink) const override;
  void successorsOf(GroupIndex group, const uint32_t *state, uint32_t *scratch,
                    StepSink sink) const override;
  bool saysFinal() const override { return final; }
  bool isFinal(const uint32_t *state) const override {
    for (size_t i = 0; i < peers.size(); ++i)
      if (!peers[i].lts->isFinal(state[i]))
        return false;
    return network->isEmpty(state + peers.size());
  }
  std::string describe(const uint32_t *state) const override;
  std::vector<TransitQueue> transit(const uint32_t *state) const override {
    return transitOn(*network, state + peers.size());
  }
  uint32_t slotMaximum(unsigned slot) const override {
    return slot < peers.size() ? peers[slot].lts->numStates() - 1
                               : network->slotMaximum(slot - peers.size());
  }
  bool isInterned(unsigned slot) const override {
    return slot >= peers.size() && network->isInterned(slot - peers.size());
  }
  void exportWords(unsigned slot, uint32_t value,
                   SmallVectorImpl<uint32_t> &words) const override {
    if (slot < peers.size())
      words.push_back(value);
    else
      network->exportWords(slot - peers.size(), value, words);
  }
  std::optional<uint32_t> importWords(unsigned slot,
                                      ArrayRef<uint32_t> words) const override {
    return slot < peers.size()
               ? onlyWord(words, peers[slot].lts->numStates() - 1)
               : network->importWords(slot - peers.size(), words);
  }
  bool isBounded() const override {
    return network->isBounded() || !sendsAgain;
  }
  uint64_t weight(const uint32_t *state) const override {
    return network->weight(state + peers.size());
  }
  bool covers(const uint32_t *low, const uint32_t *high) const override {
    return std::equal(low, low + peers.size(), high);
  }
  std::string pumps(const uint32_t *low, const uint32_t *high,
                    ArrayRef<Step> cycle) const override;

  void inTransit(const uint32_t *state,
                 MutableArrayRef<uint32_t> counts) const override {
    for (uint32_t m = 0; m < counts.size(); ++m)
      counts[m] = network->inTransit(state + peers.size(), m);
  }
  std::string transitText(const uint32_t *state) const override;
  uint32_t heldUpBy(const uint32_t *state, uint32_t message) const override {
    return network->heldUpBy(state + peers.size(), message);
  }
  bool sendWaits(uint32_t message) const override {
    return peerView.messages[message].handshake || network->isFinite();
  }
  bool asksAll(const uint32_t *state) const override;
  std::unique_ptr<CommandModel> commands(std::string &reason,
                                         Origin &at) const override;

private:
  std::vector<PeerStep> actionsOf(uint32_t peer,
                                  const SemanticsOptions &options);
  void addSteps(uint32_t peer, ArrayRef<PeerStep> actions);
  void addGroup(uint32_t peer, uint32_t transition, const PeerStep &step);
  bool isEager(uint32_t peer, StateIndex local,
               SemanticsOptions::EagerReceptions how) const;
  void tabulate(Peer &peer);
  void overQueues(const uint32_t *state, ChangeSink sink) const;
  void handshakes(size_t sender, uint32_t step, const uint32_t *state,
                  uint32_t *scratch, StepSink sink, bool &goOn) const;
  bool takeStep(uint32_t peer, uint32_t step, const uint32_t *state,
                uint32_t *scratch, StepSink sink) const;
  bool takeFirst(size_t peer, const uint32_t *state, uint32_t *scratch,
                 StepSink sink) const;

  std::vector<Peer> peers;
  const NetworkKind kind;
  std::unique_ptr<Network> network;
  /// The same, where it is one and no message goes by a handshake.
  const QueueNetwork *queues = nullptr;
  bool final = true;
  bool eager = false;
  bool sendsAgain = false; ///< some send can be repeated
};
} // namespace

/// Whether a peer can take one send twice. If no peer can, at most as many
/// messages are sent as there are sends.
static bool canRepeatSend(const PeerView &view, const PeerView::Peer &peer) {
  const Lts &lts = *peer.lts;
  const Components parts = componentsOf(
      lts.numStates(), [](StateIndex) { return true; },
      [&](StateIndex s) { return lts.rowBegin[s]; },
      [&](StateIndex s) { return lts.rowBegin[s + 1]; },
      [&](StateIndex, uint32_t e) { return lts.target[e]; });
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    for (uint32_t t = lts.rowBegin[s]; t < lts.rowBegin[s + 1]; ++t)
      if (const PeerView::Action action = peer.action(t);
          action.kind == Action::Send && !view.isHandshake(action) &&
          parts.of[s] == parts.of[lts.target[t]])
        return true;
  return false;
}

PeerSystem::PeerSystem(const Module &module, PeerView view,
                       const SemanticsOptions &options)
    : kind(options.network.value_or(defaultNetwork(SemanticsKind::Peers))) {
  peerView = std::move(view);
  for (const PeerView::Peer &of : peerView.peers) {
    Peer &peer = peers.emplace_back();
    peer.lts = of.lts;
    peer.firstGroup = of.firstGroup;
    peer.statesAreGiven = module.systems[of.system].transitionPlaces.empty();
    final &= of.lts->saysFinal();
  }
  std::vector<std::vector<PeerStep>> actions;
  for (uint32_t i = 0; i < peers.size(); ++i)
    actions.push_back(actionsOf(i, options));
  NetworkSetup setup{options.bound, static_cast<unsigned>(peers.size()), {}};
  setup.plainQueues = options.plainQueues;
  for (const PeerView::Message &m : peerView.messages)
    setup.messages.push_back({m.sender, m.receiver, m.name,
                              peerView.peers[m.receiver].name,
                              peerView.peers[m.sender].name});
  network = makeNetwork(kind, std::move(setup));
  if (!peerView.hasHandshakes())
    queues = network->asQueues();
  numSlots = peers.size() + network->slots();
  if (!network->isBounded())
    sendsAgain = llvm::any_of(peerView.peers, [&](const PeerView::Peer &peer) {
      return canRepeatSend(peerView, peer);
    });
  eager = options.eagerReceptions != SemanticsOptions::NotEager &&
          networkHas(kind, NetworkHasOwnQueues);
  for (uint32_t i = 0; i < peers.size(); ++i) {
    addSteps(i, actions[i]);
    Peer &peer = peers[i];
    for (StateIndex s = 0; eager && s < peer.lts->numStates(); ++s)
      peer.onlyReceives.push_back(isEager(i, s, options.eagerReceptions));
    if (queues)
      tabulate(peer);
  }
  if (!eager)
    return;
  // Whether anybody receives first is asked before every step.
  std::vector<GroupIndex> all(groupTable.size());
  std::iota(all.begin(), all.end(), 0);
  std::vector<uint32_t> slots(numSlots);
  std::iota(slots.begin(), slots.end(), 0);
  groupTable.share(all, slots, {});
}

/// What each label of a peer does, and shows.
std::vector<PeerStep> PeerSystem::actionsOf(uint32_t i,
                                            const SemanticsOptions &options) {
  const bool sync = kind == NetworkKind::Sync,
             local = options.observe == Observation::Both;
  const bool showSend = options.observe != Observation::Receive,
             showReceive = options.observe == Observation::Receive || local;
  std::vector<PeerStep> actions;
  for (size_t l = 0; l < peers[i].lts->labels.size(); ++l) {
    const Label &label = peers[i].lts->labels[l];
    PeerView::Action action = peerView.peers[i].actions[l];
    PeerStep step{0,
                  action.message,
                  tauLabel,
                  0,
                  0,
                  action.kind,
                  peerView.isHandshake(action)};
    if (label.kind == LabelKind::Plain || label.kind == LabelKind::Tick)
      step.label = addLabel(label);
    bool sends = action.kind == Action::Send;
    if (action.kind != Action::Internal && !step.handshake &&
        (sync    ? sends
         : sends ? showSend
                 : showReceive))
      step.label =
          addLabel(sync || !local ? peerView.messages[action.message].shown
                                  : peerView.label(action));
    actions.push_back(step);
  }
  return actions;
}

void PeerSystem::addGroup(uint32_t i, uint32_t transition,
                          const PeerStep &step) {
  SmallVector<uint32_t, 8> slots{i}, touched;
  if (step.action != Action::Internal) {
    if (!step.handshake)
      network->touches(step.message, touched);
    for (uint32_t slot : touched)
      slots.push_back(peers.size() + slot);
    if ((network->isSync() || step.handshake) && step.action == Action::Send)
      slots.push_back(peerView.messages[step.message].receiver);
  }
  groupTable.add({Origin::Transition, peerView.peers[i].system, transition},
                 slots, slots);
}

void PeerSystem::addSteps(uint32_t i, ArrayRef<PeerStep> actions) {
  Peer &peer = peers[i];
  peer.receptionBegin.push_back(0);
  for (StateIndex s = 0; s < peer.lts->numStates(); ++s) {
    for (uint32_t t = peer.lts->rowBegin[s]; t < peer.lts->rowBegin[s + 1];
         ++t) {
      PeerStep step = actions[peer.lts->label[t]];
      step.target = peer.lts->target[t];
      if (queues && step.action != Action::Internal) {
        step.queue = peers.size() + queues->queueOf(step.message);
        step.ordinal = queues->ordinalOf(step.message);
      }
      if (step.action == Action::Receive)
        peer.receptions.push_back({step.message, t});
      peer.steps.push_back(step);
      addGroup(i, t, step);
    }
    std::stable_sort(peer.receptions.begin() + peer.receptionBegin.back(),
                     peer.receptions.end(),
                     [](const Reception &a, const Reception &b) {
                       return a.message < b.message;
                     });
    peer.receptionBegin.push_back(peer.receptions.size());
  }
}

/// Whether all that a peer does in a local state is to receive from one queue.
bool PeerSystem::isEager(uint32_t i, StateIndex local,
                         SemanticsOptions::EagerReceptions how) const {
  const Peer &peer = peers[i];
  if (how == SemanticsOptions::EagerUnlessDone &&
      peerView.peers[i].isDone(local))
    return false;
  ArrayRef<PeerStep> steps =
      ArrayRef(peer.steps)
          .slice(peer.lts->rowBegin[local],
                 peer.lts->rowBegin[local + 1] - peer.lts->rowBegin[local]);
  auto sender = [&](const PeerStep &step) {
    return peerView.messages[step.message].sender;
  };
  return !steps.empty() && llvm::all_of(steps, [&](const PeerStep &step) {
    return step.action == Action::Receive && !step.handshake &&
           (kind == NetworkKind::Inbox || sender(step) == sender(steps[0]));
  });
}

bool PeerSystem::asksAll(const uint32_t *state) const {
  if (!eager)
    return true;
  const QueueNetwork &net = *network->asQueues();
  for (size_t i = 0; i < peers.size(); ++i) {
    const Peer &peer = peers[i];
    if (!peer.onlyReceives[state[i]])
      continue;
    for (uint32_t t = peer.lts->rowBegin[state[i]];
         t < peer.lts->rowBegin[state[i] + 1]; ++t) {
      uint32_t m = peer.steps[t].message;
      if (net.front(state[peers.size() + net.queueOf(m)]) == m)
        return false;
    }
  }
  return true;
}

void PeerSystem::handshakes(size_t sender, uint32_t index,
                            const uint32_t *state, uint32_t *scratch,
                            StepSink sink, bool &goOn) const {
  const PeerStep &step = peers[sender].steps[index];
  uint32_t receiver = peerView.messages[step.message].receiver;
  const Peer &to = peers[receiver];
  ArrayRef<Reception> offers =
      ArrayRef(to.receptions)
          .slice(to.receptionBegin[state[receiver]],
                 to.receptionBegin[state[receiver] + 1] -
                     to.receptionBegin[state[receiver]]);
  auto *offer = llvm::partition_point(
      offers, [&](const Reception &r) { return r.message < step.message; });
  for (; goOn && offer != offers.end() && offer->message == step.message;
       ++offer) {
    scratch[sender] = step.target;
    scratch[receiver] = to.steps[offer->step].target;
    goOn = sink({step.label, peers[sender].firstGroup + index,
                 to.firstGroup + offer->step},
                scratch);
    scratch[receiver] = state[receiver];
  }
  scratch[sender] = state[sender];
}

/// The receptions of a peer that can do nothing else; false: there is none.
bool PeerSystem::takeFirst(size_t i, const uint32_t *state, uint32_t *scratch,
                           StepSink sink) const {
  const Peer &peer = peers[i];
  const size_t base = peers.size();
  bool any = false, goOn = true;
  for (uint32_t t = peer.lts->rowBegin[state[i]];
       t < peer.lts->rowBegin[state[i] + 1] && goOn; ++t) {
    const PeerStep &step = peer.steps[t];
    if (!network->receive(scratch + base, step.message))
      continue;
    any = true;
    scratch[i] = step.target;
    goOn = sink({step.label, peer.firstGroup + t, noGroup}, scratch);
    scratch[i] = state[i];
    std::copy_n(state + base, network->slots(), scratch + base);
  }
  return any;
}

/// Sorts the steps of a peer by what its queue begins with, where it has one
/// queue and the table stays small.
void PeerSystem::tabulate(Peer &peer) {
  constexpr uint64_t mostEntries = 1 << 20;
  bool receives = false;
  for (const PeerStep &step : peer.steps)
    if (step.action == Action::Receive) {
      if (receives && step.queue != peer.inbox)
        return;
      receives = true;
      peer.inbox = step.queue;
    }
  uint32_t fronts =
      1 + (receives ? queues->messagesOf(peer.inbox - peers.size()) : 0);
  if (peer.lts->numStates() * uint64_t(fronts) > mostEntries ||
      peer.steps.size() * uint64_t(fronts) > mostEntries)
    return;
  peer.fronts = fronts;
  peer.offerBegin.push_back(0);
  for (StateIndex s = 0; s < peer.lts->numStates(); ++s)
    for (uint32_t front = 0; front < fronts; ++front) {
      for (uint32_t t = peer.lts->rowBegin[s]; t < peer.lts->rowBegin[s + 1];
           ++t) {
        const PeerStep &step = peer.steps[t];
        if (step.action != Action::Receive || step.ordinal + 1 == front)
          peer.offers.push_back(t);
      }
      peer.offerBegin.push_back(peer.offers.size());
    }
}

/// A step changes the peer's slot and that of one queue.
void PeerSystem::overQueues(const uint32_t *state, ChangeSink sink) const {
  const QueueNetwork &net = *queues;
  const size_t numPeers = peers.size();
  for (uint32_t i = 0; i < numPeers; ++i) {
    const Peer &peer = peers[i];
    const uint32_t local = state[i];
    // The steps to look at: a row of the table, or those of the local state.
    const uint32_t *listed = nullptr;
    uint32_t k, end;
    if (peer.fronts) {
      size_t row = size_t(local) * peer.fronts;
      if (peer.fronts > 1 && state[peer.inbox])
        row += net.ordinalOf(net.front(state[peer.inbox])) + 1;
      listed = peer.offers.data();
      k = peer.offerBegin[row];
      end = peer.offerBegin[row + 1];
    } else {
      k = peer.lts->rowBegin[local];
      end = peer.lts->rowBegin[local + 1];
    }
    for (; k != end; ++k) {
      const uint32_t t = listed ? listed[k] : k;
      const PeerStep &step = peer.steps[t];
      uint32_t after = 0;
      if (step.action == Action::Send) {
        after = net.sent(state[step.queue], step.message, step.ordinal);
        if (after == QueueStore::full)
          continue;
      } else if (step.action == Action::Receive) {
        const uint32_t queue = state[step.queue];
        if (!listed && net.front(queue) != step.message)
          continue;
        after = net.rest(queue);
      }
      const SlotChange change[] = {{i, step.target}, {step.queue, after}};
      const size_t count = step.action == Action::Internal ? 1 : 2;
      if (!sink({step.label, peer.firstGroup + t, noGroup},
                ArrayRef(change, count)))
        return;
    }
  }
}

void PeerSystem::changes(const uint32_t *state, uint32_t *scratch,
                         ChangeSink sink) const {
  if (queues && !eager)
    overQueues(state, sink);
  else
    System::changes(state, scratch, sink);
}

void PeerSystem::successors(const uint32_t *state, uint32_t *scratch,
                            StepSink sink) const {
  std::copy_n(state, numSlots, scratch);
  if (eager)
    for (size_t i = 0; i < peers.size(); ++i)
      if (peers[i].onlyReceives[state[i]] && takeFirst(i, state, scratch, sink))
        return;
  if (queues)
    return overQueues(state,
                      [&](const Step &step, ArrayRef<SlotChange> changed) {
                        for (const SlotChange &change : changed)
                          scratch[change.slot] = change.value;
                        bool goOn = sink(step, scratch);
                        for (const SlotChange &change : changed)
                          scratch[change.slot] = state[change.slot];
                        return goOn;
                      });
  for (uint32_t i = 0; i < peers.size(); ++i) {
    ArrayRef<uint32_t> rows = peers[i].lts->rowBegin;
    for (uint32_t t = rows[state[i]]; t < rows[state[i] + 1]; ++t)
      if (!takeStep(i, t, state, scratch, sink))
        return;
  }
}

/// Takes a step of a peer that is where it begins, if the network lets it;
/// \p scratch is \p state. False: the sink has seen enough.
bool PeerSystem::takeStep(uint32_t i, uint32_t t, const uint32_t *state,
                          uint32_t *scratch, StepSink sink) const {
  const size_t base = peers.size();
  const PeerStep &step = peers[i].steps[t];
  bool goOn = true;
  if (step.action != Action::Internal) {
    if (step.handshake || network->isSync()) {
      if (step.action == Action::Send)
        handshakes(i, t, state, scratch, sink, goOn);
      return goOn;
    }
    if (step.action == Action::Send
            ? !network->send(scratch + base, step.message)
            : !network->receive(scratch + base, step.message))
      return true;
  }
  scratch[i] = step.target;
  goOn = sink({step.label, peers[i].firstGroup + t, noGroup}, scratch);
  scratch[i] = state[i];
  if (step.action != Action::Internal)
    std::copy_n(state + base, network->slots(), scratch + base);
  return goOn;
}

void PeerSystem::successorsOf(GroupIndex group, const uint32_t *state,
                              uint32_t *scratch, StepSink sink) const {
  if (eager)
    return System::successorsOf(group, state, scratch, sink);
  const uint32_t i = peerView.peerOf(group), t = group - peers[i].firstGroup;
  ArrayRef<uint32_t> rows = peers[i].lts->rowBegin;
  if (t < rows[state[i]] || t >= rows[state[i] + 1])
    return;
  std::copy_n(state, numSlots, scratch);
  takeStep(i, t, state, scratch, sink);
}

std::string PeerSystem::transitText(const uint32_t *state) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  network->describe(state + peers.size(), os);
  return text;
}

std::string PeerSystem::describe(const uint32_t *state) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (size_t i = 0; i < peers.size(); ++i)
    if (peers[i].statesAreGiven)
      os << (text.empty() ? "" : ", ") << quoted(peerView.peers[i].name)
         << " in " << state[i];
  if (std::string transit = transitText(state); !transit.empty())
    os << (text.empty() ? "" : "; ") << transit;
  return text;
}

std::string PeerSystem::pumps(const uint32_t *low, const uint32_t *high,
                              ArrayRef<Step> cycle) const {
  SmallVector<NetworkOp, 16> ops;
  for (const Step &step : cycle) {
    PeerView::Action taken = peerView.actionOf(step.group);
    if (taken.kind != Action::Internal && !peerView.isHandshake(taken))
      ops.push_back({taken.message, taken.kind == Action::Send});
  }
  std::string grows;
  if (!network->repeats(low + peers.size(), high + peers.size(), ops, grows))
    return {};
  return grows;
}

std::unique_ptr<CommandModel> PeerSystem::commands(std::string &reason,
                                                   Origin &) const {
  if (eager) {
    reason = "receptions come first";
    return nullptr;
  }
  auto shownBy = [&](GroupIndex group) {
    const Peer &peer = peers[peerView.peerOf(group)];
    return peer.steps[group - peer.firstGroup].label;
  };
  return makePeerCommands({peerView, kind, *network, labelTable, shownBy},
                          reason);
}

std::unique_ptr<PeerComposition>
cif::makePeerSystem(const Module &module, PeerView view,
                    const SemanticsOptions &options) {
  return std::make_unique<PeerSystem>(module, std::move(view), options);
}
