//===- ReportModule.cpp - The reports of the kernels of a file ------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Report/ReportModule.h"
#include "CompiledRegisters.h"
#include "Places.h"
#include "Uop/Analysis/MemoryTraffic.h"
#include "Uop/Analysis/SharedMemory.h"
#include "Uop/Conversion/Pipelines.h"
#include "Uop/Emulator/LoopForm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace uop;
using namespace uop::report;

namespace {

class ModuleReport {
public:
  ModuleReport(ModuleOp module, const ModuleReportOptions &options)
      : module(module), options(options) {}

  FailureOr<std::vector<KernelReport>> build();

private:
  LogicalResult dropUnused(KernelOp kernel);
  LogicalResult reportLaunches(ModuleOp lowered);
  LogicalResult reportLaunch(gpu::GPUFuncOp kernel,
                             std::optional<gpu::LaunchFuncOp> launch);
  std::optional<LaunchSizes> findSizes(gpu::GPUFuncOp kernel,
                                       std::optional<gpu::LaunchFuncOp> launch);
  LogicalResult add(KernelOp kernel, StringRef form, LaunchValues values);
  void markUsed(KernelOp kernel);
  LogicalResult checkAllUsed();
  void tryDefaultMapping();
  void setLowering(LowerToGPUOptions &lowering) const;
  bool isWanted(StringRef name) const {
    return options.kernel.empty() || options.kernel == name;
  }

  ModuleOp module;
  const ModuleReportOptions &options;
  CompiledRegisters registers;
  llvm::StringMap<std::string> formOf;
  std::vector<KernelReport> reports;
  /// Which of the values that the user gives are about a kernel.
  SmallVector<bool> usedScalars, usedSizes;
};

} // namespace

//===----------------------------------------------------------------------===//
// Kernels of the uop dialect
//===----------------------------------------------------------------------===//

void ModuleReport::setLowering(LowerToGPUOptions &lowering) const {
  lowering.placeShared = options.placeShared;
  lowering.splitReductions = options.splitReductions;
  // A chip of the user's own is not compiled for.
  if (lookUpGPUTarget(options.report.chip.chip))
    lowering.chip = options.report.chip.chip;
  lowering.fpContract = options.contract ? FPContract::On : FPContract::Off;
}

void ModuleReport::markUsed(KernelOp kernel) {
  const LaunchValues &given = options.report.values;
  usedScalars.resize(given.scalars.size());
  usedSizes.resize(given.sizes.size());
  auto getType = [&](unsigned argument) {
    return argument < kernel.getNumArguments()
               ? kernel.getArgument(argument).getType()
               : Type();
  };
  for (auto [number, scalar] : llvm::enumerate(given.scalars)) {
    Type type = getType(scalar.first);
    usedScalars[number] |= type && type.isIntOrIndex();
  }
  for (auto [number, size] : llvm::enumerate(given.sizes)) {
    auto type = dyn_cast_or_null<MemRefType>(getType(std::get<0>(size)));
    usedSizes[number] |= type && int64_t(std::get<1>(size)) < type.getRank();
  }
}

/// A value that is about no kernel is a mistake.
LogicalResult ModuleReport::checkAllUsed() {
  const LaunchValues &given = options.report.values;
  for (auto [isUsed, scalar] : llvm::zip(usedScalars, given.scalars))
    if (!isUsed)
      return emitError(module.getLoc())
             << "a value is given for argument #" << scalar.first
             << ", but no kernel that is reported on has an integer there";
  for (auto [isUsed, size] : llvm::zip(usedSizes, given.sizes))
    if (!isUsed)
      return emitError(module.getLoc())
             << "a size is given for dimension #" << std::get<1>(size)
             << " of argument #" << std::get<0>(size)
             << ", but no kernel that is reported on has a memref of so many "
                "dimensions there";
  return success();
}

LogicalResult ModuleReport::add(KernelOp kernel, StringRef form,
                                LaunchValues values) {
  markUsed(kernel);
  ReportOptions own = options.report;
  own.form = form.str();
  if (!own.registers)
    own.registers = registers.get(kernel.getSymName());
  for (auto scalar : values.scalars)
    if (!own.values.getScalar(scalar.first))
      own.values.scalars.push_back(scalar);
  for (auto size : values.sizes)
    if (!own.values.getSize(std::get<0>(size), std::get<1>(size)))
      own.values.sizes.push_back(size);
  FailureOr<KernelReport> report = buildReport(kernel, own);
  if (failed(report))
    return failure();
  if (!registers.getFailure().empty())
    report->notes.push_back("registers are estimated: " +
                            registers.getFailure().str());
  reports.push_back(std::move(*report));
  return success();
}

static StringRef describeForm(KernelOp kernel) {
  if (!kernel.isGraphForm())
    return "loop form";
  return kernel.isMapped() ? "mapped graph form" : "graph form";
}

/// Of a kernel that was lowered here: loads of points that a mask leaves out,
/// which no back end keeps.
LogicalResult ModuleReport::dropUnused(KernelOp kernel) {
  auto it = formOf.find(kernel.getSymName());
  if (it != formOf.end() && it->second == "loop form")
    return success();
  PassManager pm(kernel.getContext(), KernelOp::getOperationName());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  return pm.run(kernel);
}

/// A remedy for kernels whose schedule the source states: what the heuristic
/// would choose, counted.
void ModuleReport::tryDefaultMapping() {
  OwningOpRef<ModuleOp> copy(module.clone());
  bool hasSchedules = false;
  for (KernelOp kernel : copy->getOps<KernelOp>())
    if (kernel.isGraphForm() && !kernel.isMapped() &&
        kernel->hasAttr("schedule")) {
      kernel->removeAttr("schedule");
      hasSchedules = true;
    }
  if (!hasSchedules)
    return;
  ScopedDiagnosticHandler handler(module.getContext(),
                                  [](Diagnostic &) { return success(); });
  LowerToGPUOptions lowering;
  setLowering(lowering);
  if (failed(lowerToLoopForm(*copy, lowering)))
    return;
  RequestOptions requests;
  requests.values = options.report.values;
  requests.warpSize = options.report.warpSize;
  for (KernelOp kernel : copy->getOps<KernelOp>()) {
    auto report = llvm::find_if(reports, [&](const KernelReport &candidate) {
      return candidate.name == kernel.getSymName();
    });
    if (report == reports.end() || failed(dropUnused(kernel)))
      continue;
    FailureOr<KernelTraffic> traffic = countTraffic(kernel, requests);
    if (failed(traffic) || !traffic->isComplete())
      continue;
    for (AccessReport &access : report->accesses) {
      if (access.isShared || access.remedy ||
          access.getCost() <= access.getIdeal())
        continue;
      uint64_t cost = 0;
      for (const AccessTraffic &other : traffic->accesses) {
        SourcePlace place = getPlace(other.access.op->getLoc());
        if (!other.access.isShared && other.access.kind == access.kind &&
            place.line == access.place.line &&
            place.column == access.place.column)
          cost += other.sums.sectors;
      }
      if (cost > 0 && cost < access.getCost())
        access.remedy =
            Remedy{"leave out the schedule, so that --uop-gpu-map chooses: "
                   "--uop-gpu-map=\"heuristic=default\"",
                   "--uop-gpu-map=heuristic=default", cost};
    }
    completeReport(*report);
  }
}

//===----------------------------------------------------------------------===//
// Kernels of the gpu dialect
//===----------------------------------------------------------------------===//

static std::optional<std::array<int64_t, 3>>
getConstants(std::array<Value, 3> values) {
  std::array<int64_t, 3> constants;
  for (unsigned i = 0; i < 3; ++i) {
    std::optional<int64_t> constant = getConstantIntValue(values[i]);
    if (!constant)
      return std::nullopt;
    constants[i] = *constant;
  }
  return constants;
}

static std::optional<std::array<int64_t, 3>>
getKnownSize(std::optional<ArrayRef<int32_t>> known) {
  if (!known || known->size() != 3)
    return std::nullopt;
  return std::array<int64_t, 3>{(*known)[0], (*known)[1], (*known)[2]};
}

std::optional<LaunchSizes>
ModuleReport::findSizes(gpu::GPUFuncOp kernel,
                        std::optional<gpu::LaunchFuncOp> launch) {
  std::optional<std::array<int64_t, 3>> grid = options.grid,
                                        block = options.block;
  LaunchSizes sizes;
  if (launch) {
    auto toArray = [](gpu::KernelDim3 size) {
      return std::array<Value, 3>{size.x, size.y, size.z};
    };
    if (!grid)
      grid = getConstants(toArray(launch->getGridSizeOperandValues()));
    if (!block)
      block = getConstants(toArray(launch->getBlockSizeOperandValues()));
    sizes.dynamicSharedBytes = getDynamicSharedBytes(*launch).value_or(0);
  }
  if (!grid)
    grid = getKnownSize(kernel.getKnownGridSize());
  if (!block)
    block = getKnownSize(kernel.getKnownBlockSize());
  if (!grid || !block)
    return std::nullopt;
  sizes.grid = *grid;
  sizes.block = *block;
  sizes.warpSize = options.report.warpSize;
  return sizes;
}

/// What the launch gives: scalars that are constants, sizes that a cast forgot.
static LaunchValues getValues(gpu::LaunchFuncOp launch) {
  LaunchValues values;
  for (auto [number, operand] : llvm::enumerate(launch.getKernelOperands())) {
    if (std::optional<int64_t> constant = getConstantIntValue(operand))
      values.scalars.push_back({unsigned(number), *constant});
    auto cast = operand.getDefiningOp<memref::CastOp>();
    auto type =
        cast ? dyn_cast<MemRefType>(cast.getSource().getType()) : MemRefType();
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim)
      if (!type.isDynamicDim(dim))
        values.sizes.push_back(
            {unsigned(number), unsigned(dim), type.getDimSize(dim)});
  }
  return values;
}

LogicalResult
ModuleReport::reportLaunch(gpu::GPUFuncOp kernel,
                           std::optional<gpu::LaunchFuncOp> launch) {
  std::optional<LaunchSizes> sizes = findSizes(kernel, launch);
  if (!sizes)
    return emitError(launch ? launch->getLoc() : kernel.getLoc())
           << "cannot report on @" << kernel.getName()
           << ": expected a launch with constant sizes of grid and block, or "
              "known_grid_size and known_block_size; give them with --grid and "
              "--block";
  for (unsigned dim = 0; dim < 3; ++dim)
    if (sizes->grid[dim] < 1 || sizes->block[dim] < 1)
      return emitError(launch ? launch->getLoc() : kernel.getLoc())
             << "cannot report on @" << kernel.getName()
             << ": expected a grid and a block of 1 or more along each "
                "dimension, but got "
             << sizes->grid[dim] << " and " << sizes->block[dim]
             << " along dimension #" << dim;
  FailureOr<OwningOpRef<ModuleOp>> raised = raiseToLoopForm(kernel, *sizes);
  if (failed(raised))
    return failure();
  return add(*(*raised)->getOps<KernelOp>().begin(), "gpu dialect",
             launch ? getValues(*launch) : LaunchValues());
}

LogicalResult ModuleReport::reportLaunches(ModuleOp lowered) {
  bool hasKernels = false;
  lowered.walk([&](Operation *op) {
    hasKernels |= isa<gpu::GPUFuncOp, gpu::LaunchOp>(op);
  });
  if (!hasKernels)
    return success();
  // Kernels that host code has inside become functions, and sizes constants.
  // Kernels stay as they are: loads count whose results nothing uses.
  PassManager pm(lowered.getContext());
  pm.addPass(createGpuLaunchSinkIndexComputationsPass());
  pm.addPass(createGpuKernelOutliningPass());
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  if (failed(pm.run(lowered)))
    return failure();
  SmallVector<gpu::LaunchFuncOp> launches;
  lowered.walk([&](gpu::LaunchFuncOp launch) { launches.push_back(launch); });
  llvm::DenseSet<Operation *> launched;
  for (gpu::LaunchFuncOp launch : launches) {
    auto kernel = dyn_cast_or_null<gpu::GPUFuncOp>(
        SymbolTable::lookupNearestSymbolFrom(launch, launch.getKernelAttr()));
    if (!kernel)
      return launch.emitOpError("expected a gpu.func as the kernel ")
             << launch.getKernel();
    launched.insert(kernel);
    if (isWanted(kernel.getName()) && failed(reportLaunch(kernel, launch)))
      return failure();
  }
  WalkResult walk = lowered.walk([&](gpu::GPUFuncOp kernel) {
    if (!kernel.isKernel() || launched.contains(kernel) ||
        !isWanted(kernel.getName()))
      return WalkResult::advance();
    return failed(reportLaunch(kernel, std::nullopt)) ? WalkResult::interrupt()
                                                      : WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

FailureOr<std::vector<KernelReport>> ModuleReport::build() {
  for (KernelOp kernel : module.getOps<KernelOp>())
    formOf[kernel.getSymName()] = describeForm(kernel).str();
  LowerToGPUOptions lowering;
  setLowering(lowering);
  if (options.usesPtxas && !options.report.registers)
    registers.measure(module, lowering, options.report.chip.chip,
                      options.cudaPath);
  OwningOpRef<ModuleOp> lowered(module.clone());
  if (failed(lowerToLoopForm(*lowered, lowering)))
    return failure();
  for (KernelOp kernel : lowered->getOps<KernelOp>()) {
    if (!isWanted(kernel.getSymName()))
      continue;
    if (failed(dropUnused(kernel)))
      return failure();
    auto it = formOf.find(kernel.getSymName());
    // A part of a reduction that was split has a name of its own.
    StringRef form = it == formOf.end() ? "graph form" : StringRef(it->second);
    if (failed(add(kernel, form, {})))
      return failure();
  }
  tryDefaultMapping();
  if (failed(reportLaunches(*lowered)))
    return failure();
  if (!reports.empty()) {
    if (failed(checkAllUsed()))
      return failure();
    return std::move(reports);
  }
  if (options.kernel.empty())
    return emitError(module.getLoc())
           << "expected kernels to report on (uop.kernel, gpu.func or "
              "gpu.launch), but the file has none";
  return emitError(module.getLoc()) << "expected a kernel @" << options.kernel
                                    << ", but the file has none of that name";
}

FailureOr<std::vector<KernelReport>>
report::reportModule(ModuleOp module, const ModuleReportOptions &options) {
  return ModuleReport(module, options).build();
}
