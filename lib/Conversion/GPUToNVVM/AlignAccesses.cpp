//===- AlignAccesses.cpp - State how far the accesses are aligned ---------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A back end makes one wide access of adjacent ones where the first is aligned.
// LLVM works that out itself, but looks only a few operations deep: indices
// that are recovered from a folded grid are too long for it.
//
//===----------------------------------------------------------------------===//

#include "Uop/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace uop {
#define GEN_PASS_DEF_ALIGNACCESSES
#include "Uop/Conversion/Passes.h.inc"
} // namespace uop

namespace {

/// A power of two that divides a number, as its logarithm; of zero the largest.
using TrailingZeros = unsigned;
constexpr TrailingZeros kAllZeros = 63;

class Divisibility {
public:
  TrailingZeros of(Value value, unsigned depth = 0);
  TrailingZeros of(OpFoldResult value) {
    if (auto attr = dyn_cast<Attribute>(value))
      return of(cast<IntegerAttr>(attr).getValue());
    return of(cast<Value>(value));
  }
  static TrailingZeros of(const APInt &number) {
    return std::min(number.countr_zero(), kAllZeros);
  }

private:
  TrailingZeros compute(Value value, unsigned depth);

  llvm::DenseMap<Value, TrailingZeros> known;
};

struct AlignAccesses : uop::impl::AlignAccessesBase<AlignAccesses> {
  using Base::Base;

  void runOnOperation() override;
};

} // namespace

TrailingZeros Divisibility::of(Value value, unsigned depth) {
  // Deeper ones are rare, and the stack is finite.
  constexpr unsigned maxDepth = 100;
  if (auto it = known.find(value); it != known.end())
    return it->second;
  TrailingZeros zeros = depth < maxDepth ? compute(value, depth + 1) : 0;
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
            arith::OrIOp, arith::XOrIOp>(
          [&](auto) { return std::min(ofOperand(0), ofOperand(1)); })
      .Case<arith::AndIOp>(
          [&](auto) { return std::max(ofOperand(0), ofOperand(1)); })
      .Case<arith::MulIOp>([&](auto) {
        return std::min(ofOperand(0) + ofOperand(1), kAllZeros);
      })
      .Case<arith::ShLIOp>([&](auto) -> TrailingZeros {
        APInt amount;
        if (!matchPattern(op->getOperand(1), m_ConstantInt(&amount)))
          return ofOperand(0);
        return std::min(uint64_t(ofOperand(0)) + amount.getLimitedValue(64),
                        uint64_t(kAllZeros));
      })
      .Case<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(
          [&](auto) -> TrailingZeros {
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

/// The bytes of an element, where they are a whole number.
static std::optional<int64_t> getNumBytes(Type type) {
  if (type.isIndex())
    return 8;
  if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() % 8 != 0)
    return std::nullopt;
  return type.getIntOrFloatBitWidth() / 8;
}

/// How the start of an argument of a kernel is aligned, by its attribute.
static TrailingZeros getArgumentAlignment(BlockArgument argument) {
  auto function =
      dyn_cast_or_null<gpu::GPUFuncOp>(argument.getOwner()->getParentOp());
  if (!function || argument.getArgNumber() >= function.getNumArguments())
    return 0;
  auto align = function.getArgAttrOfType<IntegerAttr>(
      argument.getArgNumber(), LLVM::LLVMDialect::getAlignAttrName());
  return align ? Divisibility::of(align.getValue()) : 0;
}

/// How an access is aligned.
static TrailingZeros getAlignment(Value buffer, OperandRange indices,
                                  Divisibility &divisibility) {
  auto type = cast<MemRefType>(buffer.getType());
  std::optional<int64_t> numBytes = getNumBytes(type.getElementType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!numBytes || failed(type.getStridesAndOffset(strides, offset)))
    return 0;
  TrailingZeros ofElement = Divisibility::of(APInt(64, *numBytes));
  auto toBytes = [&](TrailingZeros ofNumber) {
    return std::min(ofNumber + ofElement, kAllZeros);
  };
  auto cast = buffer.getDefiningOp<memref::ReinterpretCastOp>();
  Value start = cast ? cast.getSource() : buffer;
  auto argument = dyn_cast<BlockArgument>(start);
  if (!argument)
    return 0;
  TrailingZeros zeros = getArgumentAlignment(argument);
  SmallVector<OpFoldResult> mixedStrides;
  if (cast) {
    // The offset is from the start of the memory, as the source's own is not.
    zeros = std::min(zeros,
                     toBytes(divisibility.of(cast.getMixedOffsets().front())));
    mixedStrides = cast.getMixedStrides();
  } else if (ShapedType::isDynamic(offset)) {
    return 0;
  } else {
    zeros = std::min(zeros, toBytes(Divisibility::of(APInt(64, offset))));
  }
  for (auto [number, index] : llvm::enumerate(indices)) {
    TrailingZeros ofStride = 0;
    if (cast)
      ofStride = divisibility.of(mixedStrides[number]);
    else if (!ShapedType::isDynamic(strides[number]))
      ofStride = Divisibility::of(APInt(64, strides[number]));
    zeros = std::min(
        zeros, toBytes(std::min(ofStride + divisibility.of(index), kAllZeros)));
  }
  return zeros;
}

void AlignAccesses::runOnOperation() {
  Divisibility divisibility;
  auto align = [&](auto access) {
    Type element = access.getMemRefType().getElementType();
    std::optional<int64_t> numBytes = getNumBytes(element);
    // Larger numbers than a vector of any chip are of no use.
    constexpr TrailingZeros most = 7;
    TrailingZeros zeros =
        std::min(most, getAlignment(access.getMemRef(), access.getIndices(),
                                    divisibility));
    int64_t bytes = int64_t(1) << zeros;
    if (!numBytes || bytes <= *numBytes ||
        bytes <= int64_t(access.getAlignment().value_or(0)))
      return;
    access.setAlignment(bytes);
    ++numAligned;
  };
  getOperation()->walk([&](Operation *op) {
    if (auto load = dyn_cast<memref::LoadOp>(op))
      align(load);
    else if (auto store = dyn_cast<memref::StoreOp>(op))
      align(store);
  });
}
