//===- Lowering.h - BPMN's elements to the IR -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lowering turns a Document's choreographies and processes into behaviours. A
/// body (a choreography, a process, or one that is called) is lowered at a
/// time: first the nodes of all its levels, then its flows, then what BPMN
/// leaves implicit: starts, ends, splits and merges. Calls put the called body
/// on a work list, so that no input makes it recurse.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_FRONTEND_BPMN_LOWERING_H
#define CIF_LIB_FRONTEND_BPMN_LOWERING_H

#include "Bpmn.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include <map>

namespace cif::bpmn {

/// How many nodes calls and copies may make.
constexpr uint64_t maxNodes = 4'000'000;
/// How many message flows processes that several participants have may make.
constexpr size_t maxSharedFlows = 100'000;
/// With how many casts a choreography may begin anew.
constexpr size_t maxRounds = 1000;
/// How many callers of a process are looked at.
constexpr size_t maxCallers = 100;

class Lowering {
public:
  Lowering(const SourceBuffer &source, const Document &doc, Module &module,
           DiagnosticEngine &diags, const FrontEndOptions &options);

  bool run();

  struct EventPart {
    Definition definition;
    ElementId definedBy; ///< none: BPMN does not want one
  };
  using EventParts = llvm::SmallVector<EventPart, 2>;

private:
  // Bpmn.cpp: what to lower.
  bool collect();
  bool selectOne();
  ElementId rootOf(ElementId element) const;
  void addCycles(const std::vector<bool> &isCalled);
  bool hasNodes(ElementId scope) const;
  bool checkCalls();
  bool lowerProcesses();
  std::string behaviourName(ElementId element);

  // Collaborations.cpp: participants and message flows.
  bool lowerParticipants();
  bool lowerMessageFlows();
  std::optional<Feature>
  cannotHave(ElementId node, bool outgoing,
             const llvm::DenseSet<uint32_t> &receiving) const;
  bool isForMessages(ElementId node, bool outgoing) const;
  void findCallers();
  void declareParticipants();
  void emitMessageFlows();
  ParticipantId participant(ElementId element);
  ParticipantId makeParticipant(Name name, ElementId element);
  /// The participant at the end of a message flow, and the node if it is one.
  struct FlowEnd {
    ParticipantId participant;
    ElementId node; ///< none: the pool's border
    bool resolved = false;
    /// Where several participants have the process: all of them.
    llvm::SmallVector<ParticipantId, 1> sharedBy = {};
    ArrayRef<ParticipantId> owners() const {
      return sharedBy.empty() ? ArrayRef(participant) : ArrayRef(sharedBy);
    }
  };
  FlowEnd flowEnd(ElementId flow, Attr which);
  /// The name of the message that \p element refers to itself, or empty.
  StringRef ownMessageName(ElementId element, bool outgoing);
  StringRef findOwnMessage(ElementId element, bool outgoing);
  /// The same of an event definition or activity.
  StringRef messageNameAt(ElementId element, bool outgoing);

  // Identity.cpp: what is one and what are two.
  struct FlowEnds {
    ElementId flow;
    FlowEnd source, target;
    MessageId message = {};
  };
  bool addFlowEnds(const FlowEnds &ends);
  void addMessage(FlowEnds &ends, StringRef text);
  bool readBorderFlows(std::vector<FlowEnds> &found);
  void separateParticipants();
  std::string participantText(ElementId element) const;
  std::string messageFlowName(const FlowEnds &ends, bool &derived);
  void nameMessageFlows();

  // Processes.cpp, Scopes.cpp: bodies, their levels and nodes.
  bool lowerBehaviour(ElementId root, BehaviourKind kind, ParticipantId owner,
                      StringRef name);
  /// In a called choreography, who plays whom: participant element -> id.
  using Cast = std::vector<std::pair<uint32_t, ParticipantId>>;
  struct Body {
    ElementId element;
    NodeId parent;
    Cast cast = {};
    /// The one start event that counts: only what follows it is lowered.
    ElementId start = {};
    bool isHandled = false;      ///< its event sub-processes stand elsewhere
    bool isCompensation = false; ///< a handler
    bool isRepeated = false;     ///< a handler that may run several times
  };
  /// The cast of the body that is being lowered.
  Cast castNow() const { return {cast.begin(), cast.end()}; }
  Cast castOf(ElementId call);
  bool lowerBody(const Body &body);
  bool lowerLevels(const Body &body);
  struct Scope {
    ElementId element;
    NodeId parent;
    /// The start event that stands outside: of an event sub-process, or of a
    /// part of a process.
    ElementId start = {};
    bool isPart = false, isHandled = false; ///< see Body
  };
  bool lowerScope(const Scope &scope);
  /// Nodes of the body that is being lowered that stand for what another start
  /// event leads to.
  llvm::DenseSet<uint32_t> unreached;
  /// Containers around what is in a scope but for its event sub-processes.
  struct Guards {
    llvm::SmallVector<NodeId, 2> all; ///< that start these; a part has one
    /// With a second one inside, where what interrupts ends more than that.
    llvm::SmallVector<std::pair<NodeId, NodeId>, 1> apart;
    NodeId main;          ///< where the nodes go
    bool inParts = false; ///< the nodes are bodies of their own
  };
  bool guardScope(const Scope &scope, ArrayRef<ElementId> starts,
                  Guards &guards);
  void lowerFlow(ElementId e, const Scope &scope, NodeId parent,
                 llvm::function_ref<bool(ElementId)> isLeftOut);
  void addCalled(Body body, ElementId call);
  bool meetHandler(ElementId element);
  bool lowerHandler(ElementId element, NodeId outside, const Guards &guards);
  bool makeHandlers(ElementId element, NodeId outside, ArrayRef<NodeId> guards,
                    bool interrupting, bool isCopied);
  llvm::DenseSet<uint32_t> reachedFrom(ElementId scope,
                                       ArrayRef<ElementId> starts) const;
  void startInside(ElementId event, NodeId parent);
  void addUnreached(ElementId e, NodeId parent);
  bool makeNode(ElementId element, NodeId parent);
  bool makeTask(ElementId element, NodeId parent);
  bool makeContainer(ElementId element, NodeId parent);
  bool makeActivity(ElementId element, Node node, NodeId parent);
  bool hasContent(ElementId scope) const;
  ElementId contentOf(ElementId activity) const;
  bool callsOtherPool(ElementId process);
  bool makeGateway(ElementId element, NodeId parent);
  NodeId addNode(Node node, ElementId element, NodeId parent);
  FlowId addFlow(NodeId from, NodeId to, Location loc);
  void readLoop(ElementId element, Node &node);

  // Compensation.cpp
  bool isCompensationEvent(ElementId event) const;
  bool isForCompensation(ElementId element) const;
  bool isHandler(ElementId element) const;
  bool isHandlerBoundary(ElementId event) const;
  bool startsCompensation(ElementId start) const;
  bool isCompensationScope(ElementId element) const;
  void findHandlersInFlow();
  bool findCompensation(ElementId root);
  bool meetCompensation(ElementId element, bool isKnown, bool isRepeated);
  bool makeCompensations(ElementId root, ArrayRef<NodeId> guards);
  bool isDoneOnce(ElementId element, ElementId root) const;
  bool isUndoneOnce(ElementId handler, ElementId start, ElementId root) const;
  bool lowerCompensation(const Body &body);
  ElementId undoneActivity(ElementId handler, ElementId start) const;
  bool isFollowed(ElementId handler, ElementId start, ElementId root) const;
  bool failsByError(ElementId scope) const;
  void findFollowed(ElementId root);
  void orderFollowed();
  llvm::SmallVector<ElementId, 4> undoneBy(ElementId event,
                                           ElementId definedBy) const;
  void addHandlersOf(llvm::SmallVector<ElementId, 8> activities,
                     llvm::SmallVector<ElementId, 4> &handlers) const;
  void addUndone(ElementId event, const EventPart &part, NodeId node);

  // TailCalls.cpp: choreographies that begin anew.
  struct CallOf {
    ElementId caller, call, called;
  };
  /// A body that calls lead to, once for each cast.
  struct Round {
    ElementId element;
    NodeId parent;
    std::map<uint32_t, ParticipantId> played;
    bool isFlat = false; ///< stands beside what calls it
    NodeId start = {}, entry = {};
  };
  void findTailCalls(std::vector<CallOf> calls);
  size_t roundOf(const Body &body, bool &isNew);
  void makeTailCall(ElementId call, ElementId called, NodeId parent);
  void closeRounds();
  llvm::DenseSet<uint32_t> tailCalls, loopingBodies;
  std::vector<Round> rounds; ///< of a behaviour, as the calls
  std::vector<std::pair<NodeId, size_t>> roundCalls;

  // Strays.cpp: elements that stand in the wrong process.
  void findStrays();
  bool leaveOutRepeated();
  bool lowerStrays(const Scope &scope, NodeId parent, bool inParts);

  // Events.cpp
  StringRef codeOf(const EventPart &part) const;
  void pairEvents();
  void pairLinks();
  bool eventParts(ElementId event, EventParts &parts);
  bool meetEvent(ElementId event, Position position, Definition definition);
  bool makeEvent(ElementId element, NodeId parent, Position position);
  bool makeMultipleEvent(ElementId element, NodeId parent, Position position,
                         EventParts parts);
  NodeId waitForOthers(ElementId element, NodeId node, size_t number,
                       const EventParts &parts);
  void addMessageFlows(ElementId element, bool isSource, NodeId node,
                       size_t number, size_t numMessages);
  NodeId makeEventNode(ElementId element, NodeId parent, Position position,
                       const EventPart &part, size_t number);
  Name linkName(ElementId event, ElementId definedBy) const;
  bool attachBoundaries();
  bool hasTrigger(ElementId event);
  bool takesMessages(ElementId event, bool outgoing, bool receives) const;
  bool dropPlaceholders(ElementId event, Position position, EventParts &parts);

  // Flows.cpp: sequence flows and lanes.
  bool checkFlowRefs();
  bool makeFlow(ElementId element);
  bool makeCrossingFlows(size_t firstNode, size_t firstFlow);
  void fillFlow(FlowId id, ElementId element, ElementId from);
  void makeLanes(ElementId laneSet);

  // Implicit.cpp: what BPMN leaves out.
  bool complete(size_t firstNode, size_t firstFlow, const Body &body);
  bool joinLinks();
  bool addStarts(size_t firstNode, size_t firstFlow, const Body &body);
  void addEnds(size_t firstNode, size_t firstFlow);
  void settleGateways(size_t firstNode, size_t firstFlow);
  void settleComplexGateways(size_t firstNode, size_t firstFlow);
  void settleAdHocs(size_t firstNode, size_t firstFlow);
  void letEnd(NodeId container, ArrayRef<size_t> out);
  void addSplitsAndMerges(size_t firstNode, size_t firstFlow);

  // Fields.cpp: what messages hold.
  bool readFields();
  bool readField(ElementId element, Field &field);
  Sort enumeration(StringRef name, std::vector<Name> literals, ElementId at);
  bool readDeclared(StringRef name, std::vector<Field> &fields);
  void addFields(const std::string &message, std::vector<Field> fields);
  ExprId namedCondition(ElementId flow, ElementId from);
  void tellNames();
  void giveFields();

  // Extensions.cpp: what cifc itself writes.
  /// \p gateway: what asks; empty: something that is not named after a field.
  ExprId condition(ElementId expression, ElementId gateway = {});
  ExprId exactly(ElementId element, Attr attribute);
  ParticipantId namedParticipant(ElementId element);
  void readExtensions(ElementId element, NodeId node);

  // Choreographies.cpp
  bool makeInteraction(ElementId element, NodeId parent);
  /// \name Parts of makeInteraction; false: an error was reported
  /// @{
  struct TaskParties;
  bool readParties(ElementId element, TaskParties &parties);
  bool findPartners(ElementId element, TaskParties &parties);
  bool findMessageFlows(ElementId element, TaskParties &parties);
  /// @}

  // Helpers.
  Location loc(ElementId e) {
    // What is written of an element beside it stands where that does.
    ElementId whole = doc.resolve(doc.attribute(e, Attr::element));
    const Element &element = doc[whole ? whole : e];
    return {sourceId, element.line, element.column, name(element.id)};
  }
  Place place(ElementId e) const {
    const Element &element = doc[e];
    return {source.path().str(), element.line, element.column,
            doc.text(element.id).str()};
  }
  /// A document's name as one of the module.
  Name name(Name documentName);
  /// The module's name of a text without needless white space.
  Name tidy(StringRef text) {
    return module.intern(isTidy(text) ? text : StringRef(tidyName(text)));
  }
  /// Its id, else what it is and where it stands: ids may be left out.
  std::string idOrPlace(ElementId e) const;
  std::string nameOrId(ElementId e) const;
  /// `task 'Pay'`.
  std::string describe(ElementId e) const;
  /// What helps where an end of a flow names nothing: the id that was meant.
  std::string danglingHint(ElementId flow);
  // Reports of what is wrong with an element; all return false.
  bool dangling(ElementId from, StringRef attribute, Name ref,
                StringRef expected);
  bool missing(ElementId from, StringRef attribute);
  bool misuse(ElementId element, Rule rule);

  const SourceBuffer &source;
  const Document &doc;
  Module &module;
  DiagnosticEngine &diags;
  const FrontEndOptions &options;
  Coverage coverage;
  unsigned hinted = 0; ///< ids that others were compared with
  SourceId sourceId;
  std::vector<Name> names; ///< document name -> module name

  /// What is to be lowered, in the file's order.
  std::vector<ElementId> choreographies, collaborations, processes;
  /// Elements that belong elsewhere, and by scope: those that belong there.
  llvm::DenseSet<uint32_t> strays;
  llvm::DenseMap<uint32_t, llvm::SmallVector<ElementId, 1>> straysOf;
  /// Events that throw to an event on an activity around them, and these.
  llvm::DenseSet<uint32_t> paired;
  /// By event that throws: the scope in which what it throws is handled.
  llvm::DenseMap<uint32_t, ElementId> caughtIn;
  /// By throwing link event: the catching ones that it may mean.
  llvm::DenseMap<uint32_t, llvm::SmallVector<ElementId, 1>> linkTargets;
  llvm::DenseSet<uint32_t> linkedByLabel; ///< throwing link events
  /// Activities for compensation that the normal flow leads to.
  llvm::DenseSet<uint32_t> handlersInFlow;
  llvm::DenseMap<uint32_t, bool> hasMessages; ///< by process, once asked for
  /// Participants that are not the other ones of their name.
  llvm::DenseSet<uint32_t> separate;
  llvm::DenseMap<uint32_t, ParticipantId> participants; ///< by element
  struct Pool {
    ElementId participant, process, collaboration;
    ParticipantId id;
  };
  std::vector<Pool> pools; ///< of the processes that have one
  /// By process: its pools in the first collaboration that has one.
  llvm::DenseMap<uint32_t, llvm::SmallVector<uint32_t, 1>> poolsOf;
  /// What is called, and by which call activity.
  std::vector<std::pair<ElementId, ElementId>> calls;
  /// Calls that lead back to a process or choreography that they are part of.
  llvm::DenseSet<uint32_t> recursiveCalls;
  /// The participants whose processes a called one is part of.
  llvm::DenseMap<uint32_t, llvm::SmallVector<ParticipantId, 1>> callersOf;
  llvm::SmallVector<ParticipantId, 1> ownersOf(ElementId process);
  llvm::DenseMap<uint64_t, StringRef> ownMessages; ///< by messageEnd
  /// Message flows at each node, in the file's order: node element -> flows.
  llvm::DenseMap<uint32_t, llvm::SmallVector<ElementId, 1>> sends, receives;
  /// By messageEnd of the message flow, and who sends or receives.
  llvm::DenseMap<std::pair<uint64_t, uint32_t>, MessageId> messageOf;
  /// None where a process that others call, too, has the flow to its caller
  /// itself: nothing is sent within one participant.
  MessageId messageAt(ElementId flow, bool sends) const {
    return messageOf.lookup({messageEnd(flow, sends), behaviour->owner.raw()});
  }
  std::vector<FlowEnds> flowEnds;

  FieldTable fieldTable;
  bool hasExactWords = false; ///< some expression was given as we write it
  llvm::StringMap<std::vector<Field>> fieldsOf; ///< by a message's name
  /// Names of messages that declare fields, names of flows that are conditions.
  std::vector<std::string> declaring, deciding;

  llvm::StringSet<> usedNames;                 ///< of behaviours
  llvm::StringMap<ElementId> participantNames; ///< made when asked for

  // Of the behaviour that is being lowered.
  Behaviour *behaviour = nullptr;
  BehaviourId behaviourId;
  /// By element: where flows into and out of its node go. A task that both
  /// receives and sends has two nodes.
  struct NodePair {
    NodeId entry, exit;
  };
  std::vector<NodePair> nodesOf;
  struct NodeRef {
    BehaviourId behaviour;
    NodeId node;
  };
  /// Where message flows end, by messageEnd of the flow, else of the element. A
  /// body that stands in several places has several.
  llvm::DenseMap<uint64_t, llvm::SmallVector<NodeRef, 1>> messageNodes;
  void addMessageNode(ElementId element, bool isSource, NodeId node);
  static uint64_t messageEnd(ElementId element, bool sends) {
    return uint64_t(element.index()) << 1 | sends;
  }
  std::vector<Body> bodies;  ///< work list
  std::vector<Scope> scopes; ///< work list of a body
  std::vector<ElementId> sequenceFlows, crossingFlows, laneSets;
  std::vector<std::pair<ElementId, NodeId>> boundaries;
  std::vector<NodeId> complexGateways, adHocs;
  llvm::DenseSet<uint32_t> keptKinds; ///< gateways that say what they are
  /// Handlers of the process, with their start event where they have one.
  std::vector<std::pair<ElementId, ElementId>> compensations;
  /// What they undo, and which of them run when compensation is thrown: with
  /// those of them that run before.
  llvm::DenseMap<uint32_t, llvm::SmallVector<ElementId, 1>> handlersOf;
  llvm::DenseMap<uint32_t, llvm::SmallVector<ElementId, 2>> followed;
  llvm::DenseSet<uint32_t> inAnyOrder; ///< handlers of what is on a cycle
  std::vector<ElementId> links;        ///< that throw
  std::vector<ElementId> madeNodes;    ///< what nodesOf has of this body
  llvm::DenseMap<uint32_t, ParticipantId> cast; ///< of the body, see Body
};

bool isFlowNode(ElementKind kind);
bool isActivity(ElementKind kind);
bool isEventDefinition(ElementKind kind);

} // namespace cif::bpmn

#endif
