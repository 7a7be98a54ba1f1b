//===- threads.c - Two contexts, and one executable, in several threads ---===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: %capi/threads

#include "Check.h"

#include <threads.h>

enum { kThreads = 2, kRounds = 3, kSize = 100 };

static const char *kText =
    "uop.kernel @scale(%a: i32, %x: memref<100xi32>, %y: memref<100xi32>) {\n"
    "  %i = uop.range loop 100\n"
    "  %v = uop.load %x[%i] : memref<100xi32>\n"
    "  %w = arith.muli %v, %a : i32\n"
    "  uop.store %w, %y[%i] : memref<100xi32>\n"
    "}\n"
    "func.func @assert(%f: i1) {\n"
    "  cf.assert %f, \"expected true\"\n"
    "  return\n"
    "}\n";

static void scale(UopExecutable *executable, int32_t factor) {
  UopError *error = NULL;
  int32_t x[kSize], y[kSize];
  for (int i = 0; i < kSize; ++i) {
    x[i] = i;
    y[i] = -1;
  }
  int64_t sizes[] = {kSize};
  UopArgument arguments[] = {uopMakeScalar(UOP_TYPE_I32, &factor),
                             uopMakeArray(UOP_TYPE_I32, x, 1, sizes),
                             uopMakeArray(UOP_TYPE_I32, y, 1, sizes)};
  uopExecutableRun(executable, arguments, 3, NULL, &error);
  CHECK_SUCCESS(error);
  for (int i = 0; i < kSize; ++i)
    CHECK(y[i] == factor * i);
}

/// Everything, from the registration on, in a context of the thread's own.
static int useOwnContext(void *number) {
  for (int round = 0; round < kRounds; ++round) {
    UopError *error = NULL;
    UopContext *context = uopContextCreate();
    UopModule *module = parseText(context, kText);
    UopExecutable *executable =
        uopExecutableCreate(module, "scale", NULL, &error);
    CHECK_SUCCESS(error);
    scale(executable, *(int *)number);
    UopModule *clone = uopModuleClone(module, &error);
    CHECK(uopModuleRunPipeline(clone, "uop-gpu-map,convert-to-nvvm", &error));
    CHECK(!uopModuleRunPipeline(module, "uop-gpu-map{local=9:4}", &error));
    CHECK_ERROR(error, UOP_ERROR_COMPILE, "test.mlir:1:1: error: ");
    uopExecutableDestroy(executable);
    uopModuleDestroy(clone);
    uopModuleDestroy(module);
    uopContextDestroy(context);
  }
  return 0;
}

/// Calls on one context wait for each other.
static int useSharedContext(void *shared) {
  UopContext *context = shared;
  UopError *error = NULL;
  for (int round = 0; round < kRounds; ++round) {
    UopModule *module = parseText(context, kText);
    CHECK(uopModuleRunPipeline(module, "uop-gpu-map", &error));
    CHECK(!uopModuleParse(context, "?", 1, NULL, &error));
    CHECK(uopErrorGetNumDiagnostics(error) == 1);
    CHECK_ERROR(error, UOP_ERROR_PARSE, "<input>:1:1: error: ");
    uopModuleDestroy(module);
  }
  return 0;
}

/// One executable at once, and faults of a thread are its own.
static int runSharedExecutables(void *shared) {
  UopExecutable **executables = shared;
  UopError *error = NULL;
  for (int round = 0; round < 100; ++round) {
    scale(executables[0], round);
    unsigned char flag = round % 2;
    UopArgument argument = uopMakeScalar(UOP_TYPE_I1, &flag);
    CHECK(uopExecutableRun(executables[1], &argument, 1, NULL, &error) == flag);
    if (!flag)
      CHECK_ERROR(error, UOP_ERROR_RUN, "error: expected true");
  }
  return 0;
}

static void inThreads(thrd_start_t function, void *arguments, size_t step) {
  thrd_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i)
    CHECK(thrd_create(&threads[i], function,
                      (char *)arguments + (size_t)i * step) == thrd_success);
  for (int i = 0; i < kThreads; ++i)
    CHECK(thrd_join(threads[i], NULL) == thrd_success);
}

int main(void) {
  UopError *error = NULL;
  int numbers[kThreads] = {3, -5};
  inThreads(useOwnContext, numbers, sizeof(numbers[0]));

  UopContext *context = uopContextCreate();
  inThreads(useSharedContext, context, 0);
  UopModule *module = parseText(context, kText);
  UopExecutable *executables[] = {
      uopExecutableCreate(module, "scale", NULL, &error),
      uopExecutableCreate(module, "assert", NULL, &error)};
  CHECK_SUCCESS(error);
  inThreads(runSharedExecutables, executables, 0);
  uopExecutableDestroy(executables[0]);
  uopExecutableDestroy(executables[1]);
  uopModuleDestroy(module);
  uopContextDestroy(context);
  return 0;
}
