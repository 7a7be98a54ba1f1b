//===- Stores.cpp - Loops and writes of stores ----------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace uop;

static arith::AtomicRMWKind getAtomicKind(vector::CombiningKind kind,
                                          Type type) {
  using vector::CombiningKind;
  bool isFloat = isa<FloatType>(type);
  switch (kind) {
  case CombiningKind::ADD:
    return isFloat ? arith::AtomicRMWKind::addf : arith::AtomicRMWKind::addi;
  case CombiningKind::MUL:
    return isFloat ? arith::AtomicRMWKind::mulf : arith::AtomicRMWKind::muli;
  case CombiningKind::MINUI:
    return arith::AtomicRMWKind::minu;
  case CombiningKind::MINSI:
    return arith::AtomicRMWKind::mins;
  case CombiningKind::MAXUI:
    return arith::AtomicRMWKind::maxu;
  case CombiningKind::MAXSI:
    return arith::AtomicRMWKind::maxs;
  case CombiningKind::AND:
    return arith::AtomicRMWKind::andi;
  case CombiningKind::OR:
    return arith::AtomicRMWKind::ori;
  case CombiningKind::XOR:
    return arith::AtomicRMWKind::xori;
  case CombiningKind::MINNUMF:
    return arith::AtomicRMWKind::minnumf;
  case CombiningKind::MAXNUMF:
    return arith::AtomicRMWKind::maxnumf;
  case CombiningKind::MINIMUMF:
    return arith::AtomicRMWKind::minimumf;
  case CombiningKind::MAXIMUMF:
    return arith::AtomicRMWKind::maximumf;
  }
  llvm_unreachable("all kinds are handled");
}

/// Writes one copy of a store, whose operands have been emitted.
void LoopLowering::emitStore(StoreOp store) {
  Location loc = store.getLoc();
  Value value = lookup(store.getValue());
  Value target = lookup(store.getTarget());
  SmallVector<Value> indices;
  for (Value index : store.getIndices())
    indices.push_back(lookup(index));
  Value condition = getStoreGuard(store);
  insertAt(*levels.back());
  if (store.getMask())
    condition = conjoin(condition, lookup(store.getMask()));
  auto write = [&](OpBuilder &b, Location loc) {
    if (store.getKind())
      memref::AtomicRMWOp::create(
          b, loc, value.getType(),
          getAtomicKind(*store.getKind(), value.getType()), value, target,
          indices);
    else
      memref::StoreOp::create(b, loc, value, target, indices);
  };
  if (!condition)
    return write(builder, loc);
  scf::IfOp::create(builder, loc, condition, [&](OpBuilder &b, Location loc) {
    write(b, loc);
    scf::YieldOp::create(b, loc);
  });
}

/// Emits stores whose domains have the same serial ranges in one nest: first
/// all values, since loads read memory as on entry, then the writes.
void LoopLowering::emitStores(ArrayRef<StoreOp> group) {
  neededReductions.clear();
  neededStages.clear();
  SetVector<Value> reached;
  for (StoreOp store : group)
    reached.insert(store->operand_begin(), store->operand_end());
  for (size_t i = 0; i < reached.size(); ++i)
    if (Operation *op = reached[i].getDefiningOp()) {
      if (auto reduce = dyn_cast<ReduceOp>(op))
        neededReductions.insert(reduce);
      if (auto stage = dyn_cast<StageOp>(op))
        neededStages.insert(stage);
      reached.insert(op->operand_begin(), op->operand_end());
    }

  StoreOp leader = group.front();
  size_t depth = 0;
  for (RangeOp range : getRanges(leader.getOver()))
    if (isSerial(range)) {
      openLoop(range, {});
      ++depth;
    }
  for (StoreOp store : group)
    forEachCopy(getUnrolled(getRanges(store.getOver())), [&] {
      emit(store.getValue());
      for (Value index : store.getIndices())
        emit(index);
      if (store.getMask())
        emit(store.getMask());
    });
  for (StoreOp store : group)
    forEachCopy(getUnrolled(getRanges(store.getOver())),
                [&] { emitStore(store); });
  while (depth-- > 0)
    closeLoop({});
}
