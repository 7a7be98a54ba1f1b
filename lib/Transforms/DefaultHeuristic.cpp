//===- DefaultHeuristic.cpp - The choice of opts for a target -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known without running the kernel: which accesses are contiguous along
// which axis, which loads several outputs share, and how many multiprocessors
// there are to be filled. Each choice is explained as it is made.
//
// A kernel is one of four cases. Where a reduction does not vary with an output
// axis, or few outputs reduce many points, or rows are reduced along their
// contiguous axis (a matrix times a vector), threads of a block reduce
// together. Where each output is a reduction of shared loads (a GEMM), a thread
// computes a tile of them. All else moves data: threads along the contiguous
// axis, wide accesses where they are aligned.
//
//===----------------------------------------------------------------------===//

#include "MappingPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

namespace {

/// Threads of a block where nothing else decides: enough warps to hide latency,
/// and several blocks on a multiprocessor.
constexpr int64_t kBlockSize = 256;
/// Copies per thread along an axis of a tile, and along rows.
constexpr int64_t kTileUpcast = 4;
constexpr int64_t kRowUpcast = 8;
/// Steps of a reduction that are unrolled.
constexpr int64_t kUnroll = 4;
/// From so many points on a reduction is long.
constexpr int64_t kLongReduction = 256;
/// The least share of the points of a tile that are to be useful.
constexpr double kMinUsefulShare = 0.9;
/// The same of threads along an axis that is not contiguous.
constexpr double kMinRowShare = 0.75;

class DefaultHeuristic {
public:
  DefaultHeuristic(KernelOp kernel, const GPUTarget &target,
                   UpcastLayout upcastLayout, ExplainFn explain)
      : kernel(kernel), target(target), upcastLayout(upcastLayout),
        explain(explain) {}

  FailureOr<ScheduleAttr> choose();

private:
  /// What a reduction over an axis is like.
  struct Reduction {
    size_t axis;
    int64_t size;
    /// The output axes with which its result does not vary.
    SmallVector<size_t> redundant;
    /// Whether more loads are contiguous along it than along output axes.
    bool isContiguous;
    bool isGeneral;
  };

  SmallVector<Reduction> listReductions();
  bool closeTogether(const Reduction &first, const Reduction &second);
  bool chooseGroups(ArrayRef<Reduction> reductions);
  void groupSharedRows(ArrayRef<Reduction> reductions);
  void groupLongReduction(const Reduction &reduction);
  void chooseTiles(ArrayRef<Reduction> reductions);
  void chooseCopies();
  void chooseVector(size_t axis);

  int64_t getSize(size_t axis) const {
    return plan.outputs[axis].axis.size.value_or(kDynamicSize);
  }
  bool isOpen(size_t axis) const {
    return plan.outputs[axis].isOpen() && getSize(axis) > 1;
  }
  int64_t countOutputs(ArrayRef<size_t> without = {}) const;
  int64_t chooseThreads(size_t axis, int64_t most) const;
  void add(OptKind kind, size_t axis, int64_t amount, const Twine &reason);
  OptKind getGroupKind(const Reduction &reduction) const {
    return reduction.isGeneral ? OptKind::GroupTop : OptKind::Group;
  }
  ScheduleAttr getSchedule() const {
    return ScheduleAttr::get(kernel->getContext(), opts, upcastLayout);
  }

  KernelOp kernel;
  const GPUTarget &target;
  UpcastLayout upcastLayout;
  ExplainFn explain;
  AccessStrides strides;
  /// The axes, merged where that is possible, and nothing else.
  MappingPlan plan;
  SmallVector<OptAttr> opts;
  /// The open output axes longer than 1, the one that gets x first.
  SmallVector<size_t> axes;
};

} // namespace

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

static double getUsefulShare(int64_t size, int64_t tile) {
  return double(size) / double(llvm::divideCeil(size, tile) * tile);
}

void DefaultHeuristic::add(OptKind kind, size_t axis, int64_t amount,
                           const Twine &reason) {
  if (amount == 1)
    return;
  opts.push_back(OptAttr::get(kernel.getContext(), kind, axis, amount));
  explain("default: " + stringifyOptKind(kind) + " " + Twine(axis) + ":" +
          Twine(amount) + ": " + reason);
}

/// The outputs in all, but along some axes; saturates.
int64_t DefaultHeuristic::countOutputs(ArrayRef<size_t> without) const {
  int64_t count = 1;
  for (size_t axis : axes)
    if (!llvm::is_contained(without, axis))
      if (llvm::MulOverflow(count, getSize(axis), count))
        return std::numeric_limits<int64_t>::max();
  return count;
}

/// The threads along an axis, a power of two up to a limit. Along x the one
/// with the most useful lanes in its warps, of equals the largest; along
/// another axis the largest that wastes few.
int64_t DefaultHeuristic::chooseThreads(size_t axis, int64_t most) const {
  int64_t size = getSize(axis), best = 1;
  // So many blocks that the last one does not matter.
  if (size / most >= 8)
    return llvm::bit_floor(uint64_t(most));
  auto getScore = [&](int64_t threads) {
    return getUsefulShare(size, threads) * std::min(threads, target.warpSize) /
           target.warpSize;
  };
  most = std::min<int64_t>(most, llvm::PowerOf2Ceil(size));
  for (int64_t threads = 2; threads <= most; threads *= 2)
    if (axis == axes.front() ? getScore(threads) >= getScore(best)
                             : getUsefulShare(size, threads) >= kMinRowShare)
      best = threads;
  return best;
}

SmallVector<DefaultHeuristic::Reduction> DefaultHeuristic::listReductions() {
  FreeRanges &freeRanges = strides.getFreeRanges();
  SmallVector<Reduction> reductions;
  for (auto [number, reduce] : llvm::enumerate(plan.reduces)) {
    if (!reduce.axis.isKind(AxisKind::Reduce) || reduce.axis.size == 0)
      continue;
    RangeOp range = reduce.axis.range;
    Reduction reduction{
        number, reduce.axis.size.value_or(kDynamicSize), {}, false, false};
    for (size_t axis : axes)
      if (!areTogether(kernel, range, getPlannedRanges(plan.outputs[axis]),
                       freeRanges))
        reduction.redundant.push_back(axis);
    for (ReduceOp op : kernel.getBodyBlock().getOps<ReduceOp>())
      if (llvm::is_contained(op.getOver(), range.getResult()))
        reduction.isGeneral |= op.isGeneral();
    int64_t along = 0, across = 0;
    for (LoadOp load : kernel.getBodyBlock().getOps<LoadOp>()) {
      if (!freeRanges.isFreeIn(load.getResult(), range))
        continue;
      along += strides.of(load, range) == 1;
      across += llvm::any_of(axes, [&](size_t axis) {
        return strides.of(load, getPlannedRanges(plan.outputs[axis]).back()) ==
               1;
      });
    }
    reduction.isContiguous = along > across;
    reductions.push_back(std::move(reduction));
  }
  return reductions;
}

/// Whether one reduction closes both axes.
bool DefaultHeuristic::closeTogether(const Reduction &first,
                                     const Reduction &second) {
  Value a = plan.reduces[first.axis].axis.range;
  Value b = plan.reduces[second.axis].axis.range;
  return a != b && llvm::any_of(kernel.getBodyBlock().getOps<ReduceOp>(),
                                [&](ReduceOp op) {
                                  return llvm::is_contained(op.getOver(), a) &&
                                         llvm::is_contained(op.getOver(), b);
                                });
}

//===----------------------------------------------------------------------===//
// Reductions by the threads of a block
//===----------------------------------------------------------------------===//

/// Every output along an axis needs the same result: one block computes it
/// once, and then all of these outputs.
void DefaultHeuristic::groupSharedRows(ArrayRef<Reduction> reductions) {
  const Reduction &first = reductions.front();
  size_t row = first.redundant.front();
  int64_t size = getSize(row);
  int64_t threads = std::min(getShuffleRowSize(size), kBlockSize);
  while (threads < kMaxThreadsPerBlock && size > threads * kRowUpcast)
    threads *= 2;
  std::string why = "the reduction over axis " + std::to_string(first.axis) +
                    " does not vary with output axis " + std::to_string(row);
  bool hasRow = size <= threads * kRowUpcast;
  add(OptKind::Local, row, threads,
      why + (hasRow ? ", of which one block has the row"
                    : ", of which a block has as much as it can"));
  int64_t copies =
      std::min<int64_t>(llvm::divideCeil(size, threads), kRowUpcast);
  if (plan.outputs[row].axis.size)
    add(OptKind::Upcast, row, copies,
        hasRow ? "so that " + std::to_string(threads) + " threads cover the row"
               : "more outputs share the result");
  for (const Reduction &reduction : reductions) {
    if (!llvm::is_contained(reduction.redundant, row))
      continue;
    // Of the axes of one reduction the longest is enough.
    if (llvm::any_of(reductions, [&](const Reduction &other) {
          return (other.size > reduction.size ||
                  (other.size == reduction.size &&
                   other.axis > reduction.axis)) &&
                 closeTogether(reduction, other);
        }))
      continue;
    int64_t group = std::min(threads, getShuffleRowSize(reduction.size));
    add(getGroupKind(reduction), reduction.axis, group,
        "the threads of the row reduce together");
  }
  for (size_t axis : axes) {
    if (llvm::is_contained(first.redundant, axis))
      continue;
    int64_t rows = 1;
    while (rows * 2 * threads <= kBlockSize / 2 && rows * 2 <= getSize(axis) &&
           countOutputs(first.redundant) / (rows * 2) >=
               target.numMultiprocessors)
      rows *= 2;
    add(OptKind::Local, axis, rows, "several rows make up a block");
    break;
  }
}

/// Rows along their contiguous axis, or few outputs that reduce many points.
void DefaultHeuristic::groupLongReduction(const Reduction &reduction) {
  int64_t outputs = countOutputs();
  int64_t wanted = target.numMultiprocessors * kBlockSize;
  int64_t columns = 1;
  std::string why =
      reduction.isContiguous
          ? "loads are contiguous along the reduction, as of a matrix times a "
            "vector"
          : std::to_string(outputs) + " outputs do not fill " +
                std::to_string(target.numMultiprocessors) + " multiprocessors";
  if (!reduction.isContiguous && !axes.empty())
    columns = chooseThreads(axes.front(), target.warpSize);
  int64_t most = std::min<int64_t>(kMaxThreadsPerBlock / columns,
                                   llvm::bit_floor(uint64_t(reduction.size)));
  int64_t group =
      std::min<int64_t>(reduction.isContiguous ? target.warpSize : 1, most);
  while (group * 2 <= most &&
         (outputs < wanted / group || columns * group < target.warpSize) &&
         group * 8 <= reduction.size)
    group *= 2;
  add(getGroupKind(reduction), reduction.axis, group, why);
  if (axes.empty())
    return;
  if (columns != 1) {
    add(OptKind::Local, axes.front(), columns,
        "neighbouring threads load neighbouring elements");
    return;
  }
  int64_t rows = 1;
  while (rows * 2 * group <= kBlockSize / 2 &&
         rows * 2 <= getSize(axes.front()) &&
         outputs / (rows * 2) >= 2 * target.numMultiprocessors)
    rows *= 2;
  add(OptKind::Local, axes.front(), rows, "several rows make up a block");
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Each output is a reduction: a thread computes some of them, so that what is
/// loaded is used several times.
void DefaultHeuristic::chooseTiles(ArrayRef<Reduction> reductions) {
  int64_t perAxis = axes.size() > 1 ? 16 : kBlockSize;
  int64_t budget = kBlockSize;
  for (size_t axis : ArrayRef(axes).take_front(2)) {
    int64_t threads = chooseThreads(axis, std::min(perAxis, budget));
    add(OptKind::Local, axis, threads,
        axis == axes.front() ? "the contiguous output axis"
                             : "the next output axis");
    budget /= threads;
    if (!sharesLoads(kernel, plan.outputs[axis], strides.getFreeRanges()))
      continue;
    int64_t copies = kTileUpcast;
    while (copies > 1 &&
           getUsefulShare(getSize(axis), threads * copies) < kMinUsefulShare)
      copies /= 2;
    add(OptKind::Upcast, axis, copies, "outputs along the axis share a load");
  }
  // Unrolling repeats the whole nest: the innermost axis is enough, and a tail
  // is not worth its masks.
  const Reduction &last = reductions.back();
  if (last.size % kUnroll == 0 && last.size >= 2 * kUnroll &&
      plan.reduces[last.axis].axis.size)
    add(OptKind::Unroll, last.axis, kUnroll,
        "loads of several steps are under way at once");
}

//===----------------------------------------------------------------------===//
// Data movement
//===----------------------------------------------------------------------===//

/// Wide accesses, where every access along the axis is contiguous or constant,
/// and pointers, strides and the size are known to be multiples of them.
void DefaultHeuristic::chooseVector(size_t axis) {
  if (!plan.outputs[axis].axis.size)
    return;
  RangeOp innermost = getPlannedRanges(plan.outputs[axis]).back();
  int64_t elements = 0;
  bool isPossible = true;
  auto consider = [&](auto access, Value buffer) {
    std::optional<int64_t> stride = strides.of(access, innermost);
    if (stride == 0)
      return;
    auto type = dyn_cast<MemRefType>(buffer.getType());
    auto argument = dyn_cast<BlockArgument>(buffer);
    isPossible &= stride == 1 && type && argument;
    if (!isPossible)
      return;
    int64_t bytes = getStoredBytes(type.getElementType());
    auto alignment = kernel.getArgAttrOfType<IntegerAttr>(
        argument.getArgNumber(), "llvm.align");
    int64_t aligned = alignment ? alignment.getInt() : bytes;
    int64_t wide = std::min(aligned, target.widestAccess) / bytes;
    elements = elements == 0 ? wide : std::min(elements, wide);
  };
  for (Operation &op : kernel.getBodyBlock()) {
    if (auto load = dyn_cast<LoadOp>(op))
      consider(load, load.getSource());
    if (auto store = dyn_cast<StoreOp>(op))
      consider(store, store.getTarget());
  }
  if (!isPossible || elements < 2)
    return;
  elements = llvm::bit_floor(uint64_t(elements));
  while (elements > 1 &&
         (getSize(axis) % elements != 0 ||
          countOutputs() / elements < target.numMultiprocessors * kBlockSize))
    elements /= 2;
  add(OptKind::Vectorize, axis, elements,
      "all accesses along it are contiguous and aligned");
}

void DefaultHeuristic::chooseCopies() {
  int64_t budget = kBlockSize;
  for (size_t axis : ArrayRef(axes).take_front(3)) {
    int64_t threads = chooseThreads(axis, budget);
    add(OptKind::Local, axis, threads,
        axis == axes.front() ? "the contiguous output axis"
                             : "the block has threads left");
    budget /= threads;
    if (axis == axes.front())
      chooseVector(axis);
    if (budget == 1)
      break;
  }
}

//===----------------------------------------------------------------------===//

FailureOr<ScheduleAttr> DefaultHeuristic::choose() {
  opts = findMerges(kernel);
  for (OptAttr merge : opts)
    explain("default: MERGE " + Twine(merge.getAxis()) + ":" +
            Twine(merge.getAmount()) +
            ": these output axes are contiguous in every access");
  FailureOr<MappingPlan> merged = planMapping(kernel, getSchedule());
  if (failed(merged))
    return failure();
  plan = std::move(*merged);
  for (size_t axis : llvm::reverse(plan.placement))
    if (isOpen(axis))
      axes.push_back(axis);

  SmallVector<Reduction> reductions = listReductions();
  if (chooseGroups(reductions)) {
    // Other axes may leave no dimension for the threads of a group.
    if (canMap(kernel, getSchedule(), MappingTarget::GPU))
      return getSchedule();
    explain(
        "default: no threads reduce together: a block has no room for them");
    llvm::erase_if(opts,
                   [](OptAttr opt) { return opt.getKind() != OptKind::Merge; });
  }
  if (reductions.empty())
    chooseCopies();
  else
    chooseTiles(reductions);
  if (llvm::any_of(axes, [&](size_t axis) {
        return !plan.outputs[axis].axis.size.has_value();
      }))
    return getSchedule();
  return fillMachine(
      kernel, getSchedule(), target.numMultiprocessors,
      [&](const Twine &text) { explain("default: " + text); }, target.warpSize);
}

/// Whether threads of a block reduce together.
bool DefaultHeuristic::chooseGroups(ArrayRef<Reduction> reductions) {
  SmallVector<Reduction> shared;
  for (const Reduction &reduction : reductions)
    if (!reduction.redundant.empty() && reduction.size > 1)
      shared.push_back(reduction);
  if (!shared.empty()) {
    groupSharedRows(shared);
    return true;
  }
  bool hasFew = countOutputs() < target.numMultiprocessors * kBlockSize / 2;
  const auto *longest = llvm::find_if(reductions, [&](const Reduction &each) {
    return (each.isContiguous && each.size >= target.warpSize) ||
           (hasFew && each.size >= kLongReduction);
  });
  if (longest == reductions.end())
    return false;
  groupLongReduction(*longest);
  return true;
}

FailureOr<ScheduleAttr> uop::chooseSchedule(KernelOp kernel,
                                            const GPUTarget &target,
                                            UpcastLayout upcastLayout,
                                            ExplainFn explain) {
  return DefaultHeuristic(kernel, target, upcastLayout, explain).choose();
}
