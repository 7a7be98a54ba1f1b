//===- Control.cpp - What the threads of a block do differently -----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuildParts.h"
#include "Places.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace uop;
using namespace uop::report;

std::vector<BranchReport> report::describeBranches(const KernelCounts &counts) {
  std::vector<BranchReport> branches;
  for (auto &[op, branch] : counts.branches) {
    auto choice = dyn_cast<scf::IfOp>(op);
    if (branch.divergent == 0 && !choice)
      continue;
    bool isBothWays = choice && choice.elseBlock() &&
                      !choice.elseBlock()->without_terminator().empty();
    branches.push_back({getPlace(op->getLoc()),
                        op->getName().getStringRef().str(), branch.executions,
                        branch.divergent, isBothWays});
  }
  return branches;
}

bool report::isCooperative(KernelOp kernel, bool isGraph) {
  // Stages of graph form are filled together, but each thread has an output.
  if (isGraph) {
    auto schedule = kernel->getAttrOfType<ScheduleAttr>("schedule");
    return schedule && llvm::any_of(schedule.getOpts(), [](OptAttr opt) {
             return opt.getKind() == OptKind::Group ||
                    opt.getKind() == OptKind::GroupTop;
           });
  }
  WalkResult walk = kernel.walk([&](Operation *op) {
    auto alloc = dyn_cast<AllocOp>(op);
    bool isShared = alloc && gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
                                 cast<MemRefType>(alloc.getType()));
    bool isExchange = isa<gpu::ShuffleOp, gpu::RotateOp, gpu::SubgroupReduceOp,
                          gpu::AllReduceOp, gpu::SubgroupBroadcastOp>(op);
    return isShared || isExchange ? WalkResult::interrupt()
                                  : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

namespace {

/// Finds how many of the threads that enter ops store to global memory.
class StoringThreads {
public:
  explicit StoringThreads(const KernelCounts &counts) : counts(counts) {
    for (const AccessTraffic &access : counts.traffic.accesses)
      if (!access.access.isShared && access.access.kind != AccessKind::Load)
        stores.insert(access.access.op);
  }

  bool hasStores() const { return !stores.empty(); }
  /// The share of the threads that enter `block`: the most of one of its ops.
  double getShare(Block &block) const {
    double most = 0;
    for (Operation &op : block)
      most = std::max(most, getShare(op));
    return most;
  }

private:
  double getShare(Operation &op) const {
    if (stores.contains(&op))
      return 1;
    // A thread takes one side of a branch.
    double sum = 0, most = 0;
    for (Region &region : op.getRegions())
      for (Block &block : region) {
        double share = getEntering(op, block) * getShare(block);
        sum += share;
        most = std::max(most, share);
      }
    return isa<scf::IfOp, scf::IndexSwitchOp>(op) ? std::min(sum, 1.0) : most;
  }

  /// Of the threads that come to `op` those that enter a block of it; all where
  /// that is not known, or a block is entered often.
  double getEntering(Operation &op, Block &block) const {
    std::optional<uint64_t> inside = counts.getThreads(&block);
    std::optional<uint64_t> outside = counts.getThreads(op.getBlock());
    if (!isa<scf::IfOp, scf::IndexSwitchOp, PhaseOp>(op) || !inside ||
        !outside || *outside == 0)
      return 1;
    return double(*inside) / double(*outside);
  }

  const KernelCounts &counts;
  llvm::DenseSet<Operation *> stores;
};

} // namespace

double report::getStoringThreadShare(KernelOp kernel,
                                     const KernelCounts &counts) {
  StoringThreads threads(counts);
  return threads.hasStores() ? threads.getShare(kernel.getBodyBlock()) : 1;
}

int64_t report::getBytesInFlight(KernelOp kernel, const KernelCounts &counts) {
  llvm::MapVector<Block *, int64_t> bytesOf;
  for (const AccessTraffic &access : counts.traffic.accesses)
    if (!access.access.isShared && access.access.kind == AccessKind::Load)
      bytesOf[access.access.op->getBlock()] +=
          access.access.elementBytes * access.access.elements;
  int64_t most = 0;
  for (auto [block, bytes] : bytesOf)
    most = std::max(most, bytes);
  return most;
}
