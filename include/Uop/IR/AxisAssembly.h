//===- AxisAssembly.h - How ops write an axis -------------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An axis as a range has it in its assembly, `local<x>`, for ops of other rooms
// as well: `custom<Axis>($axis)`.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_IR_AXISASSEMBLY_H
#define UOP_IR_AXISASSEMBLY_H

#include "Uop/IR/Uop.h"

namespace uop {

mlir::ParseResult parseAxis(mlir::OpAsmParser &parser, AxisAttr &axis);
void printAxis(mlir::OpAsmPrinter &printer, mlir::Operation *op, AxisAttr axis);

} // namespace uop

#endif // UOP_IR_AXISASSEMBLY_H
