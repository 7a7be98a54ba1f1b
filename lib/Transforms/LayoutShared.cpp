//===- LayoutShared.cpp - Layouts of shared memory without conflicts ------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The requests to each tile are collected once, equal ones together, as rows
// and columns; then each candidate places these and counts.
//
//===----------------------------------------------------------------------===//

#include "Uop/Analysis/LaunchShape.h"
#include "Uop/Analysis/WarpRequests.h"
#include "Uop/Transforms/Passes.h"
#include "Uop/Transforms/TileLayout.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

namespace uop {
#define GEN_PASS_DEF_LAYOUTSHARED
#include "Uop/Transforms/Passes.h.inc"
} // namespace uop

using namespace mlir;
using namespace uop;

/// Periods of swizzles that are tried.
static constexpr int64_t kPeriods[] = {1, 2, 4, 8, 16};
/// Padding of a row that is tried, at most.
static constexpr int64_t kMaxPadBytes = 64;

/// Requests whose addresses are computed at most.
static constexpr int64_t kMaxRequests = 1 << 17;

//===----------------------------------------------------------------------===//
// What is asked of a tile
//===----------------------------------------------------------------------===//

namespace {

/// A request to a tile, and how often it is made. Each lane accesses so many
/// bytes from the beginning of an element on.
struct TileRequest {
  std::array<int64_t, kWarpSize> elements;
  int64_t bytes;
  LaneMask active;
  uint64_t weight;
};

class Tile {
public:
  explicit Tile(AllocOp alloc)
      : alloc(alloc), shape(cast<MemRefType>(alloc.getType()).getShape()),
        numElements(ShapedType::getNumElements(shape)),
        elementBytes(getBytes(alloc) / numElements) {}

  AllocOp getAlloc() const { return alloc; }
  ArrayRef<TileLayoutAttr> getCandidates() const { return candidates; }
  void addCandidate(TileLayoutAttr layout);
  /// Plain, and those of the kinds that suit the tile, by size and then by how
  /// simple they are.
  void addCandidates(std::optional<TileLayoutKind> only);

  /// By how many bytes all lanes of a request may move at no change of cost,
  /// for each of the candidates.
  int64_t getInvariantShift() const {
    return getPeriodElements() * elementBytes;
  }
  void add(const WarpRequest &request);
  /// The wavefronts in all, or some number that is larger than the limit.
  uint64_t countWavefronts(TileLayoutAttr layout, uint64_t limit) const;
  /// No layout takes fewer.
  uint64_t countLeastWavefronts() const;
  int64_t getLayoutBytes(TileLayoutAttr layout) const {
    return countPlaces(layout, shape) * elementBytes;
  }
  /// Why the tile stays plain though it might conflict; for a remark.
  std::string obstacle;

private:
  int64_t getPeriodElements() const {
    return rowPeriod * (shape.empty() ? 1 : shape.back());
  }

  AllocOp alloc;
  ArrayRef<int64_t> shape;
  int64_t numElements, elementBytes;
  SmallVector<TileLayoutAttr> candidates;
  /// Rows this far apart are treated alike by each candidate.
  int64_t rowPeriod = 4;
  std::vector<TileRequest> requests;
  /// The number of each request, by its bytes in memory.
  llvm::StringMap<size_t> numbers;
};

} // namespace

void Tile::addCandidate(TileLayoutAttr layout) {
  candidates.push_back(layout);
  if (layout.getKind() == TileLayoutKind::Xor ||
      layout.getKind() == TileLayoutKind::Rotate)
    rowPeriod = std::lcm(rowPeriod,
                         shape.back() / layout.getChunk() * layout.getPeriod());
}

void Tile::addCandidates(std::optional<TileLayoutKind> only) {
  int64_t chunk = getWidestAccess(alloc);
  auto tryLayout = [&](TileLayoutKind kind, int64_t chunk, int64_t period) {
    if (only && *only != kind)
      return false;
    auto layout = TileLayoutAttr::get(alloc.getContext(), kind, chunk, period);
    std::string found = findShapeObstacle(layout, shape);
    if (found.empty())
      found = findAccessObstacle(alloc, layout);
    if (found.empty())
      addCandidate(layout);
    else if (only)
      obstacle = found;
    return found.empty();
  };
  addCandidate(TileLayoutAttr::get(alloc.getContext(), TileLayoutKind::Plain,
                                   /*chunk=*/1, /*period=*/1));
  obstacle = findUseObstacle(alloc);
  if (!obstacle.empty())
    return;
  int64_t rows = shape.empty() ? 1 : numElements / shape.back();
  // Chunks of a word, too: parts of one are in one bank wherever they go.
  SmallVector<int64_t, 2> chunks{chunk};
  if (chunk * elementBytes < kBankBytes)
    chunks.push_back(kBankBytes / elementBytes);
  for (TileLayoutKind kind : {TileLayoutKind::Xor, TileLayoutKind::Rotate})
    for (int64_t ofChunk : chunks)
      for (int64_t period : kPeriods)
        if (period == 1 || period < rows)
          tryLayout(kind, ofChunk, period);
  for (int64_t pad = chunk; pad * elementBytes <= kMaxPadBytes; pad *= 2)
    tryLayout(TileLayoutKind::Pad, pad, 1);
}

void Tile::add(const WarpRequest &request) {
  TileRequest added = {};
  added.bytes = request.bytes;
  added.active = request.active;
  int64_t least = std::numeric_limits<int64_t>::max();
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if (!(request.active >> lane & 1))
      continue;
    added.elements[lane] =
        llvm::divideFloorSigned(request.addresses[lane], elementBytes);
    least = std::min(least, added.elements[lane]);
  }
  int64_t period = getPeriodElements();
  int64_t base = llvm::divideFloorSigned(least, period) * period;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    if (request.active >> lane & 1)
      added.elements[lane] -= base;
  SmallVector<int64_t, kWarpSize + 2> key;
  llvm::append_range(key, added.elements);
  key.push_back(added.bytes);
  key.push_back(added.active);
  StringRef bytes(reinterpret_cast<const char *>(key.data()),
                  key.size() * sizeof(int64_t));
  auto [it, isNew] = numbers.try_emplace(bytes, requests.size());
  if (isNew)
    requests.push_back(added);
  uint64_t &weight = requests[it->second].weight;
  weight = llvm::SaturatingAdd(weight, request.weight);
}

uint64_t Tile::countWavefronts(TileLayoutAttr layout, uint64_t limit) const {
  bool isPlain = layout.getKind() == TileLayoutKind::Plain;
  uint64_t total = 0;
  for (const TileRequest &request : requests) {
    std::array<int64_t, kWarpSize> addresses = {};
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      int64_t element = request.elements[lane];
      addresses[lane] =
          (isPlain ? element : getPlace(layout, shape, element)) * elementBytes;
    }
    total = llvm::SaturatingMultiplyAdd<uint64_t>(
        uop::countWavefronts(addresses, request.bytes, request.active),
        request.weight, total);
    if (total > limit)
      return total;
  }
  return total;
}

/// One for each part of a warp that is served together and has active lanes.
uint64_t Tile::countLeastWavefronts() const {
  uint64_t total = 0;
  const std::array<int64_t, kWarpSize> sameAddress = {};
  for (const TileRequest &request : requests)
    total = llvm::SaturatingMultiplyAdd<uint64_t>(
        uop::countWavefronts(sameAddress, request.bytes, request.active),
        request.weight, total);
  return total;
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

static std::string describe(TileLayoutAttr layout) {
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
    SmallVector<AllocOp> allocs;
    kernel.walk([&](AllocOp alloc) { allocs.push_back(alloc); });
    std::vector<Tile> tiles;
    for (AllocOp alloc : allocs)
      if (failed(addTile(alloc, tiles)))
        return signalPassFailure();
    if (tiles.empty())
      return;
    if (failed(collectRequests(kernel, tiles)))
      return signalPassFailure();
    for (Tile &tile : tiles)
      layOut(kernel, tile);
  }

private:
  LogicalResult addTile(AllocOp alloc, std::vector<Tile> &tiles);
  void layOut(KernelOp kernel, Tile &tile);

  std::optional<TileLayoutKind> only;
};

} // namespace

/// Adds the allocation, unless it is to stay as it is.
LogicalResult LayoutSharedPass::addTile(AllocOp alloc,
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
    return alloc.emitOpError()
           << "cannot have the layout " << describe(wish) << ": " << obstacle;
  tiles.emplace_back(alloc);
  tiles.back().addCandidate(wish);
  return success();
}

void LayoutSharedPass::layOut(KernelOp kernel, Tile &tile) {
  constexpr uint64_t noLimit = std::numeric_limits<uint64_t>::max();
  AllocOp alloc = tile.getAlloc();
  auto plain = TileLayoutAttr::get(&getContext(), TileLayoutKind::Plain,
                                   /*chunk=*/1, /*period=*/1);
  uint64_t before = tile.countWavefronts(plain, noLimit);
  uint64_t least = tile.countLeastWavefronts();
  TileLayoutAttr best;
  uint64_t wavefronts = noLimit;
  for (TileLayoutAttr candidate : tile.getCandidates()) {
    uint64_t found = candidate == plain
                         ? before
                         : tile.countWavefronts(candidate, wavefronts);
    if (best && found >= wavefronts)
      continue;
    best = candidate;
    wavefronts = found;
    if (found == least)
      break;
  }
  if (remarks) {
    InFlightDiagnostic remark = emitRemark(alloc.getLoc());
    remark << "@" << kernel.getSymName() << ": the layout of "
           << alloc.getType() << " is " << describe(best)
           << ", wavefronts of a block " << before;
    if (best != plain)
      remark << " -> " << wavefronts;
    remark << ", bytes " << tile.getLayoutBytes(plain);
    if (best != plain)
      remark << " -> " << tile.getLayoutBytes(best);
    if (best == plain && before > least && !tile.obstacle.empty())
      remark << "; it stays plain, since " << tile.obstacle;
  }
  if (best == plain)
    return;
  applyLayout(alloc, best);
  ++numLaidOut;
}
