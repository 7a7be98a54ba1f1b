//===- ArgumentChecks.cpp - Hold the caller to what is stated -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Conversion/ArgumentChecks.h"
#include "Uop/Analysis/Divisibility.h"
#include "Uop/IR/ArgumentRanges.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace uop;

void uop::buildRangeChecks(ImplicitLocOpBuilder &builder, KernelOp kernel,
                           ValueRange arguments) {
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    std::optional<ConstantIntRanges> range = getArgumentRange(kernel, index);
    if (!range)
      continue;
    auto compare = [&, argument = argument](arith::CmpIPredicate predicate,
                                            const APInt &bound) -> Value {
      Value end = arith::ConstantOp::create(
          builder, builder.getIntegerAttr(argument.getType(), bound));
      return arith::CmpIOp::create(builder, predicate, argument, end);
    };
    Value isWithin = arith::AndIOp::create(
        builder, compare(arith::CmpIPredicate::sge, range->smin()),
        compare(arith::CmpIPredicate::sle, range->smax()));
    std::string message =
        ("launch of @" + kernel.getSymName() + ": expected argument " +
         Twine(index) + " to be " + Twine(range->smin().getSExtValue()) +
         " to " + Twine(range->smax().getSExtValue()) +
         ", as its llvm.range says")
            .str();
    cf::AssertOp::create(builder, isWithin, message);
  }
}

void uop::buildAlignmentChecks(ImplicitLocOpBuilder &builder, KernelOp kernel,
                               ValueRange arguments) {
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    auto align = kernel.getArgAttrOfType<IntegerAttr>(index, "llvm.align");
    if (!type || !align || align.getValue().isZero())
      continue;
    int64_t bytes = int64_t(1) << Divisibility::of(align.getValue());
    if (bytes <= getNumBytes(type.getElementType()).value_or(1))
      continue;
    Value address =
        memref::ExtractAlignedPointerAsIndexOp::create(builder, argument);
    Value mask = arith::ConstantIndexOp::create(builder, bytes - 1);
    Value rest = arith::AndIOp::create(builder, address, mask);
    Value zero = arith::ConstantIndexOp::create(builder, 0);
    Value isAligned =
        arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, rest, zero);
    std::string message =
        ("launch of @" + kernel.getSymName() + ": expected argument " +
         Twine(index) + " to begin at a multiple of " + Twine(bytes) +
         " bytes, as its llvm.align says")
            .str();
    cf::AssertOp::create(builder, isAligned, message);
  }
}
