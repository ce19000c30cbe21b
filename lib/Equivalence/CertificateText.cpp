//===- CertificateText.cpp - Certificates as text -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CertificateText.h"
#include "cif/LTS/Aut.h"

using namespace cif;

CertificateText::CertificateText(Relation relation)
    : text("cif-certificate 1\nrelation " + relationName(relation).str() +
           "\n") {}

CertificateText &CertificateText::classes(ArrayRef<uint32_t> left,
                                          ArrayRef<uint32_t> right) {
  for (auto [name, states] :
       {std::pair("left ", left), std::pair("right ", right)}) {
    text += name + std::to_string(states.size()) + "\n";
    // Lines of some length, for people and their editors.
    for (size_t i = 0; i < states.size(); ++i)
      text += std::to_string(states[i]) +
              (i % 16 == 15 || i + 1 == states.size() ? "\n" : " ");
  }
  return *this;
}

CertificateText &
CertificateText::pairs(StringRef name,
                       ArrayRef<std::pair<uint32_t, uint32_t>> pairs) {
  text += name.str() + " " + std::to_string(pairs.size()) + "\n";
  for (auto [a, b] : pairs)
    text += std::to_string(a) + " " + std::to_string(b) + "\n";
  return *this;
}

CertificateText &CertificateText::cover(StringRef name, const Cover &cover,
                                        size_t stateOffset, size_t setOffset) {
  text += name.str() + " " + std::to_string(cover.size()) + "\n";
  for (const auto &[state, set] : cover) {
    text +=
        std::to_string(state - stateOffset) + " " + std::to_string(set.size());
    for (StateIndex t : set)
      text += " " + std::to_string(t - setOffset);
    text += "\n";
  }
  return *this;
}

std::string CertificateText::finish() { return std::move(text += "end\n"); }

static void list(std::string &text, const std::string &name,
                 ArrayRef<Label> labels) {
  text += name + " " + std::to_string(labels.size()) + "\n";
  for (const Label &label : labels)
    text += autLabel(label) + "\n";
}

std::string cif::witnessText(const Difference &difference, Relation relation) {
  std::string text = "cif-witness 1\nrelation " + relationName(relation).str() +
                     "\nside " + sideName(difference.side).str() + "\n";
  std::vector<Label> trace = difference.trace;
  // Where it comes to rest may be some silent steps away.
  if (difference.kind == Difference::Offer && trace.empty())
    trace.push_back(Label::tau());
  list(text, "trace", trace);
  switch (difference.kind) {
  case Difference::Trace:
    text += "formula 1\ntrue 0\n";
    break;
  case Difference::Offer:
    list(text, "formula 1\noffer 0", difference.offered);
    break;
  case Difference::Formula: {
    static const char *const names[] = {"true", "not",   "and",    "may",
                                        "weak", "until", "diverge"};
    const Formula &formula = *difference.graph;
    text += "formula " + std::to_string(formula.root + 1) + "\n";
    for (Formula::NodeId id = 0; id <= formula.root; ++id) {
      const Formula::Node &node = formula.nodes[id];
      text += names[node.op];
      text += " " + std::to_string(node.operands.size());
      for (Formula::NodeId operand : node.operands)
        text += " " + std::to_string(operand);
      if (node.op == Formula::May || node.op == Formula::WeakMay ||
          node.op == Formula::Until)
        text += " " + autLabel(node.label);
      text += "\n";
    }
    break;
  }
  }
  return text + "end\n";
}
