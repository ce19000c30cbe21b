//===- LimitsTest.cpp -----------------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Support/Limits.h"
#include "cif/Support/Outcome.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace cif;

/// Every budget that is made of a run's limits, however late, ends when the run
/// does.
TEST(Limits, CopiesShareTheDeadline) {
  Limits limits;
  limits.setTimeout(1e-9);
  Limits copy = limits;
  Budget one(limits), other(copy);
  EXPECT_EQ(one.exceeded(0, 0), "--timeout=1e-09");
  EXPECT_TRUE(other.spend());
  EXPECT_EQ(other.limit(), "--timeout=1e-09");
  EXPECT_TRUE(other.spend()); // and stays so
  EXPECT_EQ(Budget(Limits()).exceeded(0, 0), "");
}

TEST(Limits, ThePassOrTheRunEndsFirst) {
  Limits limits;
  limits.timeoutEachSeconds = 1e-9;
  EXPECT_EQ(Budget(limits).look(0, 0), "");
  Limits ofPass = limits.forOnePass();
  EXPECT_EQ(Budget(ofPass).look(0, 0), "--timeout-each=1e-09");
  limits.timeoutEachSeconds = 1000;
  limits.setTimeout(1e-9);
  ofPass = limits.forOnePass();
  EXPECT_EQ(Budget(ofPass).look(0, 0), "--timeout=1e-09");
}

TEST(Limits, TheFirstLookIsAtOnce) {
  Limits limits;
  limits.setTimeout(1e-9);
  Budget budget(limits);
  EXPECT_NE(budget.exceeded(0, 0), "");
  Budget other(limits);
  EXPECT_TRUE(other.spend(0) || other.spend(1));
}

TEST(Limits, OutcomesAreOneOfThree) {
  Outcome<int> value = 3;
  EXPECT_TRUE(value && !value.isStopped() && !value.isFailed());
  EXPECT_EQ(*value, 3);
  Outcome<int> stopped = Stopped{"--max-states=1"};
  EXPECT_TRUE(!stopped && stopped.isStopped() && !stopped.isFailed());
  EXPECT_EQ(stopped.limit(), "--max-states=1");
  Outcome<int> failed = Failed();
  EXPECT_TRUE(!failed && !failed.isStopped() && failed.isFailed());
  EXPECT_EQ(Outcome<bool>::without(stopped).limit(), "--max-states=1");
  EXPECT_TRUE(Outcome<bool>::without(failed).isFailed());
}

namespace {
/// A folder with files as /proc and /sys have them.
class SystemFiles : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("cif-system", root));
    add("proc/meminfo", "MemTotal:        8000 kB\nMemFree:  10 kB\n");
  }
  void TearDown() override { llvm::sys::fs::remove_directories(root); }
  void add(StringRef path, StringRef text) {
    llvm::SmallString<128> whole(root);
    llvm::sys::path::append(whole, path);
    ASSERT_FALSE(llvm::sys::fs::create_directories(
        llvm::sys::path::parent_path(whole)));
    std::error_code error;
    llvm::raw_fd_ostream os(whole, error);
    ASSERT_FALSE(error);
    os << text;
  }
  llvm::SmallString<128> root;
};
} // namespace

TEST_F(SystemFiles, TheMachine) {
  EXPECT_EQ(defaultMaxMemory(root), 6000u << 10);
  // A group without a limit, and a file that is none of ours.
  add("proc/self/cgroup", "0::/user.slice\n");
  add("sys/fs/cgroup/user.slice/memory.max", "max\n");
  EXPECT_EQ(defaultMaxMemory(root), 6000u << 10);
}

TEST_F(SystemFiles, VersionTwoGroupsInGroups) {
  add("proc/self/cgroup", "0::/a/b\n");
  add("sys/fs/cgroup/a/b/memory.max", "max\n");
  add("sys/fs/cgroup/a/memory.max", "4096000\n");
  EXPECT_EQ(defaultMaxMemory(root), 3072000u);
  add("sys/fs/cgroup/memory.max", "2048000\n"); // as containers see it
  EXPECT_EQ(defaultMaxMemory(root), 1536000u);
}

TEST_F(SystemFiles, VersionOneGroups) {
  add("proc/self/cgroup",
      "12:cpu,cpuacct:/x\n5:memory:/docker/0123\n1:name=systemd:/x\n");
  add("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(defaultMaxMemory(root), 6000u << 10);
  add("sys/fs/cgroup/memory/docker/0123/memory.limit_in_bytes", "409600\n");
  EXPECT_EQ(defaultMaxMemory(root), 307200u);
}
