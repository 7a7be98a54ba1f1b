//===- SplitKernel.cpp - A reduction in two kernels -----------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both kernels are copies of the original one. In the first, the outer part of
// the split axis is an output axis instead of one that reductions close, and
// partial results are all that is stored. In the second, a reduction over the
// partial results stands in the place of the original one.
//
//===----------------------------------------------------------------------===//

#include "MappingPlan.h"
#include "Uop/Analysis/LaunchShape.h"
#include "Uop/Transforms/Schedule.h"
#include "Uop/Transforms/SplitReductions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace uop;

namespace {

class KernelSplitter {
public:
  KernelSplitter(RewriterBase &rewriter, KernelOp kernel, int64_t axis,
                 int64_t parts, ScheduleAttr schedule)
      : rewriter(rewriter), kernel(kernel), axis(axis), parts(parts),
        schedule(schedule) {}

  FailureOr<SplitKernels> split();

private:
  /// A result of a reduction that is divided: the ranges in which it is free,
  /// in order of definition.
  struct Partial {
    OpResult result;
    SmallVector<RangeOp> ranges;
  };

  InFlightDiagnostic refuse() {
    return emitError(kernel.getLoc())
           << "cannot split a reduction of @" << kernel.getSymName() << ": ";
  }
  LogicalResult findReductions();
  LogicalResult findPartials();
  FailureOr<ScheduleAttr> mapSchedule(const IRMapping &mapping);

  KernelOp copyKernel(StringRef suffix, IRMapping &mapping);
  BlockArgument addWorkspace(KernelOp copy, const Partial &partial);
  LogicalResult makePartial();
  void makeCombine();

  RewriterBase &rewriter;
  KernelOp kernel;
  int64_t axis, parts;
  ScheduleAttr schedule;
  /// The axis, and the reductions that close it; of these, none depends on
  /// another one (the verifier: one range, one loop).
  RangeOp range;
  SmallVector<ReduceOp> reductions;
  SmallVector<Partial> partials;
  SplitKernels made;
};

} // namespace

//===----------------------------------------------------------------------===//
// What is divided
//===----------------------------------------------------------------------===//

LogicalResult KernelSplitter::findReductions() {
  if (!isa_and_nonnull<ModuleOp>(kernel->getParentOp()))
    return refuse() << "expected it directly in a module";
  if (isAlreadyMapped(kernel))
    return refuse() << "it is mapped already; split it before";
  SmallVector<ScheduleAxis> axes = getReduceAxes(kernel);
  if (axis < 0 || size_t(axis) >= axes.size())
    return refuse() << "SPLITK " << axis << ":" << parts
                    << " names reduce axis " << axis << ", but the kernel has "
                    << axes.size()
                    << (axes.size() == 1 ? " reduce axis" : " reduce axes");
  range = axes[axis].range;
  if (!axes[axis].isKind(AxisKind::Reduce))
    return refuse() << "expected reduce axis " << axis
                    << " to be 'reduce', but it is already '"
                    << range.getAxis().str() << "'";
  std::optional<int64_t> size = axes[axis].size;
  if (parts < 2 || (size && parts > *size))
    return refuse() << "expected 2 parts or more, and no more than the axis "
                       "has points"
                    << (size ? ", " + std::to_string(*size) : std::string())
                    << "; but got " << parts;
  for (Operation &op : kernel.getBodyBlock()) {
    if (auto stage = dyn_cast<StageOp>(op))
      return refuse() << "it has tiles of its own (uop.stage); split it by "
                         "hand, or leave the tiles to --uop-place-shared";
    if (auto reduce = dyn_cast<ReduceOp>(op))
      if (llvm::is_contained(reduce.getOver(), range.getResult()))
        reductions.push_back(reduce);
  }
  for (ReduceOp reduce : reductions) {
    if (!reduce.isGeneral() || getRanges(reduce.getOver()).front() == range)
      continue;
    InFlightDiagnostic diag =
        refuse() << "a combiner takes the points in their order, and reduce "
                    "axis "
                 << axis << " is not the outermost of its axes; split the "
                 << "outermost one";
    diag.attachNote(reduce.getLoc()) << "the combiner is here";
    return diag;
  }
  return success();
}

LogicalResult KernelSplitter::findPartials() {
  FreeRanges freeRanges;
  for (ReduceOp reduce : reductions)
    for (OpResult result : reduce.getResults()) {
      Partial &partial = partials.emplace_back();
      partial.result = result;
      llvm::append_range(partial.ranges, freeRanges.of(result));
      llvm::sort(partial.ranges,
                 [](RangeOp a, RangeOp b) { return a->isBeforeInBlock(b); });
      SmallVector<int64_t> shape{parts};
      for (RangeOp free : partial.ranges) {
        std::optional<int64_t> extent = getStaticExtent(free);
        if (!extent) {
          InFlightDiagnostic diag =
              refuse() << "expected static extents of the axes along which "
                          "its results vary, which is the size of the "
                          "workspace; but one is dynamic";
          diag.attachNote(free.getLoc()) << "the axis is defined here";
          return diag;
        }
        shape.push_back(*extent);
      }
      int64_t elements = getStoredBytes(result.getType());
      for (int64_t extent : shape)
        if (llvm::MulOverflow(elements, extent, elements))
          return refuse() << "its workspace would have more bytes than 64 "
                             "bits hold; choose fewer parts";
      made.workspaces.push_back(MemRefType::get(shape, result.getType()));
    }
  return success();
}

//===----------------------------------------------------------------------===//
// Copies of the kernel
//===----------------------------------------------------------------------===//

KernelOp KernelSplitter::copyKernel(StringRef suffix, IRMapping &mapping) {
  auto copy = cast<KernelOp>(kernel->clone(mapping));
  copy.setSymName((kernel.getSymName() + suffix).str());
  copy.removeScheduleAttr();
  // Gives it another name where this one is taken.
  SymbolTable(kernel->getParentOp()).insert(copy, Block::iterator(kernel));
  SymbolTable::setSymbolVisibility(copy, SymbolTable::Visibility::Private);
  return copy;
}

BlockArgument KernelSplitter::addWorkspace(KernelOp copy,
                                           const Partial &partial) {
  unsigned number = copy.getNumArguments();
  size_t index = &partial - partials.begin();
  (void)copy.insertArgument(number, made.workspaces[index],
                            rewriter.getDictionaryAttr({}),
                            partial.result.getLoc());
  return copy.getArgument(number);
}

/// Erases what the given ops do not need from a copy of a kernel, and forgets
/// of what it is a copy.
static void keepOnly(KernelOp kernel, IRMapping &mapping,
                     function_ref<bool(Operation *)> isKept) {
  for (Operation &original : llvm::reverse(kernel.getBodyBlock())) {
    auto *op = mapping.lookup<Operation *>(&original);
    if (isKept(op) || !op->use_empty())
      continue;
    mapping.erase(&original);
    op->erase();
  }
}

/// Drops the arguments without uses; returns the numbers of those of the
/// original kernel that are left.
static SmallVector<unsigned> dropArguments(KernelOp kernel, size_t original) {
  SmallVector<unsigned> kept;
  llvm::BitVector unused(kernel.getNumArguments());
  for (unsigned number = 0; number < original; ++number)
    if (kernel.getArgument(number).use_empty())
      unused.set(number);
    else
      kept.push_back(number);
  (void)kernel.eraseArguments(unused);
  return kept;
}

LogicalResult KernelSplitter::makePartial() {
  IRMapping mapping;
  KernelOp copy = copyKernel("_partial", mapping);
  made.partial = copy;
  llvm::SmallPtrSet<Operation *, 4> targets;
  int64_t elementBytes = 1;
  for (ReduceOp reduce : reductions)
    targets.insert(mapping.lookup<Operation *>(reduce));
  keepOnly(kernel, mapping,
           [&](Operation *op) { return targets.contains(op); });
  for (auto load : copy.getBodyBlock().getOps<LoadOp>())
    elementBytes = std::max(elementBytes, getStoredBytes(load.getType()));

  // Parts begin at sectors, unless they are so short that this would leave
  // much of the last one empty.
  auto split = cast<RangeOp>(mapping.lookup<Operation *>(range));
  int64_t sector = std::max<int64_t>(kStepBytes / elementBytes, 1);
  std::optional<int64_t> size = getStaticExtent(split);
  int64_t multiple;
  if ((size && *size / parts < 4 * sector) ||
      llvm::MulOverflow(parts, sector, multiple))
    multiple = parts;
  rewriter.setInsertionPoint(split);
  if (failed(padRange(rewriter, split, multiple)))
    return failure();
  auto reduceAxis = AxisAttr::get(rewriter.getContext(), AxisKind::Reduce);
  auto loopAxis = AxisAttr::get(rewriter.getContext(), AxisKind::Loop);
  FailureOr<SplitRanges> ranges =
      splitRange(rewriter, split, parts, reduceAxis, SplitPosition::Outer);
  if (failed(ranges))
    return failure();
  RangeOp part = ranges->outer;
  for (ReduceOp original : reductions) {
    auto reduce = cast<ReduceOp>(mapping.lookup<Operation *>(original));
    SmallVector<Value> over;
    for (Value value : reduce.getOver())
      if (value != part.getResult())
        over.push_back(value);
    if (over.empty()) {
      // A range of one point.
      rewriter.setInsertionPoint(reduce);
      over.push_back(
          arith::ConstantIndexOp::create(rewriter, reduce.getLoc(), 0));
    }
    reduce.getOverMutable().assign(over);
  }
  // The first axis of the workspace, and the first of the kernel.
  if (failed(setAxis(rewriter, part, loopAxis)))
    return failure();
  part->moveBefore(&copy.getBodyBlock(), copy.getBodyBlock().begin());
  rewriter.setInsertionPointToEnd(&copy.getBodyBlock());
  for (Partial &partial : partials) {
    SmallVector<Value> domain{part};
    for (RangeOp free : partial.ranges) {
      auto own = cast<RangeOp>(mapping.lookup<Operation *>(free));
      // What closes it comes after the partial results.
      if (own.getAxis().getKind() == AxisKind::Reduce &&
          failed(setAxis(rewriter, own, loopAxis)))
        return failure();
      domain.push_back(own);
    }
    StoreOp::create(rewriter, partial.result.getLoc(),
                    mapping.lookup<Value>(partial.result),
                    addWorkspace(copy, partial), domain, domain,
                    /*mask=*/Value(), vector::CombiningKindAttr(),
                    /*unique=*/false);
  }
  if (schedule) {
    if (ranges->inner)
      mapping.map(range.getOperation(), ranges->inner.getOperation());
    FailureOr<ScheduleAttr> left = mapSchedule(mapping);
    if (failed(left))
      return failure();
    if (*left)
      copy.setScheduleAttr(*left);
  }
  made.partialArguments = dropArguments(copy, kernel.getNumArguments());
  return success();
}

void KernelSplitter::makeCombine() {
  IRMapping mapping;
  KernelOp copy = copyKernel("_combine", mapping);
  made.combine = copy;
  auto reduceAxis = AxisAttr::get(rewriter.getContext(), AxisKind::Reduce);
  RangeOp part;
  size_t next = 0;
  for (ReduceOp original : reductions) {
    auto reduce = cast<ReduceOp>(mapping.lookup<Operation *>(original));
    rewriter.setInsertionPoint(reduce);
    if (!part) {
      // Before all that it is needed for, of the other reductions as well.
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(&copy.getBodyBlock());
      part = RangeOp::create(rewriter, range.getLoc(), reduceAxis, parts);
    }
    SmallVector<Value> loads;
    for (size_t result = 0; result < original.getNumResults(); ++result) {
      const Partial &partial = partials[next++];
      SmallVector<Value> indices{part};
      for (RangeOp free : partial.ranges)
        indices.push_back(mapping.lookup(free.getResult()));
      loads.push_back(LoadOp::create(rewriter, reduce.getLoc(),
                                     addWorkspace(copy, partial), indices));
    }
    reduce.getInputsMutable().assign(loads);
    reduce.getOverMutable().assign(part.getResult());
    reduce.getMaskMutable().clear();
  }
  keepOnly(kernel, mapping, [](Operation *op) { return isa<StoreOp>(op); });
  made.combineArguments = dropArguments(copy, kernel.getNumArguments());
}

//===----------------------------------------------------------------------===//
// What is left of the schedule
//===----------------------------------------------------------------------===//

FailureOr<ScheduleAttr> KernelSplitter::mapSchedule(const IRMapping &mapping) {
  KernelOp copy = made.partial;
  SmallVector<ScheduleAxis> outputs = getOutputAxes(kernel);
  SmallVector<ScheduleAxis> reduces = getReduceAxes(kernel);
  SmallVector<ScheduleAxis> newOutputs = getOutputAxes(copy);
  SmallVector<ScheduleAxis> newReduces = getReduceAxes(copy);
  auto find = [&](ArrayRef<ScheduleAxis> axes, int64_t number,
                  ArrayRef<ScheduleAxis> newAxes) -> std::optional<int64_t> {
    if (number < 0 || size_t(number) >= axes.size() || !axes[number].range)
      return std::nullopt;
    Operation *own = mapping.lookupOrNull<Operation *>(axes[number].range);
    auto *it = llvm::find_if(newAxes, [&](ScheduleAxis axis) {
      return own && axis.range.getOperation() == own;
    });
    if (it == newAxes.end())
      return std::nullopt;
    return it - newAxes.begin();
  };
  auto findLoad = [&](int64_t number) -> std::optional<int64_t> {
    SmallVector<LoadOp> loads(kernel.getBodyBlock().getOps<LoadOp>());
    if (number < 0 || size_t(number) >= loads.size())
      return std::nullopt;
    Operation *own = mapping.lookupOrNull<Operation *>(loads[number]);
    for (auto [position, load] :
         llvm::enumerate(copy.getBodyBlock().getOps<LoadOp>()))
      if (load.getOperation() == own)
        return position;
    return std::nullopt;
  };

  SmallVector<OptAttr> opts;
  for (OptAttr opt : schedule.getOpts()) {
    int64_t number = opt.getAxis(), amount = opt.getAmount();
    std::optional<int64_t> found;
    switch (opt.getKind()) {
    case OptKind::SplitK:
      continue;
    case OptKind::NoLocals:
    case OptKind::TensorCore:
      found = number;
      break;
    case OptKind::Merge:
      break;
    case OptKind::Swap:
      found = find(outputs, number, newOutputs);
      if (std::optional<int64_t> other = find(outputs, amount, newOutputs))
        amount = *other;
      else
        found = std::nullopt;
      break;
    case OptKind::Stage:
      found = findLoad(number);
      break;
    case OptKind::Unroll:
    case OptKind::Group:
    case OptKind::GroupTop:
    case OptKind::KStep:
      found = find(reduces, number, newReduces);
      break;
    case OptKind::PadTo:
      if (number >= int64_t(outputs.size())) {
        found = find(reduces, number - outputs.size(), newReduces);
        if (found)
          *found += newOutputs.size();
        break;
      }
      [[fallthrough]];
    case OptKind::Local:
    case OptKind::Upcast:
    case OptKind::Vectorize:
    case OptKind::Warp:
    case OptKind::Thread:
    case OptKind::Tile:
      found = find(outputs, number, newOutputs);
      break;
    }
    if (!found)
      return refuse() << stringifyOptKind(opt.getKind()) << " " << number << ":"
                      << opt.getAmount()
                      << " names what the partial results do not have; leave "
                         "it out, or split first and map the two kernels";
    opts.push_back(
        OptAttr::get(rewriter.getContext(), opt.getKind(), *found, amount));
  }
  if (opts.empty())
    return ScheduleAttr();
  return ScheduleAttr::get(rewriter.getContext(), opts,
                           schedule.getUpcastLayout());
}

FailureOr<SplitKernels> KernelSplitter::split() {
  OpBuilder::InsertionGuard guard(rewriter);
  if (failed(findReductions()) || failed(findPartials()))
    return failure();
  if (failed(makePartial())) {
    made.partial.erase();
    return failure();
  }
  makeCombine();
  return std::move(made);
}

FailureOr<SplitKernels> uop::splitReduction(RewriterBase &rewriter,
                                            KernelOp kernel, int64_t axis,
                                            int64_t parts,
                                            ScheduleAttr schedule) {
  return KernelSplitter(rewriter, kernel, axis, parts, schedule).split();
}
