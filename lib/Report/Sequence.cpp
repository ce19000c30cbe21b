//===- Sequence.cpp - Runs as sequence diagrams ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// --report=mermaid:FILE and plantuml:FILE. The runs that show why checks are
/// violated are drawn one below the other, each under a note that says what it
/// shows. With queues, an arrow shows when a message is sent, and a note when
/// it is received; any other step is a note over all participants.
///
//===----------------------------------------------------------------------===//

#include "JsonText.h"
#include "cif/IR/FactTitle.h"
#include "cif/IR/SequenceText.h"
#include "cif/Report/Report.h"
#include "cif/Report/RunReport.h"
#include "llvm/ADT/StringSet.h"

using namespace cif;

/// Violated facts with a run, each run once.
static std::vector<const Fact *> factsWithRuns(const RunReport &run) {
  std::vector<const Fact *> found;
  for (const Fact &fact : run.facts)
    if (fact.verdict == Verdict::Violated && fact.witness &&
        fact.witness->kind != "elements" && !fact.witness->steps.empty() &&
        llvm::none_of(found, [&](const Fact *other) {
          return other->witness == fact.witness;
        }))
      found.push_back(&fact);
  return found;
}

static void writeStep(SequenceText &to, const WitnessStep &step) {
  Label label = parseLabel(step.label);
  switch (label.kind) {
  case LabelKind::Exchange:
    to.message(utf8(label.sender), utf8(label.receiver), utf8(label.message));
    break;
  case LabelKind::Send:
  case LabelKind::Receive:
    if (label.sender.empty() || label.receiver.empty())
      to.note("", utf8(step.label));
    else if (label.kind == LabelKind::Send)
      to.message(utf8(label.sender), utf8(label.receiver), utf8(label.message),
                 /*waits=*/false);
    else
      to.note(utf8(label.receiver), "receives " + utf8(label.message) +
                                        " from " + utf8(label.sender));
    break;
  default:
    to.note("", utf8(step.label));
  }
  std::string more = step.at.text();
  if (!step.note.empty())
    more += (more.empty() ? "" : ": ") + step.note;
  if (!more.empty())
    to.comment(utf8(more));
}

static void writeRuns(raw_ostream &os, const RunReport &run,
                      SequenceText::Form form) {
  std::vector<const Fact *> facts = factsWithRuns(run);
  std::vector<std::string> names;
  llvm::StringSet<> known;
  auto add = [&](StringRef name) {
    std::string text = utf8(name);
    if (!text.empty() && known.insert(text).second)
      names.push_back(std::move(text));
  };
  for (const Fact *fact : facts)
    for (const WitnessStep &step : fact->witness->steps) {
      Label label = parseLabel(step.label);
      if (label.sender.empty() || label.receiver.empty())
        continue;
      add(label.sender);
      add(label.receiver);
    }
  // A run may have no exchange at all.
  if (names.empty())
    names.push_back("all");
  SequenceText to(form, os, "", names);
  for (const Diagnostic &d : run.diagnostics)
    if (d.severity == Severity::Error) {
      std::string place = d.place.text();
      to.note("", utf8((place.empty() ? "" : place + ": ") + d.text));
    }
  if (facts.empty() && run.status != 2)
    to.note("", "no check is violated by a run");
  for (const Fact *fact : facts) {
    to.note("", utf8(factTitle(fact->property, fact->subject) +
                     ": violated: " + fact->message));
    const Witness &witness = *fact->witness;
    for (size_t i = 0; i < witness.steps.size(); ++i) {
      if (witness.loopStart && *witness.loopStart == i)
        to.open("loop", "again and again");
      writeStep(to, witness.steps[i]);
    }
    if (witness.loopStart && *witness.loopStart < witness.steps.size())
      to.close();
    if (!witness.formula.empty())
      to.note("", utf8(witness.formula));
  }
  to.finish();
}

void cif::writeMermaidRuns(raw_ostream &os, const RunReport &run) {
  writeRuns(os, run, SequenceText::Mermaid);
}

void cif::writePlantUmlRuns(raw_ostream &os, const RunReport &run) {
  writeRuns(os, run, SequenceText::PlantUml);
}
