//===- Program.h - A kernel prepared for the interpreter --------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values become numbered slots, ops become steps in the order of the kernel.
// Everything that can be refused without running is refused here.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_INTERPRETER_PROGRAM_H
#define UOP_LIB_INTERPRETER_PROGRAM_H

#include "Scalar.h"
#include "Uop/IR/FreeRanges.h"
#include "Uop/Interpreter/Interpreter.h"
#include <deque>
#include <unordered_map>

namespace uop {

using Slot = unsigned;
constexpr Slot kNoSlot = ~0u;

/// A range while the program runs.
struct RangeState {
  RangeOp op;
  Slot slot;
  int64_t extent = 0;
  int64_t value = 0;
  /// When it last got another value.
  uint64_t changedAt = 0;
};

/// An op of the kernel or of a combiner. Ranges are by their number.
struct Step {
  mlir::Operation *op;
  /// The ranges in which the results are free, and those in which the operands
  /// are: at their values the op is executed.
  llvm::SmallVector<unsigned, 4> free, point;
  llvm::SmallVector<Slot, 2> results;

  /// Scalar ops: their operands. Loads, stores, stages: the indices. A
  /// reduction: the values.
  llvm::SmallVector<Slot, 4> operands;
  ScalarFunction function;

  /// Loads, stores: the buffer, as the number of an argument, or the tile.
  unsigned buffer = 0;
  Slot tile = kNoSlot;
  /// Loads, stores and reductions; kNoSlot if there is none.
  Slot mask = kNoSlot;
  /// The value of a load under a false mask; the value of a store or stage.
  Slot value = kNoSlot;

  /// Reductions, stores and stages: the ranges to run through, and the steps
  /// to be done at each point.
  llvm::SmallVector<unsigned, 4> over;
  llvm::SmallVector<Step *> body;
  /// Reductions and accumulating stores: what combines. The accumulators have
  /// slots of their own, and begin with these values (of a kind) or slots.
  llvm::SmallVector<Slot, 2> accumulators;
  llvm::SmallVector<Scalar, 2> identities;
  llvm::SmallVector<Slot, 2> identitySlots;
  std::deque<Step> combiner;
  llvm::SmallVector<Slot, 2> yielded;

  /// How many reductions and stages are executed inside one another.
  unsigned depth = 0;

  /// When the results were computed; 0 if never.
  uint64_t computedAt = 0;
  /// Reductions and stages: the results at points of `free`, by number.
  std::unordered_map<int64_t, llvm::SmallVector<Scalar, 1>> known;
  /// Whether the points of `free` can be numbered.
  bool isKnowable = true;
};

/// The steps of a kernel.
class Program {
public:
  /// Emits an error at an op that the interpreter cannot execute.
  mlir::LogicalResult build(KernelOp kernel,
                            llvm::ArrayRef<KernelArgument> arguments,
                            bool contract);

  std::deque<Step> steps;
  std::deque<Step> stores;
  llvm::SmallVector<RangeState> ranges;
  std::vector<Scalar> slots;
  /// Steps that compute extents.
  llvm::SmallVector<Step *> extentSteps;
  /// Loads that a store depends on, each with the steps for its operands.
  llvm::SmallVector<std::pair<Step *, llvm::SmallVector<Step *>>> usedLoads;

  Slot getSlot(mlir::Value value) const { return slotOf.lookup(value); }

private:
  Slot addSlot(mlir::Value value, Scalar initial = {});
  llvm::SmallVector<unsigned, 4> getNumbers(llvm::ArrayRef<RangeOp> list) const;
  llvm::SmallVector<Slot, 4> getSlots(mlir::ValueRange values) const;
  Slot getOptionalSlot(mlir::Value value) const;
  llvm::SmallVector<Step *> collect(mlir::ValueRange roots) const;
  void setBody(Step &step, mlir::ValueRange over, mlir::ValueRange roots);
  void collectUsedLoads();

  mlir::LogicalResult addStep(mlir::Operation &op);
  mlir::LogicalResult prepareScalar(Step &step);
  mlir::LogicalResult prepareLoad(Step &step, LoadOp load);
  mlir::LogicalResult prepareStore(Step &step, StoreOp store);
  mlir::LogicalResult prepareReduce(Step &step, ReduceOp reduce);
  mlir::LogicalResult prepareStage(Step &step, StageOp stage);
  bool contractInto(Step &step, mlir::Value lhs, mlir::Value rhs,
                    bool isSubtraction);
  bool contractReduction(Step &step, ReduceOp reduce);

  llvm::ArrayRef<KernelArgument> arguments;
  bool contract = false;
  FreeRanges freeRanges;
  llvm::DenseMap<mlir::Value, Slot> slotOf;
  llvm::DenseMap<mlir::Operation *, Step *> stepOf;
  llvm::DenseMap<mlir::Operation *, unsigned> rangeNumber;
};

/// The point of ranges for the end of a message, as ` at (loop 4 = 3)`; empty
/// without ranges.
std::string describePoint(llvm::ArrayRef<RangeState> ranges,
                          llvm::ArrayRef<unsigned> numbers);

} // namespace uop

#endif // UOP_LIB_INTERPRETER_PROGRAM_H
