//===- PrintStats.cpp - --print-stats -------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Pass/Pass.h"
#include "cif/Support/Visible.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cif;

namespace cif {
PassResult runPrintStats(Module &module, PassContext &context) {
  raw_ostream &os = *context.host.log;
  os << module.participants.size() << " participants, "
     << module.messages.size() << " messages, " << module.facts.size()
     << " facts\n";
  for (const Behaviour &b : module.behaviours) {
    os << behaviourKindText(b.kind) << " '" << visible(module.text(b.name))
       << "': " << b.nodes.size() << " nodes, " << b.flows.size() << " flows\n";
    unsigned counts[numNodeKinds] = {};
    for (const Node &n : b.nodes)
      ++counts[static_cast<unsigned>(n.kind)];
    for (unsigned kind = 0; kind < numNodeKinds; ++kind)
      if (counts[kind])
        os << llvm::formatv("{0,8}  {1}\n", counts[kind],
                            nodeKindText(static_cast<NodeKind>(kind)));
  }
  for (const SystemDecl &s : module.systems)
    os << systemRoleText(s.role) << " system '" << visible(module.text(s.name))
       << "': " << s.lts.numStates() << " states, " << s.lts.numTransitions()
       << " transitions, " << s.lts.labels.size() - 1 << " labels\n";
  return PassResult::Unchanged;
}
} // namespace cif
