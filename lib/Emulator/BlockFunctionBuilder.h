//===- BlockFunctionBuilder.h - Intervals and their order -------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The intervals of a kernel (see BlockFunction.cpp), each emitted once, and the
// two ways to put them together: the block in step, or each subgroup by itself
// (SubgroupSchedule.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_BLOCKFUNCTIONBUILDER_H
#define UOP_LIB_EMULATOR_BLOCKFUNCTIONBUILDER_H

#include "BlockStorage.h"
#include "RuntimeCalls.h"
#include "ThreadCode.h"

namespace uop {

class BlockFunctionBuilder {
public:
  BlockFunctionBuilder(const KernelAnalysis &analysis, llvm::StringRef name,
                       mlir::func::FuncOp func,
                       llvm::ArrayRef<std::optional<int64_t>> blockSize,
                       int64_t subgroupSize, RuntimeCalls &runtime)
      : analysis(analysis), name(name), func(func),
        storage(analysis, func, blockSize, subgroupSize), runtime(runtime) {
    for (int i = 0; i < 2; ++i)
      bounds.addArgument(mlir::IndexType::get(func.getContext()),
                         func.getLoc());
  }

  mlir::LogicalResult build(llvm::ArrayRef<mlir::StringAttr> workgroupGlobals);

private:
  // The code of an interval, not yet in its place, and where it leads.
  struct Interval {
    std::unique_ptr<mlir::Block> code;
    IntervalFacts facts;
    mlir::Value place; // of arrival; null when there is only one
    unsigned predecessors = 0;

    // The only place where all the threads can arrive.
    std::optional<int64_t> successor() const {
      return place ? std::nullopt
                   : std::optional<int64_t>(facts.arrivals.front());
    }
  };

  void emitInterval(int64_t start);
  mlir::Value createThreadLoops(mlir::OpBuilder &b,
                                llvm::SmallVectorImpl<mlir::Value> &thread);
  mlir::Value createLaneLoop(mlir::OpBuilder &b,
                             llvm::SmallVectorImpl<mlir::Value> &thread);
  std::string describeDecision(mlir::Operation *op) const;
  mlir::Value gatherVotes(mlir::OpBuilder &b,
                          const llvm::SetVector<mlir::Operation *> &decisions,
                          mlir::Value first, mlir::Value end);
  void endExits(mlir::OpBuilder &b, Interval &interval);
  mlir::Value appendChain(mlir::OpBuilder &b, int64_t start);
  void assemble();
  void assembleSubgroups();
  void runSubgroup(mlir::OpBuilder &b, mlir::Value start);
  void combineVotes(mlir::OpBuilder &b);
  mlir::Value isAt(mlir::OpBuilder &b, mlir::Value thread, int64_t place);
  void checkSubgroup(mlir::OpBuilder &b, mlir::Operation *stop, int64_t start,
                     const ThreadGroup &group);

  const KernelAnalysis &analysis;
  llvm::StringRef name;
  mlir::func::FuncOp func;
  BlockStorage storage;
  RuntimeCalls &runtime;
  mlir::func::FuncOp voteFunction;
  // By the place where the interval starts; the first one at Arrival::none.
  llvm::MapVector<int64_t, Interval> intervals;
  // In code that runs one subgroup, the ids where it begins and ends, until
  // they are known.
  mlir::Block bounds;
};

} // namespace uop

#endif // UOP_LIB_EMULATOR_BLOCKFUNCTIONBUILDER_H
