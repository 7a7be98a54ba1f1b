//===- JSONReport.cpp - A report as JSON ----------------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/report.schema.json says what is in it. Numbers that a report does not
// have are null, and a list of nothing is empty: no key is ever left out.
//
//===----------------------------------------------------------------------===//

#include "Format.h"
#include "Uop/Report/PrintReport.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace uop;
using namespace uop::report;
namespace json = llvm::json;

/// Raised when what a reader relies on changes.
static constexpr int64_t kVersion = 1;

template <typename T> static json::Value orNull(const std::optional<T> &value) {
  return value ? json::Value(*value) : json::Value(nullptr);
}

static json::Value textOrNull(llvm::StringRef text) {
  return text.empty() ? json::Value(nullptr) : json::Value(text.str());
}

template <typename Range, typename Function>
static json::Array map(const Range &range, Function function) {
  json::Array array;
  for (const auto &element : range)
    array.push_back(function(element));
  return array;
}

template <typename Range> static json::Array toArray(const Range &range) {
  return map(range, [](auto element) { return json::Value(element); });
}

static json::Value build(const SourcePlace &place) {
  if (place.line == 0)
    return nullptr;
  return json::Object{{"file", place.file},
                      {"line", int64_t(place.line)},
                      {"column", int64_t(place.column)},
                      {"text", textOrNull(place.text)}};
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static json::Object build(const TrafficSums &sums) {
  return json::Object{{"requests", sums.requests},
                      {"elements", sums.elements},
                      {"bytes", sums.bytes},
                      {"distinct_addresses", sums.distinctAddresses},
                      {"sectors", sums.sectors},
                      {"sectors_ideal", sums.idealSectors},
                      {"lines", sums.lines},
                      {"wavefronts", sums.wavefronts},
                      {"wavefronts_ideal", sums.idealWavefronts}};
}

static json::Value build(const std::optional<Remedy> &remedy) {
  if (!remedy)
    return nullptr;
  return json::Object{{"action", remedy->action},
                      {"option", textOrNull(remedy->option)},
                      {"cost", orNull(remedy->cost)}};
}

static json::Value build(const std::optional<ExampleRequest> &example) {
  if (!example)
    return nullptr;
  return json::Object{
      {"block", toArray(example->block)},
      {"first_thread", example->firstThread},
      {"addresses", toArray(example->addresses)},
      {"bytes", toArray(example->bytes)},
      {"cost", example->cost},
      {"ideal", example->ideal},
      {"bank", example->bank},
      {"ways", example->ways},
      {"conflicting_lanes", toArray(example->conflictingLanes)}};
}

static json::Value build(const AccessReport &access) {
  auto costs = map(access.requestsByCost, [](auto entry) {
    return json::Object{{"cost", entry.first}, {"requests", entry.second}};
  });
  return json::Object{
      {"kind", describeAccess(access.kind, access.isShared)},
      {"op", access.op},
      {"place", build(access.place)},
      {"buffer", access.buffer},
      {"element_type", textOrNull(access.elementType)},
      {"element_bytes", access.elementBytes},
      {"elements_per_lane", access.elementsPerLane},
      {"copies", int64_t(access.copies)},
      {"not_counted", textOrNull(access.notCounted)},
      {"assumption", textOrNull(access.assumption)},
      {"sums", build(access.sums)},
      {"requests_by_cost", std::move(costs)},
      {"thread_strides",
       map(access.threadStrides, [](auto stride) { return orNull(stride); })},
      {"cause", textOrNull(access.cause)},
      {"remedy", build(access.remedy)},
      {"example", build(access.example)}};
}

//===----------------------------------------------------------------------===//
// The machine
//===----------------------------------------------------------------------===//

static json::Object build(const LaunchReport &launch) {
  return json::Object{{"grid", toArray(launch.grid)},
                      {"block", toArray(launch.block)},
                      {"warp_size", int64_t(launch.warpSize)},
                      {"blocks", launch.blocks},
                      {"threads", launch.threads},
                      {"warps", launch.warps},
                      {"useful_lanes", launch.usefulLanes},
                      {"shared_bytes", launch.sharedBytes},
                      {"global_accesses", launch.globalAccesses},
                      {"shared_accesses", launch.sharedAccesses},
                      {"launches", launch.launches}};
}

static json::Object build(const Occupancy &occupancy) {
  json::Object blocksBy;
  for (OccupancyLimit limit : kOccupancyLimits)
    blocksBy[stringifyOccupancyLimit(limit)] =
        orNull(occupancy.getBlocksBy(limit));
  return json::Object{
      {"blocks", occupancy.blocks},
      {"warps", occupancy.warps},
      {"max_warps", occupancy.maxWarps},
      {"share", occupancy.getShare()},
      {"blocks_by", std::move(blocksBy)},
      {"limited_by", map(occupancy.getLimits(), [](OccupancyLimit limit) {
         return stringifyOccupancyLimit(limit).str();
       })}};
}

static json::Value build(const std::optional<OccupancyChange> &change) {
  if (!change)
    return nullptr;
  return json::Object{{"at_most", change->value}, {"warps", change->warps}};
}

static json::Value build(const std::optional<OccupancyStep> &step) {
  if (!step)
    return nullptr;
  return json::Object{{"blocks", step->blocks},
                      {"registers", build(step->registers)},
                      {"shared_bytes", build(step->sharedBytes)},
                      {"threads", build(step->threads)}};
}

static json::Object build(const OccupancyRow &row) {
  return json::Object{{"threads", row.threads},
                      {"occupancy", row.occupancy
                                        ? json::Value(build(*row.occupancy))
                                        : json::Value(nullptr)},
                      {"reason", textOrNull(row.reason)}};
}

static json::Value build(const std::optional<RegisterReport> &registers) {
  if (!registers)
    return nullptr;
  return json::Object{{"per_thread", registers->perThread},
                      {"source", describeSource(registers->source).str()},
                      {"spill_store_bytes", registers->spillStores},
                      {"spill_load_bytes", registers->spillLoads}};
}

static json::Object build(const GPUTarget &chip) {
  return json::Object{{"name", chip.chip},
                      {"product", chip.product},
                      {"multiprocessors", chip.numMultiprocessors},
                      {"dram_bytes_per_second", chip.dramBytesPerSecond},
                      {"l2_bytes", chip.l2Bytes},
                      {"fp32_flops_per_second", chip.fp32FlopsPerSecond},
                      {"fp64_flops_per_second", chip.fp64FlopsPerSecond},
                      {"tensor_flops_per_second", chip.tensorFlopsPerSecond}};
}

//===----------------------------------------------------------------------===//
// Traffic and roofline
//===----------------------------------------------------------------------===//

static json::Value build(const BufferTraffic &buffer) {
  return json::Object{{"name", buffer.name},
                      {"place", build(buffer.place)},
                      {"thread_reads", buffer.threadReads},
                      {"thread_writes", buffer.threadWrites},
                      {"block_reads", orNull(buffer.blockReads)},
                      {"block_writes", orNull(buffer.blockWrites)},
                      {"launch_reads", orNull(buffer.launchReads)},
                      {"launch_writes", orNull(buffer.launchWrites)},
                      {"is_upper_bound", buffer.isUpperBound}};
}

static json::Object build(const WorkReport &work) {
  return json::Object{{"fp16", work.fp16},
                      {"fp32", work.fp32},
                      {"fp64", work.fp64},
                      {"tensor", work.tensor},
                      {"special", work.special},
                      {"fma", work.fma},
                      {"not_counted", textOrNull(work.notCounted)}};
}

static json::Object build(const LoadBalance &load) {
  return json::Object{{"blocks", load.blocks},
                      {"multiprocessors", load.multiprocessors},
                      {"slots", load.slots},
                      {"idle_multiprocessors", load.idleMultiprocessors},
                      {"waves", load.waves},
                      {"tail_blocks", load.tailBlocks},
                      {"tail_share", load.tailShare},
                      {"multiprocessor_use", load.multiprocessorUse}};
}

/// A number that JSON has; null for an infinite one.
static json::Value finiteOrNull(double value) {
  return std::isfinite(value) ? json::Value(value) : json::Value(nullptr);
}

static json::Value buildRoofline(const KernelReport &report) {
  if (!report.roofline)
    return nullptr;
  const Roofline &roofline = *report.roofline;
  json::Object seconds;
  for (Bound bound : kBounds)
    seconds[stringifyBound(bound)] = roofline.getSeconds(bound);
  return json::Object{
      {"dram_bytes_read", report.dramBytesRead},
      {"dram_bytes_written", report.dramBytesWritten},
      {"intensity", finiteOrNull(roofline.intensity)},
      {"ridge", roofline.ridge},
      {"peak_flops_per_second", roofline.peakFlopsPerSecond},
      {"roof_flops_per_second", roofline.roofFlopsPerSecond},
      {"attainable_flops_per_second", roofline.attainableFlopsPerSecond},
      {"bound", stringifyBound(roofline.bound).str()},
      {"seconds", roofline.getSeconds()},
      {"seconds_by", std::move(seconds)},
      {"bytes_in_flight_per_thread", report.bytesInFlightPerThread},
      {"bytes_in_flight_available", roofline.bytesInFlightAvailable},
      {"bytes_in_flight_needed", roofline.bytesInFlightNeeded},
      {"load_balance", build(roofline.load)}};
}

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

static json::Object build(const RaceSummary &races) {
  return json::Object{{"verdict", describeVerdict(races.verdict).str()},
                      {"pairs_proved", races.pairsProved},
                      {"pairs_racy", races.pairsRacy},
                      {"pairs_not_proved", races.pairsNotProved},
                      {"entries", map(races.entries,
                                      [](const RaceSummary::Entry &entry) {
                                        return json::Object{
                                            {"place", build(entry.place)},
                                            {"text", entry.text}};
                                      })},
                      {"checked_run", textOrNull(races.checkedRun)}};
}

static json::Object build(const Advice &advice) {
  return json::Object{{"place", build(advice.place)},
                      {"finding", advice.finding},
                      {"figure", advice.figure},
                      {"value", advice.value},
                      {"value_after", orNull(advice.valueAfter)},
                      {"remedy", build(std::optional(advice.remedy))},
                      {"cost", advice.cost}};
}

static json::Object build(const BranchReport &branch) {
  return json::Object{{"place", build(branch.place)},
                      {"op", branch.op},
                      {"executions", branch.executions},
                      {"divergent", branch.divergent},
                      {"is_both_ways", branch.isBothWays}};
}

static json::Object build(const RecomputationReport &loop) {
  return json::Object{{"place", build(loop.place)},
                      {"op", loop.op},
                      {"times", loop.times},
                      {"share", loop.share}};
}

static json::Object build(const KernelReport &report) {
  auto list = [](const auto &range) {
    return map(range, [](const auto &element) { return build(element); });
  };
  return json::Object{
      {"name", report.name},
      {"place", build(report.place)},
      {"origin", report.origin == Origin::Run ? "run" : "static"},
      {"form", report.form},
      {"chip", build(report.chip)},
      {"launch", build(report.launch)},
      {"notes", toArray(report.notes)},
      {"accesses", list(report.accesses)},
      {"sums",
       json::Object{{"global loads", build(report.globalLoads)},
                    {"global stores", build(report.globalStores)},
                    {"global atomic updates", build(report.globalAtomics)},
                    {"shared loads", build(report.sharedLoads)},
                    {"shared stores", build(report.sharedStores)},
                    {"shared atomic updates", build(report.sharedAtomics)}}},
      {"registers", build(report.registers)},
      {"occupancy", report.occupancy ? json::Value(build(*report.occupancy))
                                     : json::Value(nullptr)},
      {"next_step", build(report.nextStep)},
      {"occupancy_by_block", list(report.occupancyByBlock)},
      {"buffers", list(report.buffers)},
      {"work", build(report.work)},
      {"roofline", buildRoofline(report)},
      {"branches", list(report.branches)},
      {"recomputations", list(report.recomputations)},
      {"races", build(report.races)},
      {"advice", list(report.advice)}};
}

json::Object report::buildJSON(llvm::ArrayRef<KernelReport> reports) {
  return json::Object{{"version", kVersion},
                      {"kernels", map(reports, [](const KernelReport &report) {
                         return build(report);
                       })}};
}
