//===- Uniformity.h - What is the same for all threads of a block -*- C++ -*-=//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_UNIFORMITY_H
#define UOP_ANALYSIS_UNIFORMITY_H

#include "Uop/IR/Uop.h"
#include "llvm/ADT/DenseSet.h"

namespace uop {

/// Which values of a kernel in loop form are provably the same for all threads
/// of a block that are in one iteration of the loops around them. What is
/// loaded is so if no op of the kernel stores to the argument that it is loaded
/// from. Valid until the kernel changes; ops may be erased and barriers come.
class Uniformity {
public:
  explicit Uniformity(KernelOp kernel);

  bool isUniform(mlir::Value value) const { return !varying.contains(value); }

  /// Whether the threads of a block provably go the same way through an op with
  /// regions: scf.if, scf.index_switch, scf.for, scf.while, or an
  /// scf.execute_region of one block.
  bool isUniformControl(mlir::Operation *op) const;

private:
  bool isVarying(mlir::Operation *op) const;
  bool spread(mlir::Operation *op);
  bool mark(mlir::ValueRange values);

  llvm::DenseSet<mlir::Value> varying;
  llvm::DenseSet<mlir::Value> written;
};

} // namespace uop

#endif // UOP_ANALYSIS_UNIFORMITY_H
