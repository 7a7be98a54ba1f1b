//===- PointValues.cpp - What a linalg op computes at a point -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The payload of an op, cloned for given values of its loops, with loads for
// its operands, and the reductions over the loops that have none.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace uop;

//===----------------------------------------------------------------------===//
// The payload
//===----------------------------------------------------------------------===//

/// Whether graph form has the op.
static bool isScalarArithmetic(Operation *op) {
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect, ub::UBDialect>(
             op->getDialect()) &&
         op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::all_of(op->getResultTypes(), [](Type type) {
           return type.isSignlessIntOrIndexOrFloat();
         });
}

/// Checks the ops of a block of the payload, which is a branch or not.
static LogicalResult checkBlock(linalg::LinalgOp op, Block &block,
                                bool isBranch) {
  auto refuse = [&](Operation &payload, const Twine &message) {
    InFlightDiagnostic diag = payload.emitOpError(message);
    diag.attachNote(op.getLoc()) << "it is in the payload of this op";
    return diag;
  };
  for (Operation &payload : block.without_terminator()) {
    if (auto branch = dyn_cast<scf::IfOp>(payload)) {
      for (Region &region : branch->getRegions())
        if (!region.empty() && failed(checkBlock(op, region.front(), true)))
          return failure();
      continue;
    }
    if (isa<linalg::IndexOp, memref::LoadOp>(payload))
      continue;
    if (!isScalarArithmetic(&payload))
      return refuse(payload, "is not allowed in a kernel: expected "
                             "linalg.index, memref.load, scf.if, and pure "
                             "scalar arith and math");
    if (isBranch && !isSpeculatable(&payload))
      return refuse(payload,
                    "is in a branch, but a kernel computes both branches: "
                    "expected what may be computed in any case; choose its "
                    "operands with arith.select instead");
  }
  return success();
}

LogicalResult uop::checkPayload(linalg::LinalgOp op) {
  return checkBlock(op, *op.getBlock(), /*isBranch=*/false);
}

static Value buildNot(OpBuilder &builder, Location loc, Value condition) {
  Value yes =
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  return arith::XOrIOp::create(builder, loc, condition, yes);
}

LogicalResult KernelBuilder::buildPayloadOp(Operation *payload,
                                            const Point &point,
                                            IRMapping &mapping, Value mask) {
  if (auto branch = dyn_cast<scf::IfOp>(payload))
    return buildBranches(branch, point, mapping, mask);
  if (auto index = dyn_cast<linalg::IndexOp>(payload)) {
    mapping.map(index.getResult(), point[index.getDim()]);
    return success();
  }
  // What is read at computed indices, such as rows of a table.
  if (auto load = dyn_cast<memref::LoadOp>(payload)) {
    SmallVector<Value> indices;
    for (Value index : load.getIndices())
      indices.push_back(mapping.lookup(index));
    mapping.map(load.getResult(), readElement(load.getMemRef(), indices, mask));
    return success();
  }
  builder.clone(*payload, mapping);
  return success();
}

/// Both branches, with loads only where they are taken, and a choice.
LogicalResult KernelBuilder::buildBranches(scf::IfOp branch, const Point &point,
                                           IRMapping &mapping, Value mask) {
  Value condition = mapping.lookup(branch.getCondition());
  SmallVector<SmallVector<Value>> results;
  for (Region &region : branch->getRegions()) {
    if (region.empty())
      continue;
    bool isThen = &region == &branch.getThenRegion();
    Value taken =
        isThen ? condition : buildNot(builder, builder.getLoc(), condition);
    if (mask)
      taken = arith::AndIOp::create(builder, mask, taken);
    for (Operation &inner : region.front().without_terminator())
      if (failed(buildPayloadOp(&inner, point, mapping, taken)))
        return failure();
    SmallVector<Value> &yielded = results.emplace_back();
    for (Value value : region.front().getTerminator()->getOperands())
      yielded.push_back(mapping.lookup(value));
  }
  for (OpResult result : branch->getResults()) {
    unsigned number = result.getResultNumber();
    mapping.map(result,
                arith::SelectOp::create(builder, condition, results[0][number],
                                        results[1][number]));
  }
  return success();
}

FailureOr<Value> KernelBuilder::readLeaf(linalg::LinalgOp op, Value leaf,
                                         const Point &point) {
  auto argument = dyn_cast<BlockArgument>(leaf);
  if (!argument || argument.getOwner() != op.getBlock())
    return isa<MemRefType>(leaf.getType()) ? Value() : getOutside(leaf);
  OpOperand *operand = op.getMatchingOpOperand(argument);
  if (op.isDpsInit(operand))
    return readPrevious(op, operand->getOperandNumber() - op.getNumDpsInputs(),
                        point);
  if (!isa<MemRefType>(operand->get().getType()))
    return getOutside(operand->get());
  return readOperand(op, operand, point);
}

LogicalResult KernelBuilder::evaluate(linalg::LinalgOp op, ValueRange values,
                                      const Point &point,
                                      SmallVectorImpl<Value> &results) {
  builder.setLoc(op.getLoc());
  IRMapping &mapping = payloads[getKey(op, point)];
  PayloadSlice slice = getPayloadSlice(op, values);
  // Operands in their order, then what comes from outside.
  auto isOperand = [&](Value leaf) {
    return leaf.getParentBlock() == op.getBlock();
  };
  SmallVector<Value> leaves;
  for (BlockArgument argument : op.getBlock()->getArguments())
    if (slice.leaves.contains(argument))
      leaves.push_back(argument);
  llvm::copy_if(slice.leaves, std::back_inserter(leaves),
                [&](Value leaf) { return !isOperand(leaf); });
  for (Value leaf : leaves) {
    if (mapping.contains(leaf))
      continue;
    FailureOr<Value> value = readLeaf(op, leaf, point);
    if (failed(value))
      return failure();
    if (*value)
      mapping.map(leaf, *value);
  }
  for (Operation *payload : slice.ops) {
    if (payload->getNumResults() != 0 &&
        mapping.contains(payload->getResult(0)))
      continue;
    if (failed(buildPayloadOp(payload, point, mapping, /*mask=*/Value())))
      return failure();
  }
  for (Value value : values)
    results.push_back(mapping.lookup(value));
  return success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value KernelBuilder::readElement(Value memref, ValueRange indices, Value mask) {
  Value source = getOutside(memref);
  std::vector<void *> key{source.getAsOpaquePointer(),
                          mask.getAsOpaquePointer()};
  for (Value index : indices)
    key.push_back(index.getAsOpaquePointer());
  Value &load = loads[key];
  if (!load)
    load = LoadOp::create(builder, source, indices, mask);
  return load;
}

FailureOr<Value> KernelBuilder::readOperand(linalg::LinalgOp op,
                                            OpOperand *operand,
                                            const Point &point) {
  SmallVector<Value> indices =
      buildIndices(op.getMatchingIndexingMap(operand), point);
  if (linalg::LinalgOp producer = plan.producers.lookup(operand))
    return readProducer(producer, indices);
  return readElement(operand->get(), indices, /*mask=*/Value());
}

/// What the output had before the op, where the op is at the point.
FailureOr<Value> KernelBuilder::readPrevious(linalg::LinalgOp op,
                                             unsigned output,
                                             const Point &point) {
  OpOperand *operand = op.getDpsInitOperand(output);
  AffineMap map = op.getMatchingIndexingMap(operand);
  for (unsigned loop = 0; loop < point.size(); ++loop)
    if (!map.isFunctionOfDim(loop) && !isConstantIntValue(point[loop], 0))
      return op.emitOpError()
             << "reads what it has made of output #" << output
             << " so far: expected only a reduction into that output to read "
                "it; split the op";
  return readOperand(op, operand, point);
}

/// What an op that has one output has written there, at these indices.
FailureOr<Value> KernelBuilder::readProducer(linalg::LinalgOp producer,
                                             ValueRange indices) {
  auto [it, isNew] = produced.try_emplace(
      getKey(producer, SmallVector<Value>(indices)), Value());
  if (!isNew)
    return it->second;
  AffineMap map =
      producer.getMatchingIndexingMap(producer.getDpsInitOperand(0));
  Point point(producer.getNumLoops());
  for (auto [expr, index] : llvm::zip_equal(map.getResults(), indices))
    point[cast<AffineDimExpr>(expr).getPosition()] = index;
  for (auto [loop, value] : llvm::enumerate(point))
    if (!value && isConstantIntValue(getExtent(producer, loop), 1))
      value = getIndex(0);
  Location loc = builder.getLoc();
  FailureOr<Value> value = buildOutput(producer, 0, point);
  builder.setLoc(loc);
  if (succeeded(value))
    it->second = *value;
  return value;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// The value of an output at a point of the loops that it has.
FailureOr<Value> KernelBuilder::buildOutput(linalg::LinalgOp op,
                                            unsigned output,
                                            const Point &point) {
  builder.setLoc(op.getLoc());
  if (!llvm::is_contained(point, Value())) {
    SmallVector<Value> results;
    Value yielded = op.getBlock()->getTerminator()->getOperand(output);
    if (failed(evaluate(op, yielded, point, results)))
      return failure();
    return results.front();
  }
  FailureOr<Reduction> reduction = matchReduction(op, output);
  if (failed(reduction))
    return failure();
  if (reduction->choice)
    return buildChoice(op, output, point, *reduction->choice);
  return buildKind(op, output, point, *reduction);
}

/// The point with ranges for the loops that are to be reduced.
const KernelBuilder::ClosedPoint &
KernelBuilder::closeLoops(linalg::LinalgOp op, const Point &point) {
  auto [it, isNew] = closedPoints.try_emplace(getKey(op, point));
  ClosedPoint &closed = it->second;
  if (!isNew)
    return closed;
  closed.point = point;
  for (auto [loop, value] : llvm::enumerate(closed.point)) {
    if (value)
      continue;
    value = RangeOp::create(
        builder, AxisAttr::get(builder.getContext(), AxisKind::Reduce),
        getExtent(op, loop));
    closed.over.push_back(value);
  }
  return closed;
}

/// The point with 0 for the loops that are to be reduced, for the indices of an
/// output that has none of them.
static SmallVector<Value, 6> getOpenPoint(ArrayRef<Value> point, Value zero) {
  SmallVector<Value, 6> open(point);
  for (Value &value : open)
    if (!value)
      value = zero;
  return open;
}

FailureOr<Value> KernelBuilder::buildKind(linalg::LinalgOp op, unsigned output,
                                          const Point &point,
                                          const Reduction &reduction) {
  const ClosedPoint &closed = closeLoops(op, point);
  SmallVector<Value> values;
  if (failed(evaluate(op, reduction.values, closed.point, values)))
    return failure();
  vector::CombiningKind kind = *reduction.kind;
  Value value = values.front();
  for (Value next : ArrayRef(values).drop_front())
    value = vector::makeArithReduction(builder, builder.getLoc(), kind, value,
                                       next);
  Type type = value.getType();
  if (reduction.isNegated && isa<FloatType>(type)) {
    value = arith::NegFOp::create(builder, value);
  } else if (reduction.isNegated) {
    Value zero = arith::ConstantOp::create(builder, builder.getZeroAttr(type));
    value = arith::SubIOp::create(builder, zero, value);
  }
  Value reduced =
      ReduceOp::create(builder, kind, value, closed.over).getResult(0);
  FailureOr<Value> previous =
      readPrevious(op, output, getOpenPoint(point, getIndex(0)));
  if (failed(previous))
    return failure();
  // The reduction begins with the identity itself.
  Attribute constant;
  if (matchPattern(*previous, m_Constant(&constant)) &&
      constant == getReductionIdentity(kind, type))
    return reduced;
  return vector::makeArithReduction(builder, builder.getLoc(), kind, *previous,
                                    reduced);
}

/// Whether the new key comes before the old one.
Value KernelBuilder::buildComparison(OpBuilder &at,
                                     const Reduction::Choice &choice,
                                     Value newKey, Value oldKey) {
  IRMapping mapping;
  mapping.map(choice.comparison->getOperand(choice.isNewFirst ? 0 : 1), newKey);
  mapping.map(choice.comparison->getOperand(choice.isNewFirst ? 1 : 0), oldKey);
  Value holds = at.clone(*choice.comparison, mapping)->getResult(0);
  return choice.isTakenWhereTrue ? holds : buildNot(at, holds.getLoc(), holds);
}

/// Whether two outputs are reduced over the same loops.
static bool haveSameLoops(linalg::LinalgOp op, unsigned first,
                          unsigned second) {
  AffineMap firstMap = op.getMatchingIndexingMap(op.getDpsInitOperand(first));
  AffineMap secondMap = op.getMatchingIndexingMap(op.getDpsInitOperand(second));
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (firstMap.isFunctionOfDim(loop) != secondMap.isFunctionOfDim(loop))
      return false;
  return true;
}

/// The outputs of the choice to which this one belongs, that of the key first.
static FailureOr<SmallVector<std::pair<unsigned, Value>>>
getChosenOutputs(linalg::LinalgOp op, const Reduction::Choice &choice) {
  SmallVector<std::pair<unsigned, Value>> outputs{
      {choice.keyOutput, choice.key}};
  Operation *yield = op.getBlock()->getTerminator();
  for (unsigned other = 0; other < yield->getNumOperands(); ++other) {
    auto select = yield->getOperand(other).getDefiningOp<arith::SelectOp>();
    if (other == choice.keyOutput || !select ||
        select.getCondition().getDefiningOp() != choice.comparison)
      continue;
    if (!haveSameLoops(op, other, choice.keyOutput))
      return op.emitOpError()
             << "chooses output #" << other << " by the key in output #"
             << choice.keyOutput
             << ", which is reduced over other loops; split the op";
    FailureOr<Reduction> reduction = matchReduction(op, other);
    if (failed(reduction))
      return failure();
    outputs.push_back({other, reduction->choice->value});
  }
  return outputs;
}

/// Fills the combiner of a choice: whether there is a point, its key, and what
/// else is kept of it.
static void buildCombiner(
    ReduceOp reduce,
    function_ref<Value(OpBuilder &, Value newKey, Value oldKey)> isBefore) {
  Location loc = reduce.getLoc();
  Block &block = reduce.getCombiner().emplaceBlock();
  for (unsigned copy = 0; copy < 2; ++copy)
    for (Type type : reduce.getResultTypes())
      block.addArgument(type, loc);
  unsigned size = reduce.getNumResults();
  OpBuilder builder = OpBuilder::atBlockEnd(&block);
  ArrayRef<BlockArgument> first = block.getArguments().take_front(size);
  ArrayRef<BlockArgument> second = block.getArguments().take_back(size);
  Value before = isBefore(builder, second[1], first[1]);
  Value isEmpty = buildNot(builder, loc, first[0]);
  before = arith::OrIOp::create(builder, loc, before, isEmpty);
  before = arith::AndIOp::create(builder, loc, before, second[0]);
  SmallVector<Value> results{
      arith::OrIOp::create(builder, loc, first[0], second[0])};
  for (unsigned index = 1; index < size; ++index)
    results.push_back(arith::SelectOp::create(builder, loc, before,
                                              second[index], first[index]));
  YieldOp::create(builder, loc, results);
}

/// All outputs of a choice in one reduction. Its first value says whether a
/// point took part, so that no key has to come after all others.
FailureOr<Value> KernelBuilder::buildChoice(linalg::LinalgOp op,
                                            unsigned output, const Point &point,
                                            const Reduction::Choice &choice) {
  SmallVector<Value> &results = choices[getKey(choice.comparison, point)];
  if (!results.empty())
    return results[output];
  FailureOr<SmallVector<std::pair<unsigned, Value>>> outputs =
      getChosenOutputs(op, choice);
  if (failed(outputs))
    return failure();
  const ClosedPoint &closed = closeLoops(op, point);
  SmallVector<Value> values;
  if (failed(evaluate(op, llvm::to_vector(llvm::make_second_range(*outputs)),
                      closed.point, values)))
    return failure();

  // What is no number is never chosen.
  Value key = values.front();
  Value takesPart =
      isa<FloatType>(key.getType())
          ? Value(arith::CmpFOp::create(builder, arith::CmpFPredicate::ORD, key,
                                        key))
          : Value(
                arith::ConstantOp::create(builder, builder.getBoolAttr(true)));
  values.insert(values.begin(), takesPart);
  SmallVector<Value> identities;
  for (Value value : values)
    identities.push_back(arith::ConstantOp::create(
        builder, builder.getZeroAttr(value.getType())));
  auto isBefore = [&](OpBuilder &at, Value newKey, Value oldKey) {
    return buildComparison(at, choice, newKey, oldKey);
  };
  auto reduce = ReduceOp::create(builder, TypeRange(ValueRange(values)),
                                 vector::CombiningKindAttr(), values,
                                 identities, closed.over, /*mask=*/Value());
  buildCombiner(reduce, isBefore);

  // The previous value stays where no point comes before it.
  Point open = getOpenPoint(point, getIndex(0));
  Value isTaken;
  results.resize(op.getNumDpsInits());
  for (auto [index, chosen] : llvm::enumerate(*outputs)) {
    FailureOr<Value> previous = readPrevious(op, chosen.first, open);
    if (failed(previous))
      return failure();
    Value value = reduce.getResult(index + 1);
    if (!isTaken)
      isTaken = arith::AndIOp::create(builder, reduce.getResult(0),
                                      isBefore(builder, value, *previous));
    results[chosen.first] =
        arith::SelectOp::create(builder, isTaken, value, *previous);
  }
  return results[output];
}
