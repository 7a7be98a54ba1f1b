// The same as gemm_2x2.mlir: GEMM 64x64x64, 16x16 threads a block, 2x2 outputs
// a thread, 16 apart along each axis.
extern "C" __global__ void __launch_bounds__(256)
    gemm(const float *__restrict__ A, const float *__restrict__ B,
         float *__restrict__ C) {
  int m = blockIdx.y * 32 + threadIdx.y;
  int n = blockIdx.x * 32 + threadIdx.x;
  float sum[2][2] = {};
  for (int k = 0; k < 64; ++k)
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        sum[i][j] += A[(m + i * 16) * 64 + k] * B[k * 64 + n + j * 16];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      C[(m + i * 16) * 64 + n + j * 16] = sum[i][j];
}
