//===- Scm.cpp - The front end of automata over channels ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Communicating automata over numbered channels, as the tool McScM reads them:
///
///   automaton sender :
///   initial : 0
///   state 0 :
///   to 1 : when true , 0 ! o ;       sends o on channel 0
///   state 1 :
///   to 0 : when true ;               an internal step
///
/// Each automaton becomes a peer. A channel has one sender and one receiver,
/// and no two channels have both in common: so who takes part says which
/// channel it is. What stands before the first automaton (the number of
/// channels) is not needed.
///
//===----------------------------------------------------------------------===//

#include "MachineReader.h"
#include "llvm/ADT/DenseMap.h"

using namespace cif;
using namespace cif::cfsm;

namespace {

using Machine = Automaton;

struct Channel {
  Name name;
  SmallVector<Name, 1> senders, receivers;
  Location loc;
};

class Reader : public MachineReader<Machine> {
public:
  Reader(const SourceBuffer &source, Module &module, DiagnosticEngine &diags,
         const FrontEndOptions &options)
      : MachineReader(source, module, diags, options, "scm", "!?:;,()") {}

  void parseFile();
  void lower();

private:
  void parseMachine();
  bool parseItem(Machine &machine, uint32_t &current);
  bool parseTransition(Machine &machine, uint32_t from);
  bool state(Machine &machine, uint32_t &index);
  bool take(const char *what) {
    if (scanner.consume(what))
      return true;
    scanner.expected("'" + Twine(what) + "'");
    return false;
  }
  void findChannels();

  std::vector<Channel> channels;
  llvm::DenseMap<uint32_t, uint32_t> channelOf;
};

} // namespace

void Reader::parseFile() {
  while (!scanner.atEnd() && !scanner.is("automaton"))
    scanner.advance();
  if (scanner.atEnd())
    scanner.expected("'automaton'");
  while (!scanner.atEnd() && !diags.tooManyErrors())
    parseMachine();
}

bool Reader::state(Machine &machine, uint32_t &index) {
  Name name;
  if (!takeName("a state", name))
    return false;
  index = machine.state(name);
  return true;
}

void Reader::parseMachine() {
  Machine machine;
  scanner.advance(); // automaton
  machine.loc = scanner.location(sourceId);
  if (takeName("the name of the automaton", machine.name)) {
    declare(machine);
    take(":");
  }
  uint32_t current = ~0u;
  while (!scanner.atEnd() && !scanner.is("automaton") &&
         !diags.tooManyErrors()) {
    if (scanner.is("bad_states")) { // a property, not part of the system
      while (!scanner.atEnd())
        scanner.advance();
      break;
    }
    if (!parseItem(machine, current))
      while (!scanner.atEnd() && !scanner.is("automaton") &&
             !scanner.is("initial") && !scanner.is("state") &&
             !scanner.is("to"))
        scanner.advance();
  }
  if (machine.initial == ~0u && !diags.tooManyErrors())
    diags.report(module.place(machine.loc), diag::no_initial_state)
            .note("write 'initial : 0' after its name")
        << "machine" << module.text(machine.name);
  machines.push_back(std::move(machine));
}

bool Reader::parseItem(Machine &machine, uint32_t &current) {
  if (scanner.consume("initial"))
    return take(":") && state(machine, machine.initial);
  if (scanner.consume("state"))
    return state(machine, current) && take(":");
  if (scanner.is("to") && current != ~0u)
    return parseTransition(machine, current);
  scanner.expected(current == ~0u ? "'initial' or 'state'"
                                  : "'initial', 'state' or 'to'");
  scanner.advance();
  return false;
}

/// `to state : when true [, channel (!|?) message] ;`
bool Reader::parseTransition(Machine &machine, uint32_t from) {
  Automaton::Transition t;
  t.from = from;
  t.loc = scanner.location(sourceId);
  scanner.advance();
  if (!state(machine, t.to) || !take(":") || !take("when") || !take("true"))
    return false;
  if (scanner.consume(",")) {
    if (!takeName("a channel", t.partner))
      return false;
    t.kind = scanner.is("!") ? LabelKind::Send : LabelKind::Receive;
    if (!scanner.consume("!") && !scanner.consume("?")) {
      scanner.expected("'!' or '?'");
      return false;
    }
    if (!takeName("the message", t.message))
      return false;
  }
  if (!take(";"))
    return false;
  machine.transitions.push_back(t);
  return true;
}

/// Who sends and who receives on each channel.
void Reader::findChannels() {
  for (const Machine &machine : machines)
    for (const Automaton::Transition &t : machine.transitions) {
      if (t.kind == LabelKind::Tau)
        continue;
      auto [entry, isNew] = channelOf.try_emplace(
          t.partner.index(), static_cast<uint32_t>(channels.size()));
      if (isNew)
        channels.push_back({t.partner, {}, {}, t.loc});
      Channel &channel = channels[entry->second];
      auto &side =
          t.kind == LabelKind::Send ? channel.senders : channel.receivers;
      if (side.empty() || side.back() != machine.name)
        side.push_back(machine.name);
    }
  llvm::DenseMap<uint64_t, Location> pairs;
  for (const Channel &channel : channels) {
    if (channel.senders.size() != 1 || channel.receivers.size() != 1) {
      diags.report(module.place(channel.loc), diag::bad_channel)
          << module.text(channel.name)
          << ("it has " + Twine(channel.senders.size()) + " and " +
              Twine(channel.receivers.size()));
      continue;
    }
    uint64_t pair = uint64_t(channel.senders[0].index()) << 32 |
                    channel.receivers[0].index();
    auto [entry, isNew] = pairs.try_emplace(pair, channel.loc);
    if (!isNew)
      diags.report(module.place(channel.loc), diag::bad_channel)
              .note(module.place(entry->second),
                    "the other channel is used here")
          << module.text(channel.name) << "another channel has the same two";
  }
}

void Reader::lower() {
  findChannels();
  if (diags.hasErrors())
    return;
  makePeers([&](const Automaton::Transition &t) {
    const Channel &channel = channels[channelOf.lookup(t.partner.index())];
    return t.kind == LabelKind::Send ? channel.receivers[0]
                                     : channel.senders[0];
  });
}

int cif::detectScm(StringRef path, StringRef text) {
  StringRef rest = cfsm::skipBlanks(text);
  StringRef word = rest.take_while(isWordChar);
  if (word == "automaton" || word == "scm") {
    rest = cfsm::skipBlanks(rest.drop_front(word.size()));
    StringRef name = rest.take_while(isWordChar);
    if (!name.empty() &&
        cfsm::skipBlanks(rest.drop_front(name.size())).starts_with(":"))
      return 90;
  }
  return byEnding(path, ".scm", text);
}

bool cif::parseScm(const SourceBuffer &source, Module &module,
                   DiagnosticEngine &diags, const FrontEndOptions &options) {
  return readMachines<Reader>(source, module, diags, options);
}
