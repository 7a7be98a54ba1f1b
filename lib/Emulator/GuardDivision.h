//===- GuardDivision.h - Integer divisions of a kernel ----------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_GUARDDIVISION_H
#define UOP_LIB_EMULATOR_GUARDDIVISION_H

#include "RuntimeCalls.h"

namespace uop {

/// Makes the integer divisions of a function harmless to the process that runs
/// it. A division by zero, which is undefined
/// on a device and may end a process of the CPU by a signal, ends the run with
/// a message that names the op and the kernel, and the block whose id x, y, z
/// is given. The least number divided by -1 wraps, with a remainder of 0.
/// `positive` values have been checked.
void guardDivisions(mlir::func::FuncOp func, llvm::StringRef kernel,
                    mlir::ValueRange blockId, mlir::ValueRange positive,
                    RuntimeCalls &runtime);

} // namespace uop

#endif // UOP_LIB_EMULATOR_GUARDDIVISION_H
