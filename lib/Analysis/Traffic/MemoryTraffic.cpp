//===- MemoryTraffic.cpp - Sectors and wavefronts of a kernel -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/MemoryTraffic.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace uop;

/// What a buffer is taken to be aligned to.
static constexpr int64_t kAssumedAlignment = 256;

bool KernelTraffic::isComplete() const {
  return !isFirstBlockOnly && !isTooLarge &&
         llvm::all_of(accesses, [](const AccessTraffic &traffic) {
           return traffic.isCounted();
         });
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
        const WarpAccess &access = accesses[request.access];
        int64_t cost =
            addRequest(ofAccess, request, access.isShared, access.elementBytes);
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
    traffic.get(ofAccess.access.kind, ofAccess.access.isShared) +=
        ofAccess.sums;
  return std::move(traffic);
}
