//===- LowerToLoops.h - From graph form to loop form ------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TRANSFORMS_LOWERTOLOOPS_H
#define UOP_TRANSFORMS_LOWERTOLOOPS_H

#include "Uop/IR/Uop.h"

namespace uop {

/// Lowers a kernel in graph form to loop form; what --uop-lower-to-loops does.
/// Fails, with an error and before anything changes, for what is not lowered
/// yet (the axis fragment), for too many copies of an op and for tiles that are
/// too large.
mlir::LogicalResult lowerToLoops(KernelOp kernel);

} // namespace uop

#endif // UOP_TRANSFORMS_LOWERTOLOOPS_H
