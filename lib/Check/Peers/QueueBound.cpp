//===- QueueBound.cpp - Messages that cannot pile up ----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: structural boundedness [memmi1980] of the net that has a place
/// for each local state of a peer and for each message. Let every message have
/// a weight of at least 1, and let no cycle of a peer send more weight than it
/// receives. Then the heaviest walk from each local state of a peer gains a
/// finite weight; the sum of these over the peers, and of the weight in
/// transit, does not grow with any step. So it bounds how many messages are in
/// transit, whatever the network.
///
/// Weights are found by cuts: a cycle that gains weight excludes some
/// assignments. The linear program is solved in floating point, which only
/// gives a guess: the weights are rounded to integers, and the cycles are
/// checked with these.
///
//===----------------------------------------------------------------------===//

#include "cif/Check/Peers/QueueBound.h"
#include <cmath>

using namespace cif;

namespace {
/// The least sum of variables from 0 on that meet constraints which come one by
/// one (the dual simplex method).
class LeastSum {
public:
  explicit LeastSum(size_t variables)
      : n(variables), cost(variables, 1), column(variables),
        row(variables, none), at(variables) {
    for (uint32_t j = 0; j < n; ++j)
      column[j] = at[j] = j;
  }
  /// Adds \p a * x <= \p b.
  void add(ArrayRef<double> a, double b) {
    std::vector<double> line(n + 1);
    line[n] = b;
    for (uint32_t j = 0; j < n; ++j) {
      if (a[j] == 0)
        continue;
      if (row[j] == none) {
        line[at[j]] += a[j];
        continue;
      }
      for (uint32_t k = 0; k <= n; ++k)
        line[k] -= a[j] * lines[row[j]][k];
    }
    lines.push_back(std::move(line));
    basic.push_back(none);
  }
  /// False: there is none, or it takes too long.
  bool solve(Budget &budget);
  std::vector<double> values() const {
    std::vector<double> result(n);
    for (uint32_t j = 0; j < n; ++j)
      if (row[j] != none)
        result[j] = lines[row[j]][n];
    return result;
  }

private:
  static constexpr uint32_t none = UINT32_MAX;
  static constexpr double tiny = 1e-9;
  void pivot(uint32_t r, uint32_t s);

  const uint32_t n;
  std::vector<double> cost;
  /// x of each line is its last number less the others times the columns' x.
  std::vector<std::vector<double>> lines;
  std::vector<uint32_t> column; ///< by column: the variable, or none: a slack
  std::vector<uint32_t> basic;  ///< by line: the same
  std::vector<uint32_t> row;    ///< by variable: its line, or none
  std::vector<uint32_t> at;     ///< by variable: its column
};
} // namespace

void LeastSum::pivot(uint32_t r, uint32_t s) {
  std::vector<double> &line = lines[r];
  const double p = line[s];
  for (double &x : line)
    x /= p;
  line[s] = 1 / p;
  auto change = [&](MutableArrayRef<double> other) {
    const double f = other[s];
    if (f == 0)
      return;
    for (uint32_t k = 0; k < other.size(); ++k)
      if (k != s)
        other[k] -= f * line[k];
    other[s] = -f / p;
  };
  for (uint32_t i = 0; i < lines.size(); ++i)
    if (i != r)
      change(lines[i]);
  change(cost);
  std::swap(column[s], basic[r]);
  if (column[s] != none) {
    row[column[s]] = none;
    at[column[s]] = s;
  }
  if (basic[r] != none)
    row[basic[r]] = r;
}

bool LeastSum::solve(Budget &budget) {
  for (unsigned turns = 0; turns < 5'000; ++turns) {
    uint32_t r = none, s = none;
    for (uint32_t i = 0; i < lines.size(); ++i)
      if (lines[i][n] < -tiny && (r == none || lines[i][n] < lines[r][n]))
        r = i;
    if (r == none)
      return true;
    for (uint32_t j = 0; j < n; ++j)
      if (lines[r][j] < -tiny &&
          (s == none || cost[j] * lines[r][s] > cost[s] * lines[r][j]))
        s = j;
    if (s == none || budget.spend(lines.size() * n))
      return false;
    pivot(r, s);
  }
  return false;
}

namespace {
class Weights {
public:
  Weights(const PeerView &of, Budget &spent)
      : view(of), budget(spent), weight(of.messages.size(), 1) {}

  bool find() {
    constexpr unsigned mostCuts = 500;
    LeastSum more(weight.size()); // than 1
    for (unsigned cuts = 0; cuts < mostCuts;) {
      bool any = false;
      for (const PeerView::Peer &peer : view.peers) {
        std::vector<double> cycle(weight.size());
        if (!findGain(peer, cycle)) {
          if (tired)
            return false;
          continue;
        }
        double sum = 0;
        for (double x : cycle)
          sum += x;
        more.add(cycle, -sum);
        any = true;
        ++cuts;
      }
      if (!any)
        return true;
      if (!more.solve(budget) || !round(more.values()))
        return false;
    }
    return false;
  }

private:
  bool findGain(const PeerView::Peer &peer, std::vector<double> &cycle);
  bool round(const std::vector<double> &extra);
  int64_t gain(PeerView::Action action) const {
    if (action.kind == PeerView::Kind::Internal || view.isHandshake(action))
      return 0;
    return action.kind == PeerView::Kind::Send ? weight[action.message]
                                               : -weight[action.message];
  }

  const PeerView &view;
  Budget &budget;
  std::vector<int64_t> weight; ///< by message
  uint64_t left = 200'000'000; ///< steps of walks: a search may be faster
  bool tired = false;
};
} // namespace

/// A cycle of \p peer that gains weight: how often it sends each message, less
/// how often it receives it.
bool Weights::findGain(const PeerView::Peer &peer, std::vector<double> &cycle) {
  const Lts &lts = *peer.lts;
  const size_t states = lts.numStates();
  std::vector<int64_t> best(states, 0);
  std::vector<uint32_t> by(states, UINT32_MAX), from(states, 0);
  bool changed = true;
  StateIndex last = 0;
  // After as many rounds as there are states only cycles still gain.
  for (size_t round = 0; changed && round <= states; ++round) {
    changed = false;
    for (StateIndex s = 0; s < states; ++s)
      for (uint32_t t = lts.rowBegin[s]; t < lts.rowBegin[s + 1]; ++t) {
        if (int64_t now = best[s] + gain(peer.action(t));
            now > best[lts.target[t]]) {
          best[lts.target[t]] = now;
          by[lts.target[t]] = t;
          from[lts.target[t]] = s;
          changed = true;
          last = lts.target[t];
        }
      }
    if (budget.spend(lts.label.size() + 1) || left < lts.label.size()) {
      tired = true;
      return false;
    }
    left -= lts.label.size();
  }
  if (!changed)
    return false;
  for (size_t i = 0; i < states; ++i)
    last = from[last]; // now it is on the cycle
  StateIndex s = last;
  do {
    PeerView::Action action = peer.action(by[s]);
    if (gain(action))
      cycle[action.message] += gain(action) > 0 ? 1 : -1;
    s = from[s];
  } while (s != last);
  return true;
}

/// Weights in the proportions 1 + \p extra, as small whole numbers.
bool Weights::round(const std::vector<double> &extra) {
  constexpr int64_t mostParts = 60, mostWeight = 1'000'000;
  for (int64_t parts = 1; parts <= mostParts; ++parts) {
    bool fits = true;
    for (size_t m = 0; m < weight.size() && fits; ++m) {
      double exact = (1 + extra[m]) * static_cast<double>(parts);
      double near = std::round(exact);
      fits = std::fabs(exact - near) < 1e-6 && near >= 1 && near < mostWeight;
      weight[m] = fits ? static_cast<int64_t>(near) : 1;
    }
    if (fits)
      return true;
  }
  return false;
}

bool cif::areQueuesBounded(const PeerView &view, Budget &budget) {
  constexpr size_t mostMessages = 2'000;
  return view.messages.size() <= mostMessages && Weights(view, budget).find();
}
