//===- UsefulPoints.h - The points at which a kernel writes -----*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Padding makes more threads than there are elements. How many of them have
// something to do follows from the masks of the stores.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_USEFULPOINTS_H
#define UOP_ANALYSIS_USEFULPOINTS_H

#include "Uop/IR/Uop.h"

namespace uop {

/// The share of the points of a store's domain at which its mask holds, in
/// [0, 1]; for several stores the largest. Counts the conditions `e < c` where
/// e takes each value from 0 to a known bound equally often, as a guard of a
/// tail does, and takes them to be independent; other conditions, such as on
/// data, count as true. For a kernel in graph form.
double computeUsefulPointShare(KernelOp kernel);

} // namespace uop

#endif // UOP_ANALYSIS_USEFULPOINTS_H
