//===- Link.cpp - One module from several ---------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Link.h"
#include "cif/Support/Diagnostics/Usage.h"
#include <map>

using namespace cif;

namespace {
/// Copies a module's parts and maps every index on the way.
class Linker {
public:
  Linker(Module &into, const Module &from, DiagnosticEngine *diags)
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
      messages.push_back(addMessage(m));
    firstExpr = into.exprs.size();
    for (const Expr &e : from.exprs)
      linkExpr(e);
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
    for (const SystemDecl &s : from.systems)
      linkSystem(s);
    into.addAbstractions(from.abstractions);
    into.facts.insert(into.facts.end(), from.facts.begin(), from.facts.end());
    into.keepAlive.insert(into.keepAlive.end(), from.keepAlive.begin(),
                          from.keepAlive.end());
    return true;
  }

  /// Only what behaviour or system number \p index needs.
  void extract(bool isSystem, uint32_t index) {
    for (const Source &s : from.sources)
      sources.push_back(
          into.getSource(from.text(s.path), from.text(s.language)));
    into.keepAlive = from.keepAlive;
    if (isSystem) {
      SystemDecl s = from.systems[index];
      addParticipants({s.owner});
      linkSystem(std::move(s));
      return;
    }
    const Behaviour &b = from.behaviours[index];
    std::vector<MessageId> used;
    std::vector<ParticipantId> who{b.owner};
    std::vector<ExprId> wanted(b.arguments);
    for (const Node &n : b.nodes) {
      used.insert(used.end(), {n.message, n.reply});
      who.push_back(n.participant);
      wanted.push_back(n.condition);
    }
    for (const Flow &f : b.flows)
      wanted.push_back(f.guard);
    sortUsed(used);
    for (MessageId m : used)
      who.insert(who.end(), {from.message(m).sender, from.message(m).receiver});
    addParticipants(std::move(who));
    // Without a second module no two can clash.
    (void)linkEnumerations();
    messages.resize(from.messages.size());
    for (MessageId m : used)
      messages[m.index()] = addMessage(from.message(m));
    addExprs(std::move(wanted));
    linkBehaviour(b);
  }

private:
  template <class Id>
  static void sortUsed(std::vector<Id> &ids) {
    llvm::erase_if(ids, [](Id id) { return !id; });
    llvm::sort(ids, [](Id x, Id y) { return x.index() < y.index(); });
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  }
  void addParticipants(std::vector<ParticipantId> used) {
    sortUsed(used);
    participants.resize(from.participants.size());
    for (ParticipantId id : used) {
      const Participant &p = from.participant(id);
      ParticipantId made = into.getParticipant(map(p.name), map(p.loc));
      into.participants[made.index()].minimum = p.minimum;
      into.participants[made.index()].maximum = p.maximum;
      participants[id.index()] = made;
    }
  }
  /// Operands come before what they are operands of.
  void addExprs(std::vector<ExprId> used) {
    sortUsed(used);
    for (size_t i = 0; i < used.size(); ++i)
      for (ExprId operand : {from.expr(used[i]).lhs, from.expr(used[i]).rhs})
        if (operand)
          used.push_back(operand);
    sortUsed(used);
    for (ExprId id : used) {
      extracted[static_cast<uint32_t>(id.index())] = ExprId(into.exprs.size());
      linkExpr(from.expr(id));
    }
  }
  void linkExpr(Expr e) {
    e.sort = map(e.sort);
    e.lhs = map(e.lhs);
    e.rhs = map(e.rhs);
    e.name = map(e.name);
    e.loc = map(e.loc);
    into.exprs.push_back(e);
  }
  void linkSystem(SystemDecl s) {
    s.name = map(s.name);
    s.owner = map(s.owner);
    s.loc = map(s.loc);
    for (Location &loc : s.transitionPlaces)
      loc = map(loc);
    into.systems.push_back(std::move(s));
  }
  Name map(Name n) { return into.intern(from.text(n)); }
  ParticipantId map(ParticipantId p) { return p ? participants[p.index()] : p; }
  MessageId map(MessageId m) { return m ? messages[m.index()] : m; }
  ExprId map(ExprId e) {
    if (!e)
      return e;
    auto found = extracted.find(static_cast<uint32_t>(e.index()));
    return found != extracted.end() ? found->second
                                    : ExprId(firstExpr + e.index());
  }
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
        diags->report(from.place(e.loc), diag::enumeration_clash)
            << from.text(e.name) << other.file;
        ok = false;
      }
    }
    return ok;
  }

  MessageId addMessage(const Message &m) {
    size_t before = into.messages.size();
    MessageId id = into.getMessage(map(m.name), map(m.sender), map(m.receiver),
                                   map(m.loc));
    // A message that both sides know keeps the fields that are declared first.
    Message &merged = into.messages[id.index()];
    if (into.messages.size() > before || merged.fields.empty())
      for (const Field &f : m.fields)
        merged.fields.push_back({map(f.name), map(f.sort)});
    return id;
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
  DiagnosticEngine *diags; ///< of extracts: null
  std::vector<SourceId> sources;
  std::vector<ParticipantId> participants;
  std::vector<uint32_t> enumerations;
  std::vector<MessageId> messages;
  std::map<uint32_t, ExprId> extracted;
  size_t firstExpr = 0, firstBehaviour = 0;
};
} // namespace

bool cif::linkInto(Module &into, const Module &from, DiagnosticEngine &diags) {
  return Linker(into, from, &diags).link();
}

Module cif::extractBehaviour(const Module &from, uint32_t behaviour) {
  Module part;
  Linker(part, from, nullptr).extract(/*isSystem=*/false, behaviour);
  return part;
}

Module cif::extractSystem(const Module &from, uint32_t system) {
  Module part;
  Linker(part, from, nullptr).extract(/*isSystem=*/true, system);
  return part;
}
