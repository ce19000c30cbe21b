//===- LtlParser.cpp - Properties as text ---------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Formulas, from loose to tight: `->` (to the right), `||`, `&&`, the binary
/// `U W R` (to the right), the unary `! X F G`; exchanges `m`, `p->q:m`,
/// `p!q:m`, `q?p:m`; of states `tokens(e) > 1`, `messages(f)`, `active(a)`. An
/// arrow is one of an exchange when a colon comes after
/// the next name. Patterns in words are whole properties. Operators wait on a
/// stack, so that nesting costs no recursion.
///
//===----------------------------------------------------------------------===//

#include "cif/IR/Names.h"
#include "cif/Temporal/Ltl.h"

using namespace cif;
using namespace cif::ltl;

namespace {
struct Token {
  enum Kind : uint8_t { Word, Quoted, Sign, End } kind;
  std::string text;
};

class Parser {
public:
  Parser(Property &into, SyntaxError &to)
      : property(into), formulas(into.formulas), error(to) {}
  bool run(StringRef text);

private:
  bool tokenise(StringRef text);
  bool fail(StringRef expected) {
    error.expected = expected.str();
    const Token &t = tokens[at];
    error.found = t.kind == Token::End ? "the end" : "'" + t.text + "'";
    return false;
  }
  bool isSign(StringRef text, size_t ahead = 0) const {
    return peek(ahead).kind == Token::Sign && peek(ahead).text == text;
  }
  bool isWord(StringRef text, size_t ahead = 0) const {
    return peek(ahead).kind == Token::Word && peek(ahead).text == text;
  }
  bool isName(size_t ahead = 0) const {
    return peek(ahead).kind == Token::Quoted ||
           (peek(ahead).kind == Token::Word && !isReserved(peek(ahead).text));
  }
  const Token &peek(size_t ahead) const {
    return tokens[std::min(at + ahead, tokens.size() - 1)];
  }
  static bool isReserved(StringRef word) {
    static const StringRef words[] = {"X", "F",  "G",   "U",  "W",
                                      "R", "or", "and", "not"};
    return llvm::is_contained(words, word);
  }
  bool takeWords(ArrayRef<StringRef> words) {
    for (size_t i = 0; i < words.size(); ++i)
      if (!isWord(words[i], i))
        return false;
    at += words.size();
    return true;
  }
  bool isPattern();
  bool pattern();
  bool names(FormulaId &f);
  bool primary(FormulaId &f);
  bool ofState(Atom &atom);
  bool formula();
  bool reduce();
  bool reduceTo(unsigned precedence, bool rightToLeft);
  bool atEnd() { return tokens[at].kind == Token::End || fail("the end"); }

  enum class Sign : uint8_t {
    Open,
    Implies,
    Or,
    And,
    Until,
    WeakUntil,
    Release,
    Not,
    Next,
    Eventually,
    Always,
  };
  static unsigned precedence(Sign sign) {
    switch (sign) {
    case Sign::Open:
      return 0;
    case Sign::Implies:
      return 1;
    case Sign::Or:
      return 2;
    case Sign::And:
      return 3;
    case Sign::Until:
    case Sign::WeakUntil:
    case Sign::Release:
      return 4;
    default:
      return 5;
    }
  }

  Property &property;
  Formulas &formulas;
  SyntaxError &error;
  std::vector<Token> tokens;
  size_t at = 0;
  std::vector<Sign> signs;
  std::vector<FormulaId> operands;
};
} // namespace

bool Parser::tokenise(StringRef text) {
  static const StringRef signs[] = {
      "&&", "||", "->", "!=", "<=", ">=", "==", "(", ")",
      "!",  "?",  ":",  "&",  "|",  "=",  "<",  ">"};
  while (!(text = text.ltrim()).empty()) {
    if (text[0] == '"') {
      std::string name;
      if (!takeName(text, name)) {
        tokens.push_back({Token::End, ""});
        at = tokens.size() - 1;
        return fail("a closing quote");
      }
      tokens.push_back({Token::Quoted, name});
      continue;
    }
    StringRef word = text.take_while(
        [](char c) { return isWordChar(c) || c == '.' || c == '_'; });
    if (!word.empty()) {
      tokens.push_back({Token::Word, word.str()});
      text = text.drop_front(word.size());
      continue;
    }
    const StringRef *sign =
        llvm::find_if(signs, [&](StringRef s) { return text.starts_with(s); });
    if (sign == std::end(signs)) {
      tokens.push_back({Token::Sign, text.take_front(1).str()});
      at = tokens.size() - 1;
      return fail("an exchange or an operator");
    }
    text = text.drop_front(sign->size());
    tokens.push_back({Token::Sign, *sign == "&"   ? "&&"
                                   : *sign == "|" ? "||"
                                                  : sign->str()});
  }
  tokens.push_back({Token::End, ""});
  return true;
}

/// What a state holds, behind the word: an element, and how many; at least one
/// where nothing is said.
bool Parser::ofState(Atom &atom) {
  ++at; // the parenthesis
  if (tokens[at].kind != Token::Word && tokens[at].kind != Token::Quoted)
    return fail("an element");
  atom.message = tokens[at++].text;
  if (!isSign(")"))
    return fail("')'");
  ++at;
  static const StringRef signs[] = {"<", "<=", "==", "!=", ">=", ">"};
  StringRef sign = peek(0).text;
  if (sign == "=")
    sign = "==";
  auto found = llvm::find(signs, sign);
  if (atom.kind == Atom::Active || peek(0).kind != Token::Sign ||
      found == std::end(signs))
    return true;
  atom.relation = static_cast<Atom::Relation>(found - std::begin(signs));
  ++at;
  if (peek(0).kind != Token::Word ||
      StringRef(peek(0).text).getAsInteger(10, atom.count))
    return fail("a number");
  ++at;
  return true;
}

/// An exchange, what runs end with, or what a state holds.
bool Parser::primary(FormulaId &f) {
  if (!isName())
    return fail("an exchange");
  Atom atom;
  bool bare = tokens[at].kind == Token::Word;
  std::string first = tokens[at++].text, second;
  bool arrow = isSign("->") && isName(1) && isSign(":", 2);
  if (arrow || ((isSign("!") || isSign("?")) && isName(1))) {
    bool sends = isSign("!");
    ++at;
    second = tokens[at++].text;
    atom.kind = arrow ? Atom::Exchange : sends ? Atom::Send : Atom::Receive;
    if (isSign(":")) {
      ++at;
      if (!isName())
        return fail("a message");
      atom.message = tokens[at++].text;
      atom.sender = sends || arrow ? first : second;
      atom.receiver = sends || arrow ? second : first;
    } else {
      atom.message = second;
      (sends ? atom.receiver : atom.sender) = first;
    }
  } else if (bare && (first == "true" || first == "false")) {
    f = first == "true" ? Formulas::yes : Formulas::no;
    return true;
  } else if (bare && isSign("(") &&
             (first == "tokens" || first == "messages" || first == "active")) {
    atom.kind = first == "tokens"     ? Atom::Tokens
                : first == "messages" ? Atom::Messages
                                      : Atom::Active;
    if (!ofState(atom))
      return false;
  } else if (bare && first == "end") {
    atom.kind = Atom::End;
  } else if (bare && first == "done") {
    atom.kind = Atom::Done;
  } else if (bare && first == "stuck") {
    atom.kind = Atom::Stuck;
  } else {
    atom.message = first;
  }
  f = formulas.atom(property.atomNumber(atom));
  return true;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// `a`, `a or b`.
bool Parser::names(FormulaId &f) {
  if (!primary(f))
    return false;
  while (isWord("or")) {
    ++at;
    FormulaId more;
    if (!primary(more))
      return false;
    f = formulas.either(f, more);
  }
  return true;
}

/// In a formula no name comes right after another.
bool Parser::isPattern() {
  for (size_t i = 0; i + 1 < tokens.size(); ++i)
    if (isName(i) && isName(i + 1))
      return true;
  return false;
}

bool Parser::pattern() {
  FormulaId a, b;
  FormulaId &root = property.root;
  auto neverAfter = [&](FormulaId first, FormulaId then) {
    return formulas.always(formulas.implies(
        first, formulas.next(formulas.always(formulas.negate(then)))));
  };
  if (isWord("never") && isName(1)) {
    ++at;
    if (!names(a))
      return false;
    root = formulas.always(formulas.negate(a));
    return atEnd();
  }
  if (isWord("eventually") && isName(1)) {
    ++at;
    if (!names(a))
      return false;
    root = formulas.eventually(a);
    return atEnd();
  }
  if (isWord("every") && isName(1)) {
    ++at;
    if (!names(a))
      return false;
    takeWords({"is"});
    bool atOnce = takeWords({"followed", "at", "once", "by"});
    if (!atOnce && !takeWords({"answered", "by"}) &&
        !takeWords({"followed", "by"}))
      return fail("'answered by', 'followed by' or 'followed at once by'");
    if (!names(b))
      return false;
    root = formulas.always(formulas.implies(
        a, formulas.next(atOnce ? b : formulas.eventually(b))));
    return atEnd();
  }
  if (isWord("no") && isName(1)) {
    ++at;
    if (!names(a))
      return false;
    if (!takeWords({"after"}))
      return fail("'after'");
    if (!names(b))
      return false;
    root = neverAfter(b, a);
    return atEnd();
  }
  if (!names(a))
    return false;
  if (takeWords({"only", "after"})) {
    if (!names(b))
      return false;
    root = formulas.weakUntil(formulas.negate(a), b);
  } else if (takeWords({"before"})) {
    if (!names(b))
      return false;
    root = formulas.weakUntil(formulas.negate(b), a);
  } else if (takeWords({"at", "most", "once"})) {
    root = neverAfter(a, a);
  } else if (takeWords({"exactly", "once"})) {
    root = formulas.both(formulas.eventually(a), neverAfter(a, a));
  } else if (takeWords({"and"})) {
    if (!names(b))
      return false;
    if (!takeWords({"never", "both"}))
      return fail("'never both'");
    root = formulas.negate(
        formulas.both(formulas.eventually(a), formulas.eventually(b)));
  } else {
    return fail("'only after', 'before', 'at most once', 'exactly once' or "
                "'and ... never both'");
  }
  return atEnd();
}

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

bool Parser::reduce() {
  Sign sign = signs.back();
  signs.pop_back();
  FormulaId right = operands.back();
  operands.pop_back();
  auto left = [&] {
    FormulaId f = operands.back();
    operands.pop_back();
    return f;
  };
  FormulaId made = 0;
  switch (sign) {
  case Sign::Open:
    return false;
  case Sign::Implies:
    made = formulas.implies(left(), right);
    break;
  case Sign::Or:
    made = formulas.either(left(), right);
    break;
  case Sign::And:
    made = formulas.both(left(), right);
    break;
  case Sign::Until:
    made = formulas.until(left(), right);
    break;
  case Sign::WeakUntil:
    made = formulas.weakUntil(left(), right);
    break;
  case Sign::Release:
    made = formulas.release(left(), right);
    break;
  case Sign::Not:
    made = formulas.negate(right);
    break;
  case Sign::Next:
    made = formulas.next(right);
    break;
  case Sign::Eventually:
    made = formulas.eventually(right);
    break;
  case Sign::Always:
    made = formulas.always(right);
    break;
  }
  operands.push_back(made);
  return true;
}

bool Parser::reduceTo(unsigned least, bool rightToLeft) {
  while (!signs.empty() && signs.back() != Sign::Open &&
         precedence(signs.back()) >= least + rightToLeft)
    if (!reduce())
      return false;
  return true;
}

bool Parser::formula() {
  for (;;) {
    // What comes before an operand, and the operand.
    for (;; ++at) {
      if (isSign("("))
        signs.push_back(Sign::Open);
      else if (isSign("!") || isWord("not"))
        signs.push_back(Sign::Not);
      else if (isWord("X"))
        signs.push_back(Sign::Next);
      else if (isWord("F"))
        signs.push_back(Sign::Eventually);
      else if (isWord("G"))
        signs.push_back(Sign::Always);
      else
        break;
    }
    FormulaId f;
    if (!primary(f))
      return false;
    operands.push_back(f);
    while (isSign(")")) {
      if (!reduceTo(1, false))
        return false;
      if (signs.empty())
        return fail("the end");
      signs.pop_back();
      ++at;
    }
    if (tokens[at].kind == Token::End)
      break;
    Sign sign;
    if (isSign("->"))
      sign = Sign::Implies;
    else if (isSign("||") || isWord("or"))
      sign = Sign::Or;
    else if (isSign("&&") || isWord("and"))
      sign = Sign::And;
    else if (isWord("U"))
      sign = Sign::Until;
    else if (isWord("W"))
      sign = Sign::WeakUntil;
    else if (isWord("R"))
      sign = Sign::Release;
    else
      return fail("an operator or the end");
    bool rightToLeft = sign != Sign::Or && sign != Sign::And;
    if (!reduceTo(precedence(sign), rightToLeft))
      return false;
    signs.push_back(sign);
    ++at;
  }
  reduceTo(1, false);
  if (!signs.empty())
    return fail("')'");
  property.root = operands.back();
  return true;
}

bool Parser::run(StringRef text) {
  property.text = text.trim().str();
  if (!tokenise(text))
    return false;
  return isPattern() ? pattern() : formula();
}

std::optional<Property> ltl::parseProperty(StringRef text, SyntaxError &error) {
  Property property;
  if (!Parser(property, error).run(text))
    return std::nullopt;
  return property;
}

std::vector<std::string> ltl::splitProperties(StringRef text) {
  std::vector<std::string> parts;
  bool quotes = false;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && quotes && text[i] == '\\') {
      ++i;
      continue;
    }
    if (i < text.size() && text[i] == '"')
      quotes = !quotes;
    if (i < text.size() && (quotes || text[i] != ';'))
      continue;
    if (StringRef part = text.slice(begin, i).trim(); !part.empty())
      parts.push_back(part.str());
    begin = i + 1;
  }
  return parts;
}
