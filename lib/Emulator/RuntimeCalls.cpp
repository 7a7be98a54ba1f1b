//===- RuntimeCalls.cpp - Messages of an emulated kernel ------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeCalls.h"

#include "Vectorize/VectorCode.h"

#include "Checked/InstrumentKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace uop;

std::string uop::describeLocation(Location loc) {
  std::string string;
  llvm::raw_string_ostream os(string);
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    os << file.getFilename().getValue() << ":" << file.getLine() << ":"
       << file.getColumn();
  else
    loc.print(os);
  return string;
}

void uop::setInternal(func::FuncOp func) {
  func.setPrivate();
  func->setAttr("llvm.linkage",
                LLVM::LinkageAttr::get(func.getContext(),
                                       LLVM::linkage::Linkage::Internal));
}

std::string uop::escapeFormat(StringRef text) {
  std::string escaped;
  for (char c : text) {
    escaped += c;
    if (c == '%')
      escaped += c;
  }
  return escaped;
}

LogicalResult RuntimeCalls::check() {
  for (StringRef name : {"dprintf", "fflush", "pause", "_exit", "memcpy",
                         "memmove", "realloc", "free", "printf"})
    if (Operation *op = table.lookup(name); op && !isa<LLVM::LLVMFuncOp>(op))
      return op->emitError("expected no symbol of the name '")
             << name << "', which is a function of the C library that the "
             << "emulated code calls; rename it";
  return success();
}

LLVM::LLVMFuncOp RuntimeCalls::libc(StringRef name, Type result,
                                    ArrayRef<Type> args, bool variadic) {
  if (auto op = table.lookup<LLVM::LLVMFuncOp>(name))
    return op;
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(result, args, variadic);
  auto op = LLVM::LLVMFuncOp::create(b, module.getLoc(), name, type);
  table.insert(op);
  return op;
}

Value RuntimeCalls::text(ImplicitLocOpBuilder &b, StringRef string) {
  LLVM::GlobalOp &global = texts[string];
  if (!global) {
    OpBuilder top = OpBuilder::atBlockEnd(module.getBody());
    std::string bytes = string.str();
    bytes.push_back('\0');
    auto type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size());
    global =
        LLVM::GlobalOp::create(top, module.getLoc(), type,
                               /*isConstant=*/true, LLVM::Linkage::Internal,
                               "uop_text", top.getStringAttr(bytes));
    table.insert(global);
  }
  return LLVM::AddressOfOp::create(
      b, LLVM::LLVMPointerType::get(b.getContext()), global.getSymName());
}

void RuntimeCalls::print(ImplicitLocOpBuilder &b, StringRef format,
                         ValueRange args) {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  LLVM::LLVMFuncOp dprintf =
      libc("dprintf", b.getI32Type(), {b.getI32Type(), pointer}, true);
  SmallVector<Value> operands;
  operands.push_back(arith::ConstantIntOp::create(b, 2, 32));
  operands.push_back(text(b, format));
  for (Value arg : args) {
    if (arg.getType().isIndex())
      arg = arith::IndexCastOp::create(b, b.getI64Type(), arg);
    operands.push_back(arg);
  }
  LLVM::CallOp::create(b, dprintf, operands);
}

void RuntimeCalls::beginReport(ImplicitLocOpBuilder &b) {
  constexpr StringLiteral flagName = "uop_reporting";
  auto type = MemRefType::get({}, b.getI32Type());
  if (!table.lookup(flagName)) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    auto zero = DenseElementsAttr::get(
        RankedTensorType::get({}, b.getI32Type()), int32_t(0));
    auto global = memref::GlobalOp::create(
        top, module.getLoc(), flagName, top.getStringAttr("private"), type,
        zero, /*constant=*/false, /*alignment=*/IntegerAttr());
    table.insert(global);
  }
  Value flag = memref::GetGlobalOp::create(b, type, flagName);
  Value one = arith::ConstantIntOp::create(b, 1, 32);
  Value old = memref::AtomicRMWOp::create(b, arith::AtomicRMWKind::maxu, one,
                                          flag, ValueRange());
  Value zero = arith::ConstantIntOp::create(b, 0, 32);
  Value late = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, old, zero);
  auto ifOp = scf::IfOp::create(b, late, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  LLVM::CallOp::create(b, libc("pause", b.getI32Type(), {}), ValueRange());
}

void RuntimeCalls::endReport(ImplicitLocOpBuilder &b) {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value null = LLVM::ZeroOp::create(b, pointer);
  LLVM::CallOp::create(b, libc("fflush", b.getI32Type(), {pointer}), null);
  // Not exit: another thread of an OpenMP team may be running, and the
  // runtime's own exit handlers would wait for it.
  Value status = arith::ConstantIntOp::create(b, 1, 32);
  auto exit = LLVM::CallOp::create(
      b,
      libc("_exit", LLVM::LLVMVoidType::get(b.getContext()), {b.getI32Type()}),
      status);
  exit->setAttr(endsRunAttrName, b.getUnitAttr());
}

void RuntimeCalls::failIf(ImplicitLocOpBuilder &b, Value bad, StringRef format,
                          ValueRange args) {
  auto ifOp = scf::IfOp::create(b, bad, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  beginReport(b);
  print(b, format, args);
  endReport(b);
}

func::FuncOp RuntimeCalls::voteFunction(StringRef kernel, Location loc,
                                        ArrayRef<std::string> places,
                                        std::optional<int64_t> leftVote) {
  MLIRContext *context = module.getContext();
  auto pointer = LLVM::LLVMPointerType::get(context);
  auto index = IndexType::get(context);
  auto votesType =
      MemRefType::get({ShapedType::kDynamic}, IntegerType::get(context, 64));
  OpBuilder top = OpBuilder::atBlockEnd(module.getBody());
  auto func = func::FuncOp::create(
      top, loc, (kernel + "_vote").str(),
      top.getFunctionType(
          {votesType, index, index, index, index, index, index, index, pointer},
          {index}));
  func.setPrivate();
  table.insert(func);
  auto b = ImplicitLocOpBuilder::atBlockBegin(loc, func.addEntryBlock());
  Value votes = func.getArgument(0);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value begin = func.getArgument(1), end = func.getArgument(2);
  Value count = arith::SubIOp::create(b, end, begin);
  Value left =
      leftVote ? arith::ConstantIntOp::create(b, *leftVote, 64) : Value();
  auto equal = [&](Value x, Value y) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x, y);
  };
  // How many threads voted as `side` did, and, for the first one that did not
  // and has not left, its id (or `end`).
  auto tally = [&](Value side) {
    auto loop = scf::ForOp::create(b, begin, end, one, ValueRange{zero, end});
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value id = loop.getInductionVar();
    Value vote = memref::LoadOp::create(b, votes, id);
    Value same = equal(vote, side);
    Value more = arith::AddIOp::create(b, loop.getRegionIterArg(0), one);
    Value sum =
        arith::SelectOp::create(b, same, more, loop.getRegionIterArg(0));
    Value other = arith::MinUIOp::create(b, loop.getRegionIterArg(1), id);
    Value skip = same;
    if (left)
      skip = arith::OrIOp::create(b, same, equal(vote, left));
    Value next =
        arith::SelectOp::create(b, skip, loop.getRegionIterArg(1), other);
    scf::YieldOp::create(b, ValueRange{sum, next});
    return loop;
  };
  auto placeOf = [&](Value vote) -> Value {
    Value low = arith::TruncIOp::create(b, b.getI32Type(), vote);
    return arith::IndexCastUIOp::create(b, index, low);
  };
  if (checked) {
    // Those who have left are told as well: it may be too early.
    Value first = memref::LoadOp::create(b, votes, begin);
    Value split = arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                                        tally(first).getResult(0), count);
    auto ask = scf::IfOp::create(b, TypeRange{index}, split,
                                 /*addThenBlock=*/true, /*addElseBlock=*/true);
    b.setInsertionPointToStart(ask.thenBlock());
    Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, votes);
    Value place = detects
                      ? callCheck(b, *this, "uop_check_fire_at_vote", {},
                                  /*hasResult=*/true)
                      : callCheck(b, *this, "uop_check_diverge",
                                  {address, begin, end, func.getArgument(8)},
                                  /*hasResult=*/true);
    scf::YieldOp::create(b, Value(arith::IndexCastOp::create(b, index, place)));
    b.setInsertionPointToStart(ask.elseBlock());
    place = placeOf(first);
    if (left)
      place = arith::SelectOp::create(b, equal(first, left), one, place);
    scf::YieldOp::create(b, place);
    b.setInsertionPointAfter(ask);
    func::ReturnOp::create(b, ask.getResult(0));
    return func;
  }
  Value firstId = begin, live = count, none;
  if (left) {
    scf::ForOp gone = tally(left);
    live = arith::SubIOp::create(b, count, gone.getResult(0));
    none = equal(live, zero);
    firstId = arith::SelectOp::create(b, none, begin, gone.getResult(1));
  }
  Value first = memref::LoadOp::create(b, votes, firstId);
  scf::ForOp firstSide = tally(first);
  Value split = arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                                      firstSide.getResult(0), live);
  if (left)
    split = arith::AndIOp::create(
        b, split,
        arith::CmpIOp::create(b, arith::CmpIPredicate::ne, live, zero));
  auto ifOp = scf::IfOp::create(b, split, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(ifOp.thenBlock());
    auto printSide = [&](Value side, Value number) {
      SmallVector<int64_t> cases(
          llvm::map_range(llvm::seq<int64_t>(0, places.size()),
                          [](int64_t i) { return i + 1; }));
      auto name = scf::IndexSwitchOp::create(
          b, TypeRange{pointer}, placeOf(side), cases, cases.size());
      for (auto [region, place] : llvm::zip(name.getCaseRegions(), places)) {
        OpBuilder::InsertionGuard guard(b);
        b.createBlock(&region);
        scf::YieldOp::create(b, text(b, place));
      }
      {
        OpBuilder::InsertionGuard guard(b);
        b.createBlock(&name.getDefaultRegion());
        scf::YieldOp::create(b, text(b, "are elsewhere"));
      }
      print(b, "  %lld of them %s:", {number, name.getResult(0)});
      // The ids of the first few of them.
      Value few = arith::ConstantIndexOp::create(b, 4);
      auto loop = scf::ForOp::create(b, begin, end, one, ValueRange{zero});
      {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(loop.getBody());
        Value id = loop.getInductionVar(), seen = loop.getRegionIterArg(0);
        Value same = equal(memref::LoadOp::create(b, votes, id), side);
        Value early =
            arith::CmpIOp::create(b, arith::CmpIPredicate::ult, seen, few);
        auto show = scf::IfOp::create(b, arith::AndIOp::create(b, same, early),
                                      /*withElseRegion=*/false);
        {
          OpBuilder::InsertionGuard guard(b);
          b.setInsertionPointToStart(show.thenBlock());
          Value sizeX = func.getArgument(6), sizeY = func.getArgument(7);
          Value row = arith::DivUIOp::create(b, id, sizeX);
          print(b, " (%lld, %lld, %lld)",
                {arith::RemUIOp::create(b, id, sizeX),
                 arith::RemUIOp::create(b, row, sizeY),
                 arith::DivUIOp::create(b, row, sizeY)});
        }
        Value more = arith::AddIOp::create(b, seen, one);
        scf::YieldOp::create(
            b, ValueRange{arith::SelectOp::create(b, same, more, seen)});
      }
      Value many = arith::CmpIOp::create(b, arith::CmpIPredicate::ugt,
                                         loop.getResult(0), few);
      auto dots = scf::IfOp::create(b, many, /*withElseRegion=*/false);
      {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(dots.thenBlock());
        print(b, " ...");
      }
      print(b, "\n");
    };
    beginReport(b);
    Value second = memref::LoadOp::create(b, votes, firstSide.getResult(1));
    scf::ForOp secondSide = tally(second);
    print(b,
          (describeLocation(loc) +
           ": error: the threads of block "
           "(%lld, %lld, %lld) of kernel '" +
           kernel + "' disagree at %s\n")
              .str(),
          {func.getArgument(3), func.getArgument(4), func.getArgument(5),
           func.getArgument(8)});
    Value sameWay = equal(placeOf(first), placeOf(second));
    printSide(first, firstSide.getResult(0));
    printSide(second, secondSide.getResult(0));
    auto way = scf::IfOp::create(b, sameWay, /*withElseRegion=*/false);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(way.thenBlock());
      print(b, "  they came there by different control flow\n");
    }
    endReport(b);
  }
  Value place = placeOf(first);
  if (left)
    place = arith::SelectOp::create(b, none, one, place);
  func::ReturnOp::create(b, place);
  return func;
}
