//===- InstrumentAccess.cpp - Accesses that tell what they do -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An access is made where it is in bounds and aligned, and reported either way.
//
//===----------------------------------------------------------------------===//

#include "Instrumentation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace uop;

void Instrumentation::callAccess(ImplicitLocOpBuilder &b, int64_t site,
                                 const CheckedAccess &access,
                                 ArrayRef<Value> indices) {
  if (table.accesses[site].space == AccessSpace::Private)
    return;
  MemRefShape shape(b, access.memref);
  call(b,
       access.kind == SiteKind::AsyncCopy ? "uop_check_async_copy"
                                          : "uop_check_access",
       {number(b, site), thread, shape.getAddress(b, indices)});
}

Value Instrumentation::isRight(ImplicitLocOpBuilder &b,
                               const CheckedAccess &access,
                               ArrayRef<Value> indices) {
  MemRefShape shape(b, access.memref);
  Value result = arith::ConstantIntOp::create(b, 1, 1);
  auto require = [&](arith::CmpIPredicate predicate, Value a, Value other) {
    Value holds = arith::CmpIOp::create(b, predicate, a, other);
    result = arith::AndIOp::create(b, result, holds);
  };
  for (auto [axis, index] : llvm::enumerate(indices)) {
    bool isLast = axis + 1 == indices.size();
    require(arith::CmpIPredicate::ult, index, shape.sizes[axis]);
    // No overflow: the length is what one operation accesses.
    if (isLast && access.length)
      require(arith::CmpIPredicate::sle,
              arith::AddIOp::create(b, index, access.length),
              shape.sizes[axis]);
  }
  Value address = shape.getAddress(b, indices);
  if (access.alignment > 1) {
    // Where elements are a multiple of it long, the first one tells of all.
    int64_t bytes = getElementBytes(cast<MemRefType>(access.memref.getType()));
    Value tested = bytes % access.alignment == 0 ? shape.getStart(b) : address;
    Value rest =
        arith::AndIOp::create(b, tested, number(b, access.alignment - 1));
    require(arith::CmpIPredicate::eq, rest, number(b, 0));
  }
  // A view may be larger than what it is a view of. A parameter of rank 0 is
  // the pointer of a dynamic array, whose sizes are in others.
  Value root = findViewedRoot(access.memref);
  auto type = dyn_cast<MemRefType>(root.getType());
  auto argument = dyn_cast<BlockArgument>(root);
  bool isPointer = type && type.getRank() == 0 && argument &&
                   argument.getArgNumber() < kernel.getNumArguments();
  auto requireBetween = [&](Value begin, Value end) {
    require(arith::CmpIPredicate::uge, address, begin);
    Value last = arith::AddIOp::create(b, address, number(b, access.bytes));
    require(arith::CmpIPredicate::ule, last, end);
  };
  if (root != access.memref && type && !isPointer) {
    MemRefShape whole(b, root);
    requireBetween(whole.getStart(b), whole.getEnd(b));
  }
  if (const GivenBuffer *buffer = findGiven(root))
    requireBetween(buffer->begin, buffer->end);
  return result;
}

/// The same; if it is not, says so.
Value Instrumentation::testAccess(ImplicitLocOpBuilder &b, int64_t site,
                                  const CheckedAccess &access,
                                  ArrayRef<Value> indices) {
  Value result = isRight(b, access, indices);
  auto branch = scf::IfOp::create(b, TypeRange(), result, /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b);
  b.setInsertionPointToStart(branch.elseBlock());
  MemRefShape shape(b, access.memref);
  Value one = number(b, 1);
  SmallVector<Value> ends;
  for (auto [axis, index] : llvm::enumerate(indices)) {
    bool isLast = axis + 1 == indices.size();
    ends.push_back(arith::AddIOp::create(
        b, index, isLast && access.length ? access.length : one));
  }
  SmallVector<Value> operands{number(b, site), thread,
                              shape.getAddress(b, indices)};
  llvm::append_range(operands, indices);
  llvm::append_range(operands, ends);
  llvm::append_range(operands, shape.sizes);
  call(b, "uop_check_fault", operands, /*fixed=*/3);
  scf::YieldOp::create(b);
  return result;
}

void Instrumentation::instrument(Operation *op,
                                 ArrayRef<CheckedAccess> accesses) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  SmallVector<int64_t> sites;
  for (const CheckedAccess &access : accesses)
    sites.push_back(addSite(op, access));

  Value isRight;
  for (auto [site, access] : llvm::zip(sites, accesses)) {
    Value inside =
        access.forAllElements(b, /*asks=*/true,
                              [&, site = site, &access = access](
                                  ImplicitLocOpBuilder &inner,
                                  ArrayRef<Value> indices, ArrayRef<Value>) {
                                return testAccess(inner, site, access, indices);
                              });
    isRight = isRight ? arith::AndIOp::create(b, isRight, inside) : inside;
  }
  auto branch = scf::IfOp::create(b, op->getResultTypes(), isRight,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  op->replaceAllUsesWith(branch.getResults());

  b.setInsertionPointToStart(branch.thenBlock());
  auto report = [&](bool before) {
    for (auto [site, access] : llvm::zip(sites, accesses)) {
      // What a store leaves is known after it.
      if (before != (access.kind != SiteKind::Store))
        continue;
      access.forAllElements(b, /*asks=*/false,
                            [&, site = site, &access = access](
                                ImplicitLocOpBuilder &inner,
                                ArrayRef<Value> indices, ArrayRef<Value>) {
                              callAccess(inner, site, access, indices);
                              return Value();
                            });
    }
  };
  report(/*before=*/true);
  op->moveBefore(b.getInsertionBlock(), b.getInsertionPoint());
  report(/*before=*/false);
  scf::YieldOp::create(b, op->getResults());
  b.setInsertionPointToStart(branch.elseBlock());
  SmallVector<Value> nothing;
  for (Type type : op->getResultTypes()) {
    TypedAttr zero;
    if (isa<IntegerType, FloatType, IndexType, VectorType>(type))
      zero = b.getZeroAttr(type);
    nothing.push_back(zero ? arith::ConstantOp::create(b, zero).getResult()
                           : ub::PoisonOp::create(b, type).getResult());
  }
  scf::YieldOp::create(b, nothing);
}
