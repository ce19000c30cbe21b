//===- Analyses.h - Collaborations under several networks -------*- C++ -*-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_COLLABORATION_ANALYSES_H
#define CIF_CHECK_COLLABORATION_ANALYSES_H

#include "cif/Check/Collaboration/Properties.h"
#include "cif/Pass/Pass.h"
#include <map>

namespace cif {

/// What the checks of one run share: each network is explored once.
class CollaborationAnalyses {
public:
  explicit CollaborationAnalyses(const Module &module) : source(module) {}

  /// The analysis of the module's processes; null: errors were reported.
  CollaborationAnalysis *get(const CollaborationOptions &options,
                             DiagnosticEngine &diags) const;
  /// The module that is explored: the one given, normalized.
  const Module *module(SemanticsKind semantics, DiagnosticEngine &diags) const;

private:
  const Module &source;
  mutable std::unique_ptr<Module> normal;
  mutable bool failed = false;
  mutable std::map<std::string, std::unique_ptr<CollaborationAnalysis>> made;
  mutable std::map<std::string, bool> told; ///< abstractions
};

/// The options of a check: semantics, network, constraint, max-tokens, fairness
/// and only.
struct CollaborationRequest {
  CollaborationOptions options;
  std::vector<NetworkKind> networks;
  std::vector<NetworkKind> compared; ///< check-collaboration: others to look at
};
/// What the options of a pass ask for; nothing: errors were reported.
std::optional<CollaborationRequest>
collaborationRequest(const PassContext &context);

/// The properties that have names, in their order.
ArrayRef<CollaborationProperty> allCollaborationProperties();

/// What was found as a fact.
Fact collaborationFact(CollaborationAnalysis &analysis,
                       CollaborationProperty property,
                       const CollaborationOptions &options);

/// Reports \p fact of \p property, where it is violated only if its run
/// replays.
void reportFinding(PassContext &context, const Module &module, Fact fact,
                   CollaborationAnalysis &analysis,
                   CollaborationProperty property);

} // namespace cif

#endif
