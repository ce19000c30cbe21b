//===- StateMachines.cpp - --emit=scxml, --emit=xstate --------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Peers as state machines for programs: SCXML [W3C Recommendation, 2015] and
/// the configurations of XState. A reception is a transition on an event of the
/// partner. What to send is a decision of the program: it raises an event, and
/// the transition on it sends. Where a peer may end, the event `end` leads to a
/// final state. Both languages take the first of several transitions that an
/// event enables, so that a peer must be deterministic.
///
//===----------------------------------------------------------------------===//

#include "../XmlWriter.h"
#include "cif/Export/Emitter.h"
#include "cif/IR/Names.h"
#include "cif/Support/Diagnostics.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "cif/Support/Visible.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"

using namespace cif;

namespace {

/// A peer whose transitions a machine can have.
struct Machine {
  std::string name;
  const Lts *lts;
  bool mayEnd = false; ///< some state is final
};

} // namespace

/// Why \p lts is no machine, or nothing.
static std::string whyNoMachine(const Lts &lts) {
  llvm::DenseSet<LabelIndex> seen;
  for (StateIndex s = 0; s < lts.numStates(); ++s) {
    seen.clear();
    for (LabelIndex l : lts.labelsOf(s)) {
      const Label &label = lts.labels[l];
      if (label.kind != LabelKind::Tau && label.kind != LabelKind::Send &&
          label.kind != LabelKind::Receive)
        return "its label '" + labelText(label) +
               "' is not a step of a participant";
      if (!seen.insert(l).second)
        return "two transitions of state " + std::to_string(s) + " have '" +
               localLabelText(label) +
               "'; make it deterministic first (--minimize=weak-trace)";
    }
  }
  return {};
}

/// The peers of \p module as machines; nothing after an error.
static std::vector<Machine> machinesOf(const Module &module, StringRef format,
                                       DiagnosticEngine &diags) {
  // A participant of several choreographies has a peer in each.
  llvm::DenseMap<uint32_t, unsigned> peersOf;
  for (const SystemDecl &system : module.systems)
    if (system.acts() && system.owner)
      ++peersOf[system.owner.index()];
  std::vector<Machine> machines;
  for (const SystemDecl &system : module.systems) {
    if (!system.acts())
      continue;
    StringRef name = system.owner && peersOf[system.owner.index()] == 1
                         ? module.participantName(system.owner)
                         : module.text(system.name);
    if (std::string why = whyNoMachine(system.lts); !why.empty()) {
      diags.report(module.place(system.loc), diag::emit_system)
          << format << name << why;
      return {};
    }
    Machine machine{name.str(), &system.lts};
    for (StateIndex s = 0; s < system.lts.numStates(); ++s)
      machine.mayEnd |= system.lts.isFinal(s);
    machines.push_back(std::move(machine));
  }
  if (machines.empty())
    diags.report(diag::emit_nothing)
        << format << "peer; --project makes them from a choreography";
  return machines;
}

/// A part of an event's name: letters, digits and `-` as they are, every other
/// byte in hexadecimal, so that different names stay different.
static std::string eventWord(StringRef name) {
  std::string word;
  for (char c : name)
    if (llvm::isAlnum(c) || c == '-')
      word += c;
    else
      word += "_" + llvm::utohexstr(static_cast<unsigned char>(c), true, 2);
  return word.empty() ? "_" : word;
}

static std::string stateName(StateIndex s) { return "s" + std::to_string(s); }

static std::string receptionEvent(const Label &label) {
  return "receive." + eventWord(label.sender) + "." + eventWord(label.message);
}

static void writeScxmlState(XmlWriter &xml, const Machine &machine,
                            StateIndex s) {
  xml.open("state").attribute("id", stateName(s));
  ArrayRef<LabelIndex> labels = machine.lts->labelsOf(s);
  ArrayRef<StateIndex> targets = machine.lts->targetsOf(s);
  auto transition = [&](StringRef event, StringRef target) {
    xml.open("transition").attribute("event", event);
    xml.attribute("target", target);
  };
  for (size_t i = 0; i < labels.size(); ++i) {
    const Label &label = machine.lts->labels[labels[i]];
    std::string receiver = eventWord(label.receiver);
    if (label.kind == LabelKind::Send) {
      transition("send." + receiver + "." + eventWord(label.message),
                 stateName(targets[i]));
      xml.open("send").attribute("event", receptionEvent(label));
      xml.attribute("target", "#_scxml_" + receiver).close();
    } else {
      transition(label.kind == LabelKind::Tau ? "internal"
                                              : receptionEvent(label),
                 stateName(targets[i]));
    }
    xml.close();
  }
  if (machine.lts->isFinal(s)) {
    transition("end", "end");
    xml.close();
  }
  xml.close();
}

bool cif::emitScxml(const Module &module, raw_ostream &os,
                    DiagnosticEngine &diags, const EmitOptions &) {
  std::vector<Machine> machines = machinesOf(module, "scxml", diags);
  if (machines.empty())
    return false;
  if (machines.size() > 1) {
    std::string names;
    for (const Machine &machine : machines)
      names += (names.empty() ? "" : ", ") + quoted(machine.name);
    diags.report(diag::emit_node)
        << "scxml"
        << "the peers " + names
        << "a file has one machine; --project=NAME makes one peer";
    return false;
  }
  const Machine &machine = machines.front();
  os << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  XmlWriter xml(os);
  xml.open("scxml").attribute("xmlns", "http://www.w3.org/2005/07/scxml");
  xml.attribute("version", "1.0").attribute("name", eventWord(machine.name));
  xml.attribute("initial", stateName(machine.lts->initial));
  for (StateIndex s = 0; s < machine.lts->numStates(); ++s)
    writeScxmlState(xml, machine, s);
  if (machine.mayEnd) {
    xml.open("final").attribute("id", "end");
    xml.close();
  }
  xml.close();
  return true;
}

/// A name as JSON has it.
static std::string jsonText(StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

/// The event of a transition is its label, as in conversation protocols.
static void writeXstateState(llvm::json::OStream &json, const Machine &machine,
                             StateIndex s) {
  ArrayRef<LabelIndex> labels = machine.lts->labelsOf(s);
  ArrayRef<StateIndex> targets = machine.lts->targetsOf(s);
  auto transition = [&](StringRef event, StringRef target, const Label *sent) {
    json.attributeObject(event, [&] {
      json.attribute("target", target);
      if (!sent)
        return;
      json.attributeObject("actions", [&] {
        json.attribute("type", "send");
        json.attributeObject("params", [&] {
          json.attribute("to", jsonText(sent->receiver));
          json.attribute("message", jsonText(sent->message));
        });
      });
    });
  };
  json.attributeObject("on", [&] {
    for (size_t i = 0; i < labels.size(); ++i) {
      const Label &label = machine.lts->labels[labels[i]];
      transition(jsonText(localLabelText(label)), stateName(targets[i]),
                 label.kind == LabelKind::Send ? &label : nullptr);
    }
    if (machine.lts->isFinal(s))
      transition("end", "end", nullptr);
  });
}

bool cif::emitXstate(const Module &module, raw_ostream &os,
                     DiagnosticEngine &diags, const EmitOptions &) {
  std::vector<Machine> machines = machinesOf(module, "xstate", diags);
  if (machines.empty())
    return false;
  llvm::StringSet<> keys;
  for (const Machine &machine : machines)
    if (!keys.insert(jsonText(machine.name)).second) {
      diags.report(diag::emit_node) << "xstate"
                                    << "the peers " + quoted(machine.name)
                                    << "several would have this name";
      return false;
    }
  std::string text;
  llvm::raw_string_ostream to(text);
  llvm::json::OStream json(to, 2);
  json.object([&] {
    for (const Machine &machine : machines)
      json.attributeObject(jsonText(machine.name), [&] {
        json.attribute("id", jsonText(machine.name));
        json.attribute("initial", stateName(machine.lts->initial));
        json.attributeObject("states", [&] {
          for (StateIndex s = 0; s < machine.lts->numStates(); ++s)
            json.attributeObject(stateName(s),
                                 [&] { writeXstateState(json, machine, s); });
          if (machine.mayEnd)
            json.attributeObject("end",
                                 [&] { json.attribute("type", "final"); });
        });
      });
  });
  os << visibleJson(to.str()) << '\n';
  return true;
}
