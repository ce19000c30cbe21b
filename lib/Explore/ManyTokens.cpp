//===- ManyTokens.cpp - Counts up to "many" -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Counts of tokens and messages end at a number that stands for itself and all
/// that are larger [pnueli2002]. It is larger than what any step takes from one
/// place. So a step is possible in a state if and only if it is in what stands
/// for that: it needs that many tokens, or none, or any.
///
/// Where a step takes some of many, these may be many again or any number that
/// is not smaller than what is left of the number itself. It cannot be none:
/// where it is, the step empties the place, however many there were.
///
/// Input class: unordered messages, no data. Sound: for each run of the system
/// there is one here, through the states that stand for its states. There may
/// be more runs.
///
//===----------------------------------------------------------------------===//

#include "cif/Explore/ManyTokens.h"
#include "cif/Explore/WrappedSystem.h"
#include "llvm/ADT/DenseMap.h"

using namespace cif;

namespace {
class ManyTokens final : public WrappedSystem<System> {
public:
  ManyTokens(const System &of, uint32_t standsForMore)
      : WrappedSystem(of), many(standsForMore) {}

  void successors(const uint32_t *state, uint32_t *scratch,
                  StepSink sink) const override {
    std::vector<uint32_t> to(numSlots);
    SmallVector<uint32_t, 4> open; // slots that may hold more
    system.successors(state, scratch,
                      [&](const Step &step, const uint32_t *next) {
                        open.clear();
                        for (uint32_t i = 0; i < numSlots; ++i) {
                          to[i] = std::min(next[i], many);
                          if (state[i] == many && to[i] && to[i] < many)
                            open.push_back(i);
                        }
                        return each(step, to, open, sink);
                      });
  }
  bool isBounded() const override { return true; }

private:
  /// Gives \p to with each possible number in the slots \p open.
  bool each(const Step &step, std::vector<uint32_t> &to,
            ArrayRef<uint32_t> open, StepSink sink) const {
    if (open.empty())
      return sink(step, to.data());
    uint32_t &count = to[open.front()];
    const uint32_t least = count;
    bool goOn = true;
    for (; count <= many && goOn; ++count)
      goOn = each(step, to, open.drop_front(), sink);
    count = least;
    return goOn;
  }

  const uint32_t many;
};
} // namespace

std::unique_ptr<System> cif::makeManyTokens(const CollaborationSystem &of) {
  std::optional<StepNet> net = of.stepNet();
  if (!net || of.networkKind() != NetworkKind::Bag)
    return nullptr;
  for (unsigned slot = 0; slot < of.width(); ++slot)
    if (of.isInterned(slot))
      return nullptr;
  uint32_t most = 1; // that a step takes
  for (const StepNet::Step &step : net->steps) {
    llvm::DenseMap<uint32_t, uint32_t> taken;
    for (const StepNet::Arc &arc : step.pre)
      most = std::max(most, taken[arc.place] += arc.count);
  }
  return std::make_unique<ManyTokens>(of, most + 1);
}
