//===- Structure.h - Structural rules of behaviours -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the graph of a behaviour shows: unreachable nodes, dead ends, and joins
/// that do not match the split of their branches; and of a module: unused
/// messages and participants. Where such a flaw would show in a run, the runs
/// of the behaviour decide whether it does.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_STRUCTURE_STRUCTURE_H
#define CIF_CHECK_STRUCTURE_STRUCTURE_H

#include "cif/IR/Module.h"
#include "cif/Support/Limits.h"

namespace cif {

enum class StructureRule : uint8_t {
  Unreachable,     ///< no way leads from a start to the node
  DeadEnd,         ///< a token that gets there is neither used nor ended
  MismatchedJoin,  ///< its branches come from a split of another kind
  UnusedMessage,   ///< declared, never exchanged
  NeverReceived,   ///< sent, and the receiver's process never receives it
  NeverSent,       ///< received, and the sender's process never sends it
  IdleParticipant, ///< declared, takes no part
};
/// "unreachable", "dead-end", ...
StringRef structureRuleText(StructureRule rule);

/// What a run must reach to show a flaw.
enum class FlawRun : uint8_t {
  None,         ///< no run shows it: a warning
  TokenArrives, ///< a token stands before the node
  TokenStays,   ///< a token stands before the node for ever
  TwoTokens,    ///< tokens are before and after the node at once
};

struct StructureFlaw {
  StructureRule rule;
  Place at;
  std::string text; ///< one sentence
  Place other;      ///< e.g. the split, where there is one
  NodeId node;      ///< of the behaviour that was looked at
  FlawRun shownBy = FlawRun::None;
};

/// Flaws in the graph of one behaviour, by node.
std::vector<StructureFlaw> checkStructure(const Module &module,
                                          const Behaviour &behaviour);
/// Flaws between the parts of a module.
std::vector<StructureFlaw> checkParts(const Module &module);

/// Which flaws the runs of a behaviour show.
struct StructureRuns {
  enum Outcome : uint8_t {
    Shown,     ///< by a run
    Harmless,  ///< by all runs: none shows it
    Undecided, ///< not all runs were seen
  };
  /// For each flaw; Undecided for those that no run shows.
  std::vector<Outcome> outcomes;
  /// The one that is shown first, and a shortest run that shows it.
  size_t first = 0;
  std::vector<WitnessStep> run;
  std::string undecided; ///< why, where something is undecided
  std::vector<std::string> abstractions;
  uint64_t states = 0, transitions = 0;
  bool complete = false; ///< these are all
};

/// Explores a choreography, or a process on its own (its partners send and
/// receive anything at any time), for the flaws that a run would show. At a
/// limit, flaws that no explored run shows are Undecided. Errors are not
/// reported: what cannot be explored is Undecided.
StructureRuns runStructure(const Module &module, const Behaviour &behaviour,
                           ArrayRef<StructureFlaw> flaws, const Limits &limits);

} // namespace cif

#endif
