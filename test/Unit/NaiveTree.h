//===- NaiveTree.h - States as trees of instances ---------------------------
//===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A state of NaiveScopes.h is a tree of instances as [bpmn20, 13] has them: a
/// process or sub-process that runs has its own tokens, its activities that
/// run, and its event sub-processes that run; an activity with a marker has
/// several instances.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_NAIVETREE_H
#define CIF_TEST_UNIT_NAIVETREE_H

#include "NaiveDiagram.h"
#include <array>

namespace cif::naive {

struct Run;

/// A process, sub-process or event sub-process that runs.
struct Scope {
  int body = 0; ///< what it runs: a node, or -1 - p for process p
  /// Whether event sub-processes can start: none has interrupted it.
  bool open = true;
  /// Tokens: on flows; at start events, and, by names of their own, where a
  /// token waits for a decision.
  std::map<int, int> flow, waiting;
  std::vector<Run> runs;
  std::map<int, int> triggered; ///< event sub-processes that are to begin
  std::vector<Scope> handlers;  ///< event sub-processes that run
  std::set<int> armed;          ///< event sub-processes that may start once
  std::set<int> records; ///< compensation handlers of what has completed in it
  /// Events that wait for handlers, and these. Of a process: those that are to
  /// run (0) or do (1).
  std::vector<std::pair<int, std::vector<int>>> waits;
  std::map<int, int> undoing;

  inline bool isMainEmpty() const;
  inline bool isDone() const;
};

/// An activity that runs.
struct Run {
  int node = -1;
  int active = 0; ///< of a task: how many instances run
  int left = 0;   ///< instances that come later; -1: it has yet to begin
  int stage = 0;  ///< of a task that sends (1) and receives (2): what is done
  bool decides = false; ///< whether it runs once more is open
  std::set<int> armed;  ///< boundary events that may occur once
  std::vector<Scope> inside;
};

inline bool operator<(const Scope &a, const Scope &b);
inline bool operator==(const Scope &a, const Scope &b);
inline auto key(const Run &r) {
  return std::tie(r.node, r.active, r.left, r.stage, r.decides, r.armed,
                  r.inside);
}
inline auto key(const Scope &s) {
  return std::tie(s.body, s.open, s.flow, s.waiting, s.runs, s.triggered,
                  s.handlers, s.armed, s.records, s.waits, s.undoing);
}
inline bool operator<(const Run &a, const Run &b) { return key(a) < key(b); }
inline bool operator==(const Run &a, const Run &b) { return key(a) == key(b); }
inline bool operator<(const Scope &a, const Scope &b) {
  return key(a) < key(b);
}
inline bool operator==(const Scope &a, const Scope &b) {
  return key(a) == key(b);
}
bool Scope::isMainEmpty() const {
  return flow.empty() && waiting.empty() && runs.empty() && waits.empty();
}
bool Scope::isDone() const {
  return isMainEmpty() && triggered.empty() && handlers.empty() &&
         undoing.empty();
}

struct Tree {
  std::vector<int> started; ///< by process
  std::vector<Scope> roots; ///< by process
  std::vector<InTransit> network;
  std::vector<std::vector<int>> clocks;
};
inline bool operator<(const Tree &a, const Tree &b) {
  return std::tie(a.started, a.roots, a.network, a.clocks) <
         std::tie(b.started, b.roots, b.network, b.clocks);
}

inline int mostTokens(const Scope &s) {
  int most = 0;
  for (auto [flow, count] : s.flow)
    most = std::max(most, count);
  for (const Run &run : s.runs)
    for (const Scope &inside : run.inside)
      most = std::max(most, mostTokens(inside));
  for (const Scope &handler : s.handlers)
    most = std::max(most, mostTokens(handler));
  return most;
}
inline int mostTokens(const Tree &t) {
  int most = 0;
  for (const Scope &root : t.roots)
    most = std::max(most, mostTokens(root));
  return most;
}

/// A scope: its process, then 'r', a run and an instance of it, or 'h' and an
/// event sub-process, for each level.
struct Path {
  int process;
  std::vector<std::array<int, 3>> way;
};
inline Scope &at(Tree &t, const Path &path) {
  Scope *scope = &t.roots[path.process];
  for (auto [what, i, k] : path.way)
    scope = what == 'r' ? &scope->runs[i].inside[k] : &scope->handlers[i];
  return *scope;
}
inline const Scope &at(const Tree &t, const Path &path) {
  return at(const_cast<Tree &>(t), path);
}
inline void findScopes(const Scope &scope, Path path, std::vector<Path> &all) {
  all.push_back(path);
  auto visit = [&](const Scope &inner, std::array<int, 3> step) {
    Path to = path;
    to.way.push_back(step);
    findScopes(inner, to, all);
  };
  for (size_t r = 0; r < scope.runs.size(); ++r)
    for (size_t k = 0; k < scope.runs[r].inside.size(); ++k)
      visit(scope.runs[r].inside[k], {'r', int(r), int(k)});
  for (size_t h = 0; h < scope.handlers.size(); ++h)
    visit(scope.handlers[h], {'h', int(h), 0});
}
inline void sort(Scope &scope) {
  for (Run &run : scope.runs) {
    for (Scope &inner : run.inside)
      sort(inner);
    std::sort(run.inside.begin(), run.inside.end());
  }
  std::sort(scope.runs.begin(), scope.runs.end());
  for (Scope &inner : scope.handlers)
    sort(inner);
  std::sort(scope.handlers.begin(), scope.handlers.end());
  std::sort(scope.waits.begin(), scope.waits.end());
}

inline void take(std::map<int, int> &from, int what) {
  if (!--from[what])
    from.erase(what);
}
inline int count(const std::map<int, int> &in, int what) {
  auto at = in.find(what);
  return at == in.end() ? 0 : at->second;
}

} // namespace cif::naive

#endif
