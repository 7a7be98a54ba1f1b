//===- RangeOps.cpp - Transform ops on ranges -----------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each op calls one primitive of Schedule.h for each range of its payload.
//
//===----------------------------------------------------------------------===//

#include "Payload.h"
#include "Uop/Transforms/Schedule.h"

using namespace mlir;
using namespace uop;
using namespace uop::transform_ops;

namespace {

/// Ranges, and an amount for each.
struct RangesAndAmounts {
  SmallVector<Operation *> ranges;
  SmallVector<int64_t> amounts;
};

} // namespace

using MemoryEffectList = SmallVectorImpl<MemoryEffects::EffectInstance>;

/// The effects of an op that consumes ranges and returns what they became.
template <typename OpT>
static void getSplittingEffects(OpT op, MemoryEffectList &effects) {
  transform::consumesHandle(op.getTargetMutable(), effects);
  transform::onlyReadsHandle(op.getAmountMutable(), effects);
  transform::producesHandle(op->getOpResults(), effects);
  transform::modifiesPayload(effects);
}

/// Ranges of a handle with the amounts of an op, if it has some.
template <typename OpT>
static DiagnosedSilenceableFailure
getRangesAndAmounts(OpT op, const transform::TransformState &state,
                    RangesAndAmounts &payload) {
  DiagnosedSilenceableFailure result =
      getPayload<RangeOp>(op, op.getTarget(), state, payload.ranges);
  if (!result.succeeded() || (!op.getAmount() && !op.getStaticAmount()))
    return result;
  return getAmounts(op, op.getAmount(), op.getStaticAmount(),
                    payload.ranges.size(), state, payload.amounts);
}

/// Splits each range by its amount with `split`, and sets the results of the
/// op: its outer and inner parts, in the order that `set` gives them.
template <typename OpT>
static DiagnosedSilenceableFailure
splitEach(OpT op, transform::TransformRewriter &rewriter,
          const transform::TransformState &state,
          function_ref<FailureOr<SplitRanges>(RewriterBase &, RangeOp,
                                              std::optional<int64_t>)>
              split,
          function_ref<void(const SplitParts &)> set) {
  RangesAndAmounts payload;
  if (DiagnosedSilenceableFailure result =
          getRangesAndAmounts(op, state, payload);
      !result.succeeded())
    return result;
  SplitParts made;
  auto change = [&](RewriterBase &rewriter, ArrayRef<Operation *> ranges) {
    made = SplitParts();
    for (auto [number, range] : llvm::enumerate(ranges)) {
      dropSchedule(rewriter, getKernel(range));
      std::optional<int64_t> amount;
      if (!payload.amounts.empty())
        amount = payload.amounts[number];
      FailureOr<SplitRanges> parts =
          split(rewriter, cast<RangeOp>(range), amount);
      if (failed(parts))
        return failure();
      made.add(*parts);
    }
    return success();
  };
  DiagnosedSilenceableFailure result =
      changeOrRefuse(op, rewriter, payload.ranges, change);
  if (result.succeeded())
    set(made);
  return result;
}

/// An amount is either a parameter or a number.
template <typename OpT> static LogicalResult verifyAmount(OpT op) {
  if (bool(op.getAmount()) == bool(op.getStaticAmountAttr()))
    return op.emitOpError("expected either a fixed amount or a parameter");
  return success();
}

//===----------------------------------------------------------------------===//
// SplitOp
//===----------------------------------------------------------------------===//

LogicalResult SplitOp::verify() { return verifyAmount(*this); }

void SplitOp::getEffects(MemoryEffectList &effects) {
  getSplittingEffects(*this, effects);
}

DiagnosedSilenceableFailure
SplitOp::apply(transform::TransformRewriter &rewriter,
               transform::TransformResults &results,
               transform::TransformState &state) {
  return splitEach(
      *this, rewriter, state,
      [&](RewriterBase &rewriter, RangeOp range,
          std::optional<int64_t> amount) {
        return splitRange(rewriter, range, *amount, getAxis(),
                          getIsOuter() ? SplitPosition::Outer
                                       : SplitPosition::Inner);
      },
      [&](const SplitParts &parts) {
        results.set(cast<OpResult>(getOuter()), parts.outer);
        results.set(cast<OpResult>(getInner()), parts.inner);
      });
}

//===----------------------------------------------------------------------===//
// UnrollOp
//===----------------------------------------------------------------------===//

LogicalResult UnrollOp::verify() {
  if (getAmount() && getStaticAmountAttr())
    return verifyAmount(*this);
  return success();
}

void UnrollOp::getEffects(MemoryEffectList &effects) {
  getSplittingEffects(*this, effects);
}

DiagnosedSilenceableFailure
UnrollOp::apply(transform::TransformRewriter &rewriter,
                transform::TransformResults &results,
                transform::TransformState &state) {
  auto unroll = [](RewriterBase &rewriter, RangeOp range,
                   std::optional<int64_t> amount) -> FailureOr<SplitRanges> {
    auto axis = AxisAttr::get(rewriter.getContext(),
                              range.getAxis().isReduction() ? AxisKind::Unroll
                                                            : AxisKind::Upcast);
    if (amount)
      return splitRange(rewriter, range, *amount, axis, SplitPosition::Inner);
    if (failed(setAxis(rewriter, range, axis)))
      return failure();
    return SplitRanges{{}, range};
  };
  return splitEach(*this, rewriter, state, unroll,
                   [&](const SplitParts &parts) {
                     results.set(cast<OpResult>(getRest()), parts.outer);
                     results.set(cast<OpResult>(getCopies()), parts.inner);
                   });
}

//===----------------------------------------------------------------------===//
// GroupOp
//===----------------------------------------------------------------------===//

LogicalResult GroupOp::verify() {
  if (getAxis().getKind() != AxisKind::GroupReduce)
    return emitOpError("expected axis 'group_reduce', but got '")
           << getAxis().str() << "'";
  return verifyAmount(*this);
}

void GroupOp::getEffects(MemoryEffectList &effects) {
  getSplittingEffects(*this, effects);
}

DiagnosedSilenceableFailure
GroupOp::apply(transform::TransformRewriter &rewriter,
               transform::TransformResults &results,
               transform::TransformState &state) {
  return splitEach(
      *this, rewriter, state,
      [&](RewriterBase &rewriter, RangeOp range,
          std::optional<int64_t> amount) {
        return groupRange(rewriter, range, *amount, *getAxis().getDimension(),
                          getOutermost());
      },
      [&](const SplitParts &parts) {
        bool isOuter = getOutermost();
        results.set(cast<OpResult>(getRest()),
                    isOuter ? parts.inner : parts.outer);
        results.set(cast<OpResult>(getThreads()),
                    isOuter ? parts.outer : parts.inner);
      });
}

//===----------------------------------------------------------------------===//
// MapOp
//===----------------------------------------------------------------------===//

void MapOp::getEffects(MemoryEffectList &effects) {
  transform::onlyReadsHandle(getTargetMutable(), effects);
  transform::modifiesPayload(effects);
}

DiagnosedSilenceableFailure MapOp::apply(transform::TransformRewriter &rewriter,
                                         transform::TransformResults &results,
                                         transform::TransformState &state) {
  SmallVector<Operation *> payload;
  if (DiagnosedSilenceableFailure result =
          getPayload<RangeOp>(*this, getTarget(), state, payload);
      !result.succeeded())
    return result;
  auto change = [&](RewriterBase &rewriter, ArrayRef<Operation *> ranges) {
    for (Operation *range : ranges) {
      dropSchedule(rewriter, getKernel(range));
      if (failed(setAxis(rewriter, cast<RangeOp>(range), getAxis())))
        return failure();
    }
    return success();
  };
  return changeOrRefuse(*this, rewriter, payload, change);
}

//===----------------------------------------------------------------------===//
// PadOp
//===----------------------------------------------------------------------===//

LogicalResult PadOp::verify() { return verifyAmount(*this); }

void PadOp::getEffects(MemoryEffectList &effects) {
  transform::onlyReadsHandle(getTargetMutable(), effects);
  transform::onlyReadsHandle(getAmountMutable(), effects);
  transform::modifiesPayload(effects);
}

DiagnosedSilenceableFailure PadOp::apply(transform::TransformRewriter &rewriter,
                                         transform::TransformResults &results,
                                         transform::TransformState &state) {
  RangesAndAmounts payload;
  if (DiagnosedSilenceableFailure result =
          getRangesAndAmounts(*this, state, payload);
      !result.succeeded())
    return result;
  auto change = [&](RewriterBase &rewriter, ArrayRef<Operation *> ranges) {
    for (auto [range, amount] : llvm::zip_equal(ranges, payload.amounts)) {
      KernelOp kernel = getKernel(range);
      RewrittenDomains domains;
      domains.note(cast<RangeOp>(range));
      FailureOr<bool> isPadded =
          padRange(rewriter, cast<RangeOp>(range), amount, getNonempty());
      if (failed(isPadded))
        return failure();
      if (!*isPadded)
        continue;
      domains.markUnique(rewriter, kernel);
      dropSchedule(rewriter, kernel);
    }
    return success();
  };
  return changeOrRefuse(*this, rewriter, payload.ranges, change);
}

//===----------------------------------------------------------------------===//
// FoldOp
//===----------------------------------------------------------------------===//

void FoldOp::getEffects(MemoryEffectList &effects) {
  transform::consumesHandle(getTargetsMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::modifiesPayload(effects);
}

DiagnosedSilenceableFailure
FoldOp::apply(transform::TransformRewriter &rewriter,
              transform::TransformResults &results,
              transform::TransformState &state) {
  SmallVector<Operation *> payload;
  for (Value handle : getTargets())
    if (DiagnosedSilenceableFailure result =
            getPayload<RangeOp>(*this, handle, state, payload);
        !result.succeeded())
      return result;
  for (Operation *range : payload)
    if (getKernel(range) != getKernel(payload.front())) {
      DiagnosedSilenceableFailure diag = emitSilenceableError(
          "expected ranges of one kernel to make one range of");
      diag.attachNote(payload.front()->getLoc()) << "this is of one kernel";
      diag.attachNote(range->getLoc()) << "and this of another";
      return diag;
    }
  SmallVector<Operation *> made;
  auto change = [&](RewriterBase &rewriter, ArrayRef<Operation *> ops) {
    made.clear();
    if (ops.empty())
      return success();
    KernelOp kernel = getKernel(ops.front());
    SmallVector<RangeOp> ranges;
    RewrittenDomains domains;
    for (Operation *op : ops) {
      ranges.push_back(cast<RangeOp>(op));
      if (ops.size() > 1)
        domains.note(ranges.back());
    }
    FailureOr<RangeOp> folded = foldRanges(rewriter, ranges, getAxis());
    if (failed(folded))
      return failure();
    made.push_back(*folded);
    domains.markUnique(rewriter, kernel);
    dropSchedule(rewriter, kernel);
    return success();
  };
  DiagnosedSilenceableFailure result =
      changeOrRefuse(*this, rewriter, payload, change);
  if (result.succeeded())
    results.set(cast<OpResult>(getFolded()), made);
  return result;
}
