//===- UsefulThreads.h - The threads that have something to do --*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Padding makes more threads than there are elements. How many of them have
// something to do follows from the ranges and masks of stores and reductions.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_USEFULTHREADS_H
#define UOP_ANALYSIS_USEFULTHREADS_H

#include "Uop/Analysis/LaunchShape.h"

namespace uop {

/// The share of the threads of a launch that have something to do, in [0, 1]:
/// that of the store, or of the reduction by threads of a block, that has the
/// most. A thread beyond a range has nothing to do, nor has one at which a mask
/// does not hold: counted are conditions `e < c` where e takes each value from
/// 0 to a known bound equally often, as a guard of a tail does, and they are
/// taken to be independent; other conditions, such as on data, count as true.
/// For a kernel in graph form, and its launch.
double computeUsefulThreadShare(KernelOp kernel, const LaunchShape &shape);

} // namespace uop

#endif // UOP_ANALYSIS_USEFULTHREADS_H
