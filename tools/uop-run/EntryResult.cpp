//===- EntryResult.cpp - The result of the function that runs -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EntryResult.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace uop;
using namespace uop::run;

LogicalResult run::checkResult(FunctionOpInterface function,
                               EntryResult expected) {
  ArrayRef<Type> results = function.getResultTypes();
  auto isOf = [&](auto matches) {
    return results.size() == 1 && matches(results.front());
  };
  auto refuse = [&](StringRef wanted) {
    InFlightDiagnostic diag = function->emitError();
    diag << "expected " << wanted << ", but got ";
    if (results.empty())
      diag << "none";
    else
      diag << results;
    return diag;
  };
  switch (expected) {
  case EntryResult::Any:
    if (results.empty() || isOf([](Type type) {
          return type.isIndex() ||
                 (type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= 64);
        }))
      return success();
    return refuse("a function without results, or with one number")
           << "; store them to an argument";
  case EntryResult::Void:
    return results.empty() ? success() : refuse("a function without results");
  case EntryResult::I32:
    return isOf([](Type type) { return type.isInteger(32); })
               ? success()
               : refuse("a function with a result of i32");
  case EntryResult::I64:
    return isOf([](Type type) { return type.isInteger(64); })
               ? success()
               : refuse("a function with a result of i64");
  case EntryResult::F32:
    return isOf([](Type type) { return type.isF32(); })
               ? success()
               : refuse("a function with a result of f32");
  }
  llvm_unreachable("all results are handled");
}

void run::printResult(Type type, const ResultBits &result) {
  if (auto floatType = dyn_cast<FloatType>(type)) {
    APFloat value(floatType.getFloatSemantics(),
                  APInt(floatType.getWidth(), result.bits));
    bool losesInfo;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    llvm::outs() << value.convertToDouble() << "\n";
    return;
  }
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  APInt value(width, result.bits, /*isSigned=*/false, /*implicitTrunc=*/true);
  value.print(llvm::outs(), /*isSigned=*/width > 1);
  llvm::outs() << "\n";
}
