//===- LowerAtomics.cpp - Atomic updates that LLVM does not have ----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's atomicrmw has integer sums and extrema, and no products, no bits (i1
// takes a byte), no body of its own; its floats leave zeros and NaN open. The
// rest becomes a loop that swaps the bits of an element:
//
//   old = load p
//   do { new = f(old); (old, done) = cmpxchg p, old, new } while (!done)
//
//===----------------------------------------------------------------------===//

#include "Uop/Emulator/Passes.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace uop {
#define GEN_PASS_DEF_UOPLOWERATOMICS
#include "Uop/Emulator/Passes.h.inc"
} // namespace uop

using namespace mlir;

using UpdateFn = function_ref<Value(ImplicitLocOpBuilder &, Value)>;

/// Replaces an update of `memref[indices]`; `update` makes the new value of the
/// old one.
static LogicalResult lower(Operation *op, const LLVMTypeConverter &converter,
                           Value memref, ValueRange indices, UpdateFn update) {
  auto memrefType = cast<MemRefType>(memref.getType());
  Type type = memrefType.getElementType();
  unsigned width = 64;
  if (!type.isIndex())
    width = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
  if (width == 1)
    width = 8;
  if (width != 8 && width != 16 && width != 32 && width != 64)
    return op->emitOpError("is not supported by the emulator for elements of "
                           "type ")
           << type << ": expected 1, 8, 16, 32 or 64 bits";

  ImplicitLocOpBuilder b(op->getLoc(), op);
  Type bitsType = b.getIntegerType(width);
  auto toBits = [&](Value value) -> Value {
    if (type.isInteger(1))
      return arith::ExtUIOp::create(b, bitsType, value);
    if (type.isIndex())
      return arith::IndexCastOp::create(b, bitsType, value);
    return type == bitsType ? value
                            : arith::BitcastOp::create(b, bitsType, value);
  };
  auto fromBits = [&](Value bits) -> Value {
    if (type.isInteger(1))
      return arith::TruncIOp::create(b, type, bits);
    if (type.isIndex())
      return arith::IndexCastOp::create(b, type, bits);
    return type == bitsType ? bits : arith::BitcastOp::create(b, type, bits);
  };
  auto asLLVM = [&](Type to, Value value) -> Value {
    return UnrealizedConversionCastOp::create(b, to, value).getResult(0);
  };

  SmallVector<Value> llvmIndices;
  for (Value index : indices)
    llvmIndices.push_back(asLLVM(converter.getIndexType(), index));
  Value pointer = LLVM::getStridedElementPtr(
      b, b.getLoc(), converter, memrefType,
      asLLVM(converter.convertType(memrefType), memref), llvmIndices);
  Value first = LLVM::LoadOp::create(b, bitsType, pointer);
  auto loop = scf::WhileOp::create(b, TypeRange{bitsType}, ValueRange{first});
  {
    OpBuilder::InsertionGuard guard(b);
    Block *body =
        b.createBlock(&loop.getBefore(), {}, {bitsType}, {b.getLoc()});
    Value old = body->getArgument(0);
    Value updated = toBits(update(b, fromBits(old)));
    auto swap = LLVM::AtomicCmpXchgOp::create(b, pointer, old, updated,
                                              LLVM::AtomicOrdering::acq_rel,
                                              LLVM::AtomicOrdering::monotonic);
    Value now = LLVM::ExtractValueOp::create(b, swap, 0);
    Value done = LLVM::ExtractValueOp::create(b, swap, 1);
    Value yes = arith::ConstantIntOp::create(b, 1, 1);
    scf::ConditionOp::create(b, arith::XOrIOp::create(b, done, yes), now);
    Block *after =
        b.createBlock(&loop.getAfter(), {}, {bitsType}, {b.getLoc()});
    scf::YieldOp::create(b, after->getArguments());
  }
  if (!op->use_empty())
    op->getResult(0).replaceAllUsesWith(fromBits(loop.getResult(0)));
  op->erase();
  return success();
}

/// Whether LLVM's own update is exactly the one that is meant.
static bool isInstruction(memref::AtomicRMWOp op) {
  Type type = op.getMemRefType().getElementType();
  if (!type.isInteger(8) && !type.isInteger(16) && !type.isInteger(32) &&
      !type.isInteger(64))
    return false;
  switch (op.getKind()) {
  case arith::AtomicRMWKind::addi:
  case arith::AtomicRMWKind::andi:
  case arith::AtomicRMWKind::assign:
  case arith::AtomicRMWKind::maxs:
  case arith::AtomicRMWKind::maxu:
  case arith::AtomicRMWKind::mins:
  case arith::AtomicRMWKind::minu:
  case arith::AtomicRMWKind::ori:
  case arith::AtomicRMWKind::xori:
    return true;
  default:
    return false;
  }
}

namespace {
class LowerAtomics : public uop::impl::UopLowerAtomicsBase<LowerAtomics> {
public:
  using UopLowerAtomicsBase::UopLowerAtomicsBase;

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      auto simple = dyn_cast<memref::AtomicRMWOp>(op);
      if (isa<memref::GenericAtomicRMWOp>(op) ||
          (simple && !isInstruction(simple)))
        ops.push_back(op);
    });
    LLVMTypeConverter converter(&getContext());
    for (Operation *op : ops)
      if (failed(lowerOp(op, converter)))
        return signalPassFailure();
  }

private:
  static LogicalResult lowerOp(Operation *op,
                               const LLVMTypeConverter &converter) {
    if (auto simple = dyn_cast<memref::AtomicRMWOp>(op))
      return lower(op, converter, simple.getMemref(), simple.getIndices(),
                   [&](ImplicitLocOpBuilder &b, Value old) -> Value {
                     if (simple.getKind() == arith::AtomicRMWKind::assign)
                       return simple.getValue();
                     return arith::getReductionOp(simple.getKind(), b,
                                                  b.getLoc(), old,
                                                  simple.getValue());
                   });
    auto generic = cast<memref::GenericAtomicRMWOp>(op);
    return lower(op, converter, generic.getMemref(), generic.getIndices(),
                 [&](ImplicitLocOpBuilder &b, Value old) -> Value {
                   Block *body = generic.getBody();
                   IRMapping mapping;
                   mapping.map(body->getArgument(0), old);
                   for (Operation &inner : body->without_terminator())
                     b.clone(inner, mapping);
                   return mapping.lookupOrDefault(
                       body->getTerminator()->getOperand(0));
                 });
  }
};
} // namespace
