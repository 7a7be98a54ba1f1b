//===- DeviceCode.h - From NVVM to PTX, LLVM IR and cubin -------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TARGET_DEVICECODE_H
#define UOP_TARGET_DEVICECODE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"
#include <cstdint>
#include <string>

namespace uop {

enum class DeviceFormat {
  /// PTX, the text that the driver or ptxas compiles.
  PTX,
  /// LLVM IR as text, optimised and linked: what the back end is given.
  LLVMIR,
  /// The machine code of one chip, an ELF file, made by ptxas.
  Cubin,
};

struct DeviceCodeOptions {
  DeviceFormat format = DeviceFormat::PTX;
  /// Root of the CUDA toolkit; empty: see Toolkit.h.
  std::string cudaPath;
};

/// What the compiler found out about one kernel.
struct KernelCode {
  /// The name by which the driver finds it.
  std::string name;
  /// Static shared memory of a block, in bytes.
  int64_t sharedBytes = 0;
};

struct DeviceCode {
  /// The text, or for a cubin the bytes.
  std::string code;
  std::string chip;
  /// In the order of the modules' text.
  llvm::SmallVector<KernelCode> kernels;
};

/// Compiles `modules`, which convert-to-nvvm has lowered, into one piece of
/// code. They must have the same target, and no two may define one name.
///
/// Fails with a diagnostic if that is not so, if a function is called that
/// neither the modules nor libdevice define, if libdevice is needed and not
/// found, if a kernel has more static shared memory than a block may have, or
/// if ptxas is needed and not found, or refuses the PTX.
mlir::FailureOr<DeviceCode>
compileDeviceCode(llvm::ArrayRef<mlir::gpu::GPUModuleOp> modules,
                  const DeviceCodeOptions &options = {});

/// Assembles `ptx` for `chip` with ptxas at `-O<optLevel>`. What is wrong goes
/// to `emitError`.
mlir::FailureOr<std::string>
assemblePTX(llvm::StringRef ptx, llvm::StringRef chip, int optLevel,
            llvm::StringRef cudaPath,
            llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// What ptxas says of one kernel.
struct KernelResources {
  std::string name;
  /// Of a thread, of 32 bits.
  int64_t registers = 0;
  /// Of a thread, in bytes.
  int64_t stackBytes = 0, spillStoreBytes = 0, spillLoadBytes = 0;
  /// Static shared memory of a block, in bytes.
  int64_t sharedBytes = 0;
};

/// Assembles `ptx` to find out what its kernels take, in the order in which
/// ptxas names them. What is wrong goes to `emitError`.
mlir::FailureOr<llvm::SmallVector<KernelResources>> measureKernelResources(
    llvm::StringRef ptx, llvm::StringRef chip, int optLevel,
    llvm::StringRef cudaPath,
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Reads what `ptxas -v` prints.
llvm::SmallVector<KernelResources> parseKernelResources(llvm::StringRef text);

} // namespace uop

#endif // UOP_TARGET_DEVICECODE_H
