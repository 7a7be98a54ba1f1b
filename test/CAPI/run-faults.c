//===- run-faults.c - Programs at fault, checked and counted --------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: %capi/run-faults

#include "Check.h"

static const char *kText =
    // Divides by what is there.
    "module attributes {gpu.container_module} { uop.kernel @divide(%x: "
    "memref<4xi32>, %y: memref<4xi32>) {\n"
    "  %i = uop.range loop 4\n"
    "  %u = uop.load %x[%i] : memref<4xi32>\n"
    "  %c = arith.constant 100 : i32\n"
    "  %q = arith.divsi %c, %u : i32\n"
    "  uop.store %q, %y[%i] : memref<4xi32>\n"
    "}\n"
    "func.func @assert(%f: i1) {\n"
    "  cf.assert %f, \"expected true\"\n"
    "  return\n"
    "}\n"
    // Reads what a neighbour writes.
    "uop.kernel loops @shift(%x: memref<64xf32>) {\n"
    "  %t = uop.range local<x> 63\n"
    "  %c1 = arith.constant 1 : index\n"
    "  %i = arith.addi %t, %c1 : index\n"
    "  %v = memref.load %x[%i] : memref<64xf32>\n"
    "  memref.store %v, %x[%t] : memref<64xf32>\n"
    "}\n"
    // Beyond the end from thread 60 on.
    "uop.kernel loops @beyond(%x: memref<64xf32>, %n: index) {\n"
    "  %t = uop.range local<x> 64\n"
    "  %i = arith.addi %t, %n : index\n"
    "  %c = arith.constant 2.0 : f32\n"
    "  memref.store %c, %x[%i] : memref<64xf32>\n"
    "}\n"
    "uop.kernel loops @spin(%x: memref<1xi32>, %n: index) {\n"
    "  %t = uop.range local<x> 1\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %c1 = arith.constant 1 : index\n"
    "  %one = arith.constant 1 : i32\n"
    "  scf.for %i = %c0 to %n step %c1 {\n"
    "    %v = memref.load %x[%c0] : memref<1xi32>\n"
    "    %w = arith.addi %v, %one : i32\n"
    "    memref.store %w, %x[%c0] : memref<1xi32>\n"
    "  }\n"
    "}\n"
    // Half of the block waits.
    "gpu.module @device {\n"
    "  gpu.func @half(%n: index) kernel {\n"
    "    %t = gpu.thread_id x\n"
    "    %c = arith.cmpi ult, %t, %n : index\n"
    "    scf.if %c {\n"
    "      gpu.barrier\n"
    "    }\n"
    "    gpu.return\n"
    "  }\n"
    "}\n"
    "func.func @diverge(%n: index) {\n"
    "  %c1 = arith.constant 1 : index\n"
    "  %c8 = arith.constant 8 : index\n"
    "  gpu.launch_func @device::@half blocks in (%c1, %c1, %c1)\n"
    "      threads in (%c8, %c1, %c1) args(%n : index)\n"
    "  return\n"
    "}\n"
    "uop.kernel @copy(%x: memref<1024xf32>, %y: memref<1024xf32>) {\n"
    "  %i = uop.range loop 1024\n"
    "  %v = uop.load %x[%i] : memref<1024xf32>\n"
    "  uop.store %v, %y[%i] : memref<1024xf32>\n"
    "}\n"
    // Reads at any place.
    "uop.kernel @gather(%p: memref<2xi32>, %x: memref<8xf32>,\n"
    "                   %y: memref<2xf32>) {\n"
    "  %i = uop.range loop 2\n"
    "  %l = uop.load %p[%i] : memref<2xi32>\n"
    "  %k = arith.index_cast %l : i32 to index\n"
    "  %v = uop.load %x[%k] : memref<8xf32>\n"
    "  uop.store %v, %y[%i] : memref<2xf32>\n"
    "}}\n";

static UopExecutable *make(const UopModule *module, const char *entry,
                           UopDevice device, UopRunMode mode) {
  UopError *error = NULL;
  UopExecutableOptions options;
  uopExecutableOptionsInit(&options, sizeof(options));
  options.device = device;
  options.mode = mode;
  options.stepLimit = mode == UOP_MODE_CHECK ? 1000 : 0;
  UopExecutable *executable =
      uopExecutableCreate(module, entry, &options, &error);
  CHECK_SUCCESS(error);
  CHECK(executable);
  return executable;
}

/// A fault is an error of its run; the next run is as good as any.
static void testDivision(const UopModule *module, UopDevice device,
                         const char *message) {
  UopError *error = NULL;
  UopExecutable *executable = make(module, "divide", device, UOP_MODE_RUN);
  int64_t four[] = {4};
  for (int repeat = 0; repeat < 3; ++repeat) {
    int32_t x[] = {1, 0, 3, 4}, y[] = {-1, -1, -1, -1};
    UopArgument arguments[] = {uopMakeArray(UOP_TYPE_I32, x, 1, four),
                               uopMakeArray(UOP_TYPE_I32, y, 1, four)};
    CHECK(!uopExecutableRun(executable, arguments, 2, NULL, &error));
    CHECK_CONTAINS(uopErrorGetMessage(error), "test.mlir:5:");
    CHECK_ERROR(error, UOP_ERROR_RUN, message);
    x[1] = -2;
    CHECK(uopExecutableRun(executable, arguments, 2, NULL, &error));
    CHECK(y[0] == 100 && y[1] == -50 && y[2] == 33 && y[3] == 25);
  }
  uopExecutableDestroy(executable);
}

static void testAssertions(const UopModule *module, UopRunMode mode) {
  UopError *error = NULL;
  UopExecutable *executable = make(module, "assert", UOP_DEVICE_EMULATOR, mode);
  unsigned char flag = 0;
  size_t faults = 0;
  UopArgument argument = uopMakeScalar(UOP_TYPE_I1, &flag);
  for (flag = 0; flag < 2; ++flag) {
    if (mode == UOP_MODE_RUN)
      CHECK(uopExecutableRun(executable, &argument, 1, NULL, &error) == flag);
    if (mode == UOP_MODE_CHECK)
      uopStringDestroy(
          uopExecutableCheck(executable, &argument, 1, NULL, &faults, &error));
    if (mode == UOP_MODE_COUNT)
      uopStringDestroy(
          uopExecutableCount(executable, &argument, 1, NULL, &error));
    if (flag)
      CHECK_SUCCESS(error);
    else
      CHECK_ERROR(error, UOP_ERROR_RUN, "error: expected true");
  }
  uopExecutableDestroy(executable);
}

static void testDivergence(const UopModule *module) {
  UopError *error = NULL;
  int64_t n = 8;
  UopArgument argument = uopMakeScalar(UOP_TYPE_INDEX, &n);
  UopExecutable *executable =
      make(module, "diverge", UOP_DEVICE_EMULATOR, UOP_MODE_RUN);
  CHECK(uopExecutableRun(executable, &argument, 1, NULL, &error));
  n = 3;
  CHECK(!uopExecutableRun(executable, &argument, 1, NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_RUN, "gpu.barrier");
  n = 0;
  CHECK(uopExecutableRun(executable, &argument, 1, NULL, &error));
  uopExecutableDestroy(executable);

  executable = make(module, "diverge", UOP_DEVICE_EMULATOR, UOP_MODE_CHECK);
  n = 3;
  size_t faults = 0;
  UopString *findings =
      uopExecutableCheck(executable, &argument, 1, NULL, &faults, &error);
  CHECK_SUCCESS(error);
  CHECK(faults == 1);
  CHECK_CONTAINS(uopStringGetData(findings),
                 "\"kind\": \"exit-before-barrier\"");
  uopStringDestroy(findings);
  uopExecutableDestroy(executable);
}

static void testRaces(const UopModule *module) {
  UopError *error = NULL;
  UopExecutable *executable =
      make(module, "shift", UOP_DEVICE_EMULATOR, UOP_MODE_CHECK);
  float x[64];
  for (int i = 0; i < 64; ++i)
    x[i] = (float)i;
  int64_t sizes[] = {64};
  UopArgument argument = uopMakeArray(UOP_TYPE_F32, x, 1, sizes);
  size_t faults = 0;
  UopString *findings =
      uopExecutableCheck(executable, &argument, 1, NULL, &faults, &error);
  CHECK_SUCCESS(error);
  CHECK(faults >= 1);
  CHECK_CONTAINS(uopStringGetData(findings), "\"kind\": \"race\"");
  CHECK_CONTAINS(uopStringGetData(findings), "\"name\": \"%x\"");
  CHECK_CONTAINS(uopStringGetData(findings), "test.mlir");
  uopStringDestroy(findings);
  // It has run as if once: each element has its neighbour's value, or by the
  // race one from further on, and the last one its own.
  CHECK(x[63] == 63 && x[0] >= 1 && x[62] == 63);
  uopExecutableDestroy(executable);
}

static void testBounds(const UopModule *module) {
  UopError *error = NULL;
  UopExecutable *executable =
      make(module, "beyond", UOP_DEVICE_EMULATOR, UOP_MODE_CHECK);
  float x[80] = {0};
  int64_t sizes[] = {64}, n = 4;
  UopArgument arguments[] = {uopMakeArray(UOP_TYPE_F32, x, 1, sizes),
                             uopMakeScalar(UOP_TYPE_INDEX, &n)};
  size_t faults = 0;
  UopString *findings =
      uopExecutableCheck(executable, arguments, 2, NULL, &faults, &error);
  CHECK_SUCCESS(error);
  CHECK(faults == 1);
  CHECK_CONTAINS(uopStringGetData(findings), "\"kind\": \"out-of-bounds\"");
  CHECK_CONTAINS(uopStringGetData(findings), "\"count\": 4");
  uopStringDestroy(findings);
  // Such accesses are not made.
  CHECK(x[4] == 2 && x[63] == 2 && x[3] == 0 && x[64] == 0);
  n = 0;
  findings = uopExecutableCheck(executable, arguments, 2, NULL, &faults, NULL);
  CHECK(findings && faults == 0 && x[3] == 2);
  CHECK_CONTAINS(uopStringGetData(findings), "\"findings\": []");
  uopStringDestroy(findings);
  uopExecutableDestroy(executable);
}

/// At the limit of steps a call ends, and the next one begins anew.
static void testStepLimit(const UopModule *module) {
  UopError *error = NULL;
  UopExecutable *executable =
      make(module, "spin", UOP_DEVICE_EMULATOR, UOP_MODE_CHECK);
  int32_t x = 0;
  int64_t sizes[] = {1}, n;
  UopArgument arguments[] = {uopMakeArray(UOP_TYPE_I32, &x, 1, sizes),
                             uopMakeScalar(UOP_TYPE_INDEX, &n)};
  for (int repeat = 0; repeat < 2; ++repeat) {
    n = INT64_C(1) << 40;
    size_t faults = 0;
    UopString *findings =
        uopExecutableCheck(executable, arguments, 2, NULL, &faults, &error);
    CHECK_SUCCESS(error);
    CHECK(faults == 1);
    CHECK_CONTAINS(uopStringGetData(findings), "\"kind\": \"step-limit\"");
    uopStringDestroy(findings);
    n = 10;
    x = 5;
    findings =
        uopExecutableCheck(executable, arguments, 2, NULL, &faults, &error);
    CHECK_SUCCESS(error);
    CHECK(faults == 0 && x == 15);
    uopStringDestroy(findings);
  }
  uopExecutableDestroy(executable);
}

/// 1024 elements of 4 bytes are 32 warps with a load and a store of 4 sectors
/// of 32 bytes each.
static void testCounts(const UopModule *module) {
  UopError *error = NULL;
  UopExecutable *executable =
      make(module, "copy", UOP_DEVICE_EMULATOR, UOP_MODE_COUNT);
  static float x[1024], y[1024];
  for (int i = 0; i < 1024; ++i) {
    x[i] = (float)i;
    y[i] = -1;
  }
  int64_t sizes[] = {1024};
  UopArgument arguments[] = {uopMakeArray(UOP_TYPE_F32, x, 1, sizes),
                             uopMakeArray(UOP_TYPE_F32, y, 1, sizes)};
  UopString *report =
      uopExecutableCount(executable, arguments, 2, NULL, &error);
  CHECK_SUCCESS(error);
  CHECK(!memcmp(x, y, sizeof(x)));
  CHECK_CONTAINS(uopStringGetData(report), "\"copy\"");
  CHECK_CONTAINS(uopStringGetData(report), "\"buffer\": \"%x\"");
  CHECK_CONTAINS(uopStringGetData(report), "\"sectors\": 128");
  uopStringDestroy(report);
  uopExecutableDestroy(executable);
}

/// The reference checks every access.
static void testReference(const UopModule *module) {
  UopError *error = NULL;
  UopExecutable *executable =
      make(module, "gather", UOP_DEVICE_REFERENCE, UOP_MODE_RUN);
  int32_t places[] = {2, 8};
  int64_t two[] = {2}, eight[] = {8};
  float x[] = {0, 1, 2, 3, 4, 5, 6, 7}, y[] = {-1, -1};
  UopArgument arguments[] = {uopMakeArray(UOP_TYPE_I32, places, 1, two),
                             uopMakeArray(UOP_TYPE_F32, x, 1, eight),
                             uopMakeArray(UOP_TYPE_F32, y, 1, two)};
  CHECK(!uopExecutableRun(executable, arguments, 3, NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_RUN, "test.mlir:");
  CHECK(y[0] == -1);
  uopExecutableDestroy(executable);
}

int main(void) {
  UopContext *context = uopContextCreate();
  UopModule *module = parseText(context, kText);
  testDivision(module, UOP_DEVICE_EMULATOR,
               "divides by zero in block (0, 0, 0)");
  testDivision(module, UOP_DEVICE_CPU, "divides by zero");
  testDivision(module, UOP_DEVICE_REFERENCE, "zero");
  testAssertions(module, UOP_MODE_RUN);
  testAssertions(module, UOP_MODE_CHECK);
  testAssertions(module, UOP_MODE_COUNT);
  testDivergence(module);
  testRaces(module);
  testBounds(module);
  testStepLimit(module);
  testCounts(module);
  testReference(module);
  uopModuleDestroy(module);
  uopContextDestroy(context);
  return 0;
}
