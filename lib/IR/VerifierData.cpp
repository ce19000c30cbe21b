//===- VerifierData.cpp - Rules on names, data, systems and facts ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextWords.h"
#include "VerifierRules.h"
#include "cif/IR/Names.h"
#include "cif/Support/Diagnostics/Verifier.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace cif;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Every text is UTF-8, so that every form can hold it.
void Verifier::stringsAreUtf8() {
  auto check = [&](Subject subject, const Location &loc, StringRef text) {
    if (findNotUtf8(text) == StringRef::npos)
      return;
    std::string shown;
    for (char c : text.take_front(40))
      shown += static_cast<unsigned char>(c) < 0x80 ? c : '?';
    report(subject, loc, diag::ir_not_utf8) << shown;
  };
  for (uint32_t i = 0; i < module.strings.size(); ++i)
    check({}, {}, module.text(Name(i)));
  for (uint32_t i = 0; i < module.systems.size(); ++i)
    for (const Label &l : module.systems[i].lts.labels)
      for (StringRef text : {l.sender, l.receiver, l.message})
        check({Subject::System, i}, module.systems[i].loc, text);
  for (StringRef text : module.abstractions)
    check({}, {}, text);
  for (uint32_t i = 0; i < module.facts.size(); ++i) {
    const Fact &f = module.facts[i];
    auto text = [&](StringRef s) { check({Subject::Fact, i}, {}, s); };
    auto place = [&](const Place &p) { text(p.file), text(p.element); };
    for (StringRef s : {f.property, f.subject, f.method, f.message})
      text(s);
    for (const auto &[name, value] : f.parameters)
      text(name), text(value);
    for (StringRef s : f.abstractions)
      text(s);
    place(f.at);
    for (const Note &n : f.notes)
      text(n.text), place(n.place);
    if (!f.witness)
      continue;
    text(f.witness->kind);
    text(f.witness->formula);
    for (const WitnessStep &s : f.witness->steps)
      text(s.label), text(s.note), place(s.at);
  }
}

/// A participant is known by its name.
void Verifier::participantsDiffer() {
  llvm::DenseMap<uint32_t, uint32_t> seen;
  for (size_t i = 0; i < module.participants.size(); ++i) {
    const Participant &p = module.participants[i];
    auto [first, isNew] =
        seen.try_emplace(p.name.index(), static_cast<uint32_t>(i));
    if (!isNew)
      report(Subject::Participant, i, p.loc, diag::ir_same_participant)
              .note(module.place(module.participants[first->second].loc),
                    "the first one is here")
          << module.text(p.name);
  }
}

/// A participant takes part at least `minimum` and at most `maximum` times.
void Verifier::instancesAreARange() {
  for (size_t i = 0; i < module.participants.size(); ++i) {
    const Participant &p = module.participants[i];
    if (p.minimum > p.maximum || p.maximum == 0)
      report(Subject::Participant, i, p.loc, diag::ir_instances)
          << module.text(p.name) << p.minimum << p.maximum;
  }
}

/// A message is known by its name, sender and receiver.
void Verifier::messagesDiffer() {
  llvm::DenseMap<std::pair<uint32_t, std::pair<uint32_t, uint32_t>>, uint32_t>
      seen;
  for (size_t i = 0; i < module.messages.size(); ++i) {
    const Message &m = module.messages[i];
    // Raw numbers near the top are DenseMap's own; an empty id becomes 0.
    auto end = [](ParticipantId id) { return id.raw() + 1; };
    auto [first, isNew] =
        seen.try_emplace({m.name.index(), {end(m.sender), end(m.receiver)}},
                         static_cast<uint32_t>(i));
    if (!isNew)
      report(Subject::Message, i, m.loc, diag::ir_same_message)
              .note(module.place(module.messages[first->second].loc),
                    "the first one is here")
          << module.exchangeText(MessageId(i));
  }
}

/// A message has a sender or a receiver.
void Verifier::messagesHaveAnEnd() {
  for (size_t i = 0; i < module.messages.size(); ++i) {
    const Message &m = module.messages[i];
    if (!m.sender && !m.receiver)
      report(Subject::Message, i, m.loc, diag::ir_message_ends)
          << module.text(m.name);
  }
}

/// An enumeration is known by its name, and its literals differ.
void Verifier::enumerationsAreSets() {
  llvm::DenseSet<uint32_t> names;
  for (size_t i = 0; i < module.enumerations.size(); ++i) {
    const Enumeration &e = module.enumerations[i];
    if (!names.insert(e.name.index()).second)
      report(Subject::Enumeration, i, e.loc, diag::ir_enumeration)
          << "enumeration" << module.text(e.name);
    llvm::DenseSet<uint32_t> literals;
    for (Name literal : e.literals)
      if (!literals.insert(literal.index()).second)
        report(Subject::Enumeration, i, e.loc, diag::ir_enumeration)
            << "literal" << module.text(literal);
  }
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// Only literals have values, only leaves have names, and a literal of an
/// enumeration is one of its literals.
void Verifier::exprsHoldWhatTheyNeed() {
  llvm::DenseSet<std::pair<uint32_t, uint32_t>> literals;
  for (uint32_t i = 0; i < module.enumerations.size(); ++i)
    for (Name literal : module.enumerations[i].literals)
      literals.insert({i, literal.index()});
  for (size_t i = 0; i < module.exprs.size(); ++i) {
    const Expr &e = module.exprs[i];
    bool hasName = e.op >= ExprOp::StringLiteral && e.op <= ExprOp::Opaque;
    const char *wrong = nullptr;
    if (e.value && e.op != ExprOp::IntLiteral && e.op != ExprOp::BoolLiteral)
      wrong = "a value";
    else if (e.op == ExprOp::BoolLiteral && e.value != 0 && e.value != 1)
      wrong = "a Boolean value other than 0 and 1";
    else if (!hasName && !e.name.empty())
      wrong = "a name";
    else if (e.op == ExprOp::EnumLiteral &&
             (!e.sort.isEnum() ||
              !literals.contains({e.sort.enumIndex(), e.name.index()})))
      wrong = "a literal that its enumeration does not have";
    if (wrong)
      report(Subject::Expr, i, e.loc, diag::ir_expr) << i << wrong;
  }
}

/// Operands have the sorts that their operator takes, and it has the sort that
/// it gives. An unknown sort fits everywhere.
void Verifier::sortsFit() {
  auto fits = [](Sort s, Sort wanted) {
    return s == unknownSort || s == wanted;
  };
  for (size_t i = 0; i < module.exprs.size(); ++i) {
    const Expr &e = module.exprs[i];
    const OperatorInfo &op = operatorInfo(e.op);
    bool good = op.makes == unknownSort || e.sort == op.makes;
    if (op.operands) {
      Sort left = module.expr(e.lhs).sort;
      Sort wanted = op.takes == unknownSort ? left : op.takes;
      good = fits(e.sort, op.makes) && fits(left, wanted) &&
             (!e.rhs || wanted == unknownSort ||
              fits(module.expr(e.rhs).sort, wanted));
    }
    if (!good)
      report(Subject::Expr, i, e.loc, diag::ir_sorts) << i;
  }
}

//===----------------------------------------------------------------------===//
// Systems
//===----------------------------------------------------------------------===//

/// The arrays of an LTS agree.
void Verifier::ltsIsWellFormed() {
  for (size_t i = 0; i < module.systems.size(); ++i) {
    const SystemDecl &s = module.systems[i];
    if (std::string wrong = verifyLts(s.lts); !wrong.empty())
      report(Subject::System, i, s.loc, diag::ir_lts)
          << module.text(s.name) << wrong;
  }
}

/// A label holds nothing beyond what its kind shows.
void Verifier::labelsHoldWhatTheyNeed() {
  for (size_t i = 0; i < module.systems.size(); ++i) {
    const SystemDecl &s = module.systems[i];
    for (const Label &l : s.lts.labels) {
      bool hasEnds = l.kind == LabelKind::Exchange ||
                     l.kind == LabelKind::Send || l.kind == LabelKind::Receive;
      bool hasMessage = hasEnds || l.kind == LabelKind::Plain;
      if ((!hasEnds && (!l.sender.empty() || !l.receiver.empty())) ||
          (!hasMessage && !l.message.empty()))
        report(Subject::System, i, s.loc, diag::ir_label)
            << module.text(s.name) << labelText(l);
    }
  }
}

/// Either no transition has a line or each has one.
void Verifier::transitionLinesAreComplete() {
  for (size_t i = 0; i < module.systems.size(); ++i) {
    const SystemDecl &s = module.systems[i];
    if (!s.transitionLines.empty() &&
        s.transitionLines.size() != s.lts.numTransitions())
      report(Subject::System, i, s.loc, diag::ir_transition_lines)
          << module.text(s.name) << s.transitionLines.size()
          << s.lts.numTransitions();
  }
}

/// A peer is somebody's.
void Verifier::peersHaveAnOwner() {
  for (size_t i = 0; i < module.systems.size(); ++i) {
    const SystemDecl &s = module.systems[i];
    if (s.role == SystemRole::Peer && !s.owner)
      report(Subject::System, i, s.loc, diag::ir_peer_owner)
          << module.text(s.name);
  }
}

/// The node of a message flow is a node of some behaviour.
void Verifier::messageFlowsHaveEnds() {
  for (size_t i = 0; i < module.messageFlows.size(); ++i) {
    const MessageFlow &f = module.messageFlows[i];
    if ((f.sourceNode && !f.sourceBehaviour) ||
        (f.targetNode && !f.targetBehaviour))
      report(Subject::MessageFlow, i, f.loc, diag::ir_message_flow) << i;
  }
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

/// Who says "violated" shows why.
void Verifier::violatedHasWitness() {
  for (size_t i = 0; i < module.facts.size(); ++i) {
    const Fact &f = module.facts[i];
    if (f.verdict == Verdict::Violated && !f.witness)
      report(Subject::Fact, i, {}, diag::ir_no_witness) << f.property;
  }
}

/// A lasso's cycle begins at one of its steps.
void Verifier::witnessLoopsWithin() {
  for (size_t i = 0; i < module.facts.size(); ++i) {
    const Fact &f = module.facts[i];
    if (f.witness && f.witness->loopStart &&
        *f.witness->loopStart >= f.witness->steps.size())
      report(Subject::Fact, i, {}, diag::ir_witness_loop)
          << f.property << *f.witness->loopStart << f.witness->steps.size();
  }
}
