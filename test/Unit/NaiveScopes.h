//===- NaiveScopes.h - Instances of scopes, step by step ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A third implementation of the semantics `detailed`, for tests. A state is a
/// tree of instances (NaiveTree.h); no container, copy or boundary event stands
/// for any of it.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_NAIVESCOPES_H
#define CIF_TEST_UNIT_NAIVESCOPES_H

#include "NaiveNetwork.h"
#include "NaiveStructure.h"
#include "NaiveTree.h"

namespace cif::naive {

class Scopes : Structure {
public:
  Scopes(const Diagram &of, NetworkKind on, int)
      : Structure(of), net(on), messages(of, on) {}

  struct Taken {
    Tree to;
    Mark mark;
  };

  Tree initial() const {
    Tree s;
    s.started.assign(d.processes, 0);
    for (int p = 0; p < d.processes; ++p)
      s.roots.emplace_back().body = -1 - p;
    if (net == NetworkKind::Causal)
      s.clocks.assign(d.processes, std::vector<int>(d.processes, 0));
    return s;
  }
  std::vector<Taken> next(const Tree &s) const {
    std::vector<Taken> all;
    auto add = [&](const Tree &t) {
      all.push_back({t, mark});
      for (Scope &root : all.back().to.roots)
        sort(root);
      messages.sort(all.back().to);
    };
    for (int p = 0; p < d.processes; ++p) {
      if (!s.started[p]) {
        startProcess(s, p, add);
        continue;
      }
      std::vector<Path> paths;
      findScopes(s.roots[p], {p, {}}, paths);
      for (const Path &path : paths)
        scopeSteps(s, path, add);
    }
    return all;
  }
  std::set<std::string> transit(const Tree &s) const {
    return Messages::inTransit(s);
  }
  bool complete(const Tree &s) const {
    for (const Scope &root : s.roots)
      if (!root.isDone())
        return false;
    return true;
  }
  bool empty(const Tree &s) const { return complete(s); }
  /// What can be seen of a state, by name; false: it is about to change by
  /// itself, where nothing is drawn.
  bool observe(const Tree &s, std::map<std::string, uint64_t> &seen) const {
    for (int p = 0; p < d.processes; ++p) {
      if (s.started[p])
        seen["q" + std::to_string(p)] = 1;
      if (!observe(s.roots[p], seen))
        return false;
    }
    for (const InTransit &m : s.network)
      ++seen["q" + std::to_string(m.from) + ">q" + std::to_string(m.to) + ":" +
             m.name];
    return true;
  }
  bool sound(const Tree &s) const { return complete(s); }

private:
  using Add = std::function<void(const Tree &)>;

  static bool isHandling(const Scope &s, int h) {
    return llvm::any_of(s.handlers,
                        [&](const Scope &of) { return of.body == h; });
  }
  bool observe(const Scope &s, std::map<std::string, uint64_t> &seen) const {
    if (!s.waiting.empty())
      return false;
    for (auto [h, times] : s.triggered)
      if (!isHandling(s, h))
        return false;
    for (auto [f, tokens] : s.flow)
      seen["f" + std::to_string(f)] += tokens;
    for (const Run &run : s.runs) {
      if (run.decides || run.left < 0)
        return false;
      seen["n" + std::to_string(run.node)] = 1;
      for (const Scope &inside : run.inside)
        if (inside.isDone() || !observe(inside, seen))
          return false;
    }
    for (auto [h, runs] : s.undoing)
      if (runs)
        seen["n" + std::to_string(h)] = 1;
    for (const Scope &handler : s.handlers) {
      seen["n" + std::to_string(handler.body)] = 1;
      if (handler.isDone() || !observe(handler, seen))
        return false;
    }
    return true;
  }

  //===--------------------------------------------------------------------===//
  // Names
  //===--------------------------------------------------------------------===//

  /// Names of places and classes that are not drawn.
  static constexpr int idle = -1; ///< of an ad hoc sub-process
  static int decisionOf(int n) { return -2 - n; }
  int hiddenNode(int n) const { return int(d.nodes.size()) + n; }
  int hiddenFlow(int n, int which) const {
    return int(d.flows.size() + 3 * n + which);
  }

  //===--------------------------------------------------------------------===//
  // Tokens
  //===--------------------------------------------------------------------===//

  /// A token leaves \p n.
  void give(Scope &scope, int n) const {
    if (out[n].empty() && isAdHoc(scope.body))
      ++scope.waiting[idle];
    else if (decidesAfter(n))
      ++scope.waiting[decisionOf(n)];
    else
      for (int f : out[n])
        ++scope.flow[f];
  }
  /// A token at \p t's scope goes to any of \p flows that are not empty; \p
  /// orNone: or to none of them.
  void giveAny(const Tree &t, const Path &path, ArrayRef<int> flows,
               bool orNone, bool splits, const Add &add) const {
    for (unsigned chosen = orNone ? 0 : 1; chosen < (1u << flows.size());
         ++chosen) {
      Tree u = t;
      mark.flow = -1;
      for (size_t i = 0; i < flows.size(); ++i)
        if (chosen >> i & 1) {
          ++at(u, path).flow[flows[i]];
          if (chosen == 1u << i && splits)
            mark.flow = flows[i];
        }
      add(u);
    }
    mark.flow = -1;
  }
  /// The conditions of the flows that leave an activity are decided.
  void decide(const Tree &s, const Path &path, int n, const Add &add) const {
    mark = Mark();
    mark.node = hiddenNode(n);
    Tree t = s;
    take(at(t, path).waiting, decisionOf(n));
    std::vector<int> conditional;
    int otherwise = -1;
    bool any = false;
    for (int f : out[n])
      if (d.flows[f].isDefault) {
        otherwise = f;
      } else if (d.flows[f].isConditional) {
        conditional.push_back(f);
      } else {
        ++at(t, path).flow[f];
        any = true;
      }
    giveAny(t, path, conditional, any && otherwise < 0, true, add);
    if (otherwise < 0)
      return;
    ++at(t, path).flow[otherwise];
    mark.flow = otherwise;
    add(t);
  }

  //===--------------------------------------------------------------------===//
  // Activities
  //===--------------------------------------------------------------------===//

  void arm(Scope &scope) const {
    for (int h : handlersOf(scope.body))
      if (comesAlone(startOf[h]) && !d.nodes[startOf[h]].interrupts)
        scope.armed.insert(h);
  }
  void startInstance(Run &run) const {
    const Node &node = d.nodes[run.node];
    if (node.kind != Kind::SubProcess) {
      ++run.active;
      return;
    }
    Scope &scope = run.inside.emplace_back();
    scope.body = bodyOf(run.node);
    if (node.isAdHoc)
      ++scope.waiting[decisionOf(run.node)];
    for (int n : nodesOf(scope.body))
      if (Diagram::isStart(d.nodes[n].kind))
        ++scope.waiting[n];
    arm(scope);
  }
  bool isUncounted(const Node &node) const {
    return node.repeat == Repeat::Loop ||
           node.repeat == Repeat::LoopTestBefore ||
           (node.repeat == Repeat::Sequence && !node.times);
  }
  /// Two in parallel where no number is given.
  static int instances(const Node &node) { return node.times ? node.times : 2; }
  bool isSingle(int n) const {
    Kind k = d.nodes[n].kind;
    return k == Kind::SubProcess || k == Kind::TwoWay || k == Kind::Service ||
           !boundaries[n].empty();
  }
  static const Run *runOf(const Scope &scope, int n) {
    for (const Run &run : scope.runs)
      if (run.node == n)
        return &run;
    return nullptr;
  }
  /// A token that was taken from \p t comes to activity \p n.
  void start(Tree t, const Path &path, int n, const Add &add) const {
    Scope &scope = at(t, path);
    if (isSingle(n) && runOf(scope, n))
      return;
    const Node &node = d.nodes[n];
    Run run;
    run.node = n;
    for (int b : boundaries[n])
      if (comesAlone(b) && !d.nodes[b].interrupts)
        run.armed.insert(b);
    bool asksFirst = node.repeat == Repeat::LoopTestBefore ||
                     (node.repeat == Repeat::Sequence && !node.times);
    if (asksFirst) {
      run.left = -1;
    } else {
      int atOnce = node.repeat == Repeat::Parallel ? instances(node) : 1;
      for (int i = 0; i < atOnce; ++i)
        startInstance(run);
      run.left = node.repeat == Repeat::Sequence ? node.times - 1 : 0;
      mark.starts = n;
    }
    scope.runs.push_back(run);
    add(t);
    mark.starts = -1;
  }
  void leave(Tree &t, const Path &path, size_t r) const {
    Scope &scope = at(t, path);
    int n = scope.runs[r].node;
    scope.runs.erase(scope.runs.begin() + r);
    if (auto own = undoneBy.find(n); own != undoneBy.end())
      scope.records.insert(own->second);
    give(scope, n);
  }
  /// An instance of run \p r has ended.
  void endInstance(Tree t, const Path &path, size_t r, const Add &add) const {
    Run &run = at(t, path).runs[r];
    const Node &node = d.nodes[run.node];
    if (isUncounted(node)) {
      run.decides = true;
    } else if (run.left) {
      --run.left;
      startInstance(run);
    } else if (!run.active && run.inside.empty()) {
      leave(t, path, r);
    }
    add(t);
  }
  void decideToRepeat(const Tree &s, const Path &path, size_t r,
                      const Add &add) const {
    int n = at(s, path).runs[r].node;
    mark = Mark();
    mark.node = hiddenNode(n);
    Tree t = s, u = s;
    at(t, path).runs[r].decides = false;
    startInstance(at(t, path).runs[r]);
    mark.flow = hiddenFlow(n, 0);
    mark.starts = n;
    add(t);
    leave(u, path, r);
    mark.flow = hiddenFlow(n, 1);
    mark.starts = -1;
    add(u);
  }
  void runSteps(const Tree &s, const Path &path, size_t r,
                const Add &add) const {
    const Run &run = at(s, path).runs[r];
    int n = run.node;
    const Node &node = d.nodes[n];
    if (run.decides)
      decideToRepeat(s, path, r, add);
    mark = markOf(d, n);
    if (run.left < 0) {
      Tree t = s;
      at(t, path).runs[r].left = 0;
      at(t, path).runs[r].decides = true;
      add(t);
    }
    for (size_t k = 0; k < run.inside.size(); ++k)
      if (run.inside[k].isDone()) {
        Tree t = s;
        auto &inside = at(t, path).runs[r].inside;
        if (!undoneBy.count(n))
          at(t, path).records.insert(inside[k].records.begin(),
                                     inside[k].records.end());
        inside.erase(inside.begin() + k);
        endInstance(t, path, r, add);
      } else if (node.isAdHoc && mayEndEarly(n)) {
        Tree t = s;
        at(t, path).runs[r].inside.clear();
        mark.node = hiddenNode(n);
        endInstance(t, path, r, add);
        mark.node = n;
      }
    if (!run.active)
      return;
    Tree t = s;
    Run &after = at(t, path).runs[r];
    auto end = [&](const Tree &u) { endInstance(u, path, r, add); };
    switch (node.kind) {
    case Kind::Task:
      --after.active;
      return end(t);
    case Kind::Send:
      --after.active;
      return messages.send(t, n, end);
    case Kind::Receive:
      --after.active;
      return messages.receive(t, n, mark, end);
    default:
      break;
    }
    // It sends and receives.
    auto part = [&](int which) {
      return [&, which](const Tree &u) {
        Tree v = u;
        Run &done = at(v, path).runs[r];
        done.stage |= which;
        if (done.stage < 3)
          return add(v);
        done.stage = 0;
        --done.active;
        end(v);
      };
    };
    if (!(run.stage & 1))
      messages.send(s, n, part(1));
    if (!(run.stage & 2) && (node.kind == Kind::TwoWay || run.stage & 1))
      messages.receive(s, n, mark, part(2));
  }

  /// An ad hoc sub-process in which something waits may end meanwhile.
  bool mayEndEarly(int n) const {
    for (int k : nodesOf(n))
      if (d.nodes[k].kind != Kind::Task && d.nodes[k].kind != Kind::Send)
        return true;
    return false;
  }
  void adHocSteps(const Tree &s, const Path &path, const Add &add) const {
    int body = at(s, path).body;
    mark = Mark();
    mark.node = hiddenNode(body);
    if (count(at(s, path).waiting, decisionOf(body))) {
      Tree t = s;
      take(at(t, path).waiting, decisionOf(body));
      ++at(t, path).waiting[idle];
      add(t);
    }
    if (!count(at(s, path).waiting, idle))
      return;
    Tree t = s;
    take(at(t, path).waiting, idle);
    mark.flow = hiddenFlow(body, 2);
    add(t);
    for (int n : nodesOf(body))
      if (in[n].empty() && d.nodes[n].host < 0) {
        mark.flow = hiddenFlow(n, 2);
        start(t, path, n, add);
      }
  }

  //===--------------------------------------------------------------------===//
  // Events that start event sub-processes or are on a border
  //===--------------------------------------------------------------------===//

  void interrupt(Scope &scope) const {
    scope.open = false;
    scope.flow.clear();
    scope.waiting.clear();
    scope.runs.clear();
    scope.triggered.clear();
    scope.handlers.clear();
    scope.armed.clear();
    scope.waits.clear();
    if (scope.body < 0)
      scope.undoing.clear();
  }
  void trigger(Tree &t, const Path &path, int h) const {
    Scope &scope = at(t, path);
    scope.armed.erase(h);
    if (d.nodes[startOf[h]].interrupts) {
      interrupt(scope);
      forget(t, path.process, scope.body);
    }
    ++scope.triggered[h];
  }
  /// What is interrupted is not undone any more.
  void forget(Tree &t, int process, int body) const {
    auto &undoing = t.roots[process].undoing;
    for (auto at = undoing.begin(); at != undoing.end();)
      if (d.isIn(d.nodes[at->first].undoes, body))
        at = undoing.erase(at);
      else
        ++at;
  }
  /// While a scope is completing, no event sub-process starts.
  static bool mayHandle(const Scope &scope) {
    return scope.open && !scope.isMainEmpty();
  }
  void handlerSteps(const Tree &s, const Path &path, int h,
                    const Add &add) const {
    const Scope &scope = at(s, path);
    int event = startOf[h];
    mark = markOf(d, event);
    bool alone = d.nodes[event].kind != Kind::MessageStart &&
                 comesAlone(event) &&
                 (d.nodes[event].interrupts || scope.armed.count(h));
    if (mayHandle(scope)) {
      auto occur = [&](const Tree &u) {
        Tree t = u;
        trigger(t, path, h);
        add(t);
      };
      if (d.nodes[event].kind == Kind::MessageStart)
        messages.receive(s, event, mark, occur);
      else if (alone)
        occur(s);
    }
    mark = Mark();
    mark.node = h;
    bool runs = false;
    for (size_t i = 0; i < scope.handlers.size(); ++i)
      if (scope.handlers[i].body == h) {
        runs = true;
        if (scope.handlers[i].isDone()) {
          Tree t = s;
          auto &handlers = at(t, path).handlers;
          handlers.erase(handlers.begin() + i);
          // What did not do what it is for is not undone from outside.
          if (d.nodes[event].interrupts)
            at(t, path).records.clear();
          add(t);
        }
      }
    if (runs || !count(scope.triggered, h))
      return;
    Tree t = s;
    take(at(t, path).triggered, h);
    Scope &begun = at(t, path).handlers.emplace_back();
    begun.body = h;
    give(begun, event);
    arm(begun);
    mark.starts = h;
    add(t);
  }
  void occur(Tree &t, const Path &path, size_t r, int b) const {
    Scope &scope = at(t, path);
    scope.runs[r].armed.erase(b);
    int host = scope.runs[r].node;
    if (d.nodes[b].interrupts) {
      scope.runs.erase(scope.runs.begin() + r);
      forget(t, path.process, host);
    }
    give(scope, b);
  }
  void boundarySteps(const Tree &s, const Path &path, int b,
                     const Add &add) const {
    const Scope &scope = at(s, path);
    const Node &event = d.nodes[b];
    bool takes = event.kind == Kind::MessageBoundary;
    if (!takes && !comesAlone(b))
      return;
    for (size_t r = 0; r < scope.runs.size(); ++r) {
      const Run &run = scope.runs[r];
      if (run.node != event.host ||
          (!takes && !event.interrupts && !run.armed.count(b)))
        continue;
      // It only has to be left.
      if (event.interrupts && run.inside.size() == 1 &&
          d.nodes[run.node].repeat == Repeat::No && run.inside[0].isDone())
        continue;
      Tree t = s;
      occur(t, path, r, b);
      if (takes)
        messages.receive(t, b, mark, add);
      else
        add(t);
    }
  }

  //===--------------------------------------------------------------------===//
  // What is thrown
  //===--------------------------------------------------------------------===//

  /// \p n throws; its token has been taken.
  void throwFrom(const Tree &s, const Path &path, int n, const Add &add) const {
    bool goesOn = d.nodes[n].kind == Kind::EscalationThrow;
    int from = -1;
    for (Path to = path;; to.way.pop_back()) {
      const Scope &scope = at(s, to);
      // What goes wrong in an event sub-process of a scope that is completing
      // is handled, too.
      if (scope.open) {
        std::vector<int> all = catchingHandlers(scope.body, from, n);
        for (int h : all) {
          Tree t = s;
          if (goesOn)
            give(at(t, path), n);
          trigger(t, to, h);
          mark.catches = startOf[h];
          add(t);
          mark.catches = -1;
        }
        if (!all.empty())
          return;
      }
      if (to.way.empty())
        break;
      from = -1;
      auto [what, r, k] = to.way.back();
      if (what == 'h') {
        from = scope.body;
        continue;
      }
      Path around = to;
      around.way.pop_back();
      std::vector<int> all = catchingEvents(at(s, around).runs[r].node, n);
      for (int b : all) {
        Tree t = s;
        if (goesOn)
          give(at(t, path), n);
        std::vector<int> run;
        if (d.nodes[n].kind == Kind::CancelEnd)
          run = takeRecords(t, path, to.way.size(), -1);
        occur(t, around, r, b);
        if (!run.empty()) {
          for (int f : out[b])
            take(at(t, around).flow, f);
          begin(t, around, b, run);
        }
        mark.catches = b;
        add(t);
        mark.catches = -1;
      }
      if (!all.empty())
        return;
    }
    Tree t = s;
    if (goesOn)
      give(at(t, path), n);
    add(t);
  }

  //===--------------------------------------------------------------------===//
  // What is undone
  //===--------------------------------------------------------------------===//

  /// The handlers of \p activity that can be run from \p path and the scopes
  /// around it, down to that of \p depth; they are taken.
  std::vector<int> takeRecords(Tree &t, Path path, size_t depth,
                               int activity) const {
    std::vector<int> all;
    for (;; path.way.pop_back()) {
      std::set<int> &records = at(t, path).records;
      for (int h : std::set<int>(records))
        if (isOf(h, activity)) {
          records.erase(h);
          all.push_back(h);
        }
      if (path.way.size() <= depth)
        break;
    }
    return all;
  }
  void begin(Tree &t, const Path &path, int by, std::vector<int> run) const {
    for (int h : run)
      t.roots[path.process].undoing[h] = 0;
    std::sort(run.begin(), run.end());
    at(t, path).waits.push_back({by, std::move(run)});
  }
  void compensate(Tree t, const Path &path, int n, const Add &add) const {
    size_t depth = path.way.size();
    while (depth && path.way[depth - 1][0] == 'h')
      --depth;
    std::vector<int> run = takeRecords(t, path, depth, d.nodes[n].ref);
    if (!run.empty())
      begin(t, path, n, run);
    if (run.empty() || !d.nodes[n].waits) {
      if (!run.empty())
        at(t, path).waits.pop_back();
      give(at(t, path), n);
    }
    add(t);
  }
  void undoSteps(const Tree &s, const Path &path, const Add &add) const {
    const Scope &scope = at(s, path), &root = s.roots[path.process];
    mark = Mark();
    for (size_t i = 0; i < scope.waits.size(); ++i) {
      if (llvm::any_of(scope.waits[i].second,
                       [&](int h) { return root.undoing.count(h); }))
        continue;
      Tree t = s;
      auto &waits = at(t, path).waits;
      waits.erase(waits.begin() + i);
      mark.node = scope.waits[i].first;
      give(at(t, path), scope.waits[i].first);
      add(t);
    }
    for (auto [h, runs] : scope.undoing) {
      mark = Mark();
      mark.node = h;
      mark.starts = runs ? -1 : h;
      bool mayRun = true;
      for (auto [other, state] : scope.undoing)
        mayRun &= other == h || !isBefore(h, other);
      Tree t = s;
      if (runs)
        at(t, path).undoing.erase(h);
      else
        at(t, path).undoing[h] = 1;
      if (runs || mayRun)
        add(t);
    }
  }

  //===--------------------------------------------------------------------===//
  // Steps
  //===--------------------------------------------------------------------===//

  void startProcess(const Tree &s, int p, const Add &add) const {
    for (int n : nodesOf(-1 - p)) {
      if (!Diagram::isStart(d.nodes[n].kind))
        continue;
      mark = markOf(d, n);
      Tree t = s;
      t.started[p] = 1;
      give(t.roots[p], n);
      arm(t.roots[p]);
      if (d.nodes[n].kind == Kind::MessageStart)
        messages.receive(t, n, mark, add);
      else
        add(t);
    }
  }
  void scopeSteps(const Tree &s, const Path &path, const Add &add) const {
    const Scope &scope = at(s, path);
    for (auto [place, tokens] : scope.waiting)
      if (place < idle && -2 - place != scope.body &&
          !isGateway(d.nodes[-2 - place].kind))
        decide(s, path, -2 - place, add);
    if (isAdHoc(scope.body))
      adHocSteps(s, path, add);
    for (size_t r = 0; r < scope.runs.size(); ++r)
      runSteps(s, path, r, add);
    undoSteps(s, path, add);
    for (int n : nodesOf(scope.body)) {
      mark = markOf(d, n);
      nodeSteps(s, path, n, add);
    }
  }
  void nodeSteps(const Tree &s, const Path &path, int n, const Add &add) const {
    const Node &node = d.nodes[n];
    const Scope &scope = at(s, path);
    auto each = [&](const std::function<void(Tree &)> &then) {
      for (int f : in[n])
        if (count(scope.flow, f) &&
            d.nodes[d.flows[f].source].kind != Kind::EventBased) {
          Tree t = s;
          take(at(t, path).flow, f);
          then(t);
        }
    };
    switch (node.kind) {
    case Kind::NoneStart:
    case Kind::TimerStart:
    case Kind::MessageStart:
    case Kind::ErrorStart:
    case Kind::EscalationStart: {
      if (!count(scope.waiting, n))
        return;
      Tree t = s;
      take(at(t, path).waiting, n);
      give(at(t, path), n);
      return add(t);
    }
    case Kind::NoneEnd:
      return each([&](Tree &t) { add(t); });
    case Kind::AnnounceEnd:
      return each([&](Tree &t) { compensate(t, path, n, add); });
    case Kind::MessageEnd:
      return each([&](Tree &t) { messages.send(t, n, add); });
    case Kind::Terminate:
      return each([&](Tree &t) {
        interrupt(at(t, path));
        add(t);
      });
    case Kind::Task:
    case Kind::Send:
    case Kind::Receive:
    case Kind::TwoWay:
    case Kind::Service:
    case Kind::SubProcess:
      return each([&](Tree &t) { start(t, path, n, add); });
    case Kind::Throw:
      return each([&](Tree &t) {
        give(at(t, path), n);
        messages.send(t, n, add);
      });
    case Kind::Catch:
      return each([&](Tree &t) {
        give(at(t, path), n);
        messages.receive(t, n, mark, add);
      });
    case Kind::Announce:
      return each([&](Tree &t) { compensate(t, path, n, add); });
    case Kind::Timer:
      return each([&](Tree &t) {
        give(at(t, path), n);
        add(t);
      });
    case Kind::LinkThrow:
      mark.catches = node.link;
      return each([&](Tree &t) {
        give(at(t, path), node.link);
        add(t);
      });
    case Kind::ErrorEnd:
    case Kind::EscalationEnd:
    case Kind::EscalationThrow:
    case Kind::CancelEnd:
      return each([&](Tree &t) { throwFrom(t, path, n, add); });
    case Kind::MessageBoundary:
    case Kind::TimerBoundary:
    case Kind::ErrorBoundary:
    case Kind::EscalationBoundary:
    case Kind::CancelBoundary:
      return boundarySteps(s, path, n, add);
    case Kind::Handler:
      return handlerSteps(s, path, n, add);
    case Kind::Exclusive:
      return each([&](Tree &t) {
        for (int f : out[n]) {
          Tree u = t;
          ++at(u, path).flow[f];
          mark.flow = out[n].size() > 1 ? f : -1;
          add(u);
        }
      });
    case Kind::Parallel: {
      Tree t = s;
      for (int f : in[n]) {
        if (!count(scope.flow, f))
          return;
        take(at(t, path).flow, f);
      }
      give(at(t, path), n);
      return add(t);
    }
    case Kind::EventBased:
      return each([&](Tree &t) { choose(t, path, n, add); });
    case Kind::Complex:
      return complex(s, path, n, add);
    case Kind::Inclusive:
      return inclusive(s, path, n, add);
    case Kind::LinkCatch:
    case Kind::Called:
    case Kind::Undoing:
      return;
    }
  }
  void choose(const Tree &t, const Path &path, int n, const Add &add) const {
    for (int f : out[n]) {
      int event = d.flows[f].target;
      Tree u = t;
      give(at(u, path), event);
      mark.event = mark.starts = event;
      mark.flow = out[n].size() > 1 ? f : -1;
      if (d.nodes[event].kind == Kind::Timer)
        add(u);
      else
        messages.receive(u, event, mark, add);
    }
  }
  /// A token that comes is consumed, or makes the gateway fire. Where it is
  /// but a split, it fires.
  void complex(const Tree &s, const Path &path, int n, const Add &add) const {
    if (count(at(s, path).waiting, decisionOf(n))) {
      Tree t = s;
      take(at(t, path).waiting, decisionOf(n));
      mark.node = hiddenNode(n);
      giveAny(t, path, out[n], false, true, add);
      mark.node = n;
    }
    for (int f : in[n]) {
      if (!count(at(s, path).flow, f))
        continue;
      Tree t = s;
      take(at(t, path).flow, f);
      if (in[n].size() < 2) {
        giveAny(t, path, out[n], false, out[n].size() > 1, add);
        continue;
      }
      mark.flow = hiddenFlow(n, 0);
      add(t);
      if (out[n].size() > 1) {
        ++at(t, path).waiting[decisionOf(n)];
        mark.flow = hiddenFlow(n, 1);
      } else {
        ++at(t, path).flow[out[n][0]];
        mark.flow = out[n][0];
      }
      add(t);
      mark.flow = -1;
    }
  }

  //===--------------------------------------------------------------------===//
  // Inclusive joins
  //===--------------------------------------------------------------------===//

  void findPositions(const Scope &scope, std::set<Position> &all) const {
    for (auto [f, tokens] : scope.flow)
      all.insert({'f', f});
    for (auto [n, tokens] : scope.waiting)
      if (n >= 0)
        all.insert({'n', n});
      else if (n < idle)
        all.insert({'d', -2 - n});
    for (auto &[by, run] : scope.waits)
      all.insert({'n', by});
    for (const Run &run : scope.runs) {
      all.insert({'n', run.node});
      for (const Scope &inside : run.inside)
        findPositions(inside, all);
    }
  }
  void inclusive(const Tree &s, const Path &path, int n, const Add &add) const {
    const Scope &scope = at(s, path);
    Tree t = s;
    std::vector<int> marked, unmarked;
    for (int f : in[n])
      if (count(scope.flow, f)) {
        marked.push_back(f);
        take(at(t, path).flow, f);
      } else {
        unmarked.push_back(f);
      }
    std::set<Position> all;
    findPositions(scope, all);
    if (marked.empty() ||
        joinWaits(marked, unmarked, all,
                  [&](const Position &p, bool moves) {
                    return onward(p, n, moves);
                  }))
      return;
    std::vector<int> optional;
    for (int f : out[n])
      if (d.flows[f].isDefault && out[n].size() > 1) {
        Tree u = t;
        ++at(u, path).flow[f];
        mark.flow = f;
        add(u);
      } else {
        optional.push_back(f);
      }
    giveAny(t, path, optional, false, out[n].size() > 1, add);
  }

  NetworkKind net;
  Messages messages;
  mutable Mark mark; ///< of the step that is being taken
};

} // namespace cif::naive

#endif
