//===- MappingDimensions.cpp - Which dimension an axis gets ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A grid and a block have three dimensions, of which each has a limit. Any
// number of axes is spread over these by folding neighbours onto one.
//
//===----------------------------------------------------------------------===//

#include "MappingPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

//===----------------------------------------------------------------------===//
// Which axis is contiguous
//===----------------------------------------------------------------------===//

std::optional<size_t> uop::findContiguousAxis(ArrayRef<AxisPlan> outputs,
                                              KernelOp kernel,
                                              AccessStrides &strides) {
  std::optional<size_t> best;
  int64_t mostStores = 0;
  for (auto [number, output] : llvm::enumerate(outputs)) {
    if (!output.isOpen() || output.axis.size == 1)
      continue;
    RangeOp innermost = getPlannedRanges(output).back();
    int64_t stores = llvm::count_if(
        kernel.getBodyBlock().getOps<StoreOp>(),
        [&](StoreOp store) { return strides.of(store, innermost) == 1; });
    if (best && stores < mostStores)
      continue;
    best = number;
    mostStores = stores;
  }
  return best;
}

SmallVector<OptAttr> uop::keepLastAxisLast(KernelOp kernel) {
  // Without opts the plan has the placement alone.
  SmallVector<AxisPlan> outputs;
  for (const ScheduleAxis &axis : getOutputAxes(kernel)) {
    AxisPlan output;
    output.axis = axis;
    outputs.push_back(std::move(output));
  }
  AccessStrides strides;
  std::optional<size_t> contiguous =
      findContiguousAxis(outputs, kernel, strides);
  SmallVector<OptAttr> swaps;
  if (!contiguous)
    return swaps;
  // It went from its place to the end: move it back, past one axis at a time.
  for (size_t number = outputs.size(); number-- > *contiguous + 1;)
    if (outputs[number].isOpen() && outputs[number].axis.size != 1)
      swaps.push_back(OptAttr::get(kernel.getContext(), OptKind::Swap,
                                   *contiguous, number));
  return swaps;
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

namespace {

/// An axis that needs blocks or threads, and how many; nothing where that is
/// not known.
struct Demand {
  size_t axis;
  std::optional<int64_t> count;
};

/// For each demand the dimension that it gets.
using Assignment = SmallVector<Dimension>;

} // namespace

/// Divides demands, the first of them innermost, into groups of neighbours, one
/// for each of the dimensions, so that none exceeds its limit: the one that
/// folds least onto the first dimensions. What is not known goes to the first
/// dimension, which is the longest. Nothing if there is none.
static std::optional<Assignment> divide(ArrayRef<Demand> demands,
                                        ArrayRef<Dimension> dimensions,
                                        const int64_t (&limits)[3],
                                        bool isFirst = true) {
  if (demands.empty())
    return Assignment();
  if (dimensions.empty())
    return std::nullopt;
  Dimension dimension = dimensions.front();
  int64_t total = 1;
  for (size_t size = 1; size <= demands.size(); ++size) {
    std::optional<int64_t> count = demands[size - 1].count;
    if (!count && !isFirst)
      return std::nullopt;
    if (count && (llvm::MulOverflow(total, *count, total) ||
                  total > limits[unsigned(dimension)]))
      return std::nullopt;
    std::optional<Assignment> rest =
        divide(demands.drop_front(size), dimensions.drop_front(), limits,
               /*isFirst=*/false);
    if (!rest)
      continue;
    Assignment result(size, dimension);
    llvm::append_range(result, *rest);
    return result;
  }
  return std::nullopt;
}

/// The dimensions that nothing mapped by hand uses.
static SmallVector<Dimension>
findFreeDimensions(KernelOp kernel,
                   function_ref<std::optional<Dimension>(AxisAttr)> getUse) {
  std::array<bool, 3> uses = {};
  for (RangeOp range : kernel.getBodyBlock().getOps<RangeOp>())
    if (std::optional<Dimension> dimension = getUse(range.getAxis()))
      uses[unsigned(*dimension)] = true;
  SmallVector<Dimension> dimensions;
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    if (!uses[dimension])
      dimensions.push_back(Dimension(dimension));
  return dimensions;
}

//===----------------------------------------------------------------------===//
// The assignment
//===----------------------------------------------------------------------===//

namespace {

class DimensionAssigner {
public:
  DimensionAssigner(KernelOp kernel, MappingPlan &plan, AccessStrides &strides)
      : kernel(kernel), plan(plan), strides(strides) {}

  LogicalResult assign();

private:
  bool assignTogether();
  LogicalResult assignBlocks();
  bool splitGrid();
  LogicalResult assignThreads();
  LogicalResult assignGroups();
  bool prefersLocals();
  bool conflict(const ReducePlan &reduce, const AxisPlan &output);
  bool conflict(const ReducePlan &first, const ReducePlan &second);
  LogicalResult checkThreads();
  void take(ArrayRef<Demand> demands, const Assignment &assignment,
            std::array<SmallVector<size_t>, 3> &axes);
  void explainFolding();
  LogicalResult refuse(StringRef what, StringRef where,
                       ArrayRef<Demand> demands, size_t available);

  KernelOp kernel;
  MappingPlan &plan;
  AccessStrides &strides;
  SmallVector<Dimension> freeBlocks, freeThreads;
  /// Innermost first.
  SmallVector<Demand> blocks, threads;
};

} // namespace

LogicalResult DimensionAssigner::refuse(StringRef what, StringRef where,
                                        ArrayRef<Demand> demands,
                                        size_t available) {
  SmallVector<std::string> numbers, sizes;
  for (const Demand &demand : llvm::reverse(demands)) {
    std::optional<int64_t> size = plan.outputs[demand.axis].axis.size;
    numbers.push_back(std::to_string(demand.axis));
    sizes.push_back(size ? std::to_string(*size) : "?");
  }
  bool isOne = demands.size() == 1;
  return refuseMapping(kernel)
         << "output " << (isOne ? "axis " : "axes ") << describeList(numbers)
         << " of " << (isOne ? "size " : "sizes ") << describeList(sizes)
         << (isOne ? " needs " : " need ") << what << ", but " << where
         << " has " << available << (available == 3 ? "" : " free")
         << (available == 1 ? " dimension" : " dimensions")
         << " that cannot hold them; map fewer axes by hand";
}

/// Notes what goes to each dimension, outermost first.
void DimensionAssigner::take(ArrayRef<Demand> demands,
                             const Assignment &assignment,
                             std::array<SmallVector<size_t>, 3> &axes) {
  for (auto [demand, dimension] : llvm::zip_equal(demands, assignment)) {
    SmallVector<size_t> &members = axes[unsigned(dimension)];
    members.insert(members.begin(), demand.axis);
  }
}

/// An axis has one dimension for its blocks and its threads, which is easiest
/// to read: where there are no more than three, and each fits.
bool DimensionAssigner::assignTogether() {
  if (freeBlocks.size() != 3 || freeThreads.size() != 3)
    return false;
  SmallVector<size_t> either;
  for (size_t number : llvm::reverse(plan.placement)) {
    const AxisPlan &output = plan.outputs[number];
    if (output.isOpen() && (output.hasBlocks() || output.local != 1))
      either.push_back(number);
  }
  if (either.size() > 3)
    return false;
  for (auto [dimension, number] : llvm::enumerate(either)) {
    const AxisPlan &output = plan.outputs[number];
    std::optional<int64_t> count = output.getNumBlocks();
    if ((!count && dimension != 0) ||
        (count && *count > kMaxGridSize[dimension]) ||
        output.local > kMaxBlockSize[dimension])
      return false;
  }
  for (auto [dimension, number] : llvm::enumerate(either)) {
    if (plan.outputs[number].hasBlocks())
      plan.blockAxes[dimension].push_back(number);
    if (plan.outputs[number].local != 1)
      plan.threadAxes[dimension].push_back(number);
  }
  return true;
}

/// Folds all blocks onto x, and splits what is too long for it over y and z.
bool DimensionAssigner::splitGrid() {
  if (freeBlocks.size() != 3)
    return false;
  int64_t total = 1;
  for (const Demand &demand : blocks)
    if (!demand.count || llvm::MulOverflow(total, *demand.count, total))
      return false;
  auto divideUp = [](int64_t a, int64_t b) { return (a - 1) / b + 1; };
  int64_t z = divideUp(divideUp(total, kMaxGridSize[0]), kMaxGridSize[1]);
  int64_t y = divideUp(divideUp(total, z), kMaxGridSize[0]);
  if (z > kMaxGridSize[2])
    return false;
  plan.gridSplit = {y, z};
  take(blocks, Assignment(blocks.size(), Dimension::X), plan.blockAxes);
  plan.decisions.push_back(
      "splits the " + std::to_string(total) + " blocks into " +
      std::to_string(y) + " parts along y" +
      (z == 1 ? "" : " and " + std::to_string(z) + " along z") +
      ": x has at most " + std::to_string(kMaxGridSize[0]));
  return true;
}

LogicalResult DimensionAssigner::assignBlocks() {
  if (std::optional<Assignment> assignment =
          divide(blocks, freeBlocks, kMaxGridSize)) {
    take(blocks, *assignment, plan.blockAxes);
    return success();
  }
  if (splitGrid())
    return success();
  return refuse("blocks", "a grid", blocks, freeBlocks.size());
}

LogicalResult DimensionAssigner::assignThreads() {
  std::optional<Assignment> assignment =
      divide(threads, freeThreads, kMaxBlockSize);
  if (!assignment)
    return refuse("threads", "a block", threads, freeThreads.size());
  take(threads, *assignment, plan.threadAxes);
  return success();
}

//===----------------------------------------------------------------------===//
// Threads of group reductions
//===----------------------------------------------------------------------===//

bool uop::areTogether(KernelOp kernel, ArrayRef<RangeOp> first,
                      ArrayRef<RangeOp> second, FreeRanges &freeRanges) {
  return llvm::any_of(kernel.getBodyBlock(), [&](Operation &op) {
    if (isa<RangeOp>(op))
      return false;
    RangeList open = freeRanges.ofAny(op.getOperands());
    if (std::optional<MutableOperandRange> over = getOverList(&op))
      llvm::append_range(open, getRanges(OperandRange(*over)));
    auto isOpen = [&](RangeOp range) {
      return llvm::is_contained(open, range);
    };
    return llvm::any_of(first, isOpen) && llvm::any_of(second, isOpen);
  });
}

bool DimensionAssigner::conflict(const ReducePlan &reduce,
                                 const AxisPlan &output) {
  return areTogether(kernel, reduce.axis.range, getPlannedRanges(output),
                     strides.getFreeRanges());
}

bool DimensionAssigner::conflict(const ReducePlan &first,
                                 const ReducePlan &second) {
  return areTogether(kernel, first.axis.range, second.axis.range,
                     strides.getFreeRanges());
}

/// Whether more of the loads that the group reductions combine are contiguous
/// along an axis with threads than along a group.
bool DimensionAssigner::prefersLocals() {
  FreeRanges &freeRanges = strides.getFreeRanges();
  int64_t groups = 0, locals = 0;
  for (LoadOp load : kernel.getBodyBlock().getOps<LoadOp>()) {
    bool isCombined = false;
    for (const ReducePlan &reduce : plan.reduces) {
      if (reduce.group == 1 ||
          !freeRanges.isFreeIn(load.getResult(), reduce.axis.range))
        continue;
      isCombined = true;
      groups += strides.of(load, reduce.axis.range) == 1;
    }
    if (!isCombined)
      continue;
    for (const AxisPlan &output : plan.outputs)
      if (output.local != 1)
        locals += strides.of(load, getPlannedRanges(output).back()) == 1;
  }
  return locals > groups;
}

/// Each group reduction, and each local axis, gets the first dimension where it
/// meets none with which it conflicts. Local axes that find none are folded
/// onto one of the others.
LogicalResult DimensionAssigner::assignGroups() {
  std::array<int64_t, 3> extents = {1, 1, 1};
  std::array<SmallVector<size_t>, 3> groups;
  auto isFree = [&](unsigned dimension) {
    return llvm::is_contained(freeThreads, Dimension(dimension));
  };
  auto place = [&](size_t number) {
    ReducePlan &reduce = plan.reduces[number];
    for (unsigned dimension = 0; dimension < 3; ++dimension) {
      if (!isFree(dimension) || reduce.group > kMaxBlockSize[dimension])
        continue;
      if (llvm::any_of(groups[dimension],
                       [&](size_t other) {
                         return conflict(reduce, plan.reduces[other]);
                       }) ||
          llvm::any_of(plan.threadAxes[dimension], [&](size_t other) {
            return conflict(reduce, plan.outputs[other]);
          }))
        continue;
      groups[dimension].push_back(number);
      reduce.groupDimension = Dimension(dimension);
      extents[dimension] = std::max(extents[dimension], reduce.group);
      return true;
    }
    return false;
  };
  // Folds the local axes of one dimension onto another.
  auto vacate = [&] {
    for (unsigned from : {2u, 1u, 0u})
      for (unsigned to = 0; to < 3; ++to) {
        if (from == to || !groups[from].empty() || !groups[to].empty() ||
            plan.threadAxes[from].empty() || plan.threadAxes[to].empty() ||
            extents[from] > kMaxBlockSize[to] / extents[to])
          continue;
        SmallVector<size_t> &axes = plan.threadAxes[to];
        axes.insert(axes.begin(), plan.threadAxes[from].begin(),
                    plan.threadAxes[from].end());
        extents[to] *= extents[from];
        plan.threadAxes[from].clear();
        extents[from] = 1;
        return true;
      }
    return false;
  };
  auto placeGroup = [&](size_t number) -> LogicalResult {
    do
      if (place(number))
        return success();
    while (vacate());
    return refuseMapping(kernel)
           << "reduce axis " << number << " finds no dimension of the block "
           << "for its " << plan.reduces[number].group
           << " threads: its reduction also varies with the axes on the "
              "others; give fewer axes local or GROUP";
  };
  auto placeLocal = [&](const Demand &demand) -> LogicalResult {
    AxisPlan &output = plan.outputs[demand.axis];
    for (unsigned dimension = 0; dimension < 3; ++dimension) {
      if (!isFree(dimension) || !plan.threadAxes[dimension].empty() ||
          output.local > kMaxBlockSize[dimension] ||
          llvm::any_of(groups[dimension], [&](size_t other) {
            return conflict(plan.reduces[other], output);
          }))
        continue;
      plan.threadAxes[dimension].push_back(demand.axis);
      extents[dimension] = std::max(extents[dimension], output.local);
      return success();
    }
    for (unsigned dimension = 0; dimension < 3; ++dimension) {
      if (plan.threadAxes[dimension].empty() || !groups[dimension].empty() ||
          output.local > kMaxBlockSize[dimension] / extents[dimension])
        continue;
      plan.threadAxes[dimension].insert(plan.threadAxes[dimension].begin(),
                                        demand.axis);
      extents[dimension] *= output.local;
      return success();
    }
    return refuse("threads", "a block, beside the group reductions,", demand,
                  freeThreads.size());
  };

  auto placeGroups = [&]() -> LogicalResult {
    for (size_t number = 0; number < plan.reduces.size(); ++number)
      if (plan.reduces[number].group != 1 && failed(placeGroup(number)))
        return failure();
    return success();
  };
  auto placeLocals = [&]() -> LogicalResult {
    for (const Demand &demand : threads)
      if (failed(placeLocal(demand)))
        return failure();
    return success();
  };
  if (prefersLocals())
    return failed(placeLocals()) ? failure() : placeGroups();
  return failed(placeGroups()) ? failure() : placeLocals();
}

/// The threads of a block in all, which are limited however they are arranged.
/// Group reductions share the threads of axes that they do not vary with.
LogicalResult DimensionAssigner::checkThreads() {
  std::array<int64_t, 3> extents = {1, 1, 1};
  bool isTooMany = false, hasGroups = false;
  auto multiply = [&](int64_t &product, int64_t factor) {
    isTooMany |= llvm::MulOverflow(product, factor, product) != 0;
  };
  for (const ReducePlan &reduce : plan.reduces)
    hasGroups |= reduce.group != 1;
  if (hasGroups) {
    for (unsigned dimension = 0; dimension < 3; ++dimension)
      for (size_t number : plan.threadAxes[dimension])
        multiply(extents[dimension], plan.outputs[number].local);
    for (const ReducePlan &reduce : plan.reduces)
      if (reduce.groupDimension) {
        int64_t &extent = extents[unsigned(*reduce.groupDimension)];
        extent = std::max(extent, reduce.group);
      }
    // Lanes of a group that is along x stay in their warps.
    if (llvm::any_of(plan.reduces, [](const ReducePlan &reduce) {
          return reduce.groupDimension == Dimension::X;
        }))
      extents[0] = getShuffleRowSize(extents[0]);
  } else {
    for (const Demand &demand : threads)
      multiply(extents[0], *demand.count);
  }
  int64_t total = 1;
  for (int64_t extent : extents)
    multiply(total, extent);
  if (!isTooMany && total <= kMaxThreadsPerBlock)
    return success();

  // Rows of lanes are rounded up, which the amounts do not show.
  std::string arrangement =
      (", " + Twine(extents[0]) + "x" + Twine(extents[1]) + "x" +
       Twine(extents[2]) + " with whole rows of lanes,")
          .str();
  SmallVector<std::string> factors;
  std::string largest;
  int64_t most = 1;
  auto note = [&](StringRef kind, size_t number, int64_t amount) {
    if (amount == 1)
      return;
    factors.push_back(std::to_string(amount));
    if (amount <= most)
      return;
    most = amount;
    largest = (kind + " axis " + Twine(number)).str();
  };
  for (auto [number, output] : llvm::enumerate(plan.outputs))
    note("output", number, output.local);
  for (auto [number, reduce] : llvm::enumerate(plan.reduces))
    note("reduce", number, reduce.group);
  return refuseMapping(kernel)
         << "a block of " << llvm::join(factors, " * ") << " threads"
         << (hasGroups ? arrangement : "") << " exceeds the limit of "
         << kMaxThreadsPerBlock << "; give " << largest
         << (hasGroups ? " fewer threads"
                       : " less local, and more upcast if each thread is to do "
                         "more");
}

//===----------------------------------------------------------------------===//

void DimensionAssigner::explainFolding() {
  auto explain = [&](StringRef what, std::array<SmallVector<size_t>, 3> &axes) {
    for (unsigned dimension = 0; dimension < 3; ++dimension) {
      if (axes[dimension].size() < 2)
        continue;
      SmallVector<std::string> numbers;
      for (size_t number : axes[dimension])
        numbers.push_back(std::to_string(number));
      plan.decisions.push_back(("folds the " + what + " of output axes " +
                                describeList(numbers) + " onto " +
                                stringifyDimension(Dimension(dimension)))
                                   .str());
    }
  };
  explain("blocks", plan.blockAxes);
  if (!plan.hasWarpTile)
    explain("threads", plan.threadAxes);
}

LogicalResult DimensionAssigner::assign() {
  freeBlocks =
      findFreeDimensions(kernel, [](AxisAttr axis) -> std::optional<Dimension> {
        return axis.isBlockIndex() ? axis.getDimension() : std::nullopt;
      });
  freeThreads =
      findFreeDimensions(kernel, [](AxisAttr axis) -> std::optional<Dimension> {
        if (!axis.isThreadIndex())
          return std::nullopt;
        return axis.getThreadDimension();
      });
  for (size_t number : llvm::reverse(plan.placement)) {
    const AxisPlan &output = plan.outputs[number];
    if (!output.isOpen())
      continue;
    if (output.hasBlocks())
      blocks.push_back({number, output.getNumBlocks()});
    if (output.local != 1)
      threads.push_back({number, output.local});
  }
  bool hasGroups = false;
  for (auto [number, reduce] : llvm::enumerate(plan.reduces)) {
    hasGroups |= reduce.group != 1;
    if (reduce.group > kMaxThreadsPerBlock)
      return refuseMapping(kernel)
             << "reduce axis " << number << " asks for " << reduce.group
             << " threads, but a block has at most " << kMaxThreadsPerBlock
             << "; give it less GROUP";
  }
  // Before anything is arranged: no arrangement has fewer threads.
  if (!hasGroups && failed(checkThreads()))
    return failure();
  if (hasGroups || !assignTogether())
    if (failed(assignBlocks()) ||
        failed(hasGroups ? assignGroups() : assignThreads()))
      return failure();
  explainFolding();
  return checkThreads();
}

LogicalResult uop::assignDimensions(KernelOp kernel, MappingPlan &plan,
                                    AccessStrides &strides) {
  return DimensionAssigner(kernel, plan, strides).assign();
}
