// Adjacent elements of a thread (VECTORIZE) are one wide access in the PTX where
// the alignment of the argument proves it aligned, and scalars elsewhere.
// REQUIRES: ptxas
// RUN: uop-translate %s --uop-to-ptx --chip=sm_80 -o %t.80.ptx
// RUN: FileCheck %s --input-file=%t.80.ptx
// RUN: %ptxas -arch=sm_80 %t.80.ptx -o %t.80.cubin
// RUN: uop-translate %s --uop-to-ptx --chip=sm_90a -o %t.90a.ptx
// RUN: FileCheck %s --input-file=%t.90a.ptx
// RUN: %ptxas -arch=sm_90a %t.90a.ptx -o %t.90a.cubin
// RUN: uop-translate %s --uop-to-ptx --chip=sm_100 -o %t.100.ptx
// RUN: FileCheck %s --input-file=%t.100.ptx
// RUN: %ptxas -arch=sm_100 %t.100.ptx -o %t.100.cubin

// Four floats are 128 bits, for some chips two words of 64. The tail is a multiple of 4, so four neighbours have
// one guard.
// CHECK-LABEL: .entry f32x4(
// CHECK:       bra
// CHECK-NOT:   {{bra|ld\.global|st\.}}
// CHECK:       ld.global.nc.{{v4.b32|v2.b64}}
// CHECK-NOT:   {{bra|ld\.|st\.}}
// CHECK:       st.global.{{v4.b32|v2.b64}}
// CHECK-NOT:   {{bra|ld\.|st\.}}
// CHECK:       ret
uop.kernel @f32x4(%x: memref<1000xf32> {llvm.align = 16 : i64},
                  %y: memref<1000xf32> {llvm.align = 16 : i64}) attributes {
    schedule = #uop.schedule<[LOCAL 0:128, VECTORIZE 0:4]>} {
  %i = uop.range loop 1000
  %v = uop.load %x[%i] : memref<1000xf32>
  %w = arith.addf %v, %v : f32
  uop.store %w, %y[%i] : memref<1000xf32>
}

// Two floats are 64 bits, two doubles 128, and so are eight halves and sixteen
// bytes, as words.
// CHECK-LABEL: .entry f32x2(
// CHECK:       ld.global.nc.{{v2.b32|b64}}
// CHECK-NOT:   {{ld\.|st\.}}
// CHECK:       st.global.{{v2.b32|b64}}
// CHECK-NOT:   {{ld\.|st\.}}
// CHECK:       ret
uop.kernel @f32x2(%x: memref<1002xf32> {llvm.align = 8 : i64},
                  %y: memref<1002xf32> {llvm.align = 8 : i64}) attributes {
    schedule = #uop.schedule<[LOCAL 0:128, VECTORIZE 0:2]>} {
  %i = uop.range loop 1002
  %v = uop.load %x[%i] : memref<1002xf32>
  %w = arith.addf %v, %v : f32
  uop.store %w, %y[%i] : memref<1002xf32>
}

// CHECK-LABEL: .entry f64x2(
// CHECK:       ld.global.nc.v2.b64
// CHECK-NOT:   {{ld\.|st\.}}
// CHECK:       st.global.v2.b64
// CHECK-NOT:   {{ld\.|st\.}}
// CHECK:       ret
uop.kernel @f64x2(%x: memref<1002xf64> {llvm.align = 16 : i64},
                  %y: memref<1002xf64> {llvm.align = 16 : i64}) attributes {
    schedule = #uop.schedule<[LOCAL 0:128, VECTORIZE 0:2]>} {
  %i = uop.range loop 1002
  %v = uop.load %x[%i] : memref<1002xf64>
  %w = arith.addf %v, %v : f64
  uop.store %w, %y[%i] : memref<1002xf64>
}

// CHECK-LABEL: .entry f16x8(
// CHECK:       ld.global.nc.{{v4.b32|v2.b64}}
// CHECK-NOT:   {{ld\.|st\.}}
// CHECK:       st.global.{{v4.b32|v2.b64}}
// CHECK-NOT:   {{ld\.|st\.}}
// CHECK:       ret
uop.kernel @f16x8(%x: memref<1000xf16> {llvm.align = 16 : i64},
                  %y: memref<1000xf16> {llvm.align = 16 : i64}) attributes {
    schedule = #uop.schedule<[LOCAL 0:64, VECTORIZE 0:8]>} {
  %i = uop.range loop 1000
  %v = uop.load %x[%i] : memref<1000xf16>
  %w = arith.addf %v, %v : f16
  uop.store %w, %y[%i] : memref<1000xf16>
}

// CHECK-LABEL: .entry i8x16(
// CHECK:       ld.global.nc.{{v4.b32|v2.b64}}
// CHECK-NOT:   {{ld\.|st\.}}
// CHECK:       st.global.{{v4.b32|v2.b64}}
// CHECK-NOT:   {{ld\.|st\.}}
// CHECK:       ret
uop.kernel @i8x16(%x: memref<1600xi8> {llvm.align = 16 : i64},
                  %y: memref<1600xi8> {llvm.align = 16 : i64}) attributes {
    schedule = #uop.schedule<[LOCAL 0:64, VECTORIZE 0:16]>} {
  %i = uop.range loop 1600
  %v = uop.load %x[%i] : memref<1600xi8>
  %w = arith.addi %v, %v : i8
  uop.store %w, %y[%i] : memref<1600xi8>
}

// An alignment of 8 bytes: two halves of 64 bits.
// CHECK-LABEL: .entry halves(
// CHECK-COUNT-2: ld.global.nc.{{v2.b32|b64}}
// CHECK-NOT:   ld.
// CHECK-COUNT-2: st.global.{{v2.b32|b64}}
// CHECK-NOT:   st.
// CHECK:       ret
uop.kernel @halves(%x: memref<1024xf32> {llvm.align = 8 : i64},
                   %y: memref<1024xf32> {llvm.align = 8 : i64}) attributes {
    schedule = #uop.schedule<[LOCAL 0:128, VECTORIZE 0:4]>} {
  %i = uop.range loop 1024
  %v = uop.load %x[%i] : memref<1024xf32>
  %w = arith.addf %v, %v : f32
  uop.store %w, %y[%i] : memref<1024xf32>
}

// None is known: scalars.
// CHECK-LABEL: .entry unknown(
// CHECK-COUNT-4: ld.global.nc.b32
// CHECK-COUNT-4: st.global.b32
// CHECK:       ret
uop.kernel @unknown(%x: memref<1024xf32>, %y: memref<1024xf32>) attributes {
    schedule = #uop.schedule<[LOCAL 0:128, VECTORIZE 0:4]>} {
  %i = uop.range loop 1024
  %v = uop.load %x[%i] : memref<1024xf32>
  %w = arith.addf %v, %v : f32
  uop.store %w, %y[%i] : memref<1024xf32>
}

// Rows of 1001 elements begin anywhere, and the tail cuts through four
// neighbours.
// CHECK-LABEL: .entry odd(
// CHECK-NOT:   {{\.v[24]\.}}
// CHECK:       ret
uop.kernel @odd(%x: memref<8x1001xf32> {llvm.align = 16 : i64},
                %y: memref<8x1001xf32> {llvm.align = 16 : i64}) attributes {
    schedule = #uop.schedule<[LOCAL 1:128, VECTORIZE 1:4]>} {
  %i = uop.range loop 8
  %j = uop.range loop 1001
  %v = uop.load %x[%i, %j] : memref<8x1001xf32>
  %w = arith.addf %v, %v : f32
  uop.store %w, %y[%i, %j] : memref<8x1001xf32>
}

// Further copies, along the axis and across it, are further wide accesses: 2
// times 4, with tails in both directions.
// CHECK-LABEL: .entry copies(
// CHECK-NOT:   {{(ld|st)\.global(\.nc)?\.b}}
// CHECK-COUNT-8: ld.global.nc.{{v4.b32|v2.b64}}
// CHECK-NOT:   {{(ld|st)\.global(\.nc)?\.b}}
// CHECK-COUNT-8: st.global.{{v4.b32|v2.b64}}
// CHECK-NOT:   {{(ld|st)\.global(\.nc)?\.b}}
// CHECK:       ret
uop.kernel @copies(%x: memref<30x1000xf32> {llvm.align = 16 : i64},
                   %y: memref<30x1000xf32> {llvm.align = 16 : i64}) attributes {
    schedule = #uop.schedule<[LOCAL 1:32, UPCAST 1:2, UPCAST 0:4, VECTORIZE 1:4]>} {
  %i = uop.range loop 30
  %j = uop.range loop 1000
  %v = uop.load %x[%i, %j] : memref<30x1000xf32>
  %w = arith.addf %v, %v : f32
  uop.store %w, %y[%i, %j] : memref<30x1000xf32>
}

// Blocks of four axes on z, which quotients and remainders recover.
// CHECK-LABEL: .entry folded(
// CHECK:       ld.global.nc.{{v4.b32|v2.b64}}
// CHECK-NOT:   {{ld\.|st\.}}
// CHECK:       st.global.{{v4.b32|v2.b64}}
// CHECK-NOT:   {{ld\.|st\.}}
// CHECK:       ret
uop.kernel @folded(%x: memref<3x5x2x7x100xf32> {llvm.align = 16 : i64},
                   %y: memref<3x5x2x7x100xf32> {llvm.align = 16 : i64}) attributes {
    schedule = #uop.schedule<[LOCAL 4:8, VECTORIZE 4:4]>} {
  %a = uop.range loop 3
  %b = uop.range loop 5
  %c = uop.range loop 2
  %d = uop.range loop 7
  %e = uop.range loop 100
  %v = uop.load %x[%a, %b, %c, %d, %e] : memref<3x5x2x7x100xf32>
  %w = arith.addf %v, %v : f32
  uop.store %w, %y[%a, %b, %c, %d, %e] : memref<3x5x2x7x100xf32>
}

// Two axes as one; rows at a distance.
// CHECK-LABEL: .entry merged(
// CHECK:       ld.global.nc.{{v4.b32|v2.b64}}
// CHECK-NOT:   {{ld\.|st\.}}
// CHECK:       st.global.{{v4.b32|v2.b64}}
// CHECK-NOT:   {{ld\.|st\.}}
// CHECK:       ret
!strided = memref<30x1000xf32, strided<[1024, 1]>>
uop.kernel @merged(%x: memref<30x1000xf32> {llvm.align = 16 : i64},
                   %y: memref<30x1000xf32> {llvm.align = 16 : i64}) attributes {
    schedule = #uop.schedule<[MERGE 0:2, LOCAL 0:64, VECTORIZE 0:4]>} {
  %i = uop.range loop 30
  %j = uop.range loop 1000
  %v = uop.load %x[%i, %j] : memref<30x1000xf32>
  %w = arith.addf %v, %v : f32
  uop.store %w, %y[%i, %j] : memref<30x1000xf32>
}

// CHECK-LABEL: .entry strided(
// CHECK:       ld.global.nc.{{v4.b32|v2.b64}}
// CHECK-NOT:   {{ld\.|st\.}}
// CHECK:       st.global.{{v4.b32|v2.b64}}
// CHECK-NOT:   {{ld\.|st\.}}
// CHECK:       ret
uop.kernel @strided(%x: !strided {llvm.align = 16 : i64},
                    %y: !strided {llvm.align = 16 : i64}) attributes {
    schedule = #uop.schedule<[LOCAL 1:64, VECTORIZE 1:4]>} {
  %i = uop.range loop 30
  %j = uop.range loop 1000
  %v = uop.load %x[%i, %j] : !strided
  %w = arith.addf %v, %v : f32
  uop.store %w, %y[%i, %j] : !strided
}

// The loads of B in a product whose sizes do not divide, in its loop and under
// the guard of its tail: each four columns are one load for both rows.
// CHECK-LABEL: .entry gemm(
// CHECK-NOT:   {{v4\.b32|v2\.b64}}
// CHECK:       ld.global.nc.{{v4.b32|v2.b64}}
// CHECK:       fma.rn.f32
// CHECK-COUNT-2: st.global.{{v4.b32|v2.b64}}
// CHECK-NOT:   st.
// CHECK:       ret
uop.kernel @gemm(%A: memref<50x64xf32> {llvm.align = 16 : i64},
                 %B: memref<64x60xf32> {llvm.align = 16 : i64},
                 %C: memref<50x60xf32> {llvm.align = 16 : i64}) attributes {
    schedule = #uop.schedule<[LOCAL 0:16, LOCAL 1:8, UPCAST 0:2, VECTORIZE 1:4]>} {
  %m = uop.range loop 50
  %n = uop.range loop 60
  %k = uop.range reduce 64
  %a = uop.load %A[%m, %k] : memref<50x64xf32>
  %b = uop.load %B[%k, %n] : memref<64x60xf32>
  %p = arith.mulf %a, %b : f32
  %c = uop.reduce add %p over(%k) : f32
  uop.store %c, %C[%m, %n] : memref<50x60xf32>
}
