//===- LinearForms.h - Indices as sums of multiples -------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two accesses are a known distance apart where their indices, as sums, differ
// in constants only. That is found in a time that is linear in the number of
// accesses.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_LINEARFORMS_H
#define UOP_ANALYSIS_LINEARFORMS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace uop {

/// A sum of multiples of values, which have numbers; the terms ascend in these.
struct LinearForm {
  llvm::SmallVector<std::pair<unsigned, int64_t>, 4> terms;
  int64_t constant = 0;
};

/// Reads index values as sums, and remembers them. Valid until the code
/// changes.
class LinearForms {
public:
  /// The sum that a value is, through sums, differences and multiples by
  /// constants; a value of which no more is known is a term of its own. The
  /// reference is valid until the next call.
  const LinearForm &read(mlir::Value value) { return read(value, 0); }

  /// The number of a value: each has one of its own, given when it is first
  /// met.
  unsigned getNumber(mlir::Value value);
  mlir::Value getValue(unsigned number) const { return numbered[number]; }

private:
  const LinearForm &read(mlir::Value value, unsigned depth);
  LinearForm readOp(mlir::Operation *op, unsigned depth);

  llvm::DenseMap<mlir::Value, LinearForm> forms;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  llvm::SmallVector<mlir::Value> numbered;
};

} // namespace uop

#endif // UOP_ANALYSIS_LINEARFORMS_H
