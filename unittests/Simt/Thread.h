//===- Thread.h - One thread of a block -------------------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_UNITTESTS_SIMT_THREAD_H
#define UOP_UNITTESTS_SIMT_THREAD_H

#include "Program.h"
#include "SimtInterpreter.h"

#include "mlir/IR/ValueRange.h"

namespace uop::simt {

class BlockRun;

/// A stack machine: a frame for each region that the thread is in. Its data are
/// slots, one for each value of the program.
class Thread {
public:
  enum class State { Ready, Waiting, Done };

  /// `id` counts x first.
  Thread(BlockRun &block, int64_t linearId, Dim3 id);

  /// Executes one operation.
  void step();

  State getState() const { return state; }
  int64_t getLinearId() const { return linearId; }
  /// Where it waits.
  const Step &getWaiting() const { return *waiting; }
  const Datum &get(unsigned slot) const { return slots[slot]; }
  uint64_t getBits(unsigned slot) const { return slots[slot].lanes.front(); }
  /// Goes on behind a collective operation.
  void resume(llvm::ArrayRef<Datum> results);
  void set(unsigned slot, Datum datum) { slots[slot] = std::move(datum); }

  // What operations do, as Handler; findHandler knows the names.
  void runScalar(const Step &step);
  void runConstant(const Step &step);
  void runSelect(const Step &step);
  void runId(const Step &step);
  void runVector(const Step &step);

  void runAllocate(const Step &step);
  void runGetGlobal(const Step &step);
  void runLoad(const Step &step);
  void runStore(const Step &step);
  void runAtomic(const Step &step);
  void runDim(const Step &step);
  void runCast(const Step &step);

  void runIf(const Step &step);
  void runFor(const Step &step);
  void runWhile(const Step &step);
  void runSwitch(const Step &step);
  void runExecute(const Step &step);
  void runCondition(const Step &step);
  void runYield(const Step &step);
  void runBranch(const Step &step);
  void runCall(const Step &step);
  void runReturn(const Step &step);
  void runWait(const Step &step);

private:
  struct Frame {
    const Code *code;
    size_t next;
    /// The operation whose region this is; null for the kernel.
    const Step *owner;
  };

  void fail(const Step &step, const llvm::Twine &message);
  void enter(mlir::Region &region, const Step *owner,
             llvm::ArrayRef<Datum> arguments);
  void jump(mlir::Block *block, llvm::ArrayRef<Datum> arguments);
  void setArguments(const Code &code, llvm::ArrayRef<Datum> arguments);
  void setResults(const Step &step, llvm::ArrayRef<Datum> results);
  void setBits(const Step &step, uint64_t bits);
  /// Leaves the innermost region with the results of its operation.
  void leave(llvm::ArrayRef<Datum> results);
  llvm::SmallVector<Datum> getOperands(const Step &step, unsigned first = 0);
  void iterate(const Step &loop, int64_t current,
               llvm::ArrayRef<Datum> carried);

  /// The first byte of `count` elements at the indices in the operands from
  /// `firstIndex` on; null, with an error, out of bounds.
  uint8_t *locate(const Step &step, unsigned memref, unsigned firstIndex,
                  int64_t count, unsigned bytes);

  BlockRun &block;
  const Program &program;
  int64_t linearId;
  Dim3 id;
  std::vector<Datum> slots;
  std::vector<Frame> frames;
  State state = State::Ready;
  const Step *waiting = nullptr;
  uint64_t steps = 0;
};

/// Null for an operation that is not known.
Handler findHandler(llvm::StringRef op);

} // namespace uop::simt

#endif // UOP_UNITTESTS_SIMT_THREAD_H
