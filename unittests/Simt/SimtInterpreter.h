//===- SimtInterpreter.h - Kernels, one thread at a time --------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A slow interpreter of kernels in the gpu dialect, the judge of the emulator's
// tests. It walks the operations of a gpu.func as they are written, shares no
// code with the emulator and changes no IR. What they mean is in the
// description of `uop-emulate-gpu`.
//
// Each thread has a stack of its own and runs until it waits: at a barrier or
// at a collective operation. Which thread runs, and for how long, is chosen; a
// program without races gives the same result for every choice. What a program
// may not do (an access out of bounds, a division by zero, a shift by its
// width, threads of a block at different barriers) is an error.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_UNITTESTS_SIMT_SIMTINTERPRETER_H
#define UOP_UNITTESTS_SIMT_SIMTINTERPRETER_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace uop::simt {

/// As x, y, z.
using Dim3 = std::array<int64_t, 3>;

struct Argument {
  /// Of a memref, in row-major order; null for a scalar.
  void *data = nullptr;
  std::vector<int64_t> shape;
  /// Of a scalar.
  uint64_t bits = 0;

  static Argument scalar(uint64_t bits) {
    Argument argument;
    argument.bits = bits;
    return argument;
  }
  static Argument memref(void *data, std::vector<int64_t> shape) {
    Argument argument;
    argument.data = data;
    argument.shape = std::move(shape);
    return argument;
  }
};

/// Who of the blocks and threads that can run comes next.
enum class Order {
  /// Ascending ids; each runs until it waits.
  Forward,
  /// Descending ids.
  Reverse,
  /// Any thread for any number of steps.
  Random
};

struct Launch {
  Dim3 grid{1, 1, 1}, block{1, 1, 1};
  /// Blocks in a cluster; the grid has whole ones.
  Dim3 cluster{1, 1, 1};
  std::vector<Argument> arguments;
  int64_t subgroupSize = 32;
  Order order = Order::Forward;
  /// Of the random order.
  uint64_t seed = 0;
  /// The most operations that a thread executes.
  uint64_t stepLimit = 10000000;
};

struct Outcome {
  /// A shuffle of a lane below its width named a lane that has no thread, or
  /// whose thread has returned.
  bool readsInactiveLane = false;
  /// Threads waited at a barrier, or at a reduction of the block, while another
  /// had returned.
  bool exitsBeforeBarrier = false;
  /// Accesses to elements of memory that is not private.
  uint64_t elements = 0;
};

llvm::Expected<Outcome> run(mlir::gpu::GPUFuncOp kernel, const Launch &launch);

} // namespace uop::simt

#endif // UOP_UNITTESTS_SIMT_SIMTINTERPRETER_H
