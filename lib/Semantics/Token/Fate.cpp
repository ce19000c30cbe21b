//===- Fate.cpp - What becomes of tokens, by structure --------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Three arguments about nets with any number of states, none of which is
/// explored.
///
/// A firing is *free* when one token on one place is all that it takes: no
/// guard, no message to wait for, and no test but that some places are empty.
///
/// Draining. Places get ranks, one after the other: p gets the next rank when a
/// free firing takes its token from p, gives tokens only to places with a rank,
/// and asks only places with a rank to be empty. A place that is only marked
/// while a place c with a rank is, and is cleared by c's firing, gets one too.
/// Where every place of a process that can be marked has a rank, every state
/// can reach one without tokens: of the marked places the one with the lowest
/// rank has its firing enabled, as what must be empty has lower ranks; each
/// such firing replaces a token by finitely many of lower ranks, which ends
/// [dershowitz1979]. So every state that is not complete has a step, and can
/// reach a complete one.
///
/// Ending. Some firings are chosen, and places and messages get ranks, one
/// after the other. A firing is chosen when whatever it adds to has a rank, and
/// something that it takes from has a higher one or none yet, which will be
/// higher. It covers the firings that are enabled only where it is. A place or
/// message gets the next rank when all firings that take from it are chosen or
/// covered. If in the end every firing is one of the two, every state can reach
/// one without steps: as long as there is a step, a chosen firing is enabled,
/// and each of these replaces a token or message by finitely many of lower
/// ranks, which ends [dershowitz1979]. So from every state an end can be
/// reached.
///
/// Traps [commoner1972]. Let Q be the largest set of a process's places, its
/// permit to start included, such that whatever takes from Q or clears some of
/// it gives to Q. Marked in the beginning, Q stays marked; so once the process
/// has started, it is never complete. If, in addition, each place of Q has a
/// free firing without tests, there is always a step.
///
/// A firing that gives to any of its places (Firing::split) is taken for one
/// that gives to all: one of its ways does, and whatever must be true of the
/// others is asked of the firings that give to one place alone.
///
/// Sound; not complete: to many nets none of these arguments applies.
///
//===----------------------------------------------------------------------===//

#include "Fate.h"
#include "cif/Graph/Reach.h"
#include <map>

using namespace cif;

namespace {
class Fate {
public:
  Fate(const TokenNet &of, bool sends, Budget &within)
      : net(of), sendsAlways(sends), budget(within), rank(of.numPlaces, 0) {}

  bool drains(ArrayRef<CollaborationProcess> processes);
  bool ends();
  /// Whether \p process has a trap as above.
  bool isTrapped(const CollaborationProcess &process, bool withSteps);

private:
  bool isReal(const Firing &firing) const {
    return !firing.never && !firing.stays;
  }
  bool isFree(const Firing &firing) const {
    return isReal(firing) && firing.kind != FiringKind::Deferred &&
           firing.pre.size() == 1 && firing.pre[0].count == 1 &&
           firing.marked == noIndex && firing.orJoin == noIndex &&
           !firing.guards && firing.action == noData &&
           (firing.message == noIndex ||
            (firing.kind == FiringKind::Send && sendsAlways));
  }
  /// Calls \p visit with each place that loses a token, or all.
  template <class Visit>
  void forEachTaken(const Firing &firing, Visit visit) const {
    for (const Arc &arc : firing.pre)
      visit(arc.place);
    if (firing.orJoin != noIndex)
      for (uint32_t place : net.orJoins[firing.orJoin].incoming)
        visit(place);
    if (firing.clears != noIndex)
      for (uint32_t place : net.sets[firing.clears])
        visit(place);
  }
  llvm::BitVector markable();
  /// \name Ending; messages are behind the places
  /// @{
  struct Effect {
    SmallVector<uint32_t, 4> takes, adds;
  };
  Effect effectOf(const Firing &firing) const;
  bool implies(const Firing &enabled, const Firing &other) const;
  /// @}
  bool isLower(const Firing &firing) const;
  bool follows(uint32_t place, uint32_t leader) const;
  bool spend(const Firing &firing) {
    size_t looks = 4 + firing.pre.size() + firing.post.size();
    for (uint32_t set : {firing.empty, firing.clears})
      looks += set == noIndex ? 0 : net.sets[set].size();
    return budget.spend(looks);
  }

  const TokenNet &net;
  const bool sendsAlways;
  Budget &budget;
  std::vector<uint32_t> rank; ///< by place; 0: none yet
  /// The places with a rank by a firing that clears others.
  std::vector<std::pair<uint32_t, const Firing *>> clearing;
};
} // namespace

/// The places to which a token may come, counts and tests aside.
llvm::BitVector Fate::markable() {
  llvm::BitVector marked(net.numPlaces);
  for (const Arc &arc : net.initial)
    marked.set(arc.place);
  for (bool grows = true; grows && !budget.stopped();) {
    grows = false;
    for (const Firing &firing : net.firings) {
      if (!isReal(firing) || spend(firing))
        continue;
      auto isMarked = [&](uint32_t place) { return marked.test(place); };
      if (!llvm::all_of(firing.pre,
                        [&](const Arc &arc) { return isMarked(arc.place); }) ||
          (firing.orJoin != noIndex &&
           llvm::none_of(net.orJoins[firing.orJoin].incoming, isMarked)))
        continue;
      for (const Arc &arc : firing.post) {
        grows |= !marked.test(arc.place);
        marked.set(arc.place);
      }
    }
  }
  return marked;
}

bool Fate::isLower(const Firing &firing) const {
  auto isRanked = [&](uint32_t place) { return rank[place] != 0; };
  return llvm::all_of(firing.post,
                      [&](const Arc &arc) {
                        return net.marks.test(arc.place) || isRanked(arc.place);
                      }) &&
         (firing.empty == noIndex ||
          llvm::all_of(net.sets[firing.empty], isRanked));
}

/// Whether \p place is only marked while \p leader is: what marks it marks the
/// leader too, and what takes from the leader clears it or gives back.
bool Fate::follows(uint32_t place, uint32_t leader) const {
  auto gives = [](const Firing &firing, uint32_t to) {
    return llvm::any_of(firing.post,
                        [&](const Arc &arc) { return arc.place == to; });
  };
  for (const Arc &arc : net.initial)
    if (arc.place == place)
      return false;
  for (const Firing &firing : net.firings) {
    if (!isReal(firing))
      continue;
    if (gives(firing, place) && !gives(firing, leader))
      return false;
    bool loses = false;
    forEachTaken(firing, [&](uint32_t taken) { loses |= taken == leader; });
    if (!loses || gives(firing, leader))
      continue;
    if (firing.clears == noIndex ||
        !llvm::is_contained(net.sets[firing.clears], place) ||
        gives(firing, place))
      return false;
  }
  return true;
}

bool Fate::drains(ArrayRef<CollaborationProcess> processes) {
  llvm::BitVector marked = markable();
  uint32_t next = 1;
  for (bool grows = true; grows && !budget.stopped();) {
    grows = false;
    for (const Firing &firing : net.firings) {
      if (!isFree(firing) || rank[firing.pre[0].place] || spend(firing) ||
          !isLower(firing))
        continue;
      rank[firing.pre[0].place] = next++;
      if (firing.clears != noIndex)
        clearing.push_back({firing.pre[0].place, &firing});
      grows = true;
    }
    for (size_t i = 0; i < clearing.size(); ++i)
      for (uint32_t place : net.sets[clearing[i].second->clears])
        if (!rank[place] && marked.test(place) &&
            !budget.spend(net.firings.size()) &&
            follows(place, clearing[i].first)) {
          rank[place] = next++;
          grows = true;
        }
  }
  if (budget.stopped())
    return false;
  for (const CollaborationProcess &process : processes)
    for (uint32_t place : process.tokens)
      if (marked.test(place) && !rank[place])
        return false;
  return true;
}

/// What a firing takes from and adds to on balance; what an inclusive join
/// takes is known only later, and is not told here.
Fate::Effect Fate::effectOf(const Firing &firing) const {
  std::map<uint32_t, int64_t> balance;
  for (const Arc &arc : firing.pre)
    balance[arc.place] -= arc.count;
  for (const Arc &arc : firing.post)
    if (!net.marks.test(arc.place))
      balance[arc.place] += arc.count;
  if (firing.message != noIndex)
    balance[net.numPlaces + firing.message] +=
        firing.kind == FiringKind::Send ? 1 : -1;
  Effect effect;
  for (auto [place, by] : balance)
    if (by)
      (by < 0 ? effect.takes : effect.adds).push_back(place);
  return effect;
}

/// Whether \p other is enabled wherever \p enabled is.
bool Fate::implies(const Firing &enabled, const Firing &other) const {
  auto isSame = [](uint32_t test, uint32_t tested) {
    return test == noIndex || test == tested;
  };
  if (other.orJoin != noIndex || !isSame(other.empty, enabled.empty) ||
      !isSame(other.marked, enabled.marked))
    return false;
  if (other.message != noIndex &&
      !(other.kind == FiringKind::Send && sendsAlways) &&
      (other.kind != enabled.kind || other.message != enabled.message))
    return false;
  return llvm::all_of(other.pre, [&](const Arc &arc) {
    return llvm::any_of(enabled.pre, [&](const Arc &has) {
      return has.place == arc.place && has.count >= arc.count;
    });
  });
}

bool Fate::ends() {
  size_t places = net.numPlaces;
  for (const Firing &firing : net.firings) {
    if (isReal(firing) && firing.kind == FiringKind::Deferred)
      return false; // its branches are worked out in each state
    if (firing.message != noIndex)
      places = std::max<size_t>(places, net.numPlaces + firing.message + 1);
  }
  const size_t number = net.firings.size();
  std::vector<uint32_t> ranks(places);
  std::vector<Effect> effects(number);
  std::vector<SmallVector<uint32_t, 2>> takers(places), chosenAt(net.numPlaces);
  llvm::BitVector chosen(number), settled(number); // chosen or covered
  for (uint32_t f = 0; f < number; ++f) {
    const Firing &firing = net.firings[f];
    if (!isReal(firing) || spend(firing)) {
      settled.set(f);
      continue;
    }
    effects[f] = effectOf(firing);
    // Whichever of its flows are marked.
    if (firing.orJoin != noIndex)
      effects[f].takes.append(net.orJoins[firing.orJoin].incoming);
    for (uint32_t place : effects[f].takes)
      takers[place].push_back(f);
  }
  auto isDescending = [&](uint32_t f) {
    const Effect &effect = effects[f];
    uint32_t highest = 0;
    for (uint32_t place : effect.adds) {
      if (!ranks[place])
        return false;
      highest = std::max(highest, ranks[place]);
    }
    auto isHigher = [&](uint32_t place) {
      return !ranks[place] || ranks[place] > highest;
    };
    return net.firings[f].orJoin != noIndex
               ? llvm::all_of(effect.takes, isHigher)
               : llvm::any_of(effect.takes, isHigher);
  };
  auto isCovered = [&](uint32_t f) {
    for (const Arc &arc : net.firings[f].pre)
      for (uint32_t other : chosenAt[arc.place])
        if (!budget.spend(4) && implies(net.firings[f], net.firings[other]))
          return true;
    return false;
  };
  uint32_t next = 1;
  for (bool grows = true; grows && !budget.stopped();) {
    grows = false;
    for (uint32_t f = 0; f < number; ++f) {
      if (chosen.test(f) || !isReal(net.firings[f]) || spend(net.firings[f]) ||
          !isDescending(f))
        continue;
      chosen.set(f);
      settled.set(f);
      if (!net.firings[f].pre.empty())
        chosenAt[net.firings[f].pre[0].place].push_back(f);
      grows = true;
    }
    for (uint32_t f = 0; f < number; ++f)
      if (!settled.test(f) && isCovered(f)) {
        settled.set(f);
        grows = true;
      }
    for (size_t place = 0; place < places; ++place)
      if (!ranks[place] && !budget.spend(takers[place].size() + 1) &&
          llvm::all_of(takers[place],
                       [&](uint32_t f) { return settled.test(f); })) {
        ranks[place] = next++;
        grows = true;
      }
  }
  return !budget.stopped() && settled.all();
}

bool Fate::isTrapped(const CollaborationProcess &process, bool withSteps) {
  llvm::BitVector trap(net.numPlaces), free(net.numPlaces);
  for (const Firing &firing : net.firings)
    if (isFree(firing) && firing.empty == noIndex)
      free.set(firing.pre[0].place);
  auto add = [&](uint32_t place) {
    if (!withSteps || free.test(place))
      trap.set(place);
  };
  for (uint32_t place : process.tokens)
    add(place);
  if (process.permit != noneOf)
    add(process.permit);
  for (bool shrinks = true; shrinks && !budget.stopped();) {
    shrinks = false;
    for (const Firing &firing : net.firings) {
      if (!isReal(firing) || spend(firing) ||
          llvm::any_of(firing.post,
                       [&](const Arc &arc) { return trap.test(arc.place); }))
        continue;
      forEachTaken(firing, [&](uint32_t place) {
        shrinks |= trap.test(place);
        trap.reset(place);
      });
    }
  }
  return !budget.stopped() && llvm::any_of(net.initial, [&](const Arc &arc) {
    return trap.test(arc.place);
  });
}

TokenFate cif::findFate(const TokenNet &net,
                        ArrayRef<CollaborationProcess> processes,
                        bool sendsAlways, Budget &budget) {
  Fate fate(net, sendsAlways, budget);
  TokenFate found;
  found.drains = fate.drains(processes);
  // What is known of the data may grow with each exchange.
  found.ends = !net.data && fate.ends();
  for (const CollaborationProcess &process : processes) {
    found.neverCompletes.push_back(fate.isTrapped(process, false));
    found.alwaysSteps.push_back(fate.isTrapped(process, true));
  }
  return found;
}

bool cif::isAcyclic(const TokenNet &net) {
  // Places and firings in one graph.
  size_t numNodes = net.numPlaces + net.firings.size();
  std::vector<SmallVector<uint32_t, 2>> next(numNodes);
  auto connect = [&](uint32_t from, uint32_t to) { next[from].push_back(to); };
  for (size_t f = 0; f < net.firings.size(); ++f) {
    const Firing &firing = net.firings[f];
    const uint32_t at = net.numPlaces + f;
    for (const Arc &arc : firing.pre)
      connect(arc.place, at);
    if (firing.orJoin != noIndex)
      for (uint32_t place : net.orJoins[firing.orJoin].incoming)
        connect(place, at);
    for (const Arc &arc : firing.post)
      if (!net.marks.test(arc.place))
        connect(at, arc.place);
  }
  return isAcyclic(numNodes, [&](uint32_t n, auto visit) {
    llvm::for_each(next[n], visit);
  });
}
