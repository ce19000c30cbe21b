//===- Mermaid.cpp - The front end of Mermaid's sequence diagrams ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Statements end with a line or `;`. `#` begins a comment, unless it begins an
/// entity, `#59;`. What each statement means is said in
/// docs/sequence-diagrams.md.
///
//===----------------------------------------------------------------------===//

#include "Diagram.h"
#include "cif/IR/Names.h"
#include "llvm/ADT/StringExtras.h"

using namespace cif;
using namespace cif::sequence;

namespace {

enum class Head : uint8_t { Forward, Back, Both, Lost };
struct Arrow {
  StringRef text;
  Head head;
};
/// Longer ones first: the first that fits is meant.
const Arrow arrows[] = {
    {"<<-->>", Head::Both},  {"<<->>", Head::Both},
    {"-->>", Head::Forward}, {"--|\\", Head::Forward},
    {"--|/", Head::Forward}, {"--\\\\", Head::Forward},
    {"--//", Head::Forward}, {"/|--", Head::Back},
    {"\\|--", Head::Back},   {"//--", Head::Back},
    {"\\\\--", Head::Back},  {"->>", Head::Forward},
    {"-->", Head::Forward},  {"--x", Head::Lost},
    {"--)", Head::Forward},  {"-|\\", Head::Forward},
    {"-|/", Head::Forward},  {"-\\\\", Head::Forward},
    {"-//", Head::Forward},  {"/|-", Head::Back},
    {"\\|-", Head::Back},    {"//-", Head::Back},
    {"\\\\-", Head::Back},   {"->", Head::Forward},
    {"-x", Head::Lost},      {"-X", Head::Lost},
    {"-)", Head::Forward},
};

/// An entity at the front of \p text, or nothing: `#35;`, `#quot;`.
StringRef entityAt(StringRef text) {
  size_t end = 1;
  while (end < text.size() && (llvm::isAlnum(text[end]) || text[end] == '_'))
    ++end;
  return end > 1 && end < text.size() && text[end] == ';'
             ? text.take_front(end + 1)
             : StringRef();
}

/// Where a statement ends: at `;`, at a comment, or with the text.
size_t statementEnd(StringRef text) {
  size_t end = 0;
  while (end < text.size() && text[end] != ';') {
    size_t entity =
        text[end] == '#' ? entityAt(text.drop_front(end)).size() : 1;
    if (!entity)
      break;
    end += entity;
  }
  return end;
}

/// What people see: entities are characters, `<br/>` is a blank.
std::string decoded(StringRef text) {
  static const struct {
    StringRef name;
    uint32_t code;
  } named[] = {{"quot", '"'},   {"amp", '&'},     {"lt", '<'},
               {"gt", '>'},     {"nbsp", 0xa0},   {"apos", '\''},
               {"semi", ';'},   {"colon", ':'},   {"num", '#'},
               {"infin", 8734}, {"hearts", 9829}, {"comma", ','}};
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    StringRef rest = text.drop_front(i);
    if (rest.starts_with("#")) {
      StringRef entity = entityAt(rest), body = entity.drop_front().drop_back();
      uint32_t code = 0;
      bool known = !entity.empty() && !body.getAsInteger(10, code);
      for (const auto &each : named)
        if (body == each.name) {
          code = each.code;
          known = true;
        }
      size_t before = result.size();
      if (known)
        appendCodePoint(result, code);
      if (result.size() != before) {
        i += entity.size() - 1;
        continue;
      }
    }
    if (rest.starts_with_insensitive("<br")) {
      size_t end = rest.find('>');
      if (end != StringRef::npos && rest.slice(3, end).trim(" \t/").empty()) {
        result += ' ';
        i += end;
        continue;
      }
    }
    result += text[i];
  }
  return result;
}

/// `---`, some YAML, `---` may stand first. Says where the diagram begins, and
/// what the title is.
Line skipFrontMatter(Lines &lines, std::string *title) {
  Line line;
  bool inFront = false, inDirective = false, first = true;
  while (lines.next(line)) {
    if (first && line.text == "---") {
      inFront = true;
      first = false;
      continue;
    }
    if (inFront) {
      StringRef text = line.text;
      if (text == "---")
        inFront = false;
      else if (text.consume_front("title:") && title)
        *title = text.trim().trim("\"'").str();
      continue;
    }
    if (line.text.empty())
      continue;
    first = false;
    if (inDirective || line.text.starts_with("%%{")) {
      inDirective = !line.text.contains("}%%");
      continue;
    }
    if (!line.text.starts_with("%%"))
      return line;
  }
  return {};
}

class Reader {
public:
  Reader(DiagramBuilder &to) : builder(to) {}

  /// The statements of one line.
  void read(const Line &line);
  bool sawHeader = false;

private:
  void statement(StringRef text);
  bool keyword(StringRef word, StringRef rest);
  bool fragment(StringRef spelt, StringRef rest);
  void participant(StringRef rest);
  void note(StringRef rest);
  bool message(StringRef text);
  uint32_t actor(StringRef text);
  Spot spot(StringRef text) const {
    return {line.number, line.column(text.data())};
  }

  DiagramBuilder &builder;
  Line line;
  bool inDirective = false;   ///< `%%{ ... }%%`
  bool inDescription = false; ///< `accDescr { ... }`
};

} // namespace

void Reader::read(const Line &next) {
  line = next;
  if (inDirective || line.text.starts_with("%%{")) {
    inDirective = !line.text.contains("}%%");
    return;
  }
  if (inDescription) {
    inDescription = !line.text.contains('}');
    return;
  }
  if (line.text.starts_with("%%"))
    return;
  StringRef text = line.text;
  while (!text.empty() && !builder.stopped()) {
    size_t end = statementEnd(text);
    statement(text.take_front(end).trim());
    if (end == text.size() || text[end] == '#')
      return;
    text = text.drop_front(end + 1);
  }
}

void Reader::statement(StringRef text) {
  if (text.empty())
    return;
  if (!sawHeader) {
    sawHeader = true;
    StringRef word = text.take_while([](char c) { return isWordChar(c); });
    if (word.equals_insensitive("sequenceDiagram"))
      return statement(text.drop_front(word.size()).trim());
    builder.expected("'sequenceDiagram'", word.empty() ? text : word,
                     spot(text));
    return;
  }
  StringRef word = text.take_while([](char c) { return isWordChar(c); });
  StringRef rest = text.drop_front(word.size()).ltrim();
  // A comment may stand behind what has no text of its own.
  if (size_t comment = rest.find("%%");
      comment != StringRef::npos && !rest.take_front(comment).contains(':') &&
      (word.equals_insensitive("end") ||
       word.ends_with_insensitive("activate")))
    rest = rest.take_front(comment).rtrim();
  // `end->>b: m` is a message of somebody with a bold name.
  bool isMessage = llvm::any_of(
      arrows, [&](const Arrow &arrow) { return rest.starts_with(arrow.text); });
  if (!isMessage && keyword(word, rest))
    return;
  if (message(text))
    return;
  static const StringRef words[] = {
      "participant", "actor",      "create",   "destroy",   "activate",
      "deactivate",  "loop",       "alt",      "else",      "opt",
      "par",         "and",        "critical", "option",    "break",
      "rect",        "box",        "end",      "note",      "title",
      "link",        "autonumber", "links",    "properties"};
  builder.unknown(text, word, words, "'A->>B: message'", spot(text));
}

bool Reader::keyword(StringRef spelt, StringRef rest) {
  std::string word = spelt.lower();
  if (fragment(spelt, rest))
    return true;
  Spot at = spot(spelt);
  if (word == "participant" || word == "actor") {
    participant(rest);
  } else if (word == "create") {
    StringRef kind = rest.take_while([](char c) { return isWordChar(c); });
    if (!kind.equals_insensitive("participant") &&
        !kind.equals_insensitive("actor"))
      builder.expected("'participant' or 'actor'", kind, spot(rest));
    else
      participant(rest.drop_front(kind.size()).ltrim());
  } else if (word == "destroy" || word == "activate" || word == "deactivate") {
    // Who is busy, and for how long, is not a matter of what is exchanged.
    if (rest.empty())
      builder.expected("a participant", rest, spot(rest));
    else
      actor(rest);
  } else if (word == "note") {
    note(rest);
  } else if (word == "link" || word == "links" || word == "properties" ||
             word == "details") {
    if (!rest.contains(':'))
      builder.expected("a participant, ':' and a text", rest, at);
  } else if (word == "accdescr" && rest.starts_with("{")) {
    inDescription = !rest.contains('}');
  } else if (word != "title" && word != "autonumber" && word != "acctitle" &&
             word != "accdescr") {
    return false;
  }
  return true;
}

bool Reader::fragment(StringRef spelt, StringRef rest) {
  std::string word = spelt.lower();
  static const struct {
    StringRef word;
    Fragment kind;
  } opening[] = {{"alt", Fragment::Alt},           {"opt", Fragment::Opt},
                 {"loop", Fragment::Loop},         {"par", Fragment::Par},
                 {"par_over", Fragment::Par},      {"rect", Fragment::Rect},
                 {"critical", Fragment::Critical}, {"box", Fragment::Box},
                 {"break", Fragment::Break}},
    parting[] = {{"else", Fragment::Alt},
                 {"and", Fragment::Par},
                 {"option", Fragment::Critical}};
  Spot begin = spot(spelt);
  StringRef text = rest;
  if (!text.consume_front_insensitive(":wrap:") &&
      !text.consume_front_insensitive("wrap:") &&
      !text.consume_front_insensitive(":nowrap:"))
    text.consume_front_insensitive("nowrap:");
  for (const auto &each : opening)
    if (word == each.word) {
      builder.open(each.kind, each.word, decoded(text), begin);
      return true;
    }
  for (const auto &each : parting)
    if (word == each.word) {
      builder.part({each.kind}, each.word, decoded(text), begin);
      return true;
    }
  if (word != "end" || !rest.empty())
    return false;
  builder.close("end", builder.inBox(), begin);
  return true;
}

/// A name as it stands in the text.
uint32_t Reader::actor(StringRef text) {
  return builder.lifeline(decoded(text.trim()), spot(text.ltrim()));
}

/// `A`, `A as Name`, `A@{ "type": "database", "alias": "Name" } as Name`
void Reader::participant(StringRef rest) {
  Spot at = spot(rest);
  StringRef id = rest, shownAs, config;
  if (size_t brace = rest.find("@{"); brace != StringRef::npos) {
    id = rest.take_front(brace);
    size_t end = rest.find('}', brace);
    if (end == StringRef::npos)
      return builder.expected("'}'", "", spot(rest.drop_front(rest.size())));
    config = rest.slice(brace + 2, end);
    shownAs = rest.drop_front(end + 1).trim();
    if (!shownAs.empty() && !shownAs.consume_front_insensitive("as "))
      return builder.expected("'as' and a name", shownAs, spot(shownAs));
  } else {
    size_t as = rest.find_insensitive(" as ");
    if (size_t tab = rest.find_insensitive("\tas "); tab < as)
      as = tab;
    if (as != StringRef::npos) {
      id = rest.take_front(as);
      shownAs = rest.drop_front(as + 4);
    }
  }
  id = id.trim();
  if (id.empty())
    return builder.expected("the name of a participant", rest, at);
  if (size_t bad = id.find_first_of("<>:,"); bad != StringRef::npos)
    return builder.expected("a name without any of < > : ,", id,
                            spot(id.drop_front(bad)));
  uint32_t which = actor(id);
  // "alias": "Name"
  if (size_t alias = config.find("alias"); alias != StringRef::npos) {
    StringRef value =
        config.drop_front(alias + 5).ltrim("\"' \t").ltrim(": \t");
    char quote = value.empty() ? 0 : value.front();
    if (quote == '"' || quote == '\'')
      value = value.drop_front().take_until([&](char c) { return c == quote; });
    else
      value = value.take_until([](char c) { return c == ','; }).trim();
    if (!value.empty())
      builder.show(which, decoded(value), at);
  }
  shownAs.consume_front_insensitive("wrap:");
  if (!shownAs.trim().empty())
    builder.show(which, decoded(shownAs.trim()), at);
}

/// `over A,B: text`, `left of A: text`; those that it names take part.
void Reader::note(StringRef rest) {
  StringRef place = rest;
  if (!place.consume_front_insensitive("over")) {
    if (!place.consume_front_insensitive("left") &&
        !place.consume_front_insensitive("right"))
      return builder.expected("'over', 'left of' or 'right of'", rest,
                              spot(rest));
    place = place.ltrim();
    if (!place.consume_front_insensitive("of"))
      return builder.expected("'of'", place, spot(place));
  }
  size_t colon = place.find(':');
  if (colon == StringRef::npos)
    return builder.expected("':' and the text of the note", "",
                            spot(place.drop_front(place.size())));
  SmallVector<StringRef, 2> names;
  place.take_front(colon).split(names, ',');
  for (StringRef name : names)
    if (name.trim().empty())
      builder.expected("a participant", place, spot(name));
    else
      actor(name);
}

bool Reader::message(StringRef text) {
  const Arrow *arrow = nullptr;
  size_t at = 0;
  for (; at < text.size() && !arrow && text[at] != ':'; ++at)
    for (const Arrow &each : arrows)
      if (at && text.drop_front(at).starts_with(each.text)) {
        arrow = &each;
        break;
      }
  if (!arrow)
    return false;
  --at;
  StringRef from = text.take_front(at).rtrim();
  from.consume_back("()");
  StringRef to = text.drop_front(at + arrow->text.size()).ltrim();
  if (!to.consume_front("+") && !to.consume_front("()"))
    to.consume_front("-");
  size_t colon = to.find(':');
  StringRef label;
  if (colon != StringRef::npos) {
    label = to.drop_front(colon + 1);
    to = to.take_front(colon);
  }
  if (from.trim().empty() || to.trim().empty()) {
    builder.expected("a participant", to.trim(), spot(to));
    return true;
  }
  if (colon == StringRef::npos) {
    builder.expected("':' and the message", "",
                     spot(text.drop_front(text.size())));
    return true;
  }
  if (!label.consume_front_insensitive("wrap:"))
    label.consume_front_insensitive("nowrap:");
  Spot where = spot(text);
  uint32_t left = actor(from), right = actor(to);
  std::string name = decoded(label.trim());
  switch (arrow->head) {
  case Head::Lost:
    builder.abstracted("a message that ends in a cross",
                       "lost messages arrive like others", where);
    [[fallthrough]];
  case Head::Forward:
    builder.message(left, right, name, where);
    break;
  case Head::Back:
    builder.message(right, left, name, where);
    break;
  case Head::Both:
    builder.messagesBothWays(left, right, name, where);
    break;
  }
  return true;
}

void cif::sequence::readMermaid(const SourceBuffer &source, const Block &block,
                                DiagramBuilder &builder) {
  Lines lines(source.text(), block);
  Line line = skipFrontMatter(lines, nullptr);
  Reader reader(builder);
  while (line.start && !builder.stopped()) {
    reader.read(line);
    if (!lines.next(line))
      break;
  }
  if (!reader.sawHeader)
    builder.expected("'sequenceDiagram'", "", {block.line, 1});
}

std::string cif::sequence::titleOfMermaid(StringRef text, const Block &block) {
  Lines lines(text, block);
  std::string title;
  Line line = skipFrontMatter(lines, &title);
  while (line.start && title.empty()) {
    StringRef rest = line.text;
    if (rest.consume_front_insensitive("title") &&
        (rest.consume_front(":") || rest.starts_with(" ")))
      title = decoded(rest.take_front(statementEnd(rest)).trim());
    if (!lines.next(line))
      break;
  }
  return title;
}

bool cif::sequence::isMermaidSequence(StringRef text, const Block &block) {
  Lines lines(text, block);
  Line line = skipFrontMatter(lines, nullptr);
  return line.text.starts_with_insensitive("sequenceDiagram");
}

static Block wholeOf(StringRef text) {
  return {.end = static_cast<uint32_t>(text.size())};
}

int cif::detectMermaid(StringRef path, StringRef text) {
  if (isMermaidSequence(text, wholeOf(text)))
    return 100;
  return path.ends_with(".mmd") || path.ends_with(".mermaid") ? 40 : 0;
}

bool cif::parseMermaid(const SourceBuffer &source, Module &module,
                       DiagnosticEngine &diags,
                       const FrontEndOptions &options) {
  std::vector<Block> blocks{wholeOf(source.text())};
  blocks[0].name = titleOfMermaid(source.text(), blocks[0]);
  nameBlocks(blocks, source.path());
  return readBlocks(source, blocks, module, diags, options, "mermaid");
}
