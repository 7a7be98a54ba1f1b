//===- KernelBuilder.cpp - A kernel of a linalg op ------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel around the values of a linalg op: its arguments, its output loops,
// index arithmetic, and its stores.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "Uop/IR/Injectivity.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace uop;

KernelBuilder::KernelBuilder(linalg::LinalgOp op, StringRef name,
                             const FusionPlan &plan, Memory &memory)
    : root(op), plan(plan), memory(memory),
      builder(op.getLoc(), op.getContext()) {
  kernel = KernelOp::create(builder, name, builder.getFunctionType({}, {}));
  builder.setInsertionPointToEnd(&kernel.getBodyBlock());
}

KernelBuilder::PointOf KernelBuilder::getKey(Operation *op,
                                             ArrayRef<Value> point) {
  std::vector<void *> values;
  for (Value value : point)
    values.push_back(value.getAsOpaquePointer());
  return {op, std::move(values)};
}

//===----------------------------------------------------------------------===//
// What comes from outside
//===----------------------------------------------------------------------===//

/// Gives the kernel the op's operands in their order. Memory that is not read,
/// such as the window of a pooling, only has a shape.
void KernelBuilder::addOperands() {
  for (OpOperand &operand : root->getOpOperands()) {
    bool isRead = root.payloadUsesValueFromOperand(&operand);
    bool isOutput = root.isDpsInit(&operand);
    if ((isRead && !plan.producers.contains(&operand)) || isOutput)
      getOutside(operand.get());
  }
}

Value KernelBuilder::getOutside(Value value) {
  Value &inside = outside[value];
  if (inside)
    return inside;
  if (Operation *constant = value.getDefiningOp();
      constant && matchPattern(constant, m_Constant()) &&
      value.getType().isIntOrIndexOrFloat())
    return inside = builder.clone(*constant)->getResult(0);
  // One memref comes in once, by whatever value.
  if (isa<MemRefType>(value.getType()))
    for (auto [index, other] : llvm::enumerate(arguments))
      if (isa<MemRefType>(other.getType()) &&
          other.getType() == value.getType() &&
          memory.compare(value, other) == Overlap::Same)
        return inside = kernel.getBodyBlock().getArgument(index);
  arguments.push_back(value);
  return inside =
             kernel.getBodyBlock().addArgument(value.getType(), value.getLoc());
}

Value KernelBuilder::getSize(Value memref, unsigned dim) {
  Value &size = sizes[{memref, dim}];
  if (size)
    return size;
  auto type = cast<MemRefType>(memref.getType());
  if (!outside.contains(memref)) {
    // A size that only the host knows. The allocation may go.
    OpBuilder host(root);
    Value value;
    if (auto alloc = memref.getDefiningOp<memref::AllocOp>())
      value = alloc.getDynamicSizes()[type.getDynamicDimIndex(dim)];
    else
      value = memref::DimOp::create(host, root.getLoc(), memref, dim);
    return size = getOutside(value);
  }
  return size =
             memref::DimOp::create(builder, getOutside(memref), getIndex(dim));
}

/// The extent of a loop: by the shape of an operand that it walks along.
OpFoldResult KernelBuilder::getExtent(linalg::LinalgOp op, unsigned loop) {
  SmallVector<std::pair<Value, unsigned>> candidates;
  AffineExpr dim = getAffineDimExpr(loop, op.getContext());
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    for (auto [position, expr] : llvm::enumerate(map.getResults())) {
      if (expr != dim || !type)
        continue;
      if (!type.isDynamicDim(position))
        return builder.getIndexAttr(type.getDimSize(position));
      candidates.push_back({operand.get(), position});
    }
  }
  // Linalg's verifier wants one for each loop. The kernel knows the sizes of
  // its arguments.
  auto *known = llvm::find_if(candidates, [&](auto candidate) {
    return outside.contains(candidate.first);
  });
  auto [memref, position] =
      known == candidates.end() ? candidates.front() : *known;
  return getSize(memref, position);
}

//===----------------------------------------------------------------------===//
// Index arithmetic
//===----------------------------------------------------------------------===//

Value KernelBuilder::getIndex(int64_t value) {
  Value &constant = indexConstants[value];
  if (!constant)
    constant = arith::ConstantIndexOp::create(builder, value);
  return constant;
}

template <typename Op> Value KernelBuilder::buildIndexOp(Value lhs, Value rhs) {
  Value &result =
      indexOps[{TypeID::get<Op>().getAsOpaquePointer(),
                lhs.getAsOpaquePointer(), rhs.getAsOpaquePointer()}];
  if (!result)
    result = Op::create(builder, lhs, rhs);
  return result;
}

Value KernelBuilder::buildIndex(AffineExpr expr, ArrayRef<Value> point) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return point[dim.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return getIndex(constant.getValue());
  // Indexing maps have no symbols.
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value lhs = buildIndex(binary.getLHS(), point);
  Value rhs = buildIndex(binary.getRHS(), point);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return buildIndexOp<arith::AddIOp>(lhs, rhs);
  case AffineExprKind::Mul:
    return buildIndexOp<arith::MulIOp>(lhs, rhs);
  case AffineExprKind::FloorDiv:
    return buildIndexOp<FloorDivOp>(lhs, rhs);
  case AffineExprKind::Mod:
    return buildIndexOp<FloorModOp>(lhs, rhs);
  case AffineExprKind::CeilDiv: {
    Value negated = buildIndexOp<arith::SubIOp>(getIndex(0), lhs);
    Value quotient = buildIndexOp<FloorDivOp>(negated, rhs);
    return buildIndexOp<arith::SubIOp>(getIndex(0), quotient);
  }
  default:
    llvm_unreachable("all binary kinds are handled");
  }
}

SmallVector<Value> KernelBuilder::buildIndices(AffineMap map,
                                               ArrayRef<Value> point) {
  SmallVector<Value> indices;
  for (AffineExpr expr : map.getResults())
    indices.push_back(buildIndex(expr, point));
  return indices;
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

/// A range for each loop in the output's indexing map, and no value for loops
/// over which it is reduced.
FailureOr<KernelBuilder::Point> KernelBuilder::getOutputPoint(unsigned output) {
  AffineMap map = root.getMatchingIndexingMap(root.getDpsInitOperand(output));
  Point point;
  for (unsigned loop = 0; loop < root.getNumLoops(); ++loop) {
    OpFoldResult extent = getExtent(root, loop);
    bool isOnce = isConstantIntValue(extent, 1);
    if (map.isFunctionOfDim(loop)) {
      Value &range = outputLoops[loop];
      if (!range)
        range = RangeOp::create(
            builder, AxisAttr::get(builder.getContext(), AxisKind::Loop),
            extent);
      point.push_back(range);
    } else if (isOnce) {
      point.push_back(getIndex(0));
    } else if (root.getIteratorTypesArray()[loop] ==
               utils::IteratorType::parallel) {
      return root.emitOpError()
             << "writes each element of output #" << output
             << " at every point of the parallel loop #" << loop
             << ", which is not in its indexing map " << AffineMapAttr::get(map)
             << "; make it a reduction loop that combines the points";
    } else {
      point.push_back({});
    }
  }
  return point;
}

LogicalResult KernelBuilder::buildStore(unsigned output) {
  OpOperand *operand = root.getDpsInitOperand(output);
  FailureOr<Point> point = getOutputPoint(output);
  if (failed(point))
    return failure();
  FailureOr<Value> value = buildOutput(root, output, *point);
  if (failed(value))
    return failure();
  AffineMap map = root.getMatchingIndexingMap(operand);
  SmallVector<Value> indices = buildIndices(map, *point);
  SmallVector<Value> over;
  RangeList domain;
  for (Value loop : *point)
    if (auto range = loop ? loop.getDefiningOp<RangeOp>() : RangeOp()) {
      over.push_back(loop);
      domain.push_back(range);
    }
  FreeRanges freeRanges;
  if (!map.isProjectedPermutation() &&
      findCollision(indices, domain, freeRanges).kind !=
          Collision::Kind::Impossible)
    return root.emitOpError()
           << "expected the indexing map of output #" << output
           << " to be injective over the loops in it, but got "
           << AffineMapAttr::get(map)
           << ", which writes an element twice or is not known not to";
  StoreOp::create(builder, *value, getOutside(operand->get()), indices, over,
                  /*mask=*/Value(), /*kind=*/vector::CombiningKindAttr(),
                  /*unique=*/false);
  return success();
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// What the verifier of the kernel says; nothing where it is legal.
static std::string getVerifierMessage(KernelOp kernel) {
  std::string message;
  ScopedDiagnosticHandler handler(
      kernel.getContext(),
      [&, thread = llvm::get_threadid()](Diagnostic &diagnostic) {
        if (thread != llvm::get_threadid())
          return failure();
        if (message.empty())
          message = diagnostic.str();
        return success();
      });
  if (succeeded(mlir::verify(kernel)))
    return "";
  StringRef text = message;
  text.consume_front("'uop.kernel' op ");
  return text.empty() ? "it is not legal" : text.str();
}

/// Checks what the arguments share, and the rules of graph form, which say what
/// memory a kernel takes.
LogicalResult KernelBuilder::verify() {
  for (auto [second, argument] : llvm::enumerate(arguments))
    for (Value other : ArrayRef(arguments).take_front(second)) {
      if (!isa<MemRefType>(argument.getType()) ||
          !isa<MemRefType>(other.getType()))
        continue;
      Overlap overlap = memory.compare(argument, other);
      auto isOutput = [&](Value value) {
        return llvm::is_contained(root.getDpsInits(), value);
      };
      if ((overlap == Overlap::Same || overlap == Overlap::Some) &&
          (isOutput(argument) || isOutput(other)))
        return root.emitOpError()
               << "writes to memory that another operand looks at in another "
                  "way: expected the operands of a kernel not to overlap; "
                  "use one memref for both, or a copy";
    }
  std::string message = getVerifierMessage(kernel);
  if (message.empty())
    return success();
  return root.emitOpError() << "cannot become a kernel: " << message;
}

FailureOr<KernelAndArguments> KernelBuilder::build() {
  addOperands();
  for (unsigned output = 0; output < unsigned(root.getNumDpsInits()); ++output)
    if (failed(buildStore(output))) {
      kernel.erase();
      return failure();
    }
  // What was asked for and then not needed, such as identities.
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(kernel.getBodyBlock())))
    if (!isa<RangeOp>(op) && isOpTriviallyDead(&op))
      op.erase();
  SmallVector<Type> types(kernel.getBodyBlock().getArgumentTypes());
  kernel.setFunctionTypeAttr(TypeAttr::get(builder.getFunctionType(types, {})));
  if (failed(verify())) {
    kernel.erase();
    return failure();
  }
  return KernelAndArguments{kernel, arguments};
}

FailureOr<KernelAndArguments> uop::buildKernel(linalg::LinalgOp op,
                                               StringRef name,
                                               const FusionPlan &plan,
                                               Memory &memory) {
  return KernelBuilder(op, name, plan, memory).build();
}
