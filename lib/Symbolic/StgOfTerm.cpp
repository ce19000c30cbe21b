//===- StgOfTerm.cpp - From terms to symbolic transition graphs -----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The rules of [symbolic, Fig. 2] for sequence, choice, parallel,
/// interruption, guard and while, and those of `loop`, `rec`, `0` and `tau` by
/// their side. States are what is left to do of a term; equal ones are one
/// state. A guard is tested by the first step behind it, and `while` again each
/// time round.
///
/// Beyond the paper: a choice that is decided silently (an exclusive gateway)
/// takes a silent step, with the guard of its branch. The steps of a state are
/// found from those of its parts with a stack of our own, so that nesting costs
/// no recursion.
///
/// A recursion whose calls are not its last thing may have infinitely many
/// states; limits end that.
///
//===----------------------------------------------------------------------===//

#include "cif/IR/ExprText.h"
#include "cif/Support/DiagnosticKinds.h"
#include "cif/Symbolic/Stg.h"
#include "llvm/ADT/STLExtras.h"

using namespace cif;

namespace {

/// What is left to do.
struct Residual {
  enum Kind : uint8_t {
    Nil,       ///< has ended, and said so
    Done,      ///< 1
    Start,     ///< term a
    Seq,       ///< residual a, then b
    Par,       ///< both
    Interrupt, ///< a, until b starts
  };
  Kind kind = Nil;
  uint32_t a = 0, b = 0;
  auto operator<=>(const Residual &) const = default;
};

struct Step {
  FormulaId guard;
  StgAction action; ///< Tick, Tau, or Exchange for any action
  NodeId node;
  bool decides = false;
  uint32_t to;
};

class Builder {
public:
  Builder(const Module &module, const Behaviour &b, const Term &term,
          FormulaPool &pool, const Limits &limits, DiagnosticEngine &diags,
          std::vector<OpenCondition> &open)
      : module(module), b(b), term(term), pool(pool), budget(limits),
        diags(diags), open(open) {}

  Outcome<Stg> run();

private:
  struct Condition {
    FormulaId isTrue, isFalse; ///< both `true` where it is left open
  };

  void bindVariables();
  void bind(Name name, Sort sort);
  Condition condition(FlowId flow);
  Condition readGuard(FlowId flow);
  uint32_t get(Residual r);
  void startAll();
  uint32_t start(TermId t) const { return started[t.index()]; }
  uint32_t seq(uint32_t a, uint32_t b) {
    return residuals[a].kind == Residual::Done ? b : get({Residual::Seq, a, b});
  }
  uint32_t par(uint32_t a, uint32_t b) {
    if (residuals[a].kind == Residual::Done)
      return b;
    return residuals[b].kind == Residual::Done ? a : get({Residual::Par, a, b});
  }
  bool find(uint32_t state);
  bool compute(uint32_t state);
  bool computeStart(TermId t, std::vector<Step> &out);
  bool computeSilent(TermId t, std::vector<Step> &out);
  bool computeTwo(const Residual &r, uint32_t x, uint32_t y,
                  std::vector<Step> &out);
  /// The steps of another state, if they are known; else asks for them.
  const std::vector<Step> *need(uint32_t state);
  void add(Stg &stg, uint32_t from, uint32_t to, const Step &step);
  void addData(StgTransition &t, const Node &node, const Message &message);

  const Module &module;
  const Behaviour &b;
  const Term &term;
  FormulaPool &pool;
  Budget budget;
  DiagnosticEngine &diags;
  std::vector<OpenCondition> &open;

  std::map<Name, VariableId> variables;
  std::map<uint32_t, Condition> conditions;
  std::vector<uint32_t> started; ///< by term
  std::vector<Residual> residuals;
  std::map<Residual, uint32_t> numbers;
  enum class State : uint8_t { Unknown, Asked, Known };
  std::vector<State> states;
  std::vector<std::vector<Step>> steps;
  std::vector<uint32_t> work;
  std::map<uint32_t, SmallVector<VariableId, 1>> parameters; ///< by node
};

} // namespace

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

void Builder::bind(Name name, Sort sort) {
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
void Builder::bindVariables() {
  for (const TermNode &t : term.nodes) {
    if (t.kind != TermKind::Action)
      continue;
    const Node &node = b.node(t.node);
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

Builder::Condition Builder::readGuard(FlowId flow) {
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
  // A default flow: none of the others.
  FormulaId others = pool.truth(false);
  bool isOpen = false;
  for (size_t i = 0; i < b.flows.size(); ++i)
    if (b.flows[i].source == f.source && FlowId(i) != flow) {
      Condition other = b.flows[i].guard
                            ? condition(FlowId(i))
                            : Condition{pool.truth(true), pool.truth(true)};
      isOpen |= other.isTrue == other.isFalse;
      others = pool.make(ExprOp::Or, others, other.isTrue);
    }
  if (isOpen)
    return {pool.truth(true), pool.truth(true)};
  return {pool.negation(others), others};
}

Builder::Condition Builder::condition(FlowId flow) {
  auto found = conditions.find(flow.index());
  if (found != conditions.end())
    return found->second;
  Condition read = readGuard(flow);
  conditions.emplace(flow.index(), read);
  return read;
}

/// The fields that are exchanged, and which variables get them.
void Builder::addData(StgTransition &t, const Node &node,
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

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

uint32_t Builder::get(Residual r) {
  auto [at, isNew] =
      numbers.try_emplace(r, static_cast<uint32_t>(residuals.size()));
  if (isNew) {
    residuals.push_back(r);
    states.push_back(State::Unknown);
    steps.emplace_back();
  }
  return at->second;
}

/// What each term is at its beginning. Children stand before their parents.
void Builder::startAll() {
  for (size_t i = 0; i < term.size(); ++i) {
    const TermNode &node = term.nodes[i];
    if (node.kind == TermKind::Done) {
      started.push_back(get({Residual::Done, 0, 0}));
      continue;
    }
    bool isSeq = node.kind == TermKind::Sequence;
    if (!isSeq && node.kind != TermKind::Parallel) {
      started.push_back(get({Residual::Start, static_cast<uint32_t>(i), 0}));
      continue;
    }
    std::vector<uint32_t> parts;
    for (TermId c = node.firstChild; c; c = term[c].nextSibling)
      parts.push_back(start(c));
    uint32_t whole = parts.back();
    for (size_t p = parts.size() - 1; p-- > 0;)
      whole = isSeq ? seq(parts[p], whole) : par(parts[p], whole);
    started.push_back(whole);
  }
}

const std::vector<Step> *Builder::need(uint32_t state) {
  if (states[state] == State::Known)
    return &steps[state];
  work.push_back(state);
  return nullptr;
}

/// Sequence, parallel and interruption of two residuals. False: asks for more.
bool Builder::computeTwo(const Residual &r, uint32_t x, uint32_t y,
                         std::vector<Step> &out) {
  const std::vector<Step> *first = need(x);
  if (!first)
    return false;
  bool ticks = llvm::any_of(
      *first, [](const Step &s) { return s.action == StgAction::Tick; });
  bool isSeq = r.kind == Residual::Seq, isPar = r.kind == Residual::Par;
  if ((!isSeq || ticks) && !need(y))
    return false;
  std::vector<Step> left = *first; // making residuals moves them
  std::vector<Step> right = !isSeq || ticks ? steps[y] : std::vector<Step>();
  const uint32_t nil = get({Residual::Nil, 0, 0});
  for (Step &s : left) {
    if (s.action != StgAction::Tick) {
      s.to = isSeq   ? seq(s.to, y)
             : isPar ? par(s.to, y)
                     : get({Residual::Interrupt, s.to, y});
      out.push_back(s);
      continue;
    }
    if (r.kind == Residual::Interrupt) {
      out.push_back(s);
      continue;
    }
    for (Step other : right) {
      if (isPar && other.action != StgAction::Tick)
        continue;
      other.guard = pool.conjunction(s.guard, other.guard);
      if (isPar)
        other.to = nil;
      out.push_back(other);
    }
  }
  if (isSeq)
    return true;
  for (Step &s : right) {
    if (isPar && s.action == StgAction::Tick)
      continue;
    if (isPar)
      s.to = par(x, s.to);
    out.push_back(s);
  }
  return true;
}

/// Choices and loops that are decided silently.
bool Builder::computeSilent(TermId t, std::vector<Step> &out) {
  const TermNode &node = term[t];
  auto decide = [&](FormulaId guard, uint32_t to) {
    out.push_back({guard, StgAction::Tau, node.node, true, to});
  };
  if (node.kind == TermKind::Loop) {
    decide(pool.truth(true), get({Residual::Done, 0, 0}));
    decide(pool.truth(true),
           seq(start(node.firstChild), get({Residual::Start, t.index(), 0})));
    return true;
  }
  for (TermId c = node.firstChild; c; c = term[c].nextSibling) {
    const TermNode &child = term[c];
    if (child.kind == TermKind::Guard)
      decide(condition(child.flow).isTrue, start(child.firstChild));
    else
      decide(pool.truth(true), start(c));
  }
  return true;
}

bool Builder::computeStart(TermId t, std::vector<Step> &out) {
  const TermNode &node = term[t];
  const FormulaId yes = pool.truth(true);
  switch (node.kind) {
  case TermKind::Stuck:
    return true;
  case TermKind::Action:
    out.push_back({yes, StgAction::Exchange, node.node, false,
                   get({Residual::Done, 0, 0})});
    return true;
  case TermKind::Tau:
    out.push_back(
        {yes, StgAction::Tau, node.node, false, get({Residual::Done, 0, 0})});
    return true;
  case TermKind::Choice:
    if (!node.deferred)
      return computeSilent(t, out);
    for (TermId c = node.firstChild; c; c = term[c].nextSibling) {
      const std::vector<Step> *some = need(start(c));
      if (!some)
        return false;
      out.insert(out.end(), some->begin(), some->end());
    }
    return true;
  case TermKind::Loop:
    if (!node.deferred)
      return computeSilent(t, out);
    break;
  case TermKind::Interrupt:
    return computeTwo({Residual::Interrupt}, start(node.firstChild),
                      start(term[node.firstChild].nextSibling), out);
  default:
    break;
  }
  // One child, whose steps are these but for guards and what follows.
  TermId child = node.kind == TermKind::Call ? term[node.target].firstChild
                                             : node.firstChild;
  const std::vector<Step> *inner = need(start(child));
  if (!inner)
    return false;
  out = *inner;
  if (node.kind == TermKind::Call || node.kind == TermKind::Rec)
    return true;
  Condition when =
      node.kind == TermKind::Loop ? Condition{yes, yes} : condition(node.flow);
  if (node.kind != TermKind::Guard) { // again and again
    llvm::erase_if(out,
                   [](const Step &s) { return s.action == StgAction::Tick; });
    const uint32_t again = get({Residual::Start, t.index(), 0});
    for (Step &s : out)
      s.to = seq(s.to, again);
  }
  for (Step &s : out)
    s.guard = pool.conjunction(when.isTrue, s.guard);
  if (node.kind != TermKind::Guard)
    out.push_back({when.isFalse, StgAction::Tick, NodeId(), false,
                   get({Residual::Nil, 0, 0})});
  return true;
}

/// Finds the steps of one state from those of its parts; false: asked for some
/// of these.
bool Builder::compute(uint32_t state) {
  const Residual r = residuals[state];
  std::vector<Step> out;
  bool known = true;
  switch (r.kind) {
  case Residual::Nil:
    break;
  case Residual::Done:
    out.push_back({pool.truth(true), StgAction::Tick, NodeId(), false,
                   get({Residual::Nil, 0, 0})});
    break;
  case Residual::Start:
    known = computeStart(TermId(r.a), out);
    break;
  default:
    known = computeTwo(r, r.a, r.b, out);
  }
  if (!known)
    return false;
  llvm::erase_if(out, [&](const Step &s) { return pool.is(s.guard, false); });
  budget.spend(out.size() + 1);
  steps[state] = std::move(out);
  states[state] = State::Known;
  return true;
}

/// The steps of \p state and of what they are made of. False: a way round that
/// takes no step.
bool Builder::find(uint32_t state) {
  work.push_back(state);
  while (!work.empty() && !budget.stopped()) {
    uint32_t at = work.back();
    if (states[at] == State::Known) {
      work.pop_back();
      continue;
    }
    size_t before = work.size();
    states[at] = State::Asked;
    if (compute(at)) {
      work.resize(before - 1);
      continue;
    }
    if (states[work.back()] == State::Asked)
      return false;
    budget.spend();
  }
  return true;
}

void Builder::add(Stg &stg, uint32_t from, uint32_t to, const Step &step) {
  StgTransition t;
  t.from = from;
  t.to = to;
  t.guard = step.guard;
  t.action = step.action;
  t.decides = step.decides;
  t.at = module.place(step.node ? b.node(step.node).loc : b.loc);
  if (step.action == StgAction::Exchange) {
    const Node &node = b.node(step.node);
    const Message &message = module.message(node.message);
    t.label = {module.participantName(message.sender).str(),
               module.participantName(message.receiver).str(),
               module.text(message.name).str()};
    bool sends = node.kind == NodeKind::Send || node.kind == NodeKind::Throw ||
                 node.kind == NodeKind::Final;
    if (b.kind != BehaviourKind::Choreography)
      t.action = sends ? StgAction::Send : StgAction::Receive;
    addData(t, node, message);
  }
  stg.transitions.push_back(std::move(t));
}

Outcome<Stg> Builder::run() {
  bindVariables();
  startAll();
  Stg stg;
  stg.name = module.text(b.name).str();
  std::map<uint32_t, uint32_t> numberOf; // residual -> state
  std::vector<uint32_t> order;
  auto state = [&](uint32_t residual) {
    auto [at, isNew] =
        numberOf.try_emplace(residual, static_cast<uint32_t>(order.size()));
    if (isNew)
      order.push_back(residual);
    return at->second;
  };
  state(start(term.root()));
  for (size_t i = 0; i < order.size(); ++i) {
    if (!find(order[i])) {
      diags.report(module.place(b.loc), diag::unsupported_term)
          << "'" + stg.name + "'" << "a loop whose body may take no step"
          << "loops whose body takes a step in every round";
      return Failed();
    }
    std::string limit = budget.exceeded(order.size(), memoryInUse());
    if (budget.stopped() || !limit.empty())
      return Stopped{budget.stopped() ? budget.limit() : limit};
    std::vector<Step> all = steps[order[i]];
    for (const Step &step : all)
      add(stg, static_cast<uint32_t>(i), state(step.to), step);
  }
  stg.finish(pool, order.size());
  return stg;
}

Outcome<Stg> cif::buildStg(const Module &module, const Behaviour &behaviour,
                           FormulaPool &pool, const Limits &limits,
                           DiagnosticEngine &diags,
                           std::vector<OpenCondition> &open) {
  TermBreak why;
  std::optional<Term> term = recoverTerm(behaviour, &why);
  if (!term) {
    std::string subject = (behaviourKindText(behaviour.kind) + " '" +
                           module.text(behaviour.name) + "'")
                              .str();
    diags.report(
        module.place(why.node ? behaviour.node(why.node).loc : behaviour.loc),
        diag::not_a_term)
        << subject << why.reason;
    return Failed();
  }
  return Builder(module, behaviour, *term, pool, limits, diags, open).run();
}
