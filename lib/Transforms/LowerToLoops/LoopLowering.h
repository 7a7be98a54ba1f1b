//===- LoopLowering.h - State of the lowering to loops ----------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to --uop-lower-to-loops: the class whose methods, in the files beside
// it, give a kernel in graph form an order.
//
// Hardware ranges are always open. A value is emitted in the innermost open
// serial loop whose range is free in it, before the loop that is open inside
// that one, so that nothing is computed more often than it varies. A store
// opens the serial ranges of its domain; a reduction opens the ranges that it
// closes, with its accumulators as iter_args. Upcast and unroll ranges are
// copies of the code: a value exists once for each combination of the unrolled
// ranges in which it is free, and so copies share what does not differ between
// them.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_TRANSFORMS_LOWERTOLOOPS_LOOPLOWERING_H
#define UOP_LIB_TRANSFORMS_LOWERTOLOOPS_LOOPLOWERING_H

#include "Uop/IR/FreeRanges.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include <map>
#include <memory>

namespace uop {

/// Whether the range is a loop of one thread. A range that is not mapped yet
/// is one, too.
inline bool isSerial(RangeOp range) {
  AxisAttr axis = range.getAxis();
  return !axis.isHardware() && !axis.isUnrolled();
}

/// An open loop, or the top of the kernel.
struct Level {
  /// The range that the loop runs over; null at the top.
  RangeOp range;
  mlir::Value inductionVar;
  mlir::Block *block;
  /// The loop of the next level, before which later values are emitted.
  mlir::Operation *openChild = nullptr;
  /// What has been emitted here, by the positions of the unrolled ranges in
  /// which it is free.
  llvm::DenseMap<mlir::Value, std::map<llvm::SmallVector<int64_t>, mlir::Value>>
      emitted;
};

/// One index of the hardware, which all ranges of its dimension share.
struct Slot {
  RangeList ranges;
  /// The largest extent, where all are static.
  std::optional<int64_t> extent;
  mlir::Value value;
};

/// A slot's place: block indices, then thread indices, then CPU threads.
using SlotKey = std::pair<unsigned, unsigned>;

class LoopLowering {
public:
  explicit LoopLowering(KernelOp kernel)
      : kernel(kernel), builder(kernel.getContext()) {}

  mlir::LogicalResult run();

private:
  mlir::LogicalResult refuseUnsupported();
  mlir::LogicalResult refuseManyCopies(mlir::Operation *op);
  void emitSlots();
  void emitStores(llvm::ArrayRef<StoreOp> group);
  void emitStore(StoreOp store);
  void emitReductions(ReduceOp reduce);
  void emitOverOf(llvm::ArrayRef<ReduceOp> group, llvm::ArrayRef<RangeOp> over,
                  llvm::SmallVectorImpl<mlir::Value> &accumulators);
  void combine(llvm::ArrayRef<ReduceOp> group,
               llvm::SmallVectorImpl<mlir::Value> &accumulators);
  llvm::SmallVector<mlir::Value> combineOnce(ReduceOp reduce,
                                             mlir::ValueRange accumulators);
  mlir::Value markAccumulator(mlir::Value value);

  mlir::Value emit(mlir::Value value);
  void emitOperation(mlir::Operation *op);
  void emitLoad(LoadOp load);
  mlir::Value lookup(mlir::Value value);
  void remember(mlir::Value value, mlir::Value emitted);
  mlir::Value getRangeValue(RangeOp range);
  mlir::Value getExtent(RangeOp range);
  mlir::Value getConstant(int64_t value);

  mlir::scf::ForOp openLoop(RangeOp range, mlir::ValueRange initArgs);
  void closeLoop(mlir::ValueRange yielded);
  Level &getHome(mlir::Value value);
  void insertAt(Level &level);

  mlir::Value conjoin(mlir::Value lhs, mlir::Value rhs);
  mlir::Value getGuard(RangeOp range);
  mlir::Value getGuardOfAny(mlir::Operation *op);
  mlir::Value getGuardOfInPlace(mlir::Operation *op);
  mlir::Value getStoreGuard(StoreOp store);

  RangeList getUnrolled(llvm::ArrayRef<RangeOp> ranges);
  void forEachCopy(llvm::ArrayRef<RangeOp> unrolled,
                   llvm::function_ref<void()> body);

  KernelOp kernel;
  mlir::OpBuilder builder;
  FreeRanges freeRanges;
  mlir::Block *body = nullptr;
  mlir::IRMapping arguments;
  std::vector<std::unique_ptr<Level>> levels;
  std::map<SlotKey, Slot> slots;
  llvm::DenseMap<mlir::Operation *, int64_t> positions;
  std::map<int64_t, mlir::Value> constants;
  /// Guards of the ranges that are shorter than their slot, and of stores.
  llvm::DenseMap<mlir::Operation *, mlir::Value> guards;
  /// The stores to a buffer that is loaded as well, by buffer.
  llvm::DenseMap<mlir::Value, StoreOp> storeOf;
  /// The reductions that the stores being emitted need.
  llvm::SetVector<ReduceOp> neededReductions;
};

} // namespace uop

#endif // UOP_LIB_TRANSFORMS_LOWERTOLOOPS_LOOPLOWERING_H
