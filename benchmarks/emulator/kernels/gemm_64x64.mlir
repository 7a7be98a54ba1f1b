// A register tile of 4x4 outputs a thread, 16x16 threads a block, 64x64 outputs a
// block, 16 steps of k at a time through shared memory: C = A * B of $N rows and
// columns. A thread owns the rows ty + 16 i and the columns tx + 16 j, so that
// neighbouring threads read and write neighbouring words, without a conflict of
// banks.
!mat = memref<$Nx$Nxf32>
!tileA = memref<64x16xf32, #gpu.address_space<workgroup>>
!tileB = memref<16x64xf32, #gpu.address_space<workgroup>>
uop.kernel loops @gemm(%A: !mat, %B: !mat, %C: !mat) {
  %by = uop.range global<y> $N/64
  %bx = uop.range global<x> $N/64
  %ty = uop.range local<y> 16
  %tx = uop.range local<x> 16
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %N = arith.constant $N : index
  %zero = arith.constant 0.0 : f32
  %sA = uop.alloc : !tileA
  %sB = uop.alloc : !tileB
  %ty1 = arith.addi %ty, %c16 : index
  %ty2 = arith.addi %ty1, %c16 : index
  %ty3 = arith.addi %ty2, %c16 : index
  %tx1 = arith.addi %tx, %c16 : index
  %tx2 = arith.addi %tx1, %c16 : index
  %tx3 = arith.addi %tx2, %c16 : index
  %by64 = arith.muli %by, %c64 : index
  %bx64 = arith.muli %bx, %c64 : index
  %row0 = arith.addi %by64, %ty : index
  %row1 = arith.addi %by64, %ty1 : index
  %row2 = arith.addi %by64, %ty2 : index
  %row3 = arith.addi %by64, %ty3 : index
  %col0 = arith.addi %bx64, %tx : index
  %col1 = arith.addi %bx64, %tx1 : index
  %col2 = arith.addi %bx64, %tx2 : index
  %col3 = arith.addi %bx64, %tx3 : index
  %sum:16 = scf.for %k0 = %c0 to %N step %c16
      iter_args(%a00 = %zero, %a01 = %zero, %a02 = %zero, %a03 = %zero,
                %a10 = %zero, %a11 = %zero, %a12 = %zero, %a13 = %zero,
                %a20 = %zero, %a21 = %zero, %a22 = %zero, %a23 = %zero,
                %a30 = %zero, %a31 = %zero, %a32 = %zero, %a33 = %zero)
      -> (f32, f32, f32, f32,
          f32, f32, f32, f32,
          f32, f32, f32, f32,
          f32, f32, f32, f32) {
    %ka = arith.addi %k0, %tx : index
    %kb = arith.addi %k0, %ty : index
    %ga0 = memref.load %A[%row0, %ka] : !mat
    %ga1 = memref.load %A[%row1, %ka] : !mat
    %ga2 = memref.load %A[%row2, %ka] : !mat
    %ga3 = memref.load %A[%row3, %ka] : !mat
    %gb0 = memref.load %B[%kb, %col0] : !mat
    %gb1 = memref.load %B[%kb, %col1] : !mat
    %gb2 = memref.load %B[%kb, %col2] : !mat
    %gb3 = memref.load %B[%kb, %col3] : !mat
    memref.store %ga0, %sA[%ty, %tx] : !tileA
    memref.store %ga1, %sA[%ty1, %tx] : !tileA
    memref.store %ga2, %sA[%ty2, %tx] : !tileA
    memref.store %ga3, %sA[%ty3, %tx] : !tileA
    memref.store %gb0, %sB[%ty, %tx] : !tileB
    memref.store %gb1, %sB[%ty, %tx1] : !tileB
    memref.store %gb2, %sB[%ty, %tx2] : !tileB
    memref.store %gb3, %sB[%ty, %tx3] : !tileB
    uop.barrier
    %part:16 = scf.for %k = %c0 to %c16 step %c1
        iter_args(%s00 = %a00, %s01 = %a01, %s02 = %a02, %s03 = %a03,
                  %s10 = %a10, %s11 = %a11, %s12 = %a12, %s13 = %a13,
                  %s20 = %a20, %s21 = %a21, %s22 = %a22, %s23 = %a23,
                  %s30 = %a30, %s31 = %a31, %s32 = %a32, %s33 = %a33)
        -> (f32, f32, f32, f32,
            f32, f32, f32, f32,
            f32, f32, f32, f32,
            f32, f32, f32, f32) {
      %x0 = memref.load %sA[%ty, %k] : !tileA
      %x1 = memref.load %sA[%ty1, %k] : !tileA
      %x2 = memref.load %sA[%ty2, %k] : !tileA
      %x3 = memref.load %sA[%ty3, %k] : !tileA
      %y0 = memref.load %sB[%k, %tx] : !tileB
      %y1 = memref.load %sB[%k, %tx1] : !tileB
      %y2 = memref.load %sB[%k, %tx2] : !tileB
      %y3 = memref.load %sB[%k, %tx3] : !tileB
      %f00 = math.fma %x0, %y0, %s00 : f32
      %f01 = math.fma %x0, %y1, %s01 : f32
      %f02 = math.fma %x0, %y2, %s02 : f32
      %f03 = math.fma %x0, %y3, %s03 : f32
      %f10 = math.fma %x1, %y0, %s10 : f32
      %f11 = math.fma %x1, %y1, %s11 : f32
      %f12 = math.fma %x1, %y2, %s12 : f32
      %f13 = math.fma %x1, %y3, %s13 : f32
      %f20 = math.fma %x2, %y0, %s20 : f32
      %f21 = math.fma %x2, %y1, %s21 : f32
      %f22 = math.fma %x2, %y2, %s22 : f32
      %f23 = math.fma %x2, %y3, %s23 : f32
      %f30 = math.fma %x3, %y0, %s30 : f32
      %f31 = math.fma %x3, %y1, %s31 : f32
      %f32 = math.fma %x3, %y2, %s32 : f32
      %f33 = math.fma %x3, %y3, %s33 : f32
      scf.yield %f00, %f01, %f02, %f03,
                %f10, %f11, %f12, %f13,
                %f20, %f21, %f22, %f23,
                %f30, %f31, %f32, %f33
          : f32, f32, f32, f32,
            f32, f32, f32, f32,
            f32, f32, f32, f32,
            f32, f32, f32, f32
    }
    uop.barrier
    scf.yield %part#0, %part#1, %part#2, %part#3,
              %part#4, %part#5, %part#6, %part#7,
              %part#8, %part#9, %part#10, %part#11,
              %part#12, %part#13, %part#14, %part#15
        : f32, f32, f32, f32,
          f32, f32, f32, f32,
          f32, f32, f32, f32,
          f32, f32, f32, f32
  }
  memref.store %sum#0, %C[%row0, %col0] : !mat
  memref.store %sum#1, %C[%row0, %col1] : !mat
  memref.store %sum#2, %C[%row0, %col2] : !mat
  memref.store %sum#3, %C[%row0, %col3] : !mat
  memref.store %sum#4, %C[%row1, %col0] : !mat
  memref.store %sum#5, %C[%row1, %col1] : !mat
  memref.store %sum#6, %C[%row1, %col2] : !mat
  memref.store %sum#7, %C[%row1, %col3] : !mat
  memref.store %sum#8, %C[%row2, %col0] : !mat
  memref.store %sum#9, %C[%row2, %col1] : !mat
  memref.store %sum#10, %C[%row2, %col2] : !mat
  memref.store %sum#11, %C[%row2, %col3] : !mat
  memref.store %sum#12, %C[%row3, %col0] : !mat
  memref.store %sum#13, %C[%row3, %col1] : !mat
  memref.store %sum#14, %C[%row3, %col2] : !mat
  memref.store %sum#15, %C[%row3, %col3] : !mat
}
