//===- softmax.h - Softmax of rows in C -------------------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The softmax of each row of n x n elements.
//
//===----------------------------------------------------------------------===//

#ifndef UOP_BENCHMARKS_EMULATOR_LOOPS_SOFTMAX_H
#define UOP_BENCHMARKS_EMULATOR_LOOPS_SOFTMAX_H

#ifdef __cplusplus
extern "C" {
#endif

/* With the C library's expf, one element after another. */
void softmax(long n, const float *in, float *out);

/* The same loops, for which the compiler may reorder sums and call vector
   functions of the C library. */
void softmaxVector(long n, const float *in, float *out);

#ifdef __cplusplus
}
#endif

#endif // UOP_BENCHMARKS_EMULATOR_LOOPS_SOFTMAX_H
