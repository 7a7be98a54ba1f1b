//===- WarpTileChoice.cpp - The choice of the threads of a warp -----------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which 32 threads are a warp does not change what a thread does, but for the
// copies that fill tiles, which go by the number of the thread and are the same
// for any warp tile. So one mapped copy of the kernel serves to count all of
// them: the threads of each warp are looked up in it.
//
//===----------------------------------------------------------------------===//

#include "MappingPlan.h"
#include "TileRequests.h"
#include "Uop/Analysis/GraphRequests.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;

/// Accesses of a kernel that are counted at most.
static constexpr size_t kMaxAccesses = 64;
/// What a thread computes for each axis of a warp tile: quotient and remainder
/// of its lane and of its warp, and a sum.
static constexpr uint64_t kIndexOpsPerAxis = 5;

namespace {

/// An axis with threads, and how many of them a warp has.
struct WarpAxis {
  size_t number;
  int64_t local;
  int64_t warp = 1;
};
using WarpShape = SmallVector<WarpAxis, 3>;

/// What the warps of the first block ask of memory.
struct WarpCost {
  uint64_t wavefronts = 0, sectors = 0;
  uint64_t indexOps = 0;

  /// A multiprocessor moves a wavefront or a sector in about a clock, in which
  /// it starts two instructions of integers.
  uint64_t getTotal() const {
    return llvm::SaturatingAdd(llvm::SaturatingMultiply<uint64_t>(
                                   2, llvm::SaturatingAdd(wavefronts, sectors)),
                               indexOps);
  }
};

class WarpTileChooser {
public:
  WarpTileChooser(const MappingPlan &plan, KernelOp mapped);

  bool isCountable() const;
  WarpCost count(ArrayRef<WarpAxis> shape);
  WarpCost countInOrder();

private:
  WarpCost countOrder(function_ref<std::array<int64_t, 3>(int64_t)> getThread);
  std::array<int64_t, 3> fold(const llvm::DenseMap<size_t, int64_t> &indices);
  TileRequests &getTile(const WarpAccess &access);

  const MappingPlan &plan;
  KernelOp mapped;
  GraphRequests requests;
  int64_t threads;
  llvm::MapVector<Value, TileRequests> tiles;
};

} // namespace

WarpTileChooser::WarpTileChooser(const MappingPlan &plan, KernelOp mapped)
    : plan(plan), mapped(mapped), requests(mapped, kDynamicSize),
      threads(computeLaunchShape(mapped).getNumThreadsPerBlock()) {}

bool WarpTileChooser::isCountable() const {
  return requests.getAccesses().size() <= kMaxAccesses &&
         llvm::any_of(requests.getAccesses(), [](const WarpAccess &access) {
           return access.reason.empty() && !isa<StageOp>(access.op);
         });
}

/// The requests to a tile, of any layout that it may get.
TileRequests &WarpTileChooser::getTile(const WarpAccess &access) {
  auto *it = tiles.find(access.buffer);
  if (it != tiles.end())
    return it->second;
  auto type = cast<TileType>(access.buffer.getType());
  TileRequests &tile =
      tiles
          .insert({access.buffer,
                   TileRequests(type.getShape(), access.elementBytes)})
          .first->second;
  auto stage = access.buffer.getDefiningOp<StageOp>();
  if (TileLayoutAttr layout = stage.getLayoutAttr()) {
    tile.addCandidate(layout);
    return tile;
  }
  int64_t widest = 1;
  for (const WarpAccess &other : requests.getAccesses())
    if (other.buffer == access.buffer)
      widest = std::max(widest, other.elements);
  tile.addCandidates(mapped.getContext(), widest, std::nullopt,
                     [](TileLayoutAttr) { return std::string(); });
  return tile;
}

WarpCost WarpTileChooser::countOrder(
    function_ref<std::array<int64_t, 3>(int64_t)> getThread) {
  WarpCost cost;
  tiles.clear();
  requests.enumerate(getThread, [&](const WarpRequest &request) {
    const WarpAccess &access = requests.getAccesses()[request.access];
    if (access.isShared)
      return getTile(access).add(request);
    cost.sectors = llvm::SaturatingMultiplyAdd<uint64_t>(
        countSectors(request.addresses, request.bytes, request.active),
        request.weight, cost.sectors);
  });
  for (auto &[buffer, tile] : tiles)
    cost.wavefronts =
        llvm::SaturatingAdd(cost.wavefronts, tile.choose().wavefronts);
  return cost;
}

WarpCost WarpTileChooser::countInOrder() {
  std::array<int64_t, 3> block = computeLaunchShape(mapped).block;
  return countOrder([&](int64_t thread) -> std::array<int64_t, 3> {
    return {thread % block[0], thread / block[0] % block[1],
            thread / block[0] / block[1]};
  });
}

/// From the indices along output axes to those along x, y and z.
std::array<int64_t, 3>
WarpTileChooser::fold(const llvm::DenseMap<size_t, int64_t> &indices) {
  std::array<int64_t, 3> thread = {0, 0, 0};
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    for (size_t number : plan.threadAxes[dimension])
      thread[dimension] = thread[dimension] * plan.outputs[number].local +
                          indices.lookup(number);
  return thread;
}

WarpCost WarpTileChooser::count(ArrayRef<WarpAxis> shape) {
  llvm::DenseMap<size_t, int64_t> indices;
  WarpCost cost = countOrder([&](int64_t thread) {
    int64_t lane = thread % kWarpSize, warp = thread / kWarpSize;
    for (const WarpAxis &axis : llvm::reverse(shape)) {
      int64_t warps = axis.local / axis.warp;
      indices[axis.number] = warp % warps * axis.warp + lane % axis.warp;
      lane /= axis.warp;
      warp /= warps;
    }
    return fold(indices);
  });
  cost.indexOps = kIndexOpsPerAxis * shape.size() * (threads / kWarpSize);
  return cost;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// The shapes of 32 lanes, those that are longest along the last axis first.
static void listShapes(WarpShape &shape, size_t axis, int64_t lanes,
                       SmallVectorImpl<WarpShape> &shapes) {
  if (axis == 0) {
    if (lanes == 1)
      shapes.push_back(shape);
    return;
  }
  WarpAxis &own = shape[axis - 1];
  for (int64_t amount = lanes; amount != 0; amount /= 2) {
    if (own.local % amount != 0)
      continue;
    own.warp = amount;
    listShapes(shape, axis - 1, lanes / amount, shapes);
  }
}

/// The shape that 32 threads in order have; nothing where that is not the same
/// for all warps.
static std::optional<WarpShape> findShapeInOrder(const MappingPlan &plan,
                                                 WarpShape shape) {
  int64_t lanes = kWarpSize;
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    for (size_t number : llvm::reverse(plan.threadAxes[dimension])) {
      auto *axis = llvm::find_if(
          shape, [&](const WarpAxis &own) { return own.number == number; });
      axis->warp = std::min(axis->local, lanes);
      if (axis->local % axis->warp != 0 || lanes % axis->warp != 0)
        return std::nullopt;
      lanes /= axis->warp;
    }
  return shape;
}

static std::string describe(const std::optional<WarpShape> &shape) {
  if (!shape)
    return "its threads in order";
  std::string text;
  for (const WarpAxis &axis : *shape)
    text += (text.empty() ? "" : " x ") + std::to_string(axis.warp);
  return text + " threads";
}

static std::string describe(const WarpCost &cost) {
  return std::to_string(cost.wavefronts) + " wavefronts and " +
         std::to_string(cost.sectors) + " sectors";
}

/// The axes with threads; none where there is nothing to choose.
static WarpShape findAxes(KernelOp kernel, const MappingPlan &plan) {
  WarpShape shape;
  int64_t threads = 1;
  for (size_t number : plan.placement) {
    const AxisPlan &output = plan.outputs[number];
    if (output.local == 1)
      continue;
    shape.push_back({number, output.local});
    threads *= output.local;
  }
  bool isArranged = plan.hasWarpTile ||
                    llvm::any_of(plan.reduces, [](const ReducePlan &reduce) {
                      return reduce.group != 1;
                    });
  for (RangeOp range : kernel.getBodyBlock().getOps<RangeOp>())
    isArranged |= range.getAxis().isThreadIndex();
  if (shape.size() < 2 || isArranged || threads == kWarpSize)
    return {};
  return shape;
}

//===----------------------------------------------------------------------===//

ScheduleAttr uop::chooseWarpTile(KernelOp kernel, ScheduleAttr schedule,
                                 ExplainFn explain) {
  FailureOr<MappingPlan> plan =
      tryMapping(kernel, schedule, MappingTarget::GPU);
  if (failed(plan))
    return schedule;
  WarpShape shape = findAxes(kernel, *plan);
  SmallVector<WarpShape> shapes;
  listShapes(shape, shape.size(), kWarpSize, shapes);
  if (shape.empty() || shapes.empty())
    return schedule;
  OwningOpRef<KernelOp> mapped = kernel.clone();
  IRRewriter rewriter(kernel.getContext());
  if (failed(applySchedule(rewriter, *mapped, schedule)))
    return schedule;
  WarpTileChooser chooser(*plan, *mapped);
  if (!chooser.isCountable())
    return schedule;

  std::optional<WarpShape> inOrder = findShapeInOrder(*plan, shape);
  WarpCost before = chooser.countInOrder(), best = before;
  const WarpShape *chosen = nullptr;
  size_t numOthers = 0;
  bool isEqual = true;
  for (const WarpShape &other : shapes) {
    if (inOrder && llvm::all_of_zip(other, *inOrder,
                                    [](const WarpAxis &a, const WarpAxis &b) {
                                      return a.warp == b.warp;
                                    }))
      continue;
    ++numOthers;
    WarpCost cost = chooser.count(other);
    isEqual &=
        cost.wavefronts == before.wavefronts && cost.sectors == before.sectors;
    if (cost.getTotal() >= best.getTotal())
      continue;
    best = cost;
    chosen = &other;
  }
  if (numOthers == 0)
    return schedule;
  if (!chosen) {
    explain("default: a warp has " + describe(inOrder) + ": with " +
            (isEqual ? "each of the " : "none of the ") + Twine(numOthers) +
            " other shapes a block takes " +
            (isEqual ? "the same " : "less than the ") + describe(before));
    return schedule;
  }
  SmallVector<OptAttr> opts(schedule.getOpts());
  for (const WarpAxis &axis : *chosen) {
    if (axis.warp == 1)
      continue;
    opts.push_back(OptAttr::get(kernel.getContext(), OptKind::Warp, axis.number,
                                axis.warp));
    explain("default: WARP " + Twine(axis.number) + ":" + Twine(axis.warp) +
            ": with " + describe(*chosen) + " a warp a block takes " +
            describe(best) + ", instead of " + describe(before) + " with " +
            describe(inOrder));
  }
  return ScheduleAttr::get(kernel.getContext(), opts,
                           schedule.getUpcastLayout());
}
