//===- TermText.cpp - Terms as text ---------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
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

/// What stands before the subterms of \p id, or all of it.
static std::string beginningOf(const Module &module, const Behaviour &behaviour,
                               const Term &term, TermId id) {
  const TermNode &node = term[id];
  auto recName = [&](NodeId rec) {
    Name name = behaviour.node(rec).name;
    return name.empty() ? "#" + std::to_string(rec.index())
                        : module.text(name).str();
  };
  switch (node.kind) {
  case TermKind::Done:
    return "1";
  case TermKind::Stuck:
    return "0";
  case TermKind::Action:
    return module.exchangeText(behaviour.node(node.node).message);
  case TermKind::Tau: {
    ParticipantId who = behaviour.node(node.node).participant;
    return who ? "tau " + module.participantName(who).str() : "tau";
  }
  case TermKind::Call:
    return recName(term[node.target].node);
  case TermKind::Guard:
    return "[...] => ";
  case TermKind::While:
    return "while [...] { ";
  case TermKind::Loop:
    return node.deferred ? "loop { " : "silent loop { ";
  case TermKind::Rec:
    return "rec " + recName(node.node) + " { ";
  default:
    return "";
  }
}

std::string cif::termText(const Module &module, const Behaviour &behaviour,
                          const Term &term) {
  std::string text;
  struct Visit {
    TermId id;
    TermId next;
    bool paren;
  };
  std::vector<Visit> path;
  auto enter = [&](TermId id, bool paren) {
    if (paren)
      text += "(";
    text += beginningOf(module, behaviour, term, id);
    path.push_back({id, term[id].firstChild, paren});
  };
  enter(term.root(), false);
  while (!path.empty()) {
    Visit &visit = path.back();
    const TermNode &node = term[visit.id];
    if (visit.next) {
      TermId child = visit.next;
      if (child != node.firstChild)
        text += node.kind == TermKind::Sequence   ? " ; "
                : node.kind == TermKind::Parallel ? " || "
                : node.kind == TermKind::Choice
                    ? (node.deferred ? " + " : " (+) ")
                    : " [> ";
      visit.next = term[child].nextSibling;
      int outer = termPrecedence(node.kind);
      bool paren = outer < 5 && term[child].numChildren &&
                   termPrecedence(term[child].kind) <= outer;
      enter(child, paren); // `visit` is gone after this
      continue;
    }
    if (node.kind == TermKind::While || node.kind == TermKind::Loop ||
        node.kind == TermKind::Rec)
      text += " }";
    if (visit.paren)
      text += ")";
    path.pop_back();
  }
  return text;
}
