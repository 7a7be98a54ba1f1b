//===- plain_loops.c - What a C programmer writes first -------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "plain_loops.h"

void plainGemm(int n, const float *restrict A, const float *restrict B,
               float *restrict C) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      C[i * n + j] = 0;
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        C[i * n + j] += A[i * n + k] * B[k * n + j];
  }
}

void plainAxpy(int n, float a, const float *restrict x, const float *restrict y,
               float *restrict z) {
  for (int i = 0; i < n; ++i)
    z[i] = a * x[i] + y[i];
}

void plainTranspose(int n, const float *restrict X, float *restrict Y) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      Y[i * n + j] = X[j * n + i];
}

void tiledTranspose(int n, const float *restrict X, float *restrict Y) {
  for (int i0 = 0; i0 < n; i0 += 32)
    for (int j0 = 0; j0 < n; j0 += 32)
      for (int i = i0; i < n && i < i0 + 32; ++i)
        for (int j = j0; j < n && j < j0 + 32; ++j)
          Y[i * n + j] = X[j * n + i];
}
