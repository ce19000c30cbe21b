//===- LtlFormula.cpp - Formulas and their words --------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/LTS/Operations.h"
#include "cif/Temporal/Ltl.h"

using namespace cif;
using namespace cif::ltl;

FormulaId Formulas::make(Node node) {
  // Formulas are short: people write them.
  for (FormulaId f = 0; f < nodes.size(); ++f)
    if (nodes[f] == node)
      return f;
  nodes.push_back(node);
  return nodes.size() - 1;
}

FormulaId Formulas::negate(FormulaId f) {
  if (f <= no)
    return f == yes ? no : yes;
  return nodes[f].op == Op::Not ? nodes[f].lhs : make({Op::Not, f, 0});
}

FormulaId Formulas::both(FormulaId a, FormulaId b) {
  if (a == no || b == no)
    return no;
  if (a == yes || a == b)
    return b;
  return b == yes ? a : make({Op::And, a, b});
}

FormulaId Formulas::either(FormulaId a, FormulaId b) {
  if (a == yes || b == yes)
    return yes;
  if (a == no || a == b)
    return b;
  return b == no ? a : make({Op::Or, a, b});
}

FormulaId Formulas::normal(FormulaId root, bool negated) {
  // Operands have smaller numbers: one pass gives both forms of each.
  std::vector<FormulaId> as[2];
  for (FormulaId f = 0; f <= root; ++f) {
    const Node node = nodes[f];
    auto of = [&](uint32_t operand, bool negate) {
      return as[negate][operand];
    };
    for (bool negate : {false, true}) {
      FormulaId made = 0;
      switch (node.op) {
      case Op::True:
      case Op::False:
        made = (node.op == Op::True) != negate ? yes : no;
        break;
      case Op::Atom:
        made = negate ? make({Op::Not, f, 0}) : f;
        break;
      case Op::Not:
        made = of(node.lhs, !negate);
        break;
      case Op::And:
      case Op::Or:
        made = (node.op == Op::And) != negate
                   ? both(of(node.lhs, negate), of(node.rhs, negate))
                   : either(of(node.lhs, negate), of(node.rhs, negate));
        break;
      case Op::Next:
        made = next(of(node.lhs, negate));
        break;
      case Op::Until:
      case Op::Release:
        made = (node.op == Op::Until) != negate
                   ? until(of(node.lhs, negate), of(node.rhs, negate))
                   : release(of(node.lhs, negate), of(node.rhs, negate));
        break;
      }
      as[negate].push_back(made);
    }
  }
  return as[negated][root];
}

bool ltl::holdsOn(const Formulas &formulas, FormulaId root, const Word &word) {
  const size_t loop = word.stem.size(), size = loop + word.cycle.size();
  auto position = [&](size_t i) -> const std::vector<bool> & {
    return i < loop ? word.stem[i] : word.cycle[i - loop];
  };
  auto after = [&](size_t i) { return i + 1 < size ? i + 1 : loop; };
  std::vector<std::vector<bool>> holds(root + 1);
  for (FormulaId f = 0; f <= root; ++f) {
    const Formulas::Node &node = formulas[f];
    std::vector<bool> &now = holds[f];
    now.resize(size, node.op == Op::True || node.op == Op::Release);
    switch (node.op) {
    case Op::True:
    case Op::False:
      break;
    case Op::Atom:
      for (size_t i = 0; i < size; ++i)
        now[i] = position(i)[node.lhs];
      break;
    case Op::Not:
      for (size_t i = 0; i < size; ++i)
        now[i] = !holds[node.lhs][i];
      break;
    case Op::And:
    case Op::Or:
      for (size_t i = 0; i < size; ++i)
        now[i] = node.op == Op::And ? holds[node.lhs][i] && holds[node.rhs][i]
                                    : holds[node.lhs][i] || holds[node.rhs][i];
      break;
    case Op::Next:
      for (size_t i = 0; i < size; ++i)
        now[i] = holds[node.lhs][after(i)];
      break;
    case Op::Until:
    case Op::Release:
      // Fixed points: least from false, greatest from true. Twice round the
      // cycle carries a value everywhere.
      for (unsigned round = 0; round < 2; ++round)
        for (size_t i = size; i-- > 0;)
          now[i] =
              node.op == Op::Until
                  ? holds[node.rhs][i] || (holds[node.lhs][i] && now[after(i)])
                  : holds[node.rhs][i] && (holds[node.lhs][i] || now[after(i)]);
      break;
    }
  }
  return holds[root][0];
}

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

bool Atom::holdsFor(uint64_t number) const {
  switch (relation) {
  case Less:
    return number < count;
  case AtMost:
    return number <= count;
  case Equal:
    return number == count;
  case Different:
    return number != count;
  case AtLeast:
    return number >= count;
  case More:
    return number > count;
  }
  llvm_unreachable("unknown relation");
}

bool Atom::matches(const Label &label) const {
  auto fits = [](StringRef wanted, StringRef there) {
    return wanted.empty() || wanted == there;
  };
  switch (kind) {
  case Message:
    return label.kind == LabelKind::Plain || label.kind == LabelKind::Tick
               ? namesLabel(message, label)
               : label.kind != LabelKind::Tau && label.message == message;
  case Exchange:
  case Send:
  case Receive:
    return label.kind == (kind == Exchange ? LabelKind::Exchange
                          : kind == Send   ? LabelKind::Send
                                           : LabelKind::Receive) &&
           label.message == message && fits(sender, label.sender) &&
           fits(receiver, label.receiver);
  case End:
  case Done:
  case Stuck:
  case Tokens:
  case Messages:
  case Active:
    return false;
  case Bit:
    return count < label.message.size() && label.message[count] == '1';
  }
  llvm_unreachable("unknown kind of atom");
}

std::string Atom::text() const {
  switch (kind) {
  case Message:
    return message;
  case Exchange:
    return sender + "->" + receiver + ":" + message;
  case Send:
    return sender.empty() ? receiver + "!" + message
                          : sender + "!" + receiver + ":" + message;
  case Receive:
    return receiver.empty() ? sender + "?" + message
                            : receiver + "?" + sender + ":" + message;
  case End:
    return "end";
  case Done:
    return "done";
  case Stuck:
    return "stuck";
  case Tokens:
  case Messages:
  case Active: {
    static const char *const signs[] = {
        " < ", " <= ", " == ", " != ", " >= ", " > "};
    static const char *const what[] = {"tokens(", "messages(", "active("};
    return what[kind - Tokens] + message + ")" +
           (kind == Active ? "" : signs[relation] + std::to_string(count));
  }
  case Bit:
    return "bit " + std::to_string(count);
  }
  llvm_unreachable("unknown kind of atom");
}

uint32_t Property::atomNumber(const Atom &atom) {
  auto found = llvm::find(atoms, atom);
  if (found == atoms.end())
    found = atoms.insert(found, atom);
  return found - atoms.begin();
}

//===----------------------------------------------------------------------===//
// What a property does not look at
//===----------------------------------------------------------------------===//

/// A position at which no atom is true is *empty*; without atoms for the end of
/// a run that is what its end shows, too. A formula is *insensitive* if it
/// holds of a word exactly if it holds of any other one with the same positions
/// that are not empty. A *step* formula is a Boolean combination of atoms, of
/// insensitive formulas and of `X f` with f insensitive: at a position that is
/// not empty its value depends on that position and on insensitive formulas
/// alone. These formulas are insensitive:
///  - Boolean combinations of insensitive ones;
///  - `f U g` for insensitive f and g: at an empty position they have the
///    values of the next one that is not;
///  - `f U g` for step formulas, where f is true at empty positions, and g is
///    false there or insensitive. What makes it true is g at a position that is
///    not empty, or at an empty one, and then also at the next that is not
///    empty, or in what is empty for ever; before that, f holds at empty
///    positions anyway;
///  - `f R g`, which is `!(!f U !g)`.
/// So a pattern like `G (a -> X F b)` is insensitive, although it has an X.
bool Property::ignoresOthers() const {
  if (llvm::any_of(atoms, [](const Atom &a) { return a.kind >= Atom::End; }))
    return false;
  enum Value : uint8_t { No, Yes, Any };
  struct Kind {
    bool isInsensitive = false, isStep = false;
    Value atEmpty = Any;
  };
  auto negated = [](Value v) { return v == Any ? Any : v == No ? Yes : No; };
  std::vector<Kind> kinds; // operands have smaller numbers
  for (FormulaId f = 0; f <= root; ++f) {
    const Formulas::Node &node = formulas[f];
    const bool isUnary = node.op == Op::Not || node.op == Op::Next;
    const bool isNullary = node.op <= Op::Atom;
    const Kind l = isNullary ? Kind() : kinds[node.lhs],
               r = isNullary || isUnary ? Kind() : kinds[node.rhs];
    Kind kind;
    switch (node.op) {
    case Op::True:
    case Op::False:
      kind = {true, true, node.op == Op::True ? Yes : No};
      break;
    case Op::Atom:
      kind = {false, true, No};
      break;
    case Op::Not:
      kind = {l.isInsensitive, l.isStep, negated(l.atEmpty)};
      break;
    case Op::And:
    case Op::Or: {
      const Value decides = node.op == Op::And ? No : Yes;
      kind = {l.isInsensitive && r.isInsensitive, l.isStep && r.isStep, Any};
      if (l.atEmpty == decides || r.atEmpty == decides)
        kind.atEmpty = decides;
      else if (l.atEmpty == r.atEmpty)
        kind.atEmpty = l.atEmpty;
      break;
    }
    case Op::Next:
      kind = {false, l.isInsensitive, Any};
      break;
    case Op::Until:
    case Op::Release: {
      const Value passes = node.op == Op::Until ? Yes : No;
      kind.isInsensitive = (l.isInsensitive && r.isInsensitive) ||
                           (l.isStep && r.isStep && l.atEmpty == passes &&
                            (r.isInsensitive || r.atEmpty == negated(passes)));
      kind.isStep = kind.isInsensitive;
      break;
    }
    }
    kinds.push_back(kind);
  }
  return kinds[root].isInsensitive;
}
