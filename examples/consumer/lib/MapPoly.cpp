//===- MapPoly.cpp - A mapping of one's own -------------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// --uop-gpu-map chooses a mapping. A compiler that knows better makes its own
// of the same primitives: here the last axis is cut into blocks of threads, and
// the one before it goes to blocks along y.
//
//===----------------------------------------------------------------------===//

#include "Poly/Poly.h"
#include "Uop/Transforms/Schedule.h"

using namespace mlir;

namespace poly {
#define GEN_PASS_DEF_MAPPOLY
#include "Poly/PolyPasses.h.inc"

namespace {

struct MapPoly : impl::MapPolyBase<MapPoly> {
  using MapPolyBase::MapPolyBase;

  void runOnOperation() override {
    if (failed(map(getOperation())))
      signalPassFailure();
  }

private:
  LogicalResult map(uop::KernelOp kernel) {
    IRRewriter rewriter(kernel.getContext());
    auto axis = [&](uop::AxisKind kind, uop::Dimension dimension) {
      return uop::AxisAttr::get(kernel.getContext(), kind, dimension);
    };
    SmallVector<uop::ScheduleAxis> axes = uop::getOutputAxes(kernel);
    if (axes.empty() || axes.size() > 2)
      return kernel.emitError("expected one or two output axes, but found ")
             << axes.size();

    // An axis that is not a multiple of the threads runs on under masks.
    uop::RangeOp last = axes.back().range;
    FailureOr<bool> padded = uop::padRange(rewriter, last, threads);
    if (failed(padded))
      return failure();
    FailureOr<uop::SplitRanges> split = uop::splitRange(
        rewriter, last, threads, axis(uop::AxisKind::Local, uop::Dimension::X),
        uop::SplitPosition::Inner);
    if (failed(split))
      return failure();
    if (split->outer &&
        failed(uop::setAxis(rewriter, split->outer,
                            axis(uop::AxisKind::Global, uop::Dimension::X))))
      return failure();
    if (axes.size() == 1)
      return success();
    return uop::setAxis(rewriter, axes.front().range,
                        axis(uop::AxisKind::Global, uop::Dimension::Y));
  }
};

} // namespace
} // namespace poly
