//===- Gaps.cpp - Consecutive interactions that nobody connects -----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A gap is a pair of interactions e and f: f can happen only after e, with
/// nothing but gateways between them; f is the only interaction with its
/// message; and the sender p of f takes no part in e.
///
/// Every set of interactions that makes the choreography realizable has one
/// between e and f. Assume that there is none. Let w be the exchanges of a run
/// up to the first e that has whatever else f waits for. Then w e f is a run,
/// p sees the same of w as of w e, and so its projection can send f after w,
/// with empty queues. But w f is not a run: there is no e in it. This is about
/// the amended choreography: interactions elsewhere change w alone.
///
/// The same is true with the last interaction between e and f in place of e, so
/// one of them involves p. There are at least as many as there are gaps that
/// have no candidate in common that could be that one; a choice of one for each
/// is a smallest set if it is sufficient, whatever else there is in the
/// choreography.
///
/// What f waits for is found backwards from f. A merge of several flows ends
/// the search, because the token may come from any of them. At a join it goes
/// on in all branches, but not past a fork: in `e ; ( 1 || g ) ; f`, who takes
/// part in g need not be told of e. That e is ever reached is known for graphs
/// without joins, and for those without cycles whose joins and forks are
/// nested.
///
/// Time: linear in the graph, but for the flows of joins in a row.
///
//===----------------------------------------------------------------------===//

#include "cif/Repair/Gaps.h"
#include "cif/Graph/Reach.h"
#include "cif/IR/Term.h"
#include "llvm/ADT/BitVector.h"
#include <map>
#include <set>

using namespace cif;

namespace {
class GapFinder {
public:
  GapFinder(const Module &from, const Behaviour &choreography,
            ArrayRef<Synchronisation> all)
      : module(from), graph(choreography), index(choreography), candidates(all),
        on(choreography.flows.size()), isTaken(all.size()) {
    for (uint32_t c = 0; c < all.size(); ++c)
      if (!all[c].extends)
        on[all[c].flow.index()].push_back(c);
  }

  std::optional<std::vector<uint32_t>> run() {
    if (!isKnown())
      return std::nullopt;
    countMessages();
    for (size_t n = 0; n < graph.nodes.size(); ++n)
      if (graph.nodes[n].kind == NodeKind::Interaction && reached[n] &&
          uses[labelOf(NodeId(n))] == 1)
        findGaps(NodeId(n));
    for (const auto &[key, alike] : gaps)
      if (!fill(key.first, key.second, alike))
        return std::nullopt;
    llvm::sort(chosen);
    return std::move(chosen);
  }

private:
  /// Whether the nodes are of kinds that the argument knows, and all that can
  /// be reached can happen.
  bool isKnown() {
    bool joins = false;
    NodeId start;
    unsigned starts = 0;
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
      const Node &node = graph.nodes[n];
      switch (node.kind) {
      case NodeKind::Initial:
        start = NodeId(n);
        ++starts;
        break;
      case NodeKind::AllJoin:
        joins |= index.incoming(NodeId(n)).size() > 1;
        break;
      case NodeKind::Interaction:
      case NodeKind::Final:
      case NodeKind::Choice:
      case NodeKind::DominatedChoice:
      case NodeKind::EventChoice:
      case NodeKind::AllSelect:
      case NodeKind::SimpleJoin:
        break;
      default:
        return false;
      }
    }
    if (starts != 1)
      return false;
    Reach<NodeId> reach(graph.nodes.size(), start);
    for (NodeId n; reach.take(n);)
      for (FlowId f : index.outgoing(n))
        reach.add(graph.flow(f).target);
    reached = std::move(reach.nodes());
    auto targets = [&](uint32_t n, auto visit) {
      for (FlowId f : index.outgoing(NodeId(n)))
        visit(graph.flow(f).target.index());
    };
    OperationNumbers operations;
    return !joins || (isAcyclic(graph.nodes.size(), targets) &&
                      recoverTerm(module, graph, operations));
  }

  using Exchange = std::pair<std::pair<uint32_t, uint32_t>, uint32_t>;
  Exchange labelOf(NodeId n) const {
    const Message &m = module.message(graph.node(n).message);
    return {{nameOf(m.sender), nameOf(m.receiver)}, m.name.index()};
  }
  /// Participants of one name are one peer.
  uint32_t nameOf(ParticipantId p) const {
    return module.participants[p.index()].name.index();
  }

  void countMessages() {
    for (size_t n = 0; n < graph.nodes.size(); ++n)
      if (graph.nodes[n].kind == NodeKind::Interaction)
        ++uses[labelOf(NodeId(n))];
  }

  /// The candidates between two interactions that involve the sender of the
  /// second. Those in the branch of one of the interactions come first: behind
  /// a fork, before a join.
  using Gap = std::vector<uint32_t>;

  void findGaps(NodeId after) {
    uint32_t sender = labelOf(after).first.first;
    struct Way {
      FlowId flow;
      bool joined;
      Gap gap; ///< from the flow to `after`
    };
    std::vector<Way> work;
    if (index.incoming(after).size() == 1)
      work.push_back({index.incoming(after)[0], false, {}});
    for (size_t steps = 0; !work.empty(); ++steps) {
      if (steps > graph.nodes.size())
        return; // around a cycle
      Way way = std::move(work.back());
      work.pop_back();
      Gap here;
      for (uint32_t c : on[way.flow.index()])
        if (nameOf(candidates[c].to) == sender ||
            nameOf(candidates[c].from) == sender)
          here.push_back(c);
      way.gap.insert(way.joined ? way.gap.begin() : way.gap.end(), here.begin(),
                     here.end());
      NodeId n = graph.flow(way.flow).source;
      const Node &node = graph.node(n);
      ArrayRef<FlowId> in = index.incoming(n);
      if (node.kind == NodeKind::Interaction) {
        Exchange before = labelOf(n);
        if (before.first.first != sender && before.first.second != sender)
          gaps[{n, sender}].push_back(std::move(way.gap));
        continue;
      }
      bool isJoin = node.kind == NodeKind::AllJoin && in.size() > 1;
      bool isFork =
          node.kind == NodeKind::AllSelect && index.outgoing(n).size() > 1;
      if ((in.size() != 1 && !isJoin) || (isFork && way.joined))
        continue;
      for (FlowId f : in)
        work.push_back({f, way.joined || isJoin, way.gap});
    }
  }

  /// Chooses one candidate for gaps behind \p before that one sender has, else
  /// one for each; false: see fillGaps.
  bool fill(NodeId before, uint32_t sender, ArrayRef<Gap> alike) {
    Exchange e = labelOf(before);
    auto tells = [&](uint32_t c) {
      uint32_t from = nameOf(candidates[c].from);
      return nameOf(candidates[c].to) == sender &&
             (from == e.first.first || from == e.first.second);
    };
    auto choose = [&](ArrayRef<Gap> of) {
      for (uint32_t c : of[0])
        if (tells(c) && llvm::all_of(of, [&](const Gap &gap) {
              return llvm::is_contained(gap, c);
            })) {
          chosen.push_back(c);
          return true;
        }
      return false;
    };
    auto take = [&](ArrayRef<Gap> of) {
      std::set<uint32_t> mine;
      for (const Gap &gap : of)
        mine.insert(gap.begin(), gap.end());
      for (uint32_t c : mine) {
        if (isTaken[c])
          return false;
        isTaken.set(c);
      }
      return true;
    };
    if (choose(alike))
      return take(alike);
    for (const Gap &gap : alike)
      if (!take(gap) || !choose(gap))
        return false;
    return true;
  }

  const Module &module;
  const Behaviour &graph;
  FlowIndex index;
  ArrayRef<Synchronisation> candidates;
  std::vector<SmallVector<uint32_t, 2>> on; ///< candidates, by flow
  llvm::BitVector isTaken;                  ///< candidates of gaps so far
  /// By the interaction before them and the sender behind them.
  std::map<std::pair<NodeId, uint32_t>, std::vector<Gap>> gaps;
  llvm::BitVector reached;
  std::map<Exchange, uint32_t> uses;
  std::vector<uint32_t> chosen;
};
} // namespace

std::optional<std::vector<uint32_t>>
cif::fillGaps(const Module &module, const Behaviour &choreography,
              ArrayRef<Synchronisation> candidates) {
  return GapFinder(module, choreography, candidates).run();
}
