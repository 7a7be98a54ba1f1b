// Graph form goes through text, generic form and bytecode unchanged.
// RUN: %roundtrip
// RUN: FileCheck %s < %t.once

// Every axis, and the ways to write an extent.
// CHECK-LABEL: uop.kernel @axes
// CHECK:         uop.range loop 4
// CHECK-NEXT:    uop.range serial 4
// CHECK-NEXT:    uop.range global<x> 4
// CHECK-NEXT:    uop.range global<y> 0
// CHECK-NEXT:    uop.range global<z> %[[N:.*]]
// CHECK-NEXT:    uop.range local<x> 4
// CHECK-NEXT:    uop.range local<y> 4
// CHECK-NEXT:    uop.range local<z> 4
// CHECK-NEXT:    uop.range warp 32
// CHECK-NEXT:    uop.range thread 4
// CHECK-NEXT:    uop.range reduce %[[N]]
// CHECK-NEXT:    uop.range group_reduce<x> 4
// CHECK-NEXT:    uop.range group_reduce<y> 4
// CHECK-NEXT:    uop.range group_reduce<z> 4
// CHECK-NEXT:    uop.range upcast 4
// CHECK-NEXT:    uop.range unroll 4
// CHECK-NEXT:    uop.range fragment 4
// CHECK-NEXT:    uop.range loop 9223372036854775807 {note = "kept"}
uop.kernel @axes(%n: index, %out: memref<4xf32>) {
  %i = uop.range loop 4
  %0 = uop.range serial 4
  %1 = uop.range global<x> 4
  %2 = uop.range global<y> 0
  %3 = uop.range global<z> %n
  %4 = uop.range local<x> 4
  %5 = uop.range local<y> 4
  %6 = uop.range local<z> 4
  %7 = uop.range warp 32
  %8 = uop.range thread 4
  %9 = uop.range reduce %n
  %10 = uop.range group_reduce<x> 4
  %11 = uop.range group_reduce<y> 4
  %12 = uop.range group_reduce<z> 4
  %13 = uop.range upcast 4
  %14 = uop.range unroll 4
  %15 = uop.range fragment 4
  %16 = uop.range loop 9223372036854775807 {note = "kept"}
  %one = arith.constant 1.0 : f32
  uop.store %one, %out[%i] : memref<4xf32>
}

// Loads: without indices, with a mask, with a value where it does not hold.
// CHECK-LABEL: uop.kernel @loads
// CHECK:         uop.load %{{.*}}[] : memref<f32>
// CHECK-NEXT:    uop.load %{{.*}}[%[[I:.*]], %[[I]]] : memref<4x?xf16, strided<[?, 1], offset: ?>>
// CHECK-NEXT:    uop.load %{{.*}}[%[[I]]] mask %{{.*}} : memref<4xf32>
// CHECK-NEXT:    uop.load %{{.*}}[%[[I]]] mask %{{.*}} else %{{.*}} {note} : memref<4xf32>
uop.kernel @loads(%zero: memref<f32>,
                  %strided: memref<4x?xf16, strided<[?, 1], offset: ?>>,
                  %a: memref<4xf32>, %m: i1, %out: memref<4xf32>) {
  %i = uop.range loop 4
  %x = uop.load %zero[] : memref<f32>
  %y = uop.load %strided[%i, %i]
    : memref<4x?xf16, strided<[?, 1], offset: ?>>
  %z = uop.load %a[%i] mask %m : memref<4xf32>
  %w = uop.load %a[%i] mask %m else %x {note} : memref<4xf32>
  uop.store %w, %out[%i] : memref<4xf32>
}

// Stores: the domain is left out where it is the free ranges in the order of
// their definition, and stated where it is not.
// CHECK-LABEL: uop.kernel @stores
// CHECK:         uop.store %[[X:.*]], %[[A:.*]][%[[I:.*]], %[[J:.*]]] : memref<4x4xf32>
// CHECK-NEXT:    uop.store %[[X]], %[[A]][%[[I]], %[[J]]] over(%[[J]], %[[I]]) : memref<4x4xf32>
// CHECK-NEXT:    uop.store %[[X]], %[[A]][%[[I]], %[[J]]] mask %[[M:.*]] : memref<4x4xf32>
// CHECK-NEXT:    uop.store %[[X]], %[[A]][%[[I]], %[[J]]] over(%[[J]], %[[I]]) mask %[[M]] : memref<4x4xf32>
// CHECK-NEXT:    uop.store %{{.*}}, %{{.*}}[%[[G:.*]], %[[J]]] unique : memref<4x4xf32>
// CHECK-NEXT:    uop.store %{{.*}}, %{{.*}}[%[[G]], %[[J]]] over(%[[J]], %[[I]]) mask %[[M]] unique {note} : memref<4x4xf32>
// CHECK-NEXT:    uop.store %{{.*}}, %{{.*}}[] : memref<f32>
// CHECK-NEXT:    uop.store add %{{.*}}, %{{.*}}[] over(%[[I]]) : memref<f32>
uop.kernel @stores(%x: f32, %m: i1, %g: memref<4xi32>, %a: memref<4x4xf32>,
                   %b: memref<4x4xf32>, %c: memref<f32>, %d: memref<f32>) {
  %i = uop.range loop 4
  %j = uop.range loop 4
  %v = uop.load %g[%i] : memref<4xi32>
  %at = arith.index_cast %v : i32 to index
  uop.store %x, %a[%i, %j] over(%i, %j) : memref<4x4xf32>
  uop.store %x, %a[%i, %j] over(%j, %i) : memref<4x4xf32>
  uop.store %x, %a[%i, %j] mask %m : memref<4x4xf32>
  uop.store %x, %a[%i, %j] over(%j, %i) mask %m : memref<4x4xf32>
  uop.store %x, %b[%at, %j] unique : memref<4x4xf32>
  uop.store %x, %b[%at, %j] over(%j, %i) mask %m unique {note}
    : memref<4x4xf32>
  uop.store %x, %c[] over() : memref<f32>
  uop.store add %x, %d[] over(%i) : memref<f32>
}

// The constant 0 in a domain is a folded range of extent 1.
// CHECK-LABEL: uop.kernel @folded
// CHECK:         uop.store %{{.*}}, %{{.*}}[%[[I:.*]], %[[Z:.*]]] over(%[[I]], %[[Z]]) : memref<4x1xf32>
uop.kernel @folded(%x: f32, %a: memref<4x1xf32>) {
  %i = uop.range loop 4
  %c0 = arith.constant 0 : index
  uop.store %x, %a[%i, %c0] over(%i, %c0) : memref<4x1xf32>
}

// All kinds, of reductions and of stores that accumulate.
// CHECK-LABEL: uop.kernel @kinds
// CHECK:         uop.reduce add %[[X:.*]] over(%[[R:.*]]) : i32
// CHECK-NEXT:    uop.reduce mul %[[X]] over(%[[R]]) : i32
// CHECK-NEXT:    uop.reduce minsi %[[X]] over(%[[R]]) : i32
// CHECK-NEXT:    uop.reduce minui %[[X]] over(%[[R]]) : i32
// CHECK-NEXT:    uop.reduce maxsi %[[X]] over(%[[R]]) : i32
// CHECK-NEXT:    uop.reduce maxui %[[X]] over(%[[R]]) : i32
// CHECK-NEXT:    uop.reduce and %[[X]] over(%[[R]]) : i32
// CHECK-NEXT:    uop.reduce or %[[X]] over(%[[R]]) : i32
// CHECK-NEXT:    uop.reduce xor %[[X]] over(%[[R]]) : i32
// CHECK-NEXT:    uop.reduce add %[[Y:.*]] over(%[[R]]) mask %[[M:.*]] : f32
// CHECK-NEXT:    uop.reduce mul %[[Y]] over(%[[R]], %[[S:.*]]) : f32
// CHECK-NEXT:    uop.reduce minimumf %[[Y]] over(%[[S]], %[[R]]) mask %[[M]] : f32
// CHECK-NEXT:    uop.reduce maximumf %[[Y]] over(%[[R]]) {note} : f32
// CHECK-NEXT:    uop.reduce minnumf %[[Y]] over(%[[R]]) : f32
// CHECK-NEXT:    uop.reduce maxnumf %[[Y]] over(%[[R]]) : f32
// CHECK:         uop.store add %[[X]]
// CHECK-NEXT:    uop.store mul %[[X]]
// CHECK-NEXT:    uop.store minsi %[[X]]
// CHECK-NEXT:    uop.store minui %[[X]]
// CHECK-NEXT:    uop.store maxsi %[[X]]
// CHECK-NEXT:    uop.store maxui %[[X]]
// CHECK-NEXT:    uop.store and %[[X]]
// CHECK-NEXT:    uop.store or %[[X]]
// CHECK-NEXT:    uop.store xor %[[X]], %{{.*}}[%{{.*}}] over(%{{.*}}, %{{.*}}) mask %[[M]] {note} : memref<8xi32>
// CHECK-NEXT:    uop.store minimumf %[[Y]]
// CHECK-NEXT:    uop.store maximumf %[[Y]]
// CHECK-NEXT:    uop.store minnumf %[[Y]]
// CHECK-NEXT:    uop.store maxnumf %[[Y]]
uop.kernel @kinds(%x: i32, %y: f32, %m: i1, %0: memref<8xi32>,
                  %1: memref<8xi32>, %2: memref<8xi32>, %3: memref<8xi32>,
                  %4: memref<8xi32>, %5: memref<8xi32>, %6: memref<8xi32>,
                  %7: memref<8xi32>, %8: memref<8xi32>, %9: memref<8xf32>,
                  %10: memref<8xf32>, %11: memref<8xf32>, %12: memref<8xf32>) {
  %r = uop.range reduce 4
  %s = uop.range unroll 4
  %a0 = uop.reduce add %x over(%r) : i32
  %a1 = uop.reduce mul %x over(%r) : i32
  %a2 = uop.reduce minsi %x over(%r) : i32
  %a3 = uop.reduce minui %x over(%r) : i32
  %a4 = uop.reduce maxsi %x over(%r) : i32
  %a5 = uop.reduce maxui %x over(%r) : i32
  %a6 = uop.reduce and %x over(%r) : i32
  %a7 = uop.reduce or %x over(%r) : i32
  %a8 = uop.reduce xor %x over(%r) : i32
  %f0 = uop.reduce add %y over(%r) mask %m : f32
  %f1 = uop.reduce mul %y over(%r, %s) : f32
  %f2 = uop.reduce minimumf %y over(%s, %r) mask %m : f32
  %f3 = uop.reduce maximumf %y over(%r) {note} : f32
  %f4 = uop.reduce minnumf %y over(%r) : f32
  %f5 = uop.reduce maxnumf %y over(%r) : f32
  %i = uop.range loop 8
  %c0 = arith.constant 0 : index
  uop.store add %x, %0[%i] : memref<8xi32>
  uop.store mul %x, %1[%i] : memref<8xi32>
  uop.store minsi %x, %2[%i] : memref<8xi32>
  uop.store minui %x, %3[%i] : memref<8xi32>
  uop.store maxsi %x, %4[%i] : memref<8xi32>
  uop.store maxui %x, %5[%i] : memref<8xi32>
  uop.store and %x, %6[%i] : memref<8xi32>
  uop.store or %x, %7[%i] : memref<8xi32>
  uop.store xor %x, %8[%i] over(%i, %c0) mask %m {note} : memref<8xi32>
  uop.store minimumf %y, %9[%i] : memref<8xf32>
  uop.store maximumf %y, %10[%i] : memref<8xf32>
  uop.store minnumf %y, %11[%i] : memref<8xf32>
  uop.store maxnumf %y, %12[%i] : memref<8xf32>
}

// The general reduction, of one value and of two with a mask.
// CHECK-LABEL: uop.kernel @general
// CHECK:         uop.reduce (%[[X:.*]]) init(%[[ID:.*]]) over(%[[R:.*]]) combine (%[[A:.*]]: f32, %[[B:.*]]: f32) {
// CHECK-NEXT:      arith.addf %[[A]], %[[B]] : f32
// CHECK-NEXT:      uop.yield %{{.*}} : f32
// CHECK-NEXT:    } : f32
// CHECK:         uop.reduce (%[[X]], %{{.*}}) init(%[[ID]], %{{.*}}) over(%[[R]]) mask %{{.*}} combine (%{{.*}}: f32, %[[P:.*]]: i32, %[[Y:.*]]: f32, %{{.*}}: i32) {
// CHECK-NEXT:      uop.yield %[[Y]], %[[P]] : f32, i32
// CHECK-NEXT:    } {note} : f32, i32
uop.kernel @general(%x: f32, %id: f32, %n: i32, %m: i1, %out: memref<4xf32>) {
  %i = uop.range loop 4
  %r = uop.range reduce 4
  %s = uop.reduce (%x) init(%id) over(%r) combine (%a: f32, %b: f32) {
    %t = arith.addf %a, %b : f32
    uop.yield %t : f32
  } : f32
  %u, %v = uop.reduce (%x, %n) init(%id, %n) over(%r) mask %m
      combine (%a: f32, %p: i32, %y: f32, %q: i32) {
    uop.yield %y, %p : f32, i32
  } {note} : f32, i32
  uop.store %u, %out[%i] : memref<4xf32>
}

// Stages, with the indices left out where they are the ranges, and tiles.
// CHECK-LABEL: uop.kernel @stages
// CHECK:         uop.stage %[[X:.*]] over(%[[I:.*]], %[[J:.*]]) : !uop.tile<4x8xf32, workgroup>
// CHECK-NEXT:    uop.stage %[[X]][%[[J]], %[[I]]] over(%[[I]], %[[J]]) : !uop.tile<8x4xf32, private>
// CHECK-NEXT:    uop.stage %{{.*}} over() {note} : !uop.tile<f32, private>
// CHECK-NEXT:    uop.stage %{{.*}}[%[[I]]] over(%[[I]], %{{.*}}) : !uop.tile<4xf32, workgroup>
// CHECK-NEXT:    uop.stage %[[X]] over(%[[I]], %[[J]]) {buffers = 2 : i64, layout = #uop.tile_layout<pad 4>, vector = 4 : i64} : !uop.tile<4x8xf32, workgroup>
// CHECK:         uop.load %{{.*}}[%{{.*}}, %{{.*}}] : !uop.tile<4x8xf32, workgroup>
// CHECK-NEXT:    uop.load %{{.*}}[%{{.*}}, %{{.*}}] mask %{{.*}} else %{{.*}} : !uop.tile<8x4xf32, private>
// CHECK-NEXT:    uop.load %{{.*}}[] : !uop.tile<f32, private>
uop.kernel @stages(%a: memref<4x8xf32>, %m: i1, %k: f32,
                   %out: memref<4x8xf32>) {
  %i = uop.range loop 4
  %j = uop.range loop 8
  %one = uop.range loop 1
  %x = uop.load %a[%i, %j] : memref<4x8xf32>
  %t = uop.stage %x[%i, %j] over(%i, %j) : !uop.tile<4x8xf32, workgroup>
  %u = uop.stage %x[%j, %i] over(%i, %j) : !uop.tile<8x4xf32, private>
  %v = uop.stage %k[] over() {note} : !uop.tile<f32, private>
  %w = uop.stage %k[%i] over(%i, %one) : !uop.tile<4xf32, workgroup>
  %d = uop.stage %x over(%i, %j) {buffers = 2, vector = 4, layout = #uop.tile_layout<pad 4>} : !uop.tile<4x8xf32, workgroup>
  %p = uop.range loop 4
  %q = uop.range loop 8
  %x0 = uop.load %t[%p, %q] : !uop.tile<4x8xf32, workgroup>
  %x1 = uop.load %u[%q, %p] mask %m else %k : !uop.tile<8x4xf32, private>
  %x2 = uop.load %v[] : !uop.tile<f32, private>
  uop.store %x0, %out[%p, %q] : memref<4x8xf32>
}

// Schedules with every opt, and a kernel's name, visibility and attributes.
// CHECK-LABEL: uop.kernel private @"all opts"
// CHECK-SAME:    %{{.*}}: memref<4xf32> {llvm.align = 16 : i64}
// CHECK-SAME:    attributes {note, schedule = #uop.schedule<[LOCAL 0:16, UPCAST 1:2, GROUP 0:4, GROUPTOP 1:8, UNROLL 0:4, PADTO 2:32, SWAP 0:1, NOLOCALS, STAGE 0:16, TC 0:0, THREAD 0:9223372036854775807]>}
uop.kernel private @"all opts"(%out: memref<4xf32> {llvm.align = 16 : i64})
    attributes {note, schedule = #uop.schedule<[LOCAL 0:16, UPCAST 1:2,
      GROUP 0:4, GROUPTOP 1:8, UNROLL 0:4, PADTO 2:32, SWAP 0:1, NOLOCALS,
      STAGE 0:16, TC 0:0, THREAD 0:9223372036854775807]>} {
  %i = uop.range loop 4
  %one = arith.constant 1.0 : f32
  uop.store %one, %out[%i] : memref<4xf32>
}

// The layout of upcast copies is printed where it is not the default.
// CHECK-LABEL: uop.kernel @cpu_layout
// CHECK-SAME:    #uop.schedule<[UPCAST 0:2], upcast_layout = cpu>
uop.kernel @cpu_layout(%out: memref<4xf32>)
    attributes {schedule = #uop.schedule<[UPCAST 0:2], upcast_layout = cpu>} {
  %i = uop.range loop 4
  %one = arith.constant 1.0 : f32
  uop.store %one, %out[%i] : memref<4xf32>
}

// CHECK-LABEL: uop.kernel @gpu_layout
// CHECK-SAME:    #uop.schedule<[]>}
uop.kernel @gpu_layout(%out: memref<4xf32>)
    attributes {schedule = #uop.schedule<[], upcast_layout = gpu>} {
  %i = uop.range loop 4
  %one = arith.constant 1.0 : f32
  uop.store %one, %out[%i] : memref<4xf32>
}

// The attributes and the type outside of ops.
// CHECK-LABEL: func.func private @attributes(!uop.tile<2xbf16, private>)
// CHECK-SAME:    attributes {axis = #uop.axis<group_reduce<y>>, opt = #uop.opt<LOCAL 1:16>, other = #uop.axis<loop>, single = #uop.opt<NOLOCALS>}
func.func private @attributes(!uop.tile<2xbf16, private>)
  attributes {axis = #uop.axis<group_reduce<y>>, opt = #uop.opt<LOCAL 1:16>,
              other = #uop.axis<loop>, single = #uop.opt<NOLOCALS>}

// Index arithmetic stands anywhere.
// CHECK-LABEL: func.func @floor
// CHECK:         uop.floordiv %{{.*}}, %{{.*}}
// CHECK-NEXT:    uop.floormod %{{.*}}, %{{.*}} {note}
func.func @floor(%a: index, %b: index) -> (index, index) {
  %q = uop.floordiv %a, %b
  %r = uop.floormod %a, %b {note}
  return %q, %r : index, index
}
