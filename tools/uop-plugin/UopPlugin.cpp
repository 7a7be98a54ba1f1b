//===- UopPlugin.cpp - Uop in the stock mlir-opt --------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two functions that mlir-opt, and every tool that takes MLIR's plugins,
// looks for: --load-dialect-plugin makes it parse kernels and gives it what
// device code needs, --load-pass-plugin gives it the passes and pipelines. All
// of it is in libUop, which a tool may be linked with as well.
//
//===----------------------------------------------------------------------===//

#include "Uop/IR/Uop.h"
#include "Uop/InitAll.h"
#include "Uop/Transforms/Passes.h"
#include "Uop/Version.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

/// Whether the host has a uop dialect that is not that of this plugin: one that
/// is linked into the host statically. MLIR would end the process with the
/// second.
static bool hasOtherDialect(const mlir::DialectRegistry &registry) {
  mlir::DialectAllocatorFunctionRef allocate =
      registry.getDialectAllocator(uop::UopDialect::getDialectNamespace());
  if (!allocate)
    return false;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  return allocate(&context)->getTypeID() !=
         mlir::TypeID::get<uop::UopDialect>();
}

/// The same of the passes.
static bool hasOtherPasses() {
  const mlir::PassInfo *info = mlir::PassInfo::lookup("uop-gpu-map");
  if (!info)
    return false;
  mlir::OpPassManager passes(mlir::OpPassManager::Nesting::Implicit);
  auto ignore = [](const llvm::Twine &) { return mlir::failure(); };
  return failed(info->addToPipeline(passes, "", ignore)) ||
         passes.begin()->getTypeID() != uop::createGPUMap()->getTypeID();
}

static void refuse(llvm::StringRef what) {
  llvm::errs() << "error: UopPlugin: expected a host without " << what
               << " of Uop, or with libUop's, but it has another's: link "
                  "the host with Uop::Uop, or load no plugin\n";
}

static void registerDialects(mlir::DialectRegistry *registry) {
  if (hasOtherDialect(*registry))
    return refuse("a dialect");
  uop::registerAllDialects(*registry);
  uop::registerAllExtensions(*registry);
}

static void registerPasses() {
  if (hasOtherPasses())
    return refuse("passes");
  uop::registerAllPasses();
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Uop", UOP_VERSION_STRING, registerDialects};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Uop", UOP_VERSION_STRING, registerPasses};
}
