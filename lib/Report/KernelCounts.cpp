//===- KernelCounts.cpp - What the warps of a kernel do -------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCounts.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace mlir;
using namespace uop;
using namespace uop::report;

std::optional<uint64_t> KernelCounts::getThreads(Block *block) const {
  auto it = threadsByBlock.find(block);
  if (it == threadsByBlock.end())
    return std::nullopt;
  return it->second;
}

//===----------------------------------------------------------------------===//
// Examples
//===----------------------------------------------------------------------===//

int64_t ExampleRequest::countDistinct() const {
  std::set<int64_t> distinct;
  for (auto [address, size] : llvm::zip_equal(addresses, bytes))
    if (size > 0)
      distinct.insert(address);
  return distinct.size();
}

/// The lanes that are served together, as countWavefronts has it.
static unsigned getLanesTogether(int64_t bytes) {
  return bytes <= kBankBytes ? 32 : bytes <= 2 * kBankBytes ? 16 : 8;
}

/// The bank that is asked for the most words at once, and a lane for each.
static void findConflict(ExampleRequest &example, int64_t width) {
  unsigned together = getLanesTogether(width);
  size_t numLanes = example.addresses.size();
  for (size_t begin = 0; begin < numLanes; begin += together) {
    std::map<int64_t, std::map<int64_t, int64_t>> laneByWordByBank;
    for (size_t lane = begin; lane < std::min(begin + together, numLanes);
         ++lane) {
      if (example.bytes[lane] == 0)
        continue;
      int64_t first =
                  llvm::divideFloorSigned(example.addresses[lane], kBankBytes),
              last = llvm::divideFloorSigned(
                  example.addresses[lane] + width - 1, kBankBytes);
      for (int64_t word = first; word <= last; ++word)
        laneByWordByBank[llvm::mod(word, kBanks)].try_emplace(word, lane);
    }
    for (auto &[bank, laneByWord] : laneByWordByBank) {
      if (int64_t(laneByWord.size()) <= example.ways)
        continue;
      example.ways = laneByWord.size();
      example.bank = bank;
      example.conflictingLanes.clear();
      for (auto [word, lane] : laneByWord)
        example.conflictingLanes.push_back(lane);
    }
  }
}

static ExampleRequest createExample(const WarpRequest &request, int64_t cost) {
  ExampleRequest example;
  example.block = request.block;
  example.firstThread = request.firstThread;
  example.addresses.assign(request.addresses.begin(), request.addresses.end());
  example.cost = cost;
  for (size_t lane = 0; lane < request.addresses.size(); ++lane) {
    bool isActive = request.active >> lane & 1;
    int64_t bytes = request.bytesOfLanes.empty() ? request.bytes
                                                 : request.bytesOfLanes[lane];
    example.bytes.push_back(isActive ? bytes : 0);
  }
  return example;
}

static int64_t getActiveBytes(const WarpRequest &request) {
  if (request.bytesOfLanes.empty())
    return request.bytes * llvm::popcount(request.active);
  int64_t bytes = 0;
  for (auto [lane, ofLane] : llvm::enumerate(request.bytesOfLanes))
    bytes += request.active >> lane & 1 ? ofLane : 0;
  return bytes;
}

namespace {

/// Keeps for each access the request with the most cost beyond the ideal.
class Examples {
public:
  void add(const WarpRequest &request, int64_t cost) {
    if (request.access >= candidates.size())
      candidates.resize(request.access + 1);
    Candidate &candidate = candidates[request.access];
    int64_t bytes = getActiveBytes(request);
    // Sectors and wavefronts of equal bytes compare alike.
    int64_t excess = cost * kSectorBytes - bytes;
    if (candidate.example && excess <= candidate.excess)
      return;
    candidate.excess = excess;
    candidate.example = createExample(request, cost);
    candidate.bytes = bytes;
    candidate.width = request.bytes;
  }

  std::vector<std::optional<ExampleRequest>>
  finish(llvm::ArrayRef<AccessTraffic> accesses) {
    candidates.resize(accesses.size());
    std::vector<std::optional<ExampleRequest>> examples;
    for (auto [candidate, access] : llvm::zip_equal(candidates, accesses)) {
      if (candidate.example && access.access.isShared) {
        candidate.example->ideal = getIdealWavefronts(candidate.bytes);
        findConflict(*candidate.example, candidate.width);
      } else if (candidate.example) {
        candidate.example->ideal = getIdealSectors(candidate.bytes);
      }
      examples.push_back(std::move(candidate.example));
    }
    return examples;
  }

private:
  struct Candidate {
    int64_t excess = 0, bytes = 0, width = 0;
    std::optional<ExampleRequest> example;
  };
  std::vector<Candidate> candidates;
};

} // namespace

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

static FailureOr<KernelCounts> count(KernelOp kernel, RequestOptions options) {
  KernelCounts counts;
  Examples examples;
  options.handleBlock = [&](Block &block, LaneMask lanes, uint64_t times) {
    uint64_t &sum = counts.threadsByBlock[&block];
    sum = llvm::SaturatingMultiplyAdd<uint64_t>(llvm::popcount(lanes), times,
                                                sum);
  };
  options.handleBranch = [&](Operation *op, LaneMask lanes, LaneMask taken,
                             uint64_t times) {
    KernelCounts::Branch &branch = counts.branches[op];
    branch.executions = llvm::SaturatingAdd(branch.executions, times);
    if (taken != 0 && taken != lanes)
      branch.divergent = llvm::SaturatingAdd(branch.divergent, times);
  };
  FailureOr<LaunchShape> launch = resolveLaunch(kernel, options);
  if (failed(launch))
    return failure();
  counts.launch = *launch;
  FailureOr<KernelTraffic> traffic = countTraffic(
      kernel, options, [&](const WarpRequest &request, int64_t cost) {
        examples.add(request, cost);
      });
  if (failed(traffic))
    return failure();
  counts.traffic = std::move(*traffic);
  counts.examples = examples.finish(counts.traffic.accesses);
  return std::move(counts);
}

FailureOr<KernelCounts> report::countKernel(KernelOp kernel,
                                            const RequestOptions &options) {
  FailureOr<KernelCounts> counts = count(kernel, options);
  if (failed(counts) || !counts->traffic.isFirstBlockOnly)
    return counts;
  // What was observed is in part that of all blocks: once more.
  RequestOptions firstBlock = options;
  firstBlock.block = {0, 0, 0};
  counts = count(kernel, firstBlock);
  if (succeeded(counts))
    counts->traffic.isFirstBlockOnly = true;
  return counts;
}
