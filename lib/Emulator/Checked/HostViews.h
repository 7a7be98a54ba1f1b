//===- HostViews.h - Buffers that a kernel is given in part -----*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel sees of an argument what its descriptor says. Where host code makes
// that a view of a buffer, and shows it in the function that launches, checked
// mode holds accesses to both: the view is what the kernel was given, and
// memory beyond the buffer is nobody's, whatever the view says.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_CHECKED_HOSTVIEWS_H
#define UOP_LIB_EMULATOR_CHECKED_HOSTVIEWS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace uop {

/// What a memref is a view of, as far as the operations show that make it.
mlir::Value findViewedRoot(mlir::Value memref);

/// An argument of a kernel, and the first address of the buffer that it is a
/// view of, and the one after the last.
struct GivenBuffer {
  unsigned argument = 0;
  mlir::Value begin, end;
};

/// The arguments of a launch that are views, by number.
llvm::SmallVector<unsigned> findHostViews(mlir::gpu::LaunchFuncOp op);

/// Two more arguments of the kernel, the last, for each of its views.
llvm::SmallVector<GivenBuffer> addBufferBounds(mlir::gpu::GPUFuncOp kernel,
                                               llvm::ArrayRef<unsigned> views);

/// Their values at a launch.
llvm::SmallVector<mlir::Value>
createBufferBounds(mlir::ImplicitLocOpBuilder &b, mlir::gpu::LaunchFuncOp op,
                   llvm::ArrayRef<unsigned> views);

/// Whether a view is larger than its buffer; null if there is no view.
mlir::Value createIsBeyond(mlir::ImplicitLocOpBuilder &b,
                           mlir::gpu::LaunchFuncOp op,
                           llvm::ArrayRef<unsigned> views);

} // namespace uop

#endif // UOP_LIB_EMULATOR_CHECKED_HOSTVIEWS_H
