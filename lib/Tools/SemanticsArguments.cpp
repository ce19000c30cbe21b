//===- SemanticsArguments.cpp - What to explore, from the command line ----===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SemanticsArguments.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "cif/Transforms/SemanticsOptions.h"
#include "llvm/ADT/StringExtras.h"

using namespace cif;

ArrayRef<StringRef> cif::semanticsOptionNames() {
  static const StringRef names[] = {"semantics", "network", "bound", "observe",
                                    "only"};
  return names;
}

/// The index of an option's value among \p words; unchanged when not given.
static bool word(const Arguments &arguments, StringRef option,
                 ArrayRef<StringRef> words, unsigned &found,
                 DiagnosticEngine &diags) {
  if (!arguments.has(option))
    return true;
  const StringRef *at = llvm::find(words, arguments.value(option));
  found = at - words.begin();
  if (at != words.end())
    return true;
  diags.report(diag::bad_option_value)
      << "--" + option << arguments.value(option)
      << "one of " + llvm::join(words, ", ");
  return false;
}

bool cif::readSemantics(const Arguments &arguments, SemanticsOptions &options,
                        DiagnosticEngine &diags) {
  unsigned kind = 0, network = 0, observe = 0;
  if (!word(arguments, "semantics", semanticsWords(), kind, diags) ||
      !word(arguments, "network", networkWords(), network, diags) ||
      !word(arguments, "observe", observationWords(), observe, diags))
    return false;
  options.semantics = static_cast<SemanticsKind>(kind);
  options.observe = static_cast<Observation>(observe);
  if (arguments.has("network"))
    options.network = static_cast<NetworkKind>(network);
  if (StringRef bound = arguments.value("bound", "inf");
      bound != "inf" && bound.getAsInteger(10, options.bound)) {
    diags.report(diag::bad_option_value)
        << "--bound" << bound << "a number, or 'inf'";
    return false;
  }
  SmallVector<StringRef, 4> names;
  arguments.value("only").split(names, ',', -1, /*KeepEmpty=*/false);
  for (StringRef name : names)
    options.only.push_back(name.str());
  return true;
}

bool cif::semanticsApply(const Arguments &arguments, const Module &module,
                         const SemanticsOptions &options,
                         DiagnosticEngine &diags) {
  return semanticsApply(
      module, options, [&](StringRef name) { return arguments.has(name); },
      diags);
}
