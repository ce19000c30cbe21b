//===- PatchCheck.cpp - What a patched source says ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An amendment is found on a graph and shown in a text. Whether the text means
/// the graph is not left to those who make it: it is read again, and the
/// graphs are compared, from their beginnings along their flows. If they differ
/// in shape, as where one place of the graph is two of the text, their
/// LTSs are compared.
///
//===----------------------------------------------------------------------===//

#include "PatchCheck.h"
#include "cif/Equivalence/Compare.h"
#include "cif/Frontend/FrontEnd.h"
#include "cif/IR/ExprText.h"
#include "cif/Transforms/Normalize.h"
#include "cif/Transforms/ProjectData.h"

using namespace cif;

namespace {

/// A choreography and what is asked about it.
struct Subject {
  Subject(const Module &module, const Behaviour &graph)
      : module(module), graph(graph), index(graph), inside(graph.nodes.size()) {
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
      const Node &node = graph.nodes[n];
      if (node.kind == NodeKind::Boundary)
        inside[node.attachedTo.index()].push_back(NodeId(n));
      else if (node.kind == NodeKind::Initial && node.parent)
        inside[node.parent.index()].push_back(NodeId(n));
      else if (node.kind == NodeKind::Initial)
        starts.push_back(NodeId(n));
    }
  }

  /// \p n, or what is behind it if nothing happens there.
  NodeId skip(NodeId n) const {
    for (size_t left = graph.nodes.size(); left > 0; --left) {
      if (graph.node(n).kind != NodeKind::SimpleJoin ||
          index.incoming(n).size() != 1 || index.outgoing(n).size() != 1 ||
          graph.flow(index.outgoing(n)[0]).guard)
        return n;
      n = graph.flow(index.outgoing(n)[0]).target;
    }
    return n;
  }

  std::string exprOf(ExprId id) const {
    return id ? exprText(module, id) : std::string();
  }

  /// All that a node says by itself.
  std::string textOf(NodeId n) const {
    const Node &node = graph.node(n);
    std::string text = std::to_string(static_cast<unsigned>(node.kind)) + " " +
                       std::to_string(static_cast<unsigned>(node.trigger)) +
                       " " + std::to_string(node.flags) + " " +
                       std::to_string(index.incoming(n).size());
    if (node.participant)
      text += " " + module.participantName(node.participant).str();
    if (node.message)
      text += " " + module.exchangeText(node.message);
    for (uint32_t a = 0; a < node.numArguments; ++a)
      text += ", " + exprOf(graph.arguments[node.firstArgument + a]);
    return text;
  }

  const Module &module;
  const Behaviour &graph;
  FlowIndex index;
  std::vector<SmallVector<NodeId, 1>> inside; ///< of containers
  SmallVector<NodeId, 1> starts;
};

/// Compares two graphs but for numbers, names of elements and places.
class GraphPairs {
public:
  GraphPairs(const Subject &left, const Subject &right)
      : left(left), right(right), toRight(left.graph.nodes.size()),
        toLeft(right.graph.nodes.size()) {}

  bool run() {
    if (!pairAll(left.starts, right.starts))
      return false;
    while (!work.empty()) {
      NodeId a = work.back();
      work.pop_back();
      if (!compare(a, toRight[a.index()]))
        return false;
    }
    return true;
  }

private:
  bool pair(NodeId a, NodeId b) {
    a = left.skip(a);
    b = right.skip(b);
    NodeId &toB = toRight[a.index()], &toA = toLeft[b.index()];
    if (toB || toA)
      return toB == b && toA == a;
    toB = b;
    toA = a;
    work.push_back(a);
    return true;
  }

  bool pairAll(ArrayRef<NodeId> as, ArrayRef<NodeId> bs) {
    if (as.size() != bs.size())
      return false;
    for (size_t i = 0; i < as.size(); ++i)
      if (!pair(as[i], bs[i]))
        return false;
    return true;
  }

  bool compare(NodeId a, NodeId b) {
    if (left.textOf(a) != right.textOf(b) ||
        !pairAll(left.inside[a.index()], right.inside[b.index()]))
      return false;
    const Node &m = left.graph.node(a), &n = right.graph.node(b);
    if (bool(m.attachedTo) != bool(n.attachedTo) ||
        (m.attachedTo && !pair(m.attachedTo, n.attachedTo)))
      return false;
    ArrayRef<FlowId> from = left.index.outgoing(a),
                     to = right.index.outgoing(b);
    if (from.size() != to.size())
      return false;
    for (size_t i = 0; i < from.size(); ++i) {
      const Flow &f = left.graph.flow(from[i]), &g = right.graph.flow(to[i]);
      if (left.exprOf(f.guard) != right.exprOf(g.guard) || f.flags != g.flags ||
          !pair(f.target, g.target))
        return false;
    }
    return true;
  }

  const Subject &left, &right;
  std::vector<NodeId> toRight, toLeft;
  std::vector<NodeId> work;
};

/// The choreography of that name; nothing: there is none, or several.
std::optional<uint32_t> findByName(const Module &module, StringRef name) {
  std::optional<uint32_t> found;
  for (uint32_t i = 0; i < module.behaviours.size(); ++i)
    if (module.behaviours[i].kind == BehaviourKind::Choreography &&
        module.text(module.behaviours[i].name) == name) {
      if (found)
        return std::nullopt;
      found = i;
    }
  return found;
}

} // namespace

/// Whether both have the same runs. Values that nobody decides by and who takes
/// an internal step are not in the labels: then the graphs must be the same.
static bool sameRuns(const Subject &left, uint32_t l, const Subject &right,
                     uint32_t r, Limits limits, DiagnosticEngine &diags) {
  for (const Subject *subject : {&left, &right})
    if (!subject->graph.arguments.empty() ||
        llvm::any_of(subject->graph.nodes,
                     [](const Node &n) {
                       return !n.message && hasTrait(n.kind, NodeTraits::Step);
                     }) ||
        llvm::any_of(subject->graph.flows,
                     [](const Flow &flow) { return bool(flow.guard); }))
      return false;
  constexpr uint64_t mostStates = 200'000;
  if (!limits.maxStates || limits.maxStates > mostStates) // 0: no limit
    limits.maxStates = mostStates;
  Outcome<GlobalLts> before = globalLts(left.module, {false, l}, limits, diags);
  if (!before)
    return false;
  Outcome<GlobalLts> after = globalLts(right.module, {false, r}, limits, diags);
  if (!after)
    return false;
  CompareOptions options;
  options.limits = limits;
  options.observeFinals = before->lts.saysFinal() && after->lts.saysFinal();
  return compare(before->lts, after->lts, Relation::Branching, options).holds();
}

/// Reads \p text as \p language; of \p select alone if that is given.
static bool read(StringRef path, StringRef text, StringRef language,
                 StringRef select, Module &module) {
  SourceManager sources;
  DiagnosticCollector said;
  DiagnosticEngine quiet(sources, said);
  FrontEndOptions options;
  options.select = select.str();
  const SourceBuffer &source =
      sources.add(path, llvm::MemoryBuffer::getMemBufferCopy(text));
  return language == "ioc" ? parseIoc(source, module, quiet, options)
                           : parseCp(source, module, quiet, options);
}

bool cif::patchGives(const SourceBuffer &source, StringRef language,
                     ArrayRef<SourceEdit> edits, const Module &verified,
                     StringRef name, const Limits *limits) {
  if (language != "ioc" && language != "cp")
    return false;
  std::string text = patchedText(source, edits.vec());
  Module patched, given = verified.clone();
  if (!read(source.path(), text, language, "", patched)) {
    // Choreographies of one text that contradict each other can be read one at
    // a time only, before and after.
    Module before;
    patched = Module();
    if (read(source.path(), source.text(), language, "", before) ||
        !read(source.path(), text, language, name, patched))
      return false;
  }
  SourceManager sources;
  DiagnosticCollector said;
  DiagnosticEngine quiet(sources, said);
  if (!normalize(patched, quiet) || !normalize(given, quiet))
    return false;
  std::optional<uint32_t> l = findByName(given, name),
                          r = findByName(patched, name);
  if (!l || !r)
    return false;
  Subject left(given, given.behaviours[*l]);
  Subject right(patched, patched.behaviours[*r]);
  return GraphPairs(left, right).run() ||
         (limits && sameRuns(left, *l, right, *r, *limits, quiet));
}
