//===- ConnectedHealth.cpp - What else sender-connectedness promises ------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Conditions for the second theorem of docs/algorithms.md, "Proof before
/// search". Time: linear for each sender of a step (keepsOrder) and for each
/// participant that receives in a loop (isAnswered), within a budget.
///
//===----------------------------------------------------------------------===//

#include "cif/Calculus/ConnectedHealth.h"
#include "cif/Graph/Components.h"
#include "cif/Graph/Reach.h"
#include "llvm/ADT/BitVector.h"

using namespace cif;

static bool isStep(const IocGraph &g, uint32_t n) {
  return g.kind(n) == GraphNodeKind::Step && !g.actions[n].isTau();
}

bool cif::hasFork(const IocGraph &graph) {
  return llvm::any_of(graph.nodes, [](const IocGraph::Node &node) {
    return node.kind == GraphNodeKind::Fork;
  });
}

bool cif::isSequential(const IocGraph &g) {
  for (uint32_t n = 0; n < g.size(); ++n)
    if ((g.kind(n) != GraphNodeKind::Choice && g.successors(n).size() > 1) ||
        (g.kind(n) == GraphNodeKind::Join && g.predecessors(n).size() > 1))
      return false;
  return true;
}

bool cif::neverStops(const IocGraph &g) {
  Reach fine(g.size());
  for (uint32_t n = 0; n < g.size(); ++n) {
    if (g.kind(n) == GraphNodeKind::Stuck)
      return false;
    if (isStep(g, n) || g.kind(n) == GraphNodeKind::End ||
        g.kind(n) == GraphNodeKind::Join)
      fine.add(n);
  }
  for (uint32_t n; fine.take(n);)
    for (uint32_t before : g.predecessors(n))
      fine.add(before);
  return fine.nodes().all();
}

bool cif::keepsOrder(const IocGraph &g, bool pairs, Budget &budget) {
  constexpr uint64_t mostSteps = 5'000'000;
  uint64_t walked = 0;
  std::vector<uint32_t> seenBy(g.size(), UINT32_MAX), work;
  for (uint32_t first = 0; first < g.size(); ++first) {
    if (!isStep(g, first))
      continue;
    const TermAction &x = g.actions[first];
    auto leave = [&](uint32_t n) {
      for (uint32_t to : g.successors(n))
        if (seenBy[to] != first) {
          seenBy[to] = first;
          work.push_back(to);
        }
    };
    leave(first);
    while (!work.empty()) {
      uint32_t n = work.back();
      work.pop_back();
      if (budget.spend() || ++walked > mostSteps)
        return false;
      // What the receiver sends comes after a reception of it.
      if (!isStep(g, n) || g.actions[n].sender != x.receiver) {
        if (isStep(g, n) && g.actions[n].receiver == x.receiver &&
            (g.actions[n].sender != x.sender ||
             (!pairs && g.actions[n].operation != x.operation)))
          return false;
        leave(n);
      }
    }
  }
  return true;
}

/// Calls \p found with the nodes of every loop of steps that \p skip does not
/// name, until it answers false.
template <class Skip, class Found>
static bool eachLoop(const IocGraph &g, Skip skip, Found found) {
  ComponentSearch search(g.size());
  bool goOn = true;
  for (uint32_t root = 0; root < g.size() && goOn; ++root)
    if (!skip(root))
      search.visit(
          root, [&](uint32_t n) { return g.outBegin[n]; },
          [&](uint32_t n) { return g.outBegin[n + 1]; },
          [&](uint32_t, uint32_t e) {
            return skip(g.out[e]) ? UINT32_MAX : g.out[e];
          },
          [&](ArrayRef<uint32_t> nodes) {
            bool loop = nodes.size() > 1 ||
                        llvm::is_contained(g.successors(nodes[0]), nodes[0]);
            if (loop && goOn)
              goOn = found(nodes);
          });
  return goOn;
}

bool cif::isAnswered(const IocGraph &g, Budget &budget) {
  std::vector<uint32_t> receivers;
  eachLoop(
      g, [](uint32_t) { return false; },
      [&](ArrayRef<uint32_t> nodes) {
        for (uint32_t n : nodes)
          if (isStep(g, n))
            receivers.push_back(g.actions[n].receiver);
        return true;
      });
  if (receivers.empty())
    return true;
  if (!isSequential(g))
    return false;
  llvm::sort(receivers);
  receivers.erase(std::unique(receivers.begin(), receivers.end()),
                  receivers.end());
  for (uint32_t who : receivers) {
    if (budget.spend(g.size()))
      return false;
    bool waits = eachLoop(
        g,
        [&](uint32_t n) { return isStep(g, n) && g.actions[n].sender == who; },
        [&](ArrayRef<uint32_t> nodes) {
          return llvm::none_of(nodes, [&](uint32_t n) {
            return isStep(g, n) && g.actions[n].receiver == who;
          });
        });
    if (!waits)
      return false;
  }
  return true;
}
