//===- CPUMap.cpp - Map kernels to the threads of a CPU, and to loops -----===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same plan and the same primitives as for a GPU; GPUMap.cpp says where
// opts come from.
//
//===----------------------------------------------------------------------===//

#include "OptOptions.h"
#include "Uop/Transforms/Mapping.h"
#include "Uop/Transforms/Passes.h"
#include "Uop/Transforms/Simplify.h"
#include "llvm/Support/Threading.h"

namespace uop {
#define GEN_PASS_DEF_CPUMAP
#include "Uop/Transforms/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;

namespace {

struct CPUMapPass : uop::impl::CPUMapBase<CPUMapPass> {
  using CPUMapBase::CPUMapBase;

  LogicalResult initialize(MLIRContext *context) override {
    opts.clear();
    auto parse = [&](const ListOption<std::string> &option, OptKind kind) {
      return parseOpts(context, "uop-cpu-map", option.getArgStr(), option, kind,
                       opts);
    };
    if (failed(parse(merge, OptKind::Merge)) ||
        failed(parse(thread, OptKind::Thread)) ||
        failed(parse(tile, OptKind::Tile)) ||
        failed(parse(upcast, OptKind::Upcast)) ||
        failed(parse(unroll, OptKind::Unroll)) ||
        failed(parse(padTo, OptKind::PadTo)) ||
        failed(parse(swap, OptKind::Swap)))
      return failure();
    auto refuse = [&] {
      return emitError(UnknownLoc::get(context)) << "uop-cpu-map: ";
    };
    if (heuristic != "" && heuristic != "default" && heuristic != "none")
      return refuse() << "expected heuristic to be default or none, but got '"
                      << heuristic << "'";
    if (heuristic == "default" && !opts.empty())
      return refuse() << "expected either heuristic=default or opts (thread, "
                         "tile, upcast, ...), but got both";
    if (threads < 0)
      return refuse() << "expected threads to be 0 or more, but got "
                      << int64_t(threads);
    return success();
  }

  void runOnOperation() override {
    SmallVector<KernelOp> kernels;
    getOperation()->walk([&](KernelOp kernel) { kernels.push_back(kernel); });
    for (KernelOp kernel : kernels) {
      if (!kernel.isGraphForm())
        continue;
      foldKnownArguments(kernel);
      if (failed(map(kernel)))
        signalPassFailure();
    }
  }

private:
  LogicalResult map(KernelOp kernel);

  SmallVector<OptAttr> opts;
};

} // namespace

LogicalResult CPUMapPass::map(KernelOp kernel) {
  if (isAlreadyMapped(kernel)) {
    if (opts.empty() && heuristic == "" && threads == 0)
      return success();
    return emitError(kernel.getLoc())
           << "cannot map @" << kernel.getSymName()
           << ": it is mapped already; give uop-cpu-map the kernel as it was "
              "before, or no options";
  }
  auto explain = [&](const Twine &text) {
    if (remarks)
      emitRemark(kernel.getLoc()) << "@" << kernel.getSymName() << " " << text;
  };
  ScheduleAttr schedule = kernel.getScheduleAttr();
  if (schedule && failed(checkOneTarget(kernel, schedule)))
    return failure();
  if (schedule && isForOtherTarget(schedule, MappingTarget::CPU)) {
    explain("has a schedule for a GPU, which is left aside");
    schedule = {};
  }
  if (!opts.empty() || heuristic == "none") {
    explain("has the opts that were given, and no others");
    schedule = ScheduleAttr::get(&getContext(), opts, UpcastLayout::CPU);
  } else if (!schedule || heuristic == "default") {
    int64_t count = threads != 0
                        ? int64_t(threads)
                        : llvm::hardware_concurrency().compute_thread_count();
    FailureOr<ScheduleAttr> best = chooseCPUSchedule(kernel, count, explain);
    if (failed(best))
      return failure();
    schedule = *best;
  }
  IRRewriter rewriter(kernel);
  if (failed(applySchedule(rewriter, kernel, schedule, MappingTarget::CPU,
                           explain)))
    return failure();
  ++numMapped;
  return success();
}
