//===- Stages.cpp - Tiles, and when they are filled -----------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stage is memory at the top of the kernel, and code that fills it in the
// innermost open loop in whose range the stage is free. All workgroup stages
// that are needed at one place are filled there together, so that they share
// their barriers. A private tile is filled by each thread alone.
//
//===----------------------------------------------------------------------===//

#include "LoopLowering.h"
#include "Uop/Analysis/SharedMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

/// Private tiles of up to so many points are filled without loops, so that they
/// can become registers.
static constexpr int64_t kMaxPrivateCopies = 16;

/// The ops on which the operands depend.
static SetVector<Operation *> findReached(ValueRange roots) {
  SetVector<Operation *> reached;
  auto insert = [&](ValueRange values) {
    for (Value value : values)
      if (Operation *op = value.getDefiningOp())
        reached.insert(op);
  };
  insert(roots);
  for (size_t i = 0; i < reached.size(); ++i)
    insert(reached[i]->getOperands());
  return reached;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The memory of the current copy of a stage.
Value LoopLowering::getTile(StageOp stage) {
  SmallVector<int64_t> copy;
  for (RangeOp range : getUnrolled(freeRanges.of(stage)))
    copy.push_back(positions.lookup(range));
  Value &tile = tiles[stage][copy];
  if (tile)
    return tile;
  TileType type = stage.getType();
  auto space = gpu::AddressSpaceAttr::get(
      kernel.getContext(), isWorkgroup(stage) ? gpu::AddressSpace::Workgroup
                                              : gpu::AddressSpace::Private);
  insertAt(*levels.front());
  auto alloc =
      AllocOp::create(builder, stage.getLoc(),
                      MemRefType::get(type.getShape(), type.getElementType(),
                                      MemRefLayoutAttrInterface(), space));
  alloc->setDiscardableAttrs(llvm::to_vector(stage->getDiscardableAttrs()));
  if (isWorkgroup(stage)) {
    if (stage.getBuffers() != 1)
      alloc.setBuffers(stage.getBuffers());
    alloc.setLayoutAttr(stage.getLayoutAttr());
  }
  constexpr int64_t widestAccess = 16;
  int64_t row = type.getRank() == 0 ? 1 : type.getShape().back();
  if (row * getStoredBytes(type.getElementType()) % widestAccess == 0)
    alloc.setAlignment(widestAccess);
  return tile = alloc;
}

/// Refuses tiles of sizes that no number of bytes stands for, and copies for
/// neighbouring points beyond what there is a use for.
LogicalResult LoopLowering::refuseStage(StageOp stage) {
  constexpr int64_t maxBytes = std::numeric_limits<int32_t>::max();
  int64_t bytes = getStoredBytes(stage.getType().getElementType());
  for (int64_t size : stage.getType().getShape())
    if (llvm::MulOverflow(bytes, size, bytes) || bytes > maxBytes)
      return stage.emitOpError()
             << "expected a tile of at most " << maxBytes << " bytes, but got "
             << stage.getType() << "; stage a smaller part";
  int64_t copies = countCopies(stage), width = getCopyShape(stage).width;
  if (copies <= kMaxCopies / width)
    return success();
  return stage.emitOpError()
         << "expected at most " << kMaxCopies << " copies of an op, but the "
         << width
         << " elements that a thread copies at a time and the upcast and "
            "unroll axes make more; use a smaller 'vector'";
}

/// The most copies of an op that one point of the stage takes, at most one more
/// than are allowed.
int64_t LoopLowering::countCopies(StageOp stage) {
  SetVector<Operation *> reached = findReached(stage->getOperands());
  reached.insert(stage);
  int64_t most = 1;
  for (Operation *op : reached) {
    RangeList free = freeRanges.ofAny(op->getOperands());
    if (op != stage &&
        llvm::none_of(getRanges(stage.getOver()),
                      [&](RangeOp r) { return llvm::is_contained(free, r); }))
      continue;
    int64_t copies = 1;
    for (RangeOp range : getUnrolled(free))
      copies = std::min(
          kMaxCopies + 1,
          copies * std::min(kMaxCopies + 1, *range.getConstantExtent()));
    most = std::max(most, copies);
  }
  return most;
}

//===----------------------------------------------------------------------===//
// Where stages are filled
//===----------------------------------------------------------------------===//

/// Whether everything is open that the value is free in and that has a loop.
bool LoopLowering::isReady(Value value) {
  return llvm::all_of(freeRanges.of(value), [&](RangeOp range) {
    return !isSerial(range) || llvm::any_of(levels, [&](auto &level) {
      return level->range == range;
    });
  });
}

/// The workgroup stages that are needed in the innermost level, live there and
/// depend on none that is still to be filled there: the given one among them.
SmallVector<StageOp> LoopLowering::findStagesToFill(StageOp stage) {
  Level &home = *levels.back();
  SetVector<Operation *> needed;
  for (Operation *op : home.purpose) {
    SetVector<Operation *> reached = findReached(op->getOperands());
    needed.insert(reached.begin(), reached.end());
  }
  SmallVector<StageOp> candidates;
  for (StageOp other : neededStages)
    if (other == stage ||
        (isWorkgroup(other) && isReady(other) && &getHome(other) == &home &&
         !home.emitted.contains(other) &&
         (home.purpose.empty() || needed.contains(other))))
      candidates.push_back(other);
  SmallVector<StageOp> independent;
  for (StageOp candidate : candidates) {
    SetVector<Operation *> reached = findReached(candidate->getOperands());
    if (candidate == stage || llvm::none_of(candidates, [&](StageOp other) {
          return reached.contains(other);
        }))
      independent.push_back(candidate);
  }
  return independent;
}

/// Emits what the whole block does together inside of the stage, but does not
/// vary with its points: once, before the points are dealt out.
void LoopLowering::emitInnerCollectives(StageOp stage) {
  RangeList over = getRanges(stage.getOver());
  for (Operation *op : findReached(stage->getOperands())) {
    auto reduce = dyn_cast<ReduceOp>(op);
    bool isCollective =
        isa<StageOp>(op) ||
        (reduce && llvm::any_of(getRanges(reduce.getOver()), isGroup));
    if (!isCollective || !isReady(op->getResult(0)))
      continue;
    llvm::DenseMap<Operation *, int64_t> outerPositions = positions;
    forEachCopy(getUnrolled(freeRanges.of(op->getResult(0))),
                [&] { emit(op->getResult(0)); });
    positions = std::move(outerPositions);
  }
}

/// Fills all copies of a stage, and of those that are filled with it.
void LoopLowering::emitStages(StageOp stage) {
  inHome(stage, [&] {
    SmallVector<StageOp> group{stage};
    if (isWorkgroup(stage)) {
      emitInnerCollectives(stage);
      group = findStagesToFill(stage);
      for (StageOp member : group)
        emitInnerCollectives(member);
    }
    for (StageOp member : group)
      forEachCopy(getUnrolled(freeRanges.of(member)),
                  [&] { remember(member, getTile(member)); });
    if (isWorkgroup(stage))
      fillTogether(group);
    else
      fillAlone(stage);
  });
}

//===----------------------------------------------------------------------===//
// Values and writes of points
//===----------------------------------------------------------------------===//

/// Makes a range that the stage closes have a value, in the innermost block.
void LoopLowering::openPoint(StageOp stage, RangeOp range, Value position,
                             Block *block, Value guard) {
  auto level = std::make_unique<Level>();
  level->range = range;
  level->inductionVar = position;
  level->block = block;
  level->guard = guard;
  level->purpose.push_back(stage);
  levels.push_back(std::move(level));
}

/// Emits the values of all copies of a stage at the point that is open.
void LoopLowering::emitPoint(StageOp stage, Value guard,
                             SmallVectorImpl<TileWrite> &writes) {
  forEachCopy(getUnrolled(freeRanges.ofAny(stage->getOperands())), [&] {
    TileWrite write{
        stage.getLoc(), emit(stage.getValue()), getTile(stage), {}, guard};
    for (Value index : stage.getIndices())
      write.indices.push_back(emit(index));
    writes.push_back(std::move(write));
  });
}

/// Writes values at the end of the innermost level.
void LoopLowering::writeTiles(ArrayRef<TileWrite> writes) {
  for (const TileWrite &write : writes) {
    auto store = [&](OpBuilder &b) {
      memref::StoreOp::create(b, write.loc, write.value, write.tile,
                              write.indices);
    };
    if (!write.guard) {
      store(builder);
      continue;
    }
    scf::IfOp::create(builder, write.loc, write.guard,
                      [&](OpBuilder &b, Location loc) {
                        store(b);
                        scf::YieldOp::create(b, loc);
                      });
  }
}

//===----------------------------------------------------------------------===//
// Private tiles
//===----------------------------------------------------------------------===//

/// Each thread fills its tile: few points as copies, many in loops.
void LoopLowering::fillAlone(StageOp stage) {
  RangeList over = getRanges(stage.getOver());
  int64_t points = getCopyShape(stage).points;
  bool isCopied =
      points <= kMaxPrivateCopies && points <= kMaxCopies / countCopies(stage);
  Block *block = levels.back()->block;
  size_t outer = levels.size();
  Operation *openChild = openChildren.lookup(block);
  auto fill = [&](auto &fill, ArrayRef<RangeOp> rest) -> void {
    if (rest.empty()) {
      SmallVector<TileWrite> writes;
      emitPoint(stage, /*guard=*/{}, writes);
      insertAt(*levels.back());
      return writeTiles(writes);
    }
    RangeOp range = rest.front();
    if (!isCopied) {
      openLoop(range, {});
      levels.back()->purpose.push_back(stage);
      fill(fill, rest.drop_front());
      return closeLoop({});
    }
    for (int64_t i = 0, e = *range.getConstantExtent(); i < e; ++i) {
      openPoint(stage, range, getConstant(i), block, /*guard=*/{});
      fill(fill, rest.drop_front());
      levels.pop_back();
    }
  };
  fill(fill, over);
  assert(levels.size() == outer && "what was opened is closed");
  (void)outer;
  openChildren[block] = openChild;
}
