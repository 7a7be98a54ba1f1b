//===- run.c - Kernels and host functions on the caller's memory ----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: %capi/run

#include "Check.h"

static const char *kText =
    // Any layout, and scalars.
    "uop.kernel @axpy(%a: f32, %n: index, %x: memref<?x?xf32, strided<[?, ?], "
    "offset: ?>>, %y: memref<?x3xf32>) {\n"
    "  %i = uop.range loop %n\n"
    "  %j = uop.range loop 3\n"
    "  %u = uop.load %x[%i, %j] : memref<?x?xf32, strided<[?, ?], offset: ?>>\n"
    "  %v = uop.load %y[%i, %j] : memref<?x3xf32>\n"
    "  %p = arith.mulf %a, %u : f32\n"
    "  %s = arith.addf %p, %v : f32\n"
    "  uop.store %s, %y[%i, %j] : memref<?x3xf32>\n"
    "}\n"
    "uop.kernel @flags(%f: i1, %x: memref<4xi1>, %y: memref<i64>,\n"
    "                  %z: memref<4xi64>) {\n"
    "  %i = uop.range loop 4\n"
    "  %u = uop.load %x[%i] : memref<4xi1>\n"
    "  %s = uop.load %y[] : memref<i64>\n"
    "  %b = arith.xori %u, %f : i1\n"
    "  %e = arith.extui %b : i1 to i64\n"
    "  %w = arith.addi %e, %s : i64\n"
    "  uop.store %w, %z[%i] : memref<4xi64>\n"
    "}\n"
    "uop.kernel @half(%h: f16, %x: memref<5xbf16>, %y: memref<5xf32>) {\n"
    "  %i = uop.range loop 5\n"
    "  %u = uop.load %x[%i] : memref<5xbf16>\n"
    "  %e = arith.extf %u : bf16 to f32\n"
    "  %g = arith.extf %h : f16 to f32\n"
    "  %w = arith.addf %e, %g : f32\n"
    "  uop.store %w, %y[%i] : memref<5xf32>\n"
    "}\n"
    "func.func @count(%x: memref<?xi32>) -> index {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %c7 = arith.constant 7 : i32\n"
    "  %n = memref.dim %x, %c0 : memref<?xi32>\n"
    "  memref.store %c7, %x[%c0] : memref<?xi32>\n"
    "  return %n : index\n"
    "}\n"
    "func.func @less(%x: f64) -> i1 {\n"
    "  %c = arith.constant 1.5 : f64\n"
    "  %b = arith.cmpf olt, %x, %c : f64\n"
    "  return %b : i1\n"
    "}\n"
    // Cannot be compiled, and need not be.
    "func.func @other(%x: tensor<2xf32>) { return }\n";

static const UopDevice kDevices[] = {UOP_DEVICE_EMULATOR, UOP_DEVICE_CPU,
                                     UOP_DEVICE_REFERENCE};

static UopExecutable *make(const UopModule *module, const char *entry,
                           UopDevice device) {
  UopError *error = NULL;
  UopExecutableOptions options;
  uopExecutableOptionsInit(&options, sizeof(options));
  options.device = device;
  UopExecutable *executable =
      uopExecutableCreate(module, entry, &options, &error);
  CHECK_SUCCESS(error);
  CHECK(executable);
  return executable;
}

/// y[i, j] += 2 * x[i, j], where x is transposed, in reverse, with gaps, and
/// begins at an offset: x[i, j] is number 10 - i + 12 * j of 36, that is n.
static void testLayouts(const UopModule *module, UopDevice device) {
  UopError *error = NULL;
  float x[36], y[4][3], a = 2;
  for (int n = 0; n < 36; ++n)
    x[n] = (float)n;
  int64_t n = 4, sizes[] = {4, 3}, strides[] = {-1, 12};
  UopArgument arguments[] = {uopMakeScalar(UOP_TYPE_F32, &a),
                             uopMakeScalar(UOP_TYPE_INDEX, &n),
                             uopMakeArray(UOP_TYPE_F32, x, 2, sizes),
                             uopMakeArray(UOP_TYPE_F32, y, 2, sizes)};
  arguments[2].strides = strides;
  arguments[2].offset = 10;
  UopExecutable *executable = make(module, "@axpy", device);
  CHECK(uopExecutableGetNumArguments(executable) == 4);
  CHECK(uopExecutableGetArgument(executable, 3)->isStored);
  CHECK(!uopExecutableGetArgument(executable, 4));
  CHECK(!uopExecutableGetResult(executable));
  for (int repeat = 0; repeat < 2; ++repeat) {
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 3; ++j)
        y[i][j] = 100 * (float)repeat;
    uopExecutableRun(executable, arguments, 4, NULL, &error);
    CHECK_SUCCESS(error);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 3; ++j)
        CHECK(y[i][j] == (float)(100 * repeat + 2 * (10 - i + 12 * j)));
  }
  // The same elements, from a pointer to the first of them.
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 3; ++j)
      y[i][j] = -1;
  arguments[2].data = x + 10;
  arguments[2].offset = 0;
  uopExecutableRun(executable, arguments, 4, NULL, &error);
  CHECK_SUCCESS(error);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 3; ++j)
      CHECK(y[i][j] == (float)(2 * (10 - i + 12 * j) - 1));
  arguments[2].offset = 10;
  // No elements, for which no memory is needed.
  n = 0;
  sizes[0] = 0;
  arguments[2].data = arguments[3].data = NULL;
  uopExecutableRun(executable, arguments, 4, NULL, &error);
  CHECK_SUCCESS(error);
  // One row: its stride does not matter.
  n = sizes[0] = 1;
  arguments[2].data = x;
  arguments[3].data = y;
  int64_t rows[] = {-77, 1};
  arguments[3].strides = rows;
  y[0][0] = y[0][1] = y[0][2] = 1;
  y[1][0] = -1;
  uopExecutableRun(executable, arguments, 4, NULL, &error);
  CHECK_SUCCESS(error);
  CHECK(y[0][0] == 21 && y[0][1] == 45 && y[0][2] == 69 && y[1][0] == -1);
  uopExecutableDestroy(executable);
}

static void testTypes(const UopModule *module, UopDevice device) {
  UopError *error = NULL;
  // A bit is true if it is not zero.
  unsigned char flag = 2, x[] = {0, 1, 0, 1};
  int64_t y = INT64_C(1) << 40, z[] = {-1, -1, -1, -1}, four[] = {4};
  UopArgument flags[] = {uopMakeScalar(UOP_TYPE_I1, &flag),
                         uopMakeArray(UOP_TYPE_I1, x, 1, four),
                         uopMakeArray(UOP_TYPE_I64, &y, 0, NULL),
                         uopMakeArray(UOP_TYPE_I64, z, 1, four)};
  UopExecutable *executable = make(module, "flags", device);
  uopExecutableRun(executable, flags, 4, NULL, &error);
  CHECK_SUCCESS(error);
  CHECK(z[0] == y + 1 && z[1] == y && z[2] == y + 1 && z[3] == y);
  uopExecutableDestroy(executable);

  // 1.5 as f16; 1, -2, 0.5, 256, infinity as bf16.
  uint16_t h = 0x3e00, b[] = {0x3f80, 0xc000, 0x3f00, 0x4380, 0x7f80};
  float f[] = {-1, -1, -1, -1, -1};
  int64_t five[] = {5};
  UopArgument halves[] = {uopMakeScalar(UOP_TYPE_F16, &h),
                          uopMakeArray(UOP_TYPE_BF16, b, 1, five),
                          uopMakeArray(UOP_TYPE_F32, f, 1, five)};
  executable = make(module, "half", device);
  uopExecutableRun(executable, halves, 3, NULL, &error);
  CHECK_SUCCESS(error);
  CHECK(f[0] == 2.5f && f[1] == -0.5f && f[2] == 2.0f && f[3] == 257.5f);
  CHECK(f[4] > 1e38f);
  uopExecutableDestroy(executable);
}

static void testResults(const UopModule *module, UopDevice device) {
  UopError *error = NULL;
  int32_t x[] = {0, 0, 0};
  int64_t sizes[] = {3}, count = -1;
  UopArgument array = uopMakeArray(UOP_TYPE_I32, x, 1, sizes);
  UopExecutable *executable = make(module, "count", device);
  CHECK(uopExecutableGetResult(executable)->elementType == UOP_TYPE_INDEX);
  uopExecutableRun(executable, &array, 1, &count, &error);
  CHECK_SUCCESS(error);
  CHECK(count == 3 && x[0] == 7);
  // It need not be wanted.
  CHECK(uopExecutableRun(executable, &array, 1, NULL, &error));
  uopExecutableDestroy(executable);

  executable = make(module, "less", device);
  double number = 1;
  unsigned char isLess[2] = {9, 9};
  UopArgument scalar = uopMakeScalar(UOP_TYPE_F64, &number);
  CHECK(uopExecutableRun(executable, &scalar, 1, isLess, &error));
  CHECK(isLess[0] == 1 && isLess[1] == 9);
  number = 1.5;
  CHECK(uopExecutableRun(executable, &scalar, 1, isLess, &error));
  CHECK(isLess[0] == 0 && isLess[1] == 9);
  uopExecutableDestroy(executable);
}

/// One rounding or two: 1 + 2^-12 squared, less 1, is 2^-11 and, in one
/// rounding, 2^-24 more.
static void testContraction(UopContext *context) {
  const char *text = "uop.kernel @f(%x: memref<1xf32>, %y: memref<1xf32>) {\n"
                     "  %i = uop.range loop 1\n"
                     "  %v = uop.load %x[%i] : memref<1xf32>\n"
                     "  %m = arith.constant -1.0 : f32\n"
                     "  %p = arith.mulf %v, %v : f32\n"
                     "  %s = arith.addf %p, %m : f32\n"
                     "  uop.store %s, %y[%i] : memref<1xf32>\n"
                     "}";
  UopError *error = NULL;
  UopModule *module = parseText(context, text);
  float x = 1 + 0x1p-12f;
  int64_t sizes[] = {1};
  for (int device = 0; device < 3; ++device)
    for (int contract = 0; contract < 2; ++contract) {
      float y = -1;
      UopExecutableOptions options;
      uopExecutableOptionsInit(&options, sizeof(options));
      CHECK(options.fpContract && !options.parallel);
      options.device = kDevices[device];
      options.fpContract = contract;
      UopExecutable *executable =
          uopExecutableCreate(module, "f", &options, &error);
      CHECK_SUCCESS(error);
      UopArgument arguments[] = {uopMakeArray(UOP_TYPE_F32, &x, 1, sizes),
                                 uopMakeArray(UOP_TYPE_F32, &y, 1, sizes)};
      CHECK(uopExecutableRun(executable, arguments, 2, NULL, &error));
      CHECK(y == (contract ? 0x1p-11f + 0x1p-24f : 0x1p-11f));
      uopExecutableDestroy(executable);
    }
  uopModuleDestroy(module);
}

/// Other options change no result.
static void testOptions(const UopModule *module) {
  UopError *error = NULL;
  UopExecutableOptions options;
  uopExecutableOptionsInit(&options, sizeof(options));
  options.chip = "sm_90";
  options.optLevel = 0;
  options.parallel = true;
  options.vectorWidth = 1;
  options.subgroupSize = 64;
  options.placeShared = options.splitReductions = false;
  UopExecutable *executable =
      uopExecutableCreate(module, "half", &options, &error);
  CHECK_SUCCESS(error);
  CHECK(uopExecutableGetNote(executable));
  uint16_t h = 0x3c00, b[] = {0, 0, 0, 0, 0x3f80};
  float f[5] = {-1, -1, -1, -1, -1};
  int64_t five[] = {5};
  UopArgument halves[] = {uopMakeScalar(UOP_TYPE_F16, &h),
                          uopMakeArray(UOP_TYPE_BF16, b, 1, five),
                          uopMakeArray(UOP_TYPE_F32, f, 1, five)};
  CHECK(uopExecutableRun(executable, halves, 3, NULL, &error));
  CHECK(f[0] == 1 && f[4] == 2);
  uopExecutableDestroy(executable);
}

int main(void) {
  UopContext *context = uopContextCreate();
  UopModule *module = parseText(context, kText);
  for (int device = 0; device < 3; ++device) {
    testLayouts(module, kDevices[device]);
    testTypes(module, kDevices[device]);
  }
  testResults(module, UOP_DEVICE_EMULATOR);
  testResults(module, UOP_DEVICE_CPU);
  testOptions(module);
  testContraction(context);
  // An executable outlives what it was made of.
  UopExecutable *executable = make(module, "less", UOP_DEVICE_EMULATOR);
  UopExecutable *reference = make(module, "half", UOP_DEVICE_REFERENCE);
  uopModuleDestroy(module);
  uopContextDestroy(context);
  double number = 0;
  unsigned char isLess = 9;
  UopArgument scalar = uopMakeScalar(UOP_TYPE_F64, &number);
  CHECK(uopExecutableRun(executable, &scalar, 1, &isLess, NULL));
  CHECK(isLess == 1);
  uopExecutableDestroy(executable);
  uopExecutableDestroy(reference);
  return 0;
}
