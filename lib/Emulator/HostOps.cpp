//===- HostOps.cpp - Operations of host code on the device ----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostOps.h"

#include "Tokens.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace uop;

//===----------------------------------------------------------------------===//
// Upstream's run-time library
//===----------------------------------------------------------------------===//

namespace {
/// What a function of upstream's libraries for CUDA and ROCm, which programs
/// declare and call themselves, is on a device that shares the host's memory.
enum class WrapperKind { None, Identity, Nothing, Unsupported };
} // namespace

static WrapperKind getWrapperKind(func::CallOp call) {
  StringRef name = call.getCallee();
  if (!name.starts_with("mgpu"))
    return WrapperKind::None;
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  if (!callee || !callee.isExternal())
    return WrapperKind::None;
  if (name.starts_with("mgpuMemGetDeviceMemRef") &&
      call.getOperandTypes() == call.getResultTypes())
    return WrapperKind::Identity;
  if ((name.starts_with("mgpuMemHostRegister") ||
       name.starts_with("mgpuMemHostUnregister")) &&
      call.getNumResults() == 0)
    return WrapperKind::Nothing;
  return WrapperKind::Unsupported;
}

//===----------------------------------------------------------------------===//
// What is refused
//===----------------------------------------------------------------------===//

static LogicalResult checkHostOp(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op);
      call && getWrapperKind(call) == WrapperKind::Unsupported)
    return op->emitOpError("calls @")
           << call.getCallee()
           << " of upstream's run-time library for devices, which the emulator "
              "does not have; use operations of the gpu dialect";
  if (!isa_and_nonnull<gpu::GPUDialect, nvgpu::NVGPUDialect>(op->getDialect()))
    return success();
  if (isa<gpu::LaunchOp, gpu::LaunchFuncOp, gpu::WaitOp, gpu::AllocOp,
          gpu::DeallocOp, gpu::MemcpyOp, gpu::MemsetOp, gpu::HostRegisterOp,
          gpu::HostUnregisterOp, gpu::SetDefaultDeviceOp, gpu::BinaryOp>(op))
    return success();
  if (isa<gpu::AsyncOpInterface>(op) ||
      isa<nvgpu::NVGPUDialect>(op->getDialect()))
    return op->emitOpError(
        "is not supported by the emulator, whose hosts launch kernels "
        "(gpu.launch, gpu.launch_func), manage memory (gpu.alloc, gpu.dealloc, "
        "gpu.memcpy, gpu.memset, gpu.host_register, gpu.host_unregister) and "
        "wait (gpu.wait)");
  return op->emitOpError("is an operation of a kernel, but got it in host "
                         "code; move it into a gpu.func or a gpu.launch");
}

LogicalResult uop::checkHostOps(ModuleOp module) {
  WalkResult walk = walkHost(module, [](Operation *op) {
    if (failed(checkHostOp(op)))
      return WalkResult::interrupt();
    // The body of a launch is a kernel.
    return isa<gpu::LaunchOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

// As the driver's: enough for every access of a kernel.
static constexpr int64_t deviceAlignment = 256;

// A buffer of a layout that is not the identity is one row that is long enough,
// seen through the layout.
static FailureOr<Value> allocateLayout(ImplicitLocOpBuilder &b,
                                       gpu::AllocOp op) {
  MemRefType type = op.getType();
  SmallVector<int64_t> staticStrides;
  int64_t staticOffset;
  if (failed(type.getStridesAndOffset(staticStrides, staticOffset)))
    return op.emitOpError("expected a strided layout on the emulator, but got ")
           << type;
  // A strided layout is linear: its coefficients are differences.
  AffineMap map = type.getLayout().getAffineMap();
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  auto positionOf = [&](std::optional<int64_t> axis) -> Value {
    SmallVector<Value> operands(type.getRank(), zero);
    if (axis)
      operands[*axis] = one;
    llvm::append_range(operands, op.getSymbolOperands());
    return affine::AffineApplyOp::create(b, map, operands);
  };
  Value offset = positionOf(std::nullopt);
  SmallVector<OpFoldResult> sizes, strides;
  Value last = offset;
  unsigned numDynamic = 0;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    Value size = type.isDynamicDim(axis)
                     ? Value(op.getDynamicSizes()[numDynamic++])
                     : arith::ConstantIndexOp::create(b, type.getDimSize(axis))
                           .getResult();
    Value stride = arith::SubIOp::create(b, positionOf(axis), offset);
    sizes.push_back(type.isDynamicDim(axis)
                        ? OpFoldResult(size)
                        : b.getIndexAttr(type.getDimSize(axis)));
    strides.push_back(ShapedType::isDynamic(staticStrides[axis])
                          ? OpFoldResult(stride)
                          : b.getIndexAttr(staticStrides[axis]));
    Value steps =
        arith::MaxSIOp::create(b, zero, arith::SubIOp::create(b, size, one));
    last =
        arith::AddIOp::create(b, last, arith::MulIOp::create(b, steps, stride));
  }
  Value length = arith::AddIOp::create(b, last, one);
  auto rowType =
      MemRefType::get({ShapedType::kDynamic}, type.getElementType(),
                      MemRefLayoutAttrInterface(), type.getMemorySpace());
  Value row = memref::AllocOp::create(b, rowType, ValueRange{length},
                                      b.getI64IntegerAttr(deviceAlignment));
  auto layout =
      StridedLayoutAttr::get(b.getContext(), staticOffset, staticStrides);
  auto stridedType = MemRefType::get(type.getShape(), type.getElementType(),
                                     layout, type.getMemorySpace());
  OpFoldResult start = ShapedType::isDynamic(staticOffset)
                           ? OpFoldResult(offset)
                           : b.getIndexAttr(staticOffset);
  Value view = memref::ReinterpretCastOp::create(b, stridedType, row, start,
                                                 sizes, strides);
  if (stridedType == type)
    return view;
  return memref::CastOp::create(b, type, view).getResult();
}

static FailureOr<Value> lowerAlloc(ImplicitLocOpBuilder &b, gpu::AllocOp op) {
  if (!op.getType().getLayout().isIdentity())
    return allocateLayout(b, op);
  return memref::AllocOp::create(b, op.getType(), op.getDynamicSizes(),
                                 b.getI64IntegerAttr(deviceAlignment))
      .getResult();
}

static void lowerMemset(ImplicitLocOpBuilder &b, gpu::MemsetOp op) {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  SmallVector<Value> ends, indices;
  int64_t rank = cast<MemRefType>(op.getDst().getType()).getRank();
  for (int64_t axis = 0; axis < rank; ++axis)
    ends.push_back(memref::DimOp::create(b, op.getDst(), axis));
  for (Value end : ends) {
    auto loop = scf::ForOp::create(b, zero, end, one);
    indices.push_back(loop.getInductionVar());
    b.setInsertionPointToStart(loop.getBody());
  }
  memref::StoreOp::create(b, op.getValue(), op.getDst(), indices);
}

// Sizes that are not known to be equal are compared: a copy would write beyond
// the smaller buffer.
static void lowerMemcpy(ImplicitLocOpBuilder &b, gpu::MemcpyOp op,
                        RuntimeCalls &runtime) {
  auto source = cast<MemRefType>(op.getSrc().getType());
  auto target = cast<MemRefType>(op.getDst().getType());
  for (int64_t axis = 0; axis < source.getRank(); ++axis) {
    if (!source.isDynamicDim(axis) && !target.isDynamicDim(axis))
      continue;
    Value from = memref::DimOp::create(b, op.getSrc(), axis);
    Value to = memref::DimOp::create(b, op.getDst(), axis);
    Value differ = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, from, to);
    runtime.failIf(b, differ,
                   escapeFormat(describeLocation(op.getLoc())) +
                       ": error: gpu.memcpy expected equal sizes along axis " +
                       std::to_string(axis) +
                       ", but got %lld elements to write and %lld to read\n",
                   {to, from});
  }
  memref::CopyOp::create(b, op.getSrc(), op.getDst());
}

static LogicalResult lowerOp(Operation *op, RuntimeCalls &runtime) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  if (auto alloc = dyn_cast<gpu::AllocOp>(op)) {
    FailureOr<Value> buffer = lowerAlloc(b, alloc);
    if (failed(buffer))
      return failure();
    alloc.getMemref().replaceAllUsesWith(*buffer);
  } else if (auto dealloc = dyn_cast<gpu::DeallocOp>(op)) {
    memref::DeallocOp::create(b, dealloc.getMemref());
  } else if (auto copy = dyn_cast<gpu::MemcpyOp>(op)) {
    lowerMemcpy(b, copy, runtime);
  } else if (auto set = dyn_cast<gpu::MemsetOp>(op)) {
    lowerMemset(b, set);
  } else if (auto call = dyn_cast<func::CallOp>(op)) {
    call.replaceAllUsesWith(
        call.getOperands().take_front(call.getNumResults()));
  }
  op->erase();
  return success();
}

LogicalResult uop::lowerHostOps(ModuleOp module, RuntimeCalls &runtime) {
  SmallVector<Operation *> ops;
  walkHost(module, [&](Operation *op) {
    auto call = dyn_cast<func::CallOp>(op);
    bool isWrapper = call && getWrapperKind(call) != WrapperKind::None;
    if (isWrapper ||
        isa<gpu::WaitOp, gpu::AllocOp, gpu::DeallocOp, gpu::MemcpyOp,
            gpu::MemsetOp, gpu::HostRegisterOp, gpu::HostUnregisterOp,
            gpu::SetDefaultDeviceOp, gpu::LaunchFuncOp>(op))
      ops.push_back(op);
    return WalkResult::advance();
  });
  // A session has one thing to look at at a time; what waits for another launch
  // reaches its limit of steps in checked mode.
  lowerTokens(module, ops, /*mayRunBeside=*/!runtime.hasSession());
  for (Operation *op : ops)
    if (!isa<gpu::LaunchFuncOp>(op) && failed(lowerOp(op, runtime)))
      return failure();
  return success();
}
