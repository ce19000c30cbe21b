//===- NaiveStructure.h - What a diagram says of its scopes -----------------
//===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What NaiveScopes.h asks of a diagram, whatever the state: what is inside
/// what, which events catch what an event throws, and where tokens can go.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_NAIVESTRUCTURE_H
#define CIF_TEST_UNIT_NAIVESTRUCTURE_H

#include "NaiveJoins.h"

namespace cif::naive {

class Structure {
protected:
  explicit Structure(const Diagram &of)
      : d(of), in(of.nodes.size()), out(of.nodes.size()),
        boundaries(of.nodes.size()), startOf(of.nodes.size(), -1) {
    for (size_t f = 0; f < d.flows.size(); ++f) {
      out[d.flows[f].source].push_back(f);
      in[d.flows[f].target].push_back(f);
    }
    for (size_t n = 0; n < d.nodes.size(); ++n) {
      const Node &node = d.nodes[n];
      nodesIn[bodyAround(n)].push_back(n);
      if (node.host >= 0)
        boundaries[node.host].push_back(n);
      if (node.kind == Kind::Handler)
        handlersIn[bodyAround(n)].push_back(n);
      if (node.undoes >= 0)
        undoneBy[node.undoes] = n;
      if (node.parent >= 0 && Diagram::isStart(node.kind))
        startOf[node.parent] = n;
    }
  }

  int bodyAround(int n) const {
    return d.nodes[n].parent >= 0 ? d.nodes[n].parent : -1 - d.nodes[n].process;
  }
  int bodyOf(int n) const {
    return d.nodes[n].calls >= 0 ? d.nodes[n].calls : n;
  }
  ArrayRef<int> nodesOf(int body) const { return listOf(nodesIn, body); }
  ArrayRef<int> handlersOf(int body) const { return listOf(handlersIn, body); }
  static ArrayRef<int> listOf(const std::map<int, std::vector<int>> &map,
                              int body) {
    auto at = map.find(body);
    return at == map.end() ? ArrayRef<int>() : ArrayRef<int>(at->second);
  }

  bool isAdHoc(int body) const { return body >= 0 && d.nodes[body].isAdHoc; }
  bool decidesAfter(int n) const {
    bool any = false;
    for (int f : out[n])
      any |= d.flows[f].isConditional;
    return any && out[n].size() > 1 && !isGateway(d.nodes[n].kind);
  }

  //===--------------------------------------------------------------------===//
  // What is thrown
  //===--------------------------------------------------------------------===//

  bool catches(int by, int thrower) const {
    Kind k = d.nodes[by].kind, t = d.nodes[thrower].kind;
    bool same =
        t == Kind::ErrorEnd ? k == Kind::ErrorBoundary || k == Kind::ErrorStart
        : t == Kind::CancelEnd
            ? k == Kind::CancelBoundary
            : k == Kind::EscalationBoundary || k == Kind::EscalationStart;
    int a = d.nodes[by].code, b = d.nodes[thrower].code;
    return same && (!a || !b || a == b);
  }
  /// \p from: the event sub-process of \p body that it comes out of. One that
  /// interrupts leaves the others no time.
  std::vector<int> catchingHandlers(int body, int from, int thrower) const {
    std::vector<int> all;
    if (from >= 0 && d.nodes[startOf[from]].interrupts)
      return all;
    for (int h : handlersOf(body))
      if (h != from && catches(startOf[h], thrower))
        all.push_back(h);
    return all;
  }
  std::vector<int> catchingEvents(int host, int thrower) const {
    std::vector<int> all;
    for (int b : boundaries[host])
      if (catches(b, thrower))
        all.push_back(b);
    return all;
  }
  /// What can catch what \p n throws, whoever calls its process.
  void findCatchers(int n, int body, int from, std::set<int> &all) const {
    for (int h : catchingHandlers(body, from, n)) {
      all.insert(startOf[h]);
      from = -2;
    }
    if (from == -2 || body < 0)
      return;
    if (d.nodes[body].kind == Kind::Handler)
      return findCatchers(n, bodyAround(body), body, all);
    for (size_t host = 0; host < d.nodes.size(); ++host) {
      if (d.nodes[host].kind != Kind::SubProcess || bodyOf(host) != body)
        continue;
      std::vector<int> here = catchingEvents(host, n);
      all.insert(here.begin(), here.end());
      if (here.empty())
        findCatchers(n, bodyAround(host), -1, all);
    }
  }
  std::set<int> catchers(int n) const {
    std::set<int> all;
    findCatchers(n, bodyAround(n), -1, all);
    return all;
  }
  static bool isThrower(Kind k) {
    return k == Kind::ErrorEnd || k == Kind::EscalationEnd ||
           k == Kind::EscalationThrow || k == Kind::CancelEnd;
  }
  /// Whether an event needs no trigger from inside.
  bool comesAlone(int b) const {
    Kind k = d.nodes[b].kind;
    if (k == Kind::TimerBoundary || k == Kind::TimerStart)
      return true;
    if (k == Kind::MessageBoundary || k == Kind::MessageStart)
      return false;
    if ((k == Kind::ErrorBoundary || k == Kind::ErrorStart) && !d.nodes[b].code)
      return true;
    for (size_t n = 0; n < d.nodes.size(); ++n)
      if (isThrower(d.nodes[n].kind) && catchers(n).count(b))
        return false;
    return true;
  }

  //===--------------------------------------------------------------------===//
  // What is undone
  //===--------------------------------------------------------------------===//

  /// Whether the handler \p h undoes \p activity, or something in it.
  bool isOf(int h, int activity) const {
    int undone = d.nodes[h].undoes;
    return activity < 0 || undone == activity ||
           (d.isIn(undone, activity) && !undoneBy.count(activity));
  }
  bool leads(int from, int to) const {
    std::set<int> seen;
    std::vector<int> work{from};
    while (!work.empty()) {
      int n = work.back();
      work.pop_back();
      std::vector<int> next = boundaries[n];
      for (int f : out[n])
        next.push_back(d.flows[f].target);
      for (int other : next)
        if (seen.insert(other).second)
          work.push_back(other);
    }
    return seen.count(to);
  }
  /// Whether handler \p h waits for \p other: what that undoes came later.
  bool isBefore(int h, int other) const {
    for (int a = d.nodes[h].undoes; a >= 0; a = d.nodes[a].parent)
      for (int b = d.nodes[other].undoes; b >= 0; b = d.nodes[b].parent)
        if (a != b && bodyAround(a) == bodyAround(b))
          return leads(a, b);
    return false;
  }

  //===--------------------------------------------------------------------===//
  // Where tokens can go
  //===--------------------------------------------------------------------===//

  /// The positions to which a token can come next without passing \p n, or
  /// unless it \p moves send another.
  std::vector<Position> onward(const Position &from, int n, bool moves) const {
    std::vector<Position> next;
    auto outs = [&](int node) {
      for (int f : out[node])
        next.push_back({'f', f});
    };
    if (from.where == 'd') {
      outs(from.index);
      return next;
    }
    if (from.where == 'n') {
      outs(from.index);
      for (int b : boundaries[from.index])
        if (d.nodes[b].interrupts ||
            (!moves &&
             (d.nodes[b].kind == Kind::MessageBoundary || comesAlone(b))))
          outs(b);
      return next;
    }
    int target = d.flows[from.index].target;
    if (target == n)
      return next;
    Kind kind = d.nodes[target].kind;
    if (isThrower(kind)) {
      std::set<int> by = catchers(target);
      for (int b : by) {
        if (!Diagram::isStart(d.nodes[b].kind))
          outs(b);
        if (!d.nodes[b].interrupts)
          outs(target);
      }
      if (by.empty())
        outs(target);
    } else if (isActivity(kind)) {
      next.push_back({'n', target});
      if (kind == Kind::SubProcess)
        for (int k : nodesOf(bodyOf(target)))
          if (Diagram::isStart(d.nodes[k].kind))
            next.push_back({'n', k});
    } else if (kind == Kind::EventBased) {
      for (int f : out[target])
        outs(d.flows[f].target);
    } else if (kind == Kind::LinkThrow) {
      outs(d.nodes[target].link);
    } else {
      outs(target);
    }
    return next;
  }

  const Diagram &d;
  std::vector<std::vector<int>> in, out, boundaries;
  std::map<int, int> undoneBy; ///< by activity: its compensation handler
  std::vector<int> startOf;    ///< of a sub-process: its (last) start event
  std::map<int, std::vector<int>> nodesIn, handlersIn; ///< by body
};

} // namespace cif::naive

#endif
