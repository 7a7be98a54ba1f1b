//===- BuildParts.h - The parts of a report ---------------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_REPORT_BUILDPARTS_H
#define UOP_LIB_REPORT_BUILDPARTS_H

#include "KernelCounts.h"

namespace uop::report {

/// Accesses in program order, with causes and examples, without remedies.
std::vector<AccessReport> describeAccesses(KernelOp kernel,
                                           const KernelCounts &counts,
                                           unsigned warpSize);

/// Floating-point operations of all threads.
WorkReport countWork(KernelOp kernel, const KernelCounts &counts,
                     unsigned warpSize);

/// What moves between global memory and threads, blocks and the launch, a
/// buffer each.
std::vector<BufferTraffic> countBuffers(KernelOp kernel,
                                        const KernelCounts &counts,
                                        const RequestOptions &options);

/// Branches and loops at which lanes of a warp part.
std::vector<BranchReport> describeBranches(const KernelCounts &counts);

/// Loops that several threads of a block run on the same values.
std::vector<RecomputationReport> findRecomputations(KernelOp kernel,
                                                    const KernelCounts &counts);

RaceSummary summarizeRaces(KernelOp kernel);

/// The share of the threads that store to global memory: the most that any
/// store has; 1 where there is none.
double getStoringThreadShare(KernelOp kernel, const KernelCounts &counts);

/// Whether threads of a block work together on what one of them stores. Of what
/// was lowered from graph form only a group that reduces together does.
bool isCooperative(KernelOp kernel, bool isGraph);

/// The live values of a thread in registers of 32 bits, at the place where
/// there are most, and what addresses and control flow take beside.
int64_t estimateRegisters(KernelOp kernel);

/// The bytes of global memory that a thread asks for before it needs the first
/// of them: the loads of one block of ops, of that which has most.
int64_t getBytesInFlight(KernelOp kernel, const KernelCounts &counts);

/// Changes of the kernel that make accesses cheaper, tried out on copies.
void tryRemedies(KernelOp kernel, const RequestOptions &options,
                 llvm::StringRef form, std::vector<AccessReport> &accesses);

} // namespace uop::report

#endif // UOP_LIB_REPORT_BUILDPARTS_H
