//===- LoopVerifier.cpp - The rules of loop form --------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/IR/FreeRanges.h"
#include "Verifier.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

//===----------------------------------------------------------------------===//
// Values that provably differ between threads
//===----------------------------------------------------------------------===//

namespace {

/// Evaluates index and integer arithmetic for one thread of block 0, in the
/// first iteration of the loops around it.
class ThreadEvaluator {
public:
  /// Values of the ranges of the thread.
  llvm::DenseMap<Value, int64_t> ranges;

  /// The value, where it follows from the thread and constants alone.
  std::optional<int64_t> evaluate(Value value) {
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return constant.getSExtValue();
    if (auto it = ranges.find(value); it != ranges.end())
      return it->second;
    Operation *op = value.getDefiningOp();
    if (!op) {
      auto loop = dyn_cast<scf::ForOp>(
          cast<BlockArgument>(value).getOwner()->getParentOp());
      if (loop && loop.getInductionVar() == value)
        return evaluate(loop.getLowerBound());
      return std::nullopt;
    }
    if (auto range = dyn_cast<RangeOp>(op))
      return range.getAxis().isBlockIndex() ? std::optional<int64_t>(0)
                                            : std::nullopt;
    if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp>(op))
      return evaluate(op->getOperand(0));
    if (auto select = dyn_cast<arith::SelectOp>(op)) {
      std::optional<int64_t> condition = evaluate(select.getCondition());
      if (!condition)
        return std::nullopt;
      return evaluate(*condition ? select.getTrueValue()
                                 : select.getFalseValue());
    }
    if (op->getNumOperands() != 2 || op->getNumResults() != 1)
      return std::nullopt;
    std::optional<int64_t> lhs = evaluate(op->getOperand(0));
    std::optional<int64_t> rhs = evaluate(op->getOperand(1));
    if (!lhs || !rhs)
      return std::nullopt;
    return evaluateBinary(op, *lhs, *rhs);
  }

private:
  static std::optional<int64_t> evaluateBinary(Operation *op, int64_t lhs,
                                               int64_t rhs) {
    int64_t result;
    if (isa<arith::AddIOp>(op))
      return llvm::AddOverflow(lhs, rhs, result) ? std::nullopt
                                                 : std::optional(result);
    if (isa<arith::SubIOp>(op))
      return llvm::SubOverflow(lhs, rhs, result) ? std::nullopt
                                                 : std::optional(result);
    if (isa<arith::MulIOp>(op))
      return llvm::MulOverflow(lhs, rhs, result) ? std::nullopt
                                                 : std::optional(result);
    if (isa<arith::AndIOp>(op))
      return lhs & rhs;
    if (isa<arith::OrIOp>(op))
      return lhs | rhs;
    if (isa<arith::XOrIOp>(op))
      return lhs ^ rhs;
    if (isa<arith::MinSIOp>(op))
      return std::min(lhs, rhs);
    if (isa<arith::MaxSIOp>(op))
      return std::max(lhs, rhs);
    if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
      unsigned width =
          op->getOperand(0).getType().isIndex()
              ? 64
              : op->getOperand(0).getType().getIntOrFloatBitWidth();
      return arith::applyCmpPredicate(compare.getPredicate(),
                                      APInt(width, lhs, true, true),
                                      APInt(width, rhs, true, true));
    }
    // Divisions are evaluated where all of their meanings agree.
    if (lhs < 0 || rhs <= 0)
      return std::nullopt;
    if (isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp, FloorDivOp>(
            op))
      return lhs / rhs;
    if (isa<arith::RemSIOp, arith::RemUIOp, FloorModOp>(op))
      return lhs % rhs;
    return std::nullopt;
  }
};

/// Two threads for which a value differs, as indices along x, y, z.
using Witness = std::pair<std::array<int64_t, 3>, std::array<int64_t, 3>>;

} // namespace

/// Two threads of a block for which one of the values provably differs.
static std::optional<Witness> findDivergence(ValueRange values,
                                             ArrayRef<RangeOp> threadRanges,
                                             std::array<int64_t, 3> blockSize) {
  std::optional<SmallVector<int64_t>> first;
  std::array<int64_t, 3> firstThread = {0, 0, 0};
  for (int64_t z = 0; z < blockSize[2]; ++z)
    for (int64_t y = 0; y < blockSize[1]; ++y)
      for (int64_t x = 0; x < blockSize[0]; ++x) {
        std::array<int64_t, 3> thread = {x, y, z};
        ThreadEvaluator evaluator;
        for (RangeOp range : threadRanges)
          evaluator.ranges[range] =
              thread[unsigned(range.getAxis().getThreadDimension())];
        SmallVector<int64_t> current;
        for (Value value : values) {
          std::optional<int64_t> known = evaluator.evaluate(value);
          if (!known)
            return std::nullopt;
          current.push_back(*known);
        }
        if (!first) {
          first = current;
          firstThread = thread;
        } else if (*first != current) {
          return Witness{firstThread, thread};
        }
      }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The verifier
//===----------------------------------------------------------------------===//

namespace {

class LoopVerifier {
public:
  explicit LoopVerifier(KernelOp kernel) : kernel(kernel) {}

  LogicalResult verify() {
    kernel.walk([&](PhaseOp phase) { phases.push_back(phase); });
    // In program order, parents first: the outermost fault is the clearest.
    WalkResult result = kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op == kernel)
        return WalkResult::advance();
      return failed(verifyOp(op)) ? WalkResult::interrupt()
                                  : WalkResult::advance();
    });
    if (result.wasInterrupted() || failed(verifyRanges()))
      return failure();
    result = kernel.walk([&](Operation *op) {
      if (isa<BarrierOp, PhaseOp>(op) && failed(verifyUniform(op)))
        return WalkResult::interrupt();
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

private:
  LogicalResult verifyOp(Operation *op);
  LogicalResult verifyRange(RangeOp range);
  LogicalResult verifyRanges();
  LogicalResult verifyRangesOf(Block &block, RangeList &all);
  LogicalResult verifyUniform(Operation *op);

  KernelOp kernel;
  SmallVector<PhaseOp> phases;
  RangeList threadRanges;
  std::array<int64_t, 3> blockSize = {1, 1, 1};
};

} // namespace

LogicalResult LoopVerifier::verifyOp(Operation *op) {
  if (isa<LoadOp, StoreOp, ReduceOp, StageOp, YieldOp>(op))
    return op->emitOpError(
        "is not allowed in loop form; use memref and scf, or "
        "write the kernel in graph form");
  if (auto range = dyn_cast<RangeOp>(op))
    return verifyRange(range);
  if (isa<memref::AllocOp, memref::AllocaOp>(op))
    return op->emitOpError("is not allowed in a kernel; use uop.alloc for "
                           "workgroup or private memory");
  bool isKnown =
      isa_and_nonnull<UopDialect, arith::ArithDialect, math::MathDialect,
                      memref::MemRefDialect, scf::SCFDialect, ub::UBDialect,
                      vector::VectorDialect>(op->getDialect()) &&
      !isa<KernelOp, LaunchOp>(op);
  if (!isKnown)
    return op->emitOpError("is not allowed in loop form: expected scf, memref, "
                           "vector, arith, math and uop ops");
  auto phase = op->getParentOfType<PhaseOp>();
  if (isa<PhaseOp>(op) && phase) {
    InFlightDiagnostic diag =
        op->emitOpError("is nested in another phase; expected phases one after "
                        "another");
    diag.attachNote(phase.getLoc()) << "the outer phase is here";
    return diag;
  }
  if (isa<BarrierOp>(op) && phase)
    return op->emitOpError(
        "is not allowed in a phase, of which only some "
        "threads take part; end the phase and begin another: "
        "a barrier lies between");
  if (!phases.empty() && !phase && hasEffect<MemoryEffects::Write>(op) &&
      !isa<BarrierOp>(op) && op->getNumRegions() == 0) {
    InFlightDiagnostic diag = op->emitOpError(
        "stores outside of a phase, in a kernel of phases; move it into a "
        "phase, which says what threads execute it");
    diag.attachNote(phases.front().getLoc()) << "the first phase is here";
    return diag;
  }
  return success();
}

LogicalResult LoopVerifier::verifyRange(RangeOp range) {
  AxisAttr axis = range.getAxis();
  if (!axis.isHardware() || axis.getKind() == AxisKind::GroupReduce)
    return range.emitOpError()
           << "expected a hardware axis (global, local, warp or thread) in "
              "loop form, but got '"
           << axis.str() << "'; write the loop with scf.for";
  Operation *parent = range->getParentOp();
  if (parent != kernel && !isa<PhaseOp>(parent))
    return range.emitOpError(
        "expected ranges at the top of the kernel or directly in a phase");
  if (axis.isThreadIndex() && !phases.empty() && parent == kernel) {
    InFlightDiagnostic diag =
        range.emitOpError() << "is a thread range outside of the phases; each "
                               "phase has thread ranges of its own";
    diag.attachNote(phases.front().getLoc()) << "the first phase is here";
    return diag;
  }
  if (!axis.isThreadIndex() && parent != kernel)
    return range.emitOpError()
           << "expected only thread ranges in a phase, but "
              "got '"
           << axis.str() << "'; move it to the top of the kernel";
  return success();
}

/// Collects the ranges of a block, of which there is one a dimension.
LogicalResult LoopVerifier::verifyRangesOf(Block &block, RangeList &all) {
  RangeList own;
  for (auto range : block.getOps<RangeOp>()) {
    own.push_back(range);
    all.push_back(range);
    if (failed(verifyHardwareDimensions(range, own)))
      return failure();
  }
  FailureOr<std::array<int64_t, 3>> size = computeBlockSize(own);
  if (failed(size))
    return failure();
  for (unsigned dim = 0; dim < 3; ++dim)
    blockSize[dim] = std::max(blockSize[dim], (*size)[dim]);
  return success();
}

LogicalResult LoopVerifier::verifyRanges() {
  RangeList all;
  if (failed(verifyRangesOf(kernel.getBodyBlock(), all)))
    return failure();
  for (PhaseOp phase : phases)
    if (failed(verifyRangesOf(phase.getBody().front(), all)))
      return failure();
  // Phases of one shape each may still make too large a block together.
  if (blockSize[0] * blockSize[1] * blockSize[2] > kMaxThreadsPerBlock)
    return kernel.emitOpError()
           << "makes a block of " << blockSize[0] << "x" << blockSize[1] << "x"
           << blockSize[2] << " threads, the largest of its phases along each "
           << "dimension: expected at most " << kMaxThreadsPerBlock;
  for (RangeOp range : all)
    if (range.getAxis().isThreadIndex())
      threadRanges.push_back(range);
  return success();
}

LogicalResult LoopVerifier::verifyUniform(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent != kernel;
       parent = parent->getParentOp()) {
    SmallVector<Value> deciding;
    if (auto branch = dyn_cast<scf::IfOp>(parent))
      deciding = {branch.getCondition()};
    else if (auto loop = dyn_cast<scf::ForOp>(parent))
      deciding = {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
    else if (auto choice = dyn_cast<scf::IndexSwitchOp>(parent))
      deciding = {choice.getArg()};
    else if (isa<scf::WhileOp, scf::ExecuteRegionOp>(parent))
      continue;
    else
      return op->emitOpError() << "is not allowed in " << parent->getName()
                               << "; expected scf.for, scf.while, scf.if or "
                                  "scf.index_switch around it";
    std::optional<Witness> witness =
        findDivergence(deciding, threadRanges, blockSize);
    if (!witness)
      continue;
    auto print = [](std::array<int64_t, 3> thread) {
      return "(" + std::to_string(thread[0]) + ", " +
             std::to_string(thread[1]) + ", " + std::to_string(thread[2]) + ")";
    };
    InFlightDiagnostic diag =
        op->emitOpError()
        << "is under control flow that depends on the thread: "
        << parent->getName() << " differs between threads "
        << print(witness->first) << " and " << print(witness->second)
        << "; every thread of the block must come to a barrier";
    diag.attachNote(parent->getLoc()) << "the control flow is here";
    return diag;
  }
  return success();
}

LogicalResult uop::verifyLoopForm(KernelOp kernel) {
  return LoopVerifier(kernel).verify();
}
