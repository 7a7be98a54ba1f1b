//===- MappingPlan.cpp - From opts to a plan ------------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the opts of a schedule into what becomes of each axis, and refuses what
// does not apply. Which dimensions axes get is decided next door.
//
//===----------------------------------------------------------------------===//

#include "MappingPlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <thread>

using namespace mlir;
using namespace uop;

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// The least multiple of `multiple` that is not less.
static int64_t roundUp(int64_t value, int64_t multiple) {
  int64_t rest = value % multiple;
  return rest == 0 ? value : value - rest + multiple;
}

std::optional<int64_t> AxisPlan::getPaddedSize() const {
  if (!axis.size || !isOpen())
    return axis.size;
  int64_t points =
      needsOnePoint ? std::max<int64_t>(*axis.size, 1) : *axis.size;
  return roundUp(roundUp(points, padTo), getAmounts());
}

std::optional<int64_t> AxisPlan::getNumBlocks() const {
  if (!isOpen() && !axis.isKind(AxisKind::Global))
    return 1;
  if (!axis.size)
    return std::nullopt;
  return *getPaddedSize() / getAmounts();
}

std::optional<int64_t> ReducePlan::getPaddedSize() const {
  if (!axis.size)
    return std::nullopt;
  return roundUp(roundUp(*axis.size, padTo), std::max(unroll * group, step));
}

std::optional<int64_t> MappingPlan::getNumBlocks() const {
  int64_t blocks = 1;
  for (const AxisPlan &output : outputs) {
    std::optional<int64_t> own = output.getNumBlocks();
    if (!own || llvm::MulOverflow(blocks, *own, blocks))
      return std::nullopt;
  }
  return blocks;
}

bool uop::isAlreadyMapped(KernelOp kernel) {
  if (!kernel.isMapped())
    return false;
  return llvm::any_of(
      kernel.getBodyBlock().getOps<RangeOp>(), [](RangeOp range) {
        AxisKind kind = range.getAxis().getKind();
        return kind != AxisKind::Reduce && kind != AxisKind::Loop;
      });
}

InFlightDiagnostic uop::refuseMapping(KernelOp kernel) {
  return emitError(kernel.getLoc())
         << "cannot map @" << kernel.getSymName() << ": ";
}

ArrayRef<RangeOp> uop::getPlannedRanges(const AxisPlan &output) {
  if (!output.merged.empty())
    return output.merged;
  return output.axis.range ? ArrayRef<RangeOp>(output.axis.range)
                           : ArrayRef<RangeOp>();
}

bool uop::sharesLoads(KernelOp kernel, const AxisPlan &output,
                      FreeRanges &freeRanges) {
  ArrayRef<RangeOp> ranges = getPlannedRanges(output);
  return llvm::any_of(kernel.getBodyBlock().getOps<LoadOp>(), [&](LoadOp load) {
    return llvm::none_of(ranges, [&](RangeOp range) {
      return freeRanges.isFreeIn(load.getResult(), range);
    });
  });
}

/// The target that alone has the opt; nothing where both have it.
static std::optional<MappingTarget> getOnlyTarget(OptKind kind) {
  switch (kind) {
  case OptKind::Local:
  case OptKind::Group:
  case OptKind::GroupTop:
  case OptKind::NoLocals:
  case OptKind::Warp:
  case OptKind::KStep:
  case OptKind::Stage:
  case OptKind::SplitK:
    return MappingTarget::GPU;
  case OptKind::Thread:
  case OptKind::Tile:
    return MappingTarget::CPU;
  default:
    return std::nullopt;
  }
}

bool uop::isForOtherTarget(ScheduleAttr schedule, MappingTarget target) {
  return llvm::any_of(schedule.getOpts(), [&](OptAttr opt) {
    return getOnlyTarget(opt.getKind()).value_or(target) != target;
  });
}

std::string uop::describeList(ArrayRef<std::string> items) {
  std::string text;
  for (auto [index, item] : llvm::enumerate(items)) {
    if (index != 0)
      text += index + 1 == items.size() ? " and " : ", ";
    text += item;
  }
  return text;
}

static std::string describe(OptAttr opt) {
  if (opt.getKind() == OptKind::NoLocals)
    return stringifyOptKind(opt.getKind()).str();
  return (stringifyOptKind(opt.getKind()) + " " + Twine(opt.getAxis()) + ":" +
          Twine(opt.getAmount()))
      .str();
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

namespace {
/// Why two axes are not one, and where.
struct MergeObstacle {
  Operation *op;
  std::string reason;
};
} // namespace

/// Whether a value that comes from the range itself, not by way of memory, is
/// used other than in the indices of accesses; the op that does.
static Operation *findOtherUse(RangeOp range) {
  llvm::SetVector<Value> reached;
  reached.insert(range.getResult());
  for (size_t i = 0; i < reached.size(); ++i)
    for (OpOperand &use : reached[i].getUses()) {
      Operation *user = use.getOwner();
      if (auto load = dyn_cast<LoadOp>(user)) {
        if (!llvm::is_contained(load.getIndices(), reached[i]))
          return user;
      } else if (auto store = dyn_cast<StoreOp>(user)) {
        if (store.getValue() == reached[i] || store.getMask() == reached[i])
          return user;
      } else if (user->getNumResults() == 1 &&
                 user->getResult(0).getType().isIndex() &&
                 !isa<RangeOp>(user)) {
        reached.insert(user->getResult(0));
      } else {
        return user;
      }
    }
  return nullptr;
}

/// What keeps two adjacent axes from being one that every access walks through
/// in steps of one size.
static std::optional<MergeObstacle> findObstacle(KernelOp kernel, RangeOp outer,
                                                 RangeOp inner,
                                                 AccessStrides &strides) {
  for (RangeOp range : {outer, inner}) {
    if (range.getAxis().getKind() != AxisKind::Loop)
      return MergeObstacle{range, "is mapped already"};
    if (!range.getConstantExtent())
      return MergeObstacle{range, "has no static extent"};
    if (Operation *op = findOtherUse(range))
      return MergeObstacle{op, "uses one of them other than in an index"};
  }
  int64_t size = *inner.getConstantExtent();
  auto check = [&](auto access) -> std::optional<MergeObstacle> {
    std::optional<int64_t> outerStride = strides.of(access, outer);
    std::optional<int64_t> innerStride = strides.of(access, inner);
    int64_t expected;
    if (outerStride && innerStride &&
        !llvm::MulOverflow(*innerStride, size, expected) &&
        *outerStride == expected)
      return std::nullopt;
    auto describe = [](std::optional<int64_t> stride) {
      return stride ? std::to_string(*stride) : std::string("unknown");
    };
    return MergeObstacle{access, "has strides of " + describe(outerStride) +
                                     " and " + describe(innerStride) +
                                     " elements along them"};
  };
  for (Operation &op : kernel.getBodyBlock()) {
    std::optional<MergeObstacle> obstacle;
    if (auto load = dyn_cast<LoadOp>(op)) {
      obstacle = check(load);
    } else if (auto store = dyn_cast<StoreOp>(op)) {
      obstacle = check(store);
      RangeList domain = getRanges(store.getOver());
      if (!obstacle && llvm::is_contained(domain, outer) !=
                           llvm::is_contained(domain, inner))
        obstacle = MergeObstacle{store, "has one of them in its domain"};
    }
    if (obstacle)
      return obstacle;
  }
  return std::nullopt;
}

SmallVector<OptAttr> uop::findMerges(KernelOp kernel) {
  SmallVector<ScheduleAxis> axes = getOutputAxes(kernel);
  AccessStrides strides;
  SmallVector<OptAttr> merges;
  for (size_t first = 0; first < axes.size();) {
    size_t last = first;
    while (
        last + 1 < axes.size() && axes[last].range && axes[last + 1].range &&
        !findObstacle(kernel, axes[last].range, axes[last + 1].range, strides))
      ++last;
    if (last != first)
      merges.push_back(OptAttr::get(kernel.getContext(), OptKind::Merge, first,
                                    last - first + 1));
    first = last + 1;
  }
  return merges;
}

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

namespace {

class Planner {
public:
  Planner(KernelOp kernel, ScheduleAttr schedule, MappingTarget target)
      : kernel(kernel), schedule(schedule) {
    plan.target = target;
  }

  FailureOr<MappingPlan> make();

private:
  InFlightDiagnostic refuse() { return refuseMapping(kernel); }
  void note(InFlightDiagnostic &diag, Location loc, StringRef text) {
    diag.attachNote(loc) << text;
  }

  LogicalResult checkHandMapped();
  LogicalResult mergeAxes();
  LogicalResult addOpt(OptAttr opt);
  LogicalResult addSwap(OptAttr opt);
  LogicalResult addStage(OptAttr opt);
  LogicalResult checkStages();
  LogicalResult checkAxis(OptAttr opt, int64_t number, size_t count,
                          StringRef kind);
  LogicalResult checkOpen(OptAttr opt, ScheduleAxis axis, int64_t number,
                          bool isReduce);
  LogicalResult setAmount(OptAttr opt, int64_t &amount, int64_t number,
                          StringRef kind);
  LogicalResult setGroup(OptAttr opt, ReducePlan &reduce);
  LogicalResult checkContradictions();
  LogicalResult checkAmounts();

  KernelOp kernel;
  ScheduleAttr schedule;
  AccessStrides strides;
  MappingPlan plan;
};

} // namespace

FailureOr<MappingPlan> Planner::make() {
  plan.upcastLayout = schedule.getUpcastLayout();
  if (failed(mergeAxes()))
    return failure();
  for (const ScheduleAxis &axis : getReduceAxes(kernel)) {
    ReducePlan reduce;
    reduce.axis = axis;
    plan.reduces.push_back(reduce);
  }
  for (size_t number = 0; number < plan.outputs.size(); ++number)
    plan.placement.push_back(number);
  for (AxisPlan &output : plan.outputs) {
    if (!output.isOpen() || output.axis.size.value_or(0) != 0)
      continue;
    Value range = output.axis.range;
    output.needsOnePoint =
        llvm::any_of(kernel.getBodyBlock().getOps<StoreOp>(), [&](StoreOp op) {
          return !llvm::is_contained(op.getOver(), range);
        });
  }
  if (std::optional<size_t> contiguous =
          findContiguousAxis(plan.outputs, kernel, strides)) {
    plan.placement.erase(plan.placement.begin() + *contiguous);
    plan.placement.push_back(*contiguous);
  }
  for (OptAttr opt : schedule.getOpts())
    if (opt.getKind() != OptKind::Merge && failed(addOpt(opt)))
      return failure();
  if (failed(checkContradictions()) || failed(checkAmounts()) ||
      failed(checkHandMapped()))
    return failure();
  if (plan.target == MappingTarget::GPU &&
      (failed(assignDimensions(kernel, plan, strides)) ||
       failed(assignWarpTile(kernel, plan)) || failed(checkStages())))
    return failure();
  return std::move(plan);
}

/// Makes the list of the output axes, of which merged ones are one.
LogicalResult Planner::mergeAxes() {
  SmallVector<ScheduleAxis> axes = getOutputAxes(kernel);
  // The place of the last axis that is merged with each.
  SmallVector<size_t> lastOf;
  for (size_t number = 0; number < axes.size(); ++number)
    lastOf.push_back(number);
  SmallVector<bool> isMerged(axes.size(), false);
  for (OptAttr opt : schedule.getOpts()) {
    if (opt.getKind() != OptKind::Merge)
      continue;
    if (failed(checkAxis(opt, opt.getAxis(), axes.size(), "output")))
      return failure();
    size_t first = opt.getAxis();
    if (opt.getAmount() < 1 || size_t(opt.getAmount()) > axes.size() - first)
      return refuse() << describe(opt) << " merges " << opt.getAmount()
                      << " output axes from axis " << first
                      << " on, but there are " << axes.size() - first;
    for (size_t number = first; number < first + opt.getAmount(); ++number) {
      if (isMerged[number])
        return refuse() << describe(opt) << " merges output axis " << number
                        << ", which another MERGE merges as well";
      isMerged[number] = true;
      if (number == first)
        continue;
      if (!axes[number - 1].range || !axes[number].range)
        return refuse() << describe(opt) << " merges output axis "
                        << (axes[number].range ? number - 1 : number)
                        << ", which is a folded range of extent 1; leave it "
                           "out";
      std::optional<MergeObstacle> obstacle = findObstacle(
          kernel, axes[number - 1].range, axes[number].range, strides);
      if (!obstacle)
        continue;
      InFlightDiagnostic diag = refuse()
                                << describe(opt) << " expects output axes "
                                << number - 1 << " and " << number
                                << " to be contiguous in every access, but one "
                                << obstacle->reason;
      note(diag, obstacle->op->getLoc(), "it is here");
      return diag;
    }
    lastOf[first] = first + opt.getAmount() - 1;
  }
  for (size_t first = 0; first < axes.size(); first = lastOf[first] + 1) {
    AxisPlan output;
    output.axis = axes[first];
    for (size_t number = first;
         first != lastOf[first] && number <= lastOf[first]; ++number) {
      output.merged.push_back(axes[number].range);
      if (number == first)
        continue;
      int64_t product;
      if (llvm::MulOverflow(*output.axis.size, *axes[number].size, product))
        return refuse() << "the merged output axes " << first << " to "
                        << lastOf[first]
                        << " have more points than 64 bits hold";
      output.axis.size = product;
    }
    plan.outputs.push_back(std::move(output));
  }
  return success();
}

LogicalResult Planner::checkAxis(OptAttr opt, int64_t number, size_t count,
                                 StringRef kind) {
  if (number >= 0 && size_t(number) < count)
    return success();
  return refuse() << describe(opt) << " names "
                  << (kind == "" ? "" : (kind + " ").str()) << "axis " << number
                  << ", but the kernel has " << describeAxisCount(count, kind);
}

/// An opt changes an axis only while it is not mapped.
LogicalResult Planner::checkOpen(OptAttr opt, ScheduleAxis axis, int64_t number,
                                 bool isReduce) {
  AxisKind expected = isReduce ? AxisKind::Reduce : AxisKind::Loop;
  if (!axis.range || axis.isKind(expected))
    return success();
  InFlightDiagnostic diag =
      refuse() << describe(opt) << " expects "
               << (isReduce ? "reduce" : "output") << " axis " << number
               << " to be '" << stringifyAxisKind(expected)
               << "', but it is already '" << axis.range.getAxis().str() << "'";
  note(diag, axis.range.getLoc(), "the axis is defined here");
  return diag;
}

LogicalResult Planner::setAmount(OptAttr opt, int64_t &amount, int64_t number,
                                 StringRef kind) {
  if (amount > 1 || (amount == 1 && opt.getKind() == OptKind::KStep))
    return refuse() << stringifyOptKind(opt.getKind()) << " is given twice for "
                    << kind << " axis " << number << ", " << amount << " and "
                    << opt.getAmount()
                    << "; give the amount that you mean once";
  amount = opt.getAmount();
  return success();
}

LogicalResult Planner::setGroup(OptAttr opt, ReducePlan &reduce) {
  bool isOutermost = opt.getKind() == OptKind::GroupTop;
  if (reduce.group != 1 && reduce.isGroupOutermost != isOutermost)
    return refuse() << "GROUP and GROUPTOP are both given for reduce axis "
                    << opt.getAxis()
                    << ": its points are either interleaved between the "
                       "threads or divided into parts; choose one";
  if (llvm::MulOverflow(reduce.group, opt.getAmount(), reduce.group))
    return refuse() << stringifyOptKind(opt.getKind()) << " of reduce axis "
                    << opt.getAxis()
                    << " asks for more threads than 64 bits "
                       "hold";
  reduce.isGroupOutermost = isOutermost;
  if (isOutermost)
    return success();
  ReduceOp combiner = findCombiner(reduce.axis.range);
  if (!combiner)
    return success();
  InFlightDiagnostic diag =
      refuse() << describe(opt)
               << " interleaves the points, which changes the order in which a "
                  "combiner takes them; use GROUPTOP";
  note(diag, combiner.getLoc(), "the combiner is here");
  return diag;
}

/// The places of two output axes in the grid.
LogicalResult Planner::addSwap(OptAttr opt) {
  size_t count = plan.outputs.size();
  for (int64_t number : {opt.getAxis(), opt.getAmount()}) {
    if (number >= int64_t(count) &&
        number < int64_t(count + plan.reduces.size()))
      return refuse() << describe(opt) << " names reduce axis "
                      << number - int64_t(count)
                      << ", which has no place in the grid; expected two "
                         "output axes";
    if (failed(checkAxis(opt, number, count, "output")))
      return failure();
  }
  std::swap(*llvm::find(plan.placement, size_t(opt.getAxis())),
            *llvm::find(plan.placement, size_t(opt.getAmount())));
  return success();
}

/// A load that is staged, by its place among the loads of the kernel.
LogicalResult Planner::addStage(OptAttr opt) {
  SmallVector<LoadOp> loads(kernel.getBodyBlock().getOps<LoadOp>());
  if (size_t(opt.getAxis()) >= loads.size())
    return refuse() << describe(opt) << " names load " << opt.getAxis()
                    << ", but the kernel has "
                    << (loads.size() == 1
                            ? std::string("one load, 0")
                            : std::to_string(loads.size()) + " loads, from 0");
  if (opt.getAmount() < 1 || opt.getAmount() > kMaxBuffers)
    return refuse() << describe(opt) << " asks for " << opt.getAmount()
                    << " tiles: expected 1 to " << kMaxBuffers;
  LoadOp load = loads[opt.getAxis()];
  if (llvm::any_of(plan.stages,
                   [&](const StagePlan &stage) { return stage.load == load; }))
    return refuse() << "STAGE is given twice for load " << opt.getAxis()
                    << "; give the number of tiles that you mean once";
  plan.stages.push_back({load, opt.getAmount()});
  return success();
}

/// What is staged has to have a tile, in the block that all opts make.
LogicalResult Planner::checkStages() {
  FreeRanges &freeRanges = strides.getFreeRanges();
  TilePoints points(kernel, plan);
  for (const StagePlan &stage : plan.stages) {
    LoadOp load = stage.load;
    size_t number = 0;
    for (auto other : kernel.getBodyBlock().getOps<LoadOp>()) {
      if (other == load)
        break;
      ++number;
    }
    std::string what = "load " + std::to_string(number);
    for (const AxisPlan &output : plan.outputs)
      if (output.merged.size() > 1 &&
          llvm::any_of(output.merged, [&](RangeOp range) {
            return freeRanges.isFreeIn(load, range);
          }))
        return refuse() << what << " cannot be staged: it varies along axes "
                        << "that are merged; leave them out of MERGE";
    if (failed(planStage(kernel, load, points, freeRanges, what)))
      return failure();
  }
  return success();
}

LogicalResult Planner::addOpt(OptAttr opt) {
  OptKind kind = opt.getKind();
  plan.hasWarpTile |= kind == OptKind::Warp;
  size_t numOutputs = plan.outputs.size();
  bool isReduce = kind == OptKind::Unroll || kind == OptKind::Group ||
                  kind == OptKind::GroupTop || kind == OptKind::KStep;
  int64_t number = opt.getAxis();
  if (getOnlyTarget(kind).value_or(plan.target) != plan.target)
    return refuse() << describe(opt)
                    << (plan.target == MappingTarget::GPU
                            ? " is for a CPU; use LOCAL for the threads of a "
                              "block, or --uop-cpu-map"
                            : " is for the blocks and threads of a GPU; use "
                              "THREAD or TILE, or --uop-gpu-map");
  switch (kind) {
  case OptKind::Merge:
  case OptKind::NoLocals:
    return success();
  case OptKind::Swap:
    return addSwap(opt);
  case OptKind::Stage:
    return addStage(opt);
  case OptKind::SplitK:
    return refuse() << describe(opt)
                    << " makes two kernels of one; run --uop-split-reductions "
                       "first, which leaves the other opts";
  case OptKind::TensorCore:
    return refuse() << "the opt " << stringifyOptKind(kind)
                    << " is not supported yet";
  case OptKind::PadTo:
    if (failed(checkAxis(opt, number, numOutputs + plan.reduces.size(), "")))
      return failure();
    isReduce = number >= int64_t(numOutputs);
    if (isReduce)
      number -= numOutputs;
    break;
  default:
    break;
  }
  StringRef name = isReduce ? "reduce" : "output";
  if (failed(checkAxis(opt, number, isReduce ? plan.reduces.size() : numOutputs,
                       name)))
    return failure();
  if (opt.getAmount() < 1)
    return refuse() << describe(opt) << " has an amount of " << opt.getAmount()
                    << ": expected at least 1";
  // A step of one point is a loop over all of them.
  if (opt.getAmount() == 1 && kind != OptKind::KStep)
    return success();
  ScheduleAxis axis =
      isReduce ? plan.reduces[number].axis : plan.outputs[number].axis;
  if (failed(checkOpen(opt, axis, number, isReduce)))
    return failure();
  if (!axis.range)
    return refuse() << describe(opt) << " names " << name << " axis " << number
                    << ", which is a folded range of extent 1; leave the opt "
                       "out";
  if (isReduce) {
    ReducePlan &reduce = plan.reduces[number];
    if (kind == OptKind::Group || kind == OptKind::GroupTop)
      return setGroup(opt, reduce);
    return setAmount(opt,
                     kind == OptKind::PadTo   ? reduce.padTo
                     : kind == OptKind::KStep ? reduce.step
                                              : reduce.unroll,
                     number, name);
  }
  AxisPlan &output = plan.outputs[number];
  return setAmount(opt,
                   kind == OptKind::PadTo       ? output.padTo
                   : kind == OptKind::Local     ? output.local
                   : kind == OptKind::Warp      ? output.warp
                   : kind == OptKind::Vectorize ? output.vector
                   : kind == OptKind::Thread    ? output.thread
                   : kind == OptKind::Tile      ? output.tile
                                                : output.upcast,
                   number, name);
}

/// What is mapped by hand is for one target, and has a CPU's one dimension for
/// itself.
LogicalResult Planner::checkHandMapped() {
  bool isCPU = plan.target == MappingTarget::CPU;
  bool hasThreads = llvm::any_of(
      plan.outputs, [](const AxisPlan &output) { return output.thread != 1; });
  for (RangeOp range : kernel.getBodyBlock().getOps<RangeOp>()) {
    AxisAttr axis = range.getAxis();
    bool isThread = axis.getKind() == AxisKind::Thread;
    bool isForOther = axis.isHardware() && isThread != isCPU;
    if (!isForOther && !(isThread && hasThreads))
      continue;
    InFlightDiagnostic diag = refuse();
    if (isForOther)
      diag << "it has a range on axis '" << axis.str() << "', which is for a "
           << (isThread ? "CPU" : "GPU")
           << "; map the other axes for that, too";
    else
      diag << "THREAD is given, but the threads are those of a range on axis "
              "'thread'; make it loop, or leave THREAD out";
    note(diag, range.getLoc(), "the range is defined here");
    return diag;
  }
  return success();
}

LogicalResult Planner::checkContradictions() {
  bool hasNoLocals = llvm::any_of(schedule.getOpts(), [](OptAttr opt) {
    return opt.getKind() == OptKind::NoLocals;
  });
  if (!hasNoLocals)
    return success();
  for (OptAttr opt : schedule.getOpts())
    if (opt.getKind() == OptKind::Local || opt.getKind() == OptKind::Group ||
        opt.getKind() == OptKind::GroupTop || opt.getKind() == OptKind::Warp)
      return refuse() << "NOLOCALS asks for one thread a block, but "
                      << describe(opt)
                      << " asks for several; leave one of them out";
  return success();
}

/// Whether the axis, with all its padding, still has an extent of 64 bits.
static bool overflows(std::optional<int64_t> size, int64_t padTo,
                      ArrayRef<int64_t> amounts) {
  int64_t tile = 1, padding, ignored;
  for (int64_t amount : amounts)
    if (llvm::MulOverflow(tile, amount, tile))
      return true;
  return llvm::AddOverflow(padTo, tile, padding) ||
         llvm::AddOverflow(size.value_or(0), padding, ignored);
}

LogicalResult Planner::checkAmounts() {
  auto refuseSize = [&](StringRef kind, size_t number) {
    return refuse() << "the amounts for " << kind << " axis " << number
                    << " make an extent that exceeds 64 bits; choose smaller "
                       "ones";
  };
  for (auto [number, output] : llvm::enumerate(plan.outputs))
    if (overflows(output.axis.size, output.padTo,
                  {output.local, output.upcast, output.vector, output.thread,
                   output.tile}))
      return refuseSize("output", number);
  for (auto [number, reduce] : llvm::enumerate(plan.reduces))
    if (overflows(reduce.axis.size, reduce.padTo,
                  {reduce.unroll, reduce.group}) ||
        overflows(reduce.axis.size, reduce.padTo,
                  {std::max<int64_t>(reduce.step, 1)}))
      return refuseSize("reduce", number);
  for (auto [number, reduce] : llvm::enumerate(plan.reduces)) {
    int64_t parts = reduce.unroll * reduce.group;
    if (reduce.step % parts != 0)
      return refuse() << "KSTEP " << number << ":" << reduce.step
                      << " is not a multiple of the " << parts
                      << " points that UNROLL and GROUP take at a time; choose "
                      << llvm::divideCeil(reduce.step, parts) * parts;
  }
  return success();
}

FailureOr<MappingPlan> uop::planMapping(KernelOp kernel, ScheduleAttr schedule,
                                        MappingTarget target) {
  return Planner(kernel, schedule, target).make();
}

FailureOr<MappingPlan> uop::tryMapping(KernelOp kernel, ScheduleAttr schedule,
                                       MappingTarget target) {
  // Diagnostics of other threads are none of ours.
  auto thread = std::this_thread::get_id();
  ScopedDiagnosticHandler handler(kernel.getContext(), [&](Diagnostic &) {
    return success(std::this_thread::get_id() == thread);
  });
  return planMapping(kernel, schedule, target);
}

bool uop::canMap(KernelOp kernel, ScheduleAttr schedule, MappingTarget target) {
  return succeeded(tryMapping(kernel, schedule, target));
}
