//===- Interpreter.h - The meaning of graph form, executed ------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference interpreter runs a kernel in graph form as the dialect defines
// it: each store at each point of its domain, on a snapshot of memory at entry.
// It is slow on purpose, shares nothing with any lowering, and is what every
// other execution is compared with.
//
// Order. Stores run in program order; the points of a domain in ascending
// order, `over[0]` outermost; a reduction combines in the same order, from the
// identity. Accumulating stores combine into the final memory in that order.
// All axis kinds are plain loops, so a mapped kernel means what the unmapped
// one does.
//
// Masks. Everything that a store needs is evaluated at every point of its
// domain, whatever the mask of the store or of a reduction says: the mask only
// decides whether the result is written, or takes part. In particular a load
// must be in bounds at every point of its free ranges where its own mask holds.
//
// Values. Integers have their width and wrap. Floating-point numbers are
// rounded once, to nearest even, by each op, in the exact format of their type.
// `index` is a mathematical integer: an overflow of 64 bits is an error. What
// LLVM calls poison (a shift by the width or more, a conversion out of range, a
// violated nsw) may be computed and not chosen by a `select`; when it is
// stored, or used as an index or a mask, it is an error. Division by zero is an
// error at once. Fast-math flags are ignored.
//
// Functions. sqrt, fma, absf, copysign, floor, ceil, trunc, round and roundeven
// are exact. Other functions of `math` are computed by the C library in
// `long double` and rounded once to the type: within 0.501 ulp where that has
// 64 bits of precision (x86-64). They are refused for f80 and f128, and
// arithmetic is refused for types without a sign, a zero or a NaN (f8E8M0FNU,
// f6E2M3FN, f6E3M2FN, f4E2M1FN), in which it could have no result. maxnumf and
// minnumf of zeros of both signs take them in the order of the signs.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_INTERPRETER_INTERPRETER_H
#define UOP_INTERPRETER_INTERPRETER_H

#include "Uop/IR/Uop.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <functional>
#include <variant>

namespace uop {

/// A memref given to a kernel. Element [i, j] is element
/// `offset + i * strides[0] + j * strides[1]` from `data`.
///
/// An element takes the least power-of-two number of bytes that holds it, in
/// little-endian order: one for i1, i4, i8 and f8, four for i24, f32 and
/// tf32. Bits above the width are ignored when read and written as zeros.
struct BufferArgument {
  void *data = nullptr;
  mlir::Type elementType;
  llvm::SmallVector<int64_t> shape;
  /// In elements. May be zero or negative if no two indices meet.
  llvm::SmallVector<int64_t> strides;
  /// In elements, from `data`.
  int64_t offset = 0;
  /// How many elements there are from `data` on; every element that the shape
  /// can address must be one of them.
  int64_t allocatedElements = 0;
};

/// A memref, or a scalar as an IntegerAttr (of an integer type, or index) or a
/// FloatAttr of the argument's type.
using KernelArgument = std::variant<BufferArgument, mlir::TypedAttr>;

struct InterpreterOptions {
  /// Contract as `--uop-contract-fma` does: an `addf` or `subf` (of f16, bf16,
  /// f32 or f64) of which an operand, the first if both, is a `mulf` rounds
  /// once. A reduction adds
  /// its accumulator and the reduced value; a combiner's arguments for the
  /// values stand for these. Nothing is followed through a tile or memory.
  bool contract = false;
  /// Check that no two points of a store write one element.
  bool checkUnique = true;
  /// Called now and then, and at the end, with the number of store points done
  /// and to do.
  std::function<void(int64_t done, int64_t total)> progress;
};

/// The bytes that an element of a memref takes; see BufferArgument. Zero for a
/// type that is not signless integer or floating-point.
int64_t getElementBytes(mlir::Type elementType);

/// Runs a kernel in graph form. The arguments are its own, in order; dynamic
/// sizes, strides and offsets of its types accept any value.
///
/// Emits an error and changes no buffer if the arguments do not fit the types,
/// a buffer that is stored overlaps another one, an access is out of bounds, a
/// store writes one element at two points, or an operation is undefined. Errors
/// name the values of the ranges at which they occur.
mlir::LogicalResult
interpretKernel(KernelOp kernel,
                llvm::MutableArrayRef<KernelArgument> arguments,
                const InterpreterOptions &options = {});

/// Runs a host function made of `memref.alloc`, `memref.dealloc`,
/// `memref.cast`, `memref.dim`, `arith` constants, `uop.launch` and `return`
/// without operands, in order; anything else is refused by name before anything
/// runs. Memory that the function allocates starts as bytes 0xFF (NaN in every
/// IEEE format). An error in a launch leaves what earlier launches wrote.
mlir::LogicalResult
interpretFunction(mlir::func::FuncOp function,
                  llvm::MutableArrayRef<KernelArgument> arguments,
                  const InterpreterOptions &options = {});

} // namespace uop

#endif // UOP_INTERPRETER_INTERPRETER_H
