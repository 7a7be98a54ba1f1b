//===- DynamicKernel.h - A kernel that knows less -----------------*- C++ -*-=//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_UNITTESTS_DIFFERENTIAL_DYNAMICKERNEL_H
#define UOP_UNITTESTS_DIFFERENTIAL_DYNAMICKERNEL_H

#include "Uop/IR/Uop.h"

#include <random>

namespace uop {

/// Makes sizes, strides and offsets of a graph-form kernel's memref arguments
/// dynamic, some of each, and the extents of some ranges dimensions of these.
/// On the arguments that the kernel had it does the same.
///
/// Returns false, and leaves the kernel as it is, where the verifier cannot
/// prove of the new one what it has to.
bool makeDynamic(KernelOp kernel, std::mt19937_64 &random);

} // namespace uop

#endif // UOP_UNITTESTS_DIFFERENTIAL_DYNAMICKERNEL_H
