//===- Schedule.h - Primitives of scheduling --------------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop is a value, so a schedule is a sequence of substitutions on values.
// These are the few from which every mapping is made; Mapping.h has the opts on
// top of them. All keep the meaning of the kernel: they change neither the
// points that are computed nor, for a reduction, the order in which these are
// combined.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_TRANSFORMS_SCHEDULE_H
#define UOP_TRANSFORMS_SCHEDULE_H

#include "Uop/IR/Uop.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

namespace uop {

/// The `over` list of a store, reduction or stage; nothing for another op.
std::optional<mlir::MutableOperandRange> getOverList(mlir::Operation *op);

/// Gives loads, stores and reductions a further condition: a conjunction with
/// the mask that they have. They stand in program order, after the condition.
void addMask(mlir::RewriterBase &rewriter,
             llvm::ArrayRef<mlir::Operation *> ops, mlir::Value mask);

/// Puts `value` in the place of a range, and `parts` in its place in every
/// `over` list, in their order; then erases the range. The caller vouches that
/// `value` takes each value of the range exactly once over the points of
/// `parts` in ascending order, first part outermost, and that `value` and
/// `parts` are defined before all uses of the range.
void substituteRange(mlir::RewriterBase &rewriter, RangeOp range,
                     mlir::ValueRange parts, mlir::Value value);

/// Changes what executes a range. Fails, with an error at the range, where the
/// axis wants a static extent of at least 1 and the range has none.
llvm::LogicalResult setAxis(mlir::RewriterBase &rewriter, RangeOp range,
                            AxisAttr axis);

/// Which of the two ranges of a split is the new one.
enum class SplitPosition { Inner, Outer };

/// Lets a range run on to the next multiple of `multiple`; to one that is not 0
/// if it `needsOnePoint`. What the range did not reach before stays without
/// effect: every load that is free in the range gets a mask, and so does every
/// store with the range in its domain and every reduction that closes it; a
/// division that might trap divides by 1 there. A range that is known to be a
/// multiple stays as it is.
///
/// Returns whether the range has new points. Fails, with an error and before
/// anything changes, where `multiple` is less than 1, the extent would exceed
/// 64 bits, a stage closes the range (a tile has no mask), or an op that is
/// free in it must not be executed beyond it in a way that is not known.
llvm::FailureOr<bool> padRange(mlir::RewriterBase &rewriter, RangeOp range,
                               int64_t multiple, bool needsOnePoint = false);

/// What a range was split into: range = outer * (extent of inner) + inner.
/// One of them is null where it would have a single point.
struct SplitRanges {
  RangeOp outer, inner;
};

/// Splits a range into one of extent `amount` on the given axis, at the inner
/// or the outer position, and one of the rest, which keeps the axis of the
/// range. In `over` lists the two stand in the place of the range, outer first,
/// so a reduction still ascends. An amount of the whole extent only changes the
/// axis of the range, and another amount of 1 leaves the range as it is.
///
/// Fails, with an error at the range, where the amount is less than 1 or is not
/// known to divide the extent: pad the range first. The kernel is then
/// unchanged.
llvm::FailureOr<SplitRanges> splitRange(mlir::RewriterBase &rewriter,
                                        RangeOp range, int64_t amount,
                                        AxisAttr axis, SplitPosition position);

/// Divides a range on axis `reduce` among `amount` threads of the block along a
/// dimension: interleaved, or where `isOutermost` in consecutive parts. The
/// threads are one part of the split, and what each of them reduces the other.
///
/// Fails as splitRange does, and with an error at the range where its axis is
/// not `reduce`, or where points would be interleaved that a combiner takes.
llvm::FailureOr<SplitRanges> groupRange(mlir::RewriterBase &rewriter,
                                        RangeOp range, int64_t amount,
                                        Dimension dimension, bool isOutermost);

/// A reduction that closes the range with a combiner of its own, which sees the
/// points in their order; null where there is none.
ReduceOp findCombiner(RangeOp range);

/// Makes one range of several, outermost first; the inverse of splitting. Each
/// becomes a quotient and remainder of the new one, whose extent is the product
/// of theirs. A store that has some of the ranges in its domain and lacks
/// others runs, by its mask, where these are 0. One range only changes its
/// axis.
///
/// Fails, with an error and before anything changes, where a reduction or stage
/// closes some of the ranges and not all, a reduction closes them in another
/// order or with others in between, or the product exceeds 64 bits.
llvm::FailureOr<RangeOp> foldRanges(mlir::RewriterBase &rewriter,
                                    llvm::ArrayRef<RangeOp> ranges,
                                    AxisAttr axis);

/// Stores whose domains are padded or folded. That no element is written twice
/// has been proved by the verifier. Of indices under masks, or of quotients and
/// remainders, it need not be able to prove it again, though they are the same:
/// the stores become `unique`.
class RewrittenDomains {
public:
  /// Notes the stores that have a range in their domain, before that changes.
  void note(RangeOp range);
  /// Marks those of a kernel that write to a buffer of one that was noted, and
  /// do not accumulate.
  void markUnique(mlir::RewriterBase &rewriter, KernelOp kernel);

private:
  llvm::SmallSetVector<mlir::Value, 4> buffers;
};

/// An axis that opts count: a range, or the place of one of extent 1 that was
/// folded.
struct ScheduleAxis {
  /// Null for a folded range.
  RangeOp range;
  /// The extent; nothing where it is dynamic.
  std::optional<int64_t> size;

  /// Whether it is a range of the given kind.
  bool isKind(AxisKind kind) const {
    RangeOp op = range;
    return op && op.getAxis().getKind() == kind;
  }
};

/// The output axes of a kernel in graph form: the ranges in the domains of its
/// stores, in order of definition. Where all stores have one and the same
/// `over` list, a constant in it (a folded range of extent 1) is an axis too,
/// with its place in the list as its number, so that folding does not renumber
/// the other axes; with several domains only the ranges count.
llvm::SmallVector<ScheduleAxis> getOutputAxes(KernelOp kernel);

/// The reduce axes of a kernel in graph form: the ranges that its reductions
/// close, in order of definition.
llvm::SmallVector<ScheduleAxis> getReduceAxes(KernelOp kernel);

/// How many axes there are and how they are numbered, for a message: "one
/// reduce axis, 0", or "2 output axes, 0 to 1".
std::string describeAxisCount(size_t count, llvm::StringRef kind);

/// The divisors of a size that are nearest to an amount, in words for a
/// message: "16", or "10 or 20". Looks at some thousands of numbers only.
std::string describeNearestDivisors(int64_t size, int64_t amount);

} // namespace uop

#endif // UOP_TRANSFORMS_SCHEDULE_H
