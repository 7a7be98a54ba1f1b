//===- WarpRequests.h - Every memory request of a kernel --------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes what the addresses of a kernel in loop form depend on, one warp at a
// time, and hands out each request with the addresses of its lanes. Nothing is
// sampled: of iterations and blocks that provably make requests of equal cost
// one is executed, for all of them.
//
// Two iterations are of equal cost if no condition differs between them, and
// the addresses of each access are a multiple of so many bytes further on in
// all lanes alike that sectors and banks are the same (`getInvariantShift`).
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_WARPREQUESTS_H
#define UOP_ANALYSIS_WARPREQUESTS_H

#include "Uop/Analysis/LaunchShape.h"
#include "Uop/Analysis/MemoryRequest.h"
#include "Uop/Analysis/TrafficSums.h"
#include "Uop/IR/Uop.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>
#include <functional>
#include <string>

namespace uop {

/// What the launch gives that the kernel leaves open.
struct LaunchValues {
  /// Values of scalar arguments, by the number of the argument.
  llvm::SmallVector<std::pair<unsigned, int64_t>> scalars;
  /// Sizes of dynamic dimensions: argument, dimension, size.
  llvm::SmallVector<std::tuple<unsigned, unsigned, int64_t>> sizes;

  std::optional<int64_t> getScalar(unsigned argument) const;
  std::optional<int64_t> getSize(unsigned argument, unsigned dimension) const;
};

/// Adds `argument:value` or `argument.dimension:size`; fails for another text.
mlir::LogicalResult parseLaunchValue(llvm::StringRef text,
                                     LaunchValues &values);

/// An access to global or workgroup memory as the kernel writes it. A
/// `nvgpu.device_async_copy` is two: a load from global memory and a store to
/// workgroup memory.
struct WarpAccess {
  mlir::Operation *op;
  AccessKind kind;
  /// Workgroup memory; else global memory.
  bool isShared;
  /// The argument or allocation that is accessed, where it is known.
  mlir::Value buffer;
  mlir::Type elementType;
  /// The bytes of an element in memory, and the elements that a lane accesses.
  int64_t elementBytes = 0;
  int64_t elements = 1;
  /// Why the requests cannot be counted without running the kernel on data;
  /// empty where they can.
  std::string reason;
};

/// One warp executes (a part of) an access once. What is wider than 16 bytes a
/// lane is several requests, the widest first.
struct WarpRequest {
  /// The number of the access.
  unsigned access;
  /// How many requests of equal cost this one stands for.
  uint64_t weight;
  LaneMask active;
  int64_t bytes;
  /// For each lane the distance in bytes from the beginning of the buffer.
  llvm::ArrayRef<int64_t> addresses;
  /// The bytes of each lane where some access fewer than `bytes`; else empty.
  llvm::ArrayRef<int64_t> bytesOfLanes = {};
  /// The warp that makes it, of those that it stands for: its block, and the
  /// number of its first thread there.
  std::array<int64_t, 3> block = {0, 0, 0};
  int64_t firstThread = 0;
};

struct RequestOptions {
  LaunchValues values;
  /// 32 or 64.
  unsigned warpSize = kWarpSize;
  /// Only this block.
  std::optional<std::array<int64_t, 3>> block;
  /// More requests and iterations than these are not executed.
  int64_t maxRequests = 1 << 22;
  /// Assume what is not known: in addresses scalar arguments and sizes are 0,
  /// conditions hold, and loops run once. Addresses that depend on data stay
  /// unknown, and what divides by zero is no error.
  bool assumesUnknown = false;
  /// Execute every block and iteration: slow, and what tests compare with.
  bool executesAll = false;
  /// Execute every iteration of the loops of the blocks that are executed.
  bool executesAllIterations = false;
  /// Called for each block of ops that a warp enters, with its lanes and the
  /// number of times that this stands for: of the regions that are followed,
  /// all where this is set, else those that an address needs.
  std::function<void(mlir::Block &, LaneMask, uint64_t)> handleBlock;
  /// Called for each branch, and each iteration of a loop, that a warp comes
  /// to: the lanes that are there, those of them that take the branch or go on,
  /// and the number of times. Of the regions that are followed, too.
  std::function<void(mlir::Operation *, LaneMask, LaneMask, uint64_t)>
      handleBranch;
  /// By how many bytes all lanes of an access may move at no change of cost;
  /// 128 bytes in global memory and 4 in workgroup memory where it is not set.
  /// 0 leaves an access out of account.
  std::function<int64_t(const WarpAccess &)> getInvariantShift;
};

enum class EnumerationStatus {
  Complete,
  /// More than `maxRequests`; some have been handed out.
  TooMany
};

/// The launch of a kernel in loop form, with the extents of the grid that
/// follow from what the launch gives. Fails with a diagnostic where one is not
/// known, or the kernel is for a CPU.
mlir::FailureOr<LaunchShape> resolveLaunch(KernelOp kernel,
                                           const RequestOptions &options);

/// Hands out the requests of a kernel in loop form, those of each access in the
/// order in which a warp makes them. The list of accesses is complete before
/// the first one. Fails with a diagnostic where the grid is not known, the
/// kernel is for a CPU, or a thread divides by zero.
mlir::FailureOr<EnumerationStatus>
enumerateRequests(KernelOp kernel, const RequestOptions &options,
                  llvm::SmallVectorImpl<WarpAccess> &accesses,
                  llvm::function_ref<void(const WarpRequest &)> handle);

} // namespace uop

#endif // UOP_ANALYSIS_WARPREQUESTS_H
