//===- LowerCopies.cpp - Copies between strided memrefs -------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Emulator/Passes.h"

#include "LowerCopies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace uop {
#define GEN_PASS_DEF_LOWERCOPIES
#include "Uop/Emulator/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;

LogicalResult uop::checkCopy(memref::CopyOp op) {
  if (isa<MemRefType>(op.getSource().getType()) &&
      isa<MemRefType>(op.getTarget().getType()))
    return success();
  return op.emitOpError("expected ranked memrefs on the emulator, but got ")
         << op.getSource().getType() << " and " << op.getTarget().getType()
         << "; cast them to ranked ones";
}

void uop::lowerCopy(memref::CopyOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto type = cast<MemRefType>(op.getSource().getType());
  SmallVector<Value> ends, indices;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    ends.push_back(memref::DimOp::create(b, op.getSource(), axis));
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  for (Value end : ends) {
    auto loop = scf::ForOp::create(b, zero, end, one);
    indices.push_back(loop.getInductionVar());
    b.setInsertionPointToStart(loop.getBody());
  }
  Value element = memref::LoadOp::create(b, op.getSource(), indices);
  memref::StoreOp::create(b, element, op.getTarget(), indices);
  op.erase();
}

namespace {
class LowerCopies : public uop::impl::LowerCopiesBase<LowerCopies> {
public:
  using LowerCopiesBase::LowerCopiesBase;

  void runOnOperation() override {
    WalkResult walk = getOperation()->walk([](memref::CopyOp op) {
      if (failed(checkCopy(op)))
        return WalkResult::interrupt();
      auto source = cast<MemRefType>(op.getSource().getType());
      auto target = cast<MemRefType>(op.getTarget().getType());
      // What is contiguous stays, as one memcpy.
      if (!source.getLayout().isIdentity() || !target.getLayout().isIdentity())
        lowerCopy(op);
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
