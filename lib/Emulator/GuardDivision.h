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

/// Makes the integer divisions of a block function (see createBlockFunction)
/// harmless to the process that runs it. A division by zero, which is undefined
/// on a device and may end a process of the CPU by a signal, ends the run with
/// a message that names the op and the block. The least number divided by -1
/// wraps, with a remainder of 0.
void guardDivisions(mlir::func::FuncOp block, llvm::StringRef kernel,
                    RuntimeCalls &runtime);

} // namespace uop

#endif // UOP_LIB_EMULATOR_GUARDDIVISION_H
