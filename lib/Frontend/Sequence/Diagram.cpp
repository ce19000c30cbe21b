//===- Diagram.cpp - Sequence diagrams as terms ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagram.h"
#include "cif/IR/Names.h"
#include "cif/Support/Diagnostics/Text.h"
#include "cif/Support/InputBytes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Path.h"

using namespace cif;
using namespace cif::sequence;
using ioc::none;
using ioc::TermKind;

bool Lines::next(Line &line) {
  if (rest.empty())
    return false;
  size_t end = rest.find('\n');
  StringRef whole = rest.take_front(end);
  rest = end == StringRef::npos ? StringRef() : rest.drop_front(end + 1);
  line.number = number++;
  line.start = whole.data();
  line.text = quoted ? whole.ltrim(" \t>").rtrim() : whole.trim();
  return true;
}

std::string cif::sequence::shown(StringRef text) {
  constexpr size_t most = 60;
  if (text.size() <= most)
    return ("'" + text + "'").str();
  size_t end = most;
  while (end && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
    --end;
  return ("'" + text.take_front(end) + "...'").str();
}

void cif::sequence::appendCodePoint(std::string &to, uint32_t code) {
  char buffer[UNI_MAX_UTF8_BYTES_PER_CODE_POINT];
  char *at = buffer;
  if (code && llvm::ConvertCodePointToUTF8(code, at))
    to.append(buffer, at);
}

DiagramBuilder::DiagramBuilder(const SourceBuffer &from, Module &into,
                               DiagnosticEngine &engine, bool isStrict)
    : module(into), diags(engine), source(from), strict(isStrict),
      errorsBefore(engine.errors()) {
  uint32_t root = newTerm(TermKind::Sequence, {});
  frames.push_back({Fragment::Root, "", {}, root, root, none, 0, 0});
}

//===----------------------------------------------------------------------===//
// What there is to say
//===----------------------------------------------------------------------===//

void DiagramBuilder::abstracted(const Twine &what, const Twine &how, Spot at) {
  diags.report(place(at),
               strict ? diag::sequence_strict : diag::sequence_abstracted)
      << what << how;
  std::string text = how.str();
  if (!llvm::is_contained(abstractions, text))
    abstractions.push_back(std::move(text));
}

void DiagramBuilder::unsupported(const Twine &what, const Twine &why, Spot at) {
  diags.report(place(at), diag::sequence_unsupported) << what << why;
}

void DiagramBuilder::expected(const Twine &what, StringRef found, Spot at) {
  diags.report(place(at), diag::expected_token)
      << what << (found.empty() ? "the end of the line" : shown(found));
}

void DiagramBuilder::unknown(StringRef text, StringRef word,
                             ArrayRef<StringRef> words, StringRef example,
                             Spot at) {
  diags.report(place(at), diag::expected_token)
          .guess(nearest(word.lower(), words))
      << "a statement, such as " + example << shown(text);
}

void DiagramBuilder::misplaced(StringRef word, const Twine &why, Spot at) {
  diags.report(place(at), diag::sequence_misplaced) << word << why;
}

/// Nothing evaluates what stands in `alt order is large`.
void DiagramBuilder::condition(Fragment kind, StringRef text, Spot at) {
  if (text.empty())
    return;
  switch (kind) {
  case Fragment::Alt:
  case Fragment::Opt:
  case Fragment::Break:
  case Fragment::Critical: // an option
    abstracted("the condition " + shown(text),
               "conditions may hold or not, whatever they say", at);
    break;
  case Fragment::Loop:
    abstracted("the condition " + shown(text),
               "loops may end after any number of rounds", at);
    break;
  default:
    break;
  }
}

//===----------------------------------------------------------------------===//
// Lifelines
//===----------------------------------------------------------------------===//

uint32_t DiagramBuilder::lifeline(StringRef id, Spot at) {
  Name name = module.intern(id);
  auto [entry, isNew] =
      byId.try_emplace(name.index(), static_cast<uint32_t>(lifelines.size()));
  if (isNew)
    lifelines.push_back({name, name, at});
  return entry->second;
}

void DiagramBuilder::show(uint32_t lifeline, StringRef name, Spot at) {
  Lifeline &which = lifelines[lifeline];
  which.name = module.intern(name);
  which.at = at;
}

uint32_t DiagramBuilder::environment(Spot at) {
  if (environmentLine == none) {
    environmentLine = static_cast<uint32_t>(lifelines.size());
    Name name = module.intern("environment");
    lifelines.push_back({name, name, at});
  }
  return environmentLine;
}

/// What people see names a participant. Where two are shown alike, the second
/// one keeps its id.
void DiagramBuilder::nameLifelines() {
  llvm::DenseSet<uint32_t> taken;
  llvm::DenseMap<uint32_t, unsigned> numbers; ///< the last one, by name
  for (Lifeline &which : lifelines) {
    Name wanted = which.name;
    if (taken.insert(wanted.index()).second)
      continue;
    which.name = which.id;
    while (!taken.insert(which.name.index()).second)
      which.name = module.intern(module.text(wanted).str() + " " +
                                 std::to_string(++numbers[wanted.index()] + 1));
    diags.report(place(which.at), diag::same_lifeline)
        << module.text(wanted) << module.text(which.name);
  }
}

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

uint32_t DiagramBuilder::newTerm(TermKind kind, Spot at) {
  ioc::Term term;
  term.kind = kind;
  term.line = at.line;
  term.column = at.column;
  ast.terms.push_back(term);
  return static_cast<uint32_t>(ast.terms.size() - 1);
}

uint32_t DiagramBuilder::newSequence(StringRef label, Spot at) {
  uint32_t term = newTerm(TermKind::Sequence, at);
  if (!label.empty())
    ast.terms[term].label = module.intern(label);
  return term;
}

/// Puts \p term behind what is there.
void DiagramBuilder::append(uint32_t term) {
  Frame &frame = frames[frames.back().owner];
  if (frame.last == none)
    ast.terms[frame.sequence].child = term;
  else
    ast.terms[frame.last].next = term;
  frame.last = term;
}

void DiagramBuilder::message(uint32_t from, uint32_t to, StringRef text,
                             Spot at) {
  uint32_t term =
      newTerm(from == to ? TermKind::Tau : TermKind::Interaction, at);
  // The ends are numbers until their names are known.
  ast.terms[term].firstArgument = from;
  ast.terms[term].numArguments = to;
  if (from != to || !text.empty())
    ast.terms[term].message =
        module.intern(text.empty() ? StringRef("message") : text);
  append(term);
}

void DiagramBuilder::multicast(uint32_t from, ArrayRef<uint32_t> to,
                               StringRef text, Spot at) {
  open(Fragment::Par, "par", "", at);
  for (size_t i = 0; i < to.size(); ++i) {
    if (i)
      part({Fragment::Par}, "and", "", at);
    message(from, to[i], text, at);
  }
  close("end", false, at);
}

void DiagramBuilder::messagesBothWays(uint32_t a, uint32_t b, StringRef text,
                                      Spot at) {
  if (a == b)
    return message(a, b, text, at);
  open(Fragment::Par, "par", "", at);
  message(a, b, text, at);
  part({Fragment::Par}, "and", "", at);
  message(b, a, text, at);
  close("end", false, at);
}

void DiagramBuilder::addPart(Frame &frame, StringRef text, Spot at) {
  frame.sequence = newSequence(text, at);
  frame.last = none;
  if (frame.lastPart == none)
    ast.terms[frame.term].child = frame.sequence;
  else
    ast.terms[frame.lastPart].next = frame.sequence;
  frame.lastPart = frame.sequence;
}

void DiagramBuilder::open(Fragment kind, StringRef word, StringRef text,
                          Spot at) {
  uint32_t index = static_cast<uint32_t>(frames.size());
  Frame frame{kind, word.str(), at, none, none, none, none, index};
  frame.inPar = frames.back().inPar || kind == Fragment::Par;
  if (kind == Fragment::Rect || kind == Fragment::Box) {
    frame.owner = frames.back().owner;
    frames.push_back(std::move(frame));
    return;
  }
  if (kind == Fragment::Critical && frames.back().inPar)
    abstracted("a critical region in 'par'",
               "steps of other operands may come between its own", at);
  if (kind != Fragment::Critical) // its text says what it does
    condition(kind, text, at);
  TermKind termKind = kind == Fragment::Par    ? TermKind::Parallel
                      : kind == Fragment::Loop ? TermKind::Loop
                      : kind == Fragment::Critical || kind == Fragment::Group
                          ? TermKind::Sequence
                          : TermKind::Choice;
  frame.term = newTerm(termKind, at);
  append(frame.term);
  addPart(frame, text, at);
  if (kind == Fragment::Loop)
    std::swap(ast.terms[frame.term].label, ast.terms[frame.sequence].label);
  frames.push_back(std::move(frame));
}

void DiagramBuilder::part(ArrayRef<Fragment> kinds, StringRef word,
                          StringRef text, Spot at) {
  Frame &frame = frames.back();
  if (!llvm::is_contained(kinds, frame.kind)) {
    auto report = diags.report(place(at), diag::sequence_misplaced);
    if (frame.kind == Fragment::Root)
      report << word << "is outside of any fragment that it could divide";
    else
      report.note(place(frame.at), "the innermost open fragment")
          << word << "does not belong to '" + frame.word + "'";
    return;
  }
  ++frame.parts;
  condition(frame.kind, text, at);
  if (frame.kind == Fragment::Opt)
    frame.kind = Fragment::Alt;
  if (frame.kind == Fragment::Critical && frame.options == none) {
    // Behind the region: nothing, or one of the options.
    frame.options = newTerm(TermKind::Choice, at);
    ast.terms[frame.lastPart].next = frame.options;
    frame.term = frame.options;
    frame.lastPart = newTerm(TermKind::Done, at);
    ast.terms[frame.options].child = frame.lastPart;
  }
  addPart(frame, text, at);
}

/// What follows in the fragment around it is the other branch.
void DiagramBuilder::endBreak(uint32_t firstPart, Spot at) {
  Frame &around = frames[frames.back().owner];
  if (around.kind == Fragment::Par)
    abstracted("a break in 'par'", "it leaves its own operand alone", at);
  around.broken = true;
  around.sequence = newSequence("", at);
  around.last = none;
  ast.terms[firstPart].next = around.sequence;
}

/// A loop that a break leaves: rec X {1 + I ; (B + J ; X)}.
void DiagramBuilder::endLoop(Frame &loop, Spot at) {
  Name name = module.intern("loop");
  uint32_t call = newTerm(TermKind::Call, at);
  ast.terms[call].first = name;
  if (loop.last == none)
    ast.terms[loop.sequence].child = call;
  else
    ast.terms[loop.last].next = call;
  uint32_t choice = newTerm(TermKind::Choice, loop.at);
  uint32_t done = newTerm(TermKind::Done, at);
  ioc::Term &term = ast.terms[loop.term];
  term.kind = TermKind::Rec;
  term.first = name;
  uint32_t body = term.child;
  ast.terms[body].label = term.label;
  ast.terms[body].next = done;
  ast.terms[choice].child = body;
  term.child = choice;
}

void DiagramBuilder::close(StringRef word, bool box, Spot at) {
  Frame &top = frames.back();
  if (top.kind == Fragment::Root)
    return misplaced(word, "ends nothing: no fragment is open", at);
  if (box != (top.kind == Fragment::Box)) {
    diags.report(place(at), diag::sequence_misplaced)
            .note(place(top.at), "the innermost open one")
        << word << "does not end '" + top.word + "'";
    return;
  }
  Frame frame = std::move(frames.back());
  frames.pop_back();
  switch (frame.kind) {
  case Fragment::Alt:
  case Fragment::Opt:
    if (frame.parts == 1)
      ast.terms[frame.lastPart].next = newTerm(TermKind::Done, at);
    break;
  case Fragment::Par:
    if (frame.parts == 1)
      ast.terms[frame.term].kind = TermKind::Sequence;
    break;
  case Fragment::Break:
    endBreak(frame.lastPart, at);
    break;
  case Fragment::Loop:
    if (frame.broken)
      endLoop(frame, at);
    break;
  default:
    break;
  }
}

bool DiagramBuilder::finish(const Block &block, StringRef language) {
  if (frames.size() > 1 && !stopped()) {
    const Frame &open = frames.back();
    auto report = diags.report(place(open.at), diag::unterminated);
    report << "'" + open.word + "'"
           << (open.kind == Fragment::Box && block.language == Block::PlantUml
                   ? "'end box'"
                   : "'end'");
    if (frames.size() > 2)
      report.note(std::to_string(frames.size() - 2) +
                  " more around it must be closed, too");
  }
  if (diags.errors() != errorsBefore)
    return false;
  nameLifelines();
  SourceId id = module.getSource(source.path(), language);
  for (const Lifeline &which : lifelines)
    module.getParticipant(which.name,
                          {id, which.at.line, which.at.column, Name()});
  for (ioc::Term &term : ast.terms)
    if (term.kind == TermKind::Interaction || term.kind == TermKind::Tau) {
      term.first = lifelines[term.firstArgument].name;
      if (term.kind == TermKind::Interaction)
        term.second = lifelines[term.numArguments].name;
      term.firstArgument = term.numArguments = 0;
    }
  ioc::Block body;
  body.name = module.intern(block.name);
  body.line = block.line;
  body.column = 1;
  body.body = 0;
  ast.blocks.push_back(body);
  module.addAbstractions(abstractions);
  return ioc::lower(source, ast, module, diags, "", language);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void cif::sequence::nameBlocks(std::vector<Block> &blocks, StringRef path) {
  StringRef stem = llvm::sys::path::stem(unpackedName(path));
  llvm::StringSet<> taken;
  llvm::StringMap<unsigned> numbers;
  for (Block &block : blocks) {
    if (block.name.empty())
      block.name = stem.empty() || path == "<stdin>" ? "diagram" : stem.str();
    std::string wanted = block.name;
    while (!taken.insert(block.name).second)
      block.name = wanted + " " + std::to_string(++numbers[wanted] + 1);
  }
}

std::vector<SourcePart> cif::sequence::partsOf(ArrayRef<Block> blocks) {
  std::vector<SourcePart> parts;
  for (const Block &block : blocks)
    parts.push_back({block.name, block.line});
  return parts;
}

bool cif::sequence::readBlocks(const SourceBuffer &source,
                               ArrayRef<Block> blocks, Module &module,
                               DiagnosticEngine &diags,
                               const FrontEndOptions &options,
                               StringRef language) {
  bool ok = true, found = options.select.empty();
  SmallVector<StringRef> known;
  for (const Block &block : blocks) {
    known.push_back(block.name);
    if (!options.select.empty() && options.select != block.name)
      continue;
    found = true;
    StringRef text = source.text().slice(block.begin, block.end);
    if (size_t bad = findNotUtf8(text); bad != StringRef::npos) {
      static_cast<void>(
          diags.report(source.place(block.begin + bad), diag::bad_utf8));
      ok = false;
      continue;
    }
    DiagramBuilder builder(source, module, diags, options.strict);
    if (block.language == Block::Mermaid)
      readMermaid(source, block, builder);
    else
      readPlantUml(source, block, builder);
    ok = builder.finish(block, language) && ok;
    if (diags.tooManyErrors())
      return false;
  }
  if (found)
    return ok;
  diags.report(source.place(0), diag::unknown_block)
          .guess(nearest(options.select, known))
      << options.select;
  return false;
}
