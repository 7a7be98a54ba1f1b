//===- Compile.h - From kernels to device code --------------------*- C -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What uop-translate does: PTX, LLVM IR or a cubin, and the manifest that says
// how to launch it. Support.h says what holds for errors, ownership and
// threads.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_C_COMPILE_H
#define UOP_C_COMPILE_H

#include "Uop-c/Module.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum UopCodeFormat {
  /// PTX, the text that the driver or ptxas compiles.
  UOP_CODE_PTX = 0,
  /// LLVM IR as text, linked and optimised.
  UOP_CODE_LLVMIR = 1,
  /// The machine code of one chip, through ptxas.
  UOP_CODE_CUBIN = 2
} UopCodeFormat;

/// To be filled by uopCompileOptionsInit, and then changed.
typedef struct UopCompileOptions {
  /// Of the structure, as the caller knows it.
  size_t size;
  UopCodeFormat format;
  /// Such as "sm_90"; NULL: the one that a gpu.module names, else sm_80.
  const char *chip;
  /// A version of PTX such as "+ptx78"; NULL: the lowest that has the chip.
  const char *features;
  /// Optimisation, 0 to 3; 3 unless it is changed.
  unsigned optLevel;
  /// Approximate division, square root and functions; false.
  bool fastMath;
  /// Round a product and the sum that it enters once; true, as in nvcc.
  bool fpContract;
  /// Stage in shared memory what a block reads several times, in kernels that
  /// are not mapped; true.
  bool placeShared;
  /// Reduce in parts that a second kernel combines, in kernels with few outputs
  /// that are not mapped; true.
  bool splitReductions;
  /// 0: index arithmetic of 32 bits where it is proved to fit; 64: none.
  unsigned indexWidth;
  /// The root of the CUDA toolkit; NULL: $CUDA_HOME, $CUDA_PATH, that of a
  /// ptxas or nvcc on PATH, /usr/local/cuda.
  const char *cudaPath;
  /// What the manifest calls the file with the code; NULL: none.
  const char *codeFile;
} UopCompileOptions;

/// Fills in the defaults. `size` is sizeof(UopCompileOptions).
UOP_CAPI_EXPORTED void uopCompileOptionsInit(UopCompileOptions *options,
                                             size_t size);

typedef struct UopDeviceCode UopDeviceCode;

/// Compiles all kernels of the module, whatever form they are in. The module is
/// not changed. NULL for `options` is the defaults.
///
/// Errors: UOP_ERROR_ARGUMENT where an option is not possible,
/// UOP_ERROR_COMPILE where a kernel cannot be lowered, there is none, libdevice
/// or ptxas is needed and not found, or ptxas refuses the PTX. An instruction
/// that LLVM's back end does not know and Uop has not refused before ends the
/// process, as it does in every host of LLVM.
UOP_CAPI_EXPORTED UopDeviceCode *
uopModuleCompile(const UopModule *module, const UopCompileOptions *options,
                 UopError **error);
UOP_CAPI_EXPORTED void uopDeviceCodeDestroy(UopDeviceCode *code);

/// The text, or for a cubin the bytes, with a zero byte behind; `size`, which
/// may be NULL, is their number without it.
UOP_CAPI_EXPORTED const char *uopDeviceCodeGetCode(const UopDeviceCode *code,
                                                   size_t *size);
/// The manifest, JSON that docs/Manifest.md describes.
UOP_CAPI_EXPORTED const char *
uopDeviceCodeGetManifest(const UopDeviceCode *code, size_t *size);
/// The chip that it is for.
UOP_CAPI_EXPORTED const char *uopDeviceCodeGetChip(const UopDeviceCode *code);
UOP_CAPI_EXPORTED size_t uopDeviceCodeGetNumKernels(const UopDeviceCode *code);
/// The name by which the driver finds kernel `index`; NULL beyond the last.
UOP_CAPI_EXPORTED const char *
uopDeviceCodeGetKernelName(const UopDeviceCode *code, size_t index);
/// The static shared memory of a block, in bytes; 0 beyond the last.
UOP_CAPI_EXPORTED int64_t uopDeviceCodeGetSharedBytes(const UopDeviceCode *code,
                                                      size_t index);

#ifdef __cplusplus
}
#endif

#endif // UOP_C_COMPILE_H
