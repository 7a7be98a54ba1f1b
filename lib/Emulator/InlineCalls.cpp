//===- InlineCalls.cpp - Device functions of a kernel ---------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrepareKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace uop;

//===----------------------------------------------------------------------===//
// Functions of libdevice
//===----------------------------------------------------------------------===//

namespace {
struct LibraryFunction {
  StringLiteral name; // of the f64 version; that of f32 ends in f
  StringRef op;
  unsigned numArgs;
};
} // namespace

// Those that mean the same as the op, rounding included where it is exact. The
// fast ones (__nv_fast_expf) promise less than the op and are not here.
static LibraryFunction libraryFunctions[] = {
    {"__nv_acos", math::AcosOp::getOperationName(), 1},
    {"__nv_acosh", math::AcoshOp::getOperationName(), 1},
    {"__nv_asin", math::AsinOp::getOperationName(), 1},
    {"__nv_asinh", math::AsinhOp::getOperationName(), 1},
    {"__nv_atan", math::AtanOp::getOperationName(), 1},
    {"__nv_atan2", math::Atan2Op::getOperationName(), 2},
    {"__nv_atanh", math::AtanhOp::getOperationName(), 1},
    {"__nv_cbrt", math::CbrtOp::getOperationName(), 1},
    {"__nv_ceil", math::CeilOp::getOperationName(), 1},
    {"__nv_copysign", math::CopySignOp::getOperationName(), 2},
    {"__nv_cos", math::CosOp::getOperationName(), 1},
    {"__nv_cosh", math::CoshOp::getOperationName(), 1},
    {"__nv_erf", math::ErfOp::getOperationName(), 1},
    {"__nv_erfc", math::ErfcOp::getOperationName(), 1},
    {"__nv_exp", math::ExpOp::getOperationName(), 1},
    {"__nv_exp2", math::Exp2Op::getOperationName(), 1},
    {"__nv_expm1", math::ExpM1Op::getOperationName(), 1},
    {"__nv_fabs", math::AbsFOp::getOperationName(), 1},
    {"__nv_floor", math::FloorOp::getOperationName(), 1},
    {"__nv_fma", math::FmaOp::getOperationName(), 3},
    {"__nv_fmax", arith::MaxNumFOp::getOperationName(), 2},
    {"__nv_fmin", arith::MinNumFOp::getOperationName(), 2},
    {"__nv_log", math::LogOp::getOperationName(), 1},
    {"__nv_log10", math::Log10Op::getOperationName(), 1},
    {"__nv_log1p", math::Log1pOp::getOperationName(), 1},
    {"__nv_log2", math::Log2Op::getOperationName(), 1},
    {"__nv_pow", math::PowFOp::getOperationName(), 2},
    {"__nv_rint", math::RoundEvenOp::getOperationName(), 1},
    {"__nv_round", math::RoundOp::getOperationName(), 1},
    {"__nv_rsqrt", math::RsqrtOp::getOperationName(), 1},
    {"__nv_sin", math::SinOp::getOperationName(), 1},
    {"__nv_sinh", math::SinhOp::getOperationName(), 1},
    {"__nv_sqrt", math::SqrtOp::getOperationName(), 1},
    {"__nv_tan", math::TanOp::getOperationName(), 1},
    {"__nv_tanh", math::TanhOp::getOperationName(), 1},
    {"__nv_trunc", math::TruncOp::getOperationName(), 1},
};

// The op that does what the call of the named function does, or nothing.
static std::optional<StringRef> findLibraryOp(CallOpInterface call,
                                              StringRef name) {
  if (call->getNumResults() != 1)
    return std::nullopt;
  Type type = call->getResult(0).getType();
  if (!type.isF32() && !type.isF64())
    return std::nullopt;
  for (const LibraryFunction &function : libraryFunctions) {
    std::string full = function.name.str();
    if (type.isF32())
      full += "f";
    if (name == full && call->getNumOperands() == function.numArgs &&
        llvm::all_equal(call->getOperandTypes()) &&
        call->getOperand(0).getType() == type)
      return function.op;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Inlining
//===----------------------------------------------------------------------===//

namespace {
class Inliner {
public:
  explicit Inliner(gpu::GPUFuncOp kernel)
      : kernel(kernel), rewriter(kernel.getContext()) {}

  LogicalResult inlineIn(Operation *root);

private:
  LogicalResult inlineCall(CallOpInterface call);

  gpu::GPUFuncOp kernel;
  IRRewriter rewriter;
  // The functions that are being inlined, each called by the one before it.
  llvm::SetVector<Operation *> callers;
};
} // namespace

LogicalResult Inliner::inlineCall(CallOpInterface call) {
  auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  if (!symbol)
    return call->emitOpError("of a function that is not known by name is not "
                             "supported by the emulator");
  Operation *target = SymbolTable::lookupNearestSymbolFrom(kernel, symbol);
  auto callee = dyn_cast_or_null<FunctionOpInterface>(target);
  if (!callee || callee->getNumRegions() != 1)
    return call->emitOpError("expected the symbol ")
           << symbol << " to be a function";
  rewriter.setInsertionPoint(call);
  if (callee.isExternal()) {
    if (std::optional<StringRef> op = findLibraryOp(call, callee.getName())) {
      Operation *math = rewriter.create(
          call.getLoc(), rewriter.getStringAttr(*op), call->getOperands(),
          TypeRange(call->getResultTypes()));
      rewriter.replaceOp(call, math->getResults());
      return success();
    }
    InFlightDiagnostic diag = call->emitOpError("calls '");
    diag << callee.getName()
         << "', which has no body and is no function that the emulator knows";
    diag.attachNote(callee.getLoc()) << "the function is declared here";
    return diag;
  }
  if (!isa<func::FuncOp>(callee.getOperation())) {
    InFlightDiagnostic diag = call->emitOpError("expected to call a func.func "
                                                "on the emulator, but got a ");
    diag << callee->getName();
    diag.attachNote(callee.getLoc()) << "the function is defined here";
    return diag;
  }
  if (!callers.insert(callee)) {
    InFlightDiagnostic diag = call->emitOpError("calls '");
    diag << callee.getName()
         << "' while that runs: recursion is not supported by the emulator, "
            "which inlines device functions";
    diag.attachNote(callee.getLoc()) << "the function is defined here";
    return diag;
  }
  auto copy = cast<func::FuncOp>(callee->clone());
  // Of the body's ops, where they are and who called them.
  copy.walk([&](Operation *op) {
    if (op != copy)
      op->setLoc(CallSiteLoc::get(op->getLoc(), call.getLoc()));
  });
  LogicalResult result = success();
  if (failed(liftControlFlow(copy.getBody())) || failed(inlineIn(copy))) {
    result = failure();
  } else {
    Block *body = &copy.getBody().front();
    auto returned = cast<func::ReturnOp>(body->getTerminator());
    rewriter.inlineBlockBefore(body, call, call->getOperands());
    rewriter.replaceOp(call, returned.getOperands());
    rewriter.eraseOp(returned);
  }
  copy->erase();
  callers.pop_back();
  return result;
}

LogicalResult Inliner::inlineIn(Operation *root) {
  SmallVector<CallOpInterface> calls;
  root->walk([&](CallOpInterface call) { calls.push_back(call); });
  for (CallOpInterface call : calls)
    if (failed(inlineCall(call)))
      return failure();
  return success();
}

LogicalResult uop::inlineCalls(gpu::GPUFuncOp kernel) {
  return Inliner(kernel).inlineIn(kernel);
}
