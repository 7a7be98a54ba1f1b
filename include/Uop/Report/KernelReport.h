//===- KernelReport.h - What a report says of a kernel ----------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Figures, without a word of IR: what is counted at compile time and what is
// counted in an emulated run have one form, and so have their text, their JSON
// and their pictures. docs/Reports.md has the formula of each figure, where it
// comes from, and its name in Nsight Compute.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_REPORT_KERNELREPORT_H
#define UOP_REPORT_KERNELREPORT_H

#include "Uop/Analysis/GPUTarget.h"
#include "Uop/Analysis/Occupancy.h"
#include "Uop/Analysis/Roofline.h"
#include "Uop/Analysis/TrafficSums.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace uop::report {

/// A place in a source file, and the text of that line; line 0 where it is not
/// known.
struct SourcePlace {
  std::string file;
  unsigned line = 0, column = 0;
  std::string text;
};

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// One of the costliest requests of an access, to be shown.
struct ExampleRequest {
  std::array<int64_t, 3> block = {0, 0, 0};
  /// The number of the warp's first thread in its block.
  int64_t firstThread = 0;
  /// For each lane the distance in bytes from the beginning of the buffer, and
  /// the bytes that it accesses, 0 where it takes no part.
  std::vector<int64_t> addresses, bytes;
  /// Sectors, or wavefronts in shared memory; and the least possible.
  int64_t cost = 0, ideal = 0;
  /// In shared memory: the bank with the most words, how many distinct words
  /// lanes ask it for at once, and one lane of each.
  int64_t bank = 0, ways = 1;
  std::vector<int64_t> conflictingLanes;

  /// How many addresses of lanes that take part differ.
  int64_t countDistinct() const;
};

/// Something that would make a figure better, tried out: what it is then.
struct Remedy {
  /// What to do, with the option to type: "pad rows by 4 bytes:
  /// --uop-layout-shared".
  std::string action;
  /// The option alone, or empty where the source has to change.
  std::string option;
  /// Sectors or wavefronts of all requests after that.
  std::optional<uint64_t> cost;
};

struct AccessReport : RequestCounts {
  /// "global load", "shared store", ...
  AccessKind kind = AccessKind::Load;
  bool isShared = false;
  /// The operation, such as memref.load.
  std::string op;
  SourcePlace place;
  /// As the source calls it: %A, or "argument #0"; and where it is defined.
  std::string buffer;
  SourcePlace bufferPlace;
  std::string elementType;
  int64_t elementBytes = 0;
  /// The elements that a lane accesses at once.
  int64_t elementsPerLane = 1;
  /// How many operations of the lowered kernel these are, all made of one
  /// operation of the source; the figures are their sums.
  unsigned copies = 1;
  /// Why it is not counted; empty where it is.
  std::string notCounted;
  /// What the buffer's alignment is taken to be beyond what it promises, or
  /// empty.
  std::string assumption;
  std::optional<ExampleRequest> example;
  /// By how many bytes the address moves from one thread to the next along x, y
  /// and z, where that is one number for the whole warp of the example.
  std::array<std::optional<int64_t>, 3> threadStrides;
  /// Why it costs more than the ideal, in a sentence without a full stop; empty
  /// where it does not.
  std::string cause;
  std::optional<Remedy> remedy;

  uint64_t getCost() const { return isShared ? sums.wavefronts : sums.sectors; }
  uint64_t getIdeal() const {
    return isShared ? sums.idealWavefronts : sums.idealSectors;
  }
};

//===----------------------------------------------------------------------===//
// The rest of a kernel
//===----------------------------------------------------------------------===//

/// Where the figures come from.
enum class Origin { Static, Run };

struct LaunchReport {
  std::array<int64_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  unsigned warpSize = 32;
  /// Blocks, threads and warps in all; saturated.
  uint64_t blocks = 1, threads = 1, warps = 1;
  /// The share of lanes that are threads with something to do.
  double usefulLanes = 1;
  /// Of a block, in bytes.
  int64_t sharedBytes = 0;
  /// Accesses of threads to elements of global and shared memory.
  uint64_t globalAccesses = 0, sharedAccesses = 0;
  /// In a run: how often it was launched like this.
  uint64_t launches = 1;
};

enum class RegisterSource { Given, Ptxas, Estimate };

struct RegisterReport {
  int64_t perThread = 0;
  RegisterSource source = RegisterSource::Estimate;
  /// Bytes that a thread spills to memory; known from ptxas only.
  int64_t spillStores = 0, spillLoads = 0;
};

/// The bytes of one buffer of global memory that are read and written.
struct BufferTraffic {
  std::string name;
  SourcePlace place;
  /// By threads, each access of a lane counted; and by blocks, each byte once a
  /// block; and by the launch, each byte once.
  uint64_t threadReads = 0, threadWrites = 0;
  std::optional<uint64_t> blockReads, blockWrites;
  std::optional<uint64_t> launchReads, launchWrites;
  /// Whether what the launch reads and writes is a bound from above.
  bool isUpperBound = false;
};

/// Work of all threads; a fused product and sum is two.
struct WorkReport {
  double fp16 = 0, fp32 = 0, fp64 = 0, tensor = 0;
  /// Operations of math functions and divisions, which take several
  /// instructions; not in the above.
  double special = 0;
  /// Of the above: fused products and sums, each once.
  double fma = 0;
  /// What is not in the sums, and why; empty where all is.
  std::string notCounted;

  double getTotal() const { return fp16 + fp32 + fp64 + tensor; }
};

/// A branch, or a loop that lanes of one warp leave in different iterations.
struct BranchReport {
  SourcePlace place;
  std::string op;
  /// Times that a warp came to it, and of those that it went both ways.
  uint64_t executions = 0, divergent = 0;
  /// Whether there is something to do either way: a branch with an else.
  bool isBothWays = false;
};

/// A value that several threads of a block compute alike.
struct RecomputationReport {
  SourcePlace place;
  std::string op;
  /// How many threads compute each distinct value, on average over a block.
  double times = 1;
  /// The share of all operations of all threads that this takes, in [0, 1].
  double share = 0;
};

enum class RaceVerdict { Proved, Racy, NotProved, NotAsked };

struct RaceSummary {
  RaceVerdict verdict = RaceVerdict::NotAsked;
  uint64_t pairsProved = 0, pairsRacy = 0, pairsNotProved = 0;
  struct Entry {
    SourcePlace place;
    std::string text;
  };
  std::vector<Entry> entries;
  /// Of a checked run of the emulator: what it found, or empty where there was
  /// none.
  std::string checkedRun;
};

/// One thing that is worth changing.
struct Advice {
  SourcePlace place;
  /// What is wrong, with the figure.
  std::string finding;
  /// The figure that it is about: "sectors", "wavefronts", "occupancy", ...
  std::string figure;
  double value = 0;
  /// What to do.
  Remedy remedy;
  /// What the figure is then.
  std::optional<double> valueAfter;
  /// The share of the kernel's estimated time that it costs, in [0, 1].
  double cost = 0;
};

struct KernelReport : TrafficTotals {
  std::string name;
  SourcePlace place;
  Origin origin = Origin::Static;
  /// "graph form", "mapped graph form", "loop form", "gpu dialect".
  std::string form;
  GPUTarget chip;
  LaunchReport launch;
  std::vector<AccessReport> accesses;
  /// What is left out of the counts, and why; empty where nothing is.
  std::vector<std::string> notes;

  std::optional<RegisterReport> registers;
  std::optional<Occupancy> occupancy;
  std::optional<OccupancyStep> nextStep;
  std::vector<OccupancyRow> occupancyByBlock;

  std::vector<BufferTraffic> buffers;
  WorkReport work;
  /// The bytes of global memory that a thread asks for before it needs the
  /// first of them.
  int64_t bytesInFlightPerThread = 0;
  /// What DRAM is taken to move, in the roofline: each byte once where the
  /// second-level cache holds all, else each byte once a block.
  double dramBytesRead = 0, dramBytesWritten = 0;
  std::optional<Roofline> roofline;
  std::vector<BranchReport> branches;
  std::vector<RecomputationReport> recomputations;
  RaceSummary races;
  /// At most five, the costliest first.
  std::vector<Advice> advice;
};

} // namespace uop::report

#endif // UOP_REPORT_KERNELREPORT_H
