// The kernels of gemm_16x16.mlir and gemm_64x64.mlir in OpenCL C.

__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void gemm_16x16(int n, __global const float *restrict A,
                __global const float *restrict B, __global float *restrict C) {
  __local float sA[16][16], sB[16][16];
  int tx = get_local_id(0), ty = get_local_id(1);
  int row = get_group_id(1) * 16 + ty, col = get_group_id(0) * 16 + tx;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += 16) {
    sA[ty][tx] = A[row * n + k0 + tx];
    sB[ty][tx] = B[(k0 + ty) * n + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k)
      sum = fma(sA[ty][k], sB[k][tx], sum);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  C[row * n + col] = sum;
}

__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void gemm_64x64(int n, __global const float *restrict A,
                __global const float *restrict B, __global float *restrict C) {
  __local float sA[64][16], sB[16][64];
  int tx = get_local_id(0), ty = get_local_id(1);
  int row = get_group_id(1) * 64 + ty, col = get_group_id(0) * 64 + tx;
  float sum[4][4] = {{0}};
  for (int k0 = 0; k0 < n; k0 += 16) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      sA[ty + 16 * i][tx] = A[(row + 16 * i) * n + k0 + tx];
      sB[ty][tx + 16 * i] = B[(k0 + ty) * n + col + 16 * i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k) {
      float x[4], y[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        x[i] = sA[ty + 16 * i][k];
        y[i] = sB[k][tx + 16 * i];
      }
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
          sum[i][j] = fma(x[i], y[j], sum[i][j]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j)
      C[(row + 16 * i) * n + col + 16 * j] = sum[i][j];
}
