//===- Payload.cpp - What transform ops are applied to --------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A primitive refuses before it changes anything, but a script calls several
// at a time, and what a primitive does may be no kernel any more: two ranges of
// one store on one dimension, say. Only the verifier knows, afterwards. So a
// change is tried on copies of the kernels before.
//
//===----------------------------------------------------------------------===//

#include "Payload.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include <thread>

using namespace mlir;
using namespace uop;

KernelOp uop::getKernel(Operation *op) {
  if (auto kernel = dyn_cast<KernelOp>(op))
    return kernel;
  return op->getParentOfType<KernelOp>();
}

template <typename OpT>
DiagnosedSilenceableFailure
uop::getPayload(transform::TransformOpInterface op, Value handle,
                const transform::TransformState &state,
                SmallVectorImpl<Operation *> &payload) {
  for (Operation *target : state.getPayloadOps(handle)) {
    auto refuse = [&](const Twine &message) {
      DiagnosedSilenceableFailure diag = op.emitSilenceableError(message);
      diag.attachNote(target->getLoc()) << "the payload op is here";
      return diag;
    };
    if (!isa<OpT>(target))
      return refuse("expected a handle to '" + OpT::getOperationName() +
                    "', but it has '" + target->getName().getStringRef() + "'");
    KernelOp kernel = getKernel(target);
    if (!kernel)
      return refuse("expected an op of a 'uop.kernel'");
    if (!kernel.isGraphForm())
      return refuse("expected a kernel in graph form, but @" +
                    kernel.getSymName() +
                    " is in loop form; run the script before it is lowered");
    if (llvm::is_contained(payload, target))
      return refuse("expected each payload op once, but the handles have one "
                    "twice");
    payload.push_back(target);
  }
  return DiagnosedSilenceableFailure::success();
}

template DiagnosedSilenceableFailure
uop::getPayload<KernelOp>(transform::TransformOpInterface, Value,
                          const transform::TransformState &,
                          SmallVectorImpl<Operation *> &);
template DiagnosedSilenceableFailure
uop::getPayload<RangeOp>(transform::TransformOpInterface, Value,
                         const transform::TransformState &,
                         SmallVectorImpl<Operation *> &);
template DiagnosedSilenceableFailure
uop::getPayload<LoadOp>(transform::TransformOpInterface, Value,
                        const transform::TransformState &,
                        SmallVectorImpl<Operation *> &);

DiagnosedSilenceableFailure
uop::getAmounts(transform::TransformOpInterface op, Value param,
                std::optional<int64_t> fixed, size_t count,
                const transform::TransformState &state,
                SmallVectorImpl<int64_t> &amounts) {
  if (!param) {
    amounts.assign(count, *fixed);
    return DiagnosedSilenceableFailure::success();
  }
  ArrayRef<Attribute> values = state.getParams(param);
  if (values.size() != 1 && values.size() != count)
    return op.emitSilenceableError("expected a parameter with one amount, or "
                                   "with one for each of " +
                                   Twine(count) + " ranges, but it has " +
                                   Twine(values.size()));
  for (Attribute value : values) {
    auto amount = dyn_cast<IntegerAttr>(value);
    if (!amount || !amount.getValue().isSignedIntN(64)) {
      DiagnosedSilenceableFailure diag = op.emitSilenceableError(
          "expected a parameter with integers of at most 64 bits, but it has ");
      diag << value;
      return diag;
    }
    amounts.push_back(amount.getValue().getSExtValue());
  }
  if (values.size() == 1)
    amounts.assign(count, int64_t(amounts.front()));
  return DiagnosedSilenceableFailure::success();
}

namespace {
/// Copies of kernels, which belong to no module.
class TrialKernels {
public:
  explicit TrialKernels(ArrayRef<Operation *> payload) {
    for (Operation *op : payload) {
      KernelOp kernel = getKernel(op);
      if (!mapping.contains(kernel.getOperation()))
        copies.push_back(kernel->clone(mapping));
      ops.push_back(mapping.lookup(op));
    }
  }
  ~TrialKernels() {
    for (Operation *copy : copies)
      copy->erase();
  }
  TrialKernels(const TrialKernels &) = delete;
  TrialKernels &operator=(const TrialKernels &) = delete;

  LogicalResult run(ChangeFn change) {
    IRRewriter rewriter(copies.front()->getContext());
    if (failed(change(rewriter, ops)))
      return failure();
    return success(
        llvm::all_of(copies, [](Operation *copy) { return verify(copy); }));
  }

private:
  static bool verify(Operation *copy) { return succeeded(mlir::verify(copy)); }

  IRMapping mapping;
  SmallVector<Operation *> copies, ops;
};
} // namespace

/// The message of a failure: the first error, and all else in notes. Ops as
/// they are printed after an error of the verifier are those of a copy.
static DiagnosedSilenceableFailure
makeFailure(transform::TransformOpInterface op, Operation *target,
            MutableArrayRef<Diagnostic> errors) {
  if (errors.empty())
    return op.emitDefaultSilenceableFailure(target);
  DiagnosedSilenceableFailure failure =
      op.emitSilenceableError(errors.front().str());
  failure.attachNote(target->getLoc()) << "when applied to this op";
  for (Diagnostic &error : errors) {
    if (&error != errors.begin())
      failure.attachNote(error.getLocation()) << error.str();
    for (Diagnostic &note : error.getNotes())
      if (std::string text = note.str();
          !StringRef(text).starts_with("see current operation"))
        failure.attachNote(note.getLocation()) << text;
  }
  return failure;
}

DiagnosedSilenceableFailure
uop::changeOrRefuse(transform::TransformOpInterface op,
                    transform::TransformRewriter &rewriter,
                    ArrayRef<Operation *> payload, ChangeFn change) {
  if (payload.empty())
    return change(rewriter, payload).succeeded()
               ? DiagnosedSilenceableFailure::success()
               : DiagnosedSilenceableFailure::definiteFailure();
  SmallVector<Diagnostic> errors;
  {
    // Diagnostics of other threads are none of ours.
    auto thread = std::this_thread::get_id();
    ScopedDiagnosticHandler handler(op->getContext(), [&](Diagnostic &diag) {
      if (std::this_thread::get_id() != thread)
        return failure();
      if (diag.getSeverity() == DiagnosticSeverity::Error)
        errors.push_back(std::move(diag));
      return success();
    });
    TrialKernels trial(payload);
    if (failed(trial.run(change))) {
      DiagnosedSilenceableFailure refusal =
          makeFailure(op, payload.front(), errors);
      return refusal;
    }
  }
  OpBuilder::InsertionGuard guard(rewriter);
  if (succeeded(change(rewriter, payload)))
    return DiagnosedSilenceableFailure::success();
  return op.emitDefaultDefiniteFailure(payload.front());
}

void uop::dropSchedule(RewriterBase &rewriter, KernelOp kernel) {
  if (kernel.getScheduleAttr())
    rewriter.modifyOpInPlace(kernel, [&] { kernel.removeScheduleAttr(); });
}
