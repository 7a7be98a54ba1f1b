//===- Simplify.h - Simplify the index arithmetic of a kernel ---*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TRANSFORMS_SIMPLIFY_H
#define UOP_TRANSFORMS_SIMPLIFY_H

#include "Uop/IR/Uop.h"

namespace uop {

/// Replaces scalar arguments whose `llvm.range` has one value by that value,
/// and returns how many. Their ranges and what is computed of them are then
/// static.
unsigned foldKnownArguments(KernelOp kernel);

/// Rewrites the index expressions of a kernel, in graph or loop form, to equal
/// ones in canonical order with no more ops in all; what --uop-simplify does.
/// Returns the number of expressions rewritten.
unsigned simplifyIndices(KernelOp kernel);

} // namespace uop

#endif // UOP_TRANSFORMS_SIMPLIFY_H
