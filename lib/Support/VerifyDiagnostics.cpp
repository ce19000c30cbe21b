//===- VerifyDiagnostics.cpp - expected-error comments --------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `expected-error {{text}}` in a comment of any language says that a
/// diagnostic with that text as a part is reported on this line; @above,
/// @below, @+N, @-N and @N say another line. Whatever was not expected is a
/// failure too.
///
//===----------------------------------------------------------------------===//

#include "cif/Support/Diagnostics.h"
#include <cstring>

using namespace cif;

namespace {
struct Expectation {
  Severity severity;
  uint32_t line;
  StringRef text;
  bool met = false;
};
} // namespace

/// The line that `@above` and the like mean, seen from \p line.
static int64_t targetLine(StringRef &rest, uint32_t line) {
  if (!rest.consume_front("@"))
    return line;
  if (rest.consume_front("above"))
    return int64_t(line) - 1;
  if (rest.consume_front("below"))
    return int64_t(line) + 1;
  bool plus = rest.consume_front("+"), minus = rest.consume_front("-");
  unsigned number = 0;
  rest.consumeInteger(10, number);
  return plus    ? int64_t(line) + number
         : minus ? int64_t(line) - number
                 : int64_t(number);
}

static std::vector<Expectation> findExpectations(const SourceBuffer &source) {
  std::vector<Expectation> found;
  StringRef text = source.text();
  for (size_t at = text.find("expected-"); at != StringRef::npos;
       at = text.find("expected-", at + 1)) {
    StringRef rest = text.substr(at + strlen("expected-"));
    Severity severity;
    if (rest.consume_front("error"))
      severity = Severity::Error;
    else if (rest.consume_front("warning"))
      severity = Severity::Warning;
    else if (rest.consume_front("note"))
      severity = Severity::Note;
    else
      continue;
    int64_t line = targetLine(rest, source.lineColumn(at).line);
    rest = rest.ltrim(" ");
    if (line < 0 || !rest.consume_front("{{"))
      continue;
    found.push_back({severity, static_cast<uint32_t>(line),
                     rest.take_front(rest.find("}}"))});
  }
  return found;
}

std::vector<std::string>
cif::verifyDiagnostics(ArrayRef<Diagnostic> diagnostics,
                       const SourceBuffer &source) {
  std::vector<Expectation> expected = findExpectations(source);
  std::vector<std::string> problems;
  auto match = [&](Severity severity, const Place &place, StringRef text) {
    for (Expectation &e : expected)
      if (!e.met && e.severity == severity && e.line == place.line &&
          text.contains(e.text)) {
        e.met = true;
        return;
      }
    problems.push_back((place.file + ":" + Twine(place.line) + ": unexpected " +
                        severityText(severity) + ": " + text)
                           .str());
  };
  for (const Diagnostic &d : diagnostics) {
    match(d.severity, d.place, d.text);
    for (const Note &note : d.notes)
      if (note.place.known())
        match(Severity::Note, note.place, note.text);
  }
  for (const Expectation &e : expected)
    if (!e.met)
      problems.push_back((source.path() + ":" + Twine(e.line) + ": expected " +
                          severityText(e.severity) +
                          " was not reported: " + e.text)
                             .str());
  return problems;
}
