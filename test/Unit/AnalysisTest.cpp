//===- AnalysisTest.cpp - Analyses between passes -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Pass/PassManager.h"
#include <gtest/gtest.h>

using namespace cif;

namespace {
/// Counts how often it is made.
struct Counted {
  static inline unsigned made = 0;
  int with;

  Counted(const Module &, int with) : with(with) { ++made; }
};

PassResult look(Module &module, PassContext &context) {
  EXPECT_EQ(context.analyses.get<Counted>(module, 7).with, 7);
  return PassResult::Unchanged;
}

PassResult change(Module &, PassContext &) { return PassResult::Changed; }

struct Ignore : DiagnosticConsumer {
  void handle(const Diagnostic &) override {}
};
} // namespace

TEST(Analysis, IsMadeOnceUntilTheModuleChanges) {
  SourceManager sources;
  Ignore ignore;
  DiagnosticEngine diags(sources, ignore);
  Limits limits;
  PassRegistry registry;
  ASSERT_TRUE(registry.add({"look", PassGroup::Test, "", "", look, {}}));
  ASSERT_TRUE(registry.add({"change", PassGroup::Test, "", "", change, {}}));
  auto madeBy = [&](StringRef passes) {
    Pipeline pipeline;
    EXPECT_TRUE(parsePipeline(passes, "passes", registry, diags, pipeline));
    Module module;
    Counted::made = 0;
    EXPECT_TRUE(PassManager(diags, limits, {}).run(pipeline, module));
    return Counted::made;
  };
  EXPECT_EQ(madeBy("change"), 0u);
  EXPECT_EQ(madeBy("look,look,look"), 1u);
  EXPECT_EQ(madeBy("look,look,change,look,look"), 2u);
}
