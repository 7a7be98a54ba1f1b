//===- mlir.c - Beside MLIR's own C API -----------------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// REQUIRES: mlir-c-api
// RUN: %capi/mlir

#include "Uop-c/MLIR.h"
#include "Check.h"

static const char *kText =
    "uop.kernel @twice(%x: memref<5xi32>, %y: memref<5xi32>) {\n"
    "  %i = uop.range loop 5\n"
    "  %v = uop.load %x[%i] : memref<5xi32>\n"
    "  %w = arith.addi %v, %v : i32\n"
    "  uop.store %w, %y[%i] : memref<5xi32>\n"
    "}\n";

static size_t countOperations(MlirModule module) {
  size_t count = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    ++count;
  return count;
}

/// A module of the host's, run and compiled where it is.
static void testHostContext(void) {
  UopError *error = NULL;
  MlirContext host = mlirContextCreate();
  UopContext *context = uopContextCreateFromMLIR(host);
  CHECK(mlirContextEqual(uopContextGetMLIR(context), host));
  // The host itself parses what it has registered nothing for.
  MlirModule parsed =
      mlirModuleCreateParse(host, mlirStringRefCreateFromCString(kText));
  CHECK(!mlirModuleIsNull(parsed));

  UopModule *borrowed = uopModuleBorrowFromMLIR(context, parsed, &error);
  CHECK_SUCCESS(error);
  CHECK(uopModuleGetMLIR(borrowed).ptr == parsed.ptr);
  CHECK(countOperations(parsed) == 1);
  CHECK(uopModuleRunPipeline(borrowed, "uop-gpu-map", &error));
  // A pipeline that fails leaves the host's module valid and in place.
  CHECK(!uopModuleRunPipeline(
      borrowed, "uop-lower-to-gpu-pipeline,uop-verify-no-such", &error));
  CHECK_ERROR(error, UOP_ERROR_PARSE, "uop-verify-no-such");
  CHECK(!uopModuleRunPipeline(
      borrowed, "uop-lower-to-gpu-pipeline,uop-attach-nvvm-target{chip=sm_1}",
      &error));
  CHECK_ERROR(error, UOP_ERROR_COMPILE, "sm_1");
  CHECK(uopModuleGetMLIR(borrowed).ptr == parsed.ptr);
  CHECK(countOperations(parsed) == 1);

  UopExecutable *executable =
      uopExecutableCreate(borrowed, "twice", NULL, &error);
  CHECK_SUCCESS(error);
  int32_t x[] = {1, 2, 3, 4, -5}, y[] = {-1, -1, -1, -1, -1};
  int64_t sizes[] = {5};
  UopArgument arguments[] = {uopMakeArray(UOP_TYPE_I32, x, 1, sizes),
                             uopMakeArray(UOP_TYPE_I32, y, 1, sizes)};
  CHECK(uopExecutableRun(executable, arguments, 2, NULL, &error));
  CHECK(y[0] == 2 && y[3] == 8 && y[4] == -10);
  uopExecutableDestroy(executable);
  UopDeviceCode *code = uopModuleCompile(borrowed, NULL, &error);
  CHECK_SUCCESS(error);
  CHECK_CONTAINS(uopDeviceCodeGetCode(code, NULL), ".entry twice(");
  uopDeviceCodeDestroy(code);
  uopModuleDestroy(borrowed);

  // There and back.
  UopModule *owned = uopModuleCreateFromMLIR(context, parsed, &error);
  CHECK_SUCCESS(error);
  MlirModule again = uopModuleRelease(owned);
  CHECK(again.ptr == parsed.ptr);
  CHECK(mlirOperationVerify(mlirModuleGetOperation(again)));
  owned = uopModuleCreateFromMLIR(context, again, &error);
  uopModuleDestroy(owned);
  uopContextDestroy(context);
  mlirContextDestroy(host);
}

/// A module of ours, in the host's hands.
static void testOwnContext(void) {
  UopError *error = NULL;
  UopContext *context = uopContextCreate();
  UopModule *module = parseText(context, kText);
  MlirModule borrowed = uopModuleGetMLIR(module);
  CHECK(mlirContextEqual(mlirModuleGetContext(borrowed),
                         uopContextGetMLIR(context)));
  MlirModule released = uopModuleRelease(module);
  CHECK(released.ptr == borrowed.ptr && countOperations(released) == 1);
  mlirModuleDestroy(released);

  MlirContext other = mlirContextCreate();
  MlirModule foreign = mlirModuleCreateEmpty(mlirLocationUnknownGet(other));
  CHECK(!uopModuleCreateFromMLIR(context, foreign, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "expected a module of the same");
  mlirModuleDestroy(foreign);
  MlirModule none = {NULL};
  CHECK(!uopModuleBorrowFromMLIR(context, none, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "but got a null one");
  CHECK(!uopModuleBorrowFromMLIR(NULL, none, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "expected a context, but got NULL");
  mlirContextDestroy(other);
  uopContextDestroy(context);

  MlirContext nowhere = {NULL};
  CHECK(!uopContextCreateFromMLIR(nowhere) && !uopContextGetMLIR(NULL).ptr);
  CHECK(!uopModuleGetMLIR(NULL).ptr && !uopModuleRelease(NULL).ptr);
}

static void testRegistration(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  uopRegisterDialects(registry);
  uopRegisterPasses();
  uopRegisterPasses();
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  MlirDialect dialect = mlirContextGetOrLoadDialect(
      context, mlirStringRefCreateFromCString("uop"));
  CHECK(!mlirDialectIsNull(dialect));
  mlirContextDestroy(context);
}

int main(void) {
  testRegistration();
  testHostContext();
  testOwnContext();
  return 0;
}
