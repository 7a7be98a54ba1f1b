//===- Uop.h - The uop dialect: attributes, types, ops ----------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_IR_UOP_H
#define UOP_IR_UOP_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include <optional>

#include "Uop/IR/UopDialect.h.inc"
#include "Uop/IR/UopEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "Uop/IR/UopAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "Uop/IR/UopTypes.h.inc"

namespace uop {

/// The private resource that each range allocates, so that no two ranges are
/// one value to common subexpression elimination.
struct LoopResource : public mlir::SideEffects::Resource::Base<LoopResource> {
  llvm::StringRef getName() final { return "uop.loop"; }
};

/// The value of a reduction of `kind` over no points, for a signless integer
/// or floating-point `type`; null where the kind does not apply to the type.
/// The identities are listed in the documentation of `uop.reduce`.
mlir::TypedAttr getReductionIdentity(mlir::vector::CombiningKind kind,
                                     mlir::Type type);

/// A discardable attribute of loop form on the product that is an accumulator
/// of a reduction: it is not contracted with what is added to it.
inline constexpr llvm::StringLiteral kAccumulatorAttrName = "uop.accumulator";

/// The largest extents of a launch that CUDA allows, in the order x, y, z
/// (CUDA C++ Programming Guide, "Compute Capabilities").
inline constexpr int64_t kMaxGridSize[3] = {2147483647, 65535, 65535};
inline constexpr int64_t kMaxBlockSize[3] = {1024, 1024, 64};
inline constexpr int64_t kMaxThreadsPerBlock = 1024;
/// The most tiles of an allocation or stage that a loop fills ahead.
inline constexpr int64_t kMaxBuffers = 64;
/// The lanes of a warp.
inline constexpr int64_t kWarpSize = 32;

/// The threads along x of a block with a reduction over threads along x, of
/// which `threads` are needed: a power of two up to a warp, else whole warps.
/// So the lanes of a row exchange values among themselves.
int64_t getShuffleRowSize(int64_t threads);

} // namespace uop

#define GET_OP_CLASSES
#include "Uop/IR/UopOps.h.inc"

#endif // UOP_IR_UOP_H
