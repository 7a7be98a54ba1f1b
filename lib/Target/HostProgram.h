//===- HostProgram.h - Host functions of several launches -------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the target library.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_TARGET_HOSTPROGRAM_H
#define UOP_LIB_TARGET_HOSTPROGRAM_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

namespace uop {

/// The list `functions` of the manifest: the public functions of a module that
/// do nothing but launch kernels one after another, on their own arguments and
/// on workspaces that they allocate, as the two kernels of a split reduction
/// are.
llvm::json::Array describeHostFunctions(mlir::ModuleOp module);

} // namespace uop

#endif // UOP_LIB_TARGET_HOSTPROGRAM_H
