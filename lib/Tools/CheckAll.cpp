//===- CheckAll.cpp - --check ---------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckAll.h"
#include "cif/Calculus/Connectedness.h"
#include "cif/IR/FactTitle.h"
#include "cif/IR/Names.h"
#include "cif/IR/Starts.h"
#include "cif/IR/Term.h"
#include "cif/Pass/PassManager.h"
#include "cif/Report/Report.h"
#include "cif/Support/ExitCodes.h"
#include "cif/Support/Limits.h"
#include "cif/Support/Visible.h"
#include "cif/Tools/Reproducer.h"
#include "cif/Transforms/JoinNames.h"
#include "cif/Transforms/Project.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace cif;

/// Whether all choreographies of \p module, at least one, were written as
/// terms.
static bool areWrittenAsTerms(const Module &module) {
  bool any = false;
  for (const Behaviour &b : module.behaviours) {
    if (b.kind != BehaviourKind::Choreography)
      continue;
    any = true;
    if (!b.loc.source ||
        module.text(module.sources[b.loc.source.index()].language) != "ioc")
      return false;
  }
  return any;
}

/// Whether connectedness speaks about all choreographies of \p module: written
/// as terms, and without what it does not cover.
static bool hasTerms(const Module &module) {
  OperationNumbers operations;
  return areWrittenAsTerms(module) &&
         llvm::all_of(module.behaviours, [&](const Behaviour &b) {
           if (b.kind != BehaviourKind::Choreography)
             return true;
           auto term = recoverTerm(module, b, operations);
           return term && !findOther(*term, connectednessKinds());
         });
}

/// Whether all processes were drawn, not written as roles of a system.
static bool isDrawn(const Module &module) {
  return llvm::all_of(module.behaviours, [&](const Behaviour &b) {
    return b.kind != BehaviourKind::Process || !b.loc.source ||
           module.text(module.sources[b.loc.source.index()].language) == "bpmn";
  });
}

Pipeline cif::checksFor(const Module &module, const PassRegistry &passes) {
  bool global = !findChoreographies(module).empty();
  bool processes = module.has(BehaviourKind::Process);
  bool peers = module.has(SystemRole::Peer);
  Pipeline pipeline;
  auto add = [&](StringRef name, llvm::StringMap<std::string> options = {}) {
    if (const PassInfo *info = passes.find(name))
      pipeline.push_back({info, std::move(options)});
  };
  if ((processes && !peers) || hasBlackBoxesOnly(module))
    // What decides is what happens with messages that overtake each other;
    // the other networks are compared with that.
    add("check-collaboration",
        {{"network", "bag"}, {"compare", "all"}, {"table", "none"}});
  if (!module.behaviours.empty() && (global || peers))
    add("check-structure");
  if (processes)
    add("check-well-composed", {{"open", "note"}});
  // Pools of a drawing may have no process, and so are no peers.
  bool asPeers = peers || (processes ? !isDrawn(module) : global);
  if (asPeers)
    add("check-synchronizable");
  if (global)
    add("check-realizable");
  if (asPeers)
    add("check-health");
  return pipeline;
}

Pipeline cif::checksAtOnce(const Module &module, const PassRegistry &passes) {
  Pipeline pipeline = checksFor(module, passes);
  llvm::erase_if(pipeline, [](const PipelineEntry &entry) {
    return StringRef(entry.info->name) != "check-structure";
  });
  if (const PassInfo *info = passes.find("check-connected");
      info && hasTerms(module))
    pipeline.push_back({info, {}});
  return pipeline;
}

static const Fact *findFact(ArrayRef<Fact> facts, StringRef property,
                            Verdict verdict) {
  for (const Fact &fact : facts)
    if (fact.property == property && fact.verdict == verdict)
      return &fact;
  return nullptr;
}

Pipeline cif::checksLater(const Module &module, const PassRegistry &passes) {
  Pipeline pipeline;
  auto add = [&](StringRef name) {
    if (const PassInfo *info = passes.find(name))
      pipeline.push_back({info, {}});
  };
  if (areWrittenAsTerms(module))
    add("check-connected");
  if (!findChoreographies(module).empty()) {
    add("check-implementable");
    add("check-repairable");
  }
  return pipeline;
}

Pipeline cif::checksAfter(const Pipeline &later, const Module &module,
                          ArrayRef<Fact> facts) {
  const bool violated = findFact(facts, "realizable", Verdict::Violated);
  const bool open = llvm::any_of(facts, [](const Fact &fact) {
    return fact.property == "realizable" &&
           (fact.verdict != Verdict::Holds || !fact.exact);
  });
  Pipeline pipeline;
  for (const PipelineEntry &entry : later)
    if (StringRef(entry.info->name) == "check-connected"
            ? open && hasTerms(module)
            : violated)
      pipeline.push_back(entry);
  return pipeline;
}

/// The properties of collaborations, which come for several networks.
static bool isOfCollaboration(const Fact &fact) {
  return !fact.parameter("semantics").empty() &&
         !fact.parameter("network").empty();
}

std::vector<Fact> cif::factsToShow(ArrayRef<Fact> facts) {
  std::vector<Fact> shown;
  for (const Fact &fact : facts)
    if (fact.verdict != Verdict::Holds &&
        (fact.verdict != Verdict::Inconclusive ||
         (fact.property != "health" && fact.property != "implementable")) &&
        llvm::none_of(shown, [&](const Fact &other) {
          return (other.witness && other.witness == fact.witness) ||
                 (isOfCollaboration(fact) && other.property == fact.property &&
                  other.verdict == fact.verdict);
        }))
      shown.push_back(fact);
  return shown;
}

size_t cif::keepMain(std::vector<Fact> &shown) {
  if (shown.empty())
    return 0;
  auto main = llvm::find_if(shown, [](const Fact &fact) {
    return fact.verdict == Verdict::Violated;
  });
  if (main == shown.end())
    main = shown.begin();
  size_t hidden = shown.size() - 1;
  shown = {*main};
  return hidden;
}

/// Why, in one line: the last explanation, else the message.
static std::string reasonOf(const Fact &fact) {
  if (StringRef differs = fact.parameter("differs"); !differs.empty())
    return (fact.verdict == Verdict::Holds ? "" : fact.message + "; ") +
           differs.str();
  if (fact.verdict == Verdict::Holds)
    return fact.exact ? "" : "not proved: " + fact.method;
  if (isOfCollaboration(fact))
    return fact.message;
  if (fact.verdict == Verdict::Violated && !fact.notes.empty() &&
      fact.property != "health" && fact.property != "connected" &&
      fact.property != "structure" && fact.property != "implementable")
    return fact.notes.front().text;
  return fact.message;
}

std::vector<std::string> cif::helpfulJoins(const Module &module,
                                           ArrayRef<Fact> facts,
                                           const Pipeline &checks,
                                           const Limits &limits,
                                           const PassHost &host) {
  std::vector<std::string> lines;
  std::vector<StringRef> violated;
  for (const Fact &fact : facts)
    if (fact.verdict == Verdict::Violated &&
        !llvm::is_contained(violated, fact.property))
      violated.push_back(fact.property);
  // Every pair costs all checks once more: this is for choreographies, whose
  // checks are quick, and not for pools that are numbered.
  if (violated.empty() || findChoreographies(module).empty())
    return lines;
  std::vector<SimilarPair> pairs = findSimilarNames(module);
  if (pairs.empty() || pairs.size() > 20)
    return lines;
  Limits small = limits;
  small.maxStates = std::min<uint64_t>(
      limits.maxStates ? limits.maxStates : UINT64_MAX, 20'000);
  using Joins = std::vector<std::pair<std::string, std::string>>;
  auto helps = [&](const Joins &joins) {
    SourceManager sources;
    DiagnosticCollector quiet;
    DiagnosticEngine diags(sources, quiet);
    Module joined = module.clone();
    joined.facts.clear();
    PassManager manager(diags, small, host);
    if (!joinNames(joined, joins, diags) || !manager.run(checks, joined))
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
    lines.push_back("with --join=" + shellQuoted(option) + " " + gained +
                    " would hold");
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

/// Why no repair of \p flaw is looked for, or empty.
static std::string reasonAgainstRepair(const Fact &flaw, ArrayRef<Fact> facts) {
  if (flaw.parameter("semantics") != "detailed" ||
      !flaw.parameter("constraint").empty())
    return "not searched for: this needs the semantics 'detailed' and no "
           "constraint";
  for (const Fact &fact : facts)
    if (isOfCollaboration(fact) && fact.verdict == Verdict::Inconclusive)
      return "not searched for, because '" + fact.property +
             "' could not be decided";
  return "";
}

SoonRepair cif::findRepair(const Module &module, ArrayRef<Fact> facts,
                           const Limits &limits) {
  SoonRepair result;
  const Fact *flaw = nullptr;
  uint64_t largest = 0;
  for (const Fact &fact : facts)
    if (isOfCollaboration(fact)) {
      largest = std::max<uint64_t>(largest, fact.states);
      if (fact.verdict == Verdict::Violated && !flaw)
        flaw = &fact;
    }
  if (!flaw || !findChoreographies(module).empty())
    return result;
  result.missing = reasonAgainstRepair(*flaw, facts);
  auto word = llvm::find(networkWords(), flaw->parameter("network"));
  if (word == networkWords().end() || !result.missing.empty())
    return result;
  RepairOptions options;
  options.request.networks = {
      static_cast<NetworkKind>(word - networkWords().begin())};
  options.request.options.semantics.semantics = SemanticsKind::Detailed;
  options.request.options.semantics.open = true;
  options.request.options.limits = limits;
  options.maxChanges = 1;
  options.maxChecks = 60;
  // Answers are to come soon, and --repair looks further: what is explored here
  // is at most a few times what the checks explored.
  options.maxStates = std::max<uint64_t>(40'000, 4 * largest);
  options.maxStatesEach = std::max<uint64_t>(4'000, 2 * largest);
  SourceManager sources;
  DiagnosticCollector quiet;
  DiagnosticEngine diags(sources, quiet);
  result.found = repairCollaboration(module, CollaborationAnalyses(module),
                                     options, diags);
  if (!result.found || result.found->outcome == CollaborationRepair::Found)
    return result;
  if (result.found->checks)
    result.missing =
        "none found: " + std::to_string(result.found->checks) +
        (result.found->checks == 1 ? " change of a" : " changes of one") +
        " gateway, message or end event tried";
  else
    result.missing = "none found: " + result.found->tried;
  result.found.reset();
  return result;
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

/// A file as a word of a command.
static std::string fileWord(StringRef path) {
  return visible(path.contains(' ') ? "'" + path.str() + "'" : path.str());
}

/// The choreography to compare with, and what is compared: files that were
/// linked may have both.
static std::string conformanceFiles(const Module &module, StringRef files) {
  std::set<uint32_t> ofChoreographies, ofProcesses;
  for (const Behaviour &b : module.behaviours)
    if (b.loc.source)
      (b.kind == BehaviourKind::Choreography ? ofChoreographies : ofProcesses)
          .insert(b.loc.source.index());
  if (ofChoreographies.size() != 1 || ofProcesses.empty() ||
      ofProcesses.count(*ofChoreographies.begin()))
    return "CHOREOGRAPHY" + files.str();
  auto path = [&](uint32_t source) {
    return fileWord(module.text(module.sources[source].path));
  };
  std::string text = path(*ofChoreographies.begin());
  for (uint32_t source : ofProcesses)
    text += " " + path(source);
  return text;
}

static void printRepair(raw_ostream &os, const CollaborationRepair &repair,
                        const std::string &files) {
  os << "repair: the collaboration is sound after "
     << (repair.changes.size() == 1 ? "this change\n" : "these changes\n");
  for (const std::string &line : repair.diff)
    os << "  " << visible(line) << '\n';
  os << "next: cifc --repair" << files
     << " --emit=bpmn -o repaired.bpmn   applies it to the diagram\n";
}

/// What to do about the worst that is violated, as it may explain the rest.
/// False: nothing is.
static bool printNextRepair(raw_ostream &os, ArrayRef<Fact> facts,
                            const SoonRepair &repair, const std::string &files,
                            bool hasMessages) {
  if (const Fact *fact = findFact(facts, "structure", Verdict::Violated)) {
    os << "next: fix the structure first";
    if (fact->at.known())
      os << ", at " << visible(fact->at.text());
    os << "; the other findings may follow from it\n";
    return true;
  }
  for (const Fact &fact : facts)
    if (isOfCollaboration(fact) && fact.verdict == Verdict::Violated) {
      if (!repair.missing.empty())
        os << "repair: " << repair.missing << '\n';
      os << "next: look at '" << fact.property << "' above";
      if (fact.at.known())
        os << ", at " << visible(fact.at.text());
      os << '\n';
      if (hasMessages)
        os << "      cifc --check-collaboration" << files
           << "   compares the networks\n";
      if (!repair.missing.empty())
        os << "      cifc --repair" << files
           << "   searches longer for a repair\n";
      return true;
    }
  if (const Fact *fact = findFact(facts, "well-composed", Verdict::Violated)) {
    os << "next: give every message one sender and one receiver";
    if (fact->at.known())
      os << ", first at " << visible(fact->at.text());
    os << '\n';
    return true;
  }
  if (const Fact *fact = findFact(facts, "repairable", Verdict::Violated)) {
    os << "next: change the choreography at " << visible(fact->at.text())
       << ": let one participant decide and tell the others\n"
       << "      (no controller and no further message can settle that "
          "choice)\n";
    return true;
  }
  if (findFact(facts, "realizable", Verdict::Violated)) {
    if (const Fact *fact = findFact(facts, "implementable", Verdict::Holds)) {
      StringRef network = fact->parameter("network");
      os << "note: if the order of independent exchanges does not matter, the "
            "peers of --project suffice\n      ("
         << (network == "fifo-pair" ? "queues between pairs"
                                    : "network " + network.str())
         << ")\n";
    }
    os << "next: cifc --amend" << files
       << "   adds the fewest interactions that repair it\n"
       << "      cifc --synthesize-controllers" << files
       << " -o controlled.cif   leaves the choreography as it is\n";
    return true;
  }
  if (const Fact *fact = findFact(facts, "health", Verdict::Violated)) {
    os << "next: look at the run above: " << visible(fact->message) << '\n';
    return true;
  }
  if (findFact(facts, "synchronizable", Verdict::Violated)) {
    os << "next: let the peer that sends too early wait for a message first\n";
    return true;
  }
  if (const Fact *fact = findFact(facts, "connected", Verdict::Violated)) {
    // Peers with queues are what realizable is about.
    os << "next: "
       << (findFact(facts, "realizable", Verdict::Holds)
               ? "the choreography is realizable, so peers with queues need no "
                 "change.\n      "
               : "")
       << "Connectedness is sufficient for realizability but not necessary; "
          "to have it\n      too, change the choreography at "
       << visible((fact->witness && !fact->witness->steps.empty()
                       ? fact->witness->steps.front().at
                       : fact->at)
                      .text())
       << '\n';
    return true;
  }
  return false;
}

/// Whether a limit of the run, which can be raised, kept a check from a
/// verdict.
static bool isStopped(const Fact &fact) {
  return fact.verdict == Verdict::Inconclusive &&
         StringRef(fact.message).contains("stopped at");
}

/// What to do next.
static void printNext(raw_ostream &os, ArrayRef<Fact> facts,
                      const SoonRepair &repair, const std::string &files,
                      const Module &module) {
  if (repair.found)
    return printRepair(os, *repair.found, files);
  if (printNextRepair(os, facts, repair, files, !module.messages.empty()))
    return;
  if (llvm::any_of(facts, [](const Fact &fact) {
        return fact.verdict == Verdict::Inconclusive;
      })) {
    if (interrupted)
      os << "next: this run was interrupted; run it again for a complete "
            "answer\n";
    else if (llvm::any_of(facts, isStopped))
      os << "next: raise the limit that stopped it (--max-states, "
            "--max-memory, --timeout)\n";
    else
      os << "next: the summary says why there is no verdict\n";
    return;
  }
  if (llvm::any_of(facts, [](const Fact &fact) { return !fact.exact; }))
    os << "next: cifc --check-realizable --bound=inf" << files
       << "   tries to prove what is not proved yet\n";
  if (findFact(facts, "well-composed", Verdict::Holds))
    os << "next: cifc --check-conforms=" << conformanceFiles(module, files)
       << "   compares it with what was agreed\n";
  if (findFact(facts, "realizable", Verdict::Holds))
    os << "next: cifc --project" << files
       << " -o peers.cif   writes the part of each participant\n";
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

void cif::printStatus(raw_ostream &os, int status, StringRef reason,
                      bool colors) {
  const Verdict verdict = status == ExitViolated       ? Verdict::Violated
                          : status == ExitInconclusive ? Verdict::Inconclusive
                                                       : Verdict::Holds;
  if (status == ExitError)
    os << "not checked";
  else
    printVerdict(os, verdict, colors);
  if (reason.empty())
    return;
  const size_t used =
      status == ExitError ? 11 : StringRef(verdictText(verdict)).size();
  os.indent(14 - static_cast<unsigned>(used)) << visible(reason);
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

/// The answer in one sentence.
static std::string sentenceOf(ArrayRef<Fact> facts) {
  auto count = [&](Verdict verdict) {
    return static_cast<size_t>(llvm::count_if(
        facts, [&](const Fact &fact) { return fact.verdict == verdict; }));
  };
  std::string all =
      std::to_string(facts.size()) + (facts.size() == 1 ? " check" : " checks");
  if (size_t violated = count(Verdict::Violated))
    return std::to_string(violated) + " of " + all +
           (violated == 1 ? " is violated" : " are violated");
  if (size_t open = count(Verdict::Inconclusive))
    return std::to_string(open) + " of " + all + " could not be decided";
  return facts.size() == 1 ? "the check holds" : "all " + all + " hold";
}

/// What is exchanged with the environment, as far as it fits on the page.
static void printOpenEnds(raw_ostream &os, ArrayRef<Fact> facts,
                          StringRef files) {
  constexpr size_t most = 3;
  size_t number = 0;
  for (const Fact &fact : facts)
    for (const Note &note : fact.notes) {
      if (!StringRef(note.text).starts_with("open: ") || ++number > most)
        continue;
      os << visible(note.text);
      if (note.place.known())
        os << " (" << visible(note.place.text()) << ')';
      os << '\n';
    }
  if (number > most)
    os << "open: " << number - most << " more; cifc --check-well-composed"
       << files << " lists them\n";
}

void cif::printSummary(raw_ostream &os, ArrayRef<Fact> facts,
                       const Module &module, ArrayRef<std::string> inputs,
                       size_t hidden, const SoonRepair &repair, bool colors) {
  std::string files;
  for (const std::string &input : inputs)
    files += " " + fileWord(input);
  // One that came when all was decided has changed nothing.
  const bool cut = interrupted && llvm::any_of(facts, [](const Fact &fact) {
                     return fact.verdict == Verdict::Inconclusive;
                   });
  os << "\nsummary of" << files << ": " << sentenceOf(facts)
     << (cut ? " (interrupted)\n" : "\n");
  unsigned width = 0;
  auto title = [&](const Fact &fact) {
    if (fact.property == "health" && StringRef(fact.subject).contains(": ")) {
      auto [subject, problem] = StringRef(fact.subject).rsplit(": ");
      // Of one of several choreographies: of which.
      const bool isOnly = llvm::all_of(facts, [&](const Fact &other) {
        return other.property != "health" ||
               StringRef(other.subject).rsplit(": ").first == subject;
      });
      return visible((isOnly ? "" : subject.str() + ": ") + "no " +
                     problem.str());
    }
    if (llvm::count_if(facts, [&](const Fact &other) {
          return other.property == fact.property;
        }) > 1)
      return visible(factTitle(fact.property, subjectText(module, fact)));
    return visible(fact.property);
  };
  for (const Fact &fact : facts)
    width = std::max(width, columnsOf(title(fact)));
  for (const Fact &fact : facts) {
    std::string name = title(fact);
    os << "  " << name;
    os.indent(width - columnsOf(name) + 2);
    printVerdict(os, fact.verdict, colors);
    if (std::string why = reasonOf(fact); !why.empty())
      os.indent(static_cast<unsigned>(14 - verdictText(fact.verdict).size()))
          << visible(why);
    os << '\n';
  }
  std::vector<std::string> abstractions;
  for (const Fact &fact : facts)
    for (const std::string &text : fact.abstractions)
      if (!llvm::is_contained(abstractions, text))
        abstractions.push_back(text);
  if (!abstractions.empty())
    os << "abstractions: " << visible(llvm::join(abstractions, "; ")) << '\n';
  printOpenEnds(os, facts, files);
  printNext(os, facts, repair, files, module);
  if (exitStatus(facts) != ExitViolated)
    return;
  os << "      cifc --check" << files
     << " --report=html:report.html   shows the runs on the diagram\n";
  if (hidden)
    os << "      cifc --check -v" << files << "   shows " << hidden
       << (hidden == 1 ? " more finding\n" : " more findings\n");
}
