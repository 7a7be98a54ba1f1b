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

// What the kernel states of its block is known; a launch may not contradict.
static LogicalResult addStatedSizes(gpu::LaunchFuncOp op, gpu::GPUFuncOp kernel,
                                    LaunchShape &shape) {
  std::optional<ArrayRef<int32_t>> stated = kernel.getKnownBlockSize();
  if (!stated)
    return success();
  for (unsigned axis = 0; axis < 3; ++axis) {
    std::optional<int64_t> &size = shape.block[axis];
    if (size && *size != (*stated)[axis]) {
      InFlightDiagnostic diag = op.emitOpError("expected ");
      diag << (*stated)[axis] << " threads along " << axisNames[axis]
           << ", which the kernel is made for, but got " << *size;
      diag.attachNote(kernel.getLoc()) << "the kernel is defined here";
      return diag;
    }
    size = (*stated)[axis];
  }
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
  if (op.hasClusterSize())
    return op.emitOpError("with clusters is not supported by the emulator, "
                          "whose blocks are on their own; launch it without");
  LaunchShape shape;
  shape.grid = getConstantSizes(op.getGridSizeOperandValues());
  shape.block = getConstantSizes(op.getBlockSizeOperandValues());
  Value bytes = op.getDynamicSharedMemorySize();
  shape.dynamicBytes = bytes ? getConstantSize(bytes) : 0;
  if (failed(checkSizes(op, shape)) ||
      failed(addStatedSizes(op, kernel, shape)) ||
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

LaunchValues uop::getLaunchValues(ImplicitLocOpBuilder &b,
                                  gpu::LaunchFuncOp op) {
  LaunchValues values;
  gpu::KernelDim3 grid = op.getGridSizeOperandValues();
  gpu::KernelDim3 block = op.getBlockSizeOperandValues();
  for (Value size : {grid.x, grid.y, grid.z})
    values.grid.push_back(toIndex(b, size));
  for (Value size : {block.x, block.y, block.z})
    values.block.push_back(toIndex(b, size));
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

void LaunchLimits::checkAtRunTime(ImplicitLocOpBuilder &b, gpu::LaunchFuncOp op,
                                  gpu::GPUFuncOp kernel,
                                  const LaunchValues &values) {
  auto isConstant = [](Value value) {
    return matchPattern(value, m_Constant());
  };
  if (llvm::all_of(values.grid, isConstant) &&
      llvm::all_of(values.block, isConstant) && isConstant(values.dynamicBytes))
    return;
  if (!checkFunction)
    checkFunction = createCheckFunction(runtime, kernel.getLoc());
  std::string where = describeLocation(op.getLoc()) +
                      ": error: launch of kernel '" + kernel.getName().str() +
                      "': ";
  SmallVector<Value> args{runtime.text(b, where)};
  llvm::append_range(args, values.grid);
  llvm::append_range(args, values.block);
  std::optional<ArrayRef<int32_t>> stated = kernel.getKnownBlockSize();
  for (unsigned axis = 0; axis < 3; ++axis)
    args.push_back(
        arith::ConstantIndexOp::create(b, stated ? (*stated)[axis] : 0));
  args.push_back(values.dynamicBytes);
  args.push_back(arith::ConstantIndexOp::create(
      b, getMaxSharedBytes(chip) - getStaticSharedBytes(kernel)));
  func::CallOp::create(b, checkFunction, args);
}
