//===- Passes.td - The passes of Uop/Conversion ------------------*- tablegen -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_CONVERSION_PASSES
#define UOP_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

#endif // UOP_CONVERSION_PASSES
