//===- BpmnCorpusTest.cpp - Published BPMN models are read ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads every BPMN file of the corpus: each is lowered, or rejected with an
/// error that names what is wrong. Prints the tally, and for each kind of
/// damage how many files are refused for it when read strictly, as all once
/// were, and how many still are.
///
//===----------------------------------------------------------------------===//

#include "cif/Frontend/FrontEnd.h"
#include "cif/IR/Verifier.h"
#include "cif/Support/DiagnosticKinds.h"
#include "cif/Support/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <gtest/gtest.h>
#include <map>

using namespace cif;

namespace {

struct Tally {
  unsigned mended = 0; ///< classes of damage in files that were read
  unsigned lowered = 0, abstracted = 0, rejected = 0, malformed = 0;
  unsigned readable() const { return lowered + rejected; }
};

std::vector<std::string> modelsUnder(const std::string &folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator at(folder, error), end;
       at != end && !error; at.increment(error))
    if (StringRef path = at->path(); path.ends_with(".bpmn") ||
                                     path.ends_with(".bpmn2") ||
                                     path.ends_with(".xml"))
      paths.push_back(path.str());
  llvm::sort(paths);
  return paths;
}

/// Whether the tables have a row for what a file was rejected for.
bool hasRow(StringRef construct) {
  static const char *const rows[] = {
#define CIF_BPMN_ELEMENT(ID, XML, READ, STATUS, NOTE) #STATUS, XML,
#define CIF_BPMN_FEATURE(ID, TEXT, STATUS, NOTE) #STATUS, TEXT,
#define CIF_BPMN_RULE(ID, CONSTRUCT, TEXT) "Error", TEXT,
#include "cif/Frontend/BpmnElements.def"
  };
  for (size_t i = 0; i < std::size(rows); i += 2)
    if (StringRef(rows[i]) == "Error" && construct == rows[i + 1])
      return true;
  // Events that are not in their table are errors by what it says.
  return construct.ends_with(" event");
}

/// What a file was rejected for: the construct of the tables, or the kind of
/// error.
std::string reasonOf(const Diagnostic &d) {
  StringRef what = diagInfo(d.kind).name;
  if (d.kind == diag::bpmn_unsupported || d.kind == diag::bpmn_misuse) {
    what = StringRef(d.text).substr(d.text.find("': ") + 3);
    what.consume_back(" is not supported");
    EXPECT_TRUE(hasRow(what)) << d.text;
  }
  return (Twine(diagInfo(d.kind).code) + " " + what).str();
}

/// What a file is refused for when read strictly, and how many are.
struct Damage {
  unsigned before = 0; ///< files with it that --strict refuses
  unsigned after = 0;  ///< of these, files that are refused for other reasons
};

/// Counts the files that are damaged in a way that was an error once, by the
/// damage; they are errors again with --strict.
void countDamage(const SourceBuffer &source, bool isRead,
                 std::map<std::string, Damage> &damages) {
  static const char *const classes[] = {
#define CIF_BPMN_FEATURE(ID, TEXT, STATUS, NOTE) #ID, TEXT,
#include "cif/Frontend/BpmnElements.def"
  };
  static const StringRef known[] = {
      "MessageFlowToScope", "MessageFlowMisplaced",  "MessageFlowWithoutEnd",
      "InnerMessageFlow",   "MessageFlowIntoScope",  "FlowWithoutEnd",
      "StrayFlow",          "StrayBoundary",         "DanglingReference",
      "CalledPool",         "CancelBesideTerminate", "CrossingFlow"};
  SourceManager sources;
  DiagnosticCollector collected;
  DiagnosticEngine diags(sources, collected);
  diags.maxErrors = 0;
  FrontEndOptions strict;
  strict.strict = true;
  Module module;
  parseBpmn(source, module, diags, strict);
  auto count = [&](const std::string &what) {
    ++damages[what].before;
    damages[what].after += !isRead;
  };
  for (size_t i = 0; i < std::size(classes); i += 2)
    if (llvm::is_contained(known, classes[i]) &&
        llvm::any_of(collected.all, [&](const Diagnostic &d) {
          return d.kind == diag::bpmn_strict &&
                 StringRef(d.text).contains(classes[i + 1]);
        }))
      count(classes[i + 1]);
  if (llvm::any_of(collected.all, [](const Diagnostic &d) {
        return d.kind == diag::bpmn_xml &&
               StringRef(d.text).contains("has no value");
      }))
    count("attribute without a value");
}

Tally readAll(const std::string &folder) {
  Tally tally;
  std::map<std::string, unsigned> reasons;
  std::map<std::string, Damage> damages;
  for (const std::string &path : modelsUnder(folder)) {
    auto file = llvm::MemoryBuffer::getFile(path);
    EXPECT_TRUE(bool(file)) << path;
    if (!file)
      continue;
    SourceManager sources;
    DiagnosticCollector collected;
    DiagnosticEngine diags(sources, collected);
    const SourceBuffer &source = sources.add(
        path, std::shared_ptr<llvm::MemoryBuffer>(std::move(*file)));
    EXPECT_GE(detectBpmn(path, source.text()), 10) << path;
    Module module;
    bool good = parseBpmn(source, module, diags, {});
    EXPECT_EQ(good, !diags.hasErrors()) << path;
    countDamage(source, good, damages);
    StringRef name = StringRef(path).substr(folder.size() + 1);
    if (good) {
      ++tally.lowered;
      EXPECT_TRUE(verify(module, diags))
          << path << ": " << collected.all.back().text;
      for (const Diagnostic &d : collected.all)
        if (d.kind == diag::bpmn_abstracted) {
          ++tally.abstracted;
          break;
        }
      EXPECT_FALSE(module.behaviours.empty() && module.participants.empty());
      continue;
    }
    for (const Diagnostic &d : collected.all) {
      if (d.severity != Severity::Error)
        continue;
      // Errors say where; those about the whole file need no line.
      EXPECT_TRUE(d.place.known()) << path << ": " << d.text;
      bool isXml = d.kind == diag::bpmn_xml || d.kind == diag::bpmn_encoding ||
                   d.kind == diag::bpmn_doctype ||
                   d.kind == diag::bpmn_not_bpmn;
      ++(isXml ? tally.malformed : tally.rejected);
      ++reasons[reasonOf(d)];
      printf("  %s:%u:%u: %s (%s)\n", name.str().c_str(), d.place.line,
             d.place.column, d.text.c_str(), d.place.element.c_str());
      break;
    }
  }
  printf("%s: %u lowered (%u of them abstracted), %u rejected, %u not XML\n",
         llvm::sys::path::filename(folder).str().c_str(), tally.lowered,
         tally.abstracted, tally.rejected, tally.malformed);
  for (const auto &[reason, count] : reasons)
    printf("  %u: %s\n", count, reason.c_str());
  for (const auto &[what, damage] : damages) {
    printf("  refused for %s: %u before, 0 now; %u of them read\n",
           what.c_str(), damage.before, damage.before - damage.after);
    EXPECT_LE(damage.after, tally.rejected) << what;
    EXPECT_FALSE(reasons.count("E0211 " + what)) << what;
    tally.mended += damage.before - damage.after;
  }
  return tally;
}

std::string corpus() {
  const char *path = std::getenv("CIF_BPMN_CORPUS");
  return path ? path : "";
}

} // namespace

TEST(BpmnCorpus, Choreographies) {
  if (corpus().empty())
    GTEST_SKIP() << "CIF_BPMN_CORPUS is not set";
  Tally tally = readAll(corpus() + "/choreo-bpmn");
  EXPECT_GE(tally.lowered * 100, tally.readable() * 97);
  EXPECT_GE(tally.mended, 5u); // each was an error once
}

TEST(BpmnCorpus, Collaborations) {
  if (corpus().empty())
    GTEST_SKIP() << "CIF_BPMN_CORPUS is not set";
  Tally tally = readAll(corpus() + "/collab-bpmn");
  // One is a test of what engines have to refuse.
  EXPECT_GE(tally.lowered * 100, (tally.readable() - 1) * 97);
  EXPECT_GE(tally.mended, 4u);
}

TEST(BpmnCorpus, Fbpmn) {
  if (corpus().empty())
    GTEST_SKIP() << "CIF_BPMN_CORPUS is not set";
  Tally tally = readAll(corpus() + "/fbpmn");
  EXPECT_EQ(tally.lowered, 27u);
}
