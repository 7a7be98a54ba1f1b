//===- TileRequests.cpp - What is asked of a shared tile ------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileRequests.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace uop;

/// Periods of swizzles that are tried.
static constexpr int64_t kPeriods[] = {1, 2, 4, 8, 16};
/// Padding of a row that is tried, at most.
static constexpr int64_t kMaxPadBytes = 64;

void TileRequests::addCandidate(TileLayoutAttr layout) {
  candidates.push_back(layout);
  if (layout.getKind() == TileLayoutKind::Xor ||
      layout.getKind() == TileLayoutKind::Rotate)
    rowPeriod = std::lcm(rowPeriod,
                         shape.back() / layout.getChunk() * layout.getPeriod());
}

std::string TileRequests::addCandidates(MLIRContext *context, int64_t chunk,
                                        std::optional<TileLayoutKind> only,
                                        ObstacleFn findObstacle) {
  std::string obstacle;
  auto tryLayout = [&](TileLayoutKind kind, int64_t chunk, int64_t period) {
    if (only && *only != kind)
      return;
    auto layout = TileLayoutAttr::get(context, kind, chunk, period);
    std::string found = findShapeObstacle(layout, shape);
    if (found.empty())
      found = findObstacle(layout);
    if (found.empty())
      addCandidate(layout);
    else if (only)
      obstacle = found;
  };
  addCandidate(TileLayoutAttr::get(context, TileLayoutKind::Plain,
                                   /*chunk=*/1, /*period=*/1));
  int64_t rows = 1;
  for (int64_t size : shape.empty() ? shape : shape.drop_back())
    rows *= size;
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
  return obstacle;
}

void TileRequests::add(const WarpRequest &request) {
  Request added = {};
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

uint64_t TileRequests::countWavefronts(TileLayoutAttr layout,
                                       uint64_t limit) const {
  bool isPlain = layout.getKind() == TileLayoutKind::Plain;
  uint64_t total = 0;
  for (const Request &request : requests) {
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
uint64_t TileRequests::countLeastWavefronts() const {
  uint64_t total = 0;
  const std::array<int64_t, kWarpSize> sameAddress = {};
  for (const Request &request : requests)
    total = llvm::SaturatingMultiplyAdd<uint64_t>(
        uop::countWavefronts(sameAddress, request.bytes, request.active),
        request.weight, total);
  return total;
}

TileRequests::Choice TileRequests::choose() const {
  Choice best = {{}, std::numeric_limits<uint64_t>::max()};
  uint64_t least = countLeastWavefronts();
  for (TileLayoutAttr candidate : candidates) {
    uint64_t found = countWavefronts(candidate, best.wavefronts);
    if (best.layout && found >= best.wavefronts)
      continue;
    best = {candidate, found};
    if (found == least)
      break;
  }
  return best;
}
