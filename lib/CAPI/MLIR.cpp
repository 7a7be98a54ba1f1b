//===- MLIR.cpp - The C API beside MLIR's own -----------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of mlir/CAPI only what is inline: handles to objects and back.
//
//===----------------------------------------------------------------------===//

#include "Uop-c/MLIR.h"
#include "Handles.h"
#include "mlir/CAPI/IR.h"

using namespace mlir;
using namespace uop;
using namespace uop::capi;

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

void uopRegisterDialects(MlirDialectRegistry registry) {
  if (registry.ptr)
    registerDialects(*unwrap(registry));
}

void uopRegisterPasses(void) { registerPasses(); }

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

UopContext *uopContextCreateFromMLIR(MlirContext context) {
  if (!context.ptr)
    return nullptr;
  registerPasses();
  DialectRegistry registry;
  registerDialects(registry);
  auto state = std::make_shared<ContextState>();
  state->context = unwrap(context);
  state->context->appendDialectRegistry(registry);
  return new UopContext{std::move(state)};
}

MlirContext uopContextGetMLIR(const UopContext *context) {
  return context ? wrap(context->state->context) : MlirContext{nullptr};
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

static UopModule *create(UopContext *context, MlirModule module, bool isOwned,
                         UopError **error) {
  if (hasFailed(error))
    return nullptr;
  if (!context)
    return fail(error, UOP_ERROR_ARGUMENT, "expected a context, but got NULL");
  if (!module.ptr)
    return fail(error, UOP_ERROR_ARGUMENT,
                "expected a module, but got a null one");
  ModuleOp operation = unwrap(module);
  if (operation.getContext() != context->state->context)
    return fail(error, UOP_ERROR_ARGUMENT,
                "expected a module of the same context, but got one of "
                "another; make the context with uopContextCreateFromMLIR");
  std::unique_ptr<UopModule> result = makeModule(
      context->state, std::make_shared<llvm::SourceMgr>(), operation);
  result->isOwned = isOwned;
  return result.release();
}

UopModule *uopModuleCreateFromMLIR(UopContext *context, MlirModule module,
                                   UopError **error) {
  return create(context, module, /*isOwned=*/true, error);
}

UopModule *uopModuleBorrowFromMLIR(UopContext *context, MlirModule module,
                                   UopError **error) {
  return create(context, module, /*isOwned=*/false, error);
}

MlirModule uopModuleGetMLIR(const UopModule *module) {
  return module ? wrap(module->module) : MlirModule{nullptr};
}

MlirModule uopModuleRelease(UopModule *module) {
  MlirModule result = uopModuleGetMLIR(module);
  if (module)
    module->isOwned = false;
  uopModuleDestroy(module);
  return result;
}
