//===- Data.h - What guards say of message contents -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Data with finitely many values: truth values, literals of enumerations, and
/// numbers and texts by regions (Regions.cpp). A behaviour has variables;
/// exchanges give them values, and guards depend on them.
///
/// Values are chosen late [symbolic, section 3]: a state holds the set of all
/// valuations that are consistent with the guards passed so far. A send adds
/// every value that its fields may have; a guard that is passed keeps the
/// valuations for which it is true. So the silent choice that a free exclusive
/// gateway makes stays where it is, and every later guard over the same data,
/// of whichever participant, decides alike.
///
/// A valuation has the values of the variables, then for each message that
/// carries data the contents of what is in transit. A variable with anyValue is
/// free: it may have any value of its domain, whatever the others have; one
/// with a number from firstSubset on any of these values. Only what some guard
/// can see is kept. Sets are interned and occupy one slot of a state.
///
/// Sound and complete for: reachable markings, traces and deadlocks are those
/// of the semantics in which the sender picks values when it sends.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_SEMANTICS_DATA_DATA_H
#define CIF_LIB_SEMANTICS_DATA_DATA_H

#include "Interning.h"
#include "cif/Semantics/PinnedData.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <optional>
#include <set>

namespace cif {

/// A value: any, false, true, or another (literals by name, whichever
/// enumeration they are of; numbers; texts).
using DataValue = uint32_t;
constexpr DataValue anyValue = 0, falseValue = 1, trueValue = 2,
                    firstLiteral = 3, firstSubset = 1u << 31;

constexpr uint32_t noData = UINT32_MAX;

/// What an exchange does with one field of its message.
struct FieldAction {
  SmallVector<uint32_t, 2> variables; ///< that get its value
  uint32_t program = noData;          ///< of the value that is sent
  uint32_t domain = noData;           ///< else: the values to pick from
  uint32_t carried = noData;          ///< its place in the contents
  DataValue constant = anyValue;      ///< of a label that shows it: the value
};
struct DataAction {
  SmallVector<FieldAction, 2> fields;
  uint32_t channel = noData; ///< of the message in transit
  bool receives = false;
};

/// One way to exchange a message whose values are shown.
struct ShownValues {
  std::string text; ///< `(4, true)`
  uint32_t action = noData;
  SmallVector<uint32_t, 2> required; ///< requirements: that these are sent
};

/// The data of some behaviours: which variables matter, which messages carry
/// values, and what guards and exchanges do with them.
class DataModel {
public:
  /// \p showsValues: shown() is asked instead of action(). \p pins: fields
  /// carry these values and no others, and all that have some are shown.
  DataModel(const Module &of, ArrayRef<uint32_t> behaviours,
            bool showsValues = false, const PinnedData *pins = nullptr);

  /// Whether there is nothing to follow.
  bool empty() const { return programs.empty(); }
  /// How guards are decided, for people.
  std::string method() const;
  /// The guard that a program is of, for people.
  std::string guardText(uint32_t program) const;
  /// The guard of a flow as a program, or noData: it is a free choice.
  uint32_t guard(uint32_t behaviour, FlowId flow) const;
  /// The guard of a flow, where it is the same for all data: `x < x`.
  std::optional<bool> settled(uint32_t behaviour, FlowId flow) const;
  bool settles() const { return !settledOf.empty(); } ///< some guard
  enum class Does : uint8_t { Exchange, Send, Receive };
  /// What a node does with the data of message \p id, which is number
  /// \p inTransit on the network (noData: it does not travel); noData: nothing.
  uint32_t action(uint32_t behaviour, NodeId node, MessageId id, bool isReply,
                  Does does, uint32_t inTransit);

  /// The same, one by one for the values of what is shown; none: nothing is.
  std::vector<ShownValues> shown(uint32_t behaviour, NodeId node, MessageId id,
                                 bool isReply, Does does);
  /// Fields that guards or receivers look at, whose values cannot be shown.
  size_t hiddenFields() const { return numHidden; }

  /// A requirement: the program, and whether it must be true.
  static uint32_t require(uint32_t program, bool isTrue) {
    return program << 1 | isTrue;
  }

private:
  friend class DataStates;
  friend class DataReader;
  struct Variable {
    uint32_t behaviour;
    Name name;
    uint32_t domain = noData; ///< noData: not finite
    Sort sort;                ///< unknownSort: of none or several
    bool known = false, matters = false;
    uint32_t index = noData; ///< in a valuation
  };
  /// Opaque looks its operands up in a table, whose number is `operand`.
  struct Instruction {
    ExprOp op;
    uint32_t operand; ///< a value or a variable
  };
  /// A comparison of numbers, as `terms + constant op 0`, or of texts.
  struct Atom {
    ExprOp op = ExprOp::Equal;
    bool isText = false;
    SmallVector<std::pair<uint32_t, int64_t>, 2> terms; ///< variable, times
    int64_t constant = 0;
    Name text; ///< of a text and one variable, or none
    bool isTrue(int64_t value) const;
  };
  class RegionFinder;
  /// A value for each combination of values of the operands, the last one
  /// fastest.
  struct Table {
    SmallVector<uint32_t, 2> operands; ///< their domains
    std::vector<DataValue> results;
  };
  struct Program {
    SmallVector<Instruction, 8> code;
    SmallVector<uint32_t, 4> variables; ///< that it reads
  };
  /// One binding, sending or receiving of a message by a node.
  struct Use {
    uint32_t behaviour;
    NodeId node;
    MessageId message;
    bool isReply, sends, receives;
  };

  void collect(ArrayRef<uint32_t> behaviours);
  bool hasArguments(ArrayRef<uint32_t> behaviours) const;
  void forBound(const Use &use, uint32_t field,
                function_ref<void(Name)> function) const;
  uint32_t numFields(const Use &use) const;
  Sort fieldSort(const Use &use, uint32_t field) const;
  uint32_t domainOf(Sort sort);
  uint32_t domainOfValues(std::vector<DataValue> values);
  uint32_t domainOfField(const Use &use, uint32_t field);
  Sort leafSort(uint32_t behaviour, ExprId expr) const;
  bool isAtom(uint32_t behaviour, const Expr &e) const;
  std::optional<Atom> atom(uint32_t behaviour, const Expr &e) const;
  bool addSide(uint32_t behaviour, ExprId side, int64_t times, Atom &to) const;
  /// False: there would be too many values.
  bool findRegions(ArrayRef<uint32_t> behaviours, bool tellsApart);
  void compileAtom(const Atom &atom, Program &program);
  bool isKnown(const Atom &atom) const;
  uint32_t variable(uint32_t behaviour, Name name) const;
  DataValue literal(Name name);
  DataValue newValue(std::string text, int64_t number);
  /// The program of an expression whose variables all are finite, or noData.
  /// Numbers of variables are those of `variables` until finish().
  std::optional<bool> compileLeaf(uint32_t behaviour, const Expr &expr,
                                  Program &program, bool &isLeaf);
  uint32_t compile(uint32_t behaviour, ExprId expr, bool wantsBool);
  void findGuards(ArrayRef<uint32_t> behaviours);
  void findWhatMatters();
  void findShown();
  uint32_t isValue(uint32_t program, DataValue value);
  void pin(const PinnedData &pins);
  DataValue pinnedValue(Sort sort, const PinnedValue &value);
  bool pinComputed();
  bool addPinned(const Use &use, uint32_t field, ArrayRef<DataValue> more);
  void pinVariables();
  DataValue evaluate(uint32_t program, ArrayRef<uint32_t> valuation) const;
  void lookUp(const Table &table, SmallVectorImpl<DataValue> &stack) const;
  uint32_t compilePinned(uint32_t behaviour, ExprId expr, bool wantsBool);
  std::optional<PinnedValue>
  evaluatePinned(uint32_t behaviour, ArrayRef<ExprId> order,
                 function_ref<DataValue(uint32_t)> valueOf, Sort &sort) const;
  std::string valueText(DataValue value) const;
  static uint64_t nodeKey(uint32_t behaviour, NodeId node) {
    return uint64_t(behaviour) << 32 | node.raw();
  }

  const Module &module;
  const bool shows;
  const std::optional<PinnedData> pinned;
  std::map<std::string, DataValue> pinnedOf; ///< by text
  std::set<Name> named;                      ///< in expressions
  std::vector<Variable> variables;
  std::map<std::pair<uint32_t, Name>, uint32_t> variableOf;
  std::vector<Use> uses;
  std::vector<std::vector<DataValue>> domains;
  std::map<std::vector<DataValue>, uint32_t> domainNumbers;
  std::map<uint32_t, uint32_t> enumDomains; ///< by enumeration
  std::map<Name, DataValue> literalOf, textOf;
  std::map<int64_t, DataValue> numberOf;
  std::vector<std::pair<std::string, int64_t>> values; ///< from firstLiteral on
  std::vector<Table> tables;
  std::map<std::pair<Name, uint32_t>, uint32_t> fieldDomains; ///< by message
  std::set<uint32_t> comparable; ///< variables that may be compared with others
  bool regionsDecide = false;
  std::set<std::pair<Name, uint32_t>> shownFields; ///< by message
  size_t numHidden = 0;
  std::map<std::pair<uint32_t, DataValue>, uint32_t> valueTests;
  std::vector<Program> programs;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> guardOf;
  std::map<std::pair<uint32_t, uint32_t>, bool> settledOf; ///< guards
  /// By message name: the fields that are carried.
  std::map<Name, SmallVector<uint32_t, 2>> carriedOf;
  /// By behaviour and node, and field: what is sent.
  std::map<std::pair<uint64_t, uint32_t>, uint32_t> argumentOf;
  std::vector<DataAction> actions;
  std::map<uint32_t, uint32_t> channelOf; ///< by number on the network
  std::vector<uint32_t> channelWidth;     ///< values of one message
  std::vector<uint32_t> tracked; ///< by place in a valuation: the variable
};

/// Sets of valuations. All functions may be called by several threads at once.
class DataStates {
public:
  /// \p unordered: messages in transit may overtake each other.
  DataStates(DataModel of, bool unordered);

  static constexpr uint32_t none = UINT32_MAX;
  static constexpr size_t maxValuations = 4096;

  /// Requirements as a number, for the functions below; 0: none.
  uint32_t number(ArrayRef<uint32_t> requirements);
  ArrayRef<uint32_t> requirements(uint32_t number) const {
    return lists[number];
  }

  uint32_t initial() const { return first; }
  /// The valuations of \p set that meet the requirements, or none.
  uint32_t restrict(uint32_t set, uint32_t requirements);
  /// Whether all valuations of \p set meet them.
  bool meets(uint32_t set, uint32_t requirements);
  /// The parts of \p set in which the truth of \p programs (a number of
  /// requirements(), of which only the programs count) is the same, with the
  /// truths as bits, the first program's lowest; with \p byValues also the
  /// values of variables that a program reads together with others. One part:
  /// it is known.
  std::vector<std::pair<uint64_t, uint32_t>>
  split(uint32_t set, uint32_t programs, bool byValues);
  /// The truths of the split as `x > 3 is true and y < 1 is false`.
  std::string truthsText(uint32_t programs, uint64_t truths) const;
  /// Whether some of \p programs reads several variables.
  bool readsSeveral(uint32_t programs) const;
  /// Whether \p requirements settle the truth of \p programs (as above),
  /// whatever the data.
  bool settles(uint32_t requirements, uint32_t programs) const;
  /// What an exchange makes of \p set; none: too many valuations.
  uint32_t apply(uint32_t set, uint32_t action);
  /// `x = small|large`, for people.
  void describe(uint32_t set, raw_ostream &os) const;
  /// The valuations of \p set without numbers that only mean something here,
  /// sorted; and back. None: no set is written so.
  void exportWords(uint32_t set, SmallVectorImpl<uint32_t> &words) const;
  std::optional<uint32_t> importWords(ArrayRef<uint32_t> words);
  bool gaveUp() const { return tooMany.load(std::memory_order_relaxed); }

private:
  using Words = SmallVector<uint32_t, 16>;
  bool holds(uint32_t program, ArrayRef<uint32_t> valuation) const {
    return evaluate(program, valuation) == trueValue;
  }
  DataValue evaluate(uint32_t program, ArrayRef<uint32_t> valuation) const {
    return model.evaluate(program, valuation);
  }
  /// Calls \p function with each way to settle the free variables that these
  /// programs read.
  void settle(ArrayRef<uint32_t> valuation, ArrayRef<uint32_t> programs,
              function_ref<void(Words &)> function) const;
  void applyTo(Words valuation, const DataAction &action,
               SmallVectorImpl<uint32_t> &out);
  uint32_t setOf(SmallVectorImpl<uint32_t> &valuations);
  static bool isOpen(DataValue value) {
    return value == anyValue || value >= firstSubset;
  }
  /// The values that an open one stands for.
  ArrayRef<DataValue> choices(DataValue value, uint32_t domain) const {
    return value == anyValue ? ArrayRef(model.domains[domain])
                             : subsets[value - firstSubset];
  }
  bool narrow(Words &valuation, ArrayRef<uint32_t> required);
  friend class DataReader;
  void findKinds();

  DataModel model;
  bool unordered;
  uint32_t first = 0;
  /// \name Which values may stand where
  /// By variable, and by channel and place in its messages.
  /// @{
  enum Kind : uint8_t { Any = 0, Truth = 1, Other = 2 };
  std::vector<Kind> kinds;
  std::vector<std::vector<Kind>> channelKinds;
  /// @}
  WordsStore lists, contents, valuations, sets, subsets;
  std::atomic<bool> tooMany{false};
  std::mutex lock;
  llvm::DenseMap<uint64_t, uint32_t> restricted, applied;
};

} // namespace cif

#endif
