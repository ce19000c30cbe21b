//===- TextPrinter.cpp - From a module to text ----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Prints docs/text-form.md: a line for each item, with defaults omitted.
/// Expressions are written in full where they are used; one that is large and
/// used several times gets a line of its own, so that the text stays linear in
/// the module's size.
///
//===----------------------------------------------------------------------===//

#include "TextWords.h"
#include "cif/IR/ExprOrder.h"
#include "cif/IR/Names.h"
#include "cif/IR/Text.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"

using namespace cif;

namespace {

class Printer {
public:
  Printer(const Module &module, raw_ostream &os)
      : module(module), os(os), exprs(module) {}
  void print();
  /// Writes out an expression and all that it has in common with others.
  void whole(ExprId id) {
    writesWhole = true;
    expr(id);
    pending.clear();
    anyPending = false;
  }
  uint32_t writtenSize(ExprId id) const {
    return exprs.writtenSize(exprs.number(id));
  }

private:
  void name(Name n) { printName(os, module.text(n)); }
  void text(StringRef s) { printName(os, s); }
  /// Always in quotes, so that it is not taken for a word.
  void quotedText(StringRef s);
  void participant(ParticipantId id) {
    if (id)
      name(module.participant(id).name);
    else
      os << '?';
  }
  void exchange(MessageId id);
  void sort(Sort s);
  void location(const Location &loc);
  void place(const Place &p);

  bool isNamed(uint32_t number) const {
    return !writesWhole && exprs.uses(number) > 1 &&
           exprs.writtenSize(number) > maxRepeatedExpr;
  }
  void nameExprs();
  void nameInExpr(StringRef text);
  void leaf(const Expr &e);
  /// Writes out the expression at \p number; \p define: even if it is named.
  void expr(uint32_t number, bool define = false);
  void expr(ExprId id) { expr(exprs.number(id)); }
  /// The locations of the expressions that were written since the last call.
  void exprLocations(const Location &base);

  void attribute(const Attribute &a, StringRef indent);
  void node(const Behaviour &b, uint32_t index);
  void flow(const Flow &f);
  void behaviour(uint32_t index);
  void messageFlow(const MessageFlow &f);
  std::string label(const SystemDecl &s, const Label &l);
  void system(const SystemDecl &s);
  void fact(const Fact &f);

  const Module &module;
  raw_ostream &os;
  ExprOrder exprs;
  llvm::DenseMap<uint32_t, uint32_t> named; // number -> $ number
  std::vector<const Location *> pending;
  bool anyPending = false, writesWhole = false;

  struct Item {
    enum Kind : uint8_t { Open, Done, Text, Annotation } kind;
    uint8_t precedence; // below this it needs parentheses
    uint32_t number;
    const char *text;
  };
  std::vector<Item> stack;
};

} // namespace

void Printer::quotedText(StringRef s) { os << quoteAlways(s); }

void Printer::exchange(MessageId id) {
  const Message &m = module.message(id);
  participant(m.sender);
  os << " -> ";
  participant(m.receiver);
  os << " : ";
  name(m.name);
}

void Printer::sort(Sort s) {
  if (!s.isEnum()) {
    os << builtinSortText(s);
    return;
  }
  StringRef text = module.text(module.enumerations[s.enumIndex()].name);
  if (builtinSort(text))
    quotedText(text);
  else
    printName(os, text);
}

static void printSource(raw_ostream &os, SourceId source) {
  if (source)
    os << source.index();
  else
    os << '-';
}

void Printer::location(const Location &loc) {
  if (loc.source || loc.line || loc.column) {
    os << " @";
    printSource(os, loc.source);
    if (loc.line || loc.column)
      os << ':' << loc.line;
    if (loc.column)
      os << ':' << loc.column;
  }
  if (!loc.element.empty()) {
    os << " #";
    name(loc.element);
  }
}

void Printer::place(const Place &p) {
  if (p == Place())
    return;
  os << " at ";
  quotedText(p.file);
  if (p.line || p.column)
    os << ' ' << p.line << ':' << p.column;
  if (!p.element.empty()) {
    os << " #";
    text(p.element);
  }
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

void Printer::nameExprs() {
  for (uint32_t i = 0; i < exprs.size(); ++i) {
    if (!isNamed(i))
      continue;
    // Numbers grow with i, so what a definition refers to is defined before.
    uint32_t number = static_cast<uint32_t>(named.size());
    os << "expr $" << number << " = ";
    expr(i, /*define=*/true);
    exprLocations({});
    os << '\n';
    named[i] = number;
  }
}

/// Quotes with another quote than a name's.
static void printBetween(raw_ostream &os, char quote, StringRef text) {
  std::string body = quoteAlways(text);
  os << quote;
  for (char c : StringRef(body).drop_front().drop_back()) {
    if (c == quote)
      os << "\\x" << llvm::format_hex_no_prefix(c, 2);
    else
      os << c;
  }
  os << quote;
}

/// A name that must not be taken for a literal.
void Printer::nameInExpr(StringRef text) {
  if (text == "true" || text == "false" ||
      (!text.empty() && llvm::isDigit(text.front())))
    quotedText(text);
  else
    printName(os, text);
}

void Printer::leaf(const Expr &e) {
  StringRef text = module.text(e.name);
  switch (e.op) {
  case ExprOp::IntLiteral:
    os << e.value;
    break;
  case ExprOp::BoolLiteral:
    os << (e.value ? "true" : "false");
    break;
  case ExprOp::StringLiteral:
    printBetween(os, '\'', text);
    break;
  case ExprOp::Opaque:
    printBetween(os, '`', text);
    break;
  case ExprOp::EnumLiteral:
    nameInExpr(module.text(module.enumerations[e.sort.enumIndex()].name));
    os << '.';
    name(e.name);
    return; // the sort is said
  case ExprOp::Variable:
    nameInExpr(text);
    break;
  default:
    llvm_unreachable("not a leaf");
  }
  if (e.sort != operatorInfo(e.op).makes) {
    os << ':';
    sort(e.sort);
  }
}

void Printer::expr(uint32_t root, bool define) {
  auto push = [&](Item item) { stack.push_back(item); };
  auto write = [&](const char *s) { push({Item::Text, 0, 0, s}); };
  push({Item::Open, 0, root, nullptr});
  while (!stack.empty()) {
    Item item = stack.back();
    stack.pop_back();
    if (item.kind == Item::Text) {
      os << item.text;
      continue;
    }
    const Expr &e = module.expr(exprs.at(item.number));
    if (item.kind == Item::Done) {
      pending.push_back(&e.loc);
      anyPending |= e.loc != Location();
      continue;
    }
    if (item.kind == Item::Annotation) {
      os << ':';
      sort(e.sort);
      continue;
    }
    if (isNamed(item.number) && !(define && item.number == root)) {
      os << '$' << named.lookup(item.number);
      continue;
    }
    unsigned operands = operatorInfo(e.op).operands;
    if (operands == 0) {
      bool wrapped = item.text && e.op == ExprOp::IntLiteral; // -(5)
      if (wrapped)
        os << '(';
      leaf(e);
      if (wrapped)
        os << ')';
      pending.push_back(&e.loc);
      anyPending |= e.loc != Location();
      continue;
    }
    // What follows is pushed in reverse.
    uint8_t own = operatorInfo(e.op).precedence;
    bool annotated = e.sort != operatorInfo(e.op).makes;
    bool wrapped = annotated || own < item.precedence;
    if (annotated)
      push({Item::Annotation, 0, item.number, nullptr});
    if (wrapped)
      write(")");
    push({Item::Done, 0, item.number, nullptr});
    if (operands == 1) {
      // A text here tells a literal that the minus before it is not its own.
      push({Item::Open, own, exprs.number(e.lhs),
            e.op == ExprOp::Negate ? "-" : nullptr});
      write(operatorInfo(e.op).sign);
    } else {
      push({Item::Open, uint8_t(own + 1), exprs.number(e.rhs), nullptr});
      write(" ");
      write(operatorInfo(e.op).sign);
      write(" ");
      push({Item::Open, own, exprs.number(e.lhs), nullptr});
    }
    if (wrapped)
      os << '(';
  }
}

void Printer::exprLocations(const Location &base) {
  if (anyPending) {
    os << " {";
    const char *separator = "";
    for (const Location *loc : pending) {
      os << separator;
      separator = " ";
      if (*loc == Location()) {
        os << '-';
        continue;
      }
      if (loc->source != base.source) {
        printSource(os, loc->source);
        os << ':';
      }
      if (loc->source != base.source || loc->line != base.line)
        os << loc->line << ':';
      os << loc->column;
      if (!loc->element.empty()) {
        os << '#';
        name(loc->element);
      }
    }
    os << '}';
  }
  pending.clear();
  anyPending = false;
}

//===----------------------------------------------------------------------===//
// Behaviours
//===----------------------------------------------------------------------===//

void Printer::attribute(const Attribute &a, StringRef indent) {
  os << indent << ". ";
  name(a.key);
  os << " = ";
  quotedText(module.text(a.value));
  os << '\n';
}

void Printer::node(const Behaviour &b, uint32_t index) {
  const Node &n = b.nodes[index];
  os << "  n" << index << ' ' << nodeKindText(n.kind);
  if (n.trigger != Trigger::None)
    os << ' ' << triggerText(n.trigger);
  if (n.message) {
    os << ' ';
    exchange(n.message);
  }
  if (n.numArguments) {
    os << (n.message ? "(" : " (");
    for (uint32_t i = 0; i < n.numArguments; ++i) {
      os << (i ? ", " : "");
      expr(b.arguments[n.firstArgument + i]);
    }
    os << ')';
  }
  if (n.reply) {
    os << " reply ";
    exchange(n.reply);
  }
  if (n.participant) {
    os << " by ";
    participant(n.participant);
  }
  if (n.attachedTo)
    os << " on n" << n.attachedTo.index();
  for (unsigned bit = 0; bit < numNodeFlags; ++bit)
    if (n.flags >> bit & 1)
      os << ' ' << nodeFlagText(bit);
  if (n.loop != LoopKind::None)
    os << " loop " << loopKindText(n.loop);
  if (n.loopMinimum || n.loopMaximum) {
    os << " times " << n.loopMinimum << "..";
    if (n.loopMaximum)
      os << n.loopMaximum;
  }
  if (n.condition) {
    os << " if [";
    expr(n.condition);
    os << ']';
  }
  if (!n.name.empty()) {
    os << ' ';
    quotedText(module.text(n.name));
  }
  if (n.parent)
    os << " in n" << n.parent.index();
  location(n.loc);
  exprLocations(n.loc);
  os << '\n';
}

void Printer::flow(const Flow &f) {
  os << "  n" << f.source.index() << " -> n" << f.target.index();
  if (f.guard) {
    os << " [";
    expr(f.guard);
    os << ']';
  }
  if (f.flags & DefaultFlow)
    os << " default";
  if (!f.name.empty()) {
    os << ' ';
    quotedText(module.text(f.name));
  }
  location(f.loc);
  exprLocations(f.loc);
  os << '\n';
}

void Printer::behaviour(uint32_t index) {
  const Behaviour &b = module.behaviours[index];
  os << '\n' << behaviourKindText(b.kind);
  if (!b.name.empty()) {
    os << ' ';
    name(b.name);
  }
  if (b.owner) {
    os << " : ";
    participant(b.owner);
  }
  location(b.loc);
  os << " {";
  if (!module.messageFlows.empty())
    os << " // b" << index;
  os << '\n';
  // They are sorted by node, those of the behaviour itself last.
  size_t next = 0;
  for (const Attribute &a : b.attributes)
    if (!a.node)
      attribute(a, "  ");
  for (uint32_t i = 0; i < b.nodes.size(); ++i) {
    node(b, i);
    for (; next < b.attributes.size() && b.attributes[next].node == NodeId(i);
         ++next)
      attribute(b.attributes[next], "    ");
  }
  for (const Flow &f : b.flows)
    flow(f);
  os << "}\n";
}

void Printer::messageFlow(const MessageFlow &f) {
  auto end = [&](BehaviourId b, NodeId n) {
    if (!b)
      os << '-';
    else
      os << 'b' << b.index();
    if (n)
      os << ".n" << n.index();
  };
  os << "message-flow ";
  if (f.message) {
    exchange(f.message);
    os << ' ';
  }
  os << "from ";
  end(f.sourceBehaviour, f.sourceNode);
  os << " to ";
  end(f.targetBehaviour, f.targetNode);
  location(f.loc);
  os << '\n';
}

//===----------------------------------------------------------------------===//
// Systems and facts
//===----------------------------------------------------------------------===//

std::string Printer::label(const SystemDecl &s, const Label &l) {
  if (l.kind == LabelKind::Plain)
    return quoteAlways(l.message);
  StringRef self = module.participantName(s.owner);
  bool local =
      !self.empty() && ((l.kind == LabelKind::Send && l.sender == self) ||
                        (l.kind == LabelKind::Receive && l.receiver == self));
  return local ? localLabelText(l) : labelText(l);
}

/// Whether labels 1, 2, ... appear in this order and all of them do, so that
/// reading the transitions makes the same table.
static bool inOrderOfUse(const Lts &lts) {
  uint32_t next = 1;
  for (uint32_t l : lts.label) {
    if (l > next)
      return false;
    next += l == next;
  }
  return next == lts.labels.size();
}

void Printer::system(const SystemDecl &s) {
  const Lts &lts = s.lts;
  os << "\nsystem " << systemRoleText(s.role);
  if (!s.name.empty()) {
    os << ' ';
    name(s.name);
  }
  if (s.owner) {
    os << " : ";
    participant(s.owner);
  }
  location(s.loc);
  os << " {\n";
  if (lts.saysFinal() &&
      llvm::all_of(lts.finals, [](uint64_t word) { return word == 0; }))
    os << "  finals none\n";

  // A label whose text is there before is used by number.
  std::vector<std::string> texts;
  llvm::StringMap<uint32_t> seen;
  bool declare = !inOrderOfUse(lts);
  for (const Label &l : lts.labels) {
    std::string t = label(s, l);
    if (!seen.try_emplace(t, texts.size()).second) {
      t = "#" + std::to_string(texts.size());
      declare = true;
    }
    texts.push_back(std::move(t));
  }
  if (declare)
    for (const Label &l : ArrayRef(lts.labels).drop_front())
      os << "  label " << label(s, l) << '\n';

  for (uint32_t state = 0; state < lts.numStates(); ++state) {
    uint32_t begin = lts.rowBegin[state], end = lts.rowBegin[state + 1];
    for (uint32_t t = begin; t == begin || t < end; ++t) {
      os << "  " << state;
      if (t == begin && state == lts.initial && state != 0)
        os << " initial";
      if (t == begin && lts.isFinal(state))
        os << " final";
      os << ':';
      if (t < end) {
        os << ' ' << texts[lts.label[t]] << " -> " << lts.target[t];
        if (!s.transitionLines.empty() && s.transitionLines[t])
          os << " @" << s.transitionLines[t];
      }
      os << '\n';
    }
  }
  os << "}\n";
}

void Printer::fact(const Fact &f) {
  auto line = [&](const char *key, StringRef value) {
    if (value.empty())
      return;
    os << "  " << key << ' ';
    quotedText(value);
    os << '\n';
  };
  auto count = [&](const char *key, uint64_t value) {
    if (value)
      os << "  " << key << ' ' << value << '\n';
  };
  os << "\nfact ";
  quotedText(f.property);
  os << ' ' << verdictText(f.verdict);
  if (f.exact)
    os << " exact";
  place(f.at);
  os << " {\n";
  line("subject", f.subject);
  for (const auto &[key, value] : f.parameters) {
    os << "  parameter ";
    text(key);
    os << " = ";
    quotedText(value);
    os << '\n';
  }
  for (const std::string &text : f.abstractions)
    line("abstraction", text);
  line("method", f.method);
  line("message", f.message);
  for (const Note &n : f.notes) {
    os << "  note ";
    quotedText(n.text);
    place(n.place);
    os << '\n';
  }
  count("states", f.states);
  count("transitions", f.transitions);
  if (f.digest)
    os << "  digest 0x" << llvm::format_hex_no_prefix(f.digest, 16) << '\n';
  if (f.witness) {
    os << "  witness ";
    text(f.witness->kind);
    if (f.witness->loopStart)
      os << " loop " << *f.witness->loopStart;
    os << '\n';
    line("formula", f.witness->formula);
    for (const WitnessStep &step : f.witness->steps) {
      os << "  step ";
      quotedText(step.label);
      if (!step.note.empty()) {
        os << " note ";
        quotedText(step.note);
      }
      place(step.at);
      os << '\n';
    }
  }
  os << "}\n";
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

void Printer::print() {
  os << "cif " << formMajorVersion << '.' << formMinorVersion << '\n';
  if (!module.name.empty()) {
    os << "module ";
    name(module.name);
    os << '\n';
  }
  for (size_t i = 0; i < module.sources.size(); ++i) {
    os << "source " << i << ' ';
    quotedText(module.text(module.sources[i].path));
    bool hashed = !module.sources[i].sha256.empty();
    if (hashed || !module.sources[i].language.empty()) {
      os << ' ';
      name(module.sources[i].language);
    }
    if (hashed) {
      os << " sha256 ";
      quotedText(module.text(module.sources[i].sha256));
    }
    os << '\n';
  }
  for (const std::string &text : module.abstractions) {
    os << "abstraction ";
    quotedText(text);
    os << '\n';
  }
  for (const Participant &p : module.participants) {
    os << "participant ";
    name(p.name);
    if (p.minimum != 1 || p.maximum != 1)
      os << " times " << p.minimum << ".." << p.maximum;
    location(p.loc);
    os << '\n';
  }
  for (const Enumeration &e : module.enumerations) {
    os << "enum ";
    name(e.name);
    os << " (";
    for (size_t i = 0; i < e.literals.size(); ++i) {
      os << (i ? ", " : "");
      name(e.literals[i]);
    }
    os << ')';
    location(e.loc);
    os << '\n';
  }
  for (size_t i = 0; i < module.messages.size(); ++i) {
    const Message &m = module.messages[i];
    os << "message ";
    exchange(MessageId(i));
    if (!m.fields.empty()) {
      os << " (";
      for (size_t f = 0; f < m.fields.size(); ++f) {
        os << (f ? ", " : "");
        name(m.fields[f].name);
        if (m.fields[f].sort != unknownSort) {
          os << ": ";
          sort(m.fields[f].sort);
        }
      }
      os << ')';
    }
    location(m.loc);
    os << '\n';
  }
  nameExprs();
  for (uint32_t i = 0; i < module.behaviours.size(); ++i)
    behaviour(i);
  if (!module.messageFlows.empty())
    os << '\n';
  for (const MessageFlow &f : module.messageFlows)
    messageFlow(f);
  for (const SystemDecl &s : module.systems)
    system(s);
  for (const Fact &f : module.facts)
    fact(f);
}

void cif::printText(const Module &module, raw_ostream &os) {
  Printer(module, os).print();
}

//===----------------------------------------------------------------------===//
// Single expressions
//===----------------------------------------------------------------------===//

struct ExprPrinter::Impl {
  explicit Impl(const Module &module) : os(text), printer(module, os) {}
  std::string text;
  llvm::raw_string_ostream os;
  Printer printer;
};

ExprPrinter::ExprPrinter(const Module &module)
    : impl(std::make_unique<Impl>(module)) {}
ExprPrinter::~ExprPrinter() = default;

std::string ExprPrinter::text(ExprId id) {
  constexpr uint32_t maxSize = 100'000;
  if (impl->printer.writtenSize(id) > maxSize)
    return "";
  impl->text.clear();
  impl->printer.whole(id);
  return impl->text;
}
