// GEMM 64x64x64, one output a thread, 16x16 threads a block.
gpu.module @gemm {
  gpu.func @gemm(%A: memref<64x64xf32> {llvm.noalias, llvm.readonly},
                 %B: memref<64x64xf32> {llvm.noalias, llvm.readonly},
                 %C: memref<64x64xf32> {llvm.noalias})
      kernel attributes {known_block_size = array<i32: 16, 16, 1>, known_grid_size = array<i32: 4, 4, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %m0 = arith.muli %by, %c16 : index
    %n0 = arith.muli %bx, %c16 : index
    %m = arith.addi %m0, %ty : index
    %n = arith.addi %n0, %tx : index
    %sum = scf.for %k = %c0 to %c64 step %c1 iter_args(%acc = %zero) -> f32 {
      %a = memref.load %A[%m, %k] : memref<64x64xf32>
      %b = memref.load %B[%k, %n] : memref<64x64xf32>
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %acc, %p : f32
      scf.yield %s : f32
    }
    memref.store %sum, %C[%m, %n] : memref<64x64xf32>
    gpu.return
  }
}
