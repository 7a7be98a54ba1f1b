//===- PackShared.cpp - Workgroup allocations that share memory -----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/SharedLifetimes.h"
#include "Uop/Transforms/Barriers.h"
#include "Uop/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

namespace uop {
#define GEN_PASS_DEF_PACKSHARED
#include "Uop/Transforms/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;

namespace {

/// A part of the common memory.
struct Piece {
  AllocOp alloc;
  TextInterval lifetime;
  int64_t bytes, alignment;
  int64_t offset = 0;
};

struct PackSharedPass : uop::impl::PackSharedBase<PackSharedPass> {
  void runOnOperation() override;
};

} // namespace

/// Selects, by index, what has another one that it does not overlap.
template <typename GetInterval>
static SmallVector<AllocOp> selectSeparable(ArrayRef<AllocOp> allocs,
                                            GetInterval getInterval) {
  SmallVector<TextInterval> intervals =
      llvm::map_to_vector(allocs, getInterval);
  SmallVector<AllocOp> selected;
  for (auto [alloc, interval] : llvm::zip_equal(allocs, intervals))
    if (llvm::any_of(intervals, [interval = interval](TextInterval other) {
          return !interval.overlaps(other);
        }))
      selected.push_back(alloc);
  return selected;
}

/// Gives each piece the first offset at which it is alone while it lives, the
/// largest pieces first. Returns the bytes of all.
static int64_t placePieces(MutableArrayRef<Piece> pieces) {
  SmallVector<Piece *> order =
      llvm::map_to_vector(pieces, [](Piece &piece) { return &piece; });
  llvm::sort(order, [](const Piece *a, const Piece *b) {
    return std::pair(-a->bytes, a) < std::pair(-b->bytes, b);
  });
  int64_t total = 0;
  for (auto [number, piece] : llvm::enumerate(order)) {
    SmallVector<const Piece *> others;
    for (const Piece *other : ArrayRef(order).take_front(number))
      if (other->lifetime.overlaps(piece->lifetime))
        others.push_back(other);
    llvm::sort(others, [](const Piece *a, const Piece *b) {
      return a->offset < b->offset;
    });
    int64_t offset = 0;
    for (const Piece *other : others) {
      if (offset + piece->bytes <= other->offset)
        break;
      offset =
          std::max(offset, int64_t(llvm::alignTo(other->offset + other->bytes,
                                                 piece->alignment)));
    }
    piece->offset = offset;
    total = std::max(total, offset + piece->bytes);
  }
  return total;
}

/// Makes the pieces views of one allocation.
static void replacePieces(KernelOp kernel, ArrayRef<Piece> pieces,
                          int64_t bytes) {
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBodyBlock());
  AllocOp first = pieces.front().alloc;
  auto type =
      MemRefType::get({bytes}, builder.getI8Type(), MemRefLayoutAttrInterface(),
                      cast<MemRefType>(first.getType()).getMemorySpace());
  auto memory = AllocOp::create(builder, first.getLoc(), type);
  int64_t alignment = 1;
  for (const Piece &piece : pieces) {
    alignment = std::max(alignment, piece.alignment);
    if (AllocOp(piece.alloc).getZero())
      memory.setZero(true);
  }
  memory.setAlignment(alignment);
  for (const Piece &piece : pieces) {
    AllocOp alloc = piece.alloc;
    builder.setInsertionPoint(alloc);
    Value offset =
        arith::ConstantIndexOp::create(builder, alloc.getLoc(), piece.offset);
    auto view = memref::ViewOp::create(builder, alloc.getLoc(),
                                       cast<MemRefType>(alloc.getType()),
                                       memory, offset, ValueRange());
    alloc.getResult().replaceAllUsesWith(view);
    alloc.erase();
  }
}

void PackSharedPass::runOnOperation() {
  KernelOp kernel = getOperation();
  if (kernel.isGraphForm())
    return;
  SharedLifetimes lifetimes(kernel);
  // Before the proofs: most kernels use all of their tiles at once.
  SmallVector<AllocOp> allocs =
      selectSeparable(lifetimes.getAllocs(), [&](AllocOp alloc) {
        return lifetimes.getAccessed(alloc);
      });
  llvm::DenseMap<Operation *, TextInterval> intervals;
  for (AllocOp alloc : allocs)
    intervals[alloc] = lifetimes.getLifetime(alloc);
  allocs = selectSeparable(
      allocs, [&](AllocOp alloc) { return intervals.lookup(alloc); });
  if (allocs.empty())
    return;
  SmallVector<Piece> pieces = llvm::map_to_vector(allocs, [&](AllocOp alloc) {
    return Piece{alloc, intervals.lookup(alloc), getBytes(alloc),
                 getAlignment(alloc)};
  });
  int64_t bytes = placePieces(pieces), before = 0;
  for (const Piece &piece : pieces)
    before = llvm::alignTo(before, piece.alignment) + piece.bytes;
  if (bytes >= before)
    return;
  numPacked += pieces.size();
  numSaved += before - bytes;
  replacePieces(kernel, pieces, bytes);
  if (failed(placeBarriers(kernel)))
    signalPassFailure();
}
