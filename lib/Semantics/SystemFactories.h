//===- SystemFactories.h - The semantics, one function each
//----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_SEMANTICS_SYSTEMFACTORIES_H
#define CIF_LIB_SEMANTICS_SYSTEMFACTORIES_H

#include "cif/Semantics/CollaborationSystem.h"
#include "cif/Semantics/PeerView.h"
#include "cif/Semantics/PinnedData.h"

namespace cif {

/// Each makes the system of the behaviours (or systems) with these indexes.
/// Null: errors were reported.
std::unique_ptr<PeerComposition>
makePeerSystem(const Module &module, PeerView view,
               const SemanticsOptions &options);
std::unique_ptr<System> makeChoreographySystem(const Module &module,
                                               uint32_t behaviour,
                                               const SemanticsOptions &options,
                                               DiagnosticEngine &diags);
/// Processes: collaboration (also of one process), detailed. \p pins: of one
/// process alone, whose messages show their values. \p among: the same, with
/// the values that the guards of these processes tell apart.
std::unique_ptr<CollaborationSystem>
makeProcessSystem(const Module &module, ArrayRef<uint32_t> behaviours,
                  const SemanticsOptions &options, DiagnosticEngine &diags,
                  const PinnedData *pins = nullptr,
                  ArrayRef<uint32_t> among = {});
/// The options of one process alone: nothing travels, all partners are away.
SemanticsOptions localOptions(SemanticsOptions options);
std::unique_ptr<CollaborationSystem>
makeFbpmnSystem(const Module &module, ArrayRef<uint32_t> behaviours,
                const SemanticsOptions &options, DiagnosticEngine &diags);

/// What commands of peers are made of.
struct PeerCommandsSetup {
  const PeerView &view;
  NetworkKind kind;
  const class Network &network;
  ArrayRef<Label> labels;
  function_ref<LabelIndex(GroupIndex)> shownBy; ///< of a transition
};
/// See System::commands.
std::unique_ptr<CommandModel> makePeerCommands(const PeerCommandsSetup &setup,
                                               std::string &reason);

} // namespace cif

#endif
