//===- InitAllTest.cpp - A host that registers everything -----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is registered through one header is enough to parse, to run pipelines by
// name, to compile to PTX and to emulate.
//
//===----------------------------------------------------------------------===//

#include "Uop/InitAll.h"
#include "Uop/Emulator/Jit.h"
#include "Uop/Target/DeviceCode.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

constexpr const char *kKernel = R"mlir(
  uop.kernel @scale(%x: memref<100xf32>, %y: memref<100xf32>) {
    %i = uop.range loop 100
    %v = uop.load %x[%i] : memref<100xf32>
    %two = arith.constant 2.0 : f32
    %w = arith.mulf %v, %two : f32
    uop.store %w, %y[%i] : memref<100xf32>
  })mlir";

class InitAll : public testing::Test {
protected:
  static void SetUpTestSuite() { uop::registerAllPasses(); }

  InitAll() {
    DialectRegistry registry;
    uop::registerAllDialects(registry);
    uop::registerAllExtensions(registry);
    context.appendDialectRegistry(registry);
    module = parseSourceString<ModuleOp>(kKernel, &context);
  }

  LogicalResult run(StringRef pipeline) {
    PassManager pm(&context);
    if (failed(parsePassPipeline(pipeline, pm)))
      return failure();
    return pm.run(*module);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(InitAll, CompilesToPTX) {
  ASSERT_TRUE(module);
  ASSERT_TRUE(succeeded(run("uop-gpu-map,convert-to-nvvm")));
  FailureOr<uop::DeviceCode> code = uop::compileDeviceCode(
      llvm::to_vector(module->getOps<gpu::GPUModuleOp>()));
  ASSERT_TRUE(succeeded(code));
  EXPECT_NE(code->code.find(".entry scale("), std::string::npos) << code->code;
}

TEST_F(InitAll, Emulates) {
  ASSERT_TRUE(module);
  ASSERT_TRUE(succeeded(run("uop-lower-to-gpu-pipeline")));
  std::unique_ptr<uop::Jit> jit = uop::Jit::create(*module);
  ASSERT_TRUE(jit);
  std::vector<float> x(100), y(100, -1);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = float(i) / 3;
  uop::MemRefArgument input(x.data(), {100}), output(y.data(), {100});
  llvm::Error error =
      jit->invoke("scale", {input.descriptor(), output.descriptor()});
  ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_EQ(y[i], 2 * x[i]) << i;
}

TEST_F(InitAll, Reports) {
  ASSERT_TRUE(module);
  EXPECT_TRUE(succeeded(run("uop-report-advice")));
}

} // namespace
