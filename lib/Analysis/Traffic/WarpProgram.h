//===- WarpProgram.h - What the addresses of a kernel depend on -*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel in loop form, reduced to its accesses and to the integer arithmetic
// and control flow that these depend on, as a tree of steps over numbered
// slots. A slot has a value for each lane, as its type holds it, sign-extended.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_ANALYSIS_TRAFFIC_WARPPROGRAM_H
#define UOP_LIB_ANALYSIS_TRAFFIC_WARPPROGRAM_H

#include "Uop/Analysis/LaunchShape.h"
#include "Uop/Analysis/WarpRequests.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SmallBitVector.h"
#include <vector>

namespace uop::traffic {

using Lanes = std::array<int64_t, kMaxWarpSize>;

enum class Opcode : uint8_t {
  Add,
  Sub,
  Mul,
  DivS,
  DivU,
  FloorDiv,
  CeilDivS,
  CeilDivU,
  RemS,
  RemU,
  FloorMod,
  And,
  Or,
  Xor,
  Shl,
  ShrS,
  ShrU,
  MinS,
  MinU,
  MaxS,
  MaxU,
  Compare,
  Select,
  /// To another width: of the sign, of zeros.
  Resize,
  ResizeU,
};

/// An op on integers, as a machine computes it: it wraps.
struct IntegerOp {
  Opcode opcode;
  mlir::arith::CmpIPredicate predicate;
  /// The width of the result, and of the operands (the last one for a choice).
  unsigned width, operandWidth;
};

/// What an op of the slice computes; none where its result is not evaluated.
std::optional<Opcode> getOpcode(mlir::Operation *op);

/// The bits of an integer or an index; 0 for what has none or more than 64.
unsigned getIntegerWidth(mlir::Type type);

/// Slots that get the values of others, all at once.
struct Copies {
  llvm::SmallVector<std::pair<unsigned, unsigned>, 2> toFrom;
};

struct Step {
  enum class Kind : uint8_t {
    /// Computes `result` of `operands`.
    Compute,
    /// Access number `access`.
    Access,
    /// Threads with indices below `extents` execute `body`.
    Threads,
    /// Lanes where operand 0 is true execute `body` and `bodyCopies`, the
    /// others `otherwise` and `otherwiseCopies`.
    If,
    /// From operand 0 to 1 by 2; `result` is the induction variable, and
    /// `variable` that of the iteration.
    For,
    /// As long as operand 0 is true after `body`: `otherwise`.
    While,
    /// Tells that lanes enter `block`.
    Enter,
  };
  Kind kind = Kind::Compute;
  IntegerOp operation = {};
  mlir::Operation *op = nullptr;
  mlir::Block *block = nullptr;
  unsigned result = 0;
  unsigned operands[3] = {0, 0, 0};
  unsigned numOperands = 0;
  unsigned access = 0;
  unsigned variable = 0;
  std::array<int64_t, 3> extents = {1, 1, 1};
  std::vector<Step> body, otherwise;
  /// Before the first iteration; at the end of a body.
  Copies entryCopies, bodyCopies, otherwiseCopies;
  /// The values that leave a loop.
  Copies exitCopies;

  llvm::ArrayRef<unsigned> getOperands() const {
    return llvm::ArrayRef(operands, numOperands);
  }
};

/// Bytes from the beginning of a buffer: a sum of slots times constants.
struct Address {
  llvm::SmallVector<std::pair<unsigned, int64_t>, 3> terms;
  int64_t offset = 0;
};

struct AddressedAccess {
  Address address;
  /// The slot that says how many of the elements a lane accesses.
  std::optional<unsigned> count;
};

/// What iterates: the blocks and threads along x, y and z, then `scf.for`s.
inline constexpr unsigned kFirstThreadVariable = 3;
inline constexpr unsigned kFirstLoopVariable = 6;

struct WarpProgram {
  LaunchShape launch;
  std::vector<Step> steps;
  /// By the number of the access; nothing for one that is not counted.
  std::vector<std::optional<AddressedAccess>> addresses;
  /// The width of each slot; slots 0 to 5 are the indices of block and thread.
  std::vector<unsigned> widths;
  std::vector<std::pair<unsigned, int64_t>> constants;
  unsigned numVariables = kFirstLoopVariable;
};

/// Reduces a kernel. Fails with a diagnostic where its grid is not known.
mlir::FailureOr<WarpProgram>
buildWarpProgram(KernelOp kernel, const RequestOptions &options,
                 llvm::SmallVectorImpl<WarpAccess> &accesses);

} // namespace uop::traffic

#endif // UOP_LIB_ANALYSIS_TRAFFIC_WARPPROGRAM_H
