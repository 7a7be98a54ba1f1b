//===- Evaluate.h - Integer arithmetic of warps -----------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_ANALYSIS_TRAFFIC_EVALUATE_H
#define UOP_LIB_ANALYSIS_TRAFFIC_EVALUATE_H

#include "WarpProgram.h"

namespace uop::traffic {

/// Why a result is not defined.
enum class Fault : uint8_t { None, DivisionByZero, ShiftTooFar };

IntegerOp describeOperation(mlir::Operation *op, Opcode opcode);

/// The result, sign-extended from its width; 0 where it is not defined.
int64_t evaluate(const IntegerOp &op, int64_t a, int64_t b, int64_t c,
                 Fault &fault);

/// The same for each of so many lanes. Faults of lanes that are not active do
/// not count.
Fault evaluate(const IntegerOp &op, const Lanes &a, const Lanes &b,
               const Lanes &c, unsigned numLanes, LaneMask active,
               Lanes &result);

} // namespace uop::traffic

#endif // UOP_LIB_ANALYSIS_TRAFFIC_EVALUATE_H
