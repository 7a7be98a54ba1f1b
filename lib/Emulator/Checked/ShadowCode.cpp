//===- ShadowCode.cpp - What is known of a word of memory -----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShadowCode.h"

#include "../Vectorize/VectorCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace uop;

static constexpr llvm::StringLiteral shadowFunctionName = "uop_check_word";
static constexpr llvm::StringLiteral fireFunctionName = "uop_check_fire";
static constexpr llvm::StringLiteral clockName = "uop_check_clock";

/// The words of the clock: the interval, and the block's first one.
enum ClockWord : int64_t { Now, BlockStart, ClockWords };

enum StateBits : int64_t {
  Read = 1,
  Write = 2,
  Update = 4,
  Several = 8,
  LastUses = 0xF,
  OwnShift = 4,
  OwnUses = 7 << OwnShift,
  OthersShift = 8,
  OthersUses = 7 << OthersShift,
  WrittenShift = 12,
  WrittenBytes = 0xF << WrittenShift,
  ThreadShift = 16,
  IntervalShift = 32,
};

//===----------------------------------------------------------------------===//
// The call
//===----------------------------------------------------------------------===//

bool ShadowAccess::isOne(Operation *op) {
  auto call = dyn_cast<func::CallOp>(op);
  return call && call.getCallee() == shadowFunctionName;
}

ShadowAccess ShadowAccess::get(func::CallOp call) {
  auto number = [&](StringRef name) {
    return call->getAttrOfType<IntegerAttr>(name).getInt();
  };
  ShadowAccess access;
  access.use = ShadowUse(number("use"));
  access.bytes = number("bytes");
  access.isShared = call->hasAttr("shared");
  access.mustBeWritten = call->hasAttr("must_be_written");
  return access;
}

func::CallOp ShadowAccess::create(ImplicitLocOpBuilder &b, SymbolTable &symbols,
                                  Value states, Value word,
                                  Value thread) const {
  auto type = MemRefType::get({ShapedType::kDynamic}, b.getI64Type());
  if (!symbols.lookup(shadowFunctionName)) {
    OpBuilder top(b.getContext());
    auto function = func::FuncOp::create(
        top, b.getLoc(), shadowFunctionName,
        top.getFunctionType({type, b.getIndexType(), b.getIndexType()}, {}));
    function.setPrivate();
    symbols.insert(function);
  }
  if (cast<MemRefType>(states.getType()).getMemorySpace())
    states = memref::MemorySpaceCastOp::create(
        b,
        MemRefType::get(cast<MemRefType>(states.getType()).getShape(),
                        b.getI64Type()),
        states);
  if (states.getType() != type)
    states = memref::CastOp::create(b, type, states);
  auto call = func::CallOp::create(b, shadowFunctionName, TypeRange(),
                                   ValueRange{states, word, thread});
  call->setAttr("use", b.getI64IntegerAttr(static_cast<int64_t>(use)));
  call->setAttr("bytes", b.getI64IntegerAttr(bytes));
  if (isShared)
    call->setAttr("shared", b.getUnitAttr());
  if (mustBeWritten)
    call->setAttr("must_be_written", b.getUnitAttr());
  return call;
}

//===----------------------------------------------------------------------===//
// The clock
//===----------------------------------------------------------------------===//

static MemRefType getClockType(MLIRContext *context) {
  return MemRefType::get({ClockWords}, IntegerType::get(context, 64));
}

void uop::createClock(ModuleOp module, SymbolTable &symbols) {
  if (symbols.lookup(clockName))
    return;
  OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
  MemRefType type = getClockType(module.getContext());
  auto zero = DenseElementsAttr::get(
      RankedTensorType::get(type.getShape(), type.getElementType()),
      int64_t(0));
  symbols.insert(memref::GlobalOp::create(
      top, module.getLoc(), clockName, top.getStringAttr("private"), type, zero,
      /*constant=*/false, /*alignment=*/IntegerAttr()));
  // It changes nothing that the code knows of: what the code has loaded stays.
  OpBuilder end = OpBuilder::atBlockEnd(module.getBody());
  auto fire = LLVM::LLVMFuncOp::create(
      end, module.getLoc(), fireFunctionName,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(module.getContext()),
                                  {}));
  fire.setNoUnwind(true);
  fire.setWillReturn(true);
  auto none = LLVM::ModRefInfo::NoModRef;
  fire.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(
      module.getContext(), /*other=*/none, /*argMem=*/none,
      /*inaccessibleMem=*/LLVM::ModRefInfo::ModRef, /*errnoMem=*/none,
      /*targetMem0=*/none, /*targetMem1=*/none));
  symbols.insert(fire);
}

void uop::createFire(ImplicitLocOpBuilder &b) {
  auto call =
      LLVM::CallOp::create(b, TypeRange(), fireFunctionName, ValueRange());
  call->setAttr(perThreadAttrName, b.getUnitAttr());
}

void uop::fireIf(ImplicitLocOpBuilder &b, Value condition) {
  auto branch = scf::IfOp::create(b, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(branch.thenYield());
  createFire(b);
}

static Value loadClock(ImplicitLocOpBuilder &b, ClockWord word) {
  Value clock =
      memref::GetGlobalOp::create(b, getClockType(b.getContext()), clockName);
  Value place = arith::ConstantIndexOp::create(b, word);
  return memref::LoadOp::create(b, clock, place);
}

void uop::advanceClock(ImplicitLocOpBuilder &b, bool isNewBlock) {
  Value clock =
      memref::GetGlobalOp::create(b, getClockType(b.getContext()), clockName);
  Value one = arith::ConstantIntOp::create(b, 1, 64);
  Value now = arith::AddIOp::create(b, loadClock(b, Now), one);
  Value place = arith::ConstantIndexOp::create(b, Now);
  memref::StoreOp::create(b, now, clock, place);
  // A state has 32 bits for it.
  Value end = arith::ConstantIntOp::create(b, int64_t(1) << 32, 64);
  Value isOver = arith::CmpIOp::create(b, arith::CmpIPredicate::uge, now, end);
  {
    auto branch = scf::IfOp::create(b, isOver, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(branch.thenYield());
    createFire(b);
  }
  if (!isNewBlock)
    return;
  place = arith::ConstantIndexOp::create(b, BlockStart);
  memref::StoreOp::create(b, now, clock, place);
}

//===----------------------------------------------------------------------===//
// The update
//===----------------------------------------------------------------------===//

namespace {

/// Arithmetic on the states of one word, or of several.
class StateCode {
public:
  StateCode(ImplicitLocOpBuilder &b, Type type) : b(b), type(type) {}

  Value number(int64_t value) {
    Attribute attr = b.getI64IntegerAttr(value);
    if (auto vector = dyn_cast<VectorType>(type))
      attr = DenseElementsAttr::get(vector, attr);
    return arith::ConstantOp::create(b, cast<TypedAttr>(attr));
  }
  Value bits(Value x, int64_t mask) {
    return arith::AndIOp::create(b, x, number(mask));
  }
  Value either(Value x, Value y) { return arith::OrIOp::create(b, x, y); }
  Value left(Value x, int64_t count) {
    return arith::ShLIOp::create(b, x, number(count));
  }
  Value right(Value x, int64_t count) {
    return arith::ShRUIOp::create(b, x, number(count));
  }
  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, predicate, x, y);
  }
  Value has(Value x, int64_t mask) {
    return compare(arith::CmpIPredicate::ne, bits(x, mask), number(0));
  }
  Value choose(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, condition, x, y);
  }
  /// The same for all.
  Value all(Value scalar) {
    return isa<VectorType>(type)
               ? vector::BroadcastOp::create(b, type, scalar).getResult()
               : scalar;
  }

private:
  ImplicitLocOpBuilder &b;
  Type type;
};

} // namespace

/// With which uses another thread's does not go together.
static int64_t getConflicts(ShadowUse use) {
  switch (use) {
  case ShadowUse::Read:
    return Write | Update;
  case ShadowUse::Write:
    return Read | Write | Update;
  case ShadowUse::Update:
    return Read | Write;
  }
  llvm_unreachable("an unknown use");
}

ShadowUpdate uop::updateShadow(ImplicitLocOpBuilder &b,
                               const ShadowAccess &access, Value states,
                               Value threads, bool byAll) {
  StateCode code(b, states.getType());
  int64_t use = static_cast<int64_t>(access.use);
  Value now = code.all(loadClock(b, Now));
  Value then = code.right(states, IntervalShift);
  Value isNow = code.compare(arith::CmpIPredicate::eq, then, now);

  // What is known beyond the interval.
  Value lasting = code.bits(states, WrittenBytes);
  Value bad;
  if (!access.isShared) {
    Value isBlocks = code.compare(arith::CmpIPredicate::uge, then,
                                  code.all(loadClock(b, BlockStart)));
    Value uses = code.bits(states, OwnUses | OthersUses);
    Value passed = code.either(
        code.left(code.bits(states, OwnUses), OthersShift - OwnShift),
        code.bits(states, OthersUses));
    lasting = code.choose(isBlocks, uses, passed);
    bad = code.has(lasting, getConflicts(access.use) << OthersShift);
  } else if (access.mustBeWritten) {
    Value written = code.bits(states, access.bytes << WrittenShift);
    bad = code.compare(arith::CmpIPredicate::ne, written,
                       code.number(access.bytes << WrittenShift));
  }
  Value thread = code.left(threads, ThreadShift);
  Value fresh =
      code.either(code.either(code.left(now, IntervalShift), thread), lasting);
  Value kept = code.choose(isNow, states, fresh);
  int64_t added = use;
  if (!access.isShared)
    added |= use << OwnShift;
  else if (access.use != ShadowUse::Read)
    added |= access.bytes << WrittenShift;
  if (byAll)
    added |= Several;
  Value result = code.either(kept, code.number(added));
  if (!byAll) {
    Value differs = arith::XOrIOp::create(b, kept, thread);
    Value isOther = code.has(differs, int64_t(0xFFFF) << ThreadShift);
    result = code.either(
        result, code.choose(isOther, code.number(Several), code.number(0)));
  }
  // A use conflicts with itself if it is a store: then two threads suffice.
  // Else with what was there before.
  Value isSeveral = code.has(result, Several);
  Value conflicts =
      access.use == ShadowUse::Write
          ? isSeveral
          : arith::AndIOp::create(b, isSeveral,
                                  code.has(result, getConflicts(access.use)))
                .getResult();
  bad = bad ? code.either(bad, conflicts) : conflicts;
  return {result, bad};
}

static void expandShadowAccess(func::CallOp call) {
  ImplicitLocOpBuilder b(call.getLoc(), call);
  Value shadow = call.getOperand(0), word = call.getOperand(1);
  Value thread =
      arith::IndexCastOp::create(b, b.getI64Type(), call.getOperand(2));
  Value state = memref::LoadOp::create(b, shadow, word);
  ShadowUpdate update =
      updateShadow(b, ShadowAccess::get(call), state, thread, /*byAll=*/false);
  memref::StoreOp::create(b, update.states, shadow, word);
  auto branch = scf::IfOp::create(b, update.bad, /*withElseRegion=*/false);
  b.setInsertionPoint(branch.thenYield());
  createFire(b);
  call.erase();
}

void uop::expandShadowAccesses(ModuleOp module) {
  SmallVector<func::CallOp> calls;
  module.walk([&](func::CallOp call) {
    if (ShadowAccess::isOne(call))
      calls.push_back(call);
  });
  for (func::CallOp call : calls)
    expandShadowAccess(call);
  if (Operation *function = module.lookupSymbol(shadowFunctionName))
    function->erase();
}
