// Layouts of shared memory, chosen by their wavefronts.
// RUN: split-file %s %t

//--- transpose.mlir
// A column of 32x32 floats lies in one bank: 32 wavefronts for a read of it,
// one with each of the layouts. The fewest bytes win.
// RUN: uop-opt %t/transpose.mlir --uop-layout-shared=remarks 2>&1 | FileCheck %t/transpose.mlir --check-prefixes=XOR,BOTH
// RUN: uop-opt %t/transpose.mlir --uop-layout-shared="layout=xor remarks" 2>&1 | FileCheck %t/transpose.mlir --check-prefixes=XOR,BOTH
// RUN: uop-opt %t/transpose.mlir --uop-layout-shared="layout=rotate remarks" 2>&1 | FileCheck %t/transpose.mlir --check-prefixes=ROTATE,BOTH
// RUN: uop-opt %t/transpose.mlir --uop-layout-shared="layout=pad remarks" 2>&1 | FileCheck %t/transpose.mlir --check-prefix=PAD
// RUN: uop-opt %t/transpose.mlir --uop-layout-shared="layout=plain remarks" 2>&1 | FileCheck %t/transpose.mlir --check-prefix=PLAIN
// XOR: @transpose: the layout of 'memref<32x32xf32, #gpu.address_space<workgroup>>' is xor 1, wavefronts of a block 1056 -> 64, bytes 4096 -> 4096
// ROTATE: is rotate 1, wavefronts of a block 1056 -> 64, bytes 4096 -> 4096
// PAD: is pad 1, wavefronts of a block 1056 -> 64, bytes 4096 -> 4224
// PLAIN: is plain, wavefronts of a block 1056, bytes 4096{{$}}

// The store and the load are rewritten alike, with the row from their own
// indices: as many rows as chunks need no remainder.
// BOTH: %[[X:.*]] = uop.range local<x> 32
// BOTH: %[[Y:.*]] = uop.range local<y> 32
// BOTH: %[[S:.*]] = uop.alloc {layout = #uop.tile_layout<plain>} : memref<32x32xf32, #gpu.address_space<workgroup>>
// XOR: %[[I:.*]] = arith.xori %[[X]], %[[Y]] : index
// ROTATE: %[[A:.*]] = arith.addi %[[X]], %[[Y]] : index
// ROTATE: %[[I:.*]] = uop.floormod %[[A]], %c32
// BOTH: memref.store %{{.*}}, %[[S]][%[[Y]], %[[I]]]
// XOR: %[[J:.*]] = arith.xori %[[Y]], %[[X]] : index
// BOTH: memref.load %[[S]][%[[X]],

// PAD: %[[S:.*]] = uop.alloc {layout = #uop.tile_layout<plain>} : memref<32x33xf32, #gpu.address_space<workgroup>>
// PAD: memref.store %{{.*}}, %[[S]][%local_0, %local] : memref<32x33xf32,
// PAD: memref.load %[[S]][%local, %local_0] : memref<32x33xf32,

// PLAIN: uop.alloc : memref<32x32xf32,

// Nothing is laid out twice.
// RUN: uop-opt %t/transpose.mlir --uop-layout-shared -o %t/once.mlir
// RUN: uop-opt %t/once.mlir --uop-layout-shared=layout=rotate | diff %t/once.mlir -
// No request conflicts any more, by the count of the traffic.
// RUN: uop-opt %t/once.mlir --uop-print-traffic -o /dev/null 2>&1 | FileCheck %t/transpose.mlir --check-prefix=TRAFFIC
// TRAFFIC: shared loads: 32 requests, 1024 elements, 32 wavefronts (ideal 32); shared stores: 32 requests, 1024 elements, 32 wavefronts (ideal 32)
!tile = memref<32x32xf32, #gpu.address_space<workgroup>>
uop.kernel loops @transpose(%in: memref<32x32xf32>, %out: memref<32x32xf32>) {
  %x = uop.range local<x> 32
  %y = uop.range local<y> 32
  %s = uop.alloc : !tile
  %v = memref.load %in[%y, %x] : memref<32x32xf32>
  memref.store %v, %s[%y, %x] : !tile
  uop.barrier
  %w = memref.load %s[%x, %y] : !tile
  memref.store %w, %out[%y, %x] : memref<32x32xf32>
}

//--- chunks.mlir
// Rows of 16 bytes, 128 bytes apart: 32 wavefronts, 4 with chunks of 4 floats.
// Wider padding keeps them aligned.
// RUN: uop-opt %t/chunks.mlir --uop-layout-shared=remarks 2>&1 | FileCheck %t/chunks.mlir
// RUN: uop-opt %t/chunks.mlir --uop-layout-shared="layout=pad remarks" 2>&1 | FileCheck %t/chunks.mlir --check-prefix=PAD
// RUN: uop-opt %t/chunks.mlir --uop-layout-shared --uop-print-traffic -o /dev/null 2>&1 | FileCheck %t/chunks.mlir --check-prefix=TRAFFIC
// TRAFFIC: shared store: 2 requests, 4 wf x2 (ideal 8)
// TRAFFIC: shared load: 2 requests, 4 wf x2 (ideal 8)
// CHECK: is xor 4, wavefronts of a block 128 -> 16, bytes 4096 -> 4096
// PAD: is pad 4, wavefronts of a block 128 -> 16, bytes 4096 -> 4608
// Chunk c of row r goes to c ^ (r mod 8): column 4c ^ 4(r mod 8).
// CHECK: %[[T:.*]] = uop.range local<x> 32
// CHECK: %[[I:.*]] = arith.muli %{{.*}}, %c4 : index
// CHECK: %[[R:.*]] = uop.floormod %[[T]], %c8{{.*}}
// CHECK: %[[R4:.*]] = arith.muli %[[R]], %c4{{.*}} : index
// CHECK: %[[J:.*]] = arith.xori %[[I]], %[[R4]] : index
// CHECK: vector.store %{{.*}}, %{{.*}}[%[[T]], %[[J]]]
!t32 = memref<32x32xf32, #gpu.address_space<workgroup>>
uop.kernel loops @chunks(%o: memref<32x8xf32>) {
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %v = arith.constant dense<1.0> : vector<4xf32>
  %s = uop.alloc : !t32
  scf.for %c = %c0 to %c2 step %c1 {
    %i = arith.muli %c, %c4 : index
    vector.store %v, %s[%t, %i] : !t32, vector<4xf32>
    %x = vector.load %s[%t, %i] : !t32, vector<4xf32>
    vector.store %x, %o[%t, %i] : memref<32x8xf32>, vector<4xf32>
  }
}

//--- stays.mlir
// What has no conflicts stays as it is; so does what cannot be laid out: one
// row, memory that is used otherwise, a wide access that may straddle chunks.
// RUN: uop-opt %t/stays.mlir --uop-layout-shared="layout=rotate remarks" --verify-diagnostics | FileCheck %t/stays.mlir
!tile = memref<32x32xf32, #gpu.address_space<workgroup>>
!line = memref<1024xf32, #gpu.address_space<workgroup>>
!view = memref<1024xf32, #gpu.address_space<workgroup>>
uop.kernel loops @stays(%x: memref<1024xf32>, %n: index) {
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %v = memref.load %x[%t] : memref<1024xf32>
  %i = arith.muli %t, %c32 : index
  // CHECK-COUNT-4: uop.alloc : memref
  // expected-remark@+1 {{is plain, wavefronts of a block 1, bytes 4096}}
  %none = uop.alloc : !tile
  memref.store %v, %none[%c0, %t] : !tile
  // expected-remark@+1 {{is plain, wavefronts of a block 32, bytes 4096; it stays plain, since the tile has one row}}
  %row = uop.alloc : !line
  memref.store %v, %row[%i] : !line
  // expected-remark@+1 {{is plain, wavefronts of a block 32, bytes 4096; it stays plain, since it is used by memref.collapse_shape, which is no direct access to elements or rows}}
  %used = uop.alloc : !tile
  %flat = memref.collapse_shape %used [[0, 1]] : !tile into !view
  memref.store %v, %flat[%i] : !view
  // expected-remark@+1 {{is plain, wavefronts of a block 1056, bytes 4096; it stays plain, since vector.load accesses 2 elements at an index that is not proved to be a multiple of that, and may straddle two chunks}}
  %wide = uop.alloc : !tile
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %c32 step %c1 {
    memref.store %v, %wide[%t, %k] : !tile
  }
  %w = vector.load %wide[%t, %n] : !tile, vector<2xf32>
}

//--- kinds.mlir
// Rows of 24 chunks are no power of two: rotate, but not xor; of doubles, half a
// warp at a time, the rows 2q + b lie from bank 16b on, and are moved by 2q. Three dimensions:
// a row is counted over the first two. Of half precision two elements are a word,
// which moves as a whole. The last has an explicit layout.
// RUN: uop-opt %t/kinds.mlir --uop-layout-shared=remarks --verify-diagnostics | FileCheck %t/kinds.mlir
!t24 = memref<32x24xf64, #gpu.address_space<workgroup>>
!t3 = memref<2x32x32xf32, #gpu.address_space<workgroup>>
!h = memref<32x64xf16, #gpu.address_space<workgroup>>
uop.kernel loops @kinds(%x: memref<32xf32>, %y: memref<32xf64>, %z: memref<32xf16>) {
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %v = memref.load %x[%t] : memref<32xf32>
  %w = memref.load %y[%t] : memref<32xf64>
  %u = memref.load %z[%t] : memref<32xf16>
  // expected-remark@+1 {{is rotate 1, 2, wavefronts of a block 16 -> 2, bytes 6144 -> 6144}}
  %a = uop.alloc : !t24
  // CHECK: %[[T:.*]] = uop.range local<x> 32
  // CHECK: %[[H:.*]] = uop.floordiv %[[T]], %c2
  // CHECK: %[[P:.*]] = arith.addi %[[H]], %c3 : index
  // CHECK: %[[Q:.*]] = uop.floormod %[[P]], %c24
  // CHECK: memref.store %{{.*}}, %{{.*}}[%[[T]], %[[Q]]] : memref<32x24xf64
  memref.store %w, %a[%t, %c3] : !t24
  // expected-remark@+1 {{is xor 1, wavefronts of a block 64 -> 2, bytes 8192 -> 8192}}
  %b = uop.alloc : !t3
  scf.for %k = %c0 to %c2 step %c1 {
    // CHECK: %[[K:.*]] = arith.muli %[[I:.*]], %c32{{.*}} : index
    // CHECK: %[[R:.*]] = arith.addi %[[K]], %[[T]] : index
    // CHECK: %[[M:.*]] = uop.floormod %[[R]], %c32
    // CHECK: %[[C:.*]] = arith.xori %[[M]], %c6 : index
    // CHECK: memref.store %{{.*}}, %{{.*}}[%[[I]], %[[T]], %[[C]]] : memref<2x32x32xf32
    memref.store %v, %b[%k, %t, %c6] : !t3
  }
  // expected-remark@+1 {{is xor 2, wavefronts of a block 32 -> 1, bytes 4096 -> 4096}}
  %h = uop.alloc : !h
  memref.store %u, %h[%t, %c1] : !h
  // expected-remark@+1 {{is pad 3, wavefronts of a block 32 -> 1, bytes 8192 -> 8960}}
  %e = uop.alloc {layout = #uop.tile_layout<pad 3>} : !t3
  // CHECK: memref.store %{{.*}}, %{{.*}}[%c0, %[[T]], %c1] : memref<2x32x35xf32
  memref.store %v, %e[%c0, %t, %c1] : !t3
}

//--- unknown.mlir
// An access counts if it may take place, and a loop whose end is not known once.
// RUN: uop-opt %t/unknown.mlir --uop-layout-shared=remarks --verify-diagnostics -o /dev/null
!tile = memref<32x32xf32, #gpu.address_space<workgroup>>
uop.kernel loops @unknown(%n: index, %x: memref<32xf32>) {
  %blocks = uop.range global<x> %n
  %t = uop.range local<x> 32
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  // expected-remark@+1 {{is xor 1, wavefronts of a block 33 -> 2, bytes 4096 -> 4096}}
  %s = uop.alloc : !tile
  %v = memref.load %x[%t] : memref<32xf32>
  %p = arith.cmpf ogt, %v, %zero : f32
  scf.for %k = %c0 to %n step %c8 {
    scf.if %p {
      memref.store %v, %s[%t, %k] : !tile
    }
    %w = memref.load %s[%c8, %t] : !tile
  }
}

// An unknown divisor is no error.
uop.kernel loops @quotient(%n: index, %x: memref<32xf32>) {
  %t = uop.range local<x> 32
  // expected-remark@+1 {{is xor 1, wavefronts of a block 32 -> 1, bytes 4096 -> 4096}}
  %s = uop.alloc : !tile
  %v = memref.load %x[%t] : memref<32xf32>
  %q = uop.floordiv %t, %n
  memref.store %v, %s[%t, %q] : !tile
}
