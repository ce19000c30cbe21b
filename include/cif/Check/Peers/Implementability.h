//===- Implementability.h - Choreographies that have an implementation ----===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Whether peers exist that implement a choreography with a queue for each
/// ordered pair.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_PEERS_IMPLEMENTABILITY_H
#define CIF_CHECK_PEERS_IMPLEMENTABILITY_H

#include "cif/IR/Fact.h"
#include "cif/IR/Lts.h"
#include "cif/Semantics/Semantics.h"
#include "cif/Support/Limits.h"
#include <optional>

namespace cif {

enum class Coherence : uint8_t {
  Send,     ///< what may be sent after a run may be sent after each like it
  Receive,  ///< what is received after a run is not there early after another
  NotMixed, ///< nobody sends after a run and receives after one like it
  End,      ///< where it goes on, somebody knows
  Decided,  ///< what follows a run is decided by one participant
};

/// Two runs of a choreography that a participant cannot tell apart, and why it
/// would have to.
struct Incoherence {
  Coherence kind = Coherence::Send;
  std::string participant;
  std::vector<Label> first, second;
  /// What the participant does after the first run: a send that is not allowed
  /// after the second one (Send), a send (NotMixed, End, Decided), or a
  /// reception (Receive). Decided: both runs are the same. End: the second run
  /// is complete, and each other participant knows of such a run, too.
  Label here;
  /// What it receives after the second run (Receive, NotMixed), or what another
  /// sends (Decided).
  Label there;
  /// Receive: what can happen after the second run and `there`, although the
  /// participant has not received it yet, up to the send of `here`.
  std::vector<Label> meanwhile;
};

struct Implementability {
  Verdict verdict = Verdict::Inconclusive;
  /// Inconclusive: the limit, or the condition of the theory that the
  /// choreography does not meet, and the run to the place that shows it.
  std::string limit, gap;
  std::string remedy; ///< of a gap: a change that closes it
  std::vector<Label> gapRun;
  std::optional<Incoherence> incoherence; ///< violated: why
  uint64_t states = 0, transitions = 0; ///< of the choreography, deterministic
  uint64_t pairs = 0; ///< of states after runs that look alike
  /// Holds: under the network that was asked for, too, everybody takes messages
  /// in the order that is meant. Else `early` is what may come too early.
  bool keepsOrder = false;
  Label early;
  /// The choreography, deterministic and without silent steps; nothing at a
  /// limit, or if it gets stuck.
  std::optional<Lts> words;
};

/// Whether peers with a queue for each ordered pair exist that do what \p
/// global says, up to the order of independent exchanges, and never get stuck.
/// \p global is over exchanges; silent steps are allowed. Inconclusive outside
/// the class that the theory covers (`gap` says why) and at a limit (`limit`).
/// \p network: the one that implementabilityUnder will be asked about.
Implementability
checkImplementability(const Lts &global, const Limits &limits,
                      NetworkKind network = NetworkKind::FifoPair);

/// What \p pairs, an answer for fifo-pair, says about \p network: what is known
/// of others is in docs/algorithms.md, else the answer is inconclusive.
Implementability implementabilityUnder(NetworkKind network,
                                       Implementability pairs);

/// What all runs of the peers that a choreography is projected to show.
struct RunsOfProjection {
  Verdict verdict = Verdict::Inconclusive;
  std::string text; ///< violated: what is wrong, with the run
  Witness witness;
  Module peers; ///< whose run it is
  uint64_t states = 0, transitions = 0;
};
/// Whether peers implement \p words (Implementability::words) under \p network.
/// Inconclusive at a limit, if there are too many runs, and if there are loops
/// and no violation is found.
RunsOfProjection runProjection(const Lts &words, NetworkKind network,
                               const Limits &limits,
                               class DiagnosticEngine &diags);

} // namespace cif

#endif
