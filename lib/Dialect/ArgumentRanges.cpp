//===- ArgumentRanges.cpp - Between what a scalar argument is -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/IR/ArgumentRanges.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/IR/ConstantRange.h"

using namespace mlir;
using namespace uop;

static Attribute getAttr(FunctionOpInterface function, unsigned index) {
  return function.getArgAttr(index, LLVM::LLVMDialect::getRangeAttrName());
}

/// The signed numbers from the lower end to the last before the upper one;
/// nothing where these are none, all, or two intervals.
static std::optional<ConstantIntRanges>
getInterval(LLVM::ConstantRangeAttr range) {
  APInt lower = range.getLower(), upper = range.getUpper();
  if (lower == upper || llvm::ConstantRange(lower, upper).isSignWrappedSet())
    return std::nullopt;
  return ConstantIntRanges::fromSigned(lower, upper - 1);
}

static bool hasWidth(LLVM::ConstantRangeAttr range, Type type) {
  return range.getLower().getBitWidth() ==
         ConstantIntRanges::getStorageBitwidth(type);
}

std::optional<ConstantIntRanges>
uop::getArgumentRange(FunctionOpInterface function, unsigned index) {
  // A gpu.func has block arguments for its memory, too.
  if (index >= function.getNumArguments())
    return std::nullopt;
  auto range =
      dyn_cast_or_null<LLVM::ConstantRangeAttr>(getAttr(function, index));
  Type type = function.getArgumentTypes()[index];
  if (!range || !type.isSignlessIntOrIndex() || !hasWidth(range, type))
    return std::nullopt;
  return getInterval(range);
}

std::optional<ConstantIntRanges> uop::getArgumentRange(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || !argument.getOwner()->isEntryBlock())
    return std::nullopt;
  auto function =
      dyn_cast_or_null<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return function ? getArgumentRange(function, argument.getArgNumber())
                  : std::nullopt;
}

LogicalResult uop::verifyArgumentRange(FunctionOpInterface function,
                                       unsigned index) {
  Attribute attr = getAttr(function, index);
  if (!attr)
    return success();
  Type type = function.getArgumentTypes()[index];
  auto refuse = [&] {
    return function->emitOpError()
           << "expected '" << LLVM::LLVMDialect::getRangeAttrName()
           << "' of argument #" << index << " to be ";
  };
  if (!type.isSignlessIntOrIndex())
    return function->emitOpError()
           << "expected '" << LLVM::LLVMDialect::getRangeAttrName()
           << "' on an integer or index, but argument #" << index << " is "
           << type;
  unsigned width = ConstantIntRanges::getStorageBitwidth(type);
  auto range = dyn_cast<LLVM::ConstantRangeAttr>(attr);
  if (!range)
    return refuse() << "like #llvm.constant_range<i" << width
                    << ", 0, 100>, but got " << attr;
  if (!hasWidth(range, type))
    return refuse() << "of " << width << " bits, as " << type
                    << " has, but got " << attr;
  if (!getInterval(range))
    return refuse() << "an interval of signed numbers, the lower end first, "
                       "but got "
                    << attr;
  return success();
}
