//===- SubgroupMatrices.cpp - gpu.subgroup_mma_* as code of threads -------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a !gpu.mma_matrix lies in the registers of a subgroup is nobody's to
// know. Here lane l of S holds the elements l, l + S, ... of the rows, one
// after the other: neighbouring lanes load and store neighbouring elements.
//
//===----------------------------------------------------------------------===//

#include "MatrixOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uop;

namespace {

class MatrixLowering {
public:
  MatrixLowering(gpu::GPUFuncOp kernel, int64_t subgroupSize)
      : kernel(kernel), subgroupSize(subgroupSize) {}

  LogicalResult run();

private:
  LogicalResult collect(Operation *op);
  LogicalResult check(Operation *op, Value value);
  VectorType heldType(gpu::MMAMatrixType matrix);
  void replace(Value value, Value current);
  Value createLane(ImplicitLocOpBuilder &b);
  SmallVector<Value> createPlaces(ImplicitLocOpBuilder &b,
                                  gpu::MMAMatrixType matrix, Value memory,
                                  ValueRange indices, int64_t leadDimension,
                                  bool transpose, Value &row);

  LogicalResult lower(gpu::SubgroupMmaLoadMatrixOp op);
  LogicalResult lower(gpu::SubgroupMmaStoreMatrixOp op);
  LogicalResult lower(gpu::SubgroupMmaComputeOp op);
  LogicalResult lower(gpu::SubgroupMmaConstantMatrixOp op);
  LogicalResult lower(gpu::SubgroupMmaElementwiseOp op);
  LogicalResult lower(gpu::SubgroupMmaExtractThreadLocalOp op);
  LogicalResult lower(gpu::SubgroupMmaInsertThreadLocalOp op);

  gpu::GPUFuncOp kernel;
  int64_t subgroupSize;
  SmallVector<Operation *> ops;
  // The matrices that values were before they became vectors.
  llvm::DenseMap<Value, gpu::MMAMatrixType> matrices;
};

} // namespace

static bool isSubgroupMma(Operation *op) {
  return op->getName().getStringRef().starts_with("gpu.subgroup_mma_");
}

// Signed and unsigned integers are those without a sign everywhere but here.
static Type elementOf(gpu::MMAMatrixType matrix) {
  Type element = matrix.getElementType();
  if (auto integer = dyn_cast<IntegerType>(element))
    return IntegerType::get(element.getContext(), integer.getWidth());
  return element;
}

static int64_t numElements(gpu::MMAMatrixType matrix) {
  ArrayRef<int64_t> shape = matrix.getShape();
  return shape[0] * shape[1];
}

VectorType MatrixLowering::heldType(gpu::MMAMatrixType matrix) {
  return VectorType::get({numElements(matrix) / subgroupSize},
                         elementOf(matrix));
}

LogicalResult MatrixLowering::check(Operation *op, Value value) {
  auto matrix = dyn_cast<gpu::MMAMatrixType>(value.getType());
  if (!matrix)
    return success();
  matrices[value] = matrix;
  if (numElements(matrix) % subgroupSize == 0)
    return success();
  return op->emitOpError("expected a matrix whose elements can be dealt to a "
                         "subgroup of ")
         << subgroupSize << ", but got " << matrix;
}

LogicalResult MatrixLowering::collect(Operation *op) {
  for (Value value : op->getResults())
    if (failed(check(op, value)))
      return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Value value : block.getArguments())
        if (failed(check(op, value)))
          return failure();
  if (isSubgroupMma(op))
    ops.push_back(op);
  return success();
}

void MatrixLowering::replace(Value value, Value current) {
  gpu::MMAMatrixType matrix = matrices.lookup(value);
  matrices[current] = matrix;
  value.replaceAllUsesWith(current);
}

Value MatrixLowering::createLane(ImplicitLocOpBuilder &b) {
  return gpu::LaneIdOp::create(b, IntegerAttr());
}

// For each element that the lane holds, its indices in memory, of which a row
// is `leadDimension` elements long. `row` is memory as one row.
SmallVector<Value> MatrixLowering::createPlaces(
    ImplicitLocOpBuilder &b, gpu::MMAMatrixType matrix, Value memory,
    ValueRange indices, int64_t leadDimension, bool transpose, Value &row) {
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  auto type = cast<MemRefType>(memory.getType());
  auto parts = memref::ExtractStridedMetadataOp::create(b, memory);
  Value offset = parts.getOffset();
  for (auto [index, stride] : llvm::zip(indices, parts.getStrides())) {
    Value step = b.createOrFold<arith::MulIOp>(index, stride);
    offset = b.createOrFold<arith::AddIOp>(offset, step);
  }
  int64_t rows = matrix.getShape()[0], columns = matrix.getShape()[1];
  int64_t length = transpose ? (columns - 1) * leadDimension + rows
                             : (rows - 1) * leadDimension + columns;
  auto layout = StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic, 1);
  auto rowType = MemRefType::get({length}, type.getElementType(), layout,
                                 type.getMemorySpace());
  row = memref::ReinterpretCastOp::create(
      b, rowType, parts.getBaseBuffer(), OpFoldResult(offset),
      ArrayRef<OpFoldResult>{b.getIndexAttr(length)},
      ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
  Value lane = createLane(b);
  SmallVector<Value> places;
  for (int64_t i = 0; i < numElements(matrix) / subgroupSize; ++i) {
    Value element =
        b.createOrFold<arith::AddIOp>(lane, number(i * subgroupSize));
    Value outer = arith::DivUIOp::create(b, element, number(columns));
    Value inner = arith::RemUIOp::create(b, element, number(columns));
    if (transpose)
      std::swap(outer, inner);
    Value start = arith::MulIOp::create(b, outer, number(leadDimension));
    places.push_back(arith::AddIOp::create(b, start, inner));
  }
  return places;
}

static LogicalResult checkMemory(Operation *op, MemRefType type,
                                 gpu::MMAMatrixType matrix) {
  if (type.getElementType() == elementOf(matrix))
    return success();
  return op->emitOpError("expected memory of ")
         << elementOf(matrix) << " on the emulator, but got " << type;
}

LogicalResult MatrixLowering::lower(gpu::SubgroupMmaLoadMatrixOp op) {
  gpu::MMAMatrixType matrix = matrices.lookup(op->getResult(0));
  auto type = cast<MemRefType>(op.getSrcMemref().getType());
  if (failed(checkMemory(op, type, matrix)))
    return failure();
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value row;
  SmallVector<Value> elements;
  for (Value place : createPlaces(b, matrix, op.getSrcMemref(), op.getIndices(),
                                  op.getLeadDimension().getSExtValue(),
                                  !!op.getTranspose(), row))
    elements.push_back(memref::LoadOp::create(b, row, place));
  replace(op->getResult(0),
          vector::FromElementsOp::create(b, heldType(matrix), elements));
  return success();
}

LogicalResult MatrixLowering::lower(gpu::SubgroupMmaStoreMatrixOp op) {
  gpu::MMAMatrixType matrix = matrices.lookup(op->getOperand(0));
  auto type = cast<MemRefType>(op.getDstMemref().getType());
  if (failed(checkMemory(op, type, matrix)))
    return failure();
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value row;
  int64_t number = 0;
  for (Value place : createPlaces(b, matrix, op.getDstMemref(), op.getIndices(),
                                  op.getLeadDimension().getSExtValue(),
                                  !!op.getTranspose(), row)) {
    Value element = vector::ExtractOp::create(b, op->getOperand(0), number++);
    memref::StoreOp::create(b, element, row, place);
  }
  return success();
}

LogicalResult MatrixLowering::lower(gpu::SubgroupMmaComputeOp op) {
  gpu::MMAMatrixType a = matrices.lookup(op->getOperand(0));
  gpu::MMAMatrixType b = matrices.lookup(op->getOperand(1));
  if (elementOf(a) != elementOf(b))
    return op.emitOpError("expected operands A and B of one type");
  OpBuilder builder(op);
  auto product = nvgpu::MmaSyncOp::create(
      builder, op.getLoc(), op->getOperand(0), op->getOperand(1),
      op->getOperand(2), {a.getShape()[0], b.getShape()[1], a.getShape()[1]});
  product->setAttr(laneOrderAttrName, builder.getUnitAttr());
  if (a.getElementType().isUnsignedInteger())
    product->setAttr(unsignedAAttrName, builder.getUnitAttr());
  if (b.getElementType().isUnsignedInteger())
    product->setAttr(unsignedBAttrName, builder.getUnitAttr());
  replace(op->getResult(0), product.getRes());
  return success();
}

LogicalResult MatrixLowering::lower(gpu::SubgroupMmaConstantMatrixOp op) {
  VectorType type = heldType(matrices.lookup(op->getResult(0)));
  if (op.getValue().getType() != type.getElementType())
    return op.emitOpError("expected a value of ")
           << type.getElementType() << " on the emulator, but got "
           << op.getValue().getType();
  OpBuilder b(op);
  replace(op->getResult(0),
          vector::BroadcastOp::create(b, op.getLoc(), type, op.getValue()));
  return success();
}

LogicalResult MatrixLowering::lower(gpu::SubgroupMmaElementwiseOp op) {
  using Kind = gpu::MMAElementwiseOp;
  VectorType type = heldType(matrices.lookup(op->getResult(0)));
  ImplicitLocOpBuilder b(op.getLoc(), op);
  ValueRange args = op.getArgs();
  bool isUnary = llvm::is_contained({Kind::NEGATEF, Kind::NEGATES, Kind::EXTF},
                                    op.getOpType());
  if (args.size() != (isUnary ? 1 : 2))
    return op.emitOpError("expected ")
           << (isUnary ? 1 : 2) << " operands, but got " << args.size();
  auto binary = [&](auto tag) -> Value {
    return decltype(tag)::create(b, args[0], args[1]);
  };
  auto result = [&]() -> Value {
    switch (op.getOpType()) {
    case Kind::ADDF:
      return binary(arith::AddFOp());
    case Kind::MULF:
      return binary(arith::MulFOp());
    case Kind::SUBF:
      return binary(arith::SubFOp());
    case Kind::MAXF:
      return binary(arith::MaximumFOp());
    case Kind::MINF:
      return binary(arith::MinimumFOp());
    case Kind::DIVF:
      return binary(arith::DivFOp());
    case Kind::ADDI:
      return binary(arith::AddIOp());
    case Kind::MULI:
      return binary(arith::MulIOp());
    case Kind::SUBI:
      return binary(arith::SubIOp());
    case Kind::DIVS:
      return binary(arith::DivSIOp());
    case Kind::DIVU:
      return binary(arith::DivUIOp());
    case Kind::NEGATEF:
      return arith::NegFOp::create(b, args[0]);
    case Kind::NEGATES: {
      Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
      return arith::SubIOp::create(b, zero, args[0]);
    }
    case Kind::EXTF:
      return arith::ExtFOp::create(b, type, args[0]);
    }
    llvm_unreachable("a kind of gpu.subgroup_mma_elementwise");
  };
  replace(op->getResult(0), result());
  return success();
}

LogicalResult MatrixLowering::lower(gpu::SubgroupMmaExtractThreadLocalOp op) {
  if (op.getIndices().size() != 1)
    return op.emitOpError("expected one index on the emulator");
  OpBuilder b(op);
  op->getResult(0).replaceAllUsesWith(vector::ExtractOp::create(
      b, op.getLoc(), op.getMatrix(), OpFoldResult(op.getIndices().front())));
  return success();
}

LogicalResult MatrixLowering::lower(gpu::SubgroupMmaInsertThreadLocalOp op) {
  if (op.getIndices().size() != 1)
    return op.emitOpError("expected one index on the emulator");
  OpBuilder b(op);
  replace(op->getResult(0),
          vector::InsertOp::create(b, op.getLoc(), op.getValue(),
                                   op->getOperand(1),
                                   OpFoldResult(op.getIndices().front())));
  return success();
}

LogicalResult MatrixLowering::run() {
  WalkResult walk = kernel.walk([&](Operation *op) {
    return failed(collect(op)) ? WalkResult::interrupt()
                               : WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  // What control flow hands on has the new type, too.
  for (auto [value, matrix] : matrices)
    value.setType(heldType(matrix));
  for (Operation *op : ops) {
    LogicalResult result =
        llvm::TypeSwitch<Operation *, LogicalResult>(op)
            .Case<gpu::SubgroupMmaLoadMatrixOp, gpu::SubgroupMmaStoreMatrixOp,
                  gpu::SubgroupMmaComputeOp, gpu::SubgroupMmaConstantMatrixOp,
                  gpu::SubgroupMmaElementwiseOp,
                  gpu::SubgroupMmaExtractThreadLocalOp,
                  gpu::SubgroupMmaInsertThreadLocalOp>(
                [&](auto known) { return lower(known); })
            .Default([](Operation *other) {
              return other->emitOpError("is not supported by the emulator");
            });
    if (failed(result))
      return failure();
  }
  for (Operation *op : llvm::reverse(ops))
    op->erase();
  return success();
}

// All lanes of a subgroup hold a part: a block must have whole subgroups.
static void checkBlockSize(gpu::GPUFuncOp kernel, Operation *op,
                           int64_t subgroupSize) {
  auto b = ImplicitLocOpBuilder::atBlockBegin(op->getLoc(),
                                              &kernel.getBody().front());
  Value threads = arith::ConstantIndexOp::create(b, 1);
  for (gpu::Dimension axis :
       {gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z})
    threads =
        arith::MulIOp::create(b, threads, gpu::BlockDimOp::create(b, axis));
  Value size = arith::ConstantIndexOp::create(b, subgroupSize);
  Value rest = arith::RemUIOp::create(b, threads, size);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value isWhole =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, rest, zero);
  cf::AssertOp::create(b, isWhole,
                       "'" + op->getName().getStringRef().str() +
                           "' op expected a block of whole subgroups of " +
                           std::to_string(subgroupSize) + " threads");
}

LogicalResult uop::lowerSubgroupMatrices(gpu::GPUFuncOp kernel,
                                         int64_t subgroupSize) {
  Operation *first = nullptr;
  kernel.walk([&](Operation *op) {
    if (!first && (isMatrixOp(op) || isSubgroupMma(op)))
      first = op;
    // These are not for others to set.
    for (StringRef name :
         {laneOrderAttrName, unsignedAAttrName, unsignedBAttrName})
      op->removeAttr(name);
  });
  if (!first)
    return success();
  checkBlockSize(kernel, first, subgroupSize);
  return MatrixLowering(kernel, subgroupSize).run();
}
