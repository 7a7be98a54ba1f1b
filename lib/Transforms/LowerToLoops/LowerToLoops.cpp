//===- LowerToLoops.cpp - From graph form to loop form --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel in graph form has no order: this pass gives it one. Its parts are
// the methods of one class, whose header says how it goes about it.
//
//===----------------------------------------------------------------------===//

#include "Uop/Transforms/LowerToLoops.h"
#include "LoopLowering.h"
#include "Uop/Transforms/Barriers.h"
#include "Uop/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace uop {
#define GEN_PASS_DEF_LOWERTOLOOPS
#include "Uop/Transforms/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;

/// Refuses more copies of an op than a thread has any use for.
LogicalResult LoopLowering::refuseManyCopies(Operation *op) {
  RangeList unrolled = getUnrolled(freeRanges.ofAny(op->getOperands()));
  if (llvm::any_of(unrolled, [](RangeOp range) {
        return *range.getConstantExtent() == 0;
      }))
    return success();
  int64_t copies = 1;
  for (RangeOp range : unrolled) {
    int64_t extent = *range.getConstantExtent();
    if (extent <= kMaxCopies / copies) {
      copies *= extent;
      continue;
    }
    InFlightDiagnostic diag =
        op->emitOpError() << "expected at most " << kMaxCopies
                          << " copies of an op, but its upcast and unroll axes "
                             "make "
                          << copies << " times " << extent
                          << "; use a serial or reduce axis for a part of them";
    diag.attachNote(range.getLoc()) << "one of the axes is here";
    return diag;
  }
  return success();
}

/// Threads exchange values of up to 64 bits.
static LogicalResult refuseWideShuffles(ReduceOp reduce) {
  constexpr unsigned maxBits = 64;
  if (llvm::none_of(getRanges(reduce.getOver()), isGroup))
    return success();
  for (Type type : reduce.getResultTypes())
    if (type.getIntOrFloatBitWidth() > maxBits)
      return reduce.emitOpError()
             << "expected values of at most " << maxBits
             << " bits in a reduction over threads, but got " << type
             << "; use the axis reduce instead of group_reduce";
  return success();
}

LogicalResult LoopLowering::refuseUnsupported() {
  for (Operation &op : kernel.getBodyBlock()) {
    if (failed(refuseManyCopies(&op)))
      return failure();
    if (auto reduce = dyn_cast<ReduceOp>(op))
      if (failed(refuseWideShuffles(reduce)))
        return failure();
    if (auto stage = dyn_cast<StageOp>(op))
      if (failed(refuseStage(stage)))
        return failure();
    auto range = dyn_cast<RangeOp>(op);
    if (!range)
      continue;
    if (range.getAxis().getKind() == AxisKind::Fragment)
      return op.emitOpError() << "axis '" << range.getAxis().str()
                              << "' is not lowered to loops yet; use local "
                                 "instead";
  }
  return success();
}

LogicalResult LoopLowering::run() {
  if (failed(refuseUnsupported()))
    return failure();
  Block &graph = kernel.getBodyBlock();
  body = new Block();
  kernel.getBody().push_back(body);
  for (BlockArgument argument : graph.getArguments())
    arguments.map(argument,
                  body->addArgument(argument.getType(), argument.getLoc()));
  levels.push_back(std::make_unique<Level>());
  levels.front()->block = body;

  llvm::SmallPtrSet<Value, 4> loaded;
  for (auto load : graph.getOps<LoadOp>())
    loaded.insert(load.getSource());
  SmallVector<
      std::pair<llvm::SmallPtrSet<Operation *, 4>, SmallVector<StoreOp>>>
      groups;
  for (auto store : graph.getOps<StoreOp>()) {
    if (loaded.contains(store.getTarget()))
      storeOf.try_emplace(store.getTarget(), store);
    llvm::SmallPtrSet<Operation *, 4> serial;
    for (RangeOp range : getRanges(store.getOver()))
      if (isSerial(range))
        serial.insert(range);
    auto *group = llvm::find_if(
        groups, [&](auto &candidate) { return candidate.first == serial; });
    if (group == groups.end()) {
      groups.push_back({serial, {}});
      group = std::prev(groups.end());
    }
    group->second.push_back(store);
  }

  findSharedInPlace();
  emitSlots();
  for (auto &[serial, stores] : groups)
    emitStores(stores);

  graph.dropAllDefinedValueUses();
  graph.erase();
  kernel.setLoops(true);
  return success();
}

LogicalResult uop::lowerToLoops(KernelOp kernel) {
  if (failed(LoopLowering(kernel).run()))
    return failure();
  return placeBarriers(kernel);
}

namespace {

struct LowerToLoopsPass : uop::impl::LowerToLoopsBase<LowerToLoopsPass> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (kernel.isGraphForm() && failed(lowerToLoops(kernel)))
      signalPassFailure();
  }
};

} // namespace
