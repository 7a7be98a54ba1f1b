//===- InstrumentCounts.cpp - A kernel that tells what it asks for --------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstrumentCounts.h"

#include "../Checked/HostViews.h"
#include "../Checked/Instrumentation.h"
#include "Uop/Analysis/MemoryRequest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace uop;

namespace {

class CountInstrumentation : Instrumentation {
public:
  CountInstrumentation(gpu::GPUFuncOp kernel,
                       ArrayRef<std::optional<int64_t>> blockSize,
                       int64_t subgroupSize, RuntimeCalls &runtime)
      : Instrumentation(kernel, blockSize, subgroupSize, /*given=*/{}, runtime,
                        Purpose::Count) {}

  FailureOr<SiteTable> run();

private:
  LogicalResult collectControl();
  void enterKernel();
  void count(Operation *op, ArrayRef<CheckedAccess> accesses);
  void countRow(ImplicitLocOpBuilder &b, int64_t site,
                const CheckedAccess &access);
  void callAccess(ImplicitLocOpBuilder &b, int64_t site,
                  const CheckedAccess &access, ArrayRef<Value> indices,
                  Value bytes, Value part);
  void followLoop(Operation *loop);
  void followBranch(scf::IfOp branch);
  void followBarrier(Operation *barrier);

  /// Those of the program, not of the instrumentation.
  SmallVector<scf::IfOp> branches;
};

} // namespace

LogicalResult CountInstrumentation::collectControl() {
  if (subgroupSize > int64_t(kMaxWarpSize))
    return kernel.emitError("expected a subgroup of at most ")
           << kMaxWarpSize << " threads in counted mode, but got "
           << subgroupSize;
  WalkResult walk = kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto branch = dyn_cast<scf::IfOp>(op))
      branches.push_back(branch);
    if (!isa<LoopLikeOpInterface>(op) ||
        isa<scf::ForOp, scf::WhileOp, scf::ParallelOp>(op))
      return WalkResult::advance();
    op->emitOpError("is not supported in counted mode, which does not know its "
                    "iterations; lower it to scf.for");
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

/// What a thread says first.
void CountInstrumentation::enterKernel() {
  auto b = ImplicitLocOpBuilder::atBlockBegin(kernel.getLoc(),
                                              &kernel.getBody().front());
  findThread(b);
  SmallVector<Value> operands;
  for (gpu::Dimension dim :
       {gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z})
    operands.push_back(gpu::BlockIdOp::create(b, dim));
  operands.push_back(thread);
  call(b, "uop_count_begin_thread", operands);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// With the distance from where the buffer begins, whatever its offset is.
void CountInstrumentation::callAccess(ImplicitLocOpBuilder &b, int64_t site,
                                      const CheckedAccess &access,
                                      ArrayRef<Value> indices, Value bytes,
                                      Value part) {
  Value address = MemRefShape(b, access.memref).getAddress(b, indices);
  Value root = findViewedRoot(access.memref);
  Value begin = memref::ExtractAlignedPointerAsIndexOp::create(
      b, isa<MemRefType>(root.getType()) ? root : access.memref);
  Value distance = arith::SubIOp::create(b, address, begin);
  call(b, "uop_count_access", {number(b, site), thread, distance, bytes, part});
}

/// Elements that are accessed at once, of which there may be none.
void CountInstrumentation::countRow(ImplicitLocOpBuilder &b, int64_t site,
                                    const CheckedAccess &access) {
  table.accesses[site].bytes *= access.shape.front();
  Value length = number(b, access.shape.front());
  if (access.prefix)
    length = arith::MinUIOp::create(b, length, access.prefix);
  Value bytes = arith::MulIOp::create(b, length, number(b, access.bytes));
  callAccess(b, site, access, access.indices, bytes, number(b, 0));
}

void CountInstrumentation::count(Operation *op,
                                 ArrayRef<CheckedAccess> accesses) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  for (const CheckedAccess &access : accesses) {
    // Memory of a thread has no requests that are known.
    if (getSpace(access.memref) == AccessSpace::Private)
      continue;
    int64_t site = addSite(op, access);
    if (access.isRow) {
      countRow(b, site, access);
      continue;
    }
    access.forAllElements(
        b, /*asks=*/false,
        [&](ImplicitLocOpBuilder &inner, ArrayRef<Value> indices,
            ArrayRef<Value> position) {
          callAccess(inner, site, access, indices, number(inner, access.bytes),
                     getElementNumber(inner, position, access.shape));
          return Value();
        });
  }
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void CountInstrumentation::followLoop(Operation *loop) {
  ImplicitLocOpBuilder before(loop->getLoc(), loop);
  ImplicitLocOpBuilder after(loop->getLoc(), loop->getContext());
  after.setInsertionPointAfter(loop);
  Block *body = isa<scf::WhileOp>(loop)
                    ? cast<scf::WhileOp>(loop).getBeforeBody()
                    : &loop->getRegion(0).front();
  auto inside = ImplicitLocOpBuilder::atBlockBegin(loop->getLoc(), body);
  auto parallel = dyn_cast<scf::ParallelOp>(loop);
  unsigned numLoops = parallel ? parallel.getNumLoops() : 1;
  for (unsigned i = 0; i < numLoops; ++i) {
    call(before, "uop_count_enter_loop", {thread});
    call(after, "uop_count_leave_loop", {thread});
  }
  if (!parallel) {
    call(inside, "uop_count_iterate", {thread});
    return;
  }
  for (auto [axis, variable] : llvm::enumerate(parallel.getInductionVars())) {
    Value iteration =
        arith::SubIOp::create(inside, variable, parallel.getLowerBound()[axis]);
    iteration =
        arith::DivUIOp::create(inside, iteration, parallel.getStep()[axis]);
    call(inside, "uop_count_iterate_at",
         {thread, number(inside, numLoops - 1 - axis), iteration});
  }
}

void CountInstrumentation::followBranch(scf::IfOp branch) {
  ImplicitLocOpBuilder b(branch.getLoc(), branch);
  Value isTaken =
      arith::ExtUIOp::create(b, b.getI64Type(), branch.getCondition());
  call(b, "uop_count_branch", {number(b, addPlace(branch)), thread, isTaken});
}

void CountInstrumentation::followBarrier(Operation *barrier) {
  ImplicitLocOpBuilder b(barrier->getLoc(), kernel.getContext());
  b.setInsertionPointAfter(barrier);
  call(b, "uop_count_barrier", {thread});
}

FailureOr<SiteTable> CountInstrumentation::run() {
  table.kernel = kernel.getName().str();
  table.subgroupSize = subgroupSize;
  if (failed(collectControl()) || failed(collect()))
    return failure();
  enterKernel();
  for (auto &[op, accesses] : ops)
    count(op, accesses);
  for (scf::IfOp branch : branches)
    followBranch(branch);
  for (Operation *loop : loops)
    followLoop(loop);
  for (Operation *barrier : barriers)
    followBarrier(barrier);
  return std::move(table);
}

FailureOr<SiteTable>
uop::instrumentCounts(gpu::GPUFuncOp kernel,
                      ArrayRef<std::optional<int64_t>> blockSize,
                      int64_t subgroupSize, RuntimeCalls &runtime) {
  return CountInstrumentation(kernel, blockSize, subgroupSize, runtime).run();
}
