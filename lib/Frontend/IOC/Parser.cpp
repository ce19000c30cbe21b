//===- Parser.cpp - From IOC text to terms --------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The parser of docs/ioc.md's grammar. `;` binds tightest, then `||`, `+` and
/// `[>`; a guard takes the rest of its sequence. What is open (parentheses,
/// blocks, guards) is on a stack of our own, so nesting is bounded by memory
/// alone. After an error it goes on at the next operator or bracket.
///
//===----------------------------------------------------------------------===//

#include "Ast.h"
#include "Lexer.h"
#include "cif/Support/Diagnostics/Text.h"
#include "llvm/ADT/DenseMap.h"

using namespace cif;
using namespace cif::ioc;

namespace {

/// The operands seen so far of one operator.
struct Operands {
  uint32_t first = none, last = none, count = 0;
  uint32_t line = 0, column = 0; ///< of the first operator
};

enum class Open : uint8_t { Block, Paren, While, Loop, Rec, Guard };

/// Something that was opened and not closed yet. A Guard only has a sequence.
struct Frame {
  Open kind;
  Token open;           ///< the bracket
  uint32_t term = none; ///< of While, Loop, Rec, Guard
  /// Of `;`, `||`, `+` and `[>`.
  Operands operands[4];
};

enum Level { SequenceLevel, ParallelLevel, ChoiceLevel, InterruptLevel };

class Parser {
public:
  Parser(const SourceBuffer &source, StringTable &strings,
         DiagnosticEngine &diags, Ast &ast)
      : lexer(source, diags), strings(strings), diags(diags), ast(ast),
        data(lexer, strings, ast.exprs) {}

  void parseFile();

private:
  // Blocks.
  void parseEnum();
  void parseChoreography();
  void parseSystem();
  bool parseHeader(const Twine &what, Name &name, Token &at, Token &brace);
  void defineOnce(StringRef what, Name name, const Token &at,
                  llvm::DenseMap<uint32_t, Token> &defined);
  void skipBlock();

  // Terms.
  uint32_t parseBody(const Token &brace);
  void parseOperand();
  void parseOperator();
  bool guessKeyword(const Token &at);
  void parseAction();
  void parsePayload(Term &term);
  void parseGuard();
  void parseKeywordBlock(Open kind, TermKind term);
  bool parseCondition(uint32_t term);
  void skipToOperator();

  uint32_t newTerm(TermKind kind, const Token &at);
  void add(uint32_t term, Level level = SequenceLevel);
  uint32_t reduce(Operands &operands, TermKind kind);
  void reduceTo(Level level);
  void closeGuards();
  void close();

  Lexer lexer;
  StringTable &strings;
  DiagnosticEngine &diags;
  Ast &ast;
  DataParser data;
  std::vector<Frame> frames;
  bool wantsOperand = true;
  llvm::DenseMap<uint32_t, Token> enumNames, literals, choreographies, systems;
};

} // namespace

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void Parser::parseFile() {
  if (lexer.isEmpty())
    lexer.expected("'choreography', 'system' or 'enum'");
  while (!lexer.is(Tok::End) && !diags.tooManyErrors()) {
    if (lexer.isWord("enum")) {
      parseEnum();
    } else if (lexer.isWord("choreography")) {
      parseChoreography();
    } else if (lexer.isWord("system")) {
      parseSystem();
    } else {
      lexer.expected("'choreography', 'system' or 'enum'",
                     {"choreography", "system", "enum"});
      skipBlock();
    }
  }
}

/// Skips to the end of the block that begins here, or to the next keyword.
void Parser::skipBlock() {
  unsigned depth = 0;
  do {
    if (lexer.is(Tok::LeftBrace))
      ++depth;
    else if (lexer.is(Tok::RightBrace) && depth-- <= 1) {
      lexer.advance();
      return;
    }
    lexer.advance();
  } while (!lexer.is(Tok::End) &&
           (depth || !(lexer.isWord("choreography") || lexer.isWord("system") ||
                       lexer.isWord("enum"))));
}

void Parser::defineOnce(StringRef what, Name name, const Token &at,
                        llvm::DenseMap<uint32_t, Token> &defined) {
  auto [entry, isNew] = defined.try_emplace(name.index(), at);
  if (isNew)
    return;
  ++ast.duplicates;
  diags.report(lexer.place(at), diag::redefinition)
          .note(lexer.place(entry->second), "the first one is here")
      << what << strings.text(name);
}

/// `keyword name {`. False: there is no block to read.
bool Parser::parseHeader(const Twine &what, Name &name, Token &at,
                         Token &brace) {
  lexer.advance();
  at = lexer.token();
  if (lexer.isName()) {
    name = lexer.name(at, strings);
    lexer.advance();
  } else {
    lexer.expected("the name of the " + what);
  }
  brace = lexer.token();
  if (lexer.consume(Tok::LeftBrace))
    return true;
  lexer.expected("'{'");
  skipBlock();
  return false;
}

void Parser::parseEnum() {
  EnumDecl result;
  Token at, brace;
  if (!parseHeader("enumeration", result.name, at, brace))
    return;
  result.line = at.line;
  result.column = at.column;
  defineOnce("enumeration", result.name, at, enumNames);
  data.parseLiterals(result, brace, [&](Name name, const Token &literal) {
    defineOnce("literal", name, literal, literals);
  });
  ast.enums.push_back(std::move(result));
}

void Parser::parseChoreography() {
  Block block;
  Token at, brace;
  if (!parseHeader("choreography", block.name, at, brace))
    return;
  block.line = at.line;
  block.column = at.column;
  defineOnce("choreography", block.name, at, choreographies);
  block.body = parseBody(brace);
  ast.blocks.push_back(block);
}

void Parser::parseSystem() {
  Name system;
  Token at, brace;
  if (!parseHeader("system", system, at, brace))
    return;
  defineOnce("system", system, at, systems);
  llvm::DenseMap<uint32_t, Token> roles;
  while (!lexer.is(Tok::RightBrace) && !lexer.is(Tok::End) &&
         !diags.tooManyErrors()) {
    if (!lexer.isWord("role")) {
      lexer.expected("'role' or '}'");
      // Another block means that the brace is missing; it was said above.
      if (lexer.isWord("choreography") || lexer.isWord("system") ||
          lexer.isWord("enum"))
        return;
      do
        lexer.advance();
      while (!lexer.isWord("role") && !lexer.is(Tok::RightBrace) &&
             !lexer.is(Tok::End));
      continue;
    }
    Block block;
    Token roleAt, roleBrace;
    if (!parseHeader("role", block.name, roleAt, roleBrace))
      continue;
    block.isRole = true;
    block.system = system;
    block.line = roleAt.line;
    block.column = roleAt.column;
    block.systemLine = at.line;
    block.systemColumn = at.column;
    defineOnce("role", block.name, roleAt, roles);
    block.body = parseBody(roleBrace);
    ast.blocks.push_back(block);
  }
  if (!lexer.consume(Tok::RightBrace) && !diags.tooManyErrors())
    lexer.expected("'role' or '}'", brace, "the block opened here");
}

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

uint32_t Parser::newTerm(TermKind kind, const Token &at) {
  Term term;
  term.kind = kind;
  term.line = at.line;
  term.column = at.column;
  ast.terms.push_back(term);
  return static_cast<uint32_t>(ast.terms.size() - 1);
}

void Parser::add(uint32_t term, Level level) {
  Operands &operands = frames.back().operands[level];
  if (operands.count == 0)
    operands.first = term;
  else
    ast.terms[operands.last].next = term;
  operands.last = term;
  ++operands.count;
}

/// The term that \p operands make.
uint32_t Parser::reduce(Operands &operands, TermKind kind) {
  uint32_t result = operands.first;
  if (operands.count > 1) {
    result = static_cast<uint32_t>(ast.terms.size());
    Term term;
    term.kind = kind;
    term.line = operands.line;
    term.column = operands.column;
    term.child = operands.first;
    ast.terms.push_back(term);
  }
  operands = {};
  return result;
}

/// Closes the operators that bind tighter than \p level.
void Parser::reduceTo(Level level) {
  static const TermKind kinds[] = {TermKind::Sequence, TermKind::Parallel,
                                   TermKind::Choice, TermKind::Interrupt};
  for (int i = SequenceLevel; i < level; ++i)
    add(reduce(frames.back().operands[i], kinds[i]), static_cast<Level>(i + 1));
  // Of three or more, `I [> J [> K` is (I [> J) [> K.
  Operands &interrupts = frames.back().operands[InterruptLevel];
  if (level == InterruptLevel && interrupts.count == 2) {
    uint32_t both = reduce(interrupts, TermKind::Interrupt);
    add(both, InterruptLevel);
  }
}

/// A guard takes the rest of its sequence and no more.
void Parser::closeGuards() {
  while (frames.back().kind == Open::Guard) {
    uint32_t guard = frames.back().term;
    ast.terms[guard].child =
        reduce(frames.back().operands[SequenceLevel], TermKind::Sequence);
    frames.pop_back();
    add(guard);
  }
}

/// Closes the innermost bracket, whose content is complete.
void Parser::close() {
  reduceTo(InterruptLevel);
  uint32_t content = frames.back().operands[InterruptLevel].first;
  uint32_t term = frames.back().term;
  if (term == none) {
    term = content;
  } else {
    ast.terms[term].child = content;
  }
  frames.pop_back();
  add(term);
}

/// Reads `term }`; the brace was read.
uint32_t Parser::parseBody(const Token &brace) {
  frames.clear();
  frames.push_back({Open::Block, brace});
  wantsOperand = true;
  while (true) {
    if (diags.tooManyErrors())
      return none;
    if (wantsOperand) {
      parseOperand();
      continue;
    }
    if (lexer.is(Tok::RightBrace) || lexer.is(Tok::End)) {
      closeGuards();
      for (; frames.back().kind == Open::Paren; closeGuards()) {
        lexer.expected("')'", frames.back().open,
                       "the parenthesis opened here");
        if (diags.tooManyErrors())
          return none;
        close();
      }
      if (lexer.is(Tok::End)) {
        lexer.expected("'}'", frames.back().open, "the block opened here");
        return none;
      }
      lexer.advance();
      if (frames.back().kind == Open::Block) {
        reduceTo(InterruptLevel);
        return frames.back().operands[InterruptLevel].first;
      }
      close();
      continue;
    }
    parseOperator();
  }
}

static const char operandText[] =
    "an interaction, '1', '0', '(', '[', 'while', 'loop', 'rec' or 'tau'";

void Parser::parseOperand() {
  Token at = lexer.token();
  switch (at.kind) {
  case Tok::LeftParen:
    frames.push_back({Open::Paren, at});
    lexer.advance();
    return;
  case Tok::LeftBracket:
    parseGuard();
    return;
  case Tok::Word:
    if (lexer.isWord("while"))
      return parseKeywordBlock(Open::While, TermKind::While);
    if (lexer.isWord("loop"))
      return parseKeywordBlock(Open::Loop, TermKind::Loop);
    if (lexer.isWord("rec"))
      return parseKeywordBlock(Open::Rec, TermKind::Rec);
    if (lexer.isWord("tau")) {
      uint32_t tau = newTerm(TermKind::Tau, at);
      lexer.advance();
      if (lexer.isName()) {
        ast.terms[tau].first = lexer.name(lexer.token(), strings);
        lexer.advance();
      }
      add(tau);
      wantsOperand = false;
      return;
    }
    [[fallthrough]];
  case Tok::Number:
  case Tok::Quoted:
    parseAction();
    wantsOperand = false;
    return;
  default: {
    if (lexer.previous().kind == Tok::Semicolon && lexer.followsBlanks() &&
        (at.kind == Tok::RightBrace || at.kind == Tok::RightParen))
      lexer.expected(operandText, lexer.previous(),
                     "nothing follows this ';': remove it");
    else
      lexer.expected(operandText);
    // A placeholder, so that the operators around it find their operands.
    add(newTerm(TermKind::Done, at));
    wantsOperand = false;
    if (at.kind != Tok::End)
      skipToOperator();
    return;
  }
  }
}

/// Whether what stands before \p at is a keyword that is not spelt right; it is
/// reported as such.
bool Parser::guessKeyword(const Token &at) {
  const Token &word = lexer.previous();
  const Term &term = ast.terms.back();
  if (term.kind != TermKind::Call || term.line != word.line ||
      term.column != word.column ||
      !(at.kind == Tok::LeftBrace || at.kind == Tok::LeftBracket ||
        lexer.isName()))
    return false;
  StringRef guess = nearest(lexer.text(word), {"while", "loop", "rec", "tau"});
  if (guess.empty() || lexer.text(word).size() < 3)
    return false;
  diags.report(lexer.place(word), diag::expected_token).guess(guess)
      << operandText << lexer.found(word);
  skipToOperator();
  return true;
}

void Parser::parseOperator() {
  Token at = lexer.token();
  Level level;
  switch (at.kind) {
  case Tok::Semicolon:
    level = SequenceLevel;
    break;
  case Tok::BarBar:
    level = ParallelLevel;
    break;
  case Tok::Plus:
    level = ChoiceLevel;
    break;
  case Tok::Interrupt:
    level = InterruptLevel;
    break;
  case Tok::RightParen:
    closeGuards();
    lexer.advance();
    if (frames.back().kind == Open::Paren) {
      close();
      return;
    }
    diags.report(lexer.place(at), diag::expected_token)
            .note(lexer.place(frames.back().open), "the block opened here")
        << "an operator or '}'"
        << "')'";
    return;
  default: {
    closeGuards();
    bool paren = frames.back().kind == Open::Paren;
    if (guessKeyword(at))
      return;
    // `a b : m`
    if (ast.terms.back().kind == TermKind::Call && lexer.isName() &&
        lexer.peek().kind == Tok::Colon) {
      lexer.expected("'->' between the sender and the receiver");
      skipToOperator();
      return;
    }
    lexer.expected(Twine("';', '||', '+', '[>' or ") + (paren ? "')'" : "'}'"),
                   frames.back().open,
                   paren ? "the parenthesis opened here"
                         : "the block opened here");
    // What looks like an operand most likely lacks its `;`.
    if (lexer.isName()) {
      wantsOperand = true;
      return;
    }
    skipToOperator();
    return;
  }
  }
  lexer.advance();
  if (level != SequenceLevel) {
    closeGuards();
    reduceTo(level);
  }
  Operands &operands = frames.back().operands[level];
  if (operands.count == 1) {
    operands.line = at.line;
    operands.column = at.column;
  }
  wantsOperand = true;
}

/// Skips what cannot be understood, up to an operator or a closing bracket of
/// the term that we are in.
void Parser::skipToOperator() {
  unsigned braces = 0, parens = 0;
  for (; !lexer.is(Tok::End); lexer.advance()) {
    switch (lexer.token().kind) {
    case Tok::LeftBrace:
      ++braces;
      break;
    case Tok::RightBrace:
      if (braces == 0)
        return;
      --braces;
      break;
    case Tok::LeftParen:
      ++parens;
      break;
    case Tok::RightParen:
      if (parens == 0 && braces == 0)
        return;
      parens -= parens != 0;
      break;
    case Tok::Semicolon:
    case Tok::BarBar:
    case Tok::Plus:
    case Tok::Interrupt:
      if (parens == 0 && braces == 0)
        return;
      break;
    default:
      break;
    }
  }
}

/// An action, `1`, `0` or a call.
void Parser::parseAction() {
  Token at = lexer.token();
  lexer.advance();
  auto takeName = [&](const Twine &what, Name &into) {
    if (!lexer.isName()) {
      lexer.expected(what);
      return false;
    }
    into = lexer.name(lexer.token(), strings);
    lexer.advance();
    return true;
  };
  bool ok = true;
  Term term;
  term.line = at.line;
  term.column = at.column;
  switch (lexer.isArrow(lexer.token()) ? Tok::Arrow : lexer.token().kind) {
  case Tok::Arrow:
    term.kind = TermKind::Interaction;
    term.first = lexer.name(at, strings);
    lexer.consumeArrow();
    ok = takeName("the receiver", term.second);
    if (ok && !lexer.consume(Tok::Colon)) {
      lexer.expected("':' and the message");
      ok = false;
    }
    ok = ok && takeName("the message", term.message);
    break;
  case Tok::Bang:
  case Tok::Question:
    term.kind = lexer.is(Tok::Bang) ? TermKind::Send : TermKind::Receive;
    lexer.advance();
    if (lexer.isName()) {
      term.first = lexer.name(at, strings);
      term.message = lexer.name(lexer.token(), strings);
      lexer.advance();
    } else {
      term.message = lexer.name(at, strings);
    }
    break;
  default:
    if (at.kind == Tok::Number) {
      StringRef text = lexer.text(at);
      term.kind = text == "1" ? TermKind::Done : TermKind::Stuck;
      if (text != "1" && text != "0") {
        diags.report(lexer.place(at), diag::expected_token)
            << operandText << lexer.found(at);
        ok = false;
      }
    } else {
      term.kind = TermKind::Call;
      term.first = lexer.name(at, strings);
    }
  }
  if (ok && lexer.is(Tok::LeftParen) && !term.message.empty())
    parsePayload(term);
  ast.terms.push_back(term);
  add(static_cast<uint32_t>(ast.terms.size() - 1));
  if (!ok)
    skipToOperator();
}

void Parser::parsePayload(Term &term) {
  term.hasPayload = true;
  term.firstArgument = static_cast<uint32_t>(ast.arguments.size());
  bool ok = data.parsePayload(ast.arguments);
  term.numArguments =
      static_cast<uint32_t>(ast.arguments.size()) - term.firstArgument;
  if (ok)
    return;
  skipToOperator();
  lexer.consume(Tok::RightParen);
}

/// `[expr]`, the condition of \p term.
bool Parser::parseCondition(uint32_t term) {
  Argument condition;
  ast.terms[term].firstArgument = static_cast<uint32_t>(ast.arguments.size());
  if (!data.parseCondition(condition))
    return false;
  ast.arguments.push_back(condition);
  ast.terms[term].numArguments = 1;
  return true;
}

void Parser::parseGuard() {
  Token at = lexer.token();
  uint32_t guard = newTerm(TermKind::Guard, at);
  bool ok = parseCondition(guard);
  if (ok && !lexer.consume(Tok::FatArrow)) {
    lexer.expected("'=>'", at, "after the guard");
    // The operand may follow all the same.
  } else if (!ok) {
    // Go on behind the condition where it can be found.
    while (!lexer.is(Tok::RightBracket) && !lexer.is(Tok::FatArrow) &&
           !lexer.is(Tok::RightBrace) && !lexer.is(Tok::LeftBrace) &&
           !lexer.is(Tok::Semicolon) && !lexer.is(Tok::End))
      lexer.advance();
    lexer.consume(Tok::RightBracket);
    lexer.consume(Tok::FatArrow);
  }
  frames.push_back({Open::Guard, at, guard});
}

void Parser::parseKeywordBlock(Open kind, TermKind termKind) {
  Token at = lexer.token();
  uint32_t term = newTerm(termKind, at);
  lexer.advance();
  bool ok = true;
  if (kind == Open::While)
    ok = parseCondition(term);
  if (kind == Open::Rec) {
    ok = lexer.isName();
    if (ok) {
      ast.terms[term].first = lexer.name(lexer.token(), strings);
      lexer.advance();
    } else {
      lexer.expected("the name of the recursion");
    }
  }
  // Go on in the block where it can be found.
  while (!ok && !lexer.is(Tok::LeftBrace) && !lexer.is(Tok::RightBrace) &&
         !lexer.is(Tok::Semicolon) && !lexer.is(Tok::End))
    lexer.advance();
  Token brace = lexer.token();
  if (lexer.consume(Tok::LeftBrace)) {
    frames.push_back({kind, brace, term});
    return;
  }
  if (ok)
    lexer.expected("'{'");
  ast.terms[term] = Term();
  add(term);
  wantsOperand = false;
  skipToOperator();
}

bool cif::ioc::parse(const SourceBuffer &source, StringTable &strings,
                     DiagnosticEngine &diags, Ast &ast) {
  unsigned before = diags.errors();
  Parser(source, strings, diags, ast).parseFile();
  return diags.errors() == before + ast.duplicates;
}
