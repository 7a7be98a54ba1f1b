//===- LaunchLimits.cpp - What a launch may ask for -----------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchLimits.h"

#include "Uop/Analysis/GPUTarget.h"
#include "Uop/Analysis/SharedMemory.h"
#include "Uop/IR/Uop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uop;

static constexpr StringLiteral axisNames[] = {"x", "y", "z"};

//===----------------------------------------------------------------------===//
// At compile time
//===----------------------------------------------------------------------===//

// A size of 32 bits has no sign, as in the driver's interface.
static std::optional<int64_t> getConstantSize(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)))
    return std::nullopt;
  return constant.getBitWidth() == 32 ? constant.getZExtValue()
                                      : constant.getSExtValue();
}

static SmallVector<std::optional<int64_t>, 3>
getConstantSizes(const gpu::KernelDim3 &dims) {
  return {getConstantSize(dims.x), getConstantSize(dims.y),
          getConstantSize(dims.z)};
}

static LogicalResult checkSizes(gpu::LaunchFuncOp op,
                                const LaunchShape &shape) {
  int64_t threads = 1;
  for (unsigned axis = 0; axis < 3; ++axis) {
    auto check = [&](std::optional<int64_t> size, int64_t most,
                     StringRef what) -> LogicalResult {
      if (!size || (*size >= 1 && *size <= most))
        return success();
      InFlightDiagnostic diag = op.emitOpError("expected 1 to ");
      diag << most << " " << what << " along " << axisNames[axis]
           << ", but got " << *size;
      if (*size == 0)
        diag << "; leave out a launch of nothing";
      return diag;
    };
    if (failed(check(shape.grid[axis], kMaxGridSize[axis], "blocks")) ||
        failed(check(shape.block[axis], kMaxBlockSize[axis], "threads")))
      return failure();
    threads *= shape.block[axis].value_or(1);
  }
  if (threads > kMaxThreadsPerBlock)
    return op.emitOpError("expected at most ")
           << kMaxThreadsPerBlock << " threads in a block, but got " << threads;
  return success();
}

// What the kernel states of a size is known; a launch may not contradict.
static LogicalResult
addStatedSizes(gpu::LaunchFuncOp op, gpu::GPUFuncOp kernel,
               std::optional<ArrayRef<int32_t>> stated, StringRef what,
               MutableArrayRef<std::optional<int64_t>> sizes) {
  if (!stated)
    return success();
  for (unsigned axis = 0; axis < 3; ++axis) {
    std::optional<int64_t> &size = sizes[axis];
    if (size && *size != (*stated)[axis]) {
      InFlightDiagnostic diag = op.emitOpError("expected ");
      diag << (*stated)[axis] << " " << what << " along " << axisNames[axis]
           << ", which the kernel is made for, but got " << *size;
      diag.attachNote(kernel.getLoc()) << "the kernel is defined here";
      return diag;
    }
    size = (*stated)[axis];
  }
  return success();
}

// What the launch says of clusters, else the kernel, else one block each.
static LogicalResult addClusterSizes(gpu::LaunchFuncOp op,
                                     gpu::GPUFuncOp kernel,
                                     LaunchShape &shape) {
  std::optional<ArrayRef<int32_t>> stated = kernel.getKnownClusterSize();
  if (op.hasClusterSize())
    shape.cluster = getConstantSizes(op.getClusterSizeOperandValues());
  else if (stated)
    shape.cluster.assign(3, std::nullopt);
  else
    shape.cluster.assign(3, 1);
  return addStatedSizes(op, kernel, stated, "blocks of a cluster",
                        shape.cluster);
}

static LogicalResult checkClusters(gpu::LaunchFuncOp op,
                                   const LaunchShape &shape) {
  int64_t blocks = 1;
  for (unsigned axis = 0; axis < 3; ++axis) {
    std::optional<int64_t> size = shape.cluster[axis];
    if (!size)
      continue;
    if (*size < 1 || *size > kMaxBlocksPerCluster)
      return op.emitOpError("expected 1 to ")
             << kMaxBlocksPerCluster << " blocks of a cluster along "
             << axisNames[axis] << ", but got " << *size;
    blocks *= *size;
    std::optional<int64_t> grid = shape.grid[axis];
    if (grid && *grid % *size != 0)
      return op.emitOpError("expected a grid of whole clusters along ")
             << axisNames[axis] << ", a multiple of " << *size
             << " blocks, but got " << *grid;
  }
  if (blocks > kMaxBlocksPerCluster)
    return op.emitOpError("expected at most ")
           << kMaxBlocksPerCluster << " blocks in a cluster, but got "
           << blocks;
  return success();
}

static LogicalResult checkSharedMemory(gpu::LaunchFuncOp op,
                                       gpu::GPUFuncOp kernel, StringRef chip,
                                       const LaunchShape &shape) {
  int64_t bytes = getStaticSharedBytes(kernel);
  if (bytes > kMaxStaticSharedBytes)
    return kernel.emitError()
           << "expected at most " << kMaxStaticSharedBytes
           << " bytes of static shared memory a block, but got " << bytes
           << "; use gpu.dynamic_shared_memory";
  return checkSharedBytes(bytes + shape.dynamicBytes.value_or(0), chip,
                          [&] { return op.emitOpError(); });
}

FailureOr<LaunchShape> LaunchLimits::check(gpu::LaunchFuncOp op,
                                           gpu::GPUFuncOp kernel) {
  LaunchShape shape;
  shape.grid = getConstantSizes(op.getGridSizeOperandValues());
  shape.block = getConstantSizes(op.getBlockSizeOperandValues());
  Value bytes = op.getDynamicSharedMemorySize();
  shape.dynamicBytes = bytes ? getConstantSize(bytes) : 0;
  if (failed(checkSizes(op, shape)) ||
      failed(addStatedSizes(op, kernel, kernel.getKnownBlockSize(), "threads",
                            shape.block)) ||
      failed(addClusterSizes(op, kernel, shape)) ||
      failed(checkClusters(op, shape)) ||
      failed(checkSharedMemory(op, kernel, chip, shape)))
    return failure();
  return shape;
}

//===----------------------------------------------------------------------===//
// At run time
//===----------------------------------------------------------------------===//

// A constant stays one, also of another type.
static Value toIndex(ImplicitLocOpBuilder &b, Value value) {
  if (value.getType().isIndex())
    return value;
  if (std::optional<int64_t> size = getConstantSize(value))
    return arith::ConstantIndexOp::create(b, *size);
  return arith::IndexCastUIOp::create(b, b.getIndexType(), value);
}

LaunchValues uop::getLaunchValues(ImplicitLocOpBuilder &b, gpu::LaunchFuncOp op,
                                  const LaunchShape &shape) {
  LaunchValues values;
  gpu::KernelDim3 grid = op.getGridSizeOperandValues();
  gpu::KernelDim3 block = op.getBlockSizeOperandValues();
  for (Value size : {grid.x, grid.y, grid.z})
    values.grid.push_back(toIndex(b, size));
  for (Value size : {block.x, block.y, block.z})
    values.block.push_back(toIndex(b, size));
  if (shape.hasConstantCluster()) {
    for (std::optional<int64_t> size : shape.cluster)
      values.cluster.push_back(arith::ConstantIndexOp::create(b, *size));
  } else {
    gpu::KernelDim3 cluster = op.getClusterSizeOperandValues();
    for (Value size : {cluster.x, cluster.y, cluster.z})
      values.cluster.push_back(toIndex(b, size));
  }
  if (Value bytes = op.getDynamicSharedMemorySize())
    values.dynamicBytes = toIndex(b, bytes);
  else
    values.dynamicBytes = arith::ConstantIndexOp::create(b, 0);
  return values;
}

// A function that all launches share: the beginning of its messages, the grid,
// the block, what the kernel states of the block (or zeros), the bytes of
// dynamic shared memory and the most that there may be.
static func::FuncOp createCheckFunction(RuntimeCalls &runtime, Location loc) {
  MLIRContext *context = loc.getContext();
  SmallVector<Type> inputs{LLVM::LLVMPointerType::get(context)};
  inputs.append(11, IndexType::get(context));
  OpBuilder top(context);
  auto func = func::FuncOp::create(top, loc, "uop_check_launch",
                                   top.getFunctionType(inputs, {}));
  func.setPrivate();
  runtime.symbols().insert(func);

  auto b = ImplicitLocOpBuilder::atBlockBegin(loc, func.addEntryBlock());
  Value where = func.getArgument(0);
  ValueRange grid = ValueRange(func.getArguments()).slice(1, 3);
  ValueRange block = ValueRange(func.getArguments()).slice(4, 3);
  ValueRange stated = ValueRange(func.getArguments()).slice(7, 3);
  Value bytes = func.getArgument(10), mostBytes = func.getArgument(11);
  auto compare = [&](arith::CmpIPredicate predicate, Value a, Value b2) {
    return arith::CmpIOp::create(b, predicate, a, b2).getResult();
  };
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  auto refuse = [&](Value bad, const Twine &message, ValueRange args) {
    SmallVector<Value> all{where};
    llvm::append_range(all, args);
    runtime.failIf(b, bad, ("%s" + message + "\n").str(), all);
  };
  auto checkRange = [&](Value size, int64_t most, StringRef what,
                        unsigned axis) {
    Value low = compare(arith::CmpIPredicate::slt, size, constant(1));
    Value high = compare(arith::CmpIPredicate::sgt, size, constant(most));
    refuse(arith::OrIOp::create(b, low, high),
           "expected 1 to " + Twine(most) + " " + what + " along " +
               axisNames[axis] + ", but got %lld",
           size);
  };
  // No product overflows once the limits of the axes are kept.
  for (unsigned axis = 0; axis < 3; ++axis) {
    checkRange(grid[axis], kMaxGridSize[axis], "blocks", axis);
    checkRange(block[axis], kMaxBlockSize[axis], "threads", axis);
    Value some = compare(arith::CmpIPredicate::ne, stated[axis], constant(0));
    Value other = compare(arith::CmpIPredicate::ne, stated[axis], block[axis]);
    refuse(arith::AndIOp::create(b, some, other),
           "expected %lld threads along " + axisNames[axis] +
               ", which the kernel is made for, but got %lld",
           {stated[axis], block[axis]});
  }
  Value threads = arith::MulIOp::create(
      b, block[0], arith::MulIOp::create(b, block[1], block[2]));
  refuse(compare(arith::CmpIPredicate::sgt, threads,
                 constant(kMaxThreadsPerBlock)),
         "expected at most " + Twine(kMaxThreadsPerBlock) +
             " threads in a block, but got %lld",
         threads);
  Value tooMuch =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, bytes, mostBytes);
  refuse(tooMuch,
         "expected at most %lld bytes of dynamic shared memory a block, but "
         "got %lld",
         {mostBytes, bytes});
  func::ReturnOp::create(b);
  return func;
}

// The same for the clusters of a launch: the beginning of its messages, the
// grid, the cluster, and what the kernel states of the cluster (or zeros).
static func::FuncOp createClusterCheckFunction(RuntimeCalls &runtime,
                                               Location loc) {
  MLIRContext *context = loc.getContext();
  SmallVector<Type> inputs{LLVM::LLVMPointerType::get(context)};
  inputs.append(9, IndexType::get(context));
  OpBuilder top(context);
  auto func = func::FuncOp::create(top, loc, "uop_check_clusters",
                                   top.getFunctionType(inputs, {}));
  func.setPrivate();
  runtime.symbols().insert(func);

  auto b = ImplicitLocOpBuilder::atBlockBegin(loc, func.addEntryBlock());
  ValueRange args = func.getArguments();
  Value most = arith::ConstantIndexOp::create(b, kMaxBlocksPerCluster);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value blocks = arith::ConstantIndexOp::create(b, 1);
  auto compare = [&](arith::CmpIPredicate predicate, Value a, Value other) {
    return arith::CmpIOp::create(b, predicate, a, other).getResult();
  };
  auto refuse = [&](Value bad, const Twine &message, ValueRange values) {
    SmallVector<Value> all{args.front()};
    llvm::append_range(all, values);
    runtime.failIf(b, bad, ("%s" + message + "\n").str(), all);
  };
  for (unsigned axis = 0; axis < 3; ++axis) {
    Value grid = args[1 + axis], size = args[4 + axis], stated = args[7 + axis];
    Value low = compare(arith::CmpIPredicate::sle, size, zero);
    Value high = compare(arith::CmpIPredicate::sgt, size, most);
    refuse(arith::OrIOp::create(b, low, high),
           "expected 1 to %lld blocks of a cluster along " +
               Twine(axisNames[axis]) + ", but got %lld",
           {most, size});
    Value some = compare(arith::CmpIPredicate::ne, stated, zero);
    Value other = compare(arith::CmpIPredicate::ne, stated, size);
    refuse(arith::AndIOp::create(b, some, other),
           "expected %lld blocks of a cluster along " + Twine(axisNames[axis]) +
               ", which the kernel is made for, but got %lld",
           {stated, size});
    Value rest = arith::RemUIOp::create(b, grid, size);
    refuse(compare(arith::CmpIPredicate::ne, rest, zero),
           "expected a grid of whole clusters along " + Twine(axisNames[axis]) +
               ", a multiple of %lld blocks, but got %lld",
           {size, grid});
    blocks = arith::MulIOp::create(b, blocks, size);
  }
  refuse(compare(arith::CmpIPredicate::sgt, blocks, most),
         "expected at most %lld blocks in a cluster, but got %lld",
         {most, blocks});
  func::ReturnOp::create(b);
  return func;
}

static bool isConstant(Value value) {
  return matchPattern(value, m_Constant());
}

static SmallVector<Value, 3>
createStatedSizes(ImplicitLocOpBuilder &b,
                  std::optional<ArrayRef<int32_t>> stated) {
  SmallVector<Value, 3> sizes;
  for (unsigned axis = 0; axis < 3; ++axis)
    sizes.push_back(
        arith::ConstantIndexOp::create(b, stated ? (*stated)[axis] : 0));
  return sizes;
}

void LaunchLimits::checkClustersAtRunTime(ImplicitLocOpBuilder &b,
                                          gpu::LaunchFuncOp op,
                                          gpu::GPUFuncOp kernel,
                                          const LaunchValues &values,
                                          StringRef where) {
  // The given sizes: where the kernel states some, those are to be equal.
  SmallVector<Value, 3> given = values.cluster;
  if (op.hasClusterSize()) {
    gpu::KernelDim3 sizes = op.getClusterSizeOperandValues();
    given = {toIndex(b, sizes.x), toIndex(b, sizes.y), toIndex(b, sizes.z)};
  }
  if (llvm::all_of(given,
                   [](Value size) { return matchPattern(size, m_One()); }))
    return;
  if (llvm::all_of(values.grid, isConstant) && llvm::all_of(given, isConstant))
    return;
  if (!checkClustersFunction)
    checkClustersFunction =
        createClusterCheckFunction(runtime, kernel.getLoc());
  SmallVector<Value> args{runtime.text(b, where)};
  llvm::append_range(args, values.grid);
  llvm::append_range(args, given);
  llvm::append_range(args, createStatedSizes(b, kernel.getKnownClusterSize()));
  func::CallOp::create(b, checkClustersFunction, args);
}

void LaunchLimits::checkAtRunTime(ImplicitLocOpBuilder &b, gpu::LaunchFuncOp op,
                                  gpu::GPUFuncOp kernel,
                                  const LaunchValues &values) {
  std::string where = describeLocation(op.getLoc()) +
                      ": error: launch of kernel '" + kernel.getName().str() +
                      "': ";
  if (!llvm::all_of(values.grid, isConstant) ||
      !llvm::all_of(values.block, isConstant) ||
      !isConstant(values.dynamicBytes)) {
    if (!checkFunction)
      checkFunction = createCheckFunction(runtime, kernel.getLoc());
    SmallVector<Value> args{runtime.text(b, where)};
    llvm::append_range(args, values.grid);
    llvm::append_range(args, values.block);
    llvm::append_range(args, createStatedSizes(b, kernel.getKnownBlockSize()));
    args.push_back(values.dynamicBytes);
    args.push_back(arith::ConstantIndexOp::create(
        b, getMaxSharedBytes(chip) - getStaticSharedBytes(kernel)));
    func::CallOp::create(b, checkFunction, args);
  }
  checkClustersAtRunTime(b, op, kernel, values, where);
}
