//===- Unexpand.cpp - A change of a normalised module, made before --------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// normalize() keeps the existing nodes and flows, in their order, and appends
/// others; so does any pass that adds nodes to the result. Hence flow f of the
/// original is flow f of both, whatever its ends became: a node that was added
/// on it goes on it in the original, too, and normalizing that gives the same
/// graph, up to numbers.
///
//===----------------------------------------------------------------------===//

#include "cif/Transforms/Unexpand.h"
#include "cif/Support/Diagnostics.h"
#include "cif/Transforms/Normalize.h"
#include <map>

using namespace cif;

/// Whether ids of \p module mean the same in \p later.
static bool isExtendedBy(const Module &module, const Module &later) {
  auto isPrefix = [](const auto &a, const auto &b) {
    return a.size() <= b.size() && std::equal(a.begin(), a.end(), b.begin());
  };
  if (module.strings.size() > later.strings.size() ||
      module.behaviours.size() != later.behaviours.size())
    return false;
  for (size_t i = 0; i < module.strings.size(); ++i)
    if (module.text(Name(i)) != later.text(Name(i)))
      return false;
  return isPrefix(module.participants, later.participants) &&
         isPrefix(module.messages, later.messages) &&
         isPrefix(module.exprs, later.exprs) &&
         isPrefix(module.enumerations, later.enumerations);
}

namespace {
class Unexpander {
public:
  Unexpander(const Behaviour &original, const Behaviour &expanded,
             const Behaviour &changed)
      : original(original), expanded(expanded), changed(changed) {}

  std::optional<Behaviour> run() {
    if (changed.nodes.size() < expanded.nodes.size() ||
        changed.flows.size() < expanded.flows.size())
      return std::nullopt;
    for (size_t f = 0; f < original.flows.size(); ++f)
      if (!stands(expanded.flows[f].source, original.flows[f].source) ||
          !stands(expanded.flows[f].target, original.flows[f].target))
        return std::nullopt;
    Behaviour result = original;
    result.arguments = changed.arguments;
    if (!takeNodes(result) || !takeFlows(result))
      return std::nullopt;
    return result;
  }

private:
  /// Says that a node of the expanded graph stands for one of the original.
  bool stands(NodeId node, NodeId whole) {
    return wholes.try_emplace(node, whole).first->second == whole;
  }
  /// What a node of the changed graph is in the result.
  std::optional<NodeId> inResult(NodeId node) const {
    if (node.index() >= expanded.nodes.size())
      return NodeId(node.index() - expanded.nodes.size() +
                    original.nodes.size());
    auto found = wholes.find(node);
    if (found != wholes.end())
      return found->second;
    if (node.index() < original.nodes.size())
      return node;
    return std::nullopt;
  }

  bool takeNodes(Behaviour &result) const {
    for (size_t n = 0; n < expanded.nodes.size(); ++n) {
      Node node = changed.nodes[n];
      const Node &was = expanded.nodes[n];
      const bool carriesMore = node.numArguments != was.numArguments;
      if (carriesMore && n < original.nodes.size()) {
        result.nodes[n].firstArgument = node.firstArgument;
        result.nodes[n].numArguments = node.numArguments;
      } else if (carriesMore) {
        return false;
      }
      node.firstArgument = was.firstArgument;
      node.numArguments = was.numArguments;
      if (!(node == was))
        return false;
    }
    for (size_t n = expanded.nodes.size(); n < changed.nodes.size(); ++n) {
      Node node = changed.nodes[n];
      if (node.parent) {
        std::optional<NodeId> parent = inResult(node.parent);
        if (!parent || parent->index() >= original.nodes.size() ||
            original.node(*parent).kind != NodeKind::Container)
          return false;
        node.parent = *parent;
      }
      result.nodes.push_back(node);
    }
    return true;
  }

  bool takeFlows(Behaviour &result) const {
    auto isMoved = [&](size_t f) {
      return changed.flows[f].source != expanded.flows[f].source ||
             changed.flows[f].target != expanded.flows[f].target;
    };
    for (size_t f = 0; f < changed.flows.size(); ++f) {
      if (f < expanded.flows.size() && !isMoved(f))
        continue;
      // A flow of the expansion: what is on it is inside.
      if (f >= original.flows.size() && f < expanded.flows.size())
        return false;
      Flow flow =
          f < original.flows.size() ? original.flows[f] : changed.flows[f];
      std::optional<NodeId> source = inResult(changed.flows[f].source),
                            target = inResult(changed.flows[f].target);
      if (!source || !target)
        return false;
      flow.source = *source;
      flow.target = *target;
      if (f < original.flows.size())
        result.flows[f] = flow;
      else
        result.flows.push_back(flow);
    }
    return true;
  }

  const Behaviour &original, &expanded, &changed;
  std::map<NodeId, NodeId> wholes;
};
} // namespace

std::optional<Module> cif::unexpanded(const Module &original,
                                      const Module &changed) {
  if (!isExtendedBy(original, changed))
    return std::nullopt;
  Module expanded = original.clone();
  SourceManager sources;
  DiagnosticCollector quiet;
  DiagnosticEngine diags(sources, quiet);
  NormalizeCounts counts;
  if (!normalize(expanded, diags, &counts) || !counts.any() ||
      changed.messageFlows != expanded.messageFlows ||
      changed.behaviours == expanded.behaviours)
    return std::nullopt;
  Module result = changed.clone();
  for (size_t b = 0; b < original.behaviours.size(); ++b) {
    std::optional<Behaviour> behaviour =
        Unexpander(original.behaviours[b], expanded.behaviours[b],
                   changed.behaviours[b])
            .run();
    if (!behaviour)
      return std::nullopt;
    result.behaviours[b] = std::move(*behaviour);
  }
  result.messageFlows = original.messageFlows;
  return result;
}
