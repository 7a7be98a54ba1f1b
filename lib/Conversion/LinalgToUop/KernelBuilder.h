//===- KernelBuilder.h - Linalg ops in graph form ---------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes one kernel. All ops are appended to its body, and equal ones are
// written once: a point of a linalg op is given by the values of its loops, one
// a dimension, and what is computed for a point is remembered with it.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_CONVERSION_LINALGTOUOP_KERNELBUILDER_H
#define UOP_LIB_CONVERSION_LINALGTOUOP_KERNELBUILDER_H

#include "LinalgToUop.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <map>

namespace uop {

class KernelBuilder {
public:
  KernelBuilder(mlir::linalg::LinalgOp op, llvm::StringRef name,
                const FusionPlan &plan, Memory &memory);

  mlir::FailureOr<KernelAndArguments> build();

private:
  /// The values of the loops of an op; null for a loop that is to be reduced.
  using Point = llvm::SmallVector<mlir::Value, 6>;
  /// A point with its reduced loops filled in, and their ranges.
  struct ClosedPoint {
    Point point;
    llvm::SmallVector<mlir::Value> over;
  };
  using PointOf = std::pair<mlir::Operation *, std::vector<void *>>;
  static PointOf getKey(mlir::Operation *op, llvm::ArrayRef<mlir::Value> point);

  // What comes from outside, and index arithmetic (KernelBuilder.cpp).
  void addOperands();
  mlir::Value getOutside(mlir::Value outside);
  mlir::Value getIndex(int64_t value);
  template <typename Op>
  mlir::Value buildIndexOp(mlir::Value lhs, mlir::Value rhs);
  mlir::Value buildIndex(mlir::AffineExpr expr,
                         llvm::ArrayRef<mlir::Value> point);
  llvm::SmallVector<mlir::Value>
  buildIndices(mlir::AffineMap map, llvm::ArrayRef<mlir::Value> point);
  mlir::OpFoldResult getExtent(mlir::linalg::LinalgOp op, unsigned loop);
  mlir::Value getSize(mlir::Value memref, unsigned dim);
  mlir::LogicalResult buildStore(unsigned output);
  mlir::FailureOr<Point> getOutputPoint(unsigned output);
  mlir::LogicalResult verify();

  // What an op computes at a point (PointValues.cpp).
  mlir::FailureOr<mlir::Value> buildOutput(mlir::linalg::LinalgOp op,
                                           unsigned output, const Point &point);
  mlir::FailureOr<mlir::Value> buildKind(mlir::linalg::LinalgOp op,
                                         unsigned output, const Point &point,
                                         const Reduction &reduction);
  mlir::FailureOr<mlir::Value> buildChoice(mlir::linalg::LinalgOp op,
                                           unsigned output, const Point &point,
                                           const Reduction::Choice &choice);
  mlir::Value buildComparison(mlir::OpBuilder &builder,
                              const Reduction::Choice &choice,
                              mlir::Value newKey, mlir::Value oldKey);
  const ClosedPoint &closeLoops(mlir::linalg::LinalgOp op, const Point &point);
  mlir::LogicalResult evaluate(mlir::linalg::LinalgOp op,
                               mlir::ValueRange values, const Point &point,
                               llvm::SmallVectorImpl<mlir::Value> &results);
  mlir::LogicalResult buildPayloadOp(mlir::Operation *payload,
                                     const Point &point,
                                     mlir::IRMapping &mapping,
                                     mlir::Value mask);
  mlir::LogicalResult buildBranches(mlir::scf::IfOp branch, const Point &point,
                                    mlir::IRMapping &mapping, mlir::Value mask);
  mlir::FailureOr<mlir::Value> readLeaf(mlir::linalg::LinalgOp op,
                                        mlir::Value leaf, const Point &point);
  mlir::Value readElement(mlir::Value memref, mlir::ValueRange indices,
                          mlir::Value mask);
  mlir::FailureOr<mlir::Value> readOperand(mlir::linalg::LinalgOp op,
                                           mlir::OpOperand *operand,
                                           const Point &point);
  mlir::FailureOr<mlir::Value>
  readPrevious(mlir::linalg::LinalgOp op, unsigned output, const Point &point);
  mlir::FailureOr<mlir::Value> readProducer(mlir::linalg::LinalgOp producer,
                                            mlir::ValueRange indices);

  mlir::linalg::LinalgOp root;
  const FusionPlan &plan;
  Memory &memory;
  KernelOp kernel;
  mlir::ImplicitLocOpBuilder builder;
  llvm::SmallVector<mlir::Value> arguments;

  llvm::DenseMap<mlir::Value, mlir::Value> outside;
  llvm::DenseMap<int64_t, mlir::Value> indexConstants;
  std::map<std::tuple<const void *, void *, void *>, mlir::Value> indexOps;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, mlir::Value> sizes;
  llvm::DenseMap<unsigned, mlir::Value> outputLoops;
  std::map<PointOf, ClosedPoint> closedPoints;
  std::map<PointOf, mlir::IRMapping> payloads;
  /// By the comparison, the values that its outputs take.
  std::map<PointOf, llvm::SmallVector<mlir::Value>> choices;
  std::map<std::vector<void *>, mlir::Value> loads;
  std::map<PointOf, mlir::Value> produced;
};

} // namespace uop

#endif // UOP_LIB_CONVERSION_LINALGTOUOP_KERNELBUILDER_H
