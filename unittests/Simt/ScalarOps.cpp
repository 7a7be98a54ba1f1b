//===- ScalarOps.cpp - Arithmetic on the bits of scalars ------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarOps.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace mlir;
using namespace uop::simt;
using llvm::APFloat;
using llvm::APInt;

namespace {

using Bits = std::optional<uint64_t>;
using Inputs = ArrayRef<uint64_t>;

const llvm::fltSemantics *getSemantics(Type type) {
  auto floatType = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return floatType ? &floatType.getFloatSemantics() : nullptr;
}

APFloat toFloat(const llvm::fltSemantics &semantics, uint64_t bits) {
  return APFloat(semantics, APInt(APFloat::getSizeInBits(semantics), bits));
}

uint64_t toBits(const APFloat &value) {
  return value.bitcastToAPInt().getZExtValue();
}

constexpr auto nearest = llvm::RoundingMode::NearestTiesToEven;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

int64_t lowest(unsigned width) {
  return toSigned(uint64_t(1) << (width - 1), width);
}

// The quotient and the remainder towards zero.
Bits divideSigned(const ScalarTypes &types, Inputs in, bool remainder) {
  int64_t left = toSigned(in[0], types.width);
  int64_t right = toSigned(in[1], types.width);
  if (right == 0)
    return std::nullopt;
  // The one quotient that the type does not have wraps.
  if (right == -1)
    return remainder ? 0 : 0 - uint64_t(left);
  return remainder ? left % right : left / right;
}

// The quotient rounded down, or up.
Bits divideRounded(const ScalarTypes &types, Inputs in, bool up) {
  int64_t left = toSigned(in[0], types.width);
  int64_t right = toSigned(in[1], types.width);
  if (right == 0 || (right == -1 && left == lowest(types.width)))
    return std::nullopt;
  int64_t quotient = left / right;
  bool inexact = quotient * right != left;
  bool negative = (left < 0) != (right < 0);
  if (inexact && negative != up)
    quotient += up ? 1 : -1;
  return quotient;
}

template <bool isSigned> bool less(const ScalarTypes &types, Inputs in) {
  if (isSigned)
    return toSigned(in[0], types.width) < toSigned(in[1], types.width);
  return in[0] < in[1];
}

Bits compareIntegers(const ScalarTypes &types, Inputs in) {
  bool equal = in[0] == in[1];
  bool isLess = less<true>(types, in), isBelow = less<false>(types, in);
  switch (arith::CmpIPredicate(types.predicate)) {
  case arith::CmpIPredicate::eq:
    return equal;
  case arith::CmpIPredicate::ne:
    return !equal;
  case arith::CmpIPredicate::slt:
    return isLess;
  case arith::CmpIPredicate::sle:
    return isLess || equal;
  case arith::CmpIPredicate::sgt:
    return !isLess && !equal;
  case arith::CmpIPredicate::sge:
    return !isLess;
  case arith::CmpIPredicate::ult:
    return isBelow;
  case arith::CmpIPredicate::ule:
    return isBelow || equal;
  case arith::CmpIPredicate::ugt:
    return !isBelow && !equal;
  case arith::CmpIPredicate::uge:
    return !isBelow;
  }
  return std::nullopt;
}

using Table = llvm::StringMap<ScalarFunction>;

void addIntegers(Table &table) {
  using T = const ScalarTypes &;
  table["arith.addi"] = [](T, Inputs in) { return Bits(in[0] + in[1]); };
  table["arith.subi"] = [](T, Inputs in) { return Bits(in[0] - in[1]); };
  table["arith.muli"] = [](T, Inputs in) { return Bits(in[0] * in[1]); };
  table["arith.andi"] = [](T, Inputs in) { return Bits(in[0] & in[1]); };
  table["arith.ori"] = [](T, Inputs in) { return Bits(in[0] | in[1]); };
  table["arith.xori"] = [](T, Inputs in) { return Bits(in[0] ^ in[1]); };
  table["arith.divsi"] = [](T t, Inputs in) {
    return divideSigned(t, in, false);
  };
  table["arith.remsi"] = [](T t, Inputs in) {
    return divideSigned(t, in, true);
  };
  table["arith.floordivsi"] = [](T t, Inputs in) {
    return divideRounded(t, in, false);
  };
  table["arith.ceildivsi"] = [](T t, Inputs in) {
    return divideRounded(t, in, true);
  };
  table["arith.divui"] = [](T, Inputs in) {
    return in[1] ? Bits(in[0] / in[1]) : Bits();
  };
  table["arith.remui"] = [](T, Inputs in) {
    return in[1] ? Bits(in[0] % in[1]) : Bits();
  };
  table["arith.ceildivui"] = [](T, Inputs in) {
    return in[1] ? Bits(in[0] / in[1] + (in[0] % in[1] != 0)) : Bits();
  };
  table["arith.shli"] = [](T t, Inputs in) {
    return in[1] < t.width ? Bits(in[0] << in[1]) : Bits();
  };
  table["arith.shrui"] = [](T t, Inputs in) {
    return in[1] < t.width ? Bits(in[0] >> in[1]) : Bits();
  };
  table["arith.shrsi"] = [](T t, Inputs in) {
    return in[1] < t.width ? Bits(toSigned(in[0], t.width) >> in[1]) : Bits();
  };
  table["arith.maxsi"] = [](T t, Inputs in) {
    return Bits(less<true>(t, in) ? in[1] : in[0]);
  };
  table["arith.minsi"] = [](T t, Inputs in) {
    return Bits(less<true>(t, in) ? in[0] : in[1]);
  };
  table["arith.maxui"] = [](T, Inputs in) {
    return Bits(std::max(in[0], in[1]));
  };
  table["arith.minui"] = [](T, Inputs in) {
    return Bits(std::min(in[0], in[1]));
  };
  table["arith.cmpi"] = compareIntegers;
  ScalarFunction same = [](T, Inputs in) { return Bits(in[0]); };
  ScalarFunction extend = [](T t, Inputs in) {
    return Bits(toSigned(in[0], t.width));
  };
  table["arith.extui"] = table["arith.trunci"] = same;
  table["arith.index_castui"] = table["arith.bitcast"] = same;
  table["arith.extsi"] = table["arith.index_cast"] = extend;
  table["math.absi"] = [](T t, Inputs in) {
    int64_t value = toSigned(in[0], t.width);
    return Bits(value < 0 ? 0 - uint64_t(value) : value);
  };
  table["math.ctpop"] = [](T, Inputs in) {
    return Bits(llvm::popcount(in[0]));
  };
  table["math.ctlz"] = [](T t, Inputs in) {
    return Bits(llvm::countl_zero(in[0]) - (64 - t.width));
  };
  table["math.cttz"] = [](T t, Inputs in) {
    return Bits(std::min<unsigned>(llvm::countr_zero(in[0]), t.width));
  };
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

template <typename Function>
Bits onFloats(const ScalarTypes &types, Inputs in, Function compute) {
  APFloat left = toFloat(*types.semantics, in[0]);
  return toBits(compute(left, toFloat(*types.semantics, in[1])));
}

Bits compareFloats(const ScalarTypes &types, Inputs in) {
  // The predicates are bits: equal 1, greater 2, less 4, unordered 8.
  unsigned outcome = 0;
  switch (toFloat(*types.semantics, in[0])
              .compare(toFloat(*types.semantics, in[1]))) {
  case APFloat::cmpEqual:
    outcome = 1;
    break;
  case APFloat::cmpGreaterThan:
    outcome = 2;
    break;
  case APFloat::cmpLessThan:
    outcome = 4;
    break;
  case APFloat::cmpUnordered:
    outcome = 8;
    break;
  }
  using P = arith::CmpFPredicate;
  unsigned accepted = 0;
  switch (P(types.predicate)) {
  case P::AlwaysFalse:
    accepted = 0;
    break;
  case P::OEQ:
    accepted = 1;
    break;
  case P::OGT:
    accepted = 2;
    break;
  case P::OGE:
    accepted = 3;
    break;
  case P::OLT:
    accepted = 4;
    break;
  case P::OLE:
    accepted = 5;
    break;
  case P::ONE:
    accepted = 6;
    break;
  case P::ORD:
    accepted = 7;
    break;
  case P::UNO:
    accepted = 8;
    break;
  case P::UEQ:
    accepted = 9;
    break;
  case P::UGT:
    accepted = 10;
    break;
  case P::UGE:
    accepted = 11;
    break;
  case P::ULT:
    accepted = 12;
    break;
  case P::ULE:
    accepted = 13;
    break;
  case P::UNE:
    accepted = 14;
    break;
  case P::AlwaysTrue:
    accepted = 15;
    break;
  }
  return (outcome & accepted) != 0;
}

Bits changeFormat(const ScalarTypes &types, Inputs in) {
  APFloat value = toFloat(*types.semantics, in[0]);
  bool losesInfo;
  value.convert(*types.resultSemantics, nearest, &losesInfo);
  return toBits(value);
}

template <bool isSigned>
Bits integerToFloat(const ScalarTypes &types, Inputs in) {
  APFloat value(*types.resultSemantics);
  value.convertFromAPInt(APInt(types.width, in[0]), isSigned, nearest);
  return toBits(value);
}

template <bool isSigned>
Bits floatToInteger(const ScalarTypes &types, Inputs in) {
  llvm::APSInt result(types.resultWidth, /*isUnsigned=*/!isSigned);
  bool isExact;
  APFloat::opStatus status =
      toFloat(*types.semantics, in[0])
          .convertToInteger(result, llvm::RoundingMode::TowardZero, &isExact);
  if (status == APFloat::opInvalidOp)
    return std::nullopt;
  return result.getZExtValue();
}

template <llvm::RoundingMode mode>
Bits roundToIntegral(const ScalarTypes &types, Inputs in) {
  APFloat value = toFloat(*types.semantics, in[0]);
  value.roundToIntegral(mode);
  return toBits(value);
}

// The root of a double is correctly rounded, and has more than twice the bits
// of the narrower formats, so that rounding it once more is exact.
Bits squareRoot(const ScalarTypes &types, Inputs in) {
  APFloat value = toFloat(*types.semantics, in[0]);
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), nearest, &losesInfo);
  APFloat root(std::sqrt(value.convertToDouble()));
  root.convert(*types.semantics, nearest, &losesInfo);
  return toBits(root);
}

Bits fuse(const ScalarTypes &types, Inputs in) {
  APFloat value = toFloat(*types.semantics, in[0]);
  value.fusedMultiplyAdd(toFloat(*types.semantics, in[1]),
                         toFloat(*types.semantics, in[2]), nearest);
  return toBits(value);
}

void addFloats(Table &table) {
  using T = const ScalarTypes &;
  using F = const APFloat &;
  table["arith.addf"] = [](T t, Inputs in) {
    return onFloats(t, in, [](F a, F b) { return a + b; });
  };
  table["arith.subf"] = [](T t, Inputs in) {
    return onFloats(t, in, [](F a, F b) { return a - b; });
  };
  table["arith.mulf"] = [](T t, Inputs in) {
    return onFloats(t, in, [](F a, F b) { return a * b; });
  };
  table["arith.divf"] = [](T t, Inputs in) {
    return onFloats(t, in, [](F a, F b) { return a / b; });
  };
  table["arith.maximumf"] = [](T t, Inputs in) {
    return onFloats(t, in, [](F a, F b) { return llvm::maximum(a, b); });
  };
  table["arith.minimumf"] = [](T t, Inputs in) {
    return onFloats(t, in, [](F a, F b) { return llvm::minimum(a, b); });
  };
  table["arith.maxnumf"] = [](T t, Inputs in) {
    return onFloats(t, in, [](F a, F b) { return llvm::maximumnum(a, b); });
  };
  table["arith.minnumf"] = [](T t, Inputs in) {
    return onFloats(t, in, [](F a, F b) { return llvm::minimumnum(a, b); });
  };
  table["math.copysign"] = [](T t, Inputs in) {
    return onFloats(t, in, [](F a, F b) { return APFloat::copySign(a, b); });
  };
  table["arith.negf"] = [](T t, Inputs in) {
    return Bits(in[0] ^ (uint64_t(1) << (t.width - 1)));
  };
  table["math.absf"] = [](T t, Inputs in) {
    return Bits(truncate(in[0], t.width - 1));
  };
  table["arith.cmpf"] = compareFloats;
  table["arith.extf"] = table["arith.truncf"] = changeFormat;
  table["arith.sitofp"] = integerToFloat<true>;
  table["arith.uitofp"] = integerToFloat<false>;
  table["arith.fptosi"] = floatToInteger<true>;
  table["arith.fptoui"] = floatToInteger<false>;
  table["math.floor"] = roundToIntegral<llvm::RoundingMode::TowardNegative>;
  table["math.ceil"] = roundToIntegral<llvm::RoundingMode::TowardPositive>;
  table["math.trunc"] = roundToIntegral<llvm::RoundingMode::TowardZero>;
  table["math.roundeven"] = roundToIntegral<nearest>;
  table["math.round"] = roundToIntegral<llvm::RoundingMode::NearestTiesToAway>;
  table["math.sqrt"] = squareRoot;
  table["math.fma"] = fuse;
}

Table createTable() {
  Table table;
  addIntegers(table);
  addFloats(table);
  return table;
}

// Applies a function of two operands of one type.
Bits apply(StringRef name, Type type, uint64_t left, uint64_t right) {
  struct Types : ScalarTypes {
    Types(Type type) : ScalarTypes(nullptr) {
      width = resultWidth = getWidth(type);
      semantics = resultSemantics = getSemantics(type);
    }
  };
  bool isFloat = isa<FloatType>(type);
  if (isFloat != name.ends_with("f"))
    return std::nullopt;
  Bits result =
      findScalarFunction(name)(Types(type), ArrayRef<uint64_t>({left, right}));
  return truncate(*result, getWidth(type));
}

} // namespace

ScalarTypes::ScalarTypes(Operation *op) : width(0), resultWidth(0) {
  if (!op)
    return;
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  width = getWidth(from);
  resultWidth = getWidth(to);
  semantics = getSemantics(from);
  resultSemantics = getSemantics(to);
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    predicate = int64_t(compare.getPredicate());
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    predicate = int64_t(compare.getPredicate());
}

ScalarFunction uop::simt::findScalarFunction(StringRef op) {
  static const Table table = createTable();
  return table.lookup(op);
}

Bits uop::simt::combine(arith::AtomicRMWKind kind, Type type, uint64_t memory,
                        uint64_t value) {
  using Kind = arith::AtomicRMWKind;
  switch (kind) {
  case Kind::addf:
    return apply("arith.addf", type, memory, value);
  case Kind::addi:
    return apply("arith.addi", type, memory, value);
  case Kind::andi:
    return apply("arith.andi", type, memory, value);
  case Kind::assign:
    return value;
  case Kind::maximumf:
    return apply("arith.maximumf", type, memory, value);
  case Kind::maxnumf:
    return apply("arith.maxnumf", type, memory, value);
  case Kind::maxs:
    return apply("arith.maxsi", type, memory, value);
  case Kind::maxu:
    return apply("arith.maxui", type, memory, value);
  case Kind::minimumf:
    return apply("arith.minimumf", type, memory, value);
  case Kind::minnumf:
    return apply("arith.minnumf", type, memory, value);
  case Kind::mins:
    return apply("arith.minsi", type, memory, value);
  case Kind::minu:
    return apply("arith.minui", type, memory, value);
  case Kind::mulf:
    return apply("arith.mulf", type, memory, value);
  case Kind::muli:
    return apply("arith.muli", type, memory, value);
  case Kind::ori:
    return apply("arith.ori", type, memory, value);
  case Kind::xori:
    return apply("arith.xori", type, memory, value);
  }
  return std::nullopt;
}

Bits uop::simt::combine(gpu::AllReduceOperation kind, Type type, uint64_t left,
                        uint64_t right) {
  using Kind = gpu::AllReduceOperation;
  bool isFloat = isa<FloatType>(type);
  switch (kind) {
  case Kind::ADD:
    return apply(isFloat ? "arith.addf" : "arith.addi", type, left, right);
  case Kind::MUL:
    return apply(isFloat ? "arith.mulf" : "arith.muli", type, left, right);
  case Kind::AND:
    return apply("arith.andi", type, left, right);
  case Kind::OR:
    return apply("arith.ori", type, left, right);
  case Kind::XOR:
    return apply("arith.xori", type, left, right);
  case Kind::MINSI:
    return apply("arith.minsi", type, left, right);
  case Kind::MINUI:
    return apply("arith.minui", type, left, right);
  case Kind::MAXSI:
    return apply("arith.maxsi", type, left, right);
  case Kind::MAXUI:
    return apply("arith.maxui", type, left, right);
  case Kind::MINNUMF:
    return apply("arith.minnumf", type, left, right);
  case Kind::MAXNUMF:
    return apply("arith.maxnumf", type, left, right);
  case Kind::MINIMUMF:
    return apply("arith.minimumf", type, left, right);
  case Kind::MAXIMUMF:
    return apply("arith.maximumf", type, left, right);
  }
  return std::nullopt;
}
