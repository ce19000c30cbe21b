//===- PlantUml.cpp - The front end of PlantUML's sequence diagrams -------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A statement is a line; some are several, down to a line that ends them. What
/// each means is said in docs/sequence-diagrams.md.
///
//===----------------------------------------------------------------------===//

#include "Diagram.h"
#include "PlantUmlArrow.h"
#include "cif/IR/Names.h"
#include "cif/Support/Diagnostics/Text.h"
#include "llvm/ADT/StringExtras.h"

using namespace cif;
using namespace cif::sequence;

namespace {

bool isWord(StringRef word, std::initializer_list<StringRef> words) {
  return llvm::any_of(
      words, [&](StringRef each) { return word.equals_insensitive(each); });
}

const std::initializer_list<StringRef> participantWords = {
    "participant", "actor",    "boundary",    "control",
    "entity",      "database", "collections", "queue"};

class Reader {
public:
  explicit Reader(DiagramBuilder &to) : builder(to) {}

  void read(const Line &line);
  /// What was begun on several lines and has no end.
  void finish();

private:
  /// Who became active, and the message that came with it.
  struct Activation {
    uint32_t who, from, to;
  };

  bool insideText();
  bool insideComment();
  bool skipMark(StringRef text);
  bool skipText(StringRef word, StringRef rest);
  bool lifelineStatement(StringRef word, StringRef rest);
  bool fragment(StringRef word, StringRef rest);
  void preprocessor(StringRef text);
  void participant(StringRef rest);
  void reference(StringRef rest);
  bool message(StringRef text);
  void giveBack(StringRef text, Spot at);
  uint32_t end(const UmlEnd &end, Spot at);
  void activate(uint32_t who);
  void deactivate(uint32_t who);
  void atEnd(StringRef rest);
  void untilLine(StringRef word, std::string ends, Spot at) {
    textWord = word.str();
    textEnd = std::move(ends);
    textAt = at;
  }
  Spot spot(StringRef text) const {
    return {line.number, line.column(text.data())};
  }

  DiagramBuilder &builder;
  Line line;
  bool inComment = false;        ///< `/' ... '/`
  std::string textWord, textEnd; ///< of a text on several lines
  unsigned textDepth = 0;        ///< brackets in it that are open
  Spot textAt, commentAt;
  bool autoActivate = false;
  std::vector<Activation> activations;
  uint32_t lastFrom = ioc::none, lastTo = ioc::none;
};

} // namespace

/// A comment on several lines. What stands behind its end is read.
bool Reader::insideComment() {
  if (!inComment && line.text.starts_with("/'")) {
    inComment = true;
    commentAt = spot(line.text);
    line.text = line.text.drop_front(2);
  }
  if (!inComment)
    return false;
  size_t end = line.text.find("'/");
  if (end == StringRef::npos)
    return true;
  inComment = false;
  line.text = line.text.drop_front(end + 2).ltrim();
  return line.text.empty();
}

/// A note, legend, title, picture or block of styles on several lines. Blocks
/// of styles have blocks in them, and notes have diagrams: `{{` to `}}`.
bool Reader::insideText() {
  if (textEnd.empty())
    return false;
  StringRef text = line.text;
  const bool isBlock = textEnd == "}";
  if (isBlock ? text.ends_with("{") : text.starts_with("{{")) {
    ++textDepth;
    return true;
  }
  if (textDepth) {
    textDepth -= text.starts_with(isBlock ? "}" : "}}");
    return true;
  }
  std::string squeezed;
  for (char c : text)
    if (squeezed.size() <= textEnd.size() && !llvm::isSpace(c))
      squeezed += llvm::toLower(c);
  // All kinds of notes end alike; `end` is enough for a reference.
  if (textEnd == "endnote" &&
      (squeezed == "endhnote" || squeezed == "endrnote"))
    squeezed = textEnd;
  if (squeezed == textEnd || (textEnd == "endref" && squeezed == "end") ||
      (textEnd == "</svg>" && text.ends_with(textEnd)))
    textEnd.clear();
  return true;
}

void Reader::finish() {
  if (inComment)
    builder.diags.report(builder.place(commentAt), diag::unterminated)
        << "comment"
        << "\"'/\"";
  else if (!textEnd.empty())
    builder.diags.report(builder.place(textAt), diag::unterminated)
        << "'" + textWord + "'"
        << "'" + textEnd + "'";
}

void Reader::read(const Line &next) {
  line = next;
  if (insideText() || insideComment())
    return;
  StringRef text = line.text;
  if (text.empty() || text.front() == '\'' || skipMark(text))
    return;
  if (text.front() == '!')
    return preprocessor(text);
  if (text.consume_front("&")) {
    builder.abstracted(
        "'&'", "simultaneous messages are exchanged one after the other",
        spot(text));
    text = text.ltrim();
  }
  // `/ note over A`: at the height of the note before.
  if (text.starts_with("/ "))
    text = text.drop_front().ltrim();
  // `{start} A -> B`: a name for a moment.
  if (text.starts_with("{"))
    if (size_t close = text.find('}'); close != StringRef::npos) {
      StringRef behind = text.drop_front(close + 1).ltrim();
      if (behind.starts_with("<->"))
        return;
      text = behind;
    }
  StringRef word = text.take_while([](char c) { return isWordChar(c); });
  StringRef rest = text.drop_front(word.size());
  if (!word.empty() && !startsArrow(rest) &&
      (fragment(word, rest.trim()) || lifelineStatement(word, rest.trim()) ||
       skipText(word, rest.trim())))
    return;
  if (message(text))
    return;
  static const StringRef words[] = {
      "participant", "actor",    "create", "destroy",   "activate",
      "deactivate",  "loop",     "alt",    "else",      "opt",
      "par",         "critical", "group",  "break",     "box",
      "end",         "note",     "title",  "skinparam", "return",
      "autonumber",  "database", "ref",    "boundary"};
  builder.unknown(text, word, words, "'A -> B : message'", spot(text));
}

/// Lines that are drawn and say nothing: dividers, delays, spaces, styles.
bool Reader::skipMark(StringRef text) {
  if (text.starts_with("<style>")) {
    if (!text.contains("</style>"))
      untilLine("<style>", "</style>", spot(text));
    return true;
  }
  return text.starts_with("==") || text.starts_with("...") ||
         text.starts_with("\u2026") || text.starts_with("||") ||
         text.starts_with("@");
}

void Reader::preprocessor(StringRef text) {
  StringRef word = text.drop_front().take_until(
      [](char c) { return llvm::isSpace(c) || c == '(' || c == '='; });
  if (isWord(word, {"theme", "pragma", "option", "log", "assert", "startsub",
                    "endsub"}))
    return;
  if (word.starts_with_insensitive("include") ||
      word.equals_insensitive("import"))
    return builder.abstracted("'!" + word + "'", "other files are not read",
                              spot(text));
  builder.unsupported("'!" + word + "'",
                      "give the text that the preprocessor of PlantUML makes",
                      spot(text));
}

/// Whether a note has its text behind a colon, or is `note "text" as N`; a
/// colon may also be in quotes or in a link.
static bool isNoteOnOneLine(StringRef rest) {
  if (rest.starts_with("\""))
    return true;
  while (!rest.empty()) {
    StringRef close = rest.starts_with("\"") ? "\"" : "]]";
    if (rest.starts_with("\"") || rest.starts_with("[[")) {
      size_t end = rest.find(close, close.size());
      if (end == StringRef::npos)
        return false;
      rest = rest.drop_front(end + close.size());
      continue;
    }
    if (rest.front() == ':')
      return true;
    rest = rest.drop_front();
  }
  return false;
}

/// What is drawn around the messages.
bool Reader::skipText(StringRef word, StringRef rest) {
  Spot at = spot(word);
  if (isWord(word, {"note", "hnote", "rnote", "floating"})) {
    if (!isNoteOnOneLine(rest))
      untilLine(word, "endnote", at);
    return true;
  }
  if (isWord(word, {"title", "legend", "header", "footer", "caption"})) {
    // `legend top left` says where it is.
    StringRef place = rest;
    while (word.equals_insensitive("legend") &&
           isWord(place.split(' ').first,
                  {"top", "bottom", "left", "right", "center"}))
      place = place.split(' ').second.ltrim();
    if (place.empty())
      untilLine(word, "end" + word.lower(), at);
    return true;
  }
  if (isWord(word, {"center", "left", "right"}) &&
      isWord(rest.split(' ').first, {"header", "footer"})) {
    auto [which, text] = rest.split(' ');
    if (text.trim().empty())
      untilLine(which, "end" + which.lower(), at);
    return true;
  }
  if (isWord(word, {"skinparam", "skin", "style"})) {
    if (rest.ends_with("{"))
      untilLine(word, "}", at);
    return true;
  }
  if (isWord(word, {"ref"})) {
    skipLooks(rest);
    reference(rest);
    return true;
  }
  if (isWord(word, {"sprite"})) {
    if (rest.ends_with("{"))
      untilLine(word, "}", at);
    else if (rest.contains("<svg") && !rest.ends_with("</svg>"))
      untilLine(word, "</svg>", at);
    return true;
  }
  if (isWord(word, {"autoactivate"})) {
    autoActivate = !rest.starts_with_insensitive("off");
    return true;
  }
  return isWord(word, {"autonumber", "hide", "show", "scale", "mainframe",
                       "newpage", "ignore", "url", "footbox", "order", "page",
                       "autonewpage", "minwidth", "rotate", "assume", "set"});
}

/// `ref over A, B : text`: what happens there is said elsewhere.
void Reader::reference(StringRef rest) {
  Spot at = spot(rest);
  StringRef names = rest;
  if (!names.consume_front_insensitive("over"))
    return builder.expected("'over'", rest, at);
  size_t colon = names.find(':');
  StringRef text;
  if (colon == StringRef::npos)
    untilLine("ref", "endref", at);
  else
    text = names.drop_front(colon + 1).trim();
  builder.abstracted("a reference" + (text.empty() ? "" : " to " + shown(text)),
                     "the interaction that a reference names is omitted", at);
  while (!names.trim().empty()) {
    UmlEnd who;
    names = names.ltrim(" \t,");
    if (!takeEnd(names, who))
      break;
    end(who, at);
  }
}

bool Reader::fragment(StringRef word, StringRef rest) {
  static const struct {
    StringRef word;
    Fragment kind;
  } opening[] = {
      {"alt", Fragment::Alt},           {"opt", Fragment::Opt},
      {"loop", Fragment::Loop},         {"par", Fragment::Par},
      {"par2", Fragment::Par},          {"group", Fragment::Group},
      {"critical", Fragment::Critical}, {"box", Fragment::Box},
      {"break", Fragment::Break},       {"partition", Fragment::Group}};
  Spot at = spot(word);
  skipLooks(rest);
  std::string text = umlText(rest);
  for (const auto &each : opening)
    if (word.equals_insensitive(each.word)) {
      builder.open(each.kind, each.word, text, at);
      return true;
    }
  if (isWord(word, {"else", "also", "option"})) {
    builder.part(
        {Fragment::Alt, Fragment::Opt, Fragment::Par, Fragment::Critical}, word,
        text, at);
    return true;
  }
  if (word.equals_insensitive("endbox")) {
    builder.close("end box", true, at);
    return true;
  }
  if (!word.equals_insensitive("end"))
    return false;
  bool box = rest.starts_with_insensitive("box");
  builder.close(box ? "end box" : "end", box, at);
  return true;
}

bool Reader::lifelineStatement(StringRef word, StringRef rest) {
  Spot at = spot(word);
  if (word.equals_insensitive("create")) {
    StringRef kind = rest.take_while([](char c) { return isWordChar(c); });
    if (isWord(kind, participantWords))
      rest = rest.drop_front(kind.size()).ltrim();
    participant(rest);
    return true;
  }
  if (isWord(word, participantWords)) {
    participant(rest);
    return true;
  }
  if (word.equals_insensitive("return")) {
    giveBack(rest, at);
    return true;
  }
  if (!isWord(word, {"activate", "deactivate", "destroy"})) {
    // `A ++` and `A --`
    StringRef behind = rest;
    const bool begins = behind.consume_front("++");
    if (!begins && !behind.consume_front("--"))
      return false;
    skipLooks(behind);
    if (!behind.empty())
      return false;
    uint32_t which = builder.lifeline(word, at);
    begins ? activate(which) : deactivate(which);
    return true;
  }
  UmlEnd who;
  StringRef names = rest;
  if (word.equals_insensitive("deactivate") && rest.empty()) {
    if (!activations.empty())
      activations.pop_back();
    return true;
  }
  if (!takeEnd(names, who) || who.isBorder) {
    builder.expected("a participant", rest, spot(rest));
    return true;
  }
  uint32_t which = end(who, at);
  if (word.equals_insensitive("activate"))
    activate(which);
  else
    deactivate(which);
  atEnd(names);
  return true;
}

/// Nothing but looks may stand behind a statement.
void Reader::atEnd(StringRef rest) {
  skipLooks(rest);
  if (!rest.trim().empty())
    builder.expected("the end of the line", rest, spot(rest));
}

/// `return` answers the message before an activation, if that has to do with
/// it.
void Reader::activate(uint32_t who) {
  const bool concerns = lastFrom == who || lastTo == who;
  activations.push_back(
      {who, concerns ? lastFrom : ioc::none, concerns ? lastTo : ioc::none});
}

void Reader::deactivate(uint32_t who) {
  for (size_t i = activations.size(); i-- > 0;)
    if (activations[i].who == who) {
      activations.erase(activations.begin() + static_cast<ptrdiff_t>(i));
      return;
    }
}

/// `return text` answers the message that activated somebody last; where nobody
/// is active, the last message.
void Reader::giveBack(StringRef text, Spot at) {
  while (!activations.empty() && activations.back().from == ioc::none)
    activations.pop_back();
  uint32_t from = lastTo, to = lastFrom;
  if (!activations.empty()) {
    from = activations.back().to;
    to = activations.back().from;
    activations.pop_back();
  }
  if (from == ioc::none)
    return builder.misplaced("return", "comes before any message", at);
  skipLooks(text);
  text.consume_front(":");
  builder.message(from, to, umlText(text.trim()), at);
  lastFrom = from;
  lastTo = to;
}

/// `Name`, `"Name"`, `"Name" as N`, `Name as N`, `N as "Name"`; then colours,
/// stereotypes and the order, which are of no bearing. `Name [`: a text on
/// several lines, to `]`.
void Reader::participant(StringRef rest) {
  Spot at = spot(rest);
  UmlEnd who;
  if (!takeEnd(rest, who) || who.isBorder)
    return builder.expected("the name of a participant", rest, at);
  end(who, at);
  skipLooks(rest);
  if (rest == "[")
    return untilLine("[", "]", at);
  atEnd(rest);
}

uint32_t Reader::end(const UmlEnd &who, Spot at) {
  if (who.isBorder)
    return builder.environment(at);
  uint32_t which = builder.lifeline(who.id, at);
  if (!who.shown.empty())
    builder.show(which, umlText(who.shown), at);
  return which;
}

bool Reader::message(StringRef text) {
  UmlMessage m;
  StringRef rest = text;
  if (!takeMessage(rest, m))
    return false;
  Spot at = spot(text);
  if (m.left.isBorder && m.right.isBorder) {
    builder.expected("a participant", text, at);
    return true;
  }
  uint32_t left = end(m.left, at), right = end(m.right, at);
  std::string name = umlText(m.text);
  if (m.lost)
    builder.abstracted("a message that ends in a cross",
                       "lost messages arrive like others", at);
  if (m.hidden) {
    builder.abstracted("a hidden arrow", "hidden arrows are left out", at);
    return true;
  }
  bool back = m.headLeft && !m.headRight;
  uint32_t from = back ? right : left, to = back ? left : right;
  if (!m.others.empty()) {
    SmallVector<uint32_t> all{to};
    for (StringRef id : m.others)
      all.push_back(builder.lifeline(id, at));
    builder.multicast(from, all, name, at);
  } else if (m.headLeft && m.headRight) {
    builder.messagesBothWays(left, right, name, at);
  } else {
    builder.message(from, to, name, at);
  }
  lastFrom = from;
  lastTo = to;
  // Where the arrow says nothing, its line decides: an answer is dotted.
  const bool byItself =
      autoActivate && !m.lost && !m.activates && !m.deactivates;
  if (m.deactivates || (byItself && m.dotted))
    deactivate(from);
  if (m.activates || (byItself && !m.dotted))
    activate(to);
  return true;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

static bool isContinued(StringRef text) {
  return text.ends_with("\\") && !text.ends_with("\\\\");
}

void cif::sequence::readPlantUml(const SourceBuffer &source, const Block &block,
                                 DiagramBuilder &builder) {
  Lines lines(source.text(), block);
  Reader reader(builder);
  Line line, next;
  std::string joined;
  while (!builder.stopped() && lines.next(line)) {
    // A backslash at its end joins a line with the next one.
    if (isContinued(line.text)) {
      joined = StringRef(line.start, line.text.end() - line.start).str();
      while (isContinued(joined) && lines.next(next)) {
        joined.pop_back();
        joined += next.text;
      }
      line.start = joined.data();
      line.text = StringRef(joined).trim();
    }
    reader.read(line);
  }
  if (!builder.stopped())
    reader.finish();
}

std::string cif::sequence::titleOfPlantUml(StringRef text, const Block &block) {
  Lines lines(text, block);
  Line line;
  std::string title;
  while (title.empty() && lines.next(line)) {
    StringRef rest = line.text;
    if (rest.consume_front_insensitive("title ") ||
        rest.consume_front_insensitive("@startuml "))
      title = umlText(rest.trim());
  }
  return title;
}

/// PlantUML tries one kind of diagram after the other. A diagram with a word
/// that begins lines of another kind is of that one, and one without a message
/// or participant is of no use here.
bool cif::sequence::isPlantUmlSequence(StringRef text, const Block &block) {
  Lines lines(text, block);
  Line line;
  bool any = false;
  while (lines.next(line)) {
    StringRef at = line.text;
    // An anchor `{name}` and `&`, at the same time, may precede a message.
    if (at.consume_front("&"))
      at = at.ltrim();
    if (at.starts_with("{") && at.contains('}'))
      at = at.split('}').second.ltrim();
    StringRef word = at.take_while([](char c) { return isWordChar(c); });
    if (at.starts_with("@start") && !at.starts_with("@startuml"))
      return false;
    UmlMessage m;
    StringRef rest = at;
    const bool isMessage = takeMessage(rest, m);
    // A participant may have such a name: what is a message says nothing else.
    if ((!isMessage &&
         isWord(word,
                {"class",   "interface", "abstract",  "enum",      "annotation",
                 "state",   "usecase",   "component", "node",      "package",
                 "object",  "map",       "start",     "stop",      "if",
                 "while",   "fork",      "swimlane",  "rectangle", "cloud",
                 "folder",  "namespace", "salt",      "digraph",   "robust",
                 "concise", "json",      "yaml",      "archimate", "nwdiag",
                 "artifact"})) ||
        // In an activity diagram it has braces, in a sequence diagram an end.
        (word.equals_insensitive("partition") && at.ends_with("{")) ||
        at.starts_with("[*]") || at.starts_with("(") || at.starts_with(":") ||
        (at.starts_with("|") && !at.starts_with("||")) ||
        (at.starts_with("[") && at.contains(']') &&
         !startsArrow(at.drop_front())))
      return false;
    any = any || isWord(word, participantWords) || isMessage;
  }
  return any;
}

/// The blocks from `@startuml` to `@enduml`; all of it when there are none.
static std::vector<Block> blocksOf(StringRef text, StringRef path) {
  std::vector<Block> blocks;
  Block whole{.language = Block::PlantUml,
              .end = static_cast<uint32_t>(text.size())};
  Lines lines(text, whole);
  Line line;
  bool open = false;
  while (lines.next(line)) {
    auto offset = static_cast<uint32_t>(line.start - text.data());
    if (line.text.starts_with("@startuml")) {
      Block block = whole;
      block.begin = offset;
      block.line = line.number;
      if (open)
        blocks.back().end = offset;
      blocks.push_back(block);
      open = true;
    } else if (open && line.text.starts_with("@enduml")) {
      blocks.back().end = offset;
      open = false;
    }
  }
  if (blocks.empty())
    blocks.push_back(whole);
  for (Block &block : blocks)
    block.name = titleOfPlantUml(text, block);
  nameBlocks(blocks, path);
  return blocks;
}

int cif::detectPlantUml(StringRef path, StringRef text) {
  StringRef at = text.ltrim();
  while (at.starts_with("'"))
    at = at.split('\n').second.ltrim();
  if (at.starts_with("@startuml"))
    return 100;
  for (StringRef extension : {".puml", ".plantuml", ".pu", ".iuml", ".wsd"})
    if (path.ends_with(extension))
      return 50;
  return 0;
}

bool cif::parsePlantUml(const SourceBuffer &source, Module &module,
                        DiagnosticEngine &diags,
                        const FrontEndOptions &options) {
  return readBlocks(source, blocksOf(source.text(), source.path()), module,
                    diags, options, "plantuml");
}

std::vector<SourcePart> cif::partsOfPlantUml(const SourceBuffer &source) {
  return partsOf(blocksOf(source.text(), source.path()));
}
