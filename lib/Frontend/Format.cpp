//===- Format.cpp - The layout of a text, for editors ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Works on tokens and on what is between them, so that a text with errors can
/// be formatted, too. A line is indented by the number of lines on which
/// something was opened that is still open; a line that continues with an
/// operator is aligned with the parenthesis that it is in. The result is read
/// again: if its tokens differ from those of the text, there is no result.
///
//===----------------------------------------------------------------------===//

#include "cif/Frontend/Format.h"
#include "SymbolsBuilder.h"

using namespace cif;

namespace {
class Formatter {
public:
  explicit Formatter(const SourceBuffer &source)
      : text(source.text()), tokens(source) {}
  std::optional<std::string> run();

private:
  enum class Bracket : uint8_t { Block, Group, Payload, Condition };
  struct Open {
    Bracket kind;
    uint32_t line; ///< of the result
  };

  void gap(size_t next);
  void newLines(unsigned count, size_t next);
  unsigned depth(size_t next) const;
  bool wantsBlank(size_t next) const;
  void brackets(size_t i);
  Bracket bracketOf(size_t i) const;
  bool inData() const {
    return !open.empty() && (open.back().kind == Bracket::Payload ||
                             open.back().kind == Bracket::Condition);
  }

  StringRef text;
  TokenList tokens;
  std::vector<Open> open;
  std::string out;
  uint32_t line = 0;
  uint32_t linesOpen = 0; ///< on which something was opened that is open
};
} // namespace

static bool isCloser(Tok kind) {
  return kind == Tok::RightBrace || kind == Tok::RightParen ||
         kind == Tok::RightBracket;
}

/// What \p i, which opens something, opens.
Formatter::Bracket Formatter::bracketOf(size_t i) const {
  if (tokens.is(i, Tok::LeftBrace))
    return Bracket::Block;
  if (tokens.is(i, Tok::LeftBracket))
    return Bracket::Condition;
  bool isPayload =
      i > 0 && (tokens.isName(i - 1) || tokens.is(i - 1, Tok::Bang) ||
                tokens.is(i - 1, Tok::Question));
  return isPayload || inData() ? Bracket::Payload : Bracket::Group;
}

void Formatter::brackets(size_t i) {
  Tok kind = tokens[i].kind;
  if (kind == Tok::LeftBrace || kind == Tok::LeftParen ||
      kind == Tok::LeftBracket) {
    linesOpen += open.empty() || open.back().line != line;
    open.push_back({bracketOf(i), line});
  } else if (isCloser(kind) && !open.empty()) {
    Open closed = open.back();
    open.pop_back();
    linesOpen -= open.empty() || open.back().line != closed.line;
  }
}

/// How far in a line stands that begins with \p next.
unsigned Formatter::depth(size_t next) const {
  Tok kind = tokens[next].kind;
  if (open.empty() || next >= tokens.size())
    return linesOpen;
  bool last =
      open.size() == 1 || open[open.size() - 2].line != open.back().line;
  bool goesOn =
      open.back().kind == Bracket::Group &&
      (kind == Tok::Plus || kind == Tok::BarBar || kind == Tok::Interrupt);
  return linesOpen - ((isCloser(kind) || goesOn) && last);
}

void Formatter::newLines(unsigned count, size_t next) {
  out.append(std::min(count, 2u), '\n');
  line += std::min(count, 2u);
  // What is nested deeper than a screen is wide gains nothing.
  out.append(2 * std::min(depth(next), 40u), ' ');
}

/// Whether a blank stands between the token before \p next and it.
bool Formatter::wantsBlank(size_t next) const {
  Tok before = tokens[next - 1].kind, kind = tokens[next].kind;
  bool data = inData();
  if (before == Tok::LeftBracket || kind == Tok::RightBracket ||
      kind == Tok::Comma)
    return false;
  if (data && (before == Tok::LeftParen || kind == Tok::RightParen ||
               kind == Tok::Colon))
    return false;
  if (kind == Tok::LeftParen && bracketOf(next) == Bracket::Payload &&
      (tokens.isName(next - 1) || before == Tok::Bang ||
       before == Tok::Question))
    return false;
  if ((kind == Tok::Bang || kind == Tok::Question) && tokens.isName(next - 1))
    return data;
  if (before == Tok::Bang || before == Tok::Question)
    return !tokens.isName(next) && !data;
  // A sign, not an operator.
  if (before == Tok::Minus &&
      (next < 2 ||
       (!tokens.isName(next - 2) && !tokens.is(next - 2, Tok::RightParen))))
    return false;
  return true;
}

/// What stands between the token before \p next and it: comments, line ends.
void Formatter::gap(size_t next) {
  bool isFirst = next == 0, afterComment = false;
  uint32_t begin =
      isFirst ? 0 : tokens[next - 1].offset + tokens[next - 1].length;
  StringRef rest = text.slice(begin, next < tokens.size() ? tokens[next].offset
                                                          : text.size());
  if (isFirst && rest.consume_front("\xef\xbb\xbf"))
    out += "\xef\xbb\xbf";
  while (true) {
    StringRef blanks = rest.take_while(
        [](char c) { return StringRef(" \t\r\n\f\v").contains(c); });
    rest = rest.drop_front(blanks.size());
    auto count = static_cast<unsigned>(blanks.count('\n'));
    bool atStart = isFirst && !afterComment;
    if (rest.empty()) {
      if (next >= tokens.size())
        return;
      if (count && !atStart)
        newLines(count, next);
      else if (afterComment || (!atStart && wantsBlank(next)))
        out += ' ';
      return;
    }
    if (count && !atStart)
      newLines(count, next + (isCloser(tokens[next].kind) ? tokens.size() : 0));
    else if (!atStart)
      out += ' ';
    size_t size =
        rest.starts_with("//") ? rest.find('\n') : rest.find("*/", 2) + 2;
    StringRef comment = rest.take_front(size);
    rest = rest.drop_front(comment.size());
    line += static_cast<uint32_t>(comment.count('\n'));
    out += comment.rtrim();
    afterComment = true;
  }
}

std::optional<std::string> Formatter::run() {
  if (tokens.hasErrors())
    return std::nullopt;
  for (size_t i = 0; i < tokens.size(); ++i) {
    gap(i);
    out += tokens.text(tokens[i]);
    brackets(i);
  }
  gap(tokens.size());
  if (!out.empty())
    out += '\n';
  // What is not the same text for the lexer is not handed out.
  SourceBuffer made("", llvm::MemoryBuffer::getMemBuffer(out, "", false));
  TokenList now(made);
  bool isSame = !now.hasErrors() && now.size() == tokens.size();
  for (size_t i = 0; isSame && i < now.size(); ++i)
    isSame = now[i].kind == tokens[i].kind &&
             now.text(now[i]) == tokens.text(tokens[i]);
  if (!isSame)
    return std::nullopt;
  return out;
}

/// A line of the text form without its comment.
static StringRef withoutComment(StringRef line) {
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    char c = line[i];
    if (quote) {
      if (c == '\\')
        ++i;
      else if (c == quote)
        quote = 0;
    } else if (c == '"' || c == '\'' || c == '`') {
      quote = c;
    } else if (line.substr(i).starts_with("//")) {
      return line.take_front(i).rtrim();
    }
  }
  return line;
}

/// Blanks at the ends of lines mean nothing in the text form.
static std::string formatText(StringRef text) {
  std::string out;
  unsigned depth = 0, empty = 0;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    line = line.trim(" \t\r\f\v");
    if (line.empty()) {
      ++empty;
      continue;
    }
    if (empty && !out.empty())
      out += '\n';
    empty = 0;
    StringRef words = withoutComment(line);
    if (words.starts_with("}") && depth)
      --depth;
    out.append(2 * (std::min(depth, 40u) + words.starts_with(". ")), ' ');
    out += line;
    out += '\n';
    depth += words.ends_with("{");
  }
  return out;
}

std::optional<std::string> cif::formatSource(StringRef language,
                                             const SourceBuffer &source) {
  if (language == "ioc" || language == "cp")
    return Formatter(source).run();
  if (language == "cift")
    return formatText(source.text());
  return std::nullopt;
}
