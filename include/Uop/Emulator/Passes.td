//===- Passes.td - The passes of Uop/Emulator ------------------*- tablegen -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_EMULATOR_PASSES
#define UOP_EMULATOR_PASSES

include "mlir/Pass/PassBase.td"

#endif // UOP_EMULATOR_PASSES
