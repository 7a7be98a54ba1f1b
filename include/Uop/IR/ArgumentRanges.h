//===- ArgumentRanges.h - Between what a scalar argument is -----*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scalar argument of a kernel states by upstream's attribute `llvm.range`
// which values it may have: `#llvm.constant_range<i64, 0, 100>` is 0 to 99, as
// in LLVM the upper end is not included. An index has 64 bits.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_IR_ARGUMENTRANGES_H
#define UOP_IR_ARGUMENTRANGES_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include <optional>

namespace uop {

/// The range that argument number `index` of the function states; nothing where
/// it states none, or none that `verifyArgumentRange` takes.
std::optional<mlir::ConstantIntRanges>
getArgumentRange(mlir::FunctionOpInterface function, unsigned index);

/// The same for a block argument; nothing where it is none of a function.
std::optional<mlir::ConstantIntRanges> getArgumentRange(mlir::Value value);

/// Emits an error where an argument states a range that is no interval of the
/// signed numbers of its type.
mlir::LogicalResult verifyArgumentRange(mlir::FunctionOpInterface function,
                                        unsigned index);

} // namespace uop

#endif // UOP_IR_ARGUMENTRANGES_H
