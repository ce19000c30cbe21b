//===- AnimationGraph.cpp - Few states, as a graph ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A plain exploration, without reductions: a reader wants to see every order
/// of events. Labels have a short form for an arrow and a long one for a
/// pointer on it.
///
//===----------------------------------------------------------------------===//

#include "AnimationGraph.h"
#include "cif/Explore/Explorer.h"

using namespace cif;

namespace {
/// Gives each pair of texts a label.
class GraphLabels {
public:
  explicit GraphLabels(const GraphWords &words, AnimationGraph &graph)
      : words(words), graph(graph) {
    graph.labelTexts.emplace_back(); // tau, which nothing is told as
  }

  LabelIndex of(const Step &step) {
    auto [at, isNew] = known.try_emplace(
        std::pair(words.shortText(step), words.fullText(step)), 0);
    if (isNew) {
      at->second = static_cast<LabelIndex>(graph.lts.labels.size());
      graph.lts.labels.push_back(Label::plain(at->first.first));
      graph.labelTexts.push_back(at->first.second);
    }
    return at->second;
  }

private:
  const GraphWords &words;
  AnimationGraph &graph;
  std::map<std::pair<std::string, std::string>, LabelIndex> known;
};
} // namespace

std::optional<NumberedGraph>
cif::graphOf(const System &system, const GraphWords &words, Limits limits) {
  limits.maxStates = std::min(limits.maxStates, maxGraphStates);
  limits.progress = nullptr;
  Exploration ex = explore(system, {.limits = limits, .keepOrigins = true});
  if (!ex.complete || ex.lts.numTransitions() > maxGraphTransitions)
    return std::nullopt;
  NumberedGraph result;
  AnimationGraph &graph = result.graph;
  graph.title = words.title;
  GraphLabels labels(words, graph);
  std::vector<LabelIndex> told;
  for (size_t t = 0; t < ex.lts.numTransitions(); ++t)
    told.push_back(labels.of(ex.steps[t]));
  graph.lts.initial = ex.lts.initial;
  graph.lts.rowBegin = ex.lts.rowBegin;
  graph.lts.target = ex.lts.target;
  graph.lts.finals = ex.lts.finals;
  graph.lts.label = std::move(told);
  for (StateIndex s = 0; s < ex.lts.numStates(); ++s) {
    std::vector<uint32_t> vector = ex.vectorOf(s);
    graph.stateTexts.push_back(words.stateText(vector.data()));
    result.numbers.emplace(std::move(vector), s);
  }
  return result;
}
