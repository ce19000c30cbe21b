//===- SymbolsTest.cpp - Names and layout for editors ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Generated texts, with blanks and comments anywhere: the names that the
/// scanner finds are those that the front end reads; a layout changes nothing
/// for the front end, and is its own layout; a name that is changed in all its
/// places, and changed back, leaves the text as it was.
///
//===----------------------------------------------------------------------===//

#include "cif/Frontend/Symbols.h"
#include "TextFrontEndTest.h"
#include "cif/Frontend/Format.h"
#include <set>

using namespace cif;
using namespace cif::test;

namespace {

class TextMaker {
public:
  explicit TextMaker(unsigned seed) : random(seed) {}

  std::string ioc();
  std::string cp();

private:
  unsigned pick(unsigned count) { return random() % count; }
  /// Adds a token, with something in front of it.
  void put(StringRef token) {
    static const char *const gaps[] = {" ",
                                       " ",
                                       "  ",
                                       "\n",
                                       "\n\n\n ",
                                       "\t",
                                       " /* a -> b : m; */ ",
                                       " // q!m \"\n",
                                       "\r\n"};
    text += gaps[pick(9)];
    text += token;
  }
  void put(std::initializer_list<StringRef> tokens) {
    for (StringRef token : tokens)
      put(token);
  }
  StringRef participant() {
    static const char *const names[] = {"a",     "b",       "\"the bank\"",
                                        "größe", "\"rec\"", "loop1"};
    return names[pick(6)];
  }
  StringRef message() {
    static const char *const names[] = {"m",  "n", "\"x y\"",
                                        "42", "a", "\"\\\"\""};
    return names[pick(6)];
  }
  void term(unsigned depth);
  void action();

  std::mt19937 random;
  std::string text;
  StringRef self; ///< whose role it is; empty: a choreography
};

void TextMaker::action() {
  StringRef one = participant(), other = participant();
  while (other == one || other == self)
    other = participant();
  if (self.empty())
    put({one, "->", other, ":", message()});
  else
    put({other, pick(2) ? "!" : "?", message()});
}

void TextMaker::term(unsigned depth) {
  switch (depth ? pick(9) : 0) {
  case 1:
    term(depth - 1);
    put(";");
    return term(depth - 1);
  case 2:
  case 3:
    put("(");
    term(depth - 1);
    put(pick(2) ? "+" : "||");
    term(depth - 1);
    return put(")");
  case 4:
    put({"[", "x", "<", "-", "5", "]", "=>"});
    return action();
  case 5:
    put({"rec", "X", "{"});
    action();
    put({";", "X", "}"});
    return;
  case 6:
    put({"while", "[", "!", "(", "x", "-", "1", "==", "2", ")", "]", "{"});
    term(depth - 1);
    return put("}");
  case 7:
    put("tau");
    return self.empty() ? put(participant()) : void();
  default:
    return action();
  }
}

std::string TextMaker::ioc() {
  text.clear();
  self = {};
  put({"choreography", "\"The one\"", "{", "a", "->", "b", ":", "first", "(",
       "x", ":", "int", ")", ";"});
  term(4);
  put("}");
  put({"system", "S", "{"});
  for (StringRef role : {"a", "b"}) {
    self = role;
    put({"role", role, "{", role == "a" ? "b" : "a", role == "a" ? "!" : "?",
         "first", "(", "x", ":", "int", ")", ";"});
    term(3);
    put("}");
  }
  put("}");
  text += "\n";
  return text;
}

std::string TextMaker::cp() {
  text.clear();
  put({"protocol", "P",     "{",  "initial", "0", "final", "1",  ",",
       "\"s 2\"",  "0",     "->", "1",       ":", "a",     "->", "b",
       ":",        "first", "(",  "x",       ":", "int",   ")"});
  static const char *const states[] = {"1", "\"s 2\"", "initial", "é"};
  put({"1", "->", "\"s 2\"", ":", "tau", "a"});
  for (unsigned i = 0; i < 6; ++i) {
    StringRef one = participant(), other = participant();
    if (other == one)
      continue;
    put({states[pick(2)], "->", states[pick(4)], ":"});
    if (pick(3) == 0)
      put({"[", "x", "<", "5", "]", "=>"});
    put({one, "->", other, ":", message()});
  }
  put("}");
  text += "\n";
  return text;
}

std::set<std::string> namesOf(const Symbols &symbols, SymbolKind kind) {
  std::set<std::string> names;
  for (const Symbol &symbol : symbols.all)
    if (symbol.kind == kind)
      names.insert(symbol.name);
  return names;
}

SourceBuffer sourceOf(StringRef text) {
  return SourceBuffer("test",
                      llvm::MemoryBuffer::getMemBufferCopy(text, "test"));
}

/// \p text with \p name for the symbol \p number.
std::string renamed(StringRef language, StringRef text, uint32_t number,
                    StringRef name) {
  Symbols symbols = findSymbols(language, sourceOf(text));
  std::string written = spelling(language, symbols.all[number].kind, name);
  std::string result;
  size_t at = 0;
  for (const Occurrence &o : symbols.occurrences) {
    if (o.symbol != number)
      continue;
    result += text.slice(at, o.offset);
    result += written;
    at = o.end();
  }
  return result + text.substr(at).str();
}

void checkText(StringRef language, ParseFunction parse, StringRef text) {
  SCOPED_TRACE(text.str());
  Read read(parse, text);
  ASSERT_TRUE(read.ok) << read.diagnostics();
  Symbols symbols = findSymbols(language, sourceOf(text));

  std::set<std::string> participants, messages;
  for (const Participant &p : read.module.participants)
    participants.insert(read.module.text(p.name).str());
  for (const Message &m : read.module.messages)
    messages.insert(read.module.text(m.name).str());
  EXPECT_EQ(namesOf(symbols, SymbolKind::Participant), participants);
  EXPECT_EQ(namesOf(symbols, SymbolKind::Message), messages);
  for (size_t i = 1; i < symbols.occurrences.size(); ++i)
    EXPECT_LE(symbols.occurrences[i - 1].end(), symbols.occurrences[i].offset);

  std::optional<std::string> layout = formatSource(language, sourceOf(text));
  ASSERT_TRUE(layout);
  Read again(parse, *layout);
  ASSERT_TRUE(again.ok) << *layout << again.diagnostics();
  EXPECT_EQ(again.module.digest(), read.module.digest()) << *layout;
  EXPECT_EQ(formatSource(language, sourceOf(*layout)), layout);

  for (uint32_t i = 0; i < symbols.all.size(); ++i) {
    bool isData = symbols.all[i].kind == SymbolKind::Variable;
    std::string other =
        renamed(language, text, i, isData ? "fresh" : "a new name");
    Read changed(parse, other);
    EXPECT_TRUE(changed.ok) << other << changed.diagnostics();
    EXPECT_EQ(changed.module.participants.size(), participants.size());
    // The number of a symbol is that of its first place, which stays.
    Symbols now = findSymbols(language, sourceOf(other));
    ASSERT_EQ(now.all.size(), symbols.all.size());
    ASSERT_EQ(now.occurrences.size(), symbols.occurrences.size());
    std::string back = renamed(language, other, i, symbols.all[i].name);
    Symbols same = findSymbols(language, sourceOf(back));
    for (size_t k = 0; k < symbols.occurrences.size(); ++k)
      EXPECT_EQ(same.occurrences[k].symbol, symbols.occurrences[k].symbol);
    Read restored(parse, back);
    EXPECT_TRUE(restored.ok);
    EXPECT_EQ(restored.module.digest(), read.module.digest()) << back;
  }
}

} // namespace

TEST(Symbols, Ioc) {
  for (unsigned seed = 0; seed < 60; ++seed)
    checkText("ioc", parseIoc, TextMaker(seed).ioc());
}

TEST(Symbols, Cp) {
  for (unsigned seed = 0; seed < 60; ++seed)
    checkText("cp", parseCp, TextMaker(seed).cp());
}

TEST(Symbols, BrokenTexts) {
  // Cut anywhere, and with a byte changed: nothing is outside the text, and
  // names before the cut are found.
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::string text = TextMaker(seed).ioc();
    std::mt19937 random(seed);
    for (unsigned i = 0; i < 40; ++i) {
      std::string cut = text.substr(0, random() % text.size());
      if (!cut.empty() && i % 2)
        cut[random() % cut.size()] = "{}\"/*[>"[random() % 7];
      for (StringRef language : {"ioc", "cp", "cift", "bpmn"}) {
        Symbols symbols = findSymbols(language, sourceOf(cut));
        for (const Occurrence &o : symbols.occurrences)
          EXPECT_LE(o.end(), cut.size());
        for (const SourceBlock &block : symbols.blocks)
          EXPECT_LE(block.offset + block.length, cut.size());
        auto layout = formatSource(language, sourceOf(cut));
        if (layout) {
          EXPECT_EQ(formatSource(language, sourceOf(*layout)), layout) << cut;
        }
      }
    }
  }
}
