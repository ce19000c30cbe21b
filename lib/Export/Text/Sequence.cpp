//===- Sequence.cpp - Choreographies as sequence diagrams -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The terms of choreographies as the fragments of sequence diagrams; see
/// docs/sequence-diagrams.md. Where a choice or loop is decided silently the
/// decision is written as a message of the one who decides to itself. Data is
/// written as text. What has no fragment is refused: `0`, interruption, and
/// recursion other than that of a loop that is left by a break.
///
//===----------------------------------------------------------------------===//

#include "cif/Export/Emitter.h"
#include "cif/IR/ExprText.h"
#include "cif/IR/SequenceText.h"
#include "cif/IR/Term.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "llvm/ADT/DenseMap.h"

using namespace cif;

namespace {

class DiagramWriter {
public:
  DiagramWriter(const Module &from, const Behaviour &of, const Term &its,
                StringRef formName, SequenceText &writer,
                DiagnosticEngine &engine)
      : module(from), behaviour(of), term(its), format(formName), to(writer),
        diags(engine), flows(of) {}

  bool run();

private:
  /// What is still to be written; the last one first.
  struct Work {
    enum Kind { Write, Open, Part, Close, Decide } kind = Write;
    TermId id; ///< of Write; of Decide: for this one
    StringRef word;
    std::string label;
    NodeId split;
  };

  bool refuse(NodeId node, const Twine &why);
  void push(TermId id) { work.push_back({Work::Write, id, "", "", {}}); }
  void pushClose() { work.push_back({Work::Close, {}, "", "", {}}); }
  void write(TermId id);
  void action(const TermNode &node);
  void choice(TermId id);
  void loop(TermId id);
  void rec(TermId id);
  bool decide(TermId branch, NodeId split);
  StringRef name(ParticipantId id) const { return module.participantName(id); }
  std::string branchLabel(const TermNode &parent, TermId child, size_t index);
  std::string loopLabel(const TermNode &node);
  void countCalls();

  const Module &module;
  const Behaviour &behaviour;
  const Term &term;
  StringRef format;
  SequenceText &to;
  DiagnosticEngine &diags;
  FlowIndex flows;
  bool ok = true;
  std::vector<Work> work;
  std::vector<uint32_t> calls; ///< by Rec: how many
  std::vector<TermId> callsTo; ///< by term: the Rec that it has a Call to
};

} // namespace

bool DiagramWriter::refuse(NodeId node, const Twine &why) {
  if (ok)
    diags.report(module.place(node ? behaviour.node(node).loc : behaviour.loc),
                 diag::emit_node)
        << format
        << (node ? nodeKindText(behaviour.node(node).kind)
                 : behaviourKindText(behaviour.kind))
        << why;
  return ok = false;
}

/// Marks the terms on the way from each Call up to its Rec.
void DiagramWriter::countCalls() {
  std::vector<TermId> parents(term.size());
  for (uint32_t i = 0; i < term.size(); ++i)
    for (TermId c = term.nodes[i].firstChild; c; c = term[c].nextSibling)
      parents[c.index()] = TermId(i);
  calls.resize(term.size());
  callsTo.resize(term.size());
  for (uint32_t i = 0; i < term.size(); ++i) {
    TermId rec = term.nodes[i].target;
    if (term.nodes[i].kind != TermKind::Call || ++calls[rec.index()] > 1)
      continue; // a second one is refused anyway
    for (TermId at(i); at != rec; at = parents[at.index()])
      callsTo[at.index()] = rec;
  }
}

bool DiagramWriter::run() {
  countCalls();
  push(term.root());
  while (ok && !work.empty()) {
    Work next = std::move(work.back());
    work.pop_back();
    switch (next.kind) {
    case Work::Write:
      write(next.id);
      break;
    case Work::Open:
      to.open(next.word, next.label);
      break;
    case Work::Part:
      to.part(next.word, next.label);
      break;
    case Work::Close:
      to.close();
      break;
    case Work::Decide:
      decide(next.id, next.split);
      break;
    }
  }
  return ok;
}

/// A step of who decides for \p branch: who it is said to be, else who sends
/// first in it or, as all branches belong to one decision, beside it.
bool DiagramWriter::decide(TermId branch, NodeId split) {
  ParticipantId who = behaviour.node(split).participant;
  for (TermId at = branch; at && !who; at = term[at].firstChild) {
    if (term[at].kind == TermKind::Action)
      who = module.message(behaviour.node(term[at].node).message).sender;
    else if (term[at].kind == TermKind::Tau)
      who = behaviour.node(term[at].node).participant;
  }
  if (!who && !module.participants.empty())
    who = ParticipantId(0);
  if (!who)
    return refuse(split, "no participant decides");
  to.message(name(who), name(who), "decide");
  return true;
}

std::string DiagramWriter::branchLabel(const TermNode &parent, TermId child,
                                       size_t index) {
  if (term[child].kind == TermKind::Guard) {
    const Flow &flow = behaviour.flow(term[child].flow);
    return flow.guard ? exprText(module, flow.guard) : "otherwise";
  }
  ArrayRef<FlowId> out =
      parent.node ? flows.outgoing(parent.node) : ArrayRef<FlowId>();
  return out.size() == parent.numChildren
             ? module.text(behaviour.flow(out[index]).name).str()
             : std::string();
}

/// The name of the flow into the loop, which begins with a join.
std::string DiagramWriter::loopLabel(const TermNode &node) {
  ArrayRef<FlowId> out = flows.outgoing(node.node);
  if (out.size() == 1)
    out = flows.outgoing(behaviour.flow(out[0]).target);
  for (FlowId flow : out)
    if (Name label = behaviour.flow(flow).name; !label.empty())
      return module.text(label).str();
  return {};
}

void DiagramWriter::action(const TermNode &t) {
  const Node &node = behaviour.node(t.node);
  const Message &m = module.message(node.message);
  std::string text = module.text(m.name).str(), payload;
  for (uint32_t a = 0; a < node.numArguments; ++a)
    payload += (a ? ", " : "") +
               exprText(module, behaviour.arguments[node.firstArgument + a]);
  if (!payload.empty())
    text += "(" + payload + ")";
  to.message(name(m.sender), name(m.receiver), text);
}

void DiagramWriter::choice(TermId id) {
  const TermNode &node = term[id];
  SmallVector<TermId, 8> branches = term.children(id);
  size_t done = 0;
  while (done < branches.size() && term[branches[done]].kind != TermKind::Done)
    ++done;
  pushClose();
  auto pushBranch = [&](TermId branch) {
    push(branch);
    if (!node.deferred)
      work.push_back({Work::Decide, branch, "", "", node.node});
  };
  if (branches.size() == 2 && done < 2 && node.deferred) {
    to.open("opt", branchLabel(node, branches[1 - done], 1 - done));
    return pushBranch(branches[1 - done]);
  }
  for (size_t i = branches.size(); i-- > 1;) {
    pushBranch(branches[i]);
    work.push_back(
        {Work::Part, {}, "else", branchLabel(node, branches[i], i), {}});
  }
  to.open("alt", branchLabel(node, branches[0], 0));
  pushBranch(branches[0]);
}

void DiagramWriter::loop(TermId id) {
  const TermNode &node = term[id];
  bool decides = node.kind == TermKind::Loop && !node.deferred;
  if (decides)
    work.push_back({Work::Decide, id, "", "", node.node});
  pushClose();
  push(node.firstChild);
  if (decides)
    work.push_back({Work::Decide, id, "", "", node.node});
  ExprId guard =
      node.kind == TermKind::While ? behaviour.flow(node.flow).guard : ExprId();
  to.open("loop", guard ? exprText(module, guard) : loopLabel(node));
}

/// rec X {1 + I ; (B + J ; X)} is a loop that is left by a break.
void DiagramWriter::rec(TermId id) {
  const TermNode &node = term[id];
  auto wrong = [&] {
    refuse(node.node, "recursion is written only where it is a loop with "
                      "breaks, rec X {1 + I ; (B + J ; X)}");
  };
  const TermNode &choice = term[node.firstChild];
  TermId body;
  size_t index = 0;
  if (calls[id.index()] != 1 || choice.kind != TermKind::Choice ||
      !choice.deferred || choice.numChildren != 2)
    return wrong();
  TermId first = choice.firstChild, second = term[first].nextSibling;
  if (term[first].kind == TermKind::Done)
    body = second, index = 1;
  else if (term[second].kind == TermKind::Done)
    body = first;
  else
    return wrong();
  to.open("loop", branchLabel(choice, body, index));
  // What is to be written, in its order.
  std::vector<Work> plan;
  TermId at = body;
  while (term[at].kind != TermKind::Call) {
    TermId last = at;
    if (term[at].kind == TermKind::Sequence)
      for (TermId c = term[at].firstChild; c; c = term[c].nextSibling) {
        last = c;
        if (term[c].nextSibling)
          plan.push_back({Work::Write, c, "", "", {}});
      }
    const TermNode &tail = term[last];
    if (callsTo[last.index()] != id)
      return wrong();
    if (tail.kind == TermKind::Call) {
      at = last;
      continue;
    }
    if (tail.kind != TermKind::Choice || !tail.deferred ||
        tail.numChildren != 2)
      return wrong();
    TermId a = tail.firstChild, b = term[a].nextSibling;
    bool aCalls = callsTo[a.index()] == id;
    TermId leaves = aCalls ? b : a;
    plan.push_back({Work::Open,
                    leaves,
                    "break",
                    branchLabel(tail, leaves, aCalls ? 1 : 0),
                    {}});
    plan.push_back({Work::Write, leaves, "", "", {}});
    plan.push_back({Work::Close, {}, "", "", {}});
    at = aCalls ? a : b;
  }
  plan.push_back({Work::Close, {}, "", "", {}});
  for (size_t i = plan.size(); i-- > 0;)
    work.push_back(std::move(plan[i]));
}

void DiagramWriter::write(TermId id) {
  const TermNode &node = term[id];
  switch (node.kind) {
  case TermKind::Done:
    break;
  case TermKind::Action:
    action(node);
    break;
  case TermKind::Tau: {
    const Node &step = behaviour.node(node.node);
    if (!step.participant)
      refuse(node.node, "the participant that takes this step is unknown");
    else
      to.message(name(step.participant), name(step.participant),
                 step.name.empty() ? "internal step" : module.text(step.name));
    break;
  }
  case TermKind::Sequence: {
    SmallVector<TermId, 8> children = term.children(id);
    for (TermId c : llvm::reverse(children))
      push(c);
    break;
  }
  case TermKind::Parallel: {
    SmallVector<TermId, 8> branches = term.children(id);
    pushClose();
    for (size_t i = branches.size(); i-- > 1;) {
      push(branches[i]);
      work.push_back(
          {Work::Part, {}, "and", branchLabel(node, branches[i], i), {}});
    }
    to.open("par", branchLabel(node, branches[0], 0));
    push(branches[0]);
    break;
  }
  case TermKind::Choice:
    choice(id);
    break;
  case TermKind::Guard:
    push(node.firstChild);
    break;
  case TermKind::While:
  case TermKind::Loop:
    loop(id);
    break;
  case TermKind::Rec:
    rec(id);
    break;
  case TermKind::Stuck:
  case TermKind::Call:
  case TermKind::Interrupt:
    refuse(node.node, "sequence diagrams have no such construct");
    break;
  }
}

static bool emitSequence(const Module &module, raw_ostream &os,
                         DiagnosticEngine &diags, SequenceText::Form form) {
  StringRef format = form == SequenceText::Mermaid ? "mermaid" : "plantuml";
  size_t count = 0;
  for (const Behaviour &b : module.behaviours) {
    count += b.kind == BehaviourKind::Choreography;
    if (b.kind == BehaviourKind::Choreography &&
        (count == 1 || form == SequenceText::PlantUml))
      continue;
    diags.report(module.place(b.loc), diag::emit_node)
        << format
        << (behaviourKindText(b.kind) + " '" + module.text(b.name) + "'")
        << (b.kind == BehaviourKind::Choreography
                ? "there is one diagram in a file; --select=NAME picks one"
                : "a sequence diagram shows all participants at once");
    return false;
  }
  if (!count) {
    diags.report(diag::emit_nothing) << format << "choreography";
    return false;
  }
  for (const Behaviour &b : module.behaviours) {
    TermBreak why;
    std::optional<Term> term = recoverTerm(b, &why);
    if (!term) {
      diags.report(module.place(why.node ? b.node(why.node).loc : b.loc),
                   diag::emit_node)
          << format << ("choreography '" + module.text(b.name) + "'")
          << "it is not a term: " + why.reason;
      return false;
    }
    std::vector<bool> used(module.participants.size(), count == 1);
    auto use = [&](ParticipantId id) {
      if (id)
        used[id.index()] = true;
    };
    for (const Node &node : b.nodes) {
      use(node.participant);
      if (node.message) {
        use(module.message(node.message).sender);
        use(module.message(node.message).receiver);
      }
    }
    std::vector<std::string> names;
    for (size_t i = 0; i < used.size(); ++i)
      if (used[i])
        names.push_back(module.participantName(ParticipantId(i)).str());
    SequenceText to(form, os, module.text(b.name), names);
    if (!DiagramWriter(module, b, *term, format, to, diags).run())
      return false;
    to.finish();
  }
  return true;
}

bool cif::emitMermaid(const Module &module, raw_ostream &os,
                      DiagnosticEngine &diags, const EmitOptions &) {
  return emitSequence(module, os, diags, SequenceText::Mermaid);
}

bool cif::emitPlantUml(const Module &module, raw_ostream &os,
                       DiagnosticEngine &diags, const EmitOptions &) {
  return emitSequence(module, os, diags, SequenceText::PlantUml);
}
