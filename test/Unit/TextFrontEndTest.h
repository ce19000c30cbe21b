//===- TextFrontEndTest.h - Reading texts in unit tests -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_TEXTFRONTENDTEST_H
#define CIF_TEST_UNIT_TEXTFRONTENDTEST_H

#include "cif/Frontend/FrontEnd.h"
#include "cif/IR/Verifier.h"
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

/// What the verifier says of a module; empty: all is well.
inline std::string brokenRules(const Module &module) {
  SourceManager sources;
  DiagnosticCollector collector;
  DiagnosticEngine engine(sources, collector);
  verify(module, engine);
  std::string result;
  for (const Diagnostic &d : collector.all)
    result += d.text + "\n";
  return result;
}

/// The graph as text: `n1:event-choice -> n2 n3 [guarded]`, one line per node.
inline std::string graphText(const Behaviour &b) {
  FlowIndex index(b);
  std::string result;
  for (size_t i = 0; i < b.nodes.size(); ++i) {
    const Node &n = b.nodes[i];
    if (i)
      result += "; ";
    if (n.parent)
      result += "in" + std::to_string(n.parent.index()) + " ";
    result += nodeKindText(n.kind).str();
    if (n.attachedTo)
      result += "@" + std::to_string(n.attachedTo.index());
    for (FlowId f : index.outgoing(NodeId(i))) {
      result += " " + std::to_string(b.flow(f).target.index());
      result += b.flow(f).guard                 ? "?"
                : b.flow(f).flags & DefaultFlow ? "*"
                                                : "";
    }
  }
  return result;
}

/// `initial: source label target, ...; final s ...`
inline std::string ltsText(const Lts &lts) {
  std::string result = std::to_string(lts.initial) + ": ";
  bool first = true;
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    for (size_t i = 0; i < lts.labelsOf(s).size(); ++i) {
      result += (first ? "" : ", ") + std::to_string(s) + " " +
                labelText(lts.labels[lts.labelsOf(s)[i]]) + " " +
                std::to_string(lts.targetsOf(s)[i]);
      first = false;
    }
  first = true;
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    if (lts.isFinal(s)) {
      result += (first ? "; final " : " ") + std::to_string(s);
      first = false;
    }
  return result;
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
      EXPECT_EQ(brokenRules(read.module), "") << text;
    }
  }
  // The mutants reach both outcomes.
  EXPECT_GT(accepted, 0u);
  EXPECT_LT(accepted, count);
}

} // namespace cif::test

#endif
