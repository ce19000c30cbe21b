//===- ConnectedWords.h - Violations of connectedness in words ------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_CHECK_CALCULUS_CONNECTEDWORDS_H
#define CIF_LIB_CHECK_CALCULUS_CONNECTEDWORDS_H

#include "cif/Calculus/Connectedness.h"
#include "cif/IR/Fact.h"
#include "cif/IR/Names.h"

namespace cif {

/// One choreography: a term, or a graph where it has none.
struct ConnectedSubject {
  const Module *module = nullptr; ///< normalised, where that was needed
  const Behaviour *behaviour = nullptr;
  const SystemDecl *system = nullptr;
  std::optional<Term> term;
  std::optional<IocGraph> graph;              ///< also of a term with data
  std::string limit;                          ///< why it has none
  std::vector<std::string> roles, operations; ///< of a system

  const TermAction &action(IocPart part) const {
    return term ? term->action(part.term()) : graph->actions[part.node()];
  }
  std::string role(uint32_t r) const {
    return "'" +
           (system ? roles[r]
                   : module->participantName(ParticipantId(r)).str()) +
           "'";
  }
  std::string name(IocPart part) const {
    const TermAction &x = action(part);
    if (system)
      return "'" + quoted(roles[x.sender]) + " -> " +
             quoted(roles[x.receiver]) + " : " +
             quoted(operations[x.operation]) + "'";
    if (x.isTau())
      return "'tau " +
             quoted(module->participantName(ParticipantId(x.sender))) + "'";
    return "'" + module->exchangeText(behaviour->node(node(part)).message) +
           "'";
  }
  Place place(IocPart part) const {
    if (!system)
      return module->place(behaviour->node(node(part)).loc);
    Location loc = system->loc;
    uint32_t transition = graph->nodes[part.node()].origin;
    if (transition < system->transitionLines.size()) {
      loc.line = system->transitionLines[transition];
      loc.column = 0;
    }
    return module->place(loc);
  }

private:
  NodeId node(IocPart part) const {
    return term ? (*term)[part.term()].node : graph->nodes[part.node()].node;
  }
};

/// Appends to \p witness what is wrong at a place of \p subject for
/// \p semantics, who would have to know what, and what repairs it.
void explainViolation(const ConnectedSubject &subject, IocSemantics semantics,
                      const ConnectednessViolation &violation,
                      Witness &witness);
void explainViolation(const ConnectedSubject &subject, IocSemantics semantics,
                      const DataViolation &violation, Witness &witness);

/// Prints the order of the conditions [iocpoc, Fig. 1], the strongest on top,
/// with what holds; \p verdicts are by semantics.
void printOrder(raw_ostream &os, StringRef subject, ArrayRef<Verdict> verdicts);

} // namespace cif

#endif
