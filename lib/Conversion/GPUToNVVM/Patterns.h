//===- Patterns.h - Rewrites before the lowering to NVVM --------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_CONVERSION_GPUTONVVM_PATTERNS_H
#define UOP_LIB_CONVERSION_GPUTONVVM_PATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir {
class LLVMTypeConverter;
} // namespace mlir

namespace uop {

/// math.sqrt becomes LLVM's square root, which is correctly rounded unless the
/// operation allows approximation; math.isnormal becomes LLVM's class test.
void populateMathPatterns(mlir::RewritePatternSet &patterns);

/// gpu.shuffle of 8, 16 and 64-bit values becomes shuffles of 32 bits.
void populateShuffleWidthPatterns(mlir::RewritePatternSet &patterns);

} // namespace uop

#endif // UOP_LIB_CONVERSION_GPUTONVVM_PATTERNS_H
