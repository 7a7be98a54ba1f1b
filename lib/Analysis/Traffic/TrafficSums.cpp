//===- TrafficSums.cpp - Sums over memory requests ------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/TrafficSums.h"
#include "Uop/Analysis/WarpRequests.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

static void addTo(uint64_t &sum, uint64_t value, uint64_t weight = 1) {
  sum = llvm::SaturatingMultiplyAdd(value, weight, sum);
}

TrafficSums &TrafficSums::operator+=(const TrafficSums &other) {
  addTo(requests, other.requests);
  addTo(distinctAddresses, other.distinctAddresses);
  addTo(elements, other.elements);
  addTo(bytes, other.bytes);
  addTo(sectors, other.sectors);
  addTo(idealSectors, other.idealSectors);
  addTo(lines, other.lines);
  addTo(wavefronts, other.wavefronts);
  addTo(idealWavefronts, other.idealWavefronts);
  return *this;
}

RequestCounts &RequestCounts::operator+=(const RequestCounts &other) {
  sums += other.sums;
  for (auto [cost, requests] : other.requestsByCost)
    addTo(requestsByCost[cost], requests);
  return *this;
}

TrafficSums &TrafficTotals::get(AccessKind kind, bool isShared) {
  switch (kind) {
  case AccessKind::Load:
    return isShared ? sharedLoads : globalLoads;
  case AccessKind::Store:
    return isShared ? sharedStores : globalStores;
  case AccessKind::Atomic:
    break;
  }
  return isShared ? sharedAtomics : globalAtomics;
}

static int64_t countAddresses(const WarpRequest &request) {
  SmallVector<int64_t, kMaxWarpSize> addresses;
  for (auto [lane, address] : llvm::enumerate(request.addresses))
    if (request.active >> lane & 1)
      addresses.push_back(address);
  llvm::sort(addresses);
  return llvm::unique(addresses) - addresses.begin();
}

int64_t uop::addRequest(RequestCounts &counts, const WarpRequest &request,
                        bool isShared, int64_t elementBytes) {
  TrafficSums &sums = counts.sums;
  uint64_t weight = request.weight;
  SmallVector<int64_t, kMaxWarpSize> lanes(request.bytesOfLanes);
  if (lanes.empty())
    lanes.assign(request.addresses.size(), request.bytes);
  int64_t bytes = 0;
  for (size_t lane = 0; lane < lanes.size(); ++lane)
    if (request.active >> lane & 1)
      bytes += lanes[lane];
  addTo(sums.requests, 1, weight);
  addTo(sums.distinctAddresses, countAddresses(request), weight);
  addTo(sums.bytes, bytes, weight);
  // Of an element that is wider than a request each one has a part only.
  if (sums.bytes == std::numeric_limits<uint64_t>::max())
    addTo(sums.elements, bytes / elementBytes, weight);
  else
    sums.elements = sums.bytes / elementBytes;
  int64_t cost;
  if (isShared) {
    cost = countWavefronts(request.addresses, request.bytes, request.active);
    addTo(sums.wavefronts, cost, weight);
    addTo(sums.idealWavefronts, getIdealWavefronts(bytes), weight);
  } else {
    cost = countChunks(request.addresses, lanes, kSectorBytes, request.active);
    addTo(sums.sectors, cost, weight);
    addTo(sums.idealSectors, getIdealSectors(bytes), weight);
    addTo(sums.lines,
          countChunks(request.addresses, lanes, kLineBytes, request.active),
          weight);
  }
  addTo(counts.requestsByCost[cost], 1, weight);
  return cost;
}
