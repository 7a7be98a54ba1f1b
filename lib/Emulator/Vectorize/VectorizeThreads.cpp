//===- VectorizeThreads.cpp - Vectors of the emulator's threads -----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Emulator/Passes.h"
#include "VectorCode.h"

#include "../Checked/ShadowCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/TargetParser/Host.h"

namespace uop {
#define GEN_PASS_DEF_VECTORIZETHREADS
#include "Uop/Emulator/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;

// What the private buffers of a vector of threads may take of the stack.
static constexpr int64_t maxPrivateBytes = 128 * 1024;

// A shorter row of threads is not worth a vector.
static constexpr int64_t minThreads = 4;

bool uop::isFailure(scf::IfOp op) {
  return op.getNumResults() == 0 && !op.elseBlock() &&
         llvm::any_of(*op.thenBlock(), [](Operation &inner) {
           return inner.hasAttr(endsRunAttrName);
         });
}

bool uop::isSerial(Operation *op) {
  auto whileOp = dyn_cast<scf::WhileOp>(op);
  if (!whileOp)
    return false;
  auto swaps = [](Block *block) {
    return llvm::any_of(*block, [](Operation &inner) {
      return isa<LLVM::AtomicCmpXchgOp>(inner);
    });
  };
  return swaps(whileOp.getBeforeBody()) || swaps(whileOp.getAfterBody());
}

//===----------------------------------------------------------------------===//
// What has no form for vectors
//===----------------------------------------------------------------------===//

/// A type that can be the element of a vector of lanes, or a vector of such.
static bool isLaneType(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return !vector.isScalable() &&
           VectorType::isValidElementType(vector.getElementType());
  return VectorType::isValidElementType(type);
}

/// A function of numbers alone: of the C library's.
static bool isPureCall(func::CallOp call) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  return callee && callee.isDeclaration() &&
         callee->hasAttr(LLVM::LLVMDialect::getReadnoneAttrName());
}

namespace {

class SupportCheck {
public:
  SupportCheck(scf::ForOp threads, const LaneShapes &shapes)
      : threads(threads), shapes(shapes) {}

  Operation *find() { return find(*threads.getBody()); }

private:
  Operation *find(Block &block);
  bool isSupported(Operation *op);
  bool hasLaneValues(Operation *op);
  bool fits(Value buffer);

  scf::ForOp threads;
  const LaneShapes &shapes;
  llvm::DenseSet<Value> buffers;
  int64_t privateBytes = 0;
};

} // namespace

Operation *SupportCheck::find(Block &block) {
  for (Operation &op : block) {
    if (!isSupported(&op))
      return &op;
    auto ifOp = dyn_cast<scf::IfOp>(op);
    if (isSerial(&op) || (ifOp && isFailure(ifOp)))
      continue;
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        if (Operation *found = find(inner))
          return found;
  }
  return nullptr;
}

bool SupportCheck::fits(Value buffer) {
  if (!buffers.insert(buffer).second)
    return true;
  auto type = cast<MemRefType>(buffer.getType());
  // A heap buffer would have to be freed.
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      !buffer.getDefiningOp<memref::AllocaOp>())
    return false;
  privateBytes += type.getNumElements() > maxPrivateBytes
                      ? maxPrivateBytes + 1
                      : shapes.numLanes() * LaneShapes::bytesOfLane(type);
  return privateBytes <= maxPrivateBytes;
}

/// Values can be kept for each lane; memrefs are reached from lane 0's.
bool SupportCheck::hasLaneValues(Operation *op) {
  SmallVector<Value> values(op->getResults());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::append_range(values, block.getArguments());
  bool isControl = isa<scf::IfOp, scf::ForOp, scf::WhileOp>(op);
  for (Value value : values) {
    LaneShape shape = shapes.get(value);
    if (isa<BaseMemRefType>(value.getType())) {
      if (!shape.isStrided() || (isControl && !shape.isUniform()))
        return false;
    } else if (!shape.isUniform() && !isLaneType(value.getType())) {
      return false;
    }
  }
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<BaseMemRefType>(operand.getType());
    if (!type)
      continue;
    SmallVector<int64_t> strides;
    int64_t offset;
    auto ranked = dyn_cast<MemRefType>(type);
    if (!ranked || failed(ranked.getStridesAndOffset(strides, offset)))
      return false;
    if (shapes.isPrivateBuffer(operand) && !fits(operand))
      return false;
  }
  return true;
}

bool SupportCheck::isSupported(Operation *op) {
  if (isa<scf::YieldOp, scf::ConditionOp>(op))
    return true;
  if (!hasLaneValues(op))
    return false;
  if (isSerial(op))
    return true;
  if (auto ifOp = dyn_cast<scf::IfOp>(op))
    return isFailure(ifOp) || !shapes.get(ifOp.getCondition()).isUnknown();
  if (isa<scf::ForOp, scf::WhileOp>(op))
    return true;
  if (auto call = dyn_cast<func::CallOp>(op))
    return isPureCall(call) || ShadowAccess::isOne(op) ||
           op->hasAttr(perThreadAttrName);
  if (op->getNumRegions() != 0)
    return false;
  if (isa<LLVM::CallOp>(op))
    return op->hasAttr(perThreadAttrName);
  return isMemoryEffectFree(op) ||
         isa<memref::AllocaOp, memref::LoadOp, memref::StoreOp,
             memref::AtomicRMWOp, memref::GetGlobalOp, vector::LoadOp,
             vector::StoreOp, vector::MaskedLoadOp, vector::MaskedStoreOp,
             vector::TransferReadOp, vector::TransferWriteOp, vector::GatherOp,
             vector::ScatterOp, LLVM::LoadOp, LLVM::StoreOp, LLVM::AtomicRMWOp,
             LLVM::AtomicCmpXchgOp, LLVM::FenceOp>(op);
}

Operation *uop::findUnsupported(scf::ForOp threads, const LaneShapes &shapes) {
  return SupportCheck(threads, shapes).find();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

int64_t uop::getHostVectorWidth() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  if (features.lookup("avx512f"))
    return 16;
  if (features.lookup("avx2"))
    return 8;
  return 4;
}

namespace {

class VectorizeThreads
    : public uop::impl::VectorizeThreadsBase<VectorizeThreads> {
public:
  using VectorizeThreadsBase::VectorizeThreadsBase;
  void runOnOperation() override;

private:
  void vectorize(scf::ForOp loop, int64_t width, LaneBuffers &buffers);
};

} // namespace

static bool isInnermost(scf::ForOp loop) {
  WalkResult walk = loop.getBody()->walk([](Operation *op) {
    return op->hasAttr(threadLoopAttrName) ? WalkResult::interrupt()
                                           : WalkResult::advance();
  });
  return !walk.wasInterrupted();
}

/// The threads first to end - 1: whole vectors, and what is left under a mask.
void VectorizeThreads::vectorize(scf::ForOp loop, int64_t width,
                                 LaneBuffers &buffers) {
  APInt known;
  std::optional<int64_t> count;
  if (matchPattern(loop.getUpperBound(), m_ConstantInt(&known)))
    count = known.getSExtValue();
  if (count && *count < minThreads)
    return;
  int64_t lanes =
      count ? std::min<int64_t>(width, llvm::PowerOf2Ceil(*count)) : width;
  LaneShapes shapes(loop, lanes);
  if (findUnsupported(loop, shapes))
    return;
  Location loc = loop.getLoc();
  ImplicitLocOpBuilder b(loc, loop);
  Value end = loop.getUpperBound();
  Value step = arith::ConstantIndexOp::create(b, lanes);
  Value whole;
  if (count) {
    whole = arith::ConstantIndexOp::create(b, *count / lanes * lanes);
  } else {
    Value below = arith::ConstantIndexOp::create(b, -lanes);
    whole = arith::AndIOp::create(b, end, below);
  }
  VectorCode code(loop, shapes, lanes, buffers);
  if (!count || *count >= lanes) {
    auto vectors = scf::ForOp::create(b, loop.getLowerBound(), whole, step);
    OpBuilder body(vectors.getBody()->getTerminator());
    code.emit(body, vectors.getInductionVar(), /*mask=*/nullptr);
  }
  if (!count || *count % lanes != 0) {
    Value rest = arith::SubIOp::create(b, end, whole);
    auto maskType = VectorType::get({lanes}, b.getI1Type());
    if (count) {
      SmallVector<bool> bits(lanes, false);
      std::fill_n(bits.begin(), *count % lanes, true);
      Value mask =
          arith::ConstantOp::create(b, DenseElementsAttr::get(maskType, bits));
      code.emit(b, whole, mask);
    } else {
      Value none = arith::ConstantIndexOp::create(b, 0);
      Value some =
          arith::CmpIOp::create(b, arith::CmpIPredicate::ne, rest, none);
      auto branch = scf::IfOp::create(b, some, /*withElseRegion=*/false);
      OpBuilder body(branch.thenYield());
      Value mask = vector::CreateMaskOp::create(body, loc, maskType, rest);
      code.emit(body, whole, mask);
    }
  }
  loop.erase();
}

void VectorizeThreads::runOnOperation() {
  if (width < 0 || width > 64 || (width > 1 && !llvm::isPowerOf2_64(width))) {
    getOperation().emitError()
        << "expected 0 (the host's), 1 (none) or a power of two up to 64 as "
           "the number of threads in a vector, but got "
        << int64_t(width);
    return signalPassFailure();
  }
  int64_t lanes = width == 0 ? getHostVectorWidth() : width;
  for (auto func : getOperation().getOps<func::FuncOp>()) {
    if (func.isDeclaration())
      continue;
    SmallVector<scf::ForOp> loops;
    func.walk([&](scf::ForOp loop) {
      if (loop->hasAttr(threadLoopAttrName) && isInnermost(loop) &&
          loop.getNumResults() == 0)
        loops.push_back(loop);
    });
    LaneBuffers buffers;
    if (lanes > 1)
      for (scf::ForOp loop : loops)
        vectorize(loop, lanes, buffers);
    // What only this pass asks for.
    func.walk([](Operation *op) {
      op->removeAttr(threadLoopAttrName);
      op->removeAttr(privateBufferAttrName);
    });
    func->removeAttr(blockFunctionAttrName);
  }
  expandShadowAccesses(getOperation());
}
