//===- UopToFunc.h - The parts of --convert-uop-to-func ---------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the conversion.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_CONVERSION_UOPTOFUNC_UOPTOFUNC_H
#define UOP_LIB_CONVERSION_UOPTOFUNC_UOPTOFUNC_H

#include "Uop/IR/Uop.h"

namespace uop {

/// Refuses, with an error that names it, what a plain function cannot express:
/// graph form, the axes of a GPU, workgroup memory, barriers and shuffles.
mlir::LogicalResult checkCPUKernel(KernelOp kernel);

} // namespace uop

#endif // UOP_LIB_CONVERSION_UOPTOFUNC_UOPTOFUNC_H
