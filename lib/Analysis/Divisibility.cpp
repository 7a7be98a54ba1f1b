//===- Divisibility.cpp - What powers of two divide numbers ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/Divisibility.h"
#include "Uop/Analysis/LaunchShape.h"
#include "Uop/Analysis/SharedMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

/// Deeper expressions and longer chains of views are rare, and the stack is
/// finite.
static constexpr unsigned kMaxDepth = 100;

static constexpr StringLiteral kAlignAttrName = "llvm.align";

std::optional<int64_t> uop::getNumBytes(Type element) {
  if (element.isIndex())
    return 8;
  if (!element.isIntOrFloat())
    return std::nullopt;
  unsigned bits = element.getIntOrFloatBitWidth();
  if (bits < 8 || !llvm::isPowerOf2_32(bits))
    return std::nullopt;
  return bits / 8;
}

static TrailingZeros multiply(TrailingZeros a, TrailingZeros b) {
  return std::min(a + b, kAllZeros);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

TrailingZeros Divisibility::of(OpFoldResult value) {
  if (auto attr = dyn_cast<Attribute>(value))
    return of(cast<IntegerAttr>(attr).getValue());
  return of(cast<Value>(value));
}

TrailingZeros Divisibility::of(Value value, unsigned depth) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  TrailingZeros zeros = depth < kMaxDepth ? compute(value, depth + 1) : 0;
  return known[value] = zeros;
}

TrailingZeros Divisibility::compute(Value value, unsigned depth) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return of(constant);
  Operation *op = value.getDefiningOp();
  if (!op) {
    auto argument = cast<BlockArgument>(value);
    auto loop =
        dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || loop.getInductionVar() != value)
      return 0;
    return std::min(of(loop.getLowerBound(), depth), of(loop.getStep(), depth));
  }
  auto ofOperand = [&](unsigned number) {
    return of(op->getOperand(number), depth);
  };
  return llvm::TypeSwitch<Operation *, TrailingZeros>(op)
      .Case<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MinUIOp,
            arith::MaxSIOp, arith::MaxUIOp, arith::RemSIOp, arith::RemUIOp,
            FloorModOp, arith::OrIOp, arith::XOrIOp>(
          [&](auto) { return std::min(ofOperand(0), ofOperand(1)); })
      .Case<arith::AndIOp>(
          [&](auto) { return std::max(ofOperand(0), ofOperand(1)); })
      .Case<arith::MulIOp>(
          [&](auto) { return multiply(ofOperand(0), ofOperand(1)); })
      .Case<arith::ShLIOp>([&](auto) -> TrailingZeros {
        APInt amount;
        if (!matchPattern(op->getOperand(1), m_ConstantInt(&amount)))
          return ofOperand(0);
        return std::min(uint64_t(ofOperand(0)) + amount.getLimitedValue(64),
                        uint64_t(kAllZeros));
      })
      .Case<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp,
            arith::CeilDivSIOp, FloorDivOp>([&](auto) -> TrailingZeros {
        // Exact where the dividend is a multiple of a power of two.
        APInt divisor;
        if (!matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) ||
            !divisor.isPowerOf2())
          return 0;
        TrailingZeros zeros = ofOperand(0);
        return zeros - std::min(zeros, of(divisor));
      })
      .Case<arith::SelectOp>(
          [&](auto) { return std::min(ofOperand(1), ofOperand(2)); })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
            arith::ExtUIOp, arith::TruncIOp>([&](auto) { return ofOperand(0); })
      .Default([](Operation *) { return TrailingZeros(0); });
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// Of the pointer of an argument, or of memory that a gpu.func attributes.
TrailingZeros Divisibility::ofArgument(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  auto function = dyn_cast_or_null<FunctionOpInterface>(parent);
  if (!function || !argument.getOwner()->isEntryBlock())
    return 0;
  unsigned number = argument.getArgNumber();
  Attribute align;
  if (number < function.getNumArguments()) {
    align = function.getArgAttr(number, kAlignAttrName);
  } else if (auto kernel = dyn_cast<gpu::GPUFuncOp>(parent)) {
    number -= kernel.getNumArguments();
    unsigned numWorkgroup = kernel.getNumWorkgroupAttributions();
    align = number < numWorkgroup
                ? kernel.getWorkgroupAttributionAttr(number, kAlignAttrName)
                : kernel.getPrivateAttributionAttr(number - numWorkgroup,
                                                   kAlignAttrName);
  }
  // An alignment of 0 says nothing.
  auto bytes = dyn_cast_or_null<IntegerAttr>(align);
  return bytes && !bytes.getValue().isZero() ? of(bytes.getValue()) : 0;
}

static TrailingZeros ofGlobal(memref::GetGlobalOp op) {
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      op, op.getNameAttr());
  std::optional<uint64_t> alignment =
      global ? global.getAlignment() : std::nullopt;
  return alignment ? Divisibility::of(int64_t(*alignment)) : 0;
}

/// Of the pointer that a memref has, from which its offset is counted.
TrailingZeros Divisibility::ofMemory(Value buffer) {
  TrailingZeros zeros = kAllZeros;
  for (unsigned depth = 0; depth < kMaxDepth; ++depth) {
    if (auto argument = dyn_cast<BlockArgument>(buffer))
      return std::min(zeros, ofArgument(argument));
    Operation *op = buffer.getDefiningOp();
    if (auto alloc = dyn_cast<AllocOp>(op))
      return std::min(zeros,
                      std::max(of(getAlignment(alloc)), leastAllocation));
    if (isa<gpu::DynamicSharedMemoryOp>(op))
      return std::min(zeros, of(kDynamicSharedAlignment));
    if (auto global = dyn_cast<memref::GetGlobalOp>(op))
      return std::min(zeros, ofGlobal(global));
    if (auto view = dyn_cast<memref::ViewOp>(op))
      zeros = std::min(zeros, of(view.getByteShift()));
    else if (!isa<ViewLikeOpInterface, memref::ExtractStridedMetadataOp>(op))
      return 0;
    buffer = op->getOperand(0);
  }
  return 0;
}

TrailingZeros Divisibility::ofStart(Value buffer) {
  TrailingZeros zeros = kAllZeros;
  // Of a distance from the start of `memory`, in its elements.
  auto move = [&](Value memory, TrailingZeros distance) {
    auto type = cast<MemRefType>(memory.getType());
    std::optional<int64_t> numBytes = getNumBytes(type.getElementType());
    zeros = std::min(zeros, multiply(distance, numBytes ? of(*numBytes) : 0));
  };
  for (unsigned depth = 0; depth < kMaxDepth; ++depth) {
    auto type = dyn_cast<MemRefType>(buffer.getType());
    if (!type)
      return 0;
    Operation *op = buffer.getDefiningOp();
    if (auto cast = dyn_cast_or_null<memref::ReinterpretCastOp>(op)) {
      // The offset is from the start of the memory, as the source's own is not.
      move(buffer, of(cast.getMixedOffsets().front()));
      return std::min(zeros, ofMemory(cast.getSource()));
    }
    if (auto view = dyn_cast_or_null<memref::SubViewOp>(op)) {
      for (auto [dimension, offset] : llvm::enumerate(view.getMixedOffsets()))
        move(view.getSource(),
             multiply(of(offset), ofStride(view.getSource(), dimension)));
      buffer = view.getSource();
      continue;
    }
    if (auto view = dyn_cast_or_null<memref::ViewOp>(op)) {
      zeros = std::min(zeros, of(view.getByteShift()));
      buffer = view.getSource();
      continue;
    }
    if (isa_and_nonnull<memref::CastOp, memref::ExpandShapeOp,
                        memref::CollapseShapeOp, memref::TransposeOp,
                        memref::MemorySpaceCastOp>(op)) {
      buffer = op->getOperand(0);
      continue;
    }
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(type.getStridesAndOffset(strides, offset)))
      return 0;
    move(buffer, ShapedType::isDynamic(offset) ? 0 : of(offset));
    return std::min(zeros, ofMemory(buffer));
  }
  return 0;
}

TrailingZeros Divisibility::ofStride(Value buffer, unsigned dimension) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return 0;
  if (!ShapedType::isDynamic(strides[dimension]))
    return of(strides[dimension]);
  Operation *op = buffer.getDefiningOp();
  if (auto cast = dyn_cast_or_null<memref::ReinterpretCastOp>(op))
    return of(cast.getMixedStrides()[dimension]);
  if (auto cast = dyn_cast_or_null<memref::CastOp>(op))
    if (isa<MemRefType>(cast.getSource().getType()))
      return ofStride(cast.getSource(), dimension);
  return 0;
}

TrailingZeros Divisibility::ofAddress(Value buffer, ValueRange indices) {
  auto type = cast<MemRefType>(buffer.getType());
  std::optional<int64_t> numBytes = getNumBytes(type.getElementType());
  if (!numBytes)
    return 0;
  TrailingZeros zeros = ofStart(buffer);
  for (auto [dimension, index] : llvm::enumerate(indices)) {
    TrailingZeros distance = multiply(ofStride(buffer, dimension), of(index));
    zeros = std::min(zeros, multiply(distance, of(*numBytes)));
  }
  return zeros;
}
