//===- Stg.cpp - Symbolic transition graphs -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which variables matter where [symbolic, Def. 1], restriction [Def. 2] and
/// the written forms.
///
//===----------------------------------------------------------------------===//

#include "cif/Symbolic/Stg.h"
#include "cif/Graph/Components.h"
#include "cif/Graph/Reach.h"
#include "cif/IR/Names.h"
#include "llvm/ADT/STLExtras.h"

using namespace cif;

/// Adds to \p live what a transition reads, given what matters behind it.
static bool addRead(const FormulaPool &pool, const StgTransition &t,
                    const std::vector<VariableId> &behind,
                    std::vector<VariableId> &live) {
  std::vector<VariableId> read(live);
  pool.collect(t.guard, read);
  if (t.allows)
    pool.collect(t.allows, read);
  for (const StgField &field : t.fields)
    if (field.value)
      pool.collect(field.value, read);
  for (VariableId v : behind) {
    auto at =
        llvm::find_if(t.updates, [&](const auto &u) { return u.first == v; });
    if (at == t.updates.end())
      read.push_back(v);
    else
      pool.collect(at->second, read);
  }
  // Parameters begin and end here.
  llvm::erase_if(read, [&](VariableId v) {
    return llvm::any_of(t.fields,
                        [&](const StgField &f) { return f.parameter == v; });
  });
  llvm::sort(read);
  read.erase(std::unique(read.begin(), read.end()), read.end());
  if (read == live)
    return false;
  live = std::move(read);
  return true;
}

bool Stg::hasLoop() const {
  return !isAcyclic(numStates(), [&](uint32_t s, auto visit) {
    for (const StgTransition &t : of(s))
      visit(t.to);
  });
}

void Stg::finish(const FormulaPool &pool, size_t states) {
  llvm::stable_sort(transitions,
                    [](const StgTransition &a, const StgTransition &b) {
                      return a.from < b.from;
                    });
  begin.assign(states + 1, 0);
  for (const StgTransition &t : transitions)
    ++begin[t.from + 1];
  for (size_t i = 0; i < states; ++i)
    begin[i + 1] += begin[i];
  free.assign(states, {});
  // Backwards from what changed: each look at a transition adds a variable.
  std::vector<std::vector<uint32_t>> into(states);
  for (const StgTransition &t : transitions)
    into[t.to].push_back(static_cast<uint32_t>(numberOf(t)));
  std::vector<uint32_t> work(transitions.size());
  for (size_t i = 0; i < work.size(); ++i)
    work[i] = static_cast<uint32_t>(i);
  while (!work.empty()) {
    const StgTransition &t = transitions[work.back()];
    work.pop_back();
    if (addRead(pool, t, free[t.to], free[t.from]))
      work.insert(work.end(), into[t.from].begin(), into[t.from].end());
  }
  for (StgTransition &t : transitions)
    llvm::erase_if(t.updates, [&](const auto &u) {
      return !llvm::is_contained(free[t.to], u.first);
    });
}

std::vector<StgLabel> cif::alphabetOf(const Stg &stg) {
  std::vector<StgLabel> labels;
  for (const StgTransition &t : stg.transitions)
    if (t.action == StgAction::Exchange)
      labels.push_back(t.label);
  llvm::sort(labels);
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return labels;
}

std::vector<StgLabel> cif::alphabetOf(const Module &module,
                                      const Behaviour &choreography) {
  std::vector<StgLabel> labels;
  for (const Node &node : choreography.nodes)
    for (MessageId id : {node.message, node.reply})
      if (id) {
        const Message &message = module.message(id);
        labels.push_back({module.participantName(message.sender).str(),
                          module.participantName(message.receiver).str(),
                          module.text(message.name).str()});
      }
  llvm::sort(labels);
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return labels;
}

namespace {
/// Names for what hidden exchanges carry. One exchange may be many transitions
/// of a product, one for each state of the others: no run takes two of them, so
/// that all have the same constants. Where a run might, each has its own.
class HiddenConstants {
public:
  HiddenConstants(const Stg &stg, FormulaPool &pool) : stg(stg), pool(pool) {
    for (const StgTransition &t : stg.transitions)
      if (t.action == StgAction::Exchange && !t.fields.empty())
        groups[keyOf(t)].push_back(&t);
  }
  FormulaId get(const StgTransition &t, VariableId parameter) {
    Key key = keyOf(t);
    auto [known, isNew] = apart.try_emplace(key, false);
    if (isNew)
      known->second = repeats(groups[key]);
    uint32_t of =
        known->second ? static_cast<uint32_t>(stg.numberOf(t)) : UINT32_MAX;
    auto [at, isNewConstant] =
        constants.try_emplace({key, parameter, of}, FormulaId());
    if (isNewConstant) {
      const DataVariable v = pool.variable(parameter);
      at->second = pool.var(pool.makeVariable(v.name, v.owner, v.sort));
    }
    return at->second;
  }

private:
  using Key = std::pair<VariableId, VariableId>;
  static Key keyOf(const StgTransition &t) {
    return {t.fields[0].parameter, t.receivedAs};
  }
  /// Whether one of these leads to another.
  bool repeats(ArrayRef<const StgTransition *> group) const {
    if (group.size() < 2)
      return false;
    constexpr size_t many = 256; // then telling them apart is cheaper
    if (group.size() > many)
      return true;
    Reach seen(stg.numStates());
    for (const StgTransition *t : group)
      seen.add(t->to);
    for (uint32_t at; seen.take(at);)
      for (const StgTransition &t : stg.of(at))
        seen.add(t.to);
    return llvm::any_of(group,
                        [&](const StgTransition *t) { return seen[t->from]; });
  }

  const Stg &stg;
  FormulaPool &pool;
  std::map<Key, std::vector<const StgTransition *>> groups;
  std::map<Key, bool> apart;
  std::map<std::tuple<Key, VariableId, uint32_t>, FormulaId> constants;
};
} // namespace

FormulaId IntegerRange::contains(FormulaId value, FormulaPool &pool) const {
  FormulaId result = pool.truth(true);
  if (lowest)
    result = pool.conjunction(
        result, pool.make(ExprOp::GreaterEqual, value, pool.number(*lowest)));
  if (highest)
    result = pool.conjunction(
        result, pool.make(ExprOp::LessEqual, value, pool.number(*highest)));
  return result;
}

Stg cif::restrict(const Stg &stg, ArrayRef<StgLabel> alphabet,
                  FormulaPool &pool, const IntegerRange &range) {
  Stg result = stg;
  std::vector<uint32_t> component =
      componentsOf(
          stg.numStates(), [](uint32_t) { return true; },
          [](uint32_t) { return 0; },
          [&](uint32_t state) { return stg.of(state).size(); },
          [&](uint32_t state, uint32_t i) { return stg.of(state)[i].to; })
          .of;
  HiddenConstants constants(stg, pool);
  for (size_t i = 0; i < stg.transitions.size(); ++i) {
    StgTransition &t = result.transitions[i];
    if (t.action != StgAction::Exchange ||
        llvm::binary_search(alphabet, t.label))
      continue;
    t.action = StgAction::Tau;
    bool again = component[t.from] == component[t.to];
    Substitution hidden;
    t.fields.clear();
    for (const StgField &field : stg.transitions[i].fields) {
      FormulaId &carried = t.carried.emplace_back();
      if (field.value) {
        hidden[field.parameter] = carried = field.value;
        if (pool[carried].sort == intData)
          t.guard = pool.conjunction(t.guard, range.contains(carried, pool));
      } else if (again) {
        t.fields.push_back(field);
        carried = pool.var(field.parameter);
      } else {
        carried = constants.get(stg.transitions[i], field.parameter);
        hidden[field.parameter] = carried;
      }
    }
    for (auto &[variable, value] : t.updates)
      value = pool.substitute(value, hidden);
  }
  result.finish(pool, result.numStates());
  // Of the fields that are left, those that some variable keeps.
  for (StgTransition &t : result.transitions) {
    if (t.action != StgAction::Tau)
      continue;
    std::vector<VariableId> used;
    for (const auto &[variable, value] : t.updates)
      pool.collect(value, used);
    llvm::erase_if(t.fields, [&](const StgField &field) {
      return !llvm::is_contained(used, field.parameter);
    });
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Written forms
//===----------------------------------------------------------------------===//

std::string cif::silentText(const FormulaPool &pool, const StgTransition &t) {
  if (!t.decides)
    return t.by.empty() ? "an internal step" : "an internal step of " + t.by;
  std::string subject = t.by.empty() ? "a choice" : t.by;
  return pool.is(t.guard, true)
             ? subject + (t.by.empty() ? " is decided" : " decides")
             : subject + " finds that " + pool.text(t.guard) + " is true";
}

/// `c -> s : Request(x)`, `tau`, `done`.
static std::string actionText(const FormulaPool &pool, const StgTransition &t) {
  std::string text;
  switch (t.action) {
  case StgAction::Tick:
    return "done";
  case StgAction::Tau:
    text = "tau";
    if (t.label.message.empty())
      return text;
    text += " (" + quoted(t.label.sender) + " -> " + quoted(t.label.receiver) +
            " : " + quoted(t.label.message) + ")";
    break;
  case StgAction::Exchange:
    text = quoted(t.label.sender) + " -> " + quoted(t.label.receiver) + " : " +
           quoted(t.label.message);
    break;
  case StgAction::Send:
    text = (t.label.receiver.empty() ? "" : quoted(t.label.receiver)) + "!" +
           quoted(t.label.message);
    break;
  case StgAction::Receive:
    text = (t.label.sender.empty() ? "" : quoted(t.label.sender)) + "?" +
           quoted(t.label.message);
    break;
  }
  std::string fields;
  for (const StgField &field : t.fields) {
    fields += fields.empty() ? "(" : ", ";
    fields += quoted(pool.variable(field.parameter).name);
    if (field.value)
      fields += " = " + pool.text(field.value);
  }
  return text + (fields.empty() ? "" : fields + ")");
}

/// Guard, action and what variables get, as on one line.
static std::string transitionText(const FormulaPool &pool,
                                  const StgTransition &t) {
  auto name = [&](VariableId v) { return pool.qualifiedName(v); };
  std::string text;
  if (!pool.is(t.guard, true))
    text = "[" + pool.text(t.guard, name) + "] ";
  text += actionText(pool, t);
  std::string updates;
  for (const auto &[variable, value] : t.updates) {
    bool isParameter =
        llvm::any_of(t.fields, [&, v = value](const StgField &f) {
          return pool[v].op == ExprOp::Variable &&
                 VariableId(pool[v].value) == f.parameter;
        });
    updates += updates.empty() ? " {" : ", ";
    updates += name(variable) + " := " +
               (isParameter ? pool.text(value) : pool.text(value, name));
  }
  return text + (updates.empty() ? "" : updates + "}");
}

void cif::printStg(const FormulaPool &pool, const Stg &stg, raw_ostream &os) {
  os << "stg " << quoted(stg.name) << " {\n  initial s" << stg.initial << "\n";
  for (uint32_t s = 0; s < stg.numStates(); ++s) {
    if (!stg.free[s].empty()) {
      os << "  s" << s << " has";
      StringRef separator = " ";
      for (VariableId v : stg.free[s]) {
        os << separator << pool.qualifiedName(v);
        separator = ", ";
      }
      os << "\n";
    }
    for (const StgTransition &t : stg.of(s))
      os << "  s" << s << " -> s" << t.to << " : " << transitionText(pool, t)
         << "\n";
  }
  os << "}\n";
}

void cif::printStgDot(const FormulaPool &pool, const Stg &stg, unsigned cluster,
                      raw_ostream &os) {
  auto quote = [&](StringRef text) {
    os << '"';
    for (char c : text)
      if (c == '"' || c == '\\')
        os << '\\' << c;
      else
        os << (static_cast<unsigned char>(c) < 0x20 ? ' ' : c);
    os << '"';
  };
  os << "  subgraph cluster" << cluster << " {\n    label=";
  quote(stg.name);
  os << ";\n    start" << cluster << " [shape=point];\n    start" << cluster
     << " -> c" << cluster << "_" << stg.initial << ";\n";
  for (uint32_t s = 0; s < stg.numStates(); ++s) {
    std::string label = "s" + std::to_string(s);
    StringRef separator = "\n";
    for (VariableId v : stg.free[s]) {
      label += (separator + pool.qualifiedName(v)).str();
      separator = ", ";
    }
    os << "    c" << cluster << "_" << s << " [label=";
    quote(label);
    os << "];\n";
    for (const StgTransition &t : stg.of(s)) {
      os << "    c" << cluster << "_" << s << " -> c" << cluster << "_" << t.to
         << " [label=";
      quote(transitionText(pool, t));
      os << "];\n";
    }
  }
  os << "  }\n";
}
