//===- RunSearch.h - A run of a system that is told in part -----*- C++ -*-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_CHECK_RUNSEARCH_H
#define CIF_LIB_CHECK_RUNSEARCH_H

#include "cif/Graph/Search.h"
#include "cif/Semantics/System.h"

namespace cif {

/// A run: the steps, and the state after each of them.
struct Taken {
  Step step;
  std::vector<uint32_t> after;
  std::optional<uint32_t> number; ///< among the steps that are told
};

/// Whether a step may be the next one that is told, or goes unseen.
enum class Fit : uint8_t { No, Next, Unseen };

/// A search in depth over how many of \p length steps are done and a state.
/// What fits comes before what goes unseen.
class RunSearch {
public:
  /// \p done: how many come before the step.
  using Matcher = function_ref<Fit(const Step &step, uint32_t done)>;

  RunSearch(const System &system, size_t length, Matcher match)
      : system(system), length(length), match(match) {}

  /// Looks for a state in which all is done, and \p isEnd. False: there is none
  /// among \p maxVisited states, or \p mayGoOn(states, bytes) said no.
  template <class MayGoOn, class IsEnd>
  bool find(size_t maxVisited, MayGoOn mayGoOn, IsEnd isEnd) {
    std::vector<uint32_t> state(1 + system.width());
    system.initial(state.data() + 1);
    visit(state, noParent, {});
    while (!stack.empty() && found.size() <= maxVisited &&
           mayGoOn(found.size(), found.bytes())) {
      last = stack.back();
      stack.pop_back();
      found.read(last, state);
      if (state[0] == length && isEnd(state.data() + 1))
        return true;
      expand(state);
    }
    return false;
  }

  /// The initial state, without a step, and the steps to what was found.
  std::vector<Taken> run() const {
    std::vector<Taken> path(1);
    std::vector<uint32_t> state;
    found.read(0, state);
    path[0].after.assign(state.begin() + 1, state.end());
    uint32_t done = 0;
    for (uint32_t at : found.wayTo(last)) {
      found.read(at, state);
      Taken taken{found.by(at), {state.begin() + 1, state.end()}, std::nullopt};
      if (state[0] != done)
        taken.number = done;
      done = state[0];
      path.push_back(std::move(taken));
    }
    return path;
  }

private:
  void visit(ArrayRef<uint32_t> state, uint32_t from, const Step &step) {
    size_t before = found.size();
    if (found.add(state, from, step) == before)
      stack.push_back(static_cast<uint32_t>(before));
  }

  void expand(ArrayRef<uint32_t> state) {
    std::vector<uint32_t> scratch(system.width());
    std::vector<std::pair<Step, std::vector<uint32_t>>> fits, unseen;
    system.successors(
        state.data() + 1, scratch.data(),
        [&](const Step &step, const uint32_t *to) {
          Fit fit = match(step, state[0]);
          if (fit == Fit::No)
            return true;
          std::vector<uint32_t> after{state[0] + (fit == Fit::Next)};
          after.insert(after.end(), to, to + system.width());
          (fit == Fit::Next ? fits : unseen).push_back({step, after});
          return true;
        });
    const uint32_t from = last;
    for (auto &[step, after] : unseen)
      visit(after, from, step);
    for (auto &[step, after] : llvm::reverse(fits)) // on top of the stack
      visit(after, from, step);
  }

  const System &system;
  const size_t length;
  Matcher match;
  FoundStates<Step> found;
  std::vector<uint32_t> stack;
  uint32_t last = 0; ///< that was looked at
};

} // namespace cif

#endif
