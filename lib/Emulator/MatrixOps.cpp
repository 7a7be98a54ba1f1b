//===- MatrixOps.cpp - Matrix operations of a subgroup --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatrixOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace uop;

bool uop::isMatrixOp(Operation *op) {
  return isa<nvgpu::LdMatrixOp, nvgpu::MmaSyncOp>(op);
}

//===----------------------------------------------------------------------===//
// Shapes and layouts
//===----------------------------------------------------------------------===//

namespace {

// The number of 8 x 8 tiles, or what corresponds to them, of the PTX ISA: a
// register of 32 bits in each lane holds one tile of 8 rows of 16 bytes.
constexpr int64_t tileRows = 8;
constexpr int64_t lanesOfRow = 4;
constexpr int64_t warpSize = 32;

enum Operand { A, B, C };

struct Product {
  explicit Product(nvgpu::MmaSyncOp op) : op(op) {
    std::array<int64_t, 3> shape = op.getMmaShapeAsArray();
    m = shape[0], n = shape[1], k = shape[2];
  }

  bool isInLaneOrder() const { return op->hasAttr(laneOrderAttrName); }
  VectorType type(Operand which) const {
    return cast<VectorType>(op->getOperand(which).getType());
  }
  int64_t rows(Operand which) const { return which == B ? k : m; }
  int64_t columns(Operand which) const { return which == A ? k : n; }
  // Elements of A and B in a register.
  int64_t packed() const {
    unsigned bits = type(A).getElementTypeBitWidth();
    return bits > 32 ? 1 : 32 / bits;
  }
  // What elements are multiplied and added in.
  Type computeType() const {
    MLIRContext *context = op->getContext();
    Type element = type(A).getElementType();
    if (element.isF64())
      return element;
    if (isa<FloatType>(element))
      return Float32Type::get(context);
    return IntegerType::get(context, isInLaneOrder() ? 32 : 64);
  }

  nvgpu::MmaSyncOp op;
  int64_t m, n, k;
};

// Index arithmetic on numbers of lanes and elements.
struct IndexCode : ImplicitLocOpBuilder {
  IndexCode(OpBuilder &b, Location loc) : ImplicitLocOpBuilder(loc, b) {}

  Value number(int64_t value) {
    return arith::ConstantIndexOp::create(*this, value);
  }
  Value add(Value x, Value y) { return createOrFold<arith::AddIOp>(x, y); }
  Value add(Value x, int64_t y) { return add(x, number(y)); }
  Value mul(Value x, int64_t y) {
    return createOrFold<arith::MulIOp>(x, number(y));
  }
  Value div(Value x, int64_t y) {
    return createOrFold<arith::DivUIOp>(x, number(y));
  }
  Value rem(Value x, int64_t y) {
    return createOrFold<arith::RemUIOp>(x, number(y));
  }
};

} // namespace

// Where, in the row-major matrix, the element of this number is that the lane
// holds.
static Value createPlace(IndexCode &b, const Product &product, Operand which,
                         int64_t element, Value lane, int64_t subgroupSize) {
  int64_t columns = product.columns(which);
  if (product.isInLaneOrder())
    return b.add(lane, element * subgroupSize);
  Value group = b.div(lane, lanesOfRow), inGroup = b.rem(lane, lanesOfRow);
  // C has two elements in a register, whatever their width.
  int64_t packed = which == C ? 2 : product.packed();
  int64_t reg = element / packed, part = element % packed;
  // The element along the rows of tiles of A and C and the columns of B, and
  // the one across.
  Value along = b.add(b.mul(inGroup, packed), part);
  int64_t tilesDown = which == B ? 1 : product.m / tileRows;
  Value across = b.add(group, reg % tilesDown * tileRows);
  along = b.add(along, reg / tilesDown * packed * lanesOfRow);
  if (which == B)
    std::swap(across, along);
  return b.add(b.mul(across, columns), along);
}

//===----------------------------------------------------------------------===//
// What is refused
//===----------------------------------------------------------------------===//

static LogicalResult checkProduct(nvgpu::MmaSyncOp op) {
  Product product(op);
  Type element = product.type(A).getElementType();
  if (product.isInLaneOrder())
    return success();
  if (product.type(B).getElementType() != element)
    return op.emitOpError("expected operands A and B of one type");
  bool isKnown = element.isF16() || element.isBF16() || element.isF32() ||
                 element.isF64() || element.isInteger(8) ||
                 element.isInteger(4);
  int64_t tile = lanesOfRow * (isKnown ? product.packed() : 1);
  isKnown &= product.n == tileRows && product.k % tile == 0 &&
             (product.m == tileRows || product.m == 2 * tileRows);
  for (Operand which : {A, B, C})
    isKnown &= product.type(which).getNumElements() * warpSize ==
               product.rows(which) * product.columns(which);
  if (!isKnown)
    return op.emitOpError("of shape ")
           << product.m << " x " << product.n << " x " << product.k << " of "
           << element << " is not supported by the emulator";
  return success();
}

LogicalResult uop::checkMatrixOp(Operation *op, int64_t subgroupSize) {
  if (!op->hasAttr(laneOrderAttrName) && subgroupSize != warpSize)
    return op->emitOpError("expected subgroups of ")
           << warpSize << " threads, as warps are, but got " << subgroupSize;
  if (auto product = dyn_cast<nvgpu::MmaSyncOp>(op))
    return checkProduct(product);
  auto load = cast<nvgpu::LdMatrixOp>(op);
  if (load.getIndices().empty())
    return op->emitOpError("expected a memref with an axis along which a row "
                           "is, but got ")
           << load.getSrcMemref().getType();
  auto type = cast<VectorType>(load.getType());
  unsigned bits = type.getElementTypeBitWidth();
  if (bits < 8 || bits > 32 || type.getRank() != 2 ||
      type.getDimSize(1) * bits != 32 ||
      type.getDimSize(0) != load.getNumTiles() ||
      !llvm::is_contained({1, 2, 4}, load.getNumTiles()) ||
      (load.getTranspose() && bits != 16))
    return op->emitOpError("expected 1, 2 or 4 tiles of elements of 8, 16 or "
                           "32 bits, and of 16 where they are transposed, but "
                           "got ")
           << type;
  return success();
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

// Elements in a row of a tile, which has 16 bytes.
static int64_t rowElements(nvgpu::LdMatrixOp op) {
  return 128 / cast<VectorType>(op.getType()).getElementTypeBitWidth();
}

// The lanes name the rows: 8 lanes for each tile.
static void giveRow(IndexCode &b, nvgpu::LdMatrixOp op, Lookup lookup,
                    Value array, Value linearId) {
  Value lane = b.rem(linearId, warpSize);
  Value names = arith::CmpIOp::create(
      b, arith::CmpIPredicate::ult, lane,
      b.number(tileRows * static_cast<int64_t>(op.getNumTiles())));
  Value source = lookup(op.getSrcMemref());
  SmallVector<Value> indices;
  for (Value index : op.getIndices())
    indices.push_back(lookup(index));
  auto ifOp = scf::IfOp::create(b, names, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  Value first = indices.back();
  int64_t count = rowElements(op);
  for (int64_t i = 0; i < count; ++i) {
    indices.back() = b.add(first, i);
    Value value = memref::LoadOp::create(b, source, indices);
    memref::StoreOp::create(b, value, array, b.add(b.mul(linearId, count), i));
  }
}

static Value takeTiles(IndexCode &b, nvgpu::LdMatrixOp op, Value array,
                       Value linearId) {
  auto type = cast<VectorType>(op.getType());
  Value lane = b.rem(linearId, warpSize);
  Value firstRow = b.createOrFold<arith::SubIOp>(linearId, lane);
  Value group = b.div(lane, lanesOfRow), inGroup = b.rem(lane, lanesOfRow);
  int64_t packed = type.getDimSize(1);
  SmallVector<Value> elements;
  for (int64_t tile = 0; tile < type.getDimSize(0); ++tile)
    for (int64_t part = 0; part < packed; ++part) {
      Value along = b.add(b.mul(inGroup, packed), part), row = group;
      if (op.getTranspose())
        std::swap(row, along);
      row = b.add(b.add(firstRow, tile * tileRows), row);
      Value place = b.add(b.mul(row, rowElements(op)), along);
      elements.push_back(memref::LoadOp::create(b, array, place));
    }
  return vector::FromElementsOp::create(b, type, elements);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static Value extend(IndexCode &b, const Product &product, Operand which,
                    Value value) {
  Type type = product.computeType(), from = value.getType();
  if (from == type) {
    if (which == C || !type.isF32())
      return value;
    // tf32.
    Value bits = arith::BitcastOp::create(b, b.getI32Type(), value);
    Value mask = arith::ConstantIntOp::create(b, ~((int64_t(1) << 13) - 1), 32);
    bits = arith::AndIOp::create(b, bits, mask);
    return arith::BitcastOp::create(b, type, bits);
  }
  if (isa<FloatType>(type))
    return arith::ExtFOp::create(b, type, value);
  if ((which == A && product.op->hasAttr(unsignedAAttrName)) ||
      (which == B && product.op->hasAttr(unsignedBAttrName)))
    return arith::ExtUIOp::create(b, type, value);
  return arith::ExtSIOp::create(b, type, value);
}

static Value shorten(IndexCode &b, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (isa<FloatType>(type))
    return arith::TruncFOp::create(b, type, value);
  Value least =
      arith::ConstantIntOp::create(b, std::numeric_limits<int32_t>::min(), 64);
  Value most =
      arith::ConstantIntOp::create(b, std::numeric_limits<int32_t>::max(), 64);
  value = arith::MaxSIOp::create(b, value, least);
  value = arith::MinSIOp::create(b, value, most);
  return arith::TruncIOp::create(b, type, value);
}

static SmallVector<int64_t> unflatten(VectorType type, int64_t element) {
  SmallVector<int64_t> position(type.getRank());
  for (int64_t axis = type.getRank() - 1; axis >= 0; --axis) {
    position[axis] = element % type.getDimSize(axis);
    element /= type.getDimSize(axis);
  }
  return position;
}

SmallVector<ExchangeArray> uop::getMatrixArrays(Operation *op) {
  if (auto load = dyn_cast<nvgpu::LdMatrixOp>(op))
    return {{cast<VectorType>(load.getType()).getElementType(),
             warpSize * rowElements(load)}};
  Product product(cast<nvgpu::MmaSyncOp>(op));
  SmallVector<ExchangeArray> arrays;
  for (Operand which : {A, B, C})
    arrays.push_back(
        {product.computeType(), product.rows(which) * product.columns(which)});
  return arrays;
}

void uop::giveMatrix(OpBuilder &builder, Operation *op, Lookup lookup,
                     ValueRange arrays, Value linearId, int64_t subgroupSize) {
  IndexCode b(builder, op->getLoc());
  if (auto load = dyn_cast<nvgpu::LdMatrixOp>(op)) {
    giveRow(b, load, lookup, arrays.front(), linearId);
    return;
  }
  Product product(cast<nvgpu::MmaSyncOp>(op));
  Value lane = b.rem(linearId, subgroupSize);
  Value subgroup = b.div(linearId, subgroupSize);
  for (Operand which : {A, B, C}) {
    Value vector = lookup(op->getOperand(which));
    VectorType type = product.type(which);
    Value base = b.mul(subgroup, product.rows(which) * product.columns(which));
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      Value value = vector::ExtractOp::create(b, vector, unflatten(type, i));
      Value place = createPlace(b, product, which, i, lane, subgroupSize);
      memref::StoreOp::create(b, extend(b, product, which, value),
                              arrays[which], b.add(base, place));
    }
  }
}

// That a subgroup has left as a whole or not at all.
static void checkWholeSubgroup(IndexCode &b, Value first,
                               const ThreadGroup &group, StringRef name) {
  Value live = createIsLive(b, b.getLoc(), group.votes, first);
  if (!live)
    return;
  auto lanes = scf::ForOp::create(b, b.number(0), b.number(group.subgroupSize),
                                  b.number(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(lanes.getBody());
  Value other = createIsLive(b, b.getLoc(), group.votes,
                             b.add(first, lanes.getInductionVar()));
  Value same = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, live, other);
  cf::AssertOp::create(b, same,
                       ("'" + name +
                        "' op expected all threads of a subgroup, but some "
                        "have left the kernel")
                           .str());
}

void uop::multiplyMatrices(OpBuilder &builder, Operation *op, ValueRange arrays,
                           const ThreadGroup &group) {
  IndexCode b(builder, op->getLoc());
  OpBuilder::InsertionGuard guard(b);
  auto loop = [&](Value from, Value to, int64_t step) {
    auto forOp = scf::ForOp::create(b, from, to, b.number(step));
    b.setInsertionPointToStart(forOp.getBody());
    return forOp.getInductionVar();
  };
  Value first = loop(group.first, group.end, group.subgroupSize);
  checkWholeSubgroup(b, first, group, op->getName().getStringRef());
  auto mma = dyn_cast<nvgpu::MmaSyncOp>(op);
  if (!mma)
    return;
  Product product(mma);
  Value subgroup = b.div(first, group.subgroupSize);
  auto row = [&](Operand which, Value number) {
    Value rows = b.add(b.mul(subgroup, product.rows(which)), number);
    return b.mul(rows, product.columns(which));
  };
  Value zero = b.number(0);
  Value m = loop(zero, b.number(product.m), 1);
  Value k = loop(zero, b.number(product.k), 1);
  Value placeA = b.add(row(A, m), k);
  Value rowB = row(B, k), rowC = row(C, m);
  Value a = memref::LoadOp::create(b, arrays[A], placeA);
  Value n = loop(zero, b.number(product.n), 1);
  Value placeC = b.add(rowC, n);
  Value factor = memref::LoadOp::create(b, arrays[B], b.add(rowB, n));
  Value sum = memref::LoadOp::create(b, arrays[C], placeC);
  if (isa<FloatType>(sum.getType()))
    sum = math::FmaOp::create(b, a, factor, sum);
  else
    sum = arith::AddIOp::create(b, sum, arith::MulIOp::create(b, a, factor));
  memref::StoreOp::create(b, sum, arrays[C], placeC);
}

Value uop::takeMatrix(OpBuilder &builder, Operation *op, ValueRange arrays,
                      Value linearId, const ThreadGroup &group) {
  IndexCode b(builder, op->getLoc());
  if (auto load = dyn_cast<nvgpu::LdMatrixOp>(op))
    return takeTiles(b, load, arrays.front(), linearId);
  Product product(cast<nvgpu::MmaSyncOp>(op));
  VectorType type = product.type(C);
  Value lane = b.rem(linearId, group.subgroupSize);
  Value base =
      b.mul(b.div(linearId, group.subgroupSize), product.m * product.n);
  SmallVector<Value> elements;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    Value place = createPlace(b, product, C, i, lane, group.subgroupSize);
    Value value = memref::LoadOp::create(b, arrays[C], b.add(base, place));
    elements.push_back(shorten(b, value, type.getElementType()));
  }
  return vector::FromElementsOp::create(b, type, elements);
}
