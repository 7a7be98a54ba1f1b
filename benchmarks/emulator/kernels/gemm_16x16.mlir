// One output a thread, 16x16 threads a block, two tiles of 16x16 in shared
// memory: the kernel of examples/smem_gemm, C = A * B of $N rows and columns.
!mat = memref<$Nx$Nxf32>
!tile = memref<16x16xf32, #gpu.address_space<workgroup>>
uop.kernel loops @gemm(%A: !mat, %B: !mat, %C: !mat) {
  %by = uop.range global<y> $N/16
  %bx = uop.range global<x> $N/16
  %ty = uop.range local<y> 16
  %tx = uop.range local<x> 16
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %T = arith.constant 16 : index
  %N = arith.constant $N : index
  %zero = arith.constant 0.0 : f32
  %sA = uop.alloc : !tile
  %sB = uop.alloc : !tile
  %by16 = arith.muli %by, %T : index
  %bx16 = arith.muli %bx, %T : index
  %row = arith.addi %by16, %ty : index
  %col = arith.addi %bx16, %tx : index
  %sum = scf.for %k0 = %c0 to %N step %T iter_args(%acc = %zero) -> f32 {
    %ka = arith.addi %k0, %tx : index
    %kb = arith.addi %k0, %ty : index
    %a = memref.load %A[%row, %ka] : !mat
    %b = memref.load %B[%kb, %col] : !mat
    memref.store %a, %sA[%ty, %tx] : !tile
    memref.store %b, %sB[%ty, %tx] : !tile
    uop.barrier
    %part = scf.for %k = %c0 to %T step %c1 iter_args(%s = %acc) -> f32 {
      %x = memref.load %sA[%ty, %k] : !tile
      %y = memref.load %sB[%k, %tx] : !tile
      %next = math.fma %x, %y, %s : f32
      scf.yield %next : f32
    }
    uop.barrier
    scf.yield %part : f32
  }
  memref.store %sum, %C[%row, %col] : !mat
}
