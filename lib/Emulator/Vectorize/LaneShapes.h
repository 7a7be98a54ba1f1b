//===- LaneShapes.h - How a value differs among the lanes -------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The threads of a loop over threads run as lanes of vectors, a vector of them
// at a time and all in step. A value is the same in all lanes, or goes up by
// the same stride from each lane to the next (which makes an access of memory
// one of a vector), or is anything. For integers more is known of lane 0: what
// it is a multiple of, whether it is negative, how great it can be. So
// threadIdx.x / 32 is found to be one number for all lanes.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_VECTORIZE_LANESHAPES_H
#define UOP_LIB_EMULATOR_VECTORIZE_LANESHAPES_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

namespace uop {

/// On a loop over threads, its axis; on a buffer, that a thread uses it from
/// where it writes it to where it reads it, and the next thread again.
inline constexpr llvm::StringLiteral threadLoopAttrName = "uop.thread_loop";
inline constexpr llvm::StringLiteral privateBufferAttrName = "uop.private";

/// On the function that runs a block: its last nine arguments are the block's
/// id, the grid's size and the block's size.
inline constexpr llvm::StringLiteral blockFunctionAttrName =
    "uop.block_function";

struct LaneShape {
  enum class Kind { Unknown, Strided, Varying };

  static LaneShape varying() { return {Kind::Varying, 0, 1, false, false, -1}; }
  static LaneShape uniform() { return {Kind::Strided, 0, 1, false, true, -1}; }
  /// Of the lanes of a memref, in elements; of a value that is no integer, 0.
  static LaneShape strided(int64_t stride) {
    LaneShape shape = uniform();
    shape.stride = stride;
    return shape;
  }
  static LaneShape constant(int64_t value);

  bool isUnknown() const { return kind == Kind::Unknown; }
  bool isVarying() const { return kind == Kind::Varying; }
  /// One value for all lanes, or a constant step from each to the next: the
  /// value of lane 0 tells those of all others.
  bool isStrided() const { return kind == Kind::Strided; }
  bool isUniform() const { return isStrided() && stride == 0; }

  /// What holds of either.
  LaneShape join(const LaneShape &other) const;
  bool operator==(const LaneShape &other) const;

  Kind kind = Kind::Unknown;
  int64_t stride = 0;
  /// Lane 0 is a multiple of it; 0: it is zero.
  int64_t divisor = 1;
  bool nonNegative = false;
  /// From lane 0 to the last no lane wraps, taken as signed.
  bool exact = false;
  /// No lane is greater, where all are not negative; -1: not known.
  int64_t max = -1;
};

/// The shapes of the values in the body of a loop over threads, of which
/// `lanes` neighbours are in a vector; lane 0 has a multiple of `lanes` as its
/// number.
class LaneShapes {
public:
  LaneShapes(mlir::scf::ForOp threads, int64_t lanes);

  LaneShape get(mlir::Value value) const;
  int64_t numLanes() const { return lanes; }

  /// True for an op of control flow in whose regions lanes may be missing or
  /// which some lanes may leave before others.
  bool diverges(mlir::Operation *op) const;

  /// The buffer is one for each lane: an alloca of the body, or one that is
  /// marked as private.
  static bool isPrivateBuffer(mlir::Value value, mlir::scf::ForOp threads);
  bool isPrivateBuffer(mlir::Value value) const {
    return isPrivateBuffer(value, threads);
  }
  /// Each element of it is kept as a vector of the lanes'. Else each lane has
  /// the whole buffer in one piece.
  bool isInterleaved(mlir::Value buffer) const;
  /// The bytes from a lane's private buffer to the next one's.
  static int64_t bytesOfLane(mlir::MemRefType type);

private:
  void visit(mlir::Block &block);
  void visit(mlir::Operation *op);
  void visitFor(mlir::scf::ForOp op);
  void visitIf(mlir::scf::IfOp op);
  void visitWhile(mlir::scf::WhileOp op);
  void update(mlir::Value value, LaneShape shape);
  LaneShape shapeOfResult(mlir::Operation *op) const;
  LaneShape shapeOfView(mlir::Operation *op) const;
  LaneShape shapeOutside(mlir::Value value, unsigned depth) const;
  bool isInside(mlir::Value value) const;

  mutable mlir::scf::ForOp threads; // what it asks of an op is not const
  int64_t lanes;
  llvm::DenseMap<mlir::Value, LaneShape> shapes;
  mutable llvm::DenseMap<mlir::Value, bool> interleaved;
  bool changed = false;
};

/// What has as many bits in memory as an element of a vector has there.
bool isVectorElement(mlir::Type type);

/// The shape of the result of an integer operation whose operands have these
/// shapes; of any other one, uniform where all of these are.
LaneShape inferLaneShape(mlir::Operation *op,
                         llvm::ArrayRef<LaneShape> operands, int64_t lanes);

} // namespace uop

#endif // UOP_LIB_EMULATOR_VECTORIZE_LANESHAPES_H
