//===- UopTransformOps.h - Schedules as scripts -----------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The primitives of scheduling as ops of the transform dialect, so that a
// schedule can be a script in IR: `transform.uop.split`, `transform.uop.map`
// and so on. They call what the passes call (Uop/Transforms/Schedule.h,
// Mapping.h), so that what a pass refuses is refused here, in the same words.
//
// UopTransformOps.td says what they have in common.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TRANSFORMOPS_UOPTRANSFORMOPS_H
#define UOP_TRANSFORMOPS_UOPTRANSFORMOPS_H

#include "Uop/IR/Uop.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

#define GET_OP_CLASSES
#include "Uop/TransformOps/UopTransformOps.h.inc"

namespace uop {

/// Adds the `transform.uop` ops to the transform dialect, which is loaded with
/// what they need: the dialects of kernels.
void registerTransformDialectExtension(mlir::DialectRegistry &registry);

} // namespace uop

#endif // UOP_TRANSFORMOPS_UOPTRANSFORMOPS_H
