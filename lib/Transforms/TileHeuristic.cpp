//===- TileHeuristic.cpp - The choice of tiles in shared memory -----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two kinds of kernels gain from tiles that a block stages in shared memory.
//
// * Contractions: one operand varies with an output axis m and not with n, the
//   other with n and not with m, as in a matrix product, in a convolution, in
//   the scores of attention. A block computes BM x BN outputs, a thread TM x TN
//   of them, and both operands are staged for a number of steps at a time.
// * Transpositions: a load is contiguous along another axis than the stores. A
//   tile is read along the one and written along the other.
//
// What else reads an element more than once finds it in the cache.
//
//===----------------------------------------------------------------------===//

#include "MappingPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace uop;

namespace {

/// Threads along each axis of a tile; 16 x 16 is the block of 256 that leaves a
/// thread 255 registers, and two blocks a multiprocessor half of them.
constexpr int64_t kThreads = 16;
/// Registers of a thread that accumulators may take, in 32-bit words.
constexpr int64_t kMaxAccumulators = 64;
/// Products of a thread that are written out: counters and branches are then a
/// hundredth of them, and the code of a step fits the instruction cache.
constexpr int64_t kMaxUnrolledProducts = 1024;
/// Tiles of one operand: one is filled while the other is read.
constexpr int64_t kBuffers = 2;
/// Axes shorter than this have no tile.
constexpr int64_t kMinSize = 8;
/// Rows and columns of a tile that is transposed, and the threads along rows.
constexpr int64_t kTransposedTile = 32, kTransposedRows = 8;

class TileHeuristic {
public:
  TileHeuristic(KernelOp kernel, const GPUTarget &target,
                UpcastLayout upcastLayout, ExplainFn explain)
      : kernel(kernel), target(target), upcastLayout(upcastLayout),
        explain(explain), loads(kernel.getBodyBlock().getOps<LoadOp>().begin(),
                                kernel.getBodyBlock().getOps<LoadOp>().end()) {}

  std::optional<TiledSchedule> choose();

private:
  /// What one candidate is: opts, and why.
  struct Choice {
    SmallVector<OptAttr> opts;
    SmallVector<std::string> reasons;
    double cost = 0;
  };
  /// Threads, copies and elements of a wide access along an axis.
  struct Split {
    int64_t threads, copies, vector;
    int64_t getPoints() const { return threads * copies; }
  };

  bool isFree(LoadOp load, size_t axis);
  int64_t getSize(size_t axis) const {
    return plan.outputs[axis].axis.size.value_or(kDynamicSize);
  }
  bool isOpen(size_t axis) const {
    const AxisPlan &output = plan.outputs[axis];
    return output.isOpen() && getSize(axis) >= kMinSize;
  }
  bool isContiguous(LoadOp load, size_t axis) {
    return strides.of(load, getPlannedRanges(plan.outputs[axis]).back()) == 1;
  }

  std::optional<TiledSchedule> chooseContraction();
  std::optional<TiledSchedule> chooseTransposition();
  bool chooseSteps();
  void addUnroll(Choice &choice, int64_t copies);
  std::optional<size_t> findOther(size_t n);
  SmallVector<Split> listSplits(size_t axis, bool isWide) const;
  std::optional<Choice> tryTile(size_t m, size_t n, Split rows, Split columns);
  bool addStages(Choice &choice, int64_t buffers);
  void add(Choice &choice, OptKind kind, size_t axis, int64_t amount,
           const Twine &reason);
  std::optional<TiledSchedule> take(const Choice &choice);

  KernelOp kernel;
  const GPUTarget &target;
  UpcastLayout upcastLayout;
  ExplainFn explain;
  SmallVector<LoadOp> loads;
  AccessStrides strides;
  MappingPlan plan;
  /// The KSTEP of a reduce axis, which is the same for all tiles.
  Choice steps;
  int64_t step = 1;
  /// The innermost reduce axis, how many points of it a thread at least takes
  /// at a time, and whether it is the axis of the steps.
  struct {
    size_t axis;
    int64_t amount;
    bool isStep;
  } unrolled = {};
  /// The bytes of the largest element that is read.
  int64_t elementBytes = 1;
};

} // namespace

bool TileHeuristic::isFree(LoadOp load, size_t axis) {
  return llvm::any_of(getPlannedRanges(plan.outputs[axis]), [&](RangeOp range) {
    return strides.getFreeRanges().isFreeIn(load, range);
  });
}

void TileHeuristic::add(Choice &choice, OptKind kind, size_t axis,
                        int64_t amount, const Twine &reason) {
  if (amount == 1 && kind != OptKind::KStep && kind != OptKind::Stage)
    return;
  choice.opts.push_back(OptAttr::get(kernel.getContext(), kind, axis, amount));
  choice.reasons.push_back((stringifyOptKind(kind) + " " + Twine(axis) + ":" +
                            Twine(amount) + ": " + reason)
                               .str());
}

std::optional<TiledSchedule> TileHeuristic::take(const Choice &choice) {
  auto schedule =
      ScheduleAttr::get(kernel.getContext(), choice.opts, upcastLayout);
  if (!canMap(kernel, schedule, MappingTarget::GPU))
    return std::nullopt;
  for (const std::string &reason : choice.reasons)
    explain("default: " + reason);
  return TiledSchedule{schedule, choice.cost};
}

//===----------------------------------------------------------------------===//
// What to stage
//===----------------------------------------------------------------------===//

/// Stages the loads whose elements a block reads several times; fails where
/// there are none, or where they do not fit.
bool TileHeuristic::addStages(Choice &choice, int64_t buffers) {
  SmallVector<OptAttr> stages = findStages(
      kernel, ScheduleAttr::get(kernel.getContext(), choice.opts, upcastLayout),
      target, buffers,
      [&](const Twine &reason) { choice.reasons.push_back(reason.str()); });
  llvm::append_range(choice.opts, stages);
  return !stages.empty();
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

/// The output axis with which one operand varies that does not vary with `n`,
/// while another one varies with `n` and not with it; of several the longest.
std::optional<size_t> TileHeuristic::findOther(size_t n) {
  std::optional<size_t> found;
  for (size_t m = 0; m < plan.outputs.size(); ++m) {
    if (m == n || !isOpen(m))
      continue;
    bool hasRows = false, hasColumns = false;
    for (LoadOp load : loads) {
      hasRows |= isFree(load, m) && !isFree(load, n);
      hasColumns |= isFree(load, n) && !isFree(load, m);
    }
    if (hasRows && hasColumns && (!found || getSize(m) >= getSize(*found)))
      found = m;
  }
  return found;
}

/// How many points of each reduce axis are staged at a time.
bool TileHeuristic::chooseSteps() {
  // One nest of loops, in which all operands are read.
  SmallVector<ReduceOp> reductions(kernel.getBodyBlock().getOps<ReduceOp>());
  if (reductions.empty() || plan.reduces.empty())
    return false;
  RangeList over = getRanges(reductions.front().getOver());
  for (ReduceOp reduce : reductions)
    if (getRanges(reduce.getOver()) != over)
      return false;
  SmallVector<size_t> numbers;
  for (RangeOp range : over)
    for (auto [number, reduce] : llvm::enumerate(plan.reduces))
      if (reduce.axis.range == range) {
        if (!reduce.axis.isKind(AxisKind::Reduce) || reduce.axis.size == 0)
          return false;
        numbers.push_back(number);
      }
  if (numbers.empty() || numbers.size() != over.size())
    return false;
  int64_t wanted = std::max<int64_t>(kStepBytes / elementBytes, 1);
  // The outermost axis inside of which there are few points.
  size_t place = numbers.size() - 1;
  int64_t inside = 1;
  while (place > 0) {
    std::optional<int64_t> size = plan.reduces[numbers[place]].axis.size;
    if (!size || inside * *size > wanted)
      break;
    inside *= *size;
    --place;
  }
  size_t number = numbers[place];
  std::optional<int64_t> size = plan.reduces[number].axis.size;
  bool isInnermost = place + 1 == numbers.size();
  int64_t unroll = 1, last = numbers.back();
  if (isInnermost) {
    unroll = std::max<int64_t>(target.widestAccess / elementBytes, 1);
    while (size && unroll > *size)
      unroll /= 2;
  } else if (plan.reduces[last].axis.size.value_or(kDynamicSize) <= 8) {
    unroll = *plan.reduces[last].axis.size;
  }
  int64_t parts = isInnermost ? unroll : 1;
  step = chooseStep(size, wanted / inside, parts);
  add(steps, OptKind::KStep, number, step,
      "so many points of the reduction are staged at a time");
  unrolled = {size_t(last), unroll, isInnermost};
  return true;
}

/// How many points of the innermost reduction are one piece of code: those of a
/// step, where that is not much code.
void TileHeuristic::addUnroll(Choice &choice, int64_t copies) {
  bool isWhole = unrolled.isStep && copies * step <= kMaxUnrolledProducts;
  add(choice, OptKind::Unroll, unrolled.axis, isWhole ? step : unrolled.amount,
      isWhole           ? "so is there no loop inside of a step"
      : unrolled.isStep ? "what a wide access of a row has"
                        : "the innermost loop is short");
}

/// The ways to divide an axis among threads and copies, the largest first.
SmallVector<TileHeuristic::Split> TileHeuristic::listSplits(size_t axis,
                                                            bool isWide) const {
  int64_t threads =
      std::min<int64_t>(kThreads, llvm::PowerOf2Ceil(uint64_t(getSize(axis))));
  SmallVector<Split> splits;
  for (int64_t copies : {8, 4, 2, 1}) {
    if (copies > 1 && threads * copies >= 2 * getSize(axis))
      continue;
    int64_t vector =
        isWide
            ? std::min(copies,
                       std::max<int64_t>(target.widestAccess / elementBytes, 1))
            : 1;
    splits.push_back({threads, copies, vector});
  }
  return splits;
}

std::optional<TileHeuristic::Choice>
TileHeuristic::tryTile(size_t m, size_t n, Split rows, Split columns) {
  int64_t words = llvm::divideCeil(elementBytes, 4);
  if (rows.copies * columns.copies * words > kMaxAccumulators)
    return std::nullopt;
  Choice choice;
  std::string tile = std::to_string(rows.getPoints()) + " x " +
                     std::to_string(columns.getPoints());
  auto addAxis = [&](size_t axis, Split split) {
    add(choice, OptKind::Local, axis, split.threads,
        "a block has a tile of " + tile + " outputs");
    add(choice, OptKind::Upcast, axis, split.copies / split.vector,
        "a thread has " + std::to_string(rows.copies) + " x " +
            std::to_string(columns.copies) + " of them in registers");
    add(choice, OptKind::Vectorize, axis, split.vector,
        "a thread reads adjacent elements of the tile at once");
  };
  addAxis(m, rows);
  addAxis(n, columns);
  llvm::append_range(choice.opts, steps.opts);
  llvm::append_range(choice.reasons, steps.reasons);
  addUnroll(choice, rows.copies * columns.copies);
  bool hasSteps = false;
  for (const ReducePlan &reduce : plan.reduces) {
    auto number = size_t(&reduce - plan.reduces.begin());
    for (OptAttr opt : steps.opts)
      hasSteps |= opt.getKind() == OptKind::KStep &&
                  size_t(opt.getAxis()) == number &&
                  reduce.axis.size.value_or(kDynamicSize) > opt.getAmount();
  }
  if (!addStages(choice, hasSteps ? kBuffers : 1))
    return std::nullopt;
  // How long the multiprocessors work: as many rounds of blocks as there are,
  // each of the outputs of a tile and of the loads that they wait for.
  double blocks = 1;
  for (size_t axis = 0; axis < plan.outputs.size(); ++axis) {
    int64_t points = axis == m   ? rows.getPoints()
                     : axis == n ? columns.getPoints()
                                 : 1;
    if (plan.outputs[axis].isOpen())
      blocks *= double(llvm::divideCeil(getSize(axis), points));
  }
  double area = double(rows.getPoints()) * double(columns.getPoints());
  double intensity = area / double(rows.getPoints() + columns.getPoints());
  choice.cost = std::ceil(blocks / double(target.numMultiprocessors)) * area *
                (1 + kLoadWeight / intensity);
  return choice;
}

std::optional<TiledSchedule> TileHeuristic::chooseContraction() {
  size_t n = plan.placement.back();
  if (!isOpen(n))
    return std::nullopt;
  std::optional<size_t> m = findOther(n);
  if (!m || !chooseSteps())
    return std::nullopt;
  // Rows of a tile that a thread reads at once: along the axis, or along the
  // reduction.
  auto isWideAlong = [&](size_t axis, size_t other) {
    return llvm::any_of(loads, [&](LoadOp load) {
      return isFree(load, axis) && !isFree(load, other) &&
             isContiguous(load, axis);
    });
  };
  std::optional<Choice> best;
  for (Split rows : listSplits(*m, isWideAlong(*m, n)))
    for (Split columns : listSplits(n, isWideAlong(n, *m))) {
      std::optional<Choice> choice = tryTile(*m, n, rows, columns);
      if (choice && (!best || choice->cost < best->cost))
        best = std::move(choice);
    }
  if (!best)
    return std::nullopt;
  return take(*best);
}

//===----------------------------------------------------------------------===//
// Transpositions
//===----------------------------------------------------------------------===//

std::optional<TiledSchedule> TileHeuristic::chooseTransposition() {
  size_t x = plan.placement.back();
  if (!isOpen(x))
    return std::nullopt;
  for (auto [number, load] : llvm::enumerate(loads)) {
    if (!isFree(load, x) || isContiguous(load, x))
      continue;
    for (size_t y = 0; y < plan.outputs.size(); ++y) {
      if (y == x || !isOpen(y) || !isContiguous(load, y))
        continue;
      Choice choice;
      add(choice, OptKind::Local, x, kTransposedTile,
          "stores are contiguous along the axis");
      add(choice, OptKind::Local, y, kTransposedRows,
          "a load is contiguous along the axis");
      add(choice, OptKind::Upcast, y, kTransposedTile / kTransposedRows,
          "a thread has so many rows of the tile");
      add(choice, OptKind::Stage, number, 1,
          "both sides of a tile of " + Twine(kTransposedTile) + " x " +
              Twine(kTransposedTile) + " are coalesced");
      if (std::optional<TiledSchedule> schedule = take(choice))
        return schedule;
    }
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//

std::optional<TiledSchedule> TileHeuristic::choose() {
  auto nothing = ScheduleAttr::get(kernel.getContext(), {}, upcastLayout);
  if (loads.empty())
    return std::nullopt;
  FailureOr<MappingPlan> unmapped =
      tryMapping(kernel, nothing, MappingTarget::GPU);
  if (failed(unmapped) || unmapped->outputs.size() < 2)
    return std::nullopt;
  plan = std::move(*unmapped);
  for (LoadOp load : loads)
    elementBytes = std::max(elementBytes, getStoredBytes(load.getType()));
  return plan.reduces.empty() ? chooseTransposition() : chooseContraction();
}

std::optional<TiledSchedule> uop::findTiledSchedule(KernelOp kernel,
                                                    const GPUTarget &target,
                                                    UpcastLayout upcastLayout,
                                                    ExplainFn explain) {
  return TileHeuristic(kernel, target, upcastLayout, explain).choose();
}

std::optional<ScheduleAttr> uop::chooseTiledSchedule(KernelOp kernel,
                                                     const GPUTarget &target,
                                                     UpcastLayout upcastLayout,
                                                     ExplainFn explain) {
  std::optional<TiledSchedule> found =
      findTiledSchedule(kernel, target, upcastLayout, explain);
  return found ? std::optional(found->schedule) : std::nullopt;
}
