//===- Run.h - Run kernels on the CPU -----------------------------*- C -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What uop-run does: a kernel or a host function on the caller's memory, on the
// emulator of a GPU, as plain loops of a CPU, or by the reference interpreter.
// Support.h says what holds for errors, ownership and threads.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_C_RUN_H
#define UOP_C_RUN_H

#include "Uop-c/Module.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Executables
//===----------------------------------------------------------------------===//

typedef enum UopDevice {
  /// A GPU, emulated: kernels in any form, and host code that launches them.
  UOP_DEVICE_EMULATOR = 0,
  /// Plain loops: kernels that are not mapped for a GPU.
  UOP_DEVICE_CPU = 1,
  /// The reference interpreter: kernels in graph form, and host functions that
  /// do nothing but allocate and launch such. Slow; it checks every access.
  UOP_DEVICE_REFERENCE = 2
} UopDevice;

typedef enum UopRunMode {
  /// For uopExecutableRun.
  UOP_MODE_RUN = 0,
  /// For uopExecutableCheck; on the emulator only.
  UOP_MODE_CHECK = 1,
  /// For uopExecutableCount; on the emulator only.
  UOP_MODE_COUNT = 2
} UopRunMode;

/// To be filled by uopExecutableOptionsInit, and then changed.
typedef struct UopExecutableOptions {
  /// Of the structure, as the caller knows it.
  size_t size;
  UopDevice device;
  UopRunMode mode;
  /// The chip that is emulated; NULL is sm_80.
  const char *chip;
  /// LLVM's optimisation, 0 to 3; 3 unless it is changed.
  unsigned optLevel;
  /// Round a product and the sum that it enters once; true, as in nvcc.
  bool fpContract;
  /// As in UopCompileOptions; true.
  bool placeShared;
  bool splitReductions;
  /// Run blocks and CPU threads on all cores; false. A fault in a kernel then
  /// ends the process instead of the call.
  bool parallel;
  /// Threads that run as one vector: a power of two up to 64, 1 for none, 0 for
  /// what suits this machine. Results do not depend on it.
  unsigned vectorWidth;
  /// Threads of a warp, 32 or 64.
  unsigned subgroupSize;
  /// Libraries whose functions the program calls.
  const char *const *libraries;
  size_t numLibraries;
  /// Of UOP_MODE_CHECK: run the first and the last block of a grid only; false.
  bool sample;
  /// Of UOP_MODE_CHECK: whether threads that return before a barrier are at
  /// fault; true. In CUDA a barrier does not wait for them.
  bool strictExits;
  /// Of UOP_MODE_CHECK: the most iterations of loops that a thread makes; 0 for
  /// no limit.
  uint64_t stepLimit;
} UopExecutableOptions;

/// Fills in the defaults. `size` is sizeof(UopExecutableOptions).
UOP_CAPI_EXPORTED void uopExecutableOptionsInit(UopExecutableOptions *options,
                                                size_t size);

/// A function that is ready to run, any number of times. It depends neither on
/// its module nor on its context any more.
///
/// Several threads may run one executable of UOP_MODE_RUN at once, on different
/// memory, unless its device is the reference; all other calls on it wait for
/// each other.
typedef struct UopExecutable UopExecutable;

/// Compiles the function `entry`, which is a kernel or a host function, and
/// what it needs of the module. The module is not changed. NULL for `options`
/// is the defaults.
///
/// Errors: UOP_ERROR_ARGUMENT where there is no such function, where it has an
/// argument or result that cannot be passed from outside, or where options are
/// not possible; UOP_ERROR_COMPILE where it cannot be compiled.
UOP_CAPI_EXPORTED UopExecutable *
uopExecutableCreate(const UopModule *module, const char *entry,
                    const UopExecutableOptions *options, UopError **error);
UOP_CAPI_EXPORTED void uopExecutableDestroy(UopExecutable *executable);

UOP_CAPI_EXPORTED size_t
uopExecutableGetNumArguments(const UopExecutable *executable);
/// NULL beyond the last.
UOP_CAPI_EXPORTED const UopParameter *
uopExecutableGetArgument(const UopExecutable *executable, size_t index);
/// NULL where the function returns nothing.
UOP_CAPI_EXPORTED const UopParameter *
uopExecutableGetResult(const UopExecutable *executable);

/// What is to be said of how it was compiled, such as that there is no OpenMP
/// runtime for `parallel`; else "".
UOP_CAPI_EXPORTED const char *
uopExecutableGetNote(const UopExecutable *executable);

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// An argument of a run. Its members are these in all versions.
typedef struct UopArgument {
  UopArgumentKind kind;
  /// Of the scalar, or of the elements.
  UopElementType elementType;
  /// Where the scalar is; or the memory of the memref, of which element [i, j]
  /// is number offset + i * strides[0] + j * strides[1] from here.
  void *data;
  /// What follows is of a memref only.
  size_t rank;
  const int64_t *sizes;
  /// In elements; NULL is row-major.
  const int64_t *strides;
  int64_t offset;
} UopArgument;

/// The scalar at `value`.
static inline UopArgument uopMakeScalar(UopElementType type, void *value) {
  UopArgument argument = {UOP_ARGUMENT_SCALAR, type, value, 0, NULL, NULL, 0};
  return argument;
}

/// An array in row-major order.
static inline UopArgument uopMakeArray(UopElementType type, void *data,
                                       size_t rank, const int64_t *sizes) {
  UopArgument argument = {
      UOP_ARGUMENT_MEMREF, type, data, rank, sizes, NULL, 0};
  return argument;
}

/// Runs the function. What it returns is left at `result`, which may be NULL,
/// and has room for uopExecutableGetResult's type.
///
/// Each argument must be what the function's type says: as to kind, element
/// type, rank and alignment, and as to sizes, strides and offset that the type
/// does not leave open (the stride of a dimension of size 1 does not matter). A
/// memref that a kernel writes may share no byte with another one, nor may two
/// of its indices meet. The memory that the sizes describe must be there.
///
/// Errors: UOP_ERROR_ARGUMENT where that is not so, before anything runs;
/// UOP_ERROR_RUN where the program is at fault and finds out: a division by
/// zero in a kernel, an assertion, threads that wait for each other, a launch
/// that the chip does not have, and on the reference any access out of bounds.
/// Memory that the program has allocated itself is lost then. An access out of
/// bounds on another device is not noticed: check first (UOP_MODE_CHECK). With
/// UopExecutableOptions::parallel, and in asynchronous code, such a fault in a
/// kernel ends the process with a message and status 1.
UOP_CAPI_EXPORTED bool uopExecutableRun(UopExecutable *executable,
                                        const UopArgument *arguments,
                                        size_t numArguments, void *result,
                                        UopError **error);

/// Runs the function in checked mode, and returns what is wrong with it, races
/// and accesses out of bounds among it, as the JSON that docs/Checking.md
/// describes. `numFaults`, which may be NULL, is the number of findings that
/// are more than warnings. What is written to memory is what the program
/// writes; a program may run several times for one call, and memory that it
/// writes is put back before. At the limit of steps the call ends early.
///
/// Errors: as of uopExecutableRun, and UOP_ERROR_COMPILE where the program
/// cannot be compiled to log its accesses, which is needed when something may
/// be at fault.
UOP_CAPI_EXPORTED UopString *uopExecutableCheck(UopExecutable *executable,
                                                const UopArgument *arguments,
                                                size_t numArguments,
                                                void *result, size_t *numFaults,
                                                UopError **error);

/// Runs the function in counted mode, and returns what its kernels ask of
/// memory, as the JSON that docs/Reports.md describes. Errors: as of
/// uopExecutableRun.
UOP_CAPI_EXPORTED UopString *uopExecutableCount(UopExecutable *executable,
                                                const UopArgument *arguments,
                                                size_t numArguments,
                                                void *result, UopError **error);

#ifdef __cplusplus
}
#endif

#endif // UOP_C_RUN_H
