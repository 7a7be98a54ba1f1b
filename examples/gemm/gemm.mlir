//===- gemm.mlir - Matrix products in graph form --------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C = A * B, row-major f32. Three ranges, two loads, one reduction, one store:
// no loop order, no threads. What runs where is decided by the mapping.
//
//===----------------------------------------------------------------------===//

uop.kernel @gemm(%A: memref<64x48xf32>, %B: memref<48x32xf32>,
                 %C: memref<64x32xf32>) {
  %m = uop.range loop 64
  %n = uop.range loop 32
  %k = uop.range reduce 48
  %a = uop.load %A[%m, %k] : memref<64x48xf32>
  %b = uop.load %B[%k, %n] : memref<48x32xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<64x32xf32>
}

uop.kernel @gemm_64(%A: memref<64x64xf32>, %B: memref<64x64xf32>,
                    %C: memref<64x64xf32>) {
  %m = uop.range loop 64
  %n = uop.range loop 64
  %k = uop.range reduce 64
  %a = uop.load %A[%m, %k] : memref<64x64xf32>
  %b = uop.load %B[%k, %n] : memref<64x64xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<64x64xf32>
}
