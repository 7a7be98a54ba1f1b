//===- plain_loops.h - What a C programmer writes first ---------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_BENCHMARKS_LOOPS_PLAIN_LOOPS_H
#define UOP_BENCHMARKS_LOOPS_PLAIN_LOOPS_H

#ifdef __cplusplus
extern "C" {
#endif

/* C = A * B of n x n elements, the loop over k in the middle. */
void plainGemm(int n, const float *A, const float *B, float *C);

/* z = a * x + y of n elements. */
void plainAxpy(int n, float a, const float *x, const float *y, float *z);

/* Y is X transposed, n x n; the second one in tiles of 32x32. */
void plainTranspose(int n, const float *X, float *Y);
void tiledTranspose(int n, const float *X, float *Y);

#ifdef __cplusplus
}
#endif

#endif // UOP_BENCHMARKS_LOOPS_PLAIN_LOOPS_H
