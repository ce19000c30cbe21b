//===- Term.cpp - The term of a block-structured behaviour ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Finds the term of a graph. A depth-first search tells flows that go back
/// from those that go on, and Havlak's algorithm [havlak] tells which loop a
/// node is in (also that loops are entered at their header only). Then one walk
/// follows the flows in the order of the text, with a stack of the blocks that
/// are open:
///
/// - a split opens a block; its branches must all come to one join of the same
///   sort, which closes it. One join may close several blocks that end
///   together. A branch of a choice may also run to the end of the behaviour or
///   go back to the header of a loop, when what follows the other branches does
///   too;
/// - a join that flows go back to is the header of a loop. When a choice with
///   one way out follows at once, the loop is a While or a Loop; when
///   something stands in between (the test is at the end), it is the recursion
///   Rec { before ; (body ; Call + 1) };
/// - a container that is called is a Rec, one with a race on its border an
///   Interrupt, any other one just its content.
///
/// Input class: any behaviour that the verifier accepts. Sound: a term that is
/// found has the behaviour of the graph. Complete for what the IOC front end
/// makes (tested on generated terms) and for graphs with one exit per loop.
///
//===----------------------------------------------------------------------===//

#include "cif/IR/Term.h"

using namespace cif;

StringRef cif::termKindText(TermKind kind) {
  static const char *const texts[] = {
      "done",   "stuck", "action", "tau",  "call", "sequence", "parallel",
      "choice", "guard", "while",  "loop", "rec",  "interrupt"};
  return texts[static_cast<unsigned>(kind)];
}

int cif::termPrecedence(TermKind kind) {
  switch (kind) {
  case TermKind::Interrupt:
    return 0;
  case TermKind::Choice:
    return 1;
  case TermKind::Parallel:
    return 2;
  case TermKind::Guard:
    return 3;
  case TermKind::Sequence:
    return 4;
  default:
    return 5;
  }
}

namespace {

constexpr uint32_t none = 0xffffffffu;

/// Depth-first numbers and the nesting of loops, of everything that is
/// reachable from the initial node and within reachable containers.
class LoopForest {
public:
  LoopForest(const Behaviour &behaviour, const FlowIndex &flows);

  bool reached(NodeId n) const { return number[n.index()] != none; }
  bool isBack(FlowId f) const { return back[f.index()]; }
  /// How many flows come on (not back) to \p n.
  uint32_t forwardIn(NodeId n) const { return forward[n.index()]; }
  uint32_t backIn(NodeId n) const { return backs[n.index()]; }
  /// Whether \p n is in the loop that begins at \p header.
  bool inLoop(NodeId n, NodeId header) const {
    return n == header || headers[n.index()] == header.index();
  }
  /// The header of the innermost loop around \p n, or none.
  uint32_t header(NodeId n) const { return headers[n.index()]; }

  NodeId irreducible; ///< a header with a second way in, if there is one
  /// Boundary nodes of each node.
  std::vector<SmallVector<NodeId, 1>> boundaries;
  std::vector<SmallVector<NodeId, 1>> initials; ///< of each container
  SmallVector<NodeId, 1> topInitials;

private:
  void search(NodeId root);
  void findLoops();

  const Behaviour &b;
  const FlowIndex &flows;
  std::vector<uint32_t> number, last, order, headers, forward, backs;
  std::vector<bool> back;
};

enum class Block : uint8_t { Top, Split, Container, Loop, Guard };

/// Children in the making.
struct Siblings {
  TermId first, last;
  uint32_t count = 0;
};

/// How a sequence of nodes ends.
enum class End : uint8_t {
  Final, ///< at the end of the behaviour or container
  Join,  ///< at a join of a block around it
  Back,  ///< at the header of a loop around it
  Never, ///< not at all, or in a Call that was put in
};

struct Frame {
  Block block;
  TermKind kind = TermKind::Done; ///< of Split: Parallel, Choice, Interrupt
  NodeId node;
  FlowId flow;         ///< of Guard; of Loop: the guarded flow of a While
  uint32_t cursor = 0; ///< of Split and Loop: the next outgoing flow
  Siblings sequence;   ///< of the branch in the making
  Siblings joined;     ///< branches that came to the join
  Siblings ended;      ///< branches that never do
  NodeId join;
  uint32_t arrived = 0;
  bool tail = false; ///< of Split: nothing may come to a join any more
  bool sawFinal = false;
  uint32_t loop = none; ///< the frame of the loop that Calls may go to
  // Of Loop:
  NodeId split; ///< the choice with the way out, once it was met
  FlowId exit;
  Siblings before; ///< between the header and that choice
  bool asRec = false;
};

class Recovery {
public:
  Recovery(const Behaviour &behaviour)
      : b(behaviour), flows(behaviour), loops(behaviour, flows) {}

  bool run();
  Term term;
  TermBreak broken;

private:
  bool fail(NodeId node, const Twine &reason) {
    broken = {node, reason.str()};
    return false;
  }

  TermId add(const TermNode &node) {
    term.nodes.push_back(node);
    return term.root();
  }
  void append(Siblings &to, TermId id);
  void append(TermId id) { append(stack.back().sequence, id); }
  TermId reduceSequence();
  TermId reduce(Siblings &siblings, TermKind kind, NodeId node, bool deferred);

  bool step();
  bool openContainer(NodeId n);
  bool openSplit(NodeId n, ArrayRef<FlowId> out);
  bool openLoop(NodeId header);
  bool meetExit(NodeId n, ArrayRef<FlowId> out);
  bool start(NodeId initial);
  bool follow(NodeId n);
  bool follow(FlowId f, bool withGuard);
  bool nextBody();
  bool ends(End end, NodeId at, uint32_t weight = 0) {
    ending = {end, at, weight};
    return pending = true;
  }
  bool takeEnd();
  bool endBranch(End end, NodeId at, uint32_t weight);
  bool closeSplit();
  bool pass(NodeId join);
  bool closeContainer();
  void closeGuards();
  void appendCall(NodeId header);
  bool push(Frame frame);
  bool isDeferred(NodeId n) const {
    return b.node(n).kind == NodeKind::EventChoice;
  }

  const Behaviour &b;
  FlowIndex flows;
  LoopForest loops;
  std::vector<Frame> stack;
  FlowId current; ///< the flow that we are on
  /// The sequence that we are in has come to an end.
  struct {
    End end;
    NodeId at;
    uint32_t weight; ///< of Join: how many of its incoming flows
  } ending{};
  bool pending = false;
  bool done = false;
  std::vector<bool> called; ///< containers
};

} // namespace

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LoopForest::LoopForest(const Behaviour &behaviour, const FlowIndex &index)
    : b(behaviour), flows(index) {
  size_t nodes = b.nodes.size();
  number.assign(nodes, none);
  last.assign(nodes, none);
  headers.assign(nodes, none);
  forward.assign(nodes, 0);
  backs.assign(nodes, 0);
  back.assign(b.flows.size(), false);
  boundaries.resize(nodes);
  initials.resize(nodes);
  for (size_t i = 0; i < nodes; ++i) {
    const Node &n = b.nodes[i];
    if (n.kind == NodeKind::Boundary && n.attachedTo)
      boundaries[n.attachedTo.index()].push_back(NodeId(i));
    if (n.kind == NodeKind::Initial)
      (n.parent ? initials[n.parent.index()] : topInitials)
          .push_back(NodeId(i));
  }
  for (NodeId root : topInitials)
    search(root);
  // Containers that were reached; their content reaches further ones.
  for (size_t i = 0; i < order.size(); ++i)
    for (NodeId root : initials[order[i]])
      search(root);
  findLoops();
}

void LoopForest::search(NodeId root) {
  if (reached(root))
    return;
  struct Visit {
    NodeId node;
    uint32_t next;
  };
  std::vector<Visit> path;
  auto visit = [&](NodeId n) {
    number[n.index()] = static_cast<uint32_t>(order.size());
    order.push_back(n.index());
    path.push_back({n, 0});
  };
  visit(root);
  while (!path.empty()) {
    NodeId n = path.back().node;
    uint32_t next = path.back().next++;
    ArrayRef<FlowId> out = flows.outgoing(n);
    ArrayRef<NodeId> attached = boundaries[n.index()];
    if (next >= out.size() + attached.size()) {
      last[n.index()] = static_cast<uint32_t>(order.size() - 1);
      path.pop_back();
      continue;
    }
    NodeId target = next < out.size() ? b.flow(out[next]).target
                                      : attached[next - out.size()];
    if (!reached(target)) {
      ++forward[target.index()];
      visit(target);
    } else if (next < out.size() && last[target.index()] == none) {
      back[out[next].index()] = true; // the target is on the path
      ++backs[target.index()];
    } else {
      ++forward[target.index()];
    }
  }
}

/// Havlak's loop nesting, innermost loops first: each loop that was found is
/// one node, its header, for the loops around it.
void LoopForest::findLoops() {
  size_t nodes = b.nodes.size();
  std::vector<uint32_t> parent(nodes);
  for (size_t i = 0; i < nodes; ++i)
    parent[i] = static_cast<uint32_t>(i);
  auto find = [&](uint32_t x) {
    while (parent[x] != x)
      x = parent[x] = parent[parent[x]];
    return x;
  };
  std::vector<uint32_t> mark(nodes, none), body;
  for (size_t i = order.size(); i-- > 0;) {
    uint32_t header = order[i];
    if (!backs[header])
      continue;
    body.clear();
    auto put = [&](uint32_t x) {
      if (x != header && mark[x] != header) {
        mark[x] = header;
        body.push_back(x);
      }
    };
    for (FlowId f : flows.incoming(NodeId(header)))
      if (isBack(f))
        put(find(b.flow(f).source.index()));
    for (size_t next = 0; next < body.size(); ++next) {
      uint32_t x = body[next];
      auto from = [&](uint32_t source) {
        if (number[source] == none)
          return;
        source = find(source);
        // A way into the loop past its header.
        if (number[source] < number[header] || number[source] > last[header])
          irreducible = NodeId(header);
        else
          put(source);
      };
      for (FlowId f : flows.incoming(NodeId(x)))
        if (!isBack(f))
          from(b.flow(f).source.index());
      if (b.nodes[x].kind == NodeKind::Boundary && b.nodes[x].attachedTo)
        from(b.nodes[x].attachedTo.index());
    }
    for (uint32_t x : body) {
      headers[x] = header;
      parent[x] = header;
    }
  }
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

void Recovery::append(Siblings &to, TermId id) {
  if (to.count)
    term.nodes[to.last.index()].nextSibling = id;
  else
    to.first = id;
  to.last = id;
  ++to.count;
}

TermId Recovery::reduce(Siblings &siblings, TermKind kind, NodeId node,
                        bool deferred) {
  Siblings all = siblings;
  siblings = {};
  if (all.count == 1)
    return all.first;
  TermNode result{.kind = all.count ? kind : TermKind::Done,
                  .deferred = all.count && deferred,
                  .node = all.count ? node : NodeId(),
                  .firstChild = all.first,
                  .numChildren = all.count};
  return add(result);
}

/// The branch in the making of the innermost block.
TermId Recovery::reduceSequence() {
  return reduce(stack.back().sequence, TermKind::Sequence, NodeId(), false);
}

bool Recovery::run() {
  if (loops.topInitials.size() != 1)
    return fail(loops.topInitials.size() < 2 ? NodeId() : loops.topInitials[1],
                "it has " + Twine(loops.topInitials.size()) +
                    " initial nodes, not one");
  if (loops.irreducible)
    return fail(loops.irreducible, "the loop has a second entry");
  for (size_t i = 0; i < b.nodes.size(); ++i)
    if (b.nodes[i].flags & EventTriggered)
      return fail(NodeId(i), "an event-triggered container has no term");
  called.assign(b.nodes.size(), false);
  for (const Node &node : b.nodes)
    if (node.kind == NodeKind::Call && node.attachedTo)
      called[node.attachedTo.index()] = true;
  stack.push_back({Block::Top});
  if (!start(loops.topInitials[0]))
    return false;
  while (!done)
    if (!(pending ? takeEnd() : step()))
      return false;

  // Calls stand before the recursion that they call.
  std::vector<TermId> recs(b.nodes.size());
  for (size_t i = 0; i < term.nodes.size(); ++i)
    if (term.nodes[i].kind == TermKind::Rec)
      recs[term.nodes[i].node.index()] = TermId(i);
  for (TermNode &node : term.nodes)
    if (node.kind == TermKind::Call) {
      const Node &call = b.node(node.node);
      NodeId target = call.kind == NodeKind::Call ? call.attachedTo : node.node;
      node.target = recs[target.index()];
      if (!node.target)
        return fail(node.node, "the call is not inside what it calls");
    }
  return true;
}

/// Sets out from an initial node, which may receive a message.
bool Recovery::start(NodeId initial) {
  if (b.node(initial).message) {
    TermNode leaf{.kind = TermKind::Action, .node = initial};
    append(add(leaf));
  }
  return follow(initial);
}

/// Goes on behind a node with one way out; one without any ends there.
bool Recovery::follow(NodeId n) {
  ArrayRef<FlowId> out = flows.outgoing(n);
  if (out.empty())
    return ends(End::Final, n);
  if (out.size() > 1)
    return fail(n, "it has several outgoing flows but is not a split");
  current = out[0];
  return true;
}

/// Sets out on a flow, behind its guard if it has one.
bool Recovery::follow(FlowId f, bool withGuard) {
  const Flow &flow = b.flow(f);
  if (withGuard && (flow.guard || flow.flags & DefaultFlow)) {
    Frame frame{Block::Guard};
    frame.node = flow.source;
    frame.flow = f;
    push(frame);
  }
  current = f;
  return true;
}

bool Recovery::step() {
  NodeId n = b.flow(current).target;
  const Node &node = b.node(n);
  if (loops.isBack(current))
    return ends(End::Back, n);
  ArrayRef<FlowId> out = flows.outgoing(n);
  bool isJoin =
      node.kind == NodeKind::SimpleJoin || node.kind == NodeKind::AllJoin;
  if (!isJoin && node.kind != NodeKind::Final &&
      (loops.forwardIn(n) > 1 || loops.backIn(n)))
    return fail(n, "it has several incoming flows but is not a join");
  if (node.loop != LoopKind::None)
    return fail(n, "it has a loop marker");
  if (node.kind != NodeKind::Container && !loops.boundaries[n.index()].empty())
    return fail(loops.boundaries[n.index()][0], "a boundary event has no term");

  TermNode leaf{.node = n};
  switch (node.kind) {
  case NodeKind::Interaction:
  case NodeKind::Send:
  case NodeKind::Receive:
    if (node.reply)
      return fail(n, "it is a two-way interaction");
    leaf.kind = TermKind::Action;
    break;
  case NodeKind::Task:
    leaf.kind = TermKind::Tau;
    break;
  case NodeKind::Catch:
  case NodeKind::Throw:
    leaf.kind = node.message ? TermKind::Action : TermKind::Tau;
    break;
  case NodeKind::Stuck:
    leaf.kind = TermKind::Stuck;
    break;
  case NodeKind::Call:
    leaf.kind = TermKind::Call;
    break;
  case NodeKind::Final:
    if (node.message) {
      leaf.kind = TermKind::Action;
      append(add(leaf));
    }
    return ends(End::Final, n);
  case NodeKind::Choice:
  case NodeKind::DominatedChoice:
  case NodeKind::EventChoice:
  case NodeKind::AllSelect:
    if (out.size() < 2) {
      if (out.empty())
        return follow(n);
      return follow(out[0], node.kind != NodeKind::AllSelect);
    }
    return openSplit(n, out);
  case NodeKind::SimpleJoin:
  case NodeKind::AllJoin:
    if (loops.forwardIn(n) > 1)
      return ends(End::Join, n, 1);
    return loops.backIn(n) ? openLoop(n) : follow(n);
  case NodeKind::Container:
    return openContainer(n);
  case NodeKind::Initial:
  case NodeKind::Boundary:
  case NodeKind::SubsetSelect:
  case NodeKind::SubsetJoin:
  case NodeKind::Terminate:
    return fail(n, "'" + nodeKindText(node.kind) + "' has no term");
  }
  append(add(leaf));
  return follow(n);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

static TermNode around(TermKind kind, NodeId node, TermId child) {
  return {.kind = kind, .node = node, .firstChild = child, .numChildren = 1};
}

/// A guard takes the rest of the sequence that it stands in.
void Recovery::closeGuards() {
  while (stack.back().block == Block::Guard) {
    TermNode guard =
        around(TermKind::Guard, stack.back().node, reduceSequence());
    guard.flow = stack.back().flow;
    stack.pop_back();
    append(add(guard));
  }
}

bool Recovery::push(Frame frame) {
  // Calls may be put in where nothing but choices is between them and the loop.
  frame.loop = frame.block == Block::Loop ? static_cast<uint32_t>(stack.size())
               : frame.block == Block::Guard || (frame.block == Block::Split &&
                                                 frame.kind == TermKind::Choice)
                   ? stack.back().loop
                   : none;
  stack.push_back(frame);
  return true;
}

/// The sequence that we are in has come to an end: takes that to the block
/// around it, which may end in turn (then `pending` is set again).
bool Recovery::takeEnd() {
  pending = false;
  closeGuards();
  End end = ending.end;
  NodeId at = ending.at;
  switch (stack.back().block) {
  case Block::Top:
    if (end == End::Join || end == End::Back)
      return fail(at, "nothing opened the block that this join closes");
    reduceSequence();
    done = true;
    return true;
  case Block::Container:
    if (end == End::Join || end == End::Back)
      return fail(at, "nothing opened the block that this join closes");
    return closeContainer();
  case Block::Split:
    return endBranch(end, at, ending.weight);
  case Block::Loop: {
    bool home = end == End::Back && at == stack.back().node;
    if (!home && end != End::Never)
      return fail(at, "the loop is left in the middle");
    if (home && (stack.back().asRec || !stack.back().split))
      appendCall(at);
    if (!stack.back().split) { // no choice leads out: an endless loop
      TermNode rec = around(TermKind::Rec, stack.back().node, reduceSequence());
      stack.pop_back();
      append(add(rec));
      return ends(End::Never, at);
    }
    TermId body = reduceSequence();
    append(stack.back().joined, body);
    return nextBody();
  }
  case Block::Guard:
    break;
  }
  llvm_unreachable("guards were closed");
}

void Recovery::appendCall(NodeId header) {
  TermNode call{.kind = TermKind::Call, .node = header};
  append(add(call));
}

//===----------------------------------------------------------------------===//
// Splits
//===----------------------------------------------------------------------===//

bool Recovery::openSplit(NodeId n, ArrayRef<FlowId> out) {
  // Does it lead out of the loop that it is in?
  uint32_t header = loops.header(n);
  if (header != none)
    for (FlowId f : out)
      if (!loops.inLoop(b.flow(f).target, NodeId(header)))
        return meetExit(n, out);
  Frame frame{Block::Split};
  frame.kind = b.node(n).kind == NodeKind::AllSelect ? TermKind::Parallel
                                                     : TermKind::Choice;
  frame.node = n;
  frame.cursor = 1;
  push(frame);
  return follow(out[0], frame.kind == TermKind::Choice);
}

/// A branch of the innermost block, a split, has come to an end.
bool Recovery::endBranch(End end, NodeId at, uint32_t weight) {
  Frame &frame = stack.back();
  bool interrupt = frame.kind == TermKind::Interrupt;
  if (end == End::Join) {
    bool all = b.node(at).kind == NodeKind::AllJoin;
    if (frame.tail)
      return fail(at, "one branch leads here, another to the end");
    if (all != (frame.kind == TermKind::Parallel))
      return fail(at, "the join is of a different kind than the split");
    if (frame.join && frame.join != at)
      return fail(at, "the branches lead to different joins");
    frame.join = at;
    frame.arrived += weight;
  } else if (end == End::Back) {
    if (frame.loop == none || stack[frame.loop].node != at ||
        (stack[frame.loop].split && !stack[frame.loop].asRec))
      return fail(at, "a branch goes back to a loop around its block");
    appendCall(at);
  }
  frame.sawFinal |= end == End::Final;
  if (interrupt && frame.cursor == 0 && frame.sequence.count != 1)
    return fail(at, "what is interrupted continues after its container");

  TermId branch = reduceSequence();
  append(end == End::Join ? frame.joined : frame.ended, branch);
  if (interrupt) {
    if (frame.joined.count && frame.ended.count)
      return fail(at, "one branch leads to a join, another to the end");
    if (frame.cursor++ == 0)
      return follow(loops.boundaries[frame.node.index()][0]);
    return closeSplit();
  }
  ArrayRef<FlowId> out = flows.outgoing(frame.node);
  if (frame.cursor < out.size())
    return follow(out[frame.cursor++], frame.kind == TermKind::Choice);
  return closeSplit();
}

/// All branches of the innermost block, a split, have come to an end.
bool Recovery::closeSplit() {
  Frame &frame = stack.back();
  NodeId join = frame.join;
  bool complete = join && frame.arrived == loops.forwardIn(join);
  bool deferred = frame.kind == TermKind::Choice && isDeferred(frame.node);
  if (frame.joined.count && frame.ended.count) {
    // What follows the join belongs to the branches that came there.
    if (frame.kind == TermKind::Parallel || !complete)
      return fail(join, "one branch leads here, another to the end");
    TermId both = reduce(frame.joined, frame.kind, frame.node, deferred);
    append(frame.sequence, both);
    frame.tail = true;
    frame.join = {};
    frame.arrived = 0;
    return pass(join);
  }
  bool joins = frame.joined.count != 0;
  End end = joins ? End::Join : frame.sawFinal ? End::Final : End::Never;
  uint32_t arrived = frame.arrived;
  NodeId split = frame.node;
  TermId whole =
      reduce(joins ? frame.joined : frame.ended, frame.kind, split, deferred);
  stack.pop_back();
  append(whole);
  if (!joins)
    return ends(end, split);
  return complete ? pass(join) : ends(End::Join, join, arrived);
}

/// Goes on behind a join that has closed its block.
bool Recovery::pass(NodeId join) {
  return loops.backIn(join) ? openLoop(join) : follow(join);
}

//===----------------------------------------------------------------------===//
// Containers
//===----------------------------------------------------------------------===//

bool Recovery::openContainer(NodeId n) {
  const Node &node = b.node(n);
  ArrayRef<NodeId> attached = loops.boundaries[n.index()];
  if (node.flags & (AdHoc | Transaction))
    return fail(n, "an ad-hoc or transaction container has no term");
  if (loops.initials[n.index()].size() != 1)
    return fail(n, "the container has " +
                       Twine(loops.initials[n.index()].size()) +
                       " initial nodes, not one");
  if (!attached.empty()) {
    if (attached.size() > 1 || b.node(attached[0]).trigger != Trigger::Race ||
        called[n.index()])
      return fail(attached[0], "a boundary event has no term");
    Frame frame{Block::Split};
    frame.kind = TermKind::Interrupt;
    frame.node = n;
    push(frame);
  }
  Frame frame{Block::Container};
  frame.node = n;
  push(frame);
  return start(loops.initials[n.index()][0]);
}

bool Recovery::closeContainer() {
  NodeId n = stack.back().node;
  if (called[n.index()]) {
    TermNode rec = around(TermKind::Rec, n, reduceSequence());
    stack.pop_back();
    append(add(rec));
  } else if (!loops.boundaries[n.index()].empty()) {
    TermId content = reduceSequence();
    stack.pop_back();
    append(content);
  } else { // just its content
    Siblings content = stack.back().sequence;
    stack.pop_back();
    Siblings &outer = stack.back().sequence;
    if (content.count) {
      if (outer.count)
        term.nodes[outer.last.index()].nextSibling = content.first;
      else
        outer.first = content.first;
      outer.last = content.last;
      outer.count += content.count;
    }
  }
  return follow(n);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

bool Recovery::openLoop(NodeId header) {
  if (b.node(header).kind != NodeKind::SimpleJoin)
    return fail(header, "an all-join cannot begin a loop");
  Frame frame{Block::Loop};
  frame.node = header;
  push(frame);
  return follow(header);
}

/// A choice that leads out of the loop around it.
bool Recovery::meetExit(NodeId n, ArrayRef<FlowId> out) {
  Frame &frame = stack.back();
  if (frame.block != Block::Loop || frame.node.index() != loops.header(n) ||
      frame.split)
    return fail(n, "the loop is left in the middle");
  if (b.node(n).kind == NodeKind::AllSelect)
    return fail(n, "a parallel branch leaves the loop");
  FlowId body;
  uint32_t bodies = 0;
  bool plain = true;
  for (FlowId f : out) {
    const Flow &flow = b.flow(f);
    plain &= !flow.guard && !(flow.flags & DefaultFlow);
    if (loops.inLoop(flow.target, frame.node)) {
      body = f;
      ++bodies;
    } else if (frame.exit) {
      return fail(n, "the loop has several exits");
    } else {
      frame.exit = f;
    }
  }
  const Flow &exit = b.flow(frame.exit);
  bool isWhile = bodies == 1 && b.flow(body).guard &&
                 b.node(n).kind != NodeKind::DominatedChoice &&
                 !(b.flow(body).flags & DefaultFlow) && !exit.guard &&
                 exit.flags & DefaultFlow;
  frame.split = n;
  frame.asRec = frame.sequence.count || bodies != loops.backIn(frame.node) ||
                !(plain || isWhile);
  frame.flow = isWhile && !frame.asRec ? body : FlowId();
  frame.before = frame.sequence;
  frame.sequence = {};
  return nextBody();
}

/// The next branch of a loop's choice that leads back to its header.
bool Recovery::nextBody() {
  Frame &frame = stack.back();
  ArrayRef<FlowId> out = flows.outgoing(frame.split);
  while (frame.cursor < out.size()) {
    FlowId f = out[frame.cursor++];
    if (f != frame.exit)
      return follow(f, frame.asRec);
  }
  // All are done.
  bool deferred = isDeferred(frame.split);
  FlowId exit = frame.exit;
  TermNode loop{.node = frame.node, .numChildren = 1};
  if (!frame.asRec) {
    loop.kind = frame.flow ? TermKind::While : TermKind::Loop;
    loop.deferred = !frame.flow && deferred;
    loop.flow = frame.flow;
    loop.firstChild =
        reduce(frame.joined, TermKind::Choice, frame.split, deferred);
  } else {
    TermId way = add(TermNode());
    if (b.flow(exit).guard || b.flow(exit).flags & DefaultFlow) {
      TermNode guard = around(TermKind::Guard, frame.split, way);
      guard.flow = exit;
      way = add(guard);
    }
    append(frame.joined, way);
    TermId choice =
        reduce(frame.joined, TermKind::Choice, frame.split, deferred);
    append(frame.before, choice);
    loop.kind = TermKind::Rec;
    loop.firstChild = reduce(frame.before, TermKind::Sequence, NodeId(), false);
  }
  stack.pop_back();
  append(add(loop));
  current = exit;
  return true;
}

std::optional<Term> cif::recoverTerm(const Behaviour &behaviour,
                                     TermBreak *why) {
  Recovery recovery(behaviour);
  if (recovery.run())
    return std::move(recovery.term);
  if (why)
    *why = std::move(recovery.broken);
  return std::nullopt;
}
