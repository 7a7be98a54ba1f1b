//===- KernelOps.cpp - Transform ops on kernels and loads -----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// These call what Mapping.h has on top of the primitives: plans of whole lists
// of opts, and the planner of tiles.
//
//===----------------------------------------------------------------------===//

#include "Payload.h"
#include "Uop/Transforms/GPUMapping.h"
#include "Uop/Transforms/Simplify.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace uop;
using namespace uop::transform_ops;

using MemoryEffectList = SmallVectorImpl<MemoryEffects::EffectInstance>;

//===----------------------------------------------------------------------===//
// GetAxesOp, AxisOp, GetLoadsOp
//===----------------------------------------------------------------------===//

static void appendRanges(ArrayRef<ScheduleAxis> axes,
                         SmallVectorImpl<Operation *> &ranges) {
  for (const ScheduleAxis &axis : axes)
    if (axis.range)
      ranges.push_back(axis.range);
}

DiagnosedSilenceableFailure
GetAxesOp::apply(transform::TransformRewriter &rewriter,
                 transform::TransformResults &results,
                 transform::TransformState &state) {
  SmallVector<Operation *> kernels, outputs, reduces;
  if (DiagnosedSilenceableFailure result =
          getPayload<KernelOp>(*this, getTarget(), state, kernels);
      !result.succeeded())
    return result;
  for (Operation *kernel : kernels) {
    appendRanges(getOutputAxes(cast<KernelOp>(kernel)), outputs);
    appendRanges(getReduceAxes(cast<KernelOp>(kernel)), reduces);
  }
  results.set(cast<OpResult>(getOutputs()), outputs);
  results.set(cast<OpResult>(getReduces()), reduces);
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure
AxisOp::apply(transform::TransformRewriter &rewriter,
              transform::TransformResults &results,
              transform::TransformState &state) {
  SmallVector<Operation *> kernels, ranges;
  if (DiagnosedSilenceableFailure result =
          getPayload<KernelOp>(*this, getTarget(), state, kernels);
      !result.succeeded())
    return result;
  StringRef kind = getReduce() ? "reduce" : "output";
  for (Operation *op : kernels) {
    auto kernel = cast<KernelOp>(op);
    SmallVector<ScheduleAxis> axes =
        getReduce() ? getReduceAxes(kernel) : getOutputAxes(kernel);
    if (getNumber() >= axes.size()) {
      DiagnosedSilenceableFailure diag = emitSilenceableError(
          "expected an axis of @" + kernel.getSymName() + ", which has " +
          describeAxisCount(axes.size(), kind) + ", but got " + kind +
          " axis " + Twine(getNumber()));
      diag.attachNote(kernel.getLoc()) << "the kernel is here";
      return diag;
    }
    appendRanges(axes[getNumber()], ranges);
  }
  results.set(cast<OpResult>(getRange()), ranges);
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure
GetLoadsOp::apply(transform::TransformRewriter &rewriter,
                  transform::TransformResults &results,
                  transform::TransformState &state) {
  SmallVector<Operation *> kernels, loads;
  if (DiagnosedSilenceableFailure result =
          getPayload<KernelOp>(*this, getTarget(), state, kernels);
      !result.succeeded())
    return result;
  for (Operation *op : kernels) {
    auto kernel = cast<KernelOp>(op);
    Block &body = kernel.getBodyBlock();
    std::optional<uint64_t> number = getArgument();
    if (number && *number >= body.getNumArguments()) {
      DiagnosedSilenceableFailure diag = emitSilenceableError(
          "expected an argument of @" + kernel.getSymName() + ", which has " +
          Twine(body.getNumArguments()) + ", counted from 0, but got " +
          Twine(*number));
      diag.attachNote(op->getLoc()) << "the kernel is here";
      return diag;
    }
    for (auto load : body.getOps<LoadOp>())
      if (!number || load.getSource() == body.getArgument(*number))
        loads.push_back(load);
  }
  results.set(cast<OpResult>(getLoads()), loads);
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// StageOp
//===----------------------------------------------------------------------===//

LogicalResult transform_ops::StageOp::verify() {
  if (!getStepped() && (getStep() || getStaticStepAttr()))
    return emitOpError("expected ranges to take steps of");
  if (getStepped() && bool(getStep()) == bool(getStaticStepAttr()))
    return emitOpError("expected either a fixed step or a parameter");
  return success();
}

void transform_ops::StageOp::getEffects(MemoryEffectList &effects) {
  transform::consumesHandle(getTargetMutable(), effects);
  transform::consumesHandle(getSteppedMutable(), effects);
  transform::onlyReadsHandle(getStepMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::modifiesPayload(effects);
}

/// The opts that stage the loads and step the ranges of kernels, by kernel.
static FailureOr<llvm::MapVector<Operation *, SmallVector<OptAttr>>>
makeStageOpts(ArrayRef<Operation *> payload, size_t numLoads, int64_t buffers,
              ArrayRef<int64_t> steps) {
  llvm::MapVector<Operation *, SmallVector<OptAttr>> opts;
  for (size_t number = 0; number < payload.size(); ++number) {
    Operation *op = payload[number];
    KernelOp kernel = getKernel(op);
    bool isLoad = number < numLoads;
    int64_t place = 0;
    if (isLoad) {
      for (auto load : kernel.getBodyBlock().getOps<LoadOp>()) {
        if (load == op)
          break;
        ++place;
      }
    } else {
      SmallVector<ScheduleAxis> axes = getReduceAxes(kernel);
      auto *it = llvm::find_if(
          axes, [&](const ScheduleAxis &axis) { return axis.range == op; });
      if (it == axes.end())
        return emitError(op->getLoc())
               << "expected a range that a reduction closes to take steps of";
      place = it - axes.begin();
    }
    opts[kernel].push_back(
        OptAttr::get(op->getContext(), isLoad ? OptKind::Stage : OptKind::KStep,
                     place, isLoad ? buffers : steps[number - numLoads]));
  }
  return opts;
}

DiagnosedSilenceableFailure
transform_ops::StageOp::apply(transform::TransformRewriter &rewriter,
                              transform::TransformResults &results,
                              transform::TransformState &state) {
  SmallVector<Operation *> payload;
  if (DiagnosedSilenceableFailure result =
          getPayload<LoadOp>(*this, getTarget(), state, payload);
      !result.succeeded())
    return result;
  size_t numLoads = payload.size();
  SmallVector<int64_t> steps;
  if (getStepped()) {
    DiagnosedSilenceableFailure result =
        getPayload<RangeOp>(*this, getStepped(), state, payload);
    if (result.succeeded())
      result = getAmounts(*this, getStep(), getStaticStep(),
                          payload.size() - numLoads, state, steps);
    if (!result.succeeded())
      return result;
  }
  SmallVector<Operation *> stages;
  SplitParts steppedParts;
  auto change = [&](RewriterBase &rewriter, ArrayRef<Operation *> ops) {
    stages.clear();
    steppedParts = SplitParts();
    auto opts = makeStageOpts(ops, numLoads, getBuffers(), steps);
    if (failed(opts))
      return failure();
    for (auto &[kernel, list] : *opts) {
      FailureOr<MappedStages> made =
          stageMapped(rewriter, cast<KernelOp>(kernel), list);
      if (failed(made))
        return failure();
      llvm::append_range(stages, made->stages);
      for (const SplitRanges &parts : made->steps)
        steppedParts.add(parts);
    }
    return success();
  };
  DiagnosedSilenceableFailure result =
      changeOrRefuse(*this, rewriter, payload, change);
  if (!result.succeeded())
    return result;
  results.set(cast<OpResult>(getStages()), stages);
  results.set(cast<OpResult>(getOuter()), steppedParts.outer);
  results.set(cast<OpResult>(getInner()), steppedParts.inner);
  return result;
}

//===----------------------------------------------------------------------===//
// ApplyScheduleOp
//===----------------------------------------------------------------------===//

void ApplyScheduleOp::getEffects(MemoryEffectList &effects) {
  transform::consumesHandle(getTargetMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::modifiesPayload(effects);
}

/// Changes kernels by `map`, and sets the one result of an op to them.
template <typename OpT>
static DiagnosedSilenceableFailure
mapEach(OpT op, transform::TransformRewriter &rewriter,
        transform::TransformResults &results,
        const transform::TransformState &state, bool remarks,
        function_ref<LogicalResult(RewriterBase &, KernelOp, ExplainFn)> map) {
  SmallVector<Operation *> kernels;
  if (DiagnosedSilenceableFailure result =
          getPayload<KernelOp>(op, op.getTarget(), state, kernels);
      !result.succeeded())
    return result;
  auto change = [&](RewriterBase &rewriter, ArrayRef<Operation *> ops) {
    for (Operation *target : ops) {
      auto kernel = cast<KernelOp>(target);
      foldKnownArguments(kernel);
      auto explain = [&](const Twine &text) {
        if (remarks)
          emitRemark(kernel.getLoc())
              << "@" << kernel.getSymName() << " " << text;
      };
      if (failed(map(rewriter, kernel, explain)))
        return failure();
    }
    return success();
  };
  DiagnosedSilenceableFailure result =
      changeOrRefuse(op, rewriter, kernels, change);
  if (result.succeeded())
    results.set(cast<OpResult>(op.getMapped()), kernels);
  return result;
}

DiagnosedSilenceableFailure
ApplyScheduleOp::apply(transform::TransformRewriter &rewriter,
                       transform::TransformResults &results,
                       transform::TransformState &state) {
  auto target = getForCpu() ? MappingTarget::CPU : MappingTarget::GPU;
  auto map = [&](RewriterBase &rewriter, KernelOp kernel,
                 ExplainFn explain) -> LogicalResult {
    ScheduleAttr schedule =
        getScheduleAttr() ? getScheduleAttr() : kernel.getScheduleAttr();
    if (!schedule)
      return mlir::emitError(kernel.getLoc())
             << "cannot map @" << kernel.getSymName()
             << ": it has no schedule; give the opts to apply";
    if (!isAlreadyMapped(kernel))
      return applySchedule(rewriter, kernel, schedule, target, explain);
    bool onlyStages = llvm::all_of(schedule.getOpts(), [](OptAttr opt) {
      return opt.getKind() == OptKind::Stage || opt.getKind() == OptKind::KStep;
    });
    if (!onlyStages || getForCpu())
      return refuseMapped(kernel, getOperationName()) << "only kstep and stage";
    return failure(failed(stageMapped(rewriter, kernel, schedule.getOpts())));
  };
  return mapEach(*this, rewriter, results, state, getRemarks(), map);
}

//===----------------------------------------------------------------------===//
// AutoMapOp
//===----------------------------------------------------------------------===//

LogicalResult AutoMapOp::verify() {
  if (!lookUpGPUTarget(getChip()))
    return emitOpError("expected a known chip, but got '")
           << getChip() << "'; choose one of " << listGPUTargets();
  if (getHeuristic() != "default" && getHeuristic() != "basic")
    return emitOpError("expected heuristic to be default or basic, but got '")
           << getHeuristic() << "'";
  return success();
}

void AutoMapOp::getEffects(MemoryEffectList &effects) {
  transform::consumesHandle(getTargetMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::modifiesPayload(effects);
}

DiagnosedSilenceableFailure
AutoMapOp::apply(transform::TransformRewriter &rewriter,
                 transform::TransformResults &results,
                 transform::TransformState &state) {
  PlaceSharedRequest request;
  request.who = getOperationName();
  request.target = lookUpGPUTarget(getChip());
  auto map = [&](RewriterBase &rewriter, KernelOp kernel,
                 ExplainFn explain) -> LogicalResult {
    bool isMapped = isAlreadyMapped(kernel);
    if (isMapped && !getShared())
      return refuseMapped(kernel, request.who)
             << "ask for tiles only, by 'shared'";
    // Of a mapped kernel only the tiles are asked for.
    request.heuristic = isMapped ? "" : getHeuristic().str();
    return getShared()
               ? LogicalResult(placeShared(rewriter, kernel, request, explain))
               : LogicalResult(mapToGPU(rewriter, kernel, request, explain));
  };
  return mapEach(*this, rewriter, results, state, getRemarks(), map);
}
