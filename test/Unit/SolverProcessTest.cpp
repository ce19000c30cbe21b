//===- SolverProcessTest.cpp - Solvers that do not answer -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Symbolic/Solver.h"
#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

using namespace cif;

namespace {

using Seconds = std::chrono::duration<double>;

/// Answers small formulas, and does what it likes with others.
class Moody : public Solver {
public:
  Moody(FormulaPool &pool, void (*otherwise)())
      : pool(pool), otherwise(otherwise) {}
  Answer satisfiable(FormulaId formula, Valuation *model) override {
    std::vector<VariableId> used;
    pool.collect(formula, used);
    if (used.size() > 1)
      otherwise();
    if (model)
      for (VariableId v : used)
        (*model)[v] = -7;
    return Answer::Yes;
  }
  std::optional<FormulaId> forAll(ArrayRef<VariableId> bound,
                                  FormulaId formula) override {
    for (VariableId v : bound) // whatever: a formula with new nodes
      formula = pool.conjunction(
          formula, pool.make(ExprOp::Less, pool.var(v), pool.number(12345)));
    return formula;
  }
  std::optional<FormulaId> simplify(FormulaId) override { return std::nullopt; }
  std::string version() const override { return "moody 1"; }

private:
  FormulaPool &pool;
  void (*otherwise)();
};

[[noreturn]] void hang() {
  for (;;)
    std::this_thread::sleep_for(std::chrono::seconds(1));
}
void ignoreRequestsAndHang() {
  for (int signal : {SIGINT, SIGTERM, SIGHUP})
    std::signal(signal, SIG_IGN);
  hang();
}
void crash() { std::abort(); }
void runOutOfMemory() { _exit(outOfMemoryStatus); }

class SolverProcess : public testing::Test {
protected:
  SolverProcess() {
    x = pool.makeVariable("x", "", intData);
    y = pool.makeVariable("y", "", intData);
    small = pool.make(ExprOp::Less, pool.var(x), pool.number(3));
    large = pool.make(ExprOp::Less, pool.var(x), pool.var(y));
  }
  std::unique_ptr<Solver> make(void (*otherwise)(), double seconds,
                               const Limits &limits = Limits()) {
    return makeSolverProcess(pool, seconds, limits, "moody 1",
                             [=](FormulaPool &own) {
                               return std::make_unique<Moody>(own, otherwise);
                             });
  }
  /// Seconds that a question takes which has no answer.
  double waits(Solver &solver) {
    auto since = Limits::Clock::now();
    EXPECT_EQ(solver.satisfiable(large), Answer::Unknown);
    return Seconds(Limits::Clock::now() - since).count();
  }

  FormulaPool pool;
  VariableId x, y;
  FormulaId small, large;
};

} // namespace

TEST_F(SolverProcess, AnswersComeBack) {
  auto solver = make(crash, 10);
  Valuation model;
  EXPECT_EQ(solver->satisfiable(small, &model), Answer::Yes);
  EXPECT_EQ(model, (Valuation{{x, -7}}));
  EXPECT_EQ(solver->version(), "moody 1");
  EXPECT_EQ(solver->satisfiable(pool.truth(false)), Answer::No);
  auto all = solver->forAll({x, y}, small);
  ASSERT_TRUE(all.has_value());
  EXPECT_EQ(pool.text(*all), "x < 3 && x < 12345 && y < 12345");
  EXPECT_FALSE(solver->simplify(small).has_value());
  // A variable and numbers that the process has not seen.
  VariableId z = pool.makeVariable("z", "", boolData);
  FormulaId both =
      pool.conjunction(pool.var(z), pool.make(ExprOp::Less, pool.var(x),
                                              pool.number(INT64_MIN)));
  all = solver->forAll({y}, both);
  ASSERT_TRUE(all.has_value());
  EXPECT_EQ(*all, pool.conjunction(both, pool.make(ExprOp::Less, pool.var(y),
                                                   pool.number(12345))));
}

TEST_F(SolverProcess, AnOverdueQuestionEnds) {
  for (auto *otherwise : {hang, ignoreRequestsAndHang}) {
    auto solver = make(otherwise, 0.2);
    EXPECT_LT(waits(*solver), 5);
    EXPECT_EQ(solver->satisfiable(small), Answer::Yes); // and the next has one
  }
}

TEST_F(SolverProcess, ACrashIsNoAnswer) {
  auto solver = make(crash, 100);
  EXPECT_LT(waits(*solver), 50);
  EXPECT_EQ(solver->satisfiable(small), Answer::Yes);
}

TEST_F(SolverProcess, TheLimitThatLeftNoAnswerIsNamed) {
  Limits limits;
  limits.maxMemory = 1 << 30;
  auto solver = make(runOutOfMemory, 100, limits);
  EXPECT_EQ(solver->satisfiable(large), Answer::Unknown);
  EXPECT_EQ(solver->silence(), "--max-memory=1073741824");
  EXPECT_EQ(solver->satisfiable(small), Answer::Yes);
  solver = make(crash, 100, limits);
  EXPECT_EQ(solver->satisfiable(large), Answer::Unknown);
  EXPECT_EQ(solver->silence(), "the solver gave no answer");
}

TEST_F(SolverProcess, TheDeadlineOfTheRunCounts) {
  Limits limits;
  limits.setTimeout(0.2);
  auto solver = make(hang, 1000, limits);
  EXPECT_LT(waits(*solver), 50);
  EXPECT_EQ(solver->satisfiable(small), Answer::Unknown);
}

TEST_F(SolverProcess, AnInterruptionEndsIt) {
  auto solver = make(hang, 1000);
  std::thread user([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    interrupted = true;
  });
  EXPECT_LT(waits(*solver), 50);
  user.join();
  interrupted = false;
  EXPECT_EQ(solver->satisfiable(small), Answer::Yes);
}
