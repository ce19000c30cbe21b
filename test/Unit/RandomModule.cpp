//===- RandomModule.cpp - Modules that nobody would write -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomModule.h"
#include "cif/IR/Operators.h"

using namespace cif;

namespace {

class Maker {
public:
  Maker(unsigned seed, unsigned scale) : random(seed), scale(scale) {}
  Module make();

private:
  unsigned below(unsigned n) { return random() % n; }
  bool oneIn(unsigned n) { return below(n) == 0; }
  std::string text();
  Name name() { return module.intern(text()); }
  Location location();
  Place place();
  Sort sort(bool known);
  ParticipantId participant() {
    return ParticipantId(below(module.participants.size()));
  }
  ExprId leaf(Sort sort);
  ExprId expr(Sort sort, unsigned size);
  void messages();
  MessageId message(ParticipantId from, ParticipantId to);
  void arguments(Behaviour &b, Node &n);
  void behaviour(BehaviourKind kind);
  void node(Behaviour &b, NodeId parent, std::vector<NodeId> &made);
  void flows(Behaviour &b, const std::vector<std::vector<NodeId>> &bodies);
  void messageFlows();
  void system();
  void fact();

  std::mt19937 random;
  unsigned scale;
  Module module;
};

} // namespace

std::string Maker::text() {
  static const char *const pieces[] = {"a",
                                       "b",
                                       "login",
                                       "x1",
                                       "42",
                                       "7up",
                                       " ",
                                       "\"",
                                       "\\",
                                       "\n",
                                       "\t",
                                       "\x01",
                                       "\r",
                                       "\x7f",
                                       "'",
                                       "`",
                                       ":",
                                       "->",
                                       "//",
                                       "#",
                                       "@",
                                       "{",
                                       "}",
                                       "n0",
                                       "in",
                                       "true",
                                       "int",
                                       "tau",
                                       "-",
                                       "\xc3\xa9",
                                       "\xf0\x9f\x98\x80",
                                       "$0",
                                       "from",
                                       "?",
                                       "!",
                                       ";",
                                       "unknown",
                                       "default",
                                       "\xe2\x80\xa8"};
  std::string result;
  for (unsigned n = below(4); n; --n)
    result += pieces[below(std::size(pieces))];
  if (oneIn(40))
    result += std::string("\0z", 2);
  return result;
}

Location Maker::location() {
  Location loc;
  if (oneIn(3))
    return loc;
  if (!module.sources.empty() && !oneIn(5))
    loc.source = SourceId(below(module.sources.size()));
  loc.line = oneIn(4) ? 0 : oneIn(20) ? 0xffffffffu : below(100);
  loc.column = oneIn(4) ? 0 : below(80);
  if (oneIn(3))
    loc.element = name();
  return loc;
}

Place Maker::place() {
  if (oneIn(3))
    return {};
  return {text(), oneIn(3) ? 0 : below(99), oneIn(3) ? 0 : below(99),
          oneIn(2) ? text() : ""};
}

Sort Maker::sort(bool known) {
  unsigned n = static_cast<unsigned>(module.enumerations.size());
  unsigned pick = below(4 + n);
  if (known && pick == 0)
    pick = 1;
  return pick < 4 ? Sort{pick} : Sort{Sort::firstEnum + pick - 4};
}

ExprId Maker::leaf(Sort sort) {
  Expr e;
  e.sort = sort;
  e.loc = location();
  if (sort == unknownSort) {
    e.op = oneIn(2) ? ExprOp::Opaque : ExprOp::Variable;
    e.name = name();
  } else if (oneIn(2)) {
    e.op = ExprOp::Variable;
    e.name = name();
  } else if (sort == boolSort) {
    e.op = ExprOp::BoolLiteral;
    e.value = below(2);
  } else if (sort == intSort) {
    e.op = ExprOp::IntLiteral;
    static const int64_t values[] = {0,  1,         -1,        5,
                                     -5, INT64_MAX, INT64_MIN, 1000};
    e.value = values[below(std::size(values))];
  } else if (sort == stringSort) {
    e.op = ExprOp::StringLiteral;
    e.name = name();
  } else {
    e.op = ExprOp::EnumLiteral;
    const auto &literals = module.enumerations[sort.enumIndex()].literals;
    e.name = literals[below(literals.size())];
  }
  return module.addExpr(e);
}

ExprId Maker::expr(Sort wanted, unsigned size) {
  // Sometimes one that was there before, to have it shared.
  if (!module.exprs.empty() && oneIn(6)) {
    ExprId old(below(module.exprs.size()));
    if (module.expr(old).sort == wanted)
      return old;
  }
  if (size <= 1 || (wanted != boolSort && wanted != intSort))
    return leaf(wanted);
  Expr e;
  e.loc = location();
  e.sort = wanted;
  if (wanted == intSort) {
    static const ExprOp ops[] = {ExprOp::Negate,   ExprOp::Add,
                                 ExprOp::Subtract, ExprOp::Multiply,
                                 ExprOp::Divide,   ExprOp::Modulo};
    e.op = ops[below(std::size(ops))];
    e.lhs = expr(intSort, size / 2);
    if (operatorInfo(e.op).operands == 2)
      e.rhs = expr(oneIn(8) ? unknownSort : intSort, size / 2);
  } else if (oneIn(2)) {
    static const ExprOp ops[] = {ExprOp::Not, ExprOp::And, ExprOp::Or,
                                 ExprOp::Implies};
    e.op = ops[below(std::size(ops))];
    e.lhs = expr(boolSort, size / 2);
    if (operatorInfo(e.op).operands == 2)
      e.rhs = expr(boolSort, size / 2);
  } else {
    bool equality = oneIn(2);
    Sort of = equality ? sort(false) : intSort;
    static const ExprOp ops[] = {ExprOp::Equal,   ExprOp::NotEqual,
                                 ExprOp::Less,    ExprOp::LessEqual,
                                 ExprOp::Greater, ExprOp::GreaterEqual};
    e.op = ops[equality ? below(2) : 2 + below(4)];
    e.lhs = expr(of, size / 2);
    e.rhs = expr(of, size / 2);
  }
  if (oneIn(10))
    e.sort = unknownSort;
  ExprId made = module.addExpr(e);
  return module.expr(made).sort == wanted ? made : leaf(wanted);
}

void Maker::messages() {
  for (unsigned n = below(scale); n; --n) {
    ParticipantId from, to;
    if (!oneIn(10))
      from = participant();
    if (!oneIn(10) || !from)
      to = participant();
    MessageId id = module.getMessage(name(), from, to, location());
    Message &m = module.messages[id.index()];
    if (m.fields.empty())
      for (unsigned f = below(4); f; --f)
        m.fields.push_back(
            {module.intern(text() + std::to_string(f)), sort(false)});
  }
}

MessageId Maker::message(ParticipantId from, ParticipantId to) {
  return module.getMessage(name(), from, to);
}

void Maker::arguments(Behaviour &b, Node &n) {
  // Declared fields and arguments agree in number.
  size_t count = n.message ? module.message(n.message).fields.size() : 0;
  if (!count || oneIn(4))
    return;
  n.firstArgument = static_cast<uint32_t>(b.arguments.size());
  n.numArguments = static_cast<uint32_t>(count);
  for (const Field &f : std::vector(module.message(n.message).fields))
    b.arguments.push_back(expr(f.sort, below(8)));
}

void Maker::node(Behaviour &b, NodeId parent, std::vector<NodeId> &made) {
  static const NodeKind global[] = {
      NodeKind::Interaction, NodeKind::Choice,       NodeKind::DominatedChoice,
      NodeKind::AllSelect,   NodeKind::SubsetSelect, NodeKind::SimpleJoin,
      NodeKind::AllJoin,     NodeKind::SubsetJoin,   NodeKind::EventChoice,
      NodeKind::Task,        NodeKind::Container,    NodeKind::Stuck,
      NodeKind::Catch,       NodeKind::Throw};
  Node n;
  n.kind = global[below(std::size(global))];
  bool local = b.kind != BehaviourKind::Choreography;
  ParticipantId other = participant();
  if (other == b.owner)
    other = {};
  if (n.kind == NodeKind::Interaction && local) {
    n.kind = oneIn(2) ? NodeKind::Send : NodeKind::Receive;
    n.message = n.kind == NodeKind::Send ? message(b.owner, other)
                                         : message(other, b.owner);
    if (oneIn(4) && n.kind == NodeKind::Receive)
      n.flags |= Instantiate;
  } else if (n.kind == NodeKind::Interaction) {
    n.message = MessageId(below(module.messages.size()));
    const Message &m = module.message(n.message);
    if (!m.sender || !m.receiver || m.sender == m.receiver) {
      n.message = {};
      n.kind = NodeKind::Task;
    } else if (oneIn(4)) {
      n.reply = message(ParticipantId(m.receiver), ParticipantId(m.sender));
    }
  } else if (n.kind == NodeKind::Catch || n.kind == NodeKind::Throw) {
    n.trigger = Trigger(2 + below(8));
    if (oneIn(2))
      n.condition = expr(boolSort, below(12));
  }
  if (n.kind == NodeKind::DominatedChoice ||
      (n.kind == NodeKind::Task && oneIn(2) && !local))
    n.participant = participant();
  if ((n.kind == NodeKind::Task || n.kind == NodeKind::Container ||
       n.kind == NodeKind::Interaction) &&
      oneIn(3)) {
    n.loop = LoopKind(1 + below(3));
    n.loopMinimum = below(3);
    n.loopMaximum = oneIn(2) ? 0 : n.loopMinimum + 1 + below(3);
    if (oneIn(2))
      n.condition = expr(boolSort, below(40));
    if (n.loop == LoopKind::Standard && oneIn(2))
      n.flags |= LoopTestAfter;
  }
  if (n.kind == NodeKind::Container && oneIn(3))
    n.flags |= 1 << (2 + below(3));
  if (n.message)
    arguments(b, n);
  n.parent = parent;
  if (oneIn(2))
    n.name = name();
  n.loc = location();
  made.push_back(NodeId(b.nodes.size()));
  b.nodes.push_back(n);
}

void Maker::flows(Behaviour &b,
                  const std::vector<std::vector<NodeId>> &bodies) {
  for (const std::vector<NodeId> &body : bodies) {
    std::vector<bool> hasDefault(b.nodes.size());
    for (unsigned n = below(2 * body.size() + 1); n; --n) {
      Flow f;
      f.source = body[below(body.size())];
      f.target = body[below(body.size())];
      NodeKind from = b.node(f.source).kind, to = b.node(f.target).kind;
      if (from == NodeKind::Final || from == NodeKind::Terminate ||
          to == NodeKind::Initial || to == NodeKind::Boundary ||
          from == NodeKind::Stuck)
        continue;
      bool choice = from == NodeKind::Choice ||
                    from == NodeKind::SubsetSelect ||
                    from == NodeKind::DominatedChoice;
      if (choice && oneIn(3) && !hasDefault[f.source.index()]) {
        f.flags = DefaultFlow;
        hasDefault[f.source.index()] = true;
      } else if (choice && oneIn(2)) {
        f.guard = expr(boolSort, below(80));
      }
      if (oneIn(3))
        f.name = name();
      f.loc = location();
      b.flows.push_back(f);
    }
  }
}

void Maker::behaviour(BehaviourKind kind) {
  Behaviour b;
  b.name = name();
  b.kind = kind;
  b.loc = location();
  if (kind != BehaviourKind::Choreography)
    b.owner = participant();
  std::vector<NodeId> containers{NodeId()};
  std::vector<std::vector<NodeId>> bodies;
  for (size_t c = 0; c < containers.size() && b.nodes.size() < 3 * scale; ++c) {
    std::vector<NodeId> made;
    auto end = [&](NodeKind what) {
      Node n;
      n.kind = what;
      n.parent = containers[c];
      if (oneIn(3) && what != NodeKind::Terminate)
        n.trigger = Trigger::Signal;
      n.loc = location();
      made.push_back(NodeId(b.nodes.size()));
      b.nodes.push_back(n);
    };
    end(NodeKind::Initial);
    for (unsigned n = 1 + below(scale); n; --n)
      node(b, containers[c], made);
    end(NodeKind::Final);
    if (oneIn(2))
      end(NodeKind::Terminate);
    for (size_t i = 0, n = made.size(); i < n; ++i) {
      NodeKind on = b.node(made[i]).kind;
      if (on == NodeKind::Container)
        containers.push_back(made[i]);
      if ((on == NodeKind::Container || on == NodeKind::Task) && oneIn(3)) {
        Node boundary;
        boundary.kind = NodeKind::Boundary;
        boundary.trigger = oneIn(2) ? Trigger::Timer : Trigger::Race;
        boundary.attachedTo = made[i];
        boundary.parent = containers[c];
        if (oneIn(2))
          boundary.flags |= NonInterrupting;
        made.push_back(NodeId(b.nodes.size()));
        b.nodes.push_back(boundary);
      }
    }
    if (containers[c] && oneIn(3)) {
      Node call;
      call.kind = NodeKind::Call;
      call.attachedTo = call.parent = containers[c];
      made.push_back(NodeId(b.nodes.size()));
      b.nodes.push_back(call);
    }
    bodies.push_back(made);
  }
  flows(b, bodies);
  for (uint32_t i = 0; i < b.nodes.size(); ++i)
    if (oneIn(5)) {
      std::vector<std::string> keys{text(), text(), text()};
      llvm::sort(keys);
      for (const std::string &key : keys)
        b.attributes.push_back({NodeId(i), module.intern(key), name()});
    }
  if (oneIn(2))
    b.attributes.push_back({{}, name(), name()});
  module.behaviours.push_back(std::move(b));
}

void Maker::messageFlows() {
  for (unsigned n = below(3); n && !module.messages.empty(); --n) {
    MessageFlow f;
    if (!oneIn(4))
      f.message = MessageId(below(module.messages.size()));
    auto end = [&](BehaviourId &b, NodeId &node) {
      if (module.behaviours.empty() || oneIn(3))
        return;
      b = BehaviourId(below(module.behaviours.size()));
      if (!oneIn(3))
        node = NodeId(below(module.behaviours[b.index()].nodes.size()));
    };
    end(f.sourceBehaviour, f.sourceNode);
    end(f.targetBehaviour, f.targetNode);
    f.loc = location();
    module.messageFlows.push_back(f);
  }
}

void Maker::system() {
  SystemDecl s;
  s.name = name();
  s.role = SystemRole(below(5));
  s.loc = location();
  if (s.role == SystemRole::Peer || s.role == SystemRole::Controller)
    s.owner = participant();
  Lts &lts = s.lts;
  for (unsigned n = below(6); n; --n) {
    Label l;
    l.kind = LabelKind(below(6));
    if (l.kind >= LabelKind::Exchange && l.kind <= LabelKind::Receive) {
      l.sender = oneIn(2) ? module.participantName(s.owner).str() : text();
      l.receiver = oneIn(2) ? module.participantName(s.owner).str() : text();
    }
    if (l.kind != LabelKind::Tau && l.kind != LabelKind::Tick)
      l.message = text();
    lts.labels.push_back(l);
  }
  unsigned states = 1 + below(oneIn(5) ? 150 : 6);
  std::vector<uint32_t> begin{0}, label, target, lines;
  for (unsigned i = 0; i < states; ++i) {
    for (unsigned n = below(3); n; --n) {
      label.push_back(below(lts.labels.size()));
      target.push_back(below(states));
      lines.push_back(oneIn(3) ? 0 : below(1000));
    }
    begin.push_back(static_cast<uint32_t>(target.size()));
  }
  lts.initial = below(states);
  lts.rowBegin = begin;
  lts.label = label;
  lts.target = target;
  if (oneIn(2))
    s.transitionLines = lines;
  if (oneIn(2)) {
    std::vector<uint64_t> finals((states + 63) / 64);
    if (!oneIn(4))
      for (unsigned i = 0; i < states; ++i)
        if (oneIn(2))
          finals[i / 64] |= uint64_t(1) << i % 64;
    lts.finals = finals;
  }
  module.systems.push_back(std::move(s));
}

void Maker::fact() {
  Fact f;
  f.property = "p" + text();
  f.subject = text();
  for (unsigned n = below(3); n; --n)
    f.parameters.emplace_back(text(), text());
  f.verdict = Verdict(below(3));
  f.exact = oneIn(2);
  f.method = text();
  f.message = text();
  f.at = place();
  for (unsigned n = below(3); n; --n)
    f.notes.push_back({place(), text()});
  f.states = oneIn(2) ? random() : 0;
  f.transitions = oneIn(9) ? UINT64_MAX : 0;
  f.digest = oneIn(2) ? random() : 0;
  if (f.verdict == Verdict::Violated || oneIn(3)) {
    Witness &w = f.witness.emplace();
    static const char *const kinds[] = {"trace", "lasso", "game", "elements"};
    w.kind = kinds[below(4)];
    for (unsigned n = 1 + below(4); n; --n)
      w.steps.push_back({text(), place(), oneIn(2) ? text() : ""});
    if (w.kind == "lasso")
      w.loopStart = below(w.steps.size());
    if (w.kind == "game")
      w.formula = "<a>" + text();
  }
  module.facts.push_back(std::move(f));
}

Module Maker::make() {
  // Strings that nothing uses must not show.
  for (unsigned n = below(4); n; --n)
    (void)name();
  if (oneIn(2))
    module.name = name();
  for (unsigned n = below(4); n; --n)
    module.sources.push_back(
        {name(), name(), oneIn(2) ? name() : Name()});
  for (unsigned n = below(3); n; --n) {
    Enumeration e;
    e.name = module.intern(text() + "e" + std::to_string(n));
    for (unsigned l = 1 + below(4); l; --l)
      e.literals.push_back(module.intern(text() + std::to_string(l)));
    e.loc = location();
    module.enumerations.push_back(std::move(e));
  }
  for (unsigned n = 1 + below(5); n; --n) {
    ParticipantId id = module.getParticipant(name(), location());
    if (oneIn(4)) {
      module.participants[id.index()].minimum = below(3);
      module.participants[id.index()].maximum = 3 + below(5);
    }
  }
  messages();
  if (module.messages.empty())
    module.getMessage(name(), participant(), participant());
  for (unsigned n = below(4); n; --n)
    behaviour(BehaviourKind(below(3)));
  messageFlows();
  for (unsigned n = below(3); n; --n)
    system();
  for (unsigned n = below(3); n; --n)
    fact();
  return std::move(module);
}

Module cif::randomModule(unsigned seed, unsigned scale) {
  return Maker(seed, scale).make();
}
