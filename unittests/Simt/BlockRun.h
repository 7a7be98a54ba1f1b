//===- BlockRun.h - The threads of a block together -------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_UNITTESTS_SIMT_BLOCKRUN_H
#define UOP_UNITTESTS_SIMT_BLOCKRUN_H

#include "Thread.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include <map>
#include <random>

namespace uop::simt {

/// Memory with the pattern of what has not been written: NaN for floats, the
/// bytes 0xA5 for integers; or zeros.
Datum allocate(mlir::MemRefType type, bool isZero = false);

/// Bytes of an element in memory.
unsigned getElementBytes(mlir::Type type);

/// Runs the threads of one block until all have returned.
class BlockRun {
public:
  BlockRun(const Program &program, const Launch &launch, Dim3 id,
           llvm::ArrayRef<Datum> arguments, std::mt19937_64 &random,
           Outcome &outcome);

  llvm::Error run();

  const Program &getProgram() const { return program; }
  const Launch &getLaunch() const { return launch; }
  Dim3 getId() const { return id; }
  void fail(const llvm::Twine &message) {
    if (error.empty())
      error = message.str();
  }
  void countElements(uint64_t count) { outcome.elements += count; }
  /// A buffer of the gpu.module, or nothing.
  Datum getGlobal(mlir::memref::GetGlobalOp op);

private:
  // Scheduling.
  Thread *pickReady();
  std::string describeWaiting();

  // Collectives.
  bool resumeWaiting();
  bool resumeBlock();
  bool resumeSubgroup(int64_t first, int64_t end);
  bool needs(const Thread &thread, const Step &step, uint64_t width);
  void runSubgroup(const Step &step, llvm::ArrayRef<Thread *> lanes,
                   uint64_t width);
  void shuffle(const Step &step, llvm::ArrayRef<Thread *> lanes,
               uint64_t width);
  void broadcast(const Step &step, llvm::ArrayRef<Thread *> lanes);
  void reduce(const Step &step, llvm::ArrayRef<Thread *> lanes, int64_t size,
              int64_t stride);
  void vote(const Step &step, llvm::ArrayRef<Thread *> lanes);

  const Program &program;
  const Launch &launch;
  Dim3 id;
  std::vector<Thread> threads;
  std::mt19937_64 &random;
  Outcome &outcome;
  std::string error;
  std::map<std::string, Datum> globals;
};

} // namespace uop::simt

#endif // UOP_UNITTESTS_SIMT_BLOCKRUN_H
