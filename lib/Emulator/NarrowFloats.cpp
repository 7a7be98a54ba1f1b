//===- NarrowFloats.cpp - One rounding for narrow floats ------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The emulator computes f16 and bf16 in f32 and rounds the result. For sums,
// products, quotients and square roots the second rounding changes nothing:
// f32 has more than twice the precision, and two bits more. For the operations
// here it would:
//
//   fma       The product of two narrow numbers is exact in f64, but its sum
//             with the third need not be.
//   truncf    f64 to a narrow type. LLVM calls a function that the machine may
//             not have.
//   sitofp    Integers of more bits than f32 holds, to bf16. (f16 overflows
//             before that matters.)
//
// In each case the first rounding is to odd: of the two neighbours of an
// inexact number the one with an odd last bit is taken. A tie, or a number that
// fits, then appears to the second rounding only where there is one (Boldo and
// Melquiond, "Emulation of a FMA and correctly rounded sums: proved algorithms
// using rounding to odd", 2008).
//
//===----------------------------------------------------------------------===//

#include "Uop/Emulator/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"

namespace uop {
#define GEN_PASS_DEF_NARROWFLOATS
#include "Uop/Emulator/Passes.h.inc"
} // namespace uop

using namespace mlir;

/// A type of the shape of `type`, which may be a vector.
static Type withElement(Type type, Type element) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? shaped.clone(element) : element;
}

static bool isNarrow(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF16() || element.isBF16();
}

static Value constant(ImplicitLocOpBuilder &b, Type type, TypedAttr number) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return arith::ConstantOp::create(b, DenseElementsAttr::get(shaped, number));
  return arith::ConstantOp::create(b, number);
}

static Value integer(ImplicitLocOpBuilder &b, Type type, int64_t number) {
  return constant(b, type,
                  b.getIntegerAttr(getElementTypeOrSelf(type), number));
}

/// The number that rounding to odd takes, where `value` is the nearest one to
/// an exact number. `inexact` says whether they differ, and `beyond` whether
/// the exact one has the greater magnitude.
static Value toOdd(ImplicitLocOpBuilder &b, Value value, Value inexact,
                   Value beyond) {
  Type type = value.getType();
  Type bitsType = withElement(
      type,
      b.getIntegerType(getElementTypeOrSelf(type).getIntOrFloatBitWidth()));
  Value bits = arith::BitcastOp::create(b, bitsType, value);
  Value one = integer(b, bitsType, 1), zero = integer(b, bitsType, 0);
  Value even = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                     arith::AndIOp::create(b, bits, one), zero);
  // Magnitudes are in the order of the bits without the sign.
  Value step =
      arith::SelectOp::create(b, beyond, one, integer(b, bitsType, -1));
  Value moved = arith::AddIOp::create(b, bits, step);
  Value take = arith::AndIOp::create(b, inexact, even);
  return arith::BitcastOp::create(
      b, type, arith::SelectOp::create(b, take, moved, bits));
}

/// Rounds f64 to f16 or bf16, once.
static Value narrow(ImplicitLocOpBuilder &b, Value value, Type type) {
  Type f32 = withElement(value.getType(), b.getF32Type());
  Value single = arith::TruncFOp::create(b, f32, value);
  Value back = arith::ExtFOp::create(b, value.getType(), single);
  // NaN is not `one` of anything.
  Value inexact =
      arith::CmpFOp::create(b, arith::CmpFPredicate::ONE, back, value);
  Value beyond = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT,
                                       math::AbsFOp::create(b, value),
                                       math::AbsFOp::create(b, back));
  return arith::TruncFOp::create(b, type, toOdd(b, single, inexact, beyond));
}

/// A narrow number as f64, by way of f32, to which bf16 is expanded.
static Value widen(ImplicitLocOpBuilder &b, Value value) {
  Type type = value.getType();
  Value single =
      arith::ExtFOp::create(b, withElement(type, b.getF32Type()), value);
  return arith::ExtFOp::create(b, withElement(type, b.getF64Type()), single);
}

/// a * b + c: the product is exact, and so are the sum and its error together
/// (Knuth's TwoSum).
static Value multiplyAdd(ImplicitLocOpBuilder &b, math::FmaOp op) {
  Type f64 = withElement(op.getType(), b.getF64Type());
  Value x = widen(b, op.getA());
  Value y = widen(b, op.getB());
  Value addend = widen(b, op.getC());
  Value product = arith::MulFOp::create(b, x, y);
  Value sum = arith::AddFOp::create(b, product, addend);
  Value part = arith::SubFOp::create(b, sum, product);
  Value productError =
      arith::SubFOp::create(b, product, arith::SubFOp::create(b, sum, part));
  Value addendError = arith::SubFOp::create(b, addend, part);
  Value error = arith::AddFOp::create(b, productError, addendError);
  Value zero = constant(b, f64, b.getF64FloatAttr(0.0));
  // Where the sum is infinite or NaN the error is NaN.
  Value inexact =
      arith::CmpFOp::create(b, arith::CmpFPredicate::ONE, error, zero);
  Value beyond = arith::CmpIOp::create(
      b, arith::CmpIPredicate::eq,
      arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, error, zero),
      arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, sum, zero));
  return narrow(b, toOdd(b, sum, inexact, beyond), op.getType());
}

/// An integer of at most 64 bits to bf16.
static Value fromInteger(ImplicitLocOpBuilder &b, Value value, Type type,
                         bool isSigned) {
  Type i64 = withElement(value.getType(), b.getI64Type());
  unsigned width = getElementTypeOrSelf(value).getIntOrFloatBitWidth();
  if (width < 64)
    value = isSigned ? arith::ExtSIOp::create(b, i64, value).getResult()
                     : arith::ExtUIOp::create(b, i64, value).getResult();
  if (width == 64) {
    // What f64 does not hold is rounded to odd at its lowest 11 bits.
    Value low = integer(b, i64, 0x7FF);
    Value rest = arith::AndIOp::create(b, value, low);
    Value zero = integer(b, i64, 0);
    Value sticky = arith::SelectOp::create(
        b, arith::CmpIOp::create(b, arith::CmpIPredicate::ne, rest, zero),
        integer(b, i64, 0x800), zero);
    Value high = arith::AndIOp::create(b, value, integer(b, i64, ~0x7FFll));
    Value odd = arith::OrIOp::create(b, high, sticky);
    Value large;
    if (isSigned) {
      Value offset = integer(b, i64, 1ll << 53);
      large = arith::CmpIOp::create(b, arith::CmpIPredicate::ugt,
                                    arith::AddIOp::create(b, value, offset),
                                    integer(b, i64, 1ll << 54));
    } else {
      large = arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, value,
                                    integer(b, i64, 1ll << 53));
    }
    value = arith::SelectOp::create(b, large, odd, value);
  }
  Type f64 = withElement(type, b.getF64Type());
  Value wide = isSigned ? arith::SIToFPOp::create(b, f64, value).getResult()
                        : arith::UIToFPOp::create(b, f64, value).getResult();
  return narrow(b, wide, type);
}

namespace {
class NarrowFloats : public uop::impl::NarrowFloatsBase<NarrowFloats> {
public:
  using NarrowFloatsBase::NarrowFloatsBase;

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      auto extend = dyn_cast<arith::ExtFOp>(op);
      if (extend && isNarrow(extend.getIn().getType()) &&
          getElementTypeOrSelf(extend.getType()).isF64())
        ops.push_back(op);
      if (isa<math::FmaOp, arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp>(
              op) &&
          isNarrow(op->getResult(0).getType()))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      if (Value result = lower(op)) {
        op->getResult(0).replaceAllUsesWith(result);
        op->erase();
      }
  }

private:
  /// Null where the operation is rounded once as it is.
  static Value lower(Operation *op) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    Type type = op->getResult(0).getType();
    if (auto fma = dyn_cast<math::FmaOp>(op))
      return multiplyAdd(b, fma);
    Value from = op->getOperand(0);
    if (isa<arith::ExtFOp>(op))
      return widen(b, from);
    Type element = getElementTypeOrSelf(from);
    if (auto truncate = dyn_cast<arith::TruncFOp>(op)) {
      bool nearest = truncate.getRoundingmode().value_or(
                         arith::RoundingMode::to_nearest_even) ==
                     arith::RoundingMode::to_nearest_even;
      return element.isF64() && nearest ? narrow(b, from, type) : Value();
    }
    unsigned width = element.getIntOrFloatBitWidth();
    if (!getElementTypeOrSelf(type).isBF16() || width <= 24 || width > 64)
      return Value();
    return fromInteger(b, from, type, isa<arith::SIToFPOp>(op));
  }
};
} // namespace
