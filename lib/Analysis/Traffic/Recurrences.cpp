//===- Recurrences.cpp - How values move with a variable ------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules hold for mathematical integers. Where an op might leave the width
// of its type they apply only if all operands repeat.
//
//===----------------------------------------------------------------------===//

#include "Recurrences.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace uop;
using namespace uop::traffic;

/// Longer periods spare no work that matters.
static constexpr int64_t kMaxPeriod = int64_t(1) << 22;
/// Larger steps might leave 64 bits over such a period.
static constexpr int64_t kMaxStep = int64_t(1) << 40;

static std::optional<Recurrence> limitStep(Recurrence recurrence) {
  if (recurrence.step > kMaxStep || recurrence.step < -kMaxStep)
    return std::nullopt;
  return recurrence;
}

std::optional<int64_t> traffic::leastCommonMultiple(int64_t a, int64_t b) {
  int64_t result;
  if (llvm::MulOverflow(a, b / std::gcd(a, b), result) || result > kMaxPeriod)
    return std::nullopt;
  return result;
}

std::optional<int64_t> traffic::getPeriod(Recurrence recurrence,
                                          int64_t modulus) {
  int64_t result;
  if (llvm::MulOverflow(recurrence.period,
                        modulus / std::gcd(recurrence.step, modulus), result) ||
      result > kMaxPeriod)
    return std::nullopt;
  return result;
}

Recurrence traffic::scale(Recurrence recurrence, int64_t period) {
  return {period, recurrence.step * (period / recurrence.period)};
}

namespace {

/// Combines the recurrences of one op.
class Combiner {
public:
  Combiner(const IntegerOp &op, ArrayRef<Operand> operands,
           const ConstantIntRanges &result)
      : op(op), operands(operands), result(result) {}

  std::optional<Recurrence> run();

private:
  std::optional<Recurrence> combineRepeating() const;
  std::optional<Recurrence> combineSum(int64_t sign) const;
  std::optional<Recurrence> multiply(const Operand &value,
                                     int64_t factor) const;
  std::optional<Recurrence> divide(int64_t divisor) const;
  std::optional<Recurrence> takeRemainder(int64_t divisor) const;
  std::optional<Recurrence> combineAnd() const;
  std::optional<Recurrence> changeLowBits(const Operand &value,
                                          const Operand &low) const;
  std::optional<Recurrence> combineEqual(const Operand &a,
                                         const Operand &b) const;
  std::optional<Recurrence> combineChoice() const;

  /// What a range says of the signed value.
  static std::optional<int64_t> getConstant(const Operand &operand) {
    const ConstantIntRanges &range = *operand.range;
    if (range.smin() != range.smax())
      return std::nullopt;
    return range.smin().getSExtValue();
  }
  static bool isNonNegative(const Operand &operand) {
    return operand.range->smin().isNonNegative();
  }
  /// Whether a mathematical result in an interval fits the type.
  bool fits(__int128 low, __int128 high) const {
    return low >= -(__int128(1) << (op.width - 1)) &&
           high < __int128(1) << (op.width - 1);
  }

  const IntegerOp &op;
  ArrayRef<Operand> operands;
  const ConstantIntRanges &result;
};

} // namespace

static __int128 low(const Operand &operand) {
  return operand.range->smin().getSExtValue();
}
static __int128 high(const Operand &operand) {
  return operand.range->smax().getSExtValue();
}

/// What repeats gives what repeats, whatever the op.
std::optional<Recurrence> Combiner::combineRepeating() const {
  int64_t period = 1;
  for (const Operand &operand : operands) {
    if (!operand.recurrence || operand.recurrence->step != 0)
      return std::nullopt;
    std::optional<int64_t> common =
        leastCommonMultiple(period, operand.recurrence->period);
    if (!common)
      return std::nullopt;
    period = *common;
  }
  return Recurrence{period, 0};
}

std::optional<Recurrence> Combiner::combineSum(int64_t sign) const {
  const Operand &a = operands[0], &b = operands[1];
  bool isExact =
      op.width == 64 || (sign > 0 ? fits(low(a) + low(b), high(a) + high(b))
                                  : fits(low(a) - high(b), high(a) - low(b)));
  if (!isExact)
    return std::nullopt;
  std::optional<int64_t> period =
      leastCommonMultiple(a.recurrence->period, b.recurrence->period);
  if (!period)
    return std::nullopt;
  return limitStep({*period, scale(*a.recurrence, *period).step +
                                 sign * scale(*b.recurrence, *period).step});
}

std::optional<Recurrence> Combiner::multiply(const Operand &value,
                                             int64_t factor) const {
  if (op.width < 64) {
    __int128 one = low(value) * factor, other = high(value) * factor;
    if (!fits(std::min(one, other), std::max(one, other)))
      return std::nullopt;
  }
  int64_t step;
  if (llvm::MulOverflow(value.recurrence->step, factor, step))
    return std::nullopt;
  return limitStep({value.recurrence->period, step});
}

/// Of the first operand, rounded down or up.
std::optional<Recurrence> Combiner::divide(int64_t divisor) const {
  std::optional<int64_t> period = getPeriod(*operands[0].recurrence, divisor);
  if (!period)
    return std::nullopt;
  return Recurrence{*period,
                    scale(*operands[0].recurrence, *period).step / divisor};
}

std::optional<Recurrence> Combiner::takeRemainder(int64_t divisor) const {
  std::optional<int64_t> period = getPeriod(*operands[0].recurrence, divisor);
  if (!period)
    return std::nullopt;
  return Recurrence{*period, 0};
}

/// With a constant that is a mask of low bits, or of all but those.
std::optional<Recurrence> Combiner::combineAnd() const {
  for (unsigned index : {0u, 1u}) {
    std::optional<int64_t> mask = getConstant(operands[index]);
    const Operand &value = operands[1 - index];
    if (!mask || !value.recurrence)
      continue;
    constexpr int64_t limit = int64_t(1) << 40;
    if (*mask >= 0 && *mask < limit) {
      std::optional<int64_t> period =
          getPeriod(*value.recurrence, llvm::NextPowerOf2(*mask));
      return period ? std::optional(Recurrence{*period, 0}) : std::nullopt;
    }
    if (*mask < 0 && *mask > -limit && llvm::isPowerOf2_64(-*mask)) {
      std::optional<int64_t> period = getPeriod(*value.recurrence, -*mask);
      return period ? std::optional(scale(*value.recurrence, *period))
                    : std::nullopt;
    }
  }
  return std::nullopt;
}

/// Of a value that moves by a multiple of 2^k, where the other operand repeats
/// and has only the k lowest bits.
std::optional<Recurrence> Combiner::changeLowBits(const Operand &value,
                                                  const Operand &low) const {
  if (!value.recurrence || !low.recurrence || low.recurrence->step != 0 ||
      !isNonNegative(low) || low.range->smax().getActiveBits() > 40)
    return std::nullopt;
  std::optional<int64_t> period = getPeriod(
      *value.recurrence, int64_t(1) << low.range->smax().getActiveBits());
  if (period)
    period = leastCommonMultiple(*period, low.recurrence->period);
  if (!period)
    return std::nullopt;
  return scale(*value.recurrence, *period);
}

/// Of two values that move alike.
std::optional<Recurrence> Combiner::combineEqual(const Operand &a,
                                                 const Operand &b) const {
  if (!a.recurrence || !b.recurrence)
    return std::nullopt;
  std::optional<int64_t> period =
      leastCommonMultiple(a.recurrence->period, b.recurrence->period);
  if (!period)
    return std::nullopt;
  Recurrence first = scale(*a.recurrence, *period);
  if (first.step != scale(*b.recurrence, *period).step)
    return std::nullopt;
  return first;
}

std::optional<Recurrence> Combiner::combineChoice() const {
  const Operand &condition = operands[0];
  if (std::optional<int64_t> constant = getConstant(condition))
    return operands[*constant != 0 ? 1 : 2].recurrence;
  std::optional<Recurrence> choice = combineEqual(operands[1], operands[2]);
  if (!choice || !condition.recurrence || condition.recurrence->step != 0)
    return std::nullopt;
  std::optional<int64_t> period =
      leastCommonMultiple(choice->period, condition.recurrence->period);
  return period ? std::optional(scale(*choice, *period)) : std::nullopt;
}

std::optional<Recurrence> Combiner::run() {
  // What the interval fixes does not move.
  if (result.smin() == result.smax())
    return Recurrence{};
  if (std::optional<Recurrence> repeating = combineRepeating())
    return repeating;
  const Operand &a = operands[0], &b = operands.size() > 1 ? operands[1] : a;
  bool areKnown = a.recurrence && b.recurrence;
  std::optional<int64_t> constant = getConstant(b);
  switch (op.opcode) {
  case Opcode::Add:
    return areKnown ? combineSum(1) : std::nullopt;
  case Opcode::Sub:
    return areKnown ? combineSum(-1) : std::nullopt;
  case Opcode::Mul:
    if (constant && a.recurrence)
      return multiply(a, *constant);
    if (std::optional<int64_t> first = getConstant(a); first && b.recurrence)
      return multiply(b, *first);
    return std::nullopt;
  case Opcode::Shl:
    if (!constant || *constant < 0 || *constant > 40 || !a.recurrence)
      return std::nullopt;
    return multiply(a, int64_t(1) << *constant);
  case Opcode::And:
    return combineAnd();
  case Opcode::Or:
  case Opcode::Xor:
    if (std::optional<Recurrence> changed = changeLowBits(a, b))
      return changed;
    return changeLowBits(b, a);
  case Opcode::Select:
    return combineChoice();
  case Opcode::Compare: {
    bool isUnsigned = op.predicate >= arith::CmpIPredicate::ult;
    if (isUnsigned && !(isNonNegative(a) && isNonNegative(b)))
      return std::nullopt;
    std::optional<Recurrence> both = combineEqual(a, b);
    return both ? std::optional(Recurrence{both->period, 0}) : std::nullopt;
  }
  case Opcode::MinU:
  case Opcode::MaxU:
    if (!(isNonNegative(a) && isNonNegative(b)))
      return std::nullopt;
    [[fallthrough]];
  case Opcode::MinS:
  case Opcode::MaxS: {
    bool isMin = op.opcode == Opcode::MinS || op.opcode == Opcode::MinU;
    if (high(a) <= low(b))
      return isMin ? a.recurrence : b.recurrence;
    if (high(b) <= low(a))
      return isMin ? b.recurrence : a.recurrence;
    return combineEqual(a, b);
  }
  case Opcode::Resize: {
    bool fitsResult = op.width >= op.operandWidth || fits(low(a), high(a));
    return fitsResult ? a.recurrence : std::nullopt;
  }
  case Opcode::ResizeU:
    return isNonNegative(a) &&
                   (op.width >= op.operandWidth || fits(low(a), high(a)))
               ? a.recurrence
               : std::nullopt;
  default:
    break;
  }
  // The divisions. Rounding towards zero is rounding down from 0 on.
  if (!constant || !a.recurrence)
    return std::nullopt;
  bool isShift = op.opcode == Opcode::ShrS || op.opcode == Opcode::ShrU;
  if (isShift && (*constant < 0 || *constant > 40))
    return std::nullopt;
  int64_t divisor = isShift ? int64_t(1) << *constant : *constant;
  bool isAnySign = op.opcode == Opcode::FloorDiv ||
                   op.opcode == Opcode::FloorMod ||
                   op.opcode == Opcode::CeilDivS || op.opcode == Opcode::ShrS;
  if (divisor <= 0 || (!isAnySign && !isNonNegative(a)))
    return std::nullopt;
  bool isRemainder = op.opcode == Opcode::FloorMod ||
                     op.opcode == Opcode::RemS || op.opcode == Opcode::RemU;
  return isRemainder ? takeRemainder(divisor) : divide(divisor);
}

std::optional<Recurrence> traffic::combine(const IntegerOp &op,
                                           ArrayRef<Operand> operands,
                                           const ConstantIntRanges &result) {
  return Combiner(op, operands, result).run();
}
