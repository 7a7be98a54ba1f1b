//===- GraphBuilder.h - Kernels in graph form, for unit tests ---*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_UNITTESTS_DIALECT_GRAPHBUILDER_H
#define UOP_UNITTESTS_DIALECT_GRAPHBUILDER_H

#include "Uop/IR/Uop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

/// A module with an empty kernel, and short names for what goes into it.
struct GraphBuilder {
  GraphBuilder() : builder(&context) {
    context.loadDialect<uop::UopDialect, mlir::arith::ArithDialect>();
    loc = builder.getUnknownLoc();
    module = mlir::ModuleOp::create(builder, loc);
    builder.setInsertionPointToEnd(module.getBody());
    mlir::Type index = builder.getIndexType();
    kernel = uop::KernelOp::create(builder, loc, "k",
                                   builder.getFunctionType({index, index}, {}));
    builder.setInsertionPointToEnd(&kernel.getBodyBlock());
  }
  ~GraphBuilder() { module.erase(); }

  template <typename Op> mlir::Value make(mlir::Value lhs, mlir::Value rhs) {
    return Op::create(builder, loc, lhs, rhs);
  }
  mlir::Value constant(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(builder, loc, value);
  }
  uop::RangeOp range(uop::AxisKind kind, mlir::OpFoldResult extent) {
    return uop::RangeOp::create(builder, loc,
                                uop::AxisAttr::get(&context, kind), extent);
  }
  uop::RangeOp range(uop::AxisKind kind, int64_t extent) {
    return range(kind, mlir::OpFoldResult(builder.getIndexAttr(extent)));
  }
  /// An argument of the kernel, of which nothing is known.
  mlir::Value argument(unsigned number) {
    return kernel.getBodyBlock().getArgument(number);
  }

  mlir::MLIRContext context;
  mlir::OpBuilder builder;
  mlir::Location loc = mlir::UnknownLoc::get(&context);
  mlir::ModuleOp module;
  uop::KernelOp kernel;
};

#endif // UOP_UNITTESTS_DIALECT_GRAPHBUILDER_H
