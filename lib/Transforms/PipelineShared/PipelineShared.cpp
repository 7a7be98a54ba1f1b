//===- PipelineShared.cpp - Fill tiles while others are read --------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Allocations that ask for several tiles are taken by the loops that fill them,
// inner loops first. What fills them ahead is in PipelineLoop.cpp; whether that
// may be done in TileLoop.cpp.
//
//===----------------------------------------------------------------------===//

#include "TileLoop.h"
#include "Uop/Analysis/GPUTarget.h"
#include "Uop/Analysis/LaunchShape.h"
#include "Uop/Transforms/Barriers.h"
#include "Uop/Transforms/Passes.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

namespace uop {
#define GEN_PASS_DEF_PIPELINESHARED
#include "Uop/Transforms/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;

/// Whether every tile but the first begins where the accesses want it to.
static bool areTilesAligned(const TileLoop &plan, std::string &reason) {
  for (AllocOp tile : plan.tiles)
    for (Operation *user : tile->getUsers()) {
      int64_t alignment = 1;
      if (auto load = dyn_cast<vector::LoadOp>(user))
        alignment = load.getAlignment().value_or(1);
      else if (auto store = dyn_cast<vector::StoreOp>(user))
        alignment = store.getAlignment().value_or(1);
      if (getBytes(tile) % alignment == 0)
        continue;
      reason = "its " + std::to_string(getBytes(tile)) +
               " bytes are no multiple of " + std::to_string(alignment) +
               ", the alignment of an access: a second tile would not be "
               "aligned";
      return false;
    }
  return true;
}

static bool canCopyAsync(const TileLoop &plan) {
  Divisibility divisibility;
  bool result = true;
  for (Operation *fill : plan.fills)
    fill->walk([&](Operation *op) {
      if (!isa<memref::StoreOp, vector::StoreOp>(op))
        return;
      std::optional<CopiedElements> copied =
          getCopiedElements(op, divisibility);
      auto tile = op->getOperand(1).getDefiningOp<AllocOp>();
      result &= copied && getBytes(tile) % copied->bytes == 0;
    });
  return result;
}

namespace {

enum class CopyWay { Auto, Async, Registers };

struct PipelineShared : uop::impl::PipelineSharedBase<PipelineShared> {
  using Base::Base;

  void runOnOperation() override;

  std::optional<CopyWay> getWay();
  void pipeline(scf::ForOp loop, ArrayRef<AllocOp> tiles, CopyWay way);
  bool tryToPipeline(scf::ForOp loop, ArrayRef<AllocOp> tiles, CopyWay way,
                     std::string &reason);
};

} // namespace

std::optional<CopyWay> PipelineShared::getWay() {
  KernelOp kernel = getOperation();
  if (!lookUpGPUTarget(chip)) {
    kernel.emitError() << "expected a chip of " << listGPUTargets()
                       << ", but got '" << chip.getValue() << "'";
    return std::nullopt;
  }
  bool hasAsync = hasAsyncCopies(chip);
  if (copy == "auto")
    return hasAsync ? CopyWay::Auto : CopyWay::Registers;
  if (copy == "registers")
    return CopyWay::Registers;
  if (copy != "async") {
    kernel.emitError() << "expected copy auto, async or registers, but got '"
                       << copy.getValue() << "'";
    return std::nullopt;
  }
  if (!hasAsync) {
    kernel.emitError() << "expected sm_80 or later for copy=async, but got '"
                       << chip.getValue()
                       << "'; copy through registers, with copy=registers";
    return std::nullopt;
  }
  return CopyWay::Async;
}

bool PipelineShared::tryToPipeline(scf::ForOp loop, ArrayRef<AllocOp> tiles,
                                   CopyWay way, std::string &reason) {
  KernelOp kernel = getOperation();
  FailureOr<TileLoop> plan = planTileLoop(kernel, loop, tiles, reason);
  if (failed(plan) || !areTilesAligned(*plan, reason))
    return false;
  bool isAsync = way != CopyWay::Registers && canCopyAsync(*plan);
  if (!isAsync && way == CopyWay::Async) {
    reason = "not every store has 4, 8 or 16 aligned bytes as they are loaded";
    return false;
  }
  if (!isAsync) {
    if (failed(separateLoads(*plan, reason)))
      return false;
    plan = planTileLoop(kernel, loop, tiles, reason);
    if (failed(plan))
      return false;
  }
  if (remarks)
    for (AllocOp tile : tiles)
      emitRemark(tile.getLoc())
          << "the allocation is filled " << plan->numBuffers - 1
          << (plan->numBuffers == 2 ? " iteration" : " iterations")
          << " ahead, "
          << (isAsync ? "by asynchronous copies" : "through registers");
  pipelineLoop(kernel, *plan, isAsync);
  ++numPipelined;
  return true;
}

void PipelineShared::pipeline(scf::ForOp loop, ArrayRef<AllocOp> tiles,
                              CopyWay way) {
  std::string reason;
  if (tryToPipeline(loop, tiles, way, reason))
    return;
  for (AllocOp tile : tiles) {
    if (remarks)
      emitRemark(tile.getLoc())
          << "the allocation is not filled ahead: " << reason;
    tile.setBuffers(1);
  }
}

void PipelineShared::runOnOperation() {
  KernelOp kernel = getOperation();
  if (kernel.isGraphForm())
    return markAllAnalysesPreserved();
  std::optional<CopyWay> way = getWay();
  if (!way)
    return signalPassFailure();
  SmallVector<AllocOp> tiles;
  kernel.walk([&](AllocOp alloc) {
    if (isWorkgroup(alloc) && alloc.getBuffers() > 1)
      tiles.push_back(alloc);
    else if (alloc.getBuffers() > 1)
      alloc.setBuffers(1);
  });
  if (tiles.empty())
    return markAllAnalysesPreserved();
  llvm::DenseMap<Operation *, SmallVector<AllocOp>> byLoop;
  for (AllocOp tile : tiles) {
    std::string reason;
    if (scf::ForOp loop = findTileLoop(tile, reason)) {
      byLoop[loop].push_back(tile);
      continue;
    }
    if (remarks)
      emitRemark(tile.getLoc())
          << "the allocation is not filled ahead: " << reason;
    tile.setBuffers(1);
  }
  // Inner loops first, which are not made anew afterwards.
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) {
    if (byLoop.contains(loop))
      loops.push_back(loop);
  });
  for (scf::ForOp loop : loops)
    pipeline(loop, byLoop.lookup(loop), *way);
  if (failed(placeBarriers(kernel)))
    signalPassFailure();
}
