//===- Module.h - Contexts and modules ----------------------------*- C -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parse, print, verify, list what is there, and run passes. Support.h says what
// holds for errors, ownership and threads.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_C_MODULE_H
#define UOP_C_MODULE_H

#include "Uop-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

/// Where modules live. It knows the uop dialect and all of upstream's, and what
/// they need to be compiled.
typedef struct UopContext UopContext;

/// Makes a context, and registers all passes and pipelines of Uop and of MLIR
/// once in the process. It starts no threads: a process may fork, and runs
/// several contexts at once to use several cores.
UOP_CAPI_EXPORTED UopContext *uopContextCreate(void);
UOP_CAPI_EXPORTED void uopContextDestroy(UopContext *context);

/// Is called for each diagnostic of a call on the context or its modules, also
/// of calls that succeed, which may warn and remark: at the end of the call, in
/// its thread. The diagnostic is gone when the handler returns. The handler may
/// make calls, must return (no longjmp, no exception), and may not destroy what
/// the call works on.
typedef void (*UopDiagnosticHandler)(const UopDiagnostic *diagnostic,
                                     void *userData);

/// Sets the handler, or with NULL removes it: then warnings and remarks are
/// dropped, and errors are known to UopError alone.
UOP_CAPI_EXPORTED void
uopContextSetDiagnosticHandler(UopContext *context,
                               UopDiagnosticHandler handler, void *userData);

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// A module: kernels and host functions, in any dialect.
typedef struct UopModule UopModule;

/// Parses `size` bytes of text or bytecode, and verifies them. `name` stands in
/// locations where a file name would; NULL is "<input>".
/// Errors: UOP_ERROR_PARSE.
UOP_CAPI_EXPORTED UopModule *uopModuleParse(UopContext *context,
                                            const char *data, size_t size,
                                            const char *name, UopError **error);

/// The same of a file. Errors: UOP_ERROR_FILE, UOP_ERROR_PARSE.
UOP_CAPI_EXPORTED UopModule *
uopModuleParseFile(UopContext *context, const char *path, UopError **error);

/// A copy, in the same context.
UOP_CAPI_EXPORTED UopModule *uopModuleClone(const UopModule *module,
                                            UopError **error);
UOP_CAPI_EXPORTED void uopModuleDestroy(UopModule *module);

/// To be combined with |.
typedef enum UopPrintFlags {
  UOP_PRINT_DEFAULT = 0,
  /// The generic form of every operation.
  UOP_PRINT_GENERIC = 1,
  /// With locations.
  UOP_PRINT_LOCATIONS = 2
} UopPrintFlags;

/// The text of the module, which uopModuleParse reads. `flags` is of
/// UopPrintFlags. Errors: UOP_ERROR_ARGUMENT.
UOP_CAPI_EXPORTED UopString *uopModulePrint(const UopModule *module,
                                            unsigned flags, UopError **error);

/// The bytecode of the module, which uopModuleParse reads. Errors:
/// UOP_ERROR_COMPILE.
UOP_CAPI_EXPORTED UopString *uopModuleWriteBytecode(const UopModule *module,
                                                    UopError **error);

/// Verifies the module. What is parsed, and what a pipeline leaves, is verified
/// already. Errors: UOP_ERROR_COMPILE.
UOP_CAPI_EXPORTED bool uopModuleVerify(const UopModule *module,
                                       UopError **error);

/// Runs passes on the module, such as "uop-gpu-map,convert-to-nvvm" or
/// "uop-gpu-map{local=0:16},cse": a pass for another operation runs on each
/// such operation of the module. "builtin.module(...)", as the tools'
/// --pass-pipeline has it, is taken too. On an error the module is as before.
/// Errors: UOP_ERROR_PARSE where the pipeline cannot be read, and
/// UOP_ERROR_COMPILE where a pass fails.
UOP_CAPI_EXPORTED bool
uopModuleRunPipeline(UopModule *module, const char *pipeline, UopError **error);

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Types of numbers, with their bytes in memory. An i1 is a byte of 0 or 1, an
/// index 8 bytes.
typedef enum UopElementType {
  /// A type that cannot be passed from outside.
  UOP_TYPE_OTHER = 0,
  UOP_TYPE_I1 = 1,
  UOP_TYPE_I8 = 2,
  UOP_TYPE_I16 = 3,
  UOP_TYPE_I32 = 4,
  UOP_TYPE_I64 = 5,
  UOP_TYPE_INDEX = 6,
  UOP_TYPE_F16 = 7,
  UOP_TYPE_BF16 = 8,
  UOP_TYPE_F32 = 9,
  UOP_TYPE_F64 = 10,
  UOP_TYPE_F8E5M2 = 11,
  UOP_TYPE_F8E4M3 = 12,
  UOP_TYPE_F8E4M3FN = 13,
  UOP_TYPE_F8E5M2FNUZ = 14,
  UOP_TYPE_F8E4M3FNUZ = 15,
  UOP_TYPE_F8E4M3B11FNUZ = 16,
  UOP_TYPE_F8E3M4 = 17,
  UOP_TYPE_F8E8M0FNU = 18
} UopElementType;

/// The bytes that a number of this type takes; 0 for UOP_TYPE_OTHER and for a
/// value that is no type.
UOP_CAPI_EXPORTED size_t uopElementTypeGetBytes(UopElementType type);
/// The type as it is written, such as "f32"; "" where there are no bytes.
UOP_CAPI_EXPORTED const char *uopElementTypeGetName(UopElementType type);

/// A size, a stride or an offset that a type leaves open.
#define UOP_DYNAMIC INT64_MIN

typedef enum UopArgumentKind {
  /// Neither of the two below: cannot be passed from outside.
  UOP_ARGUMENT_OTHER = 0,
  UOP_ARGUMENT_SCALAR = 1,
  UOP_ARGUMENT_MEMREF = 2
} UopArgumentKind;

/// What a function takes or returns. Made by the library alone, which may add
/// members at the end.
typedef struct UopParameter {
  /// The type as it is written, such as "memref<?x48xf32>".
  const char *type;
  UopArgumentKind kind;
  /// Of a scalar, or of the elements of a memref.
  UopElementType elementType;
  /// Of a memref: its dimensions, and of each the size and the stride, in
  /// elements; these, and the offset, may be UOP_DYNAMIC.
  size_t rank;
  const int64_t *sizes;
  const int64_t *strides;
  int64_t offset;
  /// Whether the strides must be those of a row-major array, also where they
  /// are UOP_DYNAMIC because sizes are.
  bool isRowMajor;
  /// The bytes to whose multiple the pointer must be aligned.
  uint64_t alignment;
  /// Whether the function may write the memref.
  bool isStored;
} UopParameter;

typedef enum UopFunctionKind {
  /// A uop.kernel in graph form, and in loop form.
  UOP_FUNCTION_KERNEL = 1,
  UOP_FUNCTION_LOOP_KERNEL = 2,
  /// A func.func with a body.
  UOP_FUNCTION_HOST = 3,
  /// A kernel in a gpu.module; its name is "module::kernel". Only a host
  /// function can launch it.
  UOP_FUNCTION_GPU_KERNEL = 4
} UopFunctionKind;

/// The functions of a module as they were when it was asked.
typedef struct UopFunctionList UopFunctionList;

/// In the order of the module.
UOP_CAPI_EXPORTED UopFunctionList *
uopModuleGetFunctions(const UopModule *module, UopError **error);
UOP_CAPI_EXPORTED void uopFunctionListDestroy(UopFunctionList *list);

UOP_CAPI_EXPORTED size_t uopFunctionListGetSize(const UopFunctionList *list);
/// What follows has an `index` below the size; beyond it the results are NULL
/// and 0.
UOP_CAPI_EXPORTED const char *
uopFunctionListGetName(const UopFunctionList *list, size_t index);
/// 0 beyond the size.
UOP_CAPI_EXPORTED UopFunctionKind
uopFunctionListGetKind(const UopFunctionList *list, size_t index);
UOP_CAPI_EXPORTED size_t
uopFunctionListGetNumArguments(const UopFunctionList *list, size_t index);
UOP_CAPI_EXPORTED const UopParameter *
uopFunctionListGetArgument(const UopFunctionList *list, size_t index,
                           size_t argument);
UOP_CAPI_EXPORTED size_t
uopFunctionListGetNumResults(const UopFunctionList *list, size_t index);
UOP_CAPI_EXPORTED const UopParameter *
uopFunctionListGetResult(const UopFunctionList *list, size_t index,
                         size_t result);

#ifdef __cplusplus
}
#endif

#endif // UOP_C_MODULE_H
