#===- occupancy.py - How many blocks a multiprocessor holds -----------------===#
#
# Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-------------------------------------------------------------------------===#
#
# Limits: CUDA C++ Programming Guide, "Technical Specifications per Compute
# Capability" (as in lib/Analysis/GPUTarget.cpp; a test compares the two). How
# resources are handed out: the occupancy calculator of the CUDA toolkit
# (cuda_occupancy.h; Nsight Compute's has the same): registers to a warp in units
# of 256, warps evenly to four partitions, shared memory in units of 128 bytes
# (256 before 8.0), of which the system has 1 KiB a block from 8.0 on.
#
#===-------------------------------------------------------------------------===#

import re
from dataclasses import dataclass

KiB = 1024
WARP = 32
PARTITIONS = 4
REGISTER_UNIT = 256


@dataclass(frozen=True)
class Chip:
    capability: int
    threads: int
    blocks: int
    registers: int
    shared_bytes: int

    @property
    def shared_unit(self):
        return 128 if self.capability >= 80 else 256

    @property
    def reserved_shared_bytes(self):
        return KiB if self.capability >= 80 else 0


# In the order of compute capabilities, from the first that the assembler of CUDA
# 13 takes.
CHIPS = (
    Chip(75, 1024, 16, 65536, 64 * KiB),
    Chip(80, 2048, 32, 65536, 164 * KiB),
    Chip(86, 1536, 16, 65536, 100 * KiB),
    Chip(87, 1536, 16, 65536, 164 * KiB),
    Chip(89, 1536, 24, 65536, 100 * KiB),
    Chip(90, 2048, 32, 65536, 228 * KiB),
    Chip(100, 2048, 32, 65536, 228 * KiB),
    Chip(103, 2048, 32, 65536, 228 * KiB),
    Chip(110, 1536, 24, 65536, 228 * KiB),
    Chip(120, 1536, 24, 65536, 100 * KiB),
)


def look_up_chip(name):
    """The chip of a name such as sm_90a, or the next one below it; None for what
    is no such name or older than all."""
    found = re.fullmatch(r"sm_(\d+)[af]?", name)
    below = [chip for chip in CHIPS if found and chip.capability <= int(found[1])]
    return below[-1] if below else None


@dataclass(frozen=True)
class Occupancy:
    blocks: int
    warps: int
    limit: str  # What there is no more of.
    max_warps: int

    @property
    def fraction(self):
        return self.warps / self.max_warps


def round_up(number, unit):
    return -(-number // unit) * unit


def compute_occupancy(chip, threads, registers, shared_bytes):
    """Blocks of so many threads, registers a thread and bytes of shared memory,
    static and dynamic, with as much of the cache as shared memory as there is."""
    warps = -(-threads // WARP)
    max_warps = chip.threads // WARP
    limits = {"blocks": chip.blocks, "warps": max_warps // warps}
    if registers:
        a_warp = round_up(registers * WARP, REGISTER_UNIT)
        limits["registers"] = chip.registers // PARTITIONS // a_warp * PARTITIONS // warps
        # The hardware looks at a block as if it were spread evenly.
        if round_up(warps, PARTITIONS) * a_warp > chip.registers:
            limits["registers"] = 0
    shared = round_up(shared_bytes + chip.reserved_shared_bytes, chip.shared_unit)
    if shared:
        limits["shared memory"] = chip.shared_bytes // shared
    limit = min(limits, key=limits.get)
    return Occupancy(limits[limit], limits[limit] * warps, limit, max_warps)
