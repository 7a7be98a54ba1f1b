//===- Guards.cpp - Hardware ranges and who is within them ----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace uop;

static SlotKey getSlotKey(AxisAttr axis) {
  if (axis.isBlockIndex())
    return {0, unsigned(*axis.getDimension())};
  if (axis.isThreadIndex())
    return getThreadSlotKey(axis.getThreadDimension());
  return {2, 0};
}

static AxisAttr getSlotAxis(MLIRContext *context, SlotKey key) {
  static constexpr AxisKind kinds[] = {AxisKind::Global, AxisKind::Local,
                                       AxisKind::Thread};
  if (key.first == 2)
    return AxisAttr::get(context, AxisKind::Thread);
  return AxisAttr::get(context, kinds[key.first], Dimension(key.second));
}

/// Makes one range for each dimension of the hardware that the kernel uses, as
/// long as the longest that it stands for. Lanes are along x, in whole warps,
/// and a row of threads with a reduction over it is one of whole shuffles.
void LoopLowering::emitSlots() {
  for (auto range : kernel.getBody().front().getOps<RangeOp>())
    if (range.getAxis().isHardware() && !isFoldedGroup(range))
      slots[getSlotKey(range.getAxis())].ranges.push_back(range);
  for (auto &[key, slot] : slots) {
    slot.extent = 0;
    for (RangeOp range : slot.ranges) {
      std::optional<int64_t> extent = range.getConstantExtent();
      if (extent && range.getAxis().getKind() == AxisKind::Warp)
        extent = kWarpSize;
      slot.extent = extent && slot.extent
                        ? std::optional(std::max(*slot.extent, *extent))
                        : std::nullopt;
    }
    if (key == getThreadSlotKey(Dimension::X) &&
        llvm::any_of(slot.ranges, isGroup))
      slot.extent = getShuffleRowSize(*slot.extent);
    // What is not of these ranges runs at index 0, which has to be there.
    bool isLacked = llvm::any_of(
        kernel.getBody().front().getOps<StoreOp>(),
        [&ranges = slot.ranges](StoreOp store) {
          return llvm::none_of(getRanges(store.getOver()), [&](RangeOp range) {
            return llvm::is_contained(ranges, range);
          });
        });
    slot.hasExtraPoint = isLacked && slot.extent.value_or(0) == 0;
    if (slot.extent == 0 && isLacked)
      slot.extent = 1;
    if (slot.extent == 1) {
      slot.value = getConstant(0);
      continue;
    }
    AxisAttr axis = getSlotAxis(kernel.getContext(), key);
    Location loc = slot.ranges.front().getLoc();
    if (slot.extent) {
      insertAt(*levels.front());
      slot.value = RangeOp::create(builder, loc, axis, *slot.extent);
      continue;
    }
    Value largest;
    for (RangeOp range : slot.ranges) {
      Value extent = getExtent(range);
      insertAt(*levels.front());
      largest = largest && largest != extent
                    ? arith::MaxSIOp::create(builder, loc, largest, extent)
                    : extent;
    }
    if (slot.hasExtraPoint) {
      Value one = getConstant(1);
      insertAt(*levels.front());
      largest = arith::MaxSIOp::create(builder, loc, largest, one);
    }
    slot.value = RangeOp::create(builder, loc, axis, OpFoldResult(largest));
  }
}

/// The conjunction of two conditions, either of which may be absent.
Value LoopLowering::conjoin(Value lhs, Value rhs) {
  if (!lhs || !rhs || lhs == rhs)
    return lhs ? lhs : rhs;
  return arith::AndIOp::create(builder, lhs.getLoc(), lhs, rhs);
}

/// Where the index of the hardware is within the range; null if everywhere.
Value LoopLowering::getGuard(RangeOp range) {
  if (!range.getAxis().isHardware() || isFoldedGroup(range))
    return {};
  auto [it, isNew] = guards.try_emplace(range);
  if (!isNew)
    return it->second;
  Slot &slot = slots[getSlotKey(range.getAxis())];
  std::optional<int64_t> extent = range.getConstantExtent();
  bool isWhole =
      slot.extent ? *extent == *slot.extent
                  : llvm::all_of(slot.ranges, [&](RangeOp other) {
                      return other.getMixedExtent() == range.getMixedExtent();
                    });
  if (isWhole && !slot.hasExtraPoint)
    return {};
  Value bound = getExtent(range);
  OpBuilder::InsertionGuard insertionGuard(builder);
  insertAt(*levels.front());
  Value guard = arith::CmpIOp::create(
      builder, range.getLoc(), arith::CmpIPredicate::slt, slot.value, bound);
  return guards[range] = guard;
}

/// Which threads of which blocks execute the store: those within the ranges of
/// its domain, at index 0 of every dimension that its domain lacks.
Value LoopLowering::getStoreGuard(StoreOp store) {
  auto [it, isNew] = guards.try_emplace(store);
  if (!isNew)
    return it->second;
  Value guard = buildDomainGuard(store, [](SlotKey) { return true; });
  return guards[store] = guard;
}

/// Which threads read a buffer that the store overwrites: the one that writes
/// the element; or, where all threads of a block need it to reduce it, also
/// those of its block that do not.
Value LoopLowering::getReaderGuard(StoreOp store) {
  if (!sharedInPlace.contains(store.getTarget()))
    return getStoreGuard(store);
  auto [it, isNew] = readerGuards.try_emplace(store);
  if (!isNew)
    return it->second;
  Value guard =
      buildDomainGuard(store, [](SlotKey key) { return !isThreadSlot(key); });
  return readerGuards[store] = guard;
}

/// Where the indices are within the ranges of the domain, and at 0 in those of
/// the dimensions that it lacks which `isRequired` selects.
Value LoopLowering::buildDomainGuard(StoreOp store,
                                     function_ref<bool(SlotKey)> isRequired) {
  RangeList domain = getRanges(store.getOver());
  Value guard;
  OpBuilder::InsertionGuard insertionGuard(builder);
  for (RangeOp range : domain) {
    Value within = getGuard(range);
    insertAt(*levels.front());
    guard = conjoin(guard, within);
  }
  for (auto &[key, slot] : slots) {
    bool isUsed =
        llvm::any_of(domain, [&, &ranges = slot.ranges](RangeOp range) {
          return llvm::is_contained(ranges, range);
        });
    if (isUsed || slot.extent == 1 || !isRequired(key))
      continue;
    Value zero = getConstant(0);
    insertAt(*levels.front());
    Value isFirst = arith::CmpIOp::create(
        builder, store.getLoc(), arith::CmpIPredicate::eq, slot.value, zero);
    guard = conjoin(guard, isFirst);
  }
  return guard;
}

/// Finds the buffers that are overwritten in place and whose values go into a
/// reduction over threads or a tile of the block.
void LoopLowering::findSharedInPlace() {
  for (auto load : kernel.getBodyBlock().getOps<LoadOp>()) {
    if (!storeOf.contains(load.getSource()))
      continue;
    SetVector<Operation *> reached;
    reached.insert(load);
    for (size_t i = 0; i < reached.size(); ++i) {
      auto reduce = dyn_cast<ReduceOp>(reached[i]);
      auto stage = dyn_cast<StageOp>(reached[i]);
      if ((stage && isWorkgroup(stage)) ||
          (reduce && llvm::any_of(getRanges(reduce.getOver()), isGroup))) {
        sharedInPlace.insert(load.getSource());
        break;
      }
      for (Operation *user : reached[i]->getUsers())
        reached.insert(user);
    }
  }
}
