//===- Patterns.h - The groups of reduction patterns ------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_REDUCE_PATTERNS_H
#define UOP_LIB_REDUCE_PATTERNS_H

#include "Uop/IR/Uop.h"
#include "mlir/IR/PatternMatch.h"

namespace uop {

/// Of a list that may have any length this many members are tried one by one.
inline constexpr unsigned kMaxAlternatives = 8;

/// The constant at the start of what `op` is in and that is isolated from
/// above; there is one for each value.
mlir::Value getConstant(mlir::PatternRewriter &rewriter, mlir::Operation *op,
                        mlir::TypedAttr value);

/// Gives the kernel's schedule other opts.
void setOpts(mlir::PatternRewriter &rewriter, KernelOp kernel,
             llvm::ArrayRef<OptAttr> opts);

void populateErasingPatterns(mlir::RewritePatternSet &patterns);
void populateValuePatterns(mlir::RewritePatternSet &patterns);
void populateKernelPatterns(mlir::RewritePatternSet &patterns);
void populateGraphPatterns(mlir::RewritePatternSet &patterns);
void populateControlFlowPatterns(mlir::RewritePatternSet &patterns);
void populateBufferPatterns(mlir::RewritePatternSet &patterns);
void populateSizePatterns(mlir::RewritePatternSet &patterns);

} // namespace uop

#endif // UOP_LIB_REDUCE_PATTERNS_H
