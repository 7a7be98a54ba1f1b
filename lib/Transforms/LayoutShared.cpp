//===- LayoutShared.cpp - Layouts of shared memory without conflicts ------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each tile gets the layout in which the requests of a block take the fewest
// wavefronts.
//
//===----------------------------------------------------------------------===//

#include "TileRequests.h"
#include "Uop/Analysis/LaunchShape.h"
#include "Uop/Transforms/Passes.h"

namespace uop {
#define GEN_PASS_DEF_LAYOUTSHARED
#include "Uop/Transforms/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;

/// Requests whose addresses are computed at most.
static constexpr int64_t kMaxRequests = 1 << 17;

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

namespace {

class Tile : public TileRequests {
public:
  explicit Tile(AllocOp alloc)
      : TileRequests(cast<MemRefType>(alloc.getType()).getShape(),
                     uop::getBytes(alloc) / alloc.getType().getNumElements()),
        alloc(alloc) {}

  AllocOp getAlloc() const { return alloc; }
  /// Candidates that suit all accesses.
  void addCandidates(std::optional<TileLayoutKind> only);
  int64_t getLayoutBytes(TileLayoutAttr layout);

  /// Why the tile stays plain though it might conflict; for a remark.
  std::string obstacle;

private:
  AllocOp alloc;
};

} // namespace

void Tile::addCandidates(std::optional<TileLayoutKind> only) {
  obstacle = findUseObstacle(alloc);
  if (!obstacle.empty())
    return addCandidate(TileLayoutAttr::get(alloc.getContext(),
                                            TileLayoutKind::Plain,
                                            /*chunk=*/1, /*period=*/1));
  obstacle = TileRequests::addCandidates(
      alloc.getContext(), getWidestAccess(alloc), only,
      [&](TileLayoutAttr layout) { return findAccessObstacle(alloc, layout); });
}

int64_t Tile::getLayoutBytes(TileLayoutAttr layout) {
  auto type = cast<MemRefType>(alloc.getType());
  return countPlaces(layout, type.getShape()) *
         (uop::getBytes(alloc) / type.getNumElements());
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

/// Hands the requests of a kernel to its tiles.
static LogicalResult collectRequests(KernelOp kernel,
                                     MutableArrayRef<Tile> tiles) {
  auto findTile = [&](const WarpAccess &access) -> Tile * {
    for (Tile &tile : tiles)
      if (access.buffer == tile.getAlloc().getResult())
        return &tile;
    return nullptr;
  };
  RequestOptions options;
  options.maxRequests = kMaxRequests;
  options.assumesUnknown = true;
  options.getInvariantShift = [&](const WarpAccess &access) -> int64_t {
    Tile *tile = findTile(access);
    return tile ? tile->getInvariantShift() : 0;
  };
  // Blocks differ little in what they do with their shared memory.
  options.block = {0, 0, 0};
  SmallVector<WarpAccess> accesses;
  SmallVector<Tile *> tileOfAccess;
  // Where there are more requests than that the first of them decide.
  return enumerateRequests(kernel, options, accesses,
                           [&](const WarpRequest &request) {
                             if (tileOfAccess.empty())
                               for (const WarpAccess &access : accesses)
                                 tileOfAccess.push_back(findTile(access));
                             tileOfAccess[request.access]->add(request);
                           });
}

std::string uop::describeLayout(TileLayoutAttr layout) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << stringifyTileLayoutKind(layout.getKind());
  if (layout.getKind() != TileLayoutKind::Plain)
    os << " " << layout.getChunk();
  if (layout.getPeriod() != 1)
    os << ", " << layout.getPeriod();
  return text;
}

namespace {

struct LayoutSharedPass : uop::impl::LayoutSharedBase<LayoutSharedPass> {
  using LayoutSharedBase::LayoutSharedBase;

  LogicalResult initialize(MLIRContext *context) override {
    only = std::nullopt;
    if (layout == "auto")
      return success();
    only = symbolizeTileLayoutKind(layout);
    if (!only)
      return emitError(UnknownLoc::get(context))
             << "uop-layout-shared: expected layout to be auto, plain, pad, "
                "xor or rotate, but got '"
             << layout << "'";
    return success();
  }

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (kernel.isGraphForm())
      return;
    if (failed(layOutShared(kernel, only, [&](const LayoutChoice &choice) {
          if (remarks)
            emit(choice);
          numLaidOut += choice.layout.getKind() != TileLayoutKind::Plain;
        })))
      return signalPassFailure();
  }

private:
  void emit(const LayoutChoice &choice);

  std::optional<TileLayoutKind> only;
};

} // namespace

/// Adds the allocation, unless it is to stay as it is.
static LogicalResult addTile(AllocOp alloc, std::optional<TileLayoutKind> only,
                             std::vector<Tile> &tiles) {
  TileLayoutAttr wish = alloc.getLayoutAttr();
  bool isExplicit = wish && wish.getKind() != TileLayoutKind::Plain;
  if (!isExplicit) {
    if (!wish && isWorkgroup(alloc)) {
      tiles.emplace_back(alloc);
      tiles.back().addCandidates(only);
    }
    return success();
  }
  std::string obstacle;
  if (!isWorkgroup(alloc))
    obstacle = "it is private memory, which has no banks";
  if (obstacle.empty())
    obstacle =
        findShapeObstacle(wish, cast<MemRefType>(alloc.getType()).getShape());
  if (obstacle.empty())
    obstacle = findUseObstacle(alloc);
  if (obstacle.empty())
    obstacle = findAccessObstacle(alloc, wish);
  if (!obstacle.empty())
    return alloc.emitOpError() << "cannot have the layout "
                               << describeLayout(wish) << ": " << obstacle;
  tiles.emplace_back(alloc);
  tiles.back().addCandidate(wish);
  return success();
}

static LayoutChoice layOut(Tile &tile) {
  constexpr uint64_t noLimit = std::numeric_limits<uint64_t>::max();
  AllocOp alloc = tile.getAlloc();
  auto plain = TileLayoutAttr::get(alloc.getContext(), TileLayoutKind::Plain,
                                   /*chunk=*/1, /*period=*/1);
  auto [best, wavefronts] = tile.choose();
  LayoutChoice choice;
  choice.alloc = alloc;
  choice.type = alloc.getType();
  choice.layout = best;
  choice.wavefrontsBefore = tile.countWavefronts(plain, noLimit);
  choice.wavefrontsAfter = wavefronts;
  choice.bytesBefore = tile.getLayoutBytes(plain);
  choice.bytesAfter = tile.getLayoutBytes(best);
  if (best != plain)
    applyLayout(alloc, best);
  else if (choice.wavefrontsBefore > tile.countLeastWavefronts())
    choice.obstacle = tile.obstacle;
  return choice;
}

LogicalResult
uop::layOutShared(KernelOp kernel, std::optional<TileLayoutKind> only,
                  function_ref<void(const LayoutChoice &)> handle) {
  SmallVector<AllocOp> allocs;
  kernel.walk([&](AllocOp alloc) { allocs.push_back(alloc); });
  std::vector<Tile> tiles;
  for (AllocOp alloc : allocs)
    if (failed(addTile(alloc, only, tiles)))
      return failure();
  if (tiles.empty())
    return success();
  if (failed(collectRequests(kernel, tiles)))
    return failure();
  for (Tile &tile : tiles)
    handle(layOut(tile));
  return success();
}

void LayoutSharedPass::emit(const LayoutChoice &choice) {
  bool hasChanged = choice.layout.getKind() != TileLayoutKind::Plain;
  InFlightDiagnostic remark = emitRemark(AllocOp(choice.alloc).getLoc());
  remark << "@" << getOperation().getSymName() << ": the layout of "
         << choice.type << " is " << describeLayout(choice.layout)
         << ", wavefronts of a block " << choice.wavefrontsBefore;
  if (hasChanged)
    remark << " -> " << choice.wavefrontsAfter;
  remark << ", bytes " << choice.bytesBefore;
  if (hasChanged)
    remark << " -> " << choice.bytesAfter;
  if (!choice.obstacle.empty())
    remark << "; it stays plain, since " << choice.obstacle;
}
