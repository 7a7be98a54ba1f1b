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

#include "Uop/Transforms/Mapping.h"
#include "Uop/Transforms/Passes.h"

namespace uop {
#define GEN_PASS_DEF_GPUMAP
#include "Uop/Transforms/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;

/// Parses pairs axis:amount, with or without braces around the whole list.
static LogicalResult parseOpts(MLIRContext *context, StringRef option,
                               ArrayRef<std::string> pairs, OptKind kind,
                               SmallVectorImpl<OptAttr> &opts) {
  for (auto [index, pair] : llvm::enumerate(pairs)) {
    StringRef text = StringRef(pair).trim();
    if (index == 0)
      text.consume_front("{");
    if (index + 1 == pairs.size())
      text.consume_back("}");
    auto [axisText, amountText] = text.split(':');
    int64_t axis, amount;
    if (axisText.trim().getAsInteger(10, axis) ||
        amountText.trim().getAsInteger(10, amount) || axis < 0 || amount < 1)
      return emitError(UnknownLoc::get(context))
             << "uop-gpu-map: expected " << option
             << " to be a list of axis:amount, with axes from 0 and amounts "
                "from 1, such as "
             << option << "=0:16,1:8, but got '" << pair << "'";
    opts.push_back(OptAttr::get(context, kind, axis, amount));
  }
  return success();
}

namespace {

struct GPUMapPass : uop::impl::GPUMapBase<GPUMapPass> {
  using GPUMapBase::GPUMapBase;

  LogicalResult initialize(MLIRContext *context) override {
    opts.clear();
    auto parse = [&](const ListOption<std::string> &option, OptKind kind) {
      return parseOpts(context, option.getArgStr(), option, kind, opts);
    };
    if (failed(parse(merge, OptKind::Merge)) ||
        failed(parse(local, OptKind::Local)) ||
        failed(parse(upcast, OptKind::Upcast)) ||
        failed(parse(vectorize, OptKind::Vectorize)) ||
        failed(parse(unroll, OptKind::Unroll)) ||
        failed(parse(group, OptKind::Group)) ||
        failed(parse(groupTop, OptKind::GroupTop)) ||
        failed(parse(padTo, OptKind::PadTo)) ||
        failed(parse(swap, OptKind::Swap)))
      return failure();
    if (noLocals)
      opts.push_back(OptAttr::get(context, OptKind::NoLocals, 0, 0));
    auto refuse = [&] {
      return emitError(UnknownLoc::get(context)) << "uop-gpu-map: ";
    };
    if (heuristic != "" && heuristic != "basic" && heuristic != "none")
      return refuse() << "expected heuristic to be basic or none, but got '"
                      << heuristic << "'";
    if (heuristic == "basic" && !opts.empty())
      return refuse() << "expected either heuristic=basic or opts (local, "
                         "upcast, unroll, ...), but got both";
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
  if (!opts.empty() || heuristic == "none" || mergeAxes) {
    SmallVector<OptAttr> all;
    if (mergeAxes)
      all = findMerges(kernel);
    llvm::append_range(all, opts);
    schedule = ScheduleAttr::get(&getContext(), all, chosen);
  } else if (!schedule || heuristic == "basic")
    schedule = chooseBasicSchedule(kernel, chosen, explain);
  else if (layout)
    schedule = ScheduleAttr::get(&getContext(), schedule.getOpts(), *layout);
  if (minBlocks > 0) {
    FailureOr<ScheduleAttr> filled =
        fillMachine(kernel, schedule, minBlocks, remark);
    if (failed(filled))
      return failure();
    schedule = *filled;
  }
  IRRewriter rewriter(kernel);
  if (failed(applySchedule(rewriter, kernel, schedule, explain)))
    return failure();
  ++numMapped;
  return success();
}
