//===- HostFunctionTest.cpp - Several launches in order -------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"

using namespace mlir;
using namespace uop;

namespace {

class HostFunctionTest : public InterpreterTest {
protected:
  /// Runs the function beside two kernels: copy, and y = x + s in place.
  std::string host(std::string function,
                   std::vector<KernelArgument> arguments) {
    messages.clear();
    std::string text = R"mlir(
      uop.kernel @copy(%x: memref<?xf32>, %y: memref<?xf32>) {
        %c0 = arith.constant 0 : index
        %n = memref.dim %y, %c0 : memref<?xf32>
        %i = uop.range loop %n
        %v = uop.load %x[%i] : memref<?xf32>
        uop.store %v, %y[%i] : memref<?xf32>
      }
      uop.kernel @add(%s: f32, %x: memref<?xf32>) {
        %c0 = arith.constant 0 : index
        %n = memref.dim %x, %c0 : memref<?xf32>
        %i = uop.range loop %n
        %v = uop.load %x[%i] : memref<?xf32>
        %w = arith.addf %v, %s : f32
        uop.store %w, %x[%i] : memref<?xf32>
      }
    )mlir" + function;
    auto module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return messages;
    for (auto function : module->getOps<func::FuncOp>())
      if (failed(interpretFunction(function, arguments)))
        return messages;
    return "no error";
  }

  std::vector<float> x = {1, 2, 3};
  std::vector<float> y = {-777, -777, -777};
};

// Launches see what earlier ones wrote; memory in between is the function's.
TEST_F(HostFunctionTest, LaunchesInOrder) {
  EXPECT_EQ(host(R"mlir(
    func.func @main(%x: memref<?xf32>, %y: memref<?xf32>) {
      %n = arith.constant 3 : index
      %half = arith.constant 0.5 : f32
      %t = memref.alloc(%n) : memref<?xf32>
      uop.launch @copy(%x, %t) : memref<?xf32>, memref<?xf32>
      uop.launch @add(%half, %t) : f32, memref<?xf32>
      uop.launch @copy(%t, %y) : memref<?xf32>, memref<?xf32>
      memref.dealloc %t : memref<?xf32>
      return
    })mlir",
                 {f32(x, {3}), f32(y, {3})}),
            "no error");
  EXPECT_EQ(x, (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(y, (std::vector<float>{1.5f, 2.5f, 3.5f}));
}

// One kernel for arrays of any size: static ones are cast, and what is
// allocated may be of the size of an argument.
TEST_F(HostFunctionTest, SeveralSizes) {
  std::vector<float> z = {4, 5}, w = {-777, -777};
  EXPECT_EQ(host(R"mlir(
    func.func @main(%x: memref<3xf32>, %y: memref<3xf32>, %z: memref<?xf32>,
                    %w: memref<?xf32>) {
      %c0 = arith.constant 0 : index
      %n = memref.dim %z, %c0 : memref<?xf32>
      %t = memref.alloc(%n) : memref<?xf32>
      %xd = memref.cast %x : memref<3xf32> to memref<?xf32>
      %yd = memref.cast %y : memref<3xf32> to memref<?xf32>
      uop.launch @copy(%xd, %yd) : memref<?xf32>, memref<?xf32>
      uop.launch @copy(%z, %t) : memref<?xf32>, memref<?xf32>
      uop.launch @copy(%t, %w) : memref<?xf32>, memref<?xf32>
      return
    })mlir",
                 {f32(x, {3}), f32(y, {3}), f32(z, {2}), f32(w, {2})}),
            "no error");
  EXPECT_EQ(y, x);
  EXPECT_EQ(w, z);
}

// A cast says what is so.
TEST_F(HostFunctionTest, WrongCast) {
  EXPECT_CONTAINS(host(R"mlir(
    func.func @main(%x: memref<?xf32>, %y: memref<?xf32>) {
      %four = memref.cast %x : memref<?xf32> to memref<4xf32>
      %any = memref.cast %four : memref<4xf32> to memref<?xf32>
      uop.launch @copy(%any, %y) : memref<?xf32>, memref<?xf32>
      return
    })mlir",
                       {f32(x, {3}), f32(y, {3})}),
                  "'memref.cast' op argument #0: expected size 4 of dimension "
                  "#0 of 'memref<4xf32>', but got 3");
}

// Memory that was given back is not used by another name either.
TEST_F(HostFunctionTest, CastOfWhatWasGivenBack) {
  EXPECT_CONTAINS(host(R"mlir(
    func.func @main(%x: memref<?xf32>) {
      %t = memref.alloc() : memref<3xf32>
      %any = memref.cast %t : memref<3xf32> to memref<?xf32>
      memref.dealloc %t : memref<3xf32>
      uop.launch @copy(%any, %x) : memref<?xf32>, memref<?xf32>
      return
    })mlir",
                       {f32(x, {3})}),
                  "uses argument #0, which was given back before");
}

// New memory is NaN, not zero.
TEST_F(HostFunctionTest, AllocationsAreNotZero) {
  EXPECT_EQ(host(R"mlir(
    func.func @main(%n: index, %y: memref<?xf32>) {
      %t = memref.alloc(%n) : memref<?xf32>
      uop.launch @copy(%t, %y) : memref<?xf32>, memref<?xf32>
      return
    })mlir",
                 {index(3), f32(y, {3})}),
            "no error");
  EXPECT_TRUE(y[0] != y[0]);
}

// Other ops are refused by name, before anything runs.
TEST_F(HostFunctionTest, OtherOps) {
  EXPECT_EQ(host(R"mlir(
    func.func @main(%s: f32, %x: memref<?xf32>) {
      uop.launch @add(%s, %x) : f32, memref<?xf32>
      %t = arith.addf %s, %s : f32
      return
    })mlir",
                 {Builder(&context).getF32FloatAttr(1), f32(x, {3})}),
            "'arith.addf' op is not run by the reference interpreter: expected "
            "memref.alloc, memref.dealloc, memref.cast, memref.dim, "
            "arith.constant, uop.launch or return\n");
  EXPECT_EQ(x, (std::vector<float>{1, 2, 3}));
}

// A function has no results and one block.
TEST_F(HostFunctionTest, Results) {
  EXPECT_CONTAINS(host(R"mlir(
    func.func @main(%x: memref<?xf32>) -> memref<?xf32> {
      return %x : memref<?xf32>
    })mlir",
                       {f32(x, {3})}),
                  "'func.func' op expected a function without results");
  EXPECT_CONTAINS(host("func.func private @main(memref<?xf32>)", {f32(x, {3})}),
                  "'func.func' op expected a function with a body");
}

// Memory is given back once, and not used after that.
TEST_F(HostFunctionTest, Lifetimes) {
  EXPECT_CONTAINS(host(R"mlir(
    func.func @main(%x: memref<?xf32>) {
      %n = arith.constant 3 : index
      %t = memref.alloc(%n) : memref<?xf32>
      memref.dealloc %t : memref<?xf32>
      uop.launch @copy(%x, %t) : memref<?xf32>, memref<?xf32>
      return
    })mlir",
                       {f32(x, {3})}),
                  "'uop.launch' op uses argument #1, which was given back");
  EXPECT_CONTAINS(host(R"mlir(
    func.func @main(%x: memref<?xf32>) {
      %n = arith.constant 3 : index
      %t = memref.alloc(%n) : memref<?xf32>
      memref.dealloc %t : memref<?xf32>
      memref.dealloc %t : memref<?xf32>
      return
    })mlir",
                       {f32(x, {3})}),
                  "'memref.dealloc' op gives memory back a second time");
  EXPECT_CONTAINS(host(R"mlir(
    func.func @main(%x: memref<?xf32>) {
      memref.dealloc %x : memref<?xf32>
      return
    })mlir",
                       {f32(x, {3})}),
                  "'memref.dealloc' op expected memory that a memref.alloc of "
                  "the function allocates");
}

// A size cannot be negative, nor more than there is.
TEST_F(HostFunctionTest, Sizes) {
  StringRef text = R"mlir(
    func.func @main(%n: index, %m: index) {
      %t = memref.alloc(%n, %m) : memref<?x?xf32>
      return
    })mlir";
  EXPECT_CONTAINS(host(text.str(), {index(-1), index(3)}),
                  "'memref.alloc' op expected sizes of 0 or more, but got -1");
  EXPECT_CONTAINS(host(text.str(), {index(1ll << 40), index(1ll << 40)}),
                  "'memref.alloc' op expected a size that fits 64 bits");
}

// A launch that fails says which, and why; arguments are checked like those of
// a kernel.
TEST_F(HostFunctionTest, FailingLaunch) {
  StringRef text = R"mlir(
    func.func @main(%x: memref<?xf32>, %y: memref<?xf32>) {
      uop.launch @copy(%x, %y) : memref<?xf32>, memref<?xf32>
      return
    })mlir";
  EXPECT_EQ(host(text.str(), {f32(x, {2}), f32(y, {3})}),
            "'uop.load' op index #0 is out of bounds: expected 0 or more and "
            "less than 2, but got 2 at (loop 3 = 2)\n"
            "the launch of @copy failed\n");
  EXPECT_EQ(y, (std::vector<float>{-777, -777, -777}));
  EXPECT_CONTAINS(host(text.str(), {f32(x, {2})}),
                  "'func.func' op expected 2 arguments, but got 1");
}

} // namespace
