//===- NaiveProperties.h - Properties of collaborations, by definition ----===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The properties of docs/soundness.md, word for word, on the states that a
/// naive interpreter finds (NaiveFbpmn.h, NaiveDetailed.h). Reachability is a
/// walk for each question, and a fair run is looked for in sets of states.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_NAIVEPROPERTIES_H
#define CIF_TEST_UNIT_NAIVEPROPERTIES_H

#include "NaiveDetailed.h"
#include "NaiveFbpmn.h"
#include "NaiveGenerator.h"
#include "cif/Check/Collaboration/Properties.h"
#include <functional>
#include <optional>

namespace cif::naive {

class Properties {
public:
  /// All states of \p model; nothing: there are more than \p most.
  template <class Model>
  static std::optional<Properties> of(const Diagram &diagram,
                                      const Model &model, size_t most) {
    using State = decltype(model.initial());
    Properties p(diagram);
    std::map<State, int> number;
    std::vector<State> states;
    auto add = [&](const State &s) {
      auto [at, isNew] = number.try_emplace(s, int(states.size()));
      if (isNew)
        states.push_back(s);
      return at->second;
    };
    add(model.initial());
    for (size_t s = 0; s < states.size(); ++s) {
      if (states.size() > most)
        return std::nullopt;
      if constexpr (std::is_same_v<State, naive::State>)
        p.states.push_back(states[s]);
      p.complete.push_back(model.complete(states[s]));
      p.empty.push_back(model.empty(states[s]));
      p.sound.push_back(model.sound(states[s]));
      p.transit.push_back(model.transit(states[s]));
      p.most.push_back(mostTokens(states[s]));
      auto &row = p.next.emplace_back();
      for (auto &taken : model.next(State(states[s])))
        row.push_back({add(taken.to), std::move(taken.mark)});
    }
    return p;
  }

  bool holds(CollaborationProperty property) const {
    switch (property) {
    case CollaborationProperty::Safe:
      return *std::max_element(most.begin(), most.end()) <= 1;
    case CollaborationProperty::Bounded:
      return true; // all states are here
    case CollaborationProperty::DeadlockFree:
      return all([&](int s) { return !next[s].empty() || complete[s]; });
    case CollaborationProperty::LivelockFree:
      return all([&](int s) {
        return reaches(s,
                       [&](int t) { return complete[t] || next[t].empty(); });
      });
    case CollaborationProperty::OptionToComplete:
      return all([&](int s) {
        return reaches(s, [&](int t) { return bool(complete[t]); });
      });
    case CollaborationProperty::ProperCompletion:
      return completesProperly();
    case CollaborationProperty::NoDeadActivity:
      return nothingIsDead();
    case CollaborationProperty::NoUndeliveredMessage:
      return allAreDelivered();
    case CollaborationProperty::Sound:
      return isSound(true);
    case CollaborationProperty::MessageRelaxedSound:
      return isSound(false);
    }
    return false;
  }
  size_t numStates() const { return next.size(); }

  //===--------------------------------------------------------------------===//
  // Temporal properties of states: \p a and \p b are asked with a number
  //===--------------------------------------------------------------------===//

  using Predicate = std::function<bool(int)>;
  const State &state(int s) const { return states[s]; }
  bool isComplete(int s) const { return complete[s]; }
  bool always(const Predicate &a) const { return all(a); }
  bool eventually(const Predicate &a, bool fair) const {
    return a(0) || !lasts({0}, where(a, false), fair);
  }
  bool againAndAgain(const Predicate &a, bool fair) const {
    std::set<int> others = where(a, false);
    return !lasts(others, others, fair);
  }
  bool finallyAlways(const Predicate &a, bool fair) const {
    std::set<int> everything = where([](int) { return true; }, true);
    for (int s : where(a, false))
      if (next[s].empty() || (!fair && reached(s, everything).count(s)))
        return false;
    return !fair || !hasFairRun(everything, [&](int s) { return !a(s); });
  }
  bool answered(const Predicate &a, const Predicate &b, bool fair) const {
    std::set<int> waiting = where(b, false), asking;
    for (int s : waiting)
      if (a(s))
        asking.insert(s);
    return !lasts(asking, waiting, fair);
  }

private:
  std::set<int> where(const Predicate &a, bool is) const {
    std::set<int> found;
    for (size_t s = 0; s < next.size(); ++s)
      if (a(int(s)) == is)
        found.insert(int(s));
    return found;
  }
  /// Whether a run from one of \p from can stay in \p within, to its end or for
  /// ever.
  bool lasts(const std::set<int> &from, const std::set<int> &within,
             bool fair) const {
    std::set<int> there;
    for (int s : from)
      if (within.count(s)) {
        there.insert(s);
        there.merge(reached(s, within));
      }
    for (int s : there)
      if (next[s].empty() || (!fair && reached(s, there).count(s)))
        return true;
    return fair && hasFairRun(there, [](int) { return true; });
  }

  struct Edge {
    int to;
    Mark mark;
  };
  explicit Properties(const Diagram &of) : d(of) {}

  template <class What>
  bool all(What what) const {
    for (size_t s = 0; s < next.size(); ++s)
      if (!what(int(s)))
        return false;
    return true;
  }
  template <class Goal>
  bool reaches(int from, Goal goal) const {
    std::vector<bool> seen(next.size());
    std::vector<int> work{from};
    while (!work.empty()) {
      int s = work.back();
      work.pop_back();
      if (goal(s))
        return true;
      for (const Edge &e : next[s])
        if (!seen[e.to]) {
          seen[e.to] = true;
          work.push_back(e.to);
        }
    }
    return false;
  }

  bool completesProperly() const {
    for (size_t n = 0; n < d.nodes.size(); ++n) {
      if (!Diagram::isEnd(d.nodes[n].kind) || d.nodes[n].parent >= 0)
        continue;
      // States with how often it was reached, up to two.
      std::set<std::pair<int, int>> seen{{0, 0}};
      std::vector<std::pair<int, int>> work{{0, 0}};
      while (!work.empty()) {
        auto [s, times] = work.back();
        work.pop_back();
        if (times == 2 && empty[s])
          return false;
        for (const Edge &e : next[s]) {
          std::pair<int, int> to{
              e.to, std::min(2, times + (e.mark.starts == int(n)))};
          if (seen.insert(to).second)
            work.push_back(to);
        }
      }
    }
    return true;
  }
  /// A pair of link events is a flow.
  static bool canBeDead(Kind k) {
    return !isGateway(k) && k != Kind::Called && k != Kind::LinkThrow &&
           k != Kind::LinkCatch;
  }
  bool nothingIsDead() const {
    std::set<int> started;
    for (const auto &row : next)
      for (const Edge &e : row)
        started.insert({e.mark.starts, e.mark.catches});
    for (size_t n = 0; n < d.nodes.size(); ++n)
      if (canBeDead(d.nodes[n].kind) && !started.count(n))
        return false;
    return true;
  }
  bool allAreDelivered() const {
    for (size_t s = 0; s < next.size(); ++s)
      if (complete[s])
        for (const std::string &m : transit[s])
          if (!reaches(int(s), [&](int t) {
                for (const Edge &e : next[t])
                  if (e.mark.received == m)
                    return true;
                return false;
              }))
            return false;
    return true;
  }

  //===--------------------------------------------------------------------===//
  // Fair runs
  //===--------------------------------------------------------------------===//

  /// Nodes are weakly fair, chosen flows strongly: 'n' 3, 'f' 7.
  using Class = std::pair<char, int>;
  static std::set<Class> classesOf(const Edge &e) {
    std::set<Class> all{{'n', e.mark.node}};
    if (e.mark.event >= 0)
      all.insert({'n', e.mark.event});
    if (e.mark.flow >= 0)
      all.insert({'f', e.mark.flow});
    return all;
  }
  /// What is possible in a state; a step that changes nothing is none.
  std::set<Class> enabled(int s) const {
    std::set<Class> all;
    for (const Edge &e : next[s])
      if (e.to != s)
        all.merge(classesOf(e));
    return all;
  }
  /// The states of \p within that \p from reaches in it, by a step at least.
  std::set<int> reached(int from, const std::set<int> &within) const {
    std::vector<bool> inside(next.size());
    for (int s : within)
      inside[s] = true;
    std::vector<bool> seen = reached(from, inside);
    std::set<int> all;
    for (size_t s = 0; s < seen.size(); ++s)
      if (seen[s])
        all.insert(all.end(), int(s));
    return all;
  }
  std::vector<bool> reached(int from, const std::vector<bool> &within) const {
    std::vector<bool> seen(next.size());
    std::vector<int> work{from};
    while (!work.empty()) {
      int s = work.back();
      work.pop_back();
      for (const Edge &e : next[s])
        if (within[e.to] && !seen[e.to]) {
          seen[e.to] = true;
          work.push_back(e.to);
        }
    }
    return seen;
  }
  /// Whether a run can stay in \p within for ever, be fair and come to a bad
  /// state again and again.
  template <class Bad>
  bool hasFairRun(std::set<int> within, Bad bad) const {
    std::vector<bool> inside(next.size());
    for (int s : within)
      inside[s] = true;
    std::map<int, std::vector<bool>> to;
    for (int s : within)
      to[s] = reached(s, inside);
    while (!within.empty()) {
      int s = *within.begin();
      std::set<int> part;
      for (int t : within)
        if (to[s][t] && (t == s || to[t][s]))
          part.insert(t);
      within.erase(s);
      for (int t : part)
        within.erase(t);
      if (!part.count(s))
        continue; // no way back
      bool anyBad = false;
      for (int t : part)
        anyBad = anyBad || bad(t);
      if (!anyBad)
        continue;
      std::map<Class, size_t> possible;
      std::set<Class> taken;
      for (int t : part) {
        for (const Class &c : enabled(t))
          ++possible[c];
        for (const Edge &e : next[t])
          if (e.to != t && part.count(e.to))
            taken.merge(classesOf(e));
      }
      bool fair = true, weak = true;
      std::set<int> rest = part;
      for (auto &[c, times] : possible)
        if (!taken.count(c)) {
          weak = weak && times < part.size();
          if (c.first != 'f')
            continue;
          fair = false;
          for (int t : part)
            if (enabled(t).count(c))
              rest.erase(t);
        }
      if (weak && (fair || hasFairRun(rest, bad)))
        return true;
    }
    return false;
  }
  bool isSound(bool messages) const {
    auto bad = [&](int s) {
      return !sound[s] || (messages && !transit[s].empty());
    };
    std::set<int> states;
    for (size_t s = 0; s < next.size(); ++s) {
      if (next[s].empty() && bad(int(s)))
        return false;
      states.insert(int(s));
    }
    return !hasFairRun(states, bad);
  }

  const Diagram &d;
  std::vector<State> states;
  std::vector<std::vector<Edge>> next;
  std::vector<bool> complete, empty, sound;
  std::vector<std::set<std::string>> transit;
  std::vector<int> most; ///< tokens on a flow
};

} // namespace cif::naive

#endif
