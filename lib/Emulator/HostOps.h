//===- HostOps.h - Operations of host code on the device --------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The emulated device shares the memory of the host, and what the host asks of
// it happens in the order of the text: a legal order of any streams, as a
// token is made before it is waited for. So a buffer of the device is a buffer
// of the host, and a token is a value that nobody reads.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_HOSTOPS_H
#define UOP_LIB_EMULATOR_HOSTOPS_H

#include "RuntimeCalls.h"

namespace uop {

/// Refuses, with its location, what host code asks of a device and the emulator
/// does not have. Changes nothing.
mlir::LogicalResult checkHostOps(mlir::ModuleOp module);

/// Replaces the operations of host code on memory and on tokens by those of
/// memref and others. gpu.launch_func stays, without tokens.
mlir::LogicalResult lowerHostOps(mlir::ModuleOp module, RuntimeCalls &runtime);

} // namespace uop

#endif // UOP_LIB_EMULATOR_HOSTOPS_H
