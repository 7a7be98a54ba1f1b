//===- MemoryRequest.h - What one request of a warp costs -------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A request is one warp that executes one access once. These functions count
// what it makes the memory do, exactly, from the addresses of its lanes.
//
// Global memory moves in sectors of 32 bytes, four of which are a line. Shared
// memory has 32 banks of 4 bytes, each of which serves one word in a wavefront:
// a word that several lanes ask for is a broadcast and costs nothing more,
// distinct words of one bank come one after another. Nsight Compute calls these
// figures memory_l2_theoretical_sectors_global and memory_l1_wavefronts_shared,
// and the least possible ones the same with _ideal.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_ANALYSIS_MEMORYREQUEST_H
#define UOP_ANALYSIS_MEMORYREQUEST_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace uop {

inline constexpr int64_t kSectorBytes = 32;
inline constexpr int64_t kLineBytes = 128;
inline constexpr int64_t kBankBytes = 4;
inline constexpr int64_t kBanks = 32;
/// The widest access of a lane.
inline constexpr int64_t kWidestAccessBytes = 16;

/// A warp has 32 lanes, or 64 on some chips of AMD.
inline constexpr unsigned kMaxWarpSize = 64;

/// The lanes that take part in a request: bit l for lane l.
using LaneMask = uint64_t;
inline constexpr LaneMask kAllLanes = ~LaneMask(0);

/// The distinct aligned chunks of `chunkBytes`, a power of two, that lanes
/// touch which access `bytes` bytes each from their address on. There are as
/// many addresses as a warp has lanes, the first is that of lane 0.
int64_t countChunks(llvm::ArrayRef<int64_t> byteAddresses, int64_t bytes,
                    int64_t chunkBytes, LaneMask active = kAllLanes);

/// The same where each lane accesses its own number of bytes.
int64_t countChunks(llvm::ArrayRef<int64_t> byteAddresses,
                    llvm::ArrayRef<int64_t> bytes, int64_t chunkBytes,
                    LaneMask active = kAllLanes);

/// The distinct 32-byte sectors of a request to global memory.
int64_t countSectors(llvm::ArrayRef<int64_t> byteAddresses, int64_t bytes,
                     LaneMask active = kAllLanes);

/// The distinct 128-byte lines of a request to global memory: its transactions.
int64_t countLines(llvm::ArrayRef<int64_t> byteAddresses, int64_t bytes,
                   LaneMask active = kAllLanes);

/// The wavefronts of a request to shared memory: the largest number of distinct
/// words in one bank. Up to 32 lanes that access up to 4 bytes each are served
/// together, 16 of up to 8 bytes, 8 of up to 16, and the costs of these parts
/// of a warp add up. A part without active lanes costs nothing.
int64_t countWavefronts(llvm::ArrayRef<int64_t> byteAddresses, int64_t bytes,
                        LaneMask active = kAllLanes);

/// The fewest sectors and wavefronts that so many bytes can take. Lanes that
/// share an address can take fewer.
int64_t getIdealSectors(int64_t activeBytes);
int64_t getIdealWavefronts(int64_t activeBytes);

} // namespace uop

#endif // UOP_ANALYSIS_MEMORYREQUEST_H
