//===- CarriedPlaces.h - One place for what a loop carries ------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_CARRIEDPLACES_H
#define UOP_LIB_EMULATOR_CARRIEDPLACES_H

#include "KernelAnalysis.h"

namespace uop {

/// Values that a loop hands to its next iteration, each with the variable of
/// the loop that it becomes, where both are remembered and the variable is not
/// read any more once the value is there. The two can have one place: an
/// accumulator need not be copied from barrier to barrier.
llvm::DenseMap<mlir::Value, mlir::Value>
findCarriedPlaces(const KernelAnalysis &analysis);

} // namespace uop

#endif // UOP_LIB_EMULATOR_CARRIEDPLACES_H
