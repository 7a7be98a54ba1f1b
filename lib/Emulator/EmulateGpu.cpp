//===- EmulateGpu.cpp - Run gpu kernels as loops on the CPU ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass: from gpu.launch and gpu.launch_func to calls of functions that loop
// over the blocks of a grid. One such function is made for each kernel and each
// block size that is known at its launches, because a known size is what loops
// over threads are fast with, and what makes divergence visible at compile
// time. What happens inside a block is in BlockFunction.cpp.
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/GPUTarget.h"
#include "Uop/Analysis/SharedMemory.h"
#include "Uop/Emulator/Passes.h"
#include "Uop/IR/Uop.h"

#include "Assertions.h"
#include "AsyncCopies.h"
#include "BlockFunction.h"
#include "BlockStorage.h"
#include "Checked/DetectFaults.h"
#include "Checked/HostViews.h"
#include "Checked/InstrumentKernel.h"
#include "Checked/ShadowCode.h"
#include "Clusters.h"
#include "Counted/InstrumentCounts.h"
#include "GuardDivision.h"
#include "HostOps.h"
#include "KernelAnalysis.h"
#include "LaunchLimits.h"
#include "MatrixOps.h"
#include "NormalizeKernel.h"
#include "PrepareKernel.h"
#include "Printf.h"
#include "RuntimeCalls.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"

namespace uop {
#define GEN_PASS_DEF_EMULATEGPU
#include "Uop/Emulator/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;

using Size = SmallVector<std::optional<int64_t>, 3>;

namespace {

class EmulateGpu : public uop::impl::EmulateGpuBase<EmulateGpu> {
public:
  using EmulateGpuBase::EmulateGpuBase;
  void runOnOperation() override;

private:
  // A kernel with what is known of the block's and the cluster's size, and the
  // bytes of dynamic shared memory, and which arguments are views.
  using Variant = std::pair<Operation *, SmallVector<int64_t, 7>>;

  LogicalResult outlineLaunches();
  FailureOr<gpu::GPUFuncOp> findKernel(gpu::LaunchFuncOp op);
  LogicalResult emulate(gpu::LaunchFuncOp op, LaunchLimits &limits,
                        RuntimeCalls &runtime);
  FailureOr<func::FuncOp> createGridFunction(gpu::GPUFuncOp kernel,
                                             const LaunchShape &shape,
                                             ArrayRef<unsigned> views,
                                             RuntimeCalls &runtime);
  LogicalResult moveGlobals(gpu::GPUFuncOp kernel, func::FuncOp block,
                            RuntimeCalls &runtime);

  std::map<Variant, func::FuncOp> gridFunctions;
  llvm::DenseMap<Operation *, StringAttr> movedGlobals;
};

} // namespace

LogicalResult EmulateGpu::outlineLaunches() {
  bool hasLaunch = false;
  getOperation().walk([&](gpu::LaunchOp launch) {
    hasLaunch = true;
    replaceClusterSizes(launch);
  });
  if (!hasLaunch)
    return success();
  OpPassManager outline(ModuleOp::getOperationName());
  // Constants and sizes are known in the kernel if they are computed there.
  outline.addPass(createGpuLaunchSinkIndexComputationsPass());
  outline.addPass(createGpuKernelOutliningPass());
  return runPipeline(outline, getOperation());
}

// Buffers of the gpu.module that are not workgroup memory live as long as the
// program; they move to the host's module.
LogicalResult EmulateGpu::moveGlobals(gpu::GPUFuncOp kernel, func::FuncOp block,
                                      RuntimeCalls &runtime) {
  Operation *gpuModule = kernel->getParentOp();
  WalkResult walk = block.walk([&](memref::GetGlobalOp op) {
    Operation *symbol =
        SymbolTable::lookupSymbolIn(gpuModule, op.getNameAttr().getAttr());
    auto global = dyn_cast_or_null<memref::GlobalOp>(symbol);
    // The runtime's own flag is not a symbol of the gpu.module.
    if (!global)
      return WalkResult::advance();
    if (global.isExternal()) {
      InFlightDiagnostic diag = global.emitOpError(
          "expected a value of a buffer that a kernel uses, but got a "
          "declaration; give it one, or say 'uninitialized'");
      diag.attachNote(op.getLoc()) << "it is used here";
      return WalkResult::interrupt();
    }
    StringAttr &name = movedGlobals[global];
    if (!name) {
      auto copy = cast<memref::GlobalOp>(global->clone());
      copy.setType(cast<MemRefType>(dropMemorySpace(copy.getType())));
      copy.setVisibility(SymbolTable::Visibility::Private);
      name = runtime.symbols().insert(copy, getOperation().getBody()->begin());
    }
    op.setName(name.getValue());
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// Whether a block is the first or the last one of its grid.
static Value isFirstOrLast(OpBuilder &b, Location loc, ValueRange ids,
                           ValueRange ends) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value isFirst = arith::ConstantIntOp::create(b, loc, 1, 1);
  Value isLast = isFirst;
  for (auto [id, end] : llvm::zip(ids, ends)) {
    Value last = arith::SubIOp::create(b, loc, end, one);
    isFirst = arith::AndIOp::create(
        b, loc, isFirst,
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, id, zero));
    isLast = arith::AndIOp::create(
        b, loc, isLast,
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, id, last));
  }
  return arith::OrIOp::create(b, loc, isFirst, isLast);
}

/// What a block has of it, static and dynamic. The size of dynamic memory is
/// the last argument of a kernel where it is not constant.
static Value getSharedBytes(ImplicitLocOpBuilder &b, gpu::GPUFuncOp kernel,
                            const LaunchShape &shape, ValueRange args) {
  Value bytes = arith::ConstantIndexOp::create(
      b, getStaticSharedBytes(kernel) + shape.dynamicBytes.value_or(0));
  return shape.dynamicBytes ? bytes
                            : b.createOrFold<arith::AddIOp>(bytes, args.back());
}

FailureOr<func::FuncOp> EmulateGpu::createGridFunction(gpu::GPUFuncOp kernel,
                                                       const LaunchShape &shape,
                                                       ArrayRef<unsigned> views,
                                                       RuntimeCalls &runtime) {
  const Size &blockSize = shape.block;
  std::string name = kernel.getName().str();

  // The work is done on a copy: another launch may know another block size.
  auto copy = cast<gpu::GPUFuncOp>(kernel->clone());
  SymbolTable(kernel->getParentOp()).insert(copy);
  SmallVector<StringAttr> workgroupGlobals;
  FailureOr<func::FuncOp> block = failure();
  SiteTable table;
  FaultDetection detection;
  SmallVector<GivenBuffer> given;
  auto instrument = [&]() -> LogicalResult {
    if (runtime.onlyDetects()) {
      FailureOr<FaultDetection> made = instrumentDetection(
          copy, blockSize, subgroupSize, runtime, stepLimit);
      if (succeeded(made))
        detection = *made;
      return made;
    }
    FailureOr<SiteTable> made =
        counted
            ? instrumentCounts(copy, blockSize, subgroupSize, runtime)
            : instrumentKernel(copy, blockSize, subgroupSize, given, runtime);
    if (succeeded(made))
      table = std::move(*made);
    return made;
  };
  auto prepare = [&]() -> LogicalResult {
    if (failed(inlineCalls(copy)))
      return failure();
    SmallVector<Value, 3> cluster = createClusterSizes(copy, shape);
    given = addBufferBounds(copy, views);
    // Control flow is structured around stops, which device ops become.
    if (failed(addDynamicMemory(copy, shape.dynamicBytes)) ||
        failed(lowerSubgroupMatrices(copy, subgroupSize)) ||
        failed(lowerDeviceOps(copy, subgroupSize)))
      return failure();
    lowerClusterIds(copy, cluster);
    bool showsLoops = runtime.hasSession();
    if (failed(structureControlFlow(copy, showsLoops)) ||
        failed(checkKernel(copy, subgroupSize)))
      return failure();
    llvm::function_ref<LogicalResult()> hook;
    if (runtime.hasSession())
      hook = instrument;
    return normalizeKernel(copy, blockSize, subgroupSize, workgroupGlobals,
                           hook);
  };
  if (succeeded(prepare())) {
    lowerAsyncCopies(copy, runtime);
    lowerPrintf(copy, runtime);
    KernelAnalysis analysis(copy);
    // Subgroups that are run one by one have no intervals of the block.
    detection.isPossible &= !analysis.subgroupsDiverge();
    SmallVector<int64_t, 3> known;
    for (std::optional<int64_t> size : blockSize)
      if (size)
        known.push_back(*size);
    if (checked || known.size() < 3 ||
        succeeded(checkStaticDivergence(analysis, known)))
      block = createBlockFunction(analysis, name, blockSize, subgroupSize,
                                  workgroupGlobals, runtime);
  }
  copy.erase();
  if (failed(block))
    return failure();
  if (runtime.onlyDetects() && !detection.isPossible) {
    // The log will tell; this kernel is not run.
    Block &body = block->getBody().front();
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
      op.erase();
    auto b = ImplicitLocOpBuilder::atBlockBegin(kernel.getLoc(), &body);
    createFire(b);
    func::ReturnOp::create(b);
  }
  if (failed(moveGlobals(kernel, *block, runtime)))
    return failure();
  // The last nine arguments are the block id, the grid and the block. The sizes
  // have been checked to be positive.
  ValueRange blockArgs = block->getArguments();
  ValueRange coordinates = blockArgs.take_back(9);
  SmallVector<Value> positive(coordinates.drop_front(3));
  if (!shape.hasConstantCluster())
    llvm::append_range(positive, blockArgs.slice(kernel.getNumArguments(), 3));
  guardDivisions(*block, name, coordinates.take_front(3), positive, runtime);

  MLIRContext *context = &getContext();
  unsigned numArgs = block->getNumArguments() - 9 - detection.shadowed.size();
  auto index = IndexType::get(context);
  SmallVector<Type> inputs(
      ArrayRef<Type>(block->getFunctionType().getInputs()).take_front(numArgs));
  inputs.append(6, index);
  OpBuilder top(context);
  auto grid = func::FuncOp::create(top, kernel.getLoc(), name + "_grid",
                                   top.getFunctionType(inputs, {}));
  setInternal(grid);
  runtime.symbols().insert(grid);
  auto b =
      ImplicitLocOpBuilder::atBlockBegin(kernel.getLoc(), grid.addEntryBlock());
  ValueRange args = ValueRange(grid.getArguments()).take_front(numArgs);
  ValueRange gridDims = ValueRange(grid.getArguments()).slice(numArgs, 3);
  ValueRange blockDims = ValueRange(grid.getArguments()).slice(numArgs + 3, 3);
  SmallVector<Value> shadows;
  Value numBlocks;
  if (runtime.onlyDetects()) {
    numBlocks = arith::MulIOp::create(
        b, gridDims[0], arith::MulIOp::create(b, gridDims[1], gridDims[2]));
    shadows = createShadows(b, detection, args);
  } else if (runtime.hasSession()) {
    table.kernel = name;
    SmallVector<Value> operands{runtime.text(b, table.print())};
    llvm::append_range(operands, gridDims);
    llvm::append_range(operands, blockDims);
    if (counted)
      operands.push_back(getSharedBytes(b, kernel, shape, args));
    callCheck(b, runtime,
              counted ? "uop_count_begin_launch" : "uop_check_begin_launch",
              operands);
  }

  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  SmallVector<Value> lower(3, zero), step(3, one);
  SmallVector<Value> upper{gridDims[2], gridDims[1], gridDims[0]};
  auto body = [&](OpBuilder &builder, Location loc, ValueRange ids) {
    SmallVector<Value> operands(args);
    llvm::append_range(operands, shadows);
    operands.append({ids[2], ids[1], ids[0]});
    llvm::append_range(operands, gridDims);
    llvm::append_range(operands, blockDims);
    OpBuilder::InsertionGuard guard(builder);
    if (checked && sample) {
      Value isSample = isFirstOrLast(builder, loc, ids, upper);
      auto branch = scf::IfOp::create(builder, loc, isSample,
                                      /*withElseRegion=*/false);
      builder.setInsertionPointToStart(branch.thenBlock());
    }
    // One fault is enough.
    if (runtime.onlyDetects()) {
      ImplicitLocOpBuilder at(loc, builder);
      Value fired = callCheck(at, runtime, "uop_check_has_fired", {numBlocks},
                              /*hasResult=*/true);
      Value none = arith::ConstantIntOp::create(at, 0, 64);
      Value goesOn =
          arith::CmpIOp::create(at, arith::CmpIPredicate::eq, fired, none);
      auto branch = scf::IfOp::create(at, goesOn, /*withElseRegion=*/false);
      builder.setInsertionPointToStart(branch.thenBlock());
    }
    func::CallOp::create(builder, loc, *block, operands);
  };
  // A session is told of blocks one after another.
  if (parallel && !runtime.hasSession()) {
    scf::ParallelOp::create(b, b.getLoc(), lower, upper, step, body);
  } else {
    OpBuilder::InsertionGuard guard(b);
    SmallVector<Value> ids;
    for (Value end : upper) {
      auto loop = scf::ForOp::create(b, zero, end, one);
      ids.push_back(loop.getInductionVar());
      b.setInsertionPointToStart(loop.getBody());
    }
    body(b, b.getLoc(), ids);
  }
  b.setInsertionPointToEnd(&grid.getBody().front());
  if (runtime.hasSession() && !runtime.onlyDetects())
    callCheck(b, runtime,
              counted ? "uop_count_end_launch" : "uop_check_end_launch", {});
  for (Value states : shadows)
    memref::DeallocOp::create(b, states);
  func::ReturnOp::create(b);
  return grid;
}

FailureOr<gpu::GPUFuncOp> EmulateGpu::findKernel(gpu::LaunchFuncOp op) {
  if (op->getParentOfType<ModuleOp>() != getOperation())
    return op.emitOpError("expected a launch in the module itself, but got it "
                          "in a module inside; run the pass on that one");
  Operation *symbol =
      SymbolTable::lookupNearestSymbolFrom(op, op.getKernelModuleName());
  if (isa_and_nonnull<gpu::BinaryOp>(symbol)) {
    InFlightDiagnostic diag = op.emitOpError(
        "expected the kernel in a gpu.module, but got a gpu.binary, which is "
        "compiled for a device; run the emulator before gpu-module-to-binary");
    diag.attachNote(symbol->getLoc()) << "the binary is here";
    return diag;
  }
  symbol = SymbolTable::lookupNearestSymbolFrom(op, op.getKernel());
  auto kernel = dyn_cast_or_null<gpu::GPUFuncOp>(symbol);
  if (kernel && kernel.isKernel())
    return kernel;
  InFlightDiagnostic diag = op.emitOpError("expected the kernel ");
  diag << op.getKernel() << " to be a gpu.func with the kernel attribute";
  if (symbol && !kernel)
    diag << ", but got " << symbol->getName()
         << "; run the emulator before the kernel is lowered for a device";
  if (symbol)
    diag.attachNote(symbol->getLoc()) << "it is defined here";
  return diag;
}

LogicalResult EmulateGpu::emulate(gpu::LaunchFuncOp op, LaunchLimits &limits,
                                  RuntimeCalls &runtime) {
  FailureOr<gpu::GPUFuncOp> found = findKernel(op);
  if (failed(found))
    return failure();
  gpu::GPUFuncOp kernel = *found;
  FailureOr<LaunchShape> shape = limits.check(op, kernel);
  if (failed(shape))
    return failure();

  SmallVector<int64_t, 7> key;
  for (std::optional<int64_t> size :
       llvm::concat<std::optional<int64_t>>(shape->block, shape->cluster))
    key.push_back(size.value_or(-1));
  key.push_back(shape->dynamicBytes.value_or(-1));
  // The code that only detects asks before the launch.
  SmallVector<unsigned> views;
  if (checked)
    views = findHostViews(op);
  ArrayRef<unsigned> known =
      runtime.onlyDetects() ? ArrayRef<unsigned>() : views;
  key.append(known.begin(), known.end());
  func::FuncOp &grid = gridFunctions[{kernel.getOperation(), key}];
  if (!grid) {
    FailureOr<func::FuncOp> created =
        createGridFunction(kernel, *shape, known, runtime);
    if (failed(created))
      return failure();
    grid = *created;
  }

  ImplicitLocOpBuilder b(op.getLoc(), op);
  LaunchValues values = getLaunchValues(b, op, *shape);
  limits.checkAtRunTime(b, op, kernel, values);
  SmallVector<Value> operands;
  for (auto [value, type] :
       llvm::zip(op.getKernelOperands(), grid.getFunctionType().getInputs()))
    operands.push_back(value.getType() == type
                           ? value
                           : memref::MemorySpaceCastOp::create(b, type, value));
  if (!shape->hasConstantCluster())
    llvm::append_range(operands, values.cluster);
  llvm::append_range(operands, createBufferBounds(b, op, known));
  if (!shape->dynamicBytes)
    operands.push_back(values.dynamicBytes);
  llvm::append_range(operands, values.grid);
  llvm::append_range(operands, values.block);
  if (runtime.onlyDetects() && !views.empty())
    fireIf(b, createIsBeyond(b, op, views));
  func::CallOp::create(b, grid, operands);
  op.erase();
  return success();
}

void EmulateGpu::runOnOperation() {
  gridFunctions.clear();
  movedGlobals.clear();
  ModuleOp module = getOperation();
  if (!lookUpGPUTarget(chip)) {
    emitError(module.getLoc()) << "expected a known chip, but got '" << chip
                               << "'; known chips: " << listGPUTargets();
    return signalPassFailure();
  }
  if (detect && !checked) {
    emitError(module.getLoc())
        << "expected the option 'checked' beside 'detect', which says what "
           "code in checked mode is to find out";
    return signalPassFailure();
  }
  if (counted && checked) {
    emitError(module.getLoc())
        << "expected the option 'checked' or 'counted', but got both; run the "
           "pass twice, on two copies";
    return signalPassFailure();
  }
  if (subgroupSize < 1 || !llvm::isPowerOf2_64(subgroupSize)) {
    emitError(module.getLoc())
        << "expected a subgroup size that is a power of two, but got "
        << subgroupSize.getValue();
    return signalPassFailure();
  }
  if (auto kernels = module.getOps<KernelOp>(); !kernels.empty()) {
    (*kernels.begin()).emitOpError()
        << "expected kernels of the gpu dialect: run "
           "--uop-lower-to-gpu-pipeline or --uop-lower-to-cpu-loops-pipeline "
           "first";
    return signalPassFailure();
  }
  if (failed(checkHostOps(module)) || failed(outlineLaunches()))
    return signalPassFailure();
  bool callsLibrary = false;
  SmallVector<gpu::LaunchFuncOp> launches;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<gpu::GPUModuleOp>(op))
      return WalkResult::skip();
    callsLibrary |= isa_and_nonnull<gpu::GPUDialect>(op->getDialect()) ||
                    isa<cf::AssertOp>(op);
    if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
      launches.push_back(launch);
    return WalkResult::advance();
  });
  RuntimeCalls runtime(module, checked, detect, counted);
  if (runtime.onlyDetects())
    createClock(module, runtime.symbols());
  if ((callsLibrary && failed(runtime.check())) ||
      failed(lowerHostOps(module, runtime)))
    return signalPassFailure();
  LaunchLimits limits(chip, runtime);
  for (gpu::LaunchFuncOp op : launches)
    if (failed(emulate(op, limits, runtime)))
      return signalPassFailure();
  lowerAssertions(module, runtime);
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (isa<gpu::GPUModuleOp, gpu::BinaryOp>(op))
      op.erase();
  module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
  WalkResult walk = module.walk([&](Operation *op) {
    if (!isa_and_nonnull<gpu::GPUDialect>(op->getDialect()))
      return WalkResult::advance();
    op->emitOpError("is not supported by the emulator");
    return WalkResult::interrupt();
  });
  if (walk.wasInterrupted())
    signalPassFailure();
}
