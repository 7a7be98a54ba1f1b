//===- HostGrid.cpp - The grid as the host computes it --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host repeats the kernel's own arithmetic. Indices are mathematical
// integers, which 64 bits may not hold: the next multiple of a size near 2^63,
// or the product of three sizes. Beside each value the host computes whether it
// is exact, and launches nothing where an extent is not.
//
//===----------------------------------------------------------------------===//

#include "UopToGPU.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace uop;

namespace {

class GridBuilder {
public:
  GridBuilder(ImplicitLocOpBuilder &builder, KernelOp kernel,
              const KernelLaunch &launch)
      : builder(builder), kernel(kernel), launch(launch) {}

  HostGrid build(ValueRange arguments, ArrayRef<SmallVector<Value>> parameters);

private:
  void copy(Operation &op, ArrayRef<SmallVector<Value>> parameters);
  void checkDivision(Operation &op);
  Value buildExactness(Operation *op, bool isProved);
  Value buildOwnExactness(Operation *op);
  Value isNegative(Value value);
  Value conjoin(Value a, Value b);

  ImplicitLocOpBuilder &builder;
  KernelOp kernel;
  const KernelLaunch &launch;
  IRMapping mapping;
  SmallVector<Operation *> clones;
  /// Of values of the host; those without an entry are exact.
  llvm::DenseMap<Value, Value> exactness;
};

} // namespace

static Value buildConstant(ImplicitLocOpBuilder &builder, Type type,
                           int64_t value) {
  return arith::ConstantOp::create(builder,
                                   builder.getIntegerAttr(type, value));
}

Value GridBuilder::conjoin(Value a, Value b) {
  return a && b ? arith::AndIOp::create(builder, a, b) : a ? a : b;
}

Value GridBuilder::isNegative(Value value) {
  Value zero = buildConstant(builder, value.getType(), 0);
  return arith::CmpIOp::create(builder, arith::CmpIPredicate::slt, value, zero);
}

/// Stops the program before a division that is undefined: by zero, or of the
/// least number by -1.
void GridBuilder::checkDivision(Operation &op) {
  bool isSigned = isa<arith::DivSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp,
                      arith::RemSIOp>(op);
  if (!isSigned && !isa<arith::DivUIOp, arith::CeilDivUIOp, arith::RemUIOp>(op))
    return;
  Value divisor = mapping.lookup(op.getOperand(1));
  std::optional<int64_t> constant = getConstantIntValue(divisor);
  auto require = [&](Value holds, const Twine &what) {
    cf::AssertOp::create(
        builder, holds,
        ("launch of @" + kernel.getSymName() + ": the number of blocks " + what)
            .str());
  };
  Type type = divisor.getType();
  if (!constant) {
    Value zero = buildConstant(builder, type, 0);
    require(
        arith::CmpIOp::create(builder, arith::CmpIPredicate::ne, divisor, zero),
        "divides by zero");
  }
  if (!isSigned || (constant && *constant != -1) || type.isInteger(1))
    return;
  unsigned width = ConstantIntRanges::getStorageBitwidth(type);
  Value least = arith::ConstantOp::create(
      builder, builder.getIntegerAttr(type, APInt::getSignedMinValue(width)));
  Value fits = arith::CmpIOp::create(builder, arith::CmpIPredicate::ne,
                                     mapping.lookup(op.getOperand(0)), least);
  if (!constant) {
    Value minusOne = buildConstant(builder, type, -1);
    Value isOther = arith::CmpIOp::create(builder, arith::CmpIPredicate::ne,
                                          divisor, minusOne);
    fits = arith::OrIOp::create(builder, fits, isOther);
  }
  require(fits, "has a quotient of more than " + Twine(width) + " bits");
}

/// Whether the op has the mathematical result for exact operands; null where it
/// always has. The op computes modulo 2^64.
Value GridBuilder::buildOwnExactness(Operation *op) {
  // Numbers of other types wrap, by their meaning.
  if (op->getNumResults() != 1 || !op->getResult(0).getType().isIndex() ||
      op->getNumOperands() != 2)
    return {};
  Value a = op->getOperand(0), b = op->getOperand(1), result = op->getResult(0);
  Value mismatch;
  if (isa<arith::AddIOp>(op)) {
    // The sum of numbers of one sign has another.
    mismatch = arith::AndIOp::create(builder,
                                     arith::XOrIOp::create(builder, a, result),
                                     arith::XOrIOp::create(builder, b, result));
  } else if (isa<arith::SubIOp>(op)) {
    mismatch =
        arith::AndIOp::create(builder, arith::XOrIOp::create(builder, a, b),
                              arith::XOrIOp::create(builder, a, result));
  } else if (isa<arith::MulIOp>(op)) {
    // The upper half of the product repeats the sign of the lower one.
    Value upper = arith::MulSIExtendedOp::create(builder, a, b).getHigh();
    Value last = buildConstant(builder, result.getType(), 63);
    return arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, upper,
                                 arith::ShRSIOp::create(builder, result, last));
  } else if (isa<arith::ShLIOp>(op)) {
    return arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, a,
                                 arith::ShRSIOp::create(builder, result, b));
  } else {
    return {};
  }
  Value zero = buildConstant(builder, result.getType(), 0);
  return arith::CmpIOp::create(builder, arith::CmpIPredicate::sge, mismatch,
                               zero);
}

/// Whether the result is that of the kernel's mathematical integers; null where
/// it always is.
Value GridBuilder::buildExactness(Operation *op, bool isProved) {
  Value exact = isProved ? Value() : buildOwnExactness(op);
  for (Value operand : op->getOperands())
    exact = conjoin(exact, exactness.lookup(operand));
  if (!isa<arith::MulIOp>(op))
    return exact;
  // Nothing times whatever it may be is nothing.
  for (Value operand : op->getOperands()) {
    Value other = op->getOperand(operand == op->getOperand(0));
    if (!exactness.lookup(other))
      continue;
    Value zero = buildConstant(builder, operand.getType(), 0);
    Value isZero =
        arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, operand, zero);
    exact = arith::OrIOp::create(builder, exact,
                                 conjoin(isZero, exactness.lookup(operand)));
  }
  return exact;
}

void GridBuilder::copy(Operation &op, ArrayRef<SmallVector<Value>> parameters) {
  // A launcher without this function knows the sizes that it passes.
  auto dim = dyn_cast<memref::DimOp>(op);
  auto argument = dim ? dyn_cast<BlockArgument>(dim.getSource()) : nullptr;
  if (argument && hasDynamicLayout(argument.getType())) {
    auto sizes = getSizes(cast<MemRefType>(argument.getType()),
                          parameters[argument.getArgNumber()]);
    if (Value size = buildDimension(
            builder, mapping.lookupOrDefault(dim.getIndex()), sizes)) {
      mapping.map(dim.getResult(), size);
      return;
    }
  }
  checkDivision(op);
  Operation *clone = builder.clone(op, mapping);
  clones.push_back(clone);
  // What overflows is looked at, and must not be poison.
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(clone);
      flags && clone->getResult(0).getType().isIndex())
    clone->setAttr(
        flags.getIntegerOverflowAttrName(),
        arith::IntegerOverflowFlagsAttr::get(
            builder.getContext(), arith::IntegerOverflowFlags::none));
  if (Value exact = buildExactness(clone, launch.exactOps.contains(&op)))
    exactness[clone->getResult(0)] = exact;
}

HostGrid GridBuilder::build(ValueRange arguments,
                            ArrayRef<SmallVector<Value>> parameters) {
  mapping.map(kernel.getBodyBlock().getArguments(), arguments);
  for (Operation &op : kernel.getBodyBlock())
    if (launch.gridOps.contains(&op))
      copy(op, parameters);
  HostGrid grid;
  for (unsigned dim = 0; dim < 3; ++dim) {
    grid.extents[dim] =
        launch.isDynamic(dim)
            ? mapping.lookup(launch.getDynamicExtent(dim))
            : arith::ConstantIndexOp::create(builder, launch.grid[dim]);
    grid.areExact[dim] = exactness.lookup(grid.extents[dim]);
  }
  for (Operation *clone : llvm::reverse(clones))
    if (isOpTriviallyDead(clone) &&
        !llvm::is_contained(grid.extents, clone->getResult(0)))
      clone->erase();
  return grid;
}

HostGrid uop::buildHostGrid(ImplicitLocOpBuilder &builder, KernelOp kernel,
                            const KernelLaunch &launch, ValueRange arguments,
                            ArrayRef<SmallVector<Value>> parameters) {
  return GridBuilder(builder, kernel, launch).build(arguments, parameters);
}

Value uop::buildHasBlocks(ImplicitLocOpBuilder &builder,
                          const KernelLaunch &launch, const HostGrid &grid) {
  Value hasBlocks;
  for (unsigned dim = 0; dim < 3; ++dim) {
    if (!launch.isDynamic(dim))
      continue;
    Value zero = arith::ConstantIndexOp::create(builder, 0);
    Value isSome = arith::CmpIOp::create(builder, arith::CmpIPredicate::sgt,
                                         grid.extents[dim], zero);
    // Whether there are blocks is not known of an extent that is not exact.
    if (Value exact = grid.areExact[dim]) {
      Value always =
          arith::ConstantIntOp::create(builder, /*value=*/1, /*width=*/1);
      isSome = arith::SelectOp::create(builder, exact, isSome, always);
    }
    hasBlocks =
        hasBlocks ? arith::AndIOp::create(builder, hasBlocks, isSome) : isSome;
  }
  return hasBlocks;
}

void uop::buildGridLimits(ImplicitLocOpBuilder &builder, KernelOp kernel,
                          const KernelLaunch &launch, const HostGrid &grid) {
  for (unsigned dim = 0; dim < 3; ++dim) {
    if (!launch.isDynamic(dim))
      continue;
    int64_t limit = kMaxGridSize[dim];
    Value most = arith::ConstantIndexOp::create(builder, limit);
    Value fits = arith::CmpIOp::create(builder, arith::CmpIPredicate::sle,
                                       grid.extents[dim], most);
    if (Value exact = grid.areExact[dim])
      fits = arith::AndIOp::create(builder, exact, fits);
    StringRef name = stringifyDimension(Dimension(dim));
    std::string message =
        ("launch of @" + kernel.getSymName() + ": expected at most " +
         Twine(limit) + " blocks along " + name +
         "; split the range over several dimensions, or let "
         "each thread do more")
            .str();
    cf::AssertOp::create(builder, fits, message);
  }
}
