//===- compile.c - Device code and its manifest ---------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// REQUIRES: ptxas
// RUN: %capi/compile %t.ptx %t.cubin
// RUN: %ptxas -arch=sm_80 %t.ptx -o %t.out
// RUN: %ptxas -arch=sm_90a %t.ptx -o %t.out

#include "Check.h"

static const char *kKernels =
    "uop.kernel @scale(%x: memref<1000xf32>, %y: memref<1000xf32>) {\n"
    "  %i = uop.range loop 1000\n"
    "  %v = uop.load %x[%i] : memref<1000xf32>\n"
    "  %w = arith.mulf %v, %v : f32\n"
    "  %s = arith.addf %w, %v : f32\n"
    "  uop.store %s, %y[%i] : memref<1000xf32>\n"
    "}\n"
    "uop.kernel @sum(%x: memref<64x64xf32>, %y: memref<64xf32>) {\n"
    "  %i = uop.range loop 64\n"
    "  %k = uop.range reduce 64\n"
    "  %v = uop.load %x[%i, %k] : memref<64x64xf32>\n"
    "  %e = math.exp2 %v : f32\n"
    "  %s = uop.reduce add %e over(%k) : f32\n"
    "  uop.store %s, %y[%i] : memref<64xf32>\n"
    "}\n";

static void writeFile(const char *path, const char *data, size_t size) {
  FILE *file = fopen(path, "wb");
  CHECK(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
}

static UopDeviceCode *compile(const UopModule *module,
                              const UopCompileOptions *options) {
  UopError *error = NULL;
  UopDeviceCode *code = uopModuleCompile(module, options, &error);
  CHECK_SUCCESS(error);
  CHECK(code);
  return code;
}

static void testDefaults(const UopModule *module, const char *path) {
  UopDeviceCode *code = compile(module, NULL);
  size_t size = 0;
  const char *ptx = uopDeviceCodeGetCode(code, &size);
  CHECK(strlen(ptx) == size);
  CHECK_CONTAINS(ptx, ".target sm_80");
  CHECK_CONTAINS(ptx, ".entry scale(");
  CHECK_CONTAINS(ptx, ".entry sum(");
  CHECK_CONTAINS(ptx, "fma.rn.f32");
  writeFile(path, ptx, size);
  CHECK(uopDeviceCodeGetNumKernels(code) == 2);
  CHECK(!strcmp(uopDeviceCodeGetKernelName(code, 0), "scale"));
  CHECK(!strcmp(uopDeviceCodeGetKernelName(code, 1), "sum"));
  CHECK(uopDeviceCodeGetSharedBytes(code, 0) == 0);
  CHECK(!uopDeviceCodeGetKernelName(code, 2));
  CHECK(uopDeviceCodeGetSharedBytes(code, 2) == 0);
  CHECK(!strcmp(uopDeviceCodeGetChip(code), "sm_80"));
  const char *manifest = uopDeviceCodeGetManifest(code, &size);
  CHECK(strlen(manifest) == size);
  CHECK_CONTAINS(manifest, "\"name\": \"scale\"");
  CHECK_CONTAINS(manifest, "\"code\": null");
  CHECK_CONTAINS(manifest, "\"version\": 1");
  uopDeviceCodeDestroy(code);
}

static void testOptions(const UopModule *module, const char *cubin) {
  UopCompileOptions options;
  uopCompileOptionsInit(&options, sizeof(options));
  CHECK(options.size == sizeof(options) && options.optLevel == 3);
  options.chip = "sm_90";
  options.features = "+ptx80";
  options.fpContract = false;
  options.codeFile = "kernels.ptx";
  UopDeviceCode *code = compile(module, &options);
  const char *ptx = uopDeviceCodeGetCode(code, NULL);
  CHECK_CONTAINS(ptx, ".target sm_90");
  CHECK_CONTAINS(ptx, ".version 8.0");
  // Of @scale; @sum has libdevice's.
  CHECK_CONTAINS(ptx, "mul.rn.f32");
  CHECK_CONTAINS(uopDeviceCodeGetManifest(code, NULL),
                 "\"code\": \"kernels.ptx\"");
  uopDeviceCodeDestroy(code);

  options.format = UOP_CODE_LLVMIR;
  code = compile(module, &options);
  CHECK_CONTAINS(uopDeviceCodeGetCode(code, NULL), "define ");
  uopDeviceCodeDestroy(code);

  options.format = UOP_CODE_CUBIN;
  code = compile(module, &options);
  size_t size = 0;
  const char *bytes = uopDeviceCodeGetCode(code, &size);
  CHECK(size > 64 && !memcmp(bytes, "\177ELF", 4));
  writeFile(cubin, bytes, size);
  uopDeviceCodeDestroy(code);

  // A caller of an older library, which ended after the chip.
  memset(&options, 0xff, sizeof(options));
  size = offsetof(UopCompileOptions, features);
  uopCompileOptionsInit(&options, size);
  CHECK(options.size == size && !options.chip);
  CHECK(options.optLevel == ~0u);
  code = compile(module, &options);
  uopDeviceCodeDestroy(code);
}

static void testErrors(UopContext *context, const UopModule *module) {
  UopError *error = NULL;
  UopCompileOptions options;
  CHECK(!uopModuleCompile(NULL, NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "expected a module, but got NULL");

  uopCompileOptionsInit(&options, sizeof(options));
  options.format = (UopCodeFormat)3;
  CHECK(!uopModuleCompile(module, &options, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "expected a format of UopCodeFormat");
  uopCompileOptionsInit(&options, sizeof(options));
  options.optLevel = 4;
  CHECK(!uopModuleCompile(module, &options, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "optLevel of 0 to 3, but got 4");
  uopCompileOptionsInit(&options, sizeof(options));
  options.indexWidth = 32;
  CHECK(!uopModuleCompile(module, &options, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "indexWidth of 0 or 64, but got 32");
  uopCompileOptionsInit(&options, sizeof(options));
  options.size = sizeof(options) + 8;
  CHECK(!uopModuleCompile(module, &options, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "the header may be newer");
  options.size = 0;
  CHECK(!uopModuleCompile(module, &options, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "uopCompileOptionsInit");
  uopCompileOptionsInit(NULL, sizeof(options));

  uopCompileOptionsInit(&options, sizeof(options));
  options.chip = "sm_1";
  CHECK(!uopModuleCompile(module, &options, &error));
  CHECK(uopErrorGetNumDiagnostics(error) == 1);
  CHECK_ERROR(error, UOP_ERROR_COMPILE, "sm_1");
  uopCompileOptionsInit(&options, sizeof(options));
  options.cudaPath = "/no/such/toolkit";
  CHECK(!uopModuleCompile(module, &options, &error));
  CHECK_ERROR(error, UOP_ERROR_COMPILE, "/no/such/toolkit");

  UopModule *empty = parseText(context, "func.func @f() { return }");
  CHECK(!uopModuleCompile(empty, NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_COMPILE,
              "test.mlir:0:0: error: expected at least one kernel");
  uopModuleDestroy(empty);

  uopDeviceCodeDestroy(NULL);
  size_t size = 1;
  CHECK(!uopDeviceCodeGetCode(NULL, &size) && size == 0);
  CHECK(!uopDeviceCodeGetManifest(NULL, NULL) && !uopDeviceCodeGetChip(NULL));
  CHECK(uopDeviceCodeGetNumKernels(NULL) == 0);
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  UopContext *context = uopContextCreate();
  UopModule *module = parseText(context, kKernels);
  testDefaults(module, argv[1]);
  testOptions(module, argv[2]);
  testErrors(context, module);
  // None of that has changed the module.
  UopError *error = NULL;
  UopString *text = uopModulePrint(module, UOP_PRINT_DEFAULT, &error);
  CHECK_CONTAINS(uopStringGetData(text), "uop.range loop 1000");
  uopStringDestroy(text);
  uopModuleDestroy(module);
  uopContextDestroy(context);
  return 0;
}
