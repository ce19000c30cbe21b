//===- Goals.cpp - What other engines look for ----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The definitions are those of the checks: PropertyChecker.cpp for
/// collaborations, Health.cpp for peers. A part reads only the slots that it
/// names; the tests of cif-pins evaluate it in states in which all other slots
/// have their initial values.
///
//===----------------------------------------------------------------------===//

#include "cif/Semantics/Goals.h"
#include "cif/Semantics/CollaborationSystem.h"
#include "cif/Semantics/PeerView.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace cif;

ArrayRef<StringRef> cif::goalWords() {
  static const StringRef words[] = {"none",
                                    "unsafe",
                                    "start",
                                    "cut",
                                    "unspecified-reception",
                                    "left-message",
                                    "left-within-bound"};
  return words;
}

GoalWatch::GoalWatch(const System &of, SemanticsKind semantics,
                     const SemanticsOptions &options, Goal what)
    : system(of), goal(what), isBounded(options.bound != noBound) {
  switch (semantics) {
  case SemanticsKind::Collaboration:
  case SemanticsKind::Detailed:
  case SemanticsKind::Fbpmn:
    processes = static_cast<const CollaborationSystem *>(&of);
    break;
  case SemanticsKind::Peers:
    peers = static_cast<const PeerComposition *>(&of);
    break;
  default:
    break;
  }
  if (peers && isBounded)
    for (GroupIndex g = 0; g < of.groups().size(); ++g) {
      PeerView::Action action = peers->view().actionOf(g);
      if (action.kind == PeerView::Kind::Send &&
          !peers->sendWaits(action.message))
        sends.push_back(g);
    }
  switch (goal) {
  case Goal::None:
    return;
  case Goal::Unsafe:
  case Goal::Start:
    if (!processes)
      break;
    count = goal == Goal::Unsafe ? 1 : processes->elements().size();
    isFlow.resize(of.width());
    for (const CollaborationFlow &flow : processes->flows())
      isFlow[flow.slot] = flow.isDrawn;
    return;
  case Goal::Cut:
    // A bound of collaborations has no record of what it forbids.
    if (!peers && (!processes || isBounded))
      break;
    watchCuts();
    return;
  case Goal::Unspecified:
  case Goal::Left:
  case Goal::LeftWithin:
    if (!peers)
      break;
    watchPeers();
    return;
  }
  meaningful = false;
}

/// Whether \p group is a send that the peer offers, and that its queue has no
/// room for.
bool GoalWatch::isKeptBack(const uint32_t *state, GroupIndex group) const {
  const PeerView &view = peers->view();
  const uint32_t p = view.peerOf(group);
  const Lts &lts = *view.peers[p].lts;
  const uint32_t transition = group - view.peers[p].firstGroup;
  if (transition < lts.rowBegin[state[p]] ||
      transition >= lts.rowBegin[state[p] + 1])
    return false;
  std::vector<uint32_t> scratch(system.width());
  bool steps = false;
  system.successorsOf(group, state, scratch.data(),
                      [&](const Step &, const uint32_t *) {
                        steps = true;
                        return false;
                      });
  return !steps;
}

bool GoalWatch::isCut(const uint32_t *state) const {
  if (peers)
    return llvm::any_of(sends,
                        [&](GroupIndex g) { return isKeptBack(state, g); });
  bool found = false;
  std::vector<uint32_t> scratch(system.width());
  if (processes)
    processes->forbidden(state, scratch.data(),
                         [&](const Step &, const uint32_t *) {
                           found = true;
                           return false;
                         });
  return found;
}

void GoalWatch::watchCuts() {
  if (peers) {
    for (GroupIndex g : sends)
      stateParts.push_back(
          {system.groups().reads(g),
           [this, g](const uint32_t *s) { return isKeptBack(s, g); }});
    return;
  }
  if (!processes->isConstrained())
    return; // nothing is ever forbidden
  for (GroupIndex g = 0; g < system.groups().size(); ++g)
    stateParts.push_back(
        {system.groups().reads(g), [this, g](const uint32_t *s) {
           bool found = false;
           std::vector<uint32_t> scratch(system.width());
           processes->forbidden(s, scratch.data(),
                                [&](const Step &step, const uint32_t *) {
                                  found = found || step.group == g;
                                  return !found;
                                });
           return found;
         }});
}

bool cif::isHeldUp(const PeerComposition &peers, size_t p,
                   const uint32_t *state) {
  const PeerView &view = peers.view();
  const PeerView::Peer &peer = view.peers[p];
  ArrayRef<LabelIndex> labels = peer.lts->labelsOf(state[p]);
  for (LabelIndex l : labels) {
    PeerView::Action action = peer.actions[l];
    if (action.kind != PeerView::Kind::Receive || view.isHandshake(action))
      return false;
    uint32_t first = peers.heldUpBy(state, action.message);
    if (first == UINT32_MAX || view.messages[first].receiver != p)
      return false;
  }
  return !labels.empty();
}

/// Whether a continuation of \p state receives \p count of \p message, as far
/// as a short search tells; or, for Goal::Left, a bound keeps something from
/// being sent, so that nothing is known.
bool GoalWatch::canBeReceived(const uint32_t *state, uint32_t message,
                              uint32_t count) const {
  constexpr size_t most = 2'000;
  const PeerView &view = peers->view();
  using Node = std::pair<std::vector<uint32_t>, uint32_t>;
  std::set<Node> seen;
  std::vector<Node> work;
  auto add = [&](const uint32_t *to, uint32_t received) {
    Node node({to, to + system.width()}, received);
    if (seen.insert(node).second)
      work.push_back(std::move(node));
  };
  add(state, 0);
  std::vector<uint32_t> scratch(system.width());
  bool found = false;
  for (size_t i = 0; i < work.size() && i < most && !found; ++i) {
    const Node from = work[i];
    found = goal == Goal::Left && isCut(from.first.data());
    system.successors(from.first.data(), scratch.data(),
                      [&](const Step &step, const uint32_t *to) {
                        PeerView::Action action = view.actionOf(step.group);
                        bool isIt = action.kind == PeerView::Kind::Receive &&
                                    action.message == message;
                        found = found || from.second + isIt >= count;
                        add(to, from.second + isIt);
                        return !found;
                      });
  }
  return found;
}

/// Whether all peers are done, and a message is in transit that is not known to
/// be received by any continuation. Equal messages are received in order.
bool GoalWatch::isLeft(const uint32_t *state) const {
  ArrayRef<PeerView::Peer> each = peers->view().peers;
  for (size_t p = 0; p < each.size(); ++p)
    if (!each[p].isDone(state[p]))
      return false;
  if (!peers->weight(state))
    return false;
  std::vector<uint32_t> counts(peers->view().messages.size());
  peers->inTransit(state, counts);
  for (uint32_t m = 0; m < counts.size(); ++m)
    if (counts[m] && !canBeReceived(state, m, counts[m]))
      return true;
  return false;
}

void GoalWatch::watchPeers() {
  const PeerView &view = peers->view();
  if (goal == Goal::Left || goal == Goal::LeftWithin) {
    Part all;
    for (uint32_t slot = 0; slot < system.width(); ++slot)
      all.slots.push_back(slot);
    all.holds = [this](const uint32_t *s) { return isLeft(s); };
    stateParts.push_back(std::move(all));
    return;
  }
  for (uint32_t p = 0; p < view.peers.size(); ++p) {
    const PeerView::Peer &peer = view.peers[p];
    Part part;
    part.slots.push_back(p);
    for (uint32_t t = 0; t < peer.lts->numTransitions(); ++t)
      llvm::append_range(part.slots,
                         system.groups().reads(peer.firstGroup + t));
    llvm::sort(part.slots);
    part.slots.erase(llvm::unique(part.slots), part.slots.end());
    part.holds = [this, p](const uint32_t *s) {
      return isHeldUp(*peers, p, s);
    };
    stateParts.push_back(std::move(part));
  }
}

bool GoalWatch::isEnd(const uint32_t *state) const {
  if (processes)
    return processes->isComplete(state) || isCut(state);
  if (!peers)
    return system.saysFinal() && system.isFinal(state);
  const PeerView &view = peers->view();
  for (size_t p = 0; p < view.peers.size(); ++p)
    if (!view.peers[p].isDone(state[p]))
      return isCut(state);
  return true;
}

bool GoalWatch::holds(const uint32_t *state) const {
  if (goal == Goal::Cut)
    return isCut(state);
  return llvm::any_of(stateParts,
                      [&](const Part &part) { return part.holds(state); });
}

void GoalWatch::reached(const uint32_t *from, const Step &step,
                        const uint32_t *to,
                        SmallVectorImpl<uint32_t> &numbers) const {
  if (goal == Goal::Unsafe) {
    for (uint32_t slot = 0; slot < isFlow.size(); ++slot)
      if (isFlow[slot] && to[slot] > 1 && to[slot] != from[slot]) {
        numbers.push_back(0);
        return;
      }
    return;
  }
  if (goal != Goal::Start)
    return;
  auto add = [&](const CollaborationStep &meaning) {
    if (meaning.starts && meaning.element != noneOf)
      numbers.push_back(meaning.element);
    llvm::append_range(numbers, meaning.alsoStarts);
  };
  add(processes->step(step.group));
  if (step.partner != noGroup)
    add(processes->step(step.partner));
  if (processes->worksOut()) {
    std::vector<uint32_t> scratch(system.width());
    processes->workedOut(from, scratch.data(),
                         [&](const Step &other, const uint32_t *there,
                             const CollaborationStep &meaning) {
                           if (other.group == step.group &&
                               other.partner == step.partner &&
                               std::equal(there, there + system.width(), to))
                             add(meaning);
                         });
  }
  llvm::sort(numbers);
  numbers.erase(llvm::unique(numbers), numbers.end());
}
