// Adjacent accesses become one where the first of them is aligned.
// RUN: uop-opt %s --uop-widen-accesses | FileCheck %s

!shared = memref<64xf32, #gpu.address_space<workgroup>>
!odd = memref<7x6xf32, #gpu.address_space<workgroup>>

// Four loads where the first of them is, four stores where the last is.
// CHECK-LABEL: uop.kernel loops @four(
// CHECK:         %[[I:.*]] = arith.muli
// CHECK-NOT:     memref
// CHECK:         %[[V:.*]] = vector.load %{{.*}}[%[[I]]] {alignment = 16 : i64} : memref<256xf32>{{.*}}, vector<4xf32>
// CHECK-NEXT:    %[[A:.*]] = vector.extract %[[V]][0]
// CHECK-NEXT:    %[[B:.*]] = vector.extract %[[V]][1]
// CHECK-NEXT:    %[[C:.*]] = vector.extract %[[V]][2]
// CHECK-NEXT:    %[[D:.*]] = vector.extract %[[V]][3]
// CHECK-NOT:     memref
// CHECK:         %[[SUM:.*]] = arith.addf %[[A]], %[[D]]
// CHECK-NEXT:    %[[W:.*]] = vector.from_elements %[[SUM]], %[[C]], %[[B]], %[[A]] : vector<4xf32>
// CHECK-NEXT:    vector.store %[[W]], %{{.*}}[%[[I]]] {alignment = 16 : i64} : memref<256xf32>{{.*}}, vector<4xf32>
// CHECK-NOT:     memref.{{load|store}}
uop.kernel loops @four(%x: memref<256xf32> {llvm.align = 16 : i64}, %y: memref<256xf32> {llvm.align = 32 : i64}) {
  %t = uop.range local<x> 64
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %i = arith.muli %t, %c4 : index
  %i1 = arith.addi %i, %c1 : index
  %i2 = arith.addi %i, %c2 : index
  %i3 = arith.addi %c3, %i : index
  %a = memref.load %x[%i] : memref<256xf32>
  %b = memref.load %x[%i1] : memref<256xf32>
  %c = memref.load %x[%i2] : memref<256xf32>
  memref.store %c, %y[%i1] : memref<256xf32>
  memref.store %a, %y[%i3] : memref<256xf32>
  memref.store %b, %y[%i2] : memref<256xf32>
  %d = memref.load %x[%i3] : memref<256xf32>
  %sum = arith.addf %a, %d : f32
  memref.store %sum, %y[%i] : memref<256xf32>
}

// The first element need not be the first that is loaded, nor be loaded by one
// load; the index of the first access serves where its own is not known yet.
// CHECK-LABEL: uop.kernel loops @order(
// CHECK:         %[[I:.*]] = arith.muli
// CHECK:         %[[I1:.*]] = arith.addi %[[I]]
// CHECK:         %[[V:.*]] = vector.load %{{.*}}[%[[I]]] {alignment = 8 : i64}
// CHECK:         %[[J1:.*]] = arith.subi
// CHECK:         %[[BACK:.*]] = arith.constant -1 : index
// CHECK-NEXT:    %[[J:.*]] = arith.addi %[[J1]], %[[BACK]]
// CHECK-NEXT:    vector.load %{{.*}}[%[[J]]] {alignment = 8 : i64}
// CHECK-NOT:     memref.load
uop.kernel loops @order(%x: memref<256xf32> {llvm.align = 8 : i64}, %y: memref<64xf32>) {
  %t = uop.range local<x> 64
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %i = arith.muli %t, %c2 : index
  %i1 = arith.addi %i, %c1 : index
  %a = memref.load %x[%i1] : memref<256xf32>
  %b = memref.load %x[%i] : memref<256xf32>
  %c = memref.load %x[%i1] : memref<256xf32>
  %i2 = arith.addi %i, %c128 : index
  %i3 = arith.addi %i2, %c2 : index
  %j1 = arith.subi %i3, %c1 : index
  %d = memref.load %x[%j1] : memref<256xf32>
  %j = arith.addi %i, %c128 : index
  %e = memref.load %x[%j] : memref<256xf32>
  %s0 = arith.addf %a, %b : f32
  %s1 = arith.addf %c, %d : f32
  %s2 = arith.addf %s0, %s1 : f32
  %s3 = arith.addf %s2, %e : f32
  memref.store %s3, %y[%t] : memref<64xf32>
}

// In place: the elements differ. The same element twice does not.
// CHECK-LABEL: uop.kernel loops @in_place(
// CHECK:         %[[V:.*]] = vector.load
// CHECK-NOT:     {{load|store}}
// CHECK:         vector.store
// CHECK-NOT:     {{load|store}}
// CHECK:         memref.load
// CHECK-NOT:     {{load|store}}
// CHECK:         memref.store
// CHECK-NOT:     {{load|store}}
// CHECK:         vector.load
// CHECK:         }
uop.kernel loops @in_place(%x: memref<128xf32> {llvm.align = 8 : i64}) {
  %t = uop.range local<x> 64
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = arith.muli %t, %c2 : index
  %i1 = arith.addi %i, %c1 : index
  %a = memref.load %x[%i] : memref<128xf32>
  %a2 = arith.addf %a, %a : f32
  memref.store %a2, %x[%i] : memref<128xf32>
  %b = memref.load %x[%i1] : memref<128xf32>
  %b2 = arith.addf %b, %b : f32
  memref.store %b2, %x[%i1] : memref<128xf32>
  %c = memref.load %x[%i] : memref<128xf32>
  %c3 = arith.mulf %c, %c : f32
  memref.store %c3, %x[%i] : memref<128xf32>
  %d = memref.load %x[%i] : memref<128xf32>
  %e = memref.load %x[%i1] : memref<128xf32>
  %f = arith.mulf %d, %e : f32
  memref.store %f, %x[%i] : memref<128xf32>
}

// Nothing passes a barrier, or a store to who knows what element.
// CHECK-LABEL: uop.kernel loops @stays(
// CHECK-NOT:     vector
// CHECK:         }
uop.kernel loops @stays(%x: memref<128xf32> {llvm.align = 8 : i64}, %j: index) {
  %t = uop.range local<x> 64
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = arith.muli %t, %c2 : index
  %i1 = arith.addi %i, %c1 : index
  %a = memref.load %x[%i] : memref<128xf32>
  uop.barrier
  %b = memref.load %x[%i1] : memref<128xf32>
  %s = arith.addf %a, %b : f32
  memref.store %s, %x[%i] : memref<128xf32>
  memref.store %s, %x[%j] : memref<128xf32>
  memref.store %s, %x[%i1] : memref<128xf32>
  %c = memref.load %x[%i] : memref<128xf32>
  %d = memref.load %x[%j] : memref<128xf32>
  memref.store %d, %x[%j] : memref<128xf32>
  %e = memref.load %x[%i1] : memref<128xf32>
  %f = arith.addf %c, %e : f32
  memref.store %f, %x[%t] : memref<128xf32>
}

// Unaligned: by the argument, by the index, by the stride. Not adjacent: columns,
// and the end of one row with the start of the next.
// CHECK-LABEL: uop.kernel loops @unproved(
// CHECK-NOT:     vector
// CHECK:         }
uop.kernel loops @unproved(%x: memref<128xf32>, %y: memref<256xf32> {llvm.align = 16 : i64},
                           %z: memref<8x5xf32> {llvm.align = 16 : i64},
                           %w: memref<64x64xf32, strided<[128, 2]>> {llvm.align = 16 : i64}) {
  %t = uop.range local<x> 8
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %i = arith.muli %t, %c2 : index
  %i1 = arith.addi %i, %c1 : index
  %i2 = arith.addi %i, %c2 : index
  %t1 = arith.addi %t, %c1 : index
  %x0 = memref.load %x[%i] : memref<128xf32>
  %x1 = memref.load %x[%i1] : memref<128xf32>
  memref.store %x0, %y[%i1] : memref<256xf32>
  memref.store %x1, %y[%i2] : memref<256xf32>
  memref.store %x0, %z[%t, %c0] : memref<8x5xf32>
  memref.store %x1, %z[%t, %c1] : memref<8x5xf32>
  memref.store %x0, %w[%t, %c0] : memref<64x64xf32, strided<[128, 2]>>
  memref.store %x1, %w[%t, %c1] : memref<64x64xf32, strided<[128, 2]>>
  memref.store %x0, %z[%i, %c4] : memref<8x5xf32>
  memref.store %x1, %z[%i1, %c0] : memref<8x5xf32>
}

// As wide as is aligned, and not wider than 16 bytes; what is left stays.
// CHECK-LABEL: uop.kernel loops @pieces(
// CHECK:         vector.load %{{.*}} : memref<64x11xf16>{{.*}}, vector<2xf16>
// CHECK:         vector.load %{{.*}} {alignment = 16 : i64} : memref<64x16xf16>{{.*}}, vector<8xf16>
// CHECK:         vector.load %{{.*}} {alignment = 4 : i64} : memref<64x16xf16>{{.*}}, vector<2xf16>
// CHECK-NEXT:    vector.extract
// CHECK-NEXT:    vector.extract
// CHECK-NEXT:    memref.load
uop.kernel loops @pieces(%x: memref<64x16xf16> {llvm.align = 16 : i64}, %z: memref<64x11xf16> {llvm.align = 16 : i64},
                         %y: memref<64xf16>) {
  %t = uop.range local<x> 64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %two = arith.muli %t, %c2 : index
  %z0 = memref.load %z[%two, %c0] : memref<64x11xf16>
  %z1 = memref.load %z[%two, %c1] : memref<64x11xf16>
  %a0 = memref.load %x[%t, %c0] : memref<64x16xf16>
  %a1 = memref.load %x[%t, %c1] : memref<64x16xf16>
  %a2 = memref.load %x[%t, %c2] : memref<64x16xf16>
  %a3 = memref.load %x[%t, %c3] : memref<64x16xf16>
  %a4 = memref.load %x[%t, %c4] : memref<64x16xf16>
  %a5 = memref.load %x[%t, %c5] : memref<64x16xf16>
  %a6 = memref.load %x[%t, %c6] : memref<64x16xf16>
  %a7 = memref.load %x[%t, %c7] : memref<64x16xf16>
  %a8 = memref.load %x[%t, %c8] : memref<64x16xf16>
  %a9 = memref.load %x[%t, %c9] : memref<64x16xf16>
  %a10 = memref.load %x[%t, %c10] : memref<64x16xf16>
  %s0 = arith.addf %a7, %a9 : f16
  %s1 = arith.addf %s0, %a10 : f16
  %s2 = arith.addf %s1, %z1 : f16
  memref.store %s2, %y[%t] : memref<64xf16>
}

// Allocations are aligned as their accesses need it. Two rows of 6 are a
// multiple of 16 bytes, one is not.
// CHECK-LABEL: uop.kernel loops @allocations(
// CHECK:         uop.alloc {alignment = 8 : i64} : memref<7x6xf32
// CHECK:         uop.alloc : memref<7x6xf32
// CHECK:         vector.store %{{.*}} {alignment = 8 : i64} : memref<7x6xf32{{.*}}, vector<2xf32>
// CHECK-COUNT-2: memref.store
// CHECK:         vector.load %{{.*}} {alignment = 16 : i64} : memref<64xf32{{.*}}, vector<4xf32>
uop.kernel loops @allocations(%y: memref<16xf32>) {
  %t = uop.range local<x> 7
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %s = uop.alloc : !odd
  %r = uop.alloc : !odd
  %q = uop.alloc zero : !shared
  memref.store %one, %s[%t, %c2] : !odd
  memref.store %one, %s[%t, %c3] : !odd
  memref.store %one, %r[%t, %c1] : !odd
  memref.store %one, %r[%t, %c2] : !odd
  %i = arith.muli %t, %c4 : index
  %i1 = arith.addi %i, %c1 : index
  %i2 = arith.addi %i, %c2 : index
  %i3 = arith.addi %i, %c3 : index
  %q0 = memref.load %q[%i] : !shared
  %q1 = memref.load %q[%i1] : !shared
  %q2 = memref.load %q[%i2] : !shared
  %q3 = memref.load %q[%i3] : !shared
  %a = arith.addf %q0, %q1 : f32
  %b = arith.addf %q2, %q3 : f32
  memref.store %a, %y[%t] : memref<16xf32>
  memref.store %b, %y[%i] : memref<16xf32>
}

// Under one guard; quotients and remainders by powers of two, loop variables.
// CHECK-LABEL: uop.kernel loops @tile(
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK:             vector.load %{{.*}} {alignment = 8 : i64} : memref<?x64xf32>{{.*}}, vector<2xf32>
// CHECK-NOT:     memref.load
uop.kernel loops @tile(%x: memref<?x64xf32> {llvm.align = 16 : i64}, %y: memref<64xf32>, %n: index) {
  %t = uop.range local<x> 64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %row = uop.floordiv %t, %c16
  %col = uop.floormod %t, %c16
  %col2 = arith.muli %col, %c2 : index
  %in = arith.cmpi slt, %row, %n : index
  scf.for %k = %c0 to %c64 step %c2 {
    scf.if %in {
      %i = arith.addi %col2, %k : index
      %a = memref.load %x[%row, %i] : memref<?x64xf32>
      %j = arith.addi %i, %c1 : index
      %b = memref.load %x[%row, %j] : memref<?x64xf32>
      %c = arith.addf %a, %b : f32
      memref.store %c, %y[%t] : memref<64xf32>
    }
  }
}

// Rows of a dynamic length may begin anywhere, but for a view that says more.
// CHECK-LABEL: uop.kernel loops @views(
// CHECK:         memref.load
// CHECK:         memref.load
// CHECK:         memref.subview
// CHECK:         vector.load %{{.*}} {alignment = 8 : i64} : memref<4x2xf32, strided<[64, 1], offset: ?>>
// CHECK-NOT:     memref.load
uop.kernel loops @views(%x: memref<?x?xf32> {llvm.align = 16 : i64}, %z: memref<64x64xf32> {llvm.align = 16 : i64},
                        %y: memref<64xf32>) {
  %t = uop.range local<x> 16
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.load %x[%t, %c0] : memref<?x?xf32>
  %b = memref.load %x[%t, %c1] : memref<?x?xf32>
  %i = arith.muli %t, %c2 : index
  %v = memref.subview %z[%t, %i] [4, 2] [1, 1] : memref<64x64xf32> to memref<4x2xf32, strided<[64, 1], offset: ?>>
  %c = memref.load %v[%c2, %c0] : memref<4x2xf32, strided<[64, 1], offset: ?>>
  %d = memref.load %v[%c2, %c1] : memref<4x2xf32, strided<[64, 1], offset: ?>>
  %s0 = arith.addf %a, %b : f32
  %s1 = arith.addf %c, %d : f32
  %s2 = arith.addf %s0, %s1 : f32
  memref.store %s2, %y[%t] : memref<64xf32>
}

// Bits, and what asks to be left out of the cache, stay; so does graph form.
// CHECK-LABEL: uop.kernel loops @others(
// CHECK-NOT:     vector
// CHECK-LABEL: uop.kernel @graph(
// CHECK-NOT:     vector
uop.kernel loops @others(%x: memref<128xi1> {llvm.align = 16 : i64}, %y: memref<128xf32> {llvm.align = 16 : i64},
                         %z: memref<128xf64> {llvm.align = 8 : i64}) {
  %t = uop.range local<x> 64
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = arith.muli %t, %c2 : index
  %i1 = arith.addi %i, %c1 : index
  %a = memref.load %x[%i] : memref<128xi1>
  %b = memref.load %x[%i1] : memref<128xi1>
  memref.store %b, %x[%i] : memref<128xi1>
  memref.store %a, %x[%i1] : memref<128xi1>
  %c = memref.load %y[%i] {nontemporal = true} : memref<128xf32>
  %d = memref.load %y[%i1] {nontemporal = true} : memref<128xf32>
  memref.store %d, %y[%i] {nontemporal = true} : memref<128xf32>
  memref.store %c, %y[%i1] {nontemporal = true} : memref<128xf32>
  %e = memref.load %z[%i] : memref<128xf64>
  %f = memref.load %z[%i1] : memref<128xf64>
  memref.store %f, %z[%i] : memref<128xf64>
  memref.store %e, %z[%i1] : memref<128xf64>
}
uop.kernel @graph(%x: memref<128xf32> {llvm.align = 16 : i64}, %y: memref<128xf32>) {
  %i = uop.range loop 128
  %a = uop.load %x[%i] : memref<128xf32>
  uop.store %a, %y[%i] : memref<128xf32>
}
