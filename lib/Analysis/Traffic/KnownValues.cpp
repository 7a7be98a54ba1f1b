//===- KnownValues.cpp - What follows from launch and thread --------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything starts as known; what depends on something unknown joins it, until
// nothing changes. So values that loops carry are known unless something makes
// them unknown.
//
//===----------------------------------------------------------------------===//

#include "KnownValues.h"
#include "Evaluate.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uop;
using namespace uop::traffic;

LogicalResult uop::parseLaunchValue(StringRef text, LaunchValues &values) {
  text = text.trim();
  // The list may be written in braces.
  text.consume_front("{");
  text.consume_back("}");
  auto [left, right] = text.split(':');
  auto [number, dimension] = left.split('.');
  unsigned argument, dim = 0;
  int64_t value;
  bool hasDimension = left.contains('.');
  if (number.getAsInteger(10, argument) || right.getAsInteger(10, value) ||
      (hasDimension && (dimension.getAsInteger(10, dim) || value < 0)))
    return failure();
  if (hasDimension)
    values.sizes.push_back({argument, dim, value});
  else
    values.scalars.push_back({argument, value});
  return success();
}

std::optional<int64_t> LaunchValues::getScalar(unsigned argument) const {
  for (auto [number, value] : scalars)
    if (number == argument)
      return value;
  return std::nullopt;
}

std::optional<int64_t> LaunchValues::getSize(unsigned argument,
                                             unsigned dimension) const {
  for (auto [number, dim, size] : sizes)
    if (number == argument && dim == dimension)
      return size;
  return std::nullopt;
}

unsigned traffic::getIntegerWidth(Type type) {
  if (type.isIndex())
    return 64;
  return type.isSignlessInteger() && type.getIntOrFloatBitWidth() <= 64
             ? type.getIntOrFloatBitWidth()
             : 0;
}

std::optional<Opcode> traffic::getOpcode(Operation *op) {
  if (op->getNumResults() != 1 ||
      getIntegerWidth(op->getResult(0).getType()) == 0)
    return std::nullopt;
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    if (getIntegerWidth(compare.getLhs().getType()) == 0)
      return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<Opcode>>(op)
      .Case<arith::AddIOp>([](auto) { return Opcode::Add; })
      .Case<arith::SubIOp>([](auto) { return Opcode::Sub; })
      .Case<arith::MulIOp>([](auto) { return Opcode::Mul; })
      .Case<arith::DivSIOp>([](auto) { return Opcode::DivS; })
      .Case<arith::DivUIOp>([](auto) { return Opcode::DivU; })
      .Case<arith::FloorDivSIOp, FloorDivOp>(
          [](auto) { return Opcode::FloorDiv; })
      .Case<arith::CeilDivSIOp>([](auto) { return Opcode::CeilDivS; })
      .Case<arith::CeilDivUIOp>([](auto) { return Opcode::CeilDivU; })
      .Case<arith::RemSIOp>([](auto) { return Opcode::RemS; })
      .Case<arith::RemUIOp>([](auto) { return Opcode::RemU; })
      .Case<FloorModOp>([](auto) { return Opcode::FloorMod; })
      .Case<arith::AndIOp>([](auto) { return Opcode::And; })
      .Case<arith::OrIOp>([](auto) { return Opcode::Or; })
      .Case<arith::XOrIOp>([](auto) { return Opcode::Xor; })
      .Case<arith::ShLIOp>([](auto) { return Opcode::Shl; })
      .Case<arith::ShRSIOp>([](auto) { return Opcode::ShrS; })
      .Case<arith::ShRUIOp>([](auto) { return Opcode::ShrU; })
      .Case<arith::MinSIOp>([](auto) { return Opcode::MinS; })
      .Case<arith::MinUIOp>([](auto) { return Opcode::MinU; })
      .Case<arith::MaxSIOp>([](auto) { return Opcode::MaxS; })
      .Case<arith::MaxUIOp>([](auto) { return Opcode::MaxU; })
      .Case<arith::CmpIOp>([](auto) { return Opcode::Compare; })
      .Case<arith::SelectOp>([](auto) { return Opcode::Select; })
      .Case<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(
          [](auto) { return Opcode::Resize; })
      .Case<arith::IndexCastUIOp, arith::ExtUIOp>(
          [](auto) { return Opcode::ResizeU; })
      .Default([](auto) { return std::nullopt; });
}

KnownValues::KnownValues(KernelOp kernel, const RequestOptions &options)
    : options(options) {
  for (BlockArgument argument : kernel.getBody().getArguments()) {
    if (isa<MemRefType>(argument.getType()) ||
        options.values.getScalar(argument.getArgNumber()))
      continue;
    if (getConstant(argument))
      assumed.insert(argument);
    else
      unknown[argument] = argument;
  }
  do {
    hasChanged = false;
    visit(kernel.getBodyBlock(), {}, nullptr);
  } while (hasChanged);
}

std::optional<int64_t> KnownValues::getSize(Value memref,
                                            unsigned dimension) const {
  auto type = cast<MemRefType>(memref.getType());
  if (dimension >= unsigned(type.getRank()))
    return std::nullopt;
  if (!type.isDynamicDim(dimension))
    return type.getDimSize(dimension);
  auto argument = dyn_cast<BlockArgument>(memref);
  if (!argument || !isa<KernelOp>(argument.getOwner()->getParentOp()))
    return std::nullopt;
  std::optional<int64_t> size =
      options.values.getSize(argument.getArgNumber(), dimension);
  return size || !options.assumesUnknown ? size : 0;
}

std::optional<int64_t> KnownValues::getConstant(Value value) const {
  if (getIntegerWidth(value.getType()) == 0)
    return std::nullopt;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (!isa<KernelOp>(argument.getOwner()->getParentOp()))
      return std::nullopt;
    std::optional<int64_t> given =
        options.values.getScalar(argument.getArgNumber());
    return given || !options.assumesUnknown ? given : 0;
  }
  if (auto dim = value.getDefiningOp<memref::DimOp>()) {
    std::optional<int64_t> index = dim.getConstantIndex();
    if (!index || !isa<MemRefType>(dim.getSource().getType()))
      return std::nullopt;
    return getSize(dim.getSource(), *index);
  }
  // Each op once: nothing while it is evaluated, and bounded, since this
  // recurses.
  if (auto it = constants.find(value); it != constants.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  std::optional<Opcode> opcode = getOpcode(op);
  if (!opcode || depth == kMaxDepth)
    return std::nullopt;
  constants[value] = std::nullopt;
  ++depth;
  std::optional<int64_t> result = evaluateConstant(op, *opcode);
  --depth;
  return constants[value] = result;
}

std::optional<int64_t> KnownValues::evaluateConstant(Operation *op,
                                                     Opcode opcode) const {
  int64_t operands[3] = {0, 0, 0};
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    std::optional<int64_t> constant = getConstant(operand);
    if (!constant)
      return std::nullopt;
    operands[index] = *constant;
  }
  Fault fault = Fault::None;
  int64_t result = evaluate(describeOperation(op, opcode), operands[0],
                            operands[1], operands[2], fault);
  return fault == Fault::None ? std::optional(result) : std::nullopt;
}

void KnownValues::markUnknown(Value value, Value source) {
  if (source && unknown.try_emplace(value, source).second)
    hasChanged = true;
}

void KnownValues::markAssumed(Value value) {
  if (assumed.insert(value).second)
    hasChanged = true;
}

void KnownValues::follow(Value value, Value source) {
  markUnknown(value, getUnknown(source));
  if (assumed.contains(source))
    markAssumed(value);
}

/// Whether the op reads a size that the launch does not give.
static bool readsOpenSize(Operation &op, const LaunchValues &values) {
  auto dim = dyn_cast<memref::DimOp>(op);
  auto memref = dim ? dyn_cast<BlockArgument>(dim.getSource()) : nullptr;
  std::optional<int64_t> index =
      dim ? dim.getConstantIndex() : std::optional<int64_t>();
  if (!memref || !index)
    return false;
  auto type = cast<MemRefType>(memref.getType());
  return *index < type.getRank() && type.isDynamicDim(*index) &&
         !values.getSize(memref.getArgNumber(), *index);
}

void KnownValues::visitSimple(Operation &op) {
  bool isEvaluated = isa<RangeOp>(op) || getOpcode(&op);
  for (Value result : op.getResults()) {
    if (getIntegerWidth(result.getType()) == 0)
      continue;
    if (readsOpenSize(op, options.values) && options.assumesUnknown)
      markAssumed(result);
    if (!isEvaluated && !getConstant(result)) {
      markUnknown(result, result);
      continue;
    }
    // The indices of a launch are known, whatever its extent.
    if (isEvaluated && !isa<RangeOp>(op))
      for (Value operand : op.getOperands())
        follow(result, operand);
  }
}

void KnownValues::visitFor(scf::ForOp loop, Value control) {
  Value bounds;
  for (Value bound :
       {loop.getUpperBound(), loop.getLowerBound(), loop.getStep()})
    if (Value open = getOpen(bound))
      bounds = open;
  follow(loop.getInductionVar(), loop.getLowerBound());
  if (!options.assumesUnknown)
    follow(loop.getInductionVar(), loop.getStep());
  visit(*loop.getBody(), control ? control : bounds,
        loop.getUnsignedCmp() ? loop.getOperation() : nullptr);
  for (auto [init, carried, yielded, result] :
       llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs(),
                       loop.getYieldedValues(), loop.getResults())) {
    for (Value target : {Value(carried), Value(result)}) {
      follow(target, init);
      follow(target, yielded);
    }
    markUnknown(result, bounds);
  }
}

void KnownValues::visitWhile(scf::WhileOp loop, Value control) {
  scf::ConditionOp condition = loop.getConditionOp();
  Value open = getOpen(condition.getCondition());
  Value inner = control ? control : open;
  // The first part runs at least once, but not a known number of times.
  visit(*loop.getBeforeBody(), inner, nullptr);
  visit(*loop.getAfterBody(), inner, nullptr);
  for (auto [init, carried, yielded] :
       llvm::zip_equal(loop.getInits(), loop.getBeforeArguments(),
                       loop.getYieldOp().getResults())) {
    follow(carried, init);
    follow(carried, yielded);
  }
  for (auto [given, argument, result] : llvm::zip_equal(
           condition.getArgs(), loop.getAfterArguments(), loop.getResults())) {
    follow(argument, given);
    follow(result, given);
    markUnknown(result, open);
  }
}

void KnownValues::visitIf(scf::IfOp branch, Value control) {
  Value open = getOpen(branch.getCondition());
  Value inner = control ? control : open;
  visit(*branch.thenBlock(), inner, nullptr);
  if (branch.elseBlock())
    visit(*branch.elseBlock(), inner, nullptr);
  for (auto [index, result] : llvm::enumerate(branch.getResults())) {
    markUnknown(result, open);
    follow(result, branch.thenYield().getOperand(index));
    follow(result, branch.elseYield().getOperand(index));
  }
}

void KnownValues::visit(Block &block, Value control, Operation *foreignOp) {
  if (!foreignOp)
    if (Block *outer = block.getParentOp()->getBlock();
        outer && !isa<KernelOp>(block.getParentOp()))
      foreignOp = foreign.lookup(outer);
  if (control && !options.assumesUnknown)
    controls[&block] = control;
  if (foreignOp)
    foreign[&block] = foreignOp;
  for (Operation &op : block) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      visitFor(loop, control);
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      visitWhile(loop, control);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      visitIf(branch, control);
    } else if (auto phase = dyn_cast<PhaseOp>(op)) {
      visit(phase.getBody().front(), control, nullptr);
    } else {
      visitSimple(op);
      for (Region &region : op.getRegions())
        for (Block &inner : region) {
          for (Value argument : inner.getArguments())
            markUnknown(argument, argument);
          visit(inner, control, &op);
        }
    }
  }
}

std::string KnownValues::describe(Value unknown) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto argument = dyn_cast<BlockArgument>(unknown);
  if (argument && isa<KernelOp>(argument.getOwner()->getParentOp())) {
    os << "argument #" << argument.getArgNumber()
       << ", whose value is not given";
    return text;
  }
  Operation *op =
      argument ? argument.getOwner()->getParentOp() : unknown.getDefiningOp();
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    auto memref = dyn_cast<BlockArgument>(dim.getSource());
    std::optional<int64_t> index = dim.getConstantIndex();
    if (memref && index && isa<KernelOp>(memref.getOwner()->getParentOp())) {
      os << "the size of dimension #" << *index << " of argument #"
         << memref.getArgNumber() << ", which is not given";
      return text;
    }
  }
  os << "the result of " << op->getName();
  return text;
}
