//===- GraphConnectedness.cpp - Connectedness of graphs -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The conditions of connectedness on graphs: diagrams whose blocks are not
/// nested, tail recursion, interruption, and automata. Implements: [iocpoc],
/// Defs. 4.2, 4.3, 5.1, 5.5, 5.7, 5.9, transferred to graphs as
/// docs/connectedness.md states them. On the graph of a term they agree with
/// Connectedness.cpp on the term, which is tested on generated terms.
///
/// - Sequence: y is a neighbour of x if a token can reach y from x without
///   another step. A join is passed if each of its other incoming flows has
///   been passed likewise, or cannot be reached from x except through that
///   join (then it waits for something in parallel with x).
/// - Choice: all pairs of first steps of two branches.
/// - The roles of a branch are those of the steps between the split and its
///   immediate postdominator. Branches that lead back to the split are
///   rounds: they must have the same roles, and all of these must take part
///   in everything that follows the way out.
/// - Recursion: what follows a call is reached from the end of what it calls,
///   whichever call it was, so that all paths of all unfoldings are covered
///   [iocpoc, section 6]. Each role of the recursion must take part on every
///   path to such a call, so that it knows how often it has to return;
///   otherwise its projection is not guarded. A call in parallel with a step
///   would have that step in parallel with itself in the next unfolding.
///   Branches of a choice with such a call must have the roles that the
///   definition requires, including those of the recursion, and no two of
///   them may call the same recursion, whose operations would be used in
///   both.
/// - Interruption of parallel branches: any of their steps may be the last
///   one before, or the one instead of, each first step of what interrupts
///   them, so all these pairs must meet the conditions for sequence and
///   choice. No operation of theirs is used afterwards. (Without parallel
///   branches each flow is a choice between continuing and the interruption.)
/// - Causality: GraphCausality.cpp.
///
/// Input class: any IocGraph. If parallel branches are not nested, the
/// conditions are not known to be sufficient, and `nested` is false. Time: a
/// walk over the neighbourhood of each step and each split; the total is
/// bounded, and `gaveUp` says if the bound was reached.
///
//===----------------------------------------------------------------------===//

#include "GraphConnectedness.h"
#include "cif/Graph/Components.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <numeric>

using namespace cif;

GraphStructure::GraphStructure(const IocGraph &g, Budget &budget) : g(g) {
  auto size = static_cast<uint32_t>(g.size());
  end = size;
  std::vector<std::pair<uint32_t, uint32_t>> forward, backward;
  std::vector<uint32_t> numbers(size, noNode); // depth-first
  std::vector<bool> stops(size, false);
  for (uint32_t n = 0; n < size; ++n) {
    for (uint32_t to : g.successors(n)) {
      forward.push_back({n, to});
      backward.push_back({to, n});
    }
    stops[n] = g.successors(n).empty();
  }
  addEndless(stops);
  for (uint32_t n = 0; n < size; ++n)
    if (stops[n])
      backward.push_back({end, n});
  dominator.assign(size, noNode);
  postdominator.assign(size + 1, noNode);
  if (budget.spend(forward.size()))
    return;
  dominator = immediateDominators(Graph::fromEdges(size, forward), 0, &budget);
  if (budget.stopped())
    return;
  postdominator =
      immediateDominators(Graph::fromEdges(size + 1, backward), end, &budget);
}

/// Components of the graph that nothing leaves get a stop, at the node where
/// they are entered first.
void GraphStructure::addEndless(std::vector<bool> &stops) {
  std::vector<bool> inside(g.size(), false);
  ComponentSearch(g.size()).visit(
      0, [](uint32_t) { return 0; },
      [&](uint32_t n) { return g.successors(n).size(); },
      [&](uint32_t n, uint32_t i) { return g.successors(n)[i]; },
      [&](ArrayRef<uint32_t> members) {
        for (uint32_t n : members)
          inside[n] = true;
        stops[members[0]] =
            stops[members[0]] || llvm::all_of(members, [&](uint32_t n) {
              ArrayRef<uint32_t> out = g.successors(n);
              return !out.empty() &&
                     llvm::all_of(out, [&](uint32_t to) { return inside[to]; });
            });
        for (uint32_t n : members)
          inside[n] = false;
      });
}

bool GraphStructure::nested() const {
  for (uint32_t n = 0; n < g.size(); ++n) {
    if (g.predecessors(n).size() < 2)
      continue;
    uint32_t d = dominator[n];
    bool fork = d != noNode && g.kind(d) == GraphNodeKind::Fork;
    if (g.kind(n) == GraphNodeKind::Join
            ? !fork || postdominator[d] != n ||
                  g.predecessors(n).size() != g.successors(d).size()
            : fork)
      return false;
  }
  return true;
}

void GraphStructure::region(uint32_t split, uint32_t branch, Region &found,
                            Steps &budget) {
  uint32_t stop = postdominator[split];
  found.steps.clear();
  found.again = false;
  ++mark;
  marks.resize(g.size());
  std::vector<uint32_t> &work = pending;
  work.assign(1, branch);
  if (branch == stop)
    return;
  if (branch == split) {
    found.again = true;
    return;
  }
  marks[branch] = mark;
  while (!work.empty()) {
    uint32_t n = work.back();
    work.pop_back();
    if (!budget)
      return;
    --budget;
    if (g.kind(n) == GraphNodeKind::Step)
      found.steps.push_back(n);
    for (uint32_t to : g.successors(n)) {
      found.again |= to == split;
      if (to != split && to != stop && marks[to] != mark) {
        marks[to] = mark;
        work.push_back(to);
      }
    }
  }
  llvm::sort(found.steps);
}

void GraphStructure::firstSteps(uint32_t origin, std::vector<uint32_t> &found,
                                Steps &budget) {
  found.clear();
  ++mark;
  uint32_t mine = mark;
  marks.resize(g.size());
  closureMarks.resize(g.size());
  std::vector<uint32_t> work{origin}, waiting;
  closureMarks[origin] = mine;
  auto put = [&](uint32_t n) {
    if (closureMarks[n] != mine) {
      closureMarks[n] = mine;
      work.push_back(n);
    }
  };
  while (true) {
    while (!work.empty()) {
      uint32_t n = work.back();
      work.pop_back();
      if (!budget)
        return;
      --budget;
      switch (g.kind(n)) {
      case GraphNodeKind::Step:
        found.push_back(n);
        break;
      case GraphNodeKind::Stuck:
      case GraphNodeKind::End:
        break;
      default:
        for (uint32_t to : g.successors(n)) {
          if (g.kind(to) == GraphNodeKind::Join &&
              g.predecessors(to).size() > 1)
            waiting.push_back(to);
          else
            put(to);
        }
      }
    }
    // Joins that can be passed by now.
    size_t kept = 0;
    for (uint32_t join : waiting) {
      if (closureMarks[join] == mine)
        continue;
      if (passes(origin, join, mine, budget))
        put(join);
      else
        waiting[kept++] = join;
    }
    waiting.resize(kept);
    if (work.empty())
      break;
  }
  llvm::sort(found);
}

/// Whether each way into \p join has been passed in the closure \p mine of
/// \p origin, or cannot be reached from there but through the join.
bool GraphStructure::passes(uint32_t origin, uint32_t join, uint32_t mine,
                            Steps &budget) {
  bool searched = false;
  for (uint32_t way : g.predecessors(join)) {
    if (closureMarks[way] == mine)
      continue;
    if (!searched) {
      searched = true;
      ++mark;
      pending.assign(1, origin);
      marks[origin] = mark;
      while (!pending.empty()) {
        uint32_t n = pending.back();
        pending.pop_back();
        if (!budget)
          return true;
        --budget;
        for (uint32_t to : g.successors(n))
          if (to != join && marks[to] != mark) {
            marks[to] = mark;
            pending.push_back(to);
          }
      }
    }
    if (marks[way] == mark)
      return false;
  }
  return true;
}

namespace {

class GraphWalk {
public:
  GraphWalk(const IocGraph &g, GraphStructure &structure,
            IocSemantics semantics, Connectedness &result, Steps &budget)
      : g(g), structure(structure), semantics(semantics), result(result),
        budget(budget) {}

  void run() {
    findCertain();
    whole([&] { checkCalls(); });
    for (const IocGraph::Race &race : g.races)
      whole([&] { checkRace(race); });
    for (uint32_t n = 0; n < g.size() && budget; ++n)
      whole([&] {
        if (g.kind(n) == GraphNodeKind::Step)
          checkSequence(n);
        else if (g.kind(n) == GraphNodeKind::Choice &&
                 g.successors(n).size() > 1)
          checkChoice(n);
      });
  }

private:
  /// What was found in a part of a walk may be wrong: it counts when the walk
  /// came to its end.
  template <class Check>
  void whole(Check check) {
    size_t before = result.violations.size();
    if (budget)
      check();
    if (!budget)
      result.violations.erase(result.violations.begin() +
                                  static_cast<ptrdiff_t>(before),
                              result.violations.end());
  }

  /// A few for each place are enough to see what is wrong.
  static constexpr unsigned mostPerPlace = 4;

  void add(ConnectednessRule rule, uint32_t at, uint32_t first, uint32_t second,
           uint32_t role = TermAction::none) {
    result.violations.push_back(
        {rule, IocPart::ofGraph(at), IocPart::ofGraph(first),
         second == noNode ? IocPart() : IocPart::ofGraph(second), role});
  }

  /// Where a token at \p n of a recursion goes within it; a call of anything
  /// comes back.
  template <class Visit>
  void forNext(const IocGraph::Call &of, uint32_t n, Visit visit) const {
    if (n == of.end)
      return;
    for (uint32_t to : g.successors(n))
      if (g.kind(n) != GraphNodeKind::Return || !isBack[to])
        visit(to);
    for (const IocGraph::Call &call : callsAt(n))
      visit(call.back);
  }
  ArrayRef<IocGraph::Call> callsAt(uint32_t n) const {
    auto it =
        llvm::lower_bound(g.calls, n, [](const IocGraph::Call &c, uint32_t at) {
          return c.at < at;
        });
    bool found = it != g.calls.end() && it->at == n;
    return found ? ArrayRef(&*it, 1) : ArrayRef<IocGraph::Call>();
  }

  void checkRace(const IocGraph::Race &race) {
    structure.firstSteps(race.entry, first, budget);
    unsigned sequences = 0, deciders = 0;
    for (uint32_t x : race.steps)
      for (uint32_t y : first) {
        if (!budget)
          return;
        --budget;
        const TermAction &inner = g.actions[x], &outer = g.actions[y];
        if (x == y)
          continue;
        if (!mayPrecede(semantics, inner, outer) && sequences < mostPerPlace) {
          add(ConnectednessRule::Sequence, x, x, y);
          ++sequences;
        }
        if (!mayCompete(semantics, inner, outer) && deciders < mostPerPlace) {
          add(ConnectednessRule::Decider, race.entry, std::min(x, y),
              std::max(x, y));
          ++deciders;
        }
      }
    // Whoever is interrupted may still wait.
    std::vector<uint32_t> useOf(g.numOperations, noNode), work{race.entry};
    llvm::BitVector seen(g.size());
    seen.set(race.entry);
    for (size_t i = 0; i < work.size() && budget; ++i, --budget) {
      uint32_t n = work[i];
      if (g.kind(n) == GraphNodeKind::Step && !g.actions[n].isTau())
        useOf[g.actions[n].operation] = n;
      for (uint32_t to : g.successors(n))
        if (!seen.test(to)) {
          seen.set(to);
          work.push_back(to);
        }
    }
    for (uint32_t x : race.steps)
      if (!g.actions[x].isTau() && useOf[g.actions[x].operation] != noNode)
        add(ConnectednessRule::LeftBehind, race.entry, x,
            useOf[g.actions[x].operation], g.actions[x].receiver);
  }

  void checkCalls() {
    for (auto [call, step] : g.beside)
      add(ConnectednessRule::Overlap, call, step, noNode);
    if (g.calls.empty())
      return;
    isBack.resize(g.size());
    for (const IocGraph::Call &call : g.calls)
      isBack.set(call.back);
    for (const IocGraph::Call &call : g.calls)
      if (called.try_emplace(call.entry).second)
        checkCounted(call);
    checkCallers();
  }

  /// Choices with calls in their branches. A call counts as a step of all roles
  /// of its recursion, and the graph is that of one unfolding.
  void checkCallers() {
    std::vector<std::pair<uint32_t, uint32_t>> reversed;
    auto size = static_cast<uint32_t>(g.size());
    auto next = [&](uint32_t n, auto visit) {
      ArrayRef<IocGraph::Call> call = callsAt(n);
      if (!call.empty())
        return visit(call[0].back);
      for (uint32_t to : g.successors(n))
        if (g.kind(n) != GraphNodeKind::Return || !isBack[to])
          visit(to);
    };
    std::vector<bool> stops(size);
    for (uint32_t n = 0; n < size; ++n)
      stops[n] = g.successors(n).empty();
    structure.addEndless(stops);
    for (uint32_t n = 0; n < size; ++n) {
      next(n, [&](uint32_t to) { reversed.push_back({to, n}); });
      if (stops[n])
        reversed.push_back({size, n});
    }
    std::vector<uint32_t> join =
        immediateDominators(Graph::fromEdges(size + 1, reversed), size);
    struct Branch {
      llvm::BitVector roles;
      std::vector<uint32_t> calls; ///< the first nodes of what is called
      bool again = false, any = false;
    };
    std::vector<Branch> branches;
    for (uint32_t split = 0; split < size && budget; ++split) {
      if (g.kind(split) != GraphNodeKind::Choice ||
          g.successors(split).size() < 2)
        continue;
      branches.clear();
      bool any = false;
      for (uint32_t begin : g.successors(split)) {
        Branch &branch = branches.emplace_back();
        branch.roles.resize(g.numRoles);
        llvm::DenseSet<uint32_t> seen;
        std::vector<uint32_t> work;
        auto put = [&](uint32_t n) {
          branch.again |= n == split;
          if (n != split && n != join[split] && seen.insert(n).second)
            work.push_back(n);
        };
        put(begin);
        for (size_t i = 0; i < work.size() && budget; ++i, --budget) {
          uint32_t n = work[i];
          if (g.kind(n) == GraphNodeKind::Step) {
            branch.roles.set(g.actions[n].sender);
            branch.roles.set(g.actions[n].receiver);
          }
          if (called.contains(n)) // entered, or called in last place
            branch.calls.push_back(n);
          for (const IocGraph::Call &call : callsAt(n)) {
            branch.roles |= called[call.entry];
            branch.calls.push_back(call.entry);
            branch.any = true;
          }
          next(n, put);
        }
        any |= branch.any;
      }
      if (any)
        compareCallers(split, branches);
    }
  }

  template <class Branches>
  void compareCallers(uint32_t split, const Branches &branches) {
    for (size_t i = 0; i < branches.size(); ++i) {
      for (size_t j = 0; j < branches.size(); ++j) {
        const auto &one = branches[i], &other = branches[j];
        if (i == j || (!one.any && !other.any))
          continue;
        // Roles; a round's must all be in what follows the last one.
        llvm::BitVector missing = one.roles;
        bool leaving = one.again && !other.again;
        if (leaving)
          missing.reset(certain[g.successors(split)[j]]);
        else if (one.again == other.again)
          missing.reset(other.roles);
        else
          missing.reset();
        if (int role = missing.find_first(); role >= 0)
          add(leaving ? ConnectednessRule::LoopExit
                      : ConnectednessRule::Informed,
              split, stepWith(role), noNode, static_cast<uint32_t>(role));
        if (i > j)
          continue;
        for (uint32_t entry : one.calls)
          if (llvm::is_contained(other.calls, entry)) {
            add(ConnectednessRule::Ambiguous, split, firstStepOf(entry),
                noNode);
            break;
          }
      }
    }
  }
  uint32_t stepWith(uint32_t role) const {
    for (uint32_t n = 0; n < g.size(); ++n)
      if (g.kind(n) == GraphNodeKind::Step && g.actions[n].involves(role))
        return n;
    llvm_unreachable("roles come from steps");
  }
  /// Recursion is guarded: there is one.
  uint32_t firstStepOf(uint32_t entry) {
    structure.firstSteps(entry, first, budget);
    return first.empty() ? entry : first.front();
  }

  /// All roles of the recursion that \p of calls take part before each of its
  /// calls. The greatest solution, by lowering it until it fits.
  void checkCounted(const IocGraph::Call &of) {
    std::vector<uint32_t> nodes{of.entry}, stepOf(g.numRoles, noNode);
    std::vector<std::pair<uint32_t, uint32_t>> back; // target, source
    llvm::BitVector seen(g.size()), roles(g.numRoles);
    seen.set(of.entry);
    for (size_t i = 0; i < nodes.size() && budget; ++i, --budget) {
      uint32_t n = nodes[i];
      if (g.kind(n) == GraphNodeKind::Step)
        for (uint32_t role : {g.actions[n].sender, g.actions[n].receiver})
          if (!roles.test(role)) {
            roles.set(role);
            stepOf[role] = n;
          }
      forNext(of, n, [&](uint32_t to) {
        back.push_back({to, n});
        if (!seen.test(to)) {
          seen.set(to);
          nodes.push_back(to);
        }
      });
    }
    called[of.entry] = roles;
    llvm::sort(back);
    // Who took part for sure on the way to each node, and in it.
    std::vector<llvm::BitVector> sure(g.size());
    for (uint32_t n : nodes)
      sure[n].resize(g.numRoles, n != of.entry);
    for (bool changed = true; changed && budget;) {
      changed = false;
      for (uint32_t n : nodes) {
        if (n == of.entry || !budget)
          continue;
        --budget;
        llvm::BitVector now(g.numRoles);
        bool first = true;
        for (auto it = llvm::lower_bound(back, std::pair(n, uint32_t(0)));
             it != back.end() && it->first == n; ++it) {
          if (first || g.kind(n) == GraphNodeKind::Join)
            now |= sure[it->second];
          else
            now &= sure[it->second];
          first = false;
        }
        if (g.kind(n) == GraphNodeKind::Step) {
          now.set(g.actions[n].sender);
          now.set(g.actions[n].receiver);
        }
        changed |= now != sure[n];
        sure[n] = std::move(now);
      }
    }
    for (const IocGraph::Call &call : g.calls) {
      if (call.entry != of.entry)
        continue;
      llvm::BitVector missing = roles;
      missing.reset(sure[call.at]);
      for (unsigned role : missing.set_bits())
        add(ConnectednessRule::Uncounted, call.at, stepOf[role], noNode, role);
    }
  }

  void checkSequence(uint32_t x) {
    unsigned found = 0;
    for (uint32_t next : g.successors(x)) {
      structure.firstSteps(next, first, budget);
      for (uint32_t y : first)
        if (found < mostPerPlace &&
            !mayPrecede(semantics, g.actions[x], g.actions[y])) {
          add(ConnectednessRule::Sequence, x, x, y);
          ++found;
        }
    }
  }

  void checkChoice(uint32_t split) {
    result.hasChoice = true;
    ArrayRef<uint32_t> branches = g.successors(split);
    // Those who decide.
    std::vector<std::vector<uint32_t>> firsts(branches.size());
    for (size_t i = 0; i < branches.size(); ++i)
      structure.firstSteps(branches[i], firsts[i], budget);
    unsigned found = 0;
    for (size_t j = 1; j < branches.size() && found < mostPerPlace; ++j)
      for (size_t i = 0; i < j; ++i)
        for (uint32_t x : firsts[i])
          for (uint32_t y : firsts[j]) {
            if (!budget || found == mostPerPlace)
              break;
            --budget;
            if (x != y && !mayCompete(semantics, g.actions[x], g.actions[y])) {
              add(ConnectednessRule::Decider, split, std::min(x, y),
                  std::max(x, y));
              ++found;
            }
          }
    // Those who must learn.
    std::vector<GraphStructure::Region> regions(branches.size());
    for (size_t i = 0; i < branches.size(); ++i)
      structure.region(split, branches[i], regions[i], budget);
    checkInformed(split, firsts, regions, false);
    checkInformed(split, firsts, regions, true);
    checkLeaving(split, regions);
  }

  /// All branches that lead back (\p again), or all that do not, have the same
  /// roles.
  void checkInformed(uint32_t split, ArrayRef<std::vector<uint32_t>> firsts,
                     ArrayRef<GraphStructure::Region> regions, bool again) {
    size_t base = regions.size();
    std::vector<bool> inBase(g.numRoles);
    auto roleOf = [&](ArrayRef<uint32_t> steps, auto wanted) {
      for (uint32_t x : steps)
        for (uint32_t role : {g.actions[x].sender, g.actions[x].receiver})
          if (wanted(role))
            return std::pair(x, role);
      return std::pair(noNode, noNode);
    };
    auto report = [&](std::pair<uint32_t, uint32_t> missing, size_t without) {
      if (missing.first == noNode)
        return;
      // A step of the branch that leaves the role out, where it has one.
      uint32_t other = regions[without].steps.empty()
                           ? noNode
                           : regions[without].steps.front();
      for (uint32_t y : firsts[without])
        if (llvm::is_contained(regions[without].steps, y)) {
          other = y;
          break;
        }
      add(ConnectednessRule::Informed, split, missing.first, other,
          missing.second);
    };
    for (size_t i = 0; i < regions.size(); ++i) {
      if (regions[i].again != again)
        continue;
      if (base == regions.size()) {
        base = i;
        for (uint32_t x : regions[i].steps)
          inBase[g.actions[x].sender] = inBase[g.actions[x].receiver] = true;
        continue;
      }
      std::vector<bool> here(g.numRoles);
      for (uint32_t x : regions[i].steps)
        here[g.actions[x].sender] = here[g.actions[x].receiver] = true;
      report(roleOf(regions[i].steps, [&](uint32_t r) { return !inBase[r]; }),
             base);
      report(roleOf(regions[base].steps, [&](uint32_t r) { return !here[r]; }),
             i);
    }
  }

  /// Whoever is in a round takes part for sure in what comes after the last
  /// one.
  void checkLeaving(uint32_t split, ArrayRef<GraphStructure::Region> regions) {
    ArrayRef<uint32_t> branches = g.successors(split);
    for (size_t out = 0; out < regions.size(); ++out) {
      if (regions[out].again)
        continue;
      for (const GraphStructure::Region &round : regions) {
        if (!round.again)
          continue;
        bool found = false;
        for (uint32_t x : round.steps)
          for (uint32_t role : {g.actions[x].sender, g.actions[x].receiver})
            if (!found && !certain[branches[out]].test(role)) {
              add(ConnectednessRule::LoopExit, split, x, noNode, role);
              found = true;
            }
      }
    }
  }

  /// The roles that take part for sure in what follows each node: the greatest
  /// solution, by lowering it until it fits.
  void findCertain() {
    certain.assign(g.size(), llvm::BitVector(g.numRoles, true));
    std::vector<uint32_t> work(g.size());
    std::iota(work.begin(), work.end(), 0); // the last ones come first
    std::vector<bool> queued(g.size(), true);
    while (!work.empty() && budget) {
      uint32_t n = work.back();
      work.pop_back();
      queued[n] = false;
      --budget;
      llvm::BitVector now(g.numRoles);
      bool all = g.kind(n) == GraphNodeKind::Fork, first = true;
      for (uint32_t to : g.successors(n)) {
        if (first)
          now = certain[to];
        else if (all)
          now |= certain[to];
        else
          now &= certain[to];
        first = false;
      }
      if (g.kind(n) == GraphNodeKind::Step) {
        now.set(g.actions[n].sender);
        now.set(g.actions[n].receiver);
      }
      if (now == certain[n])
        continue;
      certain[n] = std::move(now);
      for (uint32_t from : g.predecessors(n))
        if (!queued[from]) {
          queued[from] = true;
          work.push_back(from);
        }
    }
  }

  const IocGraph &g;
  GraphStructure &structure;
  const IocSemantics semantics;
  Connectedness &result;
  Steps &budget;
  std::vector<uint32_t> first;
  std::vector<llvm::BitVector> certain;
  llvm::BitVector isBack; ///< nodes behind calls
  /// Of what is called not in last place: its roles, by its first node.
  llvm::DenseMap<uint32_t, llvm::BitVector> called;
};

} // namespace

Connectedness cif::checkConnected(const IocGraph &graph,
                                  const ConnectednessOptions &options) {
  Connectedness result;
  Steps budget(options);
  // What is kept for each node: some words, and a bit for each role.
  if (uint64_t(graph.size()) * (256 + graph.numRoles / 4) > options.maxBytes) {
    result.gaveUp = true;
    return result;
  }
  GraphStructure structure(graph, budget.ofRun());
  if (budget.stopped()) {
    result.gaveUp = true;
    result.limit = budget.limit();
    return result;
  }
  result.nested = structure.nested() && !graph.open;
  GraphWalk(graph, structure, options.semantics, result, budget).run();
  size_t before = result.violations.size();
  checkGraphCausality(graph, structure, options, result, budget);
  if (!budget) {
    result.gaveUp = true;
    result.limit = budget.limit();
    result.violations.erase(result.violations.begin() +
                                static_cast<ptrdiff_t>(before),
                            result.violations.end());
  }
  auto key = [](const ConnectednessViolation &v) {
    return std::tie(v.first, v.second, v.rule, v.at, v.role);
  };
  llvm::sort(result.violations,
             [&](const ConnectednessViolation &x,
                 const ConnectednessViolation &y) { return key(x) < key(y); });
  result.violations.erase(std::unique(result.violations.begin(),
                                      result.violations.end(),
                                      [&](const ConnectednessViolation &x,
                                          const ConnectednessViolation &y) {
                                        return key(x) == key(y);
                                      }),
                          result.violations.end());
  return result;
}
