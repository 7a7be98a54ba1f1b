//===- GPUMap.cpp - Map kernels to blocks, threads and copies -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass decides where the opts of a kernel come from: its options, the
// attribute of the kernel, or the heuristic. Mapping.h does the rest.
//
//===----------------------------------------------------------------------===//

#include "OptOptions.h"
#include "Uop/Transforms/Mapping.h"
#include "Uop/Transforms/Passes.h"

namespace uop {
#define GEN_PASS_DEF_GPUMAP
#include "Uop/Transforms/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;

namespace {

struct GPUMapPass : uop::impl::GPUMapBase<GPUMapPass> {
  using GPUMapBase::GPUMapBase;

  LogicalResult initialize(MLIRContext *context) override {
    opts.clear();
    auto parse = [&](const ListOption<std::string> &option, OptKind kind) {
      return parseOpts(context, "uop-gpu-map", option.getArgStr(), option, kind,
                       opts);
    };
    if (failed(parse(merge, OptKind::Merge)) ||
        failed(parse(local, OptKind::Local)) ||
        failed(parse(upcast, OptKind::Upcast)) ||
        failed(parse(vectorize, OptKind::Vectorize)) ||
        failed(parse(unroll, OptKind::Unroll)) ||
        failed(parse(group, OptKind::Group)) ||
        failed(parse(groupTop, OptKind::GroupTop)) ||
        failed(parse(padTo, OptKind::PadTo)) ||
        failed(parse(kStep, OptKind::KStep)) ||
        failed(parse(stage, OptKind::Stage)) ||
        failed(parse(swap, OptKind::Swap)))
      return failure();
    if (noLocals)
      opts.push_back(OptAttr::get(context, OptKind::NoLocals, 0, 0));
    auto refuse = [&] {
      return emitError(UnknownLoc::get(context)) << "uop-gpu-map: ";
    };
    if (heuristic != "" && heuristic != "default" && heuristic != "basic" &&
        heuristic != "none")
      return refuse() << "expected heuristic to be default, basic or none, but "
                         "got '"
                      << heuristic << "'";
    if ((heuristic == "basic" || heuristic == "default") && !opts.empty())
      return refuse() << "expected either heuristic=" << heuristic
                      << " or opts (local, upcast, unroll, ...), but got both";
    if ((heuristic == "basic" || heuristic == "default") && mergeAxes)
      return refuse() << "expected either heuristic=" << heuristic
                      << " or merge-axes, but got both";
    target = lookUpGPUTarget(chip);
    if (!target)
      return refuse() << "expected a known chip, but got '" << chip
                      << "'; choose one of " << listGPUTargets();
    layout = symbolizeUpcastLayout(upcastLayout);
    if (upcastLayout != "" && !layout)
      return refuse() << "expected upcast-layout to be gpu or cpu, but got '"
                      << upcastLayout << "'";
    if (minBlocks < 0)
      return refuse() << "expected min-blocks to be 0 or more, but got "
                      << int64_t(minBlocks);
    return success();
  }

  void runOnOperation() override {
    SmallVector<KernelOp> kernels;
    getOperation()->walk([&](KernelOp kernel) { kernels.push_back(kernel); });
    for (KernelOp kernel : kernels)
      if (kernel.isGraphForm() && failed(map(kernel)))
        signalPassFailure();
  }

private:
  LogicalResult map(KernelOp kernel);

  /// The opts of the options, and the layout where it is given.
  SmallVector<OptAttr> opts;
  std::optional<UpcastLayout> layout;
  const GPUTarget *target = nullptr;
};

} // namespace

LogicalResult GPUMapPass::map(KernelOp kernel) {
  if (isAlreadyMapped(kernel)) {
    if (opts.empty() && heuristic == "" && !layout && minBlocks == 0 &&
        !mergeAxes)
      return success();
    return emitError(kernel.getLoc())
           << "cannot map @" << kernel.getSymName()
           << ": it is mapped already; give uop-gpu-map the kernel as it was "
              "before, or no options";
  }
  auto remark = [&](const Twine &text) {
    emitRemark(kernel.getLoc()) << "@" << kernel.getSymName() << " " << text;
  };
  auto explain = [&](const Twine &text) {
    if (remarks)
      remark(text);
  };
  // What is asked for here replaces the attribute as a whole.
  UpcastLayout chosen = layout.value_or(UpcastLayout::GPU);
  ScheduleAttr schedule = kernel.getScheduleAttr();
  if (schedule && failed(checkOneTarget(kernel, schedule)))
    return failure();
  if (schedule && isForOtherTarget(schedule, MappingTarget::GPU)) {
    explain("has a schedule for a CPU, which is left aside");
    schedule = {};
  }
  if (!opts.empty() || heuristic == "none" || mergeAxes) {
    SmallVector<OptAttr> all;
    if (mergeAxes)
      all = findMerges(kernel);
    llvm::append_range(all, opts);
    explain("has the opts that were given, and no others");
    schedule = ScheduleAttr::get(&getContext(), all, chosen);
  } else if (heuristic == "basic") {
    schedule = chooseBasicSchedule(kernel, chosen, explain);
  } else if (!schedule || heuristic == "default") {
    FailureOr<ScheduleAttr> best =
        chooseSchedule(kernel, *target, chosen, explain);
    if (failed(best))
      return failure();
    schedule = *best;
  } else if (layout) {
    schedule = ScheduleAttr::get(&getContext(), schedule.getOpts(), *layout);
  }
  if (minBlocks > 0) {
    FailureOr<ScheduleAttr> filled =
        fillMachine(kernel, schedule, minBlocks, remark);
    if (failed(filled))
      return failure();
    schedule = *filled;
  }
  IRRewriter rewriter(kernel);
  if (failed(applySchedule(rewriter, kernel, schedule, MappingTarget::GPU,
                           explain)))
    return failure();
  ++numMapped;
  return success();
}
