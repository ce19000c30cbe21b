//===- System.h - States and steps, whatever they come from ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A System is an initial state and a successor function over state vectors of
/// a fixed number of slots. Whatever a state holds beyond small numbers (the
/// contents of a queue) is interned and stands in its slot as a number, so that
/// states compare as plain memory. Steps come in groups; a group is one static
/// step (a node's firing, a peer's transition) with the slots that it reads and
/// writes and the source element that it stems from.
///
/// All const functions may be called by several threads at once.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SEMANTICS_SYSTEM_H
#define CIF_SEMANTICS_SYSTEM_H

#include "cif/IR/Commands.h"
#include "cif/Support/LLVM.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cif {

/// The source element that a step stems from.
struct Origin {
  enum Kind : uint8_t {
    None,
    Node,       ///< node \p element of behaviour \p unit of the module
    Transition, ///< transition \p element of system \p unit of the module
    Flow,       ///< flow \p element of behaviour \p unit of the module
  };
  Kind kind = None;
  uint32_t unit = 0, element = 0;
  bool operator==(const Origin &) const = default;
};

using GroupIndex = uint32_t;
constexpr GroupIndex noGroup = ~GroupIndex(0);

/// The groups of a system: where each stems from, and the dependency matrix.
class StepGroups {
public:
  /// Adds a group whose steps look at, or change, at most these slots.
  GroupIndex add(Origin from, ArrayRef<uint32_t> readSlots,
                 ArrayRef<uint32_t> writtenSlots);
  /// Adds a group with the slots of \p other, which they share: there may be
  /// many that clear the same large scope.
  GroupIndex addLike(Origin from, GroupIndex other);
  size_t size() const { return origins.size(); }
  const Origin &origin(GroupIndex g) const { return origins[g]; }
  /// The slots that decide whether and how the group steps, with whichever
  /// partner, each once, ascending. What it may change is among them.
  std::vector<uint32_t> reads(GroupIndex g) const {
    return row(slice(readList, readRanges[g]), &Shared::reads, g);
  }
  /// The slots that a step of the group may change, each once, ascending.
  std::vector<uint32_t> writes(GroupIndex g) const {
    return row(ownWrites(g), &Shared::writes, g);
  }
  /// Those of them that the group changes itself, not its partner.
  ArrayRef<uint32_t> ownWrites(GroupIndex g) const {
    return slice(writeList, writeRanges[g]);
  }
  /// Lets \p groups read and write these slots too: what their partners do, or
  /// what goes before their steps. They share the list; a group has one.
  void share(ArrayRef<GroupIndex> groups, ArrayRef<uint32_t> readSlots,
             ArrayRef<uint32_t> writtenSlots);

private:
  struct Range {
    size_t begin, end;
  };
  static ArrayRef<uint32_t> slice(ArrayRef<uint32_t> list, Range range) {
    return list.slice(range.begin, range.end - range.begin);
  }
  struct Shared {
    std::vector<uint32_t> reads, writes;
  };
  std::vector<uint32_t> row(ArrayRef<uint32_t> own,
                            std::vector<uint32_t> Shared::*more,
                            GroupIndex g) const;
  /// Appends \p slots to \p list, each once and ascending.
  static Range append(std::vector<uint32_t> &list, ArrayRef<uint32_t> slots);

  std::vector<Origin> origins;
  std::vector<Shared> shared;
  std::vector<uint32_t> sharedBy; ///< by group: 0, or what it shares, plus 1
  std::vector<Range> readRanges, writeRanges;
  std::vector<uint32_t> readList, writeList;
};

/// One step, but for the state that it leads to.
struct Step {
  LabelIndex label = tauLabel;
  GroupIndex group = noGroup;   ///< who takes it
  GroupIndex partner = noGroup; ///< in a handshake: who takes it too (receiver)
  bool operator==(const Step &) const = default;
};

/// Gets each step of a state; returning false ends the enumeration.
using StepSink = function_ref<bool(const Step &step, const uint32_t *next)>;

/// A slot that a step changes, and its new value.
struct SlotChange {
  uint32_t slot, value;
};
/// The same with no more than what differs; a slot may be named that keeps its
/// value, and none is named twice.
using ChangeSink =
    function_ref<bool(const Step &step, ArrayRef<SlotChange> changes)>;

/// Messages in transit, each as an exchange: a queue from its front, or without
/// a name what travels outside queues.
struct TransitQueue {
  std::string name;
  std::vector<Label> messages;
};

class System {
public:
  virtual ~System();

  /// How many slots a state has.
  unsigned width() const { return numSlots; }
  /// The alphabet: everything that a step could show, tau first.
  ArrayRef<Label> labels() const { return labelTable; }
  const StepGroups &groups() const { return groupTable; }

  /// Writes the initial state to \p state, which has room for `width()` slots.
  virtual void initial(uint32_t *state) const = 0;
  /// Gives all steps of \p state to \p sink, in an order that only depends on
  /// the state's meaning. \p scratch has room for a state; `next` may be it.
  virtual void successors(const uint32_t *state, uint32_t *scratch,
                          StepSink sink) const = 0;
  /// The same steps in the same order, as differences. What a system whose
  /// steps touch few slots overrides, for the explorer.
  virtual void changes(const uint32_t *state, uint32_t *scratch,
                       ChangeSink sink) const;
  /// Those of one group, in the same order.
  virtual void successorsOf(GroupIndex group, const uint32_t *state,
                            uint32_t *scratch, StepSink sink) const;

  /// Whether isFinal has something to say.
  virtual bool saysFinal() const { return true; }
  /// Successful termination.
  virtual bool isFinal(const uint32_t *state) const = 0;

  /// For people: marked flows, local states, what waits in the queues.
  virtual std::string describe(const uint32_t *state) const = 0;
  /// What is in transit; only what is not empty.
  virtual std::vector<TransitQueue> transit(const uint32_t *) const {
    return {};
  }

  /// The largest value that a slot can have; UINT32_MAX: not known.
  virtual uint32_t slotMaximum(unsigned slot) const;
  /// What a slot counts: the tokens on a flow, or something without a name.
  virtual Origin slotOrigin(unsigned) const { return {}; }

  /// \name States in other processes
  /// Slots, groups and labels have the same numbers wherever the system is made
  /// of the same module with the same options. So have the values of slots that
  /// are not interned; of the others, equal contents have equal bytes.
  /// @{

  /// Whether a slot holds numbers that only mean something here: contents of
  /// queues, causal orders, sets of data.
  virtual bool isInterned(unsigned) const { return false; }
  /// Appends what \p value stands for.
  void exportSlot(unsigned slot, uint32_t value, std::string &bytes) const;
  /// The value that \p bytes stand for here. None: they are not what
  /// exportSlot writes, whatever the value.
  std::optional<uint32_t> importSlot(unsigned slot, StringRef bytes) const;
  /// The same in words.
  virtual void exportWords(unsigned slot, uint32_t value,
                           SmallVectorImpl<uint32_t> &words) const;
  virtual std::optional<uint32_t> importWords(unsigned slot,
                                              ArrayRef<uint32_t> words) const;
  /// @}

  /// \name Growth
  /// @{

  /// Whether the states are known to be finitely many, so that weight and pumps
  /// need not be asked.
  virtual bool isBounded() const { return true; }
  /// Tokens and messages: what may grow without bound.
  virtual uint64_t weight(const uint32_t *) const { return 0; }
  /// A cheap test that must hold before pumps is worth asking: the two agree in
  /// what cannot grow.
  virtual bool covers(const uint32_t *, const uint32_t *) const {
    return false;
  }
  /// Whether \p cycle, which leads from \p low to \p high, can be taken again
  /// and again and adds something each time. Returns what grows, for people
  /// ("the inbox of 'b' gains 'm'"), or nothing when that is not proved.
  virtual std::string pumps(const uint32_t *low, const uint32_t *high,
                            ArrayRef<Step> cycle) const;
  /// @}

  /// What the semantics leaves out of the model, a line for each kind: guards
  /// that are free choices, time that passes at any moment. Empty: nothing.
  ArrayRef<std::string> abstractions() const { return abstractionTexts; }

  /// Why a step could not be computed within reason, once successors() met
  /// one; an exploration is not complete then. Empty: none was met.
  virtual std::string trouble() const { return {}; }

  /// The same states and steps as plain data, counter by counter and queue by
  /// queue, whatever order the steps have. Null: that cannot be said;
  /// \p reason says why, for people, and \p at, where it is one element.
  virtual std::unique_ptr<CommandModel> commands(std::string &reason,
                                                 Origin &at) const;

protected:
  /// The index of a label in the table, added when it is new.
  LabelIndex addLabel(const Label &label);

  unsigned numSlots = 0;
  std::vector<Label> labelTable{Label::tau()};
  StepGroups groupTable;
  std::vector<std::string> abstractionTexts;

private:
  std::vector<uint32_t> labelSlots; // open addressing; 0: free, else index + 1
};

} // namespace cif

#endif
