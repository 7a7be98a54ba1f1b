//===- JitTest.cpp - Emulated gpu code in this process --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Emulator/Jit.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"

#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <numeric>
#include <thread>
#include <vector>

using namespace mlir;
using namespace uop;

namespace {

class JitTest : public ::testing::Test {
protected:
  JitTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    context.appendDialectRegistry(registry);
  }

  std::unique_ptr<Jit> compile(llvm::StringRef source, bool openmp) {
    module = parseSourceString<ModuleOp>(source, &context);
    if (!module)
      return nullptr;
    JitOptions options;
    options.openmp = openmp;
    return Jit::create(*module, options);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

// y = a * x + y, guarded, in blocks of 32 threads.
constexpr const char *saxpy = R"mlir(
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @saxpy(%n: index, %a: f32, %x: memref<?xf32>, %y: memref<?xf32>)
        kernel {
      %i = gpu.global_id x
      %in = arith.cmpi ult, %i, %n : index
      scf.if %in {
        %u = memref.load %x[%i] : memref<?xf32>
        %v = memref.load %y[%i] : memref<?xf32>
        %p = arith.mulf %a, %u : f32
        %s = arith.addf %p, %v : f32
        memref.store %s, %y[%i] : memref<?xf32>
      }
      gpu.return
    }
  }
  func.func @run(%a: f32, %x: memref<?xf32>, %y: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %n = memref.dim %x, %c0 : memref<?xf32>
    %g = arith.ceildivui %n, %c32 : index
    gpu.launch_func @kernels::@saxpy blocks in (%g, %c1, %c1)
        threads in (%c32, %c1, %c1)
        args(%n : index, %a : f32, %x : memref<?xf32>, %y : memref<?xf32>)
    return
  }
}
)mlir";

// Results are those of two roundings, bit for bit, serial or parallel.
TEST_F(JitTest, SaxpyRoundsTwice) {
  for (bool openmp : {false, true}) {
    std::unique_ptr<Jit> jit = compile(saxpy, openmp);
    ASSERT_TRUE(jit);
    EXPECT_TRUE(jit->isParallel() || !openmp || !jit->note().empty());
    const int64_t n = 100;
    std::vector<float> x(n), y(n), expected(n);
    float a = 1.0f + 0x1p-12f;
    for (int64_t i = 0; i < n; ++i) {
      x[i] = 1.0f + 0x1p-12f * i;
      y[i] = -x[i];
      volatile float product = a * x[i];
      expected[i] = product + y[i];
    }
    MemRefArgument xs(x.data(), {n}), ys(y.data(), {n});
    llvm::Error error =
        jit->invoke("run", {&a, xs.descriptor(), ys.descriptor()});
    ASSERT_FALSE(static_cast<bool>(error));
    EXPECT_EQ(y, expected);
  }
}

TEST_F(JitTest, WrongCallIsAnError) {
  std::unique_ptr<Jit> jit = compile(saxpy, /*openmp=*/false);
  ASSERT_TRUE(jit);
  EXPECT_EQ(llvm::toString(jit->invoke("walk", {})),
            "no public function 'walk'");
  EXPECT_EQ(llvm::toString(jit->invoke("run", {})),
            "expected 3 arguments of 'run', but got 0");
}

// Threads that disagree end the process with status 1, from a parallel loop as
// well: 16 of the 32 threads of each block read a one.
TEST_F(JitTest, DivergenceEndsTheProcess) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  std::unique_ptr<Jit> jit = compile(R"mlir(
    module attributes {gpu.container_module} {
      gpu.module @kernels {
        gpu.func @half(%x: memref<?xi1>) kernel {
          %t = gpu.thread_id x
          %on = memref.load %x[%t] : memref<?xi1>
          scf.if %on {
            gpu.barrier
          }
          gpu.return
        }
      }
      func.func @run(%x: memref<?xi1>) {
        %c1 = arith.constant 1 : index
        %c64 = arith.constant 64 : index
        %c32 = arith.constant 32 : index
        gpu.launch_func @kernels::@half blocks in (%c64, %c1, %c1)
            threads in (%c32, %c1, %c1) args(%x : memref<?xi1>)
        return
      }
    }
  )mlir",
                                     /*openmp=*/true);
  ASSERT_TRUE(jit);
  std::vector<int8_t> data(32);
  for (int i = 0; i < 16; ++i)
    data[i] = 1;
  MemRefArgument bits(data.data(), {32});
  EXPECT_EXIT(llvm::consumeError(jit->invoke("run", {bits.descriptor()})),
              ::testing::ExitedWithCode(1),
              "of kernel 'half' disagree at scf.if at .*\n"
              "  16 of them wait at the gpu.barrier at .*: \\(0, 0, 0\\).*\n"
              "  16 of them reach the end of the kernel: \\(16, 0, 0\\)");
}

// Strides and the offset of an argument are honoured: every second element.
TEST_F(JitTest, StridedArgument) {
  std::unique_ptr<Jit> jit = compile(R"mlir(
    func.func @fill(%m: memref<?xi8, strided<[?], offset: ?>>, %v: i8) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = memref.dim %m, %c0 : memref<?xi8, strided<[?], offset: ?>>
      scf.for %i = %c0 to %n step %c1 {
        memref.store %v, %m[%i] : memref<?xi8, strided<[?], offset: ?>>
      }
      return
    }
  )mlir",
                                     /*openmp=*/false);
  ASSERT_TRUE(jit);
  std::vector<int8_t> data(8, -1);
  MemRefArgument view(data.data(), 1, {3}, {2});
  int8_t value = 5;
  ASSERT_FALSE(
      static_cast<bool>(jit->invoke("fill", {view.descriptor(), &value})));
  EXPECT_EQ(data, (std::vector<int8_t>{-1, 5, -1, 5, -1, 5, -1, -1}));
}

//===----------------------------------------------------------------------===//
// Asynchronous code
//===----------------------------------------------------------------------===//

constexpr const char *asynchronous = R"mlir(
func.func @run() {
  %token = async.execute {
    async.yield
  }
  async.await %token : !async.token
  return
}
)mlir";

// The code goes only when no thread of the async runtime is in it any more,
// which it may be when all tokens are available.
TEST_F(JitTest, WaitsForAsyncThreads) {
  std::unique_ptr<Jit> jit = compile(asynchronous, /*openmp=*/false);
  ASSERT_TRUE(jit);
  ASSERT_EQ(llvm::toString(jit->invoke("run", {})), "");

  auto *execute = reinterpret_cast<void (*)(void *, void (*)(void *))>(
      llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(
          "mlirAsyncRuntimeExecute"));
  ASSERT_TRUE(execute);
  std::atomic<bool> hasLeft = false;
  execute(&hasLeft, [](void *flag) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    *static_cast<std::atomic<bool> *>(flag) = true;
  });
  jit.reset();
  EXPECT_TRUE(hasLeft);
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

// The kernel divides by what is in memory; the host asserts before.
constexpr const char *faulty = R"mlir(
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @divide(%x: memref<4xi32>, %y: memref<4xi32>) kernel {
      %i = gpu.thread_id x
      %u = memref.load %x[%i] : memref<4xi32>
      %c100 = arith.constant 100 : i32
      %q = arith.divsi %c100, %u : i32
      memref.store %q, %y[%i] : memref<4xi32>
      gpu.return
    }
  }
  func.func @run(%flag: i1, %x: memref<4xi32>, %y: memref<4xi32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    cf.assert %flag, "expected 100% of a flag"
    gpu.launch_func @kernels::@divide blocks in (%c1, %c1, %c1)
        threads in (%c4, %c1, %c1)
        args(%x : memref<4xi32>, %y : memref<4xi32>)
    return
  }
}
)mlir";

class JitFaults : public JitTest {
protected:
  std::string run(Jit &jit, bool flag, std::vector<int> x,
                  std::vector<int> &y) {
    MemRefArgument xs(x.data(), {4}), ys(y.data(), {4});
    return llvm::toString(
        jit.invoke("run", {&flag, xs.descriptor(), ys.descriptor()}));
  }

  std::unique_ptr<Jit> compileFaulty(bool openmp) {
    module = parseSourceString<ModuleOp>(faulty, &context);
    JitOptions options;
    options.recover = true;
    options.openmp = openmp;
    return Jit::create(*module, options);
  }
};

// Each fault ends its call, also after others, and the code still works.
TEST_F(JitFaults, EndCallsAndNotTheProcess) {
  std::unique_ptr<Jit> jit = compileFaulty(/*openmp=*/false);
  ASSERT_TRUE(jit);
  std::vector<int> y(4, -1);
  for (int repeat = 0; repeat < 3; ++repeat) {
    std::string message = run(*jit, false, {1, 2, 4, 5}, y);
    EXPECT_NE(message.find(": error: expected 100% of a flag"),
              std::string::npos)
        << message;
    EXPECT_EQ(y, std::vector<int>(4, -1));
    message = run(*jit, true, {1, 0, 2, 0}, y);
    EXPECT_NE(message.find("divides by zero"), std::string::npos) << message;
    y.assign(4, -1);
  }
  EXPECT_EQ(run(*jit, true, {1, 2, -4, 5}, y), "");
  EXPECT_EQ(y, std::vector<int>({100, 50, -25, 20}));
}

// The host's part of a parallel program runs in one thread, which can return.
TEST_F(JitFaults, EndCallsOfParallelPrograms) {
  std::unique_ptr<Jit> jit = compileFaulty(/*openmp=*/true);
  ASSERT_TRUE(jit);
  std::vector<int> y(4, -1);
  for (int repeat = 0; repeat < 2; ++repeat)
    EXPECT_NE(run(*jit, false, {1, 2, 4, 5}, y).find("a flag"),
              std::string::npos);
  EXPECT_EQ(run(*jit, true, {1, 2, -4, 5}, y), "");
  EXPECT_EQ(y, std::vector<int>({100, 50, -25, 20}));
}

// In a team the process ends, with the message, although other faults came
// before.
TEST_F(JitFaults, EndTheProcessInsideOfTeams) {
  std::unique_ptr<Jit> jit = compileFaulty(/*openmp=*/true);
  ASSERT_TRUE(jit);
  if (!jit->isParallel())
    GTEST_SKIP() << jit->note().str();
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        std::vector<int> y(4, -1);
        (void)run(*jit, false, {1, 2, 4, 5}, y);
        (void)run(*jit, true, {1, 0, 2, 0}, y);
      },
      testing::ExitedWithCode(1), "divides by zero");
}

} // namespace
