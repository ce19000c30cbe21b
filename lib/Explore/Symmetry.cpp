//===- Symmetry.cpp - Instances that can be exchanged ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: symmetry reduction by scalarsets [ip1996], for instances of a
/// participant, together with the stubborn sets of Reduction.cpp, as in
/// [emerson1997].
///
/// Instances share the participant's place in the network: a message says from
/// which participant and to which it is, not from or to which instance. So to
/// exchange two instances is to exchange their slots; queues are not touched.
/// That this is an automorphism is verified: the steps of one instance must be
/// those of the other, one by one, with other slots; nothing else may depend on
/// these slots; and their initial values must be equal. Otherwise nothing is
/// exchanged. A state is represented by the one in which the instances are
/// sorted by what their slots hold.
///
/// Let R be the reduced system in which a state takes the stubborn set of its
/// representative, with the instances exchanged. An automorphism maps stubborn
/// sets to stubborn sets, so R is a reduction as in Reduction.cpp, and the
/// states and steps that are explored are those of R up to exchanges. If they
/// are finitely many, so are those of R. One condition needs care, namely that
/// no step of R is postponed for ever: a cycle of representatives does not show
/// which instance a step belongs to. So each of these cycles has a state that
/// takes all steps (expandCycles). Every run of R that can be continued for
/// ever then reaches such a state again and again, where whatever was postponed
/// is taken. Hence (1) to (5) are true of R.
///
/// Everything that checks ask about states is the same for two states that
/// differ by an exchange: whether there is a step, whether the processes are
/// complete, whether a flow has two tokens, what is in transit. Whether a step
/// can be taken is asked about one instance and may be found for another. So
/// `holds` carries over for these questions; `violated` is reported only after
/// it was found without exchanges, where the run can be shown.
///
//===----------------------------------------------------------------------===//

#include "cif/Explore/Symmetry.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

using namespace cif;

namespace {
/// Two processes, step by step.
class Matching {
public:
  Matching(const CollaborationSystem &of, const StepNet &with)
      : image(of.width(), noneOf), system(of), net(with) {}

  /// Whether \p b is \p a with other slots; then image says which.
  bool match(uint32_t a, uint32_t b);
  /// The slots of the first process, ascending.
  std::vector<uint32_t> slots() const {
    std::vector<uint32_t> all;
    for (uint32_t slot = 0; slot < image.size(); ++slot)
      if (image[slot] != noneOf)
        all.push_back(slot);
    return all;
  }
  std::vector<uint32_t> image; ///< of the slots of the first process

private:
  bool slot(uint32_t a, uint32_t b) {
    if (a == noneOf || b == noneOf)
      return a == b;
    if (image[a] == noneOf)
      image[a] = b;
    return image[a] == b;
  }
  template <class A, class B>
  bool slots(const A &a, const B &b) {
    if (a.size() != b.size())
      return false;
    for (size_t i = 0; i < a.size(); ++i)
      if (!slot(a[i], b[i]))
        return false;
    return true;
  }
  bool arcs(ArrayRef<StepNet::Arc> a, ArrayRef<StepNet::Arc> b) {
    return a.size() == b.size() &&
           llvm::all_of(llvm::zip(a, b), [&](auto both) {
             auto &[x, y] = both;
             return x.count == y.count && slot(x.place, y.place);
           });
  }
  bool set(uint32_t a, uint32_t b) {
    if (a == noneOf || b == noneOf)
      return a == b;
    return slots(net.sets[a], net.sets[b]);
  }
  bool join(const StepNet::Join &x, const StepNet::Join &y);
  bool step(GroupIndex a, GroupIndex b);
  bool elements(const CollaborationElement &a, const CollaborationElement &b) {
    return slots(a.active, b.active) && slots(a.marks, b.marks);
  }
  template <class Table>
  static std::vector<uint32_t> ofProcess(const Table &table, uint32_t process) {
    std::vector<uint32_t> result;
    for (uint32_t i = 0; i < table.size(); ++i)
      if (table[i].process == process)
        result.push_back(i);
    return result;
  }
  std::vector<GroupIndex> stepsOf(uint32_t process) const {
    std::vector<GroupIndex> result;
    for (GroupIndex g = 0; g < net.steps.size(); ++g)
      if (system.step(g).process == process)
        result.push_back(g);
    return result;
  }

  const CollaborationSystem &system;
  const StepNet &net;
};
} // namespace

bool Matching::join(const StepNet::Join &x, const StepNet::Join &y) {
  auto lists = [&](const auto &of, const auto &other) {
    return llvm::all_of(llvm::zip(of, other), [&](const auto &both) {
      return slots(std::get<0>(both), std::get<1>(both));
    });
  };
  return slots(x.incoming, y.incoming) && slots(x.watched, y.watched) &&
         lists(x.leadsTo, y.leadsTo) && lists(x.movesTo, y.movesTo);
}

bool Matching::step(GroupIndex a, GroupIndex b) {
  const StepNet::Step &x = net.steps[a], &y = net.steps[b];
  const CollaborationStep &means = system.step(a), &other = system.step(b);
  if (x.usesData || y.usesData || x.message != y.message ||
      x.sends != y.sends || (x.join == noneOf) != (y.join == noneOf) ||
      means.starts != other.starts || means.completes != other.completes ||
      means.isEnvironment != other.isEnvironment ||
      (means.element == noneOf) != (other.element == noneOf))
    return false;
  if (x.join != noneOf && !join(net.joins[x.join], net.joins[y.join]))
    return false;
  return arcs(x.pre, y.pre) && arcs(x.post, y.post) &&
         set(x.clears, y.clears) && set(x.empty, y.empty) &&
         set(x.marked, y.marked);
}

bool Matching::match(uint32_t a, uint32_t b) {
  image.assign(image.size(), noneOf);
  const CollaborationProcess &p = system.processes()[a],
                             &q = system.processes()[b];
  if (!slot(p.permit, q.permit) || !slot(p.started, q.started) ||
      !slots(p.tokens, q.tokens))
    return false;
  auto each = [&](const std::vector<uint32_t> &mine,
                  const std::vector<uint32_t> &others, auto matches) {
    if (mine.size() != others.size())
      return false;
    for (size_t i = 0; i < mine.size(); ++i)
      if (!matches(mine[i], others[i]))
        return false;
    return true;
  };
  return each(stepsOf(a), stepsOf(b),
              [&](uint32_t x, uint32_t y) { return step(x, y); }) &&
         each(ofProcess(system.flows(), a), ofProcess(system.flows(), b),
              [&](uint32_t x, uint32_t y) {
                return slot(system.flows()[x].slot, system.flows()[y].slot);
              }) &&
         each(ofProcess(system.elements(), a), ofProcess(system.elements(), b),
              [&](uint32_t x, uint32_t y) {
                return elements(system.elements()[x], system.elements()[y]);
              });
}

/// The processes that look at each slot: none, one, or several.
static std::vector<uint32_t> usersOf(const CollaborationSystem &system,
                                     const StepNet &net) {
  constexpr uint32_t several = noneOf - 1;
  std::vector<uint32_t> user(system.width(), noneOf);
  for (GroupIndex g = 0; g < net.steps.size(); ++g) {
    const StepNet::Step &step = net.steps[g];
    const uint32_t process = system.step(g).process;
    auto uses = [&](uint32_t slot) {
      if (user[slot] == noneOf)
        user[slot] = process == noneOf ? several : process;
      else if (user[slot] != process)
        user[slot] = several;
    };
    for (const auto *arcs : {&step.pre, &step.post})
      for (const StepNet::Arc &arc : *arcs)
        uses(arc.place);
    for (uint32_t set : {step.clears, step.empty, step.marked})
      if (set != noneOf)
        llvm::for_each(net.sets[set], uses);
    if (step.join != noneOf) {
      llvm::for_each(net.joins[step.join].incoming, uses);
      llvm::for_each(net.joins[step.join].watched, uses);
    }
  }
  return user;
}

InstanceSymmetry::InstanceSymmetry(const CollaborationSystem &system,
                                   const StepNet &net)
    : isExchanged(system.width()) {
  llvm::StringMap<SmallVector<uint32_t, 4>> processes;
  for (uint32_t p = 0; p < system.processes().size(); ++p)
    processes[system.processes()[p].name].push_back(p);
  std::vector<uint32_t> user;
  std::vector<uint32_t> first(system.width());
  system.initial(first.data());
  for (const auto &[name, same] : processes) {
    if (same.size() < 2)
      continue;
    if (user.empty())
      user = usersOf(system, net);
    Matching matching(system, net);
    Blocks blocks;
    bool isOwn = true;
    for (uint32_t p : same) {
      isOwn &= matching.match(same[0], p);
      if (!isOwn)
        break;
      std::vector<uint32_t> &block = blocks.emplace_back();
      for (uint32_t slot : matching.slots()) {
        const uint32_t to = matching.image[slot];
        isOwn &= (user[to] == p || user[to] == noneOf) && !isExchanged[to] &&
                 first[slot] == first[to] && !system.isInterned(to) &&
                 system.slotMaximum(slot) == system.slotMaximum(to);
        isExchanged[to] = true;
        block.push_back(to);
      }
    }
    if (isOwn) {
      instances.push_back(std::move(blocks));
      continue;
    }
    for (const std::vector<uint32_t> &block : blocks)
      for (uint32_t slot : block)
        isExchanged[slot] = false;
  }
}

void InstanceSymmetry::represent(const uint32_t *state,
                                 SmallVectorImpl<SlotChange> &changes) const {
  llvm::SmallDenseMap<uint32_t, uint32_t, 16> changed;
  for (const SlotChange &change : changes)
    changed[change.slot] = change.value;
  auto valueOf = [&](uint32_t slot) {
    auto at = changed.find(slot);
    return at == changed.end() ? state[slot] : at->second;
  };
  for (const Blocks &blocks : instances) {
    std::vector<std::vector<uint32_t>> held;
    for (const std::vector<uint32_t> &block : blocks) {
      held.emplace_back();
      for (uint32_t slot : block)
        held.back().push_back(valueOf(slot));
    }
    if (llvm::is_sorted(held))
      continue;
    llvm::sort(held);
    for (size_t i = 0; i < blocks.size(); ++i)
      for (size_t k = 0; k < blocks[i].size(); ++k)
        changed[blocks[i][k]] = held[i][k];
  }
  for (SlotChange &change : changes) {
    auto at = changed.find(change.slot);
    change.value = at->second;
    changed.erase(at);
  }
  for (auto [slot, value] : changed)
    if (state[slot] != value)
      changes.push_back({slot, value});
}
