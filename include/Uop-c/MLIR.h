//===- MLIR.h - The C API of Uop beside MLIR's own ----------------*- C -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For hosts that use MLIR's C API as well: its contexts and modules become
// those of this API and back, and nothing is copied. Host and libUop-C must use
// one libMLIR, of the version that uopGetLLVMVersion tells; libUop-C itself has
// nothing of MLIR's C API.
//
// A context of the host's is used as it is. During a call of this API its
// diagnostics go to the call and its handler, those of the host's other threads
// among them; so the host does not use it from other threads meanwhile.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_C_MLIR_H
#define UOP_C_MLIR_H

#include "Uop-c/Module.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

/// Adds the uop dialect, all of upstream's, and what they need to be compiled
/// and run, to a registry for contexts of the host's own.
UOP_CAPI_EXPORTED void uopRegisterDialects(MlirDialectRegistry registry);

/// Registers all passes and pipelines of Uop and of MLIR, for pipelines by name
/// (mlirParsePassPipeline). Once in the process, however often it is called.
UOP_CAPI_EXPORTED void uopRegisterPasses(void);

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

/// A handle for the host's context, which gets the dialects that
/// uopRegisterDialects adds and must outlive the handle and its modules and
/// executables. NULL for a null context.
UOP_CAPI_EXPORTED UopContext *uopContextCreateFromMLIR(MlirContext context);

/// MLIR's handle for the context, which stays where it is; null for NULL.
UOP_CAPI_EXPORTED MlirContext uopContextGetMLIR(const UopContext *context);

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// A handle that owns the host's module, which is of the same context. Errors:
/// UOP_ERROR_ARGUMENT; the module is then still the host's.
UOP_CAPI_EXPORTED UopModule *uopModuleCreateFromMLIR(UopContext *context,
                                                     MlirModule module,
                                                     UopError **error);

/// The same, but the module stays the host's, and outlives the handle.
UOP_CAPI_EXPORTED UopModule *uopModuleBorrowFromMLIR(UopContext *context,
                                                     MlirModule module,
                                                     UopError **error);

/// MLIR's handle for the module, which stays where it is and is not to be
/// destroyed; null for NULL. It is the same one after any pipeline.
UOP_CAPI_EXPORTED MlirModule uopModuleGetMLIR(const UopModule *module);

/// Destroys the handle and leaves the module to the host, which destroys it
/// with mlirModuleDestroy before the context goes. Null for NULL.
UOP_CAPI_EXPORTED MlirModule uopModuleRelease(UopModule *module);

#ifdef __cplusplus
}
#endif

#endif // UOP_C_MLIR_H
