//===- MemoryTrafficTest.cpp - Sectors and wavefronts of kernels ----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/MemoryTraffic.h"
#include "RandomTraffic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace uop;
using namespace uop::test;

namespace {

class MemoryTrafficTest : public testing::Test {
protected:
  MemoryTrafficTest() {
    context.loadDialect<UopDialect, arith::ArithDialect, gpu::GPUDialect,
                        memref::MemRefDialect, nvgpu::NVGPUDialect,
                        scf::SCFDialect, vector::VectorDialect>();
  }

  MLIRContext context;
};

} // namespace

/// The index of the only load of a kernel, where it folds to a constant.
static std::optional<int64_t> foldIndex(KernelOp kernel) {
  OpBuilder builder(kernel.getContext());
  std::optional<int64_t> index;
  kernel.walk([&](Operation *op) {
    if (auto load = dyn_cast<memref::LoadOp>(op)) {
      index = getConstantIntValue(load.getIndices().front());
      return;
    }
    builder.setInsertionPoint(op);
    SmallVector<Value> results;
    if (!isa<RangeOp>(op) && op->getNumResults() == 1 &&
        succeeded(builder.tryFold(op, results)) && !results.empty())
      op->replaceAllUsesWith(results);
  });
  return index;
}

static std::string print(const KernelTraffic &traffic) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const AccessTraffic &access : traffic.accesses) {
    const TrafficSums &sums = access.sums;
    os << sums.requests << " " << sums.elements << " " << sums.bytes << " "
       << sums.sectors << " " << sums.lines << " " << sums.wavefronts << ":";
    for (auto [cost, requests] : access.requestsByCost)
      os << " " << cost << "x" << requests;
    os << "\n";
  }
  return text;
}

namespace {
/// How many threads enter each block, and how many warps come to each branch
/// and go both ways.
struct ExecutionCounts {
  std::map<Block *, uint64_t> threads;
  std::map<Operation *, std::pair<uint64_t, uint64_t>> branches;

  void observe(RequestOptions &options) {
    options.handleBlock = [this](Block &block, LaneMask lanes, uint64_t times) {
      threads[&block] += llvm::popcount(lanes) * times;
    };
    options.handleBranch = [this](Operation *op, LaneMask lanes, LaneMask taken,
                                  uint64_t times) {
      auto &[all, divergent] = branches[op];
      all += times;
      divergent += taken != 0 && taken != lanes ? times : 0;
    };
  }
};
} // namespace

// Of 100 threads, with warps of 64 lanes, 40 take a branch: one warp goes both
// ways. A loop in it runs three times for each of the 40.
TEST_F(MemoryTrafficTest, BlocksAndBranches) {
  ParsedKernel kernel(context, R"mlir(
    uop.kernel loops @branch(%x: memref<100xf32>) {
      %g = uop.range global<x> 5
      %t = uop.range local<x> 100
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c40 = arith.constant 40 : index
      %few = arith.cmpi slt, %t, %c40 : index
      scf.if %few {
        scf.for %i = %c0 to %c3 step %c1 {
          %y = arith.index_cast %i : index to i32
        }
      }
      %v = memref.load %x[%t] : memref<100xf32>
    })mlir");
  ASSERT_TRUE(kernel);
  ExecutionCounts counts;
  RequestOptions options;
  options.warpSize = 64;
  counts.observe(options);
  FailureOr<KernelTraffic> traffic = countTraffic(kernel.get(), options);
  ASSERT_TRUE(succeeded(traffic));
  // Two warps a block; 64 and 36 floats.
  EXPECT_EQ(print(*traffic), "10 500 2000 65 20 0: 5x5 8x5\n");
  std::vector<uint64_t> threads;
  kernel.get().walk<WalkOrder::PreOrder>(
      [&](Block *block) { threads.push_back(counts.threads[block]); });
  EXPECT_EQ(threads, (std::vector<uint64_t>{500, 200, 600}));
  auto branch = *kernel.get().getBodyBlock().getOps<scf::IfOp>().begin();
  EXPECT_EQ(counts.branches[branch], (std::pair<uint64_t, uint64_t>(10, 5)));
}

// Counting one of each class of iterations gives what counting each does.
TEST_F(MemoryTrafficTest, ClassesEqualEnumeration) {
  RequestOptions all;
  all.maxRequests = 1 << 22;
  RequestOptions each = all;
  each.executesAll = true;
  unsigned first = 1, counted = 0;
  if (const char *seed = getenv("UOP_FUZZ_SEED"))
    first = atoi(seed);
  unsigned count = 60;
  if (const char *number = getenv("UOP_FUZZ_COUNT"))
    count = atoi(number);
  for (unsigned seed = first; seed < first + count; ++seed) {
    std::string text = RandomTraffic(seed).make();
    ParsedKernel kernel(context, text);
    ASSERT_TRUE(kernel) << "seed " << seed << "\n" << text;
    ExecutionCounts countsByClass, countsByEach;
    for (auto [options, counts] :
         {std::pair(&all, &countsByClass), std::pair(&each, &countsByEach)}) {
      options->warpSize = seed % 3 == 0 ? 64 : 32;
      counts->observe(*options);
    }
    FailureOr<KernelTraffic> byClass = countTraffic(kernel.get(), all);
    FailureOr<KernelTraffic> byEach = countTraffic(kernel.get(), each);
    ASSERT_TRUE(succeeded(byClass) && succeeded(byEach))
        << "seed " << seed << "\n"
        << text;
    if (byClass->isFirstBlockOnly || byEach->isFirstBlockOnly)
      continue;
    ++counted;
    ASSERT_EQ(print(*byClass), print(*byEach)) << "seed " << seed << "\n"
                                               << text;
    ASSERT_EQ(countsByClass.threads, countsByEach.threads)
        << "seed " << seed << "\n"
        << text;
    ASSERT_EQ(countsByClass.branches, countsByEach.branches)
        << "seed " << seed << "\n"
        << text;
  }
  EXPECT_GT(counted, count / 2);
}

// A copy is a load from global and a store to shared memory. The second one
// reads one element in the lanes below 3, at bytes 0, 16 and 32, and fills the
// rest with zeros.
TEST_F(MemoryTrafficTest, AsynchronousCopies) {
  ParsedKernel kernel(context, R"mlir(
    !s = memref<128xf32, #gpu.address_space<workgroup>>
    uop.kernel loops @copies(%x: memref<128xf32>) {
      %t = uop.range local<x> 32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %s = uop.alloc : !s
      %i = arith.muli %t, %c4 : index
      %a = nvgpu.device_async_copy %x[%i], %s[%i], 4 : memref<128xf32> to !s
      %few = arith.cmpi slt, %t, %c3 : index
      %n = arith.select %few, %c1, %c0 : index
      %b = nvgpu.device_async_copy %x[%i], %s[%i], 4, %n : memref<128xf32> to !s
    })mlir",
                      /*verifies=*/false);
  ASSERT_TRUE(kernel);
  FailureOr<KernelTraffic> traffic = countTraffic(kernel.get());
  ASSERT_TRUE(succeeded(traffic));
  EXPECT_TRUE(traffic->isComplete());
  // Requests, elements, bytes, sectors, lines, wavefronts: costs.
  EXPECT_EQ(print(*traffic), "1 128 512 16 4 0: 16x1\n"
                             "1 128 512 0 0 4: 4x1\n"
                             "1 3 12 2 1 0: 2x1\n"
                             "1 128 512 0 0 4: 4x1\n");
}

// Each op computes what it folds to on constants.
TEST_F(MemoryTrafficTest, OpsAsTheyFold) {
  static const char *ops[] = {
      "arith.addi",      "arith.subi",      "arith.muli",
      "arith.divsi",     "arith.divui",     "arith.floordivsi",
      "arith.ceildivsi", "arith.ceildivui", "arith.remsi",
      "arith.remui",     "arith.andi",      "arith.ori",
      "arith.xori",      "arith.shli",      "arith.shrsi",
      "arith.shrui",     "arith.minsi",     "arith.minui",
      "arith.maxsi",     "arith.maxui",     "uop.floordiv",
      "uop.floormod",    "arith.cmpi slt,", "arith.cmpi uge,",
      "arith.cmpi ult,", "arith.cmpi ne,"};
  for (std::string op : ops)
    for (std::string type : {"index", "i8", "i64"})
      for (int64_t factor : {1, -7, 9})
        for (int64_t constant : {1, 2, 3, 5, 7, -3, -1}) {
          bool isUop = op.rfind("uop.", 0) == 0;
          bool isShift = op.rfind("arith.sh", 0) == 0;
          if ((isUop && type != "index") || (isShift && constant < 0))
            continue;
          bool isCompare = op.rfind("arith.cmpi", 0) == 0;
          std::string c = std::to_string(constant);
          // The value of a lane, minus 16 and times a factor.
          auto makeKernel = [&](const std::string &lane) {
            std::string text = "uop.kernel loops @k(%x: memref<1024xi8>) {\n"
                               "%t = uop.range local<x> 32\n" +
                               lane + "%c16 = arith.constant 16 : index\n" +
                               "%f = arith.constant " + std::to_string(factor) +
                               " : index\n%d = arith.subi %l, %c16 : index\n"
                               "%w = arith.muli %d, %f : index\n";
            std::string value = "%w";
            if (type != "index") {
              text += "%n = arith.index_cast %w : index to " + type + "\n";
              value = "%n";
            }
            text += "%c = arith.constant " + c + " : " + type + "\n%r = " + op +
                    " " + value + ", %c" + (isUop ? "" : " : " + type) + "\n";
            value = "%r";
            if (isCompare || type != "index") {
              text += "%e = arith.index_cast %r : " +
                      std::string(isCompare ? "i1" : type) + " to index\n";
              value = "%e";
            }
            return text + "%v = memref.load %x[" + value +
                   "] : memref<1024xi8>\n}\n";
          };
          std::string text = makeKernel("%c0 = arith.constant 0 : index\n"
                                        "%l = arith.addi %t, %c0 : index\n");
          ParsedKernel kernel(context, text);
          ASSERT_TRUE(kernel) << text;
          SmallVector<WarpAccess> accesses;
          std::array<int64_t, 32> addresses = {};
          auto status = enumerateRequests(
              kernel.get(), {}, accesses, [&](const WarpRequest &request) {
                llvm::copy(request.addresses, addresses.begin());
              });
          ASSERT_TRUE(succeeded(status)) << text;
          unsigned folded = 0;
          for (int64_t lane : {0, 1, 15, 16, 17, 21, 31}) {
            ParsedKernel constants(context, makeKernel("%l = arith.constant " +
                                                       std::to_string(lane) +
                                                       " : index\n"));
            ASSERT_TRUE(constants);
            std::optional<int64_t> expected = foldIndex(constants.get());
            folded += expected.has_value();
            if (expected)
              EXPECT_EQ(addresses[lane], *expected) << text << "lane " << lane;
          }
          EXPECT_GT(folded, 0u) << text;
        }
}
