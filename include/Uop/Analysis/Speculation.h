//===- Speculation.h - What may run where it is not needed ------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_SPECULATION_H
#define UOP_ANALYSIS_SPECULATION_H

#include "mlir/IR/Operation.h"

namespace uop {

/// Whether an op may be executed with any operands, as at points beyond the end
/// of a range. This is `mlir::isSpeculatable`, but for `arith.floordivsi`,
/// `arith.remsi` and `arith.remui`: that takes these to be total, and they trap
/// like the other divisions.
bool isSafeToSpeculate(mlir::Operation *op);

} // namespace uop

#endif // UOP_ANALYSIS_SPECULATION_H
