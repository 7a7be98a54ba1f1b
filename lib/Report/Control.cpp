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

/// Of the threads that come to the kernel those that come to an op: the shares
/// of all branches around it.
static double getShareAt(Operation *op, KernelOp kernel,
                         const KernelCounts &counts) {
  double share = 1;
  for (; op->getParentOp() != kernel; op = op->getParentOp()) {
    Operation *parent = op->getParentOp();
    std::optional<uint64_t> inside = counts.getThreads(op->getBlock());
    std::optional<uint64_t> outside = counts.getThreads(parent->getBlock());
    if (isa<scf::IfOp, PhaseOp>(parent) && inside && outside && *outside > 0)
      share *= double(*inside) / double(*outside);
  }
  return share;
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

double report::getStoringThreadShare(KernelOp kernel,
                                     const KernelCounts &counts) {
  double most = 0;
  bool hasStores = false;
  for (const AccessTraffic &access : counts.traffic.accesses) {
    if (access.access.isShared || access.access.kind == AccessKind::Load)
      continue;
    hasStores = true;
    most = std::max(most, getShareAt(access.access.op, kernel, counts));
  }
  return hasStores ? most : 1;
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
