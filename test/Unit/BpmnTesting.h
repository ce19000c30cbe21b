//===- BpmnTesting.h - Helpers of the BPMN front end's tests --------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_BPMNTESTING_H
#define CIF_TEST_UNIT_BPMNTESTING_H

#include "cif/Frontend/FrontEnd.h"
#include "cif/IR/Verifier.h"
#include "cif/Support/DiagnosticKinds.h"
#include "cif/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

namespace cif::bpmntest {

struct Parsed {
  bool good = false;
  Module module;
  std::vector<Diagnostic> diagnostics;

  /// The codes of all diagnostics but the summary, in order.
  std::string codes() const {
    std::vector<std::string> all;
    for (const Diagnostic &d : diagnostics)
      if (d.kind != diag::bpmn_summary)
        all.push_back(diagInfo(d.kind).code);
    return llvm::join(all, " ");
  }
  /// The first diagnostic's text, for messages that tests are about.
  std::string text() const {
    return diagnostics.empty() ? "" : diagnostics.front().text;
  }
};

/// Reads \p xml. What is good must also satisfy the verifier.
inline Parsed read(std::string xml, FrontEndOptions options = {}) {
  Parsed result;
  SourceManager sources;
  DiagnosticCollector collector;
  DiagnosticEngine diags(sources, collector);
  const SourceBuffer &source = sources.add(
      "test.bpmn", std::shared_ptr<llvm::MemoryBuffer>(
                       llvm::MemoryBuffer::getMemBufferCopy(xml, "test.bpmn")));
  result.good = parseBpmn(source, result.module, diags, options);
  EXPECT_EQ(result.good, !diags.hasErrors());
  result.diagnostics = collector.all;
  if (result.good) {
    DiagnosticCollector found;
    DiagnosticEngine verifier(sources, found);
    EXPECT_TRUE(verify(result.module, verifier))
        << (found.all.empty() ? "" : found.all.front().text);
  }
  return result;
}

inline std::string definitions(const std::string &body) {
  return "<definitions "
         "xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL' id='d'>" +
         body + "</definitions>";
}
inline Parsed readModel(const std::string &body, FrontEndOptions options = {}) {
  return read(definitions(body), std::move(options));
}
/// A process P with these elements.
inline Parsed readProcess(const std::string &body,
                          FrontEndOptions options = {}) {
  return readModel("<process id='P'>" + body + "</process>",
                   std::move(options));
}
/// `flow("a b", "b c")`: sequence flows f1 from a to b, f2 from b to c.
template <class... Pairs>
std::string flow(Pairs... pairs) {
  std::string result;
  unsigned number = 0;
  for (StringRef pair : {StringRef(pairs)...}) {
    auto [from, to] = pair.split(' ');
    result += ("<sequenceFlow id='f" + Twine(++number) + "' sourceRef='" +
               from + "' targetRef='" + to + "'/>")
                  .str();
  }
  return result;
}

/// A node for people: its element's id, with its kind where the front end added
/// it or it is not what its element says.
inline std::string nodeText(const Module &module, const Node &node) {
  std::string text = nodeKindText(node.kind).str();
  if (node.trigger != Trigger::None)
    text += ("/" + triggerText(node.trigger)).str();
  if (node.flags & NonInterrupting)
    text += "/non-interrupting";
  return text + "@" + module.text(node.loc.element).str();
}

/// Everything about a behaviour's graph, a line for each flow; then nodes with
/// messages, containers and borders.
inline std::string graph(const Module &module, size_t index = 0) {
  const Behaviour &b = module.behaviours[index];
  std::vector<std::string> lines;
  for (const Flow &f : b.flows)
    lines.push_back(nodeText(module, b.node(f.source)) + " -> " +
                    nodeText(module, b.node(f.target)) +
                    (f.flags & DefaultFlow ? " default" : "") +
                    (f.guard ? " guarded" : ""));
  for (const Node &n : b.nodes) {
    std::string more;
    if (n.message)
      more += " message " + module.exchangeText(n.message);
    if (n.reply)
      more += " reply " + module.exchangeText(n.reply);
    if (n.loop != LoopKind::None)
      more += " loop " + loopKindText(n.loop).str();
    if (n.parent)
      more += " in " + nodeText(module, b.node(n.parent));
    if (n.attachedTo)
      more += " on " + nodeText(module, b.node(n.attachedTo));
    if (!more.empty())
      lines.push_back(nodeText(module, n) + ":" + more);
  }
  llvm::sort(lines);
  return llvm::join(lines, "\n");
}

} // namespace cif::bpmntest

#endif
