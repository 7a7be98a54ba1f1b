//===- Elementwise.cpp - Arithmetic on numbers of any shape ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace uop::math_expansion;

namespace uop::math_expansion {

Elementwise::Elementwise(Operation *op, Type shape)
    : builder(op->getLoc(), op), shape(shape) {}

Type Elementwise::withElement(Type element) const {
  auto shaped = dyn_cast<ShapedType>(shape);
  return shaped ? shaped.clone(element) : element;
}

Value Elementwise::constant(TypedAttr number) {
  Value &made = constants[number];
  if (made)
    return made;
  if (auto shaped = dyn_cast<ShapedType>(withElement(number.getType())))
    number = DenseElementsAttr::get(shaped, Attribute(number));
  return made = arith::ConstantOp::create(builder, number);
}

Value Elementwise::constant(double number) {
  return constant(builder.getF64FloatAttr(number));
}

template <typename Op, typename Number>
static Number binary(Number lhs, Number rhs) {
  return {lhs.at, Op::create(lhs.at->builder, lhs.value, rhs.value)};
}

template <typename Op> static Real unary(Real number) {
  return {number.at, Op::create(number.at->builder, number.value)};
}

Mask operator&(Mask lhs, Mask rhs) { return binary<arith::AndIOp>(lhs, rhs); }
Mask operator|(Mask lhs, Mask rhs) { return binary<arith::OrIOp>(lhs, rhs); }
Mask operator!(Mask mask) {
  Elementwise &at = *mask.at;
  Value ones = at.constant(at.builder.getBoolAttr(true));
  return {&at, arith::XOrIOp::create(at.builder, mask.value, ones)};
}

static Bits constant(Bits like, uint64_t number) {
  return {like.at,
          like.at->constant(like.at->builder.getI64IntegerAttr(number))};
}
Bits operator+(Bits lhs, Bits rhs) { return binary<arith::AddIOp>(lhs, rhs); }
Bits operator-(Bits lhs, Bits rhs) { return binary<arith::SubIOp>(lhs, rhs); }
Bits operator&(Bits lhs, Bits rhs) { return binary<arith::AndIOp>(lhs, rhs); }
Bits operator|(Bits lhs, Bits rhs) { return binary<arith::OrIOp>(lhs, rhs); }
Bits operator^(Bits lhs, Bits rhs) { return binary<arith::XOrIOp>(lhs, rhs); }
Bits operator+(Bits lhs, uint64_t rhs) { return lhs + constant(lhs, rhs); }
Bits operator&(Bits lhs, uint64_t rhs) { return lhs & constant(lhs, rhs); }
Bits operator|(Bits lhs, uint64_t rhs) { return lhs | constant(lhs, rhs); }
Bits operator-(uint64_t lhs, Bits rhs) { return constant(rhs, lhs) - rhs; }
Bits operator<<(Bits bits, unsigned amount) {
  return binary<arith::ShLIOp>(bits, constant(bits, amount));
}
Bits operator>>(Bits bits, unsigned amount) {
  return binary<arith::ShRUIOp>(bits, constant(bits, amount));
}
Mask isZero(Bits bits) {
  return {bits.at,
          arith::CmpIOp::create(bits.at->builder, arith::CmpIPredicate::eq,
                                bits.value, constant(bits, 0).value)};
}

Real constant(Real like, double number) {
  return {like.at, like.at->constant(number)};
}
Real operator+(Real lhs, Real rhs) { return binary<arith::AddFOp>(lhs, rhs); }
Real operator-(Real lhs, Real rhs) { return binary<arith::SubFOp>(lhs, rhs); }
Real operator*(Real lhs, Real rhs) { return binary<arith::MulFOp>(lhs, rhs); }
Real operator/(Real lhs, Real rhs) { return binary<arith::DivFOp>(lhs, rhs); }
Real operator+(Real lhs, double rhs) { return lhs + constant(lhs, rhs); }
Real operator-(Real lhs, double rhs) { return lhs - constant(lhs, rhs); }
Real operator-(double lhs, Real rhs) { return constant(rhs, lhs) - rhs; }
Real operator*(Real lhs, double rhs) { return lhs * constant(lhs, rhs); }
Real operator/(double lhs, Real rhs) { return constant(rhs, lhs) / rhs; }
Real operator-(Real number) { return unary<arith::NegFOp>(number); }
Real fma(Real a, Real b, Real c) {
  return {a.at, math::FmaOp::create(a.at->builder, a.value, b.value, c.value)};
}
Real fma(Real a, double b, Real c) { return fma(a, constant(a, b), c); }
Real fma(Real a, double b, double c) {
  return fma(a, constant(a, b), constant(a, c));
}
Real abs(Real number) { return unary<math::AbsFOp>(number); }
Real squareRoot(Real number) { return unary<math::SqrtOp>(number); }
Real floor(Real number) { return unary<math::FloorOp>(number); }
Real roundEven(Real number) { return unary<math::RoundEvenOp>(number); }
Real copySign(Real magnitude, Real sign) {
  return binary<math::CopySignOp>(magnitude, sign);
}

static Mask compare(arith::CmpFPredicate predicate, Real lhs, Real rhs) {
  return {lhs.at, arith::CmpFOp::create(lhs.at->builder, predicate, lhs.value,
                                        rhs.value)};
}
Mask operator<(Real lhs, Real rhs) {
  return compare(arith::CmpFPredicate::OLT, lhs, rhs);
}
Mask operator<(Real lhs, double rhs) { return lhs < constant(lhs, rhs); }
Mask operator<=(Real lhs, double rhs) {
  return compare(arith::CmpFPredicate::OLE, lhs, constant(lhs, rhs));
}
Mask operator>(Real lhs, Real rhs) {
  return compare(arith::CmpFPredicate::OGT, lhs, rhs);
}
Mask operator>(Real lhs, double rhs) { return lhs > constant(lhs, rhs); }
Mask operator>=(Real lhs, double rhs) {
  return compare(arith::CmpFPredicate::OGE, lhs, constant(lhs, rhs));
}
Mask operator==(Real lhs, Real rhs) {
  return compare(arith::CmpFPredicate::OEQ, lhs, rhs);
}
Mask operator==(Real lhs, double rhs) { return lhs == constant(lhs, rhs); }

Real select(Mask condition, Real then, Real otherwise) {
  return {then.at, arith::SelectOp::create(then.at->builder, condition.value,
                                           then.value, otherwise.value)};
}
Real select(Mask condition, double then, Real otherwise) {
  return select(condition, constant(otherwise, then), otherwise);
}
Real select(Mask condition, Real then, double otherwise) {
  return select(condition, then, constant(then, otherwise));
}
Real select(Mask condition, double then, double otherwise) {
  auto real = [&](double number) {
    return Real(condition.at, condition.at->constant(number));
  };
  return select(condition, real(then), real(otherwise));
}
Real atMost(Real number, double limit) {
  return select(number > limit, limit, number);
}
Real atLeast(Real number, double limit) {
  return select(number < limit, limit, number);
}

Bits toBits(Real number) {
  Elementwise &at = *number.at;
  Type type = at.withElement(at.builder.getI64Type());
  return {&at, arith::BitcastOp::create(at.builder, type, number.value)};
}
Real fromBits(Bits bits) {
  Elementwise &at = *bits.at;
  Type type = at.withElement(at.builder.getF64Type());
  return {&at, arith::BitcastOp::create(at.builder, type, bits.value)};
}
uint64_t bitsOf(double number) { return llvm::bit_cast<uint64_t>(number); }

/// One chain: the sum of c[first + 2 * i] * step^i.
static Real chain(ArrayRef<double> coefficients, size_t first, Real step) {
  size_t at = coefficients.size() - 1;
  if ((at - first) % 2)
    --at;
  Real sum = constant(step, coefficients[at]);
  for (; at > first; at -= 2)
    sum = fma(sum, step, constant(step, coefficients[at - 2]));
  return sum;
}

Real polynomial(ArrayRef<double> coefficients, Real x) {
  assert(coefficients.size() >= 2 && "expected a polynomial, not a constant");
  Real square = x * x;
  return fma(chain(coefficients, 1, square), x, chain(coefficients, 0, square));
}

} // namespace uop::math_expansion
