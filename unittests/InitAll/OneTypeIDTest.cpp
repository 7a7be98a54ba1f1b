//===- OneTypeIDTest.cpp - One op, however it came into the process -------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A host that is linked with libUop loads the plugin and the C library as well:
// all know an op, an attribute, a type and a pass by one TypeID.
//
//===----------------------------------------------------------------------===//

#include "Uop-c/MLIR.h"
#include "Uop/IR/Uop.h"
#include "Uop/InitAll.h"
#include "Uop/Transforms/Passes.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/CAPI/IR.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

template <typename Op> void expectOp(MLIRContext &context) {
  auto name = RegisteredOperationName::lookup(Op::getOperationName(), &context);
  ASSERT_TRUE(name) << Op::getOperationName().str();
  EXPECT_EQ(name->getTypeID(), TypeID::get<Op>())
      << Op::getOperationName().str();
}

template <typename... Ops> int expectOps(MLIRContext &context) {
  (expectOp<Ops>(context), ...);
  return sizeof...(Ops);
}

/// What the dialect of `context` says of itself is what this program, as
/// compiled and linked, says.
void expectOurDialect(MLIRContext &context) {
  Dialect *dialect = context.getOrLoadDialect("uop");
  ASSERT_TRUE(dialect);
  EXPECT_EQ(dialect->getTypeID(), TypeID::get<uop::UopDialect>());
  int numOps = expectOps<
#define GET_OP_LIST
#include "Uop/IR/UopOps.cpp.inc"
      >(context);
  auto isOurs = [](RegisteredOperationName name) {
    return name.getDialectNamespace() == "uop";
  };
  EXPECT_EQ(llvm::count_if(context.getRegisteredOperations(), isOurs), numOps);
  EXPECT_EQ(uop::AxisAttr::get(&context, uop::AxisKind::Loop)
                .getAbstractAttribute()
                .getTypeID(),
            TypeID::get<uop::AxisAttr>());
  Type tile = parseType("!uop.tile<16xf32, workgroup>", &context);
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile.getTypeID(), TypeID::get<uop::TileType>());
}

/// What is registered by a name is what this program makes.
void expectOurPass(MLIRContext &context) {
  PassManager pm(&context);
  ASSERT_TRUE(succeeded(parsePassPipeline("uop-gpu-map", pm)));
  EXPECT_EQ(pm.begin()->getTypeID(), uop::createGPUMap()->getTypeID());
}

TEST(OneTypeID, HostAndPlugin) {
  DialectRegistry registry;
  uop::registerAllDialects(registry);
  uop::registerAllPasses();

  llvm::Expected<DialectPlugin> dialects = DialectPlugin::load(UOP_PLUGIN);
  ASSERT_TRUE(bool(dialects)) << llvm::toString(dialects.takeError());
  dialects->registerDialectRegistryCallbacks(registry);
  llvm::Expected<PassPlugin> passes = PassPlugin::load(UOP_PLUGIN);
  ASSERT_TRUE(bool(passes)) << llvm::toString(passes.takeError());
  passes->registerPassRegistryCallbacks();

  MLIRContext context(registry);
  expectOurDialect(context);
  expectOurPass(context);
}

TEST(OneTypeID, PluginAlone) {
  llvm::Expected<DialectPlugin> dialects = DialectPlugin::load(UOP_PLUGIN);
  ASSERT_TRUE(bool(dialects)) << llvm::toString(dialects.takeError());
  EXPECT_EQ(dialects->getPluginName(), "Uop");
  DialectRegistry registry;
  dialects->registerDialectRegistryCallbacks(registry);
  MLIRContext context(registry);
  expectOurDialect(context);
}

TEST(OneTypeID, CLibrary) {
  UopContext *context = uopContextCreate();
  expectOurDialect(*unwrap(uopContextGetMLIR(context)));
  expectOurPass(*unwrap(uopContextGetMLIR(context)));
  uopContextDestroy(context);
}

// All three in one context: the C library gets a host's, which has the dialect
// of the plugin.
TEST(OneTypeID, CLibraryInHostWithPlugin) {
  llvm::Expected<DialectPlugin> dialects = DialectPlugin::load(UOP_PLUGIN);
  ASSERT_TRUE(bool(dialects)) << llvm::toString(dialects.takeError());
  DialectRegistry registry;
  dialects->registerDialectRegistryCallbacks(registry);
  MLIRContext context(registry);
  UopContext *handle = uopContextCreateFromMLIR(wrap(&context));
  expectOurDialect(context);
  uopContextDestroy(handle);
}

} // namespace
