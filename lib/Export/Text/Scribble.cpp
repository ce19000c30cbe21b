//===- Scribble.cpp - --emit=scr ------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The terms of choreographies as global protocols of Scribble, whose words
/// nuScr shares but for `par`. A choice names the participant that decides: the
/// one who sends first in every branch. `loop { I }` is a recursion that a
/// choice leaves. What Scribble has no words for is refused: guards, internal
/// steps, interruption, `0`, and recursion that does not come last.
///
//===----------------------------------------------------------------------===//

#include "cif/Export/Emitter.h"
#include "cif/IR/Term.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace cif;

namespace {

/// Names as identifiers, no two the same and none a keyword.
class Identifiers {
public:
  std::string of(StringRef name, StringRef otherwise) {
    auto [known, isNew] = given.try_emplace(name);
    if (!isNew)
      return known->second;
    std::string word;
    for (char c : name)
      word += llvm::isAlnum(c) ? c : '_';
    if (word.empty() || llvm::isDigit(word[0]) || keywords().contains(word))
      word = (otherwise + word).str();
    std::string chosen = word;
    for (unsigned &n = last[word]; !taken.insert(chosen).second;)
      chosen = word + "_" + std::to_string(++n + 1);
    return known->second = chosen;
  }

private:
  /// Those of Scribble and of nuScr.
  static const llvm::StringSet<> &keywords() {
    static const llvm::StringSet<> words = {
        "module",  "import", "type",    "data",          "protocol",
        "global",  "local",  "role",    "self",          "sig",
        "as",      "from",   "to",      "instantiates",  "choice",
        "at",      "or",     "rec",     "continue",      "par",
        "and",     "with",   "by",      "interruptible", "throw",
        "catch",   "do",     "spawn",   "explicit",      "aux",
        "connect", "accept", "request", "disconnect",    "wrap",
        "nested",  "calls",  "new",     "not",           "true",
        "false",   "len",    "int",     "bool",          "string"};
    return words;
  }
  llvm::StringMap<std::string> given;
  llvm::StringMap<unsigned> last; ///< number behind a word
  llvm::StringSet<> taken;
};

class ScribbleWriter {
public:
  ScribbleWriter(const Module &from, const Behaviour &of, const Term &its,
                 raw_ostream &to, DiagnosticEngine &engine)
      : module(from), behaviour(of), term(its), os(to), diags(engine) {}

  bool run(StringRef protocol);

private:
  /// Who may send first in a term.
  struct First {
    ParticipantId sender;
    bool several = false; ///< more than one
    bool skips = false;   ///< it may do nothing at all
    bool operator==(const First &) const = default;
    void add(const First &other) {
      several |=
          other.several || (sender && other.sender && sender != other.sender);
      if (!sender)
        sender = other.sender;
    }
  };
  /// What is still to be written; the last one first.
  struct Work {
    enum Kind { Write, Between, Close, Continue } kind = Write;
    TermId id;
    StringRef word;
    /// Recursions with a smaller id end where it ends: it may continue them.
    uint32_t reach = 0;
  };

  bool refuse(NodeId node, const Twine &why);
  bool findFirst();
  First firstOf(const TermNode &node) const;
  void write(TermId id, uint32_t reach);
  void action(const TermNode &node);
  void branches(TermId id, StringRef opens, StringRef word, uint32_t reach);
  void loop(TermId id);
  std::string role(ParticipantId id) {
    return names.of(module.participantName(id), "role_");
  }
  std::string label(TermId rec) { return "L" + std::to_string(rec.index()); }
  raw_ostream &line() { return os.indent(2 * std::min(depth, 20u)); }

  const Module &module;
  const Behaviour &behaviour;
  const Term &term;
  raw_ostream &os;
  DiagnosticEngine &diags;
  Identifiers names, messages;
  std::vector<First> first; ///< by term
  std::vector<Work> work;
  unsigned depth = 1;
  bool ok = true;
};

} // namespace

bool ScribbleWriter::refuse(NodeId node, const Twine &why) {
  if (ok)
    diags.report(module.place(node ? behaviour.node(node).loc : behaviour.loc),
                 diag::emit_node)
        << "scr"
        << (node ? nodeKindText(behaviour.node(node).kind)
                 : behaviourKindText(behaviour.kind))
        << why;
  return ok = false;
}

ScribbleWriter::First ScribbleWriter::firstOf(const TermNode &node) const {
  First own;
  switch (node.kind) {
  case TermKind::Action:
    own.sender = module.message(behaviour.node(node.node).message).sender;
    break;
  case TermKind::Done:
    own.skips = true;
    break;
  case TermKind::Call:
    own = first[node.target.index()];
    break;
  case TermKind::Loop:
  case TermKind::While:
    own = first[node.firstChild.index()];
    own.skips = true;
    break;
  case TermKind::Sequence:
    own.skips = true;
    for (TermId c = node.firstChild; c && own.skips; c = term[c].nextSibling) {
      own.add(first[c.index()]);
      own.skips = first[c.index()].skips;
    }
    break;
  default: {
    bool all = node.kind == TermKind::Parallel;
    own.skips = all;
    for (TermId c = node.firstChild; c; c = term[c].nextSibling) {
      own.add(first[c.index()]);
      own.skips = all ? own.skips && first[c.index()].skips
                      : own.skips || first[c.index()].skips;
    }
    break;
  }
  }
  return own;
}

/// From the leaves to the root, as children stand before their parents. A call
/// begins as its recursion does, which is known a round later; recursions are
/// guarded, so that this ends.
bool ScribbleWriter::findFirst() {
  constexpr unsigned mostRounds = 8;
  first.resize(term.size());
  for (unsigned round = 0; round < mostRounds; ++round) {
    bool changed = false;
    for (uint32_t i = 0; i < term.size(); ++i) {
      First now = firstOf(term.nodes[i]);
      changed |= now != first[i];
      first[i] = now;
    }
    if (!changed)
      return true;
  }
  return refuse({}, "a recursion calls another one before any step");
}

void ScribbleWriter::action(const TermNode &t) {
  const Message &m = module.message(behaviour.node(t.node).message);
  line() << messages.of(module.text(m.name), "m_") << '(';
  for (size_t f = 0; f < m.fields.size(); ++f) {
    Sort sort = m.fields[f].sort;
    os << (f ? ", " : "")
       << (sort == boolSort  ? "bool"
           : sort == intSort ? "int"
           : sort.isEnum()
               ? messages.of(
                     module.text(module.enumerations[sort.enumIndex()].name),
                     "sort_")
               : "string");
  }
  os << ") from " << role(m.sender) << " to " << role(m.receiver) << ";\n";
}

/// The children of \p id as blocks between \p word.
void ScribbleWriter::branches(TermId id, StringRef opens, StringRef word,
                              uint32_t reach) {
  line() << opens << " {\n";
  ++depth;
  SmallVector<TermId, 8> children = term.children(id);
  work.push_back({Work::Close, {}, "", 0});
  for (size_t i = children.size(); i-- > 0;) {
    work.push_back({Work::Write, children[i], "", reach});
    if (i)
      work.push_back({Work::Between, {}, word, 0});
  }
}

void ScribbleWriter::loop(TermId id) {
  const First &decides = first[id.index()];
  if (!decides.sender || decides.several)
    return void(
        refuse(term[id].node, "different participants begin its rounds"));
  line() << "rec " << label(id) << " {\n";
  ++depth;
  line() << "choice at " << role(decides.sender) << " {\n";
  ++depth;
  work.push_back({Work::Close, {}, "", 0});
  work.push_back({Work::Close, {}, "", 0});
  work.push_back({Work::Between, {}, "or", 0});
  work.push_back({Work::Continue, id, "", 0});
  work.push_back({Work::Write, term[id].firstChild, "", 0});
}

void ScribbleWriter::write(TermId id, uint32_t reach) {
  const TermNode &node = term[id];
  switch (node.kind) {
  case TermKind::Done:
    break;
  case TermKind::Action:
    action(node);
    break;
  case TermKind::Sequence: {
    SmallVector<TermId, 8> children = term.children(id);
    for (size_t i = children.size(); i-- > 0;)
      work.push_back(
          {Work::Write, children[i], "", i + 1 == children.size() ? reach : 0});
    break;
  }
  case TermKind::Parallel:
    branches(id, "par", "and", 0);
    break;
  case TermKind::Choice: {
    const First &decides = first[id.index()];
    if (!decides.sender || decides.several)
      return void(refuse(node.node,
                         "different participants send first in its branches"));
    branches(id, "choice at " + role(decides.sender), "or", reach);
    break;
  }
  case TermKind::Loop:
    loop(id);
    break;
  case TermKind::Rec:
    line() << "rec " << label(id) << " {\n";
    ++depth;
    work.push_back({Work::Close, {}, "", 0});
    work.push_back(
        {Work::Write, node.firstChild, "", std::max(reach, id.index() + 1)});
    break;
  case TermKind::Call:
    if (node.target.index() >= reach)
      return void(refuse(node.node, "a recursive call is followed by "
                                    "something, or is in a parallel branch"));
    line() << "continue " << label(node.target) << ";\n";
    break;
  case TermKind::Guard:
  case TermKind::While:
    refuse(node.node, "it has no conditions over data");
    break;
  case TermKind::Tau:
    refuse(node.node, "it has no internal steps");
    break;
  case TermKind::Stuck:
  case TermKind::Interrupt:
    refuse(node.node, "it has no such construct");
    break;
  }
}

bool ScribbleWriter::run(StringRef protocol) {
  if (!findFirst())
    return false;
  std::vector<bool> used(module.participants.size());
  for (const Node &node : behaviour.nodes)
    if (node.message) {
      used[module.message(node.message).sender.index()] = true;
      used[module.message(node.message).receiver.index()] = true;
    }
  os << "global protocol " << protocol << '(';
  StringRef comma;
  for (size_t i = 0; i < used.size(); ++i)
    if (used[i]) {
      os << comma << "role " << role(ParticipantId(i));
      comma = ", ";
    }
  os << ") {\n";
  work.push_back({Work::Write, term.root(), "", uint32_t(term.size())});
  while (ok && !work.empty()) {
    Work next = work.back();
    work.pop_back();
    switch (next.kind) {
    case Work::Write:
      write(next.id, next.reach);
      break;
    case Work::Between:
      --depth;
      line() << "} " << next.word << " {\n";
      ++depth;
      break;
    case Work::Close:
      --depth;
      line() << "}\n";
      break;
    case Work::Continue:
      line() << "continue " << label(next.id) << ";\n";
      break;
    }
  }
  os << "}\n";
  return ok;
}

bool cif::emitScr(const Module &module, raw_ostream &to,
                  DiagnosticEngine &diags, const EmitOptions &options) {
  Identifiers protocols;
  std::string text; // all of it or nothing
  llvm::raw_string_ostream os(text);
  os << "module "
     << Identifiers().of(
            options.fileName.empty() ? "Protocols" : options.fileName, "m_")
     << ";\n";
  bool any = false;
  for (const Behaviour &b : module.behaviours) {
    if (b.kind != BehaviourKind::Choreography)
      continue;
    any = true;
    TermBreak why;
    std::optional<Term> term = recoverTerm(b, &why);
    if (!term) {
      diags.report(module.place(why.node ? b.node(why.node).loc : b.loc),
                   diag::emit_node)
          << "scr" << ("choreography '" + module.text(b.name) + "'")
          << "it is not a term: " + why.reason;
      return false;
    }
    os << '\n';
    ScribbleWriter writer(module, b, *term, os, diags);
    if (!writer.run(protocols.of(module.text(b.name), "P")))
      return false;
  }
  if (any)
    to << text;
  else
    diags.report(diag::emit_nothing) << "scr"
                                     << "choreography";
  return any;
}
