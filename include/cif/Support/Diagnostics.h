//===- Diagnostics.h - What we tell the user ------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Diagnostics: declared in Diagnostics.def, reported with a Place, arguments
/// and notes, handed to one consumer that prints, collects or verifies them.
///
///   diags.report(place, diag::expected_token) << "';'" << found
///     .note(other, "the block opened here");
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SUPPORT_DIAGNOSTICS_H
#define CIF_SUPPORT_DIAGNOSTICS_H

#include "cif/Support/Source.h"
#include "llvm/ADT/STLExtras.h"
#include <string>
#include <utility>
#include <vector>

namespace cif {

enum class Severity : uint8_t { Note, Warning, Error };
/// "note", "warning", "error".
StringRef severityText(Severity severity);

namespace diag {
/// The enumerators are in DiagnosticKinds.h, which only those include that
/// report: a new code does not rebuild everything.
enum Kind : uint16_t;
} // namespace diag

/// What Diagnostics.def says of a kind.
struct DiagInfo {
  const char *code; ///< stable, e.g. "E0102"; its page is docs/diagnostics
  Severity severity;
  const char *name;
  const char *text; ///< with {0}, {1} for the arguments
};
/// Also for kinds that a plugin added.
const DiagInfo &diagInfo(diag::Kind kind);

struct Note {
  Place place;
  std::string text;
  bool operator==(const Note &) const = default;
};

struct Diagnostic {
  diag::Kind kind;
  Severity severity;
  Place place;
  std::string text;
  std::vector<Note> notes;
};

class DiagnosticEngine;

/// A diagnostic in the making; handed on when it goes out of scope.
class [[nodiscard]] DiagnosticBuilder {
public:
  DiagnosticBuilder(DiagnosticEngine &engine, Place place, diag::Kind kind)
      : engine(&engine), place(std::move(place)), kind(kind) {}
  DiagnosticBuilder(DiagnosticBuilder &&other)
      : engine(std::exchange(other.engine, nullptr)),
        place(std::move(other.place)), kind(other.kind),
        arguments(std::move(other.arguments)), notes(std::move(other.notes)) {}
  ~DiagnosticBuilder();

  DiagnosticBuilder &operator<<(const Twine &argument) {
    arguments.push_back(argument.str());
    return *this;
  }
  template <class Int>
  requires std::is_integral_v<Int> DiagnosticBuilder &operator<<(Int argument) {
    return *this << Twine(argument);
  }
  DiagnosticBuilder &note(Place where, const Twine &text) {
    notes.push_back({std::move(where), text.str()});
    return *this;
  }
  DiagnosticBuilder &note(const Twine &text) { return note(Place(), text); }
  /// Asks whether \p meant was meant, if there is such a word.
  DiagnosticBuilder &guess(StringRef meant) {
    return meant.empty() ? *this : note("did you mean '" + meant + "'?");
  }

private:
  DiagnosticEngine *engine;
  Place place;
  diag::Kind kind;
  std::vector<std::string> arguments;
  std::vector<Note> notes;
};

/// Where diagnostics go.
class DiagnosticConsumer {
public:
  virtual ~DiagnosticConsumer();
  /// Called for each diagnostic when its arguments and notes are complete.
  virtual void handle(const Diagnostic &diagnostic) = 0;
};

class DiagnosticEngine {
public:
  DiagnosticEngine(SourceManager &sources, DiagnosticConsumer &consumer)
      : sourceManager(sources), consumer(&consumer) {}

  /// Reports something about the file at \p place. The result takes arguments
  /// with << and notes; statement-expressions end with `;`.
  DiagnosticBuilder report(Place place, diag::Kind kind) {
    return {*this, std::move(place), kind};
  }
  /// Reports something that has no place in a file (the command line).
  DiagnosticBuilder report(diag::Kind kind) { return report(Place(), kind); }

  unsigned errors() const { return errorCount; }
  unsigned warnings() const { return warningCount; }
  bool hasErrors() const { return errorCount != 0; }
  /// Whether so many errors were reported that going on is of no use.
  bool tooManyErrors() const { return maxErrors && errorCount >= maxErrors; }

  SourceManager &sources() { return sourceManager; }
  void setConsumer(DiagnosticConsumer &to) { consumer = &to; }

  /// Says that what is looked at was read, or is explored, with less or more
  /// behaviour than it says. Facts that are found on it name \p text. Empty: it
  /// is looked at, and there is nothing to say.
  void abstracted(StringRef text) {
    if (!llvm::is_contained(abstractionTexts, text))
      abstractionTexts.push_back(text.str());
  }
  /// What was abstracted since this was asked last.
  std::vector<std::string> takeAbstractions() {
    return std::exchange(abstractionTexts, {});
  }

  unsigned maxErrors = 20; ///< 0: no limit
  bool warningsAreErrors = false;
  bool quiet = false; ///< warnings are counted and not shown

private:
  friend DiagnosticBuilder;
  void emit(Diagnostic diagnostic);

  SourceManager &sourceManager;
  DiagnosticConsumer *consumer;
  unsigned errorCount = 0, warningCount = 0;
  std::vector<std::string> abstractionTexts;
};

/// Prints `file:line:col: error: text [code]`, the line, a caret, the notes.
class DiagnosticPrinter : public DiagnosticConsumer {
public:
  DiagnosticPrinter(raw_ostream &os, SourceManager &sources, bool colors,
                    std::string tool)
      : os(os), sources(sources), colors(colors), tool(std::move(tool)) {}
  void handle(const Diagnostic &diagnostic) override;
  /// One message with its source line and caret.
  void print(const Place &place, Severity severity, StringRef text,
             StringRef code);
  void setColors(bool on) { colors = on; }

private:
  raw_ostream &os;
  SourceManager &sources;
  bool colors;
  std::string tool; ///< stands where a place is missing
};

/// Keeps them, for tests and for --verify-diagnostics.
class DiagnosticCollector : public DiagnosticConsumer {
public:
  void handle(const Diagnostic &diagnostic) override {
    all.push_back(diagnostic);
  }
  std::vector<Diagnostic> all;
};

/// Checks diagnostics against the `expected-error {{text}}` comments of the
/// sources: `expected-(error|warning|note)[@+N|@-N|@above|@below] {{text}}`.
/// Returns what is missing or too much, a line each; empty: all is as expected.
std::vector<std::string> verifyDiagnostics(ArrayRef<Diagnostic> diagnostics,
                                           const SourceBuffer &source);

/// \p candidates' entry nearest to \p word, or empty when none is near.
StringRef nearest(StringRef word, ArrayRef<StringRef> candidates);
/// The end of a sentence that asks whether \p meant was meant; empty if nothing
/// was.
std::string guessText(StringRef meant);

} // namespace cif

#endif
