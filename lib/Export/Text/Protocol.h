//===- Protocol.h - A choreography's graph as a protocol ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A graph that is an automaton over exchanges, or of a process over sends and
/// receptions, read as one.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_EXPORT_TEXT_PROTOCOL_H
#define CIF_LIB_EXPORT_TEXT_PROTOCOL_H

#include "cif/IR/Module.h"

namespace cif {

struct Protocol {
  struct Transition {
    uint32_t from, to; ///< states
    NodeId node;
    ExprId guard;
  };
  const Behaviour *of = nullptr;
  Name name;                       ///< of a process its participant's
  std::vector<std::string> states; ///< their names
  std::vector<bool> finals;
  uint32_t initial = 0;
  std::vector<Transition> transitions;

  void print(const Module &module, raw_ostream &os) const;
};

/// False: the graph is no automaton, which was reported.
bool makeProtocol(const Module &module, const Behaviour &behaviour,
                  DiagnosticEngine &diags, Protocol &protocol);

} // namespace cif

#endif // CIF_LIB_EXPORT_TEXT_PROTOCOL_H
