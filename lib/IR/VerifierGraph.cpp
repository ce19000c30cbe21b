//===- VerifierGraph.cpp - Rules on nodes and flows -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifierRules.h"
#include "cif/Support/Diagnostics/Verifier.h"

using namespace cif;

static bool isActivity(NodeKind kind) {
  return hasTrait(kind, NodeTraits::Activity);
}

static bool isEvent(NodeKind kind) { return hasTrait(kind, NodeTraits::Event); }

static bool exchangesMessage(NodeKind kind) {
  return hasTrait(kind, NodeTraits::NeedsMessage);
}

void Verifier::behaviourRules() {
  ownerFits();
  kindFitsBehaviour();
  flagsAreKnown();
  if (parentsAreContainers())
    parentsHaveNoCycle();
  messageIsThere();
  fieldsFitKind();
  messageFitsOwner();
  interactionHasEnds();
  replyGoesBack();
  boundaryIsOnActivity();
  callNamesEnclosing();
  boundArgumentsAreVariables();
  flowsStayInside();
  incomingFitsKind();
  outgoingFitsKind();
  defaultsFitSource();
  guardsAreBoolean();
  attributesAreSorted();
}

/// Processes and controllers are somebody's, choreographies nobody's.
void Verifier::ownerFits() {
  bool local = behaviour->kind != BehaviourKind::Choreography;
  if (local != bool(behaviour->owner))
    report(Subject::Behaviour, behaviourIndex, behaviour->loc, diag::ir_owner)
        << behaviourKindText(behaviour->kind) << module.text(behaviour->name)
        << (local ? "needs" : "cannot have");
}

/// Interactions are global, sending and receiving are local.
void Verifier::kindFitsBehaviour() {
  bool local = behaviour->kind != BehaviourKind::Choreography;
  for (size_t i = 0; i < behaviour->nodes.size(); ++i) {
    NodeKind kind = behaviour->nodes[i].kind;
    if (hasTrait(kind, local ? NodeTraits::GlobalOnly : NodeTraits::LocalOnly))
      atNode(i, diag::ir_kind_in_behaviour)
          << describe(NodeId(i)) << behaviourKindText(behaviour->kind);
  }
}

/// Flags that nobody knows mean nothing.
void Verifier::flagsAreKnown() {
  constexpr unsigned known = 2 * BindsArguments - 1;
  for (size_t i = 0; i < behaviour->nodes.size(); ++i)
    if (behaviour->nodes[i].flags & ~known)
      atNode(i, diag::ir_flags)
          << describe(NodeId(i)) << behaviour->nodes[i].flags;
  for (size_t i = 0; i < behaviour->flows.size(); ++i)
    if (behaviour->flows[i].flags & ~unsigned(DefaultFlow))
      atFlow(i, diag::ir_flags)
          << ("flow " + Twine(i)).str() << behaviour->flows[i].flags;
}

/// Only containers hold nodes.
bool Verifier::parentsAreContainers() {
  bool good = true;
  for (size_t i = 0; i < behaviour->nodes.size(); ++i) {
    NodeId parent = behaviour->nodes[i].parent;
    if (!parent || behaviour->node(parent).kind == NodeKind::Container)
      continue;
    good = false;
    atNode(i, diag::ir_parent) << describe(NodeId(i)) << describe(parent);
  }
  return good;
}

/// No container is within itself. Each chain of parents is walked once: what a
/// chain has come to before is known to be good.
void Verifier::parentsHaveNoCycle() {
  enum : uint8_t { Unseen, OnChain, Done };
  std::vector<uint8_t> state(behaviour->nodes.size(), Unseen);
  std::vector<uint32_t> chain;
  for (uint32_t i = 0; i < behaviour->nodes.size(); ++i) {
    NodeId at(i);
    while (at && state[at.index()] == Unseen) {
      state[at.index()] = OnChain;
      chain.push_back(at.index());
      at = behaviour->node(at).parent;
    }
    if (at && state[at.index()] == OnChain)
      atNode(at.index(), diag::ir_parent_cycle) << describe(at);
    for (uint32_t node : chain)
      state[node] = Done;
    chain.clear();
  }
}

/// What exchanges a message says which.
void Verifier::messageIsThere() {
  for (size_t i = 0; i < behaviour->nodes.size(); ++i) {
    const Node &n = behaviour->nodes[i];
    if (exchangesMessage(n.kind) && !n.message)
      atNode(i, diag::ir_message_missing) << describe(NodeId(i));
  }
}

/// A node has no property that its kind has no use for.
void Verifier::fieldsFitKind() {
  for (size_t i = 0; i < behaviour->nodes.size(); ++i) {
    const Node &n = behaviour->nodes[i];
    bool messageEvent = isEvent(n.kind) && (n.trigger == Trigger::Message ||
                                            n.trigger == Trigger::Multiple);
    auto wrong = [&](StringRef what) {
      atNode(i, diag::ir_useless_field) << describe(NodeId(i)) << what;
    };
    if (n.message && !exchangesMessage(n.kind) && !messageEvent)
      wrong("a message");
    if (n.reply && n.kind != NodeKind::Interaction)
      wrong("a reply");
    if (n.trigger != Trigger::None && !isEvent(n.kind))
      wrong("a trigger");
    if (n.trigger == Trigger::Race && n.kind != NodeKind::Boundary)
      wrong("the trigger 'race'");
    if (n.attachedTo && n.kind != NodeKind::Boundary &&
        n.kind != NodeKind::Call)
      wrong("a node that it is on");
    if (n.loop != LoopKind::None && !isActivity(n.kind))
      wrong("a loop");
    if (n.numArguments && !n.message)
      wrong("arguments");
  }
}

/// A participant's own behaviour sends what it is the sender of, and receives
/// what it is the receiver of.
void Verifier::messageFitsOwner() {
  if (behaviour->kind == BehaviourKind::Choreography)
    return;
  for (size_t i = 0; i < behaviour->nodes.size(); ++i) {
    const Node &n = behaviour->nodes[i];
    if (!n.message || n.kind == NodeKind::Interaction)
      continue;
    bool sends = hasTrait(n.kind, NodeTraits::Out);
    const Message &m = module.message(n.message);
    if ((sends ? m.sender : m.receiver) != behaviour->owner)
      atNode(i, diag::ir_message_owner)
          << describe(NodeId(i)) << module.exchangeText(n.message)
          << (sends ? "sender" : "receiver")
          << module.participantName(behaviour->owner);
  }
}

/// An interaction is between two participants that are known.
void Verifier::interactionHasEnds() {
  for (size_t i = 0; i < behaviour->nodes.size(); ++i) {
    const Node &n = behaviour->nodes[i];
    if (n.kind != NodeKind::Interaction || !n.message)
      continue;
    const Message &m = module.message(n.message);
    if (!m.sender || !m.receiver)
      atNode(i, diag::ir_interaction_ends)
          << describe(NodeId(i)) << module.exchangeText(n.message);
  }
}

/// The answer goes from the receiver to the sender.
void Verifier::replyGoesBack() {
  for (size_t i = 0; i < behaviour->nodes.size(); ++i) {
    const Node &n = behaviour->nodes[i];
    if (!n.reply || !n.message)
      continue;
    const Message &there = module.message(n.message);
    const Message &back = module.message(n.reply);
    if (back.sender != there.receiver || back.receiver != there.sender)
      atNode(i, diag::ir_reply)
          << describe(NodeId(i)) << module.exchangeText(n.reply)
          << module.exchangeText(n.message);
  }
}

/// A boundary event is on an activity that stands beside it.
void Verifier::boundaryIsOnActivity() {
  for (size_t i = 0; i < behaviour->nodes.size(); ++i) {
    const Node &n = behaviour->nodes[i];
    if (n.kind != NodeKind::Boundary)
      continue;
    if (!n.attachedTo || !isActivity(behaviour->node(n.attachedTo).kind) ||
        behaviour->node(n.attachedTo).parent != n.parent)
      atNode(i, diag::ir_boundary) << describe(NodeId(i));
  }
}

/// A call runs a container that it is in. Containers form a forest, in which
/// being in one is an interval question: one walk answers it for all calls.
void Verifier::callNamesEnclosing() {
  size_t count = behaviour->nodes.size();
  if (llvm::none_of(behaviour->nodes,
                    [](const Node &n) { return n.kind == NodeKind::Call; }))
    return;
  // The children of each container, one container after the other; those of
  // the top level first. `last` says where each one's children end.
  std::vector<uint32_t> last(count), children(count);
  last.push_back(0);
  auto slot = [](NodeId parent) { return parent ? parent.index() + 1 : 0; };
  for (const Node &n : behaviour->nodes)
    ++last[slot(n.parent)];
  uint32_t sum = 0;
  for (uint32_t &entry : last)
    sum += std::exchange(entry, sum);
  for (uint32_t i = 0; i < count; ++i)
    children[last[slot(behaviour->nodes[i].parent)]++] = i;
  auto firstOf = [&](size_t at) { return at ? last[at - 1] : 0; };
  constexpr uint32_t never = 0xffffffffu;
  std::vector<uint32_t> begin(count, never), end(count, never);
  std::vector<std::pair<uint32_t, uint32_t>> stack{{0, 0}};
  uint32_t clock = 0;
  while (!stack.empty()) {
    auto &[at, child] = stack.back();
    if (child == last[at]) {
      if (at)
        end[at - 1] = clock;
      stack.pop_back();
      continue;
    }
    uint32_t node = children[child++];
    begin[node] = clock++;
    stack.push_back({node + 1, firstOf(node + 1)});
  }
  for (uint32_t i = 0; i < count; ++i) {
    const Node &n = behaviour->nodes[i];
    if (n.kind != NodeKind::Call)
      continue;
    uint32_t on = n.attachedTo ? n.attachedTo.index() : i;
    // Nodes on a cycle of parents are not reached, and reported elsewhere.
    bool inside = on != i && begin[i] != never && begin[on] != never &&
                  begin[on] < begin[i] && begin[i] < end[on];
    if (!inside)
      atNode(i, diag::ir_call) << describe(NodeId(i));
  }
}

/// Only variables get values.
void Verifier::boundArgumentsAreVariables() {
  for (size_t i = 0; i < behaviour->nodes.size(); ++i) {
    const Node &n = behaviour->nodes[i];
    if (!(n.flags & BindsArguments))
      continue;
    for (uint32_t a = 0; a < n.numArguments; ++a)
      if (module.expr(behaviour->arguments[n.firstArgument + a]).op !=
          ExprOp::Variable)
        atNode(i, diag::ir_binds) << describe(NodeId(i)) << a;
  }
}

/// A flow stays in its container.
void Verifier::flowsStayInside() {
  for (size_t i = 0; i < behaviour->flows.size(); ++i) {
    const Flow &f = behaviour->flows[i];
    if (behaviour->node(f.source).parent != behaviour->node(f.target).parent)
      atFlow(i, diag::ir_flow_crosses)
          << describe(f.source) << describe(f.target);
  }
}

/// Nothing leads to where a token starts.
void Verifier::incomingFitsKind() {
  for (size_t i = 0; i < behaviour->flows.size(); ++i) {
    const Flow &f = behaviour->flows[i];
    NodeKind kind = behaviour->node(f.target).kind;
    if (kind == NodeKind::Initial || kind == NodeKind::Boundary)
      atFlow(i, diag::ir_incoming) << describe(f.target);
  }
}

/// Nothing leads from where a token ends.
void Verifier::outgoingFitsKind() {
  for (size_t i = 0; i < behaviour->flows.size(); ++i) {
    const Flow &f = behaviour->flows[i];
    NodeKind kind = behaviour->node(f.source).kind;
    if (kind == NodeKind::Final || kind == NodeKind::Terminate)
      atFlow(i, diag::ir_outgoing) << describe(f.source);
  }
}

/// A node has one default flow at most, without a guard, and where it has a
/// choice it is one that looks at guards.
void Verifier::defaultsFitSource() {
  if (llvm::none_of(behaviour->flows,
                    [](const Flow &f) { return f.flags & DefaultFlow; }))
    return;
  std::vector<uint8_t> defaults(behaviour->nodes.size(), 0),
      outgoing(behaviour->nodes.size(), 0);
  for (const Flow &f : behaviour->flows)
    outgoing[f.source.index()] |= outgoing[f.source.index()] << 1 | 1;
  for (size_t i = 0; i < behaviour->flows.size(); ++i) {
    const Flow &f = behaviour->flows[i];
    if (!(f.flags & DefaultFlow))
      continue;
    const bool looks =
        hasTrait(behaviour->node(f.source).kind, NodeTraits::Decision);
    const char *wrong = nullptr;
    if (defaults[f.source.index()]++)
      wrong = "has more than one default flow";
    else if (f.guard)
      wrong = "has a default flow with a guard";
    else if (!looks && outgoing[f.source.index()] > 1)
      wrong = "has a default flow but does not evaluate guards";
    if (defaults[f.source.index()] > 1)
      defaults[f.source.index()] = 1;
    if (wrong)
      atFlow(i, diag::ir_default_flow) << describe(f.source) << wrong;
  }
}

/// A guard is true or false.
void Verifier::guardsAreBoolean() {
  for (size_t i = 0; i < behaviour->flows.size(); ++i) {
    const Flow &f = behaviour->flows[i];
    if (!f.guard)
      continue;
    Sort sort = module.expr(f.guard).sort;
    if (sort != boolSort && sort != unknownSort)
      atFlow(i, diag::ir_guard_sort) << describe(f.source);
  }
}

/// Attributes are found by node, then by key.
void Verifier::attributesAreSorted() {
  const std::vector<Attribute> &all = behaviour->attributes;
  for (size_t i = 1; i < all.size(); ++i)
    if (all[i].node < all[i - 1].node ||
        (all[i].node == all[i - 1].node &&
         module.text(all[i].key) < module.text(all[i - 1].key)))
      return (void)(report(Subject::Behaviour, behaviourIndex, behaviour->loc,
                           diag::ir_attributes)
                    << behaviourKindText(behaviour->kind)
                    << module.text(behaviour->name) << module.text(all[i].key));
}
