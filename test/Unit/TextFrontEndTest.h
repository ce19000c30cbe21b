//===- TextFrontEndTest.h - Reading texts in unit tests -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_TEXTFRONTENDTEST_H
#define CIF_TEST_UNIT_TEXTFRONTENDTEST_H

#include "cif/Frontend/FrontEnd.h"
#include <gtest/gtest.h>
#include <random>

namespace cif::test {

using ParseFunction = bool (*)(const SourceBuffer &, Module &,
                               DiagnosticEngine &, const FrontEndOptions &);

/// A text read by a front end, with everything that was reported.
struct Read {
  Read(ParseFunction parse, StringRef text, FrontEndOptions options = {})
      : engine(sources, collector) {
    const SourceBuffer &source =
        sources.add("test", llvm::MemoryBuffer::getMemBufferCopy(text, "test"));
    ok = parse(source, module, engine, options);
  }

  /// `line:column code text` of each diagnostic.
  std::string diagnostics() const {
    std::string result;
    for (const Diagnostic &d : collector.all) {
      result += std::to_string(d.place.line) + ":" +
                std::to_string(d.place.column) + " " + diagInfo(d.kind).code +
                " " + d.text + "\n";
      for (const Note &n : d.notes)
        result += "  " + std::to_string(n.place.line) + ":" +
                  std::to_string(n.place.column) + " " + n.text + "\n";
    }
    return result;
  }

  SourceManager sources;
  DiagnosticCollector collector;
  DiagnosticEngine engine;
  Module module;
  bool ok;
};

/// What must hold of every graph that a front end makes: ids are in range,
/// flows are complete, and arguments are there. Empty: it holds.
inline std::string brokenRule(const Module &module) {
  for (const Behaviour &b : module.behaviours) {
    for (const Flow &f : b.flows)
      if (!f.source || !f.target || f.source.index() >= b.nodes.size() ||
          f.target.index() >= b.nodes.size())
        return "flow without an end";
    for (const Node &n : b.nodes)
      if (n.numArguments > b.arguments.size() ||
          n.firstArgument > b.arguments.size() - n.numArguments)
        return "arguments out of range";
  }
  for (const SystemDecl &s : module.systems) {
    std::string problem = verifyLts(s.lts);
    if (!problem.empty())
      return problem;
  }
  return "";
}

/// Reads \p count mutants of \p seeds. They may be rejected with a reason, and
/// what is accepted must be well formed; nothing may crash or hang.
inline void readMutants(ParseFunction parse, ArrayRef<StringRef> seeds,
                        ArrayRef<StringRef> pieces, unsigned count) {
  std::mt19937 random(42);
  unsigned accepted = 0;
  for (unsigned i = 0; i < count; ++i) {
    std::string text = seeds[random() % seeds.size()].str();
    for (unsigned edits = 1 + random() % 4; edits; --edits) {
      size_t at = text.empty() ? 0 : random() % text.size();
      size_t length = std::min<size_t>(random() % 8, text.size() - at);
      switch (random() % 5) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, pieces[random() % pieces.size()].str());
        break;
      case 2:
        text.insert(at, text.substr(random() % (text.size() + 1), 20));
        break;
      case 3:
        if (!text.empty())
          text[at] = static_cast<char>(random());
        break;
      case 4:
        text.resize(at);
        break;
      }
    }
    Read read(parse, text);
    EXPECT_EQ(read.ok, !read.engine.hasErrors()) << text;
    if (read.ok) {
      ++accepted;
      EXPECT_EQ(brokenRule(read.module), "") << text;
    }
  }
  // The mutants reach both outcomes.
  EXPECT_GT(accepted, 0u);
  EXPECT_LT(accepted, count);
}

} // namespace cif::test

#endif
