//===- Fsa.cpp - The front end of ChorGram's automata ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Communicating automata as the tools ChorGram and KMC write them:
///
///   .outputs A            a machine begins; its name may be left out
///   .state graph
///   q0 1 ! m q1           from q0 to q1, m is sent to machine 1
///   q1 B ? n q0           from q1 to q0, n is received from machine B
///   .marking q0           the initial state
///   .end
///
/// Machines are numbered from 0 in the order of the file; one without a name is
/// called by its number. A partner is a number or a name. `--` begins a
/// comment. Each machine becomes a peer. Nothing is said of termination.
///
//===----------------------------------------------------------------------===//

#include "MachineReader.h"
#include "llvm/ADT/DenseMap.h"

using namespace cif;
using namespace cif::cfsm;

namespace {

using Machine = Automaton;

class Reader : public MachineReader<Machine> {
public:
  Reader(const SourceBuffer &source, Module &module, DiagnosticEngine &diags,
         const FrontEndOptions &options)
      : MachineReader(source, module, diags, options, "fsa", "!?") {}

  void parseFile();
  void lower();

private:
  void parseMachine();
  bool parseTransition(Machine &machine);
  uint32_t state(Machine &machine);
  bool atDirective() const { return scanner.token.starts_with("."); }
  void skipToDirective() {
    while (!scanner.atEnd() && !atDirective())
      scanner.advance();
  }
};

} // namespace

void Reader::parseFile() {
  if (scanner.atEnd())
    scanner.expected("'.outputs'");
  while (!scanner.atEnd() && !diags.tooManyErrors()) {
    if (scanner.is(".outputs")) {
      parseMachine();
      continue;
    }
    scanner.expected("'.outputs'");
    scanner.advance();
    while (!scanner.atEnd() && !scanner.is(".outputs"))
      scanner.advance();
  }
}

uint32_t Reader::state(Machine &machine) {
  uint32_t index = machine.state(module.intern(scanner.token));
  scanner.advance();
  return index;
}

void Reader::parseMachine() {
  Machine machine;
  machine.loc = scanner.location(sourceId);
  Place opened = scanner.place();
  scanner.advance();
  machine.name = module.intern(std::to_string(machines.size()));
  // The name, and whatever else the line lists: states' outputs have no
  // meaning here.
  if (scanner.isWord() && !atDirective()) {
    machine.name = module.intern(scanner.token);
    machine.loc = scanner.location(sourceId);
    scanner.advance();
    skipToDirective();
  }
  declare(machine);
  if (scanner.consume(".state")) {
    if (!scanner.consume("graph"))
      scanner.expected("'graph'");
  } else {
    scanner.expected("'.state graph'");
  }
  while (!scanner.atEnd() && !diags.tooManyErrors()) {
    if (scanner.consume(".end")) {
      if (machine.initial == ~0u)
        diags.report(opened, diag::no_initial_state)
                .note("write '.marking' and a state before '.end'")
            << "machine" << module.text(machine.name);
      machines.push_back(std::move(machine));
      return;
    }
    if (scanner.consume(".marking")) {
      if (!scanner.isWord() || atDirective()) {
        scanner.expected("the initial state");
        continue;
      }
      if (machine.initial != ~0u)
        diags.report(scanner.place(), diag::redefinition)
            << "initial state of" << module.text(machine.name);
      machine.initial = state(machine);
      continue;
    }
    if (scanner.is(".outputs"))
      break;
    if (atDirective()) {
      scanner.expected("a transition, '.marking' or '.end'");
      scanner.advance();
      skipToDirective();
    } else if (!parseTransition(machine)) {
      skipToDirective();
    }
  }
  if (!diags.tooManyErrors())
    diags.report(scanner.place(), diag::expected_token)
            .note(opened, "the machine begins here")
        << "'.end'" << (scanner.atEnd() ? "the end of the file" : "'.outputs'");
  machines.push_back(std::move(machine));
}

bool Reader::parseTransition(Machine &machine) {
  Automaton::Transition t;
  t.loc = scanner.location(sourceId);
  auto word = [&](const char *what) {
    if (scanner.isWord() && !atDirective())
      return true;
    scanner.expected(what);
    return false;
  };
  if (!word("a state, '.marking' or '.end'"))
    return false;
  t.from = state(machine);
  if (!word("the partner"))
    return false;
  t.partner = module.intern(scanner.token);
  scanner.advance();
  if (scanner.is("!"))
    t.kind = LabelKind::Send;
  else if (scanner.is("?"))
    t.kind = LabelKind::Receive;
  else if (scanner.is("tau"))
    t.kind = LabelKind::Tau;
  else {
    scanner.expected("'!', '?' or 'tau'");
    return false;
  }
  scanner.advance();
  if (!word("the message"))
    return false;
  t.message = module.intern(scanner.token);
  scanner.advance();
  if (!word("the state after"))
    return false;
  t.to = state(machine);
  machine.transitions.push_back(t);
  return true;
}

void Reader::lower() {
  // Numbers stand for machines by their order, unless one is called so.
  llvm::DenseMap<uint32_t, Name> partners;
  makePeers([&](const Automaton::Transition &t) {
    auto [entry, isNew] = partners.try_emplace(t.partner.index(), t.partner);
    if (!isNew || names.count(t.partner.index()))
      return entry->second;
    size_t number = 0;
    if (!module.text(t.partner).getAsInteger(10, number) &&
        number < machines.size())
      return entry->second = machines[number].name;
    diags.report(module.place(t.loc), diag::unknown_machine)
        << module.text(t.partner);
    module.getParticipant(t.partner, t.loc);
    return t.partner;
  });
}

int cif::detectFsa(StringRef path, StringRef text) {
  if (cfsm::skipBlanks(text).starts_with(".outputs"))
    return 95;
  return byEnding(path, ".fsa", text);
}

bool cif::parseFsa(const SourceBuffer &source, Module &module,
                   DiagnosticEngine &diags, const FrontEndOptions &options) {
  return readMachines<Reader>(source, module, diags, options);
}
