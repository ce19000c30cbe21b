//===- CheckAll.cpp - --check ---------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckAll.h"
#include "cif/Analysis/Connectedness.h"
#include "cif/IR/Names.h"
#include "cif/Pass/PassManager.h"
#include "cif/Report/Report.h"
#include "cif/Semantics/IocTerm.h"
#include "cif/Support/DiagnosticKinds.h"
#include "cif/Support/ExitCodes.h"
#include "cif/Transforms/JoinNames.h"
#include "cif/Transforms/Project.h"

using namespace cif;

/// Whether connectedness speaks about all choreographies of \p module: written
/// as terms, and without what it does not cover.
static bool hasTerms(const Module &module) {
  OperationNumbers operations;
  bool any = false;
  for (const Behaviour &b : module.behaviours) {
    if (b.kind != BehaviourKind::Choreography)
      continue;
    any = true;
    if (!b.loc.source ||
        module.text(module.sources[b.loc.source.index()].language) != "ioc")
      return false;
    auto term = recoverIocTerm(module, b, operations);
    if (!term || findOther(term->term, connectednessKinds()))
      return false;
  }
  return any;
}

/// Whether a process exchanges messages with a participant that has none.
static bool isOpen(const Module &module, DiagnosticEngine &diags) {
  std::vector<bool> hasProcess(module.participants.size());
  for (const Behaviour &b : module.behaviours)
    if (b.kind == BehaviourKind::Process && b.owner)
      hasProcess[b.owner.index()] = true;
  for (const Behaviour &b : module.behaviours) {
    if (b.kind != BehaviourKind::Process)
      continue;
    for (const Node &node : b.nodes) {
      if (!node.message)
        continue;
      const Message &message = module.messages[node.message.index()];
      ParticipantId other =
          message.sender == b.owner ? message.receiver : message.sender;
      if (other && hasProcess[other.index()])
        continue;
      StringRef name = other ? module.participantName(other) : "";
      diags.report(module.place(node.loc), diag::open_collaboration)
          << module.participantName(b.owner) << module.text(message.name)
          << (name.empty() ? "an unknown participant" : "'" + name.str() + "'");
      return true;
    }
  }
  return false;
}

Pipeline cif::checksFor(const Module &module, const PassRegistry &passes,
                        DiagnosticEngine &diags) {
  bool global = !findChoreographies(module).empty();
  size_t processes = llvm::count_if(module.behaviours, [](const Behaviour &b) {
    return b.kind == BehaviourKind::Process;
  });
  bool peers = (processes && !isOpen(module, diags)) ||
               llvm::any_of(module.systems, [](const SystemDecl &s) {
                 return s.role == SystemRole::Peer;
               });
  Pipeline pipeline;
  auto add = [&](StringRef name) {
    if (const PassInfo *info = passes.find(name))
      pipeline.push_back({info, {}});
  };
  if (!module.behaviours.empty())
    add("check-structure");
  if (processes > 1)
    add("check-well-composed");
  if (global && hasTerms(module))
    add("check-connected");
  if (global || peers)
    add("check-synchronizable");
  if (global)
    add("check-realizable");
  if (global || peers)
    add("check-health");
  return pipeline;
}

static const Fact *findFact(ArrayRef<Fact> facts, StringRef property,
                            Verdict verdict) {
  for (const Fact &fact : facts)
    if (fact.property == property && fact.verdict == verdict)
      return &fact;
  return nullptr;
}

Pipeline cif::checksAfter(ArrayRef<Fact> facts, const PassRegistry &passes) {
  Pipeline pipeline;
  if (findFact(facts, "realizable", Verdict::Violated))
    for (StringRef name : {"check-implementable", "check-repairable"})
      if (const PassInfo *info = passes.find(name))
        pipeline.push_back({info, {}});
  return pipeline;
}

std::vector<Fact> cif::factsToShow(ArrayRef<Fact> facts) {
  std::vector<Fact> shown;
  for (const Fact &fact : facts)
    if (fact.verdict != Verdict::Holds &&
        (fact.verdict != Verdict::Inconclusive ||
         (fact.property != "health" && fact.property != "implementable")) &&
        llvm::none_of(shown, [&](const Fact &other) {
          return other.witness && other.witness == fact.witness;
        }))
      shown.push_back(fact);
  return shown;
}

/// Why, in one line: the last explanation, else the message.
static std::string reasonOf(const Fact &fact) {
  if (fact.verdict == Verdict::Holds)
    return fact.exact ? "" : "not proved: " + fact.method;
  if (fact.verdict == Verdict::Violated && !fact.notes.empty() &&
      fact.property != "health" && fact.property != "connected")
    return fact.notes.front().text;
  return fact.message;
}

std::vector<std::string> cif::helpfulJoins(const Module &module,
                                           ArrayRef<Fact> facts,
                                           const PassRegistry &passes,
                                           const Limits &limits,
                                           const PassHost &host) {
  std::vector<std::string> lines;
  std::vector<StringRef> violated;
  for (const Fact &fact : facts)
    if (fact.verdict == Verdict::Violated &&
        !llvm::is_contained(violated, fact.property))
      violated.push_back(fact.property);
  std::vector<SimilarPair> pairs = findSimilarNames(module);
  if (violated.empty() || pairs.empty() || pairs.size() > 20)
    return lines;
  using Joins = std::vector<std::pair<std::string, std::string>>;
  auto helps = [&](const Joins &joins) {
    SourceManager sources;
    DiagnosticCollector quiet;
    DiagnosticEngine diags(sources, quiet);
    Module joined = module.clone();
    joined.facts.clear();
    PassManager manager(diags, limits, host);
    if (!joinNames(joined, joins, diags) ||
        !manager.run(checksFor(joined, passes, diags), joined))
      return false;
    std::string gained;
    for (StringRef property : violated)
      if (!findFact(joined.facts, property, Verdict::Violated) &&
          findFact(joined.facts, property, Verdict::Holds))
        gained += (gained.empty() ? "'" : ", '") + property.str() + "'";
    if (gained.empty())
      return false;
    std::string option;
    for (const auto &[name, other] : joins)
      option += (option.empty() ? "" : ",") + name + "=" + other;
    lines.push_back("with --join='" + option + "' " + gained + " would hold");
    return true;
  };
  Joins all;
  for (const SimilarPair &pair : pairs) {
    all.push_back({pair.name, pair.other});
    helps({all.back()});
  }
  if (lines.empty() && all.size() > 1)
    helps(all);
  return lines;
}

static void printVerdict(raw_ostream &os, Verdict verdict, bool colors) {
  static const raw_ostream::Colors verdictColors[] = {
      raw_ostream::GREEN, raw_ostream::RED, raw_ostream::YELLOW};
  if (colors)
    os.changeColor(verdictColors[static_cast<unsigned>(verdict)], true);
  os << verdictText(verdict);
  if (colors)
    os.resetColor();
}

static std::string placeText(const Place &place) {
  std::string text = place.file;
  if (place.line)
    text += ":" + std::to_string(place.line);
  if (!place.element.empty())
    text += text.empty() ? place.element : ", " + place.element;
  return text;
}

/// What to do next; the worst comes first, as it may explain the rest.
static void printNext(raw_ostream &os, ArrayRef<Fact> facts,
                      const std::string &files) {
  if (const Fact *fact = findFact(facts, "structure", Verdict::Violated)) {
    os << "next: mend the structure first";
    if (fact->at.known())
      os << ", at " << placeText(fact->at);
    os << "; what else is said here may come from it\n";
    return;
  }
  if (const Fact *fact = findFact(facts, "well-composed", Verdict::Violated)) {
    os << "next: give every message one sender and one receiver";
    if (fact->at.known())
      os << ", first at " << placeText(fact->at);
    os << '\n';
    return;
  }
  if (const Fact *fact = findFact(facts, "repairable", Verdict::Violated)) {
    os << "next: change the choreography at " << placeText(fact->at)
       << ": let one participant decide and tell the others\n"
       << "      (no controller and no further message can settle that "
          "choice)\n";
    return;
  }
  if (findFact(facts, "realizable", Verdict::Violated)) {
    if (findFact(facts, "implementable", Verdict::Holds))
      os << "note: if the order of independent exchanges does not matter, the "
            "peers of --project will do\n"
            "      (queues between pairs)\n";
    os << "next: cifc --amend" << files
       << "   adds the fewest interactions that mend it\n"
       << "      cifc --synthesize-controllers" << files
       << " -o controlled.cif   leaves the choreography as it is\n";
    return;
  }
  if (const Fact *fact = findFact(facts, "health", Verdict::Violated)) {
    os << "next: look at the run above: " << fact->message << '\n';
    return;
  }
  if (findFact(facts, "synchronizable", Verdict::Violated)) {
    os << "next: let the peer that sends too early wait for a message that "
          "tells it\n";
    return;
  }
  if (const Fact *fact = findFact(facts, "connected", Verdict::Violated)) {
    os << "next: nothing has to be done for queues; for the calculus of roles "
          "mend the connection at "
       << placeText(fact->witness && !fact->witness->steps.empty()
                        ? fact->witness->steps.front().at
                        : fact->at)
       << '\n';
    return;
  }
  if (llvm::any_of(facts, [](const Fact &fact) {
        return fact.verdict == Verdict::Inconclusive;
      })) {
    os << "next: raise the limit that was met (--max-states, --max-memory, "
          "--timeout)\n";
    return;
  }
  if (llvm::any_of(facts, [](const Fact &fact) { return !fact.exact; }))
    os << "next: cifc --check-realizable --bound=inf" << files
       << "   tries to prove what is not proved yet\n";
  if (findFact(facts, "well-composed", Verdict::Holds))
    os << "next: cifc --check-conforms=CHOREOGRAPHY" << files
       << "   compares it with what was agreed\n";
  if (findFact(facts, "realizable", Verdict::Holds))
    os << "next: cifc --project" << files
       << " -o peers.cif   makes the participants' parts\n";
}

/// The subject of a fact with the pool's name for a process that has only an
/// id.
static std::string subjectText(const Module &module, const Fact &fact) {
  for (const Behaviour &b : module.behaviours) {
    if (b.kind != BehaviourKind::Process || !b.owner ||
        b.name != b.loc.element ||
        fact.subject != "process '" + module.text(b.name).str() + "'")
      continue;
    return ("process '" + module.participantName(b.owner) + "'").str();
  }
  return fact.subject;
}

void cif::printStatus(raw_ostream &os, int status, bool colors) {
  if (status == ExitError)
    os << "not checked ";
  else
    printVerdict(os,
                 status == ExitViolated       ? Verdict::Violated
                 : status == ExitInconclusive ? Verdict::Inconclusive
                                              : Verdict::Holds,
                 colors);
  os.indent(status == ExitError      ? 0
            : status == ExitViolated ? 4
            : status == ExitHolds    ? 7
                                     : 0);
}

FileResult cif::fileResult(ArrayRef<Fact> facts) {
  FileResult result{exitStatus(facts), ""};
  for (const Fact &fact : facts)
    if (result.reason.empty() &&
        ((result.status == ExitViolated && fact.verdict == Verdict::Violated) ||
         (result.status == ExitInconclusive &&
          fact.verdict == Verdict::Inconclusive)))
      result.reason = reasonOf(fact);
  return result;
}

void cif::printSummary(raw_ostream &os, ArrayRef<Fact> facts,
                       const Module &module, ArrayRef<std::string> inputs,
                       bool colors) {
  std::string files;
  for (const std::string &input : inputs)
    files += " " +
             (input.find(' ') == std::string::npos ? input : "'" + input + "'");
  os << "\nsummary of" << files << '\n';
  size_t width = 0;
  auto title = [&](const Fact &fact) {
    if (fact.property == "health" && StringRef(fact.subject).contains(": "))
      return "no " + StringRef(fact.subject).rsplit(": ").second.str();
    if (llvm::count_if(facts, [&](const Fact &other) {
          return other.property == fact.property;
        }) > 1)
      return fact.property + " of " + subjectText(module, fact);
    return fact.property;
  };
  for (const Fact &fact : facts)
    width = std::max(width, title(fact).size());
  for (const Fact &fact : facts) {
    std::string name = title(fact);
    os << "  " << name;
    os.indent(static_cast<unsigned>(width - name.size() + 2));
    printVerdict(os, fact.verdict, colors);
    if (std::string why = reasonOf(fact); !why.empty())
      os.indent(static_cast<unsigned>(14 - verdictText(fact.verdict).size()))
          << why;
    os << '\n';
  }
  printNext(os, facts, files);
}
