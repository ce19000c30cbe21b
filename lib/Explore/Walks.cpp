//===- Walks.cpp - Runs that are picked, not all of them ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Random walks [west1986], which choose the next step in four ways in turn:
/// any step; one of those taken least often in all walks, which goes round
/// loops and into every branch; one that leaves the fewest tokens and messages,
/// and among these one that this walk took least often, which leads to an end;
/// any step, but one that starts something new only if there are no others. The
/// random numbers come from a fixed generator: the same input gives the same
/// walks.
///
/// Input class: any system. Sound: a walk is a run. Not complete.
///
//===----------------------------------------------------------------------===//

#include "cif/Explore/Walks.h"

using namespace cif;

namespace {
/// xorshift64*: small, and the same everywhere.
class Numbers {
public:
  explicit Numbers(uint64_t seed) : state(seed * 2 + 1) {}
  uint32_t below(uint32_t bound) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return static_cast<uint32_t>((state * 0x2545f4914f6cdd1dull) >> 33) % bound;
  }

private:
  uint64_t state;
};

class Walker {
public:
  Walker(const System &of, const WalkOptions &with)
      : system(of), options(with), manners(with.putsOff.empty() ? 3 : 4),
        scratch(of.width()), everTaken(of.groups().size()) {}

  Walk take(unsigned number, Budget &budget) {
    Numbers numbers(number + 1);
    Walk walk;
    walk.states.emplace_back(system.width());
    system.initial(walk.states[0].data());
    std::vector<uint32_t> own(system.groups().size());
    const unsigned manner = number % manners;
    std::vector<uint32_t> &taken = manner == 1 ? everTaken : own;
    while (walk.steps.size() < options.maxLength) {
      if (!pick(walk.states.back(), manner, taken, numbers)) {
        walk.isStuck = true;
        break;
      }
      ++taken[step.group];
      walk.steps.push_back(step);
      walk.states.push_back(to);
      if (budget.spend(system.width()))
        break;
    }
    return walk;
  }

private:
  bool pick(const std::vector<uint32_t> &from, unsigned manner,
            ArrayRef<uint32_t> taken, Numbers &numbers) {
    std::pair<uint64_t, uint64_t> best(UINT64_MAX, UINT64_MAX);
    uint32_t equal = 0;
    system.successors(from.data(), scratch.data(),
                      [&](const Step &next, const uint32_t *at) {
                        std::pair<uint64_t, uint64_t> rank(
                            manner == 2   ? system.weight(at)
                            : manner == 3 ? options.putsOff[next.group]
                                          : 0,
                            manner == 1 || manner == 2 ? taken[next.group] : 0);
                        if (rank > best)
                          return true;
                        equal = rank < best ? 1 : equal + 1;
                        best = rank;
                        if (numbers.below(equal) == 0) {
                          step = next;
                          to.assign(at, at + from.size());
                        }
                        return true;
                      });
    return equal > 0;
  }

  const System &system;
  const WalkOptions &options;
  const unsigned manners;
  std::vector<uint32_t> scratch, to;
  std::vector<uint32_t> everTaken; ///< by group
  Step step;
};
} // namespace

void cif::walk(const System &system, const WalkOptions &options,
               const Limits &limits, function_ref<bool(const Walk &)> visit) {
  Walker walker(system, options);
  Budget budget(limits);
  uint64_t steps = 0;
  for (unsigned number = 0; steps < options.maxSteps; ++number) {
    Walk walk = walker.take(number, budget);
    steps += walk.steps.size() + 1;
    if (!visit(walk) || !budget.limit().empty())
      return;
  }
}

void WalkedSystem::add(const Walk &walk) {
  for (size_t i = 0; i < walk.steps.size(); ++i) {
    auto &steps = next[walk.states[i]];
    std::pair<Step, std::vector<uint32_t>> taken(walk.steps[i],
                                                 walk.states[i + 1]);
    if (!llvm::is_contained(steps, taken))
      steps.push_back(std::move(taken));
  }
}

void WalkedSystem::successors(const uint32_t *state, uint32_t *,
                              StepSink sink) const {
  auto at = next.find({state, state + numSlots});
  if (at == next.end())
    return;
  for (const auto &[step, to] : at->second)
    if (!sink(step, to.data()))
      return;
}
