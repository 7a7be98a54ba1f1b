//===- ThreadExecution.h - Index arithmetic, executed --------- -*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the race analysis: the values that the index arithmetic of a
// kernel has for one thread in one iteration of the loops around.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_ANALYSIS_THREADEXECUTION_H
#define UOP_LIB_ANALYSIS_THREADEXECUTION_H

#include "Uop/Analysis/AddressForms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace uop {

class ThreadExecution {
protected:
  using Number = std::optional<int64_t>;

  /// Where a thread is in a loop.
  struct LoopState {
    int64_t count = 0, index = 0;
    llvm::SmallVector<Number, 4> arguments, afterArguments;
  };

  ThreadExecution(AddressForms &forms, bool acrossBlocks)
      : forms(forms), acrossBlocks(acrossBlocks) {}

  /// Collects what a value or a form depends on; false where that cannot be
  /// executed. Of threads of one block the block is a parameter, of which no
  /// value is known.
  bool collect(mlir::Value value);
  bool collect(FormNumber form);
  /// The control flow around an op, as far as it can be executed; false where
  /// it cannot and the iterations are needed, or are `counted`.
  bool collectControl(mlir::Operation *op, mlir::Operation *counted);

  /// What was collected has a value where the thread and the states of the
  /// loops are set; other values need not have one.
  Number evaluate(mlir::Value value);
  Number evaluateForm(FormNumber form);

  AddressForms &forms;
  bool acrossBlocks;

  /// What the addresses and the conditions depend on.
  llvm::DenseSet<mlir::Value> needed;
  llvm::DenseSet<mlir::Operation *> neededLoops;
  /// The control flow that cannot be executed.
  mlir::Operation *uncertain = nullptr;

  /// Of the thread that is executed.
  std::array<int64_t, 3> thread = {0, 0, 0}, block = {0, 0, 0};
  int64_t cpuThread = 0;
  llvm::DenseMap<mlir::Operation *, LoopState> states;
  /// Values that are known; to be cleared with any change of these.
  llvm::DenseMap<mlir::Value, Number> memo;

private:
  Number evaluateOp(mlir::Operation *op, mlir::Value result);
  Number evaluateArgument(mlir::BlockArgument argument);
};

} // namespace uop

#endif // UOP_LIB_ANALYSIS_THREADEXECUTION_H
