//===- TokenNet.h - Graphs of nodes and flows as a net --------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Behaviours as a net: places hold tokens (each flow is a place; active
/// containers and what starts on its own have places too), firings move them.
/// Choreographies and collaborations are both made of it and differ in what the
/// nodes show, and in whether messages travel on a network.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_SEMANTICS_TOKEN_TOKENNET_H
#define CIF_LIB_SEMANTICS_TOKEN_TOKENNET_H

#include "Data/Data.h"
#include "cif/IR/Scopes.h"
#include "cif/Semantics/CollaborationSystem.h"
#include "cif/Semantics/Network.h"
#include "cif/Support/Diagnostics.h"
#include "llvm/ADT/BitVector.h"
#include <map>

namespace cif {

enum class FiringKind : uint8_t {
  Gateway,  ///< moves tokens and shows nothing; no step of a participant
  Deferred, ///< takes a branch that waits for its first step: never on its own
  Internal, ///< a step of a participant (or of time) that shows nothing
  Exchange, ///< a whole exchange, shown
  Send,
  Receive,
};

inline bool isStep(FiringKind kind) {
  return kind != FiringKind::Gateway && kind != FiringKind::Deferred;
}

struct Arc {
  uint32_t place, count;
  bool operator==(const Arc &) const = default;
};

constexpr uint32_t noIndex = UINT32_MAX;

struct Firing {
  FiringKind kind = FiringKind::Gateway;
  SmallVector<Arc, 2> pre, post;
  uint32_t clears = noIndex;    ///< the set of places that it empties
  uint32_t empty = noIndex;     ///< the set of places that must be empty
  uint32_t marked = noIndex;    ///< the set of which one place must be marked
  uint32_t orJoin = noIndex;    ///< an inclusive join: it decides what is taken
  uint32_t message = noIndex;   ///< in the network; none: with the environment
  uint32_t endsIn = noIndex;    ///< a token ends in this container
  uint32_t completes = noIndex; ///< this container is completed
  /// A split: of what it gives, any two or more. Each one alone is a firing of
  /// its own.
  uint32_t split = noIndex;
  LabelIndex label = tauLabel;
  /// Its message never comes; it only counts as a way for tokens.
  bool never = false;
  /// No guard of its choice is true: the token stays, and that is known now.
  bool stays = false;
  /// Its guards must be known to be true before: a choice that waits cannot
  /// wait for data.
  bool waits = false;
  uint32_t guards = 0;      ///< requirements of the data; 0: none
  uint32_t action = noData; ///< what it does with the data
  GroupIndex group = noGroup;
  Origin origin;
  CollaborationStep info; ///< what it means; messages are not in it
};

/// An inclusive join. Pre(n, z) for each incoming place z, as in [fbpmn], over
/// the places of the net, so that it crosses borders of containers and sees
/// boundary and start events (the published one does not).
struct OrJoin {
  SmallVector<uint32_t, 4> incoming;
  std::vector<llvm::BitVector> before;
  /// The part of it whose own tokens can come to z. A boundary event that does
  /// not interrupt its activity makes a token: that of the activity stays, and
  /// still goes where the activity leads.
  std::vector<llvm::BitVector> movesTo;
};

/// A gateway that may take any of its flows. Where these are many, the sets of
/// two or more are one firing, and are made when a state needs them.
struct Split {
  std::string name;
  uint32_t always = 0; ///< the first places get a token in any case
  uint32_t flows = 0;  ///< how many others there are
  /// By flow: requirements of the data where it is taken, and where it is not;
  /// 0: none. Empty: of all.
  std::vector<uint32_t> whenTaken, whenLeft;
  /// Splits with more flows are not listed set by set.
  static constexpr size_t mostListed = 16;
  std::string tooManyText() const {
    return name + " may take any set of its " + std::to_string(flows) +
           " flows";
  }
};

struct TokenNet {
  uint32_t numPlaces = 0;
  std::vector<std::string> placeNames;
  std::vector<Origin> placeOrigins; ///< the flow that a place stands for
  std::vector<Arc> initial;
  std::vector<Firing> firings;
  std::vector<OrJoin> orJoins;
  std::vector<Split> splits;
  /// That stopped its construction: mostly none, else there are no firings.
  std::string limit;
  std::vector<std::vector<uint32_t>> sets; ///< of places
  /// Places whose tokens do not speak against termination: start permits, and
  /// marks of end events.
  llvm::BitVector idle;
  /// Marks (of end events, that a queue was used), which count up to maxMark
  /// and decide nothing.
  llvm::BitVector marks;
  uint32_t maxMark = 2;
  /// The limits of a run are looked at whenever so many firings were made, each
  /// of which takes so many steps. A small net is made without a look.
  static constexpr size_t firingsPerLook = 256, stepsPerFiring = 64;
  /// \name Of `fbpmn`
  /// @{
  std::vector<uint32_t> messagePlaces; ///< by message: what is in transit
  std::vector<std::vector<uint32_t>> soundEmpty; ///< by process: empty, and
  std::vector<std::vector<uint32_t>> soundEnds;  ///< at most one token each
  /// @}
  /// Whether steps say which flows they choose and which elements they start on
  /// their way: what the properties of collaborations ask for.
  bool tracksChoices = false;
  std::vector<CollaborationProcess> processes;
  std::vector<CollaborationFlow> flows;
  std::vector<CollaborationElement> elements;
  std::unique_ptr<DataStates> data; ///< null: no guard looks at data

  uint32_t addPlace(const Twine &name);
  uint32_t addSet(std::vector<uint32_t> places) {
    sets.push_back(std::move(places));
    return sets.size() - 1;
  }
  /// Lets \p firing give to any two or more of its places after the first
  /// \p always.
  Split &makeSplit(Firing &firing, std::string name, uint32_t always = 0);
  /// The firing once for each set of places that it gives to. Nothing: these
  /// are more than can be listed.
  std::vector<Firing> waysOf(const Firing &firing) const;
  /// Whether an inclusive join may fire in this marking.
  bool joins(const OrJoin &join, const uint32_t *marking) const;
};

/// What a node of a participant does, one alternative of several.
struct NodeAction {
  FiringKind kind = FiringKind::Internal;
  uint32_t message = noIndex;
  LabelIndex label = tauLabel;
  bool never = false; ///< nobody sends what it waits for
  MessageId id = {};  ///< as the node sees it
  /// Of a label that shows values: which they are.
  std::optional<ShownValues> shown = {};
};

/// Turns behaviours into a net. What nodes show is the semantics' business.
class TokenNetBuilder {
public:
  /// All that will be added are \p behaviours.
  /// \p countsEnds: end events of processes have marks. \p inDetail: start
  /// events have tokens, and activities start and complete. \p showsValues and
  /// \p pins are DataModel's. Where \p limits end it, the net says so and has
  /// no firings.
  TokenNetBuilder(const Module &of, ArrayRef<uint32_t> behaviours,
                  TokenNet &into, DiagnosticEngine &to, const Limits &limits,
                  bool countsEnds = false, bool inDetail = false,
                  bool showsValues = false, const PinnedData *pins = nullptr)
      : module(of), net(into), diags(to), budget(limits), marksEnds(countsEnds),
        isDetailed(inDetail), data(of, behaviours, showsValues, pins) {
    for (size_t i = 0; i < data.hiddenFields(); ++i)
      countAbstraction("values that are sent are not distinguished");
  }
  virtual ~TokenNetBuilder();

  /// Adds a behaviour; false: errors were reported.
  bool add(uint32_t behaviour);
  /// To be called after the last behaviour. \p unordered: messages in transit
  /// may overtake each other.
  void finish(bool unordered);
  /// What was left out of the model, a line for each kind.
  std::vector<std::string> abstractions() const;

protected:
  /// What the message part of a node does, in each possible way; nothing: an
  /// error was reported. For interactions, sends, receptions and message
  /// events.
  /// \p reply: the answer of a two-way interaction.
  virtual SmallVector<NodeAction, 2> communicate(uint32_t behaviour,
                                                 NodeId node, bool reply) = 0;
  /// Whether such a node has no place in this semantics.
  virtual bool isForeign(const Node &node) const = 0;
  /// Each process starts once, by one of its events; a choreography's start
  /// events all hold a token.
  virtual bool startsByOneEvent() const = 0;

  void countAbstraction(const Twine &what) { ++abstracted[what.str()]; }
  /// An action for each value that a message shows.
  SmallVector<NodeAction, 2> showValues(NodeAction action, uint32_t behaviour,
                                        NodeId n, bool reply,
                                        std::vector<Label> &labels);
  const Module &module;
  TokenNet &net;
  DiagnosticEngine &diags;
  Budget budget;

private:
  using Places = SmallVector<uint32_t, 4>;
  using Arcs = SmallVector<Arc, 2>;
  /// An activity or container that can be interrupted, or is a container.
  struct Border {
    SmallVector<NodeId, 2> events;
    uint32_t active = noIndex;       ///< marked while it runs
    SmallVector<uint32_t, 2> inside; ///< places that end with it, not nested
    SmallVector<std::pair<NodeId, uint32_t>, 2> armed; ///< fire once each
  };

  uint32_t addPlace(NodeId inScopeOf, const Twine &name);
  void findElements();
  void addProcess();
  bool isMade(const Flow &flow) const;
  bool isProcessLevel(const Node &node) const;
  void addMark(Firing &firing, NodeId n);
  Firing &fire(FiringKind kind, NodeId n, ArrayRef<Arc> pre,
               ArrayRef<Arc> post);
  /// The set of all places in a container (empty: in the behaviour), filled
  /// when all are known, with \p more. There may be many terminations in a
  /// scope: they share its set.
  uint32_t setOfScope(NodeId container, ArrayRef<uint32_t> more);
  bool report(NodeId n, diag::Kind kind);
  bool check(NodeId n);
  void findStarts();
  void addNode(NodeId n);
  void addStart(NodeId n);
  void addEnd(NodeId n);
  void addTermination(NodeId n);
  void addEvent(NodeId n);
  void addAll(NodeId n);
  void addActivity(NodeId n, bool communicates);
  void addContainer(NodeId n);
  uint32_t setOfWork(NodeId host);
  void addBoundary(NodeId n);
  void addThrow(NodeId n, NodeId by);
  /// \name TokenCompensation.cpp
  /// @{
  /// A handler that undoes an activity which has completed.
  struct Undoing {
    NodeId event, handler;          ///< the container
    uint32_t entry = noIndex;       ///< the place in it where it begins
    uint32_t record = noIndex;      ///< marked if there is something to undo
    uint32_t pending = noIndex;     ///< marked when it is to run
    SmallVector<uint32_t, 2> after; ///< handlers that run before, if they do
    SmallVector<NodeId, 4> around;  ///< containers that the activity is in
  };
  /// What an event runs.
  struct Undo {
    bool isKnown = false, waits = true;
    SmallVector<uint32_t, 2> all; ///< handlers
  };
  /// A way to find records: which are taken, are marked, are not.
  struct Finding {
    Arcs pre, kept;
    SmallVector<uint32_t, 4> empty, marked, runs;
  };
  void findUndoings();
  FlowId entryOf(NodeId handler) const;
  void addRecords(uint32_t number, StringRef id);
  /// A way to find what is interrupted: what runs in it and what does not,
  /// and what ends.
  struct Interruption {
    SmallVector<uint32_t, 2> running, idle;
    uint32_t clears = noIndex;
  };
  void record(Firing &firing, NodeId n);
  llvm::BitVector keptRecords(NodeId host) const;
  std::vector<Interruption> interruptions(NodeId host);
  void interrupt(Firing &firing, const Interruption &by);
  void forgetKept(Firing &firing, NodeId handler);
  std::vector<Finding> findings(NodeId n);
  void addUndo(NodeId n, NodeId by);
  void addUndoings();
  /// @}
  void addChoice(NodeId n, FiringKind kind);
  bool addEventChoice(NodeId n);
  bool repeatsTimer(const Node &node) const;
  void addSubset(NodeId n);
  void addCall(NodeId n);
  void addLink(NodeId n);
  uint32_t open(NodeId n, ArrayRef<Arc> starts);
  void fillIn(Firing &firing, NodeId n, const NodeAction &action, bool reply);
  void addGuards(Firing &firing, ArrayRef<uint32_t> required);
  /// A token that cannot leave \p n from here, as no guard is true.
  void addStay(NodeId n, uint32_t in, ArrayRef<uint32_t> required);
  Places incoming(NodeId n) const;
  bool endsUnseen(FlowId flow) const;
  Arcs outgoing(NodeId n) const;
  /// The ways in which a token leaves an activity: its unguarded flows, and any
  /// of the guarded ones.
  std::vector<Arcs> leave(NodeId n);
  static std::vector<Arcs> subsets(ArrayRef<Arc> always, ArrayRef<Arc> optional,
                                   ArrayRef<Arc> otherwise, bool noneIsFine,
                                   size_t mostListed);
  bool isTaken(FlowId flow) const;   ///< false: its guard is never true
  bool isGuarded(FlowId flow) const; ///< its guard is a free choice, or data
  /// The program of its guard; noData: none, or a free choice.
  uint32_t program(FlowId flow) const { return data.guard(unit, flow); }
  std::optional<int64_t> constant(ExprId expr) const;
  std::string nameOf(NodeId n) const;
  void findBefore(OrJoin &join, uint32_t behaviour, NodeId n,
                  ArrayRef<SmallVector<uint32_t, 4>> producers);
  void numberGuards(bool unordered);
  void listWays();

  const bool marksEnds, isDetailed;
  const Behaviour *graph = nullptr;
  std::vector<uint32_t> elementOf; ///< by node
  std::vector<uint32_t> markOf;    ///< by node: the place that counts its ends
  uint32_t permitPlace = noIndex;
  std::map<uint32_t, uint32_t> wideExits; ///< by node: where it decides
  std::unique_ptr<FlowIndex> flows;
  uint32_t unit = 0, firstPlace = 0;
  static constexpr size_t maxDepths = size_t(1) << 25;
  size_t depths = 0; ///< of all nodes, in scopes
  bool ok = true;
  std::vector<uint32_t> implicit; ///< by node: where it starts alone
  std::vector<Border> borders;    ///< by node
  Catchers catchers;
  std::vector<Undoing> undoings;
  std::vector<Undo> undoes; ///< by node
  /// By activity with a handler: which.
  std::map<uint32_t, SmallVector<uint32_t, 1>> recordsOf;
  std::vector<std::vector<uint32_t>> inner; ///< by container: places inside
  std::vector<Arcs> startsOf;               ///< by container
  SmallVector<std::pair<uint32_t, NodeId>, 8> unfilled; ///< sets of scopes
  std::map<uint32_t, uint32_t> scopeSets; ///< by container, without more
  std::map<std::string, unsigned> abstracted;
  DataModel data;
  std::map<Label, LabelIndex> shownLabels;
  /// Requirements of firings, until the data's sets are there.
  std::vector<std::pair<uint32_t, SmallVector<uint32_t, 4>>> required;
};

/// What else a system over a net is told.
struct TokenSystemOptions {
  SemanticsKind semantics = SemanticsKind::Collaboration;
  NetworkKind network = NetworkKind::Bag;
  TokenLimits limits;
  Limits runLimits; ///< of what is worked out before and beside exploration
  /// The messages of a collaboration; those of the network in its order, or
  /// one for each of messagePlaces.
  std::vector<CollaborationMessage> messages;
};

/// What commands are made of.
struct TokenCommandsSetup {
  const TokenNet &net;
  const class Deferral &deferral;
  const Network *network; ///< null: nothing travels
  const TokenSystemOptions &options;
  ArrayRef<CollaborationProcess> processes;
  ArrayRef<CollaborationMessage> messages;
  ArrayRef<Label> labels;
};
/// See System::commands.
std::unique_ptr<CommandModel> makeTokenCommands(const TokenCommandsSetup &setup,
                                                std::string &reason,
                                                Origin &at);

/// See CollaborationSystem::stepNet. Nothing: handshakes, or a bound on
/// messages.
std::optional<StepNet> makeStepNet(const TokenNet &net, const Network *network,
                                   NetworkKind kind, size_t numGroups);

/// See CollaborationSystem::petriNet. \p initial: the initial state.
std::optional<PetriNet> makePetriNet(const TokenCommandsSetup &setup,
                                     std::vector<uint32_t> initial,
                                     std::string &reason);

/// A System over a net, with or without a network behind the net's places.
std::unique_ptr<CollaborationSystem> makeTokenSystem(
    TokenNet net, std::unique_ptr<Network> network, std::vector<Label> labels,
    std::vector<std::string> abstractions, TokenSystemOptions options = {});

} // namespace cif

#endif
