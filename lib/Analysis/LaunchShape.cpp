//===- LaunchShape.cpp - The grid and the block of a kernel ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/LaunchShape.h"
#include "Uop/Analysis/SharedMemory.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

std::optional<int64_t> LaunchShape::getNumBlocks() const {
  int64_t blocks = 1;
  for (int64_t extent : grid)
    if (ShapedType::isDynamic(extent) ||
        llvm::MulOverflow(blocks, extent, blocks))
      return std::nullopt;
  return blocks;
}

std::optional<int64_t> uop::getStaticExtent(RangeOp range) {
  if (std::optional<int64_t> extent = range.getConstantExtent())
    return extent;
  APInt constant;
  if (matchPattern(range.getExtent(), m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

/// Whether a store has none of the ranges in its domain.
static bool lacksAll(KernelOp kernel, ArrayRef<RangeOp> ranges) {
  return llvm::any_of(
      kernel.getBodyBlock().getOps<StoreOp>(), [&](StoreOp store) {
        return llvm::none_of(store.getOver(), [&](Value value) {
          return llvm::is_contained(ranges, value.getDefiningOp<RangeOp>());
        });
      });
}

LaunchShape uop::computeLaunchShape(KernelOp kernel) {
  LaunchShape shape;
  std::array<bool, 3> isDynamic = {false, false, false};
  bool hasLanes = false, hasRowReduction = false;
  kernel.walk([&](RangeOp range) {
    AxisAttr axis = range.getAxis();
    std::optional<int64_t> extent = getStaticExtent(range);
    if (axis.isThreadIndex()) {
      int64_t &size = shape.block[unsigned(axis.getThreadDimension())];
      int64_t threads =
          axis.getKind() == AxisKind::Warp ? kWarpSize : extent.value_or(1);
      size = std::max(size, threads);
      hasLanes |= axis.getKind() == AxisKind::Warp;
      hasRowReduction |= axis.getKind() == AxisKind::GroupReduce &&
                         axis.getThreadDimension() == Dimension::X &&
                         extent != 1;
      return;
    }
    if (!axis.isBlockIndex())
      return;
    unsigned dimension = unsigned(*axis.getDimension());
    if (extent && shape.gridRanges[dimension].empty())
      shape.grid[dimension] = *extent;
    else if (extent)
      shape.grid[dimension] = std::max(shape.grid[dimension], *extent);
    else
      isDynamic[dimension] = true;
    shape.gridRanges[dimension].push_back(range);
  });
  // So that the lane of a thread is a function of its x alone.
  if (hasLanes)
    shape.block[0] = llvm::alignTo(shape.block[0], kWarpSize);
  if (hasRowReduction)
    shape.block[0] = getShuffleRowSize(shape.block[0]);
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    if (isDynamic[dimension])
      shape.grid[dimension] = ShapedType::kDynamic;
    // A store that has no range of the dimension in its domain runs at index 0.
    else if (shape.grid[dimension] == 0 && kernel.isGraphForm() &&
             lacksAll(kernel, shape.gridRanges[dimension]))
      shape.grid[dimension] = 1;
  }
  return shape;
}

bool uop::isWorkgroup(AllocOp alloc) {
  return gpu::GPUDialect::isWorkgroupMemoryAddressSpace(
      cast<MemRefType>(alloc.getType()).getMemorySpace());
}

static int64_t getBytesOfElement(AllocOp alloc) {
  return getStoredBytes(cast<MemRefType>(alloc.getType()).getElementType());
}

int64_t uop::getBytes(AllocOp alloc) {
  return cast<MemRefType>(alloc.getType()).getNumElements() *
         getBytesOfElement(alloc);
}

int64_t uop::getAlignment(AllocOp alloc) {
  int64_t natural = getBytesOfElement(alloc);
  if (std::optional<int64_t> asked = alloc.getAlignment())
    return std::max(*asked, natural);
  constexpr int64_t widestAccess = 16;
  return getBytes(alloc) % widestAccess == 0 ? std::max(widestAccess, natural)
                                             : natural;
}

Operation *uop::findEscape(Value memref) {
  for (Operation *user : memref.getUsers()) {
    if (user->hasTrait<OpTrait::IsTerminator>())
      return user;
    if (isa<ViewLikeOpInterface>(user))
      for (Value result : user->getResults())
        if (Operation *escape = findEscape(result))
          return escape;
  }
  return nullptr;
}

int64_t uop::getSharedBytes(KernelOp kernel) {
  int64_t bytes = 0;
  kernel.walk([&](AllocOp alloc) {
    if (isWorkgroup(alloc))
      bytes = llvm::alignTo(bytes, getAlignment(alloc)) + getBytes(alloc);
  });
  return bytes;
}
