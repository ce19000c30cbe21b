//===- NaiveRelations.h - The relations, straight from definitions ------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every relation written down as its definition, for small LTSs only: the
/// engine's verdicts are held against these. Nothing here uses the engine.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_NAIVERELATIONS_H
#define CIF_TEST_UNIT_NAIVERELATIONS_H

#include "cif/Equivalence/Relation.h"
#include "cif/IR/Lts.h"
#include <map>
#include <random>
#include <set>

namespace naive {

struct Graph {
  unsigned n = 0;
  unsigned labels = 0;                   // 0 is tau
  std::vector<std::set<unsigned>> post;  // [state * labels + label]
  std::vector<std::set<unsigned>> reach; // by silent steps, reflexive

  const std::set<unsigned> &step(unsigned s, unsigned a) const {
    return post[s * labels + a];
  }
  std::set<unsigned> weak(unsigned s, unsigned a) const {
    if (a == 0)
      return reach[s];
    std::set<unsigned> result;
    for (unsigned u : reach[s])
      for (unsigned v : step(u, a))
        result.insert(reach[v].begin(), reach[v].end());
    return result;
  }
};

using State = unsigned;
using Matrix = std::vector<std::vector<bool>>;

/// Both LTSs side by side; \p labels are those of both.
inline Graph graphOf(const cif::Lts &left, const cif::Lts &right) {
  Graph g;
  std::map<cif::Label, unsigned> index{{cif::Label::tau(), 0}};
  for (const cif::Lts *lts : {&left, &right})
    for (const cif::Label &l : lts->labels)
      index.emplace(l, index.size());
  g.labels = index.size();
  g.n = left.numStates() + right.numStates();
  g.post.resize(g.n * g.labels);
  unsigned offset = 0;
  for (const cif::Lts *lts : {&left, &right}) {
    for (unsigned s = 0; s < lts->numStates(); ++s)
      for (unsigned e = lts->rowBegin[s]; e < lts->rowBegin[s + 1]; ++e)
        g.post[(offset + s) * g.labels + index[lts->labels[lts->label[e]]]]
            .insert(offset + lts->target[e]);
    offset += lts->numStates();
  }
  g.reach.resize(g.n);
  for (unsigned s = 0; s < g.n; ++s) {
    g.reach[s].insert(s);
    for (bool more = true; more;) {
      more = false;
      for (unsigned u : std::set<unsigned>(g.reach[s]))
        for (unsigned v : g.step(u, 0))
          more |= g.reach[s].insert(v).second;
    }
  }
  return g;
}

/// The greatest relation of which \p transfer (s, t, R) is true for all pairs.
template <class Transfer>
Matrix greatest(const Graph &g, Transfer transfer) {
  Matrix r(g.n, std::vector<bool>(g.n, true));
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned s = 0; s < g.n; ++s)
      for (unsigned t = 0; t < g.n; ++t)
        if (r[s][t] && !transfer(s, t, r)) {
          r[s][t] = false;
          changed = true;
        }
  }
  return r;
}

inline bool bisimilar(const Graph &g, State x, State y, cif::Relation rel) {
  using cif::Relation;
  auto answers = [&](State s, State t, const Matrix &r) {
    for (unsigned a = 0; a < g.labels; ++a)
      for (State to : g.step(s, a)) {
        bool found = false;
        switch (rel) {
        case Relation::Strong:
          for (State v : g.step(t, a))
            found |= r[to][v];
          break;
        case Relation::Weak:
        case Relation::WeakSimulation:
          for (State v : g.weak(t, a))
            found |= r[to][v];
          break;
        default: // branching
          found = a == 0 && r[to][t];
          for (State u : g.reach[t])
            if (r[s][u])
              for (State v : g.step(u, a))
                found |= r[to][v];
        }
        if (!found)
          return false;
      }
    return true;
  };
  Matrix r = greatest(g, [&](State s, State t, const Matrix &now) {
    if (!answers(s, t, now))
      return false;
    if (rel == Relation::WeakSimulation)
      return true;
    // The symmetric half; `now` is symmetric only in the end.
    Matrix turned = now;
    for (State i = 0; i < g.n; ++i)
      for (State j = 0; j < g.n; ++j)
        turned[i][j] = now[j][i];
    return answers(t, s, turned);
  });
  return r[x][y];
}

/// Branching bisimulation with explicit divergence, by classes: states of a
/// class reach the same other classes over states of their own, and all or none
/// can go on silently in it for ever.
inline bool dpBranching(const Graph &g, State x, State y) {
  std::vector<unsigned> block(g.n, 0);
  for (;;) {
    using Key =
        std::tuple<unsigned, std::set<std::pair<unsigned, unsigned>>, bool>;
    std::map<Key, unsigned> keys;
    std::vector<unsigned> next(g.n);
    for (State s = 0; s < g.n; ++s) {
      std::set<State> inside{s};
      for (bool more = true; more;) {
        more = false;
        for (State u : std::set<State>(inside))
          for (State v : g.step(u, 0))
            if (block[v] == block[s])
              more |= inside.insert(v).second;
      }
      std::set<std::pair<unsigned, unsigned>> out;
      for (State u : inside)
        for (unsigned a = 0; a < g.labels; ++a)
          for (State v : g.step(u, a))
            if (a || block[v] != block[s])
              out.insert({a, block[v]});
      // Drop states without a silent step inside until none is left or all
      // have one: then there is an infinite silent run.
      std::set<State> alive = inside;
      for (bool more = true; more;) {
        more = false;
        for (State u : std::set<State>(alive)) {
          bool goesOn = false;
          for (State v : g.step(u, 0))
            goesOn |= alive.count(v) != 0;
          if (!goesOn) {
            alive.erase(u);
            more = true;
          }
        }
      }
      next[s] = keys.emplace(Key(block[s], out, !alive.empty()), keys.size())
                    .first->second;
    }
    bool same =
        keys.size() == std::set<unsigned>(block.begin(), block.end()).size();
    block = next;
    if (same)
      return block[x] == block[y];
  }
}

/// Compares the two determinised sides in step.
inline bool tracesRelated(const Graph &g, State x, State y, cif::Relation rel) {
  using cif::Relation;
  using Set = std::set<State>;
  bool weak = cif::isWeak(rel);
  auto closed = [&](const Set &set) {
    Set result = set;
    if (weak)
      for (State s : set)
        result.insert(g.reach[s].begin(), g.reach[s].end());
    return result;
  };
  auto offers = [&](const Set &set) {
    std::set<std::set<unsigned>> result;
    for (State s : set) {
      bool atRest = true;
      std::set<unsigned> offer;
      for (State u : g.reach[s]) {
        atRest &= g.reach[u].count(s) != 0;
        for (unsigned a = 1; a < g.labels; ++a)
          if (!g.step(u, a).empty())
            offer.insert(a);
      }
      if (atRest)
        result.insert(offer);
    }
    return result;
  };
  auto covered = [](const std::set<std::set<unsigned>> &one,
                    const std::set<std::set<unsigned>> &other) {
    for (auto &p : one) {
      bool found = false;
      for (auto &q : other)
        found |= std::includes(p.begin(), p.end(), q.begin(), q.end());
      if (!found)
        return false;
    }
    return true;
  };
  std::set<std::pair<Set, Set>> seen;
  std::vector<std::pair<Set, Set>> work{{closed({x}), closed({y})}};
  while (!work.empty()) {
    auto [l, r] = work.back();
    work.pop_back();
    if (!seen.insert({l, r}).second)
      continue;
    if (rel == Relation::Ready && offers(l) != offers(r))
      return false;
    if (rel == Relation::Failures &&
        (!covered(offers(l), offers(r)) || !covered(offers(r), offers(l))))
      return false;
    for (unsigned a = weak ? 1 : 0; a < g.labels; ++a) {
      Set l2, r2;
      for (State s : l)
        l2.insert(g.step(s, a).begin(), g.step(s, a).end());
      for (State s : r)
        r2.insert(g.step(s, a).begin(), g.step(s, a).end());
      if (!l2.empty() && r2.empty())
        return false;
      if (l2.empty() && !r2.empty() && !cif::isPreorder(rel))
        return false;
      if (!l2.empty())
        work.push_back({closed(l2), closed(r2)});
    }
  }
  return true;
}

/// Whether the two LTSs are related.
inline bool related(const cif::Lts &left, const cif::Lts &right,
                    cif::Relation rel) {
  using cif::Relation;
  Graph g = graphOf(left, right);
  State x = left.initial, y = left.numStates() + right.initial;
  switch (rel) {
  case Relation::Strong:
  case Relation::Branching:
  case Relation::Weak:
  case Relation::WeakSimulation:
    return bisimilar(g, x, y, rel);
  case Relation::WeakSimulationEquivalence:
    return bisimilar(g, x, y, Relation::WeakSimulation) &&
           bisimilar(g, y, x, Relation::WeakSimulation);
  case Relation::DpBranching:
    return dpBranching(g, x, y);
  default:
    return tracesRelated(g, x, y, rel);
  }
}

} // namespace naive

#endif
