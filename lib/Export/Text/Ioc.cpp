//===- Ioc.cpp - Behaviours as terms --------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Choreographies, and processes as the roles of a system, in the language of
/// docs/ioc.md. What has no term (recoverTerm says why) is refused, and so are
/// guards that nobody understands. Where a choice or loop is decided silently
/// the decision is written as an internal step.
///
//===----------------------------------------------------------------------===//

#include "Enumerations.h"
#include "cif/Export/Emitter.h"
#include "cif/IR/ExprText.h"
#include "cif/IR/Names.h"
#include "cif/IR/Operators.h"
#include "cif/IR/Term.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <set>

using namespace cif;

namespace {
/// A name, in quotes where a keyword would be read.
std::string nameText(StringRef name) {
  for (StringRef keyword : {"while", "loop", "rec", "tau", "true", "false"})
    if (name == keyword)
      return quoteAlways(name);
  return quoted(name);
}

/// Writes the term of one behaviour.
class TermWriter {
public:
  TermWriter(const Module &from, const Behaviour &of, const Term &its,
             DiagnosticEngine &engine)
      : module(from), behaviour(of), flows(of), term(its), diags(engine),
        global(of.kind == BehaviourKind::Choreography) {}

  bool run(raw_ostream &to) {
    // Children stand before their parents.
    steps.resize(term.size());
    ends.resize(term.size());
    for (uint32_t i = 0; i < term.size(); ++i) {
      const TermNode &node = term.nodes[i];
      if (node.kind == TermKind::Choice && !node.deferred)
        silent.insert(node.node);
      steps[i] = node.kind == TermKind::Action || node.kind == TermKind::Tau;
      ends[i] = node.kind == TermKind::Done;
      for (TermId c = node.firstChild; c; c = term[c].nextSibling) {
        steps[i] = steps[i] || steps[c.index()];
        ends[i] = ends[i] || ends[c.index()];
      }
    }
    enter(term.root(), 0);
    while (ok && !path.empty())
      step();
    to << text;
    return ok;
  }

private:
  struct Visit {
    TermId id, next;
    std::string after; ///< what closes it
  };

  bool refuse(NodeId node, const Twine &why) {
    if (ok)
      diags.report(
          module.place(node ? behaviour.node(node).loc : behaviour.loc),
          diag::emit_node)
          << "ioc"
          << (node ? nodeKindText(behaviour.node(node).kind)
                   : behaviourKindText(behaviour.kind))
          << why;
    return ok = false;
  }

  ParticipantId senderAt(NodeId n) const {
    const Node &node = behaviour.node(n);
    return node.kind == NodeKind::Interaction
               ? module.message(node.message).sender
               : ParticipantId();
  }

  /// Who sends next behind \p split, or anybody: an internal step of a
  /// choreography is some participant's.
  ParticipantId someDecider(NodeId split) const {
    constexpr size_t most = 1000;
    std::vector<NodeId> found{split};
    std::set<NodeId> seen{split};
    for (size_t i = 0; i < found.size() && i < most; ++i) {
      if (ParticipantId who = senderAt(found[i]))
        return who;
      for (FlowId f : flows.outgoing(found[i]))
        if (NodeId to = behaviour.flow(f).target; seen.insert(to).second)
          found.push_back(to);
    }
    return module.participants.empty() ? ParticipantId() : ParticipantId(0);
  }

  /// An internal step that decides for \p branch.
  std::string decision(TermId branch, NodeId split) const {
    if (!global)
      return "tau";
    ParticipantId who = behaviour.node(split).participant;
    for (TermId at = branch; at && !who; at = term[at].firstChild)
      if (term[at].kind == TermKind::Action)
        who = senderAt(term[at].node);
    if (!who)
      who = someDecider(split);
    return "tau " + nameText(module.participantName(who));
  }

  /// Whether the first step of \p branch decides for it at \p split: behind its
  /// guard, or in a choice among those branches of the split that meet again.
  bool decidesItself(TermId branch, NodeId split) const {
    while (term[branch].kind == TermKind::Sequence)
      branch = term[branch].firstChild;
    return (term[branch].kind == TermKind::Guard ||
            term[branch].kind == TermKind::Choice) &&
           term[branch].node == split;
  }

  std::string recName(TermId id) {
    auto [at, isNew] = recs.try_emplace(id, "");
    if (isNew)
      at->second = "X" + std::to_string(recs.size());
    return at->second;
  }

  std::string sortText(Sort sort, NodeId node) {
    if (sort == boolSort)
      return "bool";
    if (sort == intSort)
      return "int";
    if (sort == stringSort)
      return "string";
    if (sort.isEnum())
      return nameText(module.text(module.enumerations[sort.enumIndex()].name));
    refuse(node, "a field has no sort");
    return "";
  }

  std::string guardText(ExprId guard, NodeId node) {
    for (ExprId id : partsOf(module, guard))
      if (module.expr(id).op == ExprOp::Opaque)
        refuse(node, "the text of a condition is not an expression");
    return exprText(module, guard);
  }

  /// The condition of a guarded branch; that of a default flow is that none of
  /// the others holds.
  std::string conditionOf(TermId id) {
    const TermNode &node = term[id];
    NodeId at = behaviour.flow(node.flow).source;
    if (ExprId guard = behaviour.flow(node.flow).guard)
      return guardText(guard, at);
    std::string others;
    for (FlowId f : flows.outgoing(at))
      if (ExprId guard = behaviour.flow(f).guard)
        others +=
            (others.empty() ? "" : " || ") + ("(" + guardText(guard, at) + ")");
    return others.empty() ? "true" : "!(" + others + ")";
  }

  void action(const TermNode &t) {
    const Node &node = behaviour.node(t.node);
    const Message &m = module.message(node.message);
    bool sends = global || m.sender == behaviour.owner;
    if (global)
      text += nameText(module.participantName(m.sender)) + " -> " +
              nameText(module.participantName(m.receiver)) + " : " +
              nameText(module.text(m.name));
    else if (ParticipantId other = sends ? m.receiver : m.sender)
      text += nameText(module.participantName(other)) + (sends ? "!" : "?") +
              nameText(module.text(m.name));
    else
      text += nameText(module.text(m.name)) + (sends ? "!" : "?");
    std::string payload;
    auto add = [&](const std::string &item) {
      payload += (payload.empty() ? "" : ", ") + item;
    };
    auto declare = [&](StringRef name, Sort sort) {
      known.insert(name);
      add(nameText(name) + ": " + sortText(sort, t.node));
    };
    if (!node.numArguments)
      for (const Field &field : m.fields)
        declare(module.text(field.name), field.sort);
    for (uint32_t a = 0; a < node.numArguments; ++a) {
      ExprId id = behaviour.arguments[node.firstArgument + a];
      const Expr &e = module.expr(id);
      bool variable = e.op == ExprOp::Variable;
      // A role that receives binds; one that sends a variable without a value
      // chooses it.
      bool binds =
          variable && (node.flags & BindsArguments || !sends ||
                       (!global && !known.contains(module.text(e.name))));
      bool hasField = a < m.fields.size();
      Sort sort = hasField ? m.fields[a].sort : e.sort;
      if (binds)
        declare(module.text(e.name), sort);
      else if (!sends)
        declare(hasField ? module.text(m.fields[a].name) : StringRef("value"),
                sort);
      else
        add(guardText(id, t.node));
    }
    if (!payload.empty())
      text += "(" + payload + ")";
  }

  /// Begins \p id as an operand of something that binds \p least tightly.
  void enter(TermId id, int least) {
    const TermNode &node = term[id];
    std::string after;
    const bool hasParts = node.numChildren != 0;
    if (hasParts && termPrecedence(node.kind) < least) {
      text += "( ";
      after = " )";
    }
    switch (node.kind) {
    case TermKind::Done:
      text += "1";
      break;
    case TermKind::Stuck:
      text += "0";
      break;
    case TermKind::Action:
      action(node);
      break;
    case TermKind::Tau:
      text += "tau";
      if (ParticipantId who = behaviour.node(node.node).participant;
          who && global)
        text += " " + nameText(module.participantName(who));
      break;
    case TermKind::Call:
      text += recName(node.target);
      break;
    case TermKind::Guard:
      text += "[" + conditionOf(id) + "] => ";
      if (silent.count(node.node))
        text += decision(id, node.node) + " ; ";
      break;
    case TermKind::While:
      text += "while [" + conditionOf(id) + "] { ";
      after = " }" + after;
      break;
    case TermKind::Loop:
      if (node.deferred) {
        text += "loop { ";
        after = " }" + after;
        break;
      }
      // Once more or on: each is a silent step.
      text += "rec " + recName(id) + " { " + decision(id, node.node) + " ; ";
      after =
          " ; " + recName(id) + " + " + decision(id, node.node) + " }" + after;
      break;
    case TermKind::Rec:
      if (!steps[id.index()]) { // what a projection leaves of it
        text += ends[id.index()] ? "1" : "0";
        path.push_back({id, TermId(), after});
        return;
      }
      text += "rec " + recName(id) + " { ";
      after = " }" + after;
      break;
    default:
      break;
    }
    path.push_back({id, node.firstChild, std::move(after)});
  }

  void step() {
    Visit &visit = path.back();
    const TermNode node = term[visit.id];
    if (!visit.next) {
      text += visit.after;
      path.pop_back();
      return;
    }
    TermId child = visit.next;
    if (child != node.firstChild)
      text += node.kind == TermKind::Sequence   ? " ; "
              : node.kind == TermKind::Parallel ? " || "
              : node.kind == TermKind::Choice   ? " + "
                                                : " [> ";
    visit.next = term[child].nextSibling;
    int least = 0;
    switch (node.kind) {
    case TermKind::Sequence:
      // A guard takes the rest of its sequence: it stands in parentheses.
      least = 5;
      break;
    case TermKind::Parallel:
    case TermKind::Choice:
    case TermKind::Interrupt:
      least = termPrecedence(node.kind) + 1;
      break;
    case TermKind::Guard:
      least = 4;
      break;
    case TermKind::Loop:
      least = node.deferred ? 0 : 5;
      break;
    default:
      break;
    }
    if (node.kind == TermKind::Choice && !node.deferred &&
        !decidesItself(child, node.node)) {
      text += decision(child, node.node) + " ; ";
      least = 4;
    }
    enter(child, least); // `visit` is gone after this
  }

  const Module &module;
  const Behaviour &behaviour;
  FlowIndex flows;
  const Term &term;
  DiagnosticEngine &diags;
  const bool global;
  bool ok = true;
  std::string text;
  std::vector<Visit> path;
  std::map<TermId, std::string> recs;
  std::vector<bool> steps, ends; ///< by term: has a step, has a `1`
  std::set<NodeId> silent;       ///< choices that a silent step decides
  llvm::StringSet<> known; ///< variables that have a value, in textual order
};
} // namespace

/// The attribute that the reader of IOC gives to the roles of a system.
static StringRef systemOf(const Module &module, const Behaviour &behaviour) {
  for (const Attribute &a : behaviour.attributes)
    if (!a.node && module.text(a.key) == "system")
      return module.text(a.value);
  return "Peers";
}

static bool writeTerm(const Module &module, const Behaviour &behaviour,
                      raw_ostream &os, DiagnosticEngine &diags) {
  TermBreak why;
  std::optional<Term> term = recoverTerm(behaviour, &why);
  if (!term) {
    diags.report(
        module.place(why.node ? behaviour.node(why.node).loc : behaviour.loc),
        diag::emit_node)
        << "ioc"
        << (behaviourKindText(behaviour.kind) + " '" +
            module.text(behaviour.name) + "'")
        << "it is not a term: " + why.reason;
    return false;
  }
  return TermWriter(module, behaviour, *term, diags).run(os);
}

bool cif::emitIoc(const Module &module, raw_ostream &os,
                  DiagnosticEngine &diags, const EmitOptions &) {
  if (module.behaviours.empty()) {
    diags.report(diag::emit_nothing) << "ioc"
                                     << "behaviour";
    return false;
  }
  if (!printEnumerations(module, "ioc", os, diags))
    return false;
  std::vector<StringRef> systems;
  for (const Behaviour &b : module.behaviours) {
    if (b.kind != BehaviourKind::Choreography) {
      if (!llvm::is_contained(systems, systemOf(module, b)))
        systems.push_back(systemOf(module, b));
      continue;
    }
    os << "choreography " << nameText(module.text(b.name)) << " {\n  ";
    if (!writeTerm(module, b, os, diags))
      return false;
    os << "\n}\n";
  }
  for (StringRef system : systems) {
    os << "system " << nameText(system) << " {\n";
    for (const Behaviour &b : module.behaviours) {
      if (b.kind == BehaviourKind::Choreography ||
          systemOf(module, b) != system)
        continue;
      os << "  role " << nameText(module.participantName(b.owner)) << " { ";
      if (!writeTerm(module, b, os, diags))
        return false;
      os << " }\n";
    }
    os << "}\n";
  }
  return true;
}
