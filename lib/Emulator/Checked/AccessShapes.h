//===- AccessShapes.h - What memory an operation accesses -------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The accesses that checked mode knows, in one form: one element or a row of
// them, or, where a mask, an index vector or a permutation has a say, a loop
// over the elements of a vector.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_CHECKED_ACCESSSHAPES_H
#define UOP_LIB_EMULATOR_CHECKED_ACCESSSHAPES_H

#include "SiteTable.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace uop {

/// False for memrefs of what has no size that is known, such as other memrefs.
bool hasKnownElements(mlir::Type type);

/// The bytes of an element in memory.
int64_t getElementBytes(mlir::MemRefType type);

/// Sizes, strides and offset of a memref, all of type index.
struct MemRefShape {
  MemRefShape(mlir::ImplicitLocOpBuilder &b, mlir::Value memref);

  /// Of the element whose indices are all zero, and of another one.
  mlir::Value getStart(mlir::ImplicitLocOpBuilder &b) const;
  mlir::Value getAddress(mlir::ImplicitLocOpBuilder &b,
                         llvm::ArrayRef<mlir::Value> indices) const;
  /// The address after the last element.
  mlir::Value getEnd(mlir::ImplicitLocOpBuilder &b) const;

  mlir::Value memref, offset;
  llvm::SmallVector<mlir::Value> sizes, strides;
};

/// One of the accesses of an operation.
struct CheckedAccess {
  SiteKind kind = SiteKind::Load;
  mlir::Value memref;
  /// Of each access, and what its address is to be a multiple of.
  int64_t bytes = 0, alignment = 1;

  /// Of the only, or the first, element.
  llvm::SmallVector<mlir::Value> indices;
  /// If several adjacent elements are accessed at once, their number.
  mlir::Value length;

  /// If each element of a vector is accessed for itself: the shape of the
  /// vector, and what gives the indices of an element by its position, and,
  /// unless it is null, whether it is accessed.
  llvm::SmallVector<int64_t> shape;
  using ElementFn = std::function<llvm::SmallVector<mlir::Value>(
      mlir::ImplicitLocOpBuilder &, llvm::ArrayRef<mlir::Value> position,
      mlir::Value &isAccessed)>;
  ElementFn getElement;
  /// These elements are adjacent, and a machine accesses them at once: those
  /// below `prefix`, an unsigned number, or all if that is null.
  bool isRow = false;
  mlir::Value prefix;

  /// What is emitted for an access: of an element, its indices and its position
  /// in the vector.
  using VisitFn = llvm::function_ref<mlir::Value(
      mlir::ImplicitLocOpBuilder &, llvm::ArrayRef<mlir::Value> indices,
      llvm::ArrayRef<mlir::Value> position)>;

  /// Emits `visit` for each access. With `asks` it yields a bit, and the result
  /// is their conjunction, else null.
  mlir::Value forAllElements(mlir::ImplicitLocOpBuilder &b, bool asks,
                             VisitFn visit) const;
};

/// The number of an element of a vector, in row-major order.
mlir::Value getElementNumber(mlir::ImplicitLocOpBuilder &b,
                             llvm::ArrayRef<mlir::Value> position,
                             llvm::ArrayRef<int64_t> shape);

/// Fails, without a diagnostic, for an operation that is not known. May create
/// constants before it.
mlir::LogicalResult
getMemoryAccesses(mlir::Operation *op,
                  llvm::SmallVectorImpl<CheckedAccess> &accesses);

} // namespace uop

#endif // UOP_LIB_EMULATOR_CHECKED_ACCESSSHAPES_H
