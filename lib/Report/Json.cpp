//===- Json.cpp - Verdicts for scripts ------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JsonText.h"
#include "cif/Report/Report.h"
#include "cif/Report/RunReport.h"
#include "cif/Support/Visible.h"
#include "llvm/Support/Format.h"

using namespace cif;

/// JSON is UTF-8; a name from a damaged file must not spoil the line. Most
/// texts stand in it as they are, and a long run has many of them.
static void writeText(llvm::json::OStream &json, StringRef key,
                      StringRef text) {
  auto isPlain = [](char c) {
    return c >= ' ' && c <= '~' && c != '"' && c != '\\';
  };
  if (!llvm::all_of(text, isPlain))
    return json.attribute(key, utf8(text));
  json.attributeBegin(key);
  json.rawValue([&](raw_ostream &os) { os << '"' << text << '"'; });
  json.attributeEnd();
}

void cif::writePlace(llvm::json::OStream &json, StringRef key,
                     const Place &place) {
  if (!place.known() && place.element.empty())
    return;
  json.attributeObject(key, [&] {
    writeText(json, "file", place.file);
    json.attribute("line", place.line);
    if (place.column)
      json.attribute("column", place.column);
    if (!place.element.empty())
      writeText(json, "id", place.element);
  });
}

static void writeNotes(llvm::json::OStream &json, ArrayRef<Note> notes) {
  if (notes.empty())
    return;
  json.attributeArray("notes", [&] {
    for (const Note &note : notes)
      json.object([&] {
        json.attribute("text", utf8(note.text));
        writePlace(json, "at", note.place);
      });
  });
}

static void writeWitness(llvm::json::OStream &json, const Witness &witness) {
  json.attribute("kind", utf8(witness.kind));
  json.attributeArray("steps", [&] {
    for (const WitnessStep &step : witness.steps)
      json.object([&] {
        writeText(json, "label", step.label);
        writePlace(json, "at", step.at);
        if (!step.note.empty())
          writeText(json, "note", step.note);
      });
  });
  if (witness.loopStart)
    json.attribute("loopStart", *witness.loopStart);
  if (!witness.formula.empty())
    json.attribute("formula", utf8(witness.formula));
}

void cif::writeVerdictAttributes(llvm::json::OStream &json, const Fact &fact,
                                 StringRef file) {
  json.attribute("property", utf8(fact.property));
  json.attribute("subject", utf8(fact.subject));
  json.attributeObject("parameters", [&] {
    for (const auto &[name, value] : fact.parameters)
      json.attribute(utf8(name), utf8(value));
  });
  json.attribute("verdict", verdictText(fact.verdict));
  json.attribute("exact", fact.exact);
  if (!fact.abstractions.empty())
    json.attributeArray("abstractions", [&] {
      for (const std::string &text : fact.abstractions)
        json.value(utf8(text));
    });
  json.attribute("method", utf8(fact.method));
  json.attribute("states", static_cast<int64_t>(fact.states));
  json.attribute("transitions", static_cast<int64_t>(fact.transitions));
  if (!fact.message.empty())
    json.attribute("message", utf8(fact.message));
  writePlace(json, "at", fact.at);
  if (fact.witness)
    json.attributeObject("witness", [&] { writeWitness(json, *fact.witness); });
  writeNotes(json, fact.notes);
  std::string digest;
  llvm::raw_string_ostream(digest)
      << llvm::format_hex_no_prefix(fact.digest, 16);
  json.attribute("digest", digest);
  if (!file.empty())
    json.attribute("file", utf8(file));
  json.attribute("version", verdictSchemaVersion);
}

void cif::writeVerdict(raw_ostream &os, const Fact &fact, StringRef file) {
  std::string text;
  llvm::raw_string_ostream line(text);
  line.SetBuffered(); // strings are written character by character
  llvm::json::OStream json(line);
  json.object([&] { writeVerdictAttributes(json, fact, file); });
  line.flush();
  os << visibleJson(text) << '\n';
}

StringRef cif::fileOf(const Fact &fact, ArrayRef<std::string> inputs) {
  if (fact.at.known())
    return fact.at.file;
  return inputs.size() == 1 ? StringRef(inputs.front()) : StringRef();
}

void cif::writeRunAttributes(llvm::json::OStream &json, const RunReport &run) {
  json.attribute("version", verdictSchemaVersion);
  json.attribute("tool", run.tool);
  json.attribute("toolVersion", run.version);
  json.attributeArray("inputs", [&] {
    for (const std::string &input : run.inputs)
      json.value(utf8(input));
  });
  json.attribute("exitStatus", run.status);
  json.attribute("seconds", run.seconds);
  json.attributeArray("diagnostics", [&] {
    for (const Diagnostic &d : run.diagnostics)
      json.object([&] {
        json.attribute("code", diagInfo(d.kind).code);
        json.attribute("severity", severityText(d.severity));
        json.attribute("text", utf8(d.text));
        writePlace(json, "at", d.place);
        writeNotes(json, d.notes);
      });
  });
  json.attributeArray("verdicts", [&] {
    for (const Fact &fact : run.facts)
      json.object([&] {
        writeVerdictAttributes(json, fact, fileOf(fact, run.inputs));
      });
  });
}

void cif::writeJsonReport(raw_ostream &os, const RunReport &run) {
  std::string text;
  llvm::raw_string_ostream lines(text);
  lines.SetBuffered();
  llvm::json::OStream json(lines, /*IndentSize=*/1);
  json.object([&] { writeRunAttributes(json, run); });
  lines.flush();
  os << visibleJson(text) << '\n';
}
