//===- ScalarOps.h - Arithmetic on the bits of scalars ----------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_UNITTESTS_SIMT_SCALAROPS_H
#define UOP_UNITTESTS_SIMT_SCALAROPS_H

#include "Datum.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include <optional>

namespace uop::simt {

/// The types of an element-wise operation, and its predicate if it has one.
struct ScalarTypes {
  explicit ScalarTypes(mlir::Operation *op);

  unsigned width, resultWidth;
  /// Null if not a float.
  const llvm::fltSemantics *semantics = nullptr, *resultSemantics = nullptr;
  int64_t predicate = 0;
};

/// Nothing where the result is undefined: a division by zero, a shift by the
/// width or more, a float that the integer type does not have.
using ScalarFunction = std::optional<uint64_t> (*)(const ScalarTypes &,
                                                   llvm::ArrayRef<uint64_t>);

/// Null for an operation that is not element-wise arithmetic, or not known.
ScalarFunction findScalarFunction(llvm::StringRef op);

/// What an atomic operation leaves in memory; nothing for a kind that `type`
/// does not have.
std::optional<uint64_t> combine(mlir::arith::AtomicRMWKind kind,
                                mlir::Type type, uint64_t memory,
                                uint64_t value);

/// One step of a reduction.
std::optional<uint64_t> combine(mlir::gpu::AllReduceOperation kind,
                                mlir::Type type, uint64_t left, uint64_t right);

} // namespace uop::simt

#endif // UOP_UNITTESTS_SIMT_SCALAROPS_H
