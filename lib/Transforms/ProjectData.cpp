//===- ProjectData.cpp - Projections that know data -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Transforms/ProjectData.h"
#include "cif/Transforms/Knowledge.h"

using namespace cif;

std::vector<std::pair<ParticipantId, UntoldData>>
cif::untoldData(const Module &module, const Behaviour &choreography) {
  std::vector<std::pair<ParticipantId, UntoldData>> all;
  if (choreography.arguments.empty() &&
      llvm::none_of(choreography.flows,
                    [](const Flow &flow) { return bool(flow.guard); }))
    return all;
  for (size_t p = 0; p < module.participants.size(); ++p) {
    std::vector<UntoldChoice> untold;
    std::vector<UntoldData> unknown;
    projectGraph(module, choreography, ParticipantId(p), untold, unknown);
    for (const UntoldData &lacks : unknown)
      all.emplace_back(ParticipantId(p), lacks);
  }
  return all;
}

Place cif::untoldPlace(const Module &module, const Behaviour &choreography,
                       const UntoldData &lacks) {
  return module.place(lacks.flow ? choreography.flow(lacks.flow).loc
                                 : choreography.node(lacks.node).loc);
}

std::string cif::untoldText(const Module &module, const Behaviour &choreography,
                            StringRef peer, const UntoldData &lacks) {
  std::string knowers;
  for (size_t p = 0; p < module.participants.size(); ++p)
    if (Knowledge(module, choreography, ParticipantId(p))
            .unknown(lacks.node, lacks.asks)
            .empty())
      knowers += (knowers.empty() ? "'" : ", '") +
                 module.participantName(ParticipantId(p)).str() + "'";
  std::string who = "'" + peer.str() + "'",
              what = "'" + module.text(lacks.variable).str() + "'";
  return (lacks.flow
              ? "the choice of " + who + " here depends on " + what +
                    ", which it does not know; "
              : who + " sends " + what + " here but does not know it; ") +
         (knowers.empty() ? "nobody knows it on every path to this place"
                          : "known by: " + knowers);
}
