//===- Buffers.cpp - What moves between memory and a launch ---------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three levels: what threads ask for, what is left where a block asks for each
// byte once (its caches, or its tiles), and what is left where the whole launch
// does (the compulsory traffic).
//
//===----------------------------------------------------------------------===//

#include "BuildParts.h"
#include "Places.h"
#include "Uop/Analysis/Footprint.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uop;
using namespace uop::report;

namespace {

/// A set of integers, in parts that are close to each other.
class ChunkedSet {
public:
  void insert(int64_t value) {
    llvm::BitVector &chunk = chunks[llvm::divideFloorSigned(value, kChunkSize)];
    if (chunk.empty())
      chunk.resize(kChunkSize);
    unsigned bit = llvm::mod(value, kChunkSize);
    count += !chunk.test(bit);
    chunk.set(bit);
  }
  uint64_t size() const { return count; }
  void clear() {
    for (auto &[number, chunk] : chunks)
      chunk.reset();
    count = 0;
  }

private:
  static constexpr int64_t kChunkSize = 1 << 12;
  llvm::DenseMap<int64_t, llvm::BitVector> chunks;
  uint64_t count = 0;
};

/// Adds up what each block reads and writes, each byte once.
class BlockTraffic {
public:
  BlockTraffic(KernelOp kernel, RequestOptions options)
      : kernel(kernel), options(std::move(options)) {}

  /// False where there are too many requests in a block to look at.
  bool run();

  struct Bytes {
    uint64_t reads = 0, writes = 0;
  };
  llvm::MapVector<Value, Bytes> bytes;

private:
  void findGranules();
  void add(const WarpRequest &request);
  void endBlock();

  KernelOp kernel;
  RequestOptions options;
  SmallVector<WarpAccess> accesses;
  std::array<int64_t, 3> block = {-1, 0, 0};
  uint64_t weight = 0;
  /// Of the block that is under way, in units of `granule` bytes.
  std::map<std::pair<void *, bool>, ChunkedSet> touched;
  llvm::DenseMap<void *, int64_t> granules;
};

} // namespace

void BlockTraffic::endBlock() {
  for (auto &[key, set] : touched) {
    auto [buffer, isWrite] = key;
    Bytes &sums = bytes[Value::getFromOpaquePointer(buffer)];
    uint64_t &sum = isWrite ? sums.writes : sums.reads;
    sum = llvm::SaturatingMultiplyAdd<uint64_t>(set.size() * granules[buffer],
                                                weight, sum);
    set.clear();
  }
}

/// The smallest elements that a buffer is accessed as.
void BlockTraffic::findGranules() {
  for (const WarpAccess &access : accesses) {
    int64_t bytes = std::max<int64_t>(access.elementBytes, 1);
    auto [it, isNew] =
        granules.try_emplace(access.buffer.getAsOpaquePointer(), bytes);
    it->second = std::min(it->second, bytes);
  }
}

void BlockTraffic::add(const WarpRequest &request) {
  const WarpAccess &access = accesses[request.access];
  if (request.block != block) {
    endBlock();
    block = request.block;
    weight = request.weight;
  }
  void *buffer = access.buffer.getAsOpaquePointer();
  if (granules.empty())
    findGranules();
  int64_t granule = granules[buffer];
  auto insert = [&](bool isWrite) {
    ChunkedSet &set = touched[{buffer, isWrite}];
    for (auto [lane, address] : llvm::enumerate(request.addresses)) {
      if (!(request.active >> lane & 1))
        continue;
      int64_t size = request.bytesOfLanes.empty() ? request.bytes
                                                  : request.bytesOfLanes[lane];
      int64_t first = llvm::divideFloorSigned(address, granule);
      int64_t last = llvm::divideFloorSigned(address + size - 1, granule);
      for (int64_t element = first; element <= last; ++element)
        set.insert(element);
    }
  };
  if (access.kind != AccessKind::Store)
    insert(false);
  if (access.kind != AccessKind::Load)
    insert(true);
}

bool BlockTraffic::run() {
  options.executesAllIterations = true;
  options.maxRequests = 1 << 20;
  options.getInvariantShift = [](const WarpAccess &access) -> int64_t {
    return access.isShared ? 0 : kLineBytes;
  };
  FailureOr<EnumerationStatus> status =
      enumerateRequests(kernel, options, accesses,
                        [&](const WarpRequest &request) { add(request); });
  endBlock();
  return succeeded(status) && *status == EnumerationStatus::Complete;
}

//===----------------------------------------------------------------------===//
// All three
//===----------------------------------------------------------------------===//

static uint64_t multiply(FootprintSize size, int64_t elementBytes) {
  return llvm::SaturatingMultiply<uint64_t>(size.elements, elementBytes);
}

std::vector<BufferTraffic> report::countBuffers(KernelOp kernel,
                                                const KernelCounts &counts,
                                                const RequestOptions &options) {
  llvm::MapVector<Value, BufferTraffic> traffic;
  for (const AccessTraffic &access : counts.traffic.accesses) {
    if (access.access.isShared)
      continue;
    Value buffer = access.access.buffer;
    BufferTraffic &ofBuffer = traffic[buffer];
    if (access.access.kind != AccessKind::Store)
      ofBuffer.threadReads += access.sums.bytes;
    if (access.access.kind != AccessKind::Load)
      ofBuffer.threadWrites += access.sums.bytes;
  }
  BlockTraffic blocks(kernel, options);
  bool isCounted = !counts.traffic.isFirstBlockOnly && blocks.run();
  llvm::MapVector<Value, BufferFootprint> footprints =
      computeFootprints(kernel);
  std::vector<BufferTraffic> result;
  for (auto &[buffer, ofBuffer] : traffic) {
    ofBuffer.name = describeBuffer(buffer);
    ofBuffer.place = getPlace(buffer.getLoc());
    if (isCounted) {
      ofBuffer.blockReads = blocks.bytes[buffer].reads;
      ofBuffer.blockWrites = blocks.bytes[buffer].writes;
    }
    auto it = footprints.find(buffer);
    if (it != footprints.end() && it->second.elementBytes > 0) {
      const BufferFootprint &footprint = it->second;
      if (footprint.reads)
        ofBuffer.launchReads =
            multiply(*footprint.reads, footprint.elementBytes);
      if (footprint.writes)
        ofBuffer.launchWrites =
            multiply(*footprint.writes, footprint.elementBytes);
      ofBuffer.isUpperBound = (footprint.reads && !footprint.reads->isExact) ||
                              (footprint.writes && !footprint.writes->isExact);
    }
    result.push_back(std::move(ofBuffer));
  }
  return result;
}
