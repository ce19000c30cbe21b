//===- Digest.cpp - Whether two modules, or parts of them, are equal ------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Digest.h"
#include "llvm/Support/xxhash.h"
#include <map>

using namespace cif;

namespace {
/// Collects what a digest is made of.
class Hasher {
public:
  void add(uint64_t value) {
    state = (state ^ value) * 0x9e3779b97f4a7c15ull;
    state ^= state >> 32;
  }
  void add(StringRef text) { add(llvm::xxh3_64bits(text)); }
  template <class T>
  void add(ArrayRef<T> values) {
    add(llvm::xxh3_64bits(
        ArrayRef(reinterpret_cast<const uint8_t *>(values.data()),
                 values.size() * sizeof(T))));
  }
  uint64_t state = 0xcbf29ce484222325ull;
};

/// The digest must not depend on the order in which strings and expressions
/// were made, nor on those that nothing uses: a module that went through a pipe
/// has the same one. So names count by their text, expressions by what they
/// say.
class ModuleHasher : public Hasher {
public:
  explicit ModuleHasher(const Module &of) : module(of) {
    for (size_t i = 0; i < module.strings.size(); ++i)
      texts.push_back(llvm::xxh3_64bits(
          module.strings.text(Name(static_cast<uint32_t>(i)))));
    for (const Expr &e : module.exprs) {
      Hasher h;
      h.add(uint64_t(e.op) << 32 | e.sort.value);
      h.add(said(e.lhs));
      h.add(said(e.rhs));
      h.add(uint64_t(e.value));
      h.add(texts[e.name.index()]);
      saidBy.push_back(h.state);
    }
  }

  using Hasher::add;
  void add(Name name) { add(texts[name.index()]); }
  void add(ExprId expr) { add(said(expr)); }
  void addDeclarations();
  void addBehaviour(const Behaviour &behaviour);
  /// What its owner does by \p process, whatever the numbers of messages.
  void addProcess(const Behaviour &process);
  void addLts(const Lts &lts);

private:
  uint64_t said(ExprId id) const { return id ? saidBy[id.index()] : 0; }
  void addMessage(MessageId id) {
    add(id ? module.exchangeText(id) : std::string());
  }
  void addStep(const Behaviour &behaviour, const Node &node);

  const Module &module;
  std::vector<uint64_t> texts, saidBy;
};
} // namespace

void ModuleHasher::addDeclarations() {
  add(module.participants.size());
  for (const Participant &p : module.participants) {
    add(p.name);
    add(uint64_t(p.minimum) << 32 | p.maximum);
  }
  add(module.enumerations.size());
  for (const Enumeration &e : module.enumerations) {
    add(e.name);
    add(e.literals.size());
    for (Name literal : e.literals)
      add(literal);
  }
  add(module.messages.size());
  for (const Message &m : module.messages) {
    add(m.name);
    add(uint64_t(m.sender.raw()) << 32 | m.receiver.raw());
    add(m.fields.size());
    for (const Field &f : m.fields) {
      add(f.name);
      add(f.sort.value);
    }
  }
}

/// The condition, the rounds and the data of a node.
void ModuleHasher::addStep(const Behaviour &behaviour, const Node &node) {
  add(node.condition);
  add(uint64_t(node.loopMinimum) << 32 | node.loopMaximum);
  for (uint32_t i = 0; i < node.numArguments; ++i)
    add(behaviour.arguments[node.firstArgument + i]);
}

void ModuleHasher::addBehaviour(const Behaviour &b) {
  add(uint64_t(b.kind) << 32 | b.owner.raw());
  add(b.name);
  add(uint64_t(b.nodes.size()) << 32 | b.flows.size());
  for (const Node &n : b.nodes) {
    add(uint64_t(n.kind) | uint64_t(n.trigger) << 8 | uint64_t(n.loop) << 16 |
        uint64_t(n.flags) << 32);
    add(uint64_t(n.parent.raw()) << 32 | n.attachedTo.raw());
    add(uint64_t(n.message.raw()) << 32 | n.reply.raw());
    add(uint64_t(n.participant.raw()) << 32 | n.numArguments);
    addStep(b, n);
    add(n.name);
  }
  for (const Flow &f : b.flows) {
    add(uint64_t(f.source.raw()) << 32 | f.target.raw());
    add(f.guard);
    add(f.flags);
    add(f.name);
  }
  add(b.attributes.size());
  for (const Attribute &a : b.attributes) {
    add(a.node.raw());
    add(a.key);
    add(a.value);
  }
}

void ModuleHasher::addProcess(const Behaviour &process) {
  for (const Node &n : process.nodes) {
    add(uint64_t(n.kind) | uint64_t(n.trigger) << 8 | uint64_t(n.loop) << 16 |
        uint64_t(n.flags) << 32);
    add(uint64_t(n.parent.raw()) << 32 | n.attachedTo.raw());
    addMessage(n.message);
    addMessage(n.reply);
    addStep(process, n);
  }
  for (const Flow &f : process.flows) {
    add(uint64_t(f.source.raw()) << 32 | f.target.raw());
    add(f.guard);
    add(f.flags);
  }
}

void ModuleHasher::addLts(const Lts &lts) {
  add(lts.initial);
  for (const Label &l : lts.labels)
    add(labelText(l));
  add(lts.rowBegin.ref());
  add(lts.label.ref());
  add(lts.target.ref());
  add(lts.finals.ref());
}

uint64_t Module::digest() const {
  ModuleHasher h(*this);
  h.add(name);
  h.addDeclarations();
  h.add(behaviours.size());
  for (const Behaviour &b : behaviours)
    h.addBehaviour(b);
  h.add(messageFlows.size());
  for (const MessageFlow &f : messageFlows) {
    h.add(f.message.raw());
    h.add(uint64_t(f.sourceBehaviour.raw()) << 32 | f.sourceNode.raw());
    h.add(uint64_t(f.targetBehaviour.raw()) << 32 | f.targetNode.raw());
  }
  h.add(systems.size());
  for (const SystemDecl &s : systems) {
    h.add(uint64_t(s.role) << 32 | s.owner.raw());
    h.add(s.name);
    h.addLts(s.lts);
  }
  return h.state;
}

PeerStamps::PeerStamps(const Module &module) {
  if (!module.has(SystemRole::Peer))
    return;
  ModuleHasher h(module);
  const uint64_t start = h.state;
  std::map<ParticipantId, uint64_t> processes;
  for (const Behaviour &b : module.behaviours)
    if (b.kind == BehaviourKind::Process && b.owner) {
      uint64_t &process = processes.try_emplace(b.owner, start).first->second;
      h.state = process;
      h.addProcess(b);
      process = h.state;
    }
  for (uint32_t s = 0; s < module.systems.size(); ++s) {
    const SystemDecl &system = module.systems[s];
    auto process = processes.find(system.owner);
    if (system.role != SystemRole::Peer || process == processes.end())
      continue;
    h.state = start;
    h.addLts(system.lts);
    stamps.push_back({h.state, process->second, s});
  }
  llvm::sort(stamps);
}

std::vector<uint32_t> PeerStamps::staleIn(const Module &now) const {
  std::vector<uint32_t> stale;
  if (stamps.empty())
    return stale;
  for (const Stamp &stamp : PeerStamps(now).stamps) {
    // Was the peer there, and was it there beside this process?
    auto first = llvm::lower_bound(stamps, Stamp{stamp.peer, 0, 0});
    auto same = llvm::lower_bound(stamps, Stamp{stamp.peer, stamp.process, 0});
    if (first != stamps.end() && first->peer == stamp.peer &&
        (same == stamps.end() || same->peer != stamp.peer ||
         same->process != stamp.process))
      stale.push_back(stamp.system);
  }
  llvm::sort(stale);
  return stale;
}

void cif::dropStalePeers(Module &module, const PeerStamps &before) {
  const std::vector<uint32_t> stale = before.staleIn(module);
  for (uint32_t system : llvm::reverse(stale))
    module.systems.erase(module.systems.begin() + system);
}
