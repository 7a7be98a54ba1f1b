//===- VectorCode.cpp - Values and operations of a vector of threads ------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorCode.h"

#include "../Checked/ShadowCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uop;

static int64_t numElements(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

VectorType VectorCode::vectorOf(Type element) const {
  return VectorType::get({lanes}, element);
}

SmallVector<Type> VectorCode::partTypes(Value value) const {
  Type type = value.getType();
  if (isStrided(value))
    return {type};
  return SmallVector<Type>(numElements(type),
                           vectorOf(getElementTypeOrSelf(type)));
}

SmallVector<Type> VectorCode::partTypes(ValueRange values) const {
  SmallVector<Type> types;
  for (Value value : values)
    llvm::append_range(types, partTypes(value));
  return types;
}

Value VectorCode::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

Value VectorCode::zero(Type type) {
  if (TypedAttr attr = b.getZeroAttr(type))
    return arith::ConstantOp::create(b, attr);
  return ub::PoisonOp::create(b, type);
}

Value VectorCode::spread(Value scalar, int64_t stride) {
  VectorType type = vectorOf(scalar.getType());
  Value all = vector::BroadcastOp::create(b, type, scalar);
  if (stride == 0)
    return all;
  return arith::AddIOp::create(b, all, multiplesOf(stride, scalar.getType()));
}

Value VectorCode::multiplesOf(int64_t stride, Type element) {
  unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  SmallVector<APInt> numbers;
  for (int64_t lane = 0; lane < lanes; ++lane)
    numbers.push_back(
        APInt(64, lane * stride, /*isSigned=*/true).sextOrTrunc(width));
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(vectorOf(element), numbers));
}

Value VectorCode::first(Value value) {
  if (shapes.isPrivateBuffer(value))
    return bufferOf(value);
  auto it = environment.find(value);
  return it == environment.end() ? value : it->second.front();
}

Value VectorCode::last(Value value) {
  Value scalar = first(value);
  int64_t span = shapes.get(value).stride * (lanes - 1);
  Value width =
      arith::ConstantOp::create(b, b.getIntegerAttr(scalar.getType(), span));
  return b.createOrFold<arith::AddIOp>(scalar, width);
}

VectorCode::Parts VectorCode::vectors(Value value) {
  LaneShape shape = shapes.get(value);
  if (shape.isVarying())
    return environment.lookup(value);
  Value scalar = first(value);
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type)
    return {spread(scalar, shape.stride)};
  Parts parts;
  for (Value element : vector::ToElementsOp::create(b, scalar).getElements())
    parts.push_back(spread(element, 0));
  return parts;
}

void VectorCode::appendAs(Value target, Value value,
                          SmallVectorImpl<Value> &result) {
  if (isStrided(target))
    result.push_back(first(value));
  else
    llvm::append_range(result, vectors(value));
}

void VectorCode::define(Value value, ValueRange parts) {
  environment[value].assign(parts.begin(), parts.end());
}

void VectorCode::defineAll(ValueRange values, ValueRange parts) {
  for (Value value : values) {
    unsigned count = isStrided(value) ? 1 : numElements(value.getType());
    define(value, parts.take_front(count));
    parts = parts.drop_front(count);
  }
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

Value VectorCode::activeMask() {
  if (mask)
    return mask;
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(vectorOf(b.getI1Type()), true));
}

/// Not `andi`: a condition of a lane that takes no part may be poison.
Value VectorCode::narrow(Value condition) {
  return mask ? arith::SelectOp::create(b, mask, condition,
                                        zero(condition.getType()))
              : condition;
}

Value VectorCode::anyOf(Value condition) {
  return vector::ReductionOp::create(b, vector::CombiningKind::OR, condition);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void VectorCode::emit(OpBuilder &builder, Value firstThread, Value lanesHere) {
  b.restoreInsertionPoint(builder.saveInsertionPoint());
  mask = lanesHere;
  define(threads.getInductionVar(), firstThread);
  emitBlock(*threads.getBody());
}

void VectorCode::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    emitOp(&op);
}

void VectorCode::emitOp(Operation *op) {
  b.setLoc(op->getLoc());
  if (isa<memref::AllocaOp>(op))
    return;
  if (isSerial(op))
    return emitLaneByLane(op);
  if (ShadowAccess::isOne(op))
    return emitShadowAccess(cast<func::CallOp>(op));
  if (auto ifOp = dyn_cast<scf::IfOp>(op))
    return emitIf(ifOp);
  if (auto forOp = dyn_cast<scf::ForOp>(op))
    return emitFor(forOp);
  if (auto whileOp = dyn_cast<scf::WhileOp>(op))
    return emitWhile(whileOp);
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return emitStore(op, store.getValue(), store.getMemRef(),
                     store.getIndices());
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return emitStore(op, store.getValueToStore(), store.getBase(),
                     store.getIndices());
  if (op->getNumResults() != 0 &&
      llvm::all_of(op->getResults(),
                   [&](Value result) { return isStrided(result); }))
    return emitScalar(op);
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return emitLoad(op, load.getMemRef(), load.getIndices());
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return emitLoad(op, load.getBase(), load.getIndices());
  if (isElementwise(op))
    return emitElementwise(op);
  if (!emitVectorOp(op))
    emitLaneByLane(op);
}

/// What an operation promises of its operands holds for the lanes that take
/// part, and it is computed for others, too.
static void dropPromises(Operation *op) {
  auto none = arith::IntegerOverflowFlags::none;
  if (isa<arith::ArithIntegerOverflowFlagsInterface>(op))
    op->setAttr("overflowFlags",
                arith::IntegerOverflowFlagsAttr::get(op->getContext(), none));
  for (StringRef name : {"isExact", "nonNeg", "isDisjoint"})
    if (op->hasAttr(name))
      op->removeAttr(name);
}

void VectorCode::emitScalar(Operation *op) {
  IRMapping map;
  for (Value operand : op->getOperands())
    map.map(operand, first(operand));
  Operation *copy = b.clone(*op, map);
  dropPromises(copy);
  for (auto [result, value] : llvm::zip(op->getResults(), copy->getResults()))
    define(result, value);
}

bool uop::isElementwise(Operation *op) {
  if (OpTrait::hasElementwiseMappableTraits(op) ||
      isa<LLVM::MaximumOp, LLVM::MinimumOp>(op))
    return true;
  // What uop-lower-extrema makes.
  auto call = dyn_cast<LLVM::CallIntrinsicOp>(op);
  return call && (call.getIntrin() == "llvm.maximumnum" ||
                  call.getIntrin() == "llvm.minimumnum");
}

void VectorCode::emitElementwise(Operation *op) {
  SmallVector<Parts> operands;
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    bool isChoice = isa<arith::SelectOp>(op) && number == 0 &&
                    operand.getType().isInteger(1) && isStrided(operand);
    operands.push_back(isChoice ? Parts{first(operand)} : vectors(operand));
  }
  // A lane that takes no part must not divide by zero.
  bool divides =
      isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
          arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
  if (mask && divides)
    for (Value &divisor : operands[1]) {
      auto type = cast<VectorType>(divisor.getType());
      Value one = arith::ConstantOp::create(
          b, DenseElementsAttr::get(
                 type, b.getIntegerAttr(type.getElementType(), 1)));
      divisor = arith::SelectOp::create(b, mask, divisor, one);
    }
  SmallVector<Parts> results(op->getNumResults());
  int64_t count = numElements(op->getResult(0).getType());
  for (int64_t part = 0; part < count; ++part) {
    OperationState state(op->getLoc(), op->getName());
    for (const Parts &parts : operands)
      state.operands.push_back(parts[parts.size() == 1 ? 0 : part]);
    for (Value result : op->getResults())
      state.types.push_back(vectorOf(getElementTypeOrSelf(result.getType())));
    state.addAttributes(op->getAttrs());
    Operation *copy = b.create(state);
    dropPromises(copy);
    for (auto [parts, value] : llvm::zip(results, copy->getResults()))
      parts.push_back(value);
  }
  for (auto [result, parts] : llvm::zip(op->getResults(), results))
    define(result, parts);
}

/// Where an element of a vector lies in the row of all of its elements.
static std::optional<int64_t> linearPosition(ArrayRef<int64_t> position,
                                             VectorType type) {
  int64_t offset = 0;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    int64_t place =
        axis < static_cast<int64_t>(position.size()) ? position[axis] : 0;
    if (place < 0)
      return std::nullopt;
    offset = offset * type.getDimSize(axis) + place;
  }
  return offset;
}

bool VectorCode::emitVectorOp(Operation *op) {
  auto elements = [&](ValueRange values) {
    Parts parts;
    for (Value value : values)
      llvm::append_range(parts, vectors(value));
    return parts;
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](vector::ExtractOp extract) {
        std::optional<int64_t> start = linearPosition(
            extract.getStaticPosition(), extract.getSourceVectorType());
        if (!start || extract.hasDynamicPosition())
          return false;
        Parts source = vectors(extract.getSource());
        define(extract.getResult(),
               ArrayRef<Value>(source).slice(
                   *start, numElements(extract.getResult().getType())));
        return true;
      })
      .Case([&](vector::InsertOp insert) {
        std::optional<int64_t> start = linearPosition(
            insert.getStaticPosition(), insert.getDestVectorType());
        if (!start || insert.hasDynamicPosition())
          return false;
        Parts parts = vectors(insert.getDest());
        Parts inserted = vectors(insert.getValueToStore());
        llvm::copy(inserted, parts.begin() + *start);
        define(insert.getResult(), parts);
        return true;
      })
      .Case([&](vector::FromElementsOp from) {
        define(from.getResult(), elements(from.getElements()));
        return true;
      })
      .Case([&](vector::ToElementsOp to) {
        Parts parts = vectors(to.getSource());
        for (auto [result, part] : llvm::zip(to.getElements(), parts))
          define(result, part);
        return true;
      })
      .Case([&](vector::ShapeCastOp cast) {
        define(cast.getResult(), vectors(cast.getSource()));
        return true;
      })
      .Case([&](vector::BroadcastOp broadcast) {
        VectorType type = broadcast.getResultVectorType();
        auto source = dyn_cast<VectorType>(broadcast.getSourceType());
        // Rows may be repeated, not the elements of a row.
        if (source &&
            source.getShape() != type.getShape().take_back(source.getRank()))
          return false;
        Parts row = vectors(broadcast.getSource()), parts;
        for (int64_t i = 0; i < type.getNumElements(); ++i)
          parts.push_back(row[i % row.size()]);
        define(broadcast.getResult(), parts);
        return true;
      })
      .Case([&](vector::ShuffleOp shuffle) {
        if (shuffle.getV1VectorType().getRank() != 1)
          return false;
        Parts source = elements({shuffle.getV1(), shuffle.getV2()}), parts;
        for (int64_t place : shuffle.getMask())
          parts.push_back(place < 0 ? zero(source.front().getType())
                                    : source[place]);
        define(shuffle.getResult(), parts);
        return true;
      })
      .Case([&](vector::ExtractStridedSliceOp slice) {
        if (slice.getSourceVectorType().getRank() != 1)
          return false;
        int64_t start = cast<IntegerAttr>(slice.getOffsets()[0]).getInt();
        Parts source = vectors(slice.getSource());
        define(slice.getResult(),
               ArrayRef<Value>(source).slice(
                   start, numElements(slice.getResult().getType())));
        return true;
      })
      .Default([](Operation *) { return false; });
}

//===----------------------------------------------------------------------===//
// Lane by lane
//===----------------------------------------------------------------------===//

Value VectorCode::viewOfLane(Value memref, Value lane) {
  LaneShape shape = shapes.get(memref);
  if (shape.isUniform())
    return first(memref);
  if (!shapes.isPrivateBuffer(memref))
    return cloneForLane(memref.getDefiningOp(), lane)->getResult(0);
  auto type = cast<MemRefType>(memref.getType());
  auto whole = bufferOf(memref).getDefiningOp<memref::ViewOp>();
  Value start =
      arith::MulIOp::create(b, lane, index(LaneShapes::bytesOfLane(type)));
  return memref::ViewOp::create(b, type, whole.getSource(), start,
                                ValueRange());
}

Value VectorCode::ofLane(Value value, Value lane) {
  if (isa<BaseMemRefType>(value.getType()))
    return viewOfLane(value, lane);
  LaneShape shape = shapes.get(value);
  if (shape.isUniform())
    return first(value);
  Type type = value.getType();
  if (shape.isStrided()) {
    Value number =
        type.isIndex() ? lane : arith::IndexCastOp::create(b, type, lane);
    Value stride =
        arith::ConstantOp::create(b, b.getIntegerAttr(type, shape.stride));
    return arith::AddIOp::create(b, first(value),
                                 arith::MulIOp::create(b, number, stride));
  }
  SmallVector<Value> elements;
  for (Value part : vectors(value))
    elements.push_back(vector::ExtractOp::create(b, part, lane));
  if (!isa<VectorType>(type))
    return elements.front();
  return vector::FromElementsOp::create(b, type, elements);
}

Operation *VectorCode::cloneForLane(Operation *op, Value lane) {
  llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  IRMapping map;
  for (Value value : used)
    map.map(value, ofLane(value, lane));
  return b.clone(*op, map);
}

void VectorCode::emitLaneByLane(Operation *op) {
  SmallVector<Value> inits;
  for (Value result : op->getResults())
    for (Type type : partTypes(result))
      inits.push_back(zero(type));
  Location loc = op->getLoc();
  auto loop = scf::ForOp::create(b, index(0), index(lanes), index(1), inits);
  OpBuilder::InsertionGuard guard(b);
  Block *body = loop.getBody();
  // A builder without results makes the terminator.
  if (inits.empty())
    body->getTerminator()->erase();
  b.setInsertionPointToStart(body);
  Value lane = loop.getInductionVar();
  auto compute = [&]() {
    Operation *copy = cloneForLane(op, lane);
    b.setLoc(loc);
    SmallVector<Value> results(loop.getRegionIterArgs());
    auto next = results.begin();
    for (Value result : copy->getResults()) {
      ValueRange elements = result;
      if (isa<VectorType>(result.getType()))
        elements = vector::ToElementsOp::create(b, result).getElements();
      for (Value element : elements) {
        *next = vector::InsertOp::create(b, element, *next, lane);
        ++next;
      }
    }
    return results;
  };
  if (!mask) {
    scf::YieldOp::create(b, compute());
  } else {
    Value isActive = vector::ExtractOp::create(b, mask, lane);
    auto branch = scf::IfOp::create(b, ValueRange(inits).getTypes(), isActive,
                                    /*addThenBlock=*/true,
                                    /*addElseBlock=*/true);
    b.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(b, compute());
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, loop.getRegionIterArgs());
    b.setInsertionPointAfter(branch);
    scf::YieldOp::create(b, branch.getResults());
  }
  defineAll(op->getResults(), loop.getResults());
}
