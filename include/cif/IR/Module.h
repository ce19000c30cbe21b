//===- Module.h - The choreography intermediate format --------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The in-memory IR. A Module holds everything that can travel through a pipe:
/// participants, messages, behaviours (graphs of nodes and flows), explicit
/// LTSs, and facts that checks found. All of it lives in flat arrays; names are
/// interned; things refer to each other by typed index. The node kinds are
/// those of VerChor's meta-model [verchor, section III] and what processes
/// need.
///
/// Everything is public data: a pass reads and writes it directly, and the
/// verifier (cif/IR/Verifier.h) says what must hold between passes.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_IR_MODULE_H
#define CIF_IR_MODULE_H

#include "cif/IR/Fact.h"
#include "cif/IR/Lts.h"
#include "cif/Support/Ids.h"
#include "cif/Support/StringTable.h"

namespace cif {

using SourceId = Id<struct SourceTag>;
using ParticipantId = Id<struct ParticipantTag>;
using MessageId = Id<struct MessageTag>;
using BehaviourId = Id<struct BehaviourTag>;
using NodeId = Id<struct NodeTag>; ///< within its behaviour
using FlowId = Id<struct FlowTag>; ///< within its behaviour
using ExprId = Id<struct ExprTag>;
using SystemId = Id<struct SystemTag>;

/// Where something stands in its source; 16 bytes, one on every node and flow.
/// Module::place turns it into a Place.
struct Location {
  SourceId source;
  uint32_t line = 0, column = 0; ///< from 1; 0: unknown
  Name element;                  ///< the element's own id, as in BPMN

  bool operator==(const Location &) const = default;
};

struct Source {
  Name path;     ///< as the user gave it
  Name language; ///< the front end's name: "bpmn", "ioc", "cp", ...
  /// The SHA-256 of the text that was read, in hexadecimal; empty: not known.
  /// Lines of a file are shown only where it still has this one.
  Name sha256;
  bool operator==(const Source &) const = default;
};

struct Participant {
  Name name;
  Location loc;
  /// How many instances take part [BPMN 2.0, 9.3.1]; 1..1 unless it says so.
  uint32_t minimum = 1, maximum = 1;
  bool operator==(const Participant &) const = default;
};

/// Sorts of data: the built-in ones, then the module's enumerations.
struct Sort {
  uint32_t value = 0;
  static constexpr uint32_t firstEnum = 16;
  bool isEnum() const { return value >= firstEnum; }
  uint32_t enumIndex() const { return value - firstEnum; }
  bool operator==(const Sort &) const = default;
};
inline constexpr Sort unknownSort{0}, boolSort{1}, intSort{2}, stringSort{3};

struct Enumeration {
  Name name;
  std::vector<Name> literals;
  Location loc;
  bool operator==(const Enumeration &) const = default;
};

/// One field of a message's payload.
struct Field {
  Name name;
  Sort sort;
  bool operator==(const Field &) const = default;
};

/// A message: unique by name, sender and receiver. In a process-oriented system
/// an operation that any participant may answer has an empty partner.
struct Message {
  Name name;
  ParticipantId sender, receiver;
  std::vector<Field> fields;
  Location loc;
  bool operator==(const Message &) const = default;
};

enum class ExprOp : uint8_t {
  IntLiteral,    ///< value
  BoolLiteral,   ///< value 0 or 1
  StringLiteral, ///< name
  EnumLiteral,   ///< name, sort
  Variable,      ///< name, sort
  Opaque,        ///< name: a text that is kept and not understood
  Not,
  Negate,
  And,
  Or,
  Implies,
  Add,
  Subtract,
  Multiply,
  Divide,
  Modulo,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
};

/// An expression over data; operands come before it in Module::exprs.
struct Expr {
  ExprOp op = ExprOp::BoolLiteral;
  Sort sort;
  ExprId lhs, rhs; ///< lhs alone for unary operators
  int64_t value = 0;
  Name name;
  Location loc;
  bool operator==(const Expr &) const = default;
};

enum class NodeKind : uint8_t {
#define CIF_NODE_KIND(NAME, TEXT, TRAITS, DESCRIPTION) NAME,
#include "cif/IR/NodeKinds.def"
};
constexpr unsigned numNodeKinds = 0
#define CIF_NODE_KIND(NAME, TEXT, TRAITS, DESCRIPTION) +1
#include "cif/IR/NodeKinds.def"
    ;

/// What code asks of kinds; NodeKinds.def has them for each.
namespace NodeTraits {
enum : uint16_t {
  None = 0,
  Gateway = 1 << 0,      ///< only makes flows part or meet
  Decision = 1 << 1,     ///< a gateway that takes some branches, and not all
  Activity = 1 << 2,     ///< has a body or a step: can repeat, be interrupted
  Step = 1 << 3,         ///< an activity that is one step
  Event = 1 << 4,        ///< may have a trigger
  NeedsMessage = 1 << 5, ///< always exchanges one; events only by their trigger
  Out = 1 << 6,          ///< its message, if any, goes out
  In = 1 << 7,           ///< its message, if any, comes in
  GlobalOnly = 1 << 8,   ///< stands in choreographies only
  LocalOnly = 1 << 9,    ///< stands in a participant's own behaviour only
};
inline constexpr uint16_t of[] = {
#define CIF_NODE_KIND(NAME, TEXT, TRAITS, DESCRIPTION) TRAITS,
#include "cif/IR/NodeKinds.def"
};
} // namespace NodeTraits

/// Whether \p kind has one of \p traits.
constexpr bool hasTrait(NodeKind kind, unsigned traits) {
  return NodeTraits::of[static_cast<uint8_t>(kind)] & traits;
}
/// Whether a node only makes flows part or meet: a choice, a select, a join.
constexpr bool isGateway(NodeKind kind) {
  return hasTrait(kind, NodeTraits::Gateway);
}

/// What starts, ends or interrupts: of Initial, Final, Catch, Throw, Boundary.
enum class Trigger : uint8_t {
  None,
  Message,
  Timer,
  Signal,
  Error,
  Escalation,
  Conditional,
  Link,
  Compensation,
  Cancel,
  Multiple,
  /// Boundary only: interrupted by the first step of what follows (I [> J).
  Race,
};

/// Loop markers of activities and containers; `normalize` expands them.
enum class LoopKind : uint8_t {
  None,
  Standard,      ///< while condition (before, or after with loopTestAfter)
  MultiSequence, ///< several instances one after the other
  MultiParallel, ///< several instances at once
};

enum NodeFlags : uint16_t {
  NonInterrupting = 1 << 0, ///< Boundary, and Initial of an event sub-process
  LoopTestAfter = 1 << 1,   ///< the condition is tested after the body
  Transaction = 1 << 2,     ///< Container: a transaction sub-process
  EventTriggered = 1 << 3,  ///< Container: an event sub-process
  AdHoc = 1 << 4,           ///< Container: ad-hoc
  Instantiate = 1 << 5,     ///< Receive, EventChoice: starts the process
  ParallelMultiple = 1 << 6,
  BindsArguments =
      1 << 7, ///< arguments are variables that get their values here
};

struct Node {
  NodeKind kind = NodeKind::Task;
  Trigger trigger = Trigger::None;
  LoopKind loop = LoopKind::None;
  uint16_t flags = 0;
  NodeId parent;     ///< the container that it is in; empty: top level
  NodeId attachedTo; ///< Boundary: the activity or container
  Name name;         ///< for people
  MessageId message; ///< of an interaction, send, receive or message event
  MessageId reply;   ///< two-way interactions: the answer, which follows
  /// Task in a choreography: whose internal step; DominatedChoice: who decides;
  /// a choice with guards: who evaluates them, where the source says so.
  ParticipantId participant;
  ExprId condition; ///< of a loop, a conditional event, a timer (opaque)
  uint32_t loopMinimum = 0;
  uint32_t loopMaximum = 0;                     ///< 0: no maximum
  uint32_t firstArgument = 0, numArguments = 0; ///< in Behaviour::arguments
  Location loc;
  bool operator==(const Node &) const = default;
};

enum FlowFlags : uint8_t {
  DefaultFlow = 1 << 0, ///< taken when no other flow of its source is
};

struct Flow {
  NodeId source, target;
  ExprId guard; ///< empty: none
  uint8_t flags = 0;
  Name name;
  Location loc;
  bool operator==(const Flow &) const = default;
};

/// What a front end keeps of an element beyond what the IR has a place for: a
/// BPMN lane, a timer's definition, a sub-choreography's participants.
struct Attribute {
  NodeId node; ///< empty: of the behaviour itself
  Name key, value;
  bool operator==(const Attribute &) const = default;
};

enum class BehaviourKind : uint8_t { Choreography, Process, Controller };

/// A graph of nodes and flows: global (choreography), or a participant's own.
struct Behaviour {
  Name name;
  BehaviourKind kind = BehaviourKind::Choreography;
  ParticipantId owner; ///< of a process or controller
  Location loc;
  std::vector<Node> nodes;
  std::vector<Flow> flows;
  std::vector<ExprId> arguments;     ///< what nodes send, or bind on reception
  std::vector<Attribute> attributes; ///< sorted by node, then key

  const Node &node(NodeId id) const { return nodes[id.index()]; }
  Node &node(NodeId id) { return nodes[id.index()]; }
  const Flow &flow(FlowId id) const { return flows[id.index()]; }
  Flow &flow(FlowId id) { return flows[id.index()]; }
  bool operator==(const Behaviour &) const = default;
};

/// A message flow of a collaboration: from a node or a pool to another. Empty
/// node: the border of the participant's pool.
struct MessageFlow {
  MessageId message;
  BehaviourId sourceBehaviour, targetBehaviour;
  NodeId sourceNode, targetNode;
  Location loc;
  bool operator==(const MessageFlow &) const = default;
};

enum class SystemRole : uint8_t {
  Plain,        ///< no known role, e.g. another tool's AUT file
  Choreography, ///< global, labels p->q:m
  Peer,         ///< one participant's behaviour, labels q!m and p?m
  Composition,  ///< peers or processes under a network
  Controller,
};

/// An explicit LTS with its role.
struct SystemDecl {
  Name name;
  SystemRole role = SystemRole::Plain;
  ParticipantId owner; ///< of a peer or controller
  Location loc;
  Lts lts;
  /// Where each transition comes from; empty, or one for each.
  SharedArray<uint32_t> transitionLines;
  /// The same with the elements, while a check looks at a process as a peer;
  /// not stored.
  std::vector<Location> transitionPlaces;

  /// A peer, or a controller, which is a communicating automaton like it.
  bool acts() const {
    return role == SystemRole::Peer || role == SystemRole::Controller;
  }
};

class Module {
public:
  Name name; ///< of the whole, may be empty
  StringTable strings;
  std::vector<Source> sources;
  std::vector<Participant> participants;
  std::vector<Enumeration> enumerations;
  std::vector<Message> messages;
  std::vector<Expr> exprs;
  std::vector<Behaviour> behaviours;
  std::vector<MessageFlow> messageFlows;
  std::vector<SystemDecl> systems;
  std::vector<Fact> facts;
  /// What the reader or a transform left out of the source, or added to it, and
  /// what is no longer to be seen in the module: a text each. See
  /// Fact::abstractions.
  std::vector<std::string> abstractions;
  /// Adds those that are neither empty nor there already.
  void addAbstractions(ArrayRef<std::string> texts);

  /// Whether there is a behaviour of \p kind, or a system in \p role.
  bool has(BehaviourKind kind) const;
  bool has(SystemRole role) const;

  StringRef text(Name n) const { return strings.text(n); }
  Name intern(StringRef s) { return strings.intern(s); }

  const Participant &participant(ParticipantId id) const {
    return participants[id.index()];
  }
  const Message &message(MessageId id) const { return messages[id.index()]; }
  const Expr &expr(ExprId id) const { return exprs[id.index()]; }

  /// The participant of this name, made when there is none.
  ParticipantId getParticipant(Name n, Location loc = {});
  /// The participant of this name, or none.
  ParticipantId findParticipant(StringRef n) const;
  /// The message of this name, sender and receiver, made when there is none.
  MessageId getMessage(Name n, ParticipantId sender, ParticipantId receiver,
                       Location loc = {});
  SourceId getSource(StringRef path, StringRef language, StringRef sha256 = {});
  ExprId addExpr(Expr e) {
    exprs.push_back(e);
    return ExprId(exprs.size() - 1);
  }

  /// The name of a participant, or "" for none.
  StringRef participantName(ParticipantId id) const {
    return id ? text(participant(id).name) : StringRef();
  }
  /// `p -> q : m` for people, as in the sources.
  std::string exchangeText(MessageId id) const;
  Label label(LabelKind kind, MessageId id) const;

  /// The same place with its names as text, which outlives the module.
  Place place(const Location &loc) const;
  /// A hash of everything but facts and locations' files: what a fact was found
  /// on.
  uint64_t digest() const;

  Module() = default;
  Module(Module &&) = default;
  Module &operator=(Module &&) = default;
  /// A copy of everything; strings are copied too.
  Module clone() const;

  /// Whatever strings or LTSs are read in place keeps alive here.
  std::vector<std::shared_ptr<const void>> keepAlive;

private:
  /// Look-up tables over participants and messages. They are only ever ahead of
  /// or equal to the vectors that they index, and are rebuilt when behind.
  void indexParticipants() const;
  void indexMessages() const;
  mutable std::vector<uint32_t> participantSlots, messageSlots;
  mutable size_t participantsIndexed = 0, messagesIndexed = 0;
};

/// Whether a node sends, or receives, a message: an interaction does both, an
/// event only with the message trigger.
inline bool sendsMessage(const Node &node) {
  return hasTrait(node.kind, NodeTraits::Out) &&
         (hasTrait(node.kind, NodeTraits::NeedsMessage) ||
          node.trigger == Trigger::Message);
}
inline bool receivesMessage(const Node &node) {
  return hasTrait(node.kind, NodeTraits::In) &&
         (hasTrait(node.kind, NodeTraits::NeedsMessage) ||
          node.trigger == Trigger::Message);
}

/// The text of enumerators, as in the text form: "interaction", "timer", ...
StringRef nodeKindText(NodeKind kind);
StringRef triggerText(Trigger trigger);
StringRef loopKindText(LoopKind kind);
StringRef behaviourKindText(BehaviourKind kind);
StringRef systemRoleText(SystemRole role);

/// Incoming and outgoing flows of each node, in the flows' order.
class FlowIndex {
public:
  explicit FlowIndex(const Behaviour &behaviour);
  ArrayRef<FlowId> outgoing(NodeId node) const {
    return slice(outBegin, out, node);
  }
  ArrayRef<FlowId> incoming(NodeId node) const {
    return slice(inBegin, in, node);
  }

private:
  static ArrayRef<FlowId> slice(const std::vector<uint32_t> &begin,
                                const std::vector<FlowId> &flows, NodeId node) {
    return ArrayRef(flows).slice(begin[node.index()],
                                 begin[node.index() + 1] - begin[node.index()]);
  }
  std::vector<uint32_t> outBegin, inBegin;
  std::vector<FlowId> out, in;
};

} // namespace cif

#endif
