//===- Barriers.h - The barriers that a kernel needs ------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TRANSFORMS_BARRIERS_H
#define UOP_TRANSFORMS_BARRIERS_H

#include "Uop/IR/Uop.h"

namespace uop {

/// Puts the barriers into a kernel in loop form that order what its threads do
/// to shared memory, and to an argument that is loaded and stored by different
/// threads of a block. Erases those that are `derived` before, keeps the
/// others, and puts as few `derived` ones as possible where every thread of the
/// block comes. What is not provably free of a hazard counts as one. Fails,
/// with an error, for a kernel in graph form.
///
/// What no barrier can order stays as it is: `uop-verify-races` finds it.
llvm::LogicalResult placeBarriers(KernelOp kernel);

} // namespace uop

#endif // UOP_TRANSFORMS_BARRIERS_H
