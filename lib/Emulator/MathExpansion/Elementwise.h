//===- Elementwise.h - Arithmetic on numbers of any shape -------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds arithmetic of f64 that is the same for a scalar and for each element
// of a vector. What reads here as a formula becomes one operation of `arith` or
// `math` for each operator, in the order of the text; nothing is contracted,
// reordered or simplified.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_EMULATOR_MATHEXPANSION_ELEMENTWISE_H
#define UOP_EMULATOR_MATHEXPANSION_ELEMENTWISE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/DenseMap.h"

namespace uop::math_expansion {

/// Where operations are built, and of which shape.
class Elementwise {
public:
  /// Before `op`, of the shape of `shape`: a scalar type or a vector.
  Elementwise(mlir::Operation *op, mlir::Type shape);

  mlir::ImplicitLocOpBuilder builder;

  mlir::Type withElement(mlir::Type element) const;
  /// The constant with this number in each element; made once.
  mlir::Value constant(mlir::TypedAttr number);
  mlir::Value constant(double number);

private:
  mlir::Type shape;
  llvm::DenseMap<mlir::Attribute, mlir::Value> constants;
};

/// Truth values.
struct Mask {
  Elementwise *at;
  mlir::Value value;
};
Mask operator&(Mask lhs, Mask rhs);
Mask operator|(Mask lhs, Mask rhs);
Mask operator!(Mask mask);

/// Integers of 64 bits that wrap.
struct Bits {
  Bits(Elementwise *at, mlir::Value value) : at(at), value(value) {}

  Elementwise *at;
  mlir::Value value;
};
Bits operator+(Bits lhs, Bits rhs);
Bits operator-(Bits lhs, Bits rhs);
Bits operator&(Bits lhs, Bits rhs);
Bits operator|(Bits lhs, Bits rhs);
Bits operator^(Bits lhs, Bits rhs);
Bits operator+(Bits lhs, uint64_t rhs);
Bits operator&(Bits lhs, uint64_t rhs);
Bits operator|(Bits lhs, uint64_t rhs);
Bits operator-(uint64_t lhs, Bits rhs);
Bits operator<<(Bits bits, unsigned amount);
/// Fills with zeros.
Bits operator>>(Bits bits, unsigned amount);
Mask isZero(Bits bits);

/// Numbers of f64.
struct Real {
  Real(Elementwise *at, mlir::Value value) : at(at), value(value) {}

  Elementwise *at;
  mlir::Value value;
};
/// A constant of the shape of `like`.
Real constant(Real like, double number);

Real operator+(Real lhs, Real rhs);
Real operator-(Real lhs, Real rhs);
Real operator*(Real lhs, Real rhs);
Real operator/(Real lhs, Real rhs);
Real operator+(Real lhs, double rhs);
Real operator-(Real lhs, double rhs);
Real operator-(double lhs, Real rhs);
Real operator*(Real lhs, double rhs);
Real operator/(double lhs, Real rhs);
Real operator-(Real number);
/// a * b + c, rounded once.
Real fma(Real a, Real b, Real c);
Real fma(Real a, double b, Real c);
Real fma(Real a, double b, double c);
Real abs(Real number);
Real squareRoot(Real number);
Real floor(Real number);
Real roundEven(Real number);
Real copySign(Real magnitude, Real sign);

// Comparisons are false where an operand is NaN, but for `!=`.
Mask operator<(Real lhs, Real rhs);
Mask operator<(Real lhs, double rhs);
Mask operator<=(Real lhs, double rhs);
Mask operator>(Real lhs, Real rhs);
Mask operator>(Real lhs, double rhs);
Mask operator>=(Real lhs, double rhs);
Mask operator==(Real lhs, double rhs);
Mask operator==(Real lhs, Real rhs);

Real select(Mask condition, Real then, Real otherwise);
Real select(Mask condition, double then, Real otherwise);
Real select(Mask condition, Real then, double otherwise);
Real select(Mask condition, double then, double otherwise);
/// The lesser; NaN stays NaN.
Real atMost(Real number, double limit);
/// The greater; NaN stays NaN.
Real atLeast(Real number, double limit);

Bits toBits(Real number);
Real fromBits(Bits bits);
uint64_t bitsOf(double number);

/// c[0] + c[1] * x + c[2] * x^2 + ..., by multiply-adds in two chains, of the
/// even and of the odd powers, which a CPU works on at the same time.
Real polynomial(llvm::ArrayRef<double> coefficients, Real x);

} // namespace uop::math_expansion

#endif // UOP_EMULATOR_MATHEXPANSION_ELEMENTWISE_H
