//===- Passes.h - The passes of Uop/Conversion ------------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_CONVERSION_PASSES_H
#define UOP_CONVERSION_PASSES_H

#include "Uop/Conversion/Pipelines.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace uop {

#define GEN_PASS_DECL
#include "Uop/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "Uop/Conversion/Passes.h.inc"

/// The attribute of a kernel that holds its function type as it was before
/// memrefs became pointers, for a launcher: convert-uop-to-gpu sets it where a
/// dynamic memref becomes several parameters (see KernelParameters.h),
/// uop-attach-nvvm-target everywhere else.
inline constexpr llvm::StringLiteral kSignatureAttrName = "uop.signature";

/// The attribute of a kernel that holds the `llvm.range` of each argument, unit
/// for none, from uop-attach-nvvm-target to uop-finish-nvvm: upstream's
/// lowering in between drops them.
inline constexpr llvm::StringLiteral kRangesAttrName = "uop.ranges";

/// The attribute of a func.func that convert-uop-to-func made of a kernel: the
/// kernel's name. Back ends check there what host code is not checked for.
inline constexpr llvm::StringLiteral kKernelAttrName = "uop.kernel";

/// Adds to `pm`, a pass manager on a module, the passes that take every
/// gpu.module from the gpu dialect to NVVM. `convert-to-nvvm` runs these.
void buildConvertToNVVMPipeline(mlir::OpPassManager &pm,
                                const ConvertToNVVMOptions &options);

} // namespace uop

#endif // UOP_CONVERSION_PASSES_H
