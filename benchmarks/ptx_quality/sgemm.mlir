// The same product as in sgemm.cu, in graph form; the default schedule gives it
// the same tiles.
uop.kernel @gemm(%A: memref<4096x4096xf32>, %B: memref<4096x4096xf32>,
                 %C: memref<4096x4096xf32>) {
  %m = uop.range loop 4096
  %n = uop.range loop 4096
  %k = uop.range reduce 4096
  %a = uop.load %A[%m, %k] : memref<4096x4096xf32>
  %b = uop.load %B[%k, %n] : memref<4096x4096xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<4096x4096xf32>
}
