//===- module.c - Parse, print, verify, list, run pipelines ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: %capi/module %t

#include "Check.h"

static const char *kKernels =
    "uop.kernel @scale(%x: memref<100xf32>, %y: memref<100xf32>) {\n"
    "  %i = uop.range loop 100\n"
    "  %v = uop.load %x[%i] : memref<100xf32>\n"
    "  %w = arith.addf %v, %v : f32\n"
    "  uop.store %w, %y[%i] : memref<100xf32>\n"
    "}\n"
    "func.func private @external(%x: i32)\n"
    "func.func @host(%n: index, %x: memref<?x3xbf16, strided<[?, 2], "
    "offset: 5>>, %y: memref<?x8xf8E5M2>, %z: memref<2xi16> "
    "{llvm.align = 64 : i64}, %t: tensor<2xf32>) -> i1 {\n"
    "  %b = arith.constant true\n"
    "  return %b : i1\n"
    "}\n"
    "gpu.module @device {\n"
    "  gpu.func @helper() { gpu.return }\n"
    "  gpu.func @kernel(%p: memref<f64>) kernel { gpu.return }\n"
    "}\n";

static void testVersions(void) {
  int major = -1, minor = -1, patch = -1;
  char text[32];
  uopGetVersionNumbers(&major, &minor, &patch);
  uopGetVersionNumbers(NULL, NULL, NULL);
  snprintf(text, sizeof(text), "%d.%d.%d", major, minor, patch);
  CHECK(!strcmp(text, uopGetVersion()));
  CHECK(!strncmp(uopGetLLVMVersion(), "22.", 3));
}

/// What is printed in any form is parsed again to the same.
static void testRoundTrips(UopContext *context) {
  UopError *error = NULL;
  UopModule *module = parseText(context, kKernels);
  UopString *text = uopModulePrint(module, UOP_PRINT_DEFAULT, &error);
  CHECK_SUCCESS(error);
  CHECK_CONTAINS(uopStringGetData(text), "uop.kernel @scale");
  CHECK(strlen(uopStringGetData(text)) == uopStringGetSize(text));
  CHECK(!strstr(uopStringGetData(text), "loc("));
  UopString *forms[3] = {
      uopModulePrint(module, UOP_PRINT_GENERIC, &error),
      uopModulePrint(module, UOP_PRINT_LOCATIONS | UOP_PRINT_GENERIC, &error),
      uopModuleWriteBytecode(module, &error)};
  CHECK_SUCCESS(error);
  CHECK_CONTAINS(uopStringGetData(forms[0]), "\"uop.kernel\"");
  CHECK_CONTAINS(uopStringGetData(forms[1]), "loc(\"test.mlir\":3:");
  CHECK(!memcmp(uopStringGetData(forms[2]), "ML\xefR", 4));
  for (int i = 0; i < 3; ++i) {
    // Bytecode has zero bytes; and one byte before it moves its alignment.
    size_t size = uopStringGetSize(forms[i]);
    char *moved = malloc(size + 1);
    memcpy(moved + 1, uopStringGetData(forms[i]), size);
    UopModule *again = uopModuleParse(context, moved + 1, size, NULL, &error);
    CHECK_SUCCESS(error);
    free(moved);
    UopString *second = uopModulePrint(again, UOP_PRINT_DEFAULT, &error);
    CHECK(!strcmp(uopStringGetData(text), uopStringGetData(second)));
    uopStringDestroy(second);
    uopStringDestroy(forms[i]);
    uopModuleDestroy(again);
  }
  uopStringDestroy(text);
  uopModuleDestroy(module);
}

static void testFiles(UopContext *context, const char *path) {
  UopError *error = NULL;
  FILE *file = fopen(path, "w");
  CHECK(file && fputs(kKernels, file) >= 0 && fclose(file) == 0);
  UopModule *module = uopModuleParseFile(context, path, &error);
  CHECK_SUCCESS(error);
  uopModuleDestroy(module);
  file = fopen(path, "w");
  CHECK(file && fputs("\n\n  what\n", file) >= 0 && fclose(file) == 0);
  CHECK(!uopModuleParseFile(context, path, &error));
  const UopDiagnostic *diagnostic = uopErrorGetDiagnostic(error, 0);
  CHECK(!strcmp(uopDiagnosticGetFile(diagnostic), path));
  CHECK(uopDiagnosticGetLine(diagnostic) == 3);
  CHECK_ERROR(error, UOP_ERROR_PARSE, ":3:3: error: ");
  remove(path);
  CHECK(!uopModuleParseFile(context, path, &error));
  CHECK_ERROR(error, UOP_ERROR_FILE, "cannot read '");
}

static void testFunctions(UopContext *context) {
  UopError *error = NULL;
  UopModule *module = parseText(context, kKernels);
  UopFunctionList *list = uopModuleGetFunctions(module, &error);
  CHECK_SUCCESS(error);
  // The list is of its own.
  uopModuleDestroy(module);
  CHECK(uopFunctionListGetSize(list) == 3);

  CHECK(!strcmp(uopFunctionListGetName(list, 0), "scale"));
  CHECK(uopFunctionListGetKind(list, 0) == UOP_FUNCTION_KERNEL);
  CHECK(uopFunctionListGetNumArguments(list, 0) == 2);
  CHECK(uopFunctionListGetNumResults(list, 0) == 0);
  const UopParameter *x = uopFunctionListGetArgument(list, 0, 0);
  CHECK(x->kind == UOP_ARGUMENT_MEMREF && x->elementType == UOP_TYPE_F32);
  CHECK(x->rank == 1 && x->sizes[0] == 100 && x->strides[0] == 1);
  CHECK(x->offset == 0 && x->isRowMajor && x->alignment == 4);
  CHECK(!strcmp(x->type, "memref<100xf32>"));
  CHECK(!x->isStored && uopFunctionListGetArgument(list, 0, 1)->isStored);

  CHECK(!strcmp(uopFunctionListGetName(list, 1), "host"));
  CHECK(uopFunctionListGetKind(list, 1) == UOP_FUNCTION_HOST);
  CHECK(uopFunctionListGetNumArguments(list, 1) == 5);
  const UopParameter *n = uopFunctionListGetArgument(list, 1, 0);
  CHECK(n->kind == UOP_ARGUMENT_SCALAR && n->elementType == UOP_TYPE_INDEX);
  x = uopFunctionListGetArgument(list, 1, 1);
  CHECK(x->elementType == UOP_TYPE_BF16 && x->rank == 2);
  CHECK(x->sizes[0] == UOP_DYNAMIC && x->sizes[1] == 3);
  CHECK(x->strides[0] == UOP_DYNAMIC && x->strides[1] == 2);
  CHECK(x->offset == 5 && !x->isRowMajor && !x->isStored);
  x = uopFunctionListGetArgument(list, 1, 2);
  CHECK(x->elementType == UOP_TYPE_F8E5M2 && x->strides[0] == 8);
  CHECK(uopFunctionListGetArgument(list, 1, 3)->alignment == 64);
  CHECK(uopFunctionListGetArgument(list, 1, 4)->kind == UOP_ARGUMENT_OTHER);
  CHECK(!strcmp(uopFunctionListGetArgument(list, 1, 4)->type, "tensor<2xf32>"));
  CHECK(uopFunctionListGetNumResults(list, 1) == 1);
  CHECK(uopFunctionListGetResult(list, 1, 0)->elementType == UOP_TYPE_I1);

  CHECK(!strcmp(uopFunctionListGetName(list, 2), "device::kernel"));
  CHECK(uopFunctionListGetKind(list, 2) == UOP_FUNCTION_GPU_KERNEL);
  x = uopFunctionListGetArgument(list, 2, 0);
  CHECK(x->kind == UOP_ARGUMENT_MEMREF && x->rank == 0);

  CHECK(!uopFunctionListGetName(list, 3) && !uopFunctionListGetKind(list, 3));
  CHECK(!uopFunctionListGetArgument(list, 0, 2));
  CHECK(!uopFunctionListGetArgument(list, 3, 0));
  CHECK(!uopFunctionListGetResult(list, 0, 0));
  uopFunctionListDestroy(list);

  module = parseText(context, "uop.kernel loops @l(%x: memref<4xi8>) {\n"
                              "  %t = uop.range local<x> 4\n"
                              "  %c = arith.constant 7 : i8\n"
                              "  memref.store %c, %x[%t] : memref<4xi8>\n}");
  list = uopModuleGetFunctions(module, &error);
  CHECK(uopFunctionListGetKind(list, 0) == UOP_FUNCTION_LOOP_KERNEL);
  CHECK(uopFunctionListGetArgument(list, 0, 0)->isStored);
  uopFunctionListDestroy(list);
  uopModuleDestroy(module);
}

static void testTypes(void) {
  CHECK(uopElementTypeGetBytes(UOP_TYPE_I1) == 1);
  CHECK(uopElementTypeGetBytes(UOP_TYPE_INDEX) == 8);
  CHECK(uopElementTypeGetBytes(UOP_TYPE_BF16) == 2);
  CHECK(uopElementTypeGetBytes(UOP_TYPE_OTHER) == 0);
  CHECK(uopElementTypeGetBytes((UopElementType)19) == 0);
  CHECK(!strcmp(uopElementTypeGetName(UOP_TYPE_F8E8M0FNU), "f8E8M0FNU"));
  CHECK(!strcmp(uopElementTypeGetName((UopElementType)31), ""));
}

static void expectText(const UopModule *module, const char *part, bool isIn) {
  UopError *error = NULL;
  UopString *text = uopModulePrint(module, UOP_PRINT_DEFAULT, &error);
  CHECK_SUCCESS(error);
  CHECK(!!strstr(uopStringGetData(text), part) == isIn);
  uopStringDestroy(text);
}

static void testPipelines(UopContext *context) {
  UopError *error = NULL;
  UopModule *module = parseText(context, kKernels);
  UopModule *clone = uopModuleClone(module, &error);
  CHECK_SUCCESS(error);
  CHECK(uopModuleRunPipeline(module, "", &error));
  CHECK(uopModuleRunPipeline(
      module, "uop-gpu-map{local=0:32}, cse,\n uop-print-launch", &error));
  expectText(module, "uop.range local<x> 32", true);
  expectText(clone, "uop.range local<x> 32", false);
  // Upstream's passes, one for another operation, and both forms.
  CHECK(uopModuleRunPipeline(
      module, " builtin.module( uop-lower-to-gpu-pipeline, gpu.module(cse))",
      &error));
  expectText(module, "gpu.launch_func", true);
  CHECK(uopModuleRunPipeline(clone, "any(uop-gpu-map)", &error));
  CHECK_SUCCESS(error);
  expectText(clone, "uop.range global<x>", true);
  CHECK(uopModuleVerify(clone, &error));

  CHECK(!uopModuleRunPipeline(module, "uop-gpu-map,no-such-pass", &error));
  CHECK_ERROR(error, UOP_ERROR_PARSE,
              "'no-such-pass' does not refer to a registered pass");
  CHECK(!uopModuleRunPipeline(module, "cse)", &error));
  CHECK_ERROR(error, UOP_ERROR_PARSE, "error: ");
  CHECK(!uopModuleRunPipeline(module, "builtin.module(cse", &error));
  CHECK_ERROR(error, UOP_ERROR_PARSE, "expected pass pipeline");
  CHECK(!uopModuleRunPipeline(module, "uop-gpu-map{no-such-option=1}", &error));
  CHECK_ERROR(error, UOP_ERROR_PARSE, "no-such-option");
  // Without a place for the error it is still one.
  CHECK(!uopModuleRunPipeline(module, "no-such-pass", NULL));
  uopModuleDestroy(module);
  uopModuleDestroy(clone);
}

/// A pass that fails, after one that has changed something, has changed
/// nothing; its diagnostics have places.
static void testFailingPass(UopContext *context) {
  UopError *error = NULL;
  UopModule *module = parseText(context, kKernels);
  CHECK(!uopModuleRunPipeline(
      module, "uop-gpu-map{local=0:32},uop-gpu-map{local=7:4}", &error));
  CHECK(uopErrorGetNumDiagnostics(error) >= 1);
  const UopDiagnostic *diagnostic = uopErrorGetDiagnostic(error, 0);
  CHECK(uopDiagnosticGetSeverity(diagnostic) == UOP_SEVERITY_ERROR);
  CHECK(!strcmp(uopDiagnosticGetFile(diagnostic), "test.mlir"));
  CHECK(uopDiagnosticGetLine(diagnostic) == 1);
  CHECK(uopDiagnosticGetColumn(diagnostic) == 1);
  CHECK(
      !strncmp(uopDiagnosticGetText(diagnostic), "test.mlir:1:1: error: ", 22));
  // With the line of the source.
  CHECK_CONTAINS(uopDiagnosticGetText(diagnostic), "\nuop.kernel @scale(");
  CHECK(!strchr(uopDiagnosticGetMessage(diagnostic), '\n'));
  CHECK(!uopErrorGetDiagnostic(error, uopErrorGetNumDiagnostics(error)));
  CHECK_ERROR(error, UOP_ERROR_COMPILE, "test.mlir:1:1: error: ");
  expectText(module, "uop.range local<x>", false);
  CHECK(uopModuleVerify(module, &error));
  CHECK(uopModuleRunPipeline(module, "uop-gpu-map", &error));
  uopModuleDestroy(module);
}

static void testNotes(UopContext *context) {
  UopError *error = NULL;
  const char *twice = "func.func @f() { return }\nfunc.func @f() { return }\n";
  CHECK(!uopModuleParse(context, twice, strlen(twice), NULL, &error));
  const UopDiagnostic *diagnostic = uopErrorGetDiagnostic(error, 0);
  CHECK(uopDiagnosticGetNumNotes(diagnostic) == 1);
  const UopDiagnostic *note = uopDiagnosticGetNote(diagnostic, 0);
  CHECK(uopDiagnosticGetSeverity(note) == UOP_SEVERITY_NOTE);
  CHECK(uopDiagnosticGetLine(note) == 1);
  CHECK_CONTAINS(uopDiagnosticGetText(note), "<input>:1:1: note: ");
  CHECK(!uopDiagnosticGetNote(diagnostic, 1));
  CHECK_CONTAINS(uopErrorGetMessage(error), "<input>:2:1: error: ");
  CHECK_ERROR(error, UOP_ERROR_PARSE, "<input>:1:1: note: ");
}

/// A handler may make calls, of which some fail.
static void parseAgain(const UopDiagnostic *diagnostic, void *userData) {
  UopError *error = NULL;
  UopContext *context = userData;
  CHECK(uopDiagnosticGetSeverity(diagnostic) == UOP_SEVERITY_REMARK);
  uopContextSetDiagnosticHandler(context, NULL, NULL);
  UopModule *module = parseText(context, kKernels);
  CHECK(!uopModuleParse(context, "?", 1, NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_PARSE, "<input>:1:1: error: ");
  uopModuleDestroy(module);
}

static void countRemarks(const UopDiagnostic *diagnostic, void *userData) {
  if (uopDiagnosticGetSeverity(diagnostic) == UOP_SEVERITY_REMARK)
    ++*(int *)userData;
}

static void testRemarks(UopContext *context) {
  UopError *error = NULL;
  UopModule *module = parseText(context, kKernels);
  int remarks = 0;
  uopContextSetDiagnosticHandler(context, countRemarks, &remarks);
  CHECK(uopModuleRunPipeline(module, "uop-gpu-map,uop-print-launch", &error));
  CHECK(remarks == 1);
  uopContextSetDiagnosticHandler(context, parseAgain, context);
  CHECK(uopModuleRunPipeline(module, "uop-print-launch", &error));
  uopContextSetDiagnosticHandler(context, NULL, NULL);
  CHECK(uopModuleRunPipeline(module, "uop-print-launch", &error));
  CHECK(remarks == 1);
  uopModuleDestroy(module);
}

static void testWrongCalls(UopContext *context) {
  UopError *error = NULL;
  CHECK(!uopModuleParse(NULL, "", 0, NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "expected a context, but got NULL");
  CHECK(!uopModuleParse(context, NULL, 3, NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "expected data of 3 bytes");
  CHECK(!uopModuleParseFile(context, NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "expected a path, but got NULL");
  CHECK(!uopModuleClone(NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "expected a module, but got NULL");
  CHECK(!uopModuleVerify(NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "expected a module, but got NULL");
  CHECK(!uopModuleRunPipeline(NULL, "cse", &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "expected a module, but got NULL");
  CHECK(!uopModulePrint(NULL, 0, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "expected a module, but got NULL");
  CHECK(!uopModuleWriteBytecode(NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "expected a module, but got NULL");
  CHECK(!uopModuleGetFunctions(NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "expected a module, but got NULL");
  // Nothing is a module without operations.
  UopModule *module = uopModuleParse(context, NULL, 0, NULL, &error);
  CHECK_SUCCESS(error);
  CHECK(!uopModuleRunPipeline(module, NULL, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "expected a pipeline, but got NULL");
  CHECK(!uopModulePrint(module, 8, &error));
  CHECK_ERROR(error, UOP_ERROR_ARGUMENT, "expected flags of UopPrintFlags");
  UopFunctionList *list = uopModuleGetFunctions(module, &error);
  CHECK(list && uopFunctionListGetSize(list) == 0);
  uopFunctionListDestroy(list);
  uopModuleDestroy(module);

  uopContextSetDiagnosticHandler(NULL, countRemarks, NULL);
  uopContextDestroy(NULL);
  uopModuleDestroy(NULL);
  uopStringDestroy(NULL);
  uopErrorDestroy(NULL);
  uopFunctionListDestroy(NULL);
  CHECK(!uopStringGetData(NULL) && uopStringGetSize(NULL) == 0);
  CHECK(uopFunctionListGetSize(NULL) == 0);
  CHECK(!uopErrorGetMessage(NULL) && !uopErrorGetDiagnostic(NULL, 0));
  CHECK(!uopDiagnosticGetText(NULL) && !uopDiagnosticGetNote(NULL, 0));
}

/// After an error nothing more happens, and the first one stays.
static void testErrorsInARow(UopContext *context) {
  UopError *error = NULL;
  UopModule *module = parseText(context, kKernels);
  CHECK(!uopModuleParse(context, "?", 1, NULL, &error));
  UopError *first = error;
  CHECK(!uopModuleRunPipeline(module, "uop-gpu-map{local=0:32}", &error));
  CHECK(!uopModuleVerify(module, &error) && !uopModuleClone(NULL, &error));
  CHECK(!uopModuleClone(module, &error) && error == first);
  CHECK_ERROR(error, UOP_ERROR_PARSE, "<input>:1:1: error: ");
  expectText(module, "uop.range local<x>", false);
  uopModuleDestroy(module);
}

/// Handles go in any order.
static void testOrder(void) {
  UopError *error = NULL;
  UopContext *context = uopContextCreate();
  UopModule *module = parseText(context, kKernels);
  uopContextDestroy(context);
  CHECK(uopModuleRunPipeline(module, "uop-gpu-map", &error));
  UopModule *clone = uopModuleClone(module, &error);
  uopModuleDestroy(module);
  CHECK(uopModuleVerify(clone, &error));
  uopModuleDestroy(clone);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  UopContext *context = uopContextCreate();
  testVersions();
  testTypes();
  testRoundTrips(context);
  testFiles(context, argv[1]);
  testFunctions(context);
  testPipelines(context);
  testFailingPass(context);
  testNotes(context);
  testRemarks(context);
  testWrongCalls(context);
  testErrorsInARow(context);
  testOrder();
  uopContextDestroy(context);
  return 0;
}
