//===- Implementability.cpp - Choreographies that have an implementation --===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: [li25], the coherence conditions, in their finite-state
/// form. Input class: choreographies that can always continue or end, in
/// which each choice is between exchanges of one sender, up to the order of
/// independent exchanges (SenderDriven.h). Others are inconclusive, with the
/// reason, unless a choice is one that nobody makes.
///
/// Sound/complete for: exact within that class, for unbounded queues for
/// each ordered pair, for the language up to the order of independent
/// exchanges, including deadlock-freedom. If the conditions hold, the
/// subset construction of the part of each participant (--project) is an
/// implementation [li23].
///
/// Differs from the paper: a choreography with silent steps or with several
/// ways to the same exchange is determinised first, which preserves its
/// finite and infinite words, because no state is a dead end. Where it may end
/// or go on, one more condition (Coherence::End): whenever it has to go on,
/// somebody knows; that is decided in most cases. docs/algorithms.md has the
/// argument.
///
//===----------------------------------------------------------------------===//

#include "cif/Check/Peers/Implementability.h"
#include "SenderDriven.h"
#include "cif/Equivalence/Minimize.h"
#include "cif/Graph/Reach.h"
#include "cif/Graph/Search.h"
#include "cif/LTS/Graph.h"
#include "cif/LTS/Operations.h"
#include "cif/Transforms/Project.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include <map>

using namespace cif;
using llvm::BitVector;

static std::vector<Label> labelsOf(const Lts &lts, const Path &path) {
  std::vector<Label> run;
  for (uint32_t t : path.transitions)
    if (lts.label[t] != tauLabel)
      run.push_back(lts.labels[lts.label[t]]);
  return run;
}

/// Final states where nothing is said of them: those without a way on.
static void sayFinals(Lts &lts) {
  if (lts.saysFinal())
    return;
  std::vector<uint64_t> bits((lts.numStates() + 63) / 64, 0);
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    if (lts.labelsOf(s).empty())
      bits[s / 64] |= uint64_t(1) << (s % 64);
  lts.finals = std::move(bits);
}

/// States from which no exchange and no end can be reached silently.
static BitVector deadEnds(const Lts &lts) {
  Reach<StateIndex> fine(lts.numStates());
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    if (lts.isFinal(s) || llvm::any_of(lts.labelsOf(s), [](LabelIndex l) {
          return l != tauLabel;
        }))
      fine.add(s);
  Predecessors silent(lts, tauLabel);
  for (StateIndex s; fine.take(s);)
    for (StateIndex before : silent.of(s))
      fine.add(before);
  return fine.nodes().flip();
}

namespace {
constexpr uint32_t none = UINT32_MAX;

/// A deterministic choreography without silent steps, over numbers.
class CoherenceCheck {
public:
  CoherenceCheck(const Lts &global, const Limits &limits,
                 Implementability &into)
      : lts(global), budget(limits), result(into),
        participants(participantsOf(global)) {
    llvm::StringMap<uint32_t> numbers;
    for (uint32_t p = 0; p < participants.size(); ++p)
      numbers.try_emplace(participants[p], p);
    for (const Label &label : lts.labels)
      exchanges.push_back(label.kind == LabelKind::Exchange
                              ? Exchange{numbers.lookup(label.sender),
                                         numbers.lookup(label.receiver)}
                              : Exchange{});
  }

  void run() {
    mayEnd.assign(lts.numStates(), 0);
    for (uint32_t p = 0; p < participants.size(); ++p)
      if (!check(p))
        return;
    if (!result.incoherence && !checkEnds())
      return;
    result.verdict = result.incoherence ? Verdict::Violated : Verdict::Holds;
  }

  /// Of a choreography that is implementable under fifo-pair: what \p network
  /// needs besides (docs/algorithms.md, "Other networks").
  void lookAt(NetworkKind network) {
    if (network == NetworkKind::Inbox || network == NetworkKind::FifoAll)
      result.keepsOrder = nobodyIsEarly(/*atOnce=*/false);
    else if (network == NetworkKind::Bag)
      result.keepsOrder = isTakenInOrder();
    else if (network == NetworkKind::Rsc)
      result.keepsOrder = nobodyIsEarly(/*atOnce=*/true);
    result.limit.clear(); // that of fifo-pair is known
  }

private:
  struct Exchange {
    uint32_t sender = UINT32_MAX, receiver = UINT32_MAX;
    bool involves(uint32_t p) const { return sender == p || receiver == p; }
  };

  bool check(uint32_t p, StateIndex unended = UINT32_MAX);
  void findSends(uint32_t p);
  bool nobodyIsEarly(bool atOnce);
  bool isTakenInOrder();
  bool checkEnds();
  bool goesOnBeside(StateIndex s);
  bool isCoherent(uint32_t p, StateIndex a, StateIndex b, Incoherence &found);
  bool available(LabelIndex sent, StateIndex start,
                 std::vector<Label> &meanwhile);
  /// \name A state of the choreography, and a set of participants
  /// @{
  using StateAndSet = std::vector<uint32_t>;
  StateAndSet withNobody(StateIndex s) const {
    StateAndSet result(1 + (participants.size() + 31) / 32, 0);
    result[0] = s;
    return result;
  }
  static bool has(const StateAndSet &in, uint32_t who) {
    return in[1 + who / 32] >> (who % 32) & 1;
  }
  static void add(StateAndSet &to, uint32_t who) {
    to[1 + who / 32] |= 1u << (who % 32);
  }
  /// @}

  /// Whether \p search ended at a limit, which is then that of the check.
  template <class Search>
  bool wasStopped(const Search &search) {
    if (!search.limit.empty())
      result.limit = stoppedText(search.limit);
    return !search.limit.empty();
  }
  /// The labels of transitions, except for `none`.
  std::vector<Label> labelsAt(ArrayRef<uint32_t> transitions) const {
    std::vector<Label> labels;
    for (uint32_t t : transitions)
      if (t != none)
        labels.push_back(lts.labels[lts.label[t]]);
    return labels;
  }

  const Lts &lts;
  Budget budget;
  Implementability &result;
  std::vector<std::string> participants;
  std::vector<Exchange> exchanges; ///< by label
  LabelledPredecessors before{lts};

  /// Messages overtake each other, those of one sender too.
  bool unordered = false;
  // Of the participant that is being looked at.
  llvm::DenseSet<uint64_t> possible; ///< label and state: it can be sent
  /// For messages that are there early; steps are transitions.
  std::map<LabelIndex, StateSearch<uint32_t>> searches;
  size_t shortest = SIZE_MAX; ///< both runs of the incoherence kept so far
  /// Of each state: how many participants know of a complete run that looks
  /// like one to it; and whether who sends next is among them.
  std::vector<uint32_t> mayEnd;
  llvm::BitVector senderMayEnd{static_cast<unsigned>(lts.numStates())};
};
} // namespace

/// The sends of \p p, each with the states from which it can be sent without
/// another step of p.
void CoherenceCheck::findSends(uint32_t p) {
  possible.clear();
  std::vector<std::pair<LabelIndex, StateIndex>> work;
  auto reach = [&](LabelIndex l, StateIndex s) {
    if (possible.insert(uint64_t(l) << 32 | s).second)
      work.push_back({l, s});
  };
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    for (LabelIndex l : lts.labelsOf(s))
      if (exchanges[l].sender == p)
        reach(l, s);
  while (!work.empty()) {
    auto [l, s] = work.back();
    work.pop_back();
    for (uint32_t i = before.begin[s]; i < before.begin[s + 1]; ++i)
      if (!exchanges[before.label[i]].involves(p))
        reach(l, before.source[i]);
  }
}

/// Whether \p sent, sent by q to p, can be there after \p start although p
/// has not taken what was sent to it last: a path to it on which nobody has to
/// wait for p, and on which it is the first message from q to p. A state is a
/// state of the choreography and those who have to wait. Those of earlier
/// searches for the same message led nowhere.
bool CoherenceCheck::available(LabelIndex sent, StateIndex start,
                               std::vector<Label> &meanwhile) {
  const auto [q, p] = exchanges[sent];
  StateSearch<uint32_t> &search = searches[sent];
  StateAndSet state = withNobody(start), next;
  add(state, p);
  search.start(state);
  while (search.next(state, budget)) {
    if (has(state, q))
      continue;
    for (uint32_t t = lts.rowBegin[state[0]]; t < lts.rowBegin[state[0] + 1];
         ++t) {
      LabelIndex l = lts.label[t];
      if (l == sent) {
        meanwhile = labelsAt(search.run());
        meanwhile.push_back(lts.labels[l]);
        return true;
      }
      if (!unordered && exchanges[l].sender == q && exchanges[l].receiver == p)
        continue; // that one comes first
      next = state;
      next[0] = lts.target[t];
      if (has(state, exchanges[l].sender))
        add(next, exchanges[l].receiver);
      search.reach(next, t);
    }
  }
  wasStopped(search);
  return false;
}

/// Looks at what \p p does in \p a, given that it may as well be in \p b.
bool CoherenceCheck::isCoherent(uint32_t p, StateIndex a, StateIndex b,
                                Incoherence &found) {
  for (LabelIndex l : lts.labelsOf(a)) {
    found.here = lts.labels[l];
    if (exchanges[l].sender == p) {
      for (LabelIndex other : lts.labelsOf(b))
        if (exchanges[other].receiver == p) {
          found.kind = Coherence::NotMixed;
          found.there = lts.labels[other];
          return false;
        }
      if (!possible.contains(uint64_t(l) << 32 | b)) {
        found.kind = Coherence::Send;
        return false;
      }
    }
    if (exchanges[l].receiver != p)
      continue;
    for (uint32_t t = lts.rowBegin[b]; t < lts.rowBegin[b + 1]; ++t) {
      const Exchange &other = exchanges[lts.label[t]];
      if (other.receiver == p &&
          (unordered ? lts.label[t] != l
                     : other.sender != exchanges[l].sender) &&
          available(l, lts.target[t], found.meanwhile)) {
        found.kind = Coherence::Receive;
        found.there = lts.labels[lts.label[t]];
        return false;
      }
    }
  }
  return true;
}

/// Goes through the pairs of states after runs that are the same for \p p, and
/// keeps the first incoherence when it is shorter than those before; or finds
/// runs to \p unended and to an end. False: a limit was met.
bool CoherenceCheck::check(uint32_t p, StateIndex unended) {
  findSends(p);
  searches.clear();
  struct Both {
    uint32_t left, right; ///< transitions, or none
  };
  StateSearch<Both> search;
  auto reach = [&](StateIndex a, StateIndex b, Both by) {
    search.reach({a, b}, by);
  };
  std::vector<uint8_t> ends(lts.numStates());
  search.start({lts.initial, lts.initial});
  for (std::vector<uint32_t> pair; search.next(pair, budget);) {
    const StateIndex a = pair[0], b = pair[1];
    Incoherence found;
    if (unended == UINT32_MAX && lts.isFinal(b) && ends[a] == 0)
      ends[a] = 1;
    if (a == unended && lts.isFinal(b)) {
      found.kind = Coherence::End;
      found.here = lts.labels[lts.labelsOf(a).front()];
    }
    if (found.kind == Coherence::End ||
        (unended == UINT32_MAX && !isCoherent(p, a, b, found))) {
      std::vector<uint32_t> left, right;
      for (Both by : search.run()) {
        left.push_back(by.left);
        right.push_back(by.right);
      }
      found.first = labelsAt(left);
      found.second = labelsAt(right);
      size_t length = found.first.size() + found.second.size();
      if (length < shortest) {
        shortest = length;
        found.participant = participants[p];
        result.incoherence = std::move(found);
      }
      break;
    }
    if (!result.limit.empty())
      return false;
    for (uint32_t t = lts.rowBegin[a]; t < lts.rowBegin[a + 1]; ++t) {
      if (!exchanges[lts.label[t]].involves(p)) {
        reach(lts.target[t], b, {t, none});
        continue;
      }
      for (uint32_t u = lts.rowBegin[b]; u < lts.rowBegin[b + 1]; ++u)
        if (lts.label[u] == lts.label[t])
          reach(lts.target[t], lts.target[u], {t, u});
    }
    for (uint32_t u = lts.rowBegin[b]; u < lts.rowBegin[b + 1]; ++u)
      if (!exchanges[lts.label[u]].involves(p))
        reach(a, lts.target[u], {none, u});
  }
  if (wasStopped(search))
    return false;
  result.pairs += search.states.size();
  for (StateIndex s = 0; s < lts.numStates(); ++s) {
    mayEnd[s] += ends[s];
    if (ends[s] && !lts.labelsOf(s).empty() &&
        exchanges[lts.labelsOf(s).front()].sender == p)
      senderMayEnd.set(s);
  }
  return true;
}

/// Whether nobody sends to p before it knows of an exchange of p before.
/// \p atOnce false: messages to one participant are sent in the order in which
/// it is to receive them, because each sender knows of the one before. From a
/// message q to p on, what q and p do depends on it, and whatever those do to
/// whom that has been sent. True: nobody sends to a participant that has
/// something else to do first. From an exchange of p on, whoever sends to p
/// next waits for the exchange, directly or through others; exchanges that are
/// complete make both wait. The result is false where there is one to p that
/// does not, or a limit was met.
bool CoherenceCheck::nobodyIsEarly(bool atOnce) {
  StateAndSet state, next;
  for (uint32_t p = 0; p < participants.size(); ++p) {
    StateSearch<NoStep> search; // states, and those who know
    for (uint32_t t = 0; t < lts.numTransitions(); ++t)
      if (const Exchange &x = exchanges[lts.label[t]];
          atOnce ? x.involves(p) : x.receiver == p) {
        next = withNobody(lts.target[t]);
        add(next, x.sender);
        add(next, x.receiver);
        search.start(next);
      }
    while (search.next(state, budget))
      for (uint32_t t = lts.rowBegin[state[0]]; t < lts.rowBegin[state[0] + 1];
           ++t) {
        const Exchange &x = exchanges[lts.label[t]];
        if (x.receiver == p && !has(state, x.sender)) {
          result.early = lts.labels[lts.label[t]];
          return false;
        }
        if (atOnce && x.involves(p))
          continue;
        next = state;
        next[0] = lts.target[t];
        if (has(state, x.sender) || (atOnce && has(state, x.receiver))) {
          add(next, x.sender);
          add(next, x.receiver);
        }
        search.reach(next, {});
      }
    if (wasStopped(search))
      return false;
  }
  return true;
}

/// Receive coherence where any message may overtake any other, those of one
/// sender too. False: it does not hold, or a limit was met.
bool CoherenceCheck::isTakenInOrder() {
  unordered = true;
  for (uint32_t p = 0; p < participants.size(); ++p)
    if (!check(p) || result.incoherence)
      break;
  if (result.incoherence)
    result.early = result.incoherence->here;
  bool holds = !result.incoherence && result.limit.empty();
  result.incoherence.reset();
  return holds;
}

/// Whether an exchange can be complete after \p s although the next one is not
/// done: none of those who wait for it, directly or not, takes part.
bool CoherenceCheck::goesOnBeside(StateIndex s) {
  StateSearch<NoStep> search; // states, and those who wait
  StateAndSet state, next;
  for (uint32_t t = lts.rowBegin[s]; t < lts.rowBegin[s + 1]; ++t) {
    next = withNobody(lts.target[t]);
    add(next, exchanges[lts.label[t]].sender);
    add(next, exchanges[lts.label[t]].receiver);
    search.start(next);
  }
  while (search.next(state, budget)) {
    for (uint32_t t = lts.rowBegin[state[0]]; t < lts.rowBegin[state[0] + 1];
         ++t) {
      const Exchange &x = exchanges[lts.label[t]];
      if (!has(state, x.sender) && !has(state, x.receiver))
        return true;
      next = state;
      next[0] = lts.target[t];
      if (has(state, x.sender))
        add(next, x.receiver);
      search.reach(next, {});
    }
  }
  return wasStopped(search);
}

/// Whether everybody is done exactly where the choreography may end. False:
/// that is not known, and `gap` or `limit` says why.
bool CoherenceCheck::checkEnds() {
  StateIndex open = UINT32_MAX;
  for (StateIndex s = 0; s < lts.numStates(); ++s) {
    if (lts.labelsOf(s).empty())
      continue;
    if (!lts.isFinal(s) && mayEnd[s] == participants.size())
      return check(exchanges[lts.labelsOf(s).front()].sender, s);
    if (lts.isFinal(s) ? goesOnBeside(s) : senderMayEnd.test(s))
      open = std::min(open, s);
    if (!result.limit.empty())
      return false;
  }
  if (open == UINT32_MAX)
    return true;
  const Label &next = lts.labels[lts.labelsOf(open).front()];
  result.gap = "it may end or go on: '" + next.sender + "' may send '" +
               next.message + "' or not";
  result.remedy = "to get a verdict, let '" + next.sender +
                  "' send a last message where it ends";
  if (std::optional<Path> path =
          shortestPath(lts, [&](StateIndex s) { return s == open; }))
    result.gapRun = labelsOf(lts, *path);
  return false;
}

Implementability cif::checkImplementability(const Lts &global,
                                            const Limits &limits,
                                            NetworkKind network) {
  Implementability result;
  Lts open = reachablePart(global);
  sayFinals(open);
  BitVector dead = deadEnds(open);
  if (std::optional<Path> path =
          shortestPath(open, [&](StateIndex s) { return dead.test(s); })) {
    result.gap =
        "it gets stuck: nothing can happen, and this is not a final state";
    result.remedy = "to get a verdict, let it end there or go on";
    result.gapRun = labelsOf(open, *path);
    return result;
  }
  Budget budget(limits);
  Outcome<Lts> lts = minimizeWithin(open, Relation::WeakTrace, budget);
  if (!lts) {
    result.limit = stoppedText(lts.limit());
    return result;
  }
  result.states = lts->numStates();
  result.transitions = lts->numTransitions();
  auto sender = [&](LabelIndex l) -> StringRef {
    return lts->labels[l].sender;
  };
  LabelIndex one = 0, other = 0;
  std::optional<Path> path = shortestPath(*lts, [&](StateIndex s) {
    for (LabelIndex l : lts->labelsOf(s)) {
      one = lts->labelsOf(s).front();
      other = l;
      if (sender(l) != sender(one))
        return true;
    }
    return false;
  });
  std::optional<Lts> part;
  if (path)
    part = senderDrivenPart(*lts, budget);
  if (!path || part) {
    CoherenceCheck check(part ? *part : *lts, limits, result);
    check.run();
    if (result.verdict == Verdict::Holds)
      check.lookAt(network);
    result.words = std::move(*lts);
    return result;
  }
  if (std::optional<OpenChoice> choice = findOpenChoice(*lts, budget)) {
    Incoherence &found = result.incoherence.emplace();
    found.kind = Coherence::Decided;
    found.participant = choice->one.sender;
    found.first = choice->run;
    found.second = choice->run;
    found.here = choice->one;
    found.there = choice->other;
    result.verdict = Verdict::Violated;
    result.words = std::move(*lts);
    return result;
  }
  result.gap =
      ("its choices are not sender-driven: '" + sender(one) + "' may send '" +
       lts->labels[one].message + "' or '" + sender(other) + "' may send '" +
       lts->labels[other].message + "'")
          .str();
  result.remedy =
      ("to get a verdict, let one of the two come after the other, or "
       "let '" +
       sender(one) + "' or '" + sender(other) + "' send in both cases")
          .str();
  result.gapRun = labelsOf(*lts, *path);
  result.words = std::move(*lts);
  return result;
}

/// What to do where something is wrong under fifo-pair, and nothing follows for
/// \p network (docs/algorithms.md, "Other networks").
static std::string remedyOfPairs(NetworkKind network) {
  StringRef premise;
  if (network == NetworkKind::Rsc)
    premise = ", if nobody sends to a participant that has something else to "
              "do first";
  else if (network == NetworkKind::Inbox || network == NetworkKind::FifoAll)
    premise = ", if the messages to each participant are sent in the order in "
              "which it is to receive them";
  return ("to get a verdict, mend what --network=fifo-pair reports: what is "
          "implementable there is so under " +
          networkText(network) + premise)
      .str();
}

Implementability cif::implementabilityUnder(NetworkKind network,
                                            Implementability pairs) {
  const bool oneAtATime = networkHas(network, NetworkIsFinite);
  // Whether one of the two who send at once sees nothing of the other, and
  // whether nobody sees anything of both.
  auto areApart = [&](const Label &x, const Label &y) {
    const bool apart = x.receiver != y.sender && y.receiver != x.sender;
    return network == NetworkKind::Sync
               ? apart && x.receiver != y.receiver
               : x.receiver != y.sender || y.receiver != x.sender;
  };
  bool known = network == NetworkKind::FifoPair ||
               pairs.verdict == Verdict::Inconclusive;
  if (pairs.incoherence)
    switch (pairs.incoherence->kind) {
    case Coherence::End:
      known = true;
      break;
    case Coherence::Send:
      known |= network != NetworkKind::Sync;
      break;
    case Coherence::NotMixed:
      known |= !oneAtATime;
      break;
    case Coherence::Decided:
      known |= !oneAtATime ||
               areApart(pairs.incoherence->here, pairs.incoherence->there);
      break;
    case Coherence::Receive:
      known |= network == NetworkKind::Bag;
      break;
    }
  else
    known |= network == NetworkKind::Sync || network == NetworkKind::Outbox ||
             network == NetworkKind::Causal || pairs.keepsOrder;
  if (known)
    return pairs;
  const bool holds = pairs.verdict == Verdict::Holds;
  pairs.verdict = Verdict::Inconclusive;
  pairs.incoherence.reset();
  pairs.gap = ("they are about fifo-pair, under which it is " +
               Twine(holds ? "implementable" : "not implementable") +
               ", which implies nothing for " + networkText(network))
                  .str();
  const Label &early = pairs.early;
  if (holds && !early.message.empty())
    pairs.remedy =
        "to get a verdict, let '" + early.sender + "' send '" + early.message +
        "' to '" + early.receiver + "' only after it has heard of " +
        (network == NetworkKind::Bag ? "the reception that is to come before it"
         : network == NetworkKind::Rsc
             ? "what '" + early.receiver + "' is to do before"
             : "the message that is to arrive before it");
  if (!holds)
    pairs.remedy = remedyOfPairs(network);
  return pairs;
}
