//===- axpy.c - a x + y in C ----------------------------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "axpy.h"

void axpy(long n, float a, const float *restrict x, const float *restrict y,
          float *restrict out) {
  for (long i = 0; i < n; ++i)
    out[i] = a * x[i] + y[i];
}
