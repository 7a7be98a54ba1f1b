// The counts of a run are those that are made without one, access by access; so
// are the totals. See test/Tools/Inputs/compare_counts.py.
// DEFINE: %{compare} = %python %S/../Tools/Inputs/compare_counts.py

// RUN: %{compare} %S/simt-kernels.mlir add_around rand nan | FileCheck %s --check-prefix=AROUND
// AROUND: @add_around: 6 accesses are equal
// RUN: %{compare} %S/simt-kernels.mlir reuse rand rand nan nan
// RUN: %{compare} %S/simt-kernels.mlir low_lanes rand nan
// RUN: %{compare} %S/simt-kernels.mlir add_guarded rand rand nan
// RUN: %{compare} %S/simt-kernels.mlir every_32nd rand nan
// RUN: %{compare} %S/simt-kernels.mlir lengths rand nan
// RUN: %{compare} %S/simt-kernels.mlir transpose_plain rand nan
// RUN: %{compare} %S/simt-kernels.mlir transpose_padded rand nan
// RUN: %{compare} %S/simt-kernels.mlir sum_strided rand nan
// RUN: %{compare} %S/simt-kernels.mlir sum_halving rand nan
// RUN: %{compare} %S/simt-kernels.mlir scan_inclusive rand nan
// RUN: %{compare} %S/simt-kernels.mlir scan_exclusive rand nan
// RUN: %{compare} %S/simt-kernels.mlir gemm_32 rand rand nan
// RUN: %{compare} %S/simt-traffic.mlir shift rand
// RUN: %{compare} %S/simt-traffic.mlir transpose_32 rand nan
// RUN: %{compare} %S/simt-traffic.mlir transpose_33_block rand nan
// RUN: %{compare} %S/simt-traffic.mlir sum_shuffle rand nan
// RUN: %{compare} %S/simt-traffic.mlir histogram rand zeros --uncounted=2
// RUN: %{compare} %S/simt-traffic.mlir gemm_block rand rand nan
// RUN: %{compare} %S/simt-traffic.mlir early_return rand nan
// RUN: %{compare} %S/simt-traffic.mlir last_block rand nan zeros nan --uncounted=2
// RUN: %{compare} %S/simt-traffic.mlir rows_128 nan
// RUN: %{compare} %S/simt-traffic.mlir rows_swizzled nan
// RUN: %{compare} %S/simt-traffic.mlir flag rand zeros --uncounted=1
// RUN: %{compare} %S/simt-traffic.mlir strides

// Warps of 64 lanes.
// RUN: %{compare} %S/simt-kernels.mlir add_guarded rand rand nan --static=warp-size=64 --run=--subgroup-size=64
// RUN: %{compare} %S/simt-kernels.mlir sum_strided rand nan --static=warp-size=64 --run=--subgroup-size=64
// RUN: %{compare} %S/simt-traffic.mlir rows_128 nan --static=warp-size=64 --run=--subgroup-size=64
// RUN: %{compare} %S/simt-traffic.mlir transpose_32 rand nan --static=warp-size=64 --run=--subgroup-size=64

!s = memref<512xf32, #gpu.address_space<workgroup>>
!tile = memref<64x16xf32, #gpu.address_space<workgroup>>
!bytes = memref<8192xi8, #gpu.address_space<workgroup>>
!half = memref<32x64xf16, #gpu.address_space<workgroup>>

// Wide accesses; of 24 bytes are 16 and 8.
// RUN: %{compare} %s widths rand rand
uop.kernel loops @widths(%h: memref<64xf16>, %q: memref<32xi8>) {
  %t = uop.range local<x> 32
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %s = uop.alloc : !s
  %t2 = arith.muli %t, %c2 : index
  %t4 = arith.muli %t, %c4 : index
  %t6 = arith.muli %t, %c6 : index
  %t8 = arith.muli %t, %c8 : index
  %a = vector.load %s[%t2] : !s, vector<2xf32>
  %b = vector.load %s[%t4] : !s, vector<4xf32>
  %c = vector.load %s[%t8] : !s, vector<8xf32>
  %k = vector.load %s[%t6] : !s, vector<6xf32>
  %d = memref.load %h[%t] : memref<64xf16>
  %e = vector.load %h[%t2] : memref<64xf16>, vector<2xf16>
  %f = memref.load %q[%t] : memref<32xi8>
  %zero = arith.constant 0.0 : f16
  %g = vector.transfer_read %h[%t2], %zero {in_bounds = [true]} : memref<64xf16>, vector<2xf16>
}

// Views begin where they say, and so do arguments with an offset.
// RUN: %{compare} %s views rand rand
uop.kernel loops @views(%x: memref<4x256xf32>, %y: memref<8x32xf32, strided<[64, 1], offset: 4>>) {
  %t = uop.range local<x> 32
  %c1 = arith.constant 1 : index
  %c132 = arith.constant 132 : index
  %row = memref.subview %x[1, 0] [1, 32] [1, 8] : memref<4x256xf32> to memref<32xf32, strided<[8], offset: 256>>
  %a = memref.load %row[%t] : memref<32xf32, strided<[8], offset: 256>>
  %b = memref.load %y[%c1, %t] : memref<8x32xf32, strided<[64, 1], offset: 4>>
  %flat = memref.collapse_shape %x [[0, 1]] : memref<4x256xf32> into memref<1024xf32>
  %c = memref.load %flat[%t] : memref<1024xf32>
  %pool = uop.alloc : !bytes
  %v = memref.view %pool[%c132][] : !bytes to memref<64x16xf32, #gpu.address_space<workgroup>>
  memref.store %a, %v[%t, %c1] : !tile
}

// The second phase has 8 threads; 100 elements by 64 threads in a loop that
// lanes run differently often.
// RUN: %{compare} %s phases rand rand
uop.kernel loops @phases(%in: memref<4x64xf32>, %x: memref<100xf32>) {
  %b = uop.range global<x> 4
  %c64 = arith.constant 64 : index
  %c100 = arith.constant 100 : index
  %s = uop.alloc : !s
  uop.phase {
    %t = uop.range local<x> 64
    %v = memref.load %in[%b, %t] : memref<4x64xf32>
    memref.store %v, %s[%t] : !s
    scf.for %i = %t to %c100 step %c64 {
      %w = memref.load %x[%i] : memref<100xf32>
    }
  }
  uop.phase {
    %t = uop.range local<x> 8
    %v = memref.load %s[%t] : !s
  }
}

// Lanes go on for different numbers of iterations of nested loops, within a
// condition: what is one request is a matter of all of these.
// RUN: %{compare} %s triangle rand nan
uop.kernel loops @triangle(%x: memref<4096xf32>, %o: memref<64xf32>) {
  %b = uop.range global<x> 2
  %t = uop.range local<x> 48
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c40 = arith.constant 40 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %n = uop.floormod %t, %c7
  scf.for %i = %c0 to %n step %c1 {
    %m = arith.addi %i, %t : index
    %r = uop.floormod %m, %c5
    scf.for %j = %c0 to %r step %c1 {
      %ij = arith.muli %i, %j : index
      %odd = uop.floormod %j, %c2
      %take = arith.cmpi eq, %odd, %c0 : index
      scf.if %take {
        %at0 = arith.muli %ij, %c64 : index
        %at = arith.addi %at0, %t : index
        %v = memref.load %x[%at] : memref<4096xf32>
      } else {
        %at = arith.muli %t, %c3 : index
        %v = memref.load %x[%at] : memref<4096xf32>
      }
    }
    %end = scf.while (%k = %t) : (index) -> index {
      %v = memref.load %x[%k] : memref<4096xf32>
      %go = arith.cmpi slt, %k, %c40 : index
      scf.condition(%go) %k : index
    } do {
    ^bb0(%k: index):
      %at = arith.muli %k, %c3 : index
      %v = memref.load %x[%at] : memref<4096xf32>
      %next0 = arith.addi %k, %i : index
      %next = arith.addi %next0, %c5 : index
      scf.yield %next : index
    }
  }
  %in = arith.cmpi slt, %t, %c40 : index
  scf.if %in {
    memref.store %zero, %o[%t] : memref<64xf32>
  }
}

// Asynchronous copies of rows of 16 bytes, the last of which are shorter: zeros
// are not read, but written.
// RUN: %{compare} %s copies rand nan
uop.kernel loops @copies(%x: memref<250xf32> {llvm.align = 16 : i64}, %o: memref<64xf32>) {
  %t = uop.range local<x> 64
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c250 = arith.constant 250 : index
  %s = uop.alloc : !s
  %i = arith.muli %t, %c4 : index
  %left = arith.subi %c250, %i : index
  %low = arith.maxsi %left, %c0 : index
  %n = arith.minsi %low, %c4 : index
  %in = arith.cmpi sgt, %left, %c0 : index
  %copy = nvgpu.device_async_copy %x[%i], %s[%i], 4, %n : memref<250xf32> to !s
  %group = nvgpu.device_async_create_group %copy
  nvgpu.device_async_wait %group
  uop.barrier
  %v = memref.load %s[%i] : !s
  memref.store %v, %o[%t] : memref<64xf32>
}

