//===- Assertions.h - What a program takes for granted ----------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_ASSERTIONS_H
#define UOP_LIB_EMULATOR_ASSERTIONS_H

#include "RuntimeCalls.h"

namespace uop {

/// Replaces each cf.assert of the module, in host code and in the functions
/// that kernels have become, by code that ends the run with its message and
/// status 1. Upstream's lowering prints to the standard output, and aborts.
void lowerAssertions(mlir::ModuleOp module, RuntimeCalls &runtime);

} // namespace uop

#endif // UOP_LIB_EMULATOR_ASSERTIONS_H
