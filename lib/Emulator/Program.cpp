//===- Program.cpp - A program for this machine's CPU ---------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Emulator/Program.h"
#include "Uop/Analysis/SharedMemory.h"
#include "Uop/Conversion/Pipelines.h"
#include "Uop/Emulator/Jit.h"
#include "Uop/IR/Uop.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

//===----------------------------------------------------------------------===//
// To the gpu dialect, or to loops
//===----------------------------------------------------------------------===//

/// Erases what `entry` does not need, so that an error in another kernel of the
/// file does not matter.
static void eraseUnused(ModuleOp module, StringRef entry) {
  SymbolTable symbols(module);
  SetVector<Operation *> needed;
  needed.insert(symbols.lookup(entry));
  for (size_t i = 0; i < needed.size(); ++i) {
    std::optional<SymbolTable::UseRange> uses =
        SymbolTable::getSymbolUses(needed[i]);
    if (!uses)
      return;
    for (SymbolTable::SymbolUse use : *uses)
      if (Operation *used =
              symbols.lookup(use.getSymbolRef().getRootReference()))
        needed.insert(used);
  }
  for (Operation &op : llvm::make_early_inc_range(module.getOps()))
    if (isa<SymbolOpInterface>(op) && !needed.contains(&op))
      op.erase();
}

static void selectEntry(ModuleOp module, StringRef entry) {
  eraseUnused(module, entry);
  // Only public functions can be called from outside.
  SymbolTable::setSymbolVisibility(module.lookupSymbol(entry),
                                   SymbolTable::Visibility::Public);
}

static LogicalResult lowerToGPU(ModuleOp module, StringRef entry,
                                const ProgramOptions &options) {
  selectEntry(module, entry);
  if (module.getOps<KernelOp>().empty())
    return success();
  LowerToGPUOptions toGPU;
  toGPU.fpContract = options.contract ? FPContract::On : FPContract::Off;
  toGPU.placeShared = options.placeShared;
  toGPU.splitReductions = options.splitReductions;
  toGPU.chip = options.chip;
  if (options.check || options.count)
    return lowerToGPUAsWritten(module, toGPU);
  PassManager pm(module.getContext());
  buildLowerToGPUPipeline(pm, toGPU);
  return pm.run(module);
}

static LogicalResult lowerToCPULoops(ModuleOp module, StringRef entry,
                                     const ProgramOptions &options) {
  selectEntry(module, entry);
  WalkResult walk = module.walk([](Operation *op) {
    if (!isa<gpu::LaunchOp, gpu::LaunchFuncOp>(op))
      return WalkResult::advance();
    op->emitOpError("launches a kernel for a GPU, which is no plain CPU loop; "
                    "run it with --device=emulator");
    return WalkResult::interrupt();
  });
  if (walk.wasInterrupted())
    return failure();
  PassManager pm(module.getContext());
  LowerToCPULoopsOptions toLoops;
  toLoops.fpContract = options.contract ? FPContract::On : FPContract::Off;
  buildLowerToCPULoopsPipeline(pm, toLoops);
  return pm.run(module);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

void CompiledProgram::record(CompiledProgram *program, int64_t site,
                             int64_t gridX, int64_t gridY, int64_t gridZ,
                             int64_t blockX, int64_t blockY, int64_t blockZ,
                             int64_t dynamicBytes) {
  // Launches in asynchronous regions come from several threads.
  std::lock_guard<std::mutex> lock(program->recording);
  ProgramLaunch &launch = program->launches.emplace_back(program->sites[site]);
  launch.grid = {gridX, gridY, gridZ};
  launch.block = {blockX, blockY, blockZ};
  launch.sharedBytes += dynamicBytes;
}

/// Makes functions of kernels that are written in place, with names that begin
/// with that of the function around them as the user knows it.
static LogicalResult outlineLaunches(ModuleOp module) {
  PassManager outline(module.getContext());
  outline.addPass(createGpuLaunchSinkIndexComputationsPass());
  outline.addPass(createGpuKernelOutliningPass());
  return outline.run(module);
}

/// Calls `record` before every launch. The addresses of the function and of
/// this object are constants of the program, which lives in this process.
LogicalResult CompiledProgram::instrument(ModuleOp module) {
  module.getContext()->loadDialect<arith::ArithDialect, LLVM::LLVMDialect>();
  module.walk([&](gpu::LaunchFuncOp op) {
    ProgramLaunch &site = sites.emplace_back();
    site.kernel = op.getKernelName().str();
    if (auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
            op, op.getKernel()))
      site.sharedBytes = getStaticSharedBytes(kernel);

    OpBuilder builder(op);
    Location loc = op.getLoc();
    Type i64 = builder.getI64Type();
    auto constant = [&](int64_t value) -> Value {
      return LLVM::ConstantOp::create(builder, loc, i64,
                                      builder.getI64IntegerAttr(value));
    };
    auto toI64 = [&](Value value) -> Value {
      if (value.getType().isIndex())
        return arith::IndexCastOp::create(builder, loc, i64, value);
      if (value.getType() != i64)
        return arith::ExtUIOp::create(builder, loc, i64, value);
      return value;
    };
    auto address = [](auto *pointer) {
      return static_cast<int64_t>(reinterpret_cast<intptr_t>(pointer));
    };
    Value function = LLVM::IntToPtrOp::create(
        builder, loc, LLVM::LLVMPointerType::get(module.getContext()),
        constant(address(&CompiledProgram::record)));
    Value dynamicBytes = op.getDynamicSharedMemorySize();
    gpu::KernelDim3 grid = op.getGridSizeOperandValues();
    gpu::KernelDim3 block = op.getBlockSizeOperandValues();
    SmallVector<Value> operands{function, constant(address(this)),
                                constant(sites.size() - 1)};
    for (Value size : {grid.x, grid.y, grid.z, block.x, block.y, block.z})
      operands.push_back(toI64(size));
    operands.push_back(dynamicBytes ? toI64(dynamicBytes) : constant(0));
    auto type = LLVM::LLVMFunctionType::get(
        LLVM::LLVMVoidType::get(module.getContext()),
        SmallVector<Type>(operands.size() - 1, i64));
    LLVM::CallOp::create(builder, loc, type, operands);
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Program
//===----------------------------------------------------------------------===//

CompiledProgram::CompiledProgram() = default;
CompiledProgram::~CompiledProgram() = default;

std::unique_ptr<CompiledProgram>
CompiledProgram::create(ModuleOp module, StringRef entry,
                        const ProgramOptions &options) {
  std::unique_ptr<CompiledProgram> program(new CompiledProgram());
  program->entry = entry.str();
  auto lower =
      options.device == ProgramDevice::CPU ? lowerToCPULoops : lowerToGPU;
  if (failed(lower(module, entry, options)))
    return nullptr;
  bool showsKernels = options.recordLaunches || options.check || options.count;
  if (showsKernels && failed(outlineLaunches(module)))
    return nullptr;
  if (options.recordLaunches && failed(program->instrument(module)))
    return nullptr;
  JitOptions jitOptions;
  jitOptions.vectorWidth = options.vectorWidth;
  jitOptions.chip = options.chip;
  jitOptions.sharedLibs = options.sharedLibs;
  jitOptions.checked = options.check;
  jitOptions.counted = options.count;
  jitOptions.subgroupSize = options.subgroupSize;
  jitOptions.sample = options.sample;
  jitOptions.detect = options.detect;
  jitOptions.stepLimit = options.stepLimit;
  jitOptions.openmp = options.openmp;
  jitOptions.optLevel = options.optLevel;
  jitOptions.recover = options.recover;
  program->jit = Jit::create(module, jitOptions);
  return program->jit ? std::move(program) : nullptr;
}

llvm::Error CompiledProgram::run(ArrayRef<void *> arguments, void *result) {
  if (!launches.empty())
    launches.clear();
  return jit->invoke(entry, arguments, result);
}

bool CompiledProgram::isParallel() const { return jit->isParallel(); }
StringRef CompiledProgram::getNote() const { return jit->note(); }
