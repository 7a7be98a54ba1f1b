// The same as gemm.mlir: GEMM 64x64x64, one output a thread, 16x16 threads
// a block.
extern "C" __global__ void __launch_bounds__(256)
    gemm(const float *__restrict__ A, const float *__restrict__ B,
         float *__restrict__ C) {
  int m = blockIdx.y * 16 + threadIdx.y;
  int n = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 64; ++k)
    sum += A[m * 64 + k] * B[k * 64 + n];
  C[m * 64 + n] = sum;
}
