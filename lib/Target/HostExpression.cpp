//===- HostExpression.cpp - Arithmetic of the host, as text ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Python's integers do not overflow, its // and % round towards negative
// infinity, and its shifts and bit operations are those of an endless two's
// complement. Index arithmetic does not overflow either (it would be an error
// of the kernel); an operation on a narrower type is wrapped by hand.
//
//===----------------------------------------------------------------------===//

#include "HostExpression.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uop;

/// Longer texts than this come of chains that use each value twice.
static constexpr size_t kMaxLength = 4096;
static constexpr unsigned kMaxDepth = 256;

namespace {

class Writer {
public:
  explicit Writer(const llvm::DenseMap<Value, std::string> &names)
      : names(names) {}

  std::optional<std::string> write(Value value);

private:
  std::optional<std::string> writeResult(Operation *op);
  std::optional<std::string> writeBinary(Operation *op, std::string a,
                                         std::string b);

  const llvm::DenseMap<Value, std::string> &names;
  unsigned depth = 0;
};

} // namespace

static unsigned getWidth(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

static std::string power(unsigned exponent) {
  return "2**" + std::to_string(exponent);
}

/// Whether the value is seen not to be negative.
static bool isNonNegative(Value value, unsigned depth = 0) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.isNonNegative();
  Operation *op = value.getDefiningOp();
  if (!op || depth == 8)
    return false;
  if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(op))
    return llvm::is_contained(metadata.getSizes(), value);
  // Sums and products of an index do not overflow.
  bool isIndexSum =
      value.getType().isIndex() && isa<arith::AddIOp, arith::MulIOp>(op);
  if (!isIndexSum &&
      !isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp, arith::MinSIOp>(
          op))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return isNonNegative(operand, depth + 1);
  });
}

/// The operand of an unsigned operation.
static std::string toUnsigned(Value value, const std::string &text) {
  if (isNonNegative(value))
    return text;
  return "(" + text + " % " + power(getWidth(value.getType())) + ")";
}

/// The number as a signed one of that many bits.
static std::string wrap(unsigned width, const std::string &text) {
  // True is 1.
  if (width == 1)
    return "(" + text + " % 2)";
  std::string half = power(width - 1);
  return "((" + text + " + " + half + ") % " + power(width) + " - " + half +
         ")";
}

/// The result of an operation that may leave the range of its type, but not
/// that of an index.
static std::string wrap(Type type, const std::string &text) {
  return type.isIndex() ? text : wrap(getWidth(type), text);
}

static StringRef getComparison(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return "==";
  case P::ne:
    return "!=";
  case P::slt:
  case P::ult:
    return "<";
  case P::sle:
  case P::ule:
    return "<=";
  case P::sgt:
  case P::ugt:
    return ">";
  case P::sge:
  case P::uge:
    return ">=";
  }
  return "";
}

/// Rounds towards zero.
static std::string divide(const std::string &a, const std::string &b) {
  return "(" + a + " // " + b + " if (" + a + " < 0) == (" + b +
         " < 0) else -(-" + a + " // " + b + "))";
}

std::optional<std::string> Writer::writeBinary(Operation *op, std::string a,
                                               std::string b) {
  Type type = op->getResult(0).getType();
  auto infix = [&](StringRef sign) {
    return ("(" + a + " " + sign + " " + b + ")").str();
  };
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  // Whether quotients round alike, whatever the rule.
  bool sameSigns = isNonNegative(lhs) && isNonNegative(rhs);
  auto fromUnsigned = [&](const std::string &text) {
    return sameSigns ? text : wrap(getWidth(type), text);
  };
  // As a signed number, one bit that is set would be -1.
  if (type.isInteger(1) && !isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return std::nullopt;
  if (isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp, arith::MinUIOp,
          arith::MaxUIOp>(op)) {
    a = toUnsigned(lhs, a);
    b = toUnsigned(rhs, b);
  }
  return llvm::TypeSwitch<Operation *, std::optional<std::string>>(op)
      .Case([&](arith::AddIOp) { return wrap(type, infix("+")); })
      .Case([&](arith::SubIOp) { return wrap(type, infix("-")); })
      .Case([&](arith::MulIOp) { return wrap(type, infix("*")); })
      .Case([&](arith::FloorDivSIOp) { return wrap(type, infix("//")); })
      .Case([&](arith::DivUIOp) { return fromUnsigned(infix("//")); })
      .Case([&](arith::RemUIOp) { return fromUnsigned(infix("%")); })
      .Case([&](arith::DivSIOp) {
        return wrap(type, sameSigns ? infix("//") : divide(a, b));
      })
      .Case([&](arith::RemSIOp) {
        return sameSigns ? infix("%")
                         : "(" + a + " - " + b + " * " + divide(a, b) + ")";
      })
      .Case([&](arith::CeilDivSIOp) {
        return wrap(type, "-(-" + a + " // " + b + ")");
      })
      .Case([&](arith::CeilDivUIOp) {
        return fromUnsigned("-(-" + a + " // " + b + ")");
      })
      .Case([&](arith::ShLIOp) { return wrap(type, infix("<<")); })
      .Case([&](arith::ShRSIOp) { return infix(">>"); })
      .Case([&](arith::ShRUIOp) {
        return fromUnsigned("(" + toUnsigned(lhs, a) + " >> " + b + ")");
      })
      .Case([&](arith::AndIOp) { return infix("&"); })
      .Case([&](arith::OrIOp) { return infix("|"); })
      .Case([&](arith::XOrIOp) { return infix("^"); })
      .Case([&](arith::MinSIOp) { return "min(" + a + ", " + b + ")"; })
      .Case([&](arith::MaxSIOp) { return "max(" + a + ", " + b + ")"; })
      .Case([&](arith::MinUIOp) {
        return fromUnsigned("min(" + a + ", " + b + ")");
      })
      .Case([&](arith::MaxUIOp) {
        return fromUnsigned("max(" + a + ", " + b + ")");
      })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<std::string> Writer::writeResult(Operation *op) {
  SmallVector<std::string> texts;
  for (Value operand : op->getOperands()) {
    if (!operand.getType().isSignlessIntOrIndex())
      return std::nullopt;
    std::optional<std::string> text = write(operand);
    if (!text)
      return std::nullopt;
    texts.push_back(*text);
  }
  if (auto cmp = dyn_cast<arith::CmpIOp>(op)) {
    bool isUnsigned = cmp.getPredicate() >= arith::CmpIPredicate::ult;
    bool isEquality = cmp.getPredicate() <= arith::CmpIPredicate::ne;
    if (cmp.getLhs().getType().isInteger(1) && !isUnsigned && !isEquality)
      return std::nullopt;
    if (isUnsigned)
      for (unsigned i : {0u, 1u})
        texts[i] = toUnsigned(op->getOperand(i), texts[i]);
    return "(" + texts[0] + " " + getComparison(cmp.getPredicate()).str() +
           " " + texts[1] + ")";
  }
  if (isa<arith::SelectOp>(op))
    return "(" + texts[1] + " if " + texts[0] + " else " + texts[2] + ")";
  if (op->getNumOperands() == 2)
    return writeBinary(op, texts[0], texts[1]);
  if (!isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
           arith::ExtUIOp, arith::TruncIOp>(op))
    return std::nullopt;
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  if (isa<arith::IndexCastUIOp, arith::ExtUIOp>(op) && !from.isIndex())
    return toUnsigned(op->getOperand(0), texts[0]);
  // True is 1, and -1 where it is taken for signed.
  if (from.isInteger(1) && getWidth(to) > 1)
    return "-" + texts[0];
  return getWidth(to) < getWidth(from) ? wrap(getWidth(to), texts[0])
                                       : texts[0];
}

std::optional<std::string> Writer::write(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    std::string text = std::to_string(value.getType().isInteger(1)
                                          ? int64_t(constant.getZExtValue())
                                          : constant.getSExtValue());
    return constant.isNegative() && !value.getType().isInteger(1)
               ? "(" + text + ")"
               : text;
  }
  if (auto name = names.find(value); name != names.end())
    return name->second;
  Operation *op = value.getDefiningOp();
  if (!op || !isa_and_nonnull<arith::ArithDialect>(op->getDialect()) ||
      op->getNumResults() != 1 || depth == kMaxDepth)
    return std::nullopt;
  ++depth;
  std::optional<std::string> text = writeResult(op);
  --depth;
  if (!text || text->size() > kMaxLength)
    return std::nullopt;
  return text;
}

std::optional<std::string>
uop::describeValue(Value value,
                   const llvm::DenseMap<Value, std::string> &names) {
  std::optional<std::string> text = Writer(names).write(value);
  // The outermost pair of parentheses says nothing.
  if (text && text->front() == '(') {
    int depth = 0;
    for (size_t i = 0; i < text->size(); ++i) {
      depth += (*text)[i] == '(' ? 1 : (*text)[i] == ')' ? -1 : 0;
      if (depth == 0)
        return i + 1 == text->size() ? text->substr(1, i - 1) : *text;
    }
  }
  return text;
}
