//===- CopiesUnderWay.h - How long an asynchronous copy takes ---*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An asynchronous copy reads and writes at some time between its issue and the
// wait that completes it: the first one that leaves fewer groups under way than
// its thread has committed after the group of the copy. Other threads may rely
// on it from the first barrier after that wait on.
//
// One instance of a copy is followed from its issue on, through the iterations
// of the loops, with the number of groups that have been committed since; until
// then. Where the path depends on a condition all ways are followed, of which
// those are left out that a condition excludes that was met before.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_COPIESUNDERWAY_H
#define UOP_ANALYSIS_COPIESUNDERWAY_H

#include "Uop/Analysis/BarrierIntervals.h"

namespace uop {

/// Finds what a block may access while its asynchronous copies are under way,
/// or before the barrier that follows their completion. What is in the interval
/// of the issue is a matter of BarrierIntervals.
class CopiesUnderWay {
public:
  /// `first` is an access of the copy, in the iterations in which it is issued.
  /// No barrier can be put in between where the copy may not be completed yet.
  using Visitor = llvm::function_ref<void(const Meeting &)>;

  CopiesUnderWay(KernelOp kernel, const MemoryAccesses &accesses,
                 const BarrierIntervals &intervals);

  /// Visits all pairs of which `MemoryAccess::conflictsWith` holds.
  void visit(Visitor visitor);

private:
  KernelOp kernel;
  const MemoryAccesses &accesses;
  const BarrierIntervals &intervals;
  llvm::BumpPtrAllocator allocator;
};

} // namespace uop

#endif // UOP_ANALYSIS_COPIESUNDERWAY_H
