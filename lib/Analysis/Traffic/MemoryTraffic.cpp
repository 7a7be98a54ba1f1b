//===- MemoryTraffic.cpp - Sectors and wavefronts of a kernel -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/MemoryTraffic.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

/// What a buffer is taken to be aligned to.
static constexpr int64_t kAssumedAlignment = 256;

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

bool KernelTraffic::isComplete() const {
  return !isFirstBlockOnly && !isTooLarge &&
         llvm::all_of(accesses, [](const AccessTraffic &traffic) {
           return traffic.isCounted();
         });
}

static int64_t countAddresses(const WarpRequest &request) {
  SmallVector<int64_t, kMaxWarpSize> addresses;
  for (auto [lane, address] : llvm::enumerate(request.addresses))
    if (request.active >> lane & 1)
      addresses.push_back(address);
  llvm::sort(addresses);
  return llvm::unique(addresses) - addresses.begin();
}

/// Returns the cost of the request.
static int64_t addRequest(AccessTraffic &traffic, const WarpRequest &request) {
  TrafficSums &sums = traffic.sums;
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
  addTo(sums.elements, bytes / traffic.access.elementBytes, weight);
  int64_t cost;
  if (traffic.access.isShared) {
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
  addTo(traffic.requestsByCost[cost], 1, weight);
  return cost;
}

/// What an argument promises, where it is too little for the counts to hold
/// whatever it is.
static std::optional<int64_t> getPromisedAlignment(const WarpAccess &access) {
  auto argument = dyn_cast_or_null<BlockArgument>(access.buffer);
  if (!argument)
    return std::nullopt;
  auto kernel = dyn_cast<KernelOp>(argument.getOwner()->getParentOp());
  if (!kernel)
    return std::nullopt;
  auto align = kernel.getArgAttrOfType<IntegerAttr>(
      argument.getArgNumber(), LLVM::LLVMDialect::getAlignAttrName());
  if (!align || align.getInt() >= kAssumedAlignment)
    return std::nullopt;
  return align.getInt();
}

static TrafficSums &getSums(KernelTraffic &traffic, const WarpAccess &access) {
  switch (access.kind) {
  case AccessKind::Load:
    return access.isShared ? traffic.sharedLoads : traffic.globalLoads;
  case AccessKind::Store:
    return access.isShared ? traffic.sharedStores : traffic.globalStores;
  case AccessKind::Atomic:
    break;
  }
  return access.isShared ? traffic.sharedAtomics : traffic.globalAtomics;
}

/// Counts into an empty result.
static FailureOr<EnumerationStatus>
count(KernelOp kernel, const RequestOptions &options,
      function_ref<void(const WarpRequest &, int64_t)> handle,
      KernelTraffic &traffic) {
  SmallVector<WarpAccess> accesses;
  FailureOr<EnumerationStatus> status = enumerateRequests(
      kernel, options, accesses, [&](const WarpRequest &request) {
        traffic.accesses.resize(accesses.size());
        AccessTraffic &ofAccess = traffic.accesses[request.access];
        ofAccess.access.elementBytes = accesses[request.access].elementBytes;
        ofAccess.access.isShared = accesses[request.access].isShared;
        int64_t cost = addRequest(ofAccess, request);
        if (handle)
          handle(request, cost);
      });
  traffic.accesses.resize(accesses.size());
  for (auto [ofAccess, access] : llvm::zip_equal(traffic.accesses, accesses)) {
    ofAccess.access = std::move(access);
    ofAccess.promisedAlignment = getPromisedAlignment(ofAccess.access);
  }
  return status;
}

FailureOr<KernelTraffic>
uop::countTraffic(KernelOp kernel, const RequestOptions &options,
                  function_ref<void(const WarpRequest &, int64_t)> handle) {
  KernelTraffic traffic;
  FailureOr<EnumerationStatus> status = count(kernel, options, handle, traffic);
  if (failed(status))
    return failure();
  if (*status == EnumerationStatus::TooMany && !options.block) {
    traffic = KernelTraffic();
    traffic.isFirstBlockOnly = true;
    RequestOptions firstBlock = options;
    firstBlock.block = {0, 0, 0};
    status = count(kernel, firstBlock, handle, traffic);
    if (failed(status))
      return failure();
  }
  if (*status == EnumerationStatus::TooMany) {
    traffic.isTooLarge = true;
    for (AccessTraffic &ofAccess : traffic.accesses) {
      ofAccess.sums = TrafficSums();
      ofAccess.requestsByCost.clear();
    }
  }
  for (const AccessTraffic &ofAccess : traffic.accesses)
    getSums(traffic, ofAccess.access) += ofAccess.sums;
  return std::move(traffic);
}
