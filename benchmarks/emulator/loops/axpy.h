//===- axpy.h - a x + y in C ------------------------------------*- C++ -*-===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UOP_BENCHMARKS_EMULATOR_LOOPS_AXPY_H
#define UOP_BENCHMARKS_EMULATOR_LOOPS_AXPY_H

#ifdef __cplusplus
extern "C" {
#endif

/* out = a x + y of n elements. */
void axpy(long n, float a, const float *x, const float *y, float *out);

#ifdef __cplusplus
}
#endif

#endif // UOP_BENCHMARKS_EMULATOR_LOOPS_AXPY_H
