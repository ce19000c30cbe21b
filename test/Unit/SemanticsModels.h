//===- SemanticsModels.h - Small models for tests
//--------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_SEMANTICSMODELS_H
#define CIF_TEST_UNIT_SEMANTICSMODELS_H

#include "cif/Semantics/Semantics.h"
#include "cif/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <set>
#include <string>

namespace cif::test {

/// A diagnostic engine that keeps what it is told.
struct TestDiagnostics {
  SourceManager sources;
  DiagnosticCollector collected;
  DiagnosticEngine engine{sources, collected};
  std::string text() const {
    std::string all;
    for (const Diagnostic &d : collected.all)
      all += d.text + "\n";
    return all;
  }
};

/// An LTS from "0 q!m 1; 1 p?n 0; 0 tau 2": states are numbers, the initial one
/// is 0, labels are local to \p self. `final` states may follow as "final 2".
inline Lts readLts(StringRef text, StringRef self) {
  std::map<Label, LabelIndex> labels{{Label::tau(), 0}};
  Lts lts;
  std::map<uint32_t, std::vector<std::pair<LabelIndex, uint32_t>>> rows;
  uint32_t states = 1;
  std::vector<uint32_t> final;
  SmallVector<StringRef, 16> pieces;
  text.split(pieces, ';', -1, false);
  for (StringRef piece : pieces) {
    SmallVector<StringRef, 3> words;
    llvm::SplitString(piece, words);
    uint32_t from = 0, to = 0;
    if (words.size() == 2 && words[0] == "final") {
      words[1].getAsInteger(10, from);
      final.push_back(from);
      states = std::max(states, from + 1);
      continue;
    }
    if (words.size() != 3)
      continue;
    words[0].getAsInteger(10, from);
    words[2].getAsInteger(10, to);
    Label label = parseLabel(words[1], self);
    auto [at, isNew] = labels.try_emplace(label, lts.labels.size());
    if (isNew)
      lts.labels.push_back(label);
    rows[from].push_back({at->second, to});
    states = std::max(states, std::max(from, to) + 1);
  }
  std::vector<uint32_t> begin{0}, label, target;
  for (uint32_t s = 0; s < states; ++s) {
    for (auto [l, t] : rows[s]) {
      label.push_back(l);
      target.push_back(t);
    }
    begin.push_back(target.size());
  }
  if (!final.empty()) {
    std::vector<uint64_t> bits((states + 63) / 64);
    for (uint32_t s : final)
      bits[s / 64] |= uint64_t(1) << (s % 64);
    lts.finals = std::move(bits);
  }
  lts.rowBegin = std::move(begin);
  lts.label = std::move(label);
  lts.target = std::move(target);
  return lts;
}

inline void addPeer(Module &m, StringRef name, StringRef text) {
  SystemDecl decl;
  decl.name = m.intern(name);
  decl.role = SystemRole::Peer;
  decl.owner = m.getParticipant(decl.name);
  decl.lts = readLts(text, name);
  m.systems.push_back(std::move(decl));
}

/// Builds behaviours node by node; flows by the nodes' names.
class Graph {
public:
  Module module;

  explicit Graph(BehaviourKind kind = BehaviourKind::Choreography,
                 StringRef owner = {}) {
    begin(kind, owner);
  }
  void begin(BehaviourKind kind, StringRef owner = {}) {
    Behaviour b;
    b.kind = kind;
    b.name = module.intern(owner.empty() ? "main" : owner);
    if (!owner.empty())
      b.owner = module.getParticipant(module.intern(owner));
    module.behaviours.push_back(std::move(b));
    ids.clear();
  }
  Behaviour &graph() { return module.behaviours.back(); }
  Node &node(StringRef name, NodeKind kind) {
    Node n;
    n.kind = kind;
    n.name = module.intern(name);
    n.parent = scope;
    ids[name.str()] = NodeId(graph().nodes.size());
    graph().nodes.push_back(n);
    return graph().nodes.back();
  }
  void start(StringRef name) { node(name, NodeKind::Initial); }
  MessageId message(StringRef from, StringRef to, StringRef name) {
    auto end = [&](StringRef p) {
      return p.empty() ? ParticipantId()
                       : module.getParticipant(module.intern(p));
    };
    ParticipantId sender = end(from), receiver = end(to);
    return module.getMessage(module.intern(name), sender, receiver);
  }
  Node &interaction(StringRef name, StringRef from, StringRef to,
                    StringRef text) {
    MessageId id = message(from, to, text);
    Node &n = node(name, NodeKind::Interaction);
    n.message = id;
    return n;
  }
  Node &send(StringRef name, StringRef from, StringRef to, StringRef text) {
    MessageId id = message(from, to, text);
    Node &n = node(name, NodeKind::Send);
    n.message = id;
    return n;
  }
  Node &receive(StringRef name, StringRef from, StringRef to, StringRef text) {
    MessageId id = message(from, to, text);
    Node &n = node(name, NodeKind::Receive);
    n.message = id;
    return n;
  }
  NodeId id(StringRef name) const { return ids.at(name.str()); }
  Flow &flow(StringRef from, StringRef to) {
    Flow f;
    f.source = id(from);
    f.target = id(to);
    graph().flows.push_back(f);
    return graph().flows.back();
  }
  /// "a-b b-c": flows from a to b and from b to c.
  void flows(StringRef text) {
    SmallVector<StringRef, 16> words;
    llvm::SplitString(text, words);
    for (StringRef word : words) {
      auto [from, to] = word.split('-');
      flow(from, to);
    }
  }
  NodeId scope; ///< the container that new nodes go into

private:
  std::map<std::string, NodeId> ids;
};

} // namespace cif::test

#endif
