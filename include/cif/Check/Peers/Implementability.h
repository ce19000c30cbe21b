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
#include "cif/Support/Limits.h"
#include <optional>

namespace cif {

enum class Coherence : uint8_t {
  Send,     ///< what may be sent after a run may be sent after each like it
  Receive,  ///< what is received after a run is not there early after another
  NotMixed, ///< nobody sends after a run and receives after one like it
};

/// Two runs of a choreography that a participant cannot tell apart, and why it
/// would have to.
struct Incoherence {
  Coherence kind = Coherence::Send;
  std::string participant;
  std::vector<Label> first, second;
  /// What the participant does after the first run: a send that is not allowed
  /// after the second one (Send), a send (NotMixed), or a reception (Receive).
  Label here;
  /// What it receives after the second run (Receive, NotMixed).
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
  /// Violated, or inconclusive as the choreography may end or go on: what
  /// breaks the conditions.
  std::optional<Incoherence> incoherence;
  bool coherent =
      false; ///< inconclusive for that reason: they hold nevertheless
  uint64_t states = 0, transitions = 0; ///< of the choreography, deterministic
  uint64_t pairs = 0; ///< of states after runs that look alike
};

/// Whether peers with a queue for each ordered pair exist that do what \p
/// global says, up to the order of independent exchanges, and never get stuck.
/// \p global is over exchanges; silent steps are allowed. Inconclusive outside
/// the class that the theory covers (`gap` says why) and at a limit (`limit`).
Implementability checkImplementability(const Lts &global, const Limits &limits);

} // namespace cif

#endif
