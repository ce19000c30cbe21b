//===- Rsc.cpp - Executions that are made of whole exchanges --------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: [digiusto23], RSC systems. An execution is RSC if and only
/// if its conflict graph has no cycle [charronbost96]. Its nodes are
/// messages, with an edge from m to m' if an action of m comes before one
/// of m' at the same peer, or both are sent into the same queue, m first.
/// Input class: any peers under unbounded inbox or fifo-pair queues, which
/// the theorem is about. A message that is handed over by handshake (to a
/// controller) is an immediate exchange in every execution and passes
/// through no queue.
///
/// Sound/complete for: exact. A shortest execution that is not RSC ends
/// with the reception of some v; what comes before it can be reordered so
/// that each other message is received immediately or never. So a search
/// over such orders, which guesses v and follows what depends on it, finds
/// it. It has finitely many states: local states, queues whose first
/// message is never received, v, and the peers and queues that the send of
/// v leads to.
///
/// If all executions are RSC, each reachable configuration is reached by
/// immediate exchanges and sends that are never received. Then the same
/// states, with the first message of each queue, decide deadlocks and
/// unspecified receptions for unbounded queues. They also decide orphan
/// messages (Health.cpp) if none is in transit when all peers are done, or
/// nobody can move; otherwise the composition is explored for these. (RSC
/// says nothing about the order of sends, which is the question of check-
/// synchronizable.)
///
//===----------------------------------------------------------------------===//

#include "cif/Check/Peers/Rsc.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/Graph/Search.h"
#include "cif/IR/Names.h"
#include "cif/Semantics/PeerView.h"
#include <deque>

using namespace cif;
using Kind = PeerView::Kind;

namespace {
constexpr uint32_t none = UINT32_MAX;

/// A move of a search: one action of a peer, or a send and its reception.
struct MoveStep {
  uint32_t peer = 0, transition = 0; ///< a transition of the peer
  uint32_t receiver = none, reception = 0;
  bool isV = false; ///< the send of the message that closes a cycle
};

/// In the order of the number of actions.
using ActionSearch = StateSearch<MoveStep>;

class RscCheck {
public:
  RscCheck(const Module &from, NetworkKind kind, const PeerComposition &real,
           const Limits &withLimits, Rsc &into, DiagnosticEngine &engine)
      : module(from), network(kind), inbox(kind == NetworkKind::Inbox),
        system(real), limits(withLimits), result(into), diags(engine),
        view(real.view()), numPeers(view.peers.size()),
        numBuffers(inbox ? numPeers : view.numPairs) {}

  void findViolation();
  /// False: errors were reported.
  bool findProblems();

private:
  /// Shortest moves of linked peers to configurations in which they cannot go
  /// on, and who is not done there.
  struct Stuck {
    std::optional<std::vector<MoveStep>> anyhow, notDone, orphan;
    std::string waiting, waitingAnyhow, left;
    /// Whether they go on or not: all are done; something is in transit then.
    std::optional<std::vector<MoveStep>> allDone;
    bool leftOver = false;
  };

  bool findViolation(ArrayRef<uint32_t> linked, std::vector<MoveStep> &moves);
  bool findProblems(ArrayRef<uint32_t> linked, Stuck &stuck);
  void lookAt(const std::vector<uint32_t> &state, ArrayRef<uint32_t> linked,
              const ActionSearch &search, Stuck &stuckAt);
  void exchangeAtOnce(ActionSearch &search, ArrayRef<uint32_t> linked,
                      const std::vector<uint32_t> &state) const;
  void found(HealthProblem problem, ArrayRef<MoveStep> moves,
             const std::string &text);
  uint32_t bufferOf(uint32_t message) const {
    return inbox ? view.messages[message].receiver
                 : view.messages[message].pair;
  }
  /// Calls \p each with every transition of a peer's local state.
  template <class Each>
  void forEach(uint32_t peer, StateIndex local, Each each) const {
    const PeerView::Peer &p = view.peers[peer];
    for (uint32_t t = p.lts->rowBegin[local]; t < p.lts->rowBegin[local + 1];
         ++t)
      each(t, p.action(t), p.lts->target[t]);
  }
  std::optional<uint32_t> reception(uint32_t message, StateIndex local) const {
    std::optional<uint32_t> found;
    forEach(view.messages[message].receiver, local,
            [&](uint32_t t, PeerView::Action action, StateIndex) {
              if (action.kind == Kind::Receive && action.message == message)
                found = t;
            });
    return found;
  }
  bool isHandshake(const MoveStep &move) const {
    return view.isHandshake(view.peers[move.peer].action(move.transition));
  }
  void expand(ActionSearch &search, ArrayRef<uint32_t> linked,
              const std::vector<uint32_t> &state);
  bool combine(ArrayRef<Stuck> sets);
  bool exploreOrphans();
  /// The execution that moves stand for, as steps of the real system. Nothing:
  /// it has no such run.
  std::optional<Witness> execution(ArrayRef<MoveStep> moves) const;
  void explainCycle(ArrayRef<MoveStep> moves);

  const Module &module;
  const NetworkKind network;
  const bool inbox;
  const PeerComposition &system;
  const Limits &limits;
  Rsc &result;
  DiagnosticEngine &diags;
  const PeerView &view;
  const uint32_t numPeers, numBuffers;
  std::vector<std::vector<bool>> reached; ///< by peer, then local state
  bool wrongFound = false; ///< an unspecified reception of the linked peers

  // In a state of the first search: the local states, then bits of blocked
  // queues, v + 1, bits of what depends on v's send: peers, then queues.
  uint32_t blockedAt() const { return numPeers; }
  uint32_t vAt() const { return blockedAt() + (numBuffers + 31) / 32; }
  uint32_t dependAt() const { return vAt() + 1; }
  uint32_t width() const {
    return dependAt() + (numPeers + numBuffers + 31) / 32;
  }
};
} // namespace

static bool hasBit(const std::vector<uint32_t> &words, uint32_t at,
                   uint32_t bit) {
  return words[at + bit / 32] >> (bit % 32) & 1;
}
static void setBit(std::vector<uint32_t> &words, uint32_t at, uint32_t bit) {
  words[at + bit / 32] |= 1u << (bit % 32);
}

void RscCheck::expand(ActionSearch &search, ArrayRef<uint32_t> linked,
                      const std::vector<uint32_t> &state) {
  const uint32_t v = state[vAt()];
  auto depends = [&](uint32_t what) {
    return v && hasBit(state, dependAt(), what);
  };
  std::vector<uint32_t> next;
  for (uint32_t p : linked)
    forEach(
        p, state[p], [&](uint32_t t, PeerView::Action action, StateIndex to) {
          if (action.kind == Kind::Receive)
            return; // with its send, or never
          next = state;
          next[p] = to;
          if (action.kind == Kind::Internal) {
            search.reachLater(1, next, {p, t});
            return;
          }
          const uint32_t m = action.message, b = bufferOf(m);
          const uint32_t r = view.messages[m].receiver;
          // The receiver takes it at once: both depend if one does.
          auto receive = [&](unsigned cost, bool dependent,
                             std::initializer_list<uint32_t> both) {
            forEach(r, state[r],
                    [&](uint32_t taken, PeerView::Action by, StateIndex then) {
                      if (by.kind != Kind::Receive || by.message != m)
                        return;
                      next = state;
                      next[p] = to;
                      next[r] = then;
                      if (dependent || depends(r))
                        for (uint32_t each : both)
                          setBit(next, dependAt(), each);
                      search.reachLater(cost, next, {p, t, r, taken});
                    });
          };
          if (view.isHandshake(action)) {
            receive(1, depends(p), {p, r});
            return;
          }
          // The bits of queues come after those of peers.
          const uint32_t queue = numPeers + b;
          bool after = depends(p) || depends(queue);
          setBit(next, blockedAt(), b);
          if (after) {
            setBit(next, dependAt(), p);
            setBit(next, dependAt(), queue);
          }
          search.reachLater(1, next, {p, t}); // it is never received
          if (hasBit(state, blockedAt(), b))
            return;
          if (!v) {
            next = state;
            next[p] = to;
            next[vAt()] = m + 1;
            setBit(next, dependAt(), p);
            setBit(next, dependAt(), queue);
            search.reachLater(1, next, {p, t, none, 0, true});
          } else if (b == bufferOf(v - 1)) {
            return; // v comes first
          }
          receive(2, after, {p, r, queue});
        });
}

/// Looks for a shortest execution of some peers that is not RSC; false: a limit
/// was met.
bool RscCheck::findViolation(ArrayRef<uint32_t> linked,
                             std::vector<MoveStep> &moves) {
  ActionSearch search;
  Budget budget(limits);
  std::vector<uint32_t> state(width(), 0);
  for (uint32_t p = 0; p < numPeers; ++p)
    state[p] = view.peers[p].lts->initial;
  search.start(state);
  while (search.next(state, budget)) {
    if (uint32_t v = state[vAt()]) {
      uint32_t r = view.messages[v - 1].receiver;
      if (std::optional<uint32_t> taken = reception(v - 1, state[r]);
          taken && hasBit(state, dependAt(), r)) {
        moves = search.run();
        moves.push_back({r, *taken});
        break;
      }
    }
    expand(search, linked, state);
  }
  result.states += search.numExpanded();
  result.transitions += search.numSteps();
  if (!search.limit.empty())
    result.limit = stoppedText(search.limit);
  return search.limit.empty();
}

/// A cycle of conflicts stays among peers that are linked by messages.
void RscCheck::findViolation() {
  auto actions = [&](ArrayRef<MoveStep> moves) {
    return moves.size() + llvm::count_if(moves, [&](const MoveStep &m) {
             return m.receiver != none && !isHandshake(m);
           });
  };
  std::vector<MoveStep> shortest;
  for (const std::vector<uint32_t> &linked : view.linkedPeers()) {
    std::vector<MoveStep> moves;
    if (!findViolation(linked, moves))
      return;
    if (!moves.empty() &&
        (shortest.empty() || actions(moves) < actions(shortest)))
      shortest = std::move(moves);
  }
  if (shortest.empty()) {
    result.verdict = Verdict::Holds;
    return;
  }
  result.witness = execution(shortest);
  if (!result.witness) {
    result.limit = "the execution found does not replay";
    return;
  }
  result.verdict = Verdict::Violated;
  explainCycle(shortest);
}

std::optional<Witness> RscCheck::execution(ArrayRef<MoveStep> moves) const {
  std::vector<Step> run;
  for (const MoveStep &move : moves) {
    GroupIndex taken = view.peers[move.peer].firstGroup + move.transition;
    if (move.receiver == none) {
      run.push_back({tauLabel, taken, noGroup});
      continue;
    }
    GroupIndex by = view.peers[move.receiver].firstGroup + move.reception;
    if (isHandshake(move)) {
      run.push_back({tauLabel, taken, by});
    } else {
      run.push_back({tauLabel, taken, noGroup});
      run.push_back({tauLabel, by, noGroup});
    }
  }
  auto steps = replayRun(module, system, run);
  if (!steps)
    return std::nullopt;
  // Handshakes are silent; people want to see them.
  for (size_t i = 0; i < run.size(); ++i)
    if (run[i].partner != noGroup)
      (*steps)[i].note =
          "hands over " +
          labelForPeople(
              view.messages[view.actionOf(run[i].group).message].shown) +
          "; " + (*steps)[i].note;
  return Witness{.kind = "trace", .steps = std::move(*steps)};
}

/// Finds a shortest cycle of the conflict graph through v, and says it.
void RscCheck::explainCycle(ArrayRef<MoveStep> moves) {
  struct Event {
    uint32_t peer, instance, message;
    bool sends;
  };
  std::vector<Event> events;
  uint32_t instances = 0, first = 0;
  for (const MoveStep &move : moves) {
    PeerView::Action action = view.peers[move.peer].action(move.transition);
    if (action.kind == Kind::Internal)
      continue;
    if (action.kind == Kind::Receive) { // the last one
      events.push_back({move.peer, first, action.message, false});
      continue;
    }
    if (move.isV)
      first = instances;
    events.push_back({move.peer, instances, action.message, true});
    if (move.receiver != none)
      events.push_back({move.receiver, instances, action.message, false});
    ++instances;
  }
  auto shareQueue = [&](uint32_t x, bool xSends, uint32_t y, bool ySends) {
    return xSends && ySends && !view.messages[x].handshake &&
           !view.messages[y].handshake && bufferOf(x) == bufferOf(y);
  };
  // Edges by the pairs of events that make them; breadth-first from v to v.
  std::vector<std::pair<uint32_t, uint32_t>> by(instances, {none, none});
  std::deque<uint32_t> work{first};
  bool closed = false;
  while (!work.empty() && !closed) {
    uint32_t at = work.front();
    work.pop_front();
    for (uint32_t i = 0; i < events.size() && !closed; ++i)
      for (uint32_t j = i + 1; j < events.size() && !closed; ++j) {
        const Event &a = events[i], &b = events[j];
        if (a.instance != at || b.instance == at ||
            by[b.instance].first != none)
          continue;
        if (a.peer != b.peer &&
            !shareQueue(a.message, a.sends, b.message, b.sends))
          continue;
        by[b.instance] = {i, j};
        if (b.instance == first)
          closed = true;
        else
          work.push_back(b.instance);
      }
  }
  auto did = [&](const Event &e) {
    const PeerView::Message &m = view.messages[e.message];
    return e.sends ? "sends " + quoted(m.name) + " to '" +
                         view.peers[m.receiver].name + "'"
                   : "receives " + quoted(m.name) + " from '" +
                         view.peers[m.sender].name + "'";
  };
  for (uint32_t at = first; closed;) {
    const Event &a = events[by[at].first], &b = events[by[at].second];
    result.cycle.push_back(a.peer == b.peer
                               ? "'" + view.peers[a.peer].name + "' " + did(a) +
                                     " and then " + did(b)
                               : "'" + view.peers[a.peer].name + "' " + did(a) +
                                     ", and then '" + view.peers[b.peer].name +
                                     "' " + did(b) + ": one queue");
    at = a.instance;
    if (at == first)
      break;
  }
  std::reverse(result.cycle.begin(), result.cycle.end());
}

void RscCheck::found(HealthProblem problem, ArrayRef<MoveStep> moves,
                     const std::string &text) {
  HealthFinding &finding = result.findings[static_cast<unsigned>(problem)];
  std::optional<Witness> witness = execution(moves);
  if (!witness) {
    finding.text = "the execution found does not replay";
    return;
  }
  if (finding.witness && finding.witness->steps.size() <= witness->steps.size())
    return;
  finding.verdict = Verdict::Violated;
  finding.exact = true;
  finding.text = text + (witness->steps.empty() ? ", from the beginning" : "");
  finding.witness = std::move(witness);
}

/// What the linked peers do in a state of exchanges at once.
void RscCheck::lookAt(const std::vector<uint32_t> &state,
                      ArrayRef<uint32_t> linked, const ActionSearch &search,
                      Stuck &stuckAt) {
  bool stuck = true, allDone = true;
  for (uint32_t p : linked) {
    reached[p][state[p]] = true;
    bool onlyReceives = true, canMove = false, any = false, wrong = true;
    forEach(p, state[p], [&](uint32_t, PeerView::Action action, StateIndex) {
      any = true;
      if (view.isHandshake(action)) {
        // Whether it is offered is asked of who sends it.
        onlyReceives = wrong = false;
        canMove |= action.kind == Kind::Send &&
                   reception(action.message,
                             state[view.messages[action.message].receiver]);
        return;
      }
      if (action.kind != Kind::Receive) {
        onlyReceives = false;
        canMove = true;
        return;
      }
      uint32_t head = state[numPeers + bufferOf(action.message)];
      canMove |= head == action.message + 1;
      wrong &= head != 0;
    });
    stuck &= !canMove;
    allDone &= view.peers[p].isDone(state[p]);
    if (onlyReceives && any && !canMove && wrong && !wrongFound) {
      wrongFound = true;
      found(HealthProblem::UnspecifiedReception, search.run(),
            "'" + view.peers[p].name +
                "' cannot receive the message at the head of its queue");
    }
  }
  uint32_t left = 0;
  for (uint32_t b = 0; b < numBuffers && !left; ++b)
    left = state[numPeers + b];
  auto keep = [&](std::optional<std::vector<MoveStep>> &moves) {
    if (moves)
      return false;
    moves = search.run();
    return true;
  };
  if (allDone)
    keep(stuckAt.allDone);
  stuckAt.leftOver |= allDone && left && !stuck;
  if (!stuck)
    return;
  auto waiting = [&] {
    std::string names;
    for (uint32_t p : linked)
      if (!view.peers[p].isDone(state[p]))
        names += (names.empty() ? "" : ", ") + quoted(view.peers[p].name);
    return names;
  };
  if (keep(stuckAt.anyhow))
    stuckAt.waitingAnyhow = waiting();
  if (!allDone && keep(stuckAt.notDone))
    stuckAt.waiting = waiting();
  if (allDone && left && keep(stuckAt.orphan))
    stuckAt.left = labelForPeople(view.messages[left - 1].shown);
}

void RscCheck::exchangeAtOnce(ActionSearch &search, ArrayRef<uint32_t> linked,
                              const std::vector<uint32_t> &state) const {
  std::vector<uint32_t> next;
  for (uint32_t p : linked)
    forEach(
        p, state[p], [&](uint32_t t, PeerView::Action action, StateIndex to) {
          if (action.kind == Kind::Receive)
            return;
          next = state;
          next[p] = to;
          if (action.kind == Kind::Internal) {
            search.reachLater(1, next, {p, t});
            return;
          }
          const uint32_t m = action.message;
          const bool handed = view.isHandshake(action);
          const uint32_t queue = numPeers + bufferOf(m);
          const uint32_t r = view.messages[m].receiver;
          if (!handed) {
            if (!next[queue])
              next[queue] = m + 1;
            search.reachLater(1, next, {p, t});
            if (state[queue])
              return;
          }
          forEach(r, state[r],
                  [&](uint32_t taken, PeerView::Action by, StateIndex then) {
                    if (by.kind != Kind::Receive || by.message != m)
                      return;
                    next = state;
                    next[p] = to;
                    next[r] = then;
                    search.reachLater(handed ? 1 : 2, next, {p, t, r, taken});
                  });
        });
}

/// Exchanges at once and sends that are never received, of some peers; a state
/// has the local states and the first message of each queue, plus one. False: a
/// limit was met.
bool RscCheck::findProblems(ArrayRef<uint32_t> linked, Stuck &stuckAt) {
  ActionSearch search;
  Budget budget(limits);
  std::vector<uint32_t> state(numPeers + numBuffers, 0);
  for (uint32_t p = 0; p < numPeers; ++p)
    state[p] = view.peers[p].lts->initial;
  search.start(state);
  wrongFound = false;
  while (search.next(state, budget)) {
    lookAt(state, linked, search, stuckAt);
    exchangeAtOnce(search, linked, state);
  }
  result.states += search.numExpanded();
  result.transitions += search.numSteps();
  if (!search.limit.empty())
    for (HealthFinding &finding : result.findings)
      if (!finding.witness)
        finding.text = stoppedText(search.limit);
  return search.limit.empty();
}

/// A configuration of all peers is one of each set of linked ones: they are
/// stuck when all sets are, and done when all are. Returns whether something is
/// in transit when all are done that might still be received.
bool RscCheck::combine(ArrayRef<Stuck> sets) {
  auto each = [&](auto part) {
    return llvm::all_of(sets, [&](const Stuck &s) { return (s.*part); });
  };
  bool leftOver = false;
  for (size_t i = 0; i < sets.size(); ++i) {
    // Set i is not done, or has a message left; the others are as short as can
    // be.
    std::vector<MoveStep> moves;
    std::string waiting;
    if (sets[i].notDone && each(&Stuck::anyhow)) {
      for (size_t k = 0; k < sets.size(); ++k) {
        llvm::append_range(moves, k == i ? *sets[k].notDone : *sets[k].anyhow);
        const std::string &more =
            k == i ? sets[k].waiting : sets[k].waitingAnyhow;
        waiting += (waiting.empty() || more.empty() ? "" : ", ") + more;
      }
      found(HealthProblem::Deadlock, moves,
            "nothing can happen, but some peers are not done: " + waiting);
    }
    if (!each(&Stuck::allDone))
      continue;
    leftOver |= sets[i].leftOver;
    if (sets[i].orphan) {
      moves.clear();
      for (size_t k = 0; k < sets.size(); ++k)
        llvm::append_range(moves, k == i ? *sets[k].orphan : *sets[k].allDone);
      found(HealthProblem::Orphan, moves,
            "all peers are done, but a message is left: " + sets[i].left);
    }
  }
  return leftOver;
}

/// Whether what is in transit can still be received needs whole queues.
bool RscCheck::exploreOrphans() {
  SynchronizabilityOptions options{.network = network, .limits = limits};
  std::optional<Health> health = checkHealth(module, options, diags);
  if (!health)
    return false;
  constexpr auto orphan = static_cast<unsigned>(HealthProblem::Orphan);
  // What was found where nobody moves stays, unless there is a shorter run.
  HealthFinding &finding = result.findings[orphan];
  if (!finding.witness || health->findings[orphan].witness)
    finding = health->findings[orphan];
  return true;
}

bool RscCheck::findProblems() {
  for (const PeerView::Peer &peer : view.peers)
    reached.emplace_back(peer.lts->numStates(), false);
  std::vector<Stuck> sets;
  for (const std::vector<uint32_t> &linked : view.linkedPeers())
    if (!findProblems(linked, sets.emplace_back()))
      return true; // what was found stays found
  bool leftOver = combine(sets);
  for (HealthFinding &finding : result.findings)
    if (!finding.witness && finding.text.empty()) {
      finding.verdict = Verdict::Holds;
      finding.exact = true;
    }
  for (uint32_t p = 0; p < numPeers; ++p) {
    std::string states;
    for (StateIndex s = 0; s < reached[p].size(); ++s)
      if (!reached[p][s])
        states += (states.empty() ? "" : ", ") + std::to_string(s);
    if (!states.empty())
      result.unreached.push_back("'" + view.peers[p].name +
                                 "' never reaches states: " + states);
  }
  return !leftOver || exploreOrphans();
}

std::optional<Rsc> cif::checkRsc(const Module &module, NetworkKind network,
                                 const Limits &limits,
                                 DiagnosticEngine &diags) {
  std::unique_ptr<PeerComposition> system = makePeerComposition(
      module, SemanticsOptions::peers(network, Observation::Both), diags);
  if (!system)
    return std::nullopt;
  Rsc result;
  RscCheck check(module, network, *system, limits, result, diags);
  check.findViolation();
  if (result.verdict == Verdict::Holds && !check.findProblems())
    return std::nullopt;
  return result;
}
