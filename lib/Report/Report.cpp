//===- Report.cpp - Verdicts for people ----------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Report/Report.h"
#include "cif/IR/FactTitle.h"
#include "cif/Support/ExitCodes.h"
#include "cif/Support/Visible.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace cif;

static void printPlace(raw_ostream &os, const Place &place) {
  os << visible(place.element);
  if (!place.known())
    return;
  os << (place.element.empty() ? "" : ", ") << visible(place.file);
  if (place.line)
    os << ':' << place.line;
  if (place.line && place.column && place.element.empty())
    os << ':' << place.column;
}

static void printWitness(raw_ostream &os, const Witness &witness,
                         DiagnosticPrinter &printer, size_t maxSteps) {
  if (witness.kind == "elements") { // places, not steps
    size_t size = witness.steps.size(), shown = size;
    if (maxSteps && size > 4)
      shown = 3;
    for (const WitnessStep &step : ArrayRef(witness.steps).take_front(shown))
      printer.print(step.at, Severity::Note, step.label, step.note);
    if (shown < size)
      os << "       (" << size - shown << " more; -v shows them)\n";
    return;
  }
  size_t width = 0;
  for (const WitnessStep &step : witness.steps)
    width = std::max<size_t>(width, columnsOf(visible(step.label)));
  width = std::min<size_t>(width, 48);
  bool numbered = witness.kind == "trace" || witness.kind == "lasso";
  size_t size = witness.steps.size(), gap = size, after = size;
  if (maxSteps && size > maxSteps + 1) { // the begin, and more of the end
    gap = maxSteps / 3;
    after = size - (maxSteps - gap);
  }
  for (size_t i = 0; i < size; ++i) {
    if (i == gap) {
      os << "       (" << after - gap << " more steps; -v shows them)\n";
      i = after;
    }
    const WitnessStep &step = witness.steps[i];
    if (witness.loopStart && *witness.loopStart == i)
      os << "  again and again:\n";
    os << "  ";
    if (numbered)
      os << llvm::format_decimal(static_cast<int64_t>(i + 1), 3) << "  ";
    std::string label = visible(step.label);
    os << label;
    if (step.at.known() || !step.at.element.empty()) {
      size_t used = columnsOf(label);
      os.indent(used < width ? static_cast<unsigned>(width - used) : 0);
      os << "  (";
      printPlace(os, step.at);
      os << ')';
    }
    if (!step.note.empty())
      os << "  " << visible(step.note);
    os << '\n';
  }
  if (!witness.formula.empty())
    os << "  formula: " << visible(witness.formula) << '\n';
}

/// Notes that say the same of different elements: the first three, and how many
/// more there are, unless all are asked for.
static void printNotes(ArrayRef<Note> notes, DiagnosticPrinter &printer,
                       bool shortens) {
  constexpr size_t few = 3;
  llvm::MapVector<StringRef, size_t> count; // by what is said
  auto saying = [](const Note &note) {
    StringRef text = note.text;
    size_t quote = text.rfind('\'');
    return quote == StringRef::npos ? text : text.substr(quote + 1);
  };
  for (const Note &note : notes)
    if (++count[saying(note)] <= few || !shortens || saying(note).empty())
      printer.print(note.place, Severity::Note, note.text, "");
  for (const auto &[said, number] : count)
    if (number > few && shortens && !said.empty())
      printer.print({}, Severity::Note,
                    std::to_string(number - few) +
                        (number == few + 1 ? " other" : " others") +
                        said.str() + "; -v lists them",
                    "");
}

std::string cif::ruleOf(const Fact &fact) {
  if (fact.property == "controlled")
    return "synthesize-controllers";
  // A transform, a writer and what cif-lts does: no checks.
  for (StringRef own : {"lower-lts", "emit", "explore", "related"})
    if (fact.property == own)
      return fact.property;
  return "check-" + fact.property;
}

void cif::printFact(raw_ostream &os, const Fact &fact,
                    DiagnosticPrinter &printer, bool colors, size_t maxSteps) {
  if (!fact.message.empty() && fact.verdict != Verdict::Holds)
    printer.print(fact.at,
                  fact.verdict == Verdict::Violated ? Severity::Error
                                                    : Severity::Warning,
                  fact.message, ruleOf(fact));
  if (fact.witness)
    printWitness(os, *fact.witness, printer, maxSteps);
  printNotes(fact.notes, printer, maxSteps != 0);

  static const raw_ostream::Colors verdictColors[] = {
      raw_ostream::GREEN, raw_ostream::RED, raw_ostream::YELLOW};
  os << visible(factTitle(fact.property, fact.subject)) << ": ";
  if (colors)
    os.changeColor(verdictColors[static_cast<unsigned>(fact.verdict)], true);
  os << verdictText(fact.verdict);
  if (colors)
    os.resetColor();
  os << " (" << (fact.exact ? "exact" : "not exact");
  if (fact.exact && !fact.abstractions.empty())
    os << " for the model as read";
  if (!fact.method.empty())
    os << "; " << visible(fact.method);
  os << ')';
  if (fact.states)
    os << "  " << fact.states << (fact.states == 1 ? " state" : " states");
  // A symbolic engine counts no transitions, and several states have some.
  if (fact.transitions || fact.states == 1)
    os << ", " << fact.transitions
       << (fact.transitions == 1 ? " transition" : " transitions");
  os << '\n';
  if (!fact.abstractions.empty())
    os << "  abstractions: " << visible(llvm::join(fact.abstractions, "; "))
       << '\n';
}

int cif::exitStatus(ArrayRef<Fact> facts) {
  int status = ExitHolds;
  for (const Fact &fact : facts) {
    if (fact.verdict == Verdict::Violated)
      return ExitViolated;
    if (fact.verdict == Verdict::Inconclusive)
      status = ExitInconclusive;
  }
  return status;
}
