//===- Printf.cpp - gpu.printf on the CPU ---------------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Printf.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace uop;

namespace {
// What one argument of a format is printed as.
struct Conversion {
  enum Kind { Signed, Unsigned, Float } kind;
  unsigned bits;
  // As it is written, from the percent sign on.
  std::string text;
};
} // namespace

// The conversions of a format, or the text of one that is not known.
static LogicalResult parseFormat(StringRef format,
                                 SmallVectorImpl<Conversion> &conversions,
                                 std::string &unknown) {
  while (true) {
    size_t begin = format.find('%');
    if (begin == StringRef::npos)
      return success();
    format = format.drop_front(begin);
    StringRef rest = format.drop_front();
    if (rest.consume_front("%")) {
      format = rest;
      continue;
    }
    // Flags, width and precision; a star takes an argument.
    size_t end = rest.find_first_not_of("-+ #0123456789.*");
    StringRef before = rest.take_front(end);
    rest = rest.drop_front(before.size());
    size_t numStars = before.count('*');
    StringRef length =
        rest.take_while([](char c) { return StringRef("hlqjzt").contains(c); });
    rest = rest.drop_front(length.size());
    unknown = format.take_front(1 + before.size() + length.size() + 1).str();
    if (rest.empty())
      return failure();
    char letter = rest.front();
    for (size_t i = 0; i < numStars; ++i)
      conversions.push_back({Conversion::Signed, 32, unknown});
    unsigned bits = length.empty() || length.front() == 'h' ? 32 : 64;
    if (letter == 'd' || letter == 'i')
      conversions.push_back({Conversion::Signed, bits, unknown});
    else if (StringRef("uoxXc").contains(letter))
      conversions.push_back({Conversion::Unsigned, bits, unknown});
    else if (StringRef("fFeEgGaA").contains(letter) && length != "q")
      conversions.push_back({Conversion::Float, 64, unknown});
    else
      return failure();
    format = rest.drop_front();
  }
}

LogicalResult uop::checkPrintf(gpu::PrintfOp op) {
  SmallVector<Conversion> conversions;
  std::string unknown;
  if (failed(parseFormat(op.getFormat(), conversions, unknown)))
    return op.emitOpError("expected conversions of integers and floats in the "
                          "format, but got '")
           << unknown << "'";
  if (conversions.size() != op.getArgs().size())
    return op.emitOpError("expected ")
           << conversions.size() << " arguments for the format, but got "
           << op.getArgs().size();
  for (auto [index, conversion, arg] :
       llvm::enumerate(conversions, op.getArgs())) {
    Type type = arg.getType();
    bool isFloat = isa<FloatType>(type);
    unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    if (isFloat == (conversion.kind == Conversion::Float) && width <= 64)
      continue;
    return op.emitOpError("expected ")
           << (conversion.kind == Conversion::Float ? "a float" : "an integer")
           << " of at most 64 bits for the conversion '" << conversion.text
           << "' of argument " << index << ", but got " << type;
  }
  return success();
}

static Value convert(ImplicitLocOpBuilder &b, Value arg,
                     const Conversion &conversion) {
  if (conversion.kind == Conversion::Float)
    return arg.getType().isF64()
               ? arg
               : arith::ExtFOp::create(b, b.getF64Type(), arg).getResult();
  if (arg.getType().isIndex())
    arg = arith::IndexCastOp::create(b, b.getI64Type(), arg);
  Type type = b.getIntegerType(conversion.bits);
  unsigned width = arg.getType().getIntOrFloatBitWidth();
  if (width == conversion.bits)
    return arg;
  if (width > conversion.bits)
    return arith::TruncIOp::create(b, type, arg);
  if (conversion.kind == Conversion::Signed && width > 1)
    return arith::ExtSIOp::create(b, type, arg);
  return arith::ExtUIOp::create(b, type, arg);
}

void uop::lowerPrintf(gpu::GPUFuncOp kernel, RuntimeCalls &runtime) {
  SmallVector<gpu::PrintfOp> ops;
  kernel.walk([&](gpu::PrintfOp op) { ops.push_back(op); });
  for (gpu::PrintfOp op : ops) {
    SmallVector<Conversion> conversions;
    std::string unknown;
    (void)parseFormat(op.getFormat(), conversions, unknown);
    ImplicitLocOpBuilder b(op.getLoc(), op);
    auto pointer = LLVM::LLVMPointerType::get(b.getContext());
    SmallVector<Value> operands{runtime.text(b, op.getFormat())};
    for (auto [arg, conversion] : llvm::zip(op.getArgs(), conversions))
      operands.push_back(convert(b, arg, conversion));
    LLVM::CallOp::create(
        b, runtime.libc("printf", b.getI32Type(), {pointer}, /*variadic=*/true),
        operands);
    op.erase();
  }
}
