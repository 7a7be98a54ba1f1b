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
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
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
  ThreadEvaluator(ArrayRef<RangeOp> threadRanges,
                  std::array<int64_t, 3> thread) {
    for (RangeOp range : threadRanges)
      known[range] = thread[unsigned(range.getAxis().getThreadDimension())];
  }

  /// The value, where it follows from the thread and constants alone.
  /// Integers are as their type holds them, sign-extended.
  std::optional<int64_t> evaluate(Value value) {
    if (!value.getType().isSignlessIntOrIndex() || getWidth(value) > 64)
      return std::nullopt;
    if (auto it = known.find(value); it != known.end())
      return it->second;
    // Each value once: the arithmetic is a graph, not a tree. Unknown until it
    // is evaluated, which ends cycles; and bounded, since this recurses.
    if (known.size() >= kMaxValues)
      return std::nullopt;
    known[value] = std::nullopt;
    std::optional<int64_t> result = evaluateNew(value);
    if (result)
      result = APInt(getWidth(value), *result, /*isSigned=*/true,
                     /*implicitTrunc=*/true)
                   .getSExtValue();
    return known[value] = result;
  }

  /// How often the body of a loop runs, where that is known.
  std::optional<int64_t> countIterations(scf::ForOp loop) {
    std::optional<int64_t> low = evaluate(loop.getLowerBound());
    std::optional<int64_t> high = evaluate(loop.getUpperBound());
    std::optional<int64_t> step = evaluate(loop.getStep());
    int64_t distance;
    if (!low || !high || !step || *step <= 0 || loop.getUnsignedCmp() ||
        llvm::SubOverflow(*high, *low, distance))
      return std::nullopt;
    return distance <= 0 ? 0 : (distance - 1) / *step + 1;
  }

private:
  static constexpr unsigned kMaxValues = 1000;

  static unsigned getWidth(Value value) {
    return value.getType().isIndex() ? 64
                                     : value.getType().getIntOrFloatBitWidth();
  }

  std::optional<int64_t> evaluateNew(Value value) {
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return constant.getSExtValue();
    Operation *op = value.getDefiningOp();
    if (!op) {
      auto loop = dyn_cast_or_null<scf::ForOp>(
          cast<BlockArgument>(value).getOwner()->getParentOp());
      if (loop && loop.getInductionVar() == value)
        return evaluate(loop.getLowerBound());
      return std::nullopt;
    }
    if (auto range = dyn_cast<RangeOp>(op))
      return range.getAxis().isBlockIndex() ? std::optional<int64_t>(0)
                                            : std::nullopt;
    if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(op))
      return evaluate(op->getOperand(0));
    if (isa<arith::IndexCastUIOp, arith::ExtUIOp>(op)) {
      std::optional<int64_t> source = evaluate(op->getOperand(0));
      unsigned width = getWidth(op->getOperand(0));
      if (!source || width >= 64)
        return source;
      return *source & ((int64_t(1) << width) - 1);
    }
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
      unsigned width = getWidth(op->getOperand(0));
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

  llvm::DenseMap<Value, std::optional<int64_t>> known;
};

/// Two threads for which a value differs, as indices along x, y, z.
using Witness = std::pair<std::array<int64_t, 3>, std::array<int64_t, 3>>;

} // namespace

/// The way on which a thread goes through an op with regions: the branch that
/// it takes or the number of iterations, where that is known.
static std::optional<int64_t> evaluateControl(Operation *op,
                                              ThreadEvaluator &evaluator) {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return evaluator.evaluate(branch.getCondition());
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return evaluator.countIterations(loop);
  if (auto choice = dyn_cast<scf::IndexSwitchOp>(op))
    return evaluator.evaluate(choice.getArg());
  return std::nullopt;
}

/// Two threads of a block whose ways through an op provably differ.
static std::optional<Witness> findDivergence(Operation *op,
                                             ArrayRef<RangeOp> threadRanges,
                                             std::array<int64_t, 3> blockSize) {
  std::optional<int64_t> first;
  for (int64_t z = 0; z < blockSize[2]; ++z)
    for (int64_t y = 0; y < blockSize[1]; ++y)
      for (int64_t x = 0; x < blockSize[0]; ++x) {
        ThreadEvaluator evaluator(threadRanges, {x, y, z});
        std::optional<int64_t> current = evaluateControl(op, evaluator);
        if (!current)
          return std::nullopt;
        if (!first)
          first = current;
        else if (*first != *current)
          return Witness{{0, 0, 0}, {x, y, z}};
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
      if (isa<BarrierOp, PhaseOp, gpu::ShuffleOp>(op) &&
          failed(verifyUniform(op)))
        return WalkResult::interrupt();
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

private:
  LogicalResult verifyOp(Operation *op);
  LogicalResult verifyAsync(Operation *op);
  LogicalResult verifyRange(RangeOp range);
  LogicalResult verifyExtent(RangeOp range);
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
  bool isAsync = isa<nvgpu::DeviceAsyncCopyOp, nvgpu::DeviceAsyncCreateGroupOp,
                     nvgpu::DeviceAsyncWaitOp>(op);
  if (!isKnown && !isAsync && !isa<gpu::ShuffleOp>(op))
    return op->emitOpError("is not allowed in loop form: expected scf, memref, "
                           "vector, arith, math and uop ops, gpu.shuffle, or "
                           "nvgpu.device_async_copy, _create_group and _wait");
  if (isAsync && failed(verifyAsync(op)))
    return failure();
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
  if (isa<gpu::ShuffleOp>(op) && phase)
    return op->emitOpError("is not allowed in a phase, of which only some "
                           "threads take part; use it outside of phases, or "
                           "exchange values through workgroup memory");
  if (!phases.empty() && !phase && hasEffect<MemoryEffects::Write>(op)) {
    InFlightDiagnostic diag = op->emitOpError(
        "stores outside of a phase, in a kernel of phases; move it into a "
        "phase, which says what threads execute it");
    diag.attachNote(phases.front().getLoc()) << "the first phase is here";
    return diag;
  }
  return success();
}

/// The op in which the memory of a memref begins; null for an argument.
static Operation *findOrigin(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  if (auto argument = dyn_cast<BlockArgument>(memref)) {
    Operation *parent = argument.getOwner()->getParentOp();
    return isa<KernelOp>(parent) ? nullptr : parent;
  }
  return memref.getDefiningOp();
}

/// Asynchronous copies go one way, and count groups.
LogicalResult LoopVerifier::verifyAsync(Operation *op) {
  if (auto wait = dyn_cast<nvgpu::DeviceAsyncWaitOp>(op))
    if (std::optional<int32_t> groups = wait.getNumGroups();
        groups && *groups < 0)
      return op->emitOpError("expected 0 groups or more to be left under way, "
                             "but got ")
             << *groups;
  auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op);
  if (!copy)
    return success();
  auto emit = [&](Value memref, Operation *origin) {
    InFlightDiagnostic diag = op->emitOpError(
        "expected a copy from an argument of the kernel to a workgroup "
        "uop.alloc, or views of these, but got ");
    diag << memref.getType();
    diag.attachNote(origin ? origin->getLoc() : memref.getLoc())
        << "the memory is this";
    return diag;
  };
  if (Operation *origin = findOrigin(copy.getSrc()))
    return emit(copy.getSrc(), origin);
  Operation *origin = findOrigin(copy.getDst());
  if (!isa_and_nonnull<AllocOp>(origin))
    return emit(copy.getDst(), origin);
  Type element = cast<MemRefType>(copy.getSrc().getType()).getElementType();
  if (element != cast<MemRefType>(copy.getDst().getType()).getElementType())
    return op->emitOpError("expected elements of one type, but got ")
           << copy.getSrc().getType() << " and " << copy.getDst().getType();
  if (element.getIntOrFloatBitWidth() % 8 != 0)
    return op->emitOpError("expected elements of whole bytes, but got ")
           << element;
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
  return verifyExtent(range);
}

/// The host computes the extents, before the kernel runs.
LogicalResult LoopVerifier::verifyExtent(RangeOp range) {
  if (!range.getExtent())
    return success();
  SetVector<Value> reached;
  reached.insert(range.getExtent());
  for (size_t i = 0; i < reached.size(); ++i) {
    Operation *op = reached[i].getDefiningOp();
    if (!op)
      continue;
    bool isDim =
        isa<memref::DimOp>(op) && isa<BlockArgument>(op->getOperand(0));
    if (!isDim && !isa<FloorDivOp, FloorModOp>(op) &&
        !isa_and_nonnull<arith::ArithDialect>(op->getDialect())) {
      InFlightDiagnostic diag =
          range.emitOpError()
          << "expected an extent of constants, scalar arguments, memref "
             "dimensions and arithmetic on these, but it depends on "
          << op->getName();
      diag.attachNote(op->getLoc()) << "the extent depends on this";
      return diag;
    }
    reached.insert(op->operand_begin(), op->operand_end());
  }
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
    if (isa<scf::WhileOp, scf::ExecuteRegionOp>(parent))
      continue;
    if (!isa<scf::IfOp, scf::ForOp, scf::IndexSwitchOp>(parent))
      return op->emitOpError() << "is not allowed in " << parent->getName()
                               << "; expected scf.for, scf.while, scf.if or "
                                  "scf.index_switch around it";
    std::optional<Witness> witness =
        findDivergence(parent, threadRanges, blockSize);
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
        << "; every thread of the block must come to a "
        << (isa<gpu::ShuffleOp>(op) ? "shuffle" : "barrier");
    diag.attachNote(parent->getLoc()) << "the control flow is here";
    return diag;
  }
  return success();
}

LogicalResult uop::verifyLoopForm(KernelOp kernel) {
  return LoopVerifier(kernel).verify();
}
