//===- StgProduct.cpp - The product of symbolic transition graphs ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The product [symbolic, Fig. 3 and Algorithm 1], for any number of parts: a
/// send and a reception of one message are one step, silent steps are taken by
/// one part alone, and the product is done when all parts are. Variables of
/// different parts are different, so that nothing is renamed; the two ends of
/// an exchange share the parameters of the sender.
///
/// In the paper any value may be sent; here a sender that gives an expression
/// sends the value of that expression.
///
//===----------------------------------------------------------------------===//

#include "cif/Support/Diagnostics/Checks.h"
#include "cif/Support/Diagnostics/Compose.h"
#include "cif/Support/Diagnostics/Repair.h"
#include "cif/Symbolic/Stg.h"
#include "llvm/ADT/STLExtras.h"

using namespace cif;

namespace {
class Product {
public:
  Product(ArrayRef<Stg> parts, FormulaPool &pool, const Limits &limits)
      : parts(parts), pool(pool), budget(limits) {}
  Outcome<Stg> run();

private:
  using Tuple = std::vector<uint32_t>;
  uint32_t state(const Tuple &tuple);
  void steps(uint32_t from);
  void meet(uint32_t from, size_t i, const StgTransition &send, size_t j,
            const StgTransition &receive);
  void done(uint32_t from, const Tuple &tuple);

  ArrayRef<Stg> parts;
  FormulaPool &pool;
  Budget budget;
  Stg stg;
  std::vector<Tuple> tuples;
  std::map<Tuple, uint32_t> numbers;
};
} // namespace

uint32_t Product::state(const Tuple &tuple) {
  auto [at, isNew] =
      numbers.try_emplace(tuple, static_cast<uint32_t>(tuples.size()));
  if (isNew)
    tuples.push_back(tuple);
  return at->second;
}

static bool sameOrAny(StringRef a, StringRef b) {
  return a.empty() || b.empty() || a == b;
}

/// Rule COM.
void Product::meet(uint32_t from, size_t i, const StgTransition &send, size_t j,
                   const StgTransition &receive) {
  StgTransition t;
  t.guard = pool.conjunction(send.guard, receive.guard);
  if (pool.is(t.guard, false))
    return;
  t.from = from;
  Tuple target = tuples[from];
  target[i] = send.to;
  target[j] = receive.to;
  t.to = state(target);
  t.action = StgAction::Exchange;
  t.label = {send.label.sender, receive.label.receiver, send.label.message};
  t.at = send.at;
  t.fields = send.fields;
  t.updates = send.updates;
  if (!receive.fields.empty())
    t.receivedAs = receive.fields[0].parameter;
  Substitution shared;
  for (size_t f = 0; f < receive.fields.size(); ++f) {
    if (f < send.fields.size())
      shared[receive.fields[f].parameter] = pool.var(send.fields[f].parameter);
    else
      t.fields.push_back(receive.fields[f]);
  }
  t.allows = send.allows; // the receiver does not choose what it is sent
  for (auto [variable, value] : receive.updates)
    t.updates.emplace_back(variable, pool.substitute(value, shared));
  stg.transitions.push_back(std::move(t));
}

/// Rule TERM.
void Product::done(uint32_t from, const Tuple &tuple) {
  FormulaId all = pool.truth(true);
  for (size_t i = 0; i < parts.size(); ++i) {
    FormulaId any = pool.truth(false);
    for (const StgTransition &t : parts[i].of(tuple[i]))
      if (t.action == StgAction::Tick)
        any = pool.make(ExprOp::Or, any, t.guard);
    all = pool.conjunction(all, any);
  }
  if (pool.is(all, false))
    return;
  Tuple target = tuple;
  for (size_t i = 0; i < parts.size(); ++i)
    for (const StgTransition &t : parts[i].of(tuple[i]))
      if (t.action == StgAction::Tick)
        target[i] = t.to;
  StgTransition t;
  t.from = from;
  t.to = state(target);
  t.guard = all;
  t.action = StgAction::Tick;
  stg.transitions.push_back(std::move(t));
}

void Product::steps(uint32_t from) {
  const Tuple tuple = tuples[from];
  for (size_t i = 0; i < parts.size(); ++i)
    for (const StgTransition &t : parts[i].of(tuple[i])) {
      if (t.action == StgAction::Tau || t.action == StgAction::Exchange) {
        StgTransition own = t;
        own.from = from;
        Tuple target = tuple;
        target[i] = t.to;
        own.to = state(target);
        stg.transitions.push_back(std::move(own));
        continue;
      }
      if (t.action != StgAction::Send)
        continue;
      for (size_t j = 0; j < parts.size(); ++j)
        for (const StgTransition &other : parts[j].of(tuple[j])) {
          budget.spend();
          if (i != j && other.action == StgAction::Receive &&
              other.label.message == t.label.message &&
              sameOrAny(t.label.receiver, other.label.receiver) &&
              sameOrAny(t.label.sender, other.label.sender))
            meet(from, i, t, j, other);
        }
    }
  done(from, tuple);
}

Outcome<Stg> Product::run() {
  Tuple first;
  for (const Stg &part : parts) {
    first.push_back(part.initial);
    stg.name += (stg.name.empty() ? "" : " | ") + part.name;
  }
  state(first);
  for (uint32_t s = 0; s < tuples.size(); ++s) {
    steps(s);
    std::string limit = budget.exceeded(tuples.size(), memoryInUse());
    if (budget.stopped() || !limit.empty())
      return Stopped{budget.stopped() ? budget.limit() : limit};
  }
  stg.finish(pool, tuples.size());
  return std::move(stg);
}

Outcome<Stg> cif::product(ArrayRef<Stg> parts, FormulaPool &pool,
                          const Limits &limits) {
  return Product(parts, pool, limits).run();
}

/// The processes, and peers that are LTSs of those who have none. Failed:
/// reported.
static Outcome<std::vector<Stg>>
buildParts(const Module &module, FormulaPool &pool, const Limits &limits,
           DiagnosticEngine &diags, std::vector<OpenCondition> &open) {
  using Parts = Outcome<std::vector<Stg>>;
  std::vector<Stg> parts;
  std::vector<ParticipantId> owners;
  for (const Behaviour &b : module.behaviours) {
    if (b.kind != BehaviourKind::Process)
      continue;
    if (llvm::is_contained(owners, b.owner)) {
      diags.report(module.place(b.loc), diag::compose_two_processes)
          << module.participantName(b.owner);
      return Failed();
    }
    owners.push_back(b.owner);
    Outcome<Stg> part = buildStg(module, b, pool, limits, diags, open);
    if (!part)
      return Parts::without(part);
    parts.push_back(std::move(*part));
  }
  for (const SystemDecl &s : module.systems)
    if (s.role == SystemRole::Peer && !llvm::is_contained(owners, s.owner)) {
      owners.push_back(s.owner);
      parts.push_back(stgOfSystem(module, s, pool));
    }
  return parts;
}

Outcome<Stg> cif::buildImplementation(const Module &module, FormulaPool &pool,
                                      const Limits &limits,
                                      DiagnosticEngine &diags,
                                      std::vector<OpenCondition> &open,
                                      const StgNetwork &network) {
  Outcome<std::vector<Stg>> parts =
      buildParts(module, pool, limits, diags, open);
  if (!parts)
    return Outcome<Stg>::without(parts);
  if (!parts->empty())
    return product(*parts, pool, limits, network);
  const Behaviour *graph = nullptr;
  const SystemDecl *system = nullptr;
  size_t choreographies = 0;
  for (const Behaviour &b : module.behaviours)
    if (b.kind == BehaviourKind::Choreography) {
      graph = &b;
      ++choreographies;
    }
  for (const SystemDecl &s : module.systems)
    if (s.role == SystemRole::Choreography) {
      system = &s;
      ++choreographies;
    }
  if (choreographies == 1)
    return graph ? buildStg(module, *graph, pool, limits, diags, open)
                 : Outcome<Stg>(stgOfSystem(module, *system, pool));
  if (choreographies)
    diags.report(diag::one_choreography)
        << "relation=symbolic" << choreographies;
  else
    diags.report(diag::nothing_to_check) << "processes or choreography";
  return Failed();
}
