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

namespace {
class TestBreak : public Pass {
public:
  PassResult run(Module &module, PassContext &) override {
    for (Behaviour &b : module.behaviours)
      b.flows.push_back({NodeId(b.nodes.size()), NodeId(b.nodes.size())});
    return PassResult::Changed;
  }
};

class TestCrash : public Pass {
public:
  PassResult run(Module &, PassContext &) override { std::abort(); }
};

class TestFail : public Pass {
public:
  PassResult run(Module &, PassContext &) override {
    return PassResult::Failed;
  }
};

class TestLie : public Pass {
public:
  PassResult run(Module &module, PassContext &context) override {
    context.report(module,
                   FactBuilder("lie", "the module")
                       .by("invention")
                       .violated("something is wrong")
                       .show("trace", {{"a -> b : m", {}, ""}}),
                   [] { return false; });
    return PassResult::Unchanged;
  }
};

class TestStale : public Pass {
public:
  PassResult run(Module &module, PassContext &) override {
    for (Behaviour &b : module.behaviours)
      if (b.kind == BehaviourKind::Process)
        b.nodes.emplace_back().kind = NodeKind::Task;
    return PassResult::Changed;
  }
};
} // namespace

namespace cif {
std::unique_ptr<Pass> createTestBreakPass() {
  return std::make_unique<TestBreak>();
}
std::unique_ptr<Pass> createTestCrashPass() {
  return std::make_unique<TestCrash>();
}
std::unique_ptr<Pass> createTestFailPass() {
  return std::make_unique<TestFail>();
}
std::unique_ptr<Pass> createTestLiePass() {
  return std::make_unique<TestLie>();
}
std::unique_ptr<Pass> createTestStalePass() {
  return std::make_unique<TestStale>();
}
} // namespace cif
