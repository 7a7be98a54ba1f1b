// C = A * B for row-major f32 matrices whose sizes are multiples of the tile,
// as one writes it in CUDA C++: what uop's code is compared with. The shapes are
// those of uop's default, so that what differs is the code and not the schedule:
// tiles of 128 x 128 outputs a block, 8 x 8 a thread of 16 x 16, 16 steps of k at
// once, two buffers filled by asynchronous copies of 16 bytes while the other two
// are read 16 bytes at a time, and one barrier.

#include <cuda_pipeline.h>

constexpr int kSize = 4096;
constexpr int kTile = 128;
constexpr int kStep = 16;
constexpr int kThreads = 16;
constexpr int kRows = kTile / kThreads;       // Outputs of a thread: rows, ...
constexpr int kGroups = kTile / kThreads / 4; // ... and groups of four columns.

// Each of 256 threads copies two groups of four elements of each tile.
__device__ __forceinline__ void copyTiles(float (&a)[kTile][kStep],
                                          float (&b)[kStep][kTile],
                                          const float *A, const float *B,
                                          unsigned thread) {
  constexpr int kRowsA = kThreads * kThreads * 4 / kStep;
  constexpr int kRowsB = kThreads * kThreads * 4 / kTile;
  unsigned rowA = thread / (kStep / 4), columnA = thread % (kStep / 4) * 4;
  unsigned rowB = thread / (kTile / 4), columnB = thread % (kTile / 4) * 4;
#pragma unroll
  for (int i = 0; i < kTile; i += kRowsA)
    __pipeline_memcpy_async(&a[rowA + i][columnA],
                            A + (rowA + i) * kSize + columnA, 16);
#pragma unroll
  for (int i = 0; i < kStep; i += kRowsB)
    __pipeline_memcpy_async(&b[rowB + i][columnB],
                            B + (rowB + i) * kSize + columnB, 16);
}

// Two blocks fit a multiprocessor: 128 registers a thread.
extern "C" __global__ void __launch_bounds__(kThreads *kThreads, 2)
    gemm(const float *__restrict__ A, const float *__restrict__ B,
         float *__restrict__ C) {
  __shared__ __align__(16) float a[2][kTile][kStep];
  __shared__ __align__(16) float b[2][kStep][kTile];
  unsigned tx = threadIdx.x, ty = threadIdx.y, thread = ty * kThreads + tx;
  A += blockIdx.y * kTile * kSize;
  B += blockIdx.x * kTile;
  C += blockIdx.y * kTile * kSize + blockIdx.x * kTile;

  float sums[kRows][kGroups][4] = {};
  copyTiles(a[0], b[0], A, B, thread);
  __pipeline_commit();
  for (int k = 0; k < kSize; k += kStep) {
    int current = k / kStep % 2;
    __pipeline_wait_prior(0);
    __syncthreads();
    if (k + kStep < kSize) {
      A += kStep;
      B += kStep * kSize;
      copyTiles(a[current ^ 1], b[current ^ 1], A, B, thread);
    }
    __pipeline_commit();
#pragma unroll
    for (int kk = 0; kk < kStep; kk += 4) {
      float4 rows[kRows];
#pragma unroll
      for (int i = 0; i < kRows; ++i)
        rows[i] = *reinterpret_cast<float4 *>(&a[current][ty + kThreads * i][kk]);
#pragma unroll
      for (int l = 0; l < 4; ++l)
#pragma unroll
        for (int j = 0; j < kGroups; ++j) {
          float4 column = *reinterpret_cast<float4 *>(
              &b[current][kk + l][(tx + kThreads * j) * 4]);
#pragma unroll
          for (int i = 0; i < kRows; ++i) {
            float row = l == 0   ? rows[i].x
                        : l == 1 ? rows[i].y
                        : l == 2 ? rows[i].z
                                 : rows[i].w;
            sums[i][j][0] += row * column.x;
            sums[i][j][1] += row * column.y;
            sums[i][j][2] += row * column.z;
            sums[i][j][3] += row * column.w;
          }
        }
    }
  }

#pragma unroll
  for (int i = 0; i < kRows; ++i)
#pragma unroll
    for (int j = 0; j < kGroups; ++j)
      *reinterpret_cast<float4 *>(
          &C[(ty + kThreads * i) * kSize + (tx + kThreads * j) * 4]) =
          make_float4(sums[i][j][0], sums[i][j][1], sums[i][j][2],
                      sums[i][j][3]);
}
