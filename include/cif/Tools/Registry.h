//===- Registry.h - What a tool can do ------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The passes, front ends and emitters of a tool. A tool of your own starts
/// from builtinRegistry(), adds its parts and calls a driver:
///
///   int main(int argc, char **argv) {
///     cif::Registry registry = cif::builtinRegistry();
///     registry.passes.add(myPass);
///     return cif::cifOptMain(argc, argv, std::move(registry));
///   }
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TOOLS_REGISTRY_H
#define CIF_TOOLS_REGISTRY_H

#include "cif/Export/Emitter.h"
#include "cif/Frontend/FrontEnd.h"
#include "cif/Pass/PassManager.h"
#include "cif/Tools/Explain.h"

namespace cif {

struct Registry {
  PassRegistry passes;
  std::vector<FrontEnd> frontEnds;
  std::vector<Emitter> emitters;
  /// What --explain says of diagnostics and passes that are not built in.
  std::vector<Explanation> pages;
  /// Why a part could not be added; empty: all could.
  std::string problem;

  /// Adds diagnostics with codes of their own, and their pages. Both must stay
  /// where they are. Returns the kind of the first; the others follow.
  diag::Kind addDiagnostics(ArrayRef<DiagInfo> infos,
                            ArrayRef<Explanation> explained);

  /// The front end or emitter with this name, or null.
  const FrontEnd *findFrontEnd(StringRef name) const;
  const Emitter *findEmitter(StringRef name) const;
  /// The front end that is surest of \p text, or null.
  const FrontEnd *detectFrontEnd(StringRef path, StringRef text) const;
};

/// Everything that Passes.def, FrontEnds.def and Emitters.def list, and CIF's
/// own forms.
Registry builtinRegistry();

} // namespace cif

#endif
