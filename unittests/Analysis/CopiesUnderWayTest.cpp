//===- CopiesUnderWayTest.cpp - How long an asynchronous copy takes -------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/CopiesUnderWay.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>
#include <set>

using namespace mlir;
using namespace uop;

namespace {

class CopiesUnderWayTest : public ::testing::Test {
protected:
  CopiesUnderWayTest() {
    context.loadDialect<UopDialect, arith::ArithDialect, gpu::GPUDialect,
                        memref::MemRefDialect, nvgpu::NVGPUDialect,
                        scf::SCFDialect>();
  }

  /// The loads and copies that meet a copy: the order of the first among the
  /// ops of its kind, then where they are: `+d` iterations later (`+` any),
  /// `@n` in iteration n of a loop that begins later, `-n` for a copy of the
  /// n-th last iteration, `xn` where a loop is executed n times; `.` for a copy
  /// that is completed, and `?` where it is not certain.
  std::set<std::string> getMeetings(const std::string &body) {
    std::string text =
        "!s = memref<32xf32, #gpu.address_space<workgroup>>\n"
        "uop.kernel loops @k(%n: index, %m: memref<32xf32>) {\n"
        "%t = uop.range local<x> 32\n%c0 = arith.constant 0 : index\n"
        "%c1 = arith.constant 1 : index\n%c4 = arith.constant 4 : index\n"
        "%s = uop.alloc : !s\n"
        "%some = arith.cmpi eq, %n, %c0 : index\n"
        "%few = arith.cmpi slt, %t, %c4 : index\n"
        "%g = nvgpu.device_async_create_group {u}\n" +
        body + "\n}\n";
    ParserConfig config(&context, /*verifyAfterParse=*/false);
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, config);
    EXPECT_TRUE(module);
    if (!module)
      return {};
    auto kernel = *module->getOps<KernelOp>().begin();
    llvm::DenseMap<Operation *, std::string> names;
    unsigned numLoads = 0, numCopies = 0;
    kernel.walk([&](Operation *op) {
      if (isa<memref::LoadOp>(op))
        names[op] = "r" + std::to_string(numLoads++);
      if (isa<nvgpu::DeviceAsyncCopyOp>(op))
        names[op] = "c" + std::to_string(numCopies++);
    });
    MemoryAccesses accesses(kernel);
    Uniformity uniformity(kernel);
    BarrierIntervals intervals(kernel, accesses, uniformity);
    std::set<std::string> meetings;
    CopiesUnderWay(kernel, accesses, intervals)
        .visit([&](const Meeting &meeting) {
          std::string name =
              numCopies > 1 ? names[meeting.first->op] + ">" : "";
          name += names[meeting.second->op];
          if (meeting.carrier)
            name += "+" + (meeting.distance ? std::to_string(*meeting.distance)
                                            : std::string());
          for (auto *pin = meeting.secondPins; pin; pin = pin->outer)
            name += "@" + std::to_string(pin->iteration);
          for (auto *pin = meeting.firstPins; pin; pin = pin->outer)
            name += std::to_string(pin->iteration);
          for (auto *trips = meeting.trips; trips; trips = trips->next)
            name += "x" + std::to_string(trips->count);
          EXPECT_EQ(meeting.isOrderable, !meeting.isUnderWay);
          meetings.insert(name + (meeting.isUnderWay ? "" : ".") +
                          (meeting.isCertain ? "" : "?"));
        });
    return meetings;
  }

  using Set = std::set<std::string>;
  MLIRContext context;
};

const std::string copy =
    "nvgpu.device_async_copy %m[%t], %s[%t], 1 : memref<32xf32> to !s\n";
const std::string group = "nvgpu.device_async_create_group {u}\n";
const std::string load = "memref.load %s[%t] : !s\n";
const std::string barrier = "uop.barrier\n";

std::string wait(int left) {
  return "nvgpu.device_async_wait %g {numGroups = " + std::to_string(left) +
         " : i32}\n";
}

std::string loop(const std::string &trips, const std::string &body) {
  return "scf.for %i = %c0 to %" + trips + " step %c1 {\n" + body + "}\n";
}

TEST_F(CopiesUnderWayTest, ACopyIsThereAfterItsWaitAndABarrier) {
  std::string issue = copy + group;
  EXPECT_EQ(getMeetings(issue + load + wait(0) + load + barrier + load),
            Set({"r0", "r1."}));
  // A barrier before the wait is none, nor is a wait that leaves its group.
  EXPECT_EQ(getMeetings(issue + barrier + wait(0) + load), Set({"r0."}));
  EXPECT_EQ(getMeetings(issue + wait(1) + barrier + load), Set({"r0"}));
  EXPECT_EQ(getMeetings(issue + group + wait(1) + barrier + load), Set());
  // Nor is one before the group is made.
  EXPECT_EQ(getMeetings(copy + wait(0) + group + barrier + load), Set({"r0"}));
}

TEST_F(CopiesUnderWayTest, GroupsOfLaterIterationsCount) {
  // Of one group an iteration two are left: it takes two more.
  std::string issue = copy + group;
  EXPECT_EQ(getMeetings(loop("c4", issue + wait(2) + barrier + load)),
            Set({"r0", "r0+1", "c0+1", "c0+2"}));
  // The copies of the last two iterations are under way after the loop.
  EXPECT_EQ(getMeetings(loop("c4", issue + wait(2) + barrier) + load),
            Set({"c0+1", "c0+2", "r0-1", "r0-2"}));
  // Without a wait all are, in any later iteration and after the last one.
  EXPECT_EQ(getMeetings(loop("c4", issue + barrier + load) + load),
            Set({"r0", "c0+1", "r0+1", "c0+", "r0+", "r1"}));
}

TEST_F(CopiesUnderWayTest, LoopsThatBeginLaterAreCounted) {
  std::string ahead = copy + group;
  std::string body = wait(1) + barrier + load + group;
  EXPECT_EQ(getMeetings(ahead + loop("c4", body) + load), Set({"r0@0"}));
  // With fewer than two iterations it is not completed.
  EXPECT_EQ(getMeetings(ahead + loop("n", body) + load),
            Set({"r0@0", "r1x0", "r1x1"}));
}

TEST_F(CopiesUnderWayTest, AConditionHoldsUntilItChanges) {
  auto when = [](const std::string &condition, const std::string &body) {
    return "scf.if %" + condition + " {\n" + body + "}\n";
  };
  std::string issue = copy + group;
  EXPECT_EQ(getMeetings(issue + when("some", wait(0)) + barrier + load),
            Set({"r0?"}));
  EXPECT_EQ(
      getMeetings(when("some", issue) + when("some", wait(0)) + barrier + load),
      Set());
  // Of threads that go different ways it is not known.
  EXPECT_EQ(
      getMeetings(when("few", issue) + when("few", wait(0)) + barrier + load),
      Set({"r0?"}));
  // All ways wait.
  EXPECT_EQ(getMeetings(issue + "scf.if %some {\n" + wait(0) + "} else {\n" +
                        wait(0) + "}\n" + barrier + load),
            Set());
}

} // namespace
