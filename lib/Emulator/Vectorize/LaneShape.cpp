//===- LaneShape.cpp - Shapes through integer operations ------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaneShapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace uop;

LaneShape LaneShape::constant(int64_t value) {
  LaneShape shape = uniform();
  // The magnitude of the least number does not fit.
  shape.divisor =
      value == std::numeric_limits<int64_t>::min() ? 1 : std::abs(value);
  shape.nonNegative = value >= 0;
  shape.max = std::max<int64_t>(value, -1);
  return shape;
}

bool LaneShape::operator==(const LaneShape &other) const {
  return kind == other.kind && stride == other.stride &&
         divisor == other.divisor && nonNegative == other.nonNegative &&
         exact == other.exact && max == other.max;
}

LaneShape LaneShape::join(const LaneShape &other) const {
  if (isUnknown())
    return other;
  if (other.isUnknown())
    return *this;
  if (isVarying() || other.isVarying() || stride != other.stride)
    return varying();
  LaneShape shape = *this;
  shape.divisor = std::gcd(divisor, other.divisor);
  shape.nonNegative &= other.nonNegative;
  shape.exact &= other.exact;
  // A bound that grows with each turn of a loop would never come to rest.
  if (max != other.max)
    shape.max = -1;
  return shape;
}

namespace {

/// The shape of the result of one integer operation.
class Inference {
public:
  Inference(Operation *op, ArrayRef<LaneShape> operands, int64_t lanes)
      : op(op), in(operands), lanes(lanes) {}

  LaneShape infer();

private:
  LaneShape sum(bool negated);
  LaneShape product(const LaneShape &lhs, const LaneShape &rhs,
                    std::optional<int64_t> factor);
  LaneShape quotient(int64_t divisor, bool floors);
  LaneShape remainder(int64_t divisor, bool floors);
  LaneShape extended();
  LaneShape truncated();
  LaneShape compared(arith::CmpIPredicate predicate);
  LaneShape otherwise() const;

  std::optional<int64_t> constantOperand(unsigned index) const {
    APInt value;
    if (!matchPattern(op->getOperand(index), m_ConstantInt(&value)) ||
        !value.isSignedIntN(64))
      return std::nullopt;
    return value.getSExtValue();
  }
  /// The greatest difference between two lanes, if it is small.
  std::optional<int64_t> span(const LaneShape &shape) const {
    int64_t result;
    if (shape.stride < 0 || llvm::MulOverflow(shape.stride, lanes - 1, result))
      return std::nullopt;
    return result;
  }
  /// Whether all lanes have the same quotient by `divisor`, rounded down.
  bool staysWithin(const LaneShape &shape, int64_t divisor) const {
    std::optional<int64_t> width = span(shape);
    return width && *width < std::gcd(shape.divisor, divisor);
  }
  unsigned width(Type type) const {
    return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  }
  /// Of results for which the bound shows that they do not wrap.
  LaneShape settle(LaneShape shape, bool noWrap) const;

  Operation *op;
  ArrayRef<LaneShape> in;
  int64_t lanes;
};

} // namespace

LaneShape Inference::otherwise() const {
  if (llvm::all_of(in,
                   [](const LaneShape &shape) { return shape.isUniform(); }))
    return LaneShape::uniform();
  return LaneShape::varying();
}

LaneShape Inference::settle(LaneShape shape, bool noWrap) const {
  unsigned bits = width(op->getResult(0).getType());
  bool fits = shape.max >= 0 && (bits >= 64 || shape.max < (1ll << (bits - 1)));
  // Addresses do not reach the end of the numbers.
  bool isIndex = op->getResult(0).getType().isIndex();
  shape.exact &= fits || noWrap || isIndex;
  if (!fits)
    shape.max = -1;
  if (shape.exact)
    return shape;
  // Modulo a power of two, a multiple of a power of two stays one.
  shape.nonNegative = false;
  shape.divisor =
      shape.divisor == 0 ? 0 : (shape.divisor & -uint64_t(shape.divisor));
  return shape;
}

static bool hasNoSignedWrap(Operation *op) {
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return flags && flags.hasNoSignedWrap();
}

LaneShape Inference::sum(bool negated) {
  LaneShape shape = LaneShape::uniform();
  if (negated ? llvm::SubOverflow(in[0].stride, in[1].stride, shape.stride)
              : llvm::AddOverflow(in[0].stride, in[1].stride, shape.stride))
    return LaneShape::varying();
  shape.divisor = std::gcd(in[0].divisor, in[1].divisor);
  shape.exact = in[0].exact && in[1].exact;
  shape.nonNegative = !negated && in[0].nonNegative && in[1].nonNegative;
  if (!shape.nonNegative || in[0].max < 0 || in[1].max < 0 ||
      llvm::AddOverflow(in[0].max, in[1].max, shape.max))
    shape.max = -1;
  return settle(shape, hasNoSignedWrap(op));
}

LaneShape Inference::product(const LaneShape &lhs, const LaneShape &rhs,
                             std::optional<int64_t> factor) {
  if (!rhs.isUniform() || (!factor && !lhs.isUniform()))
    return LaneShape::varying();
  LaneShape shape = LaneShape::uniform();
  if (llvm::MulOverflow(lhs.stride, factor.value_or(1), shape.stride))
    return LaneShape::varying();
  if (llvm::MulOverflow(lhs.divisor, rhs.divisor, shape.divisor))
    shape.divisor = 1;
  shape.exact = lhs.exact && rhs.exact;
  shape.nonNegative = lhs.nonNegative && rhs.nonNegative;
  if (!shape.nonNegative || lhs.max < 0 || rhs.max < 0 ||
      llvm::MulOverflow(lhs.max, rhs.max, shape.max))
    shape.max = -1;
  return settle(shape, hasNoSignedWrap(op));
}

LaneShape Inference::quotient(int64_t divisor, bool floors) {
  const LaneShape &shape = in[0];
  if (shape.isUniform() || !shape.isStrided() || divisor <= 0 || !shape.exact ||
      (!floors && !shape.nonNegative))
    return otherwise();
  LaneShape result = LaneShape::uniform();
  result.nonNegative = shape.nonNegative;
  result.max = shape.max < 0 ? -1 : shape.max / divisor;
  if (staysWithin(shape, divisor))
    return result;
  if (shape.stride % divisor != 0 || shape.divisor % divisor != 0)
    return LaneShape::varying();
  result.stride = shape.stride / divisor;
  result.divisor = shape.divisor / divisor;
  return result;
}

LaneShape Inference::remainder(int64_t divisor, bool floors) {
  const LaneShape &shape = in[0];
  if (!shape.isStrided() || divisor <= 0 || !shape.exact ||
      (!floors && !shape.nonNegative))
    return otherwise();
  LaneShape result = LaneShape::uniform();
  result.nonNegative = true;
  result.max = divisor - 1;
  result.divisor = std::gcd(shape.divisor, divisor);
  if (shape.stride % divisor == 0)
    return result;
  if (!staysWithin(shape, divisor))
    return LaneShape::varying();
  result.stride = shape.stride;
  return result;
}

LaneShape Inference::extended() {
  if (!in[0].isStrided() || (!in[0].isUniform() && !in[0].exact))
    return LaneShape::varying();
  // A negative number that is extended by zeros is another one.
  bool isSigned = isa<arith::ExtSIOp, arith::IndexCastOp>(op);
  if (isSigned || in[0].nonNegative)
    return in[0];
  return otherwise();
}

LaneShape Inference::truncated() {
  if (!in[0].isStrided())
    return LaneShape::varying();
  return settle(in[0], false);
}

LaneShape Inference::compared(arith::CmpIPredicate predicate) {
  using Predicate = arith::CmpIPredicate;
  bool isOrder = predicate == Predicate::slt || predicate == Predicate::sge;
  bool isUnsignedOrder =
      predicate == Predicate::ult || predicate == Predicate::uge;
  bool known =
      isOrder || (isUnsignedOrder && in[0].nonNegative && in[1].nonNegative);
  // Lanes between two multiples of a number are on one side of each of them.
  if (known && in[0].isStrided() && in[0].exact && in[1].isUniform() &&
      staysWithin(in[0], in[1].divisor))
    return LaneShape::uniform();
  return otherwise();
}

LaneShape Inference::infer() {
  if (llvm::any_of(in, [](const LaneShape &s) { return s.isUnknown(); }))
    return LaneShape();
  if (llvm::any_of(in, [](const LaneShape &s) { return s.isVarying(); }))
    return LaneShape::varying();
  if (op->getNumResults() != 1 || !op->getResult(0).getType().isIntOrIndex())
    return otherwise();
  auto shiftAmount = [&]() -> std::optional<int64_t> {
    std::optional<int64_t> amount = constantOperand(1);
    if (!amount || *amount < 0 || *amount > 62 ||
        *amount >= width(op->getResult(0).getType()))
      return std::nullopt;
    return 1ll << *amount;
  };
  return llvm::TypeSwitch<Operation *, LaneShape>(op)
      .Case([&](arith::AddIOp) { return sum(/*negated=*/false); })
      .Case([&](arith::SubIOp) { return sum(/*negated=*/true); })
      .Case([&](arith::MulIOp) {
        std::optional<int64_t> factor = constantOperand(0);
        if (factor || !in[1].isUniform())
          return product(in[1], in[0], factor);
        return product(in[0], in[1], constantOperand(1));
      })
      .Case([&](arith::ShLIOp) {
        std::optional<int64_t> factor = shiftAmount();
        return factor ? product(in[0], LaneShape::constant(*factor), factor)
                      : otherwise();
      })
      .Case<arith::DivSIOp, arith::DivUIOp>([&](auto) {
        std::optional<int64_t> divisor = constantOperand(1);
        return divisor ? quotient(*divisor, /*floors=*/false) : otherwise();
      })
      .Case([&](arith::FloorDivSIOp) {
        std::optional<int64_t> divisor = constantOperand(1);
        return divisor ? quotient(*divisor, /*floors=*/true) : otherwise();
      })
      .Case([&](arith::ShRSIOp) {
        std::optional<int64_t> divisor = shiftAmount();
        return divisor ? quotient(*divisor, /*floors=*/true) : otherwise();
      })
      .Case([&](arith::ShRUIOp) {
        std::optional<int64_t> divisor = shiftAmount();
        return divisor ? quotient(*divisor, /*floors=*/false) : otherwise();
      })
      .Case<arith::RemSIOp, arith::RemUIOp>([&](auto) {
        std::optional<int64_t> divisor = constantOperand(1);
        return divisor ? remainder(*divisor, /*floors=*/false) : otherwise();
      })
      .Case([&](arith::AndIOp) {
        std::optional<int64_t> mask = constantOperand(1);
        bool isLow = mask && *mask > 0 && llvm::isMask_64(*mask) &&
                     *mask < std::numeric_limits<int64_t>::max();
        return isLow ? remainder(*mask + 1, /*floors=*/true) : otherwise();
      })
      .Case<arith::ExtSIOp, arith::ExtUIOp>([&](auto) { return extended(); })
      .Case([&](arith::TruncIOp) { return truncated(); })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp>([&](Operation *cast) {
        unsigned from = width(cast->getOperand(0).getType());
        unsigned to = width(cast->getResult(0).getType());
        if (from == to)
          return in[0];
        return from < to ? extended() : truncated();
      })
      .Case([&](arith::SelectOp) {
        return in[0].isUniform() ? in[1].join(in[2]) : LaneShape::varying();
      })
      .Case([&](arith::CmpIOp cmp) { return compared(cmp.getPredicate()); })
      .Default([&](Operation *) { return otherwise(); });
}

LaneShape uop::inferLaneShape(Operation *op, ArrayRef<LaneShape> operands,
                              int64_t lanes) {
  return Inference(op, operands, lanes).infer();
}
