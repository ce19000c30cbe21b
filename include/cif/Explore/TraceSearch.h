//===- TraceSearch.h - Traces of a system that an LTS does not have -------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_EXPLORE_TRACESEARCH_H
#define CIF_EXPLORE_TRACESEARCH_H

#include "cif/Explore/Explorer.h"

namespace cif {

struct TraceSearchResult {
  /// The run to the first exchange that the monitor does not allow, which is
  /// its last step; empty: none was found.
  std::vector<Step> run;
  /// With a run: the monitor's state before the last step.
  StateIndex monitorState = 0;
  bool complete = false; ///< everything reachable was looked at
  std::string limit;     ///< the limit that was met
  std::string growth;    ///< why the states are infinitely many, where proved
  uint64_t states = 0, transitions = 0;

  bool found() const { return !run.empty(); }
};

/// Looks for a shortest sequence of exchanges that \p system has and \p monitor
/// has not. The monitor must be deterministic and without silent steps; labels
/// of the system that are no exchanges are silent.
TraceSearchResult findExtraTrace(const System &system, const Lts &monitor,
                                 const Limits &limits);

} // namespace cif

#endif
