//===- Recurrences.h - How values move with a variable ----------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_ANALYSIS_TRAFFIC_RECURRENCES_H
#define UOP_LIB_ANALYSIS_TRAFFIC_RECURRENCES_H

#include "IterationClasses.h"

namespace uop::traffic {

/// The least common multiple, unless it is too large to be of use.
std::optional<int64_t> leastCommonMultiple(int64_t a, int64_t b);

/// The period after which a recurrence has moved by a multiple of `modulus`.
std::optional<int64_t> getPeriod(Recurrence recurrence, int64_t modulus);

/// A recurrence over a multiple of its period.
Recurrence scale(Recurrence recurrence, int64_t period);

/// An operand of an op: its recurrence, none where it is not known, and its
/// range.
struct Operand {
  std::optional<Recurrence> recurrence;
  const mlir::ConstantIntRanges *range;
};

/// That of the result of an op, of which the result's range is known.
std::optional<Recurrence> combine(const IntegerOp &op,
                                  llvm::ArrayRef<Operand> operands,
                                  const mlir::ConstantIntRanges &result);

} // namespace uop::traffic

#endif // UOP_LIB_ANALYSIS_TRAFFIC_RECURRENCES_H
