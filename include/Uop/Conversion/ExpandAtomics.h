//===- ExpandAtomics.h - Atomic updates as loops ----------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the back ends of the device and of the emulator: what a machine has no
// atomic instruction for is done by comparing and swapping.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_CONVERSION_EXPANDATOMICS_H
#define UOP_CONVERSION_EXPANDATOMICS_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include <functional>

namespace mlir {
class LLVMTypeConverter;
} // namespace mlir

namespace uop {

/// memref.generic_atomic_rmw, and memref.atomic_rmw for which `needsLoop`
/// holds, become compare-and-swap loops on the bits of the element: of 8, 16,
/// 32 or 64 bits, or i1, which is a byte in memory. `converter`, which must
/// outlive the patterns, says what a memref is in LLVM.
void populateExpandAtomicsPatterns(
    mlir::RewritePatternSet &patterns, const mlir::LLVMTypeConverter &converter,
    std::function<bool(mlir::memref::AtomicRMWOp)> needsLoop);

} // namespace uop

#endif // UOP_CONVERSION_EXPANDATOMICS_H
