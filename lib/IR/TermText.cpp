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

std::string cif::termText(const Module &module, const Behaviour &behaviour,
                          const Term &term) {
  std::string text;
  struct Visit {
    TermId id;
    TermId next;
    bool paren;
  };
  std::vector<Visit> path;
  auto recName = [&](NodeId node) {
    Name name = behaviour.node(node).name;
    return name.empty() ? "#" + std::to_string(node.index())
                        : module.text(name).str();
  };
  auto enter = [&](TermId id, bool paren) {
    const TermNode &node = term[id];
    if (paren)
      text += "(";
    switch (node.kind) {
    case TermKind::Done:
      text += "1";
      break;
    case TermKind::Stuck:
      text += "0";
      break;
    case TermKind::Action:
      text += module.exchangeText(behaviour.node(node.node).message);
      break;
    case TermKind::Tau:
      text += "tau";
      if (behaviour.node(node.node).participant)
        text +=
            " " +
            module.participantName(behaviour.node(node.node).participant).str();
      break;
    case TermKind::Call:
      text += recName(term[node.target].node);
      break;
    case TermKind::Guard:
      text += "[...] => ";
      break;
    case TermKind::While:
      text += "while [...] { ";
      break;
    case TermKind::Loop:
      text += node.deferred ? "loop { " : "silent loop { ";
      break;
    case TermKind::Rec:
      text += "rec " + recName(node.node) + " { ";
      break;
    default:
      break;
    }
    path.push_back({id, node.firstChild, paren});
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
