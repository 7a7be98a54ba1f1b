//===- PolyDialect.cpp - The dialect of the example -----------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Poly/Poly.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

#include "Poly/PolyDialect.cpp.inc"
#define GET_OP_CLASSES
#include "Poly/PolyOps.cpp.inc"

void poly::PolyDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "Poly/PolyOps.cpp.inc"
      >();
}

llvm::LogicalResult poly::EvalOp::verify() {
  if (getCoefficients().empty())
    return emitOpError("expected at least one coefficient, but got none");
  return mlir::success();
}
