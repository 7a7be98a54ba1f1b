// The kernel of gemm_64x64.mlir with its register tile in a private buffer and
// loops over it, as it comes from CUDA C: C = A * B of $N rows and columns.
!mat = memref<$Nx$Nxf32>
!tileA = memref<64x16xf32, #gpu.address_space<workgroup>>
!tileB = memref<16x64xf32, #gpu.address_space<workgroup>>
!acc = memref<4x4xf32, #gpu.address_space<private>>
!reg = memref<4xf32, #gpu.address_space<private>>
uop.kernel loops @gemm(%A: !mat, %B: !mat, %C: !mat) {
  %by = uop.range global<y> $N/64
  %bx = uop.range global<x> $N/64
  %ty = uop.range local<y> 16
  %tx = uop.range local<x> 16
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %N = arith.constant $N : index
  %zero = arith.constant 0.0 : f32
  %sA = uop.alloc : !tileA
  %sB = uop.alloc : !tileB
  %acc = uop.alloc : !acc
  %rx = uop.alloc : !reg
  %ry = uop.alloc : !reg
  %by64 = arith.muli %by, %c64 : index
  %bx64 = arith.muli %bx, %c64 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      memref.store %zero, %acc[%i, %j] : !acc
    }
  }
  scf.for %k0 = %c0 to %N step %c16 {
    scf.for %i = %c0 to %c4 step %c1 {
      %i16 = arith.muli %i, %c16 : index
      %r = arith.addi %i16, %ty : index
      %c = arith.addi %i16, %tx : index
      %gr = arith.addi %by64, %r : index
      %gc = arith.addi %bx64, %c : index
      %ka = arith.addi %k0, %tx : index
      %kb = arith.addi %k0, %ty : index
      %a = memref.load %A[%gr, %ka] : !mat
      %b = memref.load %B[%kb, %gc] : !mat
      memref.store %a, %sA[%r, %tx] : !tileA
      memref.store %b, %sB[%ty, %c] : !tileB
    }
    uop.barrier
    scf.for %k = %c0 to %c16 step %c1 {
      scf.for %i = %c0 to %c4 step %c1 {
        %i16 = arith.muli %i, %c16 : index
        %r = arith.addi %i16, %ty : index
        %c = arith.addi %i16, %tx : index
        %x = memref.load %sA[%r, %k] : !tileA
        %y = memref.load %sB[%k, %c] : !tileB
        memref.store %x, %rx[%i] : !reg
        memref.store %y, %ry[%i] : !reg
      }
      scf.for %i = %c0 to %c4 step %c1 {
        scf.for %j = %c0 to %c4 step %c1 {
          %x = memref.load %rx[%i] : !reg
          %y = memref.load %ry[%j] : !reg
          %s = memref.load %acc[%i, %j] : !acc
          %n = math.fma %x, %y, %s : f32
          memref.store %n, %acc[%i, %j] : !acc
        }
      }
    }
    uop.barrier
  }
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %i16 = arith.muli %i, %c16 : index
      %j16 = arith.muli %j, %c16 : index
      %r0 = arith.addi %i16, %ty : index
      %cj = arith.addi %j16, %tx : index
      %r = arith.addi %by64, %r0 : index
      %c = arith.addi %bx64, %cj : index
      %s = memref.load %acc[%i, %j] : !acc
      memref.store %s, %C[%r, %c] : !mat
    }
  }
}
