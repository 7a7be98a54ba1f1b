//===- TrafficSums.h - Sums over memory requests ----------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the static count of a kernel and the count of a run have in common: the
// sums, and how one request adds to them.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_TRAFFICSUMS_H
#define UOP_ANALYSIS_TRAFFICSUMS_H

#include <cstdint>
#include <map>

namespace uop {

enum class AccessKind { Load, Store, Atomic };

/// Sums over requests. Sectors and lines are those of global memory, wavefronts
/// those of workgroup memory.
struct TrafficSums {
  uint64_t requests = 0;
  /// The addresses of each request that differ from each other.
  uint64_t distinctAddresses = 0;
  /// Elements that lanes access, each as often as it is.
  uint64_t elements = 0;
  uint64_t bytes = 0;
  uint64_t sectors = 0, idealSectors = 0;
  uint64_t lines = 0;
  uint64_t wavefronts = 0, idealWavefronts = 0;

  TrafficSums &operator+=(const TrafficSums &other);
};

/// The requests of one access.
struct RequestCounts {
  TrafficSums sums;
  /// How many requests take so many sectors, or wavefronts in workgroup memory.
  std::map<int64_t, uint64_t> requestsByCost;

  RequestCounts &operator+=(const RequestCounts &other);
};

struct WarpRequest;

/// Adds a request to those of its access as often as its weight says. Returns
/// its cost: sectors, or wavefronts in workgroup memory.
int64_t addRequest(RequestCounts &counts, const WarpRequest &request,
                   bool isShared, int64_t elementBytes);

/// Sums over the accesses of a kernel, by what they do.
struct TrafficTotals {
  TrafficSums globalLoads, globalStores, globalAtomics;
  TrafficSums sharedLoads, sharedStores, sharedAtomics;

  TrafficSums &get(AccessKind kind, bool isShared);
};

} // namespace uop

#endif // UOP_ANALYSIS_TRAFFICSUMS_H
