//===- Findings.cpp - From reports to what editors show -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Findings.h"
#include "Document.h"
#include "cif/IR/FactTitle.h"

using namespace cif;

/// Editors show a list; a run of a thousand steps is for the report.
constexpr size_t maxRelated = 60;

Value cif::toJSON(const LspPosition &position) {
  return Object{{"line", position.line}, {"character", position.character}};
}

Value cif::toJSON(const LspRange &range) {
  return Object{{"start", toJSON(range.start)}, {"end", toJSON(range.end)}};
}

Value cif::toJSON(const LspEdit &edit) {
  return Object{{"range", toJSON(edit.range)}, {"newText", edit.text}};
}

std::optional<LspPosition> cif::positionFrom(const Object *object) {
  if (!object)
    return std::nullopt;
  std::optional<int64_t> line = object->getInteger("line");
  std::optional<int64_t> character = object->getInteger("character");
  if (!line || !character || *line < 0 || *character < 0 || *line > INT32_MAX ||
      *character > INT32_MAX)
    return std::nullopt;
  return LspPosition{static_cast<uint32_t>(*line),
                     static_cast<uint32_t>(*character)};
}

std::optional<LspRange> cif::rangeFrom(const Object *object) {
  if (!object)
    return std::nullopt;
  auto start = positionFrom(object->getObject("start"));
  auto end = positionFrom(object->getObject("end"));
  if (!start || !end)
    return std::nullopt;
  return LspRange{*start, *end};
}

Value cif::toJSON(const Finding &finding, StringRef uri) {
  Object result{{"range", toJSON(finding.range)},
                {"severity", finding.severity},
                {"code", finding.code},
                {"source", "cif"},
                {"message", finding.message}};
  Array related;
  for (const Finding::Related &each : finding.related)
    related.push_back(Object{
        {"location", Object{{"uri", uri}, {"range", toJSON(each.range)}}},
        {"message", each.text}});
  if (!related.empty())
    result["relatedInformation"] = std::move(related);
  return result;
}

bool Report::hasErrors() const {
  return llvm::any_of(findings, [](const Finding &finding) {
    return !finding.isVerdict && finding.severity == 1;
  });
}

bool VerdictLine::isShown() const {
  return verdict == "violated" ||
         (verdict == "inconclusive" && property != "health" &&
          property != "implementable");
}

bool Report::isViolated(StringRef property) const {
  return llvm::any_of(verdicts, [&](const VerdictLine &line) {
    return line.property == property && line.verdict == "violated";
  });
}

namespace {
/// Reads the pieces of a report.
class ReportReader {
public:
  explicit ReportReader(const Document &document) : document(document) {}

  void addDiagnostic(const Object &diagnostic);
  void addVerdict(const Object &verdict);
  Report report;

private:
  /// Where something is; nothing: elsewhere, or nowhere.
  std::optional<LspRange> rangeAt(const Object &owner) const;
  void addNotes(const Object &owner, Finding &finding);
  void addSteps(const Object &witness, Finding &finding);
  void addGuess(StringRef note, const LspRange &range, Finding &finding);

  const Document &document;
  std::vector<const Object *> witnesses; ///< each is shown once
  std::vector<std::string> collaborations;
};
} // namespace

static std::string textOf(const Object &object, StringRef key) {
  return object.getString(key).value_or("").str();
}

std::optional<LspRange> ReportReader::rangeAt(const Object &owner) const {
  const Object *at = owner.getObject("at");
  if (!at || at->getString("file").value_or("") != document.name)
    return std::nullopt;
  Place place;
  place.line = static_cast<uint32_t>(at->getInteger("line").value_or(0));
  place.column = static_cast<uint32_t>(at->getInteger("column").value_or(0));
  if (place.line == 0)
    return std::nullopt;
  return document.rangeOf(place);
}

/// Makes a fix of a note that tells what to write.
void ReportReader::addGuess(StringRef note, const LspRange &range,
                            Finding &finding) {
  StringRef guess = note;
  if (guess.consume_front("did you mean '") && guess.consume_back("'?")) {
    // Names keep their quotes.
    StringRef now = StringRef(document.text())
                        .slice(document.offsetOf(range.start),
                               document.offsetOf(range.end));
    std::string text =
        now.starts_with("\"") ? "\"" + guess.str() + "\"" : guess.str();
    finding.fixes.push_back(
        {"Replace by '" + guess.str() + "'", {{range, std::move(text)}}});
  } else if (note.starts_with("write '->' for ")) {
    finding.fixes.push_back({"Replace by '->'", {{range, "->"}}});
  } else if (note.ends_with("remove it") ||
             note.ends_with("is needed between these")) {
    finding.fixes.push_back({"Remove it", {{range, ""}}});
  }
}

void ReportReader::addNotes(const Object &owner, Finding &finding) {
  const Array *notes = owner.getArray("notes");
  if (!notes)
    return;
  for (const Value &each : *notes) {
    const Object *note = each.getAsObject();
    if (!note)
      continue;
    std::string text = textOf(*note, "text");
    std::optional<LspRange> range = rangeAt(*note);
    addGuess(text, range.value_or(finding.range), finding);
    if (range && finding.related.size() < maxRelated)
      finding.related.push_back({*range, std::move(text)});
    else
      finding.message += "\n" + text;
  }
}

void ReportReader::addSteps(const Object &witness, Finding &finding) {
  const Array *steps = witness.getArray("steps");
  if (!steps)
    return;
  size_t number = 0;
  for (const Value &each : *steps) {
    const Object *step = each.getAsObject();
    if (!step)
      continue;
    if (++number > maxRelated) {
      finding.related.push_back(
          {finding.range, "... " + std::to_string(steps->size() - maxRelated) +
                              " more steps, which the report shows"});
      return;
    }
    std::string text = std::to_string(number) + ". " + textOf(*step, "label");
    if (std::string note = textOf(*step, "note"); !note.empty())
      text += "  " + note;
    finding.related.push_back(
        {rangeAt(*step).value_or(finding.range), std::move(text)});
  }
}

void ReportReader::addDiagnostic(const Object &diagnostic) {
  Finding finding;
  std::string severity = textOf(diagnostic, "severity");
  finding.severity = severity == "error" ? 1 : severity == "warning" ? 2 : 3;
  finding.code = textOf(diagnostic, "code");
  finding.message = textOf(diagnostic, "text");
  finding.range = rangeAt(diagnostic).value_or(LspRange());
  addNotes(diagnostic, finding);
  report.findings.push_back(std::move(finding));
}

void ReportReader::addVerdict(const Object &verdict) {
  VerdictLine line{textOf(verdict, "property"), textOf(verdict, "subject"),
                   textOf(verdict, "verdict"), rangeAt(verdict)};
  report.verdicts.push_back(line);
  if (!line.isShown())
    return;
  // As CheckAll's factsToShow: each run once, and of the networks of a
  // collaboration the first.
  const Object *witness = verdict.getObject("witness");
  if (witness) {
    if (llvm::any_of(witnesses,
                     [&](const Object *other) { return *other == *witness; }))
      return;
    witnesses.push_back(witness);
  }
  const Object *parameters = verdict.getObject("parameters");
  if (parameters && parameters->getString("semantics") &&
      parameters->getString("network")) {
    std::string key = line.property + " " + line.verdict;
    if (llvm::is_contained(collaborations, key))
      return;
    collaborations.push_back(key);
  }
  Finding finding{.severity = line.verdict == "violated" ? 1 : 3,
                  .code = "check-" + line.property,
                  .isVerdict = true};
  finding.message =
      factTitle(line.property, line.subject) + ": " + line.verdict;
  if (std::string why = textOf(verdict, "message"); !why.empty())
    finding.message += ": " + why;
  finding.range = line.at.value_or(LspRange());
  if (witness)
    addSteps(*witness, finding);
  addNotes(verdict, finding);
  report.findings.push_back(std::move(finding));
}

std::optional<Report> cif::readReport(StringRef json,
                                      const Document &document) {
  llvm::Expected<Value> value = llvm::json::parse(json);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  const Object *root = value->getAsObject();
  if (!root)
    return std::nullopt;
  ReportReader reader(document);
  if (const Array *diagnostics = root->getArray("diagnostics"))
    for (const Value &each : *diagnostics)
      if (const Object *diagnostic = each.getAsObject())
        reader.addDiagnostic(*diagnostic);
  if (const Array *verdicts = root->getArray("verdicts"))
    for (const Value &each : *verdicts)
      if (const Object *verdict = each.getAsObject())
        reader.addVerdict(*verdict);
  return std::move(reader.report);
}

/// The replacements of lines in a change of SARIF.
static std::vector<LspEdit> editsOf(const Object &change,
                                    const Document &document) {
  std::vector<LspEdit> edits;
  const Array *replacements = change.getArray("replacements");
  if (!replacements)
    return edits;
  for (const Value &each : *replacements) {
    const Object *replacement = each.getAsObject();
    const Object *region =
        replacement ? replacement->getObject("deletedRegion") : nullptr;
    const Object *content =
        replacement ? replacement->getObject("insertedContent") : nullptr;
    if (!region || !content)
      continue;
    auto line = [&](StringRef key) {
      return document.lineOffset(
          static_cast<uint32_t>(region->getInteger(key).value_or(1)));
    };
    uint32_t begin = line("startLine"), end = line("endLine");
    std::string text = textOf(*content, "text");
    // A last line without its end stays one.
    if (end == document.text().size() && begin < end &&
        document.text().back() != '\n' && StringRef(text).ends_with("\n"))
      text.pop_back();
    edits.push_back({document.rangeOf(begin, end - begin), std::move(text)});
  }
  return edits;
}

std::vector<LspFix> cif::readFixes(StringRef sarif, const Document &document,
                                   StringRef title) {
  std::vector<LspFix> found;
  llvm::Expected<Value> value = llvm::json::parse(sarif);
  if (!value) {
    llvm::consumeError(value.takeError());
    return found;
  }
  const Object *root = value->getAsObject();
  const Array *runs = root ? root->getArray("runs") : nullptr;
  const Object *run =
      runs && !runs->empty() ? runs->front().getAsObject() : nullptr;
  const Array *results = run ? run->getArray("results") : nullptr;
  if (!results)
    return found;
  // Several results may have one fix.
  for (const Value &each : *results) {
    const Object *result = each.getAsObject();
    const Array *fixes = result ? result->getArray("fixes") : nullptr;
    if (!fixes)
      continue;
    for (const Value &item : *fixes) {
      const Object *fix = item.getAsObject();
      const Array *changes = fix ? fix->getArray("artifactChanges") : nullptr;
      const Object *change = changes && !changes->empty()
                                 ? changes->front().getAsObject()
                                 : nullptr;
      if (!change)
        continue;
      LspFix made{title.str(), editsOf(*change, document)};
      if (!made.edits.empty())
        found.push_back(std::move(made));
    }
    if (!found.empty())
      return found;
  }
  return found;
}
