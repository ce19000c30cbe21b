//===- Conformance.h - Collaborations against choreographies --------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Conformance of a collaboration to a choreography in two parts: a Pairing
/// holds both as LTSs over the same labels, with the way back to their sources;
/// checkConformance compares them modulo one relation and makes the fact.
///
///   std::unique_ptr<Pairing> pairing = pair(processes, spec, options, diags);
///   if (pairing)
///     fact = checkConformance(*pairing, *parseConformance("bbc"));
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_CONFORMANCE_CONFORMANCE_H
#define CIF_CHECK_CONFORMANCE_CONFORMANCE_H

#include "cif/Equivalence/Compare.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/Transforms/Project.h"

namespace cif {

/// A relation between a collaboration (left) and a choreography (right).
struct ConformanceRelation {
  std::string word; ///< for --relation=: "bbc", "tbc", "failures", ...
  Relation relation = Relation::Weak;
  bool preservesDivergence = false; ///< of `dp-weak`; see divergenceLoops
};

/// The words that parseConformance knows: bbc, tbc, dp-weak and the names of
/// the relations between LTSs in which tau is silent.
std::vector<StringRef> conformanceWords();
std::optional<ConformanceRelation> parseConformance(StringRef word);

struct ConformanceOptions {
  Limits limits;
  NetworkKind network = NetworkKind::Bag;
  uint32_t bound = noBound;
  /// Successful termination is a visible step `tick`.
  bool observeCompletion = false;
  /// Names of the collaboration and what the choreography calls them;
  /// participants and messages. An empty second name: it has no counterpart.
  std::vector<std::pair<std::string, std::string>> map;
  /// Names that are the only choice for each other are taken for one.
  bool mapsLikely = false;
  /// How many states to explore before processes are minimised; how many times
  /// fewer states that has to promise; and whether it happens.
  uint64_t fewStates = 5'000;
  double worthIt = 2;
  bool reduces = true;
};

/// Reads "a=b,c=d"; nothing: an error was reported.
std::optional<std::vector<std::pair<std::string, std::string>>>
parseNameMap(ArrayRef<StringRef> entries, DiagnosticEngine &diags);

/// A collaboration and a choreography, ready to be compared. Does not move:
/// what was explored refers to its modules.
struct Pairing {
  Pairing() = default;
  Pairing(const Pairing &) = delete;
  Pairing &operator=(const Pairing &) = delete;

  ConformanceOptions options;
  std::string subject; ///< "collaboration 'x' to choreography 'y'"

  Module collaboration, choreography; ///< normalised
  ChoreographyRef which;
  /// The collaboration, with sends and receptions told apart.
  ExploredModule explored;
  GlobalLts global; ///< the choreography

  /// The labels of the collaboration's system, with the choreography's names;
  /// and what is seen of each: an exchange, or tau.
  std::vector<Label> own, shown;
  /// What was made tau because the choreography does not know it.
  std::vector<Label> hidden;
  /// What the choreography knows and the collaboration can never show.
  std::vector<Label> missing;
  /// The collaboration and the choreography over the same labels, states and
  /// transitions as explored. With observeCompletion each row may have one
  /// transition more: the tick, to a new last state.
  Lts left, right;
  /// What was taken for granted: names that are alike, and participants that
  /// the choreography's projection plays.
  std::vector<std::string> assumptions;
  /// Not empty: one side was explored in part or not at all, and why.
  std::string limit;
  bool leftComplete = false, rightComplete = false;

  const Lts &lts(Side side) const { return side == Side::Left ? left : right; }
  /// The collaboration reduced modulo branching bisimulation that preserves
  /// divergence, which no weak relation tells from it. Where only the product
  /// of minimised processes was explored whole, it is made of that.
  const Lts &reducedLeft() const;
  /// The product of minimised processes stands for the collaboration, of which
  /// `left` is a part.
  bool inParts() const { return parts.has_value(); }
  /// How large the product is.
  const Lts &product() const { return *parts; }

  /// Explores the collaboration itself, with at most \p maxStates states.
  void exploreLeft(uint64_t maxStates);
  /// Takes the product of minimised processes in its place, if it can.
  void composeParts();
  /// A relation does not hold of the product: explores the collaboration to
  /// show \p difference in it. At a limit, the runs with the trace of the
  /// difference alone, if it is one of the collaboration.
  void exploreFor(const Difference &difference);

private:
  std::optional<Lts> parts;
  std::unique_ptr<System> unguided; ///< what `explored` follows a trace of
  bool triedWhole = false;
  mutable std::optional<Lts> reduced;
};

/// Explores both and matches their names. \p processes must have processes, and
/// \p spec exactly one choreography. At a limit the result has a part of the
/// LTSs, and Pairing::limit says why. Null: errors were reported.
std::unique_ptr<Pairing> pair(const Module &processes, const Module &spec,
                              const ConformanceOptions &options,
                              DiagnosticEngine &diags);

/// Compares the two sides modulo \p relation. A difference found in a part of
/// the collaboration is exact; otherwise the verdict is inconclusive at a
/// limit. The fact has no digest yet. \p replays is set to whether the
/// difference of a violated fact is one of both models as they were explored,
/// without the reductions before the comparison. Explores more of the
/// collaboration where a difference was found in the product of its parts.
Fact checkConformance(Pairing &pairing, const ConformanceRelation &relation,
                      bool *replays = nullptr);

/// \p lts with a step `diverges` from each state on a silent cycle to itself:
/// weak bisimilarity of such LTSs is weak bisimilarity that preserves
/// divergence [vanglabbeek1993].
Lts divergenceLoops(const Lts &lts);

} // namespace cif

#endif
