//===- split_loops.h - The emulator's loops, written by hand ----*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a C programmer would write for smem_gemm on a CPU: for each block of the
// grid, loops over its 16x16 threads, split where the kernel has a barrier.
// C = A * B of n x n elements, n a multiple of 16; the rows of blocks
// [firstRow, lastRow) of the grid.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_BENCHMARKS_EMULATOR_SPLIT_LOOPS_H
#define UOP_BENCHMARKS_EMULATOR_SPLIT_LOOPS_H

#ifdef __cplusplus
extern "C" {
#endif

enum { TILE = 16 };

/* Each thread walks along K: the order of the kernel's text. */
void splitLoops(int n, const float *A, const float *B, float *C, int firstRow,
                int lastRow);

/* The threads along x take each step of K together, one vector. */
void splitLoopsKOutside(int n, const float *A, const float *B, float *C,
                        int firstRow, int lastRow);

#ifdef __cplusplus
}
#endif

#endif // UOP_BENCHMARKS_EMULATOR_SPLIT_LOOPS_H
