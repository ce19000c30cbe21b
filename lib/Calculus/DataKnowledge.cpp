//===- DataKnowledge.cpp - Who knows what conditions ask about ------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Data in choreographies. Implements: [iocpoc], section 6: the role that
/// evaluates a condition is the unique point of choice and knows the variables
/// that the condition uses, and the sender of data knows it.
///
/// A variable is known to both roles of the interaction that binds it, and to
/// every role that receives it later. A data-flow analysis finds who knows each
/// variable on all paths to a place, and after parallel branches who knew it at
/// the end of any. Exact for this notion of knowledge; what a role could infer
/// does not count. Conditions that are only texts use no variables. Where an
/// interaction has no arguments, the fields of its message are its variables.
///
//===----------------------------------------------------------------------===//

#include "GraphConnectedness.h"
#include "cif/IR/Operators.h"
#include "llvm/ADT/DenseMap.h"

using namespace cif;

namespace {

class DataWalk {
public:
  DataWalk(const Module &module, const Behaviour &b, const IocGraph &g,
           const ConnectednessOptions &options)
      : module(module), b(b), g(g), semantics(options.semantics),
        budget(options) {}

  DataKnowledge run();

private:
  using State = std::vector<llvm::BitVector>; ///< by variable

  void variablesIn(ExprId expr, SmallVectorImpl<uint32_t> &found);
  void numberVariables();
  State before(uint32_t n) const;
  void take(uint32_t n, State &state, bool report);
  bool solve();
  void checkGuards(uint32_t split);
  void add(DataViolation::Kind kind, NodeId node, FlowId flow, uint32_t role,
           uint32_t variable, const State &known) {
    DataViolation made{kind, node, flow, role, names[variable], {}};
    for (unsigned other : known[variable].set_bits())
      made.knownBy.push_back(other);
    result.violations.push_back(std::move(made));
  }
  void bind(Name name, const TermAction &by, State &state) const;

  const Module &module;
  const Behaviour &b;
  const IocGraph &g;
  std::optional<GraphStructure> structure; ///< where there are data
  const IocSemantics semantics;
  Steps budget;
  DataKnowledge result;
  llvm::DenseMap<uint32_t, uint32_t> numbers; ///< of names
  std::vector<Name> names;
  std::vector<State> after;
  std::vector<bool> reached;
};

void DataWalk::variablesIn(ExprId expr, SmallVectorImpl<uint32_t> &found) {
  for (ExprId id : partsOf(module, expr)) {
    const Expr &e = module.expr(id);
    if (e.op != ExprOp::Variable)
      continue;
    auto [it, isNew] = numbers.try_emplace(e.name.index(),
                                           static_cast<uint32_t>(names.size()));
    if (isNew)
      names.push_back(e.name);
    if (!llvm::is_contained(found, it->second))
      found.push_back(it->second);
  }
}

void DataWalk::numberVariables() {
  SmallVector<uint32_t, 8> found;
  for (ExprId argument : b.arguments)
    variablesIn(argument, found);
  for (const Flow &flow : b.flows)
    variablesIn(flow.guard, found);
}

DataWalk::State DataWalk::before(uint32_t n) const {
  State state(names.size(), llvm::BitVector(g.numRoles, n != 0));
  bool join = g.kind(n) == GraphNodeKind::Join, first = true;
  for (uint32_t from : g.predecessors(n)) {
    if (!reached[from])
      continue;
    for (size_t v = 0; v < names.size(); ++v)
      if (join && !first)
        state[v] |= after[from][v];
      else
        state[v] &= after[from][v];
    first = false;
  }
  return state;
}

/// Both ends of an exchange know what it gives to a variable.
void DataWalk::bind(Name name, const TermAction &by, State &state) const {
  auto found = name.empty() ? numbers.end() : numbers.find(name.index());
  if (found == numbers.end())
    return;
  state[found->second].reset();
  state[found->second].set(by.sender);
  state[found->second].set(by.receiver);
}

void DataWalk::take(uint32_t n, State &state, bool report) {
  NodeId id = g.nodes[n].node;
  const Node &node = b.node(id);
  const TermAction &x = g.actions[n];
  ArrayRef<ExprId> arguments =
      ArrayRef(b.arguments).slice(node.firstArgument, node.numArguments);
  SmallVector<uint32_t, 8> variables;
  if (node.flags & BindsArguments) {
    for (ExprId argument : arguments)
      if (module.expr(argument).op == ExprOp::Variable)
        bind(module.expr(argument).name, x, state);
    return;
  }
  if (arguments.empty() && node.message) { // the fields are the variables
    const Message &message = module.message(node.message);
    for (const Field &field : message.fields) {
      bind(field.name, x, state);
      bind(module.strings.lookup(
               (module.text(message.name) + "." + module.text(field.name))
                   .str()),
           x, state);
    }
    return;
  }
  for (ExprId argument : arguments) {
    variables.clear();
    variablesIn(argument, variables);
    for (uint32_t v : variables)
      if (report && !state[v].test(x.sender))
        add(DataViolation::Sent, id, {}, x.sender, v, state);
    if (module.expr(argument).op == ExprOp::Variable)
      state[variables[0]].set(x.receiver);
  }
}

bool DataWalk::solve() {
  after.resize(g.size());
  const uint64_t cost = 1 + names.size() * (1 + g.numRoles / 64);
  return flowForward(g, reached, [&](uint32_t n) -> std::optional<bool> {
    budget -= cost;
    if (!budget)
      return std::nullopt;
    State state = before(n);
    if (g.kind(n) == GraphNodeKind::Step)
      take(n, state, false);
    const bool changed = state != after[n];
    after[n] = std::move(state);
    return changed;
  });
}

/// The conditions on the flows that leave \p split, and who evaluates them.
void DataWalk::checkGuards(uint32_t split) {
  bool any = false;
  for (uint32_t branch : g.successors(split))
    any |= g.nodes[branch].flow && b.flow(g.nodes[branch].flow).guard;
  if (!any || !reached[split])
    return;
  NodeId node = g.nodes[split].node;
  // With handshakes any role that takes part in all first steps may do it;
  // else the sender of the branch's first step.
  std::vector<uint32_t> all, first;
  for (uint32_t branch : g.successors(split)) {
    structure->firstSteps(branch, first, budget);
    all.insert(all.end(), first.begin(), first.end());
  }
  if (all.empty())
    return;
  const State &known = after[split];
  SmallVector<uint32_t, 8> variables;
  if (semantics == IocSemantics::Synchronous) {
    for (uint32_t branch : g.successors(split))
      if (g.nodes[branch].flow)
        variablesIn(b.flow(g.nodes[branch].flow).guard, variables);
    SmallVector<uint32_t, 2> owners;
    for (uint32_t role : {g.actions[all[0]].sender, g.actions[all[0]].receiver})
      if (llvm::all_of(all,
                       [&](uint32_t x) { return g.actions[x].involves(role); }))
        owners.push_back(role);
    if (owners.empty()) // two deciders, which is said elsewhere
      return;
    for (uint32_t role : owners)
      if (llvm::all_of(variables,
                       [&](uint32_t v) { return known[v].test(role); }))
        return;
    for (uint32_t v : variables)
      if (!known[v].test(owners[0]))
        return add(DataViolation::Asked, node, {}, owners[0], v, known);
    return;
  }
  for (uint32_t branch : g.successors(split)) {
    FlowId flow = g.nodes[branch].flow;
    if (!flow || !b.flow(flow).guard)
      continue;
    structure->firstSteps(branch, first, budget);
    uint32_t owner = g.actions[first.empty() ? all[0] : first[0]].sender;
    variables.clear();
    variablesIn(b.flow(flow).guard, variables);
    for (uint32_t v : variables)
      if (!known[v].test(owner))
        add(DataViolation::Asked, node, flow, owner, v, known);
  }
}

DataKnowledge DataWalk::run() {
  numberVariables();
  if (names.empty())
    return std::move(result);
  structure.emplace(g, budget.ofRun());
  if (budget.stopped() || !solve()) {
    result.gaveUp = true;
    result.limit = budget.limit();
    return std::move(result);
  }
  for (uint32_t n = 0; n < g.size(); ++n) {
    if (!reached[n])
      continue;
    if (g.kind(n) == GraphNodeKind::Step) {
      State state = before(n);
      take(n, state, true);
    } else if (g.kind(n) == GraphNodeKind::Choice) {
      checkGuards(n);
    }
  }
  if (!budget) { // what was found in part may be wrong
    result.gaveUp = true;
    result.limit = budget.limit();
    result.violations.clear();
  }
  return std::move(result);
}

} // namespace

DataKnowledge cif::checkDataKnowledge(const Module &module,
                                      const Behaviour &behaviour,
                                      const IocGraph &graph,
                                      const ConnectednessOptions &options) {
  return DataWalk(module, behaviour, graph, options).run();
}
