//===- Minimize.cpp - --minimize and --hide -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The operations of cif-lts on the systems of a module, for pipelines. The
/// algorithms are in LTS and Equivalence.
///
//===----------------------------------------------------------------------===//

#include "cif/Equivalence/Minimize.h"
#include "cif/LTS/Operations.h"
#include "cif/Pass/Pass.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "cif/Support/Diagnostics/Pass.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace cif;

namespace cif {
PassResult runMinimize(Module &module, PassContext &context) {
  SmallVector<StringRef, 8> words;
  for (StringRef name : relationNames())
    if (canMinimize(*parseRelation(name)))
      words.push_back(name);
  auto word = context.oneOf("relation", words);
  if (!word)
    return PassResult::Failed;
  Relation relation = *parseRelation(words[*word]);
  if (module.systems.empty()) {
    context.diags.report(diag::nothing_to_check)
        << "LTS; --lower-lts makes one";
    return PassResult::Failed;
  }
  for (SystemDecl &system : module.systems) {
    Budget budget(context.limits);
    Outcome<Lts> small = minimizeWithin(system.lts, relation, budget);
    if (!small)
      return context.stop(module, "system '" + module.text(system.name) + "'",
                          module.place(system.loc), small.limit());
    context.count("states before", system.lts.numStates());
    context.count("states after", small->numStates());
    system.lts = std::move(*small);
    system.transitionLines = {}; // a state now stands for several
  }
  return PassResult::Changed;
}
PassResult runHide(Module &module, PassContext &context) {
  llvm::StringSet<> wanted, seen;
  for (StringRef label : context.list("labels"))
    wanted.insert(label);
  for (SystemDecl &system : module.systems) {
    system.lts = hide(system.lts, [&](const Label &label) {
      // As `p->q:m`, or the message's name alone.
      for (const std::string &text : {labelText(label), label.message})
        if (wanted.contains(text)) {
          seen.insert(text);
          return true;
        }
      return false;
    });
  }
  std::vector<StringRef> missing;
  for (const auto &entry : wanted)
    if (!seen.contains(entry.getKey()))
      missing.push_back(entry.getKey());
  llvm::sort(missing);
  if (!missing.empty()) {
    context.diags.report(diag::unknown_label) << llvm::join(missing, ", ");
    return PassResult::Failed;
  }
  return seen.empty() ? PassResult::Unchanged : PassResult::Changed;
}
} // namespace cif
