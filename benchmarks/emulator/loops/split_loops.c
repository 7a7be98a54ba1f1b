//===- split_loops.c - The emulator's loops, written by hand --------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "split_loops.h"

void splitLoops(int n, const float *restrict A, const float *restrict B,
                float *restrict C, int firstRow, int lastRow) {
  for (int by = firstRow; by < lastRow; ++by)
    for (int bx = 0; bx < n / TILE; ++bx) {
      float sA[TILE][TILE], sB[TILE][TILE], sum[TILE][TILE] = {{0}};
      for (int k0 = 0; k0 < n; k0 += TILE) {
        for (int ty = 0; ty < TILE; ++ty)
          for (int tx = 0; tx < TILE; ++tx) {
            sA[ty][tx] = A[(by * TILE + ty) * n + k0 + tx];
            sB[ty][tx] = B[(k0 + ty) * n + bx * TILE + tx];
          }
        for (int ty = 0; ty < TILE; ++ty)
          for (int tx = 0; tx < TILE; ++tx) {
            float s = sum[ty][tx];
            for (int k = 0; k < TILE; ++k)
              s += sA[ty][k] * sB[k][tx];
            sum[ty][tx] = s;
          }
      }
      for (int ty = 0; ty < TILE; ++ty)
        for (int tx = 0; tx < TILE; ++tx)
          C[(by * TILE + ty) * n + bx * TILE + tx] = sum[ty][tx];
    }
}

void splitLoopsKOutside(int n, const float *restrict A, const float *restrict B,
                        float *restrict C, int firstRow, int lastRow) {
  for (int by = firstRow; by < lastRow; ++by)
    for (int bx = 0; bx < n / TILE; ++bx) {
      float sA[TILE][TILE], sB[TILE][TILE], sum[TILE][TILE] = {{0}};
      for (int k0 = 0; k0 < n; k0 += TILE) {
        for (int ty = 0; ty < TILE; ++ty)
          for (int tx = 0; tx < TILE; ++tx) {
            sA[ty][tx] = A[(by * TILE + ty) * n + k0 + tx];
            sB[ty][tx] = B[(k0 + ty) * n + bx * TILE + tx];
          }
        for (int ty = 0; ty < TILE; ++ty) {
          float s[TILE];
          for (int tx = 0; tx < TILE; ++tx)
            s[tx] = sum[ty][tx];
          for (int k = 0; k < TILE; ++k)
            for (int tx = 0; tx < TILE; ++tx)
              s[tx] += sA[ty][k] * sB[k][tx];
          for (int tx = 0; tx < TILE; ++tx)
            sum[ty][tx] = s[tx];
        }
      }
      for (int ty = 0; ty < TILE; ++ty)
        for (int tx = 0; tx < TILE; ++tx)
          C[(by * TILE + ty) * n + bx * TILE + tx] = sum[ty][tx];
    }
}
