//===- Verifier.cpp - What must hold of every module ----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The verifier's order, and the rules that all others rely on: that what is
/// named by an index exists. If one of these is violated, the others are not
/// checked.
///
//===----------------------------------------------------------------------===//

#include "cif/Support/Diagnostics/Verifier.h"
#include "VerifierRules.h"
#include "cif/IR/Operators.h"

using namespace cif;

bool cif::verify(const Module &module, DiagnosticEngine &diags,
                 PlaceFinder fallback) {
  return Verifier(module, diags, fallback).run();
}

bool Verifier::run() {
  indexesExist();
  operandsComeFirst();
  if (!ok)
    return false;

  stringsAreUtf8();
  participantsDiffer();
  instancesAreARange();
  messagesDiffer();
  messagesHaveAnEnd();
  enumerationsAreSets();
  exprsHoldWhatTheyNeed();
  sortsFit();
  for (behaviourIndex = 0; behaviourIndex < module.behaviours.size();
       ++behaviourIndex) {
    behaviour = &module.behaviours[behaviourIndex];
    behaviourRules();
  }
  ltsIsWellFormed();
  labelsHoldWhatTheyNeed();
  transitionLinesAreComplete();
  peersHaveAnOwner();
  messageFlowsHaveEnds();
  violatedHasWitness();
  witnessLoopsWithin();
  return ok;
}

DiagnosticBuilder Verifier::report(Subject subject, const Location &loc,
                                   diag::Kind kind) {
  ok = false;
  if (loc.source && loc.source.index() < module.sources.size() &&
      module.sources[loc.source.index()].path.index() < module.strings.size() &&
      loc.element.index() < module.strings.size())
    return diags.report(module.place(loc), kind);
  return diags.report(fallback ? fallback(subject) : Place(), kind);
}

DiagnosticBuilder Verifier::atNode(size_t index, diag::Kind kind) {
  return report(
      Subject{Subject::Node, static_cast<uint32_t>(index), behaviourIndex},
      behaviour->nodes[index].loc, kind);
}

DiagnosticBuilder Verifier::atFlow(size_t index, diag::Kind kind) {
  return report(
      Subject{Subject::Flow, static_cast<uint32_t>(index), behaviourIndex},
      behaviour->flows[index].loc, kind);
}

std::string Verifier::describe(NodeId id) const {
  return (nodeKindText(behaviour->node(id).kind) + " n" + Twine(id.index()))
      .str();
}

//===----------------------------------------------------------------------===//
// Indexes
//===----------------------------------------------------------------------===//

template <class Id>
void Verifier::exists(Subject subject, const Location &loc, Id id, size_t count,
                      StringRef what) {
  if (id && id.index() >= count)
    report(subject, loc, diag::ir_no_such_index) << what << id.index() << count;
}

template <class Enum>
void Verifier::enumeratorExists(Subject subject, const Location &loc,
                                Enum value, Enum last, StringRef what) {
  if (value > last)
    report(subject, loc, diag::ir_no_such_index)
        << what << unsigned(value) << unsigned(last) + 1;
}

void Verifier::nameExists(Subject subject, const Location &loc, Name name) {
  if (name.index() >= module.strings.size())
    report(subject, loc, diag::ir_no_such_index)
        << "string" << name.index() << module.strings.size();
}

void Verifier::locationExists(Subject subject, const Location &loc) {
  exists(subject, loc, loc.source, module.sources.size(), "source");
  nameExists(subject, loc, loc.element);
}

void Verifier::sortExists(Subject subject, const Location &loc, Sort sort) {
  if (sort.isEnum() ? sort.enumIndex() >= module.enumerations.size()
                    : sort.value > stringSort.value)
    report(subject, loc, diag::ir_no_such_index)
        << "sort" << sort.value
        << (Sort::firstEnum + module.enumerations.size());
}

void Verifier::indexesExist() {
  size_t participants = module.participants.size();
  Subject whole;
  nameExists(whole, {}, module.name);
  for (const Source &s : module.sources) {
    nameExists(whole, {}, s.path);
    nameExists(whole, {}, s.language);
    nameExists(whole, {}, s.sha256);
  }
  auto each = [](const auto &items, Subject::Kind kind, auto check) {
    for (uint32_t i = 0; i < items.size(); ++i)
      check(Subject{kind, i}, items[i]);
  };
  each(module.participants, Subject::Participant,
       [&](Subject s, const Participant &p) {
         locationExists(s, p.loc);
         nameExists(s, p.loc, p.name);
       });
  each(module.enumerations, Subject::Enumeration,
       [&](Subject s, const Enumeration &e) {
         locationExists(s, e.loc);
         nameExists(s, e.loc, e.name);
         for (Name literal : e.literals)
           nameExists(s, e.loc, literal);
       });
  each(module.messages, Subject::Message, [&](Subject s, const Message &m) {
    locationExists(s, m.loc);
    nameExists(s, m.loc, m.name);
    exists(s, m.loc, m.sender, participants, "participant");
    exists(s, m.loc, m.receiver, participants, "participant");
    for (const Field &f : m.fields) {
      nameExists(s, m.loc, f.name);
      sortExists(s, m.loc, f.sort);
    }
  });
  each(module.exprs, Subject::Expr, [&](Subject s, const Expr &e) {
    locationExists(s, e.loc);
    nameExists(s, e.loc, e.name);
    sortExists(s, e.loc, e.sort);
    enumeratorExists(s, e.loc, e.op, ExprOp::GreaterEqual, "operator");
    exists(s, e.loc, e.lhs, module.exprs.size(), "expression");
    exists(s, e.loc, e.rhs, module.exprs.size(), "expression");
  });
  for (behaviourIndex = 0; behaviourIndex < module.behaviours.size();
       ++behaviourIndex)
    behaviourIndexesExist(module.behaviours[behaviourIndex]);
  each(module.messageFlows, Subject::MessageFlow,
       [&](Subject s, const MessageFlow &f) {
         locationExists(s, f.loc);
         exists(s, f.loc, f.message, module.messages.size(), "message");
         auto end = [&](BehaviourId b, NodeId n) {
           exists(s, f.loc, b, module.behaviours.size(), "behaviour");
           if (b && b.index() < module.behaviours.size())
             exists(s, f.loc, n, module.behaviours[b.index()].nodes.size(),
                    "node");
         };
         end(f.sourceBehaviour, f.sourceNode);
         end(f.targetBehaviour, f.targetNode);
       });
  each(module.systems, Subject::System, [&](Subject s, const SystemDecl &d) {
    locationExists(s, d.loc);
    nameExists(s, d.loc, d.name);
    exists(s, d.loc, d.owner, participants, "participant");
    enumeratorExists(s, d.loc, d.role, SystemRole::Controller, "role");
    for (const Label &l : d.lts.labels)
      enumeratorExists(s, d.loc, l.kind, LabelKind::Tick, "kind of label");
  });
  each(module.facts, Subject::Fact, [&](Subject s, const Fact &f) {
    enumeratorExists(s, {}, f.verdict, Verdict::Inconclusive, "verdict");
  });
}

void Verifier::behaviourIndexesExist(const Behaviour &b) {
  size_t participants = module.participants.size(),
         messages = module.messages.size(), exprs = module.exprs.size(),
         nodes = b.nodes.size();
  behaviour = &b;
  Subject s{Subject::Behaviour, behaviourIndex};
  locationExists(s, b.loc);
  nameExists(s, b.loc, b.name);
  exists(s, b.loc, b.owner, participants, "participant");
  enumeratorExists(s, b.loc, b.kind, BehaviourKind::Controller,
                   "kind of behaviour");
  for (ExprId e : b.arguments)
    exists(s, b.loc, e, exprs, "expression");
  for (const Attribute &a : b.attributes) {
    exists(s, b.loc, a.node, nodes, "node");
    nameExists(s, b.loc, a.key);
    nameExists(s, b.loc, a.value);
  }
  for (uint32_t i = 0; i < nodes; ++i) {
    const Node &n = b.nodes[i];
    s = {Subject::Node, i, behaviourIndex};
    locationExists(s, n.loc);
    nameExists(s, n.loc, n.name);
    enumeratorExists(s, n.loc, n.kind, static_cast<NodeKind>(numNodeKinds - 1),
                     "kind of node");
    enumeratorExists(s, n.loc, n.trigger, Trigger::Race, "trigger");
    enumeratorExists(s, n.loc, n.loop, LoopKind::MultiParallel, "kind of loop");
    exists(s, n.loc, n.parent, nodes, "node");
    exists(s, n.loc, n.attachedTo, nodes, "node");
    exists(s, n.loc, n.message, messages, "message");
    exists(s, n.loc, n.reply, messages, "message");
    exists(s, n.loc, n.participant, participants, "participant");
    exists(s, n.loc, n.condition, exprs, "expression");
  }
  for (uint32_t i = 0; i < b.flows.size(); ++i) {
    const Flow &f = b.flows[i];
    s = {Subject::Flow, i, behaviourIndex};
    locationExists(s, f.loc);
    nameExists(s, f.loc, f.name);
    exists(s, f.loc, f.guard, exprs, "expression");
    for (NodeId end : {f.source, f.target}) {
      exists(s, f.loc, end, nodes, "node");
      if (!end)
        report(s, f.loc, diag::ir_flow_end) << i;
    }
  }
  argumentsAreThere(b);
}

/// A node's arguments are a part of the behaviour's.
void Verifier::argumentsAreThere(const Behaviour &b) {
  for (size_t i = 0; i < b.nodes.size(); ++i) {
    const Node &n = b.nodes[i];
    if (!n.numArguments)
      continue;
    if (n.firstArgument > b.arguments.size() ||
        n.numArguments > b.arguments.size() - n.firstArgument) {
      atNode(i, diag::ir_arguments)
          << i << n.firstArgument << uint64_t(n.firstArgument) + n.numArguments
          << b.arguments.size();
      continue;
    }
    for (uint32_t a = 0; a < n.numArguments; ++a)
      if (!b.arguments[n.firstArgument + a])
        atNode(i, diag::ir_arguments)
            << i << n.firstArgument + a << n.firstArgument + a + 1
            << b.arguments.size();
  }
}

/// An operator has the operands that it takes, and they come before it.
void Verifier::operandsComeFirst() {
  for (size_t i = 0; i < module.exprs.size(); ++i) {
    const Expr &e = module.exprs[i];
    if (e.op > ExprOp::GreaterEqual)
      continue; // reported as such
    unsigned wanted = operatorInfo(e.op).operands;
    if (bool(e.lhs) != (wanted >= 1) || bool(e.rhs) != (wanted == 2) ||
        (e.lhs && e.lhs.index() >= i) || (e.rhs && e.rhs.index() >= i))
      report(Subject::Expr, i, e.loc, diag::ir_operands) << i << wanted;
  }
}
