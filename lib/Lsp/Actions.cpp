//===- Actions.cpp - Changes that an editor may make ----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Features.h"
#include "cif/Frontend/Format.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace cif;

Value cif::editOf(const Document &document, ArrayRef<LspEdit> edits,
                  bool withVersions) {
  Array list;
  for (const LspEdit &edit : edits)
    list.push_back(toJSON(edit));
  if (!withVersions)
    return Object{{"changes", Object{{document.uri, std::move(list)}}}};
  return Object{
      {"documentChanges",
       Array{Object{{"textDocument", Object{{"uri", document.uri},
                                            {"version", document.version}}},
                    {"edits", std::move(list)}}}}};
}

Value cif::editOf(const DocumentEdits &first, ArrayRef<DocumentEdits> others) {
  Array changes;
  auto add = [&](const DocumentEdits &each, bool asks) {
    Array list;
    for (const LspEdit &edit : each.edits) {
      Value json = toJSON(edit);
      if (asks)
        (*json.getAsObject())["annotationId"] = "others";
      list.push_back(std::move(json));
    }
    // A file that nobody has open has no version.
    Value version = nullptr;
    if (each.document->isOpen)
      version = each.document->version;
    changes.push_back(
        Object{{"textDocument", Object{{"uri", each.document->uri},
                                       {"version", std::move(version)}}},
               {"edits", std::move(list)}});
  };
  add(first, false);
  for (const DocumentEdits &each : others)
    add(each, true);
  return Object{
      {"documentChanges", std::move(changes)},
      {"changeAnnotations",
       Object{{"others", Object{{"label", "The same name in other models"},
                                {"needsConfirmation", true}}}}}};
}

std::optional<LspEdit> cif::formatEdit(const Document &document) {
  if (document.text().size() > Document::maxAtOnce)
    return std::nullopt;
  std::optional<std::string> now =
      formatSource(document.language, document.source());
  if (!now || *now == document.text())
    return std::nullopt;
  return editTo(document, *now);
}

LspEdit cif::editTo(const Document &document, StringRef after) {
  StringRef before = document.text();
  size_t same = 0;
  for (size_t i = 0;
       i < std::min(before.size(), after.size()) && before[i] == after[i]; ++i)
    if (before[i] == '\n')
      same = i + 1;
  before = before.drop_front(same);
  after = after.drop_front(same);
  size_t tail = 0;
  for (size_t i = 1; i <= std::min(before.size(), after.size()) &&
                     before[before.size() - i] == after[after.size() - i];
       ++i)
    if (before[before.size() - i] == '\n')
      tail = i - 1;
  auto begin = static_cast<uint32_t>(same);
  auto length = static_cast<uint32_t>(before.size() - tail);
  return {document.rangeOf(begin, length), after.drop_back(tail).str()};
}

static bool meet(const LspRange &a, const LspRange &b) {
  return a.start <= b.end && b.start <= a.end;
}

Value cif::actionsAt(const Document &document, const LspRange &range,
                     bool withVersions) {
  Array actions;
  bool repairs = false;
  auto add = [&](const LspFix &fix, Array diagnostics) {
    actions.push_back(
        Object{{"title", fix.title},
               {"kind", "quickfix"},
               {"diagnostics", std::move(diagnostics)},
               {"edit", editOf(document, fix.edits, withVersions)}});
  };
  for (const Finding &finding : document.report.findings) {
    if (!meet(finding.range, range))
      continue;
    repairs |= finding.isVerdict;
    for (const LspFix &fix : finding.fixes)
      add(fix, Array{toJSON(finding, document.uri)});
  }
  if (repairs)
    for (const LspFix &fix : document.report.repairs)
      add(fix, Array{});
  return actions;
}

/// The name in quotes within a subject: "choreography 'Store'".
static StringRef quotedIn(StringRef subject) {
  return subject.split('\'').second.rsplit('\'').first;
}

static std::string lensText(ArrayRef<const VerdictLine *> lines) {
  std::vector<std::string> violated, open;
  for (const VerdictLine *line : lines) {
    if (!line->isShown())
      continue;
    auto &list = line->verdict == "violated" ? violated : open;
    if (!llvm::is_contained(list, line->property))
      list.push_back(line->property);
  }
  std::string text;
  if (!violated.empty())
    text = "violated: " + llvm::join(violated, ", ");
  if (!open.empty())
    text += (text.empty() ? "" : "; ") +
            ("inconclusive: " + llvm::join(open, ", "));
  if (text.empty())
    text = lines.size() == 1 ? "the check holds"
                             : std::to_string(lines.size()) + " checks hold";
  return text;
}

Value cif::lensesOf(const Document &document) {
  Array lenses;
  if (!document.isChecked)
    return lenses;
  const Symbols &symbols = document.symbols();
  auto add = [&](const LspRange &range, ArrayRef<const VerdictLine *> lines) {
    if (!lines.empty())
      lenses.push_back(
          Object{{"range", toJSON(range)},
                 {"command", Object{{"title", lensText(lines)},
                                    {"command", "cif.report"},
                                    {"arguments", Array{document.uri}}}}});
  };
  llvm::StringMap<const SourceBlock *> named;
  for (const SourceBlock &block : symbols.blocks) {
    const Symbol &symbol = symbols.all[block.symbol];
    named.try_emplace(symbol.title.empty() ? symbol.name : symbol.title,
                      &block);
  }
  // What is of no block is of the first.
  llvm::MapVector<const SourceBlock *, std::vector<const VerdictLine *>> found;
  for (const VerdictLine &line : document.report.verdicts) {
    auto at = named.find(quotedIn(line.subject));
    const SourceBlock *first =
        symbols.blocks.empty() ? nullptr : &symbols.blocks.front();
    found[at == named.end() ? first : at->second].push_back(&line);
  }
  for (const auto &[block, lines] : found) {
    LspRange range;
    if (block) {
      const Occurrence &name = symbols.occurrences[block->name];
      range = document.rangeOf(name.offset, name.length);
    }
    add(range, lines);
  }
  return lenses;
}
