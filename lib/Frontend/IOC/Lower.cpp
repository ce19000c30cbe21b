//===- Lower.cpp - From IOC terms to behaviours ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One walk over the terms of each block, in the order of the text, that checks
/// names, sorts and recursion and makes the graph. cif/IR/Term.h finds the
/// terms again, so the shapes are regular:
///
///   behaviour      Initial -> body -> Final
///   I ; J          I's flow goes to J
///   1, 0           nothing (a flow); a Stuck node
///   I || J         AllSelect, the branches, AllJoin
///   I + J          EventChoice, the branches, SimpleJoin; the guard of a
///                  branch is on the branch's flow
///   [c] => I       elsewhere: a Choice with one flow, guarded, into I
///   while [c] {I}  SimpleJoin -> Choice; a guarded flow into I and back to
///                  the join; a default flow out
///   loop {I}       SimpleJoin -> EventChoice; a flow into I and back, and
///                  a flow out
///   rec X {I}      a Container named X: Initial -> I -> Final
///   X              a Call attached to that container
///   I [> J         a Container with Initial -> I -> Final; a Boundary (race)
///                  whose flow leads to J; both meet in a SimpleJoin
///   tau a          a Task of a
///
/// Flows leave a node in the order of the branches. Scope.h says where a
/// variable is bound.
///
//===----------------------------------------------------------------------===//

#include "Ast.h"
#include "Scope.h"
#include "cif/Support/Diagnostics/Text.h"
#include <set>

using namespace cif;
using namespace cif::ioc;

namespace {

/// A term whose children are being lowered.
struct Frame {
  uint32_t term;
  uint32_t child;     ///< the next one, or none
  NodeId split, join; ///< or the container and its boundary
  NodeId outerParent; ///< of Rec and Interrupt
  FlowId out;         ///< of loops
  uint32_t endsBegin = 0;
  uint32_t mark = 0, kept = 0;
  Scope::Parallel parallel{};
  uint32_t guardedBefore = 0, guardedAfter = 0;
  uint32_t outerRec = none; ///< of Rec: what its name meant before
  uint32_t index = 0;       ///< children done
};

class Lowering {
public:
  Lowering(const SourceBuffer &source, const Ast &ast, Module &module,
           DiagnosticEngine &diags, StringRef language)
      : source(source), ast(ast), module(module), diags(diags),
        sourceId(module.getSource(source.path(), language)),
        data(module, sourceId, diags) {}

  void addEnumerations();
  void lowerBlock(const Block &block);
  void checkPartners(ArrayRef<Block> roles);

private:
  Location location(uint32_t line, uint32_t column) const {
    return {sourceId, line, column, Name()};
  }
  Location location(const Term &term) const {
    return location(term.line, term.column);
  }
  Place place(uint32_t line, uint32_t column) const {
    return {source.path().str(), line, column, ""};
  }

  // Graph.
  NodeId addNode(NodeKind kind, Location loc);
  NodeId addStep(NodeKind kind, Location loc);
  FlowId addFlow(NodeId from, Location loc);
  void arrive(NodeId node) { behaviour->flow(current).target = node; }

  // Terms.
  void walk(uint32_t root);
  void enter(uint32_t index);
  void enterRec(const Term &term, Frame &frame);
  bool enterChild(Frame &frame);
  void leaveChild(Frame &frame);
  void leave(Frame &frame);
  void lowerAction(const Term &term);
  void lowerCall(const Term &term);
  void branch(Frame &frame, const Term &child);
  void stepTaken() { guarded = recDepth; }
  void enterOverlap() { ++overlapDepth; }
  void leaveOverlap();
  void decideLate(NodeId choice);

  // Data.
  ExprId lowerCondition(const Term &term);
  Sort variable(const RawExpr &raw);
  ExprId declare(const Argument &argument);
  void lowerArguments(const Term &term, NodeId node, MessageId message);

  const SourceBuffer &source;
  const Ast &ast;
  Module &module;
  DiagnosticEngine &diags;
  SourceId sourceId;
  DataLowering data;

  Behaviour *behaviour = nullptr;
  const Block *block = nullptr;
  ParticipantId self; ///< of a role
  FlowId current;     ///< the flow whose target is the next node
  NodeId parent;
  std::vector<Frame> stack;
  std::vector<FlowId> ends;
  Scope scope;

  struct OpenRec {
    NodeId container;
    uint32_t depth;
  };
  llvm::DenseMap<uint32_t, uint32_t> recs; ///< name to index in openRecs
  std::vector<OpenRec> openRecs;
  uint32_t recDepth = 0; ///< recursions around the place where we are
  uint32_t guarded = 0;  ///< so many of them, from outside, have taken a step

  /// What is read and bound in the `||` or `[>` that we are in, the outermost.
  struct Overlap {
    std::vector<std::pair<NodeId, std::vector<Name>>> conditions;
    std::set<Name> binds;
    bool calls = false; ///< which may bind anything
  };
  Overlap overlap;
  uint32_t overlapDepth = 0;
  std::vector<Name> asked; ///< the variables of the latest condition
};

} // namespace

//===----------------------------------------------------------------------===//
// Graph
//===----------------------------------------------------------------------===//

NodeId Lowering::addNode(NodeKind kind, Location loc) {
  Node node{.kind = kind, .parent = parent, .loc = loc};
  behaviour->nodes.push_back(node);
  return NodeId(behaviour->nodes.size() - 1);
}

FlowId Lowering::addFlow(NodeId from, Location loc) {
  Flow flow{.source = from, .loc = loc};
  behaviour->flows.push_back(flow);
  return FlowId(behaviour->flows.size() - 1);
}

/// A node with one way in and one way out.
NodeId Lowering::addStep(NodeKind kind, Location loc) {
  NodeId node = addNode(kind, loc);
  arrive(node);
  current = addFlow(node, loc);
  return node;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void Lowering::addEnumerations() {
  for (const EnumDecl &decl : ast.enums)
    data.addEnumeration(decl);
}

void Lowering::lowerBlock(const Block &b) {
  block = &b;
  Location loc = location(b.line, b.column);
  Behaviour result;
  result.name = b.name;
  result.kind = b.isRole ? BehaviourKind::Process : BehaviourKind::Choreography;
  result.loc = loc;
  self = {};
  if (b.isRole) {
    self = module.getParticipant(b.name, loc);
    result.owner = self;
    result.attributes.push_back({NodeId(), module.intern("system"), b.system});
  }
  behaviour = &result;
  parent = {};
  scope.clear();
  recs.clear();
  openRecs.clear();
  recDepth = guarded = 0;

  current = addFlow(addNode(NodeKind::Initial, loc), loc);
  walk(b.body);
  arrive(addNode(NodeKind::Final, loc));
  module.behaviours.push_back(std::move(result));
}

/// Warns of messages to or from somebody who has no role in the system.
void Lowering::checkPartners(ArrayRef<Block> roles) {
  llvm::DenseMap<uint32_t, bool> known;
  for (const Block &role : roles)
    known[role.name.index()] = true;
  size_t first = module.behaviours.size() - roles.size();
  for (size_t i = first; i < module.behaviours.size(); ++i)
    for (const Node &node : module.behaviours[i].nodes) {
      if (node.kind != NodeKind::Send && node.kind != NodeKind::Receive)
        continue;
      const Message &message = module.message(node.message);
      ParticipantId partner =
          node.kind == NodeKind::Send ? message.receiver : message.sender;
      if (!partner)
        continue;
      Name name = module.participant(partner).name;
      // Once each.
      if (known.try_emplace(name.index(), true).second)
        diags.report(module.place(node.loc), diag::unknown_role)
            << module.text(name) << module.text(roles[0].system);
    }
}

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

void Lowering::walk(uint32_t root) {
  stack.clear();
  ends.clear();
  enter(root);
  while (!stack.empty()) {
    if (diags.tooManyErrors())
      return;
    if (!enterChild(stack.back())) {
      // leave() may use the frame to the end, so it is popped afterwards.
      Frame frame = stack.back();
      stack.pop_back();
      leave(frame);
      if (!stack.empty())
        leaveChild(stack.back());
    }
  }
}

/// Goes to the next child of \p frame; false: there is none left. Children
/// without children are done at once.
bool Lowering::enterChild(Frame &frame) {
  if (frame.child == none)
    return false;
  uint32_t index = frame.child;
  const Term &child = ast.terms[index];
  frame.child = child.next;
  branch(frame, child);
  size_t depth = stack.size();
  const Term &parentTerm = ast.terms[frame.term];
  // The guard of a branch of `+` is on the branch's flow.
  if (parentTerm.kind == TermKind::Choice && child.kind == TermKind::Guard) {
    behaviour->flow(current).guard = lowerCondition(child);
    behaviour->flow(current).loc = location(child);
    enter(child.child);
  } else {
    enter(index);
  }
  if (stack.size() == depth)
    leaveChild(stack.back());
  return true;
}

/// Sets out for a child of \p frame.
void Lowering::branch(Frame &frame, const Term &child) {
  switch (ast.terms[frame.term].kind) {
  case TermKind::Parallel:
    scope.beginParallelBranch();
    guarded = frame.guardedBefore;
    current = addFlow(frame.split, location(child));
    behaviour->flow(current).name = child.label;
    break;
  case TermKind::Choice:
    guarded = frame.guardedBefore;
    current = addFlow(frame.split, location(child));
    behaviour->flow(current).name = child.label;
    break;
  case TermKind::Interrupt:
    guarded = frame.guardedBefore;
    if (frame.index == 0) { // into the container
      parent = frame.split;
      current =
          addFlow(addNode(NodeKind::Initial, location(child)), location(child));
    } else { // out of the boundary
      current = addFlow(frame.join, location(child));
    }
    break;
  default:
    break;
  }
}

/// A child of \p frame is done.
void Lowering::leaveChild(Frame &frame) {
  const Term &term = ast.terms[frame.term];
  bool first = frame.index++ == 0;
  switch (term.kind) {
  case TermKind::Parallel:
    scope.endParallelBranch(frame.parallel);
    frame.guardedAfter =
        first ? guarded : std::max(frame.guardedAfter, guarded);
    ends.push_back(current);
    break;
  case TermKind::Choice:
    scope.endBranch(frame.mark, frame.kept, first);
    frame.guardedAfter =
        first ? guarded : std::min(frame.guardedAfter, guarded);
    ends.push_back(current);
    break;
  case TermKind::Interrupt:
    scope.endBranch(frame.mark, frame.kept, first);
    frame.guardedAfter =
        first ? guarded : std::min(frame.guardedAfter, guarded);
    if (first) {
      arrive(addNode(NodeKind::Final, location(term)));
      parent = frame.outerParent;
      ends.push_back(addFlow(frame.split, location(term)));
      frame.join = addNode(NodeKind::Boundary, location(term));
      behaviour->node(frame.join).trigger = Trigger::Race;
      behaviour->node(frame.join).attachedTo = frame.split;
    } else {
      ends.push_back(current);
    }
    break;
  default:
    break;
  }
}

void Lowering::enterRec(const Term &term, Frame &frame) {
  Location loc = location(term);
  frame.split = addNode(NodeKind::Container, loc);
  behaviour->node(frame.split).name = term.first;
  arrive(frame.split);
  frame.outerParent = parent;
  parent = frame.split;
  current = addFlow(addNode(NodeKind::Initial, loc), loc);
  ++recDepth;
  auto [entry, isNew] = recs.try_emplace(term.first.index(), none);
  frame.outerRec = entry->second;
  entry->second = static_cast<uint32_t>(openRecs.size());
  openRecs.push_back({frame.split, recDepth});
}

void Lowering::enter(uint32_t index) {
  const Term &term = ast.terms[index];
  Location loc = location(term);
  Frame frame{.term = index, .child = term.child, .guardedBefore = guarded};
  switch (term.kind) {
  case TermKind::Done:
    return;
  case TermKind::Stuck:
    addStep(NodeKind::Stuck, loc);
    stepTaken(); // nothing behind it is ever reached
    return;
  case TermKind::Interaction:
  case TermKind::Send:
  case TermKind::Receive:
  case TermKind::Tau:
    lowerAction(term);
    return;
  case TermKind::Call:
    lowerCall(term);
    return;
  case TermKind::Sequence:
    break;
  case TermKind::Parallel:
    enterOverlap();
    frame.parallel = scope.beginParallel();
    frame.split = addNode(NodeKind::AllSelect, loc);
    arrive(frame.split);
    break;
  case TermKind::Choice:
    frame.split = addNode(NodeKind::EventChoice, loc);
    arrive(frame.split);
    frame.mark = static_cast<uint32_t>(scope.mark());
    frame.kept = static_cast<uint32_t>(scope.beginChoice());
    break;
  case TermKind::Interrupt:
    enterOverlap();
    frame.split = addNode(NodeKind::Container, loc);
    arrive(frame.split);
    frame.outerParent = parent;
    frame.mark = static_cast<uint32_t>(scope.mark());
    frame.kept = static_cast<uint32_t>(scope.beginChoice());
    break;
  case TermKind::Guard: {
    ExprId condition = lowerCondition(term);
    decideLate(addStep(NodeKind::Choice, loc));
    behaviour->flow(current).guard = condition;
    break;
  }
  case TermKind::While:
  case TermKind::Loop: {
    ExprId condition;
    if (term.kind == TermKind::While)
      condition = lowerCondition(term);
    frame.join = addStep(NodeKind::SimpleJoin, loc);
    frame.split = addNode(term.kind == TermKind::While ? NodeKind::Choice
                                                       : NodeKind::EventChoice,
                          loc);
    if (condition)
      decideLate(frame.split);
    arrive(frame.split);
    current = addFlow(frame.split, loc);
    behaviour->flow(current).guard = condition;
    behaviour->flow(current).name = term.label;
    frame.mark = static_cast<uint32_t>(scope.mark());
    break;
  }
  case TermKind::Rec:
    enterRec(term, frame);
    break;
  }
  frame.endsBegin = static_cast<uint32_t>(ends.size());
  stack.push_back(frame);
}

void Lowering::leave(Frame &frame) {
  const Term &term = ast.terms[frame.term];
  Location loc = location(term);
  auto joinEnds = [&](NodeKind kind) {
    NodeId join = addNode(kind, loc);
    for (size_t i = frame.endsBegin; i < ends.size(); ++i)
      behaviour->flow(ends[i]).target = join;
    ends.resize(frame.endsBegin);
    current = addFlow(join, loc);
  };
  switch (term.kind) {
  case TermKind::Parallel:
    leaveOverlap();
    scope.endParallel(frame.parallel);
    guarded = frame.guardedAfter;
    joinEnds(NodeKind::AllJoin);
    break;
  case TermKind::Choice:
  case TermKind::Interrupt:
    if (term.kind == TermKind::Interrupt)
      leaveOverlap();
    scope.endChoice(frame.kept);
    guarded = frame.guardedAfter;
    joinEnds(NodeKind::SimpleJoin);
    break;
  case TermKind::While:
  case TermKind::Loop:
    scope.undo(frame.mark);
    guarded = frame.guardedBefore;
    arrive(frame.join);
    current = addFlow(frame.split, loc);
    if (term.kind == TermKind::While)
      behaviour->flow(current).flags = DefaultFlow;
    break;
  case TermKind::Rec:
    arrive(addNode(NodeKind::Final, loc));
    parent = frame.outerParent;
    openRecs.pop_back();
    --recDepth;
    guarded = std::min(guarded, recDepth);
    if (frame.outerRec == none)
      recs.erase(term.first.index());
    else
      recs[term.first.index()] = frame.outerRec;
    current = addFlow(frame.split, loc);
    break;
  default:
    break;
  }
}

/// The condition that was read last is that of \p choice.
void Lowering::decideLate(NodeId choice) {
  if (overlapDepth)
    overlap.conditions.emplace_back(choice, asked);
}

/// A condition is tested by the first step behind it [symbolic, Fig. 2]. That
/// can be told from a silent decision only where its variables may get other
/// values in between: there the choice waits for that step.
void Lowering::leaveOverlap() {
  if (--overlapDepth)
    return;
  for (const auto &[choice, variables] : overlap.conditions)
    if (overlap.calls || llvm::any_of(variables, [&](Name name) {
          return overlap.binds.count(name);
        }))
      behaviour->node(choice).kind = NodeKind::EventChoice;
  overlap = Overlap();
}

void Lowering::lowerCall(const Term &term) {
  overlap.calls = overlapDepth;
  auto it = recs.find(term.first.index());
  if (it == recs.end()) {
    static const StringRef keywords[] = {"while", "loop", "rec", "tau"};
    SmallVector<StringRef> known(std::begin(keywords), std::end(keywords));
    for (auto &[name, index] : recs)
      known.push_back(module.text(Name(name)));
    llvm::sort(known);
    diags.report(place(term.line, term.column), diag::unknown_call)
            .guess(nearest(module.text(term.first), known))
        << module.text(term.first);
    return;
  }
  const OpenRec &rec = openRecs[it->second];
  if (guarded < rec.depth)
    diags.report(place(term.line, term.column), diag::unguarded_recursion)
            .note(module.place(behaviour->node(rec.container).loc),
                  "the recursion is here; put a step before the call")
        << module.text(term.first);
  NodeId call = addStep(NodeKind::Call, location(term));
  behaviour->node(call).name = term.first;
  behaviour->node(call).attachedTo = rec.container;
}

void Lowering::lowerAction(const Term &term) {
  Location loc = location(term);
  stepTaken();
  auto wrong = [&](const char *what, const char *note) {
    diags.report(place(term.line, term.column), diag::wrong_action).note(note)
        << what << (block->isRole ? "a role" : "a choreography");
  };
  if (term.kind == TermKind::Tau) {
    ParticipantId who = self;
    if (!term.first.empty())
      who = module.getParticipant(term.first, loc);
    if (block->isRole ? who != self : !who)
      return wrong("this step",
                   block->isRole
                       ? "a role takes its own steps only: write 'tau'"
                       : "say whose step it is: 'tau a'");
    NodeId node = addStep(NodeKind::Task, loc);
    behaviour->node(node).participant = who;
    behaviour->node(node).name = term.message;
    return;
  }
  if (block->isRole == (term.kind == TermKind::Interaction))
    return block->isRole
               ? wrong("an interaction", "write 'b!message' or 'a?message'")
               : wrong("a send or a receive", "write 'a -> b : message'");

  ParticipantId sender = self, receiver = self;
  NodeKind kind = NodeKind::Interaction;
  if (term.kind == TermKind::Interaction) {
    sender = module.getParticipant(term.first, loc);
    receiver = module.getParticipant(term.second, loc);
  } else {
    ParticipantId partner;
    if (!term.first.empty())
      partner = module.getParticipant(term.first, loc);
    bool sends = term.kind == TermKind::Send;
    kind = sends ? NodeKind::Send : NodeKind::Receive;
    (sends ? receiver : sender) = partner;
  }
  if (sender == receiver)
    diags.report(place(term.line, term.column), diag::self_message)
        << module.participantName(sender) << module.text(term.message);
  MessageId message = module.getMessage(term.message, sender, receiver, loc);
  NodeId node = addStep(kind, loc);
  behaviour->node(node).message = message;
  lowerArguments(term, node, message);
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

/// `variable : sort`; it is bound behind the action.
ExprId Lowering::declare(const Argument &argument) {
  Sort sort = data.sortOf(argument);
  Scope::Variable &known =
      scope.declare(argument.variable, sort, argument.line, argument.column);
  ExprId made = data.declare(argument, known.sort);
  if (known.sort != sort && sort != unknownSort)
    diags.report(place(argument.line, argument.column), diag::sort_mismatch)
            .note(place(known.line, known.column),
                  "the variable is declared here")
        << ("variable '" + module.text(argument.variable) + "'")
        << data.sortText(known.sort) << data.sortText(sort);
  return made;
}

void Lowering::lowerArguments(const Term &term, NodeId node,
                              MessageId message) {
  SmallVector<ExprId, 4> exprs;
  SmallVector<Name, 4> bound;
  bool binds = term.kind == TermKind::Receive && term.numArguments;
  auto arguments =
      ArrayRef(ast.arguments).slice(term.firstArgument, term.numArguments);
  for (const Argument &argument : arguments) {
    if (!argument.variable.empty()) {
      binds = true;
      exprs.push_back(declare(argument));
      bound.push_back(argument.variable);
      continue;
    }
    ExprId id = data.lower(ast.exprs, argument,
                           [&](const RawExpr &raw) { return variable(raw); });
    if (term.kind == TermKind::Receive &&
        module.expr(id).op != ExprOp::Variable)
      diags.report(place(argument.line, argument.column), diag::not_a_variable)
          .note("write a variable and its sort, 'x: int'");
    exprs.push_back(id);
    if (term.kind == TermKind::Receive && overlapDepth)
      overlap.binds.insert(module.expr(id).name);
  }
  if (overlapDepth)
    overlap.binds.insert(bound.begin(), bound.end());
  // Bound behind the action, not within its own payload.
  for (Name name : bound)
    scope.bind(name);
  Node &n = behaviour->node(node);
  n.firstArgument = static_cast<uint32_t>(behaviour->arguments.size());
  n.numArguments = static_cast<uint32_t>(exprs.size());
  if (exprs.empty())
    n.firstArgument = 0;
  if (binds)
    n.flags |= BindsArguments;
  behaviour->arguments.insert(behaviour->arguments.end(), exprs.begin(),
                              exprs.end());
  SmallVector<Field, 4> fields;
  data.fieldsOf(arguments, exprs, fields);
  data.checkFields(message, fields, term.line, term.column);
}

ExprId Lowering::lowerCondition(const Term &term) {
  asked.clear();
  if (!term.numArguments)
    return {};
  return data.lowerCondition(ast.exprs, ast.arguments[term.firstArgument],
                             [&](const RawExpr &raw) {
                               asked.push_back(raw.name);
                               return variable(raw);
                             });
}

Sort Lowering::variable(const RawExpr &raw) {
  Scope::Variable *known = scope.find(raw.name);
  if (known && scope.visible(*known))
    return known->sort;
  if (known) {
    diags.report(place(raw.line, raw.column), diag::unknown_variable)
            .note(place(known->line, known->column),
                  "declared here, but not on every path to its use")
        << module.text(raw.name);
    return unknownSort;
  }
  SmallVector<StringRef> names;
  scope.forEachVisible([&](Name name) { names.push_back(module.text(name)); });
  data.unknownVariable(raw, names);
  return unknownSort;
}

//===----------------------------------------------------------------------===//
// The front end
//===----------------------------------------------------------------------===//

bool cif::ioc::lower(const SourceBuffer &source, const Ast &ast, Module &module,
                     DiagnosticEngine &diags, StringRef select,
                     StringRef language) {
  unsigned before = diags.errors();
  Lowering lowering(source, ast, module, diags, language);
  lowering.addEnumerations();
  ArrayRef<Block> blocks = ast.blocks;
  bool found = select.empty();
  SmallVector<StringRef> known;
  while (!blocks.empty() && !diags.tooManyErrors()) {
    // The roles of one system stand together.
    const Block &first = blocks.front();
    size_t count = 1;
    if (first.isRole)
      while (count < blocks.size() && blocks[count].isRole &&
             blocks[count].system == first.system)
        ++count;
    StringRef name = module.text(first.isRole ? first.system : first.name);
    known.push_back(name);
    if (select.empty() || select == name) {
      found = true;
      for (const Block &block : blocks.take_front(count))
        lowering.lowerBlock(block);
      if (first.isRole && diags.errors() == before)
        lowering.checkPartners(blocks.take_front(count));
    }
    blocks = blocks.drop_front(count);
  }
  if (!found) {
    diags.report(source.place(0), diag::unknown_block)
            .guess(nearest(select, known))
        << select;
  }
  return diags.errors() == before;
}
