//===- DeviceCodeTest.cpp - Tests of a host that compiles kernels ---------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A host that registers what Registration.h says, and nothing else, gets from
// the text of a kernel to PTX in one process.
//
//===----------------------------------------------------------------------===//

#include "Uop/Target/DeviceCode.h"
#include "Uop/Conversion/Passes.h"
#include "Uop/Target/Registration.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

constexpr llvm::StringLiteral kKernel = R"mlir(
  gpu.module @m {
    gpu.func @k(%x: memref<64xf32>) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>} {
      %i = gpu.thread_id x
      %a = memref.load %x[%i] : memref<64xf32>
      %b = arith.addf %a, %a : f32
      memref.store %b, %x[%i] : memref<64xf32>
      gpu.return
    }
  }
)mlir";

class DeviceCode : public testing::Test {
protected:
  DeviceCode() {
    DialectRegistry registry;
    registry
        .insert<arith::ArithDialect, gpu::GPUDialect, memref::MemRefDialect>();
    uop::registerDeviceTargets(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  FailureOr<uop::DeviceCode> compile(uop::DeviceFormat format) {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(kKernel, &context);
    if (!module)
      return failure();
    PassManager pm(&context);
    uop::buildConvertToNVVMPipeline(pm, uop::ConvertToNVVMOptions());
    if (failed(pm.run(*module)))
      return failure();
    uop::DeviceCodeOptions options;
    options.format = format;
    return uop::compileDeviceCode(
        llvm::to_vector(module->getOps<gpu::GPUModuleOp>()), options);
  }

  MLIRContext context;
};

TEST_F(DeviceCode, CompilesAgainAndAgain) {
  FailureOr<uop::DeviceCode> first = compile(uop::DeviceFormat::PTX);
  FailureOr<uop::DeviceCode> second = compile(uop::DeviceFormat::PTX);
  ASSERT_TRUE(succeeded(first));
  ASSERT_TRUE(succeeded(second));
  EXPECT_EQ(first->code, second->code);
  EXPECT_EQ(first->chip, "sm_80");
  ASSERT_EQ(first->kernels.size(), 1u);
  EXPECT_EQ(first->kernels[0].name, "k");
  EXPECT_EQ(first->kernels[0].sharedBytes, 0);
  EXPECT_NE(first->code.find(".reqntid 64"), std::string::npos) << first->code;
}

TEST_F(DeviceCode, PrintsLLVMIR) {
  FailureOr<uop::DeviceCode> code = compile(uop::DeviceFormat::LLVMIR);
  ASSERT_TRUE(succeeded(code));
  EXPECT_NE(code->code.find("define ptx_kernel void @k("), std::string::npos)
      << code->code;
}

// As CUDA 12 and 13 print it, of two kernels; lines before the first are about
// the file.
TEST(KernelResources, AreRead) {
  llvm::SmallVector<uop::KernelResources> kernels =
      uop::parseKernelResources(R"(ptxas info    : 0 bytes gmem, 8 bytes cmem[4]
ptxas info    : Compiling entry function 'gemm' for 'sm_80'
ptxas info    : Function properties for gemm
    16 bytes stack frame, 12 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 128 registers, used 1 barriers, 16384 bytes smem, 376 bytes cmem[0]
ptxas info    : Compile time = 4.603 ms
ptxas info    : Compiling entry function 'k' for 'sm_80'
ptxas info    : Function properties for k
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 4 registers, 360 bytes cmem[0]
)");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].name, "gemm");
  EXPECT_EQ(kernels[0].registers, 128);
  EXPECT_EQ(kernels[0].stackBytes, 16);
  EXPECT_EQ(kernels[0].spillStoreBytes, 12);
  EXPECT_EQ(kernels[0].spillLoadBytes, 8);
  EXPECT_EQ(kernels[0].sharedBytes, 16384);
  EXPECT_EQ(kernels[1].name, "k");
  EXPECT_EQ(kernels[1].registers, 4);
  EXPECT_EQ(kernels[1].sharedBytes, 0);
  EXPECT_TRUE(uop::parseKernelResources("").empty());
  EXPECT_TRUE(uop::parseKernelResources("nothing of this kind\n").empty());
}

} // namespace
