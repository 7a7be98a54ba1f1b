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

#include "Assertions.h"
#include "AsyncCopies.h"
#include "BlockFunction.h"
#include "Checked/InstrumentKernel.h"
#include "GuardDivision.h"
#include "HostOps.h"
#include "KernelAnalysis.h"
#include "NormalizeKernel.h"
#include "RuntimeCalls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassManager.h"

namespace uop {
#define GEN_PASS_DEF_EMULATEGPU
#include "Uop/Emulator/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;

// The limits of CUDA devices. A grid of their size fits an index, its number of
// blocks included.
static constexpr int64_t maxThreads = 1024;
static constexpr int64_t maxBlock[] = {1024, 1024, 64};
static constexpr int64_t maxGrid[] = {2147483647, 65535, 65535};
static constexpr StringLiteral axisNames[] = {"x", "y", "z"};

using Size = SmallVector<std::optional<int64_t>, 3>;

static Size knownSize(const gpu::KernelDim3 &dims) {
  Size size;
  for (Value value : {dims.x, dims.y, dims.z}) {
    llvm::APInt constant;
    bool known = matchPattern(value, m_ConstantInt(&constant));
    size.push_back(known ? std::optional<int64_t>(constant.getSExtValue())
                         : std::nullopt);
  }
  return size;
}

// What is known at compile time of the limits of a launch.
static LogicalResult checkLimits(gpu::LaunchFuncOp op, const Size &grid,
                                 const Size &block) {
  int64_t threads = 1;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (grid[axis] && (*grid[axis] < 0 || *grid[axis] > maxGrid[axis]))
      return op.emitOpError("expected at most ")
             << maxGrid[axis] << " blocks along " << axisNames[axis]
             << ", but got " << *grid[axis];
    if (block[axis] && (*block[axis] < 1 || *block[axis] > maxBlock[axis]))
      return op.emitOpError("expected 1 to ")
             << maxBlock[axis] << " threads along " << axisNames[axis]
             << ", but got " << *block[axis];
    threads *= block[axis].value_or(1);
  }
  if (threads > maxThreads)
    return op.emitOpError("expected at most ")
           << maxThreads << " threads in a block, but got " << threads;
  return success();
}

// The memory that the launch gives is one more buffer of the block.
static void makeDynamicStatic(gpu::GPUFuncOp kernel, int64_t bytes) {
  SmallVector<gpu::DynamicSharedMemoryOp> ops;
  kernel.walk([&](gpu::DynamicSharedMemoryOp op) { ops.push_back(op); });
  if (ops.empty())
    return;
  OpBuilder b(kernel.getContext());
  auto type =
      MemRefType::get({bytes}, b.getI8Type(), MemRefLayoutAttrInterface(),
                      ops.front().getType().getMemorySpace());
  Value memory = kernel.addWorkgroupAttribution(type, ops.front().getLoc());
  for (gpu::DynamicSharedMemoryOp op : ops) {
    b.setInsertionPoint(op);
    op.getResult().replaceAllUsesWith(
        memref::CastOp::create(b, op.getLoc(), op.getType(), memory));
    op.erase();
  }
}

namespace {

class EmulateGpu : public uop::impl::EmulateGpuBase<EmulateGpu> {
public:
  using EmulateGpuBase::EmulateGpuBase;
  void runOnOperation() override;

private:
  // A kernel with what is known of the block size, and the bytes of dynamic
  // shared memory.
  using Variant = std::pair<Operation *, SmallVector<int64_t, 3>>;

  LogicalResult outlineLaunches();
  LogicalResult emulate(gpu::LaunchFuncOp op, RuntimeCalls &runtime);
  FailureOr<func::FuncOp> createGridFunction(gpu::GPUFuncOp kernel,
                                             const Size &blockSize,
                                             int64_t dynamicBytes,
                                             RuntimeCalls &runtime);
  void checkAtRunTime(ImplicitLocOpBuilder &b, StringRef kernel,
                      ValueRange grid, ValueRange block, const Size &blockSize,
                      RuntimeCalls &runtime);
  void moveGlobals(gpu::GPUFuncOp kernel, func::FuncOp block,
                   RuntimeCalls &runtime);

  std::map<Variant, func::FuncOp> gridFunctions;
  llvm::DenseSet<Operation *> checkedKernels;
  llvm::DenseMap<Operation *, StringAttr> movedGlobals;
};

} // namespace

LogicalResult EmulateGpu::outlineLaunches() {
  bool found = false;
  getOperation().walk([&](gpu::LaunchOp) {
    found = true;
    return WalkResult::interrupt();
  });
  if (!found)
    return success();
  OpPassManager outline(ModuleOp::getOperationName());
  outline.addPass(createGpuKernelOutliningPass());
  return runPipeline(outline, getOperation());
}

// Stops the run where a launch is beyond the limits.
void EmulateGpu::checkAtRunTime(ImplicitLocOpBuilder &b, StringRef kernel,
                                ValueRange grid, ValueRange block,
                                const Size &blockSize, RuntimeCalls &runtime) {
  Value bad = arith::ConstantIntOp::create(b, 0, 1);
  auto check = [&](Value value, int64_t least, int64_t most) {
    Value low = arith::ConstantIndexOp::create(b, least);
    Value high = arith::ConstantIndexOp::create(b, most);
    Value below =
        arith::CmpIOp::create(b, arith::CmpIPredicate::slt, value, low);
    Value above =
        arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, value, high);
    bad = arith::OrIOp::create(b, bad, arith::OrIOp::create(b, below, above));
  };
  Value threads = arith::ConstantIndexOp::create(b, 1);
  for (unsigned axis = 0; axis < 3; ++axis) {
    check(grid[axis], 0, maxGrid[axis]);
    // A size that the code was made for must be the one of the launch.
    check(block[axis], blockSize[axis].value_or(1),
          blockSize[axis].value_or(maxBlock[axis]));
    threads = arith::MulIOp::create(b, threads, block[axis]);
  }
  // After the limits of the axes, so that the product has not overflowed.
  Value most = arith::ConstantIndexOp::create(b, maxThreads);
  Value tooMany =
      arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, threads, most);
  bad = arith::OrIOp::create(b, bad, tooMany);
  auto ifOp = scf::IfOp::create(b, bad, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  runtime.beginReport(b);
  SmallVector<Value> args(block);
  args.append(grid.begin(), grid.end());
  std::string message =
      describeLocation(b.getLoc()) + ": error: launch of kernel '" +
      kernel.str() +
      "' with blocks of (%lld, %lld, %lld) threads in a grid of (%lld, %lld, "
      "%lld): expected ";
  if (llvm::all_of(blockSize, [](auto size) { return size.has_value(); })) {
    message += "blocks of (" + std::to_string(*blockSize[0]) + ", " +
               std::to_string(*blockSize[1]) + ", " +
               std::to_string(*blockSize[2]) + ") threads";
  } else {
    message += "1 to 1024 threads in a block, at most (1024, 1024, 64)";
  }
  message += ", and at most (2147483647, 65535, 65535) blocks\n";
  runtime.print(b, message, args);
  runtime.endReport(b);
}

// Buffers of the gpu.module that are not workgroup memory live as long as the
// program; they move to the host's module.
void EmulateGpu::moveGlobals(gpu::GPUFuncOp kernel, func::FuncOp block,
                             RuntimeCalls &runtime) {
  Operation *gpuModule = kernel->getParentOp();
  block.walk([&](memref::GetGlobalOp op) {
    Operation *symbol =
        SymbolTable::lookupSymbolIn(gpuModule, op.getNameAttr().getAttr());
    auto global = dyn_cast_or_null<memref::GlobalOp>(symbol);
    // The runtime's own flag is not a symbol of the gpu.module.
    if (!global)
      return;
    StringAttr &name = movedGlobals[global];
    if (!name) {
      auto copy = cast<memref::GlobalOp>(global->clone());
      copy.setType(cast<MemRefType>(dropMemorySpace(copy.getType())));
      copy.setVisibility(SymbolTable::Visibility::Private);
      name = runtime.symbols().insert(copy, getOperation().getBody()->begin());
    }
    op.setName(name.getValue());
  });
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

FailureOr<func::FuncOp> EmulateGpu::createGridFunction(gpu::GPUFuncOp kernel,
                                                       const Size &blockSize,
                                                       int64_t dynamicBytes,
                                                       RuntimeCalls &runtime) {
  if (checkedKernels.insert(kernel).second &&
      failed(checkKernel(kernel, subgroupSize)))
    return failure();
  std::string name = kernel.getName().str();

  // The work is done on a copy: another launch may know another block size.
  auto copy = cast<gpu::GPUFuncOp>(kernel->clone());
  SymbolTable(kernel->getParentOp()).insert(copy);
  makeDynamicStatic(copy, dynamicBytes);
  SmallVector<StringAttr> workgroupGlobals;
  FailureOr<func::FuncOp> block = failure();
  SiteTable table;
  auto instrument = [&]() -> LogicalResult {
    FailureOr<SiteTable> made =
        instrumentKernel(copy, blockSize, subgroupSize, runtime);
    if (succeeded(made))
      table = std::move(*made);
    return made;
  };
  // What threads do in the same way at a place of the program is checked when
  // they do it.
  llvm::function_ref<LogicalResult()> hook;
  if (checked)
    hook = instrument;
  if (succeeded(normalizeKernel(copy, blockSize, subgroupSize, workgroupGlobals,
                                hook))) {
    lowerAsyncCopies(copy, runtime);
    KernelAnalysis analysis(copy);
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
  moveGlobals(kernel, *block, runtime);
  // The last nine arguments are the block id, the grid and the block. The sizes
  // have been checked to be positive.
  ValueRange coordinates = ValueRange(block->getArguments()).take_back(9);
  guardDivisions(*block, name, coordinates.take_front(3),
                 coordinates.drop_front(3), runtime);

  MLIRContext *context = &getContext();
  unsigned numArgs = kernel.getFunctionType().getNumInputs();
  auto index = IndexType::get(context);
  SmallVector<Type> inputs(
      ArrayRef<Type>(block->getFunctionType().getInputs()).take_front(numArgs));
  inputs.append(6, index);
  OpBuilder top(context);
  auto grid = func::FuncOp::create(top, kernel.getLoc(), name + "_grid",
                                   top.getFunctionType(inputs, {}));
  grid.setPrivate();
  runtime.symbols().insert(grid);
  auto b =
      ImplicitLocOpBuilder::atBlockBegin(kernel.getLoc(), grid.addEntryBlock());
  ValueRange args = ValueRange(grid.getArguments()).take_front(numArgs);
  ValueRange gridDims = ValueRange(grid.getArguments()).slice(numArgs, 3);
  ValueRange blockDims = ValueRange(grid.getArguments()).slice(numArgs + 3, 3);
  checkAtRunTime(b, name, gridDims, blockDims, blockSize, runtime);
  if (checked) {
    table.kernel = name;
    SmallVector<Value> operands{runtime.text(b, table.print())};
    llvm::append_range(operands, gridDims);
    llvm::append_range(operands, blockDims);
    callCheck(b, runtime, "uop_check_begin_launch", operands);
  }

  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  SmallVector<Value> lower(3, zero), step(3, one);
  SmallVector<Value> upper{gridDims[2], gridDims[1], gridDims[0]};
  auto body = [&](OpBuilder &builder, Location loc, ValueRange ids) {
    SmallVector<Value> operands(args);
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
    func::CallOp::create(builder, loc, *block, operands);
  };
  // A session is told of blocks one after another.
  if (parallel && !checked) {
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
  if (checked)
    callCheck(b, runtime, "uop_check_end_launch", {});
  func::ReturnOp::create(b);
  return grid;
}

LogicalResult EmulateGpu::emulate(gpu::LaunchFuncOp op, RuntimeCalls &runtime) {
  auto kernel = dyn_cast_or_null<gpu::GPUFuncOp>(
      SymbolTable::lookupNearestSymbolFrom(op, op.getKernel()));
  if (!kernel || !kernel.isKernel())
    return op.emitOpError("expected the kernel ")
           << op.getKernel() << " to be a gpu.func with the kernel attribute";
  if (op.hasClusterSize())
    return op.emitOpError("with clusters is not supported by the emulator");
  std::optional<int64_t> dynamicBytes = getDynamicSharedBytes(op);
  if (!dynamicBytes || *dynamicBytes < 0)
    return op.emitOpError("expected a constant number of bytes of dynamic "
                          "shared memory on the emulator");
  if (failed(checkSharedBytes(getStaticSharedBytes(kernel) + *dynamicBytes,
                              chip, [&] { return kernel.emitError(); })))
    return failure();
  if (*dynamicBytes == 0) {
    WalkResult result = kernel.walk([](gpu::DynamicSharedMemoryOp memory) {
      memory.emitOpError("expected a launch that gives dynamic shared memory, "
                         "but got one of 0 bytes");
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return failure();
  }
  Size gridSize = knownSize(op.getGridSizeOperandValues());
  Size blockSize = knownSize(op.getBlockSizeOperandValues());
  if (std::optional<ArrayRef<int32_t>> known = kernel.getKnownBlockSize())
    for (unsigned axis = 0; axis < 3; ++axis) {
      if (blockSize[axis] && *blockSize[axis] != (*known)[axis]) {
        InFlightDiagnostic diag = op.emitOpError("expected ");
        diag << (*known)[axis] << " threads along " << axisNames[axis]
             << ", which the kernel is made for, but got " << *blockSize[axis];
        diag.attachNote(kernel.getLoc()) << "the kernel is defined here";
        return diag;
      }
      blockSize[axis] = (*known)[axis];
    }
  if (failed(checkLimits(op, gridSize, blockSize)))
    return failure();

  SmallVector<int64_t, 3> key;
  for (std::optional<int64_t> size : blockSize)
    key.push_back(size.value_or(-1));
  key.push_back(*dynamicBytes);
  func::FuncOp &grid = gridFunctions[{kernel.getOperation(), key}];
  if (!grid) {
    FailureOr<func::FuncOp> created =
        createGridFunction(kernel, blockSize, *dynamicBytes, runtime);
    if (failed(created))
      return failure();
    grid = *created;
  }

  ImplicitLocOpBuilder b(op.getLoc(), op);
  SmallVector<Value> operands;
  for (auto [value, type] :
       llvm::zip(op.getKernelOperands(), grid.getFunctionType().getInputs()))
    operands.push_back(value.getType() == type
                           ? value
                           : memref::MemorySpaceCastOp::create(b, type, value));
  for (const gpu::KernelDim3 &dims :
       {op.getGridSizeOperandValues(), op.getBlockSizeOperandValues()})
    for (Value value : {dims.x, dims.y, dims.z})
      operands.push_back(
          value.getType().isIndex()
              ? value
              : arith::IndexCastOp::create(b, b.getIndexType(), value));
  func::CallOp::create(b, grid, operands);
  op.erase();
  return success();
}

void EmulateGpu::runOnOperation() {
  gridFunctions.clear();
  checkedKernels.clear();
  movedGlobals.clear();
  if (!lookUpGPUTarget(chip)) {
    emitError(getOperation().getLoc())
        << "expected a known chip, but got '" << chip
        << "'; known chips: " << listGPUTargets();
    return signalPassFailure();
  }
  if (subgroupSize < 1) {
    emitError(getOperation().getLoc())
        << "expected a subgroup size of at least 1, but got " << subgroupSize;
    return signalPassFailure();
  }
  ModuleOp module = getOperation();
  if (failed(outlineLaunches()) || failed(lowerHostMemoryOps(module)))
    return signalPassFailure();
  SmallVector<gpu::LaunchFuncOp> launches;
  module.walk([&](gpu::LaunchFuncOp op) { launches.push_back(op); });
  RuntimeCalls runtime(module, checked);
  if (!launches.empty() && failed(runtime.check()))
    return signalPassFailure();
  for (gpu::LaunchFuncOp op : launches)
    if (failed(emulate(op, runtime)))
      return signalPassFailure();
  if (!launches.empty())
    lowerAssertions(module, runtime);
  for (gpu::GPUModuleOp op :
       llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>()))
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
