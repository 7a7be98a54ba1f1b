//===- PrintTraffic.cpp - Print the memory traffic of kernels -------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/MemoryTraffic.h"
#include "Uop/Analysis/TrafficText.h"
#include "Uop/Transforms/Passes.h"

namespace uop {
#define GEN_PASS_DEF_PRINTTRAFFIC
#include "Uop/Transforms/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;

static void print(Diagnostic &os, const AccessTraffic &traffic) {
  const WarpAccess &access = traffic.access;
  os << describeAccess(access.kind, access.isShared);
  if (!traffic.isCounted()) {
    os << " is not counted: " << access.reason;
    return;
  }
  os << ": " << describeRequests(traffic, access.isShared);
  if (traffic.promisedAlignment)
    os << "; taken to begin at a multiple of 256 bytes, but argument #"
       << cast<BlockArgument>(access.buffer).getArgNumber() << " promises only "
       << *traffic.promisedAlignment;
}

namespace {

struct PrintTrafficPass : uop::impl::PrintTrafficBase<PrintTrafficPass> {
  using PrintTrafficBase::PrintTrafficBase;

  LogicalResult initialize(MLIRContext *context) override {
    auto loc = UnknownLoc::get(context);
    requestOptions = RequestOptions();
    for (const std::string &text : args)
      if (failed(parseLaunchValue(text, requestOptions.values)))
        return emitError(loc)
               << "uop-print-traffic: expected args to be a list of "
                  "argument:value and argument.dimension:size, such as "
                  "args=2:500,0.1:64, but got '"
               << text << "'";
    if (block.size() == 3)
      requestOptions.block = {block[0], block[1], block[2]};
    else if (!block.empty())
      return emitError(loc)
             << "uop-print-traffic: expected block to be 3 indices x,y,z, but "
                "got "
             << block.size();
    if (maxRequests < 1)
      return emitError(loc) << "uop-print-traffic: expected max-requests to be "
                               "1 or more, but got "
                            << int64_t(maxRequests);
    requestOptions.maxRequests = maxRequests;
    if (warpSize != 32 && warpSize != 64)
      return emitError(loc)
             << "uop-print-traffic: expected warp-size to be 32 or 64, but got "
             << unsigned(warpSize);
    requestOptions.warpSize = warpSize;
    return success();
  }

  void runOnOperation() override {
    markAllAnalysesPreserved();
    SmallVector<KernelOp> kernels;
    getOperation()->walk([&](KernelOp kernel) { kernels.push_back(kernel); });
    for (KernelOp kernel : kernels)
      if (failed(print(kernel)))
        return signalPassFailure();
  }

private:
  LogicalResult print(KernelOp kernel);

  RequestOptions requestOptions;
};

} // namespace

LogicalResult PrintTrafficPass::print(KernelOp kernel) {
  if (kernel.isGraphForm()) {
    emitRemark(kernel.getLoc())
        << "@" << kernel.getSymName()
        << " is in graph form, and so has no memory requests; run "
           "--uop-gpu-map and --uop-lower-to-loops";
    return success();
  }
  FailureOr<KernelTraffic> traffic = countTraffic(kernel, requestOptions);
  if (failed(traffic))
    return failure();
  unsigned numUncounted = 0;
  for (const AccessTraffic &access : traffic->accesses) {
    numUncounted += !access.isCounted();
    if (traffic->isTooLarge)
      continue;
    InFlightDiagnostic remark = emitRemark(access.access.op->getLoc());
    ::print(*remark.getUnderlyingDiagnostic(), access);
  }
  InFlightDiagnostic remark = emitRemark(kernel.getLoc());
  remark << "@" << kernel.getSymName();
  Diagnostic &os = *remark.getUnderlyingDiagnostic();
  if (traffic->isTooLarge || traffic->isFirstBlockOnly)
    os << " is not counted: more than " << int64_t(maxRequests) << " requests";
  if (traffic->isFirstBlockOnly && !traffic->isTooLarge)
    os << "; its first block has";
  os << describeTotals(*traffic);
  if (numUncounted > 0)
    os << "; " << numUncounted
       << (numUncounted == 1 ? " access is" : " accesses are")
       << " not counted";
  return success();
}
