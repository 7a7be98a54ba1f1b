//===- Remedies.cpp - Changes that make accesses cheaper ------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each is tried on a copy of the kernel, which is counted again.
//
//===----------------------------------------------------------------------===//

#include "BuildParts.h"
#include "Places.h"
#include "Uop/Transforms/TileLayout.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace uop;
using namespace uop::report;

static bool isWorthIt(const AccessReport &access) {
  return access.notCounted.empty() && access.getCost() > access.getIdeal();
}

/// Verifiers and folders ask the module around an op for the layout of its
/// data.
static OwningOpRef<ModuleOp> cloneInModule(KernelOp kernel) {
  OwningOpRef<ModuleOp> module(ModuleOp::create(kernel.getLoc()));
  module->push_back(kernel.clone());
  return module;
}

/// The counts of a changed copy, access by access; empty where it cannot be
/// counted.
static std::vector<uint64_t>
countCosts(KernelOp kernel, const RequestOptions &options, size_t numAccesses) {
  // What is wrong with a copy is no message to the user.
  ScopedDiagnosticHandler handler(kernel.getContext(),
                                  [](Diagnostic &) { return success(); });
  FailureOr<KernelTraffic> traffic = countTraffic(kernel, options);
  if (failed(traffic) || traffic->isTooLarge ||
      traffic->accesses.size() != numAccesses)
    return {};
  std::vector<uint64_t> costs;
  for (const AccessTraffic &access : traffic->accesses)
    costs.push_back(access.access.isShared ? access.sums.wavefronts
                                           : access.sums.sectors);
  return costs;
}

static uint64_t addUp(ArrayRef<uint64_t> costs, ArrayRef<AccessReport> accesses,
                      bool isShared) {
  uint64_t sum = 0;
  for (auto [cost, access] : llvm::zip_equal(costs, accesses))
    if (access.isShared == isShared)
      sum += cost;
  return sum;
}

static std::vector<uint64_t> getCosts(ArrayRef<AccessReport> accesses) {
  std::vector<uint64_t> costs;
  for (const AccessReport &access : accesses)
    costs.push_back(access.getCost());
  return costs;
}

/// What a change does to the accesses of one memory, where it makes all of them
/// together cheaper.
static void apply(const Remedy &remedy, ArrayRef<uint64_t> costs, bool isShared,
                  function_ref<bool(size_t)> isAffected,
                  std::vector<AccessReport> &accesses) {
  if (costs.empty() || addUp(costs, accesses, isShared) >=
                           addUp(getCosts(accesses), accesses, isShared))
    return;
  for (auto [number, access] : llvm::enumerate(accesses)) {
    if (access.isShared != isShared || !isWorthIt(access) ||
        costs[number] >= access.getCost() || !isAffected(number))
      continue;
    access.remedy = remedy;
    access.remedy->cost = costs[number];
  }
}

//===----------------------------------------------------------------------===//
// Layouts of shared memory
//===----------------------------------------------------------------------===//

static std::string explainLayout(TileLayoutAttr layout) {
  std::string chunk = std::to_string(layout.getChunk());
  switch (layout.getKind()) {
  case TileLayoutKind::Pad:
    return "follow each row of the tile by " + chunk +
           (layout.getChunk() == 1 ? " element" : " elements") +
           " that nothing uses";
  case TileLayoutKind::Xor:
    return "swizzle chunks of " + chunk +
           (layout.getChunk() == 1 ? " element" : " elements") +
           " by exclusive or with the row";
  case TileLayoutKind::Rotate:
    return "rotate chunks of " + chunk +
           (layout.getChunk() == 1 ? " element" : " elements") + " by the row";
  case TileLayoutKind::Plain:
    break;
  }
  return "leave the tile as it is";
}

/// A buffer's remedy is that of the allocation with the same place in the
/// kernel.
static void tryLayouts(KernelOp kernel, const RequestOptions &options,
                       StringRef form, std::vector<AccessReport> &accesses) {
  bool isNeeded = llvm::any_of(accesses, [](const AccessReport &access) {
    return access.isShared && isWorthIt(access);
  });
  if (!isNeeded)
    return;
  OwningOpRef<ModuleOp> module = cloneInModule(kernel);
  KernelOp copy = *module->getOps<KernelOp>().begin();
  // What was laid out before may be so anew.
  SmallVector<std::pair<Location, Remedy>> remedies;
  {
    ScopedDiagnosticHandler handler(kernel.getContext(),
                                    [](Diagnostic &) { return success(); });
    if (failed(
            layOutShared(copy, std::nullopt, [&](const LayoutChoice &choice) {
              if (choice.layout.getKind() == TileLayoutKind::Plain)
                return;
              Remedy remedy{explainLayout(choice.layout) + " (layout " +
                                describeLayout(choice.layout) + ")",
                            "", std::nullopt};
              if (form != "gpu dialect") {
                remedy.option = "--uop-layout-shared";
                remedy.action += ": " + remedy.option;
              }
              remedies.push_back({AllocOp(choice.alloc).getLoc(), remedy});
            })))
      return;
  }
  std::vector<uint64_t> costs = countCosts(copy, options, accesses.size());
  for (auto &[loc, remedy] : remedies) {
    SourcePlace place = getPlace(loc);
    apply(
        remedy, costs, /*isShared=*/true,
        [&, place = place](size_t number) {
          const SourcePlace &buffer = accesses[number].bufferPlace;
          return buffer.line == place.line && buffer.column == place.column &&
                 buffer.file == place.file;
        },
        accesses);
  }
}

//===----------------------------------------------------------------------===//
// Thread indices
//===----------------------------------------------------------------------===//

/// Exchanges threadIdx.x and threadIdx.y; false where that is not all there is
/// to it.
static bool exchangeXAndY(KernelOp kernel) {
  SmallVector<RangeOp> ranges;
  bool isPossible = true;
  kernel.walk([&](Operation *op) {
    isPossible &= !isa<gpu::ShuffleOp>(op);
    auto range = dyn_cast<RangeOp>(op);
    if (!range || !range.getAxis().isThreadIndex())
      return;
    isPossible &= range.getAxis().getKind() == AxisKind::Local;
    ranges.push_back(range);
  });
  bool hasY = false;
  for (RangeOp range : ranges)
    hasY |= range.getAxis().getThreadDimension() == Dimension::Y;
  if (!isPossible || !hasY)
    return false;
  for (RangeOp range : ranges) {
    AxisAttr axis = range.getAxis();
    Dimension dimension = axis.getThreadDimension();
    if (dimension == Dimension::Z)
      continue;
    range.setAxisAttr(
        AxisAttr::get(kernel.getContext(), axis.getKind(),
                      dimension == Dimension::X ? Dimension::Y : Dimension::X));
  }
  return true;
}

static void tryExchange(KernelOp kernel, const RequestOptions &options,
                        std::vector<AccessReport> &accesses) {
  bool isNeeded = llvm::any_of(accesses, [](const AccessReport &access) {
    return !access.isShared && isWorthIt(access);
  });
  if (!isNeeded)
    return;
  OwningOpRef<ModuleOp> module = cloneInModule(kernel);
  KernelOp copy = *module->getOps<KernelOp>().begin();
  if (!exchangeXAndY(copy))
    return;
  apply(
      Remedy{"exchange threadIdx.x and threadIdx.y, so that .x steps along "
             "the last axis",
             "", std::nullopt},
      countCosts(copy, options, accesses.size()), /*isShared=*/false,
      [](size_t) { return true; }, accesses);
}

void report::tryRemedies(KernelOp kernel, const RequestOptions &options,
                         StringRef form, std::vector<AccessReport> &accesses) {
  tryLayouts(kernel, options, form, accesses);
  tryExchange(kernel, options, accesses);
}
