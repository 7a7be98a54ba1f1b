//===- ScheduleAxes.cpp - The axes that opts count ------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/LaunchShape.h"
#include "Uop/IR/FreeRanges.h"
#include "Uop/Transforms/Schedule.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace uop;

static ScheduleAxis getAxisOf(RangeOp range) {
  return {range, getStaticExtent(range)};
}

/// Whether all stores have the same `over` list, folded ranges included.
static bool haveOneDomain(ArrayRef<StoreOp> stores) {
  StoreOp front = stores.front();
  return llvm::all_of(stores, [&](StoreOp store) {
    OperandRange first = front.getOver(), over = store.getOver();
    return first.size() == over.size() &&
           llvm::all_of(llvm::zip_equal(first, over), [](auto pair) {
             auto [a, b] = pair;
             return a == b || (!a.template getDefiningOp<RangeOp>() &&
                               !b.template getDefiningOp<RangeOp>());
           });
  });
}

SmallVector<ScheduleAxis> uop::getOutputAxes(KernelOp kernel) {
  SmallVector<StoreOp> stores(kernel.getBodyBlock().getOps<StoreOp>());
  llvm::SmallSetVector<Operation *, 8> inDomains;
  for (StoreOp store : stores)
    for (RangeOp range : getRanges(store.getOver()))
      inDomains.insert(range);
  SmallVector<ScheduleAxis> axes;
  for (RangeOp range : kernel.getBodyBlock().getOps<RangeOp>())
    if (inDomains.contains(range))
      axes.push_back(getAxisOf(range));
  if (stores.empty() || !haveOneDomain(stores))
    return axes;
  for (auto [index, value] : llvm::enumerate(stores.front().getOver()))
    if (!value.getDefiningOp<RangeOp>())
      axes.insert(axes.begin() + index, ScheduleAxis{{}, 1});
  return axes;
}

SmallVector<ScheduleAxis> uop::getReduceAxes(KernelOp kernel) {
  llvm::SmallPtrSet<Operation *, 8> closed;
  for (ReduceOp reduce : kernel.getBodyBlock().getOps<ReduceOp>())
    for (RangeOp range : getRanges(reduce.getOver()))
      closed.insert(range);
  SmallVector<ScheduleAxis> axes;
  for (RangeOp range : kernel.getBodyBlock().getOps<RangeOp>())
    if (closed.contains(range))
      axes.push_back(getAxisOf(range));
  return axes;
}

std::string uop::describeAxisCount(size_t count, StringRef kind) {
  std::string axes = kind == "" ? "ax" : (kind + " ax").str();
  if (count == 0)
    return "no " + axes + "es";
  if (count == 1)
    return "one " + axes + "is, 0";
  return (Twine(count) + " " + axes + "es, 0 to " + Twine(count - 1)).str();
}

std::string uop::describeNearestDivisors(int64_t size, int64_t amount) {
  // Bounds the time for a size and an amount of any magnitude.
  constexpr int64_t kMaxSteps = 4096;
  std::string text;
  int64_t start = std::min(amount, size);
  for (int64_t below = start; below > 1 && start - below < kMaxSteps; --below)
    if (size % below == 0) {
      text = std::to_string(below);
      break;
    }
  if (text.empty())
    text = "1";
  for (int64_t above = amount; above <= size && above - amount < kMaxSteps;
       ++above)
    if (size % above == 0) {
      std::string other = std::to_string(above);
      return text == other ? text : text + " or " + other;
    }
  return text;
}
