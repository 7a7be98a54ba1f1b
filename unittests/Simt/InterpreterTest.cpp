//===- InterpreterTest.cpp - The interpreter by itself --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small kernels whose results were worked out by hand, in every order of the
// threads.
//
//===----------------------------------------------------------------------===//

#include "SimtInterpreter.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace uop::simt;

namespace {

constexpr int32_t sentinel = -12345;

class SimtInterpreter : public ::testing::Test {
protected:
  SimtInterpreter() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }

  /// Runs a kernel whose argument is %x: memref<?xi32>, in blocks of `block`
  /// threads, and returns what an order of the threads leaves there.
  std::vector<int32_t> run(llvm::StringRef body, Dim3 block, int64_t size,
                           llvm::StringRef attributions = "") {
    std::vector<int32_t> result;
    for (Order order : {Order::Forward, Order::Reverse, Order::Random}) {
      std::vector<int32_t> data(size, sentinel);
      llvm::Expected<Outcome> ran =
          runOnce(body, block, data, attributions, order);
      EXPECT_TRUE(bool(ran)) << llvm::toString(ran.takeError());
      if (order != Order::Forward)
        EXPECT_EQ(data, result);
      result = data;
    }
    return result;
  }

  /// What is wrong with a kernel.
  std::string fail(llvm::StringRef body, int64_t threads) {
    std::vector<int32_t> data(64, 0);
    llvm::Expected<Outcome> ran =
        runOnce(body, {threads, 1, 1}, data, "", Order::Forward);
    return ran ? "nothing" : llvm::toString(ran.takeError());
  }

  llvm::Expected<Outcome> runOnce(llvm::StringRef body, Dim3 block,
                                  std::vector<int32_t> &data,
                                  llvm::StringRef attributions, Order order) {
    std::string text =
        ("gpu.module @m {\n"
         "  gpu.func @k(%x: memref<?xi32>) " +
         attributions + " kernel {\n" + body + "\n    gpu.return\n  }\n}\n")
            .str();
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return llvm::createStringError("does not parse:\n" + text);
    gpu::GPUFuncOp kernel;
    module->walk([&](gpu::GPUFuncOp op) { kernel = op; });
    Launch launch;
    launch.block = block;
    launch.arguments = {Argument::memref(data.data(), {int64_t(data.size())})};
    launch.order = order;
    launch.seed = 7;
    launch.stepLimit = 10000;
    return uop::simt::run(kernel, launch);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

using Values = std::vector<int32_t>;

// Each thread takes the value that its mirror image has left in workgroup
// memory: without the barrier one of the orders would find the fill pattern.
TEST_F(SimtInterpreter, ExchangesThroughWorkgroupMemory) {
  EXPECT_EQ(run(R"mlir(
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    memref.store %v, %w[%t] : memref<5xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %m = arith.subi %c4, %t : index
    %u = memref.load %w[%m] : memref<5xi32, #gpu.address_space<workgroup>>
    memref.store %u, %x[%t] : memref<?xi32>
  )mlir",
                {5, 1, 1}, 6,
                "workgroup(%w : memref<5xi32, "
                "#gpu.address_space<workgroup>>)"),
            (Values{4, 3, 2, 1, 0, sentinel}));
}

// x counts first; the sum of 1 to t by a loop whose bound is the thread's own.
TEST_F(SimtInterpreter, LoopsOfEachThread) {
  EXPECT_EQ(run(R"mlir(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant 0 : i32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %row = arith.muli %ty, %c2 : index
    %t = arith.addi %row, %tx : index
    %n = arith.addi %t, %c1 : index
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
      %v = arith.index_cast %i : index to i32
      %next = arith.addi %s, %v : i32
      scf.yield %next : i32
    }
    memref.store %sum, %x[%t] : memref<?xi32>
  )mlir",
                {2, 3, 1}, 6),
            (Values{0, 1, 3, 6, 10, 15}));
}

// The number of Collatz steps from t + 1, by a loop without a bound.
TEST_F(SimtInterpreter, WhileLoops) {
  EXPECT_EQ(run(R"mlir(
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    %start = arith.addi %v, %one : i32
    %n, %steps = scf.while (%a = %start, %c = %zero) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi ne, %a, %one : i32
      scf.condition(%more) %a, %c : i32, i32
    } do {
    ^bb0(%a: i32, %c: i32):
      %half = arith.divsi %a, %two : i32
      %bit = arith.remsi %a, %two : i32
      %odd = arith.cmpi eq, %bit, %one : i32
      %next = scf.if %odd -> (i32) {
        %p = arith.muli %a, %three : i32
        %q = arith.addi %p, %one : i32
        scf.yield %q : i32
      } else {
        scf.yield %half : i32
      }
      %count = arith.addi %c, %one : i32
      scf.yield %next, %count : i32, i32
    }
    memref.store %steps, %x[%t] : memref<?xi32>
  )mlir",
                {7, 1, 1}, 7),
            (Values{0, 1, 7, 2, 5, 8, 16}));
}

// Threads 2 and 3 of five return; the others still meet, and add 0 + 1 + 4.
TEST_F(SimtInterpreter, ThreadsThatReturnEarly) {
  EXPECT_EQ(run(R"mlir(
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    %two = arith.constant 2 : i32
    %half = arith.divui %v, %two : i32
    %one = arith.constant 1 : i32
    %leaves = arith.cmpi eq, %half, %one : i32
    cf.cond_br %leaves, ^out, ^on
  ^out:
    gpu.return
  ^on:
    %sum = gpu.all_reduce add %v {} : (i32) -> (i32)
    memref.store %sum, %x[%t] : memref<?xi32>
  )mlir",
                {5, 1, 1}, 5),
            (Values{5, 5, sentinel, sentinel, 5}));
}

// Lanes of a width of 4 take the value 10 * lane of another; what is not valid
// is the lane's own, made negative.
TEST_F(SimtInterpreter, Shuffles) {
  auto shuffle = [&](llvm::StringRef mode, int offset) {
    return run(("    %t = gpu.thread_id x\n"
                "    %i = arith.index_cast %t : index to i32\n"
                "    %ten = arith.constant 10 : i32\n"
                "    %v = arith.muli %i, %ten : i32\n"
                "    %o = arith.constant " +
                llvm::Twine(offset) +
                " : i32\n"
                "    %w = arith.constant 4 : i32\n"
                "    %r, %ok = gpu.shuffle " +
                mode +
                " %v, %o, %w : i32\n"
                "    %zero = arith.constant 0 : i32\n"
                "    %n = arith.subi %zero, %r : i32\n"
                "    %s = arith.select %ok, %r, %n : i32\n"
                "    memref.store %s, %x[%t] : memref<?xi32>")
                   .str(),
               {6, 1, 1}, 6);
  };
  EXPECT_EQ(shuffle("xor", 1), (Values{10, 0, 30, 20, -40, -50}));
  EXPECT_EQ(shuffle("up", 1), (Values{0, 0, 10, 20, -40, -50}));
  EXPECT_EQ(shuffle("down", 3), (Values{30, -10, -20, -30, -40, -50}));
  EXPECT_EQ(shuffle("idx", 2), (Values{20, 20, 20, 20, -40, -50}));
  EXPECT_EQ(shuffle("idx", 4), (Values{0, -10, -20, -30, -40, -50}));
}

// Lanes 0, 2 and 1, 3 of a cluster add up; of the second one 4 and 6 are there,
// and 5.
TEST_F(SimtInterpreter, ReductionsOfClusters) {
  EXPECT_EQ(run(R"mlir(
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    %r = gpu.subgroup_reduce add %v cluster(size = 2, stride = 2) : (i32) -> i32
    memref.store %r, %x[%t] : memref<?xi32>
  )mlir",
                {7, 1, 1}, 7),
            (Values{2, 4, 2, 4, 10, 5, 10}));
}

// Odd lanes of 33 vote yes; the second subgroup is lane 32 alone, which is
// even.
TEST_F(SimtInterpreter, Ballots) {
  Values votes = run(R"mlir(
    %all = arith.constant -1 : i32
    %one = arith.constant 1 : i32
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    %bit = arith.andi %v, %one : i32
    %odd = arith.cmpi eq, %bit, %one : i32
    %b = nvvm.vote.sync ballot %all, %odd -> i32
    memref.store %b, %x[%t] : memref<?xi32>
  )mlir",
                     {33, 1, 1}, 33);
  EXPECT_EQ(uint32_t(votes[0]), 0xAAAAAAAAu);
  EXPECT_EQ(uint32_t(votes[31]), 0xAAAAAAAAu);
  EXPECT_EQ(votes[32], 0);
}

// 1 + 2^-12 squared is 1 + 2^-11 + 2^-24, which rounds to 1 + 2^-11: nothing is
// left of it but by a fused operation.
TEST_F(SimtInterpreter, RoundsEachOperation) {
  Values bits = run(R"mlir(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = arith.constant 0x3F800800 : f32
    %c = arith.constant 0xBF801000 : f32
    %p = arith.mulf %a, %a : f32
    %s = arith.addf %p, %c : f32
    %f = math.fma %a, %a, %c : f32
    %si = arith.bitcast %s : f32 to i32
    %fi = arith.bitcast %f : f32 to i32
    memref.store %si, %x[%c0] : memref<?xi32>
    memref.store %fi, %x[%c1] : memref<?xi32>
  )mlir",
                    {1, 1, 1}, 2);
  EXPECT_EQ(bits, (Values{0, (127 - 24) << 23}));
}

// f16 has 10 bits behind the point: 2049 is a tie, and goes to the even 2048;
// bf16 has 7: 257 goes to 256, 259 to 260.
TEST_F(SimtInterpreter, NarrowFloats) {
  Values values = run(R"mlir(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %i2049 = arith.constant 2049 : i32
    %i257 = arith.constant 257 : i32
    %i259 = arith.constant 259 : i32
    %a = arith.sitofp %i2049 : i32 to f16
    %b = arith.sitofp %i257 : i32 to bf16
    %c = arith.sitofp %i259 : i32 to bf16
    %ai = arith.fptosi %a : f16 to i32
    %bi = arith.fptosi %b : bf16 to i32
    %ci = arith.fptosi %c : bf16 to i32
    memref.store %ai, %x[%c0] : memref<?xi32>
    memref.store %bi, %x[%c1] : memref<?xi32>
    memref.store %ci, %x[%c2] : memref<?xi32>
  )mlir",
                      {1, 1, 1}, 3);
  EXPECT_EQ(values, (Values{2048, 256, 260}));
}

// -7 / 2 by each of the divisions, 3 * 100 in eight bits, and -128 >> 3.
TEST_F(SimtInterpreter, Integers) {
  Values values = run(R"mlir(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %a = arith.constant -7 : i32
    %b = arith.constant 2 : i32
    %q = arith.divsi %a, %b : i32
    %f = arith.floordivsi %a, %b : i32
    %u = arith.ceildivsi %a, %b : i32
    %h = arith.constant 100 : i8
    %three = arith.constant 3 : i8
    %p = arith.muli %h, %three : i8
    %pe = arith.extsi %p : i8 to i32
    %least = arith.constant -128 : i8
    %s = arith.shrsi %least, %three : i8
    %se = arith.extsi %s : i8 to i32
    memref.store %q, %x[%c0] : memref<?xi32>
    memref.store %f, %x[%c1] : memref<?xi32>
    memref.store %u, %x[%c2] : memref<?xi32>
    memref.store %pe, %x[%c3] : memref<?xi32>
    memref.store %se, %x[%c4] : memref<?xi32>
  )mlir",
                      {1, 1, 1}, 5);
  EXPECT_EQ(values, (Values{-3, -4, -3, 44, -16}));
}

// A vector is adjacent elements.
TEST_F(SimtInterpreter, Vectors) {
  EXPECT_EQ(run(R"mlir(
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %v = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
    %two = arith.constant dense<2> : vector<4xi32>
    %p = arith.muli %v, %two : vector<4xi32>
    vector.store %p, %x[%c4] : memref<?xi32>, vector<4xi32>
    %u = vector.load %x[%c4] : memref<?xi32>, vector<4xi32>
    %e = vector.extract %u[3] : i32 from vector<4xi32>
    memref.store %e, %x[%c0] : memref<?xi32>
  )mlir",
                {1, 1, 1}, 8),
            (Values{8, sentinel, sentinel, sentinel, 2, 4, 6, 8}));
}

// Six threads add their numbers to one element.
TEST_F(SimtInterpreter, Atomics) {
  EXPECT_EQ(run(R"mlir(
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    %old = memref.atomic_rmw addi %v, %x[%c0] : (i32, memref<?xi32>) -> i32
  )mlir",
                {6, 1, 1}, 1),
            (Values{sentinel + 15}));
}

TEST_F(SimtInterpreter, SaysWhatIsWrong) {
  EXPECT_NE(fail(R"mlir(
    %c64 = arith.constant 64 : index
    %v = memref.load %x[%c64] : memref<?xi32>
  )mlir",
                 1)
                .find("the index 64 of dimension 0 is out of bounds"),
            std::string::npos);
  EXPECT_NE(fail(R"mlir(
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      gpu.barrier
    } else {
      %one = arith.constant 1 : i32
      %sum = gpu.all_reduce add %one {} : (i32) -> (i32)
    }
  )mlir",
                 2)
                .find("the threads of a block disagree:\n  1 wait at "),
            std::string::npos);
  EXPECT_NE(fail(R"mlir(
    %true = arith.constant true
    scf.while : () -> () {
      scf.condition(%true)
    } do {
      scf.yield
    }
  )mlir",
                 1)
                .find("more operations than the step limit"),
            std::string::npos);
  EXPECT_NE(fail(R"mlir(
    %zero = arith.constant 0 : i32
    %q = arith.divui %zero, %zero : i32
  )mlir",
                 1)
                .find("the result is undefined"),
            std::string::npos);
}

} // namespace
