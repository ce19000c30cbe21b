//===- ImpossibleBranches.cpp - Branches that no data allow ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Check/Conformance/ImpossibleBranches.h"
#include "cif/Graph/Dominators.h"
#include "cif/Graph/Reach.h"
#include "cif/IR/Operators.h"

using namespace cif;

namespace {
class Closer {
public:
  Closer(Module &module, FormulaPool &pool, Solver &solver)
      : module(module), graph(module.behaviours[0]), index(graph), pool(pool),
        solver(solver) {}
  void run();

private:
  void findDominators();
  void remove(ArrayRef<FlowId> closed);
  std::optional<FormulaId> guardOf(FlowId f);
  /// Whether the variables of a guard have the same values wherever \p f, which
  /// it is on, was passed.
  bool keepsValues(FlowId f) const;
  bool mayBind(const Node &node, Name variable) const;
  bool dominates(NodeId a, NodeId b) const;

  Module &module;
  Behaviour &graph;
  FlowIndex index;
  FormulaPool &pool;
  Solver &solver;
  std::vector<uint32_t> dominator; ///< of each node; empty: not known
  std::map<Name, VariableId> variables;
};
} // namespace

/// The variables of an expression.
static std::map<Name, Sort> variablesOf(const Module &module, ExprId root) {
  std::map<Name, Sort> found;
  for (ExprId id : partsOf(module, root))
    if (const Expr &e = module.expr(id); e.op == ExprOp::Variable)
      found.try_emplace(e.name, e.sort);
  return found;
}

std::optional<FormulaId> Closer::guardOf(FlowId f) {
  ExprId guard = graph.flow(f).guard;
  if (!guard)
    return std::nullopt;
  for (auto [name, sort] : variablesOf(module, guard))
    if (auto of = pool.sort(module, sort); of && !variables.count(name))
      variables[name] = pool.makeVariable(module.text(name), "", *of);
  std::string why;
  return pool.import(
      module, guard,
      [&](Name name) -> std::optional<VariableId> {
        auto found = variables.find(name);
        return found == variables.end() ? std::nullopt
                                        : std::optional(found->second);
      },
      why);
}

void Closer::findDominators() {
  NodeId start;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node &node = graph.nodes[n];
    if (node.parent || node.kind == NodeKind::Container ||
        (node.kind == NodeKind::Initial && start))
      return;
    if (node.kind == NodeKind::Initial)
      start = NodeId(n);
  }
  if (!start)
    return;
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  for (const Flow &flow : graph.flows)
    edges.emplace_back(flow.source.index(), flow.target.index());
  dominator = immediateDominators(Graph::fromEdges(graph.nodes.size(), edges),
                                  start.index());
}

bool Closer::dominates(NodeId a, NodeId b) const {
  for (uint32_t at = b.index(); at != noNode; at = dominator[at])
    if (at == a.index())
      return true;
  return false;
}

/// As Knowledge::take has it: arguments, or else fields by name.
bool Closer::mayBind(const Node &node, Name variable) const {
  for (uint32_t i = 0; node.flags & BindsArguments && i < node.numArguments;
       ++i)
    if (module.expr(graph.arguments[node.firstArgument + i]).name == variable)
      return true;
  for (MessageId id : {node.message, node.reply}) {
    if (!id || (id == node.message && node.numArguments))
      continue;
    const Message &message = module.message(id);
    for (const Field &field : message.fields)
      if (field.name == variable ||
          (module.text(message.name) + "." + module.text(field.name)).str() ==
              module.text(variable))
        return true;
  }
  return false;
}

bool Closer::keepsValues(FlowId f) const {
  const Flow &flow = graph.flow(f);
  Reach<NodeId> later(graph.nodes.size(), flow.target);
  for (NodeId n; later.take(n);)
    for (FlowId out : index.outgoing(n))
      later.add(graph.flow(out).target);
  for (auto [name, sort] : variablesOf(module, flow.guard))
    for (size_t n = 0; n < graph.nodes.size(); ++n)
      if (mayBind(graph.nodes[n], name) &&
          (later[NodeId(n)] || !dominates(NodeId(n), flow.source)))
        return false;
  return true;
}

void Closer::run() {
  constexpr size_t mostNodes = 2000; // then it takes too long
  if (graph.nodes.size() > mostNodes)
    return;
  findDominators();
  std::map<FlowId, FormulaId> facts;
  std::vector<FlowId> closed;
  for (size_t i = 0; i < graph.flows.size(); ++i)
    if (auto guard = guardOf(FlowId(i));
        guard && !dominator.empty() && keepsValues(FlowId(i)))
      facts[FlowId(i)] = *guard;
  for (size_t i = 0; i < graph.flows.size(); ++i) {
    std::optional<FormulaId> guard = guardOf(FlowId(i));
    if (!guard)
      continue;
    FormulaId all = *guard;
    for (uint32_t n = graph.flow(FlowId(i)).source.index();
         !dominator.empty() && n != noNode; n = dominator[n])
      if (ArrayRef<FlowId> in = index.incoming(NodeId(n)); in.size() == 1)
        if (auto fact = facts.find(in[0]); fact != facts.end())
          all = pool.conjunction(all, fact->second);
    if (solver.satisfiable(all) == Answer::No)
      closed.push_back(FlowId(i));
  }
  remove(closed);
}

/// One that is the last of its choice stays, and cannot be passed.
void Closer::remove(ArrayRef<FlowId> closed) {
  std::vector<size_t> left(graph.nodes.size());
  for (const Flow &flow : graph.flows)
    ++left[flow.source.index()];
  std::vector<Flow> kept;
  for (size_t i = 0; i < graph.flows.size(); ++i) {
    Flow &flow = graph.flows[i];
    bool isClosed = llvm::is_contained(closed, FlowId(i));
    if (isClosed && left[flow.source.index()]-- > 1)
      continue;
    if (isClosed) {
      Expr never{.op = ExprOp::BoolLiteral, .sort = boolSort};
      flow.guard = module.addExpr(never);
    }
    kept.push_back(flow);
  }
  graph.flows = std::move(kept);
}

void cif::closeImpossibleBranches(Module &module, FormulaPool &pool,
                                  Solver &solver) {
  Closer(module, pool, solver).run();
}
