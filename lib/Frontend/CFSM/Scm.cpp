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

#include "../PeerBuilder.h"
#include "Scanner.h"
#include "cif/Frontend/FrontEnd.h"
#include "cif/Support/DiagnosticKinds.h"

using namespace cif;
using namespace cif::cfsm;

namespace {

struct Transition {
  uint32_t from, to;
  LabelKind kind = LabelKind::Tau;
  Name channel, message;
  Location loc;
};

struct Machine {
  Name name;
  Location loc;
  std::vector<Transition> transitions;
  llvm::DenseMap<uint32_t, uint32_t> stateOf;
  uint32_t numStates = 0;
  uint32_t initial = ~0u;
};

struct Channel {
  Name name;
  SmallVector<Name, 1> senders, receivers;
  Location loc;
};

class Parser {
public:
  Parser(const SourceBuffer &source, Module &module, DiagnosticEngine &diags)
      : scanner(source, diags, "!?:;,()"), module(module), diags(diags),
        sourceId(module.getSource(source.path(), "scm")) {}

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

  Scanner scanner;
  Module &module;
  DiagnosticEngine &diags;
  SourceId sourceId;
  std::vector<Machine> machines;
  llvm::DenseMap<uint32_t, Location> names;
  std::vector<Channel> channels;
  llvm::DenseMap<uint32_t, uint32_t> channelOf;
};

} // namespace

void Parser::parseFile() {
  while (!scanner.atEnd() && !scanner.is("automaton"))
    scanner.advance();
  if (scanner.atEnd())
    scanner.expected("'automaton'");
  while (!scanner.atEnd() && !diags.tooManyErrors())
    parseMachine();
}

bool Parser::state(Machine &machine, uint32_t &index) {
  if (!scanner.isWord()) {
    scanner.expected("a state");
    return false;
  }
  Name name = module.intern(scanner.token);
  scanner.advance();
  auto [entry, isNew] =
      machine.stateOf.try_emplace(name.index(), machine.numStates);
  machine.numStates += isNew;
  index = entry->second;
  return true;
}

void Parser::parseMachine() {
  Machine machine;
  scanner.advance(); // automaton
  machine.loc = scanner.location(sourceId);
  if (scanner.isWord()) {
    machine.name = module.intern(scanner.token);
    auto [entry, isNew] = names.try_emplace(machine.name.index(), machine.loc);
    if (!isNew)
      diags.report(scanner.place(), diag::redefinition)
              .note(module.place(entry->second), "the first one is here")
          << "machine" << module.text(machine.name);
    scanner.advance();
    take(":");
  } else {
    scanner.expected("the name of the automaton");
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

bool Parser::parseItem(Machine &machine, uint32_t &current) {
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
bool Parser::parseTransition(Machine &machine, uint32_t from) {
  Transition t;
  t.from = from;
  t.loc = scanner.location(sourceId);
  scanner.advance();
  if (!state(machine, t.to) || !take(":") || !take("when") || !take("true"))
    return false;
  if (scanner.consume(",")) {
    if (!scanner.isWord()) {
      scanner.expected("a channel");
      return false;
    }
    t.channel = module.intern(scanner.token);
    scanner.advance();
    t.kind = scanner.is("!") ? LabelKind::Send : LabelKind::Receive;
    if (!scanner.consume("!") && !scanner.consume("?")) {
      scanner.expected("'!' or '?'");
      return false;
    }
    if (!scanner.isWord()) {
      scanner.expected("the message");
      return false;
    }
    t.message = module.intern(scanner.token);
    scanner.advance();
  }
  if (!take(";"))
    return false;
  machine.transitions.push_back(t);
  return true;
}

/// Who sends and who receives on each channel.
void Parser::findChannels() {
  for (const Machine &machine : machines)
    for (const Transition &t : machine.transitions) {
      if (t.kind == LabelKind::Tau)
        continue;
      auto [entry, isNew] = channelOf.try_emplace(
          t.channel.index(), static_cast<uint32_t>(channels.size()));
      if (isNew)
        channels.push_back({t.channel, {}, {}, t.loc});
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

void Parser::lower() {
  findChannels();
  if (diags.hasErrors())
    return;
  for (const Machine &machine : machines)
    module.getParticipant(machine.name, machine.loc);
  for (const Machine &machine : machines) {
    PeerBuilder builder;
    for (uint32_t i = 0; i < machine.numStates; ++i)
      builder.addState();
    for (const Transition &t : machine.transitions) {
      if (t.kind == LabelKind::Tau) {
        builder.addTau(t.from, t.to, t.loc.line);
        continue;
      }
      const Channel &channel = channels[channelOf.lookup(t.channel.index())];
      Name partner =
          t.kind == LabelKind::Send ? channel.receivers[0] : channel.senders[0];
      if (partner == machine.name)
        diags.report(module.place(t.loc), diag::talks_to_itself)
            << module.text(partner) << module.text(t.message);
      builder.addAction(t.from, t.kind, partner, t.message, t.to, t.loc.line);
    }
    builder.finish(module, module.getParticipant(machine.name), machine.initial,
                   machine.loc);
  }
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
  return path.ends_with(".scm") && !text.take_front(512).contains('\0') ? 10
                                                                        : 0;
}

bool cif::parseScm(const SourceBuffer &source, Module &module,
                   DiagnosticEngine &diags, const FrontEndOptions &) {
  unsigned before = diags.errors();
  Parser parser(source, module, diags);
  parser.parseFile();
  if (diags.errors() != before)
    return false;
  parser.lower();
  return diags.errors() == before;
}
