//===- MachineReader.h - Files of communicating automata ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the readers of other tools' communicating automata share: a file is a
/// list of named machines, and each becomes a peer. A reader gives parseFile()
/// and lower(); readMachines() runs the two.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_FRONTEND_CFSM_MACHINEREADER_H
#define CIF_LIB_FRONTEND_CFSM_MACHINEREADER_H

#include "PeerBuilder.h"
#include "Scanner.h"
#include "cif/Frontend/FrontEnd.h"

namespace cif::cfsm {

/// A machine that is written transition by transition.
struct Automaton {
  struct Transition {
    uint32_t from, to;
    LabelKind kind = LabelKind::Tau;
    Name partner; ///< or the channel
    Name message;
    Location loc;
  };
  Name name;
  Location loc;
  std::vector<Transition> transitions;
  llvm::DenseMap<uint32_t, uint32_t> stateOf;
  uint32_t numStates = 0;
  uint32_t initial = ~0u;

  uint32_t state(Name word) {
    auto [entry, isNew] = stateOf.try_emplace(word.index(), numStates);
    numStates += isNew;
    return entry->second;
  }
};

template <class Machine>
class MachineReader {
public:
  MachineReader(const SourceBuffer &source, Module &module,
                DiagnosticEngine &diags, const FrontEndOptions &options,
                const char *format, StringRef punctuation)
      : scanner(source, diags, punctuation), module(module), diags(diags),
        select(options.select),
        sourceId(module.getSource(source.path(), format)) {}

  /// Keeps the machine that --select names; the others stay participants.
  bool keepSelected() {
    for (const Machine &machine : machines)
      module.getParticipant(machine.name, machine.loc);
    if (select.empty())
      return true;
    for (const Machine &machine : machines)
      if (module.text(machine.name) == select)
        return true;
    diags.report(Place{scanner.source.path().str(), 1, 1, ""},
                 diag::unknown_block)
        << select;
    return false;
  }

protected:
  bool takeName(const char *what, Name &name) {
    if (!scanner.isWord()) {
      scanner.expected(what);
      return false;
    }
    name = module.intern(scanner.token);
    scanner.advance();
    return true;
  }
  /// Says so when another machine has the name.
  void declare(const Machine &machine) {
    auto [entry, isNew] = names.try_emplace(machine.name.index(), machine.loc);
    if (!isNew)
      diags.report(module.place(machine.loc), diag::redefinition)
              .note(module.place(entry->second), "the first one is here")
          << "machine" << module.text(machine.name);
  }
  bool isSelected(const Machine &machine) const {
    return select.empty() || module.text(machine.name) == select;
  }
  void checkPartner(const Machine &machine, Name partner, Name message,
                    const Location &loc) {
    if (partner == machine.name)
      diags.report(module.place(loc), diag::talks_to_itself)
          << module.text(partner) << module.text(message);
  }
  /// Makes a peer of each machine; \p partnerOf says who is at the other end.
  template <class PartnerOf>
  void makePeers(PartnerOf &&partnerOf) {
    for (const Machine &machine : machines) {
      PeerBuilder builder;
      for (uint32_t i = 0; i < machine.numStates; ++i)
        builder.addState();
      for (const auto &t : machine.transitions) {
        if (t.kind == LabelKind::Tau) {
          builder.addTau(t.from, t.to, t.loc.line);
          continue;
        }
        Name partner = partnerOf(t);
        checkPartner(machine, partner, t.message, t.loc);
        builder.addAction(t.from, t.kind, partner, t.message, t.to, t.loc.line);
      }
      if (isSelected(machine))
        builder.finish(module, module.getParticipant(machine.name),
                       machine.initial, machine.loc);
    }
  }

  Scanner scanner;
  Module &module;
  DiagnosticEngine &diags;
  StringRef select;
  SourceId sourceId;
  std::vector<Machine> machines;
  llvm::DenseMap<uint32_t, Location> names;
};

template <class Reader>
bool readMachines(const SourceBuffer &source, Module &module,
                  DiagnosticEngine &diags, const FrontEndOptions &options) {
  unsigned before = diags.errors();
  Reader reader(source, module, diags, options);
  reader.parseFile();
  if (diags.errors() != before || !reader.keepSelected())
    return false;
  reader.lower();
  return diags.errors() == before;
}

/// What detection answers for a file that only its ending speaks for.
inline int byEnding(StringRef path, StringRef ending, StringRef text) {
  return path.ends_with(ending) && !text.take_front(512).contains('\0') ? 10
                                                                        : 0;
}

} // namespace cif::cfsm

#endif // CIF_LIB_FRONTEND_CFSM_MACHINEREADER_H
