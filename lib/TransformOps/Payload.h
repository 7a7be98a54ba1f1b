//===- Payload.h - What transform ops are applied to ------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the transform ops. What all of them do around the call of a
// primitive: look at the payload, make failures silenceable, and see to it that
// a kernel whose schedule is refused is as it was before.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_TRANSFORMOPS_PAYLOAD_H
#define UOP_LIB_TRANSFORMOPS_PAYLOAD_H

#include "Uop/TransformOps/UopTransformOps.h"
#include "Uop/Transforms/Schedule.h"
#include "mlir/Dialect/Transform/Utils/DiagnosedSilenceableFailure.h"
#include "mlir/IR/PatternMatch.h"

namespace uop {

/// Appends the payload of a handle. A silenceable failure where something is
/// there twice, is not an `OpT`, or not of a kernel in graph form.
template <typename OpT>
mlir::DiagnosedSilenceableFailure
getPayload(mlir::transform::TransformOpInterface op, mlir::Value handle,
           const mlir::transform::TransformState &state,
           llvm::SmallVectorImpl<mlir::Operation *> &payload);

/// The amount of each of `count` ops: the fixed one, or what the parameter has,
/// one for all or one each. A silenceable failure where it has something else.
mlir::DiagnosedSilenceableFailure
getAmounts(mlir::transform::TransformOpInterface op, mlir::Value param,
           std::optional<int64_t> fixed, size_t count,
           const mlir::transform::TransformState &state,
           llvm::SmallVectorImpl<int64_t> &amounts);

/// The two parts of split ranges, without those that are not there.
struct SplitParts {
  llvm::SmallVector<mlir::Operation *> outer, inner;

  void add(const SplitRanges &parts) {
    if (parts.outer)
      outer.push_back(parts.outer);
    if (parts.inner)
      inner.push_back(parts.inner);
  }
};

/// The kernel of an op, or the op if it is one.
KernelOp getKernel(mlir::Operation *op);

/// Changes ops of a kernel, or kernels.
using ChangeFn = llvm::function_ref<llvm::LogicalResult(
    mlir::RewriterBase &, llvm::ArrayRef<mlir::Operation *>)>;

/// Changes the payload as a whole or not at all: `change` is called for a copy
/// of the kernels first, and for the kernels themselves if it succeeds there
/// and leaves kernels that the verifier takes. Else a silenceable failure, with
/// the first error as its message and what was said with it in notes. So
/// `change` must set anew, in each call, what it gives to the outside.
mlir::DiagnosedSilenceableFailure
changeOrRefuse(mlir::transform::TransformOpInterface op,
               mlir::transform::TransformRewriter &rewriter,
               llvm::ArrayRef<mlir::Operation *> payload, ChangeFn change);

/// Removes the schedule of a kernel, which no longer tells what was done.
void dropSchedule(mlir::RewriterBase &rewriter, KernelOp kernel);

} // namespace uop

#endif // UOP_LIB_TRANSFORMOPS_PAYLOAD_H
