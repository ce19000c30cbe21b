//===- TestPasses.cpp - Passes that test the pass manager -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Passes that make mistakes on purpose, which the manager and the tools must
/// detect. No help shows them.
///
//===----------------------------------------------------------------------===//

#include "cif/Pass/FactBuilder.h"
#include "cif/Pass/Pass.h"
#include <cstdlib>

using namespace cif;

namespace cif {
PassResult runTestBreak(Module &module, PassContext &) {
  for (Behaviour &b : module.behaviours)
    b.flows.push_back({NodeId(b.nodes.size()), NodeId(b.nodes.size())});
  return PassResult::Changed;
}
PassResult runTestCrash(Module &, PassContext &) { std::abort(); }
PassResult runTestFail(Module &, PassContext &) { return PassResult::Failed; }
PassResult runTestLie(Module &module, PassContext &context) {
  context.report(module,
                 FactBuilder("lie", "the module")
                     .by("invention")
                     .violated("something is wrong")
                     .show("trace", {{"a -> b : m", {}, ""}}),
                 [] { return false; });
  return PassResult::Unchanged;
}
PassResult runTestStale(Module &module, PassContext &) {
  for (Behaviour &b : module.behaviours)
    if (b.kind == BehaviourKind::Process)
      b.nodes.emplace_back().kind = NodeKind::Task;
  return PassResult::Changed;
}
} // namespace cif
