//===- Mapping.cpp - From opts to a mapped kernel -------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Transforms/Mapping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

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

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

static std::string describe(OptAttr opt) {
  return (stringifyOptKind(opt.getKind()) + " " + Twine(opt.getAxis()) + ":" +
          Twine(opt.getAmount()))
      .str();
}

/// How many axes there are and how they are numbered.
static std::string describeCount(size_t count, StringRef kind) {
  if (count == 0)
    return ("no " + kind + " axes").str();
  if (count == 1)
    return ("one " + kind + " axis, 0").str();
  return (Twine(count) + " " + kind + " axes, 0 to " + Twine(count - 1)).str();
}

/// "0, 1 and 2".
static std::string describeList(ArrayRef<std::string> items) {
  std::string text;
  for (auto [index, item] : llvm::enumerate(items)) {
    if (index != 0)
      text += index + 1 == items.size() ? " and " : ", ";
    text += item;
  }
  return text;
}

namespace {

class Planner {
public:
  Planner(KernelOp kernel, ScheduleAttr schedule)
      : kernel(kernel), schedule(schedule) {
    plan.upcastLayout = schedule.getUpcastLayout();
    for (const ScheduleAxis &axis : getOutputAxes(kernel))
      plan.outputs.push_back({axis, 1, 1, {}, {}});
    for (const ScheduleAxis &axis : getReduceAxes(kernel))
      plan.reduces.push_back({axis, 1});
  }

  FailureOr<MappingPlan> make() {
    for (OptAttr opt : schedule.getOpts())
      if (failed(addOpt(opt)))
        return failure();
    if (failed(checkAmounts()) || failed(assignDimensions()) ||
        failed(checkLimits()))
      return failure();
    return plan;
  }

private:
  InFlightDiagnostic refuse() {
    return emitError(kernel.getLoc())
           << "cannot map @" << kernel.getSymName() << ": ";
  }

  LogicalResult addOpt(OptAttr opt);
  LogicalResult checkAmounts();
  LogicalResult assignDimensions();
  LogicalResult checkLimits();

  KernelOp kernel;
  ScheduleAttr schedule;
  MappingPlan plan;
};

} // namespace

LogicalResult Planner::addOpt(OptAttr opt) {
  bool isReduce = opt.getKind() == OptKind::Unroll;
  if (!isReduce && opt.getKind() != OptKind::Local &&
      opt.getKind() != OptKind::Upcast)
    return refuse() << "the opt " << stringifyOptKind(opt.getKind())
                    << " is not supported yet; LOCAL, UPCAST and UNROLL are";

  StringRef kind = isReduce ? "reduce" : "output";
  size_t count = isReduce ? plan.reduces.size() : plan.outputs.size();
  if (opt.getAxis() < 0 || size_t(opt.getAxis()) >= count)
    return refuse() << describe(opt) << " names " << kind << " axis "
                    << opt.getAxis() << ", but the kernel has "
                    << describeCount(count, kind);
  if (opt.getAmount() < 1)
    return refuse() << describe(opt) << " has an amount of " << opt.getAmount()
                    << ": expected at least 1";

  ScheduleAxis axis = isReduce ? plan.reduces[opt.getAxis()].axis
                               : plan.outputs[opt.getAxis()].axis;
  int64_t &amount = isReduce ? plan.reduces[opt.getAxis()].unroll
                    : opt.getKind() == OptKind::Local
                        ? plan.outputs[opt.getAxis()].local
                        : plan.outputs[opt.getAxis()].upcast;
  if (amount != 1)
    return refuse() << stringifyOptKind(opt.getKind()) << " is given twice for "
                    << kind << " axis " << opt.getAxis() << ", " << amount
                    << " and " << opt.getAmount()
                    << "; give the amount that you mean once";
  if (opt.getAmount() == 1)
    return success();
  if (!axis.size) {
    InFlightDiagnostic diag =
        refuse() << describe(opt) << " needs a static extent, but " << kind
                 << " axis " << opt.getAxis()
                 << " is dynamic; padding and guards are not supported yet: "
                    "make the size part of the type";
    if (axis.range)
      diag.attachNote(axis.range.getLoc()) << "the axis is defined here";
    return diag;
  }
  AxisKind expected = isReduce ? AxisKind::Reduce : AxisKind::Loop;
  if (axis.range && axis.range.getAxis().getKind() != expected) {
    InFlightDiagnostic diag =
        refuse() << describe(opt) << " expects " << kind << " axis "
                 << opt.getAxis() << " to be '" << stringifyAxisKind(expected)
                 << "', but it is already '" << axis.range.getAxis().str()
                 << "'";
    diag.attachNote(axis.range.getLoc()) << "the axis is defined here";
    return diag;
  }
  amount = opt.getAmount();
  return success();
}

LogicalResult Planner::checkAmounts() {
  for (auto [number, output] : llvm::enumerate(plan.outputs)) {
    int64_t product;
    bool overflows =
        llvm::MulOverflow(output.local, output.upcast, product) != 0;
    if (product == 1 && !overflows)
      continue;
    int64_t size = *output.axis.size;
    if (!overflows && size % product == 0)
      continue;
    InFlightDiagnostic diag = refuse()
                              << "output axis " << number << " of size " << size
                              << " does not split into ";
    if (output.local != 1 && output.upcast != 1)
      diag << "local " << output.local << " times upcast " << output.upcast;
    else if (output.local != 1)
      diag << "local " << output.local;
    else
      diag << "upcast " << output.upcast;
    diag << "; padding and guards are not supported yet: choose ";
    if (output.local != 1 && output.upcast != 1)
      diag << "amounts with a product that divides " << size << ", such as ";
    else
      diag << "a divisor of " << size << ", such as ";
    diag << describeNearestDivisors(size, overflows ? size : product);
    return diag;
  }
  for (auto [number, reduce] : llvm::enumerate(plan.reduces)) {
    if (reduce.unroll == 1 || *reduce.axis.size % reduce.unroll == 0)
      continue;
    return refuse() << "reduce axis " << number << " of size "
                    << *reduce.axis.size << " does not split into unroll "
                    << reduce.unroll
                    << "; padding is not supported yet: choose a divisor of "
                    << *reduce.axis.size << ", such as "
                    << describeNearestDivisors(*reduce.axis.size,
                                               reduce.unroll);
  }
  return success();
}

LogicalResult Planner::assignDimensions() {
  // What is mapped by hand keeps its dimension.
  std::array<bool, 3> usesBlock = {}, usesThread = {};
  for (RangeOp range : kernel.getBodyBlock().getOps<RangeOp>()) {
    if (range.getAxis().isBlockIndex())
      usesBlock[unsigned(*range.getAxis().getDimension())] = true;
    if (range.getAxis().isThreadIndex())
      usesThread[unsigned(range.getAxis().getThreadDimension())] = true;
  }
  SmallVector<size_t> withBlocks, withThreads, withEither;
  for (auto [number, output] : llvm::enumerate(plan.outputs)) {
    if (!output.isOpen())
      continue;
    if (output.hasBlocks())
      withBlocks.push_back(number);
    if (output.local != 1)
      withThreads.push_back(number);
    if (output.hasBlocks() || output.local != 1)
      withEither.push_back(number);
  }
  auto listFree = [](ArrayRef<bool> uses) {
    SmallVector<Dimension> dimensions;
    for (unsigned dimension = 0; dimension < 3; ++dimension)
      if (!uses[dimension])
        dimensions.push_back(Dimension(dimension));
    return dimensions;
  };

  // An axis has one dimension for its blocks and its threads, which is easiest
  // to read; where that does not do they have dimensions of their own.
  SmallVector<Dimension> blocks = listFree(usesBlock),
                         threads = listFree(usesThread);
  bool isShared =
      blocks.size() == 3 && threads.size() == 3 && withEither.size() <= 3;
  auto refuseDimensions = [&](StringRef what, StringRef where,
                              ArrayRef<size_t> axes, size_t available) {
    SmallVector<std::string> numbers, sizes;
    for (size_t number : axes) {
      std::optional<int64_t> size = plan.outputs[number].axis.size;
      numbers.push_back(std::to_string(number));
      sizes.push_back(size ? std::to_string(*size) : "?");
    }
    bool isOne = axes.size() == 1;
    return refuse() << "output " << (isOne ? "axis " : "axes ")
                    << describeList(numbers) << " of "
                    << (isOne ? "size " : "sizes ") << describeList(sizes)
                    << (isOne ? " needs " : " need ") << what << ", but "
                    << where << " has " << available
                    << (available == 3 ? "" : " free")
                    << (available == 1 ? " dimension" : " dimensions")
                    << "; folding axes is not supported yet: collapse axes by "
                       "hand";
  };
  if (withBlocks.size() > blocks.size())
    return refuseDimensions("blocks", "a grid", withBlocks, blocks.size());
  if (withThreads.size() > threads.size())
    return refuseDimensions("threads", "a block", withThreads, threads.size());
  auto assign = [&](ArrayRef<size_t> axes, ArrayRef<Dimension> dimensions,
                    std::optional<Dimension> AxisPlan::*member) {
    for (auto [number, dimension] : llvm::zip(llvm::reverse(axes), dimensions))
      plan.outputs[number].*member = dimension;
  };
  assign(isShared ? withEither : withBlocks, blocks, &AxisPlan::blockDimension);
  assign(isShared ? withEither : withThreads, threads,
         &AxisPlan::threadDimension);
  for (AxisPlan &output : plan.outputs) {
    if (!output.hasBlocks())
      output.blockDimension.reset();
    if (output.local == 1)
      output.threadDimension.reset();
  }
  return success();
}

LogicalResult Planner::checkLimits() {
  int64_t threads = 1;
  bool isTooMany = false;
  SmallVector<size_t> withThreads;
  for (auto [number, output] : llvm::enumerate(plan.outputs)) {
    if (output.threadDimension) {
      withThreads.push_back(number);
      isTooMany |= llvm::MulOverflow(threads, output.local, threads) != 0 ||
                   threads > kMaxThreadsPerBlock;
    }
  }
  if (isTooMany) {
    InFlightDiagnostic diag = refuse() << "a block of ";
    llvm::interleave(
        withThreads, [&](size_t axis) { diag << plan.outputs[axis].local; },
        [&] { diag << " * "; });
    return diag << " threads exceeds the limit of " << kMaxThreadsPerBlock
                << "; give output axis " << withThreads.front()
                << " less local, and more upcast if each thread is to do more";
  }
  for (auto [number, output] : llvm::enumerate(plan.outputs)) {
    if (output.threadDimension) {
      unsigned dimension = unsigned(*output.threadDimension);
      if (output.local > kMaxBlockSize[dimension])
        return refuse() << "output axis " << number << " needs " << output.local
                        << " threads along "
                        << stringifyDimension(*output.threadDimension)
                        << ", but a block has at most "
                        << kMaxBlockSize[dimension]
                        << " there; give the axis less local";
    }
    std::optional<int64_t> blocks = output.getNumBlocks();
    if (!output.blockDimension || !blocks)
      continue;
    int64_t limit = kMaxGridSize[unsigned(*output.blockDimension)];
    if (*blocks > limit)
      return refuse() << "output axis " << number << " of size "
                      << *output.axis.size << " needs " << *blocks
                      << " blocks along "
                      << stringifyDimension(*output.blockDimension)
                      << ", but a grid has at most " << limit
                      << " there; folding axes is not supported yet: give the "
                         "axis more local or upcast, or collapse axes by hand";
  }
  return success();
}

FailureOr<MappingPlan> uop::planMapping(KernelOp kernel,
                                        ScheduleAttr schedule) {
  return Planner(kernel, schedule).make();
}

//===----------------------------------------------------------------------===//
// Carrying out a plan
//===----------------------------------------------------------------------===//

/// Splits an output axis and maps what it is split into.
static LogicalResult mapOutput(RewriterBase &rewriter, const AxisPlan &output,
                               UpcastLayout layout) {
  MLIRContext *context = rewriter.getContext();
  RangeOp rest = output.axis.range;
  if (!output.isOpen())
    return success();
  // Off the inner end: what is split off first is innermost.
  auto splitOff = [&](int64_t amount, AxisAttr axis) -> LogicalResult {
    if (!rest || amount == 1)
      return success();
    FailureOr<SplitRanges> parts =
        splitRange(rewriter, rest, amount, axis, SplitPosition::Inner);
    if (failed(parts))
      return failure();
    rest = parts->outer;
    return success();
  };
  AxisAttr local = AxisAttr::get(context, AxisKind::Local,
                                 output.threadDimension.value_or(Dimension::X));
  AxisAttr upcast = AxisAttr::get(context, AxisKind::Upcast);
  bool isLocalInside = layout == UpcastLayout::GPU;
  if ((isLocalInside && failed(splitOff(output.local, local))) ||
      failed(splitOff(output.upcast, upcast)) ||
      (!isLocalInside && failed(splitOff(output.local, local))))
    return failure();
  if (!rest)
    return success();
  if (output.blockDimension)
    return setAxis(
        rewriter, rest,
        AxisAttr::get(context, AxisKind::Global, *output.blockDimension));
  // A single block has no block index.
  rewriter.setInsertionPoint(rest);
  Value zero = arith::ConstantIndexOp::create(rewriter, rest.getLoc(), 0);
  substituteRange(rewriter, rest, zero, zero);
  return success();
}

LogicalResult uop::applySchedule(RewriterBase &rewriter, KernelOp kernel,
                                 ScheduleAttr schedule) {
  FailureOr<MappingPlan> plan = planMapping(kernel, schedule);
  if (failed(plan))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  for (const AxisPlan &output : plan->outputs)
    if (failed(mapOutput(rewriter, output, plan->upcastLayout)))
      return failure();
  AxisAttr unroll = AxisAttr::get(rewriter.getContext(), AxisKind::Unroll);
  for (const ReducePlan &reduce : plan->reduces)
    if (reduce.unroll != 1 &&
        failed(splitRange(rewriter, reduce.axis.range, reduce.unroll, unroll,
                          SplitPosition::Inner)))
      return failure();
  rewriter.modifyOpInPlace(kernel, [&] { kernel.setScheduleAttr(schedule); });
  return success();
}

//===----------------------------------------------------------------------===//
// Filling the machine
//===----------------------------------------------------------------------===//

FailureOr<ScheduleAttr> uop::fillMachine(KernelOp kernel, ScheduleAttr schedule,
                                         int64_t minBlocks, ExplainFn explain) {
  FailureOr<MappingPlan> plan = planMapping(kernel, schedule);
  if (failed(plan))
    return failure();
  for (auto [number, output] : llvm::enumerate(plan->outputs))
    if (!output.getNumBlocks())
      return emitError(kernel.getLoc())
             << "cannot map @" << kernel.getSymName()
             << ": a minimum number of blocks needs static extents, but output "
                "axis "
             << number << " is dynamic";
  // More than 64 bits hold is enough for any minimum.
  auto isFilled = [&] {
    std::optional<int64_t> blocks = plan->getNumBlocks();
    return !blocks || *blocks >= minBlocks;
  };
  auto describeBlocks = [&] {
    return std::to_string(plan->getNumBlocks().value_or(0)) + " of " +
           std::to_string(minBlocks) + " blocks";
  };
  for (auto [number, output] : llvm::enumerate(plan->outputs)) {
    if (isFilled())
      break;
    if (output.upcast == 1)
      continue;
    explain("gives up upcast " + Twine(output.upcast) + " of output axis " +
            Twine(number) + ": the grid has " + describeBlocks());
    output.upcast = 1;
  }
  while (!isFilled()) {
    auto *largest = llvm::max_element(
        plan->outputs,
        [](const AxisPlan &a, const AxisPlan &b) { return a.local < b.local; });
    if (largest == plan->outputs.end() || largest->local == 1) {
      explain("has nothing left to give up: the grid has " + describeBlocks());
      break;
    }
    int64_t local = largest->local % 2 == 0 ? largest->local / 2 : 1;
    explain("reduces local " + Twine(largest->local) + " of output axis " +
            Twine(largest - plan->outputs.begin()) + " to " + Twine(local) +
            ": the grid has " + describeBlocks());
    largest->local = local;
  }

  SmallVector<OptAttr> opts;
  for (OptAttr opt : schedule.getOpts()) {
    int64_t amount = opt.getAmount();
    if (opt.getKind() == OptKind::Local)
      amount = plan->outputs[opt.getAxis()].local;
    if (opt.getKind() == OptKind::Upcast)
      amount = plan->outputs[opt.getAxis()].upcast;
    if (amount != 1)
      opts.push_back(OptAttr::get(kernel.getContext(), opt.getKind(),
                                  opt.getAxis(), amount));
  }
  return ScheduleAttr::get(kernel.getContext(), opts,
                           schedule.getUpcastLayout());
}
