//===- HostOps.h - Memory operations of the host ----------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_HOSTOPS_H
#define UOP_LIB_EMULATOR_HOSTOPS_H

#include "mlir/IR/BuiltinOps.h"

namespace uop {

/// Makes the gpu operations of host code synchronous, and replaces those on
/// memory by memref operations: the emulated device shares the host's memory.
/// gpu.launch_func stays, without tokens.
mlir::LogicalResult lowerHostMemoryOps(mlir::ModuleOp module);

} // namespace uop

#endif // UOP_LIB_EMULATOR_HOSTOPS_H
