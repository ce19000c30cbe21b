//===- CollaborationSystem.h - What a state of a collaboration means ------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Collaborations as systems whose states can be read: tokens on sequence
/// flows, messages in transit, active activities, end events that were reached,
/// processes that were started or are complete; and whose steps can be read:
/// which element starts or completes, what it sends or receives, which flow a
/// gateway chooses. What checks by name are made of.
///
/// Three semantics give such systems (docs/semantics.md): `collaboration`
/// (activities are one step), `detailed` (they start and complete) and `fbpmn`.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SEMANTICS_COLLABORATIONSYSTEM_H
#define CIF_SEMANTICS_COLLABORATIONSYSTEM_H

#include "cif/Semantics/Semantics.h"

namespace cif {

/// No index: of a slot, an element, a flow, a message.
constexpr uint32_t noneOf = UINT32_MAX;

struct CollaborationProcess {
  uint32_t behaviour = 0; ///< in the module
  std::string name;       ///< of its participant, else its own
  /// Marked until the process starts; noneOf: it has started from the
  /// beginning.
  uint32_t permit = noneOf;
  /// Marked once it has started (`fbpmn`).
  uint32_t started = noneOf;
  /// The slots whose tokens are the process's: flows, active activities,
  /// whatever waits. Neither permits nor marks of end events.
  std::vector<uint32_t> tokens;
};

/// A sequence flow.
struct CollaborationFlow {
  Origin flow;
  uint32_t process = 0;
  uint32_t slot = 0;   ///< its tokens
  bool isDrawn = true; ///< it is one of the source: see isWithinElement
};

/// A task, an event or a sub-process: what can be dead. Nodes that were made of
/// one element of the source (one for each start of a process) are one.
/// A task that does more than one thing, such as to send and to receive, is a
/// container of steps that have its id. Whether \p n is such a container.
bool isTaskOfSteps(const Behaviour &behaviour, NodeId n);
/// The container where \p n was made of a task in this way; else nothing.
NodeId taskOf(const Behaviour &behaviour, NodeId n);

struct CollaborationElement {
  enum Kind : uint8_t { Task, Event, Container };
  Kind kind = Task;
  uint32_t process = 0;
  SmallVector<uint32_t, 1> nodes;  ///< in the process's behaviour
  SmallVector<uint32_t, 1> active; ///< slots that are marked while it runs
  /// An end event: the slots that count how often it was reached.
  SmallVector<uint32_t, 1> marks;
  bool isEnd = false;
  bool isStart = false;
  /// It is in a sub-process, of which the marks are cleared when that ends.
  bool isNested = false;
  /// A task that is a container of its steps: these, and the slot that is
  /// marked while each runs.
  SmallVector<std::pair<uint32_t, uint32_t>, 0> parts;
};

/// Messages of one label. In `fbpmn` those of one message flow.
struct CollaborationMessage {
  Label label; ///< `p->q:m`, an exchange
  /// The message flows of the module that carry it; none in a module without
  /// message flows.
  SmallVector<uint32_t, 1> flows;
};

/// A step group, by its meaning. The node is StepGroups::origin.
struct CollaborationStep {
  uint32_t process = noneOf;
  uint32_t element = noneOf;  ///< whose step it is, where it is no gateway
  bool starts = false;        ///< the element starts by it
  bool completes = false;     ///< the element completes by it
  bool interrupts = false;    ///< a boundary event that ends its activity
  bool isEnvironment = false; ///< it exchanges a message with the environment
  uint32_t sends = noneOf, receives = noneOf; ///< a message
  /// Of the splitting exclusive, event-based and inclusive gateways that the
  /// step passes: the one flow that each chooses; strong fairness is about
  /// these. Empty: weak fairness of nodes is all there is.
  SmallVector<uint32_t, 1> chosenFlows;
  /// The event-based gateways that the step passes, as nodes of the process's
  /// behaviour: it is their step as well.
  SmallVector<uint32_t, 1> passedChoices;
  /// Further elements that start in it, on the way from such a gateway.
  SmallVector<uint32_t, 1> alsoStarts;
  /// Of a step that finds out about the data: what, as in `that x > 3 is true`.
  std::string finds;
};

/// A Petri net over the slots of the states.
struct PetriNet {
  struct Arc {
    uint32_t place, count;
  };
  struct Transition {
    GroupIndex group;
    LabelIndex label;
    SmallVector<Arc, 4> pre, post; ///< each place once, ascending
  };
  std::vector<uint32_t> initial;
  std::vector<Transition> transitions;
};

/// The steps of a system, by group: what each needs, changes and looks at. For
/// whoever asks which steps depend on each other.
struct StepNet {
  using Arc = PetriNet::Arc;
  struct Step {
    SmallVector<Arc, 2> pre, post; ///< tokens; a place may occur twice
    /// Sets of places: emptied, required to be empty, one required to be
    /// marked.
    uint32_t clears = noneOf, empty = noneOf, marked = noneOf;
    uint32_t join = noneOf; ///< an inclusive join, which takes its own tokens
    uint32_t message = noneOf; ///< that it sends or receives
    bool sends = false;
    bool usesData = false; ///< it reads or changes what is known of the data
  };
  /// An inclusive join takes a token from each incoming place that is marked,
  /// if the places that it watches (the incoming ones too) allow it.
  struct Join {
    SmallVector<uint32_t, 4> incoming;
    std::vector<uint32_t> watched;
    /// By watched place: the incoming places that may get a token because of
    /// one there, and those of them to which that token itself may come. The
    /// join waits while the place is marked, one of the former is not, and none
    /// of the latter is.
    std::vector<SmallVector<uint32_t, 2>> leadsTo, movesTo;
  };
  /// What the messages that share a queue have to do with each other.
  enum class Order : uint8_t {
    None,   ///< nothing
    Fifo,   ///< they are received in the order in which they were sent
    Single, ///< only one of them is in transit at a time
    Other,  ///< whatever happens to one may matter to another
  };
  std::vector<Step> steps; ///< by group
  ArrayRef<std::vector<uint32_t>> sets;
  std::vector<Join> joins;
  Order order = Order::None;
  std::vector<uint32_t> queueOf; ///< by message
};

/// What the structure alone tells of tokens, whatever the number of states.
struct TokenFate {
  /// Every state can reach a complete one, and has a step unless it is.
  bool drains = false;
  /// Every state can reach one without steps.
  bool ends = false;
  /// \name By process
  /// @{
  std::vector<bool> neverCompletes; ///< once it has started
  std::vector<bool> alwaysSteps;    ///< that, and there always is a step
  /// @}
};

class CollaborationSystem : public System {
public:
  ~CollaborationSystem() override;

  ArrayRef<CollaborationProcess> processes() const { return processTable; }
  ArrayRef<CollaborationFlow> flows() const { return flowTable; }
  ArrayRef<CollaborationElement> elements() const { return elementTable; }
  ArrayRef<CollaborationMessage> messages() const { return messageTable; }
  const CollaborationStep &step(GroupIndex g) const { return stepTable[g]; }
  SemanticsKind semantics() const { return kind; }
  NetworkKind networkKind() const { return netKind; }

  /// \name Reading a state
  /// @{
  uint32_t tokens(const uint32_t *state, uint32_t flow) const {
    return state[flowTable[flow].slot];
  }
  bool isActive(const uint32_t *state, uint32_t element) const {
    for (uint32_t slot : elementTable[element].active)
      if (state[slot])
        return true;
    return false;
  }
  /// How often an end event was reached. Counts above `reachedMaximum` are not
  /// told apart.
  uint32_t reached(const uint32_t *state, uint32_t element) const {
    uint32_t sum = 0;
    for (uint32_t slot : elementTable[element].marks)
      sum += state[slot];
    return sum;
  }
  /// The largest count of `reached` that is exact.
  virtual uint32_t reachedMaximum() const = 0;
  bool isStarted(const uint32_t *state, uint32_t process) const {
    const CollaborationProcess &p = processTable[process];
    if (p.started != noneOf)
      return state[p.started] != 0;
    return p.permit == noneOf || !state[p.permit];
  }
  /// It holds no token; in `fbpmn`: isSound.
  bool isComplete(const uint32_t *state, uint32_t process) const;
  /// Every process that has started is complete.
  bool isComplete(const uint32_t *state) const;
  /// SoundState of [fbpmn]: nothing is marked but start events, and end events
  /// once. In the other semantics: isComplete.
  virtual bool isSound(const uint32_t *state, uint32_t process) const = 0;
  /// How many of these messages are in transit.
  virtual uint64_t inTransit(const uint32_t *state, uint32_t message) const = 0;
  /// Whether anything is in transit.
  virtual bool isQuiet(const uint32_t *state) const = 0;
  /// @}

  /// The groups of the steps of a state, each at least once.
  virtual void enabled(const uint32_t *state, uint32_t *scratch,
                       function_ref<void(GroupIndex)> visit) const = 0;
  /// The steps that only a constraint (SemanticsOptions::limits) forbids in
  /// this state; none without a constraint. In `fbpmn` they count as enabled
  /// where fairness is concerned.
  virtual void forbidden(const uint32_t *state, uint32_t *scratch,
                         StepSink sink) const = 0;
  /// The steps of a state that say more than the entries of their groups:
  /// which branches of event-based gateways they take was worked out for this
  /// state. Of a handshake each end comes on its own.
  using MeaningSink = function_ref<void(const Step &, const uint32_t *to,
                                        const CollaborationStep &)>;
  /// Gives them to \p sink; \p scratch has room for a state.
  virtual void workedOut(const uint32_t *state, uint32_t *scratch,
                         MeaningSink sink) const = 0;
  /// Whether there are such steps in any state.
  virtual bool worksOut() const = 0;
  /// Whether a constraint was given.
  virtual bool isConstrained() const = 0;
  /// Whether what trouble() tells is no more than that a gateway may take any
  /// set of so many flows that only some of its steps were given. And whether
  /// this state may have such steps: not all of its steps are known, those of
  /// other states are.
  virtual bool gaveSome() const = 0;
  virtual bool mayLackSteps(const uint32_t *state) const = 0;

  /// The system as a Petri net, where it is one: nothing is tested for being
  /// empty and nothing emptied, messages are unordered and unbounded, guards do
  /// not look at data. Marks of end events are left out: they decide nothing.
  /// Nothing: it is none, and \p reason says why, for people.
  virtual std::optional<PetriNet> petriNet(std::string &reason) const = 0;

  /// The system's steps as far as they depend on each other. Nothing: that
  /// cannot be told group by group (handshakes, constraints, choices that are
  /// worked out on the fly), or is not asked for (`fbpmn`).
  virtual std::optional<StepNet> stepNet() const = 0;
  /// The message that has to be received before \p message can be, whatever is
  /// sent later; noneOf: none.
  virtual uint32_t heldUpBy(const uint32_t *state, uint32_t message) const = 0;

  /// Nothing is claimed within \p limits that were met, in `fbpmn` and under a
  /// constraint.
  virtual TokenFate fate(const Limits &limits) const = 0;

protected:
  SemanticsKind kind = SemanticsKind::Collaboration;
  NetworkKind netKind = NetworkKind::Bag;
  std::vector<CollaborationProcess> processTable;
  std::vector<CollaborationFlow> flowTable;
  std::vector<CollaborationElement> elementTable;
  std::vector<CollaborationMessage> messageTable;
  std::vector<CollaborationStep> stepTable; ///< by group
};

/// The system of the module's processes that options.only selects, closed by
/// the environment: a pool without a process and whatever sends to or waits for
/// nobody in particular exchange messages with it (SemanticsOptions::open).
/// options.semantics is Collaboration (also Auto), Detailed or Fbpmn. Loop
/// markers are errors but in Fbpmn, which does not see them: normalize first.
/// Null: errors were reported. The module must outlive the system.
std::unique_ptr<CollaborationSystem>
makeCollaborationSystem(const Module &module, const SemanticsOptions &options,
                        class DiagnosticEngine &diags);

} // namespace cif

#endif
