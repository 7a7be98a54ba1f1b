//===- Passes.td - The passes of Uop/Transforms ------------------*- tablegen -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TRANSFORMS_PASSES
#define UOP_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

#endif // UOP_TRANSFORMS_PASSES
