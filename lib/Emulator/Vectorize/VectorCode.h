//===- VectorCode.h - The code of a vector of threads -----------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits the body of a loop over threads once for a vector of its iterations.
//
//   * What is the same in all lanes, or goes up by a constant stride, is
//     computed for lane 0 only.
//   * An elementwise operation becomes one on vectors, lane for lane: no sum is
//     reordered, and results are those of the threads one by one.
//   * Accesses of neighbours become vector loads and stores; others, gathers
//     and scatters; one place is read once.
//   * Where lanes decide differently both ways are taken, each under a mask and
//     unless no lane takes it; a loop goes on while one lane does.
//   * What has no vector form (a function of the C library, an atomic update)
//     is done lane after lane.
//
// A vector that belongs to the thread becomes as many vectors of lanes as it
// has elements.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_VECTORIZE_VECTORCODE_H
#define UOP_LIB_EMULATOR_VECTORIZE_VECTORCODE_H

#include "LaneShapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace uop {

/// Why the loop must be left as it is: an op that has no form for vectors, or
/// null.
mlir::Operation *findUnsupported(mlir::scf::ForOp threads,
                                 const LaneShapes &shapes);

/// True for an `scf.if` that does nothing but end the run with a message.
bool isFailure(mlir::scf::IfOp op);

/// What a private buffer of the threads becomes, made at its first use in the
/// function.
using LaneBuffers = llvm::DenseMap<mlir::Value, mlir::Value>;

/// On the call that ends the run after a message.
inline constexpr llvm::StringLiteral endsRunAttrName = "uop.ends_run";
/// On a call that touches nothing but the thread's own state.
inline constexpr llvm::StringLiteral perThreadAttrName = "uop.per_thread";

/// True for an operation that does the same for each element of a vector.
bool isElementwise(mlir::Operation *op);

/// True for a loop that tries an atomic update until it succeeds: lanes do it
/// one after another.
bool isSerial(mlir::Operation *op);

class VectorCode {
public:
  /// `buffers` outlives the code of one loop: a loop has it twice, with and
  /// without a mask.
  VectorCode(mlir::scf::ForOp threads, const LaneShapes &shapes, int64_t lanes,
             LaneBuffers &buffers)
      : threads(threads), shapes(shapes), lanes(lanes), buffers(buffers),
        b(threads.getLoc(), threads) {}

  /// Emits the body at the insertion point for the threads `first` to
  /// `first` + lanes - 1, or those of them in `mask` (null: all).
  void emit(mlir::OpBuilder &builder, mlir::Value first, mlir::Value mask);

private:
  using Parts = llvm::SmallVector<mlir::Value, 1>;

  // Values.
  mlir::VectorType vectorOf(mlir::Type element) const;
  llvm::SmallVector<mlir::Type> partTypes(mlir::Value value) const;
  llvm::SmallVector<mlir::Type> partTypes(mlir::ValueRange values) const;
  bool isStrided(mlir::Value value) const {
    return shapes.get(value).isStrided();
  }
  /// Lane 0 of a value that is strided.
  mlir::Value first(mlir::Value value);
  /// The same of the last lane, of an integer.
  mlir::Value last(mlir::Value value);
  /// The vectors of any value, one for each element of the thread's own.
  Parts vectors(mlir::Value value);
  mlir::Value vector(mlir::Value value) { return vectors(value).front(); }
  /// As `target` has it, which is of the same or a less certain shape.
  void appendAs(mlir::Value target, mlir::Value value,
                llvm::SmallVectorImpl<mlir::Value> &result);
  void define(mlir::Value value, mlir::ValueRange parts);
  /// Defines values by the next of `parts`.
  void defineAll(mlir::ValueRange values, mlir::ValueRange parts);
  mlir::Value spread(mlir::Value scalar, int64_t stride);
  mlir::Value multiplesOf(int64_t stride, mlir::Type element);
  mlir::Value zero(mlir::Type type);
  mlir::Value index(int64_t value);
  /// The value that one lane has, `lane` being an index.
  mlir::Value ofLane(mlir::Value value, mlir::Value lane);
  mlir::Value viewOfLane(mlir::Value memref, mlir::Value lane);

  // Masks.
  mlir::Value activeMask();
  mlir::Value narrow(mlir::Value condition);
  mlir::Value anyOf(mlir::Value mask);
  /// One condition that is true only where that of all lanes is, if it is cheap
  /// to tell from the first and the last lane; else null.
  mlir::Value holdsForAll(mlir::Value condition);
  mlir::Value holdsForAll(mlir::arith::CmpIOp op);

  // Operations.
  void emitBlock(mlir::Block &block);
  void emitOp(mlir::Operation *op);
  void emitScalar(mlir::Operation *op);
  void emitElementwise(mlir::Operation *op);
  bool emitVectorOp(mlir::Operation *op);
  void emitLaneByLane(mlir::Operation *op);
  mlir::Operation *cloneForLane(mlir::Operation *op, mlir::Value lane);

  // Memory.
  struct Access;
  Access findAccess(mlir::Value memref, mlir::ValueRange indices,
                    int64_t elements);
  mlir::Value flatten(const Access &access, mlir::Value &offset);
  mlir::Value offsetsOf(const Access &access);
  std::optional<llvm::SmallVector<mlir::Value>>
  directIndices(const Access &access, int64_t part);
  std::pair<mlir::Value, llvm::SmallVector<mlir::Value>>
  placeOf(const Access &access, int64_t part);
  mlir::Value maskOfRows(int64_t elements);
  void loadRows(const Access &access, mlir::Type element, Parts &parts);
  void storeRows(const Access &access, llvm::ArrayRef<mlir::Value> parts);
  mlir::Value bufferOf(mlir::Value memref);
  void emitLoad(mlir::Operation *op, mlir::Value memref,
                mlir::ValueRange indices);
  void emitStore(mlir::Operation *op, mlir::Value stored, mlir::Value memref,
                 mlir::ValueRange indices);
  mlir::Value loadPart(const Access &access, mlir::Type element, int64_t part);
  void storePart(const Access &access, mlir::Value value, int64_t part);

  void emitShadowAccess(mlir::func::CallOp call);

  // Control flow.
  void emitIf(mlir::scf::IfOp op);
  void emitUniformIf(mlir::scf::IfOp op);
  llvm::SmallVector<mlir::Value> emitMaskedIf(mlir::scf::IfOp op);
  void emitFailure(mlir::scf::IfOp op);
  void emitFor(mlir::scf::ForOp op);
  void emitDivergentFor(mlir::scf::ForOp op);
  llvm::SmallVector<mlir::Value> emitWholeFor(mlir::scf::ForOp op);
  void emitWhile(mlir::scf::WhileOp op);
  void emitDivergentWhile(mlir::scf::WhileOp op);
  llvm::SmallVector<mlir::Value>
  emitUnder(mlir::Value under, mlir::Block *block, mlir::ValueRange results);
  void yield(mlir::ValueRange targets, mlir::ValueRange values);

  mlir::scf::ForOp threads;
  const LaneShapes &shapes;
  int64_t lanes;
  LaneBuffers &buffers;
  mlir::ImplicitLocOpBuilder b;
  mlir::Value mask;
  llvm::DenseMap<mlir::Value, Parts> environment;
};

} // namespace uop

#endif // UOP_LIB_EMULATOR_VECTORIZE_VECTORCODE_H
