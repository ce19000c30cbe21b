//===- Fsm.cpp - --emit=fsm -----------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The FSM format of mCRL2's tools and of viewers of state spaces: parameters,
/// states, transitions, each part after a line `---`. States count from 1, and
/// the first one is the initial one. Where the LTS says which states are final,
/// that is a parameter.
///
//===----------------------------------------------------------------------===//

#include "cif/Export/Emitter.h"
#include "cif/IR/Names.h"
#include "cif/Support/Diagnostics.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "llvm/ADT/StringMap.h"

using namespace cif;

/// A label in quotes; the format has no way to write a quote in one.
static std::string fsmLabel(const Label &label) {
  std::string text = labelText(label);
  for (char &c : text)
    if (c == '"')
      c = '\'';
    else if (static_cast<unsigned char>(c) < 0x20)
      c = ' ';
  return '"' + text + '"';
}

bool cif::emitFsm(const Module &module, raw_ostream &os,
                  DiagnosticEngine &diags, const EmitOptions &) {
  if (module.systems.size() != 1) {
    std::string names;
    for (const SystemDecl &s : module.systems)
      names += (names.empty() ? ": " : ", ") + quoted(module.text(s.name));
    diags.report(diag::emit_node)
        << "fsm"
        << "the module"
        << "it has room for one LTS, and there are " +
               std::to_string(module.systems.size()) + names;
    return false;
  }
  const Lts &lts = module.systems.front().lts;
  // Two labels must not become one.
  std::vector<std::string> labels;
  llvm::StringMap<LabelIndex> seen;
  for (LabelIndex l = 0; l < lts.labels.size(); ++l) {
    labels.push_back(fsmLabel(lts.labels[l]));
    auto [at, isNew] = seen.try_emplace(labels.back(), l);
    if (!isNew) {
      diags.report(diag::emit_node)
          << "fsm"
          << "the label " + quoted(labelText(lts.labels[l]))
          << "without quotes and control characters it is the same as " +
                 quoted(labelText(lts.labels[at->second]));
      return false;
    }
  }
  if (lts.saysFinal())
    os << "final(2) Bool \"false\" \"true\"\n";
  os << "---\n";
  // The initial state and state 0 change places.
  auto state = [&](StateIndex s) {
    return (s == 0 ? lts.initial : s == lts.initial ? 0 : s);
  };
  for (StateIndex s = 0; s < lts.numStates(); ++s) {
    if (lts.saysFinal())
      os << (lts.isFinal(state(s)) ? '1' : '0');
    os << '\n';
  }
  os << "---\n";
  for (StateIndex s = 0; s < lts.numStates(); ++s) {
    ArrayRef<LabelIndex> out = lts.labelsOf(state(s));
    ArrayRef<StateIndex> to = lts.targetsOf(state(s));
    for (size_t i = 0; i < out.size(); ++i)
      os << s + 1 << ' ' << state(to[i]) + 1 << ' ' << labels[out[i]] << '\n';
  }
  return true;
}
