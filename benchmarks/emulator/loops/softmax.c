//===- softmax.c - Softmax of rows in C -----------------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "softmax.h"

#include <math.h>

// softmax_vector.c has the same loops under another name.
#ifndef SOFTMAX
#define SOFTMAX softmax
#endif

void SOFTMAX(long n, const float *restrict in, float *restrict out) {
  for (long row = 0; row < n; ++row) {
    const float *restrict x = in + row * n;
    float *restrict y = out + row * n;
    float max = x[0];
    for (long i = 0; i < n; ++i)
      max = x[i] > max ? x[i] : max;
    float sum = 0;
    for (long i = 0; i < n; ++i) {
      float e = expf(x[i] - max);
      y[i] = e;
      sum += e;
    }
    float scale = 1 / sum;
    for (long i = 0; i < n; ++i)
      y[i] *= scale;
  }
}
