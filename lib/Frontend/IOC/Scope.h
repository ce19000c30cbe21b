//===- Scope.h - Which variables are bound where --------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A variable is in scope where every path binds it: what a branch of `||`
/// binds is in scope after the `||` but not in its other branches; what `+` and
/// `[>` bind is in scope afterwards if all branches bind it; what a loop binds
/// is not in scope after the loop.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_FRONTEND_IOC_SCOPE_H
#define CIF_LIB_FRONTEND_IOC_SCOPE_H

#include "Ast.h"
#include "llvm/ADT/DenseMap.h"

namespace cif::ioc {

/// Which variables are bound at the place where the walk is. See above for the
/// rules; each operation is of constant cost per binding, whatever the nesting.
class Scope {
public:
  struct Variable {
    Sort sort;
    uint32_t line = 0, column = 0;
    uint32_t top = none; ///< the latest of its bindings, or none
    uint32_t stamp = 0;
  };

  void clear() {
    variables.clear();
    bindings.clear();
    kept.clear();
    parents.assign(1, 0);
    hidden.assign(1, false);
    group = 0;
    stamp = 0;
  }

  /// The variable if it was ever declared, else null.
  Variable *find(Name name) {
    auto it = variables.find(name.index());
    return it == variables.end() ? nullptr : &it->second;
  }
  bool visible(const Variable &variable) {
    return variable.top != none && !hidden[root(bindings[variable.top].group)];
  }
  Variable &declare(Name name, Sort sort, uint32_t line, uint32_t column) {
    return variables.try_emplace(name.index(), Variable{sort, line, column})
        .first->second;
  }
  void bind(Name name) {
    Variable &variable = *find(name);
    if (!visible(variable))
      push(name, variable);
  }
  template <class F>
  void forEachVisible(F f) {
    for (auto &[name, variable] : variables)
      if (visible(variable))
        f(Name(name));
  }

  size_t mark() const { return bindings.size(); }
  /// Forgets what was bound since \p mark.
  void undo(size_t mark) {
    while (bindings.size() > mark) {
      find(bindings.back().name)->top = bindings.back().previous;
      bindings.pop_back();
    }
  }

  // Branches of which one is taken: beginChoice, {endBranch}, endChoice.
  size_t beginChoice() const { return kept.size(); }
  void endBranch(size_t mark, size_t keptBegin, bool first) {
    ++stamp;
    for (size_t i = mark; i < bindings.size(); ++i) {
      Variable &variable = *find(bindings[i].name);
      if (first && variable.stamp != stamp)
        kept.push_back(bindings[i].name);
      variable.stamp = stamp;
    }
    if (!first)
      kept.erase(
          std::remove_if(kept.begin() + keptBegin, kept.end(),
                         [&](Name name) { return find(name)->stamp != stamp; }),
          kept.end());
    undo(mark);
  }
  void endChoice(size_t keptBegin) {
    for (size_t i = keptBegin; i < kept.size(); ++i)
      bind(kept[i]);
    kept.resize(keptBegin);
  }

  // Branches that are all taken. What a finished one bound is hidden from its
  // siblings: its group joins that of the finished ones, which joins the group
  // around it in the end.
  struct Parallel {
    uint32_t outer, finished;
  };
  Parallel beginParallel() {
    uint32_t outer = group;
    return {outer, newGroup(/*isHidden=*/true)};
  }
  void beginParallelBranch() { group = newGroup(/*isHidden=*/false); }
  void endParallelBranch(const Parallel &parallel) {
    parents[group] = parallel.finished;
  }
  void endParallel(const Parallel &parallel) {
    parents[parallel.finished] = parallel.outer;
    group = parallel.outer;
  }

private:
  struct Binding {
    Name name;
    uint32_t group;
    uint32_t previous;
  };

  void push(Name name, Variable &variable) {
    bindings.push_back({name, group, variable.top});
    variable.top = static_cast<uint32_t>(bindings.size() - 1);
  }
  uint32_t newGroup(bool isHidden) {
    parents.push_back(static_cast<uint32_t>(parents.size()));
    hidden.push_back(isHidden);
    return static_cast<uint32_t>(parents.size() - 1);
  }
  uint32_t root(uint32_t g) {
    while (parents[g] != g)
      g = parents[g] = parents[parents[g]];
    return g;
  }

  llvm::DenseMap<uint32_t, Variable> variables;
  std::vector<Binding> bindings;
  std::vector<Name> kept;
  std::vector<uint32_t> parents;
  std::vector<bool> hidden;
  uint32_t group = 0;
  uint32_t stamp = 0;
};

} // namespace cif::ioc

#endif
