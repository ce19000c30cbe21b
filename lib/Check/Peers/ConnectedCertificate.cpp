//===- ConnectedCertificate.cpp - Proofs that cif-check can check ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Writes what findSenderConnection found in the format of
/// docs/certificates.md: nodes of the graph that stand for flows of the
/// choreography, or for states of an LTS, are the places there.
///
//===----------------------------------------------------------------------===//

#include "ConnectedGraph.h"
#include "cif/Check/Peers/ConnectedProof.h"
#include "llvm/Support/raw_ostream.h"

using namespace cif;

namespace {
constexpr uint32_t none = TermAction::none;

/// A graph, with the numbers that its nodes have in the module.
struct NumberedGraph {
  IocGraph graph;
  std::vector<uint32_t> places, steps; ///< by node; none: it is no such thing
};
} // namespace

/// Whether normalizing left \p now as \p before: numbers mean the same in both.
static bool isSame(const Behaviour &now, const Behaviour &before) {
  auto kindsOf = [](const Behaviour &b) {
    return llvm::map_range(b.nodes, [](const Node &n) { return n.kind; });
  };
  return now.nodes.size() == before.nodes.size() &&
         now.flows.size() == before.flows.size() &&
         llvm::equal(kindsOf(now), kindsOf(before)) &&
         llvm::equal(now.flows, before.flows, [](auto &a, auto &b) {
           return a.source == b.source && a.target == b.target;
         });
}

static std::optional<NumberedGraph> numbered(const Module &module,
                                             ChoreographyRef which) {
  NumberedGraph result;
  if (which.isSystem) {
    std::optional<IocGraph> graph = traceGraph(module, which);
    if (!graph)
      return std::nullopt;
    result.graph = std::move(*graph);
    const IocGraph &g = result.graph;
    const Lts &lts = module.systems[which.index].lts;
    result.places.assign(g.size(), none);
    result.steps.assign(g.size(), none);
    std::vector<StateIndex> sourceOf(lts.numTransitions());
    for (StateIndex s = 0; s < lts.numStates(); ++s)
      std::fill(sourceOf.begin() + lts.rowBegin[s],
                sourceOf.begin() + lts.rowBegin[s + 1], s);
    for (uint32_t n = 0; n < g.size(); ++n)
      if (uint32_t t = g.nodes[n].origin; t != none) {
        result.steps[n] = t;
        result.places[g.predecessors(n)[0]] = sourceOf[t];
      }
    return result;
  }
  const Behaviour &whole = module.behaviours[which.index];
  std::optional<Module> normal = normalizedAlone(module, which);
  if (!normal || !isSame(normal->behaviours[0], whole) ||
      llvm::any_of(whole.nodes, [](const Node &node) {
        return node.kind == NodeKind::Container;
      }))
    return std::nullopt;
  if (exchangesNothing(*normal))
    return result; // no place has a step
  std::optional<IocGraph> graph = graphWithoutNoise(*normal);
  if (!graph)
    return std::nullopt;
  result.graph = std::move(*graph);
  for (const IocGraph::Node &node : result.graph.nodes) {
    result.places.push_back(node.flow ? node.flow.index() : none);
    result.steps.push_back(node.node ? node.node.index() : none);
  }
  return result;
}

std::optional<std::string> cif::connectedCertificate(const Module &module,
                                                     ChoreographyRef which,
                                                     const Limits &limits,
                                                     bool &isNormal) {
  std::optional<NumberedGraph> numbers = numbered(module, which);
  isNormal = numbers.has_value();
  Budget budget(limits);
  SenderEvidence evidence;
  if (!numbers ||
      (numbers->graph.size() &&
       !findSenderConnection(numbers->graph, budget, &evidence).holds()))
    return std::nullopt;
  auto inPlaces = [&](auto has) {
    std::vector<uint32_t> found;
    for (uint32_t n = 0; n < numbers->graph.size(); ++n)
      if (numbers->places[n] != none && has(n))
        found.push_back(n);
    return found;
  };
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "cif-certificate 1\nproperty sender-connected\n";
  std::vector<uint32_t> nodes =
      inPlaces([&](uint32_t n) { return !evidence.next[n].empty(); });
  os << "next " << nodes.size() << '\n';
  for (uint32_t n : nodes) {
    os << numbers->places[n] << ' ' << evidence.next[n].size();
    for (uint32_t step : evidence.next[n])
      os << ' ' << numbers->steps[step];
    os << '\n';
  }
  os << "counts " << evidence.counts.size() << '\n';
  for (const SenderEvidence::Count &count : evidence.counts) {
    nodes = inPlaces([&](uint32_t n) { return count.kind[n] != none; });
    os << numbers->steps[count.use] << ' ' << nodes.size() << '\n';
    for (uint32_t n : nodes)
      os << numbers->places[n] << ' ' << count.kind[n] + 1 << '\n';
  }
  os << "end\n";
  return text;
}
