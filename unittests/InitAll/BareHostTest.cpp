//===- BareHostTest.cpp - A host that forgets to register something -------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A host that registers too little gets a message and goes on, or what it calls
// registers the rest.
//
//===----------------------------------------------------------------------===//

#include "Uop/Conversion/Pipelines.h"
#include "Uop/Emulator/Jit.h"
#include "Uop/IR/Uop.h"
#include "Uop/InitAll.h"
#include "Uop/Target/DeviceCode.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/Error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using testing::HasSubstr;

namespace {

constexpr const char *kKernel = R"mlir(
  uop.kernel @scale(%x: memref<100xf32>, %y: memref<100xf32>) {
    %i = uop.range loop 100
    %v = uop.load %x[%i] : memref<100xf32>
    %w = arith.addf %v, %v : f32
    uop.store %w, %y[%i] : memref<100xf32>
  })mlir";

class BareHost : public testing::Test {
protected:
  static void SetUpTestSuite() { uop::registerAllPasses(); }

  BareHost() {
    context.getDiagEngine().registerHandler([&](Diagnostic &diagnostic) {
      messages += diagnostic.str() + "\n";
      return success();
    });
  }

  OwningOpRef<ModuleOp> parse() {
    return parseSourceString<ModuleOp>(kKernel, &context);
  }

  LogicalResult run(ModuleOp module, StringRef pipeline) {
    PassManager pm(&context);
    if (failed(parsePassPipeline(pipeline, pm)))
      return failure();
    return pm.run(module);
  }

  MLIRContext context;
  std::string messages;
};

TEST_F(BareHost, Parse) {
  EXPECT_FALSE(parse());
  EXPECT_THAT(messages, HasSubstr("uop.kernel"));
}

// From here on what is missing is registered by what needs it.

TEST_F(BareHost, CompilesToPTX) {
  context.loadDialect<uop::UopDialect>();
  OwningOpRef<ModuleOp> module = parse();
  ASSERT_TRUE(module) << messages;
  ASSERT_TRUE(succeeded(run(*module, "uop-gpu-map,convert-to-nvvm")))
      << messages;
  FailureOr<uop::DeviceCode> code = uop::compileDeviceCode(
      llvm::to_vector(module->getOps<gpu::GPUModuleOp>()));
  ASSERT_TRUE(succeeded(code)) << messages;
  EXPECT_THAT(code->code, HasSubstr(".entry scale("));
}

TEST_F(BareHost, Emulates) {
  context.loadDialect<uop::UopDialect>();
  OwningOpRef<ModuleOp> module = parse();
  ASSERT_TRUE(module) << messages;
  ASSERT_TRUE(succeeded(run(*module, "uop-lower-to-gpu-pipeline"))) << messages;
  std::unique_ptr<uop::Jit> jit = uop::Jit::create(*module);
  ASSERT_TRUE(jit) << messages;
  std::vector<float> x(100, 3), y(100, -1);
  uop::MemRefArgument input(x.data(), {100}), output(y.data(), {100});
  llvm::Error error =
      jit->invoke("scale", {input.descriptor(), output.descriptor()});
  ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
  EXPECT_THAT(y, testing::Each(6));
}

TEST_F(BareHost, HasDialectsWithoutExtensions) {
  DialectRegistry registry;
  uop::registerAllDialects(registry);
  context.appendDialectRegistry(registry);
  OwningOpRef<ModuleOp> module = parse();
  ASSERT_TRUE(module) << messages;
  ASSERT_TRUE(succeeded(run(*module, "uop-gpu-map,convert-to-nvvm")))
      << messages;
  EXPECT_TRUE(succeeded(uop::compileDeviceCode(
      llvm::to_vector(module->getOps<gpu::GPUModuleOp>()))))
      << messages;
}

} // namespace
