// GEMM 64x64x64 in graph form, 16x16 threads a block, 2x2 outputs a thread.
uop.kernel @gemm(%A: memref<64x64xf32>, %B: memref<64x64xf32>,
                 %C: memref<64x64xf32>)
    attributes {schedule = #uop.schedule<[LOCAL 0:16, LOCAL 1:16,
                                       UPCAST 0:2, UPCAST 1:2]>} {
  %m = uop.range loop 64
  %n = uop.range loop 64
  %k = uop.range reduce 64
  %a = uop.load %A[%m, %k] : memref<64x64xf32>
  %b = uop.load %B[%k, %n] : memref<64x64xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<64x64xf32>
}
