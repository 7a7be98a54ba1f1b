//===- AccessCauses.cpp - Why accesses cost what they cost ----------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuildParts.h"
#include "Places.h"
#include "Uop/Analysis/MemoryAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uop;
using namespace uop::report;

static constexpr llvm::StringLiteral kThreadIndices[] = {
    "threadIdx.x", "threadIdx.y", "threadIdx.z"};

/// `1 byte`, `4 bytes`.
static std::string count(int64_t number, StringRef what) {
  return std::to_string(number) + " " + what.str() + (number == 1 ? "" : "s");
}

//===----------------------------------------------------------------------===//
// What the lanes of a request do
//===----------------------------------------------------------------------===//

/// The coordinates of a lane in its block.
static std::array<int64_t, 3> getThread(const ExampleRequest &request,
                                        size_t lane,
                                        const std::array<int64_t, 3> &block) {
  int64_t thread = request.firstThread + int64_t(lane);
  return {thread % block[0], thread / block[0] % block[1],
          thread / block[0] / block[1]};
}

/// By how much the address moves from each lane to the one that is next along a
/// dimension, where that is one number.
static std::optional<int64_t> findStride(const ExampleRequest &request,
                                         const std::array<int64_t, 3> &block,
                                         unsigned dimension) {
  int64_t distance = 1;
  for (unsigned below = 0; below < dimension; ++below)
    distance *= block[below];
  std::optional<int64_t> stride;
  for (size_t lane = 0; lane + distance < request.addresses.size(); ++lane) {
    size_t next = lane + distance;
    bool isNext = getThread(request, lane, block)[dimension] + 1 ==
                  getThread(request, next, block)[dimension];
    if (!isNext || request.bytes[lane] == 0 || request.bytes[next] == 0)
      continue;
    int64_t step = request.addresses[next] - request.addresses[lane];
    if (stride && *stride != step)
      return std::nullopt;
    stride = step;
  }
  return stride;
}

//===----------------------------------------------------------------------===//
// Which index makes it so
//===----------------------------------------------------------------------===//

/// Whether a value is computed from an index of the thread.
static bool dependsOnThread(Value value, unsigned dimension) {
  SetVector<Value> reached;
  reached.insert(value);
  for (size_t i = 0; i < reached.size(); ++i) {
    Operation *op = reached[i].getDefiningOp();
    if (!op)
      continue;
    if (auto range = dyn_cast<RangeOp>(op))
      if (range.getAxis().isThreadIndex() &&
          unsigned(range.getAxis().getThreadDimension()) == dimension)
        return true;
    reached.insert(op->operand_begin(), op->operand_end());
  }
  return false;
}

static std::string nameAxis(size_t axis, size_t rank) {
  static constexpr llvm::StringLiteral names[] = {
      "the last axis", "the second-last axis", "the third-last axis"};
  size_t fromLast = rank - 1 - axis;
  if (fromLast < std::size(names))
    return names[fromLast].str();
  return "axis #" + std::to_string(axis) + " of " + std::to_string(rank);
}

/// `because threadIdx.x indexes the second-last axis`, where that is the
/// reason.
static std::string explainStride(const MemoryAccess *access,
                                 unsigned dimension) {
  if (!access)
    return "";
  SmallVector<std::string> axes;
  bool isLast = false;
  for (auto [axis, index] : llvm::enumerate(access->indices)) {
    if (!dependsOnThread(index, dimension))
      continue;
    axes.push_back(nameAxis(axis, access->indices.size()));
    isLast = axis + 1 == access->indices.size();
  }
  if (axes.size() != 1 || access->indices.size() < 2)
    return "";
  return " because " + kThreadIndices[dimension].str() + " indexes " +
         axes.front() + (isLast ? ", and not by steps of one" : "");
}

//===----------------------------------------------------------------------===//
// Causes
//===----------------------------------------------------------------------===//

static std::string listLanes(ArrayRef<int64_t> lanes) {
  constexpr size_t most = 4;
  std::string text = llvm::join(
      llvm::map_range(lanes.take_front(most),
                      [](int64_t lane) { return std::to_string(lane); }),
      ", ");
  return lanes.size() > most ? text + ", ..." : text;
}

static std::string explainShared(const AccessReport &report,
                                 const MemoryAccess *access) {
  const ExampleRequest &request = *report.example;
  if (request.ways <= 1)
    return "lanes that are served together ask for less than all banks";
  std::string text = std::to_string(request.ways) +
                     "-way bank conflict: lanes " +
                     listLanes(request.conflictingLanes) + " ask bank " +
                     std::to_string(request.bank) + " for different words";
  std::optional<int64_t> stride = report.threadStrides[0];
  if (stride && *stride != 0 && *stride % kBankBytes == 0)
    text += ", since lanes step by " + count(*stride / kBankBytes, "bank") +
            explainStride(access, 0);
  return text;
}

static std::string explainGlobal(const AccessReport &report,
                                 const MemoryAccess *access,
                                 const LaunchShape &launch) {
  const ExampleRequest &request = *report.example;
  int64_t width = report.elementBytes * report.elementsPerLane;
  std::optional<int64_t> x = report.threadStrides[0],
                         y = report.threadStrides[1];
  if (x && *x != 0 && std::abs(*x) != width)
    return "lanes step by " + count(*x, "byte") + " and use " +
           std::to_string(width) + " of them" + explainStride(access, 0);
  bool isRow = x && std::abs(*x) == width;
  bool hasRows = launch.block[0] < int64_t(request.addresses.size()) &&
                 launch.block[1] > 1;
  if (launch.block[0] == 1 && hasRows && y && std::abs(*y) > width)
    return "lanes step by " + count(*y, "byte") + " and use " +
           std::to_string(width) + " of them" + explainStride(access, 1);
  if (isRow && hasRows && y && *y != 0 &&
      std::abs(*y) > width * launch.block[0])
    return count(launch.block[0], "thread") + " along x have " +
           count(width * launch.block[0], "byte") +
           " together, and the next ones are " + count(std::abs(*y), "byte") +
           " away" + explainStride(access, 1);
  if (isRow) {
    int64_t least = std::numeric_limits<int64_t>::max();
    for (auto [address, bytes] : llvm::zip(request.addresses, request.bytes))
      if (bytes > 0)
        least = std::min(least, address);
    if (int64_t offset = llvm::mod(least, kSectorBytes))
      return "the row of lanes begins " + count(offset, "byte") +
             " into a sector, and ends in one sector more";
  }
  return "lanes go to places that are not next to each other";
}

static const MemoryAccess *findAccess(const MemoryAccesses &accesses,
                                      const WarpAccess &access) {
  for (const MemoryAccess &candidate : accesses.of(access.op))
    if (candidate.isWrite == (access.kind != AccessKind::Load))
      return &candidate;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

static std::string printType(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static AccessReport describe(const AccessTraffic &traffic) {
  const WarpAccess &access = traffic.access;
  AccessReport report;
  report.kind = access.kind;
  report.isShared = access.isShared;
  report.op = access.op->getName().getStringRef().str();
  report.place = getPlace(access.op->getLoc());
  report.buffer = describeBuffer(access.buffer);
  report.bufferPlace = getPlace(access.buffer.getLoc());
  report.elementType = printType(access.elementType);
  report.elementBytes = access.elementBytes;
  report.elementsPerLane = access.elements;
  static_cast<RequestCounts &>(report) = traffic;
  report.notCounted = access.reason;
  if (traffic.promisedAlignment)
    report.assumption =
        "taken to begin at a multiple of 256 bytes, where only " +
        count(*traffic.promisedAlignment, "byte") + " are promised";
  return report;
}

std::vector<AccessReport> report::describeAccesses(KernelOp kernel,
                                                   const KernelCounts &counts,
                                                   unsigned warpSize) {
  MemoryAccesses accesses(kernel);
  std::vector<AccessReport> reports;
  for (auto [traffic, example] :
       llvm::zip_equal(counts.traffic.accesses, counts.examples)) {
    AccessReport &report = reports.emplace_back(describe(traffic));
    report.example = example;
    if (!example)
      continue;
    for (unsigned dimension = 0; dimension < 3; ++dimension)
      report.threadStrides[dimension] =
          findStride(*example, counts.launch.block, dimension);
    if (report.getCost() <= report.getIdeal())
      continue;
    const MemoryAccess *access = findAccess(accesses, traffic.access);
    report.cause = report.isShared
                       ? explainShared(report, access)
                       : explainGlobal(report, access, counts.launch);
  }
  return reports;
}
