//===- HealthVisitor.h - Looking for problems of peers ----------*- C++ -*-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the search of our own and the engines of others share; Health.cpp has
/// the definitions.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_CHECK_PEERS_HEALTHVISITOR_H
#define CIF_LIB_CHECK_PEERS_HEALTHVISITOR_H

#include "cif/Check/Peers/Health.h"
#include "cif/Explore/Explorer.h"
#include "cif/IR/Names.h"
#include "cif/Semantics/Goals.h"
#include "cif/Semantics/PeerView.h"
#include "llvm/ADT/BitVector.h"

namespace cif {

/// No state.
constexpr StateIndex nowhere = ~StateIndex(0);

/// Looks at each state that was expanded; remembers the first of each kind.
class HealthVisitor : public ExplorationVisitor {
public:
  HealthVisitor(const PeerComposition &of, uint32_t queueBound)
      : system(of), view(of.view()), bounded(queueBound != noBound),
        moved(view.peers.size()) {}

  StateIndex found[3] = {nowhere, nowhere, nowhere};
  std::string who[3];
  std::vector<GroupIndex> waits[3]; ///< what those wait for
  /// All peers are done, and messages are in transit.
  std::vector<StateIndex> left;
  /// States in which a bound keeps something from being sent.
  llvm::BitVector keptBack;

  bool transition(StateIndex from, const Step &step, StateIndex) override {
    begin(from);
    moved[view.peerOf(step.group)] = true;
    if (step.partner != noGroup)
      moved[view.peerOf(step.partner)] = true;
    PeerView::Action action = view.actionOf(step.group);
    sends += action.kind == PeerView::Kind::Send &&
             !system.sendWaits(action.message);
    return true;
  }

  bool expanded(StateIndex s, const uint32_t *vector, size_t count) override {
    begin(s);
    bool allDone = true;
    std::string waiting;
    SmallVector<GroupIndex, 4> awaited;
    size_t offered = 0; // sends that only a bound could keep back
    const bool asked = !bounded || system.asksAll(vector);
    for (size_t p = 0; p < view.peers.size(); ++p) {
      const PeerView::Peer &peer = view.peers[p];
      StateIndex at = vector[p];
      GroupIndex first = peer.firstGroup + peer.lts->rowBegin[at];
      if (!peer.isDone(at)) {
        allDone = false;
        waiting += (waiting.empty() ? "" : ", ") + quoted(peer.name);
        for (size_t t = 0; t < peer.lts->labelsOf(at).size(); ++t)
          awaited.push_back(first + t);
      }
      for (LabelIndex l : peer.lts->labelsOf(at))
        offered += peer.actions[l].kind == PeerView::Kind::Send &&
                   !system.sendWaits(peer.actions[l].message);
      if (!moved[p] && isHeldUp(system, p, vector))
        note(HealthProblem::UnspecifiedReception, s, peer.name, first);
    }
    bool kept = bounded && asked && offered > sends;
    if (kept) {
      keptBack.resize(std::max<size_t>(keptBack.size(), s + 1));
      keptBack.set(s);
    }
    if (count == 0 && !kept && !allDone)
      note(HealthProblem::Deadlock, s, waiting, awaited);
    if (allDone &&
        std::any_of(vector + view.peers.size(), vector + system.width(),
                    [](uint32_t slot) { return slot != 0; }))
      left.push_back(s);
    return true;
  }

  void note(HealthProblem problem, StateIndex s, const std::string &name,
            ArrayRef<GroupIndex> awaited) {
    auto i = static_cast<unsigned>(problem);
    if (found[i] != nowhere)
      return;
    found[i] = s;
    who[i] = name;
    waits[i].assign(awaited.begin(), awaited.end());
  }

private:
  void begin(StateIndex s) {
    if (s == current)
      return;
    current = s;
    sends = 0;
    std::fill(moved.begin(), moved.end(), false);
  }

  const PeerComposition &system;
  const PeerView &view;
  const bool bounded;
  StateIndex current = nowhere;
  size_t sends =
      0; ///< of the current state; those that only a bound could keep back
  std::vector<bool> moved; ///< by peer: it can step in the current state
};

/// Decides which messages in transit no continuation receives, and notes the
/// first state with one of them. \p explored was seen by \p visitor. Returns
/// the limit that was reached.
std::string findOrphan(const PeerComposition &system,
                       const Exploration &explored, HealthVisitor &visitor,
                       const Limits &limits);

/// What is wrong, for people; \p who as HealthVisitor tells it.
std::string healthText(HealthProblem problem, const std::string &who);

} // namespace cif

#endif
