//===- HostFunction.h - What stands for a kernel on the host ----*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TRANSFORMS_HOSTFUNCTION_H
#define UOP_TRANSFORMS_HOSTFUNCTION_H

#include "Uop/IR/Uop.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace uop {

/// Whether an attribute of a kernel says something of the device code.
bool isDeviceAttr(mlir::NamedAttribute attr);

/// Builds a function of the kernel's name, arguments, visibility and
/// attributes, without those about the device code and its pointers, and with
/// an empty body.
mlir::func::FuncOp buildHostFunction(KernelOp kernel, mlir::OpBuilder &builder);

} // namespace uop

#endif // UOP_TRANSFORMS_HOSTFUNCTION_H
