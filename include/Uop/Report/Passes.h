//===- Passes.h - The passes of Uop/Report ----------------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_REPORT_PASSES_H
#define UOP_REPORT_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace uop {

#define GEN_PASS_DECL
#include "Uop/Report/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "Uop/Report/Passes.h.inc"

} // namespace uop

#endif // UOP_REPORT_PASSES_H
