//===- Markdown.cpp - Sequence diagrams in Markdown -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Fenced code blocks [CommonMark, 4.5] with the info string `mermaid`,
/// `plantuml` or `puml`. Each that is a sequence diagram is one choreography;
/// other kinds of diagrams, and all other text, are passed over.
///
//===----------------------------------------------------------------------===//

#include "Diagram.h"
#include "cif/IR/Names.h"
#include "cif/Support/Diagnostics/Text.h"
#include "llvm/ADT/StringExtras.h"

using namespace cif;
using namespace cif::sequence;

/// The fence at the front of a line: its character and length, or nothing.
static StringRef fenceOf(StringRef line) {
  StringRef ticks = line.take_while([](char c) { return c == '`'; });
  StringRef tildes = line.take_while([](char c) { return c == '~'; });
  StringRef fence = ticks.size() > tildes.size() ? ticks : tildes;
  return fence.size() >= 3 ? fence : StringRef();
}

/// The info string's first word: `mermaid`, `{.plantuml}`, ...
static std::string languageOf(StringRef info) {
  info = info.trim().ltrim("{.").take_until(
      [](char c) { return llvm::isSpace(c) || c == '}' || c == ','; });
  return info.lower();
}

/// The text of a heading, without marks.
static std::string headingOf(StringRef line) {
  size_t level = line.take_while([](char c) { return c == '#'; }).size();
  if (level == 0 || level > 6 || line.size() == level ||
      !llvm::isSpace(line[level]))
    return {};
  return line.drop_front(level).trim().rtrim("#").rtrim().str();
}

static std::vector<Block> blocksOf(StringRef text, StringRef path) {
  std::vector<Block> blocks;
  Block whole{.end = static_cast<uint32_t>(text.size())};
  Lines lines(text, whole);
  Line line;
  std::string heading;
  StringRef fence; ///< that is open
  Block block;
  bool ours = false;
  auto finish = [&](const char *end) {
    block.end = static_cast<uint32_t>(end - text.data());
    bool mermaid = block.language == Block::Mermaid;
    if (!(mermaid ? isMermaidSequence : isPlantUmlSequence)(text, block))
      return;
    block.name = (mermaid ? titleOfMermaid : titleOfPlantUml)(text, block);
    if (block.name.empty())
      block.name = heading;
    blocks.push_back(block);
  };
  while (lines.next(line)) {
    bool quoted = line.text.starts_with(">");
    StringRef at = quoted ? line.text.ltrim("> \t") : line.text;
    // A list item may begin with a block.
    if (fence.empty() && (at.starts_with("- ") || at.starts_with("* ")))
      at = at.drop_front(2).ltrim();
    StringRef found = fenceOf(at);
    if (!fence.empty()) {
      if (found.size() >= fence.size() && found[0] == fence[0] &&
          at.drop_front(found.size()).trim().empty()) {
        if (ours)
          finish(line.start);
        fence = {};
      }
      continue;
    }
    if (found.empty()) {
      if (std::string title = headingOf(at); !title.empty())
        heading = findNotUtf8(title) == StringRef::npos ? title : "";
      continue;
    }
    StringRef info = at.drop_front(found.size());
    if (found[0] == '`' && info.contains('`')) // code within a line
      continue;
    fence = found;
    std::string language = languageOf(info);
    block = Block();
    block.language = language == "mermaid" ? Block::Mermaid : Block::PlantUml;
    ours = language == "mermaid" || language == "plantuml" ||
           language == "puml" || language == "uml";
    block.begin = static_cast<uint32_t>(std::min<size_t>(
        text.size(), static_cast<size_t>(line.text.end() - text.data())));
    if (size_t next = text.find('\n', block.begin); next != StringRef::npos)
      block.begin = static_cast<uint32_t>(next + 1);
    else
      block.begin = static_cast<uint32_t>(text.size());
    block.line = line.number + 1;
    block.quoted = quoted;
  }
  if (!fence.empty() && ours) // the end of the file ends a block
    finish(text.end());
  nameBlocks(blocks, path);
  return blocks;
}

int cif::detectMarkdown(StringRef path, StringRef text) {
  if (path.ends_with(".md") || path.ends_with(".markdown"))
    return 90;
  for (StringRef fence : {"```mermaid", "```plantuml", "```puml", "~~~mermaid"})
    if (size_t at = text.find(fence);
        at != StringRef::npos && (at == 0 || text[at - 1] == '\n'))
      return 50;
  return 0;
}

bool cif::parseMarkdown(const SourceBuffer &source, Module &module,
                        DiagnosticEngine &diags,
                        const FrontEndOptions &options) {
  std::vector<Block> blocks = blocksOf(source.text(), source.path());
  if (!blocks.empty())
    return readBlocks(source, blocks, module, diags, options, "markdown");
  diags.report(Place{source.path().str(), 0, 0, ""}, diag::no_diagram)
      << "expected a fenced block of 'mermaid' that begins with "
         "'sequenceDiagram', or one of 'plantuml'";
  return false;
}

std::vector<SourcePart> cif::partsOfMarkdown(const SourceBuffer &source) {
  return partsOf(blocksOf(source.text(), source.path()));
}
