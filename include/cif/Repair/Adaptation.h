//===- Adaptation.h - Processes repaired so that they conform ------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Small changes to the processes of a collaboration that does not conform to
/// its choreography, for the two causes that [c4] meets in its example:
///
///  - an exclusive gateway before receptions, which decides without knowing
///    what its partner decided (Table 1, case 6): an event-based one in its
///    place waits for what comes;
///  - a send that does not wait until the message before it was received (Table
///    1, case 1): an acknowledgement of that message makes it wait.
///
/// A set of changes is offered if the changed collaboration was checked to
/// conform and no smaller number of changes suffices.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_REPAIR_ADAPTATION_H
#define CIF_REPAIR_ADAPTATION_H

#include "cif/Check/Conformance/Conformance.h"

namespace cif {

struct AdaptChange {
  enum Kind : uint8_t { WaitForEvent, Acknowledge };
  Kind kind = WaitForEvent;
  BehaviourId behaviour; ///< WaitForEvent: of the gateway
  NodeId node;           ///< WaitForEvent: the gateway
  MessageId message;     ///< Acknowledge: what is acknowledged

  bool operator==(const AdaptChange &) const = default;
};

/// All changes that could be made, the likeliest first.
std::vector<AdaptChange> adaptChanges(const Module &module);

/// Makes a change; returns it as the lines of a diff, in terms of elements.
std::vector<std::string> applyChange(Module &module, const AdaptChange &change);

struct AdaptOptions {
  ConformanceOptions conformance;
  ConformanceRelation relation; ///< default: weak bisimulation, BBC
  unsigned maxChanges = 3;      ///< made together
  unsigned maxChecks = 400;
};

struct Adaptation {
  bool found = false;
  std::vector<AdaptChange> changes; ///< none: it conforms as it is
  std::vector<std::string> diff;
  Module module; ///< with the changes, where found
  Fact fact;     ///< of the check of what was found, else of what was given
  bool replays = false; ///< the difference of a violated fact does
  std::string tried;    ///< not found: what was tried
};

/// The fewest changes after which \p processes conform to \p spec, which must
/// have exactly one choreography. Not found within maxChanges, maxChecks and
/// the limits: `tried` says what was tried. Nothing: errors were reported.
std::optional<Adaptation> adapt(const Module &processes, const Module &spec,
                                const AdaptOptions &options,
                                DiagnosticEngine &diags);

} // namespace cif

#endif
