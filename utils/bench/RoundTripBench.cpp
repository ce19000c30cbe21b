//===- RoundTripBench.cpp - How fast modules become bytes and back --------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `cif-bench-roundtrip FILE.cift...` takes each module from text to IR to
/// binary to IR to text and prints the CPU time of each step.
/// `cif-bench-roundtrip --lts=N` does the same, without text, for an LTS of N
/// transitions.
///
//===----------------------------------------------------------------------===//

#include "cif/IR/Text.h"
#include "cif/Serialization/Binary.h"
#include "llvm/Support/Format.h"
#include <ctime>
#include <sys/resource.h>

using namespace cif;

namespace {

class Bench {
public:
  bool ok = true;

  template <class Step>
  void time(const char *what, Step step) {
    if (!ok)
      return;
    double before = now();
    ok = step();
    double took = now() - before;
    total += took;
    llvm::outs() << llvm::format("  %-16s %7.3f s\n", what, took);
  }
  void report() {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    llvm::outs() << llvm::format("  %-16s %7.3f s, at most %ld MiB so far\n",
                                 ok ? "all" : "FAILED", total,
                                 usage.ru_maxrss / 1024);
  }

private:
  static double now() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
  }
  double total = 0;
};

bool benchText(const char *path, DiagnosticEngine &diags) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file) {
    llvm::errs() << path << ": " << file.getError().message() << "\n";
    return false;
  }
  const SourceBuffer &source = diags.sources().add(path, std::move(*file));
  llvm::outs() << path << ", " << source.text().size() << " bytes\n";
  Bench bench;
  std::string bytes, text;
  {
    Module module;
    bench.time("text -> IR", [&] { return parseText(source, module, diags); });
    llvm::raw_string_ostream os(bytes);
    bench.time("IR -> binary", [&] { return writeBinary(module, os, diags); });
  }
  Module again;
  bench.time("binary -> IR", [&] {
    return readBinary(llvm::MemoryBuffer::getMemBuffer(bytes, "binary", false),
                      again, diags);
  });
  llvm::raw_string_ostream os(text);
  bench.time("IR -> text", [&] {
    printText(again, os);
    return true;
  });
  bench.report();
  return bench.ok;
}

bool benchLts(uint64_t transitions, DiagnosticEngine &diags) {
  Module module;
  SystemDecl &s = module.systems.emplace_back();
  for (char c = 'a'; c <= 'z'; ++c)
    s.lts.labels.push_back(Label::plain(StringRef(&c, 1)));
  uint32_t states = static_cast<uint32_t>(transitions / 3 + 1);
  {
    std::vector<uint32_t> begin(1, 0), label, target;
    label.reserve(transitions);
    target.reserve(transitions);
    for (uint32_t i = 0; i < states; ++i) {
      for (uint32_t k = 0; k < 3 && target.size() < transitions; ++k) {
        label.push_back((i + k) % 27);
        target.push_back(static_cast<uint32_t>((uint64_t(i) * 7 + k) % states));
      }
      begin.push_back(static_cast<uint32_t>(target.size()));
    }
    s.lts.rowBegin = std::move(begin);
    s.lts.label = std::move(label);
    s.lts.target = std::move(target);
  }
  llvm::outs() << "LTS of " << states << " states, " << transitions
               << " transitions\n";
  Bench bench;
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  bench.time("IR -> binary", [&] { return writeBinary(module, os, diags); });
  Module again;
  bench.time("binary -> IR", [&] {
    return readBinary(llvm::MemoryBuffer::getMemBuffer(bytes, "binary", false),
                      again, diags);
  });
  bench.ok &= again.systems[0].lts.target.ref() == s.lts.target.ref() &&
              again.systems[0].lts.label.ref() == s.lts.label.ref() &&
              again.systems[0].lts.rowBegin.ref() == s.lts.rowBegin.ref();
  bench.report();
  return bench.ok;
}

} // namespace

int main(int argc, char **argv) {
  SourceManager sources;
  DiagnosticPrinter printer(llvm::errs(), sources, false, argv[0]);
  DiagnosticEngine diags(sources, printer);
  bool ok = argc > 1;
  for (int i = 1; i < argc; ++i) {
    StringRef argument = argv[i];
    uint64_t transitions = 0;
    if (!argument.consume_front("--lts="))
      ok &= benchText(argv[i], diags);
    else
      ok &= !argument.getAsInteger(10, transitions) &&
            benchLts(transitions, diags);
  }
  return ok ? 0 : 2;
}
