//===- SplitReductions.cpp - Kernels that reduce in parts -----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the number of parts comes from, and the host function that runs the two
// kernels; SplitKernel.cpp makes them.
//
//===----------------------------------------------------------------------===//

#include "Uop/Transforms/SplitReductions.h"
#include "OptOptions.h"
#include "Uop/Transforms/HostFunction.h"
#include "Uop/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace uop {
#define GEN_PASS_DEF_SPLITREDUCTIONS
#include "Uop/Transforms/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;

namespace {

struct SplitReductionsPass
    : uop::impl::SplitReductionsBase<SplitReductionsPass> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override;
  void runOnOperation() override;

private:
  FailureOr<OptAttr> chooseFor(KernelOp kernel);
  LogicalResult split(KernelOp kernel);

  SmallVector<OptAttr> given;
  const GPUTarget *target = nullptr;
};

} // namespace

LogicalResult SplitReductionsPass::initialize(MLIRContext *context) {
  given.clear();
  if (failed(parseOpts(context, getArgument(), "splitk", splitK,
                       OptKind::SplitK, given)))
    return failure();
  auto refuse = [&] {
    return emitError(UnknownLoc::get(context)) << getArgument() << ": ";
  };
  if (given.size() > 1)
    return refuse() << "expected one axis to split, but got " << given.size();
  if (heuristic != "default" && heuristic != "none")
    return refuse() << "expected heuristic to be default or none, but got '"
                    << heuristic << "'";
  target = lookUpGPUTarget(chip);
  if (!target)
    return refuse() << "expected a known chip, but got '" << chip
                    << "'; choose one of " << listGPUTargets();
  return success();
}

/// The opt by which a kernel is split; null for one that stays whole.
FailureOr<OptAttr> SplitReductionsPass::chooseFor(KernelOp kernel) {
  OptAttr found;
  if (ScheduleAttr schedule = kernel.getScheduleAttr())
    for (OptAttr opt : schedule.getOpts()) {
      if (opt.getKind() != OptKind::SplitK)
        continue;
      if (found)
        return emitError(kernel.getLoc())
               << "cannot split a reduction of @" << kernel.getSymName()
               << ": SPLITK is given twice; give the axis that you mean once";
      found = opt;
    }
  if (!given.empty())
    found = given.front();
  if (found)
    return found.getAmount() == 1 ? OptAttr() : found;
  // A schedule says all that its author wants.
  if (kernel.getScheduleAttr() || isAlreadyMapped(kernel) ||
      heuristic == "none" || !isa<ModuleOp>(kernel->getParentOp()))
    return OptAttr();
  std::optional<OptAttr> best =
      chooseSplit(kernel, *target, [&](const Twine &text) {
        if (remarks)
          emitRemark(kernel.getLoc())
              << "@" << kernel.getSymName() << " " << text;
      });
  return best ? *best : OptAttr();
}

/// Puts a function of the kernel's name, which runs both kernels, in its place.
static void buildHost(KernelOp kernel, const SplitKernels &kernels) {
  OpBuilder at(kernel);
  func::FuncOp host = buildHostFunction(kernel, at);
  ImplicitLocOpBuilder builder(kernel.getLoc(), kernel.getContext());
  builder.setInsertionPointToStart(&host.getBody().front());
  SmallVector<Value> workspaces;
  for (MemRefType type : kernels.workspaces)
    workspaces.push_back(
        gpu::AllocOp::create(builder, type, /*asyncToken=*/Type(), ValueRange(),
                             ValueRange(), ValueRange())
            .getMemref());
  auto launch = [&](KernelOp part, ArrayRef<unsigned> arguments) {
    SmallVector<Value> values;
    for (unsigned number : arguments)
      values.push_back(host.getArgument(number));
    llvm::append_range(values, workspaces);
    LaunchOp::create(builder, FlatSymbolRefAttr::get(part.getSymNameAttr()),
                     values);
  };
  launch(kernels.partial, kernels.partialArguments);
  launch(kernels.combine, kernels.combineArguments);
  for (Value workspace : workspaces)
    gpu::DeallocOp::create(builder, /*asyncToken=*/Type(), ValueRange(),
                           workspace);
  func::ReturnOp::create(builder);
}

/// Drops the SPLITK that has been decided about: one part is no split.
static void forgetSplit(KernelOp kernel) {
  ScheduleAttr schedule = kernel.getScheduleAttr();
  if (!schedule)
    return;
  SmallVector<OptAttr> opts =
      llvm::filter_to_vector(schedule.getOpts(), [](OptAttr opt) {
        return opt.getKind() != OptKind::SplitK;
      });
  kernel.setScheduleAttr(
      ScheduleAttr::get(kernel.getContext(), opts, schedule.getUpcastLayout()));
}

LogicalResult SplitReductionsPass::split(KernelOp kernel) {
  FailureOr<OptAttr> opt = chooseFor(kernel);
  if (failed(opt))
    return failure();
  if (!*opt) {
    forgetSplit(kernel);
    return success();
  }
  IRRewriter rewriter(kernel);
  FailureOr<SplitKernels> kernels =
      splitReduction(rewriter, kernel, opt->getAxis(), opt->getAmount(),
                     kernel.getScheduleAttr());
  if (failed(kernels))
    return failure();
  ++numSplit;
  buildHost(kernel, *kernels);
  kernel.erase();
  return success();
}

void SplitReductionsPass::runOnOperation() {
  SmallVector<KernelOp> graphs;
  getOperation()->walk([&](KernelOp kernel) {
    if (kernel.isGraphForm())
      graphs.push_back(kernel);
  });
  bool succeeds = true;
  for (KernelOp kernel : graphs)
    succeeds &= succeeded(split(kernel));
  // What launched a kernel calls the function that took its place.
  getOperation()->walk([&](LaunchOp launch) {
    auto host = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        launch, launch.getKernelAttr());
    if (!host)
      return;
    OpBuilder builder(launch);
    func::CallOp::create(builder, launch.getLoc(), launch.getKernelAttr(),
                         TypeRange(), launch.getArgs());
    launch.erase();
  });
  if (!succeeds)
    signalPassFailure();
}
