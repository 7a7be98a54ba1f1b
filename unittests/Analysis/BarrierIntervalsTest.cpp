//===- BarrierIntervalsTest.cpp - What may be in one interval -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/BarrierIntervals.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>
#include <set>

using namespace mlir;
using namespace uop;

namespace {

class BarrierIntervalsTest : public ::testing::Test {
protected:
  BarrierIntervalsTest() {
    context.loadDialect<UopDialect, arith::ArithDialect, gpu::GPUDialect,
                        memref::MemRefDialect, nvgpu::NVGPUDialect,
                        scf::SCFDialect>();
  }

  /// The pairs of a kernel with this body, as `first>second`, the accesses
  /// numbered in program order; with `*` where the second is in the next
  /// iteration, `**` in a later one, and `?` where it is not certain.
  std::set<std::string> getMeetings(const std::string &body) {
    std::string text =
        "!s = memref<32xf32, #gpu.address_space<workgroup>>\n"
        "uop.kernel loops @k(%n: index, %m: memref<32xf32>) {\n"
        "%t = uop.range local<x> 32\n%f = arith.constant 1.0 : f32\n"
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
        "%c4 = arith.constant 4 : index\n%s = uop.alloc : !s\n"
        "%some = arith.cmpi eq, %n, %c0 : index\n"
        "%few = arith.cmpi slt, %t, %c4 : index\n" +
        body + "\n}\n";
    ParserConfig config(&context, /*verifyAfterParse=*/false);
    module = parseSourceString<ModuleOp>(text, config);
    EXPECT_TRUE(module);
    if (!module)
      return {};
    auto kernel = *module->getOps<KernelOp>().begin();
    MemoryAccesses accesses(kernel);
    Uniformity uniformity(kernel);
    std::set<std::string> meetings;
    BarrierIntervals(kernel, accesses, uniformity)
        .visit([&](const Meeting &meeting) {
          if (!meeting.first->isShared())
            return false;
          meetings.insert(
              std::to_string(meeting.first->number) + ">" +
              std::to_string(meeting.second->number) +
              (meeting.carrier ? meeting.distance ? "*" : "**" : "") +
              (meeting.isCertain ? "" : "?"));
          return false;
        });
    return meetings;
  }

  using Set = std::set<std::string>;
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

const std::string store = "memref.store %f, %s[%t] : !s\n";
const std::string barrier = "uop.barrier\n";

std::string load() { return "memref.load %s[%t] : !s\n"; }

TEST_F(BarrierIntervalsTest, ABarrierEndsAnInterval) {
  EXPECT_EQ(getMeetings(store + load()), Set({"0>0", "0>1"}));
  EXPECT_EQ(getMeetings(store + barrier + load()), Set({"0>0"}));
}

TEST_F(BarrierIntervalsTest, AnIterationMeetsTheNextOne) {
  std::string loop = "scf.for %i = %c0 to %c4 step %c1 {\n";
  // One barrier in the body: around the back edge, in one direction only.
  EXPECT_EQ(getMeetings(loop + store + barrier + load() + "}"),
            Set({"0>0", "1>0*"}));
  // None: any later iteration, in both.
  EXPECT_EQ(getMeetings(loop + store + load() + "}"),
            Set({"0>0", "0>1", "0>0**", "0>1**", "1>0**"}));
  // Two: nothing.
  EXPECT_EQ(getMeetings(loop + store + barrier + load() + barrier + "}"),
            Set({"0>0"}));
}

TEST_F(BarrierIntervalsTest, ALoopThatMayBeEmptyOrdersNothing) {
  EXPECT_EQ(getMeetings(store + "scf.for %i = %c0 to %n step %c1 {\n" +
                        barrier + "}\n" + load()),
            Set({"0>0", "0>1?"}));
  EXPECT_EQ(getMeetings(store + "scf.for %i = %c0 to %c4 step %c1 {\n" +
                        barrier + "}\n" + load()),
            Set({"0>0"}));
}

TEST_F(BarrierIntervalsTest, AConditionLeavesTheOrderOpen) {
  EXPECT_EQ(getMeetings(store + "scf.if %some {\n" + barrier + "}\n" + load()),
            Set({"0>0", "0>1?"}));
  // Both ways have one.
  EXPECT_EQ(getMeetings(store + "scf.if %some {\n" + barrier + "} else {\n" +
                        barrier + "}\n" + load()),
            Set({"0>0"}));
}

TEST_F(BarrierIntervalsTest, UniformWaysExcludeEachOther) {
  std::string ways = " {\n" + store + "} else {\n" + load() + "}";
  EXPECT_EQ(getMeetings("scf.if %some" + ways), Set({"0>0"}));
  EXPECT_EQ(getMeetings("scf.if %few" + ways), Set({"0>0", "0>1"}));
}

TEST_F(BarrierIntervalsTest, ABarrierLiesBetweenPhases) {
  EXPECT_EQ(getMeetings("uop.phase {\n%x = uop.range local<x> 32\n"
                        "memref.store %f, %s[%x] : !s\n}\n"
                        "uop.phase {\nmemref.load %s[%c0] : !s\n}"),
            Set({"0>0"}));
}

TEST_F(BarrierIntervalsTest, ACopyWritesUntilItIsWaitedFor) {
  std::string issue =
      "%p = nvgpu.device_async_copy %m[%t], %s[%t], 1 : memref<32xf32> to !s\n"
      "%g = nvgpu.device_async_create_group %p\n";
  std::string wait = "nvgpu.device_async_wait %g\n";
  // 0 reads the argument, 1 writes where it is issued, 3 where it is complete.
  EXPECT_EQ(getMeetings(issue + wait + barrier + load()),
            Set({"1>1", "1>3", "3>3"}));
  EXPECT_EQ(getMeetings(issue + barrier + wait + load()),
            Set({"1>1", "3>3", "3>2"}));
}

} // namespace
