//===- ControlFlow.cpp - Control flow that can be split at barriers -------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrepareKernel.h"

#include "KernelAnalysis.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Transforms/CFGToSCF.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace uop;

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

namespace {
// Lifts any region of a kernel: upstream's version knows func.func only.
struct Lift : public ControlFlowToSCFTransformation {
  FailureOr<Operation *> createUnreachableTerminator(Location loc,
                                                     OpBuilder &builder,
                                                     Region &region) override {
    Operation *parent = region.getParentOp();
    TypeRange types = parent->getResultTypes();
    if (auto function = dyn_cast<func::FuncOp>(parent))
      types = function.getResultTypes();
    SmallVector<Value> values;
    for (Type type : types)
      values.push_back(getUndefValue(loc, builder, type));
    if (isa<gpu::GPUFuncOp>(parent))
      return gpu::ReturnOp::create(builder, loc).getOperation();
    if (isa<func::FuncOp>(parent))
      return func::ReturnOp::create(builder, loc, values).getOperation();
    if (isa<scf::ExecuteRegionOp>(parent))
      return scf::YieldOp::create(builder, loc, values).getOperation();
    return emitError(loc, "control flow that never ends is not supported by "
                          "the emulator in ")
           << parent->getName();
  }
};
} // namespace

LogicalResult uop::liftControlFlow(Region &region) {
  if (region.hasOneBlock())
    return success();
  Operation *parent = region.getParentOp();
  Lift lift;
  DominanceInfo dominance(parent);
  if (failed(transformCFGToSCF(region, lift, dominance)) ||
      !region.hasOneBlock())
    return parent->emitOpError("has control flow that cannot be brought into "
                               "structured form");
  return success();
}

static bool holds(Operation *op, llvm::function_ref<bool(Operation *)> test) {
  return op
      ->walk([&](Operation *inner) {
        return test(inner) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

// Marks the places where a thread leaves for good: the returns, where there is
// more than one way to return. Blocks that do nothing but return are copied for
// each branch to them: whether `if (i >= n) return;` has a return of its own or
// shares that at the end makes no difference.
static void markExits(gpu::GPUFuncOp kernel) {
  SmallVector<gpu::ReturnOp> returns;
  for (Block &block : llvm::make_early_inc_range(kernel.getBody())) {
    auto op = dyn_cast<gpu::ReturnOp>(block.getTerminator());
    if (!op)
      continue;
    returns.push_back(op);
    if (&block.front() != op.getOperation() || block.getNumArguments() != 0)
      continue;
    SmallVector<BlockOperand *> uses(llvm::make_pointer_range(block.getUses()));
    for (BlockOperand *use : ArrayRef<BlockOperand *>(uses).drop_front(
             std::min<size_t>(1, uses.size()))) {
      Block *copy = new Block();
      copy->insertAfter(&block);
      OpBuilder b = OpBuilder::atBlockEnd(copy);
      returns.push_back(cast<gpu::ReturnOp>(b.clone(*op)));
      use->set(copy);
    }
  }
  if (returns.size() < 2)
    return;
  for (gpu::ReturnOp op : returns) {
    OpBuilder b(op);
    Operation *exit = gpu::BarrierOp::create(b, op.getLoc());
    exit->setAttr(exitAttrName, b.getUnitAttr());
  }
}

//===----------------------------------------------------------------------===//
// Ops around a stop
//===----------------------------------------------------------------------===//

// The cases become a chain of conditions.
static void lowerSwitch(RewriterBase &rewriter, scf::IndexSwitchOp op) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  SmallVector<Value> results;
  scf::IfOp outer;
  for (auto [number, region] : llvm::zip(op.getCases(), op.getCaseRegions())) {
    Value label = arith::ConstantIndexOp::create(rewriter, loc, number);
    Value same = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq,
                                       op.getArg(), label);
    auto ifOp = scf::IfOp::create(rewriter, loc, op.getResultTypes(), same,
                                  /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
    rewriter.inlineBlockBefore(&region.front(), ifOp.thenBlock(),
                               ifOp.thenBlock()->end());
    if (outer)
      scf::YieldOp::create(rewriter, loc, ifOp.getResults());
    else
      llvm::append_range(results, ifOp.getResults());
    outer = ifOp;
    rewriter.setInsertionPointToEnd(ifOp.elseBlock());
  }
  if (outer) {
    rewriter.inlineBlockBefore(&op.getDefaultRegion().front(),
                               outer.elseBlock(), outer.elseBlock()->end());
    rewriter.replaceOp(op, results);
    return;
  }
  Block *body = &op.getDefaultRegion().front();
  Operation *yield = body->getTerminator();
  rewriter.inlineBlockBefore(body, op);
  rewriter.replaceOp(op, yield->getOperands());
  rewriter.eraseOp(yield);
}

static LogicalResult lowerRegion(RewriterBase &rewriter,
                                 scf::ExecuteRegionOp op) {
  if (failed(liftControlFlow(op.getRegion())))
    return failure();
  Block *body = &op.getRegion().front();
  Operation *yield = body->getTerminator();
  rewriter.inlineBlockBefore(body, op);
  rewriter.replaceOp(op, yield->getOperands());
  rewriter.eraseOp(yield);
  return success();
}

// One step towards loops and conditions that can be split; what it leaves is
// refused by checkKernel.
static LogicalResult lowerAroundStop(RewriterBase &rewriter, Operation *op) {
  rewriter.setInsertionPoint(op);
  if (auto region = dyn_cast<scf::ExecuteRegionOp>(op))
    return lowerRegion(rewriter, region);
  if (auto choice = dyn_cast<scf::IndexSwitchOp>(op))
    lowerSwitch(rewriter, choice);
  else if (auto forall = dyn_cast<scf::ForallOp>(op);
           forall && forall.getNumResults() == 0)
    return scf::forallToForLoop(rewriter, forall);
  else if (auto parallel = dyn_cast<scf::ParallelOp>(op);
           parallel && parallel.getNumResults() == 0)
    return scf::parallelForToNestedFors(rewriter, parallel);
  return success();
}

// Upstream takes all affine ops to scf at once.
static LogicalResult lowerAffine(gpu::GPUFuncOp kernel) {
  bool isNeeded = holds(kernel, [](Operation *op) {
    return isa<affine::AffineForOp, affine::AffineIfOp,
               affine::AffineParallelOp>(op) &&
           holds(op, isStop);
  });
  if (!isNeeded)
    return success();
  MLIRContext *context = kernel.getContext();
  RewritePatternSet patterns(context);
  populateAffineToStdConversionPatterns(patterns);
  ConversionTarget target(*context);
  target.addIllegalDialect<affine::AffineDialect>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(kernel, target, std::move(patterns));
}

LogicalResult uop::structureControlFlow(gpu::GPUFuncOp kernel,
                                        bool showsLoops) {
  Region &body = kernel.getBody();
  // The mark is not for others to set.
  kernel.walk([](gpu::BarrierOp op) { op->removeAttr(exitAttrName); });
  if (failed(lowerAffine(kernel)))
    return failure();
  if (!body.hasOneBlock()) {
    if (holds(kernel, isStop))
      markExits(kernel);
    if (failed(liftControlFlow(body)))
      return failure();
  }
  // Ops with several blocks or of other kinds may stay as they are as long as
  // they hold no stop.
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) {
    bool hidesLoop = isa<scf::ExecuteRegionOp, scf::ForallOp>(op);
    if ((showsLoops && hidesLoop) ||
        (isa<scf::ExecuteRegionOp, scf::IndexSwitchOp, scf::ForallOp,
             scf::ParallelOp>(op) &&
         (holds(op, isStop) || holds(op, isExit))))
      ops.push_back(op);
  });
  IRRewriter rewriter(kernel.getContext());
  // Inner ones first, so that none is copied or moved before its turn.
  for (Operation *op : ops)
    if (failed(lowerAroundStop(rewriter, op)))
      return failure();
  return success();
}
