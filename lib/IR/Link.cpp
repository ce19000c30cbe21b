//===- Link.cpp - One module from several ---------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Link.h"
#include "cif/Support/DiagnosticKinds.h"

using namespace cif;

namespace {
/// Copies a module's parts and maps every index on the way.
class Linker {
public:
  Linker(Module &into, const Module &from, DiagnosticEngine &diags)
      : into(into), from(from), diags(diags) {}

  bool link() {
    for (const Source &s : from.sources)
      sources.push_back(into.getSource(from.text(s.path), from.text(s.language),
                                       from.text(s.sha256)));
    for (const Participant &p : from.participants) {
      participants.push_back(into.getParticipant(map(p.name), map(p.loc)));
      Participant &merged = into.participants[participants.back().index()];
      merged.minimum = std::min(merged.minimum, p.minimum);
      merged.maximum = std::max(merged.maximum, p.maximum);
    }
    if (!linkEnumerations())
      return false;
    for (const Message &m : from.messages)
      linkMessage(m);
    firstExpr = into.exprs.size();
    for (Expr e : from.exprs) {
      e.sort = map(e.sort);
      e.lhs = map(e.lhs);
      e.rhs = map(e.rhs);
      e.name = map(e.name);
      e.loc = map(e.loc);
      into.exprs.push_back(e);
    }
    firstBehaviour = into.behaviours.size();
    for (const Behaviour &b : from.behaviours)
      linkBehaviour(b);
    for (MessageFlow f : from.messageFlows) {
      f.message = map(f.message);
      f.sourceBehaviour = map(f.sourceBehaviour);
      f.targetBehaviour = map(f.targetBehaviour);
      f.loc = map(f.loc);
      into.messageFlows.push_back(f);
    }
    for (SystemDecl s : from.systems) {
      s.name = map(s.name);
      s.owner = map(s.owner);
      s.loc = map(s.loc);
      into.systems.push_back(std::move(s));
    }
    into.facts.insert(into.facts.end(), from.facts.begin(), from.facts.end());
    into.keepAlive.insert(into.keepAlive.end(), from.keepAlive.begin(),
                          from.keepAlive.end());
    return true;
  }

private:
  Name map(Name n) { return into.intern(from.text(n)); }
  ParticipantId map(ParticipantId p) { return p ? participants[p.index()] : p; }
  MessageId map(MessageId m) { return m ? messages[m.index()] : m; }
  ExprId map(ExprId e) { return e ? ExprId(firstExpr + e.index()) : e; }
  BehaviourId map(BehaviourId b) {
    return b ? BehaviourId(firstBehaviour + b.index()) : b;
  }
  Sort map(Sort s) {
    return s.isEnum() ? Sort{Sort::firstEnum + enumerations[s.enumIndex()]} : s;
  }
  Location map(Location loc) {
    if (loc.source)
      loc.source = sources[loc.source.index()];
    loc.element = map(loc.element);
    return loc;
  }

  bool linkEnumerations() {
    bool ok = true;
    for (const Enumeration &e : from.enumerations) {
      Enumeration mapped{map(e.name), {}, map(e.loc)};
      for (Name literal : e.literals)
        mapped.literals.push_back(map(literal));
      auto known = llvm::find_if(into.enumerations, [&](const auto &other) {
        return other.name == mapped.name;
      });
      enumerations.push_back(
          static_cast<uint32_t>(known - into.enumerations.begin()));
      if (known == into.enumerations.end()) {
        into.enumerations.push_back(std::move(mapped));
      } else if (known->literals != mapped.literals) {
        Place other = into.place(known->loc);
        diags.report(from.place(e.loc), diag::enumeration_clash)
            << from.text(e.name) << other.file;
        ok = false;
      }
    }
    return ok;
  }

  void linkMessage(const Message &m) {
    size_t before = into.messages.size();
    MessageId id = into.getMessage(map(m.name), map(m.sender), map(m.receiver),
                                   map(m.loc));
    messages.push_back(id);
    // A message that both sides know keeps the fields that are declared first.
    Message &merged = into.messages[id.index()];
    if (into.messages.size() > before || merged.fields.empty())
      for (const Field &f : m.fields)
        merged.fields.push_back({map(f.name), map(f.sort)});
  }

  void linkBehaviour(Behaviour b) {
    b.name = map(b.name);
    b.owner = map(b.owner);
    b.loc = map(b.loc);
    for (Node &n : b.nodes) {
      n.name = map(n.name);
      n.message = map(n.message);
      n.reply = map(n.reply);
      n.participant = map(n.participant);
      n.condition = map(n.condition);
      n.loc = map(n.loc);
    }
    for (Flow &f : b.flows) {
      f.guard = map(f.guard);
      f.name = map(f.name);
      f.loc = map(f.loc);
    }
    for (ExprId &e : b.arguments)
      e = map(e);
    for (Attribute &a : b.attributes) {
      a.key = map(a.key);
      a.value = map(a.value);
    }
    into.behaviours.push_back(std::move(b));
  }

  Module &into;
  const Module &from;
  DiagnosticEngine &diags;
  std::vector<SourceId> sources;
  std::vector<ParticipantId> participants;
  std::vector<uint32_t> enumerations;
  std::vector<MessageId> messages;
  size_t firstExpr = 0, firstBehaviour = 0;
};
} // namespace

bool cif::linkInto(Module &into, const Module &from, DiagnosticEngine &diags) {
  return Linker(into, from, diags).link();
}
