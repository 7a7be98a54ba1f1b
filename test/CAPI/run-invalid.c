//===- run-invalid.c - Arguments and options that do not fit --------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: %capi/run-invalid

#include "Check.h"

static const char *kText =
    "uop.kernel @copy(%n: index, %x: memref<?x4xf32, strided<[?, 1], "
    "offset: ?>>, %y: memref<?x4xf32>) {\n"
    "  %i = uop.range loop %n\n"
    "  %j = uop.range loop 4\n"
    "  %v = uop.load %x[%i, %j] : memref<?x4xf32, strided<[?, 1], offset: ?>>\n"
    "  uop.store %v, %y[%i, %j] : memref<?x4xf32>\n"
    "}\n"
    "uop.kernel @strided(%y: memref<?xf32, strided<[?]>>) {\n"
    "  %i = uop.range loop 2\n"
    "  %c = arith.constant 1.0 : f32\n"
    "  uop.store %c, %y[%i] : memref<?xf32, strided<[?]>>\n"
    "}\n"
    "uop.kernel loops @aligned(%y: memref<4xf32> {llvm.align = 64 : i64}) {\n"
    "  %t = uop.range local<x> 4\n"
    "  %c = arith.constant 1.0 : f32\n"
    "  memref.store %c, %y[%t] : memref<4xf32>\n"
    "}\n"
    "uop.kernel @ranged(%n: index {llvm.range = #llvm.constant_range<i64, 1, "
    "9>}, %y: memref<8xf32>) {\n"
    "  %i = uop.range loop %n\n"
    "  %c = arith.constant 1.0 : f32\n"
    "  uop.store %c, %y[%i] : memref<8xf32>\n"
    "}\n"
    "uop.kernel @refused(%y: memref<8xf32>) {\n"
    "  %i = uop.range global<x> 8\n"
    "  %c = arith.constant 1.0 : f32\n"
    "  uop.store %c, %y[%i] : memref<8xf32>\n"
    "}\n"
    "func.func private @external()\n"
    "func.func @calls() { call @external() : () -> () return }\n"
    "func.func @two() -> (i32, i32) {\n"
    "  %c = arith.constant 1 : i32\n"
    "  return %c, %c : i32, i32\n"
    "}\n"
    "func.func @memref(%x: memref<4xf32>) -> memref<4xf32> {\n"
    "  return %x : memref<4xf32>\n"
    "}\n"
    "func.func @wide(%x: i128) { return }\n"
    "func.func @unranked(%x: memref<*xf32>) { return }\n"
    "func.func @nest(%x: memref<4xmemref<4xf32>>) { return }\n"
    "func.func @layout(%x: memref<4x4xf32, affine_map<(a, b) -> (b * 8 + a "
    "mod 2)>>) { return }\n"
    "func.func @one() -> i32 {\n"
    "  %c = arith.constant 1 : i32\n"
    "  return %c : i32\n"
    "}\n"
    "func.func @nothing() { return }\n";

static void testCreation(const UopModule *module) {
  UopError *error = NULL;
  CHECK(!uopExecutableCreate(NULL, "copy", NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "expected a module, but got NULL");
  CHECK(!uopExecutableCreate(module, NULL, NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "name of a function, but got NULL");
  CHECK(!uopExecutableCreate(module, "@none", NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT,
              "there is no kernel or host function @none; there is @copy, ");
  CHECK(!uopExecutableCreate(module, "", NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "there is no kernel");
  CHECK(!uopExecutableCreate(module, "external", NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "there is no kernel");
  CHECK(!uopExecutableCreate(module, "two", NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "it returns 2 values");
  CHECK(!uopExecutableCreate(module, "memref", NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "expected @memref to return nothing");
  CHECK(!uopExecutableCreate(module, "wide", NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "but got i128");
  CHECK(!uopExecutableCreate(module, "unranked", NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "but got memref<*xf32>");
  CHECK(!uopExecutableCreate(module, "nest", NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "but got memref<4xmemref<4xf32>>");
  CHECK(!uopExecutableCreate(module, "layout", NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "argument #0 of @layout: expected");
  // What no library has.
  CHECK(!uopExecutableCreate(module, "calls", NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_COMPILE, "expected a definition of @external");
}

static void expectWrongOption(const UopModule *module, const char *entry,
                              const UopExecutableOptions *options,
                              UopErrorKind kind, const char *part) {
  UopError *error = NULL;
  CHECK(!uopExecutableCreate(module, entry, options, &error));
  CHECK_ERROR(error, kind, part);
}

static void testOptions(const UopModule *module) {
  UopExecutableOptions defaults, options;
  uopExecutableOptionsInit(&defaults, sizeof(defaults));
  CHECK(defaults.size == sizeof(defaults) && defaults.strictExits);
  options = defaults;
  options.device = (UopDevice)3;
  expectWrongOption(module, "copy", &options, UOP_ERROR_ARGUMENT,
                    "expected a device of UopDevice, but got 3");
  options = defaults;
  options.mode = (UopRunMode)3;
  expectWrongOption(module, "copy", &options, UOP_ERROR_ARGUMENT,
                    "expected a mode of UopRunMode, but got 3");
  options = defaults;
  options.mode = UOP_MODE_CHECK;
  options.device = UOP_DEVICE_REFERENCE;
  expectWrongOption(module, "copy", &options, UOP_ERROR_ARGUMENT,
                    "expected UOP_DEVICE_EMULATOR");
  options = defaults;
  options.optLevel = 4;
  expectWrongOption(module, "copy", &options, UOP_ERROR_ARGUMENT,
                    "optLevel of 0 to 3, but got 4");
  options = defaults;
  options.vectorWidth = 3;
  expectWrongOption(module, "copy", &options, UOP_ERROR_ARGUMENT,
                    "vectorWidth that is a power of two");
  options = defaults;
  options.subgroupSize = 16;
  expectWrongOption(module, "copy", &options, UOP_ERROR_ARGUMENT,
                    "subgroupSize of 32 or 64, but got 16");
  options = defaults;
  options.numLibraries = 1;
  expectWrongOption(module, "copy", &options, UOP_ERROR_ARGUMENT,
                    "expected libraries, but got NULL");
  const char *none = NULL, *missing = "/no/such/library.so";
  options.libraries = &none;
  expectWrongOption(module, "copy", &options, UOP_ERROR_ARGUMENT,
                    "path of library #0, but got NULL");
  options.libraries = &missing;
  expectWrongOption(module, "copy", &options, UOP_ERROR_COMPILE,
                    "cannot load the library '/no/such/library.so'");
  options = defaults;
  options.size = sizeof(options) + 1;
  expectWrongOption(module, "copy", &options, UOP_ERROR_ARGUMENT,
                    "the header may be newer than the library");
  options = defaults;
  options.chip = "sm_1";
  expectWrongOption(module, "copy", &options, UOP_ERROR_COMPILE, "sm_1");
  // What a device does not take.
  options = defaults;
  options.device = UOP_DEVICE_CPU;
  expectWrongOption(module, "refused", &options, UOP_ERROR_COMPILE,
                    "test.mlir:");
  options.device = UOP_DEVICE_REFERENCE;
  expectWrongOption(module, "one", &options, UOP_ERROR_ARGUMENT,
                    "expected @one to return nothing, for the reference");
}

/// Each way in which an argument does not fit, before anything has run.
static void testArguments(const UopModule *module, UopDevice device) {
  UopError *error = NULL;
  UopExecutableOptions options;
  uopExecutableOptionsInit(&options, sizeof(options));
  options.device = device;
  UopExecutable *executable =
      uopExecutableCreate(module, "copy", &options, &error);
  CHECK_SUCCESS(error);
  static float x[64], y[64];
  y[0] = -1;
  int64_t n = 2, sizes[] = {2, 4};
  const UopArgument good[] = {uopMakeScalar(UOP_TYPE_INDEX, &n),
                              uopMakeArray(UOP_TYPE_F32, x, 2, sizes),
                              uopMakeArray(UOP_TYPE_F32, y, 2, sizes)};
  UopArgument bad[3];
#define EXPECT_REFUSED(change, part)                                           \
  do {                                                                         \
    memcpy(bad, good, sizeof(bad));                                            \
    change;                                                                    \
    CHECK(!uopExecutableRun(executable, bad, 3, NULL, &error));                \
    CHECK_ERROR(error, UOP_ERROR_ARGUMENT, part);                              \
  } while (0)
  CHECK(!uopExecutableRun(executable, good, 2, NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT,
              "expected 3 arguments of @copy, but got 2");
  CHECK(!uopExecutableRun(executable, NULL, 3, NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "expected arguments, but got NULL");
  EXPECT_REFUSED(bad[0] = good[1], "argument #0 of @copy: expected a scalar "
                                   "of type index, but got a memref");
  EXPECT_REFUSED(bad[1] = good[0], "but got a scalar");
  EXPECT_REFUSED(bad[1].kind = UOP_ARGUMENT_OTHER, "but got neither");
  EXPECT_REFUSED(bad[1].kind = (UopArgumentKind)3, "but got neither");
  EXPECT_REFUSED(bad[0].elementType = UOP_TYPE_I64,
                 "expected a scalar of type index, but got i64");
  EXPECT_REFUSED(bad[1].elementType = UOP_TYPE_I32,
                 "argument #1 of @copy: expected elements of type f32, but got "
                 "i32");
  EXPECT_REFUSED(bad[1].elementType = (UopElementType)31, "but got another");
  EXPECT_REFUSED(bad[0].data = NULL, "the address of a scalar, but got NULL");
  EXPECT_REFUSED(bad[1].rank = 1, "expected rank 2 of memref<?x4xf32, ");
  EXPECT_REFUSED(bad[1].rank = SIZE_MAX, "expected rank 2 of");
  EXPECT_REFUSED(bad[1].sizes = NULL, "expected 2 sizes, but got NULL");
  EXPECT_REFUSED(bad[2].data = NULL, "expected memory, but got NULL");
  EXPECT_REFUSED(bad[2].data = (char *)y + 2, "aligned to 4 bytes");

  int64_t negative[] = {-2, 4}, wrong[] = {2, 3}, huge[] = {INT64_MAX / 2, 4};
  EXPECT_REFUSED(bad[1].sizes = negative,
                 "expected a size of 0 or more, but dimension #0 is -2");
  EXPECT_REFUSED(bad[2].sizes = wrong,
                 "expected size 4 of dimension #1 of memref<?x4xf32>, but got "
                 "3");
  EXPECT_REFUSED(bad[2].sizes = huge, "a number of elements that fits 64 bits");
  // 2^62 elements are more than 2^63 bytes.
  int64_t large[] = {INT64_C(1) << 60, 4};
  EXPECT_REFUSED(bad[2].sizes = large, "offsets that fit 64 bits");

  int64_t gaps[] = {8, 1}, across[] = {1, 2}, far[] = {INT64_MAX, 1};
  EXPECT_REFUSED(bad[2].strides = gaps,
                 "expected stride 4 of dimension #0 of memref<?x4xf32>, but "
                 "got 8");
  EXPECT_REFUSED(bad[1].strides = across,
                 "expected stride 1 of dimension #1 of");
  int64_t three[] = {3, 4};
  EXPECT_REFUSED((bad[1].strides = far, bad[1].sizes = three),
                 "offsets that fit 64 bits");
  EXPECT_REFUSED(bad[1].offset = INT64_MAX, "offsets that fit 64 bits");
  EXPECT_REFUSED(bad[2].offset = 1, "expected offset 0 of memref<?x4xf32>");

  // A byte that both have; and rows that lie between those of the other one.
  EXPECT_REFUSED(bad[1].data = y + 7,
                 "#1 and #2 do, and the kernel writes #2; pass a copy");
  CHECK(y[0] == -1);
  static float both[16];
  for (int i = 0; i < 16; ++i)
    both[i] = (float)i;
  memcpy(bad, good, sizeof(bad));
  bad[1].data = both + 4;
  bad[2].data = both;
  int64_t one[] = {1, 4};
  n = 1;
  bad[1].sizes = bad[2].sizes = one;
  CHECK(uopExecutableRun(executable, bad, 3, NULL, &error));
  CHECK_SUCCESS(error);
  CHECK(both[0] == 4 && both[3] == 7 && both[4] == 4);
  uopExecutableDestroy(executable);
#undef EXPECT_REFUSED
}

/// What two indices reach may not be written.
static void testSelfOverlap(const UopModule *module) {
  UopError *error = NULL;
  UopExecutable *executable =
      uopExecutableCreate(module, "strided", NULL, &error);
  CHECK_SUCCESS(error);
  float y[8] = {0};
  int64_t two[] = {2}, zero[] = {0}, three[] = {3};
  UopArgument argument = uopMakeArray(UOP_TYPE_F32, y, 1, two);
  argument.strides = zero;
  CHECK(!uopExecutableRun(executable, &argument, 1, NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "does not overlap itself");
  argument.strides = three;
  CHECK(uopExecutableRun(executable, &argument, 1, NULL, &error));
  CHECK(y[0] == 1 && y[1] == 0 && y[3] == 1);
  uopExecutableDestroy(executable);
}

static void testAlignment(const UopModule *module) {
  UopError *error = NULL;
  UopExecutable *executable =
      uopExecutableCreate(module, "aligned", NULL, &error);
  CHECK_SUCCESS(error);
  CHECK(uopExecutableGetArgument(executable, 0)->alignment == 64);
  float *y = aligned_alloc(64, 128);
  CHECK(y);
  y[0] = y[4] = -1;
  int64_t four[] = {4};
  UopArgument argument = uopMakeArray(UOP_TYPE_F32, y + 4, 1, four);
  CHECK(!uopExecutableRun(executable, &argument, 1, NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "aligned to 64 bytes");
  argument.data = y;
  CHECK(uopExecutableRun(executable, &argument, 1, NULL, &error));
  CHECK(y[0] == 1 && y[4] == -1);
  free(y);
  uopExecutableDestroy(executable);
}

/// What a kernel relies on is looked at when it runs, on each device.
static void testRanges(const UopModule *module, UopDevice device) {
  UopError *error = NULL;
  UopExecutableOptions options;
  uopExecutableOptionsInit(&options, sizeof(options));
  options.device = device;
  UopExecutable *executable =
      uopExecutableCreate(module, "ranged", &options, &error);
  CHECK_SUCCESS(error);
  float y[8] = {0};
  int64_t n, eight[] = {8};
  UopArgument arguments[] = {uopMakeScalar(UOP_TYPE_INDEX, &n),
                             uopMakeArray(UOP_TYPE_F32, y, 1, eight)};
  for (n = 0; n < 10; n += 9) {
    CHECK(!uopExecutableRun(executable, arguments, 2, NULL, &error));
    CHECK_ERROR(error, UOP_ERROR_RUN, "llvm.range");
    CHECK(y[0] == 0);
  }
  n = 8;
  CHECK(uopExecutableRun(executable, arguments, 2, NULL, &error));
  CHECK(y[0] == 1 && y[7] == 1);
  uopExecutableDestroy(executable);
}

static void testModes(const UopModule *module) {
  UopError *error = NULL;
  UopExecutable *executable =
      uopExecutableCreate(module, "nothing", NULL, &error);
  CHECK_SUCCESS(error);
  // No arguments need no memory.
  CHECK(uopExecutableRun(executable, NULL, 0, NULL, &error));
  CHECK(!uopExecutableCheck(executable, NULL, 0, NULL, NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT,
              "expected an executable of the mode for uopExecutableCheck, but "
              "got one for uopExecutableRun");
  CHECK(!uopExecutableCount(executable, NULL, 0, NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "the mode for uopExecutableCount");
  CHECK(!uopExecutableRun(NULL, NULL, 0, NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "expected an executable, but got");
  uopExecutableDestroy(executable);

  UopExecutableOptions options;
  uopExecutableOptionsInit(&options, sizeof(options));
  options.mode = UOP_MODE_CHECK;
  executable = uopExecutableCreate(module, "nothing", &options, &error);
  CHECK(!uopExecutableRun(executable, NULL, 0, NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "but got one for uopExecutableCheck");
  UopString *findings =
      uopExecutableCheck(executable, NULL, 0, NULL, NULL, &error);
  CHECK_SUCCESS(error);
  uopStringDestroy(findings);
  uopExecutableDestroy(executable);

  uopExecutableDestroy(NULL);
  uopExecutableOptionsInit(NULL, sizeof(options));
  CHECK(!uopExecutableGetArgument(NULL, 0) && !uopExecutableGetResult(NULL));
  CHECK(uopExecutableGetNumArguments(NULL) == 0 && !uopExecutableGetNote(NULL));
}

int main(void) {
  UopContext *context = uopContextCreate();
  UopModule *module = parseText(context, kText);
  testCreation(module);
  testOptions(module);
  for (int device = 0; device < 3; ++device) {
    testArguments(module, (UopDevice)device);
    testRanges(module, (UopDevice)device);
  }
  testSelfOverlap(module);
  testAlignment(module);
  testModes(module);
  uopModuleDestroy(module);
  uopContextDestroy(context);
  return 0;
}
