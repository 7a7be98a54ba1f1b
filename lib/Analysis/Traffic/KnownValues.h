//===- KnownValues.h - What follows from launch and thread ------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which values, and whether which ops are executed, follow from the indices of
// block and thread, loop variables, and what the launch is known to give; and
// for all others what it is that they depend on.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_ANALYSIS_TRAFFIC_KNOWNVALUES_H
#define UOP_LIB_ANALYSIS_TRAFFIC_KNOWNVALUES_H

#include "WarpProgram.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

namespace uop::traffic {

class KnownValues {
public:
  KnownValues(KernelOp kernel, const RequestOptions &options);

  /// What the value depends on that is not known: an argument or the result of
  /// an op; null for a value that is known.
  mlir::Value getUnknown(mlir::Value value) const {
    return unknown.lookup(value);
  }
  /// What a condition or a bound depends on that is not known or, where this is
  /// allowed, only assumed; null for one that is evaluated.
  mlir::Value getOpen(mlir::Value value) const {
    if (mlir::Value source = getUnknown(value))
      return source;
    return assumed.contains(value) ? value : mlir::Value();
  }
  /// What decides whether, or how often, the ops of the block are executed, and
  /// is not known; null where nothing is.
  mlir::Value getUnknownControl(mlir::Block *block) const {
    return controls.lookup(block);
  }
  /// The op around the block whose control flow is not followed, if any.
  mlir::Operation *getForeignControl(mlir::Block *block) const {
    return foreign.lookup(block);
  }
  /// What a value is for every thread: a constant, or given by the launch.
  std::optional<int64_t> getConstant(mlir::Value value) const;
  /// A dimension of a memref.
  std::optional<int64_t> getSize(mlir::Value memref, unsigned dimension) const;

  /// For a message: `argument #2, whose value is not given`.
  static std::string describe(mlir::Value unknown);

private:
  void visit(mlir::Block &block, mlir::Value control,
             mlir::Operation *foreignOp);
  void visitFor(mlir::scf::ForOp loop, mlir::Value control);
  void visitWhile(mlir::scf::WhileOp loop, mlir::Value control);
  void visitIf(mlir::scf::IfOp branch, mlir::Value control);
  void visitSimple(mlir::Operation &op);
  void markUnknown(mlir::Value value, mlir::Value source);
  void markAssumed(mlir::Value value);
  /// The value is known no better than the source.
  void follow(mlir::Value value, mlir::Value source);
  std::optional<int64_t> evaluateConstant(mlir::Operation *op,
                                          Opcode opcode) const;

  static constexpr unsigned kMaxDepth = 256;
  const RequestOptions &options;
  llvm::DenseMap<mlir::Value, mlir::Value> unknown;
  /// What depends on arguments and sizes that are assumed to be 0: good enough
  /// for an address, but it decides nothing.
  llvm::DenseSet<mlir::Value> assumed;
  llvm::DenseMap<mlir::Block *, mlir::Value> controls;
  llvm::DenseMap<mlir::Block *, mlir::Operation *> foreign;
  mutable llvm::DenseMap<mlir::Value, std::optional<int64_t>> constants;
  mutable unsigned depth = 0;
  bool hasChanged = false;
};

} // namespace uop::traffic

#endif // UOP_LIB_ANALYSIS_TRAFFIC_KNOWNVALUES_H
