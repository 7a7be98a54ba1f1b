//===- ThreadCode.h - One thread from one barrier to the next ---*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The code that one thread runs from a barrier (or from the start) until it
// arrives at a barrier (or at the end), along every path that it may take.
//
// An interval is found from the barrier outwards: the rest of the block of the
// barrier, then the rest of the op around it, and so on. Where that op is a
// loop, the rest is the next iteration up to its first barrier, or what follows
// the loop. So the code after the last barrier of a loop's body and the code
// before the first one of the next iteration are *one* interval, as they are on
// a device, and a missing second barrier shows.
//
// Code on the way is emitted once for an interval: an op that may or may not
// reach a barrier yields the place of arrival, and what follows is guarded by
// "has not arrived yet". Over all intervals an op is emitted once for each
// barrier from which it can be reached without another one, which is a constant
// for kernels whose barriers are not under conditions.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_LIB_EMULATOR_THREADCODE_H
#define UOP_LIB_EMULATOR_THREADCODE_H

#include "BlockStorage.h"
#include "Collectives.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/ScopedHashTable.h"

namespace uop {

/// A place at which a thread may arrive.
struct Arrival {
  /// On the way; and inside a loop, that the loop is over.
  static constexpr int64_t none = 0;
  static constexpr int64_t over = -1;
  /// An early return.
  static constexpr int64_t exit = leftVote;
  static constexpr int64_t end = 1;
  static constexpr int64_t firstStop = 2;
};

/// What an interval turned out to do.
struct IntervalFacts {
  /// The places where its threads may arrive.
  llvm::SetVector<int64_t> arrivals;
  /// Ops that hold a barrier and whose decision may differ among threads.
  llvm::SetVector<mlir::Operation *> decisions;
  /// Some of its threads may leave the kernel here, and others not.
  bool exitsDiffer = false;
  /// The place of each thread is asked for, whatever it decides.
  bool alwaysVotes = false;
  /// Values with a scalar place that the interval stores.
  llvm::SetVector<mlir::Value> storedScalars;
  /// The collective from which the interval starts, if its threads may come to
  /// it again: while some give, others still take.
  mlir::Operation *repeatedCollective = nullptr;

  bool needsVote() const {
    return alwaysVotes || exitsDiffer || !decisions.empty();
  }
};

class ThreadCode {
public:
  ThreadCode(const KernelAnalysis &analysis, BlockStorage &storage,
             mlir::OpBuilder &b, llvm::ArrayRef<mlir::Value> threadId,
             mlir::Value linearId, const ThreadGroup &group,
             IntervalFacts &facts)
      : analysis(analysis), storage(storage), b(b), threadId(threadId),
        linearId(linearId), group(group), facts(facts) {}

  /// Emits the interval that starts after the stop, or at the start of the
  /// kernel when that is null, and what tells where the thread has arrived: a
  /// store to the block's place of arrival, or a vote. A single possible place
  /// needs neither.
  void emit(mlir::Operation *stop);

private:
  /// Where control is after a piece of code.
  struct Flow {
    /// Null: control is here. Else the place of arrival, which is
    /// Arrival::none when control is here.
    mlir::Value place;
    /// False when control cannot be here.
    bool mayContinue = true;
    /// What the code hands on when control is here: the results of the op, or
    /// the operands of the block's terminator.
    llvm::SmallVector<mlir::Value> values;
  };
  using Environment = llvm::ScopedHashTable<mlir::Value, mlir::Value>;
  using Scope = Environment::ScopeTy;

  Flow arriveAt(int64_t place);
  mlir::Value placeOf(const Flow &flow);
  llvm::SmallVector<mlir::Value> valuesOf(const Flow &flow,
                                          mlir::TypeRange types);
  mlir::Value poison(mlir::Type type);

  mlir::Value lookup(mlir::Value value);
  void define(mlir::Value value, mlir::Value current);
  void define(mlir::ValueRange values, mlir::ValueRange current);

  Flow emitFrom(mlir::Block *block, mlir::Block::iterator it);
  void emitWhole(mlir::Operation *op);
  void give(mlir::Operation *collective);
  void take(mlir::Operation *collective);
  Flow emitSplit(mlir::Operation *op);
  Flow emitIf(mlir::scf::IfOp op);
  Flow emitFor(mlir::scf::ForOp op, mlir::Value first,
               mlir::ValueRange carried);
  Flow emitWhile(mlir::scf::WhileOp op, mlir::Value place,
                 mlir::ValueRange carried, mlir::ValueRange results);
  Flow emitWhileBody(mlir::scf::WhileOp op, mlir::Value condition,
                     mlir::ValueRange forwarded);

  /// Emits `rest` under the guard that control has not arrived after `flow`.
  /// The result hands on values of `types`.
  Flow continueAfter(const Flow &flow, mlir::TypeRange types,
                     llvm::function_ref<Flow()> rest);
  /// What follows the end of `block`, out to the end of the kernel.
  Flow leaveBlock(mlir::Block *block, const Flow &flow);
  /// What follows `op`, out to the end of the kernel.
  Flow leaveOp(mlir::Operation *op, const Flow &flow);

  void decide(mlir::Operation *op, mlir::Value decision, bool uniform);
  void addToWay(mlir::Operation *op, mlir::Value decision, mlir::Value way,
                mlir::ValueRange indices);

  const KernelAnalysis &analysis;
  BlockStorage &storage;
  mlir::OpBuilder &b;
  llvm::ArrayRef<mlir::Value> threadId;
  mlir::Value linearId;
  const ThreadGroup &group;
  IntervalFacts &facts;
  mlir::Operation *startStop = nullptr;
  Environment environment;
  mlir::Value wayTaken;
};

} // namespace uop

#endif // UOP_LIB_EMULATOR_THREADCODE_H
