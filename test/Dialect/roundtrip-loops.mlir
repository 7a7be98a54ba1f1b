// Loop form and launches go through text, generic form and bytecode unchanged.
// RUN: %roundtrip
// RUN: FileCheck %s < %t.once

// CHECK-LABEL: uop.kernel loops @allocations
// CHECK:         uop.alloc : memref<4xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:    uop.alloc zero : memref<4xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:    uop.alloc {alignment = 16 : i64} : memref<4xi8, #gpu.address_space<private>>
// CHECK-NEXT:    uop.alloc zero {alignment = 64 : i64, note} : memref<f16, #gpu.address_space<private>>
// CHECK-NEXT:    uop.barrier
// CHECK-NEXT:    uop.barrier {note}
// CHECK-NEXT:    uop.barrier derived
// CHECK-NEXT:    uop.alloc {buffers = 2 : i64, layout = #uop.tile_layout<xor 4>} : memref<4x8xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:    uop.alloc {layout = #uop.tile_layout<rotate 4, 2>} : memref<4x8xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:    uop.alloc {layout = #uop.tile_layout<pad 1>} : memref<4x8xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:    uop.alloc {layout = #uop.tile_layout<plain>} : memref<4x8xf32, #gpu.address_space<workgroup>>
uop.kernel loops @allocations() {
  %0 = uop.alloc : memref<4xf32, #gpu.address_space<workgroup>>
  %1 = uop.alloc zero : memref<4xf32, #gpu.address_space<workgroup>>
  %2 = uop.alloc {alignment = 16} : memref<4xi8, #gpu.address_space<private>>
  %3 = uop.alloc zero {alignment = 64, note}
    : memref<f16, #gpu.address_space<private>>
  uop.barrier
  uop.barrier {note}
  uop.barrier derived
  %e = uop.alloc {buffers = 2, layout = #uop.tile_layout<xor 4, 1>} : memref<4x8xf32, #gpu.address_space<workgroup>>
  %f = uop.alloc {layout = #uop.tile_layout<rotate 4, 2>} : memref<4x8xf32, #gpu.address_space<workgroup>>
  %g = uop.alloc {layout = #uop.tile_layout<pad 1>} : memref<4x8xf32, #gpu.address_space<workgroup>>
  %h = uop.alloc {layout = #uop.tile_layout<plain>} : memref<4x8xf32, #gpu.address_space<workgroup>>
}

// Phases in uniform control flow, one of them empty.
// CHECK-LABEL: uop.kernel loops private @phases
// CHECK:         scf.for
// CHECK-NEXT:      uop.phase {
// CHECK-NEXT:        uop.range local<x> 64
// CHECK-NEXT:      }
// CHECK:           uop.phase {
// CHECK-NEXT:      } {note}
uop.kernel loops private @phases(%n: index) {
  %b = uop.range global<x> %n
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    uop.phase {
      %t = uop.range local<x> 64
    }
    uop.phase {} {note}
  }
}

// A kernel of which optimisation left nothing is still a kernel.
// CHECK-LABEL: uop.kernel loops @empty(%{{.*}}: memref<4xf32>, %{{.*}}: i32) {
// CHECK-NEXT:  }
uop.kernel loops @empty(%a: memref<4xf32>, %b: i32) {}

// CHECK-LABEL: uop.kernel loops @nothing()
uop.kernel loops @nothing() {
}

// Launches, in order, with and without arguments.
// CHECK-LABEL: func.func @host
// CHECK:         uop.launch @empty(%{{.*}}, %{{.*}}) : memref<4xf32>, i32
// CHECK-NEXT:    uop.launch @nothing()
// CHECK-NEXT:    uop.launch @nothing() {note}
func.func @host(%a: memref<4xf32>, %b: i32) {
  uop.launch @empty(%a, %b) : memref<4xf32>, i32
  uop.launch @nothing()
  uop.launch @nothing() {note}
  return
}
