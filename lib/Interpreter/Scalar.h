//===- Scalar.h - Scalar values and the ops on them -------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_INTERPRETER_SCALAR_H
#define UOP_LIB_INTERPRETER_SCALAR_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include <functional>
#include <memory>
#include <string>
#include <variant>

namespace uop {

struct Tile;

/// A value that must not be used, and why.
struct Poison {
  mlir::Operation *op;
  std::string why;
};

using PoisonPtr = std::shared_ptr<const Poison>;
using TilePtr = std::shared_ptr<const Tile>;

/// A value of a kernel: nothing yet, an integer (of 64 bits for `index`), a
/// floating-point number, poison, or a tile.
using Scalar = std::variant<std::monostate, llvm::APInt, llvm::APFloat,
                            PoisonPtr, TilePtr>;

inline bool isPoison(const Scalar &scalar) {
  return std::holds_alternative<PoisonPtr>(scalar);
}

/// What an op computes from defined operands: results, or why there are none.
struct Outcome {
  Outcome(llvm::APInt value) { results.push_back(std::move(value)); }
  Outcome(llvm::APFloat value) { results.push_back(std::move(value)); }
  Outcome(bool value) : Outcome(llvm::APInt(1, value)) {}
  Outcome(Scalar first, Scalar second)
      : results({std::move(first), std::move(second)}) {}

  /// A result that may be computed but not used.
  static Outcome poison(const llvm::Twine &why) {
    return Outcome(why, /*isAtOnce=*/false);
  }
  /// An error even if the result is not used.
  static Outcome undefined(const llvm::Twine &why) {
    return Outcome(why, /*isAtOnce=*/true);
  }

  llvm::SmallVector<Scalar, 1> results;
  /// Empty if there are results.
  std::string why;
  bool isAtOnce = false;

private:
  Outcome(const llvm::Twine &why, bool isAtOnce)
      : why(why.str()), isAtOnce(isAtOnce) {}
};

/// Computes an op from its operands, none of which is poison.
using ScalarFunction =
    std::function<Outcome(llvm::ArrayRef<const Scalar *> operands)>;

/// The function of an op of `arith`, `math` or the index ops of `uop`. Emits an
/// error at an op that the interpreter does not know, or that does not apply to
/// its types.
mlir::FailureOr<ScalarFunction> getScalarFunction(mlir::Operation *op);

/// The parts of getScalarFunction: null for an op that is not among theirs.
mlir::FailureOr<ScalarFunction> getIntegerFunction(mlir::Operation *op);
mlir::FailureOr<ScalarFunction> getFloatFunction(mlir::Operation *op);
mlir::FailureOr<ScalarFunction> getMathFunction(mlir::Operation *op);

/// How an accumulator (the first operand) and a value combine.
ScalarFunction getCombiningFunction(mlir::vector::CombiningKind kind,
                                    mlir::Type type);

/// `a * b + c` with one rounding, each of the product and c negated first if
/// so asked.
ScalarFunction getFusedFunction(bool negateProduct, bool negateAddend);

/// Whether the results of arithmetic can be represented in the type: it has a
/// sign, a zero and a NaN.
bool hasArithmetic(mlir::Type type);

} // namespace uop

#endif // UOP_LIB_INTERPRETER_SCALAR_H
