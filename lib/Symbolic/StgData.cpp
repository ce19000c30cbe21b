//===- StgData.cpp - Data of one symbolic transition graph ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StgData.h"
#include "cif/IR/ExprText.h"
#include "cif/IR/Nodes.h"
#include "cif/IR/Operators.h"
#include "cif/Support/Diagnostics/Calculus.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace cif;

StgData::StgData(const Module &module, const Behaviour &b, FormulaPool &pool,
                 std::vector<OpenCondition> &open)
    : module(module), b(b), pool(pool), open(open) {
  bindVariables();
}

void StgData::bind(Name name, Sort sort) {
  std::optional<DataSort> known = pool.sort(module, sort);
  if (!known)
    return;
  auto [at, isNew] = variables.try_emplace(name);
  if (isNew)
    at->second = pool.makeVariable(module.text(name),
                                   module.participantName(b.owner), *known);
}

/// Sorts of a payload's fields as this node has them.
static Sort fieldSort(const Module &module, const Behaviour &b,
                      const Node &node, const Message &message, size_t i) {
  if (i < message.fields.size() && message.fields[i].sort != unknownSort)
    return message.fields[i].sort;
  return i < node.numArguments
             ? module.expr(b.arguments[node.firstArgument + i]).sort
             : unknownSort;
}

/// Every variable that some exchange gives a value. Where a node does not say
/// which they are, the fields are, as `field` and as `message.field`.
void StgData::bindVariables() {
  for (const Node &node : b.nodes) {
    if (!node.message)
      continue;
    const Message &message = module.message(node.message);
    for (uint32_t i = 0; i < node.numArguments; ++i) {
      const Expr &e = module.expr(b.arguments[node.firstArgument + i]);
      if (node.flags & BindsArguments && e.op == ExprOp::Variable)
        bind(e.name, fieldSort(module, b, node, message, i));
    }
    if (node.numArguments)
      continue;
    for (const Field &field : message.fields) {
      bind(field.name, field.sort);
      Name dotted = module.strings.lookup(
          (module.text(message.name) + "." + module.text(field.name)).str());
      if (!dotted.empty())
        bind(dotted, field.sort);
    }
  }
}

StgData::Condition StgData::readGuard(FlowId flow) {
  const Flow &f = b.flow(flow);
  if (f.guard) {
    std::string why;
    auto lookUp = [&](Name name) -> std::optional<VariableId> {
      auto found = variables.find(name);
      return found == variables.end() ? std::nullopt
                                      : std::optional(found->second);
    };
    if (auto read = pool.import(module, f.guard, lookUp, why))
      return {*read, pool.negation(*read)};
    open.push_back({exprText(module, f.guard), why,
                    module.place(module.expr(f.guard).loc)});
    return {pool.truth(true), pool.truth(true)};
  }
  // A default flow: none of the others. One without a condition, or with one
  // that is left open, does not exclude it.
  Condition none{pool.truth(true), pool.truth(false)};
  for (size_t i = 0; i < b.flows.size(); ++i)
    if (b.flows[i].source == f.source && FlowId(i) != flow) {
      Condition other = b.flows[i].guard
                            ? condition(FlowId(i))
                            : Condition{pool.truth(true), pool.truth(true)};
      none.isTrue = pool.conjunction(none.isTrue, other.isFalse);
      none.isFalse = pool.make(ExprOp::Or, none.isFalse, other.isTrue);
    }
  return none;
}

StgData::Condition StgData::condition(FlowId flow) {
  auto found = conditions.find(flow.index());
  if (found != conditions.end())
    return found->second;
  Condition read = readGuard(flow);
  conditions.emplace(flow.index(), read);
  return read;
}

/// The fields that are exchanged, and which variables get them.
void StgData::addData(StgTransition &t, const Node &node,
                      const Message &message) {
  size_t count = node.numArguments ? node.numArguments : message.fields.size();
  auto &own = parameters[static_cast<uint32_t>(&node - b.nodes.data())];
  for (size_t i = own.size(); i < count; ++i) {
    std::string name = i < message.fields.size()
                           ? module.text(message.fields[i].name).str()
                           : "arg" + std::to_string(i + 1);
    if (i < node.numArguments) {
      const Expr &e = module.expr(b.arguments[node.firstArgument + i]);
      if (e.op == ExprOp::Variable)
        name = module.text(e.name).str();
    }
    auto sort = pool.sort(module, fieldSort(module, b, node, message, i));
    own.push_back(pool.makeVariable(name, module.participantName(b.owner),
                                    sort.value_or(intData)));
  }
  auto update = [&](Name name, FormulaId value) {
    auto found = variables.find(name);
    if (found != variables.end())
      t.updates.emplace_back(found->second, value);
  };
  auto lookUp = [&](Name name) -> std::optional<VariableId> {
    auto found = variables.find(name);
    return found == variables.end() ? std::nullopt
                                    : std::optional(found->second);
  };
  for (size_t i = 0; i < count; ++i) {
    StgField field{own[i], FormulaId()};
    FormulaId given = pool.var(own[i]);
    if (i < node.numArguments) {
      ExprId argument = b.arguments[node.firstArgument + i];
      const Expr &e = module.expr(argument);
      std::string why;
      if (node.flags & BindsArguments && e.op == ExprOp::Variable) {
        update(e.name, given);
      } else if (t.action == StgAction::Receive) {
        // Whatever comes: nothing keeps it.
      } else if (auto value = pool.import(module, argument, lookUp, why)) {
        field.value = *value;
      } else {
        open.push_back({exprText(module, argument), why, module.place(e.loc)});
      }
    } else {
      const Field &of = message.fields[i];
      update(of.name, given);
      Name dotted = module.strings.lookup(
          (module.text(message.name) + "." + module.text(of.name)).str());
      if (!dotted.empty())
        update(dotted, given);
    }
    t.fields.push_back(field);
  }
}

/// Whose step it is, in the terms of the source; empty: nobody in particular.
std::string StgData::subjectText(NodeId n) const {
  const Node &node = b.node(n);
  Name name = node.name.empty() ? node.loc.element : node.name;
  std::string text;
  if (!name.empty())
    text = (elementKindText(node) + " '" + module.text(name) + "'").str();
  if (b.owner) {
    std::string owner = "'" + module.participantName(b.owner).str() + "'";
    text = text.empty() ? owner : text + " of " + owner;
  }
  return text;
}

StgTransition StgData::transition(uint32_t from, uint32_t to, FormulaId guard,
                                  StgAction action, NodeId n, bool decides) {
  StgTransition t;
  t.from = from;
  t.to = to;
  t.guard = guard;
  t.action = action;
  t.decides = decides;
  t.at = module.place(n ? b.node(n).loc : b.loc);
  if (action == StgAction::Tau && n)
    t.by = subjectText(n);
  if (action != StgAction::Exchange)
    return t;
  const Node &node = b.node(n);
  const Message &message = module.message(node.message);
  t.label = {module.participantName(message.sender).str(),
             module.participantName(message.receiver).str(),
             module.text(message.name).str()};
  if (b.kind != BehaviourKind::Choreography)
    t.action = hasTrait(node.kind, NodeTraits::Out) ? StgAction::Send
                                                    : StgAction::Receive;
  addData(t, node, message);
  return t;
}

namespace {
/// What happens while branches overlap.
struct Overlap {
  std::set<Name> tested; ///< by choices that are decided silently
  std::set<Name> bound;
  bool calls = false; ///< a recursion, which may bind anything
};
} // namespace

static void collectNames(const Module &module, ExprId root,
                         std::set<Name> &into) {
  for (ExprId id : partsOf(module, root))
    if (const Expr &e = module.expr(id); e.op == ExprOp::Variable)
      into.insert(e.name);
}

/// Whether a choice is decided silently while a variable of its guard may get
/// another value. A term cannot say that: its guards are tested by the first
/// step behind them [symbolic, Fig. 2].
static bool decidesInARace(const Module &module, const Behaviour &b,
                           const Term &term) {
  std::map<uint32_t, Overlap> overlaps; // by the outermost term
  std::vector<TermId> outermost(term.size());
  for (uint32_t i = term.size(); i-- > 0;) {
    const TermNode &node = term.nodes[i];
    if (!outermost[i] &&
        (node.kind == TermKind::Parallel || node.kind == TermKind::Interrupt))
      outermost[i] = TermId(i);
    for (TermId child : term.children(TermId(i)))
      outermost[child.index()] = outermost[i];
    if (!outermost[i])
      continue;
    Overlap &overlap = overlaps[outermost[i].raw()];
    overlap.calls |= node.kind == TermKind::Call;
    if (node.flow &&
        b.node(b.flow(node.flow).source).kind != NodeKind::EventChoice)
      collectNames(module, b.flow(node.flow).guard, overlap.tested);
    if (node.kind == TermKind::Action) {
      const Node &action = b.node(node.node);
      for (uint32_t a = 0; a < action.numArguments; ++a)
        if (action.flags & BindsArguments)
          collectNames(module, b.arguments[action.firstArgument + a],
                       overlap.bound);
      const Message &message = module.message(action.message);
      for (const Field &field : message.fields) {
        if (action.numArguments)
          break;
        overlap.bound.insert(field.name);
        overlap.bound.insert(module.strings.lookup(
            (module.text(message.name) + "." + module.text(field.name)).str()));
      }
    }
  }
  return llvm::any_of(overlaps, [](const auto &entry) {
    const Overlap &overlap = entry.second;
    return !overlap.tested.empty() &&
           (overlap.calls || llvm::any_of(overlap.tested, [&](Name name) {
              return overlap.bound.count(name);
            }));
  });
}

/// Whether the term decides in two steps what the graph decides in one: of a
/// silent choice, branches that meet again are a choice of their own, and what
/// leads back to a loop follows its guard. Where the first step decides, this
/// makes no difference.
static bool decidesTwice(const Term &term) {
  for (uint32_t i = 0; i < term.size(); ++i) {
    const TermNode &choice = term.nodes[i];
    if (choice.kind != TermKind::Choice || choice.deferred)
      continue;
    for (TermId child : term.children(TermId(i))) {
      const bool isWhole = term[child].kind != TermKind::Sequence;
      while (term[child].kind == TermKind::Sequence)
        child = term[child].firstChild;
      const TermNode &first = term[child];
      if (first.node != choice.node)
        continue;
      if (first.kind == TermKind::Choice ||
          (first.kind == TermKind::Guard && !isWhole))
        return true;
    }
  }
  return false;
}

Outcome<Stg> cif::buildStg(const Module &module, const Behaviour &behaviour,
                           FormulaPool &pool, const Limits &limits,
                           DiagnosticEngine &diags,
                           std::vector<OpenCondition> &open) {
  const size_t openBefore = open.size();
  if (std::optional<Term> term = recoverTerm(behaviour);
      term && !decidesInARace(module, behaviour, *term) &&
      !decidesTwice(*term)) {
    Outcome<Stg> made = stgOfTerm(module, behaviour, *term, pool, limits, open);
    if (made || made.isStopped())
      return made;
    open.resize(openBefore);
  }
  TermBreak why;
  Outcome<Stg> made = stgOfGraph(module, behaviour, pool, limits, open, why);
  if (made || made.isStopped())
    return made;
  std::string subject = (behaviourKindText(behaviour.kind) + " '" +
                         module.text(behaviour.name) + "'")
                            .str();
  const Node *node = why.node ? &behaviour.node(why.node) : nullptr;
  StringRef name = node ? module.text(node->name) : "";
  if (name.empty() && node)
    name = module.text(node->loc.element);
  diags.report(module.place(node ? node->loc : behaviour.loc), diag::not_a_term)
      << subject
      << (name.empty() ? why.reason : ("'" + name + "': " + why.reason).str());
  return Failed();
}
