//===- Sarif.cpp - Reports for code scanning ------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// SARIF 2.1.0. A rule is a check (`check-realizable`) or the code of a
/// diagnostic; a verdict is a result of the kind `pass`, `fail` or `open`, its
/// witness a code flow, its notes related locations, and the ids of BPMN
/// elements logical locations. Paths are relative, with forward slashes, as
/// code scanning wants them; a fingerprint names the rule, the subject and the
/// element and no line, so that an edit elsewhere does not make an old alert a
/// new one.
///
//===----------------------------------------------------------------------===//

#include "JsonText.h"
#include "cif/IR/FactTitle.h"
#include "cif/Report/Report.h"
#include "cif/Report/RunReport.h"
#include "cif/Support/Visible.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace cif;

/// A path as the reference of a URI: forward slashes, and whatever is not
/// plain in such a reference as %XX.
static std::string uriOf(StringRef path) {
  std::string uri;
  for (char c : llvm::sys::path::convert_to_slash(path))
    if (llvm::isAlnum(c) || StringRef("-._~/").contains(c))
      uri += c;
    else
      uri += "%" + llvm::utohexstr(static_cast<unsigned char>(c), false, 2);
  return llvm::sys::path::is_absolute(path) ? "file://" + uri : uri;
}

static bool hasLocation(const Place &place) {
  return place.known() || !place.element.empty();
}

/// The attributes of a location.
static void writeLocation(llvm::json::OStream &json, const Place &place,
                          StringRef message = "") {
  if (place.known())
    json.attributeObject("physicalLocation", [&] {
      json.attributeObject("artifactLocation",
                           [&] { json.attribute("uri", uriOf(place.file)); });
      if (place.line)
        json.attributeObject("region", [&] {
          json.attribute("startLine", place.line);
          if (place.column)
            json.attribute("startColumn", place.column);
        });
    });
  if (!place.element.empty())
    json.attributeArray("logicalLocations", [&] {
      json.object([&] {
        json.attribute("name", utf8(place.element));
        json.attribute("kind", "element");
      });
    });
  if (!message.empty())
    json.attributeObject("message",
                         [&] { json.attribute("text", utf8(message)); });
}

static void writeLocations(llvm::json::OStream &json, const Place &place) {
  if (hasLocation(place))
    json.attributeArray(
        "locations", [&] { json.object([&] { writeLocation(json, place); }); });
}

static void writeNotes(llvm::json::OStream &json, ArrayRef<Note> notes) {
  if (llvm::none_of(notes, [](const Note &n) { return hasLocation(n.place); }))
    return;
  json.attributeArray("relatedLocations", [&] {
    for (const Note &note : notes)
      if (hasLocation(note.place))
        json.object([&] { writeLocation(json, note.place, note.text); });
  });
}

/// The witness of \p fact as one thread: what the participants do in turn.
static void writeCodeFlow(llvm::json::OStream &json, const Witness &witness) {
  json.attributeArray("codeFlows", [&] {
    json.object([&] {
      json.attributeArray("threadFlows", [&] {
        json.object([&] {
          json.attributeArray("locations", [&] {
            for (const WitnessStep &step : witness.steps)
              json.object([&] {
                std::string text = step.label;
                if (!step.note.empty())
                  text += "  " + step.note;
                json.attributeObject(
                    "location", [&] { writeLocation(json, step.at, text); });
              });
          });
        });
      });
    });
  });
}

/// The repairs of \p file, where \p fact is what they mend, or where nothing is
/// violated, what they achieve.
static void writeFixes(llvm::json::OStream &json, const RunReport &run,
                       const Fact &fact) {
  StringRef file = fileOf(fact, run.inputs);
  bool anyViolated = llvm::any_of(run.facts, [&](const Fact &other) {
    return other.verdict == Verdict::Violated &&
           fileOf(other, run.inputs) == file;
  });
  if (fact.verdict != (anyViolated ? Verdict::Violated : Verdict::Holds))
    return;
  std::vector<const ReportFix *> fixes;
  for (const ReportFix &fix : run.fixes)
    if (fix.file == file)
      fixes.push_back(&fix);
  if (fixes.empty())
    return;
  json.attributeArray("fixes", [&] {
    for (const ReportFix *fix : fixes)
      json.object([&] {
        json.attributeObject("description", [&] {
          json.attribute("text", utf8(fix->description));
        });
        json.attributeArray("artifactChanges", [&] {
          json.object([&] {
            json.attributeObject("artifactLocation", [&] {
              json.attribute("uri", uriOf(fix->file));
            });
            json.attributeArray("replacements", [&] {
              for (const ReportReplacement &each : fix->replacements)
                json.object([&] {
                  json.attributeObject("deletedRegion", [&] {
                    json.attribute("startLine", each.line);
                    json.attribute("startColumn", 1);
                    json.attribute("endLine", each.endLine);
                    json.attribute("endColumn", 1);
                  });
                  json.attributeObject("insertedContent", [&] {
                    json.attribute("text", utf8(each.text));
                  });
                });
            });
          });
        });
      });
  });
}

static void writeFingerprint(llvm::json::OStream &json, StringRef rule,
                             StringRef what, StringRef element) {
  std::string key = (rule + "\n" + what + "\n" + element).str();
  json.attributeObject("partialFingerprints", [&] {
    json.attribute("cif/v1", llvm::utohexstr(llvm::xxh3_64bits(key)));
  });
}

static void writeVerdictResult(llvm::json::OStream &json, const Fact &fact,
                               const std::string &rule, size_t ruleIndex,
                               const RunReport &run) {
  static const StringRef kinds[] = {"pass", "fail", "open"};
  bool violated = fact.verdict == Verdict::Violated;
  json.attribute("ruleId", rule);
  json.attribute("ruleIndex", static_cast<int64_t>(ruleIndex));
  json.attribute("kind", kinds[static_cast<unsigned>(fact.verdict)]);
  json.attribute("level", violated ? "error" : "none");
  std::string text = fact.message;
  if (text.empty())
    text = factTitle(fact.property, fact.subject) + ": " +
           verdictText(fact.verdict).str();
  for (const Note &note : fact.notes)
    if (!hasLocation(note.place))
      text += "; " + note.text;
  if (!fact.abstractions.empty())
    text += "; abstractions: " + llvm::join(fact.abstractions, "; ");
  json.attributeObject("message", [&] { json.attribute("text", utf8(text)); });
  Place place = fact.at;
  if (!place.known())
    place.file = fileOf(fact, run.inputs).str();
  writeLocations(json, place);
  writeNotes(json, fact.notes);
  if (fact.witness && !fact.witness->steps.empty())
    writeCodeFlow(json, *fact.witness);
  writeFixes(json, run, fact);
  writeFingerprint(json, rule, fact.subject, fact.at.element);
  json.attributeObject("properties", [&] {
    json.attribute("exact", fact.exact);
    if (!fact.abstractions.empty())
      json.attributeArray("abstractions", [&] {
        for (const std::string &each : fact.abstractions)
          json.value(utf8(each));
      });
    json.attribute("method", utf8(fact.method));
    json.attribute("verdict", verdictText(fact.verdict));
  });
}

static void writeDiagnosticResult(llvm::json::OStream &json,
                                  const Diagnostic &d, const std::string &rule,
                                  size_t ruleIndex) {
  json.attribute("ruleId", rule);
  json.attribute("ruleIndex", static_cast<int64_t>(ruleIndex));
  json.attribute("level", severityText(d.severity));
  json.attributeObject("message",
                       [&] { json.attribute("text", utf8(d.text)); });
  writeLocations(json, d.place);
  writeNotes(json, d.notes);
  writeFingerprint(json, rule, d.text, d.place.element);
}

void cif::writeSarif(raw_ostream &os, const RunReport &run) {
  // Rules in the order in which they are met, each once.
  std::vector<std::string> rules;
  llvm::StringMap<size_t> numbers;
  auto number = [&](const std::string &id) {
    auto [at, isNew] = numbers.try_emplace(id, rules.size());
    if (isNew)
      rules.push_back(id);
    return at->second;
  };
  for (const Diagnostic &d : run.diagnostics)
    number(diagInfo(d.kind).code);
  for (const Fact &fact : run.facts)
    number(ruleOf(fact));

  std::string text;
  llvm::raw_string_ostream lines(text);
  llvm::json::OStream json(lines, /*IndentSize=*/1);
  json.object([&] {
    json.attribute("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json.attribute("version", "2.1.0");
    json.attributeArray("runs", [&] {
      json.object([&] {
        json.attributeObject("tool", [&] {
          json.attributeObject("driver", [&] {
            json.attribute("name", run.tool);
            json.attribute("version", run.version);
            json.attributeArray("rules", [&] {
              for (const std::string &id : rules)
                json.object([&] {
                  json.attribute("id", id);
                  json.attributeObject("help", [&] {
                    json.attribute("text", run.tool + " --explain=" + id);
                  });
                });
            });
          });
        });
        json.attributeArray("invocations", [&] {
          json.object([&] {
            json.attribute("executionSuccessful", run.status != 2);
            json.attribute("exitCode", run.status);
          });
        });
        json.attributeArray("results", [&] {
          for (const Diagnostic &d : run.diagnostics) {
            std::string rule = diagInfo(d.kind).code;
            json.object(
                [&] { writeDiagnosticResult(json, d, rule, number(rule)); });
          }
          for (const Fact &fact : run.facts) {
            std::string rule = ruleOf(fact);
            json.object([&] {
              writeVerdictResult(json, fact, rule, number(rule), run);
            });
          }
        });
      });
    });
  });
  os << visibleJson(text) << '\n';
}
