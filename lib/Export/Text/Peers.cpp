//===- Peers.cpp - Systems as conversation protocols and automata ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Explicit systems in the two languages for communicating automata:
///   cp    `peer` blocks for peers, `protocol` blocks for choreographies; all
///         names can be quoted, final states are said. A module without systems
///         is written from its choreographies' graphs; see Protocol.cpp.
///   cfsm  the format of ChorGram and KMC, for peers; partners are numbers by
///         the order of the file. It has no quotes and no final states: a name
///         that is not one word is an error, and final states are a comment.
///
//===----------------------------------------------------------------------===//

#include "Enumerations.h"
#include "Protocol.h"
#include "cif/Export/Emitter.h"
#include "cif/IR/Names.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "cif/Support/Visible.h"
#include "llvm/ADT/StringMap.h"

using namespace cif;

namespace {
/// Reports why a system cannot be written.
class Printer {
public:
  Printer(const Module &module, raw_ostream &os, DiagnosticEngine &diags,
          const char *format)
      : module(module), os(os), diags(diags), format(format) {}

protected:
  bool refuse(const SystemDecl &system, const Twine &why) {
    diags.report(module.place(system.loc), diag::emit_system)
        << format << module.text(system.name) << why;
    return false;
  }
  /// Whether \p whyNot has nothing against any label that \p system uses.
  bool checkLabels(const SystemDecl &system,
                   function_ref<std::string(const Label &)> whyNot) {
    const Lts &lts = system.lts;
    if (!lts.numStates())
      return refuse(system, "it has no states");
    std::vector<bool> used(lts.labels.size());
    for (LabelIndex l : lts.label)
      used[l] = true;
    for (size_t l = 0; l < used.size(); ++l)
      if (std::string why = used[l] ? whyNot(lts.labels[l]) : ""; !why.empty())
        return refuse(system, why);
    return true;
  }
  bool checkSystems() {
    if (!module.systems.empty())
      return true;
    diags.report(diag::emit_nothing) << format << "system";
    return false;
  }

  const Module &module;
  raw_ostream &os;
  DiagnosticEngine &diags;
  const char *format;
};

class CpPrinter : Printer {
public:
  using Printer::Printer;
  bool run();

private:
  bool check(const SystemDecl &system);
  void print(const SystemDecl &system);
  void print(const Label &label, bool peer);
};

class CfsmPrinter : Printer {
public:
  using Printer::Printer;
  bool run();

private:
  bool check(const SystemDecl &system);
  void print(const SystemDecl &system, size_t number);
  void partner(StringRef name);

  llvm::StringMap<size_t> numbers;
  bool byName = false; ///< numbers would be taken for names
};
} // namespace

static std::string cannotExpress(const Label &label) {
  return "it cannot express the label '" + labelText(label) + "'";
}

bool CpPrinter::check(const SystemDecl &system) {
  const bool peer = system.acts();
  if (!peer && system.role != SystemRole::Choreography)
    return refuse(system, "it is neither a peer nor a choreography but a " +
                              systemRoleText(system.role) + " system");
  return checkLabels(system, [&](const Label &label) {
    if (peer && label.kind == LabelKind::Tau)
      return std::string();
    bool fits =
        peer ? label.kind == LabelKind::Send || label.kind == LabelKind::Receive
             : label.kind == LabelKind::Exchange;
    fits &= !label.sender.empty() && !label.receiver.empty() &&
            !label.message.empty();
    return fits ? std::string() : cannotExpress(label);
  });
}

void CpPrinter::print(const Label &label, bool peer) {
  if (label.kind == LabelKind::Tau) {
    os << "tau";
    return;
  }
  const bool sends = label.kind == LabelKind::Send;
  if (peer) {
    printName(os, sends ? label.receiver : label.sender);
    os << (sends ? '!' : '?');
  } else {
    printName(os, label.sender);
    os << " -> ";
    printName(os, label.receiver);
    os << " : ";
  }
  printName(os, label.message);
}

void CpPrinter::print(const SystemDecl &system) {
  const Lts &lts = system.lts;
  const bool peer = system.acts();
  os << (peer ? "peer " : "protocol ");
  printName(os, peer && system.owner ? module.participantName(system.owner)
                                     : module.text(system.name));
  os << " {\n  initial " << lts.initial << '\n';
  const char *before = "  final ";
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    if (lts.isFinal(s)) {
      os << before << s;
      before = ", ";
    }
  if (*before == ',')
    os << '\n';
  for (StateIndex s = 0; s < lts.numStates(); ++s) {
    ArrayRef<LabelIndex> labels = lts.labelsOf(s);
    ArrayRef<StateIndex> targets = lts.targetsOf(s);
    for (size_t i = 0; i < labels.size(); ++i) {
      os << "  " << s << " -> " << targets[i] << " : ";
      print(lts.labels[labels[i]], peer);
      os << '\n';
    }
  }
  os << "}\n";
}

bool CpPrinter::run() {
  if (module.systems.empty() && !module.behaviours.empty()) {
    std::vector<Protocol> protocols;
    for (const Behaviour &behaviour : module.behaviours)
      if (!makeProtocol(module, behaviour, diags, protocols.emplace_back()))
        return false;
    if (!printEnumerations(module, "cp", os, diags))
      return false;
    for (const Protocol &protocol : protocols)
      protocol.print(module, os);
    return true;
  }
  if (!checkSystems())
    return false;
  for (const SystemDecl &system : module.systems)
    if (!check(system))
      return false;
  for (const SystemDecl &system : module.systems)
    print(system);
  return true;
}

/// A word of the format, which has no quotes: no blanks, signs, comments or
/// hidden characters.
static bool isWord(StringRef name) {
  return isVisible(name) && !name.empty() && name.front() != '.' &&
         !name.contains("--") &&
         name.find_first_of(" \t\r\n\f\v!?") == StringRef::npos;
}

bool CfsmPrinter::check(const SystemDecl &system) {
  if (!system.acts())
    return refuse(system, "it is not a peer but a " +
                              systemRoleText(system.role) + " system");
  return checkLabels(system, [&](const Label &label) -> std::string {
    if (label.kind == LabelKind::Tau)
      return "";
    if (label.kind != LabelKind::Send && label.kind != LabelKind::Receive)
      return cannotExpress(label);
    const std::string &partner =
        label.kind == LabelKind::Send ? label.receiver : label.sender;
    if (!numbers.count(partner))
      return "its partner '" + partner + "' is not a peer";
    if (!isWord(label.message))
      return "the message '" + label.message + "' is not one word";
    return "";
  });
}

void CfsmPrinter::partner(StringRef name) {
  if (byName)
    os << name;
  else
    os << numbers.lookup(name);
}

void CfsmPrinter::print(const SystemDecl &system, size_t number) {
  const Lts &lts = system.lts;
  StringRef name = module.participantName(system.owner);
  os << ".outputs";
  if (name != std::to_string(number))
    os << ' ' << name;
  os << "\n.state graph\n";
  for (StateIndex s = 0; s < lts.numStates(); ++s) {
    ArrayRef<LabelIndex> labels = lts.labelsOf(s);
    ArrayRef<StateIndex> targets = lts.targetsOf(s);
    for (size_t i = 0; i < labels.size(); ++i) {
      const Label &label = lts.labels[labels[i]];
      os << 'q' << s << ' ';
      if (label.kind == LabelKind::Tau) {
        os << number << " tau tau";
      } else {
        const bool sends = label.kind == LabelKind::Send;
        partner(sends ? label.receiver : label.sender);
        os << (sends ? " ! " : " ? ") << label.message;
      }
      os << " q" << targets[i] << '\n';
    }
  }
  os << ".marking q" << lts.initial << '\n';
  if (lts.saysFinal()) {
    os << "-- final:";
    for (StateIndex s = 0; s < lts.numStates(); ++s)
      if (lts.isFinal(s))
        os << " q" << s;
    os << '\n';
  }
  os << ".end\n";
}

bool CfsmPrinter::run() {
  if (!checkSystems())
    return false;
  for (size_t i = 0; i < module.systems.size(); ++i) {
    const SystemDecl &system = module.systems[i];
    StringRef name = module.participantName(system.owner);
    if (system.owner && !isWord(name))
      return refuse(system, "the name of its participant is not one word");
    numbers.try_emplace(name, i);
    byName |= name != std::to_string(i) &&
              name.find_first_not_of("0123456789") == StringRef::npos;
  }
  for (const SystemDecl &system : module.systems)
    if (!check(system))
      return false;
  for (size_t i = 0; i < module.systems.size(); ++i)
    print(module.systems[i], i);
  return true;
}

bool cif::emitCp(const Module &module, raw_ostream &os, DiagnosticEngine &diags,
                 const EmitOptions &) {
  return CpPrinter(module, os, diags, "cp").run();
}

bool cif::emitCfsm(const Module &module, raw_ostream &os,
                   DiagnosticEngine &diags, const EmitOptions &) {
  return CfsmPrinter(module, os, diags, "cfsm").run();
}
