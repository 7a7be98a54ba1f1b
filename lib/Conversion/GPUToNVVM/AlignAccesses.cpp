//===- AlignAccesses.cpp - State how far the accesses are aligned ---------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A back end makes one wide access of adjacent ones where the first is aligned.
// LLVM works that out itself, but looks only a few operations deep: indices
// that are recovered from a folded grid are too long for it.
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/Divisibility.h"
#include "Uop/Conversion/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace uop;

namespace uop {
#define GEN_PASS_DEF_ALIGNACCESSES
#include "Uop/Conversion/Passes.h.inc"
} // namespace uop

namespace {

struct AlignAccesses : uop::impl::AlignAccessesBase<AlignAccesses> {
  using Base::Base;

  void runOnOperation() override;
};

} // namespace

void AlignAccesses::runOnOperation() {
  Divisibility divisibility;
  auto align = [&](auto access) {
    Type element = access.getMemRefType().getElementType();
    std::optional<int64_t> numBytes = getNumBytes(element);
    // Larger numbers than a vector of any chip are of no use.
    constexpr TrailingZeros most = 7;
    TrailingZeros zeros = std::min(
        most, divisibility.ofAddress(access.getMemRef(), access.getIndices()));
    int64_t bytes = int64_t(1) << zeros;
    if (!numBytes || bytes <= *numBytes ||
        bytes <= int64_t(access.getAlignment().value_or(0)))
      return;
    access.setAlignment(bytes);
    ++numAligned;
  };
  getOperation()->walk([&](Operation *op) {
    if (auto load = dyn_cast<memref::LoadOp>(op))
      align(load);
    else if (auto store = dyn_cast<memref::StoreOp>(op))
      align(store);
  });
}
