//===- LowerCopies.h - Copies as loops --------------------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_LOWERCOPIES_H
#define UOP_LIB_EMULATOR_LOWERCOPIES_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace uop {

/// Fails with a located error for memrefs that are not ranked.
mlir::LogicalResult checkCopy(mlir::memref::CopyOp op);

/// Makes a loop nest of a copy of ranked memrefs.
void lowerCopy(mlir::memref::CopyOp op);

} // namespace uop

#endif // UOP_LIB_EMULATOR_LOWERCOPIES_H
