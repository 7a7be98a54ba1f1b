//===- Evaluate.cpp - Integer arithmetic of warps -------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluate.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;
using namespace uop::traffic;

IntegerOp traffic::describeOperation(Operation *op, Opcode opcode) {
  auto predicate = arith::CmpIPredicate::eq;
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    predicate = compare.getPredicate();
  Value last = op->getOperand(op->getNumOperands() - 1);
  return {opcode, predicate, getIntegerWidth(op->getResult(0).getType()),
          getIntegerWidth(last.getType())};
}

static bool compare(arith::CmpIPredicate predicate, int64_t a, int64_t b) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return a < b;
  case arith::CmpIPredicate::sle:
    return a <= b;
  case arith::CmpIPredicate::sgt:
    return a > b;
  case arith::CmpIPredicate::sge:
    return a >= b;
  // Sign extension keeps the order of unsigned integers.
  case arith::CmpIPredicate::ult:
    return uint64_t(a) < uint64_t(b);
  case arith::CmpIPredicate::ule:
    return uint64_t(a) <= uint64_t(b);
  case arith::CmpIPredicate::ugt:
    return uint64_t(a) > uint64_t(b);
  case arith::CmpIPredicate::uge:
    return uint64_t(a) >= uint64_t(b);
  }
  return false;
}

static uint64_t zeroExtend(int64_t value, unsigned width) {
  return uint64_t(value) & llvm::maskTrailingOnes<uint64_t>(width);
}

/// The remainder has the sign of the numerator.
static int64_t remainder(int64_t a, int64_t b) { return b == -1 ? 0 : a % b; }

/// The quotient rounded towards zero; the least integer wraps.
static int64_t quotient(int64_t a, int64_t b) {
  return b == -1 ? int64_t(0 - uint64_t(a)) : a / b;
}

static int64_t evaluateRaw(const IntegerOp &op, int64_t a, int64_t b, int64_t c,
                           Fault &fault) {
  switch (op.opcode) {
  case Opcode::Add:
    return uint64_t(a) + uint64_t(b);
  case Opcode::Sub:
    return uint64_t(a) - uint64_t(b);
  case Opcode::Mul:
    return uint64_t(a) * uint64_t(b);
  case Opcode::And:
    return a & b;
  case Opcode::Or:
    return a | b;
  case Opcode::Xor:
    return a ^ b;
  case Opcode::MinS:
    return std::min(a, b);
  case Opcode::MaxS:
    return std::max(a, b);
  case Opcode::MinU:
    return std::min(uint64_t(a), uint64_t(b));
  case Opcode::MaxU:
    return std::max(uint64_t(a), uint64_t(b));
  case Opcode::Compare:
    return compare(op.predicate, a, b) ? -1 : 0;
  case Opcode::Select:
    return a != 0 ? b : c;
  case Opcode::Resize:
    return a;
  case Opcode::ResizeU:
    return zeroExtend(a, op.operandWidth);
  default:
    break;
  }
  if (op.opcode == Opcode::Shl || op.opcode == Opcode::ShrS ||
      op.opcode == Opcode::ShrU) {
    if (zeroExtend(b, op.width) >= op.width) {
      fault = Fault::ShiftTooFar;
      return 0;
    }
    return op.opcode == Opcode::Shl    ? int64_t(uint64_t(a) << b)
           : op.opcode == Opcode::ShrS ? a >> b
                                       : int64_t(zeroExtend(a, op.width) >> b);
  }
  if (b == 0) {
    fault = Fault::DivisionByZero;
    return 0;
  }
  uint64_t ua = zeroExtend(a, op.width), ub = zeroExtend(b, op.width);
  int64_t rest = remainder(a, b);
  bool isBetween = rest != 0 && (rest < 0) != (b < 0);
  switch (op.opcode) {
  case Opcode::DivS:
    return quotient(a, b);
  case Opcode::DivU:
    return ua / ub;
  case Opcode::FloorDiv:
    return quotient(a, b) - isBetween;
  case Opcode::CeilDivS:
    return quotient(a, b) + (rest != 0 && !isBetween);
  case Opcode::CeilDivU:
    return ua / ub + (ua % ub != 0);
  case Opcode::RemS:
    return rest;
  case Opcode::RemU:
    return ua % ub;
  case Opcode::FloorMod:
    return isBetween ? rest + b : rest;
  default:
    return 0;
  }
}

static inline int64_t evaluateInline(const IntegerOp &op, int64_t a, int64_t b,
                                     int64_t c, Fault &fault) {
  int64_t result = evaluateRaw(op, a, b, c, fault);
  return op.width == 64 ? result : llvm::SignExtend64(result, op.width);
}

int64_t traffic::evaluate(const IntegerOp &op, int64_t a, int64_t b, int64_t c,
                          Fault &fault) {
  return evaluateInline(op, a, b, c, fault);
}

/// The common ones without a switch in the loop.
template <typename Function>
static void evaluateEach(const IntegerOp &op, unsigned numLanes, Lanes &result,
                         Function function) {
  for (unsigned lane = 0; lane < numLanes; ++lane)
    result[lane] = function(lane);
  if (op.width < 64)
    for (unsigned lane = 0; lane < numLanes; ++lane)
      result[lane] = llvm::SignExtend64(result[lane], op.width);
}

Fault traffic::evaluate(const IntegerOp &op, const Lanes &a, const Lanes &b,
                        const Lanes &c, unsigned numLanes, LaneMask active,
                        Lanes &result) {
  switch (op.opcode) {
  case Opcode::Add:
    evaluateEach(op, numLanes, result, [&](unsigned lane) {
      return int64_t(uint64_t(a[lane]) + uint64_t(b[lane]));
    });
    return Fault::None;
  case Opcode::Sub:
    evaluateEach(op, numLanes, result, [&](unsigned lane) {
      return int64_t(uint64_t(a[lane]) - uint64_t(b[lane]));
    });
    return Fault::None;
  case Opcode::Mul:
    evaluateEach(op, numLanes, result, [&](unsigned lane) {
      return int64_t(uint64_t(a[lane]) * uint64_t(b[lane]));
    });
    return Fault::None;
  default:
    break;
  }
  Fault fault = Fault::None;
  for (unsigned lane = 0; lane < numLanes; ++lane) {
    Fault ofLane = Fault::None;
    result[lane] = evaluateInline(op, a[lane], b[lane], c[lane], ofLane);
    if (ofLane != Fault::None && (active >> lane & 1))
      fault = ofLane;
  }
  return fault;
}
