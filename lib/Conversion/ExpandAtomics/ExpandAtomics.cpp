//===- ExpandAtomics.cpp - Atomic updates as compare-and-swap loops -------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's atomicrmw has no product and no boolean, and upstream's expansion of
// memref.generic_atomic_rmw swaps floats, which LLVM's cmpxchg refuses. Here
// the loop swaps the bits:
//
//   old = load p
//   do { new = bits(f(value(old))); (now, done) = cmpxchg p, old, new; old =
//   now } while (!done)
//
//===----------------------------------------------------------------------===//

#include "Uop/Conversion/ExpandAtomics.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

/// The address of `memref[indices]`.
static Value getElementPointer(OpBuilder &builder, Location loc,
                               const LLVMTypeConverter &converter, Value memref,
                               ValueRange indices) {
  auto type = cast<MemRefType>(memref.getType());
  auto asLLVM = [&](Type to, Value value) -> Value {
    return UnrealizedConversionCastOp::create(builder, loc, to, value)
        .getResult(0);
  };
  Value descriptor = asLLVM(converter.convertType(type), memref);
  SmallVector<Value> llvmIndices;
  for (Value index : indices)
    llvmIndices.push_back(asLLVM(converter.getIndexType(), index));
  return LLVM::getStridedElementPtr(builder, loc, converter, type, descriptor,
                                    llvmIndices);
}

/// Builds the loop at `memref[indices]`; `update` computes the new value from
/// the old one. Returns the value that was replaced.
static FailureOr<Value>
buildSwapLoop(PatternRewriter &rewriter, Location loc,
              const LLVMTypeConverter &converter, Value memref,
              ValueRange indices,
              function_ref<Value(OpBuilder &, Value)> update) {
  Type type = cast<MemRefType>(memref.getType()).getElementType();
  if (!type.isIntOrIndexOrFloat() || !converter.convertType(memref.getType()))
    return failure();
  // A boolean is a byte in memory, an index a word.
  bool isBool = type.isInteger(1), isIndex = type.isIndex();
  unsigned width = isBool    ? 8
                   : isIndex ? converter.getIndexTypeBitwidth()
                             : type.getIntOrFloatBitWidth();
  if (width != 8 && width != 16 && width != 32 && width != 64)
    return failure();

  Type bitsType = rewriter.getIntegerType(width);
  auto toBits = [&](OpBuilder &b, Value value) -> Value {
    if (isBool)
      return arith::ExtUIOp::create(b, loc, bitsType, value);
    if (isIndex)
      return arith::IndexCastOp::create(b, loc, bitsType, value);
    return type == bitsType ? value
                            : arith::BitcastOp::create(b, loc, bitsType, value);
  };
  auto fromBits = [&](OpBuilder &b, Value bits) -> Value {
    if (isBool)
      return arith::TruncIOp::create(b, loc, type, bits);
    if (isIndex)
      return arith::IndexCastOp::create(b, loc, type, bits);
    return type == bitsType ? bits
                            : arith::BitcastOp::create(b, loc, type, bits);
  };

  Value pointer = getElementPointer(rewriter, loc, converter, memref, indices);
  Value first = memref::LoadOp::create(rewriter, loc, memref, indices);
  auto loop = scf::WhileOp::create(
      rewriter, loc, TypeRange{bitsType}, ValueRange{toBits(rewriter, first)},
      [&](OpBuilder &b, Location, ValueRange old) {
        Value updated = toBits(b, update(b, fromBits(b, old[0])));
        auto swap = LLVM::AtomicCmpXchgOp::create(
            b, loc, pointer, old[0], updated, LLVM::AtomicOrdering::acq_rel,
            LLVM::AtomicOrdering::monotonic);
        Value now = LLVM::ExtractValueOp::create(b, loc, swap, 0);
        Value done = LLVM::ExtractValueOp::create(b, loc, swap, 1);
        Value yes = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
        Value again = arith::XOrIOp::create(b, loc, done, yes);
        scf::ConditionOp::create(b, loc, again, now);
      },
      [&](OpBuilder &b, Location, ValueRange old) {
        scf::YieldOp::create(b, loc, old);
      });
  return fromBits(rewriter, loop.getResult(0));
}

namespace {

struct ExpandAtomic : OpRewritePattern<memref::AtomicRMWOp> {
  ExpandAtomic(MLIRContext *context, const LLVMTypeConverter &converter,
               std::function<bool(memref::AtomicRMWOp)> needsLoop)
      : OpRewritePattern(context), converter(converter),
        needsLoop(std::move(needsLoop)) {}

  LogicalResult matchAndRewrite(memref::AtomicRMWOp op,
                                PatternRewriter &rewriter) const override {
    if (!needsLoop(op))
      return failure();
    FailureOr<Value> old =
        buildSwapLoop(rewriter, op.getLoc(), converter, op.getMemref(),
                      op.getIndices(), [&](OpBuilder &b, Value value) -> Value {
                        if (op.getKind() == arith::AtomicRMWKind::assign)
                          return op.getValue();
                        return arith::getReductionOp(
                            op.getKind(), b, op.getLoc(), value, op.getValue());
                      });
    if (failed(old))
      return failure();
    rewriter.replaceOp(op, *old);
    return success();
  }

  const LLVMTypeConverter &converter;
  std::function<bool(memref::AtomicRMWOp)> needsLoop;
};

struct ExpandGenericAtomic : OpRewritePattern<memref::GenericAtomicRMWOp> {
  ExpandGenericAtomic(MLIRContext *context, const LLVMTypeConverter &converter)
      : OpRewritePattern(context), converter(converter) {}

  LogicalResult matchAndRewrite(memref::GenericAtomicRMWOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<Value> old = buildSwapLoop(
        rewriter, op.getLoc(), converter, op.getMemref(), op.getIndices(),
        [&](OpBuilder &b, Value value) -> Value {
          Block *body = op.getBody();
          IRMapping mapping;
          mapping.map(body->getArgument(0), value);
          for (Operation &inner : body->without_terminator())
            b.clone(inner, mapping);
          return mapping.lookupOrDefault(body->getTerminator()->getOperand(0));
        });
    if (failed(old))
      return failure();
    rewriter.replaceOp(op, *old);
    return success();
  }

  const LLVMTypeConverter &converter;
};

} // namespace

void uop::populateExpandAtomicsPatterns(
    RewritePatternSet &patterns, const LLVMTypeConverter &converter,
    std::function<bool(memref::AtomicRMWOp)> needsLoop) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ExpandAtomic>(context, converter, std::move(needsLoop));
  patterns.add<ExpandGenericAtomic>(context, converter);
}
