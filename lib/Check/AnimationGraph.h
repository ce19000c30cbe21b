//===- AnimationGraph.h - Few states, as a graph --------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_CHECK_ANIMATIONGRAPH_H
#define CIF_LIB_CHECK_ANIMATIONGRAPH_H

#include "cif/IR/Animation.h"
#include "cif/Semantics/System.h"
#include "cif/Support/Limits.h"
#include <map>

namespace cif {

/// What the graph of a system is called and how it speaks.
struct GraphWords {
  std::string title;
  function_ref<std::string(const Step &)> shortText, fullText;
  function_ref<std::string(const uint32_t *state)> stateText;
};

/// A graph, and where to find a state in it.
struct NumberedGraph {
  AnimationGraph graph;
  std::map<std::vector<uint32_t>, StateIndex> numbers;
};

/// Everything that \p system can do, where it is little enough to be drawn
/// (maxGraphStates); else nothing.
std::optional<NumberedGraph> graphOf(const System &system,
                                     const GraphWords &words, Limits limits);

/// More are not looked at.
constexpr uint64_t maxGraphStates = 300, maxGraphTransitions = 1000;

} // namespace cif

#endif
