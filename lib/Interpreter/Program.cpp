//===- Program.cpp - A kernel prepared for the interpreter ----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "Memory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uop;
using vector::CombiningKind;

/// Reductions and stages nest on the stack of the interpreter.
constexpr unsigned kMaxDepth = 1000;

std::string uop::describePoint(ArrayRef<RangeState> ranges,
                               ArrayRef<unsigned> numbers) {
  if (numbers.empty())
    return "";
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << " at (";
  llvm::interleaveComma(numbers, stream, [&](unsigned number) {
    const RangeState &range = ranges[number];
    RangeOp op = range.op;
    stream << op.getAxis().str() << " " << range.extent << " = " << range.value;
  });
  stream << ")";
  return text;
}

//===----------------------------------------------------------------------===//
// Slots and lists
//===----------------------------------------------------------------------===//

Slot Program::addSlot(Value value, Scalar initial) {
  Slot slot = slots.size();
  slots.push_back(std::move(initial));
  if (value)
    slotOf[value] = slot;
  return slot;
}

SmallVector<Slot, 4> Program::getSlots(ValueRange values) const {
  return llvm::map_to_vector<4>(values,
                                [&](Value value) { return getSlot(value); });
}

Slot Program::getOptionalSlot(Value value) const {
  return value ? getSlot(value) : kNoSlot;
}

SmallVector<unsigned, 4> Program::getNumbers(ArrayRef<RangeOp> list) const {
  return llvm::map_to_vector<4>(
      list, [&](RangeOp range) { return rangeNumber.lookup(range); });
}

/// The steps that compute the roots, in the order of the kernel, but not those
/// that a reduction or stage executes itself.
SmallVector<Step *> Program::collect(ValueRange roots) const {
  llvm::SetVector<Value> reached(roots.begin(), roots.end());
  SmallVector<Step *> list;
  llvm::SmallPtrSet<Step *, 16> seen;
  for (size_t i = 0; i < reached.size(); ++i) {
    Operation *op = reached[i].getDefiningOp();
    Step *step = op ? stepOf.lookup(op) : nullptr;
    if (!step || !seen.insert(step).second)
      continue;
    list.push_back(step);
    ValueRange operands = op->getOperands();
    if (auto reduce = dyn_cast<ReduceOp>(op))
      operands = reduce.getIdentities();
    else if (isa<StageOp>(op))
      operands = {};
    reached.insert(operands.begin(), operands.end());
  }
  llvm::sort(list, [](Step *a, Step *b) {
    return a != b && a->op->isBeforeInBlock(b->op);
  });
  return list;
}

void Program::setBody(Step &step, ValueRange over, ValueRange roots) {
  step.over = getNumbers(getRanges(over));
  step.body = collect(roots);
  for (Step *inner : step.body)
    step.depth = std::max(step.depth, inner->depth);
  ++step.depth;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

LogicalResult Program::build(KernelOp kernel,
                             ArrayRef<KernelArgument> kernelArguments,
                             bool contractOption) {
  arguments = kernelArguments;
  contract = contractOption;
  Block &block = kernel.getBodyBlock();
  for (auto [value, argument] :
       llvm::zip_equal(block.getArguments(), arguments)) {
    auto *scalar = std::get_if<TypedAttr>(&argument);
    addSlot(value, scalar ? getScalar(*scalar) : Scalar());
  }
  for (Operation &op : block)
    if (failed(addStep(op)))
      return failure();

  llvm::SmallVector<Value> extents;
  for (RangeState &range : ranges)
    if (range.op.getExtent())
      extents.push_back(range.op.getExtent());
  extentSteps = collect(extents);
  collectUsedLoads();
  return success();
}

void Program::collectUsedLoads() {
  llvm::SetVector<Operation *> used;
  for (Step &store : stores)
    used.insert(store.op);
  for (size_t i = 0; i < used.size(); ++i)
    for (Value operand : used[i]->getOperands())
      if (Operation *op = operand.getDefiningOp())
        used.insert(op);
  for (Step &step : steps)
    if (isa<LoadOp>(step.op) && used.contains(step.op))
      usedLoads.push_back({&step, collect(step.op->getOperands())});
}

LogicalResult Program::addStep(Operation &op) {
  if (auto range = dyn_cast<RangeOp>(op)) {
    rangeNumber[range] = ranges.size();
    RangeState state;
    state.op = range;
    state.slot = addSlot(range.getResult());
    ranges.push_back(state);
    return success();
  }
  bool isStore = isa<StoreOp>(op);
  Step &step = isStore ? stores.emplace_back() : steps.emplace_back();
  step.op = &op;
  step.point = getNumbers(freeRanges.ofAny(op.getOperands()));
  if (!isStore)
    stepOf[&op] = &step;
  for (Value result : op.getResults()) {
    step.free = getNumbers(freeRanges.of(result));
    step.results.push_back(addSlot(result));
  }
  LogicalResult prepared =
      llvm::TypeSwitch<Operation *, LogicalResult>(&op)
          .Case([&](LoadOp load) { return prepareLoad(step, load); })
          .Case([&](StoreOp store) { return prepareStore(step, store); })
          .Case([&](ReduceOp reduce) { return prepareReduce(step, reduce); })
          .Case([&](StageOp stage) { return prepareStage(step, stage); })
          .Default([&](Operation *) { return prepareScalar(step); });
  if (failed(prepared))
    return failure();
  if (step.depth > kMaxDepth)
    return op.emitOpError() << "expected at most " << kMaxDepth
                            << " reductions and stages of which each depends "
                               "on the one before";
  return success();
}

//===----------------------------------------------------------------------===//
// Scalar ops
//===----------------------------------------------------------------------===//

/// The dimension of a buffer at an index.
static ScalarFunction getDimension(const BufferArgument &buffer) {
  return [&buffer](ArrayRef<const Scalar *> operands) -> Outcome {
    int64_t dim = std::get<APInt>(*operands[0]).getSExtValue();
    if (dim < 0 || dim >= int64_t(buffer.shape.size()))
      return Outcome::undefined("is undefined: dimension " + Twine(dim) +
                                " of a memref of rank " +
                                Twine(buffer.shape.size()));
    return APInt(64, buffer.shape[dim]);
  };
}

LogicalResult Program::prepareScalar(Step &step) {
  Operation *op = step.op;
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (!isa<IntegerAttr, FloatAttr>(constant.getValue()))
      return op->emitOpError("expected a scalar constant");
    Scalar value = getScalar(constant.getValue());
    step.function = [value](ArrayRef<const Scalar *>) -> Outcome {
      if (const auto *number = std::get_if<APFloat>(&value))
        return *number;
      return std::get<APInt>(value);
    };
    return success();
  }
  if (isa<ub::PoisonOp>(op)) {
    step.function = [](ArrayRef<const Scalar *>) {
      return Outcome::poison("is undefined");
    };
    return success();
  }
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    unsigned number = cast<BlockArgument>(dim.getSource()).getArgNumber();
    step.operands = {getSlot(dim.getIndex())};
    step.function = getDimension(std::get<BufferArgument>(arguments[number]));
    return success();
  }
  step.operands = getSlots(op->getOperands());
  // A selection looks at what it does not choose, so it has no function.
  if (isa<arith::SelectOp>(op))
    return success();
  FailureOr<ScalarFunction> function = getScalarFunction(op);
  if (failed(function))
    return failure();
  step.function = *function;
  if (contract && isa<arith::AddFOp, arith::SubFOp>(op))
    contractInto(step, op->getOperand(0), op->getOperand(1),
                 isa<arith::SubFOp>(op));
  return success();
}

/// The multiplication that defines a value, or the reduced value that an
/// argument of a combiner stands for.
static arith::MulFOp getMultiplication(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (auto reduce = dyn_cast<ReduceOp>(argument.getOwner()->getParentOp())) {
      size_t count = reduce.getInputs().size();
      if (argument.getArgNumber() < count)
        return nullptr;
      value = reduce.getInputs()[argument.getArgNumber() - count];
    }
  return value.getDefiningOp<arith::MulFOp>();
}

bool Program::contractInto(Step &step, Value lhs, Value rhs,
                           bool isSubtraction) {
  auto set = [&](arith::MulFOp product, Value other, bool negateProduct,
                 bool negateAddend) {
    step.operands = {getSlot(product.getLhs()), getSlot(product.getRhs()),
                     getSlot(other)};
    step.function = getFusedFunction(negateProduct, negateAddend);
    return true;
  };
  if (arith::MulFOp product = getMultiplication(lhs))
    return set(product, rhs, false, isSubtraction);
  if (arith::MulFOp product = getMultiplication(rhs))
    return set(product, lhs, isSubtraction, false);
  return false;
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

LogicalResult Program::prepareLoad(Step &step, LoadOp load) {
  if (auto argument = dyn_cast<BlockArgument>(load.getSource()))
    step.buffer = argument.getArgNumber();
  else
    step.tile = getSlot(load.getSource());
  step.operands = getSlots(load.getIndices());
  step.mask = getOptionalSlot(load.getMask());
  if (!load.getMask())
    return success();
  if (load.getOther()) {
    step.value = getSlot(load.getOther());
    return success();
  }
  Type type = load.getType();
  if (auto floatType = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &format = floatType.getFloatSemantics();
    if (!APFloat::semanticsHasZero(format))
      return load.emitOpError() << "expected an 'else' value, for there is no "
                                   "zero of type "
                                << type;
    step.value = addSlot({}, APFloat::getZero(format));
  } else {
    step.value = addSlot({}, APInt::getZero(type.getIntOrFloatBitWidth()));
  }
  return success();
}

static LogicalResult checkKind(Operation *op, Type type) {
  if (hasArithmetic(type))
    return success();
  return op->emitOpError() << "is not known to the reference interpreter for "
                           << type
                           << ", which has no arithmetic; combine in f32";
}

LogicalResult Program::prepareStore(Step &step, StoreOp store) {
  step.buffer = cast<BlockArgument>(store.getTarget()).getArgNumber();
  step.value = getSlot(store.getValue());
  step.operands = getSlots(store.getIndices());
  step.mask = getOptionalSlot(store.getMask());
  SmallVector<Value> roots{store.getValue()};
  llvm::append_range(roots, store.getIndices());
  if (store.getMask())
    roots.push_back(store.getMask());
  setBody(step, store.getOver(), roots);
  // The domain may have ranges in which no operand is free.
  step.point = step.over;
  if (!store.getKind())
    return success();
  Type type = store.getValue().getType();
  step.function = getCombiningFunction(*store.getKind(), type);
  return checkKind(store, type);
}

//===----------------------------------------------------------------------===//
// Reductions and stages
//===----------------------------------------------------------------------===//

LogicalResult Program::prepareReduce(Step &step, ReduceOp reduce) {
  step.operands = getSlots(reduce.getInputs());
  step.mask = getOptionalSlot(reduce.getMask());
  SmallVector<Value> roots(reduce.getInputs());
  if (reduce.getMask())
    roots.push_back(reduce.getMask());
  setBody(step, reduce.getOver(), roots);
  // In the order of the kernel, with the ranges of a constant value too.
  step.point.append(step.over);
  llvm::sort(step.point);
  step.point.erase(llvm::unique(step.point), step.point.end());

  // A kind is a combiner of one step.
  if (reduce.getKind()) {
    Type type = reduce.getInputs().front().getType();
    step.accumulators = {addSlot({})};
    step.identities = {
        getScalar(getReductionIdentity(*reduce.getKind(), type))};
    Step &combine = step.combiner.emplace_back();
    combine.op = reduce;
    combine.point = step.point;
    combine.results = {addSlot({})};
    combine.operands = {step.accumulators.front(), step.operands.front()};
    combine.function = getCombiningFunction(*reduce.getKind(), type);
    step.yielded = combine.results;
    auto product = reduce.getInputs().front().getDefiningOp<arith::MulFOp>();
    if (contract && *reduce.getKind() == CombiningKind::ADD && product) {
      combine.operands = {getSlot(product.getLhs()), getSlot(product.getRhs()),
                          step.accumulators.front()};
      combine.function = getFusedFunction(false, false);
    }
    return checkKind(reduce, type);
  }

  step.identitySlots = getSlots(reduce.getIdentities());
  Block &block = reduce.getCombiner().front();
  size_t count = reduce.getInputs().size();
  for (BlockArgument argument : block.getArguments().take_front(count))
    step.accumulators.push_back(addSlot(argument));
  for (auto [argument, slot] :
       llvm::zip_equal(block.getArguments().drop_front(count), step.operands))
    slotOf[argument] = slot;
  for (Operation &op : block.without_terminator()) {
    Step &combine = step.combiner.emplace_back();
    combine.op = &op;
    combine.point = step.point;
    for (Value result : op.getResults())
      combine.results.push_back(addSlot(result));
    if (failed(prepareScalar(combine)))
      return failure();
  }
  step.yielded = getSlots(block.getTerminator()->getOperands());
  return success();
}

LogicalResult Program::prepareStage(Step &step, StageOp stage) {
  step.value = getSlot(stage.getValue());
  step.operands = getSlots(stage.getIndices());
  SmallVector<Value> roots{stage.getValue()};
  llvm::append_range(roots, stage.getIndices());
  setBody(step, stage.getOver(), roots);
  return success();
}
